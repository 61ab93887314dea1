"""The command line: options in, one clear line out when something is wrong.

Owns the commands, their options and exit statuses. Must not know rules, frames or SQL; it wires modules.

Exit statuses: 0 done; 1 a verdict against what was given (`score`), or the work failed; 2 the input was
wrong.
"""

from __future__ import annotations

import errno
import io
import json
import logging
import os
import sys
from contextlib import suppress
from dataclasses import replace
from pathlib import Path
from typing import Any

import click

from tablewire import __version__
from tablewire.board.timing import DEFAULT_TIMING
from tablewire.builder.commands import BUILDER_COMMANDS
from tablewire.deck_commands import DECK_COMMANDS
from tablewire.doctor.commands import doctor
from tablewire.errors import BoardError, StoreError, UserError, one_line
from tablewire.games_commands import GAMES_COMMANDS
from tablewire.link.address import Address
from tablewire.new_game import BOARDS, CIRKIS, GAMES, LIGRETTO, header_of, refuse_a_game_without_players
from tablewire.options import (
    address_of,
    game_options,
    no_nan,
    port_options,
    simulated_options,
)
from tablewire.ports_command import PORTS_COMMANDS
from tablewire.virtual.pads import BOARD_READERS, READERS_MAX


@click.group(context_settings={"help_option_names": ["-h", "--help"]})
@click.version_option(__version__, prog_name="tablewire")
def cli() -> None:
    """A companion for physical game tables: reads the sensors, checks placements, keeps score, shows it
    live."""


for _command in (*BUILDER_COMMANDS, doctor, GAMES_COMMANDS, DECK_COMMANDS, PORTS_COMMANDS):
    cli.add_command(_command)


@cli.command()
@click.option("--json", is_flag=True, required=True, expose_value=False, help="Print the board as JSON.")
@click.option(
    "--game", type=click.Choice(list(GAMES)), default=CIRKIS, show_default=True, help="Whose board to print."
)
@click.option(
    "--pieces",
    type=click.Path(path_type=Path),
    help="A piece set (TOML) in place of the default, for Cir*Kis.",
)
def board(game: str, pieces: Path | None) -> None:
    """Print a game's board as JSON.

    Cir*Kis: its spaces, what touches what, the figures, and where each shape of the piece set fits. Ligretto:
    its pads, and what a card can show.
    """
    if pieces is None:
        from tablewire.games.catalogue import playable

        click.echo(json.dumps(playable(game).board()))
        return
    if game != CIRKIS:
        raise UserError(f"--pieces is for Cir*Kis; {GAMES[game].title} has cards")
    from tablewire.games.cirkis.pieces import load_piece_set
    from tablewire.games.cirkis.tiling import board_json

    chosen = load_piece_set(pieces)
    for warning in chosen.warnings:
        _warn(f"{pieces}: warning: {warning}")
    click.echo(json.dumps(board_json(chosen)))


@cli.command()
@click.argument("file", type=click.Path(allow_dash=True))
def score(file: str) -> None:
    """Score a game record, line by line.

    FILE holds JSON Lines, `-` reads standard input; one JSON line is printed for each line of it. The exit
    status is 1 when a line breaks the rules.
    """
    from tablewire.games.records import score_file

    sys.exit(score_file(file, sys.stdout, sys.stderr))


@cli.command()
@click.argument("file", type=click.Path(path_type=Path))
@click.option(
    "--record", type=click.Path(path_type=Path), help="Write the record of the game to this new file."
)
@click.option("--frames", is_flag=True, help="Print every message, action and page as it comes.")
def replay(file: Path, record: Path | None, frames: bool) -> None:
    """Run a captured session again, and say whether the same game comes out.

    FILE is what `tablewire run --capture FILE` wrote. The exit status is 1 when another game comes out.
    """
    from tablewire.replay import replay_file

    sys.exit(replay_file(file, record, click.echo, frames=frames))


