"""The page in a browser: a deck is taught, card by card, as the table's own lessons tell it."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Page, expect
from tests.web.browsing import (
    FAINT,
    PHONE,
    TELEVISION,
    Open,
    PageOperator,
    Site,
    action,
    choose_from_menu,
    photograph,
)
from tests.web.documents import playing
from tests.web.ligretto_documents import no_ligretto

from tablewire.board.lies import Lies
from tablewire.games.ligretto.cards import FACES, Face
from tablewire.games.ligretto.decks import Deck, printed_deck, printed_uid
from tablewire.games.ligretto.teaching import DeckLessons
from tablewire.games.live import Refusal
from tablewire.web.actions import Answer
from tablewire.wire.messages import Sight
from tablewire.wire.observed import Sighting, Sightings


class Table:
    """The lessons of a table, and the documents they come to."""

    def __init__(self, *decks: Deck) -> None:
        self.lessons = DeckLessons.read({deck.name: deck.to_kept() for deck in decks})
        self._number = 0
        self._at_ms = 0

    def act(self, name: str, **body: Any) -> Table:
        after = self.lessons.act(name, body, Lies(has_readers=True))
        assert not isinstance(after, Refusal)
        self.lessons = after
        return self

    def lay(self, *faces: Face, deck: str = "red", apart_ms: int = 700) -> Table:
        for face in faces:
            self._tell(Sight.CAME, printed_uid(deck, face), apart_ms)
        return self

    def take(self, *faces: Face, deck: str = "red") -> Table:
        for face in faces:
            self._tell(Sight.GONE, printed_uid(deck, face), 700)
        return self

    def _tell(self, what: Sight, uid: str, apart_ms: int) -> None:
        self._number += 1
        self._at_ms += apart_ms
        self.lessons = self.lessons.observe(
            Sightings(1, (Sighting(self._number, what, 0, uid, self._at_ms),))
        )

    def document(self, version: int) -> dict[str, Any]:
        return no_ligretto(version, decks_text=None, **self.lessons.document())


def cell(page: Page, name: str) -> Any:
    return page.locator(f'.teach-cell[aria-label^="{name},"]')


def test_the_page_asks_for_card_after_card(open_page: Open, site: Site) -> None:
    table = Table().act("teach", deck="red")
    page = open_page(table.document(1))
    teach = page.locator("#teach")
    expect(teach.locator("h1")).to_have_text("Teaching the deck “red”")
    expect(teach.locator(".teach-ask")).to_have_text("Lay red 1 on any pad.")
    expect(teach.locator(".teach-card .face-value")).to_have_text("1")
    expect(teach.locator(".teach-count")).to_have_text("0 of 40 cards")
    expect(page.locator("#turn")).to_be_hidden()
    site.show(page, table.lay(*FACES[:12]).document(2))
    expect(teach.locator(".teach-ask")).to_have_text("Lay green 3 on any pad.")
    expect(teach.locator(".teach-card .face.f-green .face-value")).to_have_text("3")
    expect(teach.locator(".teach-last")).to_have_text("Green 2 is taught.")
    expect(teach.locator(".is-taught")).to_have_count(12)
    expect(cell(page, "green 3")).to_have_attribute("aria-label", "green 3, is asked for now")
    expect(teach.locator(".teach-trouble")).to_have_text(
        "12 cards lie on one pad: take them off, they are taught."
    )
    site.show(page, table.act("teach_stop").document(3))
    expect(teach).to_be_hidden()
    expect(page.locator("#turn")).to_contain_text("Ready for a game")


def test_a_mistake_is_named_with_what_to_do_until_it_is_put_right(open_page: Open, site: Site) -> None:
    table = Table(printed_deck("green")).act("teach", deck="red").lay(FACES[0])
    page = open_page(table.document(1))
    trouble = page.locator(".teach-trouble")
    expect(trouble).to_be_hidden()
    site.show(page, table.lay(FACES[33], deck="green").document(2))
    expect(trouble).to_have_text('That is blue 4 of the deck "green": take it away.')
    table.take(FACES[0]).take(FACES[33], deck="green").lay(FACES[1]).lay(FACES[2], apart_ms=20)
    site.show(page, table.document(3))
    expect(trouble).to_have_text("Two cards came at once: take both off, then lay one.")
    expect(trouble).to_have_attribute("role", "alert")
    site.show(page, table.take(FACES[1], FACES[2]).lay(FACES[1]).document(4))
    expect(trouble).to_be_hidden()
    expect(page.locator(".is-taught")).to_have_count(2)


def test_buttons_ask_the_table_for_what_a_person_wants(
    open_page: Open, site: Site, operator: PageOperator
) -> None:
    table = Table().act("teach", deck="red").lay(FACES[0]).act("teach_fix", do="skip")
    page = open_page(table.document(1))
    for name in ("teach-undo", "teach-skip", "teach-again"):
        with page.expect_response("**/api/teach-fix"):
            action(page, name).click()
    with page.expect_response("**/api/teach-fix"):
        cell(page, "blue 7").click()
    with page.expect_response("**/api/teach-stop"):
        action(page, "teach-stop").click()
    assert operator.done() == [
        ("teach_fix", {"do": "undo"}),
        ("teach_fix", {"do": "skip"}),
        ("teach_fix", {"do": "again"}),
        ("teach_fix", {"do": "face", "colour": "blue", "value": 7}),
        ("teach_stop", {}),
    ]
    expect(cell(page, "red 2")).to_have_class("teach-cell is-left")
    expect(action(page, "teach-other")).to_be_hidden()
    site.show(page, Table().act("teach", deck="red").document(2))
    expect(action(page, "teach-undo")).to_be_disabled()
    expect(action(page, "teach-again")).to_be_hidden()


def test_a_button_under_a_finger_stays_the_same_while_cards_come(open_page: Open, site: Site) -> None:
    table = Table().act("teach", deck="red")
    page = open_page(table.document(1))
    action(page, "teach-skip").focus()
    page.evaluate("window.held = document.activeElement")
    for n in range(5):
        site.show(page, table.lay(FACES[n]).document(2 + n))
    assert page.evaluate("window.held === document.activeElement && window.held.isConnected")


def test_a_deck_is_chosen_or_named_from_the_menu(
    open_page: Open, operator: PageOperator, complaints: list[str]
) -> None:
    known = (printed_deck("red"), Deck("Großmutter", {"04A1B2C3D4E5F6": Face("red", 1)}))
    page = open_page(Table(*known).document(1))
    choose_from_menu(page, "teach")
    dialog = page.locator("#teach-deck")
    expect(dialog.locator('[data-deck="red"]')).to_contain_text("complete")
    expect(dialog.locator('[data-deck="Großmutter"]')).to_contain_text("39 cards are missing")
    expect(dialog.locator('[name="deck"]')).to_have_value("green")
    operator.answer = Answer(409, {"reason": "game_on", "text": "a game is being played"})
    dialog.locator('[name="deck"]').fill("Anna <b>")
    with page.expect_response("**/api/teach"):
        dialog.get_by_role("button", name="Begin").click()
    expect(dialog.locator(".wrong")).to_have_text("A game is being played.")
    operator.answer = Answer(200, {"version": 2})
    with page.expect_response("**/api/teach"):
        dialog.get_by_role("button", name="Go on with the deck Großmutter").click()
    expect(dialog).to_have_count(0)
    assert operator.done() == [("teach", {"deck": "Anna <b>"}), ("teach", {"deck": "Großmutter"})]
    assert all("409" in complaint for complaint in complaints)
    complaints.clear()


def test_a_lesson_that_begins_from_the_form_of_a_new_game_is_not_hidden_by_it(
    open_page: Open, operator: PageOperator
) -> None:
    operator.kept_decks = []
    page = open_page(Table().document(1))
    action(page, "new-game").click()
    page.locator('#new-game [data-action="teach"]').click()
    with page.expect_response("**/api/teach"):
        page.locator("#teach-deck").get_by_role("button", name="Begin").click()
    expect(page.locator("dialog")).to_have_count(0)
    assert operator.done() == [("teach", {"deck": "red"})]


def test_during_a_game_no_deck_can_be_taught(open_page: Open) -> None:
    page = open_page(playing())
    action(page, "more").click()
    expect(page.locator("#menu")).to_be_visible()
    expect(page.locator('#menu [data-action="teach"]')).to_have_count(0)


def test_who_may_press_nothing_sees_the_lesson(open_page: Open) -> None:
    table = Table().act("teach", deck="red <img src=x onerror=alert(1)>").lay(FACES[0])
    page = open_page(table.document(1), writable=False)
    expect(page.locator(".teach-ask")).to_have_text("Lay red 2 on any pad.")
    expect(page.locator("#teach h1")).to_have_text("Teaching the deck “red <img src=x onerror=alert(1)>”")
    expect(page.locator("#teach button")).to_have_count(0)


def full_lesson() -> Table:
    table = Table(printed_deck("green")).act("teach", deck="red").lay(*FACES[:7]).act("teach_fix", do="skip")
    for face in FACES[8:17]:
        table.lay(face).take(face)
    return table.lay(FACES[33], deck="green")


@pytest.mark.parametrize("size", [TELEVISION, PHONE], ids=["television", "phone"])
def test_the_lesson_fits_a_television_and_a_phone(
    open_page: Open, screenshots: Path, site: Site, size: tuple[int, int]
) -> None:
    page = open_page(full_lesson().document(1), size)
    name = f"{size[0]}"
    photograph(page, screenshots / f"teach-{name}.png")
    assert page.evaluate(FAINT) == []
    assert page.evaluate("document.documentElement.scrollWidth <= innerWidth")
    parts = [".teach-card .face", ".teach-ask", ".teach-trouble", '[data-action="teach-stop"]']
    for part in parts:
        box = page.locator(part).bounding_box()
        assert box is not None
        foot = page.locator(".foot").bounding_box()
        assert foot is not None
        assert 0 <= box["y"] < box["y"] + box["height"] <= foot["y"], part
    done = Table(printed_deck("red")).act("teach", deck="red")
    site.show(page, done.document(2))
    expect(page.locator(".teach-ask")).to_have_text('The deck "red" is complete: all 40 cards are taught.')
    expect(action(page, "teach-other")).to_be_visible()
    photograph(page, screenshots / f"teach-done-{name}.png")
