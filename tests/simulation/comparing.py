"""Comparing all that was told with what the disk holds, and the new hall with both."""

from collections.abc import Callable, Collection, Mapping
from itertools import product
from typing import Any, Protocol

import msgspec
from tests.simulation.chance import REMEMBERED
from tests.simulation.forgetting import forgotten
from tests.simulation.log import Log
from tests.simulation.told import Broken, Game, Telling, Told, ToldTable, number_in

from gamut.doors.topple import views
from gamut.doors.web import to_client as t
from gamut.games.game import AnyGame
from gamut.games.powerchess.state import Moved as PowerMoved
from gamut.games.topple.events import Moved
from gamut.games.tower.rules import Placed
from gamut.hall.hall import Hall
from gamut.hall.ids import Millis, PersonId, TableId
from gamut.hall.lobby.summary import summary_from, summary_of
from gamut.hall.lobby.talk import TALK
from gamut.hall.store.storage import Entry, LedgerError, Row, Tail
from gamut.hall.table import codec
from gamut.hall.table import events as e
from gamut.hall.table.state import Table
from gamut.hall.table.without import UNSAID

_decode = msgspec.json.Decoder().decode
_encode = msgspec.json.Encoder().encode
Line = list[tuple[int, int]]
UNSEEN = 0
"""What a card shows to those who must not see it."""
COVERED = 108
"""The same of a tile in a rack."""


class Readable(Protocol):
    """What a comparison asks of a `Storage`."""

    def log(self, table: TableId) -> list[Row]: ...

    def tail(self, table: TableId, limit: int) -> Tail: ...

    def entry(self, table: TableId) -> Entry | None: ...

    def played_by(self, person: PersonId, limit: int) -> list[Entry]: ...


class Kept(Protocol):
    """What is compared with all that was told."""

    @property
    def storage(self) -> Readable: ...

    def tables(self) -> list[TableId]:
        """Everything of which there is a log."""
        ...


