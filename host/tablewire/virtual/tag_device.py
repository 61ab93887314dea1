"""The firmware of a board with tag readers: what came, what is gone, what is pressed, and telling it anew.

Owns what one boot senses, from power on to reset. Must not know cards, decks, faults of the line, ports or
real clocks: it looks through readers that it is given, and its own milliseconds since boot are an argument.
When a reader has its turn is in tag_passes.py, what all boards say alike in firmware.py.

Readers are looked at only where a look can tell something new: that takes the same time on the table, and
less here.
"""

from __future__ import annotations

import heapq
from collections.abc import Container, Iterator, Mapping
from dataclasses import dataclass
from types import MappingProxyType

from tablewire.virtual.calibration import Image
from tablewire.virtual.debounce import SETTLE_MS
from tablewire.virtual.firmware import (
    STATUS_PERIOD_MS,
    STATUS_PERIODS_MS,
    Answered,
    Boot,
    Build,
    Firmware,
)
from tablewire.virtual.grid import CHIP_READERS, neighbours
from tablewire.virtual.readers import Look, Readers, Uid
from tablewire.virtual.tag_outbox import RING_COUNT, TagOutbox
from tablewire.virtual.tag_passes import READ_US, SLOT_US, TAG_US, Passes
from tablewire.wire.messages import (
    BoardKind,
    Calibrate,
    CalibrationReq,
    Feature,
    ParamKey,
    RawReq,
    ReaderRow,
    ReaderState,
    Result,
    ResultCode,
    Sight,
    SnapshotReq,
    Status,
)

FEATURES = Feature.RFID | Feature.LEDS | Feature.PIEZO
VERSION = 0x92  # of the readers: MFRC522, version 2.0
PAD_TAGS_MAX = 12  # a pile is complete with ten cards, and two may lie on it by mistake
AGAIN_US = 45_000  # two passes: what was missed is woken again soon, and sooner than its turn comes
PARAM_RANGES: Mapping[ParamKey, Container[int]] = MappingProxyType(
    {
        ParamKey.DEBOUNCE_MS: range(5, 201),
        ParamKey.STATUS_PERIOD_MS: STATUS_PERIODS_MS,
        ParamKey.FIELD_GROUPS: (1, 2, 4),
        ParamKey.MISSES: range(2, 11),
    }
)
_DEFAULTS = {
    ParamKey.DEBOUNCE_MS: SETTLE_MS,
    ParamKey.STATUS_PERIOD_MS: STATUS_PERIOD_MS,
    ParamKey.FIELD_GROUPS: 1,
    ParamKey.MISSES: 3,
}
_SOUND = ReaderState.SEEN | ReaderState.TESTED | ReaderState.WELL


@dataclass(slots=True)
class _Lying:
    """A tag believed to lie there: clean misses since it was read, and whether the host was told of it."""

    told: bool
    miss_count: int = 0


