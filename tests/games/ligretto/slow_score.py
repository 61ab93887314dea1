"""The rules of Ligretto once more, slowly: scans in a heap, every order of a scan tried one after another.

Owns nothing of the package and imports nothing of it. Written from the text of the rules, not from the
engine; where the two disagree one of them is wrong.
"""

from __future__ import annotations

import json
from itertools import permutations
from typing import Any

COLOURS = ["red", "green", "yellow", "blue"]
Json = dict[str, Any]


class NoRecordError(Exception):
    """The text is no record."""


def need(condition: bool) -> None:
    if not condition:
        raise NoRecordError


def whole(value: Any, least: int | None = 0) -> bool:
    return isinstance(value, int) and not isinstance(value, bool) and (least is None or value >= least)


def without_x(value: Any) -> Json:
    need(isinstance(value, dict))
    return {key: value[key] for key in value if key[:2] != "x_"}


def score(text: str) -> list[Json] | None:
    """The printed lines; None when the text is no record."""
    try:
        rows = [json.loads(line) for line in text.splitlines() if line.strip()]
        return Game(rows[0], rows[1:]).score()
    except (NoRecordError, ValueError):
        return None


class Game:
    """A record, read line by line; what is printed is sorted in the end."""

    def __init__(self, header: Any, rows: list[Any]) -> None:
        header = without_x(header)
        need(set(header) <= {"record", "game", "players", "options"})
        need(whole(header.get("record")) and header["record"] == 1 and header.get("game") == "ligretto")
        self.players = header.get("players")
        need(isinstance(self.players, list) and 2 <= len(self.players) <= 12)
        need(all(isinstance(p, str) and p.strip() and p != "blocked" for p in self.players))
        need(len(set(self.players)) == len(self.players))
        options = without_x(header.get("options", {}))
        need(set(options) <= {"scan_ms", "left_penalty", "rounds", "target"})
        need(not {"rounds", "target"} <= set(options))
        need(all(whole(options[k], 1 if k in ("rounds", "target") else 0) for k in options))
        self.scan_ms, self.penalty = options.get("scan_ms", 40), options.get("left_penalty", 2)
        self.target = options.get("target")
        self.round_count = options.get("rounds", None if "target" in options else 1)
        self.rows = [without_x(row) for row in rows]
        self.out: list[Json] = []
        self.totals = dict.fromkeys(self.players, 0)
        self.done = 0
        self.ended: str | None = None
        self.new_round()

    def new_round(self) -> None:
        self.tops: dict[int, tuple[str, int]] = {}
        self.lying: dict[tuple[str, str, int], str] = {}
        """Every card that counts as accepted: "sure" or "open"."""
        self.groups: list[dict[int, tuple[str, str, int]]] = []
        self.stop: tuple[str, int] | None = None
        self.clock: int | None = None
        self.unread: list[tuple[int, Json]] = []

    def score(self) -> list[Json]:
        for n, row in enumerate(self.rows, 1):
            kind = tuple(sorted(row))
            if kind == ("card", "pad", "t_ms"):
                self.card_line(n, row)
                continue
            self.read_scans()
            if kind == ("stop", "t_ms"):
                self.stop_line(n, row)
            elif kind == ("decide", "winner"):
                self.decide_line(n, row)
            else:
                need(kind == ("left",))
                self.left_line(n, row)
        self.read_scans()
        self.out.sort(key=lambda line: int(line["n"]))
        best = max(self.totals.values())
        winners = [p for p in self.players if self.ended and self.totals[p] == best]
        return [*self.out, {"result": {"ended": self.ended, "winners": winners, "totals": self.totals}}]

    def wrong(self, n: int, reasons: Any, **more: Any) -> None:
        self.out.append({"n": n, **more, "legal": False, "reasons": sorted(reasons)})

    def tick(self, t_ms: Any) -> None:
        need(whole(t_ms))
        if self.ended is None:
            need(self.clock is None or t_ms >= self.clock)
            self.clock = t_ms

    def card_line(self, n: int, row: Json) -> None:
        card = without_x(row["card"])
        need(set(card) == {"owner", "colour", "value"} and whole(row["pad"]))
        need(
            isinstance(card["owner"], str) and isinstance(card["colour"], str) and whole(card["value"], None)
        )
        self.tick(row["t_ms"])
        if self.ended:
            self.wrong(n, ["game_over"], player=card["owner"], pad=row["pad"])
        else:
            self.unread.append(
                (
                    n,
                    {
                        "t": row["t_ms"],
                        "pad": row["pad"],
                        "card": (card["owner"], card["colour"], card["value"]),
                    },
                )
            )

    def read_scans(self) -> None:
        """Everything since the last line that was no card, scan by scan in the order of their first cards."""
        scans: list[list[tuple[int, Json]]] = []
        for n, seen in self.unread:
            same = [s for s in scans if s[0][1]["pad"] == seen["pad"]]
            if same and seen["t"] - same[-1][0][1]["t"] <= self.scan_ms:
                same[-1].append((n, seen))
            else:
                scans.append([(n, seen)])
        self.unread = []
        for scan in scans:
            self.read_scan(scan)

    def read_scan(self, scan: list[tuple[int, Json]]) -> None:
        pad = scan[0][1]["pad"]
        faults = self.faults_anywhere(scan)
        fit = {n: seen["card"] for n, seen in scan if not faults[n]}
        laid = self.best_order(pad, sorted({card[1:] for card in fit.values()}))
        for face in laid:
            group = {n: card for n, card in fit.items() if card[1:] == face}
            self.tops[pad] = face
            for n, card in group.items():
                self.lying[card] = "sure" if len(group) == 1 else "open"
                line: Json = {"n": n, "player": card[0], "pad": pad}
                if len(group) == 1:
                    self.out.append({**line, "legal": True, "height": face[1]})
                else:
                    others = sorted(set(group) - {n})
                    self.out.append({**line, "legal": None, "reasons": ["undecided"], "with": others})
            if len(group) > 1:
                self.groups.append(group)
        for n, seen in scan:
            if n in fit and fit[n][1:] in laid:
                continue
            if not faults[n] & {"not_in_game", "unknown_card", "card_already_played"}:
                faults[n] |= self.pile_faults(pad, seen["card"][1:])
            self.wrong(n, faults[n], player=seen["card"][0], pad=pad)

    def faults_anywhere(self, scan: list[tuple[int, Json]]) -> dict[int, set[str]]:
        """What is wrong with each card whatever its pad."""
        faults: dict[int, set[str]] = {}
        first_lines: dict[tuple[str, str, int], int] = {}
        for n, seen in scan:
            owner, colour, value = seen["card"]
            faults[n] = set()
            if self.stop and seen["t"] > self.stop[1]:
                faults[n].add("after_stop")
            if owner not in self.players:
                faults[n].add("not_in_game")
            if colour not in COLOURS or not 1 <= value <= 10:
                faults[n].add("unknown_card")
            if seen["card"] in self.lying or seen["card"] in first_lines:
                faults[n].add("card_already_played")
            first_lines.setdefault(seen["card"], n)
        return faults

    def pile_faults(self, pad: int, face: tuple[str, int]) -> set[str]:
        if pad not in self.tops:
            return {"not_a_one"} if face[1] != 1 else set()
        colour, value = self.tops[pad]
        if value == 10:
            return {"pile_complete"}
        wrong = {"wrong_colour": face[0] != colour, "wrong_value": face[1] != value + 1}
        return {name for name, does in wrong.items() if does}

    def best_order(self, pad: int, faces: list[tuple[str, int]]) -> list[tuple[str, int]]:
        """Try every order: the one that lays most; of equal ones, that which opens with the first colour."""
        best: list[tuple[str, int]] = []
        for order in permutations(faces):
            top, laid = self.tops.get(pad), []
            for face in order:
                if face[1] == 1 if top is None else face == (top[0], top[1] + 1):
                    laid.append(face)
                    top = face
            better = len(laid) > len(best)
            if better or (
                laid and len(laid) == len(best) and COLOURS.index(laid[0][0]) < COLOURS.index(best[0][0])
            ):
                best = laid
        return best

    def stop_line(self, n: int, row: Json) -> None:
        need(row["stop"] is None or isinstance(row["stop"], str))
        self.tick(row["t_ms"])
        if self.ended:
            self.wrong(n, ["game_over"])
            return
        if row["stop"] is None:
            self.stop = None
        elif row["stop"] != "blocked" and row["stop"] not in self.players:
            self.wrong(n, ["not_in_game"])
            return
        elif self.stop is None:
            self.stop = (row["stop"], row["t_ms"])
        self.out.append({"n": n, "stop": row["stop"], "t_ms": row["t_ms"]})

    def decide_line(self, n: int, row: Json) -> None:
        need(whole(row["decide"], None) and isinstance(row["winner"], str))
        groups = [g for g in self.groups if row["decide"] in g]
        if self.ended:
            self.wrong(n, ["game_over"])
        elif not groups:
            self.wrong(n, ["not_undecided"])
        elif row["winner"] not in [card[0] for card in groups[0].values()]:
            self.wrong(n, ["wrong_winner"])
        else:
            self.groups.remove(groups[0])
            for card in groups[0].values():
                if card[0] == row["winner"]:
                    self.lying[card] = "sure"
                else:
                    del self.lying[card]
            self.out.append({"n": n, "decided": sorted(groups[0]), "winner": row["winner"]})

    def left_line(self, n: int, row: Json) -> None:
        left = row["left"]
        need(isinstance(left, dict))
        if self.ended:
            self.wrong(n, ["game_over"])
            return
        left = {name: left[name] for name in left if name in self.players or name[:2] != "x_"}
        played = {p: sum(c[0] == p for c, how in self.lying.items() if how == "sure") for p in self.players}
        bad = set(left) != set(self.players)
        for p in self.players:
            count = left.get(p)
            most = min(10, 40 - played[p])
            if self.stop and self.stop[0] == p:
                most = 0
            bad = bad or not whole(count) or count > most
        if bad or not self.stop:
            self.wrong(n, ["bad_count"] * bad + ["no_stop"] * (not self.stop))
            return
        points = {p: played[p] - self.penalty * left[p] for p in self.players}
        self.totals = {p: self.totals[p] + points[p] for p in self.players}
        self.done += 1
        line = {"n": n, "round": self.done, "played": played, "left": {p: left[p] for p in self.players}}
        self.out.append({**line, "points": points, "totals": self.totals})
        self.new_round()
        if self.done == self.round_count:
            self.ended = "rounds"
        if self.target is not None and max(self.totals.values()) >= self.target:
            self.ended = "target"
