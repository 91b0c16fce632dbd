"""Tafl clients of every dialect and people on the page, at one table and in one lobby."""

from collections.abc import Iterator
from typing import Any

import pytest
from tests.doors.support.inn import Guest
from tests.doors.support.tafl_inn import (
    BRANDUB,
    TaflInn,
    create,
    game_password,
    guid,
    join,
    spectate,
    tafl_inn,
)

from gamut.doors.tafl.client_rules import MAY_DIFFER
from gamut.doors.tafl.fields import game_guid as checked_guid
from gamut.games.game import Seat
from gamut.games.tafl import decide
from gamut.games.tafl.variants import rules_by_name
from gamut.hall.ids import TableId
from gamut.hall.table import commands as c

G = guid(1)
WARNING = f'game-chat "Server" {MAY_DIFFER}'


@pytest.fixture(name="inn")
def _inn() -> Iterator[TaflInn]:
    with tafl_inn() as house:
        yield house


def opened(inn: TaflInn, host: Guest, **fields: Any) -> tuple[TableId, str]:
    """A table of the page, and what it is called here."""
    table = host.open("tafl", **{"options": {"variant": "brandub"}, **fields})
    room = inn.load(table).table.room
    assert room is not None
    return table, room


def test_a_table_opened_on_the_page_has_a_guid_and_is_in_the_list(inn: TaflInn) -> None:
    page = inn.guest('A"n|n<e>')
    _, room = opened(inn, page)
    assert checked_guid(room) == room
    bob = inn.client("Bob")
    assert bob.say("get-game-list") == [
        f'game-list {room} "Brandub 7x7" "A\'n/n(e)" "<none>" password:false spectators:0'
    ]
    assert bob.say(f"join-game {room}") == ["success", f"start-game {BRANDUB}"]


def test_private_tables_of_the_page_are_nobody_s_business(inn: TaflInn) -> None:
    page = inn.guest("Ann")
    _, room = opened(inn, page, private=True)
    bob = inn.client("Bob")
    assert bob.say("get-game-list") == ["game-list"]
    assert bob.say(f"join-game {room}") == ["error game-canceled"]


def test_the_password_of_a_table_of_the_page_is_said_as_a_hash(inn: TaflInn) -> None:
    ann = inn.client("Ann")
    create(ann, password=game_password("abc"))
    page = inn.guest("Bob")
    table = inn.table().id
    assert page.refused("sit", table=table) == "locked"
    assert page.refused("sit", table=table, password="abd") == "wrong_password"
    page.sure("sit", table=table, password="abc")


def test_the_host_on_the_page_starts_when_ready(inn: TaflInn) -> None:
    page, ann, old = inn.guest("Pat"), inn.client("Ann"), inn.client("Old", "7")
    table, room = opened(inn, page, start="host")
    assert ann.say(f"join-game {room}") == ["success"]
    assert ann.say("ready-for-game") == ["error waiting-for-opponent"]
    old.say(f"spectate {room} true none")
    page.sure("start", table=table)
    inn.settle()
    assert ann.read() == [f"start-game {BRANDUB}"]
    assert old.read() == [f"start-game {BRANDUB}"]


def test_who_was_ready_still_is_when_the_host_changes_the_rules(inn: TaflInn) -> None:
    page, ann = inn.guest("Pat"), inn.client("Ann")
    table, room = opened(inn, page, start="ready")
    ann.say(f"join-game {room}")
    ann.say("ready-for-game")
    page.sure("configure", table=table, options={"variant": "tablut"})
    inn.settle()
    page.sure("ready", table=table, ready=True)
    inn.settle()
    assert ann.read() == [f"start-game {rules_by_name()['tablut']}"]


def test_who_is_kicked_before_the_game_is_told_that_there_is_none(inn: TaflInn) -> None:
    page, ann = inn.guest("Pat"), inn.client("Ann")
    table, room = opened(inn, page, start="host")
    ann.say(f"join-game {room}")
    page.sure("unseat", table=table, seat=1)
    inn.settle()
    assert ann.read() == ["error game-canceled"]
    assert create(ann, 2) == ["success"]


