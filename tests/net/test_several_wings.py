"""One process stands by for every wing of the hall, and may have several."""

import asyncio
import gc
import weakref
from collections.abc import Awaitable, Callable, Collection
from pathlib import Path
from typing import Any

import pytest
from tests.net.support.clients import Callers, calling
from tests.net.support.closed_ports import CLOSED
from tests.net.support.several_wings import Wings, wings

from gamut.hall.ids import TableId, slot_in
from gamut.hall.store.storage import Fenced
from gamut.hall.wings import Wings as Division
from gamut.net.server import Server
from gamut.net.settings import Settings


def with_wings(
    data: Path,
    story: Callable[[Wings, Callers], Awaitable[None]],
    turns: Collection[int] = (0, 1),
    **settings: Any,
) -> None:
    async def run() -> None:
        async with wings(data, turns, **settings) as process, calling(process.url) as callers:
            await story(process, callers)

    asyncio.run(run())


def room_in(wing: int) -> str:
    division = Division(count=2)
    return next(
        name for number in range(100) if division.has_name("tower", name := f"den {number}") == (wing == 0)
    )


def test_a_client_finds_a_room_in_whichever_wing_it_is(tmp_path: Path) -> None:
    async def story(process: Wings, callers: Callers) -> None:
        for wing in (0, 1):
            client = await callers.tower()
            await client.join(room_in(wing), "Ann")
            await client.until("room_joined")
        assert [len(server.hall.live) for server in process.node.servers] == [1, 1]

    with_wings(tmp_path, story)


def test_only_the_main_wing_answers_over_http_and_has_the_doors_that_see_every_table(tmp_path: Path) -> None:
    async def story(process: Wings, callers: Callers) -> None:
        main, annex = ([offer.name for offer in server._offers] for server in process.node.servers)
        doors = ["web", "tower", "topple", "tafl", "acquire", "powerchess", "powerchess_home"]
        assert main == [*doors, "annex"]
        assert annex == ["web", "tower", "topple", "powerchess"]
        assert (await callers.json("/healthz/owner"))["status"] == "ok"

    with_wings(tmp_path, story)


def test_without_the_main_wing_there_is_no_page_and_health_says_who_is_missing(tmp_path: Path) -> None:
    async def story(process: Wings, callers: Callers) -> None:
        assert await callers.json("/healthz") == {
            "status": "ok",
            "owner": 0,
            "owners": [0, 12],
            "wings": {"1": "ok"},
        }
        async with callers.http.get("/") as response:
            assert response.status == 503
        async with asyncio.timeout(20):
            while (await callers.json("/healthz", None))["status"] != "alone":  # noqa: ASYNC110
                await asyncio.sleep(0.05)
        assert await callers.metric("gamut_gateway_attached") == 0
        assert await callers.metric('gamut_wings{wing="1"}') == 1
        assert await callers.metric('gamut_wings{wing="0"}') == 0

    with_wings(tmp_path, story, turns=(1,))


def test_an_owner_without_connections_has_its_port_open_whichever_wings_it_has(tmp_path: Path) -> None:
    async def without_main(process: Wings, callers: Callers) -> None:
        assert await callers.json("/healthz") == {"status": "ok", "wings": {"1": "ok"}}
        assert await callers.metric('gamut_wings{wing="1"}') == 1
        async with callers.http.get("/healthz/owner") as response:
            assert response.status == 503

    async def with_main(process: Wings, callers: Callers) -> None:
        assert (await callers.json("/healthz/owner"))["status"] == "ok"

    async def ill(process: Wings, callers: Callers) -> None:
        process.stores[1].is_away = True
        assert await callers.json("/healthz", 503) == {"status": "store_away", "wings": {"1": "store_away"}}

    async def ill_behind_a_gateway(process: Wings, callers: Callers) -> None:
        process.stores[1].is_away = True
        assert (await callers.json("/healthz"))["wings"] == {"1": "store_away"}

    with_wings(tmp_path, without_main, turns=(1,), role="owner")
    with_wings(tmp_path, ill, turns=(1,), role="owner")
    with_wings(tmp_path, ill_behind_a_gateway, turns=(1,))
    with_wings(tmp_path, with_main, turns=(0,), role="owner")


