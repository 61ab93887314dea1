"""From one position of a game of Cir*Kis to the next: placements, passes, rounds and the end.

Owns whose turn it is, what a placement completes and earns, and when a round is over. Must not know verdicts:
whoever asks has found the line legal or forced.

Everything that depends only on the pieces is in `Tables`; a step is then a few operations on bit sets.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from tablewire.games.cirkis.colours import PlayerColour
from tablewire.games.cirkis.options import Options, Rulebook
from tablewire.games.cirkis.report import Award, FreeTurn, Why
from tablewire.games.cirkis.scoring import GOING_OUT_POINTS, SCALES, dominant, figure_awards
from tablewire.games.cirkis.state import NOBODY, Ending, State
from tablewire.games.cirkis.tables import NO_FIGURES, RING, Tables

NO_NAMES: tuple[str, ...] = ()
NO_AWARDS: tuple[Award, ...] = ()
NO_SEATS: tuple[int, ...] = ()
MIDDLE_STAR = "S1"


class Placed(NamedTuple):
    """A placement carried out: the position after it and what it brought about."""

    state: State
    completed: tuple[str, ...]
    awards: tuple[Award, ...]
    free_turn: FreeTurn | None
    passed: tuple[int, ...]
    """Seats passed over by it."""


class Course:
    """How a game runs among given players under given options. Immutable."""

    def __init__(
        self, players: tuple[PlayerColour, ...], options: Options, tables: Tables, piece_count: int
    ) -> None:
        seats = range(len(players))
        self._players = players
        self._tables = tables
        self._piece_count = piece_count
        self._target = options.target
        self._at_once = options.rulebook is Rulebook.INTERNATIONAL
        self._scales = {name: SCALES[options.rulebook, name == RING] for name in tables.figure_names}
        self._after = [
            tuple((seat + step) % len(seats) for step in range(1, len(seats) + 1)) for seat in seats
        ]

    def lay(self, state: State, seat: int, index: int) -> Placed:
        """Placement `index` laid by the player of `seat`."""
        tables = self._tables
        mask = tables.mask[index]
        filled = state.filled | mask
        masks = _with(state.masks, seat, state.masks[seat] | mask)
        own = state.laid[seat] | 1 << index
        stocks = state.stocks
        shape, count = tables.shape[index]
        if (own & shape).bit_count() >= count:
            stocks = _with(stocks, seat, stocks[seat] & ~shape)
        fits = state.open & tables.clear[index]
        near = state.near | tables.touch[index]
        figures = tables.figures[index]
        if figures is NO_FIGURES:
            completed, awards = NO_NAMES, NO_AWARDS
        else:
            completed, awards = self._complete(figures, filled, masks, seat)
        if tables.halo[index] & ~filled == 0 or completed or tables.sliver[index]:
            free_turn = self._free_turn(state, index, filled, completed)
        else:
            free_turn = None
        went_out = own.bit_count() >= self._piece_count
        if went_out:
            awards = (*awards, Award(self._players[seat], GOING_OUT_POINTS, Why.WENT_OUT, None))
        scores = self._with_awards(state.scores, awards) if awards else state.scores

        playable = 0 if free_turn is None else near & fits & stocks[seat]
        ended, turn, legal, passed = None, NOBODY, 0, NO_SEATS
        if went_out:
            ended = Ending.WENT_OUT
        elif (self._at_once or not playable) and max(scores) >= self._target:
            ended = Ending.TARGET
        elif playable:
            turn, legal = seat, playable
        else:
            turn, legal, passed = _next_able(tables.touch[index] & fits, stocks, self._after[seat])
            ended = Ending.BLOCKED if turn == NOBODY else None
        after = State(
            state.players,
            turn,
            playable != 0 and ended is None,
            legal,
            fits,
            near,
            stocks,
            filled,
            mask,
            index,
            masks,
            _with(state.laid, seat, own),
            scores,
            state.sliver_laid or tables.sliver[index],
            len(passed),
            passed,
            ended,
            state.round,
            state.earlier,
            state.moves + 1,
        )
        return Placed(after, completed, awards, free_turn, passed)

    def _free_turn(
        self, state: State, index: int, filled: int, completed: tuple[str, ...]
    ) -> FreeTurn | None:
        """Why placement `index` earns a free turn, the first reason that applies; None when it does not."""
        if self._tables.halo[index] & ~filled == 0:
            return FreeTurn.SURROUNDED
        if MIDDLE_STAR in completed:
            return FreeTurn.CENTER_STAR
        return FreeTurn.FIRST_SLIVER if self._tables.sliver[index] and not state.sliver_laid else None

    def _complete(
        self, figures: tuple[tuple[str, int], ...], filled: int, masks: tuple[int, ...], seat: int
    ) -> tuple[tuple[str, ...], tuple[Award, ...]]:
        """Which of the figures a placement touches are now full, and the awards for them."""
        completed, awards = NO_NAMES, NO_AWARDS
        for name, figure in figures:
            if figure & filled == figure:
                completed = (*completed, name)
                leading = dominant(figure, masks)
                awards += figure_awards(self._scales[name], name, self._players, seat, leading)
        return completed, awards

    def _with_awards(self, scores: tuple[int, ...], awards: tuple[Award, ...]) -> tuple[int, ...]:
        return tuple(
            score + sum(award.points for award in awards if award.player is player)
            for player, score in zip(self._players, scores, strict=True)
        )

    def pass_on(self, state: State, seat: int, passes: int) -> tuple[State, tuple[int, ...]]:
        """After a pass of `seat`: whose turn it is now, and who was passed over on the way."""
        touch = state.open & self.reach(state._replace(free_turn=False))
        asked = self._after[seat][: max(0, len(self._players) - passes)]
        turn, legal, passed = _next_able(touch, state.stocks, asked)
        after = state._replace(
            turn=turn,
            legal=legal,
            free_turn=False,
            passes=passes + len(passed),
            unstated=state.unstated + passed,
            ended=Ending.BLOCKED if turn == NOBODY else None,
        )
        return after, passed

    def over(self, state: State, ended: Ending) -> State:
        """The round ended here."""
        return state._replace(turn=NOBODY, legal=0, free_turn=False, ended=ended)

    def open_round(self, number: int, earlier: tuple[int, ...]) -> State:
        """An empty board; round 1 is started by the first player, each later one by the next clockwise."""
        seats = len(self._players)
        whole = self._tables.every
        starter = (number - 1) % seats
        asked = tuple((starter + step) % seats for step in range(seats))
        turn, legal, passed = _next_able(self._tables.central, (whole,) * seats, asked)
        return State(
            players=self._players,
            turn=turn,
            free_turn=False,
            legal=legal,
            open=whole,
            near=0,
            stocks=(whole,) * seats,
            filled=0,
            leader=0,
            leader_index=NOBODY,
            masks=(0,) * seats,
            laid=(0,) * seats,
            scores=(0,) * seats,
            sliver_laid=False,
            passes=len(passed),
            unstated=passed,
            ended=Ending.BLOCKED if turn == NOBODY else None,
            round=number,
            earlier=earlier,
            moves=0,
        )

    def reach(self, state: State) -> int:
        """Placement set: where the next piece must lie, whoever places it, filled spaces not considered."""
        if state.leader_index == NOBODY:
            return self._tables.central
        return state.near if state.free_turn else self._tables.touch[state.leader_index]


def _with(values: tuple[int, ...], seat: int, value: int) -> tuple[int, ...]:
    """The tuple with one player's value replaced."""
    return (*values[:seat], value, *values[seat + 1 :])


def _next_able(touch: int, stocks: tuple[int, ...], asked: Sequence[int]) -> tuple[int, int, tuple[int, ...]]:
    """The first asked who has a place in `touch`: seat, placement set, those passed over before."""
    passed = NO_SEATS
    for seat in asked:
        legal = touch & stocks[seat]
        if legal:
            return seat, legal, passed
        passed = (*passed, seat)
    return NOBODY, 0, passed
