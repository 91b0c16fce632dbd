"""Names that some door shows alike count as alike where names are compared, whatever its clients cannot be told."""

from collections.abc import Callable

import msgspec
import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.doors.support.inn import Inn
from tests.hall.support.townsfolk import PASSWORD, Clock, MemoryStore, with_people

from gamut.doors.powerchess import names as powerchess
from gamut.doors.tafl import to_client as tafl
from gamut.doors.tower.to_client import player_joined
from gamut.games.game import Seat
from gamut.hall.names.lookalikes import looks
from gamut.hall.names.person_names import NameRefused, NameResembles, clean_name
from gamut.hall.people.people import People


def _tower(name: str) -> str:
    message = msgspec.json.decode(player_joined(name, Seat(0))[2:])
    # A page shows no spaces at the ends, and one where there are more.
    return " ".join(message["data"]["name"].split())


SHOWN: dict[str, Callable[[str], str]] = {
    "tafl": tafl.shown,
    "powerchess": powerchess.shown,
    "tower": _tower,
}
names = st.text("aAlI1 |/<>()&\"'`\u0410\u00e9", min_size=1, max_size=8)


def cleaned(text: str) -> str | None:
    try:
        return clean_name(text)
    except NameRefused:
        return None


@pytest.mark.parametrize("door", SHOWN)
@given(text=names)
def test_a_name_looks_as_each_door_shows_it(door: str, text: str) -> None:
    name = cleaned(text)
    if name is not None:
        assert looks(name) & looks(SHOWN[door](name))


@pytest.mark.parametrize("door", SHOWN)
@given(text=names, marks=st.lists(st.tuples(st.integers(0, 8), st.sampled_from("|/<>()&\"'` ")), max_size=3))
def test_what_a_door_shows_alike_looks_alike(door: str, text: str, marks: list[tuple[int, str]]) -> None:
    other = text
    for place, mark in marks:
        other = other[:place] + mark + other[place + (door == "tafl") :]
    one, two = cleaned(text), cleaned(other)
    if one is not None and two is not None and SHOWN[door](one) == SHOWN[door](two):
        assert looks(one) & looks(two)


@pytest.mark.parametrize(
    ("account", "guest"),
    [("A/krcr", "A|krcr"), ("A|krcr", "A/krcr"), ("(Ann)", "<Ann>"), ("Anna", "' Anna"), ("A b", "A & b")],
)
def test_no_guest_is_shown_as_an_account_is(account: str, guest: str) -> None:
    async def story(people: People, store: MemoryStore, clock: Clock) -> None:
        await people.register(account, PASSWORD)
        with pytest.raises(NameResembles):
            await people.guest(guest)

    with_people(story)


def test_nobody_at_a_tower_is_shown_as_somebody_else_there_is(inn: Inn) -> None:
    inn.player().join("r1", "Anna Lisa")
    for name in ("' Anna Lisa", "Anna & Lisa"):
        (refused,) = inn.player().join("r1", name)
        assert refused["data"]["type"] == 1, "the name is taken"
