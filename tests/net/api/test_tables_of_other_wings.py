"""The main wing answers over HTTP what is asked of any table of the hall, as if the table were its own."""

import asyncio
from collections.abc import Awaitable, Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any, NamedTuple

import pytest
from aiohttp import ClientSession, web
from tests.net.api.test_tables import WIN_FOR_0
from tests.net.api.test_topple_files import BYTES, SHORT_GAME, SUSPENDED
from tests.net.support.club import answer
from tests.net.support.inside import running, url_of

from gamut.games.topple.events import Place as ToppleMove
from gamut.games.topple.files.writer import write
from gamut.games.tower.rules import Place
from gamut.hall.hall import Hall
from gamut.hall.ids import PersonId, TableId
from gamut.hall.live.live_table import LiveTable
from gamut.hall.live.opening import Opening
from gamut.hall.table import commands as c
from gamut.hall.table.seats import Sitter
from gamut.hall.wings import MAIN, Wings
from gamut.net import server as serving
from gamut.net.api.accounts import COOKIE
from gamut.net.server import Server

AT_MAIN = frozenset(("tafl", "acquire"))
BEN, CID = PersonId("ben"), PersonId("cid")
OTHER = 1
Story = Callable[[Server, ClientSession], Awaitable[None]]


class Asked(NamedTuple):
    path: str
    by_ann: bool


Answer = tuple[int, str, bytes]
"""Status, content type, and what it says."""


