"""Every dialog of the page: it fits all screens, is safe with any text, and only shows where nobody may
act.
"""

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Page, expect
from tests.web.browsing import (
    FAINT,
    LAPTOP,
    PHONE,
    TELEVISION,
    Open,
    PageOperator,
    Site,
    action,
    choose_from_menu,
    photograph,
)
from tests.web.documents import disturbed, history
from tests.web.test_page_accept import CORRECTION
from tests.web.test_page_correct import FINE, FIRST
from tests.web.test_page_games import AUDIT, GAMES, game
from tests.web.test_page_sensors import sensors

HOSTILE = '<img src=x onerror="window.harmed=1"><script>window.harmed=1</script>'


def _open_correction(page: Page) -> None:
    action(page, "moves").click()
    action(page, "correct-3").click()
    page.locator('#correct .tile[data-space="56"]').dispatch_event("click")
    expect(page.locator("#correct .score-change")).to_be_visible()


def _open_accept(page: Page) -> None:
    action(page, "accept").click()
    expect(page.locator("#accept .score-change")).to_be_visible()


def _open_sensors(page: Page) -> None:
    action(page, "sensors").click()
    expect(page.locator('#stage .health[data-health="37"]')).to_be_attached()
    page.locator('#stage .tile[data-space="37"]').dispatch_event("click")
    expect(page.locator(".sensors h3")).to_be_visible()


OPENED: dict[str, Callable[[Page], None]] = {
    "more": lambda page: action(page, "more").click(),
    "moves": lambda page: action(page, "moves").click(),
    "correct": _open_correction,
    "accept": _open_accept,
    "place": lambda page: choose_from_menu(page, "place"),
    "ruling": lambda page: choose_from_menu(page, "ruling"),
    "games": lambda page: choose_from_menu(page, "games"),
    "audit": lambda page: choose_from_menu(page, "audit"),
    "sensors": _open_sensors,
}


@pytest.fixture
def full(operator: PageOperator) -> PageOperator:
    """A table with something to show in every dialog."""
    operator.kept_games, operator.kept_audit, operator.sensors = GAMES, AUDIT, sensors()
    operator.preview = {**CORRECTION, **FINE, "first_illegal": FIRST, "forced": [4], "lost": [6]}
    return operator


@pytest.mark.parametrize("size", [TELEVISION, LAPTOP, PHONE], ids=["television", "laptop", "phone"])
def test_every_dialog_fits_and_is_large_enough_to_touch(
    open_page: Open,
    site: Site,
    full: PageOperator,
    screenshots: Path,
    complaints: list[str],
    size: tuple[int, int],
) -> None:
    page = open_page(disturbed(), size)
    misfits = {}
    for name, opened in OPENED.items():
        opened(page)
        photograph(page, screenshots / f"{name}-{size[0]}.png")
        misfits[name] = page.evaluate(
            """() => {
              const top = [...document.querySelectorAll("dialog")].at(-1);
              const root = top ?? document.querySelector(".sensors");
              const wide = [root, document.documentElement].filter((n) => n.scrollWidth > n.clientWidth + 1);
              const low = [...root.querySelectorAll("button, input, a")]
                .filter((n) => n.offsetParent !== null && n.offsetHeight < 34);
              return [wide, low].map((nodes) => nodes.map((n) => n.className || n.tagName));
            }"""
        )
        misfits[name].append(page.evaluate(FAINT))
        while page.locator("dialog").count():
            page.keyboard.press("Escape")
    assert misfits == {name: [[], [], []] for name in OPENED}
    assert complaints == []


def test_text_from_people_stays_text_in_every_dialog(open_page: Open, site: Site, full: PageOperator) -> None:
    lines = history()
    lines[4]["note"] = HOSTILE
    lines[5]["forced"] = [HOSTILE]
    lines[0]["shape"] = HOSTILE
    document = disturbed(undone=1)
    for player in document["players"]:
        player["name"] = HOSTILE
    full.kept_games = [
        game(HOSTILE, HOSTILE, {HOSTILE: 1}, winners=[HOSTILE], started=HOSTILE, trouble=HOSTILE)
    ]
    full.kept_audit = [dict.fromkeys(("at", "kind", "by", "note", "text"), HOSTILE)]
    full.sensors = [
        {"sensor": 36, "space": 37, "state": HOSTILE, "reads": 9, "colour": HOSTILE, "changes": HOSTILE},
        {"sensor": 165, "peg": HOSTILE, "state": "ok", "reads": 0, "changes": 1},
    ]
    full.preview = {
        **(full.preview or {}),
        "text": HOSTILE,
        "changes": [HOSTILE],
        "first_illegal": {**FIRST, "text": HOSTILE},
    }
    page = open_page({**document, "history": lines})
    for opened in OPENED.values():
        opened(page)
        expect(page.locator("img, body script")).to_have_count(0)
        while page.locator("dialog").count():
            page.keyboard.press("Escape")
    assert page.evaluate("window.harmed") is None


def test_a_page_to_look_at_has_every_view_and_no_form(open_page: Open, full: PageOperator) -> None:
    page = open_page(disturbed(), writable=False)
    for name in ("moves", "games", "audit"):
        if name == "moves":
            action(page, name).click()
        else:
            choose_from_menu(page, name)
        expect(page.locator(f"#{name}")).to_be_visible()
        expect(page.locator("dialog input, dialog [data-confirm]")).to_have_count(0)
        page.keyboard.press("Escape")
    action(page, "more").click()
    offered = page.locator("#menu .menu-item strong").all_text_contents()
    assert offered == ["Sensors", "Games", "Who changed what"]


def test_a_dialog_stays_open_and_typed_text_stays_while_the_game_goes_on(
    open_page: Open, site: Site, full: PageOperator
) -> None:
    page = open_page(disturbed())
    choose_from_menu(page, "place")
    dialog = page.locator("#place")
    dialog.locator('.tile[data-space="9"]').click()
    dialog.get_by_label("Why").fill("half a no")
    after: dict[str, Any] = {**disturbed(2), "moves": 5, "turn": "red"}
    site.show(page, after)
    expect(dialog.locator(".said")).to_have_text("The game has gone on since this was opened.")
    expect(dialog.get_by_label("Why")).to_have_value("half a no")
    expect(dialog.locator(".shape-said")).to_have_text("A wedge on space 9.")


@pytest.mark.parametrize("name", ["place", "ruling", "accept", "correct"])
def test_what_is_about_one_game_cannot_be_done_to_another(
    open_page: Open, site: Site, full: PageOperator, name: str
) -> None:
    page = open_page(disturbed())
    OPENED[name](page)
    dialog = page.locator(f"#{name}")
    site.show(page, disturbed(2, game_id="another"))
    expect(dialog.locator(".said")).to_contain_text("Another game is on the table now")
    assert dialog.locator("[data-confirm]").first.evaluate("node => node.closest('[inert]') !== null")
    dialog.get_by_role("button", name="Close").click()
    expect(dialog).to_have_count(0)
    assert full.done() == []


def test_the_focus_starts_in_the_dialog_and_returns_to_what_opened_it(
    open_page: Open, full: PageOperator
) -> None:
    page = open_page(disturbed())
    action(page, "moves").click()
    expect(page.locator("#moves-title")).to_be_focused()
    action(page, "correct-3").click()
    expect(page.locator("#correct-title")).to_be_focused()
    page.keyboard.press("Escape")
    expect(action(page, "correct-3")).to_be_focused()
