"""What happened is told to each kind of listener, and encoded once for all who see the same."""

from collections.abc import Collection
from typing import Any

import msgspec
from tests.doors.support.inn import Inn
from tests.doors.web.test_tables import place, sitting
from tests.games.support.parlour import Lay, Take
from tests.hall.support.inmemory import FakeDoor, FakeListener, House, make_hall

from gamut.doors.telling import Telling, Viewer
from gamut.doors.web import to_client as t
from gamut.hall.ids import PersonId
from gamut.hall.live.audience import News
from gamut.hall.live.live_table import LiveTable
from gamut.hall.live.opening import Opening


class CardTelling(Telling["CardDoor"]):
    """Tells a game of cards event by event."""

    def frames(self, kind: Viewer) -> bytes:
        apart = b"watch" if kind is None else b"one" if kind == 1 else b""
        return b"<" + self.encoded(kind, self.door.encode) + apart + b">"


class CardDoor(FakeDoor):
    def __init__(self, house: House) -> None:
        self.hall = house.hall
        self.encodings: list[Any] = []

    def encode(self, events: list[Any]) -> bytes:
        self.encodings.append(events)
        return b"".join(msgspec.json.encode(event.events) + b"\n" for event in events)

    def tell(self, live: LiveTable, news: News, listeners: Collection[FakeListener]) -> None:
        CardTelling(self, live, news).tell(listeners)


def told_by_event() -> tuple[House, LiveTable, CardDoor, dict[str, FakeListener]]:
    house = make_hall()
    live = house.open(Opening(game="parlour"), "ann", "ann", "bob", "cid")
    door = CardDoor(house)
    listeners = {name: FakeListener(door, PersonId(name)) for name in ("ann", "bob", "wim", "wanda")}
    for listener in listeners.values():
        house.hall.attendance.attend(live, listener)
    house.settle()
    return house, live, door, listeners


def test_each_hears_what_is_said_to_them_in_order() -> None:
    house, live, _, listeners = told_by_event()
    card = live.whole.state.hands[0][0]
    house.act(live, 0, Lay(card))
    open_, shut = (b'[{"type":"laid","seat":0,"card":%d}]\n' % shown for shown in (card, 0))
    heard = {name: listener.wire.data for name, listener in listeners.items()}
    assert heard == {
        "ann": b"<" + open_ + b">",
        "bob": b"<" + shut + b"one>",
        "wim": b"<" + shut + b"watch>",
        "wanda": b"<" + shut + b"watch>",
    }


def test_an_event_that_all_see_alike_is_encoded_once() -> None:
    house, live, door, _ = told_by_event()
    for seat in range(3):
        house.act(live, seat)
    door.encodings.clear()
    house.act(live, live.whole.state.chooser, Take())
    assert door.encodings == [[live.whole_log[-1]]]


def counting(monkeypatch: Any) -> list[Any]:
    encoded: list[Any] = []
    real = t.framed

    def framed(message: Any) -> bytes:
        encoded.append(message)
        return real(message)

    monkeypatch.setattr(t, "framed", framed)
    return encoded


def test_the_page_gets_a_move_encoded_once_for_players_and_watchers(inn: Inn, monkeypatch: Any) -> None:
    table, (ann, *_) = sitting(inn, "Ann Bob Cyd")
    for name in ("Wim", "Wanda", "Wilma"):
        inn.guest(name).sure("watch", table=table)
    encoded = counting(monkeypatch)
    ann.sure("act", table=table, action=place(3))
    assert [type(message) for message in encoded].count(t.Events) == 1


def test_the_page_gets_what_all_may_see_of_a_hidden_game_encoded_once(inn: Inn, monkeypatch: Any) -> None:
    table, people = sitting(inn, "Ann Bob Cyd", "parlour")
    inn.guest("Wim").sure("watch", table=table)
    live = inn.load(table)
    for seat, guest in enumerate(people):
        encoded = counting(monkeypatch)
        guest.sure("act", table=table, action={"type": "lay", "card": live.whole.state.hands[seat][0]})
        assert [type(message) for message in encoded].count(t.Events) == 2, "face up, and face down"
        monkeypatch.undo()
    encoded = counting(monkeypatch)
    people[live.whole.state.chooser].sure("act", table=table, action={"type": "take"})
    assert [type(message) for message in encoded].count(t.Events) == 1
