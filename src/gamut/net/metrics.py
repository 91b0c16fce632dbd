"""What an operator's monitoring reads at /metrics."""

from bisect import bisect_left
from collections import Counter
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from itertools import accumulate
from typing import Any

from prometheus_client import CollectorRegistry, ProcessCollector, generate_latest
from prometheus_client.core import CounterMetricFamily as Count
from prometheus_client.core import GaugeMetricFamily as Gauge
from prometheus_client.core import HistogramMetricFamily, Metric
from prometheus_client.registry import Collector
from prometheus_client.utils import floatToGoString

from gamut.cluster.owner import Owner
from gamut.hall.hall import Hall


class Metrics:
    """Counts are kept where things happen, as plain numbers; they are gathered only when somebody asks."""

    def __init__(self) -> None:
        self._registry = CollectorRegistry()
        ProcessCollector(registry=self._registry)
        self._commit_seconds = _Tally(
            "gamut_commit_seconds",
            "Time to make a batch of events durable",
            (0.0002, 0.0005, 0.001, 0.002, 0.005, 0.01, 0.02, 0.05, 0.1, 0.25, 0.5, 1, 5),
        )
        self._commit_events = _Tally(
            "gamut_commit_events",
            "Events that share one commit",
            (1, 2, 5, 10, 20, 50, 100, 200, 500, 1000),
        )
        self._registry.register(self._commit_seconds)
        self._registry.register(self._commit_events)

    def committed(self, seconds: float, events: int) -> None:
        self._commit_seconds.add(seconds)
        self._commit_events.add(events)

    def watch(self, collector: Collector) -> None:
        self._registry.register(collector)

    def exposition(self) -> bytes:
        return generate_latest(self._registry)


class _Tally(Collector):
    """How often something was how large."""

    def __init__(self, name: str, text: str, bounds: tuple[float, ...]) -> None:
        self._name = name
        self._text = text
        self._bounds = bounds
        self._counts = [0] * (len(bounds) + 1)
        self._sum = 0.0

    def add(self, value: float) -> None:
        self._counts[bisect_left(self._bounds, value)] += 1
        self._sum += value

    def collect(self) -> Iterable[Metric]:
        names = [*map(floatToGoString, self._bounds), "+Inf"]
        buckets = list(zip(names, accumulate(self._counts), strict=True))
        yield HistogramMetricFamily(self._name, self._text, buckets=buckets, sum_value=self._sum)


@dataclass(frozen=True, kw_only=True)
class HallCollector(Collector):
    """How things stand in the hall, and at the doors to it."""

    hall: Hall
    connections: Callable[[], Mapping[str, int]]
    visitors: Callable[[], int]
    queued_bytes: Callable[[], int]
    limits: Callable[[], Mapping[str, int]]
    lease_age: Callable[[], float | None] = lambda: None
    """Seconds since this node has renewed its lease of the store; None: it has none."""
    owner: Owner | None = None
    """Of connections that are at gateways; None: there are none."""

    def collect(self) -> Iterable[Metric]:
        hall = self.hall
        # Each wing of the hall counts its own, and so nobody counts one twice.
        own = (summary for summary in hall.lobby.tables.values() if hall.wings.has(summary.id))
        tables = Counter((summary.game, summary.phase) for summary in own)
        thinking = sum(len(live.thinking) for live in hall.live.values())
        yield by(Gauge, "gamut_tables", "Public tables", "game phase", tables)
        yield Gauge("gamut_tables_in_memory", "Tables held in memory", len(hall.live))
        yield Gauge("gamut_people_connected", "People with a connection", len(hall.connected))
        yield by(Gauge, "gamut_connections", "Open connections", "door", self.connections())
        yield Gauge("gamut_visitors", "Open connections that are at no door", self.visitors())
        yield Count("gamut_events", "Events made durable", hall.journal.events)
        yield Count("gamut_commits", "Batches made durable", hall.journal.commits)
        yield Gauge("gamut_journal_depth", "Events waiting to be durable", hall.journal.depth)
        congested = "1 while nobody is heard because the store stands still"
        yield Gauge("gamut_congested", congested, hall.congestion.on)
        yield Count("gamut_congestions", "How often the store did not keep up", hall.congestion.times)
        lease_age = self.lease_age()
        if lease_age is not None:
            yield Gauge(
                "gamut_lease_age_seconds", "Seconds since the lease of the store was renewed", lease_age
            )
        if self.owner is not None:
            yield from _of_links(self.owner)
        yield Gauge("gamut_bots_thinking", "Tables where a bot thinks", thinking)
        yield Gauge("gamut_send_queue_bytes", "Bytes waiting for readers", self.queued_bytes())
        yield by(Count, "gamut_refusals", "Commands refused", "reason", hall.refusals)
        contained = "Faults of ours that were contained"
        yield by(Count, "gamut_faults", contained, "kind", hall.faults.counts)
        out_of_order = len(hall.out_of_order)
        yield Gauge("gamut_tables_out_of_order", "Tables refused because of faults", out_of_order)
        yield by(Count, "gamut_limit_hits", "How often a limit was reached", "limit", self.limits())


def _of_links(owner: Owner) -> Iterable[Metric]:
    distant = "Connections that are held by gateways"
    yield by(Gauge, "gamut_distant_connections", distant, "door", owner.connections)
    yield Gauge("gamut_gateways", "Gateways with a link to this owner", owner.gateways)
    yield Gauge("gamut_link_waiting_bytes", "Bytes waiting on the way to gateways", owner.waiting_bytes())
    yield Count("gamut_frames", "Messages of clients that came by gateways", owner.frames)
    yield Count("gamut_units", "What gateways were told at once", owner.units)
    yield Count("gamut_links_broken", "Links that had to begin anew", owner.links_broken)
    yield Count("gamut_link_gaps", "Packets that were missing", owner.gaps)
    yield Count("gamut_link_repeated", "Packets that were sent again", owner.repeated)
    taken_up = "Connections that went on here after they had been at another owner"
    yield Count("gamut_taken_up", taken_up, owner.taken_up)
    behind = "Connections that could not, and were closed as at a restart"
    yield Count("gamut_closed_behind", behind, owner.behind)


def by(
    kind: type[Count] | type[Gauge], name: str, text: str, labels: str, counts: Mapping[Any, int]
) -> Metric:
    """One number for each of these; the key of one has its label, or is a tuple of several."""
    family = kind(name, text, labels=labels.split())
    for key, count in sorted(counts.items()):
        family.add_metric(key if isinstance(key, tuple) else (key,), count)
    return family
