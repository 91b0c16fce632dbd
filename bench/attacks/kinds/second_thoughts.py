"""What was done is to be otherwise: moves taken back, other names, other ways in which a game could have gone on."""

import asyncio

import msgspec

from bench.attacks.guest import Guest
from bench.attacks.power_lines import long_line
from bench.attacks.requests import post
from bench.attacks.target import Target, address, anybody, together

_RATE = 15
_PEOPLE = 4
_WATCHERS = 25
"""Of each of them: whoever watches is shown the whole table after a move was taken back."""
_PASSWORD = "a long password"
_ACCOUNTS = 3
_ASKERS = 12
_OK = 200


async def moves_taken_back(target: Target) -> None:
    """A move against bots and back, each wish said twice, at four tables with watchers, as fast as is allowed."""
    people = [await Guest.come(target, address=address(each)) for each in range(_PEOPLE)]
    watchers = [await Guest.come(target, address=address(each % 10)) for each in range(_WATCHERS)]
    options = {"topology": "bwrap", "x": 15, "y": 15}
    taken_back = 0

    async def opened(guest: Guest) -> str:
        table, _key = await guest.opens("topple", seats=3, start="full", bots=["casual"] * 2, options=options)
        for watcher in watchers:
            watcher.tell("watch", table=table)
        return table

    tables = [await opened(guest) for guest in people]
    await target.prepared()

    async def think_twice(guest: Guest, table: str) -> None:
        nonlocal taken_back
        async for _ in target.ticks(_RATE):
            await guest.ask("act", table=table, action={"type": "place", "tile": 0})
            wishes = [guest.asking("take_back", table=table, moves=0) for _ in range(2)]
            done = sum(answer["type"] == "ok" for answer in await asyncio.gather(*wishes))
            target.expect(done <= 1, "a move is taken back once, however often that is asked for")
            taken_back += done
            if not done:
                # A bot has gone on meanwhile, or there were too many: another game.
                for watcher in watchers:
                    watcher.tell("unwatch", table=table)
                await guest.ask("leave", table=table)
                table = await opened(guest)

    await together([think_twice(guest, table) for guest, table in zip(people, tables, strict=True)])
    target.note(f"{taken_back} moves taken back")


async def new_names_of_accounts(target: Target) -> None:
    """Accounts that take another name again and again, twice in the same moment, while they sit at tables."""
    people: list[tuple[Guest, str]] = []
    for each in range(_ACCOUNTS):
        wish = {"name": anybody(), "password": _PASSWORD}
        account = await post(target, "/api/register", wish, address=address(each))
        guest = await Guest.come(target, cookie=account.cookie, address=address(each))
        await guest.opens("tower", start="host")
        people.append((guest, account.cookie))
    await target.prepared()
    renamed = 0

    async def rename(each: int, cookie: str) -> None:
        nonlocal renamed
        async for _ in target.ticks(2):
            wish = {"name": anybody(), "password": _PASSWORD}
            wishes = [post(target, "/api/name", wish, cookie=cookie, address=address(each)) for _ in range(2)]
            answers = await asyncio.gather(*wishes)
            renamed += any(answer.status == _OK for answer in answers)
            wrong = any(answer.code == "wrong_password" for answer in answers)
            target.expect(not wrong, "a password that is right is not called wrong")

    await together([rename(each, cookie) for each, (_, cookie) in enumerate(people)])
    stayed = all(not guest.closed.is_set() for guest, _ in people)
    target.expect(stayed, "whoever takes another name stays where they are")
    target.note(f"{renamed} new names")


async def retraced_questions(target: Target) -> None:
    """Long lines of Power Chess told back with all that chance brought, true ones and impossible ones, by twelve."""
    line = long_line(1)
    swapped = [*line[:-1], [*line[-1][:2], line[0][2]]]
    cookies = [
        (await post(target, "/api/guest", {"name": anybody()}, address=address(each))).cookie
        for each in range(_ASKERS)
    ]
    answers: set[bytes] = set()
    await target.prepared()

    async def ask(each: int) -> None:
        number = each
        while target.going:
            number += 1
            actions = (line, swapped, line[: number % len(line)])[number % 3]
            answer = await post(
                target,
                "/api/powerchess/position",
                {"actions": actions},
                cookie=cookies[each],
                address=address(each),
            )
            if actions is line and answer.status == _OK:
                answers.add(msgspec.json.encode(msgspec.json.decode(answer.body), order="deterministic"))
            target.expect(actions is not swapped or answer.status != _OK, "what cannot have come is refused")

    await together([ask(each) for each in range(_ASKERS)])
    target.expect(len(answers) <= 1, "whoever asks the same gets the same answer")
