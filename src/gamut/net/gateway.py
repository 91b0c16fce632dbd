"""The part of a node that holds connections: ports and doors' sockets, with sessions that are at an owner."""

import asyncio
from collections import Counter
from collections.abc import Awaitable, Callable, Iterable, Iterator
from contextlib import suppress
from dataclasses import dataclass
from secrets import randbits, token_hex
from time import time
from typing import Any

from aiohttp import web
from prometheus_client.core import CounterMetricFamily as Count
from prometheus_client.core import GaugeMetricFamily as Gauge
from prometheus_client.core import Metric
from prometheus_client.registry import Collector

from gamut.cluster.bus import Bus
from gamut.cluster.distant_session import DistantSession
from gamut.cluster.gateway import TICK, Gateway
from gamut.cluster.pulse import LoopPulse
from gamut.doors.http import json_answer
from gamut.doors.registry import Doors, doors_for
from gamut.doors.session import Session
from gamut.games.registry import Games
from gamut.net.api.status import metrics_for_the_operator
from gamut.net.frontage import Frontage
from gamut.net.http.answers import response
from gamut.net.http.durable import OwnState
from gamut.net.lines.tls import tls_context
from gamut.net.metrics import Metrics, by
from gamut.net.port.open_files import OpenFiles
from gamut.net.ports import Doorway
from gamut.net.settings import Settings
from gamut.net.timekeeper import LoopTime

_OWNER_SECONDS = 2.0
_NO_PAGE = (
    "This node holds connections and has no page: the page is at the node that has the hall. A proxy in front of both "
    "finds it by /healthz/owner.\n"
)


class GatewayPart:
    def __init__(self, settings: Settings, bus: Bus, metrics: Metrics, games: Games, doors: Doors) -> None:
        self.settings = settings
        self.metrics = metrics
        self.gateway = Gateway(
            token_hex(8),
            settings.node_name,
            bus,
            LoopPulse(asyncio.get_running_loop()),
            _link_numbers().__next__,
        )
        self.durable: Callable[[], Awaitable[None]] = _at_once
        """Waits until all that may be answered over HTTP is stored; of the hall, if it is at this node."""
        self._kinds = doors_for(games(), doors)
        self._bus = bus
        self.frontage: Frontage

    async def open(self, files: OpenFiles) -> None:
        settings, loop = self.settings, asyncio.get_running_loop()
        tls = await asyncio.to_thread(tls_context, settings.tls_certificate, settings.tls_key)
        clock = LoopTime(loop)
        clock.go()
        doorways = [
            Doorway(kind.name, kind.entrances(settings.of(kind)), self.gateway.session_at(kind.name))
            for kind in self._kinds
        ]
        self.frontage = Frontage(
            settings,
            Counter[str](),
            clock.now,
            doorways,
            files=files,
            tls=tls,
            recognise=lambda newcomer: newcomer,
            durable=lambda: self.durable(),
            after_answers=after_answers,
        )
        self.metrics.watch(GatewayCollector(self.gateway, self.frontage, self._bus))
        await self.frontage.open(self.routes())
        self.gateway.begin()

    def routes(self) -> Iterable[web.AbstractRouteDef]:
        """What is answered by HTTP as long as the hall is elsewhere."""
        yield web.get("/healthz", self._health)
        yield web.get("/healthz/owner", self._not_here)
        yield web.get(
            "/metrics", metrics_for_the_operator(self.settings, self.metrics, self.frontage.connections.hits)
        )
        yield web.route("*", "/{path:.*}", self._not_here)

    @property
    def status(self) -> str:
        if self.frontage.connections.stopping:
            return "stopping"
        return "alone" if self.gateway.is_alone else "ok"

    async def _health(self, request: web.Request) -> web.Response:
        state: dict[str, Any] = {"status": self.status, "owner": self.gateway.node}
        return response(json_answer(state, 200 if state["status"] == "ok" else 503), OwnState)

    async def _not_here(self, request: web.Request) -> web.Response:
        return OwnState(status=503, text=_NO_PAGE, headers={"Retry-After": "1"})

    def part(self) -> None:
        """Tell everybody that this node stops, and let no newcomer in.

        Those who are told come back at once. A proxy that is refused a connection tries another gateway, which one that
        got an answer from this one would not, be it 503 or a word of the protocol.
        """
        self.frontage.ports.let_nobody_in()
        self.frontage.connections.stop()

    async def owner_knows(self) -> None:
        """Wait, but not for long, until the owner has heard all that was said here, and has let everybody go; it tells
        the clients."""
        gateway = self.gateway
        with suppress(TimeoutError):
            async with asyncio.timeout(_OWNER_SECONDS):
                while not (gateway.parting.is_done and gateway.is_heard):  # noqa: ASYNC110 - both come with time
                    await asyncio.sleep(TICK / 5)

    async def close(self) -> None:
        self.gateway.end()
        if hasattr(self, "frontage"):
            await self.frontage.ports.close()


def _link_numbers() -> Iterator[int]:
    """Each is greater than those before it, and no other gateway has the same."""
    last = 0
    while True:
        last = max(last + 1, int(time() * 1000) << 20 | randbits(20))
        yield last


def after_answers(session: Session, call: Callable[[], None]) -> None:
    """Answers come from the owner."""
    assert isinstance(session, DistantSession)
    session.after_answers(call)


async def _at_once() -> None:
    """Nothing is told here that could be lost."""


@dataclass(frozen=True)
class GatewayCollector(Collector):
    """How the connections of this node are, and the way to their owner."""

    gateway: Gateway
    frontage: Frontage
    bus: Bus

    def collect(self) -> Iterable[Metric]:
        gateway, connections = self.gateway, self.frontage.connections
        link = gateway.link
        open = {door: len(sessions) for door, sessions in connections.open.items()}
        yield by(Gauge, "gamut_gateway_connections", "Connections held for an owner", "door", open)
        yield Gauge("gamut_gateway_visitors", "Connections that are at no door", len(self.frontage.visitors))
        yield Gauge("gamut_gateway_send_queue_bytes", "Bytes waiting for readers", connections.queued_bytes())
        yield Gauge(
            "gamut_gateway_waiting_bytes", "Bytes said that no owner has dealt with", gateway.waiting_bytes()
        )
        yield Gauge(
            "gamut_gateway_newcomers",
            "Connections that wait to be let in by the owner",
            len(gateway.newcomers),
        )
        yield Gauge("gamut_gateway_attached", "1 while an owner hears everybody", gateway.is_open)
        yield Gauge(
            "gamut_gateway_link_bytes",
            "Bytes on their way to the owner",
            0 if link is None else link.unacknowledged,
        )
        yield Count("gamut_gateway_attachings", "How often everybody was attached anew", gateway.attached)
        yield Count(
            "gamut_gateway_closed_behind",
            "Connections that could not go on at another owner",
            gateway.closed_behind,
        )
        yield Gauge("gamut_bus_connected", "1 while NATS answers", self.bus.connected)
        yield Count("gamut_bus_reconnects", "How often NATS was back", self.bus.reconnects)
        yield by(Count, "gamut_bus_lost", "Packets known to be lost", "reason", self.bus.lost)
        yield by(
            Count, "gamut_gateway_limit_hits", "How often a limit was reached", "limit", connections.hits
        )
