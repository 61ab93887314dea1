"""The page in a browser: correcting a move, with a look at what would follow before anything is done."""

from typing import Any

import pytest
from playwright.sync_api import Locator, Page, expect
from tests.web.browsing import LAPTOP, PHONE, Open, PageOperator, Site, action
from tests.web.documents import allowing, history, playing

from tablewire.web.actions import Answer

SCORES = {"purple": 0, "red": 0, "green": 0, "yellow": 5}
FINE: dict[str, Any] = {
    "possible": True,
    "first_illegal": None,
    "forced": [],
    "lost": [],
    "scores": SCORES,
    "next": "purple",
    "ended": None,
}
FIRST: dict[str, Any] = {
    "n": 4,
    "line": {},
    "reasons": [],
    "text": "Move 4, Yellow's small slice, would be too far away.",
}


def open_correction(page: Page, n: int) -> Locator:
    """From the list of moves to the form."""
    action(page, "moves").click()
    action(page, f"correct-{n}").click()
    return page.locator("#correct")


def touch(dialog: Locator, *spaces: int) -> None:
    """Touch spaces of the small board."""
    for space in spaces:
        dialog.locator(f'.tile[data-space="{space}"]').click()


def choose(dialog: Locator, value: str) -> None:
    """Touch one of several."""
    dialog.locator(f'[data-value="{value}"]').click()


def confirm(dialog: Locator) -> Locator:
    """The button that does it."""
    return dialog.locator("[data-confirm]")


@pytest.fixture
def game() -> dict[str, Any]:
    return playing(history=history(), actions=allowing(undo=True, correct=True))


def test_it_shows_the_move_as_it_was_and_asks_for_nothing_yet(
    open_page: Open, operator: PageOperator, game: dict[str, Any]
) -> None:
    page = open_page(game)
    dialog = open_correction(page, 3)
    expect(dialog.locator(".was")).to_have_text("It was: G Gesa, big slice on 26, 36 and 56")
    expect(dialog.locator(".shape-said")).to_have_text("A big slice on spaces 26, 36, 56.")
    expect(dialog.get_by_role("radio", name="Gesa")).to_be_checked()
    expect(confirm(dialog)).to_be_disabled()
    assert operator.asked == []


def test_where_and_who_are_changed_by_touch_and_previewed(
    open_page: Open, operator: PageOperator, game: dict[str, Any]
) -> None:
    operator.preview = FINE
    page = open_page(game)
    dialog = open_correction(page, 3)
    touch(dialog, 56)
    expect(dialog.locator(".shape-said")).to_have_text("A small slice on spaces 26, 36.")
    choose(dialog, "red")
    expect(dialog.locator(".outcome")).to_contain_text("Everything after it still fits")
    expect(dialog.locator('.score-change [data-player="green"]')).to_have_text("GGesa10→0")
    dialog.get_by_label("Who says so").fill("Yusuf")
    dialog.get_by_label("Why is it corrected?").fill("Gesa laid Robert's piece")
    confirm(dialog).click()
    expect(dialog).to_have_count(0)
    expect(page.locator("#moves")).to_be_visible()
    line = {"player": "red", "spaces": [26, 36]}
    assert operator.asked[-2] == ("correct", {"n": 3, "line": line, "preview": True})
    assert operator.done() == [
        ("correct", {"n": 3, "line": line, "by": "Yusuf", "note": "Gesa laid Robert's piece"})
    ]


def test_a_set_of_spaces_that_is_no_piece_is_said_and_not_asked_about(
    open_page: Open, operator: PageOperator, game: dict[str, Any]
) -> None:
    page = open_page(game)
    dialog = open_correction(page, 3)
    touch(dialog, 36, 150)
    expect(dialog.locator(".shape-said.is-wrong")).to_have_text(
        "No piece has the shape of spaces 26, 56, 150."
    )
    expect(confirm(dialog)).to_be_disabled()
    # What is asked next is about the next set of spaces that is a piece.
    operator.preview = FINE
    touch(dialog, 150)
    touch(dialog, 26)
    expect(confirm(dialog)).to_be_enabled()
    asked = {"n": 3, "line": {"player": "green", "spaces": [56]}, "preview": True}
    assert operator.asked[-1] == ("correct", asked)
    assert all(len(body["line"]["spaces"]) < 3 for _, body in operator.asked)


