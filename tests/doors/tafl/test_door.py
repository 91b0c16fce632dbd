"""Every message of the Tafl protocol, in the dialects that have it."""

from collections.abc import Iterator
from typing import Any

import pytest
from tests.doors.support.tafl_inn import (
    BRANDUB,
    TIMED,
    Client,
    TaflInn,
    create,
    game_password,
    guid,
    join,
    spectate,
    tafl_inn,
)

from gamut.doors.tafl.to_client import shown
from gamut.hall.ids import Millis
from gamut.hall.people.passwords import Busy
from gamut.hall.people.person import Person
from gamut.hall.people.prehash import prehashed

G = guid(1)
BERSERK = (
    "dim:11 name:Berserk surf:n atkf:n tfr:l kj:r ber:c "
    "start:/3ttttt3/5c5/11/t4T4t/t3NTT3t/tc1TTKTT1ct/t3TTT3t/t4T4t/11/5c5/3ttttt3/"
)


@pytest.fixture(name="inn")
def _inn() -> Iterator[TaflInn]:
    with tafl_inn() as house:
        yield house


def login(name: str, password: str = "secret", kind: str = "") -> str:
    return f'login "{name}" {prehashed(name, password)} {kind}'.strip()


# Logging in


def test_the_first_log_in_makes_an_account_and_later_ones_need_its_password(inn: TaflInn) -> None:
    ann = Client(inn)
    assert ann.say(login("Ann")) == ["success"]
    assert not ann.session.person.startswith("guest")
    person = inn.people.by_name("Ann")
    assert person is not None
    assert not person.guest
    ann.hang_up()
    assert Client(inn).say(login("Ann", "wrong one")) == ["error invalid-login"]
    assert Client(inn).say(login("Ann", kind="7")) == ["success logged-in"]


def test_a_name_that_nobody_can_take_any_more_is_still_that_of_whoever_has_it(inn: TaflInn) -> None:
    assert Client(inn).say(login("Guest")) == ["error invalid-login"]
    person = inn.people.add("Guest", guest=False)
    inn.people._hashes[person.id] = prehashed("Guest", "secret")
    assert Client(inn).say(login("guest")) == ["error invalid-login"]
    assert Client(inn).say(login("Guest")) == ["success"]


def test_who_is_logged_in_cannot_log_in_once_more(inn: TaflInn) -> None:
    ann = inn.client("Ann")
    assert ann.say(login("Ann")) == ["error invalid-login"]
    assert ann.say(login("Bob")) == ["error invalid-login"]
    assert ann.session.name == "Ann"
    assert Client(inn).say(login("Ann")) == ["error invalid-login"]
    ann.hang_up()
    assert Client(inn).say(login("Ann")) == ["success"]


def test_somebody_on_the_page_logs_in_here_as_well(inn: TaflInn) -> None:
    inn.client("Ann").hang_up()
    inn.guest("Ann")
    assert Client(inn).say(login("Ann")) == ["success"]


def test_five_log_ins_that_fail_are_enough(inn: TaflInn) -> None:
    inn.client("Ann")
    stranger = Client(inn)
    for _ in range(4):
        assert stranger.say(login("Ann", "guess")) == ["error invalid-login"]
        assert not stranger.closed
    assert stranger.say(login("Ann", "guess")) == ["error invalid-login"]
    assert stranger.closed
    assert stranger.say(login("Bob")) == []
    assert inn.people.by_name("Bob") is None


def test_a_newcomer_does_not_wait_for_a_slow_hash(inn: TaflInn, monkeypatch: pytest.MonkeyPatch) -> None:
    register, asked = inn.people.register_hashed, []

    async def watched(name: str, hash: str, **how: Any) -> Person:
        asked.append(how["at_once"])
        return await register(name, hash, **how)

    monkeypatch.setattr(inn.people, "register_hashed", watched)
    assert Client(inn).say(login("Ann")) == ["success"]
    assert asked == [True]


@pytest.mark.parametrize(("earlier", "answer"), [("secret", "success"), ("other", "error invalid-login")])
def test_a_client_that_gave_up_waiting_for_its_account_gets_in_when_it_tries_again(
    inn: TaflInn, monkeypatch: pytest.MonkeyPatch, earlier: str, answer: str
) -> None:
    register = inn.people.register_hashed

    async def overtaken(name: str, hash: str, **where: str) -> Person:
        await register(name, prehashed(name, earlier))
        return await register(name, hash)

    monkeypatch.setattr(inn.people, "register_hashed", overtaken)
    assert Client(inn).say(login("Ann")) == [answer]


