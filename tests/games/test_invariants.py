"""Whatever is played, some things hold after every placement of seeded random games."""

from __future__ import annotations

import random

import pytest

from tablewire.games.cirkis.colours import PlayerColour
from tablewire.games.cirkis.options import Options, Rulebook
from tablewire.games.cirkis.record import Turn
from tablewire.games.cirkis.rules import Rules
from tablewire.games.cirkis.state import State
from tablewire.games.cirkis.tiling import board, nth_bit, set_bits, spaces_of

GAMES_EACH = 8


def check(rules: Rules, before: State, state: State) -> None:
    """What holds of every position and of every step to it."""
    taken = 0
    for mask in state.masks:
        assert mask & taken == 0, "no space belongs to two players"
        taken |= mask
    assert taken == state.filled
    assert state.filled == before.filled | state.leader
    assert before.filled & state.leader == 0
    assert all(points % 5 == 0 for points in state.scores), "every award is a multiple of 5"
    assert all(new >= old for new, old in zip(state.scores, before.scores, strict=True))
    unplayed = rules.unplayed(state)
    assert sum(unplayed) == sum(rules.unplayed(before)) - 1
    for player, left in zip(rules.players, unplayed, strict=True):
        stock = rules.stock(state, player)
        assert sum(stock.values()) == left
        assert all(rules.in_stock(state, player, shape) == (count > 0) for shape, count in stock.items())
    assert (state.to_move is None) == (state.ended is not None) == (state.legal == 0)
    assert state.moves == before.moves + 1


def check_legal(rules: Rules, state: State) -> None:
    """Every placement the engine calls legal is free, in stock and in touch, and no other one is."""
    player = state.to_move
    assert player is not None
    legal = set(set_bits(rules.legal(state)))
    for placement in rules.placements:
        judged = rules.judge(state, player, placement.spaces)
        assert (placement.index in legal) == (judged == ())
    touched = board().touching(state.filled if state.free_turn else state.leader)
    for placement in rules.legal_placements(state):
        assert placement.mask & state.filled == 0
        assert placement.mask & (touched if state.moves else board().central)


@pytest.mark.parametrize("rulebook", list(Rulebook))
@pytest.mark.parametrize("seat_count", [2, 3, 4])
def test_random_games_keep_the_invariants_of_the_rules_at_each_step(
    rulebook: Rulebook, seat_count: int
) -> None:
    rng = random.Random(seat_count)
    options = Options(rulebook, center_ring=True, target=1000)
    rules = Rules(tuple(PlayerColour)[:seat_count], options)
    endings = set()
    for game in range(GAMES_EACH):
        state = rules.start()
        while state.to_move is not None:
            if game == 0:
                check_legal(rules, state)
            placement = rules.placements[nth_bit(state.legal, rng.randrange(state.legal.bit_count()))]
            after = rules.place(state, placement)
            step = rules.apply(state, Turn(state.to_move, placement.spaces))
            assert step.state == after, "the fast path and a record line lead to the same position"
            assert after.scores == tuple(step.report.scores.values())
            check(rules, state, after)
            state = after
        endings.add(state.ended)
        assert not any(rules.can_place(state, player) for player in rules.players)
        assert len(rules.result(state).winners) >= 1
    assert endings <= {"blocked", "went_out"}


def test_positions_are_values() -> None:
    rules = Rules([PlayerColour.RED, PlayerColour.GREEN])
    start = rules.start()
    kept = tuple(start)
    rules.place(start, rules.legal_placements(start)[0])
    assert tuple(start) == kept
    assert hash(start) == hash(rules.start())


def test_one_set_of_rules_serves_many_games() -> None:
    rules = Rules([PlayerColour.RED, PlayerColour.GREEN])
    first = rules.place(rules.start(), rules.legal_placements(rules.start())[0])
    other = rules.place(rules.start(), rules.legal_placements(rules.start())[5])
    assert spaces_of(first.filled) != spaces_of(other.filled)
    assert rules.start().filled == 0
