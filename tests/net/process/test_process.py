"""What the server promises to whoever runs it, kept by the real process."""

import asyncio
import re
import resource
import signal
import socket
import sqlite3
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import msgspec
import pytest
from aiohttp import ClientError, WSServerHandshakeError
from tests.net.support.clients import Callers, call, calling
from tests.net.support.process import PATIENCE, Run, ServerProcess, refused_start, start

from gamut.cli import BadSetting, read_settings
from gamut.net.port.open_files import OpenFiles

PASSWORD = "correct horse battery"
DAY = 86_400


# Starting


def test_it_says_in_one_line_where_it_is(tmp_path: Path) -> None:
    with ServerProcess(tmp_path / "data", tower=True) as server:
        assert server.line == (
            f"Gamut is open at http://127.0.0.1:{server.port}, "
            f"Tower clients: ws://127.0.0.1:{server.tower_port}\n"
        )
        process = server.process
        assert server.stop() == 0
        assert process.stdout is not None
        assert process.stdout.closed


def test_it_raises_its_limit_of_open_files(tmp_path: Path) -> None:
    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    server = ServerProcess(tmp_path / "data", connections=600, visitors=100)
    resource.setrlimit(resource.RLIMIT_NOFILE, (512, hard))
    try:
        server.start()
        limits = Path(f"/proc/{server.process.pid}/limits").read_text()
    finally:
        resource.setrlimit(resource.RLIMIT_NOFILE, (soft, hard))
        server.kill()
    assert re.search(r"Max open files +1200 ", limits)


@pytest.mark.parametrize("open_files", [200, OpenFiles(bots=1, engines=0).fewest])
def test_with_few_open_files_there_are_fewer_listeners_and_everything_works(
    tmp_path: Path, open_files: int
) -> None:
    async def story(callers: Callers) -> None:
        anna = await callers.web("Anna")
        table = (await anna.sure("open", game="tower", bots=["casual", "casual"]))["table"]
        await anna.sure("act", table=table, action={"type": "place", "tile": 0})
        played = 0
        while played < 2:
            message = await anna.until("events", table=table)
            played += sum(event["type"] == "played" and event["seat"] > 0 for event in message["events"])
        tower = await callers.tower()
        await tower.join("attic", "Ben")
        assert (await tower.receive())["type"] == "room_joined"
        # More than there is room for: they are turned away, and those who are in stay.
        with pytest.raises((WSServerHandshakeError, ClientError)):
            for _ in range(open_files):
                await callers.web()
        await anna.sure("ping")
        assert (await callers.json("/api/tables", status=None)) is not None

    with ServerProcess(
        tmp_path / "data", tower=True, tafl=True, open_files=open_files, bot_delay=0
    ) as server:
        call(server.url, story)
        assert server.stop() == 0
    assert {line["level"] for line in server.log()} <= {"info", "warning"}


def test_too_few_open_files_are_told_in_one_line(tmp_path: Path) -> None:
    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    fewest = OpenFiles(bots=1, engines=0).fewest
    for limit in (fewest - 1, 40, 20):
        assert refused_start(tmp_path / "data", open_files=limit) == (
            1,
            f"gamut: The limit of open files is {limit}, and a server needs {fewest} at the least, better 22500: "
            "raise it (ulimit -n).\n",
        )
    assert not (tmp_path / "data").exists()
    assert resource.getrlimit(resource.RLIMIT_NOFILE) == (soft, hard)


def test_help_names_every_setting_with_its_default_and_variable() -> None:
    code, said, _ = Run("serve", "--help").ended()
    assert code == 0
    text = " ".join(said.split())
    for flag, default, variable in (
        ("--port", "8080", "GAMUT_PORT"),
        ("--data", "gamut-data", "GAMUT_DATA"),
        ("--tower-port", "46467", "GAMUT_TOWER_PORT"),
        ("--message-rate", "50", "GAMUT_MESSAGE_RATE"),
        ("--trusted-proxies", "", "GAMUT_TRUSTED_PROXIES"),
    ):
        assert re.search(rf"{flag} \w+ [^()]+\(default {default}; {variable}\)", text), flag
    assert "serve" in Run("--help").ended()[1]


BAD_VALUES = [
    ("port", "99999"),
    ("port", "-1"),
    ("port", "eighty"),
    ("port", ""),
    ("tower_port", "1.5"),
    ("log_level", "loud"),
    ("metrics_open", "maybe"),
    ("metrics_token", "short"),
    ("connections", "0"),
    ("message_bytes", "17"),
    ("heartbeat", "0"),
    ("heartbeat", "nan"),
    ("greeting_seconds", "inf"),
    ("bot_delay", "1e308"),
    ("bot_workers", "1000"),
    ("engines", "/no/such/file.toml"),
    ("trusted_proxies", "10.0.0.0/8,my-proxy"),
    ("trusted_proxies", "10.0.0.1/8"),
]


