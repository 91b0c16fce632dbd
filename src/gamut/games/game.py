"""What every game is: a decider over its own states, actions and events.

A game knows nothing of people, clocks, sockets or storage, and has no randomness of its own: chance is handed
in, and what chance brought is written into the events. Folding `evolve` over a game's events gives its state,
always.
"""

from abc import ABC, abstractmethod
from collections.abc import Iterable, Sequence
from random import Random
from typing import TYPE_CHECKING, Any, ClassVar, Generic, Literal, NewType, TypeVar

import msgspec

from gamut.games.budget import UNLIMITED, Budget
from gamut.games.picture import Mark, Picture

if TYPE_CHECKING:
    from gamut.games.files import AnyFiles

Seat = NewType("Seat", int)
"""A place in the turn order, counted from 0."""


class Refused(Exception):
    """The action is not allowed. `code` is stable for programs, the message is for people."""

    def __init__(self, code: str, reason: str) -> None:
        super().__init__(reason)
        self.code = code
        self.reason = reason


class BadText(ValueError):
    """A text that a game was given cannot be read. Line and column, both counted from 1, say where."""

    def __init__(self, reason: str, line: int, column: int) -> None:
        super().__init__(f"Line {line}, column {column}: {reason}")
        self.reason = reason
        self.line = line
        self.column = column


def team_letter(team: int) -> str:
    """What a team is called, by its number from 0: the same letter wherever somebody reads of it."""
    return chr(ord("A") + team)


class Outcome(msgspec.Struct, frozen=True, gc=False):
    """How a game ended: the winning seats (none: a draw), why, and scores and places where the game has them."""

    winners: tuple[Seat, ...]
    reason: str
    scores: tuple[int, ...] | None = None
    places: tuple[int, ...] | None = None
    """Seat by seat, 1 for the first; who are equal share a place, and the next one after them is left out."""


class Level(msgspec.Struct, frozen=True, omit_defaults=True):
    """A strength at which a bot can play; `name` goes over the wire, `title` is shown."""

    name: str
    title: str
    names: tuple[str, ...] = ()
    """What the bots of this strength are called, the first of them first; without any, they are called by the title."""
    elsewhere: tuple[str, ...] = ()
    """What other protocols call them."""


class Traits(msgspec.Struct, frozen=True):
    """What the hall, the lobby and the page must know of a game, as data."""

    name: str
    title: str
    summary: str
    seats: tuple[int, ...]
    """How many seats a table of this game may have."""
    seat_names: tuple[str, ...]
    """What each seat is called on the board, in seat order."""
    levels: tuple[Level, ...]
    hidden: bool = False
    """Some viewers may not see some of the events."""
    reveals: bool = False
    """What was hidden is public once there is an outcome."""
    simultaneous: bool = False
    """Several seats may be awaited at once, and act in any order."""
    chance: bool = False
    draw_offers: bool = False
    resigning: bool = False
    fewest: int | None = None
    """How many must sit before the host may start with empty seats; None: every seat must be taken."""
    first_turn_free: bool = False
    """Clocks begin to run with the second turn."""
    leaver: Literal["waits", "quits"] = "waits"
    """A seat given up in mid-game waits for a new player, or the game goes on without it (`Game.quit`).

    If the host has removed its player, and nobody is left to beat then (`Game.contested`), there is no result."""
    suspends: bool = False
    """A game that is not over can be carried off as a file, and go on at another table."""
    arrangeable: bool = False
    """Before the start the host may swap what two seats hold."""
    bots_answer_draws: bool = False
    """Bots take or decline a draw (`Game.accepts_draw`); otherwise nobody offers one where a bot plays."""
    takes_back: bool = False
    """A move may be taken back. Not where something is hidden or drawn: who took it back would know more than then."""