@pytest.mark.parametrize(
    "name",
    [
        "",
        " Ann",
        "Ann ",
        "A|b",
        "A<b",
        "A>b",
        'A"b',
        "Server",
        "sErVeR",
        "a" * 33,
        "A\x07b",
        "\ufffdnn",
        "none",
    ],
)
def test_names_that_the_protocol_cannot_say_are_refused(inn: TaflInn, name: str) -> None:
    client = Client(inn)
    assert client.say(login(name)) == ["error invalid-login"]
    assert not inn.people.people
    assert client.say(login("Ann")) == ["success"]


def test_the_name_of_a_guest_is_taken(inn: TaflInn) -> None:
    inn.guest("Ann")
    assert Client(inn).say(login("Ann")) == ["error invalid-login"]


def test_another_version_of_the_old_dialect_is_told_so(inn: TaflInn) -> None:
    client = Client(inn)
    assert client.say(login("Ann", kind="8")) == ["error version-mismatch"]
    assert not inn.people.people
    assert client.say(login("Ann", kind="what")) == ["error malformed"]


@pytest.mark.parametrize(("kind", "error"), [("", "rate-limited"), ("7", "unknown-error")])
def test_a_log_in_in_a_crowd_is_no_try_that_failed(
    inn: TaflInn, monkeypatch: pytest.MonkeyPatch, kind: str, error: str
) -> None:
    async def busy(*_: object, **__: object) -> Person:
        raise Busy

    client = Client(inn)
    with monkeypatch.context() as crowd:
        crowd.setattr(inn.people, "register_hashed", busy)
        for _ in range(9):
            assert client.say(login("Ann", kind=kind)) == [f"error {error}"]
    assert not client.closed
    assert client.say(login("Ann", kind=kind))[0].startswith("success")


@pytest.mark.parametrize("time", ["1|2/3", "-1|0/0|0", "9" * 23, "1|1/1|1|1", "5.5|0/0|0"])
def test_a_time_that_cannot_be_read_is_no_rules(inn: TaflInn, time: str) -> None:
    ann = inn.client("Ann")
    assert ann.say(f"create-game {G} attackers open {time} {BRANDUB}") == ["error malformed"]
    assert ann.say(f" create-game {G} attackers open  {BRANDUB}") == ["success"], "blanks do not matter"


def test_before_log_in_nothing_else_is_heard(inn: TaflInn) -> None:
    stranger = Client(inn)
    said = (
        "get-game-list",
        "game-list",
        'lobby-chat "Ann" hello',
        f"create-game {G} attackers open {BRANDUB}",
        f"join-game {G}",
        "nonsense",
    )
    for line in said:
        assert stranger.say(line) == ["error not-logged-in"]
    assert not inn.hall.live
    assert stranger.say("") == []
    assert stranger.say(" ") == []


def test_others_in_the_lobby_hear_who_comes_and_goes(inn: TaflInn) -> None:
    ann = inn.client("Ann")
    bob = inn.client("Bob", "7")
    inn.advance(100)
    assert ann.read() == ['lobby-chat "Server" Bob has connected.']
    assert bob.read() == ['lobby-chat "Server" Ann has connected.']
    bob.hang_up()
    inn.advance(100)
    assert ann.read() == ['lobby-chat "Server" Bob has disconnected.']


def test_people_in_a_game_are_not_bothered_with_who_comes(inn: TaflInn) -> None:
    ann, bob = inn.playing()
    inn.advance(200)
    ann.read(), bob.read()
    inn.client("Cid")
    inn.advance(200)
    assert ann.read() == bob.read() == []


def test_an_account_that_is_gone_is_not_here_any_more(inn: TaflInn) -> None:
    ann, bob = inn.playing()
    inn.tafl.logged_out(ann.session.person)
    inn.settle()
    assert ann.closed
    assert bob.read() == ["error game-canceled", "end-game"]


def test_who_takes_another_name_stays_in_the_game_and_speaks_under_that_name(inn: TaflInn) -> None:
    ann, bob = inn.playing()
    cid = inn.client("Cid")
    inn.advance(200)
    for client in (ann, bob, cid):
        client.read()
    known = Person(ann.session.person, "Anna|", False, Millis(0), Millis(0), 1)
    for _ in range(2):
        inn.tafl.renamed(known)
        inn.advance(200)
    new = shown(known.name)
    assert cid.read() == [f'lobby-chat "Server" Ann has become {new}.'], "it is told once"
    ann.say('game-chat "x" hello')
    assert bob.read() == [f'game-chat "{new}" hello']


