"""The board once more, for whoever has come into a game, with the scores, and with the winner where it is over.

A client needs a moment before it takes anything in, and it takes in a board later than the message behind it: what is
played meanwhile is lost to it, and so are the scores and the end. Whoever has the board anew has everything.
"""

from typing import TYPE_CHECKING, NamedTuple

from gamut.doors.topple import introducing as intro
from gamut.doors.topple import to_client as t
from gamut.doors.topple import views
from gamut.hall.ids import Millis
from gamut.hall.live.live_table import LiveTable

if TYPE_CHECKING:
    from gamut.doors.topple.session import ToppleSession

_TAKEN_IN = Millis(100)
"""So long a client may take over a board."""
_MOST = 5
"""Where moves come one upon the other all the time."""


class _Moment(NamedTuple):
    """How far a game has come."""

    last_play: int
    phase: str


def show_again(session: "ToppleSession", live: LiveTable) -> None:
    """In a moment; and again, if somebody has moved right upon it."""
    _show_later(session, live, _moment(live), _MOST)


def _show_later(session: "ToppleSession", live: LiveTable, told: _Moment, times: int) -> None:
    """`told` is the last that the client is sure to have taken in."""

    def show() -> None:
        if session.live is not live:
            return
        moment = _moment(live)
        frames = [views.board(live.table.state)]
        if told.phase == "paused" and moment.phase == "playing":
            frames.append(t.RESUMED)
        if moment != told or moment.phase == "over":
            frames += intro.how_it_stands(session.door, live)
        else:
            frames += intro.scores_of(live)
        session.send(*frames)
        if times > 1:
            session.hall.time.later(_TAKEN_IN, lambda: look(moment))

    def look(shown: _Moment) -> None:
        if session.live is live and _moment(live) != shown:
            _show_later(session, live, shown, times - 1)

    session.hall.time.later(session.door.settings.shown_again, show)


def _moment(live: LiveTable) -> _Moment:
    return _Moment(live.table.last_play, live.table.phase)
