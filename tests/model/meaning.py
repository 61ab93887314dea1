"""What the hands mean: the moves of the game so far as the players know them, what really lies on the table,
and what may be laid next.

Owns the model of a game, made of sets and of the slow rules alone. Imports nothing of the package: that is
what makes it a second opinion.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping
from functools import cached_property, lru_cache
from typing import Any

from tests.games import slow_board, slow_rules

COLOURS = ("purple", "red", "green", "yellow")
WEAK_OF_POLE = {"red": "purple", "green": "yellow"}
"""What a strong magnet that is not in its seat reads as."""
SAME_POLE = {pair for one in WEAK_OF_POLE.items() for pair in (one, one[::-1])}
HOLES = tuple(range(0, 45, 5))
Line = dict[str, Any]
Piece = tuple[str, frozenset[int]]


def is_piece(line: Mapping[str, Any]) -> bool:
    """Whether a line of a record puts a piece on the board."""
    return "spaces" in line


def same(line: Mapping[str, Any]) -> str:
    """A line of a record as text, whatever the order of its keys and spaces."""
    spaces = {"spaces": sorted(line["spaces"])} if is_piece(line) else {}
    return json.dumps({**line, **spaces}, sort_keys=True)


class Told:
    """A list of moves told to the slow rules, and what they say of each and of the whole."""

    def __init__(self, header: Line, lines: Iterable[Line]) -> None:
        self.table = slow_rules.Table(header)
        self.lines = [dict(line) for line in lines]
        self.printed = [{"n": n, **self.table.line(json.dumps(one))} for n, one in enumerate(self.lines, 1)]

    @property
    def legal(self) -> bool:
        """Whether every line may stand."""
        return all(printed.get("legal", True) for printed in self.printed)

    @property
    def due(self) -> str | None:
        """Whose turn it is."""
        return self.table.turn

    @cached_property
    def choices(self) -> list[frozenset[int]]:
        """Every place where the player whose turn it is may lay a piece."""
        table = self.table
        if table.turn is None:
            return []
        used, filled = table.used[table.turn], table.owner.keys()
        return [
            place
            for place, (name, halo) in table.places.items()
            if used[name] < table.counts[name] and not place & filled and table.touches(place, halo)
        ]

    @cached_property
    def pieces(self) -> list[Piece]:
        """What should lie on the board, oldest first."""
        begun = max((n for n, line in enumerate(self.lines) if "round" in line), default=0)
        return [(line["player"], frozenset(line["spaces"])) for line in self.lines[begun:] if is_piece(line)]

    @cached_property
    def position(self) -> dict[int, str]:
        """The colour that should lie on each space."""
        return {space: colour for colour, spaces in self.pieces for space in spaces}


@lru_cache(maxsize=64)
def _told(header: str, lines: tuple[str, ...]) -> Told:
    return Told(json.loads(header), map(json.loads, lines))


class Meaning:
    """One game as its players know it.

    `moves` are the lines of its record, `undone` those that can be brought back, newest last. `on` says which
    magnet lies on each space, `pegs` in which hole each colour's peg stands. `liftable`: lifting the last
    piece takes it back; None when nobody would bet on it.
    """

    def __init__(self, header: Line) -> None:
        self.header = header
        self.moves: list[Line] = []
        self.undone: list[Line] = []
        self.on: dict[int, str] = {}
        self.pegs: dict[str, int] = {}
        self.liftable: bool | None = False

    @property
    def players(self) -> list[str]:
        """In turn order."""
        return list(self.header["players"])

    @property
    def told(self) -> Told:
        """The moves, judged."""
        return self.after(self.moves)

    def after(self, lines: Iterable[Line]) -> Told:
        """Another list of moves, judged."""
        return _told(json.dumps(self.header), tuple(map(same, lines)))

    def refused(self, line: Line) -> list[str]:
        """Why the rules would refuse a line now."""
        return list(self.after([*self.moves, line]).printed[-1].get("reasons", []))

    # The table and the game

    @property
    def over(self) -> bool:
        """Whether the round is over."""
        return self.told.table.ended is not None

    @property
    def matches(self) -> bool:
        """Whether what lies there is what should lie there."""
        return self.on == self.told.position

    @property
    def half_seated(self) -> set[int]:
        """The spaces that do not read, where every piece lies there by another space of it and nothing else
        is wrong: play goes on. None of them where more is wrong than that."""
        found = set[int]()
        for colour, spaces in self.told.pieces:
            off = {space for space in spaces if self.on.get(space) != colour}
            weak = {None, WEAK_OF_POLE.get(colour)}
            if off == spaces or not {self.on.get(space) for space in off} <= weak:
                return set()
            found |= off
        return found if self.on.keys() <= self.told.position.keys() else set()

    def would_end(self, spaces: Iterable[int]) -> bool:
        """Whether a piece of whoever's turn it is would be a move here, and the last of the round."""
        place = frozenset(spaces)
        line = {"player": self.told.due, "spaces": sorted(place)}
        return place in self.told.choices and self.after([*self.moves, line]).table.ended is not None

    @property
    def last_piece(self) -> Piece | None:
        """The piece of the last move, if it was one."""
        return self.told.pieces[-1] if self.moves and is_piece(self.moves[-1]) else None

    @property
    def empty(self) -> list[int]:
        """The spaces on which nothing lies."""
        return [space for space in slow_board.spaces() if space not in self.on]

    def mean(self, colour: str, spaces: Iterable[int]) -> None:
        """One more move, and its piece lies there."""
        self.moves.append({"player": colour, "spaces": sorted(spaces)})
        self.undone, self.liftable = [], True
        self.put(colour, spaces)

    def put(self, colour: str, spaces: Iterable[int]) -> None:
        """Magnets now lie there."""
        self.on.update(dict.fromkeys(spaces, colour))

    def take(self, spaces: Iterable[int]) -> None:
        """Nothing lies there any more."""
        for space in spaces:
            del self.on[space]

    # What else a piece could be taken for

    def joins(self, old: Iterable[int], new: Iterable[int]) -> bool:
        """Whether some piece of the set is all of `old` and some of `new`."""
        before, whole = frozenset(old), frozenset(old) | frozenset(new)
        return any(before < place <= whole for place in self.told.table.places)

    def could_grow(self, colour: str, spaces: Iterable[int]) -> bool:
        """Whether one of the colour's pieces on the board and some of these spaces make a larger piece."""
        some = list(spaces)
        return any(self.joins(old, some) for owner, old in self.told.pieces if owner == colour)

    def partly_legal(self, colour: str, spaces: Iterable[int]) -> bool:
        """Whether some of these spaces alone are a move that may be made now."""
        whole = frozenset(spaces)
        return colour == self.told.due and any(place <= whole for place in self.told.choices)

    def ambiguous(self, colour: str, spaces: Iterable[int]) -> bool:
        """Whether the same magnets are also several pieces that the player may lay one after another."""
        return self._split(self.moves, colour, frozenset(spaces), whole=False)

    def _split(self, lines: list[Line], colour: str, spaces: frozenset[int], *, whole: bool) -> bool:
        told = self.after(lines)
        if not spaces:
            return True
        return told.due == colour and any(
            self._split(
                [*lines, {"player": colour, "spaces": sorted(place)}], colour, spaces - place, whole=True
            )
            for place in told.choices
            if place <= spaces and (whole or place != spaces)
        )

    def could_be_one(self, one: Piece, other: Piece) -> bool:
        """Whether two pieces that come down together are also one piece of strong magnets, half in its seat:
        the page asks, and must."""
        either = one[1] | other[1]
        return (one[0], other[0]) in SAME_POLE and any(
            place <= either and place & one[1] and place & other[1] for place in self.told.table.places
        )

    # Pegs

    def pegs_wrong(self) -> set[tuple[str, int]]:
        """The pegs to move, and the holes they belong in; one at 0 that was never seen is not asked for."""
        due = {player: max(0, min(40, points // 5 * 5)) for player, points in self.told.table.scores.items()}
        return {
            (player, hole)
            for player, hole in due.items()
            if self.pegs.get(player) != hole and (hole or player in self.pegs)
        }
