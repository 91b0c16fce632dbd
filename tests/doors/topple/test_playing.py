"""Playing in Topple rooms: moves, turns, elimination, winning, clocks and their penalties, pauses."""

from random import Random
from typing import Any

import pytest
from tests.doors.support.topple_inn import ABROAD, HOME, Seated, ToppleInn, message, soft, topple_inn

from gamut.games.topple.rules import Topple
from gamut.games.topple.state import ToppleState
from gamut.hall.table.state import Table


@pytest.fixture(name="inn")
def _inn() -> Any:
    with topple_inn() as house:
        yield house


def turn(number: int, timed: bool = True) -> Any:
    return message("game:turn", n=number, t=timed)


def moved(tile: int, team: int) -> Any:
    return message("game:move", n=tile, t=team)


def state(inn: ToppleInn, room: str) -> ToppleState:
    found: ToppleState = inn.table(room).table.state
    return found


def everybody(people: list[Seated]) -> Any:
    """What all of them heard, which is the same."""
    first, *others = [person.read() for person in people]
    assert all(heard == first for heard in others)
    return first


def quiet(people: list[Seated]) -> None:
    for person in people:
        person.read()


def test_start_and_moves_are_told_to_all(inn: ToppleInn) -> None:
    host = inn.create()
    other, watcher = inn.join(host.room), inn.watch(host.room)
    host.read(), other.read()
    assert host.say("waiting:start") == [message("waiting:start"), turn(1, False)]
    assert other.read() == watcher.read() == [message("waiting:start"), turn(1, False)]
    assert host.say("game:move", n=4) == [moved(4, 1), turn(2)]
    assert other.read() == watcher.read() == [moved(4, 1), turn(2)]


@pytest.mark.parametrize("tile", [1.5, None, True, "0", [0], {}, 1.0, 1e400])
def test_a_tile_that_is_no_whole_number_is_a_bad_field(inn: ToppleInn, tile: Any) -> None:
    one, two = inn.playing(2)
    before = inn.bytes_of(inn.table(one.room).id)
    body = b'{"type":"game:move","payload":{"n":1e400}}' if tile == 1e400 else None
    heard = one.say("game:move", n=tile) if body is None else one.raw_say(body)
    assert heard == [soft(101)] or (body is not None and heard == [soft(100)])
    assert two.read() == []
    assert inn.bytes_of(inn.table(one.room).id) == before


@pytest.mark.parametrize("tile", [-1, 9, 999, 10**30])
def test_a_tile_that_is_not_there_is_refused(inn: ToppleInn, tile: int) -> None:
    one, _ = inn.playing(2)
    assert one.say("game:move", n=tile) == [soft(105)]


def test_moves_that_are_not_allowed_change_nothing(inn: ToppleInn) -> None:
    host = inn.create()
    assert host.say("game:move", n=0) == [soft(102)]
    one, two = inn.playing(2)
    watcher = inn.watch(one.room)
    one.read(), two.read()
    assert two.say("game:move", n=0) == [soft(104)]
    assert watcher.say("game:move", n=0) == [soft(104)]
    one.say("game:move", n=0)
    two.read()
    assert two.say("game:move", n=0) == [soft(105)]
    one.say("game:pause")
    two.read()
    assert two.say("game:move", n=1) == [soft(106)]
    assert one.read() == []


def test_a_move_after_the_win_is_refused(inn: ToppleInn) -> None:
    people = win(inn)
    for person in people:
        assert person.say("game:move", n=0) == [soft(102)]
        assert person.say("game:move", n=3) == [soft(102)]
    assert not people[0].closed


def win(inn: ToppleInn, **rules: Any) -> list[Seated]:
    """The recorded game on 2x2, played to its end; the second player wins."""
    people = inn.playing(2, "t=1&s=1&d=0,2,2&p=3", **rules)
    for number, tile in enumerate((0, 3, 0, 3)):
        people[number % 2].say("game:move", n=tile)
    for person in people:
        person.read()
    return people


