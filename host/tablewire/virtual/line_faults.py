"""What a bad line does to bytes on their way.

Owns the byte and frame faults of one direction. Must not know messages, sensors, time or ports. The same
seed and the same bytes give the same damage.
"""

from __future__ import annotations

from random import Random

from tablewire.virtual.fault_kinds import Fault, seed_of

BYTES_PER_CHUNK_OVERHEAD = 3  # an ATT notification carries MTU - 3 bytes


class Line:
    """One direction, towards `side`. What goes in is a unit (a frame, or what the host wrote at once)."""

    def __init__(self, side: str, board_seed: int) -> None:
        self._side = side
        self._board_seed = board_seed
        self._faults: dict[str, Fault] = {}
        self._random: dict[str, Random] = {}
        self._held: bytes | None = None
        self._chunks_to_cut = 0

    def turn_on(self, fault: Fault) -> None:
        """Begin a fault; its random choices start anew."""
        self._faults[fault.name] = fault
        self._random[fault.name] = self._rng(fault)
        if fault.name == "cut-chunk":
            self._chunks_to_cut = fault.whole("count")

    def turn_off(self, name: str) -> None:
        """End a fault."""
        self._faults.pop(name, None)

    def carry(self, unit: bytes) -> list[bytes]:
        """The chunks that arrive for one unit; none, or those of an earlier unit too."""
        units = self._reorder(unit)
        if self._strikes("duplicate"):
            units = [copy for one in units for copy in (one, one)]
        if self._on("mute"):
            return []
        chunks = [self._damage(self._cut(chunk)) for one in units for chunk in self._split(one)]
        return [chunk for chunk in chunks if chunk]

    def noise(self, fault: Fault) -> bytes:
        """The bytes of one burst of noise."""
        rng = self._rng(fault)
        count = fault.whole("bytes")
        match fault.settings["kind"]:
            case "nul":
                return bytes(count)
            case "nonzero":
                return bytes(rng.randrange(1, 256) for _ in range(count))
            case _:
                return rng.randbytes(count)

    def _rng(self, fault: Fault) -> Random:
        # Repeatable damage is the point; nothing secret hangs on it.
        return Random(f"{seed_of(fault, self._board_seed)} {self._side}")  # noqa: S311

    def _on(self, name: str) -> Fault | None:
        fault = self._faults.get(name)
        return fault if fault is not None and ("to" not in fault.settings or fault.hits(self._side)) else None

    def _strikes(self, name: str) -> bool:
        fault = self._on(name)
        return fault is not None and self._random[name].random() < fault.share("percent")

    def _reorder(self, unit: bytes) -> list[bytes]:
        if self._held is not None:
            units, self._held = [unit, self._held], None
            return units
        if self._strikes("reorder"):
            self._held = unit
            return []
        return [unit]

    def _split(self, unit: bytes) -> list[bytes]:
        fault = self._on("mtu")
        if fault is None:
            return [unit]
        size = fault.whole("n") - BYTES_PER_CHUNK_OVERHEAD
        return [unit[at : at + size] for at in range(0, len(unit), size)]

    def _cut(self, chunk: bytes) -> bytes:
        if self._chunks_to_cut == 0 or not chunk:
            return chunk
        self._chunks_to_cut -= 1
        return chunk[: self._random["cut-chunk"].randrange(len(chunk))]

    def _damage(self, chunk: bytes) -> bytes:
        if not any(self._on(name) for name in ("drop", "flip", "insert")):
            return chunk
        arrived = bytearray()
        for byte in chunk:
            if self._strikes("insert"):
                arrived.append(self._random["insert"].randrange(256))
            if self._strikes("drop"):
                continue
            arrived.append(byte ^ self._random["flip"].randrange(1, 256) if self._strikes("flip") else byte)
        return bytes(arrived)
