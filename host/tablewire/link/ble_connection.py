"""One connection to one board over Bluetooth LE, from connect to disconnect.

Owns the order of connect, subscribe and write, the pieces a write is cut into, and that what was connected is
disconnected, whatever happened. Runs on the radio's thread but for `write`. Must not know how boards are
found or when to try again.
"""

from __future__ import annotations

import asyncio
import logging
import threading
from collections.abc import Callable
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from tablewire.link import radio_bleak
from tablewire.link.ble_boards import FLAVOURS, plain
from tablewire.link.ble_claim import Claim
from tablewire.link.ble_inbox import Inbox
from tablewire.link.faults import Cause, LinkRefused

if TYPE_CHECKING:
    from bleak import BleakClient
    from bleak.backends.characteristic import BleakGATTCharacteristic

_LOG = logging.getLogger(__name__)

SAFE_WRITE_BYTES = 20
"""What every Bluetooth LE connection takes in one write, whatever was agreed."""

MAX_UNSENT_BYTES = 4096
"""As much as the link thread holds back for any link: more is a board that does not listen."""

FAILURE_COUNT_MAX = 3
"""A single write may fail for want of a buffer, and the session repeats what matters; three in a row are a
dead link."""

DISCONNECT_LIMIT_S = 1.5
"""A healthy board is gone in a tenth of that; bleak lets go of the bus also when the limit passes."""

CLOSE_LIMIT_S = 2 * DISCONNECT_LIMIT_S
"""The sender ends first, then the connection."""

TAKEN = "another program of this computer is connected to it; close that program, it is tried again"

SERVICE_COUNT_SAID = 4
"""Enough services to know a thing by that has no UART."""


@dataclass(frozen=True, slots=True)
class ConnectLimits:
    """How long each step may take."""

    connect_s: float = 12.0
    """Half a second as a rule; a weak signal and twenty characteristics to discover take ten."""
    subscribe_s: float = 5.0
    """One round trip over the air; a connection that hears nothing is given up by Bluetooth itself before."""
    write_s: float = 3.0
    """A write is queued in a millisecond, unless the radio's queue is full; then the air is to blame."""

    @property
    def total_s(self) -> float:
        """From the first step to a connection, or to having let go of it again."""
        return self.connect_s + self.subscribe_s + DISCONNECT_LIMIT_S


class Connection:
    """A board that is connected and subscribed to. Made by `connect`, which owes it a `close`."""

    def __init__(
        self,
        client: BleakClient,
        to_board: BleakGATTCharacteristic,
        inbox: Inbox,
        limits: ConnectLimits,
        claim: Claim,
    ) -> None:
        self.inbox = inbox
        self.claim = claim
        self.failed_count = 0
        self._client = client
        self._to_board = to_board
        self._limits = limits
        self._loop = asyncio.get_running_loop()
        self._guard = threading.Lock()
        self._unsent_bytes = 0
        self._queue: asyncio.Queue[bytes] = asyncio.Queue()
        self._failed_in_row_count = 0
        # With a response each write waits for the air; the frames have their own acknowledgement.
        self._asks_response = "write-without-response" not in to_board.properties
        self._sender = asyncio.create_task(self._send_all())

    def write(self, data: bytes) -> bool:
        """Queue `data` without waiting; False when too much waits already. From any thread."""
        with self._guard:
            if self._unsent_bytes + len(data) > MAX_UNSENT_BYTES:
                return False
            self._unsent_bytes += len(data)
        try:
            self._loop.call_soon_threadsafe(self._queue.put_nowait, data)
        except RuntimeError:
            self.inbox.fail("the radio has ended")
        return True

    async def _send_all(self) -> None:
        while self.inbox.lost is None:
            data = await self._queue.get()
            await self._send(data)
            with self._guard:
                self._unsent_bytes -= len(data)

    async def _send(self, data: bytes) -> None:
        """Write `data` in pieces. The rest of what failed is dropped: the board drops the cut frame too."""
        offset = 0
        size_max: int | None = None
        while offset < len(data) and self.inbox.lost is None:
            # Asked for each time: it grows a moment after connecting, and may change later.
            size = max(SAFE_WRITE_BYTES, self._to_board.max_write_without_response_size)
            piece = data[offset : offset + min(size, size_max or size)]
            try:
                async with asyncio.timeout(self._limits.write_s):
                    await self._client.write_gatt_char(self._to_board, piece, response=self._asks_response)
            except Exception as exc:
                self._note(exc)
                if len(piece) <= SAFE_WRITE_BYTES:
                    return
                # The agreed size may have shrunk without a word; what always fits is tried before giving up.
                size_max = SAFE_WRITE_BYTES
            else:
                self._failed_in_row_count = 0
                offset += len(piece)

    def _note(self, exc: Exception) -> None:
        self.failed_count += 1
        self._failed_in_row_count += 1
        if radio_bleak.is_final(exc) or self._failed_in_row_count >= FAILURE_COUNT_MAX:
            self.inbox.fail(f"a write failed: {radio_bleak.words(exc)}")

    async def close(self) -> None:
        """Disconnect, and let go of everything. Never fails."""
        self.inbox.fail("it is closed")
        self._sender.cancel()
        await asyncio.wait({self._sender}, timeout=DISCONNECT_LIMIT_S)
        await disconnect(self._client)


