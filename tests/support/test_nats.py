"""What tests and benchmarks rely on where they use NATS."""

import signal
import socket
import subprocess
import sys
from pathlib import Path

import pytest
from tests.support.nats import Nats
from tests.support.postgres import is_running


def _greeting(nats: Nats) -> bytes:
    with socket.create_connection(("127.0.0.1", nats.port), timeout=10) as client:
        return client.recv(5)


def test_it_is_there_as_soon_as_it_is_started_and_comes_back_at_the_same_address() -> None:
    with Nats() as nats:
        url, folder = nats.url(), nats.folder
        assert _greeting(nats) == b"INFO "
        nats.restart()
        assert _greeting(nats) == b"INFO "
        nats.stop()
        with pytest.raises(ConnectionRefusedError):
            _greeting(nats)
        nats.start()
        assert _greeting(nats) == b"INFO "
        assert nats.url() == url
    assert not folder.exists()


def test_a_paused_one_ends_with_the_test() -> None:
    with Nats() as nats:
        pid = nats.pid
        with nats.paused():
            nats.close()
    assert not is_running(pid)


def test_nothing_is_left_when_the_tests_are_killed() -> None:
    start = (
        "import sys; from tests.support.nats import Nats; nats = Nats();"
        " print(nats.folder, nats.pid, flush=True); sys.stdin.read()"
    )
    with subprocess.Popen(
        [sys.executable, "-c", start], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True
    ) as tests:
        assert tests.stdout is not None
        folder, pid = tests.stdout.readline().split()
        assert Path(folder).is_dir()
        tests.send_signal(signal.SIGKILL)
        assert tests.stdout.read() == ""  # the watcher, which has this end of it, too, is done
    assert not Path(folder).exists()
    assert not is_running(int(pid))
