"""Clients of Topple whose gateway stops are told where to go on: no click is lost, and none is done twice."""

import asyncio
from typing import Any

import pytest
from tests.cluster.support.topple import CONT, DYNG, HOLD, ToppleClient, moves, playing, table, text
from tests.cluster.support.town import Town, town
from tests.doors.support.topple_inn import message
from tests.hall.support.inmemory import HeldCommitter

from gamut.cluster.gateway_parting import HELD_FOR
from gamut.cluster.messages import Parting
from gamut.doors.close_codes import GOING_AWAY
from gamut.hall.table import events as e


def let_go(place: Town) -> None:
    place.advance(HELD_FOR)


def moved(tile: int, team: int) -> object:
    return message("game:move", n=tile, t=team)


def kinds(heard: list[object]) -> list[str]:
    return [m["type"] if isinstance(m, dict) else "board" for m in heard]


def test_a_player_and_a_spectator_are_told_to_hold_and_then_where_to_go_on() -> None:
    with town(2) as place:
        place.open()
        one, two = playing(place)
        watcher = ToppleClient(place, f"t=4&g={one.room}")
        one.read()
        two.read()
        place.stop(0)
        assert (one.read(), watcher.read()) == ([HOLD], [HOLD])
        assert not one.closed
        let_go(place)
        assert one.read() == [message("CONN:SWCH", P=one.back, D=[])]
        assert watcher.read() == [message("CONN:SWCH", P=f"t=4&g={one.room}", D=[])]
        assert one.wire.closed == watcher.wire.closed == GOING_AWAY
        assert kinds(two.read()) == ["spectator:leave"], "of players nobody hears anything"
        assert not two.closed


def test_whoever_follows_goes_on_at_the_other_gateway_as_if_nothing_had_been() -> None:
    with town(2) as place:
        place.open()
        one, two = playing(place)
        one.says("game:move", n=5)
        two.read()
        place.stop(0)
        let_go(place)
        (_, switch) = one.read()[-2:]
        back = one.follow(switch)
        assert kinds(back.heard)[:3] == ["player:ownid", "game:roomid", "game:jlist"]
        assert back.payload("player:ownid") == one.payload("player:ownid")
        assert back.payload("game:turn")["n"] == 2
        assert back.heard[-1] == CONT, "and says now what it has held back"
        assert two.says("game:move", n=10) == [moved(10, 2), message("game:turn", n=1, t=True)]
        assert back.says("game:move", n=5)[-2:] == [moved(5, 1), message("game:turn", n=2, t=True)]
        assert two.read() == [moved(5, 1), message("game:turn", n=2, t=True)]
        place.advance(20.0)
        assert not table(place, one.room).table.away


def test_a_spectator_who_follows_is_told_to_go_on_and_whoever_comes_otherwise_is_not() -> None:
    with town(2) as place:
        place.open()
        one, _ = playing(place, gateways=(1, 1))
        watcher = ToppleClient(place, f"t=4&g={one.room}")
        place.stop(0)
        let_go(place)
        back = watcher.follow(watcher.read()[-1])
        assert back.heard[-1] == CONT
        assert CONT not in ToppleClient(place, f"t=4&g={one.room}", 1).heard
        one.hang_up()
        again = ToppleClient(place, one.back, 1)
        assert CONT not in again.heard


def test_a_click_after_the_hold_has_no_effect_and_is_said_once_more_elsewhere() -> None:
    with town(2) as place:
        place.open()
        one, two = playing(place)
        place.stop(0)
        one.utters("game:move", n=5)
        one.utters("game:pause")
        place.settle()
        assert two.read() == []
        assert moves(place, one.room) == []
        let_go(place)
        switch = one.read()[-1]
        assert switch["payload"]["D"] == [text("game:move", n=5), text("game:pause")]
        assert moves(place, one.room) == []
        back = one.follow(switch)
        assert moves(place, one.room) == [5]
        assert kinds(two.read()) == ["game:move", "game:turn", "game:pause", "sync"]
        assert "game:pause" in kinds(back.heard)


def test_a_click_that_waits_while_nothing_can_be_stored_is_given_back_in_its_order() -> None:
    with town(2) as place:
        node = place.open()
        one, two = playing(place)
        node.owner.hold()
        one.utters("game:move", n=5)
        place.stop(0)
        one.utters("game:pause")
        let_go(place)
        switch = one.read()[-1]
        assert switch["payload"]["D"] == [text("game:move", n=5), text("game:pause")]
        back = one.follow(switch)
        assert back.heard == [], "nobody is heard yet"
        place.run(node.owner.release)
        place.settle()
        assert moves(place, one.room) == [5]
        assert kinds(two.read()) == ["game:move", "game:turn", "game:pause", "sync"]
        assert kinds(back.read())[-1] == "sync"


