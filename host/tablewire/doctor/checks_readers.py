"""What the tag readers of a board come to, by what it tells of them in its heartbeat.

Owns these judgements and their words. Must not know how anything was asked, nor what a tag stands for. Pure.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from tablewire.doctor.finding import Check, Finding, note, ok, trouble
from tablewire.wire.account import Account
from tablewire.wire.messages import ReaderState

CHIPS = {0x91: "MFRC522 1.0", 0x92: "MFRC522 2.0", 0x88: "FM17522", 0x12: "a clone of it"}
"""By the version register: NXP's data sheet has the first two, those who bought others have read the rest."""
NXP = frozenset({0x91, 0x92})
"""Whose self-test has results in the data sheet: one that fails it is broken, or no such chip."""
SILENT = frozenset({0x00, 0xFF})
"""What the lines say by themselves where no chip answers."""
LOST_COUNT = 3
"""So many tags missed and back in the seconds of one look are no card that was touched."""
COUNTER_SPAN = 1 << 16
"""The board's counters wrap."""
NAMED_MAX = 6
"""Pads in one line; how many more there are is said."""

ITS_WIRES = "look at its 3.3 V, its select wire and its MISO wire: hardware/README.md"
ALL_WIRES = (
    "look at the readers' 3.3 V, the reset line, SCK, MOSI and MISO, and the decoder of the select wires"
)


def has_readers(account: Account) -> bool:
    """Whether the board has readers, not sensors."""
    return account.sensor_count == 0 and bool(account.readers)


def judge_readers(first: Account, last: Account) -> Iterator[Finding]:
    """Which readers cannot be believed; `first` is some seconds older than `last`."""
    found = [*_silent(last), *_strange(last), *_begun_anew(last), *_missed(first, last)]
    yield from found
    if not found:
        chips = sorted({CHIPS[version] for version, _ in last.readers})
        yield ok(Check.SENSORS, f"all {len(last.readers)} readers answer ({', '.join(chips)})")


def _silent(account: Account) -> Iterator[Finding]:
    gone = [pad for pad, (version, state) in enumerate(account.readers) if not _answers(version, state)]
    if len(gone) == len(account.readers):
        yield trouble(Check.SENSORS, "no reader answers", ALL_WIRES)
    elif gone:
        yield trouble(Check.SENSORS, f"{_pads(gone)}: the reader does not answer", ITS_WIRES)


def _answers(version: int, state: int) -> bool:
    return bool(state & ReaderState.SEEN) and version not in SILENT


def _strange(account: Account) -> Iterator[Finding]:
    """Readers that answer, but are not what they should be."""
    rows = [(pad, v, state) for pad, (v, state) in enumerate(account.readers) if _answers(v, state)]
    unknown = [pad for pad, version, _ in rows if version not in CHIPS]
    if unknown:
        text = (
            f"{_pads(unknown)}: a chip that is not known here (its version is {_versions(account, unknown)})"
        )
        yield note(Check.SENSORS, text, "if cards are read there, it is good enough")
    failed = [
        (pad, version)
        for pad, version, state in rows
        if state & ReaderState.TESTED and not state & ReaderState.WELL
    ]
    broken = [pad for pad, version in failed if version in NXP]
    if broken:
        yield trouble(Check.SENSORS, f"{_pads(broken)}: the reader fails its own test", "put another one in")
    clones = [pad for pad, version in failed if version not in NXP]
    if clones:
        text = f"{_pads(clones)}: the reader fails its own test, as some clones do"
        yield note(Check.SENSORS, text, "if cards are read there, it is good enough")


def _begun_anew(account: Account) -> Iterator[Finding]:
    deaf = [
        p
        for p, (version, state) in enumerate(account.readers)
        if state & ReaderState.DEAF and _answers(version, state)
    ]
    if deaf:
        text = (
            f"{_pads(deaf)}: the reader stopped answering since the board was switched on, and was begun anew"
        )
        yield note(Check.SENSORS, text, "if it comes again, look at its supply: a capacitor near the reader")


def _missed(first: Account, last: Account) -> Iterator[Finding]:
    count = (last.status.get("flicker_count", 0) - first.status.get("flicker_count", 0)) % COUNTER_SPAN
    pad = last.status.get("flicker_sensor", len(last.readers))
    if count >= LOST_COUNT and pad < len(last.readers):
        text = f"a card that lies still is missed and found again, {count} times, the last on pad {pad}"
        yield trouble(Check.SENSORS, text, "lay it flat, and look how far the antenna is from the card")


def _versions(account: Account, pads: Iterable[int]) -> str:
    return ", ".join(sorted({f"0x{account.readers[pad][0]:02X}" for pad in pads}))


def _pads(pads: list[int]) -> str:
    more = len(pads) - NAMED_MAX
    named = ", ".join(map(str, pads[:NAMED_MAX]))
    return f"pad{'' if len(pads) == 1 else 's'} {named}{f' and {more} more' if more > 0 else ''}"
