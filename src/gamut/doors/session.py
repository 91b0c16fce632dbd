"""What the shell around the doors needs of them: bytes in, bytes out through a wire, no sockets.

It is the same over WebSockets and over lines (`offer.py`); what a session writes to its wire are finished frames, or
lines with their LF.
"""

from collections.abc import Awaitable
from typing import Protocol


class Session(Protocol):
    """One connection at one door, as a state machine."""

    def opened(self) -> Awaitable[None] | None:
        """The connection stands. If something has to be waited for, nothing is read before it is done."""

    def text(self, data: bytes) -> Awaitable[None] | None:
        """A text message, which is UTF-8: a frame, or a line without its end.

        If something has to be waited for, the next message is not read before it is done.
        """

    def binary(self, data: bytes) -> Awaitable[None] | None:
        """A message that is no text: a binary frame, or a line that is not UTF-8."""

    def oversized(self) -> None:
        """A message was too large to be read. A WebSocket then ends, after the session's own words; of lines only the
        rest of this one is thrown away, unless the session closes the connection."""

    def rate_limited(self) -> None:
        """A message was thrown away because they came too fast."""

    def flooded(self) -> None:
        """So many were thrown away that the connection has to end. Nothing more is heard of it but `closed`."""

    def broken(self) -> None:
        """A fault of ours has kept something from being done: the connection ends, in the protocol's own words."""

    def closing(self) -> None:
        """The server is about to stop."""

    def closed(self) -> None:
        """The connection is gone, whoever ended it."""

    @property
    def greeted(self) -> bool | None:
        """Whether the client has said what it came for; None: that cannot be known just now."""
