"""A hall with several wings: whoever is at a gateway plays at any table, and notices nothing of where it is."""

import gc
from asyncio import Event, Future
from collections.abc import Callable
from functools import partial
from itertools import chain
from typing import Any, NamedTuple

import pytest
from msgspec.structs import replace
from tests.cluster.support.topple import ToppleClient, playing
from tests.cluster.support.town import Client, Town, town
from tests.cluster.test_gateways import NAMES, events_in, join, marks, place_mark
from tests.doors.support.powerchess_inn import way

from gamut.cluster.distant_session import MOST_FRAMES
from gamut.cluster.gateways import Gateways
from gamut.doors.offer import Newcomer
from gamut.hall.ids import TableId
from gamut.hall.wings import MAIN, Elsewhere, Wings

WINGS = 3
HERE = Wings(count=WINGS)


def room_in(wing: int, game: str = "tower") -> str:
    """A name of a room that is there."""
    return next(
        name
        for name in (f"den {n}" for n in range(1_000))
        if HERE.of_slot(HERE.slot_of_name(game, name)) == wing
    )


def seated(place: Town, room: str, gateways: tuple[int, int, int] = (0, 0, 0)) -> list[Client]:
    players = [place.player(gateway) for gateway in gateways]
    for player, name in zip(players, NAMES, strict=True):
        join(player, name, room)
    for player in players:
        player.read()
    return players


def table_of(place: Town, wing: int, room: str, game: str = "tower") -> TableId:
    found = place.nodes[wing].hall.register.rooms[game, room]
    assert HERE.of_table(found) == wing
    return found


def is_at_peace(place: Town) -> bool:
    """Nothing that anybody has said waits anywhere."""
    return not any(gateway.waiting_bytes() for entrance in place.entrances for gateway in entrance.each)


@pytest.mark.parametrize("wing", range(WINGS))
def test_a_game_of_tower_is_played_in_the_wing_of_its_room(wing: int) -> None:
    with town(2, wings=WINGS) as place:
        place.open_all()
        room = room_in(wing)
        players = seated(place, room, (0, 1, 0))
        table = table_of(place, wing, room)
        for turn in range(6):
            place_mark(players[turn % 3], (0, 8, 16, 1, 9, 17)[turn])
            place.settle()
        assert [marks(player.read()) for player in players] == [6, 6, 6]
        assert place.nodes[wing].hall.here(table) is not None
        assert sum(len(node.hall.live) for node in place.nodes.values()) == 1
        assert sum(len(node.hall.connected) for node in place.nodes.values()) == 3
        for player in players:
            player.hang_up()
        assert sum(len(node.hall.connected) for node in place.nodes.values()) == 0
        assert [len(gateway.sessions) for entrance in place.entrances for gateway in entrance.each] == [0] * 6


def test_whoever_says_a_lot_at_once_is_heard_in_order_in_the_wing_that_they_go_to() -> None:
    with town(wings=WINGS) as place:
        place.open_all()
        room = room_in(2)
        first = [place.player(), place.player()]
        for player, name in zip(first, NAMES[:2], strict=True):
            join(player, name, room)
        third = place.player()
        third.utter(type="join_room", data={"room": room, "name": NAMES[2]})
        for tile in (4, 5, 6):
            place_mark(third, tile)
        place.settle()
        heard = [message["type"] for message in third.read()]
        assert heard[-3:] == ["error"] * 3, "it is somebody else's turn"
        assert "player_turn" in heard[:-3]
        assert is_at_peace(place)


def test_somebody_who_comes_while_a_wing_has_no_owner_gets_in_when_it_has_one() -> None:
    with town(wings=WINGS) as place:
        place.open()
        player = place.player()
        assert join(player, "Ann", room_in(1)) == []
        place.open(wing=1)
        assert [message["type"] for message in player.read()] != []
        assert place.nodes[1].hall.register.rooms


def opened(heard: list[Any]) -> TableId:
    return next(TableId(message["table"]) for message in heard if message["type"] == "opened")


class Visitor(NamedTuple):
    """Somebody at the page."""

    name: str
    client: Client


