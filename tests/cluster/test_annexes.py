"""An annex and the main wing of a hall know what they have to know of each other, whichever of them dies."""

import asyncio
from collections.abc import Mapping
from functools import partial
from typing import Any

import msgspec
import pytest
from msgspec.structs import replace
from tests.cluster.support.annexed import AnnexedTown, AnnexNode, annexed, opening_for_two
from tests.hall.support.inmemory import MemoryStorage
from tests.hall.support.townsfolk import PASSWORD

from gamut.cluster.annex_feed import PIECE
from gamut.cluster.distant_session import MOST_BYTES
from gamut.doors.annex import from_annex as f
from gamut.doors.annex.session import AnnexSession
from gamut.doors.offer import Newcomer
from gamut.doors.registry import all_doors
from gamut.hall.ids import Millis, PersonId, Slot, TableId, TableIds
from gamut.hall.live.live_table import LiveTable
from gamut.hall.lobby.summary import Summary, summaries_from
from gamut.hall.people.person import NotStored
from gamut.hall.table import commands as c

ANN, BOB = PersonId("Ann"), PersonId("Bob")


def annex_of(place: AnnexedTown) -> AnnexNode:
    assert place.annex is not None
    return place.annex


def lost(place: AnnexedTown) -> None:
    """The main wing notices that nobody is there."""
    place.kill_annex()
    place.advance(3)


def told(annex: AnnexNode) -> Any:
    """The lobby of the annex, as it is written."""
    return written(annex.hall.lobby.tables)


def written(tables: Mapping[TableId, Summary]) -> Any:
    return msgspec.json.decode(msgspec.json.encode(tables))


# Tables


def test_a_table_of_the_annex_is_in_the_lobby_of_the_main_wing() -> None:
    with annexed() as place:
        annex = annex_of(place)
        live = annex.table("Ann")
        assert written(place.shown()) == told(annex)
        annex.sit(live, "Bob")
        shown = place.shown()[live.id]
        assert shown.phase == "playing"
        assert place.seats_of("Ann") == place.seats_of("Bob") == [live.id]
        annex.do(live, c.Resign(ANN))
        assert place.shown()[live.id].phase == "over"
        assert place.seats_of("Ann") == []
        assert shown.id not in place.main.hall.register.unfinished, "it is no table of the main wing"


def test_a_table_that_is_called_off_is_shown_no_more() -> None:
    with annexed() as place:
        live = annex_of(place).table("Ann")
        annex_of(place).do(live, c.CallOff(ANN))
        assert place.shown() == {}
        assert place.seats_of("Ann") == []


def test_whoever_follows_the_lobby_hears_of_the_annex() -> None:
    with annexed() as place:
        person = place.wait_for(place.main.people.guest("Eve"))
        client = place.visitor(person)
        client.ask("lobby")
        live = annex_of(place).table("Ann")
        (news,) = [said for said in client.read() if said["type"] == "lobby_changed"]
        assert [table["id"] for table in news["changed"]] == [live.id]


def test_of_a_private_table_only_its_people_are_told() -> None:
    with annexed() as place:
        ann = place.wait_for(place.main.people.guest("Ann"))
        live = annex_of(place).table(ann.id, private=True)
        assert place.shown() == {}
        assert place.seats_of(ann.id) == [live.id]
        welcome = place.visitor(ann).read()[0]
        assert welcome["tables"] == [live.id]


def test_a_deserted_table_is_marked_in_the_main_wing() -> None:
    with annexed() as place:
        annex = annex_of(place)
        live = annex.table("Ann", "Ann", "Bob")
        place.run(lambda: annex.hall.lobby.desert(live.id))
        place.advance(0.3)
        assert place.shown()[live.id].deserted
        place.run(lambda: annex.hall.lobby.revive(live.id))
        place.advance(0.3)
        assert not place.shown()[live.id].deserted


def test_nothing_is_told_before_it_is_stored() -> None:
    with annexed() as place:
        place.kill_annex()
        annex = place.open_annex(held=True)
        live = annex.table("Ann")
        assert place.shown() == {}
        assert place.seats_of("Ann") == []
        place.run(annex.committer.release_all)  # type: ignore[attr-defined]
        place.advance(0.3)
        assert list(place.shown()) == place.seats_of("Ann") == [live.id]