@pytest.mark.parametrize("kind", ["", "ext", "7"])
def test_the_host_on_the_page_cannot_take_the_side_from_a_client_that_was_told_it(
    inn: TaflInn, kind: str
) -> None:
    page, ann = inn.guest("Pat"), inn.client("Ann", kind)
    table, room = opened(inn, page, start="host")
    ann.say(f"join-game {room} false none" if kind == "7" else f"join-game {room}")
    assert page.refused("swap", table=table, a=0, b=1) == "keeps_seat"
    page.sure("start", table=table)
    assert not any("await-move" in line for line in ann.read()), "the attackers begin"


def test_a_client_at_a_seat_of_the_page_hears_that_it_was_swapped(inn: TaflInn) -> None:
    page, ann = inn.guest("Pat"), inn.client("Ann", "7")
    table, room = opened(inn, page, start="host")
    inn.guest("Ann").sure("sit", table=table)
    assert ann.say(f"join-game {room} false none") == ["success defenders"]
    page.sure("swap", table=table, a=0, b=1)
    inn.settle()
    assert ann.read() == ['game-chat "Server" You play the attackers now.']


@pytest.mark.parametrize("kind", ["", "ext", "7"])
def test_whose_game_is_called_off_on_the_page_is_in_the_lobby_again(inn: TaflInn, kind: str) -> None:
    page, ann, cid = inn.guest("Pat"), inn.client("Ann", kind), inn.client("Cid", "7")
    table, room = opened(inn, page, start="host")
    ann.say(f"join-game {room} false none" if kind == "7" else f"join-game {room}")
    cid.say(f"spectate {room} true none")
    ann.read()
    page.sure("call_off", table=table)
    inn.settle()
    for number, client in enumerate((ann, cid), 2):
        assert client.read() == ["error game-canceled"]
        assert client.session.live is None
        assert create(client, number)[0].startswith("success")


def test_a_pause_on_the_page_is_told_and_nothing_is_played_meanwhile(inn: TaflInn) -> None:
    page, ann = inn.guest("Pat"), inn.client("Ann")
    clock = {"kind": "overtime", "main": 60_000, "length": 0, "periods": 0}
    table, room = opened(inn, page, clock=clock)
    ann.say(f"join-game {room}")
    page.sure("act", table=table, action={"type": "move", "start": 21, "end": 14})
    inn.advance(1_000)
    ann.read()
    page.sure("pause", table=table)
    inn.settle()
    told = "clock-update 60000/0/0/0 59000/0/0/0"
    assert ann.read() == [told, 'game-chat "Server" The game is paused.']
    assert ann.say("move d3-c3") == ["error waiting-for-opponent"]
    inn.advance(60_000)
    page.sure("resume", table=table)
    inn.settle()
    assert ann.read() == ['game-chat "Server" The game goes on.', told, "await-move defenders"]


def test_who_leaves_on_the_page_has_lost(inn: TaflInn) -> None:
    page, ann = inn.guest("Pat"), inn.client("Ann")
    table, room = opened(inn, page)
    ann.say(f"join-game {room}")
    page.sure("leave", table=table)
    inn.settle()
    assert ann.read() == ["error game-canceled", "end-game"]


def test_watchers_are_let_go_when_the_page_plays_again(inn: TaflInn) -> None:
    pages, cid = [inn.guest("Pat"), inn.guest("Quin")], inn.client("Cid")
    table, room = opened(inn, pages[0])
    pages[1].sure("sit", table=table)
    cid.say(f"spectate-game {room}")
    pages[0].sure("resign", table=table)
    for page in pages:
        page.sure("rematch", table=table)
    inn.settle()
    assert cid.read() == ["end-game"]
    (again,) = [live for live in inn.hall.live.values() if live.table.phase == "playing"]
    assert again.table.room not in (None, room), "a rematch is another game"
    assert cid.say(f"spectate-game {again.table.room}")[0] == "success"


