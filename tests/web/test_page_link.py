"""The page and its two links: from the table's program to the board, and from the page to that program."""

import os
import re
import signal
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

import pytest
from playwright.sync_api import Page, expect
from tests.web.browsing import PATIENCE_MS, Open, PageOperator, Site, action, card
from tests.web.documents import GONE, TRIED, link, playing

from tablewire.web.feed import Feed

GONE_SAID = f"L{GONE[1:]}"
"""As a sentence of its own."""

MISFIT = (
    "the board at /dev/ttyACM0 is one for Ligretto, and Cir*Kis is played: put the game aside, or connect "
    "its board"
)

# What the bar says


BARS: list[tuple[dict[str, Any] | None, str, str]] = [
    (link("up"), "Board connected", "USB"),
    (link("up", kind="ble", port="tablewire 3F"), "Board connected", "Bluetooth"),
    (link("up", port="COM10"), "Board connected", "USB"),
    (link("up", port="/dev/pts/4"), "Board connected", ""),
    (link("up", port="/tmp/tablewire-x1y2/port"), "Board connected", ""),  # noqa: S108  a name, no file
    (link("up", kind="carrier pigeon"), "Board connected", ""),
    (link("up", board="ligretto", text=MISFIT), "Board of another game", ""),
    (link("searching", kind=None), "Looking for the board", ""),
    (link("down"), "Board not connected", ""),
    (link("refused"), "Board cannot be used", ""),
    (link("a state of a later program"), "Board not connected", ""),
    (None, "Board not connected", ""),
]


def test_the_bar_says_how_the_board_is_reached(open_page: Open, site: Site) -> None:
    page = open_page(playing())
    for version, (told, words, kind) in enumerate(BARS, 2):
        site.show(page, playing(version, link=told))
        expect(page.locator("#link-text")).to_have_text(words)
        expect(page.locator("#link-kind")).to_have_text(kind)


def test_the_place_and_the_reason_are_a_touch_of_the_pointer_away(open_page: Open) -> None:
    page = open_page(playing(link=link("down", text=GONE)))
    expect(action(page, "board-link")).to_have_attribute("title", f"/dev/ttyACM0: {GONE_SAID}")


AGES = [
    (None, ""),
    (4_000, ""),
    (65_000, r" · (6[5-9]|[78]\d) s"),
    (600_500, " · 10 min"),
    (9 * 3_600_000, " · 9 h"),
    (72 * 3_600_000, " · 3 days"),
]


def test_the_bar_says_how_long_the_board_has_been_away(
    open_page: Open, site: Site, operator: PageOperator
) -> None:
    page = open_page(playing(link=link("down", text=GONE)))
    for version, (silent_ms, said) in enumerate(AGES, 2):
        operator.silent_ms = silent_ms
        site.show(page, playing(version, link=link("down", text=GONE)))
        expect(page.locator(".link-words")).to_have_text(re.compile(f"^Board not connected{said}$"))


def test_the_age_rises_while_no_document_comes(open_page: Open, operator: PageOperator) -> None:
    operator.silent_ms = 20_000
    page = open_page(playing(link=link("down", text=GONE)))
    ages = page.locator("#link-age")
    expect(ages).to_have_text(re.compile(r" · 2\d s"))
    seen = ages.text_content()
    expect(ages).not_to_have_text(str(seen), timeout=PATIENCE_MS)
    # What the program says at the next pulse counts, whatever was reckoned here meanwhile.
    operator.silent_ms = 3 * 3_600_000
    expect(ages).to_have_text(" · 3 h", timeout=PATIENCE_MS)


def test_a_board_that_speaks_on_is_never_said_to_be_silent(open_page: Open, operator: PageOperator) -> None:
    operator.silent_ms = 2_500
    page = open_page(playing())
    page.evaluate(
        """() => {
          window.ages = new Set();
          const look = () => window.ages.add(document.getElementById("link-age").textContent);
          const parts = {childList: true, subtree: true};
          new MutationObserver(look).observe(document.getElementById("link"), parts);
        }"""
    )
    for _ in range(2):
        with page.expect_response("**/api/pulse", timeout=PATIENCE_MS):
            pass
    assert set(page.evaluate("[...window.ages]")) <= {""}


# A page that slept, or is cut off


@contextmanager
def asleep(page: Page) -> Iterator[None]:
    """What browsers run pages in stands still, as on a phone that sleeps; the time of day goes on."""
    assert page.context.browser is not None
    found = page.context.browser.new_browser_cdp_session().send("SystemInfo.getProcessInfo")
    numbers = [one["id"] for one in found["processInfo"] if one["type"] == "renderer"]
    assert numbers
    for number in numbers:
        os.kill(number, signal.SIGSTOP)
    try:
        yield
    finally:
        for number in numbers:
            os.kill(number, signal.SIGCONT)


