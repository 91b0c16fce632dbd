"""Lost connections, keys, hosts who go, servers that stop, and rooms that end."""

from typing import Any

import msgspec
import pytest
from tests.doors.support.inn import QUICK
from tests.doors.support.topple_inn import Seated, ToppleInn, frames, message, soft, topple_inn
from tests.doors.topple.test_playing import moved, quiet, turn, win

from gamut.doors.topple import to_client as t
from gamut.doors.topple.door import ToppleSettings
from gamut.hall.ids import Millis


@pytest.fixture(name="inn")
def _inn() -> Any:
    with topple_inn() as house:
        yield house


def board_less(heard: list[Any]) -> list[Any]:
    """Without the board, which comes once more when somebody is back."""
    return [m for m in heard if isinstance(m, dict)]


def kinds(heard: list[Any]) -> list[Any]:
    return [m["type"] if isinstance(m, dict) else m[0] for m in heard]


def refused(client: Seated) -> str:
    (error,) = client.heard
    assert error["type"] == "error"
    assert error["payload"]["redirect"] is None
    client.inn.advance(125)
    assert client.closed
    return str(error["payload"]["message"])


def test_rejoining_in_play_brings_everything_back_and_a_new_key(inn: ToppleInn) -> None:
    one, two = inn.playing(2, "t=1&s=1&d=1,3,3&p=2", turnTime={"limit": 2_000, "penalty": "skip"})
    one.say("game:move", n=4)
    quiet([one, two])
    two.hang_up()
    assert one.read() == []
    inn.advance(600)
    back = inn.rejoin(one.room, 2, two.key)
    assert one.read() == []
    assert kinds(back.heard) == [
        "player:ownid",
        "game:roomid",
        "game:jlist",
        "key:rejoin",
        "game:reconnected",
        "game:config",
        0,
        "game:rules",
        "game:turn",
        "sync",
    ]
    assert [entry[0] for entry in back.payload("game:jlist")["p"]] == [1, 2]
    assert back.payload("game:turn") == {"n": 2, "t": True}
    assert back.payload("sync") == {"PLAYER.2.time_left": 2}
    assert back.key != two.key
    # The clock went on: 1.4 seconds are left.
    inn.advance(1_399)
    assert board_less(back.read()) == []
    inn.advance(1)
    assert back.read() == [message("game:timeup", n=2), turn(1)]
    back.hang_up()
    again = inn.rejoin(one.room, 2, back.key)
    assert again.number == 2
    again.hang_up()
    assert refused(inn.rejoin(one.room, 2, two.key)) == "incorrect key", "a newer one has been used"


def test_a_key_counts_until_a_newer_one_has_been_used_as_its_answer_may_be_lost(inn: ToppleInn) -> None:
    one, two = inn.playing(2)
    for _ in range(3):
        two.hang_up()
        lost = inn.rejoin(one.room, 2, two.key)
        assert lost.number == 2
        lost.hang_up()  # and whatever was sent to it was never heard
        inn.restart()
    heard = inn.rejoin(one.room, 2, two.key)
    heard.hang_up()
    for key in (lost.key, heard.key):
        back = inn.rejoin(one.room, 2, key)
        assert back.number == 2
        back.hang_up()
    for key in (two.key, lost.key):
        assert refused(inn.rejoin(one.room, 2, key)) == "incorrect key"
    inn.restart()
    assert refused(inn.rejoin(one.room, 2, two.key)) == "incorrect key"
    assert inn.rejoin(one.room, 2, back.key).number == 2


def test_rejoining_before_the_game_keeps_the_key(inn: ToppleInn) -> None:
    host = inn.create()
    other = inn.join(host.room)
    other.say("waiting:setready", r=True)
    other.hang_up()
    back = inn.rejoin(host.room, 2, other.key)
    assert back.key == other.key
    assert kinds(back.heard) == [
        "player:ownid",
        "game:roomid",
        "game:jlist",
        "key:rejoin",
        "game:config",
        "game:rules",
        "waiting:setready",
    ]


