"""What a person must do or decide now: the one message of the page, from what a look at the table found.

Owns the choice of message, and which buttons are open. Must not know the journal, HTML or how a look is made.

Order of urgency: a table that is not set up, or not what the game says; a question; an illegal or unexplained
piece; a piece half in its seat; a sensor that cannot be believed; a peg in the wrong hole.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import replace
from typing import TYPE_CHECKING

from tablewire.board.lies import Lies
from tablewire.games.cirkis import acceptance, health, words
from tablewire.games.cirkis.chain import MAX_STEPS
from tablewire.games.cirkis.findings import (
    Ambiguous,
    Answer,
    Group,
    HalfLaid,
    Illegal,
    Trouble,
    Unexplained,
    Unsteady,
    Untold,
)
from tablewire.games.cirkis.health import Condition
from tablewire.games.cirkis.messages import Button, Choice, Message, MessageKind, choice_of, lift, mask_choice
from tablewire.games.cirkis.pegs import wrong_pegs
from tablewire.games.cirkis.restoring import places_of, to_restore
from tablewire.games.cirkis.survey import Survey
from tablewire.games.cirkis.wiring import peg_of, sensor_of, sensor_said
from tablewire.wire.observed import SensorId

if TYPE_CHECKING:
    from tablewire.games.cirkis.referee import CirkisTable

LARGEST_PIECE = 3
"""Spaces: what covers more of one colour at once is several pieces, laid while the table was not read."""
UNREAD_SAID = 6
"""Spaces named that may not read under a refused piece; with more of them it is no help."""
MASK_CHOICES = 3
"""Buttons for sensors in one message; the health map has all of them."""

DOUBTS: Mapping[Condition, tuple[str, str]] = {
    Condition.STUCK: (
        "If nothing lies there, the sensor of {name} is stuck.",
        "If nothing lies there, the sensors of {name} are stuck.",
    ),
    Condition.SILENT: (
        "If its piece lies there, the sensor of {name} is silent.",
        "If their pieces lie there, the sensors of {name} are silent.",
    ),
}
"""What may be a sensor's fault: the sentence for one sensor, and for several."""


def message(table: CirkisTable, lies: Lies, look: Survey) -> Message | None:
    """The most urgent thing to put right; None when nothing is."""
    found = (
        _to_restore(table, lies, look)
        or _trouble(table, lies, look)
        or _half_seated(table, look)
        or _flaky(look)
        or _peg(table, look)
    )
    return None if found is None else _doubted(table, lies, found)


def choices(table: CirkisTable, look: Survey) -> tuple[Choice, ...]:
    """The choices that are open now, whether or not something more urgent is shown."""
    found = [
        choice_of(table, change, group) for trouble in look.troubles for change, group in _changes(trouble)
    ]
    doubtful = {*_unsteady(look), *health.conditions(table, look.lies)}
    return (*found, *(mask_choice(sensor) for sensor in sorted(doubtful)))


def _to_restore(table: CirkisTable, lies: Lies, look: Survey) -> Message | None:
    """What to put right; the rules may allow the table as it lies instead."""
    found = to_restore(table, lies, look)
    if found is None or found.kind is not MessageKind.RESTORE:
        return found
    offers = acceptance.choices(table, lies, look)
    return replace(found, choices=tuple(Button(each.id, each.text, each.spaces) for each in offers))


def _changes(trouble: Trouble) -> Iterator[tuple[Answer, Group]]:
    """What a trouble can turn out to be, each with the new magnets that it is about."""
    match trouble:
        case Ambiguous() | HalfLaid() | Unexplained():
            yield from ((change, trouble.group) for change in trouble.choices)
        case Untold(groups, grown, _):
            for change in grown:
                yield from ((change, group) for group in groups if group.colour == change.player)


def _unsteady(look: Survey) -> Iterable[SensorId]:
    for trouble in look.troubles:
        if isinstance(trouble, Unsteady):
            yield from map(sensor_of, trouble.spaces)
    yield from map(sensor_of, look.sensed.flaky)


