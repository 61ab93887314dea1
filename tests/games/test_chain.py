"""The line of moves between two positions: found when there is one, and several told as several."""

from __future__ import annotations

import json
import random
from collections.abc import Sequence
from itertools import pairwise

import pytest
from tests.games import slow_rules

from tablewire.games.cirkis.chain import MAX_SPACES, Chain, chains
from tablewire.games.cirkis.colours import PlayerColour
from tablewire.games.cirkis.options import Options, Rulebook
from tablewire.games.cirkis.record import Header, Line, Pass, Turn, encode_header, encode_line
from tablewire.games.cirkis.rules import Rules, State
from tablewire.games.cirkis.tiling import SpaceId, spaces_of

RED, GREEN, PURPLE = PlayerColour.RED, PlayerColour.GREEN, PlayerColour.PURPLE
TWO = Rules((RED, GREEN))
CONTINUATIONS = 120


def after(rules: Rules, *lines: Line) -> State:
    """The position after some legal lines."""
    state = rules.start()
    for line in lines:
        step = rules.apply(state, line)
        assert step.report.legal, line
        state = step.state
    return state


def wanted(**spaces: Sequence[int]) -> dict[PlayerColour, dict[SpaceId, int]]:
    """Spaces by colour, all of which landed at the same moment."""
    return {PlayerColour(colour): {SpaceId(space): 0 for space in some} for colour, some in spaces.items()}


def spelled(chain: Chain | None) -> list[tuple[str, list[int]]]:
    """The placements of a chain."""
    assert chain is not None
    return [(str(line.player), list(line.spaces)) for line in chain.lines if isinstance(line, Turn)]


def test_nothing_new_is_a_line_of_no_moves() -> None:
    start = after(TWO, Turn(RED, (6,)))
    only = chains(TWO, start, {}).only
    assert only is not None
    assert only.lines == ()
    assert only.state == start


def test_turns_of_several_players_are_put_in_their_order() -> None:
    """Green's 16 touches red's 6, red's 36 touches it, and green's 45 touches 36."""
    start = after(TWO, Turn(RED, (6,)))
    only = chains(TWO, start, wanted(red=[36], green=[16, 45])).only
    assert spelled(only) == [("green", [16]), ("red", [36]), ("green", [45])]


def test_a_free_turn_lets_one_player_lay_two_pieces() -> None:
    """Red's 1 completes the middle star; the piece after it may touch any."""
    start = after(TWO, Turn(RED, (2, 3)), Turn(GREEN, (4, 5)))
    only = chains(TWO, start, wanted(red=[1, 10])).only
    assert spelled(only) == [("red", [1]), ("red", [10])]


def test_several_outcomes_are_told_as_several_and_the_order_of_landing_decides() -> None:
    """Red's 26 and 36 are one small slice, or a wedge before and a wedge after green's wedge on 56."""
    start = after(TWO, Turn(RED, (6,)), Turn(GREEN, (16,)))
    found = chains(TWO, start, wanted(red=[26, 36], green=[56]))
    assert found.only is None
    assert found.whole
    assert sorted(spelled(chain) for chain in found.found) == [
        [("red", [26]), ("green", [56]), ("red", [36])],
        [("red", [26, 36]), ("green", [56])],
        [("red", [36]), ("green", [56]), ("red", [26])],
    ]
    landed_ms = {RED: {SpaceId(26): 100, SpaceId(36): 150}, GREEN: {SpaceId(56): 120}}
    in_order = [chain.in_order for chain in chains(TWO, start, landed_ms).found]
    assert in_order == [True, True, False], "red's hand and green's were down at once"
    landed_ms = {RED: {SpaceId(26): 100, SpaceId(36): 100}, GREEN: {SpaceId(56): 500}}
    assert spelled(chains(TWO, start, landed_ms).only) == [("red", [26, 36]), ("green", [56])]


def test_what_no_legal_line_leads_to_has_none() -> None:
    start = after(TWO, Turn(RED, (6,)), Turn(GREEN, (16,)))
    for new in (wanted(green=[25]), wanted(red=[60]), wanted(purple=[26]), wanted(red=[26, 60])):
        found = chains(TWO, start, new)
        assert found.found == ()
        assert found.whole
        assert found.only is None


