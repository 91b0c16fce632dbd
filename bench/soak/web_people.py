"""People on the page: they open tables, play, talk, watch, leave, come back, reload, and want rematches."""

from typing import Any

from bench.attacks.requests import post
from bench.attacks.sockets import Message
from bench.attacks.target import Target
from bench.soak.line import Line
from bench.soak.person import Evening, Person

_TALKS = 0.1
_RELOADS = 0.2
_GETS_UP = 0.01
_THINKS_AGAIN = 0.2
_TAKES_ANOTHER_NAME = 0.05
_PASSWORD = "a long password"
_OK, _CREATED = 200, 201
_TOO_LONG = 30.0
"""Seconds without news after which a party opens another table."""


class Party:
    """Some who play together, and where they are."""

    def __init__(self, game: str, size: int, **fields: Any) -> None:
        self.game = game
        self.size = size
        self.fields = fields
        self.table: str | None = None
        self.key = ""
        self.news = 0.0
        """When something last happened there."""


class _Seen:
    """What one person knows of one table."""

    def __init__(self) -> None:
        self.seq = 0
        self.stamp: int | None = None
        self.you: int | None = None
        self.asked = -1
        self.again = False
        self.floor = 0
        self.movers: list[int | None] | None = None
        """Whose the moves were that stand, one after the other; None: it was not heard."""


