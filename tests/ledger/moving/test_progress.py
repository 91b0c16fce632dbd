"""Whoever waits for a move sees how far it is."""

from io import StringIO
from itertools import count

import pytest

from gamut.ledger.moving.progress import ProgressBar


class Terminal(StringIO):
    def isatty(self) -> bool:
        return True


@pytest.fixture(autouse=True)
def clock(monkeypatch: pytest.MonkeyPatch) -> None:
    """A second passes between two steps."""
    seconds = count()
    monkeypatch.setattr("gamut.ledger.moving.progress.monotonic", lambda: next(seconds))


def test_a_terminal_gets_a_bar_that_is_gone_at_the_end() -> None:
    terminal = Terminal()
    bar = ProgressBar(terminal)
    bar(1, 4)
    bar(4, 4)
    _, first, last = terminal.getvalue().split("\r")
    assert "###    " in first
    assert first.endswith(" 25 %")
    assert last.endswith("100 %")
    bar.close()
    shown = terminal.getvalue().split("\r")[-2:]
    assert shown == [" " * len(shown[0]), ""]
    assert len(shown[0]) >= len(last)


def test_a_file_gets_a_line_now_and_then() -> None:
    file = StringIO()
    bar = ProgressBar(file)
    for done in range(1, 31):
        bar(done, 30)
    bar.close()
    assert file.getvalue().splitlines() == [
        f"{percent} % of 30 rows copied and compared" for percent in (33, 66, 100)
    ]
