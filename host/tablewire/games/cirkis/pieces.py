"""The piece set: shapes, how many of each, and every place on the board where each fits; and its file.

Owns `PieceSet`, its TOML and JSON forms, and what can be wrong with them. Must not know players or rules.

A placement of a shape is any set of spaces congruent to the shape's example: moved, turned, and (unless the
piece must not be flipped) mirrored anywhere on the board, not only about the board's own middle.
"""

from __future__ import annotations

import re
import tomllib
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache, cached_property
from pathlib import Path
from typing import Any

from tablewire.errors import UserError, one_line, quoted
from tablewire.games.cirkis.congruence import congruent, is_one_piece
from tablewire.games.cirkis.tiling import SpaceId, board, spaces_of
from tablewire.games.outside import decode_text, read_capped

USUAL_SHAPE_COUNT = 9
USUAL_PIECE_COUNT = 20
"""What the box says of one colour; another set is possible but worth a warning."""


@dataclass(frozen=True, slots=True)
class Shape:
    """One kind of piece: its name, how many a player has, the spaces it was drawn on, may it be flipped."""

    name: str
    count: int
    example: tuple[SpaceId, ...]
    flip: bool = True


@dataclass(frozen=True, slots=True)
class Placement:
    """One place where one shape fits. `index` is its bit in every set of placements, from 0."""

    index: int
    shape: str
    mask: int
    spaces: tuple[SpaceId, ...]


class SharedSpacesError(ValueError):
    """Two shapes fit the same set of spaces, so that a set of spaces would not name a piece."""

    def __init__(self, first: int, second: int, spaces: tuple[SpaceId, ...]) -> None:
        self.first, self.second, self.spaces = first, second, spaces
        super().__init__(f"shapes {first} and {second} both fit the spaces {list(spaces)}")


@dataclass(frozen=True)
class PieceSet:
    """The pieces of one colour; every player of a game has the same. Compared by its shapes."""

    name: str
    shapes: tuple[Shape, ...]

    @cached_property
    def placements(self) -> tuple[Placement, ...]:
        """Every placement, by shape, then by spaces. SharedSpacesError when two shapes meet."""
        owner: dict[int, int] = {}
        for number, shape in enumerate(self.shapes):
            for mask in sorted(congruent(shape.example, flip=shape.flip), key=spaces_of):
                if mask in owner:
                    raise SharedSpacesError(owner[mask], number, spaces_of(mask))
                owner[mask] = number
        return tuple(
            Placement(index, self.shapes[number].name, mask, spaces_of(mask))
            for index, (mask, number) in enumerate(owner.items())
        )

    @cached_property
    def by_mask(self) -> Mapping[int, Placement]:
        """The placement that covers exactly these spaces."""
        return {placement.mask: placement for placement in self.placements}

    @cached_property
    def covering(self) -> Mapping[int, tuple[Placement, ...]]:
        """By space number: the placements that cover the space."""
        found: dict[int, list[Placement]] = {space.id: [] for space in board().spaces}
        for placement in self.placements:
            for space in placement.spaces:
                found[space].append(placement)
        return {space: tuple(covering) for space, covering in found.items()}

    @cached_property
    def counts(self) -> Mapping[str, int]:
        """By shape: how many pieces of it a player has."""
        return {shape.name: shape.count for shape in self.shapes}

    @property
    def piece_count(self) -> int:
        """How many pieces a player has."""
        return sum(shape.count for shape in self.shapes)

    @property
    def warnings(self) -> tuple[str, ...]:
        """What is unusual about the set, one line each."""
        found = []
        if len(self.shapes) != USUAL_SHAPE_COUNT:
            found.append(f"the piece set has {len(self.shapes)} shapes; the box has {USUAL_SHAPE_COUNT}")
        if self.piece_count != USUAL_PIECE_COUNT:
            found.append(f"the piece set has {self.piece_count} pieces; the box has {USUAL_PIECE_COUNT}")
        return tuple(found)

    def placement_counts(self) -> Mapping[str, int]:
        """By shape: in how many places it fits on the empty board."""
        counts = dict.fromkeys(self.counts, 0)
        for placement in self.placements:
            counts[placement.shape] += 1
        return counts

    def to_json(self) -> list[dict[str, Any]]:
        """The inline form a record's `pieces` option takes; `parse_piece_set` reads it back."""
        return [
            {"name": s.name, "count": s.count, "example": list(s.example), "flip": s.flip}
            for s in self.shapes
        ]


MAX_FILE_BYTES = 65_536
"""The default file, comments included, has 2 kB."""
MAX_SHAPES = 64
"""Seven times the box's nine: bounds the time a file can take."""
MAX_COUNT = 165
"""More pieces than spaces can never be placed."""
MAX_NAME_CHAR_COUNT = 40
"""A name stands on a button and in a sentence of the page."""
SHAPE_KEYS = frozenset({"name", "count", "example", "flip"})
SET_KEYS = frozenset({"name", "shape"})
DEFAULT_FILE = Path(__file__).with_name("default_pieces.toml")


class _FaultError(Exception):
    """What is wrong with the data of a piece set, and where: the shape (from 0) and its key, when known."""

    def __init__(self, text: str, shape: int | None = None, key: str | None = None) -> None:
        self.text, self.shape, self.key = text, shape, key
        super().__init__(text)


@cache
def default_piece_set() -> PieceSet:
    """The reconstructed set that comes with the package."""
    return load_piece_set(DEFAULT_FILE)


