"""External engines: programs of the operator's that play a seat. Each is one process, asked one question at a time."""

import asyncio
import logging
import os
import signal
from collections import deque
from collections.abc import Callable, Mapping
from contextlib import suppress
from copy import copy
from pathlib import Path
from types import MappingProxyType
from typing import Annotated, Any

import msgspec
from msgspec import Meta
from msgspec.structs import replace

from gamut.games.game import AnyGame, Level
from gamut.games.registry import Games
from gamut.hall.bots import BotRunner, Question
from gamut.hall.engine_talk import PREFIX, EngineFailed, action_in, answered, asked
from gamut.hall.fair_queue import FairQueue

log = logging.getLogger("gamut.engines")

_LONGEST_LINE = 1_048_576
_TRIES = 2
"""A question on which the engine crashed is asked once more."""
_CRASHES, _WITHIN = 3, 60.0
"""After so many crashes in so many seconds nobody waits for the engine, until some of them are long ago."""
_CLOSING = 2.0
_ENVIRONMENT = ("PATH", "HOME", "LANG", "LC_ALL", "TMPDIR")
"""What an engine is told of the server's environment: no secrets are in these."""


class EngineSettings(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """How the operator describes one engine."""

    command: Annotated[tuple[str, ...], Meta(min_length=1)]
    title: Annotated[str, Meta(min_length=1, max_length=40)]
    seconds: Annotated[float, Meta(gt=0, le=60)] = 5.0
    """An engine that has not answered after so long hangs, and is started anew."""


Name = Annotated[str, Meta(pattern="^[a-z0-9_-]{1,32}$")]
Described = Mapping[str, Mapping[str, EngineSettings]]
"""By game and name."""


def read_engines(file: str) -> Described:
    """What the file says, or ValueError; nothing without a file."""
    if not file:
        return {}
    try:
        text = Path(file).read_bytes()
    except OSError as error:
        raise ValueError(f"the file cannot be read ({error.strerror})") from None
    try:
        return msgspec.toml.decode(text, type=dict[str, dict[Name, EngineSettings]])
    except (msgspec.DecodeError, UnicodeDecodeError) as error:
        raise ValueError(f"the file is not right ({error})") from None


def with_engines(games: Games, described: Described) -> Mapping[str, AnyGame]:
    """The games with their engines among the levels; ValueError if there is no such game."""
    found = dict(games())
    for name, engines in described.items():
        if name not in found:
            raise ValueError(f"there are engines for {name}, and this server has no such game")
        game = copy(found[name])
        levels = (Level(PREFIX + engine, settings.title) for engine, settings in engines.items())
        # The traits of this server's copy of the game; those of the game itself stay as they are.
        vars(game)["traits"] = replace(game.traits, levels=(*game.traits.levels, *levels))
        found[name] = game
    return MappingProxyType(found)


class EngineBots:
    """Asks the engine where a level names one, and else the bots of the games."""

    def __init__(self, bots: BotRunner, described: Described) -> None:
        self._bots = bots
        self._engines = {
            (game, PREFIX + name): Engine(f"{game}/{name}", settings)
            for game, engines in described.items()
            for name, settings in engines.items()
        }

    def think(self, question: Question, done: Callable[[Any], None]) -> None:
        if not question.level.startswith(PREFIX):
            self._bots.think(question, done)
            return
        engine = self._engines.get((question.game.traits.name, question.level))
        if engine is None:
            # A game that was begun when there was one. Later, as everybody else: whoever asks is not done asking.
            failed = EngineFailed(f"there is no {question.level} any more")
            asyncio.get_running_loop().call_soon(done, failed)
            return
        engine.think(question, done)

    async def close(self) -> None:
        for engine in self._engines.values():
            await engine.close()


class _Thought(msgspec.Struct):
    question: Question
    done: Callable[[Any], None]
    until: float | None
    """When the answer comes too late for the clock, by the loop's time; None: there is no clock."""


class Engine:
    def __init__(self, name: str, settings: EngineSettings) -> None:
        self._name = name
        self._settings = settings
        self._waiting: FairQueue[_Thought] = FairQueue()
        self._asking: asyncio.Task[None] | None = None
        self._process: asyncio.subprocess.Process | None = None
        self._number = 0
        self._silent_since: float | None = None
        """When it was asked what it has not answered yet."""
        self._crashes: deque[float] = deque(maxlen=_CRASHES)
        self._ending: set[asyncio.Future[Any]] = set()
        """Processes that were ended and are not gone yet."""
        self.starts = 0

    def think(self, question: Question, done: Callable[[Any], None]) -> None:
        millis = question.budget.millis
        until = None if millis is None else asyncio.get_running_loop().time() + millis / 1000
        self._waiting.put(question.owner, _Thought(question, done, until))
        if self._asking is None:
            self._asking = asyncio.ensure_future(self._ask_all())

    async def close(self) -> None:
        if self._asking is not None:
            self._asking.cancel()
            with suppress(asyncio.CancelledError):
                await self._asking
        self._end()
        if self._ending:
            # Somebody else may hold its pipes open: nobody waits for that.
            await asyncio.wait(self._ending, timeout=_CLOSING)

    async def _ask_all(self) -> None:
        while self._waiting:
            thought = self._waiting.take()
            try:
                answer = await self._answer(thought)
            except EngineFailed as failed:
                answer = failed
            # By itself: whatever comes of it at the table is none of the engine's business.
            asyncio.get_running_loop().call_soon(thought.done, answer)
        self._asking = None

    async def _answer(self, thought: _Thought) -> Any:
        began = asyncio.get_running_loop().time()
        hangs = (began if self._silent_since is None else self._silent_since) + self._settings.seconds
        until = began + self._settings.seconds if thought.until is None else thought.until
        for tries_left in reversed(range(_TRIES)):
            try:
                async with asyncio.timeout_at(until):
                    return await self._ask(thought.question, until)
            except TimeoutError:
                # With a short clock it was only too slow for that; if it says nothing for long, it hangs.
                if until >= hangs:
                    self._crashed(TimeoutError("it hangs"))
                raise EngineFailed(f"{self._name} was too slow") from None
            except (OSError, EOFError, ValueError, RuntimeError) as error:
                # It is gone, or its line has no end. Of a pipe that is shut already the event loop says RuntimeError.
                self._crashed(error)
                if not tries_left:
                    raise EngineFailed(f"{self._name} crashed") from None
        raise AssertionError("the last try returns or raises")

    async def _ask(self, question: Question, until: float) -> Any:
        loop = asyncio.get_running_loop()
        process = self._process or await self._start()
        assert process.stdin is not None
        assert process.stdout is not None
        self._number += 1
        number = self._number
        left = max(1, int(1000 * (until - loop.time())))
        if self._silent_since is None:
            self._silent_since = loop.time()
        process.stdin.write(asked(number, question, left))
        await process.stdin.drain()
        while True:
            line = await process.stdout.readline()
            if not line.endswith(b"\n"):
                raise EOFError("it ended")
            self._silent_since = None
            answer = answered(line)
            if answer.id == number:
                return action_in(answer, question)
            # What it found out too late about an earlier question.

    async def _start(self) -> asyncio.subprocess.Process:
        now = asyncio.get_running_loop().time()
        if len(self._crashes) == _CRASHES and now - self._crashes[0] < _WITHIN:
            raise EngineFailed(f"{self._name} has crashed too often")
        self.starts += 1
        self._process = await asyncio.create_subprocess_exec(
            *self._settings.command,
            stdin=asyncio.subprocess.PIPE,
            stdout=asyncio.subprocess.PIPE,
            stderr=asyncio.subprocess.DEVNULL,
            limit=_LONGEST_LINE,
            env={name: os.environ[name] for name in _ENVIRONMENT if name in os.environ},
            start_new_session=True,
        )
        return self._process

    def _crashed(self, error: Exception) -> None:
        self._crashes.append(asyncio.get_running_loop().time())
        log.error("an engine crashed", extra={"engine": self._name, "error": repr(error)})
        self._end()

    def _end(self) -> None:
        process, self._process = self._process, None
        self._silent_since = None
        if process is None:
            return
        if process.returncode is None:
            # With all that it has started itself: it is the first of a session of its own.
            with suppress(ProcessLookupError):
                os.killpg(process.pid, signal.SIGKILL)
        ending = asyncio.ensure_future(process.communicate())
        self._ending.add(ending)
        ending.add_done_callback(self._ending.discard)
