"""The delay and the loss that proxies make, and the figures of many durations."""

from random import Random

import pytest
from bench.cluster.spread import Spread
from bench.cluster.weather import Weather


def test_what_is_sent_arrives_later_and_in_its_order() -> None:
    weather, before = Weather(0.005, 0.2, Random(1)), 0.0
    arrived = [before := weather.arrives(at / 1000, 100, before) for at in range(1000)]
    assert arrived == sorted(arrived)
    assert all(there >= at / 1000 + 0.005 for at, there in enumerate(arrived))


def test_what_is_lost_comes_a_retransmission_later() -> None:
    weather = Weather(0.005, 0.1, Random(1))
    late = [weather.arrives(0.0, 100, 0.0) > 0.2 for _ in range(2000)]
    assert sum(late) == pytest.approx(200, rel=0.25)


def test_without_loss_nothing_is_sent_twice() -> None:
    weather = Weather(0.005, 0.0, Random(1))
    assert {weather.arrives(1.0, 100_000, 0.0) for _ in range(100)} == {1.005}


def test_parts_of_a_spread_are_as_of_all_that_was_measured() -> None:
    spread = Spread()
    spread.add_all(number / 1000 for number in range(1, 1001))
    assert spread.number == 1000
    assert spread.part(0.5) == pytest.approx(0.5, rel=0.02)
    assert spread.part(0.99) == pytest.approx(0.99, rel=0.02)
    assert spread.worst == 1.0
    assert len(spread.buckets) < 400