def test_a_window_that_is_over_is_a_leave(inn: ToppleInn) -> None:
    host = inn.create()
    other = inn.join(host.room)
    host.read()
    other.hang_up()
    inn.advance(29_999)
    assert host.read() == []
    inn.advance(1)
    assert host.read() == [message("player:leave", n=2)]
    assert refused(inn.rejoin(host.room, 2, other.key)) == "incorrect key"
    one, two, three = inn.playing(3)
    one.hang_up()
    inn.advance(30_000)
    assert (
        two.read() == three.read() == [turn(2), message("player:leave", n=1), message("waiting:promote", n=2)]
    )
    assert two.say("game:pause")[0]["type"] == "game:pause"


def test_the_window_is_a_setting() -> None:
    with topple_inn(topple=ToppleSettings(rejoin_window=Millis(500))) as inn:
        host = inn.create()
        other = inn.join(host.room)
        host.read()
        other.hang_up()
        inn.advance(500)
        assert host.read() == [message("player:leave", n=2)]


def test_a_host_who_comes_back_is_still_host(inn: ToppleInn) -> None:
    one, two = inn.playing(2)
    one.hang_up()
    inn.advance(20_000)
    back = inn.rejoin(one.room, 1, one.key)
    assert back.payload("game:config")["l"] == 1
    assert back.say("game:pause")[0]["type"] == "game:pause"
    assert kinds(two.read()) == ["game:pause", "sync"]


def test_a_right_key_takes_a_seat_over_from_a_connection_that_only_seems_alive(inn: ToppleInn) -> None:
    one, two = inn.playing(2)
    taken = inn.rejoin(one.room, 2, two.key)
    assert taken.number == 2
    assert two.closed
    assert two.read() == []
    two.hang_up()
    one.say("game:move", n=0)
    assert taken.read() == [moved(0, 1), turn(2)]
    assert refused(inn.rejoin(one.room, 2, "no key")) == "not disconnected"
    assert taken.say("game:move", n=8)[0] == moved(8, 2)


def test_wrong_numbers_and_keys(inn: ToppleInn) -> None:
    one, two = inn.playing(2)
    assert refused(inn.rejoin(one.room, 0, one.key)) == "bad player number"
    assert refused(inn.rejoin(one.room, 4, one.key)) == "bad player number"
    assert refused(inn.rejoin(one.room, 3, one.key)) == "incorrect key"
    assert refused(inn.rejoin(one.room, 2, "")) == "not disconnected"
    two.hang_up()
    for wrong in ("", one.key, "x" * 86, "%F0%9F%97%9D", "%ff"):
        assert refused(inn.rejoin(one.room, 2, wrong)) == "incorrect key"
    other = inn.create()
    assert refused(inn.rejoin(other.room, 1, one.key)) == "not disconnected"


def test_after_the_game_a_reload_still_gets_the_file_and_the_seat_is_free_when_nobody_comes(
    inn: ToppleInn,
) -> None:
    one, two = win(inn)
    watcher = inn.watch(one.room)
    assert kinds(watcher.heard)[-2:] == [0, "game:win"]
    quiet([one, two])
    two.hang_up()
    inn.advance(29_000)
    back = inn.rejoin(one.room, 2, two.key)
    assert kinds(back.heard)[-1] == "game:win"
    assert back.say("game:download")[0][0] == 1
    inn.advance(60_000)
    assert one.read() == []
    back.hang_up()
    inn.advance(30_000)
    assert one.read() == [message("player:leave", n=2)]
    watcher.read()
    one.say("player:leave")
    assert watcher.read() == [message("player:leave", n=1), message("game:close")]
    assert watcher.closed
    assert refused(inn.rejoin(one.room, 1, one.key)) == "game id does not exist"


def test_a_room_is_closed_half_an_hour_after_its_game(inn: ToppleInn) -> None:
    one, two = win(inn)
    inn.advance(1_800_000 - 1)
    assert one.read() == []
    inn.advance(1)
    assert one.read() == two.read() == [message("game:close")]
    assert one.closed
    assert two.closed
    assert inn.watch(one.room).heard[0]["payload"]["message"] == "Game Not Found"