def _trouble(table: CirkisTable, lies: Lies, look: Survey) -> Message | None:
    """The first trouble, questions before refusals."""
    ordered = sorted(look.troubles, key=lambda trouble: not isinstance(trouble, Ambiguous | Untold))
    if not ordered:
        return None
    first = ordered[0]
    return _untold(table, lies, look, first) if isinstance(first, Untold) else _say(table, first)


def _untold(table: CirkisTable, lies: Lies, look: Survey, trouble: Untold) -> Message:
    """What came while the board was not heard, and each way in which it can have been played."""
    # The search that has found them to be several is kept: asking as much of it costs nothing.
    offers = acceptance.choices(table, lies, look, MAX_STEPS)
    grown = (choice_of(table, change, group) for change, group in _changes(trouble))
    buttons = (*grown, *(Button(each.id, each.text, each.spaces) for each in offers))
    spaces = sorted(space for group in trouble.groups for space in group.landed_ms)
    text = f"While the board was not heard, pieces came to {words.spaces_said(spaces)}. "
    # While a piece is straightened there are no offers, and all the same as many ways.
    way_count = max(len(buttons), trouble.way_count + len(trouble.grown))
    if way_count == 1:
        text += (
            "They can have been played like this: choose it if it is so, or lift them and play them again."
        )
    elif way_count:
        text += "They can have been played in several ways: choose one, or lift them and play them again."
    else:
        text += "How they were played cannot be told: lift them, and place them again one by one."
    return Message(MessageKind.AMBIGUOUS, text, (), tuple(map(lift, trouble.groups)), buttons)


def _say(table: CirkisTable, trouble: Ambiguous | Illegal | HalfLaid | Unexplained | Unsteady) -> Message:
    match trouble:
        case Ambiguous(group, _):
            text = (
                f"{words.name_of(group.colour)} on {words.spaces_said(sorted(group.landed_ms))} "
                "can be read in more than one way. Which is it?"
            )
            return Message(MessageKind.AMBIGUOUS, text, (), (lift(group),), _buttons(table, trouble))
        case Illegal(group, piece, reasons, turn, unread):
            refused = group.colour in table.passed_over()
            text = f"{words.refusal_said(group.colour, piece.shape, turn, reasons, refused)} Lift it."
            if 0 < len(unread) <= UNREAD_SAID:
                lacking = words.space_or(unread).lower()
                text += f" If it is a larger piece, {lacking} does not read: press it down."
            return Message(MessageKind.ILLEGAL, text, reasons, (lift(group),))
        case HalfLaid():
            return _half_laid(table, trouble)
        case Unexplained():
            return _unexplained(table, trouble)
        case Unsteady(colour, spaces):
            text = f"{words.flickers_said(spaces)}: press {colour}'s piece down, or lift it."
            masks = tuple(mask_choice(sensor_of(space)) for space in spaces[:MASK_CHOICES])
            steps = ({"do": "lift", "spaces": list(spaces)},)
            return Message(MessageKind.UNEXPLAINED, text, ("flaky_sensor",), steps, masks)


def _buttons(table: CirkisTable, trouble: Ambiguous | HalfLaid | Unexplained) -> tuple[Choice, ...]:
    return tuple(choice_of(table, change, trouble.group) for change in trouble.choices)


def _half_laid(table: CirkisTable, trouble: HalfLaid) -> Message:
    group, unread = trouble.group, trouble.unread
    if trouble.weak:
        head = f"{words.reads_said(unread)} too weakly for {group.colour}"
    else:
        head = f"{words.space_or(unread)} does not read {group.colour}"
    text = f"{head}: press the piece down, or lift it."
    step = {"do": "place", "spaces": list(unread), "colour": group.colour}
    steps = (step,) if trouble.weak or len(unread) == 1 else (lift(group),)
    return Message(MessageKind.UNEXPLAINED, text, ("half_seated",), steps, _buttons(table, trouble))


