"""The wiring check: what is said when a magnet answers where it should, elsewhere, or not at all."""

from __future__ import annotations

from collections.abc import Callable, Iterable

import pytest
from tests.builder.bench import Bench, Builder

from tablewire.builder.dialogue import Left
from tablewire.builder.places import place_of
from tablewire.builder.wiring_check import ORDER, WiringCheck, order_of
from tablewire.builder.wiring_verdict import Finding, Heard, causes, judge, sentence, summary
from tablewire.games.cirkis.wiring_map import WIRES
from tablewire.wire.observed import SensorId

WHOLE = range(201)


def sensor_at(mux: int, channel: int) -> int | None:
    """What hangs on a channel."""
    return next((s for s, wire in enumerate(WIRES) if wire == (mux, channel)), None)


def found(answer: Callable[[int], Iterable[int]], sensors: Iterable[int] = WHOLE) -> dict[SensorId, Finding]:
    """The findings of a check over a table where `answer` says who answers."""
    return {SensorId(s): judge(SensorId(s), answer(s)) for s in sensors}


def test_a_table_without_a_fault_has_no_cause() -> None:
    findings = found(lambda sensor: [sensor])
    assert causes(findings) == []
    assert summary(list(findings.values())) == ["201 of 201 places looked at: 201 right"]


def test_two_swapped_wires_are_one_cause() -> None:
    swap = {11: 30, 30: 11}
    assert causes(found(lambda s: [swap.get(s, s)])) == [
        "the wires of space 12 and space 31 are swapped "
        "(multiplexer 12, channel 5, and multiplexer 4, channel 9)"
    ]


def test_a_silent_multiplexer_is_one_cause_and_one_silent_sensor_another() -> None:
    lines = causes(found(lambda s: [] if WIRES[s].mux == 5 or s == 11 else [s]))
    assert lines[0] == "multiplexer 5 is silent: look at its supply, its enable pin and its wire to A5"
    assert lines[1:] == [
        "space 12: nothing answered. Look at its sensor and its wire to multiplexer 12, channel 5"
    ]


def test_a_plug_that_is_one_off_is_one_cause() -> None:
    def answer(sensor: int) -> list[int]:
        mux, channel = WIRES[sensor]
        if mux != 3:
            return [sensor]
        other = sensor_at(mux, (channel + 1) % 16)
        return [] if other is None else [other]

    (line, *rest) = causes(found(answer))
    assert line.startswith("the wires of multiplexer 3 are one channel too far up: ")
    assert rest == []


def test_exchanged_outputs_are_one_cause() -> None:
    partner = {3: 5, 5: 3}

    def answer(sensor: int) -> list[int]:
        mux, channel = WIRES[sensor]
        other = sensor_at(partner.get(mux, mux), channel)
        return [] if other is None else [other]

    lines = causes(found(answer))
    assert lines[0] == "the outputs of multiplexers 3 and 5 are swapped"


def test_exchanged_select_lines_are_one_cause() -> None:
    def answer(sensor: int) -> list[int]:
        mux, channel = WIRES[sensor]
        bits = [channel >> bit & 1 for bit in range(4)]
        bits[0], bits[2] = bits[2], bits[0]
        other = sensor_at(mux, sum(bit << at for at, bit in enumerate(bits)))
        return [] if other is None else [other]

    lines = causes(found(answer))
    assert lines[0] == "the select lines S0 and S2 are swapped (it shows on all multiplexers)"
    assert all("nothing answered" in line for line in lines[1:])
    assert len(lines) <= 8  # seven channels have no sensor


def test_a_select_line_that_is_off_is_one_cause() -> None:
    def answer(sensor: int) -> list[int]:
        mux, channel = WIRES[sensor]
        if channel & 2:
            return []  # the line reads low, so this channel is never chosen
        both = (sensor, sensor_at(mux, channel | 2))
        return [one for one in both if one is not None]

    lines = causes(found(answer))
    assert lines[0] == "the select line S1 does not reach the multiplexers, or is tied"
    assert len(lines) <= 8


def test_what_nothing_explains_is_said_place_by_place() -> None:
    findings = {
        SensorId(11): judge(SensorId(11), [30]),
        SensorId(36): judge(SensorId(36), [36, 37]),
        SensorId(168): Finding(SensorId(168), Heard.ALWAYS_ON),
    }
    assert [line.partition(". ")[0] for line in causes(findings)] == [
        "space 12: space 31 answered instead",
        "space 37: spaces 37, 38 answered together",
        "purple's hole 15: reads a magnet without one",
    ]


def test_the_check_goes_in_the_order_of_the_wiring() -> None:
    assert [WIRES[sensor] for sensor in ORDER] == sorted(WIRES)
    assert sorted(ORDER) == list(range(201))


def check(bench: Bench, person: Builder, sensors: Iterable[int]) -> WiringCheck:
    with bench.converse(person.tell) as talk:
        checked = WiringCheck(talk, person, [SensorId(s) for s in sensors])
        try:
            checked.run()
        except Left:
            person.tell("left")
        return checked


