"""The list of tables over HTTP is without games that are on and that everybody has left."""

from pathlib import Path

from aiohttp import ClientSession
from tests.net.api.test_eyes import begun, story
from tests.net.support.club import answer

from gamut.net.server import Server


def test_a_deserted_game_is_in_no_list_and_can_still_be_looked_at(tmp_path: Path) -> None:
    async def tell(server: Server, http: ClientSession) -> None:
        async def listed() -> list[str]:
            return [table["id"] for table in await answer(await http.get("/api/tables?state=open"), 200)]

        kept, left = begun(server, "parlour"), begun(server, "parlour")
        server.hall.lobby.desert(left.id)
        assert await listed() == [kept.id]
        shown = await answer(await http.get(f"/api/tables/{left.id}"), 200)
        assert shown["phase"] == "playing"
        assert (await answer(await http.get(f"/api/tables/{left.id}/log"), 200))["seq"] == left.table.seq
        server.hall.lobby.revive(left.id)
        assert sorted(await listed()) == sorted([kept.id, left.id])

    story(tmp_path, tell)
