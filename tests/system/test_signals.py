"""The board's own lamps and its piezo through the whole table: right, once, and in nobody's way."""

from __future__ import annotations

from collections.abc import Callable
from itertools import groupby

import pytest
from tests.system.conftest import NewRig
from tests.system.games import header, place, random_game
from tests.system.rig import Rig

from tablewire.virtual.heart import Lights
from tablewire.wire.frame import Decoder
from tablewire.wire.messages import Signal, Sound

PURPLE, RED, GREEN = 1, 2, 4
FINAL_MS = 2_600
"""After this a piece is final, and praise is still lit."""
BLINK_MS = 1_300
"""The longest a lamp that asks people to act stays dark."""


class Tap:
    """What the host says to the board, heard on the way; with `swallows`, SIGNAL never arrives."""

    def __init__(self, rig: Rig, *, swallows: bool = False) -> None:
        self.signals: list[Signal] = []
        self.swallows = swallows
        self._decoder = Decoder()
        self._pending = b""
        self._receive: Callable[[bytes], None] = rig.board.receive_data
        rig.board.receive_data = self._hear  # type: ignore[method-assign]

    def _hear(self, chunk: bytes) -> None:
        *whole, self._pending = (self._pending + chunk).split(b"\0")
        for body in filter(None, whole):
            framed = b"\0" + body + b"\0"
            (frame,) = self._decoder.receive_data(framed)
            if frame.type == Signal.TYPE:
                self.signals.append(Signal.parse(frame.payload))
                if self.swallows:
                    continue
            self._receive(framed)

    @property
    def sounds(self) -> list[Sound]:
        """What was to be heard; the same signal said again at once, by its token, is not heard again."""
        once = [signal for signal, _ in groupby(self.signals)]
        return [Sound(signal.sound) for signal in once if signal.sound != Sound.NONE]


def meet(new_rig: NewRig, *players: str) -> tuple[Rig, Tap]:
    """A table whose board has been found."""
    rig = new_rig(header=header(*(players or ("red", "green"))))
    tap = Tap(rig)
    rig.run(600)
    return rig, tap


