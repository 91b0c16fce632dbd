"""Games of Tafl that are made to be costly: rules of one's own, thousands of moves, and passwords of 60 KB."""

import asyncio
import re
from random import Random
from uuid import uuid4

from bench.attacks.guest import Guest
from bench.attacks.lines import Lines
from bench.attacks.stream import Refused
from bench.attacks.target import Target, address, anybody, together
from gamut.games.tafl.variants import rules_by_name
from gamut.hall.people.prehash import prehashed

_RATE = 45
_TABLES_EACH = 10
"""Of each of the guests, who together have more than anything remembers."""
_SIZE = 19
_KINDS = "tcnmgTCNMG"
_MOVES = 1000
"""That a game may have had before it goes on."""
_LONGER = 2000
_ROUND = ("a4-a3", "c4-c2", "a3-a4", "c2-c4")
_ENDLESS = "dim:7 name:Endless surf:n atkf:y tfr:i ks:w start:/3t3/3t3/3T3/ttTKTtt/3T3/3t3/3t3/"
_WORD = "x" * 60_000
_AGAIN = 0.05


# Rules


def _rules(number: int) -> str:
    """Rules of the largest board that nobody else has, with pieces of all kinds, of which all that can jump do."""
    chance = Random(number)
    rows = []
    for rank in range(_SIZE):
        letters = "".join(
            chance.choice(_KINDS) if (rank + file) % 2 and chance.random() < 0.9 else "."
            for file in range(_SIZE)
        )
        if rank == _SIZE // 2:
            letters = f"{letters[: _SIZE // 2]}K{letters[_SIZE // 2 + 1 :]}"
        rows.append(re.sub(r"\.+", lambda empty: str(len(empty[0])), letters))
    start = "/".join(rows)
    return f"dim:{_SIZE} name:Own_{number} surf:n tfr:i kj:c mj:c gj:c nj:c cj:c start:/{start}/"


async def own_rules_in_turn(target: Target) -> None:
    """Forty Tafl tables, each with rules of its own on the largest board: `legal` and illegal moves at each in turn."""
    four = [await Guest.come(target, address=address(each)) for each in range(4)]
    tables = await asyncio.gather(*(_own_tables(guest, each) for each, guest in enumerate(four)))
    target.note(f"{sum(map(len, tables))} tables")
    await target.prepared()

    async def ask(guest: Guest, own: list[str]) -> None:
        async for number in target.ticks(_RATE):
            table = own[number // 2 % len(own)]
            if number % 2:
                guest.tell("legal", table=table)
            else:
                guest.tell("act", table=table, action={"type": "move", "start": 0, "end": 0})

    await together([ask(guest, own) for guest, own in zip(four, tables, strict=True) if own])


async def _own_tables(guest: Guest, each: int) -> list[str]:
    found = []
    for number in range(_TABLES_EACH):
        options = {"rules": _rules(1000 * each + number)}
        table, _key = await guest.opens("tafl", options=options, start="full", bots=["casual"])
        found.append(table)
    return found


async def old_games_in_turn(target: Target) -> None:
    """Tables at which a game of a thousand moves goes on, by rules of their own, opened, begun and left."""
    four = [await Guest.come(target, address=address(each)) for each in range(4)]
    moves = [_ROUND[number % len(_ROUND)] for number in range(_MOVES)]
    await target.prepared()

    async def begin(guest: Guest, each: int) -> None:
        async for number in target.ticks(2):
            rules = _ENDLESS.replace("Endless", f"Own_{each}_{number}")
            answer = await guest.ask(
                "open", game="tafl", options={"rules": rules, "moves": moves}, bots=["casual"]
            )
            if answer["type"] == "opened":
                guest.tell("leave", table=answer["table"])

    await together([begin(guest, each) for each, guest in enumerate(four)])


# Games


async def _player(target: Target, where: str, kind: str) -> Lines:
    name = anybody()
    line = await Lines.open(target, address=where)
    await line.must(f'login "{name}" {prehashed(name, "a long password")} {kind}')
    return line


async def long_histories(target: Target) -> None:
    """A game that does not end, of thousands of moves: its history, and watching it, again and again by four."""
    ann, bob = [await _player(target, address(each), "ext") for each in range(2)]
    guid = str(uuid4())
    saved = "".join(f"{_ROUND[number % len(_ROUND)]} -1|-1/0|-1||" for number in range(_MOVES))
    await ann.must(f"create-game {guid} attackers open {_ENDLESS}")
    # It has been loaded when it is told.
    loaded = ann.next(lambda heard: heard.startswith(("history", "error")))
    ann.say(f"history 7 {saved}")
    ann.say("history")
    if not (await loaded).startswith("history"):
        raise Refused(f"the game was not loaded: {loaded.result()}")
    await bob.must(f"join-game {guid}")
    waits = ann.next(lambda heard: heard == "error waiting-for-opponent")
    ann.say("ready-for-game")
    await waits
    await bob.must("ready-for-game")
    for number in range(_LONGER):
        player = (ann, bob)[number % 2]
        made = player.next(lambda heard: heard.startswith(("move-result", "error")))
        player.say(f"move {_ROUND[number % len(_ROUND)]}")
        if not (await made).startswith("move-result 0"):
            raise Refused(f"move {number} was not made: {made.result()}")
        await asyncio.sleep(1 / _RATE / 2)
    watchers = [await _player(target, address(2 + each), "7") for each in range(2)]
    await target.prepared()

    async def ask(player: Lines) -> None:
        async for _ in target.ticks(_RATE):
            player.say("history")

    async def come_and_go(watcher: Lines) -> None:
        async for number in target.ticks(_RATE):
            watcher.say(f"leave-game {guid}" if number % 2 else f"spectate {guid} true none")

    await together([*(ask(player) for player in (ann, bob)), *(come_and_go(one) for one in watchers)])
    target.note(f"{sum(one.heard_bytes for one in (ann, bob, *watchers)) >> 20} MB heard")


# Passwords


async def long_table_passwords(target: Target) -> None:
    """`join-game` and `spectate` with words of 60 KB at a table with a password, in dialect O; who knows it gets in."""
    right = prehashed("", "right one")
    host = await _player(target, address(), "7")
    guid = str(uuid4())
    rules = rules_by_name()["brandub"]
    flags = "combinechat:false allowreplay:false"
    await host.must(f"create-game {guid} {flags} attackers {right} 0|0/0|0 {rules}")
    two = [await _player(target, address(1 + each), "7") for each in range(2)]
    await target.prepared()

    async def guess(line: Lines, where: str) -> None:
        async for number in target.ticks(_RATE):
            if line.closed.is_set():
                await asyncio.sleep(_AGAIN)
                line = await _player(target, where, "7")
            word = f"{number}{_WORD}" if number % 2 else prehashed("", f"wrong {number}")
            line.say(f"join-game {guid} false {word}" if number % 3 else f"spectate {guid} true {word}")

    async def friend() -> None:
        await asyncio.sleep(target.left / 2)
        one = await _player(target, "198.51.100.22", "7")
        try:
            await one.must(f"spectate {guid} true {right}")
        except Refused as refused:
            target.expect(False, f"who knows the password comes in ({refused})")

    await together([*(guess(line, address(1 + each)) for each, line in enumerate(two)), friend()])
