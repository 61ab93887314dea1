"""The page in a browser during a round of Ligretto: pads, players, wrong cards, undecided pairs, the stop."""

import json
from typing import Any

import pytest
from playwright.sync_api import FloatRect, Locator, Page, expect
from tests.web.browsing import LAPTOP, PHONE, Open, PageOperator, Site, action, card, choose_from_menu
from tests.web.documents import playing
from tests.web.ligretto_documents import (
    LATER,
    NAMES,
    STOPPED,
    UNDECIDED,
    UNKNOWN,
    WRONG,
    between_rounds,
    can,
    no_ligretto,
    over,
    round_on,
    seat,
    stopped,
    twelve,
    wrong_cards,
)

from tablewire.web.actions import Answer

BURST_COUNT = 300
"""Ten seconds of the fastest table there is, in one moment."""
HOSTILE = '<img src=x onerror="window.harmed=1"><script>window.harmed=1</script>'


def pad(page: Page, number: int) -> Locator:
    """A pad on the page."""
    return page.locator(f'.pad[data-pad="{number}"]')


def box(found: Locator) -> FloatRect:
    """Where something is."""
    told = found.bounding_box()
    assert told is not None
    return told


# What is seen


def test_every_pad_shows_the_top_of_its_pile_and_how_high_it_is(
    open_page: Open, complaints: list[str]
) -> None:
    page = open_page(round_on())
    expect(page.locator(".pad")).to_have_count(16)
    expect(pad(page, 1).locator(".face-value")).to_have_text("7")
    expect(pad(page, 1).locator(".pad-height")).to_have_text("\N{MULTIPLICATION SIGN}7")
    expect(pad(page, 1).locator(".unseen")).to_have_text("Pad 1: blue 7, 7 cards")
    expect(pad(page, 3).locator(".pad-height")).to_have_text("✓")
    expect(pad(page, 3).locator(".unseen")).to_have_text("Pad 3: green 10, 10 cards, complete")
    expect(pad(page, 2).locator(".unseen")).to_have_text("Pad 2: empty")
    expect(pad(page, 2).locator(".face")).to_have_count(0)
    # Colours differ by letter and by shape as well.
    piles = [pad(page, number) for number in (0, 1, 3, 6)]
    letters = {pile.locator(".face-letter").text_content() for pile in piles}
    shapes = {pile.locator(".face-shape").first.get_attribute("d") for pile in piles}
    assert letters == {"R", "B", "G", "Y"}
    assert len(shapes) == 4
    assert complaints == []


def test_each_player_has_the_cards_of_this_round_and_the_points_of_all(open_page: Open) -> None:
    page = open_page(round_on(players=[seat(0, "Anna", total=-7), seat(1, "Ben", played=31)]))
    expect(card(page, "Anna").locator("h3")).to_have_text("Anna")
    expect(card(page, "Anna").locator(".who small")).to_have_text("deck red")
    expect(card(page, "Anna").locator(".played")).to_have_text("9 cards in the centre")
    expect(card(page, "Anna").locator(".fact-total dd")).to_have_text("\N{MINUS SIGN}7")
    expect(card(page, "Ben").locator(".played")).to_have_text("31 cards in the centre")
    expect(page.locator("#turn h1")).to_have_text("Round 1 of 3")
    expect(page.locator("#facts li")).to_have_text(["Round 1 of 3", "23 cards in the centre"])


def test_every_wrong_card_is_seen_at_once_on_its_pad_and_in_the_list(
    open_page: Open, site: Site, complaints: list[str]
) -> None:
    page = open_page(wrong_cards())
    expect(page.locator(".wrong-part h2")).to_have_text("Take these 3 cards off again")
    texts = [WRONG[0]["text"], WRONG[1]["text"], UNKNOWN["text"]]
    expect(page.locator(".wrong-text")).to_have_text(texts)
    expect(pad(page, 1).locator(".off-card .face-value")).to_have_text("7")
    expect(pad(page, 1).locator(".pad-card .face-value")).to_have_text("7")
    expect(pad(page, 9).locator(".unseen")).to_have_text("Pad 9: empty; take Cleo's red 3 off")
    expect(page.locator(".wrong-cards")).to_have_attribute("aria-live", "assertive")
    # What the list says needs no second panel.
    expect(page.locator("#message")).to_be_hidden()
    site.show(page, wrong_cards(2, wrong=[{**WRONG[0], "lies": False}, WRONG[1]], undecided=[]))
    expect(page.locator(".wrong-part h2")).to_have_text("Take this card off again")
    expect(pad(page, 1).locator(".off-card")).to_have_count(0)
    site.show(page, round_on(3))
    expect(page.locator(".wrong-part")).to_be_hidden()
    assert complaints == []


