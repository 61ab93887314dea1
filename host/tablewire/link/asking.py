"""One place where a board may be, asked on a thread of its own.

Owns the thread, and that its link is closed by whoever comes last: the thread, or the one who does not want
it. Must not know where else is asked, nor what is done with the answer.
"""

from __future__ import annotations

import threading
from collections.abc import Callable

from tablewire.errors import one_line
from tablewire.link.contract import Link
from tablewire.link.faults import Cause, LinkLost, LinkRefused
from tablewire.link.places import Place


class Asked:
    """One place being asked. Whoever lets it go need not wait: it closes itself. The link stays open after a
    board has answered, unless it was let go.

    `refusal`: why no board is used there, once that is known.
    """

    def __init__(self, place: Place, link: Link, ask: Callable[[Asked], object]) -> None:
        self.place = place
        self.link = link
        self.is_radio = place.board.kind == "ble"
        self.refusal: LinkRefused | None = None
        self.is_let_go = False
        self._ask = ask
        self._lock = threading.Lock()
        self._has_ended = False
        # A daemon thread: a driver that hangs in a call must not keep the program from ending.
        self._thread = threading.Thread(target=self._run, name="find", daemon=True)

    def start(self, done: Callable[[Asked], None]) -> None:
        """Begin. `done` is called on the thread, at its end."""
        self._done = done
        self._thread.start()

    def _run(self) -> None:
        try:
            self.link.open()
            self._ask(self)
        except LinkRefused as exc:
            self.refusal = exc
        except LinkLost as exc:
            self.refusal = LinkRefused(str(exc), Cause.OTHER)
        except Exception as exc:  # a fault of ours in a link must not end the search
            self.refusal = LinkRefused(f"{type(exc).__name__}: {one_line(exc)}", Cause.OTHER)
        with self._lock:
            self._has_ended = True
            keeps_open = self.refusal is None and not self.is_let_go
        if not keeps_open:
            self.link.close()
        self._done(self)

    def let_go(self) -> None:
        """It is not wanted: closed now, or by its own thread as soon as its call returns."""
        with self._lock:
            self.is_let_go = True
            closes = self._has_ended
        if closes:
            self.link.close()
        else:
            self.link.wake()
