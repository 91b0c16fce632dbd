"""Positions and events. An event carries what it changed, so that whoever folds it needs no rules."""

from typing import Literal

import msgspec

from gamut.games.acquire.actions import Action, AwaitedName
from gamut.games.acquire.kinds import Rack
from gamut.games.game import Seat

Ending = Literal["EndedGame", "AllTilesPlayed", "NoTilesPlayedForEntireRound"]

Message = tuple[str | int | tuple[int | tuple[int, ...], ...], ...]
"""A line of the history: its kind, then the player and what else it has, in a fixed order."""


class Awaited(msgspec.Struct, frozen=True, gc=False, omit_defaults=True):
    """What the game waits for, and what the rules must remember until then."""

    seat: Seat
    """Who is to act; once the game is over, whose turn was the last."""
    action: AwaitedName
    turn: Seat
    """Whose turn it is: others act in it when a chain was swallowed."""
    idle: int = 0
    """Turns in a row that began without a tile that could be played."""
    chains: tuple[int, ...] = ()
    """Those to choose from."""
    tile: int | None = None
    """The tile that was played and forms or merges chains, until it is known which."""
    merging: tuple[int, ...] = ()
    """The chains that it touches."""
    survivor: int | None = None
    defunct: int | None = None
    """The swallowed chain whose shares are disposed of."""
    left: tuple[int, ...] = ()
    """Swallowed chains that come after it."""
    queue: tuple[Seat, ...] = ()
    """Who disposes of shares after this player."""
    can_end: bool = False
    """Whoever buys may end the game."""
    ending: Ending | None = None


class AcquireState(msgspec.Struct, frozen=True, gc=False, kw_only=True):
    """A position, or as much of it as a viewer knows."""

    teams: int
    board: str
    racks: tuple[Rack, ...]
    """Of others a viewer knows how many tiles they hold, and not in which slots."""
    unseen: tuple[int, ...]
    """The tiles of which the viewer does not know where they are. Where nothing is hidden, that is the bag."""
    bag: int
    """Tiles in the bag."""
    shares: tuple[tuple[int, ...], ...]
    """Of each player, by chain."""
    cash: tuple[int, ...]
    available: tuple[int, ...]
    """Shares of each chain that nobody holds."""
    sizes: tuple[int, ...]
    """Of each chain. A swallowed one keeps its size, and so its price, until the purchase of that turn."""
    next: Awaited
    forfeited: tuple[Seat, ...] = ()
    actions: int
    """How many were done, the start included."""


class Began(msgspec.Struct, frozen=True, gc=False, tag="began"):
    """The game is set up: a tile of each player on the board, six in each hand."""

    teams: int
    host: Seat
    history: tuple[Message, ...]
    racks: tuple[Rack, ...]
    next: Awaited


Row = tuple[Seat, tuple[int, ...], int]
"""What a player has: shares by chain, and cash."""


class Acted(msgspec.Struct, frozen=True, gc=False, omit_defaults=True, tag="acted"):
    """One action with all that followed from it by itself. What is empty has not changed."""

    seat: Seat
    action: Action
    history: tuple[Message, ...]
    next: Awaited
    auto: bool = False
    """The server did it, because the player's time was over or the player had forfeited."""
    cells: tuple[tuple[int, str], ...] = ()
    """Tiles and what is there now, by tile."""
    rows: tuple[Row, ...] = ()
    """Players whose shares or cash have changed."""
    sizes: tuple[int, ...] = ()
    available: tuple[int, ...] = ()
    racks: tuple[tuple[Seat, Rack], ...] = ()
    """Of players who drew tiles, or laid dead ones aside. That a played tile has left its rack is not repeated here."""
    bag: int | None = None
    rest: tuple[int, ...] = ()
    """When the game is over: what was left in the bag, in the order in which it would have been drawn."""


class Forfeited(msgspec.Struct, frozen=True, gc=False, tag="forfeited"):
    """From now on the server acts for this player. The score counts as before."""

    seat: Seat


Event = Began | Acted | Forfeited
