"""A game that was played at a table, as the record that becomes a file."""

from collections.abc import Iterator, Sequence

from gamut.games.acquire.actions import params_of
from gamut.games.acquire.files.record import Params, Record, RecordedAction
from gamut.games.acquire.kinds import UNSEEN
from gamut.games.acquire.options import AcquireOptions
from gamut.games.acquire.state import Acted, Began, Event, Forfeited, Message
from gamut.games.files import PlayedGame, Player, TimeControl

_DRAWS = ("DrewPositionTile", "DrewTile")


def record_of(played: PlayedGame, user_ids: Sequence[int] | None = None) -> Record:
    """The record of a game; without ids that tell people apart elsewhere too, players are numbered from 1."""
    options: AcquireOptions = played.options
    log = [(turn.at, event) for turn in played.turns for event in turn.events]
    _, began = log[0]
    assert isinstance(began, Began)
    ids = tuple(user_ids or range(1, played.seats + 1))
    starting, increment = _time_control(played.clock)
    return Record(
        mode=options.rules.number,
        starting=starting,
        increment=increment,
        user_ids=ids,
        names=tuple(map(_name, played.players)),
        starter=ids[began.host],
        bag=tuple(_bag([event for _, event in log])),
        actions=tuple(_actions(log)),
        ended=played.turns[-1].at if played.state.next.action == "GameOver" else None,
        forfeits=tuple((event.seat, at) for at, event in log if isinstance(event, Forfeited)),
    )


def _time_control(clock: TimeControl | None) -> tuple[int | None, int]:
    """In whole seconds, of which a begun one counts. Files know of no time for each turn."""
    if clock is None or clock.style == "turn" or not clock.main:
        return None, 0
    return -(-clock.main // 1000), -(-clock.increment // 1000)


def _name(player: Player | None) -> str:
    return "" if player is None else player.name


def _actions(log: Sequence[tuple[int, Event]]) -> Iterator[RecordedAction]:
    for at, event in log:
        if isinstance(event, Began):
            yield RecordedAction((), at)
        elif isinstance(event, Acted):
            yield RecordedAction(_params(event), at, event.auto)


def _params(event: Acted) -> Params:
    return tuple(tuple(each) if isinstance(each, list) else each for each in params_of(event.action))


def _bag(events: Sequence[Event]) -> Iterator[int]:
    """In the order of the draws, as far as whoever asks has seen them all; when the game is over that is all of it."""
    for event in events:
        if isinstance(event, Forfeited):
            continue
        racks = event.racks if isinstance(event, Began) else [rack for _, rack in event.racks]
        if any(UNSEEN in rack for rack in racks):
            yield from _drawn(event.history, _DRAWS[:1])
            return
        yield from _drawn(event.history, _DRAWS)
        if isinstance(event, Acted):
            yield from event.rest


def _drawn(history: Sequence[Message], kinds: Sequence[str]) -> Iterator[int]:
    for message in history:
        if message[0] in kinds:
            tile = message[2]
            assert isinstance(tile, int)
            yield tile
