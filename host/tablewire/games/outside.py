"""Text from outside, read with a cap and decoded, and the JSON lines that go back there.

Owns the limits on what a person hands a game as a file, strict JSON, and the words for what cannot be read.
Must not know what the text means.
"""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any, BinaryIO, NoReturn

from tablewire.errors import UserError, one_line


def read_capped(path: Path, cap_bytes: int, what: str) -> bytes:
    """The file's content. UserError when it cannot be read or is longer than `cap_bytes`."""
    try:
        file = path.open("rb")
    except OSError as error:
        raise _unreadable(str(path), error.strerror) from error
    except ValueError as error:
        raise _unreadable(str(path), "no file can have this name") from error
    with file:
        return read_stream_capped(file, cap_bytes, str(path), what)


def read_stream_capped(stream: BinaryIO, cap_bytes: int, name: str, what: str) -> bytes:
    """All of the stream. UserError when it cannot be read or there is more than `cap_bytes` of it."""
    try:
        content = stream.read(cap_bytes + 1)
    except OSError as error:
        raise _unreadable(name, error.strerror) from error
    if len(content) > cap_bytes:
        raise UserError(f"{one_line(name)}: longer than {cap_bytes} bytes, so it is no {what}")
    return content


def _unreadable(name: str, reason: str | None) -> UserError:
    return UserError(f"{one_line(name)}: cannot be read: {reason or 'no data'}")


def decode_text(content: bytes, name: str, what: str) -> str:
    """UTF-8 text without a byte order mark. UserError that names the line of the first bad byte."""
    try:
        return content.decode("utf-8").removeprefix("\ufeff")
    except UnicodeDecodeError as error:
        line = content.count(b"\n", 0, error.start) + 1
        bad = content[error.start]
        raise UserError(
            f"{one_line(name)}:{line}: byte 0x{bad:02x} is not UTF-8; save the {what} as UTF-8 text"
        ) from error


def load_json(text: str) -> Any:
    """Strict JSON, without Python's NaN and Infinity. ValueError for anything else, however deep or long."""
    try:
        return json.loads(text, parse_constant=_no_constant)
    except RecursionError as error:
        raise ValueError("nested too deeply") from error


def dump_json(value: Any) -> str:
    """One JSON line, as records write it: every character as it is, unless it cannot be written as UTF-8."""
    text = json.dumps(value, ensure_ascii=False)
    return json.dumps(value) if any("\ud800" <= char <= "\udfff" for char in text) else text


def _no_constant(name: str) -> NoReturn:
    raise ValueError(f"{name} is not JSON")
