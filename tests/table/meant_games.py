"""Whole games by messy hands that know what they mean: after each scene the table must have understood."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

from tests.table.hands import GROWTH_MS, MAGNET, NONCE, SPACES, laid
from tests.table.three_tables import ThreeTables

from tablewire.games.cirkis.pieces import Placement
from tablewire.games.cirkis.tiling import board, spaces_of
from tablewire.table import Table
from tablewire.wire.observed import Complete

Piece = tuple[str, list[int]]
TOUCHES = {number: spaces_of(mask) for number, mask in enumerate(board().touches, 1)}


class MeantGame(ThreeTables):
    """A seeded game; `meant` are the moves the hands have made so far, as they meant them."""

    def __init__(self, seed: int) -> None:
        super().__init__(seed)
        self.meant: list[Piece] = []
        self.liftable = False

    def play(self, scenes: int) -> None:
        """Play so many scenes."""
        for _ in range(scenes):
            scene = self.rng.choice(_SCENES)
            self.done.append(scene.__name__)
            scene(self)

    # What the hands mean

    def turn(self) -> tuple[str | None, list[Placement]]:
        """Whose turn it is, and what may be laid."""
        return self.legal(self.meant)

    def mean(self, player: str, spaces: Iterable[int]) -> None:
        """One more move."""
        self.meant.append((player, sorted(spaces)))
        self.liftable = True

    def understood(self) -> None:
        """Rest, answer what is asked, and find the position as it was meant and nothing more to do."""
        self.tell(self.rng.randint(2_800, 3_500))
        self.answer()
        doc = self.doc
        assert laid(doc) == self.meant, (self.done, doc["message"])
        assert doc["message"] is None or doc["message"]["kind"] == "peg", (self.done, doc["message"])
        assert doc["moves"] == len(self.meant)
        assert not doc["provisional"] or self.may_grow()

    def is_as_it_was(self, before: Table) -> None:
        """Everything is as if nobody had touched the table meanwhile.

        It is as before, then, but that a peg hole that has read wrong for long may by now be named.
        """
        rested = before.observe(Complete(NONCE, self.at_ms - 1))[0].document()
        assert self.doc == rested, self.done
        assert but_for_holes(self.doc) == but_for_holes(before.document()), self.done

    def answer(self) -> None:
        """Press the buttons that lead to what was meant."""
        while (message := self.doc["message"]) is not None and message["kind"] == "ambiguous":
            leads = {c["id"]: laid(self.feeds[0].after(c["id"])) for c in message["choices"]}
            right = [id_ for id_, pieces in leads.items() if pieces == self.meant[: len(pieces)]]
            assert right, (self.done, message, self.meant[-3:])
            assert self.act("choose", {"id": right[0]})

    # Scenes

    def moves(self) -> None:
        """One to three turns, the next player perhaps before the last piece has settled; nudges all along."""
        for _ in range(self.rng.choice([1, 1, 2, 3])):
            player, choices = self.turn()
            if player is None:
                break
            placement = self.rng.choice(choices)
            for old in [spaces for colour, spaces in self.meant if colour == player][-2:]:
                if self.joins(old, placement):  # it would be a growth of that piece
                    self.at_ms = max(self.at_ms, max(self.hands.down[s] for s in old) + GROWTH_MS + 1)
            begun_ms = self.at_ms
            end_ms = self.hands.lay(begun_ms, player, placement.spaces)
            for _ in range(self.rng.randint(0, 4)):
                at_ms = self.rng.randint(begun_ms, end_ms + 900)
                self.hands.nudge(at_ms, self.rng.choice(list(self.hands.on)))
            self.mean(player, placement.spaces)
            self.at_ms = end_ms + self.rng.randint(620, 1_500)
        self.understood()

    def refused(self) -> None:
        """A piece where it may not lie; it is refused, named, and lifted, or moved to where it may."""
        found = self.wrong_piece()
        if found is None:
            return
        before, (player, placement) = self.feeds[0].table, found
        self.at_ms = self.hands.lay(self.at_ms, player, placement.spaces, slow=0.1)
        self.tell(2_800)
        message = self.doc["message"]
        assert message["kind"] == "illegal", (self.done, message)
        assert [(step["do"], step["spaces"]) for step in message["steps"]] == [
            ("lift", sorted(placement.spaces))
        ]
        self.at_ms = self.hands.lift(self.at_ms, placement.spaces)
        due, choices = self.turn()
        if due is not None and self.rng.random() < 0.5:
            right = self.rng.choice(choices)
            self.at_ms = self.hands.lay(self.at_ms + self.rng.randint(50, 900), due, right.spaces)
            self.mean(due, right.spaces)
            self.understood()
        else:
            self.tell(2_800)
            self.is_as_it_was(before)

    def wrong_piece(self) -> tuple[str, Placement] | None:
        """A piece that breaks a rule, and that is neither a growth nor partly a legal move."""
        due, choices = self.turn()
        if due is None:
            return None
        legal = [set(placement.spaces) for placement in choices]
        for _ in range(200):
            placement, player = self.rng.choice(self.rules.pieces.placements), self.rng.choice(self.players)
            own = [spaces for colour, spaces in self.meant if colour == player]
            partly = any(p <= set(placement.spaces) for p in legal) and player == due
            if (
                not partly
                and not self.hands.on.keys() & set(placement.spaces)
                and not any(self.joins(old, placement) for old in own)
            ):
                return player, placement
        return None

    def taken_back(self) -> None:
        """The piece just placed is lifted, and laid elsewhere at once, later, or not at all."""
        if not self.liftable or self.doc["phase"] == "over":
            return
        player, spaces = self.meant.pop()
        self.liftable = False
        self.at_ms = self.hands.lift(self.at_ms, spaces)
        elsewhere = [p for p in self.turn()[1] if not set(p.spaces) & set(spaces)]
        if elsewhere and self.rng.random() < 0.5:
            placement = self.rng.choice(elsewhere)
            self.at_ms += self.rng.randint(60, 2_000)
            self.at_ms = self.hands.lay(self.at_ms, player, placement.spaces, slow=0.1)
            self.mean(player, placement.spaces)
        self.understood()

    def straightened(self) -> None:
        """Up to four magnets are nudged: nothing changes, at any moment."""
        before = self.feeds[0].table
        for space in self.rng.sample(sorted(self.hands.on), min(len(self.hands.on), 4)):
            self.hands.nudge(self.at_ms + self.rng.randint(0, 500), space)
        rows = sorted(self.hands.script)
        while rows:
            moment_ms = rows[0][0]
            self.hands.script = [row for row in rows if row[0] == moment_ms]
            rows = [row for row in rows if row[0] > moment_ms]
            self.at_ms = moment_ms
            self.tell(0)
            self.is_as_it_was(before)
        self.tell(2_800)
        self.is_as_it_was(before)

    def slid(self) -> None:
        """A piece of one magnet slides over up to five empty spaces to its place."""
        player, choices = self.turn()
        singles = [placement for placement in choices if len(placement.spaces) == 1]
        if player is None or not singles:
            return
        path = [self.rng.choice(singles).spaces[0]]
        for _ in range(self.rng.randint(1, 5)):
            beside = [s for s in TOUCHES[path[0]] if s not in self.hands.on and s not in path]
            path[:0] = [self.rng.choice(beside)] if beside else []
        dwell_ms = self.rng.choice([30, 100, 300, 700, 1_000, 2_000])
        for before, space in zip([None, *path], path, strict=False):
            if before is not None:
                self.hands.put(self.at_ms + self.rng.randint(0, 25), before, 0)
            self.hands.put(self.at_ms, space, MAGNET[player])
            self.at_ms += dwell_ms
        self.hands.on[path[-1]], self.hands.down[path[-1]] = MAGNET[player], self.at_ms - dwell_ms
        self.hands.busy[path[-1]] = self.at_ms
        self.mean(player, path[-1:])
        self.understood()

    def chattered(self) -> None:
        """A sensor chatters for seconds, under a piece or an empty space; a piece laid elsewhere counts."""
        space = self.rng.randint(1, SPACES)
        lies = space in self.hands.on
        magnet = self.hands.on.get(space, self.rng.choice(list(MAGNET.values())))
        half_ms = 500 // self.rng.choice([1, 2, 5, 10, 30])
        begun_ms = self.at_ms
        for _ in range(2 * (self.rng.randint(4_500, 9_000) // (2 * half_ms))):
            lies = not lies
            self.hands.put(self.at_ms, space, magnet if lies else 0)
            self.at_ms += half_ms
        self.hands.busy[space] = self.at_ms + 4_000
        player, choices = self.turn()
        apart = [p for p in choices if space not in {n for s in p.spaces for n in (s, *TOUCHES[s])}]
        if player is not None and apart:
            placement = self.rng.choice(apart)
            self.hands.lay(begun_ms + 3_000, player, placement.spaces, slow=0)
            self.mean(player, placement.spaces)
        self.understood()

    def missing(self) -> None:
        """An older piece is gone: the table says which, waits, and goes on when it is back."""
        if len(self.meant) < 2 or self.doc["phase"] == "over":
            return
        player, spaces = self.rng.choice(self.meant[:-1])
        self.at_ms = self.hands.lift(self.at_ms, spaces)
        self.tell(2_800)
        message = self.doc["message"]
        assert message["kind"] == "restore", (self.done, message)
        assert message["steps"] == [{"do": "place", "spaces": spaces, "colour": player}]
        due, choices = self.turn()
        apart = [placement for placement in choices if not set(placement.spaces) & set(spaces)]
        if due is not None and apart and self.rng.random() < 0.4:
            placement = self.rng.choice(apart)
            self.at_ms = self.hands.lay(self.at_ms, due, placement.spaces, slow=0.1)
            self.tell(2_800)
            assert laid(self.doc) == self.meant, self.done
            self.mean(due, placement.spaces)
        for space in spaces:
            self.at_ms = self.hands.land(self.at_ms + 50, player, space)
        self.understood()

    def undone(self) -> None:
        """The last move is undone: brought back at once, or after its piece was lifted, or not."""
        if not self.meant:
            return
        before, (player, spaces) = self.feeds[0].table, self.meant.pop()
        assert self.act("undo", {})
        assert laid(self.doc) == self.meant
        self.liftable = False
        how = self.rng.random()
        if how >= 0.3:
            self.at_ms = self.hands.lift(self.at_ms, spaces)
            self.understood()
        if how < 0.6:
            assert self.act("redo", {})
            self.meant.append((player, spaces))
            self.tell(2_800)
            assert laid(self.doc) == self.meant, self.done
            if how < 0.3:
                self.liftable = True
                self.is_as_it_was(before)
                return
            for space in spaces:
                self.at_ms = self.hands.land(self.at_ms + 50, player, space)
            self.understood()

    def grown_late(self) -> None:
        """A magnet comes too late, out of turn, to be a growth for sure: asked, and answered or lifted."""
        player, choices = self.turn()
        parts = [
            (placement, part, space)
            for placement in choices
            for space in placement.spaces
            for part in choices
            if set(part.spaces) == set(placement.spaces) - {space}
        ]
        if player is None or not parts:
            return
        placement, part, space = self.rng.choice(parts)
        if self.legal([*self.meant, (player, list(part.spaces))])[0] in (None, player):
            return
        self.at_ms = self.hands.lay(self.at_ms, player, part.spaces, slow=0)
        self.mean(player, part.spaces)
        self.understood()
        self.at_ms = self.hands.land(self.at_ms, player, space)
        self.tell(2_800)
        assert self.doc["message"]["kind"] == "ambiguous", (self.done, self.doc["message"])
        if self.rng.random() < 0.5:
            self.at_ms = self.hands.lift(self.at_ms, [space])
        else:
            self.meant[-1] = (player, sorted(placement.spaces))
        self.understood()

    def pegs(self) -> None:
        """Pegs stand and go anywhere."""
        for _ in range(self.rng.randint(1, 4)):
            sensor = self.rng.randrange(SPACES, len(self.hands.classes))
            self.hands.script.append((self.at_ms, sensor, self.rng.randrange(5)))
            self.at_ms += self.rng.randint(0, 300)
        self.understood()


def but_for_holes(doc: Mapping[str, Any]) -> dict[str, Any]:
    """The document without what it says of bad peg holes: it asks for the same pegs with or without."""
    message = doc["message"]
    asked = None if message is None else (message["kind"], message["reasons"], message["steps"])
    if message is not None and message["kind"] != "peg":
        asked = message
    return {**doc, "message": asked, "health": doc["health"]["spaces"]}


_SCENES: tuple[Any, ...] = (
    *[MeantGame.moves] * 5,
    MeantGame.refused,
    MeantGame.taken_back,
    MeantGame.straightened,
    MeantGame.slid,
    MeantGame.chattered,
    MeantGame.missing,
    MeantGame.undone,
    MeantGame.grown_late,
    MeantGame.pegs,
)
