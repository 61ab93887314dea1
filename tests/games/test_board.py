"""The playing area has the published counts and agrees with a second construction in floats."""

from __future__ import annotations

import json
import math
from itertools import combinations

import pytest
from tests.games import slow_board

from tablewire.games.cirkis.pieces import default_piece_set
from tablewire.games.cirkis.tiling import board, board_json, mask_of, nth_bit, set_bits, spaces_of

PHI = (1 + math.sqrt(5)) / 2


def test_90_kites_65_darts_and_10_slivers() -> None:
    kinds = [space.kind.value for space in board().spaces]
    assert (kinds.count("kite"), kinds.count("dart"), kinds.count("sliver")) == (90, 65, 10)


def test_181_corners_and_305_pairs_of_spaces_with_a_common_edge() -> None:
    area = board()
    assert len({corner for space in area.spaces for corner in space.exact}) == 181
    assert sum(mask.bit_count() for mask in area.joins) == 2 * 305


def test_edges_are_1_and_phi_long_and_slivers_have_their_long_side_on_the_rim() -> None:
    lengths: dict[str, list[float]] = {"kite": [], "dart": [], "sliver": []}
    for space in board().spaces:
        around = zip(space.corners, space.corners[1:] + space.corners[:1], strict=True)
        lengths[space.kind.value] += sorted(math.dist(a, b) for a, b in around)
    assert lengths["kite"] == pytest.approx([1, 1, PHI, PHI] * 90)
    assert lengths["dart"] == pytest.approx([1, 1, PHI, PHI] * 65)
    assert lengths["sliver"] == pytest.approx([1, 1, 1, PHI**2] * 10)


def test_the_spaces_fill_the_decagon_without_overlap() -> None:
    def area_of(corners: tuple[tuple[float, float], ...]) -> float:
        around = zip(corners, corners[1:] + corners[:1], strict=True)
        return sum(x1 * y2 - x2 * y1 for (x1, y1), (x2, y2) in around) / 2

    areas = [area_of(space.corners) for space in board().spaces]
    assert min(areas) > 0, "corners run counterclockwise"
    assert sum(areas) == pytest.approx(5 * (PHI**4 + PHI) ** 2 * math.sin(math.tau / 10))


def test_numbers_run_from_the_middle_outwards_and_clockwise() -> None:
    area = board()
    assert spaces_of(area.stars["S1"]) == (1, 2, 3, 4, 5)
    assert spaces_of(area.center_ring) == tuple(range(6, 16))
    assert [space.id for space in area.spaces if space.kind.value == "sliver"] == list(range(156, 166))
    means = [tuple(sum(axis) / 4 for axis in zip(*space.corners, strict=True)) for space in area.spaces]
    keys = [(round(math.hypot(x, y), 6), round(math.atan2(x, y) % math.tau, 6) % 6.283185) for x, y in means]
    assert keys == sorted(keys)
    assert keys[0][1] == 0


def test_the_tip_of_an_outer_star_is_at_12_o_clock() -> None:
    area = board()
    corners = {corner for space in spaces_of(area.stars["S2"]) for corner in area.spaces[space - 1].corners}
    assert min(math.dist(corner, (0, PHI**4 + PHI)) for corner in corners) < 1e-9


def test_figures_stand_where_they_should() -> None:
    def middle(mask: int) -> tuple[float, float]:
        five = [board().spaces[space - 1].corners for space in spaces_of(mask)]
        (tip,) = set.intersection(*({(round(x, 6), round(y, 6)) for x, y in corners} for corners in five))
        return round(math.hypot(*tip), 4), round(math.degrees(math.atan2(*tip)) % 360)

    stars = {name: middle(mask) for name, mask in board().stars.items()}
    circles = {name: middle(mask) for name, mask in board().circles.items()}
    outer, inner = round(PHI**4, 4), round(PHI**3, 4)
    assert stars == {"S1": (0, 0)} | {f"S{n + 2}": (outer, 72 * n) for n in range(5)}
    assert circles == {f"C{n + 1}": (inner, 72 * n) for n in range(5)} | {
        f"C{n + 6}": (outer, 36 + 72 * n) for n in range(5)
    }


def test_no_space_is_in_two_figures() -> None:
    area = board()
    figures = [*area.stars.values(), *area.circles.values(), area.center_ring]
    assert all(a & b == 0 for a, b in combinations(figures, 2))


def test_slivers_beside_an_outer_star_touch_at_its_tip() -> None:
    area = board()
    assert area.touches[156 - 1] & mask_of([165])
    assert not area.joins[156 - 1] & mask_of([165])


def test_the_float_construction_gives_the_same_spaces_and_the_same_touching() -> None:
    area = board()
    for space in area.spaces:
        other = slow_board.spaces()[space.id]
        assert other.kind == space.kind.value
        ours = sorted((round(x, 6) + 0.0, round(y, 6) + 0.0) for x, y in space.corners)
        theirs = sorted((round(z.real, 6) + 0.0, round(z.imag, 6) + 0.0) for z in other.corners)
        assert ours == theirs
        assert set(spaces_of(area.touches[space.id - 1])) == slow_board.neighbours()[space.id]
        assert set(spaces_of(area.joins[space.id - 1])) == slow_board.joined()[space.id]
    figures = {name: frozenset(spaces_of(mask)) for name, mask in {**area.stars, **area.circles}.items()}
    assert figures == slow_board.figures()


def test_touching_is_mutual() -> None:
    touches = board().touches
    assert all(touches[b - 1] & mask_of([a]) for a in range(1, 166) for b in spaces_of(touches[a - 1]))


def test_board_json_is_what_the_command_prints() -> None:
    printed = json.loads(json.dumps(board_json(default_piece_set())))
    assert list(printed) == ["spaces", "stars", "circles", "center_ring", "placements"]
    assert [space["id"] for space in printed["spaces"]] == list(range(1, 166))
    assert printed["spaces"][0] | {"corners": None} == {
        "id": 1,
        "kind": "dart",
        "corners": None,
        "touches": [2, 3, 4, 5, 6, 7, 14, 15],
    }
    assert all(len(space["corners"]) == 4 for space in printed["spaces"])
    assert printed["center_ring"] == list(range(6, 16))
    assert list(printed["stars"]) == ["S1", "S2", "S3", "S4", "S5", "S6"]
    assert list(printed["circles"]) == [f"C{n}" for n in range(1, 11)]
    assert printed["placements"]["wedge"] == 90
    assert "-0.0" not in json.dumps(printed)


@pytest.mark.parametrize("bits", [0b1, 0b1011, (1 << 529) | (1 << 3), (1 << 530) - 1, 0b1010 << 300 | 0b111])
def test_nth_bit_counts_ones_from_the_low_end(bits: int) -> None:
    assert [nth_bit(bits, n) for n in range(bits.bit_count())] == list(set_bits(bits))