class Comparing:
    def __init__(
        self, kept: Kept, games: Mapping[str, AnyGame], told: Told, *, brief_fails: bool = False
    ) -> None:
        self._kept = kept
        self._games = games
        self._told = told
        self._brief_fails = brief_fails
        """Where a game fails to say its options in brief, none are shown."""
        self.erased: set[PersonId] = set()
        """Who may have been taken out of what is kept."""
        self.logs: dict[TableId, Log] = {}
        self._rooms: dict[tuple[str, str], list[TableId]] = {}
        self.mixed: dict[str, set[TableId]] = {}
        """Of each game the tables at which people of its own door and of the web door were told what happens."""

    def disk_with_told(self) -> None:
        """After a crash, or at the end: nothing that was told is missing or different."""
        for table in self._kept.tables():
            if table != TALK:
                self._read(table)
        for table in self._told.tables:
            self.table_with_told(table)
        self.notes()
        self._lobby()
        for seat in self._told.seats:
            self.seat_with_told(*seat)
        self._told.seats.clear()
        for game in self._told.games:
            self.game_with_told(game)
        self._told.games = [game for game in self._told.games if game.going_on]

    def table_with_told(self, table: TableId) -> None:
        log = self.logs.get(table)
        if log is None:
            raise Broken(f"somebody was told of table {table}, and there is no such table")
        _compare(table, self._told.tables[table], log, self._brief_fails, self.erased)

    def log(self, table: TableId) -> Log | None:
        """A log as the disk has it in this moment."""
        self._read(table)
        return self.logs.get(table)

    def in_room(self, game: str, room: str) -> list[TableId]:
        """The tables that had this name at a game's own door, and those that went on from them."""
        found = dict.fromkeys(self._rooms.get((game, room), ()))
        for table in list(found):
            following = self.logs[table].now.successor
            while following is not None and following in self.logs and following not in found:
                found[following] = None
                following = self.logs[following].now.successor
        return list(found)

    def latest_in_room(self, game: str, room: str) -> Log | None:
        """The last of them, as the disk has it in this moment."""
        for table in self._kept.tables():
            if table != TALK and table not in self.logs:
                self._read(table)
        found = max(self.in_room(game, room), default=None)
        return None if found is None else self.log(found)

    def _read(self, table: TableId) -> None:
        try:
            rows = self._kept.storage.log(table)
        except LedgerError as error:
            raise Broken(str(error)) from error
        log = self.logs.get(table)
        if log is not None:
            log.extend(rows, self.erased)
        elif rows:
            game = self._games[msgspec.json.decode(rows[0].body)["game"]]
            log = self.logs[table] = Log(game, rows)
            for name in (table, log.now.room):
                if name is not None:
                    self._rooms.setdefault((log.now.game, name), []).append(table)

    # What is noted beside the logs

    def notes(self) -> None:
        for table, log in self.logs.items():
            entry = self._kept.storage.entry(table)
            if entry is None or entry.phase != log.now.phase:
                raise Broken(f"table {table} is in {log.now.phase}, and its note is {entry}")
            noted, is_so = summary_from(log.game, entry), summary_of(log.game, log.now)
            if (noted.seats, noted.outcome) != (is_so.seats, is_so.outcome):
                raise Broken(f"table {table} is {is_so}, and its note says {noted}")
            if entry.listed != (is_so.outcome is not None and not is_so.private):
                raise Broken(f"table {table} is listed although it should not be, or is not")

    def lists_of_games(self) -> None:
        """At the end: whoever kept a seat has the table in their list of games for good."""
        played: dict[PersonId, set[TableId]] = {}
        for table, log in self.logs.items():
            for state in log.states:
                for _, sitter in state.sitters():
                    if sitter.listed and sitter.person not in self.erased:
                        played.setdefault(sitter.person, set()).add(table)
        for person, tables in played.items():
            listed = {entry.table for entry in self._kept.storage.played_by(person, 1_000)}
            if not tables <= listed:
                raise Broken(f"{person} played at {sorted(tables - listed)}, which no list says")

    def _lobby(self) -> None:
        stored, since = {}, 0
        rows = self._kept.storage.tail(TALK, 1000).rows
        for row in rows:
            line = _decode(row.body)
            if line["at"] < since:
                raise Broken(f"the lobby's talk is out of order: {line}")
            since = line["at"]
            if line["text"] != UNSAID:
                stored[number_in(line["text"])] = row.body
        first = _decode(rows[0].body)["at"] if rows else 0
        for number, said in list(self._told.talk.items()):
            if number in stored:
                if stored[number] != said:
                    raise Broken(f"line {number} of the lobby was told as {said!r} and is {stored[number]!r}")
            elif len(rows) >= REMEMBERED and _decode(said)["at"] <= first:
                del self._told.talk[number]  # cut off, as old lines are
            elif _decode(said)["person"] in self.erased:
                del self._told.talk[number]
            else:
                raise Broken(f"line {number} of the lobby was told and is gone; there are {list(stored)}")

    def seat_with_told(self, game: str, room: str, seat: int, name: str) -> None:
        """Whoever was told of a seat sat there."""
        states = [state for table in self.in_room(game, room) for state in self.logs[table].states]
        if not any(
            (taken, sitter.name) == (seat, name) for state in states for taken, sitter in state.sitters()
        ):
            raise Broken(f"{name} was told to have seat {seat} in room {room} of {game}, and has not")

    # Games as they are told at doors of their own

    def game_with_told(self, game: Game) -> None:
        if not game.moves and game.position is None and game.result is None:
            return
        tables = self.in_room(game.game, game.room)
        found = [table for table in tables if _is_in(game, self.logs[table])]
        if game.moves:
            on_the_page = (table for table in found if table in self._told.tables)
            self.mixed.setdefault(game.game, set()).update(
                table for table in on_the_page if self._told.tables[table].upto
            )
        if not found:
            raise Broken(
                f"in room {game.room} of {game.game} somebody was told the moves {game.moves} from "
                f"{game.position!r} on, and the result {game.result}: no game there was like that, "
                f"but {[self.logs[table].placed for table in tables]}"
            )

    def all_of_it_was_told(self, label: str, game: Game) -> None:
        """Whoever is in a game, and has heard of it, has by now heard all that happened there."""
        if game.moves and not any(
            _is_in(game, self.logs[table], whole=True) for table in self.in_room(game.game, game.room)
        ):
            tables = [self.logs[table].placed for table in self.in_room(game.game, game.room)]
            raise Broken(
                f"{label} has heard of the moves {game.moves} from {game.position!r} on in room {game.room} of "
                f"{game.game}, and there were {tables}"
            )

    # The hall

    def hall_with_disk(self, hall: Hall) -> None:
        """What a hall knows of its tables is what they are: in its memory, or else on the disk."""
        has = hall.wings.has
        tables = {table: log.now for table, log in self.logs.items() if has(table)}
        for table in {**tables, **hall.live}:
            live = hall.here(table)
            if live is not None:
                tables[table] = live.table
        unfinished = {table: state for table, state in tables.items() if state.phase != "over"}
        if set(hall.register.unfinished) != set(unfinished):
            raise Broken(
                f"unfinished are {sorted(unfinished)}, and the hall has {sorted(hall.register.unfinished)}"
            )
        seated: dict[PersonId, set[TableId]] = {}
        rooms: dict[tuple[str, str], TableId] = {}
        for table, state in unfinished.items():
            for _, sitter in state.sitters():
                seated.setdefault(sitter.person, set()).add(table)
            if state.room is not None:
                if (state.game, state.room) in rooms:
                    raise Broken(f"two games go on in room {state.room} of {state.game}")
                rooms[state.game, state.room] = table
            if table not in hall.live and (hall.here(table) or self.logs[table].live(state.seq)).stays_loaded:
                raise Broken(f"at table {table} something happens by itself, and the hall does not mind it")
            shown = hall.lobby.tables.get(table)
            if state.private != (shown is None):
                raise Broken(f"table {table} is in the lobby although it is private, or is not there")
            if shown is not None and (shown.phase, shown.seats) != (state.phase, state.seats):
                raise Broken(f"table {table} is {state}, and the lobby shows {shown}")
        if hall.register.seated != seated:
            raise Broken(f"seated are {seated}, and the hall has {hall.register.seated}")
        # A room also keeps its name after a game, for those who are still there.
        playing = {room: table for room, table in hall.register.rooms.items() if table in unfinished}
        if playing != rooms:
            raise Broken(f"the rooms are {rooms}, and the hall has {playing}")

    def running_hall(self, hall: Hall) -> None:
        """The same in the midst of an evening; and nothing that must happen by itself has been forgotten."""
        for table in self._kept.tables():
            if table != TALK:
                self._read(table)
        self.hall_with_disk(hall)
        for table, log in self.logs.items():
            live = hall.here(table)
            if live is None:
                continue
            known = [codec.encode(event) for event in live.whole_log[: len(log.rows)]]
            stored = [row.body for row in log.rows]
            # Whoever is being taken out of it is so in memory first.
            if known != stored and not self._are_alike(known, stored):
                raise Broken(f"table {table} is not in memory what it is on the disk")

    def _are_alike(self, some: list[bytes], others: list[bytes]) -> bool:
        """But for those who are taken out of it."""
        if not self.erased or len(some) != len(others):
            return False
        both = zip(map(_decode, some), map(_decode, others), strict=True)
        return all(forgotten(one, self.erased) == forgotten(other, self.erased) for one, other in both)


