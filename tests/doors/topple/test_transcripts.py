"""Recorded conversations with the existing server, word for word, but for what this server does differently.

The differences are named one by one below; everything else must be as it was recorded, message by message and
in order for each client, and nothing else may come.
"""

import json
from collections.abc import Iterator
from copy import deepcopy
from pathlib import Path
from typing import Any

import pytest
from tests.doors.support.topple_inn import Client, ToppleInn, topple_inn

from gamut.games.topple.files.reader import read
from gamut.games.topple.files.record import Moved

Step = dict[str, Any]

_FOLDER = Path(__file__).parents[2] / "vectors" / "topple" / "transcripts"
TRANSCRIPTS: list[dict[str, Any]] = [json.loads(path.read_text()) for path in sorted(_FOLDER.glob("*.json"))]
ANY = "<ANY>"


def receives(client: str, kind: str, **payload: Any) -> Step:
    return {"c": client, "ev": "recv", "msg": {"type": kind, "payload": payload}}


def refusal(client: str, code: int) -> Step:
    return receives(client, "error", code=code, message=ANY, redirect=None, store=None)


# Refused input is answered here; the existing server said nothing. By transcript, client and what was sent.
REFUSED = {
    ("basic_grid2x2", "B", "game:move", '{"n": 0}'): 105,
    ("kick_waiting", "B", "game:kick", '{"n": 1}'): 103,
    ("export_import", "B", "game:export", "{}"): 103,
    ("pause_per_turn", "B", "game:pause", "{}"): 103,
}


def ours(transcript: dict[str, Any]) -> Iterator[Step]:
    """The steps as this server is to answer them."""
    name = transcript["name"]
    steps: list[Step] = _particular(name, deepcopy(transcript["steps"]))
    keys = {
        step["msg"]["payload"]["key"]: step["msg"]["payload"]
        for step in steps
        if step.get("msg", {}).get("type") == "key:rejoin" and "g" in step["msg"]["payload"]
    }
    spectators = {step["c"] for step in steps if step.get("msg", {}).get("type") == "spectator:ownid"}
    for step in steps:
        kind = step.get("msg", {}).get("type")
        payload = step.get("msg", {}).get("payload")
        if step["ev"] == "send":
            yield step
            code = REFUSED.get((name, step["c"], kind, json.dumps(payload)))
            if code is not None:
                yield refusal(step["c"], code)
            continue
        if step["ev"] != "recv":
            yield step
            continue
        if kind == "key:rejoin":
            # All three fields both times.
            step["msg"]["payload"] = keys[payload["key"]]
        elif kind == "game:win":
            payload["d"] = True
        elif kind == "error":
            # Its number is ours to choose.
            payload["code"] = ANY
        elif kind == "resjoin:available":
            for entry in payload["p"]:
                entry["accid"] = entry["a"]
        elif kind == "waiting:teamcols":
            yield receives(step["c"], "waiting:teamcolors", **payload)
        elif kind == "game:turn" and payload["n"] == -1:
            continue
        yield step
        if kind == "waiting:start" and step["c"] in spectators:
            # Spectators hear of the first turn, too.
            yield receives(step["c"], "game:turn", n=1, t=False)


def _particular(name: str, steps: list[Step]) -> list[Step]:
    """Where one conversation goes another way here."""
    if name == "leave_promote":
        # When one team is left it has won; there it moved once more.
        left = next(n for n, step in enumerate(steps) if step["ev"] == "closed" and step["c"] == "C")
        move = next(
            n
            for n, step in enumerate(steps)
            if n > left and step["ev"] == "send" and step["msg"]["type"] == "game:move"
        )
        rest = [step for step in steps[move + 1 :] if step["ev"] != "recv"]
        return [
            *steps[: left + 1],
            receives("B", "player:leave", n=3),
            receives("B", "game:win", t=2),
            steps[move],
            refusal("B", 102),
            *rest,
        ]
    if name == "spectator_host":
        # In play, too, somebody takes over from a host who goes.
        there = [n for n, step in enumerate(steps) if step.get("msg", {}).get("type") == "spectator:leave"]
        for n in reversed(there):
            steps.insert(n + 1, receives(steps[n]["c"], "waiting:promote", n=1))
        return steps
    if name == "pause_per_turn":
        # Times as a list, and without the second and a half that pausing gave there.
        for step in steps:
            kind = step.get("msg", {}).get("type")
            if step["ev"] == "recv" and kind == "game:pause":
                step["msg"]["payload"] = {"t": [0, 0, 20000]}
            elif kind == "sync":
                step["msg"]["payload"] = {"PLAYER.2.time_left": 20}
        return steps
    if name == "timeout_skip":
        # One of the three heard of the turn before the time was up; here nobody does.
        turn, up = (
            next(n for n, step in enumerate(steps) if step == receives("C", kind, **payload))
            for kind, payload in (("game:turn", {"n": 3, "t": True}), ("game:timeup", {"n": 2}))
        )
        steps[turn], steps[up] = steps[up], steps[turn]
        return steps
    if name == "export_import":
        for step in steps:
            if step["ev"] == "recv" and step["msg"]["type"] == "game:pause":
                step["msg"]["payload"] = {"t": [0, 0, 0, 0]}
        (scores,) = [s for s in steps if s.get("c") == "A2" and s.get("msg", {}).get("type") == "sync"]
        # Everybody who comes into a resumed room gets the scores, not only the first.
        last_board = max(n for n, step in enumerate(steps) if step["ev"] == "recv_bin")
        assert steps[last_board]["c"] == "B2"
        return [*steps[: last_board + 1], {**deepcopy(scores), "c": "B2"}, *steps[last_board + 1 :]]
    return steps


