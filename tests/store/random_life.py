"""Steps of a journal's life drawn by a seed, and what is kept after each by a model of a few lines.

Owns the mixture. Must not ask the journal what it holds.
"""

from __future__ import annotations

import random
from collections.abc import Callable
from functools import partial

from tests.store.workload import EMPTY, Session, State, Step, entry

from tablewire.entries import Entry

CHOICES = ["append"] * 4 + [
    "begin",
    "put aside",
    "resume",
    "resume",
    "delete",
    "import",
    "open again",
    "keep",
    "forget",
]


class _Model:
    """The games by name, each with the times of its entries."""

    def __init__(self) -> None:
        self.games: dict[str, list[int]] = {}
        self.current: str | None = None
        self.version = 0
        self.decks: dict[str, int] = {}

    def state(self) -> State:
        """What is kept now."""
        games = {name: list(times) for name, times in self.games.items()}
        return State(games, self.current, self.version, dict(self.decks))


def random_life(seed: int, count: int) -> list[Step]:
    """So many steps of that seed, on from nothing."""
    draw, model = random.Random(seed), _Model()
    steps = [Step("open", lambda s: s.open(), EMPTY)]
    for n in range(count):
        choice = draw.choice(CHOICES)
        others = [name for name in model.games if name != model.current]
        if (choice == "append" and model.current is None) or (choice in ("resume", "delete") and not others):
            choice = "begin"
        if choice == "forget" and not model.decks:
            choice = "keep"
        times = [n * 10 + k for k in range(draw.randrange(1, 4))]
        some = [entry(at_ms, draw.choice([10, 300, 6_000])) for at_ms in times]
        if choice in ("append", "begin", "put aside", "resume"):
            model.version += draw.randrange(3)
        name = draw.choice(others) if choice in ("resume", "delete") else model.current or ""
        if choice == "forget":
            name = draw.choice([*model.decks])
        do = _DO[choice](model, f"g{n}" if choice in ("begin", "import", "keep") else name, some)
        steps.append(Step(choice, do, model.state()))
    return steps


def _append(model: _Model, name: str, some: list[Entry]) -> Callable[[Session], object]:
    model.games[name] += [e.at_ms for e in some]
    return partial(lambda version, s: s.journal.append(some, version), model.version)


def _begin(model: _Model, name: str, _some: list[Entry]) -> Callable[[Session], object]:
    model.games[name], model.current = [], name
    return partial(lambda version, s: s.journal.begin_game("cirkis", {"name": name}, version), model.version)


def _put_aside(model: _Model, _name: str, _some: list[Entry]) -> Callable[[Session], object]:
    model.current = None
    return partial(lambda version, s: s.journal.put_aside(version), model.version)


def _resume(model: _Model, name: str, some: list[Entry]) -> Callable[[Session], object]:
    model.games[name] += [e.at_ms for e in some]
    model.current = name
    return partial(lambda version, s: s.journal.resume(s.id_of(name), some, version), model.version)


def _delete(model: _Model, name: str, _some: list[Entry]) -> Callable[[Session], object]:
    del model.games[name]
    return lambda s: s.journal.delete(s.id_of(name))


def _import(model: _Model, name: str, some: list[Entry]) -> Callable[[Session], object]:
    model.games[name] = [e.at_ms for e in some]
    return lambda s: s.journal.import_game("cirkis", {"name": name}, some)


def _keep(model: _Model, name: str, some: list[Entry]) -> Callable[[Session], object]:
    deck, n = f"deck {len(name) % 2 + len(some)}", some[0].at_ms
    model.decks[deck] = n
    return lambda s: s.journal.keep("ligretto", deck, {"n": n, **some[0].body})


def _forget(model: _Model, name: str, _some: list[Entry]) -> Callable[[Session], object]:
    del model.decks[name]
    return lambda s: s.journal.forget("ligretto", name)


def _open_again(_model: _Model, _name: str, _some: list[Entry]) -> Callable[[Session], object]:
    def again(s: Session) -> None:
        s.close()
        s.open()

    return again


_DO: dict[str, Callable[[_Model, str, list[Entry]], Callable[[Session], object]]] = {
    "append": _append,
    "begin": _begin,
    "put aside": _put_aside,
    "resume": _resume,
    "delete": _delete,
    "import": _import,
    "open again": _open_again,
    "keep": _keep,
    "forget": _forget,
}
