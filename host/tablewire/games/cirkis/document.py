"""The Cir*Kis part of the state document: the game as anybody may read it.

Owns which facts the page, overlays and checks see, and their form. Must not know HTTP, the link or the store.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

from tablewire.board.lies import Lies
from tablewire.games.cirkis import actions, explain, health, words
from tablewire.games.cirkis.colours import PlayerColour
from tablewire.games.cirkis.messages import Message, MessageKind
from tablewire.games.cirkis.moves import Move
from tablewire.games.cirkis.pegs import peg_due, peg_hole
from tablewire.games.cirkis.record import NextRound, Ruling, Turn, encode_header
from tablewire.games.cirkis.report import FreeTurn, LineKind, Report
from tablewire.games.cirkis.scoring import dominant
from tablewire.games.cirkis.survey import Survey
from tablewire.games.cirkis.tiling import board, mask_of, spaces_of

if TYPE_CHECKING:
    from tablewire.games.cirkis.referee import CirkisTable

TURNS = frozenset({LineKind.PLACEMENT, LineKind.PASS})


def document(table: CirkisTable, lies: Lies) -> dict[str, Any]:
    """Everything the page shows of the game."""
    look = table.survey(lies)
    message = explain.message(table, lies, look)
    state, moves = table.moves.state, table.moves.moves
    header = encode_header(table.header)
    over = state.ended is not None and not look.provisional
    # What the last move brings is announced once it can no longer be rewritten.
    final = len(moves) - 1 not in look.provisional
    return {
        "rulebook": header["rulebook"],
        "options": {name: value for name, value in header["options"].items() if name != "pieces"},
        "phase": _phase(over, message),
        "turn": state.to_move,
        "free_turn": _free_turn(table),
        "why_turn": _why_turn(table),
        "passed_over": list(table.passed_over()),
        "players": [_player(table, look, player) for player in table.moves.rules.players],
        "spaces": {str(space): table.moves.position[space] for space in sorted(table.moves.position)},
        "leader": list(spaces_of(state.leader)),
        "completed": _completed(table),
        "moves": state.moves,
        "provisional": bool(look.provisional),
        "settled": min(look.provisional, default=len(moves)),
        "last": moves[-1].step.report.to_json(len(moves)) if moves else None,
        "message": message.to_json() if message else None,
        "result": table.moves.rules.result(state).to_json()["result"] if over else None,
        "round": state.round,
        "totals": _totals(table),
        "pieces": _pieces(table),
        "laid": _laid(table),
        "history": [history_line(n, move) for n, move in enumerate(moves, 1)],
        "verdict": _verdict(table, final, over),
        "awards": _awards(moves[-1].step.report) if moves and final else [],
        "actions": _actions(table, over, message),
        "undone": len(table.undone),
        "flaky": list(look.sensed.flaky),
        "health": health.summary(table, lies),
    }


def _phase(over: bool, message: Message | None) -> str:
    if over:
        return "over"
    if message is not None and message.kind is MessageKind.SETUP:
        return "waiting"
    return "hold" if message is not None and message.holds else "playing"


def _free_turn(table: CirkisTable) -> FreeTurn | None:
    report = table.last_turn()
    return report.free_turn if report is not None and table.moves.state.free_turn else None


def _why_turn(table: CirkisTable) -> dict[str, str]:
    state = table.moves.state
    if state.to_move is None:
        return {"kind": "none", "text": ""}
    first = not state.filled
    free_turn = _free_turn(table)
    passed = table.passed_over()
    kind = "free_turn" if free_turn else "first" if first else "passed_over" if passed else "next"
    return {"kind": kind, "text": words.turn_said(free_turn, passed, first)}


def _player(table: CirkisTable, look: Survey, player: PlayerColour) -> dict[str, Any]:
    state, rules = table.moves.state, table.moves.rules
    score = state.scores_of(player)
    return {
        "colour": player,
        "name": words.name_of(player),
        "score": score,
        "peg": {"hole": peg_hole(look.sensed, player), "due": peg_due(score)},
        "unplayed": dict(rules.stock(state, player)),
    }


def _completed(table: CirkisTable) -> dict[str, dict[str, str | None]]:
    state, area = table.moves.state, board()
    figures = {**area.stars, **area.circles, "ring": area.center_ring}
    found: dict[str, dict[str, str | None]] = {}
    for move in table.moves.moves:
        if isinstance(move.line, NextRound):
            found.clear()
        for figure in move.step.report.completed:
            seat = dominant(figures[figure], state.masks)
            leading = None if seat is None else table.moves.rules.players[seat]
            found[figure] = {"completer": move.step.report.player, "dominant": leading}
    return found


def _totals(table: CirkisTable) -> dict[str, int] | None:
    if table.header.options.match is None:
        return None
    return dict(zip(table.moves.rules.players, table.moves.state.totals, strict=True))


def _pieces(table: CirkisTable) -> dict[str, Any]:
    pieces = table.moves.rules.pieces
    shapes = [
        {"name": s.name, "count": s.count, "example": list(s.example), "flip": s.flip} for s in pieces.shapes
    ]
    return {"name": pieces.name, "shapes": shapes}


def _laid(table: CirkisTable) -> list[dict[str, Any]]:
    by_mask = table.moves.rules.pieces.by_mask
    return [
        {"player": player, "shape": by_mask[mask_of(spaces)].shape, "spaces": list(spaces)}
        for player, spaces in table.moves.pieces_on_table()
    ]


def history_line(n: int, move: Move) -> dict[str, Any]:
    """A move as the page lists it: the line of `tablewire score` and what else was written in the record."""
    line = move.step.report.to_json(n)
    if isinstance(move.line, Turn):
        line["spaces"] = list(move.line.spaces)
    if isinstance(move.line, Ruling) and move.line.note:
        line["note"] = move.line.note
    return line


def _awards(report: Report) -> list[dict[str, Any]]:
    return [
        {
            "player": award.player,
            "points": award.points,
            "why": award.why,
            "figure": award.figure,
            "text": words.award_said(award.player, award.points, award.why, award.figure),
        }
        for award in report.awards
    ]


def _verdict(table: CirkisTable, final: bool, over: bool) -> dict[str, Any] | None:
    """The last move in words: what was placed, who scored and why, what follows."""
    moves = table.moves.moves
    if not moves:
        return None
    report, line = moves[-1].step.report, moves[-1].line
    said = [_said(report, line)]
    if not final:
        return {"legal": True, "text": said[0]}
    said += [award["text"] for award in _awards(report)]
    if report.free_turn is not None and report.player is not None:
        lapses = "" if table.moves.state.free_turn else " It lapses."
        said.append(f"Free turn: {words.FREE_TURNS[report.free_turn]}.{lapses}")
    if report.auto_passes:
        said.append(f"Passed over: {words.listed(words.name_of(p) for p in report.auto_passes)}.")
    result = table.moves.rules.result(table.moves.state)
    if over and result.ended is not None:
        said.append(words.ending_said(result.ended, result.winners))
    return {"legal": True, "text": " ".join(said)}


def _said(report: Report, line: object) -> str:
    match line:
        case Turn(player, spaces):
            piece = words.pieces_said([(report.shape or "piece", spaces)])
            against = " against the rules, by a house ruling" if report.forced else ""
            return f"{words.name_of(player)} placed {piece}{against}."
        case Ruling(points, note):
            given = words.listed(f"{words.name_of(p)} {count:+d}" for p, count in points.items())
            return f"House ruling: {given}." + (f" {note}" if note else "")
        case NextRound(number):
            return f"Round {number} begins."
        case _:
            return f"{words.name_of(report.player or 'nobody')} passed."


def _actions(table: CirkisTable, over: bool, message: Message | None) -> Mapping[str, bool]:
    passing, free = actions.can_pass(table), table.moves.state.free_turn
    return {
        "pass": passing and not free,
        "decline": passing and free,
        "undo": bool(table.moves.moves),
        "redo": bool(table.undone),
        "new_game": True,
        "next_round": over and actions.can_open_round(table),
        "place": table.moves.state.ended is None,
        "correct": bool(table.moves.moves),
        "ruling": True,
        # A piece that is off for a moment makes no other table: only what is said to be wrong does.
        "accept": _phase(over, message) == "hold" and table.moves.state.ended is None,
        "put_aside": True,
    }
