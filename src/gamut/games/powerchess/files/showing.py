"""A recorded game told to people, line by line."""

from collections.abc import Iterator, Sequence

from gamut.games.files import Turn, plain
from gamut.games.powerchess.evolve import evolve
from gamut.games.powerchess.files.notation import written_move
from gamut.games.powerchess.files.playback import played_game
from gamut.games.powerchess.files.record import Record
from gamut.games.powerchess.pieces import KIND, KINDS, PIECES, SIDES
from gamut.games.powerchess.squares import FILES, NAMES
from gamut.games.powerchess.state import UNSEEN, Ended, Event, Moved, Offered, PowerChessState, Used
from gamut.games.powerchess.times import name_of

_NOT_TOLD = {"Variant", "Began", "Result", "Boxes", "Termination"}
_WHY = {
    "king": "no king is left",
    "no_move": "there is no move left",
    "resigned": "the other has resigned",
    "time": "the other has run out of time",
    "agreed": "it was agreed",
    "endless": "there were more moves than any game needs",
}


def told(record: Record) -> Iterator[str]:
    """Who played, each move with what came of it, the last position, and how it ended. Raises BadFile."""
    played = played_game(record)
    yield "Power Chess" if played.options.boxes else "Power Chess without boxes"
    for name, value in record.tags:
        if name not in _NOT_TOLD and value:
            yield f"  {name:<12} {plain(value)}"
    named = None if played.clock is None else name_of(played.clock)
    if named is not None:
        yield f"  The clock is the one called {named}."
    yield ""
    yield from _turns(played.turns)
    yield ""
    yield from board_lines(played.state)
    yield ""
    yield _result(played.state)


def _turns(turns: Sequence[Turn]) -> Iterator[str]:
    state: PowerChessState | None = None
    for turn in turns:
        for event in turn.events:
            if state is not None:
                yield from _event(state, event)
            state = evolve(state, event)
        if turn.comment:
            yield f"        {plain(turn.comment)}"


def _event(state: PowerChessState, event: Event) -> Iterator[str]:
    if isinstance(event, Moved):
        number = f"{state.ply // 2 + 1}."
        notes = [
            f"takes the {_kind(event.captured)}" if event.captured else "",
            "" if event.saved is None else f"the net takes its piece to {NAMES[event.saved]}",
            "" if event.took is None else f"opens a {event.took} box",
            "" if event.box is None else f"a {event.box.rarity} box comes on {NAMES[event.box.square]}",
        ]
        yield f"{number:>5} {SIDES[event.seat]}  {written_move(event, state.board)}{_noted(notes)}"
    elif isinstance(event, Offered):
        if UNSEEN not in event.powers:
            yield f"        the box has {event.powers[0]} and {event.powers[1]}"
    elif isinstance(event, Used):
        target = "" if event.target is None else f" {NAMES[event.target]}"
        notes = [
            f"takes the {_kind(event.captured)}" if event.captured else "",
            f"the {_kind(event.reanimated)} comes back" if event.reanimated else "",
            "" if event.drawn is None else f"chance chooses {NAMES[event.drawn]}",
            "" if event.took is None else f"opens a {event.took} box",
        ]
        yield f"        {event.power}{target}{_noted(notes)}"


def _kind(letter: str) -> str:
    return KINDS[PIECES[letter] & KIND]


def _noted(notes: list[str]) -> str:
    said = "; ".join(filter(None, notes))
    return f"  ({said})" if said else ""


def board_lines(state: PowerChessState) -> Iterator[str]:
    """The board, highest rank first: `?` is a box, `o` a hole."""
    letters = list(state.board)
    for box in state.boxes:
        letters[box.square] = "?"
    for hole in state.holes:
        letters[hole.square] = "o"
    for rank in range(7, -1, -1):
        yield f"  {rank + 1}  {' '.join(letters[rank * 8 : rank * 8 + 8])}"
    yield f"     {' '.join(FILES)}"


def _result(state: PowerChessState) -> str:
    end = state.ending
    if end is None:
        assert state.turn is not None
        return f"The game is not finished; {SIDES[state.turn]} is to act."
    return _ended(end)


def _ended(end: Ended) -> str:
    if end.winner is None:
        return f"It is a draw: {_WHY[end.reason]}."
    return f"{SIDES[end.winner]} has won: {_WHY[end.reason]}."
