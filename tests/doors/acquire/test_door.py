"""The Acquire door: who is there, the lobby, setting games up, playing them, and coming back."""

from random import Random

import pytest
from tests.doors.support.acquire_inn import PASSWORD, AcquireInn, Client, Mirror, choice, types

from gamut.doors.close_codes import GOING_AWAY, LOGGED_OUT, POLICY, TOO_BIG, UNSUPPORTED
from gamut.games.acquire.state import Acted
from gamut.games.game import Seat
from gamut.hall.table import commands as c


def play_on(
    number: int, clients: list[Client], mirrors: list[Mirror], chance: Random, steps: int = 10_000
) -> None:
    """Everybody acts in turn, from what they know, until the game is over; all keep up with it."""
    for _ in range(steps):
        awaited = mirrors[0].state["next"]
        if awaited["action"] == "GameOver":
            return
        player = awaited["player"]
        own = mirrors[player].state
        params = choice(own, own["rack"], own["rackTypes"], chance)
        heard = clients[player].act(number, own["gameStateHistorySize"], awaited["action"], *params)
        for client, mirror in zip(clients, mirrors, strict=True):
            for message in heard if client is clients[player] else client.read():
                mirror.hear(message)


def test_a_whole_game_is_followed_from_messages_alone_and_agrees_with_the_position(inn: AcquireInn) -> None:
    number, clients = inn.playing(3, "Ann", "Bob", "Cy")
    mirrors = [Mirror(client.enter(number)) for client in clients]
    for client in clients:
        client.read()
    chance = Random(5)
    for _ in range(20):
        play_on(number, clients, mirrors, chance, 10)
        for client, mirror in zip(clients, mirrors, strict=True):
            told = client.enter(number)
            if told["over"]:
                break
            assert mirror.agrees_with(told)
    play_on(number, clients, mirrors, chance)
    assert clients[0].enter(number)["over"]


# Who is there


def test_the_server_greets_first_and_says_its_version_and_time(inn: AcquireInn) -> None:
    client = Client(inn)
    assert client.read() == [{"type": "Initial", "version": 1, "serverTime": inn.time.now()}]


def test_a_user_has_the_same_number_for_ever_and_logs_in_by_password_or_token(inn: AcquireInn) -> None:
    ann = inn.client("Ann")
    assert 0 < ann.user_id < 2**53
    again = inn.somebody()
    (result,) = again.ok("Login", username="Ann", password=PASSWORD)
    assert (result["userId"], result["username"]) == (ann.user_id, "Ann")
    inn.restart()
    (result,) = inn.somebody().ok("Login", username="Ann", token=ann.token)
    assert result["userId"] == ann.user_id


def test_log_ins_that_fail_say_alike_why(inn: AcquireInn) -> None:
    ann, client = inn.client("Ann"), inn.somebody()
    assert client.refused("Login", username="Ann", password="not that one") == "bad_login"
    assert client.refused("Login", username="Nobody", password=PASSWORD) == "bad_login"
    assert client.refused("Login", username="Bob", token=ann.token) == "bad_login"
    assert client.refused("Login", username="Ann", token="no token") == "bad_login"
    assert client.refused("Login", username="Ann") == "invalid_message"
    assert client.refused("CreateUserAndLogin", username="Ann", password=PASSWORD) == "user_exists"
    assert client.refused("CreateUserAndLogin", username="Zo\u00eb", password=PASSWORD) == "invalid_username"
    assert client.refused("CreateUserAndLogin", username="  ", password=PASSWORD) == "invalid_username"
    assert client.refused("CreateUserAndLogin", username="x" * 33, password=PASSWORD) == "invalid_username"
    assert client.refused("CreateUserAndLogin", username="Bob", password="short") == "invalid_password"
    assert ann.refused("Login", username="Ann", password=PASSWORD) == "already_logged_in"


def test_spaces_in_a_name_are_collapsed(inn: AcquireInn) -> None:
    (result,) = inn.somebody().ok("CreateUserAndLogin", username="  Ann   Bee ", password=PASSWORD)
    assert result["username"] == "Ann Bee"


@pytest.mark.parametrize(
    "name",
    [
        "Ann\nBee",
        "Ann\n",
        "\tAnn",
        "Ann\rBee",
        "Ann\x0bBee",
        "Ann\x85",
        "Ann\u2028Bee",
        "A\x00",
        "Guest",
        "GUE ST",
    ],
)
def test_a_name_with_a_line_break_or_one_that_nobody_has_is_no_name(inn: AcquireInn, name: str) -> None:
    client = inn.somebody()
    assert client.refused("CreateUserAndLogin", username=name, password=PASSWORD) == "invalid_username"


