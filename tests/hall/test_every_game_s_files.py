"""One battery for every game that has files: what `gamut replay`, the HTTP addresses and the page rely on."""

from collections.abc import Sequence
from random import Random
from typing import Any

import msgspec
import pytest
from tests.games.support.parlour_files import games_with_parlour
from tests.hall.support.inmemory import House, make_hall

from gamut.games.files import JSON, AnyFiles, BadFile, TimeControl
from gamut.games.game import AnyGame, Seat
from gamut.hall.files.clocks import control_of, setting_of
from gamut.hall.files.recording import exported_at, file_of, suspended_file_of
from gamut.hall.files.resuming import opening_for, reseat_bots
from gamut.hall.files.viewing import viewed
from gamut.hall.ids import PersonId, Seq
from gamut.hall.live.live_table import LiveTable
from gamut.hall.live.opening import Opening
from gamut.hall.table import commands as c
from gamut.hall.table import events as e
from gamut.hall.table.clock import Bank, ClockSetting, NoClock, Overtime, PerTurn
from gamut.hall.table.evolve import replayed

GAMES: list[AnyGame] = [game for game in games_with_parlour().values() if game.files is not None]
every_game = pytest.mark.parametrize("game", GAMES, ids=lambda game: game.traits.name)
SERVER = bytes(range(16))
OPTIONS: dict[str, Any] = {
    "topple": {"x": 3, "y": 3},
    "parlour": {"hand": 3},
    "tafl": {"variant": "brandub"},
    "acquire": {"mode": "singles_2", "order": "exact"},
    "powerchess": {},
}


def files_of(game: AnyGame) -> AnyFiles:
    assert game.files is not None
    return game.files


def a_game(game: AnyGame, moves: int, seed: int = 1) -> tuple[House, LiveTable]:
    """A table at which two have played so many random moves, or to the end."""
    house = make_hall(played={game.traits.name: game}, seed=seed)
    chance = Random(seed)
    opening = Opening(
        game=game.traits.name, seats=2, options=OPTIONS[game.traits.name], clock=Bank(3_600_000)
    )
    live = house.open(opening, "Ann", "Ann", "Ben")
    for _ in range(moves):
        if live.table.phase == "over":
            break
        seat = game.awaited(live.whole.state)[0]
        house.advance(1_500)
        house.act(live, seat, chance.choice(game.legal(live.whole.state, seat)))
    return house, live


def replays(game: AnyGame) -> list[str]:
    return [kind.ending for kind in files_of(game).kinds if kind.name and kind.of == "finished"]


def turns_of(log: Sequence[Any]) -> list[tuple[Any, ...]]:
    return [(event.at, event.events) for event in log if type(event) in (e.Started, e.Played)]


@every_game
@pytest.mark.parametrize("seed", range(5))
def test_a_finished_game_is_the_same_after_its_file_was_read(game: AnyGame, seed: int) -> None:
    _, live = a_game(game, 500, seed)
    assert live.table.outcome is not None
    for ending in replays(game):
        file = file_of(live, ending, Seat(0), SERVER)
        assert file == file_of(live, ending, Seat(0), SERVER), "the same whenever it is asked for"
        found = viewed(game, file)
        assert found.outcome == live.table.outcome
        assert turns_of(found.log) == turns_of(live.visible(Seat(0), Seq(0)))
        table = replayed(game, found.log)
        assert table.phase == "over"
        assert table.options == live.table.options


@every_game
def test_every_form_of_a_file_holds_the_same_game(game: AnyGame) -> None:
    files = files_of(game)
    _, live = a_game(game, 500)
    for ending in replays(game):
        file = file_of(live, ending, Seat(0), SERVER)
        (record,) = files.load(file)
        text = files.save(record, JSON)
        assert files.recognises(file)
        assert files.recognises(text)
        assert list(files.load(text)) == [record]
        assert files.save(files.load(text)[0], ending) == file
        assert all(line.isprintable() for line in files.tell(record))
        steps = list(files.replay(record))
        assert msgspec.json.encode(files.shown(steps[-1].state))
        assert game.outcome(steps[-1].state) == live.table.outcome
        assert game.replay(step.event for step in steps) == steps[-1].state


@every_game
def test_the_files_of_one_game_are_not_taken_for_those_of_another(game: AnyGame) -> None:
    _, live = a_game(game, 500)
    for ending in replays(game):
        file = file_of(live, ending, None, SERVER)
        text = files_of(game).save(files_of(game).load(file)[0], JSON)
        for other in GAMES:
            if other is not game:
                assert not files_of(other).recognises(file)
                assert not files_of(other).recognises(text)


def test_no_two_games_share_an_ending() -> None:
    """The page knows by it where to send a file."""
    endings = [ending for game in GAMES for ending in {kind.ending for kind in files_of(game).kinds}]
    assert len(set(endings)) == len(endings)


