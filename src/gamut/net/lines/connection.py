"""Connections of clients that speak lines over TCP, in the clear or under TLS."""

import asyncio
import socket
from typing import TYPE_CHECKING

from gamut.doors.close_codes import NORMAL, POLICY
from gamut.net.lines.reader import LONG, LineReader, lone_line
from gamut.net.port.connection import Admission, Connection
from gamut.net.websocket.frames import Violation

if TYPE_CHECKING:
    from gamut.net.port.connections import Connections

_LOOKS = 2
"""How often within the time of an idle client it is looked whether it said something."""
_PROBES = 2
"""After so many questions without an answer the system gives a connection up, as we do with pings."""


def keep_asking(transport: asyncio.BaseTransport, seconds: float) -> None:
    """The system finds out whether the other side is still there, asking so many seconds after the last sign of life;
    also while we wait for it to take something in."""
    found = transport.get_extra_info("socket")
    if found is None or found.family not in (socket.AF_INET, socket.AF_INET6):
        return
    found.setsockopt(socket.SOL_SOCKET, socket.SO_KEEPALIVE, 1)
    whole = min(max(1, round(seconds)), 32_767)
    # Not every system has all of them.
    for option, value in (
        ("TCP_KEEPIDLE", whole),
        ("TCP_KEEPINTVL", whole),
        ("TCP_KEEPCNT", _PROBES),
        ("TCP_USER_TIMEOUT", (1 + _PROBES) * whole * 1000),
    ):
        number = getattr(socket, option, None)
        if number is not None:
            found.setsockopt(socket.IPPROTO_TCP, number, value)


def finish_writing(transport: asyncio.Transport) -> None:
    """End our side of the connection. The caller must cut it off if the client does not end its side.

    To close both sides at once would lose our last words: if there are bytes that we have not read, the
    system resets the connection.
    """
    if not transport.can_write_eof():
        transport.close()
    elif not transport.is_closing():
        try:
            transport.write_eof()
        except OSError:
            transport.abort()  # the client has just gone, and `connection_lost` is about to be called


class LineConnection(Connection):
    """What is not UTF-8 the session gets as `binary`; of a line that is too long it hears `oversized`, and nothing else
    happens unless it closes the connection. There are no pings: see `keep_asking`."""

    __slots__ = ("_idle_seconds", "_input_over", "_largest", "_silent")

    def __init__(
        self,
        connections: "Connections",
        admission: Admission,
        transport: asyncio.Transport,
        idle_seconds: float | None = None,
    ) -> None:
        super().__init__(connections, admission, transport)
        self._largest = min(admission.largest, connections.settings.message_bytes)
        self._input_over = False
        """The client will say no more. It may still listen."""
        self._idle_seconds = idle_seconds
        self._silent = 0
        """How often it was looked since anything came."""
        if idle_seconds is not None:
            self._set_alarm(idle_seconds / _LOOKS, self._look_for_life)

    # In

    def data_received(self, data: bytes) -> None:
        self._silent = 0
        if self._deaf:
            return
        if self._reader is None and self._task is None and self._turn is None:
            text = lone_line(data, self._largest)
            if text is not None:
                self._hear_text(text)
                return
        self._read(data)

    def _new_reader(self, largest: int) -> LineReader:
        return LineReader(largest)

    def _hear_other(self, kind: int, payload: bytes) -> None:
        assert kind == LONG
        if self._within_rate():
            self._connections.hits["long_line"] += 1
            self._tell(self._session.oversized)

    def _violated(self, violation: Violation) -> None:
        raise AssertionError("lines have no rules to be broken") from violation

    def eof_received(self) -> bool:
        """The client has said all it had to say. Answers still go out, except under TLS, which has no such state."""
        self._input_over = True
        if self._parting or not self._transport.can_write_eof():
            return False
        self._finish()
        return True

    def _finish(self) -> None:
        if self._input_over and self._task is None and self._turn is None and not self._parting:
            # What is left is the beginning of a line that never ended.
            self._deaf = True
            self._connections.after_answers(self._session, self._finished)

    def _finished(self) -> None:
        self.close(NORMAL, "the client has finished")

    def _resume(self) -> None:
        if not self._input_over:
            super()._resume()

    def _catch_up(self) -> None:
        super()._catch_up()
        self._finish()

    # Out

    def _say_goodbye(self, code: int, reason: str) -> None:
        self._say_last(b"")
        if self._input_over:
            self._transport.close()
        else:
            finish_writing(self._transport)

    # Time

    def _look_for_life(self) -> None:
        if self._silent == _LOOKS:
            self._connections.hits["idle"] += 1
            self.close(POLICY, "nothing was said for too long")
            return
        if not self.held:
            self._silent += 1
        assert self._idle_seconds is not None
        self._set_alarm(self._idle_seconds / _LOOKS, self._look_for_life)
