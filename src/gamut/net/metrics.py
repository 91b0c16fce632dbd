"""What an operator's monitoring reads at /metrics."""

from bisect import bisect_left
from collections import Counter
from collections.abc import Callable, Collection, Iterable, Mapping
from dataclasses import dataclass, field
from itertools import accumulate
from typing import Any

from prometheus_client import CollectorRegistry, ProcessCollector, generate_latest
from prometheus_client.core import CounterMetricFamily as Count
from prometheus_client.core import GaugeMetricFamily as Gauge
from prometheus_client.core import HistogramMetricFamily, Metric
from prometheus_client.registry import Collector
from prometheus_client.samples import Sample
from prometheus_client.utils import floatToGoString

from gamut.cluster.owner import Owner
from gamut.hall.hall import Hall


class Metrics:
    """Counts are kept where things happen, as plain numbers; they are gathered only when somebody asks."""

    def __init__(self) -> None:
        self._registry = CollectorRegistry()
        self.halls: HallCollector | None = None
        """Of the wings of the hall that are at this process; None: there was none yet."""
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


_Counted = tuple[str, tuple[tuple[str, str], ...]]
"""The name and the labels of a number."""


def _counted(sample: Sample) -> _Counted:
    return sample.name, tuple(sample.labels.items())


@dataclass(frozen=True, kw_only=True)
class Wing:
    """A wing of the hall that is at this process."""

    hall: Hall
    limits: Callable[[], Mapping[str, int]]
    """How often limits of its own were reached."""
    lease_age: Callable[[], float | None] = lambda: None
    """Seconds since this node has renewed its lease of the store; None: it has none."""
    owner: Owner | None = None
    """Of connections that are at gateways; None: there are none."""


@dataclass(frozen=True, kw_only=True, eq=False)
class HallCollector(Collector):
    """How things stand in the hall, and at the doors to it. Of several wings it is what there is in all of them."""

    connections: Callable[[], Mapping[str, int]]
    visitors: Callable[[], int]
    queued_bytes: Callable[[], int]
    limits: Callable[[], Mapping[str, int]]
    wings: list[Wing] = field(default_factory=list)
    gone: Counter[_Counted] = field(default_factory=Counter)
    """What was counted by wings that are at other processes by now: a count never becomes less."""

    def leave(self, wing: Wing) -> None:
        """This wing is at another process from now on."""
        before = self._counts()
        self.wings.remove(wing)
        self.gone.update(before - self._counts())

    def _counts(self) -> Counter[_Counted]:
        counts = (metric for metric in self._of_wings() if isinstance(metric, Count))
        return Counter({_counted(sample): sample.value for count in counts for sample in count.samples})

    def collect(self) -> Iterable[Metric]:
        gone = dict(self.gone)
        for metric in self._of_wings():
            if isinstance(metric, Count):
                here = {_counted(sample): sample for sample in metric.samples}
                name = f"{metric.name}_total"
                missing = [
                    Sample(name, dict(labels), 0)
                    for of, labels in gone
                    if of == name and (of, labels) not in here
                ]
                metric.samples = [
                    sample._replace(value=sample.value + gone.get(_counted(sample), 0))
                    for sample in (*here.values(), *missing)
                ]
            yield metric

    def _of_wings(self) -> Iterable[Metric]:
        wings = self.wings
        halls = [wing.hall for wing in wings]
        # The main wing's lobby shows the tables of all.
        summaries = (
            summary for hall in halls for id, summary in hall.lobby.tables.items() if hall.wings.has(id)
        )
        tables = Counter((summary.game, summary.phase) for summary in summaries)
        thinking = sum(len(live.thinking) for hall in halls for live in hall.live.values())
        yield by(Gauge, "gamut_tables", "Public tables", "game phase", tables)
        yield Gauge("gamut_tables_in_memory", "Tables held in memory", sum(len(hall.live) for hall in halls))
        people = len({person for hall in halls for person in hall.connected})
        yield Gauge("gamut_people_connected", "People with a connection", people)
        yield by(Gauge, "gamut_connections", "Open connections", "door", self.connections())
        yield Gauge("gamut_visitors", "Open connections that are at no door", self.visitors())
        yield Count("gamut_events", "Events made durable", sum(hall.journal.events for hall in halls))
        yield Count("gamut_commits", "Batches made durable", sum(hall.journal.commits for hall in halls))
        depth = sum(hall.journal.depth for hall in halls)
        yield Gauge("gamut_journal_depth", "Events waiting to be durable", depth)
        congested = "1 while nobody is heard because the store stands still"
        yield Gauge("gamut_congested", congested, any(hall.congestion.on for hall in halls))
        congestions = sum(hall.congestion.times for hall in halls)
        yield Count("gamut_congestions", "How often the store did not keep up", congestions)
        lease_ages = [age for wing in wings if (age := wing.lease_age()) is not None]
        if lease_ages:
            yield Gauge(
                "gamut_lease_age_seconds", "Seconds since the lease of the store was renewed", max(lease_ages)
            )
        owners = [wing.owner for wing in wings if wing.owner is not None]
        if owners:
            yield from _of_links(owners)
        yield Gauge("gamut_bots_thinking", "Tables where a bot thinks", thinking)
        yield Gauge("gamut_send_queue_bytes", "Bytes waiting for readers", self.queued_bytes())
        refusals = _all_together(hall.refusals for hall in halls)
        yield by(Count, "gamut_refusals", "Commands refused", "reason", refusals)
        contained = "Faults of ours that were contained"
        faults = _all_together(hall.faults.counts for hall in halls)
        yield by(Count, "gamut_faults", contained, "kind", faults)
        out_of_order = sum(len(hall.out_of_order) for hall in halls)
        yield Gauge("gamut_tables_out_of_order", "Tables refused because of faults", out_of_order)
        limits = {**self.limits(), **_all_together(wing.limits() for wing in wings)}
        yield by(Count, "gamut_limit_hits", "How often a limit was reached", "limit", limits)
        here = {str(hall.wings.wing): 1 for hall in halls if hall.wings.count > 1}
        if here:
            yield by(Gauge, "gamut_wings", "1 for each wing of the hall that is here", "wing", here)


