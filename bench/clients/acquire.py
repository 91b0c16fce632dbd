"""Acquire's clients: four at a table, who choose at random from what they were told, game after game.

A game is never the same twice, so what is heard is not known beforehand. It is checked as it comes: nothing is refused,
and no client misses an action.
"""

from collections.abc import Callable, Sequence
from random import Random
from time import perf_counter
from typing import Any

import msgspec

from bench.clients import wire
from bench.clients.connection import Gate, TalkingConnection, Tally
from bench.clients.gathering import Gathering

SEATS = 4
_MODE = 4
_EXACT_ORDER = 2
_PATH = "/acquire"


class Awaited(msgspec.Struct, gc=False):
    player: int | None
    action: str
    chains: tuple[int, ...] = ()
    owned: int = 0
    survivor_available: int = msgspec.field(name="survivorAvailable", default=0)
    can_end: bool = msgspec.field(name="canEndGame", default=False)


class Heard(msgspec.Struct, gc=False, rename="camel"):
    """Of every message, what a player has to know."""

    type: str
    id: int | None = None
    code: str = ""
    token: str = ""
    game_number: int | None = None
    game_state_history_size: int = 0
    score_board: list[tuple[int, list[int]]] = []
    chains: list[tuple[int, int, int, int]] = []
    rack: list[int | None] | None = None
    rack_types: str | None = None
    next: Awaited | None = None


_heard = msgspec.json.Decoder(Heard)
_encode = msgspec.json.Encoder().encode


