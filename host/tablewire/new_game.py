"""A new game as a command line describes it: which game, who plays, by which options -> a record's header.

Owns what each game may be given there, and the one line for what it may not. Must not know the rules of any
game: whether a header makes a game, the game itself says when it is pinned.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from tablewire.errors import UserError, quoted, short_line
from tablewire.wire.messages import BoardKind

CIRKIS, LIGRETTO = "cirkis", "ligretto"
DEFAULT_RULEBOOK = "hasbro"
COLOURS = ("red", "green", "purple", "yellow")
"""In the order in which they are proposed: the two of opposite poles first."""
VALUE_MAX_DIGITS = 9
"""What an option may be worth: more than any game's points, and no work to read."""


BOARDS: Mapping[str, BoardKind] = {CIRKIS: BoardKind.CIRKIS, LIGRETTO: BoardKind.LIGRETTO}
"""By the game, which is how a person calls a board."""


@dataclass(frozen=True, slots=True)
class Words:
    """What can be said of a new game of one kind. `flags`: the options of a command that are this game's
    alone; `switches`: the options that say all without a value; `counts`: how many may play; `proposed`: who
    does, when only their number is said.
    """

    title: str
    options: tuple[str, ...]
    flags: frozenset[str]
    switches: frozenset[str]
    counts: range
    proposed: Callable[[int], Sequence[str]]


GAMES: Mapping[str, Words] = {
    CIRKIS: Words(
        "Cir*Kis",
        ("center_ring", "voluntary_pass", "target", "match"),
        frozenset({"--rulebook", "--pieces", "--quiet"}),
        frozenset({"center_ring", "voluntary_pass"}),
        range(2, 5),
        lambda count: COLOURS[:count],
    ),
    LIGRETTO: Words(
        "Ligretto",
        ("rounds", "target", "left_penalty", "scan_ms"),
        frozenset(),
        frozenset(),
        range(2, 13),
        lambda count: [f"Player {seat}" for seat in range(1, count + 1)],
    ),
}


def refuse_a_game_without_players(
    *, new: bool, game: str | None, rulebook: str | None, options: Sequence[str], pieces: Path | None
) -> None:
    """UserError when something that only a new game has is asked for, but not who plays it."""
    given = {
        "--new": new,
        "--game": game,
        "--rulebook": rulebook,
        "--option": options,
        "--pieces": pieces,
    }
    for option, value in given.items():
        if value:
            raise UserError(
                f"{option} is for a new game: say with --players who plays, or begin it on the page"
            )


def header_of(
    players: str,
    game: str | None = None,
    rulebook: str | None = None,
    options: Sequence[str] = (),
    pieces: Path | None = None,
    warn: Callable[[str], None] = lambda _: None,
    names: Sequence[str] = (),
    quiet_ms: int | None = None,
) -> dict[str, Any]:
    """The record header of the game that the options describe; `warn` is told what is odd about it.

    `players`: names (or colours) with commas between, or how many; `names`: who that are then, if not those
    that the game proposes. `quiet_ms`: how long a piece must lie, if that is said: no part of a header, and
    nothing to some games. UserError.
    """
    name = game or CIRKIS
    words = GAMES[name]
    _refuse_of_another(name, {"--rulebook": rulebook, "--pieces": pieces, "--quiet": quiet_ms}, options)
    chosen: dict[str, Any] = dict(_option(option, words) for option in options)
    seats = players_of(players, words, names)
    if name != CIRKIS:
        return {"record": 1, "game": name, "players": seats, "options": chosen}
    _expect_colours(seats, players)
    if pieces is not None:
        chosen["pieces"] = _piece_set(pieces, warn)
    return {
        "record": 1,
        "game": name,
        "rulebook": rulebook or DEFAULT_RULEBOOK,
        "players": seats,
        "options": chosen,
    }


def players_of(players: str, words: Words, names: Sequence[str] = ()) -> list[str]:
    """Who plays; a number takes so many of those that are proposed. UserError for a number that cannot be."""
    text = players.strip()
    if not (text.isascii() and text.isdigit()):
        return [player.strip() for player in players.split(",")]
    counts = words.counts
    if len(text) > VALUE_MAX_DIGITS or int(text) not in counts:
        raise UserError(
            f"--players {text[:20]}: {words.title} is for {counts.start} to {counts.stop - 1} players"
        )
    return list(names[: int(text)] or words.proposed(int(text)))


def option_value(name: str, value: str) -> bool | int:
    """`center_ring`, `center_ring=true` or `target=60` as a value. UserError."""
    words: dict[str, bool] = {
        "": True,
        "true": True,
        "yes": True,
        "on": True,
        "false": False,
        "no": False,
        "off": False,
    }
    if value.lower() in words:
        return words[value.lower()]
    if value.isascii() and value.isdigit() and len(value) <= VALUE_MAX_DIGITS:
        return int(value)
    raise UserError(
        f"--option {short_line(f'{name}={value}', 40)}: write true, false or a whole number of at most "
        f"{VALUE_MAX_DIGITS} digits"
    )


def _option(option: str, words: Words) -> tuple[str, bool | int]:
    name, _, text = option.partition("=")
    name, value = name.strip(), option_value(name, text)
    if isinstance(value, bool) and name in words.options and name not in words.switches:
        raise UserError(
            f"--option {short_line(option, 40)}: {name} is a whole number; write --option {name}=NUMBER"
        )
    return name, value


def _refuse_of_another(game: str, flags: Mapping[str, Any], options: Sequence[str]) -> None:
    """UserError for what another game has and this one has not; what none has, the game itself refuses."""
    own = GAMES[game]
    known = f"{own.title} knows --option {', '.join(own.options)}"
    for name, other in GAMES.items():
        if name == game:
            continue
        for flag in sorted(other.flags - own.flags):
            if flags.get(flag) is not None:
                raise UserError(f"{flag} is for {other.title}: leave it out; {known}")
        for option in options:
            word = option.partition("=")[0].strip()
            if word in other.options and word not in own.options:
                raise UserError(f"--option {word} is for {other.title}; {known}")


def _expect_colours(seats: Sequence[str], players: str) -> None:
    # Whoever gives names and no colour at all has another game in mind than the usual one.
    if all(seats) and not set(seats) & set(COLOURS):
        raise UserError(
            f"--players {quoted(players)}: Cir*Kis is played by colours ({', '.join(COLOURS)}); names are "
            f"for --game {LIGRETTO}"
        )


def _piece_set(file: Path, warn: Callable[[str], None]) -> Any:
    from tablewire.games.cirkis.pieces import load_piece_set

    loaded = load_piece_set(file)
    for warning in loaded.warnings:
        warn(f"{file}: warning: {warning}")
    return loaded.to_json()
