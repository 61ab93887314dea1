"""Everything that can go wrong with a port or a board is one line that says what to do."""

from __future__ import annotations

import threading
from collections.abc import Callable, Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
import serial
from tests.builder.bench import PORT, Bench
from tests.link.pty_board import PtyBoard

from tablewire.builder.conversation import Conversation, plain
from tablewire.errors import BoardError
from tablewire.link.finding import FoundLink, Limits, Sources
from tablewire.link.ports import SerialPort
from tablewire.link.serial_port import SerialLink
from tablewire.virtual.board import VirtualBoard
from tablewire.virtual.remote import BoardProcess
from tablewire.wire.frame import Sender
from tablewire.wire.greeting import Greeting
from tablewire.wire.messages import BoardKind, Feature, Hello, RawReq, Snapshot

UNPLUGGED = "(Input/output error|it was unplugged, or another program reads the port)"
GREETING = Hello(1, 0, "1.2.3", 1, 201, 0, 0, 61, 115, 128, 7, 1, 0, 0, 1)


@pytest.fixture
def far_end(tmp_path: Path) -> Iterator[PtyBoard]:
    end = PtyBoard(tmp_path / "port")
    yield end
    end.unplug()


@pytest.fixture
def board() -> Iterator[BoardProcess]:
    with BoardProcess(3, fast=True) as process:
        yield process


def trouble(port: Path | str, limit_s: float = 0.4) -> str:
    """The line that a builder is told who opens `port`."""
    with pytest.raises(BoardError) as raised, Conversation(SerialLink(str(port)), lambda _: None) as board:
        board.find(limit_s)
    line = str(raised.value)
    assert "\n" not in line
    assert "tried again" not in line  # nothing tries again here but the person
    return line


def greeting(**changed: Any) -> bytes:
    """The frame of a greeting, other than usual in some fields."""
    hello = replace(GREETING, **changed)
    return Sender().encode(hello.TYPE, hello.encode())


def test_a_port_that_is_not_there() -> None:
    assert trouble("/dev/ttyNOPE") == (
        "cannot open /dev/ttyNOPE: nothing is plugged in there; plug the board in; "
        "tablewire doctor looks further"
    )


def test_a_port_that_is_none(tmp_path: Path) -> None:
    assert "it is not a serial port; name the one the board is plugged into with --port" in trouble(tmp_path)


def test_a_port_that_another_program_has(far_end: PtyBoard) -> None:
    with serial.Serial(str(far_end.path), exclusive=True):
        line = trouble(far_end.path)
    assert "another program uses it" in line
    assert line.endswith("; close that program; tablewire doctor looks further")


def test_a_search_in_vain_says_where_it_looked_and_why_not(far_end: PtyBoard) -> None:
    sources = Sources(ports=lambda **_: [SerialPort("/dev/ttyNOPE"), SerialPort(str(far_end.path))])
    said: list[str] = []
    search = FoundLink(greet=Greeting, sources=sources, limits=Limits(greet_s=0.4))
    with pytest.raises(BoardError) as raised, Conversation(search, said.append):
        pass
    assert "\n" not in str(raised.value)
    assert str(raised.value).endswith("; tablewire doctor looks further")
    by_place = dict(line.split(": ", 1) for line in said)
    assert set(by_place) == {"/dev/ttyNOPE", str(far_end.path)}
    assert "nothing is plugged in there" in by_place["/dev/ttyNOPE"]
    assert "tried again" not in "".join(said)


@pytest.mark.parametrize(
    ("promise", "rest"),
    [
        ("it hangs; it is tried again", "it hangs"),
        ("close that program, it is tried again", "close that program"),
        ("lost (EIO); the game is kept and the port tried again", "lost (EIO)"),
        ("lost (gone); the game is kept and the board tried again", "lost (gone)"),
        ("no board is found: plug it in, it is looked for", "no board is found: plug it in"),
        ("none at any of 3 places; it is looked for again and again", "none at any of 3 places"),
        ("is it still on and near? It is tried again", "is it still on and near?"),
    ],
)
def test_at_the_bench_nobody_promises_to_try_again(promise: str, rest: str) -> None:
    assert plain(promise) == rest


