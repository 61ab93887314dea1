"""The rules once more, slowly: sets, loops and dictionaries, one object that changes as the lines are read.

Owns nothing of the package and imports nothing of it. Written from the text of the rules, not from the
engine; where the two disagree one of them is wrong.
"""

from __future__ import annotations

import json
from functools import cache
from typing import Any

from tests.games import slow_board

NINE = (
    ("wedge", 3, (6,)),
    ("arrow", 3, (1,)),
    ("sliver", 2, (156,)),
    ("small slice", 2, (7, 8)),
    ("big slice", 2, (26, 36, 56)),
    ("kite", 2, (2, 7, 8)),
    ("hook", 2, (2, 7)),
    ("boomerang", 2, (1, 2)),
    ("triangle", 2, (6, 16)),
)
CAN_FORCE = {
    "not_your_turn",
    "first_not_central",
    "not_touching_leader",
    "not_touching_any",
    "none_left",
    "pass_while_able",
}


@cache
def shape_places(example: tuple[int, ...], flip: bool) -> dict[frozenset[int], frozenset[int]]:
    """Each place of a shape, with the spaces around it."""
    around = slow_board.neighbours()
    return {
        place: frozenset().union(*(around[s] for s in place)) - place
        for place in slow_board.placements(example, flip=flip)
    }


