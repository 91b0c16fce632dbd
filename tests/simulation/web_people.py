"""People at the web door."""

from random import Random
from typing import Any

import msgspec
from tests.simulation.surroundings import BINARY, Call, Surroundings
from tests.simulation.told import Broken
from tests.simulation.web_hearing import Heard, Known
from tests.simulation.web_hearing import heard as heard_in

from gamut.hall.ids import PersonId

_encode = msgspec.json.Encoder().encode
_decode = msgspec.json.Decoder().decode

_CLOCKS: list[dict[str, Any]] = [
    {"kind": "none"},
    {"kind": "none"},
    {"kind": "turn", "limit": 20_000},
    {"kind": "turn", "limit": 3_000},
    {"kind": "bank", "main": 60_000, "increment": 500},
    {"kind": "bank", "main": 2_000},
    {"kind": "overtime", "main": 5_000, "length": 2_000, "periods": 2},
]
_LEVELS = {
    "tower": "casual",
    "parlour": "hasty",
    "topple": "casual",
    "tafl": "casual",
    "powerchess": "casual",
    "acquire": "casual",
}


class WebPerson:
    def __init__(self, world: Surroundings, number: int, twin: "WebPerson | None" = None) -> None:
        self._world = world
        self._twin = twin
        """The same person, at another screen."""
        self._chance: Random = world.chance
        self.label: str = f"web {number}" if twin is None else f"{twin.label} again"
        self._name = f"Guest {number}"
        self._token: str | None = None
        self._person: PersonId | None = None
        self._connection: Call | None = None
        self._welcome = False
        self.tables: dict[str, Known] = {}
        self._aside: dict[str, Known] = {}
        """What this connection followed before; the last of it may still be on its way."""
        self._asked: dict[int, dict[str, Any]] = {}
        self._number = 0

    @property
    def connected(self) -> bool:
        return self._connection is not None and self._connection.open

    # What this person does

    def act(self) -> None:
        if not self.connected:
            self._come()
        elif not self._welcome:
            if self._chance.random() < 0.1:
                self._hang_up()
        elif self._chance.random() < 0.55 and self._play():
            return
        else:
            self._chance.choices(_WHIMS, cum_weights=_WEIGHTS)[0](self)

    def _come(self) -> None:
        if self._twin is not None:
            self._token = self._twin._token
            if self._token is None:
                return
        self._welcome = False
        self._asked.clear()
        self._aside.clear()
        for known in self.tables.values():
            known.seq, known.mine = None, False
            known.asked.clear()
        cookie = self._token if self._chance.random() < 0.5 else None
        self._connection = self._world.call("web", self.label, self._hear, cookie=cookie)
        if cookie is None and self._token is not None:
            self._say("hello", token=self._token)
        elif cookie is None:
            self._say("hello", name=self._name)
        for table, known in list(self.tables.items()):
            self._watch_again(table, known)

    def _watch_again(self, table: str, known: Known) -> None:
        if known.over and self._chance.random() < 0.5:
            del self.tables[table]
        elif self._chance.random() < 0.75:
            since = known.last if self._chance.random() < 0.8 else self._chance.randrange(known.last + 1)
            self._watch(table, known, since)
        elif self._chance.random() < 0.7:
            self._watch(table, known, None)

    def _watch(self, table: str, known: Known, since: int | None) -> None:
        fields: dict[str, Any] = {"table": table, "key": self._world.keys.get(table)}
        if since is not None:
            fields["since"] = since
            known.asked.append(since)
        if self._chance.random() < 0.1:
            fields["glance"] = True
        self._say("watch", **fields)

    def _take_up(self, table: str) -> Known:
        known = self.tables.get(table)
        if known is None:
            known = self.tables[table] = self._aside.get(table) or Known()
            self._aside.pop(table, None)
        return known

    def _put_aside(self, table: str) -> None:
        known = self.tables.pop(table, None)
        if known is not None:
            self._aside[table] = known

    def _hang_up(self) -> None:
        assert self._connection is not None
        self._connection.cut()

    def _say(self, kind: str, **fields: Any) -> None:
        assert self._connection is not None
        message: dict[str, Any] = {"type": kind, **fields}
        if self._chance.random() < 0.5:
            self._number += 1
            message["id"] = self._number
            self._asked[self._number] = message
        self._connection.say(_encode(message))

    def _play(self) -> bool:
        mine = [(table, known) for table, known in self.tables.items() if known.mine]
        if not mine:
            return False
        table, known = self._chance.choice(mine)
        if not known.legal:
            self._say("legal", table=table)
            return True
        action = self._chance.choice(known.legal)
        known.legal = []
        if self._chance.random() < 0.05:
            action = {"type": "place", "tile": self._chance.randrange(30)}
        fields = {"seen": known.last} if self._chance.random() < 0.3 else {}
        self._say("act", table=table, action=action, **fields)
        if self._chance.random() < 0.02:
            self._say("act", table=table, action=action)
        return True

    def _some(self) -> str | None:
        return self._chance.choice(list(self.tables)) if self.tables else None

    def _anything(self) -> str | None:
        """A table that somebody has heard of."""
        return self._world.some_table()

    def _open(self) -> None:
        if len(self.tables) > 4:
            return
        game = self._chance.choice(self._world.games)
        fields: dict[str, Any] = {"game": game, "clock": self._chance.choice(_CLOCKS)}
        seats = 3
        if game == "parlour":
            seats = fields["seats"] = self._chance.choice((2, 3))
            fields["options"] = {
                "hand": self._chance.choice((2, 3)),
                "order": self._chance.choice(("exact", "random")),
            }
        elif game == "topple":
            seats = fields["seats"] = self._chance.choice((2, 3))
            fields["options"] = {
                "x": self._chance.choice((2, 3)),
                "y": 2,
                "penalty": self._chance.choice(("random", "skip", "lose")),
            }
        elif game == "tafl":
            seats = 2
            fields["options"] = {"variant": "brandub"}
        elif game == "acquire":
            seats = fields["seats"] = self._chance.choice((2, 3))
        elif game == "powerchess":
            seats = 2
        fields["start"] = self._chance.choice(("full", "full", "full", "ready", "host", "approval"))
        fields["private"] = self._chance.random() < 0.15
        fields["watchable"] = self._chance.random() < 0.9
        fields["one_chat"] = self._chance.random() < 0.2
        if self._chance.random() < 0.1:
            fields["password"] = "secret"
        bots = self._chance.choice((0, 0, 0, 1, seats - 1, seats - 1))
        fields["bots"] = [_LEVELS[game]] * bots
        self._say("open", **fields)

    def _sit(self) -> None:
        table = self._anything()
        if table is None or len(self.tables) > 6:
            return
        fields: dict[str, Any] = {"table": table}
        if self._chance.random() < 0.6:
            fields["key"] = self._world.keys.get(table)
        if self._chance.random() < 0.3:
            fields["password"] = self._chance.choice(("secret", "wrong"))
        self._take_up(table)
        self._say("sit", **fields)

    def _look(self) -> None:
        table = self._anything() if self._chance.random() < 0.7 else self._some()
        if table is None or (len(self.tables) > 6 and table not in self.tables):
            return
        known = self._take_up(table)
        since = self._chance.choice((None, known.last, 0))
        self._watch(table, known, since)

    def _look_away(self) -> None:
        table = self._some()
        if table is not None:
            self._put_aside(table)
            self._say("unwatch", table=table)

    def _talk(self) -> None:
        number = self._world.new_line()
        if self._chance.random() < 0.4:
            self._say("say", text=f"line {number} in the lobby")
        elif (table := self._some()) is not None:
            room = self._chance.choice(("table", "kibitz"))
            self._say("say", text=f"line {number} at a table", table=table, room=room)

    def _lobby(self) -> None:
        self._say("lobby", follow=self._chance.random() < 0.8)

    def _do(self) -> None:
        """Something that is seldom done, and often refused."""
        table = self._some()
        if table is None:
            return
        seat, phase = self._chance.randrange(3), self.tables[table].phase
        things = _IN_PLAY if phase in ("playing", "paused") else _BEFORE_PLAY
        kind, fields = self._chance.choice(things)
        if kind in ("bot", "unseat", "promote"):
            fields = {**fields, "seat": seat}
        elif kind == "swap":
            fields = {"a": seat, "b": self._chance.randrange(3)}
        elif kind == "configure":
            fields = self._chance.choice(
                ({"clock": self._chance.choice(_CLOCKS)}, {"private": True}, {"options": {"mode": "duel"}})
            )
        self._say(kind, table=table, **fields)

    def _take_back(self) -> None:
        mine = [table for table, known in self.tables.items() if known.you is not None]
        playing = [table for table in mine if self.tables[table].phase == "playing"]
        if not playing:
            return
        table = self._chance.choice(playing)
        known = self.tables[table]
        own = [number for number, seat in enumerate(known.movers or ()) if seat == known.you]
        moves = own[-1] if own else 0
        self._say("take_back", table=table, moves=moves)
        if self._chance.random() < 0.2:
            self._say("take_back", table=table, moves=moves)

    def _rematch(self) -> None:
        for table, known in self.tables.items():
            if known.over and known.you is not None:
                self._say("rematch", table=table)
                return
        self._ready()

    def _ready(self) -> None:
        for table, known in self.tables.items():
            if known.phase == "setup" and known.you is not None:
                self._say(self._chance.choice(("ready", "start")), table=table)
                return

    def _ping(self) -> None:
        self._say("ping")

    def _be_rude(self) -> None:
        """Something that this protocol does not have."""
        assert self._connection is not None
        self._connection.say(b"\0", BINARY)

    def _be_slow(self) -> None:
        """For a while this client does not read."""
        assert self._connection is not None
        self._connection.leave_unread(self._chance.choice((0, 0, 100_000)))

    # What this person hears

    def _hear(self, kind: int, body: bytes) -> None:
        heard = heard_in(body)
        told = self._world.told
        match heard.type:
            case "events":
                self._events(heard)
            case "table":
                self._picture(body)
            case "welcome":
                self._welcomed(heard)
            case "opened":
                told.opened(heard.table, heard.key or "")
                self._world.heard_of(heard.table, heard.key)
                self._take_up(heard.table)
            case "continued":
                told.moved(heard.table, heard.to)
                self._put_aside(heard.table)
                self._take_up(heard.to)
            case "legal":
                told.knows(heard.table, heard.seq)
                known = self.tables.get(heard.table)
                if known is not None:
                    known.legal, known.mine = heard.actions, bool(heard.actions)
            case "lobby" | "lobby_changed":
                self._lobby_told(heard)
            case "ok":
                self._taken(heard.id)
            case "error":
                self._refused(heard)
        if heard.id is not None:
            self._asked.pop(heard.id, None)

    def _welcomed(self, heard: Heard) -> None:
        self._welcome = True
        if self._person not in (None, heard.person):
            raise Broken(f"{self.label} was {self._person} and is welcomed as {heard.person}")
        self._person = PersonId(heard.person)
        if heard.token is not None:
            self._token = heard.token

    def _refused(self, heard: Heard) -> None:
        if heard.code == "name_taken":
            # The answer to the first hello was never heard.
            self._name += "x"
            self._hang_up()
        elif heard.code in ("bad_token", "damaged"):
            raise Broken(f"{self.label} was refused: {heard.message}")

    def _taken(self, id: int | None) -> None:
        message = self._asked.get(id or 0)
        if message is not None and message["type"] == "say" and message.get("table") is not None:
            self._world.told.table(message["table"]).words[message["text"]] = self._person

    def _events(self, heard: Heard) -> None:
        told = self._world.told
        known = self.tables.get(heard.table) or self._aside.get(heard.table)
        told.events(
            heard.table, heard.after, heard.seq, self._person, heard.events, heard.outcome is not None
        )
        told.times(heard.table, heard.now, heard.phase, heard.times)
        if heard.outcome is not None:
            told.ended(heard.table, heard.outcome)
        if known is None:
            raise Broken(f"{self.label} was told of table {heard.table}, and had not asked")
        if heard.after == known.seq:
            pass
        elif heard.after in known.asked:
            known.asked.remove(heard.after)  # what this connection has heard already, if it wanted to
        else:
            raise Broken(
                f"{self.label} had heard event {known.seq} of table {heard.table}, and was told those "
                f"after {heard.after}"
            )
        known.happened(heard.after, heard.seq, heard.events)
        known.seq = heard.seq
        known.last = max(known.last, heard.seq)
        known.legal = []
        self._stands(known, heard.phase, heard.awaited, heard.waiting)

    def _picture(self, body: bytes) -> None:
        picture = _decode(body)
        table = picture["table"]
        told = self._world.told
        known = self.tables.get(table) or self._aside.get(table)
        if known is None:
            raise Broken(f"{self.label} was shown table {table}, and had not asked")
        assert self._person is not None
        told.picture(self._person, picture)
        told.times(table, picture["now"], picture["phase"], picture["times"])
        if picture.get("outcome") is not None:
            told.ended(table, picture["outcome"])
        self._world.heard_of(table, picture.get("key"))
        if picture["phase"] == "setup":
            known.movers = []
        elif picture["seq"] != known.last:
            known.movers = None
        known.seq = known.last = picture["seq"]
        known.you, known.game = picture["you"], picture["game"]
        known.seats = len(picture["seats"])
        self._stands(known, picture["phase"], picture["awaited"], picture.get("waiting", []))

    def _stands(self, known: Known, phase: str, awaited: list[int], waiting: list[int]) -> None:
        known.phase, known.over = phase, phase == "over"
        known.mine = phase == "playing" and known.you in awaited and not waiting

    def _lobby_told(self, heard: Heard) -> None:
        told = self._world.told
        for raw in (*heard.tables, *heard.changed):
            summary = bytes(raw)
            table = _decode(summary)["id"]
            told.summary(table, summary)
            self._world.heard_of(table, None)
        for raw in heard.said:
            told.line(bytes(raw))

    def crashed(self) -> None:
        self._connection = None

    # At the end

    def read_on(self) -> None:
        if self._connection is not None:
            self._connection.leave_unread(0)

    def has_answers(self) -> None:
        """Whatever was said with a number has an answer by now."""
        if self.connected and self._asked:
            raise Broken(f"{self.label} has got no answer to {list(self._asked.values())}")


