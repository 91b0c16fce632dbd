"""The rules of Tafl as a game: attackers besiege a king, defenders bring him out."""

from collections.abc import Sequence
from random import Random
from typing import Any

from msgspec.structs import replace

from gamut.games.game import Game, Level, Outcome, Refused, Seat, Traits
from gamut.games.tafl import bots
from gamut.games.tafl.compiled import Compiled, compiled
from gamut.games.tafl.endings import Reason, ending
from gamut.games.tafl.notation import space_name, space_number
from gamut.games.tafl.options import TaflOptions
from gamut.games.tafl.pieces import DEFENDERS, EMPTY, SIDES, Side, captured, side_of
from gamut.games.tafl.play import after, moves
from gamut.games.tafl.position import END, NOWHERE, SHIFT, Position, move_of, spaces_of
from gamut.games.tafl.records import parse_record, record_of
from gamut.games.tafl.state import Began, Ended, Event, Move, Moved, TaflState, position_key


def on_board(state: TaflState) -> Compiled:
    """The tables of the rules by which this game is played."""
    return compiled(state.rules, state.quirks)


def position_of(state: TaflState) -> Position:
    """The position for rules and search; of a game that is over, as if the attackers were to move."""
    fresh = sum(1 << space for space in state.fresh)
    turn: Side = DEFENDERS if state.turn == DEFENDERS else 0
    berserk = NOWHERE if state.berserk is None else state.berserk
    return on_board(state).position(state.board, turn, berserk, fresh)


