"""The page in a browser: a table that is not as the game has it, and the steps that put it right."""

import math
from itertools import combinations
from typing import Any

import pytest
from playwright.sync_api import Page, expect
from tests.web.browsing import PHONE, TELEVISION, Open, Site, action
from tests.web.documents import DISTURBANCE, allowing, disturbed, playing


def steps_of(page: Page) -> list[str]:
    """The steps as they are read."""
    return page.locator("#message .steps li").all_text_contents()


def marks_of(page: Page) -> list[str]:
    """The signs on the board."""
    return page.locator("svg.board .mark-number").all_text_contents()


def test_the_steps_are_numbered_alike_in_the_list_and_on_the_board(open_page: Open) -> None:
    page = open_page(disturbed())
    assert steps_of(page) == [
        "1↑Lift the purple piece from space 22",
        "2↓Put the red small slice on spaces 7 and 8",
        "3↓Put the green big slice on spaces 26, 36 and 56",
    ]
    assert marks_of(page) == ["1↑", "2↓", "3↓"]
    expect(page.locator("svg.board .mark.lift.c-purple")).to_have_count(1)
    expect(page.locator("svg.board .mark.place.c-green")).to_have_count(1)
    expect(page.locator("#turn h1")).to_have_text("Play is on hold")
    expect(page.locator("#turn")).to_contain_text("Petra is to play as soon as the table is right again.")


def test_what_is_lifted_comes_before_what_is_put(open_page: Open) -> None:
    page = open_page(disturbed(steps=[DISTURBANCE[1], DISTURBANCE[0]]))
    assert [step[:2] for step in steps_of(page)] == ["1↑", "2↓"]


def test_pieces_that_do_not_lie_there_are_drawn_faded(open_page: Open) -> None:
    page = open_page(disturbed())
    missing = page.locator("svg.board .piece.is-missing")
    expect(missing).to_have_count(2)
    expect(page.locator('svg.board .piece[data-spaces="1 2"].is-missing')).to_have_count(0)


def test_a_step_that_is_done_goes_and_the_others_keep_their_numbers(open_page: Open, site: Site) -> None:
    page = open_page(disturbed())
    expect(page.locator("#message .progress")).to_have_count(0)
    site.show(page, disturbed(2, steps=[DISTURBANCE[0], DISTURBANCE[2]]))
    assert [step[:2] for step in steps_of(page)] == ["1↑", "3↓"]
    assert marks_of(page) == ["1↑", "3↓"]
    expect(page.locator("#message .progress")).to_have_text("1 of 3 done")
    # One of its three spaces reads: the same step, nearly done.
    site.show(page, disturbed(3, steps=[{**DISTURBANCE[2], "spaces": [36, 56]}]))
    assert steps_of(page) == ["3↓Put the green big slice on spaces 26, 36 and 56: 36 and 56 do not read"]
    expect(page.locator("#message .progress")).to_have_text("2 of 3 done")
    site.show(page, playing(4))
    expect(page.locator("#message")).to_be_hidden()
    assert marks_of(page) == []


def test_a_new_step_begins_the_count_again(open_page: Open, site: Site) -> None:
    page = open_page(disturbed())
    site.show(page, disturbed(2, steps=DISTURBANCE[1:]))
    another = {"do": "lift", "spaces": [100], "colour": "yellow"}
    site.show(page, disturbed(3, steps=[another, *DISTURBANCE[1:]]))
    assert [step[:2] for step in steps_of(page)] == ["1↑", "2↓", "3↓"]
    expect(page.locator("#message .progress")).to_have_count(0)


def test_a_step_that_comes_back_is_to_be_done_again(open_page: Open, site: Site) -> None:
    page = open_page(disturbed())
    site.show(page, disturbed(2, steps=DISTURBANCE[1:]))
    site.show(page, disturbed(3))
    assert [step[:2] for step in steps_of(page)] == ["1↑", "2↓", "3↓"]


def test_of_many_steps_the_list_shows_some_and_the_board_all(open_page: Open, site: Site) -> None:
    many: list[dict[str, Any]] = [
        {"do": "lift", "spaces": [space], "colour": "yellow"} for space in range(70, 90)
    ]
    page = open_page(disturbed(steps=many))
    expect(page.locator("#message .steps li")).to_have_count(7)
    expect(page.locator("#message .more-steps")).to_have_text("and 14 more, marked on the board")
    assert len(marks_of(page)) == 20
    site.show(page, disturbed(2, steps=many[16:]))
    assert [step[:3] for step in steps_of(page)] == ["17↑", "18↑", "19↑", "20↑"]


def test_on_a_phone_the_list_leaves_room_for_the_board(open_page: Open) -> None:
    many = [{"do": "lift", "spaces": [space], "colour": "yellow"} for space in range(70, 90)]
    page = open_page(disturbed(steps=many), PHONE)
    expect(page.locator("#message .steps li")).to_have_count(4)
    expect(page.locator("#message .more-steps")).to_have_text("and 17 more, marked on the board")


