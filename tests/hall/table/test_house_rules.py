"""Passwords, looks, tables without watchers, hosts who only watch, games that are carried off, and spare time."""

import asyncio
from collections.abc import Sequence
from random import Random
from typing import Any

import pytest
from msgspec.structs import replace
from tests.hall.support.inmemory import MemoryStorage, make_hall
from tests.hall.table.test_ways_to_begin import LooseTower

from gamut.games.game import Refused, Seat
from gamut.games.tower.rules import Place, Tower
from gamut.hall.ids import Millis, PersonId, TableId
from gamut.hall.live.opening import Opening
from gamut.hall.lobby.summary import summary_of
from gamut.hall.store.storage import Entry
from gamut.hall.table import clock as clocks
from gamut.hall.table import commands as c
from gamut.hall.table import events as e
from gamut.hall.table.clock import Bank
from gamut.hall.table.deciding.decide import decide
from gamut.hall.table.deciding.draft import Timeouts
from gamut.hall.table.deciding.lock import locked, opens
from gamut.hall.table.deciding.presence import next_deadline
from gamut.hall.table.evolve import opened
from gamut.hall.table.seats import Sitter
from gamut.hall.table.state import Table
from gamut.hall.table.view import view

ANN, BOB, CY = (PersonId(name) for name in ("ann", "bob", "cy"))


class Bench:
    """One table of Tower, and its commands."""

    def __init__(self, game: Tower | None = None, host: PersonId | None = ANN, **fields: Any) -> None:
        self.game = game if game is not None else Tower()
        settings = {"options": {}, "seats": 3, "clock": clocks.NoClock(), "start": "host", "private": False}
        self.table: Table = opened(
            self.game,
            e.Opened(
                at=Millis(1_000),
                table=TableId("t"),
                game="tower",
                key="k",
                host=host,
                **{**settings, **fields},
            ),
        )

    def do(self, command: c.Command, after: int = 0) -> list[str]:
        draft = decide(self.game, self.table, command, Millis(self.table.at + after), Random(1), Timeouts())
        self.table = draft.table
        return [type(event).__name__ for event in draft.events]

    def sit(self, *people: PersonId, kept_for: Millis | None = None) -> None:
        for person in people:
            self.do(c.Sit(Sitter(person, person.title(), kept_for=kept_for)))

    def refused(self, command: c.Command) -> str:
        before = self.table
        with pytest.raises(Refused) as refused:
            self.do(command)
        assert self.table is before
        return refused.value.code


def test_a_password_is_stored_salted_and_only_the_word_opens_it() -> None:
    stored = locked("swordfish")
    assert "swordfish" not in stored
    assert stored != locked("swordfish")
    assert opens(stored, "swordfish")
    assert not opens(stored, "Swordfish")
    assert opens(locked("café"), "cafe\N{COMBINING ACUTE ACCENT}")


def test_a_locked_table_takes_whoever_knows_the_password_or_has_the_key() -> None:
    bench = Bench(password=locked("swordfish"))
    assert bench.refused(c.Sit(Sitter(BOB, "Bob"))) == "locked"
    assert bench.refused(c.Sit(Sitter(BOB, "Bob"), password="tuna")) == "wrong_password"
    assert bench.do(c.Sit(Sitter(BOB, "Bob"), password="swordfish")) == ["Sat"]
    assert bench.do(c.Sit(Sitter(CY, "Cy"), key="k")) == ["Sat"]
    assert summary_of(bench.game, bench.table).locked


def test_nobody_is_shown_a_table_s_password_but_everybody_that_there_is_one() -> None:
    house = make_hall()
    live = house.open(Opening(game="tower", password=locked("swordfish")), "ann")
    assert live.table.password is not None
    for viewer in (None, Seat(0)):
        seen = view(live.game, live.log[0], viewer)
        assert isinstance(seen, e.Opened)
        assert seen.password == ""
    assert live.table.password not in repr(summary_of(live.game, live.table))


