"""A recorded game told to people, line by line."""

from collections.abc import Iterable, Iterator
from datetime import UTC, datetime

from gamut.games.files import plain
from gamut.games.game import team_letter
from gamut.games.topple.cascade import cascade
from gamut.games.topple.files.playback import LARGEST_BOARD, positions, start
from gamut.games.topple.files.record import Clock, Event, Marked, Moved, Person, Record, Removed
from gamut.games.topple.files.suspended import marked_at
from gamut.games.topple.state import ToppleState, number
from gamut.games.topple.topology import TOPOLOGIES, field, tile_name

_WIDEST_SHOWN = 40
"""Columns of a board that fit beside each other."""

_EDGES = {
    "grid": "no edges joined",
    "hwrap": "left and right joined",
    "vwrap": "top and bottom joined",
    "bwrap": "all edges joined",
}
_PENALTIES = {"random": "a random move", "skip": "the turn passes", "lose": "the player is out"}
_ENDINGS = {
    "everything": "it owns every tile",
    "alone": "nobody else is left",
    "idle": "nobody moved any more",
}


def told(record: Record) -> Iterator[str]:
    """Who played on what, each move with what it did, the last position, and how it ended. Raises BadFile."""
    yield from _header(record)
    yield ""
    if record.x * record.y > LARGEST_BOARD:
        yield "The board is too large for the game to be played through."
        return
    state, moves, elapsed = start(record), 0, 0
    for event, after in zip(record.events, positions(record), strict=True):
        if not isinstance(event, Marked):
            elapsed += event.after
        moves += isinstance(event, Moved)
        line = _event(event, state, after)
        if line is not None:
            count = f"{moves}." if isinstance(event, Moved) else ""
            time = f"{_passed(elapsed):>9}  " if record.timed else ""
            yield f"{count:>5}  {time}{line}"
        state = after
    yield ""
    yield from _board(state)
    yield ""
    yield from _result(record, state)


def _date(millis: int) -> str:
    try:
        return f"{datetime.fromtimestamp(millis / 1000, UTC):%Y-%m-%d %H:%M:%S} UTC"
    except (OverflowError, ValueError, OSError):
        return f"{millis} milliseconds after 1970"


# Before the moves


def _header(record: Record) -> Iterator[str]:
    kind = "suspended game" if record.suspended else "game"
    yield f"Topple {kind} {plain(record.room)}"
    yield f"  file     version {record.version}"
    if record.started:
        yield f"  began    {_date(record.started)}"
    topology = TOPOLOGIES[record.topology]
    yield f"  board    {record.x} wide, {record.y} high; {topology}: {_EDGES[topology]}"
    heading = "players"
    for place, team in enumerate(record.teams, 1):
        person = record.people[place - 1] if record.people is not None else Person()
        yield f"  {heading:<8} {place}: {_seated(team, person)}"
        heading = ""
    if record.ruled:
        yield f"  clock    {_clock(record.clock)}"
        yield f"  scoring  {record.scoring or 'elim, because nothing was said'}"


def _called(team: int) -> str:
    return f"team {team_letter(team - 1)}"


def _owner(team: int) -> str:
    return team_letter(team - 1) if team else "."


def _seated(team: int, person: Person | None) -> str:
    if not team:
        return "empty seat"
    if person is None:
        return f"{_called(team)}, nobody"
    name = plain(person.called or person.account)
    if person.bot:
        return f"{_called(team)}, bot {plain(person.bot)}" + (f" ({name})" if name else "")
    return _called(team) + (f", {name}" if name else "")


def _clock(clock: Clock | None) -> str:
    if clock is None:
        return "none"
    each = "for each turn" if clock.style == "per turn" else "for the whole game"
    left = f"; left: {', '.join(f'{seconds} s' for seconds in clock.left)}" if clock.left else ""
    return f"{clock.limit} s {each}, then {_PENALTIES[clock.penalty]}{left}"


# The moves


def _passed(millis: int) -> str:
    minutes, rest = divmod(millis, 60_000)
    return f"{minutes}:{rest // 1000:02}.{rest % 1000 // 100}"


def _event(event: Event, before: ToppleState, after: ToppleState) -> str | None:
    match event:
        case Moved(player=player, tile=tile):
            return f"player {player}  {tile_name(tile, after.setup.x):<7}{_effect(before, after, event)}"
        case Removed(player=player):
            return f"player {player}  is out"
        case Marked():
            known = marked_at(event)
            return None if known is None else f"{known[0]} on {_date(known[1])}"
    return None  # only time has passed, which the next line shows


def _effect(before: ToppleState, after: ToppleState, move: Moved) -> str:
    setup, team = before.setup, after.setup.teams[move.player - 1]
    on = field(setup.topology, setup.x, setup.y)
    owned = list(before.owned)
    topples, _ = cascade(on, bytearray(before.board), bytearray(before.owners), owned, move.tile, team)
    words = []
    if topples:
        words.append(_many(topples, "topple"))
    taken = [
        f"{lost} of {_called(other)}"
        for other, lost in enumerate(was - now for was, now in zip(before.owned, after.owned, strict=True))
        if other and other != team and lost > 0
    ]
    if taken:
        words.append(f"takes {', '.join(taken)}")
    words.append(f"{_called(team)} has {_many(after.owned[team], 'tile')}")
    return "; ".join(words)


def _many(count: int, thing: str) -> str:
    return f"{count} {thing}" if count == 1 else f"{count} {thing}s"


# After them


def _board(state: ToppleState) -> Iterator[str]:
    x, y = state.setup.x, state.setup.y
    if x > _WIDEST_SHOWN:
        yield f"The board is too wide to be shown: {x} columns."
    else:
        yield "The board, pieces and team of each tile (. is neutral):"
        width = max(map(len, map(str, state.board)))
        for row in range(y):
            tiles = range(row * x, row * x + x)
            yield "  " + "  ".join(
                f"{state.board[tile]:>{width}}/{_owner(state.owners[tile])}" for tile in tiles
            )
    teams: Iterable[int] = sorted({team for team in state.setup.teams if team})
    counted = [f"{_many(state.owned[0], 'tile')} neutral"]
    counted += [f"{_called(team)} {state.owned[team]}" for team in teams]
    yield ", ".join(counted)
    if state.setup.scoring != "elim":
        scores = ", ".join(f"{_called(team)} {state.scores[team]}" for team in teams)
        yield f"scores by {state.setup.scoring}: {scores}"


def _result(record: Record, state: ToppleState) -> Iterator[str]:
    if state.winner is not None and state.ending is not None:
        yield f"Team {team_letter(state.winner - 1)} has won: {_ENDINGS[state.ending]}."
    elif state.turn is not None:
        rest = "suspended" if record.suspended else "not finished"
        yield f"The game is {rest}; player {number(state.turn)} is to move."
    else:
        yield "Nobody is left in the game."
