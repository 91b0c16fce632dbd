"""What an operator's monitoring reads at /metrics."""

from bisect import bisect_left
from collections import Counter
from collections.abc import Callable, Iterable, Mapping
from itertools import accumulate

from prometheus_client import CollectorRegistry, ProcessCollector, generate_latest
from prometheus_client.core import CounterMetricFamily, GaugeMetricFamily, HistogramMetricFamily, Metric
from prometheus_client.registry import Collector
from prometheus_client.utils import floatToGoString

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

    def watch(
        self,
        hall: Hall,
        connections: Callable[[], Mapping[str, int]],
        visitors: Callable[[], int],
        queued_bytes: Callable[[], int],
        limits: Counter[str],
        account_limits: Callable[[], Mapping[str, int]],
    ) -> None:
        self._registry.register(
            _HallCollector(hall, connections, visitors, queued_bytes, limits, account_limits)
        )

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


class _HallCollector(Collector):
    def __init__(
        self,
        hall: Hall,
        connections: Callable[[], Mapping[str, int]],
        visitors: Callable[[], int],
        queued_bytes: Callable[[], int],
        limits: Counter[str],
        account_limits: Callable[[], Mapping[str, int]],
    ) -> None:
        self._hall = hall
        self._queued_bytes = queued_bytes
        self._connections = connections
        self._visitors = visitors
        self._limits = limits
        self._account_limits = account_limits

    def collect(self) -> Iterable[Metric]:
        hall = self._hall
        tables = GaugeMetricFamily("gamut_tables", "Public tables", labels=["game", "phase"])
        phases = Counter((summary.game, summary.phase) for summary in hall.lobby.tables.values())
        for labels, count in sorted(phases.items()):
            tables.add_metric(labels, count)
        yield tables
        yield GaugeMetricFamily("gamut_tables_in_memory", "Tables held in memory", value=len(hall.live))
        yield GaugeMetricFamily(
            "gamut_people_connected", "People with a connection", value=len(hall.connected)
        )
        connections = GaugeMetricFamily("gamut_connections", "Open connections", labels=["door"])
        for door, count in sorted(self._connections().items()):
            connections.add_metric([door], count)
        yield connections
        yield GaugeMetricFamily(
            "gamut_visitors",
            "Open connections that are at no door",
            value=self._visitors(),
        )
        yield CounterMetricFamily("gamut_events", "Events made durable", value=hall.journal.events)
        yield CounterMetricFamily("gamut_commits", "Batches made durable", value=hall.journal.commits)
        yield GaugeMetricFamily(
            "gamut_journal_depth", "Events waiting to be durable", value=hall.journal.depth
        )
        yield GaugeMetricFamily(
            "gamut_congested",
            "1 while nobody is heard because the disk stands still",
            value=hall.congestion.on,
        )
        yield CounterMetricFamily(
            "gamut_congestions", "How often the disk did not keep up", value=hall.congestion.times
        )
        yield GaugeMetricFamily(
            "gamut_bots_thinking",
            "Tables where a bot thinks",
            value=sum(len(live.thinking) for live in hall.live.values()),
        )
        yield GaugeMetricFamily(
            "gamut_send_queue_bytes", "Bytes waiting for readers", value=self._queued_bytes()
        )
        refusals = CounterMetricFamily("gamut_refusals", "Commands refused", labels=["reason"])
        for reason, count in sorted(hall.refusals.items()):
            refusals.add_metric([reason], count)
        yield refusals
        faults = CounterMetricFamily("gamut_faults", "Faults of ours that were contained", labels=["kind"])
        for kind, count in sorted(hall.faults.counts.items()):
            faults.add_metric([kind], count)
        yield faults
        yield GaugeMetricFamily(
            "gamut_tables_out_of_order", "Tables refused because of faults", value=len(hall.out_of_order)
        )
        hits = CounterMetricFamily("gamut_limit_hits", "How often a limit was reached", labels=["limit"])
        for limit, count in sorted({**self._limits, **self._account_limits()}.items()):
            hits.add_metric([limit], count)
        yield hits
