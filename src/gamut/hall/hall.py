"""The hall: all tables and people of this server."""

import asyncio
import logging
from collections import Counter
from collections.abc import Callable, Mapping
from contextlib import suppress
from random import Random
from typing import Any

import msgspec

from gamut.games.game import AnyGame, Refused, Seat
from gamut.hall.alarms import Alarms
from gamut.hall.audience import Listener, News
from gamut.hall.bots import BotRunner
from gamut.hall.checksum import START, chained
from gamut.hall.ids import Millis, PersonId, TableId, TableIds, new_key
from gamut.hall.journal import Journal
from gamut.hall.live import LiveTable
from gamut.hall.lobby import REMEMBERED, TALK, Lobby
from gamut.hall.opening import Opening
from gamut.hall.option_checks import OptionChecks
from gamut.hall.slow_work import SlowWork, SlowWorkSettings
from gamut.hall.storage import DamagedLog, Row, Storage
from gamut.hall.succession import go_on
from gamut.hall.summary import summary_from
from gamut.hall.table import codec
from gamut.hall.table import commands as c
from gamut.hall.table import events as e
from gamut.hall.table.beginning import parsed_options
from gamut.hall.table.decide import decide, rematch_agreed
from gamut.hall.table.draft import Manners
from gamut.hall.table.evolve import opened, replayed
from gamut.hall.table.presence import may_be_due, next_deadline
from gamut.hall.table.seats import BotSitter, Sitter
from gamut.hall.table.state import Table
from gamut.hall.thinking import Thinking
from gamut.hall.time import Timekeeper

log = logging.getLogger("gamut.hall")

_first = msgspec.json.Decoder(e.Opened)

# These say nothing new to the lobby; everything else changes what it shows.
_QUIET = frozenset(
    (e.Played, e.Said, e.Dropped, e.Returned, e.Readied, e.DrawOffered, e.DrawDeclined, e.RematchWanted)
)


class HallSettings(msgspec.Struct, frozen=True, kw_only=True):
    manners: Manners = Manners()
    tables_per_person: int = 20
    most_tables: int = 50_000
    watchers_per_table: int = 1000
    bot_delay: Millis = Millis(300)
    """A bot that answers at once feels like a wall; this long it seems to look at the board."""
    slow_work: SlowWorkSettings = SlowWorkSettings()
    idle_after: Millis = Millis(300_000)
    """A table nobody looks at leaves the memory after this long; the ledger keeps it."""


