"""Garbage on the bus: whatever somebody publishes there, nodes go on, and keep nothing of it.

The bus by hand does not contain what a listener raises: that fails the test.
"""

import logging
from functools import partial
from random import Random

import pytest
from tests.cluster.support.town import Town, town
from tests.cluster.test_gateways import marks, place_mark, seated

from gamut.cluster.link import HEAD_SIZE, Link
from gamut.cluster.messages import (
    NODES,
    PROTOCOL,
    After,
    AllAttached,
    Frame,
    GatewayHere,
    Go,
    Hello,
    LetOut,
    OwnerHere,
    Say,
    encode,
    subject_of_gateway,
    subject_of_owner,
)
from gamut.cluster.owner import MOST_GATEWAYS

HUGE = 2**63 - 1
GATEWAY = subject_of_gateway("g0")
OWNER = subject_of_owner(1)
SUBJECTS = NODES, GATEWAY, OWNER


def _note(heard: list[tuple[str, bytes]], subject: str, packet: bytes) -> None:
    heard.append((subject, packet))


def published(place: Town, subject: str, *packets: bytes) -> None:
    for packet in packets:
        place.bus.publish(subject, packet)
    place.settle()


def link_of(place: Town) -> int:
    """The number of the gateway's link, which whoever listens on the bus can see."""
    return place.gateways[0]._link_number


def goes_on(place: Town) -> None:
    """The same players play on, and their gateway has attached them once."""
    players = seated(place)
    place.advance(3.0)
    place_mark(players[0], 0)
    place.settle()
    assert [marks(player.read()) for player in players] == [1, 1, 1]
    assert place.gateways[0].attached == 1
    assert place.node is not None
    assert place.node.owner.gateways == 1


def test_random_bytes_disturb_nobody(seed: int) -> None:
    chance = Random(seed)
    with town() as place:
        place.open()
        for size in (*range(HEAD_SIZE + 8), *(chance.randrange(5_000) for _ in range(200))):
            for subject in SUBJECTS:
                published(place, subject, chance.randbytes(size))
        goes_on(place)


def test_a_name_that_is_no_utf8_is_passed_over() -> None:
    with town() as place:
        place.open()
        published(place, NODES, encode(GatewayHere("g9", "x", PROTOCOL)).replace(b"x", b"\xe3"))
        published(place, NODES, encode(OwnerHere(2, "x", PROTOCOL)).replace(b"x", b"\xe3"))
        goes_on(place)


def test_real_packets_that_come_again_or_only_in_part_disturb_nobody(seed: int) -> None:
    chance = Random(seed)
    with town() as place:
        heard: list[tuple[str, bytes]] = []
        spy = place.bus.end()
        for subject in SUBJECTS:
            spy.subscribe(subject, partial(_note, heard, subject))
        place.open()
        seated(place, "cave")
        place.advance(1.0)
        spy.connected = False
        assert {subject for subject, _ in heard} == set(SUBJECTS)
        for subject, packet in chance.sample(heard, len(heard)):
            published(place, subject, packet, packet[: chance.randrange(len(packet))])
        goes_on(place)


@pytest.mark.parametrize(
    "unit",
    [
        b"",
        encode([]),
        encode(None),
        encode([None]),
        encode([[]]),
        encode([Say(b"x", [1]), LetOut(3)]),
        encode([After(1), Go()]),
        encode([AllAttached()]),
        encode([Frame(1, 1, 0, b"{}")]),
        encode([GatewayHere("g9", "x", PROTOCOL)]),
        encode([[99, 1]]),
        encode([["x"]]),
        b"\xdd\xff\xff\xff\xff",
        b"\x91" * 10_000,
        encode([Hello("x")]).replace(b"x", b"\xe3"),
    ],
)
def test_what_is_no_beginning_of_a_link_begins_none(unit: bytes) -> None:
    with town() as place:
        place.open()
        link = Link(HUGE, 0.0)
        link.say(unit)
        published(place, OWNER, *link.packets())
        goes_on(place)


@pytest.mark.parametrize("unit", [[Go(), After(1)], [Go(), LetOut(1)], [After(9), Go(), After(10)]])
def test_a_unit_with_something_out_of_place_breaks_the_link_and_everybody_is_attached_anew(
    unit: list[object],
) -> None:
    with town() as place:
        node = place.open()
        players = seated(place)
        (peer,) = node.owner._peers.values()
        peer.link.say(encode(unit))
        peer.link.say(encode([LetOut(9)]))
        peer.send()
        place.settle()
        place.advance(1.0)
        assert place.gateways[0].attached == 2
        place_mark(players[0], 0)
        place.settle()
        assert [marks(player.read()) for player in players] == [1, 1, 1]


