"""What players do, and the positional parameters with which files and clients say it."""

from typing import Annotated, Any, Literal, get_args

import msgspec

from gamut.games.game import Refused

Tile = Annotated[int, msgspec.Meta(ge=0, le=107)]
Chain = Annotated[int, msgspec.Meta(ge=0, le=6)]
Count = Annotated[int, msgspec.Meta(ge=0, le=25)]

ActionName = Literal[
    "PlayTile",
    "SelectNewChain",
    "SelectMergerSurvivor",
    "SelectChainToDisposeOfNext",
    "DisposeOfShares",
    "PurchaseShares",
]
AwaitedName = ActionName | Literal["GameOver"]


class PlayTile(msgspec.Struct, frozen=True, gc=False, tag=True):
    tile: Tile


class SelectNewChain(msgspec.Struct, frozen=True, gc=False, tag=True):
    chain: Chain


class SelectMergerSurvivor(msgspec.Struct, frozen=True, gc=False, tag=True):
    chain: Chain


class SelectChainToDisposeOfNext(msgspec.Struct, frozen=True, gc=False, tag=True):
    chain: Chain


class DisposeOfShares(msgspec.Struct, frozen=True, gc=False, tag=True):
    trade: Count
    """Shares of the swallowed chain that are given away, two for one of the survivor."""
    sell: Count


class PurchaseShares(msgspec.Struct, frozen=True, gc=False, tag=True):
    chains: Annotated[tuple[Chain, ...], msgspec.Meta(max_length=3)]
    """One entry for each share, in any order."""
    end: bool = False
    """End the game after that. It counts only where the game may be ended."""


Select = SelectNewChain | SelectMergerSurvivor | SelectChainToDisposeOfNext
Action = PlayTile | Select | DisposeOfShares | PurchaseShares

SELECTS: dict[str, type[Select]] = {kind.__name__: kind for kind in get_args(Select)}
"""The choices of a chain, by name."""
_ONE = ("PlayTile", *SELECTS)
"""What has one parameter; the others have two."""
NAMES: dict[type, ActionName] = {kind: kind.__name__ for kind in get_args(Action)}


def params_of(action: Action) -> list[Any]:
    if type(action) is PlayTile:
        return [action.tile]
    if type(action) is PurchaseShares:
        return [list(action.chains), int(action.end)]
    if type(action) is DisposeOfShares:
        return [action.trade, action.sell]
    assert not isinstance(action, PlayTile | PurchaseShares | DisposeOfShares)
    return [action.chain]


def action_of(name: ActionName, params: Any) -> Action:
    """The action that these parameters are. Refused where they are not even of the right types.

    What is out of range is left for the rules to refuse: the action can be made.
    """
    if not isinstance(params, list | tuple) or len(params) != (1 if name in _ONE else 2):
        raise Refused("invalid_message", f"{name} has other parameters than these.")
    if name == "PlayTile":
        return PlayTile(_integer(params[0], "invalid_tile", "A tile is a number from 0 to 107."))
    if name == "DisposeOfShares":
        return DisposeOfShares(
            _integer(params[0], "invalid_trade_amount", "The number of shares to trade is 0 or more."),
            _integer(params[1], "invalid_sell_amount", "The number of shares to sell is 0 or more."),
        )
    if name == "PurchaseShares":
        return _purchase(*params)
    return SELECTS[name](_chain(params[0]))


def _purchase(chains: Any, end: Any) -> PurchaseShares:
    if not isinstance(chains, list | tuple):
        raise Refused("invalid_chain", "Shares to buy are a list of chains, each a number from 0 to 6.")
    if not (isinstance(end, int) and end in (0, 1)):
        raise Refused("invalid_message", "Whether the game is to end is said with 0 or 1.")
    if len(chains) > 3:
        raise Refused("too_many_shares", "At most three shares are bought in a turn.")
    return PurchaseShares(tuple(map(_chain, chains)), bool(end))


def _chain(value: Any) -> int:
    return _integer(value, "invalid_chain", "A chain is a number from 0 to 6.")


def _integer(value: Any, code: str, reason: str) -> int:
    if type(value) is not int:
        raise Refused(code, reason)
    return value
