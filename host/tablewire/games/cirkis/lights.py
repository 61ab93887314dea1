"""What a Cir*Kis board shows and plays by itself: whose turn it is, and what became of the last placement.

Owns the choice of lights and the cues for sounds. Must not know when a signal is sent, what was heard before,
or how the state document comes about: that document is all it reads.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from tablewire.games.cirkis.colours import PlayerColour
from tablewire.games.live import Cue, Lights
from tablewire.wire.messages import Light, Sound

Document = Mapping[str, Any]

_PLAYERS = tuple(colour.value for colour in PlayerColour)
"""The board's player k is the k-th colour, as with the peg holes."""
_ILLEGAL = "illegal"


def lights(document: Document) -> Lights:
    """The lights for a state document, and the cues that stand in it, bad news first."""
    turn, is_set_up = document["turn"], document["phase"] != "waiting"
    return Lights(
        1 << _PLAYERS.index(turn) if turn is not None and is_set_up else 0,
        _light(document) if is_set_up else Light.OFF,
        (*_trouble(document), *_ending(document), *_moves(document)),
    )


def _light(document: Document) -> Light:
    if document["phase"] == "hold":
        return Light.ILLEGAL if document["message"]["kind"] == _ILLEGAL else Light.HOLD
    # A move that may still grow is not judged yet, and on an empty board there is nothing to judge.
    is_final = document["settled"] == len(document["history"]) > 0
    return Light.LEGAL if is_final else Light.OFF


def _trouble(document: Document) -> Iterator[Cue]:
    """Another piece, another reason or another place is heard anew; how else a table is wrong, is not."""
    if document["phase"] != "hold":
        return
    message = document["message"]
    if message["kind"] == _ILLEGAL:
        yield Cue(f"illegal {message['reasons']} {message['steps']}", Sound.ILLEGAL)
    else:
        yield Cue(f"hold {message['kind']}", Sound.HOLD)


def _ending(document: Document) -> Iterator[Cue]:
    """Nobody's turn is the end, but the last piece may still go again for a moment."""
    if document["turn"] is None:
        yield Cue(f"over {document['round']}", Sound.OVER, is_due=document["phase"] == "over")


def _moves(document: Document) -> Iterator[Cue]:
    """Moves that brought points before those that did not: one sound is all that is heard at a time."""
    cues = [
        Cue(_name(line), _sound(line), is_due=n <= document["settled"])
        for n, line in enumerate(document["history"], 1)
        if "round" not in line
    ]
    yield from sorted(cues, key=lambda cue: cue.sound is not Sound.POINTS)


def _sound(line: Document) -> Sound:
    brought = line["ruling"] if "ruling" in line else line["points"]
    return Sound.POINTS if any(points > 0 for points in brought.values()) else Sound.LEGAL


def _name(line: Document) -> str:
    """The same for the same move in the same place of the game, whatever has become of those before it."""
    return f"move {line['n']} {line.get('player')} {line.get('spaces')} {line.get('ruling')}"
