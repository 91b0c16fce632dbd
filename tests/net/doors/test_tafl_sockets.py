"""Tafl through real sockets: games of mixed dialects with the page, stops and crashes, TLS, and flags."""

import asyncio
import json
import signal
from collections.abc import Awaitable, Callable, Iterator
from pathlib import Path
from typing import Any

import msgspec
import pytest
from tests.net.support.clients import Callers, WebClient, calling
from tests.net.support.echo_door import CERTIFICATE, KEY, LineClient, trusting
from tests.net.support.process import ServerProcess, free_port, refused_start
from tests.net.support.tafl_clients import Parlour, TaflClient, new_guid, parlour

from gamut.games.tafl.layout import written_layout
from gamut.games.tafl.notation import space_number
from gamut.games.tafl.records import parse_record
from gamut.games.tafl.rules import Tafl
from gamut.games.tafl.state import Event, TaflState
from gamut.hall.people.prehash import prehashed

GAMES = Path(__file__).parents[2] / "vectors" / "tafl" / "games"
SIDES = ("attackers", "defenders")


def recorded(name: str) -> tuple[str, list[list[Any]]]:
    """The rules and the moves of the longest recorded game of a variant that somebody has won."""
    games = json.loads((GAMES / f"{name}.json").read_text())
    found = max((game for game in games if game["end"].endswith("-win")), key=lambda game: game["plies"])
    return found["rules"], found["moves"]


class OnThePage:
    """Somebody on the page, whose board is made of the events that the page is told."""

    def __init__(self, web: WebClient) -> None:
        self.web = web
        self.table = ""
        self.state: TaflState | None = None
        self.records = 0

    async def watch(self, table: str) -> None:
        self.table = table
        await self.web.send({"type": "watch", "table": table})
        picture = await self.web.until("table", table=table)
        if picture["state"] is not None:
            self.state = msgspec.convert(picture["state"], TaflState)

    async def hear(self, plies: int) -> None:
        while self.records < plies:
            message = await self.web.until("events", table=self.table)
            for happening in message["events"]:
                for happened in happening.get("events", ()):
                    event: Event = msgspec.convert(happened, Event)
                    self.state = Tafl().evolve(self.state, event)
                    self.records += happened["type"] == "moved"

    async def move(self, record: str) -> None:
        size = round(len(self.board) ** 0.5)
        parsed = parse_record(record)
        start, end = space_number(parsed.start, size), space_number(parsed.end, size)
        action = {"type": "move", "start": start, "end": end}
        await self.web.send({"type": "act", "table": self.table, "action": action})

    @property
    def board(self) -> str:
        assert self.state is not None
        return self.state.board


Anybody = OnThePage | TaflClient
Story = Callable[[Parlour, Callers], Awaitable[None]]


Play = Callable[[Story], None]


@pytest.fixture(scope="module")
def play(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Play]:
    """Runs a story at a server that all of these share: each has names of its own."""
    with ServerProcess(tmp_path_factory.mktemp("tafl") / "data", tafl=True, message_rate=0) as server:

        async def both(story: Story) -> None:
            async with parlour(server.tafl_port) as tafl, calling(server.url) as callers:
                await story(tafl, callers)

        yield lambda story: asyncio.run(both(story))


# One table, many doors


async def person(tafl: Parlour, callers: Callers, kind: str, name: str) -> Anybody:
    if kind == "page":
        return OnThePage(await callers.web(name))
    return await tafl.client(name, {"S": "", "O": "7", "S+": "ext"}[kind])


async def table_of(callers: Callers, guid: str) -> str:
    """What the page calls the game of this name."""
    web = await callers.web(f"Finder {new_guid()[-8:]}")
    while True:
        await web.send({"type": "lobby"})
        picture = await web.until("lobby")
        for summary in picture["tables"]:
            if summary.get("room") == guid:
                return str(summary["id"])
        await web.until("lobby_changed")


async def created(callers: Callers, host: Anybody, rules: str) -> str:
    if isinstance(host, TaflClient):
        guid = new_guid()
        await host.create(guid, "attackers", rules)
        return guid
    opened = await host.web.sure("open", game="tafl", options={"rules": rules}, start="ready")
    host.table = opened["table"]
    picture = await host.web.until("table", table=host.table)
    return str(picture["room"])


