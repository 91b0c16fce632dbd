"""An operator sees who is there, and how they are; and nodes of other versions disturb nobody."""

import asyncio
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from threading import Event, Thread
from typing import Any

import msgspec
import pytest
from tests.cluster.support.by_hand import HandBus
from tests.cluster.support.town import town
from tests.net.support.process import Run, ServerProcess
from tests.support.nats import Nats

from gamut.cluster.messages import NODES, PROTOCOL, GatewayHere, OwnerHere, StandbyHere, encode
from gamut.cluster.nodes import Nodes, NodeSeen, table
from gamut.cluster.opening import open_bus
from gamut.cluster.owner import Owner
from gamut.cluster.rate import Rate
from gamut.hall.faults import Faults

OWNER = OwnerHere(3, "alpha", PROTOCOL, "a", "0.1.0", tables=12, sockets=340, moves=56.78, lease_age=0.123)
STANDBY = StandbyHere("b", "beta", "0.2.0")
GATEWAY = GatewayHere("g", "gate", PROTOCOL, "0.1.0", sockets=340, owner=3)


def heard(*said: Any) -> list[NodeSeen]:
    bus = HandBus()
    nodes = Nodes(bus.end())
    for who in said:
        bus.publish(NODES, who if isinstance(who, bytes) else encode(who))
    bus.deliver()
    return nodes.seen()


def test_nodes_stand_in_a_table_owners_first() -> None:
    lost = GatewayHere("h", "hatch", PROTOCOL, "0.1.0", sockets=2)
    assert table(heard(lost, GATEWAY, STANDBY, OWNER)).splitlines() == [
        "name   role     node  tables  sockets  moves/s  lease age  attached to  version",
        "alpha  owner       3      12      340     56.8     0.12 s               0.1.0",
        "beta   standby                                                          0.2.0",
        "gate   gateway                    340                      alpha        0.1.0",
        "hatch  gateway                      2                      nobody       0.1.0",
    ]


def test_an_owner_that_has_not_found_out_about_its_end_is_not_taken_for_the_owner() -> None:
    roles = [(node.node, node.role) for node in heard(OWNER, OwnerHere(4, "beta", PROTOCOL, "b"))]
    assert roles == [(4, "owner"), (3, "ended")]


def test_a_standby_that_becomes_the_owner_is_one_node() -> None:
    assert [node.role for node in heard(STANDBY, OwnerHere(4, "beta", PROTOCOL, "b"))] == ["owner"]


def test_nodes_of_older_and_newer_versions_are_shown_as_far_as_they_are_known() -> None:
    older = [
        msgspec.msgpack.encode({"type": "owner", "node": 1, "name": "old", "protocol": 1}),
        msgspec.msgpack.encode({"type": "gateway", "id": "o", "name": "older", "protocol": 1}),
    ]
    newer = msgspec.msgpack.encode({**msgspec.to_builtins(GATEWAY), "id": "n", "name": "new", "mood": "good"})
    unknown = msgspec.msgpack.encode({"type": "witness", "name": "somebody"})
    assert [node.name for node in heard(*older, newer, unknown, b"nonsense")] == ["old", "new", "older"]
    assert [node.version for node in heard(*older)] == [None, None]


def test_nodes_pass_over_what_newer_ones_say() -> None:
    with town() as place:
        place.open()
        player = place.player()
        for kind in ("owner", "gateway", "standby", "witness"):
            place.bus.publish(NODES, msgspec.msgpack.encode({"type": kind, "mood": "good"}))
        place.settle()
        assert place.gateways[0].is_open
        assert not player.closed


# A hall that has several wings


def owner(node: int, name: str, wing: int) -> OwnerHere:
    return OwnerHere(node, name, PROTOCOL, name, "0.1.0", wing=wing)


def gateway(wing: int, owner: int) -> GatewayHere:
    return GatewayHere(f"g-{wing}" if wing else "g", "gate", PROTOCOL, "0.1.0", 100, owner, wing=wing)


def test_of_several_wings_each_owner_has_a_line_and_each_process_that_is_a_gateway_or_stands_by() -> None:
    standbys = [StandbyHere(name, name, "0.1.0", wing) for name in ("beta", "delta") for wing in range(3)]
    owners = [owner(9, "gamma", 2), owner(5, "alpha", 1), owner(7, "gamma", 0)]
    nodes = heard(*owners, *standbys, gateway(2, 9), gateway(0, 7), gateway(1, 0))
    assert table(nodes).splitlines() == [
        "name   role     node  wing  tables  sockets  moves/s  lease age  attached to           version",
        "gamma  owner       7     0       0        0      0.0                                   0.1.0",
        "alpha  owner       5     1       0        0      0.0                                   0.1.0",
        "gamma  owner       9     2       0        0      0.0                                   0.1.0",
        "beta   standby                                                                         0.1.0",
        "delta  standby                                                                         0.1.0",
        "gate   gateway                          300                      gamma, nobody, gamma  0.1.0",
    ]
    assert [(node.attached_to, node.attached) for node in nodes if node.role == "gateway"] == [
        (7, [7, None, 9])
    ]