def test_a_table_may_want_no_watchers() -> None:
    house = make_hall()
    live = house.open(Opening(game="tower", watchable=False), "ann", "bob")
    with pytest.raises(Refused, match="no watchers"):
        house.attend(live, "cy")
    house.attend(live, "bob")
    house.attend(live, "ann")
    assert not summary_of(live.game, live.table).watchable


def test_the_host_decorates_before_the_game_and_what_is_not_named_stays() -> None:
    bench = Bench(decor={"style": "plain"})
    assert bench.refused(c.Decorate(BOB, {"colours": [1]})) == "not_host"
    assert bench.do(c.Decorate(ANN, {"colours": [1, 2]})) == ["Decorated"]
    assert bench.do(c.Decorate(ANN, {"colours": [1, 2]})) == []
    assert bench.table.decor == {"style": "plain", "colours": [1, 2]}
    assert bench.do(c.Configure(ANN, decor={"style": "bold"})) == ["Configured"]
    assert bench.do(c.Configure(ANN)) == [], "nothing new is said"
    assert bench.table.decor == {"style": "bold", "colours": [1, 2]}
    bench.sit(ANN, BOB, CY)
    bench.do(c.Start(ANN))
    assert bench.refused(c.Decorate(ANN, {"colours": [3]})) == "started"


class PortableTower(Tower):
    traits = replace(Tower.traits, suspends=True)


def test_the_host_may_carry_a_running_game_off() -> None:
    bench = Bench(PortableTower())
    bench.sit(ANN, BOB, CY)
    assert bench.refused(c.Close(ANN)) == "not_started"
    bench.do(c.Start(ANN))
    assert bench.refused(c.Close(BOB)) == "not_host"
    bench.do(c.Pause(ANN))
    assert bench.do(c.Close(ANN)) == ["Closed"]
    assert bench.table.phase == "over"
    assert bench.table.outcome is None
    assert bench.refused(c.Close(ANN)) == "over"


def test_a_game_without_files_stays_where_it_is() -> None:
    bench = Bench()
    bench.sit(ANN, BOB, CY)
    bench.do(c.Start(ANN))
    assert bench.refused(c.Close(ANN)) == "no_files"


class NarrowTower(Tower):
    """Nobody sits in the middle."""

    def open_seats(self, options: Any, seats: int) -> Sequence[Seat]:
        return Seat(0), Seat(2)


def test_a_game_says_which_seats_can_be_taken() -> None:
    bench = Bench(NarrowTower())
    bench.sit(ANN)
    assert bench.refused(c.Sit(Sitter(BOB, "Bob"), Seat(1))) == "taken"
    assert bench.refused(c.SeatBot(ANN, "casual", Seat(1))) == "taken"
    bench.sit(BOB)
    assert bench.table.seat_of(BOB) == 2
    assert bench.refused(c.Sit(Sitter(CY, "Cy"))) == "full"


def test_times_that_a_table_began_with_stay_while_its_clock_does() -> None:
    bench = Bench(clock=Bank(60_000), times=(Millis(1_000), Millis(2_000), Millis(3_000)))
    bench.do(c.Configure(ANN, private=True))
    bench.do(c.Configure(ANN, clock=Bank(60_000)))
    assert [time.main for time in bench.table.clock.times] == [1_000, 2_000, 3_000]
    bench.do(c.Configure(ANN, clock=Bank(30_000)))
    assert [time.main for time in bench.table.clock.times] == [30_000] * 3


def test_a_host_who_only_watched_hands_over_by_leaving() -> None:
    bench = Bench()
    bench.sit(BOB, CY)
    bench.do(c.Drop(BOB))
    assert bench.do(c.Leave(ANN)) == ["HostChanged"]
    assert bench.table.host == CY
    alone = Bench()
    assert alone.do(c.Leave(ANN)) == ["Closed"]
    assert Bench().refused(c.Leave(BOB)) == "not_seated"


