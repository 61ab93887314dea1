"""`tablewire replay`: a captured session run again through a fresh core, and compared with what came of it.

Owns the comparison and what is said of it. Must not know rules, SQL, or how a capture is written.

The journal is a new one in a temporary folder; time is the capture's, so that a replay takes as long as the
computing alone. Where the journal refused something then, it does so again.
"""

from __future__ import annotations

import os
import tempfile
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import UTC, datetime
from pathlib import Path
from typing import Any, TypeVar

from tablewire import __version__
from tablewire.capture import StoreAround, WatchedCore, shown_line
from tablewire.captured import Call, Captured, Header, KeptGame, open_capture
from tablewire.core import Core
from tablewire.errors import QUOTED_CHAR_COUNT, StoreError, UserError, one_line
from tablewire.keeping import Start, Store
from tablewire.store.journal import Journal
from tablewire.wire.frame import Decoder, Frame
from tablewire.wire.messages import BOARD_PARSERS, HOST_PARSERS, PayloadError

T = TypeVar("T")
Say = Callable[[str], None]

SAME, OTHER = 0, 1
"""Exit statuses of `tablewire replay`; 2 is a file that is no capture."""
LISTED_MAX_CHARS = 300
"""A snapshot of all sensors is no line for a person."""


@dataclass(frozen=True, slots=True)
class Difference:
    """Where a replay first came out otherwise: when, and what."""

    ms: int
    text: str

    def __str__(self) -> str:
        return f"at {self.ms / 1000:.3f} s {self.text}"


class StoreReplayed(StoreAround):
    """One that keeps for each game what was kept for it then: `told` are the lines that say so, in order."""

    def __init__(self, store: Store, through: Callable[[Callable[[], Any]], Any]) -> None:
        super().__init__(store, through)
        self.told: list[Mapping[str, Any]] = []

    def kept(self, game: str) -> Mapping[str, Mapping[str, Any]]:
        now = super().kept(game)
        at = next((at for at, line in enumerate(self.told) if line["kept_for"] == game), None)
        bodies = now if at is None else self.told.pop(at)["bodies"]
        # A line of a capture that was edited may hold anything.
        return {name: body for name, body in bodies.items() if isinstance(body, dict)}


