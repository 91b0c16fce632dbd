"""What a client does ten thousand times costs no more than what it does once."""

from collections.abc import Iterator

import pytest
from tests.doors.support.topple_inn import ToppleInn, message, topple_inn
from tests.doors.topple.test_playing import win

from gamut.doors.topple.codes import is_machine, new_machine_id
from gamut.hall.ids import new_person_id

OFTEN = 200


@pytest.fixture(name="inn")
def _inn() -> Iterator[ToppleInn]:
    with topple_inn() as house:
        yield house


def test_coming_into_a_finished_room_again_and_again_sets_one_timer(inn: ToppleInn) -> None:
    one, _ = win(inn)
    timers = len(inn.time.pending)
    for _ in range(OFTEN):
        inn.watch(one.room).hang_up()
    inn.advance(1_000)
    assert len(inn.time.pending) <= timers
    inn.advance(1_800_000)
    assert one.read()[-1] == message("game:close")
    assert one.closed


def test_losing_the_connection_after_the_game_again_and_again_sets_one_timer(inn: ToppleInn) -> None:
    one, two = win(inn)
    timers = len(inn.time.pending)
    for _ in range(OFTEN):
        two.hang_up()
        two = inn.rejoin(one.room, 2, two.key)
        assert two.number == 2
    two.hang_up()
    inn.advance(1_000)
    assert len(inn.time.pending) <= timers + 1
    one.read()
    inn.advance(29_000)
    assert one.read() == [message("player:leave", n=2)]


def test_whoever_has_come_back_is_not_given_up(inn: ToppleInn) -> None:
    one, two = win(inn)
    two.hang_up()
    inn.advance(20_000)
    back = inn.rejoin(one.room, 2, two.key)
    inn.advance(20_000)
    assert not back.closed
    assert one.read() == []


def test_bots_from_elsewhere_leave_nothing_behind(inn: ToppleInn) -> None:
    host = inn.create()
    key = inn.table(host.room).table.key
    before = {name: len(value) for name, value in vars(inn.topple).items() if hasattr(value, "__len__")}
    for _ in range(20):
        # Both are lost, and nobody is there to be told that the room is gone.
        room = inn.seated("t=1&d=0,3,3&p=3", "127.0.0.1")
        invitation = inn.table(room.room).table.key
        bot = inn.seated(f"t=5&g={room.room}&n=2&k={invitation}&a=Hal", "127.0.0.1")
        room.hang_up()
        bot.hang_up()
    inn.advance(60_000)
    for _ in range(OFTEN):
        bot = inn.seated(f"t=5&g={host.room}&n=2&k={key}&a=Hal", "127.0.0.1")
        assert bot.payload("game:jlist")["p"][1] == [2, 2, "Hal"]
        refused = inn.connect(f"t=5&g={host.room}&n=2&k={key}&a=Hal", "127.0.0.1")
        assert refused.read()[0]["type"] == "error"
        bot.say("waiting:leave")
        host.read()
    after = {name: len(value) for name, value in vars(inn.topple).items() if hasattr(value, "__len__")}
    assert after == before


def test_a_bot_from_elsewhere_is_one_also_after_a_restart(inn: ToppleInn) -> None:
    host = inn.create()
    key = inn.table(host.room).table.key
    bot = inn.seated(f"t=5&g={host.room}&n=2&k={key}&a=Hal")
    inn.restart()
    back = inn.rejoin(host.room, 1, host.key)
    assert back.payload("game:jlist")["p"] == [[1, 1, None], [2, 2, "Hal"]]
    again = inn.rejoin(host.room, 2, bot.key)
    assert again.number == 2
    assert is_machine(again.session.person)


def test_nobody_else_has_the_id_of_a_bot() -> None:
    assert is_machine(new_machine_id())
    assert not any(is_machine(new_person_id()) for _ in range(1_000))


def test_rooms_opened_and_left_for_minutes_are_all_gone(inn: ToppleInn) -> None:
    for _ in range(5):
        for _ in range(100):
            inn.connect(f"t=1&d=3,15,15&p=10&s=1&pw={'x' * 64}").hang_up()
        inn.advance(60_000)
    inn.advance(60_000)
    assert not inn.hall.register.unfinished
    assert not inn.hall.register.rooms
    assert not inn.hall.register.seated
    assert not inn.hall.connected
    assert len(inn.topple.new_rooms) <= 1
