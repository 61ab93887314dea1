"""Whether a board of ours is at the other end: HELLO until it is answered, and nothing else.

Owns what is sent to a stranger, and what an answer says of who sent it. Must not know ports, threads or
clocks, nor the session that follows. A stranger, be it a printer or a GPS, gets HELLO frames only.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from tablewire.wire.frame import Decoder, Sender
from tablewire.wire.messages import BOARD_PARSERS, MAJOR, MINOR, BoardKind, Hello, HostHello, PayloadError
from tablewire.wire.session_values import refusal

REPEAT_MS = 200
"""As the session asks: opening a port resets many boards, which are then deaf for up to 2 s."""

KIND_NAMES: Mapping[int, str] = {BoardKind.CIRKIS: "Cir*Kis", BoardKind.LIGRETTO: "Ligretto"}


@dataclass(frozen=True, slots=True)
class Greeted:
    """A board has answered. `words`: who it is, or, where it cannot be used, why not and what to do.

    `firmware` and `board_kind` are empty where another version's greeting cannot be read.
    """

    is_usable: bool
    words: str
    firmware: str
    board_kind: str


class Greeting:
    """Greets one stranger over one opening of a link. `silence` says what came in place of an answer."""

    def __init__(self) -> None:
        self._decoder = Decoder()
        self._sender = Sender()
        self._due_ms: int | None = None
        self._heard_bytes = self._frames_count = 0

    def data_to_send(self, now_ms: int) -> bytes:
        """The bytes to write now: a HELLO every REPEAT_MS, nothing in between."""
        if self._due_ms is not None and now_ms < self._due_ms:
            return b""
        self._due_ms = now_ms + REPEAT_MS
        return self._sender.encode(HostHello.TYPE, HostHello(MAJOR, MINOR).encode())

    def receive_data(self, chunk: bytes, now_ms: int) -> Greeted | None:
        """Who has answered, once somebody has. Nothing in the chunk raises."""
        del now_ms
        self._heard_bytes += len(chunk)
        for frame in self._decoder.receive_data(chunk):
            self._sender.heard(frame)
            # A modem says after us what we said: only what a board says counts.
            self._frames_count += frame.type in BOARD_PARSERS
            if frame.type != Hello.TYPE or not frame.payload:
                continue
            # The version comes first in every HELLO there will ever be; the rest of a foreign one is
            # unreadable.
            if frame.payload[0] != MAJOR:
                return Greeted(False, refusal(frame.payload[0]), "", "")
            try:
                return _greeted(Hello.parse(frame.payload))
            except PayloadError:
                continue
        return None

    @property
    def silence(self) -> str:
        """Why nobody is believed to be there, in words that are the same the next time."""
        if not self._heard_bytes:
            return "no board answers there"
        if self._frames_count:
            return "a board speaks there, but does not answer a greeting: switch it off and on"
        return "what speaks there is no tablewire board, or speaks at another speed (--baud)"


def _greeted(hello: Hello) -> Greeted:
    name = KIND_NAMES.get(hello.kind, f"kind {hello.kind}")
    firmware = "".join(c for c in hello.firmware if c.isprintable())
    return Greeted(True, f"a {name} board, firmware {firmware or 'unnamed'}", firmware, name)
