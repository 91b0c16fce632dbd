"""Options whose check plays a whole game through hold nobody up: they are checked in a thread, and seldom."""

import asyncio
from base64 import b64encode
from collections.abc import Awaitable, Callable, Iterator
from typing import Any

import msgspec
import pytest
from msgspec.structs import replace
from tests.doors.support.inn import Guest
from tests.doors.support.topple_inn import ToppleInn, topple_inn
from tests.games.support.topple_tables import SUSPENDED

from gamut.games.topple.files.playback import final
from gamut.games.topple.files.record import Moved, Record, Waited
from gamut.games.topple.files.suspended import suspended
from gamut.games.topple.files.tables import resumption_of
from gamut.games.topple.files.writer import write
from gamut.games.topple.state import ToppleState
from gamut.hall.files.resuming import opening_for
from gamut.hall.ids import Millis
from gamut.hall.limits.attempts import Limit
from gamut.hall.limits.slow_work import SlowWorkSettings
from gamut.hall.live.rebuilding import Rebuilding
from gamut.hall.settings import HallSettings
from gamut.hall.table.deciding.lock import locked, opens


def saved(tile: int = 5, **changes: Any) -> bytes:
    return write(replace(SUSPENDED, **{"events": (Moved(1, tile),), **changes}))


def options(file: bytes, **others: Any) -> dict[str, Any]:
    return {"resume": b64encode(file).decode(), **others}


class Watched:
    """Where games are played through and passwords hashed: each time, whether in a thread."""

    def __init__(self, inn: ToppleInn, monkeypatch: pytest.MonkeyPatch) -> None:
        self.played: list[bool] = []
        self.hashed: list[bool] = []
        self._in_thread = False
        self._hold: asyncio.Event | None = None
        self._inn = inn
        monkeypatch.setattr("gamut.games.topple.files.suspended.final", self._final)
        for module in ("doors.web.setting_up", "doors.topple.entering"):
            monkeypatch.setattr(f"gamut.{module}.locked", self._locked)
        monkeypatch.setattr(inn.hall, "run_blocking", self._run_blocking)
        monkeypatch.setattr(inn.hall.slow_work, "_run_blocking", self._run_blocking)

    def _final(self, record: Record) -> ToppleState:
        self.played.append(self._in_thread)
        return final(record)

    def _locked(self, password: str) -> str:
        self.hashed.append(self._in_thread)
        return locked(password)

    async def _run_blocking(self, call: Callable[..., Any], *args: Any) -> Any:
        if self._hold is not None:
            await self._hold.wait()
        self._inn.settle()
        self._in_thread = True
        try:
            return call(*args)
        finally:
            self._in_thread = False

    def while_waiting(self, waiting: Awaitable[None] | None, meanwhile: Callable[[], Any]) -> None:
        """The thread does not come to it before this has happened."""
        assert waiting is not None
        self._hold = asyncio.Event()

        async def both() -> None:
            task = asyncio.ensure_future(waiting)
            for _ in range(5):
                await asyncio.sleep(0)
            assert self._hold is not None
            meanwhile()
            self._hold.set()
            self._hold = None
            await task

        self._inn.run(both())
        self._inn.settle()


@pytest.fixture(name="inn")
def _inn() -> Iterator[ToppleInn]:
    with topple_inn() as house:
        yield house


@pytest.fixture(name="watched")
def _watched(inn: ToppleInn, monkeypatch: pytest.MonkeyPatch) -> Watched:
    return Watched(inn, monkeypatch)


def message(kind: str, **fields: Any) -> bytes:
    return msgspec.json.encode({"type": kind, "id": 1, **fields})


def answer(guest: Guest) -> Any:
    (found,) = [said for said in guest.read() if said.get("id") == 1]
    return found


def test_a_suspended_game_is_played_through_in_a_thread_and_once(inn: ToppleInn, watched: Watched) -> None:
    ann, bob = inn.guest("Ann"), inn.guest("Bob")
    table = ann.open("topple", options=options(saved()), seats=2, start="host")
    assert watched.played == [True]
    another = ann.open("topple", options=options(saved()), seats=2)
    assert another != table
    bob.sure("sit", table=table)
    bob.sure("leave", table=table)
    # The page says all of the options again when something else of the settings is changed.
    shown = inn.hall.live[table].log[0].options
    assert shown["position"]["turn"] == 1
    assert Rebuilding(inn.hall.storage, inn.hall.games).table(table) is not None
    assert watched.played == [True], "reading a table plays nothing through"
    back = inn.guest("Ann")
    back.sure("configure", table=table, options=shown, clock={"kind": "bank", "main": 60_000})
    back.sure("configure", table=table, options=shown)
    assert watched.played == [True, True], "the file as it is kept is another one; both are remembered"
    bob.sure("sit", table=table)
    back.sure("start", table=table)
    assert inn.hall.live[table].table.state.turn == 1
    assert watched.played == [True, True]


