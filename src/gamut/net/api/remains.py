"""What is left of somebody who was deleted, as they are told."""

from collections.abc import Awaitable, Callable
from typing import Any

from gamut.hall.store.scrubbing import Scrubbing


async def what_remains(
    scrubbing: Scrubbing,
    run_blocking: Callable[..., Awaitable[Any]],
    in_store: Callable[[], str],
) -> str:
    """Where the store still holds something of deleted people, and until when."""
    cleaned = await scrubbing.done()
    if remains := await run_blocking(in_store):
        return f"You are deleted. {remains}"
    if cleaned:
        return ""
    return (
        "You are deleted. Another program, such as a backup, is reading the server's files, or they cannot be written: "
        "your name leaves the last of them as soon as it has finished, or they can be written again."
    )
