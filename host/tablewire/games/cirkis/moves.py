"""The list of moves of a live game, and the position it leads to.

Owns a move (record line, what the rules made of it, how its piece came down) and the replay of a changed
list. Must not know sensors, settling or the page.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field, replace
from typing import Any

from tablewire.games.cirkis.colours import PlayerColour
from tablewire.games.cirkis.pieces import Placement
from tablewire.games.cirkis.record import Line, NextRound, Turn, encode_line, parse_line
from tablewire.games.cirkis.rules import Rules, State, Step
from tablewire.games.cirkis.tiling import SpaceId, mask_of, spaces_of


@dataclass(frozen=True, slots=True)
class Laid:
    """How a piece came down: its last landing, and until when it may grow (None: it is final)."""

    last_ms: int
    grows_until_ms: int | None


@dataclass(frozen=True, slots=True)
class Move:
    """One line of the game and the step the rules made of it; `laid` when sensors saw it come about."""

    line: Line
    step: Step
    laid: Laid | None = None


@dataclass(frozen=True, slots=True)
class Moves:
    """All moves so far, the state after them, and which colour lies on each space."""

    rules: Rules
    start: State
    moves: tuple[Move, ...] = ()
    position: Mapping[SpaceId, PlayerColour] = field(default_factory=dict)

    @property
    def state(self) -> State:
        """The state of the game after the last move."""
        return self.moves[-1].step.state if self.moves else self.start

    def play(self, line: Line, laid: Laid | None = None) -> Moves:
        """One more move. The line must be legal or forced: ValueError otherwise."""
        step = self.rules.apply(self.state, line)
        if not step.report.legal:
            raise ValueError(f"not a legal move: {encode_line(line)}")
        moves = (*self.moves, Move(line, step, laid))
        return replace(self, moves=moves, position=position_of(self.rules, step.state))

    def replay(self, lines: Iterable[tuple[Line, Laid | None]]) -> tuple[Moves, int | None]:
        """The moves of `lines` from the start, up to the first that the rules refuse, and its index."""
        played = Moves(self.rules, self.start)
        for index, (line, laid) in enumerate(lines):
            try:
                played = played.play(line, laid)
            except ValueError:
                return played, index
        return played, None

    def lines(self) -> list[tuple[Line, Laid | None]]:
        """The list of moves without what the rules made of it: what a change rewrites."""
        return [(move.line, move.laid) for move in self.moves]

    def placement(self, index: int) -> Placement | None:
        """The piece that move `index` laid; None for passes, rulings and rounds."""
        line = self.moves[index].line
        return self.rules.pieces.by_mask[mask_of(line.spaces)] if isinstance(line, Turn) else None

    def on_table(self, index: int) -> bool:
        """Whether move `index` belongs to the round being played."""
        return not any(isinstance(move.line, NextRound) for move in self.moves[index:])

    def pieces_on_table(self) -> list[tuple[PlayerColour, tuple[SpaceId, ...]]]:
        """The pieces of the round being played, oldest first."""
        pieces: list[tuple[PlayerColour, tuple[SpaceId, ...]]] = []
        for move in self.moves:
            if isinstance(move.line, NextRound):
                pieces.clear()
            elif isinstance(move.line, Turn):
                spaces = tuple(SpaceId(space) for space in move.line.spaces)
                pieces.append((PlayerColour(move.line.player), spaces))
        return pieces

    def last_of(self, player: PlayerColour) -> int | None:
        """The index of the piece that `player` laid last in this round."""
        for index in range(len(self.moves) - 1, -1, -1):
            line = self.moves[index].line
            if isinstance(line, NextRound):
                return None
            if isinstance(line, Turn) and line.player == player:
                return index
        return None


def position_of(rules: Rules, state: State) -> dict[SpaceId, PlayerColour]:
    """Which colour lies on each filled space."""
    return {
        space: player
        for player, mask in zip(rules.players, state.masks, strict=True)
        for space in spaces_of(mask)
    }


def encode_move(line: Line, laid: Laid | None) -> dict[str, Any]:
    """The JSON form of a move in the journal; `parse_move` is its inverse."""
    body: dict[str, Any] = {"line": encode_line(line)}
    if laid is not None:
        body |= {"last_ms": laid.last_ms, "grows_until_ms": laid.grows_until_ms}
    return body


def parse_move(body: Mapping[str, Any]) -> tuple[Line, Laid | None]:
    """Read a journal move back. ValueError when its line is none."""
    line = parse_line(body["line"])
    if line is None:
        raise ValueError(f"the journal holds a line that is none: {body['line']}")
    laid = Laid(body["last_ms"], body["grows_until_ms"]) if "last_ms" in body else None
    return line, laid


def replace_spaces(line: Line, spaces: tuple[SpaceId, ...]) -> Line:
    """The same turn on other spaces."""
    if not isinstance(line, Turn):
        raise TypeError("only a placement can grow")
    return replace(line, spaces=spaces)