def test_the_last_card_is_said_but_not_read_out_while_cards_fly(open_page: Open, site: Site) -> None:
    page = open_page(round_on())
    expect(page.locator("#verdict")).to_have_text("Anna's red 4 on pad 0.")
    assert page.locator("#verdict").get_attribute("aria-live") is None
    site.show(page, playing(2))
    expect(page.locator("#verdict")).to_have_attribute("aria-live", "polite")


def test_between_two_rounds_and_at_the_end_the_score_table_is_shown(open_page: Open, site: Site) -> None:
    page = open_page(between_rounds())
    expect(page.locator("#turn h1")).to_have_text("Round 2 is scored")
    table = page.locator("#rounds .score-table")
    expect(table.locator("thead th")).to_have_text(
        ["Player", "Round 1Ben stopped", "Round 2nobody could play", "Sum"]
    )
    expect(table.locator('[data-row="Ben"] td strong')).to_have_text(["+24", "\N{MINUS SIGN}2"])
    expect(table.locator('[data-row="Ben"] .sum')).to_have_text("22")
    expect(table.locator('[data-row="Dora"] td small').first).to_have_text("11 played, 8 left")
    site.show(page, over(2))
    expect(page.locator("#turn h1")).to_have_text("Ben wins")
    expect(page.locator("#turn .ranking li")).to_have_text(["Ben 22", "Anna 21", "Cleo 16", "Dora 5"])
    expect(table.locator("tr.is-winner th")).to_have_text("Ben")
    result = {"ended": "target", "winners": ["Anna", "Ben"], "totals": {"Anna": 99, "Ben": 99}}
    site.show(page, over(3, result=result))
    expect(page.locator("#turn h1")).to_have_text("Anna and Ben share the win")
    expect(page.locator("#turn")).to_contain_text("The target was reached.")


def test_text_from_anywhere_stays_text(open_page: Open, complaints: list[str]) -> None:
    names = (HOSTILE, "Ben")
    wrong = [{**WRONG[0], "text": HOSTILE, "card": {"owner": HOSTILE, "colour": HOSTILE, "value": HOSTILE}}]
    page = open_page(
        stopped(
            players=[seat(k, name, deck=HOSTILE + str(k)) for k, name in enumerate(names)],
            wrong=wrong,
            undecided=[{**UNDECIDED, "id": HOSTILE, "players": [HOSTILE, "Ben"], "colour": HOSTILE}],
            stopped={**STOPPED, "by": HOSTILE},
            pads={"0": {"colour": HOSTILE, "value": HOSTILE, "height": HOSTILE, "complete": False}},
            log=[{"n": 1, "legal": False, "text": HOSTILE}],
            history=[
                {
                    **between_rounds()["history"][0],
                    "stop": HOSTILE,
                    "points": {HOSTILE: 3},
                    "played": {HOSTILE: 3},
                }
            ],
            counting={"pad": 1, "counted": {HOSTILE: 1}, "text": HOSTILE},
            message={
                "kind": HOSTILE,
                "reasons": [],
                "text": HOSTILE,
                "steps": [{"do": HOSTILE, "pad": HOSTILE}],
                "choices": [{"id": HOSTILE, "text": HOSTILE}],
            },
        )
    )
    expect(page.locator("#turn h1")).to_contain_text(HOSTILE)
    expect(page.locator(".wrong-text")).to_have_text(HOSTILE)
    expect(page.locator(".question-buttons button").first).to_have_text(HOSTILE)
    action(page, "moves").click()
    expect(page.locator("#moves .move-what")).to_have_text(HOSTILE)
    page.keyboard.press("Escape")
    action(page, "scores").click()
    expect(page.locator("#rounds-table th[scope=row]").first).to_have_text(HOSTILE)
    assert page.locator("body img, main script").count() == 0
    assert page.evaluate("window.harmed") is None
    assert complaints == []


