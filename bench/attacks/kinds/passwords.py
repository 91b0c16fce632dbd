"""Passwords: of accounts and of tables."""

import asyncio

from bench.attacks.guest import Guest
from bench.attacks.requests import Answer, post
from bench.attacks.target import Target, address, anybody, together

_PASSWORD = "a long password"
_HOME = "198.51.100.20"
_OK = 200
_NOT_STORED = "not_stored"
_AGAIN = 0.5


async def strangers_log_in(target: Target) -> None:
    """Strangers from many addresses guess somebody's password; its owner gets in all the same."""
    name = anybody()
    account = await post(target, "/api/register", {"name": name, "password": _PASSWORD}, address=_HOME)
    target.note(f"registered: {account.status}")
    await target.prepared()

    async def guess(each: int) -> None:
        async for number in target.ticks(4):
            wrong = {"name": name, "password": f"wrong {number}{each}"}
            await post(target, "/api/login", wrong, address=address(each))

    async def owner() -> None:
        await asyncio.sleep(target.left / 2)
        right = {"name": name, "password": _PASSWORD}
        known = await _log_in(target, right, account.cookie)
        fresh = await _log_in(target, right)
        target.expect(known.status == _OK, f"the owner with a known cookie logs in (got {known.status})")
        target.expect(fresh.status == _OK, f"the owner without a cookie logs in (got {fresh.status})")

    await together([*(guess(each) for each in range(12)), owner()])


async def _log_in(target: Target, who: dict[str, str], cookie: str = "") -> Answer:
    """As a browser does: while the disk stands still it is asked to come again, and that is no refusal."""
    while True:
        answer = await post(target, "/api/login", who, cookie=cookie, address=_HOME)
        if answer.code != _NOT_STORED or not target.going:
            return answer
        await asyncio.sleep(_AGAIN)


async def hashing(target: Target) -> None:
    """Log-ins for names that do not exist, from many addresses: each costs a hash. Somebody else still gets in."""
    name = anybody()
    await post(target, "/api/register", {"name": name, "password": _PASSWORD}, address=_HOME)
    await target.prepared()

    async def guess(each: int) -> None:
        number = 0
        while target.going:
            number += 1
            wrong = {"name": f"nobody {each} {number}", "password": "wrong password"}
            await post(target, "/api/login", wrong, address=address(each * 100 + number % 100))

    async def owner() -> None:
        await asyncio.sleep(target.left / 2)
        answer = await post(target, "/api/login", {"name": name, "password": _PASSWORD}, address=_HOME)
        target.expect(answer.status == _OK, f"others log in meanwhile (got {answer.status or 'no answer'})")

    await together([*(guess(each) for each in range(60)), owner()])


async def registrations(target: Target) -> None:
    """Registrations, as many as are taken, from one address."""
    await target.prepared()

    async def register() -> None:
        while target.going:
            await post(target, "/api/register", {"name": anybody(), "password": _PASSWORD}, address=address())

    await together([register() for _ in range(40)])


async def refused_opens_with_passwords(target: Target) -> None:
    """`open` with a table's password and something else that is wrong: nothing needs to be hashed."""
    four = [await Guest.come(target, address=address(each)) for each in range(4)]
    await target.prepared()
    wrong: tuple[dict[str, object], ...] = (
        {"game": "nosuch"},
        {"game": "tower", "seats": 9},
        {"game": "topple", "options": {"x": 36, "y": 36}},
        {"game": "tower", "bots": ["nosuch"]},
    )

    async def refused(guest: Guest) -> None:
        for number in range(90):
            guest.tell("open", password="p" * 64, **wrong[number % len(wrong)])
        async for number in target.ticks(45):
            guest.tell("open", password="p" * 64, **wrong[number % len(wrong)])

    await together([refused(guest) for guest in four])


async def locked_tables(target: Target) -> None:
    """Tables with passwords opened and left, as fast as is allowed."""
    four = [await Guest.come(target, address=address(each)) for each in range(4)]
    await target.prepared()

    async def lock(guest: Guest) -> None:
        async for _ in target.ticks(20):
            answer = await guest.ask("open", game="tower", password="p" * 64, start="host")
            if answer["type"] == "opened":
                guest.tell("leave", table=answer["table"])

    await together([lock(guest) for guest in four])


async def guessed_table_passwords(target: Target) -> None:
    """Somebody's table password guessed from many addresses; whoever knows it gets in."""
    host = await Guest.come(target, address=_HOME)
    table, _key = await host.opens("tower", password="right one")
    many = [await Guest.come(target, address=address(each)) for each in range(40)]
    await target.prepared()

    async def guess(guest: Guest) -> None:
        async for number in target.ticks(20):
            guest.tell("sit", table=table, password=f"wrong {number}")

    async def friend() -> None:
        await asyncio.sleep(target.left / 2)
        one = await Guest.come(target, address="198.51.100.21")
        answer = await one.ask("sit", table=table, password="right one")
        target.expect(
            answer["type"] != "error", f"who knows the password sits down (got {answer.get('code')})"
        )

    await together([*(guess(guest) for guest in many), friend()])
