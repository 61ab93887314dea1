"""Flashing: the real avrdude against a bootloader on a real pseudo-terminal, which then becomes a board."""

from __future__ import annotations

import os
import select
import signal
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from tests.builder.bootloader import Mega

from tablewire.builder.flash import (
    Patience,
    failure_words,
    find_hex,
    flash,
    plan_flash,
    write_flash,
)
from tablewire.builder.hex_file import parse_hex
from tablewire.errors import BoardError, UserError

BAUD = 500_000
PAGES = bytes(range(256)) * 8
SHORT = Patience(start_s=10.0, stall_s=1.5)

AT_ONCE = Patience(start_s=1.0)


def hex_of(data: bytes, start: int = 0) -> str:
    """Intel HEX of `data`, as a linker writes it."""
    lines = []
    for at in range(0, len(data), 16):
        piece = data[at : at + 16]
        record = bytes((len(piece),)) + (start + at).to_bytes(2, "big") + b"\x00" + piece
        lines.append(f":{record.hex().upper()}{-sum(record) % 256:02X}")
    return "\n".join([*lines, ":00000001FF", ""])


@pytest.fixture
def hex_path(tmp_path: Path) -> Path:
    path = tmp_path / "firmware.hex"
    path.write_text(hex_of(PAGES))
    return path


@pytest.fixture
def new_mega() -> Iterator[Callable[..., Mega]]:
    made: list[Mega] = []

    def make(**settings: str | None) -> Mega:
        made.append(Mega(**settings))  # type: ignore[arg-type]
        return made[-1]

    yield make
    for mega in made:
        mega.close()


def agree() -> bool:
    return True


def test_the_firmware_is_written_and_its_version_read_back(
    new_mega: Callable[..., Mega], hex_path: Path
) -> None:
    mega = new_mega()
    said: list[str] = []
    assert flash(plan_flash(mega.path, hex_path), BAUD, said.append, agree)
    assert mega.flash[: len(PAGES)] == PAGES
    assert said[-1] == "firmware 0.0.9 -> 1.2.3"


def test_before_anything_is_written_it_is_said_what_and_how(
    new_mega: Callable[..., Mega], hex_path: Path
) -> None:
    mega = new_mega()
    said: list[str] = []
    assert not flash(plan_flash(mega.path, hex_path, "/usr/bin/avrdude"), BAUD, said.append, lambda: False)
    assert mega.flash.count(0xFF) == len(mega.flash)
    assert said == [
        f"firmware {hex_path}: 2048 bytes",
        f"to the atmega2560 at {mega.path}, over 0.0.9; its calibration stays",
        f"with: /usr/bin/avrdude -p atmega2560 -c wiring -P {mega.path} -b 115200 -D -U flash:w:{hex_path}:i",
    ]


def test_a_board_that_runs_no_firmware_of_ours_is_flashed_too(
    new_mega: Callable[..., Mega], hex_path: Path
) -> None:
    mega = new_mega(old=None)
    said: list[str] = []
    assert flash(plan_flash(mega.path, hex_path), BAUD, said.append, agree)
    assert said[-1] == "firmware (none that greets) -> 1.2.3"


@pytest.mark.parametrize(
    ("spoil", "words"),
    [
        ("silent", "no bootloader answers at .*: is this the board's port"),
        ("wrong", "avrdude failed: verification mismatch; what was written reads back differently"),
        ("dies", "fell silent in the middle, so the firmware on the board is not whole"),
        ("foreign", "the chip at this port is not an ATmega2560"),
    ],
)
def test_a_bootloader_that_fails_is_one_clear_line(
    new_mega: Callable[..., Mega], hex_path: Path, spoil: str, words: str
) -> None:
    mega = new_mega(spoil=spoil)
    with pytest.raises(BoardError, match=words) as raised:
        write_flash(plan_flash(mega.path, hex_path), AT_ONCE if spoil == "silent" else SHORT)
    assert "\n" not in str(raised.value)