# Talk


def test_the_lobby_is_the_same_for_all_dialects_and_the_page(inn: TaflInn) -> None:
    people = [inn.client(name, kind) for name, kind in (("Ann", ""), ("Bob", "7"), ("Cid", "ext"))]
    page = inn.guest('D"ot|')
    page.sure("lobby")
    inn.advance(200)
    for client in people:
        client.read()
    people[1].say('lobby-chat "Somebody else" hello "you" there')
    page.sure("say", text="hi all")
    inn.advance(200)
    for client in people:
        assert client.read() == ['lobby-chat "Bob" hello "you" there', 'lobby-chat "D\'ot/" hi all']
    (told,) = [m for m in page.read() if m["type"] == "lobby_changed" and m.get("said")]
    assert next((said["name"], said["text"]) for said in told["said"]) == ("Bob", 'hello "you" there')


def test_players_are_heard_by_all_and_watchers_by_each_other(inn: TaflInn) -> None:
    ann, bob = inn.playing(kinds=("", "7"))
    cid, dot = inn.client("Cid"), inn.client("Dot", "7")
    spectate(cid), spectate(dot)
    inn.advance(200)
    ann.read(), bob.read(), cid.read(), dot.read()
    assert ann.say('game-chat "x" say "it"') == ['game-chat "Ann" say "it"']
    assert bob.read() == dot.read() == ["game-chat \"Ann\" say 'it'"]
    assert cid.read() == ['game-chat "Ann" say "it"']
    assert cid.say('spectator-chat "Cid" psst') == ['spectator-chat "Cid" psst']
    assert dot.read() == ['game-chat "Cid" psst']
    assert dot.say('game-chat "Dot" aha') == ['game-chat "Dot" aha']
    assert cid.read() == ['spectator-chat "Dot" aha']
    assert ann.read() == bob.read() == []
    assert cid.say('game-chat "Cid" loud') == ["error not-in-game"]
    assert ann.say('spectator-chat "Ann" psst') == ["error not-in-game"]


def test_where_the_chat_is_one_everybody_hears_everybody(inn: TaflInn) -> None:
    ann, bob, cid = inn.client("Ann", "7"), inn.client("Bob", "7"), inn.client("Cid", "7")
    create(ann, combine=True)
    join(bob)
    spectate(cid)
    ann.read(), bob.read(), cid.read()
    assert cid.say('game-chat "Cid" hello') == ['game-chat "Cid" hello']
    assert ann.read() == bob.read() == ['game-chat "Cid" hello']
    assert "combinechat:true" in cid.say("game-list")[0]


def test_long_talk_is_said_in_several_lines(inn: TaflInn) -> None:
    ann, bob = inn.playing()
    text = "word " * 300
    heard = ann.say(f'game-chat "Ann" {text}')
    assert all(len(line) <= 520 for line in heard)
    assert " ".join(line.removeprefix('game-chat "Ann" ') for line in heard) == text.strip()
    assert bob.read() == heard
    assert ann.say(f'game-chat "Ann" {"x" * 2001}') == ["error malformed"]


# Creating and joining


def test_a_game_has_what_its_creator_says(inn: TaflInn) -> None:
    ann, bob = inn.client("Ann", "7"), inn.client("Bob")
    word = game_password("abc")
    assert create(ann, 1, "defenders", time=TIMED, password=word, replay=True) == ["success defenders"]
    assert ann.say("game-list") == [
        f'game-list {G} "Brandub 7x7"  "<none>"  "Ann" password:true started:false loaded:false '
        f"combinechat:false allowreplay:true spectators:0 {TIMED}||"
    ]
    assert join(bob, password=word) == ["success"]
    assert bob.say("ready-for-game")[0] == "success"
    assert [holder.name for holder in inn.table().table.seats if holder] == ["Bob", "Ann"]


def test_games_of_one_s_own_rules(inn: TaflInn) -> None:
    ann = inn.client("Ann")
    rules = "dim:5 name:Tiny_Tafl start:/2t2/2T2/tTKTt/2T2/2t2/"
    assert create(ann, rules=rules) == ["success"]
    assert ann.say("get-game-list") == [
        f'game-list {G} "Tiny Tafl 5x5" "Ann" "<none>" password:false spectators:0'
    ]


