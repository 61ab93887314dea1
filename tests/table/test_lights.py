"""What the board itself shows and plays while a game goes on: situations as a table, then each sound once.

A board that hears every signal stands at the other end of a real session; `played` are its sounds, in order.
"""

from __future__ import annotations

from typing import Any

import pytest
from tests.table.scene import Scene
from tests.wire.scripted_board import Scene as Wire

from tablewire.games.live import Lights
from tablewire.signals import Signals
from tablewire.table import Table
from tablewire.wire.messages import Light, Result, Signal, Sound
from tablewire.wire.observed import Observation

PURPLE, RED, GREEN, YELLOW = 1, 2, 4, 8
"""Player LEDs: purple, red, green, yellow are players 0 to 3 of the board."""


class Board(Scene):
    """A table with a board that shows and plays what it is told."""

    def __init__(self, players: tuple[str, ...] = ("red", "green"), **options: Any) -> None:
        self.wire = Wire()
        self.wire.meet()
        self.signals = Signals(self.wire.session)
        self.signals.board_found()
        self.shown = Signal(0, 0, 0, 0)
        self.played: list[Sound] = []
        super().__init__(players, **options)

    def observe(self, observation: Observation) -> None:
        super().observe(observation)
        self.follow()

    def follow(self) -> None:
        """Hear what the host signals now, and answer."""
        self.signals.follow(self.doc, self.table.lights)
        for said in self.wire.heard():
            if isinstance(said, Signal):
                self.shown = said
                if said.sound != Sound.NONE:
                    self.played.append(Sound(said.sound))
                self.wire.say(Result(said.token, 0, 0))

    def act(self, name: str, **body: Any) -> Any:
        refusal = super().act(name, **body)
        self.follow()
        return refusal

    @property
    def lit(self) -> tuple[int, Light]:
        """The players' LEDs and the verdict light."""
        return self.shown.players, Light(self.shown.verdict)


def opened() -> Board:
    """Red's kite on 6 and green's dart on 16 are final; it is red's turn."""
    board = Board()
    board.place(1_000, "red", 6)
    board.place(4_000, "green", 16)
    return board


def illegal(board: Board) -> None:
    """Red lays a piece far from the Leader."""
    board.land(9_000, "red", 100)
    board.quiet(10_000)


def strange(board: Board) -> None:
    """Green's piece goes while nothing else happens, too late to be taken back."""
    board.land(9_000, "red", 15)
    board.quiet(12_000)
    board.clear(12_100, 16)
    board.quiet(14_000)


def unread(board: Board) -> None:
    """Something of a colour that is not playing lies there."""
    board.land(9_000, "purple", 100)
    board.quiet(10_000)


def grows(board: Board) -> None:
    """Red's piece lies there and may still become a larger one."""
    board.land(9_000, "red", 15)
    board.quiet(9_700)


def rests(board: Board) -> None:
    """Nothing happens."""
    board.quiet(9_000)


@pytest.mark.parametrize(
    ("happens", "lit", "played"),
    [
        (rests, (RED, Light.LEGAL), []),
        (grows, (GREEN, Light.OFF), []),
        (illegal, (RED, Light.ILLEGAL), [Sound.ILLEGAL]),
        (strange, (GREEN, Light.HOLD), [Sound.LEGAL, Sound.HOLD]),
        (unread, (RED, Light.HOLD), [Sound.HOLD]),
    ],
)
def test_the_board_shows_and_plays_what_became_of_the_table(
    happens: Any, lit: tuple[int, Light], played: list[Sound]
) -> None:
    board = opened()
    before = len(board.played)
    happens(board)
    assert board.lit == lit
    assert board.played[before:] == played


def test_each_player_has_a_light_whoever_plays() -> None:
    """In the order of the peg tracks, not in that of the turns."""
    board = Board(("yellow", "purple", "green", "red"))
    seen = [board.lit[0]]
    for at_ms, colour, space in ((1_000, "yellow", 6), (4_000, "purple", 16), (7_000, "green", 7)):
        board.place(at_ms, colour, space)
        seen.append(board.lit[0])
    assert seen == [YELLOW, PURPLE, GREEN, RED]


def test_before_the_first_piece_only_the_first_player_s_light_is_on() -> None:
    board = Board()
    board.quiet(500)
    assert board.lit == (RED, Light.OFF)
    assert board.played == []


def test_without_a_game_everything_is_dark() -> None:
    nobody = Table()
    assert nobody.lights(nobody.document()) == Lights(0, Light.OFF)


def test_a_move_is_heard_when_it_is_final_and_not_before() -> None:
    board = Board()
    board.land(1_000, "red", 6)
    board.quiet(2_500)
    assert board.played == []
    board.quiet(2_501)
    assert board.played == [Sound.LEGAL]
    board.quiet(60_000)
    assert board.played == [Sound.LEGAL]


