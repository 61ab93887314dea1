"""One journal entry folded into a live game of Ligretto: its lines, what waits, what does not count.

Owns what each kind of entry does to the game, and what a reader's or button's word means at once. Must not
know how an entry comes about, or the page.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import replace
from typing import TYPE_CHECKING, Any

from tablewire.board.lies import NEVER_MS, Lies, Tag
from tablewire.entries import Entry, EntryKind
from tablewire.games.ligretto.cards import Card
from tablewire.games.ligretto.deeds import Counting, Deed
from tablewire.games.ligretto.laying import fits, own_line, pads_of
from tablewire.games.ligretto.record import CardLine
from tablewire.games.ligretto.rows import (
    Do,
    Edit,
    Row,
    edited,
    inverse,
    parse_edit,
    parse_row,
    with_decisions,
)
from tablewire.games.ligretto.sensing import LINGER_MS, RELAY_MS, Pressed, Seen, Sensed
from tablewire.wire.messages import Sight
from tablewire.wire.observed import Sighting, Sightings, TagsLying, parse_observation

if TYPE_CHECKING:
    from tablewire.games.ligretto.course import LigrettoTable

IMPORT = "import"
"""How lines came that were played elsewhere."""


def evolve(table: LigrettoTable, entry: Entry, lies: Lies) -> LigrettoTable:
    """The game after one entry; `lies` includes it when it is an observation."""
    fold = _EVOLVE.get(entry.kind)
    return table if fold is None else fold(table, entry.body, lies)


# What the board tells


def _observed(table: LigrettoTable, body: Mapping[str, Any], lies: Lies) -> LigrettoTable:
    """Sightings one by one. What the board of another game says is none of this one's."""
    match parse_observation(dict(body)):
        case Sightings(_, sightings):
            for sighting in sightings:
                table = _sighted(table, sighting, lies)
            return table
        case TagsLying(_, _, _, tags):
            # Nobody saw them being laid: what the game does not know there, was laid for another.
            strange = [tag for tag in tags if body.get("set_up") or not _is_known(table, tag)]
            since_ms = lies.now_ms if body.get("resumed") else table.retold_ms
            return replace(table, sensed=table.sensed.rest(strange), arriving=False, retold_ms=since_ms)
        case _:
            return replace(table, arriving=True) if body.get("resumed") else table


def _is_known(table: LigrettoTable, tag: Tag) -> bool:
    own = own_line(table, tag[1])
    return tag in table.spots or (own is not None and own[1].pad == tag[0])


def _sighted(table: LigrettoTable, sighting: Sighting, lies: Lies) -> LigrettoTable:
    tag, now_ms = (sighting.source, sighting.uid), lies.now_ms
    match sighting.what:
        case Sight.CAME:
            return _came(replace(table, arriving=False), tag, lies, found=False)
        case Sight.FOUND:
            return _came(table, tag, lies, found=True)
        case Sight.GONE:
            return _gone(table, tag, lies)
        case Sight.DOWN:
            return _pressed(table, sighting.source, now_ms)
        case Sight.ANEW:
            # Nobody knows what has gone meanwhile; what lies there still, is told next.
            tags = {*table.spots, *table.sensed.resting, *table.sensed.ignored}
            return replace(table, sensed=table.sensed.leave(tags, now_ms), retold_ms=now_ms)
        case _:
            return table


