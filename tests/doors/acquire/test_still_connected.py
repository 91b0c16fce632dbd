"""What clients of Acquire hear when another node takes over, and when others are cut off by a fault of ours."""

import pytest
from tests.doors.acquire.test_crowded_lobby import Known, connect, open_games
from tests.doors.acquire.test_private_games import later, listed, seated
from tests.doors.support.acquire_inn import AcquireInn, Client, types
from tests.doors.support.inn import Message

from gamut.doors.acquire.checkpoint import GAMES

GRACE = 10 * 60_000


def timed(inn: AcquireInn) -> tuple[int, Client, Client]:
    """Ann has thought for ten of sixty seconds."""
    number, (ann, bob) = inn.playing(2, "Ann", "Bob", timeControlStartingAmount=60)
    inn.advance(10_000)
    ann.read(), bob.read()
    return number, ann, bob


def clocks(message: Message) -> list[int]:
    assert message["type"] == "GameState"
    assert message["history"] == [], "what the client knows is not told again"
    told: list[int] = message["clocks"]
    return told


def exited(client: Client, number: int, name: str) -> Message:
    return {"type": "UserExitedGame", "gameNumber": number, "userId": client.user_id, "username": name}


def test_clocks_that_were_counted_down_in_the_pause_are_told_anew(inn: AcquireInn) -> None:
    number, ann, bob = timed(inn)
    inn.take_over(ann, bob, pause=4_000)
    for client in (ann, bob):
        (told,) = client.read()
        assert clocks(told) == [50_000, 60_000]
    inn.advance(5_000)
    heard = ann.act(number, 1, "PlayTile", ann.enter(number)["rack"][0])
    assert heard[0]["clocks"] == [45_000, 60_000]
    assert types(bob.read())[0] == "GameActionDone"


@pytest.mark.parametrize("phase", ["setup", "playing"])
def test_without_clocks_a_takeover_is_not_heard(inn: AcquireInn, phase: str) -> None:
    if phase == "setup":
        ann, bob = inn.clients("Ann", "Bob")
        number = ann.create(2, timeControlStartingAmount=60)
        bob.setup(number, "JoinGame")
    else:
        number, (ann, bob) = inn.playing(2, "Ann", "Bob")
    ann.read(), bob.read()
    inn.take_over(ann, bob)
    assert ann.read() == bob.read() == []
    inn.take_over(ann)
    assert ann.read() == [exited(bob, number, "Bob")]


def test_whoever_was_cut_off_has_gone_out_of_the_game_and_comes_in_again(inn: AcquireInn) -> None:
    number, ann, bob = timed(inn)
    ann.act(number, 1, "PlayTile", ann.enter(number)["rack"][0])
    mover = inn.table(number).awaited[0]
    gone, other = (ann, bob) if mover == 0 else (bob, ann)
    name = "Ann" if mover == 0 else "Bob"
    left = inn.table(number).table.clock.times[mover].main
    ann.read(), bob.read()
    inn.take_over(other)
    told, state = other.read()
    assert told == exited(gone, number, name)
    assert clocks(state)[mover] == left
    inn.advance(20_000)
    assert other.read() == []
    again = inn.client(name)
    assert again.enter(number)["clocks"][mover] == left
    state, told = other.read()
    assert clocks(state)[mover] == left, "their clock runs again"
    assert (told["type"], told["username"]) == ("UserEnteredGame", name)


def test_whoever_is_cut_off_while_the_hall_lives_on_has_gone_out_as_well(inn: AcquireInn) -> None:
    number, ann, bob = timed(inn)
    inn.cut_off(bob)
    assert ann.read() == [exited(bob, number, "Bob")]
    assert inn.table(number).table.phase == "playing"
    watcher = inn.client("Wim")
    watcher.enter(number)
    ann.read()
    inn.cut_off(watcher, for_good=False)
    assert ann.read() == [exited(watcher, number, "Wim")]


def test_after_the_game_a_takeover_is_not_heard(inn: AcquireInn) -> None:
    number, (ann, bob) = inn.playing(2, "Ann", "Bob", timeControlStartingAmount=1)
    inn.advance(60_000)
    ann.say("Forfeit", gameNumber=number), bob.say("Forfeit", gameNumber=number)
    assert inn.table(number).table.phase == "over"
    ann.read(), bob.read()
    inn.take_over(ann)
    assert ann.read() == []


# The lobby


def test_who_follows_the_lobby_is_told_all_of_it_anew(inn: AcquireInn) -> None:
    ann, wim = inn.client("Ann"), inn.somebody()
    first = ann.create(2)
    known = Known().hear(wim.ok("LobbyConnect", lastEventIndex=0))
    # Of this nobody was told before the node was gone.
    second = ann.create(3)
    ann.ok("ExitGame", gameNumber=second)
    inn.take_over(wim, ann)
    told = wim.read()
    assert "checkpoint" in told[0]
    known.hear(told)
    assert set(known.games) == {first, second}
    third = ann.create(2)
    inn.advance(100)
    known.hear(wim.read())
    assert set(known.games) == {first, second, third}
    again = inn.somebody()
    (missed,) = again.ok("LobbyConnect", lastEventIndex=known.index)
    assert "checkpoint" not in missed, "the numbers are those of the new node"


def test_who_was_still_being_told_of_a_crowded_lobby_is_told_of_it_from_the_beginning(
    inn: AcquireInn,
) -> None:
    open_games(inn, 2 * GAMES + 7)
    wim = inn.somebody()
    (first,) = connect(wim, number=42)
    assert len(first["checkpoint"]["games"]) == GAMES
    inn.take_over(wim)
    inn.advance(1_000)
    *told, answer = wim.read()
    assert "checkpoint" in told[0]
    assert len(Known().hear(told).games) == 2 * GAMES + 7
    assert answer == {"type": "Ok", "id": 42}


def test_the_own_private_game_is_among_those_that_are_told_anew(inn: AcquireInn) -> None:
    page, table, bob = seated(inn)
    page.sure("configure", table=table, private=True)
    later(inn)
    bob.read()
    assert listed(bob) == [1]
    inn.take_over(bob)
    (told,) = [message for message in bob.read() if message["type"] == "Lobby"]
    assert [game["gameNumber"] for game in told["checkpoint"]["games"]] == [1]
    page = inn.guest("Ann")
    page.sure("call_off", table=table)
    later(inn)
    assert "GameRemoved" in types(bob.read())


def test_who_follows_nothing_is_told_nothing(inn: AcquireInn) -> None:
    wim = inn.somebody()
    inn.take_over(wim)
    assert wim.read() == []
    inn.cut_off(wim)
    assert not inn.hall.connected
