"""What the nodes have stored, compared with all that anybody was told; and whether games ended as games do."""

from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping

from tests.simulation.log import Log
from tests.simulation.told import Told

from bench.cluster import charges
from bench.stores.comparison import Comparison
from bench.stores.stored import Stored
from gamut.hall.ids import TableId
from gamut.hall.table import codec
from gamut.hall.table import events as e

_LAST_EVENTS = 6
_CLOCKS_DIFFER = 250
"""In milliseconds: when a fault struck is known by the players' clock, or by that of PostgreSQL."""


class ComparedGames:
    def __init__(self, told: Told) -> None:
        self.compared: Counter[str] = Counter()
        """Tables, games and seats, by door."""
        self.lost: list[str] = []
        self._comparison = Comparison(
            told, self.compared, lambda door, what: self.lost.append(f"{door}: {what}")
        )
        self.given_up: dict[TableId, str] = {}
        """Games that ended otherwise than by what was played."""
        self._told = told
        self._finished: set[TableId] = set()
        self._forgotten = 0
        """Games that were finished, and of which nothing is known any more."""
        self.wrong: list[str] = []
        self.logs: dict[TableId, Log] = {}
        """Those that were read when it was last compared."""

    def look(self, store: Stored, *, all: bool = False) -> None:
        self.logs = self._comparison.look(store, all=all).logs
        for table, log in self.logs.items():
            self._ended_well(table, log)
            self._done_once(table, log)

    @property
    def finished(self) -> int:
        return self._forgotten + len(self._finished)

    def over(self) -> list[TableId]:
        """The tables that were over when they were last compared, and of which nothing was told since."""
        known = self._told.tables
        return [
            table
            for table, log in self.logs.items()
            if log.now.phase == "over" and not (table in known and known[table].fresh)
        ]

    def forget(self, tables: Iterable[TableId]) -> None:
        """They are not compared any more; who is told of one of them all the same has it compared anew."""
        for table in tables:
            self._told.tables.pop(table, None)
            self.logs.pop(table, None)
            if table in self._finished:
                self._finished.discard(table)
                self._forgotten += 1

    def owned_by_others(
        self, stored_by: Mapping[tuple[TableId, int], int], tables: Iterable[TableId]
    ) -> list[str]:
        """Events of these tables that are not of the node that had them. `stored_by`: the node of each event."""
        found = []
        for table in tables:
            log, owner = self.logs[table], 0
            for seq, event in enumerate(log.events, 1):
                if type(event) is e.Handed:
                    if event.node <= owner:
                        found.append(
                            f"table {table} was handed to node {event.node} after {owner}: event {seq}"
                        )
                    owner = event.node
                by = stored_by.get((table, seq), owner)
                if seq > 1 and log.states[seq - 2].phase == "over":
                    # What is over is handed to nobody: people stand up from it wherever the hall is then.
                    owner = max(owner, by)
                if owner and by != owner:
                    what = codec.encode(event).decode()
                    found.append(
                        f"event {seq} of table {table} is of node {by}, and node {owner} has it: {what}"
                    )
        return found

    def charged_after(self, moment: float, has: Callable[[TableId], bool]) -> float | None:
        """How many milliseconds any clock lost after this moment, until another node had its table; None: none ran.
        `has`: of which tables."""
        logs = (log for table, log in self.logs.items() if has(table))
        return max((charged for log in logs for charged in _charged_after(log, moment)), default=None)

    def _done_once(self, table: TableId, log: Log) -> None:
        """Nobody of ours says the same twice."""
        said = Counter(event.text for event in log.events if type(event) is e.Said)
        twice = [
            f"{text!r} was said once at table {table}, and is there {times} times"
            for text, times in said.items()
            if times > 1
        ]
        self.wrong += [each for each in twice if each not in self.wrong]

    def _ended_well(self, table: TableId, log: Log) -> None:
        if log.now.phase == "over" and any(type(event) is e.Started for event in log.events):
            self._finished.add(table)
        for state, event in zip(log.states, log.events, strict=True):
            playing = state.phase in ("playing", "paused")
            why: str | None = None
            if type(event) is e.Played and event.why != "acted":
                why = event.why
            elif type(event) is e.WaitedOut or (type(event) is e.Stood and playing):
                why = type(event).__name__
            elif type(event) is e.Closed and any(type(each) is e.Started for each in log.events):
                why = f"closed, {event.why}"
            if why is not None:
                self.given_up[table] = (
                    f"the game of {log.now.game} at table {table}: {why}; its last events: {_last_events(log)}"
                )


def _last_events(log: Log) -> str:
    first = max(0, len(log.events) - _LAST_EVENTS)
    return ", ".join(
        f"{number} {codec.encode(event).decode()}"
        for number, event in enumerate(log.events[first:], first + 1)
    )


def _charged_after(log: Log, moment: float) -> Iterator[float]:
    """What the seats have lost that were to act, beyond what they had thought until then."""
    for at, event in enumerate(log.events):
        if type(event) in (e.Handed, e.Woken) and event.at >= moment:
            for taken, since in charges.lost(log, at):
                # Where somebody has played since, the table had a node, which has handed it over once more.
                if since <= moment + _CLOCKS_DIFFER:
                    yield max(0.0, taken - max(0.0, moment - since))
        if type(event) is e.Handed and event.at >= moment:
            # Whoever is cut off later than that could play until then.
            return
