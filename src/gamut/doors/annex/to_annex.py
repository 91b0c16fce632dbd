"""What the main wing tells an annex: in msgpack, each message with its length before it, as several come at once."""

import msgspec

from gamut.hall.ids import PersonId
from gamut.hall.people.person import Person

_HEAD = 4


class TellAll(msgspec.Struct, frozen=True, tag="all"):
    """The annex is to say everything that it has, and to read anew who everybody is: whatever was said before may have
    been lost."""


class Changed(msgspec.Struct, frozen=True, tag="changed"):
    """Somebody is new, or has another name, an account, or another epoch, and that is stored. Or they were to be
    erased, and are not being deleted any more."""

    person: Person


class Gone(msgspec.Struct, frozen=True, tag="gone"):
    """Somebody is no more."""

    person: PersonId


class Erase(msgspec.Struct, frozen=True, tag="erase"):
    """Somebody is being deleted: all their sessions are void. The annex is to take them out of its tables, and to
    answer with this number when that is stored."""

    number: int
    person: PersonId


ToAnnex = TellAll | Changed | Gone | Erase

_encode = msgspec.msgpack.Encoder().encode
_decode = msgspec.msgpack.Decoder(ToAnnex).decode


def framed(message: ToAnnex) -> bytes:
    body = _encode(message)
    return len(body).to_bytes(_HEAD, "big") + body


def read(data: bytes) -> list[ToAnnex]:
    """The messages in what was written at once. Raises DecodeError."""
    found: list[ToAnnex] = []
    at = 0
    while at < len(data):
        begin = at + _HEAD
        at = begin + int.from_bytes(data[at:begin], "big")
        found.append(_decode(data[begin:at]))
    return found