def test_a_phone_that_slept_over_a_restart_of_the_table_shows_what_is_so_now(
    open_page: Open, site: Site, operator: PageOperator, board: dict[str, Any], complaints: list[str]
) -> None:
    page = open_page(playing(5))
    expect(page.locator("#link-text")).to_have_text("Board connected")
    back = Site(Feed(), operator, board)
    with asleep(page):
        site.stop()
        operator.silent_ms = 2 * 3_600_000
        back.feed.publish(3, playing(3, link=link("down", text=GONE)))
        back.start(port=site.port)
    try:
        expect(page.locator(".link-words")).to_have_text("Board not connected · 2 h", timeout=PATIENCE_MS)
        expect(page.locator("#lost")).to_be_hidden(timeout=PATIENCE_MS)
    finally:
        page.close()
        back.stop()
    assert all("ERR_" in complaint for complaint in complaints)
    complaints.clear()


@pytest.mark.parametrize("event", ["visibilitychange", "resume"])
def test_a_page_that_is_looked_at_again_asks_at_once(open_page: Open, event: str) -> None:
    page = open_page(playing())
    # The next question of its own comes some seconds later than those that the events bring.
    asked: list[str] = []
    page.on("request", lambda request: asked.append(request.url))
    with page.expect_response("**/api/pulse"):
        page.evaluate(
            "(name) => { for (let i = 0; i < 5; i++) document.dispatchEvent(new Event(name)); }", event
        )
    assert sum(url.endswith("/api/pulse") for url in asked) >= 5


def test_a_page_that_is_cut_off_claims_nothing_of_the_board(
    open_page: Open, site: Site, complaints: list[str]
) -> None:
    page = open_page(playing())
    expect(page.locator("#link-text")).to_have_text("Board connected")
    site.stop()
    expect(page.locator("#lost")).to_be_visible(timeout=PATIENCE_MS)
    expect(page.locator("#lost")).to_contain_text("lost the table's program")
    expect(page.locator("#link-text")).to_have_text("Board: not known now")
    expect(page.locator("#link-kind")).to_be_hidden()
    expect(page.locator(".as-heard")).to_contain_text("As last heard")
    expect(card(page, "green").locator(".score-now")).to_have_text("10")
    page.get_by_role("button", name="What to do").click()
    panel = page.locator("#board-link")
    expect(panel).to_contain_text("does not reach the table's program")
    expect(panel).not_to_contain_text("connected")
    # It tries again and again, and complains each time.
    page.close()
    assert all("ERR_" in complaint for complaint in complaints)
    complaints.clear()


def test_a_cut_between_program_and_board_is_not_called_one_of_the_page(open_page: Open) -> None:
    page = open_page(playing(link=link("down", text=GONE)))
    expect(page.locator("#lost")).to_be_hidden()
    page.locator("#link").click()
    expect(page.locator("#board-link")).to_contain_text("hears the table's program")


# The panel


def test_the_panel_says_what_is_wrong_what_was_tried_and_what_to_do(
    open_page: Open, site: Site, operator: PageOperator
) -> None:
    operator.silent_ms = 600_000
    page = open_page(playing(link=link("down", text=GONE, tried=TRIED)))
    page.locator("#link").click()
    panel = page.locator("#board-link")
    facts = panel.locator("dd")
    expect(facts).to_have_text(
        ["Board not connected", "/dev/ttyACM0", "10 min ago", "hears the table's program"]
    )
    expect(panel.locator(".warning")).to_have_text(GONE_SAID)
    expect(panel.locator(".tried li")).to_have_count(len(TRIED))
    expect(panel.locator(".tried li").nth(1)).to_have_text(
        "/dev/ttyUSB0something answers, but not as a board does"
    )
    expect(panel.locator(".advice")).to_contain_text("tablewire doctor")
    # It follows what happens while it is open.
    operator.silent_ms = 100
    site.show(page, playing(2, link=link("up", kind="ble", port="tablewire 3F")))
    expect(facts).to_have_text(
        ["Board connected, Bluetooth", "tablewire 3F", "a moment ago", "hears the table's program"]
    )
    expect(panel.locator(".warning")).to_be_hidden()
    expect(panel.locator(".tried")).to_have_count(0)


