"""What a session learns from the board, as frozen values: the only thing later stages see of the wire.

Owns the observation types and their JSON form (the journal keeps them). Must not know bytes, frames, ports,
clocks, or what a sensor, a reader or a tag stands for.

Every time here is the board's own clock in milliseconds since its boot, already unwrapped (it only rises
while `nonce` stays the same). `nonce` names one boot of one board.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, NewType

SensorId = NewType("SensorId", int)
"""Index of a sensor on the wire, from 0."""


@dataclass(frozen=True, slots=True)
class SensorChange:
    """One sensor's debounced class changed. `number` counts the changes of one boot from 1, without holes."""

    number: int
    sensor: SensorId
    old: int
    new: int
    device_ms: int


@dataclass(frozen=True, slots=True)
class Changes:
    """In-order changes, none seen before. Must be kept on disk before they are acknowledged."""

    nonce: int
    changes: tuple[SensorChange, ...]


@dataclass(frozen=True, slots=True)
class Snapshot:
    """The class of every sensor after change `number`: the authority on what lies on the table."""

    nonce: int
    number: int
    device_ms: int
    classes: bytes


@dataclass(frozen=True, slots=True)
class Sighting:
    """What one reader or button told. `number` counts as those of `SensorChange`.

    `what` is a `Sight`, or what a later minor version says and nobody here understands. `source` is the
    reader, or the button; `uid` the tag's, in upper-case hexadecimal, empty where none belongs to it.
    """

    number: int
    what: int
    source: int
    uid: str
    device_ms: int


@dataclass(frozen=True, slots=True)
class Sightings:
    """In-order sightings, none seen before. Must be kept on disk before they are acknowledged."""

    nonce: int
    sightings: tuple[Sighting, ...]


@dataclass(frozen=True, slots=True)
class TagsLying:
    """Every tag a reader sees, as (reader, uid), after sighting `number`. Never on the wire: a journal begins
    or goes on with it.
    """

    nonce: int
    number: int
    device_ms: int
    tags: tuple[tuple[int, str], ...]


@dataclass(frozen=True, slots=True)
class Complete:
    """The board's word that it was quiet from the last change told until `device_ms`."""

    nonce: int
    device_ms: int


Observation = Changes | Snapshot | Sightings | TagsLying | Complete


def encode_observation(observation: Observation) -> dict[str, Any]:
    """The JSON form of an observation; `parse_observation` is its inverse."""
    match observation:
        case Changes(nonce, changes):
            rows = [[c.number, c.sensor, c.old, c.new, c.device_ms] for c in changes]
            return {"nonce": nonce, "changes": rows}
        case Snapshot(nonce, number, device_ms, classes):
            return {"nonce": nonce, "number": number, "device_ms": device_ms, "classes": classes.hex()}
        case Sightings(nonce, sightings):
            told = [[s.number, s.what, s.source, s.uid, s.device_ms] for s in sightings]
            return {"nonce": nonce, "sightings": told}
        case TagsLying(nonce, number, device_ms, tags):
            return {"nonce": nonce, "number": number, "device_ms": device_ms, "tags": [list(t) for t in tags]}
        case Complete(nonce, device_ms):
            return {"nonce": nonce, "complete_ms": device_ms}


def parse_observation(body: dict[str, Any]) -> Observation:
    """Read the JSON form back. KeyError, TypeError or ValueError when it is not one."""
    nonce = int(body["nonce"])
    if "changes" in body:
        return Changes(
            nonce,
            tuple(SensorChange(n, SensorId(s), old, new, ms) for n, s, old, new, ms in body["changes"]),
        )
    if "classes" in body:
        classes = bytes.fromhex(body["classes"])
        return Snapshot(nonce, int(body["number"]), int(body["device_ms"]), classes)
    if "sightings" in body:
        return Sightings(
            nonce, tuple(Sighting(n, what, source, uid, ms) for n, what, source, uid, ms in body["sightings"])
        )
    if "tags" in body:
        tags = tuple((int(reader), str(uid)) for reader, uid in body["tags"])
        return TagsLying(nonce, int(body["number"]), int(body["device_ms"]), tags)
    return Complete(nonce, int(body["complete_ms"]))