def test_several_games_in_the_list_have_one_bar_between_them(inn: TaflInn) -> None:
    for number, name in enumerate(("Ann", "Bob", "Cid"), 1):
        create(inn.client(name), number)
        inn.advance(10)
    (listed,) = inn.client("Dot").say("get-game-list")
    records = listed.removeprefix("game-list ").split("|")
    assert [record.split()[0] for record in records] == [guid(1), guid(2), guid(3)]


def test_nobody_is_in_two_games(inn: TaflInn) -> None:
    ann, bob, cid = inn.client("Ann"), inn.client("Bob", "7"), inn.client("Cid")
    create(ann, 1), create(bob, 2)
    for client in (ann, bob):
        assert create(client, 3) == ["error already-hosting"]
        assert join(client, 2 if client is ann else 1) == ["error already-hosting"]
        assert spectate(client, 1) == ["error already-hosting"]
    join(cid, 2)
    cid.say("ready-for-game")
    ann.say(f"leave-game {G}")
    spectate(ann, 2)
    assert create(ann, 4) == ["error already-hosting"]


def test_a_guid_is_used_once_whatever_became_of_its_game(inn: TaflInn) -> None:
    ann, bob, old = inn.client("Ann"), inn.client("Bob"), inn.client("Cid", "7")
    create(ann)
    assert create(bob) == ["error duplicate-game"]
    assert create(old) == ["error unknown-error"]
    ann.say(f"leave-game {G.upper()}")
    assert bob.say("get-game-list") == ["game-list"]
    assert create(bob) == ["error duplicate-game"]
    assert create(bob, 2) == ["success"]


def test_games_that_are_not_there_or_full(inn: TaflInn) -> None:
    ann, _ = inn.playing()
    for kind in ("", "7"):
        client = inn.client(f"Cid{kind}", kind)
        assert join(client, 9) == spectate(client, 9) == ["error game-canceled"]
        assert join(client) == ["error game-full"]
    ann.say("end-game")
    assert join(inn.client("Dot")) == ["error game-full"]


def test_a_game_that_has_not_started_is_watched_by_existing_clients_only(inn: TaflInn) -> None:
    ann, bob, cid, dot = (inn.client("Ann"), inn.client("Bob"), inn.client("Cid"), inn.client("Dot", "7"))
    create(ann)
    assert spectate(cid) == ["error game-not-started"]
    assert spectate(dot) == ["success spectator"]
    assert "spectators:1" in cid.say("get-game-list")[0]
    join(bob)
    ann.say("ready-for-game"), bob.say("ready-for-game")
    assert dot.read() == [f"start-game {BRANDUB}"]


def test_who_waits_for_a_game_that_is_taken_away_is_told(inn: TaflInn) -> None:
    ann, dot = inn.client("Ann"), inn.client("Dot", "7")
    create(ann)
    spectate(dot)
    assert ann.say(f"leave-game {G}") == ["success"]
    assert dot.read() == ["error game-canceled"]
    assert create(dot, 2) == ["success attackers"]


# Being ready


def test_who_says_ready_to_whom(inn: TaflInn) -> None:
    ann, bob, cid = inn.client("Ann"), inn.client("Bob"), inn.client("Cid")
    assert ann.say("ready-for-game") == ["error not-in-game"]
    create(ann)
    assert ann.say("ready-for-game") == ["error waiting-for-opponent"]
    assert ann.say("ready-for-game") == ["error waiting-for-opponent"]
    join(bob)
    assert bob.say("ready-for-game")[:2] == ["success", f"start-game {BRANDUB}"]
    assert bob.say("ready-for-game") == ["error already-started"]
    assert "error already-started" in ann.say("ready-for-game")
    assert cid.say("ready-for-game") == ["error not-in-game"]


@pytest.mark.parametrize("kinds", [("", ""), ("", "ext"), ("ext", "7"), ("", "7")])
@pytest.mark.parametrize("ready", [False, True])
@pytest.mark.parametrize("lost", [False, True])
def test_a_game_is_over_before_the_start_when_one_of_two_leaves(
    inn: TaflInn, kinds: tuple[str, str], ready: bool, lost: bool
) -> None:
    ann, bob, dot = inn.client("Ann", kinds[0]), inn.client("Bob", kinds[1]), inn.client("Dot", "7")
    create(ann)
    join(bob)
    spectate(dot)
    if ready and kinds[1] != "7":
        bob.say("ready-for-game")
    ann.read()
    if lost:
        bob.hang_up()
    else:
        bob.say(f"leave-game {G}")
    assert ann.read() == ["error game-canceled"]
    assert dot.read() == ["error game-canceled"]
    assert inn.client("Cid").say("get-game-list") == ["game-list"]
    assert ann.say(f"leave-game {G}") == ["error not-in-game"]
    assert create(ann, 2) == ["success"], "nobody is left in a game that is not there"


