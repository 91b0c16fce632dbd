"""The list of rooms that clients ask for by HTTP, and its filter language."""

from collections.abc import Callable, Iterable, Iterator
from itertools import islice
from typing import TYPE_CHECKING

import msgspec

from gamut.doors.public_rooms import PublicRoom, PublicRooms, is_open
from gamut.games.topple.options import ToppleOptions
from gamut.games.topple.topology import TOPOLOGIES, described

if TYPE_CHECKING:
    from gamut.doors.topple.door import ToppleDoor

PAGE = 50
MOST_TOPOLOGIES = 4
MOST_PARTS = 16
"""Of a filter. There are five fields, and each of them counts once."""
_LAST_PAGE = 1_000_000
"""Far beyond any list."""
_PHASES = {"setup": "wait", "playing": "play", "paused": "play", "over": "over"}


_USUAL = {field: getattr(ToppleOptions(), field) for field in ("topology", "x", "y", "resume")}
"""What options leave out."""


class TooManySpecs(ValueError):
    """More was asked for at once than is looked at: every part of a filter is tried on every room."""


class RoomRecord(msgspec.Struct, frozen=True):
    ident: str
    capacity: int
    playing: int
    spectating: int
    dstr: str
    can_spectate: bool
    phase: str
    res: bool
    pw: bool


_Keep = Callable[[RoomRecord], bool]


def public_rooms(door: "ToppleDoor") -> PublicRooms[RoomRecord]:
    def is_there(room: PublicRoom) -> bool:
        """Whoever asks for a room that is listed finds it: both is decided by the door."""
        if room.summary.phase != "over":
            return is_open(room)
        return room.live is not None and door.is_open(room.live)

    return PublicRooms(door.hall, door.name, _record, is_there)


def _record(room: PublicRoom) -> RoomRecord:
    summary = room.summary
    # Not as the options' own type: that would play a suspended game through for each look at the list.
    options = {**_USUAL, **summary.options}
    return RoomRecord(
        ident=room.name,
        capacity=len(room.seats),
        playing=room.taken,
        spectating=room.watchers,
        dstr=described(TOPOLOGIES.index(options["topology"]), options["x"], options["y"]),
        can_spectate=summary.watchable and not summary.guards_watching,
        phase=_PHASES[summary.phase],
        res=bool(options["resume"]),
        pw=summary.locked,
    )


def page(records: Iterable[RoomRecord], number: str | None) -> list[RoomRecord]:
    """50 at a time, counted from 1; what is no number, or 0, is the first page. No more is looked at than must be."""
    try:
        wanted = int(number or "1")
    except ValueError:
        wanted = 1
    wanted = wanted or 1
    if wanted < 0 or wanted > _LAST_PAGE:
        return []
    return list(islice(records, (wanted - 1) * PAGE, wanted * PAGE))


def filtered(records: Iterable[RoomRecord], text: str | None) -> Iterator[RoomRecord]:
    """Those that pass every part of a filter, as in `full:false;topo:Grid2D.5q9`. Raises TooManySpecs."""
    parts = (text or "").split(";")
    if len(parts) > MOST_PARTS:
        raise TooManySpecs
    tests: dict[str, _Keep] = {}
    for part in parts:
        field, _, value = part.partition(":")
        test = _test(field, value)
        if test is not None:
            if field in tests:
                raise TooManySpecs
            tests[field] = test
    for test in tests.values():
        records = filter(test, records)
    return iter(records)


def _test(field: str, value: str) -> _Keep | None:
    """The test that one `field:value` stands for; None if there is none, and then it keeps everything."""
    match field:
        case "full" if value in ("true", "false"):
            return lambda record: (record.playing == record.capacity) == (value == "true")
        case "spectate" if value in ("true", "false"):
            return lambda record: record.can_spectate == (value == "true")
        case "phase":
            return lambda record: record.phase == value
        case "capacity":
            within = _range(value.split(","))
            return None if within is None else lambda record: within(record.capacity)
        case "topo":
            return _topologies(value)
    return None


def _range(ends: list[str]) -> Callable[[int], bool] | None:
    if not 1 <= len(ends) <= 2 or not all(end.isascii() and end.isdigit() and len(end) < 10 for end in ends):
        return None
    least, most = int(ends[0]), int(ends[-1])
    return lambda size: least <= size <= most


def _topologies(value: str) -> _Keep:
    specs = value.split(",")
    if len(specs) > MOST_TOPOLOGIES:
        raise TooManySpecs
    tests = [_topology(spec) for spec in specs]
    known: dict[str, bool] = {}

    def passes(record: RoomRecord) -> bool:
        # There are far more rooms than kinds of boards.
        found = known.get(record.dstr)
        if found is None:
            found = known[record.dstr] = any(test(record.dstr) for test in tests)
        return found

    return passes


def _topology(spec: str) -> Callable[[str], bool]:
    """A name, then up to two sizes, each a number or a range such as `5q9`."""
    wanted, *sizes = spec.split(".")
    ranges = [_range(size.split("q")) for size in sizes[:2]]

    def passes(board: str) -> bool:
        name, _, size = board.partition(" ")
        sides = map(int, size.split("x"))
        return name == wanted and all(
            within is not None and within(side) for within, side in zip(ranges, sides, strict=False)
        )

    return passes
