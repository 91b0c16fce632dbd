"""The hall: all tables and people of this server."""

import asyncio
import logging
from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress
from functools import partial
from random import Random
from typing import Any

import msgspec
from msgspec.structs import replace

from gamut.games.game import AnyGame, Refused, Seat
from gamut.hall.annexes import Annexes
from gamut.hall.bots.processes import RESIGNS, BotRunner
from gamut.hall.bots.thinking import Thinking
from gamut.hall.faults import Fault
from gamut.hall.ids import Millis, PersonId, Slot, TableId, TableIds, new_key, slot_in
from gamut.hall.limits.congestion import Congestion
from gamut.hall.limits.guesses import Guesses
from gamut.hall.limits.pace import PaceKeeper
from gamut.hall.limits.slow_work import SlowWork
from gamut.hall.live.alarms import Alarms
from gamut.hall.live.attendance import Attendance
from gamut.hall.live.audience import Cause, News
from gamut.hall.live.live_table import FailedDoor, LiveTable, OnlyACopy, StillBeingTold
from gamut.hall.live.looking import Looking
from gamut.hall.live.memory import Memory
from gamut.hall.live.opening import Opening
from gamut.hall.live.option_checks import OptionChecks
from gamut.hall.live.rebuilding import Folded, Rebuilding
from gamut.hall.live.register import Register
from gamut.hall.live.restart import Before, Restart
from gamut.hall.live.succession import go_on
from gamut.hall.live.sweeping import Sweeping
from gamut.hall.live.unusable import damaged, out_of_order
from gamut.hall.live.waking import Nobody, Returning, Waking
from gamut.hall.lobby.lobby import Lobby
from gamut.hall.lobby.talk import TALK
from gamut.hall.names.room_names import RoomNames, names_in
from gamut.hall.names.table_names import Naming
from gamut.hall.patience import Patience
from gamut.hall.people.person import Person
from gamut.hall.people.renaming import Renaming
from gamut.hall.settings import HallSettings
from gamut.hall.store.checksum import START, chained
from gamut.hall.store.journal import Journal
from gamut.hall.store.scrubbing import Scrubbing
from gamut.hall.store.storage import DamagedLog, LedgerError, Row, Storage
from gamut.hall.table import codec
from gamut.hall.table import commands as c
from gamut.hall.table import events as e
from gamut.hall.table.deciding.beginning import parsed_options
from gamut.hall.table.deciding.decide import decide
from gamut.hall.table.deciding.presence import may_be_due, next_deadline
from gamut.hall.table.deciding.rematch import rematch_agreed
from gamut.hall.table.deciding.resizing import bad_seats, seat_count
from gamut.hall.table.deciding.taking_back import seat_that_takes_back
from gamut.hall.table.evolve import opened
from gamut.hall.table.sealed import sealed_event
from gamut.hall.table.seats import BotSitter
from gamut.hall.table.state import Table
from gamut.hall.time import Timekeeper
from gamut.hall.wings import MAIN, WHOLE, Elsewhere, Wings

log = logging.getLogger("gamut.hall")

# These say nothing new to the lobby; everything else changes what it shows.
_QUIET = frozenset(
    (
        e.Played,
        e.TakenBack,
        e.Said,
        e.Dropped,
        e.Returned,
        e.Readied,
        e.DrawOffered,
        e.DrawDeclined,
        e.RematchWanted,
        e.Handed,
    )
)

# What these store is not counted against anybody: a game has an end, also one that plays
# on after somebody resigned.
_MOVES = frozenset((c.Act, c.BotAct, c.ReportFlag, c.Resign))
# No limit keeps people from leaving, and none holds for what the server does by itself.
_ALWAYS = frozenset((c.Leave, c.Drop, c.Return, c.Succeed, c.Close, c.CallOff, c.Tick, c.Wake, c.CutOff))


class NothingHappened(RuntimeError):
    """Something was due at this table, and there was nothing to do."""


