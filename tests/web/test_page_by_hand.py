"""The page in a browser: a piece entered by hand, and points given by the house."""

from typing import Any

from playwright.sync_api import expect
from tests.web.browsing import PHONE, Open, PageOperator, Site, choose_from_menu
from tests.web.documents import playing

from tablewire.games.cirkis.pieces import default_piece_set
from tablewire.web.actions import Answer


def test_a_ruling_gives_and_takes_in_fives(open_page: Open, operator: PageOperator) -> None:
    page = open_page(playing())
    choose_from_menu(page, "ruling")
    dialog = page.locator("#ruling")
    record = dialog.locator("[data-confirm]")
    expect(record).to_be_disabled()
    dialog.get_by_role("button", name="Petra: 5 more").click(click_count=2)
    dialog.get_by_role("button", name="Gesa: 5 less").click()
    expect(dialog.locator('[data-player="purple"] .ruling-score')).to_have_text("0 → 10")
    expect(dialog.locator('[data-player="green"] .ruling-score')).to_have_text("10 → 5")
    dialog.get_by_label("Who says so").fill("Yusuf")
    dialog.get_by_label("Why").fill("House rule 3")
    with page.expect_response("**/api/ruling"):
        record.click()
    expect(dialog).to_have_count(0)
    assert operator.done() == [
        ("ruling", {"points": {"purple": 10, "green": -5}, "by": "Yusuf", "note": "House rule 3"})
    ]


def test_who_says_so_is_remembered_for_the_next_time(open_page: Open) -> None:
    page = open_page(playing())
    choose_from_menu(page, "ruling")
    page.locator("#ruling").get_by_label("Who says so").fill("Oma")
    page.locator("#ruling").get_by_role("button", name="Petra: 5 more").click()
    with page.expect_response("**/api/ruling"):
        page.locator("#ruling [data-confirm]").click()
    choose_from_menu(page, "place")
    expect(page.locator("#place").get_by_label("Who says so")).to_have_value("Oma")
    page.evaluate("localStorage.clear()")


def test_a_ruling_that_is_open_says_when_the_scores_change(open_page: Open, site: Site) -> None:
    page = open_page(playing())
    choose_from_menu(page, "ruling")
    dialog = page.locator("#ruling")
    dialog.get_by_role("button", name="Petra: 5 more").click()
    players = playing()["players"]
    players[0]["score"] = 15
    site.show(page, playing(2, players=players))
    expect(dialog.locator(".said")).to_have_text("The scores have changed since this was opened.")
    expect(dialog.locator('[data-player="purple"] .ruling-score')).to_have_text("15 → 20")


def test_a_piece_is_placed_by_touching_its_spaces(open_page: Open, operator: PageOperator) -> None:
    page = open_page(playing())
    choose_from_menu(page, "place")
    dialog = page.locator("#place")
    place = dialog.locator('[data-confirm=""]')
    expect(dialog.get_by_role("radio", name="Petra")).to_be_checked()
    expect(place).to_be_disabled()
    dialog.locator('.tile[data-space="9"]').click()
    dialog.locator('.tile[data-space="10"]').click()
    expect(dialog.locator(".shape-said")).to_have_text("A small slice on spaces 9, 10.")
    with page.expect_response("**/api/place"):
        place.click()
    expect(dialog).to_have_count(0)
    assert operator.done() == [("place", {"player": "purple", "spaces": [9, 10]})]


def test_a_space_is_found_and_touched_from_the_keyboard(open_page: Open) -> None:
    page = open_page(playing())
    choose_from_menu(page, "place")
    dialog = page.locator("#place")
    dialog.locator('.tile[tabindex="0"]').focus()
    page.keyboard.press("ArrowUp")
    focused = page.evaluate("document.activeElement.getAttribute('aria-label')")
    page.keyboard.press("Space")
    # Over the tip of the star's dart 1 lie the kites 6 and 15.
    assert focused in ("Space 6, kite", "Space 15, kite")
    expect(dialog.locator('.tile[aria-checked="true"]')).to_have_count(1)
    expect(dialog.locator(".shape-said")).to_contain_text("A wedge on space")


