"""Quiet tables at which people of two doors sit: one on the page, one with a client of the game's own.

Whoever moves is not the one who is waited for: a move counts when the other has heard of it, at the other door.
"""

from collections.abc import Callable
from random import Random
from typing import Any
from uuid import uuid4

from tests.doors.support.acquire_inn import Mirror, choice

from bench.attacks.guest import Guest
from bench.attacks.lines import Lines
from bench.attacks.sockets import Message, Refused, Socket
from bench.attacks.stream import Stream
from bench.attacks.target import Target, anybody
from bench.division import wing_of
from gamut.hall.people.prehash import prehashed
from gamut.hall.wings import MAIN

PATIENCE = 20.0
"""How long a move is waited for before it counts as never made."""
ADDRESSES = ("192.0.2.1", "192.0.2.2", "192.0.2.3")


class MixedTable:
    """Two connections, and a table that both know."""

    def __init__(self, target: Target, wing: int = MAIN) -> None:
        """`wing`: of the hall, where the table is."""
        self._target = target
        self._wing = wing
        self.players: list[Stream[Any]] = []
        self._table = ""
        self._made = 0

    async def sit(self) -> None:
        raise NotImplementedError

    async def next_game(self) -> bool:
        """Begins one if the last is over. This takes a while, and is no move."""
        return False

    async def move(self) -> None:
        raise NotImplementedError

    def ways_to_end(self) -> list[Callable[[], None]]:
        """What either may do to end the game, or to be gone."""
        raise NotImplementedError

    async def _guest(self) -> Guest:
        guest = await Guest.come(self._target, address=ADDRESSES[0])
        self.players.append(guest)
        return guest

    async def _client(self, path: str) -> Socket:
        client = await Socket.open(self._target, path, address=ADDRESSES[1])
        self.players.append(client)
        return client

    def close(self) -> None:
        players, self.players = self.players, []
        for player in players:
            player.abort()


async def table_in(guest: Guest, room: str) -> str:
    """The table that a game's own door knows by this name."""
    shown = guest.next(lambda message: _shows(message, room) is not None, PATIENCE)
    guest.tell("lobby")
    found = _shows(await shown, room)
    assert found is not None
    guest.tell("lobby", follow=False)
    return found


def _shows(message: Message, room: str) -> str | None:
    if message["type"] not in ("lobby", "lobby_changed"):
        return None
    for table in (*message.get("tables", ()), *message.get("changed", ())):
        if table.get("room") == room:
            return str(table["id"])
    return None


def played(message: Message, table: str, **fields: Any) -> bool:
    """Something like this happened at this table."""
    if message["type"] != "events" or message["table"] != table:
        return False
    events = (event for event in message["events"] if event["type"] == "played")
    return any(fields.items() <= each.items() for event in events for each in event["events"])


def _page_ways(guest: Guest, table: str) -> tuple[Callable[[], None], ...]:
    return (
        lambda: guest.tell("resign", table=table),
        lambda: guest.tell("leave", table=table),
        guest.leave,
    )


class TaflTable(MixedTable):
    """A Tafl client against a guest of the page: each has a piece that goes to and fro, for ever."""

    _RULES = "dim:7 name:Quiet surf:n atkf:y tfr:i ks:w cenh: cenhe: start:/3t3/3t3/3T3/ttTKTtt/3T3/3t3/3t3/"
    _WAYS = (("a4", "a5"), ("c4", "c5"))
    _SPACES = {"a4": 21, "a5": 28, "c4": 23, "c5": 30}

    async def sit(self) -> None:
        name, guid = anybody(), str(uuid4())
        self._guid = guid
        self._line = await Lines.open(self._target, address=ADDRESSES[1])
        self.players.append(self._line)
        await self._line.must(f'login "{name}" {prehashed(name, "a good password")} ext')
        await self._line.must(f"create-game {guid} attackers open {self._RULES}")
        self._page = await self._guest()
        self._table = await table_in(self._page, guid)
        begun = self._line.next(lambda line: line.startswith("await-move"), PATIENCE)
        await self._page.must("sit", table=self._table, seat=1)
        self._page.tell("ready", table=self._table)
        self._line.say("ready-for-game")
        await begun

    async def move(self) -> None:
        """The client attacks."""
        turn, back = self._made % 2, self._made // 2 % 2
        start, end = self._WAYS[turn][::-1] if back else self._WAYS[turn]
        if turn == 0:
            seen = self._page.next(
                lambda message: played(message, self._table, start=self._SPACES[start]), PATIENCE
            )
            self._line.say(f"move {start}-{end}")
            await seen
        else:
            heard = self._line.next(lambda line: line.startswith(f"move {start}-{end}"), PATIENCE)
            where = {"start": self._SPACES[start], "end": self._SPACES[end]}
            self._page.tell("act", table=self._table, action={"type": "move", **where})
            await heard
        self._made += 1

    def ways_to_end(self) -> list[Callable[[], None]]:
        return [
            lambda: self._line.say("end-game"),
            lambda: self._line.say(f"leave-game {self._guid}"),
            *_page_ways(self._page, self._table),
        ]


