"""The page draws the variants of Tafl before it has asked the server anything: it knows the same ones."""

import re
from pathlib import Path

from gamut.games.tafl.files.formats import TaflFiles
from gamut.games.tafl.variants import rules_by_name

_GAME = Path(__file__).parents[3] / "web" / "src" / "games" / "tafl"
_RULES = "dim:7 name:Brandub surf:n atkf:y ks:w cenh: cenhe: starti:/3t3/3t3/3T3/ttTKTtt/3T3/3t3/3t3/"


def test_the_page_has_the_same_variants() -> None:
    written = (_GAME / "variants.ts").read_text()
    found = dict(re.findall(r'(\w+):\s+"(dim:[^"]+)"', written))
    assert found == rules_by_name()


def test_the_page_has_a_title_for_each() -> None:
    titles = re.search(r"titles: \{(.*?)\}", (_GAME / "texts.ts").read_text(), re.DOTALL)
    assert titles is not None
    assert set(re.findall(r"(\w+): \"", titles[1])) == set(rules_by_name())


def game(*tags: str, moves: str = "1. d7-c7 c4-c2\n2. b4-b2 d4-c4\n") -> bytes:
    return "\n".join([*tags, f"[rules:{_RULES}]", "", moves]).encode()


def puzzle_of(file: bytes) -> tuple[int, int, bool] | None:
    (record,) = TaflFiles().read(file)
    puzzle = TaflFiles().played(record).puzzle
    return None if puzzle is None else (puzzle.shown, puzzle.start, puzzle.strict)


def test_a_puzzle_is_shown_from_one_position_and_asked_from_another() -> None:
    tags = ("[puzzle-mode:strict]", "[puzzle-prestart:1a]", "[puzzle-start:1b]")
    assert puzzle_of(game(*tags)) == (1, 2, True)
    assert puzzle_of(game("[puzzle-mode:loose]", "[puzzle-start:2a]")) == (0, 3, False)
    assert puzzle_of(game("[puzzle-mode:loose]", "[puzzle-prestart:0a]", "[puzzle-start:0a]")) == (
        0,
        0,
        False,
    )


def test_places_that_are_not_there_are_the_start() -> None:
    tags = ("[puzzle-mode:loose]", "[puzzle-prestart:9z]", "[puzzle-start:7a.1.1a]")
    assert puzzle_of(game(*tags)) == (0, 0, False)
    later = ("[puzzle-mode:loose]", "[puzzle-prestart:2a]", "[puzzle-start:1a]")
    assert puzzle_of(game(*later)) == (1, 1, False), "nothing is shown that comes after the question"


def test_other_games_are_no_puzzles() -> None:
    assert puzzle_of(game()) is None
    assert puzzle_of(game("[puzzle-mode:none]")) is None


def test_a_game_that_is_not_over_can_go_on() -> None:
    files = TaflFiles()
    (unfinished,) = files.read(game())
    assert files.played(unfinished).suspended is not None
    (over,) = files.read(game("[result:1]"))
    assert files.played(over).suspended is None
