"""A game of thousands of moves is written once for whoever asks for it, and never all of it while others wait."""

import asyncio
from collections.abc import Iterator

import pytest
from tests.doors.support.tafl_inn import TIMED, Client, TaflInn, create, guid, join, spectate, tafl_inn

from gamut.doors.tafl import to_client as t
from gamut.doors.tafl.dialects import Dialect
from gamut.doors.tafl.history import AT_ONCE
from gamut.games.tafl.options import MOST_MOVES
from gamut.hall.table import commands as c

ENDLESS = "dim:7 name:Endless surf:n atkf:y tfr:i ks:w start:/3t3/3t3/3T3/ttTKTtt/3T3/3t3/3t3/"
ROUND = ("a4-a3", "c4-c2", "a3-a4", "c2-c4")
MOVES = 2 * AT_ONCE + 200


class Counted:
    """How many moves were written, and the most of them without a turn for anybody else."""

    def __init__(self, monkeypatch: pytest.MonkeyPatch) -> None:
        self.written = 0
        self.most_at_once = 0
        self._at_once = 0
        entry, move = t.history_entry, t.move

        def counted_entry(record: str, time: str) -> bytes:
            self._count()
            return entry(record, time)

        def counted_move(dialect: Dialect, record: str) -> bytes:
            self._count()
            return move(dialect, record)

        monkeypatch.setattr(t, "history_entry", counted_entry)
        monkeypatch.setattr(t, "move", counted_move)

    def _count(self) -> None:
        self.written += 1
        self._at_once += 1
        self.most_at_once = max(self.most_at_once, self._at_once)

    async def _turns(self) -> None:
        while True:
            self._at_once = 0
            await asyncio.sleep(0)

    def say(self, client: Client, text: str) -> list[str]:
        """What the client hears, while somebody else has a turn whenever there is one."""
        self.written = self.most_at_once = self._at_once = 0

        async def said() -> None:
            others = asyncio.ensure_future(self._turns())
            waiting = client.session.text(text.encode())
            if waiting is not None:
                await waiting
            others.cancel()

        client.inn.run(said())
        client.inn.settle()
        return client.read()


@pytest.fixture(name="inn")
def _inn() -> Iterator[TaflInn]:
    with tafl_inn() as house:
        yield house


@pytest.fixture(name="long")
def _long(inn: TaflInn) -> tuple[Client, Client]:
    """Ann and Bob have made many moves."""
    ann, bob = inn.client("Ann", "ext"), inn.client("Bob", "ext")
    create(ann, rules=ENDLESS, time=TIMED)
    join(bob)
    ann.say("ready-for-game")
    bob.say("ready-for-game")
    for number in range(MOVES):
        (ann, bob)[number % 2].session.text(f"move {ROUND[number % 4]}".encode())
    inn.settle()
    ann.read(), bob.read()
    return ann, bob


@pytest.mark.parametrize("kind", ["ext", "7"])
@pytest.mark.parametrize("more", [1, 4_000, 7_000])
def test_a_saved_game_that_is_too_long_to_go_on_is_a_bad_one(inn: TaflInn, kind: str, more: int) -> None:
    ann = inn.client("Ann", kind)
    create(ann, rules=ENDLESS)
    moves = "".join(f"{ROUND[number % 4]}||" for number in range(MOST_MOVES + more))
    assert ann.say(f"history 7 {moves}") == ["error bad-save"]
    assert not ann.closed
    assert ann.session.live is None, "as after any saved game that cannot be played"
    assert create(ann, 2, rules=ENDLESS)[0].startswith("success")


def test_a_saved_game_may_be_as_long_as_that_and_its_moves_are_kept_in_short(inn: TaflInn) -> None:
    ann = inn.client("Ann", "ext")
    create(ann, rules=ENDLESS)
    written = ("a4^=a3xKd4/d5--", *ROUND[1:])
    moves = "".join(f"{written[number % 4]} {TIMED}||" for number in range(MOST_MOVES))
    assert ann.say(f"history 7 {moves}") == []
    assert inn.table().table.options.moves == MOST_MOVES // 4 * ROUND


