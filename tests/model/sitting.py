"""The table as the model sits at it: how hands move, what is compared at every step, and how what is wrong is
put right.

Owns the comparison of three things: what the players mean (meaning.py), what the page shows, what the disk
holds.
Imports neither the game's engine nor its reading of the sensors.
"""

from __future__ import annotations

import json
import sys
import tempfile
from collections.abc import Iterable, Mapping
from pathlib import Path
from random import Random
from typing import Any

from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, initialize, invariant
from tests.model.evening import Evening
from tests.model.meaning import COLOURS, Line, Meaning, Told, same

REST_MS = 3_400
"""Longer than any gesture needs to settle, to be lifted for good, or to be unable to grow any more."""
CATCH_UP_MS = 6_000
"""After the link is whole again: everything that waits has been told, and has settled."""
OBEYED_MAX = 25
"""A person who does what the page says is done after so many messages, whatever lay there before."""
SITTING_UNTOLD_MAX = 90
"""Changes that the board keeps for a host that does not listen, with some to spare (the board keeps 128)."""
CHANCE = st.integers(0, 2**32 - 1)
SMALL_SET = [
    {"name": "dot", "count": 3, "example": [6]},
    {"name": "tip", "count": 3, "example": [1]},
    {"name": "pair", "count": 2, "example": [7, 8]},
    {"name": "edge", "count": 1, "example": [156]},
]
"""Nine pieces: a game that ends within reach, by going out or by being stuck."""


def header_of(rng: Random) -> Line:
    """How a game may begin."""
    options: Line = {}
    if rng.random() < 0.6:
        options["target"] = rng.choice([5, 10, 20])
    if rng.random() < 0.3:
        options["voluntary_pass"] = True
    if rng.random() < 0.3:
        options["center_ring"] = True
    if rng.random() < 0.3:
        options["match"] = rng.choice([10, 40])
    if rng.random() < 0.4:
        options["pieces"] = SMALL_SET
    players = rng.sample(COLOURS, rng.choice([2, 2, 3, 4]))
    return {"players": players, "rulebook": rng.choice(["hasbro", "international"]), "options": options}