def test_bots_are_in_the_list_and_their_moves_are_told(inn: TaflInn) -> None:
    page, ann = inn.guest("Pat"), inn.client("Ann")
    table, room = opened(inn, page, start="host")
    page.sure("bot", table=table, level=inn.load(table).game.traits.levels[0].name, seat=1)
    page.sure("start", table=table)
    assert '"Pat" "' in ann.say("get-game-list")[0]
    assert "bot" in ann.say("get-game-list")[0]
    ann.say(f"spectate-game {room}")
    page.sure("act", table=table, action={"type": "move", "start": 21, "end": 14})
    inn.advance(1_000)
    moves = [line for line in ann.read() if line.startswith("move ")]
    assert moves[0] == "move a4-a3"
    assert len(moves) == 2


def test_when_the_host_on_the_page_leaves_before_the_start_the_client_has_no_game(inn: TaflInn) -> None:
    page, ann = inn.guest("Pat"), inn.client("Ann")
    table, room = opened(inn, page, start="host")
    ann.say(f"join-game {room}")
    page.sure("leave", table=table)
    inn.settle()
    assert ann.read() == ["error game-canceled"]
    assert inn.load(table).table.phase == "over"
    assert create(ann, 2) == ["success"]


def test_when_a_client_leaves_before_the_start_the_page_waits_for_another(inn: TaflInn) -> None:
    page, ann, bob = inn.guest("Pat"), inn.client("Ann"), inn.client("Bob")
    table, room = opened(inn, page, start="host")
    ann.say(f"join-game {room}")
    ann.say(f"leave-game {room}")
    assert inn.load(table).table.phase == "setup"
    assert bob.say(f"join-game {room}") == ["success"]


def test_a_bot_that_is_sent_away_takes_nobody_s_game(inn: TaflInn) -> None:
    ann, page = inn.client("Ann"), inn.guest("Pat")
    create(ann)
    live = inn.table()
    inn.hall.do(live, c.SeatBot(ann.session.person, "casual"))
    inn.hall.do(live, c.Unseat(ann.session.person, Seat(1)))
    inn.settle()
    assert ann.read() == []
    page.sure("watch", table=live.id)
    page.sure("sit", table=live.id)
    assert live.table.full


@pytest.mark.parametrize("kind", ["", "ext"])
@pytest.mark.parametrize("start", ["full", "host"])
def test_a_client_whose_game_did_not_wait_for_it_is_ready_all_the_same(
    inn: TaflInn, kind: str, start: str
) -> None:
    page, ann = inn.guest("Pat"), inn.client("Ann", kind)
    table, room = opened(inn, page, start=start)
    ann.say(f"join-game {room}")
    if start == "host":
        page.sure("start", table=table)
        inn.settle()
    ann.read()
    assert ann.say("ready-for-game") == ["success"]
    assert ann.say("ready-for-game") == ["error already-started"], "it is asked once"
    page.sure("resign", table=table)
    ann.read()
    assert ann.say("ready-for-game") == ["error already-started"]


# By whose rules


def quirks(inn: TaflInn, number: int = 1) -> bool:
    table = inn.table(number).table
    return bool(table.options.quirks if table.state is None else table.state.quirks)


def test_games_are_played_by_the_written_rules_where_no_existing_client_is(inn: TaflInn) -> None:
    inn.playing()
    assert not quirks(inn)
    late = inn.client("Cid", "7")
    assert spectate(late)[-1] == WARNING


@pytest.mark.parametrize("kinds", [("7", ""), ("", "7"), ("7", "7"), ("ext", "7")])
def test_where_one_plays_they_are_played_as_it_plays(inn: TaflInn, kinds: tuple[str, str]) -> None:
    inn.playing(kinds=kinds)
    assert quirks(inn)
    assert WARNING not in spectate(inn.client("Cid", "7"))


