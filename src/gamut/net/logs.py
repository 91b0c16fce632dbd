"""Logs as JSON lines: one object a line, with the table and the number of the event where there is one."""

import logging
import traceback
from datetime import UTC, datetime
from typing import Any

import msgspec

# What every record has anyway; whatever else a record carries was put there to be logged.
_STANDARD = frozenset(vars(logging.makeLogRecord({}))) | {"message", "asctime", "taskName"}


class JsonLines(logging.Formatter):
    def format(self, record: logging.LogRecord) -> str:
        line: dict[str, Any] = {
            "at": datetime.fromtimestamp(record.created, UTC).isoformat(timespec="milliseconds"),
            "level": record.levelname.lower(),
            "from": record.name,
            "event": record.getMessage(),
        }
        line |= {key: value for key, value in vars(record).items() if key not in _STANDARD}
        if record.exc_info and record.exc_info[1] is not None:
            line["trace"] = where(record.exc_info[1])
        return msgspec.json.encode(line, enc_hook=str).decode()


def where(error: BaseException) -> str:
    """What kind of error it was and where, also of those that led to it.

    Not what it says: that may be a piece of what somebody sent, as a name, a cookie or a key.
    """
    cause = error.__cause__ or (None if error.__suppress_context__ else error.__context__)
    before = "" if cause is None else f"{where(cause)}and then\n"
    said = f": {error.strerror}" if isinstance(error, OSError) and error.strerror else ""
    trace = "".join(traceback.format_tb(error.__traceback__))
    return f"{before}{trace}{type(error).__name__}{said}\n"


def set_up(level: str) -> None:
    handler = logging.StreamHandler()
    handler.setFormatter(JsonLines())
    logging.basicConfig(level=level.upper(), handlers=[handler], force=True)
    # The HTTP library would log what was sent to it, and from where.
    logging.getLogger("aiohttp").setLevel(logging.CRITICAL)
    # And the event loop, when it is asked to say everything, every transport and its peer.
    logging.getLogger("asyncio").setLevel(logging.INFO)
