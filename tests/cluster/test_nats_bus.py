"""The bus over a real NATS, which comes, goes, hangs, refuses and forbids; and over servers that are worse."""

import asyncio
import logging
import subprocess
import sys
import tracemalloc
from collections.abc import AsyncIterator, Callable, Coroutine, Iterator
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any, Self

import pytest
import uvloop
from tests.conftest import Contained
from tests.support.nats import Nats

from gamut.cluster.bus import BusError
from gamut.cluster.nats_bus import NatsBus
from gamut.cluster.opening import open_bus
from gamut.hall.faults import Faults

Story = Coroutine[Any, Any, None]

PATIENCE = 20
_TLS = Path(__file__).parents[1] / "net" / "support" / "tls"
_MIB = 1024 * 1024
_GREETING = b'INFO {"max_payload":1048576}\r\n'


@pytest.fixture(name="run")
def _run(request: pytest.FixtureRequest) -> Callable[[Story], None]:
    """To the end, where nothing may be left under way. On the product's loop, unless a test wants both."""
    run = getattr(request, "param", uvloop.run)

    async def whole(story: Story) -> None:
        await story
        assert asyncio.all_tasks() == {asyncio.current_task()}

    return lambda story: run(whole(story))


on_both_loops = pytest.mark.parametrize(
    "run", [asyncio.run, uvloop.run], ids=["asyncio", "uvloop"], indirect=True
)


@pytest.fixture
def own() -> Iterator[Nats]:
    """A server for a test that ends it."""
    with Nats() as nats:
        yield nats


@asynccontextmanager
async def opened(url: str, faults: Faults | None = None) -> AsyncIterator[NatsBus]:
    bus = await open_bus(url, faults or Faults())
    try:
        yield bus
    finally:
        await bus.close()
        assert not bus.connected


def hears(bus: NatsBus, subject: str = "news") -> list[bytes]:
    heard: list[bytes] = []
    bus.subscribe(subject, heard.append)
    return heard


async def eventually(happened: Callable[[], bool]) -> None:
    async with asyncio.timeout(PATIENCE):
        while not happened():  # noqa: ASYNC110 - nobody tells of it
            await asyncio.sleep(0.001)


async def reaches(bus: NatsBus, heard: list[bytes], subject: str = "news") -> None:
    """What is published again and again is heard at some time."""
    heard.clear()

    def is_heard() -> bool:
        bus.publish(subject, b"again")
        return bool(heard)

    await eventually(is_heard)


def lines(caplog: pytest.LogCaptureFixture) -> list[str]:
    return [record.getMessage() for record in caplog.records if record.levelno >= logging.WARNING]


@on_both_loops
def test_what_is_published_is_heard_in_order(nats: Nats, run: Callable[[Story], None]) -> None:
    packets = [b"", b"PUB x 1\r\n", bytes(range(256)), b"x" * 512 * 1024, *(b"%d" % n for n in range(1000))]

    async def story() -> None:
        async with opened(nats.url()) as one, opened(nats.url()) as other:
            heard, also_heard, elsewhere = hears(one), hears(other), hears(one, "other")
            await reaches(one, also_heard)
            await reaches(other, heard)
            for packet in packets:
                other.publish("news", packet)
            await eventually(lambda: heard[-1] == also_heard[-1] == packets[-1])
            for everything in (heard, also_heard):
                assert [packet for packet in everything if packet != b"again"] == packets
            assert elsewhere == []
            assert not one.lost
            assert not other.lost

    run(story())


def test_each_of_several_who_listen_hears_a_packet_once_until_it_does_not_listen(
    nats: Nats, run: Callable[[Story], None]
) -> None:
    async def story() -> None:
        async with opened(nats.url()) as one, opened(nats.url()) as other:
            first, second, leaves = hears(one), hears(one), list[bytes]()
            one.subscribe("news", leaves.append)
            await reaches(other, first)
            other.publish("news", b"to three")
            await eventually(lambda: b"to three" in leaves)
            one.unsubscribe("news", leaves.append)
            other.publish("news", b"to two")
            await eventually(lambda: first[-1] == second[-1] == b"to two")
            assert [packet for packet in first if packet != b"again"] == [b"to three", b"to two"]
            assert [packet for packet in second if packet != b"again"] == [b"to three", b"to two"]
            assert [packet for packet in leaves if packet != b"again"] == [b"to three"]

    run(story())


