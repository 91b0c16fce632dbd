"""Coming into Topple rooms: creating, joining, watching, passwords, and every fatal error word for word."""

from typing import Any

import pytest
from tests.doors.support.topple_inn import Client, ToppleInn, message, soft, topple_inn

from gamut.doors.topple.codes import ALPHABET, NoCode, new_room_code, new_spectator_id
from gamut.doors.topple.door import ToppleSettings
from gamut.hall.ids import Millis
from gamut.hall.settings import HallSettings

DEFAULTS = {"turnTime": {"style": "per turn", "limit": None, "penalty": "random"}}
PLAY = "/play-online"


@pytest.fixture(name="inn")
def _inn() -> Any:
    with topple_inn() as house:
        yield house


def fatal(client: Client, text: str, redirect: str | None = PLAY, *, stored: bool = True) -> None:
    """The last thing that is said, after which the connection ends and hears nothing."""
    (error,) = client.read()
    assert type(error["payload"].pop("code")) is int
    assert error == message("error", message=text, redirect=redirect, store=text if stored else None)
    assert not client.closed
    assert client.say("game:rules") == []
    assert client.say_binary(b"\x55\x99") == []
    client.inn.advance(124)
    assert not client.closed
    client.inn.advance(1)
    assert client.closed


PARAMETERS = ("Invalid Parameters", None, False)


@pytest.mark.parametrize(
    ("query", "error"),
    [
        ("", ("Missing Game ID", PLAY, True)),
        ("t=", ("Missing Game ID", PLAY, True)),
        ("t=9", ("Connection Type Missing", PLAY, True)),
        ("t=-1", ("Connection Type Missing", PLAY, True)),
        ("t=abc", ("Connection Type Missing", PLAY, True)),
        ("t=1.5", ("Connection Type Missing", PLAY, True)),
        ("t=%F0%9F%8E%B2", ("Connection Type Missing", PLAY, True)),
        ("t=0", ("Missing Game ID", PLAY, True)),
        ("t=3&i=1&k=x", ("Missing Game ID", PLAY, True)),
        ("t=4", ("Missing Game ID", PLAY, True)),
        ("t=5&n=1&k=x", ("Missing Game ID", PLAY, True)),
        ("t=1&d=0,5,5&p=x", ("Bad Player Count", PLAY, True)),
        ("t=1&d=0,5,5&p=", ("Bad Player Count", PLAY, True)),
        ("t=1&d=0,5,5", PARAMETERS),
        ("t=1&d=9,5,5&p=2", PARAMETERS),
        ("t=1&p=2", PARAMETERS),
        ("t=1&d=0,5&p=2", PARAMETERS),
        ("t=1&d=0,5,5,5&p=2", PARAMETERS),
        ("t=1&d=a,5,5&p=2", PARAMETERS),
        ("t=1&d=0,-1,5&p=2", PARAMETERS),
        ("t=1&d=0,0,0&p=2", PARAMETERS),
        ("t=1&d=0,2.5,2&p=2", PARAMETERS),
        ("t=1&d=0,37,1&p=2", PARAMETERS),
        ("t=1&d=0,5,5&p=0", PARAMETERS),
        ("t=1&d=0,5,5&p=1", PARAMETERS),
        ("t=1&d=0,5,5&p=11", PARAMETERS),
        ("t=1&d=0,5,5&p=200", PARAMETERS),
        ("t=1&d=0,5,5&p=2.5", PARAMETERS),
        (f"t=1&d=0,5,5&p=2&pw={'x' * 65}", PARAMETERS),
        ("t=1&d=0,16,15&p=2", ("Not Cute", "/errors/no-create", False)),
        ("t=0&g=NOSUCHRM", ("Game Not Found", PLAY, True)),
        ("t=4&g=NOSUCHRM", ("Game Not Found", PLAY, True)),
        ("t=0&g=" + "x" * 9000, ("Game Not Found", PLAY, True)),
        ("t=0&g=%00%ff", ("Game Not Found", PLAY, True)),
        ("t=3&g=NOSUCHRM&i=1&k=x", ("game id does not exist", None, False)),
        ("t=3&g=NOSUCHRM&k=x", ("bad player number", None, False)),
        ("t=3&g=NOSUCHRM&i=x&k=x", ("bad player number", None, False)),
    ],
)
def test_a_connection_that_asks_for_what_cannot_be_ends(inn: ToppleInn, query: str, error: Any) -> None:
    text, redirect, stored = error
    fatal(inn.connect(query), text, redirect, stored=stored)
    assert not inn.hall.register.unfinished


