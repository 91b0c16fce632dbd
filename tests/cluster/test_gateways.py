"""Whoever is connected to a gateway does not notice that owners come and go; nothing happens twice, or not at all."""

from collections.abc import Sequence
from typing import Any

import msgspec
import pytest
from tests.cluster.support.topple import ToppleClient
from tests.cluster.support.town import Client, Town, town
from tests.doors.support.inn import coordinate
from tests.hall.support.inmemory import HeldCommitter

from gamut.cluster.distant_session import MOST_FRAMES
from gamut.doors.close_codes import GOING_AWAY
from gamut.hall.ids import PersonId, TableId
from gamut.hall.store.storage import LedgerError
from gamut.hall.table import commands as c
from gamut.hall.table import events as e

NAMES = ("Ann", "Bob", "Cem")


def join(client: Client, name: str, room: str = "den") -> list[Any]:
    return client.say(type="join_room", data={"room": room, "name": name})


def seated(place: Town, room: str = "den", gateways: tuple[int, int, int] = (0, 0, 0)) -> list[Client]:
    """Three players whose game has begun."""
    players = [place.player(gateway) for gateway in gateways]
    for player, name in zip(players, NAMES, strict=True):
        join(player, name, room)
    assert any(message["type"] == "player_turn" for message in players[0].read() + players[1].read())
    for player in players:
        player.read()
    return players


def place_mark(client: Client, tile: int) -> Any:
    return client.utter(type="place_mark", data={"position": coordinate(tile)})


def marks(heard: list[Any]) -> int:
    return sum(message["type"] == "mark_placed" for message in heard)


def events_in(heard: list[Any]) -> list[Any]:
    return [event for message in heard if message["type"] == "events" for event in message["events"]]


def log_of(place: Town, room: str = "den") -> list[str]:
    assert place.node is not None
    found = place.node.hall.register.room("tower", room)
    assert found is not None
    live = place.node.hall.here(found)
    assert live is not None
    return [type(event).__name__ for event in live.whole_log]


def test_a_game_goes_through_a_gateway() -> None:
    with town() as place:
        place.open()
        players = seated(place)
        for turn in range(6):
            place_mark(players[turn % 3], (0, 8, 16, 1, 9, 17)[turn])
            place.settle()
        assert [marks(player.read()) for player in players] == [6, 6, 6]


def test_players_go_on_at_the_next_owner_and_hear_nothing_of_it() -> None:
    with town() as place:
        place.open()
        players = seated(place)
        place_mark(players[0], 0)
        place.settle()
        place.kill()
        for player in players:
            player.read()
        place.open()
        assert [player.read() for player in players] == [[], [], []]
        assert log_of(place)[-1] == "Handed", "and nobody is away"
        place_mark(players[1], 8)
        place.settle()
        assert [marks(player.read()) for player in players] == [1, 1, 1]
        assert not any(player.closed for player in players)


def test_what_is_said_while_there_is_no_owner_is_done_by_the_next_one() -> None:
    with town() as place:
        place.open()
        players = seated(place)
        place.kill()
        place_mark(players[0], 0)
        place.settle()
        place.open()
        assert [marks(player.read()) for player in players] == [1, 1, 1]


def test_what_the_owner_took_with_it_unstored_is_done_again_and_told_once() -> None:
    with town() as place:
        place.open()
        players = seated(place)
        place.kill()
        place.open(held=True)
        place_mark(players[0], 0)
        place.settle()
        assert [marks(player.read()) for player in players] == [0, 0, 0], "it is not stored"
        place.kill()
        place.open()
        assert [marks(player.read()) for player in players] == [1, 1, 1]
        assert log_of(place).count("Played") == 1
        assert not any(player.closed for player in players)


def stored_and_unheard(place: Town) -> list[Client]:
    """Players of whom one has made a move. It is stored, and the owner is gone before it hears that."""
    place.open()
    players = seated(place)
    place.kill()
    node = place.open(held=True)
    assert isinstance(node.committer, HeldCommitter)
    node.committer.release_all()
    place.settle()
    place_mark(players[0], 0)
    place.settle()
    rows, entries, _ = node.committer.held.pop()
    place.storage.append(rows, entries)
    place.kill()
    return players


