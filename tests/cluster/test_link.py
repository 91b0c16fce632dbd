"""A link: what is said at one end is heard at the other exactly once and in order, or the link is broken."""

import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.cluster.support.link_world import LIMITS as SMALL
from tests.cluster.support.link_world import LinkWorld, Make, WrongLink

from gamut.cluster.link import AGAIN, CONTENT, HEAD_SIZE, LIMITS, MORE, Limits, Link, number_of

START = 100.0
NUMBER = 2**63 + 5


def packet(number: int = 0, ack: int = 0, flags: int = 0, content: bytes = b"", link: int = NUMBER) -> bytes:
    """As it is laid out, by hand."""
    return b"".join(value.to_bytes(8, "little") for value in (link, number, ack)) + bytes((flags,)) + content


def content(number: int, text: bytes = b"x", ack: int = 0, flags: int = 0) -> bytes:
    return packet(number, ack, CONTENT | flags, text)


def new(limits: Limits = LIMITS) -> Link:
    return Link(NUMBER, START, limits)


def pair(limits: Limits = LIMITS) -> tuple[Link, Link]:
    return new(limits), new(limits)


def said(link: Link, *messages: bytes) -> list[bytes]:
    """The packets that carry these messages."""
    for message in messages:
        link.say(message)
    return link.packets()


def heard(link: Link, packets: list[bytes], now: float = START) -> list[bytes]:
    return [message for packet in packets for message in link.heard(packet, now)]


def ticked(link: Link, now: float) -> list[bytes]:
    """The packets that are sent because of the time alone."""
    link.tick(now)
    return link.packets()


def listened_to(link: Link, now: float) -> None:
    """Something comes from the other end."""
    link.heard(packet(), now)


