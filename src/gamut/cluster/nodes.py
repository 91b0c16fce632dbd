"""The nodes of a cluster, as they show themselves to an operator: each says again and again that it is there."""

import asyncio
from collections.abc import Iterable, Mapping

import msgspec

from gamut.cluster.bus import Bus, BusError
from gamut.cluster.messages import NODES, NONSENSE, GatewayHere, OwnerGone, OwnerHere, StandbyHere, here
from gamut.cluster.nats_address import NatsAddress
from gamut.cluster.opening import open_bus
from gamut.hall.faults import Faults
from gamut.hall.wings import MAIN

_SECONDS_TO_LISTEN = 0.7
"""Whoever is there says so every quarter of a second."""
_ROLES = ("owner", "ended", "standby", "gateway")
_MOST_WINGS = 64
"""Whoever speaks of others is made up."""
_COLUMNS = (
    "name",
    "role",
    "node",
    "wing",
    "tables",
    "sockets",
    "moves/s",
    "lease age",
    "attached to",
    "version",
)
_NUMBERS = frozenset(("node", "wing", "tables", "sockets", "moves/s", "lease age"))
"""These columns stand to the right."""


class NodeSeen(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """None: nodes of this role have no such thing, or it is not known."""

    name: str
    role: str
    """owner, standby or gateway. Or ended: another owner has taken its place, and it has not found out yet."""
    node: int | None = None
    wing: int | None = None
    """Of the hall, which is this owner's."""
    tables: int | None = None
    """Unfinished ones."""
    sockets: int | None = None
    """Of an owner: those at all gateways."""
    moves_per_second: float | None = None
    lease_age_seconds: float | None = None
    attached_to: int | None = None
    """The number of the owner of the main wing, if it hears everybody who is at this gateway."""
    attached: list[int | None] | None = None
    """By wing: the number of its owner, if that hears everybody there."""
    version: str | None = None


class Nodes:
    """Whoever is heard over this bus."""

    def __init__(self, bus: Bus) -> None:
        self._whoever: dict[tuple[str | int, int], OwnerHere | StandbyHere] = {}
        """And those who stand by, by process and wing: each process says of every wing what it is there."""
        self._gateways: dict[str, dict[int, GatewayHere]] = {}
        """By wing, what each process says of its gateway there."""
        bus.subscribe(NODES, self._hear)

    def _hear(self, data: bytes) -> None:
        try:
            who = here(data)
        except NONSENSE:
            return  # of a newer version
        if not 0 <= who.wing < _MOST_WINGS:
            return
        if type(who) is GatewayHere:
            process = who.id.removesuffix(f"-{who.wing}") if who.wing else who.id
            self._gateways.setdefault(process, {})[who.wing] = who
        elif type(who) is not OwnerGone:
            # An owner may have stood by a moment ago, or does so now.
            self._whoever[_process(who), who.wing] = who

    def seen(self) -> list[NodeSeen]:
        """Owners first."""
        owners = [who for who in self._whoever.values() if type(who) is OwnerHere]
        last = {who.wing: who.node for who in sorted(owners, key=lambda who: who.node)}
        standbys = {process: who for (process, _), who in self._whoever.items() if type(who) is StandbyHere}
        seen = [
            *(_owner(who, last[who.wing]) for who in owners),
            *(
                NodeSeen(name=who.name, role="standby", version=who.version or None)
                for who in standbys.values()
            ),
            *map(_gateway, self._gateways.values()),
        ]
        return sorted(
            seen, key=lambda node: (_ROLES.index(node.role), node.wing or 0, node.name, node.node or 0)
        )


def _process(who: OwnerHere | StandbyHere) -> str | int:
    return who.id or (who.node if type(who) is OwnerHere else who.name)


def _owner(who: OwnerHere, last: int) -> NodeSeen:
    """`last`: the number of the last owner of its wing."""
    return NodeSeen(
        name=who.name,
        role="owner" if who.node == last else "ended",
        node=who.node,
        wing=who.wing,
        tables=who.tables,
        sockets=who.sockets,
        moves_per_second=round(who.moves, 1),
        lease_age_seconds=None if who.lease_age is None else round(who.lease_age, 2),
        version=who.version or None,
    )


def _gateway(wings: Mapping[int, GatewayHere]) -> NodeSeen:
    some = next(iter(wings.values()))
    attached = [wings[wing].owner or None if wing in wings else None for wing in range(max(wings) + 1)]
    return NodeSeen(
        name=some.name,
        role="gateway",
        sockets=sum(said.sockets for said in wings.values()),
        attached_to=attached[MAIN],
        attached=attached,
        version=some.version or None,
    )


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
    is_divided = any(node.wing or len(node.attached or ()) > 1 for node in nodes)
    columns = [column for column in _COLUMNS if is_divided or column != "wing"]
    cells = [_cells(node, names) for node in nodes]
    rows = [columns, *([row[column] for column in columns] for row in cells)]
    widths = [max(map(len, column)) for column in zip(*rows, strict=True)]
    return "\n".join(
        "  ".join(
            cell.rjust(width) if column in _NUMBERS else cell.ljust(width)
            for column, cell, width in zip(columns, row, widths, strict=True)
        ).rstrip()
        for row in rows
    )


def _cells(node: NodeSeen, names: Mapping[int, str]) -> dict[str, str]:
    age = node.lease_age_seconds
    moves = node.moves_per_second
    return {
        "name": _shown(node.name),
        "role": node.role,
        "node": _number(node.node),
        "wing": _number(node.wing),
        "tables": _number(node.tables),
        "sockets": _number(node.sockets),
        "moves/s": "" if moves is None else f"{moves:.1f}",
        "lease age": "" if age is None else f"{age:.2f} s",
        "attached to": ", ".join(_shown(_named(owner, names)) for owner in node.attached or ()),
        "version": _shown(node.version or ""),
    }


def _named(owner: int | None, names: Mapping[int, str]) -> str:
    return "nobody" if owner is None else names.get(owner, f"node {owner}")


def _number(number: int | None) -> str:
    return "" if number is None else str(number)


def _shown(name: str) -> str:
    """What cannot be printed could play tricks on a terminal."""
    return "".join(letter if letter.isprintable() else "?" for letter in name)