def test_all_is_told_in_order_while_each_batch_is_closed_as_soon_as_the_one_before_it_is_stored() -> None:
    with town() as place:
        place.open()
        players, others = seated(place), seated(place, "attic")
        place.kill()
        committer = place.open(held=True).committer
        assert isinstance(committer, HeldCommitter)
        committer.release_all()
        place.settle()
        for turn in range(3):
            place_mark(players[turn], turn)
            place.settle()
            place_mark(others[turn], turn)
            place.settle()
            committer.release()
            place.settle()
            assert [marks(player.read()) for player in players] == [1, 1, 1]
            assert [marks(player.read()) for player in others] == [0, 0, 0]
            committer.release()
            place.settle()
            assert [marks(player.read()) for player in others] == [1, 1, 1]


def test_what_is_stored_is_told_by_the_gateway_when_the_owner_was_gone_before_it_knew() -> None:
    with town() as place:
        players = stored_and_unheard(place)
        assert [marks(player.read()) for player in players] == [0, 0, 0]
        place.open()
        assert [marks(player.read()) for player in players] == [1, 1, 1]
        assert log_of(place).count("Played") == 1
        place_mark(players[1], 8)
        place.settle()
        assert [marks(player.read()) for player in players] == [1, 1, 1]
        assert not any(player.closed for player in players)


def test_who_has_come_to_a_table_without_hearing_it_is_not_taken_there_twice() -> None:
    with town() as place:
        place.open()
        first, second = place.player(), place.player()
        join(first, NAMES[0])
        place.kill()
        node = place.open(held=True)
        assert isinstance(node.committer, HeldCommitter)
        node.committer.release_all()
        place.settle()
        second.utter(type="join_room", data={"room": "den", "name": NAMES[1]})
        place.settle()
        rows, entries, _ = node.committer.held.pop()
        place.storage.append(rows, entries)
        place.gateways[0]._held.clear()
        place.kill()
        place.open()
        assert second.wire.closed == GOING_AWAY
        again = place.player()
        assert next(message["type"] for message in join(again, NAMES[1])) == "room_joined"


def test_whoever_was_not_told_what_is_stored_comes_back_and_the_others_stay() -> None:
    with town() as place:
        place.open()
        quiet = seated(place, "quiet")
        players = stored_and_unheard(place)
        # As if it had been lost on the way.
        place.gateways[0]._held.clear()
        place.open()
        assert [player.wire.closed for player in players] == [GOING_AWAY] * 3
        assert not any(player.closed for player in quiet)
        assert log_of(place).count("Played") == 1, "the mark counts"
        assert [marks(player.read()) for player in quiet] == [0, 0, 0]


def test_what_was_said_in_the_lobby_and_is_stored_is_not_said_again_by_the_next_owner() -> None:
    with town() as place:
        place.open()
        ann, bob = place.guest("Ann"), place.guest("Bob")
        place.kill()
        node = place.open(held=True)
        assert isinstance(node.committer, HeldCommitter)
        ann.utter(type="say", text="Hello?", id=1)
        bob.utter(type="lobby", id=1)
        place.settle()
        rows, entries, _ = node.committer.held.pop()
        place.storage.append(rows, entries)
        # As if it had been lost on the way.
        place.gateways[0]._held.clear()
        place.kill()
        node = place.open()
        assert [line.text for line in node.hall.lobby.talk.lines] == ["Hello?"]
        assert ann.wire.closed == GOING_AWAY, "nobody knows whether that was all that it did"
        assert not bob.closed


def test_what_somebody_says_where_they_have_just_come_is_not_said_again_by_the_next_owner() -> None:
    with town() as place:
        node = place.open()
        ann, bob = place.guest("Ann"), place.guest("Bob")
        (opened,) = [message for message in ann.ask("open", game="tower") if message["type"] == "opened"]
        table = TableId(opened["table"])
        # All that this owner says from now on is lost on its way.
        vars(node.bus)["publish"] = lambda subject, data: None
        bob.utter(type="watch", table=table, id=1)
        bob.utter(type="say", text="Who plays?", table=table, room="kibitz", id=2)
        place.settle()
        place.kill()
        node = place.open()
        log = node.hall.live[table].whole_log
        assert [event.text for event in log if type(event) is e.Said] == ["Who plays?"]
        assert {"type": "ok", "id": 2} in bob.read(), "and it was answered"


