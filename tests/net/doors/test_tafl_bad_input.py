"""Bad input at the Tafl port, over real sockets: an answer, nothing changed, and everybody else plays on."""

import asyncio
from collections.abc import Awaitable, Callable, Iterator
from time import monotonic

import pytest
from tests.net.support.clients import calling
from tests.net.support.echo_door import LineClient
from tests.net.support.process import ServerProcess
from tests.net.support.tafl_clients import BRANDUB, Parlour, TaflClient, new_guid, parlour

from gamut.hall.people.prehash import prehashed

Story = Callable[[Parlour, str], Awaitable[None]]
Play = Callable[[Story], None]


@pytest.fixture(name="server", scope="module")
def _server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[ServerProcess]:
    with ServerProcess(
        tmp_path_factory.mktemp("tafl") / "data", tafl=True, message_rate=0, talk_burst=1000
    ) as server:
        yield server


@pytest.fixture(name="play")
def _play(server: ServerProcess) -> Play:
    """Runs a story with a tag that keeps its names apart from those of others; no session may fail meanwhile."""

    def play(story: Story) -> None:
        async def run() -> None:
            async with parlour(server.tafl_port) as tafl, calling(server.url) as callers:
                before = await callers.metric('gamut_limit_hits_total{limit="session_failed"}')
                await story(tafl, new_guid()[-6:])
                assert await callers.metric('gamut_limit_hits_total{limit="session_failed"}') == before

        asyncio.run(run())

    return play


async def quiet(*clients: TaflClient) -> None:
    """Nobody was told anything: what they say next is answered next."""
    for client in clients:
        token = new_guid()
        await client.say(f'game-chat "x" {token}')
        line = await client.hear()
        assert line == f'game-chat "{client.name}" {token}', line
        # The others of the game hear it, too.
        for other in clients:
            if other is not client:
                assert await other.hear() == line


# What is said


def test_an_unknown_word(play: Play) -> None:
    async def story(tafl: Parlour, tag: str) -> None:
        ann, old = await tafl.client(f"Ann {tag}"), await tafl.client(f"Old {tag}", "7")
        for line in ("nonsense", "logout", "MOVE a4-a3", "movement", "move-record a4-a3", "ready-for-games"):
            assert await ann.ask(line) == "error unknown-command"
        await old.say("nonsense", "move a4-a3", "ready-for-game", "game-list")
        assert (await old.until("error", "game-list")).startswith("game-list"), "silence"

    play(story)


@pytest.mark.parametrize(
    "line",
    [
        "create-game",
        "create-game G",
        "create-game G attackers",
        "create-game G attackers open",
        f"create-game G besiegers open {BRANDUB}",
        f"create-game not-a-guid attackers open {BRANDUB}",
        f"create-game 1-1-1-1-1 attackers open {BRANDUB}",
        f"create-game G attackers tooshort {BRANDUB}",
        f"create-game G attackers open 999999999999|0/0|0 {BRANDUB}",
        "join-game",
        "join-game G H I",
        "join-game not-a-guid",
        "spectate-game",
        "spectate-game 12",
        "leave-game",
        "leave-game x",
        "lobby-chat",
        "lobby-chat hello",
        'lobby-chat "Ann hello',
        'lobby-chat "Ann"',
        'lobby-chat "Ann" ',
        'game-chat "Ann"',
        "login",
        "login Ann x",
        'login "Ann"',
        'login "Ann" a b c',
    ],
)
def test_fields_that_are_missing_or_wrong(play: Play, line: str) -> None:
    async def story(tafl: Parlour, tag: str) -> None:
        client = await tafl.stranger() if line.startswith("login") else await tafl.client(f"Ann {tag}")
        assert await client.ask(line.replace("G", new_guid())) == "error malformed"
        if line.startswith("login"):
            assert await client.ask(f'login "Ann {tag}" {prehashed(f"Ann {tag}", "secret")}') == "success"
        await client.create(new_guid(), "attackers")

    play(story)


def test_existing_clients_are_answered_where_they_wait_for_an_answer(play: Play) -> None:
    async def story(tafl: Parlour, tag: str) -> None:
        old = await tafl.client(f"Old {tag}", "7")
        for line in ("create-game x", "join-game y", "spectate z", f"join-game {new_guid()} true none"):
            assert await old.ask(line) == "error unknown-error"

    play(story)


def test_nothing_is_done_before_log_in(play: Play) -> None:
    async def story(tafl: Parlour, tag: str) -> None:
        stranger, ann = await tafl.stranger(), await tafl.client(f"Ann {tag}")
        guid = new_guid()
        for line in (
            f"create-game {guid} attackers open {BRANDUB}",
            "get-game-list",
            "client-list",
            'lobby-chat "A" b',
        ):
            assert await stranger.ask(line) == "error not-logged-in"
        assert await ann.ask(f"join-game {guid}") == "error game-canceled"

    play(story)