def test_a_board_that_is_found_is_talked_to_over_the_link_that_found_it(board: BoardProcess) -> None:
    search = FoundLink(greet=Greeting, sources=Sources(ports=lambda **_: [SerialPort(str(board.port))]))
    said: list[str] = []
    with Conversation(search, said.append) as talk:
        assert talk.find().sensor_count == 201
        assert talk.port == str(board.port)
    assert said == [f"the board at {board.port} is used"]


def test_of_two_boards_one_is_used_and_the_other_named(board: BoardProcess) -> None:
    with BoardProcess(4, fast=True) as other:
        ports = [SerialPort(str(one.port)) for one in (board, other)]
        # So patient that the second one has answered, however busy this computer is.
        search = FoundLink(
            greet=Greeting, sources=Sources(ports=lambda **_: ports), limits=Limits(grace_s=60.0)
        )
        said: list[str] = []
        with Conversation(search, said.append) as talk:
            talk.find()
    assert said == [
        f"the board at {board.port} is used",
        f"{other.port}: another board answers there; --port {other.port} takes it",
    ]


def test_a_port_where_nobody_answers(far_end: PtyBoard) -> None:
    assert trouble(far_end.path).endswith(
        "within 0 s: check the cable, and that the firmware is on it (tablewire flash); "
        "tablewire doctor looks further"
    )


def test_a_port_where_something_else_speaks(far_end: PtyBoard) -> None:
    with Conversation(SerialLink(str(far_end.path)), lambda _: None) as board:
        far_end.say(b"Marlin 2.1 ready\r\n\0start\0")
        with pytest.raises(
            BoardError, match="is not a tablewire board, or speaks at another speed"
        ) as raised:
            board.find(0.4)
    assert "25 bytes came, and no message in them" in str(raised.value)


@pytest.mark.parametrize(("major", "side"), [(0, "the board's firmware"), (2, "tablewire on this computer")])
def test_a_board_of_another_version(far_end: PtyBoard, major: int, side: str) -> None:
    with Conversation(SerialLink(str(far_end.path)), lambda _: None) as board:
        far_end.say(greeting(major=major))
        with pytest.raises(
            BoardError, match=f"^the board speaks protocol {major}, this program 1: update {side}"
        ):
            board.find(5.0)


def test_a_board_that_greets_and_says_no_more(far_end: PtyBoard) -> None:
    with Conversation(SerialLink(str(far_end.path)), lambda _: None) as board:
        far_end.say(greeting())
        with pytest.raises(BoardError, match="greets but does not tell what lies on it"):
            board.find(0.4)


def test_a_line_that_damages_everything(far_end: PtyBoard) -> None:
    with Conversation(SerialLink(str(far_end.path)), lambda _: None) as board:
        sender = Sender()
        far_end.say(b"".join(sender.encode(0x09, b"\x01\x02hi") for _ in range(3)) + b"\0\x05abc\0")
        with pytest.raises(BoardError, match="is too bad: 1 frames came damaged"):
            board.find(0.4)


def test_a_cable_that_is_pulled_while_searching(far_end: PtyBoard) -> None:
    with Conversation(SerialLink(str(far_end.path)), lambda _: None) as board:
        far_end.unplug()
        with pytest.raises(BoardError, match=rf"^lost the board at .*port \({UNPLUGGED}\)$"):
            board.find(5.0)


def test_a_board_that_is_deaf_after_its_reset_is_waited_for_and_that_is_said() -> None:
    bench = Bench()
    bench.do("fault reset-on-open ms=2500")
    said: list[str] = []
    with bench.converse(said.append) as board:
        assert board.find().firmware == "virtual"
    assert 2500 <= bench.now_ms <= 3500
    assert said == [f"waiting for the board at {PORT} (opening the port resets many boards) ..."]


