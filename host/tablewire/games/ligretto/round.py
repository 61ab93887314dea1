"""A round: its piles, whose cards lie on them, what is undecided, and the stop.

Owns what a scan, a stop, a decision and a count come to within one round. Must not know other rounds, what a
line looks like, or when a scan is over.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field, replace
from typing import Any, NamedTuple

from tablewire.games.ligretto.cards import DECK_COUNT, LIGRETTO_COUNT, Card, Face, is_card
from tablewire.games.ligretto.record import BLOCKED, EXTRA, Rules
from tablewire.games.ligretto.report import Reason, Verdict
from tablewire.games.ligretto.scan import Pile, Read, Scan, misfit, run_on

UNJUDGED = frozenset({Reason.NOT_IN_GAME, Reason.UNKNOWN_CARD, Reason.CARD_ALREADY_PLAYED})
"""What is wrong with such a card is not its pile."""


class Stop(NamedTuple):
    """Who ended the round, a player or BLOCKED, and when."""

    by: str
    t_ms: int


class Group(NamedTuple):
    """Equal cards of several players that reached a pad in one scan: one of them lies there rightly.

    `players` are their owners, in the order of `ns`.
    """

    ns: tuple[int, ...]
    pad: int
    colour: str
    value: int
    players: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Round:
    """One round as it stands.

    `accepted`: every card that lies rightly, or may do so, with the line that told of it; `played`: how many
    are whose for certain, every player in order. The sum of `played` and the number of groups are the heights
    of all piles together.
    """

    rules: Rules
    played: Mapping[str, int]
    piles: Mapping[int, Pile] = field(default_factory=dict)
    accepted: Mapping[Card, int] = field(default_factory=dict)
    undecided: tuple[Group, ...] = ()
    stopped: Stop | None = None
    last_ms: int | None = None

    @property
    def has_begun(self) -> bool:
        """Whether a card or a stop has been told of in it."""
        return self.last_ms is not None

    def judge(self, pad: int, card: Card, t_ms: int) -> frozenset[Reason]:
        """All that would be wrong with the card on the pad as it stands, at that time."""
        wrong = self._wrong(card, t_ms)
        return wrong if wrong & UNJUDGED else wrong | misfit(self.piles.get(pad), card.face)

    def _wrong(self, card: Card, t_ms: int) -> frozenset[Reason]:
        """All that is wrong with a card wherever it lies."""
        applies = {
            Reason.AFTER_STOP: self.stopped is not None and t_ms > self.stopped.t_ms,
            Reason.CARD_ALREADY_PLAYED: card in self.accepted,
            Reason.NOT_IN_GAME: card.owner not in self.rules.players,
            Reason.UNKNOWN_CARD: not is_card(card),
        }
        return frozenset(reason for reason, does in applies.items() if does)

    def take(self, scan: Scan) -> tuple[Round, tuple[Verdict, ...]]:
        """The round after a scan, and the verdict on each of its cards, in the order of their lines."""
        wrong: dict[int, frozenset[Reason]] = {}
        able: dict[Face, list[Read]] = {}
        seen: set[Card] = set()
        for read in scan.reads:
            reasons = self._wrong(read.card, read.t_ms)
            if read.card in seen:
                reasons |= {Reason.CARD_ALREADY_PLAYED}
            seen.add(read.card)
            wrong[read.n] = reasons
            if not reasons:
                able.setdefault(read.card.face, []).append(read)
        run = run_on(self.piles.get(scan.pad), able.keys())
        after = self._with_run(scan.pad, [able[face] for face in run])
        laid = {
            verdict.n: verdict for face in run for verdict in _laid(scan.pad, Pile(*face).height, able[face])
        }
        pile = after.piles.get(scan.pad)
        return after, tuple(
            laid.get(read.n) or _refused(scan.pad, read, wrong[read.n], pile) for read in scan.reads
        )

    def _with_run(self, pad: int, steps: list[list[Read]]) -> Round:
        if not steps:
            return self
        accepted, played, undecided = dict(self.accepted), dict(self.played), list(self.undecided)
        for reads in steps:
            accepted.update((read.card, read.n) for read in reads)
            if len(reads) == 1:
                played[reads[0].card.owner] += 1
            else:
                ns, owners = tuple(read.n for read in reads), tuple(read.card.owner for read in reads)
                undecided.append(Group(ns, pad, *reads[0].card.face, owners))
        piles = {**self.piles, pad: Pile(*steps[-1][0].card.face)}
        return replace(self, piles=piles, accepted=accepted, played=played, undecided=tuple(undecided))

    def group_of(self, n: int) -> Group | None:
        """The undecided group that the card of line `n` belongs to."""
        return next((group for group in self.undecided if n in group.ns), None)

    def decide(self, group: Group, winner: str) -> Round:
        """The round after one of an undecided group has been given its card; the others have theirs back."""
        lost = {Card(player, group.colour, group.value) for player in group.players if player != winner}
        return replace(
            self,
            accepted={card: n for card, n in self.accepted.items() if card not in lost},
            played={**self.played, winner: self.played[winner] + 1},
            undecided=tuple(other for other in self.undecided if other != group),
        )

    def stop(self, by: str | None, t_ms: int) -> Round:
        """The round after a stop, or the withdrawal of one (None). The first stop stands."""
        if by is None:
            return replace(self, stopped=None)
        return self if self.stopped is not None else replace(self, stopped=Stop(by, t_ms))

    def bad_counts(self, left: Mapping[str, Any]) -> tuple[str, ...]:
        """The names whose left-over count cannot be: missing, of no player, no whole number, or too many.

        Keys that begin with `x_` are nobody's unless a player is called so.
        """
        foreign = [name for name in left if name not in self.played and not name.startswith(EXTRA)]
        return (*(name for name in self.played if not self._can_be_left(name, left.get(name))), *foreign)

    def _can_be_left(self, player: str, count: object) -> bool:
        if type(count) is not int or not 0 <= count <= LIGRETTO_COUNT:
            return False
        stopper = self.stopped.by if self.stopped is not None else BLOCKED
        return self.played[player] + count <= DECK_COUNT and not (player == stopper and count)


def _laid(pad: int, height: int, reads: list[Read]) -> Iterable[Verdict]:
    """The verdicts on one step of a pile: one card, or equal ones that nobody can tell apart."""
    for n, _, card in reads:
        others = tuple(read.n for read in reads if read.n != n)
        if others:
            yield Verdict(n, card.owner, pad, None, (Reason.UNDECIDED.value,), height, others)
        else:
            yield Verdict(n, card.owner, pad, True, (), height)


def _refused(pad: int, read: Read, wrong: frozenset[Reason], pile: Pile | None) -> Verdict:
    """The verdict on a card that goes on no pile, beside the pile as its scan leaves it."""
    reasons = wrong if wrong & UNJUDGED else wrong | misfit(pile, read.card.face)
    return Verdict(read.n, read.card.owner, pad, False, tuple(sorted(reason.value for reason in reasons)))
