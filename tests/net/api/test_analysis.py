"""What options mean and what may be done in a position, asked over HTTP of any game."""

from collections.abc import Sequence
from functools import reduce
from pathlib import Path
from random import Random
from typing import Any

import pytest
from msgspec import to_builtins
from tests.games.support.parlour import Parlour
from tests.net.support.clients import Callers, WebClient
from tests.net.support.inside import at_a_server

from gamut.games.game import AnyGame, Refused, Seat
from gamut.games.registry import all_games
from gamut.games.tafl.variants import rules_by_name
from gamut.hall.bots.analysis import Analysis, BadOptions, Done, explained
from gamut.hall.bots.analysis import analysed as analysed_after
from gamut.net.api import analysis
from gamut.net.api.accounts import COOKIE


def games() -> dict[str, AnyGame]:
    return {**all_games(), "parlour": Parlour()}


TAFL, TOWER = games()["tafl"], games()["tower"]
BRANDUB = {"variant": "brandub"}


def move(start: int, end: int) -> dict[str, Any]:
    return {"type": "move", "start": start, "end": end}


def analysed(game: AnyGame, options: dict[str, Any], actions: Sequence[tuple[Any, ...]]) -> Analysis:
    return analysed_after(game, options, [Done(*done) for done in actions])


# Without a server


def test_options_are_put_in_words_with_the_position_they_begin_with() -> None:
    found = explained(TAFL, {"rules": "dim:5 name:Tiny esc:e start:/2t2/5/t1K1t/5/2t2/"})
    assert found.words[0] == "Tiny, on a board of 5 by 5 spaces."
    assert found.state.board == "..t.......t.K.t.......t.."
    assert found.options.rules.startswith("dim:5 name:Tiny esc:e")


def test_rules_that_have_a_name_are_known_by_it() -> None:
    found = explained(TAFL, {"rules": rules_by_name()["brandub"]})
    assert (found.options.variant, found.options.rules) == ("brandub", "")


@pytest.mark.parametrize(
    ("options", "place", "words"),
    [
        ({"rules": "dim:6 start:/6/"}, (1, 5), "odd"),
        ({"rules": "dim:5\nesc:q start:/2t2/5/t1K1t/5/2t2/"}, (2, 5), ""),
        ({"rules": "dim:5 start:/2t2/5/t3t/5/2t2/"}, (None, None), "king"),
        ({"rules": 5}, (None, None), "rules"),
        ({"size": 5}, (None, None), "size"),
    ],
)
def test_what_is_wrong_with_options_is_said_with_its_place(
    options: dict[str, Any], place: tuple[int | None, int | None], words: str
) -> None:
    with pytest.raises(BadOptions) as bad:
        explained(TAFL, options)
    assert (bad.value.line, bad.value.column) == place
    assert words in bad.value.reason


def test_a_game_without_words_for_its_options_has_none() -> None:
    found = explained(TOWER, {})
    assert found.words == ()
    assert found.state.turn == 0


def test_secrets_are_not_dealt_to_whoever_asks() -> None:
    assert explained(Parlour(), {}).state is None


def test_actions_lead_to_a_position_with_what_may_be_done_there() -> None:
    before = analysed(TAFL, BRANDUB, [])
    assert before.awaited == (0,)
    assert len(before.legal) == 40
    after = analysed(TAFL, BRANDUB, [(0, move(45, 44)), (1, move(23, 9)), (0, move(22, 8))])
    (moved,) = after.events
    assert (moved.record, moved.captured) == ("b4-b2xc2", (9,))
    assert after.awaited == (1,)


@pytest.mark.parametrize(
    ("actions", "code"),
    [
        ([(0, move(0, 1))], "illegal_move"),
        ([(1, move(17, 16))], "not_your_turn"),
        ([(0, move(10, 500))], "bad_action"),
        ([(0, {"type": "place", "tile": 3})], "bad_action"),
        ([(0, "d2-d1")], "bad_action"),
    ],
)
def test_nobody_makes_up_a_position_against_the_rules(actions: list[tuple[int, Any]], code: str) -> None:
    with pytest.raises(Refused) as refused:
        analysed(TAFL, BRANDUB, actions)
    assert refused.value.code == code