def test_what_a_creator_hears_before_and_after_saying_the_rules(inn: ToppleInn) -> None:
    creator = inn.connect("t=1&s=1&d=3,5,4&p=4")
    key, own, room = creator.read()
    code = room["payload"]["g"]
    assert key == message("key:rejoin", key=key["payload"]["key"], g=code, p=1)
    assert own == message("player:ownid", n=1, t=1)
    assert room == message("game:roomid", g=code)
    rules = {"turnTime": {"style": "per turn", "limit": 60_000, "penalty": "skip"}}
    assert creator.say("game:rules", **rules) == [
        key,
        message("game:config", c=20, d={"x": 5, "y": 4}, t=3, p=4, l=1, tc=None),
        message("game:rules", **rules),
    ]
    assert len(key["payload"]["key"]) == 86


@pytest.mark.parametrize("how", ["silence", "something else"])
def test_a_creator_who_says_no_rules_gets_the_usual_ones(inn: ToppleInn, how: str) -> None:
    creator = inn.connect("t=1&d=0,3,3&p=2")
    creator.read()
    if how == "silence":
        inn.advance(999)
        assert creator.read() == []
        inn.advance(1)
        heard = creator.read()
    else:
        heard = creator.say("ping", n=1)
        assert heard.pop() == message("ping", kind="default")
    assert [m["type"] for m in heard] == ["key:rejoin", "game:config", "game:rules"]
    assert heard[-1]["payload"] == DEFAULTS
    inn.advance(5_000)
    assert creator.read() == []


def test_rules_are_merged_and_what_is_not_right_in_them_leaves_them_as_they_were(inn: ToppleInn) -> None:
    creator = inn.connect("t=1&d=0,3,3&p=2")
    creator.read()
    assert creator.say("game:rules", turnTime={"limit": 700}) == [soft(101)]
    heard = creator.say("game:rules", turnTime={"limit": 5_000})
    assert heard[-1]["payload"]["turnTime"] == {"style": "per turn", "limit": 5_000, "penalty": "random"}
    bad: Any
    for bad in (
        {"limit": 0},
        {"limit": -1000},
        {"limit": 1500},
        {"limit": 360_000_000},
        {"limit": "5000"},
        {"limit": 1000.5},
        {"style": "blitz"},
        {"penalty": "explode"},
        {"style": None},
        [],
        7,
    ):
        assert creator.say("game:rules", turnTime=bad) == [soft(101)]
    for bad in ({"style": "points"}, "tile", []):
        assert creator.say("game:rules", scoring=bad) == [soft(101)]
    changed = creator.say(
        "game:rules", turnTime={"penalty": "lose", "style": "chess"}, scoring={"style": "tile"}
    )
    assert changed == [
        message(
            "game:rules",
            turnTime={"style": "chess", "limit": 5_000, "penalty": "lose"},
            scoring={"style": "tile"},
        )
    ]
    assert creator.say("game:rules", turnTime={"limit": 5_000}) == []


def test_rules_said_by_a_host_later_are_for_everybody_and_those_of_others_for_nobody(inn: ToppleInn) -> None:
    host = inn.create()
    other, watcher = inn.join(host.room), inn.watch(host.room)
    host.read(), other.read()
    assert other.say("game:rules", turnTime={"limit": 9_000}) == []
    assert watcher.say("game:rules", **DEFAULTS) == []
    assert host.say("game:rules", **DEFAULTS) == []
    said = message("game:rules", turnTime={"style": "per turn", "limit": 9_000, "penalty": "random"})
    assert host.say("game:rules", turnTime={"limit": 9_000}) == [said]
    assert other.read() == watcher.read() == [said]
    explicit = {
        "turnTime": {"style": "chess", "limit": None, "penalty": "skip"},
        "scoring": {"style": "elim"},
    }
    assert host.say("game:rules", **explicit) == [message("game:rules", **explicit)]


