"""All connections at the doors of this server, and who may come in."""

import asyncio
import logging
from collections import Counter
from collections.abc import Callable, Collection
from http import HTTPStatus

from gamut.doors.session import Session
from gamut.hall.faults import Fault
from gamut.hall.limits.attempts import Attempts, TooManyTries
from gamut.net.port.address import counted_as, is_loopback
from gamut.net.port.connection import Admission, Connection
from gamut.net.port.limits import ConnectionLimits
from gamut.net.settings import Settings
from gamut.net.websocket.handshake import HandshakeRefused

log = logging.getLogger("gamut.server")


AfterAnswers = Callable[[Session, Callable[[], None]], None]


def _at_once(session: Session, call: Callable[[], None]) -> None:
    call()


class Connections:
    def __init__(
        self,
        settings: Settings,
        hits: Counter[str],
        limits: ConnectionLimits,
        handshakes: Attempts | None = None,
        *,
        after_answers: AfterAnswers = _at_once,
        speak_while_stopping: Collection[str] = (),
    ) -> None:
        self.loop = asyncio.get_running_loop()
        self.settings = settings
        self.hits = hits
        self.after_answers = after_answers
        """Calls once everything that was said so far is on its way, at least to this session's client."""
        self._limits = limits
        self._handshakes = handshakes
        """How often one address may come in."""
        self.open: dict[str, set[Session]] = {}
        self._connections: set[Connection] = set()
        self._held: list[Connection] = []
        self.holding = False
        """Nobody is heard, newcomers neither: nothing can be stored."""
        self._gone = asyncio.Event()
        self.stopping = False
        self._speak_while_stopping = speak_while_stopping
        """Doors whose protocol has a word for a server that is about to stop: newcomers are let in to hear it."""

    def check(self, admission: Admission) -> None:
        """Whether this one may come in; counted from now on. Raises HandshakeRefused."""
        if self.stopping and admission.door not in self._speak_while_stopping:
            self.hits["stopping"] += 1
            raise HandshakeRefused(HTTPStatus.SERVICE_UNAVAILABLE, "The server is stopping.")
        if self._handshakes is not None and not is_loopback(admission.address):
            try:
                self._handshakes.take(counted_as(admission.address))
            except TooManyTries as refused:
                self.hits["handshake_rate"] += 1
                raise HandshakeRefused(
                    HTTPStatus.TOO_MANY_REQUESTS, "Too many connections.", wait=-(-refused.wait // 1000)
                ) from None
        if not self._limits.enter(admission.address):
            raise HandshakeRefused(HTTPStatus.TOO_MANY_REQUESTS, "Too many connections.")

    def entered(self, admission: Admission, session: Session, connection: Connection) -> None:
        self._connections.add(connection)
        self.open.setdefault(admission.door, set()).add(session)
        if self.holding:
            connection.hold()
            self._held.append(connection)

    def hold(self) -> None:
        """Read from nobody until `release`. What clients send waits in the system's
        buffers, not in our memory."""
        self.holding = True
        self._held = list(self._connections)
        for connection in self._held:
            connection.hold()

    def release(self) -> None:
        self.holding = False
        held, self._held = self._held, []
        for connection in held:
            connection.release()

    def over(self, admission: Admission, session: Session) -> None:
        self.open[admission.door].discard(session)
        self._limits.leave(admission.address)

    def left(self, connection: Connection) -> None:
        self._connections.discard(connection)
        if not self._connections:
            self._gone.set()

    def stop(self) -> None:
        """Tell everybody that the server stops; each connection ends after what was said to it before."""
        self.stopping = True
        for door, sessions in self.open.items():
            for session in list(sessions):
                try:
                    session.closing()
                except Fault:
                    # The others are told all the same; this one ends with the server.
                    log.exception("a session failed when the server stopped", extra={"door": door})
                    self.hits["session_failed"] += 1

    def queued_bytes(self) -> int:
        """What waits for readers, all together."""
        return sum(connection.queued for connection in self._connections)

    async def drained(self) -> None:
        while self._connections:
            self._gone.clear()
            await self._gone.wait()
