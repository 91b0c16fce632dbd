"""Whoever comes, goes, comes back, watches or moves along, in whatever order: all clients of a room know the same."""

from random import Random
from typing import Any

import pytest
from tests.doors.support.inn import Guest
from tests.doors.support.topple_inn import ToppleInn, topple_inn
from tests.doors.support.topple_mirror import Mirror

from gamut.hall.live.live_table import LiveTable

STEPS = 80
COMMON = (
    "join",
    "watch",
    "rejoin",
    "start",
    "move",
    "move",
    "move",
    "move",
    "pause",
    "resume",
    "time",
    "page",
    "page",
)
RARE = ("lose", "leave", "stand", "kick", "promote", "switch", "restart")


class Evening:
    """A room and its people, who do what chance has them do."""

    def __init__(self, inn: ToppleInn, seed: int) -> None:
        self.inn = inn
        self.chance = Random(seed)
        pick = self.chance.choice
        for name in ("Ann", "Bea"):
            inn.people.add(name, guest=False)
        self.pages = self._at_the_page()
        rules = {"style": pick(["per turn", "chess"]), "limit": pick([None, 5_000, 20_000])}
        scoring = {"scoring": {"style": "tile"}} if self.chance.random() < 0.7 else {}
        host = inn.create(
            f"t=1&s=1&d={pick(range(4))},{pick(range(2, 5))},{pick(range(2, 5))}&p={pick(range(2, 5))}",
            turnTime={**rules, "penalty": pick(["random", "skip", "lose"])},
            **scoring,
        )
        self.room = host.room
        self.mirrors = [Mirror(host)]

    def _at_the_page(self) -> list[Guest]:
        return [self.inn.guest(name) for name in ("Ann", "Bea", "Cid")]

    @property
    def live(self) -> LiveTable:
        return self.inn.table(self.room)

    @property
    def here(self) -> list[Mirror]:
        return [mirror for mirror in self.mirrors if mirror.here]

    def step(self) -> None:
        what = self.chance.choice(COMMON if self.chance.random() < 0.8 else RARE)
        getattr(self, f"_{what}")()
        for mirror in self.here:
            mirror.look()
        for mirror in [mirror for mirror in self.mirrors if mirror.way_on is not None]:
            self.mirrors.remove(mirror)
            self.mirrors.append(Mirror(self.inn.seated(str(mirror.way_on))))

    def somebody(self) -> Mirror | None:
        return self.chance.choice(self.here) if self.here else None

    def _everybody_says(self, kind: str, **payload: Any) -> None:
        for mirror in self.here:
            if mirror.here:
                mirror.hear(mirror.client.say(kind, **payload))

    def _join(self) -> None:
        self.mirrors.append(Mirror(self.inn.join(self.room)))

    def _watch(self) -> None:
        self.mirrors.append(Mirror(self.inn.watch(self.room)))

    def _rejoin(self) -> None:
        """Also while the connection before still stands."""
        known = [mirror for mirror in self.mirrors if mirror.key is not None and mirror.number is not None]
        if known:
            back = self.chance.choice(known)
            self.mirrors.append(Mirror(self.inn.rejoin(self.room, int(back.number or 0), str(back.key))))

    def _start(self) -> None:
        self._everybody_says("waiting:start")

    def _pause(self) -> None:
        self._everybody_says("game:pause")

    def _resume(self) -> None:
        self._everybody_says("game:resume")

    def _kick(self) -> None:
        one = self.somebody()
        if one is not None:
            self._everybody_says("game:kick", n=self.chance.choice([*one.spectators, *one.players, 9]))

    def _promote(self) -> None:
        self._everybody_says("waiting:promote", n=self.chance.randrange(1, 5))

    def _switch(self) -> None:
        one = self.somebody()
        if one is not None:
            one.hear(one.client.say("player:switch", t=self.chance.randrange(1, 7)))

    def _stand(self) -> None:
        one = self.somebody()
        if one is not None:
            one.hear(one.client.say("player:spectate"))

    def _lose(self) -> None:
        one = self.somebody()
        if one is not None:
            one.client.hang_up()

    def _leave(self) -> None:
        one = self.somebody()
        if one is not None:
            one.hear(one.client.say("spectator:leave" if one.number is None else "player:leave"))

    def _time(self) -> None:
        self.inn.advance(self.chance.choice([50, 100, 260, 1_000, 2_000, 31_000]))

    def _restart(self) -> None:
        self.inn.restart()
        self.pages = self._at_the_page()
        for mirror in self.mirrors:
            mirror.client.wire.close(1006, "the server is gone")

    def _tile(self) -> int:
        """One that whoever is to move may choose."""
        state = self.live.table.state
        own = state.setup.teams[state.turn]
        return self.chance.choice([tile for tile, owner in enumerate(state.owners) if owner in (0, own)])

    def _move(self) -> None:
        state = self.live.table.state
        for mirror in self.here:
            if state is not None and state.turn is not None and mirror.number == state.turn + 1:
                mirror.hear(mirror.client.say("game:move", n=self._tile()))
                return

    def _page(self) -> None:
        live, guest = self.live, self.chance.choice(self.pages)
        state = live.table.state
        what = self.chance.choice(["watch", "glance", "unwatch", "sit", "leave", "act", "rematch"])
        if what == "act":
            if state is not None and state.turn is not None:
                guest.ask("act", table=live.id, action={"type": "place", "tile": self._tile()})
        elif what == "rematch":
            for each in self.pages:
                each.ask("rematch", table=live.id)
        elif what != "leave" or self.chance.random() < 0.2:
            glance = {"glance": True} if what == "glance" else {}
            guest.ask("watch" if glance else what, table=live.id, **glance)


def check(evening: Evening) -> None:
    live, door = evening.live, evening.inn.topple
    table, state = live.table, live.table.state
    onlookers = {onlooker.spectator: onlooker.account for onlooker in door.onlookers.of(live).values()}
    watching = {session.spectator: None for session in door.spectators(live)} | onlookers
    for mirror in evening.here:
        if mirror.client.session.live is not live:
            continue
        assert set(mirror.players) == {seat + 1 for seat, _ in table.present()}
        assert mirror.spectators == watching
        if table.phase != "over" and door.host_of(live) != 0:
            assert mirror.host == door.host_of(live)
        if state is None:
            continue
        assert (mirror.board, mirror.owners) == (state.board, state.owners)
        assert mirror.turn == (None if state.turn is None else state.turn + 1)
        assert mirror.winner == state.winner
        if mirror.by_tiles:
            # Whoever came before the game began was told that there were no scores yet.
            assert [score or 0 for score in mirror.scores[1:]] == list(state.scores[1:])
        if table.phase != "over":
            assert mirror.paused == (table.phase == "paused")


@pytest.mark.parametrize("seed", range(20))
def test_all_clients_of_a_room_know_the_same(seed: int) -> None:
    with topple_inn() as inn:
        evening = Evening(inn, seed)
        for _ in range(STEPS):
            evening.step()
            check(evening)
