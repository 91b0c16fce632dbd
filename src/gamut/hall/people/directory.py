"""Who is who: what doors ask of a hall's people without waiting, in whichever wing they are, and how people come in."""

from abc import ABC, abstractmethod
from collections.abc import Callable

from gamut.hall.ids import PersonId
from gamut.hall.names.person_names import NameTaken, name_key
from gamut.hall.people.person import Credentials, Person
from gamut.hall.people.roll import PeopleIndex
from gamut.hall.people.settings import PeopleSettings
from gamut.hall.people.tokens import Claim, Tokens


class Directory(ABC):
    """Everybody is kept in memory, so that looking someone up never waits."""

    on_change: list[Callable[[Person], None]]
    """Called when somebody's name has changed, or a guest has become an account."""
    on_logout: list[Callable[[PersonId], None]]
    """Called when all sessions of somebody have become void: whoever serves them should let go."""
    on_delete: list[Callable[[PersonId], None]]
    """Called when somebody is no more: deleted themself, or a guest who stayed away."""
    leaving: set[PersonId]
    """Who is being deleted: their sessions are void already."""

    def __init__(self, settings: PeopleSettings, index: PeopleIndex, tokens: Tokens) -> None:
        self.settings = settings
        self._index = index
        self._tokens = tokens

    # Looking people up

    def __len__(self) -> int:
        return len(self._index)

    def person(self, id: PersonId) -> Person | None:
        row = self._index.get(id)
        return None if row is None else row.person

    def are_valid(self, credentials: Credentials) -> bool:
        person = self._staying(credentials.person)
        return person is not None and person.credentials == credentials

    def may_come(self, credentials: Credentials) -> bool:
        """Whether to let in whom another wing of the hall has let in a moment ago."""
        return self.are_valid(credentials)

    def as_of_now(self, person: Person) -> Person | None:
        """The same person; None if the sessions of that time are void."""
        now = self._staying(person.id)
        return now if now is not None and now.epoch == person.epoch else None

    def _staying(self, id: PersonId) -> Person | None:
        """Somebody who is not being deleted: whose sessions are void until that is done, or refused."""
        return None if id in self.leaving else self.person(id)

    def by_name(self, name: str) -> Person | None:
        row = self._index.named(name_key(name))
        return None if row is None else row.person

    def by_token(self, token: str) -> Person | None:
        """Whose token this is, if it is still good; that person has thereby been seen."""
        claim = self._claim(token)
        if claim is None:
            return None
        self.saw(claim.person)
        return self.person(claim.person)

    def issue(self, person: Person) -> str:
        return self._tokens.issue(person.id, person.epoch)

    def check_unregistered(self, name: str) -> None:
        """Raise NameTaken unless this name may be used at a door where nobody logs in.

        Such names belong to nobody: two people may have the same, or that of a guest, but none that looks
        like the name of an account or a bot.
        """
        row = self._index.named(name_key(name))
        if row is not None and row.password is not None:
            raise NameTaken
        self._index.check_looks(name)

    def _claim(self, token: str) -> Claim | None:
        """What a token says that is not void."""
        claim = self._tokens.read(token)
        row = None if claim is None else self._index.get(claim.person)
        return claim if claim is not None and row is not None and row.epoch == claim.epoch else None

    @abstractmethod
    def saw(self, id: PersonId) -> None:
        """Somebody is here now. To be called for those who stay connected, or their names become free."""

    # Coming in. The address is None for those whom this server itself lets in: no limit by address applies.

    @abstractmethod
    async def guest(self, name: str, address: str | None = None, *, numbered: bool = False) -> Person:
        """A new guest. If the name was not chosen by a person, it may get a number where it is taken."""

    @abstractmethod
    async def register(
        self, name: str, password: str, guest: PersonId | None = None, address: str | None = None
    ) -> Person:
        """A new account; or the guest becomes one and stays the same person."""

    @abstractmethod
    async def register_hashed(
        self,
        name: str,
        hash: str,
        guest: PersonId | None = None,
        address: str | None = None,
        *,
        at_once: bool = False,
    ) -> Person:
        """The same for a client that sends the hash of name and password. How long that is only the client knows.

        `at_once`: for a new client that does not wait long. The account is stored before its slow hash is made, in turn
        with all others; until then its owner is recognised.
        """

    @abstractmethod
    async def login(
        self, name: str, password: str, address: str | None = None, token: str | None = None
    ) -> Person:
        """The token is what the browser had from an earlier time; it need not be good any more."""

    @abstractmethod
    async def login_hashed(
        self, name: str, hash: str, address: str | None = None, token: str | None = None
    ) -> Person:
        """For a client that sends the hash of name and password; PasswordNeeded where that cannot be checked yet."""
