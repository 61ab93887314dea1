"""More than one game on one table, a table taken as it lies, turns that nobody saw, sensors not believed.

Owns the rules of the machine for these. Where several outcomes are right, each of them is checked.
"""

from __future__ import annotations

from collections import defaultdict
from itertools import permutations
from random import Random
from typing import Any

from hypothesis.stateful import precondition, rule
from tests.games.slow_lines import outcomes
from tests.model.corrections import Corrections
from tests.model.meaning import SAME_POLE, same
from tests.model.sitting import CHANCE


class Games(Corrections):
    """Put aside, go on, accept, mask."""

    @precondition(lambda self: self.readable and self.others)
    @rule(chance=CHANCE)
    def goes_on_with_another_game(self, chance: int) -> None:
        """The game is put aside, the program perhaps ends in between, and an older game goes on as it was."""
        rng = Random(chance)
        here = self.doc["game_id"]
        if rng.random() < 0.5:
            self.press("put_aside")
            assert (self.doc["game_id"], self.doc["phase"]) == (None, "waiting")
            self.holds_at_every_step()
            if rng.random() < 0.5:
                self.evening.kill()
                self.evening.switch_on()
                self.evening.found()
                assert self.doc["game_id"] is None
        self.others[here] = self.meaning
        wanted = rng.choice(sorted(self.others))
        self.press("resume_game", game_id=wanted)
        assert self.doc["game_id"] == wanted
        self.turn_to(self.others.pop(wanted))
        self.meaning.liftable = None
        self.rest()

    @precondition(lambda self: self.readable and not self.meaning.matches and not self.meaning.over)
    @rule()
    def takes_the_table_as_it_lies(self) -> None:
        """By the rules where some moves lead there, else by a note; or it cannot be, and nothing is done."""
        before = self.evening.game
        status, answer = self.evening.act("accept", preview=True)
        assert self.evening.game == before, "a preview does nothing"
        if status == 409:
            as_it_is = self.doc["phase"] == "waiting" or self.meaning.half_seated
            allowed = {"cannot_accept"} | ({"nothing_to_accept"} if as_it_is else set())
            assert answer["reason"] in allowed, answer
            return
        self.accept(answer["preview"])

    def accept(self, preview: dict[str, Any]) -> None:
        """Do what an acceptance has promised."""
        meaning, choices = self.meaning, preview["choices"]
        if choices:
            self.press("choose", id=choices[0]["id"])
        else:
            if not preview["legal"]:
                status, answer = self.evening.act("accept")
                assert (status, answer["reason"]) == (409, "note_needed")
            self.press("accept", note="it lies as it lies")
        lines = self.record()[1]
        stay = [line for n, line in enumerate(meaning.moves, 1) if n not in preview["taken_back"]]
        if preview["legal"] and not choices:
            assert sorted(map(same, lines)) == sorted(map(same, [*stay, *preview["lines"]]))
        meaning.moves, meaning.liftable = lines, None
        meaning.undone = []
        assert meaning.told.legal
        if preview["legal"] and not choices:
            assert not any(line.get("forced") for line in preview["lines"])
        if not choices:
            assert preview["scores"] == meaning.told.table.scores
        self.rest()
        assert meaning.over or meaning.matches or meaning.half_seated

    @precondition(lambda self: self.playing)
    @rule(chance=CHANCE)
    def plays_unseen(self, chance: int) -> None:
        """Turns are played while the board has no power: taken over where one line of moves alone leads
        there, or one alone in the order of two cuts; asked, and not even begun, where several do."""
        meaning, rng = self.meaning, Random(chance)
        before, begun, batches = meaning.told.table, len(meaning.moves), set[int]()
        for least in rng.choice([(1,), (1, 0)]):
            self.plays_without_power(rng, least)
            batches.add(len(meaning.moves))
        played, wanted = meaning.told, defaultdict[str, set[int]](set)
        for line in played.lines[begun:]:
            wanted[line["player"]] |= set(line["spaces"])
        self.evening.run(6_000)
        ways = outcomes(before, wanted, 2)
        one_pole = any(pair in SAME_POLE for pair in permutations(wanted, 2))
        found = meaning.after(self.record()[1])
        meaning.moves = list(found.lines)
        assert found.legal
        if len(found.lines) > begun:
            assert len(ways) == 1 or len(batches) > 1, "a guess"
            assert (found.position, set(found.pieces)) == (played.position, set(played.pieces))
            one, other = found.table, played.table
            assert (one.scores, one.leader, one.turn) == (other.scores, other.leader, other.turn)
            self.understood()
            return
        assert len(ways) > 1 or one_pole, "one line alone leads there, but it is not taken over"
        assert self.doc["phase"] == "hold"
        meaning.liftable = None
        preview = self.press("accept", preview=True)["preview"]
        assert preview["legal"], "moves by the rules lead there, but none are offered"
        self.accept(preview)

    def plays_without_power(self, rng: Random, least: int) -> None:
        """At most a round, while the board is off, and perhaps the host; heard again, but not yet at rest."""
        meaning, with_host = self.meaning, rng.random() < 0.5
        if with_host:
            self.evening.kill()
        self.hand("fault power-cut ms=0")
        for _ in range(rng.randint(least, len(meaning.players)) if rng.random() < 0.7 else least):
            told = meaning.told
            if told.due is None:
                break
            spaces = rng.choice(sorted(told.choices, key=sorted))
            self.lay(told.due, spaces, rng)
            meaning.mean(told.due, spaces)
        self.evening.run(1_000)
        self.hand("fault off power-cut")
        if with_host:
            self.evening.switch_on()
        self.evening.run(rng.choice([20, 100, 300]))
        self.evening.found()

    @precondition(lambda self: self.playing)
    @rule(chance=CHANCE)
    def masks_sensors(self, chance: int) -> None:
        """What a masked sensor says changes nothing; play goes on; then it is believed again."""
        rng = Random(chance)
        space = rng.randint(1, 165)
        self.press("mask", sensors=[space - 1], masked=True, by="Anna", note="it chatters")
        self.rest()
        self.hand(f"sensor {space - 1} {rng.choice(['stuck 0', 'stuck 2', 'chatter 3'])}")
        self.rest()
        told = self.meaning.told
        apart = [place for place in told.choices if space not in place]
        if told.due is not None and apart:
            placed = rng.choice(sorted(apart, key=sorted))
            self.lay(told.due, placed, rng)
            self.meaning.mean(told.due, placed)
            self.rest(5_000)
        self.believe_again(space)

    def believe_again(self, space: int) -> None:
        """The sensor of a space is mended, and its mask taken off."""
        self.hand(f"sensor {space - 1} ok")
        self.chattered.add(space)
        self.evening.run(6_000)
        self.press("mask", sensors=[space - 1], masked=False)
        self.rest(6_000)

    @precondition(lambda self: self.playing)
    @rule(chance=CHANCE)
    def lays_a_piece_over_a_masked_space(self, chance: int) -> None:
        """Its other magnets tell which piece it is, or the page asks; a single one is entered by hand."""
        meaning, rng = self.meaning, Random(chance)
        player = meaning.told.due
        choices = sorted(meaning.told.choices, key=sorted)
        large = [place for place in choices if len(place) > 1]
        if player is None or not choices:
            return
        whole = rng.choice(large if large and rng.random() < 0.8 else choices)
        space = rng.choice(sorted(whole))
        seen = whole - {space}
        if meaning.ambiguous(player, whole) or (seen and meaning.ambiguous(player, seen)):
            return
        self.press("mask", sensors=[space - 1], masked=True)
        self.hand(f"sensor {space - 1} {rng.choice(['stuck 0', 'stuck 2', 'ok'])}")
        self.lay(player, whole, rng)
        if not seen:
            self.rest()
            self.press("place", player=player, spaces=sorted(whole))
        meaning.mean(player, whole)
        if not seen:
            meaning.liftable = None
        elif seen in choices:
            self.evening.run(2_000)
            assert self.doc["message"]["kind"] == "ambiguous"
        self.rest()
        self.believe_again(space)