def load_piece_set(path: Path) -> PieceSet:
    """The piece set in a TOML file. UserError, one line "FILE:LINE: what is wrong; what to do"."""
    text = decode_text(read_capped(path, MAX_FILE_BYTES, "piece set"), str(path), "piece set")
    where = one_line(str(path))
    try:
        data = tomllib.loads(text)
    except (ValueError, RecursionError) as error:
        found = re.search(r"\(at line (\d+)", str(error))
        line = int(found[1]) if found else text.count("\n") + 1
        reason = (
            re.sub(r" \(at .*", "", one_line(str(error))) if found else "it ends in the middle of something"
        )
        raise UserError(f"{where}:{line}: not TOML: {reason}; correct the line") from error
    try:
        return _piece_set(data, data.get("name", path.stem))
    except _FaultError as fault:
        raise UserError(f"{where}:{_line_of(text, fault)}: {fault.text}") from fault


def parse_piece_set(value: object, name: str = "inline") -> PieceSet:
    """The piece set of a JSON list of shapes, or of an object like the TOML file. UserError on one line."""
    data = {"shape": value} if isinstance(value, list) else value
    try:
        if not isinstance(data, dict):
            raise _FaultError(f"{quoted(value)} is no list of shapes; give a list of objects")
        return _piece_set(data, data.get("name", name))
    except _FaultError as fault:
        where = "piece set" if fault.shape is None else f"piece set, shape {fault.shape + 1}"
        raise UserError(f"{where}: {fault.text}") from fault


def _piece_set(data: Mapping[str, Any], name: object) -> PieceSet:
    for key in data:
        if key not in SET_KEYS:
            raise _FaultError(
                f"{quoted(key)} is no part of a piece set; use [[shape]] tables and an optional name",
                None,
                key,
            )
    name = _checked_name(name, None)
    tables = data.get("shape")
    if not isinstance(tables, list) or not tables:
        raise _FaultError("there is no shape; add a [[shape]] table with name, count and example")
    if len(tables) > MAX_SHAPES:
        raise _FaultError(f"{len(tables)} shapes are more than {MAX_SHAPES}; leave some out", MAX_SHAPES)
    shapes: list[Shape] = []
    for number, table in enumerate(tables):
        shape = _shape(table, number)
        if shape.name in (other.name for other in shapes):
            raise _FaultError(
                f"the name {quoted(shape.name)} is taken by an earlier shape; choose another", number, "name"
            )
        shapes.append(shape)
    pieces = PieceSet(name, tuple(shapes))
    try:
        pieces.placements  # noqa: B018 (computed and kept: the check is its computation)
    except SharedSpacesError as error:
        raise _FaultError(
            f"{quoted(shapes[error.second].name)} fits the same spaces {list(error.spaces)} as "
            f"{quoted(shapes[error.first].name)}; remove one of the two",
            error.second,
            "example",
        ) from error
    return pieces


def _shape(table: object, number: int) -> Shape:
    if not isinstance(table, dict):
        raise _FaultError(f"{quoted(table)} is no shape; give name, count and example", number)
    for key in table:
        if key not in SHAPE_KEYS:
            raise _FaultError(
                f"{quoted(key)} is no part of a shape; a shape has name, count, example, flip", number, key
            )
    for key in ("name", "count", "example"):
        if key not in table:
            raise _FaultError(f"the shape has no {key}; add one", number)
    count, flip = table["count"], table.get("flip", True)
    if type(count) is not int or not 1 <= count <= MAX_COUNT:
        raise _FaultError(
            f"count {quoted(count)} is no whole number from 1 to {MAX_COUNT}; correct it", number, "count"
        )
    if type(flip) is not bool:
        raise _FaultError(f"flip {quoted(flip)} is neither true nor false; correct it", number, "flip")
    return Shape(
        _checked_name(table["name"], number), count, _checked_example(table["example"], number), flip
    )


def _checked_name(name: object, number: int | None) -> str:
    if not isinstance(name, str) or not name.isprintable() or name != name.strip() or not name:
        raise _FaultError(f"name {quoted(name)} is no printable text; correct it", number, "name")
    if len(name) > MAX_NAME_CHAR_COUNT:
        raise _FaultError(
            f"name {quoted(name)} is longer than {MAX_NAME_CHAR_COUNT} characters; shorten it", number, "name"
        )
    return name


def _checked_example(example: object, number: int) -> tuple[SpaceId, ...]:
    last = len(board().spaces)
    if not isinstance(example, list) or not example:
        raise _FaultError(
            f"example {quoted(example)} is no list of spaces; give their numbers", number, "example"
        )
    for space in example:
        if type(space) is not int or not 1 <= space <= last:
            raise _FaultError(
                f"example: there is no space {quoted(space)}; use numbers 1 to {last}", number, "example"
            )
    spaces = tuple(map(SpaceId, example))
    if len(set(spaces)) != len(spaces):
        raise _FaultError(f"example {quoted(example)} has a space twice; give each once", number, "example")
    if not is_one_piece(spaces):
        raise _FaultError(
            f"example {quoted(example)} is not one piece: its spaces must join along edges; correct it",
            number,
            "example",
        )
    return spaces


def _line_of(text: str, fault: _FaultError) -> int:
    """The line, from 1, that a fault is about: the key's if it can be found, else its table's."""
    lines = text.split("\n")
    heads = [i for i, line in enumerate(lines) if re.match(r"\s*\[\[\s*[\"']?shape[\"']?\s*\]\]", line)]
    if fault.shape is None:
        start, end = 0, heads[0] if heads else len(lines)
    elif fault.shape < len(heads):
        start, end = heads[fault.shape], [*heads, len(lines)][fault.shape + 1]
    else:
        start, end = 0, len(lines)
    if fault.key is not None:
        key = re.escape(fault.key)
        for index in range(start, end):
            if re.match(rf"\s*\[*\s*[\"']?{key}[\"']?\s*[\]=.]", lines[index]):
                return index + 1
    return start + 1
