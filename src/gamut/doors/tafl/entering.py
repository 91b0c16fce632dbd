"""Coming into games and leaving them: joining, watching, coming back."""

from typing import TYPE_CHECKING

from gamut.doors.tafl import from_client as f
from gamut.doors.tafl import to_client as t
from gamut.doors.tafl.bot_games import BotGame, WaitingGame
from gamut.doors.tafl.playing import is_ready_unknown
from gamut.doors.tafl.telling import snapshot
from gamut.doors.waiting_bots import opened_with
from gamut.games.game import Refused, Seat
from gamut.hall.live.audience import Cause
from gamut.hall.live.live_table import LiveTable
from gamut.hall.live.opening import Opening
from gamut.hall.table import commands as c
from gamut.hall.table.deciding.rights import WrongTablePassword, check_password

if TYPE_CHECKING:
    from gamut.doors.tafl.session import TaflSession


def check_free(session: "TaflSession") -> None:
    """Nobody is in two games at once.

    Also asked when something was waited for: whoever is gone by then does not hear that it is refused.
    """
    if session.is_deaf:
        raise Refused("gone", "The connection is over.")
    if session.live is not None:
        raise Refused("already_hosting", "You are in a game already.")


async def _found(session: "TaflSession", guid: str) -> LiveTable:
    """The game of this name, if it is still there, and this client's business."""
    live = await session.hall.find(session.door.name, guid)
    if live is None:
        raise _canceled()
    _check_there(session, live)
    return live


def _canceled() -> Refused:
    return Refused("game_canceled", "There is no such game.")


def _full() -> Refused:
    return Refused("game_full", "There is no seat left in this game.")


def _check_there(session: "TaflSession", live: LiveTable) -> None:
    """A game that is over stays until its players have left; one without a result is gone.

    A private one is there for nobody but those who are at it: this protocol has no word for an invitation.
    """
    table = live.table
    if table.phase == "over" and (table.outcome is None or next(table.sitters(), None) is None):
        raise _canceled()
    if table.private and not table.inside(session.person) and session.person not in live.here:
        raise _canceled()


async def join(session: "TaflSession", wanted: f.Join) -> None:
    check_free(session)
    bot_game = session.door.bot_games.find(session, wanted.guid)
    if bot_game is not None:
        _play_bot(session, wanted, *bot_game)
        return
    live = await _found_to_join(session, wanted.guid)
    check_free(session)
    if live.table.seat_of(session.person) is not None:
        await _come_back(session, live)
        return
    _check_seat(session, live, wanted.password)
    if session.dialect == "O":
        options = await session.door.client_rules.prepare(live, session.person, session.address)
        # Anything may have happened meanwhile.
        check_free(session)
        _check_there(session, live)
        _check_seat(session, live, wanted.password)
        if options is not None:
            session.door.client_rules.use(live, options)
    take_seat(session, live, wanted, None, wanted.password)


async def _found_to_join(session: "TaflSession", guid: str) -> LiveTable:
    """Find a game to join. A bot's game that this client joined before is full:
    an old list may still show it."""
    try:
        return await _found(session, guid)
    except Refused:
        if session.door.bot_games.was_joined(session, guid):
            raise _full() from None
        raise


def _play_bot(session: "TaflSession", wanted: f.Join, kind: BotGame, waiting: WaitingGame) -> None:
    """The game in which a bot waited for this client becomes a table. If that is refused, the bot goes on waiting."""
    opening = Opening(
        game=session.door.name,
        options=kind.options_for(quirks=session.dialect == "O"),
        start="ready",
        room=waiting.guid,
    )
    live = opened_with(session.hall, opening, session.person, kind.bot, waiting.seat)
    session.door.bot_games.opened(session, waiting)
    take_seat(session, live, wanted, None, None, opened=True)