def test_an_owner_has_ended_when_there_is_a_later_one_of_the_same_wing() -> None:
    seen = heard(owner(3, "alpha", 0), owner(4, "beta", 1), owner(6, "beta", 0))
    assert [(node.node, node.wing, node.role) for node in seen] == [
        (6, 0, "owner"),
        (4, 1, "owner"),
        (3, 0, "ended"),
    ]


def test_two_processes_that_are_called_alike_and_stand_by_are_two() -> None:
    standbys = [StandbyHere(process, "beta", wing=wing) for process in "ab" for wing in range(2)]
    assert [(node.name, node.role) for node in heard(*standbys)] == [("beta", "standby")] * 2


def test_a_process_that_has_handed_over_a_wing_stands_by_for_it_again() -> None:
    seen = heard(owner(3, "alpha", 0), owner(4, "alpha", 1), StandbyHere("alpha", "alpha", wing=1))
    assert [(node.wing, node.role) for node in seen] == [(0, "owner"), (None, "standby")]


def test_a_gateway_of_which_one_wing_is_not_heard_is_attached_to_nobody_there() -> None:
    (node,) = heard(gateway(2, 9), gateway(0, 7))
    assert node.attached == [7, None, 9]


def test_wings_that_no_hall_has_are_passed_over() -> None:
    assert heard(gateway(10**9, 1), owner(3, "alpha", -1), StandbyHere("b", "beta", wing=1_000)) == []


def test_a_name_does_nothing_to_a_terminal() -> None:
    assert "\x1b" not in table(heard(StandbyHere("b", "\x1b[2Jbeta")))


def test_nodes_say_what_they_have() -> None:
    with town() as place:
        nodes = Nodes(place.bus.end())
        place.advance(0.3)
        assert [(node.role, node.attached_to) for node in nodes.seen()] == [("gateway", None)]
        place.open()
        ann = place.guest("Ann")
        opened = next(m for m in ann.ask("open", game="tower", bots=["casual", "casual"]) if "table" in m)
        place.advance(0.3)
        owner, gateway = nodes.seen()
        assert (owner.role, owner.node, owner.tables, owner.sockets) == ("owner", 1, 1, 1)
        assert owner.moves_per_second == 0
        assert (gateway.role, gateway.attached_to, gateway.sockets) == ("gateway", 1, 1)
        ann.ask("act", table=opened["table"], action={"type": "place", "tile": 0})
        place.advance(0.3)
        assert (nodes.seen()[0].moves_per_second or 0) > 0
        place.kill()
        place.advance(3.0)
        assert nodes.seen()[1].attached_to is None, "its link is broken"


def test_a_node_stands_by_until_it_is_the_owner_and_says_so_at_once() -> None:
    with town() as place:
        node = place.open()
        place.kill()
        nodes = Nodes(place.bus.end())
        end = place.bus.end()
        owner = Owner("beta", end, place.pulse, 1_000_000)
        owner.stand_by()
        place.settle()
        assert [node.role for node in nodes.seen()] == ["standby"]
        owner.begin(node.number + 1, lease_age=lambda: 0.5)
        place.settle()
        seen = nodes.seen()[0]
        assert (seen.role, seen.name, seen.lease_age_seconds) == ("owner", "beta", 0.5)
        owner.end()


def test_a_rate_is_of_the_last_reads_only() -> None:
    rate = Rate(reads=3)
    assert rate.of(100, now=10.0) == 0
    assert rate.of(105, now=10.5) == 10
    assert rate.of(105, now=11.0) == 5
    assert rate.of(105, now=11.5) == 0


# The command


@contextmanager
def announced(url: str, *said: Any) -> Iterator[None]:
    """As nodes do it: again and again."""
    begun, done = Event(), Event()

    async def announce() -> None:
        bus = await open_bus(url, Faults())
        while not done.is_set():
            for who in said:
                bus.publish(NODES, encode(who))
            begun.set()
            await asyncio.sleep(0.05)
        await bus.close()

    thread = Thread(target=asyncio.run, args=(announce(),))
    thread.start()
    try:
        assert begun.wait(20)
        yield
    finally:
        done.set()
        thread.join()


def test_the_nodes_of_a_cluster_are_printed_and_not_those_of_another(nats: Nats) -> None:
    with announced(nats.url("here"), OWNER, GATEWAY), announced(nats.url("there"), STANDBY):
        code, said, error = Run("nodes", "--cluster", nats.url("here")).ended()
    assert (code, error) == (0, "")
    assert [line.split()[:2] for line in said.splitlines()] == [
        ["name", "role"],
        ["alpha", "owner"],
        ["gate", "gateway"],
    ]