class PowerChessTable(MixedTable):
    """A client of Power Chess against a guest of the page, without boxes: a knight of each goes out and home again."""

    _SQUARES = ((6, 21), (57, 42))

    async def sit(self) -> None:
        self._page = await self._guest()
        listed = await self._client("/home")
        name = self._page.name
        shown = listed.next(lambda message: self._number(message, name) is not None, PATIENCE)
        options = {"boxes": False}
        self._table, _key = await self._page.opens_in(
            self._wing, "powerchess", options=options, watchable=True
        )
        number = self._number(await shown, name)
        self._play = await self._client("/play")
        joined = self._play.next(lambda message: message["type"] == 1 and "playerId" in message, PATIENCE)
        self._play.say({"type": 1, "gameId": number, "name": anybody()})
        answer = await joined
        self._own = {"type": 4, "gameId": number, "playerId": answer["playerId"], "action": 1}

    def _number(self, message: Message, name: str) -> int | None:
        """Of the game of this host that is in our wing: the host may have left others."""
        return next(
            (
                number
                for number in _numbered(message, name)
                if wing_of(self._target.wings, "powerchess", number) == self._wing
            ),
            None,
        )

    async def move(self) -> None:
        """The guest has White."""
        turn, back = self._made % 2, self._made // 2 % 2
        start, end = self._SQUARES[turn][::-1] if back else self._SQUARES[turn]
        if turn == 0:
            heard = self._play.next(lambda message: message["type"] == 5 and "move" in message, PATIENCE)
            move = {"type": "move", "start": start, "end": end}
            self._page.tell("act", table=self._table, action=move)
            await heard
        else:
            seen = self._page.next(
                lambda message: played(message, self._table, start=start, end=end), PATIENCE
            )
            self._play.say({**self._own, "move": {"from": _place(start), "to": _place(end)}})
            await seen
        self._made += 1

    def ways_to_end(self) -> list[Callable[[], None]]:
        return [
            lambda: self._play.say({**self._own, "type": 2, "reason": 1}),
            self._play.leave,
            *_page_ways(self._page, self._table),
        ]


def _place(square: int) -> dict[str, int]:
    return {"row": square >> 3, "col": square & 7}


def _numbered(message: Message, name: str) -> list[int]:
    """The numbers of games that wait for somebody, by their host's name."""
    if message["type"] == 1 and message["name"] == name:
        return [int(message["gameId"])]
    games = message.get("games", {}) if message["type"] == 0 else {}
    return [int(number) for number, game in games.items() if game["name"] == name]


