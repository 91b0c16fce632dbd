"""The Tower protocol where the recorded conversations do not reach: every error in its order, leaving and coming
back, restarts, and people from the other door in the same room."""

import json
from typing import Any

import pytest
from msgspec.structs import replace
from tests.doors.support.inn import Guest, Inn, Message, Player, coordinate, inn
from tests.hall.support.inmemory import PonderingBots

from gamut.doors.tower.session import TowerSession
from gamut.hall.ids import Millis, TableId
from gamut.hall.settings import HallSettings

ROOM_FULL, NAME_TAKEN, COORDINATE, ROOM_NAME, MESSAGE, PARSE, GENERAL = range(7)

WIN_FOR_0 = (0, 8, 16, 1, 9, 17, 2)
"""X, O, J in turn; the last mark gives X the first row."""

NO_MARKS = [3] * 24


def error_of(heard: list[Message]) -> int:
    (message,) = heard
    assert message["type"] == "error"
    assert set(message["data"]) == {"type", "data"}
    assert message["data"]["data"], "an error is explained"
    return int(message["data"]["type"])


def kinds(heard: list[Message]) -> list[str]:
    return [message["type"] for message in heard]


def three(inn: Inn, room: str = "r1", names: tuple[str, ...] = ("Ann", "Bob", "Cy")) -> list[Player]:
    """Three in a room, about to play."""
    players = [inn.player() for _ in names]
    for player, name in zip(players, names, strict=True):
        player.join(room, name)
    for player in players:
        player.read()
    return players


def play(players: list[Player], *tiles: int) -> None:
    """Marks in turn; everybody hears of each."""
    for number, tile in enumerate(tiles):
        heard = players[number % 3].place(coordinate(tile))
        assert heard[0] == {"type": "mark_placed", "data": {"id": number % 3, "position": coordinate(tile)}}
        for other in players:
            if other is not players[number % 3]:
                assert other.read() == heard


def joined(name: str, id: int) -> Message:
    return {"type": "player_joined", "data": {"name": name, "id": id}}


def turn(id: int) -> Message:
    return {"type": "player_turn", "data": {"id": id}}


def left(id: int) -> Message:
    return {"type": "player_left", "data": {"id": id}}


def board(marks: list[int]) -> Message:
    return {"type": "board_state", "data": {"state": marks}}


def table_of(inn: Inn) -> TableId:
    (table,) = inn.hall.live
    return table


# Errors: the first check that fails answers


@pytest.mark.parametrize(
    "frame",
    [
        *(b"", b" ", b"{", b"nothing", b"{'type': 1}", b'{"type":"join_room"', b"[" * 4000, b"NaN", b"1e999"),
        *(b"\xff\xfe", b'"\xff"', b'{"type":"join_room","data":{"room":"\xff","name":"a"}}', b'"\\ud800"'),
    ],
)
def test_what_is_not_json_is_a_parse_error(inn: Inn, frame: bytes) -> None:
    player = inn.player()
    player.send(frame)
    assert error_of(player.read()) == PARSE
    assert player.wire.closed is None


@pytest.mark.parametrize(
    "message",
    [
        None,
        5,
        "join_room",
        [],
        {},
        {"type": "join_room"},
        {"data": {}},
        {"type": "join_room", "data": None},
        {"type": "join_room", "data": []},
        {"type": "join_room", "data": "r1"},
        {"type": 5, "data": {}},
        {"type": None, "data": {}},
        {"type": ["join_room"], "data": {"room": "r1", "name": "Ann"}},
        {"type": {"join_room": 1}, "data": {"room": "r1", "name": "Ann"}},
        {"type": "leave_room", "data": {}},
        {"type": "JOIN_ROOM", "data": {"room": "r1", "name": "Ann"}},
        {"type": "join_room", "data": {}},
        {"type": "join_room", "data": {"room": "r1"}},
        {"type": "join_room", "data": {"name": "Ann"}},
        {"type": "join_room", "data": {"room": 5, "name": "Ann"}},
        {"type": "join_room", "data": {"room": "r1", "name": None}},
        {"type": "join_room", "data": {"room": ["r1"], "name": "Ann"}},
        {"type": "place_mark", "data": {}},
        {"type": "place_mark", "data": {"x": 0, "y": 0, "z": 0}},
    ],
    ids=json.dumps,
)
def test_a_message_of_the_wrong_shape_is_an_invalid_message(inn: Inn, message: Any) -> None:
    player = inn.player()
    assert error_of(player.say(message)) == MESSAGE
    assert not inn.hall.live


