"""udev's language, strictly: a rules file is read as udev(7) has it, and run for a device.

Owns the grammar, as a table of keys, and what a rule does to a device's properties and tags. What udev only
warns of or forgives (a missing comma, a jump to nowhere, a rule that does nothing) is a mistake here.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from fnmatch import fnmatchcase

MATCHES = ("==", "!=")
ASKS = ("=", "+=", ":=")
"""What PROGRAM and IMPORT also have; it means the same as `==` there."""
MAY_BE_EMPTY = {"ENV", "ATTR", "DRIVER", "KERNEL", "SUBSYSTEM", "SUBSYSTEMS"}
"""Of these a rule may ask whether there is nothing."""


@dataclass(frozen=True, slots=True)
class Key:
    """What udev(7) allows for a key: whether it has an attribute in braces, and its operators."""

    attribute: str = "never"
    matches: bool = False
    assigns: tuple[str, ...] = ()


KEYS = {
    **dict.fromkeys(
        ("ACTION", "DEVPATH", "KERNEL", "KERNELS", "SUBSYSTEM", "SUBSYSTEMS", "DRIVER", "DRIVERS"),
        Key(matches=True),
    ),
    **dict.fromkeys(("TAGS", "RESULT"), Key(matches=True)),
    "PROGRAM": Key(matches=True, assigns=ASKS),
    "ATTR": Key("always", matches=True, assigns=("=",)),
    "ATTRS": Key("always", matches=True),
    "SYSCTL": Key("always", matches=True, assigns=("=",)),
    "ENV": Key("always", matches=True, assigns=("=", "+=")),
    "CONST": Key("always", matches=True),
    "TAG": Key(matches=True, assigns=("=", "+=", "-=", ":=")),
    "TEST": Key("sometimes", matches=True),
    "IMPORT": Key("always", matches=True, assigns=ASKS),
    "NAME": Key(matches=True, assigns=("=", ":=")),
    "SYMLINK": Key(matches=True, assigns=("=", "+=", ":=")),
    **dict.fromkeys(("OWNER", "GROUP", "MODE"), Key(assigns=("=", ":="))),
    "SECLABEL": Key("always", assigns=("=", "+=")),
    "RUN": Key("sometimes", assigns=("=", "+=", ":=")),
    "OPTIONS": Key(assigns=("=", "+=", ":=")),
    "LABEL": Key(assigns=("=",)),
    "GOTO": Key(assigns=("=",)),
}

_TERM = re.compile(r'\s*([A-Z]+)(?:\{([^{}"]+)\})?(==|!=|\+=|-=|:=|=)"((?:[^"\\]|\\.)*)"\s*')
_VALUES = {
    "ENV": r"[^\\]*",
    "GOTO": r"[a-z][a-z0-9_]*",
    "LABEL": r"[a-z][a-z0-9_]*",
    "MODE": r"0[0-7]{3}",
    "TAG": r"[a-z][a-z-]*",
}
"""What an assigned value has to look like here, of the keys that this project may need."""


class RulesError(Exception):
    """A mistake in a rules file, with its line."""


@dataclass(frozen=True, slots=True)
class Term:
    """One expression of a rule."""

    key: str
    attribute: str | None
    operator: str
    value: str

    @property
    def is_match(self) -> bool:
        return self.operator in MATCHES


@dataclass(frozen=True, slots=True)
class Device:
    """A device as udev sees it. `above`: each device's sysfs attributes, from itself upwards."""

    subsystem: str
    action: str = "add"
    above: tuple[Mapping[str, str], ...] = ()


@dataclass
class Outcome:
    """What the rules did."""

    env: dict[str, str] = field(default_factory=dict)
    tags: set[str] = field(default_factory=set)