class Table:
    """One game as it lies on the table."""

    def __init__(self, header: dict[str, Any]) -> None:
        options = header.get("options", {})
        self.players: list[str] = header["players"]
        self.hasbro = header.get("rulebook", "hasbro") == "hasbro"
        self.target = options.get("target", 40)
        self.may_pass = options.get("voluntary_pass", False)
        self.match = options.get("match")
        self.figures = dict(slow_board.figures())
        if options.get("center_ring"):
            self.figures["ring"] = slow_board.ring()
        given = options.get("pieces")
        shapes = [(p["name"], p["count"], tuple(p["example"]), p.get("flip", True)) for p in given or ()]
        shapes = shapes or [(*shape, True) for shape in NINE]
        self.counts = {name: count for name, count, _, _ in shapes}
        self.set_size: int = sum(self.counts.values())
        self.places = {
            place: (name, halo)
            for name, _, example, flip in shapes
            for place, halo in shape_places(example, flip).items()
        }
        self.central = self.figures["S1"] | slow_board.ring()
        self.totals = dict.fromkeys(self.players, 0)
        self.round = 0
        self.new_round()

    def new_round(self) -> None:
        self.round += 1
        self.owner: dict[int, str] = {}
        self.used = {player: dict.fromkeys(self.counts, 0) for player in self.players}
        self.scores = dict.fromkeys(self.players, 0)
        self.leader: frozenset[int] = frozenset()
        self.pending = False
        self.sliver = False
        self.ended: str | None = None
        self.run = 0
        self.silent: list[str] = []
        first = self.players[(self.round - 1) % len(self.players)]
        seat = self.players.index(first)
        self.turn: str | None = None
        self.hand_on(self.players[seat:] + self.players[:seat])

    def left(self, player: str) -> int:
        return self.set_size - sum(self.used[player].values())

    def touches(self, place: frozenset[int], halo: frozenset[int]) -> bool:
        if not self.leader:
            return bool(place & self.central)
        if self.pending:
            return any(s in self.owner for s in halo)
        return bool(halo & self.leader)

    def able(self, player: str) -> bool:
        return any(
            self.used[player][name] < self.counts[name]
            and not any(s in self.owner for s in place)
            and self.touches(place, halo)
            for place, (name, halo) in self.places.items()
        )

    def hand_on(self, order: list[str]) -> list[str]:
        """Give the turn to the first of `order` who can place; the others lose theirs until all have."""
        skipped: list[str] = []
        self.turn = None
        for player in order:
            if self.run >= len(self.players):
                break
            if self.able(player):
                self.turn = player
                break
            skipped.append(player)
            self.run += 1
        self.silent += skipped
        if self.turn is None:
            self.ended = "blocked"
        return skipped

    def after(self, player: str) -> list[str]:
        seat = self.players.index(player) + 1
        return self.players[seat:] + self.players[:seat]

    def target_reached(self) -> bool:
        return any(score >= self.target for score in self.scores.values())

    def stop(self, why: str) -> None:
        self.ended, self.turn, self.pending = why, None, False

    def over(self) -> bool:
        if self.match is None or self.ended is None:
            return False
        return any(self.totals[p] + self.scores[p] >= self.match for p in self.players)

    # One method per kind of line; each gives the printed line without its number.

    def line(self, text: str) -> dict[str, Any]:
        nothing = {"player": None, "legal": False, "reasons": ["not_a_line"]}
        try:
            value = json.loads(text)
        except ValueError:
            return nothing
        if not isinstance(value, dict):
            return nothing
        keys = {key for key in value if not key.startswith("x_")}
        forced = value.get("forced", False)
        if not isinstance(forced, bool):
            return nothing
        if keys - {"forced"} == {"player", "spaces"} and isinstance(value["player"], str):
            spaces = value["spaces"]
            if isinstance(spaces, list) and all(
                isinstance(s, int) and not isinstance(s, bool) for s in spaces
            ):
                return self.place(value["player"], spaces, forced)
        if (
            keys - {"forced"} == {"player", "pass"}
            and isinstance(value["player"], str)
            and value["pass"] is True
        ):
            return self.give_up(value["player"], forced)
        if keys == {"ruling"} and isinstance(value["ruling"], dict):
            return self.rule(value["ruling"]) or nothing
        if keys == {"round"} and isinstance(value["round"], int) and not isinstance(value["round"], bool):
            return self.next_round(value["round"]) or nothing
        return nothing

    def place(self, player: str, spaces: list[int], forced: bool) -> dict[str, Any]:
        if self.ended:
            return {"player": player, "legal": False, "reasons": ["game_over"]}
        reasons: set[str] = set()
        if player not in self.players:
            reasons.add("unknown_player")
        elif player != self.turn:
            reasons.add("not_your_turn")
        if any(not 1 <= s <= 165 for s in spaces):
            reasons.add("unknown_space")
        if any(s in self.owner for s in spaces):
            reasons.add("space_filled")
        place = frozenset(spaces)
        if not reasons & {"unknown_space", "space_filled"}:
            if len(place) != len(spaces) or place not in self.places:
                reasons.add("not_a_piece")
            else:
                name, halo = self.places[place]
                if player in self.players and self.used[player][name] >= self.counts[name]:
                    reasons.add("none_left")
                if not self.touches(place, halo):
                    why = "not_touching_any" if self.pending else "not_touching_leader"
                    reasons.add(why if self.leader else "first_not_central")
        if reasons and not (forced and reasons <= CAN_FORCE):
            return {"player": player, "legal": False, "reasons": sorted(reasons)}
        printed = self.put(player, place)
        return printed | ({"forced": sorted(reasons)} if forced else {})

    def put(self, player: str, place: frozenset[int]) -> dict[str, Any]:
        name, halo = self.places[place]
        before = set(self.owner)
        for s in place:
            self.owner[s] = player
        self.used[player][name] += 1
        self.leader, self.run, self.silent, self.pending = place, 0, [], False
        completed = [f for f, of in self.figures.items() if of <= set(self.owner) and not of <= before]
        gained = dict.fromkeys(self.players, 0)
        for figure in completed:
            self.score_figure(figure, player, gained)
        free = self.free_turn(place, halo, completed)
        out = self.left(player) <= 0
        if out:
            gained[player] += 10
        for who, points in gained.items():
            self.scores[who] += points
        skipped: list[str] = []
        if out:
            self.stop("went_out")
        elif not self.hasbro and self.target_reached():
            self.stop("target")
        else:
            if free:
                self.pending = True
                self.pending = self.able(player)
            if self.pending:
                self.turn = player
            elif self.target_reached():
                self.stop("target")
            else:
                skipped = self.hand_on(self.after(player))
        return {
            "player": player,
            "shape": name,
            "legal": True,
            "completed": completed,
            "points": {who: points for who, points in gained.items() if points},
            "free_turn": free,
            "auto_passes": skipped,
            "scores": dict(self.scores),
            "next": self.turn,
        }

    def free_turn(self, place: frozenset[int], halo: frozenset[int], completed: list[str]) -> str | None:
        first_sliver = min(place) >= 156 and not self.sliver
        self.sliver = self.sliver or first_sliver
        if all(s in self.owner for s in halo):
            return "surrounded"
        if "S1" in completed:
            return "center_star"
        return "first_sliver" if first_sliver else None

    def score_figure(self, figure: str, completer: str, gained: dict[str, int]) -> None:
        held = {p: sum(self.owner[s] == p for s in self.figures[figure]) for p in self.players}
        leading = [p for p in self.players if held[p] == max(held.values())]
        chief = leading[0] if len(leading) == 1 else None
        prize = 15 if figure == "ring" else 10
        if chief is None:
            gained[completer] += 5
        elif chief != completer:
            gained[completer] += 5
            gained[chief] += prize
        elif self.hasbro:
            gained[chief] += prize
        else:
            gained[chief] += 20 if figure == "ring" else 5

    def give_up(self, player: str, forced: bool) -> dict[str, Any]:
        mark: dict[str, Any] = {"forced": []} if forced else {}
        if self.silent and self.silent[0] == player:
            self.silent.pop(0)
            return self.passed(player, []) | mark
        if self.ended:
            return {"player": player, "legal": False, "reasons": ["game_over"]}
        reasons: set[str] = set()
        if player not in self.players:
            reasons.add("unknown_player")
        else:
            if player != self.turn:
                reasons.add("not_your_turn")
            if not self.may_pass and self.able(player):
                reasons.add("pass_while_able")
        if reasons and not (forced and reasons <= CAN_FORCE):
            return {"player": player, "legal": False, "reasons": sorted(reasons)}
        if not (self.pending and player == self.turn):
            self.run += 1
        self.pending = False
        skipped: list[str] = []
        if self.target_reached():
            self.stop("target")
        else:
            skipped = self.hand_on(self.after(player))
        return self.passed(player, skipped) | ({"forced": sorted(reasons)} if forced else {})

    def passed(self, player: str, skipped: list[str]) -> dict[str, Any]:
        return {
            "player": player,
            "shape": None,
            "legal": True,
            "completed": [],
            "points": {},
            "free_turn": None,
            "auto_passes": skipped,
            "scores": dict(self.scores),
            "next": self.turn,
        }

    def rule(self, ruling: dict[str, Any]) -> dict[str, Any] | None:
        keys = {key for key in ruling if not key.startswith("x_")}
        points = ruling.get("points")
        if not keys <= {"points", "note"} or not isinstance(ruling.get("note", ""), str):
            return None
        if not isinstance(points, dict) or not points or not set(points) <= set(self.players):
            return None
        if any(isinstance(p, bool) or not isinstance(p, int) for p in points.values()):
            return None
        for player, extra in points.items():
            self.scores[player] += extra
        if not self.hasbro and not self.ended and self.target_reached():
            self.stop("target")
        given = {player: points[player] for player in self.players if player in points}
        return {"ruling": given, "scores": dict(self.scores), "next": self.turn}

    def next_round(self, number: int) -> dict[str, Any] | None:
        if self.over():
            return {"player": None, "legal": False, "reasons": ["game_over"]}
        if self.match is None or not self.ended or number != self.round + 1:
            return None
        for player in self.players:
            self.totals[player] += self.scores[player]
        self.new_round()
        return {"round": number, "scores": dict(self.scores), "next": self.turn}

    def result(self) -> dict[str, Any]:
        totals = {p: self.totals[p] + self.scores[p] for p in self.players}
        by = totals if self.over() else self.scores
        best = max((by[p], self.left(p)) for p in self.players)
        winners = [p for p in self.players if (by[p], self.left(p)) == best] if self.ended else []
        result = {
            "ended": "match" if self.over() else self.ended,
            "winners": winners,
            "scores": self.scores,
            "unplayed": {p: self.left(p) for p in self.players},
        }
        return {"result": result | ({"totals": totals} if self.match is not None else {})}


def score(text: str) -> list[dict[str, Any]]:
    """Every line `tablewire score` prints for the text of a record."""
    header, *lines = [line for line in text.split("\n") if line.strip()]
    table = Table(json.loads(header))
    printed: list[dict[str, Any]] = []
    for n, line in enumerate(lines, start=1):
        printed.append({"n": n, **table.line(line)})
        if printed[-1].get("legal") is False:
            break
    return [*printed, table.result()]
