"""People of any two doors meet at a table in another wing of the hall, wherever their sockets and that wing are.

What they hear is looked at word for word in test_placings.py; here everybody has to hear what a story waits for, up to
its end.
"""

import asyncio
from collections.abc import Callable, Sequence
from functools import partial
from itertools import product
from pathlib import Path
from typing import Any

import pytest
from tests.net.doors.test_placings import POWER_CHESS, TOPPLE, TOWER, meet
from tests.net.support.recorded import House, recorded
from tests.net.support.several_wings import NodeOfWings, nodes_of_wings
from tests.net.support.ways_in import Client, Game, PowerChess, Topple, Tower, Web

from gamut.net.settings import Settings

WINGS = 3

PLACINGS = [((0, 1), 0), ((0, 1), 1), ((0, 1), 2), ((0, 0), 0), ((0, 0), 1)]
"""At which nodes the two sockets are, and at which one is the wing in which the page opens its table: at that of the
first, of the second, or of neither. All other placings are one of these with the nodes in another order."""
_MOMENTS_EVERY = 0.02

MEETINGS = [
    pytest.param(game, first, second, id=f"{game.name}-{first.__name__}-{second.__name__}")
    for game, clients in ((TOWER, (Web, Tower)), (TOPPLE, (Web, Topple)), (POWER_CHESS, (Web, PowerChess)))
    for first, second in product(clients, repeat=2)
]


async def _time_passes(house: House) -> None:
    """What one wing has gathered for a moment is gathered once more in the main one."""
    while True:
        house.a_moment_passes()
        await asyncio.sleep(_MOMENTS_EVERY)


@pytest.mark.parametrize(("game", "first", "second"), MEETINGS)
def test_people_meet_at_a_table_wherever_its_wing_and_their_sockets_are(
    game: Game, first: type[Client], second: type[Client], tmp_path: Path
) -> None:
    found: set[int] = set()
    for nodes, at in PLACINGS:
        made: list[NodeOfWings] = []

        def of_wings(
            settings: Callable[..., Settings], at: int = at, made: list[Any] = made
        ) -> Sequence[Any]:
            # Wing 1, in which the page opens its table, is at this node; the main wing is at the one before.
            made += nodes_of_wings(settings, [(at - 1) % WINGS, at, (at + 1) % WINGS])
            return made

        async def story(house: House, nodes: Sequence[int] = nodes, made: list[Any] = made) -> None:
            main = next(node.servers[0] for node in made if node.has(0))
            main.hall._next_wing = 1
            passing = asyncio.ensure_future(_time_passes(house))
            try:
                await meet(house, game, (first, second), nodes)
            finally:
                passing.cancel()
            found.update(
                wing
                for node in made
                for wing in range(WINGS)
                if node.has(wing) and node.servers[wing].hall.moves
            )

        recorded(tmp_path / f"{nodes}-{at}", partial(story), of_wings)
    assert found, "somebody has moved"
    if first is Web:
        assert found == {1}