def test_a_line_that_is_too_long(play: Play) -> None:
    async def story(tafl: Parlour, tag: str) -> None:
        ann, bob, _ = await tafl.playing(tag)
        await ann.lines.send(b"x" * 70_000)
        assert await ann.hear() == "error line-too-long"
        assert await ann.hear() is None
        assert await bob.until("error game-canceled", "end-game") == "error game-canceled"

    play(story)


def test_bytes_that_are_no_text(play: Play) -> None:
    async def story(tafl: Parlour, tag: str) -> None:
        stranger = await tafl.stranger()
        await stranger.lines.send(b'login "A\xff\xfe" ' + prehashed("A", "secret").encode() + b"\n")
        assert await stranger.hear() == "error invalid-login"
        ann, bob, _ = await tafl.playing(tag)
        await ann.lines.send(b'game-chat "Ann" a\xffb\n')
        for client in (ann, bob):
            assert await client.until("game-chat") == f'game-chat "{ann.name}" a�b'

    play(story)


def test_control_characters_in_chat_and_ends_of_lines_of_other_systems(play: Play) -> None:
    async def story(tafl: Parlour, tag: str) -> None:
        ann, bob, _ = await tafl.playing(tag)
        await ann.lines.send(b'game-chat "Ann" a\x00b\rc\x1b[1m\r\n')
        for client in (ann, bob):
            assert await client.until("game-chat") == f'game-chat "{ann.name}" a b c [1m'
        await ann.lines.send(b"move a4-a3\r\n\r\n\n")
        assert await ann.hear() == "move-result 0"

    play(story)


@pytest.mark.parametrize(
    "name", ['a"b', "a|b", "a<b", "a>b", "a\tb", " ab", "ab ", "", "x" * 33, "Server", "SERVER", "server"]
)
def test_names_that_nobody_can_have(play: Play, name: str) -> None:
    async def story(tafl: Parlour, tag: str) -> None:
        stranger = await tafl.stranger()
        assert await stranger.ask(f'login "{name}" {prehashed(name, "secret")}') == "error invalid-login"

    play(story)


def test_two_who_want_the_same_name_at_once(play: Play) -> None:
    async def story(tafl: Parlour, tag: str) -> None:
        strangers = [await tafl.stranger() for _ in range(6)]
        name = f"Ann {tag}"
        lines = [f'login "{name}" {prehashed(name, f"secret {n}")}' for n in range(6)]
        answers = await asyncio.gather(*(s.ask(line) for s, line in zip(strangers, lines, strict=True)))
        assert sorted(map(str, answers)) == ["error invalid-login"] * 5 + ["success"]

    play(story)


def test_nobody_speaks_in_somebody_else_s_name(play: Play) -> None:
    async def story(tafl: Parlour, tag: str) -> None:
        ann, bob, _ = await tafl.playing(tag)
        await ann.say(f'game-chat "{bob.name}" I resign', f'lobby-chat "{bob.name}" {tag} hello')
        assert await bob.until("game-chat") == f'game-chat "{ann.name}" I resign'
        while f"{tag} hello" not in (said := await bob.until("lobby-chat")):
            continue
        assert said == f'lobby-chat "{ann.name}" {tag} hello'

    play(story)


def test_a_guid_that_is_in_use(play: Play) -> None:
    async def story(tafl: Parlour, tag: str) -> None:
        ann, bob, old = (
            await tafl.client(f"Ann {tag}"),
            await tafl.client(f"Bob {tag}"),
            await tafl.client(f"Old {tag}", "7"),
        )
        guid = new_guid()
        await ann.create(guid, "attackers")
        create = f"create-game {guid.upper()} attackers open {BRANDUB}"
        assert await bob.ask(create) == "error duplicate-game"
        words = f"combinechat:false allowreplay:false attackers none 0|0/0|0 {BRANDUB}"
        assert await old.ask(f"create-game {guid} {words}") == "error unknown-error"
        cid, dot = await tafl.client(f"Cid {tag}"), await tafl.client(f"Dot {tag}")
        again = f"create-game {new_guid()} attackers open {BRANDUB}"
        answers = await asyncio.gather(cid.ask(again), dot.ask(again))
        assert sorted(map(str, answers)) == ["error duplicate-game", "success"]

    play(story)


# Moves