def test_whoever_leaves_before_the_gateway_knows_where_they_were_is_heard_out_and_forgotten() -> None:
    with town() as place:
        node = place.open()
        ann, bob = place.guest("Ann"), place.guest("Bob")
        (opened,) = [message for message in ann.ask("open", game="tower") if message["type"] == "opened"]
        table = TableId(opened["table"])
        bob.utter(type="watch", table=table, id=1)
        bob.utter(type="say", text="Who plays?", table=table, room="kibitz", id=2)
        bob.hang_up()
        assert [event.text for event in node.hall.live[table].whole_log if type(event) is e.Said] == [
            "Who plays?"
        ]
        assert node.owner.connections == {"web": 1}


def test_whoever_leaves_before_the_gateway_knows_where_they_were_and_is_then_replaced_is_forgotten() -> None:
    with town() as place:
        place.open()
        ann = ToppleClient(place, "t=1&d=0,4,4&p=2")
        back = ann.back
        ann.hang_up()
        bob = place.guest("Bob")
        place.kill()
        node = place.open(held=True)
        assert isinstance(node.committer, HeldCommitter)
        bob.utter(type="say", text="While this is being stored, gateways are told of nothing else.", id=1)
        place.settle()
        ann = ToppleClient(place, back)
        ann.utters("waiting:setready", r=True)
        place.settle()
        ann.hang_up()
        again = ToppleClient(place, back)
        while node.committer.held:
            node.committer.release()
            place.settle()
        assert node.owner.connections == {"web": 1, "topple": 1}
        assert again.read() != []


def test_a_gateway_learns_what_a_session_has_forgotten_by_itself() -> None:
    with town() as place:
        node = place.open()
        players = seated(place)
        (wire, *_) = [wire for peer in node.owner._peers.values() for wire in peer.connections.values()]
        wire.session.state.address = "127.0.0.2"
        place.advance(1.0)
        assert b"127.0.0.2" in players[0].session.state


def test_a_player_who_is_not_attached_is_away_because_of_us_and_the_others_play_on() -> None:
    with town(gateways=2) as place:
        place.open()
        players = seated(place, gateways=(0, 0, 1))
        place.kill()
        place.lose(1)
        place.open()
        node = place.node
        assert node is not None
        assert log_of(place)[-2:] == ["Handed", "Woken"]
        table = node.hall.here(node.hall.register.rooms["tower", "den"])
        assert table is not None
        assert [gone.cut_off for gone in table.table.away] == [True]
        again = place.player()
        join(again, NAMES[2])
        assert not table.table.away, "who knows the room and the name is back"
        place_mark(players[0], 0)
        place.settle()
        assert marks(players[1].read()) == 1


def test_a_standby_waits_for_the_gateways_that_are_there_and_for_no_other() -> None:
    with town(gateways=3, shared=2) as place:
        place.open()
        standby = place.stand_by()
        place.advance(1.0)
        began = place.pulse.now()
        place.kill()
        # In the process of the owner that is gone.
        place.lose(2)
        place.open(standby)
        assert place.pulse.now() - began < 0.1, "as soon as those two have attached"
        place.lose(1)
        place.kill()
        standby = place.stand_by()
        place.advance(0.6)
        began = place.pulse.now()
        place.open(standby)
        assert place.pulse.now() - began < 0.6


def test_people_wait_whose_table_cannot_be_read_in_a_takeover_while_the_store_is_away() -> None:
    with town() as place:
        place.open()
        players = seated(place)
        place.kill()
        standby = place.stand_by()
        hall, gathered, read_ahead = standby.hall, standby.owner.gathered, standby.hall.read_ahead

        async def away(tables: Sequence[TableId]) -> None:
            vars(hall)["read_ahead"] = read_ahead
            raise LedgerError("The store is away.")

        async def gathered_and_then_away() -> None:
            await gathered()
            vars(hall)["read_ahead"] = away

        vars(standby.owner)["gathered"] = gathered_and_then_away
        place.open(standby)
        assert place.gateways[0].is_open
        assert "read_ahead" in vars(hall)
        for player in players:
            player.read()
        place_mark(players[0], 0)
        place.settle()
        assert not any(player.closed for player in players)
        assert [marks(player.read()) for player in players] == [1, 1, 1]


