"""Whose fault it is, as exception types, and how text from outside stands in their one line.

Owns the three roots every other error of the project derives from, and quotation. Knows nothing else.
A breach of a game's rules is not an error: it is a verdict, a value.
"""


class UserError(Exception):
    """What a person gave us is wrong; the text is one line that says what, where, and what to do."""


class BoardError(Exception):
    """The board said something the protocol does not allow; the text is one line."""


class StoreError(Exception):
    """Data on disk cannot be read or written; nothing was overwritten; the text is one line."""


QUOTED_CHAR_COUNT = 60
"""A quotation in an error message is for recognising the culprit, not for repeating it whole."""


def quoted(value: object) -> str:
    """`value` as Python would write it, on one printable line, shortened."""
    try:
        text = ascii(value)
    except (RecursionError, ValueError):
        text = f"a {type(value).__name__}"
    return cut(text, QUOTED_CHAR_COUNT)


def one_line(text: object) -> str:
    """`text` with all that would break or colour a terminal line escaped: file names may hold anything."""
    return "".join(c if c.isprintable() else c.encode("unicode_escape").decode("ascii") for c in str(text))


def short_line(text: object, chars_max: int) -> str:
    """`text` on one line, as `one_line` has it, cut to `chars_max`: foreign words may be of any length."""
    return cut(one_line(text), chars_max)


def cut(text: str, chars_max: int) -> str:
    """`text`, or its beginning with dots that say so."""
    return text if len(text) <= chars_max else text[: chars_max - 3] + "..."
