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
from tablewire.games.cirkis.growth import Growth, in_their_time, player_of
from tablewire.games.cirkis.pieces import Placement
from tablewire.games.cirkis.record import Pass, Turn
from tablewire.games.cirkis.tiling import mask_of, spaces_of
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
        return Untold(tuple(groups), grown, len(found.found))
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
    """The larger pieces that those may have become which were still being laid as the board went."""
    moves = judge.moves
    unseen_ms = min(group.landed_ms[space] for group in groups for space in group.unseen)
    growing = list(in_their_time(moves, unseen_ms - BOOT_GAP_MS))
    if not growing:
        return []
    before, _ = moves.replay(moves.lines()[: growing[0]])
    wanted = {group.colour: dict(group.landed_ms) for group in groups}
    pieces = dict[int, tuple[PlayerColour, Placement]]()
    for index in range(growing[0], len(moves.moves)):
        piece, player = moves.placement(index), player_of(moves.moves[index])
        if piece is not None and player is not None:
            pieces[index] = player, piece
            wanted.setdefault(player, {}).update(dict.fromkeys(piece.spaces, NEVER_MS))
    known = frozenset(piece.mask for _, piece in pieces.values())
    hidden = mask_of(judge.sensed.masked)
    found = chains(moves.rules, before.state, wanted, hidden, known, grown=True)
    masks = sorted(
        {mask_of(line.spaces) for way in found.found for line in way.lines if isinstance(line, Turn)}
    )
    rewrites = list[Rewrite]()
    for index in growing:
        player, piece = pieces[index]
        for mask in masks:
            if mask & piece.mask == piece.mask and mask != piece.mask:
                last_ms = max(wanted[player].get(space, NEVER_MS) for space in spaces_of(mask))
                growth = Growth(index, piece, moves.rules.pieces.by_mask[mask], last_ms)
                rewrites.append(judge.rewrite(growth, player))
    return rewrites