# Faster than the eye


def test_of_a_burst_of_documents_only_the_newest_is_drawn_in_each_frame(
    open_page: Open, site: Site, complaints: list[str]
) -> None:
    """All of them come in one piece, as after a hitch of the network; the last state wins, nothing queues."""
    burst = [twelve(version, round=version) for version in range(2, BURST_COUNT + 2)]
    events = "".join(f"id: {doc['version']}\ndata: {json.dumps(doc)}\n\n" for doc in burst)
    page = open_page(round_on())
    page.add_init_script(
        """
        window.counted = {drawn: 0, frames: 0};
        const count = () => { window.counted.frames += 1; requestAnimationFrame(count); };
        requestAnimationFrame(count);
        addEventListener("DOMContentLoaded", () =>
          new MutationObserver((changes) => { window.counted.drawn += changes.length; })
            .observe(document.body, {attributeFilter: ["data-version"]}));
        """
    )
    page.route(
        "**/api/events",
        lambda route: route.fulfill(content_type="text/event-stream", body=f"retry: 600000\n\n{events}"),
    )
    site.feed.publish(burst[-1]["version"], burst[-1])
    page.reload()
    expect(page.locator("body")).to_have_attribute("data-version", str(burst[-1]["version"]))
    expect(page.locator("#turn h1")).to_have_text(f"Round {BURST_COUNT + 1} of 3")
    counted = page.evaluate("window.counted")
    assert 1 <= counted["drawn"] <= counted["frames"]
    assert counted["drawn"] <= BURST_COUNT / 10
    assert complaints == []


def test_the_buttons_of_a_question_stay_where_they_are_while_cards_come(open_page: Open, site: Site) -> None:
    page = open_page(round_on(undecided=[UNDECIDED], actions=can(stop=True, decide=True)), PHONE)
    dora = page.get_by_role("button", name="Dora was first on pad 6")
    place = box(dora)
    dora.focus()
    dora.evaluate("node => { window.kept = node; }")
    for version in range(2, 8):
        found = wrong_cards(
            version, moves=20 + version, undecided=[UNDECIDED, LATER], wrong=WRONG[: version % 3]
        )
        site.show(page, {**found, "players": [seat(k, name, played=version) for k, name in enumerate(NAMES)]})
        assert box(dora) == place
    assert page.evaluate("window.kept === document.activeElement && window.kept.isConnected")


def test_an_answered_question_leaves_the_next_one_where_it_is_for_a_moment(
    open_page: Open, site: Site
) -> None:
    found = can(stop=True, decide=True)
    page = open_page(round_on(undecided=[UNDECIDED, LATER], actions=found))
    page.clock.install()
    cleo = page.get_by_role("button", name="Cleo was first on pad 0")
    place = box(cleo)
    site.show(page, round_on(2, undecided=[LATER], actions=found))
    assert box(cleo) == place
    expect(page.get_by_role("button", name="Dora was first on pad 6")).to_have_count(0)
    expect(page.locator(".question.is-gone")).to_have_text("Decided", use_inner_text=True)
    page.clock.fast_forward(5_000)
    expect(page.locator(".question.is-gone")).to_have_count(0)
    expect(cleo).to_be_visible()


# What people do


def test_who_was_first_is_said_with_one_touch(open_page: Open, operator: PageOperator) -> None:
    page = open_page(wrong_cards())
    expect(page.locator(".question-words")).to_contain_text("Anna and Dora laid a yellow 2")
    for name in ("Anna", "Dora"):
        assert box(page.get_by_role("button", name=f"{name} was first on pad 6"))["height"] > 44
    with page.expect_response("**/api/decide"):
        page.get_by_role("button", name="Dora was first on pad 6").click()
    assert operator.done() == [("decide", {"n": 17, "winner": "Dora"})]