@pytest.mark.parametrize(("name", "value"), BAD_VALUES)
def test_a_bad_value_is_refused_with_where_it_came_from(name: str, value: str) -> None:
    flag, variable = f"--{name.replace('_', '-')}", f"GAMUT_{name.upper()}"
    for source, flags, variables in ((flag, {name: value}, {}), (variable, {}, {variable: value})):
        with pytest.raises(BadSetting) as refused:
            read_settings(flags, variables)
        said = str(refused.value)
        # Logs are read by more people than a token is for.
        shown = "that" if name == "metrics_token" else repr(value)
        assert said.startswith(f"{source}: {shown} will not do: ")
        assert said.endswith(".")
        assert "\n" not in said


def test_a_flag_wins_over_a_variable_and_a_variable_over_the_default() -> None:
    assert read_settings({"port": "1"}, {"GAMUT_PORT": "2"}).port == 1
    assert read_settings({"port": None}, {"GAMUT_PORT": "2"}).port == 2
    assert read_settings({}, {}).port == 8080
    assert read_settings({}, {"GAMUT_METRICS_OPEN": "true"}).metrics_open


def test_a_bad_value_is_told_in_one_line(tmp_path: Path) -> None:
    for source, (code, said) in (
        ("--heartbeat", refused_start(tmp_path, "--heartbeat=soon")),
        ("GAMUT_TRUSTED_PROXIES", refused_start(tmp_path, trusted_proxies="soon")),
    ):
        assert code == 1
        assert said.startswith(f"gamut: {source}: 'soon' will not do: ")
        assert said.count("\n") == 1


def test_an_unknown_flag_is_told(tmp_path: Path) -> None:
    code, said = refused_start(tmp_path, "--prot=80")
    assert code == 2
    assert said.endswith("unrecognized arguments: --prot=80\n")


def test_a_port_in_use_is_told_in_one_line(tmp_path: Path) -> None:
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))
        taken.listen()
        port = str(taken.getsockname()[1])
        for flags in (["--port", port], ["--tower-port", port]):
            code, said = refused_start(tmp_path, *flags)
            assert (code, said) == (1, f"gamut: Cannot listen on 127.0.0.1 port {port}: it is in use.\n")
    hosts = ("256.1.1.1", "h" * 70, "no such.host", "..", "192.0.2.1")
    # All at once, because a name that nobody knows is looked up for a while.
    starting = [start(tmp_path / str(number), "--host", host) for number, host in enumerate(hosts)]
    for host, started in zip(hosts, starting, strict=True):
        code, said = started.refused()
        assert code == 1
        assert said.startswith(f"gamut: Cannot listen on {host} port 0: ")
        assert said.count("\n") == 1


def test_a_data_folder_that_cannot_be_used_is_told_in_one_line(tmp_path: Path) -> None:
    file = tmp_path / "file"
    file.write_text("I was here first")
    garbled = tmp_path / "garbled"
    garbled.mkdir()
    (garbled / "gamut.db").write_text("this is no database, whatever its name says " * 100)
    for folder in (file, file / "below", Path("/proc/gamut"), garbled):
        code, said = refused_start(folder)
        assert code == 1
        assert said.startswith("gamut: The data")
        assert str(folder) in said
        assert said.count("\n") == 1
    assert file.read_text() == "I was here first"


def test_a_folder_may_have_any_name(tmp_path: Path) -> None:
    odd = tmp_path / "what? 100% #1 & so"
    with ServerProcess(odd) as server:
        assert server.stop() == 0
    assert (odd / "gamut.db").exists()


def test_data_of_a_newer_version_is_left_alone(tmp_path: Path) -> None:
    data = tmp_path / "data"
    with ServerProcess(data) as server:
        assert server.stop() == 0
    with sqlite3.connect(data / "gamut.db") as database:
        database.execute("UPDATE meta SET value = '999' WHERE key = 'schema_version'")
    database.close()
    code, said = refused_start(data)
    assert code == 1
    assert re.fullmatch(
        r"gamut: The data was written by a newer Gamut \(schema 999; .+\): update Gamut, .+\.\n", said
    )


def test_two_servers_do_not_share_a_data_folder(tmp_path: Path) -> None:
    data = tmp_path / "data"
    with ServerProcess(data) as server:
        assert refused_start(data) == (1, f"gamut: Another Gamut is using the data folder {data}.\n")
        server.kill()
        # The lock went with the process that held it.
        server.start()
        assert server.stop() == 0


