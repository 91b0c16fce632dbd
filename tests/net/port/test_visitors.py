"""Connections count from the moment they are let in, and whoever keeps us waiting makes way for whoever comes."""

import asyncio
import logging
from collections import Counter
from typing import Any

import pytest

from gamut.net.port import limits
from gamut.net.port.address import networks
from gamut.net.port.limits import ConnectionLimits, TurnedAway
from gamut.net.port.open_files import OpenFiles, Places
from gamut.net.port.visitors import Visitors


class Line(asyncio.Transport):
    def __init__(self, address: str) -> None:
        super().__init__()
        self._address = address
        self.dropped = False

    def get_extra_info(self, name: str, default: Any = None) -> Any:
        return (self._address, 4711) if name == "peername" else default

    def abort(self) -> None:
        self.dropped = True


class Hall:
    def __init__(self, in_all: int = 100, per_address: int = 100) -> None:
        self.hits: Counter[str] = Counter()
        self.visitors = Visitors(in_all, per_address, networks(["10.0.0.7"]), TurnedAway(self.hits))

    def come(self, address: str = "192.0.2.1") -> tuple[Line, Any]:
        line = Line(address)
        return line, self.visitors.come(line)


def test_the_one_that_has_kept_us_waiting_longest_makes_way() -> None:
    hall = Hall(in_all=3)
    lines = [hall.come(f"192.0.2.{number}") for number in range(3)]
    hall.visitors.awaiting(lines[0][1])
    newcomer, visit = hall.come("192.0.2.9")
    assert visit is not None
    assert [line.dropped for line, _ in lines] == [False, True, False]
    assert not newcomer.dropped
    assert len(hall.visitors) == 3
    assert hall.hits == {"visitors": 1}
    hall.visitors.leave(lines[1][1])
    assert len(hall.visitors) == 3, "it is gone already"


def test_whoever_waits_for_us_is_never_dropped() -> None:
    hall = Hall(in_all=2)
    busy = [hall.come(), hall.come()]
    for _, visit in busy:
        hall.visitors.answering(visit)
    assert hall.come()[1] is None
    assert not any(line.dropped for line, _ in busy)
    assert hall.hits == {"visitors": 1}
    hall.visitors.answered(busy[0][1])
    assert hall.come()[1] is not None
    assert [line.dropped for line, _ in busy] == [True, False]


def test_one_address_makes_way_for_itself_and_for_nobody_else() -> None:
    hall = Hall(per_address=2)
    other, _ = hall.come("198.51.100.1")
    mine = [hall.come() for _ in range(5)]
    assert [line.dropped for line, _ in mine] == [True, True, True, False, False]
    assert not other.dropped
    assert hall.hits == {"visitors_per_address": 3}
    for _, visit in mine[-2:]:
        hall.visitors.answering(visit)
    assert hall.come()[1] is None


def test_in_ipv6_a_whole_network_of_64_bits_is_one_address() -> None:
    hall = Hall(per_address=2)
    mine = [hall.come(f"2001:db8:0:1::{number:x}") for number in range(5)]
    assert sum(line.dropped for line, _ in mine) == 3
    assert hall.come("2001:db8:0:2::1")[1] is not None
    assert sum(line.dropped for line, _ in mine) == 3


def test_websockets_of_one_ipv6_network_are_counted_together() -> None:
    hits: Counter[str] = Counter()
    connections = ConnectionLimits(2, 100, TurnedAway(hits))
    assert connections.enter("2001:db8::1")
    assert connections.enter("2001:db8::2")
    assert not connections.enter("2001:db8::3")
    assert connections.enter("2001:db8:0:1::1")
    assert hits == {"connections_per_address": 1}
    connections.leave("2001:db8::1")
    assert connections.enter("2001:db8::4")


@pytest.mark.parametrize("address", ["127.0.0.1", "::1", "::ffff:127.0.0.1"])
def test_this_machine_is_counted_in_all_only(address: str) -> None:
    hall = Hall(in_all=3, per_address=1)
    lines = [hall.come(address) for _ in range(4)]
    assert [line.dropped for line, _ in lines] == [True, False, False, False]


def test_behind_a_proxy_each_request_counts_for_the_client_that_it_is_from() -> None:
    hall = Hall(per_address=2)
    lines = [hall.come("10.0.0.7") for _ in range(4)]
    assert not any(line.dropped for line, _ in lines)
    visitors = hall.visitors
    for _, visit in lines[:2]:
        assert visitors.asks(visit, "192.0.2.1")
        visitors.answering(visit)
    assert not visitors.asks(lines[2][1], "192.0.2.1")
    assert visitors.asks(lines[2][1], "192.0.2.2")
    visitors.answered(lines[0][1])
    assert visitors.asks(lines[0][1], "192.0.2.1"), "the proxy's connection was nobody's in between"
    visitors.answering(lines[0][1])
    assert not visitors.asks(lines[3][1], "192.0.2.1")
    for _, visit in lines:
        visitors.leave(visit)
    assert len(visitors) == 0


def test_addresses_are_forgotten_when_the_last_one_has_left() -> None:
    hall = Hall(per_address=1)
    for number in range(50):
        _, visit = hall.come(f"192.0.2.{number}")
        hall.come(f"192.0.2.{number}")
        hall.visitors.leave(visit)
    assert len(hall.visitors._from) == 50
    for crowd in list(hall.visitors._from.values()):
        hall.visitors.leave(next(iter(crowd.awaited)))
    assert hall.visitors._from == {}


@pytest.mark.parametrize(
    ("open_files", "fits"),
    [
        (22_500, Places(20_000, 2_000)),
        (22_499, Places(19_999, 2_000)),
        (1_500, Places(750, 250)),
        (400, Places(75, 25)),
        (4, Places(1, 1)),
    ],
)
def test_connections_leave_files_for_the_server_itself(open_files: int, fits: Places) -> None:
    files = OpenFiles(bots=1, engines=0)
    assert files.places(Places(20_000, 2_000), open_files) == fits
    assert files.places(Places(1, 1), open_files) == Places(1, 1)


def test_it_is_logged_that_people_are_turned_away_but_not_for_each_of_them(
    caplog: pytest.LogCaptureFixture, monkeypatch: pytest.MonkeyPatch
) -> None:
    now = 1000.0
    monkeypatch.setattr(limits, "monotonic", lambda: now)
    turned_away = TurnedAway(Counter())
    with caplog.at_level(logging.WARNING):
        for _ in range(5):
            turned_away.count("visitors")
        assert len(caplog.records) == 1
        now += 60
        turned_away.count("connections")
    assert [vars(record)["limits"] for record in caplog.records] == [
        {"visitors": 1},
        {"visitors": 4, "connections": 1},
    ]
