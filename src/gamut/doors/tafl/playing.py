"""Playing: being ready, moves, giving up, and draws."""

from typing import TYPE_CHECKING

from gamut.doors.tafl import from_client as f
from gamut.doors.tafl import to_client as t
from gamut.doors.tafl.dialects import Rejected
from gamut.doors.tafl.telling import awaited
from gamut.games.game import Refused, Seat
from gamut.games.tafl.notation import BadNotation, space_number
from gamut.games.tafl.records import MoveRecord
from gamut.games.tafl.state import Move, TaflState
from gamut.hall.live.live_table import LiveTable
from gamut.hall.table import commands as c

if TYPE_CHECKING:
    from gamut.doors.tafl.session import TaflSession

_ILLEGAL = -3
_CODES = {
    "not_your_turn": -1,
    "illegal_side": -1,
    "illegal_side_berserker": -2,
    "illegal_move": _ILLEGAL,
    "illegal_move_berserker": -4,
}
_GOOD = t.move_result(0)
_RESTS = ("paused", "waiting")


def own_game(session: "TaflSession") -> tuple[LiveTable, Seat]:
    """The game in which this client has a seat."""
    live = session.live
    seat = None if live is None else live.table.seat_of(session.person)
    if live is None or seat is None:
        raise Rejected("not-in-game")
    return live, seat


def _begun_game(session: "TaflSession") -> tuple[LiveTable, Seat]:
    live, seat = own_game(session)
    if live.table.phase == "setup":
        raise Rejected("not-in-game")
    if live.table.phase == "over":
        raise Rejected("game-over")
    return live, seat


def ready(session: "TaflSession", rest: str) -> None:
    live, _ = own_game(session)
    if live.table.phase == "over" or (session.plays and session.state.ready):
        raise Rejected("already-started")
    session.state.ready = True
    if session.plays:
        # The game did not wait for that: it began when the table was full, or when its host wanted it to.
        session.send(t.SUCCESS)
        return
    heard = session.do(live, c.Ready(session.person, True)) if is_ready_unknown(session, live) else b""
    session.send(t.WAITING if live.table.phase == "setup" else t.SUCCESS, heard)


def is_ready_unknown(session: "TaflSession", live: LiveTable) -> bool:
    """Whether this client is ready and the table does not know: who has said it is ready until the start, whatever
    others change meanwhile."""
    table = live.table
    seat = table.seat_of(session.person)
    if table.phase != "setup" or not session.state.ready or seat is None or seat in table.ready:
        return False
    # Where everybody has to approve, nobody can before all are there.
    return table.start != "approval" or table.full


def play(session: "TaflSession", rest: str) -> None:
    live, seat = _begun_game(session)
    try:
        record = f.move(rest)
    except BadNotation:
        _answer(session, live, seat, _ILLEGAL)
        return
    if record is None:
        resign(session, "")
        return
    action = _action(live.table.state, record)
    if action is None:
        _answer(session, live, seat, _ILLEGAL)
        return
    try:
        heard = session.do(live, c.Act(session.person, action))
    except Refused as refused:
        _refused(session, live, seat, refused, rest)
        return
    outcome = live.table.outcome
    session.send(_GOOD if outcome is None else t.move_result(t.finishing_code(outcome.winners)), heard)


def _action(state: TaflState, record: MoveRecord) -> Move | None:
    start, end = space_number(record.start, state.size), space_number(record.end, state.size)
    return None if start is None or end is None else Move(start, end)


def _refused(session: "TaflSession", live: LiveTable, seat: Seat, refused: Refused, rest: str) -> None:
    code = _CODES.get(refused.code)
    if code is not None:
        session.count_refusal(f"move_{refused.code}")
        _answer(session, live, seat, code)
    elif refused.code in _RESTS and session.dialect == "O":
        # Its own board has the move already.
        session.state.held = rest
    else:
        raise refused


def _answer(session: "TaflSession", live: LiveTable, seat: Seat, code: int) -> None:
    """To a move that is not made."""
    session.send(t.move_result(code), *awaited(live.table, seat))


def resign(session: "TaflSession", rest: str) -> None:
    live, _ = _begun_game(session)
    session.send(session.do(live, c.Resign(session.person)))


def offer_draw(session: "TaflSession", rest: str) -> None:
    live, _ = _begun_game(session)
    session.send(session.do(live, c.OfferDraw(session.person)))


def accept_draw(session: "TaflSession", rest: str) -> None:
    live, seat = _begun_game(session)
    if not any(other != seat for other in live.table.draw_offers):
        raise Rejected("not-allowed")
    session.send(session.do(live, c.OfferDraw(session.person)))


def decline_draw(session: "TaflSession", rest: str) -> None:
    live, seat = _begun_game(session)
    if not any(other != seat for other in live.table.draw_offers):
        raise Rejected("not-allowed")
    session.send(session.do(live, c.DeclineDraw(session.person)))