def beginner(bench: Bench) -> Builder:
    return Builder(bench).on("^Take every", "")


def carry(sensor: int, before: int | None) -> list[str]:
    """The magnet goes from the place before to this one."""
    return [*([f"magnet {before} 0"] if before is not None else []), "wait 150", f"magnet {sensor} 2"]


def test_the_magnet_goes_from_place_to_place_and_each_answer_is_said() -> None:
    bench = Bench()
    person = beginner(bench).on(r"on space 37 ", carry(36, None)).on(r"on space 38 ", carry(37, 36))
    person.on(r"on purple's hole 15 ", carry(168, 37))
    checked = check(bench, person, (36, 37, 168))
    assert person.unasked == []
    assert person.said("right") == ["  space 37: right", "  space 38: right", "  purple's hole 15: right"]
    assert checked.summary() == ["3 of 201 places looked at: 3 right"]


def test_another_place_that_answers_is_named_and_two_that_are_swapped_explained() -> None:
    bench = Bench()
    person = beginner(bench).on(r"on space 12 ", carry(30, None)).on(r"on space 31 ", carry(11, 30))
    checked = check(bench, person, (11, 30))
    assert person.said("^  space 12: space 31 answered instead")
    assert "swapped" in checked.summary()[-1]


def test_nothing_two_or_always_are_told_apart() -> None:
    bench = Bench()
    bench.do("sensor 5 stuck 1")
    person = beginner(bench)
    person.on("on space 1 ", "")
    person.on("on space 2 ", ["magnet 1 1", "magnet 7 1"])
    person.on("on space 3 ", ["magnet 1 0", "magnet 7 0", "wait 100", "magnet 2 2"])
    check(bench, person, (0, 1, 2, 5))
    assert person.said("these read one: space 6. They are left out")
    assert person.said("^  space 1: nothing answered")
    assert person.said("^  space 2: spaces 2, 8 answered together")
    assert person.said("^  space 3: right")
    assert not person.said("on space 6 ")


def test_skip_back_and_quit() -> None:
    bench = Bench()
    person = beginner(bench).on("on space 1 ", "s").on("on space 2 ", "b").on("on space 1 ", carry(0, None))
    person.on("on space 2 ", "q")
    checked = check(bench, person, (0, 1, 2))
    assert person.told[-1] == "left"
    assert [finding.heard for finding in checked.findings.values()] == [Heard.RIGHT]
    assert checked.report(finished=False)["findings"][0]["place"] == "space 1"


def test_going_back_past_the_first_place_stays_there() -> None:
    bench = Bench()
    person = beginner(bench).on("on space 1 ", "back").on("on space 1 ", "skip")
    check(bench, person, (0,))
    assert len(person.said("on space 1 ")) == 2


@pytest.mark.parametrize("sensor", [0, 164, 165, 200])
def test_every_finding_names_its_place(sensor: int) -> None:
    for finding in (judge(SensorId(sensor), answered) for answered in ([sensor], [], [3, sensor], [7])):
        assert sentence(finding).startswith(f"{place_of(sensor)}: ")


def test_a_place_that_answers_once_more_after_it_was_left_counts() -> None:
    """The wires of two places lead to one channel."""
    bench = Bench()
    person = beginner(bench).on("on space 37 ", carry(36, None))
    person.on("on space 38 ", ["magnet 36 0", "wait 400", "magnet 36 2"])
    check(bench, person, (36, 37))
    assert person.said("^  space 38: space 37 answered instead")


def test_a_multiplexer_with_some_places_silent_is_not_silent() -> None:
    silent = [s for s in WHOLE if WIRES[s].mux == 5][:4]
    lines = causes(found(lambda s: [] if s in silent else [s]))
    assert len(lines) == 4
    assert all("nothing answered" in line for line in lines)


def test_a_word_that_means_nothing_is_no_answer() -> None:
    bench = Bench()
    person = beginner(bench).on("on space 1 ", "what").on("^  Enter when it lies there", ["magnet 0 1"])
    checked = check(bench, person, (0,))
    assert checked.summary() == ["1 of 201 places looked at: 1 right"]


def test_one_multiplexer_is_checked_while_the_others_hang_in_the_air() -> None:
    """Their open inputs read anything: they neither answer nor count."""
    bench = Bench()
    order = order_of({7})
    assert len(order) == 15
    assert {WIRES[sensor].mux for sensor in order} == {7}
    elsewhere = next(sensor for sensor in ORDER if WIRES[sensor].mux == 9)
    bench.do(f"sensor {elsewhere} stuck 2", f"sensor {order[3]} stuck 2", "wait 100")
    person = beginner(bench).on("Place a magnet", [f"magnet {order[0]} 1"]).on("Place a magnet", "q")
    checked = check(bench, person, order)
    assert person.said(f"these read one: {place_of(order[3])}. They are left out")
    assert set(checked.findings) == {order[0], order[3]}


def test_without_a_multiplexer_named_all_places_are_checked() -> None:
    assert order_of(()) == ORDER
