"""Wings of the hall go to processes that have fewer, one at a time, and only when nothing else is moving."""

from collections.abc import Mapping

import pytest
from tests.cluster.support.by_hand import HandBus, HandPulse

from gamut.cluster.gateway import HERE_EVERY
from gamut.cluster.messages import NODES, PROTOCOL, OwnerGone, OwnerHere, StandbyHere, encode
from gamut.cluster.sharing import SETTLED_AFTER, Sharing

ALL = ("alpha", "beta", "gamma")


class Hall:
    """Of so many wings, and who has which. Processes that are there have a wing or stand by for it, and say so."""

    def __init__(self, wings: int, has: Mapping[int, str], there: tuple[str, ...] = ALL[:2]) -> None:
        self.pulse = HandPulse()
        self.bus = HandBus()
        self.has = dict(has)
        self.there = set(there)
        self.nodes = {wing: number for number, wing in enumerate(has, 1)}
        self.sharing = {name: Sharing(self.bus.end(), self.pulse, name, wings) for name in ALL}
        self.versions: dict[str, str] = {}
        self._wings = range(wings)

    def gets(self, wing: int, process: str) -> None:
        self.has[wing] = process
        self.nodes[wing] = max(self.nodes.values()) + 1

    def passes(self, seconds: float) -> None:
        for _ in range(round(seconds / HERE_EVERY)):
            self.pulse.next_due(self.pulse.now() + HERE_EVERY)
            for name in self.there:
                for wing in self._wings:
                    self._say(name, wing)
            self.bus.deliver()

    def _say(self, name: str, wing: int) -> None:
        version = self.versions.get(name, "1")
        if self.has.get(wing) == name:
            here = OwnerHere(self.nodes[wing], name, PROTOCOL, name, version, wing=wing)
            self.bus.publish(NODES, encode(here))
        else:
            self.bus.publish(NODES, encode(StandbyHere(name, name, version, wing)))

    def hands_over(self, wing: int, to: str) -> None:
        self.bus.publish(NODES, encode(OwnerGone(self.nodes[wing], wing, to)))
        self.bus.deliver()

    @property
    def gives(self) -> dict[str, int]:
        """Who gives away which wing."""
        found = {name: self.sharing[name].surplus() for name in sorted(self.there)}
        return {name: wing for name, wing in found.items() if wing is not None}

    def given_after(self, most: float = 60.0) -> float | None:
        """How long it takes until somebody gives a wing away."""
        began = self.pulse.now()
        while not self.gives:
            if self.pulse.now() - began > most:
                return None
            self.passes(HERE_EVERY)
        return self.pulse.now() - began


def test_whoever_joins_a_hall_gets_a_wing_and_the_main_one_stays() -> None:
    hall = Hall(3, {0: "alpha", 1: "alpha", 2: "alpha"})
    after = hall.given_after()
    assert after is not None
    assert SETTLED_AFTER <= after <= SETTLED_AFTER + 1
    assert hall.gives == {"alpha": 2}


def test_wings_go_until_nobody_has_two_more_than_another() -> None:
    hall = Hall(6, dict.fromkeys(range(6), "alpha"), ALL)
    moves = []
    while hall.given_after() is not None:
        ((giver, wing),) = hall.gives.items()
        taker = min(ALL, key=lambda name: list(hall.has.values()).count(name))
        moves.append((giver, wing, taker))
        hall.sharing[giver].given(wing)
        hall.gets(wing, taker)
        hall.passes(HERE_EVERY)
    assert [(giver, wing) for giver, wing, _ in moves] == [("alpha", wing) for wing in (5, 4, 3, 2)]
    assert sorted(hall.has.values()) == ["alpha", "alpha", "beta", "beta", "gamma", "gamma"]


def test_of_two_that_have_too_many_only_one_gives() -> None:
    hall = Hall(4, {0: "alpha", 1: "beta", 2: "beta", 3: "alpha"}, ALL)
    assert hall.given_after() is not None
    assert hall.gives == {"alpha": 3}


@pytest.mark.parametrize(
    "has",
    [{0: "alpha", 1: "beta", 2: "alpha"}, {0: "alpha", 1: "beta"}],
    ids=["two and one", "one each"],
)
def test_where_it_would_be_no_better_nothing_moves(has: dict[int, str]) -> None:
    assert Hall(len(has), has).given_after() is None


def test_nothing_moves_while_a_wing_has_no_owner_or_has_only_just_got_one() -> None:
    hall = Hall(3, {0: "alpha", 1: "alpha"})
    assert hall.given_after() is None
    hall.gets(2, "alpha")
    after = hall.given_after()
    assert after is not None
    assert after >= SETTLED_AFTER


