"""One look at the table: every difference from the game, and what each of them means.

Owns the decision which settled change is one move, ambiguous, illegal or unexplained, which lift takes a
piece back, and which landing makes a piece grow. Must not know the journal, words or the page.

The look is pure: the same moves and the same sensor states give the same findings. Groups of landings are
judged in the order in which they began, by the board's clock.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field, replace
from itertools import groupby, islice

from tablewire.board.lies import Lies
from tablewire.games.cirkis.colours import PlayerColour
from tablewire.games.cirkis.explanation import explain_all
from tablewire.games.cirkis.findings import (
    Ambiguous,
    Commit,
    Group,
    Illegal,
    Rewrite,
    TakeBack,
    Trouble,
    Unexplained,
    Unsteady,
    group_of,
)
from tablewire.games.cirkis.growth import (
    Growth,
    growths_in_time,
    in_their_time,
    larger,
    player_of,
)
from tablewire.games.cirkis.moves import Laid, Moves
from tablewire.games.cirkis.pieces import Placement
from tablewire.games.cirkis.readings import Reading, Readings, can_grow, growths, is_legal, read_landings
from tablewire.games.cirkis.record import Turn
from tablewire.games.cirkis.sensing import WEAK_OF_POLE, Gap, Landing, Sensed, Stranger, sense
from tablewire.games.cirkis.tiling import SpaceId, mask_of


@dataclass(frozen=True, slots=True)
class Survey:
    """What one look found. `change` is the next thing that happened to the game, if anything did."""

    sensed: Sensed
    change: Commit | Rewrite | TakeBack | None = None
    troubles: tuple[Trouble, ...] = ()
    missing: tuple[SpaceId, ...] = ()
    half_seated: tuple[SpaceId, ...] = ()
    strangers: tuple[Stranger, ...] = ()
    provisional: frozenset[int] = field(default_factory=frozenset)


def survey(moves: Moves, lies: Lies, lift_first: Mapping[SpaceId, int], liftable: bool) -> Survey:
    """Look at the table once. `liftable`: the last move is a piece that lifting takes back."""
    sensed = sense(lies, moves.position, lift_first)
    look = _Look(moves, lies, sensed, liftable)
    return look.survey()


@dataclass(frozen=True, slots=True)
class _Look:
    moves: Moves
    lies: Lies
    sensed: Sensed
    liftable: bool

    def survey(self) -> Survey:
        groups = self.groups()
        growing, held, asked = self.growing(groups)
        provisional = frozenset(self.provisional(groups, held))
        if self.moves.state.ended is not None and not provisional and growing is None:
            return Survey(self.sensed)
        missing, half_seated, strangers = self.missing()
        change: Commit | Rewrite | TakeBack | None = self.taken_back(groups) or growing
        troubles: list[Trouble] = list(asked)
        if change is None and self.moves.state.ended is None:
            rest = [group for group in groups if group.colour not in held]
            change, found = self.judged(rest, hold=bool(missing or strangers or asked))
            troubles += found
        return Survey(self.sensed, change, tuple(troubles), missing, half_seated, strangers, provisional)

    # What is there

    def quiet(self, changed_ms: int) -> bool:
        return self.lies.now_ms - changed_ms >= self.lies.timing.quiet_ms

    def settled(self, group: Group) -> bool:
        return not group.blinks and self.quiet(group.changed_ms)

    def groups(self) -> list[Group]:
        """The landings by colour, in the order in which they began.

        A weak read that is not settled may be a strong magnet of the same pole on its way: the strong
        colour's group is not settled before it.
        """
        by_colour = sorted(self.sensed.landings, key=lambda landing: landing.colour)
        found = []
        for colour, some in groupby(by_colour, key=lambda landing: landing.colour):
            landings = list(some)
            steady = [landing for landing in landings if not landing.flickers]
            if steady:
                mask = mask_of(landing.space for landing in steady)
                group = group_of(colour, steady, self.unsteady(colour, mask), self.lies.timing.quiet_ms)
                coming = [read.changed_ms for read in self.coming(colour) if self.joins(read.space, mask)]
                found.append(replace(group, changed_ms=max([group.changed_ms, *coming])))
        return sorted(found, key=lambda group: (group.first_ms, group.colour))

    def coming(self, colour: PlayerColour) -> list[Landing]:
        """Weak reads that may still turn out to be strong magnets of `colour`."""
        weak = WEAK_OF_POLE.get(colour)
        return [
            landing
            for landing in self.sensed.landings
            if landing.colour == weak
            and not landing.flickers
            and not landing.clear
            and not self.quiet(landing.changed_ms)
        ]

    def joins(self, space: SpaceId, mask: int) -> bool:
        """Whether some piece covers the space and other spaces of `mask`."""
        return any(growths(self.moves.rules.pieces, 1 << (space - 1), mask))

    def unsteady(self, colour: PlayerColour, mask: int) -> tuple[SpaceId, ...]:
        """Flickering spaces that could belong to a piece of `colour` together with `mask`."""
        pole = {colour, WEAK_OF_POLE.get(colour)}
        return tuple(
            landing.space
            for landing in self.sensed.landings
            if landing.flickers and landing.colour in pole and self.joins(landing.space, mask)
        )

    def missing(self) -> tuple[tuple[SpaceId, ...], tuple[SpaceId, ...], tuple[Stranger, ...]]:
        """Spaces whose whole piece is gone, those whose piece lies there but does not read, strangers."""
        gone = {gap.space for gap in self.sensed.gaps if not gap.flickers and self.lifted(gap)}
        clear = {gap.space for gap in self.sensed.gaps}
        other = {s.space: s for s in self.sensed.strangers if not s.flickers and self.quiet(s.changed_ms)}
        whole: list[SpaceId] = []
        half: list[SpaceId] = []
        strangers: list[Stranger] = []
        for player, spaces in self.moves.pieces_on_table():
            lost = [space for space in spaces if space in gone]
            weak = [space for space in spaces if space in other and self.reads_weak(player, other[space])]
            if len(lost) == len(spaces):
                whole.extend(lost)
            elif len(weak) < len(spaces) and any(space not in clear for space in spaces):
                half.extend(lost + weak)
            tolerated = weak if len(weak) < len(spaces) else []
            strangers.extend(other[s] for s in spaces if s in other and s not in tolerated)
        return tuple(sorted(whole)), tuple(sorted(half)), tuple(strangers)

    def reads_weak(self, player: PlayerColour, stranger: Stranger) -> bool:
        """Whether it may be the player's own strong magnet, not quite in its seat."""
        return WEAK_OF_POLE.get(player) == stranger.colour

    # What happened

    def taken_back(self, groups: list[Group]) -> TakeBack | None:
        """The piece just placed was lifted: clear long enough, or its colour has landed elsewhere since."""
        last = self.last_piece()
        if last is None:
            return None
        index, player, piece = last
        gaps = self.gaps_of(piece)
        if not gaps or any(gap.flickers for gap in gaps):
            return None
        whole = len(gaps) == len(piece.spaces)
        if whole and all(self.lifted(gap) for gap in gaps):
            return TakeBack(index)
        for group in groups:
            moved = group.colour == player and self.went_before(gaps, group)
            if moved and self.settled(group) and not self.readings(group).legal:
                still = piece.mask & ~mask_of(gap.space for gap in gaps)
                if whole or (still | group.mask) in self.moves.rules.pieces.by_mask:
                    return TakeBack(index)
        return None

    def growing(
        self, groups: list[Group]
    ) -> tuple[Rewrite | None, frozenset[PlayerColour], tuple[Ambiguous, ...]]:
        """The piece that a settled landing makes larger, in time.

        With it the colours whose landings are not to be judged otherwise for now, and the questions where
        more than one piece could have taken the landing, or the landing is a legal move of its own as well.
        """
        held = set[PlayerColour]()
        asked = []
        for group in groups:
            if not self.settled(group) or group.unsteady:
                continue
            found = self.in_time(group.colour, group.landed_ms)
            most = max((growth.gained.bit_count() for growth in found), default=0)
            best = [growth for growth in found if growth.gained.bit_count() == most]
            lying = [growth for growth in best if not self.gaps_of(growth.piece)]
            if any(self.blinks(growth.piece) for growth in best):
                held.add(group.colour)
            elif len(lying) == 1 and (lying[0].gained == group.mask or not self.readings(group).legal):
                return self.rewrite(lying[0], group.colour), frozenset(held), ()
            elif lying:
                held.add(group.colour)
                apart = [self.commit(group, reading) for reading in self.readings(group).legal]
                whole = lying[0].gained == group.mask
                together = [self.rewrite(growth, group.colour) for growth in lying]
                asked.append(Ambiguous(group, (*together, *(() if whole else apart))))
        return None, frozenset(held), tuple(asked)

    def in_time(self, player: PlayerColour, landed_ms: Mapping[SpaceId, int]) -> list[Growth]:
        return growths_in_time(self.moves, player, landed_ms, self.lies.timing.growth_ms)

    def blinks(self, piece: Placement) -> bool:
        """Whether a piece is off for a moment, lifted or only straightened: it does not grow meanwhile."""
        return any(not self.lifted(gap) for gap in self.gaps_of(piece))

    def judged(self, groups: list[Group], hold: bool) -> tuple[Commit | None, list[Trouble]]:
        """The first settled group that is a move, and what is wrong with those before it."""
        troubles: list[Trouble] = []
        for group in groups:
            if group.unsteady:
                troubles.append(Unsteady(group.colour, group.unsteady))
                continue
            refused_before = group.blinks and group.steady_before and self.quiet(group.changed_ms)
            if not self.settled(group) and not refused_before:
                return None, troubles
            if self.undecided_lift(group):
                return None, troubles
            verdict = self.verdict(group)
            if not isinstance(verdict, Commit):
                troubles.append(verdict)
            elif group.blinks:
                return None, troubles
            elif not hold:
                return verdict, troubles
        return self.explained(groups, troubles) if troubles and not hold else None, troubles

    def explained(self, groups: list[Group], troubles: list[Trouble]) -> Commit | None:
        """The first move of the only order of turns that explains all that is new, laid too fast to see
        apart."""
        if not all(isinstance(trouble, Illegal) for trouble in troubles):
            return None
        if not all(self.settled(group) and not self.undecided_lift(group) for group in groups):
            return None
        order = explain_all(
            self.moves.rules, self.moves.state, {group.colour: group.landed_ms for group in groups}
        )
        if not order:
            return None
        player, placement = order[0]
        return self.commit(next(group for group in groups if group.colour == player), (placement,))

    def verdict(self, group: Group) -> Commit | Trouble:
        """What a settled group is."""
        if group.colour not in self.moves.rules.players:
            return Unexplained(group, colour_plays=False)
        readings = self.readings(group)
        if len(readings.legal) == 1:
            return self.commit(group, readings.legal[0])
        if readings.legal:
            return Ambiguous(group, tuple(self.commit(group, reading) for reading in readings.legal))
        late = self.late_growth(group, readings.every)
        if late is not None:
            return late
        if not readings.every:
            return Unexplained(group, colour_plays=True)
        if len(readings.every) == 1:
            # Only one way to read it: the pieces laid before the refused one stand.
            legal = self.legal_part(group.colour, readings.every[0])
            if legal:
                return self.commit(group, legal)
        return self.illegal(group, readings.every[0])

    def late_growth(self, group: Group, apart: tuple[Reading, ...]) -> Ambiguous | None:
        """Out of turn, too late to be a growth for sure, but it would fit: the page asks."""
        index = self.moves.last_of(group.colour)
        if index is None or self.moves.state.to_move == group.colour:
            return None
        piece = self.moves.placement(index)
        if piece is None or self.gaps_of(piece):
            return None
        for placement in larger(self.moves, group.colour, piece, group.landed_ms):
            if placement.mask == piece.mask | group.mask:
                growth = Growth(index, piece, placement, max(group.landed_ms.values()))
                stands = (self.commit(group, reading) for reading in apart if self.can_stand(group, reading))
                return Ambiguous(group, (self.rewrite(growth, group.colour), *islice(stands, 1)))
        return None

    def can_stand(self, group: Group, reading: Reading) -> bool:
        """Whether every piece of the reading may stand, some of them perhaps against the rules."""
        state = self.moves.state
        for piece in reading:
            step = self.moves.rules.apply(state, Turn(group.colour, piece.spaces, forced=True))
            if not step.report.legal:
                return False
            state = step.state
        return True

    # Pieces

    def readings(self, group: Group) -> Readings:
        return read_landings(self.moves.rules, self.moves.state, group.colour, group.landed_ms)

    def legal_part(self, player: PlayerColour, reading: Reading) -> Reading:
        """The pieces of an illegal reading before the first that the rules refuse."""
        counts = range(len(reading), 0, -1)
        rules, state = self.moves.rules, self.moves.state
        return next((reading[:n] for n in counts if is_legal(rules, state, player, reading[:n])), ())

    def illegal(self, group: Group, reading: Reading) -> Illegal:
        """Which piece of an illegal reading the rules refuse, and why."""
        laid = self.legal_part(group.colour, reading)
        state = self.moves.state
        for piece in laid:
            state = self.moves.rules.apply(state, Turn(group.colour, piece.spaces)).state
        piece = reading[len(laid)]
        return Illegal(group, piece, self.moves.rules.judge(state, group.colour, piece.spaces), state.to_move)

    def commit(self, group: Group, reading: Reading) -> Commit:
        state = self.moves.state
        laid = []
        for piece in reading:
            last_ms = max(group.landed_ms[space] for space in piece.spaces)
            state = self.moves.rules.apply(state, Turn(group.colour, piece.spaces, forced=True)).state
            grows = can_grow(self.moves.rules, state, group.colour, piece)
            laid.append(Laid(last_ms, last_ms + self.lies.timing.growth_ms if grows else None))
        return Commit(group.colour, reading, tuple(laid))

    def rewrite(self, growth: Growth, player: PlayerColour) -> Rewrite:
        rules, state = self.moves.rules, self.moves.state
        grows = can_grow(rules, state, player, growth.placement)
        laid = Laid(growth.last_ms, growth.last_ms + self.lies.timing.growth_ms if grows else None)
        return Rewrite(growth.index, player, growth.placement, laid)

    def provisional(self, groups: list[Group], held: frozenset[PlayerColour]) -> Iterator[int]:
        """The moves that may still be rewritten: in their time, or while a landing that came in time
        settles; and the move that ended the game, while its piece is off the table for a moment."""
        yield from in_their_time(self.moves, self.lies.now_ms)
        for player in self.moves.rules.players:
            landed_ms = {read.space: read.landed_ms for read in self.coming(player)}
            for group in groups:
                if group.colour == player and (player in held or not self.settled(group)):
                    landed_ms |= group.landed_ms
            if landed_ms:
                yield from (growth.index for growth in self.in_time(player, landed_ms))
        if self.moves.state.ended is not None and (last := self.last_piece()) is not None:
            index, _, piece = last
            laid, gaps = self.moves.moves[index].laid, self.gaps_of(piece)
            until_ms = None if laid is None else laid.grows_until_ms
            leaving = until_ms is not None and all(gap.cleared_ms <= until_ms for gap in gaps)
            if gaps and leaving and (len(gaps) == len(piece.spaces) or self.blinks(piece)):
                yield index

    def last_piece(self) -> tuple[int, PlayerColour, Placement] | None:
        index = len(self.moves.moves) - 1
        if not self.liftable or index < 0:
            return None
        piece, player = self.moves.placement(index), player_of(self.moves.moves[index])
        return None if piece is None or player is None else (index, player, piece)

    def gaps_of(self, piece: Placement) -> list[Gap]:
        return [gap for gap in self.sensed.gaps if gap.space in piece.spaces]

    def went_before(self, gaps: list[Gap], group: Group) -> bool:
        """Whether a magnet went before the group came, or as it came: a slide reads on two spaces at once."""
        return min(gap.cleared_ms for gap in gaps) <= group.first_ms + self.lies.timing.overlap_ms

    def lifted(self, gap: Gap) -> bool:
        return self.lies.now_ms - gap.cleared_ms >= self.lies.timing.lift_ms

    def undecided_lift(self, group: Group) -> bool:
        """Whether a piece went before the group came and may be back in a moment.

        Until it is decided whether it was lifted or only straightened, nobody knows whether the group is that
        piece, moved, or whose turn it is. One magnet that stays may be a piece just placed that turns about.
        """
        last = self.last_piece()
        for _, spaces in self.moves.pieces_on_table() if self.sensed.gaps else ():
            gaps = [gap for gap in self.sensed.gaps if gap.space in spaces and not gap.flickers]
            turning = last is not None and last[1] == group.colour and last[2].spaces == spaces
            if (
                ((gaps and turning) or len(gaps) == len(spaces))
                and self.went_before(gaps, group)
                and not all(map(self.lifted, gaps))
            ):
                return True
        return False
