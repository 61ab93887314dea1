"""The page in a browser: what a person at the table sees and can do."""

import re
from typing import Any

import pytest
from playwright.sync_api import Page, expect
from tests.web.browsing import PATIENCE_MS, Open, Site
from tests.web.documents import FULL_STOCK, NAMES, allowing, no_game, playing
from tests.web.operators import WrittenOperator

from tablewire.web.actions import Answer
from tablewire.web.feed import Feed


@pytest.fixture(autouse=True)
def _nothing_to_complain_about(complaints: list[str]) -> Any:
    yield
    assert complaints == []


def card(page: Page, colour: str) -> Any:
    return page.locator(f'[data-player="{colour}"].card')


def action(page: Page, name: str) -> Any:
    return page.locator(f'[data-action="{name}"]')


# What it shows


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
            "↑Lift the purple piece from space 22",
            "↓Put the red piece on spaces 6, 7",
            "→Move Gesa's peg to hole 10",
        ]
    )
    expect(page.locator("svg.board .mark.lift .mark-sign")).to_have_count(1)
    expect(page.locator("svg.board .mark.place .mark-sign")).to_have_count(2)


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


def test_the_link_to_the_board_is_shown(open_page: Open, site: Site, operator: WrittenOperator) -> None:
    page = open_page(playing())
    expect(page.locator("#link-text")).to_have_text("Board connected")
    operator.silent_ms = 65_000
    link = {"state": "down", "port": "/dev/ttyACM0", "silent_ms": None}
    site.show(page, playing(2, link=link))
    expect(page.locator("#link-text")).to_have_text(re.compile("Board not connected, silent for 6[5-9] s"))


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


# What it lets people do


def test_a_choice_is_sent_when_its_button_is_touched(open_page: Open, operator: WrittenOperator) -> None:
    choices = [{"id": "slice", "text": "A small slice"}, {"id": "wedges", "text": "Two wedges"}]
    message = {"kind": "ambiguous", "reasons": [], "text": "Which is it?", "steps": [], "choices": choices}
    page = open_page(playing(message=message))
    with page.expect_response("**/api/choose"):
        page.get_by_role("button", name="Two wedges").click()
    assert operator.asked == [("choose", {"id": "wedges"})]


def test_only_what_is_possible_now_has_a_live_button(open_page: Open, site: Site) -> None:
    page = open_page(playing(actions=allowing()))
    expect(action(page, "undo")).to_be_disabled()
    expect(action(page, "redo")).to_be_disabled()
    for name in ("pass", "decline", "next-round"):
        expect(action(page, name)).to_have_count(0)
    site.show(page, playing(2, actions=allowing(**{"pass": True}, undo=True, redo=True)))
    for name in ("pass", "undo", "redo"):
        expect(action(page, name)).to_be_enabled()


@pytest.mark.parametrize(
    ("button", "asked"),
    [("pass", "pass"), ("decline", "pass"), ("undo", "undo"), ("redo", "redo"), ("next-round", "next_round")],
)
def test_a_button_does_what_it_says(
    open_page: Open, operator: WrittenOperator, button: str, asked: str
) -> None:
    page = open_page(playing(actions=allowing(**{button.replace("-", "_"): True})))
    with page.expect_response("**/api/*"):
        action(page, button).click()
    assert operator.asked == [(asked, {})]


def test_a_button_works_from_the_keyboard(open_page: Open, operator: WrittenOperator) -> None:
    page = open_page(playing(actions=allowing(undo=True)))
    action(page, "undo").focus()
    with page.expect_response("**/api/undo"):
        page.keyboard.press("Enter")
    assert operator.asked == [("undo", {})]


def test_what_the_table_refuses_is_said(
    open_page: Open, operator: WrittenOperator, complaints: list[str]
) -> None:
    operator.answer = Answer(409, {"reason": "nothing_to_undo", "text": "There is no move to take back."})
    page = open_page(playing(actions=allowing(undo=True)))
    action(page, "undo").click()
    expect(page.locator("#toast")).to_have_text("There is no move to take back.")
    expect(action(page, "undo")).to_be_enabled()
    assert all("409" in complaint for complaint in complaints)
    complaints.clear()


def test_it_shows_where_the_player_may_place_on_request(open_page: Open) -> None:
    page = open_page(playing())
    hints = page.locator("svg.board .hint")
    expect(hints).to_have_count(0)
    page.get_by_role("button", name="Where may Petra place?").click()
    expect(hints).to_have_count(2)
    expect(page.locator(".where-title")).to_have_text("Petra may place")
    page.locator('[data-shape="small slice"]').click()
    expect(page.locator(".where-steps")).to_contain_text("1 places")
    page.locator('[data-shape="small slice"]').click()
    page.get_by_role("button", name="Next place").click()
    expect(page.locator(".where-steps")).to_contain_text("1 of 3")
    expect(page.locator("svg.board .hint.sure")).to_have_count(1)
    page.get_by_role("button", name="Previous place").click()
    expect(page.locator(".where-steps")).to_contain_text("3 of 3")
    page.get_by_role("button", name="Where may Petra place?").click()
    expect(hints).to_have_count(0)


