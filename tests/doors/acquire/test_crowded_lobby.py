"""A lobby with many games: it is told in pieces, costs the server next to nothing, and everybody can follow it."""

from collections.abc import Iterator
from typing import Any

import msgspec
import pytest
from tests.doors.support.acquire_inn import AcquireInn, Client, acquire_inn
from tests.doors.support.inn import Message, unframed

from gamut.doors.acquire import lobby
from gamut.doors.acquire.checkpoint import GAMES
from gamut.doors.pieces import MOMENT, MOST_WAITING
from gamut.hall.ids import Millis
from gamut.hall.live.opening import Opening
from gamut.hall.settings import HallSettings

MANY = 5 * GAMES + 7


@pytest.fixture
def inn() -> Iterator[AcquireInn]:
    with acquire_inn(HallSettings(bot_delay=Millis(0), most_tables=20_000)) as house:
        yield house


def open_games(inn: AcquireInn, count: int) -> None:
    for _ in range(count):
        inn.hall.open(Opening(game="acquire"), None)
    inn.settle()
    inn.hall.lobby.tell_now()


def connect(client: Client, known: int = 0, number: int = 99) -> list[Message]:
    """What comes at once."""
    return client.raw_say(
        msgspec.json.encode({"type": "LobbyConnect", "id": number, "lastEventIndex": known})
    )


