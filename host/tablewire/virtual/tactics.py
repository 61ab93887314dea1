"""Which piece a computer player lays where: a sensible move, not the best one.

Owns what makes a move attractive. Must not know hands, the page or the board; chance is an argument.
"""

from __future__ import annotations

from random import Random

from tablewire.games.cirkis.pieces import Placement
from tablewire.games.cirkis.rules import Rules, State

WHIM_SHARE = 0.15
"""How often a player just lays something: nobody at a kitchen table looks at every place."""
OTHERS_GAIN = 0.7
"""A point given away hurts a little less than a point not scored."""
FREE_TURN_WORTH = 4.0
"""Most of a completer's award: a free turn often scores."""
SPACE_WORTH = 0.4
"""Large pieces early: they dominate figures, and are hard to place late."""
MOOD = 1.5
"""Spread of what nobody can explain; without it the same position would always see the same move."""


def choose(rules: Rules, state: State, rng: Random) -> Placement:
    """A legal placement for the player to move; there is always one while the game is on."""
    legal = rules.legal_placements(state)
    if rng.random() < WHIM_SHARE:
        return rng.choice(legal)
    return max(legal, key=lambda placement: worth(rules, state, placement) + rng.uniform(0.0, MOOD))


def worth(rules: Rules, state: State, placement: Placement) -> float:
    """How attractive a placement is, in points."""
    after, seat = rules.place(state, placement), state.turn
    gains = [now - before for now, before in zip(after.scores, state.scores, strict=True)]
    others = max(gain for other, gain in enumerate(gains) if other != seat)
    again = FREE_TURN_WORTH if after.free_turn else 0.0
    return gains[seat] - OTHERS_GAIN * others + again + SPACE_WORTH * len(placement.spaces)
