"""What goes wrong: each fault is done by one of these."""

import asyncio
import signal
from collections.abc import Awaitable, Callable, Coroutine, Sequence
from random import Random
from time import monotonic, sleep
from typing import Any

import msgspec

from bench.cluster.crowd import Crowd
from bench.cluster.gateways import Gateways
from bench.cluster.node import Node
from bench.cluster.pair import Pair
from bench.stores.database import Database

_PATIENCE = 30.0
_ENDS_WITHIN = 15.0
_FINDS_OUT_WITHIN = 20.0
_LAST_WORDS_WITHIN = 5.0
_KILLED = -signal.SIGKILL
_ENDED = 3
"""The exit code of a node in whose place another one has become active."""
_NATS_AWAY = (0.0, 3.0)
_CUT_FOR = (0.1, 3.0)
"""Seconds."""
_SETTLED = 10.0
"""A node that has had the hall for less is not asked to hand over."""


class Strike(msgspec.Struct):
    """A fault that has been done."""

    at: float
    """When, by `monotonic`."""
    rest: Awaitable[None] | None = None
    """What goes on meanwhile."""
    node: Node | None = None
    """The node that is gone or frozen by it."""
    others: Sequence[Node] = ()
    """Further nodes at which sockets end by it."""
    wing: int | None = None
    """The only one that is struck, where its node goes on."""

    @property
    def nodes(self) -> list[Node]:
        return [*self.others, *(() if self.node is None else (self.node,))]


class Kind(msgspec.Struct, frozen=True):
    name: str
    strike: Callable[[], Awaitable[Strike]]
    code: int = _ENDED
    """With which a node ends that does."""
    ends: bool = False
    """The node that was struck ends by itself."""
    before: Callable[[], None] | None = None
    after: Callable[[Node], Awaitable[None]] | None = None
    """When everything is as it was."""
    stops_all: bool = True
    """Nobody plays on meanwhile, and no clock runs; else it is over when the rest of it is."""
    from_end: bool = False
    """Until the node has ended people play on."""
    may_end: bool = False
    """Others may take the node that was struck for gone, and end it: only then there is an `after`."""
    hands_over: bool = False
    """In good order: no clock may run while nobody has the table."""
    in_turns: bool = False
    """It is several things, one after the other: nobody need be back before the last of them."""
    replaces: bool = False
    """There is another node in the place of the one that was struck."""
    weight: int = 4
    """How often it is chosen where chance does that."""


