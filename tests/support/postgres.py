"""A real PostgreSQL, for tests and benchmarks: the programs of the `pgserver` wheel, whatever else is installed."""

import os
import pwd
import shutil
import signal
import socket
import stat
import subprocess
import time
from collections.abc import Mapping
from contextlib import suppress
from importlib.util import find_spec
from pathlib import Path
from secrets import token_hex
from tempfile import mkdtemp
from typing import Any, Self

import psycopg
from tests.support.watcher import Watcher

_PORTS_TRIED = 5
_SECONDS_TO_START = 60


class Postgres:
    """A PostgreSQL in a folder of its own, on a free port of 127.0.0.1.

    With `fsync` it is as durable as the disk; without, it survives every end of its own, but not the machine's.
    """

    def __init__(
        self,
        *,
        fsync: bool = False,
        page_checksums: bool = False,
        settings: Mapping[str, str] | None = None,
        standby_of: "Postgres | None" = None,
        port: int | None = None,
    ) -> None:
        self.folder = Path(mkdtemp(prefix="gamut-postgres-"))
        self._watcher = Watcher(self.folder)
        self._process: subprocess.Popen[bytes] | None = None
        try:
            self._as: dict[str, Any] = _somebody()
            if self._as:
                os.chown(self.folder, self._as["user"], self._as["group"])
            self._programs = _programs(self.folder if self._as else None)
            self.data = self.folder / "data"
            if standby_of is None:
                self.password = token_hex()
                self._make({"fsync": "on" if fsync else "off", **(settings or {})}, page_checksums)
            else:
                self.password = standby_of.password
                self._copy(standby_of)
            if port is None:
                self._start_somewhere()
            else:
                self.port = port
                self.start()
        except BaseException:
            self.close()
            raise

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def url(self, database: str = "postgres") -> str:
        return f"postgresql://gamut:{self.password}@127.0.0.1:{self.port}/{database}"

    def connect(self, database: str = "postgres") -> psycopg.Connection[tuple[Any, ...]]:
        return psycopg.connect(self.url(database), autocommit=True)

    @property
    def pid(self) -> int:
        assert self._process is not None
        return self._process.pid

    def start(self) -> None:
        """On the same port as before, with what is stored. Returns when it can be asked."""
        assert self._process is None
        with (self.folder / "log").open("ab") as log:
            self._process = subprocess.Popen(
                [self._programs / "postgres", "-D", self.data, "-p", str(self.port)],
                stdin=subprocess.DEVNULL,
                stdout=log,
                stderr=log,
                cwd=self.folder,
                env=_environment(),
                start_new_session=True,
                **self._as,
            )
        self._watcher.watch(self._process.pid)
        given_up = time.monotonic() + _SECONDS_TO_START
        while not self._is_ready(self._process.pid):
            if self._process.poll() is not None or time.monotonic() > given_up:
                self._end(signal.SIGKILL)
                raise RuntimeError(f"PostgreSQL did not start:\n{(self.folder / 'log').read_text()}")
            time.sleep(0.005)

    def stop(self, *, immediate: bool = False) -> None:
        """In good order or, immediately, as in a crash: the next start has to recover. Connections are ended."""
        self._end(signal.SIGQUIT if immediate else signal.SIGINT)

    def restart(self, *, immediate: bool = False) -> None:
        self.stop(immediate=immediate)
        self.start()

    def kill(self) -> None:
        """All its processes at once, with nothing said to anybody."""
        os.kill(self.pid, signal.SIGSTOP)
        children = _children(self.pid)
        for pid in children:
            with suppress(ProcessLookupError):
                os.kill(pid, signal.SIGKILL)
        self._end(signal.SIGKILL)
        # The next start is refused as long as one of them has the shared memory.
        while any(map(is_running, children)):
            time.sleep(0.005)

    def standby(self, port: int | None = None) -> "Postgres":
        """A copy of this one that follows it; from now on nothing is committed here that is not stored there."""
        standby = Postgres(standby_of=self, port=port)
        try:
            with self.connect() as connection:
                connection.execute(f"ALTER SYSTEM SET synchronous_standby_names = '{_STANDBY}'")
                connection.execute("SELECT pg_reload_conf()")
                while not connection.execute(
                    "SELECT 1 FROM pg_stat_replication WHERE application_name = %s AND sync_state = 'sync'",
                    [_STANDBY],
                ).fetchone():
                    time.sleep(0.005)
        except BaseException:
            standby.close()
            raise
        return standby

    def promote(self) -> None:
        """A standby becomes one that can be written to, and follows nobody any more."""
        self._run("pg_ctl", "promote", "-D", self.data)

    def close(self) -> None:
        if self._process is not None:
            self.stop(immediate=True)
        self._watcher.close()

    def _make(self, settings: dict[str, str], page_checksums: bool) -> None:
        password = self.folder / "password"
        password.write_text(self.password)
        all_settings = {
            "listen_addresses": "127.0.0.1",
            "unix_socket_directories": "",
            "scram_iterations": "1",  # connecting costs tests nothing
            **settings,
        }
        self._run(
            *("initdb", "--no-sync", "--no-instructions", "-D", self.data, "-U", "gamut", "-E", "UTF8"),
            *("--locale=C", "--auth=scram-sha-256", f"--pwfile={password}"),
            *(["--data-checksums"] if page_checksums else []),
            *(word for name, value in all_settings.items() for word in ("-c", f"{name}={value}")),
        )

    def _copy(self, primary: "Postgres") -> None:
        where = f"{primary.url('')}?application_name={_STANDBY}"
        self._run(
            *("pg_basebackup", "--no-sync", "--checkpoint=fast", "--wal-method=stream"),
            *("--write-recovery-conf", "-D", self.data, "-d", where),
        )

    def _run(self, program: str, *arguments: str | Path) -> None:
        done = subprocess.run(
            [self._programs / program, *arguments],
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            text=True,
            check=False,
            cwd=self.folder,
            env=_environment(),
            **self._as,
        )
        if done.returncode:
            raise RuntimeError(f"{program} failed:\n{done.stdout}")

    def _start_somewhere(self) -> None:
        for left in reversed(range(_PORTS_TRIED)):
            self.port = _free_port()
            try:
                self.start()
                break
            except RuntimeError:  # perhaps the port has been taken in the meantime
                if not left:
                    raise

    def _is_ready(self, pid: int) -> bool:
        try:
            lines = (self.data / "postmaster.pid").read_text().splitlines()
        except FileNotFoundError:
            return False
        # While it starts the file may be empty, or the one of the start before.
        return lines[:1] == [str(pid)] and lines[-1].strip() == "ready"

    def _end(self, how: signal.Signals) -> None:
        assert self._process is not None
        self._process.send_signal(how)
        self._process.wait()
        self._process = None
        self._watcher.watch(None)


