"""Whoever meets at a table, by whichever doors and gateways, hears the very same bytes as at a single server."""

from collections.abc import Sequence
from functools import partial
from itertools import cycle, product
from pathlib import Path
from typing import Any

import pytest
from tests.net.support.recorded import House, alone, assert_same_bytes, recorded, three_nodes
from tests.net.support.ways_in import (
    Acquire,
    Client,
    Game,
    PowerChess,
    Tafl,
    TaflExtended,
    TaflOld,
    Topple,
    Tower,
    Web,
)

PLACINGS = ((0, 0), (0, 1), (1, 0), (1, 1), (1, 2))
"""At which of three nodes the first one's and the second one's sockets are. The hall, and so the table, is at node 0;
nodes 1 and 2 are alike, so there are no other placings."""


def number(square: str, width: int) -> int:
    return "abcdefgh".index(square[0]) + (int(square[1]) - 1) * width


def carried(move: str, width: int) -> dict[str, Any]:
    """A piece, on a board of this width."""
    return {"type": "move", "start": number(move[:2], width), "end": number(move[-2:], width)}


def placed(tile: str) -> dict[str, Any]:
    return {"type": "place", "tile": int(tile)}


TOWER = Game("tower", ("0", "8", "16", "1"), placed, people=3)
TOPPLE = Game("topple", ("5", "10", "5"), placed)
ACQUIRE = Game("acquire", options={"mode": "singles_2"}, start="approval", room="room")
POWER_CHESS = Game("powerchess", ("e2e4", "e7e5", "g1f3"), partial(carried, width=8), room="room")
TAFL = Game(
    "tafl",
    ("a4-a3", "c4-c2", "a3-a4"),
    partial(carried, width=7),
    options={"variant": "brandub"},
    start="ready",
    room="room",
)

MEETINGS = [
    pytest.param(game, first, second, id=f"{game.name}-{first.__name__}-{second.__name__}")
    for game, clients in (
        (TOWER, (Web, Tower)),
        (TOPPLE, (Web, Topple)),
        (ACQUIRE, (Web, Acquire)),
        (POWER_CHESS, (Web, PowerChess)),
        (TAFL, (Web, Tafl, TaflOld, TaflExtended)),
    )
    for first, second in product(clients, repeat=2)
]
"""The second one sits down at the table that the first one has opened."""


async def meet(house: House, game: Game, kinds: Sequence[type[Client]], nodes: Sequence[int]) -> None:
    players = [
        kind(house, node, game, name) for kind, node, name in zip(kinds, nodes, ("Ann", "Bob"), strict=True)
    ]
    # Whoever is still missing comes as the first one did.
    players += [kinds[0](house, nodes[0], game, name) for name in ("Cat",)[: game.people - 2]]
    for player in players:
        await player.come()
    await come_together(house, *players)
    await (play(game.moves, players) if game.moves else play_as_drawn(house, players))
    await part(players)


async def come_together(house: House, opener: Client, *joiners: Client) -> None:
    room = await opener.open()
    house.a_moment_passes()
    for joiner in joiners:
        await joiner.join(room)
    for player in (opener, *joiners):
        await player.get_ready()
    for player in (opener, *joiners):
        await player.hear_beginning()
    house.a_moment_passes()


async def play(moves: Sequence[str], players: Sequence[Client]) -> None:
    for mover, move in zip(cycle(players), moves, strict=False):
        await mover.move(move)
        for player in players:
            if player is not mover:
                await player.hear_move(move)


async def play_as_drawn(house: House, players: Sequence[Client]) -> None:
    moved: set[Client] = set()
    while len(moved) < len(players):
        (mover,) = (player for player in players if player.is_to_act)
        await play([""], [mover, *(player for player in players if player is not mover)])
        house.a_moment_passes()
        moved.add(mover)


async def part(players: list[Client]) -> None:
    """One after the other hangs up, and the others hear of it."""
    if all(player.chats for player in players):
        await players[0].say("well played")
        for player in players[1:]:
            await player.hear(b"well played")
    while players:
        gone = players.pop(0)
        await gone.hang_up()
        for player in players:
            await player.hear_that_gone(gone)


@pytest.mark.parametrize(("game", "first", "second"), MEETINGS)
def test_people_at_one_table_hear_the_same_bytes_wherever_they_and_the_table_are(
    game: Game, first: type[Client], second: type[Client], tmp_path: Path
) -> None:
    story = partial(meet, game=game, kinds=(first, second))
    expected = recorded(tmp_path / "alone", partial(story, nodes=(0, 0)), alone)
    for nodes in PLACINGS:
        name = f"at nodes {nodes[0]} and {nodes[1]}"
        assert_same_bytes(recorded(tmp_path / name, partial(story, nodes=nodes), three_nodes), expected, name)
