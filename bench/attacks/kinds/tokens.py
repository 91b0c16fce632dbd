"""Sessions that were made up."""

import secrets

from bench.attacks.guest import Guest
from bench.attacks.requests import request
from bench.attacks.target import Target, address, together


async def made_up_tokens(target: Target) -> None:
    """Tokens and cookies that nobody gave out, long and short."""
    await target.prepared()

    async def hello(each: int) -> None:
        while target.going:
            try:
                guest = await Guest.come(target, token=secrets.token_urlsafe(30_000), address=address(each))
            except OSError:
                continue
            target.expect(False, "a made-up token is refused")
            guest.abort()

    async def ask(each: int) -> None:
        while target.going:
            headers = {"Cookie": f"gamut_session={secrets.token_urlsafe(3000)}"}
            await request(target, "GET", "/api/me", headers=headers, address=address(each))

    await together([*(hello(each) for each in range(10)), *(ask(each) for each in range(10))])
