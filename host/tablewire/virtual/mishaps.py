"""What goes wrong with the pieces that lie on a simulated table, as steps of magnets.

Owns each fault of HAND_FAULTS: which pieces it hits, where they go and when. Must not know whose turn it is,
the wire or how time passes; chance is an argument.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from itertools import pairwise
from random import Random
from types import MappingProxyType

from tablewire.games.cirkis.colours import PlayerColour
from tablewire.games.cirkis.wiring import class_of, peg_sensor, sensor_of
from tablewire.virtual.fault_kinds import Fault, FaultError
from tablewire.virtual.fault_table import colour_told
from tablewire.virtual.hands import EMPTY, Step
from tablewire.virtual.tabletop import Spaces, Tabletop, joined, say, touching

FLIGHT_MS = 60  # from leaving a space to lying on another: a piece that is thrown over is quick


@dataclass(frozen=True, slots=True)
class Mishap:
    """What will happen: the steps, what there is to say of it, and the magnets that then lie together."""

    steps: tuple[Step, ...]
    text: str
    laid: tuple[tuple[PlayerColour | None, Spaces], ...] = ()


Hit = Callable[[Fault, Tabletop, Random], Mishap]


def off(after_ms: int, space: int) -> Step:
    """A magnet leaves a space."""
    return Step(after_ms, sensor_of(space), EMPTY)


def on(after_ms: int, space: int, top: Tabletop, origin: int) -> Step:
    """The magnet that lies on `origin` now comes to lie on a space; a hand that was there first wins."""
    return Step(after_ms, sensor_of(space), top.magnet(origin), gently=True)


def _something(top: Tabletop) -> list[int]:
    covered = top.covered()
    if not covered:
        raise FaultError("nothing lies on the board: lay a piece first")
    return covered


def _told(fault: Fault, top: Tabletop) -> Spaces:
    """The spaces that the fault names, all of which must be covered."""
    bare = [space for space in fault.at if not top.magnet(space)]
    if bare:
        raise FaultError(f"nothing lies on {say(bare)}")
    return fault.at


def _bare_told(fault: Fault, top: Tabletop) -> Spaces:
    covered = [space for space in fault.at if top.magnet(space)]
    if covered:
        raise FaultError(f"a piece lies on {say(covered)} already")
    return fault.at


def neighbourhood(top: Tabletop, count: int, rng: Random) -> Spaces:
    """Up to so many covered spaces, each beside another one: as far as a finger reaches."""
    covered = set(_something(top))
    found = [rng.choice(sorted(covered))]
    while len(found) < count:
        near = [s for space in found for s in touching(space) if s in covered and s not in found]
        if not near:
            break
        found.append(rng.choice(near))
    return tuple(found)


def _nudge(fault: Fault, top: Tabletop, rng: Random) -> Mishap:
    spaces = _told(fault, top) or neighbourhood(top, fault.drawn("count", rng), rng)
    return Mishap(_off_and_on(fault, top, spaces, rng), f"off and on again: {say(spaces)}")


def _jolt(fault: Fault, top: Tabletop, rng: Random) -> Mishap:
    spaces = tuple(_something(top))
    return Mishap(_off_and_on(fault, top, spaces, rng), f"off and on again: {say(spaces)}")


def _off_and_on(fault: Fault, top: Tabletop, spaces: Spaces, rng: Random) -> tuple[Step, ...]:
    steps = []
    for space in spaces:
        steps += [off(0, space), on(fault.drawn("ms", rng), space, top, space)]
    return tuple(steps)


def _knock(fault: Fault, top: Tabletop, rng: Random) -> Mishap:
    _something(top)
    hit = list(dict.fromkeys(top.piece_on(space) for space in _told(fault, top)))
    if not hit:
        begin = rng.choice(top.pieces())
        near = sorted(top.pieces(), key=lambda piece: _distance(begin, piece))
        hit = near[: fault.drawn("count", rng)]
    allowed = top.bare()
    steps, words, laid = [], [], []
    for piece in hit:
        at_ms = rng.randint(0, fault.drawn("ms", rng))
        steps += [off(at_ms, space) for space in piece]
        to = () if rng.random() < fault.share("floor") else top.patch(len(piece), allowed, rng)
        allowed -= set(to)
        steps += [on(at_ms + FLIGHT_MS, there, top, here) for here, there in zip(piece, to, strict=False)]
        laid += [(top.colour(piece[0]), to)] if to else []
        words.append(f"{top.colour(piece[0])} {say(piece)} to {say(to) or 'the floor'}")
    return Mishap(tuple(steps), "; ".join(words), tuple(laid))


def _distance(begin: Spaces, piece: Spaces) -> int:
    """How many steps from space to space lie between two pieces."""
    reached, steps = set(begin), 0
    while not reached & set(piece):
        reached |= {other for space in reached for other in touching(space)}
        steps += 1
    return steps


def _sweep(fault: Fault, top: Tabletop, rng: Random) -> Mishap:
    spaces, within_ms = _something(top), fault.drawn("ms", rng)
    steps = tuple(off(rng.randint(0, within_ms), space) for space in spaces)
    return Mishap(steps, f"swept off: {say(spaces)}")


def _clear(fault: Fault, top: Tabletop, rng: Random) -> Mishap:
    within_ms = fault.drawn("ms", rng)
    steps = [
        off(at_ms, space)
        for piece in top.pieces()
        for at_ms in (rng.randint(0, within_ms),)
        for space in piece
    ]
    for colour in PlayerColour:
        hole = top.peg(colour)
        if hole is not None:
            steps.append(Step(rng.randint(0, within_ms), peg_sensor(colour, hole), EMPTY))
    if not steps:
        raise FaultError("nothing lies on the board: it is cleared already")
    return Mishap(tuple(steps), "cleared")


def _swap(fault: Fault, top: Tabletop, rng: Random) -> Mishap:
    _something(top)
    told = tuple(dict.fromkeys(top.piece_on(space) for space in _told(fault, top)))
    if told:
        pairs = [told] if len(told) == 2 and len(told[0]) == len(told[1]) else []
    else:
        pieces = top.pieces()
        pairs = [
            (one, other)
            for at, one in enumerate(pieces)
            for other in pieces[at + 1 :]
            if len(one) == len(other) and top.colour(one[0]) is not top.colour(other[0])
        ]
    if not pairs:
        raise FaultError(
            "there are no two pieces of the same size and of two colours that could change places"
        )
    one, other = rng.choice(pairs)
    away_ms = fault.drawn("ms", rng)
    steps = [off(0, space) for space in one] + [off(away_ms // 3, space) for space in other]
    steps += [on(away_ms, there, top, here) for here, there in zip(other, one, strict=True)]
    steps += [on(away_ms * 4 // 3, there, top, here) for here, there in zip(one, other, strict=True)]
    text = f"{top.colour(one[0])} {say(one)} and {top.colour(other[0])} {say(other)} change places"
    return Mishap(tuple(steps), text, ((top.colour(other[0]), one), (top.colour(one[0]), other)))


def _turn(fault: Fault, top: Tabletop, rng: Random) -> Mishap:
    _something(top)
    pieces = [top.piece_on(space) for space in _told(fault, top)[:1]] or top.pieces()
    pivots = [(piece, stays) for piece in pieces for stays in piece if len(piece) > 1]
    for piece, stays in rng.sample(pivots, len(pivots)):
        to = top.walk(stays, len(piece), top.bare(), rng)[1:]
        leaves = [space for space in piece if space != stays]
        if len(to) == len(leaves):
            away_ms = fault.drawn("ms", rng)
            steps = [off(0, space) for space in leaves]
            steps += [on(away_ms, there, top, here) for here, there in zip(leaves, to, strict=True)]
            return Mishap(
                tuple(steps),
                f"{say(piece)} turned onto {say((stays, *to))}",
                ((top.colour(stays), (stays, *to)),),
            )
    raise FaultError("there is no piece of two or three spaces that has room to be turned")


def _shove(fault: Fault, top: Tabletop, rng: Random) -> Mishap:
    covered = set(_something(top))
    count = fault.drawn("count", rng)
    begins = _told(fault, top)[:1] or rng.sample(sorted(covered), len(covered))
    rows = [row for begin in begins for row in _rows(begin, count, covered)]
    if not rows:
        raise FaultError("no magnet has a bare space beside it to be shoved to")
    longest = max(map(len, rows))
    row = rng.choice([row for row in rows if len(row) == longest])
    within_ms = fault.drawn("ms", rng)
    steps = [off(rng.randint(0, within_ms // 2), space) for space in row[:-1]]
    steps += [on(within_ms, there, top, here) for here, there in pairwise(row)]
    return Mishap(tuple(steps), f"shoved on by one space: {say(row)}")


def _rows(begin: int, count: int, covered: set[int]) -> list[Spaces]:
    """Ways of one to `count` covered spaces from `begin` on, and the bare one behind them."""
    found: list[Spaces] = []
    ways: list[Spaces] = [(begin,)]
    while ways:
        way = ways.pop()
        for onward in joined(way[-1]):
            if onward not in covered:
                found.append((*way, onward))
            elif onward not in way and len(way) < count:
                ways.append((*way, onward))
    return found


def _passing(fault: Fault, top: Tabletop, rng: Random) -> Mishap:
    bare = top.bare()
    path = _bare_told(fault, top) or top.walk(rng.choice(sorted(bare)), fault.drawn("count", rng), bare, rng)
    magnet = class_of(colour_told(fault) or rng.choice(list(PlayerColour)))
    steps, at_ms = [], 0
    for space in path:
        over_ms = fault.drawn("ms", rng)
        steps += [Step(at_ms, sensor_of(space), magnet, gently=True), off(at_ms + over_ms, space)]
        at_ms += over_ms
    return Mishap(tuple(steps), f"passes over {say(path)}")


def _stranger(fault: Fault, top: Tabletop, rng: Random) -> Mishap:
    others = [colour for colour in PlayerColour if colour not in top.colours()]
    if colour_told(fault) is None and not others:
        raise FaultError("all four colours are on the board: none is a stranger; name one with colour=")
    colour = colour_told(fault) or rng.choice(others)
    space = _bare_told(fault, top)[:1] or (rng.choice(top.beside(top.covered()) or sorted(top.bare())),)
    return _lands(colour, space, "a stranger lies there")


def _out_of_turn(fault: Fault, top: Tabletop, rng: Random) -> Mishap:
    _something(top)
    last = top.pieces()[-1]
    colour = colour_told(fault) or top.colour(last[0]) or PlayerColour.RED
    near = top.apart(top.beside(last), colour) or top.apart(top.beside(top.covered()), colour)
    space = _bare_told(fault, top)[:1] or (rng.choice(near or sorted(top.bare())),)
    return _lands(colour, space, "laid once more")


def _lands(colour: PlayerColour, spaces: Spaces, words: str) -> Mishap:
    steps = tuple(Step(0, sensor_of(space), class_of(colour), gently=True) for space in spaces)
    return Mishap(steps, f"{words}: {colour} {say(spaces)}", ((colour, spaces),))


def _peg_fallen(fault: Fault, top: Tabletop, rng: Random) -> Mishap:
    standing = [c for c in PlayerColour if top.peg(c) is not None and colour_told(fault) in (None, c)]
    if not standing:
        raise FaultError("no such peg stands in a hole")
    colour = rng.choice(standing)
    hole = top.peg(colour)
    steps = () if hole is None else (Step(0, peg_sensor(colour, hole), EMPTY),)
    return Mishap(steps, f"the peg of {colour} has fallen out of hole {hole}")


MISHAPS: Mapping[str, Hit] = MappingProxyType(
    {
        "nudge": _nudge,
        "jolt": _jolt,
        "knock": _knock,
        "sweep": _sweep,
        "clear-after-end": _clear,
        "swap": _swap,
        "turn": _turn,
        "shove": _shove,
        "passing": _passing,
        "stranger": _stranger,
        "out-of-turn": _out_of_turn,
        "peg-fallen": _peg_fallen,
    }
)
