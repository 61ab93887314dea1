"""A changed list of lines: the edit that a person asks for, and what would come of it.

Owns what an edit may be, and its preview. Must not know sensors, the page, or who asked.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from tablewire.errors import UserError
from tablewire.games.ligretto.laying import verdict_on
from tablewire.games.ligretto.record import (
    CardLine,
    Line,
    StopLine,
    encode_line,
    parse_line,
)
from tablewire.games.ligretto.report import Refused
from tablewire.games.ligretto.rows import Do, Edit, Row, with_decisions
from tablewire.games.ligretto.words import listed, numbers_said, report_said

if TYPE_CHECKING:
    from tablewire.games.ligretto.course import LigrettoTable

NAMED_MAX_COUNT = 8
"""More lines than this are looked up in the record, not read in a sentence."""


@dataclass(frozen=True, slots=True)
class Plan:
    """What edits lead to. `own`: the line that was put in, by its number then, None of a removal.

    `lost`: cards that were right and no longer would be, by their numbers then; `gained`: the other way.
    """

    edits: tuple[Edit, ...]
    after: LigrettoTable
    own: int | None
    lost: tuple[int, ...]
    gained: tuple[int, ...]

    @property
    def is_refused(self) -> bool:
        """Whether the line itself would be wrong."""
        return self.own is not None and _is_wrong(self.after, self.own)


def parse_edit(table: LigrettoTable, body: Mapping[str, Any], now_ms: int) -> Edit:
    """The edit that the body of a correction asks for; `now_ms` is for a line that has no time of its own.

    UserError: what is wrong with it.
    """
    try:
        do = Do(body.get("do", Do.REPLACE))
    except ValueError as exc:
        raise UserError(f'"do" must be one of {", ".join(Do)}') from exc
    n, rows = body.get("n"), table.rows
    most = len(rows) + (do is Do.INSERT)
    if type(n) is not int or not 1 <= n <= most:
        raise UserError(f'"n" must be the number of a line, 1 to {most}')
    if do is Do.REMOVE:
        if "line" in body:
            raise UserError('a removal takes no "line"')
        return Edit(do, n)
    given = body.get("line")
    if not isinstance(given, Mapping):
        raise UserError('"line" must be a line of a record')
    old = rows[n - 1] if do is Do.REPLACE else None
    if "t_ms" not in given and ("card" in given or "stop" in given):
        given = {**given, "t_ms": _time_near(table, n, old, now_ms)}
    line = parse_line(given)
    same_card = isinstance(line, CardLine) and old is not None and _card(old.line) == line.card
    # The tag that was read stays with its card, so that it is known where it lies.
    return Edit(do, n, Row(line, old.uid if old is not None and same_card else None))


def _card(line: Line) -> object:
    return line.card if isinstance(line, CardLine) else None


def _time_near(table: LigrettoTable, n: int, old: Row | None, now_ms: int) -> int:
    """A time for a line at place `n`: that of the line it replaces, else of the one before or behind it."""
    if n > len(table.rows):
        return now_ms
    for row in (old, table.rows[n - 2] if n > 1 else None, table.rows[n - 1]):
        if row is not None and isinstance(row.line, CardLine | StopLine):
            return row.line.t_ms
    return now_ms


def plan(table: LigrettoTable, edit: Edit, now_ms: int) -> Plan:
    """What comes of an edit. UserError when the time of a line would fall within its round, or is yet to come
    at `now_ms` of the record.
    """
    _refuse_to_come(table, edit, now_ms)
    edits = with_decisions(table.rows, edit)
    after = table.with_edits(edits)
    new_of = _numbers_after(len(table.rows), edits)
    lost, gained = [], []
    old, new = table.closed, after.closed
    for before_n, after_n in new_of.items():
        was, now = verdict_on(old, before_n), verdict_on(new, after_n)
        if was is None or now is None or (after_n == edit.n and edit.do is Do.REPLACE):
            continue
        if was.legal is not False and now.legal is False:
            lost.append(after_n)
        elif was.legal is False and now.legal is not False:
            gained.append(after_n)
    own = None if edit.row is None else edit.n
    return Plan(edits, after, own, tuple(lost), tuple(gained))


def _refuse_to_come(table: LigrettoTable, edit: Edit, now_ms: int) -> None:
    """UserError of a line later than now: whatever is laid until then could not follow it. The clock of an
    earlier round may have been ahead; there nothing is later than what stands there already.
    """
    line = None if edit.row is None else edit.row.line
    if not isinstance(line, CardLine | StopLine) or line.t_ms <= now_ms:
        return
    times = (row.line.t_ms for row in table.rows if isinstance(row.line, CardLine | StopLine))
    if line.t_ms > max(times, default=now_ms):
        raise UserError(f'"t_ms" {line.t_ms} is yet to come: it is {now_ms} now; write a time until now')


def _numbers_after(count: int, edits: Sequence[Edit]) -> dict[int, int]:
    """The number after the edits of each line that is still there."""
    numbers = list(range(1, count + 1))
    for do, n, _ in edits:
        if do is Do.INSERT:
            numbers.insert(n - 1, 0)
        elif do is Do.REMOVE:
            del numbers[n - 1]
    return {old: new for new, old in enumerate(numbers, 1) if old}


def _is_wrong(table: LigrettoTable, n: int) -> bool:
    report = table.closed.report_of(n)
    return isinstance(report, Refused) or getattr(report, "legal", None) is False


def preview(planned: Plan) -> dict[str, Any]:
    """What a correction would do; numbers of lines are those of the edited list."""
    match = planned.after.closed
    result = match.result()["result"]
    return {
        "possible": not planned.is_refused,
        "first_illegal": _fault(planned),
        "forced": [],
        "lost": list(planned.lost),
        "gained": list(planned.gained),
        "text": said(planned),
        "played": dict(match.round.played),
        "totals": result["totals"],
        "rounds": [{"round": score.number, "points": dict(score.points)} for score in match.rounds],
        "ended": result["ended"],
        "winners": result["winners"],
    }


def _fault(planned: Plan) -> dict[str, Any] | None:
    """The first line that would be wrong and is not now."""
    wrong = [*planned.lost, *([planned.own] if planned.own is not None and planned.is_refused else [])]
    if not wrong:
        return None
    n, after = min(wrong), planned.after
    line, report = after.rows[n - 1].line, after.closed.report_of(n)
    reasons = list(getattr(report, "reasons", ()))
    return {"n": n, "line": encode_line(line), "reasons": reasons, "text": report_said(report, line)}


def said(planned: Plan) -> str:
    """What a correction does to other lines, and how the rounds stand then."""
    after = planned.after
    match = after.closed
    if planned.own is not None and planned.is_refused:
        return report_said(match.report_of(planned.own), after.rows[planned.own - 1].line)
    told = [
        f"{_lines_said(ns)} then {one if len(ns) == 1 else many}."
        for ns, one, many in (
            (planned.lost, "is wrong", "are wrong"),
            (planned.gained, "is right", "are right"),
        )
        if ns
    ]
    if not told:
        told = ["Nothing else changes."]
    elif match.rounds:
        told.append(f"Totals: {numbers_said(match.totals)}.")
    return " ".join(told)


def _lines_said(ns: Sequence[int]) -> str:
    if len(ns) > NAMED_MAX_COUNT:
        return f"{len(ns)} other lines"
    return f"Line {ns[0]}" if len(ns) == 1 else f"Lines {listed(map(str, ns))}"
