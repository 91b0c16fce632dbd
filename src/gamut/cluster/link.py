"""One end of a link between two processes: what is said arrives exactly once and in order, or the link breaks.

What carries packets may lose, double and delay them. Packets with content are numbered from 1 and kept until the other
end has acknowledged them. What comes after a gap is dropped, and the other end is asked to send everything from there
on again: gaps are rare, and so nothing needs to be sorted.

The last packet can be lost without a gap. Therefore a packet without content carries the number of the last one with
content, and there is one after every 250 ms of having nothing to say: who lacks that number asks for it. To send again
after a time without an acknowledgement would be to guess, and megabytes more for a process that is only busy.

No clock, no socket: time comes in with each call, in seconds, and `packets` are to be sent after each turn of the loop.
"""

from collections import deque
from math import inf
from struct import Struct
from typing import Literal

import msgspec

Broken = Literal["silence", "overflow", "nonsense"]

_HEAD = Struct("<QQQB")
"""The link; the number of this packet, or without content of the last that had some; the number up to which the sender
has heard everything; flags."""
_pack, _unpack = _HEAD.pack, _HEAD.unpack_from
HEAD_SIZE = _HEAD.size

CONTENT, MORE, AGAIN = 1, 2, 4
"""It has content; the message goes on in the next packet; whatever was not acknowledged is wanted again."""
_FLAGS = CONTENT | MORE | AGAIN
_PART = CONTENT | MORE


class Limits(msgspec.Struct, frozen=True, kw_only=True):
    """Times in seconds, sizes in bytes. Both ends have the same."""

    silence: float = 2.0
    """Nothing was heard for so long: the other end is gone."""
    keep_alive: float = 0.25
    """Something is said at least so often."""
    longest_step: float = 0.25
    """The time between two ticks counts as this much silence at most."""
    ack_after: float = 0.02
    """What was heard is acknowledged by the first tick after this time, if nothing else was said meanwhile."""
    ack_bytes: int = 262_144
    ack_packets: int = 64
    """So much is acknowledged at once."""
    ask_after: float = 0.05
    """While a gap stays, it is asked again after this time."""
    repeat_after: float = 0.05
    longest_repeat_after: float = 0.4
    """Packets are sent again at most so often; each time that was in vain doubles the pause, up to the longest."""
    packet: int = 524_288
    """Content of one packet. NATS refuses more than 1 MiB."""
    message: int = 67_108_864
    unacknowledged: int = 4_194_304
    """So much may be on its way, and the largest message besides."""


LIMITS = Limits()


def number_of(packet: bytes) -> int | None:
    """Of the link that it belongs to; None if this is no packet."""
    return int.from_bytes(packet[:8], "little") if len(packet) >= HEAD_SIZE else None


def _is_nonsense(number: int, flags: int, size: int) -> bool:
    if flags & CONTENT:
        return number == 0 or flags > _FLAGS
    return flags not in (0, AGAIN) or size > HEAD_SIZE


