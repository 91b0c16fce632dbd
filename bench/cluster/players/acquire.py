"""Two at the Acquire door. They come back with the token that they were given, and enter their game again."""

from typing import Any

from tests.simulation.acquire_people import AcquirePerson
from tests.simulation.surroundings import Surroundings

from bench.cluster.players.party import Party

_TWO_PLAYERS = 2


class AcquirePlayer(AcquirePerson):
    def __init__(self, world: Surroundings, number: int, party: Party) -> None:
        super().__init__(world, number)
        self._party = party
        self._host = not party.players
        self._token: str | None = None
        self._seated = False
        """In the game of this number, as far as this player knows."""

    @property
    def back(self) -> bool:
        return self.connected and self._logged_in and (self._inside or self._party.where is None)

    @property
    def progress(self) -> int:
        return len(self._game.moves) if self._game is not None else 0

    @property
    def _over(self) -> bool:
        return self._game is not None and self._game.result is not None

    def act(self) -> None:
        if not self.connected:
            self._come()
        elif self._asked is not None:
            return
        elif not self._logged_in:
            self._log_in()
        elif not self._inside:
            self._look_for_a_game(0.0)
        elif self._over or self._number != self._party.where:
            self._party.over(self._number)
            self._ask("ExitGame", gameNumber=self._number)
        elif self._to_act:
            self._play()
        elif self._mirror is None:
            approve = {"type": "ApproveOfGameSetup"}
            self._say("DoGameSetupAction", gameNumber=self._number, action=approve)

    def _look_for_a_game(self, luck: float) -> None:
        where = self._party.where
        if where is not None and self._number == where and self._seated:
            self._ask("EnterGame", gameNumber=where, gameStateHistorySize=0)
        elif self._host:
            # The game was refused, so it is not there any more.
            self._party.over(where)
            clock = {"timeControlStartingAmount": 3600, "timeControlIncrementAmount": 10}
            self._ask("CreateGame", gameMode=_TWO_PLAYERS, **(clock if self._party.number % 2 else {}))
        elif where is not None:
            self._number = where
            self._ask("DoGameSetupAction", gameNumber=where, action={"type": "JoinGame"})

    def _log_in(self) -> None:
        if self._token is None:
            super()._log_in()
        else:
            self._ask("Login", username=self._name, token=self._token)

    def _left(self) -> None:
        super()._left()
        self._seated = False

    # What this player hears

    def _hear_LoginResult(self, message: dict[str, Any]) -> None:
        super()._hear_LoginResult(message)
        self._token = message["token"]

    def _hear_Ok(self, message: dict[str, Any]) -> None:
        asked = self._asked
        super()._hear_Ok(message)
        if asked in ("CreateGame", "DoGameSetupAction"):
            self._seated = True
        if asked == "CreateGame":
            self._party.where = self._number

    def _hear_Error(self, message: dict[str, Any]) -> None:
        asked, number = self._asked, self._number
        super()._hear_Error(message)
        if asked == "DoGameSetupAction" and number == self._party.where:
            # They may have been let in, and the answer was lost.
            self._number, self._seated = number, True
        elif asked == "EnterGame":
            self._seated = False
            self._party.refused(message["code"])
