"""Passwords, colours, and games that are taken away, through the web door."""

from collections.abc import Iterator

import pytest
from tests.doors.support.inn import Guest, Message
from tests.doors.support.topple_inn import ABROAD, ToppleInn, message, topple_inn

from gamut.games.topple.files.formats import SUSPENSION
from gamut.games.topple.files.suspended import suspended
from gamut.hall.files.recording import exported_at, suspended_file_of
from gamut.hall.ids import TableId
from gamut.hall.live.live_table import LiveTable
from gamut.hall.settings import HallSettings

WRONG_PASSWORDS = HallSettings().wrong_passwords
COLOURS = [0x333333, 0xFF0000, 0x0000FF, 0xBF00FF, 0x00BFBF, 0xBFBF00, 0x123456]


@pytest.fixture(name="inn")
def _inn() -> Iterator[ToppleInn]:
    with topple_inn() as house:
        yield house


def picture(guest: Guest, table: TableId) -> Message:
    (found,) = guest.sure("watch", table=table)
    return found


# Passwords


def test_who_sits_down_at_a_locked_table_must_know_the_password(inn: ToppleInn) -> None:
    ann, bob = inn.guest("Ann"), inn.guest("Bob")
    table = ann.open("topple", seats=2, password="swordfish", start="host")
    assert inn.hall.live[table].table.seat_of(ann.person) == 0, "whoever made the password need not say it"
    assert picture(bob, table)["locked"] is True, "watching needs none"
    assert inn.hall.lobby.tables[table].locked
    assert bob.refused("sit", table=table) == "locked"
    assert bob.refused("sit", table=table, password="tuna") == "wrong_password"
    assert bob.refused("sit", table=table, password="") == "bad_message"
    bob.sure("sit", table=table, password="swordfish")
    assert inn.hall.live[table].table.seat_of(bob.person) == 1


def test_an_invitation_opens_a_locked_table(inn: ToppleInn) -> None:
    ann, bob = inn.guest("Ann"), inn.guest("Bob")
    (opened, *_) = ann.sure("open", game="topple", password="swordfish", private=True)
    bob.sure("sit", table=opened["table"], key=opened["key"])
    assert inn.hall.live[opened["table"]].table.seat_of(bob.person) == 1


def test_passwords_cannot_be_tried_without_end(inn: ToppleInn) -> None:
    ann, bob = inn.guest("Ann"), inn.guest("Bob")
    table = ann.open("topple", password="swordfish")
    for _ in range(WRONG_PASSWORDS.tries):
        assert bob.refused("sit", table=table, password="tuna") == "wrong_password"
    assert bob.refused("sit", table=table, password="swordfish") == "too_many_tries"
    inn.advance(WRONG_PASSWORDS.per)
    bob.sure("sit", table=table, password="swordfish")


def test_only_wrong_passwords_are_counted(inn: ToppleInn) -> None:
    ann, bob = inn.guest("Ann"), inn.guest("Bob")
    table = ann.open("topple", password="swordfish")
    for _ in range(WRONG_PASSWORDS.tries + 1):
        bob.sure("sit", table=table, password="swordfish")
        assert bob.refused("sit", table=table, password="swordfish") == "seated"
        bob.sure("leave", table=table)


def test_nobody_reads_the_password_from_the_log(inn: ToppleInn) -> None:
    ann, bob = inn.guest("Ann"), inn.guest("Bob")
    table = ann.open("topple", password="swordfish")
    (told,) = bob.sure("watch", table=table, since=0)
    assert told["events"][0]["password"] == ""
    stored = inn.hall.live[table].table.password
    assert stored is not None
    assert stored.encode() not in ann.raw + bob.raw


