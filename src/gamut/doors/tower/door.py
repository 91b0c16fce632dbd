"""What happens at a table, told in the Tower protocol."""

from collections.abc import Callable, Collection

from gamut.doors.tower import messages as m
from gamut.doors.tower.session import TowerSession
from gamut.games.game import Seat
from gamut.games.tower.rules import Placed
from gamut.hall.hall import Hall
from gamut.hall.ids import PersonId, TableId
from gamut.hall.live.audience import LobbyNews, News
from gamut.hall.live.live_table import LiveTable
from gamut.hall.live.opening import Opening
from gamut.hall.table import events as e
from gamut.hall.table.deciding.bot_names import told_name
from gamut.hall.table.seats import BotSitter
from gamut.hall.table.state import Table


class TowerDoor:
    """Every listener of a table hears the same, but for whoever has just come in."""

    name = "tower"

    def __init__(self, hall: Hall, check_unregistered: Callable[[str], None]) -> None:
        self.hall = hall
        self.check_unregistered = check_unregistered
        """Raises NameTaken for a name that only an account may have: nobody logs in at this door."""
        self._ended: dict[TableId, LiveTable] = {}
        """Games that ended unheard, by the table that took the room over from them."""

    def ended_before(self, live: LiveTable) -> TableId | None:
        """The game that ended unheard before this table, if it is not known any more: after one more restart."""
        opened = live.log[0]
        # Where a room goes on because somebody left, those who stay are in their seats from the first.
        reopened = opened.before is not None and not opened.holders and live.table.room is not None
        unknown = reopened and live.table.phase == "setup" and live.id not in self._ended
        return opened.before if unknown else None

    def recall(self, live: LiveTable, ended: LiveTable) -> None:
        self._ended[live.id] = ended
        self.hall.time.later(self.hall.settings.timeouts.room_grace, lambda: self._told_long_ago(live.id))

    def reopened(self, ended: LiveTable, room: str, host: PersonId) -> LiveTable:
        """The room goes on after a game that ended when the server did, with the same seats."""
        opening = Opening(game=ended.table.game, room=room, before=ended.id)
        live = self.hall.open(opening, host)
        self.recall(live, ended)
        return live

    def _told_long_ago(self, table: TableId) -> None:
        self._ended.pop(table, None)

    def former_seat(self, live: LiveTable, name: str) -> Seat | None:
        """The seat that this player had in the game before, of whose end they are yet to be told, if it is free."""
        ended = self._ended.get(live.id)
        if ended is None or live.table.phase != "setup":
            return None
        for number, holder in enumerate(ended.table.players):
            if holder is not None and holder.name == name and live.table.seats[number] is None:
                return Seat(number)
        return None

    def _unheard(self, live: LiveTable, name: str, seat: Seat) -> bytes:
        ended = self._ended.get(live.id)
        if ended is None:
            return b""
        holder, state = ended.table.players[seat], ended.table.state
        if holder is None or holder.name != name:
            return b""
        return m.board_state(state.marks) + m.game_over(state.winner, state.line)

    def tell(self, live: LiveTable, news: News, listeners: Collection[TowerSession]) -> None:
        frames = _ordinary(news) or b"".join(_told(news))
        if news.before.seats is news.after.seats:
            if frames:
                self.hall.journal.broadcast(live.wires.get(self, ()), frames)
            elif type(news.events[-1]) is e.Closed:
                for session in listeners:
                    session.removed()
            return
        send = self.hall.journal.send
        newcomers = {event.sitter.person: event for event in news.events if type(event) is e.Sat}
        removed = {
            event.person
            for event in news.events
            if type(event) is e.Stood and event.why in ("kicked", "gone")
        }
        for session in listeners:
            newcomer = newcomers.get(session.person)
            welcome = b""
            if newcomer is not None:
                welcome = _welcome(news.before, newcomer.seat)
                if news.before.phase == "setup":
                    welcome += self._unheard(live, newcomer.sitter.name, newcomer.seat)
            if welcome or frames:
                send(session.wire, welcome + frames)
            if session.person in removed:
                session.removed()

    def move(self, old: LiveTable, new: LiveTable, listeners: Collection[TowerSession]) -> None:
        for session in listeners:
            session.be_at(new)

    def tell_lobby(self, news: LobbyNews, listeners: Collection[TowerSession]) -> None:
        """This protocol has no lobby."""


def _welcome(table: Table, seat: Seat) -> bytes:
    """What only the newcomer gets, ahead of what everybody hears. The table is as it was before."""
    frames = [m.room_joined(seat)]
    frames += [m.player_joined(told_name(holder), present) for present, holder in table.present()]
    if table.vacated:
        frames.append(m.board_state(table.state.marks if table.state is not None else None))
    return b"".join(frames)


def _ordinary(news: News) -> bytes | None:
    """A mark that did not end the game, which is nearly all that is ever told; else None."""
    events, after = news.events, news.after
    event = events[0]
    if len(events) > 1 or type(event) is not e.Played or after.phase != "playing":
        return None
    placed: Placed = event.events[0]
    turn: Seat = after.state.turn
    return m.MARK_AND_TURN[placed.seat][placed.tile][turn]


def _told(news: News) -> list[bytes]:
    before, after = news.before, news.after
    frames: list[bytes] = []
    played = False
    for event in news.events:
        kind = type(event)
        if kind is e.Played:
            played = True
            frames += [
                m.MARK_PLACED[happened.seat][happened.tile]
                for happened in event.events
                if type(happened) is Placed
            ]
        elif kind is e.Sat:
            frames.append(m.player_joined(event.sitter.name, event.seat))
        elif kind is e.BotSat:
            frames.append(m.player_joined(told_name(BotSitter(event.level, event.name)), event.seat))
        elif kind is e.Stood:
            # Somebody lost with the server was never announced to those who came back since.
            if not before.is_lost(event.seat):
                frames.append(m.player_left(event.seat))
        elif kind is e.Started:
            played = True
            if after.before is not None:
                frames.append(m.board_state(after.state.marks))
    if played and after.phase == "over":
        frames.append(m.game_over(after.state.winner, after.state.line))
    elif after.phase == "playing" and not after.waiting and (played or before.halted):
        frames.append(m.PLAYER_TURN[after.state.turn])
    return frames
