"""The board as a program: real time, a real pseudo-terminal, a real socket."""

from __future__ import annotations

import itertools
import os
import select
import signal
import socket
import stat
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
import serial

from tablewire.errors import UserError
from tablewire.virtual.board import VirtualBoard
from tablewire.virtual.board_pty import BoardPty, point_link
from tablewire.virtual.program import run_virtual
from tablewire.wire.observed import Changes, Snapshot
from tablewire.wire.session import HostSession, Told

PATIENCE_S = 60.0  # for a busy machine; nothing here takes more than a second or two
PROGRAM = """
import sys
from pathlib import Path
from tablewire.virtual.program import run_virtual
run_virtual(Path(sys.argv[2]) if len(sys.argv) > 2 else None, Path(sys.argv[1]), seed=3)
"""


class Client:
    """One connection to the command socket."""

    def __init__(self, path: str) -> None:
        self.socket = socket.socket(socket.AF_UNIX)
        self.socket.settimeout(10)
        self.socket.connect(path)
        self._lines = self.socket.makefile("rb")

    def ask(self, *lines: str) -> list[str]:
        """Send lines at once; their answers."""
        self.socket.sendall("".join(line + "\n" for line in lines).encode())
        return [self._lines.readline().decode().rstrip("\n") for _ in lines]

    def close(self) -> None:
        """Leave."""
        self._lines.close()
        self.socket.close()


class Program:
    """A running board, its paths, and a client."""

    def __init__(self, folder: Path, *socket_path: Path) -> None:
        self.link = folder / "port"
        command = [sys.executable, "-c", PROGRAM, str(self.link), *map(str, socket_path)]
        self.process = subprocess.Popen(command, stdout=subprocess.PIPE, text=True)
        self.pty = self.line("pty")
        self.socket_path = self.line("socket")
        self.client = Client(self.socket_path)

    def line(self, word: str) -> str:
        """The next line of output, which begins with this word; the rest of it."""
        assert self.process.stdout is not None
        first, rest = self.process.stdout.readline().split()
        assert first == word
        return rest

    def close(self) -> None:
        """End it if it has not ended."""
        self.client.close()
        if self.process.poll() is None:
            self.process.terminate()
        self.process.wait(10)
        if self.process.stdout is not None:
            self.process.stdout.close()


@pytest.fixture
def program(tmp_path: Path) -> Iterator[Program]:
    """A board that runs."""
    running = Program(tmp_path)
    yield running
    running.close()


def listen(port: serial.Serial, session: HostSession, done: Callable[[list[Told]], bool]) -> list[Told]:
    """Run a session on a port until `done` says so, for at most PATIENCE_S."""
    told: list[Told] = []
    end_s = time.monotonic() + PATIENCE_S
    while not done(told):
        now_ms = int(time.monotonic() * 1000)
        assert time.monotonic() < end_s, told
        port.write(session.data_to_send(now_ms))
        select.select([port], [], [], 0.02)
        told += session.receive_data(port.read(port.in_waiting), now_ms)
        session.acknowledge(session.number)
    return told


def by_hand(start_ms: int = 0, *, step_ms: int) -> Iterator[int]:
    """Times of a clock moved by hand, to leave when what is waited for is there.

    The kernel carries bytes through a pseudo-terminal in its own time, so a test may not count its own steps:
    this fails after 10 s of real time only.
    """
    end_s = time.monotonic() + PATIENCE_S
    for now_ms in itertools.count(start_ms, step_ms):
        assert time.monotonic() < end_s, "nothing came"
        yield now_ms


def open_port(path: Path, session: HostSession) -> serial.Serial:
    """As the daemon opens a board."""
    port = serial.Serial(str(path), 500_000, timeout=0, exclusive=True)
    session.link_opened(int(time.monotonic() * 1000))
    return port


def has(kind: type) -> Callable[[list[Told]], bool]:
    """Whether something of a kind was told."""
    return lambda told: any(isinstance(one, kind) for one in told)


def test_a_host_finds_the_board_and_sees_a_piece_land(program: Program) -> None:
    """Through pyserial; then the host leaves and comes back, then the cable is pulled and put back."""
    session = HostSession()
    with open_port(program.link, session) as port:
        listen(port, session, has(Snapshot))
        assert program.client.ask("place red 6,7 over 50") == ["ok"]
        listen(port, session, lambda told: sum(len(o.changes) for o in told if isinstance(o, Changes)) == 2)
        port.write(session.data_to_send(int(time.monotonic() * 1000)))
    session.link_lost(0)
    assert program.client.ask("place green 20", "wait 50") == ["ok", "ok"]
    with open_port(program.link, session) as port:
        (changes,) = [o for o in listen(port, session, has(Changes)) if isinstance(o, Changes)]
        assert [change.sensor for change in changes.changes] == [19]
        assert program.client.ask("unplug") == ["ok"]
        with pytest.raises(OSError):
            listen(port, session, lambda _: False)
    session.link_lost(0)
    assert not program.link.exists()
    assert program.client.ask("lift 20", "wait 50", "plug") == ["ok", "ok", "ok"]
    assert program.line("pty").startswith("/dev/")
    with open_port(program.link, session) as port:
        listen(port, session, has(Changes))


