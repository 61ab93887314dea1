"""Takes the steps of a life under the shim: killed, refused or written down at the n-th change to the disk.

Run by `tests/store/trials.py` with the shim loaded before everything else. Every trial is a fork of this one
process, which has everything imported.
"""

from __future__ import annotations

import ctypes
import json
import os
import shutil
import sys
from collections.abc import Callable
from functools import partial
from pathlib import Path
from typing import Any

from tests.store.trials import steps_of
from tests.store.workload import Session, Step

from tablewire.errors import StoreError
from tablewire.store import opening

DISK = ctypes.CDLL(None)
FOR_EVER = 1_000_000_000


def take_steps(
    folder: Path, steps: list[Step], acknowledge: Callable[[int], object], *, early: bool = False
) -> None:
    """Take the steps and acknowledge each; `early`: before it is done, which the trials must find out."""
    session = Session(folder)
    for n, step in enumerate(steps, 1):
        if early:
            acknowledge(n)
        step.do(session)
        if not early:
            acknowledge(n)


def killed(folder: Path, steps: list[Step], n: int, *, early: bool) -> None:
    """Die before the n-th change; the file beside the folder has a byte for each step acknowledged."""
    with folder.with_suffix(".acks").open("wb", buffering=0) as acks:
        DISK.disk_watch(str(folder).encode())
        DISK.disk_kill_at(ctypes.c_long(n))
        take_steps(folder, steps, lambda _: acks.write(b"."), early=early)


def refused(folder: Path, steps: list[Step], n: int, count: int, error: int) -> dict[str, Any]:
    """Refuse `count` changes from the n-th on; what was said. Then there is room again, and it goes on."""
    DISK.disk_watch(str(folder).encode())
    DISK.disk_fail(ctypes.c_long(n), ctypes.c_long(count), error)
    said, session = [], Session(folder)
    for step in steps:
        try:
            step.do(session)
        except StoreError as exc:
            said.append(f"{step.name}: {exc}")
            DISK.disk_fail(ctypes.c_long(0), ctypes.c_long(0), 0)
            step.do(session)
    return {"said": said, "changes": DISK.disk_changes()}


def written_down(folder: Path, steps: list[Step], log: Path) -> None:
    """Take the steps with every change and every acknowledgement written to `log`."""
    with log.open("wb", buffering=0) as file:
        DISK.disk_watch(str(folder).encode())
        DISK.disk_log(file.fileno())
        take_steps(folder, steps, lambda n: DISK.disk_mark(str(n).encode()))
        DISK.disk_log(-1)


def _with(setting: str) -> Callable[[], None]:
    def change() -> None:
        settle = opening._settle

        def settle_otherwise(connection: Any) -> None:
            settle(connection)
            connection.execute(f"PRAGMA {setting}")

        opening._settle = settle_otherwise

    return change


def _no_folder_sync() -> None:
    setattr(opening, "sync_folder", lambda _folder: None)  # noqa: B010 - it is another module's


SETTINGS: dict[str, Callable[[], None]] = {
    "": lambda: None,
    "a short log": _with("wal_autocheckpoint = 12"),
    "synchronous off": _with("synchronous = OFF"),
    "synchronous normal": _with("synchronous = NORMAL"),
    "folder not synced": _no_folder_sync,
}
"""A log that is begun anew every few steps, as it is every 4 MB else; and what a careless journal would leave
out, which the trials must find."""


def in_a_fork(work: Callable[[], object], result: Path) -> bool:
    """Do the work in a fork of this process; whether it came to its end. What it returns is in `result`."""
    child = os.fork()
    if child == 0:
        status = 1
        try:
            result.write_text(json.dumps(work()))
            status = 0
        finally:
            os._exit(status)
    _, status = os.waitpid(child, 0)
    if os.WIFEXITED(status) and os.WEXITSTATUS(status) != 0:
        sys.exit(f"a trial failed by itself: see above ({result})")
    return os.WIFEXITED(status)


def main() -> None:
    """Do what the JSON object on standard input asks; print how many trials there were."""
    job = json.load(sys.stdin)
    base, steps = Path(job["base"]), steps_of(job["life"])
    SETTINGS[job.get("setting", "")]()
    if job["kind"] == "write down":
        in_a_fork(lambda: written_down(base / "1", steps, base / "log"), base / "1.json")
        sys.stdout.write("1\n")
        return
    n, goes_on = 0, True
    while goes_on:
        n += 1
        folder, result = base / str(n), base / f"{n}.json"
        shutil.copytree(job["start"], folder)
        if job["kind"] == "kill":
            goes_on = not in_a_fork(partial(killed, folder, steps, n, early=job["early"]), result)
        else:
            in_a_fork(partial(refused, folder, steps, n, job["count"] or FOR_EVER, job["error"]), result)
            goes_on = json.loads(result.read_text())["changes"] >= n
    sys.stdout.write(f"{n}\n")


if __name__ == "__main__":
    main()