class NotOpen(RuntimeError):
    """Something was to happen at this table before the hall was opened."""


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
        wings: Wings = WHOLE,
        names: RoomNames | None = None,
        known: dict[TableId, Folded] | None = None,
    ) -> None:
        """`known`: tables that were folded ahead of time (`Rebuilding`)."""
        names = names_in(wings) if names is None else names
        self.wings = wings
        self._next_wing = MAIN
        """Where the next table is opened that may be anywhere."""
        self.games = games
        self.storage = storage
        self.journal = journal
        self.time = time
        self.settings = settings
        self._chance = chance
        self.faults = journal.faults
        self.out_of_order: dict[TableId, None] = {}
        """Tables at which too much has failed. Their logs stay as they are,
        and the next start takes them up."""
        self._patience = Patience(self.faults, self._give_up)
        self._alarms = Alarms(time, self._ring, self._patience)
        self.congestion = journal.congestion = Congestion(time, self.faults)
        self._thinking = Thinking(
            bots, time, settings.bot_delay, chance, self._bot_acts, self.congestion, self._patience
        )
        self.run_blocking = run_blocking
        self.slow_work = SlowWork(run_blocking, time.now, settings.slow_work)
        self.option_checks = OptionChecks(self.slow_work)
        self.rebuilding = Rebuilding(storage, games, known)
        self._ids = TableIds(wings.wing, wings.count)
        self._memory = Memory(journal, self._read)
        self._looking = Looking(self)
        self._restart = Restart(self)
        self.waking = Waking(self)
        self._is_awake = False
        self.live = self._memory.kept
        self.connected: Counter[PersonId] = Counter()
        """How many connections each person has to this wing."""
        self.on_presence: list[Callable[[PersonId], None]] = []
        """Called with somebody who has come to this wing, or gone from it, by one of their connections."""
        self.on_event: dict[str, Callable[[LiveTable], None]] = {}
        """By game: called with a table at which something has happened, after those who are there were told."""
        self.pace = PaceKeeper(settings.pace, time)
        self.wrong_passwords = Guesses(settings.wrong_passwords, time.now)
        self.refusals: Counter[str] = Counter()
        self.moves = 0
        """How often something was played, since the hall was made."""
        self.scrubbing = Scrubbing(time, lambda: run_blocking(storage.scrub))
        self.lobby = Lobby(journal, time, lambda: self.people_here)
        self.register = Register(journal, self.lobby, names)
        self.annexes = Annexes(wings, self.lobby, self.register, self.connected, time)
        if wings.count > 1 and wings.is_main:
            self.on_presence.append(self.annexes.look_at)
        self.naming = Naming(storage, run_blocking, self.register.rooms, names, wings, self.faults)
        self._renaming = Renaming(self)
        self.attendance = Attendance(self)

    # Coming back after a stop

    async def start(self, before: Before | None = None, *, read: bool = True) -> None:
        """Take up every unfinished table. Only those where something happens by itself are read, now or, without
        `read`, when they are woken.

        Until `wake` nothing happens at any of them, nor at those that are read meanwhile: sessions of people who are
        still connected take up their tables as they find them. Whoever asks for something then gets `NotOpen`.
        """
        await self._restart.read(Before() if before is None else before)
        if read:
            await self.waking.read()

    async def wake(self, returning: Returning | None = None) -> None:
        """Go on at all tables that were read so far, or are to be. Whoever follows one when it is woken was not cut
        off: those who are `returning` go on there just before. A table that is still asleep is waited for."""
        self.opens()
        await self.waking.wake_all(Nobody() if returning is None else returning)
        if not self._is_awake:
            self._is_awake = True
            # Of tables that nobody needed nothing is kept: they may have to wait for days.
            self.rebuilding.known.clear()
            Sweeping(self).later()

    def opens(self) -> None:
        """People can come from now on: a table that is asleep is waited for."""
        if not self.waking.has_begun:
            self._restart.opens()
            self.waking.has_begun = True

    def silence_bots(self) -> None:
        """Nothing is done here any more: this wing of the hall is about to be another node's."""
        self._thinking.silence()

    def vacate(self) -> None:
        """This wing of the hall is another process's by now. Nothing happens here any more, and nothing is kept."""
        for live in self.live.values():
            live.vacate()
        self.live.clear()
        self.rebuilding.known.clear()

    async def readable(self, table_id: TableId) -> LiveTable | None:
        """The table, or None also if its log is damaged, which `load` reports: the others must go on all the same.

        Raises Elsewhere as `load` does: to be asked of tables that are known to be in this wing.
        """
        try:
            return await self.load(table_id)
        except Refused:
            return None

    async def look(self, table_id: TableId) -> LiveTable | None:
        """The table for whoever only looks at it, in whichever wing it is; None if there is no such table.

        Of a table of another wing this is a copy (`Copy`), at which nothing can be done.
        """
        return await (self.load(table_id) if self.wings.has(table_id) else self._looking.copy(table_id))

    def in_memory(self, table_id: TableId) -> LiveTable | None:
        """The table, if it is in memory, even if it is still asleep."""
        return self._memory.table(table_id)

    def here(self, table_id: TableId) -> LiveTable | None:
        """The table, if it is in memory and awake. Before any table is woken, all are as if they were."""
        live = self._memory.table(table_id)
        return None if live is not None and live.asleep and self.waking.has_begun else live

    async def load(self, table_id: TableId) -> LiveTable | None:
        """The table, from memory or from the ledger; None if there is no such table.

        A table whose game is over stays in memory only while the caller holds it, or somebody follows it.
        Raises Elsewhere for a table of another wing.
        """
        self.wings.check(table_id)
        if table_id in self.out_of_order:
            raise out_of_order()
        live = self.here(table_id)
        if live is not None:
            if live.table.phase != "over":
                self.take_up(live)
            return live
        if self.waking.has_begun and self.waking.is_to_come(table_id):
            await self.waking.woken(table_id)
            return await self.load(table_id)
        return await self._memory.read(table_id)

    async def _read(self, table_id: TableId) -> LiveTable | None:
        if table_id == TALK:
            return None
        try:
            live: LiveTable | None = await self.run_blocking(self.rebuilding.table, table_id)
        except (DamagedLog, msgspec.DecodeError) as error:
            self.refuse_damaged(table_id, str(error))
            raise damaged() from None
        except (Refused, LedgerError):
            raise
        except Fault as fault:
            # A table that cannot be rebuilt from its log is refused, and no other. Its log stays as it is.
            self.faults.contained("read", fault, table=table_id)
            self.out_of_order[table_id] = None
            self.register.strike(table_id)
            raise out_of_order() from None
        if live is not None:
            self._was_read(live)
        return live

    def _was_read(self, live: LiveTable) -> None:
        """The table is in memory from now on. Raises Refused if it cannot be woken."""
        self._memory.add(live)
        if live.table.phase != "over":
            self._memory.keep(live)
            if not self.waking.sleeps(live):
                self.wake_table(live)

    def wake_table(self, live: LiveTable) -> None:
        """Go on where the server before this one ended. Raises Refused if that fails."""
        seq = live.table.seq
        try:
            self.carry_out(live, self._restart.command(live))
            if live.table.seq == seq:
                self._schedule(live, self.time.now())
            if not live.is_deserted:
                self.attendance.desertion.visited(live.id)
        except Fault as fault:
            self.faults.contained("read", fault, table=live.id)
            self._give_up(live)
            raise out_of_order() from None

    async def read_ahead(self, table_ids: Sequence[TableId]) -> list[LiveTable]:
        """Bring several tables into memory before the first of their people come. Whoever holds what is given keeps
        them there. Tables of other wings are left out: what is in memory here is woken here."""
        table_ids = [table_id for table_id in table_ids if self.wings.has(table_id)]
        missing = [table_id for table_id in table_ids if self.in_memory(table_id) is None]
        found: dict[TableId, LiveTable] = await self.run_blocking(self.rebuilding.tables, missing)
        for table_id in missing:
            if self.in_memory(table_id) is not None:
                continue
            live = found.get(table_id)
            with suppress(Refused):
                if live is None:
                    await self._memory.read(table_id)  # which says what is wrong with it
                else:
                    self._was_read(live)
        return [live for live in map(self.in_memory, table_ids) if live is not None]

    def take_up(self, live: LiveTable) -> None:
        """Keep a table in memory, and see to what happens there by itself."""
        if not live.kept:
            self._memory.keep(live)
            self._schedule(live, self.time.now())

    def refuse_damaged(self, table_id: TableId, error: str) -> None:
        self.refusals["damaged"] += 1
        self.storage.damage.tables[table_id] = None
        log.error("damaged log", extra={"table": table_id, "error": error})
        self.register.strike(table_id)

    def _give_up(self, live: LiveTable) -> None:
        """The table is out of order from now on: everybody there is hung up on, and nobody comes in."""
        live.out_of_order = True
        self.out_of_order[live.id] = None
        log.error("a table is out of order", extra={"table": live.id, "seq": live.table.seq})
        self._alarms.cancel(live)
        for listeners in tuple(live.listeners.values()):
            for listener in listeners:
                live.depart(listener)
                self.journal.fail(listener.wire)
        self.register.strike(live.id)
        self._memory.let_go(live)

    def forget(self, live: LiveTable) -> None:
        """Forget a table at which nothing is due, unless somebody looks at it or not all of it is stored."""
        if self._memory.forget(live):
            self._alarms.cancel(live)

    def let_go(self, live: LiveTable) -> None:
        """Forget a table that is over as soon as all of it is stored, unless somebody looks at it."""
        self._alarms.cancel(live)
        self._memory.let_go(live)

    # Opening tables

    def may_open(self, opening: Opening, host: PersonId | None) -> AnyGame:
        """The game, or Refused: all that is known before a look at the options.

        Raises Elsewhere if the table is to be opened in another wing.
        """
        game = self.games.get(opening.game)
        if game is None:
            raise Refused("no_such_game", f"There is no such game; this server has {', '.join(self.games)}.")
        if opening.seats is not None and opening.seats not in game.traits.seats:
            raise bad_seats(game, game.traits.seats)
        # A table that goes on takes the place of the one before it.
        if opening.before is None:
            self._check_wing(opening)
            if len(self.register.unfinished) >= self.settings.most_tables:
                raise Refused("hall_full", "The hall is full; try again later.")
            if host is not None:
                self._check_tables_of(host)
                self.pace.check(host)
        return game

    def _check_wing(self, opening: Opening) -> None:
        """People come in at the main wing. What they open there is spread over all of them."""
        wings = self.wings
        if opening.room is not None:
            wings.check_name(opening.game, opening.room)
        elif (
            wings.is_main and self._next_wing != MAIN and not (opening.stays or opening.game in wings.at_main)
        ):
            wing, self._next_wing = self._next_wing, (self._next_wing + 1) % wings.count
            raise Elsewhere(wing)

    def _slot_for(self, opening: Opening, room: str | None) -> Slot | None:
        """None: any of this wing."""
        if room is not None:
            return self.wings.slot_of_name(opening.game, room)
        if opening.before is not None:
            return slot_in(opening.before)
        return Slot(MAIN) if opening.game in self.wings.at_main else None

    def open(self, opening: Opening, host: PersonId | None) -> LiveTable:
        """A new table. The name of its room, if somebody has chosen one, is ours already (`register.names`)."""
        game = self.may_open(opening, host)
        options = parsed_options(game, opening.options)
        seats = seat_count(game, options, opening.seats)
        now, stored = self.time.now(), self.journal.bytes
        room = self.naming.new_name(opening.game, now) if opening.room is None else opening.room
        self._next_wing = (self.wings.wing + 1) % self.wings.count
        event = e.Opened(
            at=now,
            table=self._ids.new(now, self._slot_for(opening, room)),
            game=opening.game,
            options=msgspec.to_builtins(options),
            seats=seats,
            clock=opening.clock,
            start=opening.start,
            private=opening.private,
            key=new_key() if opening.key is None else opening.key,
            host=host,
            room=room,
            before=opening.before,
            vacated=opening.vacated,
            password=opening.password,
            watchable=opening.watchable,
            guards_watching=opening.guards_watching,
            one_chat=opening.one_chat,
            decor=opening.decor,
            times=opening.times,
            barred=opening.barred,
            holders=opening.holders,
        )
        # The very options that were checked hold what took long to work out for them.
        table = replace(opened(game, event), options=options)
        live = LiveTable(game, table, [], START)
        self._memory.add(live)
        self._memory.keep(live)
        self.register.bind(live)
        self._store(live, table, [event])
        self.register.note(live)
        if opening.holders:
            self.register.reseat(live, ())
        if host is not None:
            self.pace.charge(host, self.journal.bytes - stored)
        _log_phase(table)
        return live

    def _check_tables_of(self, person: PersonId) -> None:
        if len(self.register.seated.get(person, ())) >= self.settings.tables_per_person:
            raise Refused(
                "too_many_tables",
                f"You sit at {self.settings.tables_per_person} tables already; finish one first.",
            )

    # What happens at tables

    def do(
        self, live: LiveTable, command: c.Command, cause: Cause | None = None, *, granted: bool = False
    ) -> None:
        """Carry out a command, or raise Refused with nothing changed.

        `cause`: the connection that asked for it, where its door tells it something else than the others.
        `granted`: the command is part of something that was allowed already; a full log and the pace do not
        refuse it.
        """
        if live.deadline is not None:
            self.catch_up(live)
        if type(command) in _MOVES:
            self.carry_out(live, command, cause)
            return
        person = self._check_limits(live, command, granted)
        stored = self.journal.bytes
        self.carry_out(live, command, cause)
        if person is not None:
            self.pace.charge(person, self.journal.bytes - stored)

    def check_sit(self, live: LiveTable, command: c.Sit) -> None:
        """Raise Refused if `do` would refuse this; nobody sits down."""
        if live.deadline is not None:
            self.catch_up(live)
        self._check_limits(live, command, granted=False)
        if live.out_of_order:
            raise out_of_order()
        # What is drawn if play would begin by this is thrown away, and must not come from the hall's own chance.
        decide(live.game, live.whole, command, self.time.now(), Random(), self.settings.timeouts)

    def _check_limits(self, live: LiveTable, command: c.Command, granted: bool) -> PersonId | None:
        """Raise if the hall's limits refuse this; else who is charged for what it stores."""
        person: PersonId | None = getattr(command, "person", None) or getattr(command, "by", None)
        if type(command) is c.Sit:
            person = command.sitter.person
            self._check_tables_of(person)
            self._check_lost_seats(live.table, command)
        if person is not None and not granted and type(command) not in _ALWAYS:
            if live.table.seq >= self.settings.events_per_table:
                raise Refused(
                    "log_full", "So much has happened at this table that there is room for no more."
                )
            self.pace.check(person)
        if type(command) is c.Say:
            self.pace.check_talk(command.person)
        elif type(command) is c.TakeBack:
            # Where nothing is taken back no try is used up.
            seat_that_takes_back(live.game, live.whole, command)
            self.pace.check_take_back(command.person)
        return person

    def _check_lost_seats(self, table: Table, command: c.Sit) -> None:
        """A seat that was lost by a fault of ours a moment ago is its player's alone, by name, while those who have
        kept their connection may still go on."""
        if not (table.away and self.attendance.may_go_on()):
            return
        lost = {seat: sitter.name for seat, sitter in table.sitters() if table.is_lost(seat)}
        wanted = command.seat
        takes_one = wanted in lost if wanted is not None else bool(lost) and None not in table.seats
        if takes_one and command.sitter.name not in lost.values():
            raise Refused(
                "full", "Every seat is taken, but somebody may not come back; try again in a moment."
            )

    def say(self, person: PersonId, name: str, text: str) -> None:
        """Say something in the lobby."""
        self.pace.check(person)
        self.pace.check_talk(person)
        stored = self.journal.bytes
        self.lobby.say(person, name, text)
        self.pace.charge(person, self.journal.bytes - stored)

    def catch_up(self, live: LiveTable, cause: Cause | None = None) -> None:
        """What is due by now happens now. It does so before a command: a move that comes after the flag is too late.

        `cause`: the connection that has said that something is due.
        """
        now, seq = self.time.now(), 0
        if now < live.table.at:
            # As `decide` has it: the node that had the table before was a little ahead of this one.
            now = live.table.at
        while live.deadline is not None and live.deadline <= now and seq < live.table.seq:
            seq = live.table.seq
            self.carry_out(live, c.Tick(), cause)

    def carry_out(self, live: LiveTable, command: c.Command, cause: Cause | None = None) -> None:
        """What `do` does, for whatever no limit holds for and nothing else is due before."""
        if live.being_told:
            raise StillBeingTold(live.id)
        if live.asleep:
            raise OnlyACopy(live.id) if live.is_copy else NotOpen(live.id)
        if live.out_of_order:
            if type(command) in _ALWAYS:
                return  # leaving is not refused, but nothing more is written to this table's log
            raise out_of_order()
        before, hid, now = live.table, live.hides, self.time.now()
        draft = decide(
            live.game, live.whole, command, now, self._chance, self.settings.timeouts, live.whole_log
        )
        events = draft.events
        if not events:
            return
        if not live.kept:
            self._memory.keep(live)
        self._store(live, draft.table, events)
        after = live.table
        # It has happened. If one of the following steps fails, the others are done all the same.
        # Nearly always it is a move that changes the position only: then no note changes.
        is_played = type(events[0]) is e.Played
        self.moves += is_played
        if len(events) > 1 or not is_played or after.phase != before.phase:
            self.faults.guard("notes", self._note_changes, live, before, events, table=live.id)
        failed: tuple[FailedDoor, ...]
        try:
            shown = list(map(sealed_event, events)) if live.hides else events
            failed = live.tell(News(live.game, before, after, shown, events, hid, cause))
        except Fault as fault:
            failed = tuple((door, listeners, fault) for door, listeners in live.listeners.items())
            for door, _, _ in failed:
                live.silence(door)
        if failed or live.afterwards:
            self.after_telling(live, "tell", failed)
        if after.game in self.on_event:
            self.faults.guard("on_event", self.on_event[after.game], live, table=live.id)
        if after.phase == "over":
            self.faults.guard("follow_up", self._follow_up, live, before, events, table=live.id)
        try:
            self._schedule(live, now)
        except Fault as fault:
            self._schedule_later(live, fault)
        if after.draw_offers and live.has_bots:
            self.faults.guard("draws", self._ask_bots_for_a_draw, live, table=live.id)

    def after_telling(self, live: LiveTable, kind: str, failed: tuple[FailedDoor, ...]) -> None:
        """Hang up on the listeners of doors that failed: they come back and get a snapshot.

        Then do what was to wait until everybody was told.
        """
        for door, listeners, fault in failed:
            self.faults.contained(kind, fault, table=live.id, door=door.name)
            for listener in listeners:
                self.journal.fail(listener.wire)
        calls, live.afterwards = live.afterwards, ()
        for call in calls:
            self.faults.guard("when_told", call, table=live.id)

    def _note_changes(self, live: LiveTable, before: Table, events: list[Any]) -> None:
        """Bring the lobby, the lists of games and the server's own log up to date with these events."""
        after, first = live.table, events[0]
        phase_changed = after.phase != before.phase
        if type(first) is e.Said and after.seat_of(first.person) is None:
            live.newcomers[first.person] = None
            self.register.note(live)
        if before.phase == "over":
            if after.seats is not before.seats and not after.players:
                # Of a game that never began it is noted who sits there, and not who played.
                self.register.note(live)
            return
        # Somebody who comes back may be the last that was waited for.
        waits_otherwise = bool(after.waiting) != bool(before.waiting)
        if phase_changed or waits_otherwise or not _QUIET.issuperset(map(type, events)):
            self.register.note(live)
        if phase_changed or after.seats is not before.seats:
            self.register.reseat(live, before.persons)
            self.attendance.look_around(live)
        if phase_changed:
            _log_phase(after)

    def _store(self, live: LiveTable, table: Table, events: list[Any]) -> None:
        seq: Any = len(live.whole_log)  # the number of each event is one more
        checksum = live.checksum
        rows = []
        for event in events:
            seq += 1
            body = codec.encode(event)
            checksum = chained(checksum, body)
            rows.append(Row(live.id, seq, body, checksum))
        # Only now, when every event could be encoded: all rows or none.
        for row in rows:
            self.journal.append(row)
        live.checksum = checksum
        live.written = self.journal.batch
        live.goes_on(table, events)

    def rewrite(self, live: LiveTable, table: Table, log: list[Any], rows: list[Row]) -> None:
        """Store this log in place of the table's. The position is not replaced:
        a bot may be thinking about it."""
        self._memory.keep(live)
        live.rewritten(table, log)
        live.checksum = rows[-1].checksum
        self.journal.rewrite(live.id, rows)
        live.written = self.journal.batch
        self.journal.note(live.id, partial(live.entry, self.faults))
        if table.phase == "over":
            self.let_go(live)
        if live.id in self.lobby.tables:
            self.lobby.changed(live.game, table)

    def _follow_up(self, live: LiveTable, before: Table, events: list[Any]) -> None:
        """What the hall does because of what happened at a table whose game is over."""
        table = live.table
        if table.successor is not None:
            return
        stood = any(type(event) is e.Stood for event in events)
        renews = any(sitter.renews for _, sitter in table.sitters())
        if before.phase == "over" and rematch_agreed(table):
            go_on(self, live, rotate=not renews)
        elif before.phase == "over" and stood and renews:
            # Protocols without a rematch: the room goes on when a seat becomes free.
            go_on(self, live, rotate=False)
        elif table.outcome is None or not renews:
            self.register.unbind(table)

    def _schedule(self, live: LiveTable, now: Millis) -> None:
        """See to what will happen at this table by itself."""
        live.touched = now
        if live.deadline is not None or may_be_due(live.table):
            live.deadline = next_deadline(live.table, self.settings.timeouts)
            self._alarms.set(live)
        if live.has_bots:
            self._thinking.ask_bots(live)

    def _schedule_later(self, live: LiveTable, fault: Exception) -> None:
        delay = self._patience.delay(live, "schedule", fault)
        if delay is not None:
            self.time.later(delay, lambda: self._schedule_again(live))

    def _schedule_again(self, live: LiveTable) -> None:
        try:
            self._schedule(live, self.time.now())
        except Fault as fault:
            self._schedule_later(live, fault)
        else:
            self._patience.went_well(live, "schedule")

    def _ring(self, live: LiveTable) -> None:
        seq, now = live.table.seq, self.time.now()
        self.carry_out(live, c.Tick())
        if live.table.seq == seq:
            live.deadline = next_deadline(live.table, self.settings.timeouts)
            if live.deadline is not None and live.deadline <= now:
                # Without this the alarm would ring again at once, for ever.
                raise NothingHappened(live.id)

    def _bot_acts(self, live: LiveTable, seat: Seat, action: Any) -> None:
        self.do(live, c.BotAct(seat, None, resigns=True) if action is RESIGNS else c.BotAct(seat, action))

    def _ask_bots_for_a_draw(self, live: LiveTable) -> None:
        """Bots answer the offer that lies before them, one after the other, until one declines it."""
        if live.table.halted or not live.game.traits.bots_answer_draws:
            return
        for seat, holder in enumerate(live.table.seats):
            offers = live.table.draw_offers
            if offers and type(holder) is BotSitter and seat not in offers:
                accept = live.game.accepts_draw(live.state_for(Seat(seat)), Seat(seat), holder.level)
                self.carry_out(live, c.BotAnswer(Seat(seat), accept))

    async def durable(self) -> None:
        """Wait until all that has happened so far is stored."""
        stored = asyncio.Event()
        self.journal.after(stored.set)
        await stored.wait()

    # Connections

    @property
    def people_here(self) -> int:
        """How many people are connected, in all wings that this one knows of."""
        return len(self.connected) + len(self.annexes.only_there)

    def arrived(self, person: PersonId, address: str) -> None:
        self.connected[person] += 1
        self.pace.came(person, address)
        self._presence_changed(person)

    def gone(self, person: PersonId) -> None:
        self.connected[person] -= 1
        if not self.connected[person]:
            del self.connected[person]
            self.pace.went(person)
        self._presence_changed(person)

    def _presence_changed(self, person: PersonId) -> None:
        self.lobby.people_changed()
        for call in self.on_presence:
            self.faults.guard("presence", call, person)

    def renamed(self, person: Person) -> None:
        """The tables at which somebody sits call them by their new name; those not in memory a little later."""
        tables = sorted(self.register.seated.get(person.id, ()))
        here = [live for live in map(self.here, tables) if live is not None]
        for live in here:
            self.faults.guard("rename", self.call_by_name, live, person, table=live.id)
        if len(here) < len(tables):
            self._renaming.later(person)

    def call_by_name(self, live: LiveTable, person: Person) -> None:
        """Somebody who has a seat here is called what they are called now."""
        if live.table.seat_of(person.id) is not None:
            self.do(live, c.Rename(person.id, person.name, person.guest), granted=True)

    async def find(self, game: str, name: str) -> LiveTable | None:
        """The table known by this name, also when its game is over. Raises Elsewhere for a room of another wing."""
        self.wings.check_name(game, name)
        found = await self._named(game, name)
        return None if found is None else await self.load(found)

    async def look_for(self, game: str, name: str) -> LiveTable | None:
        """The same for whoever only looks at it (`look`), in whichever wing it is."""
        found = await self._named(game, name)
        return None if found is None else await self.look(found)

    async def _named(self, game: str, name: str) -> TableId | None:
        found = self.register.room(game, name)
        if found is None:
            found = await self.run_blocking(self.storage.named, game, name)
        return found


def _log_phase(table: Table) -> None:
    if log.isEnabledFor(logging.INFO):
        log.info(
            "table is in %s", table.phase, extra={"table": table.id, "seq": table.seq, "game": table.game}
        )