@pytest.mark.parametrize(
    "bad",
    [
        options(b"\6nonsense"),
        options(saved()[:-1]),
        options(saved(events=(Moved(1, 5), Moved(2, 5)))),
        options(saved(), x=5),
        options(saved(), position=7),
        {"resume": 7},
        {"resume": ["x"] * 1000},
        {"resume": "%"},
        {"resume": "x", "nonsense" * 1000: 1},
    ],
    ids=["nonsense", "cut", "unruly", "board", "position", "number", "list", "no base64", "long"],
)
def test_what_cannot_go_on_is_refused_and_that_is_remembered(
    inn: ToppleInn, watched: Watched, bad: dict[str, Any]
) -> None:
    ann = inn.guest("Ann")
    table = ann.open("topple", seats=2)
    before = inn.bytes_of(table)
    for _ in range(3):
        assert ann.refused("open", game="topple", options=bad) == "bad_options"
        assert ann.refused("configure", table=table, options=bad) == "bad_options"
    assert watched.played in ([], [True])
    assert inn.bytes_of(table) == before
    assert len(inn.hall.register.unfinished) == 1
    assert len(ann.raw) < 20_000, "what was sent is not sent back"


def test_what_a_client_says_of_the_position_is_not_believed(inn: ToppleInn) -> None:
    ann = inn.guest("Ann")
    table = ann.open("topple", options=options(saved()), seats=2)
    right = inn.hall.live[table].log[0].options
    lie = {**right, "position": {**right["position"], "turn": 0}}
    other = ann.open("topple", options=lie, seats=2)
    assert inn.hall.live[other].log[0].options == right
    third = ann.open("topple", options={"position": lie["position"]}, seats=2)
    assert inn.hall.live[third].table.options.position is None


def test_nobody_has_more_games_played_through_than_so_many() -> None:
    few = SlowWorkSettings(per_person=Limit(3, Millis(60_000)))
    with topple_inn(settings=HallSettings(slow_work=few)) as inn:
        ann, bob = inn.guest("Ann"), inn.guest("Bob")
        for tile in (0, 1, 1):
            table = ann.open("topple", options=options(saved(tile)), seats=2)
        for tile in (9, 1):
            assert ann.refused("open", game="topple", options=options(saved(tile))) == "too_many_tries"
            assert ann.refused("configure", table=table, options=options(saved(tile))) == "too_many_tries"
        ann.open("topple", seats=2)
        bob.open("topple", options=options(saved(9)), seats=2)
        inn.advance(20_000)
        ann.open("topple", options=options(saved(9)), seats=2)
        assert ann.refused("open", game="topple", options=options(saved(9))) == "too_many_tries"


def test_two_connections_of_one_person_do_not_get_ahead_of_others(inn: ToppleInn, watched: Watched) -> None:
    ann, again = inn.guest("Ann"), inn.guest("Ann")
    waiting = ann.session.text(message("open", game="topple", options=options(saved(1)), seats=2))
    heard: list[Any] = []

    def meanwhile() -> None:
        second = again.session.text(message("open", game="topple", options=options(saved(2)), seats=2))
        assert second is not None
        heard.append(asyncio.ensure_future(second))

    watched.while_waiting(waiting, meanwhile)
    assert answer(ann)["type"] == "opened"
    assert answer(again)["code"] == "too_many_tries"
    assert watched.played == [True]


def test_after_the_check_everything_is_asked_again(inn: ToppleInn, watched: Watched) -> None:
    ann, bob = inn.guest("Ann"), inn.guest("Bob")
    elsewhere = {guest: inn.guest(guest.session.known.name) for guest in (ann, bob)}
    table = ann.open("topple", seats=2, start="host")
    bob.sure("sit", table=table)
    live = inn.hall.live[table]
    for host, tile, meanwhile, refusal in (
        (ann, 1, message("promote", table=table, seat=1), "not_host"),
        (bob, 2, message("start", table=table), "started"),
    ):
        waiting = host.session.text(message("configure", table=table, options=options(saved(tile))))
        other = elsewhere[host].session
        watched.while_waiting(waiting, lambda other=other, said=meanwhile: other.text(said))  # type: ignore[misc]
        assert answer(host)["code"] == refusal
        assert live.table.options.resume == b""
    assert live.table.host == bob.person
    assert live.table.phase == "playing"
    assert ann.refused("configure", table=table, options=options(saved(3))) == "not_host"
    assert bob.refused("configure", table=table, options=options(saved(3))) == "started"
    assert watched.played == [True, True], "whoever may not do it has nothing checked"


def test_whoever_hangs_up_meanwhile_opens_and_changes_nothing(inn: ToppleInn, watched: Watched) -> None:
    ann = inn.guest("Ann")
    waiting = ann.session.text(message("open", game="topple", options=options(saved()), password="x"))
    watched.while_waiting(waiting, ann.session.closed)
    assert not inn.hall.register.unfinished
    bob = inn.guest("Bob")
    table = bob.open("topple", seats=2)
    waiting = bob.session.text(message("configure", table=table, options=options(saved(2))))
    watched.while_waiting(waiting, bob.session.closed)
    assert inn.hall.live[table].table.options.resume == b""


