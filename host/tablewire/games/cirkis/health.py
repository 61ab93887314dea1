"""How far each sensor of a Cir*Kis board can be believed.

Owns the states of a sensor and what they follow from. Must not know the page or how a mask is set.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from tablewire.board.lies import Lies

if TYPE_CHECKING:
    from tablewire.games.cirkis.referee import CirkisTable


def sensors(table: CirkisTable, lies: Lies) -> dict[str, Any]:
    """Every sensor with what it stands for and how far it can be believed."""
    del table, lies
    return {"sensors": []}
