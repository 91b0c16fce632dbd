"""A bot of ours as an engine that speaks the OpenTafl Engine Protocol: `gamut engine run tafl`."""

from collections.abc import Iterator
from functools import reduce
from random import Random
from typing import TextIO

from msgspec.structs import replace

from gamut.engines.opentafl.lines import ClockLine, layout_of, parse_clock, side_named, words_of
from gamut.games.budget import UNLIMITED, Budget
from gamut.games.game import AnyGame, Refused, Seat
from gamut.games.tafl.bots import LEVELS, searching
from gamut.games.tafl.decide import decided_by_record, evolve, folded
from gamut.games.tafl.layout import parse_layout
from gamut.games.tafl.notation import BadNotation, space_name
from gamut.games.tafl.options import TaflOptions
from gamut.games.tafl.pieces import ATTACKERS, DEFENDERS, Side
from gamut.games.tafl.play import moves
from gamut.games.tafl.position import END, SHIFT
from gamut.games.tafl.records import RESIGNS
from gamut.games.tafl.state import Began, Moved, TaflState, holding

_MOVES_TO_COME = 30
_MARGIN = 40
"""Milliseconds for the way there and back."""
_WITHOUT_LIMIT = 10**9
_MOST_LINES, _LONGEST_LINE, _LONGEST_ANALYSIS = 20, 6, 600


class Player:
    """What the engine knows. Lines come in, and lines go out."""

    def __init__(self, level: str, chance: Random) -> None:
        self._level = level
        self._chance = chance
        self._state: TaflState | None = None
        self._clock: ClockLine | None = None
        self._side: Side = ATTACKERS
        self.ended = False

    def hear(self, line: bytes) -> Iterator[str]:
        """The answers to a line. One that makes no sense is answered with a warning."""
        word, rest = words_of(line)
        try:
            match word:
                case "rules":
                    self._begin(rest)
                case "position":
                    self._set_up(rest)
                case "side":
                    self._side = side_named(rest)
                case "clock":
                    self._clock = parse_clock(rest)
                case "opponent-move":
                    self._follow(rest)
                case "play":
                    yield from self._play(side_named(rest))
                case "analyze":
                    yield from self._analyse(rest)
                case "error":
                    # The move was not accepted: it has not been made.
                    yield f"status My move was refused: {rest}"
                case "move" | "finish":
                    yield from self._told(word, rest)
                case "goodbye":
                    self.ended = True
                case _:
                    pass
        except (ValueError, Refused) as error:
            yield f"error 0 {' '.join(str(error).split())}"

    def _begin(self, rules: str) -> None:
        self._state = folded(TaflOptions(rules=rules).checked().beginning)
        self._clock = None

    def _known(self) -> TaflState:
        if self._state is None:
            raise BadNotation("There are no rules yet.")
        return self._state

    def _set_up(self, layout: str) -> None:
        """Another position, in which the same side is to move."""
        state = self._known()
        board = parse_layout(layout, state.on.size)
        turn = DEFENDERS if state.turn == DEFENDERS else ATTACKERS
        self._state = evolve(None, holding(state.on, Began(state.rules, board, Seat(turn), state.quirks)))

    def _follow(self, rest: str) -> None:
        """The other side has moved. If that leads elsewhere than it is said to, what is said counts."""
        words, _, layout = rest.partition(" ")
        state = self._known()
        try:
            for record in words.split("|"):
                state = reduce(evolve, decided_by_record(state, record), state)
        except (BadNotation, Refused):
            if not layout:
                raise
        self._state = state
        if layout and layout_of(state) != layout:
            self._set_up(layout)

    def _told(self, word: str, rest: str) -> Iterator[str]:
        if word == "finish":
            self._state = None
        elif rest and self._state is not None and layout_of(self._state) != rest:
            # Our own move led elsewhere than we thought.
            yield "status The board is not what I took it for."
            self._set_up(rest)

    def _play(self, side: Side) -> Iterator[str]:
        state = self._known()
        if state.turn != side:
            # Somebody else keeps the order of turns; the board is the same.
            state = replace(state, turn=Seat(side), berserk=None, ending=None)
        if not moves(state.on, state.position):
            yield f"move {RESIGNS}"
            return
        move = LEVELS[self._level](state, self._chance, self._budget(side))
        start, end = (space_name(space, state.on.size) for space in (move >> SHIFT, move & END))
        events = decided_by_record(state, f"{start}-{end}")
        self._state = reduce(evolve, events, state)
        yield from (f"move {event.record}" for event in events if isinstance(event, Moved))

    def _budget(self, side: Side) -> Budget:
        """By the clock; without one, what the level takes by itself."""
        clock = self._clock
        if clock is None:
            return UNLIMITED
        left = clock.millis[side]
        if clock.in_overtime[side]:
            share = left
        else:
            share = left // _MOVES_TO_COME
            if clock.periods[side]:
                # Once the main time is used up, there is a whole period for each move.
                share = max(share, min(left, 1000 * clock.overtime_seconds))
        return Budget(max(1, min(share, left - left // 10 - _MARGIN)), _WITHOUT_LIMIT)

    def _analyse(self, rest: str) -> Iterator[str]:
        """The best lines, each looked for in its share of the time."""
        lines, _, seconds = rest.partition(" ")
        if not (lines.isdecimal() and seconds.isdecimal()):
            raise BadNotation("An analysis is asked for by a number of lines and a number of seconds.")
        count = min(int(lines), _MOST_LINES)
        state = self._known()
        turn = self._side
        state = replace(state, turn=Seat(turn), ending=None)
        on, position = state.on, state.position
        count = min(count, len(moves(on, position)))
        told: list[str] = []
        found: list[int] = []
        for _ in range(count):
            millis = 1000 * min(int(seconds), _LONGEST_ANALYSIS) // count
            search = searching(state, Budget(max(1, millis), _WITHOUT_LIMIT), 0)
            best = search.best(position, self._chance, but=found)
            found.append(best.choice)
            line = search.line(position, best.choice, _LONGEST_LINE)
            shown = "|".join(
                f"{space_name(move >> SHIFT, on.size)}-{space_name(move & END, on.size)}" for move in line
            )
            told.append(f"{shown} {best.value}")
        yield " ".join(["analysis", str(len(told)), *told])


def run(game: AnyGame, heard: TextIO, said: TextIO, level: str) -> None:
    """Until `goodbye`, or the end of what is heard."""
    player = Player(level, Random())
    _say(said, "hello")
    _say(said, "simple-moves on")
    for line in heard:
        for answer in player.hear(line.encode("utf-8", errors="replace")):
            _say(said, answer)
        if player.ended:
            return


def _say(said: TextIO, line: str) -> None:
    said.write(line.encode("ascii", errors="replace").decode("ascii") + "\n")
    said.flush()
