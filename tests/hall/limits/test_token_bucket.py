from hypothesis import given
from hypothesis import strategies as st
from tests.hall.support.townsfolk import Clock

from gamut.hall.ids import Millis
from gamut.hall.limits.token_bucket import Rate, TokenBucket, TokenBuckets


def test_so_many_tokens_at_once_and_then_as_they_come_back() -> None:
    bucket = TokenBucket(Rate(burst=3, tokens=2, per=1))
    assert [bucket.take(10.0) for _ in range(4)] == [True, True, True, False]
    assert not bucket.take(10.25)
    assert bucket.take(10.5)
    assert bucket.take(10.625, 0.25), "a part of a token comes back in a part of the time"
    assert not bucket.take(10.625, 0.25)


def test_a_bucket_that_owes_something_has_tokens_again_once_that_is_paid() -> None:
    clock = Clock()
    buckets = TokenBuckets(Rate(burst=10, tokens=5, per=1000), clock, None)
    buckets.take("anna", 30)
    assert buckets.wait("anna", 0) == 4000
    assert buckets.wait("anna", 1) == 4200
    assert buckets.wait("bob", 10) == 0
    clock.forward(4000)
    assert buckets.wait("anna", 0) == 0
    assert buckets.wait("anna", 1) == 200


@given(
    st.builds(Rate, st.integers(1, 20), st.integers(1, 20), st.integers(1, 5000)),
    st.lists(st.tuples(st.integers(0, 5000), st.integers(1, 4))),
)
def test_a_single_bucket_and_one_of_many_give_the_same_answers(
    rate: Rate, steps: list[tuple[int, int]]
) -> None:
    clock = Clock()
    single, many = TokenBucket(rate), TokenBuckets(rate, clock, None)
    for pause, wanted in steps:
        clock.forward(pause)
        cost = min(wanted, rate.burst)
        wait = many.wait("anna", cost)
        assert single.take(clock(), cost) == (wait == 0)
        if wait:
            clock.forward(wait - 1)
            assert many.wait("anna", cost) == Millis(1), "it was said exactly when there are enough"
        else:
            many.take("anna", cost)