def at_three_tables(
    place: Town, gateways: tuple[int, int, int] = (0, 0, 0)
) -> tuple[list[Visitor], list[TableId]]:
    """Three who play at a table in each wing, all of them over one connection each; what was said so far is read."""
    people = [
        Visitor(name, place.guest(name, gateway)) for name, gateway in zip(NAMES, gateways, strict=True)
    ]
    tables = [opened(people[0].client.ask("open", game="tower", start="full")) for _ in range(WINGS)]
    assert sorted(map(HERE.of_table, tables)) == [0, 1, 2], "they are spread over all wings"
    for table in tables:
        for _, client in people[1:]:
            heard = client.ask("watch", table=table) + client.ask("sit", table=table)
            assert [message for message in heard if message["type"] == "error"] == []
    for _, client in people:
        client.read()
    return people, tables


def plays(place: Town, people: list[Visitor], table: TableId, tile: int) -> list[Any]:
    """Whoever's turn it is places a mark; what they hear."""
    live = place.nodes[HERE.of_table(table)].hall.here(table)
    assert live is not None
    holder = live.table.seats[live.game.awaited(live.whole.state)[0]]
    assert holder is not None
    mover = next(person.client for person in people if person.name == holder.name)
    return mover.ask("act", table=table, action={"type": "place", "tile": tile})


def test_over_one_connection_of_the_page_one_plays_at_tables_in_all_wings() -> None:
    with town(2, wings=WINGS) as place:
        place.open_all()
        people, tables = at_three_tables(place, (0, 1, 1))
        for tile in (0, 8, 16):
            for table in tables:
                assert [m for m in plays(place, people, table, tile) if m["type"] == "ok"]
        for _, client in people:
            client.read()
        for table in tables:
            live = place.nodes[HERE.of_table(table)].hall.here(table)
            assert live is not None
            assert len(live.here) == 3
        people[0].client.hang_up()
        place.advance(5.0)
        for _, client in people[1:]:
            gone = [event for event in events_in(client.read()) if event["type"] == "dropped"]
            assert len(gone) == 3, "at each of the tables"


def test_what_is_said_about_a_table_is_answered_in_its_order_also_in_another_wing() -> None:
    with town(wings=WINGS) as place:
        place.open_all()
        people, tables = at_three_tables(place)
        away = next(table for table in tables if HERE.of_table(table) == 2)
        asked = list(range(500, 540))
        for number in asked:
            people[0].client.utter(type="say", table=away, text=f"word {number}", id=number)
        place.settle()
        heard = people[0].client.read()
        assert [message["id"] for message in heard if "id" in message] == asked
        said = [event["text"] for event in events_in(heard) if event["type"] == "said"]
        assert said == sorted(said)


def test_whoever_asks_for_a_table_elsewhere_and_then_for_one_that_takes_long_to_read_gets_both() -> None:
    with town(wings=WINGS) as place:
        place.open_all()
        _, tables = at_three_tables(place)
        away = next(table for table in tables if not HERE.has(table))
        unread = next(id for id in (TableId("K" * 9 + end) for end in ("3C", "3D", "3E")) if HERE.has(id))
        guest = place.guest("Dan")
        guest.read()
        hall = place.nodes[MAIN].hall
        real, is_read = hall.run_blocking, Event()

        async def slowly(call: Callable[..., Any], *args: Any) -> Any:
            await is_read.wait()
            return await real(call, *args)

        vars(hall)["run_blocking"] = slowly
        guest.utter(type="watch", table=away, id=1)
        guest.utter(type="watch", table=unread, id=2)
        place.settle()
        assert not guest.closed
        assert [message["id"] for message in guest.read() if "id" in message] == [1], (
            "nobody waits for the other"
        )
        place.run(is_read.set)
        place.settle()
        assert [message["code"] for message in guest.read() if "id" in message] == ["no_such_table"]


def test_whoever_writes_json_otherwise_is_sent_on_by_the_main_wing() -> None:
    with town(wings=WINGS) as place:
        place.open_all()
        people, tables = at_three_tables(place)
        for number, table in enumerate(tables, 700):
            text = f'{{ "table" : "{table}", "type" : "say", "text" : "hello", "id" : {number} }}'
            place.run(partial(people[0].client.session.text, text.encode()))
            place.settle()
        heard = people[0].client.read()
        assert [message["id"] for message in heard if "id" in message] == [700, 701, 702]
        assert [message["type"] for message in heard if message["type"] == "error"] == []


