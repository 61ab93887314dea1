"""What the computer comes to: its store, disk, clock, supply, this program, and where its page would be.

Owns these judgements and their words. Must not know how anything was looked at. Pure.
"""

from __future__ import annotations

from collections.abc import Iterator
from datetime import UTC, datetime, timedelta

from tablewire.doctor.finding import Check, Finding, note, ok, parted, skipped, trouble
from tablewire.doctor.seen import (
    ClockSeen,
    DiskSeen,
    PackageSeen,
    PageSeen,
    PowerSeen,
    ProgramSeen,
    StoreSeen,
)
from tablewire.errors import one_line

DISK_LEAST_BYTES = 16 << 20
"""Some ten evenings of changes; below it a capture, or a copy before an upgrade, may already fail."""
DISK_LOW_BYTES = 200 << 20
"""Systems begin to misbehave, and logs fill the rest."""
FILES_LEAST_COUNT = 100
"""A disk can run out of files before it runs out of bytes; a start makes five or so."""
BORN = datetime(2026, 1, 1, tzinfo=UTC)
"""No version of this program is older: a clock before it was never set."""
AHEAD_MAX = timedelta(days=1)
"""How much later than now the newest entry may be: a journey across the date line, and no more."""
PYTHON_LEAST = (3, 11)


def check_page(page: PageSeen) -> Iterator[Finding]:
    """Whether the page can be served where it is meant to be."""
    if page.who == "nobody":
        yield ok(Check.PAGE, f"{page.address} is free for the page")
    elif page.who == "tablewire":
        yield ok(Check.PAGE, f"a table is being run: http://{page.address}/")
    elif page.who == "nowhere":
        text = f"{one_line(page.address)} is no address of this computer, so the page cannot be there"
        do = "tablewire run without --listen shows it here, with --listen 0.0.0.0:8750 in the house"
        yield trouble(Check.PAGE, f"{text} ({page.text})", do)
    else:
        text = f"{page.address} is taken by another program, so the page cannot be there"
        yield trouble(Check.PAGE, text, "tablewire run --listen 127.0.0.1:0 takes a free one")


def check_store(seen: StoreSeen) -> Iterator[Finding]:
    """The games kept."""
    folder = one_line(seen.folder)
    if seen.trouble is not None:
        yield trouble(Check.STORE, *parted(seen.trouble))
    elif seen.damage is not None:
        text = f"the file of games in {folder} cannot be read: {one_line(seen.damage)}"
        yield trouble(Check.STORE, text, "put back a copy of it; otherwise the next start sets it aside")
    elif not seen.is_there:
        yield ok(Check.STORE, f"no games yet; they will be kept in {folder}")
    else:
        yield ok(Check.STORE, f"{_count(seen.games_count, 'game')} in {folder}, whole")
    if seen.set_aside:
        names = ", ".join(map(one_line, seen.set_aside[:3])) + (" ..." if len(seen.set_aside) > 3 else "")
        text = f"set aside in {folder} because it could not be read: {names}"
        yield note(
            Check.STORE, text, "what is in them may be saved by a repair; delete them when nobody misses it"
        )


def check_settings(seen: StoreSeen) -> Iterator[Finding]:
    """What is remembered beside the games."""
    if seen.settings_trouble is not None:
        do = "make that file yours, or delete it: it is only remembered where the board was"
        yield trouble(Check.SETTINGS, one_line(seen.settings_trouble), do)
    elif seen.settings_count:
        yield ok(Check.SETTINGS, "where the board was last is remembered")
    else:
        yield ok(Check.SETTINGS, "nothing is remembered yet")


def check_disk(disk: DiskSeen) -> Iterator[Finding]:
    """Room for games."""
    place, free = one_line(disk.place), f"{disk.free_bytes / (1 << 20):,.0f} MB free"
    elsewhere = "free some space, or name another folder with --data"
    if disk.is_read_only:
        do = "a disk that fails is often made read-only: sudo dmesg tells; or name another folder with --data"
        yield trouble(Check.DISK, f"the disk of {place} is read-only: no game can be kept", do)
    elif disk.free_bytes < DISK_LEAST_BYTES:
        yield trouble(Check.DISK, f"the disk of {place} is full: {free}", elsewhere)
    elif disk.free_files_count is not None and disk.free_files_count < FILES_LEAST_COUNT:
        yield trouble(Check.DISK, f"the disk of {place} can take no more files", elsewhere)
    elif disk.free_bytes < DISK_LOW_BYTES:
        yield note(Check.DISK, f"the disk of {place} is nearly full: {free}", elsewhere)
    else:
        yield ok(Check.DISK, free)


