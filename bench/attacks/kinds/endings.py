"""Games that end while people leave, return, rematch and watch."""

import asyncio
from random import Random

from bench.attacks.guest import Guest
from bench.attacks.quiet import marked, position
from bench.attacks.requests import request
from bench.attacks.sockets import Message, Refused, Socket
from bench.attacks.target import Target, address, together

_WIN = ((0, 0), (1, 8), (2, 16), (0, 1), (1, 9), (2, 17), (0, 2))
"""Seat and tile of the shortest game of Tower."""
_TRIOS = 8
_PAIRS = 12
_ROOMS = 10


class Trio:
    """Three guests who play Tower after Tower."""

    def __init__(self, people: list[Guest]) -> None:
        self.people = people
        self.table = ""
        self._watchable = False

    @classmethod
    async def come(cls, target: Target, where: str) -> "Trio":
        return cls([await Guest.come(target, address=where) for _ in range(3)])

    async def sit(self) -> None:
        """At a new table; at every other one whoever leaves sees no more of it."""
        host, *others = self.people
        self._watchable = not self._watchable
        self.table, key = await host.opens("tower", watchable=self._watchable)
        for seat, guest in enumerate(others, 1):
            await guest.must("sit", table=self.table, seat=seat, key=key)

    def act(self, move: int) -> asyncio.Future[Message]:
        seat, tile = _WIN[move]
        return self.people[seat].asking("act", table=self.table, action={"type": "place", "tile": tile})

    async def play(self, moves: int = len(_WIN)) -> None:
        for move in range(moves):
            await self.act(move)

    async def rematch(self) -> None:
        """They go on at a new table, perhaps in other seats."""
        old = self.table
        moved = [
            guest.next(lambda message: message["type"] == "table" and message["table"] != old, 5)
            for guest in self.people
        ]
        for guest in self.people:
            guest.tell("rematch", table=old)
        pictures = await asyncio.gather(*moved)
        self.table = str(pictures[0]["table"])
        seats = {picture["you"]: guest for picture, guest in zip(pictures, self.people, strict=True)}
        self.people = [seats[seat] for seat in range(3)]


async def all_leave_at_the_end(target: Target) -> None:
    """Three guests finish a game and all leave at that moment, again and again: the server must not die."""
    trios = [await Trio.come(target, address(each)) for each in range(_TRIOS)]
    await target.prepared()
    games = 0

    async def evening(trio: Trio, each: int) -> None:
        nonlocal games
        chance = Random(each)
        while target.going:
            try:
                await _all_here(trio.people, address(each))
                await trio.sit()
                await trio.play(len(_WIN) - 1)
                last = trio.act(len(_WIN) - 1)
                games += 1
                await _all_leave(trio.people, trio.table, last, chance)
                if chance.randrange(3) == 0:
                    await request(target, "GET", f"/api/tables/{trio.table}/log")
            except Refused:
                # Too fast, or hung up on: whatever was said is said again.
                await asyncio.sleep(0.05)

    await together([evening(trio, each) for each, trio in enumerate(trios)])
    target.note(f"{games} games")


async def pairs_leave_at_the_end(target: Target) -> None:
    """The same with the shortest game there is: Topple on a single tile, won by the first move."""
    pairs = [[await Guest.come(target, address=address(each)) for _ in range(2)] for each in range(_PAIRS)]
    await target.prepared()
    games = 0

    async def evening(pair: list[Guest], each: int) -> None:
        nonlocal games
        chance = Random(each)
        while target.going:
            try:
                await _all_here(pair, address(each))
                host, other = pair
                table, key = await host.opens("topple", seats=2, options={"x": 1, "y": 1}, start="full")
                await other.must("sit", table=table, key=key)
                last = host.asking("act", table=table, action={"type": "place", "tile": 0})
                games += 1
                await _all_leave(pair, table, last, chance)
            except Refused:
                await asyncio.sleep(0.05)

    await together([evening(pair, each) for each, pair in enumerate(pairs)])
    target.note(f"{games} games")


async def _all_here(people: list[Guest], where: str) -> None:
    """Whoever has hung up is back."""
    for place, guest in enumerate(people):
        if guest.closed.is_set():
            people[place] = await guest.again(address=where)