def test_everything_is_private_and_gone_afterwards(program: Program) -> None:
    """The socket is for its owner only; `quit` leaves nothing behind."""
    place = Path(program.socket_path)
    assert stat.S_IMODE(place.stat().st_mode) == 0o600
    assert stat.S_IMODE(place.parent.stat().st_mode) == 0o700
    assert str(program.link.readlink()) == program.pty
    assert program.client.ask("quit") == ["ok"]
    assert program.process.wait(10) == 0
    assert not place.parent.exists()
    assert not program.link.is_symlink()


@pytest.mark.parametrize("number", [signal.SIGTERM, signal.SIGINT, signal.SIGHUP])
def test_a_signal_ends_it_cleanly(program: Program, number: signal.Signals) -> None:
    """No traceback, nothing left."""
    program.process.send_signal(number)
    assert program.process.wait(10) == 0
    assert not Path(program.socket_path).exists()
    assert not program.link.is_symlink()


def test_a_closed_terminal_does_not_end_what_was_started_to_outlive_it(tmp_path: Path) -> None:
    """As with nohup, which has SIGHUP ignored."""
    before = signal.signal(signal.SIGHUP, signal.SIG_IGN)
    try:
        program = Program(tmp_path)
    finally:
        signal.signal(signal.SIGHUP, before)
    program.process.send_signal(signal.SIGHUP)
    assert program.client.ask("place red 6") == ["ok"]
    program.close()


def test_the_socket_of_a_board_that_was_killed_is_in_nobodys_way(tmp_path: Path) -> None:
    """Nobody answers there any more; that of a board that runs is left alone."""
    path = tmp_path / "board.sock"
    with socket.socket(socket.AF_UNIX) as killed:
        killed.bind(str(path))
    program = Program(tmp_path, path)
    with pytest.raises(UserError, match="cannot make the socket"):
        run_virtual(socket_path=path)
    assert program.client.ask("place red 6") == ["ok"]
    program.close()
    assert not path.exists()
    path.write_text("mine", encoding="utf-8")
    with pytest.raises(UserError, match="cannot make the socket"):
        run_virtual(socket_path=path)
    assert path.read_text(encoding="utf-8") == "mine"


def test_two_hands_and_one_who_types_nonsense(program: Program) -> None:
    """A slow command on one connection holds up no other; bad lines are answered one by one."""
    slow, other = Client(program.socket_path), Client(program.socket_path)
    slow.socket.sendall(b"wait 60000\nstate\n")
    assert other.ask("place red 6", "lift 6") == ["ok", "ok"]
    other.socket.sendall(b"\xff\xfe\n")
    assert other.ask("x" * 5000, "place red 6") == [
        "error the line is not UTF-8",
        "error a line is at most 4096 bytes long",
    ]
    assert other.ask() == []
    assert other._lines.readline() == b"ok\n"
    slow.close()
    other.close()


def test_one_hand_spoils_what_another_one_lays(program: Program) -> None:
    """Faults are turned on at one socket while a game is played at another; each answer is one line."""
    other = Client(program.socket_path)
    try:
        assert other.ask("fault wrong-colour colour=green", "fault list") == [
            "ok",
            "ok wrong-colour count=1 colour=green",
        ]
        assert program.client.ask("place red 6,15 over 20") == ["ok wrong-colour: laid in green"]
        assert other.ask("fault knock floor=100 ms=0", "wait 20") == ["ok green 6,15 to the floor", "ok"]
        answer, helped = program.client.ask("lift 6", "fault help")
        assert answer == "error nothing lies on 6"
        assert "; knock: pieces fly off" in helped
    finally:
        other.close()


def test_a_line_without_an_end_is_not_kept(program: Program) -> None:
    """A megabyte of one line is answered once, and the next line is read."""
    client = Client(program.socket_path)
    client.socket.sendall(b"y" * 1_000_000 + b"\nwait 0\n")
    assert client._lines.readline() == b"error a line is at most 4096 bytes long\n"
    assert client._lines.readline() == b"ok\n"
    client.close()


