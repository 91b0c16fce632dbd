"""Recorded conversations of the Power Chess protocol, over real sockets and on the server's clock."""

import json
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from time import monotonic
from typing import Any
from unittest.mock import patch

import pytest
from tests.net.support.powerchess_clients import Club, Message, PowerClient, in_a_club

from gamut.hall.table import commands as c
from gamut.net import timekeeper

SCENARIOS = json.loads((Path(__file__).parents[2] / "vectors" / "powerchess" / "sessions.json").read_text())[
    "scenarios"
]


_TIME = 2
_QUICK = 300.0
"""Seconds on the clock of these games."""


@contextmanager
def _later(seconds: float) -> Iterator[None]:
    """The server's clock shows this much more."""
    with patch.object(timekeeper, "monotonic", lambda: monotonic() + seconds):
        yield


class Names:
    """What the server chose, by the name that the record has for it."""

    def __init__(self) -> None:
        self._known: dict[str, Any] = {}

    def said(self, value: Any) -> Any:
        """What is to be said, with the server's choices in it."""
        if isinstance(value, dict):
            return {self.said(name): self.said(part) for name, part in value.items()}
        if isinstance(value, str) and value.startswith("$"):
            return str(self._known[value[:-1]]) if value.endswith("s") else self._known[value]
        return value

    def matches(self, expected: Any, heard: Any) -> bool:
        """Whether that was to be heard. What comes besides does not matter."""
        if isinstance(expected, str) and expected.startswith("$") and not expected.endswith("s"):
            return bool(self._known.setdefault(expected, heard) == heard) and type(heard) is int
        if isinstance(expected, dict):
            wanted = {
                self.said(name) if name.startswith("$") else name: part for name, part in expected.items()
            }
            return isinstance(heard, dict) and all(
                name in heard and self.matches(part, heard[name]) for name, part in wanted.items()
            )
        return type(expected) is type(heard) and bool(expected == heard)


def in_order(message: Message) -> Message:
    updates = message.get("updates")
    if isinstance(updates, list):
        message["updates"] = sorted(updates, key=lambda entry: (entry["row"], entry["col"]))
    return message


class Stage:
    def __init__(self, club: Club) -> None:
        self._club = club
        self._names = Names()
        self._people: dict[str, PowerClient] = {}
        self._at_home: set[str] = set()
        self._gone: set[str] = set()

    async def play(self, step: dict[str, Any]) -> None:
        # The record leaves out how a player's time runs out who then says so.
        if step.get("send", {}).get("reason") == _TIME:
            with _later(_QUICK):
                await self._play(step)
        else:
            await self._play(step)

    async def _play(self, step: dict[str, Any]) -> None:
        who = step.get("client", "")
        if "connect" in step:
            self._people[who] = await self._club.client(step["connect"])
            if step["connect"].endswith("/home"):
                self._at_home.add(who)
        elif "send" in step:
            await self._people[who].send(self._names.said(step["send"]))
        elif "raw" in step:
            await self._people[who].raw(step["raw"])
        elif "close" in step:
            await self._people[who].socket.close()
            self._gone.add(who)
        else:
            self._clocks_show(step["advance_clock_s"])
        for name, messages in step.get("expect", {}).items():
            for expected in messages:
                heard = in_order(await self._people[name].receive())
                assert self._names.matches(expected, heard), (step, heard)
                if expected["type"] == 1 and "playerId" not in expected:
                    assert "playerId" not in heard, "its client would take it for its own"
        for name, person in self._people.items():
            if name not in self._at_home | self._gone:
                await person.hears_nothing()

    def _clocks_show(self, seconds: float) -> None:
        hall = self._club.server.hall
        with _later(seconds):
            for live in list(hall.live.values()):
                hall.do(live, c.Tick())

    async def end(self) -> None:
        """When the server goes everything ends, and nobody has heard anything else."""
        self._club.server.connections.stop()
        for name, person in self._people.items():
            if name not in self._gone:
                heard = await person.rest()
                assert heard == [], (name, heard)


@pytest.mark.parametrize("path", ["", "/powerchess"])
@pytest.mark.parametrize("scenario", SCENARIOS, ids=lambda scenario: scenario["name"])
def test_the_server_says_what_was_recorded_and_nothing_else(
    tmp_path: Path, scenario: dict[str, Any], path: str
) -> None:
    async def story(club: Club) -> None:
        stage = Stage(club)
        for step in scenario["steps"]:
            there = {"connect": path + step["connect"]} if "connect" in step else {}
            await stage.play({**step, **there})
        await stage.end()

    in_a_club(tmp_path / "data", story)
