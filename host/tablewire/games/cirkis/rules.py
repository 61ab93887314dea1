"""The rules of Cir*Kis for one group of players, options and piece set: what is legal, and what a line does.

Owns every verdict and its reasons. Must not know files, sensors or how a line is written; how a position
follows from another is `Course`.

A breach of the rules is a report with reasons, never an exception.
"""

from __future__ import annotations

from collections.abc import Sequence

from tablewire.games.cirkis.colours import PlayerColour
from tablewire.games.cirkis.course import NO_SEATS, Course
from tablewire.games.cirkis.options import Options, Rulebook
from tablewire.games.cirkis.pieces import PieceSet, Placement, default_piece_set
from tablewire.games.cirkis.record import Line, NextRound, Pass, Ruling, Turn
from tablewire.games.cirkis.report import (
    FORCEABLE,
    LineKind,
    Reason,
    Report,
    Result,
    Step,
)
from tablewire.games.cirkis.scoring import winners
from tablewire.games.cirkis.state import NOBODY, Ending, State
from tablewire.games.cirkis.tables import Tables
from tablewire.games.cirkis.tiling import mask_of, set_bits

__all__ = ["Options", "PlayerColour", "Rulebook", "Rules", "State", "Step"]


class Rules:
    """The rules as given players, in turn order, agreed on them. Immutable; one serves many games."""

    def __init__(
        self,
        players: Sequence[PlayerColour],
        options: Options | None = None,
        pieces: PieceSet | None = None,
    ) -> None:
        self.players = tuple(map(PlayerColour, players))
        self.options = options or Options()
        self.pieces = pieces or default_piece_set()
        self.placements = self.pieces.placements
        self._tables = Tables(self.pieces, center_ring=self.options.center_ring)
        self._course = Course(self.players, self.options, self._tables, self.pieces.piece_count)

    def start(self) -> State:
        """The empty board of the first round."""
        return self._course.open_round(1, (0,) * len(self.players))

    def legal(self, state: State) -> int:
        """The placement set of the player to move; empty when the round is over."""
        return state.legal

    def legal_placements(self, state: State) -> list[Placement]:
        """Every placement the player to move may choose."""
        return [self.placements[index] for index in set_bits(state.legal)]

    def can_place(self, state: State, player: str) -> bool:
        """Whether the player has a legal place as the table stands, whoever's turn it is."""
        if state.ended is not None or player not in self.players:
            return False
        return self._course.reach(state) & state.open & state.stocks[self._seat(player)] != 0

    def in_stock(self, state: State, player: str, shape: str) -> bool:
        """Whether the player has a piece of the shape left."""
        return state.stocks[self._seat(player)] & self._tables.of_shape[shape] != 0

    def stock(self, state: State, player: str) -> dict[str, int]:
        """How many pieces of each shape the player has left; 0 also after a forced one too many."""
        laid = state.laid[self._seat(player)]
        return {
            shape: max(0, count - (laid & self._tables.of_shape[shape]).bit_count())
            for shape, count in self.pieces.counts.items()
        }

    def unplayed(self, state: State) -> tuple[int, ...]:
        """How many pieces each player has left."""
        return tuple(self.pieces.piece_count - laid.bit_count() for laid in state.laid)

    def expected_passes(self, state: State) -> tuple[PlayerColour, ...]:
        """The players passed over whose pass lines would be accepted, in this order."""
        return tuple(self.players[seat] for seat in state.unstated)

    def judge(self, state: State, player: str, spaces: Sequence[int]) -> tuple[Reason, ...]:
        """Every reason against the placement, sorted; none when it is legal."""
        if state.ended is not None:
            return (Reason.GAME_OVER,)
        reasons = self._against_player(state, player)
        last = len(self._tables.area.spaces)
        known = [space for space in spaces if 1 <= space <= last]
        mask = mask_of(known)
        if len(known) < len(spaces):
            reasons.append(Reason.UNKNOWN_SPACE)
        if mask & state.filled:
            reasons.append(Reason.SPACE_FILLED)
        if len(known) == len(spaces) and not mask & state.filled:
            placement = self.pieces.by_mask.get(mask) if mask.bit_count() == len(spaces) else None
            if placement is None:
                reasons.append(Reason.NOT_A_PIECE)
            else:
                reasons.extend(self._against_piece(state, player, placement))
        return tuple(sorted(reasons))

    def judge_pass(self, state: State, player: str) -> tuple[Reason, ...]:
        """Every reason against a pass that states no automatic one, sorted."""
        if state.ended is not None:
            return (Reason.GAME_OVER,)
        reasons = self._against_player(state, player)
        if not self.options.voluntary_pass and self.can_place(state, player):
            reasons.append(Reason.PASS_WHILE_ABLE)
        return tuple(sorted(reasons))

    def place(self, state: State, placement: Placement) -> State:
        """The position after a placement that is legal for the player to move; nothing is checked."""
        return self._course.lay(state, state.turn, placement.index).state

    def apply(self, state: State, line: Line | None) -> Step:
        """What a line of a record does; None stands for a line that is none."""
        match line:
            case Turn():
                return self._apply_turn(state, line)
            case Pass():
                return self._apply_pass(state, line)
            case Ruling():
                return self._apply_ruling(state, line)
            case NextRound():
                return self._apply_round(state, line)
            case None:
                return self._illegal(state, None, (Reason.NOT_A_LINE,))

    def result(self, state: State) -> Result:
        """How the round, or with the option the match, stands or ended."""
        unplayed = self.unplayed(state)
        over = self._match_over(state)
        points = state.totals if over else state.scores
        return Result(
            ended=Ending.MATCH if over else state.ended,
            winners=winners(self.players, points, unplayed) if state.ended is not None else (),
            scores=self._by_player(state.scores),
            unplayed=self._by_player(unplayed),
            totals=None if self.options.match is None else self._by_player(state.totals),
        )

    def _apply_turn(self, state: State, line: Turn) -> Step:
        reasons = self.judge(state, line.player, line.spaces)
        if reasons and not (line.forced and FORCEABLE.issuperset(reasons)):
            return self._illegal(state, line.player, reasons)
        placement = self.pieces.by_mask[mask_of(line.spaces)]
        laid = self._course.lay(state, self._seat(line.player), placement.index)
        after = laid.state
        report = Report(
            LineKind.PLACEMENT,
            line.player,
            shape=placement.shape,
            completed=laid.completed,
            awards=laid.awards,
            free_turn=laid.free_turn,
            auto_passes=tuple(self.players[seat] for seat in laid.passed),
            scores=self._by_player(after.scores),
            next=after.to_move,
            forced=reasons if line.forced else None,
        )
        return Step(after, report)

    def _apply_pass(self, state: State, line: Pass) -> Step:
        forced: tuple[Reason, ...] | None = () if line.forced else None
        if state.unstated and line.player == self.players[state.unstated[0]]:
            stated = state._replace(unstated=state.unstated[1:])
            return self._passed(stated, LineKind.STATED_PASS, line.player, (), forced)
        reasons = self.judge_pass(state, line.player)
        if reasons and not (line.forced and FORCEABLE.issuperset(reasons)):
            return self._illegal(state, line.player, reasons)
        seat = self._seat(line.player)
        declined = state.free_turn and seat == state.turn
        passes = state.passes + (not declined)
        if max(state.scores) >= self.options.target:
            after, passed = self._course.over(state, Ending.TARGET), NO_SEATS
        else:
            after, passed = self._course.pass_on(state, seat, passes)
        return self._passed(after, LineKind.PASS, line.player, passed, reasons if line.forced else None)

    def _passed(
        self,
        state: State,
        kind: LineKind,
        player: str,
        passed: tuple[int, ...],
        forced: tuple[Reason, ...] | None,
    ) -> Step:
        report = Report(
            kind,
            player,
            auto_passes=tuple(self.players[seat] for seat in passed),
            scores=self._by_player(state.scores),
            next=state.to_move,
            forced=forced,
        )
        return Step(state, report)

    def _apply_ruling(self, state: State, line: Ruling) -> Step:
        if not line.points or not set(self.players).issuperset(line.points):
            return self._illegal(state, None, (Reason.NOT_A_LINE,))
        given = tuple(line.points.get(player, 0) for player in self.players)
        scores = tuple(score + points for score, points in zip(state.scores, given, strict=True))
        after = state._replace(scores=scores)
        if (
            self.options.rulebook is Rulebook.INTERNATIONAL
            and state.ended is None
            and max(scores) >= self.options.target
        ):
            after = self._course.over(after, Ending.TARGET)
        report = Report(
            LineKind.RULING,
            ruling={player: line.points[player] for player in self.players if player in line.points},
            scores=self._by_player(scores),
            next=after.to_move,
        )
        return Step(after, report)

    def _apply_round(self, state: State, line: NextRound) -> Step:
        if self._match_over(state):
            return self._illegal(state, None, (Reason.GAME_OVER,))
        if self.options.match is None or state.ended is None or line.number != state.round + 1:
            return self._illegal(state, None, (Reason.NOT_A_LINE,))
        after = self._course.open_round(line.number, state.totals)
        report = Report(
            LineKind.ROUND, round=line.number, scores=self._by_player(after.scores), next=after.to_move
        )
        return Step(after, report)

    def _illegal(self, state: State, player: str | None, reasons: tuple[Reason, ...]) -> Step:
        return Step(state, Report(LineKind.ILLEGAL, player, reasons))

    def _against_player(self, state: State, player: str) -> list[Reason]:
        if player not in self.players:
            return [Reason.UNKNOWN_PLAYER]
        return [] if player == state.to_move else [Reason.NOT_YOUR_TURN]

    def _against_piece(self, state: State, player: str, placement: Placement) -> list[Reason]:
        reasons = []
        if player in self.players and not self.in_stock(state, player, placement.shape):
            reasons.append(Reason.NONE_LEFT)
        if not self._course.reach(state) >> placement.index & 1:
            if state.leader_index == NOBODY:
                reasons.append(Reason.FIRST_NOT_CENTRAL)
            else:
                reasons.append(Reason.NOT_TOUCHING_ANY if state.free_turn else Reason.NOT_TOUCHING_LEADER)
        return reasons

    def _match_over(self, state: State) -> bool:
        match = self.options.match
        return match is not None and state.ended is not None and max(state.totals) >= match

    def _seat(self, player: str) -> int:
        return self.players.index(PlayerColour(player))

    def _by_player(self, values: Sequence[int]) -> dict[PlayerColour, int]:
        return dict(zip(self.players, values, strict=True))
