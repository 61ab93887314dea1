"""What was seen of this computer, its ports and its board, as values that are judged afterwards.

Owns the values alone. Must not know how anything is looked at, nor what is good or bad. Pure.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

from tablewire.link.faults import Cause, Tried
from tablewire.wire.account import Account
from tablewire.wire.messages import CalibrationRow

UsbId = tuple[int, int]
"""Vendor and product."""


@dataclass(frozen=True, slots=True)
class Holder:
    """A process that has a port open."""

    pid: int
    name: str
    is_tablewire: bool = False


@dataclass(frozen=True, slots=True)
class PortSeen:
    """A serial port.

    `is_port`: it is no other kind of thing. `is_named`: a person asked for it; `make`: what a board of
    ours is called that has this USB id. `missing_right`: why we may not use it and what to do, empty
    when we may. `modem_ignored`: whether ModemManager was told to leave it alone; None where nobody
    keeps such tags.
    """

    path: str
    is_named: bool = False
    make: str | None = None
    usb_id: UsbId | None = None
    is_there: bool = True
    is_port: bool = True
    missing_right: str = ""
    modem_ignored: bool | None = None
    holders: tuple[Holder, ...] = ()

    @property
    def matters(self) -> bool:
        """Whether a board of ours may well be there."""
        return self.is_named or self.make is not None


@dataclass(frozen=True, slots=True)
class UsbSeen:
    """A USB device of a make that boards of ours have."""

    usb_id: UsbId
    make: str
    has_port: bool


@dataclass(frozen=True, slots=True)
class PortsSeen:
    """Every serial port, and what meddles with them.

    `trouble`: why the ports could not be listed. `brltty_rules`: the file that gives each USB id to brltty.
    `rule`: where our udev rule is, "" for nowhere; `is_rule_ours`: whether it is the one of this version;
    `is_rule_off`: whether somebody has turned it off.
    """

    ports: tuple[PortSeen, ...] = ()
    usb: tuple[UsbSeen, ...] = ()
    trouble: str | None = None
    modem_manager_runs: bool = False
    has_modem_rule: bool = False
    rule: str = ""
    is_rule_ours: bool = False
    is_rule_off: bool = False
    brltty_rules: Mapping[UsbId, str] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class RadioSeen:
    """Bluetooth. `trouble`: what is wrong, in the words of who would use it; None: it can be used.

    `blocked`: "soft" by a switch in software, "hard" by one that is pressed.
    """

    trouble: str | None = None
    blocked: str | None = None


@dataclass(frozen=True, slots=True)
class PageSeen:
    """What answers where the page would be. `who`: "nobody", "tablewire", "other", or "nowhere"
    when the address is none of this computer; `text` says why.

    The rest is of a tablewire: the newest document's link, the sensors' health, and the board's account
    twice, `window_s` apart.
    """

    address: str
    who: str = "nobody"
    link_state: str = ""
    port: str = ""
    text: str | None = None
    tried: tuple[Tried, ...] = ()
    sensors: tuple[Mapping[str, object], ...] = ()
    first: Account | None = None
    last: Account | None = None
    window_s: float = 0.0


@dataclass(frozen=True, slots=True)
class BoardSeen:
    """A board that answered: what it told of itself twice, `window_s` apart, and of its sensors.

    `readings` holds every look at all sensors, in ADC counts; `rows` what the board believes of them.
    `not_told`: why readings or rows are missing. `others`: other places where a board answers.
    """

    port: str
    kind: str
    first: Account
    last: Account
    window_s: float
    readings: tuple[tuple[int, ...], ...] = ()
    rows: tuple[CalibrationRow, ...] = ()
    not_told: str | None = None
    others: tuple[Tried, ...] = ()


@dataclass(frozen=True, slots=True)
class NoBoard:
    """No board answered: why, in one line, and where else it was looked for."""

    text: str
    cause: Cause = Cause.OTHER
    tried: tuple[Tried, ...] = ()


@dataclass(frozen=True, slots=True)
class BoardLeftAlone:
    """The board was not asked, because somebody uses it."""

    why: str


Board = BoardSeen | NoBoard | BoardLeftAlone


@dataclass(frozen=True, slots=True)
class StoreSeen:
    """The data folder and the games in it.

    `trouble`: why it cannot be used, one line with what to do; `damage`: why the file cannot be read.
    `newest`: when the newest entry was written (ISO 8601), `size_bytes` of the file; both None without one.
    """

    folder: str
    is_there: bool = False
    trouble: str | None = None
    damage: str | None = None
    set_aside: tuple[str, ...] = ()
    games_count: int = 0
    newest: str | None = None
    size_bytes: int | None = None
    settings_trouble: str | None = None
    settings_count: int = 0


@dataclass(frozen=True, slots=True)
class DiskSeen:
    """The disk that the data folder is, or would be, on."""

    place: str
    free_bytes: int
    free_files_count: int | None = None
    is_read_only: bool = False


@dataclass(frozen=True, slots=True)
class ClockSeen:
    """The computer's clock. `is_synchronised`: None where nobody says."""

    now: str
    is_synchronised: bool | None = None


@dataclass(frozen=True, slots=True)
class PowerSeen:
    """The computer's own supply: whether it is too low now, and was since the start. None: untold."""

    low_now: bool | None = None
    low_before: bool | None = None


@dataclass(frozen=True, slots=True)
class PackageSeen:
    """A package that is needed: from which version on, and the one that is there."""

    name: str
    least: str
    version: str | None


@dataclass(frozen=True, slots=True)
class ProgramSeen:
    """This program: its version, Python's, and the packages it needs."""

    version: str
    python: tuple[int, int, int]
    packages: tuple[PackageSeen, ...] = ()
    is_root: bool = False
