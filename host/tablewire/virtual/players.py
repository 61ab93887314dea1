"""Computer players: what the page shows -> the next thing a hand does, or the next button.

Owns when a player acts, and how players react to what the page asks of them. Must not know the socket, the
pty, threads or time: all they see is the state document, as a person sees the page. The same seed and the
same position lead to the same decision, whatever came before.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace
from random import Random
from typing import Any

from tablewire.games.cirkis.record import Line, NextRound, Pass, Ruling, Turn
from tablewire.games.cirkis.rules import Rules, State
from tablewire.games.cirkis.tiling import mask_of
from tablewire.virtual import tactics
from tablewire.virtual.gestures import (
    LAYING,
    PEG_PLAIN,
    PEGGING,
    PLAIN,
    SHARES,
    WRONG_KINDS,
    Gesture,
    PegWay,
    Scene,
    joins,
    lift,
    place,
)

HOLDING = frozenset({"illegal", "ambiguous", "unexplained", "restore", "setup"})
"""Kinds of message that come before the next move; a peg may wait."""
PATIENCE_COUNT = 4
"""Calm looks at a page before a player thinks that it will not react to what was done last."""

Document = Mapping[str, Any]


@dataclass(frozen=True, slots=True)
class Choose:
    """Press the button of a choice."""

    id: str


Decision = Gesture | Choose


@dataclass(frozen=True, slots=True)
class _Awaited:
    """What was done, what the page said then, and how often it has been looked at in vain."""

    done: Decision
    message: Any
    calm_count: int = 0


@dataclass(frozen=True, slots=True)
class _PegPlan:
    """How a peg will get to the hole `due`; `tried` once it was moved."""

    due: int
    way: PegWay
    since_moves: int
    tried: bool = False


class Players:
    """All players of one game. `shares` replaces how often each way to lay a piece or a peg occurs."""

    def __init__(self, rules: Rules, seed: str, shares: Mapping[str, float] = SHARES) -> None:
        self._rules = rules
        self._seed = seed
        self._shares = shares
        self._awaited: _Awaited | None = None
        self._intended: tuple[int, ...] = ()
        self._tried_at = (0, 0)
        self._try_count = 0
        self._was_wrong = False
        self._pegs: dict[str, _PegPlan] = {}

    def decide(self, document: Document, *, calm: bool) -> Decision | None:
        """The next thing to do; None: wait until the page changes, or has been calm for a while.

        `calm`: the page has not changed for as long as it takes to read it.
        """
        if not self._arrived(document, calm):
            return None
        message = document["message"]
        decision: Decision | None
        if _holds(message):
            decision = self._obey(document, message) if calm else None
        else:
            decision = self._next_peg(document) or self._next_piece(document)
        if decision is not None:
            self._awaited = _Awaited(decision, message)
        return decision

    # What was done, and what came of it

    def _arrived(self, document: Document, calm: bool) -> bool:
        """Whether the page shows what was done last, asks for something else, or was waited for in vain."""
        awaited = self._awaited
        if awaited is None:
            return True
        awaited = replace(awaited, calm_count=awaited.calm_count + calm)
        message = document["message"]
        asks = calm and _holds(message) and message != awaited.message
        if asks or _shown(document, awaited) or awaited.calm_count >= PATIENCE_COUNT:
            self._awaited = None
            return True
        self._awaited = awaited
        return False

    def _obey(self, document: Document, message: Mapping[str, Any]) -> Decision:
        """Do what the page says."""
        chosen = self._choice(message["choices"])
        if chosen is not None:
            return Choose(chosen)
        rng = self._chance(document, "obey")
        lines = []
        for step in message["steps"]:
            match step["do"]:
                case "lift":
                    lines.append(lift(step["spaces"], rng))
                case "place":
                    if "half_seated" in message["reasons"]:  # whatever lies there comes off, and is laid anew
                        lines += [f"lift {space}" for space in step["spaces"]]
                    lines.append(place(step["colour"], step["spaces"], rng))
                case "move_peg":
                    lines.append(f"peg {step['colour']} {step['hole']}")
        return Gesture(f"obey_{message['kind']}", tuple(lines))

    def _choice(self, choices: Iterable[Mapping[str, str]]) -> str | None:
        """The choice that says what the player meant: one piece on just these spaces."""
        meant = ",".join(map(str, sorted(self._intended)))
        for choice in choices:
            kind, _, said = choice["id"].partition(":")
            if kind == "grow":
                said = said.partition(":")[2]
            if meant and said == meant:
                return choice["id"]
        return None

    # Pegs

    def _next_peg(self, document: Document) -> Gesture | None:
        message = document["message"]
        told = (
            {step.get("colour") for step in message["steps"]} if message and message["kind"] == "peg" else ()
        )
        for player in document["players"]:
            colour, hole, due = player["colour"], player["peg"]["hole"], player["peg"]["due"]
            if hole == due or (hole is None and not due):
                self._pegs.pop(colour, None)
                continue
            rng = self._chance(document, f"peg {colour} {due}")
            plan = self._pegs.get(colour)
            if plan is None or plan.due != due:
                plan = _PegPlan(due, self._peg_way(rng), document["moves"])
            late = document["moves"] - plan.since_moves < plan.way.late_placements
            now = colour in told if plan.tried else not late or document["phase"] == "over"
            self._pegs[colour] = replace(plan, tried=plan.tried or now)
            if now:
                return (PEG_PLAIN if plan.tried else plan.way).move(colour, due, rng)
        return None

    def _peg_way(self, rng: Random) -> PegWay:
        ways = [way for way in PEGGING if self._shares.get(way.kind)]
        return rng.choices(ways, [self._shares[way.kind] for way in ways])[0] if ways else PEG_PLAIN

    # Pieces

    def _next_piece(self, document: Document) -> Gesture | None:
        if document["phase"] != "playing" or document["turn"] is None:
            return None
        state = position(self._rules, document["history"])
        if state.to_move != document["turn"]:
            return None
        self._count_tries(document)
        rng = self._chance(document, f"piece {self._try_count}")
        piece = tactics.choose(self._rules, state, rng)
        laid = [(each["player"], mask_of(each["spaces"])) for each in document["laid"]]
        own = [mask for player, mask in laid if player == state.to_move]
        if document["provisional"] and any(joins(self._rules, mask, piece.mask) for mask in own):
            return None  # it would be taken for the rest of a piece that has just come down
        gesture = self._lay(Scene(self._rules, state, document["turn"], piece, laid), rng)
        self._try_count += 1
        self._was_wrong = self._was_wrong or gesture.wrong
        self._intended = gesture.spaces
        return gesture

    def _count_tries(self, document: Document) -> None:
        at = (document["round"], document["moves"])
        if at != self._tried_at:
            self._tried_at, self._try_count, self._was_wrong = at, 0, False

    def _lay(self, scene: Scene, rng: Random) -> Gesture:
        barred = WRONG_KINDS if self._was_wrong else frozenset()
        ways = [way for way in LAYING if self._shares.get(way.kind) and way.kind not in barred]
        way = rng.choices(ways, [self._shares[way.kind] for way in ways])[0] if ways else PLAIN
        return way.lay(scene, rng) or PLAIN.lay(scene, rng) or Gesture(PLAIN.kind, ())

    def _chance(self, document: Document, what: str) -> Random:
        return Random(f"{self._seed}/{document['round']}/{document['moves']}/{what}")  # noqa: S311 - a game


def position(rules: Rules, history: Iterable[Mapping[str, Any]]) -> State:
    """The state of the game after the lines of a document's history."""
    state = rules.start()
    for told in history:
        state = rules.apply(state, _line(told)).state
    return state


def _line(told: Mapping[str, Any]) -> Line:
    if "ruling" in told:
        return Ruling(told["ruling"])
    if "round" in told:
        return NextRound(told["round"])
    if "spaces" in told:
        return Turn(told["player"], tuple(told["spaces"]), forced="forced" in told)
    return Pass(told["player"], forced="forced" in told)


def _holds(message: Any) -> bool:
    """Whether the page asks for something that comes before the next move."""
    return message is not None and message["kind"] in HOLDING and bool(message["steps"])


def _shown(document: Document, awaited: _Awaited) -> bool:
    """Whether the page shows what was done."""
    done = awaited.done
    if isinstance(done, Choose):
        return bool(document["message"] != awaited.message)
    if done.peg is not None:
        holes = {player["colour"]: player["peg"]["hole"] for player in document["players"]}
        return bool(holes.get(done.colour) == done.peg)
    if done.wrong:
        return _holds(document["message"])
    if done.spaces:
        colours = {document["spaces"].get(str(space)) for space in done.spaces}
        return document["leader"] == sorted(done.spaces) and colours == {done.colour}
    return bool(document["message"] != awaited.message)
