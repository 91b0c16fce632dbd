"""A game that was played, as the record that becomes a file."""

from collections.abc import Iterator, Sequence
from typing import Any

from gamut.games.files import PlayedGame, Turn, day_tag, name_tag
from gamut.games.game import Refused
from gamut.games.powerchess.evolve import evolve
from gamut.games.powerchess.files.notation import written_move
from gamut.games.powerchess.files.record import NO_SQUARE, UNKNOWN, VARIANT, Record, RecordedAction
from gamut.games.powerchess.pieces import SIDES
from gamut.games.powerchess.squares import NAMES
from gamut.games.powerchess.state import UNSEEN, Ended, Event, Moved, Offered, PowerChessState, Used

TERMINATIONS = {
    "king": "king captured",
    "no_move": "no move left",
    "resigned": "resignation",
    "time": "time",
    "agreed": "agreement",
    "endless": "too many moves",
}


def record_of(played: PlayedGame) -> Record:
    return Record(tuple(_tags(played)), tuple(_actions(played.turns)))


def result_of(end: Ended | None) -> str:
    if end is None:
        return "*"
    return "1/2-1/2" if end.winner is None else ("1-0", "0-1")[end.winner]


def _tags(played: PlayedGame) -> Iterator[tuple[str, str]]:
    state: PowerChessState = played.state
    yield "Variant", VARIANT
    yield "Date", day_tag(played.turns[0].at)
    yield "Began", str(max(0, played.turns[0].at))
    for side, player in zip(SIDES, played.players, strict=True):
        yield side, name_tag(player)
    yield "Result", result_of(state.ending)
    if state.ending is not None:
        yield "Termination", TERMINATIONS[state.ending.reason]
    clock = played.clock
    if clock is not None and clock.style == "bank":
        yield "TimeControl", f"{_seconds(clock.main)}+{_seconds(clock.increment)}"
    if not played.options.boxes:
        yield "Boxes", "none"


def _seconds(millis: int) -> str:
    return f"{millis / 1000:.3f}".rstrip("0").rstrip(".")


def _actions(turns: Sequence[Turn]) -> Iterator[RecordedAction]:
    state: PowerChessState | None = None
    earlier = turns[0].at
    for turn in turns:
        if state is not None:
            millis = max(0, turn.at - earlier)
            yield recorded_action(state, turn.events, millis, turn.comment)
        earlier = max(earlier, turn.at)
        for event in turn.events:
            state = evolve(state, event)


def recorded_action(
    state: PowerChessState, events: Sequence[Event], millis: int = 0, comment: str = ""
) -> RecordedAction:
    """What was done in this state, from all that it brought."""
    happened = events[0]
    offer = next((_offer(event) for event in events if isinstance(event, Offered)), ())
    said: dict[str, Any] = {"millis": millis, "comment": plain_comment(comment), "offer": offer}
    if isinstance(happened, Moved):
        box = "" if happened.box is None else f"{NAMES[happened.box.square]} {happened.box.rarity}"
        return RecordedAction(
            move=written_move(happened, state.board),
            drawn=_square(happened.saved),
            box=box or (NO_SQUARE if happened.due else ""),
            **said,
        )
    if isinstance(happened, Used):
        return RecordedAction(
            use=happened.power,
            target=_square(happened.target),
            drawn=_square(happened.drawn),
            piece=happened.reanimated.upper(),
            **said,
        )
    if not isinstance(happened, Ended):
        raise Refused("arranged", "Something was arranged in this game: the rules cannot play it through.")
    if happened.winner is None:
        return RecordedAction(end="agreed", **said)
    return RecordedAction(end=f"{SIDES[1 - happened.winner].lower()} {happened.reason}", **said)


def _square(square: int | None) -> str:
    return "" if square is None else NAMES[square]


def _offer(event: Offered) -> tuple[str, ...]:
    return tuple(UNKNOWN if power == UNSEEN else power for power in event.powers)


def plain_comment(text: str) -> str:
    """As it can stand in braces, in one line."""
    return " ".join(text.replace("{", "(").replace("}", ")").replace("[%", "(%").split())