def test_of_what_was_sent_on_nothing_is_left_at_the_main_wing_until_garbage_is_collected() -> None:
    with town(wings=WINGS) as place:
        place.open_all()
        people, tables = at_three_tables(place)
        gc.collect()
        gc.disable()
        try:
            for table in tables:
                text = f'{{ "table" : "{table}", "type" : "say", "text" : "hello" }}'.replace(
                    "table", r"\u0074able"
                )
                place.run(partial(people[0].client.session.text, text.encode()))
                place.settle()
            assert not [found for found in gc.get_objects() if isinstance(found, Elsewhere)]
        finally:
            gc.enable()


@pytest.mark.parametrize("named", ['"table":"%s"', r'"table":"\u%04x%s"'])
def test_nobody_is_read_who_has_said_too_much_about_a_wing_without_an_owner(named: str) -> None:
    with town(wings=WINGS) as place:
        place.open_all()
        people, tables = at_three_tables(place)
        away = next(table for table in tables if HERE.of_table(table) == 2)
        name = named % ((ord(away[0]), away[1:]) if "04x" in named else away)
        data = f'{{"type":"say",{name},"text":"{"x" * 2_000}"}}'.encode()
        place.kill(2)
        read = 0
        while read < 10 * MOST_FRAMES:
            waiting = place.run(partial(people[0].client.session.text, data))
            read += 1
            place.settle()
            if isinstance(waiting, Future) and not waiting.done():
                break
        assert read <= 2 * MOST_FRAMES, "whichever way it is written"
        place.open(wing=2)
        place.settle()
        assert isinstance(waiting, Future)
        assert waiting.done(), "read on as soon as there is somebody to hear it"
        assert is_at_peace(place)


def test_a_gateway_forgets_what_was_sent_on_and_dealt_with_while_something_else_waits() -> None:
    with town(wings=WINGS) as place:
        place.open_all()
        people, tables = at_three_tables(place)
        client = people[0].client
        waits, away = (next(table for table in tables if HERE.of_table(table) == wing) for wing in (1, 2))
        place.kill(1)
        client.utter(type="say", table=waits, text="hello", id=1)
        disguised = f'{{"type":"ready","table":"\\u{ord(away[0]):04x}{away[1:]}","id":2}}'.encode()
        for _ in range(5 * MOST_FRAMES):
            place.run(partial(client.session.text, disguised))
            place.settle()
        assert len([message for message in client.read() if message.get("id") == 2]) == 5 * MOST_FRAMES
        assert len(client.session._turns) <= MOST_FRAMES


def test_a_table_that_there_is_not_is_refused_by_the_wing_where_it_would_be() -> None:
    with town(wings=WINGS) as place:
        place.open_all()
        guest = place.guest("Ann")
        guest.read()
        for _ in range(3):
            heard = guest.ask("watch", table="K" * 9 + "3C")
            assert [message["code"] for message in heard] == ["no_such_table"]
        assert not guest.closed


@pytest.mark.parametrize("killed", range(WINGS))
def test_games_go_on_whichever_wing_loses_its_owner(killed: int) -> None:
    with town(2, wings=WINGS) as place:
        place.open_all()
        people, tables = at_three_tables(place, (0, 1, 0))
        room = room_in(killed)
        players = seated(place, room, (1, 0, 1))
        for table in tables:
            plays(place, people, table, 0)
        place.kill(killed)
        for table in tables:
            if HERE.of_table(table) != killed:
                assert [m for m in plays(place, people, table, 8) if m["type"] == "ok"], (
                    "others play on meanwhile"
                )
        place.open(wing=killed)
        place.settle()
        assert not any(person.client.closed for person in people)
        assert not any(player.closed for player in players)
        for table in tables:
            assert [m for m in plays(place, people, table, 16) if m["type"] == "ok"]
            live = place.nodes[HERE.of_table(table)].hall.here(table)
            assert live is not None
            assert len(live.here) == 3
        for player in players:
            player.read()
        place_mark(players[0], 4)
        place.settle()
        assert [marks(player.read()) for player in players] == [1, 1, 1]


def test_whoever_was_on_the_way_to_another_wing_when_the_main_one_died_gets_there_once() -> None:
    """What an owner said and did not store has never happened: not that somebody left, either."""
    with town(wings=WINGS) as place:
        place.open(held=True)
        place.open(wing=1)
        player, room = place.player(), room_in(1)
        player.utter(type="join_room", data={"room": room, "name": "Ann"})
        place.settle(commit=False)
        place.kill()
        place.open()
        place.settle()
        assert [type(event).__name__ for event in log_in(place, 1, room)].count("Sat") == 1
        assert not player.closed


