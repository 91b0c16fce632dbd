"""Files over HTTP of any game that has a format, also one that hides things: Parlour with the format of the tests."""

from pathlib import Path
from typing import Any

from tests.games.support.parlour import UNSEEN, Dealt, Laid, Parlour
from tests.games.support.parlour_files import Happened, ParlourFiles, Remark, games_with_parlour
from tests.net.support.clients import Callers, WebClient
from tests.net.support.inside import at_a_server

from gamut.net.api.accounts import COOKIE

FILES = ParlourFiles()
BYTES = {"Content-Type": "application/octet-stream"}


def cookie(who: WebClient | None) -> dict[str, str]:
    return {} if who is None else {"Cookie": f"{COOKIE}={who.token}"}


async def got(callers: Callers, path: str, who: WebClient | None = None) -> bytes:
    async with callers.http.get(path, headers=cookie(who)) as response:
        assert response.status == 200, await response.text()
        return await response.read()


async def refused(callers: Callers, path: str, status: int) -> Any:
    async with callers.http.get(path) as response:
        assert response.status == status, await response.text()
        return (await response.json())["error"]


async def sent(callers: Callers, path: str, file: bytes, who: WebClient, status: int = 200) -> Any:
    async with callers.http.post(path, data=file, headers={**BYTES, **cookie(who)}) as response:
        assert response.status == status, await response.text()
        return await response.json()


async def begun(callers: Callers) -> tuple[str, list[WebClient]]:
    people = [await callers.web(name) for name in ("Ann", "Ben")]
    table = (await people[0].sure("open", game="parlour", seats=2, options={"hand": 2}))["table"]
    await people[1].sure("sit", table=table)
    return table, people


async def played(callers: Callers) -> tuple[str, list[WebClient]]:
    """A whole game: whoever may do something does the first thing that is allowed."""
    table, people = await begun(callers)
    while True:
        for person in people:
            legal = (await person.sure("legal", table=table))["actions"]
            if legal:
                await person.sure("act", table=table, action=legal[0])
                break
        else:
            return table, people


def cards_seen(file: bytes) -> set[int]:
    """By whose eyes a file was made: the cards in it that were dealt or laid face down."""
    (record,) = FILES.read(file)
    events = [event for line in record.lines if isinstance(line, Happened) for event in line.events]
    dealt = [card for event in events if isinstance(event, Dealt) for card in event.cards]
    laid = [event.card for event in events if isinstance(event, Laid)]
    return {*dealt, *laid} - {UNSEEN}


def test_a_finished_game_of_any_game_with_files_is_had_and_looked_at(tmp_path: Path) -> None:
    async def story(callers: Callers) -> None:
        table, (ann, _) = await played(callers)
        file = await got(callers, f"/api/tables/{table}/replay.plog")
        told = (await sent(callers, "/api/parlour/files", file, ann))["told"]
        log = (await callers.json(f"/api/tables/{table}/log"))["events"]
        kinds = ("started", "played")
        assert [event["events"] for event in told["events"] if event["type"] in kinds] == [
            event["events"] for event in log if event["type"] in kinds
        ]
        assert told["outcome"] == (await callers.json(f"/api/tables/{table}"))["outcome"]
        names = [event["sitter"]["name"] for event in told["events"] if event["type"] == "sat"]
        assert names == ["Ann", "Ben"]

    at_a_server(tmp_path / "data", story, games_with_parlour)


def test_the_file_of_a_hidden_game_shows_what_the_one_who_asks_may_see(tmp_path: Path) -> None:
    async def story(callers: Callers) -> None:
        table, (ann, ben) = await begun(callers)
        path = f"/api/tables/{table}/so_far.plog"
        hands = [cards_seen(await got(callers, path, person)) for person in (ann, ben)]
        assert [len(hand) for hand in hands] == [2, 2]
        assert not hands[0] & hands[1]
        assert not cards_seen(await got(callers, path)), "a watcher sees no card"
        legal = (await ann.sure("legal", table=table))["actions"]
        await ann.sure("act", table=table, action=legal[0])
        assert cards_seen(await got(callers, path, ben)) == hands[1], "what was laid face down is not in it"
        assert (await refused(callers, f"/api/tables/{table}/replay.plog", 404))["code"] == "no_replay"

    at_a_server(tmp_path / "data", story, games_with_parlour)


