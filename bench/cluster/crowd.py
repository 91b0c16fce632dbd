"""Everybody who plays, and all that they were told."""

import asyncio
from collections import Counter, defaultdict, deque
from collections.abc import Callable, Collection
from functools import partial
from random import Random
from time import monotonic, time
from typing import Any

from tests.simulation.surroundings import Hear, Surroundings
from tests.simulation.told import Broken, Told

from bench.attacks.target import Target, address
from bench.cluster.calls import PlayersCall
from bench.cluster.moves import Moves
from bench.cluster.pauses import Pauses
from bench.cluster.players.acquire import AcquirePlayer
from bench.cluster.players.party import Party, Player
from bench.cluster.players.powerchess import PowerPlayer
from bench.cluster.players.tafl import TaflPlayer
from bench.cluster.players.topple import TopplePlayer
from bench.cluster.players.tower import TowerPlayer
from bench.cluster.players.web import GAMES, WebPlayer
from bench.cluster.sockets import Sockets
from bench.cluster.wings import Played
from bench.division import wing_of
from bench.pace import say
from bench.soak.stage import DOOR_OF, PATHS
from gamut.hall.ids import PersonId, TableId
from gamut.hall.wings import WHOLE, Wings

_COMES_BACK = (0.05, 0.3)
"""Seconds after which somebody who was cut off tries again."""
_REMEMBERED = 12
_LONGEST = 160
_SILENT = "play"
"""A door that says nothing to whoever comes, before they do."""
_UNANSWERED = b'{"type":"unwatch"', b"leave-game "
"""How a message begins that is waited for by nobody."""
_LONG = 5.0
"""Seconds of waiting that are worth a line."""
_MAKERS: tuple[tuple[str, int, Callable[[Surroundings, int, Party], Player]], ...] = (
    ("web", 0, WebPlayer),
    ("topple", 2, TopplePlayer),
    ("tafl", 2, TaflPlayer),
    ("acquire", 2, AcquirePlayer),
    ("powerchess", 2, PowerPlayer),
    ("tower", 3, TowerPlayer),
)


class _Remembered(Told):
    """And how late it was at the server whenever it said so."""

    def __init__(self, wings: Wings) -> None:
        super().__init__(lambda now, table: now, at_once=False)
        self._wings = wings
        self.ahead: dict[int, float] = {}
        """By how many milliseconds server time is ahead of ours, by wing; of those where anybody has said so since it
        was asked last."""

    def times(self, table: str, now: int, phase: str, clock: dict[str, Any] | None) -> None:
        super().times(table, now, phase, clock)
        # What took longer to get here looks as if it were later there.
        wing, ahead = self._wings.of_table(TableId(table)), now - 1000 * time()
        self.ahead[wing] = max(self.ahead.get(wing, ahead), ahead)


