"""How a gateway parts from its clients when it stops: the owner tells them, and no word is lost or counts twice.

The owner hears first that this connection ends soon. If the client has a word for that, the owner deals with nothing
more that it says, and keeps it. A moment later, when whatever was on its way from the client has come, the owner hears
that it ends now, and gives all of that back to the client. Both are said in their place between the frames, and once
more to an owner that comes in between.
"""

from collections.abc import Iterator
from typing import TYPE_CHECKING

from gamut.cluster.messages import Parting
from gamut.cluster.pulse import Pulse

if TYPE_CHECKING:
    from gamut.cluster.distant_session import DistantSession
    from gamut.cluster.gateway import Gateway

HELD_FOR = 0.2
"""Seconds in which whatever clients said before they were told to hold arrives."""
_OWNER_WITHIN = 1.5
"""Seconds for which an owner is waited for, if there is none just now."""
_LOOKED_EVERY = 0.05


class GatewayParting:
    def __init__(self, gateway: "Gateway", pulse: Pulse) -> None:
        self._gateway = gateway
        self._pulse = pulse
        self._began: float | None = None
        self._lets_go = False
        """Nobody is held any more."""

    def begin(self, session: "DistantSession") -> None:
        """The gateway stops."""
        if self._began is None:
            self._began = self._pulse.now()
            self._pulse.later(HELD_FOR, self._let_go)
        if session.number in self._gateway.newcomers:
            session.cut_off()  # the owner has not heard of it
        elif not session.ended:
            self._gateway.say(Parting(session.number, soon=True))

    def _let_go(self) -> None:
        gateway, now = self._gateway, self._pulse.now()
        assert self._began is not None
        if not gateway.is_open and now - self._began < _OWNER_WITHIN:
            # The next owner hears what the last one did not deal with, and can tell the clients where to go.
            self._pulse.later(_LOOKED_EVERY, self._let_go)
            return
        self._lets_go = True
        for session in tuple(gateway.sessions.values()):
            for word in self.last_word(session):
                if gateway.is_open:
                    gateway.say(word)
                else:
                    session.cut_off()

    def last_word(self, session: "DistantSession") -> Iterator[Parting]:
        """Of this session, if it is time for that."""
        if self._lets_go and session.is_parting and not session.ended:
            yield Parting(session.number)

    @property
    def is_done(self) -> bool:
        """All that is left to be said here is said, to whoever is still connected."""
        return self._lets_go or all(session.ended for session in self._gateway.sessions.values())
