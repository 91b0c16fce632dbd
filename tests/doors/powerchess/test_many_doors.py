"""One table of Power Chess and many doors: games of the page for its clients, and theirs for the page."""

from collections.abc import Iterator
from typing import Any

import pytest
from tests.doors.support.inn import Guest
from tests.doors.support.powerchess_inn import Client, PowerInn, point, power_inn, way
from tests.games.support.powerchess_tables import sq

from gamut.games.game import Refused
from gamut.games.powerchess import decide
from gamut.hall.files.recording import file_of
from gamut.hall.ids import TableId
from gamut.hall.table import commands as c
from gamut.hall.table import events as e


@pytest.fixture(name="inn")
def _inn() -> Iterator[PowerInn]:
    with power_inn(debug=True) as house:
        yield house


def opened(inn: PowerInn, page: Guest, **fields: Any) -> tuple[TableId, int]:
    """A table of the page, and the number that it has here."""
    table = page.open("powerchess", **fields)
    return table, int(str(inn.load(table).table.room))


def acts(page: Guest, table: TableId, move: str) -> None:
    action = {"type": "move", "start": sq(move[:2]), "end": sq(move[2:])}
    page.sure("act", table=table, action=action)


def types(heard: list[dict[str, Any]]) -> list[int]:
    return [message["type"] for message in heard]


def test_a_game_is_listed_while_one_waits_wherever_it_was_opened(inn: PowerInn) -> None:
    home, page, ann = inn.home(), inn.guest("Pat"), inn.client()
    assert home.read() == [{"games": {}, "type": 0}]
    _, number = opened(inn, page, clock={"kind": "bank", "main": 900_000, "increment": 15_000})
    ann.create("Ann", color=False, public="true", timeControl=2)
    ann_s = {"name": "Ann", "color": 1, "timeControl": 2}
    inn.advance(100)
    assert home.read() == [
        {"name": "Pat", "color": 0, "timeControl": 1, "gameId": number, "type": 1},
        {**ann_s, "gameId": ann.game, "type": 1},
    ]
    (late,) = inn.home().read()
    assert late["games"][str(ann.game)] == ann_s
    page.sure("sit", table=inn.table(ann.game).id)
    inn.client().join(number)
    inn.advance(100)
    removed = home.read()
    assert types(removed) == [2, 2]
    assert {message["gameId"] for message in removed} == {number, ann.game}


def test_private_guarded_and_empty_tables_are_not_listed(inn: PowerInn) -> None:
    home, page, ann = inn.home(), inn.guest("Pat"), inn.client()
    opened(inn, page, private=True)
    opened(inn, page, password="secret")
    ann.create()
    lonely, _ = opened(inn, page)
    page.sure("leave", table=lonely)
    inn.advance(100)
    assert home.read() == [{"games": {}, "type": 0}]


def test_a_game_that_its_host_changes_is_removed_and_added(inn: PowerInn) -> None:
    home, page = inn.home(), inn.guest("Pat")
    table, number = opened(inn, page)
    inn.advance(100)
    home.read()
    page.sure("configure", table=table, clock={"kind": "bank", "main": 300_000, "increment": 5_000})
    inn.advance(100)
    gone, added = home.read()
    assert gone == {"gameId": number, "type": 2}
    assert (added["type"], added["gameId"], added["timeControl"]) == (1, number, 0)
    page.sure("configure", table=table, private=True)
    inn.advance(100)
    assert home.read() == [gone]


def test_whatever_is_said_to_the_list_is_not_looked_at(inn: PowerInn) -> None:
    home = inn.home()
    home.read()
    for text in (b"", b"{", b'{"type":0}', b"[" * 4000):
        home.send(text)
    home.session.rate_limited()
    assert home.read() == []
    assert home.wire.closed is None
    home.session.binary(b"x")
    inn.settle()
    assert home.wire.closed == 1003
    assert not inn.hall.lobby.listeners


def test_private_games_of_this_door_are_joined_by_number_and_those_of_the_page_by_their_link(
    inn: PowerInn,
) -> None:
    ann, page = inn.client(), inn.guest("Pat")
    ann.create(public=False)
    assert types(inn.client().join(ann.game)) == [1]
    table, number = opened(inn, page, private=True)
    stranger = inn.client()
    (told,) = stranger.join(number)
    (unknown,) = stranger.join(123_456)
    assert told == unknown, "nobody learns that there is such a table"
    assert inn.load(table).table.phase == "setup"
    locked, number = opened(inn, page, password="secret")
    assert types(stranger.join(number)) == [7]
    assert inn.load(locked).table.phase == "setup"


