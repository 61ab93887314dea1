"""Everything that goes wrong with cards and readers, on demand, and what the host is told then."""

from __future__ import annotations

import pytest
from tests.virtual.tag_bench import MeetTags, TagBench, meet_tags, state_of, uid

from tablewire.virtual.board import VirtualBoard
from tablewire.virtual.grid import neighbours
from tablewire.wire.messages import BoardKind, ReaderState, Sight

RED_1, RED_2, GREEN_1 = "red:blue:1", "red:blue:2", "green:blue:1"
PILE = ",".join(f"red:green:{value}" for value in range(1, 6))


def simulated(seed: int = 1) -> TagBench:
    """A bench with the Python firmware, for what the chip's radio does in its own way."""
    return meet_tags(VirtualBoard(seed, kind=BoardKind.LIGRETTO))


def test_a_card_that_answers_every_other_time_is_not_gone(met_tags: MeetTags) -> None:
    """Failure 17: one clean miss is no absence. For three seconds nothing is told."""
    bench = met_tags()
    bench.do(f"lay {PILE} 3 over 300", "wait 300", "fault missed-reads how=turn")
    told = len(bench.sightings())
    bench.run(3_000)
    assert len(bench.sightings()) == told


def test_how_often_a_card_was_missed_and_came_back_is_counted() -> None:
    """The heartbeat says so, and at which reader."""
    bench = simulated()
    bench.do(f"lay {PILE} 3 over 300", "wait 300", "fault missed-reads how=turn", rest_ms=3_000)
    assert bench.session.status is not None
    assert bench.session.status.flicker_count > 0
    assert bench.session.status.flicker_sensor == 3


def test_an_answer_with_an_error_is_no_absence(met_tags: MeetTags) -> None:
    """Failure 17: three of ten come with an error, and nobody is told to be gone."""
    bench = met_tags()
    bench.do(f"lay {PILE} 3 over 300", "wait 300", "fault missed-reads percent=0 garbled=30")
    told = len(bench.sightings())
    bench.run(3_000)
    assert len(bench.sightings()) == told


def test_cards_read_badly_are_all_told_in_the_end(met_tags: MeetTags) -> None:
    """30 % of the answers do not come: whatever is said meanwhile, what is believed in the end is so."""
    bench = met_tags()
    bench.do(
        "fault missed-reads percent=30 garbled=10", f"lay {PILE} 3 over 300", f"lay {RED_1} 7", rest_ms=4_000
    )
    came = {tag for _, tag in bench.told_of(Sight.CAME)}
    assert came == {uid(RED_1), *(uid(card) for card in PILE.split(","))}
    bench.do("fault off missed-reads")
    bench.settle()
    bench.assert_nothing_lost_or_doubled()


def test_missed_reads_can_be_over_by_themselves() -> None:
    bench = simulated()
    bench.do("fault missed-reads percent=100 ms=500", f"lay {RED_1} 3", "fault list", rest_ms=400)
    assert bench.told_of(Sight.CAME) == []
    bench.run(200)
    assert bench.told_of(Sight.CAME) == [(3, uid(RED_1))]
    assert bench.do("fault list") == ["ok"]


def test_a_late_read_comes_late_with_a_late_stamp(met_tags: MeetTags) -> None:
    """The answer says by how much; a card taken off before is never told."""
    bench = met_tags()
    assert bench.do("fault late-reads ms=400", f"lay {RED_1} 3") == [
        "ok",
        f"ok late-reads: {RED_1} by 400 ms",
    ]
    laid_ms = bench.now_ms
    bench.wait_for(Sight.CAME, 3, uid(RED_1), 600)
    assert bench.now_ms - laid_ms >= 400
    bench.do(f"lay {RED_2} 4", "wait 100", f"take {RED_2}", rest_ms=1_000)
    assert bench.told_of(Sight.CAME) == [(3, uid(RED_1))]


