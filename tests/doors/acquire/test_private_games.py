"""Private games in the lobby of the Acquire door: the way back for those who sit there, and nothing for others."""

import pytest
from tests.doors.support.acquire_inn import AcquireInn, Client, types
from tests.doors.support.inn import Guest

from gamut.doors.acquire.checkpoint import GAMES
from gamut.doors.pieces import MOMENT
from gamut.hall.ids import TableId
from gamut.hall.live.opening import Opening


def listed(client: Client, known: int = 0) -> list[int]:
    """The games of the whole lobby, as this client is told of it."""
    (lobby,) = client.ok("LobbyConnect", lastEventIndex=known)
    return [game["gameNumber"] for game in lobby["checkpoint"]["games"]]


def seated(inn: AcquireInn) -> tuple[Guest, TableId, Client]:
    """Ann has opened a table on the page, and Bob sits there, and follows the lobby."""
    page, bob = inn.guest("Ann"), inn.client("Bob")
    table = page.open("acquire", options={"mode": "singles_3"})
    bob.setup(1, "JoinGame")
    bob.ok("LobbyConnect", lastEventIndex=0)
    return page, table, bob


def later(inn: AcquireInn) -> None:
    inn.advance(1_000)
    inn.settle()


def test_a_game_that_becomes_private_stays_for_those_who_sit_there(inn: AcquireInn) -> None:
    page, table, bob = seated(inn)
    cy = inn.client("Cy")
    assert listed(cy) == [1]
    bob.enter(1)
    page.sure("configure", table=table, private=True)
    later(inn)
    assert types(cy.read()) == ["GameRemoved"]
    heard = [message for message in bob.read() if message["type"] != "GameSetup"]
    assert types(heard) == ["GameChanged"]
    assert (heard[0]["game"]["gameNumber"], heard[0]["lastEventIndex"]) == (1, 0)
    # What happens there is told to nobody else.
    page.sure("configure", table=table, options={"mode": "singles_4"})
    later(inn)
    assert cy.read() == []
    assert {m["game"]["gameMode"] for m in bob.read() if m["type"] == "GameChanged"} == {4}
    # Bob is not told a number from which he could go on.
    cy.create()
    assert [m["lastEventIndex"] for m in bob.read() if m["type"] == "GameCreated"] == [0]
    cy.read()
    page.sure("configure", table=table, private=False)
    later(inn)
    (created,) = cy.read()
    changed = [message for message in bob.read() if message["type"] != "GameSetupChanged"]
    assert (created["type"], types(changed)[:1]) == ("GameCreated", ["GameChanged"])
    assert changed[-1]["lastEventIndex"] == created["lastEventIndex"] > 0
    assert changed[-1]["game"] == created["game"]
    assert bob.session.state.private_games == {}


@pytest.mark.parametrize("restart", [False, True])
def test_who_comes_back_finds_the_own_private_game_in_the_lobby(inn: AcquireInn, restart: bool) -> None:
    page, table, bob = seated(inn)
    page.sure("configure", table=table, private=True)
    later(inn)
    known = inn.acquire.lobby.last
    if restart:
        inn.restart()
    else:
        bob.hang_up()
    assert listed(inn.client("Cy")) == []
    again = inn.client("Bob")
    assert listed(again, known) == [1]
    assert again.enter(1)["type"] == "GameSetup"
    # Who logs in after having looked at the lobby is told, and it is taken back when they log out.
    other = inn.somebody()
    assert listed(other) == []
    heard = other.ok("Login", username="Bob", password="a good password")
    assert types(heard) == ["LoginResult", "GameCreated"]
    (removed,) = other.ok("Logout")
    assert (removed["type"], removed["gameNumber"]) == ("GameRemoved", 1)
    assert removed["lastEventIndex"] == inn.acquire.lobby.last


def test_who_sits_down_at_a_private_table_of_the_page_hears_of_it_until_they_leave(inn: AcquireInn) -> None:
    page, bob, cy = inn.guest("Ann"), *inn.clients("Bob", "Cy")
    table = page.open("acquire", options={"mode": "singles_3"}, private=True)
    key = inn.load(table).table.key
    assert listed(bob) == listed(cy) == []
    bobs = inn.guest("Bob")
    bobs.sure("sit", table=table, key=key)
    later(inn)
    assert types(bob.read()) == ["GameCreated"]
    bobs.sure("leave", table=table)
    later(inn)
    assert types(bob.read()) == ["GameRemoved"]
    bobs.sure("sit", table=table, key=key)
    later(inn)
    assert types(bob.read()) == ["GameCreated"]
    page.sure("call_off", table=table)
    later(inn)
    assert types(bob.read()) == ["GameRemoved"]
    assert cy.read() == []
    assert bob.session.knows_everything


def test_a_connection_that_goes_on_at_another_node_goes_on_hearing_of_it(inn: AcquireInn) -> None:
    page, table, bob = seated(inn)
    page.sure("configure", table=table, private=True)
    later(inn)
    bob.move_to_another_node()
    page.sure("call_off", table=table)
    later(inn)
    assert types(bob.read()) == ["GameRemoved"]


def test_a_game_that_becomes_private_before_it_was_told_is_new_for_those_who_sit_there(
    inn: AcquireInn,
) -> None:
    for _ in range(GAMES):
        inn.hall.open(Opening(game="acquire"), None)
    inn.settle()
    inn.hall.lobby.tell_now()
    page, bob = inn.guest("Ann"), inn.client("Bob")
    table = page.open("acquire", options={"mode": "singles_3"})
    bob.setup(GAMES + 1, "JoinGame")
    (first,) = bob.raw_say(b'{"type":"LobbyConnect","lastEventIndex":0}')
    assert len(first["checkpoint"]["games"]) == GAMES
    page.sure("configure", table=table, private=True)
    heard = [message for message in bob.read() if message["type"] != "GameSetup"]
    assert types(heard) == ["GameCreated"]
    inn.advance(MOMENT)
    (last,) = bob.read()
    assert (last["events"], last["lastEventIndex"]) == ([], 0)
