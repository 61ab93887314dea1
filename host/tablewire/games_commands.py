"""`tablewire games`: the games that are kept, from a terminal.

Owns its commands, their options, and how a game is written out for people. Must not know SQL, nor any one
game. A table that is being played meanwhile goes on undisturbed.
"""

from __future__ import annotations

import json
import os
import shutil
import sys
import tempfile
from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import contextmanager
from datetime import UTC, datetime
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeVar

import click

from tablewire.errors import StoreError, UserError, one_line

if TYPE_CHECKING:
    # Every command of tablewire reads this file; only these few need the games behind it.
    from tablewire.games.live import Chapter
    from tablewire.shelf import Shelf
    from tablewire.store.entries import StoredGame
    from tablewire.store.journal import Journal

Command = TypeVar("Command", bound=Callable[..., Any])

SHORT_ID_CHARS = 8
"""How much of an id is shown: enough to tell a lifetime's games apart."""
COLUMN_CHARS = 60
"""A column of sentences is no wider: one long one would push its neighbours out of every line."""
YES = ("y", "yes")
DECLINED = 1
"""The exit status when a person says no."""


def data_option(command: Command) -> Command:
    """Where the games are."""
    return click.option(
        "--data",
        type=click.Path(path_type=Path, readable=False),
        help="The folder that keeps the games (default: your user data folder).",
    )(command)


def json_option(command: Command) -> Command:
    """Whether a program reads it."""
    return click.option("--json", "as_json", is_flag=True, help="Print JSON.")(command)


@click.group()
def games() -> None:
    """The games that are kept: list, show, export, import and delete them.

    ID is the beginning of a game's id, as far as it is needed to tell it from the others.
    """


@games.command("list")
@json_option
@data_option
def list_games(data: Path | None, as_json: bool) -> None:
    """List every game, newest first."""
    with _reading(data) as shelf:
        rows, place = shelf.games(), one_line(shelf.folder)
    if as_json:
        click.echo(json.dumps(rows))
    elif not rows:
        click.echo(f"no games are kept in {place}")
    else:
        for line in columns(_row_cells(row) for row in rows):
            print_line(line)


@games.command()
@click.argument("game_id", metavar="ID")
@json_option
@data_option
def show(game_id: str, data: Path | None, as_json: bool) -> None:
    """Show a game: its scores, its moves, and what people corrected."""
    with _reading(data) as shelf:
        game = shelf.find(game_id)
        row, audit = shelf.row(game), shelf.audit(game.game_id)
        document, story = shelf.document(game.game_id), shelf.story(game.game_id)
    if as_json:
        click.echo(json.dumps({**row, "history": document["history"], "audit": audit}))
        return
    for line in _told(row, document, story, audit):
        print_line(line)


@games.command()
@click.argument("game_id", metavar="ID")
@click.argument("file", default="-", type=click.Path(allow_dash=True))
@click.option("--force", is_flag=True, help="Write over a file that is there already.")
@data_option
def export(game_id: str, file: str, data: Path | None, force: bool) -> None:
    """Write a game as its record.

    JSON Lines to FILE, or to standard output. `tablewire score` reads it, and so does `games import`.
    """
    with _reading(data) as shelf:
        text = shelf.record(shelf.find(game_id).game_id)
    if file == "-":
        click.echo(text.encode("utf-8"), nl=False)  # whatever the terminal's own encoding is
    else:
        write_file(Path(file), text, force=force)


@games.command("import")
@click.argument("file", type=click.Path(allow_dash=True))
@data_option
def import_game(file: str, data: Path | None) -> None:
    """Keep a game record as a game, put aside, to be looked at or gone on with.

    FILE holds JSON Lines, `-` reads standard input. A record with a line against the rules is refused whole.
    """
    from tablewire.games.records import read_record

    text, name, folder = read_record(file)

    def warn(line: str) -> None:
        click.echo(f"tablewire: {name}: warning: {line}", err=True)

    with _writing(data) as (shelf, _journal):
        click.echo(shelf.import_record(text, name, folder, warn))


@games.command()
@click.argument("game_id", metavar="ID")
@click.option("--yes", is_flag=True, help="Do not ask.")
@data_option
def delete(game_id: str, data: Path | None, yes: bool) -> None:
    """Delete a game for good. Asks first; the game that is being played is not deleted."""
    with _reading(data) as shelf:
        game = shelf.find(game_id)
        row = shelf.row(game)
    if not yes and not agreed(f"delete game {'  '.join(_row_cells(row))} for good? [y/N] "):
        click.echo("nothing was deleted", err=True)
        sys.exit(DECLINED)
    with _writing(data) as (shelf, journal):
        _delete(shelf, journal, game)
    click.echo(f"deleted {game.game_id}")


def _delete(shelf: Shelf, journal: Journal, game: StoredGame) -> None:
    current = journal.current_game()
    if current is not None and current.game_id == game.game_id:
        if not journal.is_owner:
            raise StoreError(
                f"game {game.game_id[:SHORT_ID_CHARS]} is being played by the tablewire that runs in "
                f"{one_line(journal.path.parent)}: put it aside on its page first"
            )
        journal.put_aside()
    shelf.delete(game.game_id)


GAMES_COMMANDS = games
"""The group for the command line."""


def _now() -> datetime:
    return datetime.now(UTC)


