"""A call that gets so long and no longer, whatever the system does to it.

Owns the thread that such a call runs on. Must not know what is called.
"""

from __future__ import annotations

import threading
from collections.abc import Callable
from typing import Generic, TypeVar

Result = TypeVar("Result")


class Late(Exception):  # noqa: N818 - the word says what happened
    """The call did not come back in time; it is left to itself."""


class Started(Generic[Result]):
    """A call that runs meanwhile. A daemon thread: one that never comes back must not keep the program."""

    def __init__(self, call: Callable[[], Result]) -> None:
        self._call = call
        self._result: list[Result] = []
        self._error: Exception | None = None
        self._thread = threading.Thread(target=self._run, name="look", daemon=True)
        self._thread.start()

    def _run(self) -> None:
        try:
            self._result.append(self._call())
        except Exception as exc:
            self._error = exc

    def result(self, limit_s: float) -> Result:
        """What the call gave or raised. Late when it has not ended within `limit_s` from now."""
        self._thread.join(max(0.0, limit_s))
        if self._thread.is_alive():
            raise Late("it took too long")
        if self._error is not None:
            raise self._error
        return self._result[0]


def within(limit_s: float, call: Callable[[], Result]) -> Result:
    """What `call` gives or raises. Late when that takes longer than `limit_s`."""
    return Started(call).result(limit_s)
