"""Recorded games that were written before are read, and the same game is written byte for byte as it was."""

from pathlib import Path

import pytest

from gamut.games.registry import all_games

FILES = Path(__file__).parents[1] / "vectors" / "files"
GAMES = all_games()


@pytest.mark.parametrize("name", [name for name, game in GAMES.items() if game.files is not None])
def test_a_recorded_game_is_the_same_in_json_as_ever(name: str) -> None:
    files = GAMES[name].files
    assert files is not None
    own = files.kinds[0].ending
    written, as_json = (FILES / f"{name}.{own}").read_bytes(), (FILES / f"{name}.json").read_bytes()
    (record,) = files.read(written)
    assert files.write(record, own) == written
    assert files.as_json(record) == as_json
    assert files.from_json(as_json) == record