def test_firmware_that_does_not_greet_is_said_to_be_written(
    new_mega: Callable[..., Mega], hex_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("tablewire.builder.flash.NEW_LIMIT_S", 1.0)
    mega = new_mega(spoil="mute")
    with pytest.raises(BoardError, match=r"the firmware was written, but then: no board answers"):
        flash(plan_flash(mega.path, hex_path), BAUD, lambda _: None, agree)


def test_a_port_that_is_not_there_is_said_before_avrdude_is_run(hex_path: Path) -> None:
    plan = plan_flash("/dev/ttyNOPE", hex_path, "/bin/false")
    with pytest.raises(BoardError, match=r"^cannot open /dev/ttyNOPE: nothing is plugged in there"):
        flash(plan, BAUD, lambda _: None, agree)


def test_avrdude_that_is_missing_names_the_package(hex_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PATH", "/nowhere")
    with pytest.raises(UserError, match=r"^avrdude is not installed: sudo apt install avrdude$"):
        plan_flash("/dev/x", hex_path)


def test_avrdude_that_cannot_be_run_is_said(tmp_path: Path, hex_path: Path) -> None:
    with pytest.raises(UserError, match=r"^cannot run avrdude: "):
        write_flash(plan_flash("/dev/x", hex_path, str(tmp_path)), SHORT)


@pytest.mark.parametrize(
    ("output", "words"),
    [
        ("avrdude OS error: cannot open port /dev/x: Permission denied", "group dialout"),
        (
            "avrdude OS error: cannot open port /dev/x: Device or resource busy",
            "another program uses the port",
        ),
        ("avrdude error: unable to read: Input/output error", "the board was unplugged"),
        ('ioctl("TIOCMGET"): Inappropriate ioctl\navrdude error: something new', "status 1: something new"),
        ("", "status 1: it said nothing"),
    ],
)
def test_what_avrdude_complains_of_becomes_one_line(output: str, words: str) -> None:
    line = failure_words(output, 1)
    assert words in line
    assert line.startswith("avrdude failed")
    assert "\n" not in line


GOOD = hex_of(b"\x01\x02")


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("", "it ends too early"),
        ("hello\n", "line 1: this is no Intel HEX file"),
        (":zz\n", "line 1: these are not pairs of hexadecimal digits"),
        (":0000\n", "line 1: the line is too short or too long"),
        (GOOD.replace("0102", "0103", 1), "line 1: the checksum is wrong"),
        (GOOD.replace(":00000001FF\n", ""), "it ends too early"),
        (GOOD + GOOD, "line 3: something follows the end of the file"),
        (":00000001FF\n", "nothing is in it"),
        (":00000006FA\n", "line 1: unknown kind of record 6"),
        (":0100000401FA\n", "line 1: an address of 1 bytes"),
        # 0x3E000 is where the bootloader begins: one byte there is one too many.
        (
            ":020000040003F7\n" + hex_of(b"\x55", 0xE000),
            "reaches to 253953 bytes, and the chip has room for 253952",
        ),
        (":020000023000CC\n" + hex_of(b"\x55", 0xE000), "reaches to 253953 bytes"),
    ],
)
def test_a_file_that_cannot_be_flashed_is_refused_with_its_line(text: str, words: str) -> None:
    with pytest.raises(UserError, match=r"^x.hex") as raised:
        parse_hex(text, "x.hex")
    assert words in str(raised.value)


def test_the_last_byte_before_the_bootloader_may_be_used() -> None:
    image = parse_hex(":020000040003F7\n" + hex_of(b"\x55", 0xDFFF), "x.hex")
    assert (image.size_bytes, image.end_address) == (1, 253_952)


