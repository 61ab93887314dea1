"""The vectors that Python and C share, as read from tests/vectors/wire.json."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

ROOT = Path(__file__).parents[2]
VECTORS: dict[str, Any] = json.loads((ROOT / "tests" / "vectors" / "wire.json").read_text(encoding="utf-8"))
MESSAGES: list[dict[str, Any]] = VECTORS["messages"]
STREAMS: list[dict[str, Any]] = VECTORS["streams"]


def named(row: dict[str, Any]) -> str:
    """A test id."""
    return str(row["name"])
