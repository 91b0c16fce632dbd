"""Buses within one process."""

import asyncio

from gamut.cluster.bus import Bus, LocalBus, NearBus


def test_on_a_local_bus_everything_is_heard_in_order_and_after_whoever_says_it_is_done() -> None:
    async def story() -> None:
        bus: Bus = LocalBus()
        heard: list[bytes] = []
        bus.subscribe("news", heard.append)
        bus.publish("news", b"1")
        bus.publish("other", b"not for us")
        bus.publish("news", b"2")
        assert heard == []
        await asyncio.sleep(0)
        assert heard == [b"1", b"2"]

    asyncio.run(story())


def test_what_a_process_says_to_itself_alone_goes_no_further() -> None:
    async def story() -> None:
        far = LocalBus()
        here, there = NearBus(far), NearBus(far)
        heard: list[tuple[str, bytes]] = []
        here.subscribe("to.owner.1", lambda data: heard.append(("owner", data)))
        far.subscribe("to.owner.1", lambda data: heard.append(("far", data)))
        here.publish("to.owner.1", b"mine")
        await asyncio.sleep(0)
        assert heard == [("owner", b"mine")]
        heard.clear()
        there.publish("to.owner.1", b"yours")
        await asyncio.sleep(0)
        assert sorted(heard) == [("far", b"yours"), ("owner", b"yours")]

    asyncio.run(story())


def test_what_is_for_everybody_reaches_also_those_elsewhere() -> None:
    async def story() -> None:
        far = LocalBus()
        here, there = NearBus(far), NearBus(far)
        heard: list[str] = []
        here.subscribe("nodes", lambda data: heard.append("here"))
        there.subscribe("nodes", lambda data: heard.append("there"))
        here.publish("nodes", b"I am here")
        await asyncio.sleep(0)
        assert set(heard) == {"here", "there"}

    asyncio.run(story())


def test_whoever_has_unsubscribed_hears_nothing_and_others_do() -> None:
    async def story() -> None:
        far = LocalBus()
        bus: Bus = NearBus(far)
        gone: list[bytes] = []
        stays: list[bytes] = []
        bus.subscribe("nodes", gone.append)
        bus.subscribe("nodes", stays.append)
        bus.unsubscribe("nodes", gone.append)
        bus.publish("nodes", b"1")
        far.publish("nodes", b"2")
        await asyncio.sleep(0)
        assert (gone, set(stays)) == ([], {b"1", b"2"})

    asyncio.run(story())