async def joined(callers: Callers, guest: Anybody, guid: str) -> None:
    if isinstance(guest, TaflClient):
        await guest.join(guid)
        return
    guest.table = await table_of(callers, guid)
    await guest.web.sure("sit", table=guest.table)


async def ready(player: Anybody) -> None:
    if isinstance(player, OnThePage):
        await player.web.sure("ready", table=player.table, ready=True)
    elif not player.old:
        await player.ask("ready-for-game")


async def watches(callers: Callers, watcher: Anybody, guid: str) -> None:
    if isinstance(watcher, TaflClient):
        await watcher.spectate(guid)
    else:
        await watcher.watch(await table_of(callers, guid))


async def heard(somebody: Anybody, plies: int) -> None:
    """Until so many moves are on their board."""
    if isinstance(somebody, OnThePage):
        await somebody.hear(plies)
        return
    while somebody.records < plies:
        await somebody.until("move ", "move-record ")


def test_an_account_that_takes_another_name_on_the_page_plays_on(play: Play) -> None:
    async def story(tafl: Parlour, callers: Callers) -> None:
        ann, bob, guid = await tafl.playing("renamed")
        login = {"name": ann.name, "password": "secret"}
        async with callers.http.post("/api/login", json=login) as answer:
            assert answer.status == 200
        async with callers.http.post("/api/name", json={**login, "name": "Anna renamed"}) as answer:
            assert answer.status == 200
        assert await ann.move("a4-a3") == "move-result 0"
        await bob.until("move a4-a3")
        await ann.say('game-chat "x" hello')
        assert await bob.until("game-chat") == 'game-chat "Anna renamed" hello'
        (listed,) = [
            table for table in await callers.json("/api/tables?game=tafl") if table.get("room") == guid
        ]
        assert [seat["name"] for seat in listed["seats"]] == ["Anna renamed", bob.name]

    play(story)


PAIRS = [("page", "S"), ("S", "O"), ("O", "page"), ("S+", "O")]


@pytest.mark.parametrize("pair", PAIRS)
def test_all_boards_are_the_same_after_every_move(play: Play, pair: tuple[str, str]) -> None:
    rules, moves = recorded("brandub-7")
    tag = " ".join(pair)

    async def story(tafl: Parlour, callers: Callers) -> None:
        host, guest = [
            await person(tafl, callers, kind, f"{who} {tag}")
            for who, kind in zip(("H", "G"), pair, strict=True)
        ]
        guid = await created(callers, host, rules)
        # An existing client is there from the beginning, as the game is then played by what it knows.
        old = await tafl.client(f"Watcher O {tag}", "7")
        assert await old.ask(f"spectate {guid} true none") == "success spectator"
        await joined(callers, guest, guid)
        players = (host, guest)
        for player in players:
            await ready(player)
        for client in (old, *players):
            if isinstance(client, TaflClient):
                await client.until("start-game")
            elif client.state is None:
                await client.watch(client.table)
        watchers: list[Anybody] = [old]
        for kind in ("page", "S", "S+"):
            watcher = await person(tafl, callers, kind, f"W {kind} {tag}")
            await watches(callers, watcher, guid)
            watchers.append(watcher)
        for plies, (simple, _, _, position, _, _, _, result) in enumerate(moves, 1):
            mover = players[(plies - 1) % 2]
            said = await mover.move(simple)
            assert said in (None, f"move-result {result}")
            for somebody in (*players, *watchers):
                await heard(somebody, plies)
                assert written_layout(somebody.board, 7) == position
        ends = {True: "game-ended", False: "end-game"}
        for somebody in (*players, *watchers):
            if isinstance(somebody, TaflClient):
                await somebody.until(ends[somebody.old])

    play(story)


# Accounts


