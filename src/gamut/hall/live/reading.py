"""Reading a table once for all who ask for it while that goes on."""

import asyncio
from collections.abc import Awaitable, Callable
from typing import Generic, TypeVar

from gamut.games.game import Refused
from gamut.hall.ids import TableId
from gamut.hall.live.live_table import LiveTable
from gamut.hall.store.storage import LedgerError

Read = TypeVar("Read", bound=LiveTable)


class Reading(Generic[Read]):
    """A caller that gives up waiting does not stop the reading for the others.

    Those who wait get the table. Nothing here keeps a reference to it afterwards.
    """

    def __init__(self, read: Callable[[TableId], Awaitable[Read | None]]) -> None:
        self._read = read
        self._queues: dict[TableId, list[asyncio.Future[Read | None]]] = {}
        self._tasks: set[asyncio.Task[None]] = set()

    def is_under_way(self, table_id: TableId) -> bool:
        return table_id in self._queues

    async def table(self, table_id: TableId) -> Read | None:
        waiter: asyncio.Future[Read | None] = asyncio.get_running_loop().create_future()
        waiting = self._queues.get(table_id)
        if waiting is None:
            self._queues[table_id] = [waiter]
            task = asyncio.ensure_future(self._answer(table_id))
            self._tasks.add(task)
            task.add_done_callback(self._tasks.discard)
        else:
            waiting.append(waiter)
        return await waiter

    async def _answer(self, table_id: TableId) -> None:
        try:
            live = await self._read(table_id)
        except BaseException as error:
            # Whatever it is, it is told to those who wait for the table.
            for waiter in self._waiters(table_id):
                waiter.set_exception(error)
            if not isinstance(error, (Refused, LedgerError)):
                raise
        else:
            for waiter in self._waiters(table_id):
                waiter.set_result(live)

    def _waiters(self, table_id: TableId) -> list["asyncio.Future[Read | None]"]:
        return [waiter for waiter in self._queues.pop(table_id) if not waiter.done()]