def test_after_a_win_no_turn_is_told_and_the_replay_can_be_had(inn: ToppleInn) -> None:
    people = inn.playing(2, "t=1&s=1&d=0,2,2&p=3")
    for number, tile in enumerate((0, 3, 0)):
        people[number % 2].say("game:move", n=tile)
    for person in people:
        person.read()
    assert people[1].say("game:move", n=3) == [moved(3, 2), message("game:win", t=2, d=True)]
    quiet(people)
    for person in people:
        (file,) = person.say("game:download")
        assert file[0] == 1
    assert people[1].say("game:export") == [soft(103)]
    (file,) = [m for m in people[0].say("game:export") if isinstance(m, bytes)]
    assert file[0] == 1


def test_who_is_captured_out_loses_while_the_game_goes_on(inn: ToppleInn) -> None:
    people = inn.playing(4, "t=1&s=1&d=0,4,4&p=4")
    chance = Random(16)
    while all(state(inn, people[0].room).alive):
        now = state(inn, people[0].room)
        assert now.turn is not None
        tile = chance.choice(Topple().legal(now, now.turn)).tile
        quiet(people)
        heard = people[now.turn].say("game:move", n=tile)
        assert heard[0] == moved(tile, now.turn + 1)
    final = state(inn, people[0].room)
    dead = [seat + 1 for seat, alive in enumerate(final.alive) if not alive]
    assert final.turn is not None
    assert heard[1:] == [*(message("player:lose", n=n) for n in dead), turn(final.turn + 1)]


def test_the_last_team_standing_wins_when_the_others_leave(inn: ToppleInn) -> None:
    one, two, three = inn.playing(3)
    assert two.say("player:leave") == []
    assert two.closed
    assert everybody([one, three]) == [message("player:leave", n=2)]
    one.say("player:leave")
    assert three.read() == [
        message("player:leave", n=1),
        message("game:win", t=3, d=True),
        message("waiting:promote", n=3),
    ]


def test_whoever_leaves_on_their_turn_passes_it(inn: ToppleInn) -> None:
    one, two, three = inn.playing(3)
    one.say("game:move", n=0)
    for person in (one, two, three):
        person.read()
    two.say("player:leave")
    assert everybody([one, three]) == [turn(3), message("player:leave", n=2)]
    assert state(inn, one.room).owned[1] == 1


def test_partners_play_on_when_one_of_them_leaves(inn: ToppleInn) -> None:
    people = inn.playing(7, "t=1&s=1&d=0,5,5&p=7")
    for person in people[1:6]:
        person.say("player:leave")
    heard = people[0].read()
    assert heard[-1] == message("game:win", t=1, d=True)
    assert people[6].read() == heard


def test_a_kicked_player_is_out_and_their_key_is_void(inn: ToppleInn) -> None:
    one, two, three = inn.playing(3)
    watcher = inn.watch(one.room)
    for person in (one, two, three):
        person.read()
    one.say("game:move", n=0)
    for person in (one, two, three, watcher):
        person.read()
    assert one.say("game:kick", n=2) == [message("game:kick", n=2), turn(3)]
    assert everybody([two, three, watcher]) == [message("game:kick", n=2), turn(3)]
    assert two.closed
    assert inn.rejoin(one.room, 2, two.key).heard[0]["payload"]["message"] == "incorrect key"
    # Nobody would be left to beat: so nobody wins.
    assert one.say("game:kick", n=3) == [message("game:kick", n=3), message("game:close")]


def test_a_host_cannot_kick_themself_or_nobody(inn: ToppleInn) -> None:
    one, two = inn.playing(2)
    assert one.say("game:kick", n=1) == [soft(101)]
    assert one.say("game:kick", n=3) == [soft(107)]
    assert one.say("game:kick", n=0) == [soft(107)]
    assert one.say("game:kick", n="nobody") == [soft(107)]
    assert one.say("game:kick", n=[2]) == [soft(101)]
    assert two.say("game:kick", n=1) == [soft(103)]
    assert two.say("waiting:kick", n="nobody") == [soft(103)]


