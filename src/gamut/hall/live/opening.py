"""A wish for a new table."""

from typing import Any

import msgspec

from gamut.hall.ids import Millis, PersonId, TableId
from gamut.hall.table.clock import ClockSetting, NoClock, Time
from gamut.hall.table.events import StartRule
from gamut.hall.table.seats import Holder


class Opening(msgspec.Struct, frozen=True, kw_only=True):
    """A table that somebody wants to open."""

    game: str
    options: Any = {}
    """As a client sent them, or as the game's own type if they have been checked."""
    seats: int | None = None
    clock: ClockSetting = NoClock()
    start: StartRule = "full"
    private: bool = False
    room: str | None = None
    """None: the game's own door gives a name (`gamut.hall.names.table_names`), if it has a way to."""
    before: TableId | None = None
    vacated: bool = False
    barred: tuple[PersonId, ...] = ()
    password: str | None = None
    """Already hashed (`gamut.hall.table.deciding.lock`)."""
    watchable: bool = True
    guards_watching: bool = False
    """Those who watch must know the password as well."""
    decor: dict[str, Any] = {}
    one_chat: bool = False
    times: tuple[Millis | Time, ...] = ()
    key: str | None = None
    """What its links are to carry; None: a new one."""
    holders: tuple[Holder | None, ...] = ()
    """Who sits there already, because the table goes on from another."""
    stays: bool = False
    """It is opened in this wing of the hall, wherever others would be."""
