"""A crowd that plays as fast as it can through both doors, remembers what it was told, and comes back after a crash."""

import asyncio
from random import Random
from typing import Any

from aiohttp import ClientError
from tests.net.support.clients import Callers, Hung, Message, TowerClient, WebClient
from tests.net.support.process import PATIENCE

TILES = range(24)
EMPTY = 3
_POSITIONS = [(x, y, z) for y in range(3) for x in range(3) for z in range(3) if not x == z == 1]
_TILE_AT = {position: tile for tile, position in enumerate(_POSITIONS)}

# A move can cross something that happened meanwhile.
_CROSSED = {"stale", "not_your_turn", "waiting", "over", "taken", "asked", "succeeded"}


class Seen:
    """What one person knows of one table."""

    def __init__(self, seq: int) -> None:
        self.seq = seq
        self.you: int | None = None
        self.marks: dict[int, int] = {}
        self.heard: dict[int, Message] = {}
        """Every event received, by its number."""
        self.acted = -1
        self.asked = False
        self.done = False
        self.alone = True
        """Everybody who sits or sat here is on the page, and so knows of rematches."""

    def sits(self, holder: Message | None) -> None:
        self.alone &= holder is None or "rematch" not in (holder.get("cannot") or ())


class WebPlayer:
    """Sits at many tables over one connection."""

    def __init__(self, name: str, chance: Random) -> None:
        self.name = name
        self.tables: dict[str, Seen] = {}
        self.talks = chance.random() < 0.5
        self.heard = 0
        """Messages."""
        self._chance = chance
        self._token: str | None = None
        self._client: WebClient | None = None
        self._opened: asyncio.Queue[str] = asyncio.Queue()
        self._reading: asyncio.Task[None] | None = None

    async def come(self, callers: Callers) -> None:
        self._client = await callers.web()
        if self._token is None:
            await self._client.hello(self.name)
            self._token = self._client.token
        else:
            await self._client.again(self._token)
        for table, seen in self.tables.items():
            if seen.done:
                continue
            # Whether the last thing said reached the server, nobody knows: it is said again.
            seen.acted, seen.asked = -1, False
            await self._client.send({"type": "watch", "table": table, "since": seen.seq})
        self._reading = asyncio.ensure_future(self._read())

    async def gone(self) -> None:
        """Everything that reached this side of the cut connection is taken in."""
        assert self._reading is not None
        async with asyncio.timeout(PATIENCE):
            await self._reading

    async def open(self, **fields: Any) -> str:
        assert self._client is not None
        await self._client.send({"type": "open", "game": "tower", **fields})
        async with asyncio.timeout(PATIENCE):
            return await self._opened.get()

    async def sit(self, table: str) -> None:
        assert self._client is not None
        await self._client.send({"type": "sit", "table": table})

    async def _read(self) -> None:
        assert self._client is not None
        try:
            while True:
                message = await self._client.receive()
                self.heard += 1
                await self._take(self._client, message)
        except (Hung, OSError, ClientError):
            return

    async def _take(self, client: WebClient, message: Message) -> None:
        match message["type"]:
            case "opened":
                self._opened.put_nowait(message["table"])
            case "table":
                await self._picture(client, message)
            case "events":
                seen = self.tables[message["table"]]
                assert message["after"] == seen.seq, "neither a gap nor a repeat"
                for event in message["events"]:
                    seen.seq += 1
                    seen.heard[seen.seq] = event
                    seen.done |= event["type"] == "succeeded"
                    seen.sits(event.get("sitter"))
                    for happened in event.get("events", ()):
                        if happened["type"] == "placed":
                            seen.marks[happened["tile"]] = happened["seat"]
                assert message["seq"] == seen.seq, "Tower hides nothing"
                if any(event["type"] == "succeeded" for event in message["events"]):
                    # Everybody goes on at the next table, and a connection follows only so many.
                    await client.send({"type": "unwatch", "table": message["table"]})
                await self._go_on(client, seen, message)
            case "continued" | "ok" | "welcome":
                pass
            case "error":
                assert message["code"] in _CROSSED, message
            case kind:
                raise AssertionError(kind)

    async def _picture(self, client: WebClient, message: Message) -> None:
        seen = self.tables.get(message["table"])
        if seen is None:
            seen = self.tables[message["table"]] = Seen(message["seq"])
        assert message["seq"] == seen.seq, "a picture continues what was told"
        marks = message["state"]["marks"] if message["state"] is not None else ()
        seen.marks = {tile: mark for tile, mark in enumerate(marks) if mark != EMPTY}
        seen.you = message["you"]
        for holder in message["seats"]:
            seen.sits(holder)
        await self._go_on(client, seen, message)

    async def _go_on(self, client: WebClient, seen: Seen, message: Message) -> None:
        table = message["table"]
        if message["phase"] == "over":
            if not seen.asked and not seen.done and seen.you is not None:
                seen.asked = True
                if seen.alone:
                    await client.send({"type": "rematch", "table": table})
                else:
                    # Tower clients know of no rematch, and a connection follows only so many tables.
                    seen.done = True
                    await client.send({"type": "unwatch", "table": table})
            return
        mine = (
            message["phase"] == "playing" and message["awaited"] == [seen.you] and not message.get("waiting")
        )
        if not mine or seen.acted == len(seen.marks):
            return
        seen.acted = len(seen.marks)
        if self.talks and self._chance.random() < 0.2:
            await client.send({"type": "say", "table": table, "text": f"my move number {seen.acted}"})
        tile = self._chance.choice([tile for tile in TILES if tile not in seen.marks])
        await client.send({"type": "act", "table": table, "action": {"type": "place", "tile": tile}})