@contextmanager
def in_wing(wing: int, monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """Servers that are started now have this one of two wings."""

    def made(**parts: Any) -> Hall:
        return Hall(**{**parts, "wings": Wings(wing, 2, AT_MAIN)})

    with monkeypatch.context() as patched:
        patched.setattr(serving, "Hall", made)
        yield


def in_both(data: Path, monkeypatch: pytest.MonkeyPatch, there: Story, here: Story) -> None:
    """The first is told in the other wing, and then, on what that has stored, the second in the main one."""

    async def run() -> None:
        for wing, story in ((OTHER, there), (MAIN, here)):
            with in_wing(wing, monkeypatch):
                async with (
                    running(data, http_rate=0, bot_delay=0) as server,
                    ClientSession(url_of(server)) as http,
                ):
                    await story(server, http)

    asyncio.run(run())


class Guest(NamedTuple):
    person: PersonId
    cookie: dict[str, str]


async def guest(http: ClientSession) -> Guest:
    async with http.post("/api/guest", json={"name": "Ann"}) as response:
        assert response.status == 201
        token = response.cookies[COOKIE].value
        return Guest(PersonId((await response.json())["person"]["id"]), {"Cookie": f"{COOKIE}={token}"})


# The tables


def opened(hall: Hall, game: str, ann: PersonId, private: bool, **wish: Any) -> LiveTable:
    live = hall.open(Opening(game=game, private=private, **wish), ann)
    for person, _ in zip((ann, BEN, CID), live.table.seats, strict=False):
        hall.do(live, c.Sit(Sitter(person, person.title()), key=live.table.key))
    hall.do(live, c.Say(BEN, "Ben", "hello", "table"))
    return live


def played(hall: Hall, live: LiveTable, ann: PersonId, *moves: Any) -> LiveTable:
    people = (ann, BEN, CID)[: len(live.table.seats)]
    for number, move in enumerate(moves):
        hall.do(live, c.Act(people[number % len(people)], move))
    return live


def all_kinds(hall: Hall, ann: PersonId) -> list[LiveTable]:
    """Tables of each game that may be in any wing: with a free seat, being played, over and taken away; and each of
    that for all and in private."""
    tower = tuple(map(Place, WIN_FOR_0))
    topple = tuple(map(ToppleMove, SHORT_GAME))
    small = {"options": {"x": 2, "y": 2}, "seats": 2}
    found = []
    for private in (False, True):
        found += [
            hall.open(Opening(game=game, private=private), ann) for game in ("tower", "topple", "powerchess")
        ]
        found += [played(hall, opened(hall, "tower", ann, private), ann, *tower[:moves]) for moves in (3, 7)]
        found += [
            played(hall, opened(hall, "topple", ann, private, **small), ann, *topple[:moves])
            for moves in (1, 4)
        ]
        taken = played(hall, opened(hall, "topple", ann, private, **small), ann, *topple[:1])
        hall.do(taken, c.Close(ann))
        chess = [opened(hall, "powerchess", ann, private) for _ in range(2)]
        hall.do(chess[1], c.Resign(BEN))
        found += [taken, *chess]
    assert {live.table.phase for live in found} == {"setup", "playing", "over"}
    return found


# What is asked


def routes_of(server: Server) -> list[tuple[str, str]]:
    """The method and the path of everything that the server answers."""
    return [(route.method, route.path) for route in server._routes() if isinstance(route, web.RouteDef)]


def asked_of(server: Server, live: LiveTable) -> list[Asked]:
    """Everything that is answered about one table, whoever asks, with its key and without."""
    room = live.table.room
    paths = []
    for method, path in routes_of(server):
        assert method == "GET" or "{table}" not in path, "what is done at a table is done in its wing"
        if "{table}" in path:
            paths.append(path.replace("{table}", live.id))
        elif "{room}" in path:
            paths += [path.replace("{room}", name) for name in (room, live.id) if name is not None]
    paths += [f"/t/{live.id}", f"/t/{live.id}/1"]
    if live.table.phase != "over":
        # Who is still there after a game is known in its own wing.
        paths += [f"/d/isres?id={name}" for name in (room, live.id) if name is not None]
    more = [f"/api/tables/{live.id}/log?seat=0", f"/api/tables/{live.id}/picture.png?move=0"]
    keyed = [f"{path}{'&' if '?' in path else '?'}key={live.table.key}" for path in (*paths, *more)]
    return [Asked(path, by_ann) for path in (*paths, *more, *keyed) for by_ann in (False, True)]


async def answers(
    server: Server, http: ClientSession, wanted: list[Asked], ann: Guest
) -> dict[Asked, Answer]:
    found = {}
    for asked in wanted:
        async with http.get(asked.path, headers=ann.cookie if asked.by_ann else {}) as response:
            said = (await response.read()).replace(url_of(server).encode(), b"http://hall")
            found[asked] = response.status, response.content_type, said
    return found


async def every_answer(server: Server, http: ClientSession) -> list[tuple[str, str, int]]:
    """Of all addresses that are no table's, by every method that they have."""
    found = []
    for method, path in routes_of(server):
        if "{table}" in path or "{room}" in path:
            continue
        for name in ("{game}", "{what}", "{name:.*}", "{rest:.*}", "{path:(?!api/).*}"):
            path = path.replace(name, "tower")
        assert "{" not in path, f"what is to be asked at {path}?"
        async with http.request(method, path, json=None if method == "GET" else {}) as response:
            await response.read()
            found.append((method, path, response.status))
    return found


def test_over_http_every_table_is_the_same_in_whichever_wing_it_is(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    anns: list[Guest] = []
    expected: list[dict[Asked, Answer]] = []

    async def there(server: Server, http: ClientSession) -> None:
        ann = await guest(http)
        anns.append(ann)
        tables = all_kinds(server.hall, ann.person)
        expected.extend([await answers(server, http, asked_of(server, live), ann) for live in tables])

    async def here(server: Server, http: ClientSession) -> None:
        for wanted in expected:
            found = await answers(server, http, list(wanted), anns[0])
            for asked, said in wanted.items():
                assert found[asked] == said, asked
        assert not server.hall.live, "they were looked at, and no more"
        assert not server.hall.register.unfinished

    in_both(tmp_path, monkeypatch, there, here)
    statuses = {status for wanted in expected for status, _, _ in wanted.values()}
    assert statuses == {200, 403, 404}


def test_lists_and_exports_have_the_tables_of_all_wings(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    asked = ("/api/tables", "/api/tables?state=finished", "/api/me/tables", "/api/me/export")
    anns: list[Guest] = []
    expected: list[Any] = []
    rooms: list[Any] = []
    sits: list[str] = []

    async def lists(http: ClientSession) -> list[Any]:
        found = [await answer(await http.get(path, headers=anns[0].cookie), 200) for path in asked]
        found[-1] = found[-1]["games"]
        for table in found[0]:
            del table["changed"]  # a note may say more than was shown: it is made when it is stored
        return found

    async def where_ann_sits(http: ClientSession) -> list[str]:
        async with http.ws_connect("/hall", headers=anns[0].cookie) as socket:
            tables: list[str] = (await socket.receive_json())["tables"]
            return tables

    async def there(server: Server, http: ClientSession) -> None:
        anns.append(await guest(http))
        tables = all_kinds(server.hall, anns[0].person)
        await server.hall.durable()
        expected.extend(await lists(http))
        assert len(expected[-1]) == sum(live.table.phase != "setup" for live in tables), "where Ann sits"
        rooms.extend(await answer(await http.get("/serverlist"), 200))
        sits.extend(await where_ann_sits(http))
        assert sits == sorted(live.id for live in tables if live.table.phase == "playing")

    async def here(server: Server, http: ClientSession) -> None:
        assert await lists(http) == expected
        # Of a game that is over it is known in its own wing whether somebody is still there.
        assert await answer(await http.get("/serverlist"), 200) == [
            room for room in rooms if room["phase"] != "over"
        ]
        assert len(rooms) >= 2
        assert await where_ann_sits(http) == sits

    in_both(tmp_path, monkeypatch, there, here)


def test_whatever_is_asked_of_the_main_wing_it_answers(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    async def there(server: Server, http: ClientSession) -> None:
        all_kinds(server.hall, (await guest(http)).person)

    async def here(server: Server, http: ClientSession) -> None:
        found = await every_answer(server, http)
        assert len(found) > 20
        assert [(method, path, status) for method, path, status in found if status >= 500] == []

    in_both(tmp_path, monkeypatch, there, here)


def test_a_game_that_is_brought_over_http_goes_on_in_the_main_wing(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    async def nothing(server: Server, http: ClientSession) -> None:
        """There is no table anywhere."""

    async def here(server: Server, http: ClientSession) -> None:
        ann = await guest(http)
        for _ in range(4):
            async with http.post(
                "/api/topple/tables", data=write(SUSPENDED), headers={**BYTES, **ann.cookie}
            ) as response:
                table = TableId((await answer(response, 201))["table"])
            live = server.hall.in_memory(table)
            assert live is not None
            assert server.hall.wings.has(table)
            assert server.hall.wings.has_name("topple", str(live.table.room))

    in_both(tmp_path, monkeypatch, nothing, here)
