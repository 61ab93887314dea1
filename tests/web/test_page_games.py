"""The page in a browser: the games that are kept, and who changed what in one."""

from typing import Any

import pytest
from playwright.sync_api import Locator, Page, expect
from tests.web.browsing import Open, PageOperator, Site, action, choose_from_menu
from tests.web.documents import allowing, no_game, playing

from tablewire.web.actions import Answer
from tablewire.web.app import GAMES_MAX_COUNT


def game(game_id: str, state: str, players: dict[str, int], **more: Any) -> dict[str, Any]:
    """A row as the table tells it."""
    row = {
        "game_id": game_id,
        "game": "cirkis",
        "players": list(players),
        "started": "2026-03-04T18:00:00+00:00",
        "changed": "2026-03-04T19:30:00+00:00",
        "moves": 31,
        "scores": players,
        "state": state,
        "winners": [],
    }
    return {**row, **more}


GAMES = [
    game("now", "current", {"purple": 0, "red": 0, "green": 10, "yellow": 5}),
    game("tuesday", "adjourned", {"red": 25, "green": 30}, moves=1),
    game("monday", "over", {"red": 45, "green": 30}, winners=["red"]),
]
AUDIT = [
    {
        "at": "2026-03-04T18:20:00+00:00",
        "n": 7,
        "kind": "ruling",
        "by": "Gesa",
        "note": "Her sleeve",
        "text": "House ruling: Red +5.",
    },
    {
        "at": "2026-03-04T18:44:00+00:00",
        "n": 17,
        "kind": "correction",
        "by": "operator",
        "note": "",
        "text": "Move 3 taken out.",
    },
]


@pytest.fixture
def kept(operator: PageOperator) -> PageOperator:
    operator.kept_games = GAMES
    operator.kept_audit = AUDIT
    return operator


def open_games(page: Page) -> Locator:
    """From the menu."""
    with page.expect_response("**/api/games"):
        choose_from_menu(page, "games")
    return page.locator("#games")


def row(page: Page, game_id: str) -> Locator:
    """A game's row."""
    return page.locator(f'#games [data-game="{game_id}"]')


def test_every_game_is_listed_with_its_scores_and_how_it_stands(open_page: Open, kept: PageOperator) -> None:
    page = open_page(playing())
    dialog = open_games(page)
    expect(dialog.locator(".game")).to_have_count(3)
    expect(row(page, "now")).to_contain_text("on the table")
    expect(row(page, "tuesday")).to_contain_text("put aside")
    expect(row(page, "tuesday").locator(".game-player")).to_have_text(["R25", "G30"])
    expect(row(page, "tuesday")).to_contain_text("1 move ·")
    expect(row(page, "monday").locator(".game-player").first).to_have_text("R45won")
    expect(row(page, "monday")).to_contain_text("31 moves · begun Mar 4, 2026")


def test_of_very_many_games_it_says_how_many_are_not_listed(open_page: Open, kept: PageOperator) -> None:
    kept.kept_games = [GAMES[2]] * (GAMES_MAX_COUNT + 2)
    page = open_page(playing())
    dialog = open_games(page)
    expect(dialog.locator(".game-list > :last-child")).to_have_text(
        'and 2 older: "tablewire games" lists them all.'
    )


def test_a_game_is_resumed_or_put_aside(open_page: Open, kept: PageOperator) -> None:
    page = open_page(playing())
    open_games(page)
    expect(row(page, "now").get_by_role("button", name="Resume")).to_have_count(0)
    expect(row(page, "tuesday").get_by_role("button", name="Put aside")).to_have_count(0)
    with page.expect_response("**/api/put-aside"):
        row(page, "now").get_by_role("button", name="Put aside").click()
    with page.expect_response("**/api/resume-game"):
        row(page, "tuesday").get_by_role("button", name="Resume the game of Red, Green").click()
    assert kept.done() == [("put_aside", {}), ("resume_game", {"game_id": "tuesday"})]
    # What is to be put where stands on the page, so the list makes room for it.
    expect(page.locator("#games")).to_have_count(0)


