"""A house that fails now and then: what games say in brief, what doors tell, alarms, and everything that is sent."""

import logging
from collections.abc import Callable, Collection
from copy import copy
from random import Random
from typing import Any

from gamut.games.game import AnyGame
from gamut.hall.hall import Hall

_TOLD = 0.01
_BRIEF = 0.01
_SENT = 0.003
_RUNG = 0.1


class Injected(RuntimeError):
    """A fault that was made on purpose."""


def is_injected(record: logging.LogRecord) -> bool:
    """Whether the server says that it has contained such a fault."""
    return record.name == "gamut.faults" and record.exc_info is not None and record.exc_info[0] is Injected


class Faulty:
    """Where the faults are comes from a chance of its own: the people do what they would do without."""

    def __init__(self, seed: int, trace: Callable[[str], None]) -> None:
        self._chance = Random(f"faults of {seed}")
        self._trace = trace
        self.count = 0

    def _strike(self, how_often: float) -> bool:
        return self._chance.random() < how_often

    def _raise(self, where: str) -> None:
        self.count += 1
        self._trace(f"a fault in {where}")
        raise Injected(where)

    def game(self, game: AnyGame) -> AnyGame:
        """A copy of it that sometimes cannot say what its options are."""
        faulty = copy(game)

        def brief(options: Any) -> dict[str, Any]:
            if self._strike(_BRIEF):
                self._raise(f"the brief of {game.traits.name}")
            return game.brief(options)

        vars(faulty)["brief"] = brief
        return faulty

    def break_hall(self, hall: Hall) -> None:
        ring = hall._alarms._ring

        def broken(live: Any) -> None:
            if self._strike(_RUNG):
                self._raise(f"an alarm of {live.id}")
            ring(live)

        hall._alarms._ring = broken

    def break_door(self, door: Any) -> None:
        for name in ("tell", "move", "tell_lobby"):
            vars(door)[name] = self._broken(f"{name} of {door.name}", getattr(door, name))

    def _broken(self, where: str, real: Callable[..., None]) -> Callable[..., None]:
        """Before anybody was told, or when some were, or all."""

        def told(*about: Any) -> None:
            *what, listeners = about
            if not self._strike(_TOLD):
                real(*what, listeners)
                return
            how_many = self._chance.choice((0, (len(listeners) + 1) // 2, len(listeners)))
            if how_many:
                some: Collection[Any] = tuple(listeners)[:how_many]
                real(*what, some)
            self._raise(where)

        return told

    def sends(self, send: Callable[[], None], what: str) -> None:
        if not self._strike(_SENT):
            send()
            return
        if self._strike(0.5):
            send()
        self._raise(what)
