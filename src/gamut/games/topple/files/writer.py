"""Writing `.topl` and `.stpl` files, version 6."""

from gamut.games.topple.files import layout, metadata
from gamut.games.topple.files.cursor import damaged
from gamut.games.topple.files.extensions import check_extensions, written_extensions, written_extra
from gamut.games.topple.files.record import Marked, Moved, Record, Removed, Waited


def write(record: Record) -> bytes:
    """The file. Raises BadFile if the record does not make sense: it may come from anywhere."""
    check(record)
    flags = layout.ORDER | layout.EXTMETA | record.size << layout.SIZE_SHIFT
    flags |= layout.TIMESTAMP if record.timed else 0
    flags |= layout.EXTEVS if record.extensions else 0
    entries = dict(record.other)
    if record.colours is not None:
        entries["col"] = metadata.written_colours(record.colours)
    if record.people is not None:
        entries["pn"] = metadata.written_people(record.people)
        if any(person is not None and person.called for person in record.people):
            entries[metadata.NAMES] = metadata.written_names(record.people)
    if record.ruled:
        entries["rlz"] = metadata.written_rules(record.clock, record.scoring)
    if record.suspended:
        entries["stpl"] = b"\1"
    return b"".join(
        [
            bytes([layout.VERSION]),
            record.room.encode(),
            bytes([flags]),
            record.started.to_bytes(8, "big"),
            (record.x * record.y).to_bytes(4, "big"),
            bytes([len(record.teams), 0, *record.teams]),
            record.topology.to_bytes(2, "big"),
            record.x.to_bytes(2, "big"),
            record.sequence.to_bytes(8, "big"),
            record.fingerprint,
            metadata.written_entries(record.flags, entries),
            written_extensions(record.extensions) if record.extensions else b"",
            layout.BEGIN,
            _events(record),
            layout.END,
        ]
    )


def check(record: Record) -> None:
    """What the types of a record cannot say. Raises BadFile."""
    count = len(record.teams)
    if len(record.room) != 8 or not record.room.isascii():
        raise damaged("a room code has 8 characters")
    if len(record.fingerprint) != 16 or record.sequence >= 1 << 64:
        raise damaged("a fingerprint has 16 bytes, and a running number at most 8")
    if record.x * record.y > layout.MOST_TILES or not any(record.teams):
        raise damaged("its board is too large, or it has no players")
    if record.people is not None and len(record.people) != count:
        raise damaged("it must say for each player who it was")
    if not record.ruled and (record.clock or record.scoring):
        raise damaged("it has rules, and says that it has none")
    if record.clock is not None and len(record.clock.left) != (count if record.clock.style == "chess" else 0):
        raise damaged("it must say for each player how much time was left, and only with a chess clock")
    metadata.check_entries(record.flags, record.other)
    check_extensions(record.extensions)
    player_bits, tile_bits = layout.MOVE_WIDTHS[record.size]
    for event in record.events:
        if isinstance(event, Moved | Removed):
            player = event.player
            if player > count or not record.teams[player - 1]:
                raise damaged(f"there is no player {player}")
            if not record.timed and event.after:
                raise damaged("it has times, and says that it has none")
        if isinstance(event, Moved):
            if event.tile >= record.x * record.y:
                raise damaged("there is a move outside the board")
            if event.player >> player_bits or event.tile >> tile_bits:
                raise damaged(f"its moves do not fit into size {record.size}")


_KINDS = {Removed: layout.REMOVED, Moved: layout.MOVED, Waited: layout.WAITED, Marked: layout.MARKED}


def _events(record: Record) -> bytes:
    fields = {extension.event: extension.fields for extension in record.extensions}
    player_bits, tile_bits = layout.MOVE_WIDTHS[record.size]
    width = (player_bits + tile_bits) // 8
    written = bytearray()
    for event in record.events:
        kind = _KINDS[type(event)]
        written.append(kind)
        if record.timed and isinstance(event, Moved | Removed):
            written += event.after.to_bytes(2, "big")
        match event:
            case Moved(player=player, tile=tile):
                written += (player << tile_bits | tile).to_bytes(width, "big")
            case Removed(player=player):
                written.append(player)
            case Waited(after=after):
                written += after.to_bytes(3, "big")
        written += written_extra(event.extra, fields.get(kind, ()), record.flags)
    return bytes(written)
