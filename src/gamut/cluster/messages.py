"""What gateways and owners tell each other, and everybody who listens.

A *unit* is what one side tells the other at once: it is read whole or not at all.
"""

from typing import Annotated, Final, Literal

import msgspec

from gamut.hall.ids import Seq, TableId
from gamut.hall.wings import MAIN

PROTOCOL = 3
"""Of everything in here. A gateway attaches only to an owner that speaks the same."""

NODES = "nodes"
"""The subject on which everybody says again and again that they are there."""

Number = int
"""Of a connection, at its gateway; never used again there."""

Name = Annotated[str, msgspec.Meta(max_length=100)]
"""Of a node, as it is set, or of a gateway or standby, as it is drawn: whoever is called anything longer is made up."""

OF_AN_ANNEX = "annex-"
"""The beginning of the id of a gateway that an annex has for itself, to the main wing: no client is there, and it does
not say that it is there."""

Kind = Literal[0, 1, 2, 3, 4]
"""What a frame is: a message, or what the gateway found wrong with one (`gamut.doors.session.Session`)."""
TEXT: Final = 0
BINARY: Final = 1
OVERSIZED: Final = 2
RATE_LIMITED: Final = 3
FLOODED: Final = 4


def subject_of_owner(node: int) -> str:
    return f"to.owner.{node}"


def subject_of_gateway(id: str) -> str:
    return f"to.gateway.{id}"


# For everybody


class OwnerHere(msgspec.Struct, frozen=True, tag="owner"):
    node: int
    """Whoever has a higher number has ended all those before it in the same wing."""
    name: Name
    protocol: int
    # What follows is for operators. Nodes of other versions may say less, or more.
    id: str = ""
    """Of its process, which may have several wings, and stands by for the others."""
    version: str = ""
    tables: int = 0
    """Unfinished ones."""
    sockets: int = 0
    """At gateways."""
    moves: float = 0.0
    """A second, lately."""
    lease_age: float | None = None
    """Seconds since the lease was renewed."""
    wing: int = MAIN
    """Of the hall, which is this owner's."""
    wings: int = 1
    """How many there are. Whoever counts otherwise would look for tables where they are not."""
    # And this for gateways that hold something.
    stored: int = 0
    """How many batches of this owner are stored."""
    before: int = 0
    """The number of the owner before it; 0: there was none."""
    before_stored: int = 0
    """How many batches of that one are stored. They will not become more."""


class StandbyHere(msgspec.Struct, frozen=True, tag="standby"):
    """A node that is the owner of a wing when its turn comes."""

    id: Name
    """Of its process."""
    name: Name
    version: str = ""
    wing: int = MAIN


class GatewayHere(msgspec.Struct, frozen=True, tag="gateway"):
    id: Name
    name: Name
    protocol: int
    version: str = ""
    sockets: int = 0
    owner: int = 0
    """The number of the owner that hears everybody here; 0: none does just now."""
    silence: float = 0.0
    """Seconds for which that one was not heard."""
    wing: int = MAIN
    """For each wing of the hall a gateway says this once: it has an id of its own there, a link, and an owner."""


class OwnerGone(msgspec.Struct, frozen=True, tag="gone"):
    """An owner has handed over: it is the turn of somebody who stands by, if they have not noticed yet."""

    node: int
    wing: int = MAIN
    to: Name = ""
    """The process whose turn it is. Others wait for it, but not for long."""


Here = OwnerHere | StandbyHere | GatewayHere | OwnerGone
"""Whoever does not know a kind passes over it, and over fields that it does not know."""


# To an owner


class Frame(msgspec.Struct, frozen=True, gc=False, array_like=True, tag=0):
    """What a client said, in the order in which it did, from 1 on."""

    connection: Number
    count: int
    kind: Kind
    data: bytes = b""


class Hello(msgspec.Struct, frozen=True, array_like=True, tag=1):
    """The beginning of a link."""

    gateway: Name


class Opened(msgspec.Struct, frozen=True, array_like=True, tag=2):
    """Somebody has come to a door."""

    connection: Number
    door: str
    address: str
    query: str
    cookie: str
    """The header, at doors that ask for it."""


class Told(msgspec.Struct, frozen=True, array_like=True, tag=3):
    """Up to which event those at a table were told what happens there. It comes before whoever is attached."""

    table: TableId
    seq: Seq


class Attached(msgspec.Struct, frozen=True, array_like=True, tag=4):
    """Somebody who was at another owner, or at this one over a link that is broken."""

    connection: Number
    door: str
    handled: int
    """How many frames were dealt with; those after it follow."""
    state: bytes


class AllAttached(msgspec.Struct, frozen=True, array_like=True, tag=5):
    """That was everybody."""


