"""Sees to it that nothing is left of a server that tests have started, even if nobody can tidy up any more."""

import subprocess
from pathlib import Path

# Ends what was started last and removes the folder as soon as the other end of its input is gone: also when the tests
# were killed and nobody else could.
_SCRIPT = """
while read -r line; do pid=$line; done
if [ -n "$pid" ] && kill -QUIT "$pid"; then
    kill -CONT "$pid"
    for i in 1 2 3 4 5 6 7 8 9 10; do kill -0 "$pid" || break; sleep 0.1; done
    kill -KILL "$pid"
fi 2>/dev/null
for i in 1 2 3 4 5 6 7 8 9 10; do rm -rf "$0" && break; sleep 0.1; done 2>/dev/null
"""


class Watcher:
    """A process of its own, which outlives the tests."""

    def __init__(self, folder: Path) -> None:
        self._process = subprocess.Popen(
            ["sh", "-c", _SCRIPT, str(folder)], stdin=subprocess.PIPE, start_new_session=True
        )

    def watch(self, pid: int | None) -> None:
        """This server from now on, or none."""
        assert self._process.stdin is not None
        self._process.stdin.write(f"{pid or ''}\n".encode())
        self._process.stdin.flush()

    def close(self) -> None:
        """Removes the folder, and ends what is still watched."""
        assert self._process.stdin is not None
        self._process.stdin.close()
        self._process.wait()