def test_what_is_not_of_that_wing_is_not_believed() -> None:
    with annexed() as place:
        annex = annex_of(place)
        own = place.run(lambda: place.main.house.open(opening_for_two(), "Eve", "Eve"))
        annex.table("Ann")
        foreign = replace(summary(annex), id=own.id, phase="over")
        told = f.Told([foreign], [own.id, TableId("made-up")], [f.Somebody(ANN, False, [own.id])])
        place.run(lambda: annex.feed._session.text(f.encode(told)))
        place.settle()
        assert place.shown()[own.id].phase == "setup"
        assert place.seats_of("Ann") == []
        assert place.main.hall.refusals["annex_foreign_table"] == 4


def summary(annex: AnnexNode) -> Summary:
    """Of the last table that was opened there."""
    return list(annex.hall.lobby.tables.values())[-1]


STRANGERS = {
    "the main wing": [f.encode(f.Hello(0, 2, 9))],
    "no wing": [f.encode(f.Hello(2, 2, 9))],
    "of another hall": [f.encode(f.Hello(1, 3, 9))],
    "an owner that was ended": [f.encode(f.Hello(1, 2, 0))],
    "nobody": [f.encode(f.AllFollows()), f.encode(f.ThatWasAll())],
    "two": [f.encode(f.Hello(1, 2, 1)), f.encode(f.Hello(1, 2, 1))],
    "empty": [b""],
    "garbage": [b"\xc1\xff"],
    "text": [b'{"type":"hello"}'],
    "no utf-8": [b"\x81\xa4type\xa5\xff\xfe\xfd\xfc\xfb"],
    "more than is read": [bytes(70_000)],
}


@pytest.mark.parametrize("said", STRANGERS.values(), ids=STRANGERS)
def test_only_an_annex_of_this_hall_is_heard(said: list[bytes]) -> None:
    with annexed() as place:
        annex = annex_of(place)
        wire = Recorded()
        session = place.run(lambda: annex.gateway.session("annex", wire, Newcomer("annex")))
        place.run(session.opened)
        for each in said:
            place.run(partial(session.text, each))
        place.settle()
        assert wire.is_closed
        place.advance(1)
        assert annex.table("Ann").id in place.shown(), "the real one is"


@pytest.mark.parametrize("said", [b"\0\0\0\1", b"\0\0\0\2\xc1\xc1", b"\xff" * 9])
def test_an_annex_that_does_not_understand_the_main_wing_begins_anew(said: bytes) -> None:
    with annexed() as place:
        annex = annex_of(place)
        wire = annex.feed._wire
        assert wire is not None
        place.run(lambda: wire.write(said))
        place.advance(1)
        assert annex.feed._wire not in (None, wire)
        assert annex.table("Ann").id in place.shown()


class Recorded:
    """A wire that says only whether it was closed."""

    def __init__(self) -> None:
        self.pending = self.queued = 0
        self.is_closed = False

    def write(self, data: bytes) -> None:
        pass

    def close(self, code: int, reason: str) -> None:
        self.is_closed = True

    def drop(self) -> None:
        self.is_closed = True

    fail = drop


def test_no_gateway_has_an_entrance_for_annexes() -> None:
    assert "annex" not in {kind.name for kind in all_doors()}


# Many


def test_a_snapshot_of_many_tables_goes_in_bounded_pieces(monkeypatch: pytest.MonkeyPatch) -> None:
    sizes: list[int] = []

    def spy(data: bytes) -> f.FromAnnex:
        sizes.append(len(data))
        return f.parsed(data)

    with annexed() as place:
        annex = annex_of(place)
        annex.table("Ann")
        model = summary(annex)
        fill(place, annex, model, 20_000)
        place.advance(2)
        assert len(place.shown()) == 20_001
        place.kill()
        monkeypatch.setattr(AnnexSession, "parsed", staticmethod(spy))
        place.open()
        place.advance(5)
        assert written(place.shown()) == told(annex)
        assert sum(sizes) > 20_000 * 100
        assert max(sizes) < PIECE + 4_096


def fill(place: AnnexedTown, annex: AnnexNode, model: Summary, many: int) -> None:
    ids, now = TableIds(), annex.time.now()

    def show() -> None:
        for _ in range(many):
            annex.hall.lobby.show(replace(model, id=ids.new(now, Slot(1))))

    place.run(show)


def test_what_cannot_be_told_does_not_pile_up() -> None:
    with annexed() as place:
        annex = annex_of(place)
        annex.table("Ann")
        fill(place, annex, summary(annex), 300)
        place.kill()
        for time in range(100):
            for shown in tuple(annex.hall.lobby.tables.values()):
                annex.hall.lobby.show(replace(shown, changed=Millis(time)))
            place.run(lambda: annex.hall.arrived(BOB, "127.0.0.1"))
            place.advance(0.2)
            place.run(lambda: annex.hall.gone(BOB))
            place.advance(0.2)
        assert annex.gateway.waiting_bytes() < MOST_BYTES + 2 * PIECE
        assert len(annex.feed._untold) <= 302
        place.open()
        place.advance(2)
        assert written(place.shown()) == told(annex)