@pytest.mark.parametrize("room", ["", "   ", "\n", "x" * 65, "a\nb", "a\x00b", "a\x7fb", "\u0085x\u0085y"])
def test_a_bad_room_name(inn: Inn, room: str) -> None:
    assert error_of(inn.player().join(room, "Ann")) == ROOM_NAME
    assert not inn.hall.live


@pytest.mark.parametrize("name", ["", "   ", "\t", "x" * 33, "a\nb", "a\x00b", "a\x1fb"])
def test_a_bad_name_is_an_invalid_message(inn: Inn, name: str) -> None:
    assert error_of(inn.player().join("r1", name)) == MESSAGE
    assert not inn.hall.live


def test_names_at_their_limits_and_trimmed(inn: Inn) -> None:
    first, second, third = (inn.player() for _ in range(3))
    room = "x" * 64
    assert first.join(f"  {room}\t", "  " + "n" * 32 + " ")[-1] == joined("n" * 32, 0)
    assert error_of(second.join(room, " " + "n" * 32)) == NAME_TAKEN
    assert second.join(room, "N" * 32)[0]["data"]["id"] == 1, "names differ by case"
    assert third.join(room, "Ünï ☃")[0]["data"]["id"] == 2


def test_errors_of_a_join_come_in_the_order_of_the_protocol(inn: Inn) -> None:
    ann, *_ = three(inn)
    fourth = inn.player()
    # Each is wrong in this and in every later way; being in a room already comes before what the names are like.
    assert error_of(ann.say({"type": "join_room", "data": {"room": "", "name": 5}})) == MESSAGE
    assert error_of(ann.join("", "")) == GENERAL
    assert error_of(ann.join("r2", "Ann")) == GENERAL
    assert error_of(fourth.join("", "")) == ROOM_NAME
    assert error_of(fourth.join("r1", "")) == MESSAGE
    assert error_of(fourth.join("r1", "Ann")) == ROOM_FULL
    two = inn.player()
    two.join("r2", "Ann")
    assert error_of(fourth.join("r2", "Ann")) == NAME_TAKEN
    assert fourth.join("r2", "Dee")[0]["type"] == "room_joined", "a refused join leaves the way open"


def test_errors_of_a_mark_come_in_the_order_of_the_protocol(inn: Inn) -> None:
    wrong = {"x": 9, "y": 9, "z": 9}
    loner = inn.player()
    assert error_of(loner.say({"type": "place_mark", "data": {}})) == MESSAGE
    assert error_of(loner.place(wrong)) == GENERAL
    ann, bob = inn.player(), inn.player()
    ann.join("r1", "Ann")
    bob.join("r1", "Bob")
    ann.read()
    assert error_of(ann.place(wrong)) == GENERAL, "three are needed"
    cy = inn.player()
    cy.join("r1", "Cy")
    players = [ann, bob, cy]
    for player in players:
        player.read()
    assert error_of(ann.say({"type": "place_mark", "data": {"pos": wrong}})) == MESSAGE
    assert error_of(bob.place(wrong)) == GENERAL, "not Bob's turn"
    assert error_of(ann.place(wrong)) == COORDINATE
    play(players, *WIN_FOR_0[:1])
    assert error_of(bob.place(coordinate(0))) == COORDINATE, "taken"
    bob.place(coordinate(8))
    for player in players:
        player.read()
    cy.hang_up()
    assert ann.read() == [left(2)]
    assert error_of(ann.place(wrong)) == GENERAL, "it waits for a third"