def test_the_list_is_read_again_whenever_the_game_on_the_table_is_another(
    open_page: Open, kept: PageOperator, site: Site
) -> None:
    page = open_page(playing())
    open_games(page)
    kept.kept_games = [game("tuesday", "current", {"red": 25, "green": 30})]
    site.show(page, playing(2, game_id="tuesday"))
    expect(page.locator("#games .game")).to_have_count(1)
    expect(row(page, "tuesday")).to_contain_text("on the table")


def test_what_stands_in_the_way_of_resuming_is_said(
    open_page: Open, kept: PageOperator, complaints: list[str]
) -> None:
    kept.kept_games = [game("old", "adjourned", {"red": 5}, moves=None, trouble="Rules of another version.")]
    kept.answer = Answer(409, {"reason": "cannot_resume", "text": "This game cannot be gone on with."})
    page = open_page(playing())
    dialog = open_games(page)
    expect(row(page, "old")).to_contain_text("Rules of another version.")
    row(page, "old").get_by_role("button", name="Resume").click()
    expect(dialog.locator("> .wrong")).to_have_text("This game cannot be gone on with.")
    assert all("409" in complaint for complaint in complaints)
    complaints.clear()


def test_the_record_of_any_game_is_downloaded(open_page: Open, kept: PageOperator) -> None:
    page = open_page(playing())
    open_games(page)
    with page.expect_download() as download:
        row(page, "monday").get_by_role("link", name="Download the record").click()
    assert download.value.suggested_filename == "cirkis-1.jsonl"
    assert ("record", {"game_id": "monday"}) in kept.asked


def test_the_audit_says_when_who_what_and_why_newest_first(open_page: Open, kept: PageOperator) -> None:
    page = open_page(playing(actions=allowing()))
    choose_from_menu(page, "audit")
    entries = page.locator("#audit .audit-entry")
    expect(entries.locator(".audit-text")).to_have_text(["Move 3 taken out.", "House ruling: Red +5."])
    expect(entries.nth(1).locator(".audit-note")).to_have_text("Her sleeve")
    expect(entries.nth(1).locator(".audit-who strong")).to_have_text("Gesa")
    expect(entries.nth(1).locator("time")).to_have_attribute("datetime", "2026-03-04T18:20:00+00:00")
    expect(entries.nth(1).locator("time")).to_contain_text("Mar 4, 2026")
    assert ("audit", {"game_id": None}) in kept.asked


def test_the_audit_of_another_game_opens_over_the_list(open_page: Open, kept: PageOperator) -> None:
    page = open_page(playing())
    open_games(page)
    row(page, "monday").get_by_role("button", name="Who changed what").click()
    expect(page.locator("#audit .audit-entry")).to_have_count(2)
    assert ("audit", {"game_id": "monday"}) in kept.asked
    page.keyboard.press("Escape")
    expect(page.locator("#audit")).to_have_count(0)
    expect(page.locator("#games")).to_be_visible()


def test_before_the_first_game_the_games_of_other_evenings_can_be_resumed(
    open_page: Open, kept: PageOperator
) -> None:
    kept.kept_games = GAMES[1:]
    page = open_page(no_game())
    expect(page.locator("#turn")).to_contain_text("or go on with one that was put aside")
    for name in ("undo", "redo", "moves"):
        expect(action(page, name)).to_have_count(0)
    with page.expect_response("**/api/games"):
        action(page, "games").click()
    with page.expect_response("**/api/resume-game"):
        row(page, "tuesday").get_by_role("button", name="Resume").click()
    assert kept.done() == [("resume_game", {"game_id": "tuesday"})]


def test_whoever_may_only_look_reads_the_games_and_the_audit(open_page: Open, kept: PageOperator) -> None:
    page = open_page(playing(), writable=False)
    open_games(page)
    expect(page.locator("#games .game")).to_have_count(3)
    buttons = page.locator("#games").get_by_role("button").all_text_contents()
    assert sorted(set(buttons)) == ["Close", "Who changed what"]
