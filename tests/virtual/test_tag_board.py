"""What a hand does with cards on the pads arrives at the host: in order, in time, once."""

from __future__ import annotations

from functools import partial
from itertools import pairwise

import pytest
from tests.boards import NewBoard
from tests.virtual.tag_bench import MeetTags, TagBench, all_cards, meet_tags, state_of, uid

from tablewire.virtual.board import VirtualBoard
from tablewire.virtual.python_heart import PythonHeart
from tablewire.wire.messages import (
    BoardKind,
    Feature,
    Light,
    Param,
    ParamKey,
    ParamOp,
    ReaderState,
    Result,
    ResultCode,
    Sight,
    Signal,
    Sound,
)
from tablewire.wire.observed import Sightings
from tablewire.wire.session import Known

RED_1, RED_2, GREEN_1 = "red:blue:1", "red:blue:2", "green:blue:1"
SOON_MS = 100
"""A pass over the pads, a card more on every one of them, and the way to the host."""


def lay_a_full_table(board: VirtualBoard) -> None:
    """Ten cards on each of sixteen pads, on all of them side by side."""
    cards = all_cards()
    for pad in range(16):
        board.command(f"lay {','.join(cards[pad * 10 : pad * 10 + 10])} {pad} over 200", hand=pad + 1)


def test_a_board_with_readers_says_what_it_has(met_tags: MeetTags) -> None:
    """Sixteen pads, a stop button for each of four players, no sensors; its first word is that it begins."""
    bench = met_tags()
    hello = bench.session.hello
    assert hello is not None
    assert (hello.kind, hello.sensor_count, hello.reader_count, hello.button_count) == (2, 0, 16, 4)
    assert hello.features == Feature.RFID | Feature.LEDS | Feature.PIEZO
    first = bench.sightings()[0]
    assert (first.number, first.what) == (1, Sight.ANEW)
    assert bench.sees() == {}


def test_a_card_that_is_laid_comes_and_one_that_is_taken_is_gone(met_tags: MeetTags) -> None:
    """Soon the one, after several misses the other; with the pad and the number of its tag."""
    bench = met_tags()
    assert bench.do(f"lay {RED_1} 3") == ["ok"]
    bench.wait_for(Sight.CAME, 3, uid(RED_1), SOON_MS)
    assert bench.do(f"take {RED_1}") == ["ok"]
    bench.wait_for(Sight.GONE, 3, uid(RED_1))
    bench.run(1_000)
    assert len(bench.sightings()) == 3
    bench.assert_nothing_lost_or_doubled()


def test_stamps_say_in_which_order_cards_came(met_tags: MeetTags) -> None:
    """On one pad 60 ms apart, by the board's own clock."""
    bench = met_tags()
    bench.do(f"lay {RED_1},{RED_2} 15 over 60", rest_ms=SOON_MS)
    first, second = [one for one in bench.sightings() if one.what == Sight.CAME]
    assert (first.uid, second.uid) == (uid(RED_1), uid(RED_2))
    assert 30 <= second.device_ms - first.device_ms <= 90


def test_cards_that_come_at_once_are_told_each(met_tags: MeetTags) -> None:
    """Two on one pad, two on others."""
    bench = met_tags()
    for hand, line in enumerate((f"lay {RED_1},{GREEN_1} 0", f"lay {RED_2} 7", "lay green:red:1 15"), 1):
        bench.board.command(line, hand)
    bench.run(SOON_MS + 50)
    assert bench.sees() == {0: {uid(RED_1), uid(GREEN_1)}, 7: {uid(RED_2)}, 15: {uid("green:red:1")}}


def test_a_whole_pile_stays_seen(met_tags: MeetTags) -> None:
    """Ten cards rest on one pad for three seconds, and nothing more is told."""
    bench = met_tags()
    for value in range(1, 11):
        bench.do(f"lay red:green:{value} 5", rest_ms=40)
    bench.run(200)
    assert bench.sees() == bench.pads() == {5: {uid(f"red:green:{value}") for value in range(1, 11)}}
    told = len(bench.sightings())
    bench.run(3_000)
    assert len(bench.sightings()) == told


