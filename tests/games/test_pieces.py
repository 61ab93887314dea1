"""The default set has the published counts; what is wrong with a user's file is said by line."""

from __future__ import annotations

from pathlib import Path

import pytest
from tests.games import slow_board

from tablewire.errors import UserError
from tablewire.games.cirkis.pieces import default_piece_set, load_piece_set, parse_piece_set
from tablewire.games.cirkis.tiling import spaces_of

PLACEMENT_COUNTS = {
    "wedge": 90,
    "arrow": 65,
    "sliver": 10,
    "small slice": 70,
    "big slice": 50,
    "kite": 55,
    "hook": 110,
    "boomerang": 40,
    "triangle": 40,
}
PIECE_COUNTS = {
    "wedge": 3,
    "arrow": 3,
    "sliver": 2,
    "small slice": 2,
    "big slice": 2,
    "kite": 2,
    "hook": 2,
    "boomerang": 2,
    "triangle": 2,
}


def test_the_default_set_is_20_pieces_of_9_shapes() -> None:
    pieces = default_piece_set()
    assert pieces.counts == PIECE_COUNTS
    assert pieces.piece_count == 20
    assert pieces.warnings == ()


def test_the_default_file_says_that_it_is_a_reconstruction() -> None:
    file = Path(str(load_piece_set.__code__.co_filename)).with_name("default_pieces.toml")
    assert "RECONSTRUCTION" in file.read_text(encoding="utf-8")


def test_each_shape_has_its_number_of_placements_on_the_empty_board() -> None:
    assert default_piece_set().placement_counts() == PLACEMENT_COUNTS


def test_placements_are_all_and_only_the_congruent_sets_found_in_floats() -> None:
    pieces = default_piece_set()
    for shape in pieces.shapes:
        ours = {frozenset(p.spaces) for p in pieces.placements if p.shape == shape.name}
        assert ours == slow_board.placements(shape.example), shape.name


def test_a_piece_that_must_not_be_flipped_fits_in_one_hand_only() -> None:
    # The hook is two handed: 110 places, 55 for each hand. A wedge is its own mirror image.
    hook = {"name": "hook", "count": 1, "example": [2, 7], "flip": False}
    other_hook = {"name": "other hook", "count": 1, "example": [2, 8], "flip": False}
    wedge = {"name": "wedge", "count": 1, "example": [6], "flip": False}
    pieces = parse_piece_set([hook, other_hook, wedge])
    assert pieces.placement_counts() == {"hook": 55, "other hook": 55, "wedge": 90}
    ours = {frozenset(p.spaces) for p in pieces.placements if p.shape == "hook"}
    assert ours == slow_board.placements([2, 7], flip=False)


def test_a_set_of_spaces_names_one_placement() -> None:
    pieces = default_piece_set()
    assert len(pieces.by_mask) == len(pieces.placements) == 530
    assert [p.index for p in pieces.placements] == list(range(530))
    assert all(spaces_of(p.mask) == p.spaces for p in pieces.placements)
    assert all(space in p.spaces for space, covering in pieces.covering.items() for p in covering)
    assert sum(map(len, pieces.covering.values())) == sum(len(p.spaces) for p in pieces.placements)


def test_the_inline_form_reads_back() -> None:
    pieces = default_piece_set()
    again = parse_piece_set(pieces.to_json())
    assert again.shapes == pieces.shapes
    assert again.placements == pieces.placements


def test_an_unusual_set_is_a_warning() -> None:
    pieces = parse_piece_set([{"name": "wedge", "count": 3, "example": [6]}])
    assert pieces.warnings == (
        "the piece set has 1 shapes; the box has 9",
        "the piece set has 3 pieces; the box has 20",
    )


GOOD = '[[shape]]\nname = "wedge"\ncount = 3\nexample = [6]\n'

