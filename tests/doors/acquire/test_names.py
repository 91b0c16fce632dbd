"""Names at the Acquire door: guests of the page who log in with their token, and take other names there."""

from msgspec.structs import replace
from tests.doors.support.acquire_inn import AcquireInn, Client
from tests.doors.support.inn import Message

from gamut.hall.people.person import Person


def guest(inn: AcquireInn, name: str) -> tuple[Person, Client]:
    """A guest of the page, and the connection on which they have logged in here."""
    person = inn.people.add(name)
    client = inn.somebody()
    (result,) = client.ok("Login", username=name, token=inn.people.issue(person))
    client.user_id = result["userId"]
    return person, client


def renames(inn: AcquireInn, person: Person, name: str) -> Person:
    """As the server does it for every door (`net/server.py`)."""
    known = inn.people.people[person.id] = replace(person, name=name)
    inn.web.renamed(known)
    inn.acquire.renamed(known)
    inn.settle()
    return known


def of(kind: str, messages: list[Message]) -> list[Message]:
    return [message for message in messages if message["type"] == kind]


def test_whoever_gave_up_a_name_does_not_speak_under_it(inn: AcquireInn) -> None:
    person, client = guest(inn, "Rob")
    ann = inn.client("Ann")
    ann.ok("LobbyConnect", lastEventIndex=0)
    number = ann.create(2)
    client.enter(number)
    renames(inn, person, "Robert")
    rob = inn.client("Rob")
    ann.read()
    client.ok("SendChatMessage", gameNumber=None, message="hello")
    client.ok("SendChatMessage", gameNumber=number, message="hello")
    client.setup(number, "JoinGame")
    heard = ann.read()
    said = of("ChatMessage", heard)
    assert [(each["userId"], each["username"]) for each in said] == [(client.user_id, "Robert")] * 2
    (joined,) = of("GameSetupChanged", heard)
    assert joined["change"]["username"] == "Robert"
    client.hang_up()
    assert [each["username"] for each in of("UserExitedGame", ann.read())] == ["Robert"]
    assert rob.user_id != client.user_id


def test_all_connections_of_a_guest_hear_of_the_new_name(inn: AcquireInn) -> None:
    person, first = guest(inn, "Rob")
    second = inn.somebody()
    second.ok("Login", username="Rob", token=inn.people.issue(person))
    renames(inn, person, "Robert")
    assert inn.somebody().refused("Login", username="Rob", token=inn.people.issue(person)) == "bad_login"
    for client in (first, second):
        setup = of("GameSetup", client.say("CreateGame", gameMode=2))[0]
        assert setup["usernames"] == ["Robert", None]


def test_a_new_name_before_the_start_reaches_those_at_the_game(inn: AcquireInn) -> None:
    person, client = guest(inn, "Rob")
    ann, looking = inn.client("Ann"), inn.somebody()
    number = ann.create(2)
    client.setup(number, "JoinGame")
    looking.enter(number)
    ann.read()
    renames(inn, person, "Robert")
    for each in (ann, client, looking):
        (setup,) = each.read()
        assert setup["type"] == "GameSetup"
        assert setup["usernames"] == ["Ann", "Robert"]
    renames(inn, person, "Robert")
    assert ann.read() == [], "it is told once"


def test_a_new_name_in_a_running_game_reaches_those_at_it_and_nobody_sees_more(inn: AcquireInn) -> None:
    person, client = guest(inn, "Rob")
    ann = inn.client("Ann")
    number = ann.create(2)
    ann.setup(number, "ChangePlayerArrangementMode", playerArrangementMode=2)
    client.setup(number, "JoinGame")
    for each in (ann, client):
        each.setup(number, "ApproveOfGameSetup")
    looking = inn.somebody()
    looking.enter(number)
    ann.read()
    client.read()
    renames(inn, person, "Robert")
    for each, player in ((ann, 0), (client, 1), (looking, None)):
        (state,) = each.read()
        assert (state["type"], state["usernames"]) == ("GameState", ["Ann", "Robert"])
        assert (state["playerID"], state["history"]) == (player, [])
        assert state == {**each.enter(number, state["gameStateHistorySize"])}
        assert (state["rack"] is None) == (player is None)


def test_a_rematch_has_a_guest_under_the_name_that_they_have_by_now(inn: AcquireInn) -> None:
    person, client = guest(inn, "Rob")
    ann = inn.guest("Ann")
    table = ann.open("acquire", options={"mode": "singles_2", "order": "exact"}, start="full")
    number = int(str(inn.load(table).table.room))
    client.setup(number, "JoinGame")
    ann.sure("resign", table=table)
    client.ok("Forfeit", gameNumber=number)
    assert inn.load(table).table.phase == "over"
    renames(inn, person, "Robert")
    assert client.enter(number)["usernames"] == ["Ann", "Rob"], "they played it under that name"
    ann.sure("rematch", table=table)
    setups = of("GameSetup", client.read())
    assert sorted(setups[-1]["usernames"]) == ["Ann", "Robert"]
    assert setups[-1]["gameNumber"] != number
