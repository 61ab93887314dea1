"""A link over which nobody says anything is given up: later where that did not help, soon after a sleep."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from tests.wire.scripted_board import FIRST, GREETING, HEARTBEAT, NONCE, Scene, after_first, events, snapshot

from tablewire.wire.frame import Decoder
from tablewire.wire.messages import HOST_PARSERS, HostHello, StatusReq

GIVE_UP_MS = 8000


def given_up_after(scene: Scene, limit_ms: int = 100_000) -> int:
    """How long from now until the link is given up, in steps of 100 ms."""
    for passed_ms in range(0, limit_ms, 100):
        if scene.session.is_given_up(scene.now_ms + passed_ms):
            return passed_ms
    raise AssertionError("it is not given up")


def test_a_link_over_which_nothing_comes_is_given_up_after_eight_seconds() -> None:
    """Longer than a board that opening resets is deaf (2 s), and then asked like any other (6 s)."""
    assert given_up_after(Scene()) == GIVE_UP_MS


def test_noise_is_no_reason_to_wait_and_every_frame_of_a_board_that_hears_is() -> None:
    scene = Scene()
    scene.later(5000)
    scene.session.receive_data(bytes(range(256)) * 10, scene.now_ms)
    assert given_up_after(scene) == GIVE_UP_MS - 5000
    scene.say(GREETING)
    assert given_up_after(scene) == GIVE_UP_MS
    scene.say(snapshot(0))
    scene.later(5000)
    scene.say(HEARTBEAT)
    assert given_up_after(scene) == GIVE_UP_MS


def test_what_says_after_us_what_we_said_is_no_board() -> None:
    """A modem's echo, or two wires that touch."""
    scene = Scene()
    while not scene.session.is_given_up(scene.now_ms):
        scene.session.receive_data(scene.session.data_to_send(scene.now_ms), scene.now_ms)
        scene.now_ms += 100
        assert scene.now_ms < 10_000 + 2 * GIVE_UP_MS
    assert scene.session.hears_a_stranger
    assert scene.session.heard_ms is None


# ---- a board that speaks, but hears nothing ----


def given_up_while(scene: Scene, says: Callable[[], object]) -> int:
    """How long from now until the link is given up; the board says something twice a second."""
    begun_ms = scene.now_ms
    while not scene.session.is_given_up(scene.now_ms):
        scene.later(500)
        says()
        assert scene.now_ms < begun_ms + 60_000
    assert scene.session.hears_a_board
    return scene.now_ms - begun_ms


def test_a_board_that_answers_no_greeting_is_given_up_whatever_it_says() -> None:
    scene = Scene()
    assert given_up_while(scene, lambda: scene.say(HEARTBEAT)) == GIVE_UP_MS


def test_a_board_that_tells_again_and_again_what_was_acknowledged_is_given_up() -> None:
    """A wire is broken, or the radio goes one way only: it waits for our word, and tells nothing new."""
    scene = after_first()
    assert given_up_while(scene, lambda: scene.say(FIRST, HEARTBEAT)) == GIVE_UP_MS


def test_a_board_that_sends_no_snapshot_is_given_up() -> None:
    scene = after_first()
    scene.say(events(9, (1, 0, 2)))
    assert given_up_while(scene, lambda: scene.say(HEARTBEAT)) == GIVE_UP_MS


def test_an_acknowledgement_that_is_lost_now_and_then_is_no_reason_to_give_up() -> None:
    """Nor are many repeats at once, after a computer was stopped for a while."""
    scene = after_first()
    for _ in range(20):
        scene.say(*[FIRST] * 30)
        for _ in range(4):
            scene.later(1000)
            scene.say(HEARTBEAT)
    assert given_up_after(scene) == GIVE_UP_MS


def test_what_a_disk_refuses_is_told_again_and_no_reason_to_give_up() -> None:
    """Nothing of it was acknowledged."""
    scene = Scene()
    scene.meet()
    for _ in range(60):
        scene.say(FIRST, HEARTBEAT)
        scene.later(500)
        assert not scene.session.is_given_up(scene.now_ms)


