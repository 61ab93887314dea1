"""Serial ports that cannot be a board's, and why: what listing them should not lead anybody to open.

Owns these reasons. Must not know how ports are listed. Looks into /sys on Linux, opens no port.
"""

from __future__ import annotations

import re
from contextlib import suppress
from pathlib import Path

_CALLS_SOMEBODY = "Bluetooth of the classic kind; opening it would call another device"
_OF_MACOS = "a port of macOS itself"
_NO_HARDWARE = "there is no hardware behind it"
_CONSOLE = "the console of this computer is on it"
_REMOTE_CONTROL = "this computer is controlled from afar over it"

_BY_PATH: tuple[tuple[re.Pattern[str], bool, str], ...] = (
    (re.compile(r"/dev/rfcomm\d+"), False, _CALLS_SOMEBODY),
    (re.compile(r"/dev/cu\.(Bluetooth-Incoming-Port|BLTH|MALS|SOC|[\w-]*debug[\w-]*)"), False, _OF_MACOS),
    # No Mac has a serial port of its own: what is not USB is a headset or a telephone.
    (re.compile(r"/dev/cu\..*"), True, _CALLS_SOMEBODY),
)
"""Path, whether only a port without USB id is meant, and the reason."""

_BY_HARDWARE: tuple[tuple[str, str], ...] = (
    ("BTHENUM", _CALLS_SOMEBODY),  # how Windows names them
    ("Active Management Technology", _REMOTE_CONTROL),  # Intel's, as COM3 on many office computers
)

_SYS = Path("/sys")


def why_no_board(path: str, *, is_usb: bool, hardware: str = "", sys: Path = _SYS) -> str | None:
    """Why no board is behind the port; None when one may be. `hardware`: what the system says it is."""
    for pattern, only_without_usb, why in _BY_PATH:
        if pattern.fullmatch(path) and not (only_without_usb and is_usb):
            return why
    for words, why in _BY_HARDWARE:
        if words.lower() in hardware.lower():
            return why
    name = Path(path).name
    # Since Linux 6.5 all 32 ports that a computer could have are listed as if it had them (pyserial#763).
    if name.startswith("ttyS") and _line(sys / "class" / "tty" / name / "type") == "0":
        return _NO_HARDWARE
    if name in _line(sys / "class" / "tty" / "console" / "active").split():
        return _CONSOLE
    return None


def _line(file: Path) -> str:
    with suppress(OSError, ValueError):
        return file.read_text("utf-8").strip()
    return ""
