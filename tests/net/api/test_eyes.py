"""A finished game through the eyes of one of its players."""

import asyncio
from collections.abc import Awaitable, Callable
from pathlib import Path
from typing import ClassVar

from aiohttp import ClientSession
from msgspec.structs import replace
from tests.games.support.parlour import Lay, Parlour
from tests.net.support.club import answer, refusal
from tests.net.support.inside import running, url_of

from gamut.games.game import AnyGame, Traits
from gamut.games.tower.rules import Place, Tower
from gamut.hall.ids import PersonId
from gamut.hall.live.live_table import LiveTable
from gamut.hall.live.opening import Opening
from gamut.hall.table import commands as c
from gamut.hall.table.seats import Sitter
from gamut.net.server import Server

ANN, BEN = PersonId("ann"), PersonId("ben")


class Sealed(Parlour):
    """The same, but what was hidden stays hidden."""

    traits: ClassVar[Traits] = replace(Parlour.traits, name="sealed", reveals=False)


def games() -> dict[str, AnyGame]:
    return {game.traits.name: game for game in (Tower(), Parlour(), Sealed())}


def begun(server: Server, game: str) -> LiveTable:
    """Both have laid the lowest card of their hand; the key of the table is secret."""
    hall = server.hall
    live = hall.open(Opening(game=game, seats=2, private=False), ANN)
    for person in (ANN, BEN):
        hall.do(live, c.Sit(Sitter(person, person.title())))
    for person, hand in zip((ANN, BEN), live.whole.state.hands, strict=True):
        hall.do(live, c.Act(person, Lay(min(hand))))
    return live


def story(data: Path, tell: Callable[[Server, ClientSession], Awaitable[None]]) -> None:
    async def run() -> None:
        async with running(data, games) as server, ClientSession(url_of(server)) as http:
            await tell(server, http)

    asyncio.run(run())


async def dealt(http: ClientSession, live: LiveTable, seat: int) -> list[tuple[int, ...]]:
    """The hands as that seat saw them when they were dealt."""
    log = await answer(await http.get(f"/api/tables/{live.id}/log?seat={seat}"), 200)
    (started,) = (event for event in log["events"] if event["type"] == "started")
    return [tuple(event["cards"]) for event in started["events"] if event["type"] == "dealt"]


def test_when_all_is_revealed_each_players_view_can_be_seen(tmp_path: Path) -> None:
    async def tell(server: Server, http: ClientSession) -> None:
        live = begun(server, "parlour")
        server.hall.do(live, c.Resign(BEN))
        first, second = await dealt(http, live, 0), await dealt(http, live, 1)
        # Each saw their own cards, and of the others only how many there were.
        assert len(set(first[0])) > 1
        assert len(set(first[1])) == 1
        assert len(set(second[0])) == 1
        assert len(set(second[1])) > 1

    story(tmp_path / "data", tell)


def test_the_eyes_of_a_player_are_for_the_game_alone(tmp_path: Path) -> None:
    async def tell(server: Server, http: ClientSession) -> None:
        live = begun(server, "parlour")
        server.hall.do(live, c.Say(person=ANN, name="Ann", text="hello", channel="table"))
        server.hall.do(live, c.Resign(BEN))
        log = await answer(await http.get(f"/api/tables/{live.id}/log?seat=0"), 200)
        assert log["events"][0]["key"] == "", "the key is for those who sit there"
        assert [event["text"] for event in log["events"] if event["type"] == "said"] == ["hello"]

    story(tmp_path / "data", tell)


def test_nobody_looks_through_anothers_eyes_before_all_is_revealed(tmp_path: Path) -> None:
    async def tell(server: Server, http: ClientSession) -> None:
        live, sealed = begun(server, "parlour"), begun(server, "sealed")
        assert await refusal(await http.get(f"/api/tables/{live.id}/log?seat=0"), 403) == "not_over"
        server.hall.do(sealed, c.Resign(BEN))
        assert await refusal(await http.get(f"/api/tables/{sealed.id}/log?seat=0"), 403) == "not_revealed"

    story(tmp_path / "data", tell)


def test_a_seat_that_is_none_is_refused(tmp_path: Path) -> None:
    async def tell(server: Server, http: ClientSession) -> None:
        live = begun(server, "parlour")
        server.hall.do(live, c.Resign(BEN))
        for seat, status, code in (
            ("2", 403, "no_such_seat"),
            ("-1", 403, "no_such_seat"),
            ("x", 400, "bad_request"),
            ("", 400, "bad_request"),
        ):
            assert await refusal(await http.get(f"/api/tables/{live.id}/log?seat={seat}"), status) == code

    story(tmp_path / "data", tell)


def test_where_nothing_is_hidden_everybody_saw_the_same(tmp_path: Path) -> None:
    async def tell(server: Server, http: ClientSession) -> None:
        hall = server.hall
        live = hall.open(Opening(game="tower"), ANN)
        for name in ("ann", "ben", "cas"):
            hall.do(live, c.Sit(Sitter(PersonId(name), name)))
        for turn, tile in enumerate((0, 8, 16, 1, 9, 17, 2)):
            hall.do(live, c.Act(PersonId(("ann", "ben", "cas")[turn % 3]), Place(tile)))
        plain = await answer(await http.get(f"/api/tables/{live.id}/log"), 200)
        assert await answer(await http.get(f"/api/tables/{live.id}/log?seat=1"), 200) == plain

    story(tmp_path / "data", tell)
