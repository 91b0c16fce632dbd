"""What players of Power Chess hear when another node takes over, and when others are cut off by a fault of ours; and
how the list at `/home` goes on."""

from collections.abc import Iterator

import pytest
from tests.doors.support.inn import Message, Visitor
from tests.doors.support.powerchess_inn import Client, PowerInn, power_inn, way

from gamut.hall.live.opening import Opening

GRACE = 10 * 60_000
NONE, MOVE = 0, 1


@pytest.fixture(name="inn")
def _inn() -> Iterator[PowerInn]:
    with power_inn(debug=True) as house:
        yield house


def update(action: int, white: float, black: float = 300) -> Message:
    return {"type": 5, "updates": [], "action": action, "clocks": {"white": white, "black": black}}


def thinking(inn: PowerInn) -> tuple[Client, Client]:
    """White has thought for seven seconds of five minutes."""
    ann, bob = inn.pair()
    inn.advance(7_000)
    ann.read(), bob.read()
    return ann, bob


def test_clocks_that_were_counted_down_in_the_pause_are_told_anew(inn: PowerInn) -> None:
    ann, bob = thinking(inn)
    inn.take_over(ann, bob, pause=4_000)
    assert (ann.read(), bob.read()) == ([update(MOVE, 293)], [update(NONE, 293)])
    (told,) = ann.move("e2e4")
    assert told["clocks"]["white"] == 293 + 5
    (heard,) = bob.read()
    assert (heard["move"], heard["action"]) == (way("e2e4"), MOVE)


def test_without_clocks_a_takeover_is_not_heard(inn: PowerInn) -> None:
    gil = inn.guest("Gil")
    table = gil.open("powerchess", start="full")
    bob = inn.client()
    bob.join(int(inn.load(table).table.room or 0))
    bob.read()
    inn.take_over(bob)
    assert bob.read() == []


@pytest.mark.parametrize("turn", ["Ann", "Bob"])
def test_while_the_opponent_who_was_cut_off_is_waited_for_nothing_more_is_heard(
    inn: PowerInn, turn: str
) -> None:
    ann, bob = thinking(inn)
    if turn == "Bob":
        ann.move("e2e4")
    white = 293 if turn == "Ann" else 298
    action = MOVE if turn == "Ann" else NONE
    ann.read(), bob.read()
    inn.take_over(ann)
    # Play rests for Bob, so his clock is right for as long as he is away.
    assert ann.read() == [update(action, white)]
    inn.advance(20_000)
    assert ann.read() == []
    back = inn.client()
    told = back.resume(bob)
    assert told[-1]["action"] == (NONE if turn == "Ann" else MOVE)
    assert told[-1]["clocks"] == {"white": white, "black": 300}
    assert ann.read() == [update(action, white)]
    mover = ann if turn == "Ann" else back
    assert mover.move("d2d4" if turn == "Ann" else "d7d5")[0]["type"] == 5


@pytest.mark.parametrize("over", [False, True])
def test_before_and_after_the_game_nothing_is_heard(inn: PowerInn, *, over: bool) -> None:
    if over:
        ann, bob = inn.pair()
        bob.tell(2, reason=1, result={})
    else:
        ann = inn.client()
        ann.create(public=True)
    ann.read()
    inn.take_over(ann)
    assert ann.read() == []
    if not over:
        bob = inn.client()
        assert bob.join(ann.game)[0]["type"] == 1
        assert ann.read()[0]["type"] == 1, "and the game begins as ever"


def test_an_open_choice_is_still_open(inn: PowerInn) -> None:
    ann, bob = inn.pair()
    ann.move("e2e4"), bob.read()
    inn.take_over(ann, bob)
    ann.read(), bob.read()
    assert bob.move("e7e5")[0]["action"] == NONE
    assert ann.read()[0]["action"] == MOVE


def test_of_an_opponent_who_is_cut_off_while_the_hall_lives_on_nothing_is_heard_before_they_are_back(
    inn: PowerInn,
) -> None:
    ann, bob = thinking(inn)
    ann.move("e2e4"), bob.read()
    inn.cut_off(bob)
    assert ann.read() == []
    inn.advance(20_000)
    assert ann.read() == []
    back = inn.client()
    assert back.resume(bob)[-1]["clocks"] == {"white": 298, "black": 297}
    assert ann.read() == [update(NONE, 298, 297)]


def test_whoever_is_cut_off_does_not_give_up_the_game_that_they_have_created(inn: PowerInn) -> None:
    ann, home = inn.client(), inn.home()
    ann.create(public=True)
    home.read()
    inn.cut_off(ann, for_good=False)
    assert home.read() == []
    assert inn.table(ann.game).table.phase == "setup"


# The list


def listed(home: Visitor, known: set[int]) -> set[int]:
    """The games that a client knows after all it has heard: what is added was not there, and what is removed was."""
    for message in home.read():
        assert message["type"] in (1, 2), "nobody knows what becomes of a second list"
        assert (message["gameId"] in known) == (message["type"] == 2)
        known = known ^ {message["gameId"]}
    return known


def created(inn: PowerInn) -> Client:
    client = inn.client()
    client.create(public=True)
    return client


def test_of_the_list_that_is_told_which_was_lost_on_the_way(inn: PowerInn) -> None:
    clients = [created(inn) for _ in range(3)]
    home = inn.home()
    (first,) = home.read()
    known = set(map(int, first["games"]))
    assert known == {client.game for client in clients}
    fourth = created(inn)
    inn.advance(100)
    known = listed(home, known)
    assert fourth.game in known
    # Of this nobody was told before the node was gone.
    clients[0].hang_up()
    fifth = created(inn)
    inn.take_over(home, *clients[1:], fourth, fifth)
    known = listed(home, known)
    assert known == {client.game for client in (*clients[1:], fourth, fifth)}
    inn.advance(10_000)
    assert listed(home, known) == known
    clients[1].hang_up()
    inn.advance(100)
    assert listed(home, known) == known - {clients[1].game}


def test_where_nothing_was_lost_nothing_of_the_list_is_told(inn: PowerInn) -> None:
    client, home = created(inn), inn.home()
    home.read()
    inn.house.open(Opening(game="powerchess"), "eve")
    inn.take_over(home, client)
    inn.advance(10_000)
    assert home.read() == []
    inn.cut_off(home)
    assert client.session.person in inn.hall.connected
    assert len(inn.hall.connected) == 1