def test_a_pass_is_taken_to_have_been_said_only_where_the_options_allow_one() -> None:
    """Red laid twice: with the option green passed in between, without it that cannot be."""
    lines = (Turn(RED, (6,)), Turn(GREEN, (16,)))
    assert chains(TWO, after(TWO, *lines), wanted(red=[26, 56])).found == ()
    passing = Rules((RED, GREEN), Options(voluntary_pass=True))
    only = chains(passing, after(passing, Turn(RED, (6,))), wanted(red=[16])).only
    assert only is not None
    assert only.lines == (Pass(GREEN), Turn(RED, (16,)))


def test_a_space_that_does_not_read_may_be_part_of_a_piece_that_is_seen() -> None:
    """Green's triangle on 6 and 16 with 16 masked: alone, its kite on 6 would be a wedge as well."""
    start = TWO.start()
    mask = 1 << 15
    found = chains(TWO, start, wanted(red=[6]), unread=mask)
    assert {
        tuple(line.spaces) for chain in found.found for line in chain.lines if isinstance(line, Turn)
    } == {
        (6,),
        (6, 16),
    }
    assert found.only is None


def test_a_board_full_of_new_pieces_is_given_up_at_once() -> None:
    many = {SpaceId(space): 0 for space in range(1, MAX_SPACES + 2)}
    found = chains(TWO, TWO.start(), {RED: many})
    assert found.found == ()
    assert not found.whole


def random_rules(rng: random.Random) -> Rules:
    players = rng.sample(list(PlayerColour), rng.randint(2, 4))
    options = Options(
        rulebook=rng.choice(list(Rulebook)), center_ring=rng.random() < 0.3, target=rng.choice([15, 40, 1000])
    )
    return Rules(players, options)


@pytest.mark.parametrize("batch", range(2))
def test_what_was_played_unseen_up_to_a_whole_round_is_found(batch: int) -> None:
    """Random games; from a random position on a round is laid all at once. The slow rules judge the lines."""
    rng = random.Random(batch)
    several = 0
    for _ in range(CONTINUATIONS):
        rules = random_rules(rng)
        states, lines = [rules.start()], list[Line]()
        while states[-1].to_move is not None and len(lines) < 50:
            piece = rng.choice(rules.legal_placements(states[-1]))
            lines.append(Turn(states[-1].to_move, piece.spaces))
            states.append(rules.place(states[-1], piece))
        first = rng.randrange(len(states) - 1)
        last = min(len(lines), first + rng.randint(1, len(rules.players) + 1))
        before, position = states[first], states[last]
        new = {
            player: dict.fromkeys(spaces_of(theirs & ~before.filled), 0)
            for player, theirs in zip(rules.players, position.masks, strict=True)
        }
        found = chains(rules, before, new)
        assert position in [chain.state for chain in found.found] or not found.whole
        several += len(found.found) > 1
        for chain in found.found:
            check(rules, lines[:first], chain, position)
        different = [chain.state for chain in found.found]
        assert all(one != other for one, other in pairwise(different))
    assert several < CONTINUATIONS // 5, "most of what a round brings can be told"


def check(rules: Rules, played: Sequence[Line], chain: Chain, position: State) -> None:
    """By the slow rules: every line is legal, the same spaces are filled, and the scores are the engine's."""
    header = Header(rules.players, rules.options)
    rows = [encode_header(header), *(encode_line(line) for line in (*played, *chain.lines))]
    text = "\n".join(map(json.dumps, rows))
    *printed, result = slow_rules.score(text)
    assert all(line["legal"] for line in printed)
    assert result["result"]["scores"] == dict(zip(rules.players, chain.state.scores, strict=True))
    table = slow_rules.Table(rows[0])
    for row in rows[1:]:
        table.line(json.dumps(row))
    theirs = {player: {s for s, owner in table.owner.items() if owner == player} for player in rules.players}
    assert theirs == {
        player: set(spaces_of(mask)) for player, mask in zip(rules.players, position.masks, strict=True)
    }
    assert table.turn == chain.state.to_move
