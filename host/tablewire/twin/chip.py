"""The simulated chip as an object: requests in, answers out, in microseconds of its own time.

Owns the program `tablewire-twin` while it runs, and where it and the firmware are found. Must not know
magnets, spaces, cards, commands or faults of the line: sensors and readers are numbers here, fields are ADC
counts, tags are UIDs.
"""

from __future__ import annotations

import json
import os
import select
import subprocess
import tempfile
from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path
from types import TracebackType
from typing import IO, Any, NamedTuple, Self, cast

from tablewire.errors import BoardError, UserError, one_line
from tablewire.wire.messages import BoardKind

FOLDER_VARIABLE = "TABLEWIRE_FIRMWARE"
BUILD_FOLDER = Path(__file__).resolve().parents[3] / "firmware" / "build"
FIRMWARES = {BoardKind.CIRKIS: "tablewire.elf", BoardKind.LIGRETTO: "ligretto.elf"}
PACKAGES = "gcc-avr avr-libc binutils-avr libsimavr-dev libelf-dev"

RUN_MAX_US = 10_000_000
"""What the program lets pass in one request; longer runs are cut into several."""
RX_MAX_BYTES = 4096
ANSWER_TIMEOUT_S = 120.0
"""10 s of board time take a few seconds; a program that is silent for so long hangs."""
ANSWER_MAX_BYTES = 8 << 20
"""10 s at two million baud are 2 MB, and 4 MB in hex: more than this is no answer."""
LAST_WORDS_BYTES = 2000
QUIT_TIMEOUT_S = 10.0
CRASHED = "the firmware crashed"
NAMELESS = "the simulated chip "
"""How a complaint begins that nobody but us can have made: the program had no words."""


@dataclass(frozen=True)
class TwinFiles:
    """What it takes to run a twin: the program, and the firmware for it."""

    program: Path
    firmware: Path


class Pins(NamedTuple):
    """What the firmware's output pins drive; bit k of `players` is the LED of player k, 0 Hz is silence."""

    players: int
    green: bool
    red: bool
    tone_hz: int


def find_twin(kind: BoardKind = BoardKind.CIRKIS) -> TwinFiles:
    """Where the built program and the firmware for a board are; TABLEWIRE_FIRMWARE names another folder.

    Raises UserError that says what is missing and how to get it.
    """
    folder = Path(os.environ.get(FOLDER_VARIABLE) or BUILD_FOLDER)
    found = TwinFiles(folder / "twin" / "tablewire-twin", folder / FIRMWARES[kind])
    for file in (found.program, found.firmware):
        if not file.is_file():
            raise UserError(
                f"{one_line(file)} is not there: build it with `make -C firmware all twin` in the source "
                f"tree, which needs `apt-get install --no-install-recommends {PACKAGES}`"
            )
    return found


