"""What holds for all the tests."""

import logging
from collections.abc import Iterator
from random import randrange

import pytest
from hypothesis import HealthCheck, settings
from tests.net.support import sockets
from tests.support.draws import SEED_FILE, draw_from

# The same examples in every run, so that a red build is about the change and not about luck; how long they take shows
# how busy the machine is. With --hypothesis-profile=others they are others; a failure prints the line that repeats it.
settings.register_profile(
    "gamut", derandomize=True, deadline=None, print_blob=True, suppress_health_check=[HealthCheck.too_slow]
)
settings.register_profile("others", settings.get_profile("gamut"), derandomize=False)
settings.load_profile("gamut")

pytest_plugins = (
    "tests.support.databases",
    "tests.support.nats",
    "tests.support.schedule",
    "tests.ledger.support.opened",
)


def pytest_addoption(parser: pytest.Parser) -> None:
    parser.addoption(
        "--seed", type=int, help="of what servers draw, and of the tests that draw a new one for each run"
    )
    parser.addoption(
        "--hall-on", choices=("sqlite", "postgres"), help="every hall of tests/hall is on such a store, too"
    )
    parser.addoption(
        "--through", choices=("gateway",), help="the servers of tests/net hold their sockets at such a node"
    )


def pytest_configure(config: pytest.Config) -> None:
    sockets.at_gateways = config.getoption("--through") == "gateway"


def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    if not sockets.at_gateways:
        return
    direct = [item for item in items if item.get_closest_marker("sockets_of_its_own")]
    config.hook.pytest_deselected(items=direct)
    items[:] = [item for item in items if item not in direct]


@pytest.hookimpl(tryfirst=True)
def pytest_runtest_setup(item: pytest.Item) -> None:
    """What servers draw is the same in each run, whichever tests were run before."""
    given: int | None = item.config.getoption("--seed")
    draw_from(item.nodeid if given is None else f"{given} {item.nodeid}")


def pytest_unconfigure() -> None:
    SEED_FILE.unlink(missing_ok=True)


@pytest.fixture
def seed(request: pytest.FixtureRequest) -> int:
    """Of everything that such a test leaves to chance; shown when it fails."""
    given: int | None = request.config.getoption("--seed")
    seed = randrange(2**32) if given is None else given
    print(f"The same again: --seed {seed}")  # noqa: T201
    return seed


class Contained(logging.Handler):
    """The faults that the product has contained: their kind, and the table, the door or whatever else is named."""

    def __init__(self) -> None:
        super().__init__(logging.ERROR)
        self.faults: list[dict[str, str]] = []

    def emit(self, record: logging.LogRecord) -> None:
        assert record.exc_info is not None
        named: dict[str, str] = {
            name: value for name, value in vars(record).items() if name in ("kind", "table", "door")
        }
        self.faults.append({**named, "error": repr(record.exc_info[1])})

    @property
    def kinds(self) -> list[str]:
        return [fault["kind"] for fault in self.faults]


@pytest.fixture(autouse=True)
def contained(request: pytest.FixtureRequest) -> Iterator[Contained]:
    """A fault that the product lives with is a fault all the same: only tests that make some may have any."""
    handler = Contained()
    log = logging.getLogger("gamut.faults")
    log.addHandler(handler)
    yield handler
    log.removeHandler(handler)
    if request.node.get_closest_marker("faults") is None:
        assert not handler.faults