def test_a_hold_counts_before_the_game_too() -> None:
    bench = Bench()
    bench.sit(ANN, BOB, kept_for=Millis(30_000))
    bench.do(c.Drop(BOB))
    assert next_deadline(bench.table, Timeouts()) == bench.table.at + 30_000
    assert bench.do(c.Tick(), after=30_000) == ["Stood"]


def test_a_first_turn_that_is_free_stays_free_through_a_pause_and_when_others_go() -> None:
    class Leaving(LooseTower):
        """Whoever leaves is out of it, and nothing else changes."""

        def quit(self, state: Any, seat: Seat, chance: Random) -> Any:
            return ()

    bench = Bench(Leaving(), clock=Bank(main=10_000))
    bench.sit(ANN, BOB)
    bench.do(c.Start(ANN))
    bench.do(c.Pause(ANN))
    bench.do(c.Resume(ANN), after=5_000)
    assert next_deadline(bench.table, Timeouts()) is None
    bench.do(c.Act(ANN, Place(0)), after=60_000)
    assert bench.table.clock.running == (1,)
    bench.do(c.Pause(ANN), after=1_000)
    bench.do(c.Resume(ANN), after=5_000)
    assert next_deadline(bench.table, Timeouts()) == bench.table.at + 9_000


def test_whoever_has_run_out_gets_the_grace_in_each_turn() -> None:
    setting = Bank(main=1_000, grace=250)
    clock = clocks.started(clocks.fresh(setting, 2), (Seat(0),), Millis(0))
    assert clocks.next_flag(clock) == (1_000, 0)
    clock = clocks.pressed(clock, Seat(0), (Seat(1),), Millis(1_000))
    clock = clocks.pressed(clock, Seat(1), (Seat(0),), Millis(1_500))
    assert clock.times[0].main == 0
    assert clocks.next_flag(clock) == (1_750, 0)
    assert clocks.next_flag(
        clocks.started(clocks.fresh(Bank(1_000), 1, (Millis(0),)), (Seat(0),), Millis(7))
    ) == (
        7,
        0,
    )


def test_looking_at_the_clock_or_stopping_it_does_not_move_a_flag_within_the_grace() -> None:
    clock = clocks.fresh(Bank(main=1_000, grace=250), 2, (Millis(0),))
    clock = clocks.pressed(clock, None, (Seat(0),), Millis(0))
    assert clocks.next_flag(clock) == (250, 0)
    assert clocks.next_flag(clocks.charge(clock, Millis(249))) == (250, 0)
    stopped = clocks.stopped(clock, Millis(200))
    assert clocks.next_flag(clocks.started(stopped, (Seat(0),), Millis(9_000))) == (9_050, 0)


def test_a_clock_may_begin_with_what_an_earlier_game_left_on_it() -> None:
    bench = Bench(clock=Bank(main=60_000), times=(Millis(5_000), Millis(0)))
    assert [time.main for time in bench.table.clock.times] == [5_000, 0, 60_000]


def test_a_room_is_found_by_its_name_when_its_game_is_over_and_after_a_restart() -> None:
    storage = MemoryStorage()
    house = make_hall(storage)
    live = house.open(Opening(game="tower", room="den"), "ann", "ann")
    house.do(live, c.Leave(ANN))
    assert live.table.phase == "over"
    again = make_hall(storage)

    async def look() -> None:
        found = await again.hall.find("tower", "den")
        assert found is not None
        assert found.id == live.id
        assert await again.hall.find("tower", "nowhere") is None
        assert await again.hall.find("parlour", "den") is None

    asyncio.run(look())
    entry = storage.entry(live.id)
    assert isinstance(entry, Entry)
    assert entry.room == "den"


def test_settings_that_change_nothing_leave_everybody_ready() -> None:
    bench = Bench(start="ready")
    bench.sit(ANN, BOB)
    bench.do(c.Ready(BOB, True))
    assert bench.do(c.Configure(ANN, options={}, start="ready", private=False)) == []
    assert list(bench.table.ready) == [1]
    assert bench.do(c.Configure(ANN, private=True)) == ["Configured"]
    assert not bench.table.ready
