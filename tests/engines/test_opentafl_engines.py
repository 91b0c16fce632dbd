"""Programs that speak the OpenTafl Engine Protocol play seats; if they crash, hang or cheat, they have lost."""

import asyncio
import sys
from collections.abc import Callable
from pathlib import Path
from random import Random
from typing import Any

import pytest
from msgspec.structs import replace
from tests.hall.support.inmemory import House, PromptBots, make_hall

from gamut.engines.bots import EngineBots, with_engines
from gamut.engines.process import Engine
from gamut.engines.settings import EngineSettings
from gamut.games.budget import UNLIMITED, Budget
from gamut.games.game import AnyGame, Seat
from gamut.games.tafl.options import TaflOptions
from gamut.games.tafl.rules import Tafl
from gamut.games.tafl.state import TaflState
from gamut.hall.bots.processes import RESIGNS, Question
from gamut.hall.ids import PersonId
from gamut.hall.live.live_table import LiveTable
from gamut.hall.live.opening import Opening
from gamut.hall.table import commands as c

SCRIPT = Path(__file__).parent / "support" / "opentafl_engine.py"
TAFL = Tafl()
ANN = PersonId("ann")
LONG = 60.0
"""Seconds in which an engine surely answers."""


@pytest.fixture(autouse=True)
def patient(monkeypatch: pytest.MonkeyPatch) -> None:
    """A busy machine takes long to start a program."""
    monkeypatch.setattr("gamut.engines.process._HELLO", LONG)


def settings(*words: str, seconds: float = LONG, memory: int = 2048) -> EngineSettings:
    return EngineSettings(
        (sys.executable, str(SCRIPT), *words), "Tester", seconds, protocol="opentafl", memory=memory
    )


def begun(rules: str = "") -> TaflState:
    options = TAFL.checked(TaflOptions(variant="brandub", rules=rules))
    return TAFL.replay(TAFL.begin(options, 2, Random(1)))


def question(state: TaflState, budget: Budget = UNLIMITED) -> Question:
    assert state.turn is not None
    return Question(
        game=TAFL, state=state, seat=state.turn, level="engine:x", seed=7, budget=budget, owner="ann"
    )


async def answer(bots: EngineBots, asked: Question) -> Any:
    found: asyncio.Future[Any] = asyncio.get_running_loop().create_future()
    bots.think(asked, found.set_result)
    async with asyncio.timeout(LONG):
        return await found


def answers(
    described: EngineSettings, times: int = 1, budget: Budget = UNLIMITED
) -> tuple[list[Any], Engine]:
    """What an engine says to questions about the start of a game."""

    async def scene() -> tuple[list[Any], Engine]:
        bots = EngineBots(PromptBots(), {"tafl": {"x": described}})
        try:
            heard = [await answer(bots, question(begun(), budget)) for _ in range(times)]
            return heard, bots._engines["tafl", "engine:x"]
        finally:
            await bots.close()

    return asyncio.run(scene())


def test_one_process_plays_one_game_after_the_other() -> None:
    heard, asked = answers(settings("play"), 3)
    assert all(action in TAFL.legal(begun(), Seat(0)) for action in heard)
    assert asked.starts == 1


def test_an_engine_that_slips_once_is_asked_again() -> None:
    (action,), asked = answers(settings("slip"))
    assert action in TAFL.legal(begun(), Seat(0))
    assert asked.starts == 1


@pytest.mark.parametrize(("word", "starts"), [("cheat", 1), ("resign", 1), ("crash", 2), ("hungry", 2)])
def test_an_engine_that_cheats_gives_up_or_crashes_has_lost(word: str, starts: int) -> None:
    heard, asked = answers(settings(word))
    assert heard == [RESIGNS]
    assert asked.starts == starts, "one that has crashed is started anew once"


def test_an_engine_that_crashes_now_and_then_goes_on() -> None:
    heard, asked = answers(settings("play", "crash"), 2)
    assert all(action in TAFL.legal(begun(), Seat(0)) for action in heard)
    assert asked.starts == 2


@pytest.mark.parametrize("word", ["hang", "chat"])
@pytest.mark.parametrize("budget", [UNLIMITED, Budget(millis=3_600_000)], ids=["untimed", "timed"])
def test_an_engine_that_never_moves_is_ended_and_has_lost_with_and_without_a_clock(
    word: str, budget: Budget
) -> None:
    heard, asked = answers(settings(word, seconds=1.0), 1, budget)
    assert heard == [RESIGNS]
    assert asked._process is None


