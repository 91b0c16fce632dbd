"""What Topple's clients say and hear: games prepared by the rules, so that every byte is known beforehand."""

import json
import re
from collections.abc import Callable
from functools import lru_cache
from random import Random
from typing import Any

from bench.clients import wire
from bench.scripts.part import Part
from gamut.games.topple.events import Moved
from gamut.games.topple.options import ToppleOptions
from gamut.games.topple.rules import Topple

SEATS = 2
SIDE = 15
MOVES = 220
_GAMES = 48
_BOTH_JOINED = 3
_KEY_LENGTH, _CODE_LENGTH = 86, 8
_TEAMS = 6

_RULES: dict[str, Any] = {"turnTime": {"style": "per turn", "limit": None, "penalty": "random"}}
_CONFIG: dict[str, Any] = {
    "c": SIDE * SIDE,
    "d": {"x": SIDE, "y": SIDE},
    "t": _BOTH_JOINED,
    "p": SEATS,
    "l": 1,
    "tc": None,
}


def _text(kind: str, payload: Any) -> bytes:
    return json.dumps({"type": kind, "payload": payload}, separators=(",", ":")).encode()


def _says(kind: str, **payload: Any) -> bytes:
    return wire.from_server(_text(kind, payload))


def _said(kind: str, **payload: Any) -> bytes:
    return wire.from_client(_text(kind, payload))


RULES, START, LEAVE = _said("game:rules"), _said("waiting:start"), _said("player:leave")
_OTHER_JOINED = _says("player:join", n=2, t=2)
_LEFT_ALONE = _says("player:leave", n=1) + _says("game:win", t=2, d=True) + _says("waiting:promote", n=2)
"""When the first of the two leaves, the other has won, and is host."""


def create() -> str:
    return f"/ws/?t=1&d={_BOTH_JOINED},{SIDE},{SIDE}&p={SEATS}"


def join(room: str) -> str:
    return f"/ws/?t=0&g={room}"


class Welcome:
    """What somebody is told on the way in. The room's code and the player's key are the server's to choose."""

    def __init__(self, said: Callable[[str, str], bytes]) -> None:
        self._said = said
        self.length = len(said("R" * _CODE_LENGTH, "K" * _KEY_LENGTH))

    def room_in(self, heard: bytes) -> str | None:
        """The room's code, if this is exactly what had to be said."""
        room = re.search(rb'"g":"([A-Z4-9]{8})"', heard)
        key = re.search(rb'"key":"([\w-]{86})"', heard)
        if room is None or key is None:
            return None
        code = room[1].decode()
        return code if heard == self._said(code, key[1].decode()) else None


def _key(room: str, key: str, number: int) -> bytes:
    return _says("key:rejoin", key=key, g=room, p=number)


def _created(room: str, key: str) -> bytes:
    return _key(room, key, 1) + _says("player:ownid", n=1, t=1) + _says("game:roomid", g=room)


def _settled(room: str, key: str) -> bytes:
    return _key(room, key, 1) + _says("game:config", **_CONFIG) + _says("game:rules", **_RULES)


def _joined(room: str, key: str) -> bytes:
    return b"".join(
        [
            _key(room, key, 2),
            _says("player:ownid", n=2, t=2),
            _says("game:roomid", g=room),
            _says("game:jlist", p=[[1, 1, None]], s=[], ts=[None] * (_TEAMS + 1)),
            _key(room, key, 2),
            _says("game:config", **_CONFIG),
            _says("game:rules", **_RULES),
        ]
    )


CREATED, SETTLED, JOINED = Welcome(_created), Welcome(_settled), Welcome(_joined)


class Script:
    """One game: what the two send in turns, and what each hears, from the start to the end of the room."""

    __slots__ = ("first", "moves", "parts")

    def __init__(
        self, tiles: list[int], parts: tuple[list[bytes], list[bytes]], first: tuple[int, int]
    ) -> None:
        self.moves = tuple(wire.from_client(_place(tile)) for tile in tiles)
        self.parts = tuple(map(Part, parts))
        self.first = first
        """The place of the first move in what each of them hears."""


def _place(tile: int) -> bytes:
    return _text("game:move", {"n": tile})


def _turn(number: int) -> bytes:
    return _says("game:turn", n=number, t=True)


def _random_game(seed: int) -> list[tuple[int, int, int]]:
    """So many random legal moves that end no game: for each the tile, the mover's team and who is next."""
    game, chance = Topple(), Random(seed)
    options = ToppleOptions(topology="bwrap", x=SIDE, y=SIDE)
    state = game.replay(game.begin(options, SEATS, chance))
    played = []
    for _ in range(MOVES):
        assert state.turn is not None, "a random game of this length has no winner yet"
        seat = state.turn
        (event,) = game.decide(state, seat, chance.choice(game.legal(state, seat)), chance)
        assert isinstance(event, Moved)
        state = game.evolve(state, event)
        assert state.turn is not None, "a random game of this length has no winner yet"
        played.append((event.tile, state.setup.teams[seat], state.turn + 1))
    return played


@lru_cache(maxsize=1)
def games() -> list[Script]:
    scripts = []
    for seed in range(_GAMES):
        played = _random_game(seed)
        heard = [_says("game:move", n=tile, t=team) + _turn(following) for tile, team, following in played]
        started = _says("waiting:start") + _says("game:turn", n=1, t=False)
        parts = [_OTHER_JOINED, started, *heard], [started, *heard, _LEFT_ALONE]
        scripts.append(Script([tile for tile, _, _ in played], parts, (2, 1)))
    return scripts


@lru_cache(maxsize=1)
def relayed() -> list[Script]:
    """The same through a relay without rules: it repeats what it gets, and names whose turn it is."""
    scripts = []
    for seed in range(_GAMES):
        tiles = [tile for tile, _, _ in _random_game(seed)]
        moves = (wire.from_server(_place(tile)) + _turn(2 - place % 2) for place, tile in enumerate(tiles))
        heard = [wire.from_server(_text("waiting:start", {})) + _turn(1), *moves]
        scripts.append(Script(tiles, (heard, heard), (1, 1)))
    return scripts