class TowerPlayer:
    """One of those in a room. When a game is over, one of them leaves and comes back, so that the next begins."""

    def __init__(self, room: str, name: str, chance: Random, *, restless: bool) -> None:
        self.room = room
        self.name = name
        self.id: int | None = None
        self.marks: dict[int, int] = {}
        """What this player was told of the game that is on."""
        self.games = self.heard = 0
        self._restless = restless
        self._chance = chance
        self._callers: Callers | None = None
        self._client: TowerClient | None = None
        self._reading: asyncio.Task[None] | None = None

    async def come(self, callers: Callers) -> tuple[int, dict[int, int] | None]:
        """Join; the id and the board that the server tells on the way in, if it tells one."""
        self._callers = callers
        client = self._client = await callers.tower()
        id, board = await self._join(client)
        self._reading = asyncio.ensure_future(self._read(client))
        return id, board

    async def _join(self, client: TowerClient) -> tuple[int, dict[int, int] | None]:
        await client.join(self.room, self.name)
        board, ended = None, False
        while True:
            message = await client.receive()
            data = message["data"]
            match message["type"]:
                case "game_over":
                    # The end of the game before, which the server had stored but perhaps not told any more.
                    ended = True
                case "room_joined":
                    self.id = data["id"]
                case "board_state":
                    board = {tile: mark for tile, mark in enumerate(data["state"]) if mark != EMPTY}
                case "player_joined" if data["id"] == self.id:
                    assert self.id is not None
                    self.marks = {} if ended else dict(board or {})
                    return self.id, board
                case "player_joined":
                    pass
                case "error" if data["type"] in (0, 1):
                    # The server has not noticed yet that this player has left.
                    await client.join(self.room, self.name)
                case kind:
                    raise AssertionError(f"{kind} on the way in: {data}")

    async def gone(self) -> None:
        assert self._reading is not None
        async with asyncio.timeout(PATIENCE):
            await self._reading

    async def _read(self, client: TowerClient) -> None:
        try:
            while True:
                message = await client.receive()
                self.heard += 1
                data = message["data"]
                match message["type"]:
                    case "mark_placed":
                        tile = _TILE_AT[tuple(data["position"][axis] for axis in "xyz")]
                        assert tile not in self.marks
                        self.marks[tile] = data["id"]
                    case "player_turn" if data["id"] == self.id:
                        tile = self._chance.choice([tile for tile in TILES if tile not in self.marks])
                        await client.place(*_POSITIONS[tile])
                    case "board_state":
                        self.marks = {tile: mark for tile, mark in enumerate(data["state"]) if mark != EMPTY}
                    case "game_over":
                        self.games += 1
                        if self._restless:
                            assert self._callers is not None
                            await client.close()
                            client = self._client = await self._callers.tower()
                            await self._join(client)
                    case "error":
                        assert data["type"] == 6, message
        except (Hung, OSError, ClientError):
            return


