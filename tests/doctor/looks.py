"""What the doctor's tests share: a computer laid out in a folder, and the findings of one check.

Owns the lay-out of /proc, /sys, /run and udev's rules as real computers have them. Must not know any
judgement.
"""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Iterable
from pathlib import Path

from tablewire.doctor.examination import Limits, Wanted
from tablewire.doctor.finding import Check, Finding, Level
from tablewire.doctor.roots import Roots
from tablewire.link.address import Address, AnyBoard
from tablewire.link.finding import Limits as SearchLimits

CH340 = (0x1A86, 0x7523)
FREE_PORT = 1
"""Nobody listens at it: only root may, and nothing does."""

PATIENT = Limits(look_s=60.0, board_s=60.0, search=SearchLimits(scan_s=0.5))
"""For a computer that is busy with other things; what is to be heard by radio is there from the beginning."""

HOLD = """
import fcntl, os, sys
port = os.open(sys.argv[1], os.O_RDWR | os.O_NOCTTY)
if sys.argv[2:] == ["lock"]:
    fcntl.flock(port, fcntl.LOCK_EX)
print("held", flush=True)
sys.stdin.read()
"""
"""A program that has a port open until its input ends."""


class Computer:
    """The folders of a computer, empty at first."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.roots = Roots(
            proc=folder / "proc",
            sys=folder / "sys",
            run=folder / "run",
            rules=(folder / "etc/udev/rules.d", folder / "usr/lib/udev/rules.d"),
        )
        self.roots.proc.mkdir(parents=True)

    def write(self, path: str, text: str) -> Path:
        """A file, with the folders above it."""
        file = self.folder / path
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text(text)
        return file

    def run(self, pid: int, name: str) -> None:
        """A program that runs."""
        self.write(f"proc/{pid}/comm", f"{name}\n")

    def plug(self, socket: str, usb_id: tuple[int, int], tty: str | None) -> None:
        """A USB device, with the port that the kernel made of it."""
        device = f"sys/devices/pci0000:00/0000:00:14.0/usb1/{socket}"
        self.write(f"{device}/idVendor", f"{usb_id[0]:04x}\n")
        self.write(f"{device}/idProduct", f"{usb_id[1]:04x}\n")
        self.write(f"{device}/dev", "189:4\n")
        self.link(f"sys/bus/usb/devices/{socket}", device)
        if tty is None:
            return
        interface = f"{device}/{socket}:1.0"
        near = f"{interface}/tty" if tty.startswith("ttyACM") else f"{interface}/{tty}/tty"
        self.write(f"{near}/{tty}/dev", "166:0\n" if tty.startswith("ttyACM") else "188:0\n")
        self.link(f"{near}/{tty}/device", interface if tty.startswith("ttyACM") else f"{interface}/{tty}")
        self.link(f"sys/class/tty/{tty}", f"{near}/{tty}")

    def link(self, path: str, target: str) -> None:
        """A symbolic link to another place of this computer."""
        link = self.folder / path
        link.parent.mkdir(parents=True, exist_ok=True)
        link.symlink_to(self.folder / target)

    def tag(self, number: str, *tags: str) -> None:
        """What udev notes of a device: its major and minor number, and tags."""
        lines = ["I:1234567", "E:ID_BUS=usb", *(f"E:{tag}" for tag in tags), "G:systemd", ""]
        self.write(f"run/udev/data/c{number}", "\n".join(lines))


def wanted(folder: Path, address: Address | None = None, port: int = FREE_PORT) -> Wanted:
    """An examination of whatever is there."""
    return Wanted(address or AnyBoard(), 500_000, folder, "127.0.0.1", port)


def only(findings: Iterable[Finding], check: Check) -> Finding:
    """The one finding of a check."""
    found = [finding for finding in findings if finding.check is check]
    assert len(found) == 1, found
    return found[0]


def troubles(findings: Iterable[Finding]) -> list[Finding]:
    """What has to be put right."""
    return [finding for finding in findings if finding.level is Level.TROUBLE]


def hold(path: Path | str, *how: str) -> subprocess.Popen[str]:
    """Another program that has the port open; with "lock" it has locked it too. See `let_go`."""
    command = [sys.executable, "-c", HOLD, str(path), *how]
    process = subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)
    assert process.stdout is not None
    assert process.stdout.readline() == "held\n"
    return process


def let_go(process: subprocess.Popen[str]) -> None:
    """End it."""
    process.communicate(timeout=60)
