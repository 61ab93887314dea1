"""How the page fits a television and a phone."""

from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import expect
from tests.web.browsing import FAINT, LAPTOP, PHONE, TELEVISION, Open, Site, choose_from_menu, photograph
from tests.web.documents import disturbed, no_game, playing

MESSAGE = {
    "kind": "ambiguous",
    "reasons": [],
    "text": "Two purple pieces may lie here. Which is it?",
    "steps": [{"do": "lift", "spaces": [22], "colour": "purple"}],
    "choices": [{"id": "a", "text": "A small slice on 8, 9"}, {"id": "b", "text": "Two wedges, 8 then 9"}],
}
CHOOSING = {
    **disturbed()["message"],
    "choices": [{"id": "a", "text": "As it lies: take back the red slice and count two wedges. " * 3}],
}
RESULT = {"ended": "target", "winners": ["green"], "scores": {}, "unplayed": {}}
SITUATIONS: dict[str, dict[str, Any]] = {
    "welcome": no_game(),
    "playing": playing(),
    "asking": playing(message=MESSAGE, provisional=True, free_turn="surrounded", passed_over=["red"]),
    "over": playing(phase="over", turn=None, result=RESULT, totals={"purple": 0, "red": 0, "green": 90}),
    "two-players": playing(players=playing()["players"][:2]),
    "disturbed": disturbed(),
    "swept": {
        **disturbed(steps=[{"do": "lift", "spaces": [n], "colour": "red"} for n in range(70, 90)]),
    },
    "swept-choosing": {
        **disturbed(),
        "message": {**CHOOSING, "steps": [{"do": "lift", "spaces": [n]} for n in range(70, 90)]},
    },
    "disturbed-two": {**disturbed(), "players": playing()["players"][:2], "message": CHOOSING},
}


def test_a_television_shows_everything_at_once_and_large(
    open_page: Open, site: Site, screenshots: Path, complaints: list[str]
) -> None:
    page = open_page(no_game(), TELEVISION)
    hidden = {}
    for version, (name, document) in enumerate(SITUATIONS.items(), 2):
        site.show(page, {**document, "version": version})
        photograph(page, screenshots / f"television-{name}.png")
        hidden[name] = page.evaluate(
            """() => {
              const scrolls = (node) =>
                node.scrollHeight > node.clientHeight + 1 || node.scrollWidth > node.clientWidth + 1;
              const boxes = document.querySelectorAll("html, body, main, main > section, nav, .card");
              return [...boxes].filter(scrolls).map((node) => node.id || node.className || node.tagName);
            }"""
        )
        board = page.locator("svg.board").bounding_box()
        assert board is not None
        assert min(board["width"], board["height"]) > 800, name
        text_px = page.evaluate("parseFloat(getComputedStyle(document.querySelector('#turn h1')).fontSize)")
        assert text_px > 45, name
    assert hidden == {name: [] for name in SITUATIONS}
    assert complaints == []


@pytest.mark.parametrize("height_px", [720, 900])
@pytest.mark.parametrize("name", ["playing", "two-players", "asking"])
def test_on_a_laptop_no_count_is_covered_and_no_name_cut(
    open_page: Open, complaints: list[str], name: str, height_px: int
) -> None:
    page = open_page(SITUATIONS[name], (LAPTOP[0], height_px))
    covered = page.evaluate(
        """() => {
          const meets = (a, b) => a.left < b.right - 1 && b.left < a.right - 1
            && a.top < b.bottom - 1 && b.top < a.bottom - 1;
          const boxes = (selector) =>
            [...document.querySelectorAll(selector)].map((node) => node.getBoundingClientRect());
          const shapes = boxes(".stock .shape");
          return boxes(".stock-count").filter((count) => shapes.some((shape) => meets(shape, count))).length;
        }"""
    )
    cut = page.evaluate(
        """() => [...document.querySelectorAll(".who h3")]
          .filter((node) => node.scrollWidth > node.clientWidth + 1).map((node) => node.textContent)"""
    )
    assert (covered, cut) == (0, [])
    assert complaints == []


def test_a_phone_scrolls_in_one_direction_only(
    open_page: Open, site: Site, screenshots: Path, complaints: list[str]
) -> None:
    page = open_page(no_game(), PHONE)
    for version, (name, document) in enumerate(SITUATIONS.items(), 2):
        site.show(page, {**document, "version": version})
        photograph(page, screenshots / f"phone-{name}.png")
        assert page.evaluate(FAINT) == [], name
        assert page.evaluate("document.documentElement.scrollWidth") == PHONE[0], name
        board = page.locator("svg.board").bounding_box()
        assert board is not None
        assert 340 < board["width"] <= PHONE[0], name
        small = page.evaluate(
            """() => [...document.querySelectorAll("button")]
              .filter((button) => button.offsetParent !== null && button.offsetHeight < 36)
              .map((button) => button.textContent)"""
        )
        assert small == [], name
    assert complaints == []


@pytest.mark.parametrize("size", [TELEVISION, PHONE], ids=["television", "phone"])
def test_the_form_for_a_new_game_can_be_read_and_used(
    open_page: Open, screenshots: Path, complaints: list[str], size: tuple[int, int]
) -> None:
    page = open_page(playing(), size)
    choose_from_menu(page, "new-game")
    page.get_by_label("Play a match").check()
    photograph(page, screenshots / f"new-game-{size[0]}.png")
    smallest_px = page.evaluate(
        """() => {
          const texts = document.querySelectorAll("#new-game strong, #new-game small, #new-game input");
          return Math.min(...[...texts].map((node) => parseFloat(getComputedStyle(node).fontSize)));
        }"""
    )
    assert smallest_px > 12
    for player in playing()["players"]:
        page.locator(f'#new-game [data-colour="{player["colour"]}"]').click()
    page.get_by_role("button", name="Put this game aside and start").click()
    expect(page.locator("#new-game .wrong")).to_be_in_viewport()
    assert complaints == []
