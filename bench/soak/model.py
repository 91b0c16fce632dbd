"""Everything that anybody was told, outside of the server: by whom, when, and whether it is still so."""

from collections import Counter
from time import monotonic
from typing import Any, NamedTuple

import msgspec

_encode = msgspec.json.Encoder(order="deterministic").encode
_PHASES = {"setup": 0, "playing": 1, "paused": 1, "over": 2}
OVER = _PHASES["over"]
_MOST_SHOWN = 50


class Told(NamedTuple):
    what: Any
    to: str
    at: float
    """Seconds since the beginning."""


class Game:
    """What one client of a room heard of one game, which the ledger knows under a table's id."""

    door: str

    def __init__(self, room: str, to: str, at: float) -> None:
        self.room = room
        self.to = to
        self.at = at
        self.table: str | None = None
        """Where it was found in the ledger."""
        self.over = False
        """They were told its end."""

    def is_in(self, log: list[Any]) -> bool:
        """Whether the log of a table has all of this."""
        raise NotImplementedError


class TowerGame(Game):
    door = "tower"

    def __init__(self, room: str, to: str, at: float) -> None:
        super().__init__(room, to, at)
        self.marks: dict[int, int] = {}

    def is_in(self, log: list[Any]) -> bool:
        placed = {(each["tile"], each["seat"]) for each in happened(log) if each["type"] == "placed"}
        return self.marks.items() <= placed

    def __str__(self) -> str:
        return f"marks (tile, seat) {sorted(self.marks.items())}{' and the end' if self.over else ''}"


class ToppleGame(Game):
    door = "topple"

    def __init__(self, room: str, to: str, at: float) -> None:
        super().__init__(room, to, at)
        self.stays: list[list[int]] = [[]]
        """The tiles of the moves that were heard, without a gap within each stay."""

    def is_in(self, log: list[Any]) -> bool:
        moves = [each["tile"] for each in happened(log) if each["type"] == "moved"]
        at = 0
        for heard in self.stays:
            last = len(moves) - len(heard)
            found = (start for start in range(at, last + 1) if moves[start : start + len(heard)] == heard)
            start = next(found, None)
            if start is None:
                return False
            at = start + len(heard)
        return True

    def __str__(self) -> str:
        return f"moves {self.stays}{' and the end' if self.over else ''}"


def happened(log: list[Any]) -> list[Any]:
    """What happened in the game itself."""
    return [each for event in log for each in event.get("events", ())]


class Table:
    """What was told of one table, by whatever door."""

    def __init__(self) -> None:
        self.events: dict[int, Told] = {}
        self.stamps: dict[int, Told] = {}
        self.summary: Told | None = None
        self.games: list[Game] = []
        self.unchecked = True
        """Something was told since it was last compared."""


