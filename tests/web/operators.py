"""An operator that writes down what it was asked and answers what a test tells it to."""

from typing import Any

from tablewire.web.actions import Answer


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

    def act(self, name: str, body: dict[str, Any]) -> Answer:
        """Note the request; answer as set, or fail as set."""
        self.asked.append((name, body))
        if self.broken is not None:
            raise self.broken
        return self.answer

    def legal(self) -> dict[str, Any]:
        """The placements set."""
        return {"version": 1, "player": "purple", "placements": self.placements}

    def age_ms(self) -> int | None:
        """The age set."""
        return self.silent_ms
