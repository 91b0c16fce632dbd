"""Opening a data folder: durable, for one process, and with one clear line when it cannot be."""

import os
import sqlite3
import stat
import subprocess
import sys
from pathlib import Path

import pytest
from sqlalchemy import text

from gamut.hall.store.storage import LedgerError
from gamut.ledger.sqlite.database import FILE, open_database

TRY = """
import sys
from pathlib import Path
from gamut.hall.store.storage import LedgerError
from gamut.ledger.sqlite.database import open_database
try:
    open_database(Path(sys.argv[1])).close()
    print("opened")
except LedgerError as error:
    print(error)
"""


def refused(folder: Path) -> str:
    with pytest.raises(LedgerError) as failure:
        open_database(folder)
    line = str(failure.value)
    assert "\n" not in line
    return line


def elsewhere(folder: Path) -> str:
    """What another process finds."""
    done = subprocess.run(
        [sys.executable, "-c", TRY, str(folder)], capture_output=True, text=True, check=True
    )
    return done.stdout.strip()


def test_every_connection_is_as_durable_as_can_be(tmp_path: Path) -> None:
    database = open_database(tmp_path)
    connections = [database.engine.connect() for _ in range(8)]
    for connection in connections:
        settings = [
            connection.execute(text(f"PRAGMA {name}")).scalar()
            for name in ("journal_mode", "synchronous", "busy_timeout")
        ]
        assert settings == ["wal", 2, 10_000]
    for connection in connections:
        connection.close()
    database.close()


def test_a_folder_is_made_if_there_is_none(tmp_path: Path) -> None:
    database = open_database(tmp_path / "deep" / "down")
    database.close()
    assert (tmp_path / "deep" / "down" / FILE).exists()


def test_strange_characters_in_the_path_are_only_characters(tmp_path: Path) -> None:
    folder = tmp_path / "wh?t a #1 %20 földer"
    open_database(folder).close()
    assert (folder / FILE).exists()


def test_nobody_else_on_the_machine_can_read_what_is_stored(tmp_path: Path) -> None:
    before = os.umask(0o022)
    try:
        database = open_database(tmp_path)
        with database.engine.begin() as connection:
            connection.execute(text("INSERT INTO meta (key, value) VALUES ('session_secret', 'hush')"))
        files = {file.name: stat.S_IMODE(file.stat().st_mode) for file in tmp_path.iterdir()}
        database.close()
    finally:
        os.umask(before)
    assert {f"{FILE}-wal", FILE} <= set(files)
    assert {name: mode & 0o077 for name, mode in files.items() if mode & 0o077} == {}


def test_a_second_server_is_kept_out_and_may_come_when_the_first_has_gone(tmp_path: Path) -> None:
    database = open_database(tmp_path)
    assert refused(tmp_path) == f"Another Gamut is using the data folder {tmp_path}."
    assert elsewhere(tmp_path) == f"Another Gamut is using the data folder {tmp_path}."
    database.close()
    assert elsewhere(tmp_path) == "opened"


def test_a_server_that_was_killed_leaves_no_lock_behind(tmp_path: Path) -> None:
    killed = TRY.replace(".close()", "").replace('print("opened")', "import os; os.kill(os.getpid(), 9)")
    done = subprocess.run([sys.executable, "-c", killed, str(tmp_path)], check=False)
    assert done.returncode == -9
    open_database(tmp_path).close()


def test_a_folder_that_is_a_file(tmp_path: Path) -> None:
    folder = tmp_path / "data"
    folder.write_text("not a folder")
    assert refused(folder).startswith(f"The data folder {folder} cannot be used: ")


def test_a_folder_that_cannot_be_written() -> None:
    folder = Path("/proc")  # not even by root
    assert refused(folder).startswith(f"The data folder {folder} cannot be used: ")


def test_a_folder_that_cannot_exist() -> None:
    folder = Path("/dev/null/data")
    assert refused(folder).startswith(f"The data folder {folder} cannot be used: ")


def test_a_file_that_is_no_database_is_left_as_it_is(tmp_path: Path) -> None:
    content = b"Dear diary, today I played Tower." * 100
    (tmp_path / FILE).write_bytes(content)
    assert refused(tmp_path) == f"The database {tmp_path / FILE} cannot be opened: file is not a database."
    assert (tmp_path / FILE).read_bytes() == content
    (tmp_path / FILE).unlink()
    open_database(tmp_path).close()


def test_a_database_that_is_a_folder(tmp_path: Path) -> None:
    (tmp_path / FILE).mkdir()
    assert refused(tmp_path).startswith(f"The database {tmp_path / FILE} cannot be opened: ")


def test_a_database_cut_short_is_refused(tmp_path: Path) -> None:
    open_database(tmp_path).close()
    content = (tmp_path / FILE).read_bytes()
    (tmp_path / FILE).write_bytes(content[: len(content) // 2])
    refused(tmp_path)


def test_data_of_a_newer_gamut_is_refused_and_untouched(tmp_path: Path) -> None:
    open_database(tmp_path).close()
    with sqlite3.connect(tmp_path / FILE) as connection:
        connection.execute("UPDATE meta SET value = '999' WHERE key = 'schema_version'")
    connection.close()
    line = refused(tmp_path)
    assert "newer Gamut" in line
    assert "999" in line
    with sqlite3.connect(tmp_path / FILE) as connection:
        assert connection.execute("SELECT value FROM meta").fetchall() == [("999",)]
    connection.close()
