"""What the page asks of people at a table of Ligretto: the one message, with its steps and choices.

Owns which matter is the most urgent, and the words for each. Must not know HTML, or what a choice does.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from enum import StrEnum
from itertools import groupby
from typing import TYPE_CHECKING, Any

from tablewire.board.lies import Lies
from tablewire.games.ligretto.choices import Choice, first_choices, place_choices, stay_choices, taken_choices
from tablewire.games.ligretto.look import WRONG_SHOWN_MAX, Look, Wrong, fits_now
from tablewire.games.ligretto.report import Reason
from tablewire.games.ligretto.scan import misfit
from tablewire.games.ligretto.words import (
    BESIDE_PILE,
    NOT_FIRST,
    card_said,
    counted,
    face_said,
    listed,
    pads_said,
    room_for,
    stopper_said,
    why_said,
)

if TYPE_CHECKING:
    from tablewire.games.ligretto.course import LigrettoTable
    from tablewire.games.ligretto.round import Group

Step = Mapping[str, Any]


class MessageKind(StrEnum):
    """What sort of thing a person must put right or decide."""

    UNDECIDED = "undecided"
    AMBIGUOUS = "ambiguous"
    RESTORE = "restore"
    ILLEGAL = "illegal"
    UNEXPLAINED = "unexplained"
    COUNT = "count"
    SETUP = "setup"


@dataclass(frozen=True, slots=True)
class Message:
    """The message of the state document."""

    kind: MessageKind
    text: str
    reasons: tuple[str, ...] = ()
    steps: tuple[Step, ...] = ()
    choices: tuple[Choice, ...] = ()

    def to_json(self) -> dict[str, Any]:
        """The form the page reads."""
        return {
            "kind": self.kind,
            "reasons": list(self.reasons),
            "text": self.text,
            "steps": [dict(step) for step in self.steps],
            "choices": [choice.to_json() for choice in self.choices],
        }


def message(table: LigrettoTable, shown: Look, lies: Lies) -> Message | None:
    """The most urgent matter; None when there is none."""
    if shown.match.is_over:
        return None
    if not table.is_open:
        return _between(shown)
    return (
        _undecided(table, shown)
        or _double(table, lies)
        or _wrong(table, shown, lies)
        or _bare(shown)
        or _astray(shown)
        or _taken(table, shown)
        or _to_count(table, shown)
        or _resting(shown)
    )


def _undecided(table: LigrettoTable, shown: Look) -> Message | None:
    groups = shown.match.round.undecided
    if not groups:
        return None
    more = _waiting_said(len(groups) - 1)
    return Message(
        MessageKind.UNDECIDED,
        f"{group_said(groups[0])}{more}",
        (Reason.UNDECIDED.value,),
        choices=tuple(first_choices(table, shown)),
    )


def group_said(group: Group) -> str:
    """Who came together, and that somebody has to say who was first."""
    card = face_said(group.colour, group.value)
    return f"{listed(group.players)} laid the {card} on pad {group.pad} in the same moment: who was first?"


def _double(table: LigrettoTable, lies: Lies) -> Message | None:
    choices = tuple(place_choices(table, lies))
    if not choices:
        return None
    # One card is asked about at a time, and its choices come first.
    cards = [line for line, _ in groupby(choices, key=lambda choice: choice.id.rsplit(":", 1)[0])]
    asked = tuple(choice for choice in choices if choice.id.startswith(f"{cards[0]}:"))
    pads = pads_said(pad for choice in asked for pad in choice.pads).capitalize()
    more = _waiting_said(len(cards) - 1)
    return Message(
        MessageKind.AMBIGUOUS, f"{pads} read the same card: where does it lie?{more}", choices=asked
    )


def _waiting_said(count: int) -> str:
    """How many other cards the same is to be asked of, behind a sentence."""
    return (
        f" {counted(count, 'other card')} {'waits' if count == 1 else 'wait'} for the same." if count else ""
    )


def _wrong(table: LigrettoTable, shown: Look, lies: Lies) -> Message | None:
    if not shown.wrong:
        return None
    first = shown.wrong[0]
    more = f" {counted(len(shown.wrong) - 1, 'other card')} must go as well." if len(shown.wrong) > 1 else ""
    kind = MessageKind.UNEXPLAINED if first.card is None else MessageKind.ILLEGAL
    return Message(
        kind,
        f"{wrong_said(table, shown, first, lies)}{more}",
        first.reasons,
        tuple(map(lift, shown.wrong[:WRONG_SHOWN_MAX])),
        tuple(stay_choices(table, shown, lies)),
    )


def lift(wrong: Wrong) -> Step:
    """The step that takes a wrong card off."""
    card = {} if wrong.card is None else {"card": wrong.card._asdict()}
    return {"do": "lift", "pad": wrong.pad, **card}


def wrong_said(table: LigrettoTable, shown: Look, wrong: Wrong, lies: Lies) -> str:
    """What to do with a card that lies wrong, why, and where it would fit."""
    if wrong.card is None:
        what = f"A tag that no deck has lies on pad {wrong.pad} ({wrong.uid})"
        return f"{what}: take it off, or say which card it is."
    head = f"Take {card_said(wrong.card)} off pad {wrong.pad}"
    if NOT_FIRST in wrong.reasons:
        return f"{head}: {_first_said(shown, wrong)} was first."
    now = shown.match.round
    beside = BESIDE_PILE.issuperset(wrong.reasons)
    if misfit(now.piles.get(wrong.pad), wrong.card.face):
        reasons = wrong.reasons
    elif beside:
        again = " and lay it again" if fits_now(table, shown, wrong, lies) else ""
        return f"{head}{again}: it came too early{', and fits by now' if again else ''}."
    else:
        reasons = tuple(reason for reason in wrong.reasons if reason not in BESIDE_PILE)
    why = why_said(shown.match, wrong.pad, reasons, wrong.own_pad)
    where = room_for(shown.match, wrong.card) if beside and now.stopped is None else ""
    return f"{head}: {why}.{f' {where}' if where else ''}"


def _first_said(shown: Look, wrong: Wrong) -> str:
    """Whose equal card has the place of one that came with it."""
    face = None if wrong.card is None else wrong.card.face
    accepted = shown.match.round.accepted.items()
    there = (card.owner for card, n in accepted if card.face == face and shown.pad_of(n) == wrong.pad)
    return next(there, "another one")


def _bare(shown: Look) -> Message | None:
    """The pads were cleared while the game was put aside, or the board off."""
    now = shown.match.round
    if not shown.is_bare or now.stopped is not None:
        return None
    cards = counted(sum(pile.height for pile in now.piles.values()), "card")
    text = (
        f"The piles of this round ({cards}) are no longer on the pads. Build them up again as they are "
        "shown, or end the round: what was played counts either way."
    )
    return Message(MessageKind.RESTORE, text)


def _astray(shown: Look) -> Message | None:
    """Cards that were pushed to another pad: what is laid on them there is judged by that pad's own pile."""
    if not shown.astray:
        return None
    first = shown.astray[0]
    more = (
        f" {counted(len(shown.astray) - 1, 'other card')} must go back too." if len(shown.astray) > 1 else ""
    )
    text = (
        f"{card_said(first.card)} was played on pad {first.own_pad} and lies on pad {first.pad}: put it back."
    )
    steps: list[Step] = []
    for each in shown.astray:
        card = each.card._asdict()
        steps += [
            {"do": "lift", "pad": each.pad, "card": card},
            {"do": "place", "pad": each.own_pad, "card": card},
        ]
    return Message(MessageKind.RESTORE, f"{text}{more}", steps=tuple(steps))