class Player(TalkingConnection):
    """One connection: a user, and the game that they are at."""

    __slots__ = (
        "_asked",
        "_cash",
        "_chains",
        "_chance",
        "_kinds",
        "_rack",
        "_size",
        "answer",
        "seat",
        "table",
        "user",
    )

    def __init__(
        self, tally: Tally, seat: int, user: "User | None", table: "Table | None", chance: Random
    ) -> None:
        super().__init__(tally, _PATH)
        self.seat = seat
        self.user = user
        self.table = table
        self.answer: Callable[[Heard], None] | None = None
        """Called when what was asked for is done."""
        self._asked = 0
        """The id of what was asked for last."""
        self._chance = chance
        self._forget()

    def _forget(self) -> None:
        self._size = 0
        self._cash = 0
        self._rack: list[int | None] = []
        self._kinds = ""
        self._chains = [(0, 25)] * 7
        """The price of each, and the shares that nobody holds."""

    @property
    def place(self) -> tuple[int, int]:
        assert self.table is not None
        return self.table.place, self.seat

    def called(self) -> str:
        return f"player {self.seat} of Acquire"

    # Hearing

    def heard(self, text: bytes) -> None:
        heard = _heard.decode(text)
        kind = heard.type
        if kind == "GameActionDone":
            self._done(heard)
        elif kind == "Error":
            self.give_up(f"was refused: {heard.code}")
        elif kind == "Ok" and heard.id != self._asked:
            pass  # to something asked before, such as leaving the last game
        elif kind in ("Ok", "LoginResult", "Initial") and self.answer is not None:
            answer, self.answer = self.answer, None
            answer(heard)

    def _done(self, heard: Heard) -> None:
        self._size += 1
        if heard.game_state_history_size != self._size:
            self.give_up(f"heard of action {heard.game_state_history_size} after {self._size - 1}")
            return
        for player, row in heard.score_board:
            if player == self.seat:
                self._cash = row[7]
        for chain, _, price, available in heard.chains:
            self._chains[chain] = price, available
        if heard.rack is not None and heard.rack_types is not None:
            self._rack, self._kinds = heard.rack, heard.rack_types
        awaited, table = heard.next, self.table
        assert awaited is not None
        assert table is not None
        if awaited.player == self.seat:
            table.seen()
            self._act(awaited)
        elif awaited.player is None:
            self._forget()
            table.heard_the_end()

    # Saying

    def ask(self, answer: Callable[[Heard], None] | None, type: str, **fields: Any) -> None:
        self.answer = answer
        self._asked += 1
        self.send(wire.from_client(_encode({"type": type, "id": self._asked, **fields})))

    def _act(self, awaited: Awaited) -> None:
        assert self.table is not None
        if not self.tally.playing:
            return
        message = {
            "type": "DoGameAction",
            "gameNumber": self.table.number,
            "gameStateHistorySize": self._size,
            "action": awaited.action,
            "params": self._params(awaited),
        }
        self.table.sent_at = perf_counter()
        self.send(wire.from_client(_encode(message)))

    def _params(self, awaited: Awaited) -> Sequence[Any]:
        chance = self._chance
        if awaited.action == "PlayTile":
            playable = [tile for tile, kind in zip(self._rack, self._kinds, strict=True) if kind not in "-c#"]
            return [chance.choice(playable)]
        if awaited.action == "PurchaseShares":
            return [self._bought(), int(awaited.can_end)]
        if awaited.action == "DisposeOfShares":
            trade = 2 * min(awaited.owned // 2, awaited.survivor_available)
            return [trade, awaited.owned - trade]
        return [chance.choice(awaited.chains)]

    def _bought(self) -> list[int]:
        bought: list[int] = []
        cash = self._cash
        for chain, (price, available) in enumerate(self._chains):
            while price and available and price <= cash and len(bought) < 3:
                bought.append(chain)
                cash, available = cash - price, available - 1
        return bought


class User(msgspec.Struct, frozen=True):
    name: str
    token: str


class Table:
    """Four connections that play one game after the other."""

    def __init__(
        self, tally: Tally, gate: Gate, users: list[User], place: int, on_begun: Callable[[], None]
    ) -> None:
        chance = Random(place)
        self.place = place
        self.number: int | None = None
        """Of its game, which the server chooses."""
        self.sent_at = 0.0
        self._tally = tally
        self._on_begun: Callable[[], None] | None = on_begun
        self.players = [Player(tally, seat, user, self, chance) for seat, user in enumerate(users)]
        self._here = 0
        self._finished = 0
        for player in self.players:
            player.answer = lambda _, player=player: self._came(player)
            gate.connect(player)

    def _came(self, player: Player) -> None:
        assert player.user is not None
        player.ask(None, "Login", username=player.user.name, token=player.user.token)
        # Its answer is told twice, as a result and as a plain Ok: the second one counts.
        player.answer = lambda _: setattr(player, "answer", lambda _: self._logged_in())

    def _logged_in(self) -> None:
        self._here += 1
        if self._here == SEATS:
            self.begin()

    def begin(self) -> None:
        """A new game: created, joined and approved of."""
        self._finished = 0
        self.players[0].ask(self._created, "CreateGame", gameMode=_MODE)

    def _created(self, heard: Heard) -> None:
        self.number = heard.game_number
        self._change(
            0, lambda _: self._join(1), "ChangePlayerArrangementMode", playerArrangementMode=_EXACT_ORDER
        )

    def _join(self, seat: int) -> None:
        then = self._approve if seat + 1 == SEATS else self._join
        self._change(seat, lambda _: then(0 if seat + 1 == SEATS else seat + 1), "JoinGame")

    def _approve(self, seat: int) -> None:
        if seat + 1 < SEATS:
            self._change(seat, lambda _: self._approve(seat + 1), "ApproveOfGameSetup")
            return
        if self._on_begun is not None:
            begun, self._on_begun = self._on_begun, None
            begun()
        if self._tally.playing:
            self.start()

    def start(self) -> None:
        """The last approval, with which the game begins."""
        self._change(SEATS - 1, None, "ApproveOfGameSetup")

    def _change(self, seat: int, then: Callable[[Heard], None] | None, type: str, **fields: Any) -> None:
        self.players[seat].ask(
            then, "DoGameSetupAction", gameNumber=self.number, action={"type": type, **fields}
        )

    def seen(self) -> None:
        """Whoever is to act next knows what was done."""
        self._tally.moves += 1
        if self.sent_at:
            self._tally.latencies.append(perf_counter() - self.sent_at)

    def heard_the_end(self) -> None:
        self._finished += 1
        if self._finished == SEATS:
            self.sent_at = 0.0
            for player in self.players:
                player.ask(None, "ExitGame", gameNumber=self.number)
            if self._tally.playing:
                self.begin()


class Tables:
    def __init__(self, count: int, users: list[User], port: int) -> None:
        self.tally = Tally()
        self._begun = Gathering(self.tally, count, "tables came together")
        gate = Gate(port)
        self.tables = [Table(self.tally, gate, users, number, self._begun.one) for number in range(count)]

    async def open(self) -> None:
        await self._begun.complete()

    def start(self) -> None:
        self.tally.playing = True
        for table in self.tables:
            table.start()

    def close(self) -> None:
        self.tally.playing = False
        for table in self.tables:
            for player in table.players:
                player.abort()


async def registered(port: int, names: Sequence[str]) -> list[User]:
    """New accounts; many connections may log in with the token of each."""
    tally, gate = Tally(), Gate(port)
    found: list[User] = []
    everybody = Gathering(tally, len(names), "people have an account")
    for name in names:
        player = Player(tally, 0, None, None, Random(0))

        def kept(heard: Heard, name: str = name, player: Player = player) -> None:
            found.append(User(name, heard.token))
            player.abort()
            everybody.one()

        def came(_: Heard, name: str = name, player: Player = player, kept: Any = kept) -> None:
            player.ask(kept, "CreateUserAndLogin", username=name, password="a good password")

        player.answer = came
        gate.connect(player)
    await everybody.complete()
    return found
