"""A round goes on where it was: over restarts of the daemon, cut links and boards that begin anew."""

from __future__ import annotations

from collections.abc import Callable
from itertools import count

import pytest
from tests.system.ligretto.conftest import NewTable
from tests.system.ligretto.table import SEED_COUNT, Document, RoundTable

AWAY_MS = 700
"""How long a link is gone: hands go on meanwhile."""


def so_far(moves: int) -> Callable[[Document], bool]:
    """Whether so many cards were laid, or the round is stopped."""
    return lambda doc: doc["moves"] >= moves or doc["stopped"] is not None


def restart(table: RoundTable) -> None:
    """The program is killed, and started again."""
    table.restart()


def cut(table: RoundTable) -> None:
    """The link is gone for a moment."""
    table.cut()
    table.run(AWAY_MS)
    table.mend()


def reset(table: RoundTable) -> None:
    """The board boots anew; the cards stay where they are."""
    table.do("reset")


def power_cut(table: RoundTable) -> None:
    """The board has no power for a moment."""
    table.do(f"fault power-cut ms={AWAY_MS}")


def opened_anew(table: RoundTable) -> None:
    """The port is closed and opened, which resets the board."""
    table.do("fault reset-on-open")
    cut(table)


DISTURBANCES = (restart, cut, reset, power_cut, opened_anew)


@pytest.mark.parametrize("seed", range(8, 8 + SEED_COUNT))
def test_a_round_that_is_disturbed_again_and_again_loses_no_card_and_doubles_none(
    seed: int, new_table: NewTable
) -> None:
    """Everybody plays on meanwhile. That no card is lost is looked at before the count, card by card."""
    table = new_table(4, seed=seed)
    for number, disturb in enumerate(DISTURBANCES, start=1):
        table.play(so_far(8 * number))
        disturb(table)
        table.until(lambda doc: doc["link"]["state"] == "up")
        if table.doc["stopped"] is not None:
            break
    assert number > 2, "the round was over too soon for this to say anything"

    told = table.play_round()

    assert sum(told["played"].values()) > 20


def test_a_table_that_is_restored_at_any_moment_is_the_one_that_was(new_table: NewTable) -> None:
    table = new_table(4, seed=9)
    for number in count(1):
        table.play(so_far(3 * number))
        before = table.view
        table.restart()
        assert table.view == before
        if before["stopped"] is not None:
            break
        table.until(lambda doc: doc["link"]["state"] == "up")
    assert number > 4
    table.until(lambda doc: doc["link"]["state"] == "up")
    table.play_round()