def test_after_the_end_marks_are_refused(inn: Inn) -> None:
    players = three(inn)
    play(players, *WIN_FOR_0)
    for player in players:
        assert error_of(player.place({"x": 9, "y": 9, "z": 9})) == GENERAL
        assert error_of(player.place(coordinate(23))) == GENERAL


def test_errors_are_for_the_sender_alone_and_touch_nothing(inn: Inn) -> None:
    players = three(inn)
    before = inn.bytes_of(table_of(inn))
    ann, bob, cy = players
    for frame in (b"", b"{}", b'{"type":"place_mark","data":{}}', b'{"type":"join_room","data":{}}'):
        ann.send(frame)
    ann.join("r1", "Ann")
    bob.place(coordinate(0))
    ann.place({**coordinate(0), "x": 7})
    assert inn.bytes_of(table_of(inn)) == before
    assert cy.read() == []
    assert kinds(bob.read()) == []
    assert ann.place({**coordinate(0), "w": 1})[0]["type"] == "mark_placed", "extra fields are ignored"


def test_extra_fields_are_ignored(inn: Inn) -> None:
    player = inn.player()
    message = {"type": "join_room", "id": 7, "data": {"room": "r1", "name": "Ann", "colour": "red"}}
    assert kinds(player.say(message)) == ["room_joined", "player_joined"]


def test_a_binary_message_ends_the_connection(inn: Inn) -> None:
    ann, bob, _ = three(inn)
    ann.session.binary(b"{}")
    assert ann.wire.closed == 1003
    ann.hang_up()
    assert bob.read() == [left(0)]


def test_a_message_over_4_kib_is_a_parse_error_and_ends_the_connection(inn: Inn) -> None:
    player = inn.player()
    frame = json.dumps({"type": "join_room", "data": {"room": "r1", "name": "Ann"}}).encode()
    player.send(frame + b" " * (TowerSession.most_bytes - len(frame)))
    assert kinds(player.read()) == ["room_joined", "player_joined"]
    other = inn.player()
    other.send(frame + b" " * (TowerSession.most_bytes + 1 - len(frame)))
    assert error_of(other.read()) == PARSE
    assert other.wire.closed == 1009
    other.hang_up()
    assert player.read() == []


# Leaving and refilling


def test_before_the_start_a_leaver_frees_id_and_name(inn: Inn) -> None:
    ann, bob, cy = (inn.player() for _ in range(3))
    ann.join("r1", "Ann")
    bob.join("r1", "Bob")
    ann.hang_up()
    assert bob.read()[-1] == left(0)
    assert cy.join("r1", "Ann") == [
        {"type": "room_joined", "data": {"id": 0}},
        joined("Bob", 1),
        board(NO_MARKS),
        joined("Ann", 0),
    ]
    dee = inn.player()
    assert dee.join("r1", "Dee") == [
        {"type": "room_joined", "data": {"id": 2}},
        joined("Ann", 0),
        joined("Bob", 1),
        board(NO_MARKS),
        joined("Dee", 2),
        turn(0),
    ]


def test_a_game_waits_for_whoever_takes_the_leavers_place(inn: Inn) -> None:
    players = three(inn)
    ann, bob, cy = players
    play(players, 0, 8)
    marks = [3] * 24
    marks[0], marks[8] = 0, 1
    # All three seats change hands, one at a time, and two at once.
    cy.hang_up()
    assert ann.read() == bob.read() == [left(2)]
    bob.hang_up()
    assert ann.read() == [left(1)]
    dee, eve = inn.player(), inn.player()
    assert dee.join("r1", "Dee") == [
        {"type": "room_joined", "data": {"id": 1}},
        joined("Ann", 0),
        board(marks),
        joined("Dee", 1),
    ]
    assert ann.read() == [joined("Dee", 1)]
    assert error_of(ann.place(coordinate(1))) == GENERAL
    assert eve.join("r1", "Bob")[-2:] == [joined("Bob", 2), turn(2)], "the turn was the leaver's"
    assert ann.read() == dee.read() == [joined("Bob", 2), turn(2)]
    assert eve.place(coordinate(16))[0]["data"]["id"] == 2


