"""The games of a crowded lobby, told to one newcomer in pieces that follow the reader."""

from itertools import islice
from typing import TYPE_CHECKING

import msgspec

from gamut.doors.acquire import to_client as t
from gamut.doors.acquire.from_client import Id
from gamut.doors.pieces import Reader
from gamut.hall.ids import TableId

if TYPE_CHECKING:
    from gamut.doors.acquire.lobby import GameLobby
    from gamut.doors.acquire.session import AcquireSession

GAMES = 200
"""How many make a piece."""
UNKNOWN = 0
"""The number of a message after which somebody does not know everything: with it, one asks for all of it again."""


class Checkpoint(msgspec.Struct, omit_defaults=True):
    """How far somebody has been told which games there are."""

    left: dict[TableId, None]
    """The games that are yet to be told of. One that is removed in the meantime is not among them any more."""
    answers: Id | None = None
    """The message that is answered when all is told."""
    begun: bool = False


class CheckpointReader(Reader):
    """First a checkpoint with some of the games, then the others, as if they had been created since.

    Meanwhile this connection hears what happens to games that it was told of. All of it has the number `UNKNOWN`, up to
    the last piece.
    """

    def __init__(self, lobby: "GameLobby", session: "AcquireSession") -> None:
        super().__init__(session.wire)
        self._lobby = lobby
        self._session = session
        self._checkpoint = session.state.checkpoint

    def __bool__(self) -> bool:
        state = self._session.state
        return state.checkpoint is self._checkpoint is not None and not state.ended

    def go_on(self) -> None:
        checkpoint, session = self._checkpoint, self._session
        assert checkpoint is not None
        tables = list(islice(checkpoint.left, GAMES))
        for table in tables:
            del checkpoint.left[table]
        games = [self._lobby.encoded(table) for table in tables]
        private = session.state.private_games
        index = UNKNOWN if checkpoint.left or private else self._lobby.last
        if checkpoint.begun:
            events = [t.GameCreated(last_event_index=index, game=game) for game in games]
            session.send(t.LobbyEvents(last_event_index=index, events=events))
        else:
            checkpoint.begun = True
            told = t.Checkpoint([*games, *private.values()], self._lobby.users())
            session.send(t.LobbyCheckpoint(last_event_index=index, checkpoint=told))
        if not checkpoint.left:
            # From now on this connection hears everything, and by its number if it is told of no private game.
            session.state.checkpoint = None
            session.answer(checkpoint.answers)
