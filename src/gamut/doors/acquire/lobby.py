"""The lobby as this protocol has it: numbered messages about games, of which a client can ask for those it missed."""

from collections import deque
from collections.abc import Collection, Sequence
from typing import TYPE_CHECKING

import msgspec
from msgspec.structs import replace

from gamut.doors.acquire import to_client as t
from gamut.doors.acquire.naming import number_of
from gamut.doors.acquire.positions import ORDERS
from gamut.doors.acquire.time_control import control_of
from gamut.doors.acquire.users import user_ids, usernames
from gamut.doors.framing import text_frame
from gamut.games.acquire.board import rows_of
from gamut.games.acquire.options import MODES, AcquireOptions
from gamut.hall.audience import LobbyNews
from gamut.hall.ids import Millis, TableId
from gamut.hall.live import LiveTable
from gamut.hall.summary import Summary, summary_of

if TYPE_CHECKING:
    from gamut.doors.acquire.door import AcquireDoor
    from gamut.doors.acquire.session import AcquireSession

REMEMBERED = 2_000
"""Messages that a client can have missed without having to be told everything anew."""
_BOARDS_EVERY = Millis(500)
_MOST_USERS = 500
_MOST_READ = 100
"""Games whose boards are read from the ledger because somebody looks at the lobby."""


class GameLobby:
    def __init__(self, door: "AcquireDoor") -> None:
        self._door = door
        self._hall = door.hall
        self._told: dict[TableId, t.Summary] = {}
        # No earlier server had come so far: whoever comes with a number of its messages is told everything.
        self._first = self._last = self._hall.time.now() * 1_000
        self._events: deque[tuple[int, bytes]] = deque(maxlen=REMEMBERED)
        self._looking = False
        self._marks: dict[TableId, tuple[int, int] | None] = {}
        """How far each table was, and how many watched it, when it was looked at last."""

    # Following

    def follow(self, session: "AcquireSession", known: int) -> None:
        # Whatever the others are about to hear is in the newcomer's first picture already.
        self._hall.lobby.tell_now()
        self._look()
        self._hall.lobby.attend(session)
        self._look_later()
        oldest = self._events[0][0] if self._events else self._last + 1
        if self._first <= known <= self._last and known >= oldest - 1:
            events = [msgspec.Raw(event) for index, event in self._events if index > known]
            session.send(t.LobbyEvents(last_event_index=self._last, events=events))
        else:
            games = sorted(self._told.values(), key=lambda game: game.game_number)
            checkpoint = t.Checkpoint(games, self._users())
            session.send(t.LobbyCheckpoint(last_event_index=self._last, checkpoint=checkpoint))

    def unfollow(self, session: "AcquireSession") -> None:
        self._hall.lobby.depart(session)

    @property
    def followers(self) -> "Collection[AcquireSession]":
        found: Collection[AcquireSession] = self._hall.lobby.listeners.get(self._door, ())  # type: ignore[assignment]
        return found

    def _users(self) -> list[t.User]:
        people = map(self._door.people.person, list(self._hall.connected)[:_MOST_USERS])
        known = (person for person in people if person is not None)
        return [t.User(self._door.number_of_person(person.id), person.name) for person in known]

    async def read_boards(self) -> None:
        """Look at games that are not in memory, and of which it is not known how their boards stand."""
        unknown = [
            summary.id
            for summary in self._hall.lobby.tables.values()
            if summary.game == self._door.name
            and _may_be_seen(summary)
            and self._board(summary.id, self._hall.here(summary.id)) is None
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
        elif live.table.phase != "over" or live.id in self._told or live.id in self._hall.lobby.tables:
            self._show(summary_of(live.game, live.table))

    def news(self, news: LobbyNews) -> None:
        """What the hall's lobby has to tell: of tables, too, at which nobody of this door is."""
        for summary in news.changed:
            if summary.game == self._door.name:
                self._show(summary)
        for table in map(TableId, news.gone):
            self._remove(table)

    def _show(self, summary: Summary) -> None:
        shown = self._shown(summary)
        if shown is None:
            return
        known = self._told.get(summary.id)
        if known is not None and replace(known, board=shown.board) == shown:
            return
        self._told[summary.id] = shown
        index = self._next()
        if known is None:
            self._tell(t.GameCreated(last_event_index=index, game=shown))
        else:
            self._tell(t.GameChanged(last_event_index=index, game=shown))

    def _remove(self, table: TableId) -> None:
        known = self._told.pop(table, None)
        self._marks.pop(table, None)
        if known is not None:
            self._tell(t.GameRemoved(last_event_index=self._next(), game_number=known.game_number))

    def removed(self, number: int) -> t.GameRemoved:
        """The same for those at the game who do not follow the lobby."""
        return t.GameRemoved(last_event_index=self._last, game_number=number)

    def _look(self) -> None:
        """What nobody says: boards that have changed, and who watches on the page."""
        tables = self._hall.lobby.tables
        for summary in list(tables.values()):
            live = self._hall.here(summary.id)
            mark = None if live is None else (live.table.seq, live.watchers)
            if summary.game != self._door.name or self._marks.get(summary.id, ()) == mark:
                continue
            self._marks[summary.id] = mark
            self._show(summary)
            if _may_be_seen(summary):
                self._tell_board(summary.id, live)
        for table in [table for table in self._marks if table not in tables]:
            self._remove(table)

    def _look_later(self) -> None:
        if self.followers and not self._looking:
            self._looking = True
            self._hall.time.later(_BOARDS_EVERY, self._look_again)

    def _look_again(self) -> None:
        self._looking = False
        if self.followers:
            self._look()
            self._look_later()

    def _tell_board(self, table: TableId, live: LiveTable | None) -> None:
        known = self._told.get(table)
        board = self._board(table, live)
        if known is None or board is None or known.board == board:
            return
        self._told[table] = replace(known, board=board)
        if known.board is not None:
            changes = _changed_cells(known.board, board)
            self._tell(
                t.GameBoardChanged(
                    last_event_index=self._next(), game_number=known.game_number, board_changes=changes
                )
            )

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

    def _board(self, table: TableId, live: LiveTable | None) -> list[str] | None:
        """None also for a game that is on or over, and that nobody has looked at since the server began."""
        running = self._door.running.get(table)
        if running is not None:
            return rows_of(running.state.board)
        if live is not None and live.table.players:
            return rows_of(live.state_for(None).board)
        known = self._told.get(table)
        return None if known is None or known.board is None else list(known.board)

    # Telling

    def _next(self) -> int:
        self._last += 1
        return self._last

    def _tell(self, event: t.LobbyEvent) -> None:
        data = t.encoded(event)
        self._events.append((event.last_event_index, data))
        frame = text_frame(data)
        for session in self.followers:
            self._hall.journal.send(session.wire, frame)


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
