"""A fault of ours stays where it happens: that connection, door or table is let go, and everybody else goes on."""

import asyncio
from collections.abc import Callable, Collection
from typing import Any

import pytest
from tests.conftest import Contained
from tests.hall.support.inmemory import (
    QUICK,
    FakeDoor,
    FakeListener,
    House,
    MemoryStorage,
    PonderingBots,
    make_hall,
)

from gamut.games.game import AnyGame, Refused
from gamut.games.tower.rules import Tower
from gamut.hall import hall as hall_module
from gamut.hall.ids import Millis, PersonId
from gamut.hall.live.audience import LobbyNews, News
from gamut.hall.live.live_table import LiveTable
from gamut.hall.live.opening import Opening
from gamut.hall.patience import DELAYS
from gamut.hall.table import codec
from gamut.hall.table import commands as c
from gamut.hall.table import events as e
from gamut.hall.table.clock import PerTurn
from gamut.hall.table.evolve import replayed

pytestmark = pytest.mark.faults

ANN, BOB, CID = map(PersonId, ("ann", "bob", "cid"))
TIMED = Opening(game="tower", clock=PerTurn(Millis(10_000)))


def broken(*args: Any, **options: Any) -> Any:
    raise ZeroDivisionError


class Times:
    """Fails so many times, and then does what it should."""

    def __init__(self, times: int, real: Callable[..., Any]) -> None:
        self.left = times
        self._real = real

    def __call__(self, *args: Any, **options: Any) -> Any:
        if self.left:
            self.left -= 1
            raise ZeroDivisionError
        return self._real(*args, **options)


class BrokenDoor(FakeDoor):
    name = "broken"

    def tell(self, live: LiveTable, news: News, listeners: Collection[FakeListener]) -> None:
        raise ZeroDivisionError

    def move(self, old: LiveTable, new: LiveTable, listeners: Collection[FakeListener]) -> None:
        raise ZeroDivisionError

    def tell_lobby(self, news: LobbyNews, listeners: Collection[FakeListener]) -> None:
        raise ZeroDivisionError


def seated(house: House, opening: Opening = TIMED) -> LiveTable:
    return house.open(opening, "ann", "ann", "bob", "cid")


def silent(house: House, live: LiveTable, name: str) -> FakeListener:
    """Somebody at a door that cannot tell anything; it is told first."""
    listener = FakeListener(BrokenDoor(), PersonId(name))
    live.attend(listener)
    return listener


# Doors


def test_a_door_that_fails_keeps_no_other_from_being_told_and_no_clock_from_running(
    contained: Contained,
) -> None:
    house = make_hall()
    live = seated(house)
    ann = silent(house, live, "ann")
    bob = house.attend(live, "bob")
    house.act(live)
    assert type(bob.events[-1]) is e.Played
    assert live.alarm is not None
    assert ann.wire.failed, "they come back to a true picture"
    assert not bob.wire.failed
    assert contained.faults == [
        {"kind": "tell", "table": live.id, "door": "broken", "error": "ZeroDivisionError()"}
    ]
    house.act(live)
    assert len(contained.faults) == 1, "who has missed something is not told what comes after it"


def test_whoever_could_not_be_told_is_there_until_the_connection_ends() -> None:
    house = make_hall()
    live = seated(house)
    ann = silent(house, live, "ann")
    house.act(live)
    assert not live.table.is_away(ANN)
    house.hall.attendance.depart(live, ann)
    assert live.table.is_away(ANN)
    house.attend(live, "ann")
    assert not live.table.is_away(ANN)


def test_bots_are_asked_although_a_door_fails() -> None:
    bots = PonderingBots()
    house = make_hall(bots=bots)
    live = house.open(Opening(game="tower"), "ann", "ann", "bob")
    silent(house, live, "ann")
    house.do(live, c.SeatBot(ANN, "casual", None))
    while not live.awaited_bots():
        house.act(live)
    assert bots.thoughts


