"""Bots that wait in the lists of games, so that nobody who comes alone finds an empty house."""

from collections.abc import Iterator
from typing import Any

import pytest
from msgspec.structs import replace
from tests.doors.support.inn import QUICK
from tests.doors.support.powerchess_inn import Client as PowerClient
from tests.doors.support.powerchess_inn import PowerInn, power_inn
from tests.doors.support.tafl_inn import BRANDUB, Client, TaflInn, create, tafl_inn

from gamut.doors.powerchess.naming import MOST
from gamut.games.powerchess.bots import NAMES as POWER_NAMES
from gamut.games.tafl.bots import NAMES as TAFL_NAMES
from gamut.hall.limits.allowance import Allowance
from gamut.hall.limits.pace import Pace
from gamut.hall.live.live_table import LiveTable
from gamut.hall.table.seats import BotSitter

LEVELS = ("casual", "sensible", "strong")


def tables(house: TaflInn | PowerInn) -> int:
    return len(house.hall.register.unfinished)


# Tafl


@pytest.fixture(name="tafl")
def _tafl() -> Iterator[TaflInn]:
    with tafl_inn(waiting=True) as house:
        yield house


def listed(client: Client) -> list[list[str]]:
    """Guid, rules, attackers and defenders of each game, and the rest."""
    old = client.session.dialect == "O"
    (line,) = client.say("game-list" if old else "get-game-list")
    records = line.removeprefix("game-list").strip().split("||" if old else "|")
    return [
        [word.strip() for word in record.split('"') if word.strip()] for record in records if record.strip()
    ]


def join(client: Client, guid: str) -> list[str]:
    return client.say(f"join-game {guid}" + " false none" * (client.session.dialect == "O"))


def at(house: TaflInn, client: Client) -> LiveTable:
    live = client.session.live
    assert live is not None
    return live


@pytest.mark.parametrize("kind", ["", "7", "ext"])
def test_a_lone_tafl_client_finds_bots_of_each_strength_by_their_names(tafl: TaflInn, kind: str) -> None:
    found = listed(tafl.client("Ann", kind))
    bots = [f"{TAFL_NAMES[level][0]} bot ({level})" for level in LEVELS]
    assert [game[1:4] for game in found] == [
        [rules, bot, "<none>"] for rules in ("Brandub 7x7", "Copenhagen 11x11") for bot in bots
    ]
    more = " started:false loaded:false combinechat:false allowreplay:false" if kind == "7" else ""
    clock = " 0|0/0|0" if kind == "7" else ""
    assert {game[4] for game in found} == {f"password:false{more} spectators:0{clock}"}
    assert tables(tafl) == 0, "nobody has joined one yet"
    assert tafl.hall.lobby.tables == {}


def test_an_old_tafl_client_that_joins_plays_at_once(tafl: TaflInn) -> None:
    ann = tafl.client("Ann", "7")
    guid = listed(ann)[0][0]
    seated, started, moved, awaited = join(ann, guid)
    assert (seated, started) == ("success defenders", f"start-game {BRANDUB}")
    assert moved.startswith("move-record "), "the bot attacks"
    assert awaited == "await-move defenders"
    table = at(tafl, ann).table
    assert (table.phase, table.room, table.host) == ("playing", guid, ann.session.person)
    assert table.options.quirks
    assert isinstance(table.seats[0], BotSitter)


@pytest.mark.parametrize("kind", ["", "ext"])
def test_a_tafl_client_with_a_word_for_it_plays_when_it_is_ready(tafl: TaflInn, kind: str) -> None:
    ann = tafl.client("Ann", kind)
    guid = listed(ann)[0][0]
    assert join(ann, guid) == ["success"]
    said, started, moved, awaited = ann.say("ready-for-game")
    assert (said, started) == ("success", f"start-game {BRANDUB}")
    assert moved.startswith("move ")
    assert awaited == "await-move defenders"
    assert ann.say(f"leave-game {guid}") == ["success"]
    assert tables(tafl) == 0


def test_where_somebody_has_joined_a_bot_another_one_waits_on_the_other_side(tafl: TaflInn) -> None:
    ann, bob, cid = tafl.client("Ann", "7"), tafl.client("Bob", "7"), tafl.client("Cid")
    before, others = listed(ann), listed(bob)
    guid = before[0][0]
    join(ann, guid)
    name = f"{TAFL_NAMES['casual'][0]} bot"
    table = [guid, "Brandub 7x7", name, "Ann"]
    assert listed(bob)[0][:4] == table, "people come first"
    assert listed(bob)[1:] == others, "for everybody else the same bots wait as before"
    assert join(bob, guid) == ["error game-full"], "that one is Ann's"
    after = listed(ann)
    assert after[0][:4] == table
    assert after[1][1:4] == ["Brandub 7x7", "<none>", before[0][2]]
    assert after[1][0] != guid
    assert after[2:] == before[1:]
    ann.say(f"leave-game {guid}")
    assert join(ann, guid) == ["error game-full"], "so says the document, and nothing is opened"
    assert tables(tafl) == 0
    assert join(ann, after[1][0])[0] == "success attackers"
    assert join(bob, others[0][0])[0] == "success defenders"
    assert join(cid, listed(cid)[-1][0]) == ["success"]
    assert tables(tafl) == 3