def test_strangers_may_look_and_nothing_else(inn: AcquireInn) -> None:
    number = inn.client("Ann").create()
    client = inn.somebody()
    client.ok("LobbyConnect", lastEventIndex=0)
    assert client.enter(number)["type"] == "GameSetup"
    client.ok("ExitGame", gameNumber=number)
    game = {"gameNumber": number}
    for type, fields in (
        ("Logout", {}),
        ("CreateGame", {"gameMode": 2}),
        ("DoGameSetupAction", {**game, "action": {"type": "JoinGame"}}),
        ("DoGameAction", {**game, "gameStateHistorySize": 0, "action": "PlayTile", "params": [1]}),
        ("Forfeit", game),
        ("SendChatMessage", {**game, "message": "hello"}),
        ("SendChatMessage", {"gameNumber": None, "message": "hello"}),
        ("GetGameReview", game),
    ):
        assert client.refused(type, **fields) == "not_logged_in"


def test_who_logs_out_only_looks_from_then_on(inn: AcquireInn) -> None:
    ann, bob = inn.clients("Ann", "Bob")
    number = ann.create()
    bob.enter(number)
    ann.read()
    bob.ok("Logout")
    assert [message["type"] for message in ann.read()] == ["UserExitedGame"]
    assert bob.refused("CreateGame", gameMode=1) == "not_logged_in"
    bob.log_in("Bob")


def test_a_player_who_logs_in_at_a_game_sees_the_own_tiles_from_then_on(inn: AcquireInn) -> None:
    number, (ann, _) = inn.playing(2, "Ann", "Bob")
    looking = inn.somebody()
    assert looking.enter(number)["rack"] is None
    result, state = looking.ok("Login", username="Ann", password=PASSWORD)
    assert result["type"] == "LoginResult"
    assert state == ann.enter(number)
    assert state["playerID"] == 0


def test_whoever_is_logged_out_everywhere_is_let_go(inn: AcquireInn) -> None:
    first, second = inn.client("Ann"), inn.client("Ann")
    inn.acquire.logged_out(first.session.person)
    inn.settle()
    assert first.wire.closed == second.wire.closed == LOGGED_OUT


# The lobby


def test_creating_a_game_tells_the_lobby_then_the_setup_then_the_number(inn: AcquireInn) -> None:
    ann = inn.client("Ann")
    (lobby,) = ann.ok("LobbyConnect", lastEventIndex=0)
    assert lobby["checkpoint"] == {"games": [], "users": [{"userId": ann.user_id, "username": "Ann"}]}
    created, setup, answer = ann.say(
        "CreateGame", gameMode=7, timeControlStartingAmount=900, timeControlIncrementAmount=5
    )
    assert answer == {"type": "Ok", "id": answer["id"], "gameNumber": 1}
    shared = {
        "gameNumber": 1,
        "gameMode": 7,
        "playerArrangementMode": 1,
        "timeControlStartingAmount": 900,
        "timeControlIncrementAmount": 5,
        "hostUserId": ann.user_id,
        "userIds": [ann.user_id, None, None, None],
        "usernames": ["Ann", None, None, None],
    }
    assert setup == {"type": "GameSetup", **shared, "approvals": [False] * 4}
    assert created["type"] == "GameCreated"
    assert created["lastEventIndex"] == lobby["lastEventIndex"] + 1
    assert created["game"] == {**shared, "status": "setup", "watchers": 0, "board": None}


def test_who_missed_lobby_messages_gets_those_and_no_others(inn: AcquireInn) -> None:
    ann, bob = inn.clients("Ann", "Bob")
    (first,) = bob.ok("LobbyConnect", lastEventIndex=0)
    number = ann.create(2)
    heard = bob.read()
    assert types(heard) == ["GameCreated"]
    bob.hang_up()
    bob = inn.client("Bob")
    (lobby,) = bob.ok("LobbyConnect", lastEventIndex=first["lastEventIndex"])
    assert lobby["events"] == heard
    ann.setup(number, "CancelGame")
    (removed,) = bob.read()
    assert removed == {
        "type": "GameRemoved",
        "lastEventIndex": heard[-1]["lastEventIndex"] + 1,
        "gameNumber": number,
    }
    (lobby,) = inn.client("Cy").ok("LobbyConnect", lastEventIndex=removed["lastEventIndex"])
    assert lobby["events"] == []


