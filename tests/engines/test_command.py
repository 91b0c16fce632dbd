"""`gamut engine`: engines are added, listed and removed, and what will not do is explained."""

import sys
from pathlib import Path

import pytest
from tests.net.support.clients import Callers, call
from tests.net.support.process import ServerProcess

from gamut.engines import command
from gamut.engines.settings import EngineSettings, read_stored


def commanded(tmp_path: Path, *words: str) -> int:
    return command.main([*words], lambda data: Path(data) if data else tmp_path)


def test_engines_are_added_listed_and_removed(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert commanded(tmp_path, "list") == 0
    assert commanded(tmp_path, "add", "--seconds", "3", "--memory", "512", "huginn", "sh", "-c", "x y") == 0
    assert commanded(tmp_path, "add", "--game", "tower", "--title", "Clever", "muninn", "cat --fast") == 0
    assert read_stored(tmp_path) == {
        "tafl": {
            "huginn": EngineSettings(("sh", "-c", "x y"), "Huginn", 3.0, protocol="opentafl", memory=512)
        },
        "tower": {"muninn": EngineSettings(("cat", "--fast"), "Clever", protocol="json")},
    }
    capsys.readouterr()
    assert commanded(tmp_path, "list") == 0
    first, second = capsys.readouterr().out.splitlines()
    assert first == "huginn: Huginn, for tafl, opentafl, 3 s, 512 MB: sh -c 'x y'"
    assert second.startswith("muninn: Clever, for tower, json, 5 s, 2048 MB: ")
    assert commanded(tmp_path, "remove", "huginn") == 0
    assert list(read_stored(tmp_path)) == ["tower"]


@pytest.mark.parametrize(
    ("words", "why"),
    [
        (("add", "Big Name", "cat"), "that will not do"),
        (("add", "x"), "which program"),
        (("add", "--seconds", "0", "x", "cat"), "that will not do"),
        (("add", "--memory", "1", "x", "cat"), "that will not do"),
        (("add", "--protocol", "klingon", "x", "cat"), "there is opentafl, json"),
        (("add", "x", "/no/such/engine.ini"), "No such file"),
        (("add", "x", "/no/such/program"), "there is no program /no/such/program that can be run"),
        (("add", "x", "no-such-program", "--fast"), "there is no program no-such-program"),
        (("add", "known", "cat"), "already"),
        (("remove", "nobody"), "there is no engine nobody"),
    ],
)
def test_what_will_not_do_is_explained_and_nothing_is_stored(
    words: tuple[str, ...], why: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    commanded(tmp_path, "add", "known", "cat")
    before = read_stored(tmp_path)
    assert commanded(tmp_path, *words) == 1
    assert why in capsys.readouterr().err
    assert read_stored(tmp_path) == before


def test_a_file_that_describes_an_engine_is_understood(tmp_path: Path) -> None:
    (tmp_path / "hn").mkdir()
    (tmp_path / "hn" / "hn.jar").touch()
    (tmp_path / "hn.ini").write_text(
        "[engine]\ndirectory=hn\nfilename=hn.jar\ncommand=java\narguments=-jar hn.jar --engine\nname=Hn 1%\n"
    )
    assert commanded(tmp_path, "add", "hn", str(tmp_path / "hn.ini")) == 0
    assert read_stored(tmp_path)["tafl"]["hn"] == EngineSettings(
        ("java", "-jar", "hn.jar", "--engine"), "Hn 1%", protocol="opentafl", directory=str(tmp_path / "hn")
    )
    (tmp_path / "hn" / "hn.jar").unlink()
    assert commanded(tmp_path, "add", "again", str(tmp_path / "hn.ini")) == 1


def test_an_added_engine_plays_at_the_server(tmp_path: Path) -> None:
    data = tmp_path / "data"
    ours = [sys.executable, "-m", "gamut", "engine", "run", "tafl", "--level", "casual"]
    assert commanded(data, "add", "--seconds", "60", "ours", *ours) == 0

    async def story(callers: Callers) -> None:
        anna = await callers.web("Anna")
        async with callers.http.get("/api/games") as response:
            tafl = next(game for game in await response.json() if game["name"] == "tafl")
        assert tafl["levels"][-1] == {"name": "engine:ours", "title": "Ours"}
        table = (await anna.sure("open", game="tafl", options={"variant": "brandub"}, bots=["engine:ours"]))[
            "table"
        ]
        await anna.sure("act", table=table, action={"type": "move", "start": 3, "end": 1})
        while True:
            message = await anna.until("events", table=table)
            if any(event["type"] == "played" and event["seat"] == 1 for event in message["events"]):
                break

    with ServerProcess(data, bot_delay=0) as server:
        call(server.url, story)
        assert server.stop() == 0
        assert not [line for line in server.log() if line["level"] in ("error", "critical")]
