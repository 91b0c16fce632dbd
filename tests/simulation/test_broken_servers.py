"""Servers that are broken on purpose: the simulation notices each of them, and names the seed."""

from collections.abc import Callable, Collection, Iterable, Sequence
from random import Random
from typing import Any

import pytest
from msgspec.structs import replace
from tests.hall.support.inmemory import MemoryStorage
from tests.simulation import world as simulation
from tests.simulation.disk import Disk, Flying, Medium, MemoryMedium
from tests.simulation.world import Failed, only_game, run

from gamut.doors.acquire.door import AcquireDoor
from gamut.doors.acquire.running_game import RunningGame
from gamut.doors.keys import Keys
from gamut.doors.powerchess.door import PowerChessDoor
from gamut.doors.tafl.door import TaflDoor
from gamut.doors.topple.door import ToppleDoor
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
from gamut.hall.live import alarms
from gamut.hall.live import live_table as live
from gamut.hall.live.alarms import Alarms
from gamut.hall.live.audience import News
from gamut.hall.live.live_table import LiveTable
from gamut.hall.lobby import lobby, summary
from gamut.hall.lobby.talk import LobbyTalk
from gamut.hall.store import journal
from gamut.hall.store.journal import Journal, Wire
from gamut.hall.store.memory import Memory
from gamut.hall.store.register import Register
from gamut.hall.store.storage import Entry, Row
from gamut.hall.table import clock as clocks
from gamut.hall.table import events as e
from gamut.hall.table import view
from gamut.hall.table.deciding import seating
from gamut.hall.table.seats import Sitter

pytestmark = pytest.mark.faults

WORLDS = 100


def noticed(
    medium: Callable[[], Medium] = MemoryMedium,
    seeds: Iterable[int] = range(1, WORLDS + 1),
    *,
    faults: bool = False,
) -> str:
    """What the simulation says of this server; for nearly all of them the first few worlds are enough."""
    with pytest.raises(Failed, match=r"^seed \d+, step \d+: ") as failed:
        for seed in seeds:
            run(seed, medium(), 12, faults=faults)
    return str(failed.value)


def test_a_journal_that_sends_before_the_commit(monkeypatch: pytest.MonkeyPatch) -> None:
    def send(self: Journal, wire: Wire, data: bytes) -> None:
        wire.write(data)

    monkeypatch.setattr(Journal, "send", send)
    noticed()


def test_a_broadcast_that_does_not_wait_for_the_commit(monkeypatch: pytest.MonkeyPatch) -> None:
    def broadcast(self: Journal, wires: tuple[Wire, ...], data: bytes) -> None:
        for wire in wires:
            wire.write(data)

    monkeypatch.setattr(Journal, "broadcast", broadcast)
    noticed()


def test_an_answer_over_http_that_does_not_wait_for_the_commit(monkeypatch: pytest.MonkeyPatch) -> None:
    async def durable(self: Hall) -> None:
        return

    monkeypatch.setattr(Hall, "durable", durable)
    noticed()


class _Forgetful(MemoryMedium):
    """A disk that says it has stored what it has not: the last row of a table."""

    def crash(self, flying: Flying | None, chance: Random) -> None:
        latest = max(self.storage.entries.values(), key=lambda entry: entry.updated, default=None)
        if latest is not None:
            self.storage.rows[latest.table].pop()


def test_a_disk_that_loses_the_last_row_that_was_committed() -> None:
    noticed(_Forgetful)


