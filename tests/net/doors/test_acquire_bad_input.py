"""Bad input at the Acquire door, over real sockets: each code, nothing changed, and nobody else hears of it."""

import asyncio
from collections.abc import Awaitable, Callable
from pathlib import Path
from typing import Any

import msgspec
import pytest
from aiohttp import WSMsgType
from tests.doors.acquire.test_recorded import FromBag
from tests.games.support.acquire_tables import recorded
from tests.net.support.acquire_clients import PASSWORD, AcquireClient, Club, open_server
from tests.net.support.process import PATIENCE

from gamut.net.server import Server

Story = Callable[[Server, Club], Awaitable[None]]
_OF_THE_RULES = {
    *("wrong_action", "game_over", "invalid_tile", "tile_not_in_rack", "tile_not_playable"),
    *("invalid_chain", "chain_not_free", "chain_not_largest", "chain_not_in_group"),
    *("invalid_trade_amount", "invalid_sell_amount", "odd_trade_amount", "trade_exceeds_available"),
    *("exceeds_owned", "too_many_shares", "chain_not_on_board", "exceeds_available", "not_enough_cash"),
}


def told(data: Path, story: Story) -> None:
    async def run() -> None:
        async with open_server(data) as (server, house):
            await story(server, house)

    asyncio.run(run())


class Untouched:
    """The stored games and what those at one of them know: nothing of it may change."""

    def __init__(self, server: Server, number: int, watcher: AcquireClient) -> None:
        self._hall = server.hall
        self._number = number
        self._watcher = watcher
        self._before = self._logs()

    def _logs(self) -> dict[str, int]:
        return {table: live.table.seq for table, live in self._hall.live.items()}

    async def still(self) -> None:
        assert self._logs() == self._before
        # The answer to what the watcher asks is all that the watcher hears.
        heard = await self._watcher.ok("EnterGame", gameNumber=self._number)
        assert [message["type"] for message in heard[:-2]] == []


async def refusals(
    client: AcquireClient, untouched: Untouched, cases: list[tuple[str, str, dict[str, Any]]]
) -> None:
    for code, type, fields in cases:
        assert await client.refused(type, **fields) == code, (type, fields)
        await untouched.still()


# The rules


@pytest.mark.parametrize("name", ["singles_1-05", "singles_1-06", "singles_3-01"])
def test_every_refusal_of_the_rules_has_its_code_and_changes_nothing(name: str, tmp_path: Path) -> None:
    case = recorded(name)

    async def story(server: Server, house: Club) -> None:
        names = [f"Player {place}" for place in range(len(case["userIds"]))]
        number, players = await house.seated(case["modeId"], *names)
        place = case["userIds"].index(case["hostUserId"])
        if place:
            await players[0].setup(number, "SwapPositions", position1=0, position2=place)
            players[0], players[place] = players[place], players[0]
        watcher = await house.somebody()
        await watcher.enter(number)
        for client in players[:-1]:
            await client.setup(number, "ApproveOfGameSetup")
        server.hall._chance = FromBag(case["tileBag"])
        await players[-1].setup(number, "ApproveOfGameSetup")
        await watcher.done(1)
        for size, step in enumerate(case["steps"], 1):
            following = case["steps"][size] if size < len(case["steps"]) else {}
            awaited = players[step["next"]["player"]]
            untouched = Untouched(server, number, watcher)
            for attempt in [*step.get("rejectedAfter", ()), *following.get("rejectedBefore", ())]:
                code = await awaited.refused(
                    "DoGameAction",
                    gameNumber=number,
                    gameStateHistorySize=size,
                    action=attempt["action"],
                    params=attempt["params"],
                )
                assert code == attempt["error"]
                await untouched.still()
            if following:
                await awaited.act(number, size, following["action"], following["params"])
                await watcher.done(size + 1)

    told(tmp_path / "data", story)


def test_those_games_meet_every_code_of_the_rules() -> None:
    met = {
        attempt["error"]
        for name in ("singles_1-05", "singles_1-06", "singles_3-01")
        for step in recorded(name)["steps"]
        for attempt in [*step.get("rejectedBefore", ()), *step.get("rejectedAfter", ())]
    }
    assert met >= _OF_THE_RULES


# Before the rules


