"""The three dialects that are spoken on one port, told apart when somebody logs in."""

from typing import Literal

Dialect = Literal["S", "O", "S+"]
"""S: the plain protocol. O: network protocol 7 of OpenTafl. S+: the plain one, and more for clients that want it."""

VERSION = "7"
"""Of dialect O, as its clients say it."""
EXTENDED = "ext"

# What an existing client of dialect O knows in place of our codes. It takes every error for the answer to what it is
# waiting for, so what is not here is not said to it at all.
_TO_OLD = {
    "already-hosting": "already-hosting",
    "bad-rules": "bad-save",
    "bad-save": "bad-save",
    "duplicate-game": "unknown-error",
    "game-canceled": "game-canceled",
    "game-full": "game-full",
    "game-over": "game-ended",
    "invalid-login": "invalid-login",
    "invalid-password": "invalid-game-password",
    "line-too-long": "unknown-error",
    "opponent-left": "opponent-left",
    "server-full": "unknown-error",
    "version-mismatch": "version-mismatch",
}
_WAITED_FOR = "unknown-error"


class Rejected(Exception):
    """What was said is answered with this error, and changes nothing.

    `awaited`: the client waits for an answer, so there must be one, also in a dialect that has no word for this error.
    """

    def __init__(self, code: str, *, awaited: bool = False) -> None:
        super().__init__(code)
        self.code = code
        self.awaited = awaited


def error_code(dialect: Dialect, code: str, *, awaited: bool = False) -> str | None:
    """How an error is called in this dialect; None: it is not said."""
    if dialect != "O":
        return code
    return _TO_OLD.get(code, _WAITED_FOR if awaited else None)
