"""Tables are read in several threads at once, each of which meets the types of the games' options."""

import subprocess
import sys

import pytest

from gamut.games.registry import all_games

_READERS = """
import sys
from threading import Barrier, Thread

import msgspec

from gamut.games.registry import all_games
from gamut.hall.live.rebuilding import Rebuilding

games = all_games()
Rebuilding(None, games)
options = games[sys.argv[1]].options_type
together = Barrier(6)


def read():
    together.wait()
    for _ in range(50):
        msgspec.convert(msgspec.json.decode(sys.argv[2]), options)


sys.setswitchinterval(1e-6)
threads = [Thread(target=read) for _ in range(6)]
for thread in threads:
    thread.start()
for thread in threads:
    thread.join()
"""
_OPTIONS = {"topple": '{"x":5,"y":5}', "tafl": '{"variant":"brandub"}', "acquire": '{"mode":"singles_2"}'}


@pytest.mark.parametrize("game", sorted(all_games()))
def test_the_types_of_a_game_are_there_before_threads_use_them(game: str) -> None:
    """A process that meets one in several threads at once ends with a segmentation fault, mostly."""
    command = sys.executable, "-c", _READERS, game, _OPTIONS.get(game, "{}")
    for _ in range(3):
        done = subprocess.run(command, capture_output=True, text=True, check=False)
        assert (done.returncode, done.stderr) == (0, "")