def test_moves_that_are_not_made_are_told_to_nobody_else(play: Play) -> None:
    async def story(tafl: Parlour, tag: str) -> None:
        ann, bob, guid = await tafl.playing(tag)
        cid = await tafl.client(f"Cid {tag}")
        await cid.spectate(guid)
        assert await bob.ask("move d3-c3") == "move-result -1"
        for move, code in (
            ("d3-c3", -1),
            ("a4-d4", -3),
            ("a4-a4", -3),
            ("a5-a6", -3),
            ("e9-e8", -3),
            ("what", -3),
        ):
            assert await ann.ask(f"move {move}") == f"move-result {code}"
            assert await ann.hear() == "await-move attackers"
        await quiet(ann, bob)
        for client in (ann, bob):
            said = await cid.hear()
            assert said is not None
            assert said.startswith(f'game-chat "{client.name}"'), "that is all that the watcher heard"

    play(story)


def test_a_move_after_the_end_and_one_of_a_watcher(play: Play) -> None:
    async def story(tafl: Parlour, tag: str) -> None:
        ann, bob, guid = await tafl.playing(tag)
        cid = await tafl.client(f"Cid {tag}")
        await cid.spectate(guid)
        assert await cid.ask("move a4-a3") == "error not-in-game"
        assert await ann.ask("end-game") == "end-game"
        for client in (ann, bob):
            if client is bob:
                assert await client.hear() == "end-game"
            assert await client.ask("move a4-a3") == "error game-over"
        assert await cid.hear() == "end-game"
        await quiet(ann, bob)

    play(story)


def test_leaving_after_the_end_is_told_to_nobody(play: Play) -> None:
    async def story(tafl: Parlour, tag: str) -> None:
        ann, bob, guid = await tafl.playing(tag)
        assert await ann.ask("end-game") == "end-game"
        assert await ann.ask(f"leave-game {guid}") == "success"
        assert await bob.hear() == "end-game"
        await quiet(bob)

    play(story)


# Rules


@pytest.mark.parametrize(
    "rules",
    [
        "nonsense",
        "dim:7",
        "start:/3t3/3t3/3T3/ttTKTtt/3T3/3t3/3t3/",
        BRANDUB.replace("dim:7", "dim:6"),
        BRANDUB.replace("dim:7", "dim:21"),
        BRANDUB.replace("dim:7", "dim:9"),
        BRANDUB.replace("dim:7", "dim:seven"),
        BRANDUB.replace("/3t3/3t3/3T3/", "/3t3/3t3/4T3/"),
        BRANDUB.replace("K", "T"),
        BRANDUB.replace("ttTKTtt", "ktTKTtt"),
        "dim:7 atkf:n start:/7/7/3T3/2TKT2/3T3/7/7/",
        BRANDUB.replace("atkf:y", "atkf:x"),
        BRANDUB.replace("ks:w", "ks:q"),
        BRANDUB.replace("ks:w", "ks:w cor:z9"),
        BRANDUB.replace("ks:w", "ks:w corh:xyz"),
        BRANDUB.replace("ks:w", "ks:w spd:1,2,3"),
        "dim:7 start:/K6/7/7/3t3/7/7/7/",
        "dim:7 start:/7/7/2t4/1tKt3/2t4/7/7/",
        BRANDUB.replace("name:Brandub", f"name:{'x' * 5000}"),
    ],
)
def test_rules_by_which_nobody_can_play(play: Play, rules: str) -> None:
    async def story(tafl: Parlour, tag: str) -> None:
        ann, old = await tafl.client(f"Ann {tag}"), await tafl.client(f"Old {tag}", "7")
        assert await ann.ask(f"create-game {new_guid()} attackers open {rules}") == "error bad-rules"
        words = f"combinechat:false allowreplay:false attackers none 0|0/0|0 {rules}"
        assert await old.ask(f"create-game {new_guid()} {words}") == "error bad-save"
        await ann.create(new_guid(), "attackers")

    play(story)


# Too much


def test_chat_that_is_too_long(play: Play) -> None:
    async def story(tafl: Parlour, tag: str) -> None:
        ann = await tafl.client(f"Ann {tag}")
        assert await ann.ask(f'lobby-chat "Ann" {"x" * 2001}') == "error malformed"

    play(story)


def test_who_says_too_much_is_told_and_then_let_go(tmp_path_factory: pytest.TempPathFactory) -> None:
    with ServerProcess(
        tmp_path_factory.mktemp("rate") / "data", tafl=True, message_rate=1, tafl_message_burst=50
    ) as server:

        async def story() -> None:
            async with parlour(server.tafl_port) as tafl:
                ann, bob, _ = await tafl.playing("1")
                began = monotonic()
                await bob.say(*["get-game-list"] * 500)
                heard = []
                while (line := await bob.line()) is not None:
                    heard.append(line)
                assert "error rate-limited" in heard
                # What is allowed in a second comes on top.
                most = 51 + monotonic() - began
                assert 0 < sum(line.startswith("game-list") for line in heard) <= most
                await ann.until("error game-canceled")
                await ann.until("end-game")

        asyncio.run(story())


