"""Opening games, and loading saved ones into them."""

from typing import TYPE_CHECKING

from msgspec.structs import replace

from gamut.doors.tafl import from_client as f
from gamut.doors.tafl.dialects import Rejected
from gamut.doors.tafl.entering import check_free, take_seat
from gamut.doors.tafl.playing import own_game
from gamut.doors.tafl.refusals import rejected
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
        raise Rejected("duplicate-game", awaited=True)
    door.reserved.add(wanted.guid)
    try:
        options = await _options(session, wanted.rules)
        if await hall.find(door.name, wanted.guid) is not None:
            raise Rejected("duplicate-game", awaited=True)
        password = wanted.password
        secret = None if password is None else await hall.run_blocking(locked_hashed, password)
        if session.is_deaf:
            return
        check_free(session)
        _open(session, wanted, options, secret)
    except Refused as refused:
        raise rejected(refused, awaited=True) from None
    finally:
        door.reserved.discard(wanted.guid)


async def _options(session: "TaflSession", rules: str) -> TaflOptions:
    if len(rules) > LONGEST:
        raise Rejected("bad-rules", awaited=True)
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
    try:
        take_seat(session, live, wanted.side, None, granted=True)
    except Refused:
        session.hall.do(live, c.CallOff(session.person))
        raise


# Saved games


def _host_before_start(session: "TaflSession") -> LiveTable:
    live, _ = own_game(session)
    if live.table.phase != "setup":
        raise Rejected("already-started")
    if live.table.host != session.person:
        raise Rejected("not-allowed")
    return live


async def load(session: "TaflSession", rest: str) -> None:
    """The host says which moves were played before. What cannot have been played takes the game away; where it was not
    looked at because somebody has asked too often, nothing has changed."""
    live = _host_before_start(session)
    options: TaflOptions = live.table.options
    try:
        saved = f.history(rest)
        if saved.size != size_of(options.rules_string):
            raise Rejected("bad-save")
        loaded = await _checked(session, live, replace(options, moves=saved.moves))
    except Rejected as reject:
        # A client of dialect O knows no other word for a game that is not loaded, and would go on as if it were.
        bad = Rejected("bad-save") if session.dialect == "O" else reject
        if bad.code == "bad-save" and session.live is live and not session.is_deaf:
            session.leave()
        raise bad from None
    if session.is_deaf or session.live is not live:
        return
    live = _host_before_start(session)
    session.send(session.do(live, c.Configure(session.person, options=loaded)))


async def _checked(session: "TaflSession", live: LiveTable, wanted: TaflOptions) -> TaflOptions:
    try:
        options: TaflOptions = await session.hall.option_checks.check(
            live.game, wanted, session.person, session.address
        )
    except Refused as refused:
        raise Rejected("bad-save" if refused.code == "bad_options" else rejected(refused).code) from None
    return options


def set_clocks(session: "TaflSession", rest: str) -> None:
    """The host says what each side has left."""
    times = f.clocks(rest)
    live = _host_before_start(session)
    session.send(session.do(live, c.Configure(session.person, times=times)))
