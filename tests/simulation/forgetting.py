"""What is left of somebody who was deleted: where they were, and neither what they were called nor what they said."""

from collections.abc import Collection
from typing import Any

from gamut.hall.ids import PersonId
from gamut.hall.table.without import NOBODY, UNSAID

_INSTEAD = {"name": NOBODY, "text": UNSAID}


def forgotten(said: Any, erased: Collection[PersonId]) -> Any:
    """The same without the names and the words of these people, if they were in it."""
    if not erased:
        return said
    if isinstance(said, list):
        return [forgotten(each, erased) for each in said]
    if not isinstance(said, dict):
        return said
    kept = {field: forgotten(each, erased) for field, each in said.items()}
    if said.get("person") in erased:
        kept |= {field: instead for field, instead in _INSTEAD.items() if field in kept}
    return kept
