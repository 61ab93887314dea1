"""The page in a browser: the health of the sensors on the board, and masking one."""

from typing import Any

import pytest
from playwright.sync_api import Locator, Page, expect
from tests.web.browsing import Open, PageOperator, Site, action, choose_from_menu
from tests.web.documents import playing

SPACES = 165
UNWELL = {36: "chattering", 60: "stuck", 61: "silent", 99: "masked", 167: "stuck"}
"""Space 37, 61, 62 and 100, and purple's peg hole 10."""


def sensors(**states: str) -> list[dict[str, Any]]:
    """Every sensor as the table tells it; `states` by "s" and the wire index."""
    unwell = UNWELL | {int(name[1:]): state for name, state in states.items()}
    holes = [
        f"{colour} {hole}" for colour in ("purple", "red", "green", "yellow") for hole in range(0, 45, 5)
    ]
    places: list[dict[str, Any]] = [
        *({"space": space} for space in range(1, SPACES + 1)),
        *({"peg": name} for name in holes),
    ]
    return [
        {
            "sensor": index,
            **place,
            "state": unwell.get(index, "ok"),
            "reads": 3 if index == 36 else 0,
            "colour": "green" if index == 36 else None,
            "changes": index,
            "changed_ms": 10,
        }
        for index, place in enumerate(places)
    ]


@pytest.fixture
def unwell(operator: PageOperator) -> PageOperator:
    operator.sensors = sensors()
    return operator


def open_map(page: Page) -> Locator:
    """Touch the button under the board."""
    with page.expect_response("**/api/health"):
        action(page, "sensors").click()
    return page.locator(".sensors")


def tile(page: Page, space: int) -> Locator:
    """A space of the board."""
    return page.locator(f'#stage .tile[data-space="{space}"]')


def test_every_space_has_a_colour_and_a_sign_and_the_legend_counts(
    open_page: Open, unwell: PageOperator
) -> None:
    page = open_page(playing())
    panel = open_map(page)
    expect(page.locator("#stage .health")).to_have_count(SPACES)
    for space, look, sign in (
        (37, "chattering", "≈"),
        (61, "stuck", "▲"),
        (62, "silent", "?"),
        (100, "masked", "\N{MULTIPLICATION SIGN}"),
        (1, "ok", "✓"),
    ):
        drawn = page.locator(f'#stage .health-{look}[data-health="{space}"]')
        expect(drawn.locator(".health-sign")).to_have_text(sign)
    counts = {
        look: panel.locator(f'[data-look="{look}"] strong').text_content()
        for look in ("ok", "chattering", "stuck", "silent", "masked")
    }
    assert counts == {"ok": "196", "chattering": "1", "stuck": "2", "silent": "1", "masked": "1"}
    expect(panel.locator('[data-peg="purple 10"]')).to_have_accessible_name("Hole 10 of purple: stuck")
    action(page, "sensors").click()
    expect(page.locator("#stage .health")).to_have_count(0)
    expect(panel).to_be_hidden()
    expect(tile(page, 37)).not_to_have_attribute("role", "button")


def test_a_touched_space_says_what_it_reads_and_can_be_masked(open_page: Open, unwell: PageOperator) -> None:
    page = open_page(playing())
    panel = open_map(page)
    tile(page, 37).click()
    details = panel.locator(".sensor-details")
    expect(details.locator("h3")).to_have_text("Space 37: chattering")
    expect(details).to_contain_text("It reads a green magnet and has changed 36 times.")
    expect(details).to_contain_text("The board calls it sensor 36.")
    details.get_by_label("Who says so").fill("Petra")
    details.get_by_label("Why").fill("loose wire")
    unwell.sensors = sensors(s36="masked")
    with page.expect_response("**/api/mask"):
        action(page, "mask").click()
    expect(details.locator("h3")).to_have_text("Space 37: masked")
    with page.expect_response("**/api/mask"):
        action(page, "unmask").click()
    assert unwell.done() == [
        ("mask", {"sensors": [36], "masked": True, "by": "Petra", "note": "loose wire"}),
        ("mask", {"sensors": [36], "masked": False, "by": "Petra"}),
    ]
    page.evaluate("localStorage.clear()")


def test_a_peg_hole_can_be_masked_too(open_page: Open, unwell: PageOperator) -> None:
    page = open_page(playing())
    panel = open_map(page)
    panel.locator('[data-peg="purple 10"]').click()
    expect(panel.locator("h3")).to_have_text("Peg hole purple 10: stuck")
    with page.expect_response("**/api/mask"):
        action(page, "mask").click()
    assert unwell.done() == [("mask", {"sensors": [167], "masked": True})]


def test_the_map_is_walked_with_the_arrow_keys(open_page: Open, unwell: PageOperator) -> None:
    page = open_page(playing())
    open_map(page)
    tile(page, 37).click()
    expect(tile(page, 37)).to_have_accessible_name("Space 37: chattering")
    expect(tile(page, 37)).to_have_attribute("aria-pressed", "true")
    page.keyboard.press("ArrowRight")
    # The kite beside 37 in its circle.
    expect(tile(page, 57)).to_be_focused()
    expect(page.locator("#stage .focus-edge")).to_have_count(1)
    page.keyboard.press("Enter")
    expect(page.locator(".sensors h3")).to_have_text("Space 57: good")


def test_the_map_and_a_half_written_note_outlive_new_documents(
    open_page: Open, site: Site, unwell: PageOperator
) -> None:
    page = open_page(playing(health={"spaces": {}, "pegs": {}}))
    panel = open_map(page)
    tile(page, 37).click()
    panel.get_by_label("Why").fill("half a no")
    unwell.sensors = sensors(s7="silent")
    with page.expect_response("**/api/health"):
        site.show(page, playing(2, health={"spaces": {"8": "silent"}, "pegs": {}}))
    expect(page.locator('#stage .health-silent[data-health="8"]')).to_have_count(1)
    expect(panel.get_by_label("Why")).to_have_value("half a no")
    expect(panel.locator("h3")).to_have_text("Space 37: chattering")


def test_whoever_may_only_look_sees_the_map_and_masks_nothing(open_page: Open, unwell: PageOperator) -> None:
    page = open_page(playing(), writable=False)
    with page.expect_response("**/api/health"):
        choose_from_menu(page, "show-sensors")
    tile(page, 61).click()
    expect(page.locator(".sensors h3")).to_have_text("Space 61: stuck")
    expect(action(page, "mask")).to_have_count(0)
    expect(page.locator(".sensors input")).to_have_count(0)


def test_how_many_sensors_are_not_believed_stands_on_the_button(open_page: Open, site: Site) -> None:
    page = open_page(playing(health={"spaces": {"37": "chattering"}, "pegs": {}}))
    expect(action(page, "sensors")).to_have_text("Sensors")
    site.show(page, playing(2, health={"spaces": {"37": "masked"}, "pegs": {"red 10": "masked"}}))
    expect(action(page, "sensors")).to_have_text("Sensors: 2 off")


def test_a_name_given_elsewhere_is_known_to_the_map(open_page: Open, unwell: PageOperator) -> None:
    page = open_page(playing())
    choose_from_menu(page, "ruling")
    ruling = page.locator("#ruling")
    ruling.get_by_role("button", name="5 more").first.click()
    ruling.get_by_label("Who says so").fill("Petra")
    ruling.locator("[data-confirm]").click()
    expect(ruling).to_have_count(0)
    panel = open_map(page)
    tile(page, 37).click()
    expect(panel.get_by_label("Who says so")).to_have_value("Petra")
    page.evaluate("localStorage.clear()")
