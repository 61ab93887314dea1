"""The Ligretto part of the state document: the game as anybody may read it.

Owns which facts the page, overlays and checks see, and their form. Must not know HTTP, the link or the store.
"""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any

from tablewire.board.lies import Lies
from tablewire.games.ligretto import actions, health
from tablewire.games.ligretto.counting import counting_json
from tablewire.games.ligretto.look import WRONG_SHOWN_MAX, Look, look
from tablewire.games.ligretto.match import Match
from tablewire.games.ligretto.messages import group_said, message, wrong_said
from tablewire.games.ligretto.record import CardLine, encode_header, encode_line
from tablewire.games.ligretto.report import Reason, RoundScore, Verdict
from tablewire.games.ligretto.words import report_said

if TYPE_CHECKING:
    from tablewire.games.ligretto.course import LigrettoTable

LOG_COUNT = 12
"""The newest lines, as many as a page shows at a glance; the record has all."""
LOG_BYTES = 8_000
"""Of these lines together: one that scores a round has four numbers of every player."""

HISTORY_BYTES = 30_000
"""Of the rounds in a document, which is sent with every card. Twelve players with the longest of plain names
take two thousand a round; the newest rounds are shown, and the totals are of all."""
NUMBER_BYTES = 10
"""What stands beside a name: quotes, a colon, a number and a comma."""


def document(table: LigrettoTable, lies: Lies) -> dict[str, Any]:
    """Everything the page shows of the game."""
    shown = look(table, lies)
    match, rules = shown.match, table.setting.rules
    told = message(table, shown, lies)
    over = match.is_over
    return {
        "rulebook": None,
        "options": encode_header(rules)["options"],
        "phase": _phase(table, shown),
        "players": [_player(table, match, name, seat) for seat, name in enumerate(rules.players)],
        "pad_count": health.pad_count(table, lies),
        "count_pad": table.setting.pad_to_count(lies.reader_count),
        "pads": {
            str(pad): {
                "colour": pile.colour,
                "value": pile.value,
                "height": pile.height,
                "complete": pile.is_complete,
            }
            for pad, pile in sorted(match.round.piles.items())
        },
        "wrong": [
            {
                "n": wrong.n,
                "pad": wrong.pad,
                "player": None if wrong.card is None else wrong.card.owner,
                "card": None if wrong.card is None else wrong.card._asdict(),
                "uid": wrong.uid,
                "reasons": list(wrong.reasons),
                "text": wrong_said(table, shown, wrong, lies),
                "lies": True,
            }
            for wrong in shown.wrong[:WRONG_SHOWN_MAX]
        ],
        "wrong_count": len(shown.wrong),
        "undecided": [
            {
                "id": f"decide:{group.ns[0]}",
                "ns": list(group.ns),
                "pad": group.pad,
                "colour": group.colour,
                "value": group.value,
                "players": list(group.players),
                "text": group_said(group),
            }
            for group in match.round.undecided
        ],
        "round": match.round_number if table.is_open or over else match.round_number - 1,
        "rounds": rules.rounds,
        "target": rules.target,
        "left_penalty": rules.left_penalty,
        "stopped": _stopped(table, shown),
        "counting": counting_json(table, match, lies.reader_count),
        "history": [_round(score) for score in match.rounds[-_history_count(rules.players) :]],
        "history_count": len(match.rounds),
        "log": _log(shown),
        "moves": match.n,
        "settled": len(table.rows),
        "provisional": shown.provisional,
        "last": match.reports[-1].to_json() if match.n else None,
        "message": told.to_json() if told else None,
        "result": match.result()["result"] if over else None,
        "undone": len(table.undone),
        "health": health.summary(table, shown, lies),
        "totals": dict(match.totals),
        "actions": _actions(table, shown),
    }


def _phase(table: LigrettoTable, shown: Look) -> str:
    if shown.match.is_over:
        return "over"
    if not table.is_open:
        return "waiting"
    return "hold" if shown.is_held else "playing"


def _player(table: LigrettoTable, match: Match, name: str, seat: int) -> dict[str, Any]:
    """A player; between rounds and at the end with the numbers of the last round."""
    score = match.rounds[-1] if match.rounds and not table.is_open else None
    return {
        "name": name,
        "deck": table.setting.decks.get(name),
        "seat": seat,
        "played": match.round.played[name] if score is None else score.played[name],
        "left": None if score is None else score.left[name],
        "points": None if score is None else score.points[name],
        "total": match.totals[name],
    }


def _stopped(table: LigrettoTable, shown: Look) -> dict[str, Any] | None:
    stopped = shown.match.round.stopped
    if stopped is None:
        return None
    lines = [(n, row.line) for n, row in enumerate(shown.rows[table.begun.n :], table.begun.n + 1)]
    first_ms = next((line.t_ms for _, line in lines if isinstance(line, CardLine)), stopped.t_ms)
    after = [
        n
        for n, line in lines
        if isinstance(line, CardLine) and line.t_ms > stopped.t_ms and _is_late(shown.match, n)
    ]
    return {"by": stopped.by, "t_ms": stopped.t_ms, "round_ms": stopped.t_ms - first_ms, "after": after}


def _is_late(match: Match, n: int) -> bool:
    report = match.report_of(n)
    return isinstance(report, Verdict) and Reason.AFTER_STOP in report.reasons


def _history_count(players: Sequence[str]) -> int:
    """How many rounds a document holds: each has four numbers of every player."""
    return max(1, HISTORY_BYTES // sum(4 * (len(json.dumps(name)) + NUMBER_BYTES) for name in players))


def _round(score: RoundScore) -> dict[str, Any]:
    told = score.to_json()
    del told["n"]
    return {**told, "stop": score.stop, "undecided": score.undecided_count}


def _log(shown: Look) -> list[dict[str, Any]]:
    first = max(0, shown.match.n - LOG_COUNT)
    lines: list[dict[str, Any]] = []
    room_bytes = LOG_BYTES
    for n in range(shown.match.n, first, -1):
        report, line = shown.match.report_of(n), shown.rows[n - 1].line
        # What was asked to be decided may be by now; the page offers it no longer.
        told = {**report.to_json(), "text": report_said(report, line)}
        if isinstance(line, CardLine):
            told["card"] = encode_line(line)["card"]
        if isinstance(report, RoundScore):
            room_bytes -= len(json.dumps(told))
            if lines and room_bytes < 0:
                break
        lines.append(told)
    return lines[::-1]


def _actions(table: LigrettoTable, shown: Look) -> Mapping[str, bool]:
    now = shown.match.round
    is_stopped = now.stopped is not None
    return {
        "stop": table.is_open and now.has_begun and not is_stopped,
        "unstop": table.is_open and is_stopped,
        "decide": bool(now.undecided),
        "count": table.is_open and is_stopped,
        "left": table.is_open and is_stopped and not shown.is_held,
        "next_round": actions.can_open_round(table),
        "undo": actions.can_undo(table),
        "redo": bool(table.undone),
        "correct": bool(shown.rows),
        "new_game": True,
        "put_aside": True,
    }