@pytest.mark.parametrize("kind", ["", "7", "ext"])
def test_nobody_is_kept_from_a_bot_by_somebody_who_joins_and_leaves_all_the_time(
    tafl: TaflInn, kind: str
) -> None:
    ann, bob = tafl.client("Ann", "ext"), tafl.client("Bob", kind)
    for number in range(12):
        shown = listed(bob)
        for game in listed(ann):
            assert join(ann, game[0]) == ["success"]
            assert ann.say(f"leave-game {game[0]}") == ["success"]
        assert listed(bob) == shown
        guid = shown[number % len(shown)][0]
        assert join(bob, guid)[0].startswith("success")
        bob.say(f"leave-game {guid}")
    assert tables(tafl) == 0


def test_what_waits_for_somebody_is_as_unknown_to_others_as_any_name(tafl: TaflInn) -> None:
    ann, bob = tafl.client("Ann"), tafl.client("Bob")
    shown = listed(ann)
    assert not {game[0] for game in shown} & {game[0] for game in listed(bob)}
    assert join(bob, shown[0][0]) == ["error game-canceled"]
    assert tables(tafl) == 0
    assert bob.say(f"create-game {shown[0][0]} attackers open {BRANDUB}") == ["error duplicate-game"]
    assert join(ann, shown[0][0]) == ["success"]
    ann.hang_up()
    bob.hang_up()
    assert not tafl.tafl.reserved, "nothing is kept for those who are gone"


def test_old_tafl_clients_are_told_without_asking_when_another_bot_waits_for_them(tafl: TaflInn) -> None:
    ann, bob = tafl.client("Ann", "7"), tafl.client("Bob", "7")
    tafl.advance(5_000)
    ann.read(), bob.read()
    guid = listed(ann)[0][0]
    join(ann, guid)
    ann.say(f"leave-game {guid}")
    tafl.advance(5_000)
    (games,) = (line for line in ann.read() if line.startswith("game-list"))
    assert guid not in games
    assert listed(ann)[0][0] in games
    assert not [line for line in bob.read() if line.startswith("game-list")], "for Bob nothing has changed"
    assert listed(bob)[0][2:4] == [f"{TAFL_NAMES['casual'][0]} bot (casual)", "<none>"]


@pytest.mark.parametrize("kind", ["", "7", "ext"])
def test_where_joining_a_bot_is_refused_nothing_is_used_up(kind: str) -> None:
    allowance = Allowance(100, 100)
    with tafl_inn(replace(QUICK, pace=Pace(by_person=allowance)), waiting=True) as tafl:
        ann = tafl.client("Ann", kind)
        ann.say('lobby-chat "Ann" ' + 200 * "x")
        before = listed(ann)
        for game in before:
            assert join(ann, game[0]) == ["error unknown-error" if kind == "7" else "error rate-limited"]
        assert listed(ann) == before
        assert tables(tafl) == 0
        tafl.advance(10_000)
        ann.read()
        assert join(ann, before[0][0])[0].startswith("success"), "whoever may open it may sit down at it"


def test_a_game_that_may_be_created_may_be_sat_down_at() -> None:
    with tafl_inn(replace(QUICK, pace=Pace(by_person=Allowance(100, 100)))) as tafl:
        assert create(tafl.client("Ann")) == ["success"]
        assert create(tafl.client("Bob", "7"), 2) == ["success attackers"]


def test_old_tafl_clients_are_shown_the_bots_without_asking(tafl: TaflInn) -> None:
    ann = tafl.client("Ann", "7")
    tafl.advance(5_000)
    games = [line for line in ann.read() if line.startswith("game-list")]
    assert games
    assert all(f'"{TAFL_NAMES["casual"][0]} bot (casual)"' in line for line in games)


@pytest.mark.parametrize("kind", ["", "7", "ext"])
def test_a_game_that_is_no_table_yet_can_only_be_joined(tafl: TaflInn, kind: str) -> None:
    ann = tafl.client("Ann", kind)
    guid = listed(ann)[0][0]
    watch = f"spectate {guid} true none" if kind == "7" else f"spectate-game {guid}"
    assert ann.say(watch) == ["error game-canceled"]
    if kind == "7":
        flags = "combinechat:false allowreplay:false attackers none 0|0/0|0"
        assert ann.say(f"create-game {guid} {flags} {BRANDUB}") == ["error unknown-error"]
    else:
        assert ann.say(f"create-game {guid} attackers open {BRANDUB}") == ["error duplicate-game"]
        assert ann.say(f"leave-game {guid}") == ["error not-in-game"]
    assert tables(tafl) == 0


