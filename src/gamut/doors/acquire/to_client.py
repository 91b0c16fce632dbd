"""What clients hear at the Acquire door. A message is declared here once: codec and documentation in one."""

from collections.abc import Sequence
from typing import Any, Literal

import msgspec

from gamut.doors.acquire.from_client import Id
from gamut.doors.framing import text_frame

VERSION = 1
"""Of the protocol."""

Cells = Sequence[tuple[int, str]]
"""Tiles and what is there now, by tile."""
Message = Sequence[Any]
"""A line of the history: its kind, then the player and what else it has."""


class ToClient(msgspec.Struct, frozen=True, kw_only=True, gc=False, rename="camel", tag_field="type"):
    pass


# Answers


class Ok(ToClient, frozen=True, tag="Ok", omit_defaults=True):
    id: Id
    game_number: int | None = None
    """Of the game that was created."""


class Error(ToClient, frozen=True, tag="Error"):
    id: Id | None
    code: str
    message: str


# Who is there


class Initial(ToClient, frozen=True, tag="Initial"):
    version: int
    server_time: int


class LoginResult(ToClient, frozen=True, tag="LoginResult"):
    user_id: int
    username: str
    token: str


class ChatMessage(ToClient, frozen=True, tag="ChatMessage"):
    game_number: int | None
    user_id: int
    username: str
    message: str
    timestamp: int


# The lobby

Status = Literal["setup", "playing", "over"]


class Summary(msgspec.Struct, frozen=True, kw_only=True, rename="camel"):
    game_number: int
    status: Status
    game_mode: int
    player_arrangement_mode: int
    time_control_starting_amount: int | None
    time_control_increment_amount: int
    host_user_id: int | None
    user_ids: Sequence[int | None]
    usernames: Sequence[str | None]
    watchers: int
    board: Sequence[str] | None


class User(msgspec.Struct, frozen=True, rename="camel"):
    user_id: int
    username: str


Game = Summary | msgspec.Raw
"""What is shown of a game, perhaps encoded already."""


class Checkpoint(msgspec.Struct, frozen=True):
    games: Sequence[Game]
    users: Sequence[User]


class LobbyCheckpoint(ToClient, frozen=True, tag="Lobby"):
    last_event_index: int
    checkpoint: Checkpoint


class LobbyEvent(ToClient, frozen=True, kw_only=True):
    last_event_index: int


class LobbyEvents(ToClient, frozen=True, tag="Lobby"):
    last_event_index: int
    events: Sequence[LobbyEvent | msgspec.Raw]


class GameCreated(LobbyEvent, frozen=True, tag="GameCreated"):
    game: Game


class GameChanged(LobbyEvent, frozen=True, tag="GameChanged"):
    game: Game


class GameRemoved(LobbyEvent, frozen=True, tag="GameRemoved"):
    game_number: int


class GameBoardChanged(LobbyEvent, frozen=True, tag="GameBoardChanged"):
    game_number: int
    board_changes: Cells


# Setting a game up


class GameSetup(ToClient, frozen=True, tag="GameSetup"):
    game_number: int
    game_mode: int
    player_arrangement_mode: int
    time_control_starting_amount: int | None
    time_control_increment_amount: int
    host_user_id: int | None
    user_ids: Sequence[int | None]
    usernames: Sequence[str | None]
    approvals: Sequence[bool]


class Change(msgspec.Struct, frozen=True, kw_only=True, rename="camel", tag_field="type"):
    pass


class UserAdded(Change, frozen=True, tag="UserAdded"):
    user_id: int
    username: str
    position: int


class UserRemoved(Change, frozen=True, tag="UserRemoved"):
    user_id: int


class UserKicked(Change, frozen=True, tag="UserKicked"):
    user_id: int


class UserApprovedOfGameSetup(Change, frozen=True, tag="UserApprovedOfGameSetup"):
    user_id: int
    approved_by_everybody: bool
    final_user_ids: Sequence[int | None] | msgspec.UnsetType = msgspec.UNSET
    """If the order of play is not that of the positions."""


class GameModeChanged(Change, frozen=True, tag="GameModeChanged"):
    game_mode: int


class PlayerArrangementModeChanged(Change, frozen=True, tag="PlayerArrangementModeChanged"):
    player_arrangement_mode: int


class TimeControlChanged(Change, frozen=True, tag="TimeControlChanged"):
    starting_amount: int | None
    increment_amount: int


class PositionsSwapped(Change, frozen=True, tag="PositionsSwapped"):
    position1: int
    position2: int


class GameSetupChanged(ToClient, frozen=True, tag="GameSetupChanged"):
    game_number: int
    change: Change


# Playing


class GameStarted(ToClient, frozen=True, tag="GameStarted"):
    game_number: int
    user_ids: Sequence[int | None]
    usernames: Sequence[str | None]
    host_user_id: int | None


class GameState(ToClient, frozen=True, tag="GameState"):
    game_number: int
    game_state_history_size: int
    game_mode: int
    user_ids: Sequence[int | None]
    usernames: Sequence[str | None]
    host_user_id: int | None
    player_id: int | None = msgspec.field(name="playerID")
    """The viewer's; None for a watcher."""
    board: Sequence[str]
    score_board: Sequence[Sequence[int]]
    available: Sequence[int]
    chain_size: Sequence[int]
    price: Sequence[int]
    rack_counts: Sequence[int]
    rack: Sequence[int | None] | None
    rack_types: str | None
    turn_player: int
    next: dict[str, Any]
    clocks: Sequence[int] | None
    forfeits: Sequence[int]
    history: Sequence[Sequence[Message]]
    """Of each action, since the one that the viewer knows."""
    over: bool


ChainRow = tuple[int, int, int, int]
"""A chain, its size, its price, and the shares of it that nobody holds."""


class GameActionDone(ToClient, frozen=True, kw_only=True, tag="GameActionDone"):
    game_number: int
    game_state_history_size: int
    """After this action."""
    player_id: int = msgspec.field(name="playerID")
    action: str
    params: Sequence[Any]
    timestamp: int
    auto_played: bool
    history: Sequence[Message]
    board_changes: Cells
    score_board: Sequence[tuple[int, Sequence[int]]]
    """Of players for whom something has changed."""
    chains: Sequence[ChainRow]
    """Those that have changed."""
    rack_counts: Sequence[int] | None
    """None if no rack has more tiles or fewer than before."""
    rack: Sequence[int | None] | None = None
    """The viewer's; None if neither it nor what its tiles would do has changed, and for a watcher."""
    rack_types: str | None = None
    turn_player: int
    next: dict[str, Any]
    clocks: Sequence[int] | None


class PlayerForfeited(ToClient, frozen=True, tag="PlayerForfeited"):
    game_number: int
    player_id: int = msgspec.field(name="playerID")
    timestamp: int


class UserEnteredGame(ToClient, frozen=True, tag="UserEnteredGame"):
    game_number: int
    user_id: int
    username: str


class UserExitedGame(ToClient, frozen=True, tag="UserExitedGame"):
    game_number: int
    user_id: int
    username: str


class GameReview(ToClient, frozen=True, tag="GameReview"):
    game_number: int
    review: msgspec.Raw


_encode = msgspec.json.Encoder().encode


def framed(message: ToClient) -> bytes:
    return text_frame(_encode(message))