def _refuse_without_terminals() -> None:
    """UserError where a simulated board has nothing to be behind."""
    try:
        import termios  # noqa: F401
    except ImportError as exc:
        raise UserError(
            "a simulated board is behind a pseudo-terminal, which this system does not have: run it on Linux "
            "or macOS, on Windows in WSL"
        ) from exc


@cli.command()
@simulated_options
@click.option(
    "--pads",
    type=click.IntRange(1, READERS_MAX),
    metavar="COUNT",
    help=f"How many pads a board for Ligretto has: {BOARD_READERS} unless this says more, or fewer.",
)
def virtual(
    socket_path: Path | None, link: Path | None, seed: int, speed: str, kind: str, pads: int | None
) -> None:
    """Run a simulated board, to be played by hand or by a program.

    Prints the path of its pty and of its command socket, then runs until the command `quit`.
    """
    if pads is not None and kind != LIGRETTO:
        raise UserError(f"--pads is for --board {LIGRETTO}: a Cir*Kis board has sensors, always as many")
    _refuse_without_terminals()
    from tablewire.virtual.program import run_virtual

    run_virtual(socket_path, link, seed=seed, speed=speed, kind=BOARDS[kind], pads=pads or BOARD_READERS)


@cli.command()
@simulated_options
@click.option("--eeprom", type=click.Path(path_type=Path), help="A file that keeps what the board stores.")
@click.option(
    "--firmware", type=click.Path(path_type=Path), help="Another firmware (ELF) than the built one."
)
@click.option("--no-reset", is_flag=True, help="Opening the port does not reset the board.")
def twin(
    socket_path: Path | None,
    link: Path | None,
    seed: int,
    speed: str,
    kind: str,
    eeprom: Path | None,
    firmware: Path | None,
    no_reset: bool,
) -> None:
    """Run the real firmware in an emulated chip, below a simulated table.

    Takes the commands and prints the lines of `tablewire virtual`. Opening its port resets it, and it is deaf
    for 2 s then, as with most boards on USB. `make twin` builds what it needs.
    """
    _refuse_without_terminals()
    from tablewire.twin.program import run_twin

    run_twin(
        socket_path,
        link,
        seed,
        speed,
        kind=BOARDS[kind],
        eeprom=eeprom,
        firmware=firmware,
        resets=not no_reset,
    )


@cli.command()
@port_options
@click.option(
    "--quiet",
    "quiet_ms",
    type=click.IntRange(100, 10_000),
    show_default=str(DEFAULT_TIMING.quiet_ms),
    metavar="MS",
    help="Cir*Kis: how long a landed piece must be left alone before it counts as a move.",
)
@game_options
@click.option(
    "--resume",
    metavar="ID",
    help="Go on with a game that was put aside: its id in `tablewire games list`, or how that begins.",
)
def run(
    port: Address,
    baud: int,
    quiet_ms: int | None,
    listen: str,
    data: Path | None,
    new: bool,
    resume: str | None,
    capture: Path | None,
    **game: Any,
) -> None:
    """Read a board and score the game on it, live on a page.

    Without --port the board is looked for: where it was last, then on every port, then by Bluetooth. It may
    be plugged in later.

    Goes on with the game in progress. When there is none, --players begins one; so does the page.
    """
    from tablewire.run import Wanted, run_table

    if resume is not None and (new or game["players"]):
        raise UserError("--resume goes on with a game; --new and --players begin one: leave either out")
    if not game["players"]:
        refuse_a_game_without_players(new=new, **{k: v for k, v in game.items() if k != "players"})
    header = header_of(**game, warn=_warn, quiet_ms=quiet_ms) if game["players"] else None
    timing = DEFAULT_TIMING if quiet_ms is None else replace(DEFAULT_TIMING, quiet_ms=quiet_ms)
    wanted = Wanted(port, baud, data, *address_of(listen), header, new, timing, resume, capture)
    sys.exit(run_table(wanted, click.echo))


