"""A table that is compared with the model after each event, and what is always true of it."""

from itertools import islice
from random import Random
from typing import Any, ClassVar, TypeGuard

import msgspec
from hypothesis.stateful import (
    RuleBasedStateMachine,
    invariant,
)
from msgspec.structs import replace
from tests.games.support.random_games import SWAP_SECRETS
from tests.hall.support.table_model import (
    AFTER_THE_END,
    HOLD,
    KEY,
    MANNERS,
    PASSING,
    RESTING,
    STEPS,
    Line,
    Times,
    Turns,
    all_ready,
    everybody,
    written,
)

from gamut.games.game import AnyGame, Refused, Seat
from gamut.hall.ids import PersonId
from gamut.hall.table import clock as clocks
from gamut.hall.table import codec
from gamut.hall.table import commands as c
from gamut.hall.table import events as e
from gamut.hall.table.clock import NoClock
from gamut.hall.table.deciding.decide import decide
from gamut.hall.table.deciding.presence import next_deadline
from gamut.hall.table.evolve import evolve, opened, replayed, taken_back
from gamut.hall.table.seats import Sitter
from gamut.hall.table.standing import standing
from gamut.hall.table.state import Table
from gamut.hall.table.view import view


class CheckedTable(RuleBasedStateMachine):
    game: ClassVar[AnyGame]
    options: ClassVar[list[msgspec.Struct]]
    begun: ClassVar[list[str | None]] = ["full", "full", "with bots", None]
    """How tables are begun before anything else happens at them, if at all."""

    def start_with(self, event: e.Opened, seed: int) -> None:
        self.decoder = codec.Decoder(self.game)
        self.chance = Random(seed)
        self.now = event.at
        self.whispers: list[str] = []
        self.log = [codec.encode(event)]
        self.happened: list[Any] = [event]
        """The same, as it was read again."""
        self.table = opened(self.game, event)
        self.sees_only_what_it_may(event, None)
        self.turns = Turns()
        self.line = Line()
        self.times = Times(event.clock, event.seats)
        self.opener = event.host
        self.kicked: set[PersonId] = set()
        self.lives = 0
        self.cut_off: set[PersonId | None] = set()
        """Whom a stop of the server has cut off, and who are not back yet."""
        self.spared: set[PersonId | None] = set()
        """Those of them whose clocks stand."""
        self.here: set[PersonId] = set()
        """Whose connections have lived on, when others were cut off."""

    def playing(self) -> bool:
        return self.table.phase == "playing" and not self.table.waiting

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
            draft = decide(self.game, before, command, self.now, self.chance, MANNERS, self.happened)
        except Refused as refused:
            assert written(before) == bytes_before
            return refused.code
        assert written(before) == bytes_before, "a decision leaves the table it was made for alone"
        table = before
        for event in draft.events:
            body = codec.encode(event)
            stored = self.decoder.decode(body)
            assert written(stored) == written(event)
            after = self.evolved(table, stored)
            self.event_happened(table, stored, after)
            self.log.append(body)
            self.happened.append(stored)
            table = after
        assert written(table) == written(draft.table)
        self.command_done(command, before, draft.events)
        self.table = draft.table
        return None

    def evolved(self, table: Table, event: Any) -> Table:
        if isinstance(event, e.TakenBack):
            state, _, _ = self.line.positions[event.moves]
            return taken_back(self.game, table, event, state)
        return evolve(self.game, table, event)

    def event_happened(self, before: Table, event: Any, after: Table) -> None:
        assert after.seq == before.seq + 1
        assert after.at == event.at >= before.at
        assert after.phase in STEPS[before.phase]
        self.turns.happened(self.game, before, event, after)
        self.line.happened(before, event, after)
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
            if event.cut_off is not None:
                new -= self.here
                assert new <= set(event.cut_off)
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
            inner = [happened for event in standing(seen) for happened in event.events]
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
