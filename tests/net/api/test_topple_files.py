"""Games of Topple as files over HTTP, on the real server."""

import asyncio
from base64 import b64decode, b64encode
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from msgspec.structs import replace
from tests.games.support import topple_tables
from tests.hall.support.waiting_names import WaitingNames
from tests.net.support.clients import Callers, WebClient, call, calling
from tests.net.support.inside import running, url_of
from tests.net.support.process import ServerProcess

from gamut.games.topple.files.playback import final
from gamut.games.topple.files.reader import read
from gamut.games.topple.files.record import Moved, Person
from gamut.games.topple.files.suspended import LONGEST_SUSPENDED, suspended
from gamut.games.topple.files.writer import write
from gamut.games.topple.rules import Topple
from gamut.hall.names.room_names import HeldNames
from gamut.net.api.accounts import COOKIE
from gamut.net.api.files import PER_PERSON

SHORT_GAME = (0, 3, 0, 3)
"""On four tiles: the second player topples a corner, and everything is theirs."""
BYTES = {"Content-Type": "application/octet-stream"}
FILES, TABLES = "/api/topple/files", "/api/topple/tables"
BOARD = {"x": 3, "y": 3}
SUSPENDED = replace(
    topple_tables.SUSPENDED, x=3, y=3, size=0, people=(Person("Mallory"),) * 2, events=(Moved(1, 4),)
)


@pytest.fixture(scope="module", name="server")
def _server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[ServerProcess]:
    with ServerProcess(tmp_path_factory.mktemp("files") / "data", message_rate=0, bot_delay=0) as running:
        yield running


def cookie(client: WebClient) -> dict[str, str]:
    return {"Cookie": f"{COOKIE}={client.token}"}


async def got(callers: Callers, path: str, status: int = 200, who: WebClient | None = None) -> bytes:
    async with callers.http.get(path, headers={} if who is None else cookie(who)) as response:
        assert response.status == status, await response.text()
        return await response.read()


async def sent(callers: Callers, path: str, file: bytes, who: WebClient, status: int = 200) -> Any:
    async with callers.http.post(path, data=file, headers={**BYTES, **cookie(who)}) as response:
        assert response.status == status, await response.text()
        return await response.json()


async def two(callers: Callers, names: str, *tiles: int, **fields: Any) -> tuple[str, str, list[WebClient]]:
    """A table at which two people have played this; its key, and the two."""
    people = [await callers.web(name) for name in names.split()]
    settings = {"options": {"x": 2, "y": 2}, "seats": 2, **fields}
    opened = await people[0].sure("open", game="topple", **settings)
    await people[1].sure("sit", table=opened["table"], key=opened["key"])
    for number, tile in enumerate(tiles):
        action = {"type": "place", "tile": tile}
        await people[number % 2].sure("act", table=opened["table"], action=action)
    return opened["table"], opened["key"], people


def test_every_finished_game_can_be_had_as_a_file_and_looked_at(server: ServerProcess) -> None:
    async def story(callers: Callers) -> None:
        table, _, (ann, _) = await two(callers, "Ann Ben", *SHORT_GAME)
        file = await got(callers, f"/api/tables/{table}/replay.topl")
        state = final(read(file))
        assert state.winner == 2
        async with callers.http.get(f"/api/tables/{table}/replay.topl") as response:
            assert response.headers["Content-Disposition"] == f'attachment; filename="{table}.topl"'
        found = await sent(callers, FILES, file, ann)
        assert found["suspended"] is False
        told = found["told"]
        assert told["outcome"]["winners"] == [1]
        assert told["seq"] == len(told["events"])
        log = (await callers.json(f"/api/tables/{table}/log"))["events"]
        played = [event["events"] for event in log if event["type"] == "played"]
        assert [event["events"] for event in told["events"] if event["type"] == "played"] == played

    call(server.url, story)


