"""A connection on which HTTP is spoken: aiohttp's, but it tells no log what it hears, and waits for nobody forever."""

import asyncio
import logging
from collections import Counter
from http import HTTPStatus

from aiohttp import web

from gamut.net.http.headers import SECURITY_HEADERS, SERVER
from gamut.net.port.visitors import Visit, Visitors

log = logging.getLogger("gamut.http")

LONGEST_HEAD = 16_384
"""Bytes of a request line and all header fields."""
_KEEP_ALIVE_SECONDS = 30.0
_READ_SECONDS = 30.0
"""Whoever takes in nothing of an answer for so long is gone."""


class HttpConnection(web.RequestHandler):
    __slots__ = ("_head", "_hits", "_unread", "_visit", "_visitors")

    def __init__(self, server: web.Server, visitors: Visitors, visit: Visit, hits: Counter[str]) -> None:
        super().__init__(
            server,
            loop=asyncio.get_running_loop(),
            keepalive_timeout=_KEEP_ALIVE_SECONDS,
            access_log=None,  # type: ignore[arg-type]  # as AppRunner does it
            logger=log,
            # The connection does not wait for the rest of a body that no handler has read.
            lingering_time=0.0,
            # Nobody sends us anything compressed; inflating a few bytes could take seconds.
            auto_decompress=False,
        )
        self._visitors = visitors
        self._visit = visit
        self._hits = hits
        self._head = 0
        """Bytes that came since we wait for a request."""
        self._unread: asyncio.TimerHandle | None = None

    # Who it is that asks

    def asked_by(self, address: str) -> bool:
        """Whether there is a place for a request of the client at this address."""
        return self._visitors.asks(self._visit, address)

    def answering(self) -> None:
        """All of the request is here."""
        self._visitors.answering(self._visit)

    async def finish_response(
        self, request: web.BaseRequest, resp: web.StreamResponse, start_time: float | None
    ) -> tuple[web.StreamResponse, bool]:
        finished = await super().finish_response(request, resp, start_time)
        self._visitors.answered(self._visit)
        return finished

    # In

    def data_received(self, data: bytes) -> None:
        super().data_received(data)
        if self._waiter is None or self._waiter.done():
            self._head = 0
            return
        self._head += len(data)
        if self._head > LONGEST_HEAD:
            self._hits["long_head"] += 1
            self.force_close()

    def hand_over(self) -> bytes:
        """Let go of the connection, which is a WebSocket now.
        Returns the bytes that came after the request for it."""
        tail, self._message_tail = self._message_tail, b""
        # Without a transport aiohttp does not close the connection, and its answer to
        # the request goes nowhere.
        self.transport = None
        self.connection_lost(None)
        return tail

    # Out

    def pause_writing(self) -> None:
        super().pause_writing()
        self._visitors.awaiting(self._visit)
        self._wait_for_reader()

    def resume_writing(self) -> None:
        self._stop_waiting_for_reader()
        super().resume_writing()

    def _wait_for_reader(self) -> None:
        if self.transport is not None:
            unread = self.transport.get_write_buffer_size()
            self._unread = self._loop.call_later(_READ_SECONDS, self._check_reader, unread)

    def _check_reader(self, unread: int) -> None:
        if self.transport is None:
            return
        if self.transport.get_write_buffer_size() < unread:
            self._wait_for_reader()
            return
        self._hits["slow_reader"] += 1
        self.transport.abort()

    def _stop_waiting_for_reader(self) -> None:
        if self._unread is not None:
            self._unread.cancel()
            self._unread = None

    def connection_lost(self, exc: BaseException | None) -> None:
        self._stop_waiting_for_reader()
        self._visitors.leave(self._visit)
        super().connection_lost(exc)

    # What goes wrong

    def handle_error(
        self,
        request: web.BaseRequest,
        status: int = HTTPStatus.INTERNAL_SERVER_ERROR,
        exc: BaseException | None = None,
        message: str | None = None,
    ) -> web.StreamResponse:
        """Say what kind of trouble it is, and no more: what was sent belongs into no answer and no log."""
        if status < HTTPStatus.INTERNAL_SERVER_ERROR:
            self._hits["bad_request"] += 1
        else:
            self._hits["request_failed"] += 1
            log.error("a request failed", exc_info=exc)
        if request.writer.output_size > 0:
            raise ConnectionError("The answer has begun already.")
        known = HTTPStatus(status)
        answer = web.Response(
            status=status, text=f"{known.value} {known.phrase}\n", headers={**SECURITY_HEADERS, **SERVER}
        )
        answer.force_close()
        return answer
