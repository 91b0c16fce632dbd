"""Rooms in a hall of several servers: the name of a new one is waited for, and anything may happen meanwhile."""

from collections.abc import Iterator

import pytest
from tests.doors.support.inn import Player
from tests.doors.support.waiting_inn import WaitingInn, opened
from tests.doors.tower.test_door import (
    GENERAL,
    NAME_TAKEN,
    ROOM_NAME,
    error_of,
    joined,
    kinds,
    play,
    table_of,
)

from gamut.hall.limits.pace import Pace
from gamut.hall.settings import HallSettings

R1 = ("tower", "r1")


@pytest.fixture(name="inn")
def _inn() -> Iterator[WaitingInn]:
    with opened(WaitingInn()) as inn:
        yield inn


def three(inn: WaitingInn) -> list[Player]:
    """Three in r1, about to play."""
    players = [inn.player() for _ in range(3)]
    for player, name in zip(players, ("Ann", "Bob", "Cy"), strict=True):
        player.join("r1", name)
        inn.let_go()
    for player in players:
        player.read()
    return players


def test_whoever_opens_a_room_waits_for_its_name_and_whoever_joins_does_not(inn: WaitingInn) -> None:
    ann, bob = inn.player(), inn.player()
    assert ann.join("r1", "Ann") == []
    assert not inn.hall.live
    assert not ann.session.can_be_packed
    inn.let_go()
    assert kinds(ann.read()) == ["room_joined", "player_joined"]
    assert ann.session.can_be_packed
    assert kinds(bob.join("r1", "Bob")) == ["room_joined", "player_joined", "player_joined"]
    assert inn.names.ours == {R1}


def test_two_who_come_to_a_new_room_at_the_same_moment_sit_at_one_table(inn: WaitingInn) -> None:
    ann, bob = inn.player(), inn.player()
    ann.join("r1", "Ann")
    bob.join("r1", "Bob")
    inn.let_go()
    table_of(inn)
    assert ann.read() == [{"type": "room_joined", "data": {"id": 0}}, joined("Ann", 0), joined("Bob", 1)]
    assert bob.read() == [{"type": "room_joined", "data": {"id": 1}}, joined("Ann", 0), joined("Bob", 1)]


def test_whoever_is_not_let_in_after_all_is_refused_as_if_they_had_come_later(inn: WaitingInn) -> None:
    ann, other = inn.player(), inn.player()
    ann.join("r1", "Ann")
    other.join("r1", "Ann")
    inn.let_go()
    assert kinds(ann.read()) == ["room_joined", "player_joined"]
    assert error_of(other.read()) == NAME_TAKEN
    assert inn.names.ours == {R1}
    assert kinds(other.join("r1", "Bob"))[0] == "room_joined"


@pytest.mark.parametrize("first", ["Ann", "Bob"])
def test_somebody_who_hangs_up_while_they_wait_leaves_no_table_and_no_name(
    inn: WaitingInn, first: str
) -> None:
    """Nor do they keep others who wait for it from having it."""
    ann, bob = inn.player(), inn.player()
    for player, name in ((ann, "Ann"), (bob, "Bob"))[:: 1 if first == "Ann" else -1]:
        player.join("r1", name)
    ann.session.closed()
    inn.let_go()
    assert ann.read() == []
    assert inn.hall.live[table_of(inn)].table.persons == (bob.session.person, None, None)
    bob.session.closed()
    inn.settle()
    cy = inn.player()
    cy.join("r2", "Cy")
    cy.session.closed()
    inn.let_go()
    assert not inn.hall.register.unfinished
    assert not inn.names.ours


def test_nobody_opens_a_room_when_the_server_has_begun_to_stop(inn: WaitingInn) -> None:
    ann = inn.player()
    ann.join("r1", "Ann")
    ann.session.closing()
    inn.let_go()
    assert not inn.hall.register.unfinished
    assert not inn.names.ours


def test_a_name_that_is_somebody_else_s_is_refused_and_can_be_tried_again(inn: WaitingInn) -> None:
    ann = inn.player()
    inn.names.elsewhere.add(R1)
    for _ in range(2):
        ann.join("r1", "Ann")
        inn.let_go()
        assert error_of(ann.read()) == ROOM_NAME
        assert not ann.closed
    inn.names.elsewhere.clear()
    ann.join("r1", "Ann")
    inn.let_go()
    assert kinds(ann.read()) == ["room_joined", "player_joined"]


def test_limits_refuse_before_the_name_is_waited_for_and_again_afterwards() -> None:
    with opened(WaitingInn(settings=HallSettings(most_tables=1, pace=Pace()))) as inn:
        ann, bob, cy = (inn.player() for _ in range(3))
        ann.join("r1", "Ann")
        bob.join("r2", "Bob")
        inn.let_go()
        assert kinds(ann.read()) == ["room_joined", "player_joined"]
        assert error_of(bob.read()) == GENERAL
        assert inn.names.ours == {R1}
        assert error_of(cy.join("r3", "Cy")) == GENERAL
        assert not inn.names.asked


def test_a_name_that_somebody_registers_meanwhile_is_theirs(inn: WaitingInn) -> None:
    ann = inn.player()
    ann.join("r1", "Ann")
    inn.people.add("Ann", guest=False)
    inn.let_go()
    assert error_of(ann.read()) == NAME_TAKEN
    assert not inn.hall.register.unfinished
    assert not inn.names.ours


def test_a_room_that_plays_on_keeps_its_name_all_the_while(inn: WaitingInn) -> None:
    players = three(inn)
    play(players, 0, 8, 16, 1, 9, 17)
    players[0].place({"x": 0, "y": 0, "z": 2})
    inn.names.released.clear()
    players[2].session.closed()
    inn.settle()
    assert kinds(players[0].read())[-1] == "player_left"
    assert not inn.names.released
    late = inn.player()
    assert kinds(late.join("r1", "Dot"))[0] == "room_joined", "nobody waits for a name that the room has"
    for player in (*players[:2], late):
        player.session.closed()
    inn.settle()
    assert not inn.names.ours


def test_a_room_whose_game_ended_when_the_server_did_is_opened_again_for_all_who_come_back(
    inn: WaitingInn,
) -> None:
    players = three(inn)
    play(players, 0, 8, 16, 1, 9, 17)
    players[0].place({"x": 0, "y": 0, "z": 2})
    inn.restart()
    inn.names.ours.clear()
    ann, bob = inn.player(), inn.player()
    ann.join("r1", "Ann")
    bob.join("r1", "Bob")
    assert not inn.hall.register.rooms
    inn.let_go()
    for player in (ann, bob):
        heard = player.read()
        assert kinds(heard)[0] == "room_joined"
        assert "game_over" in kinds(heard), "they hear how their game ended"
    assert len(inn.hall.register.rooms) == 1