# Stopping


@pytest.mark.parametrize("number", [signal.SIGTERM, signal.SIGINT])
def test_on_stopping_everybody_is_told_and_nothing_accepted_is_lost(
    tmp_path: Path, number: signal.Signals
) -> None:
    async def story(callers: Callers) -> tuple[str, list[Any]]:
        web = [await callers.web(f"guest {i}") for i in range(100)]
        tower = [await callers.tower() for _ in range(100)]
        for i, player in enumerate(tower):
            await player.join(f"room {i // 3}", f"player {i}")
            await player.until("player_joined")
        # Some who will neither read nor answer when the server says goodbye.
        deaf = [await callers.web() for _ in range(5)]
        for client in deaf:
            client.stop_reading()
        host = web[0]
        opened = await host.sure("open", game="tower")
        table = opened["table"]
        # Said, but not waited for: whatever the server has accepted must be there later.
        for i in range(20):
            await host.send({"type": "say", "table": table, "text": f"number {i}"})
        await host.sure("ping")
        server.signal(number)
        heard: list[Any] = []
        assert await host.hung_up(heard) == 1001
        assert heard[-1] == {"type": "bye", "why": "restart"}
        for client in web[1:]:
            await client.until("bye")
            assert await client.hung_up() == 1001
        for player in tower:
            assert await player.hung_up() == 1001
        # The deaf are still connected: nobody waits for those who do not read.
        assert await asyncio.to_thread(server.wait) == 0
        return table, heard

    async def run() -> None:
        async with calling(server.url) as callers:
            table, heard = await story(callers)
        server.kill()
        server.start()
        async with calling(server.url) as callers:
            log = await callers.json(f"/api/tables/{table}/log")
            said = [event["text"] for event in log["events"] if event["type"] == "said"]
            assert said == [f"number {i}" for i in range(20)]
            told = [event for message in heard if message["type"] == "events" for event in message["events"]]
            assert all(event in log["events"] for event in told)
        assert server.stop() == 0

    # Without pings, so that the deaf are not let go before the server stops, nor while it waits.
    with ServerProcess(tmp_path / "data", tower=True, message_rate=0, heartbeat=DAY) as server:
        asyncio.run(run())


def test_a_killed_server_leaves_no_bots_behind(tmp_path: Path) -> None:
    with ServerProcess(tmp_path / "data", bot_delay=0) as server:

        async def story(callers: Callers) -> None:
            anna = await callers.web("Anna")
            await anna.sure("open", game="tower", bots=["casual", "casual"])
            table = (await anna.sure("open", game="tower", bots=["casual", "casual"]))["table"]
            await anna.sure("act", table=table, action={"type": "place", "tile": 0})
            bots = 0
            while bots < 2:
                message = await anna.until("events", table=table)
                bots += sum(event["type"] == "played" and event["seat"] > 0 for event in message["events"])
            with_database = [_has_the_database(process) for process in _group(server.process.pid)]
            assert with_database.count(True) == 1 < len(with_database), "bots have only what they need"
            server.process.kill()
            server.process.wait()
            async with asyncio.timeout(PATIENCE):
                while _group(server.process.pid):  # noqa: ASYNC110 - they notice it by themselves
                    await asyncio.sleep(0.05)

        call(server.url, story)


def _has_the_database(process: str) -> bool:
    return "sqlite3" in Path(f"/proc/{process}/maps").read_text()


def _group(number: int) -> list[str]:
    found = []
    for folder in Path("/proc").iterdir():
        if not folder.name.isdigit():
            continue
        try:
            fields = (folder / "stat").read_text().rpartition(")")[2].split()
        except OSError:
            continue
        if int(fields[2]) == number and fields[0] != "Z":
            found.append(folder.name)
    return found


# Looking after it