class ToppleTable(MixedTable):
    """A Topple client and a guest of the page, on a board so large that nothing topples; then in another room."""

    _SIDE = 15

    async def sit(self) -> None:
        self._tile = 0
        code = await self._come_into_room()
        joined = self._room.next(lambda message: message["type"] == "player:join", PATIENCE)
        self._room.say({"type": "game:rules", "payload": {}})
        self._page = await self._guest()
        self._table = await table_in(self._page, code)
        await self._page.must("sit", table=self._table)
        await joined
        begun = self._room.next(lambda message: message["type"] == "game:turn", PATIENCE)
        self._room.say({"type": "waiting:start", "payload": {}})
        await begun

    async def _come_into_room(self) -> str:
        """Its code. Nobody chooses in which wing it is: those elsewhere are left again."""
        while True:
            self._room = await self._client(f"/ws/?t=1&d=0,{self._SIDE},{self._SIDE}&p=2&s=1")
            named = await self._room.hears(lambda message: message["type"] == "game:roomid", PATIENCE)
            code = str(named["payload"]["g"])
            if wing_of(self._target.wings, "topple", code) == self._wing:
                return code
            self.close()

    async def next_game(self) -> bool:
        if self._tile < self._SIDE * self._SIDE:
            return False
        self.close()
        await self.sit()
        return True

    async def move(self) -> None:
        tile = self._tile
        self._tile += 1
        if tile % 2 == 0:
            seen = self._page.next(lambda message: played(message, self._table, tile=tile), PATIENCE)
            self._room.say({"type": "game:move", "payload": {"n": tile}})
            await seen
        else:
            heard = self._room.next(lambda message: _topple_move(message, tile), PATIENCE)
            self._page.tell("act", table=self._table, action={"type": "place", "tile": tile})
            await heard

    def ways_to_end(self) -> list[Callable[[], None]]:
        return [
            lambda: self._room.say({"type": "player:leave", "payload": {}}),
            self._room.leave,
            *_page_ways(self._page, self._table),
        ]


def _topple_move(message: Message, tile: int) -> bool:
    return message["type"] == "game:move" and bool(message["payload"]["n"] == tile)


class AcquireTable(MixedTable):
    """An Acquire client who plays alone, game after game, and a guest of the page who watches."""

    def __init__(self, target: Target) -> None:
        super().__init__(target)
        self._chance = Random(1)
        self._number = 0

    async def sit(self) -> None:
        self._alone = await self._client("/acquire")
        await self._must("CreateUserAndLogin", username=anybody()[:20], password="a good password")
        self._page = await self._guest()
        await self._begin()

    async def _must(self, type: str, **fields: Any) -> Message:
        answer = self._alone.next(lambda message: message["type"] in ("Ok", "Error") and message["id"] == 1)
        self._alone.say({"type": type, "id": 1, **fields})
        if (told := await answer)["type"] == "Error":
            raise Refused(f"{type}: {told['code']}")
        return told

    async def _begin(self) -> None:
        if self._number:
            self._page.tell("unwatch", table=self._table)
            await self._must("ExitGame", gameNumber=self._number)
        self._number = (await self._must("CreateGame", gameMode=1))["gameNumber"]
        self._table = await table_in(self._page, str(self._number))
        await self._page.must("watch", table=self._table)
        begun = self._alone.next(lambda message: message["type"] == "GameActionDone", PATIENCE)
        approve = {"type": "ApproveOfGameSetup"}
        await self._must("DoGameSetupAction", gameNumber=self._number, action=approve)
        self._mirror = Mirror.of_start(1, await begun, 0)

    async def next_game(self) -> bool:
        if self._mirror.state["next"]["action"] != "GameOver":
            return False
        await self._begin()
        return True

    async def move(self) -> None:
        state = self._mirror.state
        size = state["gameStateHistorySize"]
        done = self._alone.next(lambda message: _is_action(message, size + 1), PATIENCE)
        seen = self._page.next(lambda message: played(message, self._table), PATIENCE)
        self._alone.say(
            {
                "type": "DoGameAction",
                "gameNumber": self._number,
                "gameStateHistorySize": size,
                "action": state["next"]["action"],
                "params": choice(state, state["rack"], state["rackTypes"], self._chance),
            }
        )
        self._mirror.hear(await done)
        await seen

    def ways_to_end(self) -> list[Callable[[], None]]:
        return [
            lambda: self._alone.say({"type": "Forfeit", "id": 1, "gameNumber": self._number}),
            lambda: self._alone.say({"type": "ExitGame", "id": 1, "gameNumber": self._number}),
            lambda: self._page.tell("unwatch", table=self._table),
            self._page.leave,
        ]


def _is_action(message: Message, size: int) -> bool:
    return message["type"] == "GameActionDone" and bool(message["gameStateHistorySize"] == size)
