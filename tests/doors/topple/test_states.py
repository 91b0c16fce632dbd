"""What the Topple door keeps for one connection is one Struct, from which another session goes on.

Each evening is spent twice: once everybody stays, and once some of them go to other nodes in the middle of it. What
everybody hears is the same, and nothing is repeated or missed.
"""

from collections.abc import Callable
from typing import Any

import pytest
from tests.doors.support.inn import TextWire
from tests.doors.support.topple_inn import HOME, Client, ToppleInn, topple_inn
from tests.doors.topple.test_exports import MARK, exported

from gamut.doors.offer import Newcomer
from gamut.doors.topple.boards import REPLAY
from gamut.doors.topple.session import ToppleSession

_CHANCE = ("g", "key", "id", "n", "l", "s")
"""Where room codes, keys and spectator ids stand, which are drawn by chance."""


class Evening:
    def __init__(self, inn: ToppleInn, *, moved: bool) -> None:
        self.inn = inn
        self._moved = moved
        self._heard: dict[Client, list[Any]] = {}
        self._drawn: dict[str, int] = {}

    def comes(self, query: str) -> Client:
        client = self.inn.connect(query)
        self._heard[client] = []
        self._hear()
        return client

    def says(self, client: Client, kind: str, /, **payload: Any) -> None:
        self._heard[client] += client.say(kind, **payload)
        self._hear()

    def sends(self, client: Client, file: bytes) -> None:
        self._heard[client] += client.say_binary(MARK + file)
        self._hear()

    def goes(self, client: Client) -> None:
        client.hang_up()
        self._hear()

    def waits(self, span: int) -> None:
        self.inn.advance(span)
        self.inn.settle()
        self._hear()

    def moves(self, *clients: Client) -> None:
        """To other nodes. Nobody hears anything of that."""
        before = self.heard()
        for client in clients if self._moved else ():
            client.move_to_another_node()
        self._hear()
        assert self.heard() == before

    def said(self, client: Client, kind: str) -> Any:
        """The last of this kind that a client was told."""
        return [m["payload"] for m in self._heard[client] if isinstance(m, dict) and m["type"] == kind][-1]

    def room(self, client: Client) -> str:
        return str(self.said(client, "game:roomid")["g"])

    def heard(self) -> list[list[Any]]:
        """What each client heard, with numbers for what was drawn by chance; and who was hung up on."""
        return [[*map(self._plain, messages), client.wire.closed] for client, messages in self._heard.items()]

    def _hear(self) -> None:
        for client, messages in self._heard.items():
            messages += client.read()

    def _plain(self, message: Any) -> Any:
        if isinstance(message, bytes):
            # The file of a game has its own id in it, which is drawn by chance as well.
            return "a replay" if message[0] == REPLAY else message
        payload = {
            name: self._numbered(value) if name in _CHANCE else value
            for name, value in message["payload"].items()
        }
        return {**message, "payload": payload}

    def _numbered(self, value: Any) -> Any:
        if isinstance(value, list):
            return [self._numbered(part) for part in value]
        return f"drawn {self._drawn.setdefault(value, len(self._drawn))}" if isinstance(value, str) else value


def setting_up(evening: Evening) -> None:
    """A creator who has still to say the rules, one who never says them, and a player."""
    host, silent = evening.comes("t=1&s=1&d=0,3,3&p=3"), evening.comes("t=1&s=1&S=1&d=0,3,3&p=3")
    evening.moves(host, silent)
    evening.waits(400)
    evening.says(host, "game:rules", turnTime={"limit": 60_000})
    evening.moves(silent)
    evening.waits(599)
    evening.waits(1)
    evening.waits(2_000)
    player = evening.comes(f"t=0&g={evening.room(host)}")
    evening.moves(host, player)
    evening.says(host, "waiting:setready", r=True)
    evening.says(player, "player:switch", t=5)
    evening.says(host, "game:rules", turnTime={"limit": 30_000})
    evening.says(player, "waiting:start")
    evening.goes(player)


def a_game_from_start_to_end(evening: Evening) -> None:
    host = evening.comes("t=1&s=1&d=0,2,2&p=3")
    evening.says(host, "game:rules")
    player, watcher = (evening.comes(f"t={kind}&g={evening.room(host)}") for kind in (0, 4))
    evening.says(host, "waiting:start")
    evening.says(host, "game:move", n=0)
    evening.moves(player)
    evening.says(player, "game:move", n=0)
    evening.says(player, "game:move", n=3)
    evening.moves(host, watcher)
    evening.says(watcher, "game:move", n=3)
    evening.says(host, "game:pause")
    evening.says(host, "ping", n=2)
    evening.moves(player)
    evening.says(host, "ping", n=2)
    evening.says(host, "game:resume")
    evening.says(host, "game:move", n=0)
    evening.says(player, "game:move", n=3)
    evening.moves(host, player, watcher)
    evening.says(watcher, "game:download")
    evening.says(watcher, "spectator:leave")
    evening.goes(player)
    evening.waits(30_000)
    evening.waits(1_800_000)


