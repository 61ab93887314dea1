"""One serial port as bytes in and bytes out, whose every failure is one of two link errors.

Owns pyserial. Must not know frames, the board, threads that read it, or when to try again. One thread opens,
reads, writes and closes; `wake` and `give_up` alone may be called from another.

Opening a port raises DTR, and most boards take that edge for a reset: deaf for 2 s. So a port is left with
DTR up when it is closed (line_settings.py), and on Windows DTR is set before opening. Pseudo-terminals know
no DTR: the calls are tested, that a real board is spared its reset is untried.
"""

from __future__ import annotations

import contextlib
import os
import threading
import time
from collections.abc import Callable
from typing import Protocol

import serial

from tablewire.link.address import DEFAULT_BAUD
from tablewire.link.faults import Cause, LinkLost, LinkRefused, lost, port_words, refused
from tablewire.link.line_settings import keep_line_up, keep_others_out

OPEN_LIMIT_S = 3.0
"""Opening a USB port takes milliseconds; a driver that hangs must not take the table with it."""

WRITE_LIMIT_S = 0.1
"""Ten of the longest frames at 500 kbaud take 30 ms; what does not drain in three times that is dropped."""

DRAIN_POLL_S = 0.005
"""Two full-length frames at 500 kbaud."""

CHUNK_BYTES = 4096
"""The kernel's line buffer: more never waits, so a larger read gains nothing."""


class Port(Protocol):
    """The part of pyserial's Serial that is used here."""

    timeout: float | None

    @property
    def in_waiting(self) -> int: ...
    @property
    def out_waiting(self) -> int: ...
    def read(self, size: int = 1, /) -> bytes: ...
    def write(self, data: bytes, /) -> int | None: ...
    def cancel_read(self) -> None: ...
    def reset_output_buffer(self) -> None: ...
    def close(self) -> None: ...


Opener = Callable[[str, int], Port]


def open_with_pyserial(
    port: str,
    baud: int,
    serial_class: type[serial.Serial] = serial.Serial,
    *,
    is_windows: bool = os.name == "nt",
) -> Port:
    """Open the port for ourselves alone. Raises whatever pyserial, termios or the system raise."""
    opened = serial_class(None, baud, timeout=0, write_timeout=WRITE_LIMIT_S, exclusive=True)
    if is_windows:
        # There DTR is a setting that is applied with opening: down, and it stays down; the bridges on the
        # boards send without it. Elsewhere the kernel has raised it before anybody is asked.
        opened.dtr = False
    opened.port = port
    opened.open()
    if not is_windows:
        keep_line_up(opened.fileno())
        keep_others_out(opened.fileno())
        # Said again, after the other settings: macOS forgets a speed of 500 kbaud over them.
        opened.baudrate = baud
    return opened


class _Attempt:
    """One call of the opener on a thread of its own, which may outlive everybody's patience."""

    def __init__(self, opener: Opener, port: str, baud: int) -> None:
        self._lock = threading.Lock()
        self._abandoned = False
        self._port: Port | None = None
        self._error: Exception | None = None
        self._returned = threading.Event()
        self._decided = threading.Event()
        # A daemon thread: a driver that never returns must not keep the program from ending.
        self._thread = threading.Thread(target=self._run, args=(opener, port, baud), name="open", daemon=True)
        self._thread.start()

    @property
    def running(self) -> bool:
        return not self._returned.is_set()

    def _run(self, opener: Opener, port: str, baud: int) -> None:
        try:
            opened = opener(port, baud)
        except Exception as exc:
            self._error = exc
        else:
            with self._lock:
                if not self._abandoned:
                    self._port = opened
            if self._port is None:
                _close(opened)
        finally:
            self._returned.set()
            self._decided.set()

    def abandon(self) -> None:
        """End the wait for the result; what still opens is closed again. Any thread may call it."""
        self._decided.set()

    def result(self, limit_s: float) -> Port | None:
        """The port, or None when the limit passed first or it was abandoned."""
        self._decided.wait(limit_s)
        with self._lock:
            if self._error is not None:
                raise self._error
            if self._port is None:
                self._abandoned = True
            return self._port