def test_a_card_on_a_complete_pile_is_told(met_tags: MeetTags) -> None:
    """It lies wrong, so somebody has to be told; one more as well."""
    bench = met_tags()
    pile = ",".join(f"red:green:{value}" for value in range(1, 11))
    bench.do(f"lay {pile} 5 over 300", "wait 300", f"lay {RED_1} 5", "wait 100", f"lay {GREEN_1} 5")
    bench.wait_for(Sight.CAME, 5, uid(GREEN_1), 300)
    assert len(bench.sees()[5]) == 12


def test_any_tag_can_be_laid_of_either_size(met_tags: MeetTags) -> None:
    """One that nobody taught."""
    bench = met_tags()
    bench.do("lay 04a1b2c3d4e5f6 2", "lay 8899AABB 9", rest_ms=SOON_MS)
    assert bench.sees() == {2: {"04A1B2C3D4E5F6"}, 9: {"8899AABB"}}


def test_a_card_that_moves_comes_to_the_other_pad_before_or_after_it_is_gone(met_tags: MeetTags) -> None:
    bench = met_tags()
    bench.do(f"lay {RED_1} 3", "wait 100", f"move {RED_1} 12")
    bench.wait_for(Sight.CAME, 12, uid(RED_1), SOON_MS)
    bench.settle()
    assert bench.sees() == {12: {uid(RED_1)}}


def test_a_cleared_pad_is_bare_and_so_is_a_cleared_table(met_tags: MeetTags) -> None:
    bench = met_tags()
    bench.do(f"lay {RED_1},{RED_2} 3 over 50", f"lay {GREEN_1} 4", "wait 200", "clear 3 over 50")
    bench.settle()
    assert bench.sees() == {4: {uid(GREEN_1)}}
    bench.do("clear all")
    bench.settle()
    assert bench.sees() == {}


def test_a_button_goes_down_and_up(met_tags: MeetTags) -> None:
    """As long as it is pressed; a touch shorter than a finger's is none."""
    bench = met_tags()
    bench.do("press 2 5", "wait 200", "press 1 150", rest_ms=SOON_MS)
    down, up = bench.sightings()[1:]
    assert [(one.what, one.source, one.uid) for one in (down, up)] == [(Sight.DOWN, 1, ""), (Sight.UP, 1, "")]
    assert 120 <= up.device_ms - down.device_ms <= 180


def test_the_state_says_what_really_lies_there(new_tag_board: NewBoard) -> None:
    """Bottom first, by name; between which pads; and which buttons are down."""
    board = new_tag_board()
    board.do(f"lay {RED_1},{RED_2} 3 over 20", "lay 04A1B2C3D4E5F6 0", f"lay {GREEN_1} 4,5")
    board.command("press 3 1000", hand=1)
    state = state_of(board)
    assert state["pads"] == {"0": ["04A1B2C3D4E5F6"], "3": [RED_1, RED_2], "4": [GREEN_1]}
    assert state["between"] == {GREEN_1: [4, 5]}
    assert state["buttons"] == [3]


def test_what_lies_there_when_the_board_starts_was_found_and_did_not_come(met_tags: MeetTags) -> None:
    """A reset is no new game: another boot tells it all, and what is laid after that comes."""
    bench = met_tags()
    bench.do(f"lay {RED_1},{RED_2} 3 over 50", f"lay {GREEN_1} 9", "wait 200", "reset")
    told = len(bench.sightings())
    bench.run(1_200)
    after = bench.sightings()[told:]
    assert [one.what for one in after] == [Sight.ANEW, *[Sight.FOUND] * 3]
    assert bench.sees() == bench.pads()
    bench.do("lay blue:red:1 0")
    bench.wait_for(Sight.CAME, 0, uid("blue:red:1"), SOON_MS)
    bench.assert_nothing_lost_or_doubled()


