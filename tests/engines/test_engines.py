"""A seat may be played by a program of the operator's; whatever that does, no table waits for it for ever."""

import asyncio
import sys
from collections.abc import Awaitable, Callable
from pathlib import Path
from random import Random
from typing import Any

import msgspec
import pytest
import uvloop
from tests.games.support.parlour import Lay, Parlour
from tests.hall.bots.test_bots import no_more_files
from tests.hall.support.inmemory import House, PromptBots, make_hall
from tests.net.support.clients import Callers, call
from tests.net.support.process import ServerProcess

from gamut.engines.bots import EngineBots, with_engines
from gamut.engines.conversation import EngineFailed
from gamut.engines.json_lines import JsonTalk
from gamut.engines.settings import EngineSettings, read_engines
from gamut.games.budget import UNLIMITED, Budget
from gamut.games.game import AnyGame, Level, Seat
from gamut.hall.bots.processes import RESIGNS, Question
from gamut.hall.ids import PersonId
from gamut.hall.live.live_table import LiveTable
from gamut.hall.live.opening import Opening
from gamut.hall.table import commands as c

SCRIPT = Path(__file__).parent / "support" / "json_engine.py"
PARLOUR = Parlour()
ANN = PersonId("ann")
LONG = 60.0
"""Seconds in which an engine surely answers."""


def engine(*words: str, seconds: float = LONG) -> EngineSettings:
    return EngineSettings((sys.executable, str(SCRIPT), *words), "Tester", seconds)


def question(budget: Budget = UNLIMITED, owner: str = "ann") -> Question:
    events = PARLOUR.begin(PARLOUR.options_type(), 2, Random(1))
    seen = PARLOUR.replay(event for event in (PARLOUR.view(e, Seat(1)) for e in events) if event is not None)
    return Question(
        game=PARLOUR, state=seen, seat=Seat(1), level="engine:x", seed=7, budget=budget, owner=owner
    )


async def with_engine(settings: EngineSettings, scene: Callable[[EngineBots], Awaitable[None]]) -> None:
    bots = EngineBots(PromptBots(), {"parlour": {"x": settings}})
    try:
        await scene(bots)
    finally:
        await bots.close()


async def answer(bots: EngineBots, asking: Question | None = None) -> Any:
    found: asyncio.Future[Any] = asyncio.get_running_loop().create_future()
    bots.think(question() if asking is None else asking, found.set_result)
    return await found


def answers(settings: EngineSettings, times: int = 1) -> tuple[list[Any], int]:
    """What it says to so many questions, and how often it was started for that."""
    heard: list[Any] = []
    starts = 0

    async def scene(bots: EngineBots) -> None:
        nonlocal starts
        heard.extend([await answer(bots) for _ in range(times)])
        starts = bots._engines["parlour", "engine:x"].starts

    asyncio.run(with_engine(settings, scene))
    return heard, starts


def test_an_engine_is_asked_with_what_its_seat_knows_and_may_do() -> None:
    asking = question()
    asked = JsonTalk(PARLOUR).ask(asking.state, asking.seat, asking.seed, 1500)
    line = msgspec.json.decode(asked)
    assert (line["id"], line["game"], line["seat"], line["seed"], line["millis"]) == (
        1,
        "parlour",
        1,
        7,
        1500,
    )
    mine, other = line["state"]["hands"][1], line["state"]["hands"][0]
    assert all(mine)
    assert not any(other), "the cards of the other seat are not for it"
    assert line["legal"] == [{"type": "lay", "card": card} for card in mine]
    assert asked.count(b"\n") == 1


def test_one_process_answers_one_question_after_the_other() -> None:
    heard, starts = answers(engine("first"), 3)
    assert heard == [Lay(min(question().state.hands[1]))] * 3
    assert starts == 1


def test_an_engine_may_resign() -> None:
    assert answers(engine("resign")) == ([RESIGNS], 1)


@pytest.mark.parametrize("word", ["error", "wrong", "odd"])
def test_an_answer_that_cannot_be_used_is_a_failure_and_the_engine_stays(word: str) -> None:
    (failed, fine), starts = answers(engine(word, "first"), 2)
    assert isinstance(failed, EngineFailed)
    assert isinstance(fine, Lay)
    assert starts == 1


