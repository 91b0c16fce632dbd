"""A recorded game played through by the rules."""

import re
from collections.abc import Iterator, Sequence
from typing import Literal, get_args

from msgspec.structs import replace

from gamut.games.files import (
    PlayedGame,
    Player,
    Step,
    TimeControl,
    Turn,
    damaged,
    played_to_the_end,
    steps_of,
)
from gamut.games.game import BadText, Refused, Seat
from gamut.games.powerchess.decide import decided, drawn, lost
from gamut.games.powerchess.evolve import evolve
from gamut.games.powerchess.fen import START_BOARD
from gamut.games.powerchess.files.notation import parse_move
from gamut.games.powerchess.files.other_chess import not_ours
from gamut.games.powerchess.files.record import NO_SQUARE, UNKNOWN, VARIANT, Record, RecordedAction
from gamut.games.powerchess.files.recording import recorded_action, result_of
from gamut.games.powerchess.options import PowerChessOptions
from gamut.games.powerchess.pieces import SIDES
from gamut.games.powerchess.powers import RARITIES, PowerName, Rarity
from gamut.games.powerchess.squares import square_named
from gamut.games.powerchess.state import UNSEEN, Action, Began, Event, Offer, PowerChessState, Use

_Why = Literal["acted", "flagged", "quit", "agreed"]
_CONTROL = re.compile(r"([0-9]{1,7}(?:\.[0-9]{1,3})?)\+([0-9]{1,7}(?:\.[0-9]{1,3})?)")
"""The clock as a tag has it: `300+5`, in seconds."""
_POWERS: tuple[PowerName, ...] = get_args(PowerName)


def steps(record: Record) -> Iterator[Step]:
    return steps_of(played_through(record), evolve, timed=record.tag("Began") is not None)


def played_game(record: Record) -> PlayedGame:
    """All of it. Raises BadFile where it is against the rules."""
    turns, state = played_to_the_end(played_through(record))
    return PlayedGame(
        options=options_of(record),
        seats=2,
        players=tuple(Player(name=record.tag(side) or "") for side in SIDES),
        turns=turns,
        state=state,
        opened=began(record),
        clock=_control_in(record),
    )


def _control_in(record: Record) -> TimeControl | None:
    """How the time was limited, if the file says so in words that can be understood."""
    found = _CONTROL.fullmatch((record.tag("TimeControl") or "").strip())
    if found is None:
        return None
    main, increment = (round(float(seconds) * 1000) for seconds in found.groups())
    return TimeControl(style="bank", main=main, increment=increment) if main else None


def options_of(record: Record) -> PowerChessOptions:
    return PowerChessOptions(boxes=record.tag("Boxes") != "none")


def began(record: Record) -> int:
    """When the game began, in milliseconds since 1970: to the day if the file knows no better, 0 if it does not say."""
    exactly = record.tag("Began") or ""
    if exactly.isascii() and exactly.isdigit() and len(exactly) < 16:
        return int(exactly)
    return max(0, record.day("Date"))


def played_through(record: Record) -> Iterator[tuple[Turn, PowerChessState]]:
    """Each turn with the state after it, one at a time. Raises BadFile where it is against the rules."""
    if record.tag("Variant") != VARIANT:
        raise not_ours(record.tag("Variant"))
    first = Began(START_BOARD, options_of(record).boxes)
    at = began(record)
    state = evolve(None, first)
    yield Turn(at, (first,)), state
    moves = 0
    for number, action in enumerate(record.actions):
        moves += bool(action.move)
        following = record.actions[number + 1] if number + 1 < len(record.actions) else None
        try:
            seat, why, events = _happened(state, action, following)
            if why == "acted":
                _check(state, action, events)
        except (Refused, BadText) as bad:
            raise damaged(f"{_place(moves, action)}: {bad.reason}") from None
        at += action.millis
        for event in events:
            state = evolve(state, event)
        yield Turn(at, tuple(events), seat, why, action.comment), state
    said = record.tag("Result") or "*"
    if said not in ("*", result_of(state.ending)):
        raise damaged(f"The result is {result_of(state.ending)}, and not {said}.")


def _place(moves: int, action: RecordedAction) -> str:
    what = action.move or action.use or action.end
    return f"Move {(moves + 1) // 2}{'' if moves % 2 else '...'}, {what}"


