"""People with clients of a game's own at tables of the page: when play begins there, and whether they play again."""

from typing import Any

import pytest
from tests.doors.support.acquire_inn import acquire_inn
from tests.doors.support.inn import Guest, Inn, Player, coordinate, inn
from tests.doors.support.powerchess_inn import power_inn
from tests.doors.support.tafl_inn import tafl_inn
from tests.doors.support.topple_inn import topple_inn

from gamut.hall.ids import TableId
from gamut.hall.table import commands as c

TIMED = {"kind": "bank", "main": 60_000, "increment": 0}
STARTS = ("ready", "approval")


def phase(house: Inn, table: TableId) -> str:
    return house.load(table).table.phase


def room(house: Inn, table: TableId) -> str:
    return str(house.load(table).table.room)


def ready(page: Guest, table: TableId) -> None:
    page.sure("ready", table=table, ready=True)


# Beginning


@pytest.mark.parametrize("start", STARTS)
def test_tower_clients_count_as_ready(start: str) -> None:
    with inn() as house:
        page, players = house.guest("Pat"), [house.player(), house.player()]
        table = page.open(start=start)
        for player, name in zip(players, ("Ann", "Bob"), strict=True):
            player.join(table, name)
        assert phase(house, table) == "setup", "somebody who has a word for it is asked"
        ready(page, table)
        assert phase(house, table) == "playing"
        assert players[0].read()[-1] == {"type": "player_turn", "data": {"id": 0}}


@pytest.mark.parametrize("start", [*STARTS, "host"])
def test_tower_clients_alone_begin_as_soon_as_every_seat_is_taken(start: str) -> None:
    with inn() as house:
        page, players = house.guest("Pat"), [house.player() for _ in range(3)]
        table = page.open(start=start)
        for number in (0, 1):
            players[number].join(table, f"Player {number}")
        page.sure("leave", table=table)
        players[2].join(table, "Player 2")
        assert phase(house, table) == "playing"


def test_a_host_whose_client_has_no_word_for_it_begins_when_made_host() -> None:
    with inn() as house:
        page, other, player = house.guest("Pat"), house.guest("Quin"), house.player()
        table = page.open(start="host")
        player.join(table, "Ann")
        other.sure("sit", table=table)
        assert phase(house, table) == "setup"
        page.sure("promote", table=table, seat=1)
        assert phase(house, table) == "playing"


@pytest.mark.parametrize("start", STARTS)
def test_topple_clients_count_as_ready(start: str) -> None:
    with topple_inn() as house:
        page = house.guest("Pat")
        table = page.open("topple", start=start, seats=2)
        client = house.join(table)
        assert phase(house, table) == "setup"
        ready(page, table)
        assert phase(house, table) == "playing"
        assert "game:turn" in [heard["type"] for heard in client.read()]


def test_what_a_topple_client_says_of_being_ready_is_only_told() -> None:
    with topple_inn() as house:
        page = house.guest("Pat")
        table = page.open("topple", start="ready", seats=2)
        client = house.join(table)
        for said in (True, False):
            client.say("waiting:setready", r=said)
        ready(page, table)
        assert phase(house, table) == "playing"


@pytest.mark.parametrize("start", STARTS)
@pytest.mark.parametrize("kind", ["", "7", "ext"])
def test_a_tafl_client_is_ready_once_it_has_said_so_or_at_once_if_it_cannot(start: str, kind: str) -> None:
    with tafl_inn() as house:
        page, ann = house.guest("Pat"), house.client("Ann", kind)
        table = page.open("tafl", start=start, options={"variant": "brandub"})
        ann.say(f"join-game {room(house, table)}" + " false none" * (kind == "7"))
        if kind != "7":
            assert ann.say("ready-for-game") == ["error waiting-for-opponent"]
        assert phase(house, table) == "setup"
        ready(page, table)
        assert phase(house, table) == "playing"
        assert ann.read()[0].startswith("start-game ")


@pytest.mark.parametrize("start", [*STARTS, "host"])
def test_an_old_tafl_client_that_waited_for_one_opponent_is_ready_for_the_next(start: str) -> None:
    """Newer ones are told that the game is called off, and look for another."""
    with tafl_inn() as house:
        page, other, ann = house.guest("Pat"), house.guest("Quin"), house.client("Ann", "7")
        table = page.open("tafl", start=start, options={"variant": "brandub"})
        assert ann.say(f"join-game {room(house, table)} false none")[0].startswith("success")
        page.sure("leave", table=table)
        other.sure("sit", table=table)
        if start != "host":
            ready(other, table)
        assert phase(house, table) == "playing"


@pytest.mark.parametrize("start", STARTS)
def test_power_chess_clients_count_as_ready_whatever_is_changed_meanwhile(start: str) -> None:
    with power_inn() as house:
        page, bob = house.guest("Pat"), house.client()
        table = page.open("powerchess", start=start)
        assert bob.join(int(room(house, table))) == []
        page.sure("configure", table=table, clock=TIMED)
        ready(page, table)
        assert phase(house, table) == "playing"
        assert [heard["type"] for heard in bob.read()] == [1]


@pytest.mark.parametrize("start", [*STARTS, "host"])
def test_acquire_clients_say_that_they_approve(start: str) -> None:
    with acquire_inn() as house:
        page, ann = house.guest("Pat"), house.client("Ann")
        table = page.open("acquire", start=start, options={"mode": "singles_2"})
        number = int(room(house, table))
        ann.setup(number, "JoinGame")
        if start == "host":
            page.sure("promote", table=table, seat=1)
        else:
            ready(page, table)
        assert phase(house, table) == "setup"
        ann.setup(number, "ApproveOfGameSetup")
        assert phase(house, table) == "playing"


