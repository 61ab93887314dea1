"""What lies on the table: last snapshot plus events, per sensor and per tag reader, in table time.

Owns the state of every sensor (what it reads, since when, and what it read before) and every tag that a
reader sees. Must not know which sensor, reader or tag stands for what, or any game.

A *visit* is the time a magnet spends on a sensor. It begins with a landing and goes on through blinks shorter
than `Timing.lift_ms`, and through a change between weak and strong of one pole (a strong magnet coming down
reads weak first, and again when it is lifted).
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field, replace

from tablewire.board.clock import TableClock
from tablewire.board.timing import DEFAULT_TIMING, Rate, Timing
from tablewire.wire.messages import MagnetClass, Sight
from tablewire.wire.observed import (
    Changes,
    Complete,
    Observation,
    SensorId,
    Sighting,
    Sightings,
    Snapshot,
    TagsLying,
)

EMPTY = int(MagnetClass.EMPTY)
NEVER_MS = -(10**9)
"""A time before any table: what lies since then was always settled."""

WEAK = frozenset({int(MagnetClass.N_WEAK), int(MagnetClass.S_WEAK)})
_POLE = {
    int(MagnetClass.N_WEAK): "N",
    int(MagnetClass.N_STRONG): "N",
    int(MagnetClass.S_WEAK): "S",
    int(MagnetClass.S_STRONG): "S",
}


@dataclass(frozen=True, slots=True)
class SensorState:
    """One sensor. `last` is the class of the visit's magnet, kept while nothing reads.

    `recent_ms`: when it changed last, oldest first, as often as `Timing` looks back; a lift or a landing by
    way of a weak read is one of them. `change_count`: how often its class changed. `episode_count`: how
    often it began to flicker, the last time at `flickered_ms`. `came_ms`: when it last read something after
    nothing, be it for the first time in the visit or back from a blink. `rested`: this magnet has once lain
    still for `Timing.quiet_ms` in this visit. `unseen`: nobody saw the visit begin; a snapshot told of it.
    """

    cls: int = EMPTY
    last: int = EMPTY
    landed_ms: int = NEVER_MS
    came_ms: int = NEVER_MS
    changed_ms: int = NEVER_MS
    recent_ms: tuple[int, ...] = ()
    change_count: int = 0
    episode_count: int = 0
    flickered_ms: int = NEVER_MS
    rested: bool = False
    unseen: bool = False

    def change(self, new: int, at_ms: int, timing: Timing, *, seen: bool) -> SensorState:
        """The sensor after its class became `new` at `at_ms`, or some time before if nobody saw it."""
        # A lift or a landing by way of a weak read is one change, not two.
        by_way = self.cls in WEAK and (
            self.last != self.cls if new == EMPTY else self.last == self.cls and _POLE[new] == _POLE[self.cls]
        )
        counted = self if by_way else self._count(at_ms, timing)
        lay_still = self.cls != EMPTY and at_ms - self.changed_ms >= timing.quiet_ms
        rested = self.cls == self.last if lay_still else self.rested
        counted = replace(counted, change_count=self.change_count + 1, changed_ms=at_ms, rested=rested)
        if new == EMPTY:
            return replace(counted, cls=EMPTY)
        blinked = self.cls != EMPTY or at_ms - self.changed_ms < timing.lift_ms
        same_visit = blinked and _POLE.get(self.last) == _POLE.get(new)
        landed_ms = self.landed_ms if same_visit else at_ms
        # A strong magnet reads weak once more while it is lifted: it was a strong one that went.
        leaving = same_visit and self.cls != EMPTY and new in WEAK
        came_ms = self.came_ms if self.cls != EMPTY else at_ms
        last = self.last if leaving else new
        rested = rested and same_visit and last == self.last
        return replace(
            counted,
            cls=new,
            last=last,
            landed_ms=landed_ms,
            came_ms=came_ms,
            rested=rested,
            unseen=self.unseen if same_visit else not seen,
        )

    def _count(self, at_ms: int, timing: Timing) -> SensorState:
        """The sensor with one more change to remember."""
        began = not self.flickers(at_ms, timing)
        changed = replace(self, recent_ms=(*self.recent_ms, at_ms)[-timing.recent_count :])
        if not changed.flickers(at_ms, timing):
            return changed
        return replace(changed, episode_count=self.episode_count + began, flickered_ms=at_ms)

    def flickers(self, now_ms: int, timing: Timing) -> bool:
        """Whether the sensor changes too often to be believed."""
        return self._is_at(timing.flicker, now_ms) or self._is_slow(now_ms, timing)

    def chatters(self, now_ms: int, timing: Timing) -> bool:
        """Whether it has done so for longer than a finger that straightens a piece."""
        return self._is_at(timing.chatter, now_ms) or self._is_slow(now_ms, timing)

    def is_unsteady(self, now_ms: int, timing: Timing) -> bool:
        """Whether it chatters, or has begun to flicker again and again, though it may be still now."""
        again = self.episode_count >= timing.episode_count
        return self.chatters(now_ms, timing) or (
            again and now_ms - self.flickered_ms < timing.episode_rest_ms
        )

    def _is_slow(self, now_ms: int, timing: Timing) -> bool:
        if not self._is_at(timing.slow, now_ms):
            return False
        steps = zip(self.recent_ms, self.recent_ms[timing.flicker_count - 1 :], strict=False)
        return all(last_ms - first_ms > timing.flicker_window_ms for first_ms, last_ms in steps)

    def _is_at(self, rate: Rate, now_ms: int) -> bool:
        recent_ms = self.recent_ms
        return (
            len(recent_ms) >= rate.change_count
            and now_ms - recent_ms[-1] < rate.rest_ms
            and recent_ms[-1] - recent_ms[-rate.change_count] <= rate.window_ms
        )


@dataclass(frozen=True, slots=True)
class TagState:
    """One tag in the field of one reader, since `came_ms`. `found`: nobody saw it come; it was there already,
    as after a boot of the board.
    """

    came_ms: int
    found: bool


Tag = tuple[int, str]
"""A reader, and the UID of a tag it sees."""
NO_TAGS: Mapping[Tag, TagState] = {}


@dataclass(frozen=True, slots=True)
class Lies:
    """Everything the board says, at table time `clock.now_ms`, after change `number` of the current boot.

    `masked`: indices of the sensors whose word nobody takes any more; what they say is still kept. `tags`:
    what the readers see. `has_readers`: the board heard last has readers, not sensors; what the board of the
    other kind told stays known until that is heard again. `reader_count`: how many readers that board says it
    has; no observation tells it, so nothing that follows from the observations may depend on it.
    """

    clock: TableClock = field(default_factory=TableClock)
    number: int = 0
    sensors: tuple[SensorState, ...] = ()
    timing: Timing = DEFAULT_TIMING
    masked: frozenset[int] = frozenset()
    tags: Mapping[Tag, TagState] = field(default_factory=lambda: NO_TAGS)
    has_readers: bool = False
    reader_count: int | None = None

    @property
    def now_ms(self) -> int:
        """Table time up to which everything is known."""
        return self.clock.now_ms

    def next_rest_ms(self, sensor_count: int) -> int | None:
        """When one of the first sensors may next mean something else without changing; None when none can."""
        rests_ms, now_ms = self.timing.rests_ms, self.now_ms
        moments = (
            sensor.changed_ms + rest_ms
            for sensor in self.sensors[:sensor_count]
            if now_ms - sensor.changed_ms <= max(rests_ms)
            for rest_ms in rests_ms
        )
        return min((moment for moment in moments if moment > now_ms), default=None)

    @property
    def classes(self) -> bytes:
        """The class of every sensor, in the form of a snapshot."""
        return bytes(sensor.cls for sensor in self.sensors)

    def observe(self, observation: Observation) -> Lies:
        """What lies there after one more observation; table time never turns back."""
        match observation:
            case Changes(nonce, changes):
                lies = self
                for change in changes:
                    clock = lies.clock.advance(nonce, change.device_ms)
                    lies = lies._with([(change.sensor, change.new)], clock, change.number, seen=True)
                return lies
            case Snapshot(nonce, number, device_ms, classes):
                clock = self.clock.advance(nonce, device_ms)
                rows = [(SensorId(i), cls) for i, cls in enumerate(classes)]
                return self._with(rows, clock, number, seen=False)
            case Sightings(nonce, sightings):
                lies = self
                for sighting in sightings:
                    lies = lies._sight(sighting, lies.clock.advance(nonce, sighting.device_ms))
                return lies
            case TagsLying(nonce, number, device_ms, tags):
                clock = self.clock.advance(nonce, device_ms)
                known = {tag: self.tags.get(tag, TagState(clock.now_ms, found=True)) for tag in tags}
                return replace(self, clock=clock, number=number, tags=known, has_readers=True)
            case Complete(nonce, device_ms):
                return replace(self, clock=self.clock.advance(nonce, device_ms))

    def _sight(self, sighting: Sighting, clock: TableClock) -> Lies:
        tag = (sighting.source, sighting.uid)
        tags = self.tags
        match sighting.what:
            case Sight.CAME | Sight.FOUND:
                state = TagState(clock.now_ms, found=sighting.what == Sight.FOUND)
                tags = {**tags, tag: tags.get(tag, state)}
            case Sight.GONE:
                tags = {other: state for other, state in tags.items() if other != tag}
            case Sight.ANEW:
                tags = NO_TAGS
        return replace(self, clock=clock, number=sighting.number, tags=tags, has_readers=True)

    def _with(
        self, readings: Iterable[tuple[SensorId, int]], clock: TableClock, number: int, *, seen: bool
    ) -> Lies:
        sensors = list(self.sensors)
        for sensor, cls in readings:
            sensors.extend([SensorState()] * (sensor + 1 - len(sensors)))
            if sensors[sensor].cls != cls:
                sensors[sensor] = sensors[sensor].change(cls, clock.now_ms, self.timing, seen=seen)
        return replace(self, clock=clock, number=number, sensors=tuple(sensors), has_readers=False)

    def mask(self, sensors: Iterable[int], *, masked: bool) -> Lies:
        """The same with these sensors masked, or believed again."""
        some = frozenset(sensors)
        if masked:
            return replace(self, masked=self.masked | some)
        # What it said of this visit while nobody believed it is no news of the magnet that lies there.
        states = tuple(
            replace(state, last=state.cls, recent_ms=(), episode_count=0) if index in some else state
            for index, state in enumerate(self.sensors)
        )
        return replace(self, sensors=states, masked=self.masked - some)

    def snapshot(self) -> Snapshot | TagsLying | None:
        """What lies there as one observation, to begin another game's journal with; None before any board."""
        if self.clock.nonce is None:
            return None
        if self.has_readers:
            return TagsLying(self.clock.nonce, self.number, self.clock.device_ms, tuple(sorted(self.tags)))
        return Snapshot(self.clock.nonce, self.number, self.clock.device_ms, self.classes)
