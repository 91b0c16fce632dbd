"""One gateway for each wing of the hall: each has a link of its own, to the owner of that wing."""

from collections.abc import Callable, Container, Iterator
from secrets import randbits
from time import time

from gamut.cluster.bus import Bus
from gamut.cluster.gateway import Gateway
from gamut.cluster.pulse import Pulse
from gamut.cluster.roaming_session import RoamingSession
from gamut.doors.offer import Newcomer, SessionOn
from gamut.hall.store.journal import Wire
from gamut.hall.wings import MAIN, Wings


def link_numbers() -> Iterator[int]:
    """Each is greater than those before it, and no other gateway has the same."""
    last = 0
    while True:
        last = max(last + 1, int(time() * 1000) << 20 | randbits(20))
        yield last


class Gateways:
    def __init__(
        self,
        id: str,
        name: str,
        bus: Bus,
        pulse: Pulse,
        new_link: Callable[[], int],
        wings: int = 1,
        at_main: Container[str] = (),
    ) -> None:
        """`at_main`: doors whose sessions are always in the main wing."""
        self.wings = Wings(MAIN, wings)
        self.each = tuple(
            Gateway(f"{id}-{wing}" if wing else id, name, bus, pulse, new_link, wing, wings)
            for wing in range(wings)
        )
        self.main = self.each[MAIN]
        self._at_main = at_main
        self.closed_on_the_way = 0
        """Connections that could not go on in another wing of the hall."""

    def has(self, wing: int) -> bool:
        return 0 <= wing < len(self.each)

    def begin(self) -> None:
        for gateway in self.each:
            gateway.begin()

    def end(self) -> None:
        for gateway in self.each:
            gateway.end()

    def session_at(self, door: str) -> SessionOn:
        if len(self.each) == 1 or door in self._at_main:
            return self.main.session_at(door)

        def session(wire: Wire, newcomer: Newcomer) -> RoamingSession:
            return RoamingSession(self, door, wire, newcomer)

        return session

    # For whoever looks after the server

    @property
    def is_alone(self) -> bool:
        """Nobody who comes can be served just now, and has not been for a while."""
        return self.main.is_alone

    @property
    def is_open(self) -> bool:
        """All owners have everybody, and hear them."""
        return all(gateway.is_open for gateway in self.each)

    @property
    def is_heard(self) -> bool:
        """Owners have heard all that was said to them, or there are none."""
        return all(gateway.is_heard for gateway in self.each)

    @property
    def is_parted(self) -> bool:
        """The gateway has stopped, and all that was left to be said is said."""
        return all(gateway.parting.is_done for gateway in self.each)
