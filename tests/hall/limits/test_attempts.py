import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.hall.support.townsfolk import Clock

from gamut.hall.ids import Millis
from gamut.hall.limits.allowance import TooMuch
from gamut.hall.limits.attempts import Attempts, Limit, TooManyTries, address_key, is_loopback


def allowed(attempts: Attempts, key: str) -> bool:
    try:
        attempts.take(key)
    except TooManyTries:
        return False
    return True


def test_people_are_asked_to_wait_in_words() -> None:
    for wait, words in ((0, "1 second"), (1, "1 second"), (1_000, "1 second"), (1_001, "2 seconds")):
        assert f"wait {words} and" in TooManyTries(Millis(wait)).reason
        assert TooMuch(Millis(wait)).reason.endswith(f"wait {words}.")


def test_so_many_tries_at_once_and_then_no_more() -> None:
    attempts = Attempts(Limit(3, Millis(60_000)), Clock())
    assert [allowed(attempts, "anna") for _ in range(5)] == [True, True, True, False, False]
    assert attempts.refused == 2


def test_tries_come_back_one_by_one() -> None:
    clock = Clock()
    attempts = Attempts(Limit(3, Millis(60_000)), clock)
    for _ in range(3):
        attempts.take("anna")
    clock.forward(19_999)
    assert not allowed(attempts, "anna")
    clock.forward(1)
    assert allowed(attempts, "anna")
    assert not allowed(attempts, "anna")
    clock.forward(10 * 60_000)
    assert [allowed(attempts, "anna") for _ in range(4)] == [True, True, True, False]


def test_the_refusal_says_when_to_come_again() -> None:
    clock = Clock()
    attempts = Attempts(Limit(7, Millis(600_000)), clock)
    for _ in range(7):
        attempts.take("anna")
    with pytest.raises(TooManyTries) as refused:
        attempts.take("anna")
    assert refused.value.code == "too_many_tries"
    assert "86 seconds" in refused.value.reason
    clock.forward(refused.value.wait - 1)
    assert not allowed(attempts, "anna")
    clock.forward(1)
    assert allowed(attempts, "anna")


def test_one_name_does_not_use_up_the_tries_of_another() -> None:
    attempts = Attempts(Limit(1, Millis(1000)), Clock())
    assert allowed(attempts, "anna")
    assert allowed(attempts, "bob")
    assert not allowed(attempts, "anna")


def test_a_try_given_back_can_be_used_again() -> None:
    attempts = Attempts(Limit(1, Millis(1000)), Clock())
    attempts.take("anna")
    attempts.give_back("anna")
    attempts.give_back("nobody")
    assert allowed(attempts, "anna")
    assert not allowed(attempts, "anna")


def test_full_buckets_are_forgotten() -> None:
    clock = Clock()
    attempts = Attempts(Limit(2, Millis(1000)), clock)
    for number in range(100):
        attempts.take(str(number))
    assert len(attempts) == 100
    clock.forward(500)
    attempts.take("late")
    assert len(attempts) == 1
    assert attempts.forgotten == 0


def test_the_number_of_buckets_is_bounded_and_what_is_lost_is_counted() -> None:
    attempts = Attempts(Limit(1, Millis(1000)), Clock(), keys_at_most=10)
    for number in range(25):
        attempts.take(str(number))
    assert len(attempts) == 10
    assert attempts.forgotten == 15
    assert not allowed(attempts, "24")


def test_a_limit_of_nothing_is_a_mistake() -> None:
    with pytest.raises(ValueError):
        Attempts(Limit(0, Millis(1000)), Clock())


@given(
    st.integers(1, 20),
    st.integers(1, 100_000),
    st.lists(st.tuples(st.integers(0, 5000), st.sampled_from("ab"))),
)
def test_in_any_span_there_are_at_most_the_burst_and_what_came_back(
    tries: int, per: int, steps: list[tuple[int, str]]
) -> None:
    clock = Clock()
    attempts = Attempts(Limit(tries, Millis(per)), clock)
    taken: dict[str, list[int]] = {"a": [], "b": []}
    for pause, key in steps:
        clock.forward(pause)
        if allowed(attempts, key):
            taken[key].append(clock.time)
    for times in taken.values():
        for first, begin in enumerate(times):
            for last in range(first, len(times)):
                assert (last - first + 1 - tries) * per <= (times[last] - begin) * tries


@pytest.mark.parametrize("address", ["127.0.0.1", "127.8.9.10", "::1", "::ffff:127.0.0.1"])
def test_loopback(address: str) -> None:
    assert is_loopback(address)


@pytest.mark.parametrize(
    "address", ["128.0.0.1", "10.0.0.1", "::2", "::ffff:10.0.0.1", "localhost", "", "unknown"]
)
def test_not_loopback(address: str) -> None:
    assert not is_loopback(address)


def test_an_ipv6_household_is_one_address() -> None:
    assert address_key("2001:db8:1:2::7") == address_key("2001:db8:1:2:ffff::")
    assert address_key("2001:db8:1:2::7") != address_key("2001:db8:1:3::7")
    assert address_key("::ffff:10.0.0.1") == address_key("10.0.0.1")
    assert address_key("10.0.0.1") != address_key("10.0.0.2")
    assert address_key("unknown") == "unknown"