def test_programs_get_json(nats: Nats) -> None:
    with announced(nats.url("json"), OWNER, GATEWAY):
        code, said, error = Run("nodes", "--json", cluster=nats.url("json")).ended()
    assert (code, error) == (0, "")
    nothing = dict.fromkeys(NodeSeen.__struct_fields__)
    attached = {"attached_to": 3, "attached": [3]}
    assert msgspec.json.decode(said) == [
        nothing
        | {"name": "alpha", "role": "owner", "node": 3, "tables": 12, "sockets": 340, "version": "0.1.0"}
        | {"wing": 0, "moves_per_second": 56.8, "lease_age_seconds": 0.12},
        nothing | {"name": "gate", "role": "gateway", "sockets": 340, **attached, "version": "0.1.0"},
    ]


def test_nobody_there_is_an_error(nats: Nats) -> None:
    code, said, error = Run("nodes", cluster=nats.url("deserted")).ended()
    assert (code, said) == (1, "")
    assert error == f"gamut: No node of the cluster nats://127.0.0.1:{nats.port}/deserted is there.\n"
    assert Run("nodes", "--json", cluster=nats.url("deserted")).ended()[:2] == (1, "[]\n")


def test_without_nats_there_is_one_line() -> None:
    with Nats(locked=True) as own:
        url, wrong = own.url(), f"nats://gamut:wrong-password@127.0.0.1:{own.port}"
        code, error = Run("nodes", cluster=wrong).refused()
        assert (code, error) == (
            1,
            f"gamut: nats://127.0.0.1:{own.port}/gamut refuses this user or password.\n",
        )
        own.kill()
        code, error = Run("nodes", cluster=url).refused()
        assert (code, error) == (1, f"gamut: NATS does not answer at nats://127.0.0.1:{own.port}/gamut.\n")
        own.start()
        with own.paused():
            assert Run("nodes", cluster=url).refused() == (code, error)


def test_without_an_address_there_is_one_line() -> None:
    code, error = Run("nodes").refused()
    assert (code, error) == (1, "gamut: --cluster: say over which NATS the nodes speak.\n")


# Real nodes


def test_real_nodes_are_seen_and_drained_by_their_names(
    tmp_path: Path, nats: Nats, new_database: Callable[[], str]
) -> None:
    shared: dict[str, Any] = {"cluster": nats.url("real"), "store": new_database()}

    def process(name: str, role: str) -> ServerProcess:
        return ServerProcess(tmp_path / name, node_name=name, role=role, **shared)

    def until(wanted: Callable[[list[NodeSeen]], bool]) -> list[NodeSeen]:
        for _ in range(30):
            _, said, _ = Run("nodes", "--json", **shared).ended()
            seen = msgspec.json.decode(said, type=list[NodeSeen])
            if wanted(seen):
                return seen
        raise AssertionError(seen)

    def drained(*arguments: str) -> tuple[int, str, str]:
        return Run("drain", *arguments, **shared).ended()

    with process("alpha", "owner") as alpha, process("gate", "gateway"):
        owner, gateway = until(lambda seen: len(seen) == 2 and seen[1].attached_to is not None)
        assert (owner.name, owner.role, owner.tables, gateway.name) == ("alpha", "owner", 0, "gate")
        assert gateway.attached_to == owner.node
        assert (owner.lease_age_seconds or 0) < 60
        with process("beta", "both"):
            until(
                lambda seen: (
                    sorted(node.role for node in seen if node.name == "beta") == ["gateway", "standby"]
                )
            )
            code, _, error = drained("beta")
            assert code == 1
            assert "beta is not active in the store" in error
            assert "node 1 (alpha) is. A standby or a gateway is stopped with SIGTERM." in error
            code, said, error = drained("alpha")
            assert (code, error) == (0, "")
            assert said.startswith("Node 1 (alpha) has handed over to beta in ")
            assert alpha.wait() == 0
            seen = until(lambda seen: all(node.attached_to == 2 for node in seen if node.role == "gateway"))
            assert [(node.name, node.role) for node in seen] == [
                ("beta", "owner"),
                ("beta", "gateway"),
                ("gate", "gateway"),
            ]


@pytest.mark.parametrize("role", ["both", "owner", "gateway"])
def test_a_password_for_nats_is_nowhere_in_the_log(
    tmp_path: Path, role: str, new_database: Callable[[], str]
) -> None:
    with Nats(locked=True) as own:
        server = ServerProcess(
            tmp_path / "data",
            cluster=own.url(),
            store="" if role == "gateway" else new_database(),
            role=role,
            log_level="debug",
        )
        with server:
            own.kill()
            before, own.password = own.password, "another"
            own.start()
            while b"NATS refuses the log-in" not in server.logged:
                assert server.running
            own.kill()
            assert server.stop() == 0
            assert before is not None
            assert before.encode() not in server.logged
            assert before not in server.line