def test_a_round_is_stopped_for_a_player_or_because_nobody_can_play(
    open_page: Open, operator: PageOperator, site: Site
) -> None:
    page = open_page(round_on())
    with page.expect_response("**/api/round-stop"):
        page.get_by_role("button", name="Ben stops the round").press("Enter")
    with page.expect_response("**/api/round-stop"):
        action(page, "blocked").click()
    choose_from_menu(page, "stop")
    with page.expect_response("**/api/round-stop"):
        page.locator("#stop").get_by_role("button", name="Cleo").click()
    expect(page.locator("#stop")).to_have_count(0)
    assert operator.done() == [("round_stop", {"player": who}) for who in ("Ben", "blocked", "Cleo")]
    site.show(page, stopped(2))
    expect(page.locator(".stop:visible")).to_have_count(0)
    expect(action(page, "blocked")).to_be_hidden()


def test_a_false_stop_is_taken_back(open_page: Open, operator: PageOperator) -> None:
    page = open_page(stopped())
    expect(page.locator("#turn h1")).to_have_text("Ligretto stop by Anna")
    expect(page.locator("#ending h2")).to_have_text("Stopped after 1:28")
    expect(page.locator("#ending")).to_contain_text("1 card came after the stop and does not count.")
    with page.expect_response("**/api/unstop"):
        action(page, "unstop").click()
    assert operator.done() == [("unstop", {})]


def test_cards_left_are_counted_over_a_pad_that_is_chosen(
    open_page: Open, operator: PageOperator, site: Site
) -> None:
    page = open_page(stopped(counting=None))
    expect(page.locator('[name="count-pad"]')).to_have_value("15")
    page.locator('[name="count-pad"]').select_option("4")
    with page.expect_response("**/api/count"):
        action(page, "count").click()
    site.show(page, stopped(2, counting={"pad": 4, "counted": {}, "text": "Pass them over pad 4."}))
    expect(page.locator("#ending")).to_contain_text("Pass them over pad 4.")
    expect(pad(page, 4)).to_have_class("pad is-empty is-count")
    with page.expect_response("**/api/count"):
        action(page, "count-end").click()
    assert operator.done() == [("count", {"pad": 4}), ("count", {"pad": None})]


def test_the_numbers_follow_the_count_except_those_that_were_typed(
    open_page: Open, operator: PageOperator, site: Site, complaints: list[str]
) -> None:
    page = open_page(stopped())
    left = {name: page.locator(f'#ending [data-left="{name}"]') for name in NAMES}
    expect(left["Ben"]).to_have_value("4")
    expect(left["Anna"]).to_be_disabled()
    left["Dora"].fill("7")
    counted = {"pad": 15, "counted": {"Anna": 0, "Ben": 5, "Cleo": 1, "Dora": 2}, "text": ""}
    site.show(page, stopped(2, counting=counted))
    values = [field.input_value() for field in left.values()]
    assert values == ["0", "5", "1", "7"]
    expect(page.locator("#ending .is-other small")).to_have_text("counted: 2")
    with page.expect_response("**/api/left"):
        action(page, "left").click()
    assert operator.done() == [("left", {"left": {"Anna": 0, "Ben": 5, "Cleo": 1, "Dora": 7}})]
    assert complaints == []


def test_numbers_that_cannot_be_are_refused_with_why_and_stay(
    open_page: Open, operator: PageOperator, complaints: list[str]
) -> None:
    text = "of Dora's cards 2 were counted, and 7 are typed"
    operator.answer = Answer(409, {"reason": "bad_count", "text": text})
    page = open_page(stopped(counting=None))
    for name in ("Ben", "Cleo"):
        page.locator(f'#ending [data-left="{name}"]').fill("3")
    action(page, "left").click()
    expect(page.locator("#ending .wrong")).to_have_text("How many cards are left in the pile of Dora?")
    page.locator('#ending [data-left="Dora"]').fill("7")
    with page.expect_response("**/api/left"):
        page.keyboard.press("Enter")
    expect(page.locator("#ending .wrong")).to_have_text("Of Dora's cards 2 were counted, and 7 are typed.")
    expect(page.locator('#ending [data-left="Dora"]')).to_have_value("7")
    assert operator.done() == [("left", {"left": {"Anna": 0, "Ben": 3, "Cleo": 3, "Dora": 7}})]
    assert all("409" in complaint for complaint in complaints)
    complaints.clear()


