"""The page in a browser: what a person at the table can do, and how the page stays up to date."""

from typing import Any

import pytest
from playwright.sync_api import expect
from tests.web.browsing import PATIENCE_MS, Open, Site, action, choose_from_menu
from tests.web.documents import allowing, no_game, playing
from tests.web.operators import WrittenOperator

from tablewire.web.actions import Answer
from tablewire.web.feed import Feed

# What it lets people do


def test_a_choice_is_sent_when_its_button_is_touched(open_page: Open, operator: WrittenOperator) -> None:
    choices = [{"id": "slice", "text": "A small slice"}, {"id": "wedges", "text": "Two wedges"}]
    message = {"kind": "ambiguous", "reasons": [], "text": "Which is it?", "steps": [], "choices": choices}
    page = open_page(playing(message=message))
    with page.expect_response("**/api/choose"):
        page.get_by_role("button", name="Two wedges").click()
    assert operator.asked == [("choose", {"id": "wedges"})]


def test_only_what_is_possible_now_has_a_live_button(open_page: Open, site: Site) -> None:
    page = open_page(playing(actions=allowing()))
    expect(action(page, "undo")).to_be_disabled()
    expect(action(page, "redo")).to_be_disabled()
    for name in ("pass", "decline", "next-round"):
        expect(action(page, name)).to_have_count(0)
    site.show(page, playing(2, actions=allowing(**{"pass": True}, undo=True, redo=True)))
    for name in ("pass", "undo", "redo"):
        expect(action(page, name)).to_be_enabled()


@pytest.mark.parametrize(
    ("button", "asked"),
    [("pass", "pass"), ("decline", "pass"), ("undo", "undo"), ("redo", "redo"), ("next-round", "next_round")],
)
def test_a_button_does_what_it_says(
    open_page: Open, operator: WrittenOperator, button: str, asked: str
) -> None:
    page = open_page(playing(actions=allowing(**{button.replace("-", "_"): True})))
    with page.expect_response("**/api/*"):
        action(page, button).click()
    assert operator.asked == [(asked, {})]


def test_a_button_works_from_the_keyboard(open_page: Open, operator: WrittenOperator) -> None:
    page = open_page(playing(actions=allowing(undo=True)))
    action(page, "undo").focus()
    with page.expect_response("**/api/undo"):
        page.keyboard.press("Enter")
    assert operator.asked == [("undo", {})]


def test_what_the_table_refuses_is_said(
    open_page: Open, operator: WrittenOperator, complaints: list[str]
) -> None:
    operator.answer = Answer(409, {"reason": "nothing_to_undo", "text": "There is no move to take back."})
    page = open_page(playing(actions=allowing(undo=True)))
    action(page, "undo").click()
    expect(page.locator("#toast")).to_have_text("There is no move to take back.")
    expect(action(page, "undo")).to_be_enabled()
    assert all("409" in complaint for complaint in complaints)
    complaints.clear()


def test_it_shows_where_the_player_may_place_on_request(open_page: Open) -> None:
    page = open_page(playing())
    hints = page.locator("svg.board .hint")
    expect(hints).to_have_count(0)
    page.get_by_role("button", name="Where may Petra place?").click()
    expect(hints).to_have_count(2)
    expect(page.locator(".where-title")).to_have_text("Petra may place")
    page.locator('[data-shape="small slice"]').click()
    expect(page.locator(".where-steps")).to_contain_text("1 places")
    page.locator('[data-shape="small slice"]').click()
    page.get_by_role("button", name="Next place").click()
    expect(page.locator(".where-steps")).to_contain_text("1 of 3")
    expect(page.locator("svg.board .hint.sure")).to_have_count(1)
    page.get_by_role("button", name="Previous place").click()
    expect(page.locator(".where-steps")).to_contain_text("3 of 3")
    page.get_by_role("button", name="Where may Petra place?").click()
    expect(hints).to_have_count(0)


def test_where_a_player_may_place_follows_the_game(
    open_page: Open, site: Site, operator: WrittenOperator
) -> None:
    page = open_page(playing())
    page.get_by_role("button", name="Where may Petra place?").click()
    expect(page.locator("svg.board .hint")).to_have_count(2)
    operator.placements = [{"shape": "wedge", "spaces": [space]} for space in (40, 41, 42, 43)]
    site.show(page, playing(2, moves=5))
    expect(page.locator("svg.board .hint")).to_have_count(4)


def test_a_new_game_is_set_up_in_a_form(open_page: Open, operator: WrittenOperator) -> None:
    page = open_page(no_game())
    action(page, "new-game").click()
    dialog = page.locator("#new-game")
    dialog.get_by_role("button", name="Start the game").click()
    expect(dialog.locator(".wrong")).to_have_text("Choose at least two players.")
    for colour in ("green", "purple", "red", "purple"):
        dialog.locator(f'[data-colour="{colour}"]').click()
    dialog.get_by_label("International").check()
    dialog.get_by_label("Center Ring").check()
    dialog.get_by_label("Points that end the game").fill("60")
    dialog.get_by_label("Play a match").check()
    with page.expect_response("**/api/new-game"):
        dialog.get_by_role("button", name="Start the game").click()
    expect(dialog).to_be_hidden()
    assert operator.asked == [
        (
            "new_game",
            {
                "game": "cirkis",
                "players": ["green", "red"],
                "rulebook": "international",
                "options": {"center_ring": True, "target": 60, "match": 100},
            },
        )
    ]


