"""The systemd unit: read strictly, its command tried, and what would keep a board from being reached."""

from __future__ import annotations

import re
import shlex
from pathlib import Path

import pytest
from tests.packaging.unit_file import UnitError, parse_unit, seconds

from tablewire.cli import cli
from tablewire.daemon import BEGUN_TIMEOUT_S
from tablewire.link.address import AnyBoard
from tablewire.packaging import SERVICE
from tablewire.service import PING_S

TEXT = SERVICE.read_text("utf-8")
UNIT = parse_unit(TEXT)
SERVICE_KEYS = UNIT["Service"]


def words(options: str = "") -> list[str]:
    """The command as systemd starts it."""
    (command,) = SERVICE_KEYS["ExecStart"]
    typed = shlex.split(command.replace("%S", "/var/lib"))
    return [word for one in typed for word in (options.split() if one == "$TABLEWIRE_OPTIONS" else [one])]


@pytest.mark.parametrize(
    ("options", "listen", "players"),
    [
        ("", "127.0.0.1:8750", None),
        ("--listen 0.0.0.0:8750 --players red,green", "0.0.0.0:8750", "red,green"),
    ],
)
def test_the_command_is_one_that_the_program_takes(options: str, listen: str, players: str | None) -> None:
    program, command, *arguments = words(options)
    assert (program, command) == ("tablewire", "run")
    taken = cli.commands[command].make_context(command, arguments).params
    assert taken["data"] == Path("/var/lib") / SERVICE_KEYS["StateDirectory"][0]
    assert (taken["listen"], taken["players"]) == (listen, players)
    assert taken["port"] == AnyBoard()


def test_the_example_of_another_option_is_the_one_that_is_tried_here() -> None:
    (example,) = re.findall(r'Environment="TABLEWIRE_OPTIONS=(.*)"', TEXT)
    assert example == "--listen 0.0.0.0:8750 --players red,green"
    assert SERVICE_KEYS["Environment"] == ["TABLEWIRE_OPTIONS="]


def test_signs_of_life_come_at_least_twice_as_often_as_they_are_missed() -> None:
    assert SERVICE_KEYS["Type"] == ["notify"]
    (watchdog,) = SERVICE_KEYS["WatchdogSec"]
    assert seconds(watchdog) > 2 * PING_S
    assert f"every {PING_S:.0f} s" in TEXT


def test_a_disk_that_is_waited_for_does_not_end_the_service() -> None:
    assert seconds(SERVICE_KEYS["WatchdogSec"][0]) > BEGUN_TIMEOUT_S + 2 * PING_S


def test_a_program_that_hung_or_was_killed_is_started_again() -> None:
    assert SERVICE_KEYS["Restart"] == ["on-failure"]
    assert seconds(SERVICE_KEYS["RestartSec"][0]) >= 1


def test_ports_that_appear_while_it_runs_can_be_opened() -> None:
    """Each of these makes a list of devices when the service starts, and forbids the others."""
    assert not {"PrivateDevices", "DevicePolicy", "DeviceAllow", "ProtectClock"} & set(SERVICE_KEYS)
    assert "dialout" in SERVICE_KEYS["SupplementaryGroups"][0].split()


def test_the_bus_of_bluetooth_and_the_page_can_be_reached() -> None:
    assert SERVICE_KEYS["RestrictAddressFamilies"] == ["AF_UNIX AF_INET AF_INET6"]
    assert "PrivateNetwork" not in SERVICE_KEYS


def test_it_runs_without_rights_of_its_own() -> None:
    assert SERVICE_KEYS["DynamicUser"] == ["yes"]
    assert SERVICE_KEYS["CapabilityBoundingSet"] == [""]


def test_no_place_of_one_computer_is_named() -> None:
    values = [value for section in UNIT.values() for key in section.values() for value in key]
    assert [value for value in values if re.search(r"(^|[\s=])/", value)] == []


def spoil(right: str, wrong: str) -> str:
    """The unit with another text in the first line that has it and is no comment."""
    lines = TEXT.split("\n")
    at = next(at for at, line in enumerate(lines) if right in line and not line.startswith("#"))
    lines[at] = lines[at].replace(right, wrong, 1)
    return "\n".join(lines)


def test_every_seeded_mistake_is_found() -> None:
    """Each way to spoil a line of the real file."""
    mistakes = {
        "Type=notify": ("Type=notify # ready", "Typ=notify", "Type=", "type=notify", "Type notify"),
        "[Service]": ("[Servce]", "[Service", "", "[Unit]"),
        "WatchdogSec=90": ("WatchdogSec=soon", "WatchdogSec=-1", "WatchdogSec=9 weeks", "WatchdogSec=0"),
        "Restart=on-failure": ("Restart=on-failures", "Restart=on-failure\nRestart=no"),
        "DynamicUser=yes": ("DynamicUser=maybe", "DynamicUsers=yes", " DynamicUser=yes"),
        "UMask=0077": ("UMask=77", "UMask=0088"),
        "[Install]": ("", "[install]"),
        "AF_UNIX AF_INET": ("AF_UNIX, AF_INET",),
        "ExecStart=tablewire run": ("ExecStart= tablewire run", "ExecStart="),
        "network.target time": ("network time",),
    }
    for right, spoilt in mistakes.items():
        for one in spoilt:
            with pytest.raises(UnitError):
                parse_unit(spoil(right, one))


@pytest.mark.parametrize(("text", "span_s"), [("5", 5), ("90s", 90), ("1min 30s", 90), ("500ms", 0.5)])
def test_a_time_span_is_read_as_systemd_reads_it(text: str, span_s: float) -> None:
    assert seconds(text) == span_s
