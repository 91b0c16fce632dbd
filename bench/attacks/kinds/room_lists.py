"""The lists of rooms that clients of Topple and Power Chess ask for, and what a Power Chess client says of its time."""

from pathlib import Path

from bench import startup
from bench.attacks.requests import request
from bench.attacks.sockets import Refused, Socket
from bench.attacks.target import Target, address, together
from gamut.hall.hall import Hall
from gamut.hall.ids import new_person_id
from gamut.hall.live.opening import Opening
from gamut.hall.table import commands as c
from gamut.hall.table.seats import Sitter

_ROOMS = 4000
_RATE = 45
_AT_ONCE = 16
_FILTERS = (
    "topo:Grid2D.36.36,HWrap2D.1q36.36,VWrap2D.36q36,BWrap2D.1",
    "capacity:1,99;full:false;spectate:true;phase:wait;topo:Grid2D.36.36,HWrap2D.36,VWrap2D.36,BWrap2D.36",
    ";".join(["topo:Grid2D.1q36.1q36,Grid2D.36,HWrap2D.36,VWrap2D.36"] * 16),
    ";".join(f"capacity:1,{most}" for most in range(10, 26)),
)


def past(folder: Path) -> None:
    """A ledger with thousands of public rooms in which somebody waits, half of Topple and half of Power Chess."""
    startup.fill(folder, _ROOMS, _wait)


def _wait(hall: Hall, number: int) -> None:
    person = new_person_id()
    if number % 2:
        side = number // 2 % 15 + 1
        options = {"x": side, "y": number // 30 % 15 + 1}
        opening = Opening(game="topple", options=options, seats=3, start="host", room=f"room{number:04}")
    else:
        # Every game has a number by which clients know it.
        opening = Opening(game="powerchess", room=str((1 << 40) + number))
    live = hall.open(opening, person)
    hall.do(live, c.Sit(Sitter(person, f"waits {number}")))


async def room_filters(target: Target) -> None:
    """Pages of 2,000 Topple rooms that pass filters which nothing or everything passes, 16 at once."""
    await target.prepared()

    async def ask(each: int) -> None:
        asked = each
        while target.going:
            path = f"/serverlist?page={asked % 90}&filter={_FILTERS[asked % len(_FILTERS)]}"
            await request(target, "GET", path, address=address(each))
            asked += 1

    await together([ask(each) for each in range(_AT_ONCE)])


async def game_list_on_and_off(target: Target) -> None:
    """The list of 2,000 Power Chess games, opened and left again by 16 at once."""
    await target.prepared()
    opened = 0

    async def look(each: int) -> None:
        nonlocal opened
        async for _ in target.ticks(_RATE):
            try:
                home = await Socket.open(target, "/home", address=address(each))
            except Refused:
                continue
            opened += 1
            home.abort()

    await together([look(each) for each in range(_AT_ONCE)])
    target.note(f"{opened} lists opened")


async def wrong_time(target: Target) -> None:
    """Eight Power Chess games whose players say all the time that theirs is over, which it is not."""
    pairs = [await _pair(target, each) for each in range(8)]
    await target.prepared()

    async def report(one: Socket, own: dict[str, int]) -> None:
        async for _ in target.ticks(_RATE):
            one.say({"type": 2, **own, "reason": 2})

    await together([report(one, own) for pair in pairs for one, own in pair])
    for white, _ in pairs:
        one, own = white
        answer = one.next(lambda message: message["type"] == 5)
        one.say({"type": 2, **own, "reason": 2})
        target.expect((await answer)["action"] == 1, "whoever is wrong about their time plays on")


async def _pair(target: Target, each: int) -> list[tuple[Socket, dict[str, int]]]:
    white = await Socket.open(target, "/play", address=address(each))
    white.say({"type": 0, "name": f"White {each}", "color": True, "timeControl": 2, "public": False})
    created = await white.hears(lambda message: message["type"] == 0)
    black = await Socket.open(target, "/play", address=address(each))
    black.say({"type": 1, "gameId": created["gameId"], "name": f"Black {each}"})
    joined = await black.hears(lambda message: message["type"] == 1)
    game = created["gameId"]
    return [
        (white, {"gameId": game, "playerId": created["playerId"]}),
        (black, {"gameId": game, "playerId": joined["playerId"]}),
    ]
