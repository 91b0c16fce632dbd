"""What somebody may not know never leaves the process toward them: hidden cards, keys, private tables."""

from random import Random
from typing import Any

import msgspec
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from msgspec.structs import replace
from tests.doors.support.inn import Guest, Inn, inn
from tests.doors.web.test_tables import place, sitting
from tests.games.support.parlour import swap_secrets

from gamut.hall.ids import TableId
from gamut.hall.table import events as e
from gamut.hall.table.seats import Sitter
from gamut.hall.table.without import chain

NAMES = ("Ann", "Bob", "Cyd")


def names_of(house: Inn, table: TableId) -> dict[int, str]:
    seats = house.load(table).table.seats
    return {number: holder.name for number, holder in enumerate(seats) if isinstance(holder, Sitter)}


def play_cards(house: Inn, table: TableId, chance: Random, actions: int, *, to_the_end: bool = True) -> None:
    """So many actions chosen at random, with talk and lost connections in between."""
    for _ in range(actions):
        live = house.load(table)
        state = live.whole.state
        last = state.chooser is not None and not any(state.hands)
        if live.table.phase == "over" or (last and not to_the_end):
            return
        seat = chance.choice(live.game.awaited(live.whole.state))
        action = chance.choice(live.game.legal(live.whole.state, seat))
        guest = house.guest(names_of(house, table)[seat])
        guest.sure("act", table=table, action=msgspec.to_builtins(action))


def face_up(message: Any, seat: int | None) -> None:
    """Nothing in a message shows a card that this seat may not see."""
    if isinstance(message, list):
        for part in message:
            face_up(part, seat)
    if not isinstance(message, dict):
        return
    if message.get("type") in ("dealt", "laid", "traded") and message["seat"] != seat:
        cards = [*message.get("cards", ()), *(message.get(name, 0) for name in ("card", "gave", "drew"))]
        assert not any(cards), message
    for name in ("hands", "laid"):
        for number, cards in enumerate(message.get(name, ())):
            if number != seat:
                assert not any(cards if isinstance(cards, list) else [cards]), message
    for part in message.values():
        face_up(part, seat)


@settings(max_examples=100, deadline=None)
@given(seed=st.integers(0, 2**32), actions=st.integers(0, 16))
def test_no_hidden_card_is_ever_sent(seed: int, actions: int) -> None:
    chance = Random(seed)
    with inn(seed=seed) as house:
        table, players = sitting(house, "Ann Bob Cyd", "parlour", options={"hand": 4})
        watcher = house.guest("Wim")
        watcher.sure("watch", table=table)
        play_cards(house, table, chance, actions, to_the_end=False)
        seats: list[tuple[Guest, int | None]] = [*zip(players, range(3), strict=True), (watcher, None)]
        for guest, seat in seats:
            heard = guest.read()
            heard += guest.sure("watch", table=table) + guest.sure("watch", table=table, since=0)
            heard += guest.sure("legal", table=table)
            face_up(heard, seat)
            own = [
                event
                for message in heard
                for event in message.get("events", ())
                if event["type"] == "started"
            ]
            assert own, "the deal itself is told"


def asked_for_everything(house: Inn, table: TableId, name: str) -> bytes:
    """All that somebody can get out of the web door about a table."""
    guest = house.guest(name)
    guest.sure("watch", table=table)
    guest.sure("watch", table=table, since=0)
    guest.sure("legal", table=table)
    guest.sure("unwatch", table=table)
    guest.sure("watch", table=table)
    return guest.raw


@settings(max_examples=100, deadline=None)
@given(seed=st.integers(0, 2**32), actions=st.integers(0, 16), viewer=st.sampled_from([0, 1, 2, None]))
def test_two_games_that_look_the_same_are_the_same_bytes(seed: int, actions: int, viewer: int | None) -> None:
    """Change what the viewer never saw, and not a byte that reaches them changes."""
    chance = Random(seed)
    with inn(seed=seed) as house:
        table, _ = sitting(house, "Ann Bob Cyd", "parlour")
        play_cards(house, table, chance, actions, to_the_end=False)
        name = "Wim" if viewer is None else names_of(house, table)[viewer]
        house.guest(name)
        live = house.load(table)
        log, entry = list(live.whole_log), house.storage.entries[table]
        house.restart()
        told = asked_for_everything(house, table, name)

    with inn(seed=seed) as twin:
        twin.people.people = dict(house.people.people)
        twin.storage.append(chain(table, _swapped(log, viewer, chance)), [entry])
        twin.restart()
        assert asked_for_everything(twin, table, name) == told


def _swapped(log: list[Any], viewer: Any, chance: Random) -> list[Any]:
    happened = [inner for event in log for inner in getattr(event, "events", ())]
    retold = iter(swap_secrets(happened, viewer, chance))
    return [
        replace(event, events=tuple(next(retold) for _ in event.events))
        if type(event) in (e.Started, e.Played)
        else event
        for event in log
    ]


