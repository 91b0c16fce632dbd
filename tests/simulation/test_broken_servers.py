"""Servers that are broken on purpose: the simulation notices each of them, by the promise that is not kept."""

from collections.abc import Callable, Collection, Sequence
from random import Random
from typing import Any

import pytest
from msgspec import NODEFAULT
from msgspec.structs import fields, replace
from tests.hall.support.inmemory import MemoryStorage
from tests.simulation import world as simulation
from tests.simulation.disk import Disk, Flying, MemoryMedium
from tests.simulation.faults import Injected
from tests.simulation.noticing import Noticed

from gamut.doors.acquire.door import AcquireDoor
from gamut.doors.acquire.session import AcquireSession
from gamut.doors.acquire.telling import AcquireTelling
from gamut.doors.base_session import BaseSession, TableSession
from gamut.doors.keys import Keys
from gamut.doors.powerchess.door import PowerChessDoor
from gamut.doors.powerchess.session import PowerChessSession
from gamut.doors.tafl.door import TaflDoor
from gamut.doors.tafl.session import TaflSession
from gamut.doors.topple.door import ToppleDoor
from gamut.doors.topple.session import ToppleSession
from gamut.doors.tower import to_client as tower
from gamut.doors.tower.door import TowerDoor
from gamut.doors.web import handlers
from gamut.doors.web import to_client as t
from gamut.doors.web.door import WebDoor
from gamut.doors.web.session import WebSession
from gamut.games.acquire.rules import Acquire
from gamut.games.game import AnyGame, Seat
from gamut.hall import hall
from gamut.hall.bots.thinking import Thinking
from gamut.hall.hall import Hall
from gamut.hall.ids import TableId
from gamut.hall.live import alarms, rebuilding, succession
from gamut.hall.live import live_table as live
from gamut.hall.live.alarms import Alarms
from gamut.hall.live.audience import News
from gamut.hall.live.live_table import LiveTable, Step
from gamut.hall.live.memory import Memory
from gamut.hall.live.register import Register
from gamut.hall.lobby import lobby, summary
from gamut.hall.lobby.talk import LobbyTalk
from gamut.hall.names.room_names import HeldNames
from gamut.hall.store import journal
from gamut.hall.store.journal import Journal, Wire
from gamut.hall.store.storage import Entry, LedgerError, Row
from gamut.hall.table import clock as clocks
from gamut.hall.table import events as e
from gamut.hall.table import view
from gamut.hall.table.deciding import seating
from gamut.hall.table.evolve import evolve, opened, taken_back
from gamut.hall.table.seats import Sitter
from gamut.hall.table.state import Table

pytestmark = pytest.mark.faults

TOLD_TOO_EARLY = r"event \d+ of table \w+ was told, and the disk has \d+"
NO_SUCH_GAME = "in room .* of {game} somebody was told .*: no game there was like that"
TOLD_WRONG = r".* was told of table \w+, events \d+ to \d+: .*"
NOT_NEXT = r"web .* had heard event \d+ of table \w+, and was told those"


@pytest.fixture
def noticed(request: pytest.FixtureRequest) -> Noticed:
    return Noticed(request)


def test_a_journal_that_sends_before_the_commit(monkeypatch: pytest.MonkeyPatch, noticed: Noticed) -> None:
    def send(self: Journal, wire: Wire, data: bytes) -> None:
        wire.write(data)

    monkeypatch.setattr(Journal, "send", send)
    noticed(TOLD_TOO_EARLY)


def test_a_broadcast_that_does_not_wait_for_the_commit(
    monkeypatch: pytest.MonkeyPatch, noticed: Noticed
) -> None:
    def broadcast(self: Journal, wires: tuple[Wire, ...], data: bytes) -> None:
        for wire in wires:
            wire.write(data)

    monkeypatch.setattr(Journal, "broadcast", broadcast)
    noticed(NO_SUCH_GAME.format(game="topple"))


