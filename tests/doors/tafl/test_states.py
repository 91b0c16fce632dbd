"""What Tafl's door keeps for one connection is one Struct that can be written down, and a connection ends once.

A session goes on from what was written down of it, and nobody hears the difference.
"""

from collections.abc import Callable, Iterator
from typing import Any
from uuid import UUID

import msgspec
import pytest
from tests.doors.support.inn import on_another_node
from tests.doors.support.tafl_inn import (
    BRANDUB,
    TIMED,
    Client,
    TaflInn,
    create,
    guid,
    join,
    spectate,
    tafl_inn,
)

from gamut.doors.tafl import naming
from gamut.doors.tafl.session import TaflSessionState
from gamut.hall.people.prehash import prehashed


@pytest.fixture(name="inn")
def _inn() -> Iterator[TaflInn]:
    with tafl_inn() as house:
        yield house


def written(client: Client) -> dict[str, Any]:
    state = client.session.state
    data = msgspec.json.encode(state)
    assert msgspec.json.decode(data, type=TaflSessionState) == state
    found: dict[str, Any] = msgspec.json.decode(data)
    return found


def test_a_session_is_somebody_with_a_dialect_and_perhaps_a_game(inn: TaflInn) -> None:
    stranger = Client(inn)
    assert set(written(stranger)) == {"person", "address"}
    ann = inn.client("Ann", "ext")
    assert written(ann)["dialect"] == "S+"
    assert written(ann)["name"] == "Ann"
    create(ann)
    assert written(ann)["table"] == inn.table().id
    assert "ready" not in written(ann)
    ann.say("ready-for-game")
    assert written(ann)["ready"] is True
    ann.hang_up()
    assert "table" not in written(ann)
    assert written(ann)["ended"] is True


def test_what_waits_for_somebody_is_part_of_the_session() -> None:
    with tafl_inn(waiting=True) as inn:
        ann = inn.client("Ann", "ext")
        assert "bot_games" not in written(ann)
        ann.say("get-game-list")
        waiting = written(ann)["bot_games"]
        assert len(waiting) == 6
        ann.say(f"join-game {waiting[0]['guid']}")
        assert written(ann)["bot_games"][0]["joined"] == waiting[0]["guid"]
        assert written(ann)["bot_games"][0]["seat"] == 1
        assert written(ann)["bot_games"][1:] == waiting[1:]


def test_a_connection_ends_once_and_hears_nothing_after_it(inn: TaflInn) -> None:
    ann, bob = inn.playing()
    person = ann.session.person
    assert inn.hall.connected[person] == 1
    ann.hang_up()
    ann.hang_up()
    assert person not in inn.hall.connected
    assert ann.say("get-game-list") == []
    assert bob.read().count("end-game") == 1


def test_refusals_are_counted_with_the_name_of_the_door(inn: TaflInn) -> None:
    ann = inn.client("Ann")
    ann.say("nonsense")
    ann.session.rate_limited()
    assert inn.hall.refusals["tafl_unknown_command"] == inn.hall.refusals["tafl_rate_limited"] == 1


def test_a_flood_is_a_lost_connection(inn: TaflInn) -> None:
    ann, bob = inn.playing()
    ann.session.flooded()
    inn.settle()
    assert ann.closed
    assert bob.read() == ["error game-canceled", "end-game"]


def test_who_logs_in_while_the_connection_is_lost_is_not_there(inn: TaflInn) -> None:
    client = Client(inn)
    waiting = client.session.text(b'login "Ann" ' + b"A" * 86 + b"==")
    client.session.closed()
    inn.run(waiting)
    assert not inn.hall.connected
    assert not list(inn.tafl.sessions)


def test_games_that_end_while_a_client_looks_for_them_are_not_there(inn: TaflInn) -> None:
    ann, bob = inn.client("Ann"), inn.client("Bob")
    create(ann)
    guid = str(inn.table().table.room)
    waiting = bob.session.text(f"join-game {guid}".encode())
    ann.hang_up()
    inn.run(waiting)
    inn.settle()
    assert bob.read() == ["error game-canceled"]
    assert join(bob) == ["error game-canceled"]


# Going on elsewhere