def test_an_illegal_piece_is_refused_with_its_reasons_and_may_be_forced(
    open_page: Open, operator: PageOperator, complaints: list[str]
) -> None:
    reasons = ["not_touching_leader", "not_your_turn"]
    operator.answer = Answer(409, {"reason": "illegal", "text": "Against the rules.", "reasons": reasons})
    page = open_page(playing())
    choose_from_menu(page, "place")
    dialog = page.locator("#place")
    dialog.locator('[data-value="red"]').click()
    dialog.locator('.tile[data-space="100"]').click()
    force = dialog.get_by_role("button", name="Place it all the same")
    expect(force).to_be_hidden()
    dialog.locator('[data-confirm=""]').click()
    expect(dialog.locator(".wrong")).to_have_text("Against the rules.")
    expect(dialog.locator(".reasons li")).to_have_text(
        ["it does not touch the Leader", "it is another player's turn"]
    )
    operator.answer = Answer(200, {"version": 8})
    with page.expect_response("**/api/place"):
        force.click()
    assert operator.done()[-1] == ("place", {"player": "red", "spaces": [100], "forced": True})
    assert all("409" in complaint for complaint in complaints)
    complaints.clear()


def test_what_not_even_the_house_can_allow_cannot_be_forced(
    open_page: Open, operator: PageOperator, complaints: list[str]
) -> None:
    refused = {"reason": "illegal", "text": "No.", "reasons": ["space_filled", "not_your_turn"]}
    operator.answer = Answer(409, refused)
    page = open_page(playing())
    choose_from_menu(page, "place")
    dialog = page.locator("#place")
    dialog.locator('.tile[data-space="9"]').click()
    dialog.locator('[data-confirm=""]').click()
    expect(dialog.locator(".reasons li").first).to_have_text("a space is filled already")
    expect(dialog.get_by_role("button", name="Place it all the same")).to_be_hidden()
    # Another place is another question.
    dialog.locator('.tile[data-space="10"]').click()
    expect(dialog.locator(".reasons li")).to_have_count(0)
    expect(dialog.locator('[data-confirm=""]')).to_be_enabled()
    complaints.clear()


def test_it_knows_every_piece_on_every_place_of_the_board(open_page: Open, board: dict[str, Any]) -> None:
    pieces = default_piece_set()
    shapes = [{"name": s.name, "example": list(s.example), "flip": s.flip} for s in pieces.shapes]
    placements = [[list(p.spaces), p.shape] for p in pieces.placements]
    page = open_page(playing())
    wrong = page.evaluate(
        """async ({spaces, shapes, placements, others}) => {
          const {Shapes} = await import("/static/cirkis_shapes.js");
          const {drawnSpaces} = await import("/static/geometry.js");
          const known = new Shapes(drawnSpaces(spaces), shapes);
          return [
            ...placements.filter(([ids, name]) => known.of(ids) !== name),
            ...others.filter((ids) => known.of(ids) !== null),
          ];
        }""",
        {
            "spaces": board["spaces"],
            "shapes": shapes,
            "placements": placements,
            "others": [[1, 100], [6, 7, 8, 9], [1, 8], [156, 157], []],
        },
    )
    assert len(placements) == 530
    assert wrong == []


def test_on_a_phone_a_refusal_comes_into_sight(
    open_page: Open, operator: PageOperator, complaints: list[str]
) -> None:
    reasons = ["not_touching_leader", "not_your_turn"]
    operator.answer = Answer(409, {"reason": "illegal", "text": "Against the rules.", "reasons": reasons})
    page = open_page(playing(), PHONE)
    choose_from_menu(page, "place")
    dialog = page.locator("#place")
    dialog.locator('.tile[data-space="100"]').click()
    dialog.locator('[data-confirm=""]').click()
    line, buttons = dialog.locator(".reasons li").last, dialog.locator(".dialog-buttons")
    expect(line).to_be_in_viewport(ratio=1)
    below, above = line.bounding_box(), buttons.bounding_box()
    assert below is not None
    assert above is not None
    assert below["y"] + below["height"] <= above["y"]
    complaints.clear()