def test_an_answer_over_http_that_does_not_wait_for_the_commit(
    monkeypatch: pytest.MonkeyPatch, noticed: Noticed
) -> None:
    async def durable(self: Hall) -> None:
        return

    monkeypatch.setattr(Hall, "durable", durable)
    noticed(r"table \w+ was never like this")


class _Forgetful(MemoryMedium):
    """A disk that says it has stored what it has not: the last row of a table."""

    def crash(self, flying: Flying | None, chance: Random) -> None:
        latest = max(self.storage.entries.values(), key=lambda entry: entry.updated, default=None)
        if latest is not None:
            self.storage.rows[latest.table].pop()


def test_a_disk_that_loses_the_last_row_that_was_committed(noticed: Noticed) -> None:
    noticed(TOLD_TOO_EARLY, medium=_Forgetful)


def test_a_disk_that_stores_half_of_a_commit(monkeypatch: pytest.MonkeyPatch, noticed: Noticed) -> None:
    def store(self: Disk, rows: Sequence[Row], entries: Sequence[Entry]) -> None:
        self._flying = None
        self._medium.storage.append(rows[: max(1, len(rows) // 2)], entries)

    monkeypatch.setattr(Disk, "_store", store)
    noticed(r"The log of table \w+ is damaged at event")


def test_a_server_that_was_ended_and_tells_what_is_not_stored(
    monkeypatch: pytest.MonkeyPatch, noticed: Noticed
) -> None:
    monkeypatch.setattr(Disk, "_answer", lambda self, done: done())
    noticed(TOLD_TOO_EARLY)


def test_a_disk_that_loses_what_was_noted_beside_the_events(
    monkeypatch: pytest.MonkeyPatch, noticed: Noticed
) -> None:
    real = Journal.note
    seen: set[TableId] = set()

    def note(self: Journal, table: TableId, describe: Callable[[], Entry]) -> None:
        if table not in seen:
            seen.add(table)
            real(self, table, describe)

    monkeypatch.setattr(Journal, "note", note)
    noticed(r"table \w+ is in \w+, and its note is")


def test_a_hall_that_forgets_a_table_before_all_of_it_is_stored(
    monkeypatch: pytest.MonkeyPatch, noticed: Noticed
) -> None:
    def let_go(self: Memory, live: LiveTable) -> None:
        if live.kept and not live.listeners:
            del self.kept[live.id], self._copies[live.id]
            live.kept = False

    monkeypatch.setattr(Memory, "let_go", let_go)
    noticed("An event is stored once", LedgerError)


def test_a_hall_with_two_copies_of_a_table(monkeypatch: pytest.MonkeyPatch, noticed: Noticed) -> None:
    monkeypatch.setattr(Memory, "table", lambda self, table: None)
    monkeypatch.setattr(Memory, "add", lambda self, live: None)
    noticed(r".* has a copy of table \w+ that is not the hall's")


def showing(kind: type, monkeypatch: pytest.MonkeyPatch) -> None:
    """Events of this type leave the hall as they are, whoever is told, if they are of a game with cards."""

    real, state_for = view.view, LiveTable.state_for

    def shown(game: AnyGame, event: Any, viewer: Seat | None, *, revealed: bool = False) -> Any:
        shows = type(event) is kind and game.traits.name == "parlour"
        return event if shows else real(game, event, viewer, revealed=revealed)

    def as_it_should_be(self: LiveTable, viewer: Seat | None) -> Any:
        with monkeypatch.context() as context:
            context.setattr(view, "view", real)
            return state_for(self, viewer)

    monkeypatch.setattr(view, "view", shown)
    monkeypatch.setattr(LiveTable, "state_for", as_it_should_be)


def test_a_door_that_shows_cards_which_lie_face_down(
    monkeypatch: pytest.MonkeyPatch, noticed: Noticed
) -> None:
    showing(e.Played, monkeypatch)
    noticed(TOLD_WRONG + '"laid"')


def test_a_door_that_shows_everybody_what_is_dealt(monkeypatch: pytest.MonkeyPatch, noticed: Noticed) -> None:
    showing(e.Started, monkeypatch)
    noticed(TOLD_WRONG + '"dealt"')


def test_a_door_that_tells_players_what_the_watchers_whisper(
    monkeypatch: pytest.MonkeyPatch, noticed: Noticed
) -> None:
    showing(e.Said, monkeypatch)
    noticed(TOLD_WRONG + '"kibitz"')


def test_a_door_that_tells_watchers_the_key(monkeypatch: pytest.MonkeyPatch, noticed: Noticed) -> None:
    showing(e.Opened, monkeypatch)
    noticed(TOLD_WRONG + '"key"')


def test_a_picture_that_shows_the_hands_of_others(monkeypatch: pytest.MonkeyPatch, noticed: Noticed) -> None:
    monkeypatch.setattr(LiveTable, "state_for", lambda self, viewer: self.whole.state)
    noticed(r".* saw the cards of seat \d at table")


def test_a_door_that_tells_an_event_twice(monkeypatch: pytest.MonkeyPatch, noticed: Noticed) -> None:
    real = t.happened

    def twice(live: LiveTable, events: list[Any], after: int, *rest: Any) -> t.Events:
        return real(live, events, max(0, after - 1), *rest)

    monkeypatch.setattr(t, "happened", twice)
    noticed(NOT_NEXT)


def test_a_door_that_leaves_an_event_out(monkeypatch: pytest.MonkeyPatch, noticed: Noticed) -> None:
    real = view.view

    def shown(game: AnyGame, event: Any, viewer: Seat | None, *, revealed: bool = False) -> Any:
        return None if type(event) is e.Returned else real(game, event, viewer, revealed=revealed)

    monkeypatch.setattr(view, "view", shown)
    noticed(TOLD_WRONG + '.*, and the disk has .*"returned"')


def test_clocks_that_run_while_the_server_is_down(monkeypatch: pytest.MonkeyPatch, noticed: Noticed) -> None:
    monkeypatch.setattr(clocks, "rebased", lambda clock, now: clock)
    noticed(r"seat \d of table \w+ had \d+ ms left and, \d+ ms later, \d+")


def test_keys_that_are_others_after_each_start(monkeypatch: pytest.MonkeyPatch, noticed: Noticed) -> None:
    real, starts = Keys.__init__, iter(range(1_000_000))

    def made(self: Keys, secret: str, door: str) -> None:
        real(self, f"{secret} {next(starts)}", door)

    monkeypatch.setattr(Keys, "__init__", made)
    noticed(".* which is still theirs")


def test_a_tower_door_that_tells_the_wrong_winner(monkeypatch: pytest.MonkeyPatch, noticed: Noticed) -> None:
    real = tower.game_over
    monkeypatch.setattr(tower, "game_over", lambda winner, line: real(Seat(0 if winner else 1), line))
    noticed(NO_SUCH_GAME.format(game="tower"))


def test_lobby_talk_that_is_not_stored(monkeypatch: pytest.MonkeyPatch, noticed: Noticed) -> None:
    def say(self: LobbyTalk, person: Any, name: str, text: str) -> e.Said:
        said = e.Said(at=self._time.now(), person=person, name=name, text=text, channel="table")
        self.lines.append(said)
        return said

    monkeypatch.setattr(LobbyTalk, "say", say)
    noticed(r"line \d+ of the lobby was told and is gone")


def test_a_start_that_takes_up_only_what_happens_by_itself(
    monkeypatch: pytest.MonkeyPatch, noticed: Noticed
) -> None:
    real = MemoryStorage.unfinished
    monkeypatch.setattr(MemoryStorage, "unfinished", lambda self: [x for x in real(self) if x.load_at_start])
    noticed("unfinished are .*, and the hall has")


def test_a_server_that_stumbles_over_its_own_bots(monkeypatch: pytest.MonkeyPatch, noticed: Noticed) -> None:
    class Thrower(simulation.SlowBots):
        def think(self, *args: Any, **options: Any) -> None:
            raise RuntimeError("no idea")

    monkeypatch.setattr(simulation, "SlowBots", Thrower)
    noticed("the server logged: a fault was contained .*'bot'.*RuntimeError: no idea")


def test_a_hall_without_alarms(monkeypatch: pytest.MonkeyPatch, noticed: Noticed) -> None:
    monkeypatch.setattr(Alarms, "set", lambda self, live: None)
    noticed(r"at table \w+ something was due")


def test_a_hall_that_does_not_ask_its_bots(monkeypatch: pytest.MonkeyPatch, noticed: Noticed) -> None:
    monkeypatch.setattr(Thinking, "ask_bots", lambda self, live: None)
    noticed(r"at table \w+ a bot is to act")


def test_a_hall_that_forgets_who_sits_where(monkeypatch: pytest.MonkeyPatch, noticed: Noticed) -> None:
    monkeypatch.setattr(Register, "_unseat", lambda self, person, table: None)
    noticed("seated are .*, and the hall has")


def test_a_server_that_opens_rooms_before_their_names_are_its_own(
    monkeypatch: pytest.MonkeyPatch, noticed: Noticed
) -> None:
    monkeypatch.setattr(HeldNames, "is_ours", lambda self, game, name: True)
    noticed("a table has the name .*, which is not ours")


def test_a_server_that_keeps_names_which_it_does_not_need(
    monkeypatch: pytest.MonkeyPatch, noticed: Noticed
) -> None:
    monkeypatch.setattr(HeldNames, "let_go", lambda self, game, name: None)
    noticed("nobody needs the name .*, and nobody else can have it")


def test_a_room_that_goes_on_after_its_name_was_let_go(
    monkeypatch: pytest.MonkeyPatch, noticed: Noticed
) -> None:
    real = succession.go_on

    def let_go_first(hall: Hall, live: LiveTable, *, rotate: bool) -> None:
        room = live.table.room
        if room is not None and hall.register.rooms.get((live.table.game, room)) == live.id:
            hall.register.names._names.release(live.table.game, room)
        real(hall, live, rotate=rotate)

    monkeypatch.setattr(hall, "go_on", let_go_first)
    noticed("a table has the name .*, which is not ours", game="tower")


def test_a_room_in_which_returning_players_get_any_seat(
    monkeypatch: pytest.MonkeyPatch, noticed: Noticed
) -> None:
    real = seating._free_seat
    monkeypatch.setattr(
        seating, "_free_seat", lambda game, table, wanted, name=None: real(game, table, wanted, None)
    )
    noticed(r".* had seat \d of table \w+ and came back to \d")


def test_a_hall_that_does_not_notice_when_somebody_hangs_up(
    monkeypatch: pytest.MonkeyPatch, noticed: Noticed
) -> None:
    real = LiveTable.depart
    monkeypatch.setattr(LiveTable, "depart", lambda self, listener: real(self, listener) and False)
    noticed(r".* in seat \d of table \w+ is there and away, or neither")


def test_a_hall_that_goes_on_telling_those_who_have_gone(
    monkeypatch: pytest.MonkeyPatch, noticed: Noticed
) -> None:
    monkeypatch.setattr(WebSession, "unfollow", lambda self, live: None)
    noticed("somebody who has gone is still told of table")


def test_a_note_that_forgets_the_clock(monkeypatch: pytest.MonkeyPatch, noticed: Noticed) -> None:
    monkeypatch.setattr(summary, "load_at_start", lambda game, table: table.phase == "setup")
    noticed(r"at table \w+ something happens by itself, and the hall does not mind it")


def test_a_door_that_leaves_somebody_without_an_answer(
    monkeypatch: pytest.MonkeyPatch, noticed: Noticed
) -> None:
    def handle(self: WebSession, message: Any) -> Any:
        answered = handlers.HANDLERS[type(message)](self, message)
        return (
            None if answered is None or isinstance(answered, bool) else self._answer_later(message, answered)
        )

    monkeypatch.setattr(WebSession, "_handle", handle)
    noticed(".* has got no answer to")


def test_a_list_of_games_that_forgets_some(monkeypatch: pytest.MonkeyPatch, noticed: Noticed) -> None:
    real = LiveTable.entry
    monkeypatch.setattr(LiveTable, "entry", lambda self, faults: replace(real(self, faults), people=()))
    noticed(".* played at .*, which no list says")


def test_a_door_of_acquire_that_tells_everybody_which_tiles_were_drawn(
    monkeypatch: pytest.MonkeyPatch,
    noticed: Noticed,
) -> None:
    monkeypatch.setattr(Acquire, "view", lambda self, event, viewer: event)
    noticed(r"acquire \d was told which tiles somebody else drew")


def test_a_door_of_acquire_that_leaves_out_what_the_server_played(
    monkeypatch: pytest.MonkeyPatch, noticed: Noticed
) -> None:
    in_game = AcquireTelling._in_game

    def without_automatic(self: AcquireTelling, step: Step, *rest: Any) -> Any:
        return b"" if getattr(step.event, "auto", False) else in_game(self, step, *rest)

    monkeypatch.setattr(AcquireTelling, "_in_game", without_automatic)
    noticed(r"acquire \d has heard of the moves .*, and there were")


@pytest.mark.parametrize(
    ("door", "game", "promise"),
    [
        (TowerDoor, "tower", NO_SUCH_GAME.format(game="tower")),
        (ToppleDoor, "topple", NO_SUCH_GAME.format(game="topple")),
        (TaflDoor, "tafl", r"tafl \d has heard of the moves .*, and there were"),
        (AcquireDoor, "acquire", r"acquire \d has heard of the moves .*, and there were"),
        (PowerChessDoor, "powerchess", r"power \d has heard of the moves .*, and there were"),
        (WebDoor, None, NOT_NEXT),
    ],
    ids=["tower", "topple", "tafl", "acquire", "powerchess", "web"],
)
def test_a_door_that_does_not_tell_what_people_of_other_doors_do(
    door: Any, game: str | None, promise: str, monkeypatch: pytest.MonkeyPatch, noticed: Noticed
) -> None:
    real = door.tell

    def tell(self: Any, live: LiveTable, news: News, listeners: Collection[Any]) -> None:
        here = {session.person for session in listeners}
        for event in news.events:
            acted = type(event) is e.Played and event.seat is not None
            holder = news.before.seats[event.seat] if acted else None
            if type(holder) is Sitter and holder.person not in here:
                return
        real(self, live, news, listeners)

    monkeypatch.setattr(door, "tell", tell)
    noticed(promise, game=game)


class _Nothing(Exception):
    """Is raised by nobody: whoever catches this catches nothing."""


@pytest.mark.parametrize(
    ("modules", "where"),
    [
        ((journal,), "a write to"),
        ((live, hall), "tell of"),
        ((alarms,), "an alarm of"),
        ((lobby,), "tell_lobby of"),
        ((summary,), "the brief of"),
    ],
    ids=["journal", "doors", "alarms", "lobby", "summary"],
)
def test_a_server_in_which_a_fault_does_not_stay_where_it_happens(
    modules: tuple[Any, ...], where: str, monkeypatch: pytest.MonkeyPatch, noticed: Noticed
) -> None:
    for module in modules:
        monkeypatch.setattr(module, "Fault", _Nothing)
    noticed(where, Injected, faults=True)


def test_a_start_that_forgets_what_was_taken_back(monkeypatch: pytest.MonkeyPatch, noticed: Noticed) -> None:
    def replayed(game: AnyGame, log: Sequence[Any]) -> Table:
        table = opened(game, log[0])
        for event in log[1:]:
            if type(event) is e.TakenBack:
                table = taken_back(game, table, event, table.state)
            else:
                table = evolve(game, table, event)
        return table

    monkeypatch.setattr(rebuilding, "replayed", replayed)
    noticed(r".* saw table \w+ at event \d+ not as its log has it")


def test_a_door_that_failed_and_whose_people_hear_on(
    monkeypatch: pytest.MonkeyPatch, noticed: Noticed
) -> None:
    real = Hall.after_telling
    monkeypatch.setattr(Hall, "after_telling", lambda self, live, kind, failed: real(self, live, kind, ()))
    monkeypatch.setattr(LiveTable, "silence", lambda self, door: None)
    noticed(NOT_NEXT, faults=True)


def test_an_alarm_that_is_lost_when_it_fails(monkeypatch: pytest.MonkeyPatch, noticed: Noticed) -> None:
    monkeypatch.setattr(Alarms, "_again", lambda self, live, fault: None)
    noticed(r"at table \w+ something was due", faults=True)


def test_a_wire_that_failed_and_is_written_to_again(
    monkeypatch: pytest.MonkeyPatch, noticed: Noticed
) -> None:
    monkeypatch.setattr(Journal, "_lost", lambda self, wire, kind, fault: None)
    noticed(NO_SUCH_GAME.format(game=r"\w+"), faults=True)


def forgets(session: Any, field: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """When such a session is packed this part of its state is left out."""
    real = session.hand_over

    def hand_over(self: BaseSession[Any, Any]) -> Any:
        state = real(self)
        (kind,) = (each for each in fields(state) if each.name == field)
        default = kind.default_factory
        setattr(state, field, kind.default if default is NODEFAULT else default())
        return state

    monkeypatch.setattr(session, "hand_over", hand_over)


def test_sessions_that_forget_their_table(monkeypatch: pytest.MonkeyPatch, noticed: Noticed) -> None:
    forgets(TableSession, "table", monkeypatch)
    noticed(r".* in seat \d of table \w+ is there and away, or neither")


def test_a_session_of_the_page_that_forgets_what_it_is_still_being_told(
    monkeypatch: pytest.MonkeyPatch, noticed: Noticed
) -> None:
    forgets(WebSession, "under_way", monkeypatch)
    noticed(".* has got no answer to")


@pytest.mark.parametrize(
    ("session", "field", "game"),
    [
        (WebSession, "in_lobby", None),
        (WebSession, "new_at", None),
        (AcquireSession, "in_lobby", "acquire"),
        (TaflSession, "ready", "tafl"),
        (TaflSession, "lists", "tafl"),
        (ToppleSession, "entering", "topple"),
        (ToppleSession, "spectator", "topple"),
        (ToppleSession, "board_again", "topple"),
        (PowerChessSession, "player", "powerchess"),
        (PowerChessSession, "created", "powerchess"),
    ],
    ids=lambda value: value.__name__.removesuffix("Session").lower() if isinstance(value, type) else None,
)
def test_a_session_that_forgets_a_part_of_its_state(
    session: Any, field: str, game: str | None, monkeypatch: pytest.MonkeyPatch, noticed: Noticed
) -> None:
    forgets(session, field, monkeypatch)
    noticed(".* has heard something else because of amnesia", game=game, memory=True)


def test_a_session_that_misses_what_the_lobby_was_about_to_tell(
    monkeypatch: pytest.MonkeyPatch, noticed: Noticed
) -> None:
    real = lobby.Lobby.attend_again

    def attend_again(self: lobby.Lobby, listener: Any) -> None:
        self.tell_now()
        real(self, listener)

    monkeypatch.setattr(lobby.Lobby, "attend_again", attend_again)
    noticed(".* has heard something else because of amnesia", memory=True)
