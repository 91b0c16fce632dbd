"""One connection cannot take the server's time: every frame counts, and others get their turn."""

import asyncio
from collections import Counter
from collections.abc import Callable, Coroutine
from time import monotonic
from typing import Any

import pytest
from tests.hall.support.townsfolk import Clock
from tests.net.support.echo import Echo, Line, closed_with, frame, whole

from gamut.hall.ids import Millis
from gamut.hall.limits.attempts import Attempts, Limit
from gamut.net.port.connection import Admission
from gamut.net.port.connections import Connections
from gamut.net.port.limits import ConnectionLimits, TurnedAway
from gamut.net.settings import Settings
from gamut.net.websocket.frames import BINARY, CLOSE, PING, PONG, TEXT
from gamut.net.websocket.handshake import HandshakeRefused

STRICT = {"message_rate": 1, "message_burst": 20}
"""Twenty messages, or eighty small frames; hardly any more come back while a test runs."""


def scene(story: Callable[[], Coroutine[Any, Any, None]]) -> None:
    asyncio.run(story())


@pytest.mark.parametrize("control", [PING, PONG], ids=["pings", "pongs"])
def test_a_flood_of_control_frames_ends_the_connection(control: int) -> None:
    async def story() -> None:
        line = Line(**STRICT)
        await line.send(whole(control, b"x") * 1000)
        said = line.said
        assert closed_with(said) == 1008
        assert len(said) - 1 <= (90 if control == PING else 0), (
            "those in time were answered, the others were not"
        )
        assert line.session.told == ["flooded"]
        assert line.hits["frame_rate"] == 100
        assert line.paused, "nothing more is read"

    scene(story)


@pytest.mark.parametrize(
    "pieces", [frame(0) * 1000, frame(0, b"x") * 1000], ids=["empty continuations", "a byte at a time"]
)
def test_a_flood_of_fragments_is_answered_as_messages_are_and_ends_the_connection(pieces: bytes) -> None:
    async def story() -> None:
        line = Line(**STRICT)
        await line.send(frame(TEXT, b"begun") + pieces + frame(0x80, b"done"))
        assert closed_with(line.said) == 1008
        assert line.session.told == ["rate_limited"] * 100 + ["flooded"]
        assert line.session.heard == []
        assert line.hits["frame_rate"] == 100

    scene(story)


def test_a_flood_of_empty_messages_ends_the_connection() -> None:
    async def story() -> None:
        line = Line(**STRICT)
        await line.send(whole(TEXT) * 1000)
        assert closed_with(line.said) == 1008
        assert len(line.session.heard) <= 21
        assert line.session.told == ["rate_limited"] * 100 + ["flooded"]

    scene(story)


def test_a_message_that_lost_a_fragment_is_not_told_and_the_next_one_is() -> None:
    async def story() -> None:
        line = Line(**STRICT)
        rate = line.socket._rate
        assert rate is not None
        assert rate.take(monotonic(), 19.5), "half a message is left"
        await line.send(frame(TEXT, b"one, ") + frame(0, b"two, ") + frame(0, b"three, "))
        assert line.session.told == ["rate_limited"], "the first two pieces were in time"
        rate._full_at = 0.0
        await line.send(frame(0x80, b"four"), whole(TEXT, b"next"))
        assert line.session.heard == [b"next"]

    scene(story)


def test_others_get_their_turn_while_one_write_of_many_frames_is_dealt_with() -> None:
    async def story() -> None:
        line, other = Line(), Line()
        line.socket.data_received(whole(TEXT, b"x") * 1000)
        assert len(line.session.heard) == 16
        assert line.paused, "and nothing more is read meanwhile"
        turns = 0
        while line.paused:
            turns += 1
            heard = len(line.session.heard)
            await other.send(whole(TEXT, b"y"))
            await asyncio.sleep(0)
            assert len(line.session.heard) - heard <= 16
        assert len(line.session.heard) == 1000
        assert len(other.session.heard) == turns >= 1000 // 16

    scene(story)


