"""The schema's versions. Each step brings a ledger from one version to the next, inside one transaction."""

from sqlalchemy import Connection, insert, inspect, select, update

from gamut.hall.storage import LedgerError
from gamut.ledger.schema import meta
from gamut.ledger.versions import STEPS

CURRENT = len(STEPS)
_KEY = "schema_version"


def version_of(connection: Connection) -> int:
    if not inspect(connection).has_table("meta"):
        return 0
    value = connection.execute(select(meta.c.value).where(meta.c.key == _KEY)).scalar()
    return int(value) if value is not None else 0


def migrate(connection: Connection) -> None:
    """Bring the ledger up to date, or refuse one that a newer Gamut has written."""
    if connection.dialect.name == "sqlite":
        # Python's driver begins a transaction by itself only before INSERT and the like, not before CREATE or ALTER.
        connection.exec_driver_sql("BEGIN IMMEDIATE")
    version = version_of(connection)
    if version > CURRENT:
        raise LedgerError(
            f"The data was written by a newer Gamut (schema {version}; this one knows up to {CURRENT}): "
            "update Gamut, or choose another data folder."
        )
    if version == CURRENT:
        return
    for step in STEPS[version:]:
        step(connection)
    value = {"value": str(CURRENT)}
    if not connection.execute(update(meta).where(meta.c.key == _KEY).values(value)).rowcount:
        connection.execute(insert(meta).values(key=_KEY, **value))
