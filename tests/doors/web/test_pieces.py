"""What is long is told in pieces that follow the reader."""

import msgspec
import pytest
from tests.conftest import Contained
from tests.doors.support.inn import Guest, Inn, Message
from tests.doors.web.test_tables import sitting

from gamut.doors.close_codes import INTERNAL_ERROR
from gamut.doors.pieces import MOMENT, MOST_WAITING
from gamut.doors.web.pieces import EVENTS, TABLES, History
from gamut.doors.web.session import WebSession
from gamut.hall.ids import PersonId, Seq, TableId
from gamut.hall.live.opening import Opening
from gamut.hall.table import commands as c

MANY = 5 * EVENTS + 7


def talked(inn: Inn, lines: int) -> tuple[TableId, Guest]:
    """A table at which much was said, and somebody who looks at the lobby."""
    table, _ = sitting(inn, "Ann Bob")
    live = inn.load(table)
    for number in range(lines):
        inn.house.do(live, c.Say(PersonId(f"watcher {number % 100}"), "Wim", f"line {number}", "kibitz"))
    return table, inn.guest("Wanda")


def pieces(messages: list[Message]) -> list[Message]:
    return [message for message in messages if message["type"] == "events"]


def test_a_long_past_comes_in_pieces_and_is_answered_after_the_last(inn: Inn) -> None:
    table, wanda = talked(inn, MANY)
    heard = wanda.say({"type": "watch", "table": table, "since": 0, "id": 1})
    assert len(heard) == 1, "the first piece comes at once"
    while heard[-1] != {"type": "ok", "id": 1}:
        inn.advance(MOMENT)
        more = wanda.read()
        assert len(more) <= 2
        heard += more
    told = pieces(heard)
    assert [piece["after"] for piece in told] == [0, *(piece["seq"] for piece in told[:-1])]
    assert all(len(piece["events"]) <= EVENTS for piece in told)
    live = inn.load(table)
    assert told[-1]["seq"] == live.table.seq
    everything = [event for piece in told for event in piece["events"]]
    assert everything == msgspec.json.decode(msgspec.json.encode(live.visible(None, Seq(0))))


def test_what_happens_meanwhile_comes_in_its_turn_and_once(inn: Inn) -> None:
    table, wanda = talked(inn, MANY)
    wanda.say({"type": "watch", "table": table, "since": 0})
    live = inn.load(table)
    for number in range(30):
        inn.house.do(live, c.Say(PersonId(f"w{number}"), "Wim", f"more {number}", "kibitz"))
        inn.advance(MOMENT)
    inn.advance(50 * MOMENT)
    seen = wanda.raw.count(b'"type":"said"')
    assert seen == MANY + 30
    assert wanda.raw.count(b'"more 29"') == 1


def test_a_reader_who_does_not_read_gets_no_more_and_is_not_let_go(inn: Inn) -> None:
    table, wanda = talked(inn, MANY)
    wanda.say({"type": "watch", "table": table, "since": 0})
    wanda.wire.queued = MOST_WAITING
    inn.advance(1000)
    assert pieces(wanda.read()) == []
    wanda.wire.queued = MOST_WAITING - 1
    inn.advance(MOMENT)
    assert len(pieces(wanda.read())) == 1
    assert not wanda.wire.dropped


def test_who_asks_again_and_again_gets_it_at_the_pace_at_which_it_is_read(inn: Inn) -> None:
    table, wanda = talked(inn, MANY)
    for number in range(90):
        wanda.send(msgspec.json.encode({"type": "watch", "table": table, "since": 0, "id": number}))
    heard = wanda.read()
    assert len(pieces(heard)) == 90, "each begins anew, and no more than the first piece of it is told"
    assert [message["id"] for message in heard if message["type"] == "ok"] == list(range(89))
    wanda.wire.queued = MOST_WAITING
    size = len(wanda.raw)
    for _ in range(90):
        wanda.send(msgspec.json.encode({"type": "watch", "table": table, "since": 0}))
    assert len(wanda.raw) - size < 90 * 20, "whoever does not read is only answered"