BAD_FILES = [
    ("", 1, "there is no shape"),
    ("shape = 3\n", 1, "there is no shape"),
    ("title = 'x'\n" + GOOD, 1, "'title' is no part of a piece set"),
    ("name = 3\n" + GOOD, 1, "name 3"),
    (GOOD + "colour = 'red'\n", 5, "'colour' is no part of a shape"),
    (GOOD.replace("count = 3\n", ""), 1, "has no count"),
    (GOOD.replace('name = "wedge"\n', ""), 1, "has no name"),
    (GOOD.replace("example = [6]\n", ""), 1, "has no example"),
    (GOOD.replace("3", "0"), 3, "count 0"),
    (GOOD.replace("3", "166"), 3, "count 166"),
    (GOOD.replace("3", "1.5"), 3, "count 1.5"),
    (GOOD.replace("3", "true"), 3, "count True"),
    (GOOD.replace("[6]", "6"), 4, "example 6"),
    (GOOD.replace("[6]", "[]"), 4, "example []"),
    (GOOD.replace("[6]", "[166]"), 4, "there is no space 166"),
    (GOOD.replace("[6]", "[0]"), 4, "there is no space 0"),
    (GOOD.replace("[6]", "['6']"), 4, "there is no space '6'"),
    (GOOD.replace("[6]", "[6, 6]"), 4, "a space twice"),
    (GOOD.replace("[6]", "[6, 150]"), 4, "not one piece"),
    # 6 and 26 share a corner only.
    (GOOD.replace("[6]", "[6, 26]"), 4, "not one piece"),
    (GOOD + "flip = 1\n", 5, "flip 1"),
    (GOOD.replace("wedge", " wedge"), 2, "no printable text"),
    (GOOD.replace("wedge", ""), 2, "no printable text"),
    (GOOD.replace("wedge", "a\\nb"), 2, "no printable text"),
    (GOOD.replace("wedge", "w" * 41), 2, "longer than 40"),
    (GOOD + GOOD, 6, "taken by an earlier shape"),
    (
        "# a comment\n" + GOOD + "\n" + GOOD.replace("wedge", "other").replace("6", "90"),
        10,
        "the same spaces",
    ),
    (GOOD + "count = 4\n", 5, "not TOML"),
    ("[[shape]\n", 1, "not TOML"),
    ("a = " + "[" * 5000, 1, "not TOML"),
    (GOOD * 65, 257, "more than 64"),
]


@pytest.mark.parametrize(("text", "line", "said"), BAD_FILES)
def test_what_is_wrong_with_a_file_is_said_by_line(tmp_path: Path, text: str, line: int, said: str) -> None:
    file = tmp_path / "pieces.toml"
    file.write_text(text, encoding="utf-8")
    with pytest.raises(UserError) as error:
        load_piece_set(file)
    assert str(error.value).startswith(f"{file}:{line}: ")
    assert said in str(error.value)
    assert "\n" not in str(error.value)


def test_a_file_that_is_not_text_is_refused_by_line(tmp_path: Path) -> None:
    file = tmp_path / "pieces.toml"
    file.write_bytes(b"# one\n# t\xffo\n")
    with pytest.raises(UserError, match=r"pieces\.toml:2: byte 0xff is not UTF-8"):
        load_piece_set(file)


def test_a_file_that_cannot_be_read_is_named(tmp_path: Path) -> None:
    with pytest.raises(UserError, match=r"none\.toml: cannot be read: No such file"):
        load_piece_set(tmp_path / "none.toml")
    with pytest.raises(UserError, match="cannot be read: Is a directory"):
        load_piece_set(tmp_path)
    with pytest.raises(UserError, match="no file can have this name"):
        load_piece_set(Path("a\0b"))


def test_a_file_without_end_is_refused() -> None:
    with pytest.raises(UserError, match="longer than 65536 bytes"):
        load_piece_set(Path("/dev/zero"))


@pytest.mark.parametrize(
    ("value", "said"),
    [
        (3, "piece set: 3 is no list of shapes"),
        ([], "piece set: there is no shape"),
        ([3], "piece set, shape 1: 3 is no shape"),
        (
            [{"name": "w", "count": 1, "example": [6]}, {"name": "x"}],
            "piece set, shape 2: the shape has no count",
        ),
        ({"shape": [], "x": 1}, "piece set: 'x' is no part"),
    ],
)
def test_what_is_wrong_with_an_inline_set_is_said_by_shape(value: object, said: str) -> None:
    with pytest.raises(UserError) as error:
        parse_piece_set(value)
    assert str(error.value).startswith(said)


def test_an_object_like_the_file_is_read_too() -> None:
    shape = {"name": "wedge", "count": 3, "example": [6]}
    pieces = parse_piece_set({"name": "mine", "shape": [shape]})
    assert (pieces.name, pieces.counts) == ("mine", {"wedge": 3})