def test_a_room_is_forgotten_when_its_last_player_leaves(inn: Inn) -> None:
    players = three(inn)
    play(players, 0, 8, 16)
    for player in players:
        player.hang_up()
    assert not inn.hall.register.rooms
    assert not inn.hall.connected
    newcomer = inn.player()
    assert newcomer.join("r1", "Ann") == [{"type": "room_joined", "data": {"id": 0}}, joined("Ann", 0)]


def test_games_without_end_in_one_room(inn: Inn) -> None:
    players = three(inn)
    for round in range(4):
        play(players, *WIN_FOR_0)
        assert inn.hall.register.rooms[("tower", "r1")] in inn.hall.live
        leaver = round % 3
        players[leaver].hang_up()
        others = [player for seat, player in enumerate(players) if seat != leaver]
        assert others[0].read() == others[1].read() == [left(leaver)]
        assert error_of(others[0].place(coordinate(20))) == GENERAL
        newcomer = players[leaver] = inn.player()
        heard = newcomer.join("r1", f"New {round}")
        assert heard[0] == {"type": "room_joined", "data": {"id": leaver}}
        assert kinds(heard[1:3]) == ["player_joined", "player_joined"]
        assert heard[3:] == [board(NO_MARKS), joined(f"New {round}", leaver), board(NO_MARKS), turn(0)]
        for other in others:
            assert other.read() == [joined(f"New {round}", leaver), board(NO_MARKS), turn(0)]
    assert len(inn.storage.finished("tower", None, 100)) == 4, "every game is kept"


def test_when_two_leave_a_finished_room_both_places_can_be_filled(inn: Inn) -> None:
    players = three(inn)
    play(players, *WIN_FOR_0)
    players[0].hang_up()
    players[2].hang_up()
    assert players[1].read() == [left(0), left(2)]
    dee = inn.player()
    assert dee.join("r1", "Dee") == [
        {"type": "room_joined", "data": {"id": 0}},
        joined("Bob", 1),
        board(NO_MARKS),
        joined("Dee", 0),
    ]
    eve = inn.player()
    assert eve.join("r1", "Eve")[-2:] == [board(NO_MARKS), turn(0)]


def test_a_full_hall_still_lets_a_room_go_on() -> None:
    with inn(HallSettings(most_tables=1)) as house:
        players = three(house)
        assert error_of(house.player().join("r2", "Dee")) == GENERAL
        play(players, *WIN_FOR_0)
        assert house.player().join("r2", "Dee")[0]["type"] == "room_joined", "a finished game takes no place"
        players[0].hang_up()
        assert players[1].read() == [left(0)]
        newcomer = house.player()
        assert newcomer.join("r1", "Dee")[-2:] == [board(NO_MARKS), turn(0)]


# What others read


def test_names_are_sent_without_markup(inn: Inn) -> None:
    ann, bob = inn.player(), inn.player()
    name = "<b onclick='x'>&\"`A</b>"
    assert ann.join("r1", name)[-1] == joined("b onclick=xA/b", 0)
    assert bob.join("r1", "Bob")[1] == joined("b onclick=xA/b", 0)
    assert error_of(inn.player().join("r1", name)) == NAME_TAKEN, "compared as it was given"


# Together with the other door


def seated_on_the_page(inn: Inn, **fields: Any) -> tuple[Guest, TableId]:
    guest = inn.guest("Gil")
    table = guest.open("tower", **fields)
    guest.read()
    return guest, table


