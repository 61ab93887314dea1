"""The modules `spidev` and `RPi.GPIO` as a public driver imports them, with the twin's readers on the bus.

Owns nothing of the chip: transfers go through as they are. Pins of a Raspberry Pi go nowhere.
"""

from __future__ import annotations

from types import ModuleType

from tests.twin.rack import Rack

TRANSFER_US = 50
"""What a transfer takes a Raspberry Pi in Python, before the first bit: less than it does."""


class SpiDev:
    """As much of spidev's class as drivers use, on a bus of the simulated readers."""

    max_speed_hz = 0

    def __init__(self, rack: Rack) -> None:
        self._rack = rack

    def open(self, bus: int, device: int) -> None:
        """There is one bus; its devices are the readers."""
        assert bus == 0
        self._rack.reader = device

    def xfer2(self, data: list[int]) -> list[int]:
        """One transfer with the reader selected all through."""
        self._rack.wait(TRANSFER_US)
        return self._rack.exchange(data)


def modules(rack: Rack) -> dict[str, ModuleType]:
    """What to put into `sys.modules`."""
    spidev, package, gpio = ModuleType("spidev"), ModuleType("RPi"), ModuleType("RPi.GPIO")
    vars(spidev)["SpiDev"] = lambda: SpiDev(rack)
    vars(gpio).update(dict.fromkeys(("BOARD", "BCM", "OUT", "IN", "PUD_UP", "FALLING"), 0))
    vars(gpio).update(dict.fromkeys(("setmode", "setup", "output", "cleanup", "add_event_detect"), _nothing))
    vars(package)["GPIO"] = gpio
    return {"spidev": spidev, "RPi": package, "RPi.GPIO": gpio}


def _nothing(*_: object, **__: object) -> None:
    """A pin that leads nowhere."""