Heard = list[tuple[list[str], int | None]]


class Company:
    """Some clients. One of them goes on with another session and another wire after every step."""

    def __init__(self, inn: TaflInn, mover: str) -> None:
        self.inn = inn
        self._mover = mover
        self._clients: dict[str, Client] = {}
        self._everybody: list[Client] = []
        self.moves = 0

    def come(self, name: str, kind: str | None = "") -> None:
        """Somebody logs in; or, with None, only connects."""
        self._clients[name] = client = Client(self.inn) if kind is None else self.inn.client(name, kind)
        self._everybody.append(client)

    def crash(self) -> None:
        self.inn.restart()
        self._clients.clear()

    def __getitem__(self, name: str) -> Client:
        """The client, once the step before is over."""
        self.move()
        return self._clients[name]

    def wait(self, span: int) -> None:
        self.move()
        self.inn.advance(span)

    def move(self) -> None:
        client = self._clients.get(self._mover)
        if client is None or client.session.is_deaf:
            return
        old, heard = client.session, client.wire.data
        client.session, wire = on_another_node(self.inn, old)
        assert client.wire.data + wire.data == heard, "nothing is said because of that"
        assert old.text(b"get-game-list") is None
        old.closed()
        client.wire, wire.data = wire, heard
        self.moves += 1

    def heard(self) -> Heard:
        """What each of the clients was told, one after the other, and how its connection ended."""
        return [(client.wire.data.decode().split("\n"), client.wire.closed) for client in self._everybody]


Story = Callable[[Company], None]


def _in_the_lobby(we: Company) -> None:
    we.come("Ann", "7")
    we.come("Bob")
    we.come("Cid", "ext")
    we.wait(100)
    we.wait(5_000)
    we.wait(5_000)
    we["Bob"].say('lobby-chat "Bob" hello')
    we.wait(100)
    create(we["Cid"])
    we["Bob"].say("get-game-list")
    we.wait(5_000)
    we["Cid"].hang_up()
    we.wait(100)
    we.wait(5_000)
    we["Ann"].say("client-list")


def _logging_in(we: Company) -> None:
    we.come("Ann")
    we.come("stranger", None)
    for _ in range(3):
        we["stranger"].say(f'login "Ann" {prehashed("Ann", "wrong")}')
    we["stranger"].say("get-game-list")
    we["stranger"].say(f'login "Zoe" {prehashed("Zoe", "secret")} 7')
    we["stranger"].say("game-list")
    we["Ann"].say(f'login "Ann" {prehashed("Ann", "secret")}')
    we.come("guest", None)
    for _ in range(6):
        we["guest"].say(f'login "Ann" {prehashed("Ann", "wrong")}')


def _setting_up(we: Company) -> None:
    we.come("Ann")
    we.come("Bob", "ext")
    create(we["Ann"], time=TIMED)
    we["Ann"].say("ready-for-game")
    join(we["Bob"])
    we["Bob"].say('game-chat "Bob" hello')
    we["Bob"].say(f"leave-game {guid(1)}")
    we["Ann"].say(f"leave-game {guid(1)}")
    create(we["Bob"], 2)
    we["Bob"].say("ready-for-game")
    we["Bob"].say("history 7 a4-a3 0|0/0|0||")
    join(we["Ann"], 2)
    we["Ann"].say("ready-for-game")
    we["Ann"].say("ready-for-game")
    we["Bob"].say("move d3-c3")


def _playing(we: Company) -> None:
    we.come("Ann", "7")
    we.come("Bob", "ext")
    create(we["Ann"], time="20000|3000/3|0")
    join(we["Bob"])
    we["Bob"].say("ready-for-game")
    we.wait(7_000)
    we["Ann"].say("move-record a4-a3")
    we.wait(4_000)
    we["Bob"].say("move a1-a2")
    we["Bob"].say("move d3-c3")
    we.wait(4_000)
    we.wait(11_000)
    we["Ann"].say("history")
    we["Ann"].say("move-record a3-a4")
    we["Bob"].say("draw-offer")
    we["Bob"].say("clock-update")
    we["Ann"].say('game-chat "Ann" no')
    we["Bob"].say("move c3-d3")
    we["Ann"].say("game-ended")
    we["Ann"].say(f"leave-game {guid(1)}")
    we["Bob"].say(f"leave-game {guid(1)}")
    we.wait(5_000)