def test_whoever_was_logged_out_and_has_not_heard_it_does_not_go_on_at_the_next_owner() -> None:
    with town() as place:
        place.open()
        ann, bob, cem = (place.guest(name) for name in NAMES)
        for client in (ann, bob, cem):
            client.read()
        place.kill()
        people = place.people.people
        known = {person.name: person for person in people.values()}
        # The owner has stored that, and has died before anybody heard of it.
        people[known["Ann"].id] = msgspec.structs.replace(known["Ann"], epoch=2)
        people[known["Bob"].id] = msgspec.structs.replace(known["Bob"], name="Robert")
        place.open()
        assert [client.closed for client in (ann, bob, cem)] == [True, True, False]
        assert ann.wire.closed == GOING_AWAY
        assert cem.ask("ping")[-1]["type"] == "pong"


def test_of_gateways_that_are_long_gone_nothing_is_kept() -> None:
    with town(gateways=2) as place:
        node = place.open()
        place.lose(1)
        place.advance(70.0)
        assert set(node.owner._gateways) == set(node.owner._last_links) == {"g0"}


def test_who_leaves_has_left_also_through_a_gateway() -> None:
    with town() as place:
        place.open()
        players = seated(place)
        players[2].hang_up()
        assert "Dropped" not in log_of(place)
        assert any(kind in ("Stood", "Played") for kind in log_of(place)[-2:])


def test_people_of_a_gateway_that_died_are_cut_off_after_a_while_and_have_not_left() -> None:
    with town(gateways=2) as place:
        place.open()
        players = seated(place, gateways=(0, 0, 1))
        before = len(log_of(place))
        place.lose(1)
        place.advance(4.0)
        assert len(log_of(place)) == before
        place.advance(3.0)
        assert log_of(place)[before:] == ["Woken"]
        assert not players[0].closed


def test_nobody_is_cut_off_while_the_owner_itself_has_no_bus() -> None:
    with town() as place:
        node = place.open()
        players = seated(place)
        before = len(log_of(place))
        node.bus.connected = False
        place.advance(8.0)
        place_mark(players[0], 0)
        node.bus.connected = True
        place.advance(4.0)
        assert log_of(place)[before:] == ["Played"]
        assert [marks(player.read()) for player in players] == [1, 1, 1]


def test_a_room_whose_game_is_over_is_free_for_those_whose_gateway_died() -> None:
    with town(2) as place:
        place.open()
        players = seated(place)
        for turn, tile in enumerate((0, 8, 16, 1, 9, 17, 2)):
            place_mark(players[turn % 3], tile)
            place.settle()
        assert "game_over" in [message["type"] for message in players[0].read()]
        place.lose(0)
        place.advance(6.0)
        again = [place.player(1) for _ in range(3)]
        for player, name in zip(again, NAMES, strict=True):
            join(player, name, "den")
            place.settle()
        assert log_of(place) == ["Opened", "Sat", "Sat", "Sat", "Started"]


def test_an_owner_that_hands_over_says_so_and_what_it_says_later_is_not_believed() -> None:
    with town() as place:
        node = place.open()
        players = seated(place)
        gateway = place.gateways[0]
        place.run_until(node.owner.drained(lambda: None))
        node.owner.handed_over()
        place.settle()
        assert not gateway.is_open
        place.advance(0.5)
        assert (gateway.link, gateway.attached) == (None, 1), "although the owner is still heard of"
        place_mark(players[0], 0)
        place.kill()
        place.open()
        assert [marks(player.read()) for player in players] == [1, 1, 1]
        assert log_of(place)[-2:] == ["Handed", "Played"]


def test_a_link_that_breaks_for_a_moment_is_begun_anew_and_nobody_was_away() -> None:
    with town() as place:
        node = place.open()
        players = seated(place)
        before = len(log_of(place))
        node.bus.connected = False
        place.advance(2.6)
        place_mark(players[0], 0)
        node.bus.connected = True
        place.advance(1.0)
        assert place.gateways[0].attached == 2
        assert log_of(place)[before:] == ["Played"]
        assert [marks(player.read()) for player in players] == [1, 1, 1]
        place.advance(5.0)
        assert log_of(place)[before:] == ["Played"]


