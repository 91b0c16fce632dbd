"""A table under any sequence of commands, whoever gives them and whatever the time: what is always true of it."""

from collections.abc import Callable
from itertools import islice
from random import Random
from typing import Any, ClassVar, TypeGuard

import msgspec
import pytest
from hypothesis import HealthCheck, settings
from hypothesis import strategies as st
from hypothesis.stateful import (
    RuleBasedStateMachine,
    initialize,
    invariant,
    precondition,
    rule,
    run_state_machine_as_test,
)
from msgspec.structs import replace
from tests.games.support.anything import anything
from tests.games.support.parlour import UNSEEN, Parlour, ParlourOptions, Revealed
from tests.games.support.random_games import SWAP_SECRETS
from tests.games.support.tafl_tables import SMALL
from tests.hall.support.inmemory import NOON

from gamut.games.acquire.options import AcquireOptions
from gamut.games.acquire.rules import Acquire
from gamut.games.game import AnyGame, Refused, Seat
from gamut.games.powerchess.options import PowerChessOptions
from gamut.games.powerchess.rules import PowerChess
from gamut.games.registry import all_games
from gamut.games.tafl.options import TaflOptions
from gamut.games.tafl.rules import Tafl
from gamut.games.topple.options import ToppleOptions
from gamut.games.topple.rules import Topple
from gamut.games.tower.rules import Tower, TowerOptions
from gamut.hall.ids import Millis, PersonId, Seq, TableId
from gamut.hall.table import clock as clocks
from gamut.hall.table import codec
from gamut.hall.table import commands as c
from gamut.hall.table import events as e
from gamut.hall.table.clock import Bank, ClockSetting, NoClock, Overtime, PerTurn
from gamut.hall.table.deciding.decide import decide
from gamut.hall.table.deciding.draft import Timeouts
from gamut.hall.table.deciding.presence import next_deadline
from gamut.hall.table.deciding.rematch import rematch_agreed
from gamut.hall.table.evolve import evolve, opened, replayed
from gamut.hall.table.seats import BotSitter, Sitter
from gamut.hall.table.state import Table
from gamut.hall.table.view import view

MANNERS = Timeouts()
KEY = "the-key-of-this-table"
PEOPLE = [PersonId(name) for name in ("ann", "bob", "cid", "dot", "eve")]
PASSING = {"rob", "sue"}
"""Names of people whose seat is not kept when they are away."""
RESTING = {"tia"}
"""People without whom play rests when the server was away; they come back to their seat by themselves."""
NAMES = ["Ada", "Zoe"]
"""What people may be called later on."""
HOLD = {"hal": Millis(30_000)}
"""How long a seat is held for whom, if not as long as the table stands."""

CLOCKS: list[ClockSetting] = [
    NoClock(),
    PerTurn(10_000),
    Bank(20_000, 1_000),
    Bank(3_000),
    Bank(4_000, 500, lag=700),
    PerTurn(5_000, lag=300),
    Overtime(5_000, 2_000, 2, 500),
    Overtime(1_000, 0, 0, 200),
]
STARTS = ["full", "ready", "host", "approval"]
STEPS: dict[str, set[str]] = {
    "setup": {"setup", "playing", "over"},
    "playing": {"playing", "paused", "over"},
    "paused": {"paused", "playing", "over"},
    "over": {"over"},
}
AFTER_THE_END = (e.Said, e.Returned, e.Stood, e.HostChanged, e.RematchWanted, e.Succeeded)

people = st.sampled_from(PEOPLE)
anybody = st.sampled_from([*PEOPLE, *map(PersonId, ("hal", "rob", "sue", "tia"))])
numbers = st.integers(-1, 3).map(Seat)
spans = (
    st.integers(0, 2_000)
    | st.integers(0, 20_000)
    | st.sampled_from([59_999, 60_000, 120_000, 600_000, 86_400_000])
)


def everybody(table: Table) -> list[str]:
    """All who sit here, wherever."""
    return sorted(repr(holder) for holder in table.seats if holder is not None)


def written(value: Any) -> bytes:
    return msgspec.json.encode(value)


def sitter(person: PersonId) -> Sitter:
    # People whose seat is not kept come with a new id each time; their name is what they have in common.
    name = person.partition("-")[0]
    rests = True if name in RESTING else None
    return Sitter(
        person,
        name,
        returns=name not in PASSING,
        kept_for=HOLD.get(name),
        rests=rests,
        cannot=("ready", "rematch", "follow") if name in HOLD else None,
    )


def says(holder: Sitter) -> bool:
    """Whether somebody has a word for being ready, and for a rematch."""
    return holder.person.partition("-")[0] not in (*PASSING, *HOLD)


def all_ready(table: Table) -> bool:
    return all(seat in table.ready or not says(holder) for seat, holder in table.sitters())


