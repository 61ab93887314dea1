"""What a person may choose at the page: who was first, where a card lies, whether a card may stay.

Owns the choices, their ids, and the entries they lead to. Must not know when one is offered in a message.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import TYPE_CHECKING, Any, NamedTuple

from tablewire.board.lies import Lies
from tablewire.entries import EntryKind
from tablewire.games.ligretto.laying import Double, doubles
from tablewire.games.ligretto.look import WRONG_SHOWN_MAX, Look, Wrong, fits_now
from tablewire.games.ligretto.record import CardLine, DecideLine, StopLine
from tablewire.games.ligretto.report import Reason
from tablewire.games.ligretto.rows import Do, Edit, Row, encode_edit, with_decisions
from tablewire.games.ligretto.scan import misfit
from tablewire.games.ligretto.sensing import LATE_MS, LINGER_MS
from tablewire.games.ligretto.words import card_said

if TYPE_CHECKING:
    from tablewire.games.ligretto.course import LigrettoTable


class Choice(NamedTuple):
    """A button: its id stays the same while the same question stands. `pads` are what it is about.

    `kind` and `body` are the entry's that pressing it leads to, without who pressed it.
    """

    id: str
    text: str
    pads: tuple[int, ...]
    kind: EntryKind
    body: Mapping[str, Any]

    def to_json(self) -> dict[str, Any]:
        """The form the page reads."""
        return {"id": self.id, "text": self.text, "pads": list(self.pads)}


def choices(table: LigrettoTable, shown: Look, lies: Lies) -> Iterator[Choice]:
    """Everything that can be chosen now."""
    yield from first_choices(table, shown)
    yield from place_choices(table, lies)
    yield from stay_choices(table, shown, lies)
    yield from taken_choices(table, shown)


def first_choices(table: LigrettoTable, shown: Look) -> Iterator[Choice]:
    """Of equal cards that came together: whose was first."""
    for group in shown.match.round.undecided:
        n = group.ns[0]
        for player in group.players:
            edit = Edit(Do.INSERT, len(table.rows) + 1, Row(DecideLine(n, player)))
            body = {"edits": [encode_edit(edit)]}
            text = f"{player} was first on pad {group.pad}"
            yield Choice(f"decide:{n}:{player}", text, (group.pad,), EntryKind.RULING, body)


def place_choices(table: LigrettoTable, lies: Lies) -> Iterator[Choice]:
    """Of each card that several readers have seen for a while: on which pad it lies. The others are not
    believed. One card's choices come one after another.
    """
    seen: dict[int, list[Double]] = {}
    for double in doubles(table, lies):
        if lies.now_ms - double.since_ms >= LINGER_MS:
            seen.setdefault(double.n, []).append(double)
    for n, found in seen.items():
        line, uid, own = table.rows[n - 1].line, found[0].uid, found[0].pad
        pads = sorted({own, *(double.other for double in found)})
        for pad in pads:
            body: dict[str, Any] = {"ignore": [[other, uid] for other in pads if other != pad]}
            if isinstance(line, CardLine) and pad != own:
                row = Row(CardLine(line.t_ms, pad, line.card), uid)
                body["edits"] = [encode_edit(Edit(Do.REPLACE, n, row))]
            text = f"{card_said(found[0].card)} lies on pad {pad}"
            yield Choice(f"place:{n}:{pad}", text, (pad,), EntryKind.CORRECTION, body)


def stay_choices(table: LigrettoTable, shown: Look, lies: Lies) -> Iterator[Choice]:
    """Of what lies wrong: what may stay as it is, because it fits by now or is no card."""
    t_ms = max(table.time_ms(lies.now_ms), shown.match.round.last_ms or 0)
    for wrong in shown.wrong[:WRONG_SHOWN_MAX]:
        pads = (wrong.pad,)
        if wrong.card is None:
            text = f"The tag on pad {wrong.pad} is no card: let it lie"
            body: dict[str, Any] = {"ignore": [[wrong.pad, wrong.uid]]}
            yield Choice(f"rest:{wrong.pad}:{wrong.uid}", text, pads, EntryKind.COMMIT, body)
        elif (before := _before_the_stop(table, shown, wrong)) is not None:
            text = f"{card_said(wrong.card)} was laid on pad {wrong.pad} before the stop: let it count"
            body = {"edits": [encode_edit(before)]}
            yield Choice(f"before:{wrong.pad}:{wrong.uid}", text, pads, EntryKind.CORRECTION, body)
        elif fits_now(table, shown, wrong, lies):
            row = Row(CardLine(t_ms, wrong.pad, wrong.card), wrong.uid)
            edit = Edit(Do.INSERT, len(table.rows) + 1, row)
            text = f"Let {card_said(wrong.card)} count on pad {wrong.pad}"
            body = {"edits": [encode_edit(edit)]}
            yield Choice(f"let:{wrong.pad}:{wrong.uid}", text, pads, EntryKind.CORRECTION, body)


def taken_choices(table: LigrettoTable, shown: Look) -> Iterator[Choice]:
    """Of each card that is no longer on its pile: that it was taken back, and its line goes."""
    for each in shown.taken:
        edits = with_decisions(table.rows, Edit(Do.REMOVE, each.n))
        text = f"{card_said(each.card)} was taken back from pad {each.pad}: it does not count"
        body = {"edits": [encode_edit(edit) for edit in edits]}
        yield Choice(f"taken:{each.n}:{each.pad}", text, (each.pad,), EntryKind.CORRECTION, body)


def _before_the_stop(table: LigrettoTable, shown: Look, wrong: Wrong) -> Edit | None:
    """The edit that puts a card in front of the stop, where its reader told of it only a moment after: it is
    right but for that. None where it cannot have been so.
    """
    now = shown.match.round
    line = None if wrong.n is None else shown.rows[wrong.n - 1].line
    if now.stopped is None or not isinstance(line, CardLine) or wrong.reasons != (Reason.AFTER_STOP.value,):
        return None
    if line.t_ms - now.stopped.t_ms > LATE_MS or misfit(now.piles.get(wrong.pad), line.card.face):
        return None
    stop_n = max(
        n
        for n in range(table.begun.n + 1, len(shown.rows) + 1)
        if isinstance(given := shown.rows[n - 1].line, StopLine)
        and (given.stop, given.t_ms) == (now.stopped.by, now.stopped.t_ms)
    )
    return Edit(Do.INSERT, stop_n, Row(CardLine(now.stopped.t_ms, wrong.pad, line.card), wrong.uid))