def test_a_table_of_the_page_is_a_room_by_its_id(inn: Inn) -> None:
    gil, table = seated_on_the_page(inn, bots=["casual"])
    ann = inn.player()
    assert ann.join(table, "Ann") == [
        {"type": "room_joined", "data": {"id": 2}},
        joined("Gil", 0),
        joined("Pebble bot", 1),
        joined("Ann", 2),
        turn(0),
    ]
    gil.read()
    told = gil.sure("act", table=table, action={"type": "place", "tile": 4})
    heard = ann.read()
    assert heard[0] == {"type": "mark_placed", "data": {"id": 0, "position": coordinate(4)}}
    assert heard[1] == turn(1)
    assert heard[2]["type"] == "mark_placed"
    assert heard[2]["data"]["id"] == 1
    assert heard[3] == turn(2)
    assert ann.place(coordinate(23) if heard[2]["data"]["position"] != coordinate(23) else coordinate(22))
    told += gil.read()
    played = [event for message in told for event in message["events"] if event["type"] == "played"]
    assert [event["seat"] for event in played] == [0, 1, 2]


def test_a_private_table_is_no_room(inn: Inn) -> None:
    _, table = seated_on_the_page(inn, private=True)
    ann = inn.player()
    assert ann.join(table, "Ann") == [{"type": "room_joined", "data": {"id": 0}}, joined("Ann", 0)]
    assert len(inn.hall.live) == 2


def test_somebody_of_the_page_sits_down_in_a_tower_room_and_leaves_it(inn: Inn) -> None:
    ann, bob = inn.player(), inn.player()
    ann.join("r1", "Ann")
    bob.join("r1", "Bob")
    ann.read()
    table = table_of(inn)
    gil = inn.guest("Gil")
    gil.sure("sit", table=table)
    assert ann.read() == bob.read() == [joined("Gil", 2), turn(0)]
    gil.sure("say", table=table, text="hello")
    gil.hang_up()
    assert ann.read() == bob.read() == [], "who is at the page keeps the seat without a connection"
    gil = inn.guest("Gil")
    gil.sure("watch", table=table)
    gil.sure("leave", table=table)
    assert ann.read() == bob.read() == [left(2)]
    gil.sure("sit", table=table)
    assert ann.read() == bob.read() == [joined("Gil", 2), turn(0)]


def test_a_paused_game_says_whose_turn_it_is_when_it_goes_on(inn: Inn) -> None:
    gil, table = seated_on_the_page(inn)
    ann, bob = inn.player(), inn.player()
    ann.join(table, "Ann")
    bob.join(table, "Bob")
    ann.read()
    gil.sure("pause", table=table)
    assert ann.read() == []
    gil.sure("resume", table=table)
    assert ann.read() == bob.read()[-1:] == [turn(0)]


@pytest.mark.parametrize("others", [0, 1])
def test_a_kicked_players_socket_is_closed(inn: Inn, others: int) -> None:
    gil, table = seated_on_the_page(inn)
    ann = inn.player()
    ann.join(table, "Ann")
    staying = [inn.player() for _ in range(others)]
    for player in staying:
        player.join(table, "Bob")
    ann.read()
    gil.sure("unseat", table=table, seat=1)
    assert ann.wire.closed == 1008
    assert ann.read() == [left(1)]
    for player in staying:
        assert player.read()[-1:] == [left(1)]
    ann.hang_up()
    assert inn.hall.live[table].table.seats[1] is None
    assert not any(
        session is ann.session for door in inn.hall.live[table].listeners.values() for session in door
    )
    gil.sure("bot", table=table, seat=1, level="casual")
    for player in staying:
        assert player.read()[0] == joined("Pebble bot", 1)