def _compare(
    table: TableId, told: ToldTable, log: Log, brief_fails: bool, erased: Collection[PersonId]
) -> None:
    if told.upto > len(log.rows):
        raise Broken(f"event {told.upto} of table {table} was told, and the disk has {len(log.rows)}")
    if told.checked and not log.began_with(told.checksum, told.checked):
        raise Broken(f"the first {told.checked} events of table {table} have changed")
    for telling in told.tellings:
        _compare_events(table, telling, log, erased)
    for person, picture in told.pictures:
        _compare_picture(person, picture, log, erased)
    for summary in told.summaries:
        _compare_summary(table, _decode(summary), log, brief_fails, erased)
    if told.words:
        kept = {event.text for event in log.events if type(event) is e.Said}
        missing = [text for text, person in told.words.items() if not (text in kept or person in erased)]
        if missing:
            raise Broken(f"at table {table} these words were taken, and are gone: {missing}")
    if told.key is not None and told.key != log.now.key:
        raise Broken(f"the key of table {table} was told as {told.key} and is {log.now.key}")
    if told.successor is not None and told.successor != log.now.successor:
        raise Broken(f"table {table} was told to go on as {told.successor}, and does as {log.now.successor}")
    if told.outcome is not None and told.outcome != _decode(_encode(log.now.outcome)):
        raise Broken(f"table {table} was told to end with {told.outcome}, and did with {log.now.outcome}")
    told.checked = told.upto
    told.checksum = log.rows[told.upto - 1].checksum if told.upto else b""
    told.tellings.clear()
    told.pictures.clear()
    told.summaries.clear()
    told.words.clear()


