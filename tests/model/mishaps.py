"""What is no move: pieces straightened, refused, lost, swept, swapped, badly seated; flaky sensors; pegs.

Owns the rules of the machine that disturb the table and put it right again.
"""

from __future__ import annotations

from random import Random
from typing import Any

from hypothesis.stateful import precondition, rule
from tests.model.hands import Hands
from tests.model.meaning import COLOURS, HOLES
from tests.model.sitting import CHANCE, SITTING_UNTOLD_MAX, said

REST_LONG_MS = 2_600
"""Longer than a lift and what follows from it take to be decided."""


class Mishaps(Hands):
    """Everything that must leave the list of moves as it is."""

    # What is no move

    def nothing_new(self, before: dict[str, Any], ms: int) -> None:
        """Nothing that is shown changes for so long; on a table that is wrong, nothing has in the end."""
        for _ in range(0, ms, 100):
            self.evening.run(100)
            if self.calm:
                assert self.evening.game == before
        if not self.trouble:
            assert self.evening.game == before

    @precondition(lambda self: self.begun and self.meaning.on and self.untold_count < SITTING_UNTOLD_MAX)
    @rule(chance=CHANCE)
    def straightens(self, chance: int) -> None:
        """One to four magnets go off and on again within a moment: nothing changes and nothing is said."""
        rng = Random(chance)
        spaces = rng.sample(sorted(self.meaning.on), min(len(self.meaning.on), rng.randint(1, 4)))
        last = self.meaning.last_piece
        if last is not None and last[1] <= self.meaning.on.keys() and rng.random() < 0.5:
            spaces = sorted(last[1])
        before = self.evening.game
        for hand, space in enumerate(spaces):
            away_ms = rng.choice([rng.randint(20, 800), rng.randint(550, 800)])
            self.evening.board.command(f"nudge {space} {away_ms}", hand)
            self.evening.run(rng.choice([0, 20, 200]))
            if self.calm:
                assert self.evening.game == before
        self.untold_count += 2 * len(spaces) if self.trouble else 0
        self.nothing_new(before, 2_000)
        self.rest()

    @precondition(lambda self: self.playing)
    @rule(chance=CHANCE)
    def breaks_a_rule(self, chance: int) -> None:
        """A piece where it may not lie: refused with every reason, and forgotten when it is lifted."""
        rng = Random(chance)
        found = self.wrong_piece(rng)
        if found is None:
            return
        colour, spaces = found
        reasons = self.meaning.refused({"player": colour, "spaces": sorted(spaces)})
        before = self.evening.game
        self.lay(colour, spaces, rng)
        self.evening.run(2_000)
        message = self.doc["message"]
        assert self.doc["phase"] == "hold"
        assert (message["kind"], message["reasons"]) == ("illegal", reasons)
        assert [(step["do"], step["spaces"]) for step in message["steps"]] == [("lift", sorted(spaces))]
        self.lift(spaces, rng)
        self.rest()
        assert self.evening.game == before

    def wrong_piece(self, rng: Random) -> tuple[str, frozenset[int]] | None:
        """A piece that breaks a rule and can be taken for nothing else."""
        meaning = self.meaning
        places = sorted(meaning.told.table.places, key=sorted)
        for _ in range(60):
            colour, spaces = rng.choice(meaning.players), rng.choice(places)
            if (
                not spaces & meaning.on.keys()
                and not meaning.partly_legal(colour, spaces)
                and not meaning.could_grow(colour, spaces)
            ):
                return colour, spaces
        return None

    @precondition(lambda self: self.playing)
    @rule(chance=CHANCE)
    def lays_a_strangers_piece(self, chance: int) -> None:
        """A colour that does not play: said, and forgotten when it is lifted."""
        rng = Random(chance)
        others = [colour for colour in COLOURS if colour not in self.meaning.players]
        if not others or not self.meaning.empty:
            return
        space, before = rng.choice(self.meaning.empty), self.evening.game
        self.lay(rng.choice(others), [space], rng)
        self.evening.run(2_000)
        message = self.doc["message"]
        assert self.doc["phase"] == "hold"
        assert (message["kind"], message["reasons"]) == ("unexplained", ["unknown_player"])
        self.lift([space], rng)
        self.rest()
        assert self.evening.game == before

    @precondition(lambda self: self.begun and self.untold_count < SITTING_UNTOLD_MAX)
    @rule(chance=CHANCE)
    def moves_pegs(self, chance: int) -> None:
        """Pegs go anywhere: the page says where they belong, and the score is what it was."""
        rng = Random(chance)
        for _ in range(rng.randint(1, 3)):
            colour = rng.choice(self.meaning.players)
            due = dict(self.meaning.pegs_wrong())
            hole = due.get(colour, rng.choice(HOLES)) if rng.random() < 0.7 else rng.choice(HOLES)
            if self.meaning.pegs.get(colour) != hole:
                self.hand(f"peg {colour} {hole}")
                self.meaning.pegs[colour] = hole
        self.rest()

    # What is put right again

    def older(self) -> list[tuple[str, frozenset[int]]]:
        """The pieces whose lifting takes nothing back."""
        pieces = self.meaning.told.pieces
        return pieces if self.meaning.liftable is False else pieces[:-1]

    @precondition(lambda self: self.playing and self.older())
    @rule(chance=CHANCE)
    def lifts_an_older_piece(self, chance: int) -> None:
        """Play waits, the page says what is missing; it comes back now or later."""
        rng = Random(chance)
        colour, spaces = rng.choice(self.older())
        self.lift(spaces, rng)
        self.meaning.take(spaces)
        self.rest()
        assert self.doc["message"]["kind"] == "restore"
        assert self.doc["message"]["steps"] == [{"do": "place", "spaces": sorted(spaces), "colour": colour}]
        if rng.random() < 0.6:
            self.put_right(rng)

    @precondition(
        lambda self: self.playing and any(len(spaces) > 1 for _, spaces in self.meaning.told.pieces)
    )
    @rule(chance=CHANCE)
    def seats_a_piece_badly(self, chance: int) -> None:
        """One space of a piece does not read: it is named, play goes on, and nothing is recorded."""
        rng = Random(chance)
        colour, spaces = rng.choice([p for p in self.meaning.told.pieces if len(p[1]) > 1])
        space, before = rng.choice(sorted(spaces)), self.evening.game
        if space in self.chattered:
            return  # Known: one lift long after an episode is taken for slow chatter.
        self.lift([space], rng)
        self.evening.run(REST_LONG_MS)
        message = self.doc["message"]
        assert (message["reasons"], message["steps"]) == (
            ["half_seated"],
            [{"do": "place", "spaces": [space], "colour": colour}],
        )
        assert self.doc["phase"] == "playing"
        self.lay(colour, [space], rng)
        self.rest()
        assert self.evening.game == before

    @precondition(lambda self: self.playing and self.meaning.on)
    @rule(chance=CHANCE)
    def sweeps_the_table(self, chance: int) -> None:
        """Some pieces, or all, are knocked off and put back in any order: the same game goes on."""
        rng = Random(chance)
        pieces = self.meaning.told.pieces
        some = rng.sample(pieces, rng.choice([len(pieces), rng.randint(1, len(pieces))]))
        liftable = self.meaning.liftable
        for _, spaces in some:
            self.hand(f"lift {said(sorted(spaces))} over {rng.choice([0, 300])}")
            self.evening.run(rng.choice([0, 50, 800]))
        self.evening.run(REST_LONG_MS)
        rng.shuffle(some)
        for colour, spaces in some:
            self.lay(colour, spaces, rng)
            self.evening.run(rng.choice([0, 50, 800, 2_000]))
        if pieces[-1] in some:
            self.meaning.liftable = liftable or None
            # Lifting it took it back, and laying it again was a move.
            if liftable is not False:
                self.meaning.undone = []
        self.rest()

    @precondition(lambda self: self.playing and len({colour for colour, _ in self.older()}) > 1)
    @rule(chance=CHANCE)
    def swaps_two_magnets(self, chance: int) -> None:
        """Magnets of two colours change places: the page says which, and play goes on when they are back."""
        rng = Random(chance)
        spaces = {space: colour for colour, some in self.older() for space in some}
        one = rng.choice(sorted(spaces))
        other = rng.choice(sorted(space for space, colour in spaces.items() if colour != spaces[one]))
        self.lift([one, other], rng)
        self.evening.run(rng.choice([0, 200, 2_000]))
        for space, colour in ((one, spaces[other]), (other, spaces[one])):
            self.lay(colour, [space], rng)
            self.meaning.put(colour, [space])
        self.rest()
        self.put_right(rng)

    @precondition(lambda self: self.begun)
    @rule(chance=CHANCE)
    def a_sensor_chatters(self, chance: int) -> None:
        """A sensor flickers for seconds, under a piece or not: nothing is recorded."""
        rng = Random(chance)
        space = rng.randint(1, 165)
        if self.trouble:
            return
        self.chattered.add(space)
        per_s = rng.choice([1, 2, 5, 10, 30])
        self.hand(f"sensor {space - 1} chatter {per_s}")
        self.evening.run(rng.randint(3_000, 8_000) if per_s < 5 else 2_500)
        self.hand(f"sensor {space - 1} ok")
        self.rest(5_000)

    @precondition(lambda self: self.begun and self.meaning.over and self.meaning.on and not self.trouble)
    @rule(chance=CHANCE)
    def clears_the_table_after_the_end(self, chance: int) -> None:
        """After the end, lifting records nothing."""
        rng = Random(chance)
        for space in rng.sample(sorted(self.meaning.on), rng.randint(1, len(self.meaning.on))):
            self.lift([space], rng)
            self.meaning.take([space])
        self.rest()

    @precondition(lambda self: self.begun and self.trouble and self.meaning.matches and self.older())
    @rule(chance=CHANCE)
    def loses_a_piece_unseen(self, chance: int) -> None:
        """While something is broken, an older piece goes."""
        rng = Random(chance)
        if self.untold_count < SITTING_UNTOLD_MAX and not self.meaning.over:
            _, spaces = rng.choice(self.older())
            self.lift(spaces, rng)
            self.meaning.take(spaces)
            self.rest()

    @precondition(lambda self: self.begun and self.untold_count < 60 and not self.meaning.matches)
    @rule(chance=CHANCE)
    def puts_right(self, chance: int) -> None:
        """Whoever knows better than the page puts the table right, in any order."""
        self.put_right(Random(chance))

    @precondition(lambda self: self.begun and not self.trouble and not self.meaning.matches)
    @rule(chance=CHANCE)
    def obeys(self, chance: int) -> None:
        """Whoever does what the page says has put the table right, and changed nothing of the game."""
        moves = self.meaning.moves
        self.obey(Random(chance))
        assert self.meaning.moves == moves
