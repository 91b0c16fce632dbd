"""Who has come to a gateway and is at no door yet: the owner lets in so many at a time, and the others wait here.

A server that is alone reads no more handshakes while it is busy with those whom it has let in. A gateway is not busy
with that, and would say thousands to an owner who is: everybody else's words would wait behind them.
"""

from collections.abc import Callable

from gamut.cluster.messages import Comes, Frame, Number, Opened, ToOwner

MOST_COMING = 32
"""That are let in and of whom the owner has not said that it has dealt with their coming."""
_COMES_WITHIN = 1.0
"""Seconds after which somebody counts no more, whatever the owner says."""


class Newcomers:
    def __init__(self, say: Callable[[ToOwner], None], now: Callable[[], float]) -> None:
        self._say = say
        self._now = now
        self._waiting: dict[Number, list[ToOwner]] = {}
        """Their coming and what they have said since, in the order in which they came."""
        self._coming: dict[Number, float] = {}
        """When each was let in."""

    def __len__(self) -> int:
        """How many wait."""
        return len(self._waiting)

    def __contains__(self, number: Number) -> bool:
        return number in self._waiting

    def came(self, coming: Opened | Comes) -> None:
        self._waiting[coming.connection] = [coming]
        self._let_in()

    def said(self, frame: Frame) -> None:
        waiting = self._waiting.get(frame.connection)
        if waiting is None:
            self._say(frame)
        else:
            waiting.append(frame)

    def left(self, number: Number) -> bool:
        """Whether the owner has ever heard of it. Who goes before that was never answered, and has done nothing."""
        return self._waiting.pop(number, None) is None

    def answered(self, number: Number) -> None:
        """The owner has dealt with its coming, or with its end."""
        if self._coming.pop(number, None) is not None:
            self._let_in()

    def tick(self) -> None:
        horizon = self._now() - _COMES_WITHIN
        for number in [number for number, since in self._coming.items() if since < horizon]:
            del self._coming[number]
        self._let_in()

    def clear(self) -> None:
        """The link is gone: whoever is there is attached over the next one."""
        self._waiting.clear()
        self._coming.clear()

    def _let_in(self) -> None:
        while self._waiting and len(self._coming) < MOST_COMING:
            number = next(iter(self._waiting))
            self._coming[number] = self._now()
            for item in self._waiting.pop(number):
                self._say(item)
