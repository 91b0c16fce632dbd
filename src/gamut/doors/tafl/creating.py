"""Opening games, and loading saved ones into them."""

from typing import TYPE_CHECKING

from msgspec.structs import replace

from gamut.doors.tafl import from_client as f
from gamut.doors.tafl.entering import check_free, take_seat
from gamut.doors.tafl.fields import SavedGame
from gamut.doors.tafl.playing import own_game
from gamut.games.game import Refused
from gamut.games.tafl.options import TaflOptions
from gamut.games.tafl.rules_text import LONGEST, size_of
from gamut.hall.live.live_table import LiveTable
from gamut.hall.live.opening import Opening
from gamut.hall.table import commands as c
from gamut.hall.table.deciding.lock import locked_hashed

if TYPE_CHECKING:
    from gamut.doors.tafl.session import TaflSession


async def create(session: "TaflSession", wanted: f.Create) -> None:
    check_free(session)
    door, hall = session.door, session.hall
    if wanted.guid in door.reserved:
        raise _duplicate()
    door.reserved.add(wanted.guid)
    try:
        options = await _options(session, wanted.rules)
        async with hall.register.names.holding(door.name, wanted.guid):
            if await hall.find(door.name, wanted.guid) is not None:
                raise _duplicate()
            password = wanted.password
            secret = None if password is None else await hall.run_blocking(locked_hashed, password)
            check_free(session)
            _open(session, wanted, options, secret)
    finally:
        door.reserved.discard(wanted.guid)


def _duplicate() -> Refused:
    return Refused("duplicate_game", "There is a game of this name.")


async def _options(session: "TaflSession", rules: str) -> TaflOptions:
    if len(rules) > LONGEST:
        raise Refused("bad_options", f"Rules have at most {LONGEST} characters.")
    game = session.hall.games[session.door.name]
    wanted = TaflOptions(rules=rules, quirks=session.dialect == "O")
    options: TaflOptions = await session.hall.option_checks.check(
        game, wanted, session.person, session.address
    )
    return options


def _open(session: "TaflSession", wanted: f.Create, options: TaflOptions, password: str | None) -> None:
    decor = {}
    if wanted.allow_replay:
        decor["allow_replay"] = 1
    if wanted.grace:
        decor["grace"] = wanted.grace
    opening = Opening(
        game=session.door.name,
        options=options,
        clock=wanted.clock,
        start="ready",
        room=wanted.guid,
        password=password,
        guards_watching=password is not None,
        one_chat=wanted.one_chat,
        decor=decor,
    )
    live = session.hall.open(opening, session.person)
    take_seat(session, live, wanted, wanted.side, None, opened=True)


# Saved games


def _host_before_start(session: "TaflSession") -> LiveTable:
    live = own_game(session)
    if live.table.phase != "setup":
        raise Refused("already_started", "The game has begun.")
    if live.table.host != session.person:
        raise Refused("not_host", "Only who has created the game can do that.")
    return live


async def load(session: "TaflSession", message: f.LoadGame) -> None:
    """The host says which moves were played before. If they cannot have been played, the host leaves the
    game. If they were not looked at, because of a limit, nothing changes, but for clients of dialect O."""
    live = _host_before_start(session)
    try:
        loaded = await _loaded(session, live, message.saved)
    except Refused as refused:
        # A client of dialect O understands only `bad-save`: at another error it would go on
        # as if the game were loaded.
        if refused.code != "bad_options" and session.dialect != "O":
            raise
        if session.live is live and not session.is_deaf:
            session.leave()
        raise Refused("bad_save", refused.reason) from None
    if session.is_deaf or session.live is not live:
        return
    live = _host_before_start(session)
    session.hall.do(live, c.Configure(session.person, options=loaded))


async def _loaded(session: "TaflSession", live: LiveTable, saved: SavedGame | None) -> TaflOptions:
    options: TaflOptions = live.table.options
    if saved is None or saved.size != size_of(options.rules_string):
        raise Refused("bad_options", "That is no game that was saved on this board.")
    wanted = replace(options, moves=saved.moves)
    checked: TaflOptions = await session.hall.option_checks.check(
        live.game, wanted, session.person, session.address
    )
    return checked


def set_clocks(session: "TaflSession", message: f.SetClocks) -> None:
    """The host says what each side has left."""
    live = _host_before_start(session)
    session.hall.do(live, c.Configure(session.person, times=message.times))
