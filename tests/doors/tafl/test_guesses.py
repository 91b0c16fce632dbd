"""Passwords of games are not found by trying: who says one is counted before it is looked at."""

import hashlib
from collections.abc import Iterator
from typing import Any

import pytest
from tests.doors.support.tafl_inn import Client, TaflInn, create, game_password, join, spectate, tafl_inn

from gamut.hall.table.deciding import lock

TRIES = 5
"""Wrong passwords from one address, before they are not looked at any more."""
RIGHT = game_password("swordfish")
KINDS = ["", "ext", "7"]


@pytest.fixture(name="inn")
def _inn() -> Iterator[TaflInn]:
    with tafl_inn() as house:
        yield house


@pytest.fixture(name="hashed")
def _hashed(monkeypatch: pytest.MonkeyPatch) -> list[int]:
    """The length of every word that was slowly hashed."""
    lengths: list[int] = []
    slowly = hashlib.pbkdf2_hmac

    def counted(name: str, word: bytes, *args: Any) -> bytes:
        lengths.append(len(word))
        return slowly(name, word, *args)

    monkeypatch.setattr(hashlib, "pbkdf2_hmac", counted)
    return lengths


def wrong(number: int) -> str:
    return game_password(f"guess {number}")


def comes(client: Client, way: Any, word: str) -> str:
    return str(way(client, password=word)[0])


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("way", [join, spectate])
def test_after_so_many_wrong_ones_nothing_is_checked_whether_right_or_wrong(
    inn: TaflInn, hashed: list[int], kind: str, way: Any
) -> None:
    create(inn.client("Ann"), password=RIGHT)
    guesser = inn.client("Bob", kind)
    hashed.clear()
    answers = {comes(guesser, way, wrong(number)) for number in range(TRIES)}
    assert answers == {"error invalid-game-password" if kind == "7" else "error invalid-password"}
    assert len(hashed) == TRIES, "each once"
    refused = {comes(guesser, way, word) for word in (wrong(9), RIGHT, "x" * 60_000, wrong(0))}
    assert refused == {"error unknown-error" if kind == "7" else "error rate-limited"}
    assert len(hashed) == TRIES
    assert guesser.session.live is None
    assert not inn.table().table.full


@pytest.mark.parametrize("kind", KINDS)
def test_words_that_are_no_hash_are_counted_and_neither_worked_on_nor_remembered(
    inn: TaflInn, hashed: list[int], kind: str
) -> None:
    create(inn.client("Ann"), password=RIGHT)
    guesser = inn.client("Bob", kind)
    hashed.clear()
    remembered = lock._check.cache_info().currsize
    for number in range(3 * TRIES):
        assert comes(guesser, join, f"{number}{'x' * 60_000}").startswith("error ")
    assert hashed == []
    assert lock._check.cache_info().currsize == remembered


@pytest.mark.parametrize("kind", KINDS)
def test_whoever_knows_it_comes_and_goes_and_it_is_hashed_once(
    inn: TaflInn, hashed: list[int], kind: str
) -> None:
    page, friend = inn.guest("Pat"), inn.client("Bob", kind)
    table = page.open("tafl", options={"variant": "brandub"}, start="host", password="swordfish")
    room = inn.load(table).table.room
    hashed.clear()
    for _ in range(4 * TRIES):
        heard = friend.say(f"join-game {room} {'false ' if kind == '7' else ''}{RIGHT}")
        assert heard[0].startswith("success")
        friend.say(f"leave-game {room}")
    assert len(hashed) == 1


def test_wrong_words_are_not_remembered(hashed: list[int]) -> None:
    stored = lock.locked_hashed(RIGHT)
    remembered = lock._check.cache_info().currsize
    for _ in range(2):
        assert not lock.opens_hashed(stored, wrong(1))
        assert not lock.opens(stored, "x" * 60_000)
    assert lock._check.cache_info().currsize == remembered
    hashed.clear()
    for _ in range(3):
        assert lock.opens(stored, "swordfish")
        assert lock.opens_hashed(stored, RIGHT)
    assert hashed == [hashlib.sha256().digest_size], "nothing is remembered but a digest"