class Times:
    """The time each seat must have left, reckoned apart from the clock: only rules and moments, event by event."""

    free = False
    """It is the first turn of a game whose first turn is free."""

    def __init__(self, setting: ClockSetting, seats: int) -> None:
        self.setting = setting
        match setting:
            case PerTurn(limit=main) | Bank(main=main):
                self.left = [main] * seats
            case _:
                self.left = [0] * seats
        self.known = isinstance(setting, (PerTurn, Bank))

    def happened(
        self, game: AnyGame, before: Table, event: Any, after: Table, spared: set[PersonId | None]
    ) -> None:
        awaited = game.awaited(before.state) if before.phase in ("playing", "paused") else ()
        thinking = before.phase == "playing" and not before.waiting and not self.free
        if thinking and type(event) is not e.Woken:
            for seat in awaited:
                if before.persons[seat] is not None and before.persons[seat] in spared:
                    continue
                self.left[seat] -= min(self.left[seat], event.at - before.at)
        if not isinstance(event, (e.Started, e.Played)) or after.outcome is not None:
            return
        actor = event.seat if isinstance(event, e.Played) and event.why in ("acted", "flagged") else None
        if isinstance(event, e.Started):
            self.free = game.traits.first_turn_free
        elif actor is not None or game.awaited(after.state) != awaited:
            self.free = False
        if isinstance(self.setting, Bank):
            for seat in (*(() if actor is None else (actor,)), *game.played_for(event.events)):
                self.left[seat] += self.setting.increment
        if isinstance(self.setting, PerTurn):
            for seat in game.awaited(after.state):
                if seat == actor or seat not in awaited:
                    self.left[seat] = self.setting.limit


class Turns:
    """With which event each seat's turn began or ended, reckoned apart from the table."""

    def __init__(self) -> None:
        self.since: dict[int, int] = {}

    def happened(self, game: AnyGame, before: Table, event: Any, after: Table) -> None:
        if not isinstance(event, (e.Started, e.Played)):
            return
        everybody: set[Any] = set(range(len(after.seats)))
        changed, actor = everybody, getattr(event, "seat", None)
        if game.traits.simultaneous and before.state is not None:
            changed = set(game.awaited(before.state)) ^ set(game.awaited(after.state)) | {actor}
        self.since.update(dict.fromkeys(changed & everybody, after.seq))