def test_while_something_is_still_open_the_round_cannot_be_scored(open_page: Open) -> None:
    page = open_page(
        stopped(phase="hold", undecided=[UNDECIDED], wrong=WRONG, actions=can(unstop=True, decide=True))
    )
    expect(action(page, "left")).to_be_hidden()
    expect(page.locator("#turn")).to_contain_text("First put right and decide what is marked.")
    expect(action(page, "unstop")).to_be_visible()
    expect(page.locator("#players")).to_be_visible()


@pytest.mark.parametrize(
    ("open_still", "said"),
    [
        ({"undecided": [UNDECIDED]}, "First decide what is marked."),
        ({"wrong": WRONG}, "First put right what is marked."),
    ],
)
def test_after_a_stop_the_page_says_what_stands_in_the_way(
    open_page: Open, open_still: dict[str, Any], said: str
) -> None:
    nothing: dict[str, Any] = {"undecided": [], "wrong": []}
    page = open_page(stopped(phase="hold", **{**nothing, **open_still}, actions=can(unstop=True)))
    expect(page.locator("#turn")).to_contain_text(said)


def test_the_next_round_is_opened_with_a_button(open_page: Open, operator: PageOperator) -> None:
    page = open_page(between_rounds())
    with page.expect_response("**/api/next-round"):
        action(page, "next-round").click()
    assert operator.done() == [("next_round", {})]


def test_whoever_may_only_look_sees_all_of_it_and_can_press_nothing(open_page: Open) -> None:
    page = open_page(stopped(undecided=[UNDECIDED], wrong=[*WRONG, UNKNOWN]), LAPTOP, writable=False)
    expect(page.locator(".wrong-text")).to_have_count(3)
    expect(page.get_by_role("button", name="Anna was first on pad 6")).to_be_disabled()
    expect(page.locator("#ending h2")).to_have_text("Stopped after 1:28")
    buttons = page.locator("main button:enabled:visible").all_text_contents()
    assert sorted(buttons) == ["More", "Record", "Score table"]


# Two games on one page


def test_the_page_changes_the_game_and_leaves_nothing_of_the_other(
    open_page: Open, site: Site, complaints: list[str]
) -> None:
    page = open_page(wrong_cards())
    site.show(page, playing(2))
    expect(page).to_have_title("Cir*Kis · tablewire")
    expect(page.locator("svg.board .piece")).to_have_count(4)
    expect(page.locator(".pads, .question, .wrong-card, .seat-card")).to_have_count(0)
    expect(page.locator("#asks, #ending, #rounds")).to_have_count(3)
    for place in ("#asks", "#ending", "#rounds"):
        expect(page.locator(place)).to_be_hidden()
    site.show(page, stopped(3))
    expect(page).to_have_title("Ligretto · tablewire")
    expect(page.locator("svg.board, .stock, .sensors")).to_have_count(0)
    expect(page.locator("#ending")).to_be_visible()
    assert complaints == []


@pytest.mark.parametrize(
    ("kind", "title"), [("ligretto", "Ligretto"), ("cirkis", "Cir*Kis"), (None, "Cir*Kis")]
)
def test_before_any_game_the_page_is_that_of_the_board_that_is_there(
    open_page: Open, kind: str | None, title: str
) -> None:
    link = {**no_ligretto()["link"], "board": kind}
    page = open_page(no_ligretto(link=link))
    expect(page.locator("#game-name")).to_have_text(title)
    expect(page.locator("#turn h1")).to_have_text("Ready for a game")
