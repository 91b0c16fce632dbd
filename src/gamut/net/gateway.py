"""The part of a node that holds connections: ports and doors' sockets, with sessions that are at an owner."""

import asyncio
from collections.abc import Callable, Iterable
from contextlib import suppress
from dataclasses import dataclass
from secrets import token_hex
from typing import Any, Protocol, cast

from prometheus_client.core import CounterMetricFamily as Count
from prometheus_client.core import GaugeMetricFamily as Gauge
from prometheus_client.core import Metric
from prometheus_client.registry import Collector

from gamut.cluster.bus import Bus
from gamut.cluster.gateway import TICK
from gamut.cluster.gateways import Gateways, link_numbers
from gamut.cluster.pulse import LoopPulse
from gamut.doors.registry import Doors, doors_for
from gamut.doors.session import Session
from gamut.games.registry import Games
from gamut.net.frontage import Frontage
from gamut.net.main_port import MainPort
from gamut.net.metrics import Metrics, by
from gamut.net.port.open_files import OpenFiles
from gamut.net.ports import Doorway
from gamut.net.settings import Settings

_OWNER_SECONDS = 2.0


class GatewayPart(MainPort):
    def __init__(self, settings: Settings, bus: Bus, metrics: Metrics, games: Games, doors: Doors) -> None:
        super().__init__(settings, metrics)
        self._kinds = doors_for(games(), doors)
        self.gateways = Gateways(
            token_hex(8),
            settings.node_name,
            bus,
            LoopPulse(asyncio.get_running_loop()),
            link_numbers().__next__,
            settings.wings,
            frozenset(kind.name for kind in self._kinds if kind.is_at_main),
        )
        self._bus = bus

    async def open(self, files: OpenFiles) -> None:
        doorways = [
            Doorway(kind.name, kind.entrances(self.settings.of(kind)), self.gateways.session_at(kind.name))
            for kind in self._kinds
        ]
        await self._open(files, doorways, after_answers)
        self.gateways.begin()

    def _watch(self) -> None:
        self.metrics.watch(GatewayCollector(self.gateways, self.frontage, self._bus))

    @property
    def status(self) -> str:
        """Of the connections: those of other wings are served, however those are that are here."""
        if self.frontage.connections.stopping:
            return "stopping"
        return "alone" if self.gateways.is_alone else "ok"

    def _state(self) -> dict[str, Any]:
        owners = [gateway.node for gateway in self.gateways.each]
        state = {**super()._state(), "owner": self.gateways.main.node}
        return {**state, "owners": owners} if len(owners) > 1 else state

    def part(self) -> None:
        """Tell everybody that this node stops, and let no newcomer in.

        Those who are told come back at once. A proxy that is refused a connection tries another gateway, which one that
        got an answer from this one would not, be it 503 or a word of the protocol.
        """
        self.frontage.ports.let_nobody_in()
        self.frontage.connections.stop()

    async def owner_knows(self) -> None:
        """Wait, but not for long, until the owners have heard all that was said here, and have let everybody go; they
        tell the clients."""
        gateways = self.gateways
        with suppress(TimeoutError):
            async with asyncio.timeout(_OWNER_SECONDS):
                while not (gateways.is_parted and gateways.is_heard):  # noqa: ASYNC110 - both come with time
                    await asyncio.sleep(TICK / 5)

    async def close(self) -> None:
        self.gateways.end()
        await super().close()


class _Distant(Protocol):
    def after_answers(self, call: Callable[[], None]) -> None: ...


def after_answers(session: Session, call: Callable[[], None]) -> None:
    """Answers come from the owner."""
    cast(_Distant, session).after_answers(call)


@dataclass(frozen=True)
class GatewayCollector(Collector):
    """How the connections of this node are, and the way to their owners."""

    gateways: Gateways
    frontage: Frontage
    bus: Bus

    def collect(self) -> Iterable[Metric]:
        gateways, connections = self.gateways, self.frontage.connections
        each = gateways.each
        links = [gateway.link for gateway in each if gateway.link is not None]
        open = {door: len(sessions) for door, sessions in connections.open.items()}
        yield by(Gauge, "gamut_gateway_connections", "Connections held for an owner", "door", open)
        yield Gauge("gamut_gateway_visitors", "Connections that are at no door", len(self.frontage.visitors))
        yield Gauge("gamut_gateway_send_queue_bytes", "Bytes waiting for readers", connections.queued_bytes())
        waiting = sum(gateway.waiting_bytes() for gateway in each)
        yield Gauge("gamut_gateway_waiting_bytes", "Bytes said that no owner has dealt with", waiting)
        yield Gauge(
            "gamut_gateway_newcomers",
            "Connections that wait to be let in by the owner",
            sum(len(gateway.newcomers) for gateway in each),
        )
        yield Gauge("gamut_gateway_attached", "1 while an owner hears everybody", gateways.is_open)
        yield Gauge(
            "gamut_gateway_link_bytes",
            "Bytes on their way to the owner",
            sum(link.unacknowledged for link in links),
        )
        attachings = sum(gateway.attached for gateway in each)
        yield Count("gamut_gateway_attachings", "How often everybody was attached anew", attachings)
        yield Count(
            "gamut_gateway_closed_on_the_way",
            "Connections that could not go on in another wing of the hall",
            gateways.closed_on_the_way,
        )
        yield Count(
            "gamut_gateway_closed_behind",
            "Connections that could not go on at another owner",
            sum(gateway.closed_behind for gateway in each),
        )
        yield Gauge("gamut_bus_connected", "1 while NATS answers", self.bus.connected)
        yield Count("gamut_bus_reconnects", "How often NATS was back", self.bus.reconnects)
        yield by(Count, "gamut_bus_lost", "Packets known to be lost", "reason", self.bus.lost)
        yield by(
            Count, "gamut_gateway_limit_hits", "How often a limit was reached", "limit", connections.hits
        )
