"""The three dialects that are spoken on one port, told apart when somebody logs in."""

from typing import Literal

Dialect = Literal["S", "O", "S+"]
"""S: the plain protocol. O: network protocol 7 of OpenTafl. S+: the plain one, and more for clients that want it."""

VERSION = "7"
"""Of dialect O, as its clients say it."""
EXTENDED = "ext"
