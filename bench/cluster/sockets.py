"""What became of connections that were open before a fault, and the table of it."""

from collections.abc import Iterable, Mapping

import msgspec

_STAY = 0.995
"""Of the sockets so many are wanted to outlive an owner that is killed or frozen."""
_OF_OWNERS = "kill -9", "freeze"


class Sockets(msgspec.Struct):
    stayed: int = 0
    closed: int = 0
    """By the other side, although the node that they were at goes on."""
    at_struck: int = 0
    """They were at the node that was killed, frozen or stopped."""
    came_back: int = 0
    """Of those that ended: their players were where they had been, by another connection."""

    @property
    def of(self) -> int:
        """So many could have stayed."""
        return self.stayed + self.closed

    def add(self, more: "Sockets") -> None:
        self.stayed += more.stayed
        self.closed += more.closed
        self.at_struck += more.at_struck
        self.came_back += more.came_back


def added(each: Iterable[Sockets]) -> Sockets:
    found = Sockets()
    for one in each:
        found.add(one)
    return found


def table(kinds: Mapping[str, Mapping[str, Sockets]]) -> list[str]:
    """By kind of fault, and then by door."""
    doors = sorted({door for found in kinds.values() for door in found})
    lines = [
        f"{'sockets':<14}{'of':>7}{'stayed':>8}{'part':>9}  {'wanted':<16}{'closed':>7}{'at the node itself':>20}"
        f"{'came back':>11}  closed by door: {', '.join(doors)}"
    ]
    for kind, found in kinds.items():
        all = added(found.values())
        part = all.stayed / all.of if all.of else 1.0
        wanted = f">= {_STAY:.1%} {'ok' if part >= _STAY else 'missed'}" if kind in _OF_OWNERS else ""
        by_door = ", ".join(
            f"{each.closed}/{each.of}" for each in (found.get(door, Sockets()) for door in doors)
        )
        lines.append(
            f"{kind:<14}{all.of:>7}{all.stayed:>8}{part:>9.2%}  {wanted:<16}{all.closed:>7}{all.at_struck:>20}"
            f"{all.came_back:>11}  {by_door}"
        )
    return lines
