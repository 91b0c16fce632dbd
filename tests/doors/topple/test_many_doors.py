"""One table, many doors: original protocol, page and bot play one game, and all see the same board."""

from random import Random
from typing import Any

import msgspec
import pytest
from msgspec.structs import replace
from tests.doors.support.inn import Guest
from tests.doors.support.topple_inn import Seated, ToppleInn, message, soft, topple_inn
from tests.doors.topple.test_playing import win

from gamut.doors.topple.boards import board_frame
from gamut.games.topple.cascade import cascade
from gamut.games.topple.events import Event
from gamut.games.topple.evolve import evolve
from gamut.games.topple.files.reader import read
from gamut.games.topple.files.record import Removed
from gamut.games.topple.rules import Topple
from gamut.games.topple.state import ToppleState
from gamut.games.topple.topology import field
from gamut.hall.live.succession import go_on
from gamut.hall.people.person import Person


@pytest.fixture(name="inn")
def _inn() -> Any:
    with topple_inn() as house:
        yield house


class ToppleBoard:
    """A client of the original protocol: it knows the board from the config, and topples by itself."""

    def __init__(self, client: Seated) -> None:
        self._client = client
        config = client.payload("game:config")
        self._field = field(config["t"], config["d"]["x"], config["d"]["y"])
        self.shape = (config["t"], config["d"]["x"], config["d"]["y"])
        self.board = bytearray([1] * config["c"])
        self.owners = bytearray(config["c"])
        self._owned = [config["c"], 0, 0, 0, 0, 0, 0]
        self.turn = 0
        self.winner: int | None = None

    def look(self) -> None:
        for heard in self._client.read():
            if heard["type"] == "game:move":
                move = heard["payload"]
                cascade(self._field, self.board, self.owners, self._owned, move["n"], move["t"])
            elif heard["type"] == "game:turn":
                self.turn = heard["payload"]["n"]
            elif heard["type"] == "game:win":
                self.winner = heard["payload"]["t"]

    @property
    def frame(self) -> bytes:
        return board_frame(*self.shape, bytes(self.board), bytes(self.owners))


class PageBoard:
    """Somebody at the page: the events of the game, folded."""

    def __init__(self, guest: Guest) -> None:
        self._guest = guest
        self.state: ToppleState | None = None

    def look(self) -> None:
        for heard in self._guest.read():
            if heard["type"] != "events":
                continue
            for happening in heard["events"]:
                if happening["type"] in ("started", "played"):
                    for inner in happening["events"]:
                        self.state = evolve(self.state, msgspec.convert(inner, Event))


def test_three_at_one_table_see_the_same_board_after_every_move(inn: ToppleInn) -> None:
    host = inn.create("t=1&d=3,4,4&p=3")
    guest = inn.guest("Ann")
    table = inn.table(host.room)
    guest.sure("watch", table=table.id)
    guest.sure("sit", table=table.id)
    assert host.read() == [message("player:join", n=2, t=2)]
    host.say("game:bot", bot="constantine/0")
    topple, page = ToppleBoard(host), PageBoard(guest)
    page.look()
    host.say("waiting:start")
    topple.turn = 1
    page.look()
    chance, game = Random(5), Topple()
    moves = 0
    while topple.winner is None:
        state = table.table.state
        assert state.turn in (0, 1)
        tile = chance.choice(game.legal(state, state.turn)).tile
        if state.turn == 0:
            assert topple.turn == 1
            inn.run(host.session.text(b'{"type":"game:move","payload":{"n":%d}}' % tile))
            inn.settle()
        else:
            guest.send(
                b'{"type":"act","table":"%s","action":{"type":"place","tile":%d}}' % (table.id.encode(), tile)
            )
        topple.look()
        page.look()
        moves += 1
        truth = table.table.state
        assert page.state is not None
        assert (topple.board, topple.owners) == (truth.board, truth.owners)
        assert (page.state.board, page.state.owners) == (truth.board, truth.owners)
        assert topple.frame == inn.watch(host.room).heard[5]
        topple.look()
        assert moves < 500
    assert page.state is not None
    assert topple.winner == page.state.winner
    assert moves > 5


def test_a_client_hears_that_somebody_at_the_page_has_resigned(inn: ToppleInn) -> None:
    guest = inn.guest("Ann")
    table = guest.open("topple", seats=2, options={"x": 3, "y": 3}, start="host")
    other = inn.join(table)
    guest.sure("start", table=table)
    guest.sure("act", table=table, action={"type": "place", "tile": 4})
    other.read()
    guest.sure("resign", table=table)
    lost, board, won = other.read()
    assert (lost, won) == (message("player:lose", n=1), message("game:win", t=2, d=True))
    (file,) = other.say("game:download")
    assert type(read(file[1:]).events[-1]) is Removed
    assert board == inn.watch(table).heard[5], "the tiles are still there"


