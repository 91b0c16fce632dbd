"""Passwords of tables: said or sent as a hash, for a seat and, where the table wants it, for watching."""

import hashlib
from pathlib import Path
from typing import Any

import msgspec
import pytest
from tests.hall.support.inmemory import House, make_hall

from gamut.games.game import Refused
from gamut.hall.live.live_table import LiveTable
from gamut.hall.live.opening import Opening
from gamut.hall.live.succession import go_on
from gamut.hall.lobby.summary import summary_of
from gamut.hall.people.prehash import BadHash, check_prehash, password_bytes, prehashed
from gamut.hall.table import codec
from gamut.hall.table import commands as c
from gamut.hall.table import events as e
from gamut.hall.table.deciding.lock import locked, locked_hashed, opens, opens_hashed
from gamut.hall.table.seats import Sitter

VECTORS = Path(__file__).parents[2] / "vectors" / "tafl" / "password_hash.json"
OF_OLD = "000102030405060708090a0b0c0d0e0f:d1b9cf86c9aa2b2ed051a8319ff6ccba3f7ecb86e99596efb35afb1ae7a03dd3"
"""A table's password as it was stored before clients could send a hash: café."""

SWORDFISH = prehashed("", "swordfish")


class Vector(msgspec.Struct):
    salt: str
    password: str
    hash: str


@pytest.mark.parametrize("vector", msgspec.json.decode(VECTORS.read_bytes(), type=list[Vector]))
def test_the_hash_is_the_one_that_clients_make(vector: Vector) -> None:
    assert prehashed(vector.salt, vector.password) == vector.hash
    check_prehash(vector.hash)


def test_however_an_accent_is_typed_the_hash_is_the_same_but_the_salt_is_taken_as_it_is() -> None:
    assert prehashed("x", "caf\u00e9") == prehashed("x", "cafe\u0301")
    assert prehashed("caf\u00e9", "x") != prehashed("cafe\u0301", "x")
    # An accent at the beginning of a password does not change the name before it.
    assert prehashed("cafe", "\u0301") != prehashed("caf\u00e9", "")


@pytest.mark.parametrize(
    "text",
    [
        "",
        "open",
        "swordfish",
        SWORDFISH[:-1],
        SWORDFISH + "=",
        SWORDFISH[:-3] + "B==",
        SWORDFISH[:44],
        "\u00e9" * 88,
        SWORDFISH[:40] + "\n" + SWORDFISH[41:],
        " " + SWORDFISH[1:],
        "\ud800" * 88,
        SWORDFISH.replace("=", "A"),
    ],
)
def test_what_is_no_hash_is_refused(text: str) -> None:
    with pytest.raises(BadHash):
        check_prehash(text)
    with pytest.raises(BadHash):
        locked_hashed(text)
    assert not opens_hashed(locked("swordfish"), text)


def test_a_password_opens_what_its_hash_has_locked_and_the_other_way_round() -> None:
    for stored in (locked("swordfish"), locked_hashed(SWORDFISH)):
        assert opens(stored, "swordfish")
        assert opens_hashed(stored, SWORDFISH)
        assert not opens(stored, "Swordfish")
        assert not opens(stored, SWORDFISH), "a hash that is said as a password is another password"
        assert not opens_hashed(stored, prehashed("", "Swordfish"))
        assert not opens_hashed(stored, prehashed("Ann", "swordfish"))
        assert not opens_hashed(stored, "swordfish")
        assert SWORDFISH not in stored


def test_tables_from_before_open_for_their_password_but_not_for_a_hash() -> None:
    assert opens(OF_OLD, "caf\u00e9")
    assert opens(OF_OLD, "cafe\u0301")
    assert not opens(OF_OLD, "cafe")
    assert not opens_hashed(OF_OLD, prehashed("", "caf\u00e9"))


