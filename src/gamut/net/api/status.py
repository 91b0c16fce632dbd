"""What the server says of itself over HTTP: whether it is well, and its metrics."""

import hmac
from collections import Counter
from collections.abc import Awaitable, Callable, Collection, Mapping
from dataclasses import dataclass
from itertools import islice
from typing import Any

from aiohttp import web

from gamut.doors.http import json_answer
from gamut.hall.ids import TableId
from gamut.hall.store.storage import Damage
from gamut.net.http.answers import response
from gamut.net.http.durable import OwnState
from gamut.net.metrics import Metrics
from gamut.net.settings import Settings

_TOO_LONG = 5.0
"""Seconds in which something that happened must be stored and told."""
_IDS = 20
"""Of tables, at most."""


@dataclass(frozen=True, kw_only=True, eq=False, repr=False)
class Status:
    stopping: Callable[[], bool]
    storing_for: Callable[[], float]
    """Seconds since which the disk has been storing one batch."""
    under_way_for: Callable[[], float]
    """Seconds since which the journal has something to store and to tell, and is done with none of it."""
    damage: Damage
    store: Callable[[], dict[str, Any]]
    """How the store is; empty if there is nothing to say of it."""
    out_of_order: Collection[TableId]
    metrics: Metrics
    settings: Settings
    hits: Counter[str]
    wings: Callable[[], Mapping[str, str]] = dict
    """How each wing of the hall is that is at this process, if it has several."""

    def routes(self) -> list[web.RouteDef]:
        read_metrics = metrics_for_the_operator(self.settings, self.metrics, self.hits)
        return [
            web.get("/healthz", self._health),
            # What a node of a cluster answers only if it has the hall.
            web.get("/healthz/owner", self._health),
            web.get("/metrics", read_metrics),
        ]

    async def _health(self, request: web.Request) -> web.Response:
        state: dict[str, Any] = {"status": self.word}
        if wings := self.wings():
            state["wings"] = wings
        if store := self.store():
            state["store"] = store
        if self.damage:
            state["damage"] = _described(self.damage)
        if self.out_of_order:
            ids = list(islice(self.out_of_order, _IDS))
            state["out_of_order"] = {"tables": len(self.out_of_order), "ids": ids}
        # Damage is no reason to be taken for dead: a restart would take the rest away, too.
        return response(json_answer(state, 200 if state["status"] in ("ok", "degraded") else 503), OwnState)

    @property
    def word(self) -> str:
        if self.stopping():
            return "stopping"
        if self.store().get("away"):
            return "store_away"
        if self.under_way_for() > _TOO_LONG:
            return "stuck" if self.storing_for() else "stalled"
        return "degraded" if self.damage or self.out_of_order else "ok"


Handler = Callable[[web.Request], Awaitable[web.StreamResponse]]


def metrics_for_the_operator(settings: Settings, metrics: Metrics, hits: Counter[str]) -> Handler:
    async def read_metrics(request: web.Request) -> web.StreamResponse:
        # A local address opens nothing: everybody who comes through a proxy on this machine has one.
        if not settings.metrics_open:
            token = settings.metrics_token
            shown = request.headers.get("Authorization", "").encode("utf-8", "surrogateescape")
            if not token or not hmac.compare_digest(shown, f"Bearer {token}".encode()):
                hits["metrics_token"] += 1
                raise web.HTTPForbidden(
                    text="Metrics are for whoever has the token (setting metrics_token).\n"
                )
        return OwnState(body=metrics.exposition(), headers={"Content-Type": "text/plain; version=0.0.4"})

    return read_metrics


def _described(damage: Damage) -> dict[str, Any]:
    """Numbers, and the ids of some of the tables."""
    return {
        "tables": len(damage.tables),
        "ids": list(islice(damage.tables, _IDS)),
        "notes": len(damage.notes),
        "people": damage.people,
        "events_gone": damage.events,
        "bad_reads": damage.reads,
    }