# People


def test_whoever_is_connected_to_both_counts_once() -> None:
    with annexed() as place:
        people = place.main.people
        ann, bob = place.wait_for(people.guest("Ann")), place.wait_for(people.guest("Bob"))
        home, part = place.visitor(ann), annex_of(place).comes(ann)
        assert place.main.hall.people_here == 1
        alone = annex_of(place).comes(bob)
        assert place.main.hall.people_here == 2
        home.hang_up()
        assert place.main.hall.people_here == 2
        place.run(part.closed)
        place.advance(0.3)
        assert place.main.hall.people_here == 1
        place.run(alone.closed)
        place.advance(0.3)
        assert place.main.hall.people_here == 0
        assert list(place.main.hall.annexes.connected) == []


def test_the_lobby_says_how_many_are_in_all_wings() -> None:
    with annexed() as place:
        people = place.main.people
        ann, bob = place.wait_for(people.guest("Ann")), place.wait_for(people.guest("Bob"))
        client = place.visitor(ann)
        client.ask("lobby")
        annex_of(place).comes(bob)
        assert [said["here"] for said in client.read() if said["type"] == "lobby_changed"] == [2]


def test_who_stays_connected_to_an_annex_is_seen() -> None:
    with annexed() as place:
        ann = place.wait_for(place.main.people.guest("Ann"))
        annex_of(place).comes(ann)
        place.advance(130)
        person = place.main.people.person(ann.id)
        assert person is not None
        assert person.last_seen >= ann.last_seen + 100_000


def test_a_new_name_is_known_in_the_annex_and_at_its_doors() -> None:
    with annexed() as place:
        people, annex = place.main.people, annex_of(place)
        ann = place.wait_for(people.guest("Ann"))
        session = annex.comes(ann)
        live = annex.table(ann.id)
        place.wait_for(people.rename(ann.id, "Anna"))
        assert session.known.name == "Anna"
        assert annex.people.by_name("Anna") == people.person(ann.id)
        assert annex.people.by_name("Ann") is None
        place.advance(0.3)
        (holder,) = [holder for holder in place.shown()[live.id].seats if holder is not None]
        assert holder.name == "Anna"


def test_whoever_logs_out_everywhere_is_logged_out_in_the_annex() -> None:
    with annexed() as place:
        people, annex = place.main.people, annex_of(place)
        ann = place.wait_for(people.register("Ann", PASSWORD))
        assert annex.people.are_valid(ann.credentials), "new people are known at once"
        session = annex.comes(ann)
        place.wait_for(people.log_out_everywhere(ann.id))
        assert session.is_deaf
        assert not annex.people.are_valid(ann.credentials)


def test_the_name_of_an_account_is_taken_in_the_annex_too() -> None:
    with annexed() as place:
        people, annex = place.main.people, annex_of(place)
        guest = place.wait_for(people.guest("Ann"))
        annex.people.check_unregistered("Ann")
        place.wait_for(people.register("Ann", PASSWORD, guest.id))
        with pytest.raises(Exception, match="name"):
            annex.people.check_unregistered("Ann")


def test_what_was_lost_on_the_way_is_read_from_the_store() -> None:
    with annexed() as place:
        people, annex = place.main.people, annex_of(place)
        ann, bob = place.wait_for(people.guest("Ann")), place.wait_for(people.guest("Bob"))
        first, second = annex.comes(ann), annex.comes(bob)
        # Nobody says so, as when an owner dies in between.
        place.store.rows[ann.id] = replace(place.store.rows[ann.id], name="Anna", name_key="anna")
        del place.store.rows[bob.id]
        place.advance(61)
        assert first.known.name == "Anna"
        assert second.is_deaf
        assert annex.people.person(bob.id) is None


def test_what_was_lost_with_an_owner_of_the_main_wing_is_read_when_there_is_another() -> None:
    with annexed() as place:
        ann = place.wait_for(place.main.people.guest("Ann"))
        session = annex_of(place).comes(ann)
        place.kill()
        place.store.rows[ann.id] = replace(place.store.rows[ann.id], name="Anna", name_key="anna")
        place.open()
        place.advance(2)
        assert session.known.name == "Anna"


# Deleting somebody