def _watching(we: Company) -> None:
    we.come("Ann")
    we.come("Bob")
    we.come("Cid")
    we.come("Dot", "7")
    create(we["Ann"], time=TIMED)
    spectate(we["Dot"])
    join(we["Bob"])
    we["Ann"].say("ready-for-game")
    we["Bob"].say("ready-for-game")
    spectate(we["Cid"])
    for mover, move in (("Ann", "a4-a3"), ("Bob", "d3-c3"), ("Ann", "a3-a4")):
        we[mover].say(f"move {move}")
        we.wait(3_000)
    we["Cid"].say('spectator-chat "Cid" psst')
    we["Dot"].say('game-chat "Dot" what?')
    we["Bob"].hang_up()
    we.wait(100)
    we["Cid"].say("ready-for-game")


def _coming_back(we: Company) -> None:
    """A move is held while play rests, and a seat waits for somebody."""
    we.come("Ann", "7")
    we.come("Bob", "ext")
    we["Bob"].say(f"create-game {guid(1)} defenders open {TIMED} grace:30 {BRANDUB}")
    join(we["Ann"])
    we["Bob"].say("ready-for-game")
    we["Ann"].say("move-record a4-a3")
    we["Bob"].say("move d3-c3")
    we.crash()
    we.come("Ann", "7")
    join(we["Ann"])
    we["Ann"].say("move-record a3-a4")
    we.come("Bob", "ext")
    we["Bob"].say(f"resume {guid(1)}")
    we["Bob"].say("move c3-d3")
    we["Bob"].hang_up()
    we.wait(20_000)
    we.come("Bob", "ext")
    we["Bob"].say(f"resume {guid(1)}")
    we["Bob"].hang_up()
    we.wait(30_000)


def _with_bots(we: Company) -> None:
    we.come("Ann", "7")
    we.come("Bob")
    we.wait(5_000)
    we["Bob"].say("get-game-list")
    we["Bob"].say(f"join-game {we['Bob'].session.state.bot_games[1].guid}")
    we["Bob"].say(f"leave-game {we['Bob'].session.state.bot_games[1].joined}")
    we["Bob"].say(f"join-game {we['Bob'].session.state.bot_games[1].joined}")
    we["Bob"].say("get-game-list")
    join_bot = f"join-game {we['Ann'].session.state.bot_games[0].guid} false none"
    we["Bob"].say(join_bot.removesuffix(" false none"))
    we["Ann"].say(join_bot)
    we["Ann"].say("game-ended")
    we.wait(5_000)


CASTS: dict[Story, tuple[str, ...]] = {
    _in_the_lobby: ("Ann", "Bob", "Cid"),
    _logging_in: ("Ann", "stranger", "guest"),
    _setting_up: ("Ann", "Bob"),
    _playing: ("Ann", "Bob"),
    _watching: ("Ann", "Bob", "Cid", "Dot"),
    _coming_back: ("Ann", "Bob"),
    _with_bots: ("Ann", "Bob"),
}


@pytest.mark.parametrize("story", CASTS)
def test_who_goes_on_elsewhere_hears_what_they_would_have_heard(
    story: Story, monkeypatch: pytest.MonkeyPatch
) -> None:
    stayed, _ = _heard(story, "nobody", monkeypatch)
    for mover in CASTS[story]:
        moved, moves = _heard(story, mover, monkeypatch)
        assert moves > 3
        assert moved == stayed, mover


def _heard(story: Story, mover: str, monkeypatch: pytest.MonkeyPatch) -> tuple[Heard, int]:
    numbers = iter(range(1 << 40, 1 << 41))
    monkeypatch.setattr(naming, "uuid4", lambda: UUID(int=next(numbers)))
    with tafl_inn(waiting=story is _with_bots) as inn:
        we = Company(inn, mover)
        story(we)
        reserved = {game.guid for session in inn.tafl.sessions for game in session.state.bot_games}
        assert inn.tafl.reserved == reserved
        return we.heard(), we.moves