def test_two_clusters_on_one_nats_do_not_hear_each_other(nats: Nats, run: Callable[[Story], None]) -> None:
    async def story() -> None:
        async with opened(nats.url("one")) as one, opened(nats.url("two")) as two:
            in_one, in_two = hears(one), hears(two)
            await reaches(one, in_one)
            await reaches(two, in_two)
            in_one.clear()
            two.publish("news", b"of two")
            await eventually(lambda: b"of two" in in_two)
            one.publish("news", b"of one")
            await eventually(lambda: b"of one" in in_one)
            assert b"of two" not in in_one
            assert b"of one" not in in_two

    run(story())


def test_what_was_published_before_the_end_arrives(nats: Nats, run: Callable[[Story], None]) -> None:
    async def story() -> None:
        async with opened(nats.url()) as stays:
            heard = hears(stays)
            await reaches(stays, heard)
            async with opened(nats.url()) as leaves:
                for _ in range(8):
                    leaves.publish("news", b"x" * 512 * 1024)
                leaves.publish("news", b"good-bye")
            await eventually(lambda: b"good-bye" in heard)

    run(story())


@on_both_loops
def test_after_a_restart_everybody_is_heard_again_with_nothing_done(
    own: Nats, run: Callable[[Story], None], caplog: pytest.LogCaptureFixture
) -> None:
    async def story() -> None:
        async with opened(own.url()) as one, opened(own.url()) as other:
            heard = hears(other)
            for restarts in (1, 2):
                await reaches(one, heard)
                own.restart()
                await eventually(lambda: not one.connected and not other.connected)
                await eventually(lambda: one.connected and other.connected)
                assert (one.reconnects, other.reconnects) == (restarts, restarts)
            await reaches(one, heard)

    run(story())
    assert sorted(lines(caplog)) == 4 * ["NATS answers again"] + 4 * ["NATS does not answer"]


def test_a_node_may_start_before_nats_does(own: Nats, run: Callable[[Story], None]) -> None:
    own.kill()

    async def story() -> None:
        async with opened(own.url()) as bus:
            heard = hears(bus)
            assert not bus.connected
            bus.publish("news", b"to nobody")
            assert bus.lost == {"not connected": 1}
            own.start()
            await reaches(bus, heard)
            assert heard[0] == b"again"

    run(story())


def test_of_several_servers_one_is_enough(own: Nats, nats: Nats, run: Callable[[Story], None]) -> None:
    async def story() -> None:
        url = f"nats://127.0.0.1:{own.port},127.0.0.1:{nats.port}"
        async with opened(url) as bus:
            heard = hears(bus)
            await reaches(bus, heard)
            own.kill()
            await eventually(lambda: not bus.connected)
            await reaches(bus, heard)

    run(story())