def test_others_may_join_before_the_rules_are_said(inn: ToppleInn) -> None:
    creator = inn.seated("t=1&d=0,3,3&p=2")
    other = inn.join(creator.room)
    assert other.payload("game:rules") == DEFAULTS
    assert creator.read() == [message("player:join", n=2, t=2)]
    heard = creator.say("game:rules", turnTime={"limit": 4_000})
    assert [m["type"] for m in heard] == ["key:rejoin", "game:config", "game:rules"]
    assert [m["type"] for m in other.read()] == ["game:rules"]


def test_a_creator_who_goes_away_at_once_leaves_no_ghost_room(inn: ToppleInn) -> None:
    for query in ("t=1&d=0,3,3&p=2", "t=1&d=0,3,3&p=2&S=1"):
        creator = inn.connect(query)
        creator.hang_up()
        inn.advance(31_000)
        assert not inn.hall.register.unfinished
        assert not inn.hall.register.rooms


def test_joining(inn: ToppleInn) -> None:
    host = inn.create("t=1&d=0,3,3&p=8")
    host.read()
    inn.watch(host.room)
    host.say("waiting:setready", r=True)
    others = [inn.join(host.room.lower()) for _ in range(7)]
    last = others[-1]
    assert [m["type"] for m in last.heard] == [
        "key:rejoin",
        "player:ownid",
        "game:roomid",
        "game:jlist",
        "key:rejoin",
        "game:config",
        "game:rules",
        "waiting:setready",
    ]
    # From the seventh on, players share teams.
    assert last.payload("player:ownid") == {"n": 8, "t": 2}
    assert [entry[:2] for entry in last.payload("game:jlist")["p"]] == [
        [n, (n - 1) % 6 + 1] for n in range(1, 8)
    ]
    assert len(last.payload("game:jlist")["s"]) == 1
    assert last.payload("game:jlist")["ts"] == [None] * 7
    assert last.payload("waiting:setready") == {"n": 1, "r": True}
    keys = {other.key for other in (host, *others)}
    assert len(keys) == 8
    fatal(inn.connect(f"t=0&g={host.room}"), "room is full")


def test_a_freed_seat_is_the_next_to_be_taken(inn: ToppleInn) -> None:
    host = inn.create("t=1&d=0,3,3&p=4")
    second, third = inn.join(host.room), inn.join(host.room)
    second.say("waiting:leave")
    assert second.closed
    assert inn.join(host.room).number == 2
    assert third.number == 3


def test_nobody_joins_a_game_that_has_begun(inn: ToppleInn) -> None:
    host, _ = inn.playing(2)
    fatal(inn.connect(f"t=0&g={host.room}"), "game in progress")


def test_spectators_may_not_be_wanted(inn: ToppleInn) -> None:
    host = inn.create("t=1&d=0,3,3&p=2&s=0")
    fatal(inn.connect(f"t=4&g={host.room}"), "spectators aren't allowed in this room")
    host = inn.create("t=1&d=0,3,3&p=2&s=0&S=1")
    assert inn.join(host.room).payload("game:config")["l"] == host.payload("spectator:ownid")["n"]


def test_a_room_takes_so_many_spectators() -> None:
    with topple_inn(topple=ToppleSettings(spectators=2)) as inn:
        host = inn.create()
        inn.watch(host.room), inn.watch(host.room)
        fatal(inn.connect(f"t=4&g={host.room}"), "room is full")


