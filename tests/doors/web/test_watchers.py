"""Who watches a table, told to everybody there."""

from tests.doors.support.inn import Guest, Inn, Message
from tests.doors.web.test_tables import sitting

from gamut.doors.web.watching import MOST_NAMED
from gamut.hall.ids import TableId

MOMENT = 250


def told(guest: Guest) -> list[Message]:
    return [message for message in guest.read() if message["type"] == "watchers"]


def names(message: Message) -> list[str]:
    assert message["count"] == len(message["people"])
    return [person["name"] for person in message["people"]]


def watching(inn: Inn, table: TableId, *people: str, **fields: object) -> list[Guest]:
    guests = [inn.guest(name) for name in people]
    for guest in guests:
        guest.sure("watch", table=table, **fields)
    return guests


def test_everybody_at_the_table_hears_who_watches(inn: Inn) -> None:
    table, (ann, bob) = sitting(inn, "Ann Bob")
    inn.advance(MOMENT)
    assert told(ann) == told(bob) == [], "nobody watches, and nobody need be told so"
    wim, wanda = watching(inn, table, "Wim", "Wanda")
    assert told(ann) == [], "a crowd that comes at once is told of once"
    inn.advance(MOMENT)
    (heard,) = told(ann)
    assert heard == {
        "type": "watchers",
        "table": table,
        "count": 2,
        "people": [{"person": wanda.person, "name": "Wanda"}, {"person": wim.person, "name": "Wim"}],
    }
    assert told(bob) == told(wim) == told(wanda) == [heard]
    wim.sure("unwatch", table=table)
    wanda.hang_up()
    inn.advance(MOMENT)
    assert [names(message) for message in told(ann)] == [[]]
    assert told(wim) == []


def test_a_newcomer_is_told_and_nobody_hears_the_same_twice(inn: Inn) -> None:
    table, (ann,) = sitting(inn, "Ann")
    (wim,) = watching(inn, table, "Wim")
    inn.advance(MOMENT)
    ann.read()
    wim.read()
    again = inn.guest("Ann")
    again.sure("watch", table=table)
    inn.advance(MOMENT)
    assert [names(message) for message in told(again)] == [["Wim"]]
    assert told(ann) == told(wim) == []
    (twin,) = watching(inn, table, "Wim")
    inn.advance(MOMENT)
    assert [names(message) for message in told(twin)] == [["Wim"]], "one person, however many connections"
    wim.hang_up()
    inn.advance(MOMENT)
    assert told(ann) == []


def test_whoever_sits_down_watches_no_longer(inn: Inn) -> None:
    table, (ann,) = sitting(inn, "Ann")
    (wim,) = watching(inn, table, "Wim")
    inn.advance(MOMENT)
    ann.read()
    wim.sure("sit", table=table)
    inn.advance(MOMENT)
    assert [names(message) for message in told(ann)] == [[]]
    wim.sure("leave", table=table)
    inn.advance(MOMENT)
    assert [names(message) for message in told(ann)] == [["Wim"]]


def test_a_look_in_passing_is_not_watching(inn: Inn) -> None:
    table, (ann,) = sitting(inn, "Ann")
    (wim,) = watching(inn, table, "Wim", glance=True)
    inn.advance(MOMENT)
    assert told(ann) == told(wim) == []
    wim.sure("watch", table=table, since=0)
    inn.advance(MOMENT)
    assert [names(message) for message in told(ann)] == [["Wim"]]
    wim.read()
    wim.sure("watch", table=table, since=inn.hall.live[table].table.seq, glance=True)
    inn.advance(MOMENT)
    assert [names(message) for message in told(ann)] == [[]]
    assert told(wim) == []
    ann.sure("say", table=table, text="Anyone?")
    assert [message["type"] for message in wim.read()] == ["events"], "the board is followed all the same"


def test_a_new_name_is_told(inn: Inn) -> None:
    table, (ann,) = sitting(inn, "Ann")
    (wim,) = watching(inn, table, "Wim")
    inn.advance(MOMENT)
    ann.read()
    person = inn.people.people[wim.person]
    inn.web.renamed(type(person)(person.id, "Willem", False, person.created, person.last_seen, 1))
    inn.advance(MOMENT)
    assert [names(message) for message in told(ann)] == [["Willem"]]


def test_watchers_come_along_to_the_rematch(inn: Inn) -> None:
    table, people = sitting(inn, "Ann Bob Cyd")
    wim, _ = watching(inn, table, "Wim"), watching(inn, table, "Gus", glance=True)
    for number, tile in enumerate((0, 8, 16, 1, 9, 17, 2)):
        people[number % 3].sure("act", table=table, action={"type": "place", "tile": tile})
    inn.advance(MOMENT)
    for person in people:
        person.read()
        person.sure("rematch", table=table)
    after = inn.load(table).table.successor
    inn.advance(MOMENT)
    (heard,) = (message for message in told(people[0]) if message["table"] == after)
    assert names(heard) == ["Wim"]
    assert [message["table"] for message in told(wim[0])][-1] == after


def test_of_a_crowd_not_all_are_named(inn: Inn) -> None:
    table, (ann,) = sitting(inn, "Ann")
    watching(inn, table, *(f"Wim {number}" for number in range(MOST_NAMED + 5)))
    inn.advance(MOMENT)
    (heard,) = told(ann)
    assert (heard["count"], len(heard["people"])) == (MOST_NAMED + 5, MOST_NAMED)
    assert heard["people"][0]["name"] == "Wim 0"


def test_watchers_leave_no_trace(inn: Inn) -> None:
    table, (_ann,) = sitting(inn, "Ann")
    before = inn.bytes_of(table)
    (wim,) = watching(inn, table, "Wim")
    inn.advance(MOMENT)
    wim.hang_up()
    inn.advance(MOMENT)
    assert inn.bytes_of(table) == before
