"""What the board itself shows and plays, and what is said of each pad."""

from __future__ import annotations

from tests.table.ligretto.pads import STRANGER, Pads, uid_of

from tablewire.games.live import Lights
from tablewire.wire.messages import Light, Sound


def lights(pads: Pads) -> Lights:
    """The lights with the document as it is."""
    return pads.table.lights(pads.doc)


def sounds(pads: Pads) -> list[Sound]:
    """What would be heard, the most urgent first."""
    return [cue.sound for cue in lights(pads).cues]


def test_everybodys_lamp_is_lit_while_everybody_plays_and_the_stoppers_after_that() -> None:
    pads = Pads("Anna", "Ben", "Cleo")
    assert (lights(pads).players, lights(pads).light) == (0b111, Light.OFF)
    pads.lay(1_000, "3 Anna blue 1")
    assert (lights(pads).players, lights(pads).light, sounds(pads)) == (0b111, Light.LEGAL, [])
    pads.press(2_000, 1)
    assert (lights(pads).players, sounds(pads)) == (0b010, [Sound.OVER])
    pads.act("left", left={"Anna": 0, "Ben": 0, "Cleo": 1})
    assert (lights(pads).players, lights(pads).light, sounds(pads)) == (0, Light.OFF, [Sound.POINTS])


def test_a_wrong_card_is_seen_and_heard_at_the_board_until_it_is_gone() -> None:
    pads = Pads()
    pads.lay(1_000, "3 Anna blue 4")
    assert (lights(pads).light, sounds(pads)) == (Light.ILLEGAL, [Sound.ILLEGAL])
    (first,) = lights(pads).cues
    pads.wait()
    (then,) = lights(pads).cues
    assert (then.name, first.is_due, then.is_due) == (first.name, False, True)
    pads.go(4_000, 3, "Anna blue 4")
    assert (lights(pads).light, sounds(pads)) == (Light.OFF, [])


def test_an_open_question_holds_and_a_complete_pile_is_cheered() -> None:
    pads = Pads()
    pads.come(1_000, 3, "Anna blue 1")
    pads.come(1_010, 3, "Ben blue 1")
    assert (lights(pads).light, sounds(pads)) == (Light.HOLD, [Sound.HOLD])
    pads = Pads()
    pads.lay(1_000, *(f"3 Anna red {value}" for value in range(1, 11)))
    assert sounds(pads) == [Sound.POINTS]


def test_twelve_players_have_as_many_lamps_as_a_signal_has_bits() -> None:
    pads = Pads(*(f"P{number}" for number in range(12)))
    assert lights(pads).players == 0xFF
    assert pads.doc["pad_count"] == 48


def test_every_pad_says_what_lies_on_it() -> None:
    pads = Pads(lying={5: STRANGER})
    pads.lay(1_000, "3 Anna blue 1")
    rows = pads.table.health()["sensors"]
    assert len(rows) == 16
    (tag,) = rows[3]["tags"]
    assert (tag["uid"], tag["card"]["value"], tag["counts"]) == (uid_of("Anna blue 1"), 1, True)
    (tag,) = rows[5]["tags"]
    assert (tag["uid"], tag["card"], tag["counts"]) == (STRANGER, None, False)