def test_a_single_move_may_be_no_longer_than_moves_are(inn: TaflInn) -> None:
    for number, move in enumerate(
        ("a4-a3x" + "/".join(2_000 * ["d4"]), "a" * 5_000, "a4-a3x", "---", "a44-a3")
    ):
        ann = inn.client(f"Ann {number}", "ext")
        create(ann, number)
        assert ann.say(f"history 7 {move}||") == ["error bad-save"]
        assert not ann.closed


def records(history: str) -> list[str]:
    return [entry.split()[0] for entry in history.split("||") if entry]


@pytest.mark.parametrize("kind", ["ext", "7"])
def test_a_history_is_written_once_and_then_only_what_is_new(
    inn: TaflInn, long: tuple[Client, Client], monkeypatch: pytest.MonkeyPatch, kind: str
) -> None:
    watcher = inn.client("Cas", kind)
    heard = spectate(watcher)
    counted = Counted(monkeypatch)
    if kind == "ext":
        assert heard[2 : 2 + MOVES] == [f"move {ROUND[number % 4]}" for number in range(MOVES)]
        counted.say(watcher, "history")
    for _ in range(2):
        (told,) = counted.say(watcher, "history")
        start = f"history 7 a4-a3 {TIMED}||c4-c2 {TIMED}||"
        assert told.startswith(start)
        assert records(told.removeprefix("history 7 ")) == [ROUND[number % 4] for number in range(MOVES)]
        assert counted.written == 0
    long[0].say("move a4-a3")
    watcher.read()
    (told,) = counted.say(watcher, "history")
    assert len(records(told.removeprefix("history 7 "))) == MOVES + 1
    assert counted.written == 1


@pytest.mark.parametrize("kind", ["", "ext", "7"])
def test_others_have_their_turn_while_it_is_written(
    inn: TaflInn, long: tuple[Client, Client], monkeypatch: pytest.MonkeyPatch, kind: str
) -> None:
    watcher = inn.client("Cas", kind)
    counted = Counted(monkeypatch)
    word = f"spectate {guid(1)} true none" if kind == "7" else f"spectate-game {guid(1)}"
    heard = counted.say(watcher, word)
    assert heard[0].startswith("success")
    assert sum(line.count("a4-a3") for line in heard) == MOVES // 4
    assert counted.written == MOVES
    assert counted.most_at_once <= AT_ONCE


def test_whoever_comes_back_is_told_in_the_same_way(
    inn: TaflInn, long: tuple[Client, Client], monkeypatch: pytest.MonkeyPatch
) -> None:
    inn.restart()
    for name, kind, word in (("Ann", "7", "join-game {} false none"), ("Bob", "ext", "resume {}")):
        client = inn.client(name, kind)
        counted = Counted(monkeypatch)
        heard = counted.say(client, word.format(guid(1)))
        assert heard[0].startswith("success")
        assert sum(line.count("a4-a3") for line in heard) == MOVES // 4
        assert 0 < counted.most_at_once <= AT_ONCE


def test_a_clock_that_is_changed_before_the_start_is_the_one_in_the_history(inn: TaflInn) -> None:
    page, old = inn.guest("Pat"), inn.client("Old", "7")
    table = page.open("tafl", options={"variant": "brandub"}, start="host")
    room = inn.load(table).table.room
    old.say(f"spectate {room} true none")
    clock = {"kind": "overtime", "main": 300_000, "length": 30_000, "periods": 3}
    page.sure("configure", table=table, clock=clock)
    inn.hall.do(inn.hall.live[table], c.SeatBot(page.person, "casual"))
    page.sure("start", table=table)
    page.sure("act", table=table, action={"type": "move", "start": 21, "end": 14})
    old.read()
    (told,) = old.say("history")
    assert told.startswith(f"history 7 a4-a3 {TIMED}||")
