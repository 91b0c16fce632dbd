"""The lobby as this protocol has it: numbered messages about games, of which a client can ask for those it missed."""

import asyncio
from collections import deque
from collections.abc import Collection
from itertools import islice
from typing import TYPE_CHECKING, NamedTuple

import msgspec
from msgspec.structs import replace

from gamut.doors.acquire import to_client as t
from gamut.doors.acquire.checkpoint import GAMES, UNKNOWN, Checkpoint, CheckpointReader
from gamut.doors.acquire.from_client import Id
from gamut.doors.acquire.naming import number_of
from gamut.doors.acquire.private_games import PrivateGames
from gamut.doors.acquire.snapshots import ORDERS
from gamut.doors.acquire.time_control import control_of
from gamut.doors.acquire.users import user_ids, usernames
from gamut.doors.pieces import Pieces
from gamut.doors.public_rooms import PublicRoom, PublicRooms, RoomChanges
from gamut.games.acquire.board import rows_of
from gamut.games.acquire.options import MODES, AcquireOptions
from gamut.hall.ids import Millis, TableId
from gamut.hall.live.audience import LobbyNews
from gamut.hall.live.live_table import LiveTable
from gamut.hall.lobby.summary import Summary

if TYPE_CHECKING:
    from gamut.doors.acquire.door import AcquireDoor
    from gamut.doors.acquire.session import AcquireSession

REMEMBERED = 300
"""Messages that a client can have missed without having to be told everything anew."""
CROWDED = 200
"""Of more games, and more users, than that not everything is seen to whenever somebody comes."""
_BOARDS_EVERY = Millis(500)
_USERS_EVERY = Millis(1_000)
_READ_EVERY = Millis(60_000)
_MOST_USERS = 500
_MOST_READ = 100
"""Games whose boards are read from the ledger because somebody looks at the lobby."""


class _Numbered(NamedTuple):
    """What is remembered of a message: nobody's name, and nothing of a table that may be private by now."""

    table: TableId
    created: bool
    removed: t.GameRemoved | None


