"""One host's session with one board: what is asked, when, and what is acknowledged.

Owns finding the board, the heartbeat, when to ask again, and acknowledging. Must not know ports, threads,
disks, or what a sensor stands for. No I/O and no clock: bytes and the host's monotonic milliseconds are
arguments, bytes and values are results.

How it is driven: `link_opened` when a port opens, `receive_data` with every chunk, `data_to_send` after that
and whenever `next_wakeup_ms` has come, `acknowledge` once what was observed is on disk, `link_lost` when the
port fails. A session outlives its links and the board's resets; neither ends a game.
"""

from __future__ import annotations

from collections import Counter

from tablewire.wire.commands import Command, Commands, Outcome
from tablewire.wire.frame import Decoder, Frame, Sender
from tablewire.wire.ledger import Ledger
from tablewire.wire.messages import (
    BOARD_PARSERS,
    HOST_PARSERS,
    MAJOR,
    MINOR,
    Ack,
    BoardMessage,
    Calibration,
    Events,
    Hello,
    HostHello,
    HostMessage,
    Log,
    PayloadError,
    Raw,
    Result,
    Snapshot,
    SnapshotReq,
    Status,
    StatusReq,
    Tags,
)
from tablewire.wire.observed import Observation
from tablewire.wire.session_values import (
    BoardFound,
    BoardRefused,
    Count,
    Known,
    LinkState,
    refusal,
)

__all__ = ["BoardFound", "BoardRefused", "Count", "HostSession", "Known", "LinkState", "Told"]

HELLO_REPEAT_MS = 200  # opening a port resets many boards, which are then deaf for up to 2 s
REFUSED_REPEAT_MS = 2000  # a refused board may come back updated, but nobody is waiting for it
SILENCE_MAX_MS = 3000  # three missed heartbeats
LATE_MS = 1500  # a heartbeat is missed: ask for one, for on a bad line the next ones may be lost as well
SNAPSHOT_REPEAT_MS = 200  # a snapshot takes 3 ms on the cable, up to 300 ms over BLE in 20-byte chunks
STATUS_REPEAT_MS = 250  # the answer takes under 100 ms even over BLE; after this it is taken for lost
BEHIND_MAX_COUNT = 5  # more often than a frame that was overtaken on the way can explain
GIVE_UP_MS = 8000  # longer than a board that is reset by opening is deaf (2 s), and then asked (6 s)
GIVE_UP_MAX_MS = 64_000  # where opening anew has not helped it hardly will: the port may be somebody else's
IN_VAIN_MS = 2000  # four times as long as a board waits at most before it repeats what it has told
RESUMED_LIMIT_MS = 2000  # ten greetings or eight questions: after a computer's sleep a good link answers one
LOG_LINES_MAX = 50  # a page of them, for whoever looks into a board's trouble

Told = Observation | BoardFound | BoardRefused