@pytest.mark.parametrize("start", ["full", "ready", "host", "approval"])
def test_whoever_joins_a_table_of_the_page_is_told_so_when_the_game_begins(inn: PowerInn, start: str) -> None:
    page, bob = inn.guest("Pat"), inn.client()
    table, number = opened(inn, page, start=start)
    heard = bob.join(number)
    if start != "full":
        assert heard == []
        assert types(bob.say({"type": 0, "name": "B", "color": True, "timeControl": 0, "public": True})) == [
            7
        ]
        kind, fields = ("start", {}) if start == "host" else ("ready", {"ready": True})
        page.sure(kind, table=table, **fields)
        heard = bob.read()
    (joined,) = heard
    assert (joined["color"], joined["name"]) == (False, "Pat")
    acts(page, table, "e2e4")
    assert bob.read()[0]["move"] == way("e2e4")
    assert types(bob.move("e7e5")) == [5]


def test_a_host_who_swaps_the_seats_before_the_start_gives_the_other_white(inn: PowerInn) -> None:
    page, bob = inn.guest("Pat"), inn.client()
    table, number = opened(inn, page, start="host")
    bob.join(number)
    page.sure("swap", table=table, a=0, b=1)
    page.sure("start", table=table)
    (joined,) = bob.read()
    assert joined["color"] is True
    assert types(bob.move("e2e4")) == [5]


def test_who_is_sent_off_before_the_start_hears_an_error_and_may_play_elsewhere(inn: PowerInn) -> None:
    page, bob, cid = inn.guest("Pat"), inn.client(), inn.client()
    table, number = opened(inn, page, start="host")
    bob.join(number)
    page.sure("unseat", table=table, seat=1)
    assert types(bob.read()) == [7]
    assert types(bob.join(number)) == [7]
    cid.join(number, "Cid")
    page.sure("call_off", table=table)
    assert types(cid.read()) == [7]
    assert types(cid.create()) == types(bob.create()) == [0]


def test_when_the_host_leaves_before_the_start_the_next_one_who_sits_down_begins_it(inn: PowerInn) -> None:
    page, bob, other = inn.guest("Pat"), inn.client(), inn.guest("Quin")
    table, number = opened(inn, page, start="host")
    bob.join(number)
    page.sure("leave", table=table)
    other.sure("sit", table=table)
    (joined,) = bob.read()
    assert joined["name"] == "Quin"
    assert inn.load(table).table.phase == "playing"


def test_who_hangs_up_before_the_start_has_left(inn: PowerInn) -> None:
    page, bob = inn.guest("Pat"), inn.client()
    table, number = opened(inn, page, start="host")
    bob.join(number)
    bob.hang_up()
    assert inn.load(table).table.seats[1] is None


def test_whoever_leaves_or_gives_up_on_the_page_has_lost(inn: PowerInn) -> None:
    for kind in ("leave", "resign"):
        page, bob = inn.guest("Pat"), inn.client()
        table, number = opened(inn, page)
        bob.join(number)
        page.sure(kind, table=table)
        assert bob.read() == [{"type": 2, "reason": 1, "result": 0}]
        assert types(bob.create()) == [0]
        bob.tell(2, reason=1)


@pytest.mark.parametrize("paused", [False, True])
def test_who_is_kicked_in_the_middle_of_a_game_has_not_lost_and_may_go_on_elsewhere(
    inn: PowerInn, paused: bool
) -> None:
    page, bob = inn.guest("Pat"), inn.client()
    table, number = opened(inn, page)
    bob.join(number)
    if paused:
        page.sure("pause", table=table)
    page.sure("unseat", table=table, seat=1)
    over, why = bob.read()
    assert over == {"type": 2, "reason": 3, "result": 2}, "nobody has won: there is no other word for that"
    assert why == {"type": 7, "message": "The host has removed a player: the game ends without a result."}
    assert inn.load(table).table.outcome is None
    assert types(bob.move("e7e5")) == [7]
    assert types(bob.create()) == [0]


def test_whoever_does_not_want_to_wait_for_the_host_says_so_and_is_free(inn: PowerInn) -> None:
    page, bob = inn.guest("Pat"), inn.client()
    table, number = opened(inn, page, start="host")
    bob.join(number)
    bob.read()
    assert bob.tell(2, reason=1) == []
    assert inn.load(table).table.seat_of(bob.session.person) is None
    assert types(bob.create()) == [0]


def test_while_the_page_pauses_a_piece_is_put_back(inn: PowerInn) -> None:
    page, bob = inn.guest("Pat"), inn.client()
    table, number = opened(inn, page)
    bob.join(number)
    acts(page, table, "e2e4")
    page.sure("pause", table=table)
    bob.read()
    assert types(bob.move("e7e5")) == [6]
    page.sure("resume", table=table)
    assert bob.read() == [{"type": 5, "updates": [], "action": 1}]
    assert types(bob.move("e7e5")) == [5]


