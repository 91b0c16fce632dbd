"""People on the page who take other names, make accounts, log out everywhere and delete themselves."""

from asyncio import Task
from collections.abc import Callable, Coroutine
from random import Random
from typing import Any, Protocol

from tests.simulation.people_of_wings import PeopleOfMain
from tests.simulation.surroundings import Call, Surroundings
from tests.simulation.told import Broken
from tests.simulation.web_hearing import Heard
from tests.simulation.web_people import WebPerson

from gamut.games.game import Refused
from gamut.hall.ids import PersonId
from gamut.hall.people.person import NotStored, Person, WrongLogin

_PASSWORD = "a good password"
Asked = Callable[[PeopleOfMain], Coroutine[Any, Any, None]]


class Registry(Protocol):
    """The world, as far as residents ask it for something over HTTP."""

    def at_main(self, ask: Asked) -> "Task[None] | None":
        """Ask the server of the main wing; None: there is none. Who asks hears nothing more when it is gone."""
        ...

    def new_name(self) -> str: ...

    def answered(self, answer: str) -> None:
        """Somebody was told this."""
        ...

    def will_be_erased(self, person: PersonId) -> None:
        """Something of them may be gone from here on."""
        ...

    def is_erased(self, person: PersonId) -> None:
        """They were told that it is done."""
        ...

    def has_ended(self, label: str, call: Call) -> None:
        """They were told that it has."""
        ...