class Lost(msgspec.Struct, frozen=True, gc=False, array_like=True, tag=6):
    """A connection is gone. What it said before is dealt with first."""

    connection: Number


class Took(msgspec.Struct, frozen=True, gc=False, array_like=True, tag=7):
    """How many bytes a client has taken in all since the link began."""

    connection: Number
    bytes: int


class Parting(msgspec.Struct, frozen=True, array_like=True, tag=8):
    """The gateway stops: this client is to be told, and finds everything as it was."""

    connection: Number
    soon: bool = False
    """Not yet, but nothing is dealt with that the client says from here on; once more, and then it is. A client whose
    protocol has no word for that is told at once. (An owner that does not know this field tells everybody at once.)"""


class Leaving(msgspec.Struct, frozen=True, array_like=True, tag=9):
    """The gateway has stopped: nobody is connected there any more."""


class Knows(msgspec.Struct, frozen=True, gc=False, array_like=True, tag=10):
    """The gateway has what it was told before it was asked to `Know`."""

    connection: Number


class Comes(msgspec.Struct, frozen=True, array_like=True, tag=11):
    """Somebody comes from another wing of the hall, where they are at no table, or have a session of their own."""

    connection: Number
    door: str
    state: bytes
    """Of the session there."""
    stays: bool = False
    """That one goes on: what is here is only a part of it (`BaseSession.is_spread`)."""
    again: bool = False
    """It was said before, over a link that is broken: perhaps something was done that the gateway did not hear of."""


ToOwner = (
    Frame | Hello | Opened | Told | Attached | AllAttached | Lost | Took | Parting | Leaving | Knows | Comes
)


# To a gateway


class Say(msgspec.Struct, frozen=True, gc=False, array_like=True, tag=0):
    data: bytes
    connections: list[Number]


class Point(msgspec.Struct, frozen=True, gc=False, array_like=True, tag=1):
    """A connection has been told everything up to here."""

    connection: Number
    handled: int
    """How many of its frames are dealt with; opening the session comes before the first."""
    greeted: bool = False


class State(msgspec.Struct, frozen=True, gc=False, array_like=True, tag=2):
    """From this another session can go on; it is as of the point that follows."""

    connection: Number
    packed: bytes
    """Empty: none could go on from how things stand just now."""
    tables: tuple[TableId, ...] = ()
    """Of which the gateway has to know up to where they were told."""


class Mark(msgspec.Struct, frozen=True, gc=False, array_like=True, tag=3):
    """Everybody at this table has been told what happened there, up to this event. Of the lobby's talk: all that was
    said there by frames up to here is among these lines."""

    table: TableId
    seq: Seq


class Close(msgspec.Struct, frozen=True, array_like=True, tag=4):
    connection: Number
    code: int
    reason: str


class Cut(msgspec.Struct, frozen=True, array_like=True, tag=5):
    """End the connection without a word, or after a fault of ours."""

    connection: Number
    fault: bool


class Go(msgspec.Struct, frozen=True, array_like=True, tag=6):
    """All who were attached are taken up or closed."""


class Ended(msgspec.Struct, frozen=True, array_like=True, tag=7):
    """This owner has handed over: whoever is attached next goes on from here."""


class After(msgspec.Struct, frozen=True, array_like=True, tag=8):
    """At the beginning of a unit: it is held until this batch of the owner's is stored, and all that follows waits."""

    batch: int


class LetOut(msgspec.Struct, frozen=True, array_like=True, tag=9):
    """The batches up to this number are stored. It is a unit by itself."""

    batch: int


class Know(msgspec.Struct, frozen=True, gc=False, array_like=True, tag=10):
    """Before this the gateway was told that a connection follows another table: it is to say that it has that, held
    or not. It is a unit by itself."""

    connection: Number


class Elsewhere(msgspec.Struct, frozen=True, array_like=True, tag=11):
    """A frame of this connection is about something in another wing of the hall: nothing was done here, and it is to be
    said there. The next point counts it as dealt with."""

    connection: Number
    count: int
    """Of the frame; 0: its coming."""
    wing: int
    stays: bool
    """The session goes on here; else it goes there as it is at the next point, with all frames from this one on."""


ToGateway = Say | Point | State | Mark | Close | Cut | Go | Ended | After | LetOut | Know | Elsewhere

NONSENSE = (msgspec.DecodeError, UnicodeDecodeError)
"""What decoding raises. (Of texts that are no UTF-8 msgspec says so in Python's own words.)"""
encode = msgspec.msgpack.Encoder().encode
here = msgspec.msgpack.Decoder(Here).decode
to_owner = msgspec.msgpack.Decoder(list[ToOwner]).decode
to_gateway = msgspec.msgpack.Decoder(list[ToGateway]).decode
