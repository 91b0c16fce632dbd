"""A door beside a plain Node server without rules and storage that passes on the same messages of the same games."""

import tempfile
from pathlib import Path

import msgspec

from bench.clients.recorded import Rooms
from bench.doors.loads import UNDISTURBED, loaded
from bench.load import Figures, under_load
from bench.pace import say
from bench.scripts.recorded import Messages, Recording, record
from bench.servers import node

_GAMES = 8
"""So many are recorded, one at each table."""


class Door(msgspec.Struct, frozen=True, kw_only=True):
    name: str
    """By which the loads know it."""
    seats: int
    opening: bytes
    """What is in the message with which a game is opened, and in no other."""
    lines: bool = False
    """It is spoken by lines of text, and not by WebSocket."""


class Beside(msgspec.Struct, kw_only=True):
    """By number of tables that play whole games, from opening one to leaving it, as fast as they can."""

    at: dict[int, Figures]
    relay: dict[int, Figures]
    messages: Messages
    moves_in_a_game: int


async def beside_relay(door: Door, sizes: tuple[int, ...], seconds: float) -> Beside:
    """Each load is looked at until as many moves were made as all tables make in a game, so everything is in it.

    A single table has no relay beside it: with one both mostly wait.
    """
    say(f"{door.name}: games are recorded")
    async with loaded(door.name, _GAMES, UNDISTURBED) as (server, load):
        games = await record(load, _GAMES, door.seats, door.opening, server.pid)
    recording = Recording(games=games, lines=door.lines)
    at, relay = {}, {}
    for size in sizes:
        cycle = size * recording.moves_in_a_game
        say(f"{door.name}: tables: {size}, as fast as they can")
        async with loaded(door.name, size) as (server, load):
            at[size] = await under_load(load, size, server.pid, seconds, cycle=cycle)
        if size > 1:
            # At once, so that both meet the machine in the same mood.
            say(f"{door.name}: tables: {size}, at a relay")
            relay[size] = await _relayed(recording, size, seconds, cycle)
    return Beside(
        at=at,
        relay=relay,
        messages=recording.messages_per_move(),
        moves_in_a_game=recording.moves_in_a_game,
    )


async def _relayed(recording: Recording, size: int, seconds: float, cycle: int) -> Figures:
    node.install()
    with tempfile.TemporaryDirectory(prefix="gamut-relay-") as folder:
        told = Path(folder) / "games.json"
        told.write_bytes(_told(recording))
        with node.Script("recorded.mjs", str(told)) as server:
            rooms = Rooms(size, recording, server.port)
            return await under_load(rooms, size, server.pid, seconds, cycle=cycle)


def _told(recording: Recording) -> bytes:
    """By game, step and seat: the messages to send."""
    told = [
        [[recording.messages(heard) for heard in step.heard] for step in game] for game in recording.games
    ]
    return msgspec.json.encode({"games": told, "lines": recording.lines})
