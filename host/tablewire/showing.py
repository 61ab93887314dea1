"""The whole state document: a table's own part, and what is said around it.

Owns the document's `game_id`, `notices` and `link`. Must not know what a game says of itself, nor when
anything is shown.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from tablewire.wire.session import LinkState

LINK_WORDS: Mapping[LinkState, str] = {
    LinkState.SEARCHING: "searching",
    LinkState.UP: "up",
    LinkState.DOWN: "down",
    LinkState.REFUSED: "down",
}


@dataclass(frozen=True, slots=True)
class Around:
    """What a document says beside the game.

    `link_text`: what is wrong with the link; `notices`: lines that stay; `trouble`: why the current game is
    not played; `store_text`: what the disk refused last. All are one line for a person.
    """

    port: str
    notices: tuple[str, ...] = ()
    state: LinkState = LinkState.SEARCHING
    link_text: str | None = None
    trouble: str | None = None
    store_text: str | None = None

    def compose(self, game: Mapping[str, Any], game_id: str | None) -> dict[str, Any]:
        """The document around the table's own part of it, without its version."""
        notices = [*self.notices, *(text for text in (self.trouble, self.store_text) if text)]
        link = {"state": LINK_WORDS[self.state], "port": self.port, "silent_ms": None}
        if self.link_text:
            link["text"] = self.link_text
        return {**game, "game_id": game_id, "notices": notices, "link": link}
