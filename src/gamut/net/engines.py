"""External engines: programs of the operator's that play a seat. Each is one process, asked one question at a time."""

import asyncio
import logging
import os
import signal
import sys
from collections import deque
from collections.abc import Callable, Mapping
from contextlib import suppress
from copy import copy
from pathlib import Path
from types import MappingProxyType
from typing import Any

import msgspec
from msgspec.structs import replace

from gamut.games.engines import CannotAsk, Conversation, EngineFailed, EngineProtocol
from gamut.games.game import AnyGame, Level
from gamut.games.registry import Games
from gamut.hall.bots.engine_talk import PREFIX, JsonTalk
from gamut.hall.bots.processes import RESIGNS, BotRunner, Question
from gamut.hall.faults import Fault
from gamut.hall.limits.fair_queue import FairQueue
from gamut.net.engine_settings import JSON, Described, EngineSettings

log = logging.getLogger("gamut.engines")

_LONGEST_LINE = 1_048_576
_TRIES = 2
"""A question on which the engine crashed is asked once more."""
_CRASHES, _WITHIN = 3, 60.0
"""After so many crashes in so many seconds nobody waits for the engine, until some of them are long ago."""
_CLOSING = 2.0
_MARGIN = 5
"""What an engine is not told of its seconds is this part of them."""
_HELLO = 5.0
"""Seconds in which an engine that greets must have done so, or as many as it has for a move if those are more."""
_CAPPED = str(Path(__file__).with_name("capped.py"))
_ENVIRONMENT = ("PATH", "HOME", "LANG", "LC_ALL", "TMPDIR")
"""What an engine is told of the server's environment: no secrets are in these."""


def with_engines(games: Games, described: Described) -> Mapping[str, AnyGame]:
    """The games with their engines among the levels; ValueError if there is no such game."""
    found = dict(games())
    for name, engines in described.items():
        if name not in found:
            raise ValueError(f"there are engines for {name}, and this server has no such game")
        game = copy(found[name])
        for engine, settings in engines.items():
            if settings.protocol != JSON and settings.protocol not in game.engine_protocols:
                known = ", ".join([*game.engine_protocols, JSON])
                raise ValueError(f"{engine} cannot speak {settings.protocol}: for {name} there is {known}")
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
            (game, PREFIX + name): Engine(f"{game}/{name}", settings, bots)
            for game, engines in described.items()
            for name, settings in engines.items()
        }

    @property
    def count(self) -> int:
        return len(self._engines)

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
        await asyncio.gather(*(engine.close() for engine in self._engines.values()))


class _Thought(msgspec.Struct):
    question: Question
    done: Callable[[Any], None]
    until: float | None
    """When the answer comes too late for the clock, by the loop's time; None: there is no clock."""