def test_of_gateways_that_nobody_has_seen_before_only_so_many_are_remembered() -> None:
    with town() as place:
        node = place.open()
        for number in range(3 * MOST_GATEWAYS):
            place.bus.publish(NODES, encode(GatewayHere(f"false {number}", "x", PROTOCOL)))
        place.settle()
        assert len(node.owner._gateways) == MOST_GATEWAYS
        assert "g0" in node.owner._gateways, "which was there before them"
        place.advance(70.0)
        assert set(node.owner._gateways) == {"g0"}
        goes_on(place)


def test_only_so_many_gateways_are_linked_at_a_time() -> None:
    with town() as place:
        node = place.open()
        for number in range(MOST_GATEWAYS + 50):
            link = Link(HUGE - number, 0.0)
            link.say(encode([Hello(f"false {number}")]))
            place.bus.publish(OWNER, *link.packets())
        place.settle()
        assert node.owner.gateways == MOST_GATEWAYS
        place.advance(3.0)
        goes_on(place)


@pytest.mark.parametrize(
    "long", [GatewayHere("x" * 1_000, "x", PROTOCOL), GatewayHere("x", "y" * 1_000, PROTOCOL)]
)
def test_nobody_is_remembered_whose_name_is_endless(long: GatewayHere) -> None:
    with town() as place:
        node = place.open()
        published(place, NODES, encode(long))
        assert set(node.owner._gateways) == {"g0"}


def test_an_owner_that_does_not_exist_costs_a_pause_and_not_the_gateway() -> None:
    with town() as place:
        place.open()
        players = seated(place)
        published(place, NODES, encode(OwnerHere(HUGE, "false", PROTOCOL)))
        assert not place.gateways[0].is_open
        place.advance(3.0)
        assert place.gateways[0].node == 1
        assert place.gateways[0].is_open
        place_mark(players[0], 0)
        place.settle()
        assert [marks(player.read()) for player in players] == [1, 1, 1]
        place.kill()
        place.open()
        assert place.gateways[0].node == 2, "the next owner is found as ever"
        assert not any(player.closed for player in players)


def test_an_owner_that_was_ended_is_gone_back_to_by_nobody_who_has_heard_of_the_next() -> None:
    """It is behind: whoever is attached there would be told nothing new."""
    with town() as place:
        place.open()
        seated(place)
        place.kill()
        place.open()
        published(place, NODES, encode(OwnerHere(1, "ended", PROTOCOL)))
        assert place.gateways[0].node == 2
        published(place, NODES, encode(OwnerHere(HUGE, "false", PROTOCOL)))
        place.advance(2.2)
        published(place, NODES, encode(OwnerHere(1, "ended", PROTOCOL)))
        place.advance(0.5)
        assert place.gateways[0].node == 2


def test_owners_of_other_versions_do_not_fill_the_log(caplog: pytest.LogCaptureFixture) -> None:
    chance = Random(1)
    with town() as place, caplog.at_level(logging.ERROR):
        place.open()
        for _ in range(2_000):
            published(place, NODES, encode(OwnerHere(chance.randrange(HUGE), "other", PROTOCOL + 1)))
        assert len(caplog.records) < 30
        goes_on(place)


def test_whatever_becomes_of_the_bits_of_real_packets_both_ends_go_on(seed: int) -> None:
    """Whoever can do that has the password. Links may break, and people be hung up on; nodes stay as they are."""
    chance = Random(seed)
    with town() as place:
        heard: list[tuple[str, bytes]] = []
        spy = place.bus.end()
        for subject in SUBJECTS:
            spy.subscribe(subject, partial(_note, heard, subject))
        node = place.open()
        players = seated(place)
        place.advance(1.0)
        for turn in range(300):
            subject, packet = chance.choice(heard[-50:])
            if len(packet) > HEAD_SIZE and subject != NODES:
                wrong = bytearray(packet)
                wrong[0:8] = link_of(place).to_bytes(8, "little")
                wrong[chance.randrange(8, len(wrong))] ^= 1 << chance.randrange(8)
                published(place, subject, bytes(wrong))
            if turn % 10 == 0:
                place.advance(0.5)
        spy.connected = False
        assert node.alive
        place.advance(4.0)
        goes = seated(place, "another")
        place_mark(goes[0], 0)
        place.settle()
        assert [marks(player.read()) for player in goes] == [1, 1, 1]
        assert len(players) == 3
