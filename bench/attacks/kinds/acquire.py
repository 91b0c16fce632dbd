"""The door for clients of Acquire: a crowded lobby, asked for as a whole again and again."""

from pathlib import Path

from bench import startup
from bench.attacks.sockets import Message, Socket
from bench.attacks.target import Target, address, together
from gamut.games.acquire.options import AcquireOptions
from gamut.hall.hall import Hall
from gamut.hall.ids import new_person_id
from gamut.hall.live.opening import Opening
from gamut.hall.table import commands as c
from gamut.hall.table.seats import Sitter

_GAMES = 10_000
_RATE = 45


def past(folder: Path) -> None:
    """A ledger with thousands of games that are on, at each of which one person plays alone."""
    startup.fill(folder, _GAMES, _play_alone)


def _play_alone(hall: Hall, number: int) -> None:
    person = new_person_id()
    options = AcquireOptions(mode="singles_1")
    live = hall.open(Opening(game="acquire", options=options, room=str(number + 1), start="full"), person)
    hall.do(live, c.Sit(Sitter(person, f"player {number}")))


class _Follower(Socket):
    """Somebody who reads, and counts the games that there are."""

    wants_all = True

    def __init__(self, target: Target) -> None:
        super().__init__(target)
        self.games = 0
        self.times = 0
        """How often everything was told."""

    def heard(self, message: Message) -> None:
        if message["type"] == "Lobby":
            self.games += len(message.get("checkpoint", {}).get("games", ()))
            self.games += sum(event["type"] == "GameCreated" for event in message.get("events", ()))
        elif message["type"] == "Ok":
            self.times += 1

    def ask(self) -> None:
        self.say({"type": "LobbyConnect", "id": 1, "lastEventIndex": 0})


async def acquire_lobby(target: Target) -> None:
    """Everything in the Acquire lobby, 10,000 games, asked for again and again by one connection without a log-in."""
    follower = await _Follower.open(target, "/acquire", address=address(1))
    await follower.hears(lambda message: message["type"] == "Initial")
    attacker = await Socket.open(target, "/acquire", address=address())
    await target.prepared()

    async def ask() -> None:
        async for _ in target.ticks(_RATE):
            attacker.say({"type": "LobbyConnect", "id": 1, "lastEventIndex": 0})

    async def follow() -> None:
        asked = 0
        async for _ in target.ticks(1):
            if follower.times == asked:
                follower.ask()
                asked += 1

    await together([ask(), follow()])
    target.note(f"{attacker.heard_bytes >> 20} MB heard by the attacker")
    target.note(f"{follower.games} games told in {follower.times} times to who follows")
    target.expect(not follower.closed.is_set(), "whoever reads is not let go")
    target.expect(follower.games >= _GAMES, "whoever reads is told of every game")
