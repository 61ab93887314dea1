"""What the firmware's make builds on this computer, and the program that drives its codec."""

from __future__ import annotations

import fcntl
import shutil
import subprocess
from pathlib import Path

from tablewire.wire.frame import Drop, Frame

ROOT = Path(__file__).parents[2]
FIRMWARE = ROOT / "firmware"
BUILD = FIRMWARE / "build"


def make(*targets: str) -> str:
    """What `make -C firmware` prints; fails with its text, which names the package of a missing tool."""
    assert shutil.which("make"), "missing here: make. On Debian: sudo apt install make"
    BUILD.mkdir(exist_ok=True)
    with (BUILD / ".lock").open("w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)  # tests may run side by side, and all build in the same folder
        done = subprocess.run(
            ["make", "--no-print-directory", "-C", str(FIRMWARE), *targets],
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            text=True,
            timeout=300,
            check=False,
        )
    assert done.returncode == 0, done.stdout
    return done.stdout


class Codec:
    """The firmware's frames, debounce and outbox in a process of their own."""

    def __init__(self) -> None:
        make("build/native/codec")
        self._program = subprocess.Popen(
            [str(BUILD / "native" / "codec")], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True
        )

    def close(self) -> None:
        """End the program; it must have had nothing to complain of."""
        self._program.communicate(timeout=10)
        assert self._program.returncode == 0

    def decode(self, chunks: list[bytes]) -> tuple[list[Frame], dict[Drop, int]]:
        """The frames found in a stream cut into these chunks, and what was dropped."""
        lines = self._ask(" ".join(["decode", *(chunk.hex() or "-" for chunk in chunks)]))
        frames = []
        for line in lines[:-1]:
            word, kind, seq, ack, payload = line.split()
            assert word == "frame"
            frames.append(Frame(int(kind), int(seq), int(ack), bytes.fromhex(payload.replace("-", ""))))
        counts = map(int, lines[-1].split()[1:])
        reasons = (Drop.TOO_LONG, Drop.TOO_SHORT, Drop.BAD_COBS, Drop.BAD_CRC)
        return frames, {drop: count for drop, count in zip(reasons, counts, strict=True) if count}

    def encode(self, frame: Frame) -> bytes:
        """The bytes of a frame."""
        answer = self._ask(f"encode {frame.type} {frame.seq} {frame.ack} {frame.payload.hex() or '-'}")
        return bytes.fromhex(answer[-1].removeprefix("ok "))

    def debounce(self, readings: list[tuple[int, int]], settle_ms: int) -> list[int]:
        """The class believed after each (raw class, elapsed ms), from rest at class 0."""
        words = " ".join(f"{raw}:{elapsed_ms}" for raw, elapsed_ms in readings)
        return [int(stable) for stable in self._ask(f"debounce {settle_ms} {words}")[-1].split()[1:]]

    def outbox(self, steps: list[str]) -> list[str]:
        """What a new outbox says, going through these steps; the last word is its counters."""
        return self._ask(" ".join(["outbox", *steps]))[-1].split()[1:]

    def _ask(self, line: str) -> list[str]:
        """Give one line; the lines of the answer, the last of which is `ok ...`."""
        assert self._program.stdin is not None
        assert self._program.stdout is not None
        self._program.stdin.write(line + "\n")
        self._program.stdin.flush()
        answer = [self._program.stdout.readline().rstrip("\n")]
        while answer[-1].startswith("frame "):
            answer.append(self._program.stdout.readline().rstrip("\n"))
        assert answer[-1].startswith("ok"), answer
        return answer