def _impossible(reason: str) -> Refused:
    """What the file says of chance cannot have come."""
    return Refused("impossible", reason)


def _happened(
    state: PowerChessState, action: RecordedAction, following: RecordedAction | None
) -> tuple[Seat | None, _Why, list[Event]]:
    if [bool(action.move), bool(action.use), bool(action.end)].count(True) != 1:
        raise _impossible("It is a move, a power or an end, and only one of them.")
    if action.end == "agreed":
        return None, "agreed", drawn(state)
    match action.end.split():
        case [("white" | "black") as side, ("resigned" | "time") as reason]:
            seat = Seat(("white", "black").index(side))
            if reason == "time":
                return seat, "flagged", lost(state, seat, "time")
            return seat, "quit", lost(state, seat, "resigned")
    if action.end:
        raise _impossible(f"{action.end!r} is no end.")
    if state.turn is None:
        raise _impossible("The game is over before it.")
    next_power = following.use if following is not None else ""
    draws = _RecordedDraws(action, next_power)
    return state.turn, "acted", decided(state, state.turn, _action(action), draws)


def _action(action: RecordedAction) -> Action:
    if action.use:
        return Use(_power(action.use), square_named(action.target) if action.target else None)
    written = parse_move(action.move)
    if written is None:
        raise _impossible(f"{action.move!r} is no move such as e2-e4, Qd1xf7 or e7-e8=R.")
    return written.move


def _power(name: str) -> PowerName:
    for power in _POWERS:
        if power == name:
            return power
    raise _impossible(f"{name!r} is no power.")


def _check(state: PowerChessState, action: RecordedAction, events: Sequence[Event]) -> None:
    """That nothing is said which did not happen; moves may be written shorter than we do."""
    really = recorded_action(state, events, action.millis, action.comment)
    if action.move:
        given, right = parse_move(action.move), parse_move(really.move)
        assert given is not None, "it was played"
        assert right is not None, "it was written by us"
        if given.piece not in ("", right.piece) or given.sign not in ("", right.sign):
            raise _impossible(f"This move is {really.move}.")
    offer = action.offer if UNKNOWN in action.offer else really.offer
    if replace(really, move=action.move, offer=offer) != action:
        raise _impossible("What it says of chance, or of a target, is not what the rules ask for.")


class _RecordedDraws:
    """Chance as the file has it."""

    def __init__(self, action: RecordedAction, next_power: str) -> None:
        self._action = action
        self._next_power = next_power

    def box_is_due(self, waited: int) -> bool:
        due = bool(self._action.box)
        if due and waited < 2:
            raise _impossible("There are at least two moves between one box and the next.")
        if not due and waited >= 4:
            raise _impossible("There are at most four moves between one box and the next.")
        return due

    def box(self, squares: Sequence[int]) -> tuple[int, Rarity]:
        if self._action.box == NO_SQUARE:
            raise _impossible("A box should have come: there was a square for it.")
        where, _, rarity = self._action.box.partition(" ")
        for known in RARITIES:
            if known == rarity:
                return self._one_of(where, squares), known
        raise _impossible(f"{rarity!r} is no kind of box.")

    def offer(self, powers: Sequence[PowerName]) -> Offer:
        if self._action.offer == (UNKNOWN, UNKNOWN):
            # Of what was offered to somebody else the file knows what they used.
            used = [power for power in powers if power == self._next_power]
            return used[0] if used else UNSEEN, UNSEEN
        if len(self._action.offer) != 2:
            raise _impossible("A box was taken: two powers are offered.")
        first, second = map(_power, self._action.offer)
        if first == second or first not in powers or second not in powers:
            raise _impossible("These two powers cannot have been offered.")
        return first, second

    def square(self, squares: Sequence[int]) -> int:
        return self._one_of(self._action.drawn, squares)

    def grave(self, buried: str) -> str:
        for letter in buried:
            if letter.upper() == self._action.piece:
                return letter
        raise _impossible("It does not say which of the captured pieces came back.")

    def _one_of(self, name: str, squares: Sequence[int]) -> int:
        if not name:
            raise _impossible("It does not say which square chance has chosen.")
        square = square_named(name)
        if square not in squares:
            raise _impossible(f"Chance cannot have chosen {name}.")
        return square
