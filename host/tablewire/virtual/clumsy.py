"""What goes wrong while a hand lays a piece or moves a peg on a simulated table.

Owns each fault of PLACING_FAULTS: how it alters what the hand was told to do. Must not know whose turn it is,
the wire or how time passes; chance is an argument.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from random import Random
from types import MappingProxyType

from tablewire.games.cirkis.colours import PlayerColour
from tablewire.games.cirkis.wiring import HOLES, class_of, sensor_of
from tablewire.virtual.commands import Peg, Place
from tablewire.virtual.fault_kinds import Fault
from tablewire.virtual.fault_table import WEAK, colour_told
from tablewire.virtual.hands import EMPTY, Plan, Step
from tablewire.virtual.magnets import weaker
from tablewire.virtual.tabletop import Spaces, Tabletop, say, touching
from tablewire.wire.messages import MagnetClass


@dataclass(frozen=True, slots=True)
class Altered:
    """What the hand does instead: a plan, or another command to be planned. `text` says it in words."""

    text: str
    plan: Plan | None = None
    instead: Peg | None = None
    laid: tuple[tuple[PlayerColour, Spaces], ...] = ()


Spoil = Callable[[Fault, Place, Plan, Tabletop, Random], Altered]
SpoilPeg = Callable[[Fault, Peg, Random], Altered]


def badly_seated(fault: Fault, magnet: MagnetClass) -> MagnetClass:
    """What a sensor reads of a magnet that does not sit well."""
    return weaker(magnet) if fault.settings["reads"] == WEAK else EMPTY


def _half_seated(fault: Fault, place: Place, plan: Plan, _top: Tabletop, rng: Random) -> Altered:
    space = rng.choice(place.spaces)
    reads = badly_seated(fault, class_of(place.colour))
    steps = tuple(
        replace(step, reads=reads) if step.sensor == sensor_of(space) else step for step in plan.steps
    )
    return Altered(f"{space} does not sit well", replace(plan, steps=steps))


def _slide(fault: Fault, place: Place, plan: Plan, top: Tabletop, rng: Random) -> Altered:
    last = place.spaces[0]
    allowed = top.bare() - set(place.spaces)
    path = top.walk(last, fault.drawn("over", rng) + 1, allowed, rng)[::-1]
    magnet, at_ms = class_of(place.colour), 0
    steps: list[Step] = []
    for space in path[:-1]:
        steps.append(Step(at_ms, sensor_of(space), magnet))
        at_ms += fault.drawn("ms", rng)
        steps.append(Step(at_ms, sensor_of(space), EMPTY))
    landing = [replace(step, after_ms=step.after_ms + at_ms) for step in plan.steps]
    return Altered(f"slid over {say(path)}", Plan((*steps, *landing), plan.duration_ms + at_ms))


def _straighten(fault: Fault, place: Place, plan: Plan, top: Tabletop, rng: Random) -> Altered:
    near = sorted({s for space in place.spaces for s in touching(space) if top.magnet(s)})
    some = rng.sample(near, min(len(near), fault.drawn("spaces", rng)))
    steps, end_ms = list(plan.steps), plan.duration_ms
    for space in some:
        sensor, off_ms = sensor_of(space), rng.randint(0, plan.duration_ms)
        on_ms = off_ms + fault.drawn("ms", rng)
        steps += [Step(off_ms, sensor, EMPTY), Step(on_ms, sensor, top.magnet(space), gently=True)]
        end_ms = max(end_ms, on_ms)
    return Altered(f"off and on again: {say(some) or 'nothing lies beside it'}", Plan(tuple(steps), end_ms))


def _wrong_colour(fault: Fault, place: Place, plan: Plan, top: Tabletop, rng: Random) -> Altered:
    colour = colour_told(fault) or _another(place.colour, top, rng)
    steps = tuple(replace(step, magnet=class_of(colour)) if step.magnet else step for step in plan.steps)
    return Altered(f"laid in {colour}", replace(plan, steps=steps), laid=((colour, place.spaces),))


def _too_fast(fault: Fault, place: Place, plan: Plan, top: Tabletop, rng: Random) -> Altered:
    return _another_lands(fault, place, plan, top, rng, plan.duration_ms)


def _two_hands(fault: Fault, place: Place, plan: Plan, top: Tabletop, rng: Random) -> Altered:
    return _another_lands(fault, place, plan, top, rng, 0)


def _another_lands(
    fault: Fault, place: Place, plan: Plan, top: Tabletop, rng: Random, since_ms: int
) -> Altered:
    """Somebody else's piece of one space comes down beside this one, so many ms after `since_ms`."""
    colour = colour_told(fault) or _another(place.colour, top, rng)
    near = [space for space in top.beside(place.spaces) if space not in place.spaces]
    apart = top.apart(near, colour)
    if not near:
        return Altered("there is no room beside it", plan)
    space, at_ms = rng.choice(apart or near), since_ms + fault.drawn("ms", rng)
    landing = Step(at_ms, sensor_of(space), class_of(colour), gently=True)
    return Altered(
        f"{colour} {space} lands beside it",
        Plan((*plan.steps, landing), max(plan.duration_ms, at_ms)),
        laid=((colour, (space,)),),
    )


def _another(colour: PlayerColour, top: Tabletop, rng: Random) -> PlayerColour:
    """Another colour that plays, as far as the table shows it."""
    others = [one for one in top.colours() if one is not colour] or [
        c for c in PlayerColour if c is not colour
    ]
    return rng.choice(others)


def _no_peg(_fault: Fault, peg: Peg, _rng: Random) -> Altered:
    return Altered(f"the peg of {peg.colour} is forgotten", Plan((), 0))


def _wrong_peg(_fault: Fault, peg: Peg, rng: Random) -> Altered:
    at = HOLES.index(peg.hole)
    hole = HOLES[rng.choice([near for near in (at - 1, at + 1) if 0 <= near < len(HOLES)])]
    return Altered(f"the peg of {peg.colour} goes to hole {hole}", instead=Peg(peg.colour, hole))


SPOILS: Mapping[str, Spoil] = MappingProxyType(
    {
        "half-seated": _half_seated,
        "slide": _slide,
        "straighten-while-placing": _straighten,
        "wrong-colour": _wrong_colour,
        "too-fast": _too_fast,
        "two-hands": _two_hands,
    }
)
PEG_SPOILS: Mapping[str, SpoilPeg] = MappingProxyType({"no-peg": _no_peg, "wrong-peg": _wrong_peg})
