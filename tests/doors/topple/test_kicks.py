"""Who was kicked out of a Topple room does not walk back in."""

from collections.abc import Iterator
from typing import Any

import pytest
from tests.doors.support.inn import Guest, TextWire
from tests.doors.support.topple_inn import ABROAD, HOME, Seated, ToppleInn, frames, message, topple_inn
from tests.doors.topple.test_coming_in import fatal
from tests.doors.topple.test_playing import win

from gamut.doors.offer import Newcomer
from gamut.doors.topple.kicked import _MOST_IN_ROOM, _MOST_PLAYERS, _MOST_ROOMS, Kicked
from gamut.doors.topple.session import ToppleSession
from gamut.hall.ids import Millis, PersonId, TableId

KICKED = "kicked from this room"
HOUR = 3_600_000


@pytest.fixture(name="inn")
def _inn() -> Iterator[ToppleInn]:
    with topple_inn() as house:
        yield house


def kicked_out(inn: ToppleInn, host: Seated, address: str = ABROAD) -> Seated:
    """Somebody who came from there and was kicked."""
    other = inn.join(host.room, address)
    host.read()
    assert host.say("game:kick", n=other.number) == [message("game:kick", n=other.number)]
    assert other.closed
    return other


def test_a_kicked_player_neither_joins_nor_watches_nor_rejoins(inn: ToppleInn) -> None:
    host = inn.create()
    other = kicked_out(inn, host)
    for kind in (0, 4):
        fatal(inn.connect(f"t={kind}&g={host.room}", ABROAD), KICKED)
        fatal(inn.connect(f"t={kind}&g={host.room.lower()}", ABROAD), KICKED)
    old_key = inn.connect(f"t=3&g={host.room}&i=2&k={other.key}", ABROAD)
    fatal(old_key, "incorrect key", None, stored=False)
    assert host.read() == []
    assert inn.join(host.room).number == 2, "everybody else is welcome"
    elsewhere = inn.create()
    assert inn.join(elsewhere.room, ABROAD).number == 2, "and so are they in any other room"


def test_other_addresses_of_one_household_are_the_same(inn: ToppleInn) -> None:
    host = inn.create()
    kicked_out(inn, host, "2001:db8:0:7::1")
    fatal(inn.connect(f"t=0&g={host.room}", "2001:db8:0:7:1234::9"), KICKED)
    assert inn.join(host.room, "2001:db8:0:8::1").number == 2


def test_in_play_and_after_the_game_too(inn: ToppleInn) -> None:
    host = inn.create()
    other, watcher = inn.join(host.room, ABROAD), inn.watch(host.room, "203.0.113.9")
    inn.join(host.room)
    host.say("waiting:start")
    host.say("game:kick", n=other.number)
    fatal(inn.connect(f"t=4&g={host.room}", ABROAD), KICKED)
    assert not watcher.closed
    one, two = win(inn)
    two.hang_up()
    back = inn.seated(f"t=3&g={one.room}&i=2&k={two.key}", ABROAD)
    one.read()
    one.say("game:kick", n=2)
    assert back.closed
    fatal(inn.connect(f"t=4&g={one.room}", ABROAD), KICKED)


def test_a_kicked_spectator_does_not_watch_again(inn: ToppleInn) -> None:
    host = inn.create()
    watcher = inn.watch(host.room, ABROAD)
    host.say("game:kick", n=watcher.payload("spectator:ownid")["n"])
    assert watcher.closed
    for kind in (0, 4):
        fatal(inn.connect(f"t={kind}&g={host.room}", ABROAD), KICKED)


def test_whoever_is_in_stays_in_and_comes_back_with_the_key(inn: ToppleInn) -> None:
    host = inn.create("t=1&d=0,3,3&p=4")
    sister = inn.join(host.room, ABROAD)
    kicked_out(inn, host, ABROAD)
    assert not sister.closed
    sister.hang_up()
    assert inn.seated(f"t=3&g={host.room}&i={sister.number}&k={sister.key}", ABROAD).number == sister.number


def test_whoever_is_kicked_while_the_connection_is_lost_stays_out_too(inn: ToppleInn) -> None:
    host = inn.create()
    other = inn.join(host.room, ABROAD)
    other.hang_up()
    host.say("game:kick", n=2)
    fatal(inn.connect(f"t=0&g={host.room}", ABROAD), KICKED)
    gone = inn.connect(f"t=3&g={host.room}&i=2&k={other.key}", ABROAD)
    fatal(gone, "incorrect key", None, stored=False)
    one, two = win(inn)
    two.hang_up()
    one.say("game:kick", n=2)
    fatal(inn.connect(f"t=4&g={one.room}"), KICKED)


def test_a_host_on_the_page_kicks_as_well_also_where_nobody_of_this_door_is_left(inn: ToppleInn) -> None:
    ann = inn.guest("Ann")
    for lost in (False, True):
        table = ann.open("topple", seats=3, options={"x": 3, "y": 3})
        other = inn.join(table, ABROAD)
        assert other.number == 2
        if lost:
            other.hang_up()
        ann.sure("unseat", table=table, seat=1)
        fatal(inn.connect(f"t=0&g={table}", ABROAD), KICKED)
        fatal(inn.connect(f"t=4&g={table}", ABROAD), KICKED)


