"""Playing: moves, powers, draws, and giving up."""

from typing import TYPE_CHECKING

from gamut.doors.powerchess import from_client as f
from gamut.doors.powerchess import telling
from gamut.doors.powerchess.from_client import malformed
from gamut.games.game import Refused, Seat
from gamut.games.powerchess.state import Offered, Use
from gamut.hall.ids import Seq
from gamut.hall.live.audience import Cause
from gamut.hall.live.live_table import LiveTable
from gamut.hall.table import commands as c

if TYPE_CHECKING:
    from gamut.doors.powerchess.session import PowerChessSession

_RESTS = ("paused", "waiting")


def own_game(session: "PowerChessSession", message: f.Own) -> tuple[LiveTable, Seat]:
    """The game that this connection plays, if it is the one that is spoken of."""
    live, state = session.live, session.state
    if live is None or state.player is None:
        raise Refused("not_seated", "You are in no game.")
    # Existing clients say the numbers as numbers or as texts.
    if (message.game_id != state.game and f.number(message.game_id) != state.game) or (
        message.player_id != state.player and f.number(message.player_id) != state.player
    ):
        raise Refused("not_yours", "That is another game, or another player.")
    seat = live.table.seat_of(state.person)
    if seat is None:
        raise Refused("not_seated", "You have no seat in this game any more.")
    return live, seat


def begun_game(session: "PowerChessSession", message: f.Own) -> tuple[LiveTable, Seat]:
    live, seat = own_game(session, message)
    if live.table.phase != "playing":
        check_begun(live)
    return live, seat


def check_begun(live: LiveTable) -> None:
    if live.table.phase == "setup":
        raise Refused("not_started", "Nobody has joined this game yet.")
    if live.table.phase == "over":
        raise Refused("over", "The game is over.")


def act(session: "PowerChessSession", message: f.Act) -> None:
    kind = message.action if message.action == f.MOVE else f.number(message.action)
    if kind == f.MOVE:
        if message.move is None:
            raise malformed("move is missing.")
        move = f.move_of(message.move)
        live, _ = begun_game(session, message)
        _do(session, live, c.Act(session.state.person, move))
    elif kind == f.SELECT_POWER:
        chosen = f.selection(message)
        live, seat = begun_game(session, message)
        _use(session, live, seat, message, chosen)
    else:
        raise malformed(f"action is {f.MOVE} or {f.SELECT_POWER}.")


def _use(session: "PowerChessSession", live: LiveTable, seat: Seat, message: f.Act, chosen: int) -> None:
    if live.awaited != (seat,):
        raise Refused("not_your_turn", "It is not your turn.")
    # An offer is open until it is used: it is the latest that happened in the game.
    (played,) = live.visible(seat, Seq(live.table.last_play - 1), live.table.last_play)
    choice = played.events[-1]
    if type(choice) is not Offered:
        raise Refused("no_choice", "There is no power to choose: powers come out of boxes.")
    power = choice.powers[chosen]
    assert power != "unseen", "it is the player's own offer"
    wanted = f.follow_up_of(message, power)
    if wanted is None:
        _do(session, live, c.Act(session.person, Use(power)))
    elif wanted.start not in (None, choice.square):
        raise Refused("illegal_target", "This power moves the piece that took the box.")
    else:
        _do(session, live, c.Act(session.person, Use(power, wanted.target)))


def _do(session: "PowerChessSession", live: LiveTable, command: c.Command) -> None:
    try:
        session.hall.do(live, command)
    except Refused:
        if live.table.phase != "over":
            raise
        # The flag fell before this came, and both players have just been told so.


def offer_draw(session: "PowerChessSession", message: f.Draw) -> None:
    live, seat = begun_game(session, message)
    if seat in live.table.draw_offers:
        return  # it is still open
    if seat in live.table.turned_down and not live.table.draw_offers:
        return  # the client has no word for it: nobody is asked again before this player has moved
    _do(session, live, c.OfferDraw(session.person))


def give_up(session: "PowerChessSession", message: f.Over) -> None:
    """By resignation, or because the client's own clock has run out. Its page shows the loss already."""
    reason = f.reason(message)
    if session.live is not None and session.state.player is None:
        session.leave()  # the host has not begun, so the client has no number of its game to give
        return
    live, seat = own_game(session, message)
    if live.table.phase == "over":
        return
    if live.table.phase == "setup":
        session.leave()
    elif reason == f.TIME:
        _report_time(session, message, live, seat)
    else:
        _resign(session, message, live)


def _report_time(session: "PowerChessSession", message: f.Over, live: LiveTable, seat: Seat) -> None:
    """Clients have a clock of their own, also where the table has none, another one, or one that stands still.

    If the table's clock does not agree, the client is told how the game stands, so that its player can go on.
    """
    try:
        cause = Cause(session, message)
        session.hall.catch_up(live, cause)
        session.hall.do(live, c.ReportFlag(session.person), cause)
    except Refused as refused:
        if live.table.phase != "over":
            session.count_refusal(refused.code)
            session.send(telling.standing(live, seat, session.hall.time.now()))


def _resign(session: "PowerChessSession", message: f.Over, live: LiveTable) -> None:
    cause = Cause(session, message)
    session.hall.catch_up(live, cause)
    try:
        session.hall.do(live, c.Resign(session.person), cause)
    except Refused as refused:
        if live.table.phase == "over":
            return  # the flag fell before this came, and both players have just been told so
        if refused.code not in _RESTS:
            raise
        # While play rests a seat can be given up, and with it the game.
        session.hall.do(live, c.Leave(session.person), cause)