def test_when_the_host_on_the_page_calls_the_game_off_the_sockets_are_closed(inn: Inn) -> None:
    gil, table = seated_on_the_page(inn)
    ann = inn.player()
    ann.join(table, "Ann")
    gil.sure("call_off", table=table)
    assert ann.wire.closed == 1008
    assert ann.read() == []
    ann.hang_up()
    live = inn.hall.here(table)
    assert live is None or live.table.phase == "over"
    bob = inn.player()
    assert bob.join("another", "Bob")[0] == {"type": "room_joined", "data": {"id": 0}}


def test_after_the_end_a_room_with_somebody_of_the_page_goes_on_too(inn: Inn) -> None:
    gil, table = seated_on_the_page(inn)
    ann, bob = inn.player(), inn.player()
    ann.join(table, "Ann")
    bob.join(table, "Bob")
    ann.read(), bob.read(), gil.read()
    for number, tile in enumerate(WIN_FOR_0):
        if number % 3 == 0:
            gil.sure("act", table=table, action={"type": "place", "tile": tile})
        else:
            (ann, bob)[number % 3 - 1].place(coordinate(tile))
    assert kinds(ann.read())[-2:] == ["mark_placed", "game_over"]
    gil.read(), bob.read()
    bob.hang_up()
    moved = next(message for message in gil.read() if message["type"] == "continued")
    assert moved["table"] == table
    cy = inn.player()
    assert error_of(cy.join(table, "Gil")) == NAME_TAKEN
    assert cy.join(table, "Cy")[-2:] == [board(NO_MARKS), turn(0)], "the id is the room's name for good"
    assert ann.read() == [left(2), joined("Cy", 2), board(NO_MARKS), turn(0)]


# The server comes and goes


def test_after_a_restart_everybody_gets_seat_and_marks_back_by_name(inn: Inn) -> None:
    players = three(inn)
    play(players, 0, 8, 16, 1)
    inn.restart()
    marks = [3] * 24
    marks[0], marks[8], marks[16], marks[1] = 0, 1, 2, 0
    cy, ann, bob, dee = (inn.player() for _ in range(4))
    assert cy.join("r1", "Cy") == [
        {"type": "room_joined", "data": {"id": 2}},
        board(marks),
        joined("Cy", 2),
    ], "nobody else is there yet"
    assert ann.join("r1", "Ann") == [
        {"type": "room_joined", "data": {"id": 0}},
        joined("Cy", 2),
        board(marks),
        joined("Ann", 0),
    ]
    assert error_of(ann.place(coordinate(2))) == GENERAL
    assert error_of(dee.join("r1", "Ann")) == NAME_TAKEN
    assert bob.join("r1", "Bob")[-2:] == [joined("Bob", 1), turn(1)]
    assert cy.read() == [joined("Ann", 0), joined("Bob", 1), turn(1)]
    assert error_of(dee.join("r1", "Dee")) == ROOM_FULL
    assert bob.place(coordinate(9))[0]["data"]["id"] == 1


def test_a_game_that_ended_when_the_server_did_is_told_first_to_those_who_come_back(inn: Inn) -> None:
    players = three(inn)
    play(players, 0, 8, 16, 1, 9, 17, 2)
    ended = table_of(inn)
    inn.restart()  # for all that is known, in the moment between the disk and the players
    marks = [3] * 24
    for tile, mark in zip((0, 8, 16, 1, 9, 17, 2), (0, 1, 2, 0, 1, 2, 0), strict=True):
        marks[tile] = mark
    end = [
        board(marks),
        {
            "type": "game_over",
            "data": {"winner_id": 0, "winning_marks": [coordinate(tile) for tile in (0, 1, 2)]},
        },
    ]
    cy, dee, ann, bob = (inn.player() for _ in range(4))
    assert cy.join("r1", "Cy") == [{"type": "room_joined", "data": {"id": 2}}, *end, joined("Cy", 2)]
    assert ann.join("r1", "Ann") == [
        {"type": "room_joined", "data": {"id": 0}},
        joined("Cy", 2),
        *end,
        joined("Ann", 0),
    ]
    assert error_of(dee.join("r1", "Ann")) == NAME_TAKEN
    assert bob.join("r1", "Bob") == [
        {"type": "room_joined", "data": {"id": 1}},
        joined("Ann", 0),
        joined("Cy", 2),
        *end,
        joined("Bob", 1),
        board(NO_MARKS),
        turn(0),
    ], "and then the next game begins, with the same seats"
    assert cy.read() == [joined("Ann", 0), joined("Bob", 1), board(NO_MARKS), turn(0)]
    assert inn.load(table_of(inn)).table.before == ended


