"""How far each pad of a Ligretto table can be believed, by what its reader sees.

Owns what is counted of each pad. Must not know words. How a reader itself is, the board's STATUS tells.
"""

from __future__ import annotations

from collections import Counter
from typing import TYPE_CHECKING, Any

from tablewire.board.lies import Lies
from tablewire.games.ligretto.words import UNKNOWN_TAG

if TYPE_CHECKING:
    from tablewire.games.ligretto.course import LigrettoTable
    from tablewire.games.ligretto.look import Look


def summary(table: LigrettoTable, shown: Look, lies: Lies) -> dict[str, Any]:
    """For the state document: stray readings so far, tags that no deck has, cards on each pad from before,
    and tags that a person said to let lie.
    """
    ignored = Counter(pad for pad, uid in lies.tags if (pad, uid) in table.sensed.ignored)
    return {
        "ghosts": table.sensed.ghosts_count,
        "unknown_tags": sum(UNKNOWN_TAG in wrong.reasons for wrong in shown.wrong),
        "resting": {str(pad): count for pad, count in shown.resting.items()},
        "ignored": {str(pad): count for pad, count in sorted(ignored.items())},
    }


def pad_count(table: LigrettoTable, lies: Lies) -> int:
    """How many pads are to be shown: those of the board, and any on which something lies, were it that of
    another board on which the game began.
    """
    lying = (*(pad for pad, _ in lies.tags), *table.closed.round.piles)
    return max([table.setting.pad_count(lies.reader_count), *(pad + 1 for pad in lying)])


def pads(table: LigrettoTable, lies: Lies) -> dict[str, Any]:
    """Every pad with the tags that its reader sees: which card each is, since when, and whether it counts."""
    rows: list[dict[str, Any]] = []
    for pad in range(pad_count(table, lies)):
        tags = [
            {
                "uid": uid,
                "card": None if (card := table.card_of(uid)) is None else card._asdict(),
                "came_ms": state.came_ms,
                "counts": not table.sensed.is_asleep((reader, uid)),
            }
            for (reader, uid), state in sorted(lies.tags.items())
            if reader == pad
        ]
        rows.append({"sensor": pad, "pad": pad, "state": "ok", "tags": tags})
    return {"sensors": rows, "ghosts": table.sensed.ghosts_count}
