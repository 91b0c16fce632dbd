"""Games as files: downloaded, exported, and imported again, also after a restart."""

from typing import Any

import msgspec
import pytest
from msgspec.structs import replace
from tests.doors.support.topple_inn import Client, Seated, ToppleInn, message, soft, topple_inn
from tests.doors.topple.test_coming_in import fatal
from tests.doors.topple.test_playing import moved, quiet, turn, win

from gamut.games.topple.files.playback import final
from gamut.games.topple.files.reader import read
from gamut.games.topple.files.record import Person, Record, Removed
from gamut.games.topple.files.suspended import suspended
from gamut.games.topple.files.tables import resumption_of
from gamut.games.topple.files.writer import write
from gamut.games.topple.state import ToppleState
from gamut.hall.files.resuming import opening_for
from gamut.hall.ids import Millis
from gamut.hall.limits.attempts import Limit
from gamut.hall.limits.slow_work import SlowWorkSettings
from gamut.hall.settings import HallSettings
from gamut.hall.table import events as e

MARK = b"\x55\x99"
COLOURS = [3355443, 16711680, 255, 12517567, 49087, 12566272, 1193046]


@pytest.fixture(name="inn")
def _inn() -> Any:
    with topple_inn() as house:
        yield house


def exported(people: list[Seated]) -> bytes:
    """The game as a file; the room is gone."""
    quiet(people)
    file, closing = people[0].say("game:export")
    assert closing == message("game:close")
    assert file[0] == 2
    text = "Room closed for export"
    for person in people[1:]:
        error, close = person.read()
        assert error == message("error", code=0, message=text, redirect="/play-online", store=text)
        assert close == closing
    assert all(person.closed for person in people)
    return bytes(file[1:])


def imported(inn: ToppleInn, file: bytes, query: str = "t=1&res=1&p=1") -> tuple[Client, list[Any]]:
    client = inn.connect(query)
    assert client.read() == []
    return client, client.say_binary(MARK + file)


def places(heard: list[Any]) -> list[int]:
    (available,) = heard
    assert available["type"] == "resjoin:available"
    return [entry["n"] for entry in available["payload"]["p"]]


def test_a_finished_game_downloads_as_it_was_played(inn: ToppleInn) -> None:
    one, two = win(inn)
    (file,) = one.say("game:download")
    record = read(file[1:])
    state = inn.table(one.room).table.state
    assert record.room == one.room
    assert (final(record).board, final(record).owners) == (state.board, state.owners)
    assert two.say("game:download") == [file]
    assert inn.watch(one.room).say("game:download") == [file]
    assert record.fingerprint != bytes(16)


def test_before_the_end_there_is_no_replay(inn: ToppleInn) -> None:
    host = inn.create()
    assert host.say("game:download") == [soft(108)]
    one, _ = inn.playing(2)
    assert one.say("game:download") == [soft(108)]


def test_leaving_losing_and_being_kicked_are_in_the_file(inn: ToppleInn) -> None:
    people = inn.playing(4, "t=1&d=0,4,4&p=4", turnTime={"limit": 2_000, "penalty": "lose"})
    people[0].say("game:move", n=0)
    inn.advance(2_000)
    people[0].say("game:kick", n=3)
    people[3].say("player:leave")
    people[0].read()
    (file,) = people[0].say("game:download")
    assert [event.player for event in read(file[1:]).events if isinstance(event, Removed)] == [2, 3, 4]


def test_only_the_host_exports_and_only_in_play(inn: ToppleInn) -> None:
    host = inn.create()
    assert host.say("game:export") == [soft(102)]
    one, two = inn.playing(2)
    assert two.say("game:export") == [soft(103)]
    assert not one.read()


def test_an_exported_room_is_gone(inn: ToppleInn) -> None:
    people = inn.playing(2)
    exported(people)
    live = inn.table(people[0].room)
    assert live.log[-1] == e.Closed(at=live.table.at, why="exported")
    assert inn.join(people[0].room).heard[0]["payload"]["message"] == "Game Not Found"