def test_an_ending_is_told_and_seats_are_kept_through_one_more_restart(inn: Inn) -> None:
    players = three(inn)
    play(players, 0, 8, 16, 1, 9, 17, 2)
    inn.restart()
    inn.player().join("r1", "Cy")
    inn.restart()
    bob, cy, ann = (inn.player() for _ in range(3))
    for player, name, id in ((bob, "Bob", 1), (cy, "Cy", 2), (ann, "Ann", 0)):
        heard = player.join("r1", name)
        assert heard[0] == {"type": "room_joined", "data": {"id": id}}
        assert "game_over" in kinds(heard), "perhaps they have not heard of it"
    assert heard[-2:] == [board(NO_MARKS), turn(0)]


def test_an_ending_is_not_told_once_the_next_game_is_on(inn: Inn) -> None:
    players = three(inn)
    play(players, 0, 8, 16, 1, 9, 17, 2)
    inn.restart()
    again = [inn.player() for _ in range(3)]
    for player, name in zip(again, ("Ann", "Bob", "Cy"), strict=True):
        player.join("r1", name)
    again[0].place(coordinate(5))
    again[2].hang_up()
    back = inn.player()
    marks = [3] * 24
    marks[5] = 0
    assert back.join("r1", "Cy")[-3:] == [board(marks), joined("Cy", 2), turn(1)]


def test_a_stranger_in_a_room_whose_game_ended_unheard_hears_nothing_of_it(inn: Inn) -> None:
    players = three(inn)
    play(players, 0, 8, 16, 1, 9, 17, 2)
    inn.restart()
    dee, ann = inn.player(), inn.player()
    assert dee.join("r1", "Dee") == [{"type": "room_joined", "data": {"id": 0}}, joined("Dee", 0)]
    assert ann.join("r1", "Ann")[0] == {"type": "room_joined", "data": {"id": 1}}, "her place is taken"


def test_an_ending_is_told_for_as_long_as_a_room_is_kept(inn: Inn) -> None:
    players = three(inn)
    play(players, 0, 8, 16, 1, 9, 17, 2)
    inn.restart()
    inn.advance(700_000)
    assert inn.hall.register.endings == {}
    ann = inn.player()
    assert ann.join("r1", "Ann") == [{"type": "room_joined", "data": {"id": 0}}, joined("Ann", 0)]


def test_after_a_restart_who_sat_at_a_table_that_has_become_private_gets_the_seat_back(inn: Inn) -> None:
    ann, bob = inn.guest("Ann"), inn.guest("Bob")
    table = ann.open("tower")
    inn.player().join(table, "Cid")
    ann.sure("configure", table=table, private=True)
    bob.sure("sit", table=table, key=inn.load(table).table.key)
    inn.restart()
    stranger, cid = inn.player(), inn.player()
    assert stranger.join(table, "Dan") == [{"type": "room_joined", "data": {"id": 0}}, joined("Dan", 0)], (
        "for whoever was not there this is a room like any other"
    )
    assert cid.join(table, "Cid")[-2:] == [joined("Cid", 1), turn(0)]
    assert stranger.read() == []