def test_a_board_that_is_refused_but_talks_is_not_given_up() -> None:
    scene = Scene()
    for _ in range(20):
        scene.say_raw(GREETING.TYPE, bytes([2, 7]) + b"who knows")
        scene.later(2000)
        assert not scene.session.is_given_up(scene.now_ms)
    assert scene.state() == "refused"


def test_a_link_that_is_closed_has_nothing_to_be_given_up() -> None:
    scene = Scene()
    scene.session.link_lost(scene.now_ms)
    assert not scene.session.is_given_up(scene.now_ms + 10**6)


def test_where_opening_anew_does_not_help_it_is_done_ever_more_seldom_until_a_board_is_heard() -> None:
    """Opening resets whatever is there, and each loss is a new page."""
    scene, waits = Scene(), []
    for _ in range(6):
        waits.append(given_up_after(scene))
        scene.now_ms += waits[-1]
        scene.session.link_lost(scene.now_ms)
        scene.session.link_opened(scene.now_ms)
    assert waits == [8000, 16_000, 32_000, 64_000, 64_000, 64_000]
    scene.say(GREETING, snapshot(0))
    assert given_up_after(scene) == GIVE_UP_MS
    scene.session.link_lost(scene.now_ms)
    scene.session.link_opened(scene.now_ms)
    assert given_up_after(scene) == GIVE_UP_MS


def test_a_cable_that_is_pulled_does_not_make_it_more_patient() -> None:
    scene = Scene()
    for _ in range(5):
        scene.later(1000)
        scene.session.link_lost(scene.now_ms)
        scene.session.link_opened(scene.now_ms)
    assert given_up_after(scene) == GIVE_UP_MS


def up() -> Scene:
    """A session with a board that is up."""
    scene = Scene()
    scene.say(GREETING)
    scene.say(snapshot(0))
    scene.later(500)
    return scene


def sent(scene: Scene) -> list[object]:
    """What is said at this moment."""
    frames = Decoder().receive_data(scene.session.data_to_send(scene.now_ms))
    return [HOST_PARSERS[frame.type](frame.payload) for frame in frames]


def test_after_the_computer_slept_the_board_is_asked_at_once_and_given_two_seconds() -> None:
    scene = up()
    assert StatusReq() not in sent(scene)
    scene.session.link_resumed(scene.now_ms)
    assert scene.session.next_wakeup_ms(scene.now_ms) == scene.now_ms
    assert StatusReq() in sent(scene)
    assert given_up_after(scene) == 2000
    scene.later(300)
    scene.say(HEARTBEAT)
    assert given_up_after(scene) == GIVE_UP_MS


@pytest.mark.parametrize("silent_ms", [0, 6000])
def test_a_board_that_was_not_up_is_greeted_at_once_after_a_sleep(silent_ms: int) -> None:
    scene = up() if silent_ms else Scene()
    scene.later(silent_ms)
    sent(scene)
    scene.session.link_resumed(scene.now_ms)
    assert HostHello(1, 0) in sent(scene)
    assert given_up_after(scene) == 2000


def test_after_a_sleep_a_link_that_is_closed_stays_closed() -> None:
    scene = Scene()
    scene.session.link_lost(scene.now_ms)
    scene.session.link_resumed(scene.now_ms)
    assert not scene.session.is_given_up(scene.now_ms + 10**6)
    assert scene.session.next_wakeup_ms(scene.now_ms) is None


def test_when_the_last_word_came_is_known_over_a_cut() -> None:
    scene = Scene()
    told_ms = [scene.session.heard_ms]
    scene.say(GREETING)
    heard_ms = scene.now_ms
    scene.session.link_lost(scene.now_ms)
    scene.now_ms += 4000
    scene.session.link_opened(scene.now_ms)
    told_ms.append(scene.session.heard_ms)
    assert scene.session.silent_ms(scene.now_ms) is None
    scene.say(FIRST)
    told_ms.append(scene.session.heard_ms)
    assert told_ms == [None, heard_ms, heard_ms + 4000]
    assert scene.session.nonce == NONCE
