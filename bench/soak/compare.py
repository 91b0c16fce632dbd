"""Whether the server still tells everything that somebody was told: after each start, before anybody comes."""

from random import Random
from typing import Any

from bench.attacks.target import Target
from bench.soak.asking import body, fetch
from bench.soak.model import OVER, Game, Model, Table, canonical

_PAGE = 100
_OLD = 60
"""So many of those that were compared before and of which nothing was told since are compared once more."""


class Comparison:
    def __init__(self, model: Model, target: Target, chance: Random) -> None:
        self._model = model
        self._target = target
        self._chance = chance
        self._logs: dict[str, list[Any]] = {}

    async def all(self, *, old: bool) -> None:
        """With everything of old, or some of it."""
        await self._index()
        await self._find_games()
        tables = self._model.tables
        fresh = [id for id, table in tables.items() if table.unchecked]
        rest = [id for id, table in tables.items() if not table.unchecked]
        chosen = fresh + (rest if old else self._chance.sample(rest, min(_OLD, len(rest))))
        for id in chosen:
            await self._table(id, tables[id])
        await self._files(old=old)

    async def _index(self) -> None:
        """Which tables there are, so that games of rooms can be found."""
        for state in ("open", "finished"):
            before = ""
            while True:
                page = await fetch(self._target, f"/api/tables?state={state}&limit={_PAGE}{before}")
                if page is None:
                    self._model.lose(f"the list of {state} tables cannot be read")
                    return
                new = False
                for summary in page:
                    known = self._model.rooms.setdefault(summary.get("room", summary["id"]), set())
                    new = new or summary["id"] not in known
                    known.add(summary["id"])
                if len(page) < _PAGE or not (new or state == "open"):
                    break
                before = f"&before={page[-1]['id']}"

    async def _find_games(self) -> None:
        """The tables of what was heard in rooms."""
        games, self._model.games = self._model.games, []
        for game in games:
            if not await self._found(game):
                events = {table: len(self._logs[table]) for table in self._model.rooms.get(game.room, ())}
                self._model.lose(f"no table of room {game.room!r} ({events} events) has {game}", game)

    async def _found(self, game: Game) -> bool:
        for table in sorted(self._model.rooms.get(game.room, ()), reverse=True):
            if game.is_in(await self._log(table)):
                game.table = table
                known = self._model.table(table)
                known.games.append(game)
                known.unchecked = True
                return True
        return False

    async def _log(self, table: str) -> list[Any]:
        if table not in self._logs:
            answer = await fetch(self._target, f"/api/tables/{table}/log")
            if answer is None:
                self._model.lose(f"the log of table {table} cannot be read")
            else:
                self._model.summary(answer["table"], "the comparison")
            self._logs[table] = [] if answer is None else answer["events"]
        return self._logs[table]

    async def _table(self, id: str, table: Table) -> None:
        log = await self._log(id)
        if not log and (table.events or table.stamps):
            told = next(iter((*table.events.values(), *table.stamps.values())))
            self._model.lose(f"table {id} is gone, of which {len(table.events)} events were known", told)
            del self._model.tables[id]
            return
        self._model.compared += len(table.events) + len(table.stamps) + len(table.games)
        for number, told in table.events.items():
            now = canonical(log[number - 1]) if number <= len(log) else b"nothing"
            if now != told.what:
                self._model.lose(f"event {number} of table {id} was {told.what!r} and is {now!r}", told)
        for seq, told in table.stamps.items():
            if seq > len(log):
                self._model.lose(f"table {id} had {seq} events and has {len(log)}", told)
        for game in table.games:
            if not game.is_in(log) or (game.over and not _is_over(table)):
                self._model.lose(f"table {id} of room {game.room!r} has no longer {game}", game)
        table.unchecked = False
        if _is_over(table):
            # Nothing more happens there: what was told of it is in its log, and stays to be looked at.
            table.stamps = {seq: told for seq, told in table.stamps.items() if seq == max(table.stamps)}

    async def _files(self, *, old: bool) -> None:
        paths = list(self._model.files)
        for path in paths if old else self._chance.sample(paths, min(_OLD, len(paths))):
            self._model.compared += 1
            self._model.file(path, await body(self._target, path) or b"", "the comparison")


def _is_over(table: Table) -> bool:
    return table.summary is not None and table.summary.what[0] == OVER
