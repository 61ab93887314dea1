"""What `tablewire doctor --fix` may put right: the udev rule, after it was said what is done and agreed to.

Owns the rule's file in the system, and what is said of it. Must not know how a trouble is found. Whatever
needs more than one file, such as joining a group, is said by the findings and never done here.
"""

from __future__ import annotations

import os
import shlex
import shutil
import subprocess
from collections.abc import Callable, Iterable
from contextlib import suppress
from pathlib import Path

from tablewire.doctor.finding import Check, Finding, Level
from tablewire.errors import one_line
from tablewire.packaging import UDEV_RULE

RULES_FOLDER = Path("/etc/udev/rules.d")
"""Where an administrator's own rules are; the distribution's are elsewhere."""
MENDED_BY_RULE = frozenset({Check.RIGHTS, Check.MODEM_MANAGER, Check.UDEV_RULE})
"""What the rule does something about."""
GRAVE = frozenset({Level.NOTE, Level.TROUBLE})
RULE_MAX_BYTES = 1_000_000
"""A file of that name that is longer is none of ours; it is not compared, only kept."""
RELOAD_LIMIT_S = 10.0
"""udevadm answers in milliseconds; a computer that has much to do takes a second or two."""
KEPT_MAX_COUNT = 100
"""Under so many names is looked for a free one; whoever has more of them has another trouble."""
RELOAD = ("control", "--reload")
APPLY = ("trigger", "--subsystem-match=usb", "--subsystem-match=tty")
"""What makes udev look at the rule, and at what is plugged in already."""
REPLUG = "unplug the board and plug it in again, so that udev looks at it anew"
NOTHING = "there is nothing that --fix could put right"
UNCHANGED = "nothing was changed"

Ask = Callable[[str], bool]
Say = Callable[[str], None]


def offer_fixes(findings: Iterable[Finding], ask: Ask, say: Say, folder: Path = RULES_FOLDER) -> int:
    """Offer what helps against these findings, and do what `ask` agrees to; how many things were put right.

    `ask` is given a question and says yes or no; nothing is changed before it has said yes.
    """
    wanted = [one for one in findings if one.level in GRAVE and one.check in MENDED_BY_RULE]
    if not wanted:
        say(NOTHING)
        return 0
    try:
        return int(_offer_rule(folder / UDEV_RULE.name, UDEV_RULE.read_bytes(), ask, say))
    except OSError as exc:
        say(f"the udev rule cannot be put into {one_line(folder)}: {exc.strerror or exc}")
        return 0


def _offer_rule(target: Path, rule: bytes, ask: Ask, say: Say) -> bool:
    if not target.parent.parent.is_dir():
        say(f"this system has no {target.parent.parent}: without udev there is no rule to write")
        return False
    if target.is_symlink():
        # A link to /dev/null is how an administrator turns a rule off.
        say(f"{target} is a symbolic link, made on purpose: it is left as it is")
        return False
    if os.path.lexists(target) and not target.is_file():
        say(f"{target} is no file: move it out of the way, then ask again")
        return False
    there = _content(target)
    if there == rule:
        say(f"{target} is there already; {REPLUG}")
        return False
    if not _may_write(target.parent):
        say("the udev rule has to be written by root. Type:")
        say(f"  {by_hand(target, is_there=there is not None)}")
        return False
    kept = None if there is None else _free_name(target)
    if kept is not None:
        say(f"{target} is there, and differs from the rule of this version; it would be kept as {kept}")
    say(f"to be written: {target}: ModemManager leaves boards alone, and whoever sits here may use them")
    if not ask("Write it?"):
        say(UNCHANGED)
        return False
    if target.is_symlink() or _content(target) != there:
        say(f"{target} has changed meanwhile: {UNCHANGED}; ask again")
        return False
    target.parent.mkdir(exist_ok=True)
    if there is not None and kept is not None:
        _keep(target, kept)
    _write_whole(target, rule)
    say(f"written: {target}")
    _reload(say)
    return True


def by_hand(target: Path, *, is_there: bool) -> str:
    """The command that does the same by way of sudo. An older file is kept beside it."""
    backup = ["--backup=numbered"] if is_there else []
    install = ["sudo", "install", "-D", "-m", "644", *backup, str(UDEV_RULE), str(target)]
    steps = (install, ["sudo", "udevadm", *RELOAD], ["sudo", "udevadm", *APPLY])
    return " && ".join(map(shlex.join, steps))


def _content(target: Path) -> bytes | None:
    """What the file holds; None when there is none."""
    try:
        with target.open("rb") as file:
            return file.read(RULE_MAX_BYTES)
    except FileNotFoundError:
        return None


def _may_write(folder: Path) -> bool:
    return os.access(folder if folder.is_dir() else folder.parent, os.W_OK | os.X_OK)


def _free_name(target: Path) -> Path:
    """A name beside the file that is not taken. udev reads only what ends in .rules."""
    names = (Path(f"{target}.bak{number or ''}") for number in range(KEPT_MAX_COUNT))
    free = next((name for name in names if not os.path.lexists(name)), None)
    if free is None:
        raise FileExistsError(0, f"there are {KEPT_MAX_COUNT} kept copies; remove some")
    return free


def _keep(target: Path, kept: Path) -> None:
    """The older file under another name too, whole. Not every file system gives one file two names."""
    try:
        os.link(target, kept)
    except FileExistsError:
        raise
    except OSError:
        with kept.open("xb") as copy:
            shutil.copystat(target, kept)
            copy.write(target.read_bytes())
            copy.flush()
            os.fsync(copy.fileno())


def _write_whole(target: Path, content: bytes) -> None:
    """All of it or nothing, also when the power goes meanwhile."""
    draft = Path(f"{target}.new")
    # What a run that was killed left; never through a link that lies there.
    draft.unlink(missing_ok=True)
    try:
        with draft.open("xb") as file:
            os.fchmod(file.fileno(), 0o644)
            file.write(content)
            file.flush()
            os.fsync(file.fileno())
        draft.replace(target)
    except BaseException:
        with suppress(OSError):
            draft.unlink()
        raise


def _reload(say: Say) -> None:
    udevadm = shutil.which("udevadm")
    try:
        if udevadm is None:
            raise FileNotFoundError
        for words in (RELOAD, APPLY):
            subprocess.run(
                (udevadm, *words),
                check=True,
                capture_output=True,
                timeout=RELOAD_LIMIT_S,
                stdin=subprocess.DEVNULL,
            )
    except (OSError, subprocess.SubprocessError):
        say(REPLUG)
    else:
        say("udev has been told; ports that are plugged in follow the rule now")
