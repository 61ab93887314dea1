"""A disk after a power cut, from the log of what was written to it: every state it may be left in.

Owns the model of a disk: what an fsync of a file or of its folder makes last, and what may have become of the
rest. Must not know SQLite.

Between two fsyncs a disk may have any of the writes. Tried are: none, all, all with the last one torn, only
the last, every second, and only the sizes (zeros where the bytes should be); for each file on its own. Names
(files made, renamed, removed) last with an fsync of the folder; before that, any number of them in order may.
"""

from __future__ import annotations

import struct
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import product
from typing import NamedTuple

_ENTRY = struct.Struct("<cQQIII")

Image = dict[str, bytes]
"""A folder: name -> content."""


class Event(NamedTuple):
    """One change: c made, w written, t cut to length, s made to last, r renamed, u removed, ! told."""

    kind: str
    inode: int
    offset: int
    name: str
    second: str
    data: bytes


def read_log(raw: bytes) -> list[Event]:
    """The events of a log of the shim, in order."""
    events, at = [], 0
    while at < len(raw):
        kind, inode, offset, *lengths = _ENTRY.unpack_from(raw, at)
        at += _ENTRY.size
        parts = []
        for length in lengths:
            parts.append(raw[at : at + length])
            at += length
        name, second, data = parts
        events.append(Event(kind.decode(), inode, offset, name.decode(), second.decode(), data))
    return events


@dataclass
class _File:
    """One file, whatever it is called: what lasts, and the changes since."""

    lasting: bytes = b""
    pending: list[Event] = field(default_factory=list)

    def variants(self) -> list[bytes]:
        """What a power cut may leave of it."""
        if not self.pending:
            return [self.lasting]
        whole = _applied(self.lasting, self.pending)
        last = self.pending[-1]
        torn = last._replace(data=last.data[: len(last.data) // 2])
        sizes = self.lasting[: len(whole)] + bytes(max(0, len(whole) - len(self.lasting)))
        found = [
            self.lasting,
            whole,
            _applied(self.lasting, [*self.pending[:-1], torn]),
            _applied(self.lasting, [last]),
            _applied(self.lasting, self.pending[::2]),
            _applied(self.lasting, self.pending[1::2]),
            sizes,
        ]
        return list(dict.fromkeys(found))


def _applied(content: bytes, changes: Sequence[Event]) -> bytes:
    now = bytearray(content)
    for change in changes:
        if change.kind == "t":
            del now[change.offset :]
            now += bytes(change.offset - len(now))
        else:
            now += bytes(max(0, change.offset - len(now)))
            now[change.offset : change.offset + len(change.data)] = change.data
    return bytes(now)


class Disk:
    """The disk below one folder. `acknowledged` counts the acknowledgements so far."""

    def __init__(self, files: Mapping[str, tuple[int, bytes]], folder_inode: int) -> None:
        """Begin with these files, name -> inode and content, all of which last."""
        self.acknowledged = 0
        self._folder_inode = folder_inode
        self._by_inode = {inode: _File(content) for inode, content in files.values()}
        self._lasting_names = {name: self._by_inode[inode] for name, (inode, _) in files.items()}
        self._names = dict(self._lasting_names)
        self._pending_names: list[dict[str, _File]] = []

    def see(self, event: Event) -> None:
        """Take in the next event of the log."""
        match event.kind:
            case "!":
                self.acknowledged = int(event.name)
            case "s" if event.inode == self._folder_inode:
                self._lasting_names, self._pending_names = dict(self._names), []
            case "s":
                file = self._by_inode[event.inode]
                file.lasting, file.pending = _applied(file.lasting, file.pending), []
            case "w" | "t":
                self._by_inode[event.inode].pending.append(event)
            case "c":
                self._by_inode[event.inode] = self._names[event.name] = _File()
                self._pending_names.append(dict(self._names))
            case "r":
                self._names[event.second] = self._names.pop(event.name)
                self._pending_names.append(dict(self._names))
            case "u":
                del self._names[event.name]
                self._pending_names.append(dict(self._names))

    def running(self) -> Image:
        """The folder as the running system sees it."""
        return {name: _applied(file.lasting, file.pending) for name, file in self._names.items()}

    def after_power_cut(self, ignored: Sequence[str]) -> Iterator[Image]:
        """Every folder that a power cut now may leave. Names that end with one of `ignored` are left out."""
        for names in (self._lasting_names, *self._pending_names):
            wanted = {name: file for name, file in names.items() if not name.endswith(tuple(ignored))}
            for contents in product(*(file.variants() for file in wanted.values())):
                yield dict(zip(wanted, contents, strict=True))
