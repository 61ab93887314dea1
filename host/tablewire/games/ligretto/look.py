"""One look at a table of Ligretto: how the game stands with all that has come, and what lies wrong.

Owns which card is shown as wrong and which undecided. Must not know words, the journal or the page.

What waits to become a line is taken as if nothing more could come: it is shown at once, and mostly stays so.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, NamedTuple

from tablewire.board.lies import Lies, Tag
from tablewire.games.ligretto.cards import Card
from tablewire.games.ligretto.laying import Laid, fits, is_top, lay, own_line, pads_of, verdict_on
from tablewire.games.ligretto.match import Match
from tablewire.games.ligretto.rows import Row, pad_of
from tablewire.games.ligretto.sensing import ASTRAY_MS, BARE_MS, TAKEN_MS
from tablewire.games.ligretto.words import NOT_FIRST, UNKNOWN_TAG

if TYPE_CHECKING:
    from tablewire.games.ligretto.course import LigrettoTable

WRONG_SHOWN_MAX = 100
"""Wrong cards that are told of one by one, the oldest first: people read them, and a page may draw them
thirty times a second. After a false stop in a round of twelve, hundreds lie there before anybody looks up."""


class Wrong(NamedTuple):
    """A card that lies where it may not. `n`: the line that told of it, `card`: which it is; None of a tag
    that nobody knows. `own_pad`: where the card was played.
    """

    n: int | None
    pad: int
    uid: str
    card: Card | None
    reasons: tuple[str, ...]
    own_pad: int | None = None


class Astray(NamedTuple):
    """A card that was played on `own_pad` and lies on `pad` by now, since `since_ms`."""

    pad: int
    own_pad: int
    card: Card
    since_ms: int


class Taken(NamedTuple):
    """A card that line `n` told to be the top of the pile on `pad`, which no reader sees since `since_ms`."""

    n: int
    pad: int
    card: Card
    since_ms: int


@dataclass(frozen=True, slots=True)
class Look:
    """`match`: the game with all that has come, settled, of lines `rows`. `provisional`: it may still change.

    `wrong`: what is to be taken off, in order of its lines. `resting`: how many cards of each pad do not
    count. `astray`: cards that lie on another pad than the one they were played on, for longer than a moment.
    `taken`: cards that are off the top of their piles for longer than any reader misses them.
    `is_bare`: cards were played, and none of them is seen on any pad since all was told anew.
    """

    match: Match
    rows: Sequence[Row]
    spots: Mapping[Tag, int]
    wrong: tuple[Wrong, ...]
    resting: Mapping[int, int]
    astray: tuple[Astray, ...]
    taken: tuple[Taken, ...]
    is_bare: bool
    provisional: bool

    def pad_of(self, n: int) -> int | None:
        """The pad of line `n`."""
        return pad_of(self.rows[n - 1])

    @property
    def is_held(self) -> bool:
        """Whether the round cannot be scored as it lies."""
        return self.match.round.stopped is not None and bool(self.match.round.undecided or self.wrong)


def look(table: LigrettoTable, lies: Lies) -> Look:
    """How the table stands."""
    laid = lay(table, lies, table.sensed.come(lies.now_ms))
    closed = laid.closed
    rows = (*table.rows, *laid.rows)
    resting = Counter(pad for pad, uid in lies.tags if (pad, uid) in table.sensed.resting)
    return Look(
        closed,
        rows,
        laid.spots,
        _wrong(table, lies, laid, closed, rows) if table.is_open else (),
        dict(sorted(resting.items())),
        tuple(each for each in astray(table, lies) if lies.now_ms - each.since_ms >= ASTRAY_MS),
        tuple(each for each in taken(table, lies) if lies.now_ms - each.since_ms >= TAKEN_MS),
        _is_bare(table, lies),
        _is_provisional(table, lies, laid),
    )


def astray(table: LigrettoTable, lies: Lies) -> Iterator[Astray]:
    """Cards that another pad has instead of their own, which was not told as another laying."""
    if not table.is_open:
        return
    for (pad, uid), state in lies.tags.items():
        card = table.card_of(uid)
        n = None if card is None else table.closed.round.accepted.get(card)
        own_pad = None if n is None else pad_of(table.rows[n - 1])
        if card is None or own_pad is None or own_pad == pad or (own_pad, uid) in lies.tags:
            continue
        gone_ms = table.sensed.gone_ms.get((own_pad, uid))
        # What was told of it on this pad before it was played is put right by now.
        is_told = n is not None and table.spots.get((pad, uid), 0) > n
        if gone_ms is not None and not is_told and not table.sensed.is_asleep((pad, uid)):
            yield Astray(pad, own_pad, card, max(gone_ms, state.came_ms))


def taken(table: LigrettoTable, lies: Lies) -> Iterator[Taken]:
    """The newest cards of piles while a round goes on, which were seen there and no longer are. A card of
    those who were asked which of them was first is not among them: without its line another would count.
    """
    if not table.is_open or table.closed.round.stopped is not None:
        return
    for (pad, uid), gone_ms in table.sensed.gone_ms.items():
        own = own_line(table, uid)
        if own is None or own[1].pad != pad or not is_top(table.closed, own[1]) or pads_of(lies, uid):
            continue
        verdict = verdict_on(table.closed, own[0])
        if verdict is not None and verdict.legal:
            yield Taken(own[0], pad, own[1].card, gone_ms)


def _is_bare(table: LigrettoTable, lies: Lies) -> bool:
    """Whether the piles of a round that is on are gone. One card seen of all is enough: what lies below may
    not be readable.
    """
    since_ms, now = table.retold_ms, table.closed.round
    if since_ms is None or lies.now_ms - since_ms < BARE_MS or not (table.is_open and lies.has_readers):
        return False
    return bool(now.accepted) and not any(table.card_of(uid) in now.accepted for _, uid in lies.tags)


def _is_provisional(table: LigrettoTable, lies: Lies, laid: Laid) -> bool:
    now_ms, scan_ms = lies.now_ms + table.shift_ms, table.setting.rules.scan_ms
    return bool(table.sensed.come(lies.now_ms)) or any(
        scan.first_ms + scan_ms >= now_ms for scan in laid.match.scans
    )


def _wrong(
    table: LigrettoTable, lies: Lies, laid: Laid, closed: Match, rows: Sequence[Row]
) -> tuple[Wrong, ...]:
    found = []
    accepted, sensed = closed.round.accepted, table.sensed
    counting = table.counting
    for tag in lies.tags:
        if sensed.is_asleep(tag):
            continue
        pad, uid = tag
        card = table.card_of(uid)
        if counting is not None and pad == counting.pad and uid in counting.uids:
            continue
        if card is None:
            found.append(Wrong(None, pad, uid, None, (UNKNOWN_TAG,)))
            continue
        n = laid.spots.get(tag)
        verdict = None if n is None else verdict_on(closed, n)
        if verdict is None:
            continue
        own = accepted.get(card)
        own_pad = None if own is None else pad_of(rows[own - 1])
        if own_pad is not None and (own_pad == pad or (own_pad, uid) in lies.tags):
            continue
        if n is not None and own is not None and n < own:
            # It was put right since. Of two readers between which it lies its own may miss it for a moment;
            # for longer, it is astray.
            continue
        # What was right once and is no longer, another was given the place of.
        reasons = verdict.reasons if verdict.legal is False else (NOT_FIRST,)
        found.append(Wrong(n, pad, uid, card, reasons, own_pad))
    return tuple(sorted(found, key=lambda wrong: (wrong.n is None, wrong.n or 0, wrong.pad, wrong.uid)))


def fits_now(table: LigrettoTable, shown: Look, wrong: Wrong, lies: Lies) -> bool:
    """Whether a wrong card could be laid where it lies, as things are now."""
    if wrong.card is None:
        return False
    t_ms = max(lies.now_ms + table.shift_ms, shown.match.round.last_ms or 0)
    return fits(shown.match, wrong.pad, wrong.card, t_ms)
