"""What an operator may do to a game of Ligretto, as journal entries.

Owns the actions by name and their checks. Must not know HTTP, threads or disk. A new game is not here: it
replaces the game and belongs to the table.

Whatever waits to become a line becomes one first, so that a person changes a game that stands.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import TYPE_CHECKING, Any

from tablewire.board.lies import Lies
from tablewire.entries import Entry, EntryKind
from tablewire.errors import UserError, quoted
from tablewire.games.ligretto import choices, corrections, counting
from tablewire.games.ligretto.cards import Card, Face, is_face
from tablewire.games.ligretto.decks import parse_uid
from tablewire.games.ligretto.folding import do, do_back
from tablewire.games.ligretto.laying import awaited
from tablewire.games.ligretto.look import look
from tablewire.games.ligretto.record import BLOCKED, DecideLine, LeftLine, Line, StopLine
from tablewire.games.ligretto.report import Decided, RoundScore
from tablewire.games.ligretto.rows import Do, Edit, Row, encode_edit
from tablewire.games.ligretto.setting import PAD_LIMIT, pads_said
from tablewire.games.ligretto.words import counted, listed, numbers_said, stopper_said
from tablewire.games.live import Outcome, Refusal, Told
from tablewire.games.signing import signed, unsigned

if TYPE_CHECKING:
    from tablewire.games.ligretto.course import LigrettoTable

NO_SUCH_CHOICE = Refusal("no_such_choice", "that choice is no longer open: the table has changed")
NO_ROUND = Refusal("no_round", "no round is on: open the next one first")


def act(table: LigrettoTable, name: str, body: Mapping[str, Any], lies: Lies) -> Outcome:
    """Carry out one action by name."""
    action = _ACTIONS.get(name)
    if action is None:
        return Refusal("unknown_action", f"Ligretto has no action {quoted(name)}", malformed=True)
    refused = unsigned(body)
    if refused is not None:
        return refused
    seen = body.get("seen", len(table.rows))
    # Cards that came since change no number of a line; an edit further up does.
    if type(seen) is not int or not table.numbered_at <= seen <= len(table.rows):
        return Refusal("changed", "the game has been corrected since: look again, and then decide")
    flushed, before = table.flushed(lies)
    try:
        answer = action(flushed, body, lies)
    except UserError as exc:
        return Refusal("would_be_illegal", str(exc))
    return (*before, *answer) if isinstance(answer, tuple) else answer


def appended(table: LigrettoTable, line: Line, uid: str | None = None) -> list[dict[str, Any]]:
    """The edit that puts a line at the end, for the journal."""
    return [encode_edit(Edit(Do.INSERT, len(table.rows) + 1, Row(line, uid)))]


def _stop(table: LigrettoTable, body: Mapping[str, Any], lies: Lies) -> Outcome:
    by = body.get("player")
    if by != BLOCKED and by not in table.setting.rules.players:
        return _malformed(f'"player" must be one of the players, or "{BLOCKED}" where nobody can play')
    if not table.is_open:
        return NO_ROUND
    now = table.match.round
    if not now.has_begun:
        return Refusal("no_round", "no card has been laid in this round, so there is nothing to stop")
    if now.stopped is not None:
        return Refusal("stopped", f"{stopper_said(now.stopped.by)} already; take that back first")
    line = StopLine(table.time_ms(lies.now_ms), str(by))
    return (Entry(EntryKind.COMMIT, lies.now_ms, {**signed(body), "edits": appended(table, line)}),)


def _unstop(table: LigrettoTable, body: Mapping[str, Any], lies: Lies) -> Outcome:
    if table.match.round.stopped is None:
        return Refusal("no_stop", "nobody has stopped this round")
    line = StopLine(table.time_ms(lies.now_ms), None)
    return (Entry(EntryKind.CORRECTION, lies.now_ms, {**signed(body), "edits": appended(table, line)}),)


def _decide(table: LigrettoTable, body: Mapping[str, Any], lies: Lies) -> Outcome:
    n, winner = body.get("n"), body.get("winner")
    if type(n) is not int or not isinstance(winner, str):
        return _malformed('a decision is {"n": 17, "winner": "Anna"}')
    line = DecideLine(n, winner)
    after = table.match.enter(line)
    if not isinstance(after.report_of(after.n), Decided):
        group = table.closed.round.group_of(n)
        if group is None:
            return Refusal("not_undecided", f"line {n} is not waiting for a decision")
        return Refusal("wrong_winner", f"it lies between {' and '.join(group.players)}")
    return (Entry(EntryKind.RULING, lies.now_ms, {**signed(body), "edits": appended(table, line)}),)


def _count(table: LigrettoTable, body: Mapping[str, Any], lies: Lies) -> Outcome:
    pad = body.get("pad", table.setting.pad_to_count(lies.reader_count))
    if pad is not None and (type(pad) is not int or not 0 <= pad < PAD_LIMIT):
        return _malformed('"pad" must be the number of a pad, or null to end the count')
    if pad is not None and table.match.round.stopped is None:
        return Refusal("no_stop", "cards are counted after the round is stopped")
    there = table.setting.known_pads(lies.reader_count)
    if pad is not None and there is not None and pad >= there:
        return Refusal("no_such_pad", f"there is no pad {pad}: the board has {pads_said(there)}")
    return (Entry(EntryKind.COMMIT, lies.now_ms, {**signed(body), "count": pad}),)


def _left(table: LigrettoTable, body: Mapping[str, Any], lies: Lies) -> Outcome:
    typed = body.get("left", {})
    if not isinstance(typed, Mapping):
        return _malformed('"left" must say how many cards each player has left: {"Anna": 0, "Ben": 4}')
    match = table.closed
    if match.round.stopped is None:
        return Refusal("no_stop", "the round goes on: somebody has to stop it first")
    left = counting.compared(table, match, typed)
    details: dict[str, Any] = {"left": dict(left.left), "counted": counting.counted_cards(table, match)}
    if left.missing:
        text = counting.missing_said(left.missing)
        return Refusal("count_missing", text, details={**details, "players": list(left.missing)})
    if left.differs and table.counting is not None:
        text = counting.differs_said(left, table.counting.pad)
        return Refusal("count_differs", text, details={**details, "players": list(left.differs)})
    wrong = list(counting.impossible(match, left.left))
    if wrong:
        players = list(match.round.bad_counts(left.left))
        return Refusal("bad_count", " ".join(wrong), details={**details, "players": players})
    line = LeftLine(left.left)
    after = match.enter(line)
    score = after.report_of(after.n)
    if body.get("preview") and isinstance(score, RoundScore):
        result = after.result()["result"]
        undecided = f" {score.undecided_count} undecided score for nobody." if score.undecided_count else ""
        text = f"Points: {numbers_said(score.points)}.{undecided}"
        return Told(
            {"preview": {**score.to_json(), "undecided": score.undecided_count, "text": text, **result}}
        )
    held = None if body.get("drop_rest") else _held(table, details, lies)
    return held or (
        Entry(EntryKind.CORRECTION, lies.now_ms, {**signed(body), "edits": appended(table, line)}),
    )


def _held(table: LigrettoTable, details: Mapping[str, Any], lies: Lies) -> Refusal | None:
    """What stands in the way of scoring a round, unless it is agreed that it counts for nobody."""
    shown = look(table, lies)
    pairs, wrong, waiting = len(shown.match.round.undecided), len(shown.wrong), len(awaited(table, lies))
    if not wrong and not waiting:
        text = "first say who was first where equal cards came together, or let them score for nobody"
        return Refusal("undecided", text, details=details) if pairs else None
    open_still = {
        f"{counted(wrong, 'card')} to be taken off": wrong,
        f"{counted(pairs, 'pair')} of equal cards to be decided": pairs,
        f"{counted(waiting, 'card')} that came only just now": waiting,
    }
    said = listed(text for text, count in open_still.items() if count)
    text = f"first see to what is open still: {said}; or let that score for nobody"
    return Refusal("held", text, details={**details, "wrong": wrong, "undecided": pairs, "waiting": waiting})


def can_open_round(table: LigrettoTable) -> bool:
    """Whether a round has been scored in a match that is not over."""
    return not table.is_open and not table.match.is_over


def _next_round(table: LigrettoTable, body: Mapping[str, Any], lies: Lies) -> Outcome:
    if not can_open_round(table):
        return Refusal(
            "no_next_round", "a next round opens only after a round has been scored, in a game that goes on"
        )
    return (Entry(EntryKind.COMMIT, lies.now_ms, {**signed(body), "opens": True}),)


def can_undo(table: LigrettoTable) -> bool:
    """Whether the last deed of a person can be done back: a round that was opened, until a card is laid."""
    if not table.deeds:
        return False
    return not (table.deeds[-1].opens and table.match.round.has_begun)


def _undo(table: LigrettoTable, body: Mapping[str, Any], lies: Lies) -> Outcome:
    count = body.get("count", 1)
    if type(count) is not int or count < 1:
        return _malformed('"count" must be how many deeds, 1 or more')
    for _ in range(count):
        if not table.deeds:
            return Refusal("nothing_to_undo", "nobody has done anything that could be taken back")
        if not can_undo(table):
            text = "cards have been laid since the round was opened: correct the line that is wrong instead"
            return Refusal("round_has_begun", text)
        table = do_back(table, lies)
    return (Entry(EntryKind.UNDO, lies.now_ms, {**signed(body), "count": count}),)


def _redo(table: LigrettoTable, body: Mapping[str, Any], lies: Lies) -> Outcome:
    count = body.get("count", 1)
    if type(count) is not int or count < 1:
        return _malformed('"count" must be how many deeds, 1 or more')
    if count > len(table.undone):
        return Refusal("nothing_to_redo", "nothing has been taken back that could be done again")
    for deed in table.undone[: -count - 1 : -1]:
        table = do(table, deed, lies)
    return (Entry(EntryKind.REDO, lies.now_ms, {**signed(body), "count": count}),)


def _correct(table: LigrettoTable, body: Mapping[str, Any], lies: Lies) -> Outcome:
    """Change the list of lines, or say which card a tag is."""
    if "tag" in body:
        return _teach(table, body, lies)
    try:
        edit = corrections.parse_edit(table, body, table.time_ms(lies.now_ms))
    except UserError as exc:
        return _malformed(str(exc))
    plan = corrections.plan(table, edit, table.time_ms(lies.now_ms))
    told = {"preview": corrections.preview(plan)}
    if body.get("preview"):
        return Told(told)
    if plan.is_refused:
        return Refusal("would_be_illegal", corrections.said(plan), details=told)
    edits = [encode_edit(each) for each in plan.edits]
    return (Entry(EntryKind.CORRECTION, lies.now_ms, {**signed(body), "edits": edits}),)


def _teach(table: LigrettoTable, body: Mapping[str, Any], lies: Lies) -> Outcome:
    """Which card a tag is, for this game alone: the decks that are kept stay as they were taught."""
    given = body.get("card")
    try:
        uid = parse_uid(body.get("tag"))
    except UserError as exc:
        return _malformed(str(exc))
    if not isinstance(given, Mapping) or set(given) != {"owner", "colour", "value"}:
        return _malformed('"card" must be {"owner": "Anna", "colour": "blue", "value": 4}')
    owner, colour, value = given["owner"], given["colour"], given["value"]
    if owner not in table.setting.rules.players:
        return _malformed('"owner" must be one of the players')
    if not isinstance(colour, str) or type(value) is not int or not is_face(Face(colour, value)):
        return _malformed("there is no such card: red, green, yellow or blue, 1 to 10")
    card = Card(owner, colour, value)
    if table.card_of(uid) == card:
        return Refusal("known_tag", f"tag {uid} is that card already")
    if body.get("preview"):
        return Told(
            {"preview": {"possible": True, "text": "The tag is that card from now on, in this game."}}
        )
    return (Entry(EntryKind.CORRECTION, lies.now_ms, {**signed(body), "tag": uid, "card": list(card)}),)


def _choose(table: LigrettoTable, body: Mapping[str, Any], lies: Lies) -> Outcome:
    wanted = body.get("id")
    if not isinstance(wanted, str):
        return _malformed('"id" must be the id of a choice on the page')
    for choice in choices.choices(table, look(table, lies), lies):
        if choice.id == wanted:
            return (Entry(choice.kind, lies.now_ms, {**signed(body), **choice.body}),)
    return NO_SUCH_CHOICE


def _malformed(text: str) -> Refusal:
    return Refusal("malformed", text, malformed=True)


_ACTIONS: Mapping[str, Callable[[LigrettoTable, Mapping[str, Any], Lies], Outcome]] = {
    "choose": _choose,
    "correct": _correct,
    "count": _count,
    "decide": _decide,
    "left": _left,
    "next_round": _next_round,
    "redo": _redo,
    "round_stop": _stop,
    "undo": _undo,
    "unstop": _unstop,
}