class Faults:
    def __init__(self, database: Database, pair: Pair, crowd: Crowd, chance: Random) -> None:
        self._database = database
        self._pair = pair
        self._crowd = crowd
        self._chance = chance
        self._under_way: set[asyncio.Task[None]] = set()
        self.wrong: list[str] = []

    @property
    def kinds(self) -> dict[str, Kind]:
        """By the name that a plan has for them."""
        return {
            "kills": Kind("kill -9", self._kill, code=_KILLED, replaces=True),
            "freezes": Kind("freeze", self._freeze, after=self._let_go_on, replaces=True),
            "restarts": Kind("restart", self._restart, weight=2),
            "drains": Kind("drain", self._drain, code=0, ends=True, hands_over=True, replaces=True),
            "failovers": Kind("fail-over", self._fail_over, before=self._database.follow, weight=1),
            "rollings": Kind(
                "rolling",
                self._roll,
                code=0,
                stops_all=False,
                hands_over=True,
                in_turns=True,
                replaces=True,
                weight=1,
            ),
        }

    def _some_owner(self) -> Node:
        """Who has the hall, or a wing of it."""
        owners = self._pair.owners
        return owners[0] if len(owners) == 1 else self._chance.choice(owners)

    def _meanwhile(self, work: Coroutine[Any, Any, None]) -> "asyncio.Task[None]":
        task = asyncio.create_task(work)
        self._under_way.add(task)
        task.add_done_callback(self._under_way.discard)
        return task

    async def _kill(self) -> Strike:
        node = self._some_owner()
        struck = monotonic()
        node.signal(signal.SIGKILL)
        return Strike(struck, node=node)

    async def _freeze(self) -> Strike:
        node = self._some_owner()
        struck = monotonic()
        node.signal(signal.SIGSTOP)
        return Strike(struck, node=node)

    async def _let_go_on(self, node: Node) -> None:
        """The frozen node goes on."""
        node.signal(signal.SIGCONT)
        await self._finds_out(node)

    async def _finds_out(self, node: Node) -> None:
        """A node in whose place there is another one says so, and exits."""
        code = await node.ended(_FINDS_OUT_WITHIN)
        # Its last words are read by another thread.
        says_so = await self._crowd.wait_until(
            lambda: any("ended" in line for line in node.log.errors), _LAST_WORDS_WITHIN
        )
        if code != _ENDED or not says_so:
            self.wrong.append(
                f"{node.name} was away and was ended: exit code {code} (None: it goes on), and {node.log.errors[-1:]}"
            )

    async def _restart(self) -> Strike:
        struck = monotonic()
        await asyncio.to_thread(self._database.crash)
        return Strike(struck, self._meanwhile(asyncio.to_thread(self._database.recover)))

    async def _fail_over(self) -> Strike:
        struck = monotonic()
        await asyncio.to_thread(self._database.lose)
        return Strike(struck, self._meanwhile(asyncio.to_thread(self._database.promote)))

    async def _drain(self) -> Strike:
        byes, node = self._crowd.byes, self._pair.active
        draining = self._meanwhile(self._drained())
        if not await self._crowd.wait_until(lambda: self._crowd.byes > byes, _PATIENCE):
            self.wrong.append("drain: nobody was told bye")
        return Strike(monotonic(), draining, node)

    async def _drained(self, *asked: str) -> None:
        code, said = await self._pair.drain(*asked)
        if code != 0 or "handed over" not in said:
            self.wrong.append(f"gamut drain: exit code {code}, {said!r}")

    async def _roll(self) -> Strike:
        """Every node that may have the hall is restarted, as an upgrade does it."""
        nodes = self._pair.nodes
        return Strike(monotonic(), self._meanwhile(self._restarted_in_turns()), others=nodes)

    async def _restarted_in_turns(self) -> None:
        active = self._pair.active
        for node in self._pair.nodes:
            if node is not active:
                node.signal(signal.SIGTERM)
                await self._stands_by_again(node)
        await self._handed_over(active)
        await self._stands_by_again(active)

    async def _handed_over(self, active: Node) -> None:
        await self._drained(active.name)

    async def _stands_by_again(self, node: Node) -> None:
        await self.again(node, "rolling", 0)
        await self._pair.until(
            lambda: node.stands_by and self._pair.is_whole, f"rolling: {node.name} does not stand by"
        )

    # Nodes that have ended

    async def all_there(self, kind: Kind | None = None, struck: Node | None = None) -> None:
        """One node has the hall and the others stand by; one that has ended as it should have is started again."""
        pair = self._pair
        name = "peace" if kind is None else kind.name
        if kind is not None and kind.ends and struck is not None:
            await struck.ended(_ENDS_WITHIN)
        # One that has just lost its database may be replaced only now.
        await pair.until(lambda: pair.proxy.open is not None, f"{name}: no node has the hall")
        fine = () if kind is None else (kind.code,)
        for node in self._ended:
            await self.again(node, name, *fine)
        not_whole = f"{name}: there is no standby, or a gateway is not open"
        await pair.until(lambda: pair.is_whole or (pair.is_divided and bool(self._ended)), not_whole)
        while pair.is_divided and (ended := self._ended):
            # Who has ended with one wing hands over the others, which takes a while.
            for node in ended:
                await self.again(node, name, *fine)
            await pair.until(lambda: pair.is_whole or bool(self._ended), not_whole)

    @property
    def _ended(self) -> list[Node]:
        pair = self._pair
        # With several wings, one that has ended is named in the store until another one takes over.
        goes_on = None if pair.is_divided else pair.active
        return [node for node in pair.everybody if node is not goes_on and not node.alive]

    async def again(self, node: Node, kind: str, *fine: int) -> None:
        """It has ended, or is about to."""
        code = await node.ended(_ENDS_WITHIN)
        if code not in (*fine, _ENDED):
            self.wrong.append(f"{kind}: a node ended with code {code}: {node.log.errors[-2:]}")
        self.wrong += [f"{kind}: {trace}" for trace in node.log.tracebacks]
        await asyncio.to_thread(node.start)


