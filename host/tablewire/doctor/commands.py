"""`tablewire doctor`: options in, findings out.

Owns the options, what goes where, and the exit status. Must not know what is looked at.

`--json` prints one object:

    {"tablewire": "0.1.0",
     "findings": [{"name": "ports", "level": "trouble", "text": "...", "do": "..."}, ...]}

`name` is one of the checks of `finding.Check`; a check that looks at several things gives several findings.
`level` is "ok", "note", "trouble" or "skipped". `text` and `do` are for people and may change; `do` is null
where nothing is to be done. Exit status: 0 nothing is wrong, 1 trouble was found, 2 the input was wrong.
"""

from __future__ import annotations

import json
import shutil
import sys
from pathlib import Path

import click

from tablewire import __version__
from tablewire.doctor.finding import Finding
from tablewire.link.address import Address
from tablewire.options import DEFAULT_LISTEN, address_of, port_options

YES = ("y", "yes")
NOBODY = "nobody is there to answer: --fix asks at a terminal only, and nothing was changed"


@click.command()
@port_options
@click.option(
    "--data",
    type=click.Path(path_type=Path, readable=False),
    help="The folder that keeps the games (default: your user data folder).",
)
@click.option(
    "--listen",
    default=DEFAULT_LISTEN,
    show_default=True,
    metavar="HOST:PORT",
    help="Where the page is, or would be: a table that runs there is asked instead of its board.",
)
@click.option("--json", "as_json", is_flag=True, help="Print the findings as JSON.")
@click.option("--fix", is_flag=True, help="Offer to put right what can be, after asking.")
def doctor(port: Address, baud: int, data: Path | None, listen: str, as_json: bool, fix: bool) -> None:
    """Look for whatever keeps the table from working, and say what to do.

    Ports, rights, other programs, Bluetooth, the board, its line and its sensors, the games kept, the disk,
    the clock. Changes nothing without --fix, and takes up to 25 seconds. The exit status is 1 when something
    is wrong.
    """
    from tablewire.doctor.examination import Wanted, examine
    from tablewire.doctor.finding import is_faultless
    from tablewire.doctor.report import report_lines
    from tablewire.store.folder import data_folder

    wanted = Wanted(port, baud, data_folder(data), *address_of(listen))
    findings = examine(wanted, _tell_aside if sys.stderr.isatty() else lambda _: None)
    if as_json:
        told = {"tablewire": __version__, "findings": [finding.to_json() for finding in findings]}
        click.echo(json.dumps(told))
    else:
        for line in report_lines(findings, _width()):
            click.echo(line)
    if fix:
        _offer(findings, aside=as_json)
    sys.exit(0 if is_faultless(findings) else 1)


def _offer(findings: list[Finding], *, aside: bool) -> None:
    from tablewire.doctor.fixing import offer_fixes

    def say(line: str) -> None:
        click.echo(line, err=aside)

    def ask(question: str) -> bool:
        if sys.stdin is None or not sys.stdin.isatty():
            say(NOBODY)
            return False
        click.echo(f"{question} [y/N] ", nl=False, err=aside)
        return sys.stdin.readline().strip().lower() in YES

    say("")
    offer_fixes(findings, ask, say)


def _tell_aside(text: str) -> None:
    """Where a board is looked for, to a person who waits."""
    click.echo(f"{text} ...", err=True)


def _width() -> int | None:
    """How wide the terminal is; None where no person reads."""
    return shutil.get_terminal_size().columns if sys.stdout.isatty() else None
