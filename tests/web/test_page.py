"""The page in a browser: what a person at the table sees."""

from playwright.sync_api import expect
from tests.web.browsing import Open, Site, card
from tests.web.documents import FULL_STOCK, NAMES, no_game, playing


def test_it_shows_whose_turn_it_is_and_why(open_page: Open) -> None:
    page = open_page(playing())
    turn = page.locator("#turn")
    expect(turn.locator("h1")).to_have_text("Petra to play")
    expect(turn).to_contain_text("Petra is next, clockwise from Yusuf.")
    expect(turn.locator(".badge")).to_have_text("P")
    expect(card(page, "purple").locator(".pill")).to_have_text("to play")
    expect(turn).not_to_contain_text("Free turn")


def test_it_shows_a_free_turn_and_who_was_passed_over(open_page: Open) -> None:
    page = open_page(playing(free_turn="surrounded", passed_over=["green", "yellow"]))
    expect(page.locator("#turn .free")).to_have_text("Free turn")
    expect(page.locator("#turn")).to_contain_text("Passed over: Gesa, Yusuf")
    expect(card(page, "green").locator(".pill")).to_have_text("passed over")
    expect(card(page, "purple").locator(".pill")).to_have_text("free turn")


def test_it_shows_scores_and_the_pieces_left(open_page: Open) -> None:
    page = open_page(playing())
    for colour, score in {"purple": "0", "red": "0", "green": "10", "yellow": "5"}.items():
        expect(card(page, colour).locator(".score-now")).to_have_text(score)
        expect(card(page, colour).locator("h3")).to_have_text(NAMES[colour])
    red = card(page, "red").locator(".stock li")
    expect(red).to_have_count(len(FULL_STOCK))
    expect(red.locator("svg path.shape-body")).to_have_count(len(FULL_STOCK))
    expect(red.nth(0)).to_have_attribute("title", "wedge: 3 left")
    expect(red.nth(3)).to_have_attribute("title", "small slice: 1 left")
    expect(card(page, "red").locator(".left")).to_have_text("19 pieces left")


def test_it_shows_where_a_peg_stands_and_where_it_belongs(open_page: Open, site: Site) -> None:
    page = open_page(playing())
    green = card(page, "green")
    expect(green.locator(".holes li")).to_have_text(["0", "5", "10", "15", "20", "25", "30", "35", "40"])
    expect(green.locator(".holes .peg")).to_have_text("0")
    expect(green.locator(".holes .due")).to_have_text("10")
    expect(green.locator(".peg-words")).to_have_text("Move the peg from 0 to 10")
    players = playing()["players"]
    players[2]["peg"] = {"hole": 10, "due": 10}
    players[3]["peg"] = {"hole": None, "due": 5}
    site.show(page, playing(2, players=players))
    expect(green.locator(".holes .due")).to_have_count(0)
    expect(green.locator(".peg-words")).to_have_text("Peg is right")
    expect(card(page, "yellow").locator(".peg-words")).to_have_text("Put the peg in hole 5")


def test_it_draws_the_board_the_pieces_and_the_leader(open_page: Open) -> None:
    page = open_page(playing())
    board = page.locator("svg.board")
    expect(board.locator(".tile")).to_have_count(165)
    expect(board.locator(".piece")).to_have_count(4)
    expect(board.locator(".leader")).to_have_count(1)
    expect(board).to_have_attribute("aria-label", "The board: 9 of 165 spaces filled, the Leader on 45, 65")
    # A piece of two spaces has one outline: its own, without the edge its spaces share.
    small_slice = board.locator('.piece[data-spaces="7 8"] .piece-edge').get_attribute("d")
    assert small_slice is not None
    assert (small_slice.count("M"), small_slice.count("L")) == (1, 5)


def test_players_differ_by_letter_and_pattern_as_well_as_by_colour(open_page: Open) -> None:
    page = open_page(playing())
    pieces = page.locator("svg.board .piece-pattern")
    patterns = {pieces.nth(i).get_attribute("fill") for i in range(4)}
    letters = page.locator("svg.board .letter").all_text_contents()
    assert len(patterns) == 4
    assert sorted(letters) == ["G", "P", "R", "Y"]
    for pattern in patterns:
        assert pattern is not None
        expect(page.locator(pattern.removeprefix("url(").removesuffix(")"))).to_have_count(1)


def test_a_completed_figure_is_marked_with_who_is_dominant(open_page: Open, site: Site) -> None:
    page = open_page(playing())
    expect(page.locator('svg.board [data-figure="C1"]')).to_have_count(1)
    expect(page.locator("svg.board .medal-letter")).to_have_text("G")
    site.show(page, playing(2, completed={"S1": {"completer": "red", "dominant": None}}))
    expect(page.locator('svg.board [data-figure="S1"]')).to_have_count(1)
    expect(page.locator('svg.board [data-figure="C1"]')).to_have_count(0)
    expect(page.locator("svg.board .medal-letter")).to_have_text("\N{EN DASH}")


def test_it_shows_the_last_verdict_and_who_scored_why(open_page: Open, site: Site) -> None:
    page = open_page(playing())
    verdict = page.locator("#verdict")
    expect(verdict.locator(".verdict-text")).to_contain_text("Yusuf placed a small slice on 45 and 65.")
    expect(verdict.locator(".awards li")).to_have_count(2)
    expect(verdict.locator(".awards li").first).to_have_text("+10GGesa has the most spaces of circle C1.")
    expect(verdict).not_to_contain_text("settling")
    site.show(page, playing(2, provisional=True))
    expect(verdict).to_contain_text("settling")


