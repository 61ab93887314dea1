"""The EEPROM of the simulated chip, against the data sheet (chapter 8), and the file that keeps it."""

from __future__ import annotations

import os
import shutil
import signal
import subprocess
import tempfile
from pathlib import Path

import pytest
from tests.store.unprivileged import give_away, run_unprivileged
from tests.twin.probe import PROGRAM, SETTLED_US, probe, results_of

from tablewire.errors import UserError
from tablewire.twin.chip import Chip

WRITE_UNITS = 3400 * 16 // 64
"""3.4 ms in units of 64 cycles."""
EEPROM_BYTES = 4096
WRITTEN_AT, WRITTEN = 9, 0x5A
POWER_CUTS = 20
EEPROM_PROBE = PROGRAM.parent / "probes" / "eeprom.elf"
IMPORTS = """
from tablewire.errors import UserError
from tablewire.twin.chip import Chip, Path
"""
START = """
try:
    Chip(Path(sys.argv[1]), Path(sys.argv[2]), program=Path(sys.argv[3]))
except UserError as error:
    print(error)
"""


def test_a_write_shows_itself_and_takes_its_time() -> None:
    with probe("eeprom") as chip:
        shows, units, read_back = results_of(chip)[:3]
        assert (shows, read_back) == (1, WRITTEN)
        assert WRITE_UNITS - 1 <= units <= WRITE_UNITS + 1


def test_the_simulator_alone_shows_no_write() -> None:
    with probe("eeprom", unmended="eeprom") as chip:
        assert results_of(chip)[:2] == (0, 0)


def test_a_write_that_was_not_unlocked_in_time_does_nothing() -> None:
    with probe("eeprom") as chip:
        assert results_of(chip)[3:5] == (WRITTEN, WRITTEN)


def test_the_ready_interrupt_is_asked_for_as_long_as_nothing_is_written() -> None:
    with probe("eeprom") as chip:
        assert results_of(chip)[5:7] == (5, 0)
    with probe("eeprom", unmended="eeprom") as chip:
        assert results_of(chip)[5] < 5


def test_what_was_written_survives_every_reset() -> None:
    with probe("eeprom") as chip:
        assert results_of(chip)[7] == 0xFF
        for cause in ("power", "external", "brownout"):
            chip.reset(cause)
            assert results_of(chip)[7] == WRITTEN


def test_a_power_cut_during_a_write_leaves_anything_in_that_byte_only(tmp_path: Path) -> None:
    left = set()
    for seed in range(POWER_CUTS):
        file = tmp_path / f"{seed}.eeprom"
        with probe("eeprom", file, seed) as chip:
            chip.run(2000)
            chip.reset("power")
        cells = file.read_bytes()
        left.add(cells[WRITTEN_AT])
        assert set(cells[:WRITTEN_AT] + cells[WRITTEN_AT + 1 :]) == {0xFF}
    assert len(left) > 10


def test_a_reset_during_a_write_lets_it_end(tmp_path: Path) -> None:
    file = tmp_path / "eeprom"
    with probe("eeprom", file) as chip:
        chip.run(2000)
        chip.reset("external")
        chip.run(1500)
    assert file.read_bytes()[WRITTEN_AT] == WRITTEN


def test_the_file_keeps_it_between_two_programs(tmp_path: Path) -> None:
    file = tmp_path / "eeprom"
    with probe("eeprom", file) as chip:
        results_of(chip)
    assert len(file.read_bytes()) == EEPROM_BYTES
    with probe("eeprom", file) as chip:
        assert results_of(chip)[7] == WRITTEN
    assert [path.name for path in tmp_path.iterdir()] == ["eeprom"]


def test_a_file_that_is_none_is_named_and_left_alone(tmp_path: Path) -> None:
    for name, content in (("short", b"x" * 4095), ("long", b"x" * 4097), ("empty", b"")):
        file = tmp_path / name
        file.write_bytes(content)
        with pytest.raises(UserError, match=f"{name} has not 4096 bytes"):
            probe("eeprom", file)
        assert file.read_bytes() == content


def test_a_file_that_cannot_be_read_or_made_is_named(tmp_path: Path) -> None:
    with pytest.raises(UserError, match=str(tmp_path)):
        probe("eeprom", tmp_path)
    with pytest.raises(UserError, match="nowhere"):
        probe("eeprom", tmp_path / "nowhere" / "eeprom")


def test_what_is_no_file_is_refused_at_once(tmp_path: Path) -> None:
    """Opening a pipe would wait for ever for somebody at its other end."""
    pipe = tmp_path / "pipe"
    os.mkfifo(pipe)
    for path in (pipe, Path("/dev/null")):
        with pytest.raises(UserError, match=f"{path} is no file"):
            probe("eeprom", path)
        with pytest.raises(UserError, match=f"{path}: it is no file"):
            Chip(path, program=PROGRAM)


def test_the_file_behind_a_link_is_written_and_the_link_stays(tmp_path: Path) -> None:
    file, link = tmp_path / "eeprom", tmp_path / "link"
    link.symlink_to(file)
    for _ in range(2):  # made, then overwritten
        with probe("eeprom", link) as chip:
            chip.run(SETTLED_US)
    assert link.is_symlink()
    assert sorted(path.name for path in tmp_path.iterdir()) == ["eeprom", "link"]
    assert set(file.read_bytes()) != {0xFF}


def test_a_file_that_may_not_be_written_is_not_replaced() -> None:
    """Although its folder would let it be."""
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        file = folder / "eeprom"
        file.write_bytes(b"\xff" * EEPROM_BYTES)
        file.chmod(0o444)
        copies = [Path(shutil.copy(one, folder)) for one in (EEPROM_PROBE, PROGRAM)]
        for path in (folder, file, *copies):
            give_away(path)
        said = run_unprivileged(IMPORTS, START, copies[0], file, copies[1])
        assert "cannot write the EEPROM file" in said
        assert file.read_bytes() == b"\xff" * EEPROM_BYTES


def test_the_file_is_written_when_the_input_just_ends(tmp_path: Path) -> None:
    file = tmp_path / "eeprom"
    subprocess.run(
        [PROGRAM, EEPROM_PROBE, "--eeprom", file], input=b"run 20000\n", stdout=subprocess.DEVNULL, check=True
    )
    assert file.read_bytes()[WRITTEN_AT] == WRITTEN


def test_ctrl_c_is_left_to_who_drives_the_program(tmp_path: Path) -> None:
    with subprocess.Popen(
        [PROGRAM, EEPROM_PROBE], stdin=subprocess.PIPE, stdout=subprocess.PIPE, bufsize=0
    ) as running:
        assert running.stdin is not None
        assert running.stdout is not None
        running.stdin.write(b"run 5\n")
        assert running.stdout.readline() == b"ok 5\n"
        running.send_signal(signal.SIGINT)
        running.stdin.write(b"run 5\nquit\n")
        assert running.stdout.readline() == b"ok 10\n"
    assert running.returncode == 0


def test_the_file_is_written_while_the_program_runs(tmp_path: Path) -> None:
    # A program that is killed loses at most a second of the board's time.
    file = tmp_path / "eeprom"
    with probe("eeprom", file) as chip:
        chip.run(1_100_000)
        assert file.read_bytes()[WRITTEN_AT] == WRITTEN
