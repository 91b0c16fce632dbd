"""Reading `.topl` and `.stpl` files, versions 1 to 6."""

from msgspec.structs import replace

from gamut.games.files import BadFile, only
from gamut.games.topple.files.cursor import Cursor, damaged
from gamut.games.topple.files.extensions import read_extra
from gamut.games.topple.files.header import Header, read_header
from gamut.games.topple.files.layout import END, LONGEST_FILE, MARKED, MOVED, REMOVED, WAITED
from gamut.games.topple.files.metadata import NAMES, read_colours, read_people, read_rules
from gamut.games.topple.files.moves import StandardOrder
from gamut.games.topple.files.record import Event, Marked, Moved, Record, Removed, Waited


def read(data: bytes) -> Record:
    """The one game in a file. Whatever is wrong with it, BadFile says so, and nothing else is raised."""
    return only(read_all(data))


def read_all(data: bytes) -> tuple[Record, ...]:
    """The games in a file; there may be several, one after the other."""
    if not data:
        raise damaged("there is nothing in it")
    check_length(data, LONGEST_FILE)
    cursor = Cursor(data)
    records = []
    while not cursor.done:
        records.append(_record(cursor))
    return tuple(records)


def check_length(data: bytes, most: int) -> None:
    if len(data) > most:
        raise BadFile("unsupported", f"The file is too long: at most {most} bytes are read.")


def _record(cursor: Cursor) -> Record:
    header = read_header(cursor)
    known = dict(header.entries)
    count = len(header.record.teams)
    colours, people, names, rules = (known.pop(key, None) for key in ("col", "pn", NAMES, "rlz"))
    if people is None and names is not None:
        raise damaged("it has names of nobody")
    clock, scoring = (None, None) if rules is None else read_rules(rules, count)
    suspended = known.pop("stpl", None)
    if suspended not in (None, b"\1"):
        raise damaged("it is neither suspended nor not")
    return replace(
        header.record,
        colours=None if colours is None else read_colours(colours),
        people=None if people is None else read_people(people, names, count),
        ruled=rules is not None,
        clock=clock,
        scoring=scoring,
        suspended=suspended is not None,
        other=known,
        events=_events(cursor, header),
    )


def _events(cursor: Cursor, header: Header) -> tuple[Event, ...]:
    record = header.record
    order = StandardOrder(record.teams)
    fields = {extension.event: extension.fields for extension in record.extensions}
    tiles, teams = record.x * record.y, record.teams
    events: list[Event] = []
    # One for all, so that a long file of short events does not fill the memory with empty ones.
    nothing: dict[str, bytes] = {}
    while True:
        kind = cursor.number(1)
        after = cursor.number(2) if record.timed and kind in (REMOVED, MOVED) else 0
        if kind == MOVED:
            player, tile = header.move(cursor)
            player = player or order.mover()
            if tile >= tiles:
                raise damaged("there is a move outside the board")
        elif kind == REMOVED:
            player = cursor.number(1)
            order.remove(player)
        elif kind == WAITED:
            after = cursor.number(3)
        elif kind == END[0]:
            cursor.place -= 1
            cursor.expect(END, "end mark")
            return tuple(events)
        elif kind != MARKED:
            raise damaged(f"there is an event of an unknown kind ({kind})")
        extra = read_extra(cursor, fields[kind], record.flags) if kind in fields else nothing
        if kind in (MOVED, REMOVED) and not (1 <= player <= len(teams) and teams[player - 1]):
            raise damaged(f"there is no player {player}")
        if kind == MOVED:
            events.append(Moved(player, tile, after, extra))
        elif kind == REMOVED:
            events.append(Removed(player, after, extra))
        else:
            events.append(Waited(after, extra) if kind == WAITED else Marked(extra))