def test_a_password_may_be_wanted_of_those_who_watch(inn: ToppleInn) -> None:
    ann, bob, cy, di = (inn.guest(name) for name in ("Ann", "Bob", "Cy", "Di"))
    (opened, *_) = ann.sure("open", game="topple", password="swordfish", guards_watching=True)
    table = opened["table"]
    assert inn.hall.lobby.tables[table].guards_watching
    assert bob.refused("watch", table=table) == "locked"
    assert bob.refused("watch", table=table, glance=True) == "locked"
    assert bob.refused("watch", table=table, since=0) == "locked"
    assert bob.refused("watch", table=table, password="tuna") == "wrong_password"
    assert bob.refused("say", table=table, text="Let me in!") == "not_here"
    ann.read()
    bob.read()
    ann.sure("say", table=table, text="Is anybody there?")
    assert bob.read() == []
    (seen,) = bob.sure("watch", table=table, password="swordfish")
    assert seen["guards_watching"] is True
    cy.sure("watch", table=table, key=opened["key"])
    di.sure("sit", table=table, password="swordfish")
    assert inn.hall.live[table].here == dict.fromkeys((ann.person, bob.person, cy.person, di.person), 1)


def test_only_a_table_with_a_password_can_ask_watchers_for_it(inn: ToppleInn) -> None:
    ann = inn.guest("Ann")
    assert ann.refused("open", game="topple", guards_watching=True) == "no_password"
    assert not inn.hall.live


def test_wrong_passwords_are_counted_together_wherever_they_are_said(inn: ToppleInn) -> None:
    ann, bob = inn.guest("Ann"), inn.guest("Bob")
    table = ann.open("topple", password="swordfish", guards_watching=True, start="host")
    # Right ones, and what is refused for another reason, do not count.
    for _ in range(WRONG_PASSWORDS.tries + 1):
        bob.sure("watch", table=table, password="swordfish")
        bob.sure("unwatch", table=table)
    for _ in range(WRONG_PASSWORDS.tries - 2):
        assert bob.refused("watch", table=table, password="tuna") == "wrong_password"
    assert bob.refused("sit", table=table, password="tuna") == "wrong_password"
    guesser = inn.connect(f"t=0&g={table}", bob.session.address)
    assert guesser.say("game:password", pw="tuna")[0]["payload"]["message"] == "Wrong Password"
    assert bob.refused("watch", table=table, password="swordfish") == "too_many_tries"
    assert bob.refused("sit", table=table, password="swordfish") == "too_many_tries"
    late = inn.connect(f"t=0&g={table}", bob.session.address)
    assert late.say("game:password", pw="swordfish")[0]["payload"]["message"] == "Wrong Password"
    assert len(inn.connect(f"t=0&g={table}", ABROAD).say("game:password", pw="swordfish")) > 1
    ann.sure("unwatch", table=table)
    ann.sure("watch", table=table, password="swordfish")  # who sits there is not kept out by others' guesses
    inn.advance(WRONG_PASSWORDS.per)
    bob.sure("watch", table=table, password="swordfish")


def test_spectators_who_cannot_say_a_password_do_not_see_a_table_that_wants_one(inn: ToppleInn) -> None:
    table = inn.guest("Ann").open("topple", password="swordfish", guards_watching=True)
    client = inn.connect(f"t=4&g={table}", ABROAD)
    assert client.read()[0]["payload"]["message"] == "spectators aren't allowed in this room"
    assert [room.can_spectate for room in inn.topple.rooms.listed()] == [False]


def test_a_table_may_want_no_watchers(inn: ToppleInn) -> None:
    ann, bob = inn.guest("Ann"), inn.guest("Bob")
    table = ann.open("topple", watchable=False)
    assert bob.refused("watch", table=table) == "not_watchable"
    bob.sure("sit", table=table)
    assert picture(bob, table)["watchable"] is False


def test_whoever_leaves_a_table_without_watchers_sees_no_more_of_it(inn: ToppleInn) -> None:
    ann, bob, cy = inn.guest("Ann"), inn.guest("Bob"), inn.guest("Cy")
    table = ann.open("topple", seats=3, start="host", watchable=False)
    for guest in (bob, cy):
        guest.sure("sit", table=table)
    ann.sure("start", table=table)
    bob.read()
    bob.sure("leave", table=table)
    bob.read()
    ann.sure("act", table=table, action={"type": "place", "tile": 0})
    assert bob.read() == []
    assert cy.read() != []
    assert bob.refused("watch", table=table) == "not_watchable"
    ann.sure("promote", table=table, seat=2)
    ann.sure("leave", table=table)
    assert inn.hall.live[table].here == {cy.person: 1}


