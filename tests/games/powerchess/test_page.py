"""The page folds the events of Power Chess as the rules do, and knows the same powers."""

import json
import re
from pathlib import Path

import msgspec
from tests.games.support.powerchess_page import FILE, SEEDS, recorded

from gamut.games.powerchess.powers import POWERS, RARITIES

_GAME = Path(__file__).parents[3] / "web" / "src" / "games" / "powerchess"
_WRITTEN = json.loads(FILE.read_text(encoding="utf-8"))


def test_what_the_page_is_tried_with_is_what_the_rules_say() -> None:
    now = msgspec.json.encode([recorded(seed) for seed in SEEDS])
    assert json.loads(now) == _WRITTEN, "write it anew with: python -m tests.games.support.powerchess_page"


def test_it_has_every_power_in_it() -> None:
    used = {event["power"] for game in _WRITTEN for event in game["events"] if event["type"] == "used"}
    assert used == {power for powers in POWERS for power in powers}
    assert any("saved" in event for game in _WRITTEN for event in game["events"]), "a net has saved somebody"


def test_the_page_knows_the_same_powers_of_each_rarity() -> None:
    table = re.search(r"POWERS = \{(.*?)\}", (_GAME / "rules.ts").read_text(), re.DOTALL)
    assert table is not None
    found = [re.findall(r'"(\w+)"', line) for line in table[1].strip().splitlines()]
    assert [tuple(names) for names in found] == list(POWERS)
    assert re.findall(r"(\w+): \[", table[1]) == list(RARITIES)
