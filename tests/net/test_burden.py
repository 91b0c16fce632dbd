"""Of processes that stand by, who has fewer wings of the hall takes a free one first, however many are free at once."""

import pytest

from gamut.net.burden import Burden


class Process:
    """Of a hall with three wings."""

    def __init__(self) -> None:
        self.time = 0.0
        self.has: set[int] = set()
        self.promised: dict[int, bool] = {}
        self.burden = Burden(lambda: self.time, lambda wing: wing in self.has, 3, self.promised.get)


@pytest.fixture
def process() -> Process:
    return Process()


def test_a_process_that_has_nothing_takes_one_wing_at_once_and_the_others_after_it(process: Process) -> None:
    assert [process.burden.before(wing) for wing in (1, 0, 2)] == [0, 1, 2]
    process.time = 0.1
    assert [process.burden.before(wing) for wing in (0, 1, 2)] == [1, 0, 2]


def test_what_it_has_counts_once(process: Process) -> None:
    assert [process.burden.before(wing) for wing in (0, 1)] == [0, 1]
    process.has.add(0)
    assert process.burden.before(1) == 1


def test_a_wing_that_another_process_has_taken_is_not_waited_for(process: Process) -> None:
    assert [process.burden.before(wing) for wing in (0, 1)] == [0, 1]
    process.burden.is_not_free(0)
    assert process.burden.before(1) == 0


def test_a_wing_of_which_nothing_was_heard_for_a_while_is_not_about_to_be_taken(process: Process) -> None:
    process.burden.before(0)
    process.time = 0.6
    assert process.burden.before(1) == 0


def test_a_wing_that_another_process_is_to_have_is_taken_after_everybody_else(process: Process) -> None:
    process.promised[1] = False
    assert process.burden.before(1) > 20
    assert process.burden.before(0) == 1, "it still counts as one that is about to be taken"
    del process.promised[1]
    process.has.add(0)
    assert process.burden.before(1) == 1


def test_a_wing_that_this_process_is_to_have_is_taken_at_once(process: Process) -> None:
    process.has = {0, 2}
    assert process.burden.before(1) == 2
    process.promised[1] = True
    assert process.burden.before(1) == 0