def test_a_room_whose_game_was_over_before_a_restart_closes_in_time(inn: ToppleInn) -> None:
    one, _ = win(inn)
    inn.advance(600_000)
    inn.restart()
    back = inn.rejoin(one.room, 1, one.key)
    assert back.heard[-2:] == [message("game:win", t=2, d=True), message("CONN:CONT")]
    inn.advance(1_200_000)
    assert kinds(back.read()) == [0, "game:win", "game:close"]
    assert back.closed


def test_when_the_last_player_goes_spectators_are_sent_off(inn: ToppleInn) -> None:
    host = inn.create()
    watcher = inn.watch(host.room)
    host.say("game:bot", bot="constantine/0")
    watcher.read()
    host.say("waiting:leave")
    assert watcher.read() == [message("player:leave", n=1), message("game:close")]
    assert watcher.closed


def test_a_spectator_who_hosts_hands_over_by_going(inn: ToppleInn) -> None:
    host = inn.create("t=1&d=0,3,3&p=2&S=1")
    name = host.payload("spectator:ownid")["n"]
    assert kinds(host.heard) == ["spectator:ownid", "game:roomid", "game:config", "game:rules"]
    assert host.payload("game:config")["l"] == name
    one, two = inn.join(host.room), inn.join(host.room)
    assert one.payload("game:config")["l"] == name
    assert one.payload("game:jlist")["s"] == [[name, None]]
    host.read()
    assert host.say("waiting:teamcolors", c=[1] * 7)[0]["type"] == "waiting:teamcolors"
    assert host.say("game:kick", n=name) == [soft(101)]
    host.say("waiting:start")
    quiet([one, two])
    host.hang_up()
    assert one.read() == two.read() == [message("spectator:leave", n=name), message("waiting:promote", n=1)]
    alone = inn.create("t=1&d=0,3,3&p=2&S=1")
    watcher = inn.watch(alone.room)
    alone.say("spectator:leave")
    assert kinds(watcher.read()) == ["spectator:leave", "game:close"]


# The server stops


def test_who_is_there_when_the_server_stops_is_told_to_hold(inn: ToppleInn) -> None:
    one, two = inn.playing(2)
    watcher = inn.watch(one.room)
    quiet([one, two])
    before = inn.bytes_of(inn.table(one.room).id)
    inn.topple.start_draining()
    for person in (one, two, watcher):
        person.session.closing()
        assert person.read() == [message("CONN:HOLD")]
        assert person.wire.closed == 1001
        assert person.say("game:move", n=0) == []
        person.hang_up()
    assert inn.bytes_of(inn.table(one.room).id) == before


def test_who_comes_while_the_server_stops_is_asked_to_come_later(inn: ToppleInn) -> None:
    inn.topple.start_draining()
    late = inn.connect("t=1&d=0,3,3&p=2")
    assert late.read() == [message("CONN:DYNG")]
    assert late.say("game:rules") == []
    inn.advance(249)
    assert not late.closed
    inn.advance(1)
    assert late.closed
    assert not inn.hall.register.unfinished


def test_after_a_restart_everybody_comes_back_by_key(inn: ToppleInn) -> None:
    people = inn.playing(3, "t=2&d=3,4,4&p=4", turnTime={"style": "chess", "limit": 60_000})
    room = people[0].room
    people[0].say("game:move", n=5)
    inn.advance(2_000)
    before = inn.table(room).table
    inn.restart()
    inn.advance(3_000)
    back = [inn.rejoin(room, person.number, person.key) for person in people]
    table = inn.table(room).table
    assert table.state == before.state
    assert back[1].payload("game:turn") == {"n": 2, "t": True}
    assert back[0].payload("game:config")["l"] == 1
    quiet(back)
    assert back[1].say("game:move", n=10) == [moved(10, 2), turn(3)]
    assert {person.key for person in back}.isdisjoint({person.key for person in people})
    back[2].say("game:move", n=0)
    quiet(back)
    assert back[0].say("game:pause")[0]["payload"]["t"][2] >= 57
    # And once more, from before the game, with the same keys.
    waiting = inn.create()
    other = inn.join(waiting.room)
    inn.restart()
    assert inn.rejoin(waiting.room, 1, waiting.key).key == waiting.key
    assert inn.rejoin(waiting.room, 2, other.key).say("waiting:setready", r=True)


