"""A node that stands by knows when the active one is cut off from its gateways, and takes nothing else for it."""

from collections.abc import Callable

import pytest
from msgspec.structs import replace
from tests.cluster.support.by_hand import HandBus, HandPulse
from tests.cluster.support.town import Node, Town, town

from gamut.cluster.gateway import HERE_EVERY
from gamut.cluster.hearing import Hearing
from gamut.cluster.messages import NODES, PROTOCOL, GatewayHere, Here, OwnerHere, encode
from gamut.cluster.owner import Owner
from gamut.hall.ids import PersonId

ACTIVE = 7


def owner(node: int = ACTIVE) -> OwnerHere:
    return OwnerHere(node, "alpha", PROTOCOL)


def gateway(id: str = "g", owner: int = 0, silence: float = 0.0, protocol: int = PROTOCOL) -> GatewayHere:
    return GatewayHere(id, "gate", protocol, owner=owner, silence=silence)


SERVED, ALONE = gateway(owner=ACTIVE), gateway()


class Watch:
    """A node that stands by, whose own gateway is `own`, and everything that it hears."""

    def __init__(self) -> None:
        self.pulse = HandPulse()
        self.bus = HandBus()
        self.end = self.bus.end()
        self.hearing = Hearing(self.end, self.pulse, "own")

    def passes(self, seconds: float, *said: Here) -> None:
        """Meanwhile everybody says this, as often as nodes do."""
        for _ in range(round(seconds / HERE_EVERY)):
            self.pulse.next_due(self.pulse.now() + HERE_EVERY)
            for who in said:
                self.bus.publish(NODES, encode(who))
            self.bus.deliver()

    @property
    def misses(self) -> bool:
        return self.hearing.misses(ACTIVE)

    def missed_after(self, *said: Here) -> float | None:
        """So many seconds later the active node is missed; None: it is not."""
        began = self.pulse.now()
        for _ in range(60):
            if self.misses:
                return self.pulse.now() - began
            self.passes(HERE_EVERY, *said)
        return None


@pytest.fixture
def watch() -> Watch:
    """All has been well for a while."""
    watch = Watch()
    watch.passes(5.0, owner(), SERVED)
    assert not watch.misses
    return watch


def test_an_owner_that_gateways_do_not_hear_is_missed_within_two_seconds(watch: Watch) -> None:
    after = watch.missed_after(gateway(owner=ACTIVE, silence=1.2))
    assert after is not None
    assert 1.5 <= after < 2.0


def test_it_is_missed_by_a_gateway_that_has_given_it_up(watch: Watch) -> None:
    assert watch.missed_after(ALONE) == 1.5


def test_an_owner_that_is_heard_here_is_not_missed_whatever_gateways_say(watch: Watch) -> None:
    """One that reads its hall says from the first moment that it is there, and serves nobody yet."""
    assert watch.missed_after(owner(), ALONE) is None
    assert watch.missed_after(owner(ACTIVE + 1), ALONE) is None


def test_an_owner_that_a_gateway_hears_is_not_missed(watch: Watch) -> None:
    assert watch.missed_after(ALONE, gateway("h", owner=ACTIVE, silence=0.3)) is None


def test_a_gateway_that_went_with_the_owner_is_not_asked(watch: Watch) -> None:
    watch.passes(1.0, owner(), SERVED, gateway("h", owner=ACTIVE))
    assert watch.missed_after(ALONE) == 1.5


def test_nobody_is_missed_when_no_gateway_is_heard(watch: Watch) -> None:
    """NATS is gone, or the way to it from here, even if nobody has noticed."""
    assert watch.missed_after() is None


def test_a_gateway_of_the_same_process_and_one_of_another_version_say_nothing(watch: Watch) -> None:
    assert watch.missed_after(gateway("own"), gateway("old", protocol=PROTOCOL + 1)) is None


def test_nobody_is_missed_by_a_node_without_a_bus(watch: Watch) -> None:
    watch.passes(2.0, ALONE)
    assert watch.misses
    watch.end.connected = False
    assert watch.hearing.reaches_nobody
    assert not watch.misses


def after_a_break(watch: Watch) -> float | None:
    watch.end.connected = False
    watch.passes(0.25, ALONE)
    watch.end.connected = True
    watch.end.reconnects += 1
    assert not watch.hearing.reaches_nobody
    return watch.missed_after(ALONE)


def after_silence(watch: Watch) -> float | None:
    watch.passes(5.0)
    return watch.missed_after(ALONE)


