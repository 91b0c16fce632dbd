"""Recorded games and scenarios of Power Chess, message by message as the door tells them to both players."""

from collections.abc import Iterator
from random import Random
from typing import Any

import msgspec
import pytest
from tests.doors.support.powerchess_inn import Client, PowerInn, power_inn
from tests.games.support.powerchess_tables import PIECE_IDS, WrittenDraws, seat_of, set_up, square_of, vectors

from gamut.games.powerchess.powers import RARITIES

Message = dict[str, Any]


@pytest.fixture(name="inn")
def _inn() -> Iterator[PowerInn]:
    with power_inn() as house:
        yield house


def in_order(message: Message) -> Message:
    if "updates" not in message:
        return message
    return {**message, "updates": sorted(message["updates"], key=lambda entry: (entry["row"], entry["col"]))}


def agrees(heard: list[Message], expected: list[Message]) -> bool:
    """What comes besides is an addition of ours."""
    return len(heard) == len(expected) and all(
        wanted.items() <= in_order(told).items()
        for told, wanted in zip(heard, map(in_order, expected), strict=True)
    )


def said(players: tuple[Client, Client], step: Message) -> tuple[list[Message], list[Message]]:
    """What the one who acts hears, and what the other does."""
    seat = seat_of(step["by"])
    actor, other = players[seat], players[1 - seat]
    message = {name: value for name, value in step["send"].items() if name != "type"}
    return actor.tell(4, **message), other.read()


def brings(draws: WrittenDraws, chance: Message) -> None:
    """Let chance bring what was recorded."""
    spawn = chance.get("spawn")
    draws.spawn = None if spawn is None else (square_of(spawn), RARITIES[spawn["rarity"]])
    draws.then = chance.get("next_box_in")
    draws.offers = [tuple(chance["offer"])] if "offer" in chance else []
    draws.home = square_of(chance["square"]) if "square" in chance else None
    draws.piece = PIECE_IDS[chance["piece"]] if "piece" in chance else ""


@pytest.mark.parametrize("case", vectors("power_scenarios")["scenarios"], ids=lambda case: case["name"])
def test_scenarios_are_told_as_recorded(inn: PowerInn, case: Message) -> None:
    inn.chess.first = set_up(case["setup"])
    inn.chess.draws = WrittenDraws(Random(1), case["setup"]["next_box_in"])
    inn.chess.draws.offers = [tuple(offer) for offer in case["setup"]["offers"]]
    players = inn.pair()
    for step in case["steps"]:
        actor, other = said(players, step)
        possible = step.get("expect_any_of") or [step["expect"]]
        assert any(agrees(actor, each["actor"]) and agrees(other, each["other"]) for each in possible), (
            step["send"],
            actor,
            other,
        )
        assert all(
            message["clocks"].keys() == {"white", "black"} for message in actor if message["type"] == 5
        )


@pytest.mark.parametrize("case", vectors("power_games")["games"], ids=lambda case: case["name"])
def test_games_are_told_as_recorded(inn: PowerInn, case: Message) -> None:
    draws = inn.chess.draws = WrittenDraws(next_box_in=case["first_box_in"])
    players = inn.pair()
    for number, step in enumerate(case["steps"]):
        if step.get("illegal"):
            actor, other = said(players, step)
            assert ([message["type"] for message in actor], other) == ([6], []), number
            continue
        expected = step["expect"]
        brings(draws, step["chance"])
        actor, other = said(players, step)
        offer = expected.get("offer")
        to_actor = {"type": 5, "updates": expected["updates"], "action": expected["actor_action"]}
        to_other = {"type": 5, "updates": expected["updates"], "action": expected["other_action"]}
        to_actor |= {**offer, "options": offer} if offer else {}
        to_other |= {"move": expected["other_move"]} if expected["other_move"] else {}
        to_other |= {name: expected[name] for name in ("rarity", "power") if name in expected}
        over = expected.get("over")
        ends = [[{"type": 2, "reason": over["reason"], "result": over["results"][who]}] if over else []
                for who in ("actor", "other")]  # fmt: skip
        assert agrees(actor, [to_actor, *ends[0]]), (number, actor)
        assert agrees(other, [to_other, *ends[1]]), (number, other)
        assert offer is not None or "options" not in actor[0]
        assert not other[0].keys() & {"id1", "id2", "options"}, "an offer is known to the chooser alone"
        if "power" not in expected:
            assert "rarity" not in other[0]


def test_ordinary_actions_are_told_the_quick_way_as_the_telling_would(
    inn: PowerInn, monkeypatch: pytest.MonkeyPatch
) -> None:
    def heard(case: Message) -> list[bytes]:
        draws = inn.chess.draws = WrittenDraws(Random(1), case["first_box_in"])
        players, told = inn.pair(), []
        for step in case["steps"]:
            brings(draws, step.get("chance", {}))
            told.append(msgspec.json.encode(said(players, step)))
        return told

    for case in vectors("power_games")["games"][:8]:
        quick = heard(case)
        with monkeypatch.context() as patched:
            patched.setattr("gamut.doors.powerchess.door.tell_action", lambda *_: False)
            assert heard(case) == quick


def test_a_player_who_comes_back_sees_the_board_that_the_other_has(inn: PowerInn) -> None:
    """In the middle of recorded games: all squares, whose turn it is, and the own offer."""
    for case in vectors("power_games")["games"][:5]:
        draws = inn.chess.draws = WrittenDraws(next_box_in=case["first_box_in"])
        players = inn.pair()
        shown = {seat: Board() for seat in (0, 1)}
        for step in case["steps"][:60]:
            if step.get("illegal"):
                continue
            seat = seat_of(step["by"])
            brings(draws, step["chance"])
            actor, other = said(players, step)
            own = step["send"].get("move") or step["expect"]["other_move"]
            shown[seat].hear(actor[0], own)
            shown[1 - seat].hear(other[0], other[0].get("move"))
            if other[-1]["type"] == 2:
                break
            back = inn.client()
            joined, picture = back.resume(players[1 - seat])
            assert joined["color"] is (seat == 1)
            assert {square_of(entry) for entry in picture["updates"]} == set(range(64))
            whole = Board()
            whole.hear(picture, None)
            assert whole.squares == shown[0].squares == shown[1].squares
            assert picture["action"] == other[-1]["action"]
            assert picture.get("options") is None
            again = inn.client()
            _, own_picture = again.resume(players[seat])
            assert own_picture["action"] == (actor[0]["action"])
            assert own_picture.get("options") == actor[0].get("options")
            players = (again, back) if seat == 0 else (back, again)


class Board:
    """A board as an existing client keeps it: pieces are carried, then squares are changed."""

    def __init__(self) -> None:
        self.squares: dict[int, Message] = {}
        for row, (color, pieces) in enumerate(
            [
                (True, "RNBQKBNR"),
                (True, "P" * 8),
                *[(None, "." * 8)] * 4,
                (False, "P" * 8),
                (False, "RNBQKBNR"),
            ]
        ):
            for col, piece in enumerate(pieces):
                entry: Message = {"state": 0}
                if color is not None:
                    entry = {"state": 1, "color": color, "piece": PIECE_IDS.index(piece)}
                self.squares[row * 8 + col] = entry

    def hear(self, message: Message, move: Message | None) -> None:
        if move is not None:
            start, end = square_of(move["from"]), square_of(move["to"])
            self.squares[end], self.squares[start] = self.squares[start], {"state": 0}
        for entry in message["updates"]:
            kept = {name: value for name, value in entry.items() if name not in ("row", "col")}
            self.squares[square_of(entry)] = kept