def stopped(inn: ToppleInn) -> None:
    """The server stops, having told everybody, and starts again a second later."""
    inn.topple.start_draining()
    for live in inn.hall.live.values():
        for session in list(inn.topple.sessions_at(live)):
            session.closing()
            session.closed()
    inn.advance(1_000)
    inn.restart()


def test_who_was_told_to_hold_is_told_to_go_on_once_back_in_the_seat(inn: ToppleInn) -> None:
    one, two = inn.playing(2, "t=1&d=0,3,3&p=2", turnTime={"limit": 60_000})
    one.say("game:move", n=0)
    waiting = inn.create()
    finished = win(inn)
    stopped(inn)
    back = inn.rejoin(one.room, 2, two.key)
    assert kinds(back.heard)[-3:] == ["game:turn", "sync", "CONN:CONT"]
    # What was held back is heard now, and the others hear of it.
    other = inn.rejoin(one.room, 1, one.key)
    assert kinds(other.heard)[-1] == "CONN:CONT"
    assert back.say("game:move", n=8) == other.read() == [moved(8, 2), turn(1)]
    assert kinds(inn.rejoin(waiting.room, 1, waiting.key).heard)[-2:] == ["game:rules", "CONN:CONT"]
    assert kinds(inn.rejoin(finished[0].room, 1, finished[0].key).heard)[-2:] == ["game:win", "CONN:CONT"]
    # Once is enough: a connection that is lost later has nothing to do with the stop.
    back.hang_up()
    inn.advance(1_000)
    assert "CONN:CONT" not in kinds(inn.rejoin(one.room, 2, back.key).heard)
    taken_over = inn.rejoin(one.room, 1, other.key)
    assert "CONN:CONT" not in kinds(taken_over.heard)


def test_two_stops_before_somebody_comes_back_are_one_hold(inn: ToppleInn) -> None:
    one, two = inn.playing(2)
    stopped(inn)
    stopped(inn)
    assert kinds(inn.rejoin(one.room, 2, two.key).heard)[-1] == "CONN:CONT"


def test_who_had_gone_before_the_server_stopped_was_not_told_to_hold(inn: ToppleInn) -> None:
    one, two = inn.playing(2)
    two.hang_up()
    stopped(inn)
    assert "CONN:CONT" not in kinds(inn.rejoin(one.room, 2, two.key).heard)


GRACE = QUICK.timeouts.room_grace
"""How long everybody has to come back after a stop of the server."""


@pytest.mark.parametrize("stop", [stopped, ToppleInn.restart], ids=["stop", "crash"])
def test_after_a_stop_a_seat_waits_until_people_have_noticed_it(inn: ToppleInn, stop: Any) -> None:
    one, two, three = inn.playing(3)
    waiting = inn.create()
    late = inn.join(waiting.room)
    stop(inn)
    back = inn.rejoin(one.room, 1, one.key)
    again = inn.rejoin(one.room, 3, three.key)
    host = inn.rejoin(waiting.room, 1, waiting.key)
    quiet([back, again])
    host.read()
    inn.advance(GRACE - 1)
    assert not board_less(back.read())
    assert not board_less(host.read())
    inn.advance(1)
    assert board_less(back.read()) == [message("player:leave", n=2)]
    assert refused(inn.rejoin(one.room, 2, two.key)) == "incorrect key"
    assert host.read() == [message("player:leave", n=2)]
    assert refused(inn.rejoin(waiting.room, 2, late.key)) == "incorrect key"
    # Who is back goes by themselves when they go again.
    again.hang_up()
    inn.advance(30_000)
    assert [m["type"] for m in board_less(back.read())] == ["player:leave", "game:win"]


