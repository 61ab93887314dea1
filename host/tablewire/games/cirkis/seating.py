"""How the pieces of the position lie in their places: whole, half in their seats, beside them, or not at all.

Owns what is to be put right before play can go on. Must not know new pieces, whose turn it is, or words.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import reduce
from itertools import combinations
from operator import or_

from tablewire.board.lies import Lies
from tablewire.games.cirkis.colours import PlayerColour
from tablewire.games.cirkis.moves import Moves
from tablewire.games.cirkis.record import Turn
from tablewire.games.cirkis.sensing import WEAK_OF_POLE, Gap, Landing, Sensed, Stranger, still_to_lift
from tablewire.games.cirkis.tiling import SpaceId, board, mask_of
from tablewire.games.cirkis.wiring import sensor_of

SHIFT_LIFTS = 2
"""A piece that is moved by a space leaves one place and comes to the other within this many lift times."""

TOUCHED_MS = 1_500
"""A magnet that came down weak with its piece has read so since about the time of the others."""


@dataclass(frozen=True, slots=True)
class Shift:
    """A piece some of whose magnets lie beside where they belong: gone from `left`, found on `found`.

    `settled`: it is not going back by itself.
    """

    player: PlayerColour
    spaces: tuple[SpaceId, ...]
    left: tuple[SpaceId, ...]
    found: tuple[SpaceId, ...]
    settled: bool


@dataclass(frozen=True, slots=True)
class Seating:
    """What is wrong with the position as it lies there.

    `missing`: spaces of pieces that are gone. `half_seated`: spaces that do not read though their piece lies
    there; `doubtful` are those of them on which a weak magnet was laid since: it may be another's.
    `strangers`: magnets where another lies by the game. `shifts`: pieces moved by a space. `adrift`:
    new magnets that may be one such piece's, although it would lie there as no piece. `to_lift`: what does
    not belong to the game any more, or did not from the beginning.
    """

    missing: tuple[SpaceId, ...] = ()
    half_seated: tuple[SpaceId, ...] = ()
    doubtful: tuple[SpaceId, ...] = ()
    strangers: tuple[Stranger, ...] = ()
    shifts: tuple[Shift, ...] = ()
    adrift: frozenset[SpaceId] = frozenset()
    to_lift: tuple[SpaceId, ...] = ()

    @property
    def holds(self) -> bool:
        """Whether play waits until this has been put right."""
        return bool(
            self.missing or self.strangers or self.to_lift or any(shift.settled for shift in self.shifts)
        )


@dataclass(frozen=True, slots=True)
class _Seat:
    """One piece of the position; `last_ms`: when its last magnet came down, None when no sensor saw it."""

    player: PlayerColour
    spaces: tuple[SpaceId, ...]
    last_ms: int | None


def seating(moves: Moves, lies: Lies, sensed: Sensed, lift_first: Mapping[SpaceId, int]) -> Seating:
    """Compare every piece of the position with what its sensors read."""
    seats = list(_seats(moves))
    shifts = tuple(shift for seat in seats for shift in _shifts(moves, lies, sensed, seat))
    shifted = {shift.spaces for shift in shifts}
    gaps = {gap.space: gap for gap in sensed.gaps}
    others = {other.space: other for other in sensed.strangers if not other.flickers}
    missing: list[SpaceId] = []
    half_seated: list[SpaceId] = []
    doubtful: list[SpaceId] = []
    strangers: list[Stranger] = []
    for seat in seats:
        believed = [space for space in seat.spaces if space not in sensed.masked]
        lost = [space for space in believed if space in gaps and _is_lost(lies, seat, gaps[space])]
        reads = [space for space in believed if space not in gaps and space not in others]
        weak = [
            space
            for space in believed
            if space in others and _is_own(moves, seat, others[space], bool(reads))
        ]
        bad = [
            others[space]
            for space in believed
            if space in others and space not in weak and _is_quiet(lies, others[space].changed_ms)
        ]
        strangers.extend(bad)
        if seat.spaces in shifted:
            continue
        quiet = [space for space in weak if _is_quiet(lies, others[space].changed_ms)]
        if reads or weak:
            half_seated.extend(lost + quiet)
            doubtful.extend(space for space in quiet if _is_anew(seat, others[space]))
        elif all(space in lost or space in others for space in believed):
            # Of a piece that is gone the masked spaces are to be filled as well.
            away = set(lost) | (set(seat.spaces) & sensed.masked if lost else set())
            missing.extend(space for space in seat.spaces if space in away)
    return Seating(
        tuple(sorted(missing)),
        tuple(sorted(half_seated)),
        tuple(sorted(doubtful)),
        tuple(strangers),
        shifts,
        frozenset(space for seat in seats for space in _adrift(lies, sensed, seat)),
        tuple(_to_lift(moves, lies, lift_first)),
    )


def _seats(moves: Moves) -> Iterator[_Seat]:
    for index, move in enumerate(moves.moves):
        if isinstance(move.line, Turn) and moves.on_table(index):
            last_ms = None if move.laid is None else move.laid.last_ms
            yield _Seat(
                PlayerColour(move.line.player), tuple(SpaceId(space) for space in move.line.spaces), last_ms
            )


def _to_lift(moves: Moves, lies: Lies, lift_first: Mapping[SpaceId, int]) -> Iterator[SpaceId]:
    for space, marked_ms in sorted(lift_first.items()):
        if space not in moves.position and still_to_lift(lies, sensor_of(space), marked_ms):
            yield space


def _is_lost(lies: Lies, seat: _Seat, gap: Gap) -> bool:
    """Whether a magnet is off for good: long enough, or what went was not this piece at all."""
    if gap.flickers:
        return False
    own = gap.was == seat.player or (
        gap.was == WEAK_OF_POLE.get(seat.player) and (seat.last_ms is None or gap.landed_ms <= seat.last_ms)
    )
    return lies.now_ms - gap.cleared_ms >= lies.timing.lift_ms or (gap.was is not None and not own)


def _is_own(moves: Moves, seat: _Seat, other: Stranger, seen: bool) -> bool:
    """Whether a weak read is the player's own strong magnet, not quite in its seat.

    It is if it read strong before, if its piece is `seen` there by another space, or if it is what the piece
    was made of. One that came back weak after a blink may be a piece of whoever plays with weak ones.
    """
    if other.colour != WEAK_OF_POLE.get(seat.player):
        return False
    since = seat.last_ms is not None and other.landed_ms <= seat.last_ms
    touched = seat.last_ms is None or other.changed_ms > seat.last_ms + TOUCHED_MS
    return (
        other.was == seat.player or seen or (since and not (touched and other.colour in moves.rules.players))
    )


def _is_anew(seat: _Seat, other: Stranger) -> bool:
    """Whether a weak read came after the piece had been laid, and has never been strong."""
    return other.was == other.colour and (seat.last_ms is None or other.landed_ms > seat.last_ms)


def _is_quiet(lies: Lies, changed_ms: int) -> bool:
    return lies.now_ms - changed_ms >= lies.timing.quiet_ms


def _shifts(moves: Moves, lies: Lies, sensed: Sensed, seat: _Seat) -> Iterator[Shift]:
    """The piece moved by a space, if some of its magnets lie where they did and the others right beside."""
    gaps = _part_off(sensed, seat)
    stayed = mask_of(space for space in seat.spaces if space not in {gap.space for gap in gaps})
    piece = moves.rules.pieces.by_mask[mask_of(seat.spaces)]
    landed = _come_since(lies, sensed, seat, gaps)
    for some in combinations(landed, len(gaps)) if gaps else ():
        placement = moves.rules.pieces.by_mask.get(stayed | mask_of(landing.space for landing in some))
        if placement is not None and placement.shape == piece.shape:
            yield Shift(
                seat.player,
                seat.spaces,
                tuple(gap.space for gap in gaps),
                tuple(landing.space for landing in some),
                _has_settled(lies, gaps, some),
            )
            return


def _adrift(lies: Lies, sensed: Sensed, seat: _Seat) -> Iterator[SpaceId]:
    """Magnets of the piece's colour that came down right beside it as some of its own went."""
    gaps = _part_off(sensed, seat)
    beside = reduce(or_, (board().touches[space - 1] for space in seat.spaces), 0)
    for landing in _come_since(lies, sensed, seat, gaps) if gaps else ():
        if beside >> (landing.space - 1) & 1:
            yield landing.space