def test_whoever_deletes_themself_leaves_no_name_in_either_wing() -> None:
    with annexed() as place:
        people, annex = place.main.people, annex_of(place)
        ann = place.wait_for(people.guest("Ann"))
        session = annex.comes(ann)
        there = annex.table(ann.id)
        here = place.run(lambda: place.main.house.open(opening_for_two(), ann.id, ann.id))
        deleted(place, people.delete(ann.id))
        assert session.is_deaf
        assert annex.people.person(ann.id) is None
        for storage, table in ((place.annex_storage, there), (place.storage, here)):
            assert is_nameless(storage, table)


def is_nameless(storage: MemoryStorage, live: LiveTable) -> bool:
    """Whether the only one who has ever sat there is somebody who was deleted."""
    (sat,) = [row.body for row in storage.rows[live.id] if b'"sat"' in row.body]
    return b'"name":"A former player"' in sat


def deleted(place: AnnexedTown, deleting: Any) -> None:
    """It takes a thread that stores people, and time."""

    async def once() -> None:
        await asyncio.sleep(0.001)

    doing = asyncio.ensure_future(deleting, loop=place._loop)
    for _ in range(2_000):
        if doing.done():
            break
        place.settle()
        place._loop.run_until_complete(once())
    place.settle()
    doing.result()


def test_nobody_is_deleted_while_an_annex_is_away() -> None:
    with annexed() as place:
        people = place.main.people
        ann = place.wait_for(people.guest("Ann"))
        lost(place)
        doing = asyncio.ensure_future(people.delete(ann.id), loop=place._loop)
        place.advance(9.8)
        assert not doing.done()
        place.advance(0.4)
        with pytest.raises(NotStored):
            doing.result()
        assert people.person(ann.id) is not None
        place.open_annex()
        deleted(place, people.delete(ann.id))
        assert people.person(ann.id) is None


def test_an_annex_that_comes_back_in_time_is_asked_once_more() -> None:
    with annexed() as place:
        people = place.main.people
        ann = place.wait_for(people.guest("Ann"))
        table = annex_of(place).table(ann.id)
        lost(place)
        doing = asyncio.ensure_future(people.delete(ann.id), loop=place._loop)
        place.settle()
        place.open_annex()
        deleted(place, doing)
        assert people.person(ann.id) is None
        assert is_nameless(place.annex_storage, table)


def test_whoever_is_being_deleted_is_nobody_in_an_annex_until_that_is_refused() -> None:
    with annexed() as place:
        people, annex = place.main.people, annex_of(place)
        ann = place.wait_for(people.guest("Ann"))
        session = annex.comes(ann)
        refused: asyncio.Future[None] = place._loop.create_future()

        async def eraser(person: PersonId) -> None:
            await refused

        people.erasers.append(eraser)
        doing = asyncio.ensure_future(people.delete(ann.id), loop=place._loop)
        place.advance(0.5)
        assert session.is_deaf
        assert not people.are_valid(ann.credentials)
        assert not annex.people.are_valid(ann.credentials), "nobody goes on there as them"
        refused.set_exception(NotStored())
        place.advance(0.5)
        with pytest.raises(NotStored):
            doing.result()
        assert people.are_valid(ann.credentials)
        assert annex.people.are_valid(ann.credentials)


