"""One connection to NATS, from its beginning to its end.

nats-py has its own ways to come back after a loss. They are not used: they wait for a socket to close that cannot be
written to any more, which takes a quarter of an hour, and after an error from the server they do nothing at all. So a
connection that is lost is thrown away with everything that waited in it, and `NatsBus` makes another one. The socket
is ours, and ends at once.
"""

import asyncio
import logging
from collections import Counter
from collections.abc import Coroutine, Sequence
from contextlib import suppress
from typing import Any, TypeVar, cast

from nats import errors
from nats.aio.client import Client
from nats.aio.msg import Msg
from nats.aio.subscription import Subscription
from nats.aio.transport import TcpTransport

from gamut.cluster.bus import BusError, Heard
from gamut.cluster.nats_address import NatsAddress, Place
from gamut.hall.faults import Faults

log = logging.getLogger(__name__)

Result = TypeVar("Result")

CANNOT_CONNECT = (OSError, TimeoutError, ValueError, errors.Error)
"""What may be wrong with a server, and the next attempt may not meet; ValueError is for a greeting without end."""

_SECONDS_TO_CONNECT = 2.0
_SECONDS_BETWEEN_PINGS = 2.0
_SECONDS_TO_ANSWER = 2
_WAITING_BYTES = 8 * 1024 * 1024
"""What waits for a server that does not read; about as much again is on its way into the socket."""
_ROOM = 2 * 1024 * 1024
"""nats-py would wait above its own limit, which is more than the largest message above ours."""
_NEVER = 1_000_000_000


class LogInRefused(BusError):
    pass


class _Socket(TcpTransport):
    """A socket that is connected before nats-py is asked to speak over it, and ends without waiting for anybody."""

    def __init__(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter, *, only_tls: bool) -> None:
        super().__init__()  # type: ignore[no-untyped-call]
        self._bare_io_reader = self._io_reader = reader
        self._bare_io_writer = self._io_writer = self._writer = writer
        self._may_write = not only_tls
        self.ended = asyncio.Event()

    async def connect(self, *_: Any, **__: Any) -> None:
        pass

    async def connect_tls(self, *args: Any, **named: Any) -> None:
        await super().connect_tls(*args, **named)
        assert self._io_writer is not None
        self._writer = self._io_writer
        self._may_write = True

    def write(self, payload: bytes) -> None:
        if not self._may_write:
            # Next would be the password.
            raise OSError("the server does not offer TLS")
        if not self._writer.is_closing():
            self._writer.write(payload)

    def writelines(self, payload: list[bytes]) -> None:
        self.write(b"".join(payload))

    async def drain(self) -> None:
        with suppress(OSError):  # whoever reads hears of it
            await self._writer.drain()

    def close(self) -> None:
        self._writer.transport.abort()
        self.ended.set()

    async def wait_closed(self) -> None:
        pass


class NatsConnection:
    """Made by `connect`. Whoever has one ends it."""

    def __init__(self, socket: _Socket, lost: Counter[str], faults: Faults) -> None:
        self._socket = socket
        self._lost = lost
        self._faults = faults
        self._client = Client()
        self._client._transport = socket  # there is no other way to hand it one
        self._pings: asyncio.Task[None] | None = None
        self._subscriptions: dict[str, Subscription] = {}
        self._is_forbidden_something = False

    @classmethod
    async def connect(
        cls, address: NatsAddress, place: Place, lost: Counter[str], faults: Faults
    ) -> "NatsConnection":
        """Raises LogInRefused or one of CANNOT_CONNECT."""
        async with asyncio.timeout(_SECONDS_TO_CONNECT):
            reader, writer = await asyncio.open_connection(*place)
            connection = cls(_Socket(reader, writer, only_tls=address.scheme == "tls"), lost, faults)
            try:
                await connection._log_in(address, place)
            except BaseException:
                await connection.end()
                raise
        return connection

    async def _log_in(self, address: NatsAddress, place: Place) -> None:
        try:
            await self._client.connect(
                f"{address.scheme}://{place}",
                name="gamut",
                user=address.user,
                password=address.password,
                token=address.token,
                allow_reconnect=False,
                ping_interval=_NEVER,  # ours find more
                pending_size=_WAITING_BYTES + _ROOM,
                error_cb=self._error,
            )
        except errors.Error as error:
            if "authorization violation" in str(error).lower():
                raise LogInRefused(f"{address.shown} refuses this user or password.") from None
            raise
        if not self._client.is_connected:
            raise OSError("the server closed the connection")
        self._pings = asyncio.create_task(self._ping())

    def subscribe(self, subject: str, listeners: Sequence[Heard]) -> None:
        """`listeners`: of each packet those who are in there when it comes."""

        async def take(message: Msg) -> None:
            for heard in tuple(listeners):
                self._faults.guard("bus", heard, message.data, subject=subject)

        with suppress(errors.Error):  # it is lost, and the next one subscribes again
            self._subscriptions[subject] = _at_once(self._client.subscribe(subject, cb=take))

    def unsubscribe(self, subject: str) -> None:
        subscription = self._subscriptions.pop(subject, None)
        if subscription is not None:
            with suppress(errors.Error):  # it is lost, and so is what it was subscribed to
                _at_once(subscription.unsubscribe())

    def publish(self, subject: str, data: bytes) -> None:
        """What does not fit is lost, and counted."""
        if self._client.pending_data_size + len(data) > _WAITING_BYTES:
            self._lost["too much waits"] += 1
            return
        try:
            _at_once(self._client.publish(subject, data))
        except errors.MaxPayloadError:
            self._lost["too long"] += 1
        except errors.Error:
            self._lost["not connected"] += 1

    async def until_lost(self) -> None:
        await self._socket.ended.wait()

    async def flush(self) -> None:
        """Returns when the server has everything that was published, or is found not to answer."""
        await asyncio.sleep(0)  # what was published comes before the ping only if it is in the socket by then
        with suppress(errors.Error):
            await self._client.rtt(_SECONDS_TO_ANSWER)

    async def end(self) -> None:
        """At once; what waits is lost."""
        self._socket.close()
        if self._pings is not None:
            self._pings.cancel()
        await self._client.close()
        # Its tasks are cancelled by now, and end in the next turn of the loop.
        await asyncio.sleep(0)

    async def _ping(self) -> None:
        """A server that is not there any more may have said nothing."""
        with suppress(errors.Error):
            while not self._socket.ended.is_set():
                await asyncio.sleep(_SECONDS_BETWEEN_PINGS)
                await self._client.rtt(_SECONDS_TO_ANSWER)
        self._socket.close()

    async def _error(self, error: Exception) -> None:
        if isinstance(error, errors.SlowConsumerError):
            self._lost["not taken in time"] += 1
        elif "permissions violation" in str(error):
            # Said of every message; in the log it stands once.
            if not self._is_forbidden_something:
                log.warning("NATS forbids a subject", extra={"error": str(error)})
            self._is_forbidden_something = True
        else:
            self._socket.close()


def _at_once(call: Coroutine[Any, Any, Result]) -> Result:
    """Runs what is asynchronous in name only: publishing and subscribing wait only when nats-py has no room."""
    try:
        call.send(None)
    except StopIteration as done:
        return cast(Result, done.value)
    call.close()
    raise errors.OutboundBufferLimitError