# Events


def _compare_events(table: TableId, telling: Telling, log: Log, erased: Collection[PersonId]) -> None:
    bodies = [row.body for row in log.rows[telling.after : telling.seq]]
    events = [bytes(event) for event in telling.events]
    if bodies == events and not log.game.traits.hidden and not any(map(_may_differ, bodies)):
        return
    # Parlour turns all cards over in the end; its last events may have been told before that.
    hiding = (True, False) if telling.over else (True,)
    seats = log.seats_of(telling.person, telling.seq)
    # Whoever stands up with this is told what happened before that as one who sits there.
    seats += [
        event.seat
        for event in log.events[telling.after : telling.seq]
        if type(event) is e.Stood and event.person == telling.person
    ]
    for seat, hidden in product(seats, hiding):
        seen = [_seen(body, seat, hidden and log.game.traits.hidden) for body in bodies]
        heard = [_decode(event) for event in events]
        if forgotten([event for event in seen if event is not None], erased) == forgotten(heard, erased):
            return
    raise Broken(
        f"{telling.person} was told of table {table}, events {telling.after + 1} to {telling.seq}: {events}, "
        f"and the disk has {bodies}"
    )


def _may_differ(body: bytes) -> bool:
    """Whether not everybody may know all of an event, in a game that hides nothing."""
    return body.startswith((b'{"type":"said"', b'{"type":"opened"'))


def _seen(body: bytes, seat: int | None, hidden: bool) -> dict[str, Any] | None:
    """What somebody in this seat may know of an event, worked out here anew."""
    event: dict[str, Any] = _decode(body)
    kind = event["type"]
    if kind == "said":
        return None if event["room"] == "kibitz" and seat is not None else event
    if kind == "opened":
        if "password" in event:
            event["password"] = ""
        if seat is None:
            event["key"] = ""
    elif hidden and kind in ("started", "played"):
        for happened in event["events"]:
            if "history" in happened:
                _cover_tiles(happened, seat)
            if happened.get("seat") == seat:
                continue
            match happened["type"]:
                case "dealt":
                    happened["cards"] = [UNSEEN] * len(happened["cards"])
                case "offered":
                    happened["powers"] = ["unseen", "unseen"]
                case "laid":
                    happened["card"] = UNSEEN
                case "traded":
                    happened["gave"] = happened["drew"] = UNSEEN
    return event


def _cover_tiles(happened: dict[str, Any], seat: int | None) -> None:
    """What somebody in this seat may not know of what happened in Acquire: tiles in other racks, and in the bag."""
    happened.pop("rest", None)
    drawn = [line for line in happened["history"] if line[0] == "DrewTile"]
    happened["history"] = [line for line in happened["history"] if line not in drawn or line[1] == seat]
    racks = happened.get("racks", [])
    if happened["type"] == "began":
        happened["racks"] = [rack if place == seat else _covered(rack) for place, rack in enumerate(racks)]
    elif racks:
        happened["racks"] = [[place, rack if place == seat else _covered(rack)] for place, rack in racks]


def _covered(rack: list[int | None]) -> list[int | None]:
    tiles = len(rack) - rack.count(None)
    return [*(COVERED,) * tiles, *(None,) * (len(rack) - tiles)]


# Pictures and summaries


def _compare_picture(
    person: PersonId, picture: dict[str, Any], log: Log, erased: Collection[PersonId]
) -> None:
    picture = forgotten(picture, erased)
    made = t.snapshot(log.live(picture["seq"]), person, Millis(picture["now"]))
    wanted = forgotten(_decode(_encode(made)), erased)
    told = {name: picture[name] for name in ("watchers", "anew") if name in picture}
    if wanted | told != picture:
        different = {name for name in {*wanted, *picture} if wanted.get(name) != picture.get(name)}
        raise Broken(
            f"{person} saw table {picture['table']} at event {picture['seq']} not as its log has it: "
            + ", ".join(f"{name} {picture.get(name)} for {wanted.get(name)}" for name in sorted(different))
        )
    state = picture["state"]
    if state is None or "outcome" in picture:
        return
    if "racks" in state:
        for seat, rack in enumerate(state["racks"]):
            if seat != picture["you"] and any(tile not in (COVERED, None) for tile in rack):
                raise Broken(f"{person} saw the tiles of seat {seat} at table {picture['table']}")
    elif "choice" in state:
        _check_offer(person, picture, state)
    elif log.game.traits.hidden:
        for seat, (hand, laid) in enumerate(zip(state["hands"], state["laid"], strict=True)):
            if seat != picture["you"] and (any(hand) or laid):
                raise Broken(f"{person} saw the cards of seat {seat} at table {picture['table']}")


