"""The JSON form of a recorded game: the fields of `Record` under their own names, bytes in base64.

Fields that have their usual value are left out. `docs/games/topple.md` describes it for people.
"""

import msgspec

from gamut.games.topple.files.record import BadFile, Record


def as_json(record: Record) -> bytes:
    return msgspec.json.encode(record)


def from_json(text: bytes) -> Record:
    """Raises BadFile if it is not the JSON of a record. What types cannot say is checked when it is written."""
    try:
        return msgspec.json.decode(text, type=Record)
    except (msgspec.DecodeError, UnicodeDecodeError) as error:
        raise BadFile("damaged", f"This is not a Topple game in JSON: {error}.") from None