class TableMachine(RuleBasedStateMachine):
    game: ClassVar[AnyGame]
    options: ClassVar[list[msgspec.Struct]]
    begun: ClassVar[list[str | None]] = ["full", "full", None]
    """How tables are begun before anything else happens at them, if at all."""

    @initialize(
        data=st.data(),
        setting=st.sampled_from(CLOCKS),
        start=st.sampled_from(STARTS),
        private=st.booleans(),
        one_chat=st.booleans(),
        host=st.none() | people,
        seated=st.sampled_from([0, 1, 3, 3, 3]),
        seed=st.integers(0, 2**32),
    )
    def open(
        self,
        data: st.DataObject,
        setting: Any,
        start: Any,
        private: bool,
        one_chat: bool,
        host: PersonId | None,
        seated: int,
        seed: int,
    ) -> None:
        self.decoder = codec.Decoder(self.game)
        self.chance = Random(seed)
        self.now = NOON
        options = data.draw(st.sampled_from(self.options))
        event = e.Opened(
            at=self.now,
            table=TableId("T"),
            game=self.game.traits.name,
            options=msgspec.to_builtins(options),
            seats=data.draw(st.sampled_from([n for n in self.game.seats_for(options) if n <= len(PEOPLE)])),
            clock=setting,
            start=start,
            private=private,
            key=KEY,
            host=host,
            one_chat=one_chat,
        )
        self.whispers: list[str] = []
        self.log = [codec.encode(event)]
        self.table = opened(self.game, event)
        self.sees_only_what_it_may(event, None)
        self.turns = Turns()
        self.times = Times(setting, event.seats)
        self.opener = host
        self.kicked: set[PersonId] = set()
        self.lives = 0
        self.cut_off: set[PersonId | None] = set()
        """Whom a stop of the server has cut off, and who are not back yet."""
        self.spared: set[PersonId | None] = set()
        """Those of them whose clocks stand."""
        for person in data.draw(st.lists(anybody, min_size=seated, max_size=seated, unique=True)):
            self.sit(person, None, KEY)
        # Or few tables would get so far that there is much to do at them.
        begun = data.draw(st.sampled_from(self.begun))
        if begun == "full":
            self.fill_up()
        if begun is None:
            others = msgspec.to_builtins(data.draw(st.sampled_from(self.options)))
            self.by_the_host(lambda host: c.Configure(host, others))
        else:
            self.everybody_is_ready()
            self.the_host_starts()

    # What a command does

    def catch_up(self) -> None:
        """As the hall does before any command: what was due by now happens first, until nothing more is due."""
        for _ in range(2_000):
            deadline = next_deadline(self.table, MANNERS)
            if deadline is None or deadline > self.now:
                return
            before = self.table
            self.decide(c.Tick())
            assert self.table is not before, "something is due, and nothing is done about it"
        raise AssertionError("what is due never ends")

    def do(self, command: c.Command) -> str | None:
        """Carry out a command; the code of its refusal, if it was refused."""
        self.catch_up()
        person = getattr(command, "by", getattr(command, "person", None))
        seat = None if person is None else self.table.seat_of(person)
        if person is not None and seat is not None and self.table.is_lost(seat):
            # Where the seat goes with the connection, whoever asks for something has come back first.
            self.decide(c.Return(person))
        return self.decide(command)

    def decide(self, command: c.Command) -> str | None:
        before, bytes_before = self.table, written(self.table)
        try:
            draft = decide(self.game, before, command, self.now, self.chance, MANNERS)
        except Refused as refused:
            assert written(before) == bytes_before
            return refused.code
        assert written(before) == bytes_before, "a decision leaves the table it was made for alone"
        table = before
        for event in draft.events:
            body = codec.encode(event)
            stored = self.decoder.decode(body)
            assert written(stored) == written(event)
            after = evolve(self.game, table, stored)
            self.event_happened(table, stored, after)
            self.log.append(body)
            table = after
        assert written(table) == written(draft.table)
        self.command_done(command, before, draft.events)
        self.table = draft.table
        return None

    def event_happened(self, before: Table, event: Any, after: Table) -> None:
        assert after.seq == before.seq + 1
        assert after.at == event.at >= before.at
        assert after.phase in STEPS[before.phase]
        self.turns.happened(self.game, before, event, after)
        if before.phase == "over":
            assert isinstance(event, AFTER_THE_END)
        if isinstance(event, e.Played) and event.why in ("acted", "flagged"):
            assert event.seat is not None
            keeps = self.game.keeps_offers(after.state, event.seat, event.events)
            assert set(after.draw_offers) <= set(before.draw_offers)
            assert keeps or set(after.draw_offers) <= {event.seat}, "who plays on has declined"
            assert not keeps or after.outcome or after.draw_offers == before.draw_offers
        self.nobody_comes_or_goes_by_being_moved(before, event, after)
        self.approval_is_of_how_the_table_stands(before, event, after)
        if isinstance(event, e.Configured):
            self.times = Times(event.clock, len(after.seats))
        self.times.happened(self.game, before, event, after, self.spared)
        if isinstance(event, e.Closed) and event.why == "abandoned":
            assert not before.clock.running, "as long as a clock runs, it decides"
        if isinstance(event, e.Stood) and event.why == "kicked" and event.person is not None and event.bar:
            self.kicked.add(event.person)
        self.note_who_was_cut_off(before, event)
        for viewer in (None, *map(Seat, range(len(after.seats)))):
            self.sees_only_what_it_may(event, viewer)

    def note_who_was_cut_off(self, before: Table, event: Any) -> None:
        if isinstance(event, e.Woken):
            new = {sitter.person for _, sitter in before.sitters()} - {gone.person for gone in before.away}
            self.cut_off |= new
            self.spared |= new
        elif isinstance(event, e.Returned | e.Stood):
            self.cut_off -= {event.person}
        elif isinstance(event, e.Sat):
            self.cut_off -= {event.sitter.person}
        elif isinstance(event, e.WaitedOut):
            self.spared -= {before.persons[event.seat]}
        self.spared &= self.cut_off

    def nobody_comes_or_goes_by_being_moved(self, before: Table, event: Any, after: Table) -> None:
        if isinstance(event, e.Swapped | e.Configured | e.Started):
            assert everybody(after) == everybody(before)
            assert after.away == before.away
        elif isinstance(event, e.Renamed):
            self.only_one_is_called_otherwise(before, event, after)
        elif not isinstance(event, e.Sat | e.BotSat | e.Stood):
            assert after.seats == before.seats
        if isinstance(event, e.Started):
            assert after.players == after.seats
            assert (after.seats == before.seats) or event.order
        if isinstance(event, e.Configured):
            assert len(after.seats) in self.game.seats_for(after.options)

    def only_one_is_called_otherwise(self, before: Table, event: e.Renamed, after: Table) -> None:
        """Another name changes nothing but that name, wherever the table has it."""
        for named, called in ((before.seats, after.seats), (before.players, after.players)):
            assert len(called) == len(named)
            for old, new in zip(named, called, strict=True):
                if isinstance(old, Sitter) and old.person == event.person:
                    assert new == replace(old, name=event.name, guest=event.guest)
                else:
                    assert new == old
        # What a table is without names, its number and its time is the very same.
        nameless = {"seats": before.seats, "players": before.players, "seq": before.seq, "at": before.at}
        assert written(replace(after, **nameless)) == written(before)

    def approval_is_of_how_the_table_stands(self, before: Table, event: Any, after: Table) -> None:
        if before.start != "approval" or before.phase != "setup":
            return
        if isinstance(event, e.Sat | e.BotSat | e.Stood | e.Swapped | e.Configured):
            assert after.ready == ()
        elif isinstance(event, e.Readied):
            assert event.ready
            assert before.full
        elif isinstance(event, e.Started):
            assert before.full
            assert all_ready(before)

    def sees_only_what_it_may(self, event: Any, viewer: Seat | None) -> None:
        seen = view(self.game, event, viewer)
        text = msgspec.json.encode(seen)
        assert viewer is not None or KEY.encode() not in text
        if viewer is not None:
            assert not any(whisper.encode() in text for whisper in self.whispers)
        for happened in getattr(seen, "events", ()):
            self.shows_no_secret(happened, viewer)

    def shows_no_secret(self, happened: Any, viewer: Seat | None) -> None:
        """What of this game's own events, as they are seen, must be blank."""

    def command_done(self, command: c.Command, before: Table, events: list[Any]) -> None:
        if before.phase == "over" and any(isinstance(event, e.HostChanged) for event in events):
            assert isinstance(command, c.Leave), "after the end a host changes only by leaving"
        person = getattr(command, "person", None)
        if person is None or isinstance(command, (c.OfferDraw, c.Drop, c.Return)):
            return
        seat = before.seat_of(person)
        for event in events:
            if isinstance(event, e.Played):
                assert event.seat == seat, "nobody plays for another"
                if isinstance(command, c.Act):
                    assert getattr(event.events[0], "seat", seat) == seat

    # People come and go

    def one_of_us(self, which: int) -> PersonId:
        ours = [holder.person for _, holder in self.table.sitters()]
        if self.table.host is not None:
            ours.append(self.table.host)
        return ours[which % len(ours)] if ours else PEOPLE[which]

    def by_the_host(self, command: Callable[[PersonId], c.Command]) -> str | None:
        self.catch_up()
        if self.table.host is None:
            return "no_host"
        self.do(c.Return(self.table.host))
        return self.do(command(self.table.host))

    @precondition(lambda self: self.table.phase != "over")
    @rule(person=anybody, seat=st.none() | numbers, key=st.sampled_from([KEY, KEY, KEY, None, "wrong"]))
    def sit(self, person: PersonId, seat: Seat | None, key: str | None) -> None:
        if person in PASSING:
            self.lives += 1
            person = PersonId(f"{person}-{self.lives}")
        self.catch_up()
        table = self.table
        code = self.do(c.Sit(sitter(person), seat, key))
        if table.private and key != KEY and person != table.host:
            assert code is not None, "only the host needs no key"
        if code is None:
            assert person not in self.kicked
            taken = self.table.seat_of(person)
            assert taken is not None
            assert seat is None or taken == seat

    @precondition(lambda self: self.table.phase == "setup" or self.table.waiting)
    @rule()
    def fill_up(self) -> None:
        for person in PEOPLE:
            self.do(c.Sit(sitter(person), None, KEY))

    @precondition(lambda self: self.table.phase != "over")
    @rule(seat=st.none() | numbers)
    def the_host_seats_a_bot(self, seat: Seat | None) -> None:
        level = self.game.traits.levels[0].name
        self.by_the_host(lambda host: c.SeatBot(host, level, seat))

    @precondition(lambda self: self.table.phase != "over")
    @rule(seat=st.integers(0, 2).map(Seat), bar=st.booleans())
    def the_host_unseats(self, seat: Seat, bar: bool) -> None:
        self.catch_up()
        holder = self.table.seats[seat] if seat < len(self.table.seats) else None
        code = self.by_the_host(lambda host: c.Unseat(host, seat, bar))
        if code is None:
            assert self.table.outcome is None, "nobody wins by removing somebody"
        if code is None and isinstance(holder, Sitter):
            assert (holder.person in self.table.barred) == (bar or holder.person in self.kicked)

    @rule(seat=st.integers(0, 2).map(Seat))
    def the_host_promotes(self, seat: Seat) -> None:
        self.by_the_host(lambda host: c.Promote(host, seat))

    @rule(which=st.integers(0, 2))
    def leave(self, which: int) -> None:
        self.catch_up()
        seated = list(self.table.sitters())
        if seated:
            person = seated[which % len(seated)][1].person
            assert self.do(c.Leave(person)) is None, "whoever sits can stand up"
            assert self.table.seat_of(person) is None

    @rule(which=st.integers(0, 3))
    def drop(self, which: int) -> None:
        self.do(c.Drop(self.one_of_us(which)))

    @rule(which=st.integers(0, 3))
    def come_back(self, which: int) -> None:
        self.do(c.Return(self.one_of_us(which)))

    @rule(back=st.booleans())
    def everybody_drops_or_comes_back(self, back: bool) -> None:
        for which in range(4):
            person = self.one_of_us(which)
            self.do(c.Return(person) if back else c.Drop(person))

    @rule(
        which=st.none() | st.integers(0, 3),
        stranger=anybody,
        name=st.sampled_from(NAMES),
        guest=st.booleans(),
    )
    def rename(self, which: int | None, stranger: PersonId, name: str, guest: bool) -> None:
        self.catch_up()
        person = stranger if which is None else self.one_of_us(which)
        before, seat = self.table, self.table.seat_of(person)
        assert self.do(c.Rename(person, name, guest)) is None, "whoever has a name may have it here"
        if seat is None or before.phase == "over":
            assert (self.table.seats, self.table.players) == (before.seats, before.players)
            return
        holder = self.table.seats[seat]
        assert isinstance(holder, Sitter)
        assert (holder.person, holder.name, holder.guest) == (person, name, guest)
        self.catch_up()
        seq = self.table.seq
        assert self.do(c.Rename(person, name, guest)) is None
        assert self.table.seq == seq, "the same name again is no news"

    # Setting up

    def in_setup(self) -> bool:
        return self.table.phase == "setup"

    @precondition(in_setup)
    @rule(which=st.integers(0, 3), ready=st.booleans())
    def ready(self, which: int, ready: bool) -> None:
        self.do(c.Ready(self.one_of_us(which), ready))

    @precondition(in_setup)
    @rule()
    def everybody_is_ready(self) -> None:
        self.catch_up()
        full, setup = self.table.full, self.in_setup()
        for seat, holder in list(self.table.sitters()):
            if not self.table.is_lost(seat):
                self.do(c.Ready(holder.person, True))
        if setup and full and self.table.start in ("ready", "approval") and any(self.table.sitters()):
            assert not self.in_setup()

    @precondition(in_setup)
    @rule(a=numbers, b=numbers)
    def the_host_swaps(self, a: Seat, b: Seat) -> None:
        self.catch_up()
        before, seats = self.table.seats, range(len(self.table.seats))
        code = self.by_the_host(lambda host: c.Swap(host, a, b))
        if code is None:
            assert self.game.traits.arrangeable
            assert a in seats and b in seats and a != b  # noqa: PT018 - one claim
            assert (self.table.seats[a], self.table.seats[b]) == (before[b], before[a])

    @precondition(in_setup)
    @rule(mercy=st.integers(0, 3))
    def the_host_calls_it_off(self, mercy: int) -> None:
        if mercy:
            return  # or no table would ever get further
        if self.by_the_host(c.CallOff) is None:
            assert self.table.phase == "over"
            assert self.table.outcome is None

    def may_begin(self, table: Table) -> bool:
        """Whether the game has no reason of its own not to begin with those who sit here."""
        return True

    @precondition(in_setup)
    @rule()
    def the_host_starts(self) -> None:
        self.catch_up()
        if self.table.host is not None:
            self.do(c.Return(self.table.host))
            table, fewest = self.table, self.game.traits.fewest
            enough = table.full if fewest is None else len(table.present()) >= min(fewest, len(table.seats))
            allowed = enough and table.phase == "setup" and (table.start != "approval" or all_ready(table))
            allowed = allowed and self.may_begin(table)
            assert (self.by_the_host(c.Start) is None) == allowed

    @precondition(in_setup)
    @rule(
        clock=st.none() | st.sampled_from(CLOCKS),
        start=st.none() | st.sampled_from(STARTS),
        private=st.none() | st.booleans(),
        nonsense=st.sampled_from([False, False, True]),
        data=st.data(),
    )
    def the_host_configures(
        self, clock: Any, start: Any, private: Any, nonsense: bool, data: st.DataObject
    ) -> None:
        options = {"no such option": 1} if nonsense else None
        if not nonsense and data.draw(st.booleans()):
            options = msgspec.to_builtins(data.draw(st.sampled_from(self.options)))
        code = self.by_the_host(lambda host: c.Configure(host, options, clock, start, private))
        assert not nonsense or code is not None

    # Playing

    def playing(self) -> bool:
        return self.table.phase == "playing" and not self.table.waiting

    @precondition(playing)
    @rule(data=st.data(), stale=st.booleans())
    def act(self, data: st.DataObject, stale: bool) -> None:
        self.catch_up()
        if not self.playing():
            return
        table = self.table
        seat = data.draw(st.sampled_from(self.game.awaited(table.state)))
        action = data.draw(st.sampled_from(self.game.legal(table.state, seat)))
        holder = table.seats[seat]
        if isinstance(holder, BotSitter):
            assert self.do(c.BotAct(seat, action)) is None
        elif isinstance(holder, Sitter):
            since = self.turns.since[seat]
            seen = data.draw(st.integers(0, since - 1) if stale else st.integers(since, table.seq))
            code = self.do(c.Act(holder.person, action, Seq(seen)))
            assert code == ("stale" if stale else None)

    @precondition(playing)
    @rule(moves=st.integers(2, 30))
    def play_on(self, moves: int) -> None:
        for _ in range(moves):
            self.catch_up()
            if not self.playing():
                return
            seat = self.game.awaited(self.table.state)[0]
            holder = self.table.seats[seat]
            action = self.chance.choice(self.game.legal(self.table.state, seat))
            self.do(c.Act(holder.person, action) if isinstance(holder, Sitter) else c.BotAct(seat, action))

    @rule(data=st.data(), which=st.integers(0, 3))
    def act_anyhow(self, data: st.DataObject, which: int) -> None:
        """Any action by anybody: it counts only if it was that person's to take."""
        self.catch_up()
        person = self.one_of_us(which)
        self.do(c.Return(person))
        action = data.draw(anything(self.game.action_type, wild=True))
        table, seat = self.table, self.table.seat_of(person)
        allowed = seat is not None and self.playing() and action in self.game.legal(table.state, seat)
        assert (self.do(c.Act(person, action)) is None) == allowed

    @precondition(playing)
    @rule()
    def act_out_of_turn(self) -> None:
        self.catch_up()
        if not self.playing():
            return
        awaited = self.game.awaited(self.table.state)
        action = self.game.legal(self.table.state, awaited[0])[0]
        for seat, holder in self.table.sitters():
            if seat not in awaited:
                assert self.do(c.Act(holder.person, action)) is not None
            assert self.do(c.BotAct(seat, action)) == "not_a_bot"

    @precondition(playing)
    @rule(which=st.integers(0, 3), and_leave=st.booleans())
    def resign(self, which: int, and_leave: bool) -> None:
        person = self.one_of_us(which)
        self.do(c.Resign(person))
        if and_leave and self.table.seat_of(person) is not None:
            assert self.do(c.Leave(person)) is None, "who has resigned can stand up"

    @precondition(playing)
    @rule(which=st.integers(0, 3), at_the_end=st.booleans())
    def report_a_flag(self, which: int, at_the_end: bool) -> None:
        person = self.one_of_us(which)
        waits = self.table.seat_of(person)
        if at_the_end and self.times.known and waits is not None:
            self.now = max(self.now, Millis(self.table.at + self.times.left[waits]))
        self.catch_up()
        self.do(c.Return(person))
        table, seat = self.table, self.table.seat_of(person)
        # What is due has happened, so only what is allowed after the time can be left.
        left = self.times.left[seat] - (self.now - table.at) if self.times.known and seat is not None else 1
        allowed = seat in table.clock.running and left <= 0
        code = self.do(c.ReportFlag(person))
        assert (code is None) == allowed, code
        if allowed:
            assert self.table.last_play > table.last_play

    @precondition(playing)
    @rule(which=st.integers(0, 3), how_many=st.sampled_from([1, 1, 3]), and_play=st.integers(0, 2))
    def offer_a_draw(self, which: int, how_many: int, and_play: int) -> None:
        for each in range(which, which + how_many):
            self.do(c.OfferDraw(self.one_of_us(each)))
        self.play_on(and_play)

    @precondition(lambda self: self.table.draw_offers)
    @rule(seat=numbers, accept=st.booleans())
    def a_bot_answers(self, seat: Seat, accept: bool) -> None:
        self.catch_up()
        table = self.table
        is_bot = 0 <= seat < len(table.seats) and isinstance(table.seats[seat], BotSitter)
        code = self.do(c.BotAnswer(seat, accept))
        if code is None:
            assert is_bot
            assert seat not in table.draw_offers
            assert accept or self.table.draw_offers == ()

    @precondition(lambda self: self.table.draw_offers)
    @rule(which=st.integers(0, 3))
    def decline_a_draw(self, which: int) -> None:
        self.do(c.DeclineDraw(self.one_of_us(which)))

    @precondition(playing)
    @rule()
    def the_host_pauses(self) -> None:
        self.by_the_host(c.Pause)

    @precondition(lambda self: self.table.phase == "paused")
    @rule()
    def the_host_resumes(self) -> None:
        self.by_the_host(c.Resume)

    @rule(person=people, room=st.sampled_from(["table", "kibitz"]))
    def say(self, person: PersonId, room: Any) -> None:
        self.catch_up()
        seated = self.table.seat_of(person) is not None
        text = f"psst-{len(self.whispers)}-psst"
        if room == "kibitz":
            self.whispers.append(text)
        allowed = seated == (room == "table") or (room == "table" and self.table.one_chat)
        assert (self.do(c.Say(person, person, text, room)) is None) == allowed

    @precondition(lambda self: self.table.phase == "over")
    @rule(which=st.integers(0, 3))
    def ask_for_a_rematch(self, which: int) -> None:
        asker = self.one_of_us(which)
        if self.do(c.Rematch(asker)) is None:
            others = [holder for seat, holder in self.table.sitters() if seat not in self.table.rematch]
            assert not any(holder.person.partition("-")[0] in HOLD for holder in others)
            timed = type(self.table.clock_setting) is not NoClock
            assert not (timed and any(not says(holder) for holder in others))
        if rematch_agreed(self.table) and self.table.successor is None:
            assert self.do(c.Succeed(TableId("U"))) is None

    @rule(person=anybody, seat=numbers, data=st.data())
    def anybody_asks_for_anything(self, person: PersonId, seat: Seat, data: st.DataObject) -> None:
        self.catch_up()
        wishes: list[c.Command] = [
            c.SeatBot(person, "no-such-bot", seat),
            c.SeatBot(person, self.game.traits.levels[0].name, seat),
            c.Unseat(person, seat),
            c.Unseat(person, seat, bar=False),
            c.Swap(person, seat, Seat(0)),
            c.CallOff(person),
            c.ReportFlag(person),
            c.Start(person),
            c.Promote(person, seat),
            c.Configure(person),
            c.Pause(person),
            c.Resume(person),
            c.Ready(person, True),
            c.Leave(person),
            c.Resign(person),
            c.OfferDraw(person),
            c.DeclineDraw(person),
            c.Rematch(person),
            c.Drop(person),
            c.Return(person),
            c.Wake(),
        ]
        command = data.draw(st.sampled_from(wishes))
        is_host, sits = self.table.host == person, self.table.seat_of(person) is not None
        code = self.do(command)
        if hasattr(command, "by"):
            assert is_host or code == "not_host"
        elif hasattr(command, "person") and not isinstance(command, (c.Drop, c.Return)):
            # A host who only watches can at least give the table up.
            assert sits or code is not None or (is_host and isinstance(command, c.Leave))

    # Time, and the end of it

    @rule(span=spans)
    def time_passes(self, span: int) -> None:
        self.now = Millis(self.now + span)
        self.catch_up()

    @rule(span=spans)
    def time_passes_unseen(self, span: int) -> None:
        self.now = Millis(self.now + span)

    @rule(away=spans)
    def crash_and_recover(self, away: int) -> None:
        table = replayed(self.game, map(self.decoder.decode, self.log))
        assert written(table) == written(self.table)
        self.table = table
        times, left = clocks.charge(table.clock, table.at).times, list(self.times.left)
        self.now = Millis(self.now + away)
        self.decide(c.Wake())
        if self.table.phase != "over":
            assert self.table.clock.times == times, "nobody is charged for what the server did"
            assert self.times.left == left
            assert all(self.table.is_away(holder.person) for _, holder in self.table.sitters())

    # What is always true

    def nobody_is_waited_for_longer_than_was_agreed(self) -> None:
        table = self.table
        if table.phase in ("playing", "paused") and not self.due():
            for gone in table.away:
                if gone.person in HOLD and table.seat_of(gone.person) is not None:
                    held = MANNERS.room_grace if gone.person in self.cut_off else HOLD[gone.person]
                    assert gone.since + held > self.now

    @invariant()
    def always(self) -> None:
        self.nobody_is_waited_for_longer_than_was_agreed()
        self.each_person_has_one_seat()
        self.whoever_was_kicked_does_not_sit()
        self.those_away_belong_here()
        self.there_is_a_host_if_anybody_is_there()
        self.the_clock_runs_exactly_while_somebody_is_to_act()
        self.nobody_is_spared_for_ever()
        self.no_time_was_made_or_lost()
        self.a_game_that_is_on_goes_on()
        self.nobody_is_waited_for_who_has_no_word_for_it()
        self.what_is_said_of_readiness_and_offers_is_about_people_who_sit()
        self.the_log_is_the_table()

    def each_person_has_one_seat(self) -> None:
        persons = [holder.person for _, holder in self.table.sitters()]
        assert len(set(persons)) == len(persons)

    def whoever_was_kicked_does_not_sit(self) -> None:
        assert not self.kicked.intersection(holder.person for _, holder in self.table.sitters())

    def those_away_belong_here(self) -> None:
        persons = [holder.person for _, holder in self.table.sitters()]
        away = [gone.person for gone in self.table.away]
        assert len(set(away)) == len(away)
        assert set(away) <= {*persons, self.table.host}

    def there_is_a_host_if_anybody_is_there(self) -> None:
        table = self.table
        persons = [holder.person for _, holder in table.sitters()]
        if table.phase == "over":
            return
        assert table.host is None or table.host in persons or table.host == self.opener
        if self.due():
            return
        here = [person for person in persons if not table.is_away(person)]
        since = [gone.since for gone in table.away if gone.person == table.host]
        patience_is_over = bool(since) and since[0] + MANNERS.host_grace <= self.now
        if table.host is None or patience_is_over:
            assert not here

    def due(self) -> bool:
        deadline = next_deadline(self.table, MANNERS)
        return deadline is not None and deadline <= self.now

    def the_clock_runs_exactly_while_somebody_is_to_act(self) -> None:
        table = self.table
        timed = not isinstance(table.clock_setting, NoClock)
        timed = timed and not self.times.free
        awaited = self.game.awaited(table.state) if timed and self.playing() else ()
        spared = {seat for seat, sitter in table.sitters() if sitter.person in self.spared}
        assert table.clock.running == tuple(seat for seat in awaited if seat not in spared)

    def nobody_is_spared_for_ever(self) -> None:
        table = self.table
        if isinstance(table.clock_setting, NoClock) or not self.playing() or self.due():
            return
        for gone in table.away:
            if gone.person in self.spared and table.seat_of(gone.person) is not None:
                assert gone.since + MANNERS.room_grace > self.now

    def no_time_was_made_or_lost(self) -> None:
        if self.times.known:
            left = clocks.charge(self.table.clock, self.table.at).times
            assert [time.main for time in left] == self.times.left

    def a_game_that_is_on_goes_on(self) -> None:
        """Somebody can act, sit in, resume or win: no table is stuck."""
        table = self.table
        if table.phase in ("setup", "over"):
            return
        assert list(table.sitters()) or table.host == self.opener, "a table without people is closed"
        assert self.game.outcome(table.state) is None
        for seat in table.waiting:
            holder = table.seats[seat]
            assert (
                holder is None or table.is_lost(seat) or (self.rests(holder) and table.is_away(holder.person))
            )
        if self.game.traits.leaver == "waits":
            assert all(
                table.seats[seat] is not None or seat in table.waiting for seat in range(len(table.seats))
            )
        else:
            for seat in self.game.awaited(table.state):
                assert table.seats[seat] is not None, "who left a game like this is not awaited"

    def rests(self, holder: Any) -> TypeGuard[Sitter]:
        return isinstance(holder, Sitter) and holder.person in RESTING

    def nobody_is_waited_for_who_has_no_word_for_it(self) -> None:
        table = self.table
        if table.phase != "setup" or not table.full or not any(table.sitters()):
            return
        if table.start == "host":
            hosts = [holder for _, holder in table.sitters() if holder.person == table.host]
            assert not any(holder.person.partition("-")[0] in PASSING for holder in hosts)
        else:
            assert not all_ready(table)

    def what_is_said_of_readiness_and_offers_is_about_people_who_sit(self) -> None:
        table = self.table
        for seat in (*table.ready, *table.rematch):
            assert isinstance(table.seats[seat], Sitter)
        for seat in table.draw_offers:
            assert table.seats[seat] is not None

    def the_log_is_the_table(self) -> None:
        assert self.table.seq == len(self.log)

    def teardown(self) -> None:
        if not hasattr(self, "log"):
            return
        log = [self.decoder.decode(body) for body in self.log]
        assert written(replayed(self.game, log)) == written(self.table)
        if self.table.state is None:
            return
        for viewer in (None, *map(Seat, range(len(self.table.seats)))):
            seen = [view(self.game, event, viewer) for event in log]
            inner = [happened for event in seen for happened in getattr(event, "events", ())]
            state = self.game.replay(inner)
            assert self.game.awaited(state) == self.game.awaited(self.table.state)
            if self.game.traits.hidden:
                self.knows_no_secret(state, viewer)
                self.looks_like_another_game(log, seen, viewer)

    def knows_no_secret(self, state: Any, viewer: Seat | None) -> None:
        """What of a position, as this viewer knows it, must be blank."""

    def looks_like_another_game(self, log: list[Any], seen: list[Any], viewer: Seat | None) -> None:
        """A game that differs only in what this viewer may not know would have looked the same at this table."""
        swap = SWAP_SECRETS[self.game.traits.name]
        happened = [inner for event in log for inner in getattr(event, "events", ())]
        others = iter(swap(happened, viewer, self.chance))
        swapped = (
            replace(event, events=tuple(islice(others, len(event.events))))
            if hasattr(event, "events")
            else event
            for event in log
        )
        assert [view(self.game, event, viewer) for event in swapped] == seen


