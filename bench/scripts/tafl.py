"""What Tafl's clients say and hear: recorded games, so that every line is known beforehand."""

import json
from functools import lru_cache
from pathlib import Path
from typing import Any

from bench.scripts.part import Part

_VECTORS = Path(__file__).parents[2] / "tests" / "vectors" / "tafl" / "games"
_RECORDED = ("copenhagen-11.json", "copenhagen-relaxed-shieldwall-11.json")
_SHORTEST = 40
"""Moves. Some recorded games are over after a few, by repetition."""
_ENDS = (2, 3, 4)
_SIDES = ("attackers", "defenders")
_TIME = "3600000|30000/3|2000"

SUCCESS = b"success\n"
READY = b"ready-for-game\n"


def log_in(name: str, hash: str) -> bytes:
    return f'login "{name}" {hash}\n'.encode()


def join(guid: str) -> bytes:
    return f"join-game {guid}\n".encode()


def leave(guid: str) -> bytes:
    return f"leave-game {guid}\n".encode()


class Script:
    """One game: what the two send in turns, and what each hears from opening it to having left it."""

    __slots__ = ("_rules", "moves", "parts")

    def __init__(self, game: dict[str, Any]) -> None:
        self._rules: str = game["rules"]
        self.moves = tuple(f"move {move[1]}\n".encode() for move in game["moves"])
        start = f"start-game {self._rules}\n".encode()
        host = [SUCCESS, b"error waiting-for-opponent\n", start + _awaited(0)]
        guest = [SUCCESS, SUCCESS + start]
        heard = (host, guest)
        last = len(self.moves) - 1
        for number, (_, record, *_, result) in enumerate(game["moves"]):
            mover = number & 1
            heard[mover].append(
                f"move-result {result}\n".encode() + (b"end-game\n" if number == last else b"")
            )
            following = b"end-game\n" if number == last else _awaited(1 - mover)
            heard[1 - mover].append(f"move {record}\n".encode() + following)
        self.parts = tuple(Part([*pieces, SUCCESS]) for pieces in heard)

    def create(self, guid: str, *, timed: bool) -> bytes:
        time = f" {_TIME}" if timed else ""
        return f"create-game {guid} attackers open{time} {self._rules}\n".encode()


BEFORE_MOVES = (3, 2)
"""How many pieces each of the two hears before the first move: the host, who has the attackers, and the guest."""


def _awaited(seat: int) -> bytes:
    return f"await-move {_SIDES[seat]}\n".encode()


@lru_cache(maxsize=1)
def games() -> list[Script]:
    """Recorded games of Copenhagen that were played to their end."""
    recorded = [game for name in _RECORDED for game in json.loads((_VECTORS / name).read_text())]
    return [
        Script(game)
        for game in recorded
        if len(game["moves"]) >= _SHORTEST and game["moves"][-1][-1] in _ENDS
    ]
