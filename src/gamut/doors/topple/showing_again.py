"""The board once more, for whoever has come into a game that goes on.

A client needs a moment before it takes anything in, and it takes in a board later than the message behind it: what is
played meanwhile is lost to it. Whoever has the board anew has everything.
"""

from typing import TYPE_CHECKING

from gamut.doors.topple import introducing as intro
from gamut.doors.topple import views
from gamut.hall.ids import Millis
from gamut.hall.live import LiveTable

if TYPE_CHECKING:
    from gamut.doors.topple.session import ToppleSession

_TAKEN_IN = Millis(100)
"""So long a client may take over a board."""
_MOST = 5
"""Where moves come one upon the other all the time."""


def show_again(session: "ToppleSession", live: LiveTable, times: int = _MOST) -> None:
    """In a moment; and again, if somebody has moved right upon it."""
    told = live.table.last_play, live.table.phase

    def show() -> None:
        if session.live is not live:
            return
        table = live.table
        frames = [views.board(table.state)]
        if (table.last_play, table.phase) != told:
            frames += intro.how_it_stands(session.door, live)
        session.send(*frames)
        if times > 1:
            session.hall.time.later(_TAKEN_IN, lambda: look(table.last_play))

    def look(shown: int) -> None:
        if session.live is live and live.table.last_play != shown:
            show_again(session, live, times - 1)

    session.hall.time.later(session.door.settings.shown_again, show)