def test_a_room_is_a_table_of_the_page_and_the_other_way_round(inn: ToppleInn) -> None:
    guest = inn.guest("Ann")
    table = guest.open("topple", seats=2, options={"x": 3, "y": 3}, start="host")
    other = inn.join(table)
    assert other.payload("game:config")["l"] == 1
    assert other.payload("key:rejoin")["g"] == table
    guest.sure("start", table=table)
    assert other.read() == [message("waiting:start"), message("game:turn", n=1, t=False)]
    guest.sure("act", table=table, action={"type": "place", "tile": 4})
    assert other.read() == [message("game:move", n=4, t=1), message("game:turn", n=2, t=True)]
    guest.sure("pause", table=table)
    assert [m["type"] for m in other.read()] == ["game:pause", "sync"]
    other.hang_up()
    assert inn.rejoin(table, 2, other.key).payload("game:pause") == {"t": [0, 0, 0]}


def test_where_play_begins_when_the_seats_are_taken_the_last_to_come_hears_of_it(inn: ToppleInn) -> None:
    guest = inn.guest("Ann")
    table = guest.open("topple", seats=2, options={"x": 3, "y": 3})
    other = inn.join(table)
    assert other.heard[-2:] == [message("waiting:start"), message("game:turn", n=1, t=False)]


def test_clients_of_the_protocol_hear_how_many_seats_the_host_of_the_page_wants(inn: ToppleInn) -> None:
    guest = inn.guest("Ann")
    table = guest.open("topple", seats=3, options={"x": 3, "y": 3}, start="host")
    other = inn.join(table)
    guest.sure("configure", table=table, seats=5)
    configs = [
        said["payload"] for said in other.read() if isinstance(said, dict) and said["type"] == "game:config"
    ]
    assert [config["p"] for config in configs] == [5]
    guest.sure("start", table=table)
    assert other.read()[0] == message("waiting:start")


def test_somebody_with_an_account_is_known_by_it(inn: ToppleInn) -> None:
    host = inn.create()
    person = inn.people.add("Ann")
    inn.people.people[person.id] = Person(
        person.id, "Ann", False, person.created, person.last_seen, person.epoch
    )
    guest = inn.guest("Ann")
    guest.sure("sit", table=inn.table(host.room).id)
    assert host.read() == [message("player:join", n=2, t=2), message("account:found", n=2, a="Ann")]
    assert inn.join(host.room).payload("game:jlist")["p"] == [[1, 1, None], [2, 2, "Ann"]]


def member(inn: ToppleInn, name: str) -> Guest:
    """Somebody on the page who has an account."""
    inn.people.add(name, guest=False)
    return inn.guest(name)


def test_who_watches_from_the_page_with_an_account_is_a_spectator_who_is_known_by_it(inn: ToppleInn) -> None:
    host, ann, bob = inn.create(), member(inn, "Ann"), inn.guest("Bob")
    table = inn.table(host.room).id
    ann.sure("watch", table=table)
    bob.sure("watch", table=table)
    inn.advance(250)
    joins, found = host.read()
    (spectator,) = joins["payload"].values()
    assert joins == message("spectator:join", n=spectator)
    assert found == message("account:found", n=spectator, a="Ann")
    assert not spectator.isdigit()
    assert str(ann.person) not in spectator
    # Whoever comes now finds her in the list, and is not told twice.
    for late in (inn.join(host.room), inn.watch(host.room)):
        assert [spectator, "Ann"] in late.payload("game:jlist")["s"]
        inn.advance(1_000)
        assert "account:found" not in [m["type"] for m in late.read() if isinstance(m, dict)]
    host.read()
    assert host.say("game:kick", n=spectator) == [soft(107)], "she is not here through this door"
    ann.sure("unwatch", table=table)
    bob.sure("unwatch", table=table)
    inn.advance(250)
    assert host.read() == [message("spectator:leave", n=spectator)]
    assert len(inn.watch(host.room).payload("game:jlist")["s"]) == 1


def test_who_has_watched_and_sits_down_is_no_spectator_any_more(inn: ToppleInn) -> None:
    host, ann = inn.create(), member(inn, "Ann")
    table = inn.table(host.room).id
    ann.sure("watch", table=table)
    inn.advance(250)
    spectator = host.read()[0]["payload"]["n"]
    ann.sure("sit", table=table)
    inn.advance(250)
    assert host.read() == [
        message("player:join", n=2, t=2),
        message("account:found", n=2, a="Ann"),
        message("spectator:leave", n=spectator),
    ]
    ann.sure("leave", table=table)
    inn.advance(250)
    assert [m["type"] for m in host.read()] == ["player:leave", "spectator:join", "account:found"]


