"""A client of the Topple protocol that believes what it hears, and topples by itself."""

from typing import Any

from tests.doors.support.topple_boards import read_board_frame
from tests.doors.support.topple_inn import Seated

from gamut.games.topple.cascade import cascade
from gamut.games.topple.topology import field


class Mirror:
    """All that such a client knows of its room. What does not fit what it knew before is an error."""

    def __init__(self, client: Seated) -> None:
        self.client = client
        self.number: int | None = None
        self.key: str | None = None
        self.players: dict[int, int] = {}
        self.spectators: dict[str, str | None] = {}
        self.host: int | str | None = None
        self.turn: int | None = None
        self.winner: int | None = None
        self.paused = False
        self.scores: list[int | None] = [None] * 7
        self.by_tiles = False
        self.way_on: str | None = None
        self.shape = (0, 0, 0)
        self.board, self.owners = bytearray(), bytearray()
        self._owned = [0] * 7
        self.hear(client.heard)

    def look(self) -> None:
        self.hear(self.client.read())

    @property
    def here(self) -> bool:
        """Whether it is in a room, and knows all that it is told on the way in."""
        session = self.client.session
        return session.live is not None and session.state.entering is None and not self.client.closed

    def hear(self, heard: list[Any]) -> None:
        for said in heard:
            if isinstance(said, bytes):
                self._board(said)
            else:
                self._hear(said["type"], said["payload"])

    def _board(self, frame: bytes) -> None:
        if frame[0] == 0:
            board, owners = read_board_frame(*self.shape, frame)
            self.board, self.owners = bytearray(board), bytearray(owners)
            self._owned = [self.owners.count(team) for team in range(7)]

    def _hear(self, kind: str, told: dict[str, Any]) -> None:
        match kind:
            case "player:ownid":
                self.number = told["n"]
                self.players[told["n"]] = told["t"]
            case "spectator:ownid":
                if self.number is not None:
                    del self.players[self.number]
                self.number = self.key = None
                self.spectators[told["n"]] = None
            case "key:rejoin":
                self.key = told["key"]
            case "game:jlist":
                self.players |= {number: team for number, team, _ in told["p"]}
                self.spectators |= dict(told["s"])
                self.scores = told["ts"]
            case "game:config":
                self.shape = told["t"], told["d"]["x"], told["d"]["y"]
                self.board, self.owners = bytearray([1] * told["c"]), bytearray(told["c"])
                self._owned = [told["c"], *[0] * 6]
                self.host = told["l"]
            case "game:rules":
                self.by_tiles = told.get("scoring") == {"style": "tile"}
            case "waiting:promote":
                self.host = told["n"]
            case "player:join" | "player:switch":
                self.players[told["n"]] = told["t"]
            case "player:leave":
                del self.players[told["n"]]
            case "player:spectate":
                del self.players[told["n"]]
                self._comes(told["id"])
            case "spectator:join":
                self._comes(told["n"])
            case "spectator:leave":
                del self.spectators[told["n"]]
            case "account:found" if isinstance(told["n"], str):
                assert told["n"] in self.spectators
                self.spectators[told["n"]] = told["a"]
            case "game:kick":
                del (self.spectators if isinstance(told["n"], str) else self.players)[told["n"]]
            case "game:move":
                cascade(field(*self.shape), self.board, self.owners, self._owned, told["n"], told["t"])
                if self.by_tiles:
                    pairs = zip(self.scores[1:], self._owned[1:], strict=True)
                    self.scores[1:] = [(score or 0) + tiles for score, tiles in pairs]
            case "game:turn":
                assert self.winner is None, "nobody moves after the end"
                self.turn = told["n"]
            case "game:win":
                self.winner, self.turn = told["t"], None
            case "game:pause":
                self.paused = True
            case "game:resume":
                self.paused = False
            case "sync":
                for name, value in told.items():
                    what, number, _ = name.split(".")
                    if what == "TEAM":
                        self.scores[int(number)] = value
            case "CONN:SWCH":
                self.way_on = told["P"]
            case "error":
                assert told["message"] != "internal error"

    def _comes(self, spectator: str) -> None:
        assert spectator not in self.spectators
        self.spectators[spectator] = None
