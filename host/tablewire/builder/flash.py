"""Put firmware on a board with avrdude, and ask the board afterwards which one it runs.

Owns finding the file and the program, what is said before anything is written, and one line for each failure.
Must not know how avrdude talks to the bootloader, nor what the firmware does.
"""

from __future__ import annotations

import os
import re
import selectors
import shlex
import shutil
import subprocess
import sys
import time
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from pathlib import Path
from types import MappingProxyType

from tablewire.builder.conversation import Conversation, Say
from tablewire.builder.hex_file import HexImage, parse_hex
from tablewire.errors import BoardError, UserError, one_line
from tablewire.link.serial_port import SerialLink

CHIP = "atmega2560"
BOOTLOADER_BAUD = 115_200
"""What the bootloader of an Arduino Mega listens at, whatever the firmware does."""
OLD_LIMIT_S = 3.5
"""A new board has no firmware to greet with: what is there is worth a wait for its reset, not for more."""
NEW_LIMIT_S = 8.0
"""The bootloader waits for about a second, then the firmware starts: as patient as with any reset."""
FILE_MAX_BYTES = 2_000_000
"""A full chip is 740 kB of Intel HEX."""
STARTED = b"ready to accept instructions"
"""What avrdude says once the bootloader has answered."""
READ_BYTES = 4096
END_LIMIT_S = 10.0
"""Between avrdude's last word and its end."""
BUILT: Mapping[str, Path] = MappingProxyType(
    {"cirkis": Path("firmware/build/tablewire.hex"), "ligretto": Path("firmware/build/ligretto.hex")}
)
"""What is built for each board: one with Hall sensors, and one with tag readers."""
MISSING = "avrdude is not installed: sudo apt install avrdude"

_HINTS: tuple[tuple[str, str], ...] = (
    (
        r"permission denied",
        "serial ports belong to the group dialout: sudo usermod -aG dialout $USER",
    ),
    (r"device or resource busy", "another program uses the port"),
    (r"verif|mismatch", "what was written reads back differently: try again, with a shorter cable"),
    (r"signature", "the chip at this port is not an ATmega2560"),
    (
        r"timeout|not responding|sync|no response|unable to open",
        "the bootloader does not answer",
    ),
    (r"input/output error|no such device|unable to (read|write)", "the board was unplugged"),
)
"""What avrdude says, in its many words, and what to do; the first that fits."""
_ERROR = re.compile(r"avrdude (OS )?error:")  # version 7
_COMPLAINT = re.compile(r"error|unable|timeout|cannot|can't|mismatch", re.IGNORECASE)  # the versions before
_NOISE = re.compile(r"^(avrdude( (error|warning|OS error))?:|\s*)\s*", re.IGNORECASE)


@dataclass(frozen=True, slots=True)
class FlashPlan:
    """What is about to be done."""

    port: str
    path: Path
    image: HexImage
    command: tuple[str, ...]

    def lines(self, old: str | None) -> list[str]:
        """The plan in words; `old` is the firmware that is there, if it greets."""
        return [
            f"firmware {self.path}: {self.image.size_bytes} bytes",
            f"to the {CHIP} at {self.port}, over {old or 'what is on it now'}; its calibration stays",
            f"with: {shlex.join(self.command)}",
        ]


def find_hex(given: Path | None, board: str = "cirkis") -> Path:
    """The file to write: the given one, or what `make -C firmware` builds for a board (a key of BUILT).

    UserError when there is none.
    """
    if given is not None:
        return given
    here = Path(__file__).resolve()
    for folder in (Path.cwd(), *here.parents):
        if (folder / BUILT[board]).is_file():
            return folder / BUILT[board]
    raise UserError(f"there is no {BUILT[board]}: build it with make -C firmware, or name a file with --hex")


def plan_flash(port: str, path: Path, avrdude: str | None = None) -> FlashPlan:
    """Check the file and the program. UserError when either cannot be used."""
    try:
        if path.stat().st_size > FILE_MAX_BYTES:
            raise UserError(f"{path}: too large for the firmware of an {CHIP}")
        text = path.read_text("ascii")
    except UnicodeDecodeError:
        raise UserError(f"{path}: this is no Intel HEX file (it is not text)") from None
    except OSError as exc:
        raise UserError(f"cannot read {path}: {exc.strerror or exc}") from exc
    image = parse_hex(text, str(path))
    program = shutil.which("avrdude") if avrdude is None else avrdude
    if program is None:
        raise UserError(MISSING)
    command = (program, "-p", CHIP, "-c", "wiring", "-P", port, "-b", str(BOOTLOADER_BAUD), "-D")
    return FlashPlan(port, path, image, (*command, "-U", f"flash:w:{path}:i"))


def version_at(port: str, baud: int, say: Say, limit_s: float) -> str:
    """Which firmware greets at a port. BoardError when none does."""
    with Conversation(SerialLink(port, baud), say) as board:
        return board.find(limit_s).firmware


