"""Pieces that came while the board was not heard: the only line of moves that explains them, or a question.

Owns when all that is new is judged together, and what is taken over by itself. Must not know how landings
form groups, what went from the table, or words.

Of pieces that were seen to come the order tells which move each of them is. After a cut link or a power cut
a snapshot tells only that they lie there. Then nothing is a move unless one legal line of moves alone leads
to all of it: judged one by one, the first of two players' pieces could be taken for another than it was.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from tablewire.board.clock import BOOT_GAP_MS
from tablewire.board.lies import NEVER_MS
from tablewire.games.cirkis.chain import Chain, chains
from tablewire.games.cirkis.colours import PlayerColour
from tablewire.games.cirkis.findings import CatchUp, Commit, Group, Rewrite, Untold
from tablewire.games.cirkis.growth import Growth, player_of
from tablewire.games.cirkis.record import Pass, Turn
from tablewire.games.cirkis.tiling import SpaceId, mask_of
from tablewire.games.cirkis.verdicts import Judge


def came_unseen(groups: Sequence[Group]) -> bool:
    """Whether some of it was told by a snapshot, and not as it came."""
    return any(group.unseen for group in groups)


def caught_up(judge: Judge, groups: Sequence[Group]) -> CatchUp | Untold | None:
    """What settled groups are, taken together; None when no legal line of moves leads to them.

    A pass that was said meanwhile nobody heard: a line that needs one is asked for.
    """
    rules, state = judge.moves.rules, judge.moves.state
    wanted = {group.colour: group.landed_ms for group in groups}
    found = chains(rules, state, wanted, mask_of(judge.sensed.masked))
    if found.whole and not found.found:
        return None
    grown = tuple(_grown(judge, groups))
    only = found.only
    if only is None or grown or any(isinstance(line, Pass) for line in only.lines):
        return Untold(tuple(groups), grown)
    return CatchUp(tuple(_commits(judge, groups, only)))


def _commits(judge: Judge, groups: Sequence[Group], way: Chain) -> list[Commit]:
    """A line of moves as changes of the game, each laid when its magnets were first heard of."""
    landed_ms = {group.colour: group.landed_ms for group in groups}
    commits = list[Commit]()
    for line in way.lines:
        if isinstance(line, Turn):
            player = PlayerColour(line.player)
            piece = judge.moves.rules.pieces.by_mask[mask_of(line.spaces)]
            commits.append(judge.commit(player, landed_ms[player], (piece,)))
            judge = replace(judge, moves=judge.moves.play(line, commits[-1].laid[0]))
    return commits


def _grown(judge: Judge, groups: Sequence[Group]) -> list[Rewrite]:
    """The larger pieces that the last one may have become, if it was still being laid as the board went."""
    moves = judge.moves
    index = len(moves.moves) - 1
    piece = moves.placement(index) if index >= 0 and moves.on_table(index) else None
    player, laid = (player_of(moves.moves[index]), moves.moves[index].laid) if piece else (None, None)
    if piece is None or player is None or laid is None or laid.grows_until_ms is None:
        return []
    unseen_ms = min(group.landed_ms[space] for group in groups for space in group.unseen)
    if laid.grows_until_ms < unseen_ms - BOOT_GAP_MS:
        return []
    before, _ = moves.replay(moves.lines()[:-1])
    wanted = {group.colour: dict(group.landed_ms) for group in groups}
    own = wanted.setdefault(player, {})
    own |= {SpaceId(space): laid.last_ms for space in piece.spaces}
    known = frozenset([piece.mask])
    hidden = mask_of(judge.sensed.masked)
    found = chains(moves.rules, before.state, wanted, hidden, known, grown=True)
    masks = {
        mask
        for way in found.found
        for line in way.lines
        if isinstance(line, Turn) and (mask := mask_of(line.spaces)) & piece.mask and mask != piece.mask
    }
    larger = [moves.rules.pieces.by_mask[mask] for mask in sorted(masks)]
    return [
        judge.rewrite(Growth(index, piece, each, max(own.get(s, NEVER_MS) for s in each.spaces)), player)
        for each in larger
    ]
