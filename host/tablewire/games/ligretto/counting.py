"""The cards left over after a stop: counted over a pad, typed in, and the two compared.

Owns what the numbers come to and what cannot be true of them. Must not know the journal, or how a
card is read.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping
from typing import TYPE_CHECKING, Any, NamedTuple

from tablewire.games.ligretto.cards import DECK_COUNT, LIGRETTO_COUNT
from tablewire.games.ligretto.setting import pads_said
from tablewire.games.ligretto.words import card_said, counted, listed, numbers_said

if TYPE_CHECKING:
    from tablewire.games.ligretto.course import LigrettoTable
    from tablewire.games.ligretto.match import Match


class Left(NamedTuple):
    """What is left in each pile, as far as anybody said. `missing`: players of whom nobody did; `differs`:
    those for whom another number was typed in than was counted, both.
    """

    left: Mapping[str, Any]
    missing: tuple[str, ...]
    differs: Mapping[str, tuple[Any, int]]


def counted_cards(table: LigrettoTable, match: Match) -> dict[str, int]:
    """How many cards of each player were passed over the counting pad and are not among those played."""
    if table.counting is None:
        return {}
    cards = {table.card_of(uid) for uid in table.counting.uids}
    owners = Counter(card.owner for card in cards if card is not None and card not in match.round.accepted)
    return {player: owners[player] for player in table.setting.rules.players}


def compared(table: LigrettoTable, match: Match, typed: Mapping[str, Any]) -> Left:
    """Typed numbers and counted ones as one; the player who stopped has none left where nothing is said."""
    seen, stopped = counted_cards(table, match), match.round.stopped
    left: dict[str, Any] = dict(typed)
    for player in table.setting.rules.players:
        if player not in left and (seen or (stopped is not None and stopped.by == player)):
            left[player] = seen.get(player, 0)
    missing = tuple(player for player in table.setting.rules.players if player not in left)
    differs = {
        player: (typed[player], count)
        for player, count in seen.items()
        if count and player in typed and typed[player] != count
    }
    players = [player for player in table.setting.rules.players if player in left]
    return Left({name: left[name] for name in (*players, *(left.keys() - set(players)))}, missing, differs)


def impossible(match: Match, left: Mapping[str, Any]) -> Iterator[str]:
    """What cannot be true of these numbers, one sentence for each player."""
    played, stopped = match.round.played, match.round.stopped
    for name in match.round.bad_counts(left):
        count = left.get(name)
        if name not in played:
            yield f"{name} does not play."
        elif type(count) is not int or not 0 <= count <= LIGRETTO_COUNT:
            yield f"Of {name}'s Ligretto pile 0 to {LIGRETTO_COUNT} cards can be left, not {count}."
        elif stopped is not None and stopped.by == name:
            yield f"{name} stopped the round with an empty Ligretto pile, so {count} cannot be left in it."
        else:
            yield (
                f"{name} has {counted(played[name], 'card')} on the table, so at most "
                f"{DECK_COUNT - played[name]} of {DECK_COUNT} can be left, not {count}."
            )


def differs_said(left: Left, pad: int) -> str:
    """Whose typed number is not the counted one."""
    said = [
        f"{player}: {seen} counted on pad {pad}, {typed} typed in"
        for player, (typed, seen) in left.differs.items()
    ]
    return f"{'; '.join(said)}. Correct the number, count again, or end the counting."


def counting_said(table: LigrettoTable, match: Match) -> str:
    """How the count stands, and what is odd about it."""
    counting = table.counting
    if counting is None:
        return ""
    seen = {player: count for player, count in counted_cards(table, match).items() if count}
    said = [
        f"Pass the cards left in each Ligretto pile over pad {counting.pad}, one by one."
        if not counting.uids
        else f"Counted on pad {counting.pad}: {numbers_said(seen) or 'no card of a player'}."
    ]
    if counting.uids:
        uid = counting.uids[-1]
        card = table.card_of(uid)
        if card is None:
            said.append(f"The last one was no card: tag {uid}.")
        elif card in match.round.accepted:
            said.append(f"{card_said(card)} was played, so it is not counted.")
        elif card.owner not in table.setting.rules.players:
            said.append(f"{card_said(card)} belongs to a deck that does not play.")
    said += impossible(match, {**dict.fromkeys(match.round.played, 0), **seen})
    return " ".join(said)


def counting_json(table: LigrettoTable, match: Match, reader_count: int | None) -> dict[str, Any] | None:
    """The count for the state document; None while nobody counts. `reader_count`: of the board heard last."""
    if table.counting is None:
        return None
    pad, there = table.counting.pad, table.setting.known_pads(reader_count)
    text = counting_said(table, match)
    if there is not None and pad >= there:
        text = f"There is no pad {pad}: the board has {pads_said(there)}. End the counting, and count again."
    return {"pad": pad, "counted": counted_cards(table, match), "text": text}


def missing_said(players: tuple[str, ...]) -> str:
    """Whose number nobody gave."""
    return f"How many cards are left in the Ligretto pile of {listed(players)}? Type it in, or count them."