async def _all_leave(people: list[Guest], table: str, last: asyncio.Future[Message], chance: Random) -> None:
    """Within a few milliseconds around the end, each in some way."""
    if chance.randrange(2):
        await last
    await together([_leaves(guest, table, chance) for guest in people])
    if not any(guest.closed.is_set() for guest in people):
        await last


async def _leaves(guest: Guest, table: str, chance: Random) -> None:
    """The last to go writes after the table may have been forgotten: that is what this is about."""
    how = chance.randrange(4)
    if how == 0:
        guest.tell("unwatch", table=table)
    await asyncio.sleep(chance.choice((0.0, chance.random() * 0.003, chance.random() * 0.012)))
    guest.tell("leave", table=table)
    guest.tell("unwatch", table=table)
    if how == 1:
        guest.tell(chance.choice(("rematch", "sit", "watch")), table=table)
        guest.tell("leave", table=table)
        guest.tell("unwatch", table=table)
    elif how == 3:
        # Whoever has left and says so again finds the table that was there before, or a second one.
        for _ in range(3):
            await asyncio.sleep(chance.random() * 0.004)
            guest.tell("leave", table=table)
    elif how == 2:
        guest.leave()
        async with asyncio.timeout(2):
            await guest.closed.wait()


async def tower_rooms_end(target: Target) -> None:
    """Tower clients finish games and all hang up in the same moment, then fill the room again."""
    await target.prepared()
    games = 0

    async def evening(room: int) -> None:
        nonlocal games
        chance = Random(room)
        while target.going:
            players = []
            for seat in range(3):
                player = await Socket.open(target, "/tower", address=address(room))
                joined = player.next(lambda message: message["type"] in ("room_joined", "error"))
                player.say({"type": "join_room", "data": {"room": f"ending {room}", "name": f"p{seat}"}})
                answer = await joined
                players.append(player)
                if answer["type"] == "error":
                    break
            else:
                await _tower_game(players, wait=chance.randrange(2) == 0)
                games += 1
            for player in chance.sample(players, len(players)):
                await asyncio.sleep(chance.choice((0.0, chance.random() * 0.004)))
                player.abort()

    await together([evening(room) for room in range(_ROOMS)])
    target.note(f"{games} games")


async def _tower_game(players: list[Socket], *, wait: bool) -> None:
    """`wait`: until the last mark was heard, too."""
    for move, (seat, tile) in enumerate(_WIN):
        await _mark(players[seat], tile, wait=wait or move < len(_WIN) - 1)


async def _mark(player: Socket, tile: int, *, wait: bool) -> None:
    where = position(tile)
    heard = player.next(lambda message: marked(message, where) or message["type"] == "error", 5)
    player.say({"type": "place_mark", "data": {"position": where}})
    if wait:
        await heard


async def mixed_rooms_end(target: Target) -> None:
    """A Tower client and two guests of the page finish a game in a room, and all go at that moment."""
    await target.prepared()
    games = 0

    async def evening(each: int) -> None:
        nonlocal games
        chance = Random(each)
        people = [await Guest.come(target, address=address(each)) for _ in range(2)]
        while target.going:
            try:
                await _all_here(people, address(each))
                await _mixed_game(target, people, f"mixed {each} {games}", chance, address(each))
                games += 1
            except Refused:
                await asyncio.sleep(0.05)

    await together([evening(each) for each in range(_ROOMS)])
    target.note(f"{games} games")


async def _mixed_game(target: Target, people: list[Guest], room: str, chance: Random, where: str) -> None:
    client = await Socket.open(target, "/tower", address=where)
    try:
        joined = client.next(lambda message: message["type"] in ("room_joined", "error"))
        client.say({"type": "join_room", "data": {"room": room, "name": "client"}})
        await joined
        table = await _table_of(people[0], room)
        for guest in people:
            await guest.must("sit", table=table)
        for move, (seat, tile) in enumerate(_WIN):
            last = move == len(_WIN) - 1
            if seat == 0:
                await _mark(client, tile, wait=not last or chance.randrange(2) == 0)
            else:
                await people[seat - 1].must("act", table=table, action={"type": "place", "tile": tile})
        if chance.randrange(2):
            client.abort()
        await together([_leaves(guest, table, chance) for guest in people])
    finally:
        client.abort()


