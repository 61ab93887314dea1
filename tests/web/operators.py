"""An operator that writes down what it was asked and answers what a test tells it to."""

from typing import Any, TypeVar

from flask.testing import FlaskClient

from tablewire.web.actions import Answer, Download

Kept = TypeVar("Kept")


class WrittenOperator:
    """Stands where the game thread would."""

    def __init__(self) -> None:
        self.asked: list[tuple[str, dict[str, Any]]] = []
        self.answer = Answer(200, {"version": 7})
        self.broken: Exception | None = None
        self.silent_ms: int | None = 40
        self.placements: list[dict[str, Any]] = [
            {"shape": "wedge", "spaces": [8]},
            {"shape": "wedge", "spaces": [9]},
            {"shape": "small slice", "spaces": [8, 9]},
        ]

        self.kept_games: list[dict[str, Any]] = []
        self.kept_record = Download("cirkis-1.jsonl", '{"record": 1}\n')
        self.kept_audit: list[dict[str, Any]] = []
        self.sensors: list[dict[str, Any]] = []
        self.kept_decks: list[dict[str, Any]] = [
            {"name": "red", "missing": 0},
            {"name": "green", "missing": 0},
            {"name": "blue", "missing": 3},
        ]
        self.decks_text: str | None = None

    def act(self, name: str, body: dict[str, Any]) -> Answer:
        """Note the request; answer as set, or fail as set."""
        self.asked.append((name, body))
        if self.broken is not None:
            raise self.broken
        return self.answer

    def legal(self) -> dict[str, Any]:
        """The placements set."""
        return {"version": 1, "player": "purple", "placements": self.placements}

    def games(self) -> list[dict[str, Any]]:
        """The games set."""
        return self._read("games", {}, self.kept_games)

    def record(self, game_id: str | None) -> Download:
        """The record set."""
        return self._read("record", {"game_id": game_id}, self.kept_record)

    def audit(self, game_id: str | None) -> list[dict[str, Any]]:
        """The audit set."""
        return self._read("audit", {"game_id": game_id}, self.kept_audit)

    def decks(self) -> dict[str, Any]:
        """The decks set."""
        return self._read("decks", {}, {"decks": self.kept_decks, "decks_text": self.decks_text})

    def health(self) -> dict[str, Any]:
        """The sensors set."""
        return self._read("health", {}, {"sensors": self.sensors})

    def _read(self, name: str, asked: dict[str, Any], answer: Kept) -> Kept:
        self.asked.append((name, asked))
        if self.broken is not None:
            raise self.broken
        return answer

    def age_ms(self) -> int | None:
        """The age set."""
        return self.silent_ms


def refusal(answer: Any) -> tuple[int, str]:
    """The status of an answer and the reason it gives."""
    return answer.status_code, answer.json["reason"]


def post(client: FlaskClient, action: str, body: Any = None, **more: Any) -> Any:
    """Ask for an action."""
    return client.post(f"/api/{action}", json={} if body is None else body, **more)