def test_a_gateway_that_stops_says_so_and_everybody_finds_everything_as_it_was() -> None:
    with town() as place:
        place.open()
        players = seated(place)
        guest = place.guest("Dora")
        guest.read()
        before = len(log_of(place))
        for client in (*players, guest):
            client.session.closing()
        place.settle()
        assert [client.wire.closed for client in (*players, guest)] == [GOING_AWAY] * 4
        assert guest.read()[-1] == {"type": "bye", "why": "restart"}
        for client in (*players, guest):
            client.hang_up()
        place.advance(1.0)
        assert log_of(place)[before:] == ["Woken"]


def test_without_an_owner_everybody_is_hung_up_on_after_a_while() -> None:
    with town() as place:
        place.open()
        players = seated(place)
        place.kill()
        place.advance(9.0)
        assert not any(player.closed for player in players)
        place.advance(5.0)
        assert [player.wire.closed for player in players] == [GOING_AWAY] * 3


def test_nobody_is_read_who_has_said_too_much_that_is_not_dealt_with() -> None:
    with town() as place:
        place.open()
        guest = place.guest("Ann")
        place.kill()
        waiting = [guest.utter(type="lobby", id=number) for number in range(MOST_FRAMES)]
        assert [each is None for each in waiting] == [True] * (MOST_FRAMES - 1) + [False]
        assert not waiting[-1].done()
        place.open()
        assert waiting[-1].done()


def test_who_does_not_read_is_let_go_and_costs_nobody_else() -> None:
    with town() as place:
        node = place.open()
        slow, quick = place.guest("Ann"), place.guest("Bob")
        slow.wire.queued = 10_000_000
        for _ in range(200):
            slow.ask("say", text="x" * 200)
            node.house.hall.lobby.say(slow_person(slow, place), "Ann", "y" * 200)
            place.advance(0.2)
            if slow.wire.dropped:
                break
            slow.ask("lobby")
        assert not quick.closed


def test_what_is_long_waits_for_room_on_the_link_and_does_not_fill_it(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """Each of many who ask for a long log may have a piece of it, and all these pieces take the same way."""
    with town() as place:
        node = place.open()
        host = place.guest("Ann")
        (opened,) = [message for message in host.ask("open", game="tower") if message["type"] == "opened"]
        table = TableId(opened["table"])
        host.ask("sit", table=table)
        live = node.hall.here(table)
        assert live is not None
        for number in range(600):
            node.hall.do(live, c.Say(PersonId(f"talker {number // 20}"), "Bob", "y" * 480, "kibitz"))
        place.settle()
        readers = [place.guest(f"Reader {number}") for number in range(60)]
        (peer,) = node.owner._peers.values()
        most = 0
        with monkeypatch.context() as nothing_arrives:
            nothing_arrives.setattr(node.bus, "publish", lambda subject, packet: None)
            for reader in readers:
                reader.utter(type="watch", table=table, since=0)
            for _ in range(60):
                place.advance(0.02)
                most = max(most, peer.waiting)
        assert 0 < most < 300_000
        for _ in range(100):
            place.advance(0.02)
        assert all(len(events_in(reader.read())) >= 600 for reader in readers), "who waited gets all of it"


def slow_person(client: Client, place: Town) -> Any:
    return next(person.id for person in place.people.people.values() if person.name == "Ann")


@pytest.mark.parametrize("count", [1, 3])
def test_people_at_different_gateways_are_at_one_table(count: int) -> None:
    with town(gateways=count) as place:
        place.open()
        players = seated(place, gateways=(0, 1 % count, 2 % count))
        place_mark(players[0], 0)
        place.settle()
        assert [marks(player.read()) for player in players] == [1, 1, 1]


def test_a_guest_keeps_the_tables_that_they_follow() -> None:
    with town() as place:
        place.open()
        ann, bob = place.guest("Ann"), place.guest("Bob")
        (opened,) = [message for message in ann.ask("open", game="tower") if message["type"] == "opened"]
        table = TableId(opened["table"])
        ann.ask("sit", table=table)
        bob.ask("watch", table=table)
        place.kill()
        ann.read()
        bob.read()
        node = place.open()
        assert type(node.hall.live[table].whole_log[-1]) is e.Handed
        ann.ask("say", text="Still here?", table=table)
        assert [event["type"] for event in events_in(bob.read())] == ["handed", "said"]
        assert not any(client.closed for client in (ann, bob))
