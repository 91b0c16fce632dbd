"""Suspended games, crafted to be as long and as costly as they may be."""

import base64
from random import Random
from typing import Any

from bench.attacks.guest import Guest, guests
from bench.attacks.requests import post, request
from bench.attacks.target import Target, address, anybody, together
from gamut.games.topple.events import Moved as HasMoved
from gamut.games.topple.files.record import Event, Marked, Moved, Person, Record, Removed
from gamut.games.topple.files.suspended import EXTENSION, suspension
from gamut.games.topple.files.writer import write
from gamut.games.topple.options import ToppleOptions
from gamut.games.topple.rules import Topple
from gamut.games.topple.state import number

_SIDE = 15
_SEATS = 2
_MOVES = 660
_LONGEST = 47_500
"""Bytes of a file that fits into a message of 64 KiB when it is written in base64."""
_SHORTER = 15_500
"""And into a body of 16 KiB."""
_STARTED = slice(10, 18)
"""Where a file says when its game began: there it can be made different without being made anew."""
_NOTHING = Marked({"stpl:*": b"\0"})
_FOLLOWERS = 50


def crafted(size: int, *, over: bool = False) -> bytes:
    """A file of about so many bytes: moves that topple much, then marks that mean nothing. `over`: it cannot go on."""
    events: list[Event] = list(_random_moves())
    if over:
        events.append(Removed(2))
    bare, with_one = len(_file(events)), len(_file([*events, _NOTHING]))
    events += [_NOTHING] * ((size - bare) // (with_one - bare))
    return _file(events)


def _random_moves() -> list[Event]:
    """Until nearly every move topples much of the board; never the move that would end the game."""
    game, chance = Topple(), Random(7)
    rules = ToppleOptions(topology="bwrap", x=_SIDE, y=_SIDE, scoring="piece")
    state = game.replay(game.begin(rules, _SEATS, chance))
    moves: list[Event] = []
    for _ in range(_MOVES):
        assert state.turn is not None, "a game that is over cannot be suspended"
        for action in chance.sample(legal := game.legal(state, state.turn), len(legal)):
            (event,) = game.decide(state, state.turn, action, chance)
            following = game.evolve(state, event)
            if following.turn is not None:
                assert isinstance(event, HasMoved)
                moves.append(Moved(number(event.seat), event.tile))
                state = following
                break
        else:
            break
    return moves


def _file(events: list[Event]) -> bytes:
    record = Record(
        room="AAAAAAAA",
        started=1_700_000_000_000,
        topology=3,
        x=_SIDE,
        y=_SIDE,
        teams=(1, 2),
        size=1,
        people=(Person(), Person()),
        scoring="piece",
        suspended=True,
        extensions=(EXTENSION,),
        events=(*events, suspension(1_700_000_100_000)),
    )
    return write(record)


def other(file: bytes, which: int) -> bytes:
    """The same game, begun at another moment: nothing that was remembered of the first is of use."""
    changed = bytearray(file)
    changed[_STARTED] = (1_700_000_000_000 + which).to_bytes(8, "big")
    return bytes(changed)


def options(file: bytes) -> dict[str, Any]:
    return {
        "topology": "bwrap",
        "x": _SIDE,
        "y": _SIDE,
        "scoring": "piece",
        "resume": base64.b64encode(file).decode(),
    }


async def _messages(target: Target, kind: str, file: bytes, same: bool, **fields: Any) -> None:
    guest = await Guest.come(target, address=address())
    table, _key = await guest.opens("topple", seats=2, start="host")
    if kind == "configure":
        fields = {"table": table}
    await target.prepared()
    async for which in target.ticks(45):
        if guest.closed.is_set():
            guest = await guest.again(address=address())
        chosen = options(file if same else other(file, which))
        guest.tell(kind, **fields, options=chosen)


async def crafted_open(target: Target) -> None:
    """`open` with a suspended game of 47 KB that nobody has seen before, 45 a second."""
    await _messages(target, "open", crafted(_LONGEST), same=False, game="topple", seats=2)


async def crafted_open_refused(target: Target) -> None:
    """`open` with a suspended game that is over, always the same one."""
    await _messages(target, "open", crafted(_LONGEST, over=True), same=True, game="topple", seats=2)


async def crafted_configure(target: Target) -> None:
    """`configure` from one long suspended game to another."""
    await _messages(target, "configure", crafted(_LONGEST), same=False)


async def crafted_files(target: Target) -> None:
    """Files of 250 KB to look at, and of 16 KB to go on with, by guests from many addresses."""
    file, shorter = crafted(250_000), crafted(_SHORTER)
    cookies = []
    for each in range(8):
        guest = await post(target, "/api/guest", {"name": anybody()}, address=address(each))
        cookies.append(guest.cookie)
    await target.prepared()

    async def send(each: int, cookie: str) -> None:
        headers = {"Content-Type": "application/octet-stream", "Cookie": cookie}
        async for which in target.ticks(5):
            for path, body in (("/api/topple/files", file), ("/api/topple/tables", shorter)):
                body = other(body, each << 16 | which)
                await request(target, "POST", path, body=body, headers=headers, address=address(each))

    await together([send(each, cookie) for each, cookie in enumerate(cookies)])


async def long_options_in_the_lobby(target: Target) -> None:
    """Tables with long options by four guests, 20 each, while fifty follow the lobby: none of them is dropped."""
    followers = await guests(target, _FOLLOWERS, address(50))
    for follower in followers:
        await follower.must("lobby")
    four = [await Guest.come(target, address=address(each)) for each in range(4)]
    file = crafted(_LONGEST)
    await target.prepared()

    async def open_tables(guest: Guest, each: int) -> None:
        for which in range(20):
            guest.tell(
                "open",
                game="topple",
                seats=2,
                start="host",
                options=options(other(file, each << 8 | which)),
            )

    await together([open_tables(guest, each) for each, guest in enumerate(four)])
    await target.rest()
    gone = sum(follower.closed.is_set() for follower in followers)
    heard = sum(follower.heard_bytes for follower in followers)
    target.note(f"{gone} of {len(followers)} lobby followers dropped, {heard >> 20} MB told to them")
    target.expect(not gone, "whoever follows the lobby is not dropped for what others open")


async def open_and_leave(target: Target) -> None:
    """Tables with long options, opened and left, as fast as is allowed."""
    file = crafted(_LONGEST)
    guest = await Guest.come(target, address=address())
    await target.prepared()
    opened = 0
    async for which in target.ticks(20):
        if guest.closed.is_set():
            guest = await guest.again(address=address())
        answer = await guest.ask(
            "open", game="topple", seats=2, start="host", options=options(other(file, which))
        )
        if answer["type"] == "opened":
            opened += 1
            guest.tell("leave", table=answer["table"])
    target.note(f"{opened} tables opened and left")
