"""The lobby as this protocol has it: numbered messages about games, of which a client can ask for those it missed."""

import asyncio
from collections import deque
from collections.abc import Collection, Iterable, Iterator, Sequence
from itertools import islice
from typing import TYPE_CHECKING, NamedTuple

import msgspec
from msgspec.structs import replace

from gamut.doors.acquire import to_client as t
from gamut.doors.acquire.from_client import Id
from gamut.doors.acquire.lobby_pieces import GAMES, UNKNOWN, CheckpointTelling
from gamut.doors.acquire.naming import number_of
from gamut.doors.acquire.positions import ORDERS
from gamut.doors.acquire.time_control import control_of
from gamut.doors.acquire.users import user_ids, usernames
from gamut.doors.framing import text_frame
from gamut.doors.pieces import Pieces
from gamut.games.acquire.board import rows_of
from gamut.games.acquire.options import MODES, AcquireOptions
from gamut.hall.ids import Millis, TableId
from gamut.hall.live.audience import LobbyNews
from gamut.hall.live.live_table import LiveTable
from gamut.hall.lobby.summary import Summary, summary_of

if TYPE_CHECKING:
    from gamut.doors.acquire.door import AcquireDoor
    from gamut.doors.acquire.session import AcquireSession

REMEMBERED = 300
"""Messages that a client can have missed without having to be told everything anew."""
_CROWDED = 200
"""Of more games, and more users, than that not everything is looked at anew whenever somebody comes."""
_BOARDS_EVERY = Millis(500)
_LOOKED_AT = 1_000
"""Tables at a time."""
_USERS_EVERY = Millis(1_000)
_READ_EVERY = Millis(60_000)
_MOST_USERS = 500
_MOST_READ = 100
"""Games whose boards are read from the ledger because somebody looks at the lobby."""


class _Told(NamedTuple):
    """What is remembered of a message: nobody's name, and nothing of a table that may be private by now."""

    table: TableId
    created: bool
    removed: t.GameRemoved | None