def test_files_that_are_none_are_refused(tmp_path: Path) -> None:
    with pytest.raises(UserError, match=r"cannot read .*nope.hex: No such file"):
        plan_flash("/dev/x", tmp_path / "nope.hex")
    with pytest.raises(UserError, match=r"cannot read .*: Is a directory"):
        plan_flash("/dev/x", tmp_path)
    binary = tmp_path / "tablewire.elf"
    binary.write_bytes(b"\x7fELF\xff\xfe")
    with pytest.raises(UserError, match=r"this is no Intel HEX file"):
        plan_flash("/dev/x", binary)
    large = tmp_path / "large.hex"
    with large.open("wb") as file:
        os.ftruncate(file.fileno(), 3_000_000)
    with pytest.raises(UserError, match=r"too large"):
        plan_flash("/dev/x", large)


def test_the_built_file_is_found_or_the_way_to_build_it_named(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("tablewire.builder.flash.__file__", str(tmp_path / "a" / "b" / "flash.py"))
    monkeypatch.chdir(tmp_path)
    with pytest.raises(UserError, match=r"build it with make -C firmware, or name a file with --hex"):
        find_hex(None)
    built = tmp_path / "firmware" / "build" / "tablewire.hex"
    built.parent.mkdir(parents=True)
    built.write_text(GOOD)
    assert find_hex(None) == built
    assert find_hex(Path("mine.hex")) == Path("mine.hex")
    with pytest.raises(UserError, match=r"there is no firmware/build/ligretto\.hex: build it with make"):
        find_hex(None, "ligretto")
    readers = built.with_name("ligretto.hex")
    readers.write_text(GOOD)
    assert find_hex(None, "ligretto") == readers
    assert find_hex(Path("mine.hex"), "ligretto") == Path("mine.hex")


def test_what_nobody_has_named_is_written_to_only_when_it_greets(
    new_mega: Callable[..., Mega], hex_path: Path
) -> None:
    """A printer has the same chip behind the same bridge."""
    stranger = new_mega(old=None)
    with pytest.raises(UserError, match="does not say that it is a board of a table: name it with --port"):
        flash(plan_flash(stranger.path, hex_path), BAUD, lambda _: None, agree, must_greet=True)
    assert stranger.flash.count(0xFF) == len(stranger.flash)
    ours = new_mega()
    assert flash(plan_flash(ours.path, hex_path), BAUD, lambda _: None, agree, must_greet=True)


def running_below(pid: int) -> list[int]:
    """The processes that a process has started."""
    return [
        int(child)
        for task in Path(f"/proc/{pid}/task").iterdir()
        for child in (task / "children").read_text().split()
    ]


def has_ended(pid: int) -> bool:
    try:
        state = Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[0]
    except (FileNotFoundError, ProcessLookupError):
        return True
    return state == "Z"


def wait_until(is_so: Callable[[], object]) -> None:
    until_s = time.monotonic() + 60
    while not is_so():
        assert time.monotonic() < until_s
        select.select([], [], [], 0.01)


@pytest.mark.parametrize("number", [signal.SIGKILL, signal.SIGTERM, signal.SIGHUP])
def test_avrdude_ends_with_whoever_started_it(
    new_mega: Callable[..., Mega], hex_path: Path, number: signal.Signals
) -> None:
    mega = new_mega(spoil="silent")  # so avrdude goes on trying
    command = ["flash", "--port", mega.path, "--hex", str(hex_path), "--yes"]
    flashing = subprocess.Popen(
        [sys.executable, "-m", "tablewire", *command], stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL
    )
    try:
        wait_until(lambda: any("avrdude" in name_of(pid) for pid in running_below(flashing.pid)))
        (avrdude,) = running_below(flashing.pid)
        flashing.send_signal(number)
        flashing.wait(60)
        wait_until(lambda: has_ended(avrdude))
    finally:
        flashing.kill()
        flashing.wait()


def name_of(pid: int) -> str:
    """What a process runs; empty when it has ended."""
    try:
        return Path(f"/proc/{pid}/comm").read_text()
    except (FileNotFoundError, ProcessLookupError):
        return ""