class TestMessages:
    def test_arrive_in_order(self) -> None:
        left, right = pair()
        assert heard(right, said(left, b"one", b"", b"two")) == [b"one", b"", b"two"]
        assert heard(left, said(right, b"three")) == [b"three"]

    def test_are_packets_of_one_layout(self) -> None:
        left, right = pair()
        assert said(left, b"one", b"two") == [content(1, b"one"), content(2, b"two")]
        assert heard(right, [content(1, b"one")]) == [b"one"]
        assert said(right, b"me") == [content(1, b"me", ack=1)]
        assert number_of(content(1)) == NUMBER
        assert number_of(content(1)[: HEAD_SIZE - 1]) is None

    def test_are_sent_once(self) -> None:
        left, _ = pair()
        assert len(said(left, b"one")) == 1
        assert left.packets() == []

    @pytest.mark.parametrize("size", [999, 1_000, 1_001, 2_000, 2_001, 12_345])
    def test_that_are_large_travel_in_parts_and_arrive_whole(self, size: int) -> None:
        left, right = pair(SMALL)
        message = bytes(range(256)) * 50
        packets = said(left, message[:size], b"next")
        assert len(packets) == -(-size // 1_000) + 1
        assert all(len(packet) <= 1_000 + HEAD_SIZE for packet in packets)
        assert heard(right, packets) == [message[:size], b"next"]

    def test_fit_into_what_nats_carries(self) -> None:
        left, right = pair()
        message = bytes(3_000_000)
        packets = said(left, message)
        assert max(map(len, packets)) < 1_000_000
        assert heard(right, packets) == [message]

    def test_of_another_link_are_not_for_this_one(self) -> None:
        link = new()
        assert link.heard(packet(1, 0, CONTENT, b"x", link=NUMBER + 1), START) == []
        assert link.heard(packet(1, 99, 255, b"x", link=NUMBER + 1), START) == []
        for step in range(1, 10):
            link.heard(packet(link=NUMBER + 1), START + step / 4)
            link.tick(START + step / 4)
        assert link.broken == "silence"

    def test_that_come_twice_are_heard_once(self) -> None:
        left, right = pair(SMALL)
        packets = said(left, b"one", bytes(1_500))
        assert heard(right, [packets[0], *packets, *packets]) == [b"one", bytes(1_500)]
        assert right.doubled == 4
        assert right.gaps == 0


class TestGaps:
    def test_what_follows_a_gap_is_dropped_and_all_of_it_asked_for_at_once(self) -> None:
        left, right = pair()
        packets = said(left, b"one", b"two", b"three", b"four")
        assert heard(right, [packets[0], packets[2], packets[3]]) == [b"one"]
        assert right.gaps == 1
        assert right.packets() == [packet(0, 1, AGAIN)]

    def test_are_closed_by_sending_again_all_that_follows(self) -> None:
        left, right = pair()
        packets = said(left, b"one", b"two", b"three")
        heard(right, [packets[0], packets[2]])
        assert heard(left, right.packets(), START) == []
        assert heard(right, left.packets()) == [b"two", b"three"]
        assert left.repeated == 2

    def test_what_is_said_now_follows_what_is_sent_again(self) -> None:
        left, right = pair()
        packets = said(left, b"one", b"two")
        left.say(b"three")
        heard(right, packets[1:])
        heard(left, right.packets())
        left.say(b"four")
        assert heard(right, left.packets()) == [b"one", b"two", b"three", b"four"]
        assert left.repeated == 2

    def test_are_asked_about_once_and_then_by_ticks(self) -> None:
        right, now = new(), START + 0.2
        heard(right, [content(2)], now)
        assert right.packets() == [packet(0, 0, AGAIN)]
        heard(right, [content(3), content(4)], now + 0.01)
        assert right.packets() == []
        assert ticked(right, now + 0.04) == []
        assert ticked(right, now + 0.06) == [packet(0, 0, AGAIN)]
        assert ticked(right, now + 0.12) == [packet(0, 0, AGAIN)]
        assert right.gaps == 1
        heard(right, [content(1), content(2), content(4)], now + 0.13)
        assert right.packets() == [packet(0, 2, AGAIN)]
        assert right.gaps == 2

    def test_that_are_closed_are_asked_about_no_more(self) -> None:
        right = new()
        heard(right, [content(2)])
        right.packets()
        heard(right, [content(1), content(2)])
        assert ticked(right, START + 0.1) == [packet(0, 2)]
        assert ticked(right, START + 0.2) == []

    def test_the_question_travels_with_what_is_said(self) -> None:
        right = new()
        heard(right, [content(2)])
        assert said(right, b"me") == [content(1, b"me", flags=AGAIN)]

    def test_a_lost_last_packet_is_noticed_by_the_next_sign_of_life(self) -> None:
        left, right = pair()
        said(left, b"lost")
        sign = ticked(left, START + 0.25)
        assert sign == [packet(1, 0)]
        heard(right, sign, START + 0.25)
        assert right.gaps == 1
        heard(left, right.packets(), START + 0.25)
        assert heard(right, left.packets()) == [b"lost"]

    def test_packets_are_sent_again_only_so_often_and_ever_less_often_in_vain(self) -> None:
        left = new(Limits(repeat_after=4 / 64, longest_repeat_after=32 / 64))
        said(left, b"one")
        sent = []
        for step in range(1, 200):
            now = START + step / 64
            left.heard(packet(0, 0, AGAIN), now)
            if left.packets():
                sent.append(step)
        assert left.repeated == len(sent)
        assert sent == [1, 9, 25, 57, 89, 121, 153, 185]

    def test_after_progress_packets_are_sent_again_sooner(self) -> None:
        left = new()
        said(left, b"one", b"two")
        for now in (START, START + 0.11, START + 0.32):
            left.heard(packet(0, 0, AGAIN), now)
            assert left.packets()
        left.heard(packet(0, 1, AGAIN), START + 0.38)
        assert left.packets() == [content(2, b"two")]

    def test_an_old_question_is_not_answered(self) -> None:
        left = new()
        said(left, b"one", b"two")
        left.heard(packet(0, 1), START)
        left.heard(packet(0, 0, AGAIN), START)
        assert left.packets() == []

    def test_a_question_without_need_does_not_delay_the_answer_to_the_next(self) -> None:
        left = new()
        left.heard(packet(0, 0, AGAIN), START)
        said(left, b"one")
        left.heard(packet(0, 0, AGAIN), START)
        assert left.packets() == [content(1, b"one")]


class TestAcknowledgements:
    def test_free_what_was_kept(self) -> None:
        left, right = pair()
        heard(right, said(left, b"one", b"two"))
        assert left.unacknowledged == 2 * (HEAD_SIZE + 3)
        heard(left, said(right, b"me"))
        assert left.unacknowledged == 0

    def test_come_with_the_next_tick_if_nothing_is_said(self) -> None:
        right, now = new(), START + 0.2
        heard(right, [content(1)], now)
        assert right.packets() == []
        assert ticked(right, now + 0.01) == []
        assert ticked(right, now + 0.03) == [packet(0, 1)]
        assert ticked(right, now + 0.06) == []

    def test_come_at_once_after_64_packets_or_256_kib(self) -> None:
        right = new()
        heard(right, [content(number) for number in range(1, 64)])
        assert right.packets() == []
        heard(right, [content(64)])
        assert right.packets() == [packet(0, 64)]
        heard(right, [content(65, bytes(200_000))])
        assert right.packets() == []
        heard(right, [content(66, bytes(70_000))])
        assert right.packets() == [packet(0, 66)]
        heard(right, [content(67, bytes(200_000))])
        assert right.packets() == []

    def test_are_not_owed_for_what_was_dropped(self) -> None:
        right = new()
        heard(right, [content(number, bytes(9_000)) for number in range(2, 99)])
        assert right.packets() == [packet(0, 0, AGAIN)]

    def test_that_come_late_take_nothing_back(self) -> None:
        left = new()
        said(left, b"one", b"two")
        heard(left, [packet(0, 2), packet(0, 1)])
        assert left.unacknowledged == 0
        assert left.broken is None


class TestSilence:
    def test_of_two_seconds_breaks_the_link(self) -> None:
        link = new()
        for step in range(1, 34):
            assert link.broken is None
            link.tick(START + step / 16)
        assert link.broken == "silence"

    def test_begins_anew_with_each_packet_heard(self) -> None:
        link = new()
        for step in range(1, 100):
            if step % 19 == 0:
                listened_to(link, START + step / 10)
            link.tick(START + step / 10)
        assert link.broken is None

    def test_does_not_come_over_two_idle_ends(self) -> None:
        left, right = pair()
        packets = 0
        for step in range(1, 200):
            now = START + step / 20
            for one, other in ((left, right), (right, left)):
                sent = ticked(one, now)
                packets += len(sent)
                heard(other, sent, now)
        assert left.broken is None
        assert right.broken is None
        assert packets == 2 * 39, "one each 250 ms"

    def test_is_no_sign_of_life_needed_while_there_is_talk(self) -> None:
        link = new()
        for step in range(1, 30):
            listened_to(link, START + step / 20)
            assert ticked(link, START + step / 20) == []
            said(link, b"x")

    def test_a_process_that_was_frozen_hears_first_what_has_waited(self) -> None:
        link = new()
        link.tick(START + 0.1)
        link.tick(START + 60)
        assert link.broken is None
        assert heard(link, [content(1, b"waited")], START + 60) == [b"waited"]
        link.tick(START + 60.1)
        assert link.broken is None

    def test_after_a_freeze_breaks_the_link_if_nothing_has_waited(self) -> None:
        link = new()
        link.tick(START + 60)
        for step in range(1, 30):
            assert link.broken is None
            link.tick(START + 60 + step / 16)
        assert link.broken == "silence"

    def test_before_a_freeze_is_forgotten_if_something_has_waited(self) -> None:
        link = new()
        for step in range(1, 32):
            link.tick(START + step / 16)
        link.tick(START + 60)
        listened_to(link, START + 60)
        link.tick(START + 60.1)
        assert link.broken is None

    def test_is_not_made_of_ticks_that_come_late_one_after_the_other(self) -> None:
        link = new()
        for step in range(1, 10):
            assert link.broken is None
            link.tick(START + step)
        assert link.broken == "silence"


class TestBounds:
    def test_more_than_4_mib_unacknowledged_breaks_the_link(self) -> None:
        link = new()
        for _ in range(15):
            said(link, bytes(262_144))
        assert link.broken is None
        said(link, bytes(262_144))
        assert link.broken == "overflow"

    def test_empty_messages_count_too(self) -> None:
        link = new(Limits(unacknowledged=1_000))
        for _ in range(1_000 // HEAD_SIZE):
            link.say(b"")
        assert link.broken is None
        link.say(b"")
        assert link.broken == "overflow"

    def test_one_message_may_be_larger_than_all_that_may_be_on_its_way(self) -> None:
        left, right = pair()
        large, more = bytes(10_000_000), bytes(4_000_000)
        assert heard(right, said(left, large, more)) == [large, more]
        assert left.broken is None
        heard(left, right.packets())
        assert left.unacknowledged == 0
        said(left, more, more)
        assert left.broken is None
        said(left, more)
        assert left.broken == "overflow", "the large one is acknowledged and gives no more room"

    def test_two_such_messages_break_it(self) -> None:
        link = new()
        said(link, bytes(10_000_000), bytes(10_000_000))
        assert link.broken == "overflow"

    def test_a_message_that_the_other_end_would_not_take_breaks_it(self) -> None:
        link = new(Limits(packet=10, message=100))
        link.say(bytes(100))
        assert link.broken is None
        link.say(bytes(101))
        assert link.broken == "overflow"

    def test_a_message_that_never_ends_breaks_it(self) -> None:
        link = new(Limits(packet=10, message=100))
        heard(link, [content(number, bytes(10), flags=MORE) for number in range(1, 11)])
        assert link.broken is None
        heard(link, [content(11, b"x")])
        assert link.broken == "nonsense"

    def test_a_broken_link_takes_keeps_and_says_nothing(self) -> None:
        link = new()
        said(link, b"kept")
        link.say(b"not sent")
        link.heard(b"", START)
        assert link.broken == "nonsense"
        link.say(b"more")
        assert link.heard(content(1), START) == []
        assert ticked(link, START + 9) == []
        assert link.unacknowledged == 0
        assert link.broken == "nonsense"


class TestNonsense:
    @pytest.mark.parametrize(
        "data",
        [
            b"",
            packet()[:-1],
            packet(flags=8),
            packet(flags=128),
            packet(1, flags=CONTENT | 8),
            packet(flags=MORE),
            packet(content=b"x"),
            packet(flags=AGAIN, content=b"x"),
            packet(0, flags=CONTENT, content=b"x"),
            packet(ack=3),
            content(1, ack=2**64 - 1),
        ],
    )
    def test_breaks_the_link(self, data: bytes) -> None:
        link = new()
        said(link, b"one", b"two")
        assert link.heard(data, START) == []
        assert link.broken == "nonsense"

    def test_what_was_said_and_not_sent_cannot_be_acknowledged(self) -> None:
        link = new()
        link.say(b"one")
        link.heard(packet(ack=1), START)
        assert link.broken == "nonsense"

    @given(
        st.lists(
            st.one_of(
                st.binary(max_size=60),
                st.builds(
                    packet,
                    number=st.integers(0, 4) | st.integers(0, 2**64 - 1),
                    ack=st.integers(0, 3) | st.integers(0, 2**64 - 1),
                    flags=st.integers(0, 7) | st.integers(0, 255),
                    content=st.binary(max_size=40),
                ),
                st.builds(
                    content, st.integers(1, 4), st.binary(max_size=40), st.integers(0, 2), st.just(MORE)
                ),
            ),
            max_size=20,
        )
    )
    def test_no_bytes_do_more_than_break_it_or_make_it_grow_by_more_than_they_are(
        self, packets: list[bytes]
    ) -> None:
        link = new(Limits(packet=50, message=100))
        said(link, b"one", b"two")
        came = 0
        for step, data in enumerate(packets):
            now = START + step / 10
            came += len(data)
            assert sum(map(len, heard(link, [data], now))) <= came
            assert sum(map(len, ticked(link, now))) <= 2 * HEAD_SIZE + 6
            assert link.broken in (None, "nonsense")


# Enough for each broken link below to be found, and for each kind of weather to come together with each other kind.
WORLDS = range(60)


@pytest.mark.parametrize("ordered", [True, False])
def test_in_any_weather_all_arrives_once_and_in_order_or_the_link_breaks(ordered: bool) -> None:
    worlds = [LinkWorld(seed, ordered=ordered) for seed in WORLDS]
    for world in worlds:
        world.run()
    links = [end.link for world in worlds for end in world.ends]
    assert sum(world.broken for world in worlds) < len(worlds) / 4
    assert any(world.broken for world in worlds)
    assert sum(link.gaps for link in links) > 500
    assert sum(link.repeated for link in links) > 500
    assert sum(link.doubled for link in links) > 500


@pytest.mark.slow
@pytest.mark.parametrize("ordered", [True, False])
def test_in_much_weather_all_arrives_once_and_in_order_or_the_link_breaks(ordered: bool) -> None:
    for seed in range(len(WORLDS), 10 * len(WORLDS)):
        LinkWorld(seed, ordered=ordered).run()


class Forgetful(Link):
    """Hands out again what it has heard before."""

    def heard(self, packet: bytes, now: float) -> list[bytes]:
        number = int.from_bytes(packet[8:16], "little")
        if packet[24] & CONTENT and number <= self._heard:
            self._heard = number - 1
        return super().heard(packet, now)


class Careless(Link):
    """Takes what follows a gap."""

    def heard(self, packet: bytes, now: float) -> list[bytes]:
        number = int.from_bytes(packet[8:16], "little")
        if packet[24] & CONTENT and number > self._heard:
            self._heard = number - 1
        return super().heard(packet, now)


class Hasty(Link):
    """Acknowledges whatever has arrived, before it can be handed out."""

    def packets(self) -> list[bytes]:
        heard, self._heard = self._heard, max(self._heard, self._shown)
        packets = super().packets()
        self._heard = heard
        return packets


class Deaf(Link):
    """Sends nothing again."""

    def heard(self, packet: bytes, now: float) -> list[bytes]:
        return super().heard(packet[:24] + bytes((packet[24] & ~AGAIN,)) + packet[25:], now)


class Discreet(Link):
    """Does not say in its signs of life what it has said last."""

    def packets(self) -> list[bytes]:
        return [
            packet if packet[24] & CONTENT else packet[:8] + bytes(8) + packet[16:]
            for packet in super().packets()
        ]


class Impatient(Link):
    """Looks at the clock alone, and gives up before it has heard what waits."""

    def tick(self, now: float) -> None:
        self._silent += now - self._now
        self._now = now
        super().tick(now)


class Taciturn(Link):
    """Says nothing unless it has something to say."""

    def tick(self, now: float) -> None:
        self._said_at = now
        super().tick(now)


class Scatterbrained(Link):
    """Asks about a gap once and never again."""

    def tick(self, now: float) -> None:
        self._asked_at = now
        super().tick(now)


@pytest.mark.parametrize("ordered", [True, False])
@pytest.mark.parametrize(
    "broken", [Forgetful, Careless, Hasty, Deaf, Discreet, Impatient, Taciturn, Scatterbrained]
)
def test_a_link_that_is_broken_on_purpose_is_noticed(broken: Make, ordered: bool) -> None:
    with pytest.raises(WrongLink):
        for seed in WORLDS:
            LinkWorld(seed, ordered=ordered, make=broken).run()
