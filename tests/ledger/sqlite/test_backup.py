"""`gamut backup`: a copy that is whole, private, and never in place of something else."""

import os
import sqlite3
import stat
from contextlib import closing
from pathlib import Path

import pytest
from sqlalchemy import text

from gamut.cli import main
from gamut.hall.store.storage import LedgerError
from gamut.ledger.people import SqlPeopleStore
from gamut.ledger.sqlite.backup import back_up
from gamut.ledger.sqlite.database import FILE, open_database


def mode(path: Path) -> int:
    return stat.S_IMODE(path.stat().st_mode)


@pytest.fixture
def data(tmp_path: Path) -> Path:
    folder = tmp_path / "data"
    database = open_database(folder)
    SqlPeopleStore(database.engine).secret()
    database.close()
    return folder


def secret_in(path: Path) -> str:
    with closing(sqlite3.connect(path)) as copy:
        return str(copy.execute("SELECT value FROM meta WHERE key = 'session_secret'").fetchone()[0])


def test_a_backup_is_made_while_the_server_writes_and_can_be_started_from(tmp_path: Path) -> None:
    folder, copy = tmp_path / "data", tmp_path / "again" / FILE
    copy.parent.mkdir()
    database = open_database(folder)
    secret = SqlPeopleStore(database.engine).secret()
    with database.engine.begin() as writing:
        writing.execute(text("INSERT INTO meta (key, value) VALUES ('half', 'done')"))
        back_up(folder, copy)
    with database.engine.begin() as writing:
        assert writing.execute(text("SELECT value FROM meta WHERE key = 'half'")).scalar() == "done"
    database.close()
    assert [file.name for file in copy.parent.iterdir()] == [FILE], "one file and nothing beside it"
    again = open_database(copy.parent)
    assert SqlPeopleStore(again.engine).secret() == secret
    with again.engine.begin() as reading:
        assert reading.execute(text("SELECT count(*) FROM meta WHERE key = 'half'")).scalar() == 0
    again.close()


def test_it_is_for_its_owner_alone_from_the_start(
    data: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    modes: list[int] = []
    connect = sqlite3.connect

    def watched(path: str | Path, **options: object) -> sqlite3.Connection:
        if path == tmp_path / "copy.db":
            modes.append(mode(tmp_path / "copy.db"))
        return connect(path, **options)  # type: ignore[call-overload, no-any-return]

    monkeypatch.setattr(sqlite3, "connect", watched)
    before = os.umask(0)
    try:
        back_up(data, tmp_path / "copy.db")
    finally:
        os.umask(before)
    assert modes == [0o600]
    assert mode(tmp_path / "copy.db") == 0o600


def test_nothing_is_ever_overwritten(data: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    there, link = tmp_path / "there", tmp_path / "link"
    there.write_text("mine")
    link.symlink_to(tmp_path / "elsewhere")
    for target in (there, link, tmp_path):
        assert main(["backup", str(target), "--data", str(data)]) == 1
        (line,) = capsys.readouterr().err.splitlines()
        assert line.startswith("gamut: There is already a file ")
    assert there.read_text() == "mine"
    assert not (tmp_path / "elsewhere").exists()


def test_what_cannot_be_copied_is_said_in_one_line_and_leaves_nothing(
    data: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    target = tmp_path / "copy.db"
    for folder, line in (
        (tmp_path / "nowhere", "There is no database "),
        (tmp_path / "rubbish", "could not be copied: file is not a database."),
    ):
        if "rubbish" in folder.name:
            folder.mkdir()
            (folder / FILE).write_bytes(b"rubbish" * 1000)
        assert main(["backup", str(target), "--data", str(folder)]) == 1
        (said,) = capsys.readouterr().err.splitlines()
        assert line in said
        assert not list(tmp_path.glob("copy.db*"))
    assert main(["backup", str(tmp_path / "no" / "copy.db"), "--data", str(data)]) == 1
    assert (
        capsys.readouterr().err
        == f"gamut: The file {tmp_path}/no/copy.db cannot be made: No such file or directory.\n"
    )
    assert not (tmp_path / "nowhere").exists(), "no new data folder either"


def test_a_damaged_database_is_noticed(data: Path, tmp_path: Path) -> None:
    with (data / FILE).open("r+b") as file:
        file.seek(4096)
        file.write(b"\xff" * 8192)
    with pytest.raises(LedgerError, match=r"damaged|malformed"):
        back_up(data, tmp_path / "copy.db")
    assert not list(tmp_path.glob("copy.db*"))


def test_the_folder_may_be_named_by_the_environment(
    data: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setenv("GAMUT_DATA", str(data))
    assert main(["backup", str(tmp_path / "copy.db")]) == 0
    assert capsys.readouterr().out == f"The data in {data} is now also in {tmp_path}/copy.db.\n"
    assert secret_in(tmp_path / "copy.db") == secret_in(data / FILE)


def test_a_data_folder_that_we_make_is_for_its_owner_alone(tmp_path: Path) -> None:
    before = os.umask(0)
    try:
        database = open_database(tmp_path / "data")
        SqlPeopleStore(database.engine).secret()
        assert mode(tmp_path / "data") == 0o700
        assert {mode(file) for file in (tmp_path / "data").iterdir()} == {0o600}
        database.close()
    finally:
        os.umask(before)
    (tmp_path / "shared").mkdir(0o755)
    open_database(tmp_path / "shared").close()
    assert mode(tmp_path / "shared") == 0o755, "whose it is may say who looks into it"
