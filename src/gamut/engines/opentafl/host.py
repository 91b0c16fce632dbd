"""Asking an engine that speaks the OpenTafl Engine Protocol.

One process plays for many tables. It knows one game at a time; when it is asked about another, or about a game that
went on without it, it is told of a new game that begins with that position.
"""

from collections.abc import Iterator
from functools import reduce

from gamut.engines.conversation import NOTHING, CannotAsk, Heard
from gamut.engines.opentafl.lines import for_one_move, layout_of, rules_from_here, words_of
from gamut.games.game import Refused, Seat
from gamut.games.tafl.compiled import Compiled
from gamut.games.tafl.decide import decided, evolve
from gamut.games.tafl.notation import BadNotation, space_number
from gamut.games.tafl.pieces import SIDES, Side
from gamut.games.tafl.play import after, moves
from gamut.games.tafl.position import Position
from gamut.games.tafl.records import RESIGNS, parse_record, record_of
from gamut.games.tafl.state import Move, TaflState

_ILLEGAL_MOVES = 2
"""After so many the game is given up."""
_ERRORS = {"illegal_side": 1, "illegal_move": 2, "illegal_side_berserker": 3, "illegal_move_berserker": 4}
_LONGEST_CAPTURE = 16
"""Moves of one turn that are looked for, where captures go on."""


class Host:
    """The server's part. What the engine is told is what its seat sees: all of it, in this game."""

    def __init__(self) -> None:
        self.greeted = False
        self._simple = True
        self._waiting = b""
        """What it is told when it has said that it is there."""
        self._state: TaflState | None = None
        """Its game after its own last move, or as it was told."""
        self._asked: TaflState | None = None
        self._side: Side = 0
        self._millis = 0
        self._opponent = b""
        """What was told last of the other side."""
        self._illegal = 0

    def ask(self, state: TaflState, seat: Seat, seed: int, millis: int) -> bytes:
        self._side = 1 if seat else 0
        self._millis, self._illegal, self._asked = millis, 0, state
        told = self._told_of(state)
        asking = f"clock {for_one_move(millis)}\nplay {SIDES[self._side]}\n".encode()
        if self.greeted:
            return told + asking
        self._waiting = asking
        return told

    def _told_of(self, state: TaflState) -> bytes:
        """What the engine must hear to know this position."""
        before, self._opponent = self._state, b""
        self._state = state
        if before is not None and before.rules == state.rules:
            if before.board == state.board and before.turn == state.turn and before.berserk == state.berserk:
                return b""
            passed = moved_since(before, state, self._side)
            if passed is not None:
                words = "|".join(self._written(move) for move in passed)
                self._opponent = f"opponent-move {words} {layout_of(state)}\n".encode()
                return self._opponent
        if state.berserk is not None:
            # There is no way to say that only one piece may move.
            self._state = None
            raise CannotAsk("it does not know how this capture began")
        return f"rules {rules_from_here(state, self._side)}\n".encode()

    def _written(self, words: str) -> str:
        record = parse_record(words)
        return record.simple if self._simple else record.for_old_clients()

    def hear(self, line: bytes) -> Heard:
        word, rest = words_of(line)
        match word:
            case "hello":
                self.greeted = True
                waiting, self._waiting = self._waiting, b""
                return Heard(waiting)
            case "simple-moves":
                self._simple = rest != "off"
            case "move":
                return self._moved(rest)
            case "error" if rest.split(" ")[0] == "-1":
                self._state = None
                return Heard(resigns=True)
            case "rules" | "position" | "clock" if self._asked is not None:
                return Heard(self._wanted(word, self._asked))
            case _:
                # Its status, its warnings, an analysis, or what it writes for itself.
                pass
        return NOTHING

    def _wanted(self, word: str, state: TaflState) -> bytes:
        if word == "clock":
            return f"clock {for_one_move(self._millis)}\n".encode()
        if word == "position":
            return f"position {layout_of(state)}\n".encode()
        return f"rules {rules_from_here(state, self._side)}\n".encode()

    def _moved(self, words: str) -> Heard:
        state = self._asked
        if state is None:
            return NOTHING  # nobody has asked
        if words == RESIGNS:
            self._state = None
            return Heard(resigns=True)
        try:
            action = _action(words, state)
            events = decided(state, Seat(self._side), action)
        except (BadNotation, Refused) as error:
            return self._refused(error)
        self._asked, self._state = None, reduce(evolve, events, state)
        return Heard(f"move {layout_of(self._state)}\n".encode(), action)

    def _refused(self, error: BadNotation | Refused) -> Heard:
        self._illegal += 1
        code = _ERRORS.get(error.code, 2) if isinstance(error, Refused) else 2
        said = f"error {code} {error.reason}\n".encode("ascii", errors="replace")
        if self._illegal >= _ILLEGAL_MOVES:
            self._asked = self._state = None
            return Heard(said, resigns=True)
        again = f"clock {for_one_move(self._millis)}\nplay {SIDES[self._side]}\n".encode()
        return Heard(said + self._opponent + again)

    def farewell(self) -> bytes:
        return b"finish 0\ngoodbye\n"


def _action(words: str, state: TaflState) -> Move:
    record = parse_record(words)
    size = state.size
    start, end = space_number(record.start, size), space_number(record.end, size)
    if start is None or end is None:
        raise BadNotation("The board has no such space.")
    return Move(start, end)


def moved_since(before: TaflState, now: TaflState, side: Side) -> list[str] | None:
    """The records of the moves with which the other side came from one position to another, if there are such."""
    if before.turn != 1 - side or now.turn != side or now.berserk is not None:
        return None
    on, goal = before.on, now.position
    return next(_ways(on, before.position, goal, _pieces(goal), _LONGEST_CAPTURE), None)


def _ways(on: Compiled, before: Position, goal: Position, least: int, most: int) -> Iterator[list[str]]:
    for move in moves(on, before):
        following = after(on, before, move)
        if following.turn == goal.turn:
            if following.attackers == goal.attackers and _alike(following, goal):
                yield [str(record_of(on, before, move, following.captured))]
        elif most > 1 and _pieces(following) >= least:
            for way in _ways(on, following, goal, least, most - 1):
                yield [str(record_of(on, before, move, following.captured)), *way]


def _alike(one: Position, other: Position) -> bool:
    return (one.defenders, one.kings, one.others) == (other.defenders, other.kings, other.others)


def _pieces(position: Position) -> int:
    return (position.attackers | position.defenders).bit_count()
