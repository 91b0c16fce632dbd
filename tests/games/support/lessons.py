"""The positions of each game's first lesson, as the page plays through them.

`python -m tests.games.support.lessons` writes them beside the games of the page: what may be done in each position,
what of that is right, and what it brings, all as the rules say it. So the page needs no rules for it, and no server.
"""

import re
import sys
from collections.abc import Callable, Sequence
from functools import reduce
from pathlib import Path
from random import Random
from typing import Any, NamedTuple

import msgspec
from msgspec.structs import replace

from gamut.games.acquire.actions import SelectNewChain
from gamut.games.acquire.board import CHAINS, LETTERS, SHARES, TILES
from gamut.games.acquire.evolve import hidden
from gamut.games.acquire.state import AcquireState, Awaited
from gamut.games.game import AnyGame, Seat
from gamut.games.powerchess.squares import square_named
from gamut.games.powerchess.state import Box, Choice, Ended, Marks, Moved, PowerChessState
from gamut.games.registry import all_games
from gamut.games.tafl.options import TaflOptions
from gamut.games.topple.events import Resumed
from gamut.games.topple.state import Setup
from gamut.games.tower.board import EMPTY
from gamut.games.tower.board import TILES as TOWER_TILES
from gamut.games.tower.rules import TowerState

GAMES = all_games()
_FOLDER = Path(__file__).parents[3] / "web" / "src" / "games"
_ME, _OTHER = Seat(0), Seat(1)

Right = Callable[[Any, Sequence[Any], Any], bool]
"""Whether an action is what was asked for: the action, its events, and the state after it."""


class Step(NamedTuple):
    state: Any
    right: Right
    seat: Seat = _ME


def file_of(game: str) -> Path:
    return _FOLDER / game / "lesson.json"


def _anything(*_: object) -> bool:
    return True


def _wins(game: str, seat: Seat) -> Right:
    def won(_action: Any, _events: Any, after: Any) -> bool:
        outcome = GAMES[game].outcome(after)
        return outcome is not None and outcome.winners == (seat,)

    return won


def _after(game: str, step: Step) -> Any:
    """Where the first right action leads."""
    rules, state = GAMES[game], step.state
    for action in rules.legal(state, step.seat):
        events = rules.decide(state, step.seat, action, Random(0))
        after = reduce(rules.evolve, events, state)
        if step.right(action, events, after):
            return after
    raise AssertionError("nothing is right")


# Tower


def _tower(marks: dict[int, str]) -> TowerState:
    """Marks by their letters; X is to move."""
    placed = {tile: seat for seat, letter in enumerate("XOJ") for tile in marks if marks[tile] == letter}
    return TowerState(tuple(placed.get(tile, EMPTY) for tile in range(TOWER_TILES)), _ME, None, None)


def _tower_steps() -> list[Step]:
    wins = _wins("tower", _ME)
    return [
        Step(_tower({}), _anything),
        Step(_tower({5: "X", 7: "X", 1: "O", 12: "O", 3: "J", 20: "J"}), wins),
        Step(_tower({2: "X", 18: "X", 6: "O", 8: "O", 15: "J", 21: "J"}), wins),
        Step(_tower({5: "X", 23: "X", 0: "O", 12: "O", 2: "J", 11: "J"}), wins),
        Step(
            _tower({6: "X", 20: "X", 0: "O", 3: "O", 10: "J", 17: "J"}),
            lambda action, _events, _after: action.tile == 5,
        ),
    ]


# Topple


def _topple(pieces: Sequence[str], teams: Sequence[str]) -> Any:
    board, owners = (bytes(map(int, "".join(rows))) for rows in (pieces, teams))
    setup = Setup(topology=0, x=len(pieces[0]), y=len(pieces), teams=(1, 2))
    return GAMES["topple"].evolve(None, Resumed(setup, board, owners, (True, True), _ME, (None,) * 7))


