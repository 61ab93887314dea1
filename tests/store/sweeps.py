"""The trouble tried at every change to the disk in turn: what is wrong afterwards, one line each.

Owns the order of trials. Must not know what a step does.
"""

from __future__ import annotations

import hashlib
import json
import shutil
from collections.abc import Mapping
from pathlib import Path

from tests.store.power_cut import read_log
from tests.store.trials import disk_of, run_trials, steps_of, trouble_in

IGNORED = ("-shm", ".lock")
"""Not data: SQLite makes the first anew, the second only names the process."""


def kill_everywhere(
    shim: Path, base: Path, life: str, *, early: bool = False, setting: str = ""
) -> tuple[int, list[str]]:
    """Kill before each change in turn; how many trials that were, and what is wrong after each."""
    count = run_trials(shim, base, life, "kill", early=early, setting=setting)
    troubles = []
    for n in range(1, count + 1):
        acknowledged = len((base / f"{n}.acks").read_bytes())
        trouble = trouble_in(base / str(n), life, acknowledged)
        if trouble:
            troubles.append(f"killed before change {n}: {trouble}")
    return count, troubles


def cut_everywhere(
    shim: Path, base: Path, life: str, setting: str = "", enough_count: int = 1_000
) -> tuple[int, list[str]]:
    """Cut the power after each change in turn; how many disks that may leave, and what is wrong with them."""
    disk = disk_of(shim, base, life, setting)
    seen: set[tuple[int, bytes]] = set()
    troubles: list[str] = []
    for n, event in enumerate(read_log((base / "log").read_bytes()), 1):
        disk.see(event)
        for image in disk.after_power_cut(IGNORED):
            key = (disk.acknowledged, digest_of(image))
            if key in seen or len(troubles) >= enough_count:
                continue
            seen.add(key)
            trouble = trouble_of(base / "cut", image, life, disk.acknowledged)
            if trouble:
                troubles.append(f"power cut after change {n} ({event.kind} {event.name}): {trouble}")
    return len(seen), troubles


def trouble_of(folder: Path, image: Mapping[str, bytes], life: str, acknowledged: int) -> str | None:
    folder.mkdir()
    for name, content in image.items():
        (folder / name).write_bytes(content)
    trouble = trouble_in(folder, life, acknowledged)
    shutil.rmtree(folder)
    return trouble


def digest_of(image: Mapping[str, bytes]) -> bytes:
    digest = hashlib.blake2b(digest_size=16)
    for name, content in sorted(image.items()):
        digest.update(f"{name} {len(content)} ".encode() + content)
    return digest.digest()


def refuse_everywhere(
    shim: Path, base: Path, life: str, error: int, times: int, setting: str = ""
) -> tuple[int, int, list[str]]:
    """Refuse `times` changes (0: all, until something was said) from each change on in turn.

    How many trials that were, in how many something was said, and what is wrong.
    """
    count = run_trials(shim, base, life, "refuse", count=times, error=error, setting=setting)
    heard, troubles = 0, []
    for n in range(1, count + 1):
        folder = base / str(n)
        said = json.loads((base / f"{n}.json").read_text())["said"]
        heard += bool(said)
        wrong = [line for line in said if str(folder) not in line or not line.isprintable()]
        trouble = trouble_in(folder, life, len(steps_of(life)))
        troubles += [f"refused from change {n} on: {what}" for what in (*wrong, trouble) if what]
    return count, heard, troubles
