"""What the rules say about one line of a record: the verdict, the points and why, and what comes next.

Owns the reasons, the kinds of free turn, and the form in which `tablewire score` prints a line and a result.
Must not know how any of it is decided.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from enum import StrEnum
from typing import Any, NamedTuple

from tablewire.games.cirkis.colours import PlayerColour
from tablewire.games.cirkis.state import Ending, State


class Reason(StrEnum):
    """Why a line is illegal. A line has every reason that applies; GAME_OVER and NOT_A_LINE stand alone."""

    UNKNOWN_SPACE = "unknown_space"
    UNKNOWN_PLAYER = "unknown_player"
    SPACE_FILLED = "space_filled"
    NOT_A_PIECE = "not_a_piece"
    NONE_LEFT = "none_left"
    NOT_YOUR_TURN = "not_your_turn"
    FIRST_NOT_CENTRAL = "first_not_central"
    NOT_TOUCHING_LEADER = "not_touching_leader"
    NOT_TOUCHING_ANY = "not_touching_any"
    PASS_WHILE_ABLE = "pass_while_able"  # noqa: S105
    GAME_OVER = "game_over"
    NOT_A_LINE = "not_a_line"


FORCEABLE = frozenset(
    {
        Reason.NONE_LEFT,
        Reason.NOT_YOUR_TURN,
        Reason.FIRST_NOT_CENTRAL,
        Reason.NOT_TOUCHING_LEADER,
        Reason.NOT_TOUCHING_ANY,
        Reason.PASS_WHILE_ABLE,
    }
)
"""What a forced line may overrule: the table can show such a position. A space cannot be filled twice."""


class FreeTurn(StrEnum):
    """Why a placement earns a free turn; the first that applies, in this order."""

    SURROUNDED = "surrounded"
    CENTER_STAR = "center_star"
    FIRST_SLIVER = "first_sliver"


class Why(StrEnum):
    """What points are awarded for."""

    DOMINANT = "dominant"
    COMPLETER = "completer"
    WENT_OUT = "went_out"


class Award(NamedTuple):
    """Points for one player; `figure` is "S1".."S6", "C1".."C10" or "ring", None for going out."""

    player: PlayerColour
    points: int
    why: Why
    figure: str | None


class LineKind(StrEnum):
    """What kind of line was read. A stated pass names an automatic pass and changes nothing."""

    PLACEMENT = "placement"
    PASS = "pass"  # noqa: S105
    STATED_PASS = "stated_pass"  # noqa: S105
    RULING = "ruling"
    ROUND = "round"
    ILLEGAL = "illegal"


@dataclass(frozen=True, slots=True)
class Report:
    """What one line did. Fields that do not belong to its kind keep their empty default.

    `shape` is None but for placements; `forced` holds the reasons a forced line overruled, None for a line
    that is not forced; `scores` are those after the line, in turn order; `next` is None after the end.
    """

    kind: LineKind
    player: str | None = None
    reasons: tuple[Reason, ...] = ()
    shape: str | None = None
    completed: tuple[str, ...] = ()
    awards: tuple[Award, ...] = ()
    free_turn: FreeTurn | None = None
    auto_passes: tuple[PlayerColour, ...] = ()
    scores: Mapping[PlayerColour, int] = field(default_factory=dict)
    next: PlayerColour | None = None
    forced: tuple[Reason, ...] | None = None
    ruling: Mapping[PlayerColour, int] = field(default_factory=dict)
    round: int = 0

    @property
    def legal(self) -> bool:
        """Whether the line stands."""
        return self.kind is not LineKind.ILLEGAL

    @property
    def points(self) -> dict[PlayerColour, int]:
        """Points of those who got some, in turn order."""
        gained = {player: sum(a.points for a in self.awards if a.player == player) for player in self.scores}
        return {player: points for player, points in gained.items() if points}

    def to_json(self, n: int) -> dict[str, Any]:
        """The line `tablewire score` prints; `n` counts record lines after the header, from 1."""
        return {"n": n, **_BODIES[self.kind](self)}


def _illegal(report: Report) -> dict[str, Any]:
    return {"player": report.player, "legal": False, "reasons": list(report.reasons)}


def _turn(report: Report) -> dict[str, Any]:
    body = {
        "player": report.player,
        "shape": report.shape,
        "legal": True,
        "completed": list(report.completed),
        "points": report.points,
        "free_turn": report.free_turn,
        "auto_passes": list(report.auto_passes),
        **_standing(report),
    }
    return body if report.forced is None else {**body, "forced": list(report.forced)}


def _standing(report: Report) -> dict[str, Any]:
    return {"scores": dict(report.scores), "next": report.next}


_BODIES = {
    LineKind.PLACEMENT: _turn,
    LineKind.PASS: _turn,
    LineKind.STATED_PASS: _turn,
    LineKind.RULING: lambda report: {"ruling": dict(report.ruling), **_standing(report)},
    LineKind.ROUND: lambda report: {"round": report.round, **_standing(report)},
    LineKind.ILLEGAL: _illegal,
}


class Step(NamedTuple):
    """One line applied: the state after it (the same state when the line is illegal) and the report."""

    state: State
    report: Report


@dataclass(frozen=True, slots=True)
class Result:
    """How the game stands or ended. `totals` is None without the option of a match."""

    ended: Ending | None
    winners: tuple[PlayerColour, ...]
    scores: Mapping[PlayerColour, int]
    unplayed: Mapping[PlayerColour, int]
    totals: Mapping[PlayerColour, int] | None = None

    def to_json(self) -> dict[str, Any]:
        """The last line `tablewire score` prints."""
        body = {
            "ended": self.ended,
            "winners": list(self.winners),
            "scores": dict(self.scores),
            "unplayed": dict(self.unplayed),
        }
        return {"result": body if self.totals is None else {**body, "totals": dict(self.totals)}}