def test_health_and_metrics(tmp_path: Path) -> None:
    async def story(callers: Callers) -> None:
        anna = await callers.web("Anna")
        tower = await callers.tower()
        table = (await anna.sure("open", game="tower", bots=["casual"]))["table"]
        assert await anna.refused("act", table=table, action={"type": "place", "tile": 0}) == "not_started"
        assert await callers.json("/healthz") == {"status": "ok"}
        async with callers.http.get("/metrics") as response:
            assert response.headers["Content-Type"].startswith("text/plain; version=0.0.4")
            text = await response.text()
        for sample in (
            'gamut_tables{game="tower",phase="setup"} 1.0',
            "gamut_tables_in_memory 1.0",
            "gamut_people_connected 2.0",
            'gamut_connections{door="tower"} 1.0',
            'gamut_connections{door="web"} 1.0',
            "gamut_journal_depth 0.0",
            "gamut_bots_thinking 0.0",
            'gamut_refusals_total{reason="not_started"} 1.0',
        ):
            assert f"\n{sample}\n" in text, sample
        for family in (
            "gamut_commit_seconds_bucket",
            "gamut_commit_events_sum",
            "gamut_events_total",
            "gamut_commits_total",
            "gamut_limit_hits_total",
            "process_resident_memory_bytes",
            "process_cpu_seconds_total",
            "process_open_fds",
        ):
            assert f"\n{family}" in text, family
        await tower.close()

    with ServerProcess(tmp_path / "data") as server:
        call(server.url, story)


@pytest.fixture(scope="module", name="server")
def _server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[ServerProcess]:
    """For those who only look."""
    folder = tmp_path_factory.mktemp("server")
    with ServerProcess(folder / "data", tower=True, allowed_origins="https://club.example") as running:
        yield running


def test_every_answer_carries_the_headers_that_protect_it(server: ServerProcess) -> None:
    async def story(callers: Callers) -> None:
        paths = (
            "/",
            "/api/tables",
            "/api/games",
            "/api/me",
            "/healthz",
            "/metrics",
            "/nowhere",
            "/hall",
            "/tower",
        )
        for path in [*paths, f"http://127.0.0.1:{server.tower_port}/"]:
            async with callers.http.get(path) as response:
                headers = response.headers
                assert headers["X-Content-Type-Options"] == "nosniff", path
                assert headers["X-Frame-Options"] == "DENY"
                assert headers["Referrer-Policy"] == "same-origin"
                assert "frame-ancestors 'none'" in headers["Content-Security-Policy"]
                assert "script-src 'self';" in headers["Content-Security-Policy"]
                assert "unsafe" not in headers["Content-Security-Policy"]
                assert headers["Cross-Origin-Opener-Policy"] == "same-origin"
                if path.startswith("/api/"):
                    assert headers["Cache-Control"] == "no-store"
                if path in ("/hall", "/tower") or path.startswith("http"):
                    assert response.status == 426

    call(server.url, story)


def test_foreign_pages_come_in_at_tower_but_never_as_somebody(server: ServerProcess) -> None:
    async def story(callers: Callers) -> None:
        async with callers.http.post("/api/guest", json={"name": "Anna"}) as response:
            anna = (await response.json())["person"]
        own = await callers.web(headers={"Origin": server.url})
        assert (await own.receive())["person"] == anna["id"], "the cookie is enough on our own page"
        for origin in ("https://evil.example", "null", f"{server.url}.evil.example"):
            with pytest.raises(WSServerHandshakeError) as refused:
                await callers.web(headers={"Origin": origin})
            assert refused.value.status == 403
            tower = await callers.tower(headers={"Origin": origin})
            room = f"attic of {origin}"
            await tower.join(room, "Stranger")
            assert (await tower.receive())["type"] == "room_joined"
            (table,) = [table for table in await callers.json("/api/tables") if table.get("room") == room]
            assert table["host"] != anna["id"]
            assert table["seats"][0]["person"] != anna["id"]
            await tower.close()
        assert await callers.metric('gamut_limit_hits_total{limit="foreign_origin"}') == 3

    call(server.url, story)


def test_an_allowed_origin_may_come_in(server: ServerProcess) -> None:
    async def story(callers: Callers) -> None:
        client = await callers.web("Adam", headers={"Origin": "https://club.example"})
        await client.sure("ping")

    call(server.url, story)


def test_logging_out_everywhere_closes_every_connection_of_that_person(server: ServerProcess) -> None:
    async def story(callers: Callers) -> None:
        account = {"name": "Carla", "password": PASSWORD}
        async with callers.http.post("/api/register", json=account) as response:
            assert response.status == 201
        first, second = await callers.web(), await callers.web()
        for connection in (first, second):
            await connection.until("welcome")
        async with calling(server.url) as elsewhere:
            other = await elsewhere.web("Berta")
            async with callers.http.post("/api/logout-everywhere", json={}) as response:
                assert response.status == 200
            for connection in (first, second):
                assert (await connection.until("error"))["code"] == "logged_out"
                assert await connection.hung_up() == 4001
            await other.sure("ping")

    call(server.url, story)


