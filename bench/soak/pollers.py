"""Those who only read, over HTTP, and believe what they read."""

import asyncio
from random import Random

import msgspec

from bench.attacks.power_lines import long_line
from bench.attacks.requests import post
from bench.attacks.target import Target
from bench.soak.asking import body, fetch
from bench.soak.model import Model

_EVERY = 0.15
_ROOM = "soak"
_SOME = 3
_OK = 200


class Poller:
    """Lists, tables, logs, rooms, replays and positions, one after another.

    Tables of others than our people are nobody's business: who sat there may want to be forgotten.
    """

    def __init__(self, model: Model, chance: Random) -> None:
        self._model = model
        self._chance = chance
        self._codes: set[str] = set()
        """Rooms of Topple clients that were on the list."""
        self._line = long_line(1)
        self._cookie = ""

    async def read(self, target: Target) -> None:
        """Until cancelled."""
        while True:
            await self._tables(target)
            await asyncio.sleep(_EVERY)
            await self._rooms(target)
            await asyncio.sleep(_EVERY)
            await self._positions(target)
            await asyncio.sleep(_EVERY)

    async def _tables(self, target: Target) -> None:
        state = self._chance.choice(("open", "finished"))
        floor = {id: table.summary for id, table in self._model.tables.items()}
        for summary in await fetch(target, f"/api/tables?state={state}&limit=100") or ():
            if summary["id"] in self._model.tables or summary.get("room", "").startswith(_ROOM):
                self._model.summary(summary, "a poller of lists", in_a_list=True)
        for id in self._chance.sample(list(floor), min(_SOME, len(floor))):
            summary = await fetch(target, f"/api/tables/{id}")
            if summary is not None:
                self._model.summary(summary, "a poller of tables")
            log = await fetch(target, f"/api/tables/{id}/log")
            if log is not None:
                for number, event in enumerate(log["events"], 1):
                    self._model.event(id, number, event, "a poller of logs")

    async def _rooms(self, target: Target) -> None:
        for room in await fetch(target, "/serverlist") or ():
            if room["ident"] in self._model.rooms_of_one_game:
                self._model.listing(room["ident"], room["phase"], "a poller of rooms")
                self._codes.add(room["ident"])
        for code in self._chance.sample(sorted(self._codes), min(_SOME, len(self._codes))):
            path = f"/replays/{code}.topl"
            found = await body(target, path)
            if found is not None:
                self._model.file(path, found, "a poller of replays")

    async def _positions(self, target: Target) -> None:
        """As whoever reviews a game of Power Chess and plays on: all that happened is told back."""
        if not self._cookie:
            guest = await post(target, "/api/guest", {"name": "a poller of positions", "numbered": True})
            self._cookie = guest.cookie
        moves = self._chance.randrange(len(self._line))
        question = {"actions": self._line[:moves]}
        answer = await post(target, "/api/powerchess/position", question, cookie=self._cookie)
        if answer.status == _OK:
            self._model.answer(moves, msgspec.json.decode(answer.body), "a poller of positions")