class Replay:
    """One replay. `difference` is the first there was; `record` that of the game played last."""

    def __init__(self, captured: Captured, journal: Journal) -> None:
        self._captured = captured
        self._journal = journal
        self._store = StoreReplayed(journal, self._use)
        self._core: Core | None = None
        self._ids: dict[str, str] = {}
        self._shown: list[Mapping[str, Any]] = []
        self._pages: list[tuple[str | None, int, str]] = []
        self._refusals: dict[int, str] = {}
        self._uses_count = 0
        self._records: tuple[list[str], list[str]] = ([], [])
        self.difference: Difference | None = None
        self.record = ""
        self.moves_count = self.pages_count = self.messages_count = self.ms = 0

    @property
    def by_this_version(self) -> bool:
        """Whether the program that captured was this one."""
        return self._captured.header.program == __version__

    @property
    def is_same_game(self) -> bool:
        """Whether the same record came out, page by page. Another version may show it otherwise."""
        if self.by_this_version:
            return self.difference is None
        then, now = self._records
        return then == now[: len(then)] and (then == now or not self._captured.is_whole)

    def run(self, look: Callable[[Call], None] = lambda _: None) -> None:
        """Make the calls of the capture, as far as nothing differs. UserError at a damaged line."""
        before: Call | None = None
        for call in self._captured:
            if before is not None and not self._repeat(before, look, is_last=False):
                return
            before = call
        if before is not None:
            self._repeat(before, look, is_last=not self._captured.is_whole)

    def _repeat(self, call: Call, look: Callable[[Call], None], *, is_last: bool) -> bool:
        """Make one call and compare; whether to go on. Of the last one of a cut file, some may be missing."""
        look(call)
        self.ms = call.ms
        self.messages_count += len(call.line.get("names", ()))
        if call.kept is not None:
            self._keep(call.kept)
        self._refusals = {line["refused"]: line["text"] for line in call.came_of_it if "refused" in line}
        self._uses_count, self._shown, self._pages = 0, [], []
        self._store.told = [line for line in call.came_of_it if "kept_for" in line]
        broke = None
        try:
            came_of_it = self._make(call)
        except Exception as exc:  # whatever breaks the program is what is looked for
            came_of_it, broke = {}, f"{type(exc).__name__}: {exc}"
        then = [line for line in call.came_of_it if "shown" in line]
        self._take_stock(then)
        told = next((line["broke"] for line in call.came_of_it if "broke" in line), None)
        found = _breakage(told, broke)
        if found is None and broke is None:
            found = _difference(call, came_of_it, then, self._shown, is_last=is_last)
        if found is not None and self.difference is None:
            self.difference = Difference(call.ms, found)
        return broke is None and (found is None or not self.by_this_version)

    def _make(self, call: Call) -> Mapping[str, Any]:
        if call.kind == "start":
            self._core = self._begin(self._captured.header)
            return {}
        core = self._core
        if core is None:
            raise RuntimeError("a capture begins with its start")
        match call.kind, call.line:
            case "link", line:
                _tell_link(core, call.ms, line)
            case "in", _:
                core.receive(call.data, call.ms)
            case "out", _:
                return {"out": core.data_to_send(call.ms)}
            case "act", {"act": name, "body": body}:
                if name == "resume_game":
                    given = body.get("game_id")
                    body = {**body, "game_id": self._ids.get(given, given) if _is_id(given) else given}
                return {"answer": core.act(name, body).status}
            case "begin", {"begin": header}:
                core.begin(header)
        return {}

    def _begin(self, header: Header) -> Core:
        """The core on a journal that stands where the captured one stood."""
        start = Start(header.version, masked=header.masked, trouble=header.trouble)
        if header.game is not None:
            game_id = self._keep(header.game)
            self._journal.resume(game_id)
            start = replace(start, game=self._journal.game(game_id), entries=header.game.entries)
        self._journal.save_version(header.version)
        return WatchedCore(self._store, self._tell, header.port, header.timing, start)

    def _keep(self, game: KeptGame) -> str:
        game_id = self._journal.import_game(game.game, game.pinned, game.entries)
        self._ids[game.game_id] = game_id
        return game_id

    def _use(self, call: Callable[[], T]) -> T:
        self._uses_count += 1
        if self._uses_count - 1 in self._refusals:
            raise StoreError(self._refusals[self._uses_count - 1])
        return call()

    def _tell(self, version: int, document: dict[str, Any], record: str) -> None:
        self._shown.append(shown_line(version, document, record))
        self._pages.append((document["game_id"], document["moves"], record))

    def _take_stock(self, then: list[Mapping[str, Any]]) -> None:
        """Note what was shown: then and now, with the record's changes, and what each game is called."""
        for records, lines in zip(self._records, (then, self._shown), strict=True):
            for line in lines:
                if records[-1:] != [line["record"]]:
                    records.append(line["record"])
        for line, (game_id, _, _) in zip(then, self._pages, strict=False):
            if _is_id(line.get("game_id")) and game_id is not None:
                self._ids.setdefault(line["game_id"], game_id)
        for _, moves_count, record in self._pages:
            self.pages_count += 1
            if record:
                self.moves_count, self.record = moves_count, record


def _tell_link(core: Core, ms: int, line: Mapping[str, Any]) -> None:
    """What a line tells of the link; earlier programs told less of it."""
    tried = tuple((port, why) for port, why in line.get("tried", ()))
    match line["link"]:
        case "opened":
            core.link_opened(ms, line.get("port"), line.get("kind", "serial"), tried)
        case "trying":
            core.link_trying(ms, line.get("text", ""))
        case "resumed":
            core.link_resumed(ms)
        case _:
            core.link_lost(ms, line.get("reason", ""), tried)


def _is_id(given: object) -> bool:
    """Whether a line of a capture names a game there: in one that was edited may stand anything."""
    return isinstance(given, str)


def _breakage(then: str | None, now: str | None) -> str | None:
    if then == now:
        return None
    if now is not None:
        return f"the program breaks ({one_line(now)})"
    return f"the program broke ({one_line(then)}), and does not any more"


def _difference(
    call: Call,
    came_of_it: Mapping[str, Any],
    then: Sequence[Mapping[str, Any]],
    now: Sequence[Mapping[str, Any]],
    *,
    is_last: bool,
) -> str | None:
    """What is not as it was; of the last call of a cut file, as far as it is told."""
    for old, new in zip(then, now, strict=False):
        if old["record"] != new["record"]:
            return f"the game at version {old['shown']} is another one"
        if old["shown"] != new["shown"]:
            return f"version {new['shown']} is shown in place of version {old['shown']}"
        if old["page"] != new["page"]:
            return f"version {old['shown']} shows something else"
    if len(then) > len(now):
        return f"version {then[len(now)]['shown']} is not shown"
    if len(now) > len(then) and not is_last:
        return f"version {now[len(then)]['shown']} is shown, and was not"
    if call.kind == "out" and came_of_it.get("out") != call.data:
        return "the board is told something else"
    answers = [line["answer"] for line in call.came_of_it if "answer" in line]
    if call.kind == "act" and answers != [came_of_it.get("answer")] and not (is_last and not answers):
        return f"the answer to {one_line(call.line['act'])} is {came_of_it.get('answer')}, and was {answers}"
    return None


