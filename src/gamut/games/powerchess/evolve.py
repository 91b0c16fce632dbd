"""What becomes of a state by an event: nothing is worked out here, and nothing checked."""

from msgspec.structs import replace

from gamut.games.game import Seat
from gamut.games.powerchess.pieces import NOTHING
from gamut.games.powerchess.state import (
    Began,
    Box,
    Choice,
    Ended,
    Event,
    Moved,
    Offered,
    Placed,
    PowerChessState,
    Relocation,
    Update,
    Used,
)

_NOTHING = (None, None)
_EMPTY = ord(NOTHING)
_OTHER = (Seat(1), Seat(0))


def evolve(state: PowerChessState | None, event: Event) -> PowerChessState:
    if isinstance(event, Began):
        return PowerChessState(board=event.board, waiting_since=0 if event.boxes else None)
    if state is None:
        raise ValueError("a game begins with its beginning")
    following = _moved(state, event) if isinstance(event, Moved) else _after(state, event)
    decided, position = state.__dict__.pop("decided", _NOTHING)
    if decided is event:
        following.__dict__["position"] = position
    return following


def _after(state: PowerChessState, event: Used | Offered | Placed | Ended) -> PowerChessState:
    if isinstance(event, Used):
        return _used(state, event)
    if isinstance(event, Offered):
        return replace(state, turn=event.seat, choice=Choice(event.square, event.rarity, event.powers))
    if isinstance(event, Placed):
        return replace(state, boxes=(*state.boxes, event.box))
    return replace(state, turn=None, choice=None, ending=event)


def _moved(state: PowerChessState, event: Moved) -> PowerChessState:
    ply = state.ply if event.last else state.ply + 1
    boxes = state.boxes
    if event.took is not None:
        boxes = _without(boxes, event.end)
    if event.box is not None:
        boxes = (*boxes, event.box)
    start, end, seat = event.start, event.end, event.seat
    relocation = Relocation(_really(state, start) if state.marks else state.board[start], start, end)
    white, black = state.relocations
    return PowerChessState(
        board=_board(state.board, start, end, event.updates),
        turn=_OTHER[seat],
        ply=ply,
        castling=state.castling if event.castling is None else event.castling,
        passed=event.passed,
        boxes=boxes,
        holes=state.holes if event.holes is None else event.holes,
        marks=state.marks if event.marks is None else event.marks,
        energized=state.energized if event.energized is None else event.energized,
        graves=state.graves if event.graves is None else event.graves,
        relocations=(white, relocation) if seat else (relocation, black),
        waiting_since=ply if event.due else state.waiting_since,
    )


def _used(state: PowerChessState, event: Used) -> PowerChessState:
    moves = event.power in ("adjust", "second_effort")
    board, boxes = state.board, state.boxes
    if moves and event.target is not None:
        board = _board(board, event.square, event.target, event.updates)
        boxes = boxes if event.took is None else _without(boxes, event.target)
    else:
        board = _board(board, None, None, event.updates)
    return PowerChessState(
        board=board,
        turn=_OTHER[event.seat],
        ply=state.ply,
        castling=state.castling if event.castling is None else event.castling,
        passed=event.passed,
        boxes=boxes,
        holes=state.holes if event.holes is None else event.holes,
        marks=state.marks if event.marks is None else event.marks,
        energized=state.energized if event.energized is None else event.energized,
        graves=state.graves if event.graves is None else event.graves,
        relocations=state.relocations if event.relocations is None else event.relocations,
        waiting_since=state.waiting_since,
    )


def _board(board: str, start: int | None, end: int | None, updates: tuple[Update, ...]) -> str:
    letters = bytearray(board, "ascii")
    if start is not None and end is not None:
        letters[end], letters[start] = letters[start], _EMPTY
    for update in updates:
        # Boxes and holes are no pieces, and a plus is no part of a piece's name.
        letters[update.square] = ord(update.shown[0]) if len(update.shown) <= 2 else _EMPTY
    return letters.decode()


def _really(state: PowerChessState, square: int) -> str:
    for mark in state.marks:
        if mark.square == square and mark.really:
            return mark.really
    return state.board[square]


def _without(boxes: tuple[Box, ...], square: int) -> tuple[Box, ...]:
    return tuple(box for box in boxes if box.square != square)
