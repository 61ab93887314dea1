"""How the page of Ligretto fits a television and a phone."""

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from tests.web.browsing import FAINT, PHONE, TELEVISION, Open, PageOperator, Site, action, photograph
from tests.web.ligretto_documents import (
    HISTORY,
    UNDECIDED,
    UNKNOWN,
    WRONG,
    between_rounds,
    can,
    no_ligretto,
    over,
    round_on,
    stopped,
    twelve,
    wrong_cards,
)


def unknown_tags(count: int, version: int) -> dict[str, Any]:
    """So many tags that nobody knows, each with two buttons, and one pair to be decided."""
    wrong = [{**UNKNOWN, "pad": pad, "uid": f"04FFEEDDCCBB{pad:02X}"} for pad in range(8, 8 + count)]
    choices = [
        {
            "id": f"rest:{entry['pad']}:{entry['uid']}",
            "text": f"The tag on pad {entry['pad']} is no card: let it lie",
            "pads": [entry["pad"]],
        }
        for entry in wrong
    ]
    message = {"kind": "unexplained", "reasons": [], "text": UNKNOWN["text"], "steps": [], "choices": choices}
    return wrong_cards(version, wrong=wrong, undecided=[], message=message)


SITUATIONS: dict[str, Callable[[int], dict[str, Any]]] = {
    "welcome": no_ligretto,
    "round": round_on,
    "wrong": wrong_cards,
    "unknown": lambda version: unknown_tags(3, version),
    "between": between_rounds,
    "twelve-over": lambda version: twelve(
        version, phase="over", history=over()["history"], wrong=[], undecided=[]
    ),
    "twelve-stopped": lambda version: twelve(
        version,
        wrong=[],
        undecided=[],
        stopped=stopped()["stopped"],
        actions=can(unstop=True, count=True, left=True),
    ),
    "stopped-and-open": lambda version: stopped(
        version,
        phase="hold",
        undecided=[UNDECIDED],
        wrong=[{**WRONG[0], "pad": pad} for pad in range(6)],
        actions=can(unstop=True, decide=True),
    ),
    "twelve-stopped-and-open": lambda version: twelve(
        version, phase="hold", stopped=stopped()["stopped"], actions=can(unstop=True, decide=True)
    ),
    "twelve": twelve,
}


def test_a_television_shows_everything_at_once_and_large(
    open_page: Open, site: Site, screenshots: Path, complaints: list[str]
) -> None:
    page = open_page(no_ligretto(), TELEVISION)
    for version, (name, document) in enumerate(SITUATIONS.items(), 2):
        site.show(page, document(version))
        photograph(page, screenshots / f"ligretto-television-{name}.png")
        hidden = page.evaluate(
            """() => {
              const scrolls = (node) =>
                node.scrollHeight > node.clientHeight + 1 || node.scrollWidth > node.clientWidth + 1;
              return [...document.querySelectorAll("main > section, nav, .card")].filter(scrolls)
                .map((node) => node.id || node.className);
            }"""
        )
        assert (name, hidden) == (name, [])
        assert (name, page.evaluate(FAINT)) == (name, [])
        heights = page.locator(".pad").evaluate_all("pads => pads.map((pad) => pad.offsetHeight)")
        assert min(heights) > 100, name
    assert complaints == []


ON_A_PHONE = ("welcome", "wrong", "twelve-stopped", "twelve-over")


def test_a_phone_scrolls_in_one_direction_only(
    open_page: Open, site: Site, screenshots: Path, complaints: list[str]
) -> None:
    page = open_page(no_ligretto(), PHONE)
    for version, name in enumerate(ON_A_PHONE, 2):
        site.show(page, SITUATIONS[name](version))
        photograph(page, screenshots / f"ligretto-phone-{name}.png")
        assert (name, page.evaluate(FAINT)) == (name, [])
        assert page.evaluate("document.documentElement.scrollWidth") == PHONE[0], name
        small = page.evaluate(
            """() => [...document.querySelectorAll("button, input, select")]
              .filter((control) => control.offsetParent !== null && control.offsetHeight < 36)
              .map((control) => control.outerHTML)"""
        )
        assert (name, small) == (name, [])
    assert complaints == []