def old_version(port: str, baud: int) -> str | None:
    """Which firmware is on the board now; None when none greets. BoardError without a port."""
    with Conversation(SerialLink(port, baud), lambda _: None) as board:
        try:
            return board.find(OLD_LIMIT_S).firmware
        except BoardError:
            return None  # a new board, another sketch, another version: all the same, it is written over


@dataclass(frozen=True, slots=True)
class Patience:
    """How long avrdude may be without success, since it goes on for minutes when nobody answers.

    `start_s` until the bootloader answers: it listens for about a second after the reset that opening the
    port brings, so a few tries of avrdude are enough. `stall_s` without a sign of progress after that:
    avrdude shows each fiftieth of a write, which takes half a second for a full chip.
    """

    start_s: float = 20.0
    stall_s: float = 15.0


def write_flash(plan: FlashPlan, patience: Patience | None = None) -> None:
    """Run avrdude. BoardError with its reason in one line when it fails."""
    patience = Patience() if patience is None else patience
    if not (Path(plan.command[0]).is_file() and os.access(plan.command[0], os.X_OK)):
        raise UserError(f"cannot run avrdude: {one_line(plan.command[0])} is no program")
    try:
        program = subprocess.Popen(
            (*_leash(), *plan.command),
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
        )
    except OSError as exc:
        raise UserError(f"cannot run avrdude: {exc.strerror or exc}") from exc
    try:
        output = _follow(program, plan.port, patience)
    except KeyboardInterrupt:
        raise BoardError(
            "stopped in the middle: the firmware on the board may not be whole, flash it again"
        ) from None
    finally:
        program.kill()
        status = program.wait()
        if program.stdout is not None:
            program.stdout.close()
    if status != 0:
        raise BoardError(failure_words(output, status))


def _leash() -> tuple[str, ...]:
    """What ends avrdude with this program, however that ends: two that write to one board leave it useless.

    setpriv is in util-linux, which every Linux has; elsewhere a flash that is killed may go on unseen.
    """
    setpriv = shutil.which("setpriv") if sys.platform == "linux" else None
    return () if setpriv is None else (setpriv, "--pdeathsig", "KILL", "--")


def _follow(program: subprocess.Popen[bytes], port: str, patience: Patience) -> str:
    """Read what avrdude says until it ends; all of it. BoardError when it gets no further."""
    if program.stdout is None:
        return ""
    output = b""
    with selectors.DefaultSelector() as selector:
        selector.register(program.stdout, selectors.EVENT_READ)
        until_s = time.monotonic() + patience.start_s
        while selector.select(max(0.0, until_s - time.monotonic())):
            more = os.read(program.stdout.fileno(), READ_BYTES)
            if not more:
                program.wait(END_LIMIT_S)
                return output.decode("utf-8", "replace")
            output += more
            if STARTED in output:
                until_s = time.monotonic() + patience.stall_s
    if STARTED in output:
        raise BoardError(
            f"the bootloader at {port} fell silent in the middle, so the firmware on the board is not whole: "
            "check the cable and flash again"
        )
    raise BoardError(
        f"no bootloader answers at {port}: is this the board's port? If so, press its reset button "
        "right after starting this again"
    )


def failure_words(output: str, status: int) -> str:
    """Why avrdude failed, in one line: its own reason, and what to do."""
    # Not every port has modem lines, and none is needed here.
    said = [line.strip() for line in output.splitlines() if line.strip() and "TIOCM" not in line]
    bad = [line for line in said if _ERROR.match(line)] or [line for line in said if _COMPLAINT.search(line)]
    for pattern, hint in _HINTS:
        fitting = [line for line in bad if re.search(pattern, line, re.IGNORECASE)]
        if fitting:
            return f"avrdude failed: {one_line(_NOISE.sub('', fitting[0]))}; {hint}"
    reason = _NOISE.sub("", (bad or said or ["it said nothing"])[-1])
    return f"avrdude failed with status {status}: {one_line(reason)}"


def flash(
    plan: FlashPlan,
    baud: int,
    say: Say,
    agree: Callable[[], bool],
    patience: Patience | None = None,
    *,
    must_greet: bool = False,
) -> bool:
    """Say what will be done, ask, do it, read the version back; False when declined. BoardError.

    `must_greet`: nobody has named this board or is asked, so what does not say that it is one is left alone.
    """
    old = old_version(plan.port, baud)
    if must_greet and old is None:
        raise UserError(
            f"what is at {plan.port} does not say that it is a board of a table: name it with --port"
        )
    for line in plan.lines(old):
        say(line)
    if not agree():
        return False
    say("writing (under a minute; leave the cable alone) ...")
    write_flash(plan, patience)
    say("written and read back; waiting for the board to greet ...")
    try:
        new = version_at(plan.port, baud, say, limit_s=NEW_LIMIT_S)
    except BoardError as exc:
        raise BoardError(f"the firmware was written, but then: {exc}") from exc
    say(f"firmware {old or '(none that greets)'} -> {new}")
    return True
