"""What anybody was ever told, from the bytes that came over their wires and from nothing else."""

from collections.abc import Callable
from typing import Any

import msgspec

from gamut.hall.ids import PersonId, TableId
from gamut.hall.table.without import UNSAID

_decode = msgspec.json.Decoder().decode


class Broken(AssertionError):
    """The server broke a promise."""


class Telling(msgspec.Struct, gc=False):
    """Events of a table, as one client heard them."""

    after: int
    seq: int
    person: PersonId | None
    events: list[msgspec.Raw]
    over: bool
    """The game had ended by then."""


class ToldTable:
    """All that anybody heard of one table."""

    def __init__(self) -> None:
        self.upto = 0
        """The last event of which somebody knows."""
        self.checked = 0
        self.checksum = b""
        """Of all events up to `checked`, which were compared with the log, and are not kept any more."""
        self.tellings: list[Telling] = []
        self.pictures: list[tuple[PersonId, dict[str, Any]]] = []
        self.summaries: dict[bytes, None] = {}
        self.words: dict[str, PersonId | None] = {}
        """What a client said here and knows to have been taken, and whose it is."""
        self.key: str | None = None
        self.successor: str | None = None
        self.outcome: Any = None
        self.times: dict[int, tuple[int, int]] = {}
        """What each seat had on its clock, and when."""

    @property
    def fresh(self) -> bool:
        """Something was told since all of it was compared."""
        return bool(
            self.tellings or self.pictures or self.summaries or self.words or self.upto > self.checked
        )


class Game:
    """One game as a client of a game's own door heard it: from a position on, its moves in order, its end."""

    def __init__(self, game: str, room: str, position: Any) -> None:
        self.game = game
        self.room = room
        self.position = position
        """None: from the first move on."""
        self.moves: list[tuple[int, int]] = []
        """Where and whose."""
        self.result: Any = None
        self.going_on = True


class Told:
    def __init__(self, uptime: Callable[[int, TableId], int | None], *, at_once: bool = True) -> None:
        self._uptime = uptime
        """How long the server of this table had been up in all at some moment: nobody's clock runs while it is down.
        None: there was none just then, but for one that was ended and did not know it."""
        self._at_once = at_once
        """Everybody hears what is written in that moment. Over a network, one may hear sooner than another."""
        self.count = 0
        self.tables: dict[TableId, ToldTable] = {}
        self.talk: dict[int, bytes] = {}
        """Lines of the lobby, by the number that is in each of them."""
        self.games: list[Game] = []
        self.seats: dict[tuple[str, str, int, str], None] = {}
        """Game, room, seat and name of those who came in by doors of a game's own."""

    def table(self, table: str) -> ToldTable:
        found = self.tables.get(TableId(table))
        if found is None:
            found = self.tables[TableId(table)] = ToldTable()
        return found

    def events(
        self,
        table: str,
        after: int,
        seq: int,
        person: PersonId | None,
        events: list[msgspec.Raw],
        over: bool,
    ) -> None:
        self.count += len(events)
        if len(events) > seq - after:
            raise Broken(f"{len(events)} events of table {table} were told as {after + 1} to {seq}")
        told = self.table(table)
        told.upto = max(told.upto, seq)
        if events:
            told.tellings.append(Telling(after, seq, person, events, over))

    def picture(self, person: PersonId, picture: dict[str, Any]) -> None:
        self.count += 1
        told = self.table(picture["table"])
        if self._at_once and picture["seq"] < told.upto:
            raise Broken(
                f"table {picture['table']} was shown as of event {picture['seq']}, after event {told.upto} was told"
            )
        told.upto = max(told.upto, picture["seq"])
        told.pictures.append((person, picture))

    def knows(self, table: str, seq: int) -> None:
        """Somebody heard that there is an event of this number."""
        told = self.table(table)
        told.upto = max(told.upto, seq)

    def ended(self, table: str, outcome: Any) -> None:
        told = self.table(table)
        if told.outcome is not None and told.outcome != outcome:
            raise Broken(f"table {table} ended with {told.outcome}, and then with {outcome}")
        told.outcome = outcome

    def summary(self, table: str, summary: bytes) -> None:
        self.count += 1
        self.table(table).summaries[summary] = None

    def opened(self, table: str, key: str) -> None:
        self.count += 1
        self.table(table).key = key

    def moved(self, table: str, to: str) -> None:
        self.count += 1
        self.table(table).successor = to

    def line(self, said: bytes) -> None:
        self.count += 1
        text = _decode(said)["text"]
        if text == UNSAID:
            return  # whoever said it is no more
        number = number_in(text)
        if self.talk.setdefault(number, said) != said:
            raise Broken(f"line {number} of the lobby was told as {self.talk[number]!r} and as {said!r}")

    def times(self, table: str, now: int, phase: str, clock: dict[str, Any] | None) -> None:
        """Nobody's time gets shorter by more than the time that passed while the server was up."""
        told = self.table(table)
        if clock is None or phase == "setup":
            told.times.clear()
            return
        moment = self._uptime(now, TableId(table))
        if moment is None:
            return
        for seat, time in enumerate(clock["times"]):
            left = _left(clock["setting"], time)
            if seat in clock["running"]:
                left = max(0, left - max(0, now - clock["since"]))
            known = told.times.get(seat)
            if known is not None and moment <= known[0]:
                # Who is told several things in one piece hears the last of them before others hear the first.
                continue
            if known is not None and left < known[1] - (moment - known[0]):
                raise Broken(
                    f"seat {seat} of table {table} had {known[1]} ms left and, {moment - known[0]} ms later, {left}"
                )
            told.times[seat] = moment, left

    def game(self, game: str, room: str, position: Any = None) -> Game:
        begun = Game(game, room, position)
        self.games.append(begun)
        return begun


def number_in(text: str) -> int:
    """The number of a line that somebody said in the lobby."""
    return int(text.split()[1])


def _left(setting: dict[str, Any], time: dict[str, Any]) -> int:
    main: int = time["main"]
    if setting["kind"] != "overtime" or not time["periods"]:
        return main
    rest: int = time["overtime"] + (time["periods"] - 1) * setting["length"]
    return main + rest