class Stage:
    """The clients of one conversation. Placeholders get their values when they are first heard."""

    def __init__(self, inn: ToppleInn) -> None:
        self._inn = inn
        self._clients: dict[str, Client] = {}
        self._all: list[tuple[str, Client]] = []
        self._waiting: dict[Client, list[Any]] = {}
        self._known: dict[str, str] = {}

    def play(self, step: Step) -> None:
        match step["ev"]:
            case "note":
                return
            case "connect":
                # Each is at home somewhere else: who is kicked is kept out by their address.
                address = f"192.0.2.{len(self._all) + 1}"
                client = self._inn.connect(self._filled(step["query"]), address)
                self._clients[step["c"]] = client
                self._all.append((step["c"], client))
                self._waiting[client] = []
                return
        client = self._clients[step["c"]]
        match step["ev"]:
            case "send":
                said = json.dumps(step["msg"])
                self._waiting[client] += client.raw_say(self._filled(said).encode())
            case "send_bin":
                self._waiting[client] += client.say_binary(bytes.fromhex(step["hex"]))
            case "disconnect":
                client.hang_up()
            case "closed":
                if not client.session.is_deaf:
                    self._inn.advance(200)
                assert client.session.is_deaf
            case "recv":
                heard = self._next(client)
                assert self._same(step["msg"], heard), (step, heard)
            case "recv_bin":
                self._compare(bytes.fromhex(step["hex"]), self._next(client))
            case other:
                raise AssertionError(other)

    def end(self) -> None:
        """Nobody heard anything that was not expected."""
        for name, client in self._all:
            left = self._waiting[client] + client.read()
            assert not left, (name, left)

    def _next(self, client: Client) -> Any:
        for _ in range(80):
            self._waiting[client] += client.read()
            if self._waiting[client]:
                return self._waiting[client].pop(0)
            # What comes by itself comes with time: clocks run out, seats are given up.
            self._inn.advance(500)
        raise AssertionError("nothing came")

    def _filled(self, text: str) -> str:
        for placeholder, value in self._known.items():
            text = text.replace(placeholder, value)
        return text

    def _same(self, expected: Any, heard: Any) -> bool:
        if isinstance(expected, str) and expected == ANY:
            return True
        if isinstance(expected, str) and expected.startswith("<"):
            assert isinstance(heard, str)
            return self._known.setdefault(expected, heard) == heard
        if isinstance(expected, dict):
            return (
                isinstance(heard, dict)
                and set(expected) == set(heard)
                and all(self._same(value, heard[key]) for key, value in expected.items())
            )
        if isinstance(expected, list):
            return (
                isinstance(heard, list)
                and len(heard) == len(expected)
                and all(map(self._same, expected, heard))
            )
        return type(expected) is type(heard) and bool(expected == heard)

    def _compare(self, expected: bytes, heard: Any) -> None:
        assert isinstance(heard, bytes)
        assert heard[0] == expected[0]
        if expected[0] == 0:
            assert heard == expected
            return
        # Files hold times and room codes: only what was played is compared.
        there, here = read(expected[1:]), read(heard[1:])

        def moves(record: Any) -> list[tuple[int, int]]:
            return [(event.player, event.tile) for event in record.events if isinstance(event, Moved)]

        assert moves(here) == moves(there)
        assert (here.teams, here.x, here.y, here.topology) == (there.teams, there.x, there.y, there.topology)
        assert (here.colours, here.people, here.clock) == (there.colours, there.people, there.clock)
        assert here.suspended == there.suspended


@pytest.mark.parametrize("transcript", TRANSCRIPTS, ids=lambda transcript: str(transcript["name"]))
def test_a_recorded_conversation(transcript: dict[str, Any]) -> None:
    with topple_inn() as inn:
        stage = Stage(inn)
        for step in ours(transcript):
            stage.play(step)
        stage.end()
