"""The words of a Cir*Kis table: reasons, awards, verdicts and turns as sentences.

Owns every sentence a player reads. Must not know sensors, the journal or HTML; escaping is the page's.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence

from tablewire.games.cirkis.report import FreeTurn, Reason, Why
from tablewire.games.cirkis.state import Ending

FIGURE_KINDS = {"S": "star", "C": "circle"}

REASONS: Mapping[Reason, str] = {
    Reason.UNKNOWN_SPACE: "there is no such space",
    Reason.UNKNOWN_PLAYER: "{player} is not playing",
    Reason.SPACE_FILLED: "a space is filled already",
    Reason.NOT_A_PIECE: "no piece of the set has this shape",
    Reason.NONE_LEFT: "the piece set in use says {player} has no {shape} left",
    Reason.NOT_YOUR_TURN: "it is {turn}'s turn",
    Reason.FIRST_NOT_CENTRAL: "the first piece must cover a space of the middle star or the Center Ring",
    Reason.NOT_TOUCHING_LEADER: "it does not touch the Leader, the piece placed last",
    Reason.NOT_TOUCHING_ANY: "it does not touch any piece on the board",
    Reason.PASS_WHILE_ABLE: "{player} can still place a piece",
    Reason.GAME_OVER: "the game is over",
}

FREE_TURNS: Mapping[FreeTurn, str] = {
    FreeTurn.SURROUNDED: "every space around the piece is filled",
    FreeTurn.CENTER_STAR: "the piece completes the middle star",
    FreeTurn.FIRST_SLIVER: "it is the first Sliver of the game",
}

ENDINGS: Mapping[Ending, str] = {
    Ending.TARGET: "the target is reached",
    Ending.WENT_OUT: "a player has placed the last piece",
    Ending.BLOCKED: "nobody can place a piece",
    Ending.MATCH: "a total has reached the match",
}


def name_of(player: str) -> str:
    """A player's name at the start of a sentence."""
    return player.capitalize()


def listed(words: Iterable[str], last: str = "and") -> str:
    """`a, b and c`."""
    some = list(words)
    return some[0] if len(some) == 1 else f"{', '.join(some[:-1])} {last} {some[-1]}" if some else "nobody"


def spaces_said(spaces: Sequence[int]) -> str:
    """`space 6` or `spaces 6 and 7`."""
    return f"space{'s' if len(spaces) > 1 else ''} {listed(str(space) for space in spaces)}"


def do_not(spaces: Sequence[int]) -> str:
    """`Space 6 does not` or `Spaces 6 and 7 do not`."""
    return f"{spaces_said(spaces).capitalize()} {'does' if len(spaces) == 1 else 'do'} not"


def reads_said(spaces: Sequence[int]) -> str:
    """`Space 6 reads` or `Spaces 6 and 7 read`."""
    return f"{spaces_said(spaces).capitalize()} read{'s' if len(spaces) == 1 else ''}"


def space_or(spaces: Sequence[int]) -> str:
    """`Space 6`, or `Space 6 or 7` when it is one of them."""
    return f"Space {listed((str(space) for space in spaces), last='or')}"


def flickers_said(spaces: Sequence[int]) -> str:
    """`Space 6 flickers` or `Spaces 6 and 7 flicker`."""
    return f"{spaces_said(spaces).capitalize()} flicker{'s' if len(spaces) == 1 else ''}"


def figure_said(figure: str) -> str:
    """A figure's name in words."""
    if figure == "ring":
        return "the Center Ring"
    return "the middle star" if figure == "S1" else f"{FIGURE_KINDS[figure[0]]} {figure}"


def pieces_said(shapes_and_spaces: Sequence[tuple[str, Sequence[int]]]) -> str:
    """`a wedge on space 6, then a small slice on spaces 7 and 8`."""
    return ", then ".join(
        f"{_article(shape)} {shape} on {spaces_said(spaces)}" for shape, spaces in shapes_and_spaces
    )


def refusal_said(
    player: str, shape: str, turn: str | None, reasons: Sequence[Reason], passed_over: bool
) -> str:
    """Why a placement is refused. Somebody passed over learns which count of the piece set says so."""
    told = [reason for reason in reasons if not (passed_over and reason is Reason.NOT_YOUR_TURN)]
    if passed_over and Reason.NONE_LEFT not in told:
        told = list(reasons)
    # Whose turn it is comes first: nobody needs to know what else is wrong with a piece laid too early.
    told.sort(key=lambda reason: reason is not Reason.NOT_YOUR_TURN)
    said = [
        REASONS[reason].format(player=name_of(player), shape=shape, turn=name_of(turn or "nobody"))
        for reason in told
    ]
    head = f"{name_of(player)}'s {shape} cannot stay"
    if passed_over and len(told) < len(reasons):
        head = f"{name_of(player)} was passed over"
    return f"{head}: {'; '.join(said)}."


def award_said(player: str, points: int, why: Why, figure: str | None) -> str:
    """Who scored what and why."""
    if why is Why.WENT_OUT or figure is None:
        return f"{name_of(player)} scores {points}: placed the last piece."
    if why is Why.DOMINANT:
        return f"{name_of(player)} scores {points}: most spaces in {figure_said(figure)}."
    return f"{name_of(player)} scores {points}: completed {figure_said(figure)}."


def turn_said(free_turn: FreeTurn | None, passed_over: Sequence[str], first: bool) -> str:
    """Why it is whose turn it is, and what is asked of them."""
    if free_turn:
        return f"Free turn: {FREE_TURNS[free_turn]}. It may touch any piece."
    if first:
        return "The first piece goes on the middle star or the Center Ring."
    if passed_over:
        names = listed(name_of(player) for player in passed_over)
        verb = "was" if len(passed_over) == 1 else "were"
        return f"Touch the Leader. {names} {verb} passed over: no piece of theirs fits there."
    return "Touch the Leader, the piece placed last."


def ending_said(ended: Ending, winners: Sequence[str]) -> str:
    """How the game ended and who won."""
    if len(winners) == 1:
        return f"The game is over: {ENDINGS[ended]}. {name_of(winners[0])} wins."
    names = listed(name_of(player) for player in winners)
    return f"The game is over: {ENDINGS[ended]}. {names} share the win."


def _article(word: str) -> str:
    return "an" if word[:1] in "aeiou" else "a"