def test_a_spectator_who_comes_late_sees_the_board_after_the_config(inn: ToppleInn) -> None:
    one, two = inn.playing(2, turnTime={"limit": 10_000})
    one.say("game:move", n=0)
    inn.advance(2_500)
    one.say("game:pause")
    watcher = inn.watch(one.room)
    kinds = [m["type"] if isinstance(m, dict) else m[0] for m in watcher.heard]
    assert kinds == [
        "spectator:ownid",
        "game:roomid",
        "game:jlist",
        "game:rules",
        "game:config",
        0,
        "game:turn",
        "sync",
        "game:pause",
    ]
    assert watcher.payload("game:turn") == {"n": 2, "t": True}
    assert watcher.payload("sync") == {"PLAYER.2.time_left": 8}
    assert watcher.payload("game:pause") == {"t": [0, 0, 7_500, 0]}
    two.read()
    watcher.say("spectator:leave")
    assert watcher.closed
    assert two.read() == [message("spectator:leave", n=watcher.payload("spectator:ownid")["n"])]


def test_a_password_is_asked_for_and_spectators_need_none(inn: ToppleInn) -> None:
    host = inn.create("t=1&d=0,3,3&p=3&pw=s%C3%A9same")
    inn.watch(host.room)
    host.read()
    other = inn.connect(f"t=0&g={host.room}")
    assert other.read() == []
    assert other.say("game:rules") == []
    assert other.say("game:move", n=1) == []
    heard = other.say("game:password", pw="s\u00e9same")
    assert [m["type"] for m in heard][:3] == ["key:rejoin", "player:ownid", "game:roomid"]
    assert host.read() == [message("player:join", n=2, t=2)]
    stored = b"".join(inn.bytes_of(inn.table(host.room).id))
    assert "s\u00e9same".encode() not in stored
    wrong = inn.connect(f"t=0&g={host.room}")
    (error,) = wrong.say("game:password", pw="sesame")
    assert error["payload"]["message"] == "Wrong Password"
    inn.advance(125)
    assert wrong.closed


def test_wrong_passwords_from_one_address_are_counted(inn: ToppleInn) -> None:
    host = inn.create("t=2&d=0,3,3&p=3&pw=sesame")
    for _ in range(5):
        guesser = inn.connect(f"t=0&g={host.room}", "198.51.100.1")
        assert guesser.say("game:password", pw="guess")[0]["payload"]["message"] == "Wrong Password"
    late = inn.connect(f"t=0&g={host.room}", "198.51.100.1")
    assert late.say("game:password", pw="sesame")[0]["payload"]["message"] == "Wrong Password"
    elsewhere = inn.connect(f"t=0&g={host.room}", "198.51.100.2")
    assert len(elsewhere.say("game:password", pw="sesame")) > 1
    inn.advance(60_000)
    patient = inn.connect(f"t=0&g={host.room}", "198.51.100.1")
    assert len(patient.say("game:password", pw="sesame")) > 1


def test_a_password_comes_before_everything_else_about_the_room(inn: ToppleInn) -> None:
    host = inn.create("t=1&d=0,3,3&p=2&pw=x")
    other = inn.connect(f"t=0&g={host.room}")
    other.say("game:password", pw="x")
    third = inn.connect(f"t=0&g={host.room}")
    assert third.read() == []
    assert third.say("game:password", pw="x")[0]["payload"]["message"] == "room is full"