def test_an_engine_that_never_greets_has_not_started(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("gamut.engines.process._HELLO", 0.2)
    heard, asked = answers(settings("silent", seconds=0.2))
    assert heard == [RESIGNS]
    assert asked.starts == 2


def test_a_program_that_is_not_there_has_lost() -> None:
    heard, _ = answers(EngineSettings(("/no/such/program",), "Nobody", protocol="opentafl"))
    assert heard == [RESIGNS]


def test_an_engine_has_the_memory_it_was_given_and_no_more(tmp_path: Path) -> None:
    script = tmp_path / "limits.py"
    script.write_text(
        "import resource, sys\n"
        f"open({str(tmp_path / 'limit')!r}, 'w').write(str(resource.getrlimit(resource.RLIMIT_AS)))\n"
        "sys.stdin.readline()\n"
    )
    described = EngineSettings((sys.executable, str(script)), "Limits", protocol="opentafl", memory=300)
    answers(described)
    assert (tmp_path / "limit").read_text() == str((300 << 20, 300 << 20))


def test_an_engine_that_is_too_slow_for_its_clock_may_go_on_until_its_flag_falls() -> None:
    # The clock of the table decides; there is no second one here that would play for it.
    (action,), asked = answers(settings("play"), 1, Budget(millis=1))
    assert action in TAFL.legal(begun(), Seat(0))
    assert asked.starts == 1


def test_an_engine_ends_by_itself_when_it_is_told_goodbye() -> None:
    process: Any = None

    async def scene() -> None:
        nonlocal process
        bots = EngineBots(PromptBots(), {"tafl": {"x": settings("play")}})
        await answer(bots, question(begun()))
        process = bots._engines["tafl", "engine:x"]._process
        await bots.close()

    asyncio.run(scene())
    assert process.returncode == 0, "nobody had to kill it"


def test_where_an_engine_cannot_know_how_a_capture_began_our_bot_goes_on_with_it() -> None:
    async def scene() -> None:
        state = begun("dim:7 ks:w surf:n ber:m start:/7/t1Tt3/7/7/3K3/7/7/")
        move = next(move for move in TAFL.legal(state, Seat(0)) if (move.start, move.end) == (7, 8))
        for event in TAFL.decide(state, Seat(0), move, Random(0)):
            state = TAFL.evolve(state, event)
        assert state.berserk is not None
        bots = EngineBots(PromptBots(), {"tafl": {"x": settings("cheat")}})
        try:
            assert await answer(bots, question(state)) in TAFL.legal(state, Seat(0))
        finally:
            await bots.close()

    asyncio.run(scene())


# At a table


def _tafl() -> dict[str, AnyGame]:
    return {"tafl": Tafl()}


def at_a_table(described: EngineSettings) -> LiveTable:
    """Ann plays a game against an engine, as our bot would; the game as it is when it is over."""

    async def scene() -> LiveTable:
        engines = {"tafl": {"x": described}}
        bots, answered = EngineBots(PromptBots(), engines), asyncio.Event()
        chance = Random(5)

        class Noticed:
            def think(self, question: Question, done: Callable[[Any], None]) -> None:
                def noticed(action: Any) -> None:
                    done(action)
                    house.settle()
                    answered.set()

                bots.think(question, noticed)

        house: House = make_hall(bots=Noticed(), played=with_engines(_tafl, engines))
        live = house.open(Opening(game="tafl", seats=2, options={"variant": "brandub"}), "ann", "ann")
        house.do(live, c.SeatBot(ANN, "engine:x"))
        try:
            async with asyncio.timeout(LONG):
                while live.table.phase != "over":
                    if 0 in live.awaited:
                        action = TAFL.choose(live.whole.state, Seat(0), "casual", chance)
                        house.do(live, c.Act(ANN, action))
                    else:
                        await answered.wait()
                        answered.clear()
        finally:
            await bots.close()
        return live

    return asyncio.run(scene())


@pytest.mark.parametrize("words", [("play", "cheat"), ("play", "crash", "crash"), ("play", "play", "resign")])
def test_a_game_against_an_engine_that_fails_is_won(words: tuple[str, ...]) -> None:
    outcome = at_a_table(settings(*words)).table.outcome
    assert outcome is not None
    assert (outcome.winners, outcome.reason) == ((0,), "resigned")


def test_a_whole_game_between_our_bot_and_our_bot_as_an_engine() -> None:
    command = (sys.executable, "-m", "gamut", "engine", "run", "tafl", "--level", "sensible")
    outcome = at_a_table(replace(settings(), command=command)).table.outcome
    assert outcome is not None
    assert outcome.reason in ("escape", "king_captured", "repetition", "no_moves", "no_attackers"), (
        "nobody failed"
    )
