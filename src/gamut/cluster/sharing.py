"""Which wing of the hall a process gives away, so that no process has much more of it than another, and to whom.

Whoever has most gives, one wing at a time, and only when nothing else is moving: a wing that goes to another process is
a short pause for all who play there. Everybody hears the same, so nobody has to ask. An owner that hands over names the
next one, so that nobody waits to see whether another one comes.
"""

from collections import Counter
from collections.abc import Iterator

from gamut.cluster.bus import Bus
from gamut.cluster.messages import NODES, NONSENSE, OwnerGone, OwnerHere, StandbyHere, here
from gamut.cluster.pulse import Pulse

_IS_THERE = 1.0
"""Seconds for which somebody who was heard of counts as being there. Each says so four times as often."""
SETTLED_AFTER = 10.0
"""Seconds in which no wing has moved, and whoever is to have one has stood by for it."""
_LONGEST = 3_600.0
_PROMISED_FOR = 3.0
"""Seconds for which a wing is the process's that was named."""


class Sharing:
    def __init__(self, bus: Bus, pulse: Pulse, process: str, wings: int) -> None:
        """`process`: this one."""
        self._pulse = pulse
        self._process = process
        self._owners: dict[int, tuple[float, OwnerHere]] = {}
        """The last owner of each wing that was heard of, and when."""
        self._standbys: dict[tuple[str, int], tuple[float, float, StandbyHere]] = {}
        """By process and wing: since when somebody stands by for it, and when that was heard last."""
        self._promised: dict[int, tuple[float, str]] = {}
        """By wing: the process that was named as its next owner, and when."""
        self._wings = range(wings)
        self._settled = pulse.now()
        """When a wing has moved last, or was without an owner."""
        self._wait = SETTLED_AFTER
        self._given: int | None = None
        """A wing that this process has given away, and nobody has been heard to have since."""
        bus.subscribe(NODES, self._hear)

    def surplus(self) -> int | None:
        """The wing that this process is to give away now."""
        now = self._pulse.now()
        if not all(self._is_heard(wing, now) for wing in self._wings):
            self._settled = now
        if now - self._settled < SETTLED_AFTER:
            return None
        self._see_what_became_of_it()
        if now - self._settled < self._wait:
            return None
        has = Counter(owner.id for _, owner in self._owners.values())
        if self._process != max(sorted(has), key=has.__getitem__):
            return None
        return self._too_many(now, has)

    def _is_heard(self, wing: int, now: float) -> bool:
        return wing in self._owners and now - self._owners[wing][0] < _IS_THERE

    def _too_many(self, now: float, has: Counter[str]) -> int | None:
        """One of ours that somebody is ready for who has two fewer. The main wing last: everybody who plays Tafl or
        Acquire, or looks at the lobby, feels its pause."""
        for wing in reversed(self._wings):
            _, owner = self._owners[wing]
            if owner.id == self._process and any(
                has[process] + 2 <= has[self._process] for process in self._ready_for(owner, now)
            ):
                return wing
        return None

    def _ready_for(self, owner: OwnerHere, now: float) -> Iterator[str]:
        """Processes that have stood by for its wing for a while. Where versions differ somebody is about to upgrade the
        hall, and restarts all of them."""
        for since, last, who in self._standbys.values():
            has_waited = now - last < _IS_THERE and now - since >= SETTLED_AFTER
            if who.wing == owner.wing and who.version == owner.version and has_waited:
                yield who.id

    def successor(self, wing: int) -> str:
        """The process that is to have this wing, which is about to be free: of those that stand by for it one that has
        fewest. Empty: there is none."""
        now = self._pulse.now()
        has = Counter(owner.id for _, owner in self._owners.values())
        has.update(to for at, to in self._promised.values() if now - at < _PROMISED_FOR)
        ready = [
            who.id for _, last, who in self._standbys.values() if who.wing == wing and now - last < _IS_THERE
        ]
        return min(sorted(set(ready) - {self._process}), key=has.__getitem__, default="")

    def promised(self, wing: int) -> bool | None:
        """Whether this wing, which is free, is this process's; None: anybody's."""
        at, to = self._promised.get(wing, (-_PROMISED_FOR, ""))
        return to == self._process if to and self._pulse.now() - at < _PROMISED_FOR else None

    def given(self, wing: int) -> None:
        """This process is about to hand over this wing, which was too many."""
        self._given = wing

    def _see_what_became_of_it(self) -> None:
        """A wing that comes back was wanted by somebody who cannot have it: they are believed less and less often."""
        if self._given is not None:
            came_back = self._owners[self._given][1].id == self._process
            self._wait = min(2 * self._wait, _LONGEST) if came_back else SETTLED_AFTER
            self._given = None

    def _hear(self, data: bytes) -> None:
        try:
            who = here(data)
        except NONSENSE:
            return  # of a newer version
        if who.wing not in self._wings:
            return
        now = self._pulse.now()
        if type(who) is OwnerHere:
            self._hear_owner(who, now)
        elif type(who) is StandbyHere:
            self._hear_standby(who, now)
        elif type(who) is OwnerGone:
            self._promised[who.wing] = now, who.to

    def _hear_owner(self, who: OwnerHere, now: float) -> None:
        _, before = self._owners.get(who.wing, (now, None))
        if before is not None and before.node > who.node:
            return  # it has been ended
        if before is None or before.node != who.node:
            self._settled = now
            self._promised.pop(who.wing, None)
        self._owners[who.wing] = now, who
        self._standbys.pop((who.id, who.wing), None)

    def _hear_standby(self, who: StandbyHere, now: float) -> None:
        place = who.id, who.wing
        if place not in self._standbys:
            # Whoever is new may have come in the place of somebody.
            self._standbys = {
                place: said for place, said in self._standbys.items() if now - said[1] < _IS_THERE
            }
        since, last, _ = self._standbys.get(place, (now, now, who))
        self._standbys[place] = since if now - last < _IS_THERE else now, now, who