def test_an_owner_that_is_not_heard_any_more_is_none() -> None:
    hall = Hall(3, {0: "alpha", 1: "alpha", 2: "alpha"}, ("alpha", "beta"))
    hall.passes(SETTLED_AFTER / 2)
    hall.there = {"beta"}
    hall.passes(2.0)
    hall.there = {"alpha", "beta"}
    after = hall.given_after()
    assert after is not None
    assert after >= SETTLED_AFTER - HERE_EVERY


def test_nobody_gives_to_somebody_who_has_only_just_come_or_has_gone() -> None:
    hall = Hall(3, {0: "alpha", 1: "alpha", 2: "alpha"}, ("alpha",))
    assert hall.given_after() is None
    hall.there = {"alpha", "beta"}
    hall.passes(SETTLED_AFTER / 2)
    hall.there = {"alpha"}
    assert hall.given_after() is None
    hall.there = {"alpha", "beta"}
    after = hall.given_after()
    assert after is not None
    assert after >= SETTLED_AFTER


def test_a_wing_that_comes_back_is_offered_less_and_less_often() -> None:
    hall = Hall(3, {0: "alpha", 1: "alpha", 2: "alpha"})
    waited = []
    for _ in range(4):
        waited.append(hall.given_after(600.0))
        hall.sharing["alpha"].given(2)
        hall.gets(2, "alpha")
        hall.passes(HERE_EVERY)
    assert [round(after / SETTLED_AFTER) for after in waited if after is not None] == [1, 2, 4, 8]


def test_nothing_moves_while_a_hall_is_upgraded() -> None:
    hall = Hall(3, {0: "alpha", 1: "alpha", 2: "alpha"})
    hall.versions["beta"] = "2"
    assert hall.given_after() is None
    hall.versions["alpha"] = "2"
    assert hall.given_after() is not None


def test_what_cannot_be_read_or_is_of_no_wing_of_this_hall_changes_nothing() -> None:
    hall = Hall(2, {0: "alpha", 1: "beta"})
    hall.passes(SETTLED_AFTER)
    hall.bus.publish(NODES, b"\xff")
    hall.bus.publish(NODES, encode(OwnerHere(9, "alpha", PROTOCOL, "alpha", wing=7)))
    hall.bus.publish(NODES, encode(StandbyHere("gamma", "gamma", wing=-1)))
    hall.bus.deliver()
    assert hall.given_after() is None


def test_an_owner_that_was_ended_and_does_not_know_it_has_no_wing() -> None:
    hall = Hall(2, {0: "alpha", 1: "beta"})
    hall.passes(1.0)
    for _ in range(100):
        hall.bus.publish(NODES, encode(OwnerHere(0, "alpha", PROTOCOL, "alpha", wing=1)))
        hall.passes(HERE_EVERY)
    assert hall.gives == {}


# Who is next


def test_an_owner_names_the_process_with_fewest_wings_and_for_two_wings_two_of_them() -> None:
    hall = Hall(5, {0: "alpha", 1: "alpha", 2: "beta", 3: "beta", 4: "gamma"}, ALL)
    hall.passes(1.0)
    alpha = hall.sharing["alpha"]
    assert alpha.successor(1) == "gamma"
    hall.hands_over(1, "gamma")
    assert alpha.successor(0) == "beta", "gamma is about to have two, as beta has"


def test_whoever_does_not_stand_by_is_not_named() -> None:
    hall = Hall(2, {0: "alpha", 1: "alpha"}, ("alpha", "beta"))
    hall.passes(1.0)
    assert hall.sharing["alpha"].successor(1) == "beta"
    hall.there = {"alpha"}
    hall.passes(1.5)
    assert hall.sharing["alpha"].successor(1) == ""


def test_a_wing_is_the_named_process_s_for_a_while_and_then_anybody_s() -> None:
    hall = Hall(2, {0: "alpha", 1: "alpha"}, ALL)
    hall.passes(1.0)
    hall.hands_over(1, "gamma")
    assert {name: hall.sharing[name].promised(1) for name in ALL} == {
        "alpha": False,
        "beta": False,
        "gamma": True,
    }
    assert hall.sharing["beta"].promised(0) is None
    hall.gets(1, "gamma")
    hall.passes(HERE_EVERY)
    assert hall.sharing["beta"].promised(1) is None, "it has come to have an owner"
    hall.hands_over(1, "beta")
    hall.passes(3.5)
    assert hall.sharing["gamma"].promised(1) is None, "nobody waits for longer"
    hall.hands_over(1, "")
    assert hall.sharing["beta"].promised(1) is None


def test_whoever_stood_by_and_is_gone_is_not_remembered() -> None:
    hall = Hall(2, {0: "alpha", 1: "beta"})
    for number in range(100):
        hall.bus.publish(NODES, encode(StandbyHere(f"process {number}", "delta", wing=1)))
        hall.passes(HERE_EVERY)
    assert len(hall.sharing["alpha"]._standbys) < 10
