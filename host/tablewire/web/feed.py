"""The newest state document, handed from the game thread to any number of web threads.

Owns one slot: the last document published, as bytes. A newer one replaces it whether or not anybody has read
it, so the publisher never waits and a reader that stops costs nothing. Must not know what the document says,
beyond its `link` part, nor HTTP.
"""

import json
import threading
from typing import Any, NamedTuple


class Published(NamedTuple):
    """A document as it was when published: later changes to the caller's dictionary do not reach it."""

    version: int
    head: bytes
    link: dict[str, Any]

    def body(self, silent_ms: int | None) -> bytes:
        """The whole document as JSON, with `link.silent_ms` as it is now (None: never heard)."""
        return self.head + encode_json({**self.link, "silent_ms": silent_ms}) + b"}"


class Feed:
    """A newest-wins slot. `publish` is for one thread; everything else is for any thread."""

    def __init__(self) -> None:
        self._changed = threading.Condition()
        self._newest: Published | None = None
        self._closed = False

    def publish(self, version: int, document: dict[str, Any]) -> None:
        """Make a document the current one and wake who waits for it. Never blocks on a reader.

        A version lower than the current one is a ValueError: versions never fall. The same version again
        replaces the document without waking anybody.
        """
        link = dict(document.get("link") or {})
        rest = {**{key: value for key, value in document.items() if key != "link"}, "version": version}
        newest = Published(version, encode_json(rest)[:-1] + b',"link":', link)
        with self._changed:
            if self._newest is not None and version < self._newest.version:
                raise ValueError(f"version {version} after {self._newest.version}: versions never fall")
            self._newest = newest
            self._changed.notify_all()

    def current(self) -> Published | None:
        """The newest document; None before the first."""
        return self._newest

    def wait_newer(self, version: int, timeout_s: float) -> Published | None:
        """The newest document once it is newer than `version`; None after the time or when closed."""
        with self._changed:
            self._changed.wait_for(lambda: self._closed or self._is_newer(version), timeout_s)
            return self._newest if self._is_newer(version) and not self._closed else None

    def close(self) -> None:
        """End every wait, now and later: the daemon is stopping."""
        with self._changed:
            self._closed = True
            self._changed.notify_all()

    @property
    def closed(self) -> bool:
        """Whether `close` was called."""
        return self._closed

    def _is_newer(self, version: int) -> bool:
        return self._newest is not None and self._newest.version > version


def encode_json(value: object) -> bytes:
    """Compact JSON in ASCII, so that no text of a user (a lone surrogate) can fail to encode. No NaN."""
    return json.dumps(value, ensure_ascii=True, allow_nan=False, separators=(",", ":")).encode("ascii")