def test_metrics_are_of_all_wings_together(tmp_path: Path) -> None:
    async def story(process: Wings, callers: Callers) -> None:
        for wing in (0, 1):
            client = await callers.tower()
            await client.join(room_in(wing), "Ann")
            await client.until("room_joined")
        assert await callers.metric("gamut_tables_in_memory") == 2
        assert await callers.metric('gamut_tables{game="tower",phase="setup"}') == 2
        assert await callers.metric('gamut_distant_connections{door="tower"}') == 2
        assert await callers.metric("gamut_gateways") == 2
        assert await callers.metric("gamut_gateway_attached") == 1
        assert [await callers.metric(f'gamut_wings{{wing="{wing}"}}') for wing in (0, 1)] == [1, 1]
        assert await callers.metric("gamut_events_total") == sum(
            server.hall.journal.events for server in process.node.servers
        )

    with_wings(tmp_path, story)


def test_the_store_of_each_wing_hears_how_many_this_process_has(tmp_path: Path) -> None:
    async def story(process: Wings, callers: Callers) -> None:
        assert sorted((place.wing, place.wings) for place in process.places) == [(0, 3), (1, 3), (2, 3)]
        assert next(place.burden() for place in process.places if place.wing == 1) == 2
        assert process.waits_for == ["beta in wing 1"]

    with_wings(tmp_path, story, turns=(0, 2), count=3)


def test_health_says_how_each_wing_is(tmp_path: Path) -> None:
    async def story(process: Wings, callers: Callers) -> None:
        assert (await callers.json("/healthz"))["wings"] == {"0": "ok", "1": "ok"}
        process.node.servers[1].hall.out_of_order[TableId("x")] = None
        health = await callers.json("/healthz")
        assert health["wings"] == {"0": "ok", "1": "degraded"}
        assert health["status"] == "ok", "whoever has the main wing may have it"

    with_wings(tmp_path, story)


# A wing that goes to another process


async def moves_away(process: Wings, wing: int) -> None:
    """The store asks for it, and another process has the wing from then on."""
    process.turns.discard(wing)
    process.waits_for.clear()
    process.stores[wing].watcher.move()
    async with asyncio.timeout(20):
        while process.waits_for != [f"beta in wing {wing}"]:  # noqa: ASYNC110
            await asyncio.sleep(0.001)


@pytest.mark.parametrize("wing", [0, 1])
def test_a_wing_that_goes_elsewhere_is_handed_over_and_the_process_goes_on_and_stands_by_for_it(
    tmp_path: Path, wing: int
) -> None:
    async def story(process: Wings, callers: Callers) -> None:
        await (await callers.tower()).join(room_in(wing), "Ann")
        moved, stays = process.node.servers[wing], process.node.servers[1 - wing]
        await moves_away(process, wing)
        assert process.stores[wing].handed_over
        assert process.node.failure is None
        assert not process.node.stopped.is_set()
        assert process.node.servers[1 - wing] is stays
        assert process.node.servers[wing] is not moved
        assert [await callers.metric(f'gamut_wings{{wing="{one}"}}') for one in (wing, 1 - wing)] == [0, 1]
        async with callers.http.get("/healthz/owner") as response:
            assert response.status == (503 if wing == 0 else 200)

    with_wings(tmp_path, story)


@pytest.mark.parametrize("wing", [0, 1])
def test_a_wing_that_comes_back_is_as_it_was_and_clients_have_stayed(tmp_path: Path, wing: int) -> None:
    async def story(process: Wings, callers: Callers) -> None:
        ann = await callers.tower()
        await ann.join(room_in(wing), "Ann")
        await ann.until("room_joined")
        process.stores[wing].watcher.move()
        bob = await callers.tower()
        await bob.join(room_in(wing), "Bob")
        await bob.until("room_joined")
        while (await ann.until("player_joined"))["data"]["name"] != "Bob":
            pass
        if wing == 0:
            assert (await callers.json("/healthz/owner"))["status"] == "ok"

    with_wings(tmp_path, story)


def test_of_a_hall_that_is_elsewhere_nothing_is_kept(tmp_path: Path) -> None:
    async def story(process: Wings, callers: Callers) -> None:
        for wing in (1, 0):
            client = await callers.tower()
            await client.join(room_in(wing), "Ann")
            await client.until("room_joined")
            table = next(iter(process.node.servers[wing].hall.live.values()))
            hall = weakref.ref(process.node.servers[wing].hall)
            # As a process does when it has begun.
            gc.collect()
            gc.freeze()
            await moves_away(process, wing)
            assert not table.whole_log
            del process.stores[wing], table
            async with asyncio.timeout(20):
                while hall() is not None:
                    await asyncio.sleep(0.05)
                    gc.collect()

    try:
        with_wings(tmp_path, story)
    finally:
        gc.unfreeze()


