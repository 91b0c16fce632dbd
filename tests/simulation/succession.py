"""The servers of a hall, or of one wing of it, one after the other, and when clocks ran there."""

from typing import TYPE_CHECKING

from tests.simulation.process import Clock

from gamut.hall.wings import Wings

if TYPE_CHECKING:
    from tests.simulation.gateway_world import Node, OwnerServer, Steady


class Succession:
    def __init__(self, wings: Wings, clock: Clock) -> None:
        self.wings = wings
        self._clock = clock
        self.server: OwnerServer
        """The last one, whether or not it is alive."""
        self.standby: Node | None = None
        self.ghosts: list[tuple[int, OwnerServer]] = []
        """Servers that were ended and do not know it, and until when."""
        self.steady: list[Steady] = []
        """Who was connected when the last one went."""
        self.there_until = int(clock.now())
        """The last moment of the server before this one."""
        self._clocks_stand = True
        self._pauses: list[tuple[int, int]] = []
        """From when until when no clock ran."""
        self._outlived: list[tuple[int, int]] = []
        """From when until when there was a server that had been ended."""

    def servers(self) -> list["OwnerServer"]:
        """All that are alive, the last one at the end."""
        servers = [server for _, server in self.ghosts]
        return [*servers, self.server] if self.server.alive and self.server not in servers else servers

    def outlives(self, server: "OwnerServer", until: int) -> None:
        """It goes on until then, and does not know that it was ended."""
        self.ghosts.append((until, server))
        self._outlived.append((int(self._clock.now()), until))

    # Clocks

    def is_up(self) -> None:
        """Clocks run again."""
        self._pauses.append((self.there_until, int(self._clock.now())))
        self._clocks_stand = False

    def stand(self) -> None:
        """There is no server any more."""
        if not self._clocks_stand:
            # Also of one that had not woken all its tables yet.
            self.there_until = int(self._clock.now())
            self._clocks_stand = True

    def uptime(self, now: int) -> int | None:
        pauses = [*self._pauses, (self.there_until, now + 1)] if self._clocks_stand else self._pauses
        if any(since < now < until for since, until in (*pauses, *self._outlived)):
            return None
        return now - sum(max(0, min(now, until) - since) for since, until in pauses)