def test_a_board_that_falls_silent_in_the_middle() -> None:
    bench = Bench()
    with bench.converse() as board:
        board.find()
        bench.do("fault mute to=host")
        with pytest.raises(BoardError, match="has fallen silent: check its cable and its power"):
            board.rest(10)


def test_a_command_that_is_not_answered() -> None:
    bench = Bench()
    with bench.converse() as board:
        board.find()
        bench.do("fault mute to=board")
        with pytest.raises(BoardError, match="does not answer RawReq: its firmware may be too old"):
            board.ask(RawReq(0, 0, 5))
        with pytest.raises(BoardError, match="does not answer RawReq"):
            board.ask(RawReq(0, 0, 5))  # at once: its kind is given up


def test_a_step_the_board_does_not_know() -> None:
    bench = Bench()
    with bench.converse() as board:
        board.find()
        with pytest.raises(BoardError, match="refuses to calibrate"):
            board.calibrate(99, 3)


def answering(far_end: PtyBoard, frames: bytes) -> Callable[[], None]:
    """Says `frames` as soon as something is heard; the function waits for that."""

    def answer() -> None:
        far_end.hear(1)
        far_end.say(frames)

    thread = threading.Thread(target=answer)
    thread.start()
    return thread.join


@pytest.mark.parametrize(
    ("changed", "words"),
    [
        ({"sensor_count": 12}, "is another table: it has 12 sensors, a Cir\\*Kis table has 201"),
        ({"kind": 2, "reader_count": 16}, "is another table, one for Ligretto: it has 16 readers"),
        ({"kind": 7}, "is another table: it has 201 sensors"),
        ({"features": 1}, "lacks CALIBRATION, RAW: its firmware may be too old"),
    ],
)
def test_a_board_that_cannot_be_used(far_end: PtyBoard, changed: dict[str, int], words: str) -> None:
    count = changed.get("sensor_count", 201)
    snapshot = Snapshot(7, 0, 1, bytes(count))
    frames = greeting(**changed) + Sender().encode(snapshot.TYPE, snapshot.encode())
    with Conversation(SerialLink(str(far_end.path)), lambda _: None) as board:
        join = answering(far_end, frames)
        with pytest.raises(BoardError, match=words):
            board.find_with(Feature.CALIBRATION | Feature.RAW, 201)
        join()


def test_a_board_with_readers_is_found_and_named_where_sensors_are_needed() -> None:
    bench = Bench(VirtualBoard(1, kind=BoardKind.LIGRETTO, pads=16))
    bench.do("lay red:blue:1 4", "wait 500")
    with bench.converse() as board:
        assert board.find().reader_count == 16
        with pytest.raises(
            BoardError, match=r"one for Ligretto: it has 16 readers and no sensors \(tablewire"
        ):
            board.find_with(Feature.RAW, 201)


def test_readings_and_levels_of_all_sensors_are_read_whatever_fits_into_a_message() -> None:
    bench = Bench()
    bench.do("magnet 200 3", "magnet 0 2", "wait 100")
    with bench.converse() as board:
        board.find()
        readings, levels = board.readings(), board.levels()
    assert (len(readings), readings[0], readings[100], readings[200]) == (201, 760, 512, 424)
    assert len(levels) == 201


def test_an_answer_to_a_question_from_before_a_restart_is_not_taken_for_another() -> None:
    bench = Bench()
    with bench.converse() as board:
        board.find()
        bench.board.command("reset")
        bench.board.command("fault deaf ms=100")  # the greeting is heard, the question is not
        with pytest.raises(BoardError, match="restarted"):
            board.ask(RawReq(0, 5, 2))
        answer = board.calibrate(1, 3)
    assert answer.value & 0xFFFF == 512