def a_player_who_becomes_a_spectator(evening: Evening) -> None:
    host = evening.comes("t=1&s=1&d=0,3,3&p=3")
    evening.says(host, "game:rules")
    player = evening.comes(f"t=0&g={evening.room(host)}")
    evening.says(host, "player:spectate")
    evening.moves(host)
    evening.says(player, "waiting:setready", r=True)
    evening.comes(f"t=4&g={evening.room(host)}")
    evening.says(player, "game:kick", n=evening.said(host, "spectator:ownid")["n"])


def before_a_password(evening: Evening) -> None:
    host = evening.comes("t=1&s=1&d=0,3,3&p=3&pw=secret")
    evening.says(host, "game:rules")
    right, wrong = (evening.comes(f"t=0&g={evening.room(host)}") for _ in range(2))
    evening.moves(right, wrong)
    evening.says(right, "waiting:start")
    evening.says(right, "game:password", pw="secret")
    evening.says(wrong, "game:password", pw="Secret")
    evening.waits(125)


def with_a_suspended_game(evening: Evening) -> None:
    """From the file to the last seat."""
    people = evening.inn.playing(2)
    people[0].say("game:move", n=0)
    people[1].read()
    file = exported(people)
    host = evening.comes("t=1&res=1&p=1&pw=secret")
    evening.moves(host)
    evening.says(host, "resjoin:select", n=1)
    evening.sends(host, file)
    evening.moves(host)
    evening.says(host, "resjoin:select", n=3)
    evening.sends(host, file)
    evening.says(host, "resjoin:select", n=2)
    player = evening.comes(f"t=0&g={evening.room(host)}")
    evening.says(player, "game:password", pw="secret")
    evening.moves(player)
    evening.says(player, "resjoin:select", n=2)
    evening.says(player, "resjoin:select", n=1)
    evening.says(host, "waiting:start")


@pytest.mark.parametrize("at", [0, 300, 1_000, 1_050, 1_099, 1_100, 2_050])
def test_a_board_that_is_still_to_be_shown_again_is_shown_once(at: int) -> None:
    def coming_back(evening: Evening) -> None:
        host = evening.comes("t=1&s=1&d=0,3,3&p=3")
        evening.says(host, "game:rules", scoring={"style": "tile"})
        player = evening.comes(f"t=0&g={evening.room(host)}")
        evening.says(host, "waiting:start")
        evening.goes(player)
        key = evening.said(player, "key:rejoin")["key"]
        back = evening.comes(f"t=3&g={evening.room(host)}&i=2&k={key}")
        watcher = evening.comes(f"t=4&g={evening.room(host)}")
        for moment in range(0, 4_000, 25):
            if moment == at:
                evening.moves(back, watcher)
            if moment in (500, 1_075):
                evening.says(host if moment == 500 else back, "game:move", n=moment % 9)
            evening.waits(25)

    spent_alike(coming_back)


def spent_alike(spend: Callable[[Evening], None]) -> None:
    heard = []
    for moved in (False, True):
        with topple_inn() as inn:
            evening = Evening(inn, moved=moved)
            spend(evening)
            heard.append(evening.heard())
    assert all(map(len, heard[0]))
    assert heard[0] == heard[1]


@pytest.mark.parametrize(
    "spend",
    [
        setting_up,
        a_game_from_start_to_end,
        a_player_who_becomes_a_spectator,
        before_a_password,
        with_a_suspended_game,
    ],
)
def test_a_session_goes_on_from_its_state_with_nothing_repeated_or_missed(
    spend: Callable[[Evening], None],
) -> None:
    spent_alike(spend)


def test_who_has_not_been_heard_yet_is_let_in_where_the_session_goes_on() -> None:
    with topple_inn() as inn:
        here = inn.create()
        arriving = ToppleSession.new(inn.topple, TextWire(), Newcomer(HOME, f"t=0&g={here.room}"))
        wire = TextWire()
        taken_up = ToppleSession(inn.topple, wire, arriving.hand_over())
        taken_up.take_up()
        inn.run(taken_up.opened())
        inn.settle()
        assert b"player:ownid" in wire.data
        assert here.read()[0]["payload"] == {"n": 2, "t": 2}


def test_who_waits_for_a_room_to_be_found_is_not_packed_before_it_is() -> None:
    with topple_inn() as inn:
        room = inn.create().room
        arriving = ToppleSession.new(inn.topple, TextWire(), Newcomer(HOME, f"t=0&g={room}"))
        assert arriving.can_be_packed
        finding = arriving.opened()
        assert not arriving.can_be_packed
        inn.run(finding)
        assert arriving.can_be_packed


def test_who_is_about_to_be_hung_up_on_is_not_packed() -> None:
    with topple_inn() as inn:
        lost = inn.connect("t=0&g=NOROOM")
        assert lost.read()[0]["payload"]["message"] == "Game Not Found"
        assert not lost.session.can_be_packed
