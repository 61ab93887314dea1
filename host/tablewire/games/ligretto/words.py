"""Cards, lines and verdicts of Ligretto in words, as the page and the audit say them.

Owns these sentences. Must not know the journal, what lies on the table, or who asked.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from tablewire.games.ligretto.cards import VALUE_MIN, Card, Colour
from tablewire.games.ligretto.match import Match
from tablewire.games.ligretto.record import BLOCKED, CardLine, DecideLine, LeftLine, Line, StopLine
from tablewire.games.ligretto.report import Decided, Reason, Refused, Report, RoundScore, Stopped, Verdict

NOT_FIRST = "not_first"
"""The table's own reason: of equal cards that came together another one was given the place."""
UNKNOWN_TAG = "unknown_tag"
"""The table's own reason: no deck has this tag."""
BESIDE_PILE = frozenset({Reason.NOT_A_ONE, Reason.WRONG_COLOUR, Reason.WRONG_VALUE, Reason.PILE_COMPLETE})
"""What a card may be wrong by beside its pile alone: on another it may be right."""


def listed(items: Iterable[str], word: str = "and") -> str:
    """Items as people list them: "1, 2 and 3"."""
    some = list(items)
    return some[0] if len(some) == 1 else f"{', '.join(some[:-1])} {word} {some[-1]}" if some else ""


def counted(count: int, what: str) -> str:
    """A count of things: "1 card", "2 cards"."""
    return f"{count} {what}{'' if count == 1 else 's'}"


def face_said(colour: str, value: int) -> str:
    """A face: "blue 4"."""
    return f"{colour} {value}"


def card_said(card: Card) -> str:
    """A card: "Anna's blue 4"."""
    return f"{card.owner}'s {face_said(card.colour, card.value)}"


def pads_said(pads: Iterable[int], word: str = "and") -> str:
    """Pads by their numbers: "pads 3 and 5"."""
    some = list(pads)
    return f"{'pad' if len(some) == 1 else 'pads'} {listed(map(str, some), word)}"


def numbers_said(numbers: Mapping[str, int]) -> str:
    """A number for each player: "Anna 0, Ben 4"."""
    return ", ".join(f"{player} {number}" for player, number in numbers.items())


def room_for(match: Match, card: Card) -> str:
    """Where a card could be laid now, in a sentence; empty where nowhere."""
    if card.value == VALUE_MIN and card.colour in list(Colour):
        return "It opens a pile on an empty pad."
    below = (card.colour, card.value - 1)
    pads = [pad for pad, pile in sorted(match.round.piles.items()) if tuple(pile) == below]
    return f"It fits on {pads_said(pads, 'or')}." if pads else ""


def why_said(match: Match, pad: int, reasons: Iterable[str], own_pad: int | None) -> str:
    """Why a card is wrong on a pad, by what lies there now; `own_pad`: where it was played."""
    told = set(reasons)
    said = []
    stopped = match.round.stopped
    if Reason.AFTER_STOP in told:
        by = "the round was over" if stopped is None or stopped.by == BLOCKED else f"{stopped.by} had stopped"
        said.append(f"{by} when it came")
    if Reason.NOT_IN_GAME in told:
        said.append("nobody plays with this deck")
    if Reason.UNKNOWN_CARD in told:
        said.append("there is no such card")
    if Reason.CARD_ALREADY_PLAYED in told:
        said.append("it was played already" + ("" if own_pad is None else f", on pad {own_pad}"))
    if told & BESIDE_PILE:
        said.append(needs_said(match, pad))
    return listed(said)


def needs_said(match: Match, pad: int) -> str:
    """What a pad takes next."""
    pile = match.round.piles.get(pad)
    if pile is None:
        return "an empty pad takes only a 1"
    if pile.is_complete:
        return "the pile there is complete"
    return f"the next card there is the {face_said(pile.colour, pile.value + 1)}"


def stopper_said(by: str) -> str:
    """Who ended a round, at the beginning of a sentence."""
    return "Nobody could play any more" if by == BLOCKED else f"{by} stopped the round"


def line_said(line: Line) -> str:
    """A line of the record as a thing: "Anna's blue 4 on pad 3"."""
    match line:
        case CardLine(_, pad, card):
            return f"{card_said(card)} on pad {pad}"
        case StopLine(_, None):
            return "the withdrawal of the stop"
        case StopLine(_, stop):
            return "the end of a blocked round" if stop == BLOCKED else f"{stop}'s stop"
        case DecideLine(_, winner):
            return f"the decision for {winner}"
        case LeftLine(left):
            return f"the count of what was left ({numbers_said(left)})"


def report_said(report: Report, line: Line) -> str:
    """What became of a line, in a sentence."""
    match report:
        case Verdict(legal=True):
            return f"{_capital(line_said(line))}."
        case Verdict(legal=None):
            return f"{_capital(line_said(line))}: not decided who was first."
        case Verdict(reasons=reasons):
            return f"{_capital(line_said(line))}: wrong ({reasons_said(reasons)})."
        case Stopped(stop=None):
            return "The stop was taken back."
        case Stopped(stop=str(stop)):
            return f"{stopper_said(stop)}."
        case Decided(winner=winner):
            return f"{winner} was first."
        case RoundScore(number=number, points=points):
            return f"Round {number}: {numbers_said(points)}."
        case Refused(reasons=reasons):
            return f"{_capital(line_said(line))} does not count ({reasons_said(reasons)})."
        case _:
            return ""


def reasons_said(reasons: Iterable[str]) -> str:
    """Reasons as words."""
    return listed(reason.replace("_", " ") for reason in reasons)


def _capital(text: str) -> str:
    return text[:1].upper() + text[1:]
