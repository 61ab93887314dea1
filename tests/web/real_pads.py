"""A real game of Ligretto behind the page: cards on pads become its documents, and what the page asks for is
done to it. Without wire or disk; time moves only where a test says so.
"""

from typing import Any

from tests.table.ligretto.pads import Pads
from tests.web.documents import link
from tests.web.operators import WrittenOperator

from tablewire.games.live import Refusal, Told
from tablewire.web.actions import Answer, Download
from tablewire.web.feed import Feed


class RealPads(WrittenOperator):
    """One game; it stands where the daemon does."""

    def __init__(self, feed: Feed, *players: str, **options: Any) -> None:
        super().__init__()
        self.pads = Pads(*players, **options)
        self.version = 0
        self.readers: list[list[int]] = []
        self._feed = feed

    @property
    def document(self) -> dict[str, Any]:
        """The whole document of the game as it is now."""
        around = {"game_id": "11ab", "notices": [], "link": link("up", board="ligretto")}
        return {**self.pads.doc, **around, "version": self.version}

    def publish(self) -> dict[str, Any]:
        """Show what is so now."""
        self.version += 1
        self._feed.publish(self.version, self.document)
        return self.document

    def act(self, name: str, body: dict[str, Any]) -> Answer:
        """Do one action, as the table's program would answer it."""
        self.asked.append((name, body))
        answer = self.pads.table.act(name, body)
        if isinstance(answer, Refusal):
            status = 422 if answer.malformed else 409
            return Answer(status, {**answer.details, "reason": answer.reason, "text": answer.text})
        if isinstance(answer, Told):
            return Answer(200, {**answer.body, "version": self.version})
        self.pads.act(name, **body)
        self.publish()
        return Answer(200, {"version": self.version})

    def health(self) -> dict[str, Any]:
        """What every reader sees, and how the board says that they are."""
        return {**self.pads.table.health(), "board": {"readers": self.readers}}

    def record(self, game_id: str | None) -> Download:
        """The record of the game so far."""
        del game_id
        return Download("ligretto.jsonl", self.pads.table.record())
