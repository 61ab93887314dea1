"""The page in a browser: the list of all moves, and taking back or bringing back several at once."""

from playwright.sync_api import Locator, Page, expect
from tests.web.browsing import Open, PageOperator, Site, action
from tests.web.documents import allowing, history, playing


def open_moves(page: Page) -> Locator:
    """Touch the button."""
    action(page, "moves").click()
    return page.locator("#moves")


def row(page: Page, n: int) -> Locator:
    """A move's row."""
    return page.locator(f'#moves [data-n="{n}"]')


def test_every_move_is_listed_newest_first_with_who_what_and_points(open_page: Open) -> None:
    page = open_page(playing(history=history()))
    dialog = open_moves(page)
    numbers = dialog.locator(".move-n").all_text_contents()
    assert numbers == ["7", "6", "5", "4", "3", "2", "1"]
    expect(row(page, 3).locator(".move-what")).to_have_text("Gesa big slice on 26, 36 and 56")
    expect(row(page, 3).locator(".badge")).to_have_text("G")
    expect(row(page, 4).locator(".gain")).to_have_text(["G+10", "Y+5"])
    expect(row(page, 5)).to_contain_text("House ruling: Robert +5 and Gesa \N{MINUS SIGN}10")
    expect(row(page, 5)).to_contain_text("A sleeve moved it")
    expect(row(page, 5).locator(".tag")).to_have_text("ruling")
    expect(row(page, 6).locator(".tag")).to_have_text("forced")
    expect(row(page, 6)).to_contain_text("it does not touch the Leader")
    expect(row(page, 7).locator(".move-what")).to_have_text("Robert passed")


def test_undo_to_here_takes_back_all_that_came_after(open_page: Open, operator: PageOperator) -> None:
    page = open_page(playing(history=history(), actions=allowing(undo=True)))
    open_moves(page)
    with page.expect_response("**/api/undo"):
        row(page, 4).get_by_role("button", name="Undo to here: take back the 3 moves after move 4").click()
    assert operator.done() == [("undo", {"count": 3, "seen": 7})]
    expect(row(page, 7).get_by_role("button", name="Undo to here")).to_have_count(0)


def test_moves_taken_back_are_brought_back_one_or_all(
    open_page: Open, operator: PageOperator, site: Site
) -> None:
    page = open_page(playing(history=history()[:4], undone=3))
    dialog = open_moves(page)
    expect(dialog).to_contain_text("3 moves are taken back.")
    with page.expect_response("**/api/redo"):
        dialog.get_by_role("button", name="Bring back all 3").click()
    with page.expect_response("**/api/redo"):
        dialog.get_by_role("button", name="Bring back 1", exact=True).click()
    assert operator.done() == [("redo", {"count": 3}), ("redo", {"count": 1})]
    site.show(page, playing(2, history=history(), undone=0))
    expect(dialog.locator(".again")).to_be_hidden()


def test_the_list_follows_the_game_while_it_is_open(open_page: Open, site: Site) -> None:
    page = open_page(playing(history=history()[:3]))
    dialog = open_moves(page)
    expect(dialog.locator(".move")).to_have_count(3)
    site.show(page, playing(2, history=history()[:4]))
    expect(dialog.locator(".move")).to_have_count(4)
    expect(dialog).to_be_visible()


def test_whoever_may_only_look_can_read_the_moves_and_press_nothing(open_page: Open) -> None:
    page = open_page(playing(history=history(), undone=2), writable=False)
    dialog = open_moves(page)
    expect(dialog.locator(".move")).to_have_count(7)
    expect(dialog).to_contain_text("2 moves are taken back.")
    expect(dialog.get_by_role("button")).to_have_text(["Close"])


def test_the_list_closes_with_escape_and_gives_the_focus_back(open_page: Open) -> None:
    page = open_page(playing(history=history()))
    action(page, "moves").focus()
    page.keyboard.press("Enter")
    expect(page.locator("#moves")).to_be_visible()
    page.keyboard.press("Escape")
    expect(page.locator("#moves")).to_have_count(0)
    expect(action(page, "moves")).to_be_focused()
