"""Whoever may have to take over a hall knows its people ahead, and then exactly those who are stored."""

from collections.abc import Collection, Mapping, Sequence

import pytest
from hypothesis import given
from hypothesis import strategies as st

from gamut.hall.ids import Millis, PersonId
from gamut.hall.names.person_names import NameOfABot, NameResembles, name_key
from gamut.hall.people.ahead import PeopleAhead
from gamut.hall.people.person import PersonRow
from gamut.hall.store.storage import LedgerError

BOT = "Casual bot"
HASHED = "$argon2id$v=19$m=19456,t=2,p=1$c2FsdA$aGFzaA"


def row(id: str, name: str, *, account: bool = True, epoch: int = 0) -> PersonRow:
    return PersonRow(
        id=PersonId(id),
        name=name,
        name_key=name_key(name),
        password=HASHED if account else None,
        created=Millis(1),
        last_seen=Millis(1),
        epoch=epoch,
    )


class Stored:
    """Implements `PeopleReader`."""

    def __init__(self, *rows: PersonRow) -> None:
        self.people = {each.id: each for each in rows}
        self.read: list[PersonId] = []

    def checksums(self) -> Mapping[PersonId, int]:
        return {id: hash(each) for id, each in self.people.items()}

    def rows(self, people: Collection[PersonId]) -> Sequence[PersonRow]:
        self.read += people
        return [self.people[id] for id in people if id in self.people]


def known(ahead: PeopleAhead, stored: Stored) -> None:
    index = ahead.index
    assert len(index) == len(stored.people)
    for id, each in stored.people.items():
        assert index.get(id) == each
        found = index.named(each.name_key)
        assert found is not None
        assert found.id == id
    assert index.guests == sum(each.password is None for each in stored.people.values())


def test_only_what_is_new_is_read() -> None:
    stored, ahead = Stored(row("1", "Ann"), row("2", "Bob")), PeopleAhead()
    ahead.catch_up(stored)
    stored.people[PersonId("2")] = row("2", "Bob", epoch=1)
    stored.people[PersonId("3")] = row("3", "Cem", account=False)
    stored.read.clear()
    ahead.catch_up(stored)
    assert sorted(stored.read) == ["2", "3"]
    known(ahead, stored)
    stored.read.clear()
    ahead.catch_up(stored)
    assert stored.read == []


def test_two_who_have_changed_names_have_them() -> None:
    stored, ahead = Stored(row("1", "Ann"), row("2", "Bob")), PeopleAhead()
    ahead.catch_up(stored)
    stored.people = {PersonId("1"): row("1", "Bob"), PersonId("2"): row("2", "Ann")}
    ahead.catch_up(stored)
    known(ahead, stored)


def test_names_that_look_alike_are_known_too() -> None:
    stored, ahead = Stored(row("1", "Ann")), PeopleAhead([BOT])
    ahead.catch_up(stored)
    with pytest.raises(NameResembles):
        ahead.index.check_looks("Аnn")  # noqa: RUF001 - with a Cyrillic letter
    with pytest.raises(NameOfABot):
        ahead.index.check_looks(BOT)
    stored.people.clear()
    ahead.catch_up(stored)
    ahead.index.check_looks("Ann")


def test_a_store_that_fails_in_between_is_caught_up_with_later() -> None:
    stored, ahead = Stored(row("1", "Ann")), PeopleAhead()
    ahead.catch_up(stored)
    stored.people[PersonId("1")] = row("1", "Anna")
    rows = stored.rows

    def away(people: Collection[PersonId]) -> Sequence[PersonRow]:
        raise LedgerError("away")

    vars(stored)["rows"] = away
    with pytest.raises(LedgerError, match="away"):
        ahead.catch_up(stored)
    vars(stored)["rows"] = rows
    ahead.catch_up(stored)
    known(ahead, stored)


Change = tuple[int, int, bool]


@given(
    st.lists(st.lists(st.tuples(st.integers(0, 5), st.integers(0, 5), st.booleans()), max_size=6), max_size=5)
)
def test_whatever_has_happened_everybody_is_known_who_is_stored(rounds: list[list[Change]]) -> None:
    stored, ahead = Stored(), PeopleAhead()
    for changes in rounds:
        for number, name, account in changes:
            id = PersonId(str(number))
            if any(each.name == f"P{name}" and each.id != id for each in stored.people.values()):
                stored.people.pop(id, None)
            else:
                stored.people[id] = row(id, f"P{name}", account=account)
        ahead.catch_up(stored)
        known(ahead, stored)