class GameLobby:
    def __init__(self, door: "AcquireDoor") -> None:
        self._door = door
        self._hall = door.hall
        self.told: dict[TableId, t.Summary] = {}
        """What those who follow the lobby know."""
        self._encoded: dict[TableId, msgspec.Raw] = {}
        """The same for newcomers, as far as somebody has asked for it since it changed."""
        # No earlier server had come so far: whoever comes with a number of its messages is told everything.
        self.last = self._hall.time.now() * 1_000
        self._events: deque[_Told] = deque(maxlen=REMEMBERED)
        """Of the last messages; their numbers follow upon each other up to `last`."""
        self._pieces = Pieces(self._hall)
        self._tellings: dict[AcquireSession, CheckpointTelling] = {}
        """Those who are still being told which games there are."""
        self._looking = False
        self._looked = Millis(0)
        self._round: Iterator[TableId] = iter(())
        """The tables that are yet to be looked at, before it is the turn of the first again."""
        self._marks: dict[TableId, tuple[Summary, int, int]] = {}
        """What was shown of each table, how far it was, and how many watched it, when it was looked at last."""
        self._users: tuple[Millis, list[t.User]] = Millis(0), []
        self._reading: tuple[Millis, asyncio.Future[None]] | None = None
        """When boards were read last, and the reading."""
        self._hall.lobby.on_news.append(self._unheard)

    # Following

    def follow(self, session: "AcquireSession", known: int, answers: Id | None) -> None:
        """Tell what has happened since the message of that number, or everything; then answer."""
        if session in self._tellings:
            # They are being told everything already, each connection once at a time.
            session.answer(answers)
            return
        # Whatever the others are about to hear is in the newcomer's first picture already.
        self._hall.lobby.tell_now()
        if len(self.told) <= _CROWDED or not (self.followers or self._has_just_looked):
            self.look()
        self._hall.lobby.attend(session)
        self._look_later()
        missed = self.last - known
        if 0 <= missed <= len(self._events):
            session.send(t.LobbyEvents(last_event_index=self.last, events=self._missed(missed)))
            session.answer(answers)
            return
        telling = self._tellings[session] = CheckpointTelling(self, session, answers)
        if len(self.told) <= GAMES or telling.has_room:
            telling.go_on()
        if telling:
            self._pieces.wanted(telling)

    def _missed(self, count: int) -> list[t.LobbyEvent]:
        """What the last messages come to, one for each game as it is now, by the number of the last about it.

        As they were told they may have names that were given up since, and tables that have become private.
        """
        first: dict[TableId, _Told] = {}
        latest: dict[TableId, tuple[int, _Told]] = {}
        for number, told in enumerate(
            islice(self._events, len(self._events) - count, None), self.last - count + 1
        ):
            first.setdefault(told.table, told)
            latest.pop(told.table, None)
            latest[told.table] = number, told
        events: list[t.LobbyEvent] = []
        for table, (number, told) in latest.items():
            is_new = first[table].created
            if table in self.told:
                kind = t.GameCreated if is_new else t.GameChanged
                events.append(kind(last_event_index=number, game=self.encoded(table)))
            elif told.removed is not None and not is_new:
                events.append(told.removed)
        return events

    def told_all(self, session: "AcquireSession") -> None:
        """From now on this connection hears everything, and by its number."""
        del self._tellings[session]

    def unfollow(self, session: "AcquireSession") -> None:
        self._hall.lobby.depart(session)
        telling = self._tellings.pop(session, None)
        if telling is not None:
            telling.end()

    @property
    def followers(self) -> "Collection[AcquireSession]":
        found: Collection[AcquireSession] = self._hall.lobby.listeners.get(self._door, ())  # type: ignore[assignment]
        return found

    def in_order(self) -> Iterable[TableId]:
        """The games by their numbers, but for a crowd of them: that would be work for whoever comes."""
        if len(self.told) > _CROWDED:
            return self.told
        return sorted(self.told, key=lambda table: self.told[table].game_number)

    def encoded(self, table: TableId) -> msgspec.Raw:
        """What is told of a game to whoever comes."""
        found = self._encoded.get(table)
        if found is None:
            found = self._encoded[table] = msgspec.Raw(msgspec.json.encode(self.told[table]))
        return found

    def forget_users(self) -> None:
        """Somebody has another name, or is gone."""
        self._users = Millis(0), []

    def users(self) -> list[t.User]:
        """Who is here. Of a crowd it may be a second old."""
        now, (made, users) = self._hall.time.now(), self._users
        if len(users) < _CROWDED or now - made >= _USERS_EVERY:
            people = map(self._door.people.person, islice(self._hall.connected, _MOST_USERS))
            known = (person for person in people if person is not None)
            users = [t.User(self._door.number_of_person(person.id), person.name) for person in known]
            self._users = now, users
        return users

    async def read_boards(self) -> None:
        """Look at games that are not in memory, and of which it is not known how their boards stand.

        That is done once in a while, for all who come meanwhile.
        """
        now = self._hall.time.now()
        if self._reading is None or now - self._reading[0] >= _READ_EVERY:
            self._reading = now, asyncio.ensure_future(self._read_boards())
        if not self._reading[1].done():
            await asyncio.shield(self._reading[1])

    async def _read_boards(self) -> None:
        unknown = [
            summary.id
            for summary in self._hall.lobby.tables.values()
            if summary.game == self._door.name
            and _may_be_seen(summary)
            and not self._has_board(summary.id, self._hall.here(summary.id))
        ]
        for table_id in unknown[-_MOST_READ:]:
            live = await self._hall.readable(table_id)
            if live is not None:
                self.note(live)

    # What changes

    def note(self, live: LiveTable) -> None:
        """Something may have changed that the lobby shows of this table. It is told at once."""
        if live.table.private or (live.table.phase == "over" and live.table.outcome is None):
            self._remove(live.id)
        elif live.table.phase != "over" or live.id in self.told or live.id in self._hall.lobby.tables:
            self._show(summary_of(live.game, live.table, self._hall.faults))

    def news(self, news: LobbyNews) -> None:
        """What the hall's lobby has to tell: of tables, too, at which nobody of this door is."""
        for summary in news.changed:
            if summary.game == self._door.name:
                self._show(summary)
        for table in map(TableId, news.gone):
            self._remove(table)

    def _unheard(self, news: LobbyNews) -> None:
        """The door is not told where nobody follows; whoever comes next is not shown what is private by now."""
        if not self.followers:
            self.news(news)

    def _show(self, summary: Summary) -> None:
        shown = self._shown(summary)
        if shown is None:
            return
        known = self.told.get(summary.id)
        if known is not None and replace(known, board=shown.board) == shown:
            return
        index = self._next()
        if known is None:
            self._tell(summary.id, t.GameCreated(last_event_index=index, game=shown))
        else:
            self._tell(summary.id, t.GameChanged(last_event_index=index, game=shown))
        self._now_shows(summary.id, shown)

    def _now_shows(self, table: TableId, shown: t.Summary) -> None:
        self.told[table] = shown
        self._encoded.pop(table, None)

    def _remove(self, table: TableId) -> None:
        known = self.told.get(table)
        self._marks.pop(table, None)
        for telling in self._tellings.values():
            telling.left.pop(table, None)
        if known is not None:
            self._tell(table, t.GameRemoved(last_event_index=self._next(), game_number=known.game_number))
            del self.told[table]
            self._encoded.pop(table, None)

    def removed(self, number: int) -> t.GameRemoved:
        """The same for those at the game who do not follow the lobby."""
        return t.GameRemoved(last_event_index=self.last, game_number=number)

    def look(self) -> None:
        """See all that nobody says, and what was said while nobody followed."""
        self._looked = self._hall.time.now()
        tables = self._hall.lobby.tables
        self._look_at(tables)
        # Those that are told are among the marked, unless they were told with news and are gone without.
        for table in [table for table in (self._marks | self.told) if table not in tables]:
            self._hall.faults.guard("lobby", self._remove, table, table=table)

    @property
    def _has_just_looked(self) -> bool:
        return self._hall.time.now() - self._looked < _BOARDS_EVERY

    def _look_at(self, named: Iterable[TableId]) -> None:
        """See what nobody says of these tables: boards that have changed, and who watches on the page."""
        tables, here = self._hall.lobby.tables, self._hall.here
        for table in tuple(named):
            summary = tables.get(table)
            if summary is None or summary.game != self._door.name:
                continue
            live = here(table)
            mark = summary, 0, 0
            if live is not None:
                mark = summary, live.table.seq, live.watchers if live.here else 0
            if self._marks.get(table) == mark:
                continue
            self._marks[table] = mark
            self._hall.faults.guard("lobby", self._look_at_one, summary, live, table=table)

    def _look_at_one(self, summary: Summary, live: LiveTable | None) -> None:
        self._show(summary)
        if _may_be_seen(summary):
            self._tell_board(summary.id, live)

    def _look_later(self) -> None:
        """Every half second all tables have been looked at, so many at a time."""
        if self.followers and not self._looking:
            self._looking = True
            turns = 1 + len(self.told) // _LOOKED_AT
            self._hall.time.later(Millis(_BOARDS_EVERY // turns), self._look_again)

    def _look_again(self) -> None:
        self._looking = False
        if self.followers:
            named = tuple(islice(self._round, _LOOKED_AT))
            if not named:
                self._round = iter(tuple(self._hall.lobby.tables))
                named = tuple(islice(self._round, _LOOKED_AT))
            self._look_later()
            self._look_at(named)

    def _tell_board(self, table: TableId, live: LiveTable | None) -> None:
        known = self.told.get(table)
        board = self._board(table, live)
        if known is None or board is None or known.board == board:
            return
        if known.board is not None:
            changes = _changed_cells(known.board, board)
            self._tell(
                table,
                t.GameBoardChanged(
                    last_event_index=self._next(), game_number=known.game_number, board_changes=changes
                ),
            )
        self._now_shows(table, replace(known, board=board))

    # What is shown

    def _shown(self, summary: Summary) -> t.Summary | None:
        number = number_of(summary.room)
        if number is None:
            return None
        live = self._hall.here(summary.id)
        # What the options leave out is as usual.
        mode, order = (
            summary.options.get(field, getattr(AcquireOptions(), field)) for field in ("mode", "order")
        )
        control = control_of(summary.clock)
        holders = summary.seats if live is None else (live.table.players or live.table.seats)
        phase = summary.phase
        return t.Summary(
            game_number=number,
            status="playing" if phase == "paused" else phase,
            game_mode=MODES[mode].number,
            player_arrangement_mode=ORDERS[order],
            time_control_starting_amount=control.starting,
            time_control_increment_amount=control.increment,
            host_user_id=self._door.host_among(summary.host, holders),
            user_ids=user_ids(holders),
            usernames=usernames(holders),
            watchers=0 if live is None else live.watchers,
            board=self._board(summary.id, live) if _may_be_seen(summary) else None,
        )

    def _has_board(self, table: TableId, live: LiveTable | None) -> bool:
        known = self.told.get(table)
        in_memory = live is not None and bool(live.table.players)
        return in_memory or (known is not None and known.board is not None)

    def _board(self, table: TableId, live: LiveTable | None) -> list[str] | None:
        """None also for a game that is on or over, and that nobody has looked at since the server began."""
        running = self._door.running.get(table)
        if running is not None:
            return rows_of(running.state.board)
        if live is not None and live.table.players:
            return rows_of(live.state_for(None).board)
        known = self.told.get(table)
        return None if known is None or known.board is None else list(known.board)

    # Telling

    def _next(self) -> int:
        """The number of the next message, if that can be told."""
        return self.last + 1

    def _tell(self, table: TableId, event: t.LobbyEvent) -> None:
        """Number and message are remembered together, or neither: nobody is to wait for one that never comes."""
        data = t.encoded(event)
        self.last = event.last_event_index
        removed = event if type(event) is t.GameRemoved else None
        self._events.append(_Told(table, type(event) is t.GameCreated, removed))
        frame = text_frame(data)
        unnumbered: bytes | None = None
        for session in self.followers:
            telling = self._tellings.get(session)
            if telling is None:
                self._hall.journal.send(session.wire, frame)
            elif table not in telling.left:
                if unnumbered is None:
                    unnumbered = t.framed(replace(event, last_event_index=UNKNOWN))
                self._hall.journal.send(session.wire, unnumbered)


def _may_be_seen(summary: Summary) -> bool:
    """Whether there is a board, and everybody may see it."""
    guarded = summary.guards_watching and summary.phase != "over"
    return summary.phase != "setup" and summary.watchable and not guarded


def _changed_cells(before: Sequence[str], after: Sequence[str]) -> list[tuple[int, str]]:
    """By tile, which go down the rows, then on to the next column."""
    rows = len(after)
    return [
        (column * rows + row, after[row][column])
        for column in range(len(after[0]))
        for row in range(rows)
        if before[row][column] != after[row][column]
    ]
