"""Clients of the Topple protocol, in pairs. They come back with their keys; after a game they open another room."""

from bench.attacks.sockets import Message
from bench.attacks.target import Target
from bench.soak.line import Line
from bench.soak.model import ToppleGame
from bench.soak.person import Evening, Person

_SIDE = 3
_TILES = range(_SIDE * _SIDE)
_NOT_YOURS = 105
_PATHS = ("/ws/", "/topple")
_TOO_LONG = 30.0


class Pair:
    """Two who play together, and the room they are in."""

    def __init__(self) -> None:
        self.room: str | None = None
        self.news = 0.0
        """When something last happened there."""
        self.seats: dict[str, tuple[int, str]] = {}
        """Number and key of each, by name: all that they need to come back."""
        self.games: dict[str, ToppleGame] = {}
        self.over = False

    def forget(self) -> None:
        self.room, self.seats, self.games, self.over = None, {}, {}, False


class TopplePerson(Person):
    door = "topple"

    def __init__(self, evening: Evening, name: str, pair: Pair, *, host: bool) -> None:
        super().__init__(evening, name)
        self._pair = pair
        self._host = host
        self._came_back_to: str | None = None
        """The room to which this visit was a return, until it is known whether it succeeded."""

    def _query(self) -> str | None:
        pair = self._pair
        if pair.room is not None and self.model.now - pair.news > _TOO_LONG:
            self.evening.counts["rooms given up"] += 1
            pair.forget()
        seat = pair.seats.get(self.name)
        if seat is not None:
            return f"t=3&g={pair.room}&i={seat[0]}&k={seat[1]}"
        if pair.room is None:
            return f"t=1&d=0,{_SIDE},{_SIDE}&p=2&s=1" if self._host else None
        return None if self._host else f"t=0&g={pair.room}"

    async def visit(self, target: Target) -> None:
        query = self._query()
        if query is None:
            return
        self._came_back_to = self._pair.room if query.startswith("t=3") else None
        line = await self.connect(target, f"{self.chance.choice(_PATHS)}?{query}")
        if self._came_back_to and self._came_back_to == self._pair.room:
            self._pair.games[self.name].stays.append([])
        try:
            while True:
                await self._take(line, await line.receive())
        finally:
            line.abort()

    async def _take(self, line: Line, message: Message) -> None:
        pair, said = self._pair, message["payload"]
        match message["type"]:
            case "key:rejoin":
                self._seated(said["g"], said["p"], said["key"])
            case "game:roomid" if self._host and pair.room == said["g"] and len(pair.seats) == 1:
                line.say({"type": "game:rules", "payload": {}})
            case "player:ownid" if self._came_back_to:
                self._back(said["n"])
            case "player:join" if self._host:
                line.say({"type": "waiting:start", "payload": {}})
            case "game:move":
                self._heard(said["n"])
            case "game:turn" if said["n"] == pair.seats.get(self.name, (0, ""))[0]:
                await self._move(line)
            case "game:win":
                await self._won(line)
            case "error":
                await self._refused(line, said)
            case _:
                pass

    def _seated(self, room: str, number: int, key: str) -> None:
        pair = self._pair
        if pair.room is None:
            pair.room, pair.news = room, self.model.now
            self.model.rooms_of_one_game.add(room)
        if pair.room == room:
            pair.seats[self.name] = (number, key)
            if self.name not in pair.games:
                pair.games[self.name] = ToppleGame(room, self.name, self.model.now)
            self.model.told += 1

    def _back(self, number: int) -> None:
        known = self._pair.seats.get(self.name)
        if known is not None and self._came_back_to == self._pair.room and known[0] != number:
            self.model.lose(
                f"{self.name} was player {known[0]} of room {self._pair.room} and is {number}", door=self.door
            )
        self._came_back_to = None

    def _heard(self, tile: int) -> None:
        pair, game = self._pair, self._pair.games.get(self.name)
        pair.news = self.model.now
        if game is None:
            return
        if not any(game.stays):
            # Only now is there something of it that the ledger's lists must show.
            self.model.play(game)
        game.stays[-1].append(tile)
        self.model.heard(game)

    async def _move(self, line: Line) -> None:
        await self.think()
        self.flood(line, {"type": "nothing", "payload": {}})
        line.say({"type": "game:move", "payload": {"n": self.chance.choice(_TILES)}})

    async def _won(self, line: Line) -> None:
        pair, game = self._pair, self._pair.games.get(self.name)
        if game is not None:
            game.over = any(game.stays)
            self.model.heard(game)
        if not pair.over:
            pair.over = True
            self.evening.counts["Topple games"] += 1
        await self.think()
        line.say({"type": "player:leave", "payload": {}})
        pair.seats.pop(self.name, None)
        if not pair.seats:
            pair.forget()
        await line.flushed()
        line.leave()

    async def _refused(self, line: Line, said: Message) -> None:
        self.evening.counts[f"Topple refused {said['code'] or said['message']}"] += 1
        pair, room = self._pair, self._came_back_to
        if said["code"] == _NOT_YOURS:
            await self._move(line)
        elif room is not None:
            # Whether a seat is theirs is a promise, as long as the game is on.
            self._came_back_to = None
            if not pair.over:
                self.model.lose(f"{self.name} is kept out of room {room}: {said}", door=self.door)
            if pair.room == room:
                pair.forget()
        elif self.name not in pair.seats and said.get("redirect") is not None:
            pair.forget()
