"""What people's hands do at a table, as lines of the simulated board's command language.

Owns the ways to lay a piece or a peg: how fast, in how many goes, where wrong first. Must not know the page,
nor which move is a good one; chance is an argument.

Every way is a row of `LAYING` or `PEGGING` with its share. A way that does not fit the moment (only small
pieces are slid) gives way to the plain one.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from random import Random

from tablewire.games.cirkis.pieces import Placement
from tablewire.games.cirkis.rules import Rules, State
from tablewire.games.cirkis.tiling import board, set_bits, spaces_of
from tablewire.games.cirkis.wiring import HOLES

MAGNETS_OVER_MS = (40, 400)
"""From the first magnet of a piece to its last: filmed hands take this long."""
LIFT_OVER_MS = (30, 200)
HALT_MS = (750, 1_200)
"""Long enough for the table to take the half for a piece, short enough to be one movement of the hand."""
REGRET_MS = (900, 1_600)
"""A player sees the piece lie there, thinks again, and takes it back."""
CLEAR_MS = (1_300, 1_800)
"""The hand goes back to the well for another piece."""
SWAP_MS = (150, 500)
"""The other hand held the better piece ready."""
SLIDE_DWELL_MS = (60, 250)
SLIDE_SPACES = (2, 4)
NUDGE_MS = (30, 700)
DISTURBED_LAID_MIN = 4
"""Pieces on the table before anybody knocks one over: the first minutes show how a game goes."""


@dataclass(frozen=True, slots=True)
class Scene:
    """What a player sees who is about to lay `piece`: the position; the pieces on the table as masks."""

    rules: Rules
    state: State
    player: str
    piece: Placement
    laid: Sequence[tuple[str, int]]

    def free(self, space: int) -> bool:
        """Whether nothing lies on the space."""
        return not self.state.filled >> (space - 1) & 1


@dataclass(frozen=True, slots=True)
class Gesture:
    """One thing a hand does: `lines` for the board. The rest is what the page should show of it in a while.

    `spaces` covered by `colour` when all is well; none when the page should refuse it (`wrong`). `peg` is the
    hole in which the peg of `colour` then stands.
    """

    kind: str
    lines: tuple[str, ...]
    colour: str = ""
    spaces: tuple[int, ...] = ()
    wrong: bool = False
    peg: int | None = None


Lay = Callable[[Scene, Random], Gesture | None]
MovePeg = Callable[[str, int, Random], Gesture]


def place(colour: str, spaces: Sequence[int], rng: Random) -> str:
    """The line that lays a piece magnet by magnet, in any order."""
    order = rng.sample(list(spaces), len(spaces))
    over = f" over {rng.randint(*MAGNETS_OVER_MS)}" if len(order) > 1 else ""
    return f"place {colour} {_said(order)}{over}"


def lift(spaces: Sequence[int], rng: Random) -> str:
    """The line that lifts what lies on the spaces."""
    over = f" over {rng.randint(*LIFT_OVER_MS)}" if len(spaces) > 1 else ""
    return f"lift {_said(spaces)}{over}"


def joins(rules: Rules, piece: int, landed: int) -> bool:
    """Whether the masks `piece` and (some of) `landed` make one larger piece of the set."""
    lowest = (piece & -piece).bit_length()
    return any(
        p.mask != piece and p.mask & piece == piece and not p.mask & ~(piece | landed)
        for p in rules.pieces.covering[lowest]
    )


def _said(spaces: Sequence[int]) -> str:
    return ",".join(map(str, spaces))


def _gesture(kind: str, scene: Scene, *lines: str) -> Gesture:
    return Gesture(kind, lines, scene.player, tuple(scene.piece.spaces))


def _placed(scene: Scene, rng: Random) -> Gesture:
    """Laid in one go."""
    return _gesture("placed", scene, place(scene.player, scene.piece.spaces, rng))


def _slid(scene: Scene, rng: Random) -> Gesture | None:
    """A small piece pushed to its place over empty spaces, resting on each for a moment."""
    if len(scene.piece.spaces) != 1:
        return None
    path = list(scene.piece.spaces)
    for _ in range(rng.randint(*SLIDE_SPACES) - 1):
        ways = [s for s in spaces_of(board().joins[path[-1] - 1]) if scene.free(s) and s not in path]
        if not ways:
            break
        path.append(rng.choice(ways))
    if len(path) == 1:
        return None
    path.reverse()
    dwell_ms = rng.randint(*SLIDE_DWELL_MS)
    return _gesture("slid", scene, f"slide {scene.player} {path[0]} {_said(path[1:])} dwell {dwell_ms}")


def _halting(scene: Scene, rng: Random) -> Gesture | None:
    """Half of the piece touches down, the rest only after a while."""
    if len(scene.piece.spaces) == 1:
        return None
    order = rng.sample(list(scene.piece.spaces), len(scene.piece.spaces))
    half = rng.randint(1, len(order) - 1)
    first, rest = (f"place {scene.player} {_said(some)}" for some in (order[:half], order[half:]))
    return _gesture("halting", scene, first, f"wait {rng.randint(*HALT_MS)}", rest)


def _misplaced(scene: Scene, rng: Random) -> Gesture | None:
    """A piece laid where it may not lie: away from the Leader, or the first one away from the middle."""
    state = scene.state
    return _wrong("misplaced", scene, scene.player, state.open & state.stocks[state.turn] & ~state.legal, rng)


def _out_of_turn(scene: Scene, rng: Random) -> Gesture | None:
    """Somebody else is too quick."""
    state, players = scene.state, scene.rules.players
    other = rng.choice([seat for seat in range(len(players)) if seat != state.turn])
    return _wrong("out_of_turn", scene, players[other], state.open & state.stocks[other], rng)


def _wrong(kind: str, scene: Scene, colour: str, placements: int, rng: Random) -> Gesture | None:
    """One of the placements, none of which may look like a continuation of a piece that lies there."""
    own = [mask for player, mask in scene.laid if player == colour]
    for index in rng.sample(found := list(set_bits(placements)), min(len(found), 20)):
        wrong = scene.rules.placements[index]
        if not any(joins(scene.rules, mask, wrong.mask) for mask in own):
            return Gesture(kind, (place(colour, wrong.spaces, rng),), colour, wrong=True)
    return None


def _regretted(scene: Scene, rng: Random) -> Gesture | None:
    """Laid, looked at, lifted, and after a while laid elsewhere."""
    return _changed_mind("taken_back", scene, CLEAR_MS, apart=False, rng=rng)


def _swapped(scene: Scene, rng: Random) -> Gesture | None:
    """Laid, lifted, and at once laid elsewhere."""
    return _changed_mind("swapped", scene, SWAP_MS, apart=True, rng=rng)


def _changed_mind(
    kind: str, scene: Scene, between_ms: tuple[int, int], *, apart: bool, rng: Random
) -> Gesture | None:
    rules, state, final = scene.rules, scene.state, scene.piece
    # After a placement that ends the game nothing is taken back by lifting.
    own = [mask for player, mask in scene.laid if player == scene.player]
    first = [
        p
        for p in rules.legal_placements(state)
        if p.mask != final.mask
        and not (apart and (p.mask & final.mask or joins(rules, p.mask, final.mask)))
        and not any(joins(rules, mask, p.mask) for mask in own)
        and rules.place(state, p).ended is None
    ]
    if not first:
        return None
    regretted = rng.choice(first).spaces
    return _gesture(
        kind,
        scene,
        place(scene.player, regretted, rng),
        f"wait {rng.randint(*REGRET_MS)}",
        lift(regretted, rng),
        f"wait {rng.randint(*between_ms)}",
        place(scene.player, final.spaces, rng),
    )


def _straightened(scene: Scene, rng: Random) -> Gesture | None:
    """Laid, and a neighbour pushed aside by it put straight again."""
    around = board().touching(scene.piece.mask)
    near = [mask for _, mask in scene.laid if mask & around]
    if not near:
        return None
    pushed = spaces_of(rng.choice(near))
    some = rng.sample(list(pushed), rng.randint(1, len(pushed)))
    return _gesture(
        "straightened",
        scene,
        place(scene.player, scene.piece.spaces, rng),
        f"wait {rng.randint(0, 400)}",
        f"nudge {_said(some)} {rng.randint(*NUDGE_MS)}",
    )


def _disturbed(scene: Scene, rng: Random) -> Gesture | None:
    """A sleeve: two pieces fly off, change places, or are pushed on. The page says how to put it right."""
    if len(scene.laid) < DISTURBED_LAID_MIN:
        return None
    hit = rng.sample([mask for _, mask in scene.laid], 2)
    spaces = _said([space for mask in hit for space in spaces_of(mask)])
    fault = rng.choice((f"knock at={spaces} floor=50", f"shove count=2 at={spaces}", "swap"))
    return Gesture("disturbed", (f"fault {fault} seed={rng.randint(0, 9999)}",), scene.player, wrong=True)


def _peg_moved(colour: str, due: int, _rng: Random) -> Gesture:
    """The peg goes where it belongs."""
    return Gesture("peg", (f"peg {colour} {due}",), colour, peg=due)


def _peg_wrong(colour: str, due: int, rng: Random) -> Gesture:
    """The peg goes one hole too far, or not far enough; the page will say so."""
    at = HOLES.index(due)
    hole = HOLES[rng.choice([near for near in (at - 1, at + 1) if 0 <= near < len(HOLES)])]
    return Gesture("peg_wrong", (f"peg {colour} {hole}",), colour, wrong=True, peg=hole)


@dataclass(frozen=True, slots=True)
class Way:
    """One way to lay a piece, and how often out of a hundred."""

    kind: str
    share: float
    lay: Lay


@dataclass(frozen=True, slots=True)
class PegWay:
    """One way to move a peg, how often out of a hundred, and how many placements later."""

    kind: str
    share: float
    late_placements: int
    move: MovePeg


LAYING: tuple[Way, ...] = (
    Way("placed", 51, _placed),
    Way("slid", 8, _slid),
    Way("halting", 8, _halting),
    Way("misplaced", 7, _misplaced),
    Way("out_of_turn", 5, _out_of_turn),
    Way("taken_back", 4, _regretted),
    Way("swapped", 4, _swapped),
    Way("straightened", 12, _straightened),
    Way("disturbed", 1, _disturbed),
)

PEGGING: tuple[PegWay, ...] = (
    PegWay("peg", 50, 0, _peg_moved),
    PegWay("peg_late", 30, 2, _peg_moved),
    PegWay("peg_wrong", 20, 0, _peg_wrong),
)

PLAIN = LAYING[0]
PEG_PLAIN = PEGGING[0]
WRONG_KINDS = frozenset({"misplaced", "out_of_turn", "disturbed"})
SHARES: Mapping[str, float] = {
    **{way.kind: way.share for way in LAYING},
    **{way.kind: way.share for way in PEGGING},
}
