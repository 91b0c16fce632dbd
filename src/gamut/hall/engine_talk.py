"""What is said between the server and an external engine: one line of JSON each way (docs/protocols/engines.md)."""

from typing import Any

import msgspec

from gamut.hall.bots import RESIGNS, Question

PREFIX = "engine:"
"""The levels of engines begin like this."""


class EngineFailed(Exception):
    """The engine has no answer, or none that can be used."""


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


def asked(number: int, question: Question, millis: int) -> bytes:
    """The line that asks; `millis` are left for the answer."""
    game, state, seat = question.game, question.state, question.seat
    legal = list(game.legal(state, seat))
    message = Asked(number, game.traits.name, seat, state, legal, question.seed, millis)
    return msgspec.json.encode(message) + b"\n"


def answered(line: bytes) -> Answered:
    try:
        return _decoder.decode(line)
    except (msgspec.DecodeError, UnicodeDecodeError, RecursionError) as error:
        raise EngineFailed(f"that is no answer: {error}") from None


def action_in(answer: Answered, question: Question) -> Any:
    """What the engine wants to do, in the game's own words, or RESIGNS."""
    if answer.error:
        raise EngineFailed(f"the engine says: {answer.error[:200]}")
    if answer.resign:
        return RESIGNS
    if isinstance(answer.action, msgspec.UnsetType):
        raise EngineFailed("the answer has no action in it")
    try:
        return msgspec.json.decode(answer.action, type=question.game.action_type)
    except (msgspec.DecodeError, UnicodeDecodeError, RecursionError) as error:
        raise EngineFailed(f"the action is not right: {error}") from None
