"""What doors are handed of a game that hides things: all that happened around it, and nothing of the game itself."""

from typing import Any, NoReturn

from msgspec.structs import replace

from gamut.hall.table import events as e
from gamut.hall.table.state import Table


class NobodyMaySeeAll(RuntimeError):
    """A door took the whole of a game of which everybody may see only a part."""


class Sealed:
    """Stands where such a game would be. Whoever looks into it gets an error, not a secret."""

    __slots__ = ()

    def _opened(self, *_: Any) -> NoReturn:
        raise NobodyMaySeeAll(
            "this game hides things: ask for what a viewer may see (state_for, steps, visible, seen_by, legal, awaited)"
        )

    __call__ = __contains__ = __getitem__ = __iter__ = __len__ = __reduce__ = __reversed__ = _opened

    def __getattr__(self, name: str) -> NoReturn:
        if name.startswith("__"):
            raise AttributeError(name)
        self._opened()


_SEALED: Any = Sealed()


def sealed_table(table: Table) -> Table:
    return table if table.state is None else replace(table, state=_SEALED)


def sealed_event(event: Any) -> Any:
    kind = type(event)
    return replace(event, events=_SEALED) if kind is e.Played or kind is e.Started else event
