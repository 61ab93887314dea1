"""The monitor drawn on a terminal with rich: the table as a grid, the strongest fields, the newest changes.

Owns the drawing alone; rich is optional, and only this module knows it.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager

from rich.columns import Columns
from rich.console import Console, Group, RenderableType
from rich.live import Live
from rich.table import Table
from rich.text import Text

from tablewire.builder.monitor import Watched, words_of
from tablewire.builder.places import HOLES, SPACES, place_of
from tablewire.wire.messages import MagnetClass

SPACES_A_ROW = 15
HOLES_A_ROW = 9
STRONGEST_COUNT = 16
"""As tall as the grid, and all of a multiplexer when only that is watched."""
STYLES = {
    MagnetClass.EMPTY: "dim",
    MagnetClass.N_WEAK: "bold magenta",
    MagnetClass.N_STRONG: "bold red",
    MagnetClass.S_WEAK: "bold yellow",
    MagnetClass.S_STRONG: "bold green",
}
"""The colours of the pieces that have these magnets."""


def render(watched: Watched) -> RenderableType:
    """The whole screen."""
    return Group(_head(watched), Columns([_grid(watched), _strongest(watched)]), *map(Text, watched.lines))


def _head(watched: Watched) -> Text:
    status = watched.status
    words = f"{watched.port}  firmware {watched.firmware}"
    if status is not None:
        words += f"  {status.scan_hz} scans/s  {status.supply_mv / 1000:.2f} V"
    return Text(f"{words}  Ctrl-C ends this", style="bold")


def _grid(watched: Watched) -> Text:
    text = Text()
    for at, sensor in enumerate(SPACES):
        _cell(text, watched, sensor, f"{sensor + 1:4d}", at % SPACES_A_ROW == SPACES_A_ROW - 1)
    for at, sensor in enumerate(HOLES):
        if at % HOLES_A_ROW == 0:
            text.append(f"{place_of(sensor).partition(chr(39))[0]:>7}")
        hole = at % HOLES_A_ROW * 5
        _cell(text, watched, sensor, f"{hole:4d}", at % HOLES_A_ROW == HOLES_A_ROW - 1)
    return text


def _cell(text: Text, watched: Watched, sensor: int, words: str, last: bool) -> None:
    magnet = MagnetClass(watched.classes[sensor])
    text.append(words, style=STYLES[magnet] + (" reverse" if magnet else ""))
    if last:
        text.append("\n")


def _strongest(watched: Watched) -> Table:
    table = Table("place", "class", "raw", "field", box=None, padding=(0, 1))
    for sensor in watched.strongest(STRONGEST_COUNT):
        magnet = MagnetClass(watched.classes[sensor])
        reading, field = watched.readings[sensor], watched.field_of(sensor)
        table.add_row(
            place_of(sensor),
            words_of(magnet),
            str(reading),
            f"{field:+d}" if field else "0",
            style=STYLES[magnet],
        )
    return table


class Screen:
    """The screen while it is shown."""

    def __init__(self, live: Live) -> None:
        self._live = live

    def show(self, watched: Watched) -> None:
        """Draw what is known now."""
        self._live.update(render(watched), refresh=True)


@contextmanager
def screen(console: Console | None = None) -> Iterator[Screen]:
    """A screen of the terminal's own, given back at the end."""
    with Live(console=console, screen=True, auto_refresh=False) as live:
        yield Screen(live)