def test_actions_that_do_not_come_to_the_rules(tmp_path: Path) -> None:
    async def story(server: Server, house: Club) -> None:
        number, (ann, bob), states = await house.playing(2, "Ann", "Bob")
        tile = states[0]["rack"][0]
        watcher, stranger = await house.client("Cy"), await house.somebody()
        waiting = await ann.create(2)
        await watcher.enter(number)
        game: dict[str, Any] = {"gameNumber": number, "gameStateHistorySize": 1}
        play = {**game, "action": "PlayTile", "params": [tile]}
        untouched = Untouched(server, number, watcher)
        kind = "DoGameAction"
        await refusals(
            stranger, untouched, [("not_logged_in", kind, play), ("not_logged_in", "Forfeit", game)]
        )
        await refusals(watcher, untouched, [("not_a_player", kind, play), ("not_a_player", "Forfeit", game)])
        await refusals(bob, untouched, [("not_your_turn", kind, play)])
        await refusals(
            ann,
            untouched,
            [
                ("game_not_found", kind, {**play, "gameNumber": 999}),
                ("game_not_found", kind, {**play, "gameNumber": -1}),
                ("game_not_found", "EnterGame", {"gameNumber": 2**70}),
                ("not_in_progress", kind, {**play, "gameNumber": waiting}),
                ("not_in_progress", "Forfeit", {"gameNumber": waiting}),
                ("stale", kind, {**play, "gameStateHistorySize": 0}),
                ("stale", kind, {**play, "gameStateHistorySize": 2}),
                ("stale", "EnterGame", {**game, "gameStateHistorySize": 2}),
                ("wrong_action", kind, {**play, "action": "StartGame", "params": []}),
                ("wrong_action", kind, {**play, "action": "GameOver", "params": []}),
                ("wrong_action", kind, {**play, "action": "PurchaseShares", "params": [[], 0]}),
                ("invalid_tile", kind, {**play, "params": [True]}),
                ("invalid_tile", kind, {**play, "params": [1.0]}),
                ("invalid_tile", kind, {**play, "params": ["1"]}),
                ("invalid_tile", kind, {**play, "params": [None]}),
                ("invalid_tile", kind, {**play, "params": [2**70]}),
                ("invalid_tile", kind, {**play, "params": [108]}),
                ("invalid_message", kind, {**play, "params": []}),
                ("invalid_message", kind, {**play, "params": [tile, 1]}),
                ("invalid_message", kind, {**play, "params": {"tile": tile}}),
                ("invalid_message", kind, {**play, "action": "Sing"}),
                ("invalid_message", kind, {**play, "action": 1}),
                ("invalid_message", kind, {**play, "action": "PurchaseShares", "params": [[], 2]}),
                ("invalid_message", kind, {**play, "gameStateHistorySize": "1"}),
                ("invalid_message", kind, {**play, "gameStateHistorySize": True}),
                ("invalid_message", kind, {**play, "gameStateHistorySize": None}),
                ("invalid_message", kind, {**play, "gameNumber": str(number)}),
                ("invalid_message", kind, {"gameNumber": number}),
                ("invalid_message", "Sing", {}),
                ("game_not_over", "GetGameReview", game),
                ("game_already_started", "DoGameSetupAction", {**game, "action": {"type": "JoinGame"}}),
                ("game_already_started", "DoGameSetupAction", {**game, "action": {"type": "CancelGame"}}),
                ("invalid_chat_message", "SendChatMessage", {**game, "message": " "}),
                ("invalid_chat_message", "SendChatMessage", {**game, "message": "x" * 501}),
            ],
        )
        await ann.ok("Forfeit", **game)
        untouched = Untouched(server, number, await house.somebody())
        await refusals(ann, untouched, [("already_forfeited", "Forfeit", game)])
        await bob.ok("Forfeit", **game)
        untouched = Untouched(server, number, await house.somebody())
        await refusals(bob, untouched, [("game_over", "Forfeit", game), ("game_over", kind, play)])

    told(tmp_path / "data", story)


# Setting up


