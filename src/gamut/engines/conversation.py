"""How external programs are asked to play: a conversation in lines, which knows nothing of processes or time."""

from collections.abc import Callable
from typing import Any, NamedTuple, Protocol, TextIO

from gamut.games.game import AnyGame, Seat


class EngineFailed(Exception):
    """The engine has no answer, or none that can be used."""


class CannotAsk(Exception):
    """The engine's language has no words for this position."""


class Heard(NamedTuple):
    """What a line of an engine's comes to."""

    say: bytes = b""
    """Lines to be sent to it."""
    action: Any = None
    """What it does, in the game's own words."""
    resigns: bool = False

    @property
    def answers(self) -> bool:
        return self.resigns or self.action is not None


NOTHING = Heard()


class Conversation(Protocol):
    """With one process, from its start to its end. Questions come one at a time."""

    greeted: bool
    """The engine has said that it is there, or need not say so."""

    def ask(self, state: Any, seat: Seat, seed: int, millis: int) -> bytes:
        """The lines that ask what a seat does; so many milliseconds are left for it. May raise CannotAsk."""
        ...

    def hear(self, line: bytes) -> Heard:
        """One line of the engine's, with its end. Raises EngineFailed if it is an answer that cannot be used."""
        ...

    def farewell(self) -> bytes:
        """The lines with which it ends."""
        ...


class EngineProtocol(NamedTuple):
    """A language of engines, both sides of it."""

    host: Callable[[AnyGame], Conversation]
    """How this server speaks with an engine that plays a game."""
    run: Callable[[AnyGame, TextIO, TextIO, str], None]
    """Plays a bot of a game as such an engine: what it hears, where it speaks, its level."""
    numbered: bool
    """An answer says what it is an answer to. Otherwise an engine that is late cannot be asked anything else."""
    resigns: bool
    """Where an engine fails, its game is given up. Otherwise something legal is played in its place."""