def _came(table: LigrettoTable, tag: Tag, lies: Lies, *, found: bool) -> LigrettoTable:
    """A tag came to a pad, or was found there."""
    now_ms, (pad, uid) = lies.now_ms, tag
    was_here = found or table.sensed.was_here(tag, now_ms)
    table = replace(table, sensed=table.sensed.back(tag))
    sensed = table.sensed
    if sensed.is_asleep(tag):
        if was_here:
            return table
        sensed = sensed.wake((tag,))
    first = table.arriving or not (table.match.round.has_begun or sensed.waiting)
    if not table.is_open or (found and first and not _is_known(table, tag)):
        return replace(table, sensed=sensed.rest((tag,)))
    table = replace(table, sensed=sensed)
    counting = table.counting
    if counting is not None and counting.pad == pad:
        return _counted(table, tag)
    if counting is not None and (counting.pad, uid) in lies.tags and tag not in table.spots:
        return replace(table, sensed=replace(sensed, ghosts_count=sensed.ghosts_count + 1))
    card = table.card_of(uid)
    if card is None:
        return table
    if card in table.closed.round.accepted:
        table = replace(table, retold_ms=None)
    if was_here and is_asked_away(table, tag, card, now_ms):
        return replace(table, sensed=_stays(sensed, uid))
    return replace(table, sensed=_waiting(table, tag, lies))


def is_asked_away(table: LigrettoTable, tag: Tag, card: Card, now_ms: int) -> bool:
    """Whether a card was told to be wrong on this pad, and still is."""
    n = table.spots.get(tag)
    return n is not None and not fits(table.match, tag[0], card, table.time_ms(now_ms))


def _stays(sensed: Sensed, uid: str) -> Sensed:
    """A card is where it was: whatever another pad read of it meanwhile was a stray reading."""
    item = sensed.seen(uid)
    return sensed if item is None else sensed.drop((item,))


def _waiting(table: LigrettoTable, tag: Tag, lies: Lies) -> Sensed:
    """What waits after a card of the game has come to a pad."""
    sensed, (pad, uid), now_ms = table.sensed, tag, lies.now_ms
    own = own_line(table, uid)
    if own is not None and own[1].pad == pad:
        return _stays(sensed, uid)
    item = sensed.seen(uid)
    if item is not None and item.at_ms <= now_ms:
        return sensed.read_by(item, pad)
    elsewhere = [other for other in pads_of(lies, uid) if other != pad]
    lies_there = own is not None and own[1].pad in elsewhere
    if lies_there or any(sensed.is_asleep((other, uid)) for other in elsewhere):
        return replace(sensed, ghosts_count=sensed.ghosts_count + 1)
    if item is not None:
        sensed = sensed.drop((item,))
    gone_ms = None if own is None else sensed.gone_ms.get((own[1].pad, uid))
    if gone_ms is not None and now_ms - gone_ms <= RELAY_MS:
        # Nobody has played it again: it was pushed, or lies between two pads that tell of it in turn.
        return sensed.add(Seen(uid, (pad,), gone_ms + RELAY_MS, again=True))
    return sensed.add(Seen(uid, (pad,), now_ms))


def _gone(table: LigrettoTable, tag: Tag, lies: Lies) -> LigrettoTable:
    """A tag left a pad. Another reader that saw it as well may have it now."""
    sensed, (pad, uid), now_ms = table.sensed, tag, lies.now_ms
    item = sensed.seen(uid)
    if item is not None:
        sensed = sensed.lost_by(item, pad)
    if tag in table.spots or sensed.is_asleep(tag):
        sensed = sensed.leave((tag,), now_ms)
    mattered = tag in table.spots or (sensed.is_asleep(tag) and table.card_of(uid) is not None)
    if table.is_open and item is None and mattered:
        others = tuple(
            other
            for other in pads_of(lies, uid)
            if not sensed.is_asleep((other, uid)) and (other, uid) not in table.spots
        )
        own = own_line(table, uid)
        if others and (own is None or own[1].pad == pad):
            sensed = sensed.add(Seen(uid, others, now_ms + LINGER_MS, again=True))
    return replace(table, sensed=sensed)


def _pressed(table: LigrettoTable, button: int, now_ms: int) -> LigrettoTable:
    players = table.setting.rules.players
    if not table.is_open or button >= len(players):
        return table
    return replace(table, sensed=table.sensed.add(Pressed(players[button], now_ms)))


def _counted(table: LigrettoTable, tag: Tag) -> LigrettoTable:
    """A tag passes over the counting pad; each counts once, however often it is read. What the next pad read
    of it was a stray reading.
    """
    counting = table.counting
    if counting is None:
        return table
    uids = (*(uid for uid in counting.uids if uid != tag[1]), tag[1])
    sensed = _stays(table.sensed, tag[1])
    return replace(table, counting=counting._replace(uids=uids), sensed=sensed)