def test_many_readers_get_their_pieces_one_after_the_other(inn: Inn) -> None:
    table, _ = talked(inn, MANY)
    readers = [inn.guest(f"R{number}") for number in range(5)]
    for reader in readers:
        reader.say({"type": "watch", "table": table, "since": 0})
    for _ in range(3):
        got = []
        for _ in readers:
            inn.advance(MOMENT)
            got.append([len(pieces(reader.read())) for reader in readers])
        assert all(sum(each) == 1 for each in got), "one piece at a time"
        assert [sum(each) for each in zip(*got, strict=True)] == [1] * 5, "and everybody in turn"


def test_nothing_is_told_to_who_has_gone_or_does_not_look_any_more(inn: Inn) -> None:
    table, wanda = talked(inn, MANY)
    wanda.say({"type": "watch", "table": table, "since": 0, "id": 77})
    assert wanda.sure("unwatch", table=table) == [{"type": "ok", "id": 77}]
    inn.advance(1000)
    assert pieces(wanda.read()) == []
    wanda.say({"type": "watch", "table": table, "since": 0})
    wanda.hang_up()
    size = len(wanda.raw)
    inn.advance(1000)
    assert len(wanda.raw) == size


def test_who_sits_down_while_being_told_gets_the_picture_of_their_seat_in_the_end(inn: Inn) -> None:
    table, wanda = talked(inn, MANY)
    wanda.say({"type": "watch", "table": table, "since": 0})
    wanda.sure("sit", table=table)
    inn.advance(1000)
    heard = wanda.read()
    assert heard[-1]["type"] == "table" or heard[-2]["type"] == "table"
    picture = next(message for message in heard if message["type"] == "table")
    assert picture["you"] == 2


def test_a_crowded_lobby_comes_in_pieces(inn: Inn) -> None:
    for _ in range(2 * TABLES + 5):
        inn.hall.open(Opening(game="tower"), None)
    inn.settle()
    wanda = inn.guest("Wanda")
    heard = wanda.say({"type": "lobby", "id": 1})
    assert [message["type"] for message in heard] == ["lobby"]
    assert len(heard[0]["tables"]) == TABLES
    gone = next(iter(inn.hall.lobby.tables))
    inn.hall.lobby.hide(gone)
    new = inn.hall.open(Opening(game="tower"), None)
    inn.advance(1000)
    heard += wanda.read()
    assert {"type": "ok", "id": 1} in heard
    shown = {
        table["id"] for message in heard for table in message.get("tables", []) + message.get("changed", [])
    }
    dropped = {table for message in heard for table in message.get("gone", [])}
    assert shown - dropped == set(inn.hall.lobby.tables)
    assert new.id in shown


def test_nothing_is_remembered_of_who_watched_a_table_that_went_on(inn: Inn) -> None:
    table, people = sitting(inn, "Ann Bob Cyd")
    inn.guest("Wim").sure("watch", table=table)
    for _ in range(5):
        for number, tile in enumerate((0, 8, 16, 1, 9, 17, 2)):
            seat = inn.load(table).table.persons[number % 3]
            actor = next(person for person in people if person.person == seat)
            actor.sure("act", table=table, action={"type": "place", "tile": tile})
        for person in people:
            person.sure("rematch", table=table)
        table = next(iter(people[0].session.following))
        inn.advance(1000)
    assert len(inn.web.watching._told) == 1


@pytest.mark.faults
def test_a_reader_for_whom_a_piece_cannot_be_made_is_let_go_and_the_others_get_theirs(
    inn: Inn, monkeypatch: pytest.MonkeyPatch, contained: Contained
) -> None:
    table, wanda = talked(inn, MANY)
    wim = inn.guest("Wim")
    for reader in (wanda, wim):
        reader.say({"type": "watch", "table": table, "since": 0, "id": 1})
    real = History.piece

    def piece(self: History, session: WebSession, about: str) -> tuple[bytes, bool]:
        if session is wanda.session:
            raise ZeroDivisionError
        return real(self, session, about)

    monkeypatch.setattr(History, "piece", piece)
    inn.advance(50 * MOMENT)
    assert wanda.wire.closed == INTERNAL_ERROR
    assert wim.read()[-1] == {"type": "ok", "id": 1}
    assert contained.faults == [{"kind": "pieces", "error": "ZeroDivisionError()"}]