@pytest.mark.parametrize(
    ("forced", "lost", "button", "agreed"),
    [
        ([4], [], "Keep it as forced", {"keep_forced": True}),
        ([4, 6], [], "Keep both as forced", {"keep_forced": True}),
        ([], [4], "Take that back too", {"drop_rest": True}),
        ([], [4, 6, 7], "Take those 3 back too", {"drop_rest": True}),
        ([4], [6], "Keep 1 as forced, take 1 back", {"keep_forced": True, "drop_rest": True}),
    ],
)
def test_nothing_that_no_longer_fits_is_kept_or_dropped_without_a_yes(
    open_page: Open,
    operator: PageOperator,
    game: dict[str, Any],
    forced: list[int],
    lost: list[int],
    button: str,
    agreed: dict[str, Any],
) -> None:
    operator.preview = {**FINE, "first_illegal": FIRST, "forced": forced, "lost": lost}
    page = open_page(game)
    dialog = open_correction(page, 3)
    touch(dialog, 56)
    expect(dialog.locator(".first-illegal")).to_have_text(FIRST["text"])
    expect(dialog.locator(".troubled li")).to_have_count(len(forced) + len(lost))
    expect(dialog.locator(".troubled")).to_contain_text("4 · Yusuf, small slice on 45 and 65")
    expect(confirm(dialog)).to_have_text(button)
    confirm(dialog).click()
    expect(dialog).to_have_count(0)
    [(_, body)] = operator.done()
    assert body == {"n": 3, "line": {"player": "green", "spaces": [26, 36]}, **agreed}


@pytest.mark.parametrize(("size", "is_beside"), [(PHONE, True), (LAPTOP, False)], ids=["phone", "laptop"])
def test_what_no_longer_fits_is_read_beside_the_button_that_agrees_to_it(
    open_page: Open, operator: PageOperator, game: dict[str, Any], size: tuple[int, int], is_beside: bool
) -> None:
    operator.preview = {**FINE, "first_illegal": FIRST, "forced": [4]}
    page = open_page(game, size)
    dialog = open_correction(page, 3)
    touch(dialog, 56)
    expect(confirm(dialog)).to_have_text("Keep it as forced")
    beside = dialog.locator(".dialog-buttons").get_by_text(FIRST["text"])
    expect(beside).to_be_visible(visible=is_beside)
    if is_beside:
        expect(beside).to_be_in_viewport()


def test_a_correction_that_is_against_the_rules_itself_says_so(
    open_page: Open, operator: PageOperator, game: dict[str, Any]
) -> None:
    operator.preview = {**FINE, "first_illegal": {**FIRST, "n": 3}, "forced": [3]}
    page = open_page(game)
    dialog = open_correction(page, 3)
    touch(dialog, 56)
    expect(dialog.locator(".outcome h3")).to_have_text("It is against the rules itself")


def test_what_cannot_be_at_all_leaves_only_cancel(
    open_page: Open, operator: PageOperator, game: dict[str, Any]
) -> None:
    operator.preview = {**FINE, "possible": False, "first_illegal": FIRST, "lost": [3]}
    page = open_page(game)
    dialog = open_correction(page, 3)
    touch(dialog, 56)
    expect(dialog.locator(".outcome")).to_contain_text("That cannot be")
    expect(confirm(dialog)).to_have_count(0)
    dialog.get_by_role("button", name="Cancel").click()
    assert operator.done() == []


def test_a_move_is_removed_or_one_is_put_before_it(
    open_page: Open, operator: PageOperator, game: dict[str, Any]
) -> None:
    operator.preview = FINE
    page = open_page(game)
    dialog = open_correction(page, 2)
    choose(dialog, "remove")
    expect(dialog.locator(".touch-board")).to_be_hidden()
    expect(confirm(dialog)).to_be_enabled()
    choose(dialog, "insert")
    choose(dialog, "yellow")
    dialog.get_by_role("button", name="Clear").click()
    touch(dialog, 9)
    confirm(dialog).click()
    expect(dialog).to_have_count(0)
    assert ("correct", {"n": 2, "do": "remove", "preview": True}) in operator.asked
    assert operator.done() == [
        ("correct", {"n": 2, "do": "insert", "line": {"player": "yellow", "spaces": [9]}})
    ]


