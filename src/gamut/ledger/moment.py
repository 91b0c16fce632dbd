"""When a stored event happened, without a look at what it is."""

import msgspec

from gamut.hall.ids import Millis


class _Moment(msgspec.Struct):
    at: Millis


_moment = msgspec.json.Decoder(_Moment)


def moment_of(body: bytes) -> Millis:
    """When an event happened; 0 if its body does not say."""
    try:
        return _moment.decode(body).at
    except msgspec.DecodeError:
        return Millis(0)
