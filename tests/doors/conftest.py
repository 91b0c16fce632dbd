"""What every test of the doors starts from."""

from collections.abc import Iterator

import pytest
from tests.doors.support.inn import Inn, inn


@pytest.fixture(name="inn")
def _inn() -> Iterator[Inn]:
    with inn() as house:
        yield house
