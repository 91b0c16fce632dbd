"""The games of a crowded lobby, told to one newcomer in pieces that follow the reader."""

from itertools import islice
from typing import TYPE_CHECKING

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


class CheckpointTelling(Reader):
    """First a checkpoint with some of the games, then the others, as if they had been created since.

    Meanwhile this connection hears what happens to games that it was told of. All of it has the number `UNKNOWN`, up to
    the last piece.
    """

    def __init__(self, lobby: "GameLobby", session: "AcquireSession", answers: Id | None) -> None:
        super().__init__(session.wire)
        self._lobby = lobby
        self._session = session
        self._answers = answers
        self._begun = False
        self._over = False
        self.left: dict[TableId, None] = dict.fromkeys(lobby.in_order())
        """The games that are yet to be told of. One that is removed in the meantime is not among them any more."""

    def __bool__(self) -> bool:
        return not self._over

    def go_on(self) -> None:
        tables = list(islice(self.left, GAMES))
        for table in tables:
            del self.left[table]
        games = [self._lobby.encoded(table) for table in tables]
        index = UNKNOWN if self.left else self._lobby.last
        if self._begun:
            events = [t.GameCreated(last_event_index=index, game=game) for game in games]
            self._session.send(t.LobbyEvents(last_event_index=index, events=events))
        else:
            self._begun = True
            checkpoint = t.Checkpoint(games, self._lobby.users())
            self._session.send(t.LobbyCheckpoint(last_event_index=index, checkpoint=checkpoint))
        if not self.left:
            self._over = True
            self._lobby.told_all(self._session)
            self._session.answer(self._answers)

    def end(self) -> None:
        """Nobody is there any more."""
        self._over = True