def _check_offer(person: PersonId, picture: dict[str, Any], state: dict[str, Any]) -> None:
    choice = state["choice"]
    if choice is not None and state["turn"] != picture["you"] and set(choice["powers"]) != {"unseen"}:
        raise Broken(f"{person} saw what seat {state['turn']} is offered at table {picture['table']}")


def _compare_summary(
    table: TableId, summary: dict[str, Any], log: Log, brief_fails: bool, erased: Collection[PersonId]
) -> None:
    summary = forgotten(summary, erased)
    for state in reversed(log.states):
        if state.at == summary["changed"]:
            is_so = forgotten(_decode(_encode(summary_of(log.game, state))), erased)
            if is_so == summary or (brief_fails and {**is_so, "options": {}} == summary):
                return
        if state.at < summary["changed"]:
            break
    raise Broken(f"table {table} was never like this: {summary}")


# Games at doors of their own


def _is_in(game: Game, log: Log, *, whole: bool = False) -> bool:
    """Whether what was heard of a game happened here; whole: and nothing after it."""
    return any(
        line[begin : begin + len(game.moves)] == game.moves
        and (not whole or _is_end(log, line, begin + len(game.moves)))
        and (game.result is None or _ended_so(game, log, _is_end(log, line, begin + len(game.moves))))
        for line in _lines(game, log)
        for begin in _begins(game, log, line)
    )


def _lines(game: Game, log: Log) -> list[Line]:
    """The moves as a client may have heard them. Clients of these games hear of a move that was taken back by the moves
    that stand, or by the marks on the board; all others by the position, from which on they hear every move."""
    return log.lines if game.game in ("tafl", "tower") else [log.placed]


def _is_end(log: Log, line: Line, moves: int) -> bool:
    """Whether nothing came after so many moves."""
    return len(line) == moves and (line is log.placed or line is log.lines[-1])


def _ended_so(game: Game, log: Log, is_end: bool) -> bool:
    """Whether the game ended as it was told."""
    outcome = log.now.outcome
    match game.game:
        case "tower":
            return is_end and bool(_tower_result(log.now) == game.result)
        case "topple":
            # Another game in this room may not have begun.
            return is_end and log.now.state is not None and bool(log.now.state.winner == game.result)
        case "acquire":
            return is_end and outcome is not None
        case "powerchess" if outcome is None:
            # A game that is closed has no result; this protocol's word for that is a draw.
            return game.result == () and any(type(event) is e.Closed for event in log.events)
        case _:
            return outcome is not None and outcome.winners == game.result


def _begins(game: Game, log: Log, line: Line) -> list[int]:
    """How many moves there may have been before the first that was heard, by the position that was seen then."""
    position = game.position
    if position is None:
        return [0]
    if game.game == "tower":
        return [len(position)] if sorted(line[: len(position)]) == position else []
    if game.game == "topple" and any(
        table.state is None and views.empty_board(table).endswith(position) for table in log.states
    ):
        return [0, *_begins_at(log, lambda state: views.board(state).endswith(position))]
    if game.game == "topple":
        return _begins_at(log, lambda state: views.board(state).endswith(position))
    return _begins_at(log, lambda state: bool(state.board == position))


def _begins_at(log: Log, looks_so: Callable[[Any], bool]) -> list[int]:
    return [
        begin + _moves_in(event)
        for event, begin, table in zip(log.events, log.moves_before, log.states, strict=True)
        if table.state is not None and looks_so(table.state)
    ]


def _moves_in(event: Any) -> int:
    return sum(type(happened) in (Placed, Moved, PowerMoved) for happened in getattr(event, "events", ()))


def _tower_result(table: Table) -> Any:
    if table.outcome is None:
        return None
    return table.state.winner, table.state.line
