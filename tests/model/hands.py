"""How moves are made at a table: fast, slow, sliding, too quick, taken back; and what each gesture means.

Owns the rules of the machine that lay pieces, whether or not host and board are listening.
"""

from __future__ import annotations

from random import Random

from hypothesis.stateful import precondition, rule
from tests.games import slow_board
from tests.model.meaning import HOLES, Piece, same
from tests.model.sitting import CHANCE, REST_MS, SITTING_UNTOLD_MAX, Sitting, said

SETTLED_MS = 600
"""A piece that rests so long is a move."""


class Hands(Sitting):
    """Everything that makes or takes back a move."""

    # Moves

    @property
    def can_lay(self) -> bool:
        """Whether somebody may lay a piece, heard of at once or later."""
        told = self.begun and self.meaning.matches and self.meaning.told.due is not None
        return told and (not self.trouble or self.untold_count < SITTING_UNTOLD_MAX)

    def choose(self, rng: Random) -> tuple[str, frozenset[int]]:
        """A legal move. While nobody can be asked, one that can be read in one way only."""
        told = self.meaning.told
        assert told.due is not None
        choices = told.choices
        if self.trouble:
            choices = [c for c in choices if not self.meaning.ambiguous(told.due, c)] or choices
        return told.due, rng.choice(choices)

    @precondition(lambda self: self.can_lay)
    @rule(chance=CHANCE)
    def turns(self, chance: int) -> None:
        """One to five turns, each piece laid in one go."""
        rng = Random(chance)
        for _ in range(rng.randint(1, 5)):
            if not self.can_lay:
                break
            colour, spaces = self.choose(rng)
            plain = self.calm and not self.meaning.ambiguous(colour, spaces)
            before = len(self.doc["history"])
            self.evening.watch()
            self.lay(colour, spaces, rng)
            self.meaning.mean(colour, spaces)
            self.rest()
            if plain:
                self.nothing_rash(before, spaces)

    def nothing_rash(self, before: int, spaces: frozenset[int]) -> None:
        """A piece that came down in one go was shown whole or not at all, and nobody was sent to lift it."""
        for doc in self.evening.seen:
            assert doc["message"] is None or doc["message"]["kind"] == "peg", doc["message"]
            new = doc["history"][before:]
            assert [row["spaces"] for row in new if "spaces" in row] == ([sorted(spaces)] if new else [])

    @precondition(lambda self: self.can_lay)
    @rule(chance=CHANCE)
    def lays_slowly(self, chance: int) -> None:
        """The magnets of one piece come down one by one, as slowly as a growing piece may."""
        rng = Random(chance)
        colour, spaces = self.choose(rng)
        for space in rng.sample(sorted(spaces), len(spaces)):
            self.lay(colour, [space], rng)
            self.evening.run(rng.randint(600, 1_350))
        self.meaning.mean(colour, spaces)
        self.rest()

    @precondition(lambda self: self.can_lay)
    @rule(chance=CHANCE)
    def slides(self, chance: int) -> None:
        """A piece of one magnet is pushed over empty spaces to its place; only where it ends counts, or where
        it rested and the round was over."""
        rng = Random(chance)
        told = self.meaning.told
        singles = [place for place in told.choices if len(place) == 1]
        if not singles or told.due is None:
            return
        path = list(rng.choice(singles))
        for _ in range(rng.randint(1, 5)):
            ways = [s for s in slow_board.joined()[path[0]] if s not in self.meaning.on and s not in path]
            path[:0] = [rng.choice(sorted(ways))] if ways else []
        if len(path) == 1:
            return
        dwell_ms = rng.choice([30, 100, 300, 700, 1_000, 2_000])
        last = [space for space in path[:-1] if self.meaning.would_end([space])]
        if last and self.trouble:
            dwell_ms = min(dwell_ms, 300)  # Whether the round was over there is seen on the page only.
        self.untold_count += 2 * len(path)
        self.hand(f"slide {told.due} {path[0]} {said(path[1:])} dwell {dwell_ms}")
        self.meaning.mean(told.due, path[-1:])
        if last and dwell_ms >= SETTLED_MS:
            self.evening.run(REST_MS)
            self.may_have_ended(last)
        self.rest()

    def may_have_ended(self, spaces: list[int]) -> None:
        """After the end nothing counts: the last move may be where the piece rested on its way."""
        meaning, line = self.meaning, self.record()[1][-1]
        if any(same(line) == same({**meaning.moves[-1], "spaces": [space]}) for space in spaces):
            meaning.moves[-1], meaning.liftable = line, None

    @precondition(lambda self: self.can_lay)
    @rule(chance=CHANCE)
    def is_quick(self, chance: int) -> None:
        """The next players are quicker than the settle time: their pieces come in the order of the turns."""
        rng = Random(chance)
        seen = set[str]()
        laid: list[Piece] = []
        for _ in range(rng.randint(2, 4)):
            told = self.meaning.told
            clear = [c for c in told.choices if told.due and not self.meaning.ambiguous(told.due, c)]
            if told.due is None or told.due in seen or not clear:
                break
            seen.add(told.due)
            spaces = rng.choice(clear)
            piece = told.due, spaces
            if self.trouble and any(self.meaning.could_be_one(piece, other) for other in laid):
                break  # Nobody is there to be asked.
            laid.append(piece)
            self.lay(told.due, spaces, rng)
            self.meaning.mean(told.due, spaces)
            self.evening.run(rng.choice([10, 100, 300, 590]))
        self.rest()

    @precondition(lambda self: self.can_lay and self.meaning.liftable)
    @rule(chance=CHANCE)
    def takes_back(self, chance: int) -> None:
        """The piece just placed is lifted, and so taken back."""
        rng = Random(chance)
        _, spaces = self.meaning.told.pieces[-1]
        self.lift(spaces, rng)
        self.meaning.take(spaces)
        self.meaning.undone.append(self.meaning.moves.pop())
        self.meaning.liftable = False
        self.rest()

    @precondition(lambda self: self.playing)
    @rule(chance=CHANCE)
    def adds_a_magnet_late(self, chance: int) -> None:
        """Too late and out of turn to be slow fingers for sure: the page asks; it is answered, or lifted."""
        meaning, rng = self.meaning, Random(chance)
        player, choices = meaning.told.due, set(meaning.told.choices)
        found = [
            (whole, whole - {space})
            for whole in sorted(choices, key=sorted)
            for space in sorted(whole)
            if whole - {space} in choices
        ]
        if player is None or not found:
            return
        whole, part = rng.choice(found)
        after = meaning.after([*meaning.moves, {"player": player, "spaces": sorted(part)}])
        if after.due in (None, player):
            return
        self.lay(player, part, rng)
        meaning.mean(player, part)
        self.rest()
        self.lay(player, whole - part, rng)
        self.evening.run(2_000)
        assert self.doc["message"]["kind"] == "ambiguous"
        if rng.random() < 0.5:
            self.lift(whole - part, rng)
        else:
            meaning.moves.pop()
            meaning.mean(player, whole)
        self.rest()

    @precondition(lambda self: self.can_lay and self.meaning.on)
    @rule(chance=CHANCE)
    def two_hands_are_busy(self, chance: int) -> None:
        """While one hand lays a piece, another straightens others and moves a peg: the piece counts, once."""
        meaning, rng = self.meaning, Random(chance)
        colour, spaces = self.choose(rng)
        others = rng.sample(sorted(meaning.on), min(len(meaning.on), rng.randint(1, 3)))
        place = self.evening.board.command(
            f"place {colour} {said(sorted(spaces))} over {rng.randint(0, 550)}"
        )
        for hand, space in enumerate(others, 1):
            self.evening.run(rng.choice([0, 50, 300]))
            self.evening.board.command(f"nudge {space} {rng.randint(20, 800)}", hand)
        owner, hole = rng.choice(meaning.players), rng.choice(HOLES)
        if meaning.pegs.get(owner) != hole:
            self.evening.board.command(f"peg {owner} {hole}", 9)
            meaning.pegs[owner] = hole
        self.untold_count += 4 + 2 * len(others) if self.trouble else 0
        self.evening.run(600)
        assert place.answer == "ok"
        meaning.mean(colour, spaces)
        self.rest()