LIMITS = settings(
    max_examples=100,
    stateful_step_count=40,
    suppress_health_check=[HealthCheck.too_slow, HealthCheck.filter_too_much, HealthCheck.data_too_large],
)


class TowerTable(TableMachine):
    game = Tower()
    options = [TowerOptions()]


class ToppleTable(TableMachine):
    """Begins with empty seats, and with a turn that nobody counts; on boards on which games end."""

    game = Topple()
    options = [
        ToppleOptions(x=3, y=2, idle_rounds=2),
        ToppleOptions(topology="bwrap", x=3, y=3, penalty="skip", idle_rounds=1, scoring="tile"),
        ToppleOptions(x=2, y=2, penalty="lose", scoring="piece"),
        ToppleOptions(x=4, y=3, teams=(1, 2, 1, 2, 3)),
    ]
    begun = ["as it is", "as it is", "full", None]

    def may_begin(self, table: Table) -> bool:
        teams = table.options.teams
        return not teams or len({teams[seat] for seat, _ in table.present()}) > 1


class TaflTable(TableMachine):
    game = Tafl()
    options = [
        Tafl().checked(chosen)
        for chosen in (
            TaflOptions(variant="brandub"),
            TaflOptions(variant="brandub", quirks=True, moves=("a4-a3",)),
            *(TaflOptions(rules=rules) for rules in SMALL),
        )
    ]