class Link:
    """A number is for one link only. Whoever has given a link up begins none for late packets of the same number:
    that one would have forgotten what the other end knows to be heard, and keep it alive all the same.
    """

    __slots__ = (
        "_acknowledged",
        "_asked_at",
        "_asked_for",
        "_asking",
        "_begun",
        "_due",
        "_first",
        "_heard",
        "_kept",
        "_limits",
        "_most",
        "_must",
        "_now",
        "_number",
        "_owed",
        "_owed_since",
        "_pause",
        "_repeated_at",
        "_said",
        "_said_at",
        "_sent",
        "_shown",
        "_silent",
        "_step",
        "broken",
        "doubled",
        "gaps",
        "repeated",
        "unacknowledged",
    )

    def __init__(self, number: int, now: float, limits: Limits = LIMITS) -> None:
        self._number = number
        self._limits = limits
        self._now = now
        """The time of the last call that told it."""
        self.broken: Broken | None = None
        """Why this link must be given up. From then on it takes nothing, keeps nothing and says nothing."""

        self._kept: deque[tuple[int, int, bytes]] = deque()
        """Number, flags and content of the packets that the other end has not acknowledged, in order."""
        self._due: list[tuple[int, int, bytes]] = []
        """Those that are to be sent now: numbers without a hole, old ones first."""
        self._said = 0
        """The last number given to a packet."""
        self._sent = 0
        """The last number that was sent at least once."""
        self._said_at = now
        self._first = 1
        """The first number that the other end has not acknowledged."""
        self._most = limits.unacknowledged
        self._pause = limits.repeat_after
        self._repeated_at = -inf

        self._heard = 0
        """Up to this number everything was heard."""
        self._begun = bytearray()
        """What has come of a message in several packets."""
        self._shown = 0
        """The number in the latest packet: it is greater than `_heard` if something is missing."""
        self._silent = 0.0
        """For how long nothing was heard, up to the last tick but one."""
        self._step = 0.0
        """And from there to the last tick."""
        self._acknowledged = 0
        """Up to this number the other end was told that it was heard."""
        self._owed = 0
        """Bytes heard since."""
        self._owed_since = now
        self._asked_for = -1
        """What was `_heard` when it was last asked to send again what follows."""
        self._asked_at = now
        self._asking = False
        """The next packet asks."""
        self._must = False
        """A packet is sent even if there is no content."""

        self.unacknowledged = 0
        """Bytes of all kept packets, heads included, so that empty messages count, too."""
        self.gaps = 0
        self.repeated = 0
        """Packets that were sent again."""
        self.doubled = 0
        """Packets that were dropped because they had been heard before."""

    def say(self, message: bytes) -> None:
        if self.broken is not None:
            return
        limits = self._limits
        size = len(message)
        if size <= limits.packet:
            self._add(CONTENT, message)
        elif size <= limits.message:
            last = size - limits.packet
            for at in range(0, size, limits.packet):
                self._add(_PART if at < last else CONTENT, message[at : at + limits.packet])
            # All who are attached at once may be a message larger than the limit, and what they say next follows it.
            self._most = max(self._most, limits.unacknowledged + size)
        else:
            self._break("overflow")
            return
        if self.unacknowledged > self._most:
            self._break("overflow")

    def _add(self, flags: int, content: bytes) -> None:
        self._said = number = self._said + 1
        packet = (number, flags, content)
        self._kept.append(packet)
        self._due.append(packet)
        self.unacknowledged += HEAD_SIZE + len(content)

    def heard(self, packet: bytes, now: float) -> list[bytes]:
        """The messages that this packet completes: one or none. Whatever these bytes are, nothing is raised."""
        if self.broken is not None:
            return []
        size = len(packet)
        if size < HEAD_SIZE:
            self._break("nonsense")
            return []
        link, number, ack, flags = _unpack(packet)
        if link != self._number:
            return []
        if ack > self._sent or _is_nonsense(number, flags, size):
            self._break("nonsense")
            return []
        self._now = now
        self._silent = self._step = 0.0
        if ack >= self._first:
            self._forget(ack)
        # Less than is known to have been heard: this was asked long ago.
        if flags & AGAIN and ack == self._first - 1:
            self._repeat(now)
        self._shown = number
        expected = self._heard + 1
        if not flags & CONTENT:
            if number >= expected:
                self._gap(now)
            return []
        if number != expected:
            if number > expected:
                self._gap(now)
            else:
                self.doubled += 1
            return []
        return self._next(packet[HEAD_SIZE:], flags, now)

    def _next(self, content: bytes, flags: int, now: float) -> list[bytes]:
        limits = self._limits
        if self._heard == self._acknowledged:
            self._owed_since = now
        self._heard += 1
        self._owed += HEAD_SIZE + len(content)
        if self._owed >= limits.ack_bytes or self._heard - self._acknowledged >= limits.ack_packets:
            self._must = True
        if not flags & MORE and not self._begun:
            return [content]
        if len(self._begun) + len(content) > limits.message:
            self._break("nonsense")
            return []
        self._begun += content
        if flags & MORE:
            return []
        message = bytes(self._begun)
        self._begun = bytearray()
        return [message]

    def _forget(self, ack: int) -> None:
        """The other end has heard everything up to this number."""
        kept = self._kept
        while kept and kept[0][0] <= ack:
            self.unacknowledged -= HEAD_SIZE + len(kept.popleft()[2])
        self._first = ack + 1
        self._pause = self._limits.repeat_after
        if self.unacknowledged <= self._limits.unacknowledged:
            self._most = self._limits.unacknowledged

    def _repeat(self, now: float) -> None:
        if now - self._repeated_at >= self._pause and self._first <= self._sent:
            self._due = list(self._kept)
            self._repeated_at = now
            # Whoever asks again before the first answer can have arrived is far away, or busy.
            self._pause = min(2 * self._pause, self._limits.longest_repeat_after)

    def _gap(self, now: float) -> None:
        """Ask at once, but once for each gap. `tick` asks again, since either way packets may be lost."""
        if self._asked_for != self._heard:
            self.gaps += 1
            self._ask(now)

    def _ask(self, now: float) -> None:
        self._asked_for = self._heard
        self._asked_at = now
        self._asking = True

    def tick(self, now: float) -> None:
        """To be called every 50 to 100 ms.

        The time before a tick counts as silence only at the next tick, and as 250 ms at most: in between is heard what
        has waited while this process did not run.
        """
        if self.broken is not None:
            return
        limits = self._limits
        self._silent += self._step
        self._step = min(now - self._now, limits.longest_step)
        self._now = now
        if self._silent >= limits.silence:
            self._break("silence")
            return
        if self._shown > self._heard and now - self._asked_at >= limits.ask_after:
            self._ask(now)
        if (self._heard > self._acknowledged and now - self._owed_since >= limits.ack_after) or (
            now - self._said_at >= limits.keep_alive
        ):
            self._must = True

    @property
    def silence(self) -> float:
        """Seconds for which nothing was heard, up to the last tick."""
        return self._silent + self._step

    def packets(self) -> list[bytes]:
        """What is to be sent now. To be asked after each turn in which something was said or heard, or time passed."""
        due = self._due
        if not (due or self._must or self._asking):
            return []
        link, heard = self._number, self._heard
        again = AGAIN if self._asking else 0
        if due:
            packets = [_pack(link, number, heard, flags | again) + content for number, flags, content in due]
            self.repeated += self._sent + 1 - due[0][0]
            self._sent = self._said
            self._due = []
        else:
            packets = [_pack(link, self._sent, heard, again)]
        self._acknowledged = heard
        self._owed = 0
        self._must = self._asking = False
        self._said_at = self._now
        return packets

    def _break(self, why: Broken) -> None:
        self.broken = why
        self._kept.clear()
        self._due = []
        self._begun = bytearray()
        self._must = self._asking = False
        self.unacknowledged = 0
