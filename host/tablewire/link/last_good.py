"""Which board answered last, over restarts: a small file in the data folder.

Owns the file `board.json` and its form. Must not know how a board is found, nor what else is in the folder.

It is a convenience: what cannot be read is as good as none, is kept under another name, and is never
overwritten; what cannot be written costs nothing but a line that says so.
"""

from __future__ import annotations

import json
import os
import stat
from collections.abc import Callable
from contextlib import suppress
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

from tablewire.errors import one_line

FILE_NAME = "board.json"
FORM = 1
"""The version of the file's form; one of another form is another program's, and is put aside."""
FILE_MAX_BYTES = 4096
"""Four short texts. What is longer is something else, and is not read to its end."""
TEXT_MAX_CHARS = 512
"""No path, serial number or name is longer; the file may have been edited."""
ASIDE_MAX_COUNT = 100
"""Under so many other names is looked for a free one; whoever has more of them has another trouble."""

OTHER = "it holds something else"


@dataclass(frozen=True, slots=True)
class KnownBoard:
    """Where a board answered. `kind`: "serial" or "ble"; `port`: the path, or the address on the radio."""

    kind: str
    port: str
    serial_number: str | None = None
    usb_id: tuple[int, int] | None = None
    name: str | None = None


class LastGood:
    """The file. `say` is told once of each thing that is wrong with it."""

    def __init__(self, file: Path, say: Callable[[str], None] = lambda _: None) -> None:
        self._file = file
        self._tell = say
        self._said: set[str] = set()
        self._stored: KnownBoard | None = None
        self._is_read = self._is_barred = False

    def load(self) -> KnownBoard | None:
        """The board that answered last; None when none is known. Never fails."""
        self._is_read = True
        try:
            self._stored = read_known_board(self._file)
        except (OSError, ValueError) as exc:
            self._put_aside(_why(exc))
        return self._stored

    def save(self, board: KnownBoard) -> None:
        """Note the board that answers. Never fails; written beside and renamed, so never half."""
        if not self._is_read:  # a board that was named: what is there may be another version's
            self.load()
        if board == self._stored or self._is_barred:
            return
        beside = self._file.with_name(f"{self._file.name}.new")
        try:
            data = json.dumps({"board": FORM, **asdict(board)}, indent=1).encode() + b"\n"
            # Not through a link that somebody has put there.
            flags = os.O_WRONLY | os.O_CREAT | os.O_TRUNC | getattr(os, "O_NOFOLLOW", 0)
            with os.fdopen(os.open(beside, flags, 0o644), "wb") as file:
                file.write(data)
                file.flush()
                os.fsync(file.fileno())
            beside.replace(self._file)
        except (OSError, ValueError) as exc:
            with suppress(OSError):
                beside.unlink()
            self._say(f"which board answered cannot be noted in {one_line(self._file)}: {_why(exc)}")
            return
        self._stored = board

    def _put_aside(self, why: str) -> None:
        name = one_line(self._file)
        for number in range(1, ASIDE_MAX_COUNT + 1):
            aside = self._file.with_name(f"{self._file.name}.unreadable-{number}")
            if os.path.lexists(aside):
                continue
            try:
                self._file.rename(aside)
            except OSError:
                break
            self._say(f"{name} cannot be read ({why}); it is kept as {one_line(aside.name)}")
            return
        # What cannot be put aside stays, and nothing is written over it.
        self._is_barred = True
        self._say(f"{name} cannot be read ({why}); which board answers is not noted until it is away")

    def _say(self, text: str) -> None:
        if text not in self._said:
            self._said.add(text)
            self._tell(text)


def read_known_board(file: Path) -> KnownBoard | None:
    """What the file says, changing nothing; None when there is none. OSError; ValueError, with a text."""
    try:
        return _parse(_read(file))
    except FileNotFoundError:
        return None
    except RecursionError as exc:
        raise ValueError(OTHER) from exc


def _why(exc: OSError | ValueError) -> str:
    return exc.strerror or type(exc).__name__ if isinstance(exc, OSError) else str(exc)


def _read(file: Path) -> bytes:
    """The file's bytes. OSError; ValueError for what is no file. Never waits: a pipe would, for ever."""
    descriptor = os.open(file, os.O_RDONLY | getattr(os, "O_NONBLOCK", 0) | getattr(os, "O_CLOEXEC", 0))
    try:
        if not stat.S_ISREG(os.fstat(descriptor).st_mode):
            raise ValueError("it is no file")
        data = os.read(descriptor, FILE_MAX_BYTES + 1)
    finally:
        os.close(descriptor)
    if len(data) > FILE_MAX_BYTES:
        raise ValueError("it is too long")
    return data


def _parse(data: bytes) -> KnownBoard:
    """What the file says. ValueError."""
    try:
        told = json.loads(data.decode("utf-8"))
    except ValueError as exc:
        raise ValueError("it is damaged") from exc
    if not isinstance(told, dict) or told.get("board") != FORM:
        raise ValueError(OTHER)
    kind, port = _text(told.get("kind")), _text(told.get("port"))
    if kind not in ("serial", "ble") or port is None:
        raise ValueError(OTHER)
    return KnownBoard(
        kind,
        port,
        _text(told.get("serial_number")),
        _usb_id(told.get("usb_id")),
        _text(told.get("name")),
    )


def _text(told: Any) -> str | None:
    if told is None:
        return None
    if not isinstance(told, str) or not 0 < len(told) <= TEXT_MAX_CHARS or not told.isprintable():
        raise ValueError(OTHER)
    return told


def _usb_id(told: Any) -> tuple[int, int] | None:
    match told:
        case None:
            return None
        case [int() as vendor, int() as product] if 0 <= vendor <= 0xFFFF and 0 <= product <= 0xFFFF:
            return vendor, product
        case _:
            raise ValueError(OTHER)