def test_games_whose_rules_the_page_knows_are_analysed_as_well() -> None:
    found = analysed(TOWER, {}, [(0, {"type": "place", "tile": 3})])
    assert found.awaited == (1,)
    assert len(found.legal) == 23


def recorded_chess() -> list[tuple[Seat, Any, list[Any]]]:
    """A game of Power Chess with boxes and powers: who did what, and what came of it, as a page is told it."""
    game, chance = games()["powerchess"], Random(5)
    done: list[tuple[Seat, Any, list[Any]]] = []
    state = game.replay(game.begin(game.options_type(), 2, chance))
    while len(done) < 60 and game.awaited(state):
        (seat,) = game.awaited(state)
        boxes = {box.square for box in state.boxes}
        legal = game.legal(state, seat)
        on_boxes = [action for action in legal if getattr(action, "end", None) in boxes]
        action = chance.choice(on_boxes or list(legal))
        events = game.decide(state, seat, action, chance)
        done.append((seat, to_builtins(action), to_builtins(events)))
        state = reduce(game.evolve, events, state)
    return done


def test_a_game_with_chance_is_played_on_from_how_it_was() -> None:
    game, done = games()["powerchess"], recorded_chess()
    kinds = {event["type"] for _, _, events in done for event in events}
    assert {"offered", "used"} <= kinds, "boxes were opened"
    found = analysed(game, {}, done)
    assert to_builtins(found.events) == done[-1][2]
    # The next move is drawn, and to the same question there is one answer.
    (seat,), action = found.awaited, to_builtins(found.legal[0])
    one, same = (analysed(game, {}, [*done, (seat, action)]) for _ in range(2))
    assert one.events == same.events
    on = analysed(game, {}, [*done, (seat, action, to_builtins(one.events))])
    assert on.legal == one.legal


def _altered(done: list[tuple[Seat, Any, list[Any]]], kind: str, **changes: Any) -> list[tuple[Any, ...]]:
    """The same up to the last event of this kind, which is otherwise."""
    last = max(
        number for number, (_, _, events) in enumerate(done) if any(event["type"] == kind for event in events)
    )
    seat, action, events = done[last]
    told = [{**event, **changes} if event["type"] == kind else event for event in events]
    return [*done[:last], (seat, action, told)]


@pytest.mark.parametrize(
    ("kind", "changes"),
    [
        ("moved", {"due": True, "box": {"square": 0, "rarity": "legendary"}}),
        ("moved", {"box": {"square": -900, "rarity": "rare"}, "due": True}),
        ("moved", {"captured": "q"}),
        ("moved", {"saved": 4000}),
        ("moved", {"updates": [{"square": 99, "shown": ""}]}),
        ("offered", {"powers": ["armageddon", "armageddon"]}),
        ("offered", {"square": 77}),
        ("used", {"drawn": 5, "reanimated": "QQ"}),
    ],
)
def test_nobody_makes_up_what_chance_has_brought(kind: str, changes: dict[str, Any]) -> None:
    with pytest.raises(Refused) as refused:
        analysed(games()["powerchess"], {}, _altered(recorded_chess(), kind, **changes))
    assert refused.value.code == "impossible"


@pytest.mark.parametrize(
    "events", [[], [{"type": "ended", "winner": 0, "reason": "king"}], [{"type": "moved"}]]
)
def test_events_that_came_of_nothing_are_refused(events: list[Any]) -> None:
    with pytest.raises(Refused) as refused:
        analysed(games()["powerchess"], {}, [(0, move(12, 28), events)])
    assert refused.value.code in ("impossible", "bad_action")


# At a server


