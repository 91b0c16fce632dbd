"""Memory goes back to the system when a crowd has left, and not before."""

from gamut.net.trimming import Trimming


def test_memory_goes_back_when_far_fewer_tables_are_kept_than_once_were() -> None:
    tables, rested = 0, list[int]()
    trimming = Trimming(lambda: tables, lambda: rested.append(tables))
    for tables, due in (
        (10, False),
        (3_000, False),
        (1_600, False),
        (1_500, True),
        (1_000, False),
        (700, True),
    ):
        assert trimming.due() == due, tables
    trimming.trim()
    assert rested == [700]


def test_a_small_hall_is_left_alone() -> None:
    tables = 0
    trimming = Trimming(lambda: tables, lambda: None)
    for tables in (999, 0, 999, 1):
        assert not trimming.due(), tables