class Resident(WebPerson):
    """Has one life after the other. Another screen (the twin) is the same person's, and learns what this one knows."""

    def __init__(
        self, world: Surroundings, registry: Registry, number: int, twin: "Resident | None" = None
    ) -> None:
        super().__init__(world, number, twin)
        self._registry = registry
        self._home: Resident = self if twin is None else twin
        self._screens: list[Resident] = [self]
        if twin is not None:
            twin._screens.append(self)
        self._life = 0
        self._life_here = 0
        """The one that this screen has heard of."""
        self._token_here: str | None = None
        """With which this screen has come."""
        self._may_be_void = False
        """Something was asked for since the token was given that makes it void."""
        self._was_void = False
        """At any time before."""
        self._void_meanwhile: Call | None = None
        """What is told over this connection may be from a time in which the token was void."""
        self._is_out = False
        """The token is void. Whoever has an account can log in."""
        self.wants_to_go = False
        """They have asked to be deleted, and were not told that they are."""
        self._asking: Task[None] | None = None

    @property
    def is_asking(self) -> bool:
        return self._asking is not None and not self._asking.done()

    # What this person does

    def act(self) -> None:
        if self._is_out and not self.connected:
            self._ask(self._log_in)
        else:
            super().act()

    def _come(self) -> None:
        if self._life_here != self._home._life:
            self._life_here = self._home._life
            self._person = None
            self.tables.clear()
        if self._twin is not None and self._home._is_out:
            return
        self._token_here = self._home._token
        super()._come()

    # What this person asks for over HTTP

    def want_something(self, chance: Random) -> None:
        """By chance; and, if they were not deleted, perhaps that again."""
        if self._token is None or self._is_out or self.is_asking:
            return
        wish = Resident._be_deleted if self.wants_to_go and chance.random() < 0.5 else chance.choice(_WISHES)
        self._ask(lambda people: wish(self, people))

    def ask_to_be_deleted(self) -> None:
        self._ask(self._log_in if self._is_out else self._be_deleted)

    def _ask(self, wish: Asked) -> None:
        if not self.is_asking:
            self._asking = self._registry.at_main(lambda people: self._try(wish, people))

    async def _try(self, wish: Asked, people: PeopleOfMain) -> None:
        try:
            await wish(people)
        except NotStored:
            self._answered("not stored")
            if not (self.wants_to_go or people.is_ended()):
                raise Broken(f"what {self.label} asked for was not stored") from None
        except Refused as refused:
            raise Broken(f"{self.label} was refused what they asked for: {refused.code}") from refused

    def _me(self, people: PeopleOfMain) -> Person | None:
        """As the server knows this browser."""
        person = None if self._token is None else people.by_token(self._token)
        if person is None:
            self._is_unknown()
        return person

    def _is_unknown(self) -> None:
        if not self._may_be_void:
            raise Broken(f"{self.label} is not known any more, and has done nothing for it")
        self._is_out = True

    async def _be_renamed(self, people: PeopleOfMain) -> None:
        person, name = self._me(people), self._registry.new_name()
        if person is None:
            return
        self._world.trace(f"{self.label}, {person.name}, wants to be called {name}")
        if person.guest:
            await people.rename(person.id, name)
        else:
            await people.rename_account(person.id, name, _PASSWORD)
        self._name = name
        self._answered("renamed")

    async def _register(self, people: PeopleOfMain) -> None:
        person = self._me(people)
        if person is None or not person.guest:
            return
        self._world.trace(f"{self.label}, {person.name}, wants an account")
        self._name = person.name
        self._will_be_void()
        account = await people.register(person.name, _PASSWORD, person.id)
        self._answered("registered")
        self._ends_all()
        self._has_come(people.issue(account))

    async def _log_out(self, people: PeopleOfMain) -> None:
        person = self._me(people)
        if person is None:
            return
        self._world.trace(f"{self.label}, {person.name}, wants to be logged out everywhere")
        self._name = person.name
        self._will_be_void()
        await people.log_out_everywhere(person.id)
        self._answered("logged out")
        self._ends_all()
        self._is_out = True

    async def _be_deleted(self, people: PeopleOfMain) -> None:
        person = self._me(people)
        if person is None:
            return
        self._world.trace(f"{self.label}, {person.name}, wants to be deleted")
        self._name = person.name
        self.wants_to_go = True
        void_before = self._may_be_void
        self._registry.will_be_erased(person.id)
        self._will_be_void()
        try:
            if not person.guest:
                await people.confirm(person.id, _PASSWORD)
            await people.delete(person.id)
        except NotStored:
            self._may_be_void = void_before
            for screen in self._screens:
                screen._void_meanwhile = screen._connection
            raise
        self._answered("deleted")
        self._ends_all()
        self._registry.is_erased(person.id)
        self._begin_anew()

    async def _log_in(self, people: PeopleOfMain) -> None:
        """Whoever has no account, or none any more, or does not know under which name, is somebody else from now on."""
        try:
            person = await people.login(self._name, _PASSWORD)
        except WrongLogin:
            self._begin_anew()
        else:
            self._has_come(people.issue(person))

    def _answered(self, answer: str) -> None:
        self._world.trace(f"{self.label} is told: {answer}")
        self._registry.answered(answer)

    def _will_be_void(self) -> None:
        self._may_be_void = self._was_void = True

    def _has_come(self, token: str) -> None:
        self._token = token
        self._is_out = self._may_be_void = False

    def _begin_anew(self) -> None:
        self._life += 1
        self._name, self._token = self._registry.new_name(), None
        self._is_out = self._may_be_void = self.wants_to_go = False

    def _ends_all(self) -> None:
        for screen in self._screens:
            if screen.connected and screen._welcome:
                assert screen._connection is not None
                self._registry.has_ended(screen.label, screen._connection)

    # What this person hears

    def _welcomed(self, heard: Heard) -> None:
        super()._welcomed(heard)
        if heard.token is not None:
            self._home._has_come(heard.token)

    def _refused(self, heard: Heard) -> None:
        home = self._home
        if heard.code == "logged_out":
            if not home._was_void:
                raise Broken(f"{self.label} was logged out, and had not asked for it")
        elif heard.code != "bad_token":
            super()._refused(heard)
        elif self._connection is self._void_meanwhile:
            self._hang_up()
        elif self._token_here == home._token and not home.is_asking:
            home._is_unknown()
            self._hang_up()
        else:
            self._hang_up()  # it is about to be another one, or none


_WISHES: tuple[Callable[[Resident, PeopleOfMain], Coroutine[Any, Any, None]], ...] = (
    Resident._be_renamed,
    Resident._be_renamed,
    Resident._register,
    Resident._log_out,
    Resident._be_deleted,
)