def test_a_private_game_s_file_is_for_those_who_may_see_the_game(server: ServerProcess) -> None:
    async def story(callers: Callers) -> None:
        table, key, (ann, _) = await two(callers, "Ada Bob", *SHORT_GAME, private=True)
        path, stranger = f"/api/tables/{table}/replay.topl", await callers.web("Eve")
        await got(callers, path, 404)
        await got(callers, path, 404, stranger)
        await got(callers, f"{path}?key=guess", 404)
        assert await got(callers, path, who=ann) == await got(callers, f"{path}?key={key}")

    call(server.url, story)


def test_there_is_no_file_before_the_end_nor_of_other_games(server: ServerProcess) -> None:
    async def story(callers: Callers) -> None:
        table, _, (ann, _) = await two(callers, "Abe Bea", 0)
        await got(callers, f"/api/tables/{table}/replay.topl", 404)
        await got(callers, f"/api/tables/{table}/suspended.stpl", 404)
        await got(callers, "/api/tables/nowhere/replay.topl", 404)
        tower = (await ann.sure("open", game="tower"))["table"]
        await got(callers, f"/api/tables/{tower}/replay.topl", 404)
        await got(callers, f"/api/tables/{tower}/suspended.stpl", 404)

    call(server.url, story)


def test_a_table_without_watchers_keeps_its_log_to_itself_until_the_end(server: ServerProcess) -> None:
    async def story(callers: Callers) -> None:
        table, _, (ann, ben) = await two(callers, "Alf Bo", *SHORT_GAME[:3], watchable=False)
        await got(callers, f"/api/tables/{table}/log", 403)
        await got(callers, f"/api/tables/{table}/log", who=ann)
        await ben.sure("act", table=table, action={"type": "place", "tile": 3})
        await got(callers, f"/api/tables/{table}/log")

    call(server.url, story)


def test_an_exported_game_goes_on_at_a_new_table_also_after_a_restart(server: ServerProcess) -> None:
    files: list[bytes] = []
    colours = [0x111111 * number for number in range(7)]

    async def before(callers: Callers) -> None:
        table, _, (ann, ben) = await two(
            callers,
            "Amy Bill",
            options={"x": 3, "y": 3, "scoring": "tile"},
            seats=3,
            start="host",
            clock={"kind": "bank", "main": 60_000},
        )
        await ann.sure("bot", table=table, level="casual", seat=2)
        await ann.sure("decorate", table=table, decor={"colours": colours})
        await ann.sure("start", table=table)
        await ann.sure("act", table=table, action={"type": "place", "tile": 4})
        assert await ben.refused("export", table=table) == "not_host"
        await ann.sure("export", table=table)
        files.append(await got(callers, f"/api/tables/{table}/suspended.stpl"))
        files.append(await got(callers, f"/api/tables/{table}/suspended.stpl"))
        await got(callers, f"/api/tables/{table}/replay.topl", 404)

    async def after(callers: Callers) -> None:
        cay, dan = await callers.web("Cay"), await callers.web("Dan")
        found = await sent(callers, FILES, files[0], cay)
        assert found["suspended"] is True
        assert found["told"]["events"][-1]["why"] == "exported"
        sat = [event for event in found["told"]["events"] if event["type"] in ("sat", "bot_sat")]
        names = [event.get("name") or event["sitter"]["name"] for event in sat]
        bots = {name for level in Topple().traits.levels for name in level.names}
        assert names[:2] == ["Amy", "Bill"]
        assert names[2] in bots, "whatever bots are called elsewhere, this is its name at the table"
        opened = await sent(callers, TABLES, files[0], cay, 201)
        table, key = opened["table"], opened["key"]
        assert table not in {each["id"] for each in await callers.json("/api/tables")}, "it is private"
        await cay.send({"type": "watch", "table": table})
        picture = await cay.until("table")
        assert picture["host"] == cay.person
        assert picture["phase"] == "setup"
        assert [seat and seat["kind"] for seat in picture["seats"]] == [None, None, "bot"]
        assert picture["decor"]["colours"] == colours
        assert picture["decor"]["position"]["turn"] == 1
        assert picture["times"]["times"][0]["main"] <= 60_000
        await cay.sure("sit", table=table, seat=1)
        await dan.sure("sit", table=table, key=key)
        await cay.sure("start", table=table)
        await cay.send({"type": "watch", "table": table})
        assert (await cay.until("table", phase="playing"))["awaited"] == [1], "the one whose turn it was"
        await cay.sure("act", table=table, action={"type": "place", "tile": 0})

    call(server.url, before)
    assert files[0] == files[1]
    assert suspended(files[0]).state.turn == 1
    server.stop()
    server.start()
    call(server.url, after)


