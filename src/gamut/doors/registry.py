"""The doors that this server opens."""

from collections.abc import Callable, Container, Iterable

from gamut.doors.acquire.offer import ACQUIRE
from gamut.doors.offer import DoorKind
from gamut.doors.powerchess.offer import POWERCHESS, POWERCHESS_HOME
from gamut.doors.tafl.offer import TAFL
from gamut.doors.topple.offer import TOPPLE
from gamut.doors.tower.offer import TOWER
from gamut.doors.web.offer import WEB

Doors = Callable[[], tuple[DoorKind, ...]]


def all_doors() -> tuple[DoorKind, ...]:
    """Every registered door. A new one is a folder beside `tower` and a line here."""
    return WEB, TOWER, TOPPLE, TAFL, ACQUIRE, POWERCHESS, POWERCHESS_HOME


def doors_for(games: Container[str], doors: Doors = all_doors) -> list[DoorKind]:
    """Those that are open where these games are offered."""
    return [kind for kind in doors() if kind.game is None or kind.game in games]


def games_at_main(kinds: Iterable[DoorKind]) -> frozenset[str]:
    """Games all of whose tables are in the main wing of a hall."""
    return frozenset(kind.game for kind in kinds if kind.sees_all_tables and kind.game is not None)
