"""What people have around them: a way to the server, and what they have heard of. It is one in the simulation, with a
server in the same process, and another one on real sockets (`bench/soak`); the people are the same."""

from collections import deque
from collections.abc import Callable
from random import Random
from typing import Protocol

from tests.simulation.told import Told

from gamut.hall.ids import PersonId

TEXT, BINARY = 0x81, 0x82
Hear = Callable[[int, bytes], None]


class Call(Protocol):
    """A client's end of a connection."""

    @property
    def open(self) -> bool:
        """The client is there and hears."""
        ...

    def say(self, data: bytes, kind: int = TEXT) -> None: ...

    def cut(self) -> None:
        """The client is gone, and hears nothing any more. The server learns of it after a while."""
        ...

    def leave_unread(self, size: int) -> None:
        """From now on so many bytes lie unread; 0: the client reads as it should."""
        ...


class Surroundings:
    def __init__(self, chance: Random, told: Told) -> None:
        self.chance = chance
        self.told = told
        self.games: tuple[str, ...] = ("tower", "topple", "tafl", "powerchess", "acquire")
        """What people on the page open tables of."""
        self.keys: dict[str, str] = {}
        self._tables: deque[str] = deque(maxlen=8)
        self._rooms: deque[str] = deque(maxlen=4)
        self._tafl_games: deque[str] = deque(maxlen=4)
        self._acquire_games: deque[int] = deque(maxlen=4)
        self._power_games: deque[int] = deque(maxlen=4)
        self._lines = 0

    # The server

    def call(self, door: str, label: str, hear: Hear, *, query: str = "", cookie: str | None = None) -> Call:
        """A new connection to this door."""
        raise NotImplementedError

    def sitter(self, game: str, room: str, seat: int) -> PersonId | None:
        """Who sits there by the ledger as it is now; None if the game is over, or if nobody can know."""
        raise NotImplementedError

    def trace(self, line: str) -> None:
        """For whoever follows what happens."""

    # What everybody has heard of

    def new_line(self) -> int:
        self._lines += 1
        return self._lines

    def heard_of(self, table: str, key: str | None) -> None:
        """Somebody knows of a table, and tells everybody; and perhaps what opens it."""
        if table not in self._tables:
            self._tables.append(table)
        if key is not None:
            self.keys[table] = key

    def heard_of_room(self, room: str) -> None:
        if room not in self._rooms:
            self._rooms.append(room)

    def heard_of_tafl_game(self, guid: str) -> None:
        if guid not in self._tafl_games:
            self._tafl_games.append(guid)

    def some_tafl_game(self) -> str | None:
        return self.chance.choice(self._tafl_games) if self._tafl_games else None

    def heard_of_acquire_game(self, number: int) -> None:
        if number not in self._acquire_games:
            self._acquire_games.append(number)

    def some_acquire_game(self) -> int | None:
        return self.chance.choice(self._acquire_games) if self._acquire_games else None

    def heard_of_power_game(self, number: int) -> None:
        if number not in self._power_games:
            self._power_games.append(number)

    def some_power_game(self) -> int | None:
        return self.chance.choice(self._power_games) if self._power_games else None

    def some_table(self) -> str | None:
        return self.chance.choice(self._tables) if self._tables else None

    def some_room(self) -> str | None:
        """A room of Topple, or a table that may be one."""
        if self._rooms and self.chance.random() < 0.8:
            return self.chance.choice(self._rooms)
        return self.some_table()
