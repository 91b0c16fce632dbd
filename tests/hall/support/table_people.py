"""People come to a table, set it up, and go."""

from collections.abc import Callable
from typing import Any

import msgspec
from hypothesis import strategies as st
from hypothesis.stateful import (
    initialize,
    precondition,
    rule,
)
from tests.hall.support.inmemory import NOON
from tests.hall.support.table_checks import CheckedTable
from tests.hall.support.table_model import (
    CLOCKS,
    KEY,
    NAMES,
    PASSING,
    PEOPLE,
    STARTS,
    all_ready,
    anybody,
    numbers,
    people,
    sitter,
)

from gamut.games.game import Seat
from gamut.hall.ids import PersonId, TableId
from gamut.hall.table import commands as c
from gamut.hall.table import events as e
from gamut.hall.table.seats import Sitter
from gamut.hall.table.state import Table


class PeopledTable(CheckedTable):
    """Whoever comes and goes, and whatever they agree on."""

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
        options = data.draw(st.sampled_from(self.options))
        event = e.Opened(
            at=NOON,
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
        self.start_with(event, seed)
        # Or few tables would get so far that there is much to do at them.
        begun = data.draw(st.sampled_from(self.begun))
        seated = 1 if begun == "with bots" else seated
        for person in data.draw(st.lists(anybody, min_size=seated, max_size=seated, unique=True)):
            self.sit(person, None, KEY)
        if begun == "full":
            self.fill_up()
        elif begun == "with bots":
            for _ in self.table.seats:
                self.the_host_seats_a_bot(None)
        if begun is None:
            others = msgspec.to_builtins(data.draw(st.sampled_from(self.options)))
            self.by_the_host(lambda host: c.Configure(host, others))
        else:
            self.everybody_is_ready()
            self.the_host_starts()
        if begun == "with bots":
            self.begun_with_bots(data)

    def begun_with_bots(self, data: st.DataObject) -> None:
        """What somebody does who plays with bots alone, which seldom happens by itself."""

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
            approval = table.start == "approval"
            needs_all = fewest is None or approval
            enough = table.full if needs_all else len(table.present()) >= min(fewest or 0, len(table.seats))
            allowed = enough and table.phase == "setup" and (not approval or all_ready(table))
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
