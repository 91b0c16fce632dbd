"""Processes of a cluster share the wings of a hall: they take them apart, and take each other's when one is gone."""

import asyncio
from collections.abc import Callable
from pathlib import Path
from typing import Any

import msgspec
from tests.net.support.clients import Callers, TowerClient, calling
from tests.net.support.process import PATIENCE, Run, ServerProcess
from tests.support.nats import Nats

from gamut.cluster.nodes import NodeSeen
from gamut.hall.wings import Wings

WINGS = 3


def room_in(wing: int) -> str:
    division = Wings(count=WINGS)
    rooms = (f"den {number}" for number in range(1_000))
    return next(name for name in rooms if division.of_slot(division.slot_of_name("tower", name)) == wing)


class Cluster:
    def __init__(self, folder: Path, **shared: Any) -> None:
        self._folder = folder
        self._shared = shared

    def process(self, name: str, role: str = "both") -> ServerProcess:
        return ServerProcess(self._folder / name, node_name=name, role=role, wings=WINGS, **self._shared)

    def seen(self) -> list[NodeSeen]:
        _, said, _ = Run("nodes", "--json", **self._shared).ended()
        return msgspec.json.decode(said, type=list[NodeSeen])

    async def until(self, wanted: Callable[[list[NodeSeen]], bool]) -> list[NodeSeen]:
        async with asyncio.timeout(PATIENCE):
            while not wanted(seen := await asyncio.to_thread(self.seen)):
                pass
        return seen


def owners(seen: list[NodeSeen]) -> dict[int | None, str]:
    """By wing; several of one wing are none."""
    found = [node for node in seen if node.role == "owner"]
    return {node.wing: node.name for node in found} if len(found) == WINGS else {}


def are_attached(seen: list[NodeSeen]) -> bool:
    numbers = [node.node for node in seen if node.role == "owner"]
    return len(owners(seen)) == WINGS and all(
        node.attached == numbers for node in seen if node.role == "gateway"
    )


async def everywhere(callers: Callers, name: str) -> list[TowerClient]:
    """Clients in each wing."""
    clients = []
    for wing in range(WINGS):
        clients.append(client := await callers.tower())
        await client.join(room_in(wing), name)
        await client.until("room_joined")
    return clients


async def hear_of(name: str, *groups: list[TowerClient]) -> None:
    for clients in groups:
        for client in clients:
            while (await client.until("player_joined"))["data"]["name"] != name:
                pass


def test_all_wings_are_open_at_the_first_process_and_go_to_others_while_clients_stay(
    tmp_path: Path, nats: Nats, new_database: Callable[[], str]
) -> None:
    cluster = Cluster(tmp_path, cluster=nats.url("wings"), store=new_database(), metrics_open="true")

    async def story(gate: ServerProcess, alpha: ServerProcess) -> None:
        assert owners(await cluster.until(are_attached)) == dict.fromkeys(range(WINGS), "alpha")
        async with calling(gate.url) as callers:
            first = await everywhere(callers, "Ann")
            with cluster.process("beta") as beta, cluster.process("gamma"):
                await cluster.until(lambda seen: sum(node.role == "standby" for node in seen) == 2)
                alpha.kill()
                # Whoever has fewer wings takes the next one; if one was too slow for that, it gets one by and by.
                seen = await cluster.until(
                    lambda seen: are_attached(seen) and set(owners(seen).values()) == {"beta", "gamma"}
                )
                second = await everywhere(callers, "Bob")
                await hear_of("Bob", first)
                async with calling(beta.url) as others:
                    health = await others.json("/healthz", None)
                    has = [await others.metric(f'gamut_wings{{wing="{wing}"}}') for wing in range(WINGS)]
                assert has == [name == "beta" for _, name in sorted(owners(seen).items())]
                assert health["status"] in ("ok", "degraded")
                assert beta.stop() == 0
                assert set(owners(await cluster.until(are_attached)).values()) == {"gamma"}
                await everywhere(callers, "Cid")
                await hear_of("Cid", first, second)

    with cluster.process("gate", "gateway") as gate, cluster.process("alpha", "owner") as alpha:
        asyncio.run(story(gate, alpha))


def test_whoever_drains_a_process_drains_all_its_wings(
    tmp_path: Path, nats: Nats, new_database: Callable[[], str]
) -> None:
    shared: dict[str, Any] = {"cluster": nats.url("drained"), "store": new_database()}
    cluster = Cluster(tmp_path, **shared)

    async def story(alpha: ServerProcess) -> None:
        await cluster.until(lambda seen: len(owners(seen)) == WINGS)
        with cluster.process("beta", "owner"):
            await cluster.until(lambda seen: any(node.role == "standby" for node in seen))
            code, said, error = await asyncio.to_thread(Run("drain", "alpha", **shared).ended)
            assert (code, error) == (0, ""), said
            assert alpha.wait() == 0
            seen = await cluster.until(lambda seen: len(owners(seen)) == WINGS)
            assert set(owners(seen).values()) == {"beta"}

    with cluster.process("alpha", "owner") as alpha:
        asyncio.run(story(alpha))


def test_a_wing_goes_to_another_process_when_it_is_asked_to_and_by_itself_to_one_that_has_none(
    tmp_path: Path, nats: Nats, new_database: Callable[[], str]
) -> None:
    shared: dict[str, Any] = {"cluster": nats.url("shared"), "store": new_database()}
    cluster = Cluster(tmp_path, **shared)

    def is_shared(*names: str) -> Callable[[list[NodeSeen]], bool]:
        return lambda seen: are_attached(seen) and list(owners(seen).values()) == list(names)

    async def story(gate: ServerProcess) -> None:
        await cluster.until(are_attached)
        async with calling(gate.url) as callers:
            first = await everywhere(callers, "Ann")
            with cluster.process("beta", "owner"):
                await cluster.until(lambda seen: any(node.role == "standby" for node in seen))
                _, said, _ = await asyncio.to_thread(Run("drain", "--wing", "1", **shared).ended)
                assert "wing 1, has handed over to beta" in said
                await cluster.until(is_shared("alpha", "beta", "alpha"))
                second = await everywhere(callers, "Bob")
                await hear_of("Bob", first)
                with cluster.process("gamma", "owner"):
                    await cluster.until(is_shared("alpha", "beta", "gamma"))
                    await everywhere(callers, "Cid")
                    await hear_of("Cid", first, second)

    with cluster.process("gate", "gateway") as gate, cluster.process("alpha", "owner"):
        asyncio.run(story(gate))
