"""Quiet players: tables of every door that play at a modest pace and never come back once dropped."""

import asyncio
from collections.abc import Iterator, Sequence
from itertools import count, islice
from random import Random
from time import perf_counter
from typing import Any, Protocol

from bench.attacks.guest import Guest
from bench.attacks.mixed_tables import (
    ADDRESSES,
    PATIENCE,
    AcquireTable,
    PowerChessTable,
    TaflTable,
    ToppleTable,
    played,
)
from bench.attacks.sockets import Message, Socket
from bench.attacks.stream import Stream
from bench.attacks.target import Target
from bench.division import wing_of
from bench.scripts.tower import SEATS, TILES, recorded_tiles
from gamut.hall.wings import MAIN, Wings

RATE = 10.0
"""Moves a second at each of them."""


class QuietTable(Protocol):
    """Some who sit and play, one move after the other."""

    @property
    def players(self) -> Sequence[Stream[Any]]: ...

    async def sit(self) -> None: ...

    async def next_game(self) -> bool:
        """Begins one if the last is over. This takes a while, and is no move."""
        ...

    async def move(self) -> None: ...


class Pace:
    """When each move was due and how long it took from then; a move that the one before held up counts from when
    it was due, one that we were late with ourselves from when it was sent."""

    def __init__(self, table: QuietTable) -> None:
        self._table = table
        self.moves: list[tuple[float, float]] = []
        """When each was heard, and how long it took."""
        self.lost = ""
        """Why this table plays no longer."""
        self._end = float("inf")

    async def play(self) -> None:
        due = perf_counter()
        heard = due
        while due < self._end:
            await asyncio.sleep(max(0.0, due - perf_counter()))
            since = due if heard > due else perf_counter()
            try:
                if await self._table.next_game():
                    since = due = perf_counter()
                await self._table.move()
            except TimeoutError:
                self.lost = f"nothing was heard of move {len(self.moves) + 1} in {PATIENCE:.0f} s"
            except OSError as error:
                self.lost = str(error)
            heard = perf_counter()
            self.moves.append((heard, heard - since))
            if self.lost:
                return
            due += 1 / RATE

    def stop(self, at: float) -> None:
        """Moves that are due from then on are not made any more."""
        self._end = at

    def heard_before(self, moment: float) -> list[float]:
        return [delay for heard, delay in self.moves if heard < moment]

    def heard_after(self, moment: float) -> list[float]:
        return [delay for heard, delay in self.moves if heard >= moment]


def _games() -> list[list[int]]:
    games = [tiles for tiles in recorded_tiles() if len(tiles) == TILES]
    Random(1).shuffle(games)
    return games


class TowerTable:
    """Three Tower clients. This door knows no rematch, so they have a number of rooms and play in one after another."""

    def __init__(self, target: Target, seconds: float, wing: int = MAIN) -> None:
        """`wing`: of the hall, where all the rooms are."""
        self._target = target
        self._count = int(seconds * RATE / TILES) + 1
        self._names = rooms_in(target.wings, wing)
        self._games = _games()
        self._rooms: list[list[Socket]] = []
        self._made = 0

    async def sit(self) -> None:
        for name in islice(self._names, self._count):
            room = []
            for seat in range(SEATS):
                player = await Socket.open(
                    self._target, "/", port=self._target.tower_port, address=ADDRESSES[seat]
                )
                joined = player.next(lambda message: message["type"] in ("room_joined", "error"))
                join = {"room": name, "name": f"quiet {seat}"}
                player.say({"type": "join_room", "data": join})
                await joined
                room.append(player)
            self._rooms.append(room)

    async def next_game(self) -> bool:
        return False

    @property
    def players(self) -> list[Socket]:
        return [player for room in self._rooms for player in room]

    async def move(self) -> None:
        number, move = divmod(self._made, TILES)
        if number >= self._count:
            # More was to be played than was foreseen: there is nothing left to measure here.
            await asyncio.sleep(1 / RATE)
            return
        tile = self._games[number % len(self._games)][move]
        player = self._rooms[number][move % SEATS]
        where = position(tile)
        heard = player.next(lambda message: marked(message, where), PATIENCE)
        player.say({"type": "place_mark", "data": {"position": where}})
        await heard
        self._made += 1


def rooms_in(wings: Wings, wing: int) -> Iterator[str]:
    """Names of Tower rooms that are in this wing of the hall."""
    names = (f"quiet room {number}" for number in count())
    return (name for name in names if wing_of(wings, "tower", name) == wing)