def test_a_forgotten_ruling_is_put_where_it_belongs(
    open_page: Open, operator: PageOperator, game: dict[str, Any]
) -> None:
    operator.preview = FINE
    page = open_page(game)
    dialog = open_correction(page, 3)
    expect(dialog.get_by_role("radio", name="House ruling")).to_be_hidden()
    choose(dialog, "insert")
    choose(dialog, "ruling")
    expect(dialog.locator(".touch-board")).to_be_hidden()
    dialog.get_by_role("button", name="Yusuf: 5 more").click()
    confirm(dialog).click()
    expect(dialog).to_have_count(0)
    assert operator.done() == [
        ("correct", {"n": 3, "do": "insert", "line": {"ruling": {"points": {"yellow": 5}}}})
    ]


def test_one_of_several_is_chosen_with_the_arrow_keys(
    open_page: Open, operator: PageOperator, game: dict[str, Any]
) -> None:
    operator.preview = FINE
    page = open_page(game)
    dialog = open_correction(page, 3)
    dialog.get_by_role("radio", name="Gesa").focus()
    page.keyboard.press("ArrowRight")
    expect(dialog.get_by_role("radio", name="Yusuf")).to_be_focused()
    expect(dialog.get_by_role("radio", name="Yusuf")).to_be_checked()
    page.keyboard.press("ArrowRight")
    expect(dialog.get_by_role("radio", name="Petra")).to_be_checked()


def test_a_move_becomes_a_pass(open_page: Open, operator: PageOperator, game: dict[str, Any]) -> None:
    operator.preview = FINE
    page = open_page(game)
    dialog = open_correction(page, 2)
    choose(dialog, "pass")
    confirm(dialog).click()
    expect(dialog).to_have_count(0)
    assert operator.done() == [("correct", {"n": 2, "line": {"player": "red", "pass": True}})]


def test_a_ruling_is_corrected_in_points(
    open_page: Open, operator: PageOperator, game: dict[str, Any]
) -> None:
    operator.preview = FINE
    page = open_page(game)
    dialog = open_correction(page, 5)
    expect(dialog.locator(".stepper-value")).to_have_text(["0", "+5", "\N{MINUS SIGN}10", "0"])
    dialog.get_by_role("button", name="Gesa: 5 more").click()
    confirm(dialog).click()
    expect(dialog).to_have_count(0)
    ruling = {"points": {"red": 5, "green": -5}, "note": "A sleeve moved it"}
    assert operator.done() == [("correct", {"n": 5, "line": {"ruling": ruling}})]


def test_a_correction_outlives_a_new_move_and_looks_again(
    open_page: Open, site: Site, operator: PageOperator, game: dict[str, Any]
) -> None:
    operator.preview = FINE
    page = open_page(game)
    dialog = open_correction(page, 3)
    touch(dialog, 56)
    expect(confirm(dialog)).to_be_enabled()
    later = {**history()[0], "n": 8, "player": "green", "spaces": [99], "shape": "wedge"}
    operator.preview = {**FINE, "first_illegal": FIRST, "forced": [8]}
    site.show(page, {**game, "version": 2, "history": [*history(), later]})
    expect(dialog.locator(".said")).to_contain_text("The game has gone on since this was opened.")
    expect(dialog.locator(".shape-said")).to_have_text("A small slice on spaces 26, 36.")
    expect(dialog.locator(".troubled")).to_contain_text("8 · Gesa, wedge on 99")
    expect(confirm(dialog)).to_have_text("Keep it as forced")


def test_a_correction_of_a_move_that_is_gone_can_only_be_closed(
    open_page: Open, site: Site, operator: PageOperator, game: dict[str, Any]
) -> None:
    operator.preview = FINE
    page = open_page(game)
    dialog = open_correction(page, 3)
    touch(dialog, 56)
    expect(confirm(dialog)).to_be_enabled()
    site.show(page, {**game, "version": 2, "history": history()[:2]})
    expect(dialog.locator(".said")).to_contain_text("The list of moves has changed")
    expect(confirm(dialog)).to_have_count(0)
    assert operator.done() == []


def test_a_refusal_brings_what_is_true_by_then(
    open_page: Open, operator: PageOperator, game: dict[str, Any], complaints: list[str]
) -> None:
    operator.preview = FINE
    page = open_page(game)
    dialog = open_correction(page, 3)
    touch(dialog, 56)
    now = {**FINE, "first_illegal": FIRST, "forced": [4]}
    operator.answer = Answer(409, {"reason": "would_be_illegal", "text": "Not so.", "preview": now})
    confirm(dialog).click()
    expect(dialog.locator(".wrong")).to_have_text("Not so.")
    expect(confirm(dialog)).to_have_text("Keep it as forced")
    assert all("409" in complaint for complaint in complaints)
    complaints.clear()