def test_the_page_is_told_that_the_client_knows_no_rematch_until_it_has_gone_on(inn: PowerInn) -> None:
    page, bob = inn.guest("Pat"), inn.client()
    table, number = opened(inn, page)
    bob.join(number)
    bob.tell(2, reason=1)
    page.read()
    answer, heard = page.ask("rematch", table=table)
    assert (answer["code"], heard) == ("no_rematch", [])
    assert answer["message"].startswith("Bob plays with another program, which knows no rematch.")
    assert inn.load(table).table.rematch == ()
    assert bob.read() == []
    bob.create()
    page.sure("rematch", table=table)
    following = inn.load(table).table.successor
    assert following is not None
    assert int(str(inn.load(following).table.room)) not in (number, bob.game)
    assert types(bob.tell(3)) == [7], "it is in its own new game"


def test_a_bot_answers_an_offered_draw_and_plays(inn: PowerInn) -> None:
    page, bob = inn.guest("Pat"), inn.client()
    table, number = opened(inn, page, start="host")
    bob.join(number)
    page.sure("leave", table=table)
    live = inn.load(table)
    person = bob.session.person
    assert live.table.host == person
    inn.hall.do(live, c.SeatBot(person, live.game.traits.levels[0].name))
    inn.settle()
    joined, moved = bob.read()
    assert joined["name"].endswith("bot")
    assert moved["action"] == 1
    assert bob.tell(3) == [], "the game is young; and there is no word for no"
    assert not live.table.draw_offers
    assert bob.tell(3) == [], "nor is a bot asked again before a move"
    assert [type(event) for event in live.log[-2:]] == [e.DrawOffered, e.DrawDeclined]


def play_together(inn: PowerInn, ann: Client, page: Guest, watcher: Guest) -> TableId:
    """Ann has White at this door, Pat Black on the page, and Will watches there."""
    ann.create("Ann", public=True)
    table = inn.table(ann.game).id
    watcher.sure("watch", table=table)
    page.sure("sit", table=table)
    assert ann.read() == [{"type": 1, "name": "Pat"}]
    return table


def test_an_offer_is_known_to_the_chooser_alone_until_it_is_used(inn: PowerInn) -> None:
    ann, page, watcher = inn.client(), inn.guest("Pat"), inn.guest("Will")
    play_together(inn, ann, page, watcher)
    give = {"type": 9, "gameId": ann.game, "rarity": 0, "id1": 2, "id2": 4, "whereCaptured": point("e2")}
    page.read(), watcher.read()
    (told,) = ann.say(give)
    assert told["options"] == {"rarity": 0, "id1": 2, "id2": 4}
    for other in (page, watcher):
        seen = str(other.read())
        assert "unseen" in seen
        assert "second_effort" not in seen
        assert "swap" not in seen
    ann.choose(0, way("e2e4"))
    for other in (page, watcher):
        seen = str(other.read())
        assert "second_effort" in seen
        assert "swap" not in seen


def test_what_is_arranged_is_told_to_both_and_cannot_be_written_as_a_file(inn: PowerInn) -> None:
    ann, bob = inn.pair()
    (told,) = ann.say({"type": 8, "gameId": ann.game, "row": 3, "col": 3, "rarity": 2})
    assert told["action"] == 1
    (told,) = bob.read()
    assert told["updates"] == [{"row": 3, "col": 3, "state": 2, "rarity": 2}]
    assert told["action"] == 0
    assert types(ann.say({"type": 8, "gameId": ann.game, "row": 3, "col": 3, "rarity": 0})) == [7]
    bad = {"type": 9, "gameId": ann.game, "rarity": 0, "id1": 0, "id2": 1, "whereCaptured": point("e7")}
    assert types(ann.say(bad)) == [7]
    assert types(ann.say({**bad, "id1": 5})) == [7]
    assert types(ann.say({**bad, "gameId": 5})) == [7]
    assert bob.read() == []
    with pytest.raises(Refused) as refusal:
        file_of(inn.table(ann.game), "json", None, b"")
    assert refusal.value.code == "arranged"


def test_the_power_that_was_not_chosen_leaves_no_trace_with_the_other_player() -> None:
    heard = []
    for offer, selection in (((3, 1), 0), ((3, 4), 0), ((0, 3), 1)):
        with power_inn(debug=True) as inn:
            ann, bob = inn.pair()
            inn.chess.draws.offers = [offer]
            ann.say({"type": 8, "gameId": ann.game, **point("e4"), "rarity": 0})
            ann.move("e2e4")
            ann.choose(selection)
            heard.append(bob.move("e7e5"))
            back = inn.client()
            heard[-1] += [message for message in back.resume(bob) if message["type"] == 5]
    assert heard[0] == heard[1] == heard[2]
    assert len(heard[0]) > 1


def test_a_game_that_goes_on_for_ever_is_a_draw(inn: PowerInn, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(decide, "LONGEST", 2)
    ann, bob = inn.pair()
    ann.move("e2e4")
    bob.read()
    assert bob.move("e7e5")[-1] == {"type": 2, "reason": 3, "result": 2}
    assert ann.read()[-1] == {"type": 2, "reason": 3, "result": 2}
