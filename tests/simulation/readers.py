"""Whoever reads over HTTP: lists, summaries and logs, each as the server's own handlers make them."""

import asyncio
from typing import TYPE_CHECKING

import msgspec

from gamut.hall.ids import TableId
from gamut.hall.lobby.summary import summary_from, summary_of
from gamut.net.http.durable import log_of

if TYPE_CHECKING:
    from tests.simulation.world import Server, World

_encode = msgspec.json.Encoder().encode


class _Answer(msgspec.Struct):
    seq: int
    events: list[msgspec.Raw]


_answer = msgspec.json.Decoder(_Answer).decode


class Reader:
    """An answer is made when it is asked for, and leaves when all that had happened by then is durable."""

    def __init__(self, world: "World", number: int) -> None:
        self._world = world
        self.label = f"reader {number}"
        self._asking: asyncio.Task[None] | None = None

    def act(self) -> None:
        if self._asking is None or self._asking.done():
            what = self._world.chance.choice((self._lists, self._log, self._log))
            self._asking = self._world.tasks.loop.create_task(what(self._world.server))

    async def _lists(self, server: "Server") -> None:
        hall = server.hall
        listed = [
            (summary.id, _encode(summary)) for summary in hall.lobby.tables.values() if not summary.deserted
        ]
        shown = server.topple.rooms.listed()
        await hall.durable()
        for table, summary in listed:
            self._world.told.summary(table, summary)
        for room in shown:
            self._world.heard_of_room(room.ident)
        entries = await hall.run_blocking(hall.storage.finished, None, None, 5)
        await hall.durable()
        for entry in entries:
            self._world.told.summary(entry.table, _encode(summary_from(hall.games.get(entry.game), entry)))

    async def _log(self, server: "Server") -> None:
        table = self._world.some_table()
        hall = server.hall
        live = None if table is None else await hall.look(TableId(table))
        if live is None:
            return
        summary, over = (
            _encode(summary_of(live.game, live.table, hall.faults)),
            live.table.outcome is not None,
        )
        pieces = [piece async for piece in log_of(live, None, [("seq", live.table.seq)])]
        await hall.durable()
        answer = _answer(b"".join(pieces))
        self._world.told.summary(live.id, summary)
        self._world.told.events(live.id, 0, answer.seq, None, answer.events, over)

    def crashed(self) -> None:
        self._asking = None
