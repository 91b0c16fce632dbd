"""The nodes of a cluster, as they show themselves to an operator: each says again and again that it is there."""

import asyncio
from collections.abc import Iterable

import msgspec

from gamut.cluster.bus import Bus, BusError
from gamut.cluster.messages import NODES, NONSENSE, GatewayHere, OwnerGone, OwnerHere, StandbyHere, here
from gamut.cluster.nats_address import NatsAddress
from gamut.cluster.opening import open_bus
from gamut.hall.faults import Faults

_SECONDS_TO_LISTEN = 0.7
"""Whoever is there says so every quarter of a second."""
_ROLES = ("owner", "ended", "standby", "gateway")
_HEADINGS = ("name", "role", "node", "tables", "sockets", "moves/s", "lease age", "attached to", "version")
_NUMBERS = frozenset(("node", "tables", "sockets", "moves/s", "lease age"))
"""These columns stand to the right."""


class NodeSeen(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """None: nodes of this role have no such thing, or it is not known."""

    name: str
    role: str
    """owner, standby or gateway. Or ended: another owner has taken its place, and it has not found out yet."""
    node: int | None = None
    tables: int | None = None
    """Unfinished ones."""
    sockets: int | None = None
    """Of an owner: those at all gateways."""
    moves_per_second: float | None = None
    lease_age_seconds: float | None = None
    attached_to: int | None = None
    """The number of the owner that hears everybody who is at this gateway."""
    version: str | None = None


class Nodes:
    """Whoever is heard over this bus."""

    def __init__(self, bus: Bus) -> None:
        self._said: dict[tuple[str, str | int], OwnerHere | StandbyHere | GatewayHere] = {}
        bus.subscribe(NODES, self._hear)

    def _hear(self, data: bytes) -> None:
        try:
            who = here(data)
        except NONSENSE:
            return  # of a newer version
        if type(who) is GatewayHere:
            self._said["gateway", who.id] = who
        elif type(who) is not OwnerGone:
            # An owner may have stood by a moment ago, and then has said so under the same id.
            self._said["hall", who.id or (who.node if type(who) is OwnerHere else who.name)] = who

    def seen(self) -> list[NodeSeen]:
        """Owners first."""
        last = max((who.node for who in self._said.values() if type(who) is OwnerHere), default=0)
        seen = (_seen(who, last) for who in self._said.values())
        return sorted(seen, key=lambda node: (_ROLES.index(node.role), node.name, node.node or 0))


def _seen(who: OwnerHere | StandbyHere | GatewayHere, last_owner: int) -> NodeSeen:
    known = who.version or None
    if type(who) is OwnerHere:
        return NodeSeen(
            name=who.name,
            role="owner" if who.node == last_owner else "ended",
            node=who.node,
            tables=who.tables,
            sockets=who.sockets,
            moves_per_second=round(who.moves, 1),
            lease_age_seconds=None if who.lease_age is None else round(who.lease_age, 2),
            version=known,
        )
    if type(who) is GatewayHere:
        return NodeSeen(
            name=who.name,
            role="gateway",
            sockets=who.sockets,
            attached_to=who.owner or None,
            version=known,
        )
    return NodeSeen(name=who.name, role="standby", version=known)


async def nodes_at(url: str) -> list[NodeSeen]:
    """Those that say within a moment that they are there. BusError if NATS cannot be asked."""
    bus = await open_bus(url, Faults())
    try:
        nodes = Nodes(bus)
        if bus.connected:
            await asyncio.sleep(_SECONDS_TO_LISTEN)
        if not bus.connected:
            raise BusError(f"NATS does not answer at {NatsAddress.read(url).shown}.")
        return nodes.seen()
    finally:
        await bus.close()


def table(nodes: Iterable[NodeSeen]) -> str:
    """The nodes as aligned text."""
    nodes = list(nodes)
    names = {node.node: node.name for node in nodes if node.node is not None}
    rows = [_HEADINGS, *(_row(node, names) for node in nodes)]
    widths = [max(map(len, column)) for column in zip(*rows, strict=True)]
    return "\n".join(
        "  ".join(
            cell.rjust(width) if heading in _NUMBERS else cell.ljust(width)
            for heading, cell, width in zip(_HEADINGS, row, widths, strict=True)
        ).rstrip()
        for row in rows
    )


def _row(node: NodeSeen, names: dict[int, str]) -> tuple[str, ...]:
    owner = node.attached_to
    attached_to = (
        "" if node.role != "gateway" else "nobody" if owner is None else names.get(owner, f"node {owner}")
    )
    age = node.lease_age_seconds
    moves = node.moves_per_second
    return (
        _shown(node.name),
        node.role,
        _number(node.node),
        _number(node.tables),
        _number(node.sockets),
        "" if moves is None else f"{moves:.1f}",
        "" if age is None else f"{age:.2f} s",
        _shown(attached_to),
        _shown(node.version or ""),
    )


def _number(number: int | None) -> str:
    return "" if number is None else str(number)


def _shown(name: str) -> str:
    """What cannot be printed could play tricks on a terminal."""
    return "".join(letter if letter.isprintable() else "?" for letter in name)
