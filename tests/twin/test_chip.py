"""The simulated chip as a program: requests, files, repeatability, what it says when something is missing."""

from __future__ import annotations

import subprocess
from pathlib import Path

import pytest
from tests.twin.probe import PROGRAM, heard_from, probe, results_of

from tablewire.errors import BoardError, UserError
from tablewire.twin import chip as chip_module
from tablewire.twin.chip import Chip, find_twin

ECHO = PROGRAM.parent / "probes" / "echo.elf"


def answers(*lines: str) -> list[str]:
    """What the program answers to these lines, without `quit`."""
    said = subprocess.run(
        [PROGRAM, ECHO],
        input="".join(f"{line}\n" for line in lines),
        capture_output=True,
        text=True,
        timeout=60,
    )
    assert said.returncode == 0
    return said.stdout.splitlines()


@pytest.mark.parametrize(
    "line",
    [
        "",
        " ",
        "jump 5",
        "run",
        "run -1",
        "run 10000001",
        "run 99999999999999999999",
        "run 1 2",
        "run 1x",
        "rx 1",
        "rx 0g",
        "rx " + "00" * 4097,
        "rx " + "00" * 100_000,
        "field 201 1",
        "field -1 1",
        "field 1 1024",
        "field 1",
        "zero 5 -1",
        "noise -1",
        "noise nan",
        "noise 1e9",
        "settle inf",
        "supply 12000",
        "host-baud 299",
        "host-baud 2000001",
        "short 201",
        "reset",
        "reset softly",
        "peek nothing 4",
        "peek results 4097",
        "figures all",
        "pins 1 2 3 4 5 6 7 8 9",
        "\x1b[31m",
        "rün 1",
    ],
)
def test_a_request_that_makes_no_sense_is_refused_in_one_line_and_the_next_one_answered(line: str) -> None:
    refused, after = answers(line, "run 7")
    assert refused.startswith("error ")
    assert after == "ok 7"


def test_the_last_line_may_lack_its_end() -> None:
    said = subprocess.run([PROGRAM, ECHO], input=b"run 5", capture_output=True, timeout=60)
    assert (said.returncode, said.stdout) == (0, b"ok 5\n")


def test_zero_bytes_in_a_request_do_no_harm() -> None:
    said = subprocess.run([PROGRAM, ECHO], input=b"ru\0n 5\nrun 5\n", capture_output=True, timeout=60)
    assert said.stdout.splitlines()[-1] == b"ok 5"


def test_more_bytes_than_the_line_holds_are_refused_whole() -> None:
    with probe("echo") as chip:
        for _ in range(16):
            chip.rx(bytes(4096))
        with pytest.raises(UserError, match="too many bytes"):
            chip.rx(b"x")


def test_the_same_requests_give_the_same_bytes() -> None:
    first, second = (
        answers(
            "run 1000", "noise 3", "rx 00ff10", "run 777", "figures", "reset power", "run 5000", "figures"
        )
        for _ in range(2)
    )
    assert first == second


def test_time_in_one_piece_or_in_many_is_the_same_time() -> None:
    with probe("adc") as whole, probe("adc") as parts:
        expected = results_of(whole)
        for us in [7] * 200 + [1] * 300:
            parts.run(us)
        assert results_of(parts) == expected


def test_what_the_caller_gave_wrong_is_the_callers_fault() -> None:
    with probe("echo") as chip:
        with pytest.raises(UserError, match="0 to 200"):
            chip.field(999, 1)
        with pytest.raises(UserError, match="power, external or brownout"):
            chip.reset("never")


def test_a_firmware_that_is_none_is_named(tmp_path: Path) -> None:
    nothing, text, truncated = tmp_path / "nothing.elf", tmp_path / "text.elf", tmp_path / "cut.elf"
    text.write_text("not a program")
    truncated.write_bytes(ECHO.read_bytes()[:300])
    for elf in (nothing, text, truncated, tmp_path, PROGRAM):
        with pytest.raises(UserError, match=elf.name):
            Chip(elf, program=PROGRAM)


@pytest.mark.parametrize("at", [32, 46, 48, 50], ids=["where", "length", "count", "names"])
def test_a_firmware_with_a_damaged_header_is_refused_before_anybody_believes_it(
    at: int, tmp_path: Path
) -> None:
    """libelf, which reads it for the simulator, would look for all of that in memory that is not there."""
    whole, damaged = ECHO.read_bytes(), tmp_path / "damaged.elf"
    damaged.write_bytes(whole[:at] + b"\xff\x7f" + whole[at + 2 :])
    with pytest.raises(UserError, match=r"damaged\.elf: it has been cut short, or is damaged"):
        Chip(damaged, program=PROGRAM)


def test_a_firmware_that_nobody_can_load_is_named_all_the_same(tmp_path: Path) -> None:
    with pytest.raises(UserError, match=r"echo\.elf: the simulated chip ended with -9"):
        Chip(ECHO, program=script(tmp_path, "kill -9 $$"))


def test_a_program_that_is_missing_is_named(tmp_path: Path) -> None:
    with pytest.raises(UserError, match="cannot be started"):
        Chip(ECHO, program=tmp_path / "tablewire-twin")


def script(folder: Path, *lines: str) -> Path:
    """A program that is none of ours, in a folder."""
    program = folder / "program"
    program.write_text("\n".join(("#!/bin/sh", *lines, "")))
    program.chmod(0o755)
    return program


def test_a_program_that_dies_is_told_and_stays_dead(tmp_path: Path) -> None:
    chip = Chip(ECHO, program=script(tmp_path, "read line", "echo 'ok {}'", "read line", "exit 7"))
    with pytest.raises(BoardError, match="ended with 7"):
        chip.run(1000)
    with pytest.raises(BoardError, match="has ended"):
        chip.run(1000)
    chip.close()
    chip.close()


def test_last_words_are_handed_on(tmp_path: Path) -> None:
    program = script(tmp_path, "echo 'the shelf fell down' >&2", "exit 3")
    with pytest.raises(UserError, match="the shelf fell down"):
        Chip(ECHO, program=program)


def test_a_program_that_says_nothing_is_given_up(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(chip_module, "ANSWER_TIMEOUT_S", 0.2)
    program = script(tmp_path, "exec cat > /dev/null")
    with pytest.raises(UserError, match="did not answer"):
        Chip(ECHO, program=program)


def test_runs_longer_than_a_request_allows_are_one_run() -> None:
    with probe("echo") as chip:
        chip.run(25_000_000)
        assert chip.now_us == 25_000_000


def test_nothing_is_said_after_the_end() -> None:
    with probe("echo") as chip:
        chip.run(1000)
        chip.rx(b"x")
        assert heard_from(chip, 1000) == b"x"
    with pytest.raises(BoardError, match="has ended"):
        chip.pins()


def test_what_is_not_built_is_named_with_what_to_do(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("TABLEWIRE_FIRMWARE", str(tmp_path))
    with pytest.raises(UserError, match=r"tablewire-twin is not there: .*make -C firmware.*apt-get install"):
        find_twin()
    (tmp_path / "twin").mkdir()
    (tmp_path / "twin" / "tablewire-twin").touch()
    with pytest.raises(UserError, match=r"tablewire\.elf is not there"):
        find_twin()
    (tmp_path / "tablewire.elf").touch()
    assert find_twin().firmware == tmp_path / "tablewire.elf"
