"""The recorded cases of Acquire, said and heard at its door: setups, whole games, and what is refused in them."""

from random import Random
from typing import Any

import pytest
from tests.doors.support.acquire_inn import AcquireInn, Client, Mirror, acquire_inn
from tests.doors.support.inn import Message
from tests.games.support.acquire_tables import RECORDED, recorded, vectors

_ORDERS = {1: "RANDOM_ORDER", 2: "EXACT_ORDER", 3: "SPECIFY_TEAMS"}
_OPERATIONS = {
    "addUser": "JoinGame",
    "removeUser": "UnjoinGame",
    "approve": "ApproveOfGameSetup",
    "changeGameMode": "ChangeGameMode",
    "changePlayerArrangementMode": "ChangePlayerArrangementMode",
    "swapPositions": "SwapPositions",
    "kickUser": "KickUser",
}
_FIELDS = {
    "changeGameMode": ("gameMode",),
    "changePlayerArrangementMode": ("playerArrangementMode",),
    "swapPositions": ("position1", "position2"),
    "kickUser": ("userId",),
}


class FromBag(Random):
    """Chance that brings the tiles of a recorded game."""

    def __init__(self, bag: list[int]) -> None:
        super().__init__(0)
        self._bag = iter(bag)

    def choice(self, seq: Any) -> Any:
        tile = next(self._bag)
        assert tile in seq
        return tile


# Setting up


class SetupCase:
    """One recorded sequence: the users are numbered there, and have numbers of their own here."""

    def __init__(self, inn: AcquireInn, case: Any) -> None:
        self._inn = inn
        self._users: dict[int, Client] = {}
        self._watcher = inn.somebody()
        host = case["initial"]["hostUserId"]
        self._host = self._user(host)
        self.number = self._host.create(case["initial"]["gameMode"])
        self._watcher.enter(self.number)

    def _user(self, recorded_id: int) -> Client:
        if recorded_id not in self._users:
            self._users[recorded_id] = self._inn.client(f"User {recorded_id}")
        return self._users[recorded_id]

    def check(self, after: Any) -> None:
        told = self._inn.somebody().enter(self.number)
        if told["type"] == "GameState":
            return
        ids = {client.user_id: recorded_id for recorded_id, client in self._users.items()}
        assert told["gameMode"] == after["gameMode"]
        assert _ORDERS[told["playerArrangementMode"]] == after["playerArrangementMode"]
        assert [None if user is None else ids[user] for user in told["userIds"]] == after["userIds"]
        assert told["approvals"] == after["approvals"]

    def do(self, op: Any) -> None:
        name, args = op["op"], list(op["args"])
        actor = self._user(args[0]) if name in ("addUser", "removeUser", "approve") else self._host
        if name == "kickUser":
            args = [self._user(args[0]).user_id]
        if name == "changePlayerArrangementMode" and isinstance(args[0], str):
            args = [next((key for key, value in _ORDERS.items() if value == args[0]), 0)]
        fields = dict(zip(_FIELDS.get(name, ()), args, strict=False))
        self._watcher.read()
        answer = actor.say(
            "DoGameSetupAction", gameNumber=self.number, action={"type": _OPERATIONS[name], **fields}
        )[-1]
        heard = [m for m in self._watcher.read() if m["type"] not in ("UserEnteredGame", "UserExitedGame")]
        if op["change"] is None:
            assert answer["type"] == "Error", op
            assert heard == []
            return
        assert answer["type"] == "Ok", (op, answer)
        assert heard[0]["type"] == "GameSetupChanged"
        self._check_change(op, heard[0]["change"])
        if op["change"][0] == "UserApprovedOfGameSetup" and op["change"][2]:
            assert [message["type"] for message in heard[1:]] == ["GameStarted", "GameActionDone"]
        else:
            assert heard[1:] == []

    def _check_change(self, op: Any, told: Message) -> None:
        kind, *values = op["change"]
        assert told["type"] == kind
        if kind.startswith("User"):
            assert told["userId"] == self._user(values[0]).user_id
        if kind == "UserApprovedOfGameSetup":
            assert told["approvedByEverybody"] is bool(values[1])
            if values[1]:
                self._check_order(op, told)
        elif kind == "PositionsSwapped":
            assert [told["position1"], told["position2"]] == values
        elif kind == "GameModeChanged":
            assert told["gameMode"] == values[0]

    def _check_order(self, op: Any, told: Message) -> None:
        sitting = [self._user(user).user_id for user in op["after"]["userIds"]]
        final = told.get("finalUserIds", sitting)
        assert sorted(final) == sorted(sitting)
        assert told.get("finalUserIds") != sitting, "an order that is that of the positions is not told"
        if not op["finalOrderIsRandom"]:
            assert final == [self._user(user).user_id for user in op["finalUserIds"]]


