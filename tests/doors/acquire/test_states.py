"""What the Acquire door keeps for one connection is one Struct that can be written down, in whatever it is doing."""

from typing import Any

import msgspec
from tests.doors.support.acquire_inn import Client, acquire_inn

from gamut.doors.acquire.session import AcquireSessionState


def written(client: Client) -> Any:
    """The state of a connection as JSON; read again it is the same."""
    state = client.session.state
    data = msgspec.json.encode(state)
    assert msgspec.json.decode(data, type=AcquireSessionState) == state
    return msgspec.json.decode(data)


def test_a_session_is_somebody_and_the_games_they_are_at() -> None:
    with acquire_inn() as inn:
        client = inn.somebody()
        assert set(written(client)) == {"address", "arrived", "stranger"}
        client.log_in("Ann")
        first, second = client.create(2), client.create(3)
        state = written(client)
        assert state["known"]["name"] == "Ann"
        assert state["games"] == {str(first): inn.table(first).id, str(second): inn.table(second).id}
        client.ok("ExitGame", gameNumber=first)
        assert set(written(client)["games"]) == {str(second)}
        client.hang_up()
        assert written(client)["ended"] is True
        assert "games" not in written(client)