def test_it_is_the_same_when_the_host_leaves(inn: TaflInn) -> None:
    ann, bob = inn.client("Ann"), inn.client("Bob")
    create(ann)
    join(bob)
    assert ann.say(f"leave-game {G}") == ["success"]
    assert bob.read() == ["error game-canceled"]
    assert create(bob, 2) == ["success"]


def test_an_existing_client_that_was_told_of_no_opponent_goes_on_waiting(inn: TaflInn) -> None:
    old, bob, cid = inn.client("Old", "7"), inn.client("Bob"), inn.client("Cid")
    create(old)
    join(bob)
    bob.say(f"leave-game {G}")
    assert old.read() == []
    assert join(cid) == ["success"]
    assert cid.say("ready-for-game")[:2] == ["success", f"start-game {BRANDUB}"]


def test_existing_clients_are_ready_as_soon_as_they_sit(inn: TaflInn) -> None:
    ann, bob = inn.client("Ann"), inn.client("Bob", "7")
    create(ann)
    assert join(bob) == ["success defenders"]
    assert ann.say("ready-for-game")[:2] == ["success", f"start-game {BRANDUB}"]
    cid, dot = inn.client("Cid"), inn.client("Dot", "7")
    create(cid, 2)
    cid.say("ready-for-game")
    assert join(dot, 2)[:2] == ["success defenders", f"start-game {BRANDUB}"]


# Moves


def test_moves_that_are_not_made(inn: TaflInn) -> None:
    ann, bob = inn.playing()
    cid = inn.client("Cid")
    spectate(cid)
    before = inn.bytes_of(inn.table().id)
    for move, code in (
        ("a4-a9", -3),
        ("a5-a6", -3),
        ("a4-b5", -3),
        ("nonsense", -3),
        ("", -3),
        ("s19-s18", -3),
        ("c4-c3", -1),
    ):
        assert ann.say(f"move {move}") == [f"move-result {code}", "await-move attackers"]
    assert bob.say("move c4-c3") == ["move-result -1"]
    inn.advance(200)
    assert cid.say("move a4-a3") == ["error not-in-game"]
    assert cid.read() == bob.read() == []
    assert inn.bytes_of(inn.table().id) == before
    assert inn.client("Dot").say("move a4-a3") == ["error not-in-game"]


def test_a_move_before_the_game_or_after_it(inn: TaflInn) -> None:
    ann, bob = inn.client("Ann"), inn.client("Bob", "7")
    create(ann)
    assert ann.say("move a4-a3") == ["error not-in-game"]
    join(bob)
    ann.say("ready-for-game")
    ann.say("end-game")
    assert ann.say("move a4-a3") == ["error game-over"]
    assert bob.read()[-2:] == ["victory DEFENDER", "game-ended"]
    assert bob.say("move-record a4-a3") == ["error game-ended"]
    assert ann.say("end-game") == ["error game-over"]


def test_a_berserk_piece_goes_on_and_nobody_else(inn: TaflInn) -> None:
    rules = "dim:7 name:Rage atkf:y ber:m surf:n start:/t6/1Tt4/7/2TKT2/t6/7/t6/"
    ann, bob = inn.client("Ann"), inn.client("Bob", "7")
    create(ann, rules=rules)
    join(bob)
    ann.say("ready-for-game")
    bob.read()
    assert ann.say("move a1-a2") == ["move-result 0", "await-move attackers"]
    assert bob.read() == ["move-record a1-a2xb2"]
    assert ann.say("move a5-a6") == ["move-result -4", "await-move attackers"]
    assert ann.say("move c4-c3") == ["move-result -2", "await-move attackers"]
    assert ann.say("move a2-a3") == ["move-result 0"]
    assert bob.read() == ["move-record a2=a3", "await-move defenders"]


