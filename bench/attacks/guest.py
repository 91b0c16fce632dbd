"""Somebody at the web door."""

import asyncio
from typing import Any, Self

from bench.attacks.sockets import Message, Refused, Socket
from bench.attacks.target import Target, anybody
from gamut.hall.ids import TableId


class Guest(Socket):
    """Comes in with a name, a token or a cookie; asks, and is answered."""

    def __init__(self, target: Target) -> None:
        super().__init__(target)
        self.token = ""
        self.person = ""
        self.name = ""
        self._asked = 0

    @classmethod
    async def come(
        cls,
        target: Target,
        *,
        address: str | None = None,
        token: str | None = None,
        cookie: str | None = None,
        receive_buffer: int | None = None,
    ) -> Self:
        headers = None if cookie is None else {"Cookie": cookie}
        guest = await cls.open(
            target, "/hall", address=address, headers=headers, receive_buffer=receive_buffer
        )
        try:
            welcome = guest.next(lambda message: message["type"] in ("welcome", "error"))
            if cookie is None:
                guest.tell("hello", **({"name": anybody()} if token is None else {"token": token}))
            answer = await welcome
        except BaseException:
            guest.abort()
            raise
        if answer["type"] == "error":
            guest.abort()
            raise Refused(f"not welcome: {answer.get('code')}")
        guest.token = answer.get("token", token or "")
        guest.person, guest.name = answer["person"], answer["name"]
        return guest

    async def again(self, *, address: str | None = None) -> "Guest":
        """Another connection of the same person."""
        return await Guest.come(self.target, token=self.token, address=address)

    def tell(self, kind: str, **fields: Any) -> None:
        self.say({"type": kind, **fields})

    def asking(self, kind: str, **fields: Any) -> asyncio.Future[Message]:
        self._asked += 1
        number = self._asked
        answer = self.next(lambda message: message.get("id") == number)
        self.tell(kind, **fields, id=number)
        return answer

    async def ask(self, kind: str, **fields: Any) -> Message:
        """The answer, which may well be an error."""
        return await self.asking(kind, **fields)

    async def must(self, kind: str, **fields: Any) -> Message:
        """The answer; an error is `Refused`."""
        answer = await self.ask(kind, **fields)
        if answer["type"] == "error":
            raise Refused(f"{kind}: {answer.get('code')}")
        return answer

    async def opens(self, game: str = "tower", **fields: Any) -> tuple[str, str]:
        """A new table: its id and its key."""
        answer = await self.must("open", game=game, **fields)
        return answer["table"], answer["key"]

    async def opens_in(self, wing: int, game: str = "tower", **fields: Any) -> tuple[str, str]:
        """The same in this wing of the hall. Nobody chooses where a table is: those elsewhere are left again."""
        while True:
            table, key = await self.opens(game, **fields)
            if self.target.wings.of_table(TableId(table)) == wing:
                return table, key
            await self.must("leave", table=table)


async def guests(target: Target, count: int, address: str | None = None) -> list[Guest]:
    """So many at once, as far as they are let in."""
    come = (Guest.come(target, address=address) for _ in range(count))
    found = await asyncio.gather(*come, return_exceptions=True)
    for each in found:
        if isinstance(each, BaseException) and not isinstance(each, OSError | TimeoutError):
            raise each
    return [each for each in found if isinstance(each, Guest)]
