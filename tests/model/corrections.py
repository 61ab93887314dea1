"""What people correct: any entry changed, put in or taken out, and moves entered by hand.

Owns the rules of the machine that rewrite the list of moves. What a correction must lead to is worked out
here once more, with the slow rules; the preview must say the same, and the correction do what it said.
"""

from __future__ import annotations

from random import Random
from typing import Any, NamedTuple

from hypothesis.stateful import precondition, rule
from tests.games import slow_rules
from tests.model.meaning import Line, is_piece
from tests.model.operators import Operators
from tests.model.sitting import CHANCE


class Plan(NamedTuple):
    """What a changed list of moves leads to: the lines that stand, and by their number in the changed list
    those that stand only as forced, and those that cannot stand."""

    lines: list[Line]
    forced: list[int]
    lost: list[int]
    first: int | None


class Corrections(Operators):
    """Corrections, entries by hand."""

    def plan(self, lines: list[Line]) -> Plan:
        """A changed list of moves, told to the slow rules line by line."""
        kept: list[Line] = []
        forced, lost, first = list[int](), list[int](), None
        without_round = False
        for n, line in enumerate(lines, 1):
            reasons = set(self.meaning.after([*kept, line]).printed[-1].get("reasons", []))
            if without_round:
                lost.append(n)
                continue
            first = n if reasons and first is None else first
            if not reasons:
                kept.append(line)
            elif reasons <= slow_rules.CAN_FORCE and "round" not in line and not line.get("forced"):
                kept.append({**line, "forced": True})
                forced.append(n)
            else:
                lost.append(n)
                without_round = "round" in line
        return Plan(kept, forced, lost, first)

    @precondition(lambda self: self.readable and self.meaning.moves)
    @rule(chance=CHANCE)
    def corrects(self, chance: int) -> None:
        """An entry is changed, put in or taken out; what follows is judged anew, nothing dropped unsaid."""
        meaning, rng = self.meaning, Random(chance)
        do = rng.choice(["replace", "insert", "remove"])
        n = rng.randint(1, len(meaning.moves) + (do == "insert"))
        new = [] if do == "remove" else [self.some_line(rng, n, do)]
        lines = [*meaning.moves[: n - 1], *new, *meaning.moves[n - (do == "insert") :]]
        plan = self.plan(lines)
        body: dict[str, Any] = {"n": n, "do": do, **({"line": new[0]} if new else {})}
        preview = self.press("correct", **body, preview=True)["preview"]
        assert preview["possible"] == (not new or n not in plan.lost)
        assert (preview["forced"], preview["lost"]) == (plan.forced, plan.lost)
        assert (preview["first_illegal"] or {"n": None})["n"] == plan.first
        after = meaning.after(plan.lines)
        assert (preview["scores"], preview["next"]) == (after.table.scores, after.due)
        before = self.evening.game
        if plan.forced or plan.lost:
            status, answer = self.evening.act("correct", **body)
            assert (status, answer["reason"]) == (409, "would_be_illegal")
            assert self.evening.game == before
        if not preview["possible"] or rng.random() < 0.3:
            return
        self.press("correct", **body, keep_forced=True, drop_rest=True, by="Anna", note="it was so")
        meaning.moves = plan.lines
        played = do == "insert" and n == len(lines) and "ruling" not in new[0]
        meaning.undone, meaning.liftable = [] if played else meaning.undone, None
        self.rest()

    def some_line(self, rng: Random, n: int, do: str) -> Line:
        """A line of a record that could stand, or could not, as entry `n`."""
        meaning = self.meaning
        told = meaning.after(meaning.moves[: n - 1])
        player = told.due or rng.choice(meaning.players)
        choice = rng.random()
        old = meaning.moves[n - 1] if do == "replace" else None
        if choice < 0.15:
            return {"ruling": {"points": {player: rng.choice([-5, 5, 40])}, "note": "a bet"}}
        if choice < 0.25:
            return {"player": player, "pass": True, **({"forced": True} if rng.random() < 0.5 else {})}
        if choice < 0.45 and old is not None and is_piece(old):
            return {**old, "player": rng.choice(meaning.players)}
        if choice < 0.8 and told.choices:
            return {"player": player, "spaces": sorted(rng.choice(sorted(told.choices, key=sorted)))}
        places = sorted(meaning.told.table.places, key=sorted)
        line: Line = {"player": rng.choice(meaning.players), "spaces": sorted(rng.choice(places))}
        return {**line, "forced": True} if rng.random() < 0.5 else line

    @precondition(lambda self: self.readable and not self.meaning.over)
    @rule(chance=CHANCE)
    def enters_by_hand(self, chance: int) -> None:
        """A move is entered on the page: legal, refused with every reason, or forced; then its piece is asked
        for."""
        meaning, rng = self.meaning, Random(chance)
        told = meaning.told
        assert told.due is not None
        if rng.random() < 0.5:
            line: Line = {
                "player": told.due,
                "spaces": sorted(rng.choice(sorted(told.choices, key=sorted))),
            }
        else:
            places = sorted(told.table.places, key=sorted)
            line = {"player": rng.choice(meaning.players), "spaces": sorted(rng.choice(places))}
        reasons = meaning.refused(line)
        forced = rng.random() < 0.5
        status, answer = self.evening.act("place", **line, forced=forced)
        if reasons and not (forced and set(reasons) <= slow_rules.CAN_FORCE):
            assert (status, answer["reason"], answer["reasons"]) == (409, "illegal", reasons)
            return
        assert status == 200, answer
        meaning.moves.append({**line, "forced": True} if reasons else line)
        meaning.undone, meaning.liftable = [], None
        self.rest()
