"""The seed in whose world it shows that a server is broken is stored, and searched only when it shows there no more."""

import json
import re
from collections.abc import Callable, Iterator
from itertools import islice
from pathlib import Path

import pytest
from tests.simulation.disk import Medium, MemoryMedium
from tests.simulation.gateway_world import GatewayWorld
from tests.simulation.told import Broken
from tests.simulation.wings_world import WingsWorld
from tests.simulation.world import Failed, World, compare_with_memory, only_game, run

SEEDS = Path(__file__).with_name("seeds.json")
"""For each broken server, by the name of its test, the seed of a world that is enough."""

_WORLDS = 200
"""So many are tried for one server."""
_FILES = ("test_broken_servers.py", "test_broken_gateways.py", "test_broken_wings.py")


class Search:
    """While this is a plugin of pytest, others are looked for where the stored ones do not do."""

    @staticmethod
    def of(config: pytest.Config) -> "Search | None":
        return next((each for each in config.pluginmanager.get_plugins() if isinstance(each, Search)), None)


class Noticed:
    """Says whether the simulation notices that a server is broken, and that it notices the right thing."""

    def __init__(self, request: pytest.FixtureRequest) -> None:
        self._name: str = request.node.name.removeprefix("test_")
        self._search = Search.of(request.config)

    def __call__(
        self,
        promise: str,
        error: type[BaseException] = Broken,
        *,
        medium: Callable[[], Medium] = MemoryMedium,
        game: str | None = None,
        faults: bool = False,
        memory: bool = False,
        gateways: bool = False,
        wings: bool = False,
    ) -> None:
        """What is said of this server begins with this sentence; if a game is named, in a world of this game alone.

        `memory`: when that world is compared with the same one without amnesia. `gateways`: in a world in which people
        are connected to gateways. `wings`: and the hall has several wings.
        """
        of = WingsWorld if wings else GatewayWorld if gateways else World

        def what_is_wrong_with(seed: int | None) -> str:
            """Why this seed does not do; empty if it does."""
            if seed is None:
                return "No seed is stored."
            try:
                if memory:
                    compare_with_memory(seed, medium, 12)
                else:
                    run(seed, medium(), 12, faults=faults, of=of)
            except Failed as failed:
                right = isinstance(failed.error, error) and re.match(
                    rf"seed \d+, step \d+: {promise}", str(failed), re.DOTALL
                )
                return "" if right else f"Expected was '{promise}', and it was noticed that {failed}"
            return f"It does not show in the world of seed {seed}."

        wrong = what_is_wrong_with(_stored().get(self._name))
        if wrong and self._search is not None:
            seed = next((seed for seed in _seeds(game) if not what_is_wrong_with(seed)), None)
            if seed is not None:
                _store({**_stored(), self._name: seed})
                return
            wrong = f"'{promise}' shows in none of {_WORLDS} worlds."
        if wrong:
            pytest.fail(f"{wrong} To find a seed: python -m tests.simulation --find {self._name}")


def _stored() -> dict[str, int]:
    stored: dict[str, int] = json.loads(SEEDS.read_bytes())
    return stored


def _store(seeds: dict[str, int]) -> None:
    SEEDS.write_text(json.dumps(dict(sorted(seeds.items())), indent=1) + "\n")


def _seeds(game: str | None) -> Iterator[int]:
    some = (seed for seed in range(1, 20 * _WORLDS) if game is None or only_game(seed) == game)
    return islice(some, _WORLDS)


def find(names: str) -> int:
    """Look whether the stored seeds of these broken servers do, and store others where they do not."""
    files = [str(Path(__file__).with_name(name)) for name in _FILES]
    return pytest.main([*files, "-k", names], plugins=[Search()])
