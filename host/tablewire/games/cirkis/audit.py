"""What people did to a game of Cir*Kis besides playing it, in words: who, what and why.

Owns which entries the audit names, and its sentences. Must not know wall time, disk or the page.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from tablewire.board.lies import Lies
from tablewire.entries import Entry
from tablewire.games.live import Intervention

if TYPE_CHECKING:
    from tablewire.games.cirkis.referee import CirkisTable


def intervention(table: CirkisTable, entry: Entry, lies: Lies) -> Intervention | None:
    """What the audit says of an entry that the table is about to take in; None for plain play."""
    del table, entry, lies
    return None
