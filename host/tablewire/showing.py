"""The whole state document: a table's own part, what is said around it, and which was shown last.

Owns the document's `game_id`, `notices`, `link` and `version`. Must not know what a game says of itself, nor
when anything is shown or kept.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

from tablewire.errors import short_line
from tablewire.wire.greeting import KIND_NAMES
from tablewire.wire.messages import BoardKind
from tablewire.wire.session import LinkState

LINK_WORDS: Mapping[LinkState, str] = {
    LinkState.SEARCHING: "searching",
    LinkState.UP: "up",
    LinkState.DOWN: "down",
    LinkState.REFUSED: "refused",
}

TEXT_MAX_CHARS = 500
"""A line about the link may name a few places and what to do; names of foreign devices may be as long as
they like."""
WORDS_MAX_CHARS = 200
"""One place, or why no board is used there."""
TRIED_MAX_COUNT = 32
"""More places than any home has."""

SILENT = "the board at {port} has not answered for some seconds; it is asked again and again"
"""Said while the link is open and its board no longer heard: what becomes of it is seen seconds later."""

MISFIT = (
    "the board at {port} is one for {board}, and {game} is played: put the game aside, or connect its board"
)
"""Said while a board is heard on which the game cannot be played. The game keeps; nothing of it is lost."""

Tried = Sequence[tuple[str, str]]
"""Places where a board was looked for, each with why none is used there."""


@dataclass(frozen=True, slots=True)
class Around:
    """What a document says beside the game.

    `wanted`: the place that was named at the start, "auto" when the board is looked for; `link_text`: what is
    wrong with the link, or where a board is looked for; `link_kind`: what it went over last, None before the
    first; `board`: the kind of board that was heard last, as it names it; `readers`: how many tag readers it
    has, None where it has none; `tried`: where none was found, and why not. `notices`: lines that stay;
    `trouble`: why the current game is not played; `store_text`: what the disk refused last. All are one line
    for a person.
    """

    port: str
    wanted: str = "auto"
    notices: tuple[str, ...] = ()
    state: LinkState = LinkState.SEARCHING
    link_text: str | None = None
    link_kind: str | None = None
    board: int | None = None
    readers: int | None = None
    tried: Tried = ()
    trouble: str | None = None
    store_text: str | None = None

    def compose(
        self, game: Mapping[str, Any], game_id: str | None, played_on: BoardKind | None = None
    ) -> dict[str, Any]:
        """The document around the table's own part of it, without its version; `played_on`: the board that
        the game needs.
        """
        notices = [*self.notices, *(text for text in (self.trouble, self.store_text) if text)]
        link: dict[str, Any] = {
            "state": LINK_WORDS[self.state],
            "port": _words(self.port),
            "wanted": _words(self.wanted),
            "kind": self.link_kind,
            "board": self.board_name,
            "readers": self.readers,
            "silent_ms": None,
            "tried": [
                {"port": _words(port), "why": _words(why)} for port, why in self.tried[:TRIED_MAX_COUNT]
            ],
        }
        text = self.link_text
        if self.state is LinkState.DOWN and not text:
            # A link that failed has said why.
            text = SILENT.format(port=link["port"])
        elif self.state is LinkState.UP and played_on is not None and self.board not in (None, played_on):
            board = KIND_NAMES.get(self.board, "another game")
            text = MISFIT.format(port=link["port"], board=board, game=KIND_NAMES[played_on])
        if text:
            link["text"] = _words(text, TEXT_MAX_CHARS)
        return {**game, "game_id": game_id, "notices": notices, "link": link}

    @property
    def board_name(self) -> str | None:
        """The kind of board that was heard last, as the game on it is called in records; None before any."""
        known = {int(kind): kind.name.lower() for kind in BoardKind}
        return known.get(self.board) if self.board is not None else None


def _words(text: str, max_chars: int = WORDS_MAX_CHARS) -> str:
    """Names and descriptions come from foreign devices: on one line, no longer than a page has room for."""
    return short_line(text, max_chars)


class Page:
    """What is shown: the newest document, its version, and what the next one will say beside the game."""

    def __init__(
        self, publish: Callable[[int, dict[str, Any]], None], port: str, notices: Iterable[str], version: int
    ) -> None:
        """`port`: where the board is wanted; `version`: that of the document shown last, by any program."""
        self.version = version
        self.around = Around(port, port, tuple(notices))
        self.unsaved_count = 0
        """How many versions were shown since one was saved."""
        self._publish = publish
        self._shown: dict[str, Any] | None = None

    @property
    def readers(self) -> int | None:
        """How many tag readers the board heard last has; None before any, and for one without."""
        return self.around.readers

    @property
    def shown(self) -> dict[str, Any] | None:
        """The newest document without its version; None before the first."""
        return self._shown

    def say(self, **said: Any) -> None:
        """Say something else beside the game from now on."""
        around = replace(self.around, **said)
        # The same object as long as it says the same: whoever compares looks at nothing else.
        if around != self.around:
            self.around = around

    def version_of(self, document: Mapping[str, Any]) -> int:
        """The version under which a document would be shown now."""
        return self.version + (document != self._shown)

    def show(self, document: dict[str, Any], *, is_saved: bool = True) -> None:
        """Publish a document, if it says anything new, under the next version; `is_saved`: it is on disk."""
        version = self.version_of(document)
        if is_saved:
            self.unsaved_count = 0
        if version == self.version:
            return
        self.unsaved_count += not is_saved
        self.version, self._shown = version, document
        self._publish(version, {**document, "version": version})