def _topple_steps() -> list[Step]:
    def on(tile: int) -> Right:
        return lambda action, _events, _after: action.tile == tile

    return [
        Step(_topple(["1111", "1211", "1121", "1111"], ["0000", "0100", "0020", "0000"]), _anything),
        Step(_topple(["2111", "1111", "1131", "1111"], ["1000", "0000", "0020", "0000"]), on(0)),
        Step(_topple(["1111", "1431", "1221", "1111"], ["0000", "0120", "0020", "0000"]), on(5)),
        Step(_topple(["1121", "1443", "1121", "1112"], ["0020", "0122", "0010", "0002"]), on(5)),
        Step(_topple(["112", "341", "111"], ["221", "211", "121"]), _wins("topple", _ME)),
    ]


# Tafl


def _tafl(rows: Sequence[str], turn: Seat = _ME) -> Any:
    """By the rules of Brandub; the last rank first, as one sees it."""
    game, first = GAMES["tafl"], "y" if turn == _ME else "n"
    start = re.sub(r"\.+", lambda empty: str(len(empty[0])), "/".join(reversed(rows)))
    rules = f"dim:7 name:Brandub surf:n atkf:{first} ks:w cenh: cenhe: start:/{start}/"
    return game.replay(game.begin(game.checked(TaflOptions(rules=rules)), 2, Random(0)))


def _tafl_steps() -> list[Step]:
    def captures(_action: Any, events: Sequence[Any], _after: Any) -> bool:
        return bool(events[0].captured)

    start = ["...t...", "...t...", "...T...", "ttTKTtt", "...T...", "...t...", "...t..."]
    capture = ["..t....", ".....t.", ".T.....", "...K...", "...tT..", "t......", "......."]
    corner = [".T.....", ".....t.", "....T..", "...K...", "..t....", "......t", "......."]
    escape = ["..t....", "......t", "t......", ".....T.", "...t...", ".T.....", "..t.K.."]
    king = ["......t", "....t..", "....K..", ".T.....", "......t", "..T....", "....t.."]
    return [
        Step(_tafl(start), _anything),
        Step(_tafl(capture), captures),
        Step(_tafl(corner), captures),
        Step(_tafl(escape, _OTHER), _wins("tafl", _OTHER), _OTHER),
        Step(_tafl(king), _wins("tafl", _ME)),
    ]


# Acquire


def _lot(name: str) -> int:
    """The number of a tile by its name, such as 5C."""
    return (int(name[:-1]) - 1) * 9 + "ABCDEFGHI".index(name[-1])


def _acquire(rows: Sequence[str], rack: str, owned: Sequence[dict[str, int]] = ({}, {})) -> AcquireState:
    """Rows A to I, each from the first column to the last; what the first of two players has in hand; their shares."""
    board = "".join(row[column] for column in range(12) for row in rows)
    mine = tuple(map(_lot, rack.split()))
    free = [tile for tile in range(TILES) if board[tile] == "." and tile not in mine]
    theirs = tuple(Random(0).sample(free, 6))
    sizes = tuple(board.count(letter) for letter in LETTERS)
    shares = tuple(tuple(each.get(letter, 0) for letter in LETTERS) for each in owned)
    bag = tuple(tile for tile in free if tile not in theirs)
    return AcquireState(
        teams=2,
        board=board,
        racks=(mine, theirs),
        unseen=bag,
        bag=len(bag),
        shares=shares,
        cash=(60, 60),
        available=tuple(SHARES - sum(held[chain] for held in shares) for chain in range(len(CHAINS))),
        sizes=sizes,
        next=Awaited(_ME, "PlayTile", _ME),
        actions=1,
    )