def test_who_gets_an_account_or_another_name_while_they_watch_is_known_by_it(inn: ToppleInn) -> None:
    host, ann = inn.create(), inn.guest("Ann")
    ann.sure("watch", table=inn.table(host.room).id)
    inn.advance(250)
    assert host.read() == []
    for name, kinds in (("Anna", ["spectator:join", "account:found"]), ("Anne", ["account:found"])):
        known = replace(inn.people.people[ann.person], name=name, guest=False)
        inn.people.people[ann.person] = known
        inn.web.renamed(known)
        inn.advance(250)
        heard = host.read()
        assert [m["type"] for m in heard] == kinds
        assert heard[-1]["payload"]["a"] == name


def test_who_only_sees_a_small_picture_of_a_room_is_no_spectator(inn: ToppleInn) -> None:
    host, ann = inn.create(), member(inn, "Ann")
    table = inn.table(host.room).id
    ann.sure("watch", table=table, glance=True)
    inn.advance(250)
    assert host.read() == []
    ann.sure("watch", table=table)
    inn.advance(250)
    assert [m["type"] for m in host.read()] == ["spectator:join", "account:found"]


def test_a_crowd_with_accounts_is_told_once_and_not_all_by_name(inn: ToppleInn) -> None:
    host = inn.create()
    table = inn.table(host.room).id
    crowd = [member(inn, f"Ann {number}") for number in range(60)]
    for _ in range(3):
        for ann in crowd:
            ann.sure("watch", table=table)
            ann.sure("unwatch", table=table)
    for ann in crowd:
        ann.sure("watch", table=table)
    assert host.read() == []
    inn.advance(250)
    assert len(host.read()) == 2 * 50


@pytest.mark.parametrize("goes", ["leaves", "is lost", "is kicked"])
def test_a_game_leaves_the_lists_after_its_last_spectator(inn: ToppleInn, goes: str) -> None:
    ann, bob = inn.guest("Ann"), inn.guest("Bob")
    table = ann.open("topple", seats=2, options={"x": 3, "y": 3})
    bob.sure("sit", table=table)
    watcher = inn.watch(table)
    ann.hang_up()
    bob.hang_up()
    inn.advance(100_000)
    assert table not in inn.hall.lobby.deserted
    if goes == "leaves":
        watcher.say("spectator:leave")
    elif goes == "is lost":
        watcher.hang_up()
    else:
        watcher.session.dismissed()
    inn.advance(59_999)
    assert table not in inn.hall.lobby.deserted
    inn.advance(1)
    assert table in inn.hall.lobby.deserted


def test_who_gets_an_account_while_they_sit_here_is_known_by_it_and_a_guest_is_not(inn: ToppleInn) -> None:
    host = inn.create()
    guest = inn.guest("Ann")
    guest.sure("sit", table=inn.table(host.room).id)
    host.read()
    person = inn.people.people[guest.person]
    inn.web.renamed(replace(person, name="Anna"))
    inn.settle()
    assert host.read() == []
    inn.web.renamed(replace(person, name="Anna", guest=False))
    inn.settle()
    assert host.read() == [message("account:found", n=2, a="Anna")]
    assert inn.join(host.room).payload("game:jlist")["p"][1] == [2, 2, "Anna"]


def test_who_played_a_finished_game_stays_in_it_under_the_name_of_that_time(inn: ToppleInn) -> None:
    ann, bob = inn.guest("Ann"), inn.guest("Bob")
    table = ann.open("topple", seats=2, options={"x": 2, "y": 2})
    bob.sure("sit", table=table)
    bob.sure("leave", table=table)
    live = inn.load(table)
    assert live.table.phase == "over"
    log = len(live.log)
    inn.web.renamed(replace(inn.people.people[ann.person], name="Anna"))
    assert len(live.log) == log
    assert [holder and holder.name for holder in live.table.players] == ["Ann", "Bob"]


def test_a_host_on_the_page_changes_the_board_for_all(inn: ToppleInn) -> None:
    guest = inn.guest("Ann")
    table = guest.open("topple", seats=3, options={"x": 3, "y": 3}, start="host")
    other = inn.join(table)
    other.say("waiting:setready", r=True)
    guest.sure("configure", table=table, options={"x": 4, "y": 3, "topology": "bwrap", "penalty": "skip"})
    config, board, rules, ready = other.read()
    assert config["payload"]["d"] == {"x": 4, "y": 3}
    assert board[0] == 0
    assert rules["payload"]["turnTime"]["penalty"] == "skip"
    assert ready == message("waiting:setready", n=2, r=False)


