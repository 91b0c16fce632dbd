"""Games in a hall of several servers: the name that a client has chosen for one is waited for."""

from collections.abc import Iterator

import pytest
from tests.doors.support.tafl_inn import TaflInn, create, guid
from tests.doors.support.waiting_inn import WaitingInn, opened

GAME = ("tafl", guid(1))


class Inn(WaitingInn, TaflInn):
    pass


@pytest.fixture(name="inn")
def _inn() -> Iterator[Inn]:
    with opened(Inn()) as inn:
        yield inn


def test_whoever_creates_a_game_waits_for_its_name(inn: Inn) -> None:
    ann = inn.client("Ann")
    assert create(ann) == []
    assert inn.names.asked == [GAME]
    assert not inn.hall.register.unfinished
    inn.let_go()
    assert ann.read()[0].startswith("success")
    assert inn.names.ours == {GAME}


def test_two_who_choose_the_same_name_at_the_same_moment_are_not_in_one_game(inn: Inn) -> None:
    ann, bob = inn.client("Ann"), inn.client("Bob")
    create(ann)
    assert create(bob) == ["error duplicate-game"]
    inn.let_go()
    assert inn.table().table.host == ann.session.person


def test_a_name_that_is_somebody_else_s_is_refused_and_can_be_tried_again(inn: Inn) -> None:
    ann = inn.client("Ann")
    inn.names.elsewhere.add(GAME)
    create(ann)
    inn.let_go()
    assert ann.read() == ["error duplicate-game"]
    inn.names.elsewhere.clear()
    create(ann)
    inn.let_go()
    assert ann.read()[0].startswith("success")


def test_whoever_hangs_up_while_they_wait_leaves_no_game_and_no_name(inn: Inn) -> None:
    ann = inn.client("Ann")
    create(ann)
    ann.session.closed()
    inn.let_go()
    assert not inn.hall.register.unfinished
    assert not inn.names.ours
