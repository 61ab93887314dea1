"""Record files of any game: read, told apart by their header, scored.

Owns what all records have in common (JSON Lines, UTF-8, a header that names the game) and the exit status of
`tablewire score`. Must not know the rules of any game.
"""

from __future__ import annotations

import json
import sys
from collections.abc import Mapping
from contextlib import suppress
from pathlib import Path
from typing import Any, BinaryIO, TextIO

from tablewire.errors import UserError, one_line, quoted
from tablewire.games.base import BadLineError, RecordLine, Warn
from tablewire.games.catalogue import playable
from tablewire.games.outside import decode_text, load_json, read_capped, read_stream_capped

MAX_RECORD_BYTES = 67_108_864
"""A long match has some 50 kB; the cap keeps an endless device from filling the memory."""

ALL_LEGAL, SOME_ILLEGAL, NO_RECORD = 0, 1, 2
"""Exit statuses of `tablewire score`."""


def score_file(path: str, stdout: TextIO, stderr: TextIO, stdin: BinaryIO | None = None) -> int:
    """Score the record at `path` ("-": standard input), a JSON line per line of it; gives the exit status.

    What is no record prints nothing on `stdout` and one line on `stderr`. Warnings go there too.
    """
    warnings: list[str] = []
    try:
        text, name, folder = read_record(path, stdin)
        printed = score_text(text, name, folder, warnings.append)
    except UserError as error:
        _tell(stderr, str(error))
        return NO_RECORD
    for warning in warnings:
        _tell(stderr, f"{name}: warning: {warning}")
    for line in printed:
        stdout.write(f"{json.dumps(line)}\n")
    return SOME_ILLEGAL if any(line.get("legal") is False for line in printed) else ALL_LEGAL


def _tell(stderr: TextIO, line: str) -> None:
    # A log that is full or gone changes no verdict.
    with suppress(OSError):
        stderr.write(f"{line}\n")


def score_text(text: str, name: str, folder: Path, warn: Warn = lambda _: None) -> list[dict[str, Any]]:
    """The lines `tablewire score` prints. UserError "NAME:LINE: ..." when the text is no record.

    `name` is what messages call the record; relative paths in it start from `folder`.
    """
    header, lines, first = split_record(text, name)
    try:
        return list(playable(header.get("game")).facts.score_record(header, lines, folder, warn))
    except BadLineError as error:
        raise UserError(f"{name}:{error.number}: {error}") from error
    except UserError as error:
        raise UserError(f"{name}:{first}: {error}") from error


def split_record(text: str, name: str) -> tuple[Mapping[str, Any], list[RecordLine], int]:
    """A record's header, its other lines, and the header's line in the file. UserError "NAME:LINE: ..."."""
    lines = [RecordLine(n, line) for n, line in enumerate(text.split("\n"), start=1) if line.strip()]
    if not lines:
        raise UserError(f"{name}:1: the record is empty; its first line must be a header")
    first = lines[0]
    try:
        return _header(first.text), lines[1:], first.number
    except UserError as error:
        raise UserError(f"{name}:{first.number}: {error}") from error


def read_record(path: str, stdin: BinaryIO | None = None) -> tuple[str, str, Path]:
    """The text of the record at `path` ("-": standard input), what messages call it, and the folder its paths
    start from. UserError when it cannot be read.
    """
    if path == "-":
        name, folder = "standard input", Path()
        if stdin is None and sys.stdin is None:
            raise UserError(f"{name}: it is closed; give a file, or pipe a record in")
        content = read_stream_capped(stdin or sys.stdin.buffer, MAX_RECORD_BYTES, name, "record")
    else:
        name, folder = path, Path(path).parent
        content = read_capped(Path(path), MAX_RECORD_BYTES, "record")
    return decode_text(content, name, "record"), one_line(name), folder


def _header(text: str) -> Mapping[str, Any]:
    try:
        value = load_json(text)
    except ValueError as error:
        raise UserError("the first line is not JSON; write the header as one JSON object") from error
    if not isinstance(value, dict):
        raise UserError(f"the first line is {quoted(value)}, not a JSON object; write the header there")
    return value