def test_a_table_s_password_is_hashed_in_a_thread_after_all_else_was_right(
    watched: Watched, inn: ToppleInn
) -> None:
    ann = inn.guest("Ann")
    for wrong in (
        {"game": "nosuch"},
        {"seats": 99},
        {"bots": ["clever"]},
        {"bots": ["casual"] * 2, "seats": 2},
        {"options": {"x": 0}},
        {"options": options(b"x")},
    ):
        ann.refused("open", **{"game": "topple", "password": "swordfish", **wrong})
    assert watched.hashed == []
    table = ann.open("topple", password="swordfish")
    assert watched.hashed == [True]
    password = inn.hall.live[table].table.password
    assert password is not None
    assert opens(password, "swordfish")


def test_a_full_house_hashes_nothing(monkeypatch: pytest.MonkeyPatch) -> None:
    with topple_inn(settings=HallSettings(most_tables=1, tables_per_person=1)) as inn:
        watched = Watched(inn, monkeypatch)
        ann, bob = inn.guest("Ann"), inn.guest("Bob")
        ann.open("topple")
        assert bob.refused("open", game="topple", password="x", options=options(saved())) == "hall_full"
        (error,) = inn.connect("t=1&d=0,3,3&p=2&pw=x").read()
        assert error["payload"]["message"] == "Servers Are Unable To Process That Request At This Time"
        assert watched.hashed == watched.played == []


def test_the_topple_door_hashes_a_room_s_password_in_a_thread(inn: ToppleInn, watched: Watched) -> None:
    for query in ("t=1&d=9,3,3&p=2&pw=x", "t=1&d=0,3,3&p=99&pw=x", "t=1&d=0,36,36&p=2&pw=x"):
        inn.connect(query)
    assert watched.hashed == []
    host = inn.seated("t=1&d=0,3,3&p=2&pw=swordfish")
    assert watched.hashed == [True]
    assert host.number == 1
    importer = inn.connect("t=1&res=1&p=1&pw=swordfish")
    importer.say_binary(b"\x55\x99" + b"nonsense")
    assert watched.hashed == [True]
    importer = inn.connect("t=1&res=1&p=1&pw=swordfish")
    importer.say_binary(b"\x55\x99" + saved())
    room = importer.say("resjoin:select", n=1)[2]["payload"]["g"]
    assert watched.hashed == [True, True]
    guest = inn.connect(f"t=0&g={room}")
    assert guest.say("game:password", pw="swordfish")[0]["type"] == "resjoin:available"
    assert watched.played == [True]


def test_many_tables_with_long_options_are_little_to_tell_the_lobby(inn: ToppleInn) -> None:
    watcher = inn.guest("Wat")
    watcher.sure("lobby")
    before = len(watcher.raw)
    file = saved(events=(Moved(1, 5), *[Waited(1)] * 3_000))
    assert len(file) > 10_000
    for person in range(4):
        guest = inn.guest(f"Guest {person}")
        for _ in range(5):
            table = inn.hall.open(opening_for_public(file), guest.person)
            assert len(table.table.options.resume) > 10_000
    inn.advance(1_000)
    assert len(watcher.raw) - before < 20 * 600


def opening_for_public(file: bytes) -> Any:
    return replace(opening_for("topple", resumption_of(suspended(file))), private=False)


@pytest.mark.parametrize("game", ["tower", "topple"])
def test_deep_or_huge_options_of_any_game_are_answered_in_few_words(
    inn: ToppleInn, watched: Watched, game: str
) -> None:
    ann = inn.guest("Ann")
    table = ann.open(game)
    ann.read()
    before = len(ann.raw)
    deep = [b"[" * depth + b"]" * depth for depth in (10, 400, 900, 990, 30_000)]
    huge = [b'"%b"' % (b"x" * 60_000), b"[%b0]" % (b"0," * 30_000), b"9" * 60_000, b"1" + b"0" * 4_000]
    for value in deep + huge:
        for options in (
            b'{"resume":%b}',
            b'{"x":%b}',
            b'{"resume":"x","nonsense":%b}',
            b'{"position":%b}',
            b"%b",
        ):
            sent = options % value
            ann.send(b'{"type":"open","game":"%b","options":%b}' % (game.encode(), sent))
            ann.send(b'{"type":"configure","table":"%b","options":%b}' % (table.encode(), sent))
    for said in (
        b'{"type":"open","%b":1}',
        b'{"type":"decorate","table":"' + table.encode() + b'","decor":{"%b":1}}',
    ):
        ann.send(said % (b"x" * 60_000))
    answers = ann.read()
    assert {answer["type"] for answer in answers} == {"error"}
    assert {answer["code"] for answer in answers} <= {"bad_message", "bad_options", "bad_decor"}
    assert len(answers) == 92
    assert len(ann.raw) - before < 92 * 600
    assert watched.played == []
    assert ann.wire.closed is None
    assert len(inn.hall.register.unfinished) == 1
