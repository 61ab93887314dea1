"""How long a change on the board takes to the host: over a pty, and over Bluetooth LE without a radio.

    python -m tests.bench.bench_link

The same simulated board in real time at one end, the same link thread and session at the other; the links are
asked in turn, so that a busy machine slows all of them alike. Over Bluetooth LE the bytes go through bleak, a
real dbus-daemon and a fake bluetoothd (tests/ble). That runs in this process and competes with the host for
the interpreter: a bluetoothd of its own can only be quicker.

In the figures: the board's debounce of 20 ms, and its scans before and after that, which are the first line.
Not in them: a radio's connection interval, which is CONNECTION_INTERVAL_MS at most, and the UART behind the
module (2 ms for a frame of 100 bytes at 500 kbaud).

Ends with 1 when a median misses its limit. What is late for one in a hundred says more of the machine.
"""

from __future__ import annotations

import os
import random
import statistics
import sys
import time
from collections.abc import Iterator, Mapping, Sequence
from contextlib import ExitStack, contextmanager

from tests.ble.bluez import FakeBluez
from tests.ble.bridge import Bridge
from tests.ble.hosting import Host
from tests.ble.loop_thread import LoopThread
from tests.ble.uart import BoardUart, EchoUart
from tests.virtual.bench_table import Bench

from tablewire.link.ble import BleLink
from tablewire.link.contract import Link
from tablewire.link.serial_port import SerialLink
from tablewire.virtual.board import VirtualBoard

TICK_S = 0.001
"""How often the simulated board looks at its clock: finer than the firmware's own scan of 6 ms."""
PAUSE_MAX_S = 0.03
"""Between two changes, drawn anew each time: so that no clock of board and host keeps step with them."""
CHANGES = 150
CROWD, CROWDS = 16, 40
"""As many changes as one message carries, at one moment: 118 bytes, seven notifications at MTU 23."""
ECHOES = 500
SHORT_BYTES, LONG_BYTES = 20, 120
"""What the smallest MTU carries at once, and the longest frame."""
MTUS = (23, 247)

IMMEDIATE_MS = 100
"""An answer within a tenth of a second is taken for immediate (Miller 1968, Nielsen 1993)."""
CONNECTION_INTERVAL_MS = 50
"""The longest that Linux asks for by itself; a notification waits for half of it on average."""
FRAME_MS = 17
"""Until the page's next picture at 60 Hz."""
LIMIT_MS = IMMEDIATE_MS - CONNECTION_INTERVAL_MS // 2 - FRAME_MS
"""What is left of it for board, link and session."""

PTY = "pty"
ALONE = "no link"

Figures = Mapping[str, Sequence[float]]


def late_one(values: Sequence[float]) -> float:
    """The value that 99 of 100 are below."""
    return statistics.quantiles(values, n=100, method="inclusive")[98]


# ---- a change, from the magnet to the session ----


@contextmanager
def tables(bluez: FakeBluez) -> Iterator[dict[str, tuple[Bridge, Host]]]:
    """A board and a host on each link, both awake and agreed on what lies on the table."""
    with ExitStack() as stack:
        found: dict[str, tuple[Bridge, Host]] = {}

        def add(name: str, bridge: Bridge, link: Link) -> None:
            host = stack.enter_context(Host(link))
            host.run_until(lambda: host.is_synced)
            found[name] = bridge, host

        wired = bluez.add_bridge("wired", board=BoardUart(VirtualBoard(1), TICK_S))
        add(PTY, wired, SerialLink(wired.switch_to_usb()))
        for mtu in MTUS:
            bridge = bluez.add_bridge(f"mtu {mtu}", mtu=mtu, board=BoardUart(VirtualBoard(1), TICK_S))
            add(f"BLE, MTU {mtu}", bridge, BleLink(f"mtu {mtu}"))
        yield found


def measure_alone(crowd: int) -> Sequence[float]:
    """The same where board and host are joined without a link, in the board's own time: no link beats it."""
    bench, draw = Bench(VirtualBoard(1), step_ms=1), random.Random(crowd)
    bench.run(300)
    took_ms: list[float] = []
    for index in range(CHANGES):
        bench.run(draw.randint(30, 60))
        begun_ms, told_count = bench.now_ms, len(bench.changes())
        for sensor in range(crowd):
            bench.board.command(f"magnet {sensor} {2 * (1 - index % 2)}")
        while len(bench.changes()) < told_count + crowd:
            bench.run(1)
        took_ms.append(bench.now_ms - begun_ms)
    return took_ms


