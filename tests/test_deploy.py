"""What the files in deploy/ and the guide for two machines name exists."""

import re
import shlex
from pathlib import Path

import pytest

from gamut import cli
from gamut.doors.registry import all_doors
from gamut.net.settings import all_settings

ROOT = Path(__file__).parents[1]
SETTINGS = {setting.name: setting for setting in all_settings(all_doors())}


def example() -> dict[str, str]:
    """The environment file, as systemd reads it."""
    lines = (ROOT / "deploy/gamut.env").read_text().splitlines()
    return dict(line.split("=", 1) for line in lines if line and not line.startswith("#"))


def guide() -> str:
    operations = (ROOT / "docs/operations.md").read_text()
    return operations.partition("\n## PostgreSQL, and a second machine\n")[2].partition("\n## ")[0]


def test_a_server_starts_with_the_example_of_an_environment_file() -> None:
    variables = {name.removeprefix("GAMUT_").lower() for name in example() if name.startswith("GAMUT_")}
    assert variables <= SETTINGS.keys()
    settings = cli.read_settings({}, example())
    assert settings.standby
    assert settings.store.startswith("postgresql://")
    assert settings.proxy_protocol


@pytest.mark.parametrize("document", ["deploy/README.md", "guide"])
def test_the_documents_name_settings_that_exist(document: str, capsys: pytest.CaptureFixture[str]) -> None:
    text = guide() if document == "guide" else (ROOT / document).read_text()
    named = re.findall(r"`(--[a-z-]+)|gamut serve (--[a-z-]+)|gamut drain (--[a-z-]+)", text)
    flags = {flag for found in named for flag in found if flag}
    assert flags
    known = ""
    for command in ("serve", "drain"):
        with pytest.raises(SystemExit):
            cli.main([command, "--help"])
        known += capsys.readouterr().out
    assert flags <= set(re.findall(r"--[a-z-]+", known))
    variables = re.findall(r"\bGAMUT_([A-Z_]+)", text)
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