# What follows from it, and what people do


def _committed(table: LigrettoTable, body: Mapping[str, Any], lies: Lies) -> LigrettoTable:
    """Lines at the end, made of what waited until a time, or played elsewhere; else what a person did."""
    if "rows" not in body:
        return _done(table, body, lies)
    sensed = table.sensed
    until_ms = int(body["until"]) if "until" in body else NEVER_MS
    sensed = replace(
        sensed,
        waiting=tuple(item for item in sensed.waiting if item.at_ms > until_ms),
        ghosts_count=sensed.ghosts_count + int(body.get("ghosts", 0)),
    )
    after = replace(table, sensed=sensed).with_rows(map(parse_row, body["rows"])).settled(until_ms)
    if body.get("how") == IMPORT:
        ahead_ms = (after.match.round.last_ms or 0) - lies.now_ms
        after = replace(after, shift_ms=max(after.shift_ms, ahead_ms))
    if len(after.closed.round.accepted) > len(table.closed.round.accepted):
        after = replace(after, retold_ms=None)
    return _standing(table, after, lies)


def _standing(before: LigrettoTable, after: LigrettoTable, lies: Lies) -> LigrettoTable:
    """The game after other lines: what lies there from another round does not count."""
    if len(after.match.rounds) != len(before.match.rounds):
        # What was still to be settled was of the round that is over.
        rested = replace(after.sensed.rest(lies.tags), waiting=())
        after = replace(after, counting=None, sensed=rested)
    sensed = after.sensed
    sensed = sensed.wake(after.spots.keys())
    # A round has its cards already; or it is the one that was open or not before; or its predecessor has only
    # now been scored, whatever was opened after an earlier scoring of that.
    told = before.match.round.has_begun or not before.match.rounds
    scored = told and len(after.match.rounds) > len(before.match.rounds)
    is_open = after.match.round.has_begun or (before.is_open and not scored)
    return replace(after, sensed=sensed).with_open(is_open)


def _rewritten(table: LigrettoTable, body: Mapping[str, Any], lies: Lies) -> LigrettoTable:
    """A card was pushed to another pad."""
    after = table.with_edits((parse_edit(body),))
    item = table.sensed.seen(str(body["uid"]))
    if item is not None:
        after = replace(after, sensed=after.sensed.drop((item,)))
    return _standing(table, after, lies)


def _done(table: LigrettoTable, body: Mapping[str, Any], lies: Lies) -> LigrettoTable:
    """What a person did. Counting and letting a thing lie is not done back: it is done again otherwise."""
    if "count" in body:
        pad = body["count"]
        return replace(table, counting=None if pad is None else Counting(int(pad)))
    if "ignore" in body:
        tags = [(int(pad), str(uid)) for pad, uid in body["ignore"]]
        table = replace(table, sensed=table.sensed.ignore(tags))
        if "edits" not in body:
            return table
    if "tag" in body:
        card = Card(*body["card"])
        deed = Deed(tag=body["tag"], card=card, before=table.taught.get(body["tag"]), was_open=table.is_open)
    elif body.get("opens"):
        deed = Deed(opens=True)
    else:
        edits = tuple(map(parse_edit, body["edits"]))
        deed = Deed(edits, inverse(table.rows, edits), was_open=table.is_open)
    after = do(table, deed, lies)
    return replace(after, deeds=(*table.deeds, deed), undone=())


def do(table: LigrettoTable, deed: Deed, lies: Lies) -> LigrettoTable:
    """The game after a deed. UserError when the time of a line falls within its round."""
    if deed.opens:
        return _opened(table, lies)
    if deed.tag is not None:
        edits = deed.edits or _retold(table, deed.tag, deed.card)
        return _taught(table, deed.tag, deed.card, edits, lies)
    return _standing(table, table.with_edits(deed.edits), lies)