class Hall:
    def __init__(
        self,
        *,
        games: Mapping[str, AnyGame],
        storage: Storage,
        journal: Journal,
        time: Timekeeper,
        bots: BotRunner,
        chance: Random,
        settings: HallSettings,
        run_blocking: Callable[..., Any],
    ) -> None:
        self.games = games
        self.storage = storage
        self.journal = journal
        self.time = time
        self.settings = settings
        self._chance = chance
        self._alarms = Alarms(time, self._ring)
        self._thinking = Thinking(bots, time, settings.bot_delay, chance, self._bot_acts)
        self.run_blocking = run_blocking
        self.slow_work = SlowWork(run_blocking, time.now, settings.slow_work)
        self.option_checks = OptionChecks(self.slow_work)
        self._decoders = {name: codec.Decoder(game) for name, game in games.items()}
        self._ids = TableIds()
        self.live: dict[TableId, LiveTable] = {}
        self._loading: dict[TableId, asyncio.Future[LiveTable | None]] = {}
        self.rooms: dict[tuple[str, str], TableId] = {}
        self.seated: dict[PersonId, set[TableId]] = {}
        self.unfinished: dict[TableId, Millis] = {}
        """Every table that is not over, and when something happened there that the lobby shows."""
        self.connected: Counter[PersonId] = Counter()
        self.refusals: Counter[str] = Counter()
        self.lobby = Lobby(journal, time, lambda: len(self.connected))

    # Coming back after a stop

    async def start(self) -> None:
        """Take up every unfinished table. Only those where something happens by itself are read at once."""
        entries = await self.run_blocking(self.storage.unfinished)
        self.lobby.remember(await self.run_blocking(self.storage.tail, TALK, REMEMBERED))
        for entry in entries:
            if entry.game not in self.games:
                log.error(
                    "table of an unknown game left alone", extra={"table": entry.table, "game": entry.game}
                )
                continue
            try:
                summary = summary_from(self.games[entry.game], entry)
            except msgspec.DecodeError as error:
                log.error("damaged note", extra={"table": entry.table, "error": str(error)})
                continue
            self.lobby.show(summary)
            self.unfinished[summary.id] = summary.changed
            if summary.room is not None:
                self.rooms[summary.game, summary.room] = summary.id
            for holder in summary.seats:
                if isinstance(holder, Sitter):
                    self.seated.setdefault(holder.person, set()).add(summary.id)
        for entry in entries:
            if entry.wakes and entry.table in self.unfinished:
                await self._load_if_possible(entry.table)
        self.time.later(self.settings.idle_after, self._sweep)

    async def _load_if_possible(self, table_id: TableId) -> None:
        with suppress(
            Refused
        ):  # a damaged log is reported by `load`; the other tables must come back all the same
            await self.load(table_id)

    async def load(self, table_id: TableId) -> LiveTable | None:
        """The table, from memory or from the ledger; None if there is no such table."""
        live = self.live.get(table_id)
        if live is not None:
            return live
        loading = self._loading.get(table_id)
        if loading is None:
            loading = asyncio.ensure_future(self._read(table_id))
            self._loading[table_id] = loading
            loading.add_done_callback(lambda _: self._loading.pop(table_id, None))
        return await asyncio.shield(loading)

    async def _read(self, table_id: TableId) -> LiveTable | None:
        if table_id == TALK:
            return None
        try:
            rows: list[Row] = await self.run_blocking(self.storage.log, table_id)
            if not rows:
                return None
            name = _first.decode(rows[0].body).game
            game = self.games.get(name)
            if game is None:
                raise Refused("no_such_game", f"This server does not know the game {name}.")
            decoder = self._decoders[name]
            events = [decoder.decode(row.body) for row in rows]
        except (DamagedLog, msgspec.DecodeError) as error:
            self.refusals["damaged"] += 1
            log.error("damaged log", extra={"table": table_id, "error": str(error)})
            self._give_up(table_id)
            raise Refused("damaged", "The record of this table is damaged; it cannot be opened.") from None
        live = LiveTable(game, replayed(game, events), events, rows[-1].checksum)
        self.live[table_id] = live
        self._do(live, c.Wake())
        self._mind(live, self.time.now())
        return live

    def _give_up(self, table_id: TableId) -> None:
        """A table that cannot be read stands in nobody's way; its record stays as it is."""
        self.unfinished.pop(table_id, None)
        self.lobby.hide(table_id)
        for person in [person for person, tables in self.seated.items() if table_id in tables]:
            self._unseat(person, table_id)
        for room in [room for room, known in self.rooms.items() if known == table_id]:
            del self.rooms[room]

    def _sweep(self) -> None:
        """Let tables go that nobody looks at and where nothing is about to happen, and end forgotten ones."""
        now = self.time.now()
        soon = now + 2 * self.settings.idle_after
        for live in list(self.live.values()):
            idle = not live.listeners and now - live.touched >= self.settings.idle_after
            if idle and not live.restless and (live.deadline is None or live.deadline > soon):
                self.forget(live)
        horizon = now - self.settings.manners.abandoned_after
        for table_id, changed in self.unfinished.items():
            if changed < horizon and table_id not in self.live:
                asyncio.ensure_future(self._load_if_possible(table_id))  # noqa: RUF006 - held by self._loading
        self.time.later(self.settings.idle_after, self._sweep)

    def forget(self, live: LiveTable) -> None:
        """Drop a table from memory; the ledger has all of it."""
        self._alarms.cancel(live)
        del self.live[live.id]

    def let_go(self, live: LiveTable) -> None:
        """Forget a table that is over once all of it is stored, unless somebody looks at it."""
        self.journal.after(lambda: self._forget_if_left(live))

    def _forget_if_left(self, live: LiveTable) -> None:
        if not live.listeners and self.live.get(live.id) is live:
            self.forget(live)

    # Opening tables

    def may_open(self, opening: Opening, host: PersonId | None) -> tuple[AnyGame, int]:
        """The game and how many seats there will be, or Refused: all that is known before a look at the options."""
        game = self.games.get(opening.game)
        if game is None:
            raise Refused("no_such_game", f"There is no such game; this server has {', '.join(self.games)}.")
        seats = game.traits.seats[-1] if opening.seats is None else opening.seats
        if seats not in game.traits.seats:
            allowed = ", ".join(map(str, game.traits.seats))
            raise Refused("bad_seats", f"{game.traits.title} is for {allowed} players.")
        # A table that goes on takes the place of the one before it.
        if opening.before is None:
            if len(self.unfinished) >= self.settings.most_tables:
                raise Refused("hall_full", "The hall is full; try again later.")
            if host is not None:
                self._check_tables_of(host)
        return game, seats

    def open(self, opening: Opening, host: PersonId | None) -> LiveTable:
        game, seats = self.may_open(opening, host)
        options = parsed_options(game, opening.options)
        now = self.time.now()
        event = e.Opened(
            at=now,
            table=self._ids.new(now),
            game=opening.game,
            options=msgspec.to_builtins(options),
            seats=seats,
            clock=opening.clock,
            start=opening.start,
            private=opening.private,
            key=new_key(),
            host=host,
            room=opening.room,
            before=opening.before,
            vacated=opening.vacated,
            password=opening.password,
            watchable=opening.watchable,
            decor=opening.decor,
            times=opening.times,
            barred=opening.barred,
            holders=opening.holders,
        )
        table = opened(game, event)
        live = LiveTable(game, table, [], START)
        self.live[table.id] = live
        if table.room is not None:
            self.rooms[table.game, table.room] = table.id
            live.name = table.room
        self._record(live, table, [event])
        self.note(live)
        if opening.holders:
            self._reseat(live, ())
        _log_phase(table)
        return live

    def _check_tables_of(self, person: PersonId) -> None:
        if len(self.seated.get(person, ())) >= self.settings.tables_per_person:
            raise Refused(
                "too_many_tables",
                f"You sit at {self.settings.tables_per_person} tables already; finish one first.",
            )

    # What happens at tables

    def do(self, live: LiveTable, command: c.Command) -> None:
        """Carry out a command, or raise Refused with nothing changed."""
        if live.deadline is not None:
            self._catch_up(live)
        if type(command) is c.Sit:
            self._check_tables_of(command.sitter.person)
        self._do(live, command)

    def _catch_up(self, live: LiveTable) -> None:
        """What was due before a command came happens before it: a move that comes after the flag is too late."""
        now, seq = self.time.now(), 0
        while live.deadline is not None and live.deadline <= now and seq < live.table.seq:
            seq = live.table.seq
            self._do(live, c.Tick())

    def _do(self, live: LiveTable, command: c.Command) -> None:
        before, now = live.table, self.time.now()
        draft = decide(live.game, before, command, now, self._chance, self.settings.manners)
        after, events = draft.table, draft.events
        if not events:
            return
        self._record(live, after, events)
        # Nearly always it is a move that changes the position and nothing else.
        if len(events) > 1 or type(events[0]) is not e.Played or after.phase != before.phase:
            self._put_down(live, before, events)
        live.tell(News(before, after, events))
        if after.phase == "over":
            self._follow_up(live, before, events)
        self._mind(live, now)

    def _put_down(self, live: LiveTable, before: Table, events: list[Any]) -> None:
        """What the lobby, the lists of games and the log must know of this."""
        after, first = live.table, events[0]
        turned = after.phase != before.phase
        if type(first) is e.Said and after.seat_of(first.person) is None:
            live.newcomers[first.person] = None
            self.note(live)
        if before.phase == "over":
            return  # whoever gets up after a game has played it all the same
        if turned or not _QUIET.issuperset(map(type, events)):
            self.note(live)
        if turned or after.seats is not before.seats:
            self._reseat(live, before.persons)
        if turned:
            _log_phase(after)

    def _record(self, live: LiveTable, table: Table, events: list[Any]) -> None:
        seq: Any = len(live.log)  # the number of each event is one more
        checksum = live.checksum
        for event in events:
            seq += 1
            body = codec.encode(event)
            checksum = chained(checksum, body)
            self.journal.append(Row(live.id, seq, body, checksum))
        live.checksum = checksum
        live.log += events
        live.table = table

    def note(self, live: LiveTable) -> None:
        """Write down what the lobby shows of this table and whose list of games it belongs to."""
        self.journal.note(live.id, live.entry)
        if live.table.phase == "over":
            self.unfinished.pop(live.id, None)
        else:
            self.unfinished[live.id] = live.table.at
        self.lobby.changed(live.game, live.table)

    def _reseat(self, live: LiveTable, before: tuple[PersonId | None, ...]) -> None:
        table = live.table
        live.has_bots = False
        for holder in table.seats:
            if type(holder) is BotSitter:
                live.has_bots = True
            elif type(holder) is Sitter and holder.keeps and holder.person not in before:
                # Whoever has only a connection and no session cannot ask for a list of games.
                live.newcomers[holder.person] = None
        now = table.persons if table.phase != "over" else ()
        for person in before:
            if person is not None and person not in now:
                self._unseat(person, live.id)
        for person in now:
            if person is not None and person not in before:
                self.seated.setdefault(person, set()).add(live.id)

    def _unseat(self, person: PersonId, table_id: TableId) -> None:
        tables = self.seated.get(person)
        if tables is not None:
            tables.discard(table_id)
            if not tables:
                del self.seated[person]

    def _follow_up(self, live: LiveTable, before: Table, events: list[Any]) -> None:
        """What the hall does because of what happened at a table whose game is over."""
        table = live.table
        if table.successor is not None:
            return
        stood = any(type(event) is e.Stood for event in events)
        if before.phase == "over" and rematch_agreed(table):
            go_on(self, live, rotate=all(sitter.keeps for _, sitter in table.sitters()))
        elif before.phase == "over" and stood and any(not sitter.keeps for _, sitter in table.sitters()):
            # Protocols without a rematch: the room goes on when a seat becomes free.
            go_on(self, live, rotate=False)
        elif table.outcome is None or not any(not sitter.keeps for _, sitter in table.sitters()):
            self.unbind(table)

    def unbind(self, table: Table) -> None:
        if table.room is not None and self.rooms.get((table.game, table.room)) == table.id:
            del self.rooms[table.game, table.room]

    def _mind(self, live: LiveTable, now: Millis) -> None:
        """See to what will happen at this table by itself."""
        live.touched = now
        if live.deadline is not None or may_be_due(live.table):
            live.deadline = next_deadline(live.table, self.settings.manners)
            self._alarms.set(live)
        if live.has_bots:
            self._thinking.mind(live)

    def _ring(self, live: LiveTable) -> None:
        if self.live.get(live.id) is live:
            self._do(live, c.Tick())

    def _bot_acts(self, live: LiveTable, seat: Seat, action: Any) -> None:
        self.do(live, c.BotAct(seat, action))

    async def durable(self) -> None:
        """Wait until all that has happened so far is stored."""
        stored = asyncio.Event()
        self.journal.after(stored.set)
        await stored.wait()

    # Connections

    def attend(self, live: LiveTable, listener: Listener) -> None:
        """A connection follows this table from now on."""
        table = live.table
        inside = table.seat_of(listener.person) is not None or table.host == listener.person
        inside = inside or listener.person in live.here
        if not inside and not table.watchable:
            raise Refused("not_watchable", "This table wants no watchers.")
        if not inside and live.watchers >= self.settings.watchers_per_table:
            raise Refused("too_many_watchers", "Too many people watch this table already.")
        if live.attend(listener):
            self._do(live, c.Return(listener.person))

    def depart(self, live: LiveTable, listener: Listener) -> None:
        """A connection no longer follows this table; the person keeps the seat."""
        if live.depart(listener):
            self._do(live, c.Drop(listener.person))
        live.touched = self.time.now()

    def arrived(self, person: PersonId) -> None:
        self.connected[person] += 1
        self.lobby.people_changed()

    def gone(self, person: PersonId) -> None:
        self.connected[person] -= 1
        if not self.connected[person]:
            del self.connected[person]
        self.lobby.people_changed()

    def room(self, game: str, name: str) -> TableId | None:
        """The table known by this name at a game's own door; a table's id will do as well."""
        found = self.rooms.get((game, name))
        if found is None:
            summary = self.lobby.tables.get(TableId(name))
            if summary is not None and summary.game == game and summary.phase != "over":
                return summary.id
        return found

    async def find(self, game: str, name: str) -> LiveTable | None:
        """The table known by this name, also when its game is over."""
        found = self.room(game, name)
        if found is None:
            found = await self.run_blocking(self.storage.named, game, name)
        return None if found is None else await self.load(found)


def _log_phase(table: Table) -> None:
    if log.isEnabledFor(logging.INFO):
        log.info(
            "table is in %s", table.phase, extra={"table": table.id, "seq": table.seq, "game": table.game}
        )
