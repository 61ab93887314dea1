"""The table as it lies as a correction, where no legal line of moves leads there.

Owns which entries are respelled, which go and which come, so that the position is what lies there; what the
rules then refuse stands as forced. Must not know sensors, the journal, or how a legal line is looked for.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Sequence
from itertools import islice

from tablewire.games.cirkis.as_it_lies import AsItLies
from tablewire.games.cirkis.colours import PlayerColour
from tablewire.games.cirkis.corrections import Do, Edit, Projection, project
from tablewire.games.cirkis.moves import Moves
from tablewire.games.cirkis.pieces import PieceSet, Placement
from tablewire.games.cirkis.record import NextRound, Turn
from tablewire.games.cirkis.tiling import SpaceId, board, mask_of, spaces_of
from tablewire.games.cirkis.words import listed, name_of, spaces_said

MAX_COVERS = 200
"""Ways to split a patch of one colour into pieces that are compared: a dozen spaces seldom have more."""
MAX_TRIES = 20_000
"""Pieces tried per patch before it counts as one that no pieces make: some hundredths of a second."""


class CannotLieError(ValueError):
    """What lies there can be no position of this game; the text names the spaces."""


def respelled(moves: Moves, seen: AsItLies) -> Projection:
    """The game corrected to what lies there. CannotLieError when no list of moves can show it."""
    strangers = sorted({c for c in seen.colours.values() if c not in moves.rules.players})
    if strangers:
        said = listed(f"{name_of(colour)} on {spaces_said(_spaces_of(seen, colour))}" for colour in strangers)
        raise CannotLieError(f"{said}: nobody plays with that colour; lift it, or press it down")
    entries = _entries(moves)
    stay = [n for n, turn in entries if _lies(turn, seen)]
    gone = [(n, turn) for n, turn in entries if n not in stay]
    covered = {space for n, turn in entries if n in stay for space in turn.spaces}
    new: list[tuple[PlayerColour, Placement]] = []
    for player in moves.rules.players:
        mask = mask_of(space for space in _spaces_of(seen, player) if space not in covered)
        wanted = Counter(_shape(moves, turn) for _, turn in gone if turn.player == player)
        laid = Counter(_shape(moves, turn) for n, turn in entries if n in stay and turn.player == player)
        stock = Counter(moves.rules.pieces.counts) - laid
        new += [(player, piece) for piece in _cover(moves.rules.pieces, player, mask, wanted, stock)]
    plan = project(moves, _edits(moves, gone, new, seen))
    _refuse_what_is_over(moves, plan)
    return plan


def _refuse_what_is_over(moves: Moves, plan: Projection) -> None:
    """With the changed entries the game may end before some pieces that lie there."""
    length = len(moves.moves) - sum(edit.do is Do.REMOVE for edit in plan.edits)
    turns = [n for n in plan.lost if n > length or isinstance(_line_at(moves, plan, n), Turn)]
    if not plan.possible or turns:
        raise CannotLieError("as it lies, the game would be over before the last of these pieces: lift them")


def _line_at(moves: Moves, plan: Projection, n: int) -> object:
    lines = [move.line for move in moves.moves]
    for edit in plan.edits:
        if edit.do is Do.REMOVE:
            del lines[edit.n - 1]
    return lines[n - 1]


def _entries(moves: Moves) -> list[tuple[int, Turn]]:
    """The placements of the round being played, with their numbers."""
    found: list[tuple[int, Turn]] = []
    for n, move in enumerate(moves.moves, 1):
        if isinstance(move.line, NextRound):
            found.clear()
        elif isinstance(move.line, Turn):
            found.append((n, move.line))
    return found


def _lies(turn: Turn, seen: AsItLies) -> bool:
    return all(seen.colours.get(SpaceId(space)) == turn.player for space in turn.spaces)


def _spaces_of(seen: AsItLies, colour: PlayerColour) -> list[SpaceId]:
    return sorted(space for space, theirs in seen.colours.items() if theirs == colour)


def _shape(moves: Moves, turn: Turn) -> str:
    return moves.rules.pieces.by_mask[mask_of(turn.spaces)].shape


def _edits(
    moves: Moves,
    gone: Sequence[tuple[int, Turn]],
    new: Sequence[tuple[PlayerColour, Placement]],
    seen: AsItLies,
) -> tuple[Edit, ...]:
    """Entries that went and pieces that came, paired where they may be one piece; the rest goes or comes."""
    left, added = list(gone), list(new)
    pairs: list[Edit] = []
    for alike in _ALIKE:
        for n, turn in list(left):
            mask, shape = mask_of(turn.spaces), _shape(moves, turn)
            piece = next((row for row in added if alike(turn.player, mask, shape, *row)), None)
            if piece is not None:
                left.remove((n, turn))
                added.remove(piece)
                pairs.append(Edit(Do.REPLACE, n, Turn(piece[0], piece[1].spaces)))
    removals = [Edit(Do.REMOVE, n) for n, _ in reversed(left)]
    length = len(moves.moves) - len(removals)
    added.sort(key=lambda row: (min(seen.landed_ms[space] for space in row[1].spaces), row[1].index))
    insertions = [
        Edit(Do.INSERT, length + at, Turn(player, piece.spaces))
        for at, (player, piece) in enumerate(added, 1)
    ]
    return (*sorted(pairs, key=lambda edit: edit.n), *removals, *insertions)


_Alike = Callable[[str, int, str, PlayerColour, Placement], bool]
_ALIKE: tuple[_Alike, ...] = (
    lambda who, mask, _shape, player, piece: player == who and bool(piece.mask & mask),
    lambda who, _mask, shape, player, piece: player == who and piece.shape == shape,
    lambda who, _mask, _shape, player, _piece: player == who,
    lambda _who, mask, _shape, _player, piece: piece.mask == mask,
)
"""What makes a piece that came the one that went, the surest first: it grew, it moved, it was another piece,
another player's lies in its place."""


