"""Cards that were read become lines of the record: on which pad each lies, and which were right after all.

Owns how two readers that tell of one card are reconciled, and what becomes of a card that came before the one
it goes on was read. Must not know the journal, words or the page.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping
from typing import TYPE_CHECKING, NamedTuple

from tablewire.board.lies import Lies, Tag
from tablewire.games.ligretto.cards import Card
from tablewire.games.ligretto.match import Match
from tablewire.games.ligretto.record import CardLine, StopLine
from tablewire.games.ligretto.report import Reason, Verdict
from tablewire.games.ligretto.rows import Do, Edit, Row, pad_of
from tablewire.games.ligretto.scan import misfit
from tablewire.games.ligretto.sensing import ARBITRATE_MS, LATE_MS, MOVE_MS, Pressed, Seen, Waiting

if TYPE_CHECKING:
    from tablewire.games.ligretto.course import LigrettoTable

FRESH_MAX_COUNT = 50
"""More cards than this do not come while two pads are reconciled: twelve players lay thirty a second."""
TOO_EARLY = frozenset({Reason.WRONG_VALUE.value, Reason.NOT_A_ONE.value})
"""All that may be wrong with a card whose reader told of it before that of the card below."""


class Laid(NamedTuple):
    """The lines that come of what was read, the game and its spots after them, and how many readings were
    stray ones.
    """

    rows: tuple[Row, ...]
    match: Match
    closed: Match
    spots: Mapping[Tag, int]
    ghosts_count: int


def fits(match: Match, pad: int, card: Card, t_ms: int) -> bool:
    """Whether a card may lie on a pad, together with all that came in the same scan."""
    if match.is_over:
        return False
    entered = match.enter(CardLine(t_ms, pad, card)).closed
    return entered.verdict_of(entered.n).legal is not False


def verdict_on(match: Match, n: int) -> Verdict | None:
    """What was said of the card of line `n`; None of any other line, and while its scan is not over."""
    try:
        return match.verdict_of(n)
    except KeyError:
        return None


def lay(table: LigrettoTable, lies: Lies, items: Iterable[Waiting]) -> Laid:
    """What comes of items that wait, in order of time."""
    laying = _Laying(table, lies)
    for item in items:
        if isinstance(item, Pressed):
            laying.press(item)
        elif moved_edit(table, lies, item) is None:
            laying.card(item)
    return Laid(tuple(laying.rows), laying.match, laying.closed, laying.spots, laying.ghosts_count)


class _Laying:
    """One run through what waits."""

    def __init__(self, table: LigrettoTable, lies: Lies) -> None:
        self.table, self.lies = table, lies
        self.match, self.closed, self.spots = table.match, table.closed, dict(table.spots)
        self.rows: list[Row] = []
        self.ghosts_count = 0
        self._places: Mapping[str, list[int]] | None = None

    def press(self, item: Pressed) -> None:
        """The first stop stands, and there is no round to stop before its first card."""
        if self.match.round.has_begun and self.match.round.stopped is None:
            self._enter(Row(StopLine(self._time_ms(item), item.player)))

    def card(self, item: Seen) -> None:
        """A card is laid on the pad where it may lie, else where it was read first."""
        card = self.table.card_of(item.uid)
        if card is None or self.match.is_over:
            return
        t_ms = self._time_ms(item)
        elsewhere = [pad for pad in self._pads(item.uid) if pad not in item.pads]
        accepted = self.closed.round.accepted.get(card)
        if accepted is not None:
            if item.again or self._pad(accepted) in elsewhere:
                self.ghosts_count += 1
            else:
                self._lay(Row(CardLine(t_ms, item.pads[0], card), item.uid))
            return
        is_asked = any((pad, item.uid) in self.spots for pad in elsewhere)
        right = item.pads
        if is_asked or len(item.pads) > 1:
            right = tuple(pad for pad in item.pads if fits(self.match, pad, card, t_ms))
        if is_asked and not right:
            # It is asked for already where it lies.
            self.ghosts_count += 1
            return
        self._lay(Row(CardLine(t_ms, (right or item.pads)[0], card), item.uid))

    def _lay(self, row: Row) -> None:
        self._enter(row)
        line = row.line
        if isinstance(line, CardLine):
            while late := self._late(line):
                self._enter(late)

    def _late(self, line: CardLine) -> Row | None:
        """The lowest card that lies wrong on the pad of a line and goes on the pile that this made; also one
        that was taken to lie wrong on another pad, which reads it as well.
        """
        closed, now_ms = self.closed, line.t_ms - self.table.shift_ms
        waiting = sorted(
            (card.value, uid, card)
            for (_, uid), n in self.spots.items()
            if (tag := self.lies.tags.get((line.pad, uid))) is not None
            and now_ms - tag.came_ms <= LATE_MS
            and (verdict := verdict_on(closed, n)) is not None
            and verdict.legal is False
            and (verdict.pad != line.pad or TOO_EARLY.issuperset(verdict.reasons))
            and (card := self.table.card_of(uid)) is not None
        )
        for _, uid, card in waiting:
            if fits(self.match, line.pad, card, line.t_ms):
                return Row(CardLine(line.t_ms, line.pad, card), uid)
        return None

    def _enter(self, row: Row) -> None:
        self.match = self.match.enter(row.line)
        self.closed = self.match.closed
        self.rows.append(row)
        pad = pad_of(row)
        if pad is not None and row.uid is not None:
            self.spots[pad, row.uid] = self.match.n

    def _time_ms(self, item: Waiting) -> int:
        return max(item.at_ms + self.table.shift_ms, self.match.round.last_ms or 0)

    def _pad(self, n: int) -> int | None:
        rows, known = self.table.rows, len(self.table.rows)
        return pad_of(rows[n - 1] if n <= known else self.rows[n - known - 1])

    def _pads(self, uid: str) -> list[int]:
        if self._places is None:
            places = defaultdict[str, list[int]](list)
            for pad, other in self.lies.tags:
                places[other].append(pad)
            self._places = places
        return self._places.get(uid, [])


def pads_of(lies: Lies, uid: str) -> tuple[int, ...]:
    """The pads whose readers see a tag."""
    return tuple(pad for pad, other in lies.tags if other == uid)


def awaited(table: LigrettoTable, lies: Lies) -> tuple[str, ...]:
    """The tags of cards that are not accepted and of which more may be told: what waits to become a line, and
    what came too short a time ago to be known on the right pad.
    """
    accepted, since_ms = table.closed.round.accepted, table.time_ms(lies.now_ms) - ARBITRATE_MS
    waiting = {item.uid for item in table.sensed.waiting if isinstance(item, Seen)}
    fresh = {
        row.uid
        for row in table.rows[table.begun.n :][-FRESH_MAX_COUNT:]
        if row.uid is not None and isinstance(row.line, CardLine) and row.line.t_ms > since_ms
    }
    return tuple(
        sorted(fresh | {uid for uid in waiting if (card := table.card_of(uid)) and card not in accepted})
    )


def own_line(table: LigrettoTable, uid: str) -> tuple[int, CardLine] | None:
    """The line by which the card of a tag lies on its pile, and its number."""
    card = table.card_of(uid)
    n = None if card is None else table.closed.round.accepted.get(card)
    line = None if n is None else table.rows[n - 1].line
    return (n, line) if n is not None and isinstance(line, CardLine) else None


def is_top(match: Match, line: CardLine) -> bool:
    """Whether the card of a line looks like the top of the pile on its pad."""
    pile = match.round.piles.get(line.pad)
    return pile is not None and (pile.colour, pile.value) == (line.card.colour, line.card.value)


def moved_edit(table: LigrettoTable, lies: Lies, item: Seen) -> Edit | None:
    """The edit of a line whose card was pushed to another pad where it may lie: its own has lost it soon
    after, nothing lies on it, and no other card would become wrong. None where that is not so.
    """
    own = own_line(table, item.uid)
    if own is None or (own[1].pad, item.uid) in lies.tags:
        return None
    n, line = own
    gone_ms = table.sensed.gone_ms.get((line.pad, item.uid))
    soon = gone_ms is not None and gone_ms + table.shift_ms - line.t_ms <= MOVE_MS
    if not soon or not is_top(table.closed, line):
        return None
    for pad in item.pads:
        edit = Edit(Do.REPLACE, n, Row(CardLine(line.t_ms, pad, line.card), item.uid))
        after = table.with_edits((edit,))
        verdict = verdict_on(after.closed, n)
        if verdict is not None and verdict.legal and not spoilt(table, after, n):
            return edit
    return None


def moved(table: LigrettoTable, lies: Lies, items: Iterable[Waiting]) -> Edit | None:
    """The first line to be rewritten because its card lies on another pad, if there is one."""
    for item in items:
        if isinstance(item, Seen):
            edit = moved_edit(table, lies, item) or followed_edit(table, lies, item)
            if edit is not None:
                return edit
    return None


def followed_edit(table: LigrettoTable, lies: Lies, item: Seen) -> Edit | None:
    """The edit of a line whose card two pads see, where the card that goes on it came to the other pad: so it
    lies there. None where that is not so.
    """
    card, t_ms = table.card_of(item.uid), table.time_ms(item.at_ms)
    both = [double for double in doubles(table, lies) if double.other in item.pads]
    if card is None or not both or any(fits(table.match, pad, card, t_ms) for pad in item.pads):
        return None
    for double in both:
        line = table.rows[double.n - 1].line
        if isinstance(line, CardLine):
            row = Row(CardLine(line.t_ms, double.other, line.card), double.uid)
            edit = Edit(Do.REPLACE, double.n, row)
            after = table.with_edits((edit,))
            if fits(after.match, double.other, card, t_ms) and not spoilt(table, after, double.n):
                return edit
    return None


def spoilt(before: LigrettoTable, after: LigrettoTable, but: int) -> tuple[int, ...]:
    """The cards of a game that were not wrong and are in the other, whose lines have the same numbers; `but`:
    one that is not looked at.
    """
    old, new = before.closed, after.closed
    first = min(before.begun.n, after.begun.n) + 1
    return tuple(
        n
        for n in range(first, old.n + 1)
        if n != but and (was := verdict_on(old, n)) is not None and was.legal is not False
        if (now := verdict_on(new, n)) is None or now.legal is False
    )


class Double(NamedTuple):
    """A card that two readers see: it was laid on `pad` by line `n`, and could lie on `other` as well."""

    n: int
    pad: int
    other: int
    uid: str
    card: Card
    since_ms: int


def doubles(table: LigrettoTable, lies: Lies) -> Iterator[Double]:
    """Cards of this round that could lie on either of two pads, both of whose readers see them; nothing lies
    on them. `since_ms` is when the second one told of it.
    """
    now = table.closed.round
    for (pad, uid), state in lies.tags.items():
        card = table.card_of(uid)
        n = None if card is None else now.accepted.get(card)
        if card is None or n is None:
            continue
        line = table.rows[n - 1].line
        if not isinstance(line, CardLine) or line.pad == pad or table.sensed.is_asleep((pad, uid)):
            continue
        sees_both = (line.pad, uid) in lies.tags
        if sees_both and is_top(table.closed, line) and not misfit(now.piles.get(pad), card.face):
            yield Double(n, line.pad, pad, uid, card, max(state.came_ms, lies.tags[line.pad, uid].came_ms))
