"""The builder's commands: options in, what happens said as it happens, a report out.

Owns the options of calibrate, monitor, wiring and flash, and what each says where. Must not know frames or
readings.
"""

from __future__ import annotations

import json
import shutil
import sys
import textwrap
from collections.abc import Callable
from contextlib import ExitStack
from importlib.util import find_spec
from pathlib import Path
from typing import Any, TypeVar

import click

from tablewire.link.address import Address
from tablewire.options import baud_option, cabled_port_option, no_nan, port_options

Command = TypeVar("Command", bound=Callable[..., Any])

KEPT = "What was measured is stored on the board: the same command goes on from here."
NOT_KEPT = "What was measured last may not be stored: the same command asks for it again."
NO_RICH = "One line for each change: a picture of the table needs the package rich ({} -m pip install rich)."
YES = ("y", "yes")


def multiplexer_option(command: Command) -> Command:
    """The option that leaves out what is not soldered yet, and reads anything."""
    return click.option(
        "--multiplexer",
        "muxes",
        type=click.IntRange(0, 12),
        multiple=True,
        metavar="NUMBER",
        help="Only the places on this one (0 to 12); may be given again. Others may still be missing.",
    )(command)


def say_line(text: str, *, aside: bool = False) -> None:
    """Say a line: broken between words on a terminal, whole for a program."""
    stream = sys.stderr if aside else sys.stdout
    if stream.isatty():
        width = shutil.get_terminal_size().columns
        text = textwrap.fill(text, width, subsequent_indent="    ", break_on_hyphens=False)
    click.echo(text, err=aside)


def _say_aside(text: str) -> None:
    """Where standard output is for the report alone."""
    say_line(text, aside=True)


@click.command()
@port_options
@click.option("--again", is_flag=True, help="Forget what was measured before, and begin anew.")
@click.option(
    "--json", "as_json", is_flag=True, help="Print a report as JSON at the end; all else goes to stderr."
)
def calibrate(port: Address, baud: int, again: bool, as_json: bool) -> None:
    """Measure every sensor: its zero, and each colour's magnets on it.

    Says what to lay where, and stores it on the board. Stopped in the middle, it asks only for the rest the
    next time.
    """
    from tablewire.builder.calibrate import Calibrating
    from tablewire.builder.conversation import Conversation
    from tablewire.builder.dialogue import Left, Terminal
    from tablewire.builder.reaching import link_to

    say = _say_aside if as_json else say_line
    with Conversation(link_to(port, baud, say), say) as board:
        run = Calibrating(board, Terminal(say))
        try:
            report = run.run(again=again)
        except (Left, KeyboardInterrupt) as exc:
            say(f"{str(exc).capitalize() or 'Stopped'}. {KEPT if run.stored else NOT_KEPT}")
            report = run.report(finished=False)
        if as_json:
            click.echo(json.dumps(report))
        sys.exit(0 if report["finished"] else 1)


@click.command()
@port_options
@click.option("--plain", is_flag=True, help="One line for each change, also on a terminal.")
@click.option(
    "--seconds",
    type=click.FloatRange(0.1, 86_400),
    callback=no_nan,
    help="Stop by itself after so long.",
)
@multiplexer_option
def monitor(port: Address, baud: int, plain: bool, seconds: float | None, muxes: tuple[int, ...]) -> None:
    """Watch what every sensor reads, live.

    On a terminal as a picture, otherwise one line for each change; at the end what the link has to complain
    of.
    """
    from tablewire.builder.conversation import Conversation
    from tablewire.builder.monitor import Monitor
    from tablewire.builder.reaching import link_to
    from tablewire.builder.wiring_check import order_of

    drawn = not plain and sys.stdout.isatty()
    if drawn and find_spec("rich") is None:
        drawn = False
        _say_aside(NO_RICH.format(sys.executable))
    with Conversation(link_to(port, baud, say_line), say_line) as board, ExitStack() as stack:
        watch = Monitor(board, (lambda _: None) if drawn else say_line, among=order_of(muxes))
        if drawn:
            from tablewire.builder.monitor_view import screen

            watch.show = stack.enter_context(screen()).show
        try:
            watch.run(seconds)
        except KeyboardInterrupt:
            pass
        finally:
            stack.close()
            for line in watch.counter_lines():
                say_line(line)


@click.command()
@port_options
@click.option(
    "--json", "as_json", is_flag=True, help="Print the findings as JSON at the end; all else goes to stderr."
)
@multiplexer_option
def wiring(port: Address, baud: int, as_json: bool, muxes: tuple[int, ...]) -> None:
    """Check the wiring: a magnet on each place named, and what answers is said.

    At the end it says what probably explains all that was wrong. The exit status is 1 when something is.
    """
    from tablewire.builder.conversation import Conversation
    from tablewire.builder.dialogue import Left, Terminal
    from tablewire.builder.reaching import link_to
    from tablewire.builder.wiring_check import WiringCheck, order_of

    say = _say_aside if as_json else say_line
    with Conversation(link_to(port, baud, say), say) as board:
        check = WiringCheck(board, Terminal(say), order_of(muxes))
        finished = False
        try:
            check.run()
            finished = True
        except (Left, KeyboardInterrupt):
            pass
        finally:
            # Of a board that cannot be checked at all, why not is the first thing said.
            if check.has_begun:
                for line in check.summary():
                    say(line)
        if as_json:
            click.echo(json.dumps(check.report(finished=finished)))
        sys.exit(0 if finished and check.faultless else 1)


@click.command()
@cabled_port_option
@baud_option
@click.option(
    "--board",
    type=click.Choice(("cirkis", "ligretto")),
    default="cirkis",
    show_default=True,
    help="The table: cirkis has Hall sensors, ligretto has tag readers.",
)
@click.option(
    "--hex",
    "hex_path",
    type=click.Path(path_type=Path),
    help="The file (default: what make -C firmware builds for that board).",
)
@click.option("--yes", is_flag=True, help="Do not ask.")
def flash(port: Address, baud: int, board: str, hex_path: Path | None, yes: bool) -> None:
    """Put the firmware on a board, with avrdude.

    Says first what it will do. Afterwards the board itself tells which version it runs. Needs a cable.
    """
    from tablewire.builder.flash import find_hex, plan_flash
    from tablewire.builder.flash import flash as write
    from tablewire.builder.reaching import needs_greeting, port_to_flash

    def agree() -> bool:
        if yes:
            return True
        click.echo("Go on? [y/N] ", nl=False)
        answer = "" if sys.stdin is None else sys.stdin.readline()
        return answer.strip().lower() in YES

    plan = plan_flash(port_to_flash(port, say_line), find_hex(hex_path, board))
    if not write(plan, baud, say_line, agree, must_greet=yes and needs_greeting(port)):
        say_line("nothing was written")
        sys.exit(1)


BUILDER_COMMANDS: tuple[click.Command, ...] = (flash, wiring, calibrate, monitor)
"""In the order in which a builder needs them."""