def measure_changes(tables: Mapping[str, tuple[Bridge, Host]], crowd: int, rounds: int) -> Figures:
    """Milliseconds from when `crowd` magnets land at one moment to the last of them in the session."""
    draw = random.Random(crowd)
    took_ms: dict[str, list[float]] = {name: [] for name in tables}
    for index in range(rounds):
        for name, (bridge, host) in tables.items():
            rest(tables, draw.uniform(0, PAUSE_MAX_S))
            expected_count = len(host.changes) + crowd
            begun_s = time.perf_counter()
            bridge.command(*(f"magnet {sensor} {2 * (1 - index % 2)}" for sensor in range(crowd)))
            while len(host.changes) < expected_count:
                host.turn()
            took_ms[name].append((host.changes[expected_count - 1][1] - begun_s) * 1000)
    return took_ms


def rest(tables: Mapping[str, tuple[Bridge, Host]], pause_s: float) -> None:
    """Let a moment pass in which every session lives on."""
    end_s = time.perf_counter() + pause_s
    while time.perf_counter() < end_s:
        for _, host in tables.values():
            host.turn(0.001)


# ---- bytes, there and back ----


@contextmanager
def echoes(bluez: FakeBluez) -> Iterator[dict[str, Link]]:
    """Open links, each with a wire at its end that brings back what is written."""
    with ExitStack() as stack:
        links: dict[str, Link] = {PTY: SerialLink(stack.enter_context(echoing_pty()))}
        for mtu in MTUS:
            bluez.add_bridge(f"echo {mtu}", mtu=mtu, board=EchoUart())
            links[f"BLE, MTU {mtu}"] = BleLink(f"echo {mtu}")
        for link in links.values():
            stack.callback(link.close)
            link.open()
        yield links


@contextmanager
def echoing_pty() -> Iterator[str]:
    """The path of a pty whose other end answers with what it hears, on a thread of its own."""
    thread = LoopThread("echo")
    far, near = os.openpty()
    thread.call(lambda: thread.loop.add_reader(far, lambda: os.write(far, os.read(far, 4096))))
    try:
        yield os.ttyname(near)
    finally:
        thread.call(lambda: thread.loop.remove_reader(far))
        thread.close()
        os.close(far)
        os.close(near)


def measure_echo(links: Mapping[str, Link], size: int) -> Figures:
    """Milliseconds until so many bytes are back."""
    took_ms: dict[str, list[float]] = {name: [] for name in links}
    data = random.Random(size).randbytes(size)
    for _ in range(ECHOES):
        for name, link in links.items():
            begun_s = time.perf_counter()
            link.write(data)
            heard = b""
            while len(heard) < size:
                heard += link.read(1.0)
            took_ms[name].append((time.perf_counter() - begun_s) * 1000)
            if heard != data:
                raise SystemExit(f"{name}: other bytes came back")
    return took_ms


# ---- the table ----


def show(title: str, figures: Figures) -> None:
    """Print a line for each link."""
    print(title)
    wired_ms = statistics.median(figures[PTY])
    for name, values in figures.items():
        median_ms = statistics.median(values)
        ratio = median_ms / wired_ms
        print(f"  {name:12} {median_ms:7.2f} ms median, {late_one(values):7.2f} ms p99, {ratio:5.2f} x pty")


def main() -> int:
    """Measure everything; 1 when a limit is missed."""
    with FakeBluez() as bluez:
        os.environ["DBUS_SYSTEM_BUS_ADDRESS"] = bluez.address
        with tables(bluez) as found:
            one = {ALONE: measure_alone(1), **measure_changes(found, 1, CHANGES)}
            crowd = {ALONE: measure_alone(CROWD), **measure_changes(found, CROWD, CROWDS)}
        with echoes(bluez) as links:
            short, long = (measure_echo(links, size) for size in (SHORT_BYTES, LONG_BYTES))
    show(f"one change, from magnet to session, {CHANGES} times", one)
    show(f"{CROWD} changes at one moment, to the last of them, {CROWDS} times", crowd)
    show(f"{SHORT_BYTES} bytes there and back, {ECHOES} times", short)
    show(f"{LONG_BYTES} bytes there and back, {ECHOES} times", long)
    slowest_ms = max(statistics.median(values) for values in (*one.values(), *crowd.values()))
    kept = slowest_ms <= LIMIT_MS
    verdict = "kept" if kept else "MISSED"
    print(f"the slowest median of changes: {slowest_ms:.0f} ms, limit {LIMIT_MS}: {verdict}")
    print(f"(half a radio's connection interval and a picture of the page make it {IMMEDIATE_MS})")
    return 0 if kept else 1


if __name__ == "__main__":
    sys.exit(main())
