"""A board with tag readers and no sensors: each kind of trouble a reader can have is named, and its pad."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace

import pytest
from tests.builder.bench import Bench
from tests.doctor.test_board import NOWHERE, said, visit

from tablewire.doctor.checks_board import check_board
from tablewire.doctor.checks_sensors import check_sensors
from tablewire.doctor.finding import Check, Level
from tablewire.doctor.seen import BoardLeftAlone, BoardSeen, PageSeen
from tablewire.virtual.board import VirtualBoard
from tablewire.wire.account import Account
from tablewire.wire.messages import BoardKind, ReaderState, Settings, Sight
from tablewire.wire.observed import Sightings

WELL = ReaderState.SEEN | ReaderState.TESTED | ReaderState.WELL
FAILED = ReaderState.SEEN | ReaderState.TESTED
IN_ORDER = Account(
    firmware="0.1.0",
    minor=0,
    sensor_count=0,
    reset_cause=1,
    nonce=7,
    status={"flicker_count": 2, "flicker_sensor": 255, "settings": int(Settings.NONE)},
    dropped={},
    counts={},
    readers=((0x92, int(WELL)),) * 16,
)


def seen(rows: Mapping[int, tuple[int, int]], **status: int) -> BoardSeen:
    """A board in order, but for some of its readers, and what it counted meanwhile."""
    readers = tuple(rows.get(pad, row) for pad, row in enumerate(IN_ORDER.readers))
    last = replace(IN_ORDER, readers=readers, status={**IN_ORDER.status, **status})
    return BoardSeen("/dev/ttyACM0", "serial", IN_ORDER, last, window_s=3.0)


def test_a_board_in_order_says_how_many_readers_answer_and_what_they_are() -> None:
    (board,) = check_board(seen({}), NOWHERE)
    (readers,) = check_sensors(seen({3: (0x91, int(WELL))}), NOWHERE)

    assert board.text == "a board with 16 readers answers at /dev/ttyACM0, by cable"
    assert (readers.check, readers.level) == (Check.SENSORS, Level.OK)
    assert readers.text == "all 16 readers answer (MFRC522 1.0, MFRC522 2.0)"


@pytest.mark.parametrize(
    ("rows", "level", "text", "do"),
    [
        ({3: (0x00, 0)}, Level.TROUBLE, "pad 3: the reader does not answer", "MISO"),
        ({3: (0xFF, int(ReaderState.SEEN))}, Level.TROUBLE, "pad 3: the reader does not answer", "MISO"),
        (dict.fromkeys(range(16), (0, 0)), Level.TROUBLE, "no reader answers", "the decoder"),
        (
            dict.fromkeys(range(4, 12), (0, 0)),
            Level.TROUBLE,
            "pads 4, 5, 6, 7, 8, 9 and 2 more: the reader does not",
            "select",
        ),
        ({0: (0x92, int(FAILED))}, Level.TROUBLE, "pad 0: the reader fails its own test", "another one"),
        ({0: (0x12, int(FAILED))}, Level.NOTE, "as some clones do", "good enough"),
        (
            {5: (0x82, int(WELL))},
            Level.NOTE,
            "pad 5: a chip that is not known here (its version is 0x82)",
            "",
        ),
        (
            {9: (0x92, int(WELL | ReaderState.DEAF))},
            Level.NOTE,
            "pad 9: the reader stopped answering since",
            "supply",
        ),
    ],
)
def test_a_reader_that_cannot_be_relied_on_is_named_by_its_pad(
    rows: Mapping[int, tuple[int, int]], level: Level, text: str, do: str
) -> None:
    told = said(check_sensors(seen(rows), NOWHERE), level)

    assert told.count("\n") == 0
    assert told.startswith(text) or text in told
    assert do in told


def test_a_reader_that_was_not_tested_yet_is_no_trouble() -> None:
    (finding,) = check_sensors(seen({7: (0x92, int(ReaderState.SEEN))}), NOWHERE)

    assert finding.level is Level.OK


def test_a_card_that_is_missed_again_and_again_is_told_with_its_pad_and_a_few_times_are_nothing() -> None:
    often, seldom = (seen({}, flicker_count=2 + count, flicker_sensor=11) for count in (5, 2))

    assert "5 times, the last on pad 11" in said(check_sensors(often, NOWHERE))
    assert said(check_sensors(seldom, NOWHERE)) == ""


def test_the_table_that_plays_tells_of_its_readers_too() -> None:
    board = seen({2: (0x00, 0)})
    page = PageSeen("127.0.0.1:8750", who="tablewire", link_state="up", first=board.first, last=board.last)

    assert said(check_sensors(BoardLeftAlone("the table uses it"), page)).startswith("pad 2: the reader does")


def test_nobody_is_told_to_calibrate_a_board_that_has_nothing_to_calibrate() -> None:
    assert all("calibrat" not in f.text for f in check_sensors(seen({}), NOWHERE))


def test_a_visit_tells_a_deaf_reader_and_leaves_what_happened_to_the_table() -> None:
    bench = Bench(VirtualBoard(1, kind=BoardKind.LIGRETTO, pads=16))
    bench.do("wait 300", "lay red:blue:1 4", "wait 200", "fault deaf-reader pad=2", "wait 3000")
    board = visit(bench)
    assert isinstance(board, BoardSeen), board

    (found,) = check_board(board, NOWHERE)
    assert found.text.startswith("a board with 16 readers answers")
    assert "pad 2" in said(
        [f for f in check_sensors(board, NOWHERE) if f.level is not Level.OK], Level.TROUBLE
    )
    with bench.converse() as table:
        told = [one for _ in range(40) for one in table.pump() if isinstance(one, Sightings)]
    assert [(s.what, s.source) for one in told for s in one.sightings if s.uid] == [(Sight.CAME, 4)]