class GameLobby:
    def __init__(self, door: "AcquireDoor") -> None:
        self._door = door
        self._hall = hall = door.hall
        self._rooms = PublicRooms(hall, door.name, self._shown, _is_listed)
        """The games as those who follow the lobby know them, but for their boards."""
        self._rooms.followed(door)
        self.private = PrivateGames(door, self._shown)
        self._boards: dict[TableId, str] = {}
        """The boards that they know."""
        self._encoded: dict[TableId, msgspec.Raw] = {}
        """Games with their boards, encoded for newcomers: those that somebody asked
        for since they changed."""
        # Higher than every number of an earlier server: a client that names one of those is told everything.
        self.last = hall.time.now() * 1_000
        self._events: deque[_Numbered] = deque(maxlen=REMEMBERED)
        """Of the last messages; their numbers follow upon each other up to `last`."""
        self._pieces = Pieces(hall)
        self._due: dict[TableId, Millis] = {}
        """Tables of which the board or the watchers may have changed, and when that is told: those that wait longest
        come first."""
        self._armed = False
        self._users: tuple[Millis, list[t.User]] = Millis(0), []
        self._reading: tuple[Millis, asyncio.Future[None]] | None = None
        """When boards were read last, and the reading."""
        hall.lobby.on_news.append(self._unheard)
        hall.on_event[door.name] = self._later
        hall.attendance.on_change.append(self._visited)

    # Following

    def follow(self, session: "AcquireSession", known: int, answers: Id | None) -> None:
        """Tell what has happened since the message of that number, or everything; then answer."""
        if session.state.checkpoint is not None:
            # This connection is being told everything already.
            session.answer(answers)
            return
        # The newcomer's first message has all changes so far: the others are told them before.
        self._hall.lobby.tell_now()
        if not self.followers or len(self.games) <= CROWDED:
            self._look_at_changed()
        self._hall.lobby.attend(session)
        session.state.in_lobby = True
        self._arm()
        missed = self.last - known
        if not self.private.follow(session) and 0 <= missed <= len(self._events):
            session.send(t.LobbyEvents(last_event_index=self.last, events=self._missed(missed)))
            session.answer(answers)
            return
        self._tell_everything(session, answers)

    def tell_anew(self, session: "AcquireSession") -> None:
        """Tell everything to a session that followed the lobby of another node, whose numbers mean nothing here."""
        under_way = session.state.checkpoint
        self.private.follow(session)
        self._tell_everything(session, None if under_way is None else under_way.answers)

    def _tell_everything(self, session: "AcquireSession", answers: Id | None) -> None:
        session.state.checkpoint = Checkpoint(dict.fromkeys(self._in_order()), answers)
        reader = CheckpointReader(self, session)
        if len(self.games) <= GAMES or reader.can_take_more:
            reader.go_on()
        if reader:
            self._pieces.wanted(reader)

    def follow_again(self, session: "AcquireSession") -> None:
        """Go on with a session that followed the lobby, and was perhaps still being told which games there are."""
        self._hall.lobby.attend_again(session)
        self.private.follow_again(session)
        self._arm()
        if session.state.checkpoint is not None:
            self._pieces.wanted(CheckpointReader(self, session))

    def unfollow(self, session: "AcquireSession") -> None:
        self.private.unfollow(session)
        self._hall.lobby.depart(session)

    @property
    def followers(self) -> "Collection[AcquireSession]":
        found: Collection[AcquireSession] = self._hall.lobby.listeners.get(self._door, ())  # type: ignore[assignment]
        return found

    def _missed(self, count: int) -> list[t.LobbyEvent]:
        """One message for each game that the last messages were about, with the number of the latest of them.

        Each tells the game as it is now: the messages of then may have names that were given up since, and
        tables that have become private.
        """
        first: dict[TableId, _Numbered] = {}
        latest: dict[TableId, tuple[int, _Numbered]] = {}
        for number, event in enumerate(
            islice(self._events, len(self._events) - count, None), self.last - count + 1
        ):
            first.setdefault(event.table, event)
            latest.pop(event.table, None)
            latest[event.table] = number, event
        events: list[t.LobbyEvent] = []
        for table, (number, event) in latest.items():
            is_new = first[table].created
            if table in self.games:
                kind = t.GameCreated if is_new else t.GameChanged
                events.append(kind(last_event_index=number, game=self.encoded(table)))
            elif event.removed is not None and not is_new:
                events.append(event.removed)
        return events

    # What is shown

    @property
    def games(self) -> Collection[TableId]:
        """Those that are told."""
        return self._rooms.told

    def _in_order(self) -> Collection[TableId]:
        """The games by their numbers, but for a crowd of them: that would be work for whoever comes."""
        games = self._rooms.told
        return games if len(games) > CROWDED else sorted(games, key=lambda table: games[table].game_number)

    def encoded(self, table: TableId) -> msgspec.Raw:
        """What is told of a game to whoever comes."""
        found = self._encoded.get(table)
        if found is None:
            game = self._with_board(table, self._rooms.told[table])
            found = self._encoded[table] = msgspec.Raw(msgspec.json.encode(game))
        return found

    def _with_board(self, table: TableId, game: t.Summary) -> t.Summary:
        board = self._boards.get(table)
        return game if board is None else replace(game, board=rows_of(board))

    def _shown(self, room: PublicRoom) -> t.Summary:
        summary, live = room.summary, room.live
        number = number_of(summary.room)
        assert number is not None, "others are not listed"
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
            watchers=room.watchers,
            board=None,
        )

    def _board(self, table: TableId) -> str | None:
        """The board as it is now; None if there is none, if not everybody may see it, and for a game that nobody has
        looked at since the server began."""
        summary = self._hall.lobby.tables_of(self._door.name).get(table)
        if summary is None or not _may_be_seen(summary):
            return None
        live = self._hall.in_memory(table)
        if live is not None and live.table.players:
            board: str = live.state_for(None).board
            return board
        return self._boards.get(table)

    # Boards of games that are not in memory

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
        tables = self._hall.lobby.tables_of(self._door.name).values()
        unknown = [
            summary.id
            for summary in tables
            if self._hall.wings.has(summary.id) and _may_be_seen(summary) and self._board(summary.id) is None
        ]
        for table in unknown[-_MOST_READ:]:
            # Held until its board is known: a game that is over is not kept in memory.
            live = await self._hall.readable(table)
            if live is not None:
                self._look_at_game(live.id)

    # Who is here

    def users(self) -> list[t.User]:
        """Of a crowd it may be a second old."""
        now, (made, users) = self._hall.time.now(), self._users
        if len(users) < CROWDED or now - made >= _USERS_EVERY:
            people = map(self._door.people.person, islice(self._hall.connected, _MOST_USERS))
            known = (person for person in people if person is not None)
            users = [t.User(self._door.number_of_person(person.id), person.name) for person in known]
            users.sort(key=lambda user: (user.username, user.user_id))
            self._users = now, users
        return users

    def forget_users(self) -> None:
        """Somebody has another name, or is gone."""
        self._users = Millis(0), []

    # What changes

    def look_at(self, table: TableId) -> None:
        """Something may have changed that the lobby shows of this table. It is told at once."""
        self._tell_changes(self._rooms.look_at(table))
        self.private.look_at(table)

    def news(self, news: LobbyNews) -> None:
        """News of the hall's lobby, also about tables at which nobody of this door is."""
        self._tell_changes(self._rooms.changes(news))

    def _unheard(self, news: LobbyNews) -> None:
        """Without followers the door gets no news. This keeps its list up to date, so that the next newcomer
        is not shown a table that has become private."""
        if not self.followers:
            self.news(news)

    def _tell_changes(self, changes: RoomChanges[t.Summary]) -> None:
        for table, game in changes.added.items():
            self._tell_game(t.GameCreated, table, game)
        for table, game in changes.changed.items():
            self._tell_game(t.GameChanged, table, game)
        for table, game in changes.removed.items():
            self._boards.pop(table, None)
            self._due.pop(table, None)
            self._tell(table, t.GameRemoved(last_event_index=self.last + 1, game_number=game.game_number))

    def _tell_game(self, kind: type[t.GameCreated | t.GameChanged], table: TableId, game: t.Summary) -> None:
        board = self._board(table)
        if board is None:
            self._boards.pop(table, None)
        else:
            self._boards[table] = board
        self._tell(table, kind(last_event_index=self.last + 1, game=self._with_board(table, game)))

    def removed(self, number: int) -> t.GameRemoved:
        """The same for those at the game who do not follow the lobby."""
        return t.GameRemoved(last_event_index=self.last, game_number=number)

    # What changes often, and is told after a while

    def _visited(self, live: LiveTable) -> None:
        if live.table.game == self._door.name:
            self._later(live)

    def _later(self, live: LiveTable) -> None:
        """Something may have changed at this table that is not told at once: the board, or who watches on the page."""
        if live.id not in self._due:
            self._due[live.id] = Millis(self._hall.time.now() + _BOARDS_EVERY)
            self._arm()

    def _arm(self) -> None:
        if self._due and not self._armed and self.followers:
            self._armed = True
            due = next(iter(self._due.values()))
            self._hall.time.later(Millis(max(0, due - self._hall.time.now())), self._look_at_due)

    def _look_at_due(self) -> None:
        self._armed = False
        now = self._hall.time.now()
        while self._due and next(iter(self._due.values())) <= now and self.followers:
            self._look_at_first()
        self._arm()

    def _look_at_changed(self) -> None:
        """See to all that has changed, whether it is due or not."""
        while self._due:
            self._look_at_first()

    def _look_at_first(self) -> None:
        table = next(iter(self._due))
        del self._due[table]
        self._hall.faults.guard("lobby", self._look_at_game, table, table=table)

    def _look_at_game(self, table: TableId) -> None:
        self.look_at(table)
        known, board = self._boards.get(table), self._board(table)
        if table not in self._rooms.told or board is None or board == known:
            return
        self._boards[table] = board
        self._encoded.pop(table, None)
        if known is not None:
            number = self._rooms.told[table].game_number
            event = t.GameBoardChanged(
                last_event_index=self.last + 1,
                game_number=number,
                board_changes=[(tile, cell) for tile, cell in enumerate(board) if known[tile] != cell],
            )
            self._tell(table, event)

    # Telling

    def _tell(self, table: TableId, event: t.LobbyEvent) -> None:
        """Encode first: if that fails, no number is used up, and no client waits for a
        message that never comes."""
        frame = t.framed(event)
        self.last = event.last_event_index
        removed = event if type(event) is t.GameRemoved else None
        self._events.append(_Numbered(table, type(event) is t.GameCreated, removed))
        self._encoded.pop(table, None)
        unnumbered: bytes | None = None
        told = self.private.tell_otherwise(table, event)
        for session in self.followers:
            if session in told:
                continue
            if session.knows_everything:
                self._hall.journal.send(session.wire, frame)
                continue
            checkpoint = session.state.checkpoint
            if checkpoint is not None and removed is not None:
                checkpoint.left.pop(table, None)
            if checkpoint is None or table not in checkpoint.left:
                if unnumbered is None:
                    unnumbered = t.framed(replace(event, last_event_index=UNKNOWN))
                self._hall.journal.send(session.wire, unnumbered)


def _is_listed(room: PublicRoom) -> bool:
    """A table without a number is no game here."""
    return number_of(room.summary.room) is not None


def _may_be_seen(summary: Summary) -> bool:
    """Whether there is a board, and everybody may see it."""
    guarded = summary.guards_watching and summary.phase != "over"
    return summary.phase != "setup" and summary.watchable and not guarded
