"""Attacks beside the evening, one after another, each in a process of its own."""

import asyncio
import contextlib
import sys
from random import Random

import msgspec

from bench.attacks.attacker import Told
from bench.attacks.catalogue import ATTACKS
from bench.attacks.target import Target
from bench.servers.child import dies_with_us
from bench.soak.quiet import QuietTables

_ENDING_SECONDS = 15.0
CUT_SHORT = "cut short"
KEPT_OUT = "kept out"
OK = "ok"


class Attacks:
    def __init__(self, names: tuple[str, ...], seconds: float, chance: Random, quiet: QuietTables) -> None:
        self._names = list(names)
        chance.shuffle(self._names)
        self._next = 0
        self._seconds = seconds
        self._quiet = quiet
        self.current = ""
        self.verdicts: dict[str, list[str]] = {}

    async def run(self, target: Target) -> None:
        """Until cancelled. What a fault of the server cut short says nothing about the attack."""
        while self._names:
            name = self._names[self._next % len(self._names)]
            self._next += 1
            verdict = CUT_SHORT
            self.current = name
            try:
                verdict = await self._one(name, target)
            finally:
                self.verdicts.setdefault(name, []).append(verdict)
                self.current = ""
                if self._quiet.now == "attack":
                    self._quiet.now = "peace"

    async def _one(self, name: str, target: Target) -> str:
        process = await asyncio.create_subprocess_exec(
            sys.executable,
            "-m",
            "bench.attacks.attacker",
            name,
            msgspec.json.encode(target.ways),
            str(self._seconds),
            stdin=asyncio.subprocess.PIPE,
            stdout=asyncio.subprocess.PIPE,
            stderr=asyncio.subprocess.DEVNULL,
            start_new_session=True,
            limit=1 << 20,
            preexec_fn=dies_with_us,
        )
        try:
            return await self._talk(name, process)
        except TimeoutError:
            return "did not end in time"
        finally:
            if process.returncode is None:
                with contextlib.suppress(ProcessLookupError):
                    process.kill()
                await process.wait()

    async def _talk(self, name: str, process: asyncio.subprocess.Process) -> str:
        assert process.stdin is not None
        assert process.stdout is not None
        async with asyncio.timeout(ATTACKS[name].preparing + _ENDING_SECONDS):
            first = await process.stdout.readline()
        if first.strip() != b"ready":
            return KEPT_OUT if first else "failed itself"
        if self._quiet.now == "peace":
            self._quiet.now = "attack"
        process.stdin.write(b"go\n")
        async with asyncio.timeout(self._seconds + _ENDING_SECONDS):
            words = await process.stdout.readline()
        if not words:
            return "failed itself"
        told = msgspec.json.decode(words, type=Told)
        if told.broken:
            return f"BROKE: {'; '.join(told.broken)}"
        return KEPT_OUT if told.failed else OK
