"""Ids of tables are never given twice, and sort as the tables were opened."""

from hypothesis import given
from hypothesis import strategies as st

from gamut.hall.ids import Millis, TableId, TableIds
from gamut.hall.wings import Wings

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
    st.lists(st.tuples(st.integers(0, 4), st.integers(0, 3)), max_size=60),
    st.integers(0, 4_000_000_000_000),
)
def test_wings_never_give_the_same_id(turns: list[tuple[int, int]], now: int) -> None:
    ids = {wing: TableIds(wing, 5) for wing in range(5)}
    given_out: dict[int, list[TableId]] = {wing: [] for wing in ids}
    for wing, later in turns:
        now += later
        given_out[wing].append(ids[wing].new(Millis(now)))
    everything = [table for own in given_out.values() for table in own]
    assert len(set(everything)) == len(everything) == len(turns)
    for wing, own in given_out.items():
        assert own == sorted(own)
        assert {Wings(count=5).of_table(table) for table in own} <= {wing}
        assert {len(table) for table in own} <= {11}


def test_a_table_s_id_says_when_it_was_opened_in_a_wing_and_without() -> None:
    noon = Millis(1_700_000_000_000)
    for ids in (TableIds(), TableIds(3, 7)):
        assert number(ids.new(noon)) >> 21 == noon


def test_whatever_is_asked_for_as_a_table_is_in_some_wing() -> None:
    for nonsense in ("", "x", "lobby", "0" * 11, "é"):
        assert Wings(count=7).of_table(TableId(nonsense)) in range(7)
