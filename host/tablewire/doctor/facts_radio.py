"""Looks at Bluetooth: whether it can be used, and whether a switch blocks it.

Owns these looks. Must not know boards, nor what is good or bad.
"""

from __future__ import annotations

from tablewire.doctor.roots import Roots, entries, read_text
from tablewire.doctor.seen import RadioSeen


def look_at_radio(roots: Roots) -> RadioSeen:
    """What is wrong with Bluetooth, if anything is."""
    from tablewire.link.ble import bluetooth_trouble

    trouble = bluetooth_trouble()
    return RadioSeen(None if trouble is None else str(trouble), blocked(roots))


def blocked(roots: Roots) -> str | None:
    """By which kind of switch every radio is blocked; None when one is free, or there is none."""
    found: list[str | None] = []
    for folder in entries(roots.sys / "class" / "rfkill"):
        if read_text(folder / "type") == "bluetooth":
            hard, soft = read_text(folder / "hard") == "1", read_text(folder / "soft") == "1"
            found.append("hard" if hard else "soft" if soft else None)
    return found[0] if found and None not in found else None