def test_what_somebody_does_who_was_not_deleted_in_time_is_taken_out_when_they_ask_again(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    with annexed() as place:
        people, annex = place.main.people, annex_of(place)
        ann = place.wait_for(people.guest("Ann"))
        annex.table(ann.id)
        answers: asyncio.Future[None] = place._loop.create_future()
        run_blocking = annex.hall.run_blocking

        async def slow(call: Any, *args: Any) -> Any:
            found = await run_blocking(call, *args)
            if call == annex.hall.storage.tables_of:
                await answers
            return found

        monkeypatch.setattr(annex.hall, "run_blocking", slow)
        doing = asyncio.ensure_future(people.delete(ann.id), loop=place._loop)
        place.advance(10.5)
        with pytest.raises(NotStored):
            doing.result()
        annex.comes(ann)
        table = annex.table(ann.id)
        doing = asyncio.ensure_future(people.delete(ann.id), loop=place._loop)
        place.advance(0.5)
        answers.set_result(None)
        deleted(place, doing)
        assert is_nameless(place.annex_storage, table)


@pytest.mark.faults("erase")
def test_an_annex_that_cannot_erase_somebody_says_so(monkeypatch: pytest.MonkeyPatch) -> None:
    with annexed() as place:
        people, annex = place.main.people, annex_of(place)
        ann = place.wait_for(people.guest("Ann"))

        def fails(*args: Any) -> Any:
            raise RuntimeError("no such column")

        monkeypatch.setattr(annex.hall.storage, "tables_of", fails)
        with pytest.raises(NotStored):
            deleted(place, people.delete(ann.id))
        monkeypatch.undo()
        deleted(place, people.delete(ann.id))


# Takeovers


def test_the_next_owner_of_the_main_wing_knows_all_again() -> None:
    with annexed() as place:
        ann = place.wait_for(place.main.people.guest("Ann"))
        annex = annex_of(place)
        annex.comes(ann)
        public, private = annex.table(ann.id), annex.table(ann.id, private=True)
        place.kill()
        annex.sit(public, "Bob")
        place.open()
        place.advance(2)
        assert list(place.shown()) == [public.id]
        assert written(place.shown()) == told(annex)
        assert place.seats_of(ann.id) == sorted([public.id, private.id])
        assert place.main.hall.people_here == 1
        later = annex.table("Cem")
        assert later.id in place.shown()
        assert place.main.owner.taken_up == 1, "the line goes on, and is not begun anew"


def test_tables_of_an_annex_without_an_owner_are_shown_as_they_were() -> None:
    with annexed() as place:
        ann = place.wait_for(place.main.people.guest("Ann"))
        annex = annex_of(place)
        annex.comes(ann)
        live = annex.table(ann.id)
        before = place.shown()
        lost(place)
        assert place.main.hall.people_here == 1, "another owner may take over"
        place.advance(11)
        assert place.shown() == before
        assert place.seats_of(ann.id) == [live.id]
        assert place.main.hall.people_here == 0


def test_an_annex_that_is_lost_once_more_may_come_back_as_late() -> None:
    with annexed() as place:
        ann = place.wait_for(place.main.people.guest("Ann"))
        annex = annex_of(place)
        annex.comes(ann)
        for connected, seconds in ((False, 7), (True, 2), (False, 7)):
            annex.gateway._bus.connected = connected
            place.advance(seconds)
        assert place.main.hall.people_here == 1
        place.advance(7)
        assert place.main.hall.people_here == 0


def test_the_next_owner_of_an_annex_corrects_everything() -> None:
    with annexed() as place:
        ann = place.wait_for(place.main.people.guest("Ann"))
        annex = annex_of(place)
        annex.comes(ann)
        stays, ends = annex.table("Ann"), annex.table("Bob")
        lost(place)
        # As if its owner had done that, and died before anybody was told.
        entry = place.annex_storage.entries[ends.id]
        place.annex_storage.entries[ends.id] = replace(entry, phase="over")
        next_one = place.open_annex()
        assert written(place.shown()) == told(next_one)
        assert list(place.shown()) == [stays.id]
        assert place.seats_of("Bob") == []
        assert place.main.hall.people_here == 0


def test_an_owner_that_was_ended_has_no_say_any_more() -> None:
    with annexed() as place:
        old = annex_of(place)
        live = old.table("Ann")
        new = place.open_annex(number=7)
        assert list(place.shown()) == [live.id]
        place.run(lambda: old.hall.lobby.hide(live.id))
        place.run(lambda: old.house.advance(300))
        place.advance(3)
        assert list(place.shown()) == [live.id]
        assert [line.node for line in place.main.hall.annexes.lines] == [7]
        assert new.table("Bob").id in place.shown()


def test_a_link_that_breaks_costs_nothing() -> None:
    with annexed() as place:
        annex = annex_of(place)
        first = annex.table("Ann")
        annex.gateway._bus.connected = False
        second = annex.table("Bob")
        place.advance(3)
        annex.gateway._bus.connected = True
        place.advance(3)
        assert set(place.shown()) == {first.id, second.id}


def test_notes_of_its_tables_show_an_annex_before_it_says_anything() -> None:
    with annexed() as place:
        annex = annex_of(place)
        public, private = annex.table("Ann"), annex.table("Bob", private=True)
        place.kill()
        annex.gateway._bus.connected = False
        games, entries = annex.hall.games, place.annex_storage.entries.values()
        place.noted = summaries_from(games, entries, place.annex_storage.damage)
        place.open()
        assert list(place.shown()) == [public.id]
        assert place.seats_of("Ann") == [public.id]
        assert place.seats_of("Bob") == [private.id]
        news: list[Any] = []
        place.main.hall.lobby.tell_now()
        place.main.hall.lobby.on_news.append(lambda told: news.extend((*told.changed, *told.gone)))
        annex.gateway._bus.connected = True
        place.advance(2)
        assert place.main.hall.annexes.lines, "it has said everything"
        assert news == [], "and nobody need hear it again"