class Crowd(Surroundings):
    def __init__(self, target: Target, games: int, seed: int, pause: float, wings: Wings = WHOLE) -> None:
        """`pause`: seconds for which somebody thinks."""
        self._wings = wings
        self.remembered = _Remembered(wings)
        super().__init__(Random(seed), self.remembered)
        self._target = target
        self._pause = pause
        self._calls: dict[str, PlayersCall] = {}
        self._parties_of: dict[str, tuple[Party, Player]] = {}
        self._at: dict[str, int] = {}
        """Everybody has an address of their own."""
        self._numbers: Counter[str] = Counter()
        self.heard: Counter[str] = Counter()
        """Messages, by door."""
        self.broken: list[str] = []
        self.connections = 0
        self.pauses = Pauses()
        self.timed = Moves()
        self.played = Played()
        self._last: defaultdict[str, deque[str]] = defaultdict(lambda: deque(maxlen=_REMEMBERED))
        self.closes: Counter[str] = Counter()
        """How connections were ended by the other side, by door and code."""
        self.parties = [self._party(number) for number in range(games)]
        self._tasks: list[asyncio.Task[None]] = []

    def _party(self, number: int) -> Party:
        door, size, maker = _MAKERS[number % len(_MAKERS)]
        party = Party(door, number // len(_MAKERS))
        for _ in range(size or GAMES[party.number % len(GAMES)][1]):
            player = maker(self, self._numbers[door], party)
            self._numbers[door] += 1
            party.players.append(player)
            self._parties_of[player.label] = party, player
            self._at[player.label] = len(self._at)
        return party

    @property
    def players(self) -> list[Player]:
        return [player for party in self.parties for player in party.players]

    @property
    def moves(self) -> int:
        return sum(party.moves for party in self.parties)

    @property
    def refusals(self) -> Counter[str]:
        return sum((party.refusals for party in self.parties), Counter())

    @property
    def byes(self) -> int:
        """How often somebody on the page was told that the server is about to stop."""
        return sum(player.heard_bye for player in self.players if isinstance(player, WebPlayer))

    def wing_of(self, party: Party) -> int | None:
        """In which the game is that they play; None: they play none."""
        return wing_of(self._wings, party.door, party.where)

    def places(self) -> dict[str, int | None]:
        """The wing where each player plays."""
        return {player.label: self.wing_of(party) for party in self.parties for player in party.players}

    # Living

    def start(self) -> None:
        self._tasks = [asyncio.ensure_future(self._live(player)) for player in self.players]

    async def stop(self) -> None:
        """Everybody stops to act; what is on its way to them is still heard."""
        for task in self._tasks:
            task.cancel()
        for error in await asyncio.gather(*self._tasks, return_exceptions=True):
            if error is not None and not isinstance(error, asyncio.CancelledError):
                self.broken.append(f"a player of ours failed: {error!r}")
        self._tasks = []

    async def leave(self) -> None:
        for call in self._calls.values():
            call.cut()
        await asyncio.gather(*(call.ended.wait() for call in self._calls.values()))

    async def _live(self, player: Player) -> None:
        await asyncio.sleep(self.chance.uniform(0.0, 2 * self._pause))
        while True:
            if not player.connected:
                player.crashed()
            try:
                player.act()
            except Broken as broken:
                self.broken.append(f"{player.label}: {broken}")
            pause = (0.5 * self._pause, 1.5 * self._pause) if player.back else _COMES_BACK
            await asyncio.sleep(self.chance.uniform(*pause))

    async def come_back(self, seconds: float) -> tuple[dict[str, float], list[str]]:
        """Wait until everybody has been back, if not all at the same moment: where a game ends, its players come anew.
        When that was, door by door, and who has not been."""
        gone = [(party.door, player) for party in self.parties for player in party.players]
        last: dict[str, float] = {}

        def all_back() -> bool:
            last.update((door, monotonic()) for door, player in gone if player.back)
            gone[:] = [(door, player) for door, player in gone if not player.back]
            return not gone

        await self.wait_until(all_back, seconds)
        return last, [player.label for _, player in gone]

    async def wait_until(self, so: Callable[[], bool], seconds: float) -> bool:
        until = monotonic() + seconds
        while not so():
            if monotonic() > until:
                return False
            await asyncio.sleep(0.01)
        return True

    # Connections

    def connected(self) -> dict[str, PlayersCall]:
        return {label: call for label, call in self._calls.items() if call.is_connected}

    def since(
        self, before: dict[str, PlayersCall], at_struck: Collection[str], lost: Collection[str]
    ) -> dict[str, Sockets]:
        """What has become of these, door by door. Who hung up does not count. `at_struck`: whose sockets were at the
        very node that was struck. `lost`: who has not come back."""
        found: dict[str, Sockets] = {}
        for label, call in before.items():
            if call.hung_up:
                continue
            sockets = found.setdefault(self._parties_of[label][0].door, Sockets())
            if label in at_struck:
                sockets.at_struck += 1
            elif call.open:
                sockets.stayed += 1
            else:
                sockets.closed += 1
            sockets.came_back += not call.open and label not in lost
        return found

    def last(self, label: str) -> str:
        """What somebody said and heard last."""
        return f"{label} ({', '.join(self._last[label])})"

    def _said(self, label: str, door: str, data: bytes) -> None:
        if not data.startswith(_UNANSWERED):
            self.pauses.said(label)
        self.timed.said(label, door, data)
        self._last[label].append(f"> {_shown(data)}")

    def _left(self, label: str) -> None:
        self.pauses.left(label)
        self.timed.forget(label)

    def _note_end_of(self, call: PlayersCall | None) -> None:
        if call is not None and not call.hung_up and call.was_connected:
            self.closes[f"{call.door} {call.closed_with}"] += 1
            self._last[call.label].append(f"closed {call.closed_with}")

    # As the people have it

    def call(
        self, door: str, label: str, hear: Hear, *, query: str = "", cookie: str | None = None
    ) -> PlayersCall:
        paths = PATHS.get(door)
        path = None if paths is None else self.chance.choice(paths) + (f"?{query}" if query else "")
        headers = None if cookie is None else {"Cookie": f"gamut_session={cookie}"}
        name = DOOR_OF.get(door, door)
        party, player = self._parties_of[label]

        def counted(kind: int, body: bytes) -> None:
            self.heard[name] += 1
            waited = self.pauses.heard(label)
            self.timed.heard(label, body)
            self._last[label].append(f"< {_shown(body)}")
            if waited > _LONG:
                say(f"{self.last(label)} waited for {waited:.1f} s")
            before = player.progress
            hear(kind, body)
            if party.heard(before, player):
                self.timed.moved(label)
                self.played.heard(self.wing_of(party))

        def failed(error: BaseException) -> None:
            self.broken.append(f"{label}: {error if isinstance(error, Broken) else repr(error)}")

        self.connections += 1
        self._note_end_of(self._calls.get(label))
        self.timed.forget(label)
        if door == _SILENT:
            self._left(label)
        else:
            # To come is to ask for something.
            self._said(label, name, f"comes {query}".encode())
        call = self._calls[label] = PlayersCall(
            *(self._target, path, counted, failed),
            address=address(self._at[label]),
            headers=headers,
            label=label,
            door=name,
            said=partial(self._said, label, name),
            left=partial(self._left, label),
        )
        return call

    def sitter(self, game: str, room: str, seat: int) -> PersonId | None:
        return None


def _shown(data: bytes) -> str:
    return data[:_LONGEST].decode(errors="replace")
