"""The protocol's rules in Python as a board's firmware.

Owns how one Device after another lives in the table's time. Must not know commands, faults or ports.
"""

from __future__ import annotations

from collections.abc import Mapping
from random import Random

from tablewire.virtual.calibration import Eeprom
from tablewire.virtual.device import SCAN_HZ, Device
from tablewire.virtual.heart import Lights, Surroundings
from tablewire.wire.messages import Light, ResetCause


class PythonHeart:
    """A Heart without a chip. `device_start_ms` is what its clock shows at boot, to try its wrap."""

    def __init__(self, around: Surroundings, *, scan_hz: int = SCAN_HZ, device_start_ms: int = 0) -> None:
        self._around = around
        # Repeatable on purpose: a board's nonces have to differ, not to be secret.
        self._nonces = Random(f"nonce {around.seed} {around.entropy}")  # noqa: S311
        self._scan_hz = scan_hz
        self._start_ms = device_start_ms
        self._eeprom = Eeprom()
        self._booted_ms = self._now_ms = 0
        self.device = self._boot(ResetCause.POWER_ON)

    def _boot(self, cause: ResetCause) -> Device:
        self._booted_ms = self._now_ms
        return Device(
            self._nonces.randrange(1, 2**32),
            len(self._around.magnets),
            lambda sensor: self._around.magnets.reading(sensor, self._now_ms),
            self._around.emit,
            cause,
            self._scan_hz,
            self._start_ms,
            self._eeprom,
        )

    @property
    def nonce(self) -> int:
        """Of this boot."""
        return self.device.nonce

    @property
    def last_number(self) -> int:
        """The last change that happened in this boot."""
        return self.device.outbox.last_number

    def device_ms(self, now_ms: int) -> int:
        """The device's own clock."""
        return now_ms - self._booted_ms + self._start_ms

    def counters(self) -> Mapping[str, int]:
        """The counters of STATUS, by name."""
        return self.device.counters()

    def lights(self) -> Lights:
        """What the last SIGNAL asked for; it neither blinks nor fades here."""
        lit = self.device.lit
        return Lights(
            lit.players,
            lit.verdict in (Light.LEGAL, Light.HOLD),
            lit.verdict in (Light.ILLEGAL, Light.HOLD),
        )

    def reset(self, cause: ResetCause, now_ms: int) -> None:
        """Boot anew."""
        self._now_ms = now_ms
        self.device = self._boot(cause)

    def run(self, now_ms: int) -> None:
        """Scan and say what is due."""
        self._now_ms = now_ms
        self.device.run(self.device_ms(now_ms), self._around.magnets.restless(now_ms))

    def next_due_ms(self, now_ms: int) -> int | None:
        """When the device scans or says something next."""
        due_ms = self.device.next_due_ms(bool(self._around.magnets.restless(now_ms)))
        return None if due_ms is None else now_ms + due_ms - self.device_ms(now_ms)

    def receive_data(self, chunk: bytes, now_ms: int) -> None:
        """Bytes from the line; answered in no time."""
        self._now_ms = now_ms
        self.device.receive_data(chunk, self.device_ms(now_ms))
        self.device.run(self.device_ms(now_ms), frozenset())

    @property
    def backlog_bytes(self) -> int:
        """There is no line here: what comes is heard at once."""
        return 0

    def set_host_baud(self, baud: int) -> None:
        """There is no UART here, so any rate will do."""

    def close(self) -> None:
        """Nothing is held."""