def test_cards_that_collide_are_both_told(met_tags: MeetTags) -> None:
    """Laid on one pad within 40 ms they are heard at once, in any order; half of the time one of them only at
    the next try.
    """
    bench = met_tags()
    bench.do("fault collide")
    apart_ms = []
    for value in range(1, 7):
        cards = (f"red:blue:{value}", f"green:blue:{value}")
        told = len(bench.sightings())
        bench.do(f"lay {cards[0]},{cards[1]} 5 over 20", rest_ms=200)
        first, second = bench.sightings()[told:]
        assert {first.uid, second.uid} == {uid(card) for card in cards}
        apart_ms.append(second.device_ms - first.device_ms)
        bench.do("clear 5")
        bench.settle()
    assert min(apart_ms) < 15 < max(apart_ms)


def test_a_neighbour_that_reads_too_tells_the_card_as_well(met_tags: MeetTags) -> None:
    """What lies there already, and what is laid then; until the fault is off."""
    bench = met_tags()
    bench.do(f"lay {RED_1} 3", "wait 100")
    assert bench.do("fault cross-read pad=3 by=2") == ["ok 3 is read by 2 too"]
    bench.run(1_000)
    assert bench.sees() == {2: {uid(RED_1)}, 3: {uid(RED_1)}}
    assert bench.do(f"lay {RED_2} 3", f"lay {GREEN_1} 9") == [
        f"ok cross-read: {RED_2} is read by 2 too",
        "ok",
    ]
    bench.run(1_000)
    assert bench.sees() == {2: {uid(RED_1), uid(RED_2)}, 3: {uid(RED_1), uid(RED_2)}, 9: {uid(GREEN_1)}}
    assert state_of(bench.board)["pads"] == {"3": [RED_1, RED_2], "9": [GREEN_1]}
    bench.do("fault off cross-read")
    bench.settle()


def test_one_card_in_so_many_is_read_by_a_neighbour_of_its_pad() -> None:
    """Chance picks cards and neighbours: only those that are beside it."""
    bench = simulated()
    bench.do("fault cross-read percent=50")
    answers = [bench.do(f"lay red:{c}:{v} 5")[0] for c in ("red", "green", "blue") for v in range(1, 11)]
    crossed = [int(answer.split("by ")[1].split()[0]) for answer in answers if "cross-read" in answer]
    assert 5 <= len(crossed) <= 25
    assert set(crossed) == {1, 4, 6, 9}


@pytest.mark.parametrize(
    ("pad", "beside"), [(0, [1, 4]), (3, [2, 7]), (5, [4, 6, 1, 9]), (15, [14, 11]), (16, [17, 20])]
)
def test_pads_lie_in_squares_of_sixteen(pad: int, beside: list[int]) -> None:
    """Board by board: the last pad of one is not beside the first of the next."""
    assert neighbours(pad, 48) == beside


def test_a_card_between_two_pads_is_told_by_one_and_then_by_the_other(met_tags: MeetTags) -> None:
    """Again and again, and never by a third; the table says where it rests."""
    bench = met_tags()
    bench.do(f"lay {RED_1} 3,4", rest_ms=5_000)
    came = [pad for pad, _ in bench.told_of(Sight.CAME)]
    assert set(came) == {3, 4}
    assert len(came) > 2
    assert state_of(bench.board)["between"] == {RED_1: [3, 4]}
    bench.do(f"take {RED_1}")
    bench.settle()
    bench.run(500)
    assert bench.sees() == {}


def test_the_next_cards_rest_between_two_pads() -> None:
    """As many as the fault counts."""
    bench = simulated()
    answers = bench.do("fault between count=1", f"lay {RED_1} 0", f"lay {RED_2} 8", "fault list")
    assert answers[1] in (f"ok between: {RED_1} rests between 0, {other}" for other in (1, 4))
    assert (answers[2], answers[3]) == ("ok", "ok")
    assert list(bench.board.state()["between"]) == [RED_1]  # type: ignore[call-overload]