def _check_seat(session: "TaflSession", live: LiveTable, password: str | None) -> None:
    """What can be refused, in the order in which the protocol wants it to be."""
    _check_password(session, live, password)
    if live.table.phase != "setup" or live.table.full:
        raise _full()


def _check_password(session: "TaflSession", live: LiveTable, password: str | None) -> None:
    """Check the password of a game. A try is taken before the password is looked at, and given back if it is
    right. So somebody without tries left learns nothing, neither from the answer nor from its delay."""
    if live.table.password is not None and password is not None:
        with session.hall.wrong_passwords.counting(session.address, WrongTablePassword):
            check_password(live.table, "comes in", None, password)
    else:
        check_password(live.table, "comes in", None, password)


def take_seat(
    session: "TaflSession",
    live: LiveTable,
    wanted: f.Create | f.Join,
    seat: Seat | None,
    password: str | None,
    *,
    opened: bool = False,
) -> None:
    """Sit down; the telling answers. `opened`: this client has just opened the table, and no limit may
    refuse the seat: the guid of the game would be used up for nothing."""
    sit = c.Sit(session.sitter(), seat, None, None, password)
    try:
        session.sit(live, sit, Cause(session, wanted), granted=opened, opened=opened)
    except Refused:
        session.door.client_rules.follow(live)
        raise


async def _come_back(session: "TaflSession", live: LiveTable) -> None:
    """The seat is this person's already: since before the server stopped, or taken on the page."""
    await session.door.histories.prepare(live, session.dialect)
    check_free(session)
    _check_there(session, live)
    if live.table.seat_of(session.person) is None:
        raise _full() if live.table.full else _canceled()
    session.attend(live)
    session.door.is_back(live, session.person)
    seat = live.table.seat_of(session.person)
    assert seat is not None
    _welcome(session, live, t.seated(session.dialect, seat))
    if live.table.phase == "setup":
        session.state.ready = seat in live.table.ready or session.dialect == "O"
        session.door.client_rules.follow(live)
        if is_ready_unknown(session, live):
            session.hall.do(live, c.Ready(session.person, True))


def _welcome(session: "TaflSession", live: LiveTable, answer: bytes) -> None:
    now = session.hall.time.now()
    session.send(answer, *snapshot(session.door.histories, live, session.dialect, session.seat, now))
    session.door.clock_updates.told(live, now)


async def watch(session: "TaflSession", wanted: f.Watch) -> None:
    check_free(session)
    live = await _found(session, wanted.guid)
    check_free(session)
    options = None
    _check_watching(session, live, wanted.password)
    if session.dialect == "O":
        options = await session.door.client_rules.prepare(live, session.person, session.address)
    await session.door.histories.prepare(live, session.dialect)
    # Anything may have happened meanwhile.
    check_free(session)
    _check_there(session, live)
    _check_watching(session, live, wanted.password)
    session.attend(live, wanted.password)
    if options is not None and live.table.phase == "setup":
        session.door.client_rules.use(live, options)
    _welcome(session, live, t.WATCHING if session.dialect == "O" else t.SUCCESS)


def _check_watching(session: "TaflSession", live: LiveTable, password: str | None) -> None:
    if live.guarded_from(session.person):
        _check_password(session, live, password)
    if live.table.phase == "setup" and session.dialect != "O":
        raise Refused("game_not_started", "This game has not begun.")


async def resume(session: "TaflSession", wanted: f.Resume) -> None:
    """Take up the own seat again, in dialect S+."""
    check_free(session)
    live = await _found(session, wanted.guid)
    check_free(session)
    if live.table.seat_of(session.person) is None:
        raise Refused("not_in_game", "You play no such game.")
    await _come_back(session, live)


def leave(session: "TaflSession", wanted: f.Leave) -> None:
    if session.live is None or session.live.table.room != wanted.guid:
        raise Refused("not_in_game", "You are in no such game.")
    session.leave()
    if session.dialect != "O":
        # An existing client would take it for the answer to what it asks for next.
        session.send(t.SUCCESS)