def test_whoever_knows_the_password_may_come_and_go_without_holding_everybody_up(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    stored, worked_out = locked("swordfish"), []
    slowly = hashlib.pbkdf2_hmac

    def watched(*args: Any) -> bytes:
        worked_out.append(args)
        return slowly(*args)

    monkeypatch.setattr(hashlib, "pbkdf2_hmac", watched)
    for _ in range(20):
        assert opens(stored, "swordfish")
        assert opens_hashed(stored, SWORDFISH)
    assert len(worked_out) <= 1
    assert not opens(stored, "tuna")
    assert worked_out, "or this counts nothing"


def opened(house: House, **fields: Any) -> LiveTable:
    opening = Opening(game="tower", password=locked("swordfish"), **fields)
    return house.open(opening, "ann")


def sit(house: House, live: LiveTable, name: str, **said: Any) -> None:
    house.do(live, c.Sit(Sitter(house.listener(name).person, name.title()), **said))


def test_whoever_sits_down_may_send_the_hash_of_the_password() -> None:
    house = make_hall()
    live = opened(house)
    for wrong in (prehashed("", "tuna"), "swordfish", ""):
        with pytest.raises(Refused) as refused:
            sit(house, live, "bob", password_hash=wrong)
        assert refused.value.code == "wrong_password"
    sit(house, live, "bob", password_hash=SWORDFISH)
    assert live.table.seat_of(house.listener("bob").person) == 0


# Watching


def watch(house: House, live: LiveTable, name: str, **how: Any) -> str | None:
    """Why it was refused, if it was."""
    try:
        house.hall.attendance.attend(live, house.listener(name), **how)
    except Refused as refused:
        return refused.code
    return None


def test_a_password_may_guard_watching_too() -> None:
    house = make_hall()
    live = opened(house, guards_watching=True)
    assert watch(house, live, "cy") == "locked"
    assert watch(house, live, "cy", password="tuna") == "wrong_password"
    assert watch(house, live, "cy", password_hash=prehashed("", "tuna")) == "wrong_password"
    assert live.here == {}
    assert watch(house, live, "cy", password="swordfish") is None
    assert watch(house, live, "cy") is None, "who is here already comes in with another connection"
    assert watch(house, live, "di", password_hash=SWORDFISH) is None
    assert watch(house, live, "eve", invited=True) is None
    assert watch(house, live, "ann") is None, "the host need not say it"
    assert summary_of(live.game, live.table).guards_watching


def test_whoever_sits_there_need_not_say_the_password_to_look() -> None:
    house = make_hall()
    live = opened(house, guards_watching=True)
    sit(house, live, "bob", password="swordfish")
    assert watch(house, live, "bob") is None


def test_by_default_a_password_is_for_seats_alone() -> None:
    house = make_hall()
    live = opened(house)
    assert watch(house, live, "cy") is None
    assert not summary_of(live.game, live.table).guards_watching


def test_a_game_that_is_over_may_be_looked_at_by_anyone() -> None:
    house = make_hall()
    live = opened(house, guards_watching=True)
    sit(house, live, "bob", password="swordfish")
    house.do(live, c.Leave(house.listener("bob").person))
    assert live.table.phase == "over"
    assert watch(house, live, "cy") is None


def test_the_next_game_at_a_table_guards_watching_as_well_and_so_does_it_after_a_restart() -> None:
    house = make_hall()
    live = opened(house, guards_watching=True)
    assert watch(house, live, "cy", password="swordfish") is None
    go_on(house.hall, live, rotate=False)
    assert live.table.successor is not None
    following = house.hall.live[live.table.successor]
    assert [listener.person for listener in following.listeners[house.door]] == ["cy"]
    assert watch(house, following, "di") == "locked"
    stored = codec.Decoder(live.game).decode(codec.encode(following.log[0]))
    assert isinstance(stored, e.Opened)
    assert stored.guards_watching


def test_stored_tables_that_say_nothing_of_it_do_not_guard_watching() -> None:
    house = make_hall()
    live = opened(house)
    body = codec.encode(live.log[0])
    assert b"guards_watching" not in body
    assert codec.Decoder(live.game).decode(body).guards_watching is False


def test_what_is_too_long_for_a_password_is_not_composed() -> None:
    """That takes the square of the number of accents in a row: seconds, for as many as a message has room for."""
    heap = "a" + "\u0301\u0316" * 200
    assert password_bytes(heap) == heap.encode()
    assert not opens(locked("swordfish"), heap)
    assert not opens(OF_OLD, heap)
    assert password_bytes("cafe\u0301") == "caf\u00e9".encode()