def test_a_host_on_the_page_calls_the_game_off_and_the_room_is_closed(inn: ToppleInn) -> None:
    guest = inn.guest("Ann")
    table = guest.open("topple", seats=3, options={"x": 3, "y": 3}, start="host")
    other, watcher = inn.join(table), inn.watch(table)
    other.read()
    guest.sure("call_off", table=table)
    assert other.read() == [message("game:close")]
    assert watcher.read()[-1] == message("game:close")
    assert other.closed
    assert watcher.closed


def test_a_locked_or_unwatched_room_is_that_at_the_page_too(inn: ToppleInn) -> None:
    host = inn.create("t=1&d=0,3,3&p=3&pw=x&s=0")
    guest = inn.guest("Ann")
    table = inn.table(host.room).id
    assert guest.refused("watch", table=table) == "not_watchable"
    assert guest.refused("sit", table=table) == "locked"
    summary = inn.hall.lobby.tables[table]
    assert (summary.locked, summary.watchable) == (True, False)


def test_who_sits_at_a_table_of_the_page_that_has_become_private_comes_back(inn: ToppleInn) -> None:
    guest = inn.guest("Ann")
    table = guest.open("topple", seats=3, options={"x": 3, "y": 3})
    player = inn.join(table)
    guest.sure("configure", table=table, private=True)
    player.hang_up()
    back = inn.rejoin(table, 2, player.key)
    assert back.number == 2
    back.hang_up()
    inn.restart()
    assert inn.rejoin(table, 2, back.key).number == 2
    # Nobody else learns that there is such a table, from whatever they try.
    nothing = {"code": 1, "message": "game id does not exist", "redirect": None, "store": None}
    for number, key in ((2, "wrong"), (1, back.key), (9, back.key), (0, back.key)):
        assert inn.rejoin(table, number, key).payload("error") == nothing
    assert inn.join(table).payload("error")["message"] == "Game Not Found"


def _play_recorded(table: str, *players: Guest) -> None:
    """The recorded game on 2x2, to its end."""
    for number, tile in enumerate((0, 3, 0, 3)):
        players[number % 2].sure("act", table=table, action={"type": "place", "tile": tile})


def test_a_room_that_moves_on_to_a_rematch_takes_the_spectators_of_this_protocol_along(
    inn: ToppleInn,
) -> None:
    ann, bob = inn.guest("Ann"), inn.guest("Bob")
    table = ann.open("topple", seats=2, options={"x": 2, "y": 2})
    bob.sure("sit", table=table)
    watcher = inn.watch(table)
    _play_recorded(table, ann, bob)
    watcher.read()
    ann.sure("rematch", table=table)
    bob.sure("rematch", table=table)
    following = inn.load(table).table.successor
    moves, switches, closes = watcher.read()
    assert moves == message("CONN:DYNG")
    assert switches == message("CONN:SWCH", P=f"t=4&g={following}", D=[])
    assert closes == message("game:close")
    assert watcher.closed
    # What the client does then, as it is told.
    again = inn.connect(switches["payload"]["P"])
    assert message("game:roomid", g=following) in again.read()
    bob.sure("act", table=following, action={"type": "place", "tile": 1})
    assert again.read()[0] == message("game:move", n=1, t=1)


def test_a_room_that_moves_takes_its_players_along_to_their_seats(inn: ToppleInn) -> None:
    people = win(inn)
    room, live = people[0].room, inn.table(people[0].room)
    watcher = inn.watch(room)
    for person in people:
        person.read()
    go_on(inn.hall, live, rotate=True)
    inn.settle()
    assert inn.table(room) is not live, "the room keeps its name"
    back = []
    for person, place in zip(people, (3, 1), strict=True):
        moves, switches, closes = person.read()
        assert (moves, closes) == (message("CONN:DYNG"), message("game:close"))
        assert switches["payload"]["P"].startswith(f"t=3&g={room}&i={place}&k=")
        back.append(inn.seated(switches["payload"]["P"]))
        assert back[-1].number == place
    assert watcher.read()[-2] == message("CONN:SWCH", P=f"t=4&g={room}", D=[])
    assert not inn.table(room).table.away
    assert {person.session.person for person in back} == {person.session.person for person in people}


def test_from_a_table_that_became_private_nobody_is_led_to_the_next(inn: ToppleInn) -> None:
    ann, bob = inn.guest("Ann"), inn.guest("Bob")
    table = ann.open("topple", seats=2, options={"x": 2, "y": 2})
    watcher = inn.watch(table)
    ann.sure("configure", table=table, private=True)
    bob.sure("sit", table=table, key=inn.load(table).table.key)
    _play_recorded(table, ann, bob)
    watcher.read()
    ann.sure("rematch", table=table)
    bob.sure("rematch", table=table)
    assert watcher.read() == [message("game:close")]
    assert watcher.closed