def _part_off(sensed: Sensed, seat: _Seat) -> list[Gap]:
    """The gaps of a piece that is not off as a whole."""
    gaps = [gap for gap in sensed.gaps if gap.space in seat.spaces and not gap.flickers]
    return gaps if len(gaps) < len(seat.spaces) else []


def _come_since(lies: Lies, sensed: Sensed, seat: _Seat, gaps: list[Gap]) -> list[Landing]:
    """The magnets of the piece's colour that came down about when its own went."""
    window_ms = SHIFT_LIFTS * lies.timing.lift_ms
    return [
        landing
        for landing in sensed.landings
        if landing.colour == seat.player
        and (landing.rested or not landing.clear)
        and not landing.flickers
        and all(_is_about(gap.cleared_ms, landing, window_ms) for gap in gaps)
    ]


def _is_about(at_ms: int, landing: Landing, window_ms: int) -> bool:
    """Whether it came at about that time; one that was straightened since has not come anew."""
    return any(abs(at_ms - came_ms) <= window_ms for came_ms in (landing.landed_ms, landing.came_ms))


def _has_settled(lies: Lies, gaps: list[Gap], landed: tuple[Landing, ...]) -> bool:
    return all(lies.now_ms - gap.cleared_ms >= lies.timing.lift_ms for gap in gaps) and all(
        landing.rested or _is_quiet(lies, landing.changed_ms) for landing in landed
    )