def position(tile: int) -> dict[str, int]:
    """As Tower clients name it."""
    level, place = divmod(tile, 8)
    # The middle of each level is a hole.
    row, column = divmod(place if place < 4 else place + 1, 3)
    return {"x": row, "y": level, "z": column}


def marked(message: Message, where: dict[str, int]) -> bool:
    """This mark was placed: those of the others, which may be read late, are not meant."""
    return message["type"] == "mark_placed" and bool(message["data"]["position"] == where)


class WebTable:
    """Three guests at the web door, who want a rematch after each game."""

    def __init__(self, target: Target, wing: int = MAIN) -> None:
        """`wing`: of the hall, where the table is."""
        self._target = target
        self._wing = wing
        self._games = _games()
        self._made = 0
        self._table = ""
        self._seats: dict[int, Guest] = {}
        self.players: list[Guest] = []

    async def sit(self) -> None:
        self.players = [await Guest.come(self._target, address=address) for address in ADDRESSES]
        host, *others = self.players
        self._table, key = await host.opens_in(self._wing, "tower", watchable=True)
        self._seats = {0: host}
        for seat, guest in enumerate(others, 1):
            await guest.must("sit", table=self._table, seat=seat, key=key)
            self._seats[seat] = guest

    async def next_game(self) -> bool:
        if self._made == 0 or self._made % TILES:
            return False
        await self._rematch()
        return True

    async def move(self) -> None:
        number, move = divmod(self._made, TILES)
        tile = self._games[number % len(self._games)][move]
        player = self._seats[move % SEATS]
        table = self._table
        heard = player.next(lambda message: played(message, table, tile=tile), PATIENCE)
        player.tell("act", table=table, action={"type": "place", "tile": tile})
        await heard
        self._made += 1

    async def _rematch(self) -> None:
        old = self._table
        begun = [guest.next(lambda message: _begun(message, old), PATIENCE) for guest in self.players]
        for guest in self.players:
            guest.tell("rematch", table=old)
        pictures = await asyncio.gather(*begun)
        self._table = pictures[0]["table"]
        self._seats = {picture["you"]: guest for picture, guest in zip(pictures, self.players, strict=True)}


def _begun(message: Message, old: str) -> bool:
    return message["type"] == "table" and message["table"] != old and message.get("you") is not None


class Quiet:
    """A table of each kind, in each wing of the hall that has tables of it, and what they felt."""

    def __init__(self, target: Target, seconds: float) -> None:
        self._tables: dict[str, QuietTable] = {"tafl": TaflTable(target), "acquire": AcquireTable(target)}
        for wing in range(target.wings.count):
            where = f" in wing {wing}" if target.wings.count > 1 else ""
            self._tables |= {
                f"tower{where}": TowerTable(target, seconds, wing),
                f"web{where}": WebTable(target, wing),
                f"powerchess{where}": PowerChessTable(target, wing),
                f"topple{where}": ToppleTable(target, wing),
            }
        self.paces = {name: Pace(table) for name, table in self._tables.items()}
        self._playing: list[asyncio.Task[None]] = []

    async def begin(self) -> None:
        for table in self._tables.values():
            await table.sit()
        self._playing = [asyncio.create_task(pace.play()) for pace in self.paces.values()]

    async def end(self, at: float) -> None:
        """No more moves from then on; the last ones are waited for."""
        for pace in self.paces.values():
            pace.stop(at)
        await asyncio.gather(*self._playing)

    def delays(self, attack: float) -> tuple[list[float], list[float]]:
        """Of moves that were heard before the attack began, and of those after it."""
        paces = self.paces.values()
        before = [delay for pace in paces for delay in pace.heard_before(attack)]
        return before, [delay for pace in paces for delay in pace.heard_after(attack)]

    def by_door(self, attack: float) -> dict[str, list[float]]:
        """Of moves that were heard after the attack began."""
        return {name: pace.heard_after(attack) for name, pace in self.paces.items()}

    def dropped(self) -> int:
        """How many of them lost their connections."""
        return sum(player.closed.is_set() for table in self._tables.values() for player in table.players)

    def lost(self) -> list[str]:
        return [f"{name}: {pace.lost}" for name, pace in self.paces.items() if pace.lost]

    def close(self) -> None:
        for task in self._playing:
            task.cancel()
        for table in self._tables.values():
            for player in table.players:
                player.abort()
