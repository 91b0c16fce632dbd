"""Review data: one JSON array of a fixed order, written and read.

A time is the milliseconds since the action before. The first one is since 1970, and so is the next one after an action
whose time is not known.
"""

from typing import Any

import msgspec

from gamut.games.acquire.board import TILES
from gamut.games.acquire.files.record import Params, Record, RecordedAction
from gamut.games.acquire.options import MODE_NAMES, MODES
from gamut.games.files import damaged

_FEWEST, _ENDED, _FORFEITS = 8, 8, 9
"""Elements that there always are; and which one is the end, and which the forfeits, if they are there."""
_LATEST = 1 << 53
"""Larger numbers are not the same in every program that reads JSON."""
_LONGEST_CONTROL = 30 * 86_400
_LONGEST_NAME = 200
_MOST_FORFEITS = 6
_MODES = {name.upper(): mode.number for name, mode in MODES.items()}


# Writing


def written(record: Record) -> bytes:
    array: list[Any] = [
        record.mode,
        record.starting,
        record.increment,
        record.user_ids,
        record.names,
        record.starter,
        record.bag,
        _timed(record.actions),
    ]
    if record.ended is not None or record.forfeits:
        array.append(record.ended)
    if record.forfeits:
        array.append(record.forfeits)
    return msgspec.json.encode(array)


def _timed(actions: tuple[RecordedAction, ...]) -> list[list[Any]]:
    found: list[list[Any]] = []
    before: int | None = None
    for action in actions:
        entry: list[Any] = [action.params]
        if action.at is not None:
            entry.append(action.at if before is None else action.at - before)
        if action.auto:
            entry += [1] if action.at is not None else [None, 1]
        found.append(entry)
        before = action.at
    return found


# Reading


def parsed(data: bytes) -> Record:
    """Raises BadFile if anything is not as it must be. Whether the rules allow the actions is not looked at."""
    try:
        array = msgspec.json.decode(data)
    except (msgspec.DecodeError, UnicodeDecodeError, RecursionError) as error:
        raise damaged(f"This is not JSON: {error}.") from None
    if not isinstance(array, list) or len(array) < _FEWEST:
        raise damaged(f"Review data is an array of at least {_FEWEST} elements.")
    mode, starting, increment, ids, names, starter, bag, actions = array[:_FEWEST]
    number = _mode(mode)
    seats = MODES[MODE_NAMES[number]].seats
    user_ids = tuple(_number(each, "A user ID", least=-_LATEST) for each in _list(ids, "The user IDs"))
    if len(user_ids) != seats or len(set(user_ids)) != seats:
        raise damaged(f"In this mode there are {seats} players, each with a user ID of their own.")
    ended = array[_ENDED] if len(array) > _ENDED else None
    record = Record(
        mode=number,
        starting=None
        if starting is None
        else _number(starting, "The starting amount of time", 1, _LONGEST_CONTROL),
        increment=_number(increment, "The increment of time", 0, _LONGEST_CONTROL),
        user_ids=user_ids,
        names=_names(names, seats),
        starter=_number(starter, "The starter's user ID", least=-_LATEST),
        bag=_bag(bag),
        actions=_actions(actions),
        ended=None if ended is None else _number(ended, "The time of the end"),
        forfeits=_forfeits(array[_FORFEITS], seats) if len(array) > _FORFEITS else (),
    )
    if record.starter not in user_ids:
        raise damaged("Whoever started the game must be one of the players.")
    return record


def _number(value: Any, what: str, least: int = 0, most: int = _LATEST) -> int:
    if type(value) is not int or not least <= value <= most:
        raise damaged(f"{what} must be a whole number from {least} to {most}.")
    return value


def _list(value: Any, what: str) -> list[Any]:
    if not isinstance(value, list):
        raise damaged(f"{what} must be an array.")
    return value


def _mode(value: Any) -> int:
    if isinstance(value, str):
        value = _MODES.get(value)
    if type(value) is not int or value not in MODE_NAMES:
        raise damaged("The mode must be a number from 1 to 9.")
    return value


def _names(value: Any, seats: int) -> tuple[str, ...]:
    names = _list(value, "The names")
    if len(names) != seats:
        raise damaged(f"In this mode there are {seats} players, each with a name.")
    for name in names:
        if not isinstance(name, str) or len(name) > _LONGEST_NAME:
            raise damaged(f"A name must be a text of at most {_LONGEST_NAME} characters.")
    return tuple(names)


def _bag(value: Any) -> tuple[int, ...]:
    bag = tuple(_number(tile, "A tile", 0, TILES - 1) for tile in _list(value, "The bag"))
    if len(set(bag)) != len(bag):
        raise damaged("There is a tile in the bag twice.")
    return bag


def _actions(value: Any) -> tuple[RecordedAction, ...]:
    found: list[RecordedAction] = []
    before: int | None = None
    for number, entry in enumerate(_list(value, "The actions")):
        where = f"Action {number}"
        if not isinstance(entry, list) or not 1 <= len(entry) <= 3:
            raise damaged(
                f"{where} must be an array of its parameters, its time and whether it was automatic."
            )
        params, at, auto = (*entry, None, None)[:3]
        if at is not None:
            at = _number(at, f"The time of {where.lower()}") + (before or 0)
            if at > _LATEST:
                raise damaged(f"{where} is too late.")
        if auto not in (None, 0, 1, False, True):
            raise damaged(f"{where} is automatic, which is said with a 1, or it is not.")
        found.append(RecordedAction(_params(params, where), at, bool(auto)))
        before = at
    if not found or found[0].params:
        raise damaged("The first action is the start of the game, which has no parameters.")
    return tuple(found)


def _params(value: Any, where: str) -> Params:
    what = f"A parameter of {where.lower()}"
    params = _list(value, f"The parameters of {where.lower()}")
    if len(params) == 2 and isinstance(params[0], list) and isinstance(params[1], bool):
        # Whether the game is to end may be said with true and false.
        params = [params[0], int(params[1])]
    return tuple(
        tuple(_number(part, what, least=-_LATEST) for part in each)
        if isinstance(each, list)
        else _number(each, what, least=-_LATEST)
        for each in params
    )


def _forfeits(value: Any, seats: int) -> tuple[tuple[int, int], ...]:
    found: list[tuple[int, int]] = []
    for each in _list(value, "The forfeits"):
        if not isinstance(each, list) or len(each) != 2:
            raise damaged("A forfeit is an array of a player and a time.")
        found.append(
            (
                _number(each[0], "A player who forfeits", 0, seats - 1),
                _number(each[1], "The time of a forfeit"),
            )
        )
    if len(found) > _MOST_FORFEITS or len({player for player, _ in found}) != len(found):
        raise damaged("Nobody forfeits a game twice.")
    return tuple(found)
