"""Watching a board: one line for each change, and the counters at the end."""

from __future__ import annotations

import io

from rich.console import Console
from tests.builder.bench import Bench, BenchLink

from tablewire.builder.conversation import Conversation
from tablewire.builder.monitor import Monitor, Watched
from tablewire.builder.monitor_view import render, screen
from tablewire.builder.places import place_of
from tablewire.builder.wiring_check import order_of


def watch(bench: Bench, *commands: str, for_s: float = 3.0, before: tuple[str, ...] = ()) -> list[str]:
    """The lines of a watch meanwhile the hands do `commands`."""
    lines: list[str] = []
    if before:
        bench.do(*before)
    with bench.converse(lines.append) as talk:
        monitor = Monitor(talk, lines.append)
        for command in commands:
            bench.board.command(command)
        monitor.run(for_s)
        return [*lines, *monitor.counter_lines()]


def test_each_change_is_one_line_with_time_place_classes_and_reading() -> None:
    lines = watch(Bench(), "place red 37", "wait 500", "lift 37", "wait 100", "magnet 168 3")
    assert lines[0] == "nothing lies on the board"
    first, second, third = (line.split(" s ", 1) for line in lines[1:4])
    assert first[1] == "space 37 empty -> N strong (760)"
    assert second[1] == "space 37 N strong -> empty (512)"
    assert third[1] == "purple's hole 15 empty -> S weak (424)"
    assert 0.4 <= float(second[0]) - float(first[0]) <= 0.8


class SlowLink(BenchLink):
    """A line on which every answer takes 15 ms more, so that a look at all sensors outlasts the debounce."""

    def read(self, limit_s: float, /) -> bytes:
        for _ in range(15):
            self._bench.advance()
        return super().read(limit_s)


def test_the_reading_beside_a_change_is_never_one_from_before_it() -> None:
    bench, lines = Bench(), list[str]()
    for moment_ms in range(0, 200, 10):
        for command in ("magnet 11 4", f"wait {600 + moment_ms}", "magnet 11 0", "wait 600"):
            bench.board.command(command)
    with Conversation(SlowLink(bench), lines.append, bench.clock_s) as talk:
        Monitor(talk, lines.append).run(28.0)
    said = [line.partition(" s ")[2] for line in lines if " -> " in line]
    assert len(said) == 40
    assert set(said) == {"space 12 empty -> S strong (264)", "space 12 S strong -> empty (512)"}


def test_what_lies_there_at_first_is_said() -> None:
    lines = watch(Bench(), before=("place green 9", "wait 100"), for_s=0.5)
    assert lines[0] == "space 9 S strong (264)"


def test_a_line_without_trouble_says_so() -> None:
    assert watch(Bench())[-1] == "the link: no trouble"


def test_trouble_on_the_line_is_counted_in_words() -> None:
    lines = watch(Bench(), "fault flip percent=0.1 to=host", for_s=6.0)
    assert any("frames damaged on the way to this computer" in line for line in lines)


def test_a_flickering_sensor_is_named_at_the_end() -> None:
    lines = watch(Bench(), "sensor 8 chatter 30")
    assert any("too short to count, the last at space 9" in line for line in lines)


def test_a_restart_is_said_and_what_lies_there_since() -> None:
    lines = watch(Bench(), "wait 100", "reset", "magnet 5 2", "wait 300", "magnet 6 2", for_s=4.0)
    assert "the board has restarted" in lines
    assert any("space 6 is now N strong" in line or "space 6 empty -> N strong" in line for line in lines)
    assert any("space 7 empty -> N strong (760)" in line for line in lines)


def drawn(watched: Watched) -> str:
    console = Console(file=io.StringIO(), width=120, height=40, force_terminal=False)
    console.print(render(watched))
    out = console.file
    assert isinstance(out, io.StringIO)
    return out.getvalue()


def test_the_screen_shows_the_grid_the_strongest_fields_and_the_newest_changes() -> None:
    bench = Bench()
    shown: list[str] = []
    with bench.converse() as talk:
        monitor = Monitor(talk, lambda _: None, lambda watched: shown.append(drawn(watched)))
        bench.board.command("place red 37")
        monitor.run(1.0)
    page = shown[-1]
    assert "firmware virtual" in page
    assert "165" in page
    assert "yellow" in page
    assert any(row.split()[-5:] == ["37", "N", "strong", "760", "+248"] for row in page.splitlines())
    assert "space 37 empty -> N strong (760)" in page


def test_a_terminal_gets_its_screen_back() -> None:
    out = io.StringIO()
    with screen(Console(file=out, width=100, height=40, force_terminal=True)) as shown:
        shown.show(Watched("/dev/x", "1.0", bytes(201), (512,) * 201, (512,) * 201))
    text = out.getvalue()
    assert "\x1b[?1049h" in text
    assert text.rstrip().endswith(("\x1b[?1049l", "\x1b[?25h"))
    assert "firmware 1.0" in text


def test_what_came_to_lie_there_while_the_board_was_off_is_said() -> None:
    lines = watch(Bench(), "wait 300", "magnet 5 2", "wait 12", "reset")
    assert lines[1:3] == ["the board has restarted", "space 6 is now N strong (760)"]


def test_one_multiplexer_is_watched_while_the_others_hang_in_the_air() -> None:
    among = order_of({7})
    elsewhere = next(sensor for sensor in range(201) if sensor not in among)
    bench = Bench()
    lines: list[str] = []
    shown: list[list[int]] = []
    bench.do(f"magnet {elsewhere} 2", "wait 100")
    with bench.converse() as talk:
        monitor = Monitor(talk, lines.append, lambda watched: shown.append(watched.strongest(20)), among)
        bench.board.command(f"sensor {elsewhere} chatter 5")
        bench.board.command(f"magnet {among[3]} 1")
        monitor.run(1.0)
    assert lines[0] == "nothing lies there"
    assert [line.split(" s ", 1)[1] for line in lines[1:]] == [f"{place_of(among[3])} empty -> N weak (600)"]
    assert shown[-1][0] == among[3]
    assert sorted(shown[-1]) == sorted(among)
