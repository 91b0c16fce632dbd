"""Asking active nodes to hand over, and waiting until they have."""

from collections.abc import Iterator
from time import monotonic, sleep
from typing import Any

import psycopg

from gamut.hall.store.storage import LedgerError
from gamut.ledger.postgres.connecting import Source
from gamut.ledger.postgres.migrations import version_of
from gamut.ledger.postgres.node import InWing, active, drain, move, successor, wings_of

_EVERY = 0.05
_FOR_A_STANDBY = 3.0
"""Seconds after the end of a node for which a standby is waited for."""


def drain_active(
    url: str, patience: float, name: str | None = None, wing: int | None = None
) -> Iterator[str]:
    """What has become of each, in one line, as soon as that is known. With `name` only nodes of that name are asked;
    without one all must have the same. With `wing` it is only the node of that wing, and its process goes on."""
    source = Source(url)
    began = monotonic()
    try:
        with source.first_connection() as connection:
            asked = _asked(connection, name, wing) if version_of(connection) else []
            while not asked and _is_changing_hands(connection, wing) and monotonic() - began < _FOR_A_STANDBY:
                sleep(_EVERY)
                asked = _asked(connection, name, wing)
            if not asked:
                raise LedgerError(_why_nobody(source, connection, name, wing))
            of_several = wings_of(connection) > 1
            waiting = {node: _Waiting(node, of_several) for node in asked}
            while True:
                waited = monotonic() - began
                for node, wait in list(waiting.items()):
                    line = wait.line(*successor(connection, node.number, node.wing), waited)
                    if line:
                        del waiting[node]
                        yield line
                if not waiting:
                    return
                late = [wait.shown for wait in waiting.values() if not wait.ended]
                if late and waited > patience:
                    raise LedgerError(_late(late))
                sleep(_EVERY)
    except psycopg.Error as error:
        raise source.unreachable(error) from None


def _asked(connection: psycopg.Connection[Any], name: str | None, wing: int | None) -> list[InWing]:
    if wing is None or wings_of(connection) == 1:
        # Of a hall that has one wing nothing is left for a process without it.
        return drain(connection, name) if not wing else []
    return move(connection, wing, name)


def _is_changing_hands(connection: psycopg.Connection[Any], wing: int | None) -> bool:
    """Nobody has this wing just now."""
    if wing is None or not version_of(connection) or wing >= wings_of(connection):
        return False
    return all(node.wing != wing for node in active(connection))


class _Waiting:
    def __init__(self, node: InWing, of_several: bool) -> None:
        self.shown = f"node {node.number} ({node.name}){f', wing {node.wing},' if of_several else ''}"
        self._ended_after: float | None = None

    @property
    def ended(self) -> bool:
        return self._ended_after is not None

    def line(self, ended: bool, taken_over_by: str | None, waited: float) -> str:
        """What has become of the node in so many seconds; empty: it is waited for."""
        if not ended:
            return ""
        if taken_over_by is not None:
            return f"{_upper(self.shown)} has handed over to {taken_over_by} in {waited:.1f} s."
        if self._ended_after is None:
            self._ended_after = waited
        if waited - self._ended_after <= _FOR_A_STANDBY:
            return ""
        return f"{_upper(self.shown)} has stopped; no standby has taken over."


def _late(shown: list[str]) -> str:
    has, was = ("has", "was") if len(shown) == 1 else ("have", "were")
    return f"{_upper(_and(shown))} {was} asked to hand over and {has} not done so yet."


def _why_nobody(
    source: Source, connection: psycopg.Connection[Any], name: str | None, wing: int | None
) -> str:
    store = f"the store {source.shown}"
    if not version_of(connection):
        return f"No node is active in {store}."
    wings = wings_of(connection)
    if wing is not None and wing >= wings:
        has = f"its wings are 0 to {wings - 1}" if wings > 1 else "it has one, which is 0"
        return f"There is no wing {wing} in {store}: {has}."
    of_several = wings > 1 or wing is not None
    there = [node for node in active(connection) if wing is None or node.wing == wing]
    where = store if wing is None else f"wing {wing} of {store}"
    if not there:
        return f"No node is active in {where}."
    if name is None and wing is None:
        names = _and(sorted({node.name for node in there}))
        return (
            f"Several nodes are active in {store}: {names}. Say which one is to hand over: gamut drain NAME."
        )
    shown = [
        f"node {node.number} ({node.name}){f' in wing {node.wing}' if of_several else ''}" for node in there
    ]
    return (
        f"{name} is not active in {where}: {_and(shown)} {'is' if len(shown) == 1 else 'are'}. "
        "A standby or a gateway is stopped with SIGTERM."
    )


def _and(words: list[str]) -> str:
    return " and ".join(filter(None, (", ".join(words[:-1]), words[-1])))


def _upper(text: str) -> str:
    return text[:1].upper() + text[1:]
