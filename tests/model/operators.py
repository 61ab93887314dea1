"""What people press: take-backs, rulings, passes, rounds, games; and hands that nobody understands.

Owns the rules of the machine for the buttons of the page.
"""

from __future__ import annotations

from random import Random
from typing import Any

from hypothesis.stateful import precondition, rule
from tests.model.faults import Faults
from tests.model.meaning import COLOURS
from tests.model.sitting import CHANCE, OBEYED_MAX, REST_MS, header_of, sound_choices


class Operators(Faults):
    """Every button."""

    @property
    def readable(self) -> bool:
        """Whether somebody can read the page and press a button of it."""
        return self.begun and not self.trouble

    @precondition(lambda self: self.readable and self.meaning.moves)
    @rule(chance=CHANCE)
    def undoes(self, chance: int) -> None:
        """Moves are taken back, past the end too; their pieces may lie there still."""
        meaning, rng = self.meaning, Random(chance)
        count = min(len(meaning.moves), rng.choice([1, 1, 2, 3, len(meaning.moves)]))
        status, answer = self.evening.act("undo", count=len(meaning.moves) + 1)
        assert (status, answer["reason"]) == (409, "nothing_to_undo")
        self.press("undo", **({"count": count} if count > 1 else {}))
        for _ in range(count):
            meaning.undone.append(meaning.moves.pop())
        meaning.liftable = False
        self.rest()

    @precondition(lambda self: self.readable and self.meaning.undone)
    @rule(chance=CHANCE)
    def redoes(self, chance: int) -> None:
        """Moves that were taken back come back."""
        meaning, rng = self.meaning, Random(chance)
        count = rng.randint(1, len(meaning.undone))
        back = [*meaning.moves, *reversed(meaning.undone[-count:])]
        if meaning.after(back).legal:
            self.press("redo", count=count)
            del meaning.undone[-count:]
            meaning.moves = back
            line = back[-1]
            lies = all(meaning.on.get(space) == line["player"] for space in line.get("spaces", []))
            meaning.liftable = None if "spaces" in line and lies else False
        else:
            status, answer = self.evening.act("redo", count=count)
            assert (status, answer["reason"]) == (409, "no_longer_legal")
        self.rest()

    @precondition(lambda self: self.readable)
    @rule(chance=CHANCE)
    def gives_points(self, chance: int) -> None:
        """The house gives or takes points."""
        rng = Random(chance)
        points = {rng.choice(self.meaning.players): rng.choice([-5, 5, 10])}
        self.press("ruling", points=points, note="a coffee cup")
        # A ruling is no move: what was taken back before it can still come back.
        self.meaning.moves.append({"ruling": {"points": points, "note": "a coffee cup"}})
        self.meaning.liftable = False
        self.rest()

    @precondition(lambda self: self.playing and self.meaning.header["options"].get("voluntary_pass"))
    @rule()
    def passes(self) -> None:
        """The player whose turn it is passes, or declines a free turn."""
        player = self.meaning.told.due
        self.press("pass")
        self.done({"player": player, "pass": True})

    @precondition(lambda self: self.readable and self.next_round is not None)
    @rule()
    def opens_a_round(self) -> None:
        """The next round of a match; the board is to be cleared."""
        number = self.next_round
        self.press("next_round")
        self.done({"round": number})

    @property
    def next_round(self) -> int | None:
        """The round that may be opened now."""
        rules = self.meaning.told.table
        return rules.round + 1 if rules.match and rules.ended and not rules.over() else None

    def done(self, line: dict[str, Any]) -> None:
        """A button has made one more line."""
        self.meaning.moves.append(line)
        self.meaning.undone, self.meaning.liftable = [], False
        self.rest()

    @precondition(lambda self: self.readable and len(self.meaning.moves) > 6)
    @rule(chance=CHANCE)
    def begins_another_game(self, chance: int) -> None:
        """A new game, by a button alone; what lies there has to be cleared first."""
        self.begin(header_of(Random(chance)))
        self.rest()

    @precondition(lambda self: self.readable)
    @rule(chance=CHANCE)
    def meddles(self, chance: int) -> None:
        """Magnets of any colour anywhere, lifted at random: whoever then obeys the page is back at play."""
        rng = Random(chance)
        on = self.meaning.on
        for _ in range(rng.randint(1, 8)):
            if rng.random() < 0.2:
                self.press_anything(rng)
            if on and rng.random() < 0.4:
                space = rng.choice(sorted(on))
                self.lift([space], rng)
                self.meaning.take([space])
            elif self.meaning.empty:
                colour = rng.choice([*COLOURS, *self.meaning.players * 3])
                places = sorted(self.meaning.told.table.places, key=sorted)
                spaces = [space for space in rng.choice(places) if space not in on]
                if spaces:
                    self.lay(colour, spaces, rng)
                    self.meaning.put(colour, spaces)
            self.evening.run(rng.choice([10, 100, 400, 700, 1_300, 2_000]))
        self.evening.run(3_400)
        if rng.random() < 0.7:
            self.obey(rng)
        else:
            self.clear_up(rng)

    def press_anything(self, rng: Random) -> None:
        """A random button, which may refuse."""
        meaning, message = self.meaning, self.doc["message"] or {"choices": []}
        place = rng.choice(sorted(meaning.told.table.places, key=sorted))
        line = {"player": rng.choice(meaning.players), "spaces": sorted(place)}
        buttons: list[tuple[str, dict[str, Any]]] = [
            ("undo", {"count": rng.randint(1, 3)}),
            ("redo", {}),
            ("pass", {}),
            ("place", {**line, "forced": True}),
            ("correct", {"n": rng.randint(1, 9), "line": line, "keep_forced": True, "drop_rest": True}),
            ("accept", {"note": "so be it"}),
            *[("choose", {"id": choice}) for choice in sound_choices(message)],
        ]
        name, body = rng.choice(buttons)
        status, answer = self.evening.act(name, **body)
        assert status in (200, 409, 422), answer

    def clear_up(self, rng: Random) -> None:
        """Nobody reads the page: the pieces are laid as the list of moves has them."""
        meaning = self.meaning
        for _ in range(OBEYED_MAX):
            meaning.moves = self.record()[1]
            assert meaning.told.legal
            if meaning.matches or meaning.over:
                break
            self.move_right(rng)
            self.evening.run(REST_MS)
        meaning.undone, meaning.liftable = [], None
        assert meaning.over or meaning.matches
        self.understood()
