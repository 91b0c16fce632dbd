"""A node of a cluster that cannot be says why in one line."""

import asyncio
import sys
from pathlib import Path

import pytest
from tests.net.support.process import refused_start
from tests.support.nats import Nats

from gamut import cli
from gamut.cli import BadSetting, read_settings
from gamut.cluster.bus import BusError
from gamut.cluster.opening import open_bus
from gamut.hall.faults import Faults

STORE = "postgresql://gamut@db.example/gamut"
NATS = "nats://gamut:correct-horse@nats.example:4222/hall"


@pytest.mark.parametrize(
    ("variables", "said"),
    [
        (
            {"cluster": NATS},
            "--cluster: its nodes share a PostgreSQL database, and not a folder; say which one with --store.",
        ),
        (
            {"cluster": NATS, "role": "owner", "data": "/var/lib/gamut"},
            "--cluster: its nodes share a PostgreSQL database, and not a folder; say which one with --store.",
        ),
        (
            {"role": "gateway"},
            "--role: a node that is only a gateway needs others; name them with --cluster.",
        ),
        (
            {"role": "owner", "store": STORE},
            "--role: a node that is only an owner needs others; name them with --cluster.",
        ),
        (
            {"wings": "2", "store": STORE},
            "--wings: a hall in several wings needs a cluster; name its nodes with --cluster.",
        ),
    ],
)
def test_settings_that_do_not_go_together_are_told(variables: dict[str, str], said: str) -> None:
    with pytest.raises(BadSetting) as refused:
        read_settings({}, {f"GAMUT_{name.upper()}": value for name, value in variables.items()})
    assert str(refused.value) == said


@pytest.mark.parametrize(
    "variables",
    [
        {"cluster": NATS, "store": STORE},
        {"cluster": NATS, "store": STORE, "role": "owner", "standby": "true"},
        {"cluster": NATS, "role": "gateway"},
        {"cluster": NATS, "role": "gateway", "wings": "3"},
        {"cluster": NATS, "store": STORE, "role": "gateway"},
    ],
)
def test_nodes_of_every_role_can_be_set(variables: dict[str, str]) -> None:
    settings = read_settings({}, {f"GAMUT_{name.upper()}": value for name, value in variables.items()})
    assert settings.cluster == NATS
    assert settings.role == variables.get("role", "both")


def test_an_owner_leaves_the_ports_of_doors_to_a_gateway_on_the_same_machine() -> None:
    ports = {
        role: read_settings({"cluster": NATS, "store": STORE, "role": role, "port": "81"}, {}).ports
        for role in ("owner", "both", "gateway")
    }
    assert ports["owner"] == [81]
    assert ports["both"] == ports["gateway"]
    assert {81, 46467, 11541} <= set(ports["gateway"])


@pytest.mark.parametrize(
    "url",
    [
        "redis://gamut:correct-horse@nats.example",
        "nats.example:4222",
        "nats://gamut:correct-horse@nats.example:4222/two/names",
        "nats://gamut:correct@horse@nats.example",
        "nats://gamut:correct-horse@nats.example:eighty",
    ],
)
def test_a_bad_address_is_told_without_its_password(url: str) -> None:
    for flags, variables, source in (
        ({"cluster": url}, {}, "--cluster"),
        ({}, {"GAMUT_CLUSTER": url}, "GAMUT_CLUSTER"),
    ):
        with pytest.raises(BadSetting) as refused:
            read_settings(flags, {"GAMUT_STORE": STORE, **variables})
        said = str(refused.value)
        assert said.startswith(f"{source}: that will not do: ")
        assert "horse" not in said
        assert "\n" not in said


def test_an_unknown_role_is_told_with_those_that_there_are() -> None:
    with pytest.raises(BadSetting) as refused:
        read_settings({"role": "boss", "cluster": NATS, "store": STORE}, {})
    assert str(refused.value) == "--role: 'boss' will not do: it is one of both, owner, gateway."


def test_commands_that_start_no_node_do_not_ask_for_all_that_one_needs(tmp_path: Path) -> None:
    """An operator's shell may have some of a node's variables."""
    assert cli.given_settings({"data": str(tmp_path)}, {"GAMUT_CLUSTER": NATS}).data == tmp_path


def test_a_log_in_that_nats_refuses_is_told_in_one_line(tmp_path: Path) -> None:
    with Nats(locked=True) as nats:
        for role in ("both", "owner", "gateway"):
            code, said = refused_start(
                tmp_path, cluster=f"nats://gamut:wrong@127.0.0.1:{nats.port}/hall", role=role, store=STORE
            )
            assert (code, said) == (
                1,
                f"gamut: nats://127.0.0.1:{nats.port}/hall refuses this user or password.\n",
            )


def test_without_nats_py_a_node_says_what_to_install(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    for name in [*sys.modules]:
        if name == "nats" or name.startswith(("nats.", "gamut.cluster.nats_")):
            monkeypatch.delitem(sys.modules, name)
    monkeypatch.setitem(sys.modules, "nats", None)
    with pytest.raises(BusError) as missing:
        asyncio.run(open_bus(NATS, Faults()))
    assert str(missing.value) == (
        "A cluster needs nats-py, which is not installed: pip install 'gamut[cluster]'."
    )
