"""What the page shows while no board is heard: during a game, and before the first one."""

import json
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import BrowserContext, Page, expect
from tests.web.browsing import (
    FAINT,
    LAPTOP,
    PATIENCE_MS,
    PHONE,
    TELEVISION,
    Open,
    PageOperator,
    Site,
    action,
    photograph,
)
from tests.web.documents import GONE, OTHER_MAJOR, TRIED, disturbed, link, no_game, playing
from tests.web.real_table import RealTable

NONE_FOUND = link(
    "down", port="auto", kind=None, text="no board was found; plug it in, it is looked for again", tried=TRIED
)
SITUATIONS: dict[str, dict[str, Any]] = {
    "up": playing(),
    "radio": playing(link=link("up", kind="ble", port="tablewire 3F (C4:7F:51:00:12:9A)")),
    "searching": playing(link=link("searching", text="asking /dev/ttyUSB0 and /dev/ttyUSB1")),
    "down": playing(link=link("down", text=GONE, tried=TRIED)),
    "down-disturbed": disturbed(link=link("down", kind="ble", text=GONE)),
    "refused": playing(link=link("refused", text=OTHER_MAJOR)),
    "none-yet": no_game(),
    "none": {**no_game(), "link": NONE_FOUND},
    "none-usable": {**no_game(), "link": link("refused", text=OTHER_MAJOR)},
}
SMALL_PHONE = (320, 568)
SIZES = {"television": TELEVISION, "laptop": LAPTOP, "phone": PHONE}

# A board that is away during a game


def test_a_cut_moves_nothing_hides_nothing_and_stops_no_correction(open_page: Open, site: Site) -> None:
    boxes = """() => Object.fromEntries(
      ["turn", "stage", "verdict", "players", "actions"].map((id) => {
        const {x, y, width, height} = document.getElementById(id).getBoundingClientRect();
        return [id, [x, y, width, height].map(Math.round)];
      }))"""
    version = 1
    for size in (PHONE, TELEVISION):
        page = open_page(playing(version), size)
        before = page.evaluate(boxes)
        for state in ("down", "searching", "refused", "up"):
            version += 1
            site.show(page, playing(version, link=link(state, text=GONE, tried=TRIED)))
            assert page.evaluate(boxes) == before, state
            expect(page.locator("svg.board .piece")).to_have_count(4)
            expect(action(page, "undo")).to_be_enabled()
        version += 1


def test_on_a_small_phone_the_age_is_never_cut_off(
    open_page: Open, site: Site, operator: PageOperator
) -> None:
    page = open_page(playing(), SMALL_PHONE)
    bar = page.locator(".bar")
    before = bar.bounding_box()
    operator.silent_ms = 59 * 60_000
    site.show(page, playing(2, link=link("down", text=GONE)))
    assert bar.bounding_box() == before
    expect(page.locator("#link-age")).to_have_text(" · 59 min")
    expect(page.locator("#link-age")).to_be_in_viewport(ratio=1)


HOLDS = [
    (link("down", text=GONE), "On hold: plug the board in."),
    (link("down", kind="ble", text=GONE), "On hold: switch the board on."),
    (link("searching"), "On hold: looking for the board."),
    (link("refused"), "On hold: this board cannot be used."),
]


def test_play_is_on_hold_and_the_table_is_marked_as_last_heard(
    open_page: Open, site: Site, operator: PageOperator
) -> None:
    page = open_page(playing())
    expect(page.locator(".as-heard")).to_be_hidden()
    operator.silent_ms = 600_000
    for version, (told, said) in enumerate(HOLDS, 2):
        site.show(page, playing(version, link=told))
        expect(page.locator("#turn h1")).to_have_text("Petra to play")
        expect(page.locator("#turn p")).to_have_text(said)
        expect(page.locator(".as-heard")).to_have_text("As last heard10 min ago")
    operator.silent_ms = 100
    site.show(page, playing(9))
    expect(page.locator("#turn p")).to_have_text("Petra is next, clockwise from Yusuf.")
    expect(page.locator(".as-heard")).to_be_hidden()


