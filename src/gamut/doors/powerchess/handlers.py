"""What each message does."""

import logging
from collections.abc import Awaitable, Callable
from typing import TYPE_CHECKING, Any

from gamut.doors.powerchess import debugging, entering, playing
from gamut.doors.powerchess import from_client as f

if TYPE_CHECKING:
    from gamut.doors.powerchess.session import PowerChessSession

log = logging.getLogger("gamut.doors")


def _report_error(session: "PowerChessSession", message: f.ReportError) -> None:
    log.info("a client reports an error", extra={"door": session.door.name})


HANDLERS: dict[type, Callable[["PowerChessSession", Any], Awaitable[None] | None]] = {
    f.Act: playing.act,
    f.Create: entering.create,
    f.Join: entering.join,
    f.Over: playing.give_up,
    f.Draw: playing.offer_draw,
    f.Nothing: lambda session, message: None,
    f.ReportError: _report_error,
    f.Spawn: debugging.spawn,
    f.Give: debugging.give,
}