def test_who_was_let_in_by_an_owner_that_died_before_it_was_stored_gets_in_at_the_next_one() -> None:
    with town(wings=WINGS) as place:
        place.open()
        place.open(wing=1, held=True)
        player, room = place.player(), room_in(1)
        player.utter(type="join_room", data={"room": room, "name": "Ann"})
        place.settle()
        place.kill(1)
        place.open(wing=1)
        assert not player.closed
        assert [type(event).__name__ for event in log_in(place, 1, room)].count("Sat") == 1


def test_who_was_let_in_and_has_not_heard_so_does_not_come_in_twice() -> None:
    """What was stored just before the owner died is lost on its way to the gateway."""
    with town(wings=WINGS) as place:
        place.open()
        place.open(wing=1)
        player, room = place.player(), room_in(1)
        _lose_what_is_said_by(place.nodes[1].bus)
        player.utter(type="join_room", data={"room": room, "name": "Ann"})
        place.settle()
        place.kill(1)
        place.open(wing=1)
        place.settle()
        assert player.closed, "and comes back as after a restart"
        assert [type(event).__name__ for event in log_in(place, 1, room)].count("Sat") == 1


@pytest.mark.parametrize("change", [{"epoch": 2}, {"name": "Dora"}])
def test_whoever_was_logged_out_or_renamed_on_the_way_to_another_wing_does_nothing_there(
    change: dict[str, Any],
) -> None:
    with town(wings=WINGS) as place:
        place.open_all()
        _, tables = at_three_tables(place)
        table = next(table for table in tables if HERE.of_table(table) == 1)
        dan = place.guest("Dan")
        dan.utter(type="watch", table=table)
        person = next(person for person in place.people.people.values() if person.name == "Dan")
        place.people.people[person.id] = replace(person, **change)
        place.settle()
        assert person.id not in place.nodes[1].hall.connected
        assert dan.closed, "they come again, as whoever they are now"


def test_whose_part_is_logged_out_late_comes_again_and_finds_everything() -> None:
    with town(wings=WINGS) as place:
        place.open_all()
        people, tables = at_three_tables(place)
        table = next(table for table in tables if HERE.of_table(table) == 1)
        name, client = people[0]
        live = place.nodes[1].hall.here(table)
        assert live is not None
        listeners: Any = chain.from_iterable(live.listeners.values())
        (part,) = (one for one in listeners if one.known.name == name)
        place.run(part.logged_out)
        place.advance(1.0)
        assert not client.wire.dropped, "the main wing would say why"
        place.advance(1.5)
        place.advance(0.5)
        assert client.wire.dropped
        assert [other.wire.dropped for _, other in people[1:]] == [False, False]


def _lose_what_is_said_by(end: Any) -> None:
    """Whatever this node says from now on arrives nowhere, and it still hears."""
    end.publish = lambda subject, data: None


def test_whose_main_wing_has_no_owner_plays_on_in_the_others() -> None:
    with town(wings=WINGS) as place:
        place.open_all()
        people, tables = at_three_tables(place)
        place.kill(0)
        for person in people:
            person.client.utter(type="ping", id=900)
        for table in tables:
            if HERE.of_table(table):
                assert [m for m in plays(place, people, table, 0) if m["type"] == "ok"]
        place.open()
        assert [m["id"] for m in people[0].client.read() if m["type"] == "pong"] == [900]


def log_in(place: Town, wing: int, room: str) -> list[Any]:
    live = place.nodes[wing].hall.here(table_of(place, wing, room))
    assert live is not None
    return live.whole_log


def test_a_gateway_that_stops_takes_nobody_s_seat_in_any_wing() -> None:
    with town(2, wings=WINGS) as place:
        place.open_all()
        people, tables = at_three_tables(place, (0, 1, 1))
        before = [place.nodes[HERE.of_table(table)].hall.here(table) for table in tables]
        place.stop(0)
        place.advance(0.5)
        assert people[0].client.closed
        assert [m["type"] for m in people[0].client.read()].count("bye") == 1
        for live in before:
            assert live is not None
            assert live.table.seats[0] is not None
            assert not [event for event in live.whole_log if type(event).__name__ in ("Stood", "Dropped")]


