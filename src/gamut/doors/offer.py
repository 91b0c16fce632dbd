"""What a door brings along: where it is, how it is spoken to, and what it must hear of.

The server knows doors only by this description, and loops over it: a new door is a folder and a line in `registry.py`.
Where a door is follows from its settings alone (`Entrances`), so its ports can be opened by a process that has no hall.
"""

from collections.abc import Awaitable, Callable
from contextlib import AbstractAsyncContextManager
from typing import Annotated, Any

import msgspec
from msgspec import Meta

from gamut.doors.http import Route
from gamut.doors.session import Session
from gamut.hall.hall import Hall
from gamut.hall.ids import PersonId
from gamut.hall.people.directory import Directory
from gamut.hall.people.person import Person
from gamut.hall.store.journal import Wire

PortNumber = Annotated[int, Meta(ge=0, le=65_535)]
"""As a setting; 0 turns the port off."""


class Premises(msgspec.Struct, frozen=True):
    """What a door finds when it is opened."""

    hall: Hall
    people: Directory
    secret: str
    """The server's secret, the same after every start."""


class Newcomer(msgspec.Struct, frozen=True):
    """Somebody who comes to a door."""

    address: str
    query: str = ""
    """Of a WebSocket's address, as it was sent, with its percent signs."""
    person: Person | None = None
    """Who they are by the session cookie of the page, at doors that ask for it."""
    cookie: str = ""
    """The Cookie header as it came, at the same doors, as long as nobody has looked whose session it names."""


Recognise = Callable[[Newcomer], Newcomer]
"""Puts the person in place of the cookie."""
SessionOn = Callable[[Wire, Newcomer], Session]


class WebSockets(msgspec.Struct, frozen=True, kw_only=True):
    """An entrance that speaks WebSocket."""

    largest: int
    """Bytes of a message beyond which none is read."""
    by_cookie: bool = False
    """The session cookie of the page says who comes, so pages of foreign origin are kept out."""


class Lines(msgspec.Struct, frozen=True, kw_only=True):
    """An entrance that speaks lines of UTF-8 over TCP, each with LF at its end."""

    largest: int
    """Bytes of a line, without its end, beyond which none is read."""
    refusal: Callable[[str], bytes]
    """What is said to a client that is not let in, for this reason, before the connection ends."""
    greeting_seconds: float | None = None
    """In which a client must say what it came for; None: as is set for all doors."""
    message_burst: int | None = None
    """Messages of one connection that may come at once; None: as is set for all doors."""
    idle_seconds: float | None = None
    """After so long without a word from a client its connection ends; None: never."""
    keep_alive: bool = True
    """The system asks a silent client whether it is still there, as often as WebSockets are pinged."""


class Port(msgspec.Struct, frozen=True, kw_only=True):
    """A port of a door's own. Of WebSockets, its path is `/`."""

    name: str
    title: str
    """Who comes there, as the server says when it has opened."""
    number: int
    speaks: WebSockets | Lines
    tls: bool = False
    """Only for lines, and open only if the operator has given a certificate."""
    certificate: str = ""
    """For this port alone: a PEM file in place of the certificate that is set for all of them."""
    key: str = ""


class Entrances(msgspec.Struct, frozen=True, kw_only=True):
    """Where a door is, and what is spoken there."""

    paths: tuple[str, ...] = ()
    """Of the main port."""
    sockets: WebSockets | None = None
    """What is spoken at those paths."""
    ports: tuple[Port, ...] = ()


class Offer(msgspec.Struct, frozen=True, kw_only=True):
    """One door, ready to be opened."""

    name: str
    door: Any
    """The door itself (`hall/live/audience.py`)."""
    session_type: type[Any]
    """Of its sessions (`base_session.py`), at whichever entrance."""
    routes: tuple[Route, ...] = ()
    """Addresses of the main port."""
    new_room: Callable[[], AbstractAsyncContextManager[str]] | None = None
    """A name for a new table of the game, of the kind that the protocol has. The table is to be opened as long as this
    lasts. Raises Refused if there is none left."""
    before_stopping: Callable[[], None] | None = None
    """For a protocol that has a word for a server that is about to stop. It is called before every session hears
    `closing`, and newcomers are let in until the end, so that they can be told."""
    renamed: Callable[[Person], None] | None = None
    logged_out: Callable[[PersonId], None] | None = None
    """All sessions of this person have become void."""
    deleted: Callable[[PersonId], None] | None = None

    def session(self, wire: Wire, newcomer: Newcomer) -> Session:
        """Of somebody who comes."""
        found: Session = self.session_type.new(self.door, wire, newcomer)
        return found


class DoorKind(msgspec.Struct, frozen=True):
    """A door that this server can open."""

    name: str
    settings: type[msgspec.Struct]
    """What an operator can set: a field `echo_port` is the flag `--echo-port` and the variable
    `GAMUT_ECHO_PORT`, and the text beside its type is the help. What ends in `_port` is the number of a port."""
    entrances: Callable[[Any], Entrances]
    """Where the door is with those settings."""
    open: Callable[[Premises, Any], Awaitable[Offer]]
    """Called with those settings."""
    game: str | None = None
    """The game that the door is for: where it is not offered, the door stays closed."""
    sees_all_tables: bool = False
    """Its clients are told of every table of the game there is: all of them are in the main wing (`gamut.hall.wings`),
    and so are its sessions."""
    is_list: bool = False
    """Its clients see the list of tables and come to none: its sessions are in the main wing, which has that list."""

    @property
    def is_at_main(self) -> bool:
        """Whether the door is open in the main wing alone."""
        return self.sees_all_tables or self.is_list


class NoSettings(msgspec.Struct, frozen=True):
    """Of a door about which there is nothing to set."""
