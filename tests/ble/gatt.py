"""The services of the two kinds of transparent BLE-UART module, as BlueZ shows them.

Owns UUIDs, flags, handles and path endings. Must not know D-Bus, connections or bytes.
"""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Characteristic:
    """One characteristic; `handle` gives it its path."""

    uuid: str
    handle: int
    flags: tuple[str, ...]

    @property
    def notifies(self) -> bool:
        return "notify" in self.flags

    @property
    def takes_writes(self) -> bool:
        return "write-without-response" in self.flags


@dataclass(frozen=True, slots=True)
class Flavour:
    """One kind of module. `notify_max_bytes`: it never sends more at once, whatever the MTU."""

    service_uuid: str
    service_handle: int
    characteristics: tuple[Characteristic, ...]
    notify_max_bytes: int = 512

    def service_path(self, device: str) -> str:
        """Where the service is."""
        return f"{device}/service{self.service_handle:04x}"

    def path(self, device: str, characteristic: Characteristic) -> str:
        """Where a characteristic is."""
        return f"{self.service_path(device)}/char{characteristic.handle:04x}"


def _short(number: str) -> str:
    return f"0000{number}-0000-1000-8000-00805f9b34fb"


FLAVOURS = {
    "nus": Flavour(
        "6e400001-b5a3-f393-e0a9-e50e24dcca9e",
        0x000A,
        (
            Characteristic(
                "6e400002-b5a3-f393-e0a9-e50e24dcca9e", 0x000B, ("write-without-response", "write")
            ),
            Characteristic("6e400003-b5a3-f393-e0a9-e50e24dcca9e", 0x000D, ("notify",)),
        ),
    ),
    # One characteristic for both directions; it never sends more than the smallest MTU carries.
    "hm10": Flavour(
        _short("ffe0"),
        0x0023,
        (Characteristic(_short("ffe1"), 0x0024, ("read", "write-without-response", "notify")),),
        notify_max_bytes=20,
    ),
}
