"""What one command did to a table, as the frames that everybody of this door who is there gets."""

from collections.abc import Iterator
from typing import TYPE_CHECKING

from gamut.doors.acquire import to_client as t
from gamut.doors.acquire.action_done import ActionDone, Clocks
from gamut.doors.acquire.naming import game_number
from gamut.doors.acquire.setup_changes import setup_changes
from gamut.doors.acquire.snapshots import setup_of
from gamut.doors.acquire.time_control import left
from gamut.doors.acquire.users import user_ids, usernames
from gamut.doors.telling import Telling, Viewer
from gamut.games.acquire.state import Forfeited
from gamut.hall.live.audience import News
from gamut.hall.live.live_table import LiveTable, Step
from gamut.hall.table import events as e

if TYPE_CHECKING:
    from gamut.doors.acquire.door import AcquireDoor


class AcquireTelling(Telling["AcquireDoor"]):
    """How a game is set up, what is played and what is said, in that order. People who see the game alike hear the
    same."""

    __slots__ = ("_number", "_played", "_setup")

    def __init__(self, door: "AcquireDoor", live: LiveTable, news: News) -> None:
        super().__init__(door, live, news)
        self._number = game_number(news.after)
        begins = next((at for at, event in enumerate(news.events) if type(event) is e.Started), None)
        is_setup = news.before.phase == "setup"
        self._setup = self._set_up(begins) if is_setup else b""
        self._played: list[bytes | ActionDone] = []
        """What happened in the game, one event after the other."""
        if not is_setup or begins is not None:
            clocks = left(news.after.clock, door.hall.time.now())
            self._played += [self._in_game(step, clocks) for step in live.steps(None, news)]

    def frames(self, viewer: Viewer) -> bytes:
        return self._setup + b"".join(self._played_for(viewer)) + b"".join(self._said(viewer))

    def _set_up(self, begins: int | None) -> bytes:
        news = self.news
        begun = None if begins is None else news.after
        changes, anew = setup_changes(news.game, news.before, news.events[:begins], begun)
        frames = [t.framed(t.GameSetupChanged(game_number=self._number, change=change)) for change in changes]
        if anew and news.after.phase == "setup":
            frames.append(t.framed(setup_of(self.door, self.live)))
        return b"".join(frames)

    # The game

    def _in_game(self, step: Step, clocks: Clocks) -> bytes | ActionDone:
        if type(step.event) is Forfeited:
            forfeit = t.PlayerForfeited(
                game_number=self._number, player_id=step.event.seat, timestamp=step.at
            )
            return t.framed(forfeit)
        return ActionDone(self._number, step, clocks)

    def _played_for(self, viewer: Viewer) -> Iterator[bytes]:
        own: list[Step] = []
        for place, told in enumerate(self._played):
            if isinstance(told, bytes):
                yield told
                continue
            if told.begins:
                yield self._started()
            if viewer is None or not told.concerns(viewer):
                yield told.same
            else:
                own = own or self.live.steps(viewer, self.news)
                yield told.for_player(viewer, own[place])

    def _started(self) -> bytes:
        table = self.news.after
        started = t.GameStarted(
            game_number=self._number,
            user_ids=user_ids(table.players),
            usernames=usernames(table.players),
            host_user_id=self.door.host_of(table),
        )
        return t.framed(started)

    # What people say

    def _said(self, viewer: Viewer) -> Iterator[bytes]:
        for event in self.news.events:
            # What watchers say among themselves is not for players.
            if type(event) is e.Said and (event.channel == "table" or viewer is None):
                yield self.door.chat_message(event, self._number)