class HostSession:
    """The session; see the module's text for how it is driven.

    `counts` and `decoder.drops` only rise. `hello` is the last greeting of a usable board, `status` the last
    heartbeat, `log` the last lines of LOG.
    """

    def __init__(self, known: Known | None = None) -> None:
        self.decoder = Decoder()
        self.counts: Counter[Count] = Counter()
        self.hello: Hello | None = None
        self.status: Status | None = None
        self.log: list[str] = []
        self._ledger = Ledger(known, self.counts)
        self._sender = Sender()
        self._commands = Commands()
        self._state = LinkState.SEARCHING
        self._open = False
        self._heard_ms: int | None = None
        self._ever_heard_ms: int | None = None
        self._heard_bytes = 0
        self._give_up_ms: int | None = None
        self._patience_ms = GIVE_UP_MS
        self._hello_due_ms: int | None = None
        self._snapshot_due_ms: int | None = None
        self._ack_due = False
        self._status_wanted = False
        self._status_asked_ms: int | None = None
        self._told_again_ms: int | None = (
            None  # when something acknowledged was repeated, and nothing new came
        )
        self._behind_count = 0

    # ---- what is so ----

    @property
    def state(self) -> LinkState:
        """What the session can say of its board, as of the last call with a time."""
        return self._state

    @property
    def is_open(self) -> bool:
        """Whether there is a link, whoever is or is not at its other end."""
        return self._open

    @property
    def synced(self) -> bool:
        """Whether the board is there and what it told is without holes: no snapshot is awaited."""
        return self._state is LinkState.UP and not self._ledger.unsure

    @property
    def number(self) -> int:
        """The last change received."""
        return self._ledger.number

    @property
    def nonce(self) -> int | None:
        """The boot the session believes in; None before the first."""
        return self._ledger.nonce

    @property
    def degraded(self) -> frozenset[str]:
        """The kinds of command the board does not answer, such as "Signal"."""
        return frozenset(kind.__name__ for kind in self._commands.degraded)

    def silent_ms(self, now_ms: int) -> int | None:
        """How long no valid frame has come; None when none has come on this link."""
        return None if self._heard_ms is None else now_ms - self._heard_ms

    @property
    def heard_ms(self) -> int | None:
        """When the last valid frame came, on this link or an earlier one; None before the first."""
        return self._ever_heard_ms

    def is_given_up(self, now_ms: int) -> bool:
        """Whether the link is open, but no board has answered for so long that opening it anew may help.

        A board that is refused, but talks, is not given up. One that talks, but is asked in vain or repeats
        what was acknowledged, is.
        """
        return self._give_up_ms is not None and now_ms >= self._give_up_ms

    @property
    def hears_a_stranger(self) -> bool:
        """Whether something speaks on this link, but nothing of it was ever a board's frame."""
        return self._heard_ms is None and self._heard_bytes > 0

    @property
    def hears_a_board(self) -> bool:
        """Whether a board speaks on this link; when that is given up, it does not hear what is said to it."""
        return self._heard_ms is not None and self._state in (LinkState.SEARCHING, LinkState.UP)

    # ---- the link ----

    def link_opened(self, now_ms: int) -> None:
        """A port is open: ask who is there, at once and until it is answered."""
        self._open = True
        self.decoder.forget()
        self._heard_ms = self._told_again_ms = None
        self._heard_bytes = 0
        self._give_up_ms = now_ms + self._patience_ms
        self._state = LinkState.SEARCHING
        self._hello_due_ms = now_ms

    def link_lost(self, now_ms: int) -> None:
        """The port failed. What is known stays known."""
        if self.is_given_up(now_ms):
            self._patience_ms = min(2 * self._patience_ms, GIVE_UP_MAX_MS)
        self._give_up_ms = None
        self._open = False
        self._state = LinkState.DOWN
        self._hello_due_ms = None
        self._ack_due = False

    def link_resumed(self, now_ms: int) -> None:
        """The computer has slept: ask at once whether the board is still there, and wait for it shortly."""
        if not self._open:
            return
        self._give_up_ms = now_ms + RESUMED_LIMIT_MS
        if self._state is LinkState.UP:
            self._status_wanted, self._status_asked_ms = True, None
        else:
            self._hello_due_ms = now_ms

    # ---- what the host says ----

    def acknowledge(self, number: int, nonce: int | None = None) -> None:
        """Everything observed up to `number` is on disk, so the board may forget it.

        `nonce` is that of the observation; with it, what was kept of an earlier boot acknowledges nothing of
        a later one. A number that was not received yet is ignored.
        """
        if (nonce is not None and nonce != self._ledger.nonce) or number > self._ledger.number:
            return
        self._ledger.acknowledged = max(self._ledger.acknowledged, number)
        self._ack_due = True

    def request_status(self) -> None:
        """Ask for a heartbeat now; at most one request is under way at a time."""
        self._status_wanted = True

    def submit(self, command: Command) -> bool:
        """Queue a command; False when its kind is given up or too many wait. See `take_outcomes`."""
        return self._commands.submit(command)

    def take_outcomes(self) -> list[Outcome]:
        """The commands that have ended since the last call, answered or given up."""
        return self._commands.take_outcomes()

    def next_wakeup_ms(self, now_ms: int) -> int | None:
        """When `data_to_send` should be called next, never before `now_ms`; None while no link is open."""
        if not self._open:
            return None
        due = [self._hello_due_ms]
        if self._state is LinkState.UP:
            due += [self._snapshot_due_ms, self._commands.next_due_ms()]
            due.append(now_ms if self._ack_due else None)
            due.append(None if self._heard_ms is None else self._heard_ms + SILENCE_MAX_MS)
            due.append(self._status_due_ms(now_ms))
        known = [ms for ms in due if ms is not None]
        return max(now_ms, min(known)) if known else None

    def data_to_send(self, now_ms: int) -> bytes:
        """The bytes to write now."""
        if not self._open:
            return b""
        self._notice_silence(now_ms)
        messages: list[HostMessage] = []
        if self._hello_due_ms is not None and now_ms >= self._hello_due_ms:
            messages.append(HostHello(MAJOR, MINOR))
            refused = self._state is LinkState.REFUSED
            self._hello_due_ms = now_ms + (REFUSED_REPEAT_MS if refused else HELLO_REPEAT_MS)
        if self._state is LinkState.UP:
            messages += self._due_messages(now_ms)
        return b"".join(self._sender.encode(message.TYPE, message.encode()) for message in messages)

    def _due_messages(self, now_ms: int) -> list[HostMessage]:
        messages: list[HostMessage] = []
        if self._ack_due and self._ledger.nonce is not None:
            self._ack_due = False
            messages.append(Ack(self._ledger.nonce, self._ledger.acknowledged))
        if self._snapshot_due_ms is not None and now_ms >= self._snapshot_due_ms:
            messages.append(SnapshotReq())
            self._snapshot_due_ms = now_ms + SNAPSHOT_REPEAT_MS
        status_due_ms = self._status_due_ms(now_ms)
        if status_due_ms is not None and now_ms >= status_due_ms:
            messages.append(StatusReq())
            self._status_wanted = False
            self._status_asked_ms = now_ms
        command = self._commands.take_due(now_ms)
        if command is not None:
            messages.append(command)
        return messages

    def _status_due_ms(self, now_ms: int) -> int | None:
        late_ms = None if self._heard_ms is None else self._heard_ms + LATE_MS
        wanted_ms = now_ms if self._status_wanted else late_ms
        if wanted_ms is None or self._status_asked_ms is None:
            return wanted_ms
        return max(wanted_ms, self._status_asked_ms + STATUS_REPEAT_MS)

    # ---- what the board says ----

    def receive_data(self, chunk: bytes, now_ms: int) -> list[Told]:
        """What this chunk tells, in order. Nothing in it raises."""
        self._notice_silence(now_ms)
        self._heard_bytes += len(chunk)
        told: list[Told] = []
        for frame in self.decoder.receive_data(chunk):
            self._sender.heard(frame)
            # A modem says after us what we said: it is no board.
            if frame.type not in HOST_PARSERS:
                self._heard_ms = self._ever_heard_ms = now_ms
            told += self._receive_frame(frame, now_ms)
            if (is_heard := self._is_heard(now_ms)) or (told and isinstance(told[-1], BoardFound)):
                self._give_up_ms = now_ms + GIVE_UP_MS
            self._patience_ms = GIVE_UP_MS if is_heard else self._patience_ms
        return told

    def _is_heard(self, now_ms: int) -> bool:
        """Whether nothing speaks against it that the board hears what is said to it."""
        if self._state is LinkState.SEARCHING or self._snapshot_due_ms is not None:
            return False
        return self._told_again_ms is None or now_ms - self._told_again_ms >= IN_VAIN_MS

    def _receive_frame(self, frame: Frame, now_ms: int) -> list[Told]:
        # The version comes first in every HELLO there will ever be; the rest of a foreign one is unreadable.
        if frame.type == Hello.TYPE and frame.payload and frame.payload[0] != MAJOR:
            return self._refuse(refusal(frame.payload[0]), now_ms)
        parse = BOARD_PARSERS.get(frame.type)
        if parse is None:
            self.counts[Count.UNKNOWN_TYPE] += 1
            return []
        try:
            message = parse(frame.payload)
        except PayloadError:
            self.counts[Count.BAD_PAYLOAD] += 1
            return []
        return self._receive_message(message, now_ms)

    def _receive_message(self, message: BoardMessage, now_ms: int) -> list[Told]:
        match message:
            case Hello():
                return self._receive_hello(message, now_ms)
            case Events() | Tags() | Snapshot() | Status():
                return [*self._receive_report(message, now_ms)]
            case Result() | Raw() | Calibration():
                self._commands.receive_answer(message)
            case Log(_, text):
                self.log = [*self.log, text.decode("utf-8", "replace")][-LOG_LINES_MAX:]
        return []

    def _receive_hello(self, hello: Hello, now_ms: int) -> list[Told]:
        ledger = self._ledger
        new_boot = hello.nonce != ledger.nonce
        if self._state is LinkState.UP and not new_boot:
            return []
        if not new_boot and hello.last_number < ledger.number:
            # Overtaken on the way; or a board with the same nonce at every boot, which nobody could follow.
            self.counts[Count.STALE_HELLO] += 1
            self._behind_count += 1
            if self._behind_count < BEHIND_MAX_COUNT:
                return []
            text = "the board has forgotten what it told but not its boot number: switch it off and on"
            return self._refuse(text, now_ms)
        self._behind_count = 0
        self.hello = hello
        self._state = LinkState.UP
        self._hello_due_ms = self._status_asked_ms = None
        self._commands.restart()
        if new_boot:
            ledger.begin_boot(hello.nonce, hello.device_ms)
        ledger.expect_sensors(hello.sensor_count)
        if hello.oldest_number > ledger.number + 1:
            ledger.unsure = True
        self._snapshot_due_ms = now_ms if ledger.unsure else None
        self._ack_due = not ledger.unsure  # tells the board from where to go on
        return [BoardFound(hello.nonce, new_boot, ledger.unwrap(hello.device_ms), hello)]

    def _receive_report(self, message: Events | Tags | Snapshot | Status, now_ms: int) -> list[Observation]:
        """What counts only from a board that was found, and from the boot it was found in."""
        if self._state is LinkState.DOWN and self._open and message.nonce == self._ledger.nonce:
            # It was only silent, and it is the same boot: its greeting would tell nothing more.
            self._state = LinkState.UP
            self._hello_due_ms = None
        if self._state is not LinkState.UP:
            self.counts[Count.BEFORE_HELLO] += 1
            return []
        if message.nonce != self._ledger.nonce:
            self.counts[Count.OTHER_BOOT] += 1
            if isinstance(message, Status):  # a reset whose greeting was lost, or a leftover: ask
                self._ask_who(LinkState.SEARCHING, now_ms)
            return []
        match message:
            case Events() | Tags() | Snapshot():
                seen = self._ledger.receive(message)
            case Status():
                self.status = message
                self._status_asked_ms = None
                seen = self._ledger.receive_status(message)
        if not self._ledger.unsure:
            self._snapshot_due_ms = None
        elif self._snapshot_due_ms is None:
            self._snapshot_due_ms = now_ms
        if self._ledger.told_again and self._ledger.acknowledged == self._ledger.number:
            self._told_again_ms = now_ms
        elif not isinstance(message, Status):
            self._told_again_ms = None
        self._ack_due |= self._ledger.told_again
        self._ledger.told_again = False
        return seen

    def _refuse(self, text: str, now_ms: int) -> list[Told]:
        if self._state is LinkState.REFUSED:
            return []
        self._state = LinkState.REFUSED
        self._hello_due_ms = now_ms + REFUSED_REPEAT_MS
        return [BoardRefused(text)]

    def _notice_silence(self, now_ms: int) -> None:
        silent = self.silent_ms(now_ms)
        if self._state is LinkState.UP and silent is not None and silent >= SILENCE_MAX_MS:
            self.counts[Count.HEARTBEAT_LOST] += 1
            self._ask_who(LinkState.DOWN, now_ms)

    def _ask_who(self, state: LinkState, now_ms: int) -> None:
        self._state = state
        self._hello_due_ms = now_ms
