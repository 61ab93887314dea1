"""What a live table asks the rules between two lines."""

from __future__ import annotations

from tests.games.by_hand import SINGLES, Json, few, moves

from tablewire.games.base import TurnOrder
from tablewire.games.catalogue import playable
from tablewire.games.cirkis.colours import PlayerColour
from tablewire.games.cirkis.options import Options
from tablewire.games.cirkis.pieces import parse_piece_set
from tablewire.games.cirkis.record import Line, parse_line
from tablewire.games.cirkis.report import Reason
from tablewire.games.cirkis.rules import Rules
from tablewire.games.cirkis.state import State
from tablewire.games.cirkis.tiling import mask_of

RED, GREEN = PlayerColour.RED, PlayerColour.GREEN


def rules_of(pieces: list[Json], options: Options | None = None) -> Rules:
    return Rules((RED, GREEN), options, parse_piece_set(pieces))


def play(rules: Rules, text: str) -> State:
    state = rules.start()
    for value in moves(text):
        line: Line | None = parse_line(value)
        state, report = rules.apply(state, line)
        assert report.legal, (value, report.reasons)
    return state


def test_a_position_shows_what_lies_on_the_table() -> None:
    state = play(rules_of(SINGLES), "r6 g7 r8")
    assert (state.to_move, state.round, state.moves, state.ended) == (GREEN, 1, 3, None)
    assert state.filled == mask_of([6, 7, 8])
    assert state.masks == (mask_of([6, 8]), mask_of([7]))
    assert state.leader == mask_of([8])
    assert state.scores_of("red") == 0


def test_the_stock_goes_down_by_what_is_laid() -> None:
    rules = rules_of(few(wedge=2, arrow=1))
    state = play(rules, "r6 g1 r7")
    assert rules.stock(state, "red") == {"wedge": 0, "arrow": 1}
    assert rules.stock(state, "green") == {"wedge": 2, "arrow": 0}
    assert rules.unplayed(state) == (1, 2)
    assert not rules.in_stock(state, "red", "wedge")
    assert rules.in_stock(state, "red", "arrow")


def test_legal_placements_are_those_that_touch_the_leader() -> None:
    # Around dart 1 lie 2 to 5 of the star and the kites 6, 7, 14, 15.
    rules = rules_of(few(wedge=2, arrow=2))
    state = play(rules, "r1")
    assert {p.spaces for p in rules.legal_placements(state)} == {(s,) for s in (2, 3, 4, 5, 6, 7, 14, 15)}
    first = {p.spaces for p in rules.legal_placements(rules.start())}
    assert first == {(space,) for space in range(1, 16)}


def test_legal_placements_cover_no_filled_space() -> None:
    rules = Rules((RED, GREEN))
    state = play(rules, "r7,8 g2 r1,6")
    filled = {1, 2, 6, 7, 8}
    legal = rules.legal_placements(state)
    assert all(filled.isdisjoint(p.spaces) for p in legal)
    assert {"wedge", "arrow", "hook"} <= {p.shape for p in legal}


def test_anybody_can_be_asked_about_whoever_is_to_move() -> None:
    rules = rules_of(few(wedge=3, sliver=9), Options(voluntary_pass=True))
    state = play(rules, "r6 g- r7 g- r8 g9")
    assert state.to_move is GREEN
    assert rules.can_place(state, "green")
    assert not rules.can_place(state, "red")
    assert not rules.can_place(state, "yellow")
    assert rules.expected_passes(state) == (RED,)
    assert rules.judge(state, "red", [10]) == (Reason.NONE_LEFT, Reason.NOT_YOUR_TURN)
    assert rules.judge(state, "green", [10]) == ()
    assert rules.judge_pass(state, "green") == ()
    over = play(rules, "r6 g- r-")
    assert not rules.can_place(over, "red")
    assert rules.legal_placements(over) == []


def test_a_pending_free_turn_shows() -> None:
    rules = rules_of(SINGLES)
    state = play(rules, "r1 g2 r3 g4 r5")
    assert state.free_turn
    assert state.to_move is RED
    assert not play(rules, "r1 g2 r3 g4 r5 r6").free_turn


def test_an_illegal_line_leaves_the_position_as_it_was() -> None:
    rules = rules_of(SINGLES)
    state = play(rules, "r6")
    step = rules.apply(state, parse_line({"player": "green", "spaces": [150]}))
    assert not step.report.legal
    assert step.state is state
    assert rules.apply(state, None).report.reasons == (Reason.NOT_A_LINE,)


def test_awards_say_who_gets_points_for_what() -> None:
    rules = Rules((RED, GREEN), None, parse_piece_set(few(arrow=3)))
    report = rules.apply(play(rules, "r1 g2 r3 g4"), parse_line({"player": "red", "spaces": [5]})).report
    assert [tuple(award) for award in report.awards] == [
        (RED, 10, "dominant", "S1"),
        (RED, 10, "went_out", None),
    ]


def test_cirkis_is_a_game_of_turns() -> None:
    assert playable("cirkis").facts.turn_order is TurnOrder.SEQUENTIAL