@pytest.mark.parametrize("broken", [after_a_break, after_silence])
def test_after_a_fault_of_the_bus_an_owner_has_time_to_find_its_way_back(
    watch: Watch, broken: Callable[[Watch], float | None]
) -> None:
    after = broken(watch)
    assert after is not None
    assert after >= 3.0


def test_what_waited_on_the_way_is_no_silence(watch: Watch) -> None:
    """A NATS that was paused lets go of what gateways said meanwhile before it reads what the owner said."""
    watch.passes(4.0)
    for _ in range(16):
        watch.bus.publish(NODES, encode(ALONE))
    watch.bus.deliver()
    assert not watch.misses
    assert watch.missed_after(owner(), SERVED) is None


def test_a_node_that_has_just_come_misses_nobody_at_once() -> None:
    assert Watch().missed_after(ALONE) == 3.0


def test_the_words_of_an_owner_that_was_ended_are_not_those_of_the_active_one(watch: Watch) -> None:
    assert watch.missed_after(owner(ACTIVE - 1), gateway(owner=ACTIVE - 1)) == 1.5
    newcomer = Watch()
    newcomer.passes(3.0, owner(ACTIVE - 1), gateway(owner=ACTIVE - 1))
    assert newcomer.misses


def test_of_gateways_that_are_gone_nothing_is_kept(watch: Watch) -> None:
    for number in range(100):
        watch.passes(1.0, owner(), gateway(f"g{number}", owner=ACTIVE), SERVED)
    assert len(watch.hearing._gateways) <= 4


def test_only_those_of_the_same_wing_of_the_hall_are_heard(watch: Watch) -> None:
    """The owner and the gateways of another one say nothing of this, whatever their numbers are."""
    after = watch.missed_after(replace(owner(ACTIVE + 1), wing=1), replace(SERVED, wing=1), ALONE)
    assert after == 1.5
    watch.passes(3.0, owner(), SERVED)
    assert watch.missed_after(owner(), SERVED, replace(ALONE, wing=1)) is None


def test_nonsense_is_passed_over(watch: Watch) -> None:
    watch.bus.publish(NODES, b"nonsense")
    watch.bus.deliver()
    assert not watch.misses


# With an owner and gateways


def with_somebody_in_the_lobby(place: Town) -> Node:
    """At the first gateway. All has been well for a while."""
    node = place.open()
    place.guest("Ann").ask("lobby")
    place.advance(4.0)
    assert not node.owner.is_cut_off()
    return node


def seconds_to_drain(place: Town, node: Node) -> float:
    """There is something to be told."""
    node.hall.lobby.say(PersonId("bob"), "Bob", "Hello?")
    began = place.pulse.now()
    place.run_until(node.owner.drained(lambda: None))
    return place.pulse.now() - began


def test_an_owner_that_is_cut_off_knows_it_when_it_is_asked_and_hands_over_without_waiting() -> None:
    with town(gateways=2) as place:
        hearing = Hearing(place.bus.end(), place.pulse)
        node = with_somebody_in_the_lobby(place)
        player = place.player()
        node.bus.connected = False
        player.utter(type="join_room", data={"room": "den", "name": "Ann"})
        place.advance(1.4)
        assert not hearing.misses(node.number)
        place.advance(0.3)
        assert hearing.misses(node.number)
        assert node.owner.is_cut_off()
        assert node.owner.gateways == 2, "it has not given them up"
        assert seconds_to_drain(place, node) < 0.1
        node.owner.handed_over()
        place.kill()
        place.open()
        assert not player.closed
        assert any(message["type"] == "room_joined" for message in player.read())


def test_one_that_is_not_cut_off_waits_for_a_gateway_that_may_only_be_busy() -> None:
    with town(gateways=2) as place:
        node = with_somebody_in_the_lobby(place)
        place.lose(0)
        place.advance(1.5)
        assert node.owner.gateways == 2
        assert seconds_to_drain(place, node) > 0.3


def test_an_owner_that_is_heard_by_one_gateway_is_not_cut_off() -> None:
    with town(gateways=2) as place:
        node = place.open()
        place.lose(1)
        place.advance(1.9)
        assert not node.owner.is_cut_off()


def test_a_gateway_in_the_same_process_is_no_way_to_anybody() -> None:
    with town() as place:
        own = Owner("node", place.bus.end(), place.pulse, 1_000_000, place.gateways[0].id)
        own.begin(1)
        place.advance(1.0)
        assert own.gateways == 1
        assert own.is_cut_off()
        own.end()
