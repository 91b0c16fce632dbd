"""The clocks that players of Power Chess know by name. Any other can be set at a table."""

from collections.abc import Mapping
from types import MappingProxyType

from gamut.games.files import TimeControl

CONTROLS: Mapping[str, TimeControl] = MappingProxyType(
    {
        "quick": TimeControl(style="bank", main=300_000, increment=5_000),
        "standard": TimeControl(style="bank", main=900_000, increment=15_000),
        "slow": TimeControl(style="bank", main=2_700_000, increment=45_000),
    }
)
"""In the order of their numbers. The increment comes with every action: a MOVE and a power earn two."""

ALLOWANCE = 1_000
"""Milliseconds for which an action still counts after the time is over: players' clocks may show that much more."""


def name_of(control: TimeControl) -> str | None:
    return next((name for name, known in CONTROLS.items() if known == control), None)
