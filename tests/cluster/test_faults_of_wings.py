"""What `make cluster` makes of a hall of several wings: who is struck, who replaces whom, and where people play."""

from collections.abc import Sequence
from pathlib import Path
from types import SimpleNamespace
from typing import Any, cast

import pytest
from bench.cluster.figures import Figures, PausesByWing, table
from bench.cluster.node import Node
from bench.cluster.pair import Pair
from bench.cluster.wings import (
    InWing,
    Lookout,
    Played,
    in_wrong_wings,
    most,
    replaced,
    struck,
)
from bench.division import divided, wing_of
from bench.stores.database import Database
from bench.stores.stored import Stored
from tests.simulation.comparing import Readable

from gamut.hall.ids import SLOTS, Millis, Slot, TableId, TableIds
from gamut.hall.wings import MAIN

_NOW = Millis(1_700_000_000_000)
_THREE = divided(3)
_BEFORE = {0: InWing(1, "node 0"), 1: InWing(2, "node 1"), 2: InWing(3, "node 0")}


def _table_in(wing: int) -> TableId:
    return TableIds().new(_NOW, Slot(wing))


# Where people play


@pytest.mark.parametrize("wing", range(3))
def test_a_table_of_the_page_is_where_its_id_says(wing: int) -> None:
    assert wing_of(_THREE, "web", _table_in(wing)) == wing


@pytest.mark.parametrize("door", ["tower", "topple", "powerchess"])
def test_a_room_is_where_its_name_says(door: str) -> None:
    places = {wing_of(_THREE, door, f"{door} {number}") for number in range(SLOTS)}
    assert places == {0, 1, 2}
    # Names may be numbers, too.
    assert wing_of(_THREE, door, 17) == wing_of(_THREE, door, "17")


@pytest.mark.parametrize("door", ["tafl", "acquire"])
def test_tafl_and_acquire_are_played_in_the_main_wing(door: str) -> None:
    assert {wing_of(_THREE, door, f"game {number}") for number in range(SLOTS)} == {MAIN}


def test_who_plays_no_game_is_in_no_wing() -> None:
    assert wing_of(_THREE, "web", None) is None


def test_in_a_hall_that_is_not_divided_everybody_is_in_the_main_wing() -> None:
    assert wing_of(divided(1), "web", _table_in(2)) == MAIN
    assert wing_of(divided(1), "tower", "tower 1") == MAIN


def test_tables_are_counted_where_there_were_most_of_them() -> None:
    before = most([], [0, 0, 2, None], 3)
    assert before == [2, 0, 1]
    assert most(before, [0, 1, 1, None], 3) == [2, 2, 1]


# Who is struck, and who replaces whom


def test_a_node_that_is_struck_takes_all_its_wings_with_it() -> None:
    assert struck(_BEFORE, {"node 0"}) == {0, 2}
    assert struck(_BEFORE, {"gateway 1"}) == set()


def test_a_wing_is_replaced_when_another_run_of_a_node_has_it() -> None:
    now = {0: InWing(4, "node 2"), 1: InWing(2, "node 1"), 2: InWing(5, "node 0")}
    assert replaced(_BEFORE, now) == {0: 1, 2: 3}


def test_a_wing_that_nobody_has_is_not_replaced() -> None:
    assert replaced(_BEFORE, {1: InWing(2, "node 1")}) == {}


