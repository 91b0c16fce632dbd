"""Whole conversations of the Tafl protocol, line by line as it is specified."""

from collections.abc import Iterator

import pytest
from tests.doors.support.tafl_inn import (
    BRANDUB,
    RECORDS,
    TIMED,
    WON,
    Client,
    TaflInn,
    create,
    game_password,
    guid,
    join,
    spectate,
    tafl_inn,
)

from gamut.doors.tafl import door

G = guid(1)
FULL = "300000/30000/30000/3"
BOTH = f"clock-update {FULL} {FULL}"
OLD = "300000|30000/3|0"
OLD_BOTH = f"clock-update {OLD} {OLD}"


@pytest.fixture(name="inn")
def _inn() -> Iterator[TaflInn]:
    with tafl_inn() as house:
        yield house


def test_a_game_of_the_plain_dialect_from_log_in_to_the_end(inn: TaflInn) -> None:
    ann, bob = inn.client("Ann Lee"), inn.client("Bob")
    assert create(ann, time=TIMED) == ["success"]
    listed = f'game-list {G} "Brandub 7x7" "Ann Lee" "<none>" password:false spectators:0'
    assert bob.say("get-game-list") == [listed]
    assert join(bob) == ["success"]
    assert ann.say("ready-for-game") == ["error waiting-for-opponent"]
    started = [f"start-game {BRANDUB}", BOTH]
    assert bob.say("ready-for-game") == ["success", *started]
    assert ann.read() == [*started, "await-move attackers"]
    players, sides = (ann, bob), ("attackers", "defenders")
    for number, (move, record) in enumerate(zip(WON[:-1], RECORDS, strict=False)):
        mover, other = players[number % 2], players[1 - number % 2]
        assert mover.say(f"move {move}") == ["move-result 0", BOTH]
        assert other.read() == [f"move {record}", BOTH, f"await-move {sides[1 - number % 2]}"]
    assert bob.say("move Kc7-a7") == ["move-result 3", BOTH, "end-game"]
    assert ann.read() == ["move Kc7-a7", BOTH, "end-game"]
    assert bob.say(f"leave-game {G}") == ["success"]
    assert ann.read() == []
    assert ann.say("get-game-list") == [
        f'game-list {G} "Brandub 7x7" "Ann Lee" "<none>" password:false spectators:0'
    ]
    assert ann.say(f"leave-game {G}") == ["success"]
    assert bob.say("get-game-list") == ["game-list"]


def test_the_same_game_between_existing_clients(inn: TaflInn) -> None:
    ann, bob = inn.client("Ann", "7"), inn.client("Bob", "7")
    assert create(ann, time=TIMED) == ["success attackers"]
    assert bob.say("game-list") == [
        f'game-list {G} "Brandub 7x7"  "Ann"  "<none>" password:false started:false loaded:false '
        f"combinechat:false allowreplay:false spectators:0 {OLD}||"
    ]
    assert bob.say("client-list") == ["client-list Ann||Bob||"]
    assert join(bob) == ["success defenders", f"start-game {BRANDUB}", OLD_BOTH]
    assert ann.read() == [f"start-game {BRANDUB}", OLD_BOTH, "await-move attackers"]
    players = (ann, bob)
    for number, record in enumerate(RECORDS[:-1]):
        heard = players[number % 2].say(f"move-record {record}")
        assert heard == ["move-result 0", OLD_BOTH]
        assert players[1 - number % 2].read()[0] == f"move-record {record}"
    over = ["victory DEFENDER", "game-ended"]
    assert bob.say("move-record Kc7-a7") == ["move-result 3", OLD_BOTH, *over]
    assert ann.read() == ["move-record Kc7-a7", OLD_BOTH, *over]
    assert bob.say(f"leave-game {G}") == []
    assert ann.say(f"leave-game {G}") == []
    assert ann.say("game-list") == ["game-list "]


def test_an_untimed_game_has_no_clock_lines(inn: TaflInn) -> None:
    ann, bob = inn.playing()
    assert ann.say("move a4-a3") == ["move-result 0"]
    assert bob.read() == ["move a4-a3", "await-move defenders"]
    inn.advance(60_000)
    assert ann.read() == bob.read() == []


def test_a_late_watcher_of_each_kind_is_told_the_game_so_far(inn: TaflInn) -> None:
    ann, bob = inn.playing(time=TIMED)
    inn.advance(1_000)
    ann.say("move d2-a2")
    inn.advance(351)
    bob.say("move d3-d2")
    clock = "clock-update 299000/30000/30000/3 299649/30000/30000/3"
    assert spectate(inn.client("Cid")) == [
        "success",
        f"start-game {BRANDUB}",
        "move d2-a2",
        "move d3-d2",
        clock,
    ]
    old = inn.client("Dot", "7")
    heard = spectate(old)
    assert heard[:2] == [
        "success spectator",
        f"start-game {BRANDUB} history 7 d2-a2 {OLD}||d3-d2 {OLD}||",
    ]
    inn.advance(3_917)
    old.read()
    assert old.say("clock-update") == ["clock-update 295083|30000/3|0 299649|30000/3|0"]
    assert old.say("history") == [f"history 7 d2-a2 {OLD}||d3-d2 {OLD}||"]