def test_a_door_that_cannot_take_its_people_to_the_next_game_lets_them_go(contained: Contained) -> None:
    house = make_hall()
    live = seated(house, Opening(game="tower"))
    while live.table.phase != "over":
        house.act(live)
    ann = silent(house, live, "ann")
    bob, cid = house.attend(live, "bob"), house.attend(live, "cid")
    ann.door.tell = lambda *about: None  # type: ignore[method-assign]
    for person in (ANN, BOB, CID):
        house.do(live, c.Rematch(person))
    following = house.hall.here(live.table.successor)  # type: ignore[arg-type]
    assert following is not None
    assert contained.kinds == ["move"]
    assert ann.wire.failed
    assert bob.moves == cid.moves == [(live.id, following.id)]
    assert following.table.is_away(ANN)
    house.hall.attendance.depart(live, ann)
    house.attend(following, "ann")
    assert not following.table.is_away(ANN)


def test_what_waits_until_all_are_told_is_done_although_something_before_it_fails(
    contained: Contained,
) -> None:
    house = make_hall()
    live = seated(house, Opening(game="tower"))

    class Eager(FakeDoor):
        def tell(self, live: LiveTable, news: News, listeners: Collection[FakeListener]) -> None:
            if type(news.events[0]) is e.Said:
                live.when_told(broken)
                live.when_told(lambda: house.hall.do(live, c.Pause(ANN)))

    house.hall.attendance.attend(live, FakeListener(Eager(), ANN))
    house.do(live, c.Say(BOB, "bob", "hello", "table"))
    assert live.table.phase == "paused"
    assert contained.kinds == ["when_told"]


def test_a_door_that_cannot_tell_the_lobby_lets_its_people_go_and_the_others_hear(
    contained: Contained,
) -> None:
    house = make_hall()
    ann, bob = FakeListener(BrokenDoor(), ANN), house.listener("bob")
    house.hall.lobby.attend(ann)
    house.hall.lobby.attend(bob)
    for _ in range(2):
        house.open(Opening(game="tower"), "cid")
        house.advance(200)
    assert len(bob.lobby) == 2
    assert ann.wire.failed
    assert contained.faults == [{"kind": "tell_lobby", "door": "broken", "error": "ZeroDivisionError()"}]


# What follows from what happened


@pytest.mark.parametrize("step", ["_note_changes", "_follow_up", "_schedule"])
def test_what_fails_after_something_happened_keeps_nothing_else_from_following(
    step: str, contained: Contained, monkeypatch: pytest.MonkeyPatch
) -> None:
    house = make_hall(bots=PonderingBots())
    live = seated(house)
    bob = house.attend(live, "bob")
    monkeypatch.setattr(house.hall, step, Times(1, getattr(house.hall, step)))
    while live.table.phase != "over":
        house.act(live)
    assert type(bob.events[-1]) is e.Played
    house.advance(2_000)
    assert len(contained.faults) == 1, "it went well the second time"


def test_an_event_that_cannot_be_written_down_leaves_nothing_behind(monkeypatch: pytest.MonkeyPatch) -> None:
    house = make_hall()
    live = house.open(Opening(game="tower"), "ann", "ann", "bob")
    depth, seq = house.journal.depth, live.table.seq
    real = codec.encode
    monkeypatch.setattr(codec, "encode", lambda event: broken() if type(event) is e.Started else real(event))
    with pytest.raises(ZeroDivisionError):
        house.sit(live, "cid")  # and the game begins
    assert (house.journal.depth, live.table.seq) == (depth, seq)
    monkeypatch.undo()
    house.sit(live, "cid")
    assert len(house.storage.rows[live.id]) == live.table.seq


# Alarms


def test_an_alarm_that_fails_rings_again(monkeypatch: pytest.MonkeyPatch, contained: Contained) -> None:
    house = make_hall()
    live, other = seated(house), seated(house)
    monkeypatch.setattr(house.hall._alarms, "_ring", Times(3, house.hall._alarms._ring))
    before = live.table.seq, other.table.seq
    house.advance(10_000)
    assert contained.kinds == ["alarm", "alarm"]
    assert {fault["table"] for fault in contained.faults} == {live.id, other.id}
    house.advance(1_000)
    house.advance(2_000)
    assert live.table.seq > before[0]
    assert other.table.seq > before[1]
    assert contained.kinds == ["alarm"] * 3


