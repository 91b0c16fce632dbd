"""What holds for every test with a server."""

from functools import partial

import pytest
from tests.support.draws import SEED_FILE, Draws

from gamut.net import server


@pytest.fixture(autouse=True)
def _servers_in_this_process_draw_as_the_others(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(server, "SystemRandom", partial(Draws, SEED_FILE))
