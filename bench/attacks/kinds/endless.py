"""What could go on for ever: coming and going, and moves that lead nowhere."""

from bench.attacks.guest import Guest
from bench.attacks.requests import request
from bench.attacks.target import Target, address, together

_RATE = 45
_PLAYERS = 20
_MOST_PRESENCE = 2 * 11
"""How often a table may be told that somebody is gone or back, within the time of an attack."""
_RULES = "dim:7 name:Endless surf:n atkf:y ks:w tfr:i cenh: cenhe: starti:/3t3/3t3/3T3/ttTKTtt/3T3/3t3/3t3/"
_TO_AND_FRO = ((45, 46), (17, 15), (46, 45), (15, 17))
_LONGEST = 5_000
"""Moves in a game of Tafl."""


async def _log(target: Target, table: str) -> bytes:
    answer = await request(target, "GET", f"/api/tables/{table}/log", address=address(), count=False)
    return answer.body


async def watch_and_unwatch(target: Target) -> None:
    """Players who say `unwatch` and `watch` in turn, at twenty tables."""
    people = [await Guest.come(target, address=address(each)) for each in range(_PLAYERS)]
    tables = [(await one.opens("topple", seats=2, start="full", bots=["casual"]))[0] for one in people]
    await target.prepared()

    async def flap(guest: Guest, table: str, each: int) -> None:
        async for number in target.ticks(_RATE):
            if guest.closed.is_set():
                guest = await guest.again(address=address(each))
            guest.tell("watch" if number % 2 else "unwatch", table=table)

    await together(
        [flap(one, table, each) for each, (one, table) in enumerate(zip(people, tables, strict=True))]
    )
    await _count_presence(target, tables)


async def reconnecting_players(target: Target) -> None:
    """Players who lose their connection and come back to their tables, again and again."""
    people = [await Guest.come(target, address=address(each)) for each in range(_PLAYERS)]
    tables = [(await one.opens("topple", seats=2, start="full", bots=["casual"]))[0] for one in people]
    await target.prepared()

    async def come_and_go(guest: Guest, table: str, each: int) -> None:
        async for _ in target.ticks(4):
            guest.abort()
            guest = await guest.again(address=address(each))
            guest.tell("watch", table=table)

    await together(
        [come_and_go(one, table, each) for each, (one, table) in enumerate(zip(people, tables, strict=True))]
    )
    await _count_presence(target, tables)


async def _count_presence(target: Target, tables: list[str]) -> None:
    logs = [await _log(target, table) for table in tables]
    told = [log.count(b'"dropped"') + log.count(b'"returned"') for log in logs]
    target.note(f"{max(told)} times at most a table was told that somebody is gone or back")
    target.expect(max(told) <= _MOST_PRESENCE, "coming and going in turn adds next to nothing to a log")


async def endless_tafl(target: Target) -> None:
    """Ten games of Tafl in which repetitions do not count, and both move to and fro."""
    pairs = []
    for each in range(_PLAYERS // 2):
        attacker = await Guest.come(target, address=address(2 * each))
        defender = await Guest.come(target, address=address(2 * each + 1))
        table, key = await attacker.opens("tafl", options={"rules": _RULES}, start="full")
        await defender.must("sit", table=table, key=key)
        pairs.append(((attacker, defender), table))
    await target.prepared()

    async def play(players: tuple[Guest, Guest], table: str) -> None:
        async for number in target.ticks(2 * _RATE):
            start, end = _TO_AND_FRO[number % 4]
            action = {"type": "move", "start": start, "end": end}
            players[number % 2].tell("act", table=table, action=action)

    await together([play(players, table) for players, table in pairs])
    moves = [(await _log(target, table)).count(b'"moved"') for _, table in pairs]
    target.note(f"{max(moves)} moves in the longest game")
    target.expect(max(moves) <= _LONGEST, "a game that does not end is drawn")
