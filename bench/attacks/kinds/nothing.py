"""No attack at all."""

from bench.attacks.target import Target


async def nothing(target: Target) -> None:
    """Nothing happens: what the machine itself does to the figures."""
    await target.prepared()
    await target.rest()
