"""`tablewire deck`: the decks of cards that are kept, from a terminal.

Owns its commands, their options, and how a deck is written out for people. Must not know SQL, frames, or how
a deck is taught.
"""

from __future__ import annotations

import json
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from datetime import UTC, datetime
from pathlib import Path
from typing import TYPE_CHECKING

import click

from tablewire.builder.commands import say_line
from tablewire.errors import StoreError, UserError, one_line, quoted
from tablewire.games_commands import agreed, columns, data_option, json_option, print_line, write_file
from tablewire.link.address import Address
from tablewire.options import no_nan, port_options

if TYPE_CHECKING:
    # Every command of tablewire reads this file; only these few need decks and the journal.
    from tablewire.games.ligretto.decks import Deck
    from tablewire.store.journal import Journal

GAME = "ligretto"
"""Whose decks they are."""
PADS_MAX_COUNT = 48
"""The most pads a board has."""
DECLINED = 1
"""The exit status when a person says no, or a lesson ends before the deck is complete."""
pad_option = click.option(
    "--pad",
    type=click.IntRange(0, PADS_MAX_COUNT - 1),
    metavar="NUMBER",
    help="Lay the cards on this pad alone (default: on any).",
)


@click.group()
def deck() -> None:
    """The decks of cards for Ligretto: teach, list, show, export, import and forget them.

    Every card has a sticker with a tag. A deck is taught once, card by card: which tag is which card.
    """


@deck.command()
@click.argument("name")
@port_options
@pad_option
@data_option
def teach(name: str, port: Address, baud: int, pad: int | None, data: Path | None) -> None:
    """Teach a deck, or go on where it was left: says which card to lay next.

    What is taught is kept at once. While `tablewire run` uses the board, teach on its page.
    """
    from tablewire.builder.conversation import Conversation
    from tablewire.builder.deck_lesson import DeckLesson
    from tablewire.builder.dialogue import Left, Terminal
    from tablewire.builder.reaching import link_to
    from tablewire.games.ligretto.decks import Deck, parse_deck_name
    from tablewire.games.ligretto.lesson import Lesson

    called = parse_deck_name(name)
    with _writing(data) as journal:
        if not journal.is_owner:
            raise StoreError(
                f"another tablewire uses {one_line(journal.path.parent)}: if it is a table, teach the deck "
                "on its page; if it is a lesson, end that first"
            )
        decks = _decks(journal)
        begun = Lesson.begin(decks.get(called, Deck(called)), decks.values(), pad)

        def keep(taught: Deck) -> None:
            journal.keep(GAME, taught.name, taught.to_kept())

        with Conversation(link_to(port, baud, say_line), say_line) as board:
            lesson = DeckLesson(board, Terminal(say_line), begun, keep)
            try:
                lesson.run()
            except (Left, KeyboardInterrupt):
                say_line("Stopped: the same command goes on from here.")
            finally:
                if called in journal.kept(GAME):
                    say_line(lesson.summary())
            sys.exit(0 if lesson.lesson.deck.is_complete else DECLINED)


@deck.command("which")
@port_options
@click.option(
    "--seconds",
    type=click.FloatRange(0.1, 86_400),
    callback=no_nan,
    help="Stop by itself after so long.",
)
@data_option
def which_card(port: Address, baud: int, seconds: float | None, data: Path | None) -> None:
    """Say of each card that is laid on a pad which one it is."""
    from tablewire.builder.conversation import Conversation
    from tablewire.builder.deck_lesson import CardReading
    from tablewire.builder.reaching import link_to

    with _reading(data) as journal:
        decks = _decks(journal).values()
    with Conversation(link_to(port, baud, say_line), say_line) as board:
        try:
            CardReading(board, say_line, decks).run(seconds)
        except KeyboardInterrupt:
            return


@deck.command("list")
@json_option
@data_option
def list_decks(data: Path | None, as_json: bool) -> None:
    """List the decks, and which of them are complete."""
    from tablewire.games.ligretto.teaching import deck_words

    with _reading(data) as journal:
        decks, place = _decks(journal), one_line(journal.path.parent)
    if as_json:
        click.echo(json.dumps([{"name": deck.name, "missing": len(deck.missing)} for deck in decks.values()]))
    elif not decks:
        click.echo(f"no decks are kept in {place}: teach one with tablewire deck teach NAME")
    else:
        for line in columns((deck.name, deck_words(deck)) for deck in decks.values()):
            print_line(line)


@deck.command()
@click.argument("name")
@json_option
@data_option
def show(name: str, data: Path | None, as_json: bool) -> None:
    """Show a deck: which of its cards are taught."""
    from tablewire.games.ligretto.deck_file import encode_deck
    from tablewire.games.ligretto.teaching import deck_words

    with _reading(data) as journal:
        found = _deck(journal, name)
    if as_json:
        click.echo(json.dumps(json.loads(encode_deck(found))))
        return
    print_line(f"{found.name}: {deck_words(found)}")
    for line in columns(_rows(found)):
        print_line(line)


