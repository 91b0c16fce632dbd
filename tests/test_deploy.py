"""What the files in deploy/ and the guides for several machines name exists."""

import re
import shlex
import subprocess
import sysconfig
from pathlib import Path

import pytest

from gamut import cli
from gamut.cluster.nats_address import NatsAddress
from gamut.doors.registry import all_doors
from gamut.net.settings import all_settings

ROOT = Path(__file__).parents[1]
SETTINGS = {setting.name: setting for setting in all_settings(all_doors())}


def example(*files: str) -> dict[str, str]:
    """The environment file, or several, as systemd reads them."""
    found: dict[str, str] = {}
    for file in files or ("gamut.env",):
        lines = (ROOT / "deploy" / file).read_text().splitlines()
        found |= dict(line.split("=", 1) for line in lines if line and not line.startswith("#"))
    return found


def of_role(role: str) -> dict[str, str]:
    return example("cluster/cluster.env", f"cluster/{role}.env")


GUIDES = ("PostgreSQL, and a second machine", "A cluster: gateways in front of the hall")


def guide(title: str) -> str:
    operations = (ROOT / "docs/operations.md").read_text()
    return operations.partition(f"\n## {title}\n")[2].partition("\n## ")[0]


def test_a_server_starts_with_the_example_of_an_environment_file() -> None:
    variables = {name.removeprefix("GAMUT_").lower() for name in example() if name.startswith("GAMUT_")}
    assert variables <= SETTINGS.keys()
    settings = cli.read_settings({}, example())
    assert settings.standby
    assert settings.store.startswith("postgresql://")
    assert settings.proxy_protocol


@pytest.mark.parametrize("document", ["deploy/README.md", "deploy/cluster/README.md", *GUIDES])
def test_the_documents_name_settings_that_exist(document: str, capsys: pytest.CaptureFixture[str]) -> None:
    text = guide(document) if document in GUIDES else (ROOT / document).read_text()
    named = re.findall(r"`(--[a-z-]+)|gamut (?:serve|drain|nodes)[^`\n]* (--[a-z-]+)", text)
    flags = {flag for found in named for flag in found if flag}
    known = ""
    for command in ("serve", "drain", "nodes"):
        with pytest.raises(SystemExit):
            cli.main([command, "--help"])
        known += capsys.readouterr().out
    assert flags <= set(re.findall(r"--[a-z-]+", known))
    variables = re.findall(r"\bGAMUT_([A-Z_]+)", text)
    assert flags or variables
    assert {name.lower() for name in variables} <= SETTINGS.keys()


def test_the_unit_runs_a_command_that_exists_with_the_example() -> None:
    unit = (ROOT / "deploy/gamut.service").read_text()
    started = re.search("^ExecStart=(.*)$", unit, re.MULTILINE)
    assert started is not None
    assert shlex.split(started[1])[1:] == ["serve"]
    assert "EnvironmentFile=/etc/gamut/gamut.env\n" in unit


def test_the_proxy_leads_to_the_ports_of_the_example_and_names_variables_that_exist() -> None:
    configuration = (ROOT / "deploy/haproxy.cfg").read_text()
    settings = example()
    ports = {settings["GAMUT_PORT"], settings["GAMUT_TOWER_PORT"], settings["GAMUT_TAFL_PORT"]}
    assert set(re.findall(r"^ *server \w+ [\d.]+:(\d+)", configuration, re.MULTILINE)) == ports
    assert {name.lower() for name in re.findall(r"\bGAMUT_([A-Z_]+)", configuration)} <= SETTINGS.keys()


# A cluster


@pytest.mark.parametrize("role", ["owner", "gateway"])
def test_nodes_of_each_role_start_with_the_examples(role: str) -> None:
    variables = {name.removeprefix("GAMUT_").lower() for name in of_role(role) if name.startswith("GAMUT_")}
    assert variables <= SETTINGS.keys()
    settings = cli.read_settings({"role": role}, of_role(role))
    assert bool(settings.store) == (role == "owner")
    assert settings.proxy_protocol == (role == "gateway")
    assert settings.trusted_proxies


def test_the_unit_of_a_cluster_runs_a_command_that_exists_for_each_role() -> None:
    unit = (ROOT / "deploy/cluster/gamut@.service").read_text()
    started = re.search("^ExecStart=(.*)$", unit, re.MULTILINE)
    assert started is not None
    assert shlex.split(started[1])[1:] == ["serve", "--role", "%i"]
    assert re.findall("^EnvironmentFile=(.*)$", unit, re.MULTILINE) == [
        "/etc/gamut/cluster.env",
        "/etc/gamut/%i.env",
    ]


def test_the_proxy_of_a_cluster_leads_to_the_ports_of_the_examples() -> None:
    configuration = (ROOT / "deploy/cluster/haproxy.cfg").read_text()
    gateway, owner = of_role("gateway"), of_role("owner")
    ports = {gateway[f"GAMUT_{name}PORT"] for name in ("", "TOWER_", "TAFL_")} | {owner["GAMUT_PORT"]}
    assert set(re.findall(r"^ *server \w+ [\d.]+:(\d+)", configuration, re.MULTILINE)) == ports
    assert {name.lower() for name in re.findall(r"\bGAMUT_([A-Z_]+)", configuration)} <= SETTINGS.keys()


def test_nats_takes_its_example_and_lets_the_nodes_of_the_examples_speak() -> None:
    file = ROOT / "deploy/cluster/nats.conf"
    program = Path(sysconfig.get_path("scripts")) / "nats-server"
    assert subprocess.run([program, "-t", "-c", file], capture_output=True, check=False).returncode == 0
    address = NatsAddress.read(of_role("gateway")["GAMUT_CLUSTER"])
    configuration = file.read_text()
    assert f"port: {address.places[0].port}\n" in configuration
    assert f"user: {address.user}\n" in configuration
    assert f'password: "{address.password}"\n' in configuration
    assert configuration.count(f'"gamut.{address.name}.>"') == 2