def test_a_click_that_waits_and_can_be_dealt_with_in_time_is_not_given_back() -> None:
    with town(2) as place:
        node = place.open()
        one, two = playing(place)
        node.owner.hold()
        one.utters("game:move", n=5)
        place.stop(0)
        one.utters("game:pause")
        place.run(node.owner.release)
        place.settle()
        assert moves(place, one.room) == [5]
        let_go(place)
        switch = one.read()[-1]
        assert switch["payload"]["D"] == [text("game:pause")], "which came after the hold"
        assert kinds(two.read()) == ["game:move", "game:turn"]
        one.follow(switch)
        assert moves(place, one.room) == [5]


def test_nobody_is_sent_elsewhere_before_all_that_they_did_is_stored() -> None:
    with town(2) as place:
        place.open()
        one, _ = playing(place)
        place.kill()
        committer = place.open(held=True).committer
        assert isinstance(committer, HeldCommitter)
        committer.release_all()
        place.settle()
        one.read()
        one.utters("game:move", n=5)
        place.stop(0)
        let_go(place)
        assert one.read() == []
        assert not one.closed
        committer.release_all()
        place.settle()
        heard = one.read()
        assert kinds(heard) == ["game:move", "game:turn", "CONN:HOLD", "CONN:SWCH"]
        assert heard[-1]["payload"]["D"] == []


def test_what_is_being_waited_for_is_done_first() -> None:
    with town(2) as place:
        node = place.open()
        one, two = playing(place)
        release: list[asyncio.Future[None]] = []
        run = node.hall.slow_work._run_blocking

        async def slowly(call: Any, *args: Any) -> Any:
            release.append(asyncio.get_running_loop().create_future())
            await release[0]
            return await run(call, *args)

        vars(node.hall.slow_work)["_run_blocking"] = slowly
        two.says("player:leave")
        assert one.read()[-1]["type"] == "game:win"
        one.utters("game:download")
        place.settle()
        one.utters("ping", n=1)
        place.stop(0)
        let_go(place)
        assert one.read() == [HOLD], "nobody knows whether it has had an effect"
        place.run(lambda: release[0].set_result(None))
        place.settle()
        file, switch = one.read()
        assert file[0] == 1
        assert switch["payload"]["D"] == [text("ping", n=1)], "which was behind it"


@pytest.mark.parametrize("gateway", [0, 1])
def test_whoever_comes_back_before_they_were_let_go_is_let_in_and_the_old_connection_is_gone(
    gateway: int,
) -> None:
    with town(2) as place:
        place.open()
        one, two = playing(place)
        place.stop(0)
        assert one.read() == [HOLD]
        back = ToppleClient(place, one.back, gateway)
        assert one.closed
        assert one.read() == [], "it knows where it is"
        assert back.payload("player:ownid")["n"] == 1
        assert back.heard[-1] == CONT
        let_go(place)
        place.advance(1.0)
        assert back.says("game:move", n=5)
        assert two.read() == [moved(5, 1), message("game:turn", n=2, t=True)]
        assert not table(place, one.room).table.away


def test_whoever_comes_by_that_address_while_the_old_connection_counts_is_let_in() -> None:
    with town(2) as place:
        place.open()
        one, two = playing(place)
        for gateway in (0, 1):
            back = ToppleClient(place, one.back, gateway)
            assert one.closed
            assert "game:reconnected" in kinds(back.heard)
            assert CONT not in back.heard
            one = back
        assert two.read() == []


def test_who_is_on_the_way_in_comes_by_the_same_address_again() -> None:
    with town(2) as place:
        node = place.open()
        one, _ = playing(place, query="t=1&d=0,4,4&p=3", gateways=(1, 1))
        waiting = ToppleClient(place, "t=1&s=1&d=0,3,3&p=2&pw=a%20b")
        node.owner.hold()
        late = ToppleClient(place, f"t=4&g={one.room}&port=1")
        late.utters("ping", n=1, kind="hello")
        place.stop(0)
        let_go(place)
        assert late.read() == [
            message("CONN:SWCH", P=f"t=4&g={one.room}&port=1", D=[text("ping", n=1, kind="hello")])
        ]
        assert late.closed
        place.run(node.owner.release)
        place.settle()
        assert waiting.read()[-1]["type"] == "CONN:SWCH", "the room is there already"


def test_who_has_yet_to_say_a_password_comes_again_later() -> None:
    with town(2) as place:
        place.open()
        host = ToppleClient(place, "t=1&s=1&d=0,3,3&p=2&pw=secret", 1)
        host.says("game:rules")
        late = ToppleClient(place, f"t=0&g={host.room}")
        place.stop(0)
        assert late.read() == []
        let_go(place)
        assert late.read() == [DYNG]
        assert late.closed