def test_a_question_that_fails_by_a_fault_of_ours_does_not_silence_the_engine(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    ask, asked = JsonTalk.ask, 0

    def fails_once(talk: JsonTalk, *question: Any) -> bytes:
        nonlocal asked
        asked += 1
        if asked == 1:
            raise LookupError
        return ask(talk, *question)

    monkeypatch.setattr(JsonTalk, "ask", fails_once)
    (failed, fine), starts = answers(engine("first"), 2)
    assert isinstance(failed, LookupError)
    assert isinstance(fine, Lay)
    assert starts == 2


def test_an_engine_that_could_not_be_started_is_started_when_it_is_asked_next() -> None:
    heard: list[Any] = []

    async def scene(bots: EngineBots) -> None:
        with no_more_files():
            heard.append(await answer(bots))
        heard.append(await answer(bots))

    asyncio.run(with_engine(engine("first"), scene))
    failed, fine = heard
    assert isinstance(failed, EngineFailed)
    assert isinstance(fine, Lay)


def test_an_answer_to_an_earlier_question_is_passed_over() -> None:
    heard, starts = answers(engine("first", "late"), 2)
    assert all(isinstance(action, Lay) for action in heard)
    assert starts == 1


def test_an_engine_that_crashed_is_started_anew_and_asked_again_but_not_for_ever() -> None:
    heard, starts = answers(engine("crash"), 4)
    assert all(isinstance(failed, EngineFailed) for failed in heard)
    assert starts == 3, "then nobody waits for it any more"


def test_a_question_that_we_cannot_ask_keeps_nobody_from_asking_the_next(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    real, failing = JsonTalk.ask, [True]

    def ask(self: JsonTalk, *about: Any) -> bytes:
        if failing:
            failing.clear()
            raise KeyError
        return real(self, *about)

    monkeypatch.setattr(JsonTalk, "ask", ask)
    heard, _ = answers(engine("first"), 2)
    assert isinstance(heard[0], KeyError)
    assert isinstance(heard[1], Lay)


def test_an_engine_that_is_gone_when_it_is_asked_next_is_started_anew() -> None:
    heard: list[Any] = []

    async def scene(bots: EngineBots) -> None:
        process: Any = None
        for _ in range(3):
            heard.append(await answer(bots))
            process = bots._engines["parlour", "engine:x"]._process
            assert process is not None
            await process.wait()
            while not process.stdin.transport.is_closing():  # noqa: ASYNC110 - nobody tells when it is
                await asyncio.sleep(0)

    # The server's own event loop: of a pipe that is shut it says something else than that of the standard library.
    uvloop.run(with_engine(engine("leave"), scene))
    assert all(isinstance(action, Lay) for action in heard)
    assert len(heard) == 3


def test_an_engine_that_crashes_now_and_then_goes_on() -> None:
    (first, second), starts = answers(engine("first", "crash"), 2)
    assert isinstance(first, Lay)
    assert isinstance(second, Lay), "the new one is asked what the old one could not answer"
    assert starts == 2


def test_an_engine_that_hangs_is_ended_and_the_next_question_is_for_a_new_one() -> None:
    (slow, again), starts = answers(engine("hang", seconds=0.3), 2)
    assert isinstance(slow, EngineFailed)
    assert isinstance(again, EngineFailed)
    assert starts == 2


def test_an_engine_that_is_too_slow_for_a_short_clock_is_left_to_think() -> None:
    async def scene(bots: EngineBots) -> None:
        await answer(bots)
        assert isinstance(await answer(bots, question(Budget(millis=1))), EngineFailed)
        assert isinstance(await answer(bots), Lay)
        assert bots._engines["parlour", "engine:x"].starts == 1

    asyncio.run(with_engine(engine("first", "hang", "first"), scene))


def test_a_line_without_an_end_is_a_crash() -> None:
    (failed,), starts = answers(engine("endless"))
    assert isinstance(failed, EngineFailed)
    assert starts == 2


def test_a_program_that_is_not_there_is_a_failure() -> None:
    (failed,), _ = answers(EngineSettings(("/no/such/program",), "Nobody"))
    assert isinstance(failed, EngineFailed)


def test_an_engine_that_is_gone_from_the_settings_is_a_failure() -> None:
    async def scene(bots: EngineBots) -> None:
        assert isinstance(
            await answer(bots, msgspec.structs.replace(question(), level="engine:y")), EngineFailed
        )

    asyncio.run(with_engine(engine("first"), scene))


def test_other_levels_are_for_the_bots_of_the_game() -> None:
    async def scene(bots: EngineBots) -> None:
        assert isinstance(await answer(bots, msgspec.structs.replace(question(), level="careful")), Lay)
        assert bots._engines["parlour", "engine:x"].starts == 0

    asyncio.run(with_engine(engine("first"), scene))


def test_everybodys_questions_get_their_turn() -> None:
    order: list[str] = []

    async def scene(bots: EngineBots) -> None:
        async def ask(owner: str) -> None:
            await answer(bots, question(owner=owner))
            order.append(owner)

        await asyncio.gather(*(ask(owner) for owner in ["ann"] * 5 + ["bob"]))

    asyncio.run(with_engine(engine("first"), scene))
    assert order.index("bob") <= 1


def test_no_engine_is_left_behind_when_the_server_stops() -> None:
    process: Any = None

    async def scene(bots: EngineBots) -> None:
        nonlocal process
        await answer(bots)
        process = bots._engines["parlour", "engine:x"]._process

    asyncio.run(with_engine(engine("first"), scene))
    assert process.returncode is not None


# At a table


async def played(house: House, live: LiveTable, answered: asyncio.Event, enough: Callable[[], bool]) -> None:
    """Ann does the first thing she may until it is enough; the engine has the other seat."""
    while not enough():
        if 0 in live.awaited:
            house.act(live, 0)
        else:
            await answered.wait()
            answered.clear()


def at_a_table(settings: EngineSettings, enough: Callable[[LiveTable], bool]) -> tuple[LiveTable, House]:
    async def scene() -> tuple[LiveTable, House]:
        described = {"parlour": {"x": settings}}
        bots, answered = EngineBots(PromptBots(), described), asyncio.Event()

        class Noticed:
            def think(self, question: Question, done: Callable[[Any], None]) -> None:
                def noticed(action: Any) -> None:
                    done(action)
                    house.settle()
                    answered.set()

                bots.think(question, noticed)

        house = make_hall(bots=Noticed(), played=with_engines(_parlour, described))
        live = house.open(Opening(game="parlour", seats=2), "ann", "ann")
        house.do(live, c.SeatBot(ANN, "engine:x"))
        try:
            async with asyncio.timeout(LONG):
                await played(house, live, answered, lambda: enough(live))
        finally:
            await bots.close()
        return live, house

    return asyncio.run(scene())


def _parlour() -> dict[str, AnyGame]:
    return {"parlour": Parlour()}


def is_over(live: LiveTable) -> bool:
    return live.table.phase == "over"


@pytest.mark.parametrize("words", [("first",), ("crash",), ("odd", "first", "crash"), ("wrong",), ("error",)])
def test_a_game_against_an_engine_comes_to_its_end_whatever_the_engine_does(words: tuple[str, ...]) -> None:
    live, house = at_a_table(engine(*words), is_over)
    assert live.table.outcome is not None
    assert live.table.outcome.reason == "points"
    assert (house.hall._thinking.failures > 0) == (words != ("first",))


def test_a_game_against_an_engine_that_hangs_goes_on() -> None:
    live, house = at_a_table(
        engine("hang", seconds=0.2), lambda live: sum(event.seat == 1 for event in _acted(live)) >= 1
    )
    assert house.hall._thinking.failures == 1
    assert live.table.phase == "playing"


def _acted(live: LiveTable) -> list[Any]:
    return [event for event in live.whole_log if getattr(event, "why", None) == "acted"]


def test_an_engine_that_resigns_has_lost() -> None:
    live, _ = at_a_table(engine("first", "resign"), is_over)
    assert live.table.outcome is not None
    assert (live.table.outcome.winners, live.table.outcome.reason) == ((0,), "alone")
    assert (live.whole_log[-1].seat, live.whole_log[-1].why) == (1, "quit")


def test_where_nobody_can_resign_an_engine_plays_on() -> None:
    class Stubborn(Parlour):
        traits = msgspec.structs.replace(Parlour.traits, resigning=False)

    async def scene() -> None:
        house = make_hall(played={"parlour": Stubborn()}, bots=_Resigning())
        live = house.open(Opening(game="parlour", seats=2), "ann", "ann")
        house.do(live, c.SeatBot(ANN, "hasty"))
        assert [event.seat for event in _acted(live)] == [1]

    asyncio.run(scene())


class _Resigning:
    def think(self, question: Question, done: Callable[[Any], None]) -> None:
        done(RESIGNS)


# Settings


def test_engines_are_levels_of_their_games(tmp_path: Path) -> None:
    file = tmp_path / "engines.toml"
    file.write_text('[parlour.clever]\ncommand = ["./clever", "--fast"]\ntitle = "Clever"\nseconds = 2\n')
    described = read_engines(str(file))
    assert described == {"parlour": {"clever": EngineSettings(("./clever", "--fast"), "Clever", 2.0)}}
    games = with_engines(_parlour, described)
    assert games["parlour"].traits.levels == (*Parlour.traits.levels, Level("engine:clever", "Clever"))
    assert _parlour()["parlour"].traits is Parlour.traits, "nothing is changed for anybody else"
    assert read_engines("") == {}


@pytest.mark.parametrize(
    ("text", "why"),
    [
        ("[parlour.x]\ntitle = 'X'\n", "command"),
        ("[parlour.x]\ncommand = []\ntitle = 'X'\n", "length"),
        ("[parlour.x]\ncommand = ['x']\ntitle = 'X'\nspeed = 3\n", "speed"),
        ("[parlour.'a b']\ncommand = ['x']\ntitle = 'X'\n", "not right"),
        ("[parlour.x]\ncommand = ['x']\ntitle = 'X'\nseconds = 0\n", "not right"),
        ("[", "not right"),
    ],
)
def test_a_file_of_engines_that_is_wrong_is_explained(text: str, why: str, tmp_path: Path) -> None:
    file = tmp_path / "engines.toml"
    file.write_text(text)
    with pytest.raises(ValueError, match=why):
        read_engines(str(file))


def test_a_file_of_engines_that_is_not_there_is_explained(tmp_path: Path) -> None:
    with pytest.raises(ValueError, match="cannot be read"):
        read_engines(str(tmp_path / "nothing.toml"))


def test_an_engine_for_a_game_that_is_not_here_is_explained() -> None:
    with pytest.raises(ValueError, match="no such game"):
        with_engines(_parlour, {"ludo": {"x": engine("first")}})


def test_a_server_seats_an_engine_like_any_other_bot(tmp_path: Path) -> None:
    file = tmp_path / "engines.toml"
    file.write_text(f'[tower.first]\ncommand = ["{sys.executable}", "{SCRIPT}", "first"]\ntitle = "First"\n')

    async def story(callers: Callers) -> None:
        anna = await callers.web("Anna")
        async with callers.http.get("/api/games") as response:
            tower = next(game for game in await response.json() if game["name"] == "tower")
        assert tower["levels"][-1] == {"name": "engine:first", "title": "First"}
        table = (await anna.sure("open", game="tower", bots=["engine:first", "engine:first"]))["table"]
        await anna.sure("act", table=table, action={"type": "place", "tile": 5})
        tiles: list[int] = []
        while len(tiles) < 2:
            message = await anna.until("events", table=table)
            tiles += [
                event["events"][0]["tile"]
                for event in message["events"]
                if event["type"] == "played" and event["seat"] > 0
            ]
        assert tiles == [0, 1], "the first that is free"

    with ServerProcess(tmp_path / "data", bot_delay=0, engines=file) as server:
        call(server.url, story)
        assert server.stop() == 0
        assert not [line for line in server.log() if line["level"] in ("error", "critical")]