def test_where_one_watches_from_the_beginning_as_well(inn: TaflInn) -> None:
    ann, bob, cid = inn.client("Ann"), inn.client("Bob"), inn.client("Cid", "7")
    create(ann)
    ann.say("ready-for-game")
    spectate(cid)
    assert quirks(inn)
    join(bob)
    assert bob.say("ready-for-game")[0] == "success", "what Ann said still counts"
    assert quirks(inn)


def test_it_counts_who_is_there_when_the_game_starts(inn: TaflInn) -> None:
    page, bob, cid = inn.guest("Pat"), inn.client("Bob"), inn.client("Cid", "7")
    table, room = opened(inn, page, start="host")

    def quirks() -> bool:
        return bool(inn.load(table).table.options.quirks)

    cid.say(f"spectate {room} true none")
    assert quirks()
    cid.say(f"leave-game {room}")
    assert not quirks()
    cid.say(f"join-game {room} false none")
    assert quirks()
    cid.hang_up()
    assert not quirks()
    bob.say(f"join-game {room}")
    page.sure("start", table=table)
    assert not inn.load(table).table.state.quirks


def test_the_page_cannot_take_it_back_while_such_a_client_is_there(inn: TaflInn) -> None:
    page, old = inn.guest("Pat"), inn.client("Old", "7")
    table, room = opened(inn, page, start="host")
    old.say(f"join-game {room} false none")
    page.sure("configure", table=table, options={"variant": "tablut", "quirks": False})
    inn.settle()
    page.sure("start", table=table)
    inn.settle()
    assert inn.load(table).table.state.quirks
    assert old.read()[0] == f"start-game {rules_by_name()['tablut']}"


def test_a_wrong_password_changes_no_rules(inn: TaflInn) -> None:
    ann, cid = inn.client("Ann"), inn.client("Cid", "7")
    create(ann, password=game_password("abc"))
    before = inn.bytes_of(inn.table().id)
    assert join(cid, password=game_password("abd")) == ["error invalid-game-password"]
    assert spectate(cid) == ["error invalid-game-password"]
    assert inn.bytes_of(inn.table().id) == before


def test_letters_that_existing_clients_do_not_know_are_not_sent_to_them(inn: TaflInn) -> None:
    rules = "dim:7 name:Hired start:/m6/7/3T3/2TKT2/3T3/7/t5m/"
    ann, bob, cid = inn.client("Ann"), inn.client("Bob", "7"), inn.client("Cid")
    create(ann, rules=rules)
    join(bob)
    ann.say("ready-for-game")
    spectate(cid)
    bob.read(), cid.read()
    ann.say("move a1-b1")
    assert "move-record a1-b1" in bob.read()
    assert "move ma1-b1" in cid.read()


@pytest.mark.parametrize("kind", ["", "ext", "7"])
def test_a_table_that_has_become_private_is_as_if_it_were_not_there(inn: TaflInn, kind: str) -> None:
    page, ann, stranger = inn.guest("Pat"), inn.client("Ann"), inn.client("Bob", kind)
    table, room = opened(inn, page, start="ready")
    ann.say(f"join-game {room}")
    page.sure("configure", table=table, private=True)
    ann.say("ready-for-game")
    page.sure("ready", table=table, ready=True)
    nowhere = guid(99)
    words = [f"join-game {{}} {'false none' if kind == '7' else ''}"]
    words += ["spectate {} true none"] if kind == "7" else ["spectate-game {}", "spectate-game {} open"]
    words += ["resume {}"] if kind == "ext" else []
    for word in words:
        assert stranger.say(word.format(room)) == stranger.say(word.format(nowhere)), word
        assert stranger.say(word.format(room)) == ["error game-canceled"]
    ann.say('game-chat "Ann" between us')
    assert stranger.read() == []
    assert inn.load(table).watchers == 0
    # Whoever belongs there comes back.
    inn.restart()
    ann = inn.client("Ann")
    assert ann.say(f"join-game {room}")[0] == "success"


