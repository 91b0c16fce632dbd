"""Games of this hall as files: finished ones as `.topl`, suspended ones as `.stpl`."""

from gamut.doors.keys import Keys
from gamut.games.topple.files.formats import REPLAY, SUSPENSION
from gamut.hall.files.recording import file_of, suspended_file_of
from gamut.hall.ids import Millis
from gamut.hall.live.live_table import LiveTable


def replay(live: LiveTable, keys: Keys) -> bytes:
    """The file of a game that was played to its end."""
    return file_of(live, REPLAY, None, keys.fingerprint)


def suspension(live: LiveTable, keys: Keys, now: Millis) -> bytes:
    """The file with which a game can go on later, here or elsewhere."""
    return suspended_file_of(live, SUSPENSION, now, keys.fingerprint)