def test_after_the_game_a_kick_frees_the_seat(inn: ToppleInn) -> None:
    one, two = win(inn)
    assert one.say("game:kick", n=1) == [soft(101)]
    assert one.say("game:kick", n=2) == [message("game:kick", n=2)]
    assert two.read() == [message("game:kick", n=2)]
    assert two.closed
    assert not one.closed


def test_spectators_are_kicked_by_either_message(inn: ToppleInn) -> None:
    host = inn.create()
    for kind, address in (("game:kick", ABROAD), ("waiting:kick", HOME)):
        watcher = inn.watch(host.room, address)
        host.read()
        name = watcher.payload("spectator:ownid")["n"]
        assert host.say(kind, n=name) == [message("game:kick", n=name)]
        assert watcher.read() == [message("game:kick", n=name)]
        assert watcher.closed


# Time


def skip_chess(inn: ToppleInn, seconds: int, penalty: str, players: int = 2) -> list[Seated]:
    return inn.playing(players, turnTime={"style": "chess", "limit": seconds * 1000, "penalty": penalty})


def test_the_first_turn_is_not_timed(inn: ToppleInn) -> None:
    one, two = inn.playing(2, turnTime={"limit": 1_000, "penalty": "skip"})
    inn.advance(3_600_000)
    assert one.read() == []
    one.say("game:pause"), one.say("game:resume")
    inn.advance(3_600_000)
    assert [m["type"] for m in two.read()] == ["game:pause", "sync", "game:resume"]


def test_random_plays_for_whoever_runs_out(inn: ToppleInn) -> None:
    people = inn.playing(2, turnTime={"limit": 2_000, "penalty": "random"})
    people[0].say("game:move", n=0)
    quiet(people)
    inn.advance(1_999)
    assert everybody(people) == []
    inn.advance(1)
    up, move, then = everybody(people)
    assert up == message("game:timeup", n=2)
    assert move["type"] == "game:move"
    assert move["payload"]["t"] == 2
    assert then == turn(1)


def test_skip_passes_the_turn(inn: ToppleInn) -> None:
    people = inn.playing(2, turnTime={"limit": 2_000, "penalty": "skip"})
    people[0].say("game:move", n=0)
    quiet(people)
    inn.advance(2_000)
    assert everybody(people) == [message("game:timeup", n=2), turn(1)]


def test_lose_puts_a_player_out_and_sets_boards_right(inn: ToppleInn) -> None:
    people = inn.playing(3, turnTime={"limit": 2_000, "penalty": "lose"})
    people[0].say("game:move", n=0)
    quiet(people)
    inn.advance(2_000)
    up, lose, board, then = everybody(people)
    assert (up, lose, then) == (message("game:timeup", n=2), message("player:lose", n=2), turn(3))
    assert isinstance(board, bytes)
    assert board[0] == 0
    inn.advance(2_000)
    up, lose, board, won = everybody(people)
    assert (up, lose) == (message("game:timeup", n=3), message("player:lose", n=3))
    assert won == message("game:win", t=1, d=True)


def test_with_a_partner_left_no_board_is_needed(inn: ToppleInn) -> None:
    people = inn.playing(7, "t=1&d=0,4,4&p=7", turnTime={"limit": 2_000, "penalty": "lose"})
    people[0].say("game:move", n=0)
    for person in people[1:6]:
        person.say("game:move", n=people.index(person))
    people[6].say("game:move", n=6)
    for person in people:
        person.read()
    inn.advance(2_000)
    assert everybody(people) == [message("game:timeup", n=1), message("player:lose", n=1), turn(2)]


