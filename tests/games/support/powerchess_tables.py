"""Games of Power Chess for tests: chance that is written down beforehand, and events as the protocol tells them."""

import json
from collections.abc import Sequence
from pathlib import Path
from random import Random
from typing import Any

import pytest
from msgspec.structs import replace

from gamut.games.game import Refused, Seat
from gamut.games.powerchess.decide import decided
from gamut.games.powerchess.draws import ChanceDraws
from gamut.games.powerchess.evolve import evolve
from gamut.games.powerchess.fen import RIGHTS, parse_placement, written_placement
from gamut.games.powerchess.powers import POWERS, RARITIES, TARGETS, PowerName, Rarity
from gamut.games.powerchess.squares import square_named
from gamut.games.powerchess.state import (
    Action,
    Box,
    Choice,
    Ended,
    Event,
    Hole,
    Marks,
    Move,
    Moved,
    Offer,
    Offered,
    PowerChessState,
    Relocation,
    Update,
    Use,
    Used,
)

VECTORS = Path(__file__).parents[2] / "vectors" / "powerchess"
COLOURS = ("white", "black")
PIECE_IDS = "KQRBNP"


def vectors(name: str) -> Any:
    return json.loads((VECTORS / f"{name}.json").read_text(encoding="utf-8"))


def square_of(place: dict[str, int]) -> int:
    return place["row"] * 8 + place["col"]


def place_of(square: int) -> dict[str, int]:
    return {"row": square >> 3, "col": square & 7}


def seat_of(colour: str) -> Seat:
    return Seat(COLOURS.index(colour))


def from_fen(fen: str) -> PowerChessState:
    """A state without boxes to come."""
    placement, side, castling, skipped = fen.split()[:4]
    return PowerChessState(
        board=parse_placement(placement),
        turn=Seat(1 if side == "b" else 0),
        castling="".join(right for right in RIGHTS if right in castling),
        passed=None if skipped == "-" else square_named(skipped),
        waiting_since=None,
    )


# Chance


class WrittenDraws:
    """What is written comes; what is not is left to chance, and boxes come only when they are said to."""

    def __init__(self, chance: Random | None = None, next_box_in: int | None = None) -> None:
        self._else = ChanceDraws(chance or Random(0))
        self.next_box_in = next_box_in
        self.then: int | None = None
        self.spawn: tuple[int, Rarity] | None = None
        self.offers: list[tuple[int, int]] = []
        self.home: int | None = None
        self.piece: str = ""

    def box_is_due(self, waited: int) -> bool:
        if waited != self.next_box_in:
            return False
        self.next_box_in = self.then
        return True

    def box(self, squares: Sequence[int]) -> tuple[int, Rarity]:
        if self.spawn is None:
            return self._else.box(squares)
        assert self.spawn[0] in squares
        return self.spawn

    def offer(self, powers: Sequence[PowerName]) -> Offer:
        if not self.offers:
            return self._else.offer(powers)
        first, second = self.offers.pop(0)
        rarity = next(number for number, known in enumerate(POWERS) if powers[0] in known)
        return POWERS[rarity][first], POWERS[rarity][second]

    def square(self, squares: Sequence[int]) -> int:
        if self.home is None:
            return self._else.square(squares)
        assert self.home in squares
        return self.home

    def grave(self, buried: str) -> str:
        return buried[buried.upper().index(self.piece)] if self.piece else self._else.grave(buried)


# Messages


def action_of(state: PowerChessState, sent: dict[str, Any]) -> Action:
    """What a PLAYER_ACTION asks for."""
    if sent["action"] == 1:
        return Move(square_of(sent["move"]["from"]), square_of(sent["move"]["to"]))
    if state.choice is None:
        return Use("shield")
    selection = sent["selection"]
    first = selection if isinstance(selection, bool) else selection == 0
    power = state.choice.powers[0 if first else 1]
    assert power != "unseen"
    follow_up = sent.get("followUp")
    if follow_up is None or power not in TARGETS:
        return Use(power)
    if "from" in follow_up and power not in ("adjust", "second_effort"):
        # A move where a square is asked for is as good as nothing.
        return Use(power)
    if "from" in follow_up and square_of(follow_up["from"]) != state.choice.square:
        # Another piece than the one that took the box: no square for this power.
        return Use(power, state.choice.square)
    return Use(power, square_of(follow_up.get("to", follow_up)))


