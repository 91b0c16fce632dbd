"""Ids of tables are never given twice, and sort as the tables were opened."""

from hypothesis import given
from hypothesis import strategies as st

from gamut.hall.ids import Millis, TableIds


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