def test_a_tafl_account_and_one_of_the_page_are_one(play: Play) -> None:
    async def story(tafl: Parlour, callers: Callers) -> None:
        registered = {"name": "Page Person", "password": "secret word"}
        async with callers.http.post("/api/register", json=registered) as response:
            assert response.status == 201
            page = (await response.json())["person"]
        client = await tafl.stranger()
        wrong = prehashed("Page Person", "other word")
        assert await client.ask(f'login "Page Person" {wrong}') == "error invalid-login"
        # The salt is the name exactly as it is stored.
        other = prehashed("page person", "secret word")
        assert await client.ask(f'login "page person" {other}') == "error invalid-login"
        right = prehashed("Page Person", "secret word")
        assert await client.ask(f'login "Page Person" {right} ext') == "success"
        new = await tafl.client("Tafl Person")
        login = {"name": "Tafl Person", "hash": prehashed("Tafl Person", "secret")}
        async with callers.http.post("/api/login", json=login) as response:
            assert response.status == 200
            assert (await response.json())["person"]["id"] != page["id"]
        async with callers.http.post("/api/logout-everywhere", json={}) as response:
            assert response.status == 200
        assert await new.hear() is None, "whoever ends all sessions ends this one, too"

    play(story)


# Stops and crashes


@pytest.mark.parametrize("how", [signal.SIGTERM, signal.SIGKILL])
def test_after_a_stop_or_a_crash_seats_are_got_back(tmp_path: Path, how: signal.Signals) -> None:
    async def begin(port: int) -> str:
        async with parlour(port) as tafl:
            ann, bob = await tafl.client("Ann"), await tafl.client("Bob", "7")
            guid = new_guid()
            await ann.create(guid, "attackers", time="300000|30000/3|0")
            await bob.join(guid)
            assert await ann.ask("ready-for-game") == "success"
            await bob.until("start-game")
            await ann.until("await-move")
            assert await ann.move("a4-a3") == "move-result 0"
            await heard(bob, 1)
            server.signal(how)
            assert await bob.hear() in (None, "await-move defenders")
            await asyncio.to_thread(server.wait)
        return guid

    async def go_on(port: int, guid: str) -> None:
        async with parlour(port) as tafl:
            bob, ann = await tafl.client("Bob", "7"), await tafl.client("Ann")
            assert await bob.ask(f"join-game {guid} false none") == "success defenders"
            started = await bob.until("start-game")
            assert started.endswith(f"history 7 a4-a3 {'300000|30000/3|0'}||")
            assert await ann.ask(f"join-game {guid}") == "success"
            await heard(ann, 1)
            await bob.until("await-move")
            assert await bob.move("d3-c3") == "move-result 0"
            await heard(ann, 2)
            assert ann.board == bob.board

    with ServerProcess(tmp_path / "data", tafl=True) as server:
        guid = asyncio.run(begin(server.tafl_port))
        server.kill()
        server.start()
        asyncio.run(go_on(server.tafl_port, guid))


# Clocks


def test_a_flag_falls_by_itself(play: Play) -> None:
    async def story(tafl: Parlour, callers: Callers) -> None:
        ann, bob, _ = await tafl.playing("1", time="300|0/0|0")
        for client in (ann, bob):
            assert await client.until("end-game") == "end-game"
        assert await ann.ask("move a4-a3") == "error game-over"

    play(story)


# Ports


def test_the_same_is_spoken_under_tls(tmp_path: Path) -> None:
    port = free_port()
    with ServerProcess(
        tmp_path / "data",
        *("--tafl-tls-port", str(port), "--tafl-certificate", str(CERTIFICATE), "--tafl-key", str(KEY)),
        tafl=True,
    ) as server:
        assert server.tafl_tls_port == port

        async def story() -> None:
            secure = TaflClient(await LineClient.to(port, trusting()))
            async with parlour(server.tafl_port) as tafl:
                assert await secure.ask(f'login "Ann" {prehashed("Ann", "secret")}') == "success"
                guid = new_guid()
                await secure.create(guid, "attackers")
                bob = await tafl.client("Bob", "7")
                await bob.join(guid)
                assert await secure.ask("ready-for-game") == "success"
                await bob.until("start-game")
                await secure.lines.close()
                await bob.until("error opponent-left")

        asyncio.run(story())


def test_a_certificate_that_is_none_keeps_the_server_closed(tmp_path: Path) -> None:
    code, said = refused_start(tmp_path / "data", tafl_tls_port=free_port(), tafl_certificate=CERTIFICATE)
    assert code == 1
    assert said == "gamut: TLS needs both a certificate and its key.\n"


def test_without_a_certificate_or_with_port_0_there_is_no_port(tmp_path: Path) -> None:
    with ServerProcess(tmp_path / "data", tafl_tls_port=free_port()) as server:
        assert server.tafl_port == server.tafl_tls_port == 0
