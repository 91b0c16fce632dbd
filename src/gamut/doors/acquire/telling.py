"""What one command did to a table, told to everybody of this door who is there."""

from collections.abc import Collection
from typing import TYPE_CHECKING, Any

from gamut.doors.acquire import to_client as t
from gamut.doors.acquire.positions import game_number, setup_of
from gamut.doors.acquire.running_game import RunningGame
from gamut.doors.acquire.setup_changes import setup_changes
from gamut.doors.acquire.time_control import left
from gamut.doors.acquire.users import user_ids, usernames
from gamut.doors.telling import Broadcast, Viewer
from gamut.games.acquire.state import Acted, Forfeited
from gamut.hall.live.audience import News
from gamut.hall.live.live_table import LiveTable
from gamut.hall.table import events as e

if TYPE_CHECKING:
    from gamut.doors.acquire.door import AcquireDoor
    from gamut.doors.acquire.session import AcquireSession


class Teller:
    def __init__(
        self, door: "AcquireDoor", live: LiveTable, news: News, listeners: "Collection[AcquireSession]"
    ) -> None:
        self._door = door
        self._live = live
        self._news = news
        self._number = game_number(news.after)
        self._said = Broadcast(live, listeners)
        self._viewers: set[Viewer] = {live.viewer(session.person) for session in listeners}

    def tell(self) -> None:
        news = self._news
        begins = next((at for at, event in enumerate(news.events) if type(event) is e.Started), None)
        if news.before.phase == "setup":
            self._tell_setup(begins)
        if news.before.phase != "setup" or begins is not None:
            self._tell_play()
        self._tell_talk()
        self._said.send(self._door.hall.journal)

    def _tell_setup(self, begins: int | None) -> None:
        news = self._news
        begun = None if begins is None else news.after
        changes, anew = setup_changes(news.game, news.before, news.events[:begins], begun)
        for change in changes:
            self._said.to_all(t.framed(t.GameSetupChanged(game_number=self._number, change=change)))
        if anew and news.after.phase == "setup":
            self._said.to_all(t.framed(setup_of(self._door, self._live)))

    # The game

    def _tell_play(self) -> None:
        """Every action to everybody, as they may see it."""
        news = self._news
        # What a watcher may see is seen by all: it is what the game is followed by.
        seen = {viewer: list(filter(_is_play, news.seen_by(viewer))) for viewer in (self._viewers | {None})}
        clocks = left(news.after.clock, self._door.hall.time.now())
        for place, event in enumerate(seen[None]):
            views = {viewer: plays[place].events for viewer, plays in seen.items()}
            if type(event) is e.Started:
                self._tell_start(event.at, {viewer: events[0] for viewer, events in views.items()}, clocks)
                continue
            for step, happened in enumerate(event.events):
                self._tell_step(
                    event.at, happened, {viewer: steps[step] for viewer, steps in views.items()}, clocks
                )

    def _tell_start(self, at: int, seen: dict[Viewer, Any], clocks: list[int] | None) -> None:
        after = self._news.after
        self._said.to_all(
            t.framed(
                t.GameStarted(
                    game_number=self._number,
                    user_ids=user_ids(after.players),
                    usernames=usernames(after.players),
                    host_user_id=self._door.host_of(after),
                )
            )
        )
        game = RunningGame.begun(self._number, seen)
        self._door.running[self._live.id] = game
        self._say(game.started(seen, at, clocks))

    def _tell_step(self, at: int, happened: Any, seen: dict[Viewer, Any], clocks: list[int] | None) -> None:
        game = self._door.running[self._live.id]
        if isinstance(happened, Forfeited):
            game.forfeited(happened)
            forfeited = t.PlayerForfeited(game_number=self._number, player_id=happened.seat, timestamp=at)
            self._said.to_all(t.framed(forfeited))
        elif isinstance(happened, Acted):
            self._say(game.acted(seen, at, clocks))

    def _say(self, frames: dict[Viewer, bytes]) -> None:
        for viewer, frame in frames.items():
            if viewer is None:
                self._said.to_watchers(frame)
            else:
                self._said.to_seat(viewer, frame)

    # What people say

    def _tell_talk(self) -> None:
        for event in self._news.events:
            if type(event) is e.Said:
                frame = t.framed(
                    t.ChatMessage(
                        game_number=self._number,
                        user_id=self._door.number_of_person(event.person),
                        username=event.name,
                        message=event.text,
                        timestamp=event.at,
                    )
                )
                # What watchers say among themselves is not for players.
                (self._said.to_all if event.channel == "table" else self._said.to_watchers)(frame)


def _is_play(event: Any) -> bool:
    return type(event) is e.Played or type(event) is e.Started
