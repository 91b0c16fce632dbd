"""Which errors of a database mean that what it holds is damaged, and not that it is busy or full."""

import sqlite3

_BAD = frozenset((sqlite3.SQLITE_CORRUPT, sqlite3.SQLITE_NOTADB, sqlite3.SQLITE_IOERR))


def is_bad_page(error: BaseException | None) -> bool:
    code: int = getattr(error, "sqlite_errorcode", 0)
    return code & 0xFF in _BAD
