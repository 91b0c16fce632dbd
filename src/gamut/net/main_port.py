"""The main port of a node that is open whatever the node has of the hall.

As long as the main wing is elsewhere, only what the node says of itself is answered there.
"""

import asyncio
from collections import Counter
from collections.abc import Awaitable, Callable, Iterable, Mapping, Sequence
from typing import Any

from aiohttp import web

from gamut.doors.http import json_answer
from gamut.net.api.status import metrics_for_the_operator
from gamut.net.frontage import Frontage
from gamut.net.http.answers import response
from gamut.net.http.durable import OwnState
from gamut.net.lines.tls import tls_context
from gamut.net.metrics import Metrics
from gamut.net.port.connections import AfterAnswers
from gamut.net.port.open_files import OpenFiles
from gamut.net.ports import Doorway
from gamut.net.settings import Settings
from gamut.net.timekeeper import LoopTime

_ILL = ("store_away", "stuck", "stalled")
"""How a wing is that serves nobody just now."""
_NO_PAGE = (
    "This node has no page: the page is at the node that has the hall, or the main wing of it. A proxy in front of all "
    "finds it by /healthz/owner.\n"
)


class MainPort:
    frontage: Frontage

    def __init__(self, settings: Settings, metrics: Metrics) -> None:
        self.settings = settings
        self.metrics = metrics
        self._durable: Callable[[], Awaitable[None]] = _at_once
        """Waits until all that may be answered over HTTP is stored; of the hall, if its main wing is at this node."""
        self.wings: Callable[[], Mapping[str, str]] = dict
        """How each wing of the hall is that is at this node, if it has several."""

    async def open(self, files: OpenFiles) -> None:
        """Raises CannotListen or BadCertificate."""
        await self._open(files)

    async def _open(
        self,
        files: OpenFiles,
        doorways: Sequence[Doorway] = (),
        after_answers: AfterAnswers = lambda session, call: call(),
    ) -> None:
        settings = self.settings
        tls = await asyncio.to_thread(tls_context, settings.tls_certificate, settings.tls_key)
        clock = LoopTime(asyncio.get_running_loop())
        clock.go()
        self.frontage = Frontage(
            settings,
            Counter[str](),
            clock.now,
            doorways,
            files=files,
            tls=tls,
            recognise=lambda newcomer: newcomer,
            durable=lambda: self._durable(),
            after_answers=after_answers,
        )
        self._watch()
        await self.frontage.open(self.routes())

    async def answer_for(
        self, routes: Iterable[web.AbstractRouteDef], durable: Callable[[], Awaitable[None]]
    ) -> None:
        """The main wing is at this node from now on."""
        self._durable = durable
        await self.frontage.ports.answer(routes)

    async def answer_for_nobody(self) -> None:
        """The main wing is elsewhere, and all that was asked of it here is answered."""
        await self.frontage.ports.answer(self.routes())
        self._durable = _at_once

    def _watch(self) -> None:
        """Nothing is counted here but what the wings count."""

    def routes(self) -> Iterable[web.AbstractRouteDef]:
        """What is answered by HTTP as long as the main wing is elsewhere."""
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
        return next((word for word in self.wings().values() if word in _ILL), "ok")

    def _state(self) -> dict[str, Any]:
        wings = self.wings()
        return {"status": self.status, "wings": wings} if wings else {"status": self.status}

    async def _health(self, request: web.Request) -> web.Response:
        state = self._state()
        return response(json_answer(state, 200 if state["status"] == "ok" else 503), OwnState)

    async def _not_here(self, request: web.Request) -> web.Response:
        return OwnState(status=503, text=_NO_PAGE, headers={"Retry-After": "1"})

    async def close(self) -> None:
        if hasattr(self, "frontage"):
            await self.frontage.ports.close()


async def _at_once() -> None:
    """Nothing is told here that could be lost."""
