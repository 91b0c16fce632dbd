"""Only so many newcomers at a time come to the owner: others wait at the gateway, and cost nothing if they go again."""

from tests.cluster.support.town import Client, Node, Town, town

from gamut.cluster.newcomers import MOST_COMING
from gamut.doors.close_codes import GOING_AWAY


def crowd(place: Town, count: int) -> list[Client]:
    return [place.player() for _ in range(count)]


def at_owner(node: Node) -> int:
    return sum(node.owner.connections.values())


def test_who_cannot_be_let_in_waits_and_is_let_in_as_others_are_done_with() -> None:
    with town() as place:
        node = place.open()
        node.owner.hold()
        crowd(place, MOST_COMING + 20)
        assert at_owner(node) == MOST_COMING
        assert len(place.gateways[0].newcomers) == 20
        node.owner.release()
        place.settle()
        assert at_owner(node) == MOST_COMING + 20
        assert len(place.gateways[0].newcomers) == 0


def test_what_they_say_meanwhile_is_done_in_its_order() -> None:
    with town() as place:
        node = place.open()
        node.owner.hold()
        crowd(place, MOST_COMING)
        late = place.player()
        late.utter(type="join_room", data={"room": "den", "name": "Ann"})
        late.utter(type="leave_room", data={})
        place.settle()
        node.owner.release()
        place.settle()
        assert late.read()[0]["type"] == "room_joined"


def test_the_owner_never_hears_of_those_who_go_before_they_are_let_in() -> None:
    with town() as place:
        node = place.open()
        node.owner.hold()
        first = crowd(place, MOST_COMING)
        for client in crowd(place, 500):
            client.utter(type="join_room", data={"room": "den", "name": "Ann"})
            client.hang_up()
        assert at_owner(node) == MOST_COMING
        assert node.owner.frames == 0
        assert len(place.gateways[0].newcomers) == 0
        node.owner.release()
        place.settle()
        assert at_owner(node) == MOST_COMING
        assert not any(client.closed for client in first)


def test_who_was_let_in_and_has_gone_makes_room_only_when_the_owner_is_done_with_them() -> None:
    with town() as place:
        node = place.open()
        node.owner.hold()
        for client in crowd(place, MOST_COMING):
            client.hang_up()
        crowd(place, 5)
        assert len(place.gateways[0].newcomers) == 5
        node.owner.release()
        place.settle()
        assert len(place.gateways[0].newcomers) == 0
        assert at_owner(node) == 5


def test_the_door_does_not_stay_shut_if_the_owner_says_nothing_of_those_who_are_let_in() -> None:
    with town() as place:
        node = place.open()
        node.owner.hold()
        crowd(place, 2 * MOST_COMING)
        place.advance(1.2)
        assert at_owner(node) == 2 * MOST_COMING


def test_who_waits_when_the_owner_goes_is_let_in_by_the_next_one() -> None:
    with town() as place:
        place.open().owner.hold()
        clients = crowd(place, 2 * MOST_COMING)
        place.kill()
        node = place.open()
        assert at_owner(node) == 2 * MOST_COMING
        assert not any(client.closed for client in clients)


def test_who_waits_when_the_gateway_stops_is_hung_up_on() -> None:
    with town() as place:
        place.open().owner.hold()
        *_, last = crowd(place, MOST_COMING + 1)
        last.session.closing()
        assert last.wire.closed == GOING_AWAY
