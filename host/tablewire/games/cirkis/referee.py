"""The referee of a Cir*Kis table: journal entries in, the game and the next entry out.

Owns the live game as a frozen value: its list of moves, what may be lifted, what was undone. Must not know
bytes, disk, threads or the page; the sensors come as `Lies`, time with them.

The two halves of `LiveGame`: `decide` turns what `survey` found into a journal entry, `evolve` folds entries.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field, replace
from functools import lru_cache
from typing import Any

from tablewire.board.lies import NEVER_MS, Lies
from tablewire.entries import Entry, EntryKind
from tablewire.errors import UserError
from tablewire.games.cirkis import actions, audit, document, folding, health, lights, story
from tablewire.games.cirkis.colours import PlayerColour
from tablewire.games.cirkis.corrections import merged
from tablewire.games.cirkis.findings import CatchUp, Commit, Mask, Merge, Rewrite, TakeBack
from tablewire.games.cirkis.moves import Laid, Moves, encode_move, replace_spaces
from tablewire.games.cirkis.pieces import default_piece_set, parse_piece_set
from tablewire.games.cirkis.readings import Reading, is_legal
from tablewire.games.cirkis.record import (
    Header,
    Line,
    NextRound,
    Turn,
    encode_header,
    encode_line,
    parse_header,
)
from tablewire.games.cirkis.report import Report
from tablewire.games.cirkis.rules import Rules
from tablewire.games.cirkis.survey import Survey, survey
from tablewire.games.cirkis.tiling import SpaceId
from tablewire.games.cirkis.wiring import SPACE_COUNT
from tablewire.games.live import Chapter, Intervention, Lights, Outcome, Standing
from tablewire.games.outside import dump_json

RULES_VERSION = 1
"""Rises when the same list of moves would score differently; a game keeps the version it began with."""
NO_EXTRA: Mapping[str, Any] = {}
UNSEEN = "unseen"
"""How moves came about that were made while the board was not heard, in the journal."""


@dataclass(frozen=True, slots=True)
class CirkisTable:
    """A game of Cir*Kis on a table.

    `lift_first`: spaces whose present magnets do not count until lifted, with the table time of that
    decision. `liftable`: lifting the last piece takes it back. `undone`: moves to redo, newest last.
    `setting_up`: nothing has been played in this round yet, nor taken back; the board is to be cleared.
    `boot`: the boot of a board that was heard last; what lay there before any was is no move. `resumed`: the
    game was put aside, and no board has told yet what lies there now. `unseen_ms`: when a snapshot told last
    what had come while the board was not heard.
    """

    header: Header
    moves: Moves
    lift_first: Mapping[SpaceId, int] = field(default_factory=dict)
    liftable: bool = False
    undone: tuple[tuple[Line, Laid | None], ...] = ()
    setting_up: bool = True
    boot: int | None = None
    resumed: bool = False
    unseen_ms: int = NEVER_MS

    def survey(self, lies: Lies) -> Survey:
        """One look at the table."""
        return survey(self.moves, lies, self.lift_first, self.liftable, self.unseen_ms)

    def decide(self, lies: Lies) -> Entry | None:
        """The next entry that follows from what lies on the table."""
        change = self.survey(lies).change
        return None if change is None else self.entry(change, lies, "table")

    def entry(
        self,
        change: Commit | CatchUp | Rewrite | TakeBack | Mask | Merge,
        lies: Lies,
        by: str,
        extra: Mapping[str, Any] = NO_EXTRA,
    ) -> Entry:
        """The journal entry of a change. What the rules refuse is entered as forced (a person chose it)."""
        match change:
            case Mask(sensor):
                body = {"by": by, **extra, "sensors": [sensor], "masked": True}
                return Entry(EntryKind.MASK, lies.now_ms, body)
            case Merge():
                body = {"by": by, **extra, **merged(self.moves, change).to_body()}
                return Entry(EntryKind.CORRECTION, lies.now_ms, body)
            case TakeBack(index):
                return Entry(EntryKind.TAKE_BACK, lies.now_ms, {"by": by, **extra, "index": index})
            case Rewrite(index, _, placement, laid):
                line = replace_spaces(self.moves.moves[index].line, placement.spaces)
                body = {"by": by, **extra, "index": index, **encode_move(line, laid)}
                return Entry(EntryKind.REWRITE, lies.now_ms, body)
            case Commit():
                body = {"by": by, **extra, "moves": self._rows(change)}
                return Entry(EntryKind.COMMIT, lies.now_ms, body)
            case CatchUp(commits):
                body = {"by": by, "how": UNSEEN, **extra, "moves": self._rows(*commits)}
                return Entry(EntryKind.COMMIT, lies.now_ms, body)

    def _rows(self, *commits: Commit) -> list[dict[str, Any]]:
        """The moves of one player after another, as the journal writes them."""
        moves, rows = self.moves, list[dict[str, Any]]()
        for commit in commits:
            for placement, laid in zip(commit.reading, commit.laid, strict=True):
                refused = moves.rules.judge(moves.state, commit.player, placement.spaces)
                line = Turn(commit.player, placement.spaces, forced=bool(refused))
                moves = moves.play(line, laid)
                rows.append(encode_move(line, laid))
        return rows

    def evolve(self, entry: Entry, lies: Lies) -> CirkisTable:
        """The game after one entry."""
        return folding.evolve(self, entry, lies)

    def act(self, name: str, body: Mapping[str, Any], lies: Lies) -> Outcome:
        """The entries an operator's action leads to, why it is refused, or what it only asked."""
        return actions.act(self, name, body, lies)

    def intervention(self, entry: Entry, lies: Lies) -> Intervention | None:
        """What the audit says of an entry that this game is about to take in; None for plain play."""
        return audit.intervention(self, entry, lies)

    def health(self, lies: Lies) -> dict[str, Any]:
        """Every sensor with what it stands for and how far it can be believed."""
        return health.sensors(self, lies)

    def next_deadline_ms(self, lies: Lies) -> int | None:
        """The next table time at which quiet alone changes something."""
        now_ms, rest_ms = lies.now_ms, lies.next_rest_ms(SPACE_COUNT)
        moments = [
            move.laid.grows_until_ms + 1
            for move in self.moves.moves
            if move.laid is not None and move.laid.grows_until_ms is not None
        ]
        if rest_ms is not None:
            moments.append(rest_ms)
        moments.append(self.unseen_ms + lies.timing.quiet_ms)
        return min((moment for moment in moments if moment > now_ms), default=None)

    def document(self, lies: Lies) -> dict[str, Any]:
        """The game's part of the state document."""
        return document.document(self, lies)

    def lights(self, document: Mapping[str, Any]) -> Lights:
        """What the board shows and plays by itself with this document."""
        return lights.lights(document)

    def legal(self) -> dict[str, Any]:
        """Where the player to move may place: every legal placement."""
        state = self.moves.state
        placements = [
            {"shape": p.shape, "spaces": list(p.spaces)} for p in self.moves.rules.legal_placements(state)
        ]
        return {"player": state.to_move, "placements": placements}

    def standing(self) -> Standing:
        """How the game stands."""
        return story.standing(self)

    def story(self) -> Iterator[Chapter]:
        """The game so far, move by move."""
        return story.story(self)

    def record(self) -> str:
        """The game so far, as `tablewire score` reads it."""
        lines = [encode_header(self.header), *(encode_line(move.line) for move in self.moves.moves)]
        return "".join(f"{dump_json(line)}\n" for line in lines)

    def last_turn(self) -> Report | None:
        """What the rules made of the last placement or pass of this round."""
        for move in reversed(self.moves.moves):
            if isinstance(move.line, NextRound):
                return None
            if move.step.report.kind in document.TURNS:
                return move.step.report
        return None

    def passed_over(self) -> tuple[PlayerColour, ...]:
        """Who was passed over since the last placement or pass, because no piece of theirs fits."""
        report = self.last_turn()
        return () if report is None else report.auto_passes

    def refused(self, player: PlayerColour, reading: Reading) -> bool:
        """Whether laying these pieces breaks a rule."""
        return not is_legal(self.moves.rules, self.moves.state, player, reading)


def pin(header: Mapping[str, Any]) -> dict[str, Any]:
    """A record header with its whole piece set in it, so that nothing outside can change the game later.

    UserError when it is none, or names a piece set by path: whoever may read files does so before.
    """
    parsed = parse_header(header)
    if isinstance(parsed.pieces, str):
        raise UserError('option "pieces" must be the piece set itself here, not the path of a file')
    pieces = default_piece_set() if parsed.pieces is None else parse_piece_set(parsed.pieces)
    return encode_header(replace(parsed, pieces=pieces.to_json()))


def begin(pinned: Mapping[str, Any]) -> CirkisTable:
    """A new game from a pinned record header. UserError when it is none."""
    header, rules = _rules(json.dumps(pinned, sort_keys=True))
    return CirkisTable(header, Moves(rules, rules.start()))


@lru_cache(maxsize=8)
def _rules(text: str) -> tuple[Header, Rules]:
    """The rules for a pinned header; where all its pieces fit takes a tenth of a second, so it is kept."""
    header = parse_header(text)
    return header, Rules(header.players, header.options, parse_piece_set(header.pieces))
