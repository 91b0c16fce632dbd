"""The bus over NATS, whose servers may go and come back at any time."""

import asyncio
import logging
from collections import Counter
from itertools import cycle
from time import monotonic

from gamut.cluster.bus import BusError, Heard
from gamut.cluster.nats_address import NatsAddress, Place
from gamut.cluster.nats_connection import CANNOT_CONNECT, LogInRefused, NatsConnection
from gamut.hall.faults import Fault, Faults

log = logging.getLogger(__name__)

_FIRST_WAIT = 0.05
_LONGEST_WAIT = 0.5
_SECONDS_TO_LAST = 5.0
"""A connection that was shorter counts as one more attempt: a server that hangs up is not called again at once."""


class NatsBus:
    """Connected for as long as one of the servers answers; what is published meanwhile is lost, and counted."""

    def __init__(self, address: NatsAddress, faults: Faults) -> None:
        self.lost: Counter[str] = Counter()
        self.reconnects = 0
        self._address = address
        self._faults = faults
        self._places = cycle(address.places)
        self._heard: dict[str, list[Heard]] = {}
        """By subject: everybody here who listens. Each packet comes once, however many they are."""
        self._connection: NatsConnection | None = None
        self._task: asyncio.Task[None] | None = None

    @classmethod
    async def open(cls, url: str, faults: Faults) -> "NatsBus":
        """Also if no server answers: then it is connected later. BusError if the address or the log-in is wrong."""
        try:
            address = NatsAddress.read(url)
        except ValueError as error:
            raise BusError(f"This is no address of a cluster: {error}.") from None
        bus = cls(address, faults)
        away = ""
        for place in address.places:
            away = await bus._attempt(place)
            if not away:
                break
        bus._task = asyncio.create_task(bus._stay_connected(away))
        return bus

    async def close(self) -> None:
        """What was published has arrived by then, if the server answers."""
        assert self._task is not None
        if self._connection is not None:
            await self._connection.flush()
        while not self._task.done():
            # More than once: before Python 3.12 `wait_for`, which nats-py uses, may swallow it.
            self._task.cancel()
            await asyncio.wait([self._task], timeout=0.1)

    @property
    def connected(self) -> bool:
        return self._connection is not None

    def publish(self, subject: str, data: bytes) -> None:
        if self._connection is None:
            self.lost["not connected"] += 1
        else:
            self._connection.publish(self._full(subject), data)

    def subscribe(self, subject: str, heard: Heard) -> None:
        subject = self._full(subject)
        listeners = self._heard.setdefault(subject, [])
        listeners.append(heard)
        if len(listeners) == 1 and self._connection is not None:
            self._connection.subscribe(subject, listeners)

    def unsubscribe(self, subject: str, heard: Heard) -> None:
        subject = self._full(subject)
        listeners = self._heard[subject]
        listeners.remove(heard)
        if not listeners:
            del self._heard[subject]
            if self._connection is not None:
                self._connection.unsubscribe(subject)

    def _full(self, subject: str) -> str:
        return f"gamut.{self._address.name}.{subject}"

    async def _attempt(self, place: Place) -> str:
        """Connects to this server; or why it cannot, which is empty if it could. Raises LogInRefused."""
        try:
            connection = await NatsConnection.connect(self._address, place, self.lost, self._faults)
        except LogInRefused:
            raise
        except CANNOT_CONNECT as error:
            return str(error) or type(error).__name__
        except Fault as fault:
            # Whatever nats-py makes of a server must not leave this node deaf.
            self._faults.contained("bus", fault)
            return "a fault"
        for subject, listeners in self._heard.items():
            connection.subscribe(subject, listeners)
        self._connection = connection
        return ""

    async def _stay_connected(self, away: str) -> None:
        wait = _FIRST_WAIT
        while True:
            if self._connection is None:
                await self._connect_again(away, wait)
            since = monotonic()
            assert self._connection is not None
            try:
                await self._connection.until_lost()
            finally:
                connection, self._connection = self._connection, None
                await connection.end()
            wait = _FIRST_WAIT if monotonic() - since > _SECONDS_TO_LAST else min(2 * wait, _LONGEST_WAIT)
            away = "the connection was lost"

    async def _connect_again(self, away: str, wait: float) -> None:
        since = monotonic()
        log.warning("NATS does not answer", extra={"servers": self._address.shown, "error": away})
        is_refusal_said = False
        while self._connection is None:
            await asyncio.sleep(wait)
            wait = min(2 * wait, _LONGEST_WAIT)
            try:
                await self._attempt(next(self._places))
            except LogInRefused:
                if not is_refusal_said:
                    log.error("NATS refuses the log-in", extra={"servers": self._address.shown})
                is_refusal_said = True
        self.reconnects += 1
        log.warning(
            "NATS answers again",
            extra={"servers": self._address.shown, "seconds": round(monotonic() - since, 1)},
        )