class Model:
    def __init__(self) -> None:
        self._began = monotonic()
        self.tables: dict[str, Table] = {}
        self.games: list[Game] = []
        """Those of rooms, whose tables are yet to be found."""
        self.rooms: dict[str, set[str]] = {}
        """Tables of each room, as far as they are known."""
        self.rooms_of_one_game: set[str] = set()
        """Those of Topple clients among themselves. Where somebody of the page sits, a rematch goes on in the room."""
        self.listed: dict[str, Told] = {}
        """How far each room of the list for Topple clients had come."""
        self.files: dict[str, Told] = {}
        """Replays."""
        self.answers: dict[int, Told] = {}
        """To questions about positions, by how many moves were told back."""
        self.told = 0
        self.compared = 0
        self.compared_at: Counter[str] = Counter()
        """By the door at which it was told; what is compared over HTTP is not among it."""
        self.lost_at: Counter[str] = Counter()
        self.lost: list[str] = []
        self.more_lost = 0

    @property
    def now(self) -> float:
        return monotonic() - self._began

    def lose(self, what: str, told: Told | Game | None = None, *, door: str = "web") -> None:
        """Also what is read over HTTP counts for the web door."""
        self.lost_at[told.door if isinstance(told, Game) else door] += 1
        if len(self.lost) >= _MOST_SHOWN:
            self.more_lost += 1
            return
        first = "" if told is None else f", first told to {told.to} after {told.at:.1f} s"
        self.lost.append(f"after {self.now:.1f} s: {what}{first}")

    def table(self, id: str) -> Table:
        return self.tables.setdefault(id, Table())

    def level(self, id: str) -> int:
        """How many events of a table somebody knows of."""
        table = self.tables.get(id)
        return max(table.stamps, default=0) if table is not None else 0

    # What is told

    def event(self, table: str, number: int, event: Any, to: str) -> None:
        said = canonical(event)
        self._told(table, self.table(table).events, number, said, to, f"event {number} of table {table}")

    def stamp(self, table: str, seq: int, stamp: int, to: str) -> None:
        """The stamp that comes with an event's number is the same for ever."""
        what = f"the stamp of event {seq} of table {table}"
        self._told(table, self.table(table).stamps, seq, stamp, to, what)

    def _told(self, table: str, known: dict[int, Told], number: int, said: Any, to: str, what: str) -> None:
        """What was told once is told for ever."""
        self.told += 1
        first = known.get(number)
        if first is None:
            known[number] = Told(said, to, self.now)
            self.table(table).unchecked = True
        elif first.what != said:
            self.lose(f"{what} was {first.what!r} and is {said!r}", first)
            known[number] = Told(said, to, self.now)

    def summary(self, summary: Any, to: str, *, in_a_list: bool = False) -> None:
        """A table only goes on: from phase to phase, and its time with it. Lists do not tell of each move."""
        known = self.table(summary["id"])
        self.told += 1
        phase, outcome = _PHASES[summary["phase"]], canonical(summary.get("outcome"))
        changed = 0 if in_a_list else summary["changed"]
        if known.summary is not None:
            before, when, ended = known.summary.what
            changed = changed or when
            if phase < before or changed < when or (before == OVER and outcome != ended):
                now = (phase, changed, outcome)
                self.lose(f"table {summary['id']} was {known.summary.what} and is {now}", known.summary)
        known.summary = Told((phase, changed, outcome), to, self.now)
        known.unchecked = True
        if "room" in summary:
            self.rooms.setdefault(summary["room"], set()).add(summary["id"])

    def file(self, path: str, body: bytes, to: str) -> None:
        self.told += 1
        first = self.files.setdefault(path, Told(body, to, self.now))
        if first.what != body:
            self.lose(f"{path} was another file of {len(first.what)} bytes", first)

    def answer(self, moves: int, found: Any, to: str) -> None:
        """Whoever asks the same gets the same answer, from whichever server."""
        self.told += 1
        self.compared += moves in self.answers
        first = self.answers.setdefault(moves, Told(found, to, self.now))
        if first.what != found:
            self.lose(f"the position after {moves} moves was {first.what} and is {found}", first)

    def listing(self, room: str, phase: str, to: str) -> None:
        self.told += 1
        rank = ("wait", "play", "over").index(phase)
        first = self.listed.get(room)
        if first is not None and rank < first.what:
            self.lose(f"room {room} is back in phase {phase}", first)
        elif first is None or rank > first.what:
            self.listed[room] = Told(rank, to, self.now)

    def play(self, game: Game) -> None:
        """Somebody in a room begins to hear of a game."""
        self.games.append(game)

    def heard(self, game: Game) -> None:
        """They heard something more of it."""
        self.told += 1
        if game.table is not None:
            self.table(game.table).unchecked = True


def canonical(event: Any) -> bytes:
    """The same for everybody: only those at a table are told its key."""
    if isinstance(event, dict) and event.get("type") == "opened":
        event = {name: value for name, value in event.items() if name != "key"}
    return _encode(event)
