"""What the tests of Tafl share: recorded cases, and options that can be played."""

import json
from pathlib import Path
from typing import Any

from hypothesis import strategies as st

from gamut.games.tafl.compiled import Compiled
from gamut.games.tafl.endings import Ending
from gamut.games.tafl.layout import written_layout
from gamut.games.tafl.notation import space_name, space_number
from gamut.games.tafl.options import TaflOptions
from gamut.games.tafl.position import END, SHIFT, Position, move_of, spaces_of
from gamut.games.tafl.rules import Tafl

VECTORS = Path(__file__).parents[2] / "vectors" / "tafl"


def vectors(name: str) -> Any:
    return json.loads((VECTORS / name).read_text(encoding="utf-8"))


def names(bits: int, size: int) -> list[str]:
    """The spaces of a set as recorded cases have them."""
    return sorted(space_name(space, size) for space in spaces_of(bits))


def simple(move: int, size: int) -> str:
    return f"{space_name(move >> SHIFT, size)}-{space_name(move & END, size)}"


def move_named(text: str, size: int) -> int:
    start, end = (space_number(name, size) for name in text.split("-"))
    assert start is not None
    assert end is not None
    return move_of(start, end)


def shown(on: Compiled, position: Position) -> str:
    return written_layout(on.board_of(position), on.size)


def code(end: Ending | None) -> int:
    """As recorded: nobody elsewhere loses for having no move."""
    if end is None or end.reason == "no_moves":
        return 0
    return 4 if end.winner is None else 2 + end.winner


SMALL = [
    "dim:5 ks:w surf:n start:/2t2/2T2/tTKTt/2T2/2t2/",
    "dim:5 ks:w esc:e cor: ber:m mj:j tfr:i start:/1tm2/2M2/tTKTt/2T2/1mt2/",
    "dim:7 ber:c kj:j cj:c nj:c gj:c start:/3c3/3t3/2GN3/ttTKTtt/3T1g1/3t3/3t3/",
    "dim:7 sw:s efe:y tfr:w spd:3 start:/3t3/3t3/3T3/ttTKTtt/3T3/3t3/3t3/",
    "dim:9 esc:e sw:w swf:n cor: linc:y tfr:l atkf:n start:/3ttt3/4t4/4T4/t3T3t/ttTTKTTtt/t3T3t/4T4/4t4/3ttt3/",
]


def options() -> st.SearchStrategy[TaflOptions]:
    """On small boards, as large ones would take a battery too long."""
    by_name = st.sampled_from(["brandub", "magpie"]).map(lambda name: {"variant": name})
    own = st.sampled_from(SMALL).map(lambda rules: {"rules": rules})
    return st.builds(
        lambda chosen, quirks: Tafl().checked(TaflOptions(**chosen, quirks=quirks)),
        by_name | own,
        st.booleans(),
    )
