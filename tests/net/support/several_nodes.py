"""Gateways and an owner as nodes of their own, with ports of their own, over a bus in this process."""

from collections.abc import AsyncIterator, Callable
from contextlib import AsyncExitStack, asynccontextmanager
from pathlib import Path

from aiohttp import ClientConnectorError, ClientSession, ClientWebSocketResponse
from tests.net.support.closed_ports import CLOSED
from tests.net.support.through_gateway import ServerThroughGateway, attached, open_numbered_store

from gamut.cluster.bus import LocalBus
from gamut.hall.faults import Faults
from gamut.net.node import Node, OpenBus
from gamut.net.settings import Role, Settings


class _End(LocalBus):
    """A node's own end of the bus: others go on when it is closed."""

    def __init__(self, bus: LocalBus) -> None:
        super().__init__()
        self._bus = bus
        self._open = True
        self._heard_here: dict[tuple[str, Callable[[bytes], None]], Callable[[bytes], None]] = {}

    def publish(self, subject: str, data: bytes) -> None:
        if self._open:
            self._bus.publish(subject, data)

    def subscribe(self, subject: str, heard: Callable[[bytes], None]) -> None:
        here = self._heard_here[subject, heard] = lambda data: heard(data) if self._open else None
        self._bus.subscribe(subject, here)

    def unsubscribe(self, subject: str, heard: Callable[[bytes], None]) -> None:
        self._bus.unsubscribe(subject, self._heard_here.pop((subject, heard)))

    async def close(self) -> None:
        self._open = False


def bus_of_all() -> OpenBus:
    bus = LocalBus()

    async def open_bus(url: str, faults: Faults) -> LocalBus:
        return _End(bus)

    return open_bus


class _Gateway(Node):
    """Has started when it is attached to its owner."""

    async def start(self, waiting: Callable[[str], None] = lambda _: None) -> bool:
        await super().start(waiting)
        await attached(self)
        return True


def owner_and_gateways(settings: Callable[..., Settings], gateways: int) -> list[Node]:
    """The first has the hall and a gateway of its own."""
    open_bus = bus_of_all()
    return [
        ServerThroughGateway(settings(cluster="here", node_name="owner"), open_bus=open_bus),
        *(
            _Gateway(
                settings(cluster="here", node_name=f"gateway {number}", role="gateway"), open_bus=open_bus
            )
            for number in range(gateways)
        ),
    ]


class Cluster:
    def __init__(self, owner: Node, gateways: list[Node]) -> None:
        self.owner = owner
        self.gateways = gateways

    async def come(self, http: ClientSession, query: str, first: int = 0) -> ClientWebSocketResponse:
        """To the first gateway that lets anybody in, from this one on, as a proxy leads people."""
        for gateway in (*self.gateways[first:], *self.gateways[:first]):
            try:
                return await http.ws_connect(
                    f"http://127.0.0.1:{gateway.ports['main']}/ws/?{query}", max_msg_size=0
                )
            except ClientConnectorError:
                continue
        raise AssertionError("no gateway lets anybody in")


@asynccontextmanager
async def cluster(data: Path, gateways: int = 2) -> AsyncIterator[Cluster]:
    open_bus = bus_of_all()

    def node(role: Role, name: str) -> Node:
        settings = Settings(data=data, port=0, doors=CLOSED, role=role, cluster="here", node_name=name)
        return Node(settings, open_bus=open_bus, open_store=open_numbered_store)

    async with AsyncExitStack() as stack:
        nodes = [
            node("owner", "owner"),
            *(node("gateway", f"gateway {number}") for number in range(gateways)),
        ]
        for each in nodes:
            stack.push_async_callback(each.stop)
            await each.start()
        for each in nodes[1:]:
            await attached(each)
        yield Cluster(nodes[0], nodes[1:])
