"""People play at a table, and time passes."""

from typing import Any

from hypothesis import strategies as st
from hypothesis.stateful import (
    precondition,
    rule,
)
from tests.games.support.anything import anything
from tests.hall.support.table_model import (
    HOLD,
    anybody,
    numbers,
    people,
    says,
    spans,
    written,
)
from tests.hall.support.table_people import PeopledTable

from gamut.games.game import Seat
from gamut.hall.ids import Millis, PersonId, Seq, TableId
from gamut.hall.table import clock as clocks
from gamut.hall.table import commands as c
from gamut.hall.table import events as e
from gamut.hall.table.clock import NoClock
from gamut.hall.table.deciding.rematch import rematch_agreed
from gamut.hall.table.evolve import replayed
from gamut.hall.table.seats import BotSitter, Sitter


class TableMachine(PeopledTable):
    """A table under any commands."""

    # Playing

    @precondition(PeopledTable.playing)
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

    @precondition(PeopledTable.playing)
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

    @precondition(PeopledTable.playing)
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

    @precondition(PeopledTable.playing)
    @rule(which=st.integers(0, 3), and_leave=st.booleans())
    def resign(self, which: int, and_leave: bool) -> None:
        person = self.one_of_us(which)
        self.do(c.Resign(person))
        if and_leave and self.table.seat_of(person) is not None:
            assert self.do(c.Leave(person)) is None, "who has resigned can stand up"

    def begun_with_bots(self, data: st.DataObject) -> None:
        if self.playing():
            first, how_often, and_play = data.draw(st.tuples(st.integers(0, 9), *[st.integers(1, 3)] * 2))
            self.take_back(first, 0, how_often, and_play)

    @precondition(PeopledTable.playing)
    @rule(
        first=st.integers(0, 5),
        which=st.integers(0, 3),
        how_often=st.integers(1, 3),
        and_play=st.integers(0, 3),
    )
    def take_back(self, first: int, which: int, how_often: int, and_play: int) -> None:
        self.play_on(first)
        person = self.one_of_us(which)
        for _ in range(how_often):
            self.catch_up()
            self.do(c.Return(person))
            table, seat = self.table, self.table.seat_of(person)
            moves = None if seat is None else self.line.moves_before_the_last_of(seat)
            code = self.do(c.TakeBack(person, moves or 0))
            if code is not None:
                self.is_refused_for_a_reason(code, seat, moves)
                break
            assert self.game.awaited(self.table.state) == (seat,)
            assert self.table.last_turn(Seat(0)) == self.table.seq, (
                "what was thought of before is not played now"
            )
            assert self.do(c.TakeBack(person, moves or 0)) in ("stale", "nothing_to_take_back"), (
                "a doubled click"
            )
            assert table.seats == self.table.seats
        self.play_on(and_play)

    def is_refused_for_a_reason(self, code: str, seat: Seat | None, moves: int | None) -> None:
        """Whoever plays with bots alone may take back what they have done, as long as there is time."""
        alone = [place for place, _ in self.table.sitters()] == [seat]
        if not (self.game.traits.takes_back and self.playing() and alone and moves is not None):
            return
        if code == "no_time":
            assert not isinstance(self.table.clock_setting, NoClock)
            return
        assert code == "nothing_to_take_back"
        has_quit = any(event.why == "quit" for _, event, _ in self.line.positions[moves + 1 :])
        assert has_quit or self.line.seats_changed_since(moves)

    @precondition(PeopledTable.playing)
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

    @precondition(PeopledTable.playing)
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

    @precondition(PeopledTable.playing)
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
            c.TakeBack(person, max(seat, 0)),
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

    @rule(there=spans, away=spans, data=st.data())
    def another_node_takes_over(self, there: int, away: int, data: st.DataObject) -> None:
        here = self.some_who_are_there(data)
        before, happened = self.table, len(self.happened)
        charged = Millis(self.now + there)
        self.now = Millis(charged + away)
        self.decide(c.Wake(Millis(away), charged, node=2, here=here))
        if before.phase == "over":
            assert self.table is before
            return
        first, *others = self.happened[happened:]
        assert isinstance(first, e.Handed)
        assert (first.at, first.charged, first.node) == (self.now, charged, 2)
        assert all(isinstance(event, e.Played | e.Closed | e.Woken) for event in others)
        if here.issuperset(before.people):
            assert not any(isinstance(event, e.Woken) for event in others)
        if self.table.phase != "over":
            self.only_these_are_there(here)

    @rule(data=st.data())
    def some_are_cut_off(self, data: st.DataObject) -> None:
        self.catch_up()
        here = self.some_who_are_there(data)
        before, happened = self.table, len(self.happened)
        self.decide(c.CutOff(here))
        if before.phase == "over" or all(
            person in here or before.is_away(person) for person in before.people
        ):
            assert self.table is before
            return
        (event,) = self.happened[happened:]
        assert isinstance(event, e.Woken)
        self.only_these_are_there(here)
        assert set(before.away) <= set(self.table.away), "who was away before is not away otherwise"
        assert set(before.waiting) <= set(self.table.waiting)
        new = {self.table.persons[seat] for seat in self.table.waiting if seat not in before.waiting}
        assert not any(before.is_away(person) for person in new if person is not None)

    def some_who_are_there(self, data: st.DataObject) -> frozenset[PersonId]:
        """Of those who are not away; of the others nobody has a connection."""
        there = [person for person in self.table.people if not self.table.is_away(person)]
        here = data.draw(st.sets(st.sampled_from(there))) if there else set()
        self.here = here
        return frozenset(here)

    def only_these_are_there(self, here: frozenset[PersonId]) -> None:
        assert {person for person in self.table.people if not self.table.is_away(person)} == here