def test_a_place_that_is_taken_is_refused_in_one_line(tmp_path: Path) -> None:
    """A file where the link should be, a folder that does not exist, a socket name that is too long."""
    taken = tmp_path / "precious"
    taken.write_text("mine", encoding="utf-8")
    with pytest.raises(UserError, match="precious exists and is no link"):
        run_virtual(pty_link=taken)
    assert taken.read_text(encoding="utf-8") == "mine"
    with pytest.raises(UserError, match="cannot make the link"):
        run_virtual(pty_link=tmp_path / "nowhere" / "port")
    with pytest.raises(UserError, match="cannot make the socket"):
        run_virtual(socket_path=tmp_path / "nowhere" / "sock")
    with pytest.raises(UserError, match="cannot make the socket"):
        run_virtual(socket_path=tmp_path / ("s" * 150))


def test_a_link_is_moved_at_one_stroke(tmp_path: Path) -> None:
    """An old link is replaced, and at no moment missing."""
    link = tmp_path / "port"
    link.symlink_to("/dev/old")
    point_link(link, "/dev/new")
    assert str(link.readlink()) == "/dev/new"
    assert list(tmp_path.iterdir()) == [link]


def test_the_pty_and_a_test_can_share_one_clock(tmp_path: Path) -> None:
    """Without threads or real time: the board's bytes through a real pseudo-terminal, time by hand."""
    board, session = VirtualBoard(1), HostSession()
    pty = BoardPty(tmp_path / "port")
    pty.open()
    told: list[Told] = []
    with serial.Serial(str(tmp_path / "port"), 500_000, timeout=0, exclusive=True) as port:
        session.link_opened(0)
        board.command("place red 6,7 over 100")
        for now_ms in by_hand(step_ms=5):
            board.advance(now_ms)
            pty.pump(board)
            told += session.receive_data(port.read(4096), now_ms)
            session.acknowledge(session.number)
            port.write(session.data_to_send(now_ms))
            if now_ms >= 200 and sum(len(one.changes) for one in told if isinstance(one, Changes)) == 2:
                break
    pty.close()
    assert has(Snapshot)(told)


def test_a_host_that_does_not_read_stops_nothing(tmp_path: Path) -> None:
    """The pseudo-terminal fills, bytes are lost, and the board goes on."""
    board, pty = VirtualBoard(1), BoardPty()
    path = pty.open()
    with serial.Serial(path, 500_000, timeout=0) as port:
        session = HostSession()
        session.link_opened(0)
        port.write(session.data_to_send(0))
        for now_ms in range(0, 400_000, 500):
            board.advance(now_ms)
            pty.pump(board)
        assert board.do("place red 6", "wait 100") == ["ok", "ok"]
        for now_ms in by_hand(401_000, step_ms=20):
            board.advance(now_ms)
            pty.pump(board)
            session.receive_data(port.read(4096), now_ms)
            port.write(session.data_to_send(now_ms))
            if session.synced:
                break
    pty.close()


def test_nothing_is_echoed_to_the_board_before_the_host_has_set_its_port() -> None:
    """The terminal is raw from the first byte; echoed, the board would hear its own words."""
    board, pty = VirtualBoard(1), BoardPty()
    port = os.open(pty.open(), os.O_RDWR | os.O_NOCTTY | os.O_NONBLOCK)
    try:
        for now_ms in range(0, 100, 5):
            board.advance(now_ms)
            pty.pump(board)
        board.command("fault boot-text text=ready\\n")
        for now_ms in range(100, 200, 5):
            board.advance(now_ms)
            pty.pump(board)
        heard = b""
        while b"ready" not in heard:
            assert select.select([port], [], [], 10)[0], heard
            heard += os.read(port, 4096)
        counters = board.heart.counters()
        assert sum(counters.values()) == 0
    finally:
        os.close(port)
        pty.close()


def test_a_host_hears_nothing_that_was_said_before_it_opened_the_port() -> None:
    """Least of all the greeting of a boot that its coming ends."""
    board, pty = VirtualBoard(1), BoardPty()
    port = os.open(pty.open(), os.O_RDWR | os.O_NOCTTY | os.O_NONBLOCK)
    try:
        board.do("wait 50", "fault reset-on-open", "fault boot-text text=ready")
        for now_ms in range(board.table_ms, board.table_ms + 200, 5):
            board.advance(now_ms)
            pty.pump(board)
        heard = b""
        while b"ready" not in heard:
            assert select.select([port], [], [], 10)[0], heard
            heard += os.read(port, 4096)
        assert heard == b"ready"
    finally:
        os.close(port)
        pty.close()
