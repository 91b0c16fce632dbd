"""Rejoin keys of any door: who shows the right one gets the seat back, and an old one counts until a newer is used."""

import string

import pytest
from tests.hall.support.inmemory import FakeListener, House, make_hall

from gamut.doors.keys import Keys
from gamut.games.game import Seat
from gamut.hall.live.live_table import LiveTable
from gamut.hall.live.opening import Opening

SECRET = "of these tests"
RED, GREEN = Seat(0), Seat(1)


@pytest.fixture(name="house")
def _house() -> House:
    return make_hall()


@pytest.fixture(name="keys")
def _keys() -> Keys:
    return Keys(SECRET, "cards", lambda digest: digest[:16].hex())


def at_play(house: House) -> LiveTable:
    return house.open(Opening(game="parlour", seats=2), "Ann", "Ann", "Ben")


def shown(keys: Keys, live: LiveTable, seat: Seat = RED) -> str:
    key = keys.rejoin(live, seat)
    assert key is not None
    return key


def come_back(house: House, live: LiveTable, listener: FakeListener, key: int | None) -> FakeListener:
    """Hang up, and come back with that key."""
    house.depart(live, listener)
    again = house.listener(listener.person)
    house.hall.attendance.attend(live, again, key)
    house.settle()
    return again


def test_a_key_opens_its_own_seat_and_no_other(house: House, keys: Keys) -> None:
    live, other = at_play(house), house.open(Opening(game="parlour", seats=2), "Cyd", "Cyd", "Dan")
    key = shown(keys, live)
    assert keys.which(live, RED, key) == 0
    assert keys.which(live, GREEN, key) is None
    assert keys.which(other, RED, key) is None
    for wrong in ("", key[:-1], key + "0", key.upper(), "\udc80", "0" * 32):
        assert keys.which(live, RED, wrong) is None


def test_nobody_and_bots_have_no_key(house: House, keys: Keys) -> None:
    live = house.open(Opening(game="parlour", seats=2), "Ann", "Ann")
    assert keys.rejoin(live, GREEN) is None
    assert keys.which(live, GREEN, "") is None


def test_an_old_key_counts_until_a_newer_one_is_used(house: House, keys: Keys) -> None:
    live = at_play(house)
    ann = house.attend(live, "Ann")
    first = shown(keys, live)
    ann = come_back(house, live, ann, keys.which(live, RED, first))
    second = shown(keys, live)
    assert second != first
    assert keys.which(live, RED, first) is not None, "the answer with the second may have been lost"
    come_back(house, live, ann, keys.which(live, RED, second))
    assert keys.which(live, RED, first) is None
    assert keys.which(live, RED, second) is not None


def test_the_keys_are_the_same_after_a_restart_and_others_at_another_server(house: House, keys: Keys) -> None:
    live = at_play(house)
    assert shown(Keys(SECRET, "cards", lambda digest: digest[:16].hex()), live) == shown(keys, live)
    assert shown(Keys("another", "cards", lambda digest: digest[:16].hex()), live) != shown(keys, live)


def test_a_key_of_one_door_is_worth_nothing_at_another(house: House, keys: Keys) -> None:
    live = at_play(house)
    other = Keys(SECRET, "chess", lambda digest: digest[:16].hex())
    assert other.which(live, RED, shown(keys, live)) is None
    assert other.fingerprint != keys.fingerprint


def test_a_door_says_how_its_keys_are_written(house: House, keys: Keys) -> None:
    live = at_play(house)
    key = shown(keys, live)
    assert len(key) == 32
    assert set(key) <= set(string.hexdigits)
    usual = shown(Keys(SECRET, "cards"), live)
    assert len(usual) == 86
    assert set(usual) <= {*string.ascii_letters, *string.digits, "-", "_"}


def test_a_door_with_a_long_name_has_keys_as_well(house: House) -> None:
    live = at_play(house)
    long = Keys(SECRET, "a door with a very long name")
    assert long.which(live, RED, shown(long, live)) == 0


def test_the_fingerprint_in_topple_s_files_is_what_it_has_always_been() -> None:
    assert Keys(SECRET, "topple").fingerprint.hex() == "698b36f7ad1ae2bc3cb4250a6af27f00"
