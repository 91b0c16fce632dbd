"""What the lobby of Acquire tells again to whoever missed it: the games as they are now, and nobody's former name."""

import asyncio
from typing import Any

from tests.doors.acquire.test_crowded_lobby import Known, connect, open_games
from tests.doors.acquire.test_names import guest, renames
from tests.doors.support.acquire_inn import AcquireInn, Client
from tests.doors.support.inn import Message

from gamut.doors.acquire import lobby
from gamut.hall.ids import PersonId
from gamut.hall.live.erasure import erase
from gamut.hall.live.opening import Opening
from gamut.hall.table import commands as c
from gamut.hall.table.seats import Sitter


def index(inn: AcquireInn) -> int:
    """The number of the last message, as somebody learns it who then hangs up."""
    client = inn.somebody()
    (told,) = client.ok("LobbyConnect", lastEventIndex=0)
    client.hang_up()
    number: int = told["lastEventIndex"]
    return number


def erased(inn: AcquireInn, client: Client) -> None:
    async def until_done() -> None:
        erasing = asyncio.ensure_future(erase(inn.hall, client.session.person))
        while not erasing.done():
            inn.settle()
            await asyncio.sleep(0)
        await erasing

    inn.run(until_done())


def missed(inn: AcquireInn, known: int, client: Client | None = None) -> list[Message]:
    """What somebody is told who knows the lobby up to that message."""
    client = client or inn.somebody()
    (told,) = client.ok("LobbyConnect", lastEventIndex=known)
    assert "checkpoint" not in told
    events: list[Message] = told["events"]
    assert told["lastEventIndex"] >= max([known, *(event["lastEventIndex"] for event in events)])
    client.hang_up()
    return events


def test_a_game_that_was_given_up_by_somebody_who_is_erased_is_not_told_at_all(inn: AcquireInn) -> None:
    known = index(inn)
    ann = inn.client("Ergxnkcd")
    number = ann.create(2)
    following = index(inn)
    erased(inn, ann)
    assert missed(inn, known) == []
    (removed,) = missed(inn, following)
    assert (removed["type"], removed["gameNumber"]) == ("GameRemoved", number)


def test_a_game_that_goes_on_without_somebody_is_told_without_their_name(inn: AcquireInn) -> None:
    known = index(inn)
    number, (ann, _) = inn.playing(2, "Ergxnkcd", "Bob")
    erased(inn, ann)
    events = missed(inn, known)
    assert [(event["type"], event["game"]["gameNumber"]) for event in events] == [("GameCreated", number)]
    assert "Ergxnkcd" not in str(events)


def test_a_name_that_was_given_up_is_not_told_again(inn: AcquireInn) -> None:
    known = index(inn)
    person, client = guest(inn, "Rob")
    client.ok("CreateGame", gameMode=2)
    following = index(inn)
    renames(inn, person, "Robert")
    for since, kind in ((known, "GameCreated"), (following, "GameChanged")):
        (event,) = missed(inn, since)
        assert (event["type"], event["game"]["usernames"]) == (kind, ["Robert", None])


def test_a_table_that_is_private_by_now_is_told_only_to_those_who_knew_it_and_as_gone(
    inn: AcquireInn,
) -> None:
    known = index(inn)
    ann = inn.client("Ann")
    number = ann.create(2)
    following = index(inn)
    inn.hall.do(inn.table(number), c.Configure(ann.session.person, private=True))
    inn.settle()
    assert missed(inn, known) == []
    assert [event["type"] for event in missed(inn, following)] == ["GameRemoved"]


def test_whatever_was_missed_whoever_comes_back_knows_what_those_know_who_stayed(inn: AcquireInn) -> None:
    staying, stayed = inn.somebody(), Known()
    stayed.hear(staying.say("LobbyConnect", lastEventIndex=0))
    left: list[tuple[int, dict[int, Any]]] = []

    def step() -> None:
        inn.advance(500)
        stayed.hear(staying.read())
        left.append((stayed.index, dict(stayed.games)))

    ann, bob = inn.clients("Ann", "Bob")
    step()
    first, second, third = (ann.create(2) for _ in range(3))
    step()
    bob.setup(first, "JoinGame")
    bob.setup(second, "JoinGame")
    step()
    ann.setup(second, "CancelGame")
    ann.setup(first, "ChangePlayerArrangementMode", playerArrangementMode=2)
    step()
    for client in (ann, bob):
        client.setup(first, "ApproveOfGameSetup")
    step()
    ann.act(first, 1, "PlayTile", ann.enter(first)["rack"][0])
    fourth = ann.create(1)
    step()
    ann.setup(fourth, "CancelGame")
    step()
    now = Known().hear(inn.somebody().say("LobbyConnect", lastEventIndex=0)).games
    assert sorted(now) == [first, third]
    for since, games in left:
        back = Known()
        back.games = dict(games)
        assert back.hear(missed(inn, since)).games == now, since


def test_as_many_are_remembered_as_ever_and_each_game_is_told_once(inn: AcquireInn) -> None:
    ann, bob = inn.clients("Ann", "Bob")
    number = ann.create(2)
    bob.enter(number)
    known = index(inn)
    for _ in range(lobby.REMEMBERED // 2):
        bob.setup(number, "JoinGame")
        bob.setup(number, "UnjoinGame")
    (event,) = missed(inn, known)
    assert event["game"]["usernames"] == ["Ann", None]
    bob.setup(number, "JoinGame")
    (told,) = inn.somebody().ok("LobbyConnect", lastEventIndex=known)
    assert "checkpoint" in told, "so far back nothing is remembered"


def test_of_a_crowd_that_nobody_followed_nothing_is_told_that_is_private_by_now(inn: AcquireInn) -> None:
    ann = PersonId("ann")
    live = inn.hall.open(Opening(game="acquire"), ann)
    inn.hall.do(live, c.Sit(Sitter(ann, "Ann")))
    open_games(inn, lobby.CROWDED + 1)
    inn.advance(1_000)
    first = inn.somebody()
    assert "Ann" in str(connect(first)), "all has been looked at just now"
    first.hang_up()
    inn.hall.do(live, c.Configure(ann, private=True))
    inn.settle()
    assert "Ann" not in str(connect(inn.somebody()))


def test_of_a_crowd_of_users_nobody_is_told_under_a_name_that_was_given_up(inn: AcquireInn) -> None:
    person, _ = guest(inn, "Rob")
    for number in range(lobby.CROWDED):
        guest(inn, f"Guest {number}")
    assert "Rob" in users(inn)
    renames(inn, person, "Robert")
    assert "Rob" not in users(inn)
    inn.people.people.pop(person.id)
    inn.acquire.logged_out(person.id)
    assert "Robert" not in users(inn)


def users(inn: AcquireInn) -> list[str]:
    (told,) = inn.somebody().ok("LobbyConnect", lastEventIndex=0)
    return [user["username"] for user in told["checkpoint"]["users"]]