class WebPerson(Person):
    """One of a party. Old pages say `since` when they come back, new ones also its stamp."""

    def __init__(
        self,
        evening: Evening,
        name: str,
        party: Party,
        *,
        host: bool,
        new: bool,
        plays: bool = True,
        account: bool = False,
    ) -> None:
        super().__init__(evening, name)
        self._party = party
        self._account = account
        self._names = [name]
        """What they may be called: the last name that they know was taken, and those that were asked for since."""
        self._host = host
        self._new = new
        self._plays = plays
        self._token: str | None = None
        self._person: str | None = None
        self._tables: dict[str, _Seen] = {}
        self._renames = 0

    async def visit(self, target: Target) -> None:
        if self._account and self._token is None:
            await self._register(target)
        line = await self.connect(target, "/hall")
        try:
            await self._come_in(line)
            while True:
                await self._take(line, await line.receive())
        finally:
            line.abort()

    async def _register(self, target: Target) -> None:
        """Or log in, if the answer to that was lost."""
        who = {"name": self.name, "password": _PASSWORD}
        for path in ("/api/register", "/api/login"):
            answer = await post(target, path, who)
            if answer.status in (_OK, _CREATED):
                self._token = answer.cookie.partition("=")[2]
                return
        raise TimeoutError(f"{self.name} is not let in")

    async def _take_another_name(self) -> None:
        """Over HTTP, with the session of the page. What was not answered may have happened."""
        target = self.evening.target
        assert target is not None
        name = f"{self.name} {self._renames}"
        self._renames += 1
        self._names.append(name)
        path, more = ("/api/name", {"password": _PASSWORD}) if self._account else ("/api/guest", {})
        answer = await post(target, path, {"name": name, **more}, cookie=f"gamut_session={self._token}")
        if answer.status == _OK:
            self._names = [name]
            self.evening.counts["names taken"] += 1
        elif answer.code:
            self._names.remove(name)

    async def _come_in(self, line: Line) -> None:
        line.say(
            {"type": "hello", **({"name": self.name} if self._token is None else {"token": self._token})}
        )
        welcome = await line.receive()
        if welcome["type"] == "bye":
            return  # the server is about to stop
        if welcome["type"] != "welcome":
            if self._token is not None:
                self.model.lose(f"the token of {self.name} ({self._person}) is refused: {welcome}")
                self._token = None
            return
        if self._token is None:
            self._token = welcome["token"]
        if welcome["name"] not in self._names:
            self.model.lose(f"{self.name} was called {self._names} and is {welcome['name']}")
        if self._person is None:
            self._person = welcome["person"]
        elif welcome["person"] != self._person:
            self.model.lose(f"{self.name} was {self._person} and is {welcome['person']}")
        self.model.told += 1
        for table, seen in self._tables.items():
            seen.asked, seen.again, seen.floor = -1, False, self.model.level(table)
            if self.chance.random() < _RELOADS:
                seen.seq = 0
                line.say({"type": "watch", "table": table})
            else:
                stamp = {"stamp": seen.stamp} if self._new and seen.stamp is not None else {}
                line.say({"type": "watch", "table": table, "since": seen.seq, **stamp})
        self._take_part(line)

    def _take_part(self, line: Line) -> None:
        """Be where the party is; open a table if it is nowhere."""
        party, now = self._party, self.model.now
        if party.table is not None and now - party.news > _TOO_LONG:
            self.evening.counts["tables given up"] += 1
            party.table = None
        if party.table is None:
            if self._host:
                party.news = now
                line.say(
                    {"type": "open", "game": party.game, "seats": party.size, "start": "full", **party.fields}
                )
        elif party.table not in self._tables:
            if self._plays:
                line.say({"type": "sit", "table": party.table, "key": party.key})
            else:
                line.say({"type": "watch", "table": party.table})

    async def _take(self, line: Line, message: Message) -> None:
        match message["type"]:
            case "opened":
                self._party.table, self._party.key = message["table"], message["key"]
            case "table":
                self._picture(message)
                await self._go_on(line, message)
            case "events":
                self._events(message)
                await self._go_on(line, message)
            case "legal" if message["actions"]:
                await self.think()
                action = self.chance.choice(message["actions"])
                line.say({"type": "act", "table": message["table"], "action": action, "seen": message["seq"]})
            case "error":
                self.evening.counts[f"web refused {message['code']}"] += 1
                if message["code"] == "no_such_table":
                    self.model.lose(f"{self.name} was told of a table that is not there: {message}")
            case _:
                pass

    def _picture(self, message: Message) -> None:
        table = message["table"]
        seen = self._tables.setdefault(table, _Seen())
        known = max(seen.seq, seen.floor)
        if message["seq"] < known:
            self.model.lose(f"{known} events of table {table} were known, its picture has {message['seq']}")
        if message["phase"] == "setup":
            seen.movers = []
        elif message["seq"] != seen.seq:
            seen.movers = None
        seen.seq, seen.stamp, seen.you = message["seq"], message["stamp"], message["you"]
        self.model.stamp(table, seen.seq, message["stamp"], self.name)

    def _events(self, message: Message) -> None:
        table, after, events = message["table"], message["after"], message["events"]
        seen = self._tables.setdefault(table, _Seen())
        if after != seen.seq:
            self.model.lose(
                f"{self.name} had {seen.seq} events of table {table} and hears what is after {after}"
            )
        if after == 0:
            seen.movers = []
        if seen.movers is not None:
            self._follow(seen.movers, events)
        if len(events) == message["seq"] - after:
            for number, event in enumerate(events, after + 1):
                self.model.event(table, number, event, self.name)
        seen.seq, seen.stamp = message["seq"], message["stamp"]
        self.model.stamp(table, seen.seq, message["stamp"], self.name)

    def _follow(self, movers: list[int | None], events: list[Message]) -> None:
        for event in events:
            if event["type"] == "played":
                movers.append(event.get("seat"))
            elif event["type"] == "taken_back":
                self.evening.counts["moves taken back"] += 1
                del movers[event["moves"] :]

    async def _go_on(self, line: Line, message: Message) -> None:
        table = message["table"]
        seen = self._tables[table]
        if self._party.table in (None, table) or message["phase"] != "over":
            self._party.table, self._party.news = table, self.model.now
        if message["phase"] == "over":
            self._after_the_game(line, table, seen, message)
            return
        if message.get("waiting") and seen.you is None and self._plays:
            line.say({"type": "sit", "table": table, "key": self._party.key})
        if seen.you is None or seen.asked == seen.seq or message["phase"] != "playing":
            return
        if seen.you in message["awaited"]:
            seen.asked = seen.seq
            await self._idle_hands(line, table, seen)
            if not self._takes_back(line, table, seen):
                line.say({"type": "legal", "table": table})

    def _takes_back(self, line: Line, table: str, seen: _Seen) -> bool:
        """Their last move, if they play with bots alone; as doubled as a click may be."""
        own = [number for number, seat in enumerate(seen.movers or ()) if seat == seen.you]
        if not own or "bots" not in self._party.fields or self.chance.random() >= _THINKS_AGAIN:
            return False
        for _ in range(2):
            line.say({"type": "take_back", "table": table, "moves": own[-1]})
        return True

    def _after_the_game(self, line: Line, table: str, seen: _Seen, message: Message) -> None:
        ended = any(event["type"] in ("succeeded", "closed") for event in message.get("events", ()))
        if ended or message.get("outcome") is None:
            self._tables.pop(table)
            line.say({"type": "unwatch", "table": table})
            if not any(event["type"] == "succeeded" for event in message.get("events", ())):
                if self._party.table == table:
                    self._party.table = None
                self._take_part(line)
        elif not seen.again and seen.you is not None:
            seen.again = True
            line.say({"type": "rematch", "table": table})

    async def _idle_hands(self, line: Line, table: str, seen: _Seen) -> None:
        await self.think()
        if self.chance.random() < _TALKS:
            line.say(
                {"type": "say", "table": table, "text": f"at {self.model.now:.3f} there were {seen.seq}"}
            )
        self.flood(line, {"type": "ping"})
        if self.chance.random() < _TAKES_ANOTHER_NAME:
            await self._take_another_name()
        if self.chance.random() < _GETS_UP:
            self.evening.counts["seats given up"] += 1
            line.say({"type": "leave", "table": table})
