"""Headers and lines survive the way to JSON and back, extra keys included."""

from __future__ import annotations

import json
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from tablewire.errors import UserError
from tablewire.games.cirkis.colours import PlayerColour
from tablewire.games.cirkis.options import Options, Rulebook
from tablewire.games.cirkis.record import (
    Header,
    Line,
    NextRound,
    Pass,
    Ruling,
    Turn,
    encode_header,
    encode_line,
    parse_header,
    parse_line,
)

unhurried = settings(deadline=None, suppress_health_check=[HealthCheck.too_slow])
"""A busy machine is no fault of the code."""

values = (
    st.none() | st.booleans() | st.integers(-(2**60), 2**60) | st.text(max_size=8) | st.lists(st.integers())
)
extras = st.dictionaries(st.text(max_size=4).map("x_".__add__), values, max_size=3)
points = st.dictionaries(st.text(max_size=6), st.integers(-(10**9), 10**9), min_size=1, max_size=4)
lines = st.one_of(
    st.builds(Turn, st.text(max_size=8), st.lists(st.integers()).map(tuple), st.booleans(), extras),
    st.builds(Pass, st.text(max_size=8), st.booleans(), extras),
    st.builds(Ruling, points, st.none() | st.text(max_size=9), extras, extras),
    st.builds(NextRound, st.integers(), extras),
)
options = st.builds(
    Options,
    st.sampled_from(Rulebook),
    st.booleans(),
    st.integers(1, 500),
    st.booleans(),
    st.none() | st.integers(1, 500),
)
headers = st.builds(
    Header,
    st.permutations(list(PlayerColour)).flatmap(
        lambda order: st.integers(2, 4).map(lambda n: tuple(order[:n]))
    ),
    options,
    st.none() | st.just("set.toml") | st.just([{"name": "dot", "count": 1, "example": [6]}]),
    extras,
    extras,
)


@unhurried
@given(lines)
def test_lines_round_trip_as_values_and_as_text(line: Line) -> None:
    assert parse_line(encode_line(line)) == line
    assert parse_line(json.dumps(encode_line(line))) == line


@unhurried
@given(headers)
def test_headers_round_trip_as_values_and_as_text(header: Header) -> None:
    assert parse_header(encode_header(header)) == header
    assert parse_header(json.dumps(encode_header(header))) == header


json_values = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False) | st.text(max_size=5),
    lambda inner: (
        st.lists(inner, max_size=3)
        | st.dictionaries(
            st.sampled_from(
                ["player", "spaces", "pass", "forced", "ruling", "points", "note", "round", "x_a", "options"]
            ),
            inner,
            max_size=4,
        )
    ),
)


@unhurried
@given(json_values | st.text())
def test_no_input_is_more_than_a_verdict(value: Any) -> None:
    line = parse_line(value)
    assert line is None or parse_line(encode_line(line)) == line
    with pytest.raises(UserError) as error:
        parse_header(value)
    assert "\n" not in str(error.value)


def test_encoded_lines_are_what_a_record_holds() -> None:
    assert encode_line(Turn("red", (6, 7), forced=True, extra={"x_ms": 5})) == {
        "player": "red",
        "spaces": [6, 7],
        "forced": True,
        "x_ms": 5,
    }
    assert encode_line(Pass(PlayerColour.GREEN)) == {"player": "green", "pass": True}
    assert encode_line(Ruling({PlayerColour.RED: 5}, "so")) == {
        "ruling": {"points": {"red": 5}, "note": "so"}
    }
    assert encode_line(NextRound(2)) == {"round": 2}


def test_an_encoded_header_leaves_out_what_is_usual() -> None:
    header = Header((PlayerColour.RED, PlayerColour.GREEN), Options(target=60))
    assert encode_header(header) == {
        "record": 1,
        "game": "cirkis",
        "rulebook": "hasbro",
        "players": ["red", "green"],
        "options": {"target": 60},
    }