def test_another_host_is_told_everything_anew(met_tags: MeetTags) -> None:
    """It knows nothing of this board, which has told all of it to somebody else; a button held down too."""
    bench = met_tags()
    bench.do(f"lay {RED_1},{RED_2} 3 over 50", f"lay {GREEN_1} 9", "wait 300")
    bench.board.command("press 1 60000", hand=1)
    bench.run(100)
    other = meet_tags(bench.board)
    assert other.sees() == bench.pads()
    assert {one.what for one in other.sightings()} == {Sight.ANEW, Sight.FOUND, Sight.DOWN}
    other.assert_nothing_lost_or_doubled()


def test_a_host_that_restarts_goes_on_where_it_was(met_tags: MeetTags) -> None:
    """What happened meanwhile comes in order, and nothing is told anew."""
    bench = met_tags()
    bench.do(f"lay {RED_1} 3", rest_ms=200)
    known = Known(bench.session.nonce or 0, bench.session.number, bench.sightings()[-1].device_ms)
    bench.board.do(f"lay {RED_2} 3", "wait 100", f"lay {GREEN_1} 9", "wait 100")
    other = TagBench(bench.board, known)
    other.run(300)
    assert [(one.what, one.uid) for one in other.sightings()] == [
        (Sight.CAME, uid(RED_2)),
        (Sight.CAME, uid(GREEN_1)),
    ]


def test_more_than_the_board_can_keep_is_told_anew_once_somebody_listens(met_tags: MeetTags) -> None:
    """160 cards come unheard: their order is lost, and said to be; what lies there is not."""
    bench = met_tags()
    bench.do("fault mute to=both")
    lay_a_full_table(bench.board)
    bench.run(2_500)
    assert bench.counters()["ring_overflows"] >= 1
    bench.do("fault off mute")
    bench.settle()
    assert sum(map(len, bench.sees().values())) == 160
    assert Sight.ANEW in [one.what for one in bench.sightings()[1:]]
    bench.assert_nothing_lost_or_doubled()


def test_lights_and_parameters_are_as_on_any_board(met_tags: MeetTags) -> None:
    """Its own parameters are known to it, those of sensors are not."""
    bench = met_tags()
    bench.session.submit(Signal(1, 0b0101, Light.LEGAL, Sound.NONE))
    asked = (
        (ParamOp.GET, ParamKey.MISSES, 0),
        (ParamOp.GET, ParamKey.FIELD_GROUPS, 0),
        (ParamOp.SET, ParamKey.FIELD_GROUPS, 3),
        (ParamOp.SET, ParamKey.FIELD_GROUPS, 4),
        (ParamOp.GET, ParamKey.HYSTERESIS_COUNTS, 0),
    )
    for token, (op, key, value) in enumerate(asked, 2):
        bench.session.submit(Param(token, op, key, value))
    bench.run(500)
    assert bench.board.lights() == (0b0101, True, False)
    answers = [one.answer for one in bench.session.take_outcomes()][1:]
    assert [(one.code, one.value) for one in answers if isinstance(one, Result)] == [
        (ResultCode.OK, 3),
        (ResultCode.OK, 1),
        (ResultCode.BAD_VALUE, 1),
        (ResultCode.OK, 4),
        (ResultCode.UNKNOWN, 0),
    ]


def test_a_parameter_is_kept_over_a_reset(met_tags: MeetTags) -> None:
    """Once it is written, which takes a moment."""
    bench = met_tags()
    bench.session.submit(Param(1, ParamOp.SET, ParamKey.MISSES, 5))
    bench.do("wait 300", "reset", "wait 1200")
    bench.session.take_outcomes()
    bench.session.submit(Param(2, ParamOp.GET, ParamKey.MISSES, 0))
    bench.run(200)
    assert [one.answer for one in bench.session.take_outcomes()] == [Result(2, ResultCode.OK, 5)]


def test_with_staggered_fields_cards_come_and_go_all_the_same(met_tags: MeetTags) -> None:
    """A quarter of the pads at a time: a little later, but told."""
    bench = met_tags()
    bench.session.submit(Param(1, ParamOp.SET, ParamKey.FIELD_GROUPS, 4))
    bench.do("wait 100", f"lay {RED_1} 3", f"lay {GREEN_1} 9", rest_ms=400)
    assert bench.sees() == bench.pads()
    bench.do(f"take {RED_1}")
    bench.settle()
    assert bench.told_of(Sight.GONE) == [(3, uid(RED_1))]