class TagDevice(Firmware):
    """One boot."""

    outbox: TagOutbox

    def __init__(self, boot: Boot, readers: Readers) -> None:
        build = Build(
            BoardKind.LIGRETTO,
            FEATURES,
            RING_COUNT,
            reader_count=len(readers),
            button_count=readers.button_count,
            ranges=PARAM_RANGES,
        )
        super().__init__(boot, build, _DEFAULTS)
        self.outbox = TagOutbox(boot.nonce, boot.start_ms)
        self._pads = readers
        every = range(len(readers))
        self._lying: list[dict[Uid, _Lying]] = [{} for _ in every]
        # What lies there at power on is the beginning; it did not come.
        self._unlooked = {reader for reader in every if readers.field(reader)}
        self._once_deaf: frozenset[int] = frozenset()
        self._busy_until_us = [0] * -(-len(readers) // CHIP_READERS)
        self._looks: dict[tuple[int, bool], int] = {}  # (reader, whether it wakes) -> when
        self._reads: list[tuple[int, int, int, Uid, Sight]] = []
        self._read_count = 0
        self._sought_until_us: dict[int, int] = {}
        self._belief_version = 0
        self._planned_for = (-1, -1)
        self._down: dict[int, bool] = {}  # button -> whether the host was told
        self._moved_ms: dict[int, int] = {}
        self._retelling = False
        self._greet()

    def _scans_hz(self) -> int:
        return round(1_000_000 / self._passes().pass_us)

    def believed(self, reader: int) -> frozenset[Uid]:
        """The tags believed to lie there."""
        return frozenset(self._lying[reader])

    # ---- time ----

    def next_due_ms(self) -> int | None:
        """When `run` should be called next, if nothing changes meanwhile."""
        self._plan()
        due_us = [*self._looks.values(), *(read[0] for read in self._reads[:1])]
        settle_ms = self.params[ParamKey.DEBOUNCE_MS]
        due = [
            *(-(-us // 1000) for us in due_us),
            *(ms + settle_ms for ms in self._moved_ms.values()),
            *self._speech_due_ms(),
        ]
        return min((ms for ms in due if ms is not None), default=None)

    def run(self, now_ms: int) -> None:
        """Look where it is due, and say what is due."""
        self.now_ms = now_ms
        self._feel_buttons()
        self._plan()
        while (due := min(self._dues(), default=None)) is not None and due <= now_ms * 1000:
            self._do(due)
            self._plan()
        self._retell()
        self._speak()

    def _dues(self) -> Iterator[int]:
        yield from self._looks.values()
        yield from (read[0] for read in self._reads[:1])

    def _do(self, due_us: int) -> None:
        """What is due at this moment: a tag read wholly, or a reader's turn."""
        if self._reads and self._reads[0][0] == due_us:
            _, _, reader, uid, sight = heapq.heappop(self._reads)
            self._took(reader, uid, sight)
            return
        # Who has waited longest, but a new card before those that may have gone.
        reader, wake = min((key for key, us in self._looks.items() if us == due_us), key=lambda key: key[1])
        busy_us = self._busy_until_us[reader // CHIP_READERS]
        if busy_us > due_us:
            self._looks[reader, wake] = busy_us
            return
        del self._looks[reader, wake]
        self._look(reader, due_us, wake=wake)

    def _passes(self) -> Passes:
        lying = [len(tags) for tags in self._lying]
        fullest = max(sum(lying[at : at + CHIP_READERS]) for at in range(0, len(lying), CHIP_READERS))
        return Passes(len(self._lying), self.params[ParamKey.FIELD_GROUPS], fullest)

    def _turn_us(self, reader: int, from_us: int, *, wake: bool) -> int:
        passes = self._passes()
        if not wake:
            return passes.call_us(reader, from_us)
        if self._sought_until_us.get(reader, 0) > from_us:
            return passes.call_us(reader, from_us)
        missed = any(tag.miss_count for tag in self._lying[reader].values())
        turn_us = passes.wake_us(reader, from_us)
        return min(turn_us, from_us + AGAIN_US) if missed else turn_us

    def _plan(self) -> None:
        """Note when each reader has its turn at which a look may tell something new."""
        state = (self._pads.version, self._belief_version)
        if state == self._planned_for:
            return
        self._planned_for = state
        self._once_deaf |= self._pads.deaf
        staggered = self.params[ParamKey.FIELD_GROUPS] > 1
        for reader in range(len(self._lying)):
            fresh = not staggered and self._pads.has_fresh(reader)
            self._plan_look(reader, wake=False, wanted=fresh)
            self._plan_look(reader, wake=True, wanted=self._is_in_doubt(reader))

    def _plan_look(self, reader: int, *, wake: bool, wanted: bool) -> None:
        if not wanted:
            self._looks.pop((reader, wake), None)
        elif (reader, wake) not in self._looks:
            from_us = max(self.now_ms * 1000, self._busy_until_us[reader // CHIP_READERS])
            self._looks[reader, wake] = self._turn_us(reader, from_us, wake=wake)

    def _is_in_doubt(self, reader: int) -> bool:
        """Whether waking the tags there may tell something new."""
        readers = self._pads
        if reader in readers.deaf:
            return False
        believed = self._lying[reader]
        coming = {uid for _, _, where, uid, _ in self._reads if where == reader}
        known, there = believed.keys() | coming, set(readers.field(reader))
        if known - there or (there - known and len(known) < PAD_TAGS_MAX):
            return True
        return bool(believed) and (readers.is_shaky or any(tag.miss_count for tag in believed.values()))

    # ---- readers ----

    def _look(self, reader: int, at_us: int, *, wake: bool) -> None:
        self._belief_version += 1
        look = self._pads.look(reader, wake=wake)
        if look is None:
            return
        sight = Sight.FOUND if reader in self._unlooked else Sight.CAME
        self._unlooked.discard(reader)
        end_us = self._read(reader, look, at_us, sight) + SLOT_US  # until nobody answers
        self._busy_until_us[reader // CHIP_READERS] = end_us
        if wake and not look.garbled_count:
            for uid in self._lying[reader].keys() - set(look.uids):
                self._missed(reader, uid)

    def _read(self, reader: int, look: Look, from_us: int, sight: Sight) -> int:
        """Read whoever answered, one after another; when that is done."""
        lying, end_us = self._lying[reader], from_us
        coming = {uid for _, _, where, uid, _ in self._reads if where == reader}
        for uid in look.uids:
            read_us, end_us = end_us + READ_US, end_us + TAG_US
            if uid in lying:
                if lying[uid].miss_count:
                    self.counts["flicker_count"] += 1
                    self._flicker_source = reader
                lying[uid].miss_count = 0
            elif uid not in coming and len(lying) + len(coming) < PAD_TAGS_MAX:
                coming.add(uid)
                self._read_count += 1
                heapq.heappush(self._reads, (read_us, self._read_count, reader, uid, sight))
        return end_us + look.garbled_count * TAG_US

    def _took(self, reader: int, uid: Uid, sight: Sight) -> None:
        self._belief_version += 1
        self._lying[reader][uid] = _Lying(told=False)
        told = self._push(sight, reader, uid)
        self._lying[reader][uid].told = told
        if sight is Sight.CAME:
            self._seek_beside(reader)

    def _seek_beside(self, reader: int) -> None:
        """A neighbour may be the one on whose pad it lies, and hears nothing: what was read keeps quiet."""
        until_us = self.now_ms * 1000 + 2 * self._passes().pass_us
        for other in neighbours(reader, len(self._lying)):
            self._sought_until_us[other] = until_us
            self._looks.pop((other, True), None)

    def _missed(self, reader: int, uid: Uid) -> None:
        tag = self._lying[reader][uid]
        tag.miss_count += 1
        if tag.miss_count < self.params[ParamKey.MISSES]:
            return
        del self._lying[reader][uid]
        if tag.told:
            self._push(Sight.GONE, reader, uid)

    # ---- buttons ----

    def _feel_buttons(self) -> None:
        """A button that has been down, or up, for long enough is so."""
        for button in range(self._pads.button_count):
            if (button in self._pads.held) == (button in self._down):
                self._moved_ms.pop(button, None)
                continue
            since_ms = self._moved_ms.setdefault(button, self.now_ms)
            if self.now_ms - since_ms < self.params[ParamKey.DEBOUNCE_MS]:
                continue
            del self._moved_ms[button]
            if button in self._down:
                del self._down[button]
                self._push(Sight.UP, button, b"")
            else:
                self._down[button] = False
                self._down[button] = self._push(Sight.DOWN, button, b"")

    # ---- telling ----

    def _push(self, sight: Sight, source: int, uid: Uid) -> bool:
        """Note a change; False when there was no room, so that everything is told anew."""
        if self.outbox.push(sight, source, uid, self.now_ms):
            return True
        self._forget_told()
        return False

    def _forget_told(self) -> None:
        self._retelling = True
        self._down = dict.fromkeys(self._down, False)
        for tags in self._lying:
            for tag in tags.values():
                tag.told = False

    def _retell(self) -> None:
        """Tell what lies there and was not told since everything began anew, as far as there is room."""
        if not self._retelling:
            return
        for button in sorted(button for button, told in self._down.items() if not told):
            if self.outbox.room_count == 0:
                return
            self._down[button] = self.outbox.push(Sight.DOWN, button, b"", self.now_ms)
        for reader, tags in enumerate(self._lying):
            for uid, tag in tags.items():
                if tag.told:
                    continue
                if self.outbox.room_count == 0:
                    return
                tag.told = self.outbox.push(Sight.FOUND, reader, uid, self.now_ms)
        self._retelling = False

    def _on_snapshot_req(self, _: SnapshotReq) -> None:
        if not self.outbox.begins_anew:
            self.outbox.begin_anew(self.now_ms)
            self._forget_told()
            self._retell()
        self.outbox.resend(self.now_ms)

    def _obey_own(self, command: Calibrate | CalibrationReq | RawReq) -> Answered | None:
        """Readers are not calibrated."""
        return Result(command.token, ResultCode.UNKNOWN, 0)

    def _store(self) -> None:
        self._looks.clear()  # another parameter may make other passes
        self._belief_version += 1
        self.eeprom.store(Image((), dict(self.params)), self.now_ms)

    def _readers(self) -> tuple[ReaderRow, ...]:
        """How the readers are; a message has room for the first 35."""
        deaf = self._pads.deaf
        return tuple(
            ReaderRow(
                0 if reader in deaf else VERSION,
                (ReaderState(0) if reader in deaf else _SOUND)
                | (ReaderState.DEAF if reader in self._once_deaf else ReaderState(0)),
            )
            for reader in range(min(len(self._lying), Status.READERS_MAX))
        )
