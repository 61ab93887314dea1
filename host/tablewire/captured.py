"""A capture read back: its header, then every call with what came of it.

Owns what a line must look like and what is said of one that does not. Must not know what a call does.
See capture.py for the form.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, fields
from pathlib import Path
from typing import Any, BinaryIO, NoReturn

from tablewire.board.timing import Timing
from tablewire.capture import FORM
from tablewire.entries import Entry, EntryKind
from tablewire.errors import UserError, one_line, quoted
from tablewire.games.outside import load_json

LINE_MAX_BYTES = 16 * 1024 * 1024
"""An entry has at most a megabyte, a game's pinned header another; the cap keeps a device from filling the
memory."""

NUMBER_MAX = 2**53
"""No time, version or count comes near; a journal keeps no number of more than 63 bits."""

CALLS: Mapping[str, Mapping[str, type]] = {
    "start": {"ms": int},
    "link": {"ms": int, "link": str},
    "in": {"ms": int, "in": str},
    "out": {"ms": int, "out": str},
    "act": {"ms": int, "act": str, "body": dict},
    "begin": {"ms": int, "begin": dict},
}
"""The calls, by the field that names them, and the fields that each must have."""

OUTCOMES: Mapping[str, Mapping[str, type]] = {
    "answer": {"answer": int},
    "refused": {"refused": int, "text": str},
    "kept_for": {"kept_for": str, "bodies": dict},
    "shown": {"shown": int, "page": str, "record": str},
    "broke": {"broke": str},
}
"""What may come of a call, likewise."""


@dataclass(frozen=True, slots=True)
class KeptGame:
    """A game as it lay in the journal."""

    game_id: str
    game: str
    pinned: dict[str, Any]
    entries: tuple[Entry, ...]


@dataclass(frozen=True, slots=True)
class Header:
    """What a capture began with."""

    program: str
    at: str
    port: str
    timing: Timing
    version: int
    masked: frozenset[int]
    trouble: str | None
    game: KeptGame | None


LINK_NEWS = ("opened", "lost", "trying", "resumed")
"""What may be told of a link."""


@dataclass(frozen=True, slots=True)
class Call:
    """One call of a core: its kind and fields, and what came of it. `kept`: a game it needs."""

    kind: str
    line: Mapping[str, Any]
    came_of_it: tuple[Mapping[str, Any], ...]
    kept: KeptGame | None = None

    @property
    def ms(self) -> int:
        """When it was made, since the start."""
        return int(self.line["ms"])

    @property
    def data(self) -> bytes:
        """The bytes of a chunk."""
        return bytes.fromhex(self.line[self.kind])


class Captured:
    """A capture's header and calls. `is_whole` once all calls are read and none is missing at the end."""

    def __init__(self, file: BinaryIO, name: str) -> None:
        """Read the header. UserError "NAME:LINE: ..." here and later, where a line is damaged."""
        self.name = name
        self.is_whole = False
        self.cut_line: int | None = None
        self._file = file
        self._number = 0
        self.header = self._header()

    def __iter__(self) -> Iterator[Call]:
        call: Call | None = None
        kept: KeptGame | None = None
        last_ms = 0
        while (line := self._next()) is not None:
            kind = next((name for name in (*CALLS, *OUTCOMES, "kept", "end") if name in line), "")
            if kind in CALLS:
                if (kind == "start") is not (call is None):
                    self._refuse("a capture's calls begin with the start, and have no other")
                if call is not None:
                    yield call
                self._check(line, CALLS[kind])
                call, kept = self._call(kind, line, kept), None
                if call.ms < last_ms:
                    self._refuse(f"its time, {call.ms} ms, is before that of the line before, {last_ms} ms")
                last_ms = call.ms
            elif kind in OUTCOMES and call is not None:
                self._check(line, OUTCOMES[kind])
                call = Call(call.kind, call.line, (*call.came_of_it, line), call.kept)
            elif kind == "kept" and isinstance(line["kept"], dict):
                kept = self._game(line["kept"], line.get("entries"))
            elif kind == "end":
                self.is_whole = True
                break
            else:
                self._refuse("no line of a capture looks like this")
        if self.is_whole and self._next() is not None:
            self._refuse("it comes after the end of the capture")
        if call is not None:
            yield call

    def _header(self) -> Header:
        line = self._next()
        if line is None or "capture" not in line:
            self._number = self._number or 1
            self._refuse("this is no capture: `tablewire run --capture FILE` writes one")
        if line["capture"] != FORM:
            self._refuse(f"it is of form {quoted(line['capture'])}, and this program reads form {FORM}")
        self._check(line, {"tablewire": str, "at": str, "port": str, "timing": dict, "version": int})
        known = {field.name for field in fields(Timing)}
        timing = line["timing"]
        if not set(timing) <= known or any(type(ms) is not int for ms in timing.values()):
            self._refuse("it holds a delay of the table that this program does not know")
        masked = line.get("masked")
        if not isinstance(masked, list) or any(type(sensor) is not int for sensor in masked):
            self._refuse("its masked sensors are no list of numbers")
        trouble, game = line.get("trouble"), line.get("game")
        return Header(
            line["tablewire"],
            line["at"],
            line["port"],
            Timing(**timing),
            line["version"],
            frozenset(masked),
            None if trouble is None else str(trouble),
            None if game is None else self._game(game, line.get("entries")),
        )

    def _call(self, kind: str, line: Mapping[str, Any], kept: KeptGame | None) -> Call:
        call = Call(kind, line, (), kept)
        if kind in ("in", "out"):
            try:
                bytes.fromhex(line[kind])
            except ValueError:
                self._refuse("its bytes are not written in hexadecimal digits")
            if type(line.get("names", [])) is not list:
                self._refuse("the names of its messages are no list")
        if kind == "link" and (line["link"] not in LINK_NEWS or not _is_link_line(line)):
            self._refuse("a link is opened, or lost for a reason")
        return call

    def _game(self, line: object, count: object) -> KeptGame:
        if not isinstance(line, dict) or type(count) is not int or count < 0:
            self._refuse("it tells no game")
        self._check(line, {"game_id": str, "game": str, "pinned": dict})
        if not line["game"].isascii():
            self._refuse(f"no game is called {quoted(line['game'])}")
        entries = []
        for _ in range(count):
            following = self._next()
            if following is None:
                self._refuse("the capture is cut before the game it began with is told")
            entries.append(self._entry(following.get("entry")))
        return KeptGame(line["game_id"], line["game"], line["pinned"], tuple(entries))

    def _entry(self, told: Any) -> Entry:
        if not _is_entry(told):
            self._refuse("it is no entry of a game, and there should be one")
        kind, at_ms, body = told
        return Entry(EntryKind(kind), at_ms, body)

    def _check(self, line: Mapping[str, Any], wanted: Mapping[str, type]) -> None:
        for name, kind in wanted.items():
            value = line.get(name)
            if type(value) is not kind or (isinstance(value, int) and abs(value) > NUMBER_MAX):
                self._refuse(f"its field {name!r} is missing or of another kind")

    def _next(self) -> dict[str, Any] | None:
        """The next line; None at the end of the file, and where the last line is cut."""
        raw = self._file.readline(LINE_MAX_BYTES + 1)
        if not raw:
            return None
        self._number += 1
        try:
            if len(raw) > LINE_MAX_BYTES:
                raise ValueError
            value = load_json(raw.decode("utf-8"))
        except ValueError:
            # A program that is killed, or a full disk, leaves the last line as far as it came.
            if not raw.endswith(b"\n") and self._number > 1 and len(raw) <= LINE_MAX_BYTES:
                self.cut_line = self._number
                return None
            self._refuse("it is damaged: a line of a capture is one JSON object")
        if not isinstance(value, dict):
            self._refuse("it is damaged: a line of a capture is one JSON object")
        return value

    def _refuse(self, what: str) -> NoReturn:
        raise UserError(f"{self.name}:{self._number}: {what}")


def _is_entry(told: object) -> bool:
    match told:
        case [str() as kind, int() as at_ms, dict()] if abs(at_ms) <= NUMBER_MAX:
            return kind in [known.value for known in EntryKind]
        case _:
            return False


def open_capture(path: Path) -> BinaryIO:
    """The file of a capture. UserError when it cannot be read."""
    try:
        return path.open("rb")
    except OSError as exc:
        raise UserError(f"{one_line(path)}: cannot be read: {exc.strerror}") from exc
    except ValueError as exc:
        raise UserError(f"{one_line(path)}: cannot be read: no file can have this name") from exc


def _is_link_line(line: Mapping[str, Any]) -> bool:
    """Whether the fields of a link's call that may be left out make sense where they are there."""
    tried = line.get("tried", [])
    rows = tried if isinstance(tried, list) else [None]
    return (
        all(isinstance(line.get(key, ""), str) for key in ("reason", "kind", "text"))
        and isinstance(line.get("port"), str | None)
        and all(isinstance(row, list) and list(map(type, row)) == [str, str] for row in rows)
    )
