"""What happens in a game of Tafl when somebody does something, and what becomes of its state."""

from collections.abc import Sequence
from functools import reduce

from msgspec.structs import replace

from gamut.games.game import Refused, Seat
from gamut.games.tafl.compiled import Compiled
from gamut.games.tafl.endings import Reason, ending
from gamut.games.tafl.notation import space_number
from gamut.games.tafl.pieces import ATTACKERS, DEFENDERS, EMPTY, SIDES, captured, side_of
from gamut.games.tafl.play import after, can_move
from gamut.games.tafl.position import NOWHERE, move_of, spaces_of
from gamut.games.tafl.records import parse_record, written_move
from gamut.games.tafl.state import Began, Ended, Event, Move, Moved, TaflState, holding, position_key

_TIMES = 3
"""How often a position must have been there to count as repeated."""
_NOTHING: tuple[Moved | None, TaflState | None] = (None, None)
LONGEST = 5_000
"""Rules may say that repetitions do not count. A game with so many moves, which no real one has, is a draw."""


# Deciding


def began(text: str, on: Compiled) -> Began:
    """The start of a game by a rules string, of which these are the tables."""
    first = Seat(ATTACKERS if on.written.attackers_first else DEFENDERS)
    return holding(on, Began(text, on.written.start, first, on.quirks))


def begun(start: Began, moves: Sequence[str]) -> tuple[Event, ...]:
    """The events from the start to where the game goes on. Raises ValueError where there is no way."""
    events: list[Event] = [start]
    state = folded(events)
    for number, words in enumerate(moves, 1):
        try:
            happened = decided_by_record(state, words)
        except Refused as refused:
            raise ValueError(f"Move {number}, {words}: {refused.reason}") from None
        state = reduce(evolve, happened, state)
        events += happened
    if state.turn is None:
        raise ValueError("After these moves the game is over.")
    return tuple(events)


def decided_by_record(state: TaflState, words: str) -> tuple[Event, ...]:
    """What a move does, whoever is to make it. Raises BadNotation or Refused."""
    record = parse_record(words)
    size = state.size
    start, end = space_number(record.start, size), space_number(record.end, size)
    if state.turn is None:
        raise Refused("over", "The game is over.")
    if start is None or end is None:
        raise Refused("illegal_move", "The board has no such space.")
    return decided(state, state.turn, Move(start, end))


def decided(state: TaflState, seat: Seat, action: Move) -> tuple[Event, ...]:
    turn = state.turn
    if turn is None:
        raise Refused("over", "The game is over.")
    if seat != turn:
        raise Refused("not_your_turn", f"It is the turn of the {SIDES[turn]}.")
    on = state.on
    start, end = action.start, action.end
    _check_piece(state, turn, start, end)
    position, move = state.position, move_of(start, end)
    if not can_move(on, position, start, end):
        raise Refused("illegal_move", f"The piece on {on.names[start]} cannot move to {on.names[end]}.")
    there = after(on, position, move)
    taken = there.captured
    record = written_move(on, position, move, taken)
    moved = Moved(seat, start, end, record, tuple(spaces_of(taken)) if taken else (), there.berserk >= 0)
    following = _moved(state, moved)
    # Applying the move need not work this out again.
    following.__dict__["position"] = replace(there, captured=0) if taken else there
    state.__dict__["decided"] = moved, following
    seen = following.seen
    repeated = len(seen) >= _TIMES and seen.count(seen[-1]) >= _TIMES
    over = ending(on, there, repeated, arrived=end if state.moves else NOWHERE)
    if over is None:
        return (moved, Ended(None, "endless")) if following.moves >= LONGEST else (moved,)
    return moved, Ended(None if over.winner is None else Seat(over.winner), over.reason)


def _check_piece(state: TaflState, turn: Seat, start: int, end: int) -> None:
    """That a piece of whoever is to move is moved. The order of these checks is part of the protocol."""
    spaces, names = len(state.board), state.on.names
    if not (0 <= start < spaces and 0 <= end < spaces):
        raise Refused("illegal_move", f"There is no such space: they are 0 to {spaces - 1}.")
    piece = state.board[start]
    if piece == EMPTY:
        raise Refused("illegal_move", f"There is no piece on {names[start]}.")
    if side_of(piece) != turn:
        code = "illegal_side" if state.berserk is None else "illegal_side_berserker"
        raise Refused(code, f"The piece on {names[start]} is not one of the {SIDES[turn]}.")
    if state.berserk is not None and start != state.berserk:
        raise Refused("illegal_move_berserker", f"Only the piece on {names[state.berserk]} may move now.")


def lost(state: TaflState, seat: Seat, reason: Reason) -> tuple[Event, ...]:
    """What giving up or running out of time does."""
    if state.turn is None:
        raise Refused("over", "The game is over.")
    return (Ended(Seat(1 - seat), reason),)


def drawn(state: TaflState) -> tuple[Event, ...]:
    if state.turn is None:
        raise Refused("over", "The game is over.")
    return (Ended(None, "agreed"),)


# Evolving


def folded(events: Sequence[Event]) -> TaflState:
    """The state that these events make."""
    return reduce(evolve, events[1:], evolve(None, events[0]))


def evolve(state: TaflState | None, event: Event) -> TaflState:
    if isinstance(event, Began):
        return _began(event)
    if state is None:
        raise ValueError("a game begins with its beginning")
    if isinstance(event, Moved):
        moved, following = state.__dict__.pop("decided", _NOTHING)
        return following if moved is event and following is not None else _moved(state, event)
    return holding(state.on, replace(state, turn=None, berserk=None, ending=event))


def _began(event: Began) -> TaflState:
    board, turn, quirks = event.board, event.turn, event.quirks
    counted = event.on.rules.repetition != "ignored"
    seen = (position_key(board, turn),) if counted else ()
    fresh = tuple(space for space, piece in enumerate(board) if piece != EMPTY) if quirks else ()
    return holding(event.on, TaflState(event.rules, quirks, board, turn, None, seen, fresh))


def _moved(state: TaflState, event: Moved) -> TaflState:
    end, again = event.end, event.again
    board, turn = _board_after(state.board, event), event.seat if again else Seat(1 - event.seat)
    seen, fresh = state.seen, state.fresh
    if seen:
        key = (position_key(board, turn),)
        # With one piece fewer on the board nothing comes again that was there before.
        gone = event.captured and any(board[space] == EMPTY for space in event.captured)
        seen = key if gone else seen + key
    if fresh:
        touched = {event.start, end, *event.captured}
        fresh = tuple(space for space in fresh if space not in touched)
    following = TaflState(
        state.rules, state.quirks, board, turn, end if again else None, seen, fresh, None, state.moves + 1
    )
    return holding(state.on, following)


def _board_after(board: str, event: Moved) -> str:
    # Cutting a short text is quicker than taking all of it apart.
    start, end = event.start, event.end
    piece = board[start]
    if start < end:
        board = f"{board[:start]}{EMPTY}{board[start + 1 : end]}{piece}{board[end + 1 :]}"
    else:
        board = f"{board[:end]}{piece}{board[end + 1 : start]}{EMPTY}{board[start + 1 :]}"
    for space in event.captured:
        board = f"{board[:space]}{captured(board[space])}{board[space + 1 :]}"
    return board