async def _table_of(guest: Guest, room: str) -> str:
    for _ in range(10):
        told = guest.next(lambda message: message["type"] == "lobby")
        guest.tell("lobby")
        lobby = await told
        for table in lobby.get("tables", ()):
            if table.get("room") == room:
                return str(table["id"])
        await asyncio.sleep(0.02)
    raise Refused("the lobby does not show the room")


async def topple_clients_drop(target: Target) -> None:
    """Topple clients drop at finished tables and return, while the page wants a rematch or leaves."""
    await target.prepared()
    games = 0

    async def evening(each: int) -> None:
        nonlocal games
        chance = Random(each)
        guest = await Guest.come(target, address=address(each))
        while target.going:
            try:
                if guest.closed.is_set():
                    guest = await guest.again(address=address(each))
                await _with_a_topple_client(target, guest, chance, address(each))
                games += 1
            except Refused:
                await asyncio.sleep(0.05)

    await together([evening(each) for each in range(_ROOMS)])
    target.note(f"{games} games")


async def _with_a_topple_client(target: Target, guest: Guest, chance: Random, where: str) -> None:
    table, _key = await guest.opens("topple", seats=2, options={"x": 1, "y": 1}, start="full")
    client = await Socket.open(target, f"/ws/?t=0&g={table}", address=where)
    key = await client.hears(lambda message: message["type"] in ("key:rejoin", "error"), 5)
    await guest.ask("act", table=table, action={"type": "place", "tile": 0})
    client.abort()
    # The seat is given up a moment after the connection was lost: be there just before, at, and just after it.
    steps = ["rematch", "leave", "return", "unwatch", "watch", "wait"]
    for step in chance.sample(steps, len(steps)):
        if step == "wait":
            await asyncio.sleep(0.3 + chance.random() * 0.4)
        elif step == "return" and key["type"] == "key:rejoin":
            payload = key["payload"]
            path = f"/ws/?t=3&g={payload['g']}&i={payload['p']}&k={payload['key']}"
            again = await Socket.open(target, path, address=where)
            await asyncio.sleep(chance.random() * 0.01)
            again.abort()
        elif step != "return":
            guest.tell(step, table=table)


async def rematch_storm(target: Target) -> None:
    """Game after game by rematch, with fifty watchers who follow to each new table."""
    trio = await Trio.come(target, address())
    watchers = [await Guest.come(target, address=address(1)) for _ in range(50)]
    await trio.sit()
    for watcher in watchers:
        watcher.tell("watch", table=trio.table)
    await target.prepared()
    games = 0
    while target.going:
        await trio.play()
        await trio.rematch()
        games += 1
    target.note(f"{games} games, {sum(watcher.closed.is_set() for watcher in watchers)} watchers dropped")


async def exports_and_returns(target: Target) -> None:
    """Games of Topple taken away with `export` in the moment in which the other player moves or leaves."""
    pairs = [[await Guest.come(target, address=address(each)) for _ in range(2)] for each in range(_TRIOS)]
    await target.prepared()
    games = 0

    async def evening(host: Guest, other: Guest) -> None:
        nonlocal games
        while target.going:
            try:
                table, key = await host.opens("topple", seats=2, options={"x": 3, "y": 3}, start="full")
                await other.must("sit", table=table, key=key)
                place = {"type": "place", "tile": 4}
                await host.must("act", table=table, action=place)
                other.tell("act", table=table, action={"type": "place", "tile": 0})
                host.tell("export", table=table)
                other.tell("leave", table=table)
                await host.ask("leave", table=table)
                other.tell("watch", table=table, since=0)
                host.tell("rematch", table=table)
                games += 1
            except Refused:
                await asyncio.sleep(0.05)
                if host.closed.is_set() or other.closed.is_set():
                    return

    await together([evening(*pair) for pair in pairs])
    target.note(f"{games} games")