def test_after_a_stop_a_room_waits_for_its_people_though_none_of_them_is_back(inn: ToppleInn) -> None:
    one, two = inn.playing(2)
    waiting = inn.create()
    stopped(inn)
    inn.advance(GRACE // 2)
    inn.create()  # so that the ledger knows how late it is
    stopped(inn)
    # The time in which nobody could have come does not count.
    inn.advance(GRACE // 2 - 1)
    assert inn.rejoin(waiting.room, 1, waiting.key).number == 1
    back = inn.rejoin(one.room, 2, two.key)
    assert back.payload("game:turn") == {"n": 1, "t": False}
    inn.advance(1)
    assert kinds(board_less(back.read()))[-2:] == ["player:leave", "game:win"]


def test_who_was_lost_before_the_server_stopped_has_the_usual_time(inn: ToppleInn) -> None:
    one, two, three = inn.playing(3)
    two.hang_up()
    inn.advance(20_000)
    inn.create()  # so that the ledger knows how late it is
    stopped(inn)
    back = inn.rejoin(one.room, 1, one.key)
    inn.rejoin(one.room, 3, three.key)
    back.read()
    inn.advance(9_999)
    assert not board_less(back.read())
    inn.advance(1)
    assert board_less(back.read()) == [message("player:leave", n=2)]


def test_keys_are_nowhere_to_be_read(inn: ToppleInn) -> None:
    one, two = inn.playing(2)
    two.hang_up()
    back = inn.rejoin(one.room, 2, two.key)
    live = inn.table(one.room)
    guest = inn.guest("Eve")
    guest.sure("watch", table=live.id)
    stored = b"".join(inn.bytes_of(live.id)) + guest.raw + inn.storage.entries[live.id].summary
    for key in (one.key, two.key, back.key):
        assert key.encode() not in stored
        assert key.encode() not in one.wire.data or key == one.key


def test_moving_to_another_server_is_a_matter_of_parameters() -> None:
    player, spectator, locked = frames(
        t.switch_player("AM845H6U", 2, "KEY")
        + t.switch_spectator("AM845H6U")
        + t.switch("t=0&g=AM845H6U", [msgspec.json.encode(message("game:password", pw="x")).decode()])
    )
    assert player == message("CONN:SWCH", P="t=3&g=AM845H6U&i=2&k=KEY", D=[])
    assert spectator == message("CONN:SWCH", P="t=4&g=AM845H6U", D=[])
    assert msgspec.json.decode(locked["payload"]["D"][0]) == message("game:password", pw="x")
    assert list(frames(t.CONT)) == [message("CONN:CONT")]


def test_who_was_dismissed_for_flooding_has_lost_the_connection_and_may_come_back(inn: ToppleInn) -> None:
    one, two = inn.playing(2)
    two.session.flooded()
    inn.settle()
    assert two.wire.closed == 1008
    assert two.say("game:move", n=4) == [], "nothing more is heard"
    assert one.say("game:move", n=0) == [moved(0, 1), turn(2)]
    back = inn.rejoin(one.room, 2, two.key)
    assert back.number == 2
    two.hang_up()
    assert back.say("game:move", n=8) == [moved(8, 2), turn(1)], (
        "the end of the old connection changes nothing"
    )


def test_a_room_whose_players_flood_and_do_not_come_back_ends(inn: ToppleInn) -> None:
    one, two = inn.playing(2)
    live = inn.table(one.room)
    for player in (one, two):
        player.session.flooded()
        player.hang_up()
    assert not live.here
    inn.advance(30_000)
    assert live.table.phase == "over"


def test_a_spectator_dismissed_for_flooding_is_announced_as_gone(inn: ToppleInn) -> None:
    one, _ = inn.playing(2)
    watcher = inn.watch(one.room)
    one.read()
    watcher.session.flooded()
    assert kinds(one.read()) == ["spectator:leave"]
    watcher.hang_up()
    assert one.read() == []
    assert watcher.wire.closed == 1008