def test_giving_up_in_each_dialect(inn: TaflInn) -> None:
    for number, (kind, words) in enumerate(
        [("", "end-game"), ("", "move ---"), ("7", "game-ended"), ("ext", "resign")], 1
    ):
        ann, bob = inn.client(f"Ann {number}", kind), inn.client(f"Bob {number}", "ext")
        create(ann, number)
        join(bob, number)
        ann.say("ready-for-game"), bob.say("ready-for-game")
        ann.read(), bob.read()
        ends = {"": ["end-game"], "7": ["victory DEFENDER", "game-ended"]}
        assert ann.say(words) == ends.get(kind, ["victory DEFENDER", "end-game"])
        assert bob.read() == ["victory DEFENDER", "end-game"]


def test_draws_are_agreed_in_the_extended_dialect(inn: TaflInn) -> None:
    ann, bob = inn.playing(kinds=("ext", "ext"))
    assert ann.say("draw-accept") == ann.say("draw-decline") == ["error not-allowed"]
    assert ann.say("draw-offer") == []
    assert bob.read() == ["draw-offer"]
    assert ann.say("draw-offer") == ["error not-allowed"]
    assert ann.say("draw-accept") == ["error not-allowed"]
    assert bob.say("draw-decline") == []
    assert ann.read() == ["draw-decline"]
    assert bob.say("draw-offer") == []
    assert ann.read() == ["draw-offer"]
    assert ann.say("draw-accept") == ["victory DRAW", "end-game"]
    assert bob.read() == ["victory DRAW", "end-game"]


def test_those_without_a_word_for_draws_read_of_an_offer_in_the_chat(inn: TaflInn) -> None:
    ann, bob = inn.playing(kinds=("ext", ""))
    ann.say("draw-offer")
    assert bob.read() == ['game-chat "Server" Ann offers a draw.']
    assert bob.say("draw-accept") == ["error unknown-command"]


def test_the_extended_dialect_asks_for_more(inn: TaflInn) -> None:
    ann, bob = inn.playing(time=TIMED, kinds=("ext", "ext"))
    ann.say("move a4-a3"), bob.read()
    assert bob.say("ping 1 2  3") == ["pong 1 2  3"]
    assert bob.say("client-list") == ["client-list Ann||Bob||"]
    assert bob.say("history") == [f"history 7 a4-a3 {TIMED}||"]
    assert bob.say("clock-update") == ["clock-update 300000/30000/30000/3 300000/30000/30000/3"]
    plain = inn.client("Cid")
    for word in ("ping x", "client-list", "history", "clock-update", "resign", f"resume {G}", "game-list"):
        assert plain.say(word) == ["error unknown-command"]


# Leaving


def test_leaving_in_the_middle_ends_the_game_and_the_leaver_has_lost(inn: TaflInn) -> None:
    ann, bob = inn.playing()
    assert bob.say(f"leave-game {guid(7)}") == ["error not-in-game"]
    assert bob.say(f"leave-game {G}") == ["success"]
    assert ann.read() == ["error game-canceled", "end-game"]
    outcome = inn.table().table.outcome
    assert outcome is not None
    assert outcome.winners == (0,)
    assert bob.say(f"leave-game {G}") == ["error not-in-game"]
    assert ann.say(f"leave-game {G}") == ["success"]


def test_watchers_leave_unnoticed_and_are_let_go_when_the_players_have_left(inn: TaflInn) -> None:
    ann, bob = inn.playing()
    cid, dot = inn.client("Cid"), inn.client("Dot")
    spectate(cid), spectate(dot)
    inn.advance(200)
    ann.read()
    assert cid.say(f"leave-game {G}") == ["success"]
    assert ann.read() == []
    ann.say("end-game")
    ann.say(f"leave-game {G}"), bob.say(f"leave-game {G}")
    inn.advance(200)
    assert dot.read() == ["end-game"]
    assert create(dot, 2) == ["success"]


def test_existing_clients_get_the_lists_every_few_seconds_until_they_play(inn: TaflInn) -> None:
    ann, bob = inn.client("Ann", "7"), inn.client("Bob", "7")
    inn.advance(5_000)
    assert ann.read()[-2:] == ["game-list ", "client-list Ann||Bob||"]
    inn.advance(20_000)
    assert ann.read() == [], "nothing has changed"
    create(ann)
    inn.advance(5_000)
    assert ann.read()[0].startswith(f"game-list {G}")
    assert bob.read()[-2].startswith(f"game-list {G}")
    join(bob)
    ann.read(), bob.read()
    inn.client("Cid")
    inn.advance(10_000)
    assert ann.read() == bob.read() == []
