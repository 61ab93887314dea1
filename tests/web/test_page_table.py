"""The page on a real table: what is touched in the browser reaches the game, the journal and the board's
people.
"""

from collections.abc import Iterator
from pathlib import Path

import pytest
from playwright.sync_api import BrowserContext, Page, expect
from tests.web.browsing import LAPTOP, action, card, choose_from_menu, touch_space
from tests.web.real_table import RealTable

OPENING = ("place red 6,15 over 200", "place green 16 over 200")
"""Red's small slice in the Center Ring, and green's piece beside it."""


@pytest.fixture
def table(tmp_path: Path) -> Iterator[RealTable]:
    table = RealTable(tmp_path / "data")
    table.run(200)
    yield table
    table.close()


@pytest.fixture
def page(browser: BrowserContext, table: RealTable, complaints: list[str]) -> Iterator[Page]:
    table.play(*OPENING)
    page = browser.new_page()
    page.set_viewport_size({"width": LAPTOP[0], "height": LAPTOP[1]})
    page.on("pageerror", lambda error: complaints.append(str(error)))
    page.goto(table.url)
    expect(page.locator("#turn h1")).to_have_text("Red to play")
    yield page
    page.close()


def steps(page: Page) -> list[str]:
    """The steps as they are read."""
    return page.locator("#message .steps li").all_text_contents()


def test_a_swept_table_is_put_back_step_by_step(page: Page, table: RealTable) -> None:
    table.play("lift 6,15")
    table.play("place green 30 over 200")
    expect(page.locator("#turn h1")).to_have_text("Play is on hold")
    expect(page.locator("#message .steps li")).to_have_count(2)
    assert steps(page) == [
        "1↑Lift the green piece from space 30",
        "2↓Put the red small slice on spaces 6 and 15",
    ]
    table.play("lift 30")
    expect(page.locator("#message .progress")).to_have_text("1 of 2 done")
    assert steps(page) == ["2↓Put the red small slice on spaces 6 and 15"]
    table.play("place red 6,15 over 200")
    expect(page.locator("#turn h1")).to_have_text("Red to play")
    expect(page.locator("svg.board .mark")).to_have_count(0)


def test_the_table_is_taken_as_it_lies_with_a_note(page: Page, table: RealTable) -> None:
    table.play("lift 16", "lift 6,15", "place red 7,8 over 200", "place green 6 over 200")
    table.run(5_000)
    page.locator('#message [data-action="accept"]').click()
    dialog = page.locator("#accept")
    expect(dialog.locator(".score-change")).to_be_visible()
    dialog.get_by_label("Why").fill("We began again")
    dialog.locator("[data-confirm]").click()
    expect(dialog).to_have_count(0)
    table.run(2_000)
    expect(page.locator("#message")).to_be_hidden()
    laid = {(piece["player"], *piece["spaces"]) for piece in table.doc["laid"]}
    assert laid == {("red", 7, 8), ("green", 6)}


def test_a_corrected_move_is_replayed_and_stands_in_the_audit(page: Page, table: RealTable) -> None:
    action(page, "moves").click()
    action(page, "correct-2").click()
    form = page.locator("#correct")
    for space in (16, 17):
        touch_space(page, form, space)
    form.get_by_label("Who says so").fill("Oma")
    form.get_by_label("Why is it corrected?").fill("it lay one further")
    form.get_by_role("button", name="Correct it").click()
    expect(form).to_have_count(0)
    expect(page.locator('#moves [data-n="2"] .move-what')).to_contain_text("arrow on 17")
    page.keyboard.press("Escape")
    expect(page.locator("#message .steps li")).to_have_count(2)
    choose_from_menu(page, "audit")
    entry = page.locator("#audit .audit-entry").first
    expect(entry.locator(".audit-who strong")).to_have_text("Oma")
    expect(entry.locator(".audit-note")).to_have_text("it lay one further")
    expect(entry.locator(".audit-text")).to_contain_text("16")
    page.evaluate("localStorage.clear()")


def test_a_correction_that_breaks_a_later_move_keeps_it_only_as_forced(page: Page, table: RealTable) -> None:
    table.play("place red 17 over 200")
    expect(page.locator("#turn h1")).to_have_text("Green to play")
    action(page, "moves").click()
    action(page, "correct-2").click()
    form = page.locator("#correct")
    form.locator('[data-value="remove"]').click()
    expect(form.locator(".first-illegal")).to_contain_text("it is green's turn", ignore_case=True)
    form.get_by_role("button", name="Keep it as forced").click()
    expect(form).to_have_count(0)
    expect(page.locator('#moves [data-n="2"] .tag')).to_have_text("forced")
    assert [line["player"] for line in table.doc["history"]] == ["red", "red"]


