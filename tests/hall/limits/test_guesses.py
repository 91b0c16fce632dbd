"""Guesses are counted by address; what was right, or refused for another reason, was none."""

import pytest
from tests.hall.support.townsfolk import Clock

from gamut.games.game import Refused
from gamut.hall.ids import Millis
from gamut.hall.limits.attempts import Limit, TooManyTries
from gamut.hall.limits.guesses import Guesses

HERE, FAR = "127.0.0.1", "203.0.113.7"
TWO = Limit(2, Millis(60_000))


class Wrong(Refused):
    def __init__(self) -> None:
        super().__init__("wrong", "That is wrong.")


def guess(guesses: Guesses, address: str, outcome: Exception | None) -> type[Exception] | None:
    """What became of it."""
    try:
        with guesses.counting(address, Wrong):
            if outcome is not None:
                raise outcome
    except Refused as refused:
        return type(refused)
    return None


def test_only_what_was_wrong_is_counted() -> None:
    guesses = Guesses(TWO, Clock())
    for _ in range(5):
        assert guess(guesses, FAR, None) is None
        assert guess(guesses, FAR, Refused("full", "There is no room.")) is Refused
    for _ in range(2):
        assert guess(guesses, FAR, Wrong()) is Wrong
    assert guess(guesses, FAR, None) is TooManyTries
    assert guess(guesses, "203.0.113.8", None) is None


def test_tries_come_back() -> None:
    clock = Clock()
    guesses = Guesses(TWO, clock)
    for _ in range(2):
        guess(guesses, FAR, Wrong())
    clock.forward(30_000)
    assert guess(guesses, FAR, None) is None


def test_this_machine_is_spared_only_where_that_is_wanted() -> None:
    spared, counted = Guesses(TWO, Clock(), spare_loopback=True), Guesses(TWO, Clock())
    for _ in range(5):
        spared.begin(HERE)
    spared.right(HERE)
    for _ in range(2):
        counted.begin(HERE)
    with pytest.raises(TooManyTries):
        counted.begin(HERE)
    counted.right(HERE)
    counted.begin(HERE)
