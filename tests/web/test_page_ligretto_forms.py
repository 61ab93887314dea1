"""The page in a browser: how a game of Ligretto is begun, and how what was recorded is corrected."""

import json
from typing import Any

import pytest
from playwright.sync_api import Locator, Page, expect
from tests.web.browsing import Open, PageOperator, action, choose_from_menu
from tests.web.documents import link, no_game, playing
from tests.web.ligretto_documents import LOG, UNKNOWN, no_ligretto, round_on, wrong_cards

from tablewire.web.actions import Download

RECORD = [
    {"record": 1, "game": "ligretto", "players": ["Anna", "Ben", "Cleo", "Dora"], "options": {}},
    {"t_ms": 100, "pad": 0, "card": {"owner": "Anna", "colour": "red", "value": 1}},
    {"t_ms": 900, "pad": 0, "card": {"owner": "Ben", "colour": "red", "value": 2}},
    {"t_ms": 1500, "stop": "Anna"},
    {"left": {"Anna": 0, "Ben": 4, "Cleo": 5, "Dora": 6}},
]
FINE = {
    "possible": True,
    "text": "Then Cleo has one card more.",
    "totals": {"Anna": 0, "Ben": 0, "Cleo": 1, "Dora": 0},
}


@pytest.fixture
def kept(operator: PageOperator) -> PageOperator:
    operator.kept_record = Download("ligretto-1.jsonl", "\n".join(map(json.dumps, RECORD)) + "\n")
    operator.preview = FINE
    return operator


def newest(n: int) -> list[dict[str, Any]]:
    """A log whose only line has this number."""
    return [{**LOG[0], "n": n}]


def start(page: Page) -> Locator:
    """Open the form for a new game."""
    if action(page, "new-game").count() > 0:
        action(page, "new-game").first.click()
    else:
        choose_from_menu(page, "new-game")
    return page.locator("#new-game")


def begin(page: Page, form: Locator) -> None:
    """Send it."""
    with page.expect_response("**/api/new-game"):
        form.locator('[type="submit"]').click()


# A new game


def test_the_game_of_the_board_that_is_there_is_proposed_first(open_page: Open) -> None:
    page = open_page(no_ligretto())
    form = start(page)
    expect(form.get_by_role("radio", name="Ligretto")).to_have_attribute("aria-checked", "true")
    expect(form.locator('[name="player"]').first).to_be_visible()
    form.get_by_role("radio", name="Cir*Kis").click()
    expect(form.locator(".seat")).to_have_count(4)


def test_where_no_board_says_otherwise_it_is_the_game_that_is_meant_where_none_is_named(
    open_page: Open,
) -> None:
    page = open_page(no_game())
    form = start(page)
    expect(form.locator('.segments [role="radio"]').first).to_have_text("Cir*Kis")
    expect(form.locator(".seat")).to_have_count(4)


def test_a_game_of_ligretto_is_set_up_in_a_form(
    open_page: Open, operator: PageOperator, complaints: list[str]
) -> None:
    page = open_page(no_ligretto())
    form = start(page)
    names = form.locator('[name="player"]')
    # Those whose deck is learnt; a third is taken in, and left out again.
    expect(names).to_have_count(2)
    action(page, "add-player").click()
    names.nth(0).fill("Anna")
    names.nth(1).fill("  Ben ")
    form.get_by_role("button", name="Leave this player out").nth(2).click()
    decks = form.locator('[name="deck"]')
    decks.nth(0).select_option("green")
    decks.nth(1).select_option("red")
    expect(decks.nth(0).locator("option")).to_have_text(
        ["deck of that name, or the next", "deck red", "deck green", "blue (3 cards not learnt)"]
    )
    expect(decks.nth(0).locator('option[value="blue"]')).to_be_disabled()
    form.get_by_label("A target").check()
    form.locator('[name="target"]').fill("120")
    form.get_by_text("More settings").click()
    form.get_by_label("Points taken for each card left").fill("3")
    form.get_by_label("Pad for counting the cards left").fill("7")
    begin(page, form)
    expect(form).to_have_count(0)
    body = {
        "game": "ligretto",
        "players": ["Anna", "Ben"],
        "options": {"target": 120, "left_penalty": 3},
        "x_use": {"Anna": "green", "Ben": "red"},
        "x_count_pad": 7,
    }
    assert operator.done() == [("new_game", body)]
    assert complaints == []


def test_names_that_are_missing_or_given_twice_are_said_before_anything_is_asked(
    open_page: Open, operator: PageOperator
) -> None:
    page = open_page(no_ligretto())
    form = start(page)
    names = form.locator('[name="player"]')
    names.nth(1).fill("")
    form.locator('[type="submit"]').click()
    expect(form.locator(".wrong")).to_have_text("Give every player a name, or leave the row out.")
    names.nth(1).fill("red")
    form.locator('[type="submit"]').click()
    expect(form.locator(".wrong")).to_have_text("Two players are called red: give one of them another name.")
    assert operator.done() == []