def test_whoever_is_out_of_a_suspended_game_stays_out(server: ServerProcess) -> None:
    async def story(callers: Callers) -> None:
        table, key, (ann, ben) = await two(
            callers, "Ava Bob2", options={"x": 3, "y": 3}, seats=4, start="host"
        )
        cyd = await callers.web("Cyd")
        await cyd.sure("sit", table=table, key=key)
        await ann.sure("start", table=table)
        await ben.sure("leave", table=table)
        await ann.sure("export", table=table)
        file = await got(callers, f"/api/tables/{table}/suspended.stpl")
        again = await sent(callers, TABLES, file, ann, 201)
        assert await ann.refused("sit", table=again["table"], seat=1, key=again["key"]) == "taken"
        await ann.sure("sit", table=again["table"], key=again["key"])
        await cyd.sure("sit", table=again["table"], key=again["key"])
        await cyd.send({"type": "watch", "table": again["table"]})
        assert (await cyd.until("table"))["you"] == 2
        assert await ben.refused("sit", table=again["table"], key=again["key"]) == "full"

    call(server.url, story)


def test_files_that_are_none_are_refused_in_a_sentence_and_nothing_is_opened(server: ServerProcess) -> None:
    async def story(callers: Callers) -> None:
        table, _, (ann, _) = await two(callers, "Ali Bud", *SHORT_GAME)
        replay = await got(callers, f"/api/tables/{table}/replay.topl")
        before = await callers.metric("gamut_tables")
        cases = [
            (FILES, b"", 422, "damaged"),
            (FILES, b"What is this?", 422, "version"),
            (FILES, replay[:-1], 422, "damaged"),
            (FILES, bytes(1 << 19), 413, "too_large"),
            (TABLES, b"", 422, "damaged"),
            (TABLES, replay, 422, "not_suspended"),
            (TABLES, bytes(LONGEST_SUSPENDED + 1), 413, "too_large"),
        ]
        for path, file, status, code in cases:
            error = (await sent(callers, path, file, ann, status))["error"]
            assert error["code"] == code
            assert error["message"].endswith(".")
        assert await callers.metric("gamut_tables") == before

    call(server.url, story)


def test_only_somebody_who_is_known_sends_files_and_not_without_end(server: ServerProcess) -> None:
    async def story(callers: Callers) -> None:
        for path in (FILES, TABLES):
            async with callers.http.post(path, data=b"x", headers=BYTES) as response:
                assert response.status == 401
        ann = await callers.web("Una")
        for kind in ("text/plain", "application/x-www-form-urlencoded", "multipart/form-data"):
            headers = {**cookie(ann), "Content-Type": kind}
            async with callers.http.post(FILES, data=b"x", headers=headers) as response:
                assert response.status == 415
        answers: list[int] = []
        # Some more may be sent while this goes on.
        while 429 not in answers and len(answers) < 3_000:
            async with callers.http.post(FILES, data=b"x", headers={**BYTES, **cookie(ann)}) as response:
                answers.append(response.status)
                waiting = response.headers.get("Retry-After")
        assert answers[: PER_PERSON.tries] == [422] * PER_PERSON.tries
        assert waiting is not None
        assert int(waiting) >= 1

    call(server.url, story)