def test_two_hundred_things_may_be_said_at_once(tmp_path_factory: pytest.TempPathFactory) -> None:
    with ServerProcess(tmp_path_factory.mktemp("burst") / "data", tafl=True, message_rate=1) as server:

        async def story() -> None:
            async with parlour(server.tafl_port) as tafl:
                ann = await tafl.client("Ann")
                began = monotonic()
                await ann.say(*["get-game-list"] * 205)
                heard = [await ann.line() for _ in range(205)]
                answered = sum(line is not None and line.startswith("game-list") for line in heard)
                # One was the log-in, and one in a second may have been allowed meanwhile.
                assert 199 <= answered <= 202 + monotonic() - began
                assert heard.count("error rate-limited") == 205 - answered

        asyncio.run(story())


def test_who_talks_too_fast_is_told(tmp_path_factory: pytest.TempPathFactory) -> None:
    with ServerProcess(
        tmp_path_factory.mktemp("talk") / "data", tafl=True, message_rate=0, talk_burst=5
    ) as server:

        async def story() -> None:
            async with parlour(server.tafl_port) as tafl:
                ann, bob, _ = await tafl.playing("1")
                await ann.say(*['game-chat "Ann" spam'] * 7)
                assert [await ann.hear() for _ in range(6)] == ['game-chat "Ann 1" spam'] * 5 + [
                    "error rate-limited"
                ]
                assert await bob.hear() == 'game-chat "Ann 1" spam'
                assert await ann.ask("move a4-a3") in ("error rate-limited", "move-result 0"), (
                    "moves are free"
                )

        asyncio.run(story())


def test_who_comes_when_it_is_full_is_told_so(tmp_path_factory: pytest.TempPathFactory) -> None:
    with ServerProcess(
        tmp_path_factory.mktemp("full") / "data",
        tafl=True,
        connections=3,
        most_tables=1,
        watchers_per_table=1,
    ) as server:

        async def story() -> None:
            async with parlour(server.tafl_port) as tafl:
                ann, bob, guid = await tafl.playing("1")
                cid = await tafl.client("Cid")
                assert (
                    await cid.ask(f"create-game {new_guid()} attackers open {BRANDUB}") == "error server-full"
                )
                await cid.spectate(guid)
                late = TaflClient(await LineClient.to(server.tafl_port))
                assert await late.line() == "error server-full"
                assert await late.line() is None
                await late.lines.close()
                assert await cid.ask(f"leave-game {guid}") == "success"
                assert await ann.move("a4-a3") == "move-result 0"
                await bob.until("move ")

        asyncio.run(story())


def test_watchers_beyond_what_a_table_may_have(tmp_path_factory: pytest.TempPathFactory) -> None:
    with ServerProcess(
        tmp_path_factory.mktemp("watched") / "data", tafl=True, watchers_per_table=1
    ) as server:

        async def story() -> None:
            async with parlour(server.tafl_port) as tafl:
                _, _, guid = await tafl.playing("1")
                cid, dot = await tafl.client("Cid"), await tafl.client("Dot")
                await cid.spectate(guid)
                assert await dot.ask(f"spectate-game {guid}") == "error server-full"

        asyncio.run(story())


def test_who_does_not_read_is_let_go_and_the_others_play_on(tmp_path_factory: pytest.TempPathFactory) -> None:
    with ServerProcess(
        tmp_path_factory.mktemp("slow") / "data", tafl=True, message_rate=0, send_queue_bytes=65_536
    ) as server:

        async def story() -> None:
            async with parlour(server.tafl_port) as tafl, calling(server.url) as callers:
                ann, bob, _ = await tafl.playing("1")
                slow = await tafl.client("Slow", "ext")
                for number in range(30):
                    host = await tafl.client(f"Host {number}")
                    await host.create(new_guid(), "attackers")
                slow.lines.reader._transport.pause_reading()  # type: ignore[attr-defined]
                asking = b"get-game-list\n" * 100
                while await callers.metric('gamut_limit_hits_total{limit="slow_reader"}') == 0:
                    slow.lines.writer.write(asking)
                    await asyncio.sleep(0)
                assert await ann.move("a4-a3") == "move-result 0"
                await bob.until("move ")

        asyncio.run(story())