def test_the_next_game_of_the_room_remembers(inn: ToppleInn) -> None:
    ann, bob = inn.guest("Ann"), inn.guest("Bob")
    table = ann.open("topple", seats=2, options={"x": 2, "y": 2}, start="host")
    other = inn.join(table, ABROAD)
    watcher = inn.watch(table, "203.0.113.9")
    ann.sure("unseat", table=table, seat=1)
    assert other.closed
    live = inn.hall.live[table]
    inn.topple.kicked.bar(live, watcher.session.address)
    bob.sure("sit", table=table)
    ann.sure("start", table=table)
    after = played_again(inn, table, ann, bob)
    for address in (ABROAD, "203.0.113.9"):
        fatal(inn.connect(f"t=4&g={after}", address), KICKED)
    assert inn.watch(after).payload("spectator:ownid")
    third = played_again(inn, after, bob, ann)
    fatal(inn.connect(f"t=4&g={third}", ABROAD), KICKED)


def played_again(inn: ToppleInn, table: TableId, *players: Guest) -> TableId:
    """They play a game on four tiles, and the next one begins."""
    for number, tile in enumerate((0, 3, 0, 3)):
        players[number % 2].sure("act", table=table, action={"type": "place", "tile": tile})
    for player in players:
        player.sure("rematch", table=table)
    after = inn.load(table).table.successor
    assert after is not None
    return after


def test_a_kick_while_the_password_or_the_seat_is_waited_for(inn: ToppleInn) -> None:
    host = inn.create("t=1&d=0,3,3&p=3&pw=swordfish")
    first, late = (inn.connect(f"t=0&g={host.room}", ABROAD) for _ in range(2))
    assert first.say("game:password", pw="swordfish")
    host.read()
    host.say("game:kick", n=2)
    inn.run(late.session.text(b'{"type":"game:password","payload":{"pw":"swordfish"}}'))
    fatal(late, KICKED)
    assert sum(holder is not None for holder in inn.table(host.room).table.seats) == 1


def test_a_kick_in_the_moment_of_a_return(inn: ToppleInn) -> None:
    host = inn.create()
    other = inn.join(host.room, ABROAD)
    other.hang_up()
    wire = TextWire()
    for query in (f"t=3&g={host.room}&i=2&k={other.key}", f"t=0&g={host.room}"):
        back = ToppleSession.new(inn.topple, wire, Newcomer(ABROAD, query))
        waiting = back.opened()
        if inn.table(host.room).table.seats[1] is not None:
            host.say("game:kick", n=2)
        inn.run(waiting)
        inn.settle()
        assert back.is_deaf
    texts = [said["payload"]["message"] for said in frames(wire.data)]
    assert texts == ["incorrect key", KICKED]
    assert inn.table(host.room).table.seats[1:] == (None, None)


def test_it_is_over_after_an_hour_and_when_the_room_is_gone(inn: ToppleInn) -> None:
    host = inn.create()
    kicked_out(inn, host)
    inn.advance(HOUR - 1)
    fatal(inn.connect(f"t=0&g={host.room}", ABROAD), KICKED)
    inn.advance(1)
    assert inn.join(host.room, ABROAD).number == 2
    room = inn.create()
    kicked_out(inn, room)
    known = len(inn.topple.kicked)
    room.say("waiting:leave")
    assert len(inn.topple.kicked) == known - 1, "what a room had against anybody goes with it"
    host.say("waiting:leave")
    inn.advance(HOUR)
    kicked_out(inn, inn.create(), HOME)
    assert len(inn.topple.kicked) == 2, "the last one only: as somebody and as an address"


def test_this_machine_is_never_kept_out(inn: ToppleInn) -> None:
    host = inn.create()
    kicked_out(inn, host, "127.0.0.1")
    assert inn.join(host.room, "127.0.0.1").number == 2


class _Live:
    """As much of a table as the list of the kicked looks at."""

    def __init__(self, room: str) -> None:
        self.id = room
        self.table: Any = self
        self.room = room
        self.before = None
        self.barred = (PersonId("nobody"),)


def test_however_many_are_kicked_the_list_stays_short() -> None:
    kicked = Kicked(Millis(HOUR), lambda: Millis(0))
    busy: Any = _Live("BUSY")
    for number in range(3 * _MOST_IN_ROOM):
        kicked.bar(busy, f"198.51.{number // 250}.{number % 250}")
    assert len(kicked) == _MOST_IN_ROOM
    assert kicked.is_barred(busy, "198.51.1.49")
    assert not kicked.is_barred(busy, "198.51.0.0")
    for number in range(_MOST_ROOMS + 5):
        live: Any = _Live(str(number))
        kicked.bar(live, ABROAD)
    assert len(kicked) == _MOST_ROOMS
    for number in range(_MOST_PLAYERS + 5):
        kicked.remember(PersonId(str(number)), HOME)
    assert len(kicked) == _MOST_ROOMS + _MOST_PLAYERS


def test_whom_a_host_on_the_page_sends_off_without_barring_them_may_come_back(inn: ToppleInn) -> None:
    ann = inn.guest("Ann")
    table = ann.open("topple", seats=3, options={"x": 3, "y": 3}, start="host")
    other = inn.join(table, ABROAD)
    ann.sure("unseat", table=table, seat=1, bar=False)
    assert other.read()[-1] == message("game:kick", n=2)
    assert other.closed
    assert inn.join(table, ABROAD).number == 2
