"""Whether we may use a port, and if not, what gives us the right, in words.

Owns who may open a port: its owner, its group, its mode. Must not know how it is opened. Looks, changes
nothing.
"""

from __future__ import annotations

import os
import stat
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path

from tablewire.errors import one_line

BY_A_RULE = "no group is let in; tablewire doctor --fix offers a udev rule that lets you in"
"""Where neither a group nor another user would help."""

POLICY = (
    "permission denied although owner, group and mode of the port let you in; a container or a security "
    "policy keeps it from tablewire: start tablewire outside, or hand the port in"
)
"""The rights of the file are not all that a system can ask for."""


@dataclass(frozen=True, slots=True)
class Rights:
    """`group`: the one whose members may use the port, when it has one; `why_not`: what is missing, and what
    to do, empty when nothing is missing."""

    group: str | None
    why_not: str

    @property
    def is_allowed(self) -> bool:
        """Whether the port may be opened, as far as rights go."""
        return not self.why_not


def rights_on(path: str) -> Rights:
    """Our rights on the port at `path`. A port that is not there has none missing."""
    try:
        found = Path(path).stat()
        allowed = os.access(path, os.R_OK | os.W_OK)
    except (OSError, ValueError):
        return Rights(None, "")
    group = group_of(found)
    return Rights(group, "" if allowed else words_for(found, group, path))


def group_of(found: os.stat_result) -> str | None:
    """The group whose members may read and write the port; None when that is nobody's or root's."""
    if stat.S_IMODE(found.st_mode) & 0o060 != 0o060 or found.st_gid == 0:
        return None
    with suppress(ImportError, KeyError):  # Windows has no groups; a container may have them without names
        import grp

        return grp.getgrgid(found.st_gid).gr_name
    return str(found.st_gid)


def words_for(found: os.stat_result, group: str | None, path: str = "") -> str:
    """Why a port of this owner, group and mode is closed to us, and what opens it."""
    if group is not None and found.st_gid in (os.getegid(), *os.getgroups()):
        return POLICY
    if group is not None and _was_added_to(found.st_gid):
        return (
            f"permission denied; you are in the group {group} only since you logged in: log out and in again"
        )
    if group is not None:
        return (
            f"permission denied; it belongs to the group {group}: "
            f"sudo usermod -aG {group} $USER, then log out and in again"
        )
    if os.path.realpath(path).startswith("/dev/pts/") or found.st_uid not in (0, os.geteuid()):
        owner = one_line(_user_name(found.st_uid))
        return f"permission denied; it belongs to the user {owner}: run tablewire as that user"
    return f"permission denied; {BY_A_RULE}"


def denied_words(path: str) -> str:
    """Why the system has just refused to open the port at `path`, and what to do."""
    return rights_on(path).why_not or POLICY


def _was_added_to(gid: int) -> bool:
    """Whether the list of users has us in the group, which this session may not know yet."""
    with suppress(ImportError, KeyError, OSError):
        import pwd

        me = pwd.getpwuid(os.geteuid())
        return gid in os.getgrouplist(me.pw_name, me.pw_gid)
    return False


def _user_name(uid: int) -> str:
    with suppress(ImportError, KeyError):
        import pwd

        return pwd.getpwuid(uid).pw_name
    return str(uid)
