"""The page on a real game of Ligretto: what cards do is seen, and what is touched in the browser is done."""

from collections.abc import Iterator
from typing import Any

import pytest
from playwright.sync_api import BrowserContext, Page, expect
from tests.table.ligretto.pads import STRANGER
from tests.web.browsing import LAPTOP, Site, action, card, choose_from_menu
from tests.web.real_pads import RealPads

from tablewire.web.feed import Feed
from tablewire.wire.messages import ReaderState

OPENING = ("0 Anna red 1", "1 Ben blue 1", "0 Ben red 2")
SCORED_TEXT = "Round 1 is scored"


@pytest.fixture
def game(feed: Feed) -> RealPads:
    game = RealPads(feed, "Anna", "Ben", rounds=2)
    game.pads.lay(1_000, *OPENING)
    game.pads.wait()
    return game


@pytest.fixture
def page(
    browser: BrowserContext, feed: Feed, game: RealPads, board: dict[str, Any], complaints: list[str]
) -> Iterator[Page]:
    site = Site(feed, game, board)
    game.publish()
    site.start()
    page = browser.new_page()
    page.set_viewport_size({"width": LAPTOP[0], "height": LAPTOP[1]})
    page.on("console", lambda message: complaints.append(message.text))
    page.on("pageerror", lambda error: complaints.append(str(error)))
    page.goto(site.url)
    expect(page.locator(".pad")).to_have_count(16)
    yield page
    page.close()
    site.stop()


def show(page: Page, game: RealPads) -> None:
    """Publish what is so now and wait until it is drawn."""
    expect(page.locator("body")).to_have_attribute("data-version", str(game.publish()["version"]))


def drawn(page: Page, game: RealPads) -> None:
    """Wait until what an action has changed is drawn."""
    expect(page.locator("body")).to_have_attribute("data-version", str(game.version))


def top(page: Page, pad: int) -> str:
    """What a pad shows, in words."""
    return str(page.locator(f'.pad[data-pad="{pad}"] .unseen').text_content())


def test_a_round_from_the_first_card_to_the_score_and_into_the_next(
    page: Page, game: RealPads, complaints: list[str]
) -> None:
    assert top(page, 0) == "Pad 0: red 2, 2 cards"
    expect(card(page, "Ben").locator(".played")).to_have_text("2 cards in the centre")
    game.pads.come(5_000, 1, "Anna green 7")
    game.pads.wait()
    show(page, game)
    expect(page.locator(".wrong-text")).to_contain_text("Take Anna's green 7 off pad 1")
    expect(page.locator("#message")).to_be_hidden()
    game.pads.go(8_000, 1, "Anna green 7")
    game.pads.wait()
    show(page, game)
    expect(page.locator(".wrong-part")).to_be_hidden()
    page.get_by_role("button", name="Anna stops the round").click()
    expect(page.locator("#ending")).to_be_visible()
    action(page, "count").click()
    expect(page.locator("#ending .count-words")).to_contain_text("over pad 15")
    game.pads.come(20_000, 15, "Ben yellow 9")
    game.pads.go(21_000, 15, "Ben yellow 9")
    game.pads.come(22_000, 15, "Ben yellow 8")
    game.pads.wait()
    show(page, game)
    expect(page.locator('#ending [data-left="Ben"]')).to_have_value("2")
    page.locator('#ending [data-left="Ben"]').fill("3")
    action(page, "left").click()
    expect(page.locator("#ending .wrong")).to_contain_text("2 counted on pad 15, 3 typed in")
    page.locator('#ending [data-left="Ben"]').fill("2")
    action(page, "left").click()
    expect(page.locator("#turn h1")).to_have_text(SCORED_TEXT)
    expect(page.locator('.score-table [data-row="Ben"] .sum')).to_have_text("\N{MINUS SIGN}2")
    action(page, "next-round").click()
    expect(page.locator("#turn h1")).to_have_text("Round 2 of 2")
    # What lies there from before is asked away, and marked where it lies.
    expect(page.locator("#message")).to_contain_text("was there before and does not count")
    expect(page.locator('.pad[data-pad="0"] .rest-sign')).to_have_text("2↑")
    assert game.pads.score()[-1]["result"]["totals"] == {"Anna": 1, "Ben": -2}
    assert all("409" in complaint for complaint in complaints)
    complaints.clear()


def test_who_was_first_is_decided_at_the_page(page: Page, game: RealPads, complaints: list[str]) -> None:
    game.pads.come(6_000, 0, "Anna red 3")
    game.pads.come(6_010, 0, "Ben red 3")
    game.pads.wait()
    show(page, game)
    assert top(page, 0) == "Pad 0: red 3, 3 cards; undecided"
    expect(page.locator("#message")).to_be_hidden()
    page.get_by_role("button", name="Ben was first on pad 0").click()
    expect(page.locator(".question:not(.is-gone)")).to_have_count(0)
    drawn(page, game)
    expect(card(page, "Ben").locator(".played")).to_have_text("3 cards in the centre")
    # The other's card is asked away.
    expect(page.locator(".wrong-text")).to_contain_text("Take Anna's red 3 off pad 0")
    assert game.pads.told[-1]
    assert complaints == []


def test_a_pair_that_nobody_can_tell_apart_scores_for_nobody_when_that_is_agreed(
    page: Page, game: RealPads, complaints: list[str]
) -> None:
    game.pads.come(6_000, 0, "Anna red 3")
    game.pads.come(6_010, 0, "Ben red 3")
    game.pads.press(9_000, 0)
    game.pads.wait()
    show(page, game)
    page.locator('#ending [data-left="Ben"]').fill("5")
    action(page, "left").click()
    expect(page.locator("#ending .wrong")).to_contain_text("First say who was first")
    action(page, "drop-rest").click()
    expect(page.locator("#turn h1")).to_have_text(SCORED_TEXT)
    assert game.pads.score()[-1]["result"]["totals"] == {"Anna": 1, "Ben": -8}
    assert all("409" in complaint for complaint in complaints)
    complaints.clear()


