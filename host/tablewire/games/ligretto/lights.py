"""What a Ligretto board shows and plays by itself: whose stop it was, and whether a card lies wrong.

Owns the choice of lights and the cues for sounds. Must not know when a signal is sent, what was heard before,
or how the state document comes about: that document is all it reads.

Cards come too fast for a sound each: only what is wrong, undecided, stopped, complete or over is heard.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from tablewire.games.live import Cue, Lights
from tablewire.wire.messages import Light, Sound

Document = Mapping[str, Any]

LAMPS_COUNT = 8
"""A signal has a bit for each lamp in one byte; players beyond have none."""


def lights(document: Document) -> Lights:
    """The lights for a state document, and the cues that stand in it, bad news first."""
    playing = document["phase"] in ("playing", "hold")
    return Lights(
        _players(document) if playing else 0,
        _light(document) if playing else Light.OFF,
        (*_trouble(document), *_ending(document), *_complete(document)),
    )


def _players(document: Document) -> int:
    """All of them while everybody plays; who stopped, after that."""
    stopped, players = document["stopped"], document["players"][:LAMPS_COUNT]
    return sum(
        1 << player["seat"] for player in players if stopped is None or stopped["by"] == player["name"]
    )


def _light(document: Document) -> Light:
    if document["wrong"]:
        return Light.ILLEGAL
    if document["undecided"] or document["phase"] == "hold":
        return Light.HOLD
    return Light.LEGAL if document["pads"] else Light.OFF


def _trouble(document: Document) -> Iterator[Cue]:
    """Heard once it is certain: the next reading may make right what looks wrong now."""
    settled = document["settled"]
    for wrong in document["wrong"]:
        name = f"wrong {wrong['n']} {wrong['pad']} {wrong['uid']}"
        yield Cue(name, Sound.ILLEGAL, is_due=(wrong["n"] or 0) <= settled)
    for group in document["undecided"]:
        name = f"undecided {group['id']} {group['pad']}"
        yield Cue(name, Sound.HOLD, is_due=max(group["ns"]) <= settled)


def _ending(document: Document) -> Iterator[Cue]:
    if document["stopped"] is not None:
        yield Cue(f"stopped {document['round']} {document['stopped']['by']}", Sound.OVER)
    for score in document["history"]:
        yield Cue(f"scored {score['round']}", Sound.POINTS)


def _complete(document: Document) -> Iterator[Cue]:
    for pad, pile in document["pads"].items():
        if pile["complete"]:
            yield Cue(f"complete {document['round']} {pad}", Sound.POINTS)