def test_numbers_of_an_earlier_server_get_the_whole_lobby(inn: AcquireInn) -> None:
    ann = inn.client("Ann")
    ann.create(2)
    (lobby,) = ann.ok("LobbyConnect", lastEventIndex=0)
    inn.advance(1)
    inn.restart()
    (again,) = inn.client("Ann").ok("LobbyConnect", lastEventIndex=lobby["lastEventIndex"])
    assert [game["gameNumber"] for game in again["checkpoint"]["games"]] == [1]
    (future,) = inn.client("Bob").ok("LobbyConnect", lastEventIndex=2**52)
    assert "checkpoint" in future


def test_the_lobby_shows_boards_of_running_games_as_they_change(inn: AcquireInn) -> None:
    number, (ann, bob) = inn.playing(2, "Ann", "Bob")
    looker = inn.somebody()
    (lobby,) = looker.ok("LobbyConnect", lastEventIndex=0)
    (game,) = lobby["checkpoint"]["games"]
    state = ann.enter(number)
    assert (game["status"], game["board"]) == ("playing", state["board"])
    assert game["userIds"] == [ann.user_id, bob.user_id]
    tile = state["rack"][0]
    ann.act(number, 1, "PlayTile", tile)
    assert looker.read() == []
    inn.advance(500)
    (changed,) = looker.read()
    assert changed["type"] == "GameBoardChanged"
    cells = dict(map(tuple, changed["boardChanges"]))
    before = {t: game["board"][t % 9][t // 9] for t in range(108)}
    after = ann.enter(number)["board"]
    assert {**before, **cells} == {t: after[t % 9][t // 9] for t in range(108)}
    inn.advance(10_000)
    assert looker.read() == []


def test_games_are_shown_after_a_restart_with_their_boards(inn: AcquireInn) -> None:
    number, (ann, _) = inn.playing(2, "Ann", "Bob")
    board = ann.enter(number)["board"]
    inn.restart()
    (lobby,) = inn.somebody().ok("LobbyConnect", lastEventIndex=0)
    (game,) = lobby["checkpoint"]["games"]
    assert (game["gameNumber"], game["board"]) == (number, board)
    assert inn.client("Cy").create() == number + 1, "numbers go on"


def test_watchers_are_counted(inn: AcquireInn) -> None:
    ann, looker = inn.client("Ann"), inn.somebody()
    number = ann.create()
    looker.ok("LobbyConnect", lastEventIndex=0)
    watcher = inn.somebody()
    watcher.enter(number)
    (changed,) = looker.read()
    assert (changed["type"], changed["game"]["watchers"]) == ("GameChanged", 1)
    watcher.hang_up()
    (changed,) = looker.read()
    assert changed["game"]["watchers"] == 0


# Talk


def test_what_is_said_in_the_lobby_is_heard_there_before_the_answer(inn: AcquireInn) -> None:
    ann, bob = inn.clients("Ann", "Bob")
    guest = inn.guest("Gus")
    guest.sure("lobby")
    for client in (ann, bob):
        client.ok("LobbyConnect", lastEventIndex=0)
    (said,) = ann.ok("SendChatMessage", gameNumber=None, message=" hello \n there ")
    assert said == {
        "type": "ChatMessage",
        "gameNumber": None,
        "userId": ann.user_id,
        "username": "Ann",
        "message": "hello there",
        "timestamp": inn.time.now(),
    }
    assert bob.read() == [said]
    assert any(message.get("said") for message in guest.read()), "the page hears it, too"
    assert ann.refused("SendChatMessage", gameNumber=None, message="  ") == "invalid_chat_message"
    assert ann.refused("SendChatMessage", gameNumber=None, message="x" * 501) == "invalid_chat_message"


def test_players_and_watchers_of_a_game_hear_each_other(inn: AcquireInn) -> None:
    ann, bob, cy = inn.clients("Ann", "Bob", "Cy")
    number = ann.create()
    bob.enter(number)
    for speaker, other in ((ann, bob), (bob, ann)):
        speaker.read(), other.read()
        (said,) = speaker.ok("SendChatMessage", gameNumber=number, message="hello")
        assert (said["userId"], said["gameNumber"]) == (speaker.user_id, number)
        assert other.read() == [said]
    assert cy.read() == []
    assert cy.refused("SendChatMessage", gameNumber=99, message="hello") == "game_not_found"


# Coming to a game and going


def test_others_at_a_game_hear_of_a_users_first_connection_and_of_the_last(inn: AcquireInn) -> None:
    ann, bob = inn.clients("Ann", "Bob")
    number = ann.create()
    ann.read()
    bob.enter(number)
    entered = {"type": "UserEnteredGame", "gameNumber": number, "userId": bob.user_id, "username": "Bob"}
    assert ann.read() == [entered]
    second = inn.client("Bob")
    second.enter(number)
    bob.hang_up()
    inn.somebody().enter(number)
    assert ann.read() == [], "still there; and who only looks is nobody"
    second.ok("ExitGame", gameNumber=number)
    assert ann.read() == [{**entered, "type": "UserExitedGame"}]


def test_all_connections_of_a_user_hear_the_same_in_the_same_order(inn: AcquireInn) -> None:
    number, (ann, bob) = inn.playing(2, "Ann", "Bob")
    twin = inn.client("Ann")
    tile = twin.enter(number)["rack"][2]
    bob.read()
    heard = twin.act(number, 1, "PlayTile", tile)
    assert ann.read() == heard
    (done,) = bob.read()
    (own,) = heard
    assert [m for m in own["history"] if m[0] != "DrewTile"] == done["history"]
    assert own["rack"] is not None
    assert own["rackTypes"] is not None


def test_a_lost_connection_gives_up_no_seat_before_the_game_nor_in_it(inn: AcquireInn) -> None:
    ann, bob = inn.clients("Ann", "Bob")
    number = ann.create(2)
    bob.setup(number, "JoinGame")
    bob.hang_up()
    inn.advance(3_600_000)
    bob = inn.client("Bob")
    assert bob.enter(number)["userIds"] == [ann.user_id, bob.user_id]
    ann.setup(number, "ApproveOfGameSetup")
    bob.setup(number, "ApproveOfGameSetup")
    bob.hang_up()
    inn.advance(3_600_000)
    state = inn.client("Bob").enter(number)
    assert (state["playerID"], state["forfeits"]) == (state["userIds"].index(bob.user_id), [])


def test_coming_back_to_a_game_tells_only_what_happened_since(inn: AcquireInn) -> None:
    number, clients = inn.playing(2, "Ann", "Bob")
    mirrors = [Mirror(client.enter(number)) for client in clients]
    play_on(number, clients, mirrors, Random(3), 12)
    known = mirrors[0].state["gameStateHistorySize"]
    clients[0].hang_up()
    inn.restart()
    ann, bob = inn.clients("Ann", "Bob")
    assert mirrors[0].agrees_with(ann.enter(number))
    bob.enter(number)
    mirrors[1] = Mirror(bob.enter(number))
    play_on(number, [ann, bob], [Mirror(ann.enter(number)), mirrors[1]], Random(4), 5)
    since = inn.client("Ann").enter(number, known)
    assert len(since["history"]) == since["gameStateHistorySize"] - known == 5
    assert ann.enter(number)["history"][known:] == since["history"]
    assert ann.refused("EnterGame", gameNumber=number, gameStateHistorySize=known + 6) == "stale"
    assert ann.refused("EnterGame", gameNumber=number, gameStateHistorySize=-1) == "invalid_message"


# Setting up, beyond what is recorded


def test_who_joins_without_having_entered_is_at_the_game(inn: AcquireInn) -> None:
    ann, bob = inn.clients("Ann", "Bob")
    number = ann.create(2)
    setup, added = bob.setup(number, "JoinGame")
    assert (setup["type"], setup["userIds"]) == ("GameSetup", [ann.user_id, None])
    assert added["change"] == {
        "type": "UserAdded",
        "userId": bob.user_id,
        "username": "Bob",
        "position": 1,
    }
    assert ann.read()[-1] == added


def test_nobody_hears_of_a_join_that_is_refused(inn: AcquireInn) -> None:
    page, bob, cy, dee = inn.guest("Ann"), *inn.clients("Bob", "Cy", "Dee")
    page.open("acquire", password="sesame")
    bob.enter(1)
    dee.ok("LobbyConnect", lastEventIndex=0)
    bob.read()
    page.read()
    assert cy.setup_refused(1, "JoinGame") == "locked"
    inn.table().out_of_order = True
    assert cy.setup_refused(1, "JoinGame") == "out_of_order"
    inn.advance(1_000)
    assert bob.read() == dee.read() == cy.read() == page.read() == []
    assert not cy.session.following


def test_who_joins_a_table_without_watchers_sits_there(inn: AcquireInn) -> None:
    page, bob = inn.guest("Ann"), inn.client("Bob")
    table = page.open("acquire", watchable=False)
    assert bob.refused("EnterGame", gameNumber=1) == "not_watchable"
    setup, added = bob.setup(1, "JoinGame")
    assert setup["type"] == "GameSetup"
    assert added["change"] == {"type": "UserAdded", "userId": bob.user_id, "username": "Bob", "position": 1}
    assert inn.load(table).table.seat_of(bob.session.person) == 1


def test_the_time_control_changes_and_resets_approvals(inn: AcquireInn) -> None:
    ann, bob = inn.clients("Ann", "Bob")
    number = ann.create(2)
    bob.setup(number, "JoinGame")
    bob.setup(number, "ApproveOfGameSetup")
    (changed,) = ann.setup(number, "ChangeTimeControl", startingAmount=60, incrementAmount=3)[-1:]
    assert changed["change"] == {"type": "TimeControlChanged", "startingAmount": 60, "incrementAmount": 3}
    setup = bob.enter(number)
    assert setup["approvals"] == [False, False]
    assert (setup["timeControlStartingAmount"], setup["timeControlIncrementAmount"]) == (60, 3)
    ann.setup(number, "ChangeTimeControl", startingAmount=None, incrementAmount=9)
    assert bob.enter(number)["timeControlIncrementAmount"] == 0, "without a clock there is nothing to add to"


def test_a_cancelled_game_is_gone_for_everybody(inn: AcquireInn) -> None:
    ann, bob, looker = inn.clients("Ann", "Bob", "Cy")
    number = ann.create(2)
    bob.setup(number, "JoinGame")
    ann.read(), bob.read()
    looker.ok("LobbyConnect", lastEventIndex=0)
    (removed,) = ann.setup(number, "CancelGame")
    assert (removed["type"], removed["gameNumber"]) == ("GameRemoved", number)
    assert types(bob.read()) == types(looker.read()) == ["GameRemoved"]
    for client in (ann, bob, looker):
        assert client.refused("EnterGame", gameNumber=number) == "game_not_found"


def test_who_is_kicked_may_come_back(inn: AcquireInn) -> None:
    ann, bob = inn.clients("Ann", "Bob")
    number = ann.create(2)
    bob.setup(number, "JoinGame")
    ann.setup(number, "KickUser", userId=bob.user_id)
    (kicked,) = bob.read()
    assert kicked["change"] == {"type": "UserKicked", "userId": bob.user_id}
    bob.setup(number, "JoinGame")


# Playing


def test_a_game_begins_with_everything_that_its_players_must_know(inn: AcquireInn) -> None:
    ann, bob = inn.clients("Ann", "Bob")
    number = ann.create(2, timeControlStartingAmount=60)
    ann.setup(number, "ChangePlayerArrangementMode", playerArrangementMode=2)
    bob.setup(number, "JoinGame")
    ann.setup(number, "ApproveOfGameSetup")
    bob.read()
    approved, started, done = bob.setup(number, "ApproveOfGameSetup")
    assert approved["change"] == {
        "type": "UserApprovedOfGameSetup",
        "userId": bob.user_id,
        "approvedByEverybody": True,
    }
    assert started == {
        "type": "GameStarted",
        "gameNumber": number,
        "userIds": [ann.user_id, bob.user_id],
        "usernames": ["Ann", "Bob"],
        "hostUserId": ann.user_id,
    }
    assert (done["action"], done["params"], done["playerID"]) == ("StartGame", [], 0)
    assert (done["gameStateHistorySize"], done["autoPlayed"], done["chains"]) == (1, False, [])
    assert done["scoreBoard"] == [[0, [0] * 7 + [60, 60]], [1, [0] * 7 + [60, 60]]]
    assert done["rackCounts"] == [6, 6]
    assert [cell for _, cell in done["boardChanges"]] == ["O", "O"]
    assert done["clocks"] == [60_000, 60_000]
    assert types(ann.read()) == ["GameSetupChanged", "GameStarted", "GameActionDone"]


def test_a_double_click_does_nothing(inn: AcquireInn) -> None:
    number, (ann, bob) = inn.playing(2, "Ann", "Bob")
    tile = ann.enter(number)["rack"][0]
    ann.act(number, 1, "PlayTile", tile)
    bob.read()
    assert ann.act_refused(number, 1, "PlayTile", tile) == "stale"
    assert bob.read() == []


def test_clocks_are_charged_and_told_and_nobody_pays_for_a_restart(inn: AcquireInn) -> None:
    number, (ann, _) = inn.playing(
        2, "Ann", "Bob", timeControlStartingAmount=60, timeControlIncrementAmount=2
    )
    inn.advance(10_000)
    assert ann.enter(number)["clocks"] == [50_000, 60_000]
    (done,) = ann.act(number, 1, "PlayTile", ann.enter(number)["rack"][0])[:1]
    assert done["clocks"][0] == 52_000
    inn.restart()
    assert inn.client("Ann").enter(number)["clocks"] == [52_000, 60_000]


def test_whoever_runs_out_of_time_is_played_for_and_everything_they_do_later_at_once(inn: AcquireInn) -> None:
    number, (ann, bob) = inn.playing(2, "Ann", "Bob", timeControlStartingAmount=60)
    rack = ann.enter(number)["rack"]
    inn.advance(60_000)
    done = ann.read()[0]
    assert (done["autoPlayed"], done["action"], done["params"]) == (True, "PlayTile", [rack[0]])
    assert done["clocks"] == [0, 60_000]
    mirror = Mirror(bob.enter(number))
    while mirror.state["next"]["player"] == 1:
        own = mirror.state
        heard = bob.act(
            number,
            own["gameStateHistorySize"],
            own["next"]["action"],
            *choice(own, own["rack"], own["rackTypes"], Random(1)),
        )
        for message in heard:
            mirror.hear(message)
        if heard[-1]["turnPlayer"] == 1 and heard[-1]["playerID"] == 0:
            assert heard[-1]["autoPlayed"], "told before the answer to what set it off"
            return
    raise AssertionError("nobody else had to act")


def test_every_action_that_the_server_plays_brings_its_player_the_increment(inn: AcquireInn) -> None:
    number, (ann, bob) = inn.playing(
        2, "Ann", "Bob", timeControlStartingAmount=60, timeControlIncrementAmount=5
    )
    mirror = Mirror(bob.enter(number))
    banks, before = [60_000, 60_000], inn.time.now()
    inn.advance(10_000)
    ann.ok("Forfeit", gameNumber=number)
    chance, actions = Random(1), 1
    for _ in range(30):
        for message in bob.read():
            mirror.hear(message)
        own = mirror.state
        assert own["next"]["player"] == 1, "the server plays at once for whoever has forfeited"
        inn.advance(1_000)
        params = choice(own, own["rack"], own["rackTypes"], chance)
        for message in bob.act(number, own["gameStateHistorySize"], own["next"]["action"], *params):
            mirror.hear(message)
    log = inn.table(number).visible(None, 0)  # type: ignore[arg-type]
    for event in log:
        for happened in getattr(event, "events", ()):
            if isinstance(happened, Acted):
                spent, before = event.at - before, event.at
                banks[happened.seat] = max(0, banks[happened.seat] - spent) + 5_000
                actions += 1
    assert actions == mirror.state["gameStateHistorySize"] > 31
    assert mirror.state["clocks"] == banks


def test_a_forfeit_is_told_then_what_the_server_plays_and_the_player_stays(inn: AcquireInn) -> None:
    number, (ann, bob) = inn.playing(2, "Ann", "Bob")
    bob.read()
    forfeited, done = ann.ok("Forfeit", gameNumber=number)[:2]
    assert forfeited == {
        "type": "PlayerForfeited",
        "gameNumber": number,
        "playerID": 0,
        "timestamp": inn.time.now(),
    }
    assert (done["playerID"], done["autoPlayed"]) == (0, True)
    assert types(bob.read())[:2] == ["PlayerForfeited", "GameActionDone"]
    assert ann.refused("Forfeit", gameNumber=number) == "already_forfeited"
    state = ann.enter(number)
    assert (state["forfeits"], state["playerID"]) == ([0], 0)
    last = bob.ok("Forfeit", gameNumber=number)[-1]
    assert ann.read()[-1] == last
    assert last["next"] == {"player": None, "action": "GameOver"}
    (told,) = bob.ok("GetGameReview", gameNumber=number)
    assert [player for player, _ in told["review"][9]] == [0, 1]
    assert ann.refused("Forfeit", gameNumber=number) == "game_over"


def test_a_game_that_is_over_can_be_reviewed_by_anybody_also_after_a_restart(inn: AcquireInn) -> None:
    number, (ann, bob) = inn.playing(2, "Ann", "Bob")
    cy = inn.client("Cy")
    assert cy.refused("GetGameReview", gameNumber=number) == "game_not_over"
    for client in (ann, bob):
        client.ok("Forfeit", gameNumber=number)
    (told,) = cy.ok("GetGameReview", gameNumber=number)
    assert sorted(told["review"][6]) == list(range(108))
    assert len(told["review"]) == 10
    state = ann.enter(number)
    assert state["over"]
    assert any(message[0] == "DrewTile" and message[1] == 1 for message in state["history"][0])
    inn.restart()
    cy = inn.client("Cy")
    assert cy.ok("GetGameReview", gameNumber=number) == [told]
    assert inn.client("Ann").enter(number) == state


def test_a_game_that_is_called_off_while_its_review_is_waited_for_is_no_game(inn: AcquireInn) -> None:
    guest, ann = inn.guest("Gus"), inn.client("Ann")
    table = guest.open("acquire", options={"mode": "singles_2"})
    ann.enter(1)
    review = ann.session.text(b'{"type":"GetGameReview","id":99,"gameNumber":1}')
    guest.sure("call_off", table=table)
    ann.read()
    inn.run(review)
    assert [message["code"] for message in ann.read()] == ["game_not_found"]


# The page


def test_a_table_of_the_page_is_a_game_here_and_its_guests_are_users(inn: AcquireInn) -> None:
    looker, ann = inn.somebody(), inn.client("Ann")
    looker.ok("LobbyConnect", lastEventIndex=0)
    guest = inn.guest("Gus")
    guest.open("acquire", options={"mode": "singles_2", "order": "exact"}, start="approval")
    inn.advance(100)
    (created,) = looker.read()
    game = created["game"]
    assert (game["gameNumber"], game["usernames"], game["status"]) == (1, ["Gus", None], "setup")
    assert game["userIds"][0] < -1_000
    assert game["hostUserId"] == game["userIds"][0]
    ann.setup(1, "JoinGame")
    guest.read()
    ann.setup(1, "ApproveOfGameSetup")
    table = inn.table(1).id
    guest.sure("ready", table=table, ready=True)
    *_, started, done = ann.read()
    assert (started["type"], done["action"]) == ("GameStarted", "StartGame")
    state = inn.table(1).state_for(Seat(0))
    guest.sure("act", table=table, action={"type": "PlayTile", "tile": state.racks[0][0]})
    (done,) = ann.read()
    assert done["playerID"] == 0
    assert not any(message[0] == "DrewTile" for message in done["history"])


def test_a_game_of_this_door_is_a_table_on_the_page(inn: AcquireInn) -> None:
    ann, guest = inn.client("Ann"), inn.guest("Gus")
    number = ann.create(2)
    table = inn.table(number).id
    guest.sure("sit", table=table)
    added = ann.read()[-1]
    assert (added["change"]["type"], added["change"]["username"]) == ("UserAdded", "Gus")
    ann.setup(number, "KickUser", userId=added["change"]["userId"])
    assert inn.table(number).table.seats[1] is None


def test_a_private_table_does_not_exist_for_those_outside(inn: AcquireInn) -> None:
    guest, ann = inn.guest("Gus"), inn.client("Ann")
    guest.open("acquire", options={"mode": "singles_2"}, private=True)
    (lobby,) = ann.ok("LobbyConnect", lastEventIndex=0)
    assert lobby["checkpoint"]["games"] == []
    assert ann.refused("EnterGame", gameNumber=1) == "game_not_found"
    assert ann.setup_refused(1, "JoinGame") == "game_not_found"


@pytest.mark.parametrize("unseen", [{"watchable": False}, {"password": "sesame", "guards_watching": True}])
def test_the_lobby_shows_no_board_that_not_everybody_may_see(
    inn: AcquireInn, unseen: dict[str, object]
) -> None:
    looker, ann, guest = inn.somebody(), inn.client("Ann"), inn.guest("Gus")
    looker.ok("LobbyConnect", lastEventIndex=0)
    table = guest.open("acquire", options={"mode": "singles_1"}, start="full", one_chat=True, **unseen)
    state = inn.table(1).state_for(Seat(0))
    guest.sure("act", table=table, action={"type": "PlayTile", "tile": state.racks[0][0]})
    inn.advance(1_000)
    heard = looker.read()
    assert {message["type"] for message in heard} <= {"GameCreated", "GameChanged"}
    assert [message["game"]["board"] for message in heard] == [None] * len(heard)
    (lobby,) = ann.ok("LobbyConnect", lastEventIndex=0)
    (game,) = lobby["checkpoint"]["games"]
    assert (game["status"], game["board"]) == ("playing", None)
    assert ann.refused("SendChatMessage", gameNumber=1, message="hello") == "not_here"


def test_who_talks_at_a_game_has_entered_it(inn: AcquireInn) -> None:
    number, _ = inn.playing(2, "Ann", "Bob")
    cid = inn.client("Cid")
    assert cid.refused("SendChatMessage", gameNumber=number, message="hello") == "not_here"
    cid.enter(number)
    cid.ok("SendChatMessage", gameNumber=number, message="hello")


def test_bots_are_users_who_approve_by_themselves(inn: AcquireInn) -> None:
    ann, guest = inn.client("Ann"), inn.guest("Gus")
    table = guest.open("acquire", options={"mode": "singles_3"}, start="approval")
    level = inn.hall.games["acquire"].traits.levels[0].name
    ann.enter(1)
    guest.sure("bot", table=table, level=level)
    guest.sure("bot", table=table, level=level)
    added = [message for message in ann.read() if message["type"] == "GameSetupChanged"]
    assert [message["change"]["userId"] for message in added] == [-1, -2]
    setup = ann.enter(1)
    assert setup["userIds"][1:] == [-1, -2]
    assert setup["approvals"] == [False, True, True]
    guest.sure("unseat", table=table, seat=1)
    kicked, anew = ann.read()
    assert kicked["change"] == {"type": "UserKicked", "userId": -1}
    assert (anew["type"], anew["userIds"][1:]) == ("GameSetup", [None, -1]), "those who are left count anew"


def test_a_game_that_is_paused_on_the_page_rests_here(inn: AcquireInn) -> None:
    number, (ann, bob) = inn.playing(2, "Ann", "Bob")
    live = inn.table(number)
    inn.hall.do(live, c.Pause(ann.session.person))
    inn.settle()
    (state,) = bob.read()
    assert (state["type"], state["history"]) == ("GameState", [])
    tile = ann.enter(number)["rack"][0]
    assert ann.act_refused(number, 1, "PlayTile", tile) == "not_in_progress"
    assert ann.refused("Forfeit", gameNumber=number) == "not_in_progress"
    inn.hall.do(live, c.Resume(ann.session.person))
    inn.settle()
    ann.act(number, 1, "PlayTile", tile)


def test_who_leaves_a_running_game_on_the_page_only_watches_from_then_on(inn: AcquireInn) -> None:
    number, (ann, bob) = inn.playing(2, "Ann", "Bob")
    inn.hall.do(inn.table(number), c.Leave(ann.session.person))
    inn.settle()
    heard = ann.read()
    assert types(heard)[:2] == ["PlayerForfeited", "GameActionDone"]
    assert heard[1]["rack"] is None
    state = heard[-1]
    assert (state["type"], state["playerID"], state["rack"]) == ("GameState", None, None)
    assert state["userIds"] == [ann.user_id, bob.user_id], "it is still who played"
    assert ann.refused("Forfeit", gameNumber=number) == "not_a_player"


# Trouble


def test_large_and_binary_frames(inn: AcquireInn) -> None:
    client = inn.somebody()
    large = b'{"type":"Logout","id":1,"x":"' + b"x" * 65_536 + b'"}'
    (error,) = client.raw_say(large)
    assert (error["code"], error["id"], client.closed) == ("too_large", None, False)
    assert client.raw_say(large)[0]["code"] == "too_large"
    assert client.wire.closed == TOO_BIG
    other = inn.somebody()
    other.session.binary(b"\x00")
    assert other.wire.closed == UNSUPPORTED


def test_only_many_frames_in_a_row_that_are_no_json_end_a_connection(inn: AcquireInn) -> None:
    client = inn.somebody()
    for _ in range(3):
        for data in (b"", b"{", b"nonsense", b"[" * 10_000, b'"\xff"', b"{}x", b"nul"):
            (error,) = client.raw_say(data)
            assert (error["code"], error["id"]) == ("invalid_message", None)
        (error,) = client.raw_say(b'{"type":"Nothing","id":"seven"}')
        assert (error["code"], error["id"]) == ("invalid_message", "seven")
    assert not client.closed
    for _ in range(10):
        client.raw_say(b"nonsense")
    assert client.wire.closed == POLICY


def test_a_message_without_an_id_is_not_answered_unless_it_is_refused(inn: AcquireInn) -> None:
    ann = inn.client("Ann")
    number = ann.create()
    assert types(ann.raw_say(b'{"type":"EnterGame","gameNumber":%d}' % number)) == ["GameSetup"]
    (error,) = ann.raw_say(b'{"type":"EnterGame","gameNumber":99}')
    assert (error["code"], error["id"]) == ("game_not_found", None)


def test_when_the_server_stops_nobody_leaves(inn: AcquireInn) -> None:
    number, (ann, bob) = inn.playing(2, "Ann", "Bob")
    seq = inn.table(number).table.seq
    for client in (ann, bob):
        client.session.closing()
        client.session.closed()
    inn.settle()
    assert ann.wire.closed == GOING_AWAY
    assert inn.table(number).table.seq == seq


def test_a_game_whose_player_is_removed_is_there_no_more(inn: AcquireInn) -> None:
    ann, bob, guest = inn.client("Ann"), inn.client("Bob"), inn.guest("Gus")
    table = guest.open("acquire", options={"mode": "singles_2"}, start="full")
    number = 1
    for person in (ann, bob):
        person.enter(number)
    bob.setup(number, "JoinGame")
    live = inn.load(table)
    assert any(message["type"] == "GameStarted" for message in ann.read())
    bob.read()
    seat = live.table.seat_of(bob.session.person)
    guest.sure("unseat", table=table, seat=seat)
    for person in (ann, bob):
        assert [message["type"] for message in person.read()] == ["GameRemoved"]
    assert live.table.outcome is None
    assert live.table.phase == "over"