@on_both_loops
def test_while_nats_hangs_publishing_neither_waits_nor_fills_the_memory_and_it_is_noticed(
    own: Nats, run: Callable[[Story], None]
) -> None:
    packet = b"x" * 65_536

    async def story() -> None:
        async with opened(own.url()) as bus:
            heard = hears(bus)
            await reaches(bus, heard)
            tracemalloc.start()
            with own.paused():
                for number in range(200 * _MIB // len(packet)):
                    bus.publish("news", packet)
                    if number % 10 == 0:
                        await asyncio.sleep(0)
                assert tracemalloc.get_traced_memory()[1] < 40 * _MIB
                assert bus.lost["too much waits"] > 1000
                async with asyncio.timeout(8):
                    await eventually(lambda: not bus.connected)
                await eventually(lambda: tracemalloc.get_traced_memory()[0] < 4 * _MIB)
            tracemalloc.stop()
            await reaches(bus, heard)

    run(story())


def test_a_bus_closes_while_nats_hangs(own: Nats, run: Callable[[Story], None]) -> None:
    async def story() -> None:
        async with opened(own.url()) as bus:
            await eventually(lambda: bus.connected)
            with own.paused():
                for _ in range(1000):
                    bus.publish("news", b"x" * 65_536)
                    await asyncio.sleep(0)
                async with asyncio.timeout(8):
                    await bus.close()

    run(story())


def test_what_is_longer_than_nats_takes_is_lost_alone(nats: Nats, run: Callable[[Story], None]) -> None:
    async def story() -> None:
        async with opened(nats.url()) as bus:
            heard = hears(bus)
            await reaches(bus, heard)
            bus.publish("news", b"x" * (_MIB + 1))
            bus.publish("news", b"next")
            await eventually(lambda: b"next" in heard)
            assert bus.lost == {"too long": 1}
            assert bus.reconnects == 0

    run(story())


def test_a_refused_log_in_is_one_line_without_the_password(run: Callable[[Story], None]) -> None:
    async def story() -> None:
        with Nats(locked=True) as locked:
            async with opened(locked.url()) as bus:
                await reaches(bus, hears(bus))
            for log_in in ("gamut:secret@", "secret@", ""):
                with pytest.raises(BusError) as refused:
                    await open_bus(f"nats://{log_in}127.0.0.1:{locked.port}", Faults())
                said = f"nats://127.0.0.1:{locked.port}/gamut refuses this user or password."
                assert str(refused.value) == said

    run(story())


def test_a_token_lets_in(run: Callable[[Story], None]) -> None:
    async def story() -> None:
        with Nats(settings={"authorization": {"token": "s3/cret"}}) as nats:
            async with opened(f"nats://s3%2Fcret@127.0.0.1:{nats.port}") as bus:
                await reaches(bus, hears(bus))

    run(story())


def test_a_log_in_refused_later_is_tried_on_and_said_once(
    run: Callable[[Story], None], caplog: pytest.LogCaptureFixture
) -> None:
    async def story() -> None:
        with Nats(locked=True) as nats:
            async with opened(nats.url()) as bus:
                heard = hears(bus)
                right, nats.password = nats.password, "another"
                nats.restart()
                await eventually(lambda: nats.log.count("authentication error") >= 3)
                nats.password = right
                nats.restart()
                await reaches(bus, heard)
        assert right is not None
        assert right not in caplog.text

    run(story())
    assert lines(caplog) == ["NATS does not answer", "NATS refuses the log-in", "NATS answers again"]


def test_a_forbidden_subject_is_said_once_and_the_others_go_on(
    run: Callable[[Story], None], caplog: pytest.LogCaptureFixture
) -> None:
    allowed = {"user": "a", "password": "b", "permissions": {"publish": "gamut.*.news"}}

    async def story() -> None:
        with Nats(settings={"authorization": {"users": [allowed]}}) as nats:
            async with opened(f"nats://a:b@127.0.0.1:{nats.port}") as bus:
                heard = hears(bus)
                for _ in range(5):
                    bus.publish("secrets", b"")
                await reaches(bus, heard)
                assert bus.reconnects == 0

    run(story())
    assert lines(caplog) == ["NATS forbids a subject"]


@pytest.mark.faults
def test_a_fault_of_whoever_hears_is_contained(
    nats: Nats, run: Callable[[Story], None], contained: Contained
) -> None:
    def fail(_: bytes) -> None:
        raise RuntimeError("cannot hear")

    async def story() -> None:
        faults = Faults()
        async with opened(nats.url(), faults) as bus:
            bus.subscribe("news", fail)
            heard = hears(bus)
            await reaches(bus, heard)
            assert faults.counts["bus"] > 0
            assert bus.reconnects == 0

    run(story())
    assert set(contained.kinds) == {"bus"}


@on_both_loops
def test_tls_where_the_server_has_it(run: Callable[[Story], None], monkeypatch: pytest.MonkeyPatch) -> None:
    pair = {"cert_file": str(_TLS / "certificate.pem"), "key_file": str(_TLS / "key.pem")}
    monkeypatch.setenv("SSL_CERT_FILE", pair["cert_file"])

    async def story() -> None:
        with Nats(locked=True, settings={"tls": pair}) as nats:
            async with opened(nats.url(scheme="tls")) as bus:
                heard = hears(bus)
                await reaches(bus, heard)
                nats.restart()
                await eventually(lambda: not bus.connected)
                await reaches(bus, heard)
            monkeypatch.delenv("SSL_CERT_FILE")
            async with opened(nats.url(scheme="tls")) as bus:
                assert not bus.connected

    run(story())


class Worse:
    """A server that is no good: it answers each connection as told, and keeps what was sent to it."""

    def __init__(self, *answers: bytes, hangs_up: bool = False) -> None:
        self._answers = answers
        self._hangs_up = hangs_up
        self.connections = 0
        self.received = bytearray()
        self._tasks: list[asyncio.Task[Any]] = []

    async def __aenter__(self) -> Self:
        self._server = await asyncio.start_server(self._serve, "127.0.0.1", 0)
        self.port = self._server.sockets[0].getsockname()[1]
        return self

    async def __aexit__(self, *_: object) -> None:
        self._server.close()
        await self._server.wait_closed()
        await asyncio.gather(*self._tasks)

    async def _serve(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        self.connections += 1
        task = asyncio.current_task()
        assert task is not None
        self._tasks.append(task)
        try:
            for answer in self._answers:
                writer.write(answer)
                if b"INFO" in answer:
                    self.received += await reader.read(65_536)
            while not self._hangs_up and (data := await reader.read(65_536)):
                self.received += data
        except ConnectionError:
            pass
        finally:
            writer.close()


def test_over_tls_no_password_goes_to_a_server_without_it(run: Callable[[Story], None]) -> None:
    async def story() -> None:
        async with Worse(_GREETING, b"PONG\r\n") as worse:
            async with opened(f"tls://gamut:secret@127.0.0.1:{worse.port}") as bus:
                await eventually(lambda: worse.connections >= 3)
                assert not bus.connected
            assert worse.received == b""

    run(story())


@pytest.mark.parametrize(
    "answers",
    [
        (b"",),
        (b"HTTP/1.1 400 Bad Request\r\n\r\n",),
        (b"INFO {\r\n",),
        (b"x" * 200_000,),
        (_GREETING, b"what?\r\n"),
        (_GREETING, b"-ERR 'Maximum Connections Exceeded'\r\n"),
        (_GREETING, b"PONG\r\n", b"-ERR 'Something Is Wrong'\r\n"),
        (_GREETING, b"PONG\r\n", b"-ERR\r\n"),
        (_GREETING, b"PONG\r\n", b"MSG\r\n"),
        (_GREETING, b"PONG\r\n"),
    ],
    ids=lambda answers: (answers[-1].strip()[:30] or b"nothing").decode(),
)
def test_a_server_that_makes_no_sense_or_hangs_up_is_called_again_and_not_too_often(
    answers: tuple[bytes, ...], run: Callable[[Story], None], caplog: pytest.LogCaptureFixture
) -> None:
    async def story() -> None:
        async with Worse(*answers, hangs_up=True) as worse, opened(f"nats://127.0.0.1:{worse.port}") as bus:
            begun = asyncio.get_running_loop().time()
            await eventually(lambda: worse.connections >= 4)
            assert asyncio.get_running_loop().time() - begun > 0.3
            bus.publish("news", b"")

    run(story())
    assert not [record for record in caplog.records if record.name.startswith(("nats", "asyncio"))]


@pytest.mark.faults
def test_what_nats_py_cannot_bear_leaves_no_node_deaf(
    run: Callable[[Story], None], contained: Contained
) -> None:
    async def story() -> None:
        async with Worse(b'INFO {"connect_urls":5}\r\n') as worse, opened(f"nats://127.0.0.1:{worse.port}"):
            await eventually(lambda: worse.connections >= 2)

    run(story())
    assert set(contained.kinds) == {"bus"}


def test_a_server_that_takes_connections_and_says_nothing_is_no_server(run: Callable[[Story], None]) -> None:
    async def story() -> None:
        async with Worse(b"") as worse, opened(f"nats://127.0.0.1:{worse.port}") as bus:
            await eventually(lambda: worse.connections >= 2)
            assert not bus.connected

    run(story())


def test_a_bad_address_is_one_line(run: Callable[[Story], None]) -> None:
    async def story() -> None:
        with pytest.raises(BusError, match=r"^This is no address of a cluster: .*begins with nats://.*\.$"):
            await open_bus("redis://one", Faults())

    run(story())


def test_without_nats_py_it_is_said_what_to_install(monkeypatch: pytest.MonkeyPatch) -> None:
    for name in [name for name in sys.modules if name.startswith(("nats", "gamut.cluster.nats_"))]:
        monkeypatch.delitem(sys.modules, name)
    monkeypatch.setitem(sys.modules, "nats", None)
    with pytest.raises(BusError, match=r"pip install 'gamut\[cluster\]'"):
        asyncio.run(open_bus("nats://127.0.0.1", Faults()))


def test_who_names_no_cluster_does_not_load_it() -> None:
    loaded = "import sys, gamut.cli, gamut.cluster.opening; sys.exit('nats' in sys.modules)"
    assert subprocess.run([sys.executable, "-c", loaded], check=False).returncode == 0
