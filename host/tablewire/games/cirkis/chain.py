"""Two positions -> the legal lines of moves that lead from the one to the other.

Owns the search over turns, free turns, automatic passes and, with the option, passes. Must not know sensors,
the journal, or what is done with what it finds.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import lru_cache

from tablewire.games.cirkis.colours import PlayerColour
from tablewire.games.cirkis.record import Pass, Turn
from tablewire.games.cirkis.rules import Rules, State
from tablewire.games.cirkis.tiling import SpaceId, mask_of, spaces_of

MAX_SPACES = 48
"""A whole round of four players who each have three free turns and lay three spaces every time."""
MAX_STEPS = 3_000
"""Positions looked at before a search gives up: a tenth of a second, in which nobody notices a wait."""
MAX_OUTCOMES = 9
"""More ways than a person reads through as buttons; the search stops there and says that it did."""
NEVER_MS = -(10**18)

NO_PIECES: frozenset[int] = frozenset()

Wanted = Mapping[PlayerColour, Mapping[SpaceId, int]]
"""What is to be explained, by colour: the spaces, and the table time at which each landed."""


@dataclass(frozen=True, slots=True)
class Chain:
    """One legal line of moves, and the position it leads to. `in_order`: as the pieces landed."""

    lines: tuple[Turn | Pass, ...]
    state: State
    in_order: bool


@dataclass(frozen=True, slots=True)
class Chains:
    """One chain for each outcome, those in the order of landing first. Not `whole`: there may be more.

    Where one outcome alone agrees with the order of landing, it stands alone.
    """

    found: tuple[Chain, ...] = ()
    whole: bool = True

    @property
    def only(self) -> Chain | None:
        """The one that is meant; None when there is none, or more than one."""
        return self.found[0] if self.whole and len(self.found) == 1 else None


def chains(
    rules: Rules,
    state: State,
    wanted: Wanted,
    unread: int = 0,
    pieces: frozenset[int] = NO_PIECES,
    max_steps: int = MAX_STEPS,
    *,
    grown: bool = False,
) -> Chains:
    """Every outcome of legal lines from `state` that lay exactly what is wanted.

    `unread` is a space mask: what may lie there unseen, as part of a piece that is seen elsewhere. `pieces`
    are space masks of what is known to be one piece each, or with `grown` a part of one; when it landed says
    nothing, for it may have been lifted and put back. Where the options let a player pass, as few passes as
    possible are taken to have been said aloud.
    """
    rows = tuple(
        (player, tuple(sorted(spaces.items()))) for player, spaces in sorted(wanted.items()) if spaces
    )
    return _chains(rules, state, rows, unread, pieces, max_steps, grown)


@lru_cache(maxsize=64)
def _chains(
    rules: Rules,
    state: State,
    rows: tuple[tuple[PlayerColour, tuple[tuple[SpaceId, int], ...]], ...],
    unread: int,
    pieces: frozenset[int],
    max_steps: int,
    grown: bool,
) -> Chains:
    """The search; kept, because a table that waits for a person is looked at again and again."""
    landed_ms = {player: dict(spaces) for player, spaces in rows}
    if sum(map(len, landed_ms.values())) > MAX_SPACES or not set(landed_ms) <= set(rules.players):
        return Chains(whole=not set(landed_ms) <= set(rules.players))
    passes = len(rules.players) - 1 if rules.options.voluntary_pass else 0
    budget = max_steps
    for most in range(passes + 1):
        for strictly in (True, False):
            search = _Search(rules, landed_ms, unread & ~state.filled, pieces, grown, most, budget, strictly)
            search.follow(state, (), NEVER_MS, True)
            budget = search.budget
            found = sorted(search.outcomes.values(), key=lambda chain: not chain.in_order)
            whole = budget > 0 and len(found) < MAX_OUTCOMES
            if (strictly and whole and len(found) == 1) or not whole or (found and not strictly):
                return Chains(tuple(found), whole)
    return Chains()


class _Search:
    """Depth first, every position once. `strictly`: in the order of landing only.

    `outcomes` by the position they lead to.
    """

    def __init__(
        self,
        rules: Rules,
        landed_ms: Mapping[PlayerColour, Mapping[SpaceId, int]],
        unread: int,
        known: frozenset[int],
        grown: bool,
        passes: int,
        budget: int,
        strictly: bool,
    ) -> None:
        self.rules, self.landed_ms, self.strictly = rules, landed_ms, strictly
        self.passes, self.budget, self.known = passes, budget, known
        self.target = {player: mask_of(spaces) for player, spaces in landed_ms.items()}
        self.pieces = {
            player: sorted(
                (
                    (self.begun_ms(player, p.mask), p)
                    for p in rules.placements
                    if p.mask & mask
                    and not p.mask & ~(mask | unread)
                    and all(_keeps(one, p.mask, grown) for one in known)
                ),
                key=lambda row: (row[0], row[1].index),
            )
            for player, mask in self.target.items()
        }
        self.outcomes: dict[State, Chain] = {}
        self.been: set[tuple[State, int, bool, int]] = set()

    def begun_ms(self, player: PlayerColour, mask: int) -> int:
        """When the first magnet of a piece landed; NEVER_MS when nobody can tell."""
        if mask in self.known:
            return NEVER_MS
        landed_ms = self.landed_ms[player]
        return min(landed_ms[space] for space in spaces_of(mask & self.target[player]))

    def follow(self, state: State, lines: tuple[Turn | Pass, ...], last_ms: int, in_order: bool) -> None:
        """Go on from here, where the last piece began to land at `last_ms`."""
        left = {player: mask & ~state.filled for player, mask in self.target.items()}
        if not any(left.values()):
            known = self.outcomes.get(state)
            if known is None or (in_order and not known.in_order):
                self.outcomes[state] = Chain(lines, state, in_order)
            return
        passed = sum(isinstance(line, Pass) for line in lines)
        key = (state, last_ms if in_order else NEVER_MS, in_order, passed)
        player = state.to_move
        if player is None or key in self.been or not self.can_be_covered(left, state):
            return
        self.been.add(key)
        for begun_ms, piece in self.pieces.get(player, ()):
            if self.budget <= 0 or len(self.outcomes) >= MAX_OUTCOMES:
                return
            in_turn = begun_ms in (NEVER_MS, max(begun_ms, last_ms))
            if not state.legal >> piece.index & 1 or (self.strictly and not in_turn):
                continue
            self.budget -= 1
            after = self.rules.place(state, piece)
            turn = Turn(player, piece.spaces)
            self.follow(after, (*lines, turn), max(begun_ms, last_ms), in_order and in_turn)
        if passed < self.passes and self.budget > 0:
            self.budget -= 1
            line = Pass(player)
            self.follow(self.rules.apply(state, line).state, (*lines, line), last_ms, in_order)

    def can_be_covered(self, left: Mapping[PlayerColour, int], state: State) -> bool:
        """Whether every space still wanted lies under some piece that would still fit."""
        for player, mask in left.items():
            covered = 0
            for _, piece in self.pieces[player]:
                if not piece.mask & state.filled:
                    covered |= piece.mask
            if mask & ~covered:
                return False
        return True


def _keeps(one: int, mask: int, grown: bool) -> bool:
    """Whether a placement leaves a piece what it is: the same, elsewhere, or with `grown` a larger one."""
    return not mask & one or mask == one or (grown and mask & one == one)