def test_a_ruling_counts_and_is_undone_with_all_after_it(page: Page, table: RealTable) -> None:
    choose_from_menu(page, "ruling")
    page.get_by_role("button", name="Green: 5 more").click()
    page.locator("#ruling").get_by_label("Why").fill("for the cake")
    page.get_by_role("button", name="Record the ruling").click()
    expect(card(page, "green").locator(".score-now")).to_have_text("5")
    action(page, "moves").click()
    expect(page.locator('#moves [data-n="3"]')).to_contain_text("for the cake")
    action(page, "undo-to-1").click()
    expect(page.locator("#moves .move")).to_have_count(1)
    page.get_by_role("button", name="Bring back all 2").click()
    expect(page.locator("#moves .move")).to_have_count(3)
    expect(card(page, "green").locator(".score-now")).to_have_text("5")


def test_a_masked_space_is_drawn_and_filled_by_hand(page: Page, table: RealTable) -> None:
    action(page, "sensors").click()
    expect(page.locator("#stage .health-ok")).to_have_count(165)
    page.locator('#stage .tile[data-space="17"]').click()
    action(page, "mask").click()
    expect(page.locator('#stage .health-masked[data-health="17"]')).to_have_count(1)
    action(page, "sensors").click()
    choose_from_menu(page, "place")
    form = page.locator("#place")
    form.locator('.tile[data-space="17"]').click()
    form.locator('[data-confirm=""]').click()
    expect(form).to_have_count(0)
    expect(page.locator("#turn h1")).to_have_text("Green to play")
    assert table.doc["history"][2]["spaces"] == [17]


def test_a_piece_against_the_rules_is_refused_and_then_forced(page: Page, table: RealTable) -> None:
    choose_from_menu(page, "place")
    form = page.locator("#place")
    form.locator('[data-value="green"]').click()
    form.locator('.tile[data-space="100"]').click()
    form.locator('[data-confirm=""]').click()
    expect(form.locator(".reasons li")).to_have_text(
        ["it does not touch the Leader", "it is another player's turn"]
    )
    form.get_by_role("button", name="Place it all the same").click()
    expect(form).to_have_count(0)
    action(page, "moves").click()
    expect(page.locator('#moves [data-n="3"] .tag')).to_have_text("forced")


def test_a_game_is_put_aside_and_gone_on_with(page: Page, table: RealTable) -> None:
    choose_from_menu(page, "games")
    page.get_by_role("button", name="Put aside").click()
    expect(page.locator("#games .game.is-adjourned")).to_have_count(1)
    expect(page.locator("#turn h1")).to_have_text("Ready for a game")
    page.get_by_role("button", name="Resume").click()
    expect(page.locator("#games")).to_have_count(0)
    expect(page.locator("#turn h1")).to_have_text("Red to play")
    choose_from_menu(page, "games")
    expect(page.locator("#games .game.is-current")).to_have_count(1)
    with page.expect_download() as download:
        page.get_by_role("link", name="Download the record").click()
    lines = Path(download.value.path()).read_text("utf-8").splitlines()
    assert lines[1:] == ['{"player": "red", "spaces": [6, 15]}', '{"player": "green", "spaces": [16]}']


def test_after_the_end_clearing_records_nothing_and_a_new_game_is_asked_for(
    page: Page, table: RealTable
) -> None:
    table.act("ruling", {"points": {"green": 40}})
    table.play("place red 17 over 200")
    expect(page.locator("#turn h1")).to_have_text("Green wins")
    expect(page.locator("#turn")).to_contain_text("Clear the table when you like: nothing more is recorded.")
    before = table.doc["history"]
    table.play("lift 6,15", "lift 17", "lift 16")
    assert table.doc["history"] == before
    expect(page.locator("#turn h1")).to_have_text("Green wins")
    expect(page.locator('#message [data-do="place"]')).to_have_count(0)
    action(page, "new-game").click()
    page.get_by_role("button", name="Start the game").click()
    expect(page.locator("#turn h1")).to_have_text("Red to play")
    expect(page.locator("#facts")).to_contain_text("0 moves")


def test_the_sensors_can_be_looked_at_without_a_game(page: Page, table: RealTable) -> None:
    table.act("put_aside", {})
    expect(page.locator("#turn h1")).to_have_text("Ready for a game")
    action(page, "sensors").click()
    expect(page.locator(".sensors .legend")).to_be_visible()
    expect(page.locator(".sensors .wrong")).to_have_count(0)
