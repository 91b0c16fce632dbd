"""Ids of tables are never given twice, and sort as the tables were opened."""

from hypothesis import given
from hypothesis import strategies as st

from gamut.hall.ids import Millis, Slot, TableId, TableIds, slot_in
from gamut.hall.wings import MAIN, Wings

_DIGITS = "23456789ABCDEFGHJKLMNPQRSTUVWXYZabcdefghijkmnopqrstuvwxyz"


def number(table: TableId) -> int:
    found = 0
    for digit in table:
        found = found * len(_DIGITS) + _DIGITS.index(digit)
    return found


@given(st.lists(st.integers(0, 255), min_size=1, max_size=300), st.integers(0, 4_000_000_000_000))
def test_many_tables_in_one_moment_have_ids_of_their_own(slots: list[int], now: int) -> None:
    ids = TableIds()
    given_out = [ids.new(Millis(now), Slot(slot)) for slot in slots]
    assert given_out == sorted(set(given_out))
    assert [slot_in(table) for table in given_out] == slots


def test_ids_of_one_moment_last_for_a_crowd() -> None:
    ids = TableIds()
    given_out = [ids.new(Millis(1_700_000_000_000), Slot(7)) for _ in range(20_000)]
    assert given_out == sorted(set(given_out))


@given(st.lists(st.integers(0, 4_000_000_000_000), min_size=2, max_size=20), st.integers(0, 255))
def test_ids_ascend_even_if_the_clock_does_not(moments: list[int], slot: int) -> None:
    ids = TableIds()
    given_out = [ids.new(Millis(moment), Slot(slot)) for moment in moments]
    assert given_out == sorted(set(given_out))
    assert {len(table) for table in given_out} == {11}


@given(
    st.lists(st.tuples(st.integers(0, 4), st.integers(0, 3)), max_size=60),
    st.integers(0, 4_000_000_000_000),
)
def test_wings_never_give_the_same_id(turns: list[tuple[int, int]], now: int) -> None:
    ids = [TableIds(wing, 5) for wing in range(5)]
    wings = [Wings(wing, 5) for wing in range(5)]
    given_out: list[TableId] = []
    for wing, later in turns:
        now += later
        table = ids[wing].new(Millis(now))
        assert [each.has(table) for each in wings] == [each.wing == wing for each in wings]
        given_out.append(table)
    assert len(set(given_out)) == len(given_out)


@given(st.sampled_from([1, 2, 3, 7, 64]))
def test_all_slots_of_a_wing_are_drawn(count: int) -> None:
    wing = count - 1
    found = {slot_in(TableIds(wing, count).new(Millis(1_700_000_000_000))) for _ in range(6_000)}
    assert found <= {slot for slot in range(256) if slot % count == wing}
    assert len(found) > 0.9 * (256 // count)


@given(st.integers(0, 255), st.integers(0, 4_000_000_000_000))
def test_a_table_s_id_says_when_it_was_opened(slot: int, now: int) -> None:
    for _ in range(20):
        assert number(TableIds().new(Millis(now), Slot(slot))) >> 21 == now


def test_what_is_no_id_is_looked_for_where_it_is_asked_for() -> None:
    for nonsense in ("", "x", "lobby", "0" * 11, "é"):
        assert all(Wings(wing, 7).has(TableId(nonsense)) for wing in range(7))


def test_a_table_without_a_name_is_found_by_its_id_as_a_name() -> None:
    table = TableIds().new(Millis(1_700_000_000_000), Slot(201))
    assert Wings(count=7).slot_of_name("tower", table) == 201


def test_a_name_means_the_same_room_in_capitals_and_tables_of_some_games_are_all_in_the_main_wing() -> None:
    wings = Wings(count=7, at_main=frozenset(["tafl"]))
    assert len({wings.slot_of_name("topple", name) for name in ("ABCD1234", "abcd1234")}) == 1
    assert {wings.of_slot(wings.slot_of_name("tafl", str(n))) for n in range(50)} == {MAIN}
    assert len({wings.of_slot(wings.slot_of_name("tower", str(n))) for n in range(500)}) == 7
