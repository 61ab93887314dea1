"""What a session can tell of its board and of the line to it, as one value for who judges or shows that.

Owns the value and its form as JSON. Must not know what is good or bad, ports or clocks. Pure.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import asdict, dataclass, fields
from typing import Any

from tablewire.wire.messages import Status
from tablewire.wire.session import HostSession

FIRMWARE_CHARS_MAX = 64
"""HELLO has room for 8; what is longer is no version of a board."""
COUNTERS_MAX = 64
"""More kinds of trouble than both ends count: what a program of another version may add, and no more."""


@dataclass(frozen=True, slots=True)
class Account:
    """A board that has greeted, and its line.

    `status` are the numbers of its newest STATUS by name, empty before the first, `readers` the version and
    state of each tag reader in it; `dropped` why frames were
    dropped here, `counts` what else the session counts, both by their words. All but `status` only rise.
    """

    firmware: str
    minor: int
    sensor_count: int
    reset_cause: int
    nonce: int
    status: Mapping[str, int]
    dropped: Mapping[str, int]
    counts: Mapping[str, int]
    readers: tuple[tuple[int, int], ...] = ()

    def to_json(self) -> dict[str, Any]:
        """As it stands in /api/health."""
        return asdict(self)


def account_of(session: HostSession) -> Account | None:
    """The account of a session; None before its board has greeted."""
    hello = session.hello
    if hello is None:
        return None
    return Account(
        firmware=hello.firmware,
        minor=hello.minor,
        sensor_count=hello.sensor_count,
        reset_cause=hello.reset_cause,
        nonce=hello.nonce,
        status={} if session.status is None else _numbers_of(session.status),
        dropped={why.value: count for why, count in session.decoder.drops.items()},
        counts={what.value: count for what, count in session.counts.items()},
        readers=()
        if session.status is None
        else tuple((row.version, row.state) for row in session.status.readers),
    )


def _numbers_of(status: Status) -> dict[str, int]:
    return {field.name: getattr(status, field.name) for field in fields(status) if field.name != "readers"}


def read_account(told: object) -> Account:
    """The account in what was read as JSON. ValueError when it is none."""
    if not isinstance(told, dict):
        raise ValueError("no account of a board")
    numbers = {name: told.get(name) for name in ("minor", "sensor_count", "reset_cause", "nonce")}
    tables = {name: told.get(name) for name in ("status", "dropped", "counts")}
    firmware = told.get("firmware")
    if not isinstance(firmware, str) or len(firmware) > FIRMWARE_CHARS_MAX:
        raise ValueError("no account of a board")
    if not all(_is_number(number) for number in numbers.values()):
        raise ValueError("no account of a board")
    if not all(_is_table(table) for table in tables.values()):
        raise ValueError("no account of a line")
    readers = _readers_in(told.get("readers", []))
    return Account(firmware=firmware, readers=readers, **numbers, **tables)  # type: ignore[arg-type]  # looked at


def _readers_in(told: object) -> tuple[tuple[int, int], ...]:
    if not isinstance(told, list | tuple) or len(told) > Status.READERS_MAX:
        raise ValueError("no account of readers")
    if not all(isinstance(row, list | tuple) and len(row) == 2 and all(map(_is_number, row)) for row in told):
        raise ValueError("no account of a reader")
    return tuple((version, state) for version, state in told)


def _is_number(value: object) -> bool:
    return isinstance(value, int) and not isinstance(value, bool)


def _is_table(value: object) -> bool:
    return isinstance(value, dict) and len(value) <= COUNTERS_MAX and all(map(_is_number, value.values()))