def test_chess_clocks_run_only_in_ones_own_turn(inn: ToppleInn) -> None:
    one, two = skip_chess(inn, 10, "lose")
    one.say("game:move", n=0)
    inn.advance(3_200)
    two.say("game:move", n=8)
    inn.advance(1_500)
    one.read(), two.read()
    assert one.say("game:pause") == [
        message("game:pause", t=[0, 9, 7, 0]),
        message("sync", **{"PLAYER.1.time_left": 9, "PLAYER.2.time_left": 7}),
    ]
    inn.advance(100_000)
    assert two.read()[-1]["type"] == "sync"
    assert one.say("game:resume") == [message("game:resume")]
    inn.advance(8_500)
    assert two.read()[:2] == [message("game:resume"), message("game:timeup", n=1)]


@pytest.mark.parametrize("penalty", ["random", "skip"])
def test_without_time_the_penalty_comes_again_in_each_turn(inn: ToppleInn, penalty: str) -> None:
    one, two = skip_chess(inn, 1, penalty)
    one.say("game:move", n=0)
    two.say("game:move", n=8)
    inn.advance(1_000)
    heard = one.read()
    assert message("game:timeup", n=1) in heard
    assert heard[-1] == turn(2)
    two.say("game:move", n=8)
    one.read(), two.read()
    inn.advance(249)
    assert two.read() == []
    inn.advance(1)
    assert two.read()[0] == message("game:timeup", n=1)


def test_when_everybody_is_skipped_for_good_the_tiles_decide(inn: ToppleInn) -> None:
    one, two = skip_chess(inn, 1, "skip")
    one.say("game:move", n=0)
    two.say("game:move", n=8)
    one.say("game:move", n=1)
    one.read(), two.read()
    inn.advance(1_000)
    assert two.read() == [message("game:timeup", n=2), turn(1)]
    inn.advance(1_000)
    assert two.read() == [message("game:timeup", n=1), message("game:win", t=1, d=True)]


def test_pausing_keeps_the_rest_of_a_turn(inn: ToppleInn) -> None:
    one, two = inn.playing(2, turnTime={"limit": 1_000, "penalty": "skip"})
    one.say("game:move", n=0)
    inn.advance(158)
    one.read(), two.read()
    assert two.say("game:pause") == [soft(103)]
    assert one.say("game:pause") == [
        message("game:pause", t=[0, 0, 842, 0]),
        message("sync", **{"PLAYER.2.time_left": 1}),
    ]
    assert one.say("game:pause") == []
    inn.advance(60_000)
    two.read()
    assert one.say("game:resume") == [message("game:resume")]
    assert one.say("game:resume") == []
    two.read()
    inn.advance(841)
    assert two.read() == []
    inn.advance(1)
    assert two.read() == [message("game:timeup", n=2), turn(1)]


def test_pausing_is_for_games_that_run(inn: ToppleInn) -> None:
    host = inn.create()
    assert host.say("game:pause") == [soft(102)]
    assert host.say("game:resume") == [soft(102)]
    over = win(inn)[0]
    assert over.say("game:pause") == [soft(102)]


# Before the game


def test_ready_is_told_and_nothing_waits_for_it(inn: ToppleInn) -> None:
    host = inn.create()
    other, watcher = inn.join(host.room), inn.watch(host.room)
    host.read(), other.read()
    for ready in (True, False):
        said = message("waiting:setready", n=2, r=ready)
        assert other.say("waiting:setready", r=ready) == [said]
        assert host.read() == watcher.read() == [said]
    assert other.say("waiting:setready", r="yes") == [soft(101)]
    assert watcher.say("waiting:setready", r=True) == [soft(107)]
    assert host.say("waiting:start")[0] == message("waiting:start")
    assert other.say("waiting:setready", r=True)[-1] == soft(102)