@contextmanager
def _reading(data: Path | None) -> Iterator[Shelf]:
    from tablewire.shelf import Shelf
    from tablewire.store.journal import Journal

    with Journal.open_reading(data, _now) as journal:
        yield Shelf(journal)


@contextmanager
def _writing(data: Path | None) -> Iterator[tuple[Shelf, Journal]]:
    from tablewire.shelf import Shelf
    from tablewire.store.journal import Journal

    with Journal.open_beside(data, _now) as journal:
        for notice in journal.notices:
            click.echo(f"tablewire: {notice}", err=True)
        yield Shelf(journal), journal


def print_line(line: str) -> None:
    """A line for people; what would break it or colour it, and letters that their terminal does not know,
    stand as escapes: names and notes may hold anything.
    """
    encoding = getattr(sys.stdout, "encoding", None) or "utf-8"
    click.echo(one_line(line).encode(encoding, "backslashreplace").decode(encoding))


def agreed(question: str) -> bool:
    """Whether a person says yes. UserError when nobody can answer."""
    click.echo(question, nl=False, err=True)
    answer = sys.stdin.readline() if sys.stdin is not None else ""
    if not answer:
        click.echo(err=True)
        raise UserError("nobody answered, so nothing was deleted: answer y, or give --yes")
    return answer.strip().lower() in YES


def write_file(path: Path, text: str, *, force: bool) -> None:
    """Write a file whole or not at all. UserError when it is there already, or the system refuses."""
    try:
        if not force or not os.path.lexists(path):
            _write_new(path, text)
        elif path.is_file():
            _write_over(path.resolve(), text)
        else:
            path.write_text(text, "utf-8")  # a device, a pipe, a link: written to, never replaced
    except FileExistsError as exc:
        raise UserError(f"{one_line(path)} is there already: name another file, or give --force") from exc
    except (OSError, ValueError) as exc:
        why = getattr(exc, "strerror", None) or "no file can have this name"
        raise UserError(f"cannot write {one_line(path)}: {why}; name another file") from exc


def _write_new(path: Path, text: str) -> None:
    with path.open("x", encoding="utf-8") as file:
        try:
            file.write(text)
            file.flush()
            os.fsync(file.fileno())
        except OSError:
            path.unlink()
            raise


def _write_over(path: Path, text: str) -> None:
    with tempfile.TemporaryDirectory(prefix=".tablewire-", dir=path.parent) as folder:
        draft = Path(folder) / "record"
        _write_new(draft, text)
        shutil.copymode(path, draft)
        draft.replace(path)


def _local(moment: str) -> str:
    """A stored moment as the clock on the wall showed it."""
    return f"{datetime.fromisoformat(moment).astimezone():%Y-%m-%d %H:%M}"


def _row_cells(row: Mapping[str, Any]) -> tuple[str, ...]:
    moves = "cannot be read" if row["moves"] is None else _count(row["moves"], _unit(row["game"]))
    return (
        row["game_id"][:SHORT_ID_CHARS],
        _local(row["started"]),
        row["state"],
        row["game"],
        ", ".join(row["players"]),
        moves,
        _standing(row),
    )


def _standing(row: Mapping[str, Any]) -> str:
    points = row.get("totals") or row["scores"]
    standing = ", ".join(f"{player} {count}" for player, count in points.items())
    won = f"; {' and '.join(row['winners'])} won" if row["winners"] else ""
    return standing + won


def columns(rows: Iterable[tuple[str, ...]]) -> Iterator[str]:
    """Rows of cells as lines, every column as wide as its widest cell, but for sentences that are longer."""
    table = list(rows)
    widths = [min(COLUMN_CHARS, max(map(len, column))) for column in zip(*table, strict=True)]
    for row in table:
        yield "  ".join(cell.ljust(width) for cell, width in zip(row, widths, strict=True)).rstrip()


def _told(
    row: Mapping[str, Any],
    document: Mapping[str, Any],
    story: Iterable[Chapter],
    audit: Iterable[Mapping[str, Any]],
) -> Iterator[str]:
    options = ", ".join(f"{name} {json.dumps(value)}" for name, value in document["options"].items())
    yield f"game {row['game_id']}"
    rulebook = f"rulebook {document['rulebook']}" if document["rulebook"] else ""
    yield ", ".join(text for text in (row["game"], rulebook, options) if text)
    yield f"begun {_local(row['started'])}, changed {_local(row['changed'])}, {row['state']}"
    yield ""
    totals = row.get("totals")
    yield from columns(
        (
            ("player", "score", *(("total",) if totals else ()), ""),
            *(
                (
                    player,
                    str(score),
                    *((str(totals[player]),) if totals else ()),
                    "won" if player in row["winners"] else "",
                )
                for player, score in row["scores"].items()
            ),
        )
    )
    yield ""
    lines = [(f"{n:>3}", player, one_line(what), one_line(outcome)) for n, player, what, outcome in story]
    yield from columns(lines or [(f"no {_unit(row['game'])}s yet",)])
    told = [(_local(act["at"]), act["by"], act["text"], act["note"] and f"({act['note']})") for act in audit]
    if told:
        yield ""
        yield "what people changed"
        yield from map(one_line, columns(told))


def _unit(game: str) -> str:
    """What the moves of a game are, one of them."""
    from tablewire.games.catalogue import PLAYABLE

    return PLAYABLE[game].counts if game in PLAYABLE else "move"


def _count(count: int, what: str) -> str:
    return f"{count} {what}{'' if count == 1 else 's'}"
