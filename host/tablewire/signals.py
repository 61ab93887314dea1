"""What the board shows and plays: the lights of the newest document, and again to a board found anew.

Owns when SIGNAL is sent, and what was heard before. Must not know what lights mean, any one game, ports or
clocks.

One signal is under way at a time, and the next one is of the newest document: nothing in between is missed,
for a cue stands in every document until it is no longer true. A board that does not answer costs the game
nothing.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from tablewire.games.live import Lights
from tablewire.wire.messages import Light, Signal, Sound
from tablewire.wire.session import HostSession, LinkState

Document = Mapping[str, Any]


class Signals:
    """The signals of one session. For the thread that owns it."""

    def __init__(self, session: HostSession) -> None:
        self._session = session
        self._followed: Document | None = None
        self._lit: tuple[int, Light] | None = None
        # None: nobody knows what was heard, so all that stands now counts as heard.
        self._heard: frozenset[str] | None = None
        self._is_under_way = False

    def board_found(self) -> None:
        """The board may be dark now; what it played is not known, and is never played again."""
        self._followed = self._lit = self._heard = None
        self._is_under_way = False

    def follow(self, document: Document, lights_for: Callable[[Document], Lights]) -> None:
        """Hand the session the signal for this document, when it is due and says something else."""
        if any(isinstance(outcome.command, Signal) for outcome in self._session.take_outcomes()):
            self._is_under_way = False
        if self._is_under_way or document is self._followed or self._session.state is not LinkState.UP:
            return
        if self._followed is not None and document.get("game_id") != self._followed.get("game_id"):
            self._heard = None
        self._followed = document
        lights = lights_for(document)
        sound = self._hear(lights)
        lit = (lights.players, lights.light)
        if sound is not Sound.NONE or lit != self._lit:
            self._lit = lit
            signal = Signal(token=0, players=lights.players, verdict=lights.light, sound=sound)
            self._is_under_way = self._session.submit(signal)

    def _hear(self, lights: Lights) -> Sound:
        """The sound of the first cue that is due and was not heard; all that are due are heard now."""
        due = [cue for cue in lights.cues if cue.is_due]
        heard = frozenset(cue.name for cue in due) if self._heard is None else self._heard
        sound = next((cue.sound for cue in due if cue.name not in heard), Sound.NONE)
        # What no longer stands is forgotten: when it comes again, it is heard again.
        self._heard = frozenset(cue.name for cue in lights.cues if cue.is_due or cue.name in heard)
        return sound
