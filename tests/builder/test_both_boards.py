"""The builder's tools on the simulated board and on the real firmware, whose readings have noise."""

from __future__ import annotations

import re

from tests.builder.bench import Bench, Builder

from tablewire.builder.calibrate import Calibrating
from tablewire.builder.dialogue import Left
from tablewire.builder.monitor import Monitor
from tablewire.builder.wiring_check import WiringCheck
from tablewire.builder.wiring_verdict import Heard
from tablewire.wire.observed import SensorId


def test_a_calibration_is_gone_on_with_after_the_power_was_cut(bench: Bench) -> None:
    bench.do("place green 37", "wait 300")
    first = Builder(bench).on("^Zero: .*press Enter", "")
    first.on("look again", lambda: bench.do("lift 37", "wait 200"), "")
    first.on(r"^Red \(", ["place red 1,2,3"]).on("^  red: 3 of 165", "q")
    with bench.converse(first.tell) as talk:
        try:
            Calibrating(talk, first).run()
        except Left:
            first.tell("left")
    assert first.said("^  sees a magnet: space 37$")
    assert first.told[-1] == "left"

    bench.do("lift 1,2,3", "reset", "wait 200")
    second = Builder(bench).on(r"^Red \(", ["place red 4"]).on("^  red: 4 of 165", ["lift 4", "wait 200"], "")
    second.on(r"^Green \(", [], "").on(r"^Purple \(", ["place purple 1"]).on("^  purple: 1", "")
    second.on(r"^Yellow \(", "").on("^Pegs: put", ["magnet 200 4"]).on("^  pegs: 1", "")
    with bench.converse(second.tell) as talk:
        report = Calibrating(talk, second).run()
    assert second.told[0] == "the board brought its stored calibration"
    assert second.unasked == []
    assert report["stored"]
    assert report["zero"] == {"measured": 201, "missing": []}
    assert {name: one["measured"] for name, one in report["classes"].items()} == {
        "red": 4,
        "green": 0,
        "purple": 1,
        "yellow": 0,
    }
    assert report["pegs"]["measured"] == 1
    # A typical weak magnet reads 88 counts from zero and a strong one 248.
    counts = {(m["place"], *m["between"]): m["counts"] for m in report["margins"]}
    assert abs(counts["space 1", "nothing", "purple"] - 44) <= 3
    assert abs(counts["space 1", "purple", "red"] - 80) <= 3
    assert abs(counts["yellow's hole 40", "nothing", "green"] - 124) <= 3


def test_the_monitor_says_each_change(bench: Bench) -> None:
    lines: list[str] = []
    with bench.converse(lines.append) as talk:
        watch = Monitor(talk, lines.append)
        for command in ("place red 37", "wait 400", "lift 37", "wait 200", "magnet 168 3"):
            bench.board.command(command)
        watch.run(1.6)
        lines += watch.counter_lines()
    assert lines[0] == "nothing lies on the board"
    changes = [match.groups() for line in lines if (match := re.fullmatch(r"[\d.]+ s (.*) \((\d+)\)", line))]
    assert [words for words, _ in changes] == [
        "space 37 empty -> N strong",
        "space 37 N strong -> empty",
        "purple's hole 15 empty -> S weak",
    ]
    readings = [int(reading) for _, reading in changes]
    assert all(abs(reading - level) <= 12 for reading, level in zip(readings, (760, 512, 424), strict=True))
    assert lines[-1] == "the link: no trouble"


def test_the_wiring_check_hears_right_and_wrong(bench: Bench) -> None:
    person = Builder(bench).on("^Take every", "").on("on space 37 ", ["magnet 36 2"])
    person.on("on space 12 ", ["magnet 36 0", "wait 150", "magnet 30 1"]).on("on space 13 ", "")
    with bench.converse(person.tell) as talk:
        check = WiringCheck(talk, person, [SensorId(sensor) for sensor in (36, 11, 12)])
        check.run()
    assert [finding.heard for finding in check.findings.values()] == [Heard.RIGHT, Heard.OTHER, Heard.NOTHING]
    assert person.said("^  space 12: space 31 answered instead")