def test_a_board_of_another_game_is_told_as_such_and_what_to_do(
    open_page: Open, complaints: list[str]
) -> None:
    page = open_page(playing(link=link("up", board="ligretto", text=MISFIT)))
    expect(page.locator("#turn")).to_contain_text(
        "On hold: this board is for another game: put the game aside, or connect its board."
    )
    expect(page.locator(".as-heard")).to_have_text("As it was kept:another board is there")
    action(page, "board-link").click()
    panel = page.locator("#board-link")
    expect(panel.locator(".warning")).to_have_text(f"T{MISFIT[1:]}")
    expect(panel.locator(".advice")).to_contain_text("Connect the board of the game that is played")
    assert complaints == []


def test_of_a_board_that_was_found_it_says_where_none_was(open_page: Open) -> None:
    page = open_page(playing(link=link("up", tried=TRIED)))
    page.locator("#link").click()
    panel = page.locator("#board-link")
    expect(panel.get_by_role("heading", name="Where else it was looked for")).to_be_visible()
    expect(panel.locator(".tried li")).to_have_count(len(TRIED))
    expect(panel.locator(".advice")).to_have_text("Nothing: the board is heard.")


def test_what_is_wrong_with_the_only_place_is_said_once(open_page: Open) -> None:
    one = {"port": "ble:HMSoft", "why": "not tried, it does not call itself tablewire"}
    text = f"no board is found; {one['port']}: {one['why']}"
    page = open_page(playing(link=link("down", port="auto", kind=None, text=text, tried=[one])))
    page.locator("#link").click()
    panel = page.locator("#board-link")
    expect(panel.locator(".warning")).to_have_text("No board is found")
    expect(panel.locator(".tried li")).to_have_text(f"{one['port']}{one['why']}")


EVERYWHERE, ONE_PLACE = "found by itself", "only started without --port"
ADVICE: list[tuple[dict[str, Any], str, str]] = [
    (link("down", port="auto", kind=None), EVERYWHERE, ONE_PLACE),
    (link("down", text=GONE), "at the same socket or another", ONE_PLACE),
    (link("down", kind="ble", port="ble:tablewire"), "or plug it in there", ONE_PLACE),
    (link("down", port="/dev/ttyACM7", wanted="/dev/ttyACM7", kind=None), ONE_PLACE, EVERYWHERE),
    (link("down", wanted="/dev/ttyACM0", text=GONE), "Plug the board in at /dev/ttyACM0", EVERYWHERE),
    (link("down", port="tty/mine", wanted="./tty/mine"), ONE_PLACE, EVERYWHERE),
    (link("down", kind="ble", port="ble:tablewire", wanted="ble:tablewire"), ONE_PLACE, EVERYWHERE),
    (link("down", kind="ble", port="ble:tablewire", wanted="ble"), "Switch the board on", EVERYWHERE),
    (link("down", wanted="5573132393135170E0C1"), "known by its serial number", EVERYWHERE),
]


def test_after_a_cut_no_more_is_promised_than_is_looked_at(open_page: Open, site: Site) -> None:
    page = open_page(playing())
    page.locator("#link").click()
    advice = page.locator("#board-link .advice")
    for version, (told, said, not_said) in enumerate(ADVICE, 2):
        site.show(page, playing(version, link=told))
        expect(advice).to_contain_text(said)
        expect(advice).not_to_contain_text(not_said)


def test_the_panel_is_reached_and_left_by_keyboard(open_page: Open) -> None:
    page = open_page(playing())
    button = action(page, "board-link")
    expect(button).to_have_accessible_name(re.compile("Board connected *USB"))
    button.focus()
    page.keyboard.press("Enter")
    expect(page.get_by_role("dialog", name="The board")).to_be_visible()
    page.keyboard.press("Escape")
    expect(page.locator("#board-link")).to_have_count(0)
    expect(button).to_be_focused()


def test_a_change_of_the_link_is_read_out_once_and_its_age_never(
    open_page: Open, site: Site, operator: PageOperator
) -> None:
    page = open_page(playing())
    said = page.locator("#link-said")
    expect(said).to_have_attribute("role", "status")
    expect(said).to_have_text("")
    operator.silent_ms = 30_000
    site.show(page, playing(2, link=link("down", text=GONE)))
    expect(said).to_have_text("Board not connected")
    page.evaluate(
        """() => {
          window.readings = 0;
          const count = (changes) => { window.readings += changes.length; };
          new MutationObserver(count).observe(document.getElementById("link-said"), {childList: true});
        }"""
    )
    age = page.locator("#link-age").text_content()
    expect(page.locator("#link-age")).not_to_have_text(str(age), timeout=PATIENCE_MS)
    site.show(page, playing(3, link=link("down", text="still nothing there")))
    assert page.evaluate("window.readings") == 0
    site.show(page, playing(4))
    expect(said).to_have_text("Board connected, USB")
