"""What is said between the server and an external engine of any game: one line of JSON each way.

docs/protocols/engines.md describes it.
"""

from random import Random
from typing import Any, TextIO

import msgspec

from gamut.engines.conversation import NOTHING, EngineFailed, EngineProtocol, Heard
from gamut.games.budget import Budget
from gamut.games.game import AnyGame, Seat


class Asked(msgspec.Struct, frozen=True, omit_defaults=True):
    id: int
    game: str
    seat: int
    state: Any
    legal: list[Any]
    seed: int
    millis: int | None = None


class Answered(msgspec.Struct, frozen=True):
    id: int
    action: msgspec.Raw | msgspec.UnsetType = msgspec.UNSET
    resign: bool = False
    error: str = ""


_decoder = msgspec.json.Decoder(Answered)


class JsonTalk:
    """Each question stands for itself and has a number, so an answer that comes too late harms nobody."""

    greeted = True

    def __init__(self, game: AnyGame) -> None:
        self._game = game
        self._number = 0

    def ask(self, state: Any, seat: Seat, seed: int, millis: int) -> bytes:
        self._number += 1
        legal = list(self._game.legal(state, seat))
        message = Asked(self._number, self._game.traits.name, seat, state, legal, seed, millis)
        return msgspec.json.encode(message) + b"\n"

    def hear(self, line: bytes) -> Heard:
        try:
            answer = _decoder.decode(line)
        except (msgspec.DecodeError, UnicodeDecodeError, RecursionError) as error:
            raise EngineFailed(f"that is no answer: {error}") from None
        if answer.id != self._number:
            return NOTHING  # what it found out too late about an earlier question
        if answer.error:
            raise EngineFailed(f"the engine says: {answer.error[:200]}")
        if answer.resign:
            return Heard(resigns=True)
        if isinstance(answer.action, msgspec.UnsetType):
            raise EngineFailed("the answer has no action in it")
        try:
            return Heard(action=msgspec.json.decode(answer.action, type=self._game.action_type))
        except (msgspec.DecodeError, UnicodeDecodeError, RecursionError) as error:
            raise EngineFailed(f"the action is not right: {error}") from None

    def farewell(self) -> bytes:
        return b""


class _Question(msgspec.Struct, frozen=True):
    id: int
    seat: Seat
    state: msgspec.Raw
    seed: int = 0
    millis: int | None = None


def run(game: AnyGame, heard: TextIO, said: TextIO, level: str) -> None:
    """A bot of the game as such an engine, until the end of what is heard."""
    for line in heard:
        try:
            question = msgspec.json.decode(line, type=_Question)
            state = msgspec.json.decode(question.state, type=game.state_type)
        except (msgspec.DecodeError, UnicodeDecodeError, RecursionError) as error:
            said.write(
                msgspec.json.encode({"id": 0, "error": f"that is no question: {error}"}).decode() + "\n"
            )
            said.flush()
            continue
        budget = Budget(millis=None if question.millis is None else max(1, question.millis * 3 // 4))
        action = game.choose(state, question.seat, level, Random(question.seed), budget)
        said.write(msgspec.json.encode({"id": question.id, "action": action}).decode() + "\n")
        said.flush()


JSON_LINES = EngineProtocol(JsonTalk, run, numbered=True, resigns=False)
