"""A game of Ligretto at a table: journal entries in, the game and the next entry out.

Owns the live game as a frozen value: its record lines, what waits to become one, what people did. Must not
know bytes, disk, threads or the page; the readers come as `Lies`, time with them.

The two halves of `LiveGame`: `decide` turns what waits into an entry, `evolve` folds entries.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field, replace
from typing import Any

from tablewire.board.lies import Lies, Tag
from tablewire.entries import Entry, EntryKind
from tablewire.games.ligretto import actions, audit, document, folding, health, laying, lights, look, story
from tablewire.games.ligretto.cards import Card
from tablewire.games.ligretto.deeds import Counting, Deed
from tablewire.games.ligretto.match import Match
from tablewire.games.ligretto.record import CardLine, encode_header, encode_line
from tablewire.games.ligretto.rows import Do, Edit, Row, edited, encode_edit, encode_row, pad_of
from tablewire.games.ligretto.sensing import (
    ARBITRATE_MS,
    ASTRAY_MS,
    BARE_MS,
    LINGER_MS,
    TAKEN_MS,
    Sensed,
)
from tablewire.games.ligretto.setting import Setting, parse_setting
from tablewire.games.live import Chapter, Intervention, Lights, Outcome, Standing
from tablewire.games.outside import dump_json

RULES_VERSION = 1
"""Rises when the same list of lines would score differently; a game keeps the version it began with."""
TABLE = "table"
"""Who entered what follows from the readers alone."""


@dataclass(frozen=True, slots=True)
class LigrettoTable:
    """A game of Ligretto on a table.

    `match` is the game after all `rows`, `closed` the same as if nothing more came into their scans, `begun`
    the game at the beginning of its present round. `spots`:
    for tag and pad the last line of this round that told of it. `open_round`: the last round that was
    opened; until the next one is, nothing on the pads counts. `shift_ms`: what the times of the record are
    ahead of table time. `arriving`: a board that nobody has heard of yet will tell what lies there.
    `retold_ms`: when all that lies there was told anew, by the board or because the game is gone on with;
    None since a card of the round was seen.
    `numbered_at`: how many lines there were when the number of one changed last.
    """

    setting: Setting
    match: Match
    begun: Match
    closed: Match
    rows: tuple[Row, ...] = ()
    spots: Mapping[Tag, int] = field(default_factory=dict)
    sensed: Sensed = field(default_factory=Sensed)
    taught: Mapping[str, Card] = field(default_factory=dict)
    open_round: int = 1
    counting: Counting | None = None
    deeds: tuple[Deed, ...] = ()
    undone: tuple[Deed, ...] = ()
    shift_ms: int = 0
    arriving: bool = True
    numbered_at: int = 0
    retold_ms: int | None = None

    @property
    def is_open(self) -> bool:
        """Whether cards laid now count."""
        return not self.match.is_over and self.open_round >= self.match.round_number

    @property
    def cards(self) -> Mapping[str, Card]:
        """Which card each tag is."""
        return {**self.setting.cards, **self.taught} if self.taught else self.setting.cards

    def card_of(self, uid: str) -> Card | None:
        """The card of a tag; None when nobody knows it."""
        return self.taught.get(uid) or self.setting.cards.get(uid)

    def time_ms(self, at_ms: int) -> int:
        """A table time as a time of the record, which never falls within a round."""
        return max(at_ms + self.shift_ms, self.match.round.last_ms or 0)

    def with_open(self, is_open: bool) -> LigrettoTable:
        """The game with the round that is on or comes next open or not."""
        return replace(self, open_round=len(self.match.rounds) + is_open)

    def with_rows(self, rows: Iterable[Row]) -> LigrettoTable:
        """The game with lines added at the end. UserError when the time of one falls."""
        table = self
        for row in rows:
            match, before = table.match.enter(row.line), table.match
            table = replace(table, rows=(*table.rows, row), match=match)
            if len(match.rounds) > len(before.rounds):
                table = replace(table, begun=match, spots={})
            elif row.uid is not None and isinstance(row.line, CardLine):
                table = replace(table, spots={**table.spots, (row.line.pad, row.uid): match.n})
        return replace(table, closed=table.match.closed)

    def settled(self, until_ms: int) -> LigrettoTable:
        """The game with the scans over that nothing can come into after a table time."""
        return replace(self, match=self.match.close_scans(until_ms + self.shift_ms))

    def with_edits(self, edits: Iterable[Edit]) -> LigrettoTable:
        """The game with its lines edited, and all played again. UserError when the time of one falls."""
        edits = tuple(edits)
        if all(edit.do is Do.INSERT and edit.n > len(self.rows) for edit in edits):
            return self.with_rows(edit.row for edit in edits if edit.row is not None)
        rows = edited(self.rows, edits)
        fresh = min(edit.n for edit in edits) <= self.begun.n
        start = Match.begin(self.setting.rules) if fresh else self.begun
        match = begun = start
        for row in rows[start.n :]:
            before, match = match, match.enter(row.line)
            begun = match if len(match.rounds) > len(before.rounds) else begun
        spots = {
            (pad, row.uid): n
            for n, row in enumerate(rows[begun.n :], begun.n + 1)
            if row.uid is not None and (pad := pad_of(row)) is not None
        }
        moves = any(edit.do is not Do.REPLACE for edit in edits)
        after = replace(self, rows=rows, match=match, closed=match.closed, begun=begun, spots=spots)
        return replace(after, numbered_at=len(rows) if moves else self.numbered_at)

    # The live game

    def evolve(self, entry: Entry, lies: Lies) -> LigrettoTable:
        """The game after one entry."""
        return folding.evolve(self, entry, lies)

    def decide(self, lies: Lies) -> Entry | None:
        """The next entry that follows from what lies on the table."""
        due = self.sensed.due(lies.now_ms)
        if not due:
            return None
        moved = laying.moved(self, lies, due)
        if moved is not None:
            body = {"by": TABLE, "uid": moved.row.uid if moved.row else None, **encode_edit(moved)}
            return Entry(EntryKind.REWRITE, lies.now_ms, body)
        return self.laid_entry(lies, lies.now_ms - ARBITRATE_MS)

    def laid_entry(self, lies: Lies, until_ms: int) -> Entry:
        """The entry that makes lines of all that came until a time."""
        items = [item for item in self.sensed.waiting if item.at_ms <= until_ms]
        laid = laying.lay(self, lies, items)
        body = {"by": TABLE, "rows": [encode_row(row) for row in laid.rows], "until": until_ms}
        return Entry(EntryKind.COMMIT, lies.now_ms, {**body, "ghosts": laid.ghosts_count})

    def flushed(self, lies: Lies) -> tuple[LigrettoTable, tuple[Entry, ...]]:
        """The game with nothing waiting, before a person changes it, and the entry that leads to it."""
        if not self.sensed.come(lies.now_ms):
            return self, ()
        entry = self.laid_entry(lies, lies.now_ms)
        return self.evolve(entry, lies), (entry,)

    def act(self, name: str, body: Mapping[str, Any], lies: Lies) -> Outcome:
        """The entries an operator's action leads to, why it is refused, or what it only asked."""
        return actions.act(self, name, body, lies)

    def intervention(self, entry: Entry, lies: Lies) -> Intervention | None:
        """What the audit says of an entry that this game is about to take in; None for plain play."""
        return audit.intervention(self, entry, lies)

    def health(self, lies: Lies) -> dict[str, Any]:
        """Every pad with what its reader sees."""
        return health.pads(self, lies)

    def next_deadline_ms(self, lies: Lies) -> int | None:
        """The next table time at which quiet alone changes something."""
        now_ms, scan_ms = lies.now_ms, self.setting.rules.scan_ms
        moments = [
            *(item.at_ms for item in self.sensed.waiting),
            *(item.at_ms + ARBITRATE_MS for item in self.sensed.waiting),
            *(scan.first_ms + scan_ms + 1 - self.shift_ms for scan in self.match.scans),
            *(double.since_ms + LINGER_MS for double in laying.doubles(self, lies)),
            *(each.since_ms + ASTRAY_MS for each in look.astray(self, lies)),
            *(each.since_ms + TAKEN_MS for each in look.taken(self, lies)),
            *(() if self.retold_ms is None else (self.retold_ms + BARE_MS,)),
        ]
        return min((moment for moment in moments if moment > now_ms), default=None)

    def document(self, lies: Lies) -> dict[str, Any]:
        """The game's part of the state document."""
        return document.document(self, lies)

    def lights(self, document: Mapping[str, Any]) -> Lights:
        """What the board shows and plays by itself with this document."""
        return lights.lights(document)

    def legal(self) -> dict[str, Any]:
        """Nobody is to move: everybody lays cards whenever they can."""
        return {"player": None, "placements": []}

    def standing(self) -> Standing:
        """How the game stands."""
        return story.standing(self)

    def story(self) -> Iterator[Chapter]:
        """The game so far, line by line."""
        return story.story(self)

    def record(self) -> str:
        """The game so far, as `tablewire score` reads it: tags and decks are no part of it."""
        lines = [encode_header(self.setting.rules), *(encode_line(row.line) for row in self.rows)]
        return "".join(f"{dump_json(line)}\n" for line in lines)


def begin(pinned: Mapping[str, Any]) -> LigrettoTable:
    """A new game from a pinned record header. UserError when it is none."""
    setting = parse_setting(pinned)
    match = Match.begin(setting.rules)
    return LigrettoTable(setting, match, match, match)