def test_the_log_is_json_lines_without_secrets(tmp_path: Path) -> None:
    secrets: list[str] = [PASSWORD]

    async def story(callers: Callers) -> None:
        account = {"name": "Anna", "password": PASSWORD}
        async with callers.http.post("/api/register", json=account) as response:
            secrets.append(response.cookies["gamut_session"].value)
        async with callers.http.post(
            "/api/login", json={"name": "Anna", "password": "wrong " + PASSWORD}
        ) as response:
            assert response.status == 401
        anna = await callers.web()
        opened = await anna.sure("open", game="tower", private=True, bots=["casual", "casual"])
        secrets.append(opened["key"])
        async with calling(server.url) as elsewhere:
            berta = await elsewhere.web("Berta")
            secrets.append(berta.token)
            await berta.socket.send_str('{"type": "hello", "token": "' + berta.token)
            await berta.socket.send_bytes(berta.token.encode())
            await berta.hung_up()
            with pytest.raises(WSServerHandshakeError):
                await elsewhere.web(headers={"Origin": "https://evil.example"})
            again = await elsewhere.web()
            await again.again(berta.token)
            await again.refused("watch", table=opened["table"], key=opened["key"] + "x")
            await elsewhere.json(f"/api/tables/{opened['table']}?key={opened['key']}")
            await elsewhere.json("/api/tables/nowhere", 404)
        assert server.stop() == 0

    with ServerProcess(tmp_path / "data", log_level="debug") as server:
        call(server.url, story)
        for line in server.log():
            assert {"at", "level", "from", "event"} <= line.keys()
    logged = (tmp_path / "data.log").read_text()
    for secret in secrets:
        assert secret not in logged


def test_a_failing_disk_stops_the_server_before_anybody_is_told(tmp_path: Path) -> None:
    """Another program holds the database: nothing can be stored, so nothing is promised."""
    data = tmp_path / "data"

    async def story(callers: Callers) -> None:
        anna = await callers.web("Anna")
        table = (await anna.sure("open", game="tower"))["table"]
        with sqlite3.connect(data / "gamut.db") as database:
            database.execute("DROP TABLE events")
        database.close()
        await anna.send({"type": "say", "table": table, "text": "hello?"})
        heard: list[Any] = []
        await anna.hung_up(heard)
        assert not any(event["type"] == "said" for message in heard for event in message.get("events", ()))
        assert await asyncio.to_thread(server.wait) == 1

    with ServerProcess(data) as server:
        call(server.url, story)
    *logged, last = (tmp_path / "data.log").read_text().splitlines()
    assert last.startswith("gamut: The ledger could not be written, so the server stopped: ")
    assert any(msgspec.json.decode(line)["event"] == "the ledger failed" for line in logged)


@pytest.mark.parametrize("waits", ["a line", "a newcomer"])
def test_a_server_whose_disk_does_not_answer_ends_with_one_line(tmp_path: Path, waits: str) -> None:
    data = tmp_path / "data"

    async def story(callers: Callers) -> None:
        anna = await callers.web("Anna")
        table = (await anna.sure("open", game="tower", bots=["casual", "casual"]))["table"]
        await anna.sure("act", table=table, action={"type": "place", "tile": 0})
        played = 0
        while played < 2:  # from here on there are processes for bots
            message = await anna.until("events", table=table)
            played += sum(event["type"] == "played" and event["seat"] > 0 for event in message["events"])
        with sqlite3.connect(data / "gamut.db", isolation_level=None) as database:
            database.execute("BEGIN EXCLUSIVE")
            if waits == "a line":
                await anna.send({"type": "say", "table": table, "text": "hello?"})
                async with asyncio.timeout(PATIENCE):
                    while (await callers.json("/healthz", status=None))["status"] != "stuck":  # noqa: ASYNC110
                        await asyncio.sleep(0.05)
            else:
                newcomer = await callers.web()
                await newcomer.send({"type": "hello", "name": "Ben"})
                await newcomer.send({"type": "ping"})
                await anna.sure("ping")
            server.signal(signal.SIGTERM)
            # Its last line tells that it did not wait until the database gave up: that would be a failing disk.
            assert await asyncio.to_thread(server.wait) == 1
            async with asyncio.timeout(PATIENCE):
                while _group(server.process.pid):  # noqa: ASYNC110 - whoever is left may say something still
                    await asyncio.sleep(0.05)
        database.close()
        heard: list[Any] = []
        await anna.hung_up(heard)
        assert not any(event["type"] == "said" for message in heard for event in message.get("events", ()))

    with ServerProcess(data, bot_delay=0) as server:
        call(server.url, story)
    *logged, last = (tmp_path / "data.log").read_text().splitlines()
    assert (
        last
        == "gamut: The store did not answer; what happened last is not stored, and nobody was told of it."
    )
    for line in logged:
        msgspec.json.decode(line)