def shines(rig: Rig, expected: Lights) -> bool:
    """Whether the board shows this now or, blinking, soon."""
    for _ in range(BLINK_MS // 10):
        if rig.board.lights() == expected:
            return True
        rig.run(10)
    return False


def test_the_lamps_follow_the_game(new_rig: NewRig) -> None:
    """Whose turn; dark while a piece may grow; green, red, and both for what was placed."""
    rig, tap = meet(new_rig)
    assert rig.board.lights() == Lights(RED, green=False, red=False)
    rig.do("place red 6")
    rig.run(800)
    assert rig.board.lights() == Lights(GREEN, green=False, red=False)
    rig.run(FINAL_MS - 800)
    assert rig.board.lights() == Lights(GREEN, green=True, red=False)
    rig.do("place green 100")
    rig.run(1_000)
    assert shines(rig, Lights(GREEN, green=False, red=True))
    rig.do("lift 100", "place purple 100")
    rig.run(2_000)
    assert shines(rig, Lights(GREEN, green=True, red=True))
    rig.do("lift 100")
    rig.run(2_000)
    rig.do("place green 16")
    rig.run(FINAL_MS)
    assert rig.board.lights() == Lights(RED, green=True, red=False)
    assert tap.sounds == [Sound.LEGAL, Sound.ILLEGAL, Sound.HOLD, Sound.LEGAL]


def test_a_quiet_table_says_nothing_to_the_lamps(new_rig: NewRig) -> None:
    rig, tap = meet(new_rig)
    before = len(tap.signals)
    rig.run(10_000)
    assert len(tap.signals) == before


def test_a_board_that_was_reset_gets_its_lights_back_without_a_sound(new_rig: NewRig) -> None:
    rig, tap = meet(new_rig)
    rig.do("place red 6")
    rig.run(FINAL_MS)
    rig.do("reset")
    rig.run(3_500)
    assert rig.doc["turn"] == "green"
    assert rig.board.lights().players == GREEN
    assert tap.sounds == [Sound.LEGAL]
    rig.do("place green 16")
    rig.run(FINAL_MS)
    assert tap.sounds == [Sound.LEGAL] * 2


def test_a_daemon_that_was_restarted_lights_up_without_a_sound(new_rig: NewRig) -> None:
    """Also when the board stood there dark, reset meanwhile; the next placement is heard."""
    rig, tap = meet(new_rig)
    rig.do("place red 6")
    rig.run(FINAL_MS)
    rig.restart()
    rig.do("reset")
    rig.run(4_000)
    assert rig.board.lights().players == GREEN
    assert tap.sounds == [Sound.LEGAL]
    rig.do("place green 16")
    rig.run(FINAL_MS)
    assert tap.sounds == [Sound.LEGAL] * 2


def test_a_link_that_was_cut_lights_up_without_a_sound(new_rig: NewRig) -> None:
    rig, tap = meet(new_rig)
    rig.do("place red 6")
    rig.run(FINAL_MS)
    rig.core.link_lost(rig.now_ms, "cut")
    rig.run(1_000)
    rig.core.link_opened(rig.now_ms)
    before = len(tap.signals)
    rig.run(1_500)
    assert [(signal.players, signal.sound) for signal in tap.signals[before:]] == [(GREEN, Sound.NONE)]


def test_what_happened_while_the_link_was_cut_is_heard_when_it_is_known(new_rig: NewRig) -> None:
    """It is a new verdict, although a late one."""
    rig, tap = meet(new_rig)
    rig.core.link_lost(rig.now_ms, "cut")
    rig.do("place red 6")
    rig.run(1_000)
    rig.core.link_opened(rig.now_ms)
    rig.run(4_000)
    assert rig.doc["spaces"] == {"6": "red"}
    assert tap.sounds == [Sound.LEGAL]


def test_a_board_that_never_answers_signal_costs_the_game_nothing(new_rig: NewRig) -> None:
    """Four tries, then nobody tries again; the placements count, and STATUS and changes come as ever."""
    rig = new_rig(header=header("red", "green"))
    tap = Tap(rig, swallows=True)
    rig.run(600)
    for line in ("place red 6", "place green 16", "place red 25"):
        rig.do(line)
        rig.run(FINAL_MS)
    assert rig.doc["spaces"] == {"6": "red", "16": "green", "25": "red"}
    assert rig.doc["link"]["state"] == "up"
    assert rig.core.session.degraded == {"Signal"}
    assert len(tap.signals) == 4
    assert len({signal.token for signal in tap.signals}) == 1
    # Found anew, it may be another board.
    tap.swallows = False
    rig.do("reset")
    rig.run(3_500)
    assert rig.board.lights().players == GREEN


@pytest.mark.parametrize("seed", [1])
def test_on_a_bad_line_every_verdict_is_heard_once(seed: int, new_rig: NewRig) -> None:
    """Bytes are dropped and flipped: a signal is said again by its token, and the lamps are right."""
    rig, tap = meet(new_rig)
    lines = random_game(31, header("red", "green"))[:4]
    rig.do(f"fault drop percent=0.5 seed={seed}", f"fault flip percent=0.5 seed={seed}")
    for line in lines:
        rig.do(place(line, 100))
        rig.run(4_500)
    rig.do("fault off drop", "fault off flip")
    rig.run(1_000)
    assert rig.doc["moves"] == len(lines)
    assert rig.board.lights().players == {"red": RED, "green": GREEN}[rig.doc["turn"]]
    assert tap.sounds == [Sound.LEGAL] * len(lines)


def test_a_new_game_is_lit_for_its_first_player(new_rig: NewRig) -> None:
    """Dark until the board is clear."""
    rig, tap = meet(new_rig)
    rig.do("place red 6")
    rig.run(FINAL_MS)
    assert rig.core.act("new_game", {"players": ["purple", "red"]}).status == 200
    rig.run(200)
    assert rig.board.lights() == Lights(0, green=False, red=False)
    rig.do("lift 6")
    rig.run(2_000)
    assert rig.board.lights() == Lights(PURPLE, green=False, red=False)
    assert tap.sounds == [Sound.LEGAL]
