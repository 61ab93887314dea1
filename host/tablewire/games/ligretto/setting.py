"""What a game at the table is begun with: its rules, which tag is which card, and the pad where cards are
counted.

Owns these parts of a pinned header, and which of the decks that are kept each player has. Must not know how
decks are taught or kept, or what lies on the table.

In a header beside the record's own keys: `x_decks`, {player: {"deck": name, "tags": {uid: [colour, value]}}};
`x_others`, {deck: {"tags": ...}}, the decks that are kept and do not play; `x_count_pad`; `x_pads`, how many
pads the board had that was there when the game began, left out where none was; and before a game is pinned
`x_use`, {player: deck}. A record of the game has none of these.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from tablewire.errors import UserError, quoted
from tablewire.games.ligretto.cards import VALUE_MAX, Card, Colour
from tablewire.games.ligretto.decks import Deck, kept_deck, kept_decks, parse_deck_name
from tablewire.games.ligretto.record import GAME_NAME, Rules, encode_header, parse_header

PADS_OF_A_BOARD = 16
PLAYERS_OF_A_BOARD = 4
"""At most one pile for each 1 in play, which is four a player: sixteen pads serve four players."""
PAD_LIMIT = 256
"""The wire numbers readers in a byte."""
NAME_MAX_CHARS = 40
"""Of a player at a table: a name stands in every line that is kept and many times in all that is shown."""


@dataclass(frozen=True, slots=True)
class Setting:
    """A game's rules; `cards` tells by UID which card each tag is, of players and of decks that do not play.

    `decks`: the deck of each player, as far as one is known. `count_pad`: where cards are counted after a
    stop, unless somebody says otherwise. `pads`: how many the board had that the game began on, None where
    none was there.

    A `reader_count` is how many the board heard last has, None before any: it goes before what was pinned.
    """

    rules: Rules
    cards: Mapping[str, Card] = field(default_factory=dict)
    decks: Mapping[str, str] = field(default_factory=dict)
    count_pad: int | None = None
    pads: int | None = None

    def known_pads(self, reader_count: int | None) -> int | None:
        """How many pads there are; None where no board has said so."""
        return reader_count or self.pads

    def pad_count(self, reader_count: int | None) -> int:
        """How many pads there are, or, where no board has said so, as many as so many players need."""
        boards = -(-len(self.rules.players) // PLAYERS_OF_A_BOARD)
        return self.known_pads(reader_count) or PADS_OF_A_BOARD * boards

    def pad_to_count(self, reader_count: int | None) -> int:
        """Where cards are counted unless somebody says otherwise: the pad set for it, if there is such a pad,
        else the last one.
        """
        known = self.known_pads(reader_count)
        if self.count_pad is not None and (known is None or self.count_pad < known):
            return self.count_pad
        return self.pad_count(reader_count) - 1


def parse_setting(header: Mapping[str, Any]) -> Setting:
    """Read a header with what belongs to the table in it. UserError: what is wrong with it."""
    rules = parse_header(header)
    cards: dict[str, Card] = {}
    decks: dict[str, str] = {}
    for player, deck in _object(header.get("x_decks", {}), "x_decks").items():
        if player not in rules.players:
            raise UserError(f'"x_decks" has a deck for {quoted(player)}, who does not play')
        body = _object(deck, "a deck")
        decks[player] = parse_deck_name(body.get("deck"))
        _add(cards, player, kept_deck(decks[player], body))
    for name, deck in _object(header.get("x_others", {}), "x_others").items():
        owner = name if name not in rules.players else f"deck {name}"
        _add(cards, owner, kept_deck(name, _object(deck, "a deck")))
    pad = header.get("x_count_pad")
    if pad is not None and (type(pad) is not int or not 0 <= pad < PAD_LIMIT):
        raise UserError(f'"x_count_pad" is {quoted(pad)}; write the number of a pad, 0 to {PAD_LIMIT - 1}')
    pads = header.get("x_pads")
    if pads is not None and (type(pads) is not int or not 1 <= pads <= PAD_LIMIT):
        raise UserError(f'"x_pads" is {quoted(pads)}; write how many pads the board has, 1 to {PAD_LIMIT}')
    if pads is not None and pad is not None and pad >= pads:
        raise UserError(f'"x_count_pad" is {pad}, and the board has {pads_said(pads)}: name one of these')
    return Setting(rules, cards, decks, pad, pads)


def pads_said(count: int) -> str:
    """The pads of a board by their numbers."""
    return "pad 0 alone" if count == 1 else f"pads 0 to {count - 1}"


def pin(header: Mapping[str, Any]) -> dict[str, Any]:
    """A header with nothing in it but what this game needs, so that nothing outside can change the game.

    UserError when it is none.
    """
    setting = parse_setting(header)
    for player in setting.rules.players:
        if len(player) > NAME_MAX_CHARS or not player.isprintable():
            raise UserError(
                f"at a table nobody can be called {quoted(player)}: write a name of one line, of at most "
                f"{NAME_MAX_CHARS} characters"
            )
    beside = {key: header[key] for key in ("x_decks", "x_others") if header.get(key)}
    numbers = {"x_count_pad": setting.count_pad, "x_pads": setting.pads}
    known = {key: number for key, number in numbers.items() if number is not None}
    return {**encode_header(setting.rules), **beside, **known}


def furnish(
    header: Mapping[str, Any], kept: Mapping[str, Any], reader_count: int | None
) -> Mapping[str, Any]:
    """The header with the pads of the board, if one is known, and the decks that are kept at this table: one
    for each player, and the others beside.

    UserError when there are too few, or one that is to be played with is not complete. A header that has its
    decks already, or no list of players, is left as it is: whoever reads it says what is wrong.
    """
    if reader_count is not None:
        header = {**header, "x_pads": reader_count}
    players = header.get("players")
    if "x_decks" in header or not isinstance(players, list) or not all(isinstance(p, str) for p in players):
        return header
    known = kept_decks(kept)
    dealt = _dealt(players, _object(header.get("x_use", {}), "x_use"), known)
    for name in dealt.values():
        if missing := known[name].missing:
            cards = "1 card is" if len(missing) == 1 else f"{len(missing)} cards are"
            raise UserError(
                f"the deck {quoted(name)} is not complete: {cards} missing; teach them first "
                "(tablewire deck teach, or on the page), or use another deck"
            )
    others = {name: deck.to_kept() for name, deck in known.items() if name not in dealt.values()}
    return {
        **{key: value for key, value in header.items() if key != "x_use"},
        "x_decks": {player: {"deck": name, **known[name].to_kept()} for player, name in dealt.items()},
        **({"x_others": others} if others else {}),
    }


def _dealt(players: list[str], use: Mapping[str, Any], kept: Mapping[str, Deck]) -> dict[str, str]:
    """The deck of each player: the one chosen, else that of their own name, else the next that is free."""
    for player, deck in use.items():
        if player not in players:
            raise UserError(f'"x_use" names a deck for {quoted(player)}, who does not play')
        # A name may be any JSON here: a list has no place in a mapping to be looked up by.
        if not isinstance(deck, str) or deck not in kept:
            raise UserError(f"no deck {quoted(deck)} is kept at this table: tablewire deck list shows them")
    if len(set(use.values())) != len(use):
        raise UserError("two players cannot have the same deck: give each one of their own")
    own = {player: player for player in players if player not in use and player in kept}
    decks = {**own, **use} if not set(own.values()) & set(use.values()) else dict(use)
    free = [name for name in kept if name not in decks.values()]
    # One that is not complete is taken last, so that it is named only where no other would do.
    free.sort(key=lambda name: not kept[name].is_complete)
    for player in players:
        if player not in decks:
            if not free:
                raise UserError(
                    f"{len(players)} players need {len(players)} decks, and {len(kept) or 'none'} "
                    f"{'is' if len(kept) < 2 else 'are'} kept at this table: teach "
                    f"{'another' if kept else 'them'} (tablewire deck teach NAME, or on the page)"
                )
            decks[player] = free.pop(0)
    return {player: decks[player] for player in players}


def _add(cards: dict[str, Card], owner: str, deck: Deck) -> None:
    """Add the tags of one deck. UserError when one is another card's too."""
    for uid, face in deck.tags.items():
        if uid in cards:
            raise UserError(f"the tag {uid} is in two decks: teach one of the two cards anew")
        cards[uid] = Card(owner, *face)


def _object(value: object, what: str) -> Mapping[str, Any]:
    if not isinstance(value, Mapping):
        raise UserError(f"{what} is {quoted(value)}; write a JSON object")
    return value


def board_json() -> dict[str, Any]:
    """What a page draws the game on."""
    return {
        "game": GAME_NAME,
        "pads": PADS_OF_A_BOARD,
        "colours": [colour.value for colour in Colour],
        "values": VALUE_MAX,
    }