class SerialLink:
    """A serial port by its path. Opens and closes any number of times; `dropped_count` counts lost writes."""

    kind = "serial"

    def __init__(self, port: str, baud: int = DEFAULT_BAUD, opener: Opener = open_with_pyserial) -> None:
        self.name = port
        self.dropped_count = 0
        self._baud = baud
        self._opener = opener
        self._attempt: _Attempt | None = None
        self._port: Port | None = None
        self._wake_lock = threading.Lock()
        self._given_up = threading.Event()
        self._is_clogged = False
        self._busy: LinkRefused | None = None

    def open(self, limit_s: float = OPEN_LIMIT_S) -> None:
        """Open the port within `limit_s`. LinkRefused otherwise; a call that still hangs is never doubled."""
        self.close()
        if self._given_up.is_set():
            raise self._given_up_words()
        if self._attempt is not None and self._attempt.running:
            raise self._hangs()
        self._attempt = attempt = _Attempt(self._opener, self.name, self._baud)
        if self._given_up.is_set():
            # Looked at again, since `give_up` did not see the attempt before: one of the two ends the wait.
            attempt.abandon()
        try:
            port = attempt.result(limit_s)
        except Exception as exc:
            # pyserial lets OSError, termios.error, ValueError, TypeError and its own through.
            raise self._refusal(exc) from exc
        if port is not None and not self._given_up.is_set():
            self._port, self._busy = port, None
            return
        if port is not None:
            _close(port)
        raise self._given_up_words() if self._given_up.is_set() else self._hangs()

    def _refusal(self, exc: Exception) -> LinkRefused:
        refusal = refused(self.name, exc)
        if refusal.cause is not Cause.BUSY:
            self._busy = None
            return refusal
        # Who has the port is said once: it may be letting go just while it is asked for its name, and others
        # who try like us are there for a moment. Whoever has taken it over from that one is news.
        known = self._busy
        if known is None or (refusal.users and (not known.users or known.users[0] not in refusal.users)):
            self._busy = known = refusal
        return LinkRefused(str(known), Cause.BUSY, users=known.users)

    def _hangs(self) -> LinkRefused:
        return LinkRefused(
            f"cannot open {port_words(self.name)}: it does not answer; unplug the board and plug it in again",
            Cause.HANGS,
        )

    def _given_up_words(self) -> LinkRefused:
        return LinkRefused(f"{port_words(self.name)} is not opened: the program ends")

    def _open_port(self) -> Port:
        if self._port is None:
            raise lost(self.name, OSError("it is closed"))
        return self._port

    def _still_wanted(self) -> None:
        if self._given_up.is_set():
            raise LinkLost(f"lost the board at {port_words(self.name)} (the program ends)")

    def read(self, limit_s: float) -> bytes:
        """The bytes that have come, at most CHUNK_BYTES; none when `limit_s` passes or `wake` is called."""
        port = self._open_port()
        self._still_wanted()
        try:
            if port.timeout != limit_s:
                port.timeout = limit_s
            first = port.read(1)
            data = first + port.read(min(port.in_waiting, CHUNK_BYTES - 1)) if first else b""
        except Exception as exc:
            # An unplugged port answers with OSError, termios.error, TypeError, or pyserial's own.
            raise lost(self.name, exc) from exc
        if not data:
            self._still_wanted()
        return data

    def write(self, data: bytes) -> bool:
        """Send `data`; False when the line did not take it in WRITE_LIMIT_S and it was dropped."""
        port = self._open_port()
        try:
            port.write(data)
        except serial.SerialTimeoutException:
            self.dropped_count += 1
            self._is_clogged = True
            return False
        except Exception as exc:
            raise lost(self.name, exc) from exc
        self._is_clogged = False
        return True

    def wake(self) -> None:
        """Make a `read` that waits return now. Any thread may call it, on a closed port too."""
        # Without the lock a port closed meanwhile would have the wake-up byte written into whatever file
        # has got its descriptor since.
        with self._wake_lock:
            if self._port is not None:
                with contextlib.suppress(Exception):
                    self._port.cancel_read()

    def give_up(self) -> None:
        """Make what waits end soon, and refuse what comes later. Any thread may call it."""
        self._given_up.set()
        attempt = self._attempt
        if attempt is not None:
            attempt.abandon()
        self.wake()

    def close(self) -> None:
        """Close the port; never fails, also when it is gone or was never open."""
        with self._wake_lock:
            port, self._port = self._port, None
        if port is not None:
            _close(port, is_clogged=self._is_clogged)
        self._is_clogged = False


def _close(port: Port, *, is_clogged: bool = False) -> None:
    # Closing a port that is gone may raise anything, and there is nothing left to save.
    with contextlib.suppress(Exception):
        if is_clogged or not _drains(port):
            # The kernel would wait, up to half a minute, for the line to take what it does not take.
            port.reset_output_buffer()
    with contextlib.suppress(Exception):
        port.close()


def _drains(port: Port) -> bool:
    """Whether what was written last is sent within WRITE_LIMIT_S."""
    until_s = time.monotonic() + WRITE_LIMIT_S
    while port.out_waiting:
        if time.monotonic() > until_s:
            return False
        time.sleep(DRAIN_POLL_S)
    return True
