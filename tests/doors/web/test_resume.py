"""Losing the connection loses nothing: whatever is cut, and however often, the stream of events is the same."""

from typing import Any

import msgspec
from hypothesis import given, settings
from hypothesis import strategies as st
from tests.doors.support.inn import Guest, Inn, Message, inn
from tests.doors.web.test_tables import place, sitting

from gamut.hall.ids import Seq, TableId
from gamut.hall.table.seats import Sitter


class Follower:
    """A client as the protocol asks for one: it counts, and resumes where it was cut off."""

    def __init__(self, name: str, table: TableId) -> None:
        self.name = name
        self.table = table
        self.first = self.seq = -1
        self.events: list[Message] = []
        self._guest: Guest | None = None

    def come(self, house: Inn) -> None:
        if self._guest is not None:
            return
        self._guest = house.guest(self.name)
        if self.seq < 0:
            self._take(self._guest.sure("watch", table=self.table))
            self.first = self.seq
        else:
            (resumed,) = self._guest.sure("watch", table=self.table, since=self.seq)
            if resumed["type"] == "table":
                self._begin_anew()
            else:
                self._take([resumed])

    def _begin_anew(self) -> None:
        assert self._guest is not None
        self.first = self.seq = 0
        self.events = []
        self._take(self._guest.sure("watch", table=self.table, since=0))

    def go(self, *, lost: bool = False) -> None:
        if self._guest is not None:
            self.read()
            if not lost:
                self._guest.hang_up()
            self._guest = None

    def read(self) -> None:
        if self._guest is not None:
            self._take(self._guest.read())

    def _take(self, heard: list[Message]) -> None:
        for message in heard:
            if message["type"] == "watchers":  # who is there now is no part of the stream
                continue
            if message.get("anew"):
                self._begin_anew()
                return  # what came after it is in the history
            if message["type"] == "table":
                assert self.seq in (-1, message["seq"])
            else:
                assert message["type"] == "events"
                assert message["after"] == self.seq, "neither a gap nor a repeat"
                self.events += message["events"]
            self.seq = message["seq"]


STEPS = st.one_of(
    st.sampled_from(
        ["act", "act", "act", "say", "kibitz", "pause", "resume", "leave", "sit", "restart", "forget"]
    ),
    st.tuples(st.sampled_from(["come", "go", "read"]), st.integers(0, 2)),
    st.tuples(st.just("wait"), st.sampled_from([1, 100, 3000, 70_000])),
)


def act(house: Inn, table: TableId) -> None:
    live = house.load(table)
    state = live.whole.state
    if live.table.phase != "playing" or live.table.waiting:
        return
    seat = live.game.awaited(state)[0]
    holder = live.table.seats[seat]
    assert isinstance(holder, Sitter)
    action = msgspec.to_builtins(live.game.legal(state, seat)[0])
    house.guest(holder.name).sure("act", table=table, action=action)


@settings(max_examples=250, deadline=None)
@given(steps=st.lists(STEPS, max_size=40), game=st.sampled_from(["tower", "parlour"]), timed=st.booleans())
def test_however_often_it_is_cut_the_stream_is_the_same(steps: list[Any], game: str, timed: bool) -> None:
    with inn() as house:
        clock = {"kind": "turn", "limit": 2000} if timed else {"kind": "none"}
        table, _ = sitting(house, "Ann Bob Cyd", game, clock=clock)
        followers = [Follower(name, table) for name in ("Ann", "Wim", "Wanda")]
        for follower in followers:
            follower.come(house)
        for step in steps:
            match step:
                case "act":
                    act(house, table)
                case "say" | "pause" | "resume" | "leave" | "sit":
                    name = {"leave": "Bob", "sit": "Bob"}.get(step, "Ann")
                    guest = house.guest(name)
                    if step == "say":
                        guest.sure("watch", table=table)
                    guest.ask(step, table=table, **({"text": "hello"} if step == "say" else {}))
                    if step == "say":
                        guest.hang_up()
                case "kibitz":
                    guest = house.guest("Wilma")
                    guest.sure("watch", table=table)
                    guest.sure("say", table=table, text="psst", room="kibitz")
                    guest.hang_up()
                case "restart":
                    for follower in followers:
                        follower.go(lost=True)
                    house.restart()
                case "forget":
                    live = house.load(table)
                    if not live.listeners and live.alarm is None:
                        house.hall.let_go(live)
                    del live
                case ("wait", span):
                    house.advance(span)
                case (kind, number):
                    getattr(followers[number], kind)(*([house] if kind == "come" else []))
        live = house.load(table)
        for follower in followers:
            follower.come(house)
        for follower in followers:
            follower.read()
            person = next(p.id for p in house.people.people.values() if p.name == follower.name)
            seen = live.visible(live.viewer(person), Seq(follower.first))
            assert follower.events == msgspec.json.decode(msgspec.json.encode(seen))
            assert follower.seq == live.table.seq == len(house.storage.log(table))


