"""What options mean and what may be done in a position, asked over HTTP of any game."""

from pathlib import Path
from typing import Any

import pytest
from tests.games.support.parlour import Parlour
from tests.net.support.clients import Callers, WebClient
from tests.net.support.inside import at_a_server

from gamut.games.game import AnyGame, Refused
from gamut.games.registry import all_games
from gamut.games.tafl.variants import rules_by_name
from gamut.hall.bots.analysis import BadOptions, analysed, explained
from gamut.net.api import analysis
from gamut.net.api.accounts import COOKIE


def games() -> dict[str, AnyGame]:
    return {**all_games(), "parlour": Parlour()}


TAFL, TOWER = games()["tafl"], games()["tower"]
BRANDUB = {"variant": "brandub"}


def move(start: int, end: int) -> dict[str, Any]:
    return {"type": "move", "start": start, "end": end}


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