def test_the_next_owner_sends_those_elsewhere_whom_the_last_one_told_to_hold() -> None:
    with town(2) as place:
        place.open()
        one, two = playing(place)
        one.utters("game:move", n=5)
        place.stop(0)
        one.utters("game:pause")
        place.settle()
        place.kill()
        one.read()
        two.read()
        place.open()
        let_go(place)
        heard = one.read()
        assert kinds(heard) == ["CONN:HOLD", "CONN:SWCH"]
        assert heard[-1]["payload"]["D"] == [text("game:pause")]
        back = one.follow(heard[-1])
        assert moves(place, one.room) == [5]
        assert CONT in back.heard
        assert kinds(two.read()) == ["game:pause", "sync"]


def test_a_takeover_in_the_hold_deals_with_what_came_before_it_and_with_nothing_after_it() -> None:
    with town(2) as place:
        place.open()
        one, two = playing(place)
        place.kill()
        committer = place.open(held=True).committer
        assert isinstance(committer, HeldCommitter)
        committer.release_all()
        place.settle()
        one.utters("game:move", n=5)
        place.settle()
        place.stop(0)
        one.utters("game:pause")
        place.settle()
        place.kill()
        # Nothing of the last owner was stored.
        place.open()
        assert moves(place, one.room) == [5]
        place.advance(1.0)
        switch = one.read()[-1]
        assert switch["payload"]["D"] == [text("game:pause")]
        one.follow(switch)
        assert kinds(two.read()) == ["game:move", "game:turn", "game:pause", "sync"]


def test_a_gateway_of_an_older_version_says_it_once_and_everybody_is_sent_elsewhere_at_once() -> None:
    with town(2) as place:
        place.open()
        one, _ = playing(place)
        gateway = place.gateways[0]
        place.run(lambda: gateway.say(Parting(one.session.number)))
        place.settle()
        assert one.read() == [message("CONN:SWCH", P=one.back, D=[])]
        assert CONT not in one.follow(message("CONN:SWCH", P=one.back, D=[])).heard, "nobody told it to hold"


def test_clocks_stand_from_the_end_of_the_hold_until_the_player_is_back() -> None:
    with town(2) as place:
        place.open()
        rules = {"turnTime": {"style": "chess", "limit": 60_000, "penalty": "lose"}}
        one, two = playing(place, rules=rules)
        one.says("game:move", n=5)
        two.says("game:move", n=10)
        one.read()
        place.advance(2.0)
        place.stop(0)
        let_go(place)
        place.advance(30.0)
        clock = table(place, one.room).table
        assert type(table(place, one.room).whole_log[-1]) is e.Woken
        assert clock.away
        back = one.follow(one.read()[-1])
        assert back.payload("sync")["PLAYER.1.time_left"] >= 57
        back.says("game:move", n=5)
        assert table(place, one.room).table.clock.times[0].main > 57_000


def test_who_was_let_go_in_the_moment_in_which_the_owner_died_is_sent_elsewhere_by_the_next() -> None:
    with town(2) as place:
        place.open()
        one, _ = playing(place)
        place.stop(0)
        one.utters("game:move", n=5)
        place.settle()
        place.kill()
        let_go(place)
        assert place.gateways[0].parting.is_done
        assert one.read() == [HOLD]
        place.open()
        assert one.read() == [HOLD, message("CONN:SWCH", P=one.back, D=[text("game:move", n=5)])]
        assert moves(place, one.room) == []


def test_a_gateway_that_is_asked_to_stop_without_an_owner_waits_a_moment_for_one() -> None:
    with town(2) as place:
        place.open()
        one, _ = playing(place)
        place.kill()
        place.advance(3.0)
        one.utters("game:move", n=5)
        place.stop(0)
        let_go(place)
        assert not one.closed
        assert not place.gateways[0].parting.is_done
        place.open()
        place.advance(HELD_FOR)
        switch = one.read()[-1]
        assert switch["payload"]["D"] == []
        assert moves(place, one.room) == [5]


def test_a_gateway_that_is_asked_to_stop_and_finds_no_owner_hangs_up() -> None:
    with town(2) as place:
        place.open()
        one, _ = playing(place)
        place.kill()
        place.advance(3.0)
        place.stop(0)
        place.advance(2.0)
        assert one.read() == []
        assert one.wire.closed == GOING_AWAY
        assert place.gateways[0].parting.is_done


def test_clients_of_other_protocols_wait_for_nothing() -> None:
    with town(2) as place:
        place.open()
        guest, player = place.guest("Ann"), place.player()
        guest.read()
        place.stop(0)
        assert guest.read() == [{"type": "bye", "why": "restart"}]
        assert guest.wire.closed == player.wire.closed == GOING_AWAY
        assert place.gateways[0].parting.is_done
