"""Power Chess's clients: two connections that play whole games one after the other, whatever comes out of the boxes.

Chance is the server's, so nothing that is heard is known beforehand to the byte; what it must mean is. One knight of
each side goes out and home again, and takes whatever box lies on its square. Of the two powers the one is chosen that
leaves the knights where they can go on. After so many moves one offers a draw, the other takes it, and both begin the
next game.
"""

from collections.abc import Callable, Mapping
from time import perf_counter

import msgspec

from bench.clients import wire
from bench.clients.connection import Gate, TalkingConnection, Tally
from bench.clients.gathering import Gathering

MOVES = 80
"""In each game, powers not counted."""
_CREATED, _JOINED, _OVER, _DRAW, _UPDATE = 0, 1, 2, 3, 5
_MOVE, _SELECT = 1, 2
_DRAWN = 2
_NOTHING = 0
_encode = msgspec.json.Encoder().encode


class _Changed(msgspec.Struct, gc=False, frozen=True):
    row: int
    col: int
    state: int


class _Heard(msgspec.Struct, gc=False, rename="camel"):
    type: int
    game_id: int = -1
    player_id: int = -1
    action: int = -1
    rarity: int = -1
    id1: int = -1
    id2: int = -1
    power: int = -1
    result: int = -1
    updates: list[_Changed] = []


_decode = msgspec.json.Decoder(_Heard).decode


def _place(name: str) -> dict[str, int]:
    return {"row": int(name[1]) - 1, "col": "abcdefgh".index(name[0])}


class _Side:
    """The squares of a side's knights: where the one that moves is at home and out, and where the other one stands."""

    def __init__(self, home: str, out: str, other: str) -> None:
        self.home, self.out, self.other = _place(home), _place(out), _place(other)


_SIDES = (_Side("g1", "f3", "b1"), _Side("b8", "c6", "g8"))
_SECOND_EFFORT, _SWAP, _REWIND, _SHIELD = (0, 2), (0, 4), (0, 1), (0, 3)
_BLACK_HOLE, _ENERGIZE, _SAFETY_NET, _SEND_AWAY = (1, 0), (1, 1), (1, 3), (1, 4)
_ARMAGEDDON, _REANIMATE = (2, 0), (2, 3)
_PREFERRED = (
    *(_SHIELD, _SECOND_EFFORT, _SWAP, _REWIND),
    *(_SAFETY_NET, _ENERGIZE, _BLACK_HOLE, _SEND_AWAY),
    *(_REANIMATE, _ARMAGEDDON),
)
_HOLES = tuple((row, col) for row in range(2, 6) for col in range(8) if (row, col) not in ((2, 5), (5, 2)))
"""Squares on which no piece ever stands, but perhaps a box or a hole. Boxes pile up: in the end few are vacant."""


class Player(TalkingConnection):
    """One of the two."""

    __slots__ = ("game", "is_out", "pair", "player", "seat")

    def __init__(self, pair: "Pair", seat: int) -> None:
        super().__init__(pair.tally, "/play")
        self.pair = pair
        self.seat = seat
        self.game = self.player = -1
        self.is_out = False

    @property
    def place(self) -> tuple[int, int]:
        return self.pair.number, self.seat

    def called(self) -> str:
        return f"player {self.seat + 1} of pair {self.pair.number}"

    def entered(self) -> None:
        self.pair.entered()

    def say(self, message: dict[str, object]) -> None:
        self.send(wire.from_client(_encode(message)))

    def own(self, kind: int, **fields: object) -> None:
        self.say({"type": kind, "gameId": self.game, "playerId": self.player, **fields})

    def heard(self, text: bytes) -> None:
        self.pair.heard(self, text)