def test_what_was_counted_in_a_wing_that_is_elsewhere_is_not_forgotten(tmp_path: Path) -> None:
    async def story(process: Wings, callers: Callers) -> None:
        async def counts() -> dict[str, float]:
            samples = await callers.metrics()
            return {name: value for name, value in samples.items() if "_total" in name}

        for wing in (0, 1):
            client = await callers.tower()
            await client.join(room_in(wing), "Ann")
            await client.until("room_joined")
        before = await counts()
        await moves_away(process, 1)
        after = await counts()
        assert after.keys() >= before.keys()
        assert {name: value for name, value in before.items() if after[name] < value} == {}
        assert before["gamut_events_total"] > 0

    with_wings(tmp_path, story)


def test_a_process_that_is_stopped_while_a_wing_goes_elsewhere_hands_over_both(tmp_path: Path) -> None:
    async def run() -> None:
        async with wings(tmp_path, (0, 1)) as process:
            process.stores[1].watcher.move()
            await asyncio.sleep(0)
        assert all(store.handed_over for store in process.stores.values())
        assert process.node.failure is None
        assert not process.node.stuck

    asyncio.run(run())


def test_a_wing_that_was_ended_while_it_goes_elsewhere_ends_the_process(tmp_path: Path) -> None:
    async def run() -> None:
        async with wings(tmp_path, (0, 1)) as process:
            process.stores[1].watcher.move()
            process.stores[1].watcher.failed(Fenced(12))
            await process.node.stopped.wait()
        assert isinstance(process.node.failure, Fenced)
        assert [store.handed_over for _, store in sorted(process.stores.items())] == [True, False]

    asyncio.run(run())


# The end


def test_when_one_wing_was_ended_the_process_ends_and_hands_over_the_others(tmp_path: Path) -> None:
    async def run() -> None:
        async with wings(tmp_path, (0, 1, 2), count=3) as process:
            ended = Fenced(12)
            process.stores[1].watcher.failed(ended)
            await process.node.stopped.wait()
        assert process.node.failure is ended
        assert {wing: store.handed_over for wing, store in process.stores.items()} == {
            0: True,
            1: False,
            2: True,
        }
        assert not process.node.stuck

    asyncio.run(run())


def test_whoever_drains_one_wing_drains_the_process(tmp_path: Path) -> None:
    async def run() -> None:
        async with wings(tmp_path, (0, 1)) as process:
            process.stores[1].watcher.drain()
            await process.node.stopped.wait()
        assert process.node.failure is None
        assert all(store.handed_over for store in process.stores.values())

    asyncio.run(run())


def test_a_wing_that_takes_long_keeps_no_other_from_being_handed_over(tmp_path: Path) -> None:
    async def run() -> None:
        process = Wings(tmp_path, (0, 1), wings=2)
        await process.node.start()
        await process.has_its_turns()
        owner, told = process.node.servers[0]._owner, asyncio.Event()
        assert owner is not None

        async def drained(stand: Callable[[], None]) -> None:
            await told.wait()

        owner.drained = drained  # type: ignore[method-assign]
        stopping = asyncio.ensure_future(process.node.stop())
        async with asyncio.timeout(20):
            while not process.stores[1].handed_over:  # noqa: ASYNC110
                await asyncio.sleep(0.01)
        assert not process.stores[0].handed_over
        told.set()
        await stopping
        assert process.stores[0].handed_over

    asyncio.run(run())


# A hall that may be divided later


def test_tables_of_games_whose_clients_see_all_of_them_have_the_main_slot_in_every_hall(
    tmp_path: Path,
) -> None:
    async def run() -> None:
        server = Server(Settings(data=tmp_path, port=0, doors=CLOSED))
        try:
            await server.start()
            assert server.hall.wings == Division(0, 1, frozenset(("acquire", "tafl")))
            async with calling(f"http://127.0.0.1:{server.ports['main']}") as callers:
                ann = await callers.web("Ann")
                opened = [
                    await ann.sure("open", game="tafl", options={}, start="full", seats=2) for _ in range(3)
                ]
            assert {slot_in(TableId(table["table"])) for table in opened} == {0}
        finally:
            await server.stop()

    asyncio.run(run())
