"""The firmware at the speed of a radio bridge: the same over a slower line, and no speed it cannot keep."""

from __future__ import annotations

import subprocess
from functools import partial
from pathlib import Path

import pytest
from tests.builder.bench import Bench
from tests.firmware.native import FIRMWARE

from tablewire.errors import BoardError
from tablewire.twin.heart import TwinHeart
from tablewire.virtual.board import VirtualBoard


def built_for(baud: int, folder: Path) -> subprocess.CompletedProcess[str]:
    """As `make firmware BAUD=...` builds it, into a folder of its own."""
    return subprocess.run(
        [
            "make",
            "--no-print-directory",
            "-C",
            str(FIRMWARE),
            f"BUILD={folder}",
            f"BAUD={baud}",
            f"{folder}/tablewire.hex",
        ],
        capture_output=True,
        text=True,
        timeout=300,
        check=False,
    )


@pytest.mark.parametrize("baud", [57_600, 250_000])
def test_a_board_behind_a_slower_bridge_tells_what_lies_on_it(tmp_path: Path, baud: int) -> None:
    done = built_for(baud, tmp_path)
    assert done.returncode == 0, done.stderr
    heart = partial(TwinHeart, firmware=tmp_path / "tablewire.elf")
    bench = Bench(VirtualBoard(1, heart=heart))
    bench.board.set_host_baud(baud)
    try:
        with bench.converse() as talk:
            talk.find()
            bench.do("place red 6,15 over 200", "wait 200")
            talk.rest(0.2)
            assert [place for place, kind in enumerate(talk.classes, 1) if kind] == [6, 15]
            assert len(talk.readings()) == 201
            assert talk.session.decoder.drops.total() == 0
    finally:
        bench.board.close()


def test_the_default_speed_is_not_heard_by_a_slower_host() -> None:
    """So a bridge set otherwise than the firmware is found out at once."""
    bench = Bench(VirtualBoard(1, heart=TwinHeart))
    bench.board.set_host_baud(57_600)
    try:
        with bench.converse() as talk, pytest.raises(BoardError, match=r"another speed|no board answers"):
            talk.find(2.0)
    finally:
        bench.board.close()


def test_a_speed_that_the_chip_cannot_keep_is_refused_with_those_it_can(tmp_path: Path) -> None:
    done = built_for(230_400, tmp_path)
    assert done.returncode != 0
    assert "it can 500000, 250000, 57600, 38400, 19200 and 9600" in done.stderr
    assert not (tmp_path / "tablewire.hex").exists()


def test_another_speed_builds_what_depends_on_it_anew(tmp_path: Path) -> None:
    images = []
    for baud in (57_600, 250_000, 250_000, 57_600):
        assert built_for(baud, tmp_path).returncode == 0
        images.append((tmp_path / "tablewire.hex").read_bytes())
    assert images[0] == images[3] != images[1] == images[2]
