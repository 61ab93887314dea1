"""What somebody sees who looks at a simulated table: pieces, bare spaces, and what is beside what.

Owns which magnets were laid down together, so that a piece that flies off takes all of its magnets along.
Must not know the rules, whose turn it is, faults or time.
"""

from __future__ import annotations

from collections.abc import Iterable
from random import Random

from tablewire.games.cirkis.colours import PlayerColour
from tablewire.games.cirkis.tiling import board, spaces_of
from tablewire.games.cirkis.wiring import HOLES, SPACE_COUNT, colour_of, peg_sensor, sensor_of
from tablewire.virtual.magnets import Magnets
from tablewire.wire.messages import MagnetClass

PIECE_MAX = 3
"""No piece of the game has more magnets; what was laid in one go and is larger is a heap of them."""

Spaces = tuple[int, ...]


class Tabletop:
    """The table, as it lies now."""

    def __init__(self, magnets: Magnets) -> None:
        self._magnets = magnets
        self._laid: list[tuple[PlayerColour | None, Spaces]] = []

    def note_laid(self, colour: PlayerColour | None, spaces: Spaces) -> None:
        """These magnets come down together; what is part of a piece that is known is put back as such."""
        if len(spaces) > PIECE_MAX:
            for space in spaces:
                self.note_laid(colour, (space,))
            return
        fresh = set(spaces)
        if any(theirs is colour and fresh <= set(piece) for theirs, piece in self._laid):
            return
        kept = [(theirs, tuple(s for s in piece if s not in fresh)) for theirs, piece in self._laid]
        self._laid = [*((theirs, piece) for theirs, piece in kept if piece), (colour, spaces)]

    def magnet(self, space: int) -> MagnetClass:
        """What lies on a space."""
        return self._magnets[sensor_of(space)]

    def colour(self, space: int) -> PlayerColour | None:
        """Whose piece lies on a space."""
        return colour_of(self.magnet(space))

    def pieces(self) -> list[Spaces]:
        """What lies there, piece by piece, the last one laid at the end."""
        known = [tuple(s for s in piece if self.colour(s) is colour) for colour, piece in self._laid]
        told = {space for piece in known for space in piece}
        return [*((s,) for s in self.covered() if s not in told), *(piece for piece in known if piece)]

    def piece_on(self, space: int) -> Spaces:
        """The piece on a space; none when it is bare."""
        return next((piece for piece in self.pieces() if space in piece), ())

    def covered(self) -> list[int]:
        """The spaces that something lies on."""
        return [space for space in range(1, SPACE_COUNT + 1) if self.magnet(space)]

    def bare(self) -> set[int]:
        """The spaces that nothing lies on."""
        return {space for space in range(1, SPACE_COUNT + 1) if not self.magnet(space)}

    def colours(self) -> list[PlayerColour]:
        """Who plays, as far as the table shows it: by pieces and pegs."""
        lying = {self.colour(space) for space in self.covered()}
        return [colour for colour in PlayerColour if colour in lying or self.peg(colour) is not None]

    def peg(self, colour: PlayerColour) -> int | None:
        """The hole in which somebody's peg stands."""
        return next((hole for hole in HOLES if self._magnets[peg_sensor(colour, hole)]), None)

    def beside(self, spaces: Iterable[int]) -> list[int]:
        """Bare spaces that touch any of these, by edge or point."""
        around = {other for space in spaces for other in touching(space)}
        return sorted(around & self.bare())

    def apart(self, spaces: Iterable[int], colour: PlayerColour) -> list[int]:
        """Those of the spaces that have no edge in common with a piece of this colour."""
        return [s for s in spaces if not any(self.colour(other) is colour for other in joined(s))]

    def walk(self, begin: int, count: int, allowed: set[int], rng: Random) -> Spaces:
        """A way of up to so many allowed spaces from `begin` on, each joined to the one before."""
        path = [begin]
        while len(path) < count:
            onward = [s for s in joined(path[-1]) if s in allowed and s not in path]
            if not onward:
                break
            path.append(rng.choice(onward))
        return tuple(path)

    def patch(self, count: int, allowed: set[int], rng: Random) -> Spaces:
        """So many allowed spaces that hang together; none when nothing that large is left."""
        for begin in rng.sample(sorted(allowed), len(allowed)):
            path = self.walk(begin, count, allowed, rng)
            if len(path) == count:
                return path
        return ()


def touching(space: int) -> Spaces:
    """The spaces beside a space, by edge or point."""
    return spaces_of(board().touches[space - 1])


def joined(space: int) -> Spaces:
    """The spaces that share an edge with a space."""
    return spaces_of(board().joins[space - 1])


def say(spaces: Iterable[int]) -> str:
    """Spaces as a command has them."""
    return ",".join(map(str, spaces))
