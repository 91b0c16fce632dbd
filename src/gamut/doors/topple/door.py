"""Topple tables, told to clients of the Topple protocol."""

from collections.abc import AsyncIterator, Callable, Collection, Iterable, Iterator, Sequence
from contextlib import AsyncExitStack, asynccontextmanager, suppress

import msgspec

from gamut.doors.base_door import BaseDoor
from gamut.doors.keys import Keys
from gamut.doors.topple import to_client as t
from gamut.doors.topple import views, welcome
from gamut.doors.topple.codes import NoCode, code_of, new_room_code
from gamut.doors.topple.held import Held
from gamut.doors.topple.kicked import Kicked
from gamut.doors.topple.onlookers import AccountOf, Onlookers
from gamut.doors.topple.refusals import CLOSED_FOR_EXPORT, fatal
from gamut.doors.topple.rooms import public_rooms
from gamut.doors.topple.session import ToppleSession
from gamut.doors.topple.telling import ToppleTelling, ordinary_move
from gamut.games.game import Refused
from gamut.games.topple.state import number
from gamut.games.topple.topology import MOST_TILES
from gamut.hall.hall import Hall
from gamut.hall.ids import Millis, PersonId, TableId
from gamut.hall.limits.attempts import Attempts, Limit
from gamut.hall.limits.guesses import Guesses
from gamut.hall.live.audience import News
from gamut.hall.live.live_table import LiveTable
from gamut.hall.names.room_names import RoomTaken
from gamut.hall.table import commands as c
from gamut.hall.table import events as e
from gamut.hall.table.deciding.presence import kept_for
from gamut.hall.table.seats import Sitter
from gamut.hall.time import Timer

GAME = "topple"
_TRIES = 50


class ToppleSettings(msgspec.Struct, frozen=True, kw_only=True):
    rejoin_window: Millis = Millis(30_000)
    """How long a seat waits for a lost connection."""
    compat: bool = True
    """Colours are told once more under the name that the existing browser client knows."""
    most_tiles: int = MOST_TILES
    spectators: int = 100
    """In one room."""
    rules_wait: Millis = Millis(1_000)
    """How long the creator of a room may take to say the rules."""
    shown_again: Millis = Millis(1_000)
    """How long after somebody has come into a game they get the board once more."""
    fatal_close: Millis = Millis(125)
    draining_close: Millis = Millis(250)
    ping_every: Millis = Millis(1_500)
    over_kept: Millis = Millis(1_800_000)
    """How long a room stays open after its game."""
    misses: Limit = Limit(120, Millis(60_000))
    """Rooms that are not there, and keys that are not right; from one address, as is the next."""
    new_rooms: Limit = Limit(60, Millis(60_000))
    kicked_for: Millis = Millis(3_600_000)
    """How long nobody comes into a room from where somebody was kicked out of it."""


