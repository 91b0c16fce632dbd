"""A recorded game played through by the rules."""

from collections.abc import Iterator
from itertools import accumulate

from gamut.games.acquire.bag import BagTooShort, KnownBag
from gamut.games.acquire.checks import asked
from gamut.games.acquire.decide import begun, done
from gamut.games.acquire.evolve import evolve
from gamut.games.acquire.files.record import Record, RecordedAction
from gamut.games.acquire.options import MODE_NAMES, MODES, AcquireOptions
from gamut.games.acquire.state import AcquireState, Event, Forfeited
from gamut.games.files import PlayedGame, Player, Step, TimeControl, Turn, damaged
from gamut.games.game import Refused, Seat


def options_of(record: Record) -> AcquireOptions:
    """Who plays in which order is in the record, so there is nothing left to be drawn."""
    return AcquireOptions(mode=MODE_NAMES[record.mode], order="exact")


def steps(record: Record) -> Iterator[Step]:
    """Every event with the position after it. Raises BadFile where an action is against the rules."""
    state: AcquireState | None = None
    bag = KnownBag(record.bag)
    forfeits = list(record.forfeits)
    for number, action in enumerate(record.actions):
        while state is not None and forfeits and _is_due(forfeits[0][1], action):
            player, at = forfeits.pop(0)
            forfeited = Forfeited(Seat(player))
            state = evolve(state, forfeited)
            yield Step(forfeited, state, forfeited.seat, at)
        try:
            event = _event(record, state, action, bag)
        except BagTooShort:
            raise damaged(f"Action {number} needs a tile that is not in the bag of this file.") from None
        except Refused as refused:
            raise damaged(f"Action {number}: {refused.reason}") from None
        seat = None if state is None else state.next.seat
        state = evolve(state, event)
        yield Step(event, state, seat, action.at)


def _is_due(at: int, action: RecordedAction) -> bool:
    """Somebody forfeited before the first action that is not earlier than that."""
    return action.at is not None and action.at >= at


def _event(record: Record, state: AcquireState | None, action: RecordedAction, bag: KnownBag) -> Event:
    if state is None:
        mode = MODES[MODE_NAMES[record.mode]]
        return begun(mode.seats, mode.teams, Seat(record.user_ids.index(record.starter)), bag)
    chosen = asked(state, state.next.action, action.params)
    return done(state, state.next.seat, chosen, bag, auto=action.auto)


def played_game(record: Record) -> PlayedGame:
    """Raises BadFile like `steps`."""
    found = list(steps(record))
    # Where a time is not known, nothing happened before what came before it.
    times = list(accumulate((step.at or 0 for step in found), max))
    return PlayedGame(
        options=options_of(record),
        seats=len(record.names),
        players=tuple(map(Player, record.names)),
        turns=[_turn(step, at) for step, at in zip(found, times, strict=True)],
        state=found[-1].state,
        opened=times[0],
        clock=None
        if record.starting is None
        else TimeControl(style="bank", main=record.starting * 1000, increment=record.increment * 1000),
    )


def _turn(step: Step, at: int) -> Turn:
    if isinstance(step.event, Forfeited):
        return Turn(at, (step.event,), step.seat, "quit")
    automatic = getattr(step.event, "auto", False)
    return Turn(at, (step.event,), step.seat, "flagged" if automatic else "acted")