def test_promoting_takes_the_old_hosts_rights(inn: ToppleInn) -> None:
    host = inn.create()
    other = inn.join(host.room)
    host.read()
    assert other.say("waiting:promote", n=2) == [soft(103)]
    assert host.say("waiting:promote", n=1) == [soft(101)]
    assert host.say("waiting:promote", n=3) == [soft(107)]
    assert host.say("waiting:promote", n=2) == [message("waiting:promote", n=2)]
    assert host.say("waiting:start") == [soft(103)]
    assert inn.watch(host.room).payload("game:config")["l"] == 2
    other.say("game:bot", bot="constantine/0")
    other.read()
    assert other.say("waiting:promote", n=3) == [soft(107)]


COLOURS = [3355443, 16711680, 255, 12517567, 49087, 12566272, 1193046]


def test_colours_go_out_under_both_names_and_are_in_the_config(inn: ToppleInn) -> None:
    host = inn.create()
    other = inn.join(host.room)
    host.read()
    both = [message("waiting:teamcolors", c=COLOURS), message("waiting:teamcols", c=COLOURS)]
    assert host.say("waiting:teamcolors", c=COLOURS) == both
    assert other.read() == both
    assert inn.watch(host.room).payload("game:config")["tc"] == COLOURS
    host.read()
    assert other.say("waiting:teamcols", c=COLOURS)[-1] == soft(103)
    bad: Any
    for bad in (COLOURS[:6], [*COLOURS, 1], [-1] * 7, [2**24] * 7, ["red"] * 7, [1.5] * 7, None, {}):
        assert host.say("waiting:teamcolors", c=bad) == [soft(101)]
        assert host.say("waiting:teamcols", c=bad) == [soft(101)]


def test_starting_needs_two_and_the_host(inn: ToppleInn) -> None:
    host = inn.create()
    assert host.say("waiting:start") == [soft(102)]
    other = inn.join(host.room)
    host.read()
    assert other.say("waiting:start") == [soft(103)]
    host.say("waiting:start")
    assert host.say("waiting:start") == [soft(102)]


def test_a_player_may_change_teams_before_the_game(inn: ToppleInn) -> None:
    host = inn.create("t=1&d=0,3,3&p=3")
    two, three = inn.join(host.room), inn.join(host.room)
    host.read(), two.read()
    said = message("player:switch", n=3, t=1)
    assert three.say("player:switch", t=1) == [said]
    assert host.read() == two.read() == [said]
    for bad in (0, 7, "1", None):
        assert three.say("player:switch", t=bad) == [soft(101)]
    two.say("player:switch", t=1)
    host.read(), two.read()
    assert host.say("waiting:start") == [soft(102)]
    two.say("player:switch", t=4)
    host.read()
    assert host.say("waiting:start")[0] == message("waiting:start")
    assert host.say("game:move", n=0)[0] == moved(0, 1)
    assert two.say("game:move", n=8)[-2] == moved(8, 4)
    assert three.say("player:switch", t=2)[-1] == soft(102)


def test_a_player_may_become_a_spectator_before_the_game(inn: ToppleInn) -> None:
    host = inn.create()
    assert host.say("player:spectate") == [soft(102)]
    other = inn.join(host.room)
    host.read()
    own, promoted = host.say("player:spectate")
    assert own["type"] == "spectator:ownid"
    assert promoted == message("waiting:promote", n=2)
    assert other.read() == [
        message("player:spectate", n=1, id=own["payload"]["n"]),
        message("waiting:promote", n=2),
    ]
    assert inn.join(host.room).payload("game:jlist")["s"] == [[own["payload"]["n"], None]]
    assert host.say("player:spectate")[-1] == soft(107)
    assert other.say("game:kick", n=own["payload"]["n"])[-1]["type"] == "game:kick"
    assert host.closed


def test_who_wants_to_watch_a_room_that_closes_by_it_is_hung_up_on(inn: ToppleInn) -> None:
    host = inn.create()
    other = inn.join(host.room)
    live = inn.table(host.room)
    other.hang_up()
    # Their seat is free by now, and no alarm has rung yet.
    inn.time.late = 600_000
    inn.advance(300_000)
    host.say("player:spectate")
    assert live.table.phase == "over"
    assert host.closed
    assert not any(live.listeners.values())