def test_a_game_made_private_while_somebody_waits_for_its_rules_is_gone_for_them(
    inn: TaflInn, monkeypatch: pytest.MonkeyPatch
) -> None:
    page, old = inn.guest("Pat"), inn.client("Old", "7")
    table, room = opened(inn, page, start="host")
    prepare = inn.tafl.client_rules.prepare

    async def meanwhile(*args: Any) -> Any:
        page.session.hall.do(inn.hall.live[table], c.Configure(page.person, private=True))
        return await prepare(*args)

    monkeypatch.setattr(inn.tafl.client_rules, "prepare", meanwhile)
    assert old.say(f"spectate {room} true none") == ["error game-canceled"]
    assert inn.load(table).watchers == 0


# Without a result


@pytest.mark.parametrize(("dialect", "end"), [(None, "end-game"), ("7", "game-ended")])
def test_who_is_removed_from_a_game_has_not_lost_and_hears_why(
    inn: TaflInn, dialect: str | None, end: str
) -> None:
    page = inn.guest("Pat")
    bob = inn.client("Bob") if dialect is None else inn.client("Bob", dialect)
    table, room = opened(inn, page)
    bob.say(f"join-game {room}" if dialect is None else f"join-game {room} false none")
    inn.settle()
    bob.read()
    live = inn.load(table)
    seat = live.table.seat_of(bob.session.person)
    page.sure("unseat", table=table, seat=seat)
    inn.settle()
    why, *ended = bob.read()
    assert "removed a player: the game ends without a result." in why
    assert ended == ["error game-canceled", end]
    assert live.table.outcome is None
    assert live.table.phase == "over"


def test_a_watcher_hears_that_there_is_no_result(inn: TaflInn) -> None:
    page, wim = inn.guest("Pat"), inn.client("Wim")
    table, room = opened(inn, page)
    page.sure("bot", table=table, level="casual")
    wim.say(f"spectate-game {room}")
    inn.settle()
    wim.read()
    page.sure("unseat", table=table, seat=1)
    inn.settle()
    assert wim.read()[-2:] == ["error game-canceled", "end-game"]
    assert inn.load(table).table.outcome is None


def test_a_game_that_goes_on_for_ever_is_a_draw_and_everybody_is_told(
    inn: TaflInn, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(decide, "LONGEST", 2)
    ann, bob = inn.playing(kinds=("ext", "7"))
    ann.say("move a4-a3")
    bob.read()
    assert bob.say("move-record d3-c3")[-2:] == ["victory DRAW", "game-ended"]
    heard = ann.read()
    assert 'game-chat "Server" A draw: there were more moves than any game needs.' in heard
    assert heard[-2:] == ["victory DRAW", "end-game"]


def test_the_clock_of_somebody_on_the_page_stands_after_a_crash_until_they_are_back(inn: TaflInn) -> None:
    page, bob = inn.guest("Pat"), inn.client("Bob")
    table, room = opened(inn, page, clock={"kind": "bank", "main": 15_000})
    bob.say(f"join-game {room}")
    inn.settle()
    seat = inn.load(table).table.seat_of(bob.session.person)
    if inn.load(table).awaited == (seat,):
        bob.say("move a4-a3" if seat == 0 else "move d3-c3")
    inn.restart()
    again = inn.client("Bob")
    again.say(f"join-game {room}")
    inn.advance(20_000)
    again.read()
    live = inn.load(table)
    assert live.table.phase == "playing"
    assert live.table.clock.running == ()
    pat = inn.guest("Pat")
    pat.sure("watch", table=table)
    inn.settle()
    assert live.table.clock.running == live.awaited
    assert again.read()[0].startswith("clock-update 15000")
