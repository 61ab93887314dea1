"""One look at the table: every difference from the game, and what each of them means.

Owns the decision which settled change is one move, ambiguous, illegal or unexplained, which lift takes a
piece back, and which landing makes a piece grow. Must not know the journal, words or the page.

The look is pure: the same moves and the same sensor states give the same findings. Groups of landings are
judged in the order in which they began, by the board's clock.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from itertools import groupby

from tablewire.board.lies import Lies
from tablewire.games.cirkis.colours import PlayerColour
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
from tablewire.games.cirkis.moves import Laid, Move, Moves
from tablewire.games.cirkis.pieces import Placement
from tablewire.games.cirkis.readings import Reading, Readings, can_grow, growths, is_legal, read_landings
from tablewire.games.cirkis.record import Turn
from tablewire.games.cirkis.sensing import WEAK_OF_POLE, Gap, Sensed, Stranger, sense
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
        provisional = frozenset(self.provisional(groups))
        if self.moves.state.ended is not None and not provisional:
            return Survey(self.sensed)
        missing, half_seated, strangers = self.missing()
        change: Commit | Rewrite | TakeBack | None = self.taken_back(groups) or self.grown(groups)
        troubles: list[Trouble] = []
        if change is None and self.moves.state.ended is None:
            change, troubles = self.judged(groups, hold=bool(missing or strangers))
        return Survey(self.sensed, change, tuple(troubles), missing, half_seated, strangers, provisional)

    # What is there

    def quiet(self, changed_ms: int) -> bool:
        return self.lies.now_ms - changed_ms >= self.lies.timing.quiet_ms

    def settled(self, group: Group) -> bool:
        return not group.blinks and self.quiet(group.changed_ms)

    def groups(self) -> list[Group]:
        """The steady landings by colour, in the order in which they began."""
        by_colour = sorted(self.sensed.landings, key=lambda landing: landing.colour)
        found = []
        for colour, some in groupby(by_colour, key=lambda landing: landing.colour):
            landings = list(some)
            steady = [landing for landing in landings if not landing.flickers]
            if steady:
                unsteady = self.unsteady(colour, mask_of(landing.space for landing in steady))
                found.append(group_of(colour, steady, unsteady, self.lies.timing.quiet_ms))
        return sorted(found, key=lambda group: (group.first_ms, group.colour))

    def unsteady(self, colour: PlayerColour, mask: int) -> tuple[SpaceId, ...]:
        """Flickering spaces that could belong to a piece of `colour` together with `mask`."""
        pole = {colour, WEAK_OF_POLE.get(colour)}
        return tuple(
            landing.space
            for landing in self.sensed.landings
            if landing.flickers
            and landing.colour in pole
            and any(growths(self.moves.rules.pieces, mask_of([landing.space]), mask))
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
            moved = group.colour == player and group.first_ms >= min(gap.cleared_ms for gap in gaps)
            if moved and self.settled(group) and not self.readings(group).legal:
                still = piece.mask & ~mask_of(gap.space for gap in gaps)
                if whole or (still | group.mask) in self.moves.rules.pieces.by_mask:
                    return TakeBack(index)
        return None

    def grown(self, groups: list[Group]) -> Rewrite | None:
        """A settled landing that makes a piece of that colour larger, in time."""
        for group in groups:
            if not self.settled(group) or group.unsteady:
                continue
            for index, piece, laid in self.recent_pieces(group.colour):
                if self.gaps_of(piece):
                    continue  # a piece that is being lifted does not grow
                young = self.young(group, laid)
                found = self.larger(group.colour, piece, mask_of(young))
                if found:
                    return self.rewrite(index, group.colour, found[0], max(young.values()))
        return None

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
                continue
            verdict = self.verdict(group)
            if not isinstance(verdict, Commit):
                troubles.append(verdict)
            elif group.blinks:
                return None, troubles
            elif not hold:
                return verdict, troubles
        return None, troubles

    def verdict(self, group: Group) -> Commit | Trouble:
        """What a settled group is."""
        if group.colour not in self.moves.rules.players:
            return Unexplained(group, colour_plays=False)
        readings = self.readings(group)
        if len(readings.legal) == 1:
            return self.commit(group, readings.legal[0])
        if readings.legal:
            return Ambiguous(group, tuple(self.commit(group, reading) for reading in readings.legal))
        if not readings.every:
            return Unexplained(group, colour_plays=True)
        late = self.late_growth(group, readings.every[0])
        if late is not None:
            return late
        if len(readings.every) == 1:
            # Only one way to read it: the pieces laid before the refused one stand.
            legal = self.legal_part(group.colour, readings.every[0])
            if legal:
                return self.commit(group, legal)
        return self.illegal(group, readings.every[0])

    def late_growth(self, group: Group, separate: Reading) -> Ambiguous | None:
        """Out of turn, too late to be a growth for sure, but it would fit: the page asks."""
        index = self.moves.last_of(group.colour)
        if index is None or self.moves.state.to_move == group.colour:
            return None
        piece = self.moves.placement(index)
        if piece is None:
            return None
        grown = [p for p in self.larger(group.colour, piece, group.mask) if p.mask == piece.mask | group.mask]
        if not grown:
            return None
        last_ms = max(group.landed_ms.values())
        choices = (self.rewrite(index, group.colour, grown[0], last_ms), self.commit(group, separate))
        return Ambiguous(group, choices)

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

    def rewrite(self, index: int, player: PlayerColour, placement: Placement, last_ms: int) -> Rewrite:
        state = self.moves.moves[index].step.state
        grows = can_grow(self.moves.rules, state, player, placement)
        laid = Laid(last_ms, last_ms + self.lies.timing.growth_ms if grows else None)
        return Rewrite(index, player, placement, laid)

    def larger(self, player: PlayerColour, piece: Placement, landed: int) -> list[Placement]:
        return [
            p
            for p in growths(self.moves.rules.pieces, piece.mask, landed)
            if self.moves.rules.in_stock(self.moves.state, player, p.shape)
        ]

    def recent_pieces(self, player: PlayerColour) -> Iterator[tuple[int, Placement, Laid]]:
        """The pieces of `player` on the table that sensors saw come down, newest first."""
        for index in range(len(self.moves.moves) - 1, -1, -1):
            move = self.moves.moves[index]
            if move.laid is not None and _player(move) == player and self.moves.on_table(index):
                piece = self.moves.placement(index)
                if piece is not None:
                    yield index, piece, move.laid

    def young(self, group: Group, laid: Laid) -> dict[SpaceId, int]:
        """The landings in time to belong to a piece: each at most `growth_ms` after the one before."""
        found: dict[SpaceId, int] = {}
        limit_ms = laid.last_ms + self.lies.timing.growth_ms
        for space, landed_ms in sorted(group.landed_ms.items(), key=lambda item: item[1]):
            if landed_ms > limit_ms:
                break
            found[space] = landed_ms
            limit_ms = max(limit_ms, landed_ms + self.lies.timing.growth_ms)
        return found

    def provisional(self, groups: list[Group]) -> Iterator[int]:
        """The moves that may yet be rewritten: in their time, or while a landing in time settles."""
        for index, move in enumerate(self.moves.moves):
            piece = self.moves.placement(index)
            if move.laid is None or move.laid.grows_until_ms is None or piece is None:
                continue
            player, laid = _player(move), move.laid
            if self.moves.on_table(index) and (
                self.lies.now_ms <= move.laid.grows_until_ms
                or any(
                    group.colour == player and self.larger(player, piece, mask_of(self.young(group, laid)))
                    for group in groups
                    if not self.settled(group)
                )
            ):
                yield index

    def last_piece(self) -> tuple[int, PlayerColour, Placement] | None:
        index = len(self.moves.moves) - 1
        if not self.liftable or index < 0:
            return None
        piece, player = self.moves.placement(index), _player(self.moves.moves[index])
        return None if piece is None or player is None else (index, player, piece)

    def gaps_of(self, piece: Placement) -> list[Gap]:
        return [gap for gap in self.sensed.gaps if gap.space in piece.spaces]

    def lifted(self, gap: Gap) -> bool:
        return self.lies.now_ms - gap.cleared_ms >= self.lies.timing.lift_ms

    def undecided_lift(self, group: Group) -> bool:
        """Whether the piece just placed by this colour is off for a moment: lifted, or only straightened?"""
        last = self.last_piece()
        if last is None or last[1] != group.colour:
            return False
        gaps = self.gaps_of(last[2])
        return any(not gap.flickers and not self.lifted(gap) for gap in gaps)


def _player(move: Move) -> PlayerColour | None:
    return PlayerColour(move.line.player) if isinstance(move.line, Turn) else None
