"""Clients of Topple in the town that know what it means to be sent elsewhere."""

from collections.abc import Mapping
from functools import partial
from typing import Any

import msgspec
from tests.cluster.support.town import Client, Town
from tests.doors.support.topple_inn import frames, message

from gamut.doors.offer import Newcomer
from gamut.games.topple.events import Moved
from gamut.hall.live.live_table import LiveTable
from gamut.hall.table.events import Played

HOLD, CONT, DYNG = message("CONN:HOLD"), message("CONN:CONT"), message("CONN:DYNG")


class ToppleClient(Client):
    def __init__(self, town: Town, query: str, gateway: int = 0) -> None:
        super().__init__(town, town.entrances[gateway], "topple", Newcomer("127.0.0.1", query))
        self.heard = self.read()

    def read(self) -> list[Any]:
        new, self._read = self.wire.data[self._read :], len(self.wire.data)
        return list(frames(new))

    def utters(self, kind: str, /, **payload: Any) -> Any:
        """Say something, and do not wait for anything that comes of it."""
        return self.utter(**message(kind, **payload))

    def says(self, kind: str, /, **payload: Any) -> list[Any]:
        self.utters(kind, **payload)
        self.town.settle()
        return self.read()

    def payload(self, kind: str) -> Any:
        """Of the last message of this type that was heard on the way in."""
        return [m["payload"] for m in self.heard if isinstance(m, dict) and m["type"] == kind][-1]

    @property
    def room(self) -> str:
        return str(self.payload("game:roomid")["g"])

    @property
    def back(self) -> str:
        """As a client comes back by itself."""
        seat = self.payload("key:rejoin")
        return f"t=3&g={seat['g']}&i={seat['p']}&k={seat['key']}"

    def follow(self, switch: Any, gateway: int = 1) -> "ToppleClient":
        """Do what the protocol asks for: hang up at once, come there with `P`, and say each of `D`."""
        assert switch["type"] == "CONN:SWCH"
        assert self.closed
        self.hang_up()
        there = ToppleClient(self.town, switch["payload"]["P"], gateway)
        for text in switch["payload"]["D"]:
            self.town.run(partial(there.session.text, text.encode()))
        self.town.settle()
        there.heard += there.read()
        return there


def playing(
    place: Town,
    gateways: tuple[int, int] = (0, 1),
    query: str = "t=1&d=0,4,4&p=2",
    rules: Mapping[str, Any] | None = None,
) -> Any:
    """Two players whose game has begun; everything said so far has been read."""
    host = ToppleClient(place, query, gateways[0])
    host.heard += host.says("game:rules", **(rules or {}))
    other = ToppleClient(place, f"t=0&g={host.room}", gateways[1])
    host.says("waiting:start")
    other.read()
    return host, other


def table(place: Town, room: str) -> LiveTable:
    assert place.node is not None
    hall = place.node.hall
    return hall.live[hall.register.rooms["topple", room]]


def moves(place: Town, room: str) -> list[int]:
    """Where pieces were placed, as the log has it."""
    played = [event for event in table(place, room).whole_log if type(event) is Played]
    return [each.tile for event in played for each in event.events if type(each) is Moved]


def text(kind: str, /, **payload: Any) -> str:
    return msgspec.json.encode(message(kind, **payload)).decode()
