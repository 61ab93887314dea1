"""Taking the table as it lies: the list of moves that leads there, if the rules allow one; else a correction.

Owns how far the game still lies on the table, which line of moves explains the rest, and the offer of it as a
choice. Must not know HTTP, the page, or how a correction without a legal line is worked out.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from tablewire.board.lies import Lies
from tablewire.entries import Entry, EntryKind
from tablewire.games.cirkis import chain, entry_words
from tablewire.games.cirkis.as_it_lies import AsItLies, read_table
from tablewire.games.cirkis.colours import PlayerColour
from tablewire.games.cirkis.corrections import Do, Edit, Projection, project
from tablewire.games.cirkis.moves import Moves, encode_move
from tablewire.games.cirkis.record import Line, NextRound, Pass, Ruling, Turn
from tablewire.games.cirkis.tiling import SpaceId, mask_of
from tablewire.games.cirkis.words import listed

if TYPE_CHECKING:
    from tablewire.games.cirkis.referee import CirkisTable
    from tablewire.games.cirkis.survey import Survey

MAX_SHORTER = 6
"""How many moves before those that lie there are tried as well: a piece that was recorded too small is among
the last, and a whole round is at most four turns and a free one or two."""
SHORTER_STEPS = 250
"""Steps of the search for each of these, so that all of it stays under a quarter of a second."""
OFFER_STEPS = 600
"""Steps of a search made unasked, while people put things right: a fiftieth of a second."""
MAX_OFFERED_TAKE_BACKS = 8
"""More moves to take back than two rounds of four are a table that was cleared, not moves played unseen."""
HOW = "accept"
"""How the entries came about, in the journal."""


@dataclass(frozen=True, slots=True)
class Plan:
    """One legal way to take the table as it lies: the first `kept` moves stay, and all rulings.

    `taken_back` are the entries that go or are changed, `lines` those that come; `projection` is what it
    leads to.
    """

    kept: int
    lines: tuple[Line, ...]
    taken_back: tuple[int, ...]
    projection: Projection


@dataclass(frozen=True, slots=True)
class Offer:
    """A plan as a button. Its id stays the same while the same lies on the table."""

    id: str
    text: str
    spaces: tuple[SpaceId, ...]
    plan: Plan


def differs(table: CirkisTable, seen: AsItLies) -> bool:
    """Whether the table as it lies is not the game's position."""
    return dict(seen.colours) != dict(table.moves.position)


def seen_by(table: CirkisTable, lies: Lies, look: Survey | None = None) -> AsItLies:
    """The table as it lies, seated as the look at it found."""
    seated = (look or table.survey(lies)).seating.half_seated
    return read_table(table.moves, lies, seated)