class Tafl(Game[TaflOptions, TaflState, Move, Event]):
    """The Hnefatafl family, for two."""

    traits = Traits(
        name="tafl",
        title="Tafl",
        summary="A king and his few against many: bring him to safety, or catch him.",
        seats=(2,),
        seat_names=("Attackers", "Defenders"),
        levels=tuple(Level(name=name, title=name.capitalize()) for name in bots.LEVELS),
        draw_offers=True,
        resigning=True,
    )
    options_type = TaflOptions
    state_type = TaflState
    action_type = Move
    event_type = Event

    # Options

    def takes_long(self, options: TaflOptions) -> bool:
        # Rules are worked out, and a whole game may be played through.
        return bool(options.rules or options.moves)

    def checked(self, options: TaflOptions) -> TaflOptions:
        checked = options.checked()
        if checked.moves:
            self._played_before(checked)
        return checked

    def brief(self, options: TaflOptions) -> dict[str, Any]:
        rules = compiled(options.rules_string).written
        shown: dict[str, Any] = {
            "variant": "" if options.rules else options.variant,
            "title": rules.title,
            "quirks": options.quirks,
            "moves": len(options.moves),
        }
        return shown

    def again(self, options: TaflOptions, decor: dict[str, Any]) -> tuple[TaflOptions, dict[str, Any]]:
        return replace(options, moves=()), decor

    # Play

    def begin(self, options: TaflOptions, seats: int, chance: Random) -> Sequence[Event]:
        return self._played_before(options)

    def _played_before(self, options: TaflOptions) -> list[Event]:
        """The events from the start to where the game goes on. Raises ValueError where there is no way."""
        text = options.rules_string
        rules = compiled(text).written
        events: list[Event] = [Began(text, rules.start, _first(rules.attackers_first), options.quirks)]
        state = self.replay(events)
        for number, words in enumerate(options.moves, 1):
            record = parse_record(words)
            start, end = space_number(record.start, rules.size), space_number(record.end, rules.size)
            try:
                if state.turn is None or start is None or end is None:
                    raise Refused("illegal_move", "It cannot be made.")
                happened = self.decide(state, state.turn, Move(start, end), Random(0))
            except Refused as refused:
                raise ValueError(f"Move {number}, {words}: {refused.reason}") from None
            for event in happened:
                state = self.evolve(state, event)
            events += happened
        if state.turn is None:
            raise ValueError("After these moves the game is over.")
        return events

    def decide(self, state: TaflState, seat: Seat, action: Move, chance: Random) -> Sequence[Event]:
        turn = state.turn
        if turn is None:
            raise Refused("over", "The game is over.")
        if seat != turn:
            raise Refused("not_your_turn", f"It is the turn of the {SIDES[turn]}.")
        self._check_piece(state, turn, action)
        on, position = on_board(state), position_of(state)
        move = move_of(action.start, action.end)
        if move not in moves(on, position):
            start, end = (space_name(space, on.size) for space in (action.start, action.end))
            raise Refused("illegal_move", f"The piece on {start} cannot move to {end}.")
        following = after(on, position, move)
        again = following.berserk >= 0
        moved = Moved(
            seat,
            action.start,
            action.end,
            str(record_of(on, position, move)),
            tuple(spaces_of(following.captured)),
            again,
        )
        repeated = self._times_seen(self.evolve(state, moved)) >= 3
        over = ending(on, following, repeated)
        if over is None:
            return (moved,)
        return moved, Ended(None if over.winner is None else Seat(over.winner), over.reason)

    def _check_piece(self, state: TaflState, turn: Seat, action: Move) -> None:
        """That the move is one of a piece of whoever is to move. The order of these checks is part of the protocol."""
        start, end, spaces = action.start, action.end, len(state.board)
        if not (0 <= start < spaces and 0 <= end < spaces):
            raise Refused("illegal_move", f"There is no such space: they are 0 to {spaces - 1}.")
        piece = state.board[start]
        where = space_name(start, on_board(state).size)
        if piece == EMPTY:
            raise Refused("illegal_move", f"There is no piece on {where}.")
        if side_of(piece) != turn:
            code = "illegal_side" if state.berserk is None else "illegal_side_berserker"
            raise Refused(code, f"The piece on {where} is not one of the {SIDES[turn]}.")
        if state.berserk is not None and start != state.berserk:
            berserk = space_name(state.berserk, on_board(state).size)
            raise Refused("illegal_move_berserker", f"Only the piece on {berserk} may move now.")

    @staticmethod
    def _times_seen(state: TaflState) -> int:
        return state.seen.count(state.seen[-1]) if state.seen else 0

    def evolve(self, state: TaflState | None, event: Event) -> TaflState:
        match event:
            case Moved() if state is not None:
                return _moved(state, event)
            case Ended() if state is not None:
                return replace(state, turn=None, berserk=None, ending=event)
            case Began(rules=rules, board=board, turn=turn, quirks=quirks):
                fresh = tuple(space for space, piece in enumerate(board) if piece != EMPTY) if quirks else ()
                counted = compiled(rules, quirks).rules.repetition != "ignored"
                seen = (position_key(board, turn),) if counted else ()
                return TaflState(rules, quirks, board, turn, None, seen, fresh)
        raise ValueError("a game begins with its beginning")

    def legal(self, state: TaflState, seat: Seat) -> Sequence[Move]:
        if seat != state.turn:
            return ()
        return [Move(move >> SHIFT, move & END) for move in moves(on_board(state), position_of(state))]

    def awaited(self, state: TaflState) -> tuple[Seat, ...]:
        return () if state.turn is None else (state.turn,)

    def outcome(self, state: TaflState) -> Outcome | None:
        end = state.ending
        if end is None:
            return None
        return Outcome(() if end.winner is None else (end.winner,), end.reason)

    def flag(self, state: TaflState, seat: Seat, chance: Random) -> Sequence[Event]:
        return self._lost(state, seat, "time")

    def quit(self, state: TaflState, seat: Seat, chance: Random) -> Sequence[Event]:
        return self._lost(state, seat, "resigned")

    def _lost(self, state: TaflState, seat: Seat, reason: Reason) -> Sequence[Event]:
        if state.turn is None:
            raise Refused("over", "The game is over.")
        return (Ended(Seat(1 - seat), reason),)

    def draw(self, state: TaflState) -> Sequence[Event]:
        if state.turn is None:
            raise Refused("over", "The game is over.")
        return (Ended(None, "agreed"),)

    def choose(self, state: TaflState, seat: Seat, level: str, chance: Random) -> Move:
        move = bots.choose(on_board(state), position_of(state), chance)
        return Move(move >> SHIFT, move & END)


def _first(attackers_first: bool) -> Seat:
    return Seat(0 if attackers_first else 1)


def _moved(state: TaflState, event: Moved) -> TaflState:
    before, start, end = state.board, event.start, event.end
    letters = list(before)
    letters[end], letters[start] = before[start], EMPTY
    gone = False
    for space in event.captured:
        letters[space] = captured(before[space])
        gone = gone or letters[space] == EMPTY
    board = "".join(letters)
    turn = event.seat if event.again else Seat(1 - event.seat)
    seen = state.seen
    if seen:
        key = (position_key(board, turn),)
        # With one piece fewer on the board nothing comes again that was there before.
        seen = key if gone else seen + key
    fresh = state.fresh
    if fresh:
        touched = {start, end, *event.captured}
        fresh = tuple(space for space in fresh if space not in touched)
    return TaflState(state.rules, state.quirks, board, turn, end if event.again else None, seen, fresh)
