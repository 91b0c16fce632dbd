"""Parlour: a little card game for tests only, with everything in it that Tower lacks.

Two or three players hold a hand of cards from a deck of 24, numbered 1 to 24. In each round everybody lays
one card face down, in any order; then all are turned over. Whoever laid the highest either takes the point,
or lets it go and trades a card of the hand for one from the deck, which only that player sees. When the
hands are used up the most points win; if all who are left have equally many it is a draw. A player who
quits is out, cards and all.

The mode says how many play: `free` is for two or three, `duel` for two, `trio` for three; alone one plays `solo`, where
every round is one's own. The order is as the players sit, or drawn when play begins. Whoever lays a card plays on, and
declines a draw by that; what the winner of a round does with it answers no offer.
"""

from collections.abc import Sequence
from random import Random
from typing import Annotated, Literal, TypeVar

import msgspec

from gamut.games.budget import UNLIMITED, Budget
from gamut.games.game import Game, Level, Outcome, Refused, Seat, Traits

DECK = range(1, 25)
UNSEEN = 0
"""A card whose face the viewer does not see."""

SEATS = {"free": (2, 3), "duel": (2,), "trio": (3,), "solo": (1,)}

Cards = tuple[int, ...]
T = TypeVar("T")


class ParlourOptions(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    hand: Annotated[int, msgspec.Meta(ge=2, le=6)] = 4
    """Cards in a hand, and so the number of rounds."""
    mode: Literal["free", "duel", "trio", "solo"] = "free"
    order: Literal["exact", "random"] = "exact"


class Lay(msgspec.Struct, frozen=True, tag="lay"):
    """Lay a card of the hand face down."""

    card: Annotated[int, msgspec.Meta(ge=1, le=24)]


class Take(msgspec.Struct, frozen=True, tag="take"):
    """Take the point of the round."""


class Trade(msgspec.Struct, frozen=True, tag="trade"):
    """Instead of the point, swap a card of the hand for one of the deck."""

    card: Annotated[int, msgspec.Meta(ge=1, le=24)]


Action = Lay | Take | Trade


class Began(msgspec.Struct, frozen=True, tag="began"):
    seats: int


class Dealt(msgspec.Struct, frozen=True, tag="dealt"):
    seat: Seat
    cards: Cards


class Laid(msgspec.Struct, frozen=True, tag="laid"):
    seat: Seat
    card: int


class Revealed(msgspec.Struct, frozen=True, tag="revealed"):
    """The laid cards in seat order; None for seats that are out."""

    cards: tuple[int | None, ...]


class Taken(msgspec.Struct, frozen=True, tag="taken"):
    seat: Seat


class Traded(msgspec.Struct, frozen=True, tag="traded"):
    seat: Seat
    gave: int
    drew: int


class Left(msgspec.Struct, frozen=True, tag="left"):
    seat: Seat


class Agreed(msgspec.Struct, frozen=True, tag="agreed"):
    """The players agreed on a draw."""


Event = Began | Dealt | Laid | Revealed | Taken | Traded | Left | Agreed


class ParlourState(msgspec.Struct, frozen=True):
    hands: tuple[Cards, ...]
    laid: tuple[int | None, ...]
    spent: Cards
    """Cards that are out of play, as far as they were seen."""
    scores: tuple[int, ...]
    left: tuple[bool, ...]
    chooser: Seat | None = None
    """Who won the round and must take the point or trade."""
    agreed: bool = False

    def players(self) -> list[Seat]:
        return [Seat(seat) for seat, gone in enumerate(self.left) if not gone]


def _at(values: tuple[T, ...], seat: int, value: T) -> tuple[T, ...]:
    return (*values[:seat], value, *values[seat + 1 :])


def _without(hand: Cards, card: int) -> Cards:
    place = hand.index(card)
    return hand[:place] + hand[place + 1 :]


class Parlour(Game[ParlourOptions, ParlourState, Action, Event]):
    """The rules of Parlour."""

    traits = Traits(
        name="parlour",
        title="Parlour",
        summary="Lay a card face down; the highest takes the point or trades.",
        seats=(1, 2, 3),
        seat_names=("Red", "Green", "Blue"),
        levels=(Level(name="hasty", title="Hasty"), Level(name="careful", title="Careful")),
        hidden=True,
        reveals=True,
        simultaneous=True,
        chance=True,
        draw_offers=True,
        resigning=True,
        leaver="quits",
        arrangeable=True,
        bots_answer_draws=True,
    )
    options_type = ParlourOptions
    state_type = ParlourState
    action_type = Action
    event_type = Event

    def seats_for(self, options: ParlourOptions) -> Sequence[int]:
        return SEATS[options.mode]

    def arrange(
        self, options: ParlourOptions, seats: int, taken: Sequence[Seat], chance: Random
    ) -> Sequence[Seat]:
        order = [Seat(seat) for seat in range(seats)]
        return order if options.order == "exact" else chance.sample(order, seats)

    def begin(self, options: ParlourOptions, seats: int, chance: Random) -> Sequence[Event]:
        deck = chance.sample(DECK, options.hand * seats)
        hands = [deck[seat * options.hand : (seat + 1) * options.hand] for seat in range(seats)]
        return [
            Began(seats=seats),
            *(Dealt(seat=Seat(seat), cards=tuple(sorted(hand))) for seat, hand in enumerate(hands)),
        ]

    def decide(self, state: ParlourState, seat: Seat, action: Action, chance: Random) -> Sequence[Event]:
        if self.outcome(state) is not None:
            raise Refused("over", "The game is over.")
        if seat not in self.awaited(state):
            raise Refused("not_your_turn", "The others are to act.")
        if isinstance(action, Lay) != (state.chooser is None):
            raise Refused("not_now", "Lay a card in a round; take the point or trade after winning one.")
        if isinstance(action, Take):
            return [Taken(seat=seat)]
        if action.card not in state.hands[seat]:
            raise Refused("not_yours", f"You do not hold the {action.card}.")
        if isinstance(action, Trade):
            return [Traded(seat=seat, gave=action.card, drew=chance.choice(self._deck(state)))]
        laid = Laid(seat=seat, card=action.card)
        return [laid, *self._reveal(self.evolve(state, laid))]

    def _deck(self, state: ParlourState) -> list[int]:
        gone = {card for hand in state.hands for card in hand}.union(state.spent)
        return [card for card in DECK if card not in gone]

    def _reveal(self, state: ParlourState) -> Sequence[Event]:
        """All cards are turned over once everybody has laid one."""
        players = state.players()
        if self.outcome(state) is not None or any(state.laid[player] is None for player in players):
            return ()
        return [Revealed(cards=state.laid)]

    def evolve(self, state: ParlourState | None, event: Event) -> ParlourState:
        if isinstance(event, Began):
            return ParlourState(
                hands=((),) * event.seats,
                laid=(None,) * event.seats,
                spent=(),
                scores=(0,) * event.seats,
                left=(False,) * event.seats,
            )
        assert state is not None
        change = msgspec.structs.replace
        match event:
            case Dealt(seat=seat, cards=cards):
                return change(state, hands=_at(state.hands, seat, cards))
            case Laid(seat=seat, card=card):
                hand = _without(state.hands[seat], card)
                return change(state, hands=_at(state.hands, seat, hand), laid=_at(state.laid, seat, card))
            case Revealed(cards=turned):
                seen = [card for card in turned if card is not None]
                return change(
                    state,
                    laid=(None,) * len(turned),
                    spent=(*state.spent, *seen),
                    chooser=Seat(turned.index(max(seen))),
                )
            case Taken(seat=seat):
                return change(state, scores=_at(state.scores, seat, state.scores[seat] + 1), chooser=None)
            case Traded(seat=seat, gave=gave, drew=drew):
                hand = tuple(sorted((*_without(state.hands[seat], gave), drew)))
                return change(
                    state, hands=_at(state.hands, seat, hand), spent=(*state.spent, gave), chooser=None
                )
            case Left(seat=seat):
                back = state.laid[seat]
                hand = state.hands[seat] if back is None else (*state.hands[seat], back)
                return change(
                    state,
                    hands=_at(state.hands, seat, hand),
                    laid=_at(state.laid, seat, None),
                    left=_at(state.left, seat, True),
                    chooser=None if state.chooser == seat else state.chooser,
                )
            case Agreed():
                return change(state, agreed=True)

    def legal(self, state: ParlourState, seat: Seat) -> Sequence[Action]:
        if seat not in self.awaited(state):
            return ()
        hand = state.hands[seat]
        if state.chooser is None:
            return [Lay(card) for card in hand]
        return [Take(), *(Trade(card) for card in hand)]

    def awaited(self, state: ParlourState) -> tuple[Seat, ...]:
        if self.outcome(state) is not None:
            return ()
        if state.chooser is not None:
            return (state.chooser,)
        return tuple(player for player in state.players() if state.laid[player] is None)

    def outcome(self, state: ParlourState) -> Outcome | None:
        players = state.players()
        if state.agreed:
            return Outcome(winners=(), reason="agreed", scores=state.scores)
        if not players:
            return Outcome(winners=(), reason="left", scores=state.scores, places=self._places(state))
        if len(players) == 1 and len(state.left) > 1:
            places = self._places(state)
            return Outcome(winners=(players[0],), reason="alone", scores=state.scores, places=places)
        if state.chooser is not None or any(
            state.hands[player] or state.laid[player] is not None for player in players
        ):
            return None
        most = max(state.scores[player] for player in players)
        winners = tuple(player for player in players if state.scores[player] == most)
        drawn = len(winners) == len(players) > 1
        return Outcome(
            winners=() if drawn else winners,
            reason="points",
            scores=state.scores,
            places=self._places(state),
        )

    def _places(self, state: ParlourState) -> tuple[int, ...]:
        """By points; whoever has left is behind all who stayed."""
        worth = [(not gone, score) for gone, score in zip(state.left, state.scores, strict=True)]
        return tuple(1 + sum(other > own for other in worth) for own in worth)

    def view(self, event: Event, viewer: Seat | None) -> Event | None:
        match event:
            case Dealt(seat=seat, cards=cards) if seat != viewer:
                return Dealt(seat=seat, cards=(UNSEEN,) * len(cards))
            case Laid(seat=seat) if seat != viewer:
                return Laid(seat=seat, card=UNSEEN)
            case Traded(seat=seat) if seat != viewer:
                return Traded(seat=seat, gave=UNSEEN, drew=UNSEEN)
            case _:
                return event

    def quit(self, state: ParlourState, seat: Seat, chance: Random) -> Sequence[Event]:
        if self.outcome(state) is not None:
            raise Refused("over", "The game is over.")
        if state.left[seat]:
            raise Refused("left", "You have left this game already.")
        left = Left(seat=seat)
        after = self.evolve(state, left)
        # If the winner of a round leaves before choosing, nobody gets its point, and the next round begins.
        return [left] if state.chooser is not None else [left, *self._reveal(after)]

    def draw(self, state: ParlourState) -> Sequence[Event]:
        if self.outcome(state) is not None:
            raise Refused("over", "The game is over.")
        return [Agreed()]

    def keeps_offers(self, state: ParlourState, seat: Seat, events: Sequence[Event]) -> bool:
        return isinstance(events[0], Taken | Traded)

    def accepts_draw(self, state: ParlourState, seat: Seat, level: str) -> bool:
        return level == "hasty" or state.scores[seat] < max(state.scores)

    def choose(
        self, state: ParlourState, seat: Seat, level: str, chance: Random, budget: Budget = UNLIMITED
    ) -> Action:
        if level == "hasty":
            return chance.choice(self.legal(state, seat))
        return Take() if state.chooser == seat else Lay(max(state.hands[seat]))


def swap_secrets(events: Sequence[Event], viewer: Seat | None, chance: Random) -> list[Event]:
    """Another game that looks the same to the viewer: the cards that the viewer never saw change places."""
    seen: set[int] = set()
    for event in events:
        match event:
            case Dealt(seat=seat, cards=cards) if seat == viewer:
                seen.update(cards)
            case Traded(seat=seat, drew=drew) if seat == viewer:
                seen.add(drew)
            case Revealed(cards=turned):
                seen.update(card for card in turned if card is not None)
    secret = [card for card in DECK if card not in seen]
    swapped = dict(zip(secret, chance.sample(secret, len(secret)), strict=True))

    def swap(card: int) -> int:
        return swapped.get(card, card)

    def retold(event: Event) -> Event:
        match event:
            case Dealt(seat=seat, cards=cards):
                return Dealt(seat=seat, cards=tuple(sorted(map(swap, cards))))
            case Laid(seat=seat, card=card):
                return Laid(seat=seat, card=swap(card))
            case Traded(seat=seat, gave=gave, drew=drew):
                return Traded(seat=seat, gave=swap(gave), drew=swap(drew))
            case _:
                return event

    return [retold(event) for event in events]