@every_game
def test_whatever_is_damaged_is_refused_or_read_and_nothing_else_happens(game: AnyGame) -> None:
    files, chance = files_of(game), Random(5)
    _, live = a_game(game, 12)
    file = file_of(live, replays(game)[0], Seat(0), SERVER)
    for _ in range(300):
        bad = bytearray(file)
        bad[chance.randrange(len(bad))] = chance.randrange(256)
        cut = bytes(bad[: chance.randrange(len(bad) + 1)]) if chance.random() < 0.5 else bytes(bad)
        try:
            for record in files.load(cut):
                list(files.tell(record))
                list(files.replay(record))
        except BadFile:
            continue


@every_game
def test_a_suspended_game_goes_on_where_it_was_broken_off(game: AnyGame) -> None:
    files = files_of(game)
    kinds = [kind for kind in files.kinds if kind.of == "suspended"]
    if game.traits.hidden or not game.traits.suspends:
        assert not game.traits.suspends, "all that is hidden would be in the file"
        with pytest.raises(BadFile):
            files.resumption(b"")
        return
    house, live = a_game(game, 3)
    state = live.whole.state
    house.do(live, c.Close(PersonId("Ann")))
    at = exported_at(live)
    assert at is not None
    for kind in kinds:
        file = suspended_file_of(live, kind.ending, at, SERVER)
        assert len(file) <= files.longest_suspended
        saved = files.resumption(file)
        again = house.hall.open(opening_for(game.traits.name, saved), PersonId("Cyd"))
        reseat_bots(house.hall, again, PersonId("Cyd"), saved)
        assert again.table.private
        assert isinstance(again.table.clock_setting, Bank)
        times = zip(again.table.clock.times, live.table.clock.times, strict=True)
        assert all(0 <= now.main - then.main < 1_000 for now, then in times), "files may have whole seconds"
        for name in ("Cyd", "Dan"):
            house.sit(again, name)
        house.do(again, c.Start(PersonId("Cyd")))
        assert game.awaited(again.table.state) == game.awaited(state)
        found = viewed(game, file)
        assert found.suspended
        assert found.outcome is None
        last = found.log[-1]
        assert isinstance(last, e.Closed)
        assert last.why == "exported"


def names_in(game: AnyGame, live: LiveTable, ending: str) -> set[str]:
    """Which of these names anybody can read in the table's file of this kind."""
    suspended = exported_at(live)
    file = (
        file_of(live, ending, Seat(0), SERVER)
        if suspended is None
        else suspended_file_of(live, ending, suspended, SERVER)
    )
    read = file + b"".join(files_of(game).save(record, JSON) for record in files_of(game).load(file))
    return {name for name in ("Ann", "Beatrix", "Ben", "Zoe") if name.encode() in read}


@every_game
def test_no_file_has_a_name_that_was_given_up_before_the_game_ended(game: AnyGame) -> None:
    def rename(name: str) -> None:
        house.do(live, c.Rename(PersonId("Ann"), name, guest=True))

    ended = {"finished": c.Leave(PersonId("Ben")), "suspended": c.Close(PersonId("Ann"))}
    for ending, of in {(kind.ending, kind.of) for kind in files_of(game).kinds if kind.name}:
        if of == "suspended" and not game.traits.suspends:
            continue
        house, live = a_game(game, 3)
        rename("Beatrix")
        rename("Zoe")
        if of != "any":
            house.do(live, ended[of])
        assert names_in(game, live, ending) == {"Zoe", "Ben"}
        if live.table.phase == "over":
            rename("Beatrix")
            assert names_in(game, live, ending) == {"Zoe", "Ben"}, "what is over is as it was played"


def test_bots_sit_down_again_and_unknown_ones_are_replaced_by_the_weakest() -> None:
    game = next(game for game in GAMES if game.traits.suspends)
    house, live = a_game(game, 3)
    house.do(live, c.Close(PersonId("Ann")))
    at = exported_at(live)
    assert at is not None
    (kind,) = [kind for kind in files_of(game).kinds if kind.of == "suspended"]
    saved = files_of(game).resumption(suspended_file_of(live, kind.ending, at, SERVER))
    weakest, *_, strongest = (level.name for level in game.traits.levels)
    with_bots = msgspec.structs.replace(saved, bots=((Seat(0), strongest), (Seat(1), None)))
    again = house.hall.open(opening_for(game.traits.name, with_bots), PersonId("Cyd"))
    reseat_bots(house.hall, again, PersonId("Cyd"), with_bots)
    assert [getattr(holder, "level", None) for holder in again.table.seats] == [strongest, weakest]


CLOCKS: list[ClockSetting] = [
    NoClock(),
    PerTurn(30_000),
    Bank(60_000),
    Bank(60_000, 2_000, 250),
    Overtime(300_000, 30_000, 3),
    Overtime(0, 30_000, 1, 500),
]


@pytest.mark.parametrize("clock", CLOCKS, ids=repr)
def test_a_clock_is_the_same_after_it_was_in_a_file(clock: ClockSetting) -> None:
    control = control_of(clock)
    assert control is None or isinstance(control, TimeControl)
    assert setting_of(control) == clock
