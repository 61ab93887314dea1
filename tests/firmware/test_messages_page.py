"""The page of every byte: fresh, whole, and its examples true when read by an independent decoder."""

from __future__ import annotations

import re
import shutil
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
from tests.wire.reference import crc16, frame_bytes, stuff
from tests.wire.vectors import MESSAGES, ROOT, named

FOLDER = ROOT / "firmware" / "protocol"
PAGE = (FOLDER / "MESSAGES.md").read_text(encoding="utf-8")
SECTIONS = dict(re.findall(r"^### (\w+) \(0x.+?\)\n(.*?)(?=^##)", PAGE, re.MULTILINE | re.DOTALL))
ROW = re.compile(r"^\| (\d+) \| (\w+) \| (.+?) \| .*\| `([0-9a-f ]*)` \| (.*) \|$", re.MULTILINE)
SIZES = {"u8": 1, "u16": 2, "u32": 4}


def check(folder: Path) -> subprocess.CompletedProcess[str]:
    """Ask whether the page in a folder is fresh."""
    command = [sys.executable, str(folder / "firmware" / "protocol" / "document.py"), "--check"]
    return subprocess.run(command, capture_output=True, text=True, check=False, timeout=60)


@pytest.fixture
def copy(tmp_path: Path) -> Path:
    """A tree with the page and all it is made of."""
    shutil.copytree(FOLDER, tmp_path / "firmware" / "protocol")
    (tmp_path / "tests" / "vectors").mkdir(parents=True)
    shutil.copy(ROOT / "tests" / "vectors" / "wire.json", tmp_path / "tests" / "vectors")
    return tmp_path


def test_the_page_is_what_the_table_and_the_vectors_say() -> None:
    found = check(ROOT)
    assert (found.returncode, found.stderr) == (0, "")


@pytest.mark.parametrize(
    ("name", "old", "new"),
    [
        ("firmware/protocol/messages.toml", "supply voltage", "supply voltage in mV"),
        ("tests/vectors/wire.json", "Everything up to change 10 is safe", "All is safe"),
    ],
)
def test_a_stale_page_is_noticed(copy: Path, name: str, old: str, new: str) -> None:
    assert check(copy).returncode == 0
    text = (copy / name).read_text(encoding="utf-8")
    assert text.count(old) == 1
    (copy / name).write_text(text.replace(old, new), encoding="utf-8")
    found = check(copy)
    assert (found.returncode, found.stderr.split(";")[0]) == (1, "stale: MESSAGES.md")


def test_every_message_is_on_the_page() -> None:
    assert sorted(SECTIONS) == sorted(row["name"] for row in MESSAGES)


def test_a_message_without_an_example_is_named(copy: Path) -> None:
    vectors = copy / "tests" / "vectors" / "wire.json"
    text = vectors.read_text(encoding="utf-8")
    vectors.write_text(text.replace('"name": "TAGS"', '"name": "KNOB"'), encoding="utf-8")
    found = check(copy)
    assert (found.returncode, found.stderr) == (1, "document.py: no example in wire.json: TAGS\n")


@pytest.mark.parametrize("vector", MESSAGES, ids=named)
def test_the_bytes_on_the_page_are_all_bytes_of_the_payload_in_order(vector: dict[str, Any]) -> None:
    """And each number is what its bytes say, little-endian."""
    payload, at = bytes.fromhex(vector["payload"]), 0
    for offset, _, kind, shown, value in ROW.findall(SECTIONS[vector["name"]]):
        data = bytes.fromhex(shown)
        assert int(offset) == at
        assert data == payload[at : at + len(data)]
        if kind in SIZES:
            assert len(data) == SIZES[kind]
            assert int(value) == int.from_bytes(data, "little")
        at += len(data)
    assert at == len(payload)


@pytest.mark.parametrize("vector", MESSAGES, ids=named)
def test_the_frame_on_the_page_holds_the_payload(vector: dict[str, Any]) -> None:
    (shown,) = re.findall(r"^Frame: `([0-9a-f ]+)`$", SECTIONS[vector["name"]], re.MULTILINE)
    payload = bytes.fromhex(vector["payload"])
    assert bytes.fromhex(shown) == frame_bytes(vector["type"], vector["seq"], vector["ack"], payload)


def table_of(heading: str) -> dict[str, bytes]:
    """The rows of the table below a heading: first word -> bytes."""
    section = PAGE.split(f"## {heading}")[1].split("##")[0]
    rows = re.findall(r"^\| (\w+).*? \| `([0-9a-f ]+)` \|$", section, re.MULTILINE)
    return {word: bytes.fromhex(shown) for word, shown in rows}


def test_the_frame_put_together_step_by_step_is_right() -> None:
    steps = table_of("A frame, step by step")
    assert int.from_bytes(steps["checksum"], "big") == crc16(steps["type"] + steps["payload"])
    frame_type, seq, ack = steps["type"]
    assert steps["stuffed"] == frame_bytes(frame_type, seq, ack, steps["payload"])


def test_the_bytes_stuffed_are_right() -> None:
    rows = table_of("Byte stuffing")
    assert rows["stuffed"] == stuff(rows["body"])
    assert 0 in rows["body"]
