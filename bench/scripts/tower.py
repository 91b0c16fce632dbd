"""What Tower's clients say and hear: prepared games, so that every byte is known beforehand."""

import json
from pathlib import Path
from typing import Any

from bench.clients import wire
from bench.scripts.part import Part

SEATS = 3
TILES = 24
NOBODY = 3
"""The mark on an empty tile, the winner of a draw, and the leaver where nobody leaves."""

_VECTORS = Path(__file__).parents[2] / "tests" / "vectors" / "tower" / "games.json"
_POSITIONS = [
    {"x": x, "y": y, "z": z} for y in range(3) for x in range(3) for z in range(3) if (x, z) != (1, 1)
]


def _text(kind: str, **data: Any) -> bytes:
    return json.dumps({"type": kind, "data": data}, separators=(",", ":")).encode()


def _says(kind: str, **data: Any) -> bytes:
    return wire.from_server(_text(kind, **data))


def _joined(seat: int) -> bytes:
    return _says("player_joined", name=_name(seat), id=seat)


def _name(seat: int) -> str:
    return f"player {seat}"


PLACE = [_text("place_mark", position=position) for position in _POSITIONS]
_TURN = [_says("player_turn", id=seat) for seat in range(SEATS)]
_EMPTY_BOARD = _says("board_state", state=[NOBODY] * TILES)


class Script:
    """One game: what the players send, what they hear of it, and who leaves and comes back after it."""

    __slots__ = ("leaver", "leaving", "moves", "staying", "witness")

    def __init__(self, tiles: list[int], heard: list[bytes], leaver: int) -> None:
        self.moves = tuple(wire.from_client(PLACE[tile]) for tile in tiles)
        self.leaver = leaver
        self.witness = (leaver + 1) % SEATS
        """Whose sight of the leaving is the sign that the seat is free."""
        self.leaving = Part(heard)
        if leaver != NOBODY:
            heard = [*heard, _says("player_left", id=leaver), _joined(leaver) + _EMPTY_BOARD + _TURN[0]]
        self.staying = Part(heard)


class Repertoire:
    """What the tables play: a first game that differs in length from table to table, then one kind of game for good.

    Without the first, all tables would go through their games in step, and reconnect at the same moment.
    """

    def __init__(self, first: list[Script], then: list[Script]) -> None:
        self._first = first
        self._then = then
        self.first_time = [_first_time(seat) for seat in range(SEATS)]
        self.coming_back = [_coming_back(seat) for seat in range(SEATS)]

    def script(self, table: int, cycle: int) -> Script:
        scripts = self._then if cycle else self._first
        return scripts[(table + cycle) % len(scripts)]

    def path(self, table: int) -> str:
        return "/"

    def hello(self, table: int, seat: int) -> bytes | None:
        return wire.from_client(_text("join_room", room=f"room {table}", name=_name(seat)))


def _first_time(seat: int) -> Part:
    before = b"".join(_joined(other) for other in range(seat))
    after = b"".join(_joined(other) for other in range(seat + 1, SEATS))
    return Part([_says("room_joined", id=seat) + before + _joined(seat), after + _TURN[0]])


def _coming_back(seat: int) -> Part:
    others = b"".join(_joined(other) for other in range(SEATS) if other != seat)
    welcome = _says("room_joined", id=seat) + others + _EMPTY_BOARD + _joined(seat)
    return Part([welcome, _EMPTY_BOARD + _TURN[0]])


class Relayed(Repertoire):
    """The same marks through a relay without rules: it repeats what it gets, and names whose turn it is."""

    def __init__(self) -> None:
        tiles = list(range(TILES))
        heard = [
            wire.from_server(PLACE[tile]) + _TURN[(number + 1) % SEATS] for number, tile in enumerate(tiles)
        ]
        script = Script(tiles, heard, NOBODY)
        super().__init__([script], [script])
        self.first_time = [Part([_says("room_joined", id=seat), _TURN[0]]) for seat in range(SEATS)]

    def path(self, table: int) -> str:
        return f"/{table}"

    def hello(self, table: int, seat: int) -> bytes | None:
        return None


def recorded_tiles() -> list[list[int]]:
    """The recorded games, each as the tiles in the order of play."""
    return [[move["tile"] for move in game["moves"]] for game in _recorded_games()]


def _recorded_games() -> list[Any]:
    games: list[Any] = json.loads(_VECTORS.read_text())["games"]
    return games


def _recorded() -> dict[int, list[Script]]:
    """Recorded games by length, each in three versions: after it seat 0, 1 or 2 leaves and comes back."""
    by_length: dict[int, list[Script]] = {}
    for game in _recorded_games():
        tiles = [move["tile"] for move in game["moves"]]
        winner, line = game["result"]["winner_id"], game["result"]["winning_marks"]
        heard = [
            _says("mark_placed", id=number % SEATS, position=_POSITIONS[tile]) + _TURN[(number + 1) % SEATS]
            for number, tile in enumerate(tiles[:-1])
        ]
        last = _says("mark_placed", id=(len(tiles) - 1) % SEATS, position=_POSITIONS[tiles[-1]])
        heard.append(last + _says("game_over", winner_id=winner, winning_marks=line))
        versions = [Script(tiles, heard, leaver) for leaver in range(SEATS)]
        by_length.setdefault(len(tiles), []).extend(versions)
    return by_length


def _of_every_length(recorded: dict[int, list[Script]]) -> list[Script]:
    return [script for scripts in recorded.values() for script in scripts[:SEATS]]


def long_games() -> Repertoire:
    """24 marks, most of them draws: no game is longer."""
    recorded = _recorded()
    return Repertoire(_of_every_length(recorded), recorded[TILES])


def long_games_from_the_start() -> Repertoire:
    """24 marks, the first game too."""
    games = _recorded()[TILES]
    return Repertoire(games, games)


def short_games() -> Repertoire:
    """The shortest recorded ones, so that the reconnects weigh as much as it can."""
    recorded = _recorded()
    return Repertoire(_of_every_length(recorded), recorded[min(recorded)])