def test_where_a_player_may_place_follows_the_game(
    open_page: Open, site: Site, operator: WrittenOperator
) -> None:
    page = open_page(playing())
    page.get_by_role("button", name="Where may Petra place?").click()
    expect(page.locator("svg.board .hint")).to_have_count(2)
    operator.placements = [{"shape": "wedge", "spaces": [space]} for space in (40, 41, 42, 43)]
    site.show(page, playing(2, moves=5))
    expect(page.locator("svg.board .hint")).to_have_count(4)


def test_a_new_game_is_set_up_in_a_form(open_page: Open, operator: WrittenOperator) -> None:
    page = open_page(no_game())
    action(page, "new-game").click()
    dialog = page.locator("#new-game")
    dialog.get_by_role("button", name="Start the game").click()
    expect(dialog.locator(".wrong")).to_have_text("Choose at least two players.")
    for colour in ("green", "purple", "red", "purple"):
        dialog.locator(f'[data-colour="{colour}"]').click()
    dialog.get_by_label("International").check()
    dialog.get_by_label("Center Ring").check()
    dialog.get_by_label("Points that end the game").fill("60")
    dialog.get_by_label("Play a match").check()
    with page.expect_response("**/api/new-game"):
        dialog.get_by_role("button", name="Start the game").click()
    expect(dialog).to_be_hidden()
    assert operator.asked == [
        (
            "new_game",
            {
                "game": "cirkis",
                "players": ["green", "red"],
                "rulebook": "international",
                "options": {"center_ring": True, "target": 60, "match": 100},
            },
        )
    ]


def test_a_game_being_played_is_not_ended_by_a_slip(open_page: Open, operator: WrittenOperator) -> None:
    page = open_page(playing())
    action(page, "new-game").click()
    dialog = page.locator("#new-game")
    expect(dialog.locator(".warning")).to_contain_text("A game is being played")
    expect(dialog.get_by_role("button", name="End this game and start")).to_be_visible()
    dialog.get_by_role("button", name="Cancel").click()
    expect(dialog).to_be_hidden()
    assert operator.asked == []


def test_what_is_wrong_with_a_new_game_is_said_in_the_form(
    open_page: Open, operator: WrittenOperator, complaints: list[str]
) -> None:
    operator.answer = Answer(422, {"reason": "malformed", "text": "the target must be 5 or more"})
    page = open_page(no_game())
    action(page, "new-game").click()
    for colour in ("green", "red"):
        page.locator(f'[data-colour="{colour}"]').click()
    page.get_by_role("button", name="Start the game").click()
    expect(page.locator("#new-game .wrong")).to_have_text("the target must be 5 or more")
    expect(page.locator("#new-game")).to_be_visible()
    assert all("422" in complaint for complaint in complaints)
    complaints.clear()


def test_a_page_on_another_computer_shows_everything_and_offers_nothing(open_page: Open) -> None:
    choices = [{"id": "a", "text": "A small slice"}]
    message = {"kind": "ambiguous", "reasons": [], "text": "Which is it?", "steps": [], "choices": choices}
    page = open_page(playing(message=message, actions=allowing(undo=True)), writable=False)
    expect(page.locator("#turn h1")).to_have_text("Petra to play")
    expect(page.locator("#actions")).to_be_hidden()
    expect(page.locator("#read-only")).to_contain_text("Read-only")
    expect(page.get_by_role("button", name="A small slice")).to_be_disabled()


# Staying up to date


def test_every_page_follows_the_game_and_a_reload_loses_nothing(open_page: Open, site: Site) -> None:
    first, second = open_page(playing(1)), open_page(playing(1))
    site.show(first, playing(2, turn="red", moves=5))
    for page in (first, second):
        expect(page.locator("#turn h1")).to_have_text("Robert to play")
    first.reload()
    expect(first.locator("#turn h1")).to_have_text("Robert to play")
    expect(first.locator("svg.board .piece")).to_have_count(4)


def test_a_lost_server_is_said_and_its_return_brings_the_whole_state(
    open_page: Open, site: Site, operator: WrittenOperator, board: dict[str, Any], complaints: list[str]
) -> None:
    page = open_page(playing(5))
    expect(page.locator("#lost")).to_be_hidden()
    site.stop()
    expect(page.locator("#lost")).to_have_text("Connection lost, trying again", timeout=PATIENCE_MS)
    back = Site(Feed(), operator, board)
    # Another folder of games counts versions of its own.
    back.feed.publish(3, playing(3, turn="green"))
    back.start(port=site.port)
    try:
        expect(page.locator("#turn h1")).to_have_text("Gesa to play", timeout=PATIENCE_MS)
        expect(page.locator("#lost")).to_be_hidden(timeout=PATIENCE_MS)
    finally:
        page.close()
        back.stop()
    assert all("ERR_" in complaint for complaint in complaints)
    complaints.clear()


def test_a_page_that_got_no_stream_follows_the_game_all_the_same(
    open_page: Open, site: Site, complaints: list[str]
) -> None:
    page = open_page(playing(1), stream_cap_count=0)
    site.show(page, playing(2, turn="red"))
    expect(page.locator("#turn h1")).to_have_text("Robert to play")
    expect(page.locator("#lost")).to_be_hidden()
    assert all("503" in complaint for complaint in complaints)
    complaints.clear()
