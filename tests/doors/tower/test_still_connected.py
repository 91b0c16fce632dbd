"""What players of Tower hear when another node takes over, and when others are cut off by a fault of ours."""

import pytest
from tests.doors.support.inn import Inn, Message, Player, coordinate
from tests.doors.tower.test_door import WIN_FOR_0, joined, kinds, left, play, seated_on_the_page, turn

GRACE = 10 * 60_000


def seated(inn: Inn, *names: str) -> list[Player]:
    players = [inn.player() for _ in names]
    for player, name in zip(players, names, strict=True):
        player.join("den", name)
    for player in players:
        player.read()
    return players


def heard(*players: Player) -> list[list[Message]]:
    return [player.read() for player in players]


@pytest.mark.parametrize("names", [("Ann",), ("Ann", "Ben"), ("Ann", "Ben", "Cyd")])
def test_who_has_noticed_nothing_of_a_takeover_hears_nothing_of_it(inn: Inn, names: tuple[str, ...]) -> None:
    players = seated(inn, *names)
    inn.take_over(*players)
    assert heard(*players) == [[]] * len(players)
    for name in ("Ann", "Ben", "Cyd")[len(names) :]:
        (newcomer,) = seated(inn, name)
        players.append(newcomer)
    heard(*players)
    play(players, 0, 8, 16, 1)


def test_an_opponent_who_was_cut_off_by_a_takeover_has_left_and_comes_back_as_ever(inn: Inn) -> None:
    ann, ben, cyd = seated(inn, "Ann", "Ben", "Cyd")
    ann.place(coordinate(0)), heard(ben, cyd)
    inn.take_over(ann, cyd)
    assert heard(ann, cyd) == [[left(1)]] * 2
    assert kinds(ann.place(coordinate(1))) == ["error"], "play rests for Ben"
    again = inn.player()
    assert kinds(again.join("den", "Ben")) == [
        *("room_joined", "player_joined", "player_joined", "board_state"),
        *("player_joined", "player_turn"),
    ]
    assert [kinds(told) for told in heard(ann, cyd)] == [["player_joined", "player_turn"]] * 2
    assert kinds(again.place(coordinate(8))) == ["mark_placed", "player_turn"]


def test_an_opponent_who_is_cut_off_while_the_hall_lives_on_has_left_as_well(inn: Inn) -> None:
    ann, ben, cyd = seated(inn, "Ann", "Ben", "Cyd")
    inn.cut_off(ben)
    assert heard(ann, cyd) == [[left(1)]] * 2
    inn.cut_off(cyd)
    assert heard(ann) == [[left(2)]]
    inn.advance(GRACE + 1)
    assert left(1) not in ann.read(), "of a seat that is given up for good nobody hears once more"


def test_whoever_was_cut_off_before_the_game_has_left_the_seat_to_anybody(inn: Inn) -> None:
    ann, _ = seated(inn, "Ann", "Ben")
    inn.take_over(ann)
    assert heard(ann) == [[left(1)]]
    dan, eve = inn.player(), inn.player()
    told = dan.join("den", "Dan")
    assert [message for message in told if message["type"] == "player_joined"] == [
        joined("Ann", 0),
        joined("Dan", 2),
    ]
    assert kinds(eve.join("den", "Eve"))[-2:] == ["player_joined", "player_turn"]
    assert heard(ann) == [[joined("Dan", 2), joined("Eve", 1), turn(0)]]


def test_somebody_of_the_page_who_was_cut_off_keeps_the_seat_and_nobody_of_this_door_hears_of_it(
    inn: Inn,
) -> None:
    gil, table = seated_on_the_page(inn)
    ann, bob = inn.player(), inn.player()
    ann.join(table, "Ann"), bob.join(table, "Bob")
    heard(ann, bob)
    inn.take_over(ann, bob)
    assert heard(ann, bob) == [[], []]
    assert inn.load(table).table.is_away(gil.person)
    inn.take_over(ann, bob)
    assert heard(ann, bob) == [[], []]


def test_after_the_game_a_takeover_changes_nothing(inn: Inn) -> None:
    players = seated(inn, "Ann", "Ben", "Cyd")
    play(players, *WIN_FOR_0)
    inn.take_over(*players[:2])
    assert heard(*players[:2]) == [[], []]
