"""One journal entry folded into a live game of Cir*Kis: its moves, what is to be lifted, what was undone.

Owns what each kind of entry does to the game. Must not know how an entry comes about, or the page.

Two things hold whatever the entry: a space of the position is never one to be lifted first, and what was
undone is forgotten only when another move is played, for then it followed on another list of moves.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import replace
from typing import TYPE_CHECKING, Any

from tablewire.board.lies import EMPTY, Lies
from tablewire.entries import Entry, EntryKind
from tablewire.games.cirkis.corrections import Row, edited, forgets_undone, parse_edits
from tablewire.games.cirkis.moves import Moves, parse_move
from tablewire.games.cirkis.record import Line, Pass, Turn
from tablewire.games.cirkis.report import FORCEABLE
from tablewire.games.cirkis.sensing import still_to_lift
from tablewire.games.cirkis.tiling import SpaceId
from tablewire.games.cirkis.wiring import SPACE_COUNT, sensor_of

if TYPE_CHECKING:
    from tablewire.games.cirkis.referee import CirkisTable


def evolve(table: CirkisTable, entry: Entry, lies: Lies) -> CirkisTable:
    """The game after one entry; `lies` includes it when it is an observation."""
    return _EVOLVE[entry.kind](table, entry, lies)


def lying(lies: Lies) -> dict[SpaceId, int]:
    """Every space with a magnet that is believed, marked as not counting from now on."""
    return {
        SpaceId(index + 1): lies.now_ms
        for index, sensor in enumerate(lies.sensors[:SPACE_COUNT])
        if sensor.cls != EMPTY and index not in lies.masked
    }


def lies_there(line: Line, lies: Lies) -> bool:
    """Whether something lies on every space of a placement, as far as its sensors are believed."""
    if not isinstance(line, Turn):
        return False
    sensors = [sensor_of(space) for space in line.spaces]
    believed = [sensor for sensor in sensors if sensor not in lies.masked]
    return bool(believed) and all(
        sensor < len(lies.sensors) and lies.sensors[sensor].cls != EMPTY for sensor in believed
    )


def redone(table: CirkisTable, count: int) -> Moves | None:
    """The list of moves with `count` more of the undone ones; None when one of them is no longer legal."""
    moves = table.moves
    for line, laid in reversed(table.undone[-count:]):
        if not moves.rules.apply(moves.state, line).report.legal:
            return None
        moves = moves.play(line, laid)
    return moves


def rewritten(table: CirkisTable, body: Mapping[str, Any]) -> tuple[Moves, tuple[int, ...], tuple[int, ...]]:
    """The moves after one of them has grown; then the indices of those kept as forced, and of those dropped.

    What the sensors saw and the rules now refuse lies on the table still: it leaves the list to be judged
    again, unless a person chose the growth. What no sensor saw has only the list to be kept in; a pass that
    is none any more says nothing of the pieces after it.
    """
    rows, index = table.moves.lines(), int(body["index"])
    rows[index] = parse_move(body)
    chosen = is_chosen(body)
    moves, forced, dropped = Moves(table.moves.rules, table.moves.start), list[int](), list[int]()
    again = False
    for at, (line, laid) in enumerate(rows):
        refused = moves.rules.apply(moves.state, line).report.reasons
        seen = laid is not None and not chosen
        # Once a piece is to be judged again, those laid after it are judged after it.
        if isinstance(line, Turn) and seen and (again or refused) and at != index:
            again = True
            dropped.append(at)
        elif isinstance(line, Pass) and not chosen and (again or refused):
            dropped.append(at)
        elif not refused:
            moves = moves.play(line, laid)
        elif isinstance(line, Turn | Pass) and FORCEABLE.issuperset(refused):
            forced.append(at)
            moves = moves.play(replace(line, forced=True), laid)
        else:
            dropped.append(at)
    return moves, tuple(forced), tuple(dropped)


def is_chosen(body: Mapping[str, Any]) -> bool:
    """Whether a person chose the change of an entry, which else followed from the sensors alone."""
    return bool(body.get("how", body["by"]) == "choice")


def _standing(
    table: CirkisTable, moves: Moves, lies: Lies, gone: Iterable[SpaceId] = (), **changes: Any
) -> CirkisTable:
    """The table with another list of moves; what lies on the spaces `gone` is to be lifted."""
    state, before = moves.state, table.moves.state
    if state.round > before.round:
        lift_first, setting_up = lying(lies), state.moves == 0
    else:
        marked = {space: lies.now_ms for space in gone if _may_lie(lies, space)}
        lift_first = {**table.lift_first, **marked}
        setting_up = table.setting_up and state.moves == 0 and state.round == before.round
    kept = {space: ms for space, ms in lift_first.items() if space not in moves.position}
    return replace(table, moves=moves, lift_first=kept, setting_up=setting_up, **changes)


def _may_lie(lies: Lies, space: SpaceId) -> bool:
    index = sensor_of(space)
    return index < len(lies.sensors) and lies.sensors[index].last != EMPTY and index not in lies.masked


def _gone(table: CirkisTable, moves: Moves) -> list[SpaceId]:
    return [space for space in table.moves.position if space not in moves.position]


def _observed(table: CirkisTable, entry: Entry, lies: Lies) -> CirkisTable:
    table = _seen_whole(table, entry.body, lies) if "classes" in entry.body else table
    if entry.body.get("resumed") and "classes" not in entry.body:
        return replace(table, resumed=True)
    if not table.lift_first:
        return table
    kept = {space: ms for space, ms in table.lift_first.items() if still_to_lift(lies, sensor_of(space), ms)}
    return table if len(kept) == len(table.lift_first) else replace(table, lift_first=kept)


def _seen_whole(table: CirkisTable, body: Mapping[str, Any], lies: Lies) -> CirkisTable:
    """Everything that lies there, told at once: by the first board of all, after a boot, after a cut link.

    What lay there before the first move is no move, and nor is what another game left. After a boot, or a
    time in which the game was put aside, nobody saw the last piece go: it is asked for, not taken back.
    """
    resumed = bool(body.get("resumed")) or table.resumed
    other_boot = body["nonce"] != table.boot
    first = table.boot is None and table.setting_up
    if body.get("set_up") or first or resumed:
        strange = {space: ms for space, ms in lying(lies).items() if space not in table.moves.position}
        table = replace(table, lift_first=strange)
    if (resumed or other_boot) and table.liftable and not lies_there(table.moves.moves[-1].line, lies):
        table = replace(table, liftable=False)
    return replace(table, boot=body["nonce"], resumed=False, unseen_ms=lies.now_ms)


def _committed(table: CirkisTable, entry: Entry, lies: Lies) -> CirkisTable:
    moves = table.moves
    for row in entry.body["moves"]:
        moves = moves.play(*parse_move(row))
    last = moves.moves[-1]
    liftable = isinstance(last.line, Turn) and (last.laid is not None or lies_there(last.line, lies))
    return _standing(table, moves, lies, liftable=liftable, undone=())


def _rewritten(table: CirkisTable, entry: Entry, lies: Lies) -> CirkisTable:
    return _standing(table, rewritten(table, entry.body)[0], lies, liftable=True)


def _taken_back(table: CirkisTable, _entry: Entry, lies: Lies) -> CirkisTable:
    rows = table.moves.lines()
    moves, _ = table.moves.replay(rows[:-1])
    return _standing(table, moves, lies, liftable=False, undone=(*table.undone, (rows[-1][0], None)))


def _undone(table: CirkisTable, entry: Entry, lies: Lies) -> CirkisTable:
    rows, count = table.moves.lines(), int(entry.body.get("count", 1))
    moves, _ = table.moves.replay(rows[:-count])
    undone = (*table.undone, *((line, None) for line, _ in reversed(rows[-count:])))
    return _standing(table, moves, lies, _gone(table, moves), liftable=False, undone=undone)


def _redone(table: CirkisTable, entry: Entry, lies: Lies) -> CirkisTable:
    """The moves are back; lifting takes the last back only if its piece lies there, else it is asked for."""
    count = int(entry.body.get("count", 1))
    moves = redone(table, count)
    if moves is None:
        raise ValueError("the journal brings back a move that is not legal")
    liftable = lies_there(moves.moves[-1].line, lies)
    return _standing(table, moves, lies, liftable=liftable, undone=table.undone[:-count])


def _ruled(table: CirkisTable, entry: Entry, lies: Lies) -> CirkisTable:
    return _standing(table, table.moves.play(*parse_move(entry.body)), lies, liftable=False)


def _masked(table: CirkisTable, _entry: Entry, _lies: Lies) -> CirkisTable:
    return table


def _corrected(table: CirkisTable, entry: Entry, lies: Lies) -> CirkisTable:
    """The corrected list, replayed. Lifting takes the last piece back as before, or if it is new and lies."""
    before = table.moves.lines()
    undone = table.undone
    if "moves" in entry.body:  # as the first version of the program wrote it
        rows: list[Row] = [parse_move(row) for row in entry.body["moves"]]
    else:
        edits = parse_edits(entry.body["edits"])
        rows = edited(before, edits, entry.body["forced"], entry.body["lost"])
        undone = () if forgets_undone(len(before), edits) else undone
    moves, refused = table.moves.replay(rows)
    if refused is not None:
        raise ValueError(f"the journal corrects the game to one that is not legal at entry {refused + 1}")
    last = rows[-1] if rows else None
    if last is None or (before and last == before[-1]):
        liftable = table.liftable and last is not None
    else:
        liftable = last not in before and lies_there(last[0], lies)
    return _standing(table, moves, lies, _gone(table, moves), liftable=liftable, undone=undone)


_EVOLVE = {
    EntryKind.OBSERVATION: _observed,
    EntryKind.COMMIT: _committed,
    EntryKind.REWRITE: _rewritten,
    EntryKind.TAKE_BACK: _taken_back,
    EntryKind.CORRECTION: _corrected,
    EntryKind.RULING: _ruled,
    EntryKind.UNDO: _undone,
    EntryKind.REDO: _redone,
    EntryKind.MASK: _masked,
}