def test_a_deaf_reader_is_said_to_be_deaf_and_the_others_go_on(met_tags: MeetTags) -> None:
    """What is laid on it is told when it hears again; what lay on it is not gone meanwhile."""
    bench = met_tags()
    bench.do(f"lay {GREEN_1} 6", "wait 200")
    assert bench.do("fault deaf-reader pad=6", f"lay {RED_1} 6", f"lay {RED_2} 7") == [
        "ok the reader under 6",
        "ok",
        "ok",
    ]
    bench.run(2_000)
    assert bench.sees() == {6: {uid(GREEN_1)}, 7: {uid(RED_2)}}
    assert bench.session.status is not None
    states = [ReaderState(row.state) for row in bench.session.status.readers]
    assert [pad for pad, state in enumerate(states) if ReaderState.SEEN not in state] == [6]
    bench.do("fault off deaf-reader")
    bench.settle()
    bench.run(1_500)
    states = [ReaderState(row.state) for row in bench.session.status.readers]
    assert all(ReaderState.SEEN in state for state in states)
    assert [pad for pad, state in enumerate(states) if ReaderState.DEAF in state] == [6]
    assert bench.told_of(Sight.GONE) == []


def test_a_card_that_is_nudged_is_not_gone(met_tags: MeetTags) -> None:
    """Out of the field for as long as a finger takes to straighten it."""
    bench = met_tags()
    bench.do(f"lay {RED_1},{RED_2} 3 over 50", "wait 300")
    told = len(bench.sightings())
    assert bench.do("fault nudge pad=3 ms=60") == [f"ok out of the field for a moment: {RED_2}"]
    bench.run(2_000)
    assert bench.sees() == bench.pads()
    assert [one.what for one in bench.sightings()[told:]] in ([], [Sight.CAME])


def test_an_arm_sweeps_everything_off(met_tags: MeetTags) -> None:
    bench = met_tags()
    bench.do(f"lay {PILE} 3 over 200", f"lay {RED_1} 9", "wait 300")
    assert bench.do("fault sweep") == ["ok swept off: 6 cards"]
    bench.run(700)
    assert bench.pads() == {}
    bench.settle()
    assert len(bench.told_of(Sight.GONE)) == 6


def test_a_board_without_power_finds_afterwards_what_was_laid_meanwhile(met_tags: MeetTags) -> None:
    """Nobody saw it come."""
    bench = met_tags()
    bench.do(f"lay {RED_1} 3", "wait 200", "fault power-cut ms=500", f"lay {RED_2} 3", f"move {RED_1} 9")
    bench.run(3_000)
    assert bench.sees() == bench.pads() == {3: {uid(RED_2)}, 9: {uid(RED_1)}}
    assert {tag for _, tag in bench.told_of(Sight.FOUND)} == {uid(RED_1), uid(RED_2)}


def test_an_answer_of_before_is_not_taken_for_one_of_now(met_tags: MeetTags) -> None:
    """A table told anew comes late, twice: another host believes what lies there in the end."""
    bench = met_tags()
    bench.do(f"lay {RED_1} 3", "wait 200")
    first = meet_tags(bench.board)
    first.do(f"take {RED_1}", "wait 1500", f"lay {GREEN_1} 9", "wait 100", "fault stale-snapshot count=2")
    other = TagBench(bench.board)
    other.run(2_000)
    assert other.session.synced
    assert other.sees() == {9: {uid(GREEN_1)}}


def test_the_same_seed_does_the_same() -> None:
    """A failure seen once can be seen again."""
    lines = ("fault missed-reads 30", "fault cross-read percent=40", "fault between count=2", "fault collide")
    told = []
    for _ in range(2):
        bench = simulated(seed=7)
        answers = bench.do(*lines, f"lay {PILE} 3 over 300", f"lay {RED_1},{GREEN_1} 9 over 10", "wait 3000")
        told.append((answers, bench.told))
    assert told[0] == told[1]
