"""One settled group of new magnets -> the move it is, or what is wrong with it.

Owns the verdict on a group: legal, ambiguous, illegal, half laid or unexplained, masked spaces included. Must
not know when a group is settled, what went from the table, or words.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from functools import reduce
from itertools import islice
from operator import or_

from tablewire.board.lies import Lies
from tablewire.games.cirkis import corrections
from tablewire.games.cirkis.colours import PlayerColour
from tablewire.games.cirkis.findings import (
    Ambiguous,
    Answer,
    Commit,
    Group,
    HalfLaid,
    Illegal,
    Merge,
    Rewrite,
    Trouble,
    Unexplained,
)
from tablewire.games.cirkis.growth import Growth, growths_in_time, larger, player_of, recent_pieces
from tablewire.games.cirkis.moves import Laid, Moves
from tablewire.games.cirkis.pieces import Placement
from tablewire.games.cirkis.readings import Reading, Readings, can_grow, is_legal, read_landings
from tablewire.games.cirkis.record import Turn
from tablewire.games.cirkis.sensing import STRONG_OF_POLE, WEAK_OF_POLE, Landing, Sensed
from tablewire.games.cirkis.tiling import SpaceId, mask_of, spaces_of

MAX_CHOICES = 6
"""More buttons than this are no question; such a piece is entered by hand."""


@dataclass(frozen=True, slots=True)
class Judge:
    """What settled groups are, in the position of `moves`."""

    moves: Moves
    lies: Lies
    sensed: Sensed

    def verdict(self, group: Group) -> Commit | Trouble:
        """What a settled group is."""
        if group.colour not in self.moves.rules.players:
            return self.unknown(group)
        readings = self.readings(group)
        options = (*readings.legal, *self.with_masked(group))
        if len(options) == 1:
            return self.commit(group.colour, group.landed_ms, options[0])
        if options:
            return Ambiguous(
                group, tuple(self.commit(group.colour, group.landed_ms, each) for each in options)
            )
        late = self.late_growth(group, readings.every)
        if late is not None:
            return late
        return self.refused(group, readings.every)

    def refused(self, group: Group, every: tuple[Reading, ...]) -> Commit | Trouble:
        """A group that is no legal move as a whole."""
        whole = bool(every) and len(every[0]) == 1
        parts = () if whole else self.legal_parts(group.colour, every)
        half = self.grown_half(group) or (None if whole else self.half_laid(group, every, parts))
        if half is not None:
            return half
        if not every:
            return Unexplained(group, colour_plays=True)
        # The pieces laid besides the refused one stand.
        if len(parts) == 1:
            return self.commit(group.colour, group.landed_ms, parts[0])
        if parts:
            return Ambiguous(group, tuple(self.commit(group.colour, group.landed_ms, part) for part in parts))
        return self.illegal(group, every[0])

    # Readings

    def readings(self, group: Group) -> Readings:
        """Every way to split a group into pieces."""
        return read_landings(self.moves.rules, self.moves.state, group.colour, group.landed_ms)

    def with_masked(self, group: Group) -> Iterator[Reading]:
        """The legal pieces made of a whole group and masked spaces."""
        hidden = mask_of(self.sensed.masked) & ~self.moves.state.filled
        if hidden:
            for piece in self.around(group.mask):
                if not piece.mask & ~group.mask & ~hidden and self.is_legal(group.colour, piece):
                    yield (piece,)

    def around(self, mask: int) -> Iterator[Placement]:
        """The pieces that cover all of `mask` and more."""
        lowest = (mask & -mask).bit_length()
        for piece in self.moves.rules.pieces.covering[SpaceId(lowest)]:
            if piece.mask & mask == mask and piece.mask != mask:
                yield piece

    def is_legal(self, player: PlayerColour, piece: Placement) -> bool:
        """Whether the player may lay the piece now."""
        return not self.moves.rules.judge(self.moves.state, player, piece.spaces)

    def legal_parts(self, player: PlayerColour, every: tuple[Reading, ...]) -> tuple[Reading, ...]:
        """What stands of a group that is several pieces, some of them refused; each other way once."""
        fewest = [reading for reading in every if len(reading) == len(every[0])]
        parts = (self.legal_part(player, reading) for reading in fewest)
        return tuple({frozenset(piece.mask for piece in part): part for part in parts if part}.values())

    def legal_part(self, player: PlayerColour, reading: Reading) -> Reading:
        """The pieces of a reading that may be laid one after another, the others left out."""
        kept: Reading = ()
        for piece in reading:
            if is_legal(self.moves.rules, self.moves.state, player, (*kept, piece)):
                kept = (*kept, piece)
        return kept

    # Troubles

    def illegal(self, group: Group, reading: Reading) -> Illegal:
        """Which piece of an illegal reading the rules refuse, and why."""
        piece, state = reading[0], self.moves.state
        reasons = self.moves.rules.judge(state, group.colour, piece.spaces)
        larger_ones = [
            each
            for each in self.around(group.mask)
            if self.lacks_one(group.mask, each) and self.is_legal(group.colour, each)
        ]
        unread = spaces_of(_union(larger_ones) & ~group.mask)
        return Illegal(group, piece, reasons, state.to_move, unread)

    def late_growth(self, group: Group, apart: tuple[Reading, ...]) -> Ambiguous | None:
        """Out of turn, too late to be a growth for sure, but it would fit: the page asks."""
        if self.moves.state.to_move == group.colour:
            return None
        growth, merges = self.grown(group.colour, group), tuple(self.merged(group))
        if growth is None and not merges:
            return None
        grown = () if growth is None else (self.rewrite(growth, group.colour),)
        stands = (
            self.commit(group.colour, group.landed_ms, reading)
            for reading in apart
            if self.can_stand(group, reading)
        )
        return Ambiguous(group, (*grown, *merges, *islice(stands, 1)))

    def grown(self, player: PlayerColour, group: Group) -> Growth | None:
        """The piece that the player laid last, made larger by the whole group."""
        index = self.moves.last_of(player)
        piece = None if index is None else self.moves.placement(index)
        if index is None or piece is None or any(gap.space in piece.spaces for gap in self.sensed.gaps):
            return None
        for placement in larger(self.moves, player, piece, group.landed_ms):
            if placement.mask == piece.mask | group.mask:
                return Growth(index, piece, placement, max(group.landed_ms.values()))
        return None

    def merged(self, group: Group) -> Iterator[Merge]:
        """The two pieces that the player laid last, made one by the whole group: it came in three goes."""
        own = [
            (index, piece)
            for index in range(len(self.moves.moves))
            if self.moves.on_table(index)
            and player_of(self.moves.moves[index]) == group.colour
            and (piece := self.moves.placement(index)) is not None
        ][-2:]
        if len(own) == 2:
            (first, one), (second, other) = own
            whole = self.moves.rules.pieces.by_mask.get(one.mask | other.mask | group.mask)
            off = any(gap.space in one.spaces + other.spaces for gap in self.sensed.gaps)
            merge = None if whole is None else Merge(first, second, group.colour, whole)
            if merge is not None and not off and corrections.merged(self.moves, merge).possible:
                yield merge

    def can_stand(self, group: Group, reading: Reading) -> bool:
        """Whether every piece of the reading may stand, some of them perhaps against the rules."""
        state = self.moves.state
        for piece in reading:
            step = self.moves.rules.apply(state, Turn(group.colour, piece.spaces, forced=True))
            if not step.report.legal:
                return False
            state = step.state
        return True

    def half_laid(
        self, group: Group, every: tuple[Reading, ...], parts: tuple[Reading, ...]
    ) -> HalfLaid | None:
        """The group is one piece but for a space that does not read; if it could be several, a legal one."""
        fits = [piece for piece in self.around(group.mask) if self.lacks_one(group.mask, piece)]
        legal = [piece for piece in fits if self.is_legal(group.colour, piece)]
        state = self.moves.state
        in_stock = [p for p in fits if self.moves.rules.in_stock(state, group.colour, p.shape)]
        unread = 0 if every and not legal else _union(legal or in_stock) & ~group.mask
        if not unread:
            return None
        readings = [*((piece,) for piece in legal[:MAX_CHOICES]), *parts]
        choices = tuple(self.commit(group.colour, group.landed_ms, reading) for reading in readings)
        return HalfLaid(group, spaces_of(unread), choices=choices)

    def grown_half(self, group: Group) -> HalfLaid | None:
        """The group makes a piece in its time larger, but for a space that does not read."""
        growths = list(islice(self.grown_unread(group), MAX_CHOICES))
        unread = reduce(or_, (growth.gained for growth in growths), 0) & ~group.mask
        rewrites = tuple(self.rewrite(growth, group.colour) for growth in growths)
        return HalfLaid(group, spaces_of(unread), choices=rewrites) if growths else None

    def lacks_one(self, mask: int, piece: Placement) -> bool:
        """Whether a piece is `mask` and one empty space that could read, but does not."""
        lacking = piece.mask & ~mask
        landed = mask_of(landing.space for landing in self.sensed.landings)
        return lacking.bit_count() == 1 and not lacking & (self.moves.state.filled | landed)

    def grown_unread(self, group: Group) -> Iterator[Growth]:
        """The pieces in their time that the group and one space that does not read make larger."""
        for index, piece, laid in recent_pieces(self.moves, group.colour):
            first_ms, last_ms = min(group.landed_ms.values()), max(group.landed_ms.values())
            if first_ms > laid.last_ms + self.lies.timing.growth_ms:
                continue
            for placement in self.around(piece.mask | group.mask):
                in_stock = self.moves.rules.in_stock(self.moves.state, group.colour, placement.shape)
                if in_stock and self.lacks_one(piece.mask | group.mask, placement):
                    yield Growth(index, piece, placement, last_ms)

    def weak_beside(self, group: Group, others: int) -> HalfLaid | Ambiguous | None:
        """A strong magnet beside a weak one of its pole: together a piece that does not lie in its seat.

        Not so when the weak one is a move of its own; nor when the strong one is and somebody plays with weak
        ones, who may have been quick. If nothing but these came in one go (no `others`), the
        page asks.
        """
        weak = WEAK_OF_POLE.get(group.colour)
        if weak is None or group.colour not in self.moves.rules.players:
            return None
        reads = self.weak_reads(weak)
        found = [
            piece
            for piece in self.around(group.mask)
            if not piece.mask & ~group.mask & ~mask_of(reads)
            and self.is_legal(group.colour, piece)
            and not self.is_move(weak, [reads[s] for s in spaces_of(piece.mask & ~group.mask)])
        ]
        if not found:
            return None
        both_ms = {**group.landed_ms, **{space: read.landed_ms for space, read in reads.items()}}
        alone = self.readings(group).legal[:1]
        readings = [*((piece,) for piece in found[:MAX_CHOICES]), *alone]
        choices = tuple(self.commit(group.colour, both_ms, reading) for reading in readings)
        if weak in self.moves.rules.players and alone:
            at_once = max(both_ms.values()) - min(both_ms.values()) <= self.lies.timing.quiet_ms
            whole = found[0].mask == mask_of(both_ms)
            return Ambiguous(group, choices) if at_once and whole and not others else None
        spaces = spaces_of(_union(found) & ~group.mask)
        return HalfLaid(group, spaces, spaces, choices)

    def weak_reads(self, weak: PlayerColour) -> dict[SpaceId, Landing]:
        """The settled landings of a weak colour."""
        quiet_ms = self.lies.now_ms - self.lies.timing.quiet_ms
        return {
            each.space: each
            for each in self.sensed.landings
            if each.colour == weak
            and not each.flickers
            and (each.rested or (not each.clear and each.changed_ms <= quiet_ms))
        }

    def is_move(self, weak: PlayerColour, reads: list[Landing]) -> bool:
        """Whether these weak magnets are a legal move of their colour."""
        if weak not in self.moves.rules.players:
            return False
        landed_ms = {read.space: read.landed_ms for read in reads}
        return bool(read_landings(self.moves.rules, self.moves.state, weak, landed_ms).legal)

    def unknown(self, group: Group) -> Unexplained:
        """A colour that nobody plays: what it is if it is a strong magnet that reads weak."""
        strong = STRONG_OF_POLE.get(group.colour)
        if strong is None or strong not in self.moves.rules.players:
            return Unexplained(group, colour_plays=False)
        choices: list[Answer] = []
        rules, state = self.moves.rules, self.moves.state
        for reading in read_landings(rules, state, strong, group.landed_ms).legal:
            choices.append(self.commit(strong, group.landed_ms, reading))
        growth = self.grown(strong, group)
        if growth is not None:
            choices.append(self.rewrite(growth, strong))
        for piece in () if choices else self.around(group.mask):
            if self.lacks_one(group.mask, piece) and self.is_legal(strong, piece):
                choices.append(self.commit(strong, group.landed_ms, (piece,)))
        return Unexplained(group, False, tuple(choices[:MAX_CHOICES]))

    # Changes

    def commit(self, player: PlayerColour, landed_ms: Mapping[SpaceId, int], reading: Reading) -> Commit:
        """The reading as moves of the player; spaces that do not read came with those that do."""
        state, laid = self.moves.state, []
        for piece in reading:
            last_ms = max(landed_ms[space] for space in piece.spaces if space in landed_ms)
            state = self.moves.rules.apply(state, Turn(player, piece.spaces, forced=True)).state
            grows = can_grow(self.moves.rules, state, player, piece)
            laid.append(Laid(last_ms, last_ms + self.lies.timing.growth_ms if grows else None))
        return Commit(player, reading, tuple(laid))

    def rewrite(self, growth: Growth, player: PlayerColour) -> Rewrite:
        """The growth as a change of its move."""
        rules, state = self.moves.rules, self.moves.state
        grows = can_grow(rules, state, player, growth.placement)
        laid = Laid(growth.last_ms, growth.last_ms + self.lies.timing.growth_ms if grows else None)
        return Rewrite(growth.index, player, growth.placement, laid)

    def in_time(self, player: PlayerColour, landed_ms: Mapping[SpaceId, int]) -> list[Growth]:
        """Every way in which landings make one of the player's pieces larger in its time."""
        return growths_in_time(self.moves, player, landed_ms, self.lies.timing.growth_ms)


def _union(pieces: Iterable[Placement]) -> int:
    return reduce(or_, (piece.mask for piece in pieces), 0)
