"""A whole game as a value: the lines of its record entered one after another, and what each of them came to.

Owns which cards are one scan, when a scan is over, the order of what is printed, and the rounds of a match.
Must not know the table, sensors, or files.

A card's verdict waits until its scan is over: until a card comes later than the scan lasts, or any other line
does. Scans are taken in the order in which they began, which is also the order in which they end; so a card
that two pads tell of lies on the pad whose scan began first, where it may.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, replace
from typing import Any

from tablewire.errors import UserError
from tablewire.games.ligretto.cards import Card
from tablewire.games.ligretto.grown import Grown
from tablewire.games.ligretto.record import (
    BLOCKED,
    CardLine,
    DecideLine,
    LeftLine,
    Line,
    Rules,
    StopLine,
)
from tablewire.games.ligretto.report import (
    Decided,
    Reason,
    Refused,
    Report,
    RoundScore,
    Stopped,
    Verdict,
)
from tablewire.games.ligretto.round import Round
from tablewire.games.ligretto.scan import Read, Scan


@dataclass(frozen=True, slots=True)
class Match:
    """The game after `n` lines of its record.

    `reports` are the lines that have been settled, in order, as far as none before them waits; `waiting`
    those that are settled, by their n, but wait; `open_scans` what is not settled, by pad, in the order in
    which it began.
    """

    rules: Rules
    round: Round
    totals: Mapping[str, int]
    n: int = 0
    reports: Grown[Report] = field(default_factory=Grown)
    waiting: Mapping[int, Report] = field(default_factory=dict)
    open_scans: Mapping[int, Scan] = field(default_factory=dict)
    rounds: tuple[RoundScore, ...] = ()

    @classmethod
    def begin(cls, rules: Rules) -> Match:
        """A game that nobody has played in."""
        return cls(rules, _fresh(rules), dict.fromkeys(rules.players, 0))

    @property
    def scans(self) -> tuple[Scan, ...]:
        """What is not settled, in the order in which it began."""
        return tuple(self.open_scans.values())

    @property
    def round_number(self) -> int:
        """The round that is on or comes next, from 1; after the game the last one."""
        return len(self.rounds) + (not self.is_over)

    @property
    def is_over(self) -> bool:
        """Whether the last round has been counted."""
        return self.ended is not None

    @property
    def ended(self) -> str | None:
        """Why the game is over: "rounds" or "target"; None while it goes on."""
        rounds, target = self.rules.rounds, self.rules.target
        if rounds is not None:
            return "rounds" if len(self.rounds) >= rounds else None
        return "target" if target is not None and max(self.totals.values()) >= target else None

    @property
    def closed(self) -> Match:
        """The game as if nothing more came into the scans that are not over."""
        return self.close_scans()

    def enter(self, line: Line) -> Match:
        """The game with one line more. UserError when its time falls within the round."""
        match line:
            case CardLine():
                return self._card(line)
            case StopLine():
                return self._timed(line.t_ms).close_scans()._stop(line)
            case DecideLine():
                return self.close_scans()._decide(line)
            case LeftLine():
                return self.close_scans()._count(line)

    def close_scans(self, before_ms: int | None = None) -> Match:
        """The game with those scans settled that are over at a time, nothing earlier being able to come.

        None settles them all.
        """
        match, left = self, dict[int, Scan]()
        for pad, scan in self.open_scans.items():
            if before_ms is not None and before_ms <= scan.first_ms + self.rules.scan_ms:
                # They began in the order of their times: none after the first that goes on is over.
                if match is self:
                    return self
                left[pad] = scan
                continue
            after, verdicts = match.round.take(scan)
            match = replace(match, round=after)._with_reports(verdicts)
        return replace(match, open_scans=left) if self.open_scans else self

    def judge(self, pad: int, card: Card, t_ms: int) -> Verdict:
        """What the card would be there at that time, beside all that has come; nothing is entered.

        Scans that are not over are taken as they are. In a game that is over it is a card too many.
        """
        shown = self.closed
        reasons = {Reason.GAME_OVER} if self.is_over else shown.round.judge(pad, card, t_ms)
        told = tuple(sorted(reason.value for reason in reasons))
        return Verdict(self.n + 1, card.owner, pad, not told, told, None if told else card.value)

    def verdict_of(self, n: int) -> Verdict:
        """What was said of the card of line `n`. KeyError when it is no card, or its scan is not over."""
        report = self.report_of(n)
        if not isinstance(report, Verdict):
            raise KeyError(n)
        return report

    def report_of(self, n: int) -> Report:
        """What line `n` came to. KeyError when there is none such, or it is not settled."""
        if 1 <= n <= len(self.reports):
            return self.reports[n - 1]
        return self.waiting[n]

    def printed(self) -> tuple[dict[str, Any], ...]:
        """The lines that `tablewire score` prints for what is settled, in order."""
        return tuple(report.to_json() for report in self.reports)

    def result(self) -> dict[str, Any]:
        """The last line."""
        best = max(self.totals.values())
        winners = [player for player, total in self.totals.items() if total == best]
        body = {
            "ended": self.ended,
            "winners": winners if self.is_over else [],
            "totals": dict(self.totals),
        }
        return {"result": body}

    def _with_reports(self, settled: tuple[Report, ...]) -> Match:
        waiting = {**self.waiting, **{report.n: report for report in settled}}
        reports = self.reports
        while (report := waiting.pop(len(reports) + 1, None)) is not None:
            reports = reports.plus(report)
        return replace(self, reports=reports, waiting=waiting)

    def _settled(self, report: Callable[[int], Report]) -> Match:
        """The game with a line that is settled at once."""
        return replace(self, n=self.n + 1)._with_reports((report(self.n + 1),))

    def _refused(self, *reasons: Reason) -> Match:
        told = tuple(sorted(reason.value for reason in reasons))
        return self._settled(lambda n: Refused(n, told))

    def _timed(self, t_ms: int) -> Match:
        """The game at that time of its round."""
        if self.is_over:
            return self
        last_ms = self.round.last_ms
        if last_ms is not None and t_ms < last_ms:
            raise UserError(
                f'"t_ms" falls from {last_ms} to {t_ms} within a round; write the lines in order of time'
            )
        return replace(self, round=replace(self.round, last_ms=t_ms))

    def _card(self, line: CardLine) -> Match:
        if self.is_over:
            over = (Reason.GAME_OVER.value,)
            return self._settled(lambda n: Verdict(n, line.card.owner, line.pad, False, over))
        match = self._timed(line.t_ms).close_scans(line.t_ms)
        read = Read(match.n + 1, line.t_ms, line.card)
        scan = match.open_scans.get(line.pad) or Scan(line.pad, line.t_ms, Grown[Read]())
        # A pad that is there keeps its place.
        joined = {**match.open_scans, line.pad: scan._replace(reads=scan.reads.plus(read))}
        return replace(match, n=read.n, open_scans=joined)

    def _stop(self, line: StopLine) -> Match:
        if self.is_over:
            return self._refused(Reason.GAME_OVER)
        if line.stop not in (None, BLOCKED, *self.rules.players):
            return self._refused(Reason.NOT_IN_GAME)
        match = replace(self, round=self.round.stop(line.stop, line.t_ms))
        return match._settled(lambda n: Stopped(n, line.stop, line.t_ms))

    def _decide(self, line: DecideLine) -> Match:
        if self.is_over:
            return self._refused(Reason.GAME_OVER)
        group = self.round.group_of(line.n)
        if group is None:
            return self._refused(Reason.NOT_UNDECIDED)
        if line.winner not in group.players:
            return self._refused(Reason.WRONG_WINNER)
        match = replace(self, round=self.round.decide(group, line.winner))
        return match._settled(lambda n: Decided(n, group.ns, line.winner))

    def _count(self, line: LeftLine) -> Match:
        if self.is_over:
            return self._refused(Reason.GAME_OVER)
        stopped = self.round.stopped
        wrong = {Reason.NO_STOP: stopped is None, Reason.BAD_COUNT: bool(self.round.bad_counts(line.left))}
        if stopped is None or any(wrong.values()):
            return self._refused(*(reason for reason, applies in wrong.items() if applies))
        played, penalty = self.round.played, self.rules.left_penalty
        left = {player: int(line.left[player]) for player in played}
        points = {player: played[player] - penalty * left[player] for player in played}
        totals = {player: self.totals[player] + points[player] for player in played}
        score = RoundScore(
            n=self.n + 1,
            number=len(self.rounds) + 1,
            stop=stopped.by,
            played=played,
            left=left,
            points=points,
            totals=totals,
            undecided_count=len(self.round.undecided),
        )
        rounds = (*self.rounds, score)
        counted = replace(self, round=_fresh(self.rules), totals=totals, rounds=rounds)
        return counted._settled(lambda _: score)


def _fresh(rules: Rules) -> Round:
    return Round(rules, dict.fromkeys(rules.players, 0))