def choices(table: CirkisTable, lies: Lies, look: Survey, steps: int = OFFER_STEPS) -> tuple[Offer, ...]:
    """What a disturbed table can be taken as by the rules, if that is cheap to find and undoes little."""
    seen = seen_by(table, lies, look)
    if table.moves.state.ended is not None or not seen.at_rest:
        return ()
    new = [space for space in seen.colours if space not in table.moves.position]
    if not new or all(space in table.lift_first for space in new):
        return ()
    plans, _ = legal_plans(table.moves, seen, steps, OFFER_STEPS // 4)
    return tuple(
        offer(table.moves, plan)
        # Of several ways the one with the fewest pieces is the likeliest: magnets side by side are one.
        for plan in sorted(plans, key=lambda plan: len(plan.lines))
        if plan.lines and len(plan.taken_back) <= MAX_OFFERED_TAKE_BACKS
    )


def offer(moves: Moves, plan: Plan) -> Offer:
    """The button for a plan."""
    spelled = ";".join(
        f"{str(line.player)[0]}{','.join(map(str, line.spaces))}" if isinstance(line, Turn) else "pass"
        for line in plan.lines
    )
    spaces = tuple(SpaceId(space) for line in plan.lines if isinstance(line, Turn) for space in line.spaces)
    return Offer(f"accept:{plan.kept}:{spelled}", plan_said(moves, plan), spaces, plan)


def plan_said(moves: Moves, plan: Plan) -> str:
    """What a plan does to the game, in one sentence."""
    pieces = moves.rules.pieces
    said = []
    if plan.taken_back:
        gone = listed(entry_words.line_said(pieces, moves.moves[n - 1].line) for n in plan.taken_back)
        said.append(f"take back {gone}")
    if plan.lines:
        said.append(f"count {listed((entry_words.line_said(pieces, line) for line in plan.lines), 'then')}")
    return f"As it lies: {'; '.join(said) or 'nothing changes'}"


def legal_plans(
    moves: Moves, seen: AsItLies, steps: int = chain.MAX_STEPS, shorter_steps: int = SHORTER_STEPS
) -> tuple[tuple[Plan, ...], bool]:
    """The legal ways to come to what lies there, one for each outcome, and whether these are all.

    From the longest part of the game that still lies there; where that leads nowhere, from a shorter one.
    """
    whole = True
    for tried, kept in enumerate(_prefixes(moves, seen)):
        rulings = [move.line for move in moves.moves[kept:] if isinstance(move.line, Ruling)]
        start, _ = moves.replay([*moves.lines()[:kept], *((line, None) for line in rulings)])
        wanted: dict[PlayerColour, dict[SpaceId, int]] = {}
        for space, colour in seen.colours.items():
            if space not in start.position:
                wanted.setdefault(colour, {})[space] = seen.landed_ms[space]
        unread, most = mask_of(seen.unread), shorter_steps if tried else steps
        # Pieces that lie where they were laid are what they were, or have grown if nothing else is possible.
        same = frozenset(
            mask_of(move.line.spaces)
            for move in moves.moves[kept:]
            if isinstance(move.line, Turn) and _lies(move.line, seen)
        )
        for grown in (False, True) if same else (False,):
            found = chain.chains(moves.rules, start.state, wanted, unread, same, most, grown=grown)
            if found.found:
                return tuple(_plan(moves, kept, way) for way in found.found), found.whole
            whole = whole and found.whole
        if tried == MAX_SHORTER:
            break
    return (), whole


def _prefixes(moves: Moves, seen: AsItLies) -> Iterator[int]:
    """How many moves may stay, longest first: all of their pieces lie there. Earlier rounds always do."""
    count, first = len(moves.moves), _round_start(moves)
    for index in range(first, len(moves.moves)):
        line = moves.moves[index].line
        if isinstance(line, Turn) and not _lies(line, seen):
            count = index
            break
    yield count
    for kept in range(count - 1, first - 1, -1):
        if not isinstance(moves.moves[kept].line, Ruling):
            yield kept


def _round_start(moves: Moves) -> int:
    starts = [index for index, move in enumerate(moves.moves) if isinstance(move.line, NextRound)]
    return starts[-1] + 1 if starts else 0


def _lies(line: Turn, seen: AsItLies) -> bool:
    return all(seen.colours.get(SpaceId(space)) == line.player for space in line.spaces)


def _plan(moves: Moves, kept: int, way: chain.Chain) -> Plan:
    """The edits that leave the first `kept` moves and lead to where `way` leads, as few as can be."""
    tail = [n for n in range(kept + 1, len(moves.moves) + 1) if not _is_ruling(moves, n)]
    lines, both = way.lines, min(len(tail), len(way.lines))
    changed = [
        Edit(Do.REPLACE, n, line)
        for n, line in zip(tail, lines, strict=False)
        if not _says_the_same(moves.moves[n - 1].line, line)
    ]
    for replaced in (changed, None):
        # Rulings between the moves stay where they are, unless the order in which points come matters.
        gone = tail if replaced is None else tail[both:]
        new = lines if replaced is None else lines[both:]
        removals = [Edit(Do.REMOVE, n) for n in reversed(gone)]
        length = len(moves.moves) - len(gone)
        insertions = [Edit(Do.INSERT, length + at, line) for at, line in enumerate(new, 1)]
        plan = project(moves, (*(replaced or ()), *removals, *insertions))
        if not plan.forced and not plan.lost and plan.moves.state == way.state:
            break
    taken_back = tuple(edit.n for edit in plan.edits if edit.do is not Do.INSERT)
    return Plan(
        kept, tuple(e.line for e in plan.edits if e.line is not None), tuple(sorted(taken_back)), plan
    )


def _is_ruling(moves: Moves, n: int) -> bool:
    return isinstance(moves.moves[n - 1].line, Ruling)


def _says_the_same(entry: Line, line: Line) -> bool:
    if isinstance(entry, Turn) and isinstance(line, Turn):
        return entry.player == line.player and set(entry.spaces) == set(line.spaces) and not entry.forced
    return isinstance(entry, Pass) and isinstance(line, Pass) and entry.player == line.player


def entry_of(moves: Moves, plan: Plan, lies: Lies, signed: dict[str, str]) -> Entry:
    """The journal entry of a plan: new moves, moves taken back, or both."""
    body: dict[str, Any] = {**signed, "how": HOW}
    if not plan.taken_back:
        rows = [encode_move(line, None) for line in plan.lines]
        return Entry(EntryKind.COMMIT, lies.now_ms, {**body, "moves": rows})
    count = len(plan.taken_back)
    if not plan.lines and plan.taken_back[0] == len(moves.moves) - count + 1:
        return Entry(EntryKind.UNDO, lies.now_ms, {**body, "count": count})
    return Entry(EntryKind.CORRECTION, lies.now_ms, {**body, **plan.projection.to_body()})