def test_a_hidden_game_gives_no_file_to_go_on_with_and_takes_none(tmp_path: Path) -> None:
    async def story(callers: Callers) -> None:
        table, (ann, _) = await begun(callers)
        async with callers.http.get(f"/api/tables/{table}/suspended.psus") as response:
            assert response.status == 404
        headers = {**BYTES, **cookie(ann)}
        async with callers.http.post("/api/parlour/tables", data=b"x", headers=headers) as response:
            assert response.status in (404, 405)

    at_a_server(tmp_path / "data", story, games_with_parlour)


def test_one_game_s_files_are_not_another_s(tmp_path: Path) -> None:
    async def story(callers: Callers) -> None:
        table, (ann, _) = await played(callers)
        file = await got(callers, f"/api/tables/{table}/replay.plog")
        error = (await sent(callers, "/api/topple/files", file, ann, 422))["error"]
        assert error["code"] == "version"
        error = await refused(callers, f"/api/tables/{table}/replay.topl", 404)
        assert error == {"code": "no_files", "message": "A game of Parlour is no Topple file."}
        tower = (await ann.sure("open", game="tower"))["table"]
        error = await refused(callers, f"/api/tables/{tower}/replay.plog", 404)
        assert error["message"] == "A game of Tower is no Parlour file."
        async with callers.http.post("/api/tower/files", data=file, headers=BYTES) as response:
            assert response.status in (404, 405)

    at_a_server(tmp_path / "data", story, games_with_parlour)


def test_comments_and_variations_of_a_file_are_told_and_one_of_several_games_can_be_asked_for(
    tmp_path: Path,
) -> None:
    async def story(callers: Callers) -> None:
        table, (ann, _) = await played(callers)
        file = await got(callers, f"/api/tables/{table}/replay.plog")
        (record,) = FILES.read(file)
        second = record.lines[1]
        assert isinstance(second, Happened)
        instead = Happened(second.at, second.seat, "acted", second.events, instead=True)
        first, *rest = record.lines
        lines = (first, Remark("Here we go"), second, Remark("Bold"), instead, *rest[1:])
        annotated = FILES.write(type(record)(record.first, lines), "plog")
        found = await sent(callers, "/api/parlour/files", annotated, ann)
        line = found["line"]
        assert line["comment"] == "Here we go"
        moves = [event for event in found["told"]["events"] if event["type"] == "played"]
        assert [move["events"] for move in line["moves"]] == [move["events"] for move in moves]
        played_instead = {"seat": second.seat, "events": moves[0]["events"]}
        assert line["moves"][0] == {
            **played_instead,
            "comment": "Bold",
            "variations": [{"moves": [played_instead]}],
        }
        assert set(line["moves"][1]) == {"seat", "events"}
        plain = await sent(callers, "/api/parlour/files", file, ann)
        assert set(plain) == {"suspended", "told"}
        both = file + annotated
        error = (await sent(callers, "/api/parlour/files", both, ann, 422))["error"]
        assert "2 games" in error["message"]
        assert (await sent(callers, "/api/parlour/files?game=2", both, ann))["line"]
        assert "line" not in await sent(callers, "/api/parlour/files?game=1", both, ann)
        for number, status in (("3", 422), ("0", 422), ("x", 400)):
            await sent(callers, f"/api/parlour/files?game={number}", both, ann, status)

    at_a_server(tmp_path / "data", story, games_with_parlour)


def test_the_toy_game_hides_things_or_these_tests_prove_nothing() -> None:
    assert Parlour.traits.hidden