async def asked(callers: Callers, path: str, question: Any, who: WebClient | None, status: int = 200) -> Any:
    headers = {} if who is None else {"Cookie": f"{COOKIE}={who.token}"}
    async with callers.http.post(path, json=question, headers=headers) as response:
        assert response.status == status, await response.text()
        return await response.json()


def test_the_page_asks_while_somebody_writes_and_tries_moves(tmp_path: Path) -> None:
    async def story(callers: Callers) -> None:
        ann = await callers.web("Ann")
        found = await asked(callers, "/api/tafl/options", {"options": BRANDUB}, ann)
        assert found["options"]["variant"] == "brandub"
        assert found["state"]["turn"] == 0
        assert found["words"]
        wrong = await asked(callers, "/api/tafl/options", {"options": {"rules": "dim:7 esc:q"}}, ann, 422)
        assert wrong["error"]["code"] == "bad_options"
        assert (wrong["error"]["line"], wrong["error"]["column"]) == (1, 11)
        question = {"options": BRANDUB, "actions": [[0, move(45, 44)]]}
        position = await asked(callers, "/api/tafl/position", question, ann)
        assert position["events"][0]["record"] == "d7-c7"
        assert position["awaited"] == [1]
        assert {"type": "move", "start": 23, "end": 9} in position["legal"]
        illegal = {"options": BRANDUB, "actions": [[0, move(45, 45)]]}
        assert (await asked(callers, "/api/tafl/position", illegal, ann, 400))["error"][
            "code"
        ] == "illegal_move"

    at_a_server(tmp_path / "data", story, games)


def test_only_people_ask_and_only_what_can_be_read(tmp_path: Path) -> None:
    async def story(callers: Callers) -> None:
        ann = await callers.web("Ann")
        await asked(callers, "/api/tafl/options", {}, None, 401)
        questions: list[Any] = [[], {"option": {}}, {"options": 3}]
        for question in questions:
            error = (await asked(callers, "/api/tafl/options", question, ann, 400))["error"]
            assert error["code"] == "bad_request"
        many = {"actions": [[0, 0]] * 2001}
        assert (await asked(callers, "/api/tafl/position", many, ann, 400))["error"]["code"] == "bad_request"
        large = {"options": {"rules": "x" * analysis.MOST_BYTES}}
        assert (await asked(callers, "/api/tafl/options", large, ann, 413))["error"]["code"] == "too_large"
        headers = {"Cookie": f"{COOKIE}={ann.token}", "Content-Type": "text/plain"}
        async with callers.http.post("/api/tafl/options", data=b"{}", headers=headers) as response:
            assert response.status == 415

    at_a_server(tmp_path / "data", story, games)


def test_positions_of_a_game_with_secrets_are_not_analysed(tmp_path: Path) -> None:
    async def story(callers: Callers) -> None:
        ann = await callers.web("Ann")
        assert (await asked(callers, "/api/parlour/options", {}, ann))["state"] is None
        async with callers.http.post("/api/parlour/position", json={}) as response:
            assert response.status in (404, 405)

    at_a_server(tmp_path / "data", story, games)


def test_whoever_asks_too_often_has_to_wait(tmp_path: Path) -> None:
    async def story(callers: Callers) -> None:
        ann, ben = await callers.web("Ann"), await callers.web("Ben")
        statuses: list[int] = []
        # Tries come back while they are used up, so it takes a few more than the limit.
        while 429 not in statuses and len(statuses) < 4 * analysis.LIMITS.per_person.tries:
            headers = {"Cookie": f"{COOKIE}={ann.token}"}
            async with callers.http.post("/api/tower/options", json={}, headers=headers) as response:
                statuses.append(response.status)
        assert statuses[-1] == 429
        assert len(statuses) > analysis.LIMITS.per_person.tries
        await asked(callers, "/api/tower/options", {}, ben)

    at_a_server(tmp_path / "data", story, games)