def test_a_bot_from_elsewhere_needs_the_key_of_the_table_and_a_free_seat(inn: ToppleInn) -> None:
    host = inn.create()
    key = inn.table(host.room).table.key
    for query in (
        "n=2&k=x",
        "n=2",
        "n=x",
        "",
        f"n=1&k={key}",
        f"n=4&k={key}",
        f"n=0&k={key}",
        f"n=-1&k={key}",
    ):
        (error,) = inn.connect(f"t=5&g={host.room}&a=Hal&{query}").read()
        assert error["type"] == "error"
        assert error["payload"]["redirect"] is None
    inn.people.add("Anna Account", guest=False)
    for name in ("admin", "Anna%20Account", "%D0%90nna%20Account", "%E2%80%AEadmin", "Server"):
        (error,) = inn.connect(f"t=5&g={host.room}&n=3&k={key}&a={name}").read()
        assert error["type"] == "error", "the rule of names holds for bots from elsewhere, too"
    bot = inn.seated(f"t=5&g={host.room}&n=3&k={key}&a=Hal%20%C3%A9")
    assert [m["type"] for m in bot.heard] == [
        "player:ownid",
        "game:roomid",
        "game:jlist",
        "key:rejoin",
        "game:config",
        "game:rules",
    ]
    assert bot.payload("game:jlist")["p"] == [[1, 1, None], [3, 3, "Hal \u00e9"]]
    assert host.read() == [message("player:join", n=3, t=3), message("account:isbot", n=3, a="Hal \u00e9")]
    assert host.say("waiting:promote", n=3) == [soft(107)]
    host.say("waiting:start"), bot.read()
    host.say("game:move", n=0)
    assert bot.read()[-1] == message("game:turn", n=3, t=True)
    assert bot.say("game:move", n=8)[0] == message("game:move", n=8, t=3)
    late = inn.connect(f"t=5&g={host.room}&n=2&k={key}&a=Hal")
    assert late.read()[0]["type"] == "error"


def test_a_full_house_says_so() -> None:
    with topple_inn(settings=HallSettings(most_tables=1)) as inn:
        inn.create()
        fatal(inn.connect("t=1&d=0,3,3&p=2"), "Servers Are Unable To Process That Request At This Time")


def test_when_no_room_code_is_free_the_connection_ends(
    inn: ToppleInn, monkeypatch: pytest.MonkeyPatch
) -> None:
    def none_free(*_: Any) -> str:
        raise NoCode

    monkeypatch.setattr("gamut.doors.topple.door.new_room_code", none_free)
    fatal(inn.connect("t=1&d=0,3,3&p=2"), "Unable to generate room code")


def test_a_fault_of_ours_ends_one_connection_only(inn: ToppleInn, monkeypatch: pytest.MonkeyPatch) -> None:
    one, two = inn.playing(2)

    def fails(*_: Any) -> bytes:
        raise ZeroDivisionError

    monkeypatch.setattr("gamut.doors.topple.handlers.c.Act", fails)
    with pytest.raises(ZeroDivisionError):
        one.say("game:move", n=0)
    one.session.broken()
    (error,) = one.read()
    assert error["payload"]["message"] == "internal error"
    assert error["payload"]["redirect"] == PLAY
    inn.advance(125)
    assert one.closed
    monkeypatch.undo()
    assert not two.closed
    assert inn.rejoin(one.room, 1, one.key).say("game:move", n=0)[0] == message("game:move", n=0, t=1)


def test_room_codes_count_days_and_spectator_ids_are_never_numbers() -> None:
    day = 86_400_000
    assert new_room_code(Millis(20_358 * day), ())[:3] == "AAA"
    assert new_room_code(Millis((20_358 + 32 * 5 + 7) * day), ())[:3] == "AFH"
    assert new_room_code(Millis((20_358 + 1024 + 31) * day - 1), ())[:3] == "BA8"
    code = new_room_code(Millis(20_400 * day), ())
    assert len(code) == 8
    assert set(code) <= set(ALPHABET)

    class Everything:
        def __contains__(self, _: object) -> bool:
            return True

    with pytest.raises(NoCode):
        new_room_code(Millis(0), Everything())
    ids = {new_spectator_id() for _ in range(200)}
    assert len(ids) == 200
    assert all(len(id) == 11 and not id.isdigit() for id in ids)


def test_old_parameters_are_ignored(inn: ToppleInn) -> None:
    assert inn.create("t=1&d=0,3,3&p=2&port=8080&h=1&w=2&sid=ABCDE&x=%zz").number == 1


def test_whoever_says_no_name_is_not_called_like_an_account(inn: ToppleInn) -> None:
    inn.people.add("Player 2", guest=False)
    host = inn.create()
    inn.join(host.room)
    inn.join(host.room)
    assert [holder and holder.name for holder in inn.table(host.room).table.seats] == [
        "Player 1",
        "Guest",
        "Player 3",
    ]