def test_the_form_for_a_new_game_fits_a_phone(
    open_page: Open, screenshots: Path, complaints: list[str]
) -> None:
    page = open_page(no_ligretto(), PHONE)
    action(page, "new-game").click()
    page.get_by_text("More settings").click()
    photograph(page, screenshots / "ligretto-new-game.png")
    dialog = page.locator("#new-game")
    assert dialog.evaluate("node => node.scrollWidth <= node.clientWidth")
    assert page.evaluate(FAINT) == []
    assert complaints == []


def test_a_television_shows_the_choices_of_decks_whole(
    open_page: Open, operator: PageOperator, screenshots: Path, complaints: list[str]
) -> None:
    operator.kept_decks = [{"name": name, "missing": 0} for name in ("red", "green")]
    operator.kept_decks += [{"name": "turquoise", "missing": 40}]
    page = open_page(no_ligretto(), TELEVISION)
    action(page, "new-game").click()
    action(page, "add-player").click()
    photograph(page, screenshots / "ligretto-television-new-game.png")
    widths = page.locator("#new-game select").evaluate_all(
        """(nodes) => nodes.map((node) => {
          const {font, paddingLeft, paddingRight} = getComputedStyle(node);
          const pen = document.createElement("canvas").getContext("2d");
          pen.font = font;
          const widest = Math.max(...[...node.options].map(({text}) => pen.measureText(text).width));
          const arrow = parseFloat(getComputedStyle(node).fontSize) * 1.5;
          return node.clientWidth - parseFloat(paddingLeft) - parseFloat(paddingRight) - arrow - widest;
        })"""
    )
    assert len(widths) == 3
    assert min(widths) >= 0
    assert complaints == []


def test_after_a_game_a_phone_shows_the_points_above_the_empty_pads(
    open_page: Open, screenshots: Path
) -> None:
    page = open_page(over(), PHONE)
    photograph(page, screenshots / "ligretto-phone-over.png")
    table, pads = page.locator("#rounds, .rounds").first.bounding_box(), page.locator("#stage").bounding_box()
    assert table is not None
    assert pads is not None
    assert table["y"] + table["height"] <= pads["y"]


def rounds_played(count: int) -> list[dict[str, Any]]:
    """Rounds that were scored."""
    return [{**HISTORY[n % 2], "round": n + 1} for n in range(count)]


@pytest.mark.parametrize("count", [3, 9])
def test_on_a_phone_the_score_table_shows_names_and_sums(
    open_page: Open, screenshots: Path, complaints: list[str], count: int
) -> None:
    page = open_page(between_rounds(history=rounds_played(count), round=count + 1, rounds=12), PHONE)
    action(page, "scores").click()
    photograph(page, screenshots / f"ligretto-phone-scores-{count}.png")
    for table in page.locator(".score-table:visible").all():
        row = table.locator('[data-row="Anna"]')
        name, sum_of_all = row.locator("th").bounding_box(), row.locator(".sum").bounding_box()
        assert name is not None
        assert sum_of_all is not None
        assert name["width"] > 60
        assert name["x"] >= 0
        assert sum_of_all["x"] + sum_of_all["width"] <= PHONE[0]
    assert complaints == []


def test_before_a_game_a_phone_says_how_to_begin_above_the_empty_pads(open_page: Open) -> None:
    page = open_page(no_ligretto(), PHONE)
    steps, pads = page.locator(".welcome").bounding_box(), page.locator("#stage").bounding_box()
    assert steps is not None
    assert pads is not None
    assert steps["y"] + steps["height"] <= pads["y"]
