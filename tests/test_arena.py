"""The arena: a tiny tournament, its table, and what it refuses."""

import io
import re

import pytest
from tests.games.support.parlour import Parlour

from gamut.arena import (
    Bar,
    LineUp,
    chosen_line_up,
    chosen_options,
    every_pairing,
    interval,
    main,
    table,
    tournament,
)
from gamut.games.budget import Budget
from gamut.games.game import AnyGame
from gamut.games.registry import all_games

PARLOUR: AnyGame = Parlour()


class Terminal(io.StringIO):
    def isatty(self) -> bool:
        return True


def scores(line_ups: list[LineUp], seed: int, jobs: int = 1) -> list[tuple[str, str, int, int, int]]:
    results = tournament(line_ups, 12, seed, jobs, Bar(io.StringIO()))
    return [
        (str(line_up), level, record.games, record.wins, record.draws)
        for line_up, records in results.items()
        for level, record in records.items()
    ]


def test_a_tiny_tournament_prints_a_table(capsys: pytest.CaptureFixture[str]) -> None:
    for name, game in all_games().items():
        weakest = game.traits.levels[0].name
        assert main(["--game", name, "--games", "3", "--levels", weakest, "--jobs", "1"]) == 0
        printed = capsys.readouterr()
        heading, row, *_ = printed.out.splitlines()
        assert re.split(r"\s{2,}", heading)[:7] == [
            "game",
            "line-up",
            "level",
            "games",
            "wins",
            "draws",
            "win share",
        ]
        cells = re.split(r"\s{2,}", row)
        assert (cells[0], cells[2], cells[3]) == (name, weakest, "3")
        assert int(cells[4]) + int(cells[5]) == 3
        assert printed.err == "", "no progress bar where there is no terminal"


def test_the_same_seed_gives_the_same_results_with_any_number_of_jobs() -> None:
    line_ups = every_pairing(PARLOUR)
    assert scores(line_ups, seed=1) == scores(line_ups, seed=1) == scores(line_ups, seed=1, jobs=2)
    assert scores(line_ups, seed=1) != scores(line_ups, seed=2)


def test_hidden_information_is_played_from_the_seats_own_view() -> None:
    line_up = LineUp(PARLOUR, ("careful", "hasty", "hasty"))
    (_, _, games, careful, draws), (_, _, _, hasty, _) = scores([line_up], seed=3)
    assert games == 12
    assert careful + hasty + draws >= games, "every game has a winner or is a draw; a win may be shared"


def test_bots_take_the_steps_they_are_given_and_the_same_seed_gives_the_same_games() -> None:
    tower = all_games()["tower"]
    line_up = [LineUp(tower, ("strong", "sensible", "sensible"))]

    def played(nodes: int) -> list[tuple[int, int]]:
        results = tournament(line_up, 6, 1, 1, Bar(io.StringIO()), Budget(nodes=nodes))
        return [(record.wins, record.draws) for record in results[line_up[0]].values()]

    assert played(40) == played(40)
    assert main(["--game", "tower", "--games", "1", "--levels", "strong", "--nodes", "5", "--jobs", "1"]) == 0


def test_every_level_meets_each_weaker_one() -> None:
    for game in (*all_games().values(), PARLOUR):
        names = [level.name for level in game.traits.levels]
        pairings = every_pairing(game)
        assert len(pairings) == len(names) * (len(names) - 1) // 2
        for line_up in pairings:
            strong, *weak = line_up.levels
            assert len(line_up.levels) == min(game.seats_for(game.options_type()))
            assert all(names.index(level) < names.index(strong) for level in weak)


def test_a_game_is_played_with_the_options_that_are_asked_for() -> None:
    tafl = all_games()["tafl"]
    options = chosen_options(tafl, '{"variant":"brandub"}')
    line_up = chosen_line_up(tafl, ["casual"], options)
    assert line_up.options.variant == "brandub"
    assert [pairing.options for pairing in every_pairing(tafl, options)] == [options] * 3
    assert (
        main(["--game", "tafl", "--games", "1", "--levels", "casual", "--millis", "50", "--jobs", "1"]) == 0
    )


def test_the_last_level_named_takes_the_seats_that_are_left() -> None:
    assert chosen_line_up(PARLOUR, ["careful"]).levels == ("careful", "careful")
    assert chosen_line_up(PARLOUR, ["careful", "hasty"]).levels == ("careful", "hasty")
    assert chosen_line_up(PARLOUR, ["hasty", "hasty", "careful"]).levels == ("hasty", "hasty", "careful")


@pytest.mark.parametrize(
    ("levels", "problem"),
    [(["sleepy"], "no level 'sleepy'; it has hasty, careful"), (["hasty"] * 4, "played by 2 or 3")],
)
def test_an_impossible_line_up_is_explained(levels: list[str], problem: str) -> None:
    with pytest.raises(ValueError, match=problem):
        chosen_line_up(PARLOUR, levels)


@pytest.mark.parametrize(
    "argv",
    [
        ["--game", "ludo"],
        ["--games", "0"],
        ["--levels", "sleepy"],
        ["--options", "{}"],
        ["--game", "tafl", "--options", '{"variant":"chess"}'],
        ["--game", "tafl", "--options", '{"rules":"dim:7"}'],
        ["--millis", "0"],
    ],
)
def test_wrong_arguments_end_with_a_usage_message(
    argv: list[str], capsys: pytest.CaptureFixture[str]
) -> None:
    with pytest.raises(SystemExit) as ended:
        main(argv)
    assert ended.value.code == 2
    assert "usage: gamut arena" in capsys.readouterr().err


def test_the_table_is_aligned_and_shows_every_level() -> None:
    results = tournament(every_pairing(PARLOUR), 4, 1, 1, Bar(io.StringIO()))
    heading, *rows = table(results).splitlines()
    assert [row.split()[4] for row in rows] == ["careful", "hasty"]
    assert {len(row) for row in rows} == {len(heading)}


def test_the_bar_is_drawn_on_a_terminal_only() -> None:
    terminal, file = Terminal(), io.StringIO()
    for stream in (terminal, file):
        bar = Bar(stream)
        bar.show(1, 2)
        bar.show(2, 2)
    assert "1 of 2 games" in terminal.getvalue()
    assert terminal.getvalue().endswith("2 of 2 games\n")
    assert file.getvalue() == ""


def test_the_interval_holds_the_share_and_narrows_with_more_games() -> None:
    low, high = interval(8, 10)
    assert low < 0.8 < high
    lower, higher = interval(800, 1000)
    assert low < lower < 0.8 < higher < high
    assert interval(0, 10)[0] == 0.0
    assert interval(10, 10)[1] == pytest.approx(1.0)