@pytest.mark.parametrize("restarted", [False, True])
def test_an_exported_game_goes_on_with_turn_times_and_scores(inn: ToppleInn, restarted: bool) -> None:
    rules = {
        "turnTime": {"style": "chess", "limit": 60_000, "penalty": "lose"},
        "scoring": {"style": "tile"},
    }
    host = inn.create("t=1&d=3,4,3&p=3", **rules)
    host.say("waiting:teamcolors", c=COLOURS)
    host.say("game:bot", bot="freya/3")
    people = [host, inn.join(host.room)]
    host.say("waiting:start")
    host.say("game:move", n=4)
    quiet(people)
    inn.advance(4_000)
    people[1].say("game:move", n=9)
    before = inn.table(host.room).table
    if before.state.turn != 1:
        before = inn.table(host.room).table
    file = exported(people)
    if restarted:
        inn.restart()
    again, heard = imported(inn, file)
    assert heard == [
        message(
            "resjoin:available",
            p=[{"n": 1, "a": None, "t": 1, "accid": None}, {"n": 3, "a": None, "t": 3, "accid": None}],
        )
    ]
    assert again.say("resjoin:select", n=2) == heard
    assert again.say("game:move", n=0) == [soft(102)]
    heard = again.say("resjoin:select", n=3)
    kinds = [m["type"] if isinstance(m, dict) else m[0] for m in heard]
    assert kinds == [
        "resjoin:select",
        "player:ownid",
        "game:roomid",
        "game:jlist",
        0,
        "key:rejoin",
        "game:config",
        "game:rules",
        0,
        "sync",
    ]
    room = heard[2]["payload"]["g"]
    assert heard[6]["payload"] == {"c": 12, "d": {"x": 4, "y": 3}, "t": 3, "p": 3, "l": 3, "tc": COLOURS}
    assert heard[7]["payload"] == rules
    assert heard[3]["payload"]["p"] == [[2, 2, "Freya (Moderate)"], [3, 3, None]]
    assert heard[3]["payload"]["ts"] == list(before.state.scores)
    # What the client says after each room code changes nothing here.
    assert again.say("game:rules", turnTime={"limit": None}) == []
    other = inn.connect(f"t=0&g={room}&res=1")
    assert places(other.read()) == [1]
    joined = other.say("resjoin:select", n=1)
    assert [m["type"] if isinstance(m, dict) else m[0] for m in joined] == kinds
    assert again.read() == [message("player:join", n=1, t=1)]
    full = inn.connect(f"t=0&g={room}")
    assert full.read()[0]["payload"]["message"] == "room is full"
    table = inn.table(room).table
    assert (table.private, bool(table.options.resume)) == (True, True)
    assert again.say("waiting:start")[:2] == [message("waiting:start"), turn(before.state.turn + 1, False)]
    table = inn.table(room).table
    assert [time.main for time in table.clock.times][:1] == [60_000]
    assert table.clock.times[2].main == 56_000


def test_a_seat_that_nobody_takes_is_out_and_the_turn_is_the_next_ones(inn: ToppleInn) -> None:
    people = inn.playing(3, "t=1&d=0,4,4&p=3")
    people[0].say("game:move", n=5)
    file = exported(people)
    first, heard = imported(inn, file, "t=2&res=1&p=1")
    assert places(heard) == [1, 2, 3]
    room = first.say("resjoin:select", n=1)[2]["payload"]["g"]
    assert first.say("waiting:start") == [soft(102)]
    inn.connect(f"t=0&g={room}").say("resjoin:select", n=3)
    first.read()
    assert first.say("waiting:start") == [message("waiting:start"), turn(3, False)]


def test_a_resumed_game_is_exported_and_downloaded_with_all_that_went_before(inn: ToppleInn) -> None:
    people = inn.playing(2, "t=1&d=0,2,2&p=2")
    people[0].say("game:move", n=0)
    file = exported(people)
    for number, tile in ((2, 3), (1, 0)):
        one, two, room = resumed(inn, file)
        player = (one, two)[number - 1]
        assert player.say("game:move", n=tile)[-2] == moved(tile, number)
        one.read(), two.read()
        file = bytes(one.say("game:export")[0][1:])
    one, two, room = resumed(inn, file)
    assert two.say("game:move", n=3)[-1] == message("game:win", t=2, d=True)
    (replay,) = two.say("game:download")
    record = read(replay[1:])
    assert record.room == room
    assert not record.suspended
    state = inn.table(room).table.state
    assert final(record).board == state.board
    assert final(record).owners == state.owners


