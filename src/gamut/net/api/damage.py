"""What `/healthz` tells of damage to the ledger."""

from itertools import islice
from typing import Any

from gamut.hall.store.storage import Damage

_IDS = 20


def described(damage: Damage) -> dict[str, Any]:
    """Numbers, and the ids of some of the tables."""
    return {
        "tables": len(damage.tables),
        "ids": list(islice(damage.tables, _IDS)),
        "notes": len(damage.notes),
        "people": damage.people,
        "events_gone": damage.events,
        "bad_reads": damage.reads,
    }