class Plain(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """The decor of games whose tables all look alike."""


Options = TypeVar("Options", bound=msgspec.Struct)
State = TypeVar("State", bound=msgspec.Struct)
Action = TypeVar("Action")
Event = TypeVar("Event")


class Game(ABC, Generic[Options, State, Action, Event]):
    """The rules of one game. States are immutable values; nothing here changes anything in place.

    Declare states, events and actions with `gc=False`: immutable values form no cycles, and the collector has less to
    look through.

    `view` is the only gate for hidden information. What a viewer knows of a position is `evolve` folded over
    the events that `view` let through, so `evolve` must work on those as well.
    """

    traits: ClassVar[Traits]
    options_type: ClassVar[Any]
    """A msgspec Struct whose fields all have defaults: the form in the lobby is made from it."""
    decor_type: ClassVar[Any] = Plain
    """The same for how a table looks: what its host may choose and the rules do not need."""
    state_type: ClassVar[Any]
    action_type: ClassVar[Any]
    event_type: ClassVar[Any]
    files: ClassVar["AnyFiles | None"] = None
    """The formats in which games are recorded, where there are any."""
    retraceable: ClassVar[bool] = False
    """What chance has brought can be told back to the game (`retraced`): so that whoever reviews one can play on."""
    mark: ClassVar[Mark] = Mark()
    """Its sign, in its colour: what a link shows where there is no position to be shown."""

    @abstractmethod
    def begin(self, options: Options, seats: int, chance: Random) -> Sequence[Event]:
        """The events that set the game up; the first one makes a state out of None."""

    def begin_hosted(
        self, options: Options, seats: int, host: Seat | None, chance: Random
    ) -> Sequence[Event]:
        """The same for games that say who started them.
        `host`: the seat of the table's host, None if they watch."""
        return self.begin(options, seats, chance)

    def begin_with_empty_seats(
        self, options: Options, seats: int, empty: Sequence[Seat], chance: Random
    ) -> Sequence[Event]:
        """The same with seats that nobody has taken. Asked only of games that name a `fewest`."""
        raise NotImplementedError(f"{self.traits.name} begins with empty seats: it must say how")

    def open_seats(self, options: Options, seats: int) -> Sequence[Seat]:
        """The seats that somebody may take before the game begins."""
        return range(seats)  # type: ignore[return-value]  # seats are numbers

    def takes_long(self, options: Options) -> bool:
        """Whether checking these options takes more than a moment, so that nobody should have to wait for it."""
        return False

    def checked(self, options: Options) -> Options:
        """The options as a table keeps them, or ValueError where the game cannot be played like that.

        Here is what the type of the options cannot say by itself. What was stored is not checked again. If a text
        among the options cannot be read, BadText says where.
        """
        return options

    def prepare(self, options: Options) -> None:
        """Work out what a game with these options begins with, if that takes more than a moment.

        It is kept with the options. `checked` does it as well; this is for options that come back from the ledger.
        """

    def in_words(self, options: Options) -> Sequence[str]:
        """What these options mean for the rules, one thought each, for people; empty where there is nothing to say."""
        return ()

    def brief(self, options: Options) -> dict[str, Any]:
        """What a list of tables shows of the options: short, as everybody in the lobby gets it again and again."""
        shown: dict[str, Any] = msgspec.to_builtins(options)
        return shown

    def anonymous(self, options: Options) -> Options:
        """The options without the names of people."""
        return options

    def again(self, options: Options, decor: dict[str, Any]) -> tuple[Options, dict[str, Any]]:
        """What a rematch is played with, and how its table looks."""
        return options, decor

    def seats_for(self, options: Options) -> Sequence[int]:
        """How many seats a table with these options may have, of those in the traits, fewest first.

        A table that is opened without a number of seats has the most.

        Asked of options that the type allows, before `checked` has looked at them.
        """
        return self.traits.seats

    def arrange(self, options: Options, seats: int, taken: Sequence[Seat], chance: Random) -> Sequence[Seat]:
        """Who sits where when play begins: for each seat, in which one its player sat until now."""
        return range(seats)  # type: ignore[return-value]  # seats are numbers

    @abstractmethod
    def decide(self, state: State, seat: Seat, action: Action, chance: Random) -> Sequence[Event]:
        """Check the action completely and say what happens, or raise Refused."""

    def retraced(self, state: State, seat: Seat, action: Action, events: Sequence[Event]) -> Sequence[Event]:
        """Decide an action once more, with chance as it was when it brought these events.

        Raises Refused where they cannot have come of it. Asked only of games that are `retraceable`.
        """
        raise NotImplementedError(f"{self.traits.name} can be retraced: it must say how")

    @abstractmethod
    def evolve(self, state: State | None, event: Event) -> State:
        """Apply one event. Deterministic: no checks, no chance."""

    @abstractmethod
    def legal(self, state: State, seat: Seat) -> Sequence[Action]:
        """Every action the seat may take now; empty when it is not awaited."""

    @abstractmethod
    def awaited(self, state: State) -> tuple[Seat, ...]:
        """The seats whose action the game waits for; empty when it is over."""

    @abstractmethod
    def outcome(self, state: State) -> Outcome | None:
        """How the game ended, or None while it goes on."""

    def view(self, event: Event, viewer: Seat | None) -> Event | None:
        """What a viewer (a seat, or None for a watcher) may see of an event; None hides it altogether."""
        if self.traits.hidden:
            raise NotImplementedError(f"{self.traits.name} hides things: it must say from whom")
        return event

    def flag(self, state: State, seat: Seat, chance: Random) -> Sequence[Event]:
        """What running out of time does to an awaited seat; as if it had acted, so the game must move on."""
        return self.decide(state, seat, chance.choice(self.legal(state, seat)), chance)

    def contested(self, state: State) -> bool:
        """Whether two sides at least still play. If not, whoever is left has nobody to beat any more."""
        return self.outcome(state) is None

    def quit(self, state: State, seat: Seat, chance: Random) -> Sequence[Event]:
        """What leaving a game whose leavers quit does, and resigning where it is the same."""
        raise Refused("no_resigning", f"{self.traits.title} has no resigning.")

    def resign(self, state: State, seat: Seat, chance: Random) -> Sequence[Event]:
        """What resigning does. Asked only of games that have it; they may refuse it as the game stands."""
        return self.quit(state, seat, chance)

    def played_for(self, events: Sequence[Event]) -> Sequence[Seat]:
        """The seats for which the game itself acted after somebody's action, once for each of its actions:
        their clocks get the increment of an own action. `events` are all events of that action.

        The table asks this whenever it is folded from its log: the answer for events of old must stay as it was.
        """
        return ()

    def draw(self, state: State) -> Sequence[Event]:
        """What an agreed draw does."""
        raise Refused("no_draws", f"{self.traits.title} has no draw offers.")

    def keeps_offers(self, state: State, seat: Seat, events: Sequence[Event]) -> bool:
        """Whether draw offers made to this seat still stand after its action, which led to this state.

        The table asks this whenever it is folded from its log: the answer for events of old must stay as it was.
        """
        return False

    def accepts_draw(self, state: State, seat: Seat, level: str) -> bool:
        """Whether a bot takes the draw it is offered, for a state as the seat sees it.

        Asked only of games whose bots answer draws, and while everybody waits: a judgement of the position, no search.
        """
        raise NotImplementedError(f"{self.traits.name} has bots that answer draws: it must say how")

    @abstractmethod
    def choose(
        self, state: State, seat: Seat, level: str, chance: Random, budget: Budget = UNLIMITED
    ) -> Action:
        """A bot's action at this level, for a state as the seat sees it, within the budget; at most about a second.

        Where the budget has no time in it, the same chance gives the same action.
        """

    def picture(self, state: State) -> Picture | None:
        """What a link to this position shows, of a state as watchers know it; None: only the mark.

        What becomes public at the end, such as hands, is left out as well.
        """
        return None

    def replay(self, events: Iterable[Event]) -> State:
        """The state that these events make."""
        state: State | None = None
        for event in events:
            state = self.evolve(state, event)
        if state is None:
            raise ValueError("a game begins with an event")
        return state


AnyGame = Game[Any, Any, Any, Any]
