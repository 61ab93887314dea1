"""What one look at a table can find, as frozen values: changes of the game, and troubles.

Owns these values and how landings form a group. Must not know how a look decides between them.
"""

from __future__ import annotations

from collections.abc import Sequence, Set
from dataclasses import dataclass, replace

from tablewire.board.lies import NEVER_MS
from tablewire.games.cirkis.colours import PlayerColour
from tablewire.games.cirkis.moves import Laid
from tablewire.games.cirkis.pieces import Placement
from tablewire.games.cirkis.readings import Reading
from tablewire.games.cirkis.report import Reason
from tablewire.games.cirkis.sensing import Landing
from tablewire.games.cirkis.tiling import SpaceId, mask_of


@dataclass(frozen=True, slots=True)
class Group:
    """All new magnets of one colour.

    `blinks`: some are off for a moment. `nudged`: those that are not at rest had lain long enough before to
    be judged. `unsteady` are spaces that flicker; nothing is judged on their word. `unseen`: those of which
    snapshots told, however many there have been since.
    """

    colour: PlayerColour
    landed_ms: dict[SpaceId, int]
    changed_ms: int
    blinks: bool
    nudged: bool
    unsteady: tuple[SpaceId, ...]
    unseen: frozenset[SpaceId]

    @property
    def first_ms(self) -> int:
        """When the first of them landed."""
        return min(self.landed_ms.values())

    @property
    def mask(self) -> int:
        """The landed spaces as a bit mask."""
        return mask_of(self.landed_ms)

    def without(self, spaces: Set[SpaceId]) -> Group | None:
        """The group without these spaces; None when nothing is left."""
        if not spaces & self.landed_ms.keys():
            return self
        kept = {space: ms for space, ms in self.landed_ms.items() if space not in spaces}
        return replace(self, landed_ms=kept, unseen=self.unseen - spaces) if kept else None


@dataclass(frozen=True, slots=True)
class Commit:
    """The group is one move, or several of one player one after another."""

    player: PlayerColour
    reading: Reading
    laid: tuple[Laid, ...]


@dataclass(frozen=True, slots=True)
class CatchUp:
    """What came while the board was not heard is these moves, one after another, and can be no others."""

    commits: tuple[Commit, ...]


@dataclass(frozen=True, slots=True)
class Rewrite:
    """Move `index` has grown into `placement`."""

    index: int
    player: PlayerColour
    placement: Placement
    laid: Laid


@dataclass(frozen=True, slots=True)
class TakeBack:
    """The piece just placed was lifted."""

    index: int


Change = Commit | CatchUp | Rewrite | TakeBack
"""What can happen to the list of moves."""


@dataclass(frozen=True, slots=True)
class Merge:
    """Moves `index` and `other`, the later one, are one piece together with new magnets: `placement`."""

    index: int
    other: int
    player: PlayerColour
    placement: Placement


Answer = Commit | Rewrite | Merge
"""What a group of new magnets can turn out to be, when a person is asked."""


@dataclass(frozen=True, slots=True)
class Mask:
    """A sensor whose word is no longer taken, because a person said so."""

    sensor: int


@dataclass(frozen=True, slots=True)
class Ambiguous:
    """The group can be read in several ways; a person decides."""

    group: Group
    choices: tuple[Answer, ...]


@dataclass(frozen=True, slots=True)
class Untold:
    """What came while the board was not heard can have been played in several ways; a person decides.

    `grown`: larger pieces that the last ones may have become; `way_count`: the ways found besides.
    """

    groups: tuple[Group, ...]
    grown: tuple[Rewrite, ...]
    way_count: int


@dataclass(frozen=True, slots=True)
class Illegal:
    """The group is, or holds, a piece that the rules refuse; `turn` is whose turn it was then.

    `unread`: with one of these spaces, which do not read, it would be a larger piece and legal.
    """

    group: Group
    piece: Placement
    reasons: tuple[Reason, ...]
    turn: PlayerColour | None
    unread: tuple[SpaceId, ...] = ()


@dataclass(frozen=True, slots=True)
class HalfLaid:
    """The group would be a piece if one of `unread` read its colour; `weak`: what reads weak instead.

    `choices`: what it can be, should that space never read.
    """

    group: Group
    unread: tuple[SpaceId, ...]
    weak: tuple[SpaceId, ...] = ()
    choices: tuple[Answer, ...] = ()


@dataclass(frozen=True, slots=True)
class Unexplained:
    """The group is no piece of the set, or of nobody who plays; `choices`: what it can be all the same."""

    group: Group
    colour_plays: bool
    choices: tuple[Answer, ...] = ()


@dataclass(frozen=True, slots=True)
class Unsteady:
    """A group that cannot be judged while these spaces flicker."""

    colour: PlayerColour
    spaces: tuple[SpaceId, ...]


Trouble = Ambiguous | Untold | Illegal | HalfLaid | Unexplained | Unsteady


def group_of(
    colour: PlayerColour, landings: Sequence[Landing], unsteady: tuple[SpaceId, ...], since_ms: int
) -> Group:
    """The group of all steady landings of a colour, of which there is at least one.

    What has not changed since `since_ms` is at rest.
    """
    return Group(
        colour,
        {landing.space: landing.landed_ms for landing in landings},
        max((landing.changed_ms for landing in landings if not landing.clear), default=NEVER_MS),
        any(landing.clear for landing in landings),
        all(landing.rested for landing in landings if landing.clear or landing.changed_ms > since_ms),
        unsteady,
        frozenset(landing.space for landing in landings if landing.unseen),
    )


def left_of(groups: Sequence[Group], change: Commit) -> list[Group]:
    """The groups without what the change has taken."""
    taken = {space for piece in change.reading for space in piece.spaces}
    return [rest for group in groups if (rest := group.without(taken)) is not None]


def weak_of(half: HalfLaid | Ambiguous) -> set[SpaceId]:
    """The weak reads that are one piece with a strong group, or may be: that is decided before they are."""
    if isinstance(half, HalfLaid):
        return set(half.weak)
    pieces = (piece for change in half.choices if isinstance(change, Commit) for piece in change.reading)
    return {space for piece in pieces for space in piece.spaces} - half.group.landed_ms.keys()