def test_topple_is_played_where_its_room_is_and_rooms_are_spread_over_all_wings() -> None:
    with town(2, wings=WINGS) as place:
        place.open_all()
        wings = set()
        for _ in range(WINGS):
            host, other = playing(place)
            table = next(
                node.hall.register.rooms["topple", host.room]
                for node in place.nodes.values()
                if ("topple", host.room) in node.hall.register.rooms
            )
            wings.add(HERE.of_table(table))
            host.read(), other.read()
            host.says("game:move", n=5)
            assert other.read() != [], "they hear the move"
            again = ToppleClient(place, f"t=4&g={host.room.lower()}")
            assert not again.closed, "a watcher finds it, in small letters too"
        assert wings == {0, 1, 2}


class Chess(Client):
    """Somebody at `/play` of Power Chess."""

    key = ""
    game = player = 0

    def __init__(self, place: Town, gateway: int = 0) -> None:
        super().__init__(place, place.entrances[gateway], "powerchess", Newcomer("127.0.0.1"))

    def read(self) -> list[Any]:
        heard = super().read()
        for message in heard:
            self.key = message.get("key", self.key)
            self.game = message.get("gameId", self.game)
            self.player = message.get("playerId", self.player)
        return heard

    def create(self) -> list[Any]:
        return self.say(type=0, name="Ann", color=True, timeControl=0, public=True)

    def join(self, game: int) -> list[Any]:
        self.game = game
        return self.say(type=1, gameId=str(game), name="Bob")

    def resume(self, other: "Chess") -> list[Any]:
        self.game = other.game
        return self.say(type=1, gameId=other.game, playerId=other.player, key=other.key)

    def move(self, move: str) -> list[Any]:
        return self.say(type=4, action=1, move=way(move), gameId=self.game, playerId=self.player)


def test_power_chess_is_played_resumed_and_left_for_a_game_in_another_wing() -> None:
    with town(2, wings=WINGS) as place:
        place.open_all()
        games: list[tuple[Chess, Chess]] = []
        for _ in range(WINGS):
            one, other = Chess(place), Chess(place, 1)
            assert one.create()
            assert other.join(one.game)
            one.read()
            assert one.move("e2e4") != []
            assert other.read() != []
            games.append((one, other))
        assert {HERE.slot_of_name("powerchess", str(one.game)) % WINGS for one, _ in games} == {0, 1, 2}
        for one, _ in games:
            one.hang_up()
            back = Chess(place, 1)
            assert next(message["type"] for message in back.resume(one)) == 1
        first, second = games[0][1], games[1][1]
        first.say(type=3, gameId=first.game, playerId=first.player)
        resigned = first.say(type=2, gameId=first.game, playerId=first.player)
        assert resigned != []
        joined = Chess(place)
        joined.create()
        if HERE.slot_of_name("powerchess", str(joined.game)) % WINGS:
            assert next(message["type"] for message in first.join(joined.game)) == 1
        assert not second.closed
        assert is_at_peace(place)


def test_whoever_asks_for_a_number_that_there_is_not_is_refused_in_every_wing() -> None:
    with town(wings=WINGS) as place:
        place.open_all()
        player = Chess(place)
        for number in range(9):
            assert [message["type"] for message in player.join(number)] == [7]
        assert not player.closed


def test_tables_in_several_wings_are_asked_for_at_once() -> None:
    with town(wings=WINGS) as place:
        place.open_all()
        _, tables = at_three_tables(place)
        for times in (1, 2):
            guest = place.guest(f"Guest {times}")
            for number, table in enumerate(tables * times, 600):
                guest.utter(type="watch", table=table, id=number)
            place.settle()
            heard = guest.read()
            assert not guest.closed
            assert [message["type"] for message in heard].count("ok") == 3 * times


def test_a_gateway_that_counts_wings_otherwise_serves_nobody() -> None:
    with town(wings=WINGS) as place:
        other = Gateways(
            "other", "other", place.bus.end(), place.pulse, lambda: next(place._links), WINGS - 1
        )
        other.begin()
        place.open_all()
        place.advance(3.0)
        assert [gateway.is_open for gateway in other.each] == [False] * (WINGS - 1)
        assert other.is_alone
        assert all(gateway.is_open for gateway in place.entrances[0].each)
