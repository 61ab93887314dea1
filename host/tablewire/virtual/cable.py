"""The cable between a simulated board and its host: the plug, deafness, and every fault of the line.

Owns what becomes of bytes on their way, in both directions, and what waits for the host to read it. Must not
know commands, magnets, firmware or ports; the table's time in milliseconds is an argument.
"""

from __future__ import annotations

from tablewire.virtual.fault_kinds import BOARD, HOST, Fault
from tablewire.virtual.line_faults import Line
from tablewire.virtual.stale import StaleSnapshots

UNREAD_MAX_BYTES = 1 << 20  # a UART without a reader loses bytes; this holds the longest burst of noise


class Cable:
    """The cable. `plugged` says whether it is in, `dead` whether there is no power at the board's end.

    `faults` are those that are on, by name; `pulled_count` is how often it was pulled out.
    """

    def __init__(self, seed: int) -> None:
        self.plugged = True
        self.pulled_count = 0
        self.dead = False
        self.faults: dict[str, Fault] = {}
        self._to_host = Line(HOST, seed)
        self._to_board = Line(BOARD, seed)
        self._stale = StaleSnapshots()
        self._unread: list[bytes] = []
        self._unread_bytes = 0
        self._deaf_until_ms = 0
        self._cut_after_bytes: int | None = None
        self._plug_at_ms: int | None = None

    # ---- plug and time ----

    def plug(self) -> None:
        """Put it in."""
        self.plugged = True
        self._plug_at_ms = None

    def unplug(self, for_ms: int | None, now_ms: int) -> None:
        """Pull it out; back after so long, or never by itself."""
        self.pulled_count += self.plugged
        self.plugged = False
        self._plug_at_ms = None if for_ms is None else now_ms + for_ms
        self._cut_after_bytes = None

    def settle(self, now_ms: int) -> None:
        """Do what is due."""
        if self._plug_at_ms is not None and now_ms >= self._plug_at_ms:
            self.plug()

    def next_due_ms(self, now_ms: int) -> int | None:
        """When something becomes of it by itself."""
        due = (self._plug_at_ms, self._deaf_until_ms)
        return min((ms for ms in due if ms is not None and ms > now_ms), default=None)

    def deafen(self, until_ms: int) -> None:
        """Nothing is heard or said until then."""
        self._deaf_until_ms = until_ms

    # ---- faults ----

    def turn_on(self, fault: Fault, now_ms: int) -> None:
        """Begin a fault."""
        match fault.name:
            case "deaf":
                self.deafen(now_ms + fault.whole("ms"))
                return  # ends by itself
            case "stale-snapshot":
                self._stale.turn_on(fault.whole("count"))
                return  # so does this
            case "noise":
                if fault.hits(HOST):
                    self._put(self._to_host.noise(fault), now_ms)
                return  # over as soon as it has come
        self.faults[fault.name] = fault
        match fault.name:
            case "cut":
                self._cut_after_bytes = fault.whole("after")
                self._put(b"", now_ms)
                return
            case "boot-text":
                self.say_boot_text(now_ms)
        self._to_host.turn_on(fault)
        self._to_board.turn_on(fault)

    def turn_off(self, name: str, now_ms: int) -> None:
        """End a fault."""
        self.faults.pop(name, None)
        self._to_host.turn_off(name)
        self._to_board.turn_off(name)
        match name:
            case "deaf":
                self.deafen(now_ms)
            case "cut":
                self._cut_after_bytes = None
            case "stale-snapshot":
                self._stale.turn_off()

    def noise_to_board(self, fault: Fault) -> bytes:
        """The bytes of a burst of noise that reach the board."""
        return self._to_board.noise(fault) if fault.hits(BOARD) else b""

    # ---- bytes ----

    def say_boot_text(self, now_ms: int) -> None:
        """What a boot loader prints, if it prints."""
        fault = self.faults.get("boot-text")
        if fault is not None:
            self._put(str(fault.settings["text"]).encode(), now_ms)

    def to_board(self, chunk: bytes, now_ms: int) -> list[bytes]:
        """The chunks that arrive of what the host wrote."""
        if not self.plugged or self.dead or now_ms < self._deaf_until_ms:
            return []
        return self._to_board.carry(chunk)

    def to_host(self, unit: bytes, now_ms: int) -> None:
        """A frame, or whatever left the board at once."""
        if self.dead or now_ms < self._deaf_until_ms:
            return
        for chunk in self._to_host.carry(self._stale.carry(unit)):
            self._put(chunk, now_ms)

    def chunks_to_send(self) -> list[bytes]:
        """What the host can read now, in the chunks in which it left."""
        chunks, self._unread, self._unread_bytes = self._unread, [], 0
        return chunks

    def _put(self, chunk: bytes, now_ms: int) -> None:
        if not self.plugged:
            return
        cut_after = self._cut_after_bytes
        if cut_after is not None:
            chunk = chunk[:cut_after]
            self._cut_after_bytes = cut_after - len(chunk)
        if chunk and self._unread_bytes + len(chunk) <= UNREAD_MAX_BYTES:
            self._unread.append(chunk)
            self._unread_bytes += len(chunk)
        if self._cut_after_bytes == 0:
            self.unplug(self.faults.pop("cut").whole("ms"), now_ms)