def test_every_setup_operation_that_would_have_no_effect_has_its_code(tmp_path: Path) -> None:
    async def story(server: Server, house: Club) -> None:
        number, (ann, bob) = await house.seated(3, "Ann", "Bob")
        cy, watcher = await house.client("Cy"), await house.somebody()
        await watcher.enter(number)

        def operation(type: str, **fields: Any) -> dict[str, Any]:
            return {"gameNumber": number, "action": {"type": type, **fields}}

        def cases(*found: tuple[str, dict[str, Any]]) -> list[tuple[str, str, dict[str, Any]]]:
            return [(code, "DoGameSetupAction", fields) for code, fields in found]

        untouched = Untouched(server, number, watcher)
        await refusals(
            cy,
            untouched,
            cases(
                ("not_joined", operation("UnjoinGame")),
                ("not_joined", operation("ApproveOfGameSetup")),
                ("not_host", operation("ChangeGameMode", gameMode=99)),
                ("not_host", operation("ChangePlayerArrangementMode", playerArrangementMode=9)),
                ("not_host", operation("ChangeTimeControl", startingAmount=0, incrementAmount=0)),
                ("not_host", operation("SwapPositions", position1=0, position2=0)),
                ("not_host", operation("KickUser", userId=ann.user_id)),
                ("not_host", operation("CancelGame")),
            ),
        )
        await refusals(
            ann,
            untouched,
            cases(
                ("already_joined", operation("JoinGame")),
                ("host_cannot_leave", operation("UnjoinGame")),
                ("game_not_full", operation("ApproveOfGameSetup")),
                ("invalid_game_mode", operation("ChangeGameMode", gameMode=0)),
                ("invalid_game_mode", operation("ChangeGameMode", gameMode=10)),
                ("same_game_mode", operation("ChangeGameMode", gameMode=3)),
                ("too_many_users_for_mode", operation("ChangeGameMode", gameMode=1)),
                (
                    "invalid_player_arrangement_mode",
                    operation("ChangePlayerArrangementMode", playerArrangementMode=0),
                ),
                (
                    "same_player_arrangement_mode",
                    operation("ChangePlayerArrangementMode", playerArrangementMode=2),
                ),
                (
                    "teams_only_in_team_games",
                    operation("ChangePlayerArrangementMode", playerArrangementMode=3),
                ),
                ("invalid_time_control", operation("ChangeTimeControl", startingAmount=0, incrementAmount=0)),
                (
                    "invalid_time_control",
                    operation("ChangeTimeControl", startingAmount=86_401, incrementAmount=0),
                ),
                (
                    "invalid_time_control",
                    operation("ChangeTimeControl", startingAmount=60, incrementAmount=3_601),
                ),
                (
                    "invalid_time_control",
                    operation("ChangeTimeControl", startingAmount=60, incrementAmount=-1),
                ),
                ("same_time_control", operation("ChangeTimeControl", startingAmount=None, incrementAmount=0)),
                ("invalid_position", operation("SwapPositions", position1=3, position2=3)),
                ("invalid_position", operation("SwapPositions", position1=-1, position2=0)),
                ("same_position", operation("SwapPositions", position1=2, position2=2)),
                ("not_joined", operation("KickUser", userId=cy.user_id)),
                ("cannot_kick_host", operation("KickUser", userId=ann.user_id)),
                ("invalid_message", operation("SwapPositions", position1="0", position2=1)),
                ("invalid_message", operation("KickUser")),
                ("invalid_message", operation("Sing")),
                ("invalid_message", {"gameNumber": number, "action": "JoinGame"}),
                ("game_not_found", {**operation("JoinGame"), "gameNumber": number + 1}),
            ),
        )
        await ann.setup(number, "ChangeGameMode", gameMode=7)
        untouched = Untouched(server, number, await house.somebody())
        await refusals(
            ann, untouched, cases(("positions_empty", operation("SwapPositions", position1=2, position2=3)))
        )
        await ann.setup(number, "ChangeGameMode", gameMode=2)
        await bob.setup(number, "ApproveOfGameSetup")
        untouched = Untouched(server, number, await house.somebody())
        await refusals(cy, untouched, cases(("game_full", operation("JoinGame"))))
        await refusals(
            bob,
            untouched,
            cases(
                ("already_joined", operation("JoinGame")),
                ("already_approved", operation("ApproveOfGameSetup")),
            ),
        )
        for fields in ({"gameMode": 0}, {"gameMode": 2.5}, {"gameMode": 2, "timeControlStartingAmount": 0}):
            code = await cy.refused("CreateGame", **fields)
            assert code in ("invalid_game_mode", "invalid_message", "invalid_time_control")
        await untouched.still()

    told(tmp_path / "data", story)


# Logging in, and frames


def test_log_ins_that_fail(tmp_path: Path) -> None:
    async def story(server: Server, house: Club) -> None:
        ann, client = await house.client("Ann"), await house.somebody()
        for code, type, fields in (
            ("bad_login", "Login", {"username": "Ann", "password": "not that one"}),
            ("bad_login", "Login", {"username": "Nobody", "password": PASSWORD}),
            ("bad_login", "Login", {"username": "Ann", "token": "nonsense"}),
            ("user_exists", "CreateUserAndLogin", {"username": "ann", "password": PASSWORD}),
            ("invalid_username", "CreateUserAndLogin", {"username": "Zo\u00eb", "password": PASSWORD}),
            ("invalid_password", "CreateUserAndLogin", {"username": "Bob", "password": "short"}),
            ("invalid_message", "Login", {"username": 1, "password": PASSWORD}),
            ("not_logged_in", "CreateGame", {"gameMode": 1}),
        ):
            assert await client.refused(type, **fields) == code
        heard = await client.ok("Login", username="Ann", token=ann.token)
        assert heard[0]["userId"] == ann.user_id

    told(tmp_path / "data", story)


def test_frames_that_cannot_be_read(tmp_path: Path) -> None:
    async def story(server: Server, house: Club) -> None:
        client = await house.somebody()
        for text in ("", "{", "[1,2", "nonsense", "[" * 5_000, '{"type":1}'):
            await client.socket.send_str(text)
            error = await client.until("Error")
            assert (error["id"], error["code"]) == (None, "invalid_message")
        await client.socket.send_str(msgspec.json.encode({"type": "Sing", "id": "x"}).decode())
        assert (await client.until("Error"))["id"] == "x"
        large = '{"type":"Logout","x":"' + "x" * 65_536 + '"}'
        for _ in range(2):
            await client.socket.send_str(large)
            assert (await client.until("Error"))["code"] == "too_large"
        assert await client.receive() is None
        assert client.socket.close_code == 1009
        binary = await house.somebody()
        await binary.socket.send_bytes(b"\x00\x01")
        async with asyncio.timeout(PATIENCE):
            while (await binary.socket.receive()).type is WSMsgType.TEXT:
                pass
        assert binary.socket.close_code == 1003

    told(tmp_path / "data", story)