_Thing = tuple[str, dict[str, Any]]
_BEFORE_PLAY: list[_Thing] = [
    ("leave", {}),
    ("bot", {"level": "casual"}),
    ("bot", {"level": "hasty"}),
    ("unseat", {}),
    ("unseat", {"bar": False}),
    ("swap", {}),
    ("swap", {}),
    ("call_off", {}),
    ("ready", {"ready": True}),
    ("ready", {"ready": False}),
    ("start", {}),
    ("promote", {}),
    ("configure", {}),
    ("configure", {}),
    ("act", {"action": {"type": "place", "tile": 3}}),
    ("nonsense", {}),
]
_IN_PLAY: list[_Thing] = [
    ("leave", {}),
    ("unseat", {}),
    ("promote", {}),
    ("export", {}),
    ("resign", {}),
    ("flag", {}),
    ("draw", {"accept": True}),
    ("draw", {"accept": True}),
    ("draw", {"accept": False}),
    ("pause", {}),
    ("pause", {}),
    ("resume", {}),
    ("resume", {}),
    ("resume", {}),
    ("legal", {}),
    ("act", {"action": {"type": "place", "tile": 3}}),
]
_WEIGHED = (
    (WebPerson._open, 10),
    (WebPerson._sit, 18),
    (WebPerson._look, 8),
    (WebPerson._look_away, 2),
    (WebPerson._talk, 10),
    (WebPerson._lobby, 3),
    (WebPerson._do, 12),
    (WebPerson._take_back, 12),
    (WebPerson._rematch, 12),
    (WebPerson._ready, 6),
    (WebPerson._ping, 1),
    (WebPerson._be_slow, 4),
    (WebPerson._hang_up, 5),
    (WebPerson._be_rude, 1),
)
_WHIMS = [whim for whim, _ in _WEIGHED]
_WEIGHTS = [sum(weight for _, weight in _WEIGHED[: number + 1]) for number in range(len(_WEIGHED))]
