"""Creating games, joining them, and coming back to them."""

from typing import TYPE_CHECKING

from msgspec import UNSET
from msgspec.structs import replace

from gamut.doors.powerchess import from_client as f
from gamut.doors.powerchess import names, telling, time_controls
from gamut.doors.powerchess import to_client as t
from gamut.doors.powerchess.bot_games import BOT_SEAT, BotGame
from gamut.doors.powerchess.from_client import malformed
from gamut.doors.powerchess.naming import game_number, game_of_player, player_number, seat_numbered
from gamut.doors.waiting_bots import opened_with
from gamut.games.game import Refused, Seat
from gamut.games.powerchess.times import ALLOWANCE, CONTROLS
from gamut.hall.ids import PersonId
from gamut.hall.live.live_table import LiveTable
from gamut.hall.live.opening import Opening
from gamut.hall.table import commands as c
from gamut.hall.table.clock import Bank
from gamut.hall.table.seats import Sitter
from gamut.hall.wings import Elsewhere

if TYPE_CHECKING:
    from gamut.doors.powerchess.session import PowerChessSession

BY_NUMBER = "by_number"
"""In the decor of a private table: whoever knows its number is invited."""


class NoSuchGame(Refused):
    """There is no game of this number to be joined, or none that this key opens."""

    def __init__(self) -> None:
        super().__init__("no_such_game", "There is no such game, or it does not wait for you.")


def check_free(session: "PowerChessSession") -> None:
    """Nobody is in two games at once. From one that is over players go on to the next.

    Also asked when something was waited for: whoever is gone by then does not hear that it is refused.
    """
    if session.is_deaf:
        raise Refused("gone", "The connection is over.")
    if session.live is not None and session.live.table.phase != "over":
        raise Refused("seated", "You are in a game already.")


def create(session: "PowerChessSession", message: f.Create) -> None:
    white, public = f.truth(message.color), f.truth(message.public)
    control = f.number_below(message.time_control, len(CONTROLS), "timeControl")
    check_free(session)
    session.leave()
    opening = Opening(
        game=session.door.name,
        clock=time_controls.setting(control),
        private=not public,
        decor={} if public else {BY_NUMBER: True},
    )
    live = session.hall.open(opening, session.person)
    seat = Seat(0 if white else 1)
    _sit(session, live, message.name, seat, opened=True)
    session.plays(live, seat, created=True)
    told_created(session, live, seat)


def told_created(session: "PowerChessSession", live: LiveTable, seat: Seat) -> None:
    game = session.state.game
    assert game is not None
    session.send(t.created(game, player_number(game, seat), session.door.key(live, seat)))


def _sit(
    session: "PowerChessSession", live: LiveTable, name: str, seat: Seat | None, *, opened: bool = False
) -> None:
    # Their key leads back to the seat. When the server was away play rests until they are back.
    sitter = Sitter(
        session.person,
        names.taken(name, session.door.check_unregistered),
        rests=True,
        listed=False,
        cannot=("ready", "start", "rematch", "follow"),
    )
    invited = live.table.decor.get(BY_NUMBER) is True
    session.sit(live, c.Sit(sitter, seat, live.table.key if invited else None), opened=opened)


# Joining


async def join(session: "PowerChessSession", message: f.Join) -> None:
    game = f.number(message.game_id)
    if message.key is not None:
        if message.player_id is None:
            raise malformed("playerId is missing.")
        player, key = f.number(message.player_id), message.key
        check_free(session)
        _check_here(session, _number_of_table(session, game, player))
        with session.door.guesses.counting(session.address, NoSuchGame):
            await _resume(session, game, player, key)
        return
    if message.name is None:
        raise malformed("name is missing.")
    check_free(session)
    waiting = session.door.bot_games.get(game)
    if waiting is not None:
        _play_bot(session, waiting, message.name)
        return
    _check_here(session, game)
    with session.door.guesses.counting(session.address, NoSuchGame):
        await _join(session, game, message.name)


def _play_bot(session: "PowerChessSession", waiting: BotGame, name: str) -> None:
    """A bot waits there, for everybody who comes at a table of their own."""
    session.leave()
    opening = waiting.opening(session.door.name)
    live = opened_with(session.hall, opening, session.person, waiting.bot, BOT_SEAT)
    session.expects(waiting.number)
    _sit(session, live, name, None, opened=True)


def _check_here(session: "PowerChessSession", game: int) -> None:
    """Raises Elsewhere for a game of another wing of the hall. Whoever goes there is in no game here."""
    try:
        session.hall.wings.check_name(session.door.name, str(game))
    except Elsewhere:
        session.leave()
        raise


async def _found(session: "PowerChessSession", game: int) -> LiveTable:
    live = await session.hall.find(session.door.name, str(game))
    if live is None or game_number(live.table.room) != game:
        raise NoSuchGame
    return live


async def _join(session: "PowerChessSession", game: int, name: str) -> None:
    live = await _found(session, game)
    check_free(session)
    table = live.table
    if table.private and table.decor.get(BY_NUMBER) is not True:
        raise NoSuchGame  # its people let others in by a link of the page
    if table.phase != "setup" or table.full:
        raise Refused("full", "Nobody is waited for in this game.")
    session.leave()
    _allow_for_clients(session, live)
    # From here on what happens is told to this connection, too: perhaps that the game begins.
    session.expects(game)
    _sit(session, live, name, None)


def _allow_for_clients(session: "PowerChessSession", live: LiveTable) -> None:
    """Clients show a little more time than there is, so the flag of a game with them falls a little later."""
    clock, host = live.table.clock_setting, live.table.host
    if not isinstance(clock, Bank) or clock.lag is not UNSET or host is None:
        return
    ready = [live.table.persons[seat] for seat in live.table.ready]
    session.hall.do(live, c.Configure(host, clock=replace(clock, lag=ALLOWANCE)), granted=True)
    # It is no change that anybody has to agree to.
    for person in ready:
        if person is not None and live.table.phase == "setup":
            session.hall.do(live, c.Ready(person, True), granted=True)


# Coming back


def _number_of_table(session: "PowerChessSession", game: int, player: int) -> int:
    """A client that joined a bot knows its game by the number in the list: the player's number says which table it
    is."""
    return game_of_player(player) if game in session.door.bot_games else game


async def _resume(session: "PowerChessSession", game: int, player: int, key: str) -> None:
    number_of_table = _number_of_table(session, game, player)
    live = await _found(session, number_of_table)
    check_free(session)
    seat = seat_numbered(number_of_table, player)
    number = None if seat is None else session.door.keys.which(live, seat, key)
    if seat is None or number is None:
        raise NoSuchGame
    if live.table.phase == "over" and live.table.outcome is None:
        raise Refused("over", "This game was given up: nobody came back to it.")
    holder = live.table.seats[seat]
    assert isinstance(holder, Sitter), "a key opens the seat of a person"
    if live.table.phase != "over":
        session.leave()
        _take_over(session, live, holder.person)
        session.hall.attendance.attend(live, session, number)
        session.be_at(live)
        session.plays(live, seat, created=live.table.phase == "setup", known_as=game)
    if live.table.phase == "setup":
        told_created(session, live, seat)
    else:
        answer = session.door.joined(live, seat)
        session.send(answer + telling.snapshot(live, seat, session.hall.time.now()))


def _take_over(session: "PowerChessSession", live: LiveTable, person: PersonId) -> None:
    """From now on this connection is that person's, and no other one is."""
    for other in tuple(session.door.sessions_at(live)):
        if other.person == person:
            other.replaced()
    session.becomes(person)
