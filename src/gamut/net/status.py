"""What the server says of itself over HTTP: whether it is well, and its metrics."""

import hmac
from collections import Counter
from collections.abc import Callable

from aiohttp import web

from gamut.doors.http import json_answer
from gamut.hall.storage import Damage
from gamut.net.answers import response
from gamut.net.damage import described
from gamut.net.durable import OwnState
from gamut.net.metrics import Metrics
from gamut.net.settings import Settings

_STUCK_SECONDS = 5.0


class Status:
    def __init__(
        self,
        *,
        stopping: Callable[[], bool],
        storing_for: Callable[[], float],
        damage: Damage,
        metrics: Metrics,
        settings: Settings,
        hits: Counter[str],
    ) -> None:
        self._stopping = stopping
        self._storing_for = storing_for
        """Seconds since which the disk has been storing one batch."""
        self._damage = damage
        self._metrics = metrics
        self._settings = settings
        self._hits = hits

    def routes(self) -> list[web.RouteDef]:
        return [web.get("/healthz", self._health), web.get("/metrics", self._read_metrics)]

    async def _health(self, request: web.Request) -> web.Response:
        status, damage = "ok", self._damage
        if self._stopping():
            status = "stopping"
        elif self._storing_for() > _STUCK_SECONDS:
            status = "stuck"
        elif damage:
            status = "degraded"
        state = {"status": status, "damage": described(damage)} if damage else {"status": status}
        # Damage is no reason to be taken for dead: a restart would take the rest away, too.
        return response(json_answer(state, 200 if status in ("ok", "degraded") else 503), OwnState)

    async def _read_metrics(self, request: web.Request) -> web.Response:
        # Being on this machine proves nothing: whoever comes through a proxy on it is, too.
        if not self._settings.metrics_open:
            token = self._settings.metrics_token
            shown = request.headers.get("Authorization", "").encode("utf-8", "surrogateescape")
            if not token or not hmac.compare_digest(shown, f"Bearer {token}".encode()):
                self._hits["metrics_token"] += 1
                raise web.HTTPForbidden(
                    text="Metrics are for whoever has the token (setting metrics_token).\n"
                )
        return OwnState(
            body=self._metrics.exposition(), headers={"Content-Type": "text/plain; version=0.0.4"}
        )
