"""What one command did to a table, as the frames that everybody of this door who is there gets."""

from functools import partial
from typing import TYPE_CHECKING, Any

from gamut.doors.acquire import to_client as t
from gamut.doors.acquire.action_done import NO_TILES, ActionDone, Clocks, LastTold, Tiles
from gamut.doors.acquire.naming import game_number
from gamut.doors.acquire.setup_changes import setup_changes
from gamut.doors.acquire.snapshots import setup_of
from gamut.doors.acquire.time_control import left
from gamut.doors.acquire.users import user_ids, usernames
from gamut.doors.telling import Telling, Viewer
from gamut.games.acquire.kinds import rack_kinds
from gamut.games.acquire.state import AcquireState, Forfeited
from gamut.games.game import Seat
from gamut.hall.ids import PersonId
from gamut.hall.live.audience import News
from gamut.hall.live.live_table import LiveTable, Step
from gamut.hall.table import events as e

if TYPE_CHECKING:
    from gamut.doors.acquire.door import AcquireDoor
    from gamut.doors.acquire.session import AcquireSession


class AcquireTelling(Telling["AcquireDoor"]):
    """How a game is set up, what is played and what is said, in that order. People who see the game alike hear the
    same."""

    __slots__ = ("_number", "_played", "_seats", "_setup", "_talk")

    def __init__(self, door: "AcquireDoor", live: LiveTable, news: News) -> None:
        super().__init__(door, live, news)
        self._number = game_number(news.after)
        self._setup = b""
        self._played: list[bytes | ActionDone] = []
        """What happened in the game, one event after the other."""
        self._talk: list[e.Said] = []
        if len(news.events) == 1 and type(news.events[0]) is e.Played:
            self._play()
        else:
            self._tell_all_of_it()
        persons = news.after.persons
        self._seats: dict[PersonId | None, Seat] = {
            persons[seat]: seat for told in self._played if type(told) is ActionDone for seat in told.own
        }
        """Of people who hear something else than watchers do."""
        if self._talk and any(said.channel == "kibitz" for said in self._talk):
            self._seats = {person: Seat(seat) for seat, person in enumerate(persons)}

    def kind(self, session: "AcquireSession") -> Viewer:
        return self._seats.get(session.person)

    def frames(self, viewer: Viewer) -> bytes:
        frames = self._setup
        for told in self._played:
            frames += told if isinstance(told, bytes) else told.frame(viewer)
        for said in self._talk:
            # What watchers say among themselves is not for players.
            if said.channel == "table" or viewer is None:
                frames += self.door.chat_message(said, self._number)
        return frames

    def _tell_all_of_it(self) -> None:
        events, in_setup = self.news.events, self.news.before.phase == "setup"
        begins = next((at for at, event in enumerate(events) if type(event) is e.Started), None)
        if in_setup:
            self._setup = self._set_up(begins)
        self._talk += [event for event in events if type(event) is e.Said]
        if not in_setup or begins is not None:
            self._play()

    def _set_up(self, begins: int | None) -> bytes:
        news = self.news
        begun = None if begins is None else news.after
        changes, anew = setup_changes(news.game, news.before, news.events[:begins], begun)
        frames = [t.framed(t.GameSetupChanged(game_number=self._number, change=change)) for change in changes]
        if anew and news.after.phase == "setup":
            frames.append(t.framed(setup_of(self.door, self.live)))
        return b"".join(frames)

    # The game

    def _play(self) -> None:
        door, live, news = self.door, self.live, self.news
        steps = live.steps(None, news)
        if not steps:
            return
        first, last = steps[0], door.last_told.get(live)
        if last is None or last.seq != news.before.last_play:
            last = door.last_told[live] = LastTold(first.after if first.before is None else first.before)
        last.seq = None
        if last.persons is not news.after.persons:
            self._look_who_sits(last, begins=first.before is None)
        clocks = left(news.after.clock, door.hall.time.now())
        if first.before is None:
            self._played.append(self._started())
        self._played += [self._in_game(step, place, clocks, last) for place, step in enumerate(steps)]
        last.seq = news.after.last_play

    def _look_who_sits(self, last: LastTold, *, begins: bool) -> None:
        last.persons = self.news.after.persons
        for number, person in enumerate(last.persons):
            seat = Seat(number)
            if person is None:
                last.tiles.pop(seat, None)
            elif seat not in last.tiles:
                last.tiles[seat] = NO_TILES if begins else self._tiles_before(seat)

    def _in_game(self, step: Step, place: int, clocks: Clocks, last: LastTold) -> bytes | ActionDone:
        if type(step.event) is not Forfeited:
            return ActionDone(self._number, step, clocks, last, partial(self._seen_by, place))
        forfeit = t.PlayerForfeited(game_number=self._number, player_id=step.event.seat, timestamp=step.at)
        return t.framed(forfeit)

    def _tiles_before(self, seat: Seat) -> Tiles:
        """What a player held before all that is told now."""
        known: AcquireState = self.live.steps(seat, self.news)[0].before
        return known.racks[seat], rack_kinds(known.board, known.racks[seat])

    def _seen_by(self, place: int, seat: Seat) -> Any:
        """That event of the game as a player sees it."""
        return [event for seen in self.news.seen_by(seat) for event in getattr(seen, "events", ())][place]

    def _started(self) -> bytes:
        """What comes before the first action of all."""
        table = self.news.after
        started = t.GameStarted(
            game_number=self._number,
            user_ids=user_ids(table.players),
            usernames=usernames(table.players),
            host_user_id=self.door.host_of(table),
        )
        return t.framed(started)
