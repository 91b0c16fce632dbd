"""What happened at a table, as the frames that everybody there gets."""

from typing import TYPE_CHECKING

from gamut.doors.telling import Telling
from gamut.doors.tower import to_client as t
from gamut.games.game import Seat
from gamut.games.tower.rules import Placed
from gamut.hall.ids import PersonId
from gamut.hall.live.audience import News
from gamut.hall.live.live_table import LiveTable
from gamut.hall.table import events as e
from gamut.hall.table.deciding.bot_names import shown_name
from gamut.hall.table.seats import BotSitter
from gamut.hall.table.state import Table

if TYPE_CHECKING:
    from gamut.doors.tower.door import TowerDoor
    from gamut.doors.tower.session import TowerSession


def ordinary_mark(live: LiveTable, news: News) -> bytes | None:
    """A mark that did not end the game, which is nearly all that is ever told; else None."""
    events, after = news.events, news.after
    event = events[0]
    if len(events) > 1 or type(event) is not e.Played or after.phase != "playing":
        return None
    placed: Placed = event.events[0]
    turn: Seat = after.state.turn
    return t.MARK_AND_TURN[placed.seat][placed.tile][turn]


class TowerTelling(Telling["TowerDoor"]):
    """Everybody hears the same, but for whoever has just come in."""

    __slots__ = ("_newcomers", "_same")

    def __init__(self, door: "TowerDoor", live: LiveTable, news: News) -> None:
        super().__init__(door, live, news)
        self._same = b"".join(_told(news))
        self._newcomers = {event.sitter.person: event for event in news.events if type(event) is e.Sat}

    def kind(self, session: "TowerSession") -> PersonId | None:
        return session.person if session.person in self._newcomers else None

    def frames(self, kind: PersonId | None) -> bytes:
        if kind is None:
            return self._same
        sat, before = self._newcomers[kind], self.news.before
        welcome = _welcome(before, sat.seat)
        if before.phase == "setup":
            welcome += self.door.unheard(self.live, sat.sitter.name, sat.seat)
        return welcome + self._same


def _welcome(table: Table, seat: Seat) -> bytes:
    """What only the newcomer gets, ahead of what everybody hears. The table is as it was before."""
    frames = [t.room_joined(seat)]
    frames += [t.player_joined(shown_name(holder), present) for present, holder in table.present()]
    if table.vacated:
        frames.append(t.board_state(table.state.marks if table.state is not None else None))
    return b"".join(frames)


def _told(news: News) -> list[bytes]:
    before, after = news.before, news.after
    frames: list[bytes] = []
    played = False
    for event in news.events:
        kind = type(event)
        if kind is e.Played:
            played = True
            frames += [
                t.MARK_PLACED[happened.seat][happened.tile]
                for happened in event.events
                if type(happened) is Placed
            ]
        elif kind is e.Sat:
            frames.append(t.player_joined(event.sitter.name, event.seat))
        elif kind is e.BotSat:
            frames.append(t.player_joined(shown_name(BotSitter(event.level, event.name)), event.seat))
        elif kind is e.Stood:
            # Somebody lost with the server was never announced to those who came back since.
            if not before.is_lost(event.seat):
                frames.append(t.player_left(event.seat))
        elif kind is e.Woken:
            lost = (seat for seat, _ in after.sitters() if after.is_lost(seat) and not before.is_lost(seat))
            frames += map(t.player_left, lost)
        elif kind is e.Started:
            played = True
            if after.before is not None:
                frames.append(t.board_state(after.state.marks))
    if played and after.phase == "over":
        frames.append(t.game_over(after.state.winner, after.state.line))
    elif after.phase == "playing" and not after.waiting and (played or before.halted):
        frames.append(t.PLAYER_TURN[after.state.turn])
    return frames
