"""Room codes and keys are not found by trying, and nobody opens rooms without end."""

from collections.abc import Iterator

import pytest
from tests.doors.support.topple_inn import ABROAD, ToppleInn, topple_inn
from tests.doors.topple.test_coming_in import fatal

from gamut.doors.topple.door import ToppleSettings
from gamut.hall.ids import Millis
from gamut.hall.limits.attempts import Limit

BUSY = "Servers Are Unable To Process That Request At This Time"
MINUTE = Millis(60_000)


@pytest.fixture(name="inn")
def _inn() -> Iterator[ToppleInn]:
    few = ToppleSettings(misses=Limit(4, MINUTE), new_rooms=Limit(3, MINUTE))
    with topple_inn(topple=few) as house:
        yield house


def looked_up(inn: ToppleInn, monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """Codes for which the ledger is asked."""
    asked: list[str] = []
    named = inn.storage.named

    def counted(game: str, room: str) -> object:
        asked.append(room)
        return named(game, room)

    monkeypatch.setattr(inn.storage, "named", counted)
    return asked


@pytest.mark.parametrize("kind", ["t=0", "t=4", "t=3&i=1&k=x", "t=5&n=1&k=x"])
def test_after_so_many_rooms_that_are_none_nothing_is_looked_up(
    inn: ToppleInn, monkeypatch: pytest.MonkeyPatch, kind: str
) -> None:
    host = inn.create()
    asked = looked_up(inn, monkeypatch)
    for number in range(4):
        (error,) = inn.connect(f"{kind}&g=NOSUCH{number}").read()
        assert error["payload"]["message"] in ("Game Not Found", "game id does not exist")
    assert len(asked) == 4
    fatal(inn.connect(f"{kind}&g=NOSUCH9"), BUSY)
    fatal(inn.connect(f"t=0&g={host.room}"), BUSY)
    assert len(asked) == 4, "the answer is the same whether there is such a room or not"
    assert inn.seated(f"t=0&g={host.room}", ABROAD).number == 2, "others are not held up"
    inn.advance(MINUTE // 4)
    assert inn.seated(f"t=4&g={host.room}").payload("spectator:ownid")


def test_wrong_keys_are_counted_and_right_ones_are_not(inn: ToppleInn) -> None:
    host = inn.create()
    player = inn.join(host.room)
    for _ in range(10):
        player.hang_up()
        player = inn.rejoin(host.room, 2, player.key)
        assert player.number == 2
    player.hang_up()
    for _ in range(4):
        fatal(inn.connect(f"t=3&g={host.room}&i=2&k=guess"), "incorrect key", None, stored=False)
    fatal(inn.connect(f"t=3&g={host.room}&i=2&k={player.key}"), BUSY)
    key = inn.table(host.room).table.key
    for _ in range(4):
        inn.connect(f"t=5&g={host.room}&n=3&k=guess", ABROAD)
    fatal(inn.connect(f"t=5&g={host.room}&n=3&k={key}", ABROAD), BUSY)


def test_rooms_that_are_there_may_be_asked_for_again_and_again(inn: ToppleInn) -> None:
    host = inn.create("t=1&s=0&d=0,3,3&p=2")
    inn.join(host.room)
    for _ in range(10):
        fatal(inn.connect(f"t=0&g={host.room}"), "room is full")
        fatal(inn.connect(f"t=4&g={host.room}"), "spectators aren't allowed in this room")


def test_an_address_opens_only_so_many_rooms_in_a_minute(inn: ToppleInn) -> None:
    longest = f"t=2&d=3,15,15&p=10&s=1&pw={'x' * 64}"
    for _ in range(3):
        inn.create(longest)
    for query in (longest, "t=1&d=0,3,3&p=2"):
        for _ in range(50):
            inn.connect(query)
    assert len(inn.hall.register.unfinished) == 3
    fatal(inn.connect(longest), BUSY)
    assert inn.seated("t=1&d=0,3,3&p=2", ABROAD).number == 1
    for _ in range(10):
        assert inn.seated("t=1&d=0,3,3&p=2", "127.0.0.1").number == 1
    inn.advance(MINUTE // 3)
    assert inn.seated("t=1&d=0,3,3&p=2").number == 1


def test_garbage_of_every_size_is_refused_and_counted_by_address(inn: ToppleInn) -> None:
    for power in range(18):
        client = inn.connect("t=1&res=1&p=1", f"198.51.100.{power}")
        inn.run(client.session.binary(b"\x55\x99" + b"\6" * (1 << power)))
        inn.settle()
        fatal(client, "not a suspended topple")
    assert not inn.hall.register.unfinished
