"""systemd's unit files, strictly: sections, keys and values as systemd.service(5) and others have them.

Owns the grammar, as a table of the keys that a service of this project may have. A key that is not in it is a
mistake, and so is a value that systemd would warn of and ignore.
"""

from __future__ import annotations

import re
from collections.abc import Callable

Unit = dict[str, dict[str, list[str]]]
"""The values of each key of each section, in order."""

SECONDS = {"": 1.0, "s": 1.0, "sec": 1.0, "min": 60.0, "h": 3600.0, "ms": 0.001}


class UnitError(Exception):
    """A mistake in a unit file, with its line."""


def seconds(value: str) -> float:
    """A time span. UnitError."""
    parts = re.fullmatch(r"((\d+(\.\d+)?)\s*([a-z]*)\s*)+", value)
    spans = re.findall(r"(\d+(?:\.\d+)?)\s*([a-z]*)", value)
    if parts is None or any(unit not in SECONDS for _, unit in spans):
        raise UnitError(f"{value!r} is no time span")
    return sum(float(number) * SECONDS[unit] for number, unit in spans)


def _one_of(*words: str) -> Callable[[str], bool]:
    return lambda value: value in words


def _like(pattern: str) -> Callable[[str], bool]:
    return lambda value: re.fullmatch(pattern, value) is not None


def _is_span(value: str) -> bool:
    return seconds(value) > 0


_BOOL = _one_of("yes", "no")
_UNITS = _like(r"[a-z-]+\.(service|target)( [a-z-]+\.(service|target))*")

KEYS: dict[str, dict[str, Callable[[str], bool]]] = {
    "Unit": {
        "Description": _like(r"\S.*"),
        **dict.fromkeys(("After", "Before", "Wants", "Requires"), _UNITS),
    },
    "Service": {
        "Type": _one_of("simple", "exec", "notify"),
        "NotifyAccess": _one_of("none", "main", "exec", "all"),
        "Environment": _like(r"[A-Z_]+=\S*|\"[A-Z_]+=[^\"]*\""),
        "ExecStart": _like(r"[a-z/][\w/.-]*( \S+)*"),
        **dict.fromkeys(("TimeoutStartSec", "TimeoutStopSec", "WatchdogSec", "RestartSec"), _is_span),
        "Restart": _one_of("no", "always", "on-failure", "on-abnormal"),
        "RestartPreventExitStatus": _like(r"\d+( \d+)*"),
        "DynamicUser": _BOOL,
        "StateDirectory": _like(r"[a-z]+"),
        **dict.fromkeys(("StateDirectoryMode", "UMask"), _like(r"0[0-7]{3}")),
        "SupplementaryGroups": _like(r"[a-z]+( [a-z]+)*"),
        "CapabilityBoundingSet": _one_of(""),
        "ProtectSystem": _one_of("yes", "no", "full", "strict"),
        "ProtectHome": _one_of("yes", "no", "read-only", "tmpfs"),
        **dict.fromkeys(
            (
                "NoNewPrivileges",
                "PrivateTmp",
                "ProtectKernelTunables",
                "ProtectKernelModules",
                "ProtectKernelLogs",
                "ProtectControlGroups",
                "ProtectHostname",
                "RestrictNamespaces",
                "RestrictRealtime",
                "RestrictSUIDSGID",
                "LockPersonality",
                "ProtectClock",
                "PrivateDevices",
            ),
            _BOOL,
        ),
        "DevicePolicy": _one_of("auto", "closed", "strict"),
        "DeviceAllow": _like(r"\S+( [rwm]+)?"),
        "RestrictAddressFamilies": _like(r"AF_[A-Z0-9]+( AF_[A-Z0-9]+)*"),
        "SystemCallArchitectures": _one_of("native"),
        "SystemCallFilter": _like(r"~?@[a-z-]+( @[a-z-]+)*"),
    },
    "Install": {"WantedBy": _UNITS},
}
LISTS = {"After", "Before", "Wants", "Requires", "Environment", "DeviceAllow"}
"""Keys that may stand there more than once."""


def parse_unit(text: str) -> Unit:
    """The sections of a unit file. UnitError."""
    unit: Unit = {}
    section = ""
    for number, line in enumerate(text.splitlines(), 1):
        if not line.strip() or line[0] in "#;":
            continue
        try:
            if line.startswith("["):
                section = _section(line, unit)
                unit[section] = {}
            elif not section:
                raise UnitError("it stands before any section")
            else:
                _take(line, section, unit[section])
        except UnitError as exc:
            raise UnitError(f"line {number}: {exc}") from None
    missing = set(KEYS) - set(unit)
    if missing:
        raise UnitError(f"no section {', '.join(sorted(missing))}")
    return unit


def _section(line: str, unit: Unit) -> str:
    name = line[1:-1]
    if not line.endswith("]") or name not in KEYS:
        raise UnitError(f"there is no section {line}")
    if name in unit:
        raise UnitError(f"the section {name} stands there twice")
    return name


def _take(line: str, section: str, values: dict[str, list[str]]) -> None:
    key, sign, value = line.partition("=")
    fits = KEYS[section].get(key)
    if not sign or fits is None:
        raise UnitError(f"[{section}] has no key {key}")
    if key in values and key not in LISTS:
        raise UnitError(f"{key} stands there twice")
    if value != value.strip() or not fits(value):
        raise UnitError(f"{key} cannot be {value!r}")
    values.setdefault(key, []).append(value)
