"""The words of a Cir*Kis table: reasons, awards, verdicts and turns as sentences.

Owns every sentence a player reads. Must not know sensors, the journal or HTML; escaping is the page's.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence

FIGURE_KINDS = {"S": "star", "C": "circle"}

REASONS: Mapping[str, str] = {
    "unknown_space": "there is no such space",
    "unknown_player": "{player} is not playing",
    "space_filled": "a space is filled already",
    "not_a_piece": "no piece of the set has this shape",
    "none_left": "the piece set in use says {player} has no {shape} left",
    "not_your_turn": "it is {turn}'s turn",
    "first_not_central": "the first piece must cover a space of the middle star or the Center Ring",
    "not_touching_leader": "it does not touch the Leader, the piece placed last",
    "not_touching_any": "it does not touch any piece on the board",
    "pass_while_able": "{player} can still place a piece",
    "game_over": "the game is over",
}

FREE_TURNS: Mapping[str, str] = {
    "surrounded": "every space around the piece is filled",
    "center_star": "the piece completes the middle star",
    "first_sliver": "it is the first Sliver of the game",
}

ENDINGS: Mapping[str, str] = {
    "target": "the target is reached",
    "went_out": "a player has placed the last piece",
    "blocked": "nobody can place a piece",
    "match": "a total has reached the match",
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


def refusal_said(player: str, shape: str, turn: str | None, reasons: Sequence[str], passed_over: bool) -> str:
    """Why a placement is refused. Somebody passed over learns which count of the piece set says so."""
    told = [reason for reason in reasons if not (passed_over and reason == "not_your_turn")]
    if passed_over and "none_left" not in told:
        told = list(reasons)
    said = [
        REASONS[reason].format(player=name_of(player), shape=shape, turn=name_of(turn or "nobody"))
        for reason in told
    ]
    head = f"{name_of(player)}'s {shape} cannot stay"
    if passed_over and told != list(reasons):
        head = f"{name_of(player)} was passed over"
    return f"{head}: {'; '.join(said)}."


def award_said(player: str, points: int, why: str, figure: str | None) -> str:
    """Who scored what and why."""
    if why == "went_out" or figure is None:
        return f"{name_of(player)} scores {points}: placed the last piece."
    if why == "dominant":
        return f"{name_of(player)} scores {points}: most spaces in {figure_said(figure)}."
    return f"{name_of(player)} scores {points}: completed {figure_said(figure)}."


def turn_said(free_turn: str | None, passed_over: Sequence[str], first: bool) -> str:
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


def ending_said(ended: str, winners: Sequence[str]) -> str:
    """How the game ended and who won."""
    if len(winners) == 1:
        return f"The game is over: {ENDINGS[ended]}. {name_of(winners[0])} wins."
    names = listed(name_of(player) for player in winners)
    return f"The game is over: {ENDINGS[ended]}. {names} share the win."


def _article(word: str) -> str:
    return "an" if word[:1] in "aeiou" else "a"