def _cover(
    pieces: PieceSet, player: PlayerColour, mask: int, wanted: Counter[str], stock: Counter[str]
) -> Iterable[Placement]:
    """Pieces that make up what lies there of a colour, patch by patch: those that went before any other,
    those in stock before more than there are, few before many. CannotLieError when none do."""
    wanted, stock = Counter(wanted), Counter(stock)
    for patch in _patches(mask):
        best = min(
            islice(_covers(pieces, patch, iter(range(MAX_TRIES))), MAX_COVERS),
            key=lambda cover: _strangeness(cover, wanted, stock),
            default=None,
        )
        if best is None:
            raise CannotLieError(
                f"no pieces of the set make up what {player} has on {spaces_said(spaces_of(patch))}: "
                "lift it, or press it down"
            )
        shapes = Counter(piece.shape for piece in best)
        wanted, stock = wanted - shapes, stock - shapes
        yield from best


def _strangeness(
    cover: Sequence[Placement], wanted: Counter[str], stock: Counter[str]
) -> tuple[int, int, int]:
    shapes = Counter(piece.shape for piece in cover)
    return ((shapes - stock).total(), (shapes - wanted).total(), len(cover))


def _patches(mask: int) -> Iterator[int]:
    """The spaces of `mask` in parts that do not touch one another."""
    area = board()
    while mask:
        patch, grown = 0, mask & -mask
        while grown != patch:
            patch = grown
            grown |= area.touching(patch) & mask
        yield patch
        mask &= ~patch


def _covers(pieces: PieceSet, mask: int, tries: Iterator[int]) -> Iterator[tuple[Placement, ...]]:
    if not mask:
        yield ()
        return
    lowest = mask & -mask
    fitting = [p for p in pieces.covering[lowest.bit_length()] if p.mask & mask == p.mask]
    for piece in sorted(fitting, key=lambda p: -p.mask.bit_count()):
        if next(tries, None) is None:
            return
        for rest in _covers(pieces, mask & ~piece.mask, tries):
            yield (piece, *rest)
