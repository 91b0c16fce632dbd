"""A door that takes the whole of a game which hides things gets an error, and nobody gets a secret."""

import asyncio
import re
from collections.abc import Callable, Collection
from pathlib import Path
from typing import Any

import msgspec
import pytest
from tests.conftest import Contained
from tests.games.support.parlour import Parlour
from tests.hall.support.inmemory import FakeDoor, FakeListener, House, make_hall

import gamut
from gamut.games.game import Seat
from gamut.hall.ids import PersonId, Seq
from gamut.hall.live.audience import News
from gamut.hall.live.live_table import LiveTable
from gamut.hall.live.opening import Opening
from gamut.hall.table.sealed import NobodyMaySeeAll
from gamut.net.http.durable import log_of

LEAKS: dict[str, Callable[[LiveTable, News], Any]] = {
    "the position of the table": lambda live, news: live.table.state.hands,
    "the position before": lambda live, news: news.before.state.hands,
    "the position after": lambda live, news: news.after.state.hands,
    "what the game says of that position": lambda live, news: live.game.legal(live.table.state, Seat(0)),
    "what happened in the game": lambda live, news: news.events[0].events[0],
    "all that happened in the game": lambda live, news: list(news.events[0].events),
    "the log": lambda live, news: [list(event.events) for event in live.log if hasattr(event, "events")],
    "the last of the log": lambda live, news: live.log[-1].events[0],
}


class LeakyDoor(FakeDoor):
    def __init__(self, leak: Callable[[LiveTable, News], Any]) -> None:
        self._leak = leak
        self.leaked: list[Any] = []

    def tell(self, live: LiveTable, news: News, listeners: Collection[FakeListener]) -> None:
        if hasattr(news.events[0], "events"):
            self.leaked.append(self._leak(live, news))


def followed(door: FakeDoor, game: str) -> tuple[House, LiveTable]:
    house = make_hall()
    live = house.open(Opening(game=game), "ann", "ann", "bob", "cid")
    house.hall.attendance.attend(live, FakeListener(door, PersonId("ann")))
    return house, live


@pytest.mark.faults
@pytest.mark.parametrize("leak", LEAKS)
def test_a_door_cannot_take_what_only_some_may_see(leak: str, contained: Contained) -> None:
    door = LeakyDoor(LEAKS[leak])
    house, live = followed(door, "parlour")
    house.act(live)
    assert door.leaked == []
    assert NobodyMaySeeAll.__name__ in contained.faults[0]["error"]


@pytest.mark.faults
@pytest.mark.parametrize("what", ["state", "log", "events"])
def test_nothing_that_is_sealed_can_be_encoded(what: str, contained: Contained) -> None:
    encoded: list[bytes] = []

    def leak(live: LiveTable, news: News) -> Any:
        encoded.append(
            msgspec.json.encode({"state": live.table, "log": live.log, "events": news.events}[what])
        )

    house, live = followed(LeakyDoor(leak), "parlour")
    house.act(live)
    assert encoded == []
    assert "Sealed" in contained.faults[0]["error"]


def test_of_a_game_that_hides_nothing_doors_get_the_very_same_objects() -> None:
    taken: list[Any] = []
    door = LeakyDoor(lambda live, news: taken.append((live.table, live.log, news)))
    house, live = followed(door, "tower")
    house.act(live)
    ((table, log, news),) = taken
    assert table is live.whole
    assert news.after is live.whole
    assert log is live.whole_log
    assert news.events == live.whole_log[-1:]
    assert news.events[0] is live.whole_log[-1]
    assert news.seen_by(None)[0] is live.whole_log[-1]


def test_what_a_viewer_may_see_can_be_asked_for_everywhere() -> None:
    seen: list[Any] = []

    def ask(live: LiveTable, news: News) -> None:
        seen.extend(
            (news.seen_by(viewer), live.state_for(viewer), live.visible(viewer, Seq(0)))
            for viewer in (None, Seat(0), Seat(1))
        )
        assert live.awaited == (1, 2)
        assert list(live.legal(Seat(1))) == list(live.game.legal(live.whole.state, Seat(1)))

    house, live = followed(LeakyDoor(ask), "parlour")
    house.act(live, 0)
    for viewer, (events, state, log) in zip((None, 0, 1), seen, strict=True):
        assert (events[0].events[0].card == 0) == (viewer != 0)
        assert [any(hand) for hand in state.hands] == [viewer == 0, viewer == 1, False]
        assert log[-1] == events[0]


def test_who_acted_and_why_is_no_secret() -> None:
    known: list[Any] = []
    door = LeakyDoor(lambda live, news: known.append((news.events[0].seat, news.events[0].why)))
    house, live = followed(door, "parlour")
    house.act(live, 2)
    assert known == [(2, "acted")]