def do_back(table: LigrettoTable, lies: Lies) -> LigrettoTable:
    """The game after its last deed was undone. UserError as for `do`."""
    deed = table.deeds[-1]
    if deed.opens:
        after = table.with_open(False)
    elif deed.tag is not None:
        edits = _retold(table, deed.tag, deed.before or table.setting.cards.get(deed.tag))
        after = _taught(table, deed.tag, deed.before, edits, lies)
        deed = deed._replace(edits=inverse(table.rows, edits))
    else:
        after = _standing(table, table.with_edits(deed.back), lies)
        after = after.with_open(after.is_open or deed.was_open)
    return replace(after, deeds=table.deeds[:-1], undone=(*table.undone, deed))


def _retold(table: LigrettoTable, uid: str, card: Card | None) -> tuple[Edit, ...]:
    """The edits by which the lines that a tag told of in this round tell of another card, or of none."""
    edits: list[Edit] = []
    rows = table.rows
    for n in range(len(rows), table.begun.n, -1):
        line = rows[n - 1].line
        if rows[n - 1].uid != uid or not isinstance(line, CardLine) or line.card == card:
            continue
        if card is None:
            some = with_decisions(rows, Edit(Do.REMOVE, n))
        else:
            some = (Edit(Do.REPLACE, n, Row(CardLine(line.t_ms, line.pad, card), uid)),)
        edits += some
        rows = edited(rows, some)
    return tuple(edits)


def _taught(
    table: LigrettoTable, uid: str, card: Card | None, edits: tuple[Edit, ...], lies: Lies
) -> LigrettoTable:
    """A tag is a card from now on, or none that is known. Where a line told of it already, that is of this
    card then; else it counts as laid now where it lies.
    """
    others = {other: known for other, known in table.taught.items() if other != uid}
    after = replace(table, taught=others if card is None else {**others, uid: card})
    if edits:
        after = _standing(table, after.with_edits(edits), lies)
    pads = tuple(pad for pad in pads_of(lies, uid) if not after.sensed.is_asleep((pad, uid)))
    if card is None or not pads or not after.is_open or own_line(after, uid) is not None:
        return after
    if any(is_asked_away(after, (pad, uid), card, lies.now_ms) for pad in pads):
        return after
    return replace(after, sensed=after.sensed.add(Seen(uid, pads, lies.now_ms)))


def _opened(table: LigrettoTable, lies: Lies) -> LigrettoTable:
    """The next round is open: all that lies there now, or was there a moment ago, belongs to the last one."""
    sensed = table.sensed
    away = [tag for tag in sensed.gone_ms if sensed.was_here(tag, lies.now_ms)]
    fresh = Sensed(
        resting=frozenset({*lies.tags, *away}),
        gone_ms={tag: sensed.gone_ms[tag] for tag in away},
        ghosts_count=sensed.ghosts_count,
    )
    return replace(table, sensed=fresh, open_round=table.match.round_number)


def _undone(table: LigrettoTable, body: Mapping[str, Any], lies: Lies) -> LigrettoTable:
    for _ in range(int(body.get("count", 1))):
        table = do_back(table, lies)
    return table


def _redone(table: LigrettoTable, body: Mapping[str, Any], lies: Lies) -> LigrettoTable:
    for _ in range(int(body.get("count", 1))):
        deed = table.undone[-1]
        after = do(table, deed, lies)
        table = replace(after, deeds=(*table.deeds, deed), undone=table.undone[:-1])
    return table


_EVOLVE: Mapping[EntryKind, Callable[[LigrettoTable, Mapping[str, Any], Lies], LigrettoTable]] = {
    EntryKind.OBSERVATION: _observed,
    EntryKind.COMMIT: _committed,
    EntryKind.REWRITE: _rewritten,
    EntryKind.CORRECTION: _done,
    EntryKind.RULING: _done,
    EntryKind.UNDO: _undone,
    EntryKind.REDO: _redone,
}
"""Of masked sensors nothing follows here: this game's board has readers."""