@deck.command()
@click.argument("name")
@click.argument("file", default="-", type=click.Path(allow_dash=True))
@click.option("--force", is_flag=True, help="Write over a file that is there already.")
@data_option
def export(name: str, file: str, data: Path | None, force: bool) -> None:
    """Write a deck to FILE, or to standard output, for another table."""
    from tablewire.games.ligretto.deck_file import encode_deck

    with _reading(data) as journal:
        text = encode_deck(_deck(journal, name))
    if file == "-":
        click.echo(text.encode("utf-8"), nl=False)
    else:
        write_file(Path(file), text, force=force)


@deck.command("import")
@click.argument("file", type=click.Path(allow_dash=True))
@click.option("--name", help="What to call it here (default: what it was called there).")
@click.option("--force", is_flag=True, help="Take the place of a deck of that name.")
@data_option
def import_deck(file: str, name: str | None, data: Path | None, force: bool) -> None:
    """Keep a deck that was exported. One with faults, or with tags of another deck, is refused whole."""
    from tablewire.games.ligretto.deck_file import MAX_FILE_BYTES, parse_deck
    from tablewire.games.ligretto.decks import clashes, in_one_line
    from tablewire.games.ligretto.teaching import deck_words
    from tablewire.games.outside import decode_text, read_capped, read_stream_capped

    if file == "-":
        called = "standard input"
        content = read_stream_capped(sys.stdin.buffer, MAX_FILE_BYTES, called, "deck")
    else:
        called = one_line(file)
        content = read_capped(Path(file), MAX_FILE_BYTES, "deck")
    text = decode_text(content, called, "deck")
    try:
        told = parse_deck(text, name)
    except UserError as exc:
        raise UserError(f"{called}: {exc}") from exc
    with _writing(data) as journal:
        decks = _decks(journal)
        if told.name in decks and not force:
            raise UserError(
                f"there is a deck {quoted(told.name)} already: give this one another --name, or --force to "
                "let it take that one's place"
            )
        if twice := clashes(told, decks.values()):
            raise UserError(f"{called}: {in_one_line(twice)}; forget that deck first, or teach one anew")
        journal.keep(GAME, told.name, told.to_kept())
        _tell_of_another(journal)
    print_line(f"{told.name}: {deck_words(told)}")


@deck.command()
@click.argument("name")
@click.option("--yes", is_flag=True, help="Do not ask.")
@data_option
def forget(name: str, data: Path | None, yes: bool) -> None:
    """Forget a deck for good. Asks first; games that were begun with it keep it."""
    with _reading(data) as journal:
        bodies, garbled = journal.kept_readable(GAME)
        if name not in bodies and not garbled:
            raise _no_deck(name, list(bodies))
    if not yes and not agreed(f"forget the deck {quoted(name)} for good? [y/N] "):
        click.echo("nothing was forgotten", err=True)
        sys.exit(DECLINED)
    with _writing(data) as journal:
        journal.forget(GAME, name)
        _tell_of_another(journal)
    print_line(f"forgot {one_line(name)}")


DECK_COMMANDS = deck
"""The group for the command line."""


def _rows(found: Deck) -> Iterator[tuple[str, ...]]:
    from tablewire.games.ligretto.cards import FACES, Colour

    for colour in Colour:
        faces = [face for face in FACES if face.colour == colour]
        yield (colour.value, *(str(f.value) if f in found.tags.values() else "-" for f in faces))


def _decks(journal: Journal) -> dict[str, Deck]:
    """The decks that are kept. What cannot be read is said, and left as it is."""
    from tablewire.games.ligretto.decks import kept_deck

    bodies, lines = journal.kept_readable(GAME)
    decks = {}
    for name, body in bodies.items():
        try:
            decks[name] = kept_deck(name, body)
        except UserError as exc:
            lines.append(str(exc))
    for line in lines:
        click.echo(f"tablewire: {line}", err=True)
    return decks


def _deck(journal: Journal, name: str) -> Deck:
    decks = _decks(journal)
    if name not in decks:
        raise _no_deck(name, list(decks))
    return decks[name]


def _no_deck(name: str, names: list[str]) -> UserError:
    known = f"there are {', '.join(map(one_line, names))}" if names else "none is kept"
    return UserError(f"there is no deck {quoted(name)}: {known}")


def _tell_of_another(journal: Journal) -> None:
    if not journal.is_owner:
        click.echo(
            "tablewire: the table that runs there hears of it when the next game or lesson begins", err=True
        )


def _now() -> datetime:
    return datetime.now(UTC)


@contextmanager
def _reading(data: Path | None) -> Iterator[Journal]:
    from tablewire.store.journal import Journal

    with Journal.open_reading(data, _now) as journal:
        yield journal


@contextmanager
def _writing(data: Path | None) -> Iterator[Journal]:
    from tablewire.store.journal import Journal

    with Journal.open_beside(data, _now) as journal:
        for notice in journal.notices:
            click.echo(f"tablewire: {notice}", err=True)
        yield journal
