"""What is done in threads comes back to whoever waits for it."""

import asyncio

import pytest

from gamut.net.threads import raising_to_a_future


def test_a_call_that_finds_nothing_keeps_nobody_waiting() -> None:
    async def wait() -> None:
        loop = asyncio.get_running_loop()
        with pytest.raises(RuntimeError, match="not there"):
            await asyncio.wait_for(loop.run_in_executor(None, raising_to_a_future, next, iter(())), 10)

    asyncio.run(wait())
