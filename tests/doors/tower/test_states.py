"""What the Tower door keeps for one connection is one Struct, from which another session goes on."""

from typing import Any

from tests.doors.support.inn import inn

from gamut.games.tower.board import COORDINATES


def _evening(*, moved: bool) -> list[list[dict[str, Any]]]:
    """What three players hear, of whom one goes to another node while they gather, and another in mid-game."""
    with inn() as house:
        players = [house.player() for _ in range(3)]
        players[0].join("den", "Ann")
        if moved:
            players[0].read()
            players[0].move_to_another_node()
        for player, name in zip(players[1:], ("Ben", "Cyd"), strict=True):
            player.join("den", name)
        heard = [player.read() for player in players]
        for turn, tile in enumerate((0, 8, 16, 1, 9)):
            if moved and turn == 2:
                players[1].move_to_another_node()
            heard[turn % 3] += players[turn % 3].place(COORDINATES[tile])
            for log, player in zip(heard, players, strict=True):
                log += player.read()
        heard[1] += players[1].place(COORDINATES[17])
        players[0].hang_up()
        return [log + player.read() for log, player in zip(heard, players, strict=True)]


def test_a_session_goes_on_from_its_state_with_nothing_repeated_or_missed() -> None:
    stayed, moved = _evening(moved=False), _evening(moved=True)
    assert all(stayed)
    assert moved == stayed
