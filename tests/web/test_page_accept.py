"""The page in a browser: the table taken as it lies, after a look at what that would record."""

from typing import Any

from playwright.sync_api import Locator, Page, expect
from tests.web.browsing import Open, PageOperator, Site, action
from tests.web.documents import DISTURBANCE, disturbed

from tablewire.web.actions import Answer

SCORES = {"purple": 0, "red": 5, "green": 20, "yellow": 5}
LEGAL: dict[str, Any] = {
    "legal": True,
    "lines": [{"player": "red", "spaces": [22]}, {"player": "green", "spaces": [9, 10]}],
    "taken_back": [4],
    "changes": [],
    "text": "Robert and Gesa have played on.",
    "choices": [],
    "scores": SCORES,
    "next": "yellow",
}
CORRECTION: dict[str, Any] = {
    "legal": False,
    "lines": [],
    "taken_back": [2],
    "changes": ["Red's small slice on spaces 7 and 8 goes."],
    "text": "No moves by the rules lead there.",
    "choices": [],
    "scores": SCORES,
    "next": "yellow",
}
SEVERAL: dict[str, Any] = {
    **LEGAL,
    "lines": [],
    "text": "Choose one.",
    "choices": [{"id": "accept:3:r22", "text": "Red, then green"}, {"id": "accept:3:g9", "text": "Green"}],
}


def open_accept(page: Page) -> Locator:
    """Touch the button and wait for what the table says."""
    with page.expect_response("**/api/accept"):
        action(page, "accept").click()
    return page.locator("#accept")


def confirm(dialog: Locator) -> Locator:
    """The button that does it."""
    return dialog.locator("[data-confirm]")


def test_it_says_which_moves_would_be_recorded_and_the_scores_after(
    open_page: Open, operator: PageOperator
) -> None:
    operator.preview = LEGAL
    page = open_page(disturbed())
    dialog = open_accept(page)
    expect(dialog).to_contain_text("Robert and Gesa have played on.")
    expect(dialog.locator(".accept-lines li")).to_have_text(
        ["RRobert, arrow on 22", "GGesa, small slice on 9 and 10"]
    )
    expect(dialog).to_contain_text("Taken back: move 4.")
    expect(dialog.locator('.score-change [data-player="green"]')).to_have_text("GGesa10→20")
    expect(dialog.locator('.score-change [data-player="yellow"]')).to_have_text("YYusuf5")
    assert operator.asked == [("accept", {"preview": True})]
    dialog.get_by_label("Who says so").fill("Petra")
    confirm(dialog).click()
    expect(dialog).to_have_count(0)
    assert operator.done() == [("accept", {"by": "Petra"})]


def test_cancelling_records_nothing(open_page: Open, operator: PageOperator) -> None:
    operator.preview = LEGAL
    page = open_page(disturbed())
    dialog = open_accept(page)
    dialog.get_by_role("button", name="Cancel").click()
    expect(dialog).to_have_count(0)
    expect(action(page, "accept")).to_be_focused()
    assert operator.done() == []


def test_a_correction_needs_a_note(open_page: Open, operator: PageOperator) -> None:
    operator.preview = CORRECTION
    page = open_page(disturbed())
    dialog = open_accept(page)
    expect(dialog.locator(".changes li")).to_have_text(["Red's small slice on spaces 7 and 8 goes."])
    expect(confirm(dialog)).to_have_text("Record it as a correction")
    expect(confirm(dialog)).to_be_disabled()
    dialog.get_by_label("Why").fill("The cat")
    confirm(dialog).click()
    expect(dialog).to_have_count(0)
    assert operator.done() == [("accept", {"note": "The cat"})]


def test_of_several_ways_a_person_chooses_one(open_page: Open, operator: PageOperator) -> None:
    operator.preview = SEVERAL
    page = open_page(disturbed())
    dialog = open_accept(page)
    expect(confirm(dialog)).to_be_disabled()
    dialog.get_by_role("radio", name="Green", exact=True).click()
    confirm(dialog).click()
    expect(dialog).to_have_count(0)
    assert operator.done() == [("choose", {"id": "accept:3:g9"})]


def test_when_the_table_changes_it_says_so_and_looks_again(
    open_page: Open, site: Site, operator: PageOperator
) -> None:
    operator.preview = LEGAL
    page = open_page(disturbed())
    dialog = open_accept(page)
    dialog.get_by_label("Why").fill("half a note")
    expect(dialog.locator(".said")).to_be_hidden()
    operator.preview = CORRECTION
    site.show(page, disturbed(2, steps=DISTURBANCE[1:]))
    expect(dialog.locator(".said")).to_contain_text("The table has changed since this was opened.")
    expect(dialog).to_contain_text("No moves by the rules lead there.")
    expect(dialog.get_by_label("Why")).to_have_value("half a note")
    expect(confirm(dialog)).to_be_enabled()


def test_what_cannot_be_accepted_is_said(
    open_page: Open, operator: PageOperator, complaints: list[str]
) -> None:
    operator.preview = LEGAL
    page = open_page(disturbed())
    dialog = open_accept(page)
    refused = {"reason": "cannot_accept", "text": "The piece on 22 belongs to nobody here."}
    operator.answer = Answer(409, refused)
    confirm(dialog).click()
    expect(dialog.locator(".wrong")).to_have_text("The piece on 22 belongs to nobody here.")
    assert all("409" in complaint for complaint in complaints)
    complaints.clear()
