"""The hall with the Tafl door added and no sockets: clients say lines, and read lines."""

from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from typing import Any
from uuid import UUID

from tests.doors.support.inn import QUICK, Connected, Inn, Register

from gamut.doors.offer import Newcomer
from gamut.doors.tafl.door import TaflDoor
from gamut.doors.tafl.naming import Guids
from gamut.doors.tafl.session import TaflSession
from gamut.games.game import AnyGame
from gamut.games.tafl.rules import Tafl
from gamut.games.tafl.variants import rules_by_name
from gamut.hall.ids import PersonId
from gamut.hall.live.live_table import LiveTable
from gamut.hall.names.person_names import NameRefused, NameTaken, clean_name
from gamut.hall.people.passwords import check_password
from gamut.hall.people.person import Person, WrongLogin
from gamut.hall.people.prehash import check_prehash, prehashed
from gamut.hall.settings import HallSettings

BRANDUB = rules_by_name()["brandub"]
TIMED = "300000|30000/3|0"
"""Five minutes, three times half a minute."""

# Eight plies after which the king stands in a corner.
WON = ("a4-a3", "c4-c2", "a3-a4", "d4-c4", "a4-a3", "c4-c7", "a3-a4", "Kc7-a7")
RECORDS = ("a4-a3", "c4-c2", "a3-a4", "Kd4-c4", "a4-a3", "Kc4-c7", "a3-a4", "Kc7-a7")


def guid(number: int) -> str:
    return str(UUID(int=number + 0x1000))


def game_password(word: str) -> str:
    return prehashed("", word)


class Accounts(Register):
    """People who log in with a password or its hash, in memory."""

    def __init__(self) -> None:
        super().__init__()
        self._hashes: dict[PersonId, str] = {}

    def person(self, id: PersonId) -> Person | None:
        return self.people.get(id)

    def by_name(self, name: str) -> Person | None:
        return next((p for p in self.people.values() if p.name.casefold() == name.casefold()), None)

    async def register_hashed(
        self,
        name: str,
        hash: str,
        guest: PersonId | None = None,
        address: str | None = None,
        *,
        at_once: bool = False,
    ) -> Person:
        check_prehash(hash)
        if clean_name(name) != name:
            raise NameRefused("Not like that.")
        if self.by_name(name) is not None:
            raise NameTaken
        person = self.add(name, guest=False)
        self._hashes[person.id] = hash
        return person

    async def login_hashed(
        self, name: str, hash: str, address: str | None = None, token: str | None = None
    ) -> Person:
        check_prehash(hash)
        person = self.by_name(name)
        if person is None or self._hashes.get(person.id) != hash:
            raise WrongLogin
        return person

    async def register(
        self, name: str, password: str, guest: PersonId | None = None, address: str | None = None
    ) -> Person:
        check_password(password)
        return await self.register_hashed(name, prehashed(name, password))

    async def login(
        self, name: str, password: str, address: str | None = None, token: str | None = None
    ) -> Person:
        person = self.by_name(name)
        return await self.login_hashed(name, prehashed(name if person is None else person.name, password))


class Client(Connected):
    """One connection at the Tafl door."""

    inn: "TaflInn"
    session: TaflSession

    def __init__(self, inn: "TaflInn", address: str = "127.0.0.1") -> None:
        super().__init__(inn, lambda wire: TaflSession.new(inn.tafl, wire, Newcomer(address)))

    def _told(self, data: bytes) -> list[str]:
        assert not data or data.endswith(b"\n"), "whole lines"
        return data.decode().split("\n")[:-1]

    def say(self, text: str) -> list[str]:
        """Say something; what comes of it at once."""
        return self.raw_say(text.encode())


class TaflInn(Inn):
    people: Accounts

    def __init__(self, settings: HallSettings = QUICK, bots: Any = None, *, waiting: bool = False) -> None:
        self._waiting = waiting
        """Whether bots wait in the list of games."""
        self._accounts = Accounts()
        super().__init__(settings, bots)

    def _open(self) -> None:
        self.people = self._accounts
        super()._open()

    def _more_games(self) -> Mapping[str, AnyGame]:
        return {"tafl": Tafl()}

    def _open_doors(self) -> None:
        self.tafl = TaflDoor(self.hall, self.people, bots=self._waiting)  # type: ignore[arg-type]  # as far as needed

    def _name_tables(self) -> None:
        self.run(self.hall.naming.use("tafl", Guids()))

    def client(self, name: str, kind: str = "") -> Client:
        """Somebody who is logged in: in dialect S, in O (kind 7) or in S+ (kind ext)."""
        client = Client(self)
        heard = client.say(f'login "{name}" {prehashed(name, "secret")} {kind}'.strip())
        assert heard[0].startswith("success"), heard
        return client

    def table(self, number: int = 1) -> LiveTable:
        live = self.run(self.hall.find("tafl", guid(number)))
        self.settle()
        assert isinstance(live, LiveTable)
        return live

    def playing(self, *, time: str = "", kinds: tuple[str, str] = ("", "")) -> tuple[Client, Client]:
        """Ann attacks and Bob defends, and both know it."""
        ann, bob = self.client("Ann", kinds[0]), self.client("Bob", kinds[1])
        create(ann, time=time)
        join(bob)
        for client in (ann, bob):
            if client.session.dialect != "O":
                client.say("ready-for-game")
        assert self.table().table.phase == "playing"
        ann.read(), bob.read()
        return ann, bob


def create(
    client: Client,
    number: int = 1,
    side: str = "attackers",
    *,
    time: str = "",
    password: str = "",
    rules: str = BRANDUB,
    combine: bool = False,
    replay: bool = False,
) -> list[str]:
    if client.session.dialect == "O":
        flags = f"combinechat:{str(combine).lower()} allowreplay:{str(replay).lower()}"
        words = f"{side} {password or 'none'} {time or '0|0/0|0'} {rules}"
        return client.say(f"create-game {guid(number)} {flags} {words}")
    return client.say(
        " ".join(filter(None, ("create-game", guid(number), side, password or "open", time, rules)))
    )


def join(client: Client, number: int = 1, password: str = "") -> list[str]:
    if client.session.dialect == "O":
        return client.say(f"join-game {guid(number)} false {password or 'none'}")
    return client.say(f"join-game {guid(number)} {password}".strip())


def spectate(client: Client, number: int = 1, password: str = "") -> list[str]:
    if client.session.dialect == "O":
        return client.say(f"spectate {guid(number)} true {password or 'none'}")
    return client.say(f"spectate-game {guid(number)} {password}".strip())


@contextmanager
def tafl_inn(settings: HallSettings = QUICK, bots: Any = None, *, waiting: bool = False) -> Iterator[TaflInn]:
    house = TaflInn(settings, bots, waiting=waiting)
    try:
        yield house
    finally:
        house.close()
