"""What a change of the list of moves would lead to, said before it is done.

Owns the preview of a correction, as JSON and in words. Must not know how a change is worked out, or the page.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from tablewire.games.cirkis import entry_words, folding
from tablewire.games.cirkis.corrections import Fault, Projection, merged
from tablewire.games.cirkis.findings import Merge, Rewrite
from tablewire.games.cirkis.moves import Moves, encode_move, replace_spaces
from tablewire.games.cirkis.record import Pass, Turn, encode_line

if TYPE_CHECKING:
    from tablewire.games.cirkis.referee import CirkisTable


def outcome(moves: Moves) -> dict[str, Any]:
    """How the game would stand."""
    result = moves.rules.result(moves.state)
    totals = {} if result.totals is None else {"totals": dict(result.totals)}
    return {
        "scores": dict(result.scores),
        **totals,
        "next": moves.state.to_move,
        "ended": result.ended,
        "winners": list(result.winners),
    }


def preview(table: CirkisTable, plan: Projection) -> dict[str, Any]:
    """What a correction would do; numbers of entries are those of the edited list."""
    first = plan.first
    return {
        "possible": plan.possible,
        "first_illegal": None
        if first is None
        else {
            "n": first.n,
            "line": encode_line(first.line),
            "reasons": list(first.reasons),
            "text": fault_said(table, plan, first),
        },
        "forced": list(plan.forced),
        "lost": list(plan.lost),
        "text": projection_said(table, plan),
        **outcome(plan.moves),
    }


def fault_said(table: CirkisTable, plan: Projection, fault: Fault) -> str:
    """Which entry cannot stand, and why, in one sentence."""
    rules = table.moves.rules
    line = fault.line
    player = line.player if isinstance(line, Turn | Pass) else ""
    shape = entry_words.shape_of(rules.pieces, line.spaces) if isinstance(line, Turn) else ""
    why = entry_words.reasons_said(fault.reasons, player, shape, fault.turn)
    said = entry_words.line_said(rules.pieces, line)
    how = "would not be possible" if fault.n in plan.lost else "would be against the rules"
    return f"Move {fault.n}, {said}, {how}: {why}."


def projection_said(table: CirkisTable, plan: Projection) -> str:
    """All that stands in the way of a correction, or that nothing does."""
    said = [] if plan.first is None else [fault_said(table, plan, plan.first)]
    forced = [n for n in plan.forced if plan.first is None or n != plan.first.n]
    lost = [n for n in plan.lost if plan.first is None or n != plan.first.n]
    if not plan.possible:
        return " ".join(said)
    if forced:
        numbers = entry_words.entries_said(forced)
        said.append(f"{numbers.capitalize()} could stand only against the rules, too.")
    if lost:
        numbers = entry_words.entries_said(lost)
        said.append(f"{numbers.capitalize()} could not stand at all.")
    return " ".join(said) or "Everything after it can stay."


def growth_said(table: CirkisTable, change: Rewrite | Merge) -> str:
    """What choosing that a piece has grown does to the entries after it; empty when it does nothing.

    Of a merge the numbers are those of the list without the entry that goes.
    """
    if isinstance(change, Merge):
        plan = merged(table.moves, change)
        forced, gone = plan.forced, plan.lost
    else:
        line = replace_spaces(table.moves.moves[change.index].line, change.placement.spaces)
        body = {"how": "choice", "by": "", "index": change.index, **encode_move(line, change.laid)}
        _, *after = folding.rewritten(table, body)
        forced, gone = (tuple(at + 1 for at in some) for some in after)
    said = [
        f"{entry_words.entries_said(numbers)} {one if len(numbers) == 1 else many}"
        for numbers, one, many in (
            (forced, "stands against the rules", "stand against the rules"),
            (gone, "is taken out", "are taken out"),
        )
        if numbers
    ]
    return "; ".join(said)