def test_what_comes_while_something_is_waited_for_is_not_read_and_comes_in_order() -> None:
    async def story() -> None:
        line = Line()
        gate = asyncio.Event()

        async def wait() -> None:
            await gate.wait()

        line.session.wait = wait
        line.socket.data_received(whole(TEXT, b"1") + whole(BINARY, b"2") + whole(PING) + frame(TEXT, b"3"))
        assert line.session.heard == [b"1"]
        assert line.paused
        line.session.wait = None
        gate.set()
        await line.send(frame(0x80, b"!"))
        assert line.session.heard == [b"1", b"2", b"3!"]
        assert not line.paused

    scene(story)


def test_what_was_said_before_hanging_up_is_heard() -> None:
    async def story() -> None:
        line = Line()
        line.socket.data_received(whole(TEXT, b"x") * 40)
        line.close()
        for _ in range(10):
            await asyncio.sleep(0)
        assert len(line.session.heard) == 40
        assert line.session.told == ["closed"]

    scene(story)


@pytest.mark.parametrize("size", [1, 40])
def test_nothing_that_is_said_after_we_hung_up_is_heard(size: int) -> None:
    async def story() -> None:
        line = Line()
        await line.send(whole(TEXT, b"before"))
        line.socket.close(4001, "logged out")
        await line.send(whole(TEXT, b"after") * size, frame(TEXT, b"af"), frame(0x80, b"ter"), whole(PING))
        assert line.session.heard == [b"before"]
        assert closed_with(line.said) == 4001, "nor is a ping answered"
        assert not line.closing
        await line.send(whole(CLOSE, b"\x0f\xa1"))
        assert line.closing, "both have said goodbye"
        assert closed_with(line.said) == 4001

    scene(story)


def test_nothing_in_the_same_write_is_heard_after_we_hung_up() -> None:
    async def story() -> None:
        line = Line()

        async def hang_up() -> None:
            line.socket.close(4001, "logged out")

        line.session.wait = hang_up
        await line.send(whole(TEXT, b"before") + whole(TEXT, b"after"))
        await asyncio.sleep(0)
        await line.send(whole(TEXT, b"later"))
        assert line.session.heard == [b"before"]

    scene(story)


def test_whoever_goes_on_and_on_after_we_hung_up_is_cut_off() -> None:
    async def story() -> None:
        line = Line(**STRICT)
        line.socket.close(1000, "goodbye")
        await line.send(whole(TEXT, b"x") * 1000)
        assert line.closing
        assert line.session.heard == []
        assert line.hits == {"frame_rate": 1}

    scene(story)


@pytest.mark.parametrize("limits", [{"message_bytes": 4096}, {"largest": 4096}], ids=str)
def test_a_message_that_is_too_big_is_told_once_and_what_follows_means_nothing(
    limits: dict[str, int],
) -> None:
    async def story() -> None:
        line = Line(**limits)
        await line.send(whole(TEXT, bytes(4097)) + whole(TEXT, b"more"), whole(TEXT, bytes(5000)))
        assert line.session.told == ["oversized"]
        assert line.session.heard == []
        assert closed_with(line.said) == 1009
        await line.send(whole(CLOSE))
        assert line.closing

    scene(story)


def test_one_address_comes_in_so_often() -> None:
    async def story() -> None:
        hits: Counter[str] = Counter()
        clock = Clock()
        limits = ConnectionLimits(9, 9, TurnedAway(hits))
        sockets = Connections(Settings(), hits, limits, Attempts(Limit(2, Millis(10_000)), clock))

        def comes(address: str) -> None:
            sockets.check(Admission("echo", address, Echo, 4096))

        comes("2001:db8::1")
        comes("2001:db8::2")
        with pytest.raises(HandshakeRefused) as turned_away:
            comes("2001:db8::3")
        assert turned_away.value.status == 429
        assert turned_away.value.headers["Retry-After"] == "5"
        comes("2001:db8:0:1::1")
        for _ in range(4):
            comes("127.0.0.1")
        clock.forward(5_000)
        comes("2001:db8::3")
        assert hits == {"handshake_rate": 1}

    scene(story)