def test_the_heartbeat_says_how_each_reader_is(met_tags: MeetTags) -> None:
    """Sixteen sound ones."""
    bench = met_tags()
    bench.run(1_500)
    assert bench.session.status is not None
    states = [ReaderState(row.state) for row in bench.session.status.readers]
    assert states == [ReaderState.SEEN | ReaderState.TESTED | ReaderState.WELL] * 16
    assert 40 <= bench.session.status.scan_hz <= 70


def test_forty_eight_pads_are_three_boards_worth() -> None:
    """Twelve players with a button each; the last pad is as quick as the first."""
    bench = meet_tags(VirtualBoard(1, kind=BoardKind.LIGRETTO, pads=48))
    hello = bench.session.hello
    assert hello is not None
    assert (hello.reader_count, hello.button_count) == (48, 12)
    bench.do("lay red:red:1 47", "lay red:blue:1 0", "press 11", rest_ms=SOON_MS)
    assert bench.sees() == {0: {uid("red:blue:1")}, 47: {uid("red:red:1")}}
    assert bench.told_of(Sight.DOWN) == [(11, "")]


@pytest.mark.parametrize("pads", [0, 49])
def test_a_board_has_one_to_forty_eight_pads(pads: int) -> None:
    with pytest.raises(ValueError, match=f"{pads} pads: from 1 to 48"):
        VirtualBoard(1, kind=BoardKind.LIGRETTO, pads=pads)


def test_all_of_a_full_table_is_found_by_another_host() -> None:
    """160 cards, more than the board keeps changes: they are told as it has room, each once."""
    board = VirtualBoard(1, kind=BoardKind.LIGRETTO)
    lay_a_full_table(board)
    board.do("wait 1000")
    bench = meet_tags(board)
    bench.settle()
    assert sum(map(len, bench.sees().values())) == 160
    bench.assert_nothing_lost_or_doubled()


def test_a_pad_that_keeps_its_reader_busy_does_not_starve_the_next() -> None:
    """More cards lie there than are kept, and answer badly; what leaves the pad behind it is gone soon."""
    bench = meet_tags(VirtualBoard(1, kind=BoardKind.LIGRETTO))
    heap = ",".join(all_cards(["red"])[:14])
    bench.do(
        "fault missed-reads percent=0 garbled=1", f"lay {heap} 12 over 200", f"lay {GREEN_1} 13", "wait 1000"
    )
    bench.do(f"take {GREEN_1}")
    bench.wait_for(Sight.GONE, 13, uid(GREEN_1))


def test_stamps_go_on_rising_when_the_board_s_clock_wraps() -> None:
    """After 49 days of power: cards before and after, in order and as far apart as they were laid."""
    heart = partial(PythonHeart, device_start_ms=2**32 - 1_000)
    bench = meet_tags(VirtualBoard(1, kind=BoardKind.LIGRETTO, heart=heart))
    for value in range(1, 7):
        bench.do(f"lay red:red:{value} 3", "wait 300")
    stamps = [one.device_ms for one in bench.sightings() if one.what == Sight.CAME]
    assert len(stamps) == 6
    assert stamps[0] < 2**32 < stamps[-1]
    assert all(250 < later - sooner < 350 for sooner, later in pairwise(stamps))


def test_four_cards_at_once_are_told_within_a_few_passes() -> None:
    """The slowest by as long as the reader takes for the four."""
    bench = meet_tags(VirtualBoard(1, kind=BoardKind.LIGRETTO))
    bench.do("lay red:red:1,green:red:1,blue:red:1,yellow:red:1 9")
    begun_ms = bench.now_ms
    bench.run(SOON_MS)
    came = [one for one in bench.told if isinstance(one, Sightings)][1:]
    stamps = [one.device_ms for batch in came for one in batch.sightings]
    assert len(stamps) == 4
    assert stamps[-1] - stamps[0] in range(25, 28)
    assert stamps[-1] - begun_ms < 60