class GatewayFaults(Faults):
    def __init__(self, database: Database, pair: Gateways, crowd: Crowd, chance: Random) -> None:
        super().__init__(database, pair, crowd, chance)
        self._gateways = pair
        self._drains = self._owner_cuts = 0

    @property
    def kinds(self) -> dict[str, Kind]:
        return {
            **super().kinds,
            "drains": Kind(
                *("drain", self._drain),
                code=0,
                ends=True,
                from_end=True,
                hands_over=True,
                replaces=True,
            ),
            **({"moves": self._moves} if self._pair.is_divided else {}),
            "gateway_kills": Kind(
                "gateway kill", self._kill_gateway, code=_KILLED, stops_all=False, replaces=True
            ),
            "gateway_stops": Kind("gateway stop", self._stop_gateway, code=0, stops_all=False, replaces=True),
            "nats_restarts": Kind("NATS restart", self._restart_nats, stops_all=False, weight=2),
            # A node that is both and has the hall may hand over because of it.
            "cuts": Kind("cut", self._cut, code=0, stops_all=False),
            "owner_cuts": Kind(
                *("owner cut", self._cut_owner),
                code=0,
                ends=True,
                before=self._until_settled,
                from_end=True,
                replaces=True,
            ),
        }

    @property
    def _moves(self) -> Kind:
        return Kind("move", self._move, from_end=True, hands_over=True, replaces=True)

    async def _move(self) -> Strike:
        """Its node goes on. Others have it then, which is shared out by and by."""
        lookout = self._pair.lookout
        wing = self._chance.choice(sorted(lookout.owners))
        node, struck = lookout.owners[wing], monotonic()
        moving = self._meanwhile(self._drained(node.name, "--wing", str(wing)))
        if not await self._crowd.wait_until(
            lambda: wing not in lookout.owners or lookout.owners[wing].number != node.number, _PATIENCE
        ):
            self.wrong.append(f"move: {node.name} keeps wing {wing}")
        return Strike(struck, moving, wing=wing)

    async def _drain(self) -> Strike:
        """Those at gateways are told nothing. Once by a signal, and once by `gamut drain`."""
        node, struck = self._some_owner(), monotonic()
        self._drains += 1
        if self._drains % 2:
            node.signal(signal.SIGTERM)
            draining = self._meanwhile(self._stopped(node))
        else:
            # Of several nodes that are active, the one that is meant has to be named.
            draining = self._meanwhile(self._drained(*((node.name,) if self._pair.is_divided else ())))
        if not await self._crowd.wait_until(lambda: not self._pair.has_wing(node), _PATIENCE):
            self.wrong.append("drain: the node keeps the hall")
        return Strike(struck, draining, node)

    async def _handed_over(self, active: Node) -> None:
        """Nodes that are both tell their own people to come back, which a drain does not."""
        if active in self._gateways.gateways:
            active.signal(signal.SIGTERM)
            await self._stopped(active)
        else:
            await super()._handed_over(active)

    async def _stopped(self, node: Node) -> None:
        code = await node.ended(_ENDS_WITHIN)
        if code != 0:
            self.wrong.append(f"SIGTERM: exit code {code}")

    async def _kill_gateway(self) -> Strike:
        return self._end_gateway(signal.SIGKILL, "gateway kill", _KILLED)

    async def _stop_gateway(self) -> Strike:
        return self._end_gateway(signal.SIGTERM, "gateway stop", 0)

    def _end_gateway(self, how: signal.Signals, kind: str, code: int) -> Strike:
        node = self._chance.choice(self._gateways.only_gateways)
        struck = monotonic()
        node.signal(how)
        return Strike(struck, self._meanwhile(self.again(node, kind, code)), node)

    async def _restart_nats(self) -> Strike:
        away = self._chance.uniform(*_NATS_AWAY)
        return Strike(monotonic(), self._meanwhile(self._gateways.restart_nats(away)))

    async def _cut(self) -> Strike:
        """Connections are hung up on and refused, or nothing comes through any more and nobody is told."""
        node = self._chance.choice(self._gateways.gateways)
        seconds, silently = self._chance.uniform(*_CUT_FOR), self._chance.random() < 1 / 2
        cutting = self._gateways.cut(node, seconds, silently=silently)
        return Strike(monotonic(), self._meanwhile(cutting))

    def _until_settled(self) -> None:
        with self._database.connect() as connection:
            row = connection.execute(
                "SELECT extract(epoch FROM clock_timestamp() - max(started))::float FROM nodes"
            ).fetchone()
        assert row is not None
        sleep(max(0.0, _SETTLED - row[0]))

    async def _cut_owner(self) -> Strike:
        """By turns it is hung up on, and its words and those of others go nowhere. It hands over, and ends."""
        node, struck = self._some_owner(), monotonic()
        self._owner_cuts += 1
        self._gateways.begin_cut(node, silently=self._owner_cuts % 2 == 0)
        if not await self._crowd.wait_until(lambda: not self._pair.has_wing(node), _PATIENCE):
            self.wrong.append("owner cut: the node keeps the hall")
        return Strike(struck, self._meanwhile(self._ended_and_mended(node)), node)

    async def _ended_and_mended(self, node: Node) -> None:
        code = await node.ended(_ENDS_WITHIN)
        if code != 0:
            self.wrong.append(f"owner cut: exit code {code} (None: it goes on), {node.log.errors[-2:]}")
        self._gateways.end_cut(node)
