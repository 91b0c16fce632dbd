"""What a node that stands by hears over the bus: whether the active node is cut off from its gateways.

That it is silent says nothing by itself, for the bus may be gone, or the way from here to it. So silence counts only
while gateways are heard, and while all of them say that they do not hear the active node either.
"""

from gamut.cluster.bus import Bus
from gamut.cluster.messages import NODES, NONSENSE, PROTOCOL, GatewayHere, OwnerHere, here
from gamut.cluster.pulse import Pulse
from gamut.hall.wings import MAIN

SILENT_AFTER = 1.0
"""Seconds without a packet after which a gateway and its owner do not hear each other."""
_OWNER_SILENT_AFTER = 1.5
_IS_THERE = 0.75
"""Seconds for which a gateway that was heard of counts as being there. It says so four times as often."""
_SURE_AFTER = 3.0
"""Seconds for which gateways must have been heard without a break. After a fault of the whole bus its nodes come back
one after the other, and each may need as long."""


class Hearing:
    """Implements `gamut.ledger.store.Hearing`."""

    def __init__(self, bus: Bus, pulse: Pulse, own_gateway: str = "", wing: int = MAIN) -> None:
        """`bus`: the way to other processes. `own_gateway`: the id of the gateway in this process, which goes where
        this node goes, and is no witness. `wing`: of the hall, for which this node stands by."""
        self._bus = bus
        self._wing = wing
        self._pulse = pulse
        self._own_gateway = own_gateway
        self._reconnects = bus.reconnects
        self._owner = 0
        """The last owner of which anything was heard."""
        self._owner_heard = pulse.now()
        self._gateways: dict[str, tuple[float, GatewayHere]] = {}
        """What each has said last, and when."""
        self._since = pulse.now()
        """Gateways have been heard without a break since then."""
        self._last = self._since
        bus.subscribe(NODES, self._hear)

    @property
    def reaches_nobody(self) -> bool:
        return not self._bus.connected

    def misses(self, node: int) -> bool:
        """Whether gateways are without this node, which is active."""
        now = self._pulse.now()
        self._look_for_breaks(now)
        if not self._bus.connected or now - self._since < _SURE_AFTER:
            return False
        if self._owner >= node and now - self._owner_heard < _OWNER_SILENT_AFTER:
            return False
        # There are some, or there would have been a break.
        there = self._there(now).values()
        return all(said.owner != node or said.silence >= SILENT_AFTER for _, said in there)

    def _there(self, now: float) -> dict[str, tuple[float, GatewayHere]]:
        return {id: (at, said) for id, (at, said) in self._gateways.items() if now - at < _IS_THERE}

    def _hear(self, data: bytes) -> None:
        try:
            who = here(data)
        except NONSENSE:
            return  # of a newer version
        if who.wing != self._wing:
            return
        now = self._pulse.now()
        if type(who) is OwnerHere and who.node >= self._owner:
            self._owner, self._owner_heard = who.node, now
        elif type(who) is GatewayHere and who.protocol == PROTOCOL and who.id != self._own_gateway:
            self._look_for_breaks(now)
            self._last = now
            if who.id not in self._gateways:
                self._gateways = self._there(now)
            self._gateways[who.id] = now, who

    def _look_for_breaks(self, now: float) -> None:
        if now - self._last >= _IS_THERE or self._bus.reconnects != self._reconnects:
            self._reconnects = self._bus.reconnects
            self._since = self._last = now
            self._gateways.clear()
