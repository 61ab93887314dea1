"""What an operator may do to a game of Cir*Kis, as journal entries.

Owns the actions by name and their checks. Must not know HTTP, threads or disk. `new-game` is not here: it
replaces the game and belongs to the table.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import replace
from typing import TYPE_CHECKING, Any

from tablewire.board.lies import Lies
from tablewire.entries import Entry, EntryKind
from tablewire.games.cirkis import accept, acceptance, entry_words, explain, folding
from tablewire.games.cirkis.corrections import Do, Edit, project
from tablewire.games.cirkis.moves import encode_move
from tablewire.games.cirkis.previews import preview, projection_said
from tablewire.games.cirkis.record import Line, NextRound, Pass, Ruling, Turn, parse_line
from tablewire.games.cirkis.report import FORCEABLE
from tablewire.games.cirkis.wiring import SENSOR_COUNT
from tablewire.games.live import Outcome, Refusal, Told
from tablewire.games.signing import noted, signed, unsigned, who

if TYPE_CHECKING:
    from tablewire.games.cirkis.referee import CirkisTable

NO_SUCH_CHOICE = Refusal("no_such_choice", "that choice is no longer open: the table has changed")


def act(table: CirkisTable, name: str, body: Mapping[str, Any], lies: Lies) -> Outcome:
    """Carry out one action by name."""
    action = _ACTIONS.get(name)
    if action is None:
        return Refusal("unknown_action", f"there is no action {name!r}", malformed=True)
    refused = unsigned(body)
    if refused is not None:
        return refused
    if body.get("seen", len(table.moves.moves)) != len(table.moves.moves):
        return Refusal("changed", "the game has gone on since: look again, and then decide")
    return action(table, body, lies)


def can_pass(table: CirkisTable) -> bool:
    """Whether the options let the player to move pass, or decline a free turn."""
    return table.header.options.voluntary_pass and table.moves.state.to_move is not None


def can_open_round(table: CirkisTable) -> bool:
    """Whether a round is over in a match that is not."""
    line = NextRound(table.moves.state.round + 1)
    return bool(table.header.options.match) and table.moves.rules.apply(table.moves.state, line).report.legal


def _choose(table: CirkisTable, body: Mapping[str, Any], lies: Lies) -> Outcome:
    wanted = body.get("id")
    if not isinstance(wanted, str):
        return _malformed('"id" must be the id of a choice on the page')
    if wanted.startswith(f"{acceptance.HOW}:"):
        entry = accept.chosen(table, wanted, lies, signed(body))
        return NO_SUCH_CHOICE if entry is None else (entry,)
    for choice in explain.choices(table, table.survey(lies)):
        if choice.id == wanted:
            return (table.entry(choice.change, lies, who(body), {"how": "choice", **noted(body)}),)
    return NO_SUCH_CHOICE


def _pass(table: CirkisTable, body: Mapping[str, Any], lies: Lies) -> Outcome:
    player = table.moves.state.to_move
    if player is None:
        return Refusal("game_over", "the game is over")
    if not can_pass(table):
        return Refusal(
            "pass_while_able", f"{player} can still place a piece, and this game has no voluntary pass"
        )
    return (_commit(Pass(player), body, lies),)


def _next_round(table: CirkisTable, body: Mapping[str, Any], lies: Lies) -> Outcome:
    if not can_open_round(table):
        return Refusal("no_next_round", "a next round opens only in a match, after the end of a round")
    if table.survey(lies).provisional:
        return Refusal("still_settling", "the last piece may still change: try again in two seconds")
    return (_commit(NextRound(table.moves.state.round + 1), body, lies),)


def _undo(table: CirkisTable, body: Mapping[str, Any], lies: Lies) -> Outcome:
    count = body.get("count", 1)
    if type(count) is not int or count < 1:
        return _malformed('"count" must be how many moves, 1 or more')
    if count > len(table.moves.moves):
        text = "there is no move to take back" if count == 1 else f"there are no {count} moves to take back"
        return Refusal("nothing_to_undo", text)
    return (Entry(EntryKind.UNDO, lies.now_ms, {**signed(body), "count": count}),)


def _redo(table: CirkisTable, body: Mapping[str, Any], lies: Lies) -> Outcome:
    count = body.get("count", 1)
    if type(count) is not int or count < 1:
        return _malformed('"count" must be how many moves, 1 or more')
    if count > len(table.undone):
        text = "there is no move to bring back" if count == 1 else f"there are no {count} moves to bring back"
        return Refusal("nothing_to_redo", text)
    if folding.redone(table, count) is None:
        said = "that move is" if count == 1 else "one of these moves is"
        return Refusal("no_longer_legal", f"{said} no longer possible: the game has changed since")
    return (Entry(EntryKind.REDO, lies.now_ms, {**signed(body), "count": count}),)


def _ruling(table: CirkisTable, body: Mapping[str, Any], lies: Lies) -> Outcome:
    told = {key: body[key] for key in ("points", "note") if key in body}
    line = parse_line({"ruling": told})
    if not isinstance(line, Ruling) or not table.moves.rules.apply(table.moves.state, line).report.legal:
        return _malformed('a ruling is {"points": {"red": 5}, "note": "why"} for players of this game')
    return (Entry(EntryKind.RULING, lies.now_ms, {"by": who(body), **encode_move(line, None)}),)


def _place(table: CirkisTable, body: Mapping[str, Any], lies: Lies) -> Outcome:
    """A move entered by hand: its sensors are masked or dead."""
    forced = body.get("forced", False)
    line = parse_line({"player": body.get("player"), "spaces": body.get("spaces")})
    if not isinstance(line, Turn) or type(forced) is not bool:
        return _malformed('a placement is {"player": "red", "spaces": [6, 15]}, and "forced" true or false')
    reasons = table.moves.rules.judge(table.moves.state, line.player, line.spaces)
    if reasons and not (forced and FORCEABLE.issuperset(reasons)):
        pieces, turn = table.moves.rules.pieces, table.moves.state.to_move
        told = entry_words.reasons_said(reasons, line.player, entry_words.shape_of(pieces, line.spaces), turn)
        return Refusal("illegal", f"that is against the rules: {told}", details={"reasons": list(reasons)})
    rows = [encode_move(_in_order(replace(line, forced=bool(reasons))), None)]
    return (Entry(EntryKind.COMMIT, lies.now_ms, {**signed(body), "how": "place", "moves": rows}),)


def _correct(table: CirkisTable, body: Mapping[str, Any], lies: Lies) -> Outcome:
    """Change the list of moves; nothing that this makes impossible is given up unless the body says so."""
    edit = _edit(table, body)
    if isinstance(edit, Refusal):
        return edit
    plan = project(table.moves, (edit,))
    told = {"preview": preview(table, plan)}
    if body.get("preview"):
        return Told(told)
    forced, lost = plan.forced and not body.get("keep_forced"), plan.lost and not body.get("drop_rest")
    if forced or lost or not plan.possible:
        return Refusal("would_be_illegal", projection_said(table, plan), details=told)
    return (Entry(EntryKind.CORRECTION, lies.now_ms, {**signed(body), **plan.to_body()}),)


def _edit(table: CirkisTable, body: Mapping[str, Any]) -> Edit | Refusal:
    """The edit that the body of a correction asks for."""
    try:
        do = Do(body.get("do", Do.REPLACE))
    except ValueError:
        return _malformed(f'"do" must be one of {", ".join(Do)}')
    n, line = body.get("n"), parse_line(body.get("line"))
    most = len(table.moves.moves) + (do is Do.INSERT)
    if type(n) is not int or not 1 <= n <= most:
        return _malformed(f'"n" must be the number of an entry, 1 to {most}')
    if do is Do.REMOVE:
        return Edit(do, n) if "line" not in body else _malformed('a removal takes no "line"')
    if line is None:
        return _malformed('"line" must be a line of a record')
    return Edit(do, n, _in_order(line))


def _in_order(line: Line) -> Line:
    """A placement with its spaces in order, as the table itself writes them."""
    return replace(line, spaces=tuple(sorted(line.spaces))) if isinstance(line, Turn) else line


def _mask(table: CirkisTable, body: Mapping[str, Any], lies: Lies) -> Outcome:
    del table
    sensors, masked = body.get("sensors"), body.get("masked")
    if not isinstance(sensors, list) or not sensors or type(masked) is not bool:
        return _malformed('"sensors" must be a list of sensors, and "masked" true or false')
    if any(type(sensor) is not int or not 0 <= sensor < SENSOR_COUNT for sensor in sensors):
        return _malformed(f"a sensor is a whole number from 0 to {SENSOR_COUNT - 1}")
    some = sorted(sensor for sensor in set(sensors) if (sensor in lies.masked) is not masked)
    if not some:
        text = "these sensors are masked already" if masked else "these sensors are not masked"
        return Refusal("nothing_to_mask", text)
    return (Entry(EntryKind.MASK, lies.now_ms, {**signed(body), "sensors": some, "masked": masked}),)


def _commit(line: Line, body: Mapping[str, Any], lies: Lies) -> Entry:
    return Entry(EntryKind.COMMIT, lies.now_ms, {**signed(body), "moves": [encode_move(line, None)]})


def _malformed(text: str) -> Refusal:
    return Refusal("malformed", text, malformed=True)


_ACTIONS: Mapping[str, Callable[[CirkisTable, Mapping[str, Any], Lies], Outcome]] = {
    "choose": _choose,
    "pass": _pass,
    "next_round": _next_round,
    "undo": _undo,
    "redo": _redo,
    "ruling": _ruling,
    "correct": _correct,
    "place": _place,
    "mask": _mask,
    "accept": lambda table, body, lies: accept.accept(table, body, lies, signed(body)),
}
