"""Options that several commands share, and what they mean: where board and page are, what is played.

Owns their names, defaults and help, and the one line for a value that makes no sense. Must not know what the
commands do with them; what makes a game of them is in new_game.py.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from pathlib import Path
from typing import Any, TypeVar

import click

from tablewire.errors import UserError
from tablewire.link.address import AUTO, DEFAULT_BAUD, Address, parse_address
from tablewire.new_game import BOARDS, CIRKIS, COLOURS, DEFAULT_RULEBOOK, GAMES

Command = TypeVar("Command", bound=Callable[..., Any])

DEFAULT_LISTEN = "127.0.0.1:8750"


def no_nan(_context: click.Context, _option: click.Parameter, value: float | None) -> float | None:
    """Seconds as they are given; what is neither below nor above any limit would be within all of them."""
    if value is not None and math.isnan(value):
        raise click.BadParameter("nan is not a number of seconds.")
    return value


def _address(_context: click.Context, _option: click.Parameter, value: str) -> Address:
    try:
        return parse_address(value)
    except ValueError as exc:
        raise click.BadParameter(str(exc)) from exc


def _port_option(where: str) -> Callable[[Command], Command]:
    return click.option(
        "--port",
        callback=_address,
        default=AUTO,
        show_default=True,
        metavar="WHERE",
        help=f"Where the board is: {where}. auto looks for it.",
    )


cabled_port_option = _port_option("a serial port (/dev/ttyACM0, COM10), or the serial number of one")
"""For what can only be done over a cable."""

any_port_option = _port_option(
    "a serial port (/dev/ttyACM0, COM10, the pty of a simulated board), the serial number of one, ble, or "
    "ble:NAME"
)

baud_option = click.option(
    "--baud",
    type=click.IntRange(300, 4_000_000),
    default=DEFAULT_BAUD,
    show_default=True,
    metavar="BAUD",
    help="The port's speed.",
)


def port_options(command: Command) -> Command:
    """The options that name a board, for all that talk to one."""
    return any_port_option(baud_option(command))


def simulated_options(command: Command) -> Command:
    """The options of a simulated board, for `virtual` and `twin`."""
    for option in reversed(
        (
            click.option(
                "--board",
                "kind",
                type=click.Choice(list(BOARDS)),
                default=CIRKIS,
                show_default=True,
                help="Which game's board: with sensors below its spaces, or with tag readers below its pads.",
            ),
            click.option(
                "--socket",
                "socket_path",
                type=click.Path(path_type=Path),
                help="Where to put the command socket.",
            ),
            click.option(
                "--link", type=click.Path(path_type=Path), help="A symbolic link kept on the current pty."
            ),
            click.option(
                "--seed", type=int, default=1, show_default=True, help="Seed of every random fault."
            ),
            click.option(
                "--speed",
                type=click.Choice(["real", "fast"]),
                default="real",
                show_default=True,
                help="Fast: ten times as quick, as far as this computer can.",
            ),
        )
    ):
        command = option(command)
    return command


def game_options(command: Command) -> Command:
    """The options that describe a new game, for `run` and `demo`."""
    for option in reversed(
        (
            click.option(
                "--game",
                type=click.Choice(list(GAMES)),
                help=f"What is played: {CIRKIS} where this is not given.",
            ),
            click.option(
                "--players",
                help=f"Who plays: colours in turn order (of {', '.join(COLOURS)}), for Ligretto 2 to 12 "
                "names; or how many.",
            ),
            click.option(
                "--rulebook",
                type=click.Choice(["hasbro", "international"]),
                help=f"By which of the two published rulebooks of Cir*Kis to score ({DEFAULT_RULEBOOK}).",
            ),
            click.option(
                "--option",
                "options",
                multiple=True,
                metavar="NAME[=VALUE]",
                help="Cir*Kis: center_ring, voluntary_pass, target=POINTS or match=POINTS. Ligretto: "
                "rounds=3 or target=POINTS, left_penalty=3, scan_ms=40. May be given again.",
            ),
            click.option(
                "--pieces",
                type=click.Path(path_type=Path),
                help="A piece set (TOML) of your own, for Cir*Kis.",
            ),
            click.option(
                "--new",
                is_flag=True,
                help="Begin a new game even when one is in progress, which is put aside.",
            ),
            click.option(
                "--data",
                type=click.Path(path_type=Path, readable=False),
                help="The folder that keeps the games (default: your user data folder; there, the demo's are "
                "kept apart from yours).",
            ),
            click.option(
                "--capture",
                type=click.Path(path_type=Path),
                metavar="FILE",
                help="Write the whole session to this new file, for `tablewire replay`.",
            ),
            click.option(
                "--listen",
                default=DEFAULT_LISTEN,
                show_default=True,
                metavar="HOST:PORT",
                help="Where the page is served; port 0 takes any free one, host 0.0.0.0 shows the page, "
                "read-only, in the house.",
            ),
        )
    ):
        command = option(command)
    return command


def address_of(listen: str) -> tuple[str, int]:
    """HOST and PORT of `--listen`. UserError."""
    host, colon, port = listen.rpartition(":")
    if not colon or not host or not (port.isascii() and port.isdigit()) or int(port[:6]) > 65_535:
        raise UserError(f"--listen {listen[:80]}: write HOST:PORT, such as {DEFAULT_LISTEN}")
    return host.strip("[]"), int(port)
