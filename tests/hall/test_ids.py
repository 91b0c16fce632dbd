"""Ids of tables are never given twice, and sort as the tables were opened."""

from hypothesis import given
from hypothesis import strategies as st

from gamut.hall.ids import Millis, TableId, TableIds

_DIGITS = "23456789ABCDEFGHJKLMNPQRSTUVWXYZabcdefghijkmnopqrstuvwxyz"


def number(table: TableId) -> int:
    found = 0
    for digit in table:
        found = found * len(_DIGITS) + _DIGITS.index(digit)
    return found


def test_many_tables_in_one_moment_have_ids_of_their_own() -> None:
    ids = TableIds()
    given_out = [ids.new(Millis(1_700_000_000_000)) for _ in range(20_000)]
    assert given_out == sorted(set(given_out))


@given(st.lists(st.integers(0, 4_000_000_000_000), min_size=2, max_size=20))
def test_ids_ascend_even_if_the_clock_does_not(moments: list[int]) -> None:
    ids = TableIds()
    given_out = [ids.new(Millis(moment)) for moment in moments]
    assert given_out == sorted(set(given_out))
    assert {len(table) for table in given_out} == {11}


@given(
    st.lists(st.tuples(st.sampled_from((0, 1, 255)), st.integers(0, 3)), max_size=60),
    st.integers(0, 4_000_000_000_000),
)
def test_nodes_with_slots_of_their_own_never_give_the_same_id(turns: list[tuple[int, int]], now: int) -> None:
    nodes = {slot: TableIds(slot) for slot in (0, 1, 255)}
    given_out: dict[int, list[TableId]] = {slot: [] for slot in nodes}
    for slot, later in turns:
        now += later
        given_out[slot].append(nodes[slot].new(Millis(now)))
    everything = [table for own in given_out.values() for table in own]
    assert len(set(everything)) == len(everything) == len(turns)
    for slot, own in given_out.items():
        assert own == sorted(own)
        assert {number(table) % 256 for table in own} <= {slot}
        assert {len(table) for table in own} <= {11}


def test_a_table_s_id_says_when_it_was_opened_with_a_slot_and_without() -> None:
    noon = Millis(1_700_000_000_000)
    for ids in (TableIds(), TableIds(7)):
        assert number(ids.new(noon)) >> 21 == noon
