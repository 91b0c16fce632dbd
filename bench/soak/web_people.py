"""People on the page: they open tables, play, talk, watch, leave, come back, reload, and want rematches."""

from typing import Any

from bench.attacks.sockets import Message
from bench.attacks.target import Target
from bench.soak.line import Line
from bench.soak.person import Evening, Person

_TALKS = 0.1
_RELOADS = 0.2
_GETS_UP = 0.01
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


class WebPerson(Person):
    """One of a party. Old pages say `since` when they come back, new ones also its stamp."""

    def __init__(
        self, evening: Evening, name: str, party: Party, *, host: bool, new: bool, plays: bool = True
    ) -> None:
        super().__init__(evening, name)
        self._party = party
        self._host = host
        self._new = new
        self._plays = plays
        self._token: str | None = None
        self._person: str | None = None
        self._tables: dict[str, _Seen] = {}

    async def visit(self, target: Target) -> None:
        line = await self.connect(target, "/hall")
        try:
            await self._come_in(line)
            while True:
                await self._take(line, await line.receive())
        finally:
            line.abort()

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
            self._token, self._person = welcome["token"], welcome["person"]
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
        seen.seq, seen.stamp, seen.you = message["seq"], message["stamp"], message["you"]
        self.model.stamp(table, seen.seq, message["stamp"], self.name)

    def _events(self, message: Message) -> None:
        table, after, events = message["table"], message["after"], message["events"]
        seen = self._tables.setdefault(table, _Seen())
        if after != seen.seq:
            self.model.lose(
                f"{self.name} had {seen.seq} events of table {table} and hears what is after {after}"
            )
        if len(events) == message["seq"] - after:
            for number, event in enumerate(events, after + 1):
                self.model.event(table, number, event, self.name)
        seen.seq, seen.stamp = message["seq"], message["stamp"]
        self.model.stamp(table, seen.seq, message["stamp"], self.name)

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
            line.say({"type": "legal", "table": table})

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
        if self.chance.random() < _GETS_UP:
            self.evening.counts["seats given up"] += 1
            line.say({"type": "leave", "table": table})
