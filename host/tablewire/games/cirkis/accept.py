"""The action that takes the table as it lies: what it would record, what it records, why it cannot.

Owns its preview and its refusals. Must not know HTTP, or how moves or a correction are found.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import TYPE_CHECKING, Any

from tablewire.board.lies import Lies
from tablewire.entries import Entry, EntryKind
from tablewire.games.cirkis import acceptance
from tablewire.games.cirkis.acceptance import HOW, Offer, legal_plans, offer, seen_by
from tablewire.games.cirkis.as_it_lies import AsItLies
from tablewire.games.cirkis.corrections import Do, Projection
from tablewire.games.cirkis.edit_words import Tense, edits_said
from tablewire.games.cirkis.previews import outcome
from tablewire.games.cirkis.record import encode_line
from tablewire.games.cirkis.respelling import CannotLieError, respelled
from tablewire.games.cirkis.words import name_of, spaces_said
from tablewire.games.live import Outcome, Refusal, Told

if TYPE_CHECKING:
    from tablewire.games.cirkis.referee import CirkisTable

SEVERAL = "what lies there can be played in more than one way: choose one"
NO_LINE = "no moves by the rules lead to what lies there: say in a note why it is to count"


def accept(table: CirkisTable, body: Mapping[str, Any], lies: Lies, signed: dict[str, str]) -> Outcome:
    """Take the table as it lies, or with `preview` only say what that would record."""
    moves, seen = table.moves, seen_by(table, lies)
    refusal = _not_now(table, seen)
    if refusal is not None:
        return refusal
    offers, whole = offers_of(table, seen)
    if len(offers) == 1 and whole:
        told = _legal(table, offers[0], seen)
        entry = acceptance.entry_of(moves, offers[0].plan, lies, signed)
    elif offers:
        told = _several(table, offers, whole)
        details = {"preview": told, "choices": told["choices"]}
        return (
            Told({"preview": told}) if body.get("preview") else Refusal("several", SEVERAL, details=details)
        )
    else:
        try:
            plan = respelled(moves, seen)
        except CannotLieError as exc:
            return Refusal("cannot_accept", f"the table cannot be taken as it lies: {exc}")
        told = _corrected(table, plan, seen)
        if not (body.get("preview") or signed.get("note")):
            return Refusal("note_needed", NO_LINE, details={"preview": told})
        entry = Entry(EntryKind.CORRECTION, lies.now_ms, {**signed, "how": HOW, **plan.to_body()})
    return Told({"preview": told}) if body.get("preview") else (entry,)


def offers_of(table: CirkisTable, seen: AsItLies) -> tuple[tuple[Offer, ...], bool]:
    """Every legal way to take the table as it lies, and whether these are all."""
    plans, whole = legal_plans(table.moves, seen)
    return tuple(offer(table.moves, plan) for plan in plans), whole


def chosen(table: CirkisTable, wanted: str, lies: Lies, signed: dict[str, str]) -> Entry | None:
    """The entry of the offer with this id; None when it is no longer open."""
    seen = seen_by(table, lies)
    if _not_now(table, seen) is not None:
        return None
    for found in offers_of(table, seen)[0]:
        if found.id == wanted:
            return acceptance.entry_of(table.moves, found.plan, lies, signed)
    return None


def _not_now(table: CirkisTable, seen: AsItLies) -> Refusal | None:
    if table.moves.state.ended is not None:
        text = "the game is over, and what happens on the table no longer counts: undo the last move first"
        return Refusal("nothing_to_accept", text)
    if not acceptance.differs(table, seen):
        return Refusal("nothing_to_accept", "what lies on the table is what the game says")
    if not seen.at_rest:
        return Refusal("still_settling", "pieces are still being moved: try again in two seconds")
    return None


def _legal(table: CirkisTable, found: Offer, seen: AsItLies) -> dict[str, Any]:
    plan = found.plan.projection
    return {
        "legal": True,
        "lines": [encode_line(line) for line in found.plan.lines],
        "taken_back": list(found.plan.taken_back),
        "changes": _changes(table, plan),
        "text": " ".join([f"{found.text}.", *_half_seated(table, seen)]),
        "choices": [],
        **outcome(plan.moves),
    }


def _several(table: CirkisTable, offers: Sequence[Offer], whole: bool) -> dict[str, Any]:
    more = "" if whole else "; there may be more ways than these"
    return {
        "legal": True,
        "lines": [],
        "taken_back": [],
        "changes": [],
        "text": f"{SEVERAL[0].upper()}{SEVERAL[1:]}{more}.",
        "choices": [{"id": found.id, "text": found.text, "spaces": list(found.spaces)} for found in offers],
        **outcome(table.moves),
    }


def _half_seated(table: CirkisTable, seen: AsItLies) -> Iterator[str]:
    """What counts as lying there although not all of it reads."""
    for player, spaces in table.moves.pieces_on_table():
        if seen.half_seated.intersection(spaces):
            where = spaces_said(sorted(seen.half_seated.intersection(spaces)))
            piece = f"{name_of(player)}'s piece on {spaces_said(spaces)}"
            yield f"{piece} counts as lying there, though {where} cannot be read: press it down."


def _corrected(table: CirkisTable, plan: Projection, seen: AsItLies) -> dict[str, Any]:
    old = [edit.n for edit in plan.edits if edit.do is not Do.INSERT]
    return {
        "legal": False,
        "lines": [encode_line(edit.line) for edit in plan.edits if edit.line is not None],
        "taken_back": sorted(set(old)),
        "changes": _changes(table, plan),
        "text": " ".join([f"{NO_LINE[0].upper()}{NO_LINE[1:]}.", *_half_seated(table, seen)]),
        "choices": [],
        **outcome(plan.moves),
    }


def _changes(table: CirkisTable, plan: Projection) -> list[str]:
    said = edits_said(table.moves, plan.edits, plan.forced, plan.lost, Tense.PREVIEW)
    return [f"{clause}." for clause in said]