@pytest.mark.parametrize("case", vectors("setup.json"), ids=lambda case: str(case["id"]))
def test_setups_change_as_recorded_and_everybody_there_is_told_of_each_change(case: Any) -> None:
    with acquire_inn() as inn:
        setup = SetupCase(inn, case)
        setup.check(case["after"])
        for op in case["ops"]:
            setup.do(op)
            setup.check(op["after"])


# Playing


def seated(inn: AcquireInn, case: Any) -> tuple[int, list[Client], Client]:
    """The players of a recorded game in its order, before the last of them approves; and a watcher."""
    players = [inn.client(f"Player {number}") for number in range(len(case["userIds"]))]
    place = case["userIds"].index(case["hostUserId"])
    host, watcher = players[place], inn.somebody()
    number = host.create(case["modeId"])
    host.setup(number, "ChangePlayerArrangementMode", playerArrangementMode=2)
    if place:
        host.setup(number, "SwapPositions", position1=0, position2=place)
    for client in players:
        if client is not host:
            client.setup(number, "JoinGame")
    watcher.enter(number)
    for client in players[:-1]:
        client.setup(number, "ApproveOfGameSetup")
    for client in (*players, watcher):
        client.read()
    return number, players, watcher


def masked(history: Any, viewer: int | None) -> Any:
    return [message for message in history if message[0] != "DrewTile" or message[1] == viewer]


def check_position(mirror: Mirror, step: Any, viewer: int | None) -> None:
    state = mirror.state
    assert ["".join(row) for row in state["board"]] == step["board"]
    assert state["scoreBoard"] == step["scores"]
    for field in ("available", "chainSize", "price", "turnPlayer"):
        assert state[field] == step[field], field
    assert state["rackCounts"] == [6 - rack.count(None) for rack in step["racks"]]
    assert state["rack"] == (None if viewer is None else step["racks"][viewer])
    assert state["rackTypes"] == (None if viewer is None else step["rackTypes"][viewer])
    over = step["next"]["action"] == "GameOver"
    assert state["next"] == ({"player": None, "action": "GameOver"} if over else step["next"])


@pytest.mark.parametrize("name", RECORDED)
def test_recorded_games_are_told_step_by_step_to_each_as_they_may_see_them(name: str) -> None:
    case = recorded(name)
    with acquire_inn() as inn:
        number, players, watcher = seated(inn, case)
        inn.hall._chance = FromBag(case["tileBag"])
        everybody = [*players, watcher]
        viewers: list[int | None] = [*range(len(players)), None]
        mirrors: list[Mirror] = []
        actor = players[-1]
        answered = actor.setup(number, "ApproveOfGameSetup")
        for size, step in enumerate(case["steps"], 1):
            for client, viewer in zip(everybody, viewers, strict=True):
                done = (answered if client is actor else client.read())[-1]
                assert done["type"] == "GameActionDone"
                assert done["gameStateHistorySize"] == size
                assert [done["playerID"], done["action"], done["params"]] == [
                    step["player"],
                    step["action"],
                    step["params"],
                ]
                assert done["history"] == masked(step["history"], viewer)
                if size == 1:
                    mirrors.append(Mirror.of_start(len(players), done, viewer))
                else:
                    mirrors[everybody.index(client)].hear(done)
                check_position(mirrors[everybody.index(client)], step, viewer)
            following = case["steps"][size] if size < len(case["steps"]) else None
            self_made = [*step.get("rejectedAfter", ()), *(following or {}).get("rejectedBefore", ())]
            awaited = step["next"]["player"]
            for attempt in self_made:
                code = players[awaited].act_refused(number, size, attempt["action"], *attempt["params"])
                assert code == attempt["error"]
            if following is not None:
                actor = players[following["player"]]
                answered = actor.act(number, size, following["action"], *following["params"])
        for client in everybody:
            assert client.read() == [], "nobody was told of what was refused"
        state = watcher.enter(number)
        assert state["over"]
        assert state["history"] == [step["history"] for step in case["steps"]], "now all of it is told"
        (told,) = players[0].ok("GetGameReview", gameNumber=number)
        review = told["review"]
        assert review[0] == case["modeId"]
        assert review[3] == [client.user_id for client in players]
        assert review[5] == players[case["userIds"].index(case["hostUserId"])].user_id
        assert review[6] == case["tileBag"]
        assert [entry[0] for entry in review[7]] == [step["params"] for step in case["steps"]]
