"""The boards that every scenario runs on.

A scenario is a test that asks for `new_board` or `new_tag_board`, or for something made of them: it runs once
on each board, and may look at the board's state and at what the session was told, never inside the firmware.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping

from tablewire.twin.heart import TwinHeart
from tablewire.virtual.board import VirtualBoard
from tablewire.virtual.heart import HeartMaker
from tablewire.virtual.python_heart import PythonHeart

BOARDS: Mapping[str, HeartMaker] = {"virtual": PythonHeart, "twin": TwinHeart}
"""The protocol's rules in Python, and the real firmware in an emulated chip."""

NewBoard = Callable[..., VirtualBoard]
"""Makes a board as VirtualBoard does: seed, entropy. It is closed at the end of the test."""