class Chip:
    """One simulated ATmega2560 with sensors, readers and buttons on it; time passes only in `run`.

    `eeprom` is a file that keeps the EEPROM; `seed` decides all chance (noise, open pins, RAM at power on).
    `unmended` leaves one part (uart, adc, eeprom, watchdog, spi) as the simulator has it, to show what is
    wrong with that. The same requests with the same seed give the same answers. Raises UserError for what the
    caller gave, BoardError for a firmware that crashed or a program that died.
    """

    def __init__(
        self,
        elf: Path,
        eeprom: Path | None = None,
        seed: int = 0,
        program: Path | None = None,
        unmended: str | None = None,
    ) -> None:
        self._program = program if program is not None else find_twin().program
        arguments = [str(self._program), str(elf), "--seed", str(seed)]
        if eeprom is not None:
            # Replaced as a whole when it is written: a link must not be what is replaced.
            arguments += ["--eeprom", os.path.realpath(eeprom)]
        if unmended is not None:
            arguments += ["--unmended", unmended]
        self._words: IO[bytes] = tempfile.TemporaryFile()  # noqa: SIM115 - closed with the program
        try:
            # In a session of its own, Ctrl-C in the terminal reaches us alone; it ends when its input does.
            self._running = subprocess.Popen(
                arguments,
                stdin=subprocess.PIPE,
                stdout=subprocess.PIPE,
                stderr=self._words,
                bufsize=0,
                start_new_session=True,
            )
        except OSError as error:
            self._words.close()
            raise UserError(f"{one_line(self._program)} cannot be started: {error.strerror}") from None
        self._requests = cast("IO[bytes]", self._running.stdin)
        self._answers = cast("IO[bytes]", self._running.stdout)
        self._unread = b""
        self._closed = False
        self.now_us = 0
        try:
            self.figures()  # a file that cannot be read is said here, not at the first use
        except BoardError as error:
            text = str(error)
            raise UserError(f"{one_line(elf)}: {text}" if text.startswith(NAMELESS) else text) from None

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()

    # ---- time and the line ----

    def run(self, us: int) -> list[tuple[int, bytes]]:
        """Let microseconds pass; what the UART sent meanwhile: when the last byte was out, and bytes."""
        said: list[tuple[int, bytes]] = []
        left_us = us
        while True:
            answer, data = self._ask(f"run {min(left_us, RUN_MAX_US)}")
            for line in data:
                _, at_us, text = line.split()
                said.append((int(at_us), bytes.fromhex(text)))
            self.now_us = int(answer)
            left_us -= RUN_MAX_US
            if left_us <= 0:
                return said

    def rx(self, data: bytes) -> None:
        """Bytes of the host begin to arrive now, behind those still arriving."""
        for at in range(0, len(data), RX_MAX_BYTES):
            self._ask(f"rx {data[at : at + RX_MAX_BYTES].hex()}")

    def host_baud(self, baud: int) -> int:
        """Set the host's bit rate, 0 for whatever the board uses; the board's, 0 while its UART is off."""
        return int(self._ask(f"host-baud {baud}")[0])

    # ---- the table ----

    def field(self, sensor: int, counts: int) -> None:
        """The magnetic field at a sensor, in ADC counts from its zero; north is positive."""
        self._ask(f"field {sensor} {counts}")

    def zero(self, sensor: int, counts: int) -> None:
        """What a sensor reads without a field, in ADC counts."""
        self._ask(f"zero {sensor} {counts}")

    def noise(self, counts: float) -> None:
        """Gaussian noise on every reading; its sigma in ADC counts."""
        self._ask(f"noise {counts!r}")

    def settle(self, us: float) -> None:
        """The time constant of a multiplexer's output, in microseconds."""
        self._ask(f"settle {us!r}")

    def supply(self, mv: int) -> None:
        """The supply voltage in millivolts."""
        self._ask(f"supply {mv}")

    def short(self, sensor: int) -> None:
        """A sensor's output is shorted to ground."""
        self._ask(f"short {sensor}")

    def open(self, sensor: int) -> None:
        """A sensor's output is not connected: its multiplexer keeps what it had."""
        self._ask(f"open {sensor}")

    def mend(self, sensor: int) -> None:
        """A sensor's output is connected as it should be."""
        self._ask(f"mend {sensor}")

    # ---- readers, tags, buttons ----

    def tag(self, uid: bytes, readers: Iterable[int]) -> None:
        """A tag lies in the fields of these readers, and of no others; of none: it is taken away."""
        within = ",".join(str(reader) for reader in readers)
        self._ask(f"tag {uid.hex()} {within}" if within else f"untag {uid.hex()}")

    def misread(self, reader: int, silent_percent: int, flip_percent: int) -> None:
        """How many of a reader's frames a tag does not hear, and of its answers have a wrong bit."""
        self._ask(f"misread {reader} {silent_percent} {flip_percent}")

    def doze(self, reader: int, percent: int | None) -> None:
        """How many requests a tag over this reader does not hear; None: every second."""
        self._ask(f"doze {reader} {'turn' if percent is None else percent}")

    def reader(self, reader: int, health: str) -> None:
        """A reader is `well`, `missing`, `loads`, `mute`, `deaf` or `stuck`: see the twin's README."""
        self._ask(f"reader {reader} {health}")

    def version(self, reader: int, version: int) -> None:
        """What a reader says it is."""
        self._ask(f"version {reader} {version}")

    def button(self, button: int, *, down: bool) -> None:
        """A stop button is pressed, or let go."""
        self._ask(f"button {button} {'down' if down else 'up'}")

    def radio(self, reset: bool = False) -> dict[str, Any]:
        """Counts of the readers since the start or the last `reset` of them.

        `asks` is requests (REQA, WUPA) of all readers, `ask_gap_max_us` the longest time between
        two of any one, `at_once` frames that began while another reader's exchange was under way, `bus_bytes`
        what the SPI carried.
        """
        counts: dict[str, Any] = json.loads(self._ask("readers reset" if reset else "readers")[0])
        return counts

    # ---- the chip ----

    def reset(self, cause: str = "power") -> None:
        """Reset by `power`, `external` or `brownout`."""
        self._ask(f"reset {cause}")

    def hang(self) -> None:
        """The program does nothing from now to the next reset, as in an endless loop with interrupts off."""
        self._ask("hang")

    def pins(self) -> Pins:
        """What the LEDs and the piezo are driven with now."""
        now = json.loads(self._ask("pins")[0])
        return Pins(now["players"], bool(now["green"]), bool(now["red"]), now["tone_hz"])

    def peek(self, symbol: str, count: int) -> bytes:
        """Bytes of the firmware's RAM, by symbol."""
        return bytes.fromhex(self._ask(f"peek {symbol} {count}")[0])

    def figures(self, reset: bool = False) -> dict[str, Any]:
        """Counts since the start or the last `reset` of them: now_us, irq_off_max_us, scans, rx_overruns, ...

        Cycles are of 62.5 ns. `irq_off_max_pc` is the byte address where the longest time without interrupts
        began; `stack_free` counts the RAM that still has the paint of the boot.
        """
        figures: dict[str, Any] = json.loads(self._ask("figures reset" if reset else "figures")[0])
        return figures

    def close(self) -> None:
        """Save the EEPROM's file and end the program. More than once does no harm.

        Raises BoardError when the file could not be written.
        """
        if self._closed:
            return
        try:
            if self._running.poll() is None:
                self._ask("quit")
                self._running.wait(QUIT_TIMEOUT_S)
        except subprocess.TimeoutExpired:
            pass
        finally:
            self._end()

    # ---- the pipes ----

    def _ask(self, line: str) -> tuple[str, list[str]]:
        """One request: what stands behind `ok`, and the data lines before it."""
        if self._closed:
            raise BoardError("the simulated chip has ended")
        try:
            self._write(line.encode("ascii", "replace") + b"\n")
        except OSError:
            raise self._died() from None
        data: list[str] = []
        while True:
            text = self._read_line()
            verdict, _, rest = text.partition(" ")
            if verdict == "ok":
                return rest, data
            if verdict == "error":
                raise (BoardError if rest.startswith(CRASHED) else UserError)(f"the simulated chip: {rest}")
            data.append(text)

    def _write(self, data: bytes) -> None:
        while data:
            data = data[self._requests.write(data) or 0 :]

    def _read_line(self) -> str:
        while b"\n" not in self._unread:
            ready, _, _ = select.select([self._answers], [], [], ANSWER_TIMEOUT_S)
            chunk = self._answers.read(1 << 16) if ready else b""
            if not chunk or len(self._unread) > ANSWER_MAX_BYTES:
                raise self._died()
            self._unread += chunk
        line, _, self._unread = self._unread.partition(b"\n")
        return line.decode("ascii", "replace")

    def _died(self) -> BoardError:
        """End the program if it still runs, and say its last words."""
        try:
            self._running.wait(1.0)
            how = f"ended with {self._running.returncode}"
        except subprocess.TimeoutExpired:
            how = f"did not answer for {ANSWER_TIMEOUT_S:.0f} s"
        self._words.seek(0)
        lines = self._words.read(LAST_WORDS_BYTES).decode("utf-8", "replace").strip().splitlines()
        self._end()
        return BoardError(one_line(lines[-1]) if lines else f"{NAMELESS}{how}")

    def _end(self) -> None:
        self._closed = True
        if self._running.poll() is None:
            self._running.kill()
        self._running.wait()
        for pipe in (self._requests, self._answers, self._words):
            pipe.close()