def test_who_sits_at_enough_tables_joins_no_bot_and_it_goes_on_waiting() -> None:
    with tafl_inn(replace(QUICK, tables_per_person=1), waiting=True) as tafl:
        ann, page = tafl.client("Ann"), tafl.guest("Ann")
        page.open()
        before = listed(ann)
        assert join(ann, before[-1][0]) == ["error already-hosting"]
        assert listed(ann) == before
        assert ann.session.live is None


def test_after_a_restart_who_played_a_bot_comes_back_to_the_same_game(tafl: TaflInn) -> None:
    ann = tafl.client("Ann", "7")
    guid = listed(ann)[0][0]
    join(ann, guid)
    tafl.advance(1_000)
    tafl.restart()
    again = tafl.client("Ann", "7")
    assert guid not in [game[0] for game in listed(again)[1:]]
    assert join(again, guid)[0] == "success defenders"


def test_bots_can_be_told_not_to_wait() -> None:
    with tafl_inn() as tafl, power_inn() as power:
        assert tafl.client("Ann").say("get-game-list") == ["game-list"]
        assert power.home().read() == [{"games": {}, "type": 0}]


# Power Chess


@pytest.fixture(name="power")
def _power() -> Iterator[PowerInn]:
    with power_inn(waiting=True) as house:
        yield house


def waiting_in(heard: list[dict[str, Any]]) -> dict[str, Any]:
    (message,) = heard
    found: dict[str, Any] = message["games"]
    return found


def test_a_lone_power_chess_client_finds_a_bot_of_each_strength(power: PowerInn) -> None:
    found = waiting_in(power.home().read())
    assert found == {
        str(MOST + number): {"name": f"{POWER_NAMES[level][0]} bot ({level})", "color": 1, "timeControl": 2}
        for number, level in enumerate(LEVELS)
    }
    assert tables(power) == 0
    assert power.hall.lobby.tables == {}
    power.restart()
    assert waiting_in(power.home().read()) == found, "they have the same numbers for good"


def test_games_of_people_come_before_those_of_bots(power: PowerInn) -> None:
    ann = power.client()
    ann.create("Ann", public=True)
    assert next(iter(waiting_in(power.home().read()))) == str(ann.game)


def plays(power: PowerInn, client: PowerClient) -> LiveTable:
    live = client.session.live
    assert live is not None
    assert live.table.phase == "playing"
    return live


def test_who_joins_a_bot_has_white_and_plays_at_once(power: PowerInn) -> None:
    home, ann = power.home(), power.client()
    home.read()
    (joined,) = ann.join(MOST + 2, "Ann")
    assert joined["name"] == f"{POWER_NAMES['strong'][0]} bot"
    assert (joined["type"], joined["color"], joined["timeControl"]) == (1, True, 2)
    own, answer = ann.move("e2e4")
    assert (own["action"], answer["action"]) == (0, 1), "the bot has moved"
    power.advance(1_000)
    assert home.read() == [], "the bot waits for others all the same"
    ann.tell(2, reason=1)
    assert tables(power) == 0


def test_each_who_joins_the_same_bot_has_a_table_of_their_own(power: PowerInn) -> None:
    ann, bob = power.client(), power.client()
    ann.join(MOST, "Ann")
    bob.join(MOST, "Bob")
    assert plays(power, ann) is not plays(power, bob)
    assert ann.player != bob.player
    assert [message["type"] for message in bob.say({"type": 3, "gameId": MOST, "playerId": ann.player})] == [
        7
    ]


def test_who_played_a_bot_comes_back_by_what_the_client_knows(power: PowerInn) -> None:
    ann, bob = power.client(), power.client()
    ann.join(MOST, "Ann")
    bob.join(MOST, "Bob")
    table = plays(power, ann).id
    power.restart()
    again = power.client()
    again.player, again.key = ann.player, ann.key
    told = again.resume(ann)
    assert [message["type"] for message in told] == [1, 5]
    assert plays(power, again).id == table
    assert next(message["type"] for message in again.move("e2e4")) == 5
    stranger = power.client()
    assert [
        message["type"]
        for message in stranger.say({"type": 1, "gameId": MOST, "playerId": bob.player, "key": ann.key})
    ] == [7]


def test_nobody_is_in_two_games_of_bots_at_once_but_plays_one_after_the_other(power: PowerInn) -> None:
    ann = power.client()
    ann.join(MOST, "Ann")
    assert [message["type"] for message in ann.join(MOST + 1, "Ann")] == [7]
    assert tables(power) == 1
    ann.game = MOST
    ann.tell(2, reason=1)
    assert [message["type"] for message in ann.join(MOST + 1, "Ann")] == [1]
    assert [message["type"] for message in power.client().join(MOST + 9)] == [7], "there is no such bot"
