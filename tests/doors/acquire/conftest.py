"""What the tests of Acquire's door start from."""

from collections.abc import Iterator

import pytest
from tests.doors.support.acquire_inn import AcquireInn, acquire_inn


@pytest.fixture(name="inn")
def _inn() -> Iterator[AcquireInn]:
    with acquire_inn() as house:
        yield house