def _unexplained(table: CirkisTable, trouble: Unexplained) -> Message:
    group, buttons = trouble.group, _buttons(table, trouble)
    spaces = sorted(group.landed_ms)
    if not trouble.colour_plays:
        reads = f"{words.name_of(group.colour)} is not playing, but something {group.colour} lies on "
        text = f"{reads}{words.spaces_said(spaces)}. Lift it, or press it down if it is another colour."
        if buttons:
            text = (
                f"Unknown piece on {words.spaces_said(spaces)}: which is it? It reads {group.colour}, and "
                f"{group.colour} is not playing. If it is none of these, lift it."
            )
        return Message(MessageKind.UNEXPLAINED, text, ("unknown_player",), (lift(group),), buttons)
    if len(spaces) > LARGEST_PIECE:
        text = (
            f"New pieces of {group.colour} lie on {words.spaces_said(spaces)}, more than one turn can "
            "explain. Lift them, and place them again one by one."
        )
        return Message(MessageKind.UNEXPLAINED, text, ("not_a_piece",), (lift(group),))
    text = (
        f"No piece of the set covers {words.spaces_said(spaces)}. If a space of it does not read, "
        f"press {group.colour}'s piece down; otherwise lift it."
    )
    return Message(MessageKind.UNEXPLAINED, text, ("not_a_piece",), (lift(group),), buttons)


def _half_seated(table: CirkisTable, look: Survey) -> Message | None:
    spaces = look.seating.half_seated
    if not spaces:
        return None
    steps = tuple(places_of(table, spaces))
    if len(steps) == 1:
        text = f"{words.do_not(spaces)} read {steps[0]['colour']}: press the piece down."
    else:
        text = f"{words.do_not(spaces)} read the pieces that lie there: press them down."
    return Message(MessageKind.RESTORE, text, ("half_seated",), steps, holds=False)


def _flaky(look: Survey) -> Message | None:
    spaces = look.sensed.flaky
    if not spaces:
        return None
    text = f"{words.flickers_said(spaces)}; play can go on."
    masks = tuple(mask_choice(sensor_of(space)) for space in spaces[:MASK_CHOICES])
    return Message(MessageKind.UNEXPLAINED, text, ("flaky_sensor",), (), masks, holds=False)


def _peg(table: CirkisTable, look: Survey) -> Message | None:
    """Pegs wait until nothing is provisional, and go home with the pieces after the end."""
    wrong = () if look.provisional else tuple(wrong_pegs(table.moves, look.sensed))
    lift_ms = look.lies.timing.lift_ms
    cleared = table.moves.state.ended is not None and any(
        look.lies.now_ms - gap.cleared_ms >= lift_ms for gap in look.sensed.gaps
    )
    if cleared or not wrong:
        return None
    said = words.listed(f"{words.name_of(player)}'s peg to {hole}" for player, hole in wrong)
    steps = tuple({"do": "move_peg", "colour": player, "hole": hole} for player, hole in wrong)
    return Message(MessageKind.PEG, f"Move {said}.", (), steps, holds=False)


def _doubted(table: CirkisTable, lies: Lies, found: Message) -> Message:
    """The message, and that what it asks for may be a sensor's fault, once it has asked for long."""
    named = set()
    for step in found.steps:
        named |= {sensor_of(space) for space in step.get("spaces", ())}
    pegs = {step["colour"] for step in found.steps if step["do"] == "move_peg"}
    doubts = [
        (sensor, condition)
        for sensor, condition in sorted(health.conditions(table, lies).items())
        if condition in DOUBTS and (sensor in named or ((peg := peg_of(sensor)) and peg[0] in pegs))
    ][:MASK_CHOICES]
    if not doubts:
        return found
    masks = tuple(mask_choice(sensor) for sensor, _ in doubts)
    said = [found.text]
    for condition, (one, many) in DOUBTS.items():
        if names := [sensor_said(sensor) for sensor, condition_of in doubts if condition_of is condition]:
            said.append((one if len(names) == 1 else many).format(name=words.listed(names)))
    return replace(found, text=" ".join(said), choices=(*found.choices, *masks))