def test_a_resume_from_nowhere_is_a_picture(inn: Inn) -> None:
    table, (ann, *_) = sitting(inn, "Ann Bob Cyd")
    seq = inn.hall.live[table].table.seq
    assert ann.sure("watch", table=table, since=seq)[0]["events"] == []
    (picture,) = ann.sure("watch", table=table, since=seq + 1)
    assert picture["type"] == "table"
    events, *_ = ann.sure("watch", table=table, since=0)
    assert len(events["events"]) == seq


def test_whoever_sat_down_elsewhere_meanwhile_gets_a_picture_with_the_resume(inn: Inn) -> None:
    table, _ = sitting(inn, "Ann Bob")
    cut = inn.guest("Cyd")
    (picture,) = cut.sure("watch", table=table)
    cut.hang_up()
    inn.guest("Cyd").sure("sit", table=table)
    back = inn.guest("Cyd")
    resumed, fresh = back.sure("watch", table=table, since=picture["seq"])
    assert [event["type"] for event in resumed["events"]] == ["sat", "started"]
    assert fresh["type"] == "table"
    assert fresh["you"] == 2
    assert fresh["seq"] == resumed["seq"]


def test_two_connections_of_one_person_hear_the_same(inn: Inn) -> None:
    table, (ann, bob, _) = sitting(inn, "Ann Bob Cyd")
    twin = inn.guest("Ann")
    twin.sure("watch", table=table)
    ann.sure("act", table=table, action=place(3))
    bob.sure("act", table=table, action=place(4))
    assert twin.read()[-1] == ann.read()[-1]
    ann.hang_up()
    bob.read()
    twin.sure("say", table=table, text="still here")
    assert bob.read()[0]["events"][0]["type"] == "said", "nobody was told that Ann had gone"


def test_what_comes_after_an_event_that_is_known_otherwise_is_a_picture(inn: Inn) -> None:
    """The disk lost what came last: whoever saw it is not told new things on top of it."""
    table, (ann, *_) = sitting(inn, "Ann Bob Cyd")
    ann.sure("act", table=table, action={"type": "place", "tile": 3})
    told = ann.sure("watch", table=table, since=0)[0]
    assert told["stamp"] == inn.load(table).log[-1].at
    assert ann.sure("watch", table=table)[0]["stamp"] == told["stamp"]
    inn.storage.rows[table].pop()
    inn.advance(5)
    inn.restart()
    again = inn.guest("Ann")
    again.sure("watch", table=table)
    again.sure("act", table=table, action={"type": "place", "tile": 4})
    (picture,) = again.sure("watch", table=table, since=told["seq"], stamp=told["stamp"])
    assert picture["type"] == "table"
    assert picture["state"]["marks"][3] == 3
    for since, stamp in ((picture["seq"], picture["stamp"]), (0, 0), (0, None), (1, None)):
        answer = again.sure("watch", table=table, since=since, **({} if stamp is None else {"stamp": stamp}))
        assert answer[0]["type"] == "events"
