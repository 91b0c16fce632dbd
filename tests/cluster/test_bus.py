"""The bus of a process that needs no other."""

import asyncio

from gamut.cluster.bus import Bus, LocalBus


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