def resumed(inn: ToppleInn, file: bytes) -> tuple[Client, Client, str]:
    one, _ = imported(inn, file)
    room = one.say("resjoin:select", n=1)[2]["payload"]["g"]
    two = inn.connect(f"t=0&g={room}&res=1")
    two.say("resjoin:select", n=2)
    one.say("waiting:start")
    one.read(), two.read()
    return one, two, room


def test_a_rematch_of_a_resumed_game_is_a_new_game_in_the_same_teams(inn: ToppleInn) -> None:
    host = inn.create("t=1&d=0,2,2&p=2", turnTime={"style": "chess", "limit": 60_000})
    people = [host, inn.join(host.room)]
    people[1].say("player:switch", t=5)
    host.say("waiting:start")
    host.say("game:move", n=0)
    inn.advance(5_000)
    file = exported(people)
    ann, bob = inn.guest("Ann"), inn.guest("Bob")
    opening = opening_for("topple", resumption_of(suspended(file)), room="RESUMEDX")
    live = inn.hall.open(opening, ann.person)
    for guest in (ann, bob):
        guest.sure("watch", table=live.id, key=live.table.key)
        guest.sure("sit", table=live.id, key=live.table.key)
    ann.sure("start", table=live.id)
    for number, tile in ((1, 3), (0, 0), (1, 3)):
        (ann, bob)[number].sure("act", table=live.id, action={"type": "place", "tile": tile})
    assert live.table.outcome is not None
    ann.sure("rematch", table=live.id)
    bob.sure("rematch", table=live.id)
    assert live.table.successor is not None
    again = inn.hall.live[live.table.successor].table
    assert again.phase == "playing"
    assert again.options.resume == b""
    assert "position" not in again.decor
    assert (again.state.board, again.state.owners) == (b"\1" * 4, b"\0" * 4)
    assert again.state.setup.teams == live.table.state.setup.teams == (1, 5)
    assert {time.main for time in again.clock.times} == {60_000}


def test_a_watcher_of_a_resumed_room_sees_its_board_before_it_goes_on(inn: ToppleInn) -> None:
    people = inn.playing(2, "t=1&d=0,4,3&p=3")
    people[0].say("game:move", n=4)
    board = inn.watch(people[0].room).heard[5]
    first, _ = imported(inn, exported(people))
    heard = first.say("resjoin:select", n=1)
    assert heard[4] == heard[8] == board
    watcher = inn.watch(heard[2]["payload"]["g"])
    assert watcher.heard[-1] == board
    first.hang_up()
    back = inn.rejoin(heard[2]["payload"]["g"], 1, heard[5]["payload"]["key"])
    assert back.heard[-1] == board


