"""When the host says SIGNAL: one at a time, of the newest document, each cue heard once while it stands.

The board's words are written by the test; what lights a document has, too.
"""

from __future__ import annotations

from typing import Any

from tests.wire.scripted_board import GREETING, HEARTBEAT, Scene

from tablewire.games.live import Cue, Lights
from tablewire.signals import Signals
from tablewire.wire.messages import Light, Result, Signal, Sound

MOVE = Cue("move 1", Sound.LEGAL)
NEXT = Cue("move 2", Sound.POINTS)
WRONG = Cue("illegal", Sound.ILLEGAL)


class Table:
    """A session with a board, and documents whose lights the test names."""

    def __init__(self) -> None:
        self.board = Scene()
        self.board.meet()
        self.signals = Signals(self.board.session)
        self.signals.board_found()

    def show(self, *cues: Cue, players: int = 1, game: str = "a") -> None:
        """A new document."""
        document = {"game_id": game}
        self.signals.follow(document, lambda _: Lights(players, Light.OFF, cues))

    def said(self) -> list[Signal]:
        """The signals that the host says now."""
        return [one for one in self.board.heard() if isinstance(one, Signal)]

    def heard(self, *cues: Cue, **shown: Any) -> tuple[int, Sound] | None:
        """Show a document: the players and the sound that the board hears and answers, if any."""
        self.show(*cues, **shown)
        said = self.said()
        for signal in said:
            self.board.say(Result(signal.token, 0, 0))
        return (said[-1].players, Sound(said[-1].sound)) if said else None

    def cut(self) -> None:
        """The link is lost and found again, on the same boot."""
        self.board.session.link_lost(self.board.now_ms)
        self.board.session.link_opened(self.board.now_ms)
        self.board.say(GREETING)
        self.signals.board_found()


def begun() -> Table:
    """A table that was lit once."""
    table = Table()
    assert table.heard() == (1, Sound.NONE)
    return table


def test_a_cue_is_heard_once() -> None:
    table = begun()
    assert table.heard(MOVE) == (1, Sound.LEGAL)
    assert table.heard(MOVE) is None
    assert table.heard(NEXT, MOVE) == (1, Sound.POINTS)


def test_other_lights_without_a_cue_are_silent() -> None:
    table = begun()
    table.heard(MOVE)
    assert table.heard(MOVE, players=2) == (2, Sound.NONE)


def test_the_first_of_several_new_cues_is_heard_and_the_others_never() -> None:
    table = begun()
    assert table.heard(WRONG, NEXT, MOVE) == (1, Sound.ILLEGAL)
    assert table.heard(NEXT, MOVE) is None


def test_a_cue_that_went_and_came_again_is_heard_again() -> None:
    table = begun()
    assert table.heard(WRONG) == (1, Sound.ILLEGAL)
    assert table.heard() is None
    assert table.heard(WRONG) == (1, Sound.ILLEGAL)


def test_a_cue_is_not_heard_before_it_is_certain_nor_again_when_it_was_in_doubt() -> None:
    table = begun()
    doubtful = Cue(MOVE.name, MOVE.sound, is_due=False)
    assert table.heard(doubtful) is None
    assert table.heard(MOVE) == (1, Sound.LEGAL)
    assert table.heard(doubtful) is None
    assert table.heard(MOVE) is None


def test_what_stands_when_the_host_begins_is_not_heard() -> None:
    table = Table()
    assert table.heard(MOVE, NEXT) == (1, Sound.NONE)
    assert table.heard(MOVE, NEXT, WRONG) == (1, Sound.ILLEGAL)


def test_what_stands_when_another_game_begins_is_not_heard() -> None:
    table = begun()
    assert table.heard(MOVE, game="b", players=2) == (2, Sound.NONE)
    assert table.heard(MOVE, NEXT, game="b", players=2) == (2, Sound.POINTS)


def test_a_cue_that_comes_while_another_signal_is_under_way_is_heard_after_it() -> None:
    """Although two more documents were shown meanwhile: the newest one tells it."""
    table = begun()
    table.show(players=2)
    (first,) = table.said()
    table.show(MOVE, players=4)
    table.show(MOVE, players=8)
    assert table.said() == []
    table.board.say(Result(first.token, 0, 0))
    assert table.heard(MOVE, players=8) == (8, Sound.LEGAL)


def test_a_board_found_anew_is_lit_without_a_sound() -> None:
    """What became so at the page meanwhile is seen, and not heard."""
    table = begun()
    table.board.session.link_lost(table.board.now_ms)
    table.show(MOVE)
    assert table.said() == []
    table.cut()
    assert table.heard(MOVE) == (1, Sound.NONE)
    assert table.heard(MOVE, NEXT) == (1, Sound.POINTS)


def test_a_signal_that_was_under_way_when_the_link_was_cut_holds_up_nothing() -> None:
    table = begun()
    table.show(MOVE)
    assert [signal.sound for signal in table.said()] == [Sound.LEGAL]
    table.cut()
    assert table.heard(MOVE) == (1, Sound.NONE)


def test_a_board_that_does_not_answer_is_left_alone_until_it_is_found_anew() -> None:
    table = begun()
    table.show(MOVE)
    said = []
    for _ in range(6):
        said += [one for one in table.board.later(500) if isinstance(one, Signal)]
        table.board.say(HEARTBEAT)
    assert len(said) == 4
    assert len(set(said)) == 1
    assert table.heard(MOVE, NEXT) is None
    assert table.heard(WRONG, players=2) is None
    table.cut()
    assert table.heard(players=2) == (2, Sound.NONE)
