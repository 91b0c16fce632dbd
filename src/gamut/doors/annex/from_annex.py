"""What an annex tells the main wing of its hall, each message in msgpack."""

import msgspec

from gamut.games.game import Refused
from gamut.hall.ids import PersonId, TableId
from gamut.hall.lobby.summary import Summary


class Hello(msgspec.Struct, frozen=True, tag="hello"):
    """The first message."""

    wing: int
    wings: int
    """How many the hall has, as the annex knows it."""
    node: int
    """The number of its owner."""


class AllFollows(msgspec.Struct, frozen=True, tag="all"):
    """What is not told from here to `ThatWasAll` is no more."""


class Somebody(msgspec.Struct, frozen=True, array_like=True):
    """A person as the annex has them now."""

    id: PersonId
    here: bool
    """Connected there."""
    tables: list[TableId] = []
    """Of the annex, at which they have a seat; private ones, too."""


class Told(msgspec.Struct, frozen=True, omit_defaults=True, tag="told"):
    """How things stand now, of whatever has changed. All of it is stored."""

    tables: list[Summary] = []
    gone: list[TableId] = []
    """Tables that are not shown any more, or never were."""
    people: list[Somebody] = []


class ThatWasAll(msgspec.Struct, frozen=True, tag="that"):
    """See `AllFollows`."""


class Erased(msgspec.Struct, frozen=True, tag="erased"):
    """The answer to `Erase`."""

    number: int
    fine: bool
    """It is done, and stored."""


FromAnnex = Hello | AllFollows | Told | ThatWasAll | Erased

encode = msgspec.msgpack.Encoder().encode
_decode = msgspec.msgpack.Decoder(FromAnnex).decode


def parsed(data: bytes) -> FromAnnex:
    try:
        found: FromAnnex = _decode(data)
    except (msgspec.DecodeError, UnicodeDecodeError) as error:
        raise Refused("bad_message", f"No message of an annex: {error}.") from None
    return found
