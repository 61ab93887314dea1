"""A wall clock for tests: it stands at one moment of a summer evening, in a zone two hours east."""

from datetime import datetime, timedelta, timezone

EVENING = datetime(2031, 7, 5, 20, 15, 30, 250_000, tzinfo=timezone(timedelta(hours=2)))


def evening() -> datetime:
    """20:15:30.250 where the table stands, 18:15:30.250 UTC."""
    return EVENING