def _taken(table: LigrettoTable, shown: Look) -> Message | None:
    """A card is off its pile, or cannot be read there: it counts unless somebody says that it was taken."""
    if not shown.taken:
        return None
    first, more = shown.taken[0], _waiting_said(len(shown.taken) - 1)
    text = (
        f"{card_said(first.card)} is no longer seen on pad {first.pad}. It counts; if somebody took it back, "
        f"say so.{more}"
    )
    return Message(MessageKind.RESTORE, text, choices=tuple(taken_choices(table, shown)))


def _to_count(table: LigrettoTable, shown: Look) -> Message | None:
    stopped = shown.match.round.stopped
    if stopped is None or table.counting is not None:
        return None
    how = "Count the cards left in each Ligretto pile over a pad, or type the numbers in."
    return Message(MessageKind.COUNT, f"{stopper_said(stopped.by)}. {how}")


def _between(shown: Look) -> Message:
    """A round has been scored, and the next one is not open yet."""
    number = shown.match.round_number
    clear = f"Take the cards off the pads, deal, and then open round {number}."
    return Message(MessageKind.SETUP, f"Round {number - 1} is scored. {clear}", steps=_clear(shown.resting))


def _resting(shown: Look) -> Message | None:
    if not shown.resting:
        return None
    pads = pads_said(shown.resting)
    text = f"What lies on {pads} was there before and does not count: take it off."
    return Message(MessageKind.SETUP, text, steps=_clear(shown.resting))


def _clear(pads: Iterable[int]) -> tuple[Step, ...]:
    return tuple({"do": "lift", "pad": pad} for pad in pads)