def test_once_all_is_revealed_doors_get_everything() -> None:
    house, live = followed(FakeDoor(), "parlour")
    while live.table.phase != "over":
        house.act(live)
    assert live.table.state.hands == ((), (), ())
    assert live.log is live.whole_log
    assert live.state_for(None) is live.whole.state


def test_no_door_and_nothing_on_the_net_asks_for_what_is_the_halls_alone() -> None:
    source = Path(gamut.__file__).parent
    files = [file for folder in ("doors", "net") for file in (source / folder).rglob("*.py")]
    assert len(files) > 50
    for file in files:
        assert not re.search(
            r"\b(live|old|new|now|ended)\.(whole|record)\b|news\._events\b", file.read_text()
        ), file


def logged(live: LiveTable, viewer: Seat | None) -> bytes:
    async def read() -> bytes:
        return b"".join([piece async for piece in log_of(live, viewer, ())])

    return asyncio.run(read())


def test_a_log_over_http_and_an_export_show_what_the_viewer_may_see() -> None:
    house, live = followed(FakeDoor(), "parlour")
    house.act(live)
    for viewer in (None, Seat(0), Seat(1)):
        shown = msgspec.json.decode(logged(live, viewer))["events"]
        assert shown == msgspec.json.decode(msgspec.json.encode(live.visible(viewer, Seq(0))))
        dealt = next(event for event in shown if event["type"] == "started")["events"][1:]
        assert [any(deal["cards"]) for deal in dealt] == [seat == viewer for seat in range(3)]
    while live.table.phase != "over":
        house.act(live)
    dealt = next(
        event for event in msgspec.json.decode(logged(live, None))["events"] if event["type"] == "started"
    )
    assert all(all(deal["cards"]) for deal in dealt["events"][1:]), "all is revealed in the end"


class Counting(Parlour):
    """Counts how often an event is applied."""

    def __init__(self) -> None:
        self.applied = 0

    def evolve(self, state: Any, event: Any) -> Any:
        self.applied += 1
        return super().evolve(state, event)


def test_what_a_viewer_knows_is_worked_out_from_what_is_new() -> None:
    game = Counting()
    house = make_hall(played={"parlour": game})
    live = house.open(Opening(game="parlour"), "ann", "ann", "bob", "cid")
    viewers = (None, Seat(0), Seat(1), Seat(2))
    for viewer in viewers:
        live.state_for(viewer)
    for _ in range(6):
        before = len(live.whole_log)
        house.act(live)
        happened = sum(len(event.events) for event in live.whole_log[before:])
        for viewer in viewers:
            game.applied = 0
            known = live.state_for(viewer)
            assert game.applied == happened
            assert live.state_for(viewer) is known
            assert game.applied == happened, "nothing is worked out twice"
            assert known == _from_the_first(live, viewer)
    assert set(live.known) == set(viewers), "one position for each way to look at the table"


def _from_the_first(live: LiveTable, viewer: Seat | None) -> Any:
    seen = live.visible(viewer, Seq(0))
    return live.game.replay(happened for event in seen for happened in getattr(event, "events", ()))


def test_what_a_viewer_knows_stays_right_when_a_log_is_written_anew() -> None:
    house = make_hall()
    live = house.open(Opening(game="parlour"), "ann", "ann", "bob", "cid")
    house.act(live)
    known = live.state_for(Seat(0))
    live.rewritten(live.whole, list(live.whole_log))
    assert live.state_for(Seat(0)) == known
    with pytest.raises(NobodyMaySeeAll):
        _ = live.table.state.hands


def test_what_news_did_to_what_a_viewer_knows_is_told_step_by_step() -> None:
    """To the last event of a game, after which all is revealed, and whatever was asked for before."""
    viewers = (None, Seat(0), Seat(1))
    known: dict[Seat | None, Any] = {}

    def ask(live: LiveTable, news: News) -> None:
        for viewer in viewers:
            if viewer == 1:
                live.state_for(viewer)
            steps = live.steps(viewer, news)
            happened = [event for seen in news.seen_by(viewer) for event in getattr(seen, "events", ())]
            assert [step.event for step in steps] == happened
            for step in steps:
                assert step.before == known.get(viewer, step.before)
                assert step.after == live.game.evolve(step.before, step.event)
                known[viewer] = step.after
            if live.hides:
                assert live.state_for(viewer) == known[viewer]

    house, live = followed(LeakyDoor(ask), "parlour")
    while live.table.phase != "over":
        house.act(live)
    assert set(known) == set(viewers)
    assert live.known == {}, "there is one position, now that all know it"


def test_where_nothing_is_hidden_the_steps_are_those_of_the_table() -> None:
    steps: list[Any] = []
    house, live = followed(LeakyDoor(lambda live, news: steps.extend(live.steps(None, news))), "tower")
    before = live.table.state
    house.act(live)
    assert [(step.before, step.after) for step in steps] == [(before, live.table.state)]