@pytest.mark.parametrize("spaces", [([70, 100], [85, 120]), ([26], [36])], ids=["large", "small"])
def test_the_numbers_of_pieces_that_changed_places_do_not_cover_each_other(
    open_page: Open, spaces: tuple[list[int], list[int]]
) -> None:
    one, other = spaces
    steps = [
        {"do": "lift", "spaces": one, "colour": "red"},
        {"do": "lift", "spaces": other, "colour": "purple"},
        {"do": "place", "spaces": one, "colour": "purple"},
        {"do": "place", "spaces": other, "colour": "red"},
    ]
    page = open_page(disturbed(steps=steps))
    expect(page.locator("svg.board .mark-disc")).to_have_count(4)
    # Nothing is drawn over any of them.
    assert page.locator("svg.board .mark ~ .mark-badge ~ .mark").count() == 0
    discs = [disc.bounding_box() for disc in page.locator("svg.board .mark-disc").all()]
    for one_of_two, of_two in combinations([disc for disc in discs if disc is not None], 2):
        apart = math.hypot(one_of_two["x"] - of_two["x"], one_of_two["y"] - of_two["y"])
        assert apart > 0.7 * one_of_two["width"]


def test_of_one_step_too_many_the_list_shows_that_one_too(open_page: Open) -> None:
    seven = [{"do": "lift", "spaces": [space], "colour": "yellow"} for space in range(70, 77)]
    page = open_page(disturbed(steps=seven))
    expect(page.locator("#message .steps li")).to_have_count(7)
    expect(page.locator("#message .more-steps")).to_have_count(0)


def test_clearing_a_full_board_is_one_step_with_progress_by_spaces(open_page: Open, site: Site) -> None:
    def clearing(version: int, *spaces: int) -> dict[str, Any]:
        step = {"do": "lift", "spaces": list(spaces)}
        message = {"kind": "setup", "reasons": [], "text": "Clear it.", "steps": [step], "choices": []}
        return playing(version, phase="waiting", message=message)

    page = open_page(clearing(1, *range(1, 41)))
    assert steps_of(page) == ["1↑Lift what lies on the 40 spaces marked on the board"]
    site.show(page, clearing(2, 39, 40))
    assert steps_of(page) == ["1↑Lift what lies on spaces 39 and 40"]
    expect(page.locator("#message .progress")).to_have_text("38 of 40 spaces done")


def test_the_steps_can_be_read_from_the_sofa(open_page: Open) -> None:
    page = open_page(disturbed(), TELEVISION)
    step_px = page.evaluate(
        "parseFloat(getComputedStyle(document.querySelector('#message .steps li')).fontSize)"
    )
    mark_px = page.locator("svg.board .mark-number").first.bounding_box()
    assert step_px >= 28
    assert mark_px is not None
    assert mark_px["height"] >= 28
    for player in ("purple", "red", "green", "yellow"):
        expect(page.locator(f'.card[data-player="{player}"] .score-now')).to_be_in_viewport(ratio=1)


def test_taking_the_table_as_it_lies_is_offered_where_it_is_possible(open_page: Open, site: Site) -> None:
    page = open_page(disturbed())
    expect(page.locator('#message [data-action="accept"]')).to_have_text("Take the table as it lies …")
    site.show(page, {**disturbed(2), "actions": allowing(undo=True, accept=False)})
    expect(action(page, "accept")).to_have_count(0)


def test_whoever_may_only_look_sees_the_steps_and_is_offered_nothing(open_page: Open) -> None:
    page = open_page(disturbed(), writable=False)
    assert len(steps_of(page)) == len(marks_of(page)) == 3
    expect(action(page, "accept")).to_have_count(0)


def test_after_the_end_it_says_that_clearing_records_nothing_and_what_can_be_done(
    open_page: Open, site: Site
) -> None:
    result = {"ended": "target", "winners": ["green"], "scores": {}, "unplayed": {}}
    page = open_page(playing(phase="over", turn=None, result=result, actions=allowing(undo=True)))
    turn = page.locator("#turn")
    expect(turn).to_contain_text("Clear the table when you like: nothing more is recorded.")
    expect(turn).to_contain_text("Begin a new game, or undo or correct a move.")
    for name in ("new-game", "undo", "moves"):
        expect(action(page, name)).to_be_enabled()
    site.show(
        page,
        playing(2, phase="over", turn=None, result=result, actions=allowing(undo=True, next_round=True)),
    )
    expect(turn).to_contain_text("Open the next round, or undo or correct a move.")


def test_after_the_end_nobody_is_asked_for_a_peg_that_is_in_the_box(open_page: Open, site: Site) -> None:
    document = playing(phase="over", turn=None)
    for player in document["players"]:
        player["peg"] = {"hole": None, "due": 15}
    page = open_page(document)
    expect(page.locator(".peg-words")).to_have_text(["", "", "", ""])
    expect(page.locator(".holes .due")).to_have_count(0)