def test_a_disk_that_stores_half_of_a_commit(monkeypatch: pytest.MonkeyPatch) -> None:
    def store(self: Disk, rows: Sequence[Row], entries: Sequence[Entry]) -> None:
        self._flying = None
        self._medium.storage.append(rows[: max(1, len(rows) // 2)], entries)

    monkeypatch.setattr(Disk, "_store", store)
    noticed()


def test_a_disk_that_loses_what_was_noted_beside_the_events(monkeypatch: pytest.MonkeyPatch) -> None:
    real = Journal.note
    seen: set[TableId] = set()

    def note(self: Journal, table: TableId, describe: Callable[[], Entry]) -> None:
        if table not in seen:
            seen.add(table)
            real(self, table, describe)

    monkeypatch.setattr(Journal, "note", note)
    assert "note" in noticed()


def test_a_hall_that_forgets_a_table_before_all_of_it_is_stored(monkeypatch: pytest.MonkeyPatch) -> None:
    def let_go(self: Memory, live: LiveTable) -> None:
        if live.kept and not live.listeners:
            del self.kept[live.id], self._copies[live.id]
            live.kept = False

    monkeypatch.setattr(Memory, "let_go", let_go)
    noticed()


def test_a_hall_with_two_copies_of_a_table(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(Memory, "table", lambda self, table: None)
    monkeypatch.setattr(Memory, "add", lambda self, live: None)
    noticed()


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


def test_a_door_that_shows_cards_which_lie_face_down(monkeypatch: pytest.MonkeyPatch) -> None:
    showing(e.Played, monkeypatch)
    assert '"laid"' in noticed()


def test_a_door_that_shows_everybody_what_is_dealt(monkeypatch: pytest.MonkeyPatch) -> None:
    showing(e.Started, monkeypatch)
    assert '"dealt"' in noticed()


def test_a_door_that_tells_players_what_the_watchers_whisper(monkeypatch: pytest.MonkeyPatch) -> None:
    showing(e.Said, monkeypatch)
    assert '"kibitz"' in noticed()


def test_a_door_that_tells_watchers_the_key(monkeypatch: pytest.MonkeyPatch) -> None:
    showing(e.Opened, monkeypatch)
    assert '"key"' in noticed()


def test_a_picture_that_shows_the_hands_of_others(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(LiveTable, "state_for", lambda self, viewer: self.whole.state)
    assert "saw the cards of seat" in noticed()


def test_a_door_that_tells_an_event_twice(monkeypatch: pytest.MonkeyPatch) -> None:
    real = t.told

    def twice(live: LiveTable, events: list[Any], after: int, *rest: Any) -> t.Events:
        return real(live, events, max(0, after - 1), *rest)

    monkeypatch.setattr(t, "told", twice)
    assert "was told those" in noticed()


def test_a_door_that_leaves_an_event_out(monkeypatch: pytest.MonkeyPatch) -> None:
    real = view.view

    def shown(game: AnyGame, event: Any, viewer: Seat | None, *, revealed: bool = False) -> Any:
        return None if type(event) is e.Returned else real(game, event, viewer, revealed=revealed)

    monkeypatch.setattr(view, "view", shown)
    noticed()


def test_clocks_that_run_while_the_server_is_down(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(clocks, "rebased", lambda clock, now: clock)
    assert "ms left" in noticed()


def test_keys_that_are_others_after_each_start(monkeypatch: pytest.MonkeyPatch) -> None:
    real, starts = Keys.__init__, iter(range(1_000_000))

    def made(self: Keys, secret: str, door: str) -> None:
        real(self, f"{secret} {next(starts)}", door)

    monkeypatch.setattr(Keys, "__init__", made)
    assert "which is still theirs" in noticed()


def test_a_tower_door_that_tells_the_wrong_winner(monkeypatch: pytest.MonkeyPatch) -> None:
    real = tower.game_over
    monkeypatch.setattr(tower, "game_over", lambda winner, line: real(Seat(0 if winner else 1), line))
    assert "no game there was like that" in noticed()


def test_lobby_talk_that_is_not_stored(monkeypatch: pytest.MonkeyPatch) -> None:
    def say(self: LobbyTalk, person: Any, name: str, text: str) -> e.Said:
        said = e.Said(at=self._time.now(), person=person, name=name, text=text, channel="table")
        self.lines.append(said)
        return said

    monkeypatch.setattr(LobbyTalk, "say", say)
    assert "of the lobby was told and is gone" in noticed()


def test_a_start_that_takes_up_only_what_happens_by_itself(monkeypatch: pytest.MonkeyPatch) -> None:
    real = MemoryStorage.unfinished
    monkeypatch.setattr(MemoryStorage, "unfinished", lambda self: [x for x in real(self) if x.load_at_start])
    assert "unfinished are" in noticed()


def test_a_server_that_stumbles_over_its_own_bots(monkeypatch: pytest.MonkeyPatch) -> None:
    class Thrower(simulation.SlowBots):
        def think(self, *args: Any, **options: Any) -> None:
            raise RuntimeError("no idea")

    monkeypatch.setattr(simulation, "SlowBots", Thrower)
    noticed()


def test_a_hall_without_alarms(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(Alarms, "set", lambda self, live: None)
    assert "something was due" in noticed()


def test_a_hall_that_does_not_ask_its_bots(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(Thinking, "ask_bots", lambda self, live: None)
    assert "a bot is to act" in noticed()


def test_a_hall_that_forgets_who_sits_where(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(Register, "_unseat", lambda self, person, table: None)
    assert "seated are" in noticed()


def test_a_room_in_which_returning_players_get_any_seat(monkeypatch: pytest.MonkeyPatch) -> None:
    real = seating._free_seat
    monkeypatch.setattr(
        seating, "_free_seat", lambda game, table, wanted, name=None: real(game, table, wanted, None)
    )
    assert "came back to" in noticed()


def test_a_hall_that_does_not_notice_when_somebody_hangs_up(monkeypatch: pytest.MonkeyPatch) -> None:
    real = LiveTable.depart
    monkeypatch.setattr(LiveTable, "depart", lambda self, listener: real(self, listener) and False)
    assert "there and away, or neither" in noticed()


def test_a_hall_that_goes_on_telling_those_who_have_gone(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(WebSession, "unfollow", lambda self, live: None)
    noticed()


def test_a_note_that_forgets_the_clock(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(summary, "load_at_start", lambda game, table: table.phase == "setup")
    assert "happens by itself, and the hall does not mind it" in noticed()


def test_a_door_that_leaves_somebody_without_an_answer(monkeypatch: pytest.MonkeyPatch) -> None:
    def handle(self: WebSession, message: Any) -> Any:
        answered = handlers.HANDLERS[type(message)](self, message)
        return (
            None if answered is None or isinstance(answered, bool) else self._answer_later(message, answered)
        )

    monkeypatch.setattr(WebSession, "_handle", handle)
    assert "has got no answer" in noticed()


def test_a_list_of_games_that_forgets_some(monkeypatch: pytest.MonkeyPatch) -> None:
    real = LiveTable.entry
    monkeypatch.setattr(LiveTable, "entry", lambda self, faults: replace(real(self, faults), people=()))
    assert "which no list says" in noticed()


def test_a_door_of_acquire_that_tells_everybody_which_tiles_were_drawn(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(Acquire, "view", lambda self, event, viewer: event)
    noticed()


def test_a_door_of_acquire_that_leaves_out_what_the_server_played(monkeypatch: pytest.MonkeyPatch) -> None:
    acted = RunningGame.acted

    def without_automatic(self: RunningGame, seen: Any, at: int, clocks: Any) -> Any:
        frames = acted(self, seen, at, clocks)
        return {} if seen[None].auto else frames

    monkeypatch.setattr(RunningGame, "acted", without_automatic)
    assert "has heard of the moves" in noticed()


@pytest.mark.parametrize(
    ("door", "game"),
    [
        (TowerDoor, "tower"),
        (ToppleDoor, "topple"),
        (TaflDoor, "tafl"),
        (AcquireDoor, "acquire"),
        (PowerChessDoor, "powerchess"),
        (WebDoor, None),
    ],
)
def test_a_door_that_does_not_tell_what_people_of_other_doors_do(
    door: Any, game: str | None, monkeypatch: pytest.MonkeyPatch
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
    noticed(seeds=[seed for seed in range(1, 15 * WORLDS) if only_game(seed) == game])


class _Nothing(Exception):
    """Is raised by nobody: whoever catches this catches nothing."""


@pytest.mark.parametrize(
    "modules",
    [(journal,), (live, hall), (alarms,), (lobby,), (summary,)],
    ids=["journal", "doors", "alarms", "lobby", "summary"],
)
def test_a_server_in_which_a_fault_does_not_stay_where_it_happens(
    modules: tuple[Any, ...], monkeypatch: pytest.MonkeyPatch
) -> None:
    for module in modules:
        monkeypatch.setattr(module, "Fault", _Nothing)
    noticed(faults=True)


def test_a_door_that_failed_and_whose_people_hear_on(monkeypatch: pytest.MonkeyPatch) -> None:
    real = Hall.told
    monkeypatch.setattr(Hall, "told", lambda self, live, kind, failed: real(self, live, kind, ()))
    monkeypatch.setattr(LiveTable, "silence", lambda self, door: None)
    noticed(faults=True)


def test_an_alarm_that_is_lost_when_it_fails(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(Alarms, "_again", lambda self, live, fault: None)
    assert "something was due" in noticed(faults=True)


def test_a_wire_that_failed_and_is_written_to_again(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(Journal, "_lost", lambda self, wire, kind, fault: None)
    noticed(faults=True)