# Colours


def test_the_host_chooses_the_colours_and_every_door_tells_them(inn: ToppleInn) -> None:
    ann, bob = inn.guest("Ann"), inn.guest("Bob")
    table = ann.open("topple", seats=3, start="host")
    old = inn.join(table)
    bob.sure("watch", table=table)
    old.read()
    bob.read()
    ann.sure("decorate", table=table, decor={"colours": COLOURS})
    (told,) = bob.read()
    assert [event["decor"] for event in told["events"]] == [{"colours": COLOURS}]
    assert old.read()[0] == message("waiting:teamcolors", c=COLOURS)
    assert picture(inn.guest("Cy"), table)["decor"]["colours"] == COLOURS
    ann.sure("decorate", table=table, decor={"colours": None})
    assert picture(inn.guest("Di"), table)["decor"]["colours"] is None
    assert inn.join(table).payload("game:config")["tc"] is None


@pytest.mark.parametrize(
    "decor",
    [
        {"colours": COLOURS[:6]},
        {"colours": [*COLOURS, 0]},
        {"colours": [*COLOURS[:6], -1]},
        {"colours": [*COLOURS[:6], 0x1000000]},
        {"colours": ["red"] * 7},
        {"colours": 5},
        {"position": {}},
        {"style": "chess"},
    ],
)
def test_colours_that_are_none_change_nothing(inn: ToppleInn, decor: Message) -> None:
    ann = inn.guest("Ann")
    table = ann.open("topple")
    assert ann.refused("decorate", table=table, decor=decor) == "bad_decor"
    assert inn.hall.live[table].table.decor == {}


def test_others_and_other_games_have_no_colours_to_choose(inn: ToppleInn) -> None:
    ann, bob = inn.guest("Ann"), inn.guest("Bob")
    table = ann.open("topple", seats=2, start="host")
    bob.sure("sit", table=table)
    assert bob.refused("decorate", table=table, decor={"colours": COLOURS}) == "not_host"
    tower = ann.open("tower")
    assert ann.refused("decorate", table=tower, decor={"colours": COLOURS}) == "bad_decor"
    ann.sure("start", table=table)
    assert ann.refused("decorate", table=table, decor={"colours": COLOURS}) == "started"


# Taking a game away


def exported(inn: ToppleInn, live: LiveTable) -> bytes:
    at = exported_at(live)
    assert at is not None
    return suspended_file_of(live, SUSPENSION, at, inn.topple.keys.fingerprint)


def test_the_host_takes_the_game_away_and_the_file_can_be_had_from_then_on(inn: ToppleInn) -> None:
    ann, bob = inn.guest("Ann"), inn.guest("Bob")
    table = ann.open("topple", seats=2, options={"x": 3, "y": 3}, clock={"kind": "bank", "main": 60_000})
    bob.sure("sit", table=table)
    ann.sure("act", table=table, action={"type": "place", "tile": 4})
    inn.advance(5_000)
    live = inn.hall.live[table]
    assert exported_at(live) is None
    assert bob.refused("export", table=table) == "not_host"
    bob.read()
    ann.sure("export", table=table)
    (told,) = bob.read()
    assert told["phase"] == "over"
    assert told["events"][-1]["why"] == "exported"
    assert ann.refused("export", table=table) == "over"
    file = exported(inn, live)
    bob.sure("say", table=table, text="Well.")
    inn.restart()
    inn.advance(60_000)
    assert exported(inn, inn.load(table)) == file, "the same after all of that"
    saved = suspended(file)
    assert saved.state.turn == 1
    assert saved.record.clock is not None
    assert saved.record.clock.left == (60, 55), "Bob has thought for five seconds"


def test_a_tower_cannot_be_taken_away(inn: ToppleInn) -> None:
    ann = inn.guest("Ann")
    table = ann.open("tower", bots=["casual", "casual"])
    assert ann.refused("export", table=table) == "no_files"
