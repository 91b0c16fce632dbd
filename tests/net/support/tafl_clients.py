"""Tafl clients on real sockets, in all three dialects, each with a board of its own."""

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from itertools import count
from uuid import UUID

from tests.net.support.echo_door import LineClient
from tests.net.support.process import PATIENCE

from gamut.games.tafl.decide import decided_by_record, evolve, folded
from gamut.games.tafl.options import TaflOptions
from gamut.games.tafl.state import TaflState
from gamut.games.tafl.variants import rules_by_name
from gamut.hall.people.prehash import prehashed

BRANDUB = rules_by_name()["brandub"]
_NOISE = ("lobby-chat", "client-list", "game-list", "clock-update")
"""What comes whenever it likes."""

_numbers = count(1)


def new_guid() -> str:
    """What a game is called that no other is called at any server of these tests; by counting, and not by chance."""
    return str(UUID(int=next(_numbers), version=4))


class TaflClient:
    def __init__(self, lines: LineClient, name: str = "", kind: str = "") -> None:
        self.lines = lines
        self.name = name
        self.kind = kind
        self.state: TaflState | None = None
        """The board of this client, from the rules and the moves that it was told."""
        self.records = 0

    @property
    def old(self) -> bool:
        return self.kind == "7"

    async def say(self, *lines: str) -> None:
        await self.lines.send("".join(f"{line}\n" for line in lines).encode())

    async def line(self) -> str | None:
        """The next line, whatever it is; None at the end."""
        data = await self.lines.line()
        return data.decode() if data or not self.lines.reader.at_eof() else None

    async def hear(self) -> str | None:
        """The next line that is about this client."""
        while (line := await self.line()) is not None and line.startswith(_NOISE):
            continue
        return line

    async def until(self, *starts: str) -> str:
        while (line := await self.line()) is not None:
            self._follow(line)
            if line.startswith(starts):
                return line
        raise AssertionError(f"the connection ended before {starts}")

    async def ask(self, line: str) -> str | None:
        await self.say(line)
        return await self.hear()

    def _follow(self, line: str) -> None:
        word, _, rest = line.partition(" ")
        if word == "start-game":
            rules, _, history = rest.partition(" history ")
            # A client of the old kind makes the mistakes that it always made.
            self.state = folded(TaflOptions(rules=rules, quirks=self.old).beginning)
            for entry in history.partition(" ")[2].split("||"):
                if entry:
                    self.play(entry.split()[0])
        elif word in ("move", "move-record"):
            self.play(rest)

    def play(self, record: str) -> None:
        assert self.state is not None
        for event in decided_by_record(self.state, record):
            self.state = evolve(self.state, event)
        self.records += 1

    @property
    def board(self) -> str:
        assert self.state is not None
        return self.state.board

    # What the dialects say in different words

    async def create(self, guid: str, side: str, rules: str = BRANDUB, time: str = "") -> None:
        if self.old:
            words = f"combinechat:false allowreplay:false {side} none {time or '0|0/0|0'} {rules}"
        else:
            words = " ".join(filter(None, (side, "open", time, rules)))
        assert (await self.ask(f"create-game {guid} {words}") or "").startswith("success")

    async def join(self, guid: str) -> None:
        assert (await self.ask(f"join-game {guid}{' false none' if self.old else ''}") or "").startswith(
            "success"
        )

    async def spectate(self, guid: str) -> None:
        words = f"spectate {guid} true none" if self.old else f"spectate-game {guid}"
        assert (await self.ask(words) or "").startswith("success")
        await self.until("start-game")

    async def move(self, record: str) -> str:
        await self.say(f"{'move-record' if self.old else 'move'} {record}")
        result = await self.until("move-result")
        if not result.startswith("move-result -"):
            self.play(record)
        return result


class Parlour:
    """Where clients come from, all of whom hang up in the end."""

    def __init__(self, port: int) -> None:
        self.port = port
        self._clients: list[TaflClient] = []

    async def stranger(self) -> TaflClient:
        client = TaflClient(await LineClient.to(self.port))
        self._clients.append(client)
        return client

    async def client(self, name: str, kind: str = "") -> TaflClient:
        client = await self.stranger()
        client.name, client.kind = name, kind
        answer = await client.ask(f'login "{name}" {prehashed(name, "secret")} {kind}'.strip())
        assert (answer or "").startswith("success"), answer
        return client

    async def playing(self, tag: str, time: str = "") -> tuple[TaflClient, TaflClient, str]:
        """Two who play each other in the plain dialect, and the name of their game."""
        ann, bob = await self.client(f"Ann {tag}"), await self.client(f"Bob {tag}")
        guid = new_guid()
        await ann.create(guid, "attackers", time=time)
        await bob.join(guid)
        assert await ann.ask("ready-for-game") == "error waiting-for-opponent"
        assert await bob.ask("ready-for-game") == "success"
        for client in (ann, bob):
            await client.until("start-game")
        await ann.until("await-move")
        return ann, bob, guid


@asynccontextmanager
async def parlour(port: int) -> AsyncIterator[Parlour]:
    house = Parlour(port)
    try:
        async with asyncio.timeout(6 * PATIENCE):
            yield house
    finally:
        for client in house._clients:
            await client.lines.close()