def _acquire_steps() -> list[Step]:
    town = ["............"] * 9
    houses = [*town[:2], "....O.......", *town[:2], ".........O..", *town[:3]]
    village = [
        "............",
        "............",
        "....O.......",
        "............",
        "........AA..",
        "........A...",
        "..O.........",
        "............",
        "............",
    ]
    between = [
        "............",
        "............",
        "............",
        "............",
        "...LL.III...",
        "...L..II....",
        "............",
        ".........O..",
        "............",
    ]

    def founds(_action: Any, events: Sequence[Any], _after: Any) -> bool:
        return bool(events[0].next.action == "SelectNewChain")

    def merges(_action: Any, events: Sequence[Any], _after: Any) -> bool:
        return events[0].next.defunct is not None

    def buys(action: Any, _events: Any, _after: Any) -> bool:
        return bool(action.chains)

    first = _acquire(houses, "2B 8B 11D 3E 7G 5I")
    founding = _acquire(village, "2B 5D 8B 11C 7G 4I")
    naming = _after("acquire", Step(founding, founds))
    buying = _after("acquire", Step(naming, lambda action, _events, _after: action == SelectNewChain(0)))
    merging = _acquire(between, "6E 2B 9C 11D 2H 7I", [{"L": 3, "I": 1}, {"L": 2, "I": 3}])

    return [
        Step(first, _anything),
        Step(founding, founds),
        Step(naming, _anything),
        Step(buying, buys),
        Step(merging, merges),
    ]


def seen(state: Any, seat: Seat) -> Any:
    """The state as a seat knows it."""
    if not isinstance(state, AcquireState):
        return state
    covered = tuple(rack if holder == seat else hidden(len(rack)) for holder, rack in enumerate(state.racks))
    others = (tile for holder, rack in enumerate(state.racks) if holder != seat for tile in rack)
    return replace(state, racks=covered, unseen=tuple(sorted({*state.unseen, *others} - {None})))


# Power Chess


def _chess(rows: Sequence[str], **more: Any) -> PowerChessState:
    """The last rank first, as one sees it. It is too early for another box."""
    return PowerChessState(board="".join(reversed(rows)), castling="", **more)


def _powerchess_steps() -> list[Step]:
    at, none = square_named, "........"
    home, king = "....K...", "....k..."

    def opens(_action: Any, events: Sequence[Any], _after: Any) -> bool:
        return isinstance(events[0], Moved) and events[0].took is not None

    def captures(_action: Any, events: Sequence[Any], _after: Any) -> bool:
        return bool(events[0].captured)

    def mates(_action: Any, events: Sequence[Any], _after: Any) -> bool:
        return isinstance(events[-1], Ended) and events[-1].winner == _ME

    again = Choice(at("f6"), "common", ("second_effort", "shield"))
    box = Step(
        _chess(
            [king, "...p....", none, none, none, ".....N..", "P.......", home],
            boxes=(Box(at("d4"), "common"),),
        ),
        opens,
    )
    return [
        Step(_chess([king, "p.......", none, ".Q......", none, none, "P.....r.", home]), mates),
        box,
        Step(_after("powerchess", box), _anything),
        Step(
            _chess(
                [king, none, none, "...n....", none, none, "b..R....", home],
                marks=(Marks(at("d5"), shield=5),),
            ),
            captures,
        ),
        Step(_chess([king, "p.......", ".....N..", none, none, ".r......", none, home], choice=again), mates),
    ]


# All of them

_STEPS: dict[str, Callable[[], list[Step]]] = {
    "tower": _tower_steps,
    "topple": _topple_steps,
    "tafl": _tafl_steps,
    "acquire": _acquire_steps,
    "powerchess": _powerchess_steps,
}


def steps(game: str) -> list[Step]:
    return _STEPS[game]()


def _position(game: AnyGame, step: Step) -> dict[str, Any]:
    """As the page has it."""
    state, seat = step.state, step.seat
    legal, right = game.legal(state, seat), []
    for action in legal:
        events = game.decide(state, seat, action, Random(0))
        after = reduce(game.evolve, events, state)
        if step.right(action, events, after):
            right.append({"action": action, "events": [game.view(event, seat) for event in events]})
    return {"seat": seat, "state": seen(state, seat), "legal": legal, "right": right}


def written(game: str) -> bytes:
    positions = [msgspec.json.encode(_position(GAMES[game], step)) for step in steps(game)]
    return b"[\n" + b",\n".join(positions) + b"\n]\n"


if __name__ == "__main__":
    for name in _STEPS:
        file_of(name).write_bytes(written(name))
        sys.stdout.write(f"{name}: {file_of(name).stat().st_size} bytes\n")