def check_clock(clock: ClockSeen, store: StoreSeen) -> Iterator[Finding]:
    """The clock that dates the games. What happens on the table goes by the board's own."""
    now, newest = _instant(clock.now), _instant(store.newest)
    do = "set it (sudo timedatectl set-ntp true, or sudo date -s); play is timed by the board all the same"
    if now is None:
        yield skipped(Check.CLOCK, "the time could not be read")
    elif now < BORN:
        yield trouble(
            Check.CLOCK, f"the clock says {now:%d %B %Y}: it is not set, so games get wrong dates", do
        )
    elif newest is not None and newest - now > AHEAD_MAX:
        text = f"the clock says {now:%d %B %Y}, but the newest game is of {newest:%d %B %Y}"
        yield trouble(Check.CLOCK, f"{text}: one of the two is wrong", do)
    elif clock.is_synchronised is False:
        text = f"{now:%d %B %Y %H:%M} UTC, but nothing keeps it right: dates of games may be wrong"
        do = "look whether it is right; sudo timedatectl set-ntp true keeps it so"
        yield note(Check.CLOCK, text, do)
    else:
        yield ok(Check.CLOCK, f"{now:%d %B %Y %H:%M} UTC")


def _instant(text: str | None) -> datetime | None:
    try:
        found = datetime.fromisoformat(text or "")
    except ValueError:
        return None
    return found if found.tzinfo is not None else found.replace(tzinfo=UTC)


def check_power(power: PowerSeen) -> Iterator[Finding]:
    """The supply of this computer, where it tells: a Raspberry Pi does."""
    do = "use the supply made for this computer and a short, thick cable; give the board a supply of its own"
    if power.low_now:
        yield trouble(
            Check.POWER, "this computer's supply is too weak now: it slows down, and ports vanish", do
        )
    elif power.low_before:
        yield note(Check.POWER, "this computer's supply was too weak since it was switched on", do)
    elif power.low_now is None:
        yield skipped(Check.POWER, "this computer does not tell of its supply")
    else:
        yield ok(Check.POWER, "this computer's supply is strong enough")


def check_program(seen: ProgramSeen) -> Iterator[Finding]:
    """This program and what it needs."""
    wrong = [package for package in seen.packages if _is_wrong(package)]
    for package in wrong:
        there = f"is {package.version}" if package.version else "is missing"
        text = f"the package {package.name} {there}; tablewire needs {package.least} or newer"
        yield trouble(
            Check.PROGRAM, text, f"pip install '{package.name}>={package.least}', where tablewire is"
        )
    python = ".".join(map(str, seen.python))
    if seen.python < PYTHON_LEAST:
        least = ".".join(map(str, PYTHON_LEAST))
        yield trouble(Check.PROGRAM, f"Python is {python}; tablewire needs {least}", "install a newer Python")
    if seen.is_root:
        text = "this runs as root: files made so cannot be used by anybody else afterwards"
        yield note(Check.PROGRAM, text, "run tablewire as yourself, without sudo")
    if not wrong and seen.python >= PYTHON_LEAST:
        packages = ", ".join(f"{package.name} {package.version}" for package in seen.packages)
        yield ok(
            Check.PROGRAM, f"tablewire {seen.version}, Python {python}{', ' if packages else ''}{packages}"
        )


def _is_wrong(package: PackageSeen) -> bool:
    return package.version is None or _numbers(package.version) < _numbers(package.least)


def _numbers(version: str) -> tuple[int, ...]:
    """The leading numbers of a version, for comparing: 3.1.0rc1 as 3.1."""
    numbers = []
    for part in version.split("."):
        if not (part.isascii() and part.isdigit()):
            break
        numbers.append(int(part))
    return tuple(numbers)


def _count(count: int, what: str) -> str:
    return f"{count} {what}{'' if count == 1 else 's'}"