def test_who_leaves_the_table_sees_no_more_than_a_watcher(inn: Inn) -> None:
    table, (ann, *_) = sitting(inn, "Ann Bob Cyd", "parlour")
    play_cards(inn, table, Random(1), 3)
    ann.sure("leave", table=table)
    face_up(ann.sure("watch", table=table), None)
    face_up(ann.sure("watch", table=table, since=0), None)


# Private tables


@pytest.mark.parametrize("key", [None, "", "wrong", "x" * 64])
def test_a_private_table_opens_only_with_its_key(inn: Inn, key: str | None) -> None:
    table, (ann,) = sitting(inn, "Ann", private=True)
    right = inn.hall.live[table].table.key
    bob = inn.guest("Bob")
    fields = {} if key is None else {"key": key}
    before = inn.bytes_of(table)
    assert bob.refused("watch", table=table, **fields) == "no_such_table"
    assert bob.refused("watch", table=table, since=0, **fields) == "no_such_table"
    assert bob.refused("sit", table=table, **fields) == "no_such_table"
    told = [bob.ask("watch", table=asked, **fields)[0]["message"] for asked in (table, "nosuchtable")]
    assert told[0] == told[1], "nobody can find out that there is such a table"
    for kind, more in (
        ("say", {"text": "let me in", "room": "kibitz"}),
        ("legal", {}),
        ("unwatch", {}),
        ("act", {"action": place(0)}),
        ("leave", {}),
        ("ready", {}),
        ("start", {}),
        ("bot", {"level": "casual"}),
        ("configure", {"private": False}),
        ("resign", {}),
        ("rematch", {}),
    ):
        assert bob.refused(kind, table=table, **more) == "no_such_table", "for strangers it does not exist"
    assert inn.bytes_of(table) == before
    assert right.encode() not in bob.raw
    assert b"Ann" not in bob.raw.replace(ann.person.encode(), b"")
    (picture,) = bob.sure("watch", table=table, key=right)
    assert "key" not in picture, "a watcher may look, but not pass it on"
    bob.sure("sit", table=table, key=right)
    assert bob.sure("watch", table=table)[0]["key"] == right
    bob.hang_up()
    inn.guest("Bob").sure("watch", table=table)


def test_the_key_is_for_those_who_sit_there(inn: Inn) -> None:
    table, (ann,) = sitting(inn, "Ann")
    key = inn.hall.live[table].table.key
    watcher = inn.guest("Wim")
    watcher.sure("lobby")
    watcher.sure("watch", table=table)
    watcher.sure("watch", table=table, since=0)
    inn.advance(1000)
    assert key.encode() not in watcher.raw
    assert key.encode() in ann.raw
    ann.sure("configure", table=table, private=True)
    bob = inn.guest("Bob")
    bob.sure("sit", table=table, key=key)
    assert key.encode() in bob.raw


def test_a_private_table_is_not_in_the_lobby_and_its_rematch_neither(inn: Inn) -> None:
    watcher = inn.guest("Wim")
    watcher.sure("lobby")
    table, people = sitting(inn, "Ann Bob Cyd", private=True)
    for number, tile in enumerate((0, 8, 16, 1, 9, 17, 2)):
        people[number % 3].sure("act", table=table, action=place(tile))
    for person in people:
        person.sure("rematch", table=table)
    following = next(iter(people[0].session.following))
    inn.advance(1000)
    assert following != table
    for secret in (table, following):
        assert secret.encode() not in watcher.raw
        assert watcher.refused("watch", table=secret) == "no_such_table"
    assert inn.hall.live[following].table.private


def test_a_link_to_a_private_table_opens_the_rematch_as_well(inn: Inn) -> None:
    table, people = sitting(inn, "Ann Bob Cyd", private=True)
    key = inn.hall.live[table].table.key
    watcher, late = inn.guest("Wim"), inn.guest("Lou")
    watcher.sure("watch", table=table, key=key)
    for number, tile in enumerate((0, 8, 16, 1, 9, 17, 2)):
        people[number % 3].sure("act", table=table, action=place(tile))
    for person in people:
        person.sure("rematch", table=table)
    following = next(iter(people[0].session.following))
    assert following in watcher.session.following
    watcher.hang_up()
    assert inn.guest("Wim").refused("watch", table=following) == "no_such_table"
    for back in (inn.guest("Wim"), late):
        back.sure("watch", table=following, key=key)


def test_whoever_played_at_a_private_table_may_look_at_that_game_after_getting_up(inn: Inn) -> None:
    table, people = sitting(inn, "Ann Bob Cyd", private=True)
    for number, tile in enumerate((0, 8, 16, 1, 9, 17, 2)):
        people[number % 3].sure("act", table=table, action=place(tile))
    people[1].sure("leave", table=table)
    people[1].hang_up()
    inn.guest("Bob").sure("watch", table=table)
    assert inn.guest("Wim").refused("watch", table=table) == "no_such_table"
