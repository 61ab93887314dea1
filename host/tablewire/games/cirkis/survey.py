"""One look at the table: every difference from the game, and what each of them means.

Owns the order of judgement: which settled change comes next, which lift takes a piece back, which landing
makes a piece grow, and what waits. Must not know the journal, words or the page.

The look is pure: the same moves and the same sensor states give the same findings. Groups of landings are
judged in the order in which they began, by the board's clock.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field, replace
from itertools import groupby

from tablewire.board.lies import Lies
from tablewire.games.cirkis.colours import PlayerColour
from tablewire.games.cirkis.explanation import explain_all
from tablewire.games.cirkis.findings import (
    Ambiguous,
    CatchUp,
    Commit,
    Group,
    HalfLaid,
    Illegal,
    Rewrite,
    TakeBack,
    Trouble,
    Unexplained,
    Unsteady,
    group_of,
    left_of,
    weak_of,
)
from tablewire.games.cirkis.growth import Growth, in_their_time, player_of
from tablewire.games.cirkis.moves import Moves
from tablewire.games.cirkis.pieces import Placement
from tablewire.games.cirkis.readings import growths
from tablewire.games.cirkis.record import Turn
from tablewire.games.cirkis.seating import Seating, seating
from tablewire.games.cirkis.sensing import WEAK_OF_POLE, Gap, Landing, Sensed, sense
from tablewire.games.cirkis.tiling import SpaceId, mask_of
from tablewire.games.cirkis.unseen import came_unseen, caught_up
from tablewire.games.cirkis.verdicts import Judge
from tablewire.games.cirkis.wiring import sensor_of


@dataclass(frozen=True, slots=True)
class Survey:
    """What one look found. `change` is the next thing that happened to the game, if anything did."""

    lies: Lies
    sensed: Sensed
    change: Commit | CatchUp | Rewrite | TakeBack | None = None
    troubles: tuple[Trouble, ...] = ()
    seating: Seating = field(default_factory=Seating)
    provisional: frozenset[int] = field(default_factory=frozenset)

    @property
    def disturbed(self) -> bool:
        """Whether pieces of the position have to be put right before all else."""
        return self.seating.holds or any(
            trouble.group.landed_ms.keys() & self.seating.adrift
            for trouble in self.troubles
            if isinstance(trouble, Illegal | HalfLaid | Unexplained)
        )


def survey(
    moves: Moves, lies: Lies, lift_first: Mapping[SpaceId, int], liftable: bool, unseen_ms: int
) -> Survey:
    """Look at the table once. `liftable`: the last move is a piece that lifting takes back.

    `unseen_ms`: up to then the board was not heard.
    """
    sensed = sense(lies, moves.position, lift_first)
    seated = seating(moves, lies, sensed, lift_first)
    return _Look(moves, lies, sensed, seated, liftable, Judge(moves, lies, sensed), unseen_ms).survey()


@dataclass(frozen=True, slots=True)
class _Look:
    moves: Moves
    lies: Lies
    sensed: Sensed
    seating: Seating
    liftable: bool
    judge: Judge
    unseen_ms: int

    def survey(self) -> Survey:
        everything = self.groups()
        # What has slid beside its place is no new piece.
        beside = {space for shift in self.seating.shifts if shift.settled for space in shift.found}
        groups = [rest for group in everything if (rest := group.without(beside)) is not None]
        growing, held, asked = self.growing(groups)
        provisional = frozenset(self.provisional(groups, held))
        if self.moves.state.ended is not None and not provisional and growing is None:
            return Survey(self.lies, self.sensed)
        change: Commit | CatchUp | Rewrite | TakeBack | None = self.taken_back(everything) or growing
        troubles: list[Trouble] = list(asked)
        if change is None and self.moves.state.ended is None:
            others = [group for group in groups if group.colour not in held]
            change, found = self.judged(others, hold=self.seating.holds or bool(asked))
            troubles += found
        return Survey(self.lies, self.sensed, change, tuple(troubles), self.seating, provisional)

    # What is there

    def quiet(self, changed_ms: int) -> bool:
        return self.lies.now_ms - changed_ms >= self.lies.timing.quiet_ms

    def settled(self, group: Group) -> bool:
        """A time in which the board was not heard was no quiet."""
        return not group.blinks and self.quiet(max(group.changed_ms, self.unseen_ms))

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
                since_ms = self.lies.now_ms - self.lies.timing.quiet_ms
                group = group_of(colour, steady, self.unsteady(colour, mask), since_ms)
                coming = [read.changed_ms for read in self.coming(colour) if self.joins(read.space, mask)]
                changed_ms, nudged = max([group.changed_ms, *coming]), group.nudged and not coming
                found.append(replace(group, changed_ms=changed_ms, nudged=nudged))
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

    # What happened

    def taken_back(self, groups: list[Group]) -> TakeBack | None:
        """The piece just placed was lifted: clear long enough, or its colour has landed elsewhere since.

        Not while other pieces are off as well, or others lie in their place: then the table was knocked over.
        """
        last = self.last_piece()
        if last is None:
            return None
        index, player, piece = last
        gaps = self.gaps_of(piece)
        if self.was_strong(index, piece):
            return TakeBack(index)
        if not gaps or any(gap.flickers for gap in gaps) or self.knocked_over(piece, gaps):
            return None
        whole = len(gaps) == sum(space not in self.sensed.masked for space in piece.spaces)
        if whole and all(self.lifted(gap) for gap in gaps):
            return TakeBack(index)
        slid = any(shift.spaces == piece.spaces for shift in self.seating.shifts)
        still = piece.mask & ~mask_of(gap.space for gap in gaps)
        for group in groups:
            if group.colour != player or not self.settled(group):
                continue
            makes_one = whole or (still | group.mask) in self.moves.rules.pieces.by_mask
            moved = self.went_before(gaps, group) and makes_one
            if slid or (moved and not self.judge.readings(group).legal):
                return TakeBack(index)
        return None

    def was_strong(self, index: int, piece: Placement) -> bool:
        """Whether a weak piece turns out to be strong magnets that lay half in their seats: another's."""
        laid, player = self.moves.moves[index].laid, self.moves.position[piece.spaces[0]]
        return laid is not None and any(
            stranger.space in piece.spaces
            and WEAK_OF_POLE.get(stranger.colour) == player
            and self.lies.sensors[sensor_of(stranger.space)].came_ms
            <= laid.last_ms + self.lies.timing.quiet_ms
            for stranger in self.seating.strangers
        )

    def knocked_over(self, piece: Placement, gaps: list[Gap]) -> bool:
        """Whether other pieces than this one are off, if only for a moment, have others in their place, or
        were put back after this one had gone; or what went from here was another one."""
        player = self.moves.position[piece.spaces[0]]
        own = {player, WEAK_OF_POLE.get(player), None}
        if any(gap.was not in own for gap in gaps):
            return True
        off = {gap.space for gap in self.sensed.gaps if not gap.flickers}
        went_ms = min(gap.cleared_ms for gap in gaps)
        for _, spaces in self.moves.pieces_on_table():
            if spaces != piece.spaces:
                back = (self.lies.sensors[sensor_of(space)].landed_ms > went_ms for space in spaces)
                if off.issuperset(spaces) or any(back):
                    return True
        return any(stranger.space not in piece.spaces for stranger in self.seating.strangers)

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
            found = self.judge.in_time(group.colour, group.landed_ms)
            most = max((growth.gained.bit_count() for growth in found), default=0)
            best = [growth for growth in found if growth.gained.bit_count() == most]
            lying = [growth for growth in best if not self.gaps_of(growth.piece)]
            if any(self.blinks(growth.piece) for growth in best):
                held.add(group.colour)
            elif lying:
                readings = self.judge.readings(group).legal
                # How long a piece had lain there when a snapshot told of it, nobody knows.
                whole = lying[0].gained == group.mask and not any(map(self.came_unseen, lying))
                if len(lying) == 1 and (whole or not readings):
                    return self.judge.rewrite(lying[0], group.colour), frozenset(held), ()
                held.add(group.colour)
                apart = [self.judge.commit(group.colour, group.landed_ms, each) for each in readings]
                together = [self.judge.rewrite(growth, group.colour) for growth in lying]
                asked.append(Ambiguous(group, (*together, *(() if whole else apart))))
        return None, frozenset(held), tuple(asked)

    def came_unseen(self, growth: Growth) -> bool:
        """Whether a snapshot told that some of the piece that grows had come."""
        sensors = self.lies.sensors
        return any(sensors[sensor_of(space)].unseen for space in growth.piece.spaces)

    def blinks(self, piece: Placement) -> bool:
        """Whether a piece is off for a moment, lifted or only straightened: it does not grow meanwhile."""
        return any(not self.lifted(gap) for gap in self.gaps_of(piece))

    def judged(self, groups: list[Group], hold: bool) -> tuple[Commit | CatchUp | None, list[Trouble]]:
        """The first settled group that is a move, and what is wrong with those before it.

        On hold nothing is a move yet; what would be one as soon as play goes on is taken for laid, and the
        others are judged after it.
        """
        if not hold and came_unseen(groups):
            return self.judged_together(groups)
        return self.judged_apart(groups, hold)

    def judged_together(self, groups: list[Group]) -> tuple[Commit | CatchUp | None, list[Trouble]]:
        """Moves made while the board was not heard: all that is new at once, when all has come to rest."""
        if any(group.unsteady or self.half_of(group, len(groups) - 2) for group in groups):
            return self.judged_apart(groups, hold=True)
        at_rest = all(map(self.settled, groups))
        if any(not (self.settled(group) or group.nudged) or self.undecided(group) for group in groups):
            return None, []
        found = caught_up(self.judge, groups)
        if isinstance(found, CatchUp):
            at_rest = at_rest and all(gap.flickers or self.lifted(gap) for gap in self.sensed.gaps)
            return found if at_rest else None, []
        if found is not None and (found.grown or len(groups) > 1):
            return None, [found]
        apart = self.judged_apart(groups, hold=True)[1]
        # Of one player's pieces alone the usual question says as much, in plainer words.
        plain = any(isinstance(trouble, Ambiguous) for trouble in apart)
        return None, apart if found is None or plain else [found]

    def judged_apart(self, groups: list[Group], hold: bool) -> tuple[Commit | None, list[Trouble]]:
        """Each group as one player's doing, in the order in which they came."""
        troubles: list[Trouble] = []
        halves = {group.colour: self.half_of(group, len(groups) - 2) for group in groups}
        weak = {space for half in halves.values() if half is not None for space in weak_of(half)}
        for whole in groups:
            group = whole.without(weak)
            if group is None:
                continue
            if group.unsteady:
                troubles.append(Unsteady(group.colour, group.unsteady))
                continue
            if not self.settled(group) and not group.nudged:
                return None, troubles
            if self.undecided(group):
                return None, troubles
            verdict = halves[group.colour] or self.judge.verdict(group)
            if not isinstance(verdict, Commit):
                troubles.append(verdict)
            elif hold:
                return self.after(verdict).judged_apart(left_of(groups, verdict), hold)
            else:
                return verdict if self.settled(group) else None, troubles
        explained = self.explained(groups, troubles) if troubles else None
        return (None, []) if hold and explained else (explained, troubles)

    def half_of(self, group: Group, others: int) -> HalfLaid | Ambiguous | None:
        """What a settled group is together with weak reads beside it."""
        settled = self.settled(group) or group.nudged
        return self.judge.weak_beside(group, others) if settled and not group.unsteady else None

    def after(self, change: Commit) -> _Look:
        """The same look as if the change had been made."""
        moves = self.moves
        for piece, laid in zip(change.reading, change.laid, strict=True):
            moves = moves.play(Turn(change.player, piece.spaces), laid)
        return replace(self, moves=moves, judge=replace(self.judge, moves=moves))

    def explained(self, groups: list[Group], troubles: list[Trouble]) -> Commit | None:
        """The first move of the only order of turns that explains all that is new, laid too fast to see
        apart."""
        if not all(isinstance(trouble, Illegal | HalfLaid) for trouble in troubles):
            return None
        if not all(self.settled(group) and not self.undecided(group) for group in groups):
            return None
        order = explain_all(
            self.moves.rules, self.moves.state, {group.colour: group.landed_ms for group in groups}
        )
        if not order:
            return None
        player, placement = order[0]
        group = next(group for group in groups if group.colour == player)
        return self.judge.commit(player, group.landed_ms, (placement,))

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
                yield from (growth.index for growth in self.judge.in_time(player, landed_ms))
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

    def undecided(self, group: Group) -> bool:
        """Whether a piece went before the group came and may be back in a moment, or is being slid aside.

        Until it is decided whether it was lifted or only straightened, nobody knows whether the group is that
        piece, moved, or whose turn it is. One magnet that stays may be a piece just placed that turns about.
        """
        if any(group.landed_ms.keys() & set(shift.found) for shift in self.seating.shifts):
            return True
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
