"""Talk in the lobby, at a table, and among those who watch."""

from typing import TYPE_CHECKING

from gamut.doors.tafl import from_client as f
from gamut.doors.tafl.dialects import Rejected
from gamut.hall.live.live_table import LiveTable
from gamut.hall.table import commands as c
from gamut.hall.table.deciding.talk import MOST_CHARACTERS, cleaned
from gamut.hall.table.events import Channel

if TYPE_CHECKING:
    from gamut.doors.tafl.session import TaflSession


def _pieces(text: str) -> list[str]:
    """The text in lines of the length that one may have here; the protocol allows longer ones."""
    words, lines = " ".join(text.split()), []
    while len(words) > MOST_CHARACTERS:
        # Better between two words, if there is a blank.
        end = words.rfind(" ", MOST_CHARACTERS // 2, MOST_CHARACTERS + 1)
        end = MOST_CHARACTERS if end < 0 else end
        lines.append(words[:end])
        words = words[end:].lstrip()
    return [*lines, words]


def _text(rest: str) -> list[str]:
    # What cannot be seen is left out, and if nothing is left it is no message.
    return [cleaned(piece) for piece in _pieces(f.chat(rest))]


def lobby_chat(session: "TaflSession", rest: str) -> None:
    for piece in _text(rest):
        session.hall.say(session.person, session.name, piece)


def game_chat(session: "TaflSession", rest: str) -> None:
    """Of a player, to everybody at the table. In dialect O watchers say it, too, and are heard by each other."""
    pieces, live = _text(rest), session.live
    if live is None:
        raise Rejected("not-in-game")
    seated = live.table.seat_of(session.person) is not None
    if seated or live.table.one_chat:
        _say(session, live, pieces, "table")
    elif session.dialect == "O":
        _say(session, live, pieces, "kibitz")
    else:
        raise Rejected("not-in-game")


def spectator_chat(session: "TaflSession", rest: str) -> None:
    pieces, live = _text(rest), session.live
    if live is None or live.table.seat_of(session.person) is not None:
        raise Rejected("not-in-game")
    _say(session, live, pieces, "kibitz")


def _say(session: "TaflSession", live: LiveTable, pieces: list[str], channel: Channel) -> None:
    for piece in pieces:
        session.send(session.do(live, c.Say(session.person, session.name, piece, channel)))