@pytest.fixture
def pair(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Pair:
    """Three nodes that live and have said nothing; the first one has the main wing, as it says."""
    monkeypatch.setattr(Node, "alive", True)
    database = cast(Database, SimpleNamespace(url="postgresql://nowhere"))
    pair = Pair(database, tmp_path, [(), (), ()], wings=3)
    pair.proxy.chosen = [0]
    return pair


def test_whoever_has_a_wing_may_be_struck(pair: Pair) -> None:
    pair.lookout.saw(_BEFORE)
    assert pair.owners == pair.nodes[:2]
    assert [pair.has_wing(node) for node in pair.nodes] == [True, True, False]


def test_all_is_well_when_each_wing_has_a_node_that_lives_and_the_others_stand_by(pair: Pair) -> None:
    pair.lookout.saw(_BEFORE)
    assert not pair.is_whole
    pair.nodes[2].stands_by = True
    assert pair.is_whole


@pytest.mark.parametrize("wing", range(3))
def test_all_is_not_well_while_a_wing_has_a_node_that_is_gone_or_none(pair: Pair, wing: int) -> None:
    for node in pair.nodes:
        node.stands_by = True
    pair.lookout.saw(_BEFORE | {wing: InWing(_BEFORE[wing].number, _BEFORE[wing].name, lives=False)})
    assert not pair.is_whole
    pair.lookout.saw({each: node for each, node in _BEFORE.items() if each != wing})
    assert not pair.is_whole


# When a wing is open again


def test_since_when_a_node_has_a_wing_is_when_it_was_seen_there_first(pair: Pair) -> None:
    lookout: Lookout = pair.lookout
    lookout.saw(_BEFORE)
    since = dict(lookout.since)
    lookout.saw(_BEFORE | {1: InWing(4, "node 2")})
    assert lookout.since[1] > since[1]
    assert {wing: lookout.since[wing] for wing in (0, 2)} == {wing: since[wing] for wing in (0, 2)}


def test_of_a_wing_that_moves_twice_after_a_fault_the_first_time_counts(pair: Pair) -> None:
    lookout: Lookout = pair.lookout
    lookout.saw(_BEFORE)
    before = lookout.since[1]
    lookout.begin()
    lookout.saw(_BEFORE | {1: InWing(4, "node 2")})
    struck = lookout.since[1]
    lookout.saw(_BEFORE | {1: InWing(5, "node 1")})
    assert lookout.since[1] == struck > before
    lookout.begin()
    lookout.saw(_BEFORE | {1: InWing(6, "node 2")})
    assert lookout.since[1] > struck


def test_a_wing_is_open_again_with_the_first_move_there_after_it_has_another_node() -> None:
    played = Played()
    played.begin()
    for wing in (1, 2, None, 1, 1):
        played.heard(wing)
    before, _, last = played.moves(1)
    assert played.first(1, before - 1) == before
    assert before < played.first(1, before) <= last


def test_a_wing_where_nobody_plays_is_open_when_it_has_another_node() -> None:
    played = Played()
    played.begin()
    played.heard(1)
    assert played.first(2, 5.0) == 5.0


def test_moves_are_remembered_of_one_fault_at_a_time() -> None:
    played = Played()
    played.heard(1)
    assert not played.moves(1)
    played.begin()
    played.heard(1)
    played.over()
    played.heard(1)
    assert len(played.moves(1)) == 1
    played.begin()
    assert not played.moves(1)


# Afterwards


class _Rows(Stored):
    def __init__(
        self, rooms: Sequence[tuple[str, str, TableId]], stored: Sequence[tuple[TableId, int]]
    ) -> None:
        self._rooms = rooms
        self._stored = stored

    @property
    def storage(self) -> Readable:
        raise NotImplementedError

    def rooms(self) -> list[tuple[str, str, TableId]]:
        return list(self._rooms)

    def asked(self, sql: str, **values: Any) -> list[Any]:
        return list(self._stored)


def test_what_a_wing_stores_of_its_own_tables_is_right() -> None:
    table = TableIds().new(_NOW, _THREE.slot_of_name("tower", "a room"))
    nameless = _table_in(2)
    rooms = [("tower", "a room", table), ("topple", nameless, nameless)]
    assert not list(in_wrong_wings(_THREE, _Rows(rooms, [(table, _THREE.of_table(table)), (nameless, 2)])))


def test_an_event_that_another_wing_has_stored_would_be_noticed() -> None:
    table = _table_in(2)
    (wrong,) = in_wrong_wings(_THREE, _Rows([], [(table, 1), (table, 2)]))
    assert wrong == f"table {table} is in wing 2, and wing 1 has stored events of it"


def test_a_room_in_another_wing_than_its_name_says_would_be_noticed() -> None:
    there = _THREE.of_slot(_THREE.slot_of_name("tower", "a room"))
    table = _table_in((there + 1) % 3)
    (wrong,) = in_wrong_wings(_THREE, _Rows([("tower", "a room", table)], []))
    assert table in wrong
    assert "'a room'" in wrong


def test_the_figures_tell_apart_who_played_where_it_struck_and_who_did_not() -> None:
    figures = Figures(seed=1, games=3, players=6, wings=[3, 2, 1])
    found = figures.pauses_by_wing.setdefault("kill -9", PausesByWing())
    found.struck.add_all((1.0, 1.0))
    found.others.add(0.01)
    lines = table(figures).splitlines()
    assert "3 wings, with 3, 2, 1 of the tables at the most" in lines
    (row,) = [line.split() for line in lines if line.startswith("kill -9")]
    assert row == ["kill", "-9", "1.00", "1.00", "1.00", "2", "0.01", "0.01", "0.01", "1"]


def test_the_figures_of_a_hall_that_is_not_divided_do_not_speak_of_wings() -> None:
    assert "wing" not in table(Figures(seed=1, games=3, players=6))