def told_update(update: Update) -> dict[str, Any]:
    place, shown = place_of(update.square), update.shown
    if shown == ".":
        return {**place, "state": 0}
    if shown == "hole":
        return {**place, "state": 3, "other": 0}
    if len(shown) > 2:
        return {**place, "state": 2, "rarity": RARITIES.index(shown)}
    piece = PIECE_IDS.index(shown[0].upper()) + (6 if shown.endswith("+") else 0)
    return {**place, "state": 1, "color": shown[0].isupper(), "piece": piece}


def told(events: Sequence[Event]) -> tuple[list[dict[str, Any]], list[dict[str, Any]]]:
    """The messages to the one who acted, and to the other."""
    happened = events[0]
    assert isinstance(happened, Moved | Used)
    last = events[-1]
    updates = [told_update(update) for update in happened.updates]
    to_actor: dict[str, Any] = {"type": 5, "updates": updates, "action": 0}
    to_other: dict[str, Any] = {"type": 5, "updates": updates, "action": 1 if last is happened else 0}
    if isinstance(happened, Moved):
        to_other["move"] = {"from": place_of(happened.start), "to": place_of(happened.end)}
    else:
        rarity = RARITIES.index(happened.rarity)
        to_other |= {"rarity": rarity, "power": POWERS[rarity].index(happened.power)}
        if happened.power in ("adjust", "second_effort"):
            assert happened.target is not None
            to_other["move"] = {"from": place_of(happened.square), "to": place_of(happened.target)}
    if isinstance(last, Offered):
        rarity = RARITIES.index(last.rarity)
        ids = [POWERS[rarity].index(power) for power in last.powers]
        offer = {"rarity": rarity, "id1": ids[0], "id2": ids[1]}
        to_actor |= {"action": 2, **offer, "options": offer}
    actor, other = [to_actor], [to_other]
    if isinstance(last, Ended):
        for seat, messages in ((happened.seat, actor), (Seat(1 - happened.seat), other)):
            result = 2 if last.winner is None else 0 if last.winner == seat else 1
            messages.append({"type": 2, "reason": 0, "result": result})
    return actor, other


ILLEGAL = {"illegal_move", "illegal_target", "illegal_power"}
"""What is refused as an illegal action; all else that is refused is an error."""


def answers(
    state: PowerChessState, seat: Seat, sent: dict[str, Any], draws: WrittenDraws
) -> tuple[PowerChessState, list[dict[str, Any]], list[dict[str, Any]]]:
    """What a message does, and what is told because of it."""
    try:
        events = decided(state, seat, action_of(state, sent), draws)
    except Refused as refused:
        return state, [{"type": 6 if refused.code in ILLEGAL else 7}], []
    for event in events:
        state = evolve(state, event)
    actor, other = told(events)
    return state, actor, other


# Scenarios


def set_up(setup: dict[str, Any]) -> PowerChessState:
    state = from_fen(setup["fen"])
    marks: dict[int, Marks] = {}
    board = state.board
    for effect in setup["effects"]:
        square, plies = square_of(effect), effect["plies"]
        mark = marks.get(square, Marks(square))
        match effect["kind"]:
            case "shield":
                mark = replace(mark, shield=plies)
            case "invulnerable":
                mark = replace(mark, guard=plies)
            case "safety_net":
                mark = replace(mark, net=True)
            case "awaken":
                mark = replace(mark, awake=plies, really=board[square])
                queen = "Q" if board[square].isupper() else "q"
                state = replace(state, board=state.board[:square] + queen + state.board[square + 1 :])
        marks[square] = mark
    last = setup["last_move"]
    white, black = (
        None
        if colour not in last
        else Relocation(
            board[square_of(last[colour]["to"])],
            square_of(last[colour]["from"]),
            square_of(last[colour]["to"]),
        )
        for colour in COLOURS
    )
    graves = setup["graveyard"]
    return replace(
        state,
        boxes=tuple(Box(square_of(box), RARITIES[box["rarity"]]) for box in setup["boxes"]),
        holes=tuple(sorted((Hole(square_of(hole), hole["plies"]) for hole in setup["holes"]), key=_square)),
        marks=tuple(marks[square] for square in sorted(marks)),
        energized=(setup["energize"]["white"], setup["energize"]["black"]),
        graves=(
            "".join(PIECE_IDS[piece] for piece in graves["white"]),
            "".join(PIECE_IDS[piece].lower() for piece in graves["black"]),
        ),
        relocations=(white, black),
        waiting_since=None if setup["next_box_in"] is None else 0,
    )