class Engine:
    def __init__(self, name: str, settings: EngineSettings, bots: BotRunner) -> None:
        self._name = name
        self._bots = bots
        """For what the engine cannot be asked."""
        self._settings = settings
        self._waiting: FairQueue[_Thought] = FairQueue()
        self._asking: asyncio.Task[None] | None = None
        self._process: asyncio.subprocess.Process | None = None
        self._protocol: EngineProtocol | None = None
        """None: the language of all games."""
        self._talk: Conversation | None = None
        """With the process that there is now."""
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
        elif self._process is not None and self._talk is not None:
            await self._say_farewell(self._process, self._talk)
        self._end()
        if self._ending:
            # Somebody else may hold its pipes open: nobody waits for that.
            await asyncio.wait(self._ending, timeout=_CLOSING)

    async def _ask_all(self) -> None:
        while self._waiting:
            thought = self._waiting.take()
            try:
                self._protocol = _protocol(thought.question.game, self._settings)
                answer = await self._answer(thought)
            except CannotAsk as cannot:
                log.info("a bot plays for an engine", extra={"engine": self._name, "error": str(cannot)})
                self._bots.think(_for_a_bot(thought.question), thought.done)
                continue
            except EngineFailed as failed:
                answer = failed
                if self._protocol is not None and self._protocol.resigns:
                    log.error("an engine is resigned for", extra={"engine": self._name, "error": str(failed)})
                    answer = RESIGNS
            except Fault as fault:
                # A fault of ours costs this one question, or nobody would ask for the others any more. What the process
                # has heard of it is not known: the next question goes to a new one.
                log.exception("a question to an engine failed", extra={"engine": self._name})
                self._end()
                answer = fault
            # By itself: whatever comes of it at the table is none of the engine's business.
            asyncio.get_running_loop().call_soon(thought.done, answer)
        self._asking = None

    async def _answer(self, thought: _Thought) -> Any:
        began = asyncio.get_running_loop().time()
        hangs = (began if self._silent_since is None else self._silent_since) + self._settings.seconds
        until = waits_until = began + self._settings.seconds if thought.until is None else thought.until
        if self._protocol is not None and not self._protocol.numbered:
            # Late answers would be taken for others. So an engine may think until it hangs, and where there is a clock
            # its flag falls as anybody else's does.
            waits_until, until = hangs, min(until, hangs - self._settings.seconds / _MARGIN)
        for tries_left in reversed(range(_TRIES)):
            try:
                async with asyncio.timeout_at(waits_until) as limit:
                    return await self._ask(thought.question, until, limit)
            except TimeoutError:
                # With a short clock it was only too slow for that; if it says nothing for long, it hangs.
                if waits_until >= hangs:
                    self._crashed(TimeoutError("it hangs"))
                raise EngineFailed(f"{self._name} was too slow") from None
            except (OSError, EOFError, ValueError, RuntimeError) as error:
                # It is gone, or its line has no end. Of a pipe that is shut already the event loop says RuntimeError.
                self._crashed(error)
                if not tries_left:
                    raise EngineFailed(f"{self._name} crashed") from None
        raise AssertionError("the last try returns or raises")

    async def _ask(self, question: Question, until: float, limit: asyncio.Timeout) -> Any:
        loop = asyncio.get_running_loop()
        if self._process is None and self._protocol is not None:
            # It has time to greet, and from then on as much for its move as any other.
            limit.reschedule(None)
        process = self._process or await self._start(question.game)
        talk = self._talk
        assert process.stdin is not None
        assert process.stdout is not None
        assert talk is not None
        greets_until = loop.time() + max(_HELLO, self._settings.seconds)
        left = max(1, int(1000 * (until - loop.time())))
        lines = talk.ask(question.state, question.seat, question.seed, left)
        if self._silent_since is None:
            self._silent_since = loop.time()
        process.stdin.write(lines)
        await process.stdin.drain()
        while True:
            line = await self._line(process.stdout, None if talk.greeted else greets_until)
            self._silent_since = None
            greets, heard = not talk.greeted, talk.hear(line)
            if greets and talk.greeted:
                limit.reschedule(loop.time() + self._settings.seconds)
            if heard.say:
                process.stdin.write(heard.say)
                await process.stdin.drain()
            if heard.answers:
                return RESIGNS if heard.resigns else heard.action

    async def _line(self, lines: asyncio.StreamReader, until: float | None) -> bytes:
        """The next line. An engine that should have greeted by then is as good as gone."""
        try:
            async with asyncio.timeout_at(until):
                line = await lines.readline()
        except TimeoutError:
            raise EOFError("it does not greet") from None
        if not line.endswith(b"\n"):
            raise EOFError("it ended")
        return line

    async def _say_farewell(self, process: asyncio.subprocess.Process, talk: Conversation) -> None:
        """Where a protocol has words for it, an engine may end by itself."""
        words = talk.farewell()
        if not words or process.stdin is None:
            return
        with suppress(OSError, TimeoutError):
            process.stdin.write(words)
            async with asyncio.timeout(_CLOSING):
                await process.stdin.drain()
                await process.wait()

    async def _start(self, game: AnyGame) -> asyncio.subprocess.Process:
        now = asyncio.get_running_loop().time()
        if len(self._crashes) == _CRASHES and now - self._crashes[0] < _WITHIN:
            raise EngineFailed(f"{self._name} has crashed too often")
        self.starts += 1
        self._talk = JsonTalk(game) if self._protocol is None else self._protocol.host()
        self._process = await asyncio.create_subprocess_exec(
            # It caps itself before it becomes the engine: nothing is to be run between a fork and its exec here.
            *(sys.executable, "-I", "-S", _CAPPED, str(self._settings.memory << 20)),
            *self._settings.command,
            stdin=asyncio.subprocess.PIPE,
            stdout=asyncio.subprocess.PIPE,
            stderr=asyncio.subprocess.DEVNULL,
            limit=_LONGEST_LINE,
            env={name: os.environ[name] for name in _ENVIRONMENT if name in os.environ},
            start_new_session=True,
            cwd=self._settings.directory or None,
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


def _protocol(game: AnyGame, settings: EngineSettings) -> EngineProtocol | None:
    return None if settings.protocol == JSON else game.engine_protocols[settings.protocol]


def _for_a_bot(question: Question) -> Question:
    """The same for the strongest bot of the game."""
    levels = [level.name for level in question.game.traits.levels if not level.name.startswith(PREFIX)]
    return replace(question, level=levels[-1])
