"""What one command did to a table, as the frames that everybody of this door who is there gets."""

from typing import TYPE_CHECKING, Any

from gamut.doors.acquire import to_client as t
from gamut.doors.acquire.action_done import ActionDone, Clocks, LastTold, Tiles
from gamut.doors.acquire.naming import game_number
from gamut.doors.acquire.setup_changes import setup_changes
from gamut.doors.acquire.snapshots import setup_of
from gamut.doors.acquire.time_control import left
from gamut.doors.acquire.users import user_ids, usernames
from gamut.doors.telling import Telling, Viewer
from gamut.games.acquire.evolve import rack_after
from gamut.games.acquire.kinds import rack_kinds
from gamut.games.acquire.state import AcquireState, Forfeited
from gamut.games.game import Seat
from gamut.hall.live.audience import News
from gamut.hall.live.live_table import LiveTable, Step
from gamut.hall.table import events as e

if TYPE_CHECKING:
    from gamut.doors.acquire.door import AcquireDoor
    from gamut.doors.acquire.session import AcquireSession


class AcquireTelling(Telling["AcquireDoor"]):
    """How a game is set up, what is played and what is said, in that order. People who see the game alike hear the
    same."""

    __slots__ = ("_action", "_after", "_before", "_number", "_played", "_seats", "_setup", "_talk")

    def __init__(self, door: "AcquireDoor", live: LiveTable, news: News) -> None:
        super().__init__(door, live, news)
        self._number = game_number(news.after)
        self._seats = dict(zip(news.after.persons, range(len(news.after.persons)), strict=True))
        self._setup = b""
        self._played: list[bytes | ActionDone] = []
        """What happened in the game, one event after the other."""
        self._talk: list[e.Said] = []
        self._action: ActionDone | None = None
        """If that is all that happened, which it nearly always is."""
        events = news.events
        if len(events) == 1 and type(events[0]) is e.Played:
            self._play()
            if len(self._played) == 1 and isinstance(self._played[0], ActionDone):
                self._action = self._played[0]
            return
        begins = next((at for at, event in enumerate(events) if type(event) is e.Started), None)
        is_setup = news.before.phase == "setup"
        if is_setup:
            self._setup = self._set_up(begins)
        if not is_setup or begins is not None:
            self._play()
        self._talk += [event for event in events if type(event) is e.Said]

    def kind(self, session: "AcquireSession") -> Viewer:
        return self._seats.get(session.person)  # type: ignore[return-value]  # seats are numbers

    def frames(self, viewer: Viewer) -> bytes:
        action = self._action
        if action is not None:
            if viewer is None:
                return action.same
            tiles = self._before.tiles.get(viewer)
            if tiles is not None and action.leaves(viewer, tiles):
                self._after.tiles[viewer] = tiles
                return action.same
        frames = self._setup
        if self._played:
            frames += self._for_watchers() if viewer is None else self._for_player(viewer)
        for said in self._talk:
            # What watchers say among themselves is not for players.
            if said.channel == "table" or viewer is None:
                frames += self.door.chat_message(said, self._number)
        return frames

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
        before = door.last_told.get(live)
        if before is None or before.seq != news.before.last_play:
            before = LastTold(news.before.last_play)
        self._before, self._after = before, LastTold(news.after.last_play)
        clocks, worth = left(news.after.clock, door.hall.time.now()), before.nets
        for step in steps:
            told = self._in_game(step, clocks, worth)
            self._played.append(told)
            if isinstance(told, ActionDone):
                worth = told.nets
        self._after.nets = worth
        door.last_told[live] = self._after

    def _in_game(self, step: Step, clocks: Clocks, worth: list[int] | None) -> bytes | ActionDone:
        if type(step.event) is not Forfeited:
            return ActionDone(self._number, step, clocks, worth)
        forfeit = t.PlayerForfeited(game_number=self._number, player_id=step.event.seat, timestamp=step.at)
        return t.framed(forfeit)

    def _for_watchers(self) -> bytes:
        return b"".join(
            [told if isinstance(told, bytes) else self._started(told) + told.same for told in self._played]
        )

    def _for_player(self, seat: Seat) -> bytes:
        frames = b""
        tiles = self._tiles_before(seat)
        for place, told in enumerate(self._played):
            if isinstance(told, bytes):
                frames += told
                continue
            event = self._seen_by(seat)[place] if seat in told.drew else told.event
            rack = event.racks[seat] if tiles is None else rack_after(tiles[0], seat, event)
            before, tiles = tiles, told.tiles(tiles, rack)
            frames += self._started(told)
            if tiles is before and event is told.event:
                frames += told.same
            else:
                frames += told.with_tiles(None if tiles is before else tiles, event.history)
        if tiles is not None:
            self._after.tiles[seat] = tiles
        return frames

    def _tiles_before(self, seat: Seat) -> Tiles | None:
        """What a player held before all that is told now; None if the game begins with it."""
        tiles = self._before.tiles.get(seat)
        if tiles is not None:
            return tiles
        known: AcquireState | None = self.live.steps(seat, self.news)[0].before
        return None if known is None else (known.racks[seat], rack_kinds(known.board, known.racks[seat]))

    def _seen_by(self, seat: Seat) -> list[Any]:
        """The same events of the game as a player sees them."""
        return [event for seen in self.news.seen_by(seat) for event in getattr(seen, "events", ())]

    def _started(self, told: ActionDone) -> bytes:
        """What comes before the first action of all."""
        if not told.begins:
            return b""
        table = self.news.after
        started = t.GameStarted(
            game_number=self._number,
            user_ids=user_ids(table.players),
            usernames=usernames(table.players),
            host_user_id=self.door.host_of(table),
        )
        return t.framed(started)
