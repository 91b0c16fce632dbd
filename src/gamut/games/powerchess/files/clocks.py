"""The clock as a tag has it: `300+5`, in seconds."""

import re

from gamut.games.files import TimeControl
from gamut.games.powerchess.files.record import Record

_CONTROL = re.compile(r"([0-9]{1,7}(?:\.[0-9]{1,3})?)\+([0-9]{1,7}(?:\.[0-9]{1,3})?)")


def control_in(record: Record) -> TimeControl | None:
    """How the time was limited, if the file says so in words that can be understood."""
    found = _CONTROL.fullmatch((record.tag("TimeControl") or "").strip())
    if found is None:
        return None
    main, increment = (round(float(seconds) * 1000) for seconds in found.groups())
    return TimeControl(style="bank", main=main, increment=increment) if main else None