def test_a_table_whose_alarm_always_fails_is_out_of_order_and_no_other(
    monkeypatch: pytest.MonkeyPatch, contained: Contained
) -> None:
    house = make_hall()
    live, other = seated(house), seated(house, Opening(game="tower"))
    ann = house.attend(live, "ann")
    monkeypatch.setattr(house.hall._alarms, "_ring", broken)
    house.advance(10_000 + sum(DELAYS))
    assert contained.kinds == ["alarm"] * (1 + len(DELAYS)), "it does not keep everybody busy"
    assert list(house.hall.out_of_order) == [live.id]
    assert ann.wire.failed
    assert live.id not in house.hall.lobby.tables
    assert not house.hall.register.seated[ANN] - {other.id}
    with pytest.raises(Refused, match="Something went wrong at this table"):
        asyncio.run(house.hall.load(live.id))
    with pytest.raises(Refused, match="Something went wrong at this table"):
        house.hall.do(live, c.Pause(ANN))
    seq = live.table.seq
    house.hall.do(live, c.Leave(ANN))
    assert live.table.seq == seq, "whoever goes may go, and nothing more is written down"
    house.act(other)
    house.advance(10 * 3_600_000)
    assert len(contained.faults) == 1 + len(DELAYS)


def test_the_next_start_takes_up_a_table_that_was_out_of_order(monkeypatch: pytest.MonkeyPatch) -> None:
    house = make_hall()
    live = seated(house)
    monkeypatch.setattr(house.hall._alarms, "_ring", broken)
    house.advance(10_000 + sum(DELAYS))
    assert house.hall.out_of_order
    following = make_hall(house.storage, time=house.time)
    asyncio.run(following.start())
    again = following.hall.here(live.id)
    assert again is not None
    seq = again.table.seq
    following.advance(3_600_000)
    assert again.table.seq > seq, "it goes on"


def test_something_that_is_due_and_does_nothing_does_not_ring_for_ever(
    monkeypatch: pytest.MonkeyPatch, contained: Contained
) -> None:
    house = make_hall()
    live = seated(house)
    monkeypatch.setattr(hall_module.Hall, "carry_out", lambda self, live, command: None)
    house.advance(3_600_000)
    assert len(contained.faults) == 1 + len(DELAYS)
    assert live.id in house.hall.out_of_order


def test_an_alarm_for_what_is_not_due_any_more_is_no_fault(contained: Contained) -> None:
    house = make_hall()
    live = seated(house)
    assert live.deadline is not None
    rings, live.deadline = live.deadline, house.time.now()
    house.hall._alarms.cancel(live)
    house.hall._alarms.set(live)
    house.advance(1)
    assert not contained.faults
    assert live.deadline == rings


# Bots


def with_a_bot(bots: Any) -> tuple[House, LiveTable]:
    house = make_hall(bots=bots)
    live = house.open(Opening(game="tower"), "ann", "ann", "bob")
    house.do(live, c.SeatBot(ANN, "casual", None))
    while not live.awaited_bots():
        house.act(live)
    return house, live


def test_a_bot_whose_answer_we_cannot_deal_with_is_asked_again(
    monkeypatch: pytest.MonkeyPatch, contained: Contained
) -> None:
    bots = PonderingBots()
    house, live = with_a_bot(bots)
    monkeypatch.setattr(house.hall._thinking, "_act", Times(1, house.hall._thinking._act))
    seq = live.table.seq
    bots.thoughts.pop().answer()
    assert (live.table.seq, contained.kinds, bots.thoughts) == (seq, ["bot"], [])
    house.advance(1_000)
    bots.thoughts.pop().answer()
    assert live.table.seq == seq + 1


def test_a_bot_that_could_not_be_asked_is_asked_again(
    monkeypatch: pytest.MonkeyPatch, contained: Contained
) -> None:
    bots = PonderingBots()
    monkeypatch.setattr(bots, "think", Times(1, bots.think))
    house, live = with_a_bot(bots)
    assert (contained.kinds, bots.thoughts) == (["bot"], [])
    house.do(live, c.Say(ANN, "ann", "well?", "table"))
    assert not bots.thoughts, "not each time that something happens"
    house.advance(1_000)
    assert len(bots.thoughts) == 1


# Housekeeping


