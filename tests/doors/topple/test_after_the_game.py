"""Rooms whose game is over: as long as the list shows one, whoever asks for it finds it."""

from typing import Any

import msgspec
import pytest
from tests.doors.support.inn import Guest
from tests.doors.support.topple_inn import HOME, Seated, ToppleInn, message, topple_inn
from tests.doors.topple.test_coming_back import kinds, refused
from tests.doors.topple.test_playing import win

from gamut.doors.http import Answer, Request
from gamut.doors.topple.http import routes
from gamut.games.topple.files.reader import read
from gamut.games.topple.files.record import Moved
from gamut.hall.ids import TableId

NOT_FOUND = {"code": 1, "message": "Game Not Found", "redirect": "/play-online", "store": "Game Not Found"}


@pytest.fixture(name="inn")
def _inn() -> Any:
    with topple_inn() as house:
        yield house


def get(inn: ToppleInn, path: str, names: dict[str, str] | None = None, **query: str) -> Answer:
    (route,) = [route for route in routes(inn.topple) if route.path == path]
    answer: Answer = inn.run(route.handler(Request(HOME, names or {}, query, {})))
    inn.settle()
    return answer


def listed(inn: ToppleInn) -> list[str]:
    return [room["ident"] for room in msgspec.json.decode(get(inn, "/serverlist").body)]


def replay(inn: ToppleInn, room: str) -> Answer:
    return get(inn, "/replays/{room}.topl", {"room": room})


def on_the_page(inn: ToppleInn) -> tuple[Guest, Seated, TableId]:
    """A game between somebody at the page, who opened the table, and a client."""
    ann = inn.guest("Ann")
    table = ann.open("topple", seats=2, options={"x": 2, "y": 2}, start="host")
    ann.sure("watch", table=table)
    client = inn.join(table)
    ann.sure("start", table=table)
    return ann, client, table


def play_to_the_end(ann: Guest, client: Seated, table: TableId) -> list[Any]:
    """What the client hears at last: it wins."""
    heard = []
    for _ in range(2):
        ann.sure("act", table=table, action={"type": "place", "tile": 0})
        client.read()
        heard = client.say("game:move", n=3)
    return heard


def test_a_table_of_the_page_is_there_after_its_game_as_long_as_it_is_listed(inn: ToppleInn) -> None:
    ann, client, table = on_the_page(inn)
    assert replay(inn, table).status == 404
    assert play_to_the_end(ann, client, table)[-1] == message("game:win", t=2, d=True)
    assert listed(inn) == [table]
    assert get(inn, "/d/isres", id=table).body == b"0"
    file = replay(inn, table)
    assert file.status == 200
    assert b"\1" + file.body == client.say("game:download")[0]
    moves = [event.tile for event in read(file.body).events if isinstance(event, Moved)]
    assert moves == [0, 3, 0, 3]
    watcher = inn.watch(table)
    assert kinds(watcher.heard)[-2:] == [0, "game:win"]
    client.hang_up()
    back = inn.rejoin(table, 2, client.key)
    assert kinds(back.heard)[-1] == "game:win"
    # The one at the page is enough for it to be there, and so is the client.
    back.say("player:leave")
    assert listed(inn) == [table]
    assert kinds(inn.watch(table).heard)[-1] == "game:win"
    ann.hang_up()
    assert listed(inn) == []
    assert inn.watch(table).payload("error") == NOT_FOUND
    assert replay(inn, table).body == file.body, "as of every room that is long closed"
    inn.restart()
    assert replay(inn, table).body == file.body


def test_a_private_table_of_the_page_is_nowhere_and_its_players_ask_for_the_file(inn: ToppleInn) -> None:
    ann = inn.guest("Ann")
    table = ann.open("topple", seats=2, options={"x": 2, "y": 2}, start="host")
    client = inn.join(table)
    ann.sure("configure", table=table, private=True)
    ann.sure("start", table=table)
    assert play_to_the_end(ann, client, table)[-1] == message("game:win", t=2, d=False)
    assert listed(inn) == []
    assert replay(inn, table).status == 404
    assert inn.watch(table).payload("error") == NOT_FOUND
    client.hang_up()
    back = inn.rejoin(table, 2, client.key)
    assert back.heard[-1] == message("game:win", t=2, d=False)
    assert back.say("game:download")[0][0] == 1


def test_tables_of_other_games_are_no_rooms(inn: ToppleInn) -> None:
    table = inn.guest("Ann").open("tower")
    assert inn.watch(table).payload("error") == NOT_FOUND
    assert replay(inn, table).status == 404


def test_a_room_whose_players_were_all_lost_in_play_is_gone_with_its_game(inn: ToppleInn) -> None:
    one, two = inn.playing(2)
    one.hang_up()
    two.hang_up()
    inn.advance(29_999)
    assert listed(inn) == [one.room]
    inn.advance(1)
    assert listed(inn) == []
    assert refused(inn.rejoin(one.room, 2, two.key)) == "game id does not exist"
    assert inn.watch(one.room).payload("error") == NOT_FOUND
    assert replay(inn, one.room).status == 200


def test_who_was_lost_later_than_the_others_has_the_rest_of_the_time_after_the_game(inn: ToppleInn) -> None:
    one, two = inn.playing(2)
    one.hang_up()
    inn.advance(20_000)
    two.hang_up()
    inn.advance(10_000)
    assert listed(inn) == [one.room]
    inn.advance(19_999)
    back = inn.rejoin(one.room, 2, two.key)
    assert kinds(back.heard)[-1] == "game:win"
    inn.advance(1_000_000)
    assert listed(inn) == [one.room], "somebody is there"


def test_spectators_are_sent_off_when_nobody_who_played_is_waited_for(inn: ToppleInn) -> None:
    one, two = inn.playing(2)
    watcher = inn.watch(one.room)
    one.hang_up()
    inn.advance(1_000)
    two.hang_up()
    watcher.read()
    inn.advance(29_000)
    assert kinds(watcher.read())[-2:] == ["player:leave", "game:win"]
    inn.advance(1_000)
    assert watcher.read() == [message("player:leave", n=2), message("game:close")]
    assert watcher.closed
    assert listed(inn) == []


def test_who_was_there_when_the_server_stopped_finds_the_finished_game_again(inn: ToppleInn) -> None:
    one, two = win(inn)
    inn.advance(1_000)
    inn.restart()
    inn.advance(inn.hall.settings.timeouts.room_grace - 1)
    assert kinds(inn.rejoin(one.room, 1, one.key).heard)[-2:] == ["game:win", "CONN:CONT"]
    inn.restart()
    inn.advance(inn.hall.settings.timeouts.room_grace)
    assert refused(inn.rejoin(one.room, 2, two.key)) == "game id does not exist"
