"""The board that is played on: for how long only it is waited for after a loss, and where it may come back.

Owns that window, and what makes a port likely to be the same board. Must not know how it is asked. Pure: time
is an argument.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from tablewire.link.places import Place
from tablewire.link.ports import SerialPort, in_order


@dataclass(slots=True)
class Home:
    """`listed` are the ports that were there when the board was found, so those are other things' ports."""

    place: Place
    listed: frozenset[str]
    window_s: float
    _until_s: float | None = None

    def is_waited_for(self, now_s: float) -> bool:
        """Whether only this board is waited for: from the first question after the loss, for a while."""
        if self._until_s is None:
            self._until_s = now_s + self.window_s
        return now_s < self._until_s

    def may_be_at(self, ports: Sequence[SerialPort]) -> list[SerialPort]:
        """Where it may be now. Its port may have another number, and many a bridge has no serial number."""
        board = self.place.board
        if board.kind != "serial":
            return []
        same = list(in_order(ports, board)[0])
        if same or board.usb_id is None or board.serial_number is not None:
            return same
        return [port for port in self._new(ports) if port.usb_id == board.usb_id]

    def came_since(self, ports: Sequence[SerialPort]) -> list[SerialPort]:
        """Of a board by radio: the ports that came since it was found, for it may be on that cable now.

        They are asked when the radio has had its time; what comes after the loss at once.
        """
        return [port for port in ports if self.place.board.kind == "ble" and port.path not in self.listed]

    def _new(self, ports: Iterable[SerialPort]) -> Iterable[SerialPort]:
        return (port for port in ports if port.path not in self.listed and port.serial_number is None)