def _of_links(owners: Collection[Owner]) -> Iterable[Metric]:
    distant = "Connections that are held by gateways"
    connections = _all_together(owner.connections for owner in owners)
    yield by(Gauge, "gamut_distant_connections", distant, "door", connections)
    gateways = sum(owner.gateways for owner in owners)
    yield Gauge("gamut_gateways", "Gateways with a link to this owner", gateways)
    waiting = sum(owner.waiting_bytes() for owner in owners)
    yield Gauge("gamut_link_waiting_bytes", "Bytes waiting on the way to gateways", waiting)
    frames = sum(owner.frames for owner in owners)
    yield Count("gamut_frames", "Messages of clients that came by gateways", frames)
    yield Count("gamut_units", "What gateways were told at once", sum(owner.units for owner in owners))
    links_broken = sum(owner.links_broken for owner in owners)
    yield Count("gamut_links_broken", "Links that had to begin anew", links_broken)
    yield Count("gamut_link_gaps", "Packets that were missing", sum(owner.gaps for owner in owners))
    repeated = sum(owner.repeated for owner in owners)
    yield Count("gamut_link_repeated", "Packets that were sent again", repeated)
    taken_up = "Connections that went on here after they had been at another owner"
    yield Count("gamut_taken_up", taken_up, sum(owner.taken_up for owner in owners))
    behind = "Connections that could not, and were closed as at a restart"
    yield Count("gamut_closed_behind", behind, sum(owner.behind for owner in owners))


def _all_together(counts: Iterable[Mapping[str, int]]) -> Counter[str]:
    found: Counter[str] = Counter()
    for each in counts:
        found.update(each)
    return found


def by(
    kind: type[Count] | type[Gauge], name: str, text: str, labels: str, counts: Mapping[Any, int]
) -> Metric:
    """One number for each of these; the key of one has its label, or is a tuple of several."""
    family = kind(name, text, labels=labels.split())
    for key, count in sorted(counts.items()):
        family.add_metric(key if isinstance(key, tuple) else (key,), count)
    return family