# Playing again


def finish(house: Inn, table: TableId) -> None:
    live = house.load(table)
    while live.table.phase != "over":
        seat = live.awaited[0]
        person = live.table.persons[seat]
        assert person is not None
        house.hall.do(live, c.Act(person, live.legal(seat)[0]))
    house.settle()


def tower_table(house: Inn, *, pages: int = 1, **fields: Any) -> tuple[TableId, list[Guest], list[Player]]:
    """A game that is over, of people of the page and Tower clients."""
    guests = [house.guest(f"Guest {number}") for number in range(pages)]
    players = [house.player() for _ in range(3 - pages)]
    table = guests[0].open(**fields)
    for guest in guests[1:]:
        guest.sure("sit", table=table)
    for number, player in enumerate(players):
        player.join(table, f"Player {number}")
    finish(house, table)
    for player in players:
        player.read()
    return table, guests, players


def test_a_rematch_with_tower_clients_opens_at_once_and_they_see_an_empty_board() -> None:
    with inn() as house:
        table, (page,), players = tower_table(house)
        page.sure("rematch", table=table)
        following = house.load(table).table.successor
        assert following is not None
        assert phase(house, following) == "playing"
        for player in players:
            assert player.read() == [
                {"type": "board_state", "data": {"state": [3] * 24}},
                {"type": "player_turn", "data": {"id": 0}},
            ]
        page.sure("act", table=following, action={"type": "place", "tile": 0})
        assert players[0].place(coordinate(5))[-1] == {"type": "player_turn", "data": {"id": 2}}


def test_those_of_the_page_are_still_asked_for_a_rematch_with_a_tower_client() -> None:
    with inn() as house:
        table, guests, _ = tower_table(house, pages=2)
        guests[0].sure("rematch", table=table)
        assert house.load(table).table.successor is None
        guests[1].sure("rematch", table=table)
        assert house.load(table).table.successor is not None


def test_nobody_is_taken_to_a_rematch_in_which_their_clock_runs_before_they_agree() -> None:
    with inn() as house:
        table, (page,), players = tower_table(house, clock=TIMED)
        page.read()
        answer, _ = page.ask("rematch", table=table)
        assert answer["code"] == "no_rematch"
        assert "cannot be asked for a rematch, and the clock would run" in answer["message"]
        assert house.load(table).table.rematch == ()
        assert [player.read() for player in players] == [[], []]
        players[0].hang_up()
        # Tower's rooms go on when somebody has left.
        assert house.load(table).table.successor is not None


def test_who_asks_a_topple_client_for_a_rematch_is_told_why_there_is_none() -> None:
    with topple_inn() as house:
        page = house.guest("Pat")
        table = page.open("topple", seats=2)
        client = house.join(table)
        finish(house, table)
        client.read()
        assert page.refused("rematch", table=table) == "no_rematch"
        assert client.read() == [], "it goes on looking at the end of the game"
        client.say("player:leave")
        page.sure("rematch", table=table)
        assert house.load(table).table.successor is not None


@pytest.mark.parametrize("kind", ["", "7", "ext"])
def test_who_asks_a_tafl_client_for_a_rematch_is_told_why_there_is_none(kind: str) -> None:
    with tafl_inn() as house:
        page, ann = house.guest("Pat"), house.client("Ann", kind)
        table = page.open("tafl", options={"variant": "brandub"})
        guid = room(house, table)
        ann.say(f"join-game {guid}" + " false none" * (kind == "7"))
        page.sure("resign", table=table)
        ann.read()
        assert page.refused("rematch", table=table) == "no_rematch"
        assert ann.read() == []
        ann.say(f"leave-game {guid}")
        page.sure("rematch", table=table)


def test_who_sits_by_an_old_client_and_looks_at_the_page_asks_there() -> None:
    with tafl_inn() as house:
        page, ann = house.guest("Pat"), house.client("Ann")
        also_ann = house.guest("Ann")
        table = page.open("tafl", options={"variant": "brandub"})
        ann.say(f"join-game {room(house, table)}")
        also_ann.sure("watch", table=table)
        page.sure("resign", table=table)
        also_ann.sure("rematch", table=table)
        page.sure("rematch", table=table)
        following = house.load(table).table.successor
        assert following is not None
        assert phase(house, following) == "playing"


@pytest.mark.parametrize("start", ["full", "approval"])
def test_a_rematch_with_an_acquire_client_begins_when_it_approves(start: str) -> None:
    with acquire_inn() as house:
        page, ann = house.guest("Pat"), house.client("Ann")
        table = page.open("acquire", start=start, clock=TIMED, options={"mode": "singles_2"})
        number = int(room(house, table))
        ann.setup(number, "JoinGame")
        if start == "approval":
            ready(page, table)
            ann.setup(number, "ApproveOfGameSetup")
        finish(house, table)
        ann.read()
        page.sure("rematch", table=table)
        following = house.load(table).table.successor
        assert following is not None
        assert phase(house, following) == "setup", "nobody plays who was not asked"
        setup, approval = (heard for heard in ann.read() if heard["type"].startswith("GameSetup"))
        assert setup["gameNumber"] == approval["gameNumber"] == int(room(house, following)) != number
        assert approval["change"]["type"] == "UserApprovedOfGameSetup"
        ann.setup(setup["gameNumber"], "ApproveOfGameSetup")
        assert phase(house, following) == "playing"
