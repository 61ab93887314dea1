"""The protocol's rules in Python as a board's firmware.

Owns how one firmware after another lives in the table's time. Must not know commands, faults or ports.
"""

from __future__ import annotations

from collections.abc import Mapping
from random import Random
from typing import Protocol

from tablewire.virtual.calibration import Eeprom
from tablewire.virtual.device import SCAN_HZ, Device
from tablewire.virtual.firmware import Boot, Firmware
from tablewire.virtual.heart import Lights, Surroundings
from tablewire.virtual.magnets import Magnets
from tablewire.virtual.pads import Pads
from tablewire.virtual.tag_device import TagDevice
from tablewire.wire.messages import BoardKind, Light, ResetCause


class _Life(Protocol):
    """One boot at its table."""

    @property
    def device(self) -> Firmware:
        """What beats in it."""
        ...

    def run(self, now_ms: int, device_ms: int) -> None:
        """Sense, and say what is due."""
        ...

    def hear(self, chunk: bytes, now_ms: int, device_ms: int) -> None:
        """Take bytes from the line, and say what is due."""
        ...

    def next_due_ms(self, now_ms: int) -> int | None:
        """When it must run next, by the device's clock."""
        ...


class _AtMagnets:
    """A boot of a board with sensors."""

    def __init__(self, boot: Boot, magnets: Magnets, scan_hz: int, now_ms: int) -> None:
        self._magnets = magnets
        self._now_ms = now_ms
        self.device = Device(
            boot.nonce,
            len(magnets),
            lambda sensor: magnets.reading(sensor, self._now_ms),
            boot.emit,
            boot.reset_cause,
            scan_hz,
            boot.start_ms,
            boot.eeprom,
        )

    def run(self, now_ms: int, device_ms: int) -> None:
        self._now_ms = now_ms
        self.device.run(device_ms, self._magnets.restless(now_ms))

    def hear(self, chunk: bytes, now_ms: int, device_ms: int) -> None:
        self._now_ms = now_ms
        self.device.receive_data(chunk, device_ms)
        self.device.run(device_ms, frozenset())

    def next_due_ms(self, now_ms: int) -> int | None:
        return self.device.next_due_ms(bool(self._magnets.restless(now_ms)))


class _AtPads:
    """A boot of a board with readers."""

    def __init__(self, boot: Boot, pads: Pads) -> None:
        pads.lose_power()
        self.device = TagDevice(boot, pads)

    def run(self, now_ms: int, device_ms: int) -> None:
        del now_ms
        self.device.run(device_ms)

    def hear(self, chunk: bytes, now_ms: int, device_ms: int) -> None:
        del now_ms
        self.device.receive_data(chunk, device_ms)
        self.device.run(device_ms)

    def next_due_ms(self, now_ms: int) -> int | None:
        del now_ms  # tags change only when somebody moves them
        return self.device.next_due_ms()


class PythonHeart:
    """A Heart without a chip. `device_start_ms` is what its clock shows at boot, to try its wrap."""

    def __init__(self, around: Surroundings, *, scan_hz: int = SCAN_HZ, device_start_ms: int = 0) -> None:
        self._around = around
        # Repeatable on purpose: a board's nonces have to differ, not to be secret.
        self._nonces = Random(f"nonce {around.seed} {around.entropy}")  # noqa: S311
        self._scan_hz = scan_hz
        self._start_ms = device_start_ms
        self._eeprom = Eeprom()
        self._booted_ms = 0
        self._life = self._boot(ResetCause.POWER_ON, 0)

    def _boot(self, cause: ResetCause, now_ms: int) -> _Life:
        self._booted_ms = now_ms
        around = self._around
        nonce = self._nonces.randrange(1, 2**32)
        boot = Boot(nonce, around.emit, cause, self._start_ms, self._eeprom)
        if around.kind is BoardKind.LIGRETTO:
            return _AtPads(boot, around.pads)
        return _AtMagnets(boot, around.magnets, self._scan_hz, now_ms)

    @property
    def device(self) -> Firmware:
        """What beats now."""
        return self._life.device

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
        self._life = self._boot(cause, now_ms)

    def run(self, now_ms: int) -> None:
        """Look at what lies there, and say what is due."""
        self._life.run(now_ms, self.device_ms(now_ms))

    def next_due_ms(self, now_ms: int) -> int | None:
        """When the device looks or says something next."""
        due_ms = self._life.next_due_ms(now_ms)
        return None if due_ms is None else now_ms + due_ms - self.device_ms(now_ms)

    def receive_data(self, chunk: bytes, now_ms: int) -> None:
        """Bytes from the line; answered in no time."""
        self._life.hear(chunk, now_ms, self.device_ms(now_ms))

    @property
    def backlog_bytes(self) -> int:
        """There is no line here: what comes is heard at once."""
        return 0

    def set_host_baud(self, baud: int) -> None:
        """There is no UART here, so any rate will do."""

    def close(self) -> None:
        """Nothing is held."""
