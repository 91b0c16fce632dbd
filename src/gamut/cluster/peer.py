"""A gateway as an owner has it: the link to it, its connections, and what it is about to be told."""

from collections import deque
from typing import TYPE_CHECKING, Literal

from gamut.cluster.distant_wire import DistantWire
from gamut.cluster.link import Link
from gamut.cluster.messages import (
    After,
    Know,
    LetOut,
    Number,
    Say,
    ToGateway,
    ToOwner,
    encode,
    subject_of_gateway,
)
from gamut.hall.ids import Seq, TableId

if TYPE_CHECKING:
    from gamut.cluster.owner import Owner

_UNDER_WAY = 2_097_152
"""Bytes on their way to the gateway; what is more waits until some of them have arrived."""
MOST_WAITING = 67_108_864
"""Bytes that may wait for that."""


class Peer:
    def __init__(self, owner: "Owner", gateway: str, number: int, link: Link) -> None:
        """`number`: of the link."""
        self.owner = owner
        self.gateway = gateway
        self.number = number
        self.link = link
        self.connections: dict[Number, DistantWire] = {}
        self.told: dict[TableId, Seq] = {}
        """Up to which event the gateway has told of each table, as it said when it attached."""
        self.early: list[ToOwner] = []
        """What it said while it attached, and before anybody is heard."""
        self.stage: Literal["attaching", "attached", "taken up", "open"] = "attaching"
        """Open: everybody that it had goes on here, or is closed."""
        self._subject = subject_of_gateway(gateway)
        self._items: list[ToGateway] = []
        self._written = 0
        """Bytes of these, or a few more."""
        self._complete = 0
        """So many of these end at a point, and may be sent."""
        self._last: bytes | None = None
        """What was written last, if nothing else was said since."""
        self._alike: list[Number] = []
        """Those to whom it was written."""
        self._units: deque[bytes] = deque()
        """What waits for room on the link."""
        self.waiting = 0
        """Bytes of these."""

    def gone(self, number: Number) -> None:
        self.connections.pop(number, None)

    # To the gateway

    def write(self, number: Number, data: bytes) -> None:
        if data is self._last:
            self._alike.append(number)
            return
        self._last, self._alike = data, [number]
        self._written += len(data)
        self._items.append(Say(data, self._alike))

    def tell(self, *items: ToGateway) -> None:
        self._last = None
        self._items += items
        self.owner.points.flush_soon()

    def complete(self) -> bool:
        """All that was said so far ends at a point; whether there is anything."""
        self._last = None
        self._complete = len(self._items)
        return bool(self._complete)

    def flush(self, batch: int | None = None) -> None:
        """Send all that ends at a point. With a number it is held until that batch is stored."""
        if self._complete:
            items, self._items = self._items[: self._complete], self._items[self._complete :]
            self._complete = 0
            if not self._items:
                self._written = 0
            self._last = None
            self._add(items if batch is None else [After(batch), *items])
        self.send()

    def let_out(self, batch: int) -> None:
        """It is stored. That is a unit by itself, since others may have to be held."""
        self._add([LetOut(batch)])

    def ask_whether_known(self, number: Number) -> None:
        """All that was said before this, of this connection."""
        self._add([Know(number)])
        self.send()

    def _add(self, items: list[ToGateway]) -> None:
        unit = encode(items)
        self._units.append(unit)
        self.owner.units += 1
        self.waiting += len(unit)

    def send(self) -> None:
        link = self.link
        while self._units and link.unacknowledged < _UNDER_WAY:
            unit = self._units.popleft()
            self.waiting -= len(unit)
            link.say(unit)
        if self.waiting > MOST_WAITING:
            link.broken = link.broken or "overflow"
        publish = self.owner.bus.publish
        for packet in link.packets():
            publish(self._subject, packet)

    @property
    def without_room(self) -> int:
        """Bytes that are more than may be on their way at a time: others wait as long as there are any."""
        return max(0, self._written + self.waiting + self.link.unacknowledged - _UNDER_WAY)

    @property
    def is_drained(self) -> bool:
        """It has all that was said to it."""
        return not (self._items or self._units or self.link.unacknowledged)
