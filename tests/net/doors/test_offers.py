"""What a door brings along is all that the server knows of it: a strange door is opened, reached, told and stopped."""

import asyncio
import re
from collections.abc import Awaitable, Callable
from pathlib import Path
from typing import Any

import pytest
import uvloop
from aiohttp import ClientSession
from tests.net.support.closed_ports import CLOSED
from tests.net.support.echo_door import CERTIFICATE, ECHO, KEY, EchoSettings, LineClient, trusting
from tests.net.support.inside import new_server
from tests.net.support.process import free_port, refused_start

import gamut
from gamut.cli import BadSetting, read_settings
from gamut.doors.offer import DoorKind, Entrances, Offer, Premises
from gamut.doors.registry import all_doors
from gamut.doors.tafl.offer import TAFL
from gamut.doors.topple.offer import TOPPLE
from gamut.doors.tower.offer import TOWER
from gamut.games.registry import all_games
from gamut.hall.ids import PersonId
from gamut.hall.people.person import Person
from gamut.net.lines.tls import BadCertificate, tls_context
from gamut.net.ports import OpenPort
from gamut.net.server import Server
from gamut.net.settings import Settings, all_settings

V1 = b"PROXY TCP4 192.0.2.7 127.0.0.1 12345 11541\r\n"


def with_server(
    data: Path,
    story: Callable[[Server], Awaitable[None]],
    *doors: DoorKind,
    echo: EchoSettings | None = None,
    story_stops_it: bool = False,
    **settings: Any,
) -> None:
    async def run() -> None:
        asked = Settings(
            data=data, port=0, metrics_open=True, doors={"echo": echo or EchoSettings()}, **settings
        )
        server = new_server(asked, doors=lambda: doors or (ECHO,))
        try:
            await server.start()
            await story(server)
        finally:
            if not story_stops_it:
                await server.stop()

    uvloop.run(run())


def test_a_door_has_ports_of_its_own_in_the_clear_and_under_tls(tmp_path: Path) -> None:
    echo = EchoSettings(echo_port=free_port(), echo_tls_port=free_port())

    async def story(server: Server) -> None:
        assert server.ports_of_doors == [
            OpenPort("Echo", "tcp", echo.echo_port),
            OpenPort("Echo", "tls", echo.echo_tls_port),
        ]
        for name, tls in (("echo", None), ("echo_tls", trusting())):
            client = await LineClient.to(server.ports[name], tls)
            await client.send(b"hello\n")
            assert [await client.line() for _ in range(2)] == [b"welcome 127.0.0.1", b"> hello"]
            async with (
                ClientSession(f"http://127.0.0.1:{server.ports['main']}") as http,
                http.get("/metrics") as response,
            ):
                assert 'gamut_connections{door="echo"} 1.0' in await response.text()
            await client.send(b"bye\n")
            assert await client.rest() == [b"bye"]

    with_server(tmp_path / "data", story, echo=echo, tls_certificate=str(CERTIFICATE), tls_key=str(KEY))


def test_without_a_certificate_there_is_no_port_for_tls(tmp_path: Path) -> None:
    async def story(server: Server) -> None:
        assert set(server.ports) == {"main"}

    with_server(tmp_path / "data", story, echo=EchoSettings(echo_tls_port=free_port()))


@pytest.mark.parametrize(("on", "address"), [(True, b"192.0.2.7"), (False, b"127.0.0.1")])
def test_the_proxy_protocol_is_spoken_where_it_is_set(tmp_path: Path, on: bool, address: bytes) -> None:
    async def story(server: Server) -> None:
        client = await LineClient.to(server.ports["echo"])
        await client.send(V1 + b"hello\n")
        assert await client.line() == b"welcome " + address
        if not on:
            assert await client.line() == b"> " + V1.strip()
        assert await client.line() == b"> hello"
        await client.close()

    with_server(
        tmp_path / "data",
        story,
        echo=EchoSettings(echo_port=free_port()),
        proxy_protocol=on,
        trusted_proxies="127.0.0.1",
    )


@pytest.mark.sockets_of_its_own("a gateway has no hall to tell newcomers anything while it stops")
def test_a_stopping_server_lets_clients_in_who_can_be_told_so(tmp_path: Path) -> None:
    async def story(server: Server) -> None:
        client = await LineClient.to(server.ports["echo"])
        await client.send(b"store\n")
        assert [await client.line() for _ in range(2)] == [b"welcome 127.0.0.1", b"> store"]
        stopping = asyncio.ensure_future(server.stop())
        assert await client.line() == b"stopping"
        late = await LineClient.to(server.ports["echo"])
        assert await late.rest() == [b"come back later"]
        assert await client.rest() == []
        await stopping

    with_server(tmp_path / "data", story, echo=EchoSettings(echo_port=free_port()), story_stops_it=True)


def test_a_door_answers_http_without_knowing_who_speaks_it(tmp_path: Path) -> None:
    async def story(server: Server) -> None:
        plain = {"Content-Type": "text/plain", "X-Forwarded-For": "192.0.2.7"}
        async with ClientSession(f"http://127.0.0.1:{server.ports['main']}", headers=plain) as http:
            async with http.post("/shout/bob", data=b"hello") as response:
                assert response.status == 200
                assert response.headers["Cache-Control"] == "no-store"
                assert response.headers["X-Content-Type-Options"] == "nosniff"
                assert await response.json() == {"said": "HELLO", "to": "bob", "from": "192.0.2.7"}
            for said, status, code in ((b"", 422, "nothing_said"), (b"x" * 11, 413, "too_large")):
                async with http.post("/shout/bob", data=said) as response:
                    assert response.status == status
                    assert (await response.json())["error"]["code"] == code
            async with http.post("/shout/bob", data=b"x", headers={"Origin": "http://evil"}) as response:
                assert response.status == 403, "guarded as everything else is"
            async with http.get("/shout/bob") as response:
                assert response.headers["Content-Type"].startswith("text/"), (
                    "another method is another address"
                )

    with_server(tmp_path / "data", story, trusted_proxies="127.0.0.1")