def test_a_watcher_who_comes_after_the_end_hears_that_it_is_over(inn: TaflInn) -> None:
    ann, _ = inn.playing()
    ann.say("end-game")
    assert spectate(inn.client("Cid")) == ["success", f"start-game {BRANDUB}", "end-game"]
    assert spectate(inn.client("Dot", "7"))[:4] == [
        "success spectator",
        f"start-game {BRANDUB}",
        "victory DEFENDER",
        "game-ended",
    ]


def test_wrong_passwords_in_each_dialect(inn: TaflInn) -> None:
    word, wrong = game_password("abc"), game_password("abd")
    ann, bob, cid = inn.client("Ann"), inn.client("Bob"), inn.client("Cid", "7")
    assert create(ann, password=word) == ["success"]
    assert "password:true" in bob.say("get-game-list")[0]
    assert join(bob) == ["error invalid-password"]
    assert join(bob, password=wrong) == ["error invalid-password"]
    assert join(cid, password=wrong) == ["error invalid-game-password"]
    assert spectate(cid, password=wrong) == ["error invalid-game-password"]
    assert join(cid, password=word) == ["success defenders"]
    assert ann.say("ready-for-game")[0] == "success"
    assert spectate(bob) == ["error invalid-password"]
    assert spectate(bob, password=word)[0] == "success"


def disconnected(inn: TaflInn, kinds: tuple[str, str], watcher: str) -> tuple[Client, Client]:
    """Bob attacks and is gone; what is left are Ann and a watcher."""
    bob, ann = inn.client("Bob", kinds[0]), inn.client("Ann", kinds[1])
    create(bob)
    join(ann)
    for client in (bob, ann):
        client.say("ready-for-game")
    cid = inn.client("Cid", watcher)
    spectate(cid)
    inn.advance(200)
    ann.read(), cid.read()
    bob.hang_up()
    return ann, cid


def test_who_loses_the_connection_has_left(inn: TaflInn) -> None:
    ann, cid = disconnected(inn, ("", ""), "")
    assert ann.read() == cid.read() == ["error game-canceled", "end-game"]
    inn.advance(100)
    assert ann.read() == ['lobby-chat "Server" Bob has disconnected.']
    table = inn.table().table
    assert table.outcome is not None
    assert table.outcome.winners == (1,)
    assert table.seats[0] is None


def test_existing_clients_hear_who_won_when_somebody_is_gone(inn: TaflInn) -> None:
    ann, cid = disconnected(inn, ("7", "7"), "7")
    assert ann.read() == ["victory DEFENDER", "game-ended", "error opponent-left"]
    assert cid.read() == ["victory DEFENDER", "game-ended"]


def test_the_extended_dialect_hears_the_result_as_well(inn: TaflInn) -> None:
    ann, cid = disconnected(inn, ("", "ext"), "ext")
    assert ann.read() == cid.read() == ["error game-canceled", "victory DEFENDER", "end-game"]


def test_a_saved_game_is_loaded_with_its_clocks(inn: TaflInn) -> None:
    ann, bob = inn.client("Ann", "7"), inn.client("Bob", "7")
    create(ann, time="60000|10000/2|0")
    entries = "a4-a3 60000|10000/2|0||c4-c2 60000|10000/2|0||"
    assert ann.say(f"history 7 {entries}") == []
    assert ann.say("clock-update 50000|10000/2|0 40000|10000/2|0") == []
    assert "loaded:true" in bob.say("game-list")[0]
    assert join(bob) == [
        "success defenders",
        f"start-game {BRANDUB} history 7 {entries}",
        "clock-update 50000|10000/2|0 40000|10000/2|0",
    ]
    assert ann.read()[-1] == "await-move attackers"
    inn.advance(1_000)
    assert ann.say("move-record a3-a4")[1] == "clock-update 49000|10000/2|0 40000|10000/2|0"


def test_a_saved_game_that_cannot_have_been_played_takes_the_game_away(inn: TaflInn) -> None:
    for number, entries in enumerate(("7 a4-a9 0|0/0|0||", "9 a4-a3 0|0/0|0||", "7 a4-a3 a lot||", "x y"), 1):
        ann = inn.client(f"Ann {number}", "7")
        create(ann, number)
        assert ann.say(f"history {entries}") == ["error bad-save"]
        assert ann.say("game-list") == ["game-list "]
        assert create(ann, number + 100) == ["success attackers"]
        ann.hang_up()


@pytest.mark.parametrize("time", ["", TIMED])
def test_an_ordinary_move_is_told_as_any_other_news_are(time: str, monkeypatch: pytest.MonkeyPatch) -> None:
    quick = told_a_game(time)
    monkeypatch.setattr(door, "ordinary_move", lambda news: None)
    assert told_a_game(time) == quick
    assert quick[0].count(b"move-result 0\n") == quick[1].count(b"move a") == 3


def told_a_game(time: str) -> list[bytes]:
    with tafl_inn() as inn:
        players = inn.playing(time=time, kinds=("7", ""))
        watchers = [inn.client("Cid"), inn.client("Dot", "7"), inn.client("Eve", "ext")]
        for watcher in watchers:
            spectate(watcher)
        for number, record in enumerate(RECORDS[:6]):
            inn.advance(1_000)
            players[number % 2].say(f"{'move' if number % 2 else 'move-record'} {record}")
        return [client.wire.data for client in (*players, *watchers)]