def test_more_players_than_one_board_serves_are_told_so(open_page: Open) -> None:
    page = open_page(no_ligretto())
    form = start(page)
    for _ in range(3):
        action(page, "add-player").click()
    expect(form.locator(".hint-line")).to_have_text(
        "5 players may have 20 piles at a time, one for each 1; a board has 16 pads. A 1 that finds no free "
        "pad waits in the hand: no pad becomes free before the round is scored."
    )
    for _ in range(7):
        action(page, "add-player").click()
    expect(action(page, "add-player")).to_be_disabled()
    expect(form.locator('[name="player"]')).to_have_count(12)


def test_the_board_that_is_heard_says_for_how_many_players_its_pads_do(open_page: Open) -> None:
    page = open_page(no_ligretto(link=link("up", board="ligretto", readers=20)))
    expect(page.locator(".pad")).to_have_count(20)
    form = start(page)
    hint = form.locator(".hint-line")
    while form.locator('[name="player"]').count() < 6:
        expect(hint).to_have_text("")
        action(page, "add-player").click()
    expect(hint).to_contain_text(
        "6 players may have 24 piles at a time, one for each 1; the board has 20 pads."
    )


def test_the_players_of_the_last_game_are_proposed_again_with_their_decks(
    open_page: Open, operator: PageOperator
) -> None:
    page = open_page(round_on())
    form = start(page)
    expect(form.locator(".warning").first).to_contain_text("A game is being played")
    begin(page, form)
    [(_, body)] = operator.done()
    assert body["players"] == ["Anna", "Ben", "Cleo", "Dora"]


def test_before_a_deck_is_taught_the_form_says_that_no_game_can_begin(
    open_page: Open, operator: PageOperator
) -> None:
    operator.kept_decks = []
    page = open_page(no_ligretto(decks=[]))
    form = start(page)
    hint = form.locator(".deck-hint")
    expect(hint).to_contain_text("A game cannot begin yet")
    expect(hint).to_contain_text("no deck is taught")
    form.locator('[data-action="teach"]').click()
    expect(page.locator("#teach-deck")).to_be_visible()


def test_a_deck_that_was_imported_meanwhile_is_offered_when_the_form_opens(
    open_page: Open, operator: PageOperator
) -> None:
    operator.kept_decks = [{"name": "red", "missing": 0, "text": None}]
    # What the table shows is older.
    page = open_page(no_ligretto(decks=[]))
    form = start(page)
    hint, decks = form.locator(".deck-hint"), form.locator('[name="deck"]').first.locator("option")
    expect(hint).to_have_text(
        "2 players need 2 decks, and only 1 is taught: teach another, or leave a player out."
    )
    form.get_by_role("button", name="Cancel").click()
    operator.kept_decks.append({"name": "green", "missing": 0, "text": None})
    form = start(page)
    expect(decks).to_have_text(["deck of that name, or the next", "deck red", "deck green"])
    expect(hint).to_be_hidden()
    action(page, "add-player").click()
    expect(hint).to_contain_text("3 players need 3 decks, and only 2 are taught")


def test_while_a_game_is_played_the_decks_are_offered_and_none_can_be_taught(
    open_page: Open, operator: PageOperator
) -> None:
    page = open_page(round_on())
    form = start(page)
    expect(form.locator('[name="deck"]')).to_have_count(4)
    expect(form.locator(".deck-hint")).to_contain_text("put this one aside first")
    expect(form.locator('[data-action="teach"]')).to_have_count(0)


def test_from_a_game_of_cirkis_the_other_game_can_be_begun(open_page: Open, operator: PageOperator) -> None:
    page = open_page(playing(link=link("up", board="ligretto")))
    form = start(page)
    for name, field in zip(("Anna", "Ben"), form.locator('[name="player"]').all(), strict=True):
        field.fill(name)
    begin(page, form)
    [(_, body)] = operator.done()
    assert (body["game"], body["players"]) == ("ligretto", ["Anna", "Ben"])
    assert body["options"] == {"rounds": 1}


# Corrections


def test_the_record_lists_what_was_judged_and_on_request_what_came_before(
    open_page: Open, kept: PageOperator, complaints: list[str]
) -> None:
    log = [{**LOG[1], "n": 4}]
    page = open_page(round_on(log=log, undone=1))
    action(page, "moves").click()
    dialog = page.locator("#moves")
    expect(dialog.locator(".move .tag")).to_have_text("not counted")
    expect(dialog.locator(".again")).to_contain_text("One thing is taken back.")
    action(page, "earlier").click()
    expect(dialog.locator(".move-n")).to_have_text(["4", "3", "2", "1"])
    expect(dialog.locator(".move-what")).to_have_text(
        [
            "Ben's green 7 does not fit on pad 1.",
            "Anna stopped the round",
            "Ben's red 2 on pad 0",
            "Anna's red 1 on pad 0",
        ]
    )
    expect(action(page, "earlier")).to_be_hidden()
    assert complaints == []