def test_a_table_that_cannot_be_looked_at_keeps_no_other_in_memory(
    monkeypatch: pytest.MonkeyPatch, contained: Contained
) -> None:
    house = make_hall()
    first, second = (house.open(Opening(game="tower"), "ann") for _ in range(2))
    asyncio.run(house.start())
    for live in (first, second):
        house.sit(live, "bob")
        house.do(live, c.Leave(BOB))
    real = LiveTable.awaited_bots
    monkeypatch.setattr(LiveTable, "awaited_bots", lambda self: broken() if self is first else real(self))
    for _ in range(3):
        house.advance(QUICK.idle_after)
    assert second.id not in house.hall.live
    assert set(contained.kinds) == {"sweep"}
    assert len(contained.faults) >= 2, "the next round comes"
    assert {fault["table"] for fault in contained.faults} == {first.id}


def test_one_deserted_table_that_fails_keeps_no_other_in_the_lists(
    monkeypatch: pytest.MonkeyPatch, contained: Contained
) -> None:
    house = make_hall()
    lives = [seated(house, Opening(game="tower")) for _ in range(2)]
    for live in lives:
        house.depart(live, house.attend(live, "ann"))
    real = house.hall.attendance.desertion._is_empty
    monkeypatch.setattr(
        house.hall.attendance.desertion,
        "_is_empty",
        lambda table: broken() if table == lives[0].id else real(table),
    )
    house.advance(QUICK.deserted_after + 1)
    assert lives[1].id in house.hall.lobby.deserted
    assert contained.faults == [{"kind": "desertion", "table": lives[0].id, "error": "ZeroDivisionError()"}]


# Games that fail


class Wordless(Tower):
    def brief(self, options: Any) -> dict[str, Any]:
        raise ZeroDivisionError


def test_a_game_that_cannot_say_its_options_in_brief_is_noted_and_shown_without(contained: Contained) -> None:
    games: dict[str, AnyGame] = {"tower": Wordless()}
    house = make_hall(played=games)
    bob = house.listener("bob")
    house.hall.lobby.attend(bob)
    live = house.open(Opening(game="tower"), "ann", "ann")
    house.advance(200)
    assert house.storage.entries[live.id].people == (ANN,)
    assert bob.lobby[-1].changed[0].id == live.id
    assert bob.lobby[-1].changed[0].options == {}
    assert set(contained.kinds) == {"brief"}
    following = make_hall(house.storage, played=games)
    asyncio.run(following.start())
    assert live.id in following.hall.lobby.tables


def test_a_table_that_we_cannot_follow_is_refused_and_the_others_come_back(
    monkeypatch: pytest.MonkeyPatch, contained: Contained
) -> None:
    house = make_hall()
    faulty, sound = seated(house), seated(house)
    real = replayed

    def fold(game: AnyGame, events: list[Any]) -> Any:
        return broken() if events[0].table == faulty.id else real(game, events)

    monkeypatch.setattr("gamut.hall.live.rebuilding.replayed", fold)
    following = make_hall(house.storage, time=house.time)
    asyncio.run(following.start())
    assert following.hall.here(sound.id) is not None
    assert list(following.hall.out_of_order) == [faulty.id]
    assert faulty.id not in following.hall.lobby.tables
    with pytest.raises(Refused, match="Something went wrong at this table"):
        asyncio.run(following.hall.load(faulty.id))
    assert contained.faults == [{"kind": "read", "table": faulty.id, "error": "ZeroDivisionError()"}]


def test_a_table_that_cannot_be_woken_is_refused_and_the_others_come_back(
    monkeypatch: pytest.MonkeyPatch, contained: Contained
) -> None:
    storage: MemoryStorage = make_hall().storage
    house = make_hall(storage)
    faulty, sound = seated(house), seated(house)
    real = hall_module.Hall.carry_out

    def carry_out(self: Any, live: LiveTable, *command: Any) -> None:
        if live.id == faulty.id:
            broken()
        real(self, live, *command)

    monkeypatch.setattr(hall_module.Hall, "carry_out", carry_out)
    following = make_hall(storage, time=house.time)
    asyncio.run(following.start())
    assert following.hall.here(sound.id) is not None
    assert list(following.hall.out_of_order) == [faulty.id]
    assert contained.kinds == ["read"]
