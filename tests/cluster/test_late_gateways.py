"""A gateway that attaches late: what others have done meanwhile is theirs, and nobody loses anything to a stranger."""

import pytest
from tests.cluster.support.topple import ToppleClient, playing
from tests.cluster.support.town import Client, Town, town
from tests.cluster.test_gateways import NAMES, join, place_mark, seated

from gamut.cluster.owner import Owner
from gamut.doors.close_codes import GOING_AWAY
from gamut.doors.offer import Newcomer
from gamut.hall.ids import TableId
from gamut.hall.live.live_table import LiveTable
from gamut.hall.table import events as e

TIMED = {"kind": "bank", "main": 60_000, "increment": 0}


def cut(place: Town, gateway: int = 0) -> None:
    """Nothing comes through between this gateway and the others."""
    place.gateways[gateway]._bus.connected = False  # type: ignore[misc]


def mend(place: Town, gateway: int = 0) -> None:
    place.gateways[gateway]._bus.connected = True  # type: ignore[misc]
    place.advance(1)


def test_whoever_has_not_said_who_they_are_keeps_no_owner_from_taking_over() -> None:
    with town() as place:
        place.open()
        players = seated(place)
        stranger = Client(place, place.entrances[0], "web", Newcomer("127.0.0.1"))
        place.kill()
        stranger.utter(type="hello", name="Eve")
        place_mark(players[0], 0)
        place.open()
        assert [message["type"] for message in stranger.read()] == ["welcome"]
        assert not any(player.closed for player in players)


def test_a_fault_in_one_session_keeps_no_owner_from_taking_over(monkeypatch: pytest.MonkeyPatch) -> None:
    with town() as place:
        place.open()
        players = seated(place)
        place.kill()
        place_mark(players[0], 0)
        monkeypatch.setattr(Owner, "_may_have_acted", lambda *_: 1 / 0)
        place.open()
        assert [player.wire.closed for player in players] == [GOING_AWAY, None, None], (
            "only hers is looked at"
        )


def test_a_seat_is_not_had_by_two_connections_of_one_player() -> None:
    with town(2) as place:
        place.open()
        host, other = playing(place)
        cut(place)
        place.advance(2.5)
        assert place.node is not None
        assert place.node.owner.gateways == 1
        again = ToppleClient(place, host.back, 1)
        assert not again.closed
        mend(place)
        assert host.wire.closed == GOING_AWAY, "another connection has come in its place"
        assert not again.closed
        assert not other.closed


def test_a_seat_lost_in_a_takeover_is_given_to_no_stranger_while_its_player_may_go_on() -> None:
    with town(2) as place:
        place.open()
        players = seated(place)
        cut(place)
        place.kill()
        place.open()
        stranger, known = place.player(1), place.player(1)
        (refused,) = join(stranger, "Eve")
        assert refused["type"] == "error"
        assert "the room is full" in refused["data"].values()
        assert join(known, NAMES[0])[0]["type"] == "room_joined", "by name it is got back at once"
        mend(place)
        assert [player.wire.closed for player in players] == [GOING_AWAY] * 3
        place.advance(3)
        assert join(stranger, "Eve")[0]["type"] == "room_joined", "later nobody else is waited for"


def in_step(place: Town, seconds: int) -> None:
    """Time passes for gateways, owner and hall alike."""
    for _ in range(10 * seconds):
        place.advance(0.1)


def timed_table(place: Town) -> LiveTable:
    """Three people of the page whose game has begun, and a clock runs: the first two at the first gateway."""
    assert place.node is not None
    people = [place.guest(name, gateway) for name, gateway in zip(NAMES, (0, 0, 1), strict=True)]
    opened = people[0].ask("open", game="tower", clock=TIMED)
    (table,) = [TableId(message["table"]) for message in opened if message["type"] == "opened"]
    for person in people[1:]:
        person.ask("watch", table=table)
        person.ask("sit", table=table)
    live = place.node.hall.here(table)
    assert live is not None
    assert live.table.clock.running == (0,)
    return live


def test_nobody_is_charged_for_the_time_in_which_their_gateway_was_not_heard() -> None:
    with town(2) as place:
        place.open()
        live = timed_table(place)
        in_step(place, 4)
        cut(place)
        in_step(place, 30)
        woken = live.whole_log[-1]
        assert type(woken) is e.Woken
        assert woken.cut_off is not None
        assert len(woken.cut_off) == 2
        assert live.table.clock.running == ()
        assert 3_500 < 60_000 - live.table.clock.times[0].main < 4_500


def test_nobody_loses_on_time_while_there_is_no_bus() -> None:
    with town(2) as place:
        node = place.open()
        live = timed_table(place)
        node.bus.connected = False
        in_step(place, 70)
        assert live.table.phase == "playing"
        assert live.table.clock.running == ()
        assert live.table.clock.times[0].main > 59_000


def test_a_clock_goes_on_for_somebody_at_a_gateway_that_is_heard() -> None:
    with town(2) as place:
        place.open()
        live = timed_table(place)
        cut(place, 1)
        in_step(place, 30)
        assert type(live.whole_log[-1]) is e.Woken
        assert live.table.clock.running == (0,)
        woken = live.whole_log[-1]
        assert woken.stopped_at == woken.at, "it is their turn, and they could play"