@cli.command()
@click.option(
    "--seed", type=int, default=None, help="Seed of the computer players (default: a new one each time)."
)
@click.option(
    "--pace",
    type=click.FloatRange(0.0, 60.0),
    callback=no_nan,
    default=1.5,
    show_default=True,
    help="Seconds a player thinks; 0 plays as fast as the table reads.",
)
@click.option("--once", is_flag=True, help="Stop after one game.")
@game_options
def demo(
    seed: int | None,
    pace: float,
    once: bool,
    listen: str,
    data: Path | None,
    new: bool,
    capture: Path | None,
    **game: Any,
) -> None:
    """Watch computer players on a simulated board.

    The whole table, without hardware. Four play Cir*Kis unless --players and --game say otherwise; Ligretto
    is played for three rounds unless --option does.
    """
    _refuse_without_terminals()
    from tablewire.demo import demo_header, run_demo
    from tablewire.demo_sitting import DemoWanted

    header = demo_header(**game, warn=_warn)
    wanted = DemoWanted(data, *address_of(listen), header, new, seed, pace, once, capture)
    sys.exit(run_demo(wanted, click.echo))


def _warn(line: str) -> None:
    click.echo(f"tablewire: {line}", err=True)


def main() -> None:
    """Run the command line; every trouble of a known kind is one line on standard error."""
    _open_closed_streams()
    level = os.environ.get("TABLEWIRE_LOG", "critical").upper()
    logging.basicConfig(level=getattr(logging, level, logging.CRITICAL))
    try:
        status = cli.main(standalone_mode=False)
    except click.Abort:
        status = 130
    except click.exceptions.NoArgsIsHelpError as exc:
        click.echo(exc.format_message(), err=True)
        status = exc.exit_code
    except click.ClickException as exc:
        context = getattr(exc, "ctx", None)
        hint = f" See {context.command_path} --help." if context is not None else ""
        status = _say(exc.format_message() + hint, exc.exit_code)
    except UserError as exc:
        status = _say(str(exc), 2)
    except (StoreError, BoardError) as exc:
        status = _say(str(exc), 1)
    except KeyboardInterrupt:
        status = 130
    except SystemExit as exc:
        status = exc.code
    except OSError as exc:
        lost = exc.errno in (errno.ENOSPC, errno.EDQUOT, errno.EFBIG, errno.EIO, errno.EPIPE)
        status = _output_lost(exc) if lost else _say(f"the system refused: {exc.strerror or exc}", 1)
    try:
        sys.stdout.flush()
    except OSError as exc:
        status = _output_lost(exc)
    sys.exit(status if isinstance(status, int) else 0)


def _say(text: str, status: int) -> int:
    line = one_line(" ".join(text.split()))
    # Where nothing can be said, the exit status still can.
    with suppress(OSError):
        click.echo(f"tablewire: {line}", err=True)
    return status


def _open_closed_streams() -> None:
    """Lead closed standard streams nowhere: else a port or a file gets their numbers, and then our words."""
    for number in (0, 1, 2):
        try:
            os.fstat(number)
        except OSError:
            os.open(os.devnull, os.O_RDWR)
    for name in ("stdout", "stderr"):
        if getattr(sys, name) is None:
            setattr(sys, name, Path(os.devnull).open("w", encoding="utf-8"))  # noqa: SIM115 - for good
    # Keys that are no text, such as a cat's, are an answer that is not yes.
    if isinstance(sys.stdin, io.TextIOWrapper):
        sys.stdin.reconfigure(errors="replace")


def _output_lost(exc: OSError) -> int:
    # Python would try once more at its end, and complain in lines of its own.
    os.dup2(os.open(os.devnull, os.O_WRONLY), 1)
    if isinstance(exc, BrokenPipeError):
        return 1  # whoever read it has had enough: nothing to complain about
    return _say(f"cannot write the output: {exc.strerror or exc}", 1)