class ToppleDoor(BaseDoor[ToppleSession]):
    name = GAME
    telling = ToppleTelling
    same_for_all = staticmethod(ordinary_move)

    def __init__(
        self,
        hall: Hall,
        secret: str,
        check_unregistered: Callable[[str], None],
        settings: ToppleSettings | None = None,
        account_of: AccountOf = lambda _: None,
    ) -> None:
        super().__init__(hall)
        self.check_unregistered = check_unregistered
        """Raises NameTaken for a name that only an account may have: nobody logs in at this door."""
        self.keys = Keys(secret, GAME)
        self.settings = settings if settings is not None else ToppleSettings()
        self.guesses = Guesses(self.settings.misses, hall.time.now, spare_loopback=True)
        self.new_rooms = Attempts(self.settings.new_rooms, hall.time.now)
        self.rooms = public_rooms(self)
        self.kicked = Kicked(self.settings.kicked_for, hall.time.now)
        self.onlookers = Onlookers(self, account_of)
        self.held = Held()
        hall.attendance.on_change.append(self.onlookers.changed)
        self._closings: dict[TableId, Timer] = {}
        """When the rooms are closed whose games are over."""
        self._goodbyes: dict[tuple[TableId, PersonId], Timer] = {}
        """When those are given up who were lost after a game."""
        self.opened = hall.time.now()
        self.draining = False
        """The server is about to stop: whoever comes now is asked to come back later."""

    def new_code(self) -> str:
        """A code that no room has, and that belongs to this wing. Raises Refused if there is none left."""
        wings = self.hall.wings
        try:
            for _ in range(_TRIES * wings.count):
                code = new_room_code(self.hall.time.now(), self.hall.register.rooms)
                if wings.has_name(self.name, code):
                    return code
        except NoCode:
            pass
        raise _no_code_left()

    @asynccontextmanager
    async def new_room(self) -> AsyncIterator[str]:
        """A code for a new room, which is to be opened as long as this lasts. Raises Refused if there is none left."""
        names = self.hall.register.names
        async with AsyncExitStack() as stack:
            for _ in range(_TRIES):
                code = self.new_code()
                with suppress(RoomTaken):
                    await stack.enter_async_context(names.holding(self.name, code))
                    # Somebody else may have drawn the same one meanwhile.
                    if (self.name, code) not in self.hall.register.rooms:
                        break
            else:
                raise _no_code_left()
            yield code

    def check_kicked(self, live: LiveTable, address: str) -> None:
        """Raises Refused for somebody new from where somebody was kicked out of this room."""
        if self.kicked.is_barred(live, address):
            raise fatal("kicked_before")

    async def find(self, name: str) -> LiveTable | None:
        """The room of this name, also when its game is over. A table that was opened on the page has its id for a name;
        if it is private, it is as if it were not there.

        Raises Elsewhere for a room of another wing of the hall.
        """
        wings = self.hall.wings
        wings.check_name(self.name, name)
        for code in _ways_to_type(name):
            # In capitals an id is another one, perhaps of another wing.
            live = await self.hall.find(self.name, code) if wings.has_name(self.name, code) else None
            if live is not None:
                return live
        return self._by_id(await self.hall.load(TableId(name)))

    async def look_for(self, name: str) -> LiveTable | None:
        """The same for whoever only looks at it, in whichever wing it is (`Hall.look`)."""
        for code in _ways_to_type(name):
            live = await self.hall.look_for(self.name, code)
            if live is not None:
                return live
        return self._by_id(await self.hall.look(TableId(name)))

    def _by_id(self, live: LiveTable | None) -> LiveTable | None:
        found = live is not None and live.table.game == self.name and not live.table.private
        return live if found else None

    # What happens at tables

    def see_to(self, live: LiveTable, news: News, listeners: Collection[ToppleSession]) -> None:
        if type(news.events[0]) is e.TakenBack:
            for session in listeners:
                welcome.show_again(session, live)
        if news.before.seats is news.after.seats and news.before.phase == news.after.phase:
            return
        removed = {
            event.person: event
            for event in news.events
            if type(event) is e.Stood and event.why in ("kicked", "gone")
        }
        for session in listeners:
            event = removed.get(session.person)
            if event is None:
                continue
            if event.why == "kicked" and event.bar:
                self.kicked.bar(live, session.address)
                # The tables that follow this one know only the person, not the address.
                self.kicked.remember(session.person, session.address)
            session.dismissed()
        self._see_to_the_end(live, news)

    def _see_to_the_end(self, live: LiveTable, news: News) -> None:
        last = news.events[-1]
        if type(last) is e.Closed:
            if last.why == "exported":
                error = t.fatal(CLOSED_FOR_EXPORT)
                for session in self.sessions_at(live):
                    if session.person != news.before.host:
                        self.hall.journal.send(session.wire, error)
            self.close_room(live)
        elif live.table.phase == "over":
            if next(live.table.sitters(), None) is None:
                self.close_room(live)
            elif news.before.phase != "over":
                self.close_later(live)
                self._see_to_the_lost(live)

    def _see_to_the_lost(self, live: LiveTable) -> None:
        """Players without a connection at the end of the game have as long to come back
        as they had in the game."""
        now = self.hall.time.now()
        for _, sitter in live.table.sitters():
            until = self._awaited_until(live, sitter)
            if until is not None:
                self.give_up_later(live, sitter.person, Millis(max(0, until - now)))

    def move(self, old: LiveTable, new: LiveTable, listeners: Collection[ToppleSession]) -> None:
        """A connection of this protocol has one game. Its client is told how to connect to the next one."""
        for session in listeners:
            session.be_at(new)
            switch = self.switch_to(new, session)
            self.hall.journal.send(session.wire, (t.DYNG + switch if switch else b"") + t.CLOSED)
            session.dismissed()

    def switch_to(self, live: LiveTable, session: ToppleSession, data: Sequence[str] = ()) -> bytes:
        """How a player gets to their seat at this table by another connection, and a spectator to watch it. They say
        `data` there. Empty if there is no way to it."""
        table, room = live.table, code_of(live)
        seat = table.seat_of(session.person)
        if seat is not None:
            key = self.keys.rejoin(live, seat)
            assert key is not None, "a person sits there"
            return t.switch_player(room, number(seat), key, data)
        if views.takes_spectators(table) and views.has_address(table):
            return t.switch_spectator(room, data)
        return b""

    def close_later(self, live: LiveTable) -> None:
        """The game is over; whoever is still here after a while is sent off."""
        table_id = live.id
        if table_id in self._closings:
            return
        left = live.table.at + self.settings.over_kept - self.hall.time.now()

        def close() -> None:
            del self._closings[table_id]
            # The table may have left the memory and come back meanwhile.
            now = self.hall.live.get(table_id)
            if now is not None:
                self.close_room(now)

        self._closings[table_id] = self.hall.time.later(Millis(max(0, left)), close)

    def give_up_later(self, live: LiveTable, person: PersonId, window: Millis) -> None:
        """The game is over, and a player is lost who may still come back."""
        lost = live.id, person
        if lost in self._goodbyes:
            self._goodbyes[lost].cancel()

        def give_up() -> None:
            del self._goodbyes[lost]
            now = self.hall.live.get(lost[0])
            if now is not None and person not in now.here and now.table.seat_of(person) is not None:
                self.hall.do(now, c.Leave(person))

        self._goodbyes[lost] = self.hall.time.later(window, give_up)

    def close_room(self, live: LiveTable) -> None:
        self.kicked.room_closed(live)
        closing = self._closings.pop(live.id, None)
        if closing is not None:
            closing.cancel()
        for session in self.sessions_at(live):
            self.hall.journal.send(session.wire, t.CLOSED)
            session.dismissed()

    # Who is there

    def spectators(self, live: LiveTable) -> Iterator[ToppleSession]:
        return (session for session in self.sessions_at(live) if session.spectator is not None)

    def others(self, live: LiveTable, frame: bytes, than: ToppleSession | None = None) -> None:
        """Say this to everybody of this door at a table, but for one."""
        for session in self.sessions_at(live):
            if session is not than:
                self.hall.journal.send(session.wire, frame)

    def host_of(self, live: LiveTable) -> int | str:
        """The host's number or spectator id; 0 if somebody is host who has neither here."""
        host = live.table.host
        if host is None:
            return 0
        seat = live.table.seat_of(host)
        if seat is not None:
            return number(seat)
        onlooker = self.onlookers.of(live).get(host)
        if onlooker is not None:
            return onlooker.spectator
        found = (session.spectator for session in self.spectators(live) if session.person == host)
        return next(found, None) or 0

    def is_open(self, live: LiveTable) -> bool:
        """Whether clients find this room. After its game they do for a while,
        if one of its players is around."""
        table, now = live.table, self.hall.time.now()
        if table.phase != "over":
            return True
        if table.outcome is None or table.at + self.settings.over_kept <= now:
            return False
        if live.is_copy:
            # Who is connected is known in its own wing. Most who are not do not keep their seats for long.
            return next(table.sitters(), None) is not None
        return any(self._is_around(live, sitter, now) for _, sitter in table.sitters())

    def _is_around(self, live: LiveTable, sitter: Sitter, now: Millis) -> bool:
        """Whether a player is there, or is still waited for, after the game."""
        if sitter.person in live.here or (live.id, sitter.person) in self._goodbyes:
            return True
        if sitter.kept_for is None:
            return False  # at the page nobody is waited for once the game is over
        until = self._awaited_until(live, sitter)
        if until is None:
            # The log does not say that they left, so they were connected when an earlier server stopped.
            until = Millis(self.opened + self.hall.settings.timeouts.room_grace)
        return now < until

    def _awaited_until(self, live: LiveTable, sitter: Sitter) -> Millis | None:
        """Until when a player of this protocol may come back who lost the connection
        in the game; else None."""
        lost = next((gone for gone in live.table.away if gone.person == sitter.person), None)
        if lost is None or sitter.kept_for is None:
            return None
        return Millis(lost.since + kept_for(lost, sitter.kept_for, self.hall.settings.timeouts))

    def start_draining(self) -> None:
        self.draining = True


def _ways_to_type(name: str) -> Iterable[str]:
    """Codes are capital letters, but people type; in an id case counts."""
    return dict.fromkeys((name, name.upper()))


def _no_code_left() -> Refused:
    return Refused("no_room", "There is no room code left for today; try again tomorrow.")