def replay_file(path: Path, record: Path | None, say: Say, *, frames: bool = False) -> int:
    """Replay a capture and say how it came out; the exit status.

    `record`: a new file for the record of the game; `frames`: say every message as it comes. UserError when
    the file is no capture, or `record` cannot be written.
    """
    _refuse_existing(record)
    with (
        open_capture(path) as file,
        tempfile.TemporaryDirectory(prefix="tablewire-replay-") as folder,
        Journal.open(Path(folder), lambda: datetime.now(UTC)) as journal,
    ):
        captured = Captured(file, one_line(path))
        replay = Replay(captured, journal)
        replay.run(Listing(say).look if frames else lambda _: None)
    if record is not None:
        _write_new(record, replay.record)
    for line in _said(captured, replay):
        say(line)
    return SAME if replay.is_same_game else OTHER


def _said(captured: Captured, replay: Replay) -> Iterator[str]:
    if not captured.is_whole and replay.is_same_game:
        where = "" if captured.cut_line is None else f" in line {captured.cut_line}"
        yield f"the capture was broken off{where}; replayed up to there"
    if not replay.by_this_version:
        program = one_line(captured.header.program[:QUOTED_CHAR_COUNT])
        yield f"captured by tablewire {program}, replayed by {__version__}"
    if not replay.is_same_game:
        yield f"not the same game: {replay.difference or 'another record came out'}"
        return
    minutes, seconds = divmod(replay.ms // 1000, 60)
    counted = ((replay.moves_count, "move"), (replay.pages_count, "page"), (replay.messages_count, "message"))
    words = ", ".join(f"{count} {word}{'' if count == 1 else 's'}" for count, word in counted)
    yield f"same game: {words} in {minutes} min {seconds} s"
    if replay.difference is not None:
        yield f"shown otherwise, first {replay.difference}"


class Listing:
    """Every call of a capture as lines for a person, the messages in words."""

    def __init__(self, say: Say) -> None:
        self._say = say
        self._sides: dict[str, tuple[Decoder, Mapping[int, Callable[[bytes], object]]]] = {
            "in": (Decoder(), BOARD_PARSERS),
            "out": (Decoder(), HOST_PARSERS),
        }

    def look(self, call: Call) -> None:
        """Say one call."""
        for what in self._told(call):
            text = one_line(what)
            self._say(f"{call.ms / 1000:10.3f}  {text[:LISTED_MAX_CHARS]}")
        for line in call.came_of_it:
            if "shown" in line:
                self._say(f"{call.ms / 1000:10.3f}  shown  version {line['shown']}")

    def _told(self, call: Call) -> Iterator[str]:
        match call.kind:
            case "in" | "out":
                decoder, parsers = self._sides[call.kind]
                side = "board" if call.kind == "in" else "host "
                for frame in decoder.receive_data(call.data):
                    yield f"{side}  {_in_words(frame, parsers)}"
            case "link":
                said = [call.line.get(key) for key in ("link", "port", "reason", "text")]
                yield f"link   {' '.join(one for one in said if one)}"
            case "act":
                yield f"act    {call.line['act']} {call.line['body']}"
            case "begin":
                yield f"begin  {call.line['begin']}"


def _in_words(frame: Frame, parsers: Mapping[int, Callable[[bytes], object]]) -> str:
    parse = parsers.get(frame.type)
    if parse is None:
        return f"type {frame.type} of {len(frame.payload)} bytes"
    try:
        return repr(parse(frame.payload))
    except PayloadError as exc:
        return f"type {frame.type}: {exc}"


def _refuse_existing(path: Path | None) -> None:
    if path is not None and os.path.lexists(path):
        raise UserError(f"--record {one_line(path)}: there is such a file already: choose another name")


def _write_new(path: Path, text: str) -> None:
    _refuse_existing(path)
    try:
        with path.open("x", encoding="utf-8") as file:
            file.write(text)
    except (OSError, ValueError) as exc:
        reason = exc.strerror if isinstance(exc, OSError) else "no file can have this name"
        raise UserError(f"--record {one_line(path)}: cannot be written: {reason}") from exc
