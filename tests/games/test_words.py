"""What players read: whole sentences for refusals, awards, turns and endings."""

import pytest

from tablewire.games.cirkis.report import FreeTurn, Reason, Why
from tablewire.games.cirkis.state import Ending
from tablewire.games.cirkis.words import (
    ENDINGS,
    FREE_TURNS,
    REASONS,
    award_said,
    ending_said,
    listed,
    refusal_said,
    spaces_said,
    turn_said,
)


def test_everything_the_rules_can_say_of_a_piece_has_words() -> None:
    assert set(Reason) - set(REASONS) == {Reason.NOT_A_LINE}
    assert (set(FREE_TURNS), set(ENDINGS)) == (set(FreeTurn), set(Ending))


def test_a_refusal_names_every_reason() -> None:
    reasons = (Reason.NOT_TOUCHING_LEADER, Reason.NOT_YOUR_TURN)
    assert refusal_said("red", "wedge", "green", reasons, passed_over=False) == (
        "Red's wedge cannot stay: it is Green's turn; it does not touch the Leader, the piece placed last."
    )


def test_somebody_passed_over_hears_which_count_says_so() -> None:
    reasons = (Reason.NONE_LEFT, Reason.NOT_YOUR_TURN)
    assert refusal_said("red", "kite", "green", reasons, passed_over=True) == (
        "Red was passed over: the piece set in use says Red has no kite left."
    )


@pytest.mark.parametrize(
    ("points", "why", "figure", "said"),
    [
        (10, Why.DOMINANT, "S1", "Red scores 10: most spaces in the middle star."),
        (15, Why.DOMINANT, "ring", "Red scores 15: most spaces in the Center Ring."),
        (5, Why.COMPLETER, "C3", "Red scores 5: completed circle C3."),
        (5, Why.COMPLETER, "S4", "Red scores 5: completed star S4."),
        (10, Why.WENT_OUT, None, "Red scores 10: placed the last piece."),
    ],
)
def test_points_come_with_who_and_why(points: int, why: Why, figure: str | None, said: str) -> None:
    assert award_said("red", points, why, figure) == said


def test_a_turn_says_who_was_passed_over() -> None:
    assert turn_said(None, ("red", "green"), first=False) == (
        "Touch the Leader. Red and Green were passed over: no piece of theirs fits there."
    )


def test_a_free_turn_says_why() -> None:
    assert turn_said(FreeTurn.SURROUNDED, (), first=False) == (
        "Free turn: every space around the piece is filled. It may touch any piece."
    )


@pytest.mark.parametrize(
    ("winners", "said"),
    [(("red",), "Red wins."), (("red", "green"), "Red and Green share the win.")],
)
def test_an_ending_names_the_winners(winners: tuple[str, ...], said: str) -> None:
    assert ending_said(Ending.BLOCKED, winners) == f"The game is over: nobody can place a piece. {said}"


def test_lists_are_read_aloud_as_people_do() -> None:
    assert (listed(["a"]), listed(["a", "b", "c"])) == ("a", "a, b and c")
    assert (spaces_said([6]), spaces_said([6, 7])) == ("space 6", "spaces 6 and 7")