class Known:
    """The lobby as a client knows it from the messages alone."""

    def __init__(self) -> None:
        self.games: dict[int, Any] = {}
        self.index = 0

    def hear(self, messages: list[Message]) -> "Known":
        for message in messages:
            match message["type"]:
                case "Lobby" if "checkpoint" in message:
                    self.games = {game["gameNumber"]: game for game in message["checkpoint"]["games"]}
                case "Lobby":
                    self.hear(message["events"])
                case "GameCreated":
                    assert message["game"]["gameNumber"] not in self.games, "nothing is told twice"
                    self.games[message["game"]["gameNumber"]] = message["game"]
                case "GameChanged":
                    assert message["game"]["gameNumber"] in self.games
                    self.games[message["game"]["gameNumber"]] = message["game"]
                case "GameRemoved":
                    self.games.pop(message["gameNumber"], None)
                case "GameBoardChanged":
                    game = self.games[message["gameNumber"]]
                    board = [list(row) for row in game["board"]]
                    for tile, cell in message["boardChanges"]:
                        board[tile % len(board)][tile // len(board)] = cell
                    self.games[message["gameNumber"]] = {**game, "board": list(map("".join, board))}
            self.index = message.get("lastEventIndex", self.index)
        return self


def test_many_games_come_in_pieces_and_the_answer_after_the_last(inn: AcquireInn) -> None:
    open_games(inn, MANY)
    client = inn.somebody()
    heard = connect(client)
    assert [message["type"] for message in heard] == ["Lobby"]
    assert len(heard[0]["checkpoint"]["games"]) == GAMES
    assert heard[0]["lastEventIndex"] == 0, "whoever is cut off now asks for everything again"
    for _ in range(MANY // GAMES):
        inn.advance(MOMENT)
        heard += client.read()
    assert heard.pop() == {"type": "Ok", "id": 99}
    assert [message["lastEventIndex"] for message in heard[:-1]] == [0] * (len(heard) - 1)
    assert all(len(message["events"]) <= GAMES for message in heard[1:])
    known = Known().hear(heard)
    assert sorted(known.games) == list(range(1, MANY + 1))
    assert connect(inn.somebody(), known.index)[0]["events"] == []
    inn.advance(10_000)
    assert client.read() == []


@pytest.mark.parametrize("moves", [False, True])
def test_what_happens_meanwhile_is_told_so_that_everybody_knows_the_same(
    inn: AcquireInn, moves: bool
) -> None:
    """Also to somebody whose session goes on elsewhere before each piece."""
    ann, bob = inn.clients("Ann", "Bob")
    own = [ann.create(2) for _ in range(4)]
    open_games(inn, MANY)
    own += [ann.create(2) for _ in range(4)]
    early, late, everything = Known(), Known(), Known()
    first, second, third = inn.somebody(), inn.somebody(), inn.somebody()
    early.hear(connect(first))
    for step in range(4):
        # Something happens to games that were told and to some that were not, others are removed, and one is new.
        bob.setup(own[step], "JoinGame")
        bob.setup(own[-1 - step], "JoinGame")
        ann.setup(own[step if step % 2 else -1 - step], "CancelGame")
        open_games(inn, 1)
        if step == 2:
            late.hear(connect(second))
        inn.advance(MOMENT)
        early.hear(first.read())
        late.hear(second.read())
        if moves:
            first.move_to_another_node()
    everything.hear(connect(third))
    inn.advance(1_000)
    for client, known in ((first, early), (second, late), (third, everything)):
        known.hear(client.read())
    assert len(everything.games) == MANY + 8
    assert early.games == late.games == everything.games
    assert early.index == late.index == everything.index > 0


def test_a_game_that_is_gone_before_it_was_told_is_not_told(inn: AcquireInn) -> None:
    ann = inn.client("Ann")
    open_games(inn, MANY)
    number = ann.create(1)
    client, known = inn.somebody(), Known()
    known.hear(connect(client))
    assert number not in known.games
    ann.setup(number, "CancelGame")
    inn.advance(1_000)
    known.hear(client.read())
    assert sorted(known.games) == list(range(1, MANY + 1))


def test_pieces_follow_the_reader(inn: AcquireInn) -> None:
    open_games(inn, MANY)
    client = inn.somebody()
    client.wire.queued = MOST_WAITING
    assert connect(client) == []
    inn.advance(60_000)
    assert client.read() == [], "nothing piles up for somebody who does not read"
    client.wire.queued = 0
    inn.advance(1_000)
    assert client.read()[-1] == {"type": "Ok", "id": 99}


def test_each_connection_is_told_once_at_a_time(inn: AcquireInn) -> None:
    open_games(inn, MANY)
    client = inn.somebody()
    connect(client)
    for number in range(20):
        assert connect(client, number=number) == [{"type": "Ok", "id": number}]
    inn.advance(1_000)
    heard = client.read()
    assert heard[-1] == {"type": "Ok", "id": 99}
    assert len(heard) == 1 + MANY // GAMES


def test_whoever_hangs_up_is_told_nothing_more(inn: AcquireInn) -> None:
    open_games(inn, MANY)
    client = inn.somebody()
    connect(client)
    client.hang_up()
    before = len(client.raw)
    inn.advance(1_000)
    assert len(client.raw) == before


class Counted:
    """Counts how often a function is called."""

    def __init__(self, monkeypatch: pytest.MonkeyPatch, owner: Any, name: str) -> None:
        self.times = 0
        function = getattr(owner, name)

        def counted(*arguments: Any) -> Any:
            self.times += 1
            return function(*arguments)

        monkeypatch.setattr(owner, name, counted)


def looks_at_games(monkeypatch: pytest.MonkeyPatch) -> Counted:
    """Whenever it is worked out what is shown of a game, this is asked once."""
    return Counted(monkeypatch, lobby, "control_of")


def test_a_game_is_encoded_once_for_all_who_come(inn: AcquireInn, monkeypatch: pytest.MonkeyPatch) -> None:
    open_games(inn, MANY)
    inn.advance(500)
    looks = looks_at_games(monkeypatch)
    clients = [inn.somebody() for _ in range(20)]
    for client in clients:
        connect(client)
    inn.advance(400)
    assert [list(unframed(client.raw))[-1] for client in clients] == [b'{"type":"Ok","id":99}'] * 20
    encoded = dict(inn.acquire.lobby._encoded)
    assert len(encoded) == MANY
    for client in clients:
        connect(client)
    assert all(inn.acquire.lobby._encoded[table] is raw for table, raw in encoded.items())
    assert looks.times == 0, "not even for the first who comes"


def test_come_and_go_as_one_likes_only_what_has_changed_is_looked_at(
    inn: AcquireInn, monkeypatch: pytest.MonkeyPatch
) -> None:
    number, (ann, _) = inn.playing(2, "Ann", "Bob")
    open_games(inn, MANY)
    inn.advance(500)
    connect(inn.somebody())
    inn.advance(1_000)
    looks = looks_at_games(monkeypatch)
    for _ in range(20):
        client = inn.somebody()
        connect(client)
        client.hang_up()
    assert looks.times == 0
    ann.act(number, 1, "PlayTile", ann.enter(number)["rack"][0])
    inn.advance(500)
    for _ in range(20):
        client = inn.somebody()
        connect(client)
        client.hang_up()
    assert looks.times == 1


def test_what_nobody_says_is_seen_within_half_a_second(inn: AcquireInn) -> None:
    number, (ann, _) = inn.playing(2, "Ann", "Bob")
    open_games(inn, 2_500)
    client, known = inn.somebody(), Known()
    connect(client)
    inn.advance(1_000)
    known.hear(client.read())
    ann.act(number, 1, "PlayTile", ann.enter(number)["rack"][0])
    inn.advance(500)
    assert [message["type"] for message in client.read()] == ["GameBoardChanged"]


def test_boards_are_read_once_for_all_who_come(inn: AcquireInn, monkeypatch: pytest.MonkeyPatch) -> None:
    inn.playing(2, "Ann", "Bob")
    readings = Counted(monkeypatch, lobby.GameLobby, "_read_boards")
    for _ in range(10):
        connect(inn.somebody())
    assert readings.times == 1
    inn.advance(60_000)
    connect(inn.somebody())
    assert readings.times == 2
