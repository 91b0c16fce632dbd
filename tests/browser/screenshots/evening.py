"""An evening in the hall, so that there is something to be seen: people who play, wait, watch and talk."""

from collections.abc import Sequence
from random import Random
from typing import Any

from msgspec import convert, to_builtins
from tests.browser.support.elsewhere import Guest, Hall, Opened
from tests.browser.support.names import Names
from tests.net.support.clients import WebClient

from gamut.games.game import Seat
from gamut.games.registry import all_games

BOTS = {"topple": 1, "tafl": 1, "acquire": 3, "powerchess": 1, "tower": 2}
"""How many of them somebody plays against who is alone."""
OPENING = {"topple": 14, "tafl": 6, "acquire": 24, "powerchess": 9, "tower": 2}
"""Own actions after which a game is worth a picture."""
_SAID = ("Anyone for a round of Tafl?", "Give me five minutes, then yes.", "Table is open, green board.")


_LOOK = 1_000_000
"""The number of a question that nothing else asks."""


class PlainNames(Names):
    """On a server of its own nobody needs a number behind their name."""

    def unique(self, name: str) -> str:
        return name


class Evening:
    def __init__(self, hall: Hall, me: Guest, seed: int) -> None:
        self._hall = hall
        self._me = me
        self._chance = Random(seed)
        self.playing: dict[str, Opened] = {}
        self.ended: dict[str, Opened] = {}
        self.half: dict[str, int] = {}
        """The move in the middle of each game that has ended."""

    def begin(self) -> None:
        for game, bots in BOTS.items():
            self.ended[game] = self._against_bots(self._me, game, bots)
            self.half[game] = self._play(self._me, self.ended[game], game, None) // 2
            self.playing[game] = self._against_bots(self._me, game, bots)
            self._play(self._me, self.playing[game], game, OPENING[game])
        self.waiting = self._hall.seat("topple", self._me, private=False, seats=3)
        self._others()

    def _others(self) -> None:
        ida, otto, pia = (self._hall.guest(name) for name in ("Ida", "Otto", "Pia"))
        for game, host in (("tafl", ida), ("acquire", otto), ("tower", pia)):
            self._hall.seat(game, host, private=False)
        for game, (host, friend) in {"powerchess": (ida, otto), "topple": (otto, pia)}.items():
            self._play_together(game, host, friend)
        self._against_bots(pia, "tafl", 1, private=False)
        for guest, text in zip((ida, otto, ida), _SAID, strict=True):
            guest.ask("say", text=text)

    def _against_bots(self, player: Guest, game: str, bots: int, *, private: bool = True) -> Opened:
        level = all_games()[game].traits.levels[1].name
        return self._hall.seat(game, player, bots=[level] * bots, private=private, seats=bots + 1)

    def _play_together(self, game: str, *players: Guest) -> None:
        table = self._hall.seat(game, *players, private=False, seats=len(players))
        self._hall.wait_for(self._played_together([player.client for player in players], table, game))

    async def _played_together(self, clients: Sequence[WebClient], table: Opened, game: str) -> None:
        for _ in range(len(clients) * OPENING[game]):
            awaited = (await _look(clients[0], table))["awaited"]
            for seat in awaited:
                await self._act(clients[seat], table, game, await _look(clients[seat], table))

    def _play(self, player: Guest, table: Opened, game: str, actions: int | None) -> int:
        """So many own actions, or to the end; how many moves there are then."""
        return self._hall.wait_for(self._played(player.client, table, game, actions))

    async def _played(self, client: WebClient, table: Opened, game: str, actions: int | None) -> int:
        done = 0
        while True:
            told = await _look(client, table)
            if told["phase"] != "playing":
                return int(told["seq"])
            if told["you"] not in told["awaited"]:
                # Events, or all of it anew.
                while (await client.receive()).get("table") != table.id:
                    pass
            elif done == actions:
                return done
            else:
                await self._act(client, table, game, told)
                done += 1

    async def _act(self, client: WebClient, table: Opened, game: str, told: dict[str, Any]) -> None:
        """What a bot would do in this place."""
        rules = all_games()[game]
        state = convert(told["state"], rules.state_type)
        action = rules.choose(state, Seat(told["you"]), rules.traits.levels[1].name, self._chance)
        await client.sure("act", table=table.id, action=to_builtins(action))


async def _look(client: WebClient, table: Opened) -> dict[str, Any]:
    """The table as it is now, and not as it was told some time ago."""
    await client.send({"type": "watch", "table": table.id, "id": _LOOK})
    told: dict[str, Any] | None = None
    while (message := await client.receive()).get("id") != _LOOK:
        if message.get("table") == table.id:
            told = message if message["type"] == "table" else None
    # What happened between the table and the answer would not be heard of again.
    return told or await _look(client, table)


def pages(evening: Evening) -> Sequence[tuple[str, str]]:
    """Every page, by what its picture is called."""
    found = [
        ("lobby", "/"),
        ("setup", evening.waiting.path),
        ("me", "/me"),
        ("settings", "/settings"),
        ("log-in", "/login"),
        ("nowhere", "/no/such/page"),
    ]
    for game in BOTS:
        found += [
            (f"{game}-playing", evening.playing[game].path),
            (f"{game}-end", evening.ended[game].path),
            (f"{game}-review", f"{evening.ended[game].path}/{evening.half[game]}"),
            (f"{game}-how-to-play", f"/play/{game}"),
            (f"{game}-lesson", f"/learn/{game}"),
        ]
    return found