def test_what_is_no_suspended_game_ends_the_connection(inn: ToppleInn) -> None:
    people = inn.playing(2)
    people[0].say("game:move", n=0)
    good = exported(people)
    one, _ = win(inn)
    finished = bytes(one.say("game:download")[0][1:])
    bad = [
        b"",
        b"\x06hello",
        finished,
        good[:-1],
        good[: len(good) // 2],
        good + b"\0",
        good * 2,
        b"\x06" * 70_000,
    ]
    for file in bad:
        client = inn.connect("t=1&res=1&p=1")
        inn.run(client.session.binary(MARK + file))
        inn.settle()
        fatal(client, "not a suspended topple")
    client = inn.connect("t=1&res=1&p=1")
    inn.run(client.session.binary(good))
    inn.settle()
    fatal(client, "not a suspended topple")
    for version in (0, 1, 5, 7, 200):
        client = inn.connect("t=1&res=1&p=1")
        inn.run(client.session.binary(MARK + bytes([version]) + good[1:]))
        inn.settle()
        fatal(client, "format version incompatible")


def test_a_file_that_is_too_long_to_be_read_at_all_ends_the_connection(inn: ToppleInn) -> None:
    client = inn.connect("t=1&res=1&p=1")
    client.session.oversized()
    inn.settle()
    fatal(client, "not a suspended topple")


def test_a_file_is_played_through_once_however_often_it_is_looked_at(
    inn: ToppleInn, monkeypatch: pytest.MonkeyPatch
) -> None:
    people = inn.playing(2, "t=1&d=3,5,5&p=2")
    people[0].say("game:move", n=7)
    file = exported(people)
    played: list[int] = []
    in_thread: list[Any] = []

    def counted(record: Record) -> ToppleState:
        played.append(len(in_thread))
        return final(record)

    def run_blocking(call: Any, *arguments: Any) -> Any:
        async def called() -> Any:
            in_thread.append(call)
            return call(*arguments)

        return called()

    monkeypatch.setattr("gamut.games.topple.files.suspended.final", counted)
    monkeypatch.setattr(inn.hall.slow_work, "_run_blocking", run_blocking)
    one, two, room = resumed(inn, file)
    assert two.say("game:move", n=3)[0] == moved(3, 2)
    inn.watch(room)
    one.say("game:export")
    # The event loop has not done it: that would hold everybody up for some milliseconds.
    assert played == [1]


def test_a_resumed_room_keeps_no_name_of_the_file_and_exports_only_who_sits_there(inn: ToppleInn) -> None:
    people = inn.playing(2, "t=1&d=0,4,4&p=2")
    people[0].say("game:move", n=0)
    record = read(exported(people))
    named = write(replace(record, people=(Person("Mallory"), Person("Mallory")), other={"acct": b"Mallory"}))
    one, heard = imported(inn, named)
    assert [place["a"] for place in heard[0]["payload"]["p"]] == ["Mallory"] * 2, (
        "who has the file knows it all"
    )
    room = one.say("resjoin:select", n=1)[2]["payload"]["g"]
    two = inn.connect(f"t=0&g={room}")
    (available,) = two.read()
    assert available["payload"]["p"] == [{"n": 2, "a": None, "t": 2, "accid": None}]
    two.say("resjoin:select", n=2)
    one.say("waiting:start")
    one.read()
    live = inn.table(room)
    assert b"Mallory" not in live.table.options.resume
    stored = b"".join(inn.bytes_of(live.id))
    resume = msgspec.json.decode(stored.partition(b'"resume":')[2].partition(b",")[0], type=bytes)
    assert resume == live.table.options.resume
    file = bytes(one.say("game:export")[0][1:])
    assert b"Mallory" not in file
    assert read(file).people == (Person(), Person())


def test_a_replay_is_written_in_a_thread_and_not_without_end() -> None:
    few = SlowWorkSettings(per_person=Limit(3, Millis(60_000)))
    with topple_inn(settings=HallSettings(slow_work=few)) as inn:
        one, two = win(inn)
        (file,) = one.say("game:download")
        assert [one.say("game:export") for _ in range(2)] == [[file]] * 2
        assert one.say("game:download") == one.say("game:export") == [soft(110)]
        assert two.say("game:download") == [file]
        inn.advance(20_000)
        assert one.say("game:download") == [file]


def test_every_flipped_byte_of_a_file_is_survived(inn: ToppleInn) -> None:
    people = inn.playing(2, "t=1&d=0,3,3&p=2")
    people[0].say("game:move", n=0)
    good = exported(people)
    for place in range(len(good)):
        inn.advance(1_000)
        client, heard = imported(inn, good[:place] + bytes([good[place] ^ 0x5A]) + good[place + 1 :])
        (answer,) = heard
        assert answer["type"] in ("error", "resjoin:available")
        if answer["type"] == "resjoin:available" and answer["payload"]["p"]:
            assert client.say("resjoin:select", n=answer["payload"]["p"][0]["n"])


def test_nobody_chooses_a_seat_in_a_game_that_went_on_meanwhile(inn: ToppleInn) -> None:
    people = inn.playing(3, "t=1&d=0,4,4&p=3")
    file = exported(people)
    one, _ = imported(inn, file)
    room = one.say("resjoin:select", n=1)[2]["payload"]["g"]
    late, rival = inn.connect(f"t=0&g={room}"), inn.connect(f"t=0&g={room}")
    inn.connect(f"t=0&g={room}").say("resjoin:select", n=2)
    late.read(), rival.read()
    assert places(rival.say("resjoin:select", n=2)) == [3]
    one.say("waiting:start")
    assert late.say("resjoin:select", n=3)[0]["payload"]["message"] == "game in progress"