def test_a_disturbed_table_waits_for_its_board_first(open_page: Open) -> None:
    page = open_page(disturbed(link=link("down", text=GONE)))
    expect(page.locator("#turn h1")).to_have_text("Play is on hold")
    expect(page.locator("#turn p")).to_have_text("Plug the board in.")
    expect(page.locator("#message .steps li")).to_have_count(3)


def test_a_table_that_goes_on_with_a_game_says_that_no_board_was_heard_yet(
    open_page: Open, operator: PageOperator
) -> None:
    operator.silent_ms = None
    page = open_page(playing(link=link("searching", kind=None)))
    expect(page.locator(".as-heard")).to_contain_text("no board heard yet")


# No board before the first game


def test_without_a_board_it_says_so_and_a_game_can_be_begun(
    open_page: Open, site: Site, operator: PageOperator
) -> None:
    operator.silent_ms = None
    page = open_page(no_game())
    missing = page.locator("#no-board")
    expect(missing.locator("h2")).to_have_text("Looking for the board")
    site.show(page, {**no_game(2), "link": NONE_FOUND})
    expect(missing.locator("h2")).to_have_text("No board yet")
    expect(missing).to_contain_text("Plug the board into the table's computer")
    expect(missing).to_contain_text("No board was found; plug it in")
    expect(missing.locator(".tried")).to_contain_text("sudo usermod -aG dialout $USER")
    expect(missing.locator(".tried li").last).to_have_text("and 1 more")
    expect(page.locator("#players")).to_contain_text("How to start")
    page.locator("#link").click()
    expect(page.locator("#board-link dd").nth(1)).to_have_text("any port, or Bluetooth")
    page.keyboard.press("Escape")
    action(page, "new-game").click()
    expect(page.locator("#new-game")).to_be_visible()
    page.keyboard.press("Escape")
    site.show(page, {**no_game(3), "link": link("up")})
    expect(missing).to_be_hidden()


def test_a_board_that_cannot_be_used_is_not_called_missing(open_page: Open) -> None:
    page = open_page({**no_game(), "link": link("refused", text=OTHER_MAJOR)})
    missing = page.locator("#no-board")
    expect(missing.locator("h2")).to_have_text("This board cannot be used")
    expect(missing).to_contain_text(OTHER_MAJOR.removeprefix("the board"))
    expect(page.locator("#link-text")).to_have_text("Board cannot be used")


# Names that strangers give their devices

HOSTILE = '<img src=x onerror="window.harmed=1">\u202e\x1b[31m\u200b' + "\ud800" + "Z" * 5_000


def test_a_strangers_name_stays_text_short_and_in_its_place(open_page: Open) -> None:
    tried = [{"port": HOSTILE, "why": HOSTILE}] * 300
    told = link("down", port=HOSTILE, kind=HOSTILE, text=HOSTILE, tried=tried)
    page = open_page({**no_game(), "link": told}, PHONE)
    page.locator("#link").click()
    panel = page.locator("#board-link")
    for place in (panel, page.locator("#no-board")):
        text = place.text_content() or ""
        assert '<img src=x onerror="window.harmed=1">\\u{202e}\\u{1b}[31m\\u{200b}' in text
        assert (
            re.search(
                r"[\x00-\x08\x0e-\x1f\x7f-\x9f\u200b-\u200f\u202a-\u202e\u2066-\u2069\ud800-\udfff]", text
            )
            is None
        )
        assert len(text) < 25_000
        assert "ZZZ…" in text
    expect(panel.locator(".tried li").last).to_have_text("and 276 more")
    expect(page.locator("img")).to_have_count(0)
    assert page.evaluate("window.harmed") is None
    assert page.evaluate("document.documentElement.scrollWidth") == PHONE[0]
    assert panel.evaluate("(node) => node.scrollWidth <= node.clientWidth")


