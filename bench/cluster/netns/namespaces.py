"""Namespaces that are joined by a bridge, each with one address; links that are slow, lose, or are cut."""

import os
import re
from contextlib import suppress
from random import Random
from types import TracebackType
from typing import Self

from bench.cluster.netns.commands import FOLDER, Refused, check, ip, tc
from bench.cluster.network import Network
from bench.cluster.weather import Weather
from bench.pace import say
from bench.place import Place

_PREFIX = "gamut-bench-"
_NETWORK = "192.0.2"
"""Addresses that are in no network of anybody's (RFC 5737)."""
_NOBODY = "02:00:00:00:00:01"
"""An Ethernet address that nobody has: what is sent there is lost, and nobody is told."""
_HUB = "hub"
_BRIDGE = "bridge0"


class Namespaces(Network):
    """The bridge is in a namespace, too: nothing of this machine's own network is touched.

    What a run that was killed has left behind is removed by the next one."""

    def __init__(self, nodes: int, *, delay_ms: float = 0.0, loss: float = 0.0, seed: int = 1) -> None:
        """Delay in each direction and loss (of 100) on the links of the nodes."""
        self._prefix = f"{_PREFIX}{os.getpid()}-"
        self._nodes = [f"node{number}" for number in range(nodes)]
        self._numbers = {name: n for n, name in enumerate(("players", "postgres", "nats", *self._nodes), 1)}
        self._delay_ms = delay_ms
        self._loss = loss
        self._chance = Random(seed)
        self.players, self.postgres, self.nats = map(self._place, ("players", "postgres", "nats"))
        self.has_proxies = False

    def __enter__(self) -> Self:
        check()
        _sweep()
        try:
            self._make()
            if self._delay_ms or self._loss:
                self._slow_down()
        except BaseException:
            self._remove()
            raise
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._remove()

    def node(self, number: int) -> Place:
        return self._place(self._nodes[number])

    def flags(self, number: int) -> tuple[str, ...]:
        # Players come through a proxy at another address, to which limits would apply.
        return (
            *("--host", self._address(self._nodes[number]), "--trusted-proxies", self.players.address),
            *("--visitors-per-address", "100000", "--connections-per-address", "100000", "--http-rate", "0"),
        )

    def _place(self, name: str) -> Place:
        return Place(self._address(name), FOLDER / self._namespace(name))

    def _address(self, name: str) -> str:
        return f"{_NETWORK}.{self._numbers[name]}"

    def _namespace(self, name: str) -> str:
        return f"{self._prefix}{name}"

    def _make(self) -> None:
        hub = self._namespace(_HUB)
        ip("netns", "add", hub)
        ip("-n", hub, "link", "add", "name", _BRIDGE, "type", "bridge")
        ip("-n", hub, "link", "set", "dev", _BRIDGE, "up")
        for name in self._numbers:
            theirs = self._namespace(name)
            ip("netns", "add", theirs)
            ip("-n", theirs, "link", "set", "dev", "lo", "up")
            veth = ("type", "veth", "peer", "name", "eth0", "netns", theirs)
            ip("-n", hub, "link", "add", "name", name, *veth)
            ip("-n", hub, "link", "set", "dev", name, "master", _BRIDGE, "up")
            ip("-n", theirs, "address", "add", f"{self._address(name)}/24", "dev", "eth0")
            ip("-n", theirs, "link", "set", "dev", "eth0", "up")

    def _slow_down(self) -> None:
        """Both ends of the link of each node: what it sends, and what it is sent."""
        how = ("root", "netem", "delay", f"{self._delay_ms:g}ms", "loss", f"{self._loss:g}%")
        try:
            for name in self._nodes:
                tc("-n", self._namespace(name), "qdisc", "add", "dev", "eth0", *how)
                tc("-n", self._namespace(_HUB), "qdisc", "add", "dev", name, *how)
        except Refused as refused:
            say(f"no netem in this kernel ({refused}): proxies make delay and loss, as TCP would feel them")
            self.weather = Weather(self._delay_ms / 1000, self._loss / 100, self._chance)
            self.has_proxies = True

    def _remove(self) -> None:
        _remove(self._prefix)

    # Partitions, and the way back

    def isolate(self, number: int) -> None:
        """There is nothing between a node and everybody else."""
        self._set_link(number, "down")

    def rejoin(self, number: int) -> None:
        self._set_link(number, "up")

    def _set_link(self, number: int, how: str) -> None:
        ip("-n", self._namespace(_HUB), "link", "set", "dev", self._nodes[number], how)

    def part(self, number: int, other: str) -> None:
        """There is nothing between a node and `other`, and neither of them is told."""
        for here, there in ((self._nodes[number], other), (other, self._nodes[number])):
            nowhere = ("lladdr", _NOBODY, "nud", "permanent")
            ip(*self._neighbour(here, "replace", there), *nowhere)

    def join(self, number: int, other: str) -> None:
        for here, there in ((self._nodes[number], other), (other, self._nodes[number])):
            ip(*self._neighbour(here, "del", there))

    def _neighbour(self, here: str, how: str, there: str) -> tuple[str, ...]:
        return "-n", self._namespace(here), "neighbour", how, self._address(there), "dev", "eth0"


def _sweep() -> None:
    """What is there of runs that are not any more."""
    for name in _there():
        found = re.match(rf"{_PREFIX}(\d+)-", name)
        if found is not None and not os.path.exists(f"/proc/{found[1]}"):
            with suppress(Refused):
                ip("netns", "delete", name)


def _remove(prefix: str) -> None:
    for name in _there():
        if name.startswith(prefix):
            ip("netns", "delete", name)


def _there() -> list[str]:
    return sorted(path.name for path in FOLDER.iterdir()) if FOLDER.is_dir() else []
