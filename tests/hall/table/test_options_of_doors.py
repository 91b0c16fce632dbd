"""Options that a door puts together meet the limits of their type before a table has them."""

from typing import Any

import pytest

from gamut.games.acquire.options import AcquireOptions
from gamut.games.game import Refused
from gamut.games.powerchess.options import PowerChessOptions
from gamut.games.registry import all_games
from gamut.games.tafl.options import MOST_MOVES, TaflOptions
from gamut.games.topple.options import ToppleOptions
from gamut.hall.table.deciding.beginning import checked_options

BEYOND: list[tuple[str, Any]] = [
    ("acquire", AcquireOptions(order="backwards")),  # type: ignore[arg-type]
    ("powerchess", PowerChessOptions(boxes="many")),  # type: ignore[arg-type]
    ("tafl", TaflOptions(variant="chess")),  # type: ignore[arg-type]
    ("tafl", TaflOptions(moves=(MOST_MOVES + 1) * ("a4-a3",))),
    ("topple", ToppleOptions(idle_rounds=101)),
    ("topple", ToppleOptions(teams=(7,))),
    ("topple", ToppleOptions(x=0)),
]


@pytest.mark.parametrize(("name", "options"), BEYOND)
def test_what_goes_past_the_type_is_refused(name: str, options: Any) -> None:
    with pytest.raises(Refused) as refused:
        checked_options(all_games()[name], options)
    assert refused.value.code == "bad_options"


@pytest.mark.parametrize("name", all_games())
def test_what_does_not_is_kept_with_what_was_worked_out_for_it(name: str) -> None:
    game = all_games()[name]
    options = game.options_type()
    assert checked_options(game, options) == game.checked(options)