async def connect(
    found: radio_bleak.Found,
    adapter: str | None,
    limits: ConnectLimits,
    turn: asyncio.Lock,
    claim: Claim,
    made: Callable[[Connection], None],
) -> Connection:
    """Connect, find the UART, and subscribe before anything is written. LinkRefused; then nothing is held.

    `turn` is held while connecting. `made` gets the connection before the caller can have lost interest; the
    connection keeps `claim` until whoever closes it releases that.
    """
    inbox = Inbox()
    client = radio_bleak.client(
        found, adapter, limits.connect_s, lambda: inbox.fail("the board has disconnected")
    )

    def hear(_: Any, data: bytearray) -> None:
        # Each connection has an inbox of its own: what an old one still hears reaches nobody.
        inbox.put(bytes(data))

    try:
        async with turn, asyncio.timeout(limits.connect_s):
            # Asked again: it may have been heard some time ago, and bleak joins whatever connection there is.
            if await radio_bleak.is_taken(found):
                raise LinkRefused(TAKEN, Cause.TAKEN)
            await client.connect()
        to_board, from_board = _uart(client)
        async with asyncio.timeout(limits.subscribe_s):
            await client.start_notify(from_board, hear)
        connection = Connection(client, to_board, inbox, limits, claim)
        made(connection)
        return connection
    except Exception as exc:
        await disconnect(client)
        raise radio_bleak.refused(exc) from exc
    except BaseException:
        await disconnect(client)
        raise


def _uart(client: BleakClient) -> tuple[BleakGATTCharacteristic, BleakGATTCharacteristic]:
    """The characteristics to write to and to listen to. LinkRefused when the board has none."""
    offered = list(client.services)
    for flavour in FLAVOURS:
        for service in offered:
            if service.uuid.lower() != flavour.service:
                continue
            by_uuid = {char.uuid.lower(): char for char in service.characteristics}
            to_board, from_board = by_uuid.get(flavour.to_board), by_uuid.get(flavour.from_board)
            if to_board is not None and from_board is not None:
                return to_board, from_board
    names = [plain(service.description) for service in offered[:SERVICE_COUNT_SAID]]
    more = ", ..." if len(offered) > SERVICE_COUNT_SAID else ""
    raise LinkRefused(
        "it has no UART service, so it is no board (it offers: "
        f"{', '.join(names) + more if names else 'nothing'})",
        Cause.SILENT,
    )


async def disconnect(client: BleakClient) -> None:
    """Disconnect and release the bus of `client`, also when it never connected or is gone. Never fails."""
    try:
        async with asyncio.timeout(DISCONNECT_LIMIT_S):
            await client.disconnect()
    except Exception:
        _LOG.debug("disconnecting failed", exc_info=True)
