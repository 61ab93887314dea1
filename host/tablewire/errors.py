"""Whose fault it is, as exception types.

Owns the three roots every other error of the project derives from. Knows nothing else.
A breach of a game's rules is not an error: it is a verdict, a value.
"""


class UserError(Exception):
    """What a person gave us is wrong; the text is one line that says what, where, and what to do."""


class BoardError(Exception):
    """The board said something the protocol does not allow; the text is one line."""


class StoreError(Exception):
    """Data on disk cannot be read or written; nothing was overwritten; the text is one line."""