def parse_rules(text: str) -> list[tuple[Term, ...]]:
    """The rules of a file, in order. RulesError."""
    rules: list[tuple[Term, ...]] = []
    labels: dict[str, int] = {}
    jumps: dict[str, int] = {}
    for number, line in enumerate(text.splitlines(), 1):
        if not line.strip() or line.startswith("#"):
            continue
        try:
            rule = _parse_rule(line)
            for term in rule:
                if term.key == "LABEL" and labels.setdefault(term.value, number) != number:
                    raise RulesError(f"the label {term.value} stands there twice")
                if term.key == "GOTO":
                    jumps[term.value] = number
        except RulesError as exc:
            raise RulesError(f"line {number}: {exc}") from None
        rules.append(rule)
    for label, number in jumps.items():
        if labels.get(label, 0) <= number:
            raise RulesError(f"line {number}: no label {label} comes after it")
    for label, number in labels.items():
        if label not in jumps:
            raise RulesError(f"line {number}: nothing jumps to {label}")
    return rules


def _parse_rule(line: str) -> tuple[Term, ...]:
    terms: list[Term] = []
    at = 0
    while True:
        found = _TERM.match(line, at)
        if found is None:
            raise RulesError(f"this is no expression: {line[at:].strip()[:40]!r}")
        terms.append(_check(Term(found[1], found[2], found[3], found[4])))
        at = found.end()
        if at == len(line):
            break
        if line[at] != "," or not line[at + 1 :].strip():
            raise RulesError(f"a comma and another expression are missing at {line[at:].strip()[:40]!r}")
        at += 1
    if all(term.is_match for term in terms):
        raise RulesError("the rule does nothing")
    return tuple(terms)


def _check(term: Term) -> Term:
    key = KEYS.get(term.key)
    if key is None:
        raise RulesError(f"there is no key {term.key}")
    if (key.attribute == "always") > (term.attribute is not None):
        raise RulesError(f"{term.key} needs a name in braces")
    if key.attribute == "never" and term.attribute is not None:
        raise RulesError(f"{term.key} has no name in braces")
    if term.operator not in (*(MATCHES if key.matches else ()), *key.assigns):
        raise RulesError(f"{term.key} has no operator {term.operator}")
    if term.is_match:
        empty = not all(term.value.split("|")) and (term.value or term.key not in MAY_BE_EMPTY)
        if empty or term.value.count("[") != term.value.count("]"):
            raise RulesError(f"{term.value!r} is no pattern")
    elif not re.fullmatch(_VALUES.get(term.key, ".+"), term.value):
        raise RulesError(f"{term.key} cannot be {term.value!r}")
    return term


def run_rules(rules: Sequence[tuple[Term, ...]], device: Device) -> Outcome:
    """What the rules do to a device, as udev would. Only keys of which the result is known are run."""
    outcome = Outcome()
    target: str | None = None
    for rule in rules:
        if target is not None:
            if all(term.key != "LABEL" or term.value != target for term in rule):
                continue
            target = None
        if not _fits(rule, device, outcome):
            continue
        for term in rule:
            match term:
                case Term("ENV", str(name), "=", value):
                    outcome.env[name] = value
                case Term("TAG", None, "+=", value):
                    outcome.tags.add(value)
                case Term("GOTO", None, "=", value):
                    target = value
                case Term("LABEL", None, "=", _):
                    pass
                case _ if not term.is_match:
                    raise NotImplementedError(term)
    return outcome


def _fits(rule: Sequence[Term], device: Device, outcome: Outcome) -> bool:
    own = {"ACTION": device.action, "SUBSYSTEM": device.subsystem}
    # All matches on devices above must be true of one and the same.
    above = [term for term in rule if term.is_match and term.key == "ATTRS"]
    if above and not any(
        all(_is_so(term, one.get(str(term.attribute))) for term in above) for one in device.above
    ):
        return False
    for term in rule:
        if term.is_match and term.key != "ATTRS":
            found = outcome.env.get(str(term.attribute)) if term.key == "ENV" else own[term.key]
            if not _is_so(term, found):
                return False
    return True


def _is_so(term: Term, found: str | None) -> bool:
    equal = found is not None and any(fnmatchcase(found, pattern) for pattern in term.value.split("|"))
    return equal is (term.operator == "==")