def test_a_card_is_corrected_after_it_was_seen_what_would_come_of_it(
    open_page: Open, kept: PageOperator, complaints: list[str]
) -> None:
    page = open_page(round_on(log=newest(2)))
    action(page, "moves").click()
    action(page, "correct-2").click()
    form = page.locator("#correct")
    expect(form.locator(".was")).to_have_text("It was: Ben's red 2 on pad 0")
    expect(form.locator("[data-confirm]")).to_be_disabled()
    form.get_by_role("radio", name="Cleo").click()
    expect(form.locator(".outcome")).to_contain_text("Then Cleo has one card more.")
    expect(form.locator('.score-change .is-other[data-player="Cleo"]')).to_have_text("Cleo0→1")
    form.get_by_label("Who says so").fill("Oma")
    form.get_by_label("Why is it corrected?").fill("It was Cleo's")
    with page.expect_response("**/api/correct"):
        form.locator("[data-confirm]").click()
    expect(form).to_have_count(0)
    line = {"t_ms": 900, "pad": 0, "card": {"owner": "Cleo", "colour": "red", "value": 2}}
    body = {"n": 2, "line": line, "seen": 4, "by": "Oma", "note": "It was Cleo's"}
    assert kept.done() == [("correct", body)]
    assert complaints == []


def test_a_line_is_removed(open_page: Open, kept: PageOperator) -> None:
    page = open_page(round_on(log=newest(1)))
    action(page, "moves").click()
    action(page, "correct-1").click()
    form = page.locator("#correct")
    form.get_by_role("radio", name="Remove").click()
    expect(form.locator(".card-field")).to_be_hidden()
    with page.expect_response("**/api/correct"):
        form.locator("[data-confirm]").click()
    expect(form).to_have_count(0)
    assert kept.done() == [("correct", {"n": 1, "do": "remove", "seen": 4})]


def test_a_card_that_was_missed_is_put_in_before_a_line(open_page: Open, kept: PageOperator) -> None:
    page = open_page(round_on(log=newest(3)))
    action(page, "moves").click()
    action(page, "correct-3").click()
    form = page.locator("#correct")
    form.get_by_role("radio", name="Insert before").click()
    for name in ("Dora", "blue", "1"):
        form.get_by_role("radio", name=name, exact=True).click()
    form.get_by_label("Pad", exact=True).fill("5")
    with page.expect_response("**/api/correct"):
        form.locator("[data-confirm]").click()
    line = {"pad": 5, "card": {"owner": "Dora", "colour": "blue", "value": 1}}
    assert kept.done() == [("correct", {"n": 3, "do": "insert", "line": line, "seen": 4})]


def test_what_was_missed_last_is_put_in_behind_everything(open_page: Open, kept: PageOperator) -> None:
    page = open_page(round_on())
    action(page, "moves").click()
    action(page, "add-line").click()
    form = page.locator("#correct")
    expect(form.locator("h2")).to_have_text("Add what was missed")
    expect(form.get_by_role("radio", name="Remove")).to_be_hidden()
    form.get_by_role("radio", name="A stop").click()
    form.get_by_role("radio", name="Nobody could play").click()
    with page.expect_response("**/api/correct"):
        form.locator("[data-confirm]").click()
    expect(form).to_have_count(0)
    line = {"stop": "blocked"}
    assert kept.done() == [("correct", {"n": 5, "do": "insert", "line": line, "seen": 4})]


def test_the_cards_left_of_a_round_that_is_scored_are_corrected(open_page: Open, kept: PageOperator) -> None:
    page = open_page(round_on(log=newest(4)))
    action(page, "moves").click()
    action(page, "correct-4").click()
    form = page.locator("#correct")
    form.locator('[data-left="Dora"]').fill("7")
    with page.expect_response("**/api/correct"):
        form.locator("[data-confirm]").click()
    line = {"left": {"Anna": 0, "Ben": 4, "Cleo": 5, "Dora": 7}}
    assert kept.done() == [("correct", {"n": 4, "line": line, "seen": 4})]


def test_what_cannot_be_is_said_and_not_sent(open_page: Open, kept: PageOperator) -> None:
    kept.preview = {"possible": False, "text": "A stop by nobody cannot be."}
    page = open_page(round_on(log=newest(3)))
    action(page, "moves").click()
    action(page, "correct-3").click()
    form = page.locator("#correct")
    form.get_by_role("radio", name="Withdrawn").click()
    expect(form.locator(".outcome .first-illegal")).to_have_text("A stop by nobody cannot be.")
    expect(form.locator("[data-confirm]")).to_be_disabled()
    assert kept.done() == []


def test_a_tag_that_nobody_knows_is_told_which_card_it_is(
    open_page: Open, operator: PageOperator, complaints: list[str]
) -> None:
    page = open_page(wrong_cards())
    action(page, "name-card").click()
    form = page.locator("#name-card")
    expect(form).to_contain_text(UNKNOWN["uid"])
    expect(form.locator("[data-confirm]")).to_be_disabled()
    for name in ("Ben", "yellow", "10"):
        form.get_by_role("radio", name=name, exact=True).click()
    with page.expect_response("**/api/correct"):
        form.locator("[data-confirm]").click()
    expect(form).to_have_count(0)
    told = {"tag": UNKNOWN["uid"], "card": {"owner": "Ben", "colour": "yellow", "value": 10}}
    assert operator.done() == [("correct", told)]
    assert complaints == []
