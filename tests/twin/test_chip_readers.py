"""The wires between chip and readers, tried by a probe; and what the readers' requests refuse."""

from __future__ import annotations

import re
from collections.abc import Iterator

import pytest
from tests.firmware.native import FIRMWARE
from tests.twin.probe import probe, results_of

from tablewire.errors import UserError
from tablewire.twin.chip import Chip

VERSION = 0x92


@pytest.fixture
def chip() -> Iterator[Chip]:
    with probe("readers") as one:
        yield one


def test_the_decoder_selects_each_reader_alone(chip: Chip) -> None:
    for reader in range(16):
        chip.version(reader, 0x40 + reader)
    assert results_of(chip)[:16] == tuple(range(0x40, 0x50))


def test_without_enable_or_in_reset_nobody_answers(chip: Chip) -> None:
    assert results_of(chip)[16:18] == (0, 0)


def test_only_the_readers_own_spi_modes_and_order_read_right(chip: Chip) -> None:
    _, _, _, mode_1, turned, mode_3 = results_of(chip)[16:22]
    assert VERSION not in (mode_1, turned)
    assert mode_3 == VERSION


def test_a_pressed_button_reads_low_against_its_pull_up(chip: Chip) -> None:
    chip.button(0, down=True)
    chip.button(3, down=True)
    chip.button(3, down=False)
    chip.button(2, down=True)
    assert results_of(chip)[18] == 0b1010


def test_a_missing_reader_reads_zero_and_a_bad_clone_silences_all_others(chip: Chip) -> None:
    chip.reader(5, "missing")
    assert results_of(chip)[4:7] == (VERSION, 0, VERSION)
    chip.reader(7, "loads")
    chip.reset("external")
    assert results_of(chip)[4:9] == (0, 0, 0, VERSION, 0)


@pytest.mark.parametrize(
    ("call", "complaint"),
    [
        (lambda chip: chip.tag(b"\1\2\3", [0]), "4 or 7 bytes"),
        (lambda chip: chip.tag(b"\1\2\3\4", [16]), "a reader is 0 to 15"),
        (lambda chip: chip.tag(b"\1\2\3\4", []), "no such tag"),
        (lambda chip: chip.reader(0, "ill"), "well, missing"),
        (lambda chip: chip.misread(0, 101, 0), "0 to 100 percent"),
        (lambda chip: chip.doze(0, 102), "0 to 100 percent"),
        (lambda chip: chip.version(0, 256), "0 to 255"),
        (lambda chip: chip.button(4, down=True), "0 to 3"),
    ],
)
def test_what_cannot_be_is_refused_in_words(chip: Chip, call: object, complaint: str) -> None:
    assert callable(call)
    with pytest.raises(UserError, match=complaint):
        call(chip)


def test_there_are_as_many_tags_as_four_games_need_and_then_it_says_so(chip: Chip) -> None:
    for number in range(640):
        chip.tag(number.to_bytes(4, "big"), [number % 16])
    with pytest.raises(UserError, match="too many tags"):
        chip.tag(b"\xff\xff\xff\xff", [0])


def test_every_request_is_in_the_readme_and_no_other(chip: Chip) -> None:
    with pytest.raises(UserError) as refused:
        chip._ask("please")
    known = str(refused.value).partition("there are ")[2].split(", ")
    table = (
        (FIRMWARE / "twin" / "README.md").read_text("utf-8").partition("| request |")[2].partition("\n\n")[0]
    )
    firsts = [row.split("|")[1] for row in table.splitlines()[2:]]
    named = {re.split("[ `]", word)[0] for first in firsts for word in re.findall("`([a-z].*?)`", first)}
    assert named - set(known) <= {"external", "brownout", "up", "turn"}
    assert set(known) <= named