def test_the_players_of_the_last_game_are_proposed_again(open_page: Open, operator: WrittenOperator) -> None:
    page = open_page(playing())
    choose_from_menu(page, "new-game")
    dialog = page.locator("#new-game")
    with page.expect_response("**/api/new-game"):
        dialog.get_by_role("button", name="Put this game aside and start").click()
    [(_, body)] = operator.asked
    assert body["players"] == [player["colour"] for player in playing()["players"]]


def test_a_game_being_played_is_not_ended_by_a_slip(open_page: Open, operator: WrittenOperator) -> None:
    page = open_page(playing())
    choose_from_menu(page, "new-game")
    dialog = page.locator("#new-game")
    expect(dialog.locator(".warning")).to_contain_text("A game is being played")
    expect(dialog.get_by_role("button", name="Put this game aside and start")).to_be_visible()
    dialog.get_by_role("button", name="Cancel").click()
    expect(dialog).to_be_hidden()
    assert operator.asked == []


def test_while_a_question_is_open_nobody_is_told_to_play(open_page: Open, site: Site) -> None:
    message = {"kind": "ambiguous", "reasons": [], "text": "Which is it?", "steps": [], "choices": []}
    page = open_page(playing(phase="hold", message=message))
    expect(page.locator("#turn h1")).to_have_text("Play is on hold")
    expect(page.locator("#turn")).to_contain_text("It goes on as soon as the question is answered.")
    site.show(page, playing(2))
    expect(page.locator("#turn h1")).to_have_text("Petra to play")


@pytest.mark.parametrize("kind", ["ambiguous", "unexplained"])
def test_to_lift_the_piece_is_one_more_answer_to_a_question(open_page: Open, kind: str) -> None:
    message = {
        "kind": kind,
        "reasons": [],
        "text": "Which is it?",
        "steps": [{"do": "lift", "spaces": [121], "colour": "green"}],
        "choices": [{"id": "move:121", "text": "A wedge", "spaces": [121]}],
    }
    page = open_page(playing(phase="hold", message=message))
    expect(page.locator("#message .steps")).to_have_count(0)
    expect(page.locator("#message .choices + p")).to_have_text("Or lift the green piece from space 121.")
    expect(page.locator("svg.board .mark-number")).to_have_text("1↑")


def test_what_is_wrong_with_a_new_game_is_said_in_the_form(
    open_page: Open, operator: WrittenOperator, complaints: list[str]
) -> None:
    operator.answer = Answer(422, {"reason": "malformed", "text": "the target must be 5 or more"})
    page = open_page(no_game())
    action(page, "new-game").click()
    for colour in ("green", "red"):
        page.locator(f'[data-colour="{colour}"]').click()
    page.get_by_role("button", name="Start the game").click()
    expect(page.locator("#new-game .wrong")).to_have_text("The target must be 5 or more.")
    expect(page.locator("#new-game")).to_be_visible()
    assert all("422" in complaint for complaint in complaints)
    complaints.clear()


def test_a_page_on_another_computer_shows_everything_and_offers_nothing(open_page: Open) -> None:
    choices = [{"id": "a", "text": "A small slice"}]
    message = {"kind": "ambiguous", "reasons": [], "text": "Which is it?", "steps": [], "choices": choices}
    page = open_page(playing(message=message, actions=allowing(undo=True)), writable=False)
    expect(page.locator("#turn h1")).to_have_text("Petra to play")
    for name in ("undo", "redo", "pass", "new-game"):
        expect(action(page, name)).to_have_count(0)
    expect(page.locator("#read-only")).to_contain_text("Read-only")
    expect(page.get_by_role("button", name="A small slice")).to_be_disabled()


# Staying up to date


def test_every_page_follows_the_game_and_a_reload_loses_nothing(open_page: Open, site: Site) -> None:
    first, second = open_page(playing(1)), open_page(playing(1))
    site.show(first, playing(2, turn="red", moves=5))
    for page in (first, second):
        expect(page.locator("#turn h1")).to_have_text("Robert to play")
    first.reload()
    expect(first.locator("#turn h1")).to_have_text("Robert to play")
    expect(first.locator("svg.board .piece")).to_have_count(4)


def test_a_lost_server_is_said_and_its_return_brings_the_whole_state(
    open_page: Open, site: Site, operator: WrittenOperator, board: dict[str, Any], complaints: list[str]
) -> None:
    page = open_page(playing(5))
    expect(page.locator("#lost")).to_be_hidden()
    site.stop()
    expect(page.locator("#lost")).to_contain_text("has lost the table's program", timeout=PATIENCE_MS)
    back = Site(Feed(), operator, board)
    # Another folder of games counts versions of its own.
    back.feed.publish(3, playing(3, turn="green"))
    back.start(port=site.port)
    try:
        expect(page.locator("#turn h1")).to_have_text("Gesa to play", timeout=PATIENCE_MS)
        expect(page.locator("#lost")).to_be_hidden(timeout=PATIENCE_MS)
    finally:
        page.close()
        back.stop()
    assert all("ERR_" in complaint for complaint in complaints)
    complaints.clear()


def test_a_page_that_got_no_stream_follows_the_game_all_the_same(
    open_page: Open, site: Site, complaints: list[str]
) -> None:
    page = open_page(playing(1), stream_cap_count=0)
    site.show(page, playing(2, turn="red"))
    expect(page.locator("#turn h1")).to_have_text("Robert to play")
    expect(page.locator("#lost")).to_be_hidden()
    assert all("503" in complaint for complaint in complaints)
    complaints.clear()