def test_space_numbers_are_shown_on_demand(open_page: Open) -> None:
    page = open_page(playing())
    expect(page.locator("svg.board .number")).to_have_count(0)
    page.get_by_role("button", name="Numbers").click()
    numbers = page.locator("svg.board .number").all_text_contents()
    assert sorted(map(int, numbers)) == list(range(1, 166))
    names = page.locator("svg.board .figure-name").all_text_contents()
    assert sorted(names) == sorted([f"S{n}" for n in range(1, 7)] + [f"C{n}" for n in range(1, 11)])
    page.get_by_role("button", name="Numbers").click()
    expect(page.locator("svg.board .figure-name")).to_have_count(0)


def test_it_says_what_to_do_and_marks_where(open_page: Open) -> None:
    message = {
        "kind": "illegal",
        "reasons": ["not_touching_leader"],
        "text": "Petra's wedge does not touch the Leader.",
        "steps": [
            {"do": "lift", "spaces": [22], "colour": "purple"},
            {"do": "place", "spaces": [6, 7], "colour": "red"},
            {"do": "move_peg", "colour": "green", "hole": 10},
        ],
        "choices": [],
    }
    page = open_page(playing(phase="hold", message=message))
    expect(page.locator("#message")).to_contain_text("Petra's wedge does not touch the Leader.")
    expect(page.locator("#message .steps li")).to_have_text(
        [
            "1↑Lift the purple piece from space 22",
            "2↓Put the red piece on spaces 6 and 7",
            "3→Move Gesa's peg to hole 10",
        ]
    )
    expect(page.locator("svg.board .mark-badge.lift .mark-number")).to_have_text(["1↑"])
    expect(page.locator("svg.board .mark-badge.place .mark-number")).to_have_text(["2↓"])


def test_the_message_goes_when_there_is_nothing_left_to_do(open_page: Open, site: Site) -> None:
    message = {"kind": "restore", "reasons": [], "text": "Put it back.", "steps": [], "choices": []}
    page = open_page(playing(message=message))
    expect(page.locator("#message")).to_be_visible()
    site.show(page, playing(2))
    expect(page.locator("#message")).to_be_hidden()


def test_flaky_spaces_and_notices_are_shown(open_page: Open) -> None:
    page = open_page(playing(flaky=[30], notices=["Space 30 flickers; its magnet may be weak."]))
    expect(page.locator("svg.board .mark.flaky")).to_have_count(1)
    expect(page.locator("#notices")).to_have_text("Space 30 flickers; its magnet may be weak.")


def test_the_result_shows_the_winner_and_the_ranking(open_page: Open) -> None:
    result = {"ended": "target", "winners": ["green"], "scores": {}, "unplayed": {}}
    totals = {"purple": 20, "red": 5, "green": 45, "yellow": 30}
    page = open_page(playing(phase="over", turn=None, result=result, totals=totals))
    expect(page.locator("#turn h1")).to_have_text("Gesa wins")
    expect(page.locator("#turn .ranking li").first).to_contain_text("Gesa 10")
    expect(card(page, "green").locator(".pill")).to_have_text("winner")
    expect(card(page, "red").locator(".who small")).to_have_text("5 in the match")
    expect(page.get_by_role("button", name="Where may they place?")).to_be_disabled()


def test_a_shared_win_names_all_who_share_it(open_page: Open) -> None:
    result = {"ended": "blocked", "winners": ["green", "yellow"], "scores": {}, "unplayed": {}}
    page = open_page(playing(phase="over", turn=None, result=result))
    expect(page.locator("#turn h1")).to_have_text("Gesa and Yusuf share the win")


def test_before_the_first_game_it_says_how_to_start(open_page: Open) -> None:
    page = open_page(no_game())
    expect(page.locator("#turn h1")).to_have_text("Ready for a game")
    expect(page.locator("#players")).to_contain_text("How to start")
    expect(page.locator("svg.board .tile")).to_have_count(165)
    expect(page.locator("#link-text")).to_contain_text("Looking for the board")


HOSTILE = '<img src=x onerror="window.harmed=1"><script>window.harmed=1</script>'


def test_text_from_anywhere_stays_text(open_page: Open) -> None:
    players = playing()["players"]
    for player in players:
        player["name"] = HOSTILE
    message = {
        "kind": HOSTILE,
        "reasons": [HOSTILE],
        "text": HOSTILE,
        "steps": [{"do": HOSTILE}],
        "choices": [{"id": HOSTILE, "text": HOSTILE}],
    }
    page = open_page(
        playing(
            players=players,
            message=message,
            why_turn={"kind": "next", "text": HOSTILE},
            verdict={"legal": False, "text": HOSTILE},
            notices=[HOSTILE],
            spaces={"6": HOSTILE},
            laid=[{"player": HOSTILE, "shape": HOSTILE, "spaces": [6]}],
            completed={"C1": {"completer": HOSTILE, "dominant": HOSTILE}},
        )
    )
    expect(page.locator("#turn h1")).to_have_text(f"{HOSTILE} to play")
    expect(card(page, "red").locator("h3")).to_have_text(HOSTILE)
    expect(page.locator("#message")).to_contain_text(HOSTILE)
    expect(page.locator("main img, main script")).to_have_count(0)
    assert page.evaluate("window.harmed") is None