class Group:
    """Three who play together, and where."""

    def __init__(self, web: list[WebPlayer], tower: list[TowerPlayer], **fields: Any) -> None:
        self.web = web
        self.tower = tower
        self.table: str | None = None
        """Where those of the page have opened a table."""
        self._fields = fields

    async def begin(self, callers: Callers) -> None:
        if self.web:
            table = self.table = await self.web[0].open(**self._fields)
            for player in self.web[1:]:
                await player.sit(table)
            for other in self.tower:
                other.room = table
        for other in self.tower:
            await other.come(callers)


def crowd(chance: Random) -> tuple[list[WebPlayer], list[Group]]:
    """Fifty tables: twenty of Tower clients, fifteen of the page, fifteen mixed; some timed, some talkative."""
    people = [WebPlayer(f"Guest {number}", chance) for number in range(9)]
    groups = []
    for number in range(50):
        trio = people[number % 3 * 3 :][:3]
        if number < 20:
            web: list[WebPlayer] = []
        elif number < 35:
            web = chance.sample(trio, 3)
        else:
            web = chance.sample(trio, chance.choice([1, 2]))
        tower = [
            TowerPlayer(f"room {number}", f"{number}-{seat}", chance, restless=not web and seat == 0)
            for seat in range(3 - len(web))
        ]
        clock: Message = {"kind": "bank", "main": 600_000} if number % 3 == 0 else {"kind": "none"}
        groups.append(Group(web, tower, clock=clock))
    return people, groups


class Books:
    """What the server has stored, read once for all who ask after a start."""

    def __init__(self, callers: Callers) -> None:
        self._callers = callers
        self._logs: dict[str, list[Message]] = {}
        self._finished: list[Message] = []
        self._reading = asyncio.Lock()

    async def log(self, table: str) -> list[Message]:
        if table not in self._logs:
            self._logs[table] = (await self._callers.json(f"/api/tables/{table}/log"))["events"]
        return self._logs[table]

    async def in_a_finished_game(self, room: str, marks: dict[int, int]) -> bool:
        """Whether a game that ended in this room has all these marks."""
        async with self._reading:
            if await self._is_known(room, marks):
                return True
            # It may have ended since everything was read: some are back already, and play.
            await self._read_anew()
            return await self._is_known(room, marks)

    async def _is_known(self, room: str, marks: dict[int, int]) -> bool:
        for table in self._finished:
            if room in (table.get("room"), table["id"]):
                placed = {
                    (happened["tile"], happened["seat"])
                    for event in await self.log(table["id"])
                    for happened in event.get("events", ())
                    if happened["type"] == "placed"
                }
                if marks.items() <= placed:
                    return True
        return False

    async def _read_anew(self) -> None:
        self._logs.clear()
        found: list[Message] = []
        before = ""
        while tables := await self._callers.json(f"/api/tables?state=finished&limit=100{before}"):
            found += tables
            before = f"&before={tables[-1]['id']}"
        self._finished = found


async def in_the_log(books: Books, player: WebPlayer) -> None:
    """Every event that somebody received is in the log of its table, at its place."""
    for table, seen in player.tables.items():
        if seen.heard:
            log = await books.log(table)
            for number, event in seen.heard.items():
                assert log[number - 1] == event, (table, number, event)
            seen.heard.clear()
    player.tables = {table: seen for table, seen in player.tables.items() if not seen.done}
