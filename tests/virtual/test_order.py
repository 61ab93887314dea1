"""A host that comes late hears of everything in the order in which it happened, not as one picture."""

from __future__ import annotations

from tests.boards import NewBoard

from tablewire.wire.observed import Changes, Snapshot
from tablewire.wire.session import HostSession


def test_a_host_that_never_heard_of_the_board_learns_the_order_of_what_the_ring_still_holds(
    new_board: NewBoard,
) -> None:
    """The snapshot is the table from before the oldest change still kept; the changes follow with their
    times."""
    board = new_board(seed=3)
    board.do("wait 100", "place red 6", "wait 900", "place green 16")
    now_ms = 3_000
    board.advance(now_ms)
    session = HostSession()
    session.link_opened(now_ms)
    told = []
    for _ in range(40):
        now_ms += 50
        board.receive_data(session.data_to_send(now_ms))
        board.advance(now_ms)
        told += session.receive_data(board.data_to_send(), now_ms)
        for seen in told:
            if isinstance(seen, Changes):
                session.acknowledge(seen.changes[-1].number)
    snapshots = [seen for seen in told if isinstance(seen, Snapshot)]
    changes = [change for seen in told if isinstance(seen, Changes) for change in seen.changes]
    assert [set(seen.classes) for seen in snapshots] == [{0}]
    assert [change.sensor for change in changes] == [5, 15]
    assert 890 <= changes[1].device_ms - changes[0].device_ms < 1_000