def _square(hole: Hole) -> int:
    return hole.square


def final_of(state: PowerChessState) -> dict[str, Any]:
    """A state in the words of the vectors."""
    left = state.ply

    def plies(end: int) -> int:
        return max(0, end - left)

    return {
        "placement": written_placement(state.board),
        "turn": None if state.turn is None else COLOURS[state.turn],
        "power_pending": state.choice is not None,
        "over": state.ending is not None,
        "boxes": [
            {**place_of(box.square), "rarity": RARITIES.index(box.rarity)}
            for box in sorted(state.boxes, key=lambda box: box.square)
        ],
        "holes": [{**place_of(hole.square), "plies": plies(hole.end)} for hole in state.holes],
        "invulnerable": [
            {**place_of(mark.square), "plies": plies(max(mark.shield, mark.guard))}
            for mark in state.marks
            if mark.shield or mark.guard
        ],
        "awakened": [
            {**place_of(mark.square), "plies": plies(mark.awake)} for mark in state.marks if mark.awake
        ],
        "safety_net": [place_of(mark.square) for mark in state.marks if mark.net],
        "energize": {colour: plies(end) for colour, end in zip(COLOURS, state.energized, strict=True)},
        "graveyard": {
            colour: [PIECE_IDS.index(piece.upper()) for piece in buried]
            for colour, buried in zip(COLOURS, state.graves, strict=True)
        },
    }


# Moves


def sq(name: str) -> int:
    return square_named(name)


def step(text: str) -> Move:
    return Move(sq(text[:2]), sq(text[2:]))


def done(state: PowerChessState, action: Action, draws: WrittenDraws | None = None) -> PowerChessState:
    assert state.turn is not None
    for event in decided(state, state.turn, action, draws or WrittenDraws()):
        state = evolve(state, event)
    return state


def played(state: PowerChessState, *texts: str) -> PowerChessState:
    for text in texts:
        state = done(state, step(text))
    return state


def refused(state: PowerChessState, action: Action) -> str:
    assert state.turn is not None
    with pytest.raises(Refused) as refusal:
        decided(state, state.turn, action, WrittenDraws())
    return refusal.value.code


def choosing(state: PowerChessState, piece: str, power: PowerName) -> PowerChessState:
    """As if the piece on this square had just taken the box with that power, and another."""
    rarity = next(rarity for rarity, known in zip(RARITIES, POWERS, strict=True) if power in known)
    others = [other for other in POWERS[RARITIES.index(rarity)] if other != power]
    return replace(state, choice=Choice(sq(piece), rarity, (power, others[0])))


# Secrets


def swap_secrets(events: Sequence[Event], viewer: Seat | None, chance: Random) -> list[Event]:
    """Another game that looks the same to the viewer: what was offered to others, but for what they used of it."""
    told_otherwise: list[Event] = []
    for number, event in enumerate(events):
        if isinstance(event, Offered) and event.seat != viewer:
            used = [later for later in events[number + 1 : number + 2] if isinstance(later, Used)]
            known = POWERS[RARITIES.index(event.rarity)]
            first: PowerName = used[0].power if used else chance.choice(known)
            second = chance.choice([power for power in known if power != first])
            powers = (first, second) if chance.random() < 0.5 else (second, first)
            event = replace(event, powers=powers)
        told_otherwise.append(event)
    return told_otherwise