def test_a_door_hears_of_new_names_logouts_and_deletions_if_it_wants_to(tmp_path: Path) -> None:
    heard: list[tuple[str, PersonId]] = []

    def renamed(person: Person) -> None:
        heard.append((f"renamed {person.name}", person.id))

    async def curious(premises: Premises, settings: EchoSettings) -> Offer:
        return Offer(
            name="curious",
            door=None,
            session_type=type(None),  # this door has no entrance
            renamed=renamed,
            logged_out=lambda person: heard.append(("logged out", person)),
            deleted=lambda person: heard.append(("deleted", person)),
        )

    async def story(server: Server) -> None:
        ann = (await server.people.guest("Ann")).id
        await server.people.rename(ann, "Anna")
        await server.people.log_out_everywhere(ann)
        await server.people.delete(ann)
        assert heard == [
            ("renamed Anna", ann),
            ("logged out", ann),
            ("logged out", ann),  # whoever is deleted is that first
            ("deleted", ann),
        ]

    with_server(
        tmp_path / "data",
        story,
        DoorKind("curious", EchoSettings, lambda settings: Entrances(), curious),
        ECHO,
    )


def test_a_door_whose_game_is_not_offered_stays_closed(tmp_path: Path) -> None:
    async def run() -> None:
        server = new_server(Settings(data=tmp_path / "data", port=0, doors=CLOSED), games=dict)
        try:
            await server.start()
            assert [offer.name for offer in server._offers] == ["web"]
        finally:
            await server.stop()

    asyncio.run(run())


# Settings


def test_no_two_settings_have_the_same_name_and_all_have_a_description() -> None:
    found = all_settings((*all_doors(), ECHO))
    assert len({setting.name for setting in found}) == len(found)
    assert all(setting.description for setting in found)
    assert {"tower_port", "topple_rejoin", "topple_compat"} <= {setting.name for setting in found}


def test_what_is_set_of_a_door_reaches_it_by_the_names_it_has_always_had() -> None:
    read = read_settings({"tower_port": "1"}, {"GAMUT_TOPPLE_REJOIN": "2.5", "GAMUT_TOPPLE_COMPAT": "false"})
    tower, topple = read.of(TOWER), read.of(TOPPLE)
    assert tower.tower_port == 1
    assert (topple.topple_rejoin, topple.topple_compat) == (2.5, False)
    tower, topple = Settings().of(TOWER), Settings().of(TOPPLE)
    assert tower.tower_port == 46467
    tafl = Settings().of(TAFL)
    assert (tafl.tafl_port, tafl.tafl_tls_port) == (11541, 0)
    assert (topple.topple_rejoin, topple.topple_compat) == (30.0, True)
    for name, bad in (("tower_port", "65536"), ("topple_rejoin", "0"), ("topple_compat", "perhaps")):
        with pytest.raises(BadSetting, match=f"GAMUT_{name.upper()}: '{bad}' will not do"):
            read_settings({}, {f"GAMUT_{name.upper()}": bad})


def test_a_proxy_that_is_to_be_believed_has_to_be_named() -> None:
    with pytest.raises(BadSetting, match="--trusted-proxies"):
        read_settings({"proxy_protocol": "true"}, {})
    assert read_settings({"proxy_protocol": "true"}, {"GAMUT_TRUSTED_PROXIES": "::1"}).proxy_protocol


@pytest.mark.parametrize(
    ("certificate", "key", "said"),
    [
        (str(CERTIFICATE), "", "TLS needs both a certificate and its key."),
        ("", str(KEY), "TLS needs both a certificate and its key."),
        (str(CERTIFICATE), "/nowhere/key.pem", "/nowhere/key.pem cannot be read: No such file or directory."),
        (str(KEY), str(CERTIFICATE), "are no certificate and key"),
        (__file__, __file__, "are no certificate and key"),
    ],
)
def test_a_certificate_that_is_none_is_refused_in_one_line(certificate: str, key: str, said: str) -> None:
    with pytest.raises(BadCertificate) as refused:
        tls_context(certificate, key)
    assert said in str(refused.value)
    assert "\n" not in str(refused.value)


def test_a_server_does_not_start_with_a_certificate_that_is_none(tmp_path: Path) -> None:
    code, said = refused_start(tmp_path / "data", tls_certificate=tmp_path / "none.pem", tls_key=KEY)
    assert code == 1
    assert said == f"gamut: {tmp_path / 'none.pem'} cannot be read: No such file or directory.\n"
    assert not (tmp_path / "data").exists()


# Generic code


def test_generic_code_names_no_game() -> None:
    source = Path(gamut.__file__ or "").parent
    generic = [*source.glob("net/*.py"), *source.glob("doors/*.py"), source / "cli.py"]
    name = re.compile("|".join(all_games()), re.IGNORECASE)
    for path in generic:
        if path.name in ("registry.py", "topple_files.py"):
            continue  # the one list of doors; and what is served of one game's files
        assert not name.search(path.name), path
        for number, line in enumerate(path.read_text().splitlines(), 1):
            assert not name.search(line.replace("topple_files", "")), f"{path}:{number}: {line.strip()}"
