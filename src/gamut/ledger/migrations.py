"""The schema's versions. Each step brings a ledger from one version to the next, inside one transaction."""

from sqlalchemy import Connection, insert, inspect, select, update

from gamut.hall.store.storage import LedgerError
from gamut.ledger.meta import MOVING, NOT_COMPLETED, VERSION
from gamut.ledger.schema import meta
from gamut.ledger.versions import STEPS

CURRENT = len(STEPS)


def version_of(connection: Connection) -> int:
    if not inspect(connection).has_table("meta"):
        return 0
    value = connection.execute(select(meta.c.value).where(meta.c.key == VERSION)).scalar()
    if value is None:
        return 0
    return int(value) if str(value).isdecimal() else _version_by_shape(connection)


def _version_by_shape(connection: Connection) -> int:
    """The entry is damaged; what there is tells as much. (From version 2 to 3 nothing of the shape has changed.)"""
    told = inspect(connection)
    columns = {column["name"] for column in told.get_columns("tables")}
    if "checksum" in columns:
        return 5
    if "listed" in columns:
        return 4
    return 3 if told.has_table("rooms") else 1


def refuse_newer(version: int) -> None:
    if version > CURRENT:
        raise LedgerError(
            f"The data was written by a newer Gamut (schema {version}; this one knows up to {CURRENT}): "
            "update Gamut, or choose another data folder."
        )


def migrate(connection: Connection) -> None:
    """Bring the ledger up to date, or refuse one that a newer Gamut has written."""
    if connection.dialect.name == "sqlite":
        # Python's driver begins a transaction by itself only before INSERT and the like, not before CREATE or ALTER.
        connection.exec_driver_sql("BEGIN IMMEDIATE")
    version = version_of(connection)
    refuse_newer(version)
    if version and connection.execute(select(meta.c.key).where(meta.c.key == MOVING)).first():
        raise LedgerError(NOT_COMPLETED)
    if version == CURRENT:
        return
    for step in STEPS[version:]:
        step(connection)
    value = {"value": str(CURRENT)}
    if not connection.execute(update(meta).where(meta.c.key == VERSION).values(value)).rowcount:
        connection.execute(insert(meta).values(key=VERSION, **value))
