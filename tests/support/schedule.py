"""In which order the files run, which of them never run at the same time, and which took longest."""

from collections import Counter
from typing import Any

import pytest
from xdist.scheduler import LoadFileScheduling  # type: ignore[import-untyped]

_LONGEST = (
    *("test_soak.py", "test_crash.py", "test_process.py", "test_every_game.py", "test_table_machine.py"),
    *(
        "test_simulation.py",
        "test_topple_sockets.py",
        "test_damaged_ledger.py",
        "test_erasing.py",
        "test_damage.py",
    ),
)
"""These are begun first. Begun last, they would keep one core busy while the others have nothing to do."""

_ALONE = ("test_crash.py", "test_soak.py")
"""Each of these keeps a server and a crowd of clients busy: one after the other, on one worker."""

_SHOWN = 10


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    order = {name: number for number, name in enumerate(_LONGEST)}
    items.sort(key=lambda item: order.get(item.path.name, len(order)))


class _ByFile(LoadFileScheduling):  # type: ignore[misc]  # xdist has types, but does not say so
    """What a file shares (a server, a browser) is started once."""

    def _split_scope(self, nodeid: str) -> str:
        file: str = super()._split_scope(nodeid)
        return "alone" if file.endswith(_ALONE) else file


def pytest_xdist_make_scheduler(config: pytest.Config, log: Any) -> LoadFileScheduling | None:
    return _ByFile(config, log) if config.getvalue("dist") == "loadfile" else None


def pytest_terminal_summary(terminalreporter: pytest.TerminalReporter) -> None:
    seconds: Counter[str] = Counter()
    for reports in terminalreporter.stats.values():
        for report in reports:
            if isinstance(report, pytest.TestReport):
                seconds[report.nodeid.partition("::")[0]] += report.duration  # type: ignore[assignment]
    if len(seconds) > 1:
        terminalreporter.section(f"the {_SHOWN} slowest files")
        for file, took in seconds.most_common(_SHOWN):
            terminalreporter.write_line(f"{took:6.1f} s  {file}")
