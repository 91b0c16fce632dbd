"""WebSocket connections: the frames between a client and a door's session."""

import asyncio
from time import monotonic
from typing import TYPE_CHECKING

from gamut.doors.close_codes import TOO_BIG
from gamut.net.port.connection import SMALL, Admission, Connection
from gamut.net.websocket.frames import (
    CLOSE,
    PART,
    PING,
    PONG,
    FrameReader,
    TooBig,
    Violation,
    close_code,
    closing_frame,
    control_frame,
    lone_text,
)

if TYPE_CHECKING:
    from gamut.net.port.connections import Connections

_PING = control_frame(PING)
_UNANSWERED = 2
"""After so many pings without a sign of life the connection is given up."""


class WebSocket(Connection):
    __slots__ = ("_silent",)
    _reader: FrameReader | None

    def __init__(
        self, connections: "Connections", admission: Admission, transport: asyncio.Transport
    ) -> None:
        super().__init__(connections, admission, transport)
        self._silent = 0
        """Pings since anything came."""
        self._set_alarm(connections.settings.heartbeat, self._heartbeat)

    # In

    def data_received(self, data: bytes) -> None:
        self._silent = 0
        if self._deaf:
            return
        if self._reader is None and self._task is None and self._turn is None:
            text = lone_text(data)
            if text is not None:
                self._hear_text(text)
                return
        self._read(data)

    def _new_reader(self, largest: int) -> FrameReader:
        return FrameReader(largest)

    def _violated(self, violation: Violation) -> None:
        self._connections.hits["bad_frame"] += 1
        if isinstance(violation, TooBig):
            if not self._parting:
                self._tell(self._session.oversized)
                self._close_soon(TOO_BIG, "message too big")
            # From now on only the client's close frame is heard.
            self._read()
            return
        self._deaf = True
        self.close(violation.code, violation.reason)

    def _hear_other(self, kind: int, payload: bytes) -> None:
        if kind == CLOSE:
            code = close_code(payload)
            self._deaf = True
            self._say_last(closing_frame(code))
            self._transport.close()
            self._end()
        elif self._rate is not None and not self._rate.take(monotonic(), SMALL):
            if kind == PART and self._reader is not None:
                # A message that lacks a piece is not the client's message any more: drop all of it.
                self._reader.drop()
            self._over_limit("frame_rate", tell=kind == PART)
        elif kind == PING:
            self.write(control_frame(PONG, payload))

    # Out

    def _say_goodbye(self, code: int, reason: str) -> None:
        self._say_last(closing_frame(code, reason))

    def _heartbeat(self) -> None:
        if self._silent == _UNANSWERED:
            self._connections.hits["heartbeat"] += 1
            self._transport.abort()
            return
        # Counted before the ping is written: if that fails, the next heartbeats still give the connection up.
        if not self.held:
            self._silent += 1
        self._set_alarm(self._connections.settings.heartbeat, self._heartbeat)
        self.write(_PING)