def test_after_a_restart_a_seat_is_got_back_by_name_though_somebody_took_that_name_meanwhile(
    inn: Inn,
) -> None:
    ann, bob = inn.guest("Ann"), inn.guest("Bob")
    table = ann.open("tower")
    inn.player().join(table, "Cid")
    bob.sure("sit", table=table)
    known = ann.session.state.known
    assert known is not None
    inn.hall.renamed(replace(known, name="Cid"))
    inn.restart()
    assert inn.player().join(table, "Cid")[0] == {"type": "room_joined", "data": {"id": 1}}


def test_after_a_restart_strangers_take_the_places_of_those_who_do_not_come(inn: Inn) -> None:
    players = three(inn)
    play(players, 0)
    inn.restart()
    dee, bob = inn.player(), inn.player()
    assert dee.join("r1", "Dee")[0] == {"type": "room_joined", "data": {"id": 0}}
    assert bob.join("r1", "Bob")[0] == {"type": "room_joined", "data": {"id": 1}}
    late = inn.player()
    assert late.join("r1", "Ann")[0] == {"type": "room_joined", "data": {"id": 2}}
    bob.read()
    assert bob.place(coordinate(8))[0]["data"]["id"] == 1


def test_a_stop_is_not_a_leaving(inn: Inn) -> None:
    players = three(inn)
    play(players, 0)
    table = table_of(inn)
    before = inn.bytes_of(table)
    for player in players:
        player.session.closing()
    inn.settle()
    assert [player.wire.closed for player in players] == [1001] * 3
    for player in players:
        player.send(b"{}")
        player.hang_up()
        assert player.read() == []
    assert inn.bytes_of(table) == before
    inn.restart()
    assert inn.player().join("r1", "Bob")[0] == {"type": "room_joined", "data": {"id": 1}}


def test_a_restart_before_the_start_keeps_the_places(inn: Inn) -> None:
    for name in ("Ann", "Bob"):
        inn.player().join("r1", name)
    inn.restart()
    bob, cy, ann = (inn.player() for _ in range(3))
    assert bob.join("r1", "Bob")[0] == {"type": "room_joined", "data": {"id": 1}}
    assert cy.join("r1", "Cy")[0] == {"type": "room_joined", "data": {"id": 2}}
    assert ann.join("r1", "Ann") == [
        {"type": "room_joined", "data": {"id": 0}},
        joined("Bob", 1),
        joined("Cy", 2),
        board(NO_MARKS),
        joined("Ann", 0),
        turn(0),
    ]


def test_a_room_nobody_comes_back_to_is_closed_and_its_name_free(inn: Inn) -> None:
    players = three(inn)
    play(players, 0, 8)
    inn.restart()
    inn.advance(700_000)
    ann = inn.player()
    assert ann.join("r1", "Ann") == [{"type": "room_joined", "data": {"id": 0}}, joined("Ann", 0)]


def test_a_bot_in_a_room_does_not_outlive_its_people() -> None:
    with inn(bots=PonderingBots()) as house:
        ann = house.player()
        ann.join("r1", "Ann")
        table = table_of(house)
        gil = house.guest("Gil")
        gil.sure("sit", table=table)
        ann.read()
        assert gil.refused("bot", table=table, level="casual") == "not_host"
        ann.hang_up()
        gil.sure("bot", table=table, level="casual")
        gil.sure("leave", table=table)
        assert house.hall.live[table].table.phase == "over"


def test_after_the_host_left_a_room_the_next_one_there_is_host() -> None:
    with inn(HallSettings(bot_delay=Millis(0))) as house:
        ann, bob = house.player(), house.player()
        ann.join("r1", "Ann")
        bob.join("r1", "Bob")
        table = table_of(house)
        ann.hang_up()
        assert house.hall.live[table].table.host == bob.session.person


def test_fast_talkers_are_told(inn: Inn) -> None:
    player = inn.player()
    player.session.rate_limited()
    assert error_of(player.read()) == GENERAL