class AcquireTable(TableMachine):
    """Draws its order, and plays on for those who have gone."""

    game = Acquire()
    options = [
        AcquireOptions(mode="singles_1"),
        AcquireOptions(mode="singles_2"),
        AcquireOptions(mode="singles_3", order="exact"),
        AcquireOptions(mode="teams_2_vs_2", order="teams"),
        AcquireOptions(mode="singles_5"),
    ]


class PowerChessTable(TableMachine):
    game = PowerChess()
    options = [PowerChessOptions(), PowerChessOptions(boxes=False)]


class ParlourTable(TableMachine):
    """Several act at once, and what is hidden has a name."""

    game = Parlour()
    options = [
        ParlourOptions(),
        ParlourOptions(hand=2, order="random"),
        ParlourOptions(hand=3, mode="duel", order="random"),
        ParlourOptions(mode="trio"),
        ParlourOptions(hand=2, mode="solo"),
    ]

    def shows_no_secret(self, happened: Any, viewer: Seat | None) -> None:
        if getattr(happened, "seat", None) == viewer or type(happened) is Revealed:
            return
        for secret in ("cards", "card", "gave", "drew"):
            value: Any = getattr(happened, secret, UNSEEN)
            assert value == UNSEEN or set(value) == {UNSEEN}

    def knows_no_secret(self, state: Any, viewer: Seat | None) -> None:
        for seat, hand in enumerate(state.hands):
            assert seat == viewer or not any(hand)


MACHINES: list[type[TableMachine]] = TableMachine.__subclasses__()


def test_every_game_has_a_table() -> None:
    assert {machine.game.traits.name for machine in MACHINES} >= set(all_games())


@pytest.mark.parametrize("machine", MACHINES, ids=lambda machine: machine.game.traits.name)
def test_a_table_under_any_commands(machine: type[TableMachine]) -> None:
    run_state_machine_as_test(machine, settings=LIMITS)
