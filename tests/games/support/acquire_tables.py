"""What the tests of Acquire share: recorded cases, and logs in which what a viewer may not know is otherwise."""

import json
from collections.abc import Iterator, Sequence
from pathlib import Path
from random import Random
from typing import Any

from msgspec.structs import replace

from gamut.games.acquire.kinds import UNSEEN, Rack
from gamut.games.acquire.options import MODE_NAMES, MODES, AcquireOptions, ModeName
from gamut.games.acquire.rules import Acquire
from gamut.games.acquire.state import AcquireState, Acted, Began, Event, Message
from gamut.games.game import Refused, Seat

VECTORS = Path(__file__).parents[2] / "vectors" / "acquire"
RECORDED = sorted(path.stem for path in VECTORS.glob("*-*.json"))
"""The names of the games of which every position is recorded."""


def vectors(name: str) -> Any:
    return json.loads((VECTORS / name).read_text(encoding="utf-8"))


def recorded(name: str) -> Any:
    return vectors(f"{name}.json")


def light() -> Iterator[Any]:
    """Games of which digests of the positions are recorded."""
    with (VECTORS / "light.jsonl").open(encoding="utf-8") as lines:
        yield from map(json.loads, lines)


def options_of(case: Any) -> AcquireOptions:
    return AcquireOptions(mode=MODE_NAMES[case["modeId"]], order="exact")


def plain(value: Any) -> Any:
    """As it is after it went over a wire: arrays are lists."""
    return json.loads(json.dumps(value))


def known_tiles(events: Sequence[Event], viewer: Seat | None) -> set[int]:
    """The tiles that a viewer has had a right to see: those on the board, laid aside, and drawn by the viewer."""
    known: set[int] = set()
    for event in events:
        for message in getattr(event, "history", ()):
            kind = message[0]
            public = kind in ("DrewPositionTile", "PlayedTile", "ReplacedDeadTile")
            if public or (kind == "DrewTile" and message[1] == viewer):
                known.add(message[2])
    return known


def swap_secrets(events: Sequence[Event], viewer: Seat | None, chance: Random) -> list[Event]:
    """Another game that looks the same to the viewer: tiles that the viewer never saw change places."""
    secret = sorted(set(range(108)) - known_tiles(events, viewer))
    swapped = dict(zip(secret, chance.sample(secret, len(secret)), strict=True))

    def swap(tile: Any) -> Any:
        return swapped.get(tile, tile)

    def drawn(message: Message) -> Message:
        return (message[0], message[1], swap(message[2])) if message[0] == "DrewTile" else message

    def shuffled(rack: Rack) -> Rack:
        slots = [tile if tile is None or tile == UNSEEN else swap(tile) for tile in rack]
        return tuple(chance.sample(slots, len(slots)))

    def retold(event: Event) -> Event:
        if isinstance(event, Began):
            return replace(
                event,
                history=tuple(map(drawn, event.history)),
                racks=tuple(
                    rack if seat == viewer else shuffled(rack) for seat, rack in enumerate(event.racks)
                ),
            )
        if isinstance(event, Acted):
            return replace(
                event,
                history=tuple(map(drawn, event.history)),
                racks=tuple((seat, rack if seat == viewer else shuffled(rack)) for seat, rack in event.racks),
                rest=tuple(chance.sample(event.rest, len(event.rest))),
            )
        return event

    return [retold(event) for event in events]


def random_game(mode: ModeName, seed: int) -> Iterator[tuple[Event, AcquireState]]:
    """Every event of a game with the position after it; somebody may forfeit."""
    game, chance = Acquire(), Random(f"{mode} {seed}")
    options, seats = AcquireOptions(mode=mode), MODES[mode].seats
    state: AcquireState | None = None
    events = game.begin(options, seats, chance)
    while True:
        for event in events:
            state = game.evolve(state, event)
            yield event, state
        assert state is not None
        if game.outcome(state) is not None:
            return
        if chance.random() < 0.005:
            try:
                events = game.quit(state, Seat(chance.randrange(seats)), chance)
            except Refused:
                events = ()
            continue
        seat = state.next.seat
        events = game.decide(state, seat, game.choose(state, seat, "casual", chance), chance)