_STANDBY = "standby"


def _somebody() -> dict[str, Any]:
    """PostgreSQL does not run as root."""
    if os.geteuid():
        return {}
    nobody = pwd.getpwnam("nobody")
    return {"user": nobody.pw_uid, "group": nobody.pw_gid, "extra_groups": []}


def _programs(folder: Path | None) -> Path:
    """Where they are; in a copy in this folder, if somebody else cannot enter where they are installed."""
    spec = find_spec("pgserver")
    if spec is None or not spec.submodule_search_locations:
        raise RuntimeError(
            "There is no PostgreSQL: the wheel pgserver is not installed, or not for this Python."
        )
    package = Path(spec.submodule_search_locations[0]).resolve()
    inside = Path("pginstall/bin")
    if folder is None or all(above.stat().st_mode & stat.S_IXOTH for above in (package, *package.parents)):
        return package / inside
    copy = folder / "programs" / package.name
    shutil.copytree(package / "pginstall", copy / "pginstall", symlinks=True)
    libraries = package.with_name("pgserver.libs")
    if libraries.is_dir():
        shutil.copytree(libraries, copy.with_name(libraries.name))
    return copy / inside


def _environment() -> dict[str, str]:
    """Without what says where another PostgreSQL is."""
    return {name: value for name, value in os.environ.items() if not name.startswith("PG")}


def _free_port() -> int:
    with socket.create_server(("127.0.0.1", 0)) as server:
        port: int = server.getsockname()[1]
        return port


def _children(pid: int) -> list[int]:
    """Each of PostgreSQL's processes is a child of the first."""
    return [int(child) for child in Path(f"/proc/{pid}/task/{pid}/children").read_text().split()]


def is_running(pid: int) -> bool:
    """Not if it has ended and only its parent has not noticed yet."""
    try:
        return Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[0] != "Z"
    except (FileNotFoundError, ProcessLookupError):
        return False