def test_a_name_in_any_script_is_left_as_it_is(open_page: Open) -> None:
    names = ["Küchentisch", "שולחן", "テーブル", "tablewire 🎲", "👩\N{ZERO WIDTH JOINER}🔬"]
    tried = [{"port": name, "why": "no answer"} for name in names]
    page = open_page(playing(link=link("down", tried=tried)))
    page.locator("#link").click()
    shown = page.locator("#board-link .tried-port").all_text_contents()
    # What joins two pictures into one takes no room, and is told like all that does.
    assert shown == [*names[:-1], "👩\\u{200d}🔬"]


# How it fits


@pytest.mark.parametrize("size", list(SIZES))
def test_every_state_of_the_link_can_be_read_and_fits(
    open_page: Open, site: Site, operator: PageOperator, screenshots: Path, complaints: list[str], size: str
) -> None:
    operator.silent_ms = 134_000
    page = open_page(playing(), SIZES[size])
    scrolls = """() => [...document.querySelectorAll("html, body, main, main > section, nav, .card, .link")]
      .filter((node) => node.offsetParent !== null || node === document.body)
      .filter((node) => node.scrollWidth > node.clientWidth + 1
        || (innerWidth > 960 && node.scrollHeight > node.clientHeight + 1))
      .map((node) => node.id || node.className || node.tagName)"""
    for version, (name, document) in enumerate(SITUATIONS.items(), 2):
        site.show(page, {**document, "version": version})
        photograph(page, screenshots / f"link-{size}-{name}.png")
        assert page.evaluate(FAINT) == [], name
        assert page.evaluate(scrolls) == [], name
    page.locator("#link").click()
    photograph(page, screenshots / f"link-{size}-panel.png")
    assert page.evaluate(FAINT) == []
    assert complaints == []


# A real board at a real cable


@pytest.fixture
def table(tmp_path: Path) -> Iterator[RealTable]:
    table = RealTable(tmp_path / "data")
    table.run(200)
    yield table
    table.close()


@pytest.fixture
def page(browser: BrowserContext, table: RealTable, complaints: list[str]) -> Iterator[Page]:
    table.play("place red 6,15 over 200")
    page = browser.new_page()
    page.set_viewport_size({"width": LAPTOP[0], "height": LAPTOP[1]})
    page.on("pageerror", lambda error: complaints.append(str(error)))
    page.goto(table.url)
    expect(page.locator("#turn h1")).to_have_text("Green to play")
    yield page
    page.close()


def test_a_pulled_cable_is_shown_and_what_was_laid_meanwhile_counts(page: Page, table: RealTable) -> None:
    expect(page.locator("#link-text")).to_have_text("Board connected")
    table.unplug()
    expect(page.locator("#link-text")).to_have_text("Board not connected")
    expect(page.locator("#turn p")).to_have_text("On hold: plug the board in.")
    table.play("place green 16 over 200")
    expect(page.locator("#turn h1")).to_have_text("Green to play")
    table.run(60_000)
    expect(page.locator("#link-age")).to_have_text(re.compile(r" · (6\d|7\d) s"), timeout=PATIENCE_MS)
    page.locator("#link").click()
    expect(page.locator("#board-link .warning")).to_contain_text("Lost the board at /dev/pts/")
    page.keyboard.press("Escape")
    table.plug()
    table.run(4_000)
    expect(page.locator("#link-text")).to_have_text("Board connected")
    expect(page.locator("#turn h1")).to_have_text("Red to play")
    expect(page.locator("svg.board .piece")).to_have_count(2)
    expect(page.locator(".as-heard")).to_be_hidden()


def test_the_table_can_be_corrected_while_the_board_is_away(page: Page, table: RealTable) -> None:
    table.unplug()
    expect(page.locator("#link-text")).to_have_text("Board not connected")
    with page.expect_response("**/api/undo") as answer:
        action(page, "undo").click()
    assert json.loads(answer.value.text())["version"] == table.doc["version"]
    assert table.doc["moves"] == 0