def test_a_piece_that_grows_is_heard_once() -> None:
    board = Board()
    board.land(1_000, "red", 6)
    board.quiet(1_650)
    board.land(2_000, "red", 15)
    board.quiet(8_000)
    assert board.played == [Sound.LEGAL]


def test_points_sound_different_and_a_free_turn_is_heard_although_no_light_changes() -> None:
    """Red completes the middle star, in which it is dominant."""
    board = Board()
    board.place(1_000, "red", 2, 3)
    board.place(5_000, "green", 4, 5)
    assert board.lit == (RED, Light.LEGAL)
    board.place(9_000, "red", 1)
    assert (board.doc["last"]["points"], board.doc["free_turn"]) == ({"red": 10}, "center_star")
    assert board.played == [Sound.LEGAL, Sound.LEGAL, Sound.POINTS]
    assert board.lit == (RED, Light.LEGAL)


def test_two_moves_that_become_final_together_are_one_sound() -> None:
    """The next player was quicker than the time for growing."""
    board = Board()
    board.land(1_000, "red", 6)
    board.land(1_700, "green", 16)
    board.quiet(8_000)
    assert board.doc["moves"] == 2
    assert board.played in ([Sound.LEGAL], [Sound.LEGAL] * 2)


def test_the_end_has_a_sound_of_its_own_and_nobody_s_light_is_on() -> None:
    board = Board(target=5)
    board.place(1_000, "red", 6)
    assert board.act("ruling", points={"red": 5}) is None
    at_ms = 4_000
    while board.doc["phase"] != "over":
        spaces = board.table.legal()["placements"][0]["spaces"]
        board.place(at_ms, board.doc["turn"], *spaces)
        at_ms += 4_000
    assert board.played[-1] is Sound.OVER
    assert board.played.count(Sound.OVER) == 1
    assert board.lit == (0, Light.LEGAL)


def test_the_end_is_heard_once_although_the_last_piece_is_straightened() -> None:
    board = Board(target=5)
    board.place(1_000, "red", 6)
    board.act("ruling", points={"red": 5})
    board.land(4_000, "green", 16)
    board.quiet(4_700)
    board.clear(4_800, 16)
    board.land(5_000, "green", 16)
    board.quiet(20_000)
    assert board.doc["phase"] == "over"
    assert board.played.count(Sound.OVER) == 1


def test_an_illegal_piece_is_heard_again_only_when_it_is_laid_again() -> None:
    board = opened()
    illegal(board)
    board.quiet(30_000)
    assert board.played[2:] == [Sound.ILLEGAL]
    board.clear(30_100, 100)
    board.quiet(32_000)
    assert board.lit == (RED, Light.LEGAL)
    board.land(33_000, "red", 100)
    board.quiet(35_000)
    assert board.played[2:] == [Sound.ILLEGAL] * 2


def test_an_illegal_piece_moved_to_another_wrong_place_is_heard() -> None:
    board = opened()
    illegal(board)
    board.clear(10_100, 100)
    board.land(10_200, "red", 101)
    board.quiet(14_000)
    assert board.played[2:] == [Sound.ILLEGAL] * 2


def test_an_undo_is_silent_and_the_piece_laid_again_is_heard() -> None:
    board = opened()
    board.act("undo")
    assert board.lit == (GREEN, Light.HOLD)
    assert board.played[2:] == [Sound.HOLD]  # green's piece is to be lifted
    board.clear(9_000, 16)
    board.quiet(11_000)
    assert board.played[3:] == []
    board.place(12_000, "green", 16)
    assert board.played[3:] == [Sound.LEGAL]


def test_a_piece_lifted_and_laid_again_in_the_same_place_is_heard_again() -> None:
    board = opened()
    board.clear(9_000, 16)
    board.quiet(11_000)
    assert board.doc["moves"] == 1
    board.place(12_000, "green", 16)
    assert board.played == [Sound.LEGAL] * 3


def test_straightening_is_silent() -> None:
    board = opened()
    board.clear(9_000, 6)
    board.land(9_300, "red", 6)
    board.quiet(15_000)
    assert board.played == [Sound.LEGAL] * 2


def test_after_a_round_s_end_nothing_of_it_is_heard_again() -> None:
    """The board is cleared for the next round: dark, then the next starter's light."""
    board = Board(target=5, match=100)
    board.place(1_000, "red", 6)
    board.act("ruling", points={"red": 5})
    board.place(4_000, "green", 16)
    heard = list(board.played)
    assert heard[-1] is Sound.OVER
    assert board.act("next_round") is None
    assert board.lit == (0, Light.OFF)
    board.clear(9_000, 6, 16)
    board.quiet(12_000)
    assert board.lit[0] == GREEN
    assert board.played == heard
    board.place(13_000, "green", 6)
    assert board.played == [*heard, Sound.LEGAL]
