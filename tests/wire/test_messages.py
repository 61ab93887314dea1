"""The message table: fresh generated files, the same bytes in both languages, bad payloads told."""

from __future__ import annotations

import dataclasses
import shutil
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
from tests.wire.vectors import MESSAGES, ROOT, named

from tablewire.wire.messages import BOARD_PARSERS, HOST_PARSERS, PayloadError

PARSERS: dict[int, Any] = {**BOARD_PARSERS, **HOST_PARSERS}
GENERATOR = ROOT / "firmware" / "protocol" / "generate.py"


def as_json(message: Any) -> dict[str, Any]:
    """A message's fields as the vectors write them."""
    plain: dict[str, Any] = {}
    for field in dataclasses.fields(message):
        value = getattr(message, field.name)
        if isinstance(value, bytes):
            value = value.hex()
        elif isinstance(value, tuple):
            value = [[cell.hex() if isinstance(cell, bytes) else cell for cell in row] for row in value]
        plain[field.name] = value
    return plain


def test_generated_files_are_what_the_table_says() -> None:
    """Red when messages.toml or the generator changed and the generated files did not."""
    done = subprocess.run([sys.executable, GENERATOR, "--check"], capture_output=True, text=True, check=False)
    assert (done.returncode, done.stderr) == (0, "")


def test_a_stale_file_is_noticed(tmp_path: Path) -> None:
    """A copy of the table with one more field makes --check fail and name both files."""
    source, wire = tmp_path / "firmware" / "protocol", tmp_path / "host" / "tablewire" / "wire"
    shutil.copytree(GENERATOR.parent, source)
    shutil.copytree(ROOT / "host" / "tablewire" / "wire", wire)
    table = source / "messages.toml"
    changed = table.read_text(encoding="utf-8").replace('name = "supply_mv"', 'name = "supply_dv"')
    table.write_text(changed, encoding="utf-8")
    command = [sys.executable, str(source / "generate.py"), "--check"]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    assert done.returncode == 1
    assert "messages.h" in done.stderr
    assert "messages.py" in done.stderr


def test_every_message_has_a_vector() -> None:
    """A message added to the table needs its bytes written down."""
    assert {row["type"] for row in MESSAGES} == set(PARSERS)


@pytest.mark.parametrize("row", MESSAGES, ids=named)
def test_payload_means_what_the_vector_says(row: dict[str, Any]) -> None:
    """The bytes read as the fields, and the fields write as the bytes."""
    payload = bytes.fromhex(row["payload"])
    message = PARSERS[row["type"]](payload)
    assert as_json(message) == row["fields"]
    assert message.encode() == payload


@pytest.mark.parametrize("row", MESSAGES, ids=named)
def test_fields_of_a_later_version_are_ignored(row: dict[str, Any]) -> None:
    """Bytes appended by a later minor version change nothing."""
    message = PARSERS[row["type"]](bytes.fromhex(row["payload"]) + b"\xff\x00\x07")
    assert as_json(message) == row["fields"]


@pytest.mark.parametrize("row", [row for row in MESSAGES if row["payload"]], ids=named)
def test_a_payload_cut_anywhere_is_refused(row: dict[str, Any]) -> None:
    """No part of a payload passes for the whole."""
    payload = bytes.fromhex(row["payload"])
    for length in range(len(payload)):
        with pytest.raises(PayloadError):
            PARSERS[row["type"]](payload[:length])


@pytest.mark.parametrize(
    ("name", "count_at"),
    [("EVENTS", 12), ("SNAPSHOT", 12), ("RAW", 2), ("TAGS", 12), ("STATUS", 44), ("LOG", 1)],
)
def test_a_count_larger_than_the_message_holds_is_refused(name: str, count_at: int) -> None:
    """255 rows are refused even when that many bytes would follow."""
    row = next(row for row in MESSAGES if row["name"] == name)
    payload = bytearray(bytes.fromhex(row["payload"]) + bytes(2000))
    payload[count_at] = 255
    with pytest.raises(PayloadError):
        PARSERS[row["type"]](bytes(payload))


C_PROGRAM = """
#include <stdio.h>
#include <string.h>
#include "messages.h"

static const unsigned char hello_bytes[] = {%(HELLO)s};
static const unsigned char events_bytes[] = {%(EVENTS)s};

int main(void) {
    tw_hello_t hello;
    tw_events_t events;
    tw_event_row_t row;
    memcpy(&hello, hello_bytes, sizeof hello);
    memcpy(&events, events_bytes, sizeof events);
    memcpy(&row, events_bytes + sizeof events + sizeof row, sizeof row);
    printf("%%d %%.8s %%d %%lu %%lu\\n", hello.major, hello.firmware, hello.sensor_count,
           (unsigned long)hello.nonce, (unsigned long)hello.oldest_number);
    printf("%%lu %%d %%d %%d %%d\\n", (unsigned long)events.first_number, events.count, row.sensor,
           row.classes, row.dt_ms);
    return TW_MSG_HELLO == 1 && TW_MAGNET_CLASS_S_STRONG == 4 && TW_PAYLOAD_MAX == 115 ? 0 : 1;
}
"""


@pytest.mark.skipif(shutil.which("gcc") is None, reason="needs a C compiler")
def test_the_c_header_reads_the_same_bytes(tmp_path: Path) -> None:
    """The header compiles without a warning, its sizes hold, and its structs lie over the vectors' bytes."""
    payloads = {
        row["name"]: ", ".join(str(byte) for byte in bytes.fromhex(row["payload"])) for row in MESSAGES
    }
    source, program = tmp_path / "layout.c", tmp_path / "layout"
    source.write_text(C_PROGRAM % payloads, encoding="utf-8")
    flags = ["-Wall", "-Wextra", "-Werror", "-std=c11", f"-I{GENERATOR.parent}"]
    subprocess.run(["gcc", *flags, "-o", program, source], check=True)
    said = subprocess.run([program], capture_output=True, text=True, check=True).stdout
    assert said == "1 0.1.0 201 305419896 6\n9 2 6 2 40\n"