def test_pings_reach_the_player_and_not_too_often(inn: ToppleInn) -> None:
    host = inn.create()
    other, watcher = inn.join(host.room), inn.watch(host.room)
    host.read(), other.read()
    assert watcher.say("ping", n=2, kind="flash") == []
    assert other.read() == [message("ping", kind="flash")]
    host.say("ping", n=2)
    inn.advance(1_499)
    host.say("ping", n=2)
    assert other.read() == []
    inn.advance(1)
    host.say("ping", n=2, kind=None)
    assert host.say("ping", n=1) == [message("ping", kind="default")]
    assert other.read() == [message("ping", kind="default")]
    assert host.say("ping", n=3) == [soft(107)]
    assert host.say("ping", n="2") == [soft(101)]
    assert host.say("ping", n=2, kind=5) == [soft(101)]
    assert host.say("ping", n=2, kind="x" * 65) == [soft(101)]


def test_bots_take_seats_under_their_names(inn: ToppleInn) -> None:
    host = inn.create("t=1&d=0,3,3&p=3")
    watcher = inn.watch(host.room)
    host.read()
    joined = [message("player:join", n=2, t=2), message("account:isbot", n=2, a="Constantine (Trivial)")]
    assert host.say("game:bot", bot="constantine/0") == joined
    assert watcher.read() == joined
    assert watcher.say("game:bot", bot="constantine/0") == [soft(103)]
    assert host.say("game:bot", bot="deep/blue") == [soft(109)]
    assert host.say("game:bot", bot="freya/3")[1]["payload"] == {"n": 3, "a": "Freya (Moderate)"}
    assert host.say("game:bot", bot="constantine/1") == [soft(109)]
    names = [entry[2] for entry in inn.watch(host.room).payload("game:jlist")["p"]]
    assert names == [None, "Constantine (Trivial)", "Freya (Moderate)"]
    host.read()
    assert host.say("game:kick", n=3) == [message("game:kick", n=3)]
    host.say("waiting:start")
    heard = [m["type"] for m in host.say("game:move", n=0)]
    assert heard == ["game:move", "game:turn"] * 2


def test_leaving_messages_are_for_whom_they_are_named_after(inn: ToppleInn) -> None:
    one, two = inn.playing(2)
    watcher = inn.watch(one.room)
    one.read()
    assert watcher.say("player:leave") == [soft(107)]
    assert one.say("spectator:leave") == [soft(107)]
    assert one.say("waiting:leave") == [soft(102)]
    assert not one.closed
    host = inn.create()
    watching = inn.watch(host.room)
    assert watching.say("waiting:leave") == []
    assert watching.closed
    assert host.say("waiting:leave")[-1]["type"] == "spectator:leave"
    assert host.closed
    assert two.read()


def test_scores_are_in_the_list_of_who_is_here(inn: ToppleInn) -> None:
    one, two = inn.playing(2, scoring={"style": "tile"})
    one.say("game:move", n=0)
    two.say("game:move", n=8)
    assert inn.watch(one.room).payload("game:jlist")["ts"] == [0, 2, 1, 0, 0, 0, 0]
    assert inn.watch(one.room).payload("game:rules")["scoring"] == {"style": "tile"}


def test_nothing_is_said_about_players_who_are_out_when_they_leave(inn: ToppleInn) -> None:
    people = inn.playing(3, turnTime={"limit": 2_000, "penalty": "lose"})
    people[0].say("game:move", n=0)
    inn.advance(2_000)
    for person in people:
        person.read()
    people[1].say("player:leave")
    assert everybody([people[0], people[2]]) == [message("player:leave", n=2)]
    table: Table = inn.table(people[0].room).table
    assert table.phase == "playing"
