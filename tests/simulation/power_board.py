"""The board of Power Chess as a client knows it, from what it is told."""

from collections.abc import Sequence
from random import Random
from typing import Any

from gamut.games.game import Seat
from gamut.games.powerchess.fen import START, parse_placement
from gamut.games.powerchess.powers import POWERS, RARITIES, TARGETS
from gamut.games.powerchess.rules import PowerChess
from gamut.games.powerchess.state import Action, Box, Choice, Hole, PowerChessState, Use

_PIECES = "KQRBNP"
_NOTHING, _PIECE, _BOX, _HOLE = range(4)
_VACANT = "."
CARRIES = ("adjust", "second_effort")
"""Powers that move the piece which took the box."""


def place(square: int) -> dict[str, int]:
    return {"row": square >> 3, "col": square & 7}


def square_at(place: dict[str, int]) -> int:
    return place["row"] << 3 | place["col"]


def _choice_of(options: dict[str, int] | None) -> tuple[int, int, int] | None:
    return None if options is None else (options["rarity"], options["id1"], options["id2"])


class PowerBoard:
    def __init__(self) -> None:
        self._letters = list(parse_placement(START.split()[0]))
        self._boxes: dict[int, int] = {}
        self._holes: set[int] = set()
        self._choice: tuple[int, int, int] | None = None
        """Rarity and the numbers of the two powers that are offered."""
        self._took: int | None = None
        """Where the piece stands that took the box, if that is known."""

    def __str__(self) -> str:
        return "".join(self._letters)

    # What is told

    def carry(self, start: int, end: int) -> None:
        """A piece has moved. Whatever else this changes is told as well."""
        self._letters[end], self._letters[start] = self._letters[start], _VACANT
        self._boxes.pop(end, None)
        self._took = end

    def took(self, squares: Sequence[int], seat: int) -> None:
        """The piece of this seat that stands on the last of these squares took the box; if none does, nobody knows."""
        own = str.isupper if seat == 0 else str.islower
        self._took = next((square for square in reversed(squares) if own(self._letters[square])), None)

    def use(self, power: Use) -> None:
        """The own power has worked; whatever else it changes is told as well."""
        if power.power in CARRIES and self._took is not None and power.target is not None:
            self.carry(self._took, power.target)

    def show(self, updates: Sequence[dict[str, Any]]) -> None:
        for entry in updates:
            square, state = square_at(entry), entry["state"]
            self._letters[square] = _VACANT
            self._boxes.pop(square, None)
            self._holes.discard(square)
            if state == _PIECE:
                letter = _PIECES[entry["piece"] % 6]
                self._letters[square] = letter if entry["color"] else letter.lower()
            elif state == _BOX:
                self._boxes[square] = entry["rarity"]
            elif state == _HOLE:
                self._holes.add(square)

    def show_all(self, updates: Sequence[dict[str, Any]]) -> None:
        """Every square, to whoever comes in the middle of a game."""
        self._took = None
        self.show(updates)

    def offer(self, options: dict[str, int] | None) -> None:
        self._choice = _choice_of(options)

    def is_offered(self, options: dict[str, int] | None) -> bool:
        """These are the powers that are offered already."""
        return options is not None and self._choice == _choice_of(options)

    # What can be done

    def some_action(self, seat: int, chance: Random) -> tuple[Action, int] | None:
        """Something that is probably allowed, and of a power whether it is the first or the second."""
        powers = () if self._choice is None else self._powers
        if self._choice is not None and self._took is None:
            power = chance.choice(powers)
            return Use(power, chance.randrange(64) if power in TARGETS else None), powers.index(power)
        choice = None
        if self._choice is not None and self._took is not None:
            choice = Choice(self._took, RARITIES[self._choice[0]], (powers[0], powers[1]))
        state = PowerChessState(
            board=str(self),
            turn=Seat(seat),
            choice=choice,
            castling="",
            boxes=tuple(Box(square, RARITIES[rarity]) for square, rarity in sorted(self._boxes.items())),
            holes=tuple(Hole(square, 1_000) for square in sorted(self._holes)),
        )
        legal = PowerChess().legal(state, Seat(seat))
        if not legal:
            return None
        action = chance.choice(list(legal))
        return action, powers.index(action.power) if isinstance(action, Use) else 0

    @property
    def _powers(self) -> tuple[Any, ...]:
        assert self._choice is not None
        rarity, first, second = self._choice
        return POWERS[rarity][first], POWERS[rarity][second]
