"""The hall with the Topple door added and no sockets: clients connect by a query, and read texts and boards."""

from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from typing import Any

import msgspec
from tests.doors.support.inn import QUICK, Connected, Inn

from gamut.doors.offer import Newcomer
from gamut.doors.topple.door import ToppleDoor, ToppleSettings
from gamut.doors.topple.session import ToppleSession
from gamut.games.game import AnyGame
from gamut.games.topple.rules import Topple
from gamut.hall.live.live_table import LiveTable
from gamut.hall.settings import HallSettings

Message = dict[str, Any]
SECRET = "a secret of these tests"
HOME, ABROAD = "192.0.2.7", "198.51.100.8"
"""Where clients are if nothing else is said, and another place."""


def frames(data: bytes) -> Iterator[Any]:
    """The messages in what was written: texts as JSON, binary ones as bytes."""
    while data:
        assert data[0] in (0x81, 0x82), "whole frames"
        size, head = data[1], 2
        assert size < 128, "a server does not mask"
        if size >= 126:
            head = 4 if size == 126 else 10
            size = int.from_bytes(data[2:head], "big")
        assert len(data) >= head + size
        body = data[head : head + size]
        yield msgspec.json.decode(body) if data[0] == 0x81 else body
        data = data[head + size :]


def message(kind: str, /, **payload: Any) -> Message:
    return {"type": kind, "payload": payload}


def soft(code: int) -> Any:
    """A soft error of this code, whatever it says."""
    return _SoftError(code)


class _SoftError:
    def __init__(self, code: int) -> None:
        self._code = code

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, dict) or other.get("type") != "error":
            return False
        payload = other["payload"]
        return bool(
            payload["code"] == self._code
            and payload["message"]
            and payload["redirect"] is None
            and payload["store"] is None
            and len(payload) == 4
        )

    def __repr__(self) -> str:
        return f"soft({self._code})"

    __hash__ = None  # type: ignore[assignment]


class Client(Connected):
    """One connection at the Topple door."""

    inn: "ToppleInn"
    session: ToppleSession

    def __init__(self, inn: "ToppleInn", query: str, address: str = HOME) -> None:
        super().__init__(inn, lambda wire: ToppleSession.new(inn.topple, wire, Newcomer(address, query)))

    def _told(self, data: bytes) -> list[Any]:
        return list(frames(data))

    def say(self, kind: str, /, **payload: Any) -> list[Any]:
        """Say something; what comes of it at once."""
        return self.raw_say(msgspec.json.encode(message(kind, **payload)))

    def say_binary(self, data: bytes) -> list[Any]:
        self.inn.run(self.session.binary(data))
        self.inn.settle()
        return self.read()


class Seated(Client):
    """A player or spectator whose coming in has been read."""

    def __init__(self, inn: "ToppleInn", query: str, address: str = HOME) -> None:
        super().__init__(inn, query, address)
        self.heard = self.read()

    def payload(self, kind: str) -> Message:
        """Of the last message of this type that was heard on the way in."""
        found = [m["payload"] for m in self.heard if isinstance(m, dict) and m["type"] == kind]
        return dict(found[-1])

    @property
    def room(self) -> str:
        return str(self.payload("game:roomid")["g"])

    @property
    def key(self) -> str:
        return str(self.payload("key:rejoin")["key"])

    @property
    def number(self) -> int:
        return int(self.payload("player:ownid")["n"])


class ToppleInn(Inn):
    def __init__(
        self, settings: HallSettings = QUICK, topple: ToppleSettings | None = None, bots: Any = None
    ) -> None:
        self._topple_settings = topple
        super().__init__(settings, bots)

    def _more_games(self) -> Mapping[str, AnyGame]:
        return {"topple": Topple()}

    def _open_doors(self) -> None:
        self.topple = ToppleDoor(
            self.hall, SECRET, self.people.check_unregistered, self._topple_settings, self.people.account_of
        )

    def connect(self, query: str, address: str = HOME) -> Client:
        return Client(self, query, address)

    def seated(self, query: str, address: str = HOME) -> Seated:
        return Seated(self, query, address)

    def create(self, query: str = "t=1&s=1&d=0,3,3&p=3", **rules: Any) -> Seated:
        """The creator of a room, who has said these rules."""
        creator = Seated(self, query)
        creator.heard += creator.say("game:rules", **rules)
        return creator

    def join(self, room: str, address: str = HOME) -> Seated:
        return Seated(self, f"t=0&g={room}", address)

    def watch(self, room: str, address: str = HOME) -> Seated:
        return Seated(self, f"t=4&g={room}", address)

    def rejoin(self, room: str, number: int, key: str) -> Seated:
        return Seated(self, f"t=3&g={room}&i={number}&k={key}")

    def table(self, room: str) -> LiveTable:
        live = self.run(self.hall.find("topple", room))
        self.settle()
        assert isinstance(live, LiveTable)
        return live

    def playing(self, players: int = 2, query: str = "t=1&s=1&d=0,3,3&p=3", **rules: Any) -> list[Seated]:
        """A game that has begun; everything said so far has been read. The first is host."""
        host = self.create(query, **rules)
        people = [host, *(self.join(host.room) for _ in range(players - 1))]
        host.say("waiting:start")
        for person in people:
            person.read()
        return people


@contextmanager
def topple_inn(**options: Any) -> Iterator[ToppleInn]:
    house = ToppleInn(**options)
    try:
        yield house
    finally:
        house.close()
