"""Commands to the board: one at a time, repeated, given up, and never in the way of the game."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

from tests.wire.scripted_board import GREETING, HEARTBEAT, NONCE, Scene, events

from tablewire.wire.commands import WAITING_MAX, Outcome
from tablewire.wire.messages import Param, Raw, RawReq, RawRow, Result, Signal

LIGHT = Signal(0, 1, 0, 0)
SET = Param(0, 1, 1, 25)


def ready() -> Scene:
    """A session with a board."""
    scene = Scene()
    scene.meet()
    return scene


def test_one_command_is_under_way_at_a_time() -> None:
    """The second waits for the first one's answer, and has another token."""
    scene = ready()
    assert scene.session.submit(SET)
    assert scene.session.submit(LIGHT)
    (first,) = scene.heard()
    assert (type(first), first.value) == (Param, 25)
    scene.say(Result(first.token, 0, 25))
    (second,) = scene.heard()
    assert (type(second), second.players) == (Signal, 1)
    assert second.token != first.token
    assert scene.session.take_outcomes() == [Outcome(first, Result(first.token, 0, 25))]
    assert scene.session.take_outcomes() == []


def test_a_command_is_repeated_with_its_token_and_given_up_after_three_repeats() -> None:
    """Then its kind is left alone, what waits of it is dropped, and the game goes on."""
    scene = ready()
    scene.session.submit(LIGHT)
    sent = [command for command in alive(scene, 3000) if isinstance(command, Signal)]
    assert len(sent) == 4
    assert len({command.token for command in sent}) == 1
    assert scene.session.degraded == {"Signal"}
    assert scene.session.take_outcomes() == [Outcome(sent[0], None)]
    assert not scene.session.submit(LIGHT)
    assert scene.session.submit(SET)
    assert len(scene.say(events(1, (5, 0, 2)))) == 1


def alive(scene: Scene, ms: int) -> list[Any]:
    """Let time pass with a heartbeat each half second; what the host says."""
    said = []
    for _ in range(ms // 500):
        said += scene.later(500)
        scene.say(HEARTBEAT)
    return said


def test_a_board_found_anew_is_asked_again() -> None:
    """Giving up lasts until the board has been away."""
    scene = ready()
    scene.session.submit(LIGHT)
    alive(scene, 3000)
    scene.session.link_lost(scene.now_ms)
    scene.session.link_opened(scene.now_ms)
    scene.say(replace(GREETING, nonce=NONCE + 7))
    assert scene.session.degraded == frozenset()
    assert scene.session.submit(LIGHT)


def test_a_sound_under_way_is_not_said_again_to_a_board_found_anew() -> None:
    """It may have been heard; the board has forgotten its last command and would play it twice."""
    scene = ready()
    scene.session.submit(replace(LIGHT, sound=1))
    scene.heard()
    scene.session.submit(replace(LIGHT, sound=2))
    scene.session.link_lost(scene.now_ms)
    scene.session.link_opened(scene.now_ms)
    scene.say(GREETING)
    assert not [command for command in alive(scene, 2000) if isinstance(command, Signal)]


def test_any_other_command_under_way_is_said_again_to_a_board_found_anew() -> None:
    """What it asks for was not answered."""
    scene = ready()
    scene.session.submit(SET)
    scene.heard()
    scene.session.link_lost(scene.now_ms)
    scene.session.link_opened(scene.now_ms)
    scene.say(GREETING)
    assert [type(command) for command in scene.heard() if isinstance(command, Param)] == [Param]


def test_newer_lights_replace_older_ones_that_wait() -> None:
    """Only the last state of the lights matters."""
    scene = ready()
    scene.session.submit(SET)
    for players in range(1, 9):
        scene.session.submit(replace(LIGHT, players=players))
    (first,) = scene.heard()
    scene.say(Result(first.token, 0, 25))
    assert [command.players for command in scene.heard()] == [8]


def test_the_queue_has_an_end() -> None:
    """A board that does not answer collects no more than so many."""
    scene = ready()
    assert [scene.session.submit(SET) for _ in range(WAITING_MAX + 1)] == [True] * WAITING_MAX + [False]


def test_an_answer_of_an_earlier_command_is_none_of_this_one() -> None:
    """A repeated RESULT ends nothing."""
    scene = ready()
    scene.session.submit(SET)
    (first,) = scene.heard()
    scene.say(Result(first.token, 0, 25))
    scene.session.submit(SET)
    scene.heard()
    scene.session.take_outcomes()
    scene.say(Result(first.token, 0, 25))
    assert scene.session.take_outcomes() == []


def test_readings_answer_their_request() -> None:
    """RAW ends RAW_REQ."""
    scene = ready()
    scene.session.submit(RawReq(0, 5, 2))
    (asked,) = scene.heard()
    answer = Raw(asked.token, 5, (RawRow(760), RawRow(512)))
    scene.say(answer)
    assert scene.session.take_outcomes() == [Outcome(asked, answer)]
