"""What SQLite could not read of a write-ahead log, found out from a copy taken before it tried.

Owns the log's layout (sqlite.org/fileformat2.html, section 4). Must not change the database or its log, nor
know what an entry means.
"""

from __future__ import annotations

import os
import struct
from collections.abc import Iterator
from datetime import datetime
from pathlib import Path
from typing import NamedTuple

from tablewire.errors import one_line
from tablewire.store.damage import aside_name
from tablewire.store.faults import store_error

_HEADER = struct.Struct(">8xI4x8s8x")  # page size, salts (section 4.1)
_FRAME = struct.Struct(">II8s8x")  # page number, pages after a commit or 0, salts

MAX_WAL_BYTES = 64 * 1024 * 1024
"""SQLite empties its log every 4 MB while one process owns the file; a larger one is read no further."""


class _Frame(NamedTuple):
    page_number: int
    is_commit: bool
    salts: bytes
    page: bytes


class WalWitness:
    """A copy of the write-ahead log from before SQLite replays it, to tell afterwards what it could not read.

    SQLite stops at the first frame whose checksum fails and later writes over the rest. A power cut tears at
    most the one transaction that was being written, which nobody was told is safe; more than that is damage.
    """

    def __init__(self, path: Path) -> None:
        """Read the log of the database at `path`; a missing or empty one is an empty witness."""
        wal = Path(f"{path}-wal")
        try:
            with wal.open("rb") as file:
                self._bytes = file.read(MAX_WAL_BYTES)
            # Here and not later: to close any handle of a file takes away the locks that SQLite has on it.
            self._says_more = not self._header_is_whole() and self._says_more_than(path.read_bytes())
        except FileNotFoundError:
            self._bytes, self._says_more = b"", False
        except OSError as exc:
            raise store_error("read", wal, exc) from exc
        self._wal = wal

    def unread(self, frames_read_count: int) -> bool:
        """Whether the log held more finished transactions than a power cut alone can explain."""
        if not self._header_is_whole():
            return self._says_more
        page_bytes, salts = _HEADER.unpack_from(self._bytes)
        unread = list(self._frames(page_bytes))[frames_read_count:]
        finished = [frame for frame in unread if frame.is_commit and frame.salts == salts]
        return len(finished) > 1

    def keep(self, at: datetime) -> str:
        """Write the copy beside the database; the line that tells a person so."""
        target = aside_name(self._wal, at)
        try:
            with target.open("xb") as file:
                file.write(self._bytes)
                os.fsync(file.fileno())
        except OSError as exc:
            raise store_error("keep a copy of", self._wal, exc) from exc
        return (
            f"{one_line(self._wal)} could not be read to its end; the last moments may be missing, "
            f"and it was kept as {target.name}"
        )

    def _header_is_whole(self) -> bool:
        """Whether the log's 32-byte header has its magic number and checksum (section 4.2)."""
        log = self._bytes
        order = {b"\x37\x7f\x06\x82": "<", b"\x37\x7f\x06\x83": ">"}.get(log[:4])
        if order is None or len(log) < _HEADER.size:
            return False
        first = second = 0
        for one, two in struct.iter_unpack(f"{order}II", log[:24]):
            first = (first + one + second) & 0xFFFFFFFF
            second = (second + two + first) & 0xFFFFFFFF
        kept: tuple[int, int] = struct.unpack_from(">II", log, 24)
        return bool((first, second) == kept)

    def _frames(self, page_bytes: int) -> Iterator[_Frame]:
        step = _FRAME.size + page_bytes
        for offset in range(_HEADER.size, len(self._bytes) - step + 1, step):
            page_number, pages_after, salts = _FRAME.unpack_from(self._bytes, offset)
            page = self._bytes[offset + _FRAME.size : offset + step]
            yield _Frame(page_number, pages_after != 0, salts, page)

    def _says_more_than(self, database: bytes) -> bool:
        """Whether a finished transaction of a log without a whole header is missing in the database.

        A log is begun anew, from its header on, only when all of it is in the database already: a power cut
        in the middle of that takes nothing away.
        """
        (size,) = struct.unpack_from(">H", database.ljust(18, b"\0"), 16)
        page_bytes = 65_536 if size == 1 else size
        if page_bytes < 512:
            return len(self._bytes) > _HEADER.size
        pages: dict[int, bytes] = {}
        finished: dict[int, bytes] = {}
        salts = None
        for frame in self._frames(page_bytes):
            salts = salts or frame.salts
            if frame.salts != salts:
                break
            pages[frame.page_number] = frame.page
            if frame.is_commit:
                finished = dict(pages)
        return any(
            database[(number - 1) * page_bytes : number * page_bytes] != page
            for number, page in finished.items()
        )