class Sitting(RuleBasedStateMachine):
    """`trouble`: what is broken at the moment; while something is, hands go on and nobody reads the page."""

    def __init__(self) -> None:
        super().__init__()
        self.room = tempfile.TemporaryDirectory(prefix="tablewire-model-")
        self.evening: Evening
        self.meaning = Meaning({"players": ["red", "green"]})
        self.trouble: set[str] = set()
        self.untold_count = 0
        self.begun = False
        self.whole_steps = 0
        self.chattered = set[int]()
        self.others: dict[str, Meaning] = {}

    @initialize(chance=CHANCE)
    def sit_down(self, chance: int) -> None:
        """A fresh table, and a game begun by a button."""
        rng = Random(chance)
        self.evening = Evening(Path(self.room.name), rng.randrange(1_000))
        self.begin(header_of(rng))
        self.begun = True
        self.rest()

    def begin(self, header: Line) -> None:
        """Begin a game; whatever lies on the table stays there."""
        if self.begun:
            self.others[self.doc["game_id"]] = self.meaning
        self.press("new_game", **header)
        self.turn_to(Meaning(header))

    def turn_to(self, meaning: Meaning) -> None:
        """Play another game, on the table as it lies."""
        meaning.on, meaning.pegs = self.meaning.on, self.meaning.pegs
        self.meaning = meaning

    def teardown(self) -> None:
        """Everything is switched on again, put right, and must be understood; then the table is left."""
        try:
            if self.begun and sys.exc_info()[0] is None:
                self.heal_everything()
                self.put_right(Random(0))
                self.holds_at_every_step()
        finally:
            if self.begun:
                self.evening.close()
            self.room.cleanup()

    # Comparing

    @property
    def calm(self) -> bool:
        """Nothing is broken, and the table is what the game says."""
        return self.begun and not self.trouble and self.meaning.matches

    @property
    def may_break(self) -> bool:
        """Whether it is time for a fault: after some steps without one, or for one more at a time."""
        return self.begun and (self.whole_steps > 3 if not self.trouble else len(self.trouble) < 3)

    @property
    def playing(self) -> bool:
        """Calm, and somebody may lay a piece."""
        return self.calm and self.meaning.told.due is not None

    @property
    def doc(self) -> dict[str, Any]:
        """What the page shows."""
        return self.evening.shown

    def record(self) -> tuple[Line, list[Line]]:
        """The record of the game as it is exported: header and lines."""
        assert self.evening.host is not None
        header, *lines = [json.loads(text) for text in self.evening.host.table.record().splitlines()]
        return header, lines

    @invariant()
    def holds_at_every_step(self) -> None:
        """Score = the rules applied to the list of moves; page = store; record = history."""
        self.whole_steps = 0 if self.trouble else self.whole_steps + 1
        if not self.begun or self.evening.host is None:
            return
        doc, kept = self.evening.game, self.evening.kept()
        differs = {key: (doc.get(key), kept.get(key)) for key in doc | kept if doc.get(key) != kept.get(key)}
        assert not differs, "a restart now would show something else"
        if doc["game_id"] is None:
            assert doc["phase"] == "waiting"
            return
        header, lines = self.record()
        assert header["players"] == self.meaning.players
        self.is_scored(doc, Told(self.meaning.header, lines))

    def is_scored(self, doc: Mapping[str, Any], told: Told) -> None:
        """The page says of a list of moves what the slow rules say of it."""
        rules = told.table
        assert len(doc["history"]) == len(told.printed)
        for row, printed in zip(doc["history"], told.printed, strict=True):
            assert {key: row.get(key) for key in printed} == printed
        for row, line in zip(doc["history"], told.lines, strict=True):
            assert sorted(row.get("spaces", [])) == sorted(line.get("spaces", []))
        assert {p["colour"]: p["score"] for p in doc["players"]} == rules.scores
        # Who was let play more of a shape than the box holds has none of it left.
        assert {p["colour"]: p["unplayed"] for p in doc["players"]} == {
            player: {name: max(0, count - rules.used[player][name]) for name, count in rules.counts.items()}
            for player in rules.players
        }
        assert doc["turn"] == rules.turn
        assert (doc["free_turn"] is not None) == rules.pending
        assert sorted(doc["leader"]) == sorted(rules.leader)
        assert {int(space): colour for space, colour in doc["spaces"].items()} == told.position
        assert doc["spaces"] == {str(space): colour for space, colour in rules.owner.items()}
        assert doc["round"] == rules.round
        if doc["phase"] == "over" or (rules.ended is not None and not doc["provisional"]):
            assert (doc["phase"], rules.ended is not None) == ("over", True)
            assert doc["result"] == rules.result()["result"]

    def understood(self) -> None:
        """Nothing is lost, doubled or made up: the moves are those that were meant, and the page asks for
        nothing but what is so."""
        self.answer()
        meaning, doc = self.meaning, self.doc
        assert list(map(same, self.record()[1])) == list(map(same, meaning.moves)), doc["message"]
        assert not doc["provisional"]
        message = doc["message"]
        if meaning.over:
            assert doc["phase"] == "over"
        elif meaning.matches:
            assert message is None or message["kind"] == "peg", message
            assert doc["phase"] == "playing"
            moved = {(step["colour"], step["hole"]) for step in message["steps"]} if message else set()
            assert moved == meaning.pegs_wrong()
        elif meaning.half_seated:
            self.asks_to_press_down(meaning.half_seated)
        else:
            assert doc["phase"] in ("hold", "waiting"), doc["phase"]

    def asks_to_press_down(self, spaces: set[int]) -> None:
        """Of each piece some space reads: play goes on, and the others are named."""
        doc, due = self.doc, self.meaning.told.position
        assert doc["phase"] == "playing"
        if not spaces & self.chattered:
            assert doc["message"]["reasons"] == ["half_seated"]
            steps = doc["message"]["steps"]
            asked = {space: step["colour"] for step in steps for space in step["spaces"]}
            assert asked == {space: due[space] for space in spaces}

    def answer(self) -> None:
        """Press the buttons that lead to what was meant. Only what can be read in two ways is asked."""
        for _ in range(8):
            message = self.doc["message"]
            if message is None or message["kind"] != "ambiguous" or self.doc["phase"] == "over":
                return
            right = [choice["id"] for choice in message["choices"] if self.leads(choice["id"], message)]
            assert right, ("no choice is what was meant", message, self.meaning.moves[-2:])
            self.press("choose", id=right[0])
        raise AssertionError("the page asks without end")

    def leads(self, choice: str, message: Mapping[str, Any]) -> bool:
        """Whether a choice leads to the moves that were meant, or part of the way there."""
        lines = self.record()[1]
        kind, *words = choice.split(":")
        if kind == "move":
            colour = message["steps"][0]["colour"]
            lines += [{"player": colour, "spaces": numbers(piece)} for piece in words[0].split("|")]
        elif kind == "fill":
            lines += [{"player": message["steps"][0]["colour"], "spaces": numbers(words[0])}]
        elif kind == "grow":
            lines[int(words[0])] = {**lines[int(words[0])], "spaces": numbers(words[1])}
        else:
            return False
        return list(map(same, lines)) == list(map(same, self.meaning.moves[: len(lines)]))

    def press(self, name: str, **body: Any) -> Mapping[str, Any]:
        """Press a button that must work."""
        status, answer = self.evening.act(name, **body)
        assert status == 200, (name, body, answer)
        return answer

    # Moving hands

    def rest(self, ms: int = REST_MS) -> None:
        """Hands rest; then everything is understood, if it can be."""
        self.evening.run(ms)
        if not self.trouble and self.evening.host is not None:
            self.understood()

    def hand(self, *lines: str) -> None:
        """One hand does something."""
        self.untold_count += sum(line.count(",") + 2 for line in lines) if self.trouble else 0
        self.evening.do(*lines)

    def lay(self, colour: str, spaces: Iterable[int], rng: Random) -> None:
        """A piece comes down in one go."""
        order = rng.sample(sorted(spaces), len(list(spaces)))
        self.hand(f"place {colour} {said(order)} over {rng.randint(0, 550) if len(order) > 1 else 0}")

    def lift(self, spaces: Iterable[int], rng: Random) -> None:
        """Magnets go, in any order."""
        order = rng.sample(sorted(spaces), len(list(spaces)))
        self.hand(f"lift {said(order)} over {rng.randint(0, 500) if len(order) > 1 else 0}")

    # Putting right

    def heal_everything(self) -> None:
        """Whatever is broken works again; what happened meanwhile is told."""
        evening = self.evening
        for fault in sorted(self.trouble - {"off", "unplugged", "full"}):
            evening.do(f"fault off {fault}")
        if "unplugged" in self.trouble:
            evening.do("plug")
        evening.disk.full = False
        if "off" in self.trouble:
            evening.kill()
            evening.switch_on()
        self.trouble.clear()
        self.untold_count = 0
        evening.run(100)
        evening.found()
        self.rest(CATCH_UP_MS)

    def put_right(self, rng: Random) -> None:
        """Lift what does not belong and put back what is missing, in any order: play goes on as it was."""
        if self.meaning.over or self.meaning.matches:
            return
        if self.move_right(rng) and self.meaning.liftable:
            self.meaning.liftable = None
        self.rest()

    def move_right(self, rng: Random) -> bool:
        """Move the pieces to where the moves that were meant have them; whether something was put back."""
        meaning = self.meaning
        due = meaning.told.position
        wrong = [space for space, colour in meaning.on.items() if due.get(space) != colour]
        rng.shuffle(wrong)
        for space in wrong:
            self.lift([space], rng)
            meaning.take([space])
            self.evening.run(rng.choice([0, 100, 700, 1_500]))
        gone = [space for space in due if space not in meaning.on]
        rng.shuffle(gone)
        if gone and wrong:
            # A magnet that comes back within the time of a blink has never been away.
            self.evening.run(1_300)
        for space in gone:
            self.lay(due[space], [space], rng)
            meaning.put(due[space], [space])
            self.evening.run(rng.choice([0, 100, 700, 1_500]))
        return bool(gone)

    def obey(self, rng: Random) -> None:
        """Do what the page says until it says no more; then the table is what the game says, and so the model
        takes that for what is meant."""
        said = []
        for _ in range(OBEYED_MAX):
            message = self.doc["message"]
            if message is None or message["kind"] == "peg" or self.doc["phase"] == "over":
                break
            said.append(message["text"])
            choices = sound_choices(message)
            if choices and rng.random() < 0.6:
                self.press("choose", id=rng.choice(choices))
            else:
                self.take_steps(message, rng)
            self.evening.run(REST_MS)
        else:
            raise AssertionError(f"no way out: {said[-4:]}")
        meaning = self.meaning
        meaning.moves = self.record()[1]
        meaning.undone, meaning.liftable = [], None
        assert meaning.told.legal
        assert meaning.over or meaning.matches, (said[-4:], meaning.on, meaning.told.position)
        self.understood()

    def take_steps(self, message: Mapping[str, Any], rng: Random) -> None:
        """Carry out the steps of a message: lifts and places in any order that hands are able to."""
        todo = [(step, space) for step in message["steps"] for space in step["spaces"]]
        rng.shuffle(todo)
        on = self.meaning.on
        for step, space in todo:
            if step["do"] == "lift" and space in on:
                self.lift([space], rng)
                self.meaning.take([space])
        for step, space in todo:
            if step["do"] == "place" and on.get(space) != step["colour"]:
                if space in on:
                    # A strong magnet that is not in its seat reads weak: whoever is told to press it down,
                    # and sees another colour there, changes it.
                    assert message["reasons"] == ["half_seated"], f"put on {space}, where something lies"
                    self.lift([space], rng)
                    self.evening.run(1_300)
                self.lay(step["colour"], [space], rng)
                self.meaning.put(step["colour"], [space])
            self.evening.run(rng.choice([0, 200, 1_400]))


def sound_choices(message: Mapping[str, Any]) -> list[str]:
    """The choices that are true on a table whose sensors are all sound: none of them is to be masked."""
    return [choice["id"] for choice in message["choices"] if not choice["id"].startswith("mask:")]


def numbers(text: str) -> list[int]:
    """The spaces of a choice's id."""
    return [int(number) for number in text.split(",")]


def said(spaces: Iterable[int]) -> str:
    """Spaces as a command names them."""
    return ",".join(map(str, spaces))
