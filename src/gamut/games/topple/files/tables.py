"""From a game that was played at a table to its record, and back."""

from collections.abc import Iterator
from typing import Any

from msgspec import to_builtins

from gamut.games.files import BadFile, PlayedGame, Player, Resumption, Step, Turn, played_to_the_end, steps_of
from gamut.games.game import Seat
from gamut.games.topple import events as happened
from gamut.games.topple.evolve import evolve
from gamut.games.topple.files import bots
from gamut.games.topple.files.clock import clock_of, control_of, idle_rounds
from gamut.games.topple.files.playback import start, stepped
from gamut.games.topple.files.reader import read
from gamut.games.topple.files.record import Moved, Person, Record, Removed, Style, Waited
from gamut.games.topple.files.recording import recorded
from gamut.games.topple.files.suspended import Suspended, check_extent
from gamut.games.topple.options import ToppleOptions
from gamut.games.topple.state import TEAMS, ToppleState, seat_of, usual_team
from gamut.games.topple.topology import TOPOLOGIES

_ROOM = 8
"""Letters of a room's name in a file."""

# From a table


def record_of(played: PlayedGame) -> Record:
    options: ToppleOptions = played.options
    log = [(turn.at, event) for turn in played.turns for event in turn.events]
    resumed = read(options.resume) if options.resume else None
    teams = log[0][1].setup.teams
    # As long as the file's own list of players.
    count = max(place + 1 for place, team in enumerate(teams) if team) if resumed is None else len(teams)
    colours = played.decor.get("colours")
    return recorded(
        log,
        room=played.room if played.room is not None and len(played.room) == _ROOM else played.table[-_ROOM:],
        people=[_person(number, player) for number, player in enumerate(played.players, 1)],
        clock=clock_of(played.clock, options.penalty, played.left[:count]),
        scoring=options.scoring if is_scored(options, played.decor) else None,
        colours=None if colours is None else tuple(colours),
        # Ascending, as a running number is, and the same whenever the file is asked for.
        sequence=played.opened,
        fingerprint=played.server,
        resumed=resumed,
        suspended_at=played.suspended,
    )


def is_scored(options: ToppleOptions, decor: Any) -> bool:
    """Whether somebody has said how to score."""
    return options.scoring != "elim" or bool(decor.get("scored"))


def _person(number: int, player: Player | None) -> Person | None:
    if player is None:
        return None
    if player.level:
        return Person(bot=bots.resource_of(player.level), called=player.called)
    # Whoever has no name is called like this anyway: files of people who all play with Topple clients are as ever.
    called = "" if player.name == f"Player {number}" else player.name
    # What guests call themselves is nobody's account.
    return Person(account=player.name if player.registered else "", called=called)


# To be looked at


def _played_through(record: Record) -> Iterator[tuple[Turn, ToppleState]]:
    """What happened and how things stood after it. Raises BadFile where the rules do not allow it."""
    at = record.started
    state = start(record)
    yield Turn(at, (happened.Began(state.setup),)), state
    for event in record.events:
        if isinstance(event, Moved | Removed | Waited):
            at += event.after
        after = stepped(state, event)
        if after is state:
            continue  # time passed, or somebody is named who is out already
        if isinstance(event, Moved):
            seat = seat_of(event.player)
            yield Turn(at, (happened.Moved(seat, event.tile),), seat), after
        elif isinstance(event, Removed):
            seat = seat_of(event.player)
            yield Turn(at, (happened.Removed(seat, "left"),), seat, "quit"), after
        state = after


def steps(record: Record) -> Iterator[Step]:
    return steps_of(_played_through(record), evolve, record.timed)


def played_game(record: Record) -> PlayedGame:
    """The game in a file. Raises BadFile if it is none that can be shown here."""
    check_extent(record)
    if not any(record.teams):
        raise BadFile("damaged", "The file is damaged: nobody plays in it.")
    turns, state = played_to_the_end(_played_through(record))
    clock = record.clock
    usual = tuple(map(usual_team, range(len(record.teams))))
    return PlayedGame(
        options=ToppleOptions(
            topology=TOPOLOGIES[record.topology],
            x=record.x,
            y=record.y,
            scoring=record.scoring or "elim",
            penalty="random" if clock is None else clock.penalty,
            teams=() if record.teams == usual or not all(record.teams) else record.teams,
        ),
        seats=len(record.teams),
        players=tuple(_players(record)),
        turns=turns,
        state=state,
        room=record.room,
        opened=record.started,
        clock=None if clock is None else control_of(clock.style, clock.limit * 1000 or None, clock.penalty),
        decor=_colours(record),
        suspended=turns[-1].at if record.suspended else None,
    )


def _players(record: Record) -> Iterator[Player | None]:
    people = record.people or (Person(),) * len(record.teams)
    for person, team in zip(people, record.teams, strict=True):
        if not team or person is None:
            yield None
        elif person.bot:
            level = bots.level_of(person.bot) or person.bot
            yield Player(name=bots.title_of(person.bot), level=level, called=person.called)
        else:
            yield Player(name=person.account, called=person.called)


def _colours(record: Record) -> dict[str, Any]:
    colours = record.colours
    return {} if colours is None or len(colours) != TEAMS + 1 else {"colours": list(colours)}


# To go on with


def resumption_of(saved: Suspended) -> Resumption:
    """How the game goes on, with the clocks as they were."""
    record = saved.record
    style: Style = "per turn"
    limit = 0
    left: tuple[int, ...] = ()
    # Without a clock files say nothing about a penalty; the existing server then has this one.
    penalty = saved.state.setup.penalty if record.clock is not None else "skip"
    if record.clock is not None:
        style, limit = record.clock.style, record.clock.limit * 1000
        left = tuple(seconds * 1000 for seconds in record.clock.left)
    return Resumption(
        options=ToppleOptions.resuming(saved, penalty, idle_rounds(style, penalty)),
        seats=len(record.teams),
        clock=control_of(style, limit or None, penalty),
        left=left if limit else (),
        # The position is part of how the table looks before its game goes on: whoever comes sees what it is about.
        decor={
            "scored": record.scoring is not None,
            "position": to_builtins(saved.position),
            **_colours(record),
        },
        bots=tuple(
            (Seat(seat), bots.level_of(person.bot))
            for seat, person in enumerate(record.people or ())
            if person is not None and person.bot and saved.state.alive[seat]
        ),
    )