def test_a_table_that_goes_on_from_a_file_keeps_no_name_of_it(server: ServerProcess) -> None:
    file = write(SUSPENDED)
    assert b"Mallory" in file

    async def story(callers: Callers) -> None:
        ann = await callers.web("Ines")
        opened = await sent(callers, TABLES, file, ann, 201)
        asked = await ann.sure(
            "open", game="topple", seats=2, options={**BOARD, "resume": b64encode(file).decode()}
        )
        for table in (opened["table"], asked["table"]):
            log = await callers.json(f"/api/tables/{table}/log", headers=cookie(ann))
            options = log["events"][0]["options"]
            assert b"Mallory" not in b64decode(options["resume"])
            assert options["position"]["turn"] == 1
            assert log["table"]["options"]["resume"] is True
        ben = await callers.web("Ivo")
        await ben.sure("sit", table=asked["table"], key=asked["key"])
        await ann.sure("export", table=asked["table"])
        path = f"/api/tables/{asked['table']}/suspended.stpl"
        people = read(await got(callers, path)).people
        named = (Person(called="Ines"), Person(called="Ivo"))
        assert people == named, "guests have no account in a file, only the name they had at the table"

    call(server.url, story)


def test_room_codes_are_not_found_by_trying(tmp_path: Path) -> None:
    def at(address: str) -> dict[str, str]:
        return {"X-Forwarded-For": address}

    async def story(callers: Callers) -> None:
        async def status(path: str, address: str) -> tuple[int, str]:
            async with callers.http.get(path, headers=at(address)) as response:
                return response.status, await response.text()

        ann = await callers.web("Ida")
        opened = await sent(callers, TABLES, write(SUSPENDED), ann, 201)
        log = await callers.json(f"/api/tables/{opened['table']}/log", headers=cookie(ann))
        room = log["table"]["room"]
        none = await status("/replays/NOSUCHRM.topl", "192.0.2.1")
        assert none[0] == 404
        assert await status(f"/replays/{room}.topl", "192.0.2.1") == none, (
            "a private room is told from none by nothing"
        )
        assert await status("/d/isres?id=" + "x" * 2_000, "192.0.2.1") == none
        for _ in range(200):
            assert await status(f"/d/isres?id={room}", "192.0.2.2") == (200, "1")
        for path in ("/d/isres?id=NOSUCHRM", "/replays/NOSUCHRM.topl"):
            answers: list[int] = []
            # Some more may be asked for while this goes on.
            while 429 not in answers and len(answers) < 3_000:
                # One household, however many addresses it has.
                address = f"2001:db8::{len(answers) + 1:x}"
                async with callers.http.get(path, headers=at(address)) as response:
                    answers.append(response.status)
                    waiting = response.headers.get("Retry-After")
            assert set(answers) == {404, 429} or answers == [429]
            assert waiting is not None
            assert int(waiting) >= 1
        assert await status(f"/d/isres?id={room}", "192.0.2.2") == (200, "1")

    with ServerProcess(tmp_path / "data", trusted_proxies="127.0.0.1") as running:
        call(running.url, story)


def test_in_a_hall_of_several_servers_a_suspended_game_goes_on_when_its_room_has_a_code(
    tmp_path: Path,
) -> None:
    async def run() -> None:
        names = WaitingNames()
        async with running(tmp_path, message_rate=0) as server, calling(url_of(server)) as callers:
            register = server.hall.register
            register.names = HeldNames(names, register.rooms)
            ann = await callers.web("Ida")
            sending = asyncio.ensure_future(sent(callers, TABLES, write(SUSPENDED), ann, 201))
            taken = await names.until_asked()
            names.elsewhere.add(taken)
            names.let_go()
            asked = await names.until_asked()
            assert asked != taken
            assert not register.unfinished
            names.let_go()
            opened = await sending
            assert register.rooms == {asked: opened["table"]}
            assert names.ours == {asked}
            # Somebody who is not let in after all leaves no name behind.
            full = asyncio.ensure_future(sent(callers, TABLES, write(SUSPENDED), ann, 503))
            await names.until_asked()
            server.hall.settings = replace(server.hall.settings, most_tables=1)
            names.let_go()
            assert (await full)["error"]["code"] == "hall_full"
            assert names.ours == {asked}

    asyncio.run(run())
