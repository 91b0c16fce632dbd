"""An external engine is one process, which is asked one question at a time."""

import asyncio
import logging
import os
import signal
import sys
from collections import deque
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path
from typing import Any

import msgspec
from msgspec.structs import replace

from gamut.engines.conversation import CannotAsk, Conversation, EngineFailed, EngineProtocol
from gamut.engines.settings import EngineSettings
from gamut.games.game import AnyGame
from gamut.hall.bots.processes import RESIGNS, BotRunner, Question
from gamut.hall.faults import Fault
from gamut.hall.limits.fair_queue import FairQueue

log = logging.getLogger("gamut.engines")

PREFIX = "engine:"
"""The levels of engines begin like this."""

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
_MEMORY_CAP = str(Path(__file__).with_name("memory_cap.py"))
_ENVIRONMENT = ("PATH", "HOME", "LANG", "LC_ALL", "TMPDIR")
"""What an engine is told of the server's environment: no secrets are in these."""


class _Thought(msgspec.Struct):
    question: Question
    done: Callable[[Any], None]
    until: float | None
    """When the answer comes too late for the clock, by the loop's time; None: there is no clock."""


class Engine:
    def __init__(
        self, name: str, settings: EngineSettings, protocol: EngineProtocol, bots: BotRunner
    ) -> None:
        self._name = name
        self._protocol = protocol
        self._bots = bots
        """For what the engine cannot be asked."""
        self._settings = settings
        self._waiting: FairQueue[_Thought] = FairQueue()
        self._asking: asyncio.Task[None] | None = None
        self._process: asyncio.subprocess.Process | None = None
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
            # A program that the engine has started may hold its pipes open: that is not waited for.
            await asyncio.wait(self._ending, timeout=_CLOSING)

    async def _ask_all(self) -> None:
        while self._waiting:
            thought = self._waiting.take()
            try:
                answer = await self._answer(thought)
            except CannotAsk as cannot:
                log.info("a bot plays for an engine", extra={"engine": self._name, "error": str(cannot)})
                self._bots.think(_for_a_bot(thought.question), thought.done)
                continue
            except EngineFailed as failed:
                answer = failed
                if self._protocol.resigns:
                    log.error("an engine is resigned for", extra={"engine": self._name, "error": str(failed)})
                    answer = RESIGNS
            except Fault as fault:
                # A fault of ours costs this one question only: the others are still asked. It is not known
                # what the process has heard, so the next question goes to a new process.
                log.exception("a question to an engine failed", extra={"engine": self._name})
                self._end()
                answer = fault
            # In a call of its own: an error at the table must not stop the asking.
            asyncio.get_running_loop().call_soon(thought.done, answer)
        self._asking = None

    async def _answer(self, thought: _Thought) -> Any:
        began = asyncio.get_running_loop().time()
        hangs = (began if self._silent_since is None else self._silent_since) + self._settings.seconds
        until = waits_until = began + self._settings.seconds if thought.until is None else thought.until
        if not self._protocol.numbered:
            # Without numbers a late answer would be taken for that of the next question. So the engine is
            # waited for until it hangs, and if the seat has a clock, its flag may fall.
            waits_until, until = hangs, min(until, hangs - self._settings.seconds / _MARGIN)
        for tries_left in reversed(range(_TRIES)):
            try:
                async with asyncio.timeout_at(waits_until) as limit:
                    return await self._ask(thought.question, until, limit)
            except TimeoutError:
                # It may only have been too slow for a short clock. It hangs if it was silent for `seconds`.
                if waits_until >= hangs:
                    self._crashed(TimeoutError("it hangs"))
                raise EngineFailed(f"{self._name} was too slow") from None
            except (OSError, EOFError, ValueError, RuntimeError) as error:
                # The process is gone, or its line is endless.
                # The event loop raises RuntimeError for a closed pipe.
                self._crashed(error)
                if not tries_left:
                    raise EngineFailed(f"{self._name} crashed") from None
        raise AssertionError("the last try returns or raises")

    async def _ask(self, question: Question, until: float, limit: asyncio.Timeout) -> Any:
        loop = asyncio.get_running_loop()
        process = self._process or await self._start(question.game, limit)
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

    async def _start(self, game: AnyGame, limit: asyncio.Timeout) -> asyncio.subprocess.Process:
        now = asyncio.get_running_loop().time()
        if len(self._crashes) == _CRASHES and now - self._crashes[0] < _WITHIN:
            raise EngineFailed(f"{self._name} has crashed too often")
        self.starts += 1
        self._talk = self._protocol.host(game)
        if not self._talk.greeted:
            # It has time to greet, and from then on as much for its move as any other.
            limit.reschedule(None)
        self._process = await asyncio.create_subprocess_exec(
            # It caps itself before it becomes the engine: nothing is to be run between a fork and its exec here.
            *(sys.executable, "-I", "-S", _MEMORY_CAP, str(self._settings.memory << 20)),
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


def _for_a_bot(question: Question) -> Question:
    """The same for the strongest bot of the game."""
    levels = [level.name for level in question.game.traits.levels if not level.name.startswith(PREFIX)]
    return replace(question, level=levels[-1])