def test_a_round_is_scored_with_a_wrong_card_on_the_pads_when_that_is_agreed(
    page: Page, game: RealPads, complaints: list[str]
) -> None:
    game.pads.come(6_000, 0, "Anna red 9")
    game.pads.press(9_000, 0)
    game.pads.wait()
    show(page, game)
    expect(action(page, "left")).to_be_hidden()
    action(page, "as-it-lies").click()
    page.locator('#ending [data-left="Ben"]').fill("5")
    action(page, "left").click()
    expect(page.locator("#ending .wrong")).to_contain_text("1 card to be taken off")
    action(page, "drop-rest").click()
    expect(page.locator("#turn h1")).to_have_text(SCORED_TEXT)
    # Red 1 and nothing left; red 2 and blue 1, and five times two.
    assert game.pads.score()[-1]["result"]["totals"] == {"Anna": 1, "Ben": -8}
    assert all("409" in complaint for complaint in complaints)
    complaints.clear()


def test_an_unknown_tag_is_told_which_card_it_is_and_counts(
    page: Page, game: RealPads, complaints: list[str]
) -> None:
    game.pads.come(6_000, 0, STRANGER)
    game.pads.wait()
    show(page, game)
    expect(page.locator(".wrong-text")).to_contain_text(STRANGER)
    expect(page.get_by_role("button", name="The tag on pad 0 is no card: let it lie")).to_be_visible()
    action(page, "name-card").click()
    form = page.locator("#name-card")
    for name in ("Anna", "red", "3"):
        form.get_by_role("radio", name=name, exact=True).click()
    form.locator("[data-confirm]").click()
    expect(form).to_have_count(0)
    game.pads.wait()
    show(page, game)
    expect(page.locator(".wrong-part, #message")).to_have_count(2)
    assert top(page, 0) == "Pad 0: red 3, 3 cards"
    assert complaints == []


def test_where_a_card_lies_that_two_readers_see_is_chosen_at_the_page(
    page: Page, game: RealPads, complaints: list[str]
) -> None:
    game.pads.come(6_000, 4, "Anna yellow 1")
    game.pads.come(6_010, 5, "Anna yellow 1")
    game.pads.wait()
    show(page, game)
    choice = page.locator("#message").get_by_role("button", name="Anna's yellow 1 lies on pad 5")
    choice.focus()
    expect(page.locator(".pad.is-pointed")).to_have_attribute("data-pad", "5")
    choice.click()
    drawn(page, game)
    expect(page.locator("#message")).to_be_hidden()
    assert [top(page, pad) for pad in (4, 5)] == ["Pad 4: empty", "Pad 5: yellow 1, 1 card"]
    assert complaints == []


def test_what_every_reader_sees_and_how_it_is(page: Page, game: RealPads, complaints: list[str]) -> None:
    well, tested = (
        ReaderState.SEEN | ReaderState.TESTED | ReaderState.WELL,
        ReaderState.SEEN | ReaderState.TESTED,
    )
    game.readers = [
        [0x92, well],
        [0x91, tested],
        [0, 0],
        [0x92, well | ReaderState.DEAF],
        *[[0x92, well]] * 12,
    ]
    choose_from_menu(page, "readers")
    rows = page.locator("#readers .reader")
    expect(rows).to_have_count(16)
    expect(rows.nth(0).locator(".reader-tags")).to_have_text("sees Anna's red 1 and Ben's red 2")
    expect(rows.nth(5).locator(".reader-tags")).to_have_text("sees nothing")
    expect(page.locator("#readers .is-unwell .tag")).to_have_text(
        ["failed its self-test (version 91)", "does not answer", "was deaf and begun anew (version 92)"]
    )
    game.pads.come(6_000, 2, STRANGER)
    game.pads.wait()
    show(page, game)
    expect(rows.nth(2).locator(".reader-tags")).to_have_text(f"sees the unknown tag {STRANGER}")
    assert complaints == []


def test_a_line_is_corrected_and_every_score_follows(
    page: Page, game: RealPads, complaints: list[str]
) -> None:
    action(page, "moves").click()
    expect(page.locator("#moves .move-what")).to_have_text(
        ["Ben's red 2 on pad 0.", "Ben's blue 1 on pad 1.", "Anna's red 1 on pad 0."]
    )
    action(page, "correct-3").click()
    form = page.locator("#correct")
    form.get_by_role("radio", name="Anna", exact=True).click()
    change = form.get_by_label("Cards in the centre afterwards")
    expect(change.locator("li")).to_have_text(["Anna1→2", "Ben2→1"])
    form.get_by_label("Why is it corrected?").fill("Wrong back")
    form.locator("[data-confirm]").click()
    expect(form).to_have_count(0)
    drawn(page, game)
    assert game.pads.played == {"Anna": 2, "Ben": 1}
    page.keyboard.press("Escape")
    action(page, "undo").click()
    expect(card(page, "Ben").locator(".played")).to_have_text("2 cards in the centre")
    assert complaints == []


def test_a_correction_that_breaks_a_later_card_says_so_before_it_is_done(page: Page, game: RealPads) -> None:
    action(page, "moves").click()
    action(page, "correct-1").click()
    form = page.locator("#correct")
    form.get_by_role("radio", name="Remove").click()
    expect(form.locator(".outcome")).to_contain_text("Line 2 then is wrong.")
    expect(form.locator("[data-confirm]")).to_be_enabled()