class Pair:
    """Two who play one game after the other."""

    def __init__(self, number: int, tally: Tally, gate: Gate, on_ready: Callable[[], None]) -> None:
        self.number = number
        self.tally = tally
        self.games = 0
        self._on_ready = on_ready
        self._moves = 0
        self._taken: set[tuple[int, int]] = set()
        """Squares with a box or a hole, or anything else that both were told of."""
        self._sent_at = 0.0
        self._entered = 0
        self.players = [Player(self, seat) for seat in (0, 1)]
        for player in self.players:
            gate.connect(player)

    def entered(self) -> None:
        self._entered += 1
        if self._entered == len(self.players):
            self._create()

    def _create(self) -> None:
        for player in self.players:
            player.is_out = False
        self._taken.clear()
        self.players[0].say({"type": 0, "name": "Ann", "color": True, "timeControl": 2, "public": False})

    def heard(self, player: Player, text: bytes) -> None:
        heard = _decode(text)
        kind = heard.type
        if kind == _UPDATE:
            self._update(player, heard)
        elif kind == _CREATED:
            for each in self.players:
                each.game = heard.game_id
            player.player = heard.player_id
            self.players[1].say({"type": 1, "gameId": player.game, "name": "Bob"})
        elif kind == _JOINED:
            if player.seat:
                player.player = heard.player_id
                self._joined()
        elif kind == _DRAW:
            player.own(_DRAW)
        elif kind == _OVER and (heard.result == _DRAWN or not self.tally.playing):
            if player.seat:
                self.games += 1
                self._moves = 0
                self._create()
        else:
            player.give_up(f"heard {text!r}")

    def _joined(self) -> None:
        if self.games == 0:
            self._on_ready()
        if self.tally.playing:
            self.go_on(self.players[0])

    def begin(self) -> None:
        """Make the first move of all."""
        if self.tally.held is None:
            # The first games end at different times, as later ones do, unless somebody else says when moves are sent.
            self._moves = self.number * 37 % MOVES
        self.go_on(self.players[0])

    def go_on(self, player: Player) -> None:
        """It is this player's turn."""
        if self._moves >= MOVES:
            player.own(_DRAW)
            return
        self._moves += 1
        side = _SIDES[player.seat]
        start, end = (side.out, side.home) if player.is_out else (side.home, side.out)
        player.is_out = not player.is_out
        self._sent_at = perf_counter()
        player.own(4, action=_MOVE, move={"from": start, "to": end})

    def _update(self, player: Player, heard: _Heard) -> None:
        for changed in heard.updates:
            keep = self._taken.discard if changed.state == _NOTHING else self._taken.add
            keep((changed.row, changed.col))
        if heard.action == _SELECT:
            self._choose(player, heard)
        elif heard.action == _MOVE:
            # What the other one did was heard by this one.
            self._counted()
            if heard.power == _REWIND[1] and heard.rarity == _REWIND[0] and heard.updates:
                player.is_out = not player.is_out
            self.go_on(player)
        elif heard.action != 0:
            player.give_up(f"has to do {heard.action}")

    def _counted(self) -> None:
        tally = self.tally
        tally.moves += 1
        tally.latencies.append(perf_counter() - self._sent_at)

    def _choose(self, player: Player, heard: _Heard) -> None:
        self._counted()
        side = _SIDES[player.seat]
        offered = (heard.rarity, heard.id1), (heard.rarity, heard.id2)
        chosen = next((power for power in _PREFERRED if power in offered), None)
        first = chosen == offered[0]
        self._sent_at = perf_counter()
        if chosen == _SECOND_EFFORT:
            player.is_out = False
            self._use(player, first, {"from": side.out, "to": side.home})
        elif chosen == _SWAP:
            # Two knights that change places look as before.
            self._use(player, first, side.other)
        elif chosen == _SEND_AWAY:
            player.is_out = False
            self._use(player, first, side.out)
        elif chosen == _BLACK_HOLE and (vacant := self._vacant()):
            self._use(player, first, vacant)
        elif chosen is None or chosen == _BLACK_HOLE:
            # Both would put a knight, a queen or a hole where a knight has to go: they agree on a draw at once.
            player.own(_DRAW)
        else:
            self._use(player, first, None)

    def _vacant(self) -> dict[str, int] | None:
        found = next((square for square in _HOLES if square not in self._taken), None)
        return None if found is None else {"row": found[0], "col": found[1]}

    def _use(self, player: Player, first: bool, follow_up: Mapping[str, object] | None) -> None:
        more = {} if follow_up is None else {"followUp": follow_up}
        player.own(4, action=_SELECT, selection=first, **more)

    def close(self) -> None:
        for player in self.players:
            player.abort()


class Pairs:
    """So many games at the same time."""

    def __init__(self, count: int, port: int) -> None:
        self.tally = Tally()
        self._joined = Gathering(self.tally, count, "games were joined")
        gate = Gate(port)
        self._pairs = [Pair(number, self.tally, gate, self._joined.one) for number in range(count)]

    async def open(self) -> None:
        await self._joined.complete()

    def start(self) -> None:
        self.tally.playing = True
        for pair in self._pairs:
            pair.begin()

    def close(self) -> None:
        self.tally.playing = False
        for pair in self._pairs:
            pair.close()
