"""What the page knows of Acquire without asking anybody: it folds the server's events, and has the same modes.

The page's own tests fold the events in `page.json` and compare what comes of them with the recorded positions. Here
it is checked that these are the events that the server tells, so that the page cannot keep to a format of yesterday.
After a change of the events the file is written anew with `python -m tests.games.acquire.test_page`.
"""

import re
from pathlib import Path
from typing import Any

import msgspec
from tests.games.support.acquire_tables import VECTORS, recorded

from gamut.games.acquire.board import CHAINS, LETTERS
from gamut.games.acquire.files.array import parsed
from gamut.games.acquire.files.playback import steps
from gamut.games.acquire.options import MODES
from gamut.games.acquire.rules import Acquire
from gamut.games.game import Seat

_FILE = VECTORS / "page.json"
_GAME = Path(__file__).parents[3] / "web" / "src" / "games" / "acquire"
_ALL = "all"
_TOLD = (
    ("singles_2-05", _ALL),
    ("singles_2-05", None),
    ("singles_2-05", 1),
    ("teams_2_vs_2-04", _ALL),
    ("teams_2_vs_2-04", 2),
)
"""Recorded games, and who is told of them: everything as after the end, a watcher, or a seat."""


def told(name: str, viewer: int | str | None) -> dict[str, Any]:
    acquire = Acquire()
    events = [step.event for step in steps(parsed(msgspec.json.encode(recorded(name)["review"])))]
    if not isinstance(viewer, str):
        seat = None if viewer is None else Seat(viewer)
        events = [seen for event in events if (seen := acquire.view(event, seat)) is not None]
    last = acquire.replay(events)
    return {"game": name, "viewer": viewer, "events": events, "last": last}


def written() -> bytes:
    return b"[\n" + b",\n".join(msgspec.json.encode(told(*each)) for each in _TOLD) + b"\n]\n"


def test_the_page_is_tested_with_what_the_server_tells() -> None:
    assert _FILE.read_bytes() == written()


def test_the_page_has_the_same_modes() -> None:
    found = re.findall(r"(\w+): \{ seats: (\d), teams: (\d) \}", (_GAME / "modes.ts").read_text())
    assert {name: (int(seats), int(teams)) for name, seats, teams in found} == {
        name: (mode.seats, mode.teams) for name, mode in MODES.items()
    }


def test_the_page_has_the_same_chains() -> None:
    source = (_GAME / "plan.ts").read_text()
    chains = re.search(r"CHAINS = \[(.*?)\]", source)
    assert chains is not None
    assert tuple(re.findall(r'"(\w+)"', chains[1])) == CHAINS
    assert f'LETTERS = "{LETTERS}"' in source


if __name__ == "__main__":
    _FILE.write_bytes(written())
