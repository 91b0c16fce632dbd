"""What becomes of seats when a connection is lost, and when the server was away."""

from collections.abc import Iterator

import pytest
from tests.doors.support.tafl_inn import (
    BRANDUB,
    TIMED,
    Client,
    TaflInn,
    create,
    guid,
    join,
    spectate,
    tafl_inn,
)

from gamut.hall.table.deciding.draft import Timeouts

G = guid(1)
GRACE = Timeouts().room_grace
FULL = "300000/30000/30000/3"


@pytest.fixture(name="inn")
def _inn() -> Iterator[TaflInn]:
    with tafl_inn() as house:
        yield house


def played(inn: TaflInn, kinds: tuple[str, str]) -> None:
    ann, bob = inn.playing(time=TIMED, kinds=kinds)
    ann.say("move-record a4-a3" if kinds[0] == "7" else "move a4-a3")
    bob.say("move-record d3-c3" if kinds[1] == "7" else "move d3-c3")


def test_after_a_crash_both_get_their_seats_back_and_the_clock_waits_for_both(inn: TaflInn) -> None:
    played(inn, ("", ""))
    inn.restart()
    ann, bob = inn.client("Ann"), inn.client("Bob")
    inn.advance(60_000)
    ann.read()
    so_far = [f"start-game {BRANDUB}", "move a4-a3", "move d3-c3", f"clock-update {FULL} {FULL}"]
    assert join(ann) == ["success", *so_far]
    assert ann.say("move a3-a4") == ["error waiting-for-opponent"]
    inn.advance(60_000)
    inn.advance(200)
    ann.read(), bob.read()
    assert join(bob) == ["success", *so_far]
    assert ann.read() == [f"clock-update {FULL} {FULL}", "await-move attackers"]
    inn.advance(1_000)
    assert ann.say("move a3-a4") == ["move-result 0", f"clock-update 299000/30000/30000/3 {FULL}"]
    assert bob.read()[0] == "move a3-a4"


def test_existing_clients_get_theirs_back_with_the_history(inn: TaflInn) -> None:
    played(inn, ("7", "7"))
    inn.restart()
    ann, bob = inn.client("Ann", "7"), inn.client("Bob", "7")
    entries = f"a4-a3 {TIMED}||d3-c3 {TIMED}||"
    clock = f"clock-update {'|'.join(('300000', '30000/3', '0'))} 300000|30000/3|0"
    assert join(bob) == ["success defenders", f"start-game {BRANDUB} history 7 {entries}", clock]
    assert join(ann) == [
        "success attackers",
        f"start-game {BRANDUB} history 7 {entries}",
        clock,
        "await-move attackers",
    ]


def test_a_move_that_an_existing_client_makes_while_play_rests_is_played_when_it_goes_on(
    inn: TaflInn,
) -> None:
    played(inn, ("7", ""))
    inn.restart()
    ann, bob = inn.client("Ann", "7"), inn.client("Bob")
    join(ann)
    assert ann.say("move-record a3-a4") == []
    heard = join(bob)
    assert heard[:4] == ["success", f"start-game {BRANDUB}", "move a4-a3", "move d3-c3"]
    assert inn.table().table.state.turn == 1
    assert "move-result 0" in ann.read()


def test_the_clock_goes_on_when_somebody_was_waited_for_long_enough(inn: TaflInn) -> None:
    played(inn, ("", ""))
    inn.restart()
    ann = inn.client("Ann")
    join(ann)
    inn.advance(GRACE - 1)
    ann.read()
    assert ann.say("move a3-a4") == ["error waiting-for-opponent"]
    inn.advance(1)
    assert ann.read() == [f"clock-update {FULL} {FULL}", "await-move attackers"]
    assert ann.say("move a3-a4") == ["move-result 0", f"clock-update {FULL} {FULL}"]
    inn.advance(300_000)
    assert join(inn.client("Bob"))[-2:] == [f"clock-update {FULL} 0/30000/30000/3", "await-move defenders"]


def test_who_does_not_come_back_at_all_loses_on_time(inn: TaflInn) -> None:
    played(inn, ("", ""))
    inn.restart()
    ann = inn.client("Ann")
    join(ann)
    inn.advance(GRACE)
    ann.say("move a3-a4")
    inn.advance(389_999)
    assert "end-game" not in ann.read()
    inn.advance(1)
    assert ann.read()[-1] == "end-game"
    outcome = inn.table().table.outcome
    assert outcome is not None
    assert outcome.winners == (0,)


def test_without_a_clock_who_does_not_come_back_in_time_has_lost(inn: TaflInn) -> None:
    ann, _ = inn.playing()
    ann.say("move a4-a3")
    inn.restart()
    ann = inn.client("Ann")
    join(ann)
    inn.advance(GRACE)
    ann.read()
    inn.advance(1)
    assert ann.read()[-2:] == ["error game-canceled", "end-game"]
    outcome = inn.table().table.outcome
    assert outcome is not None
    assert outcome.winners == (0,)


@pytest.mark.parametrize("time", [TIMED, ""])
@pytest.mark.parametrize("late", [0, 1, 50])
def test_where_nobody_comes_back_nobody_has_lost_however_late_that_is_noticed(
    inn: TaflInn, time: str, late: int
) -> None:
    inn.playing(time=time)[0].say("move a4-a3")
    inn.restart()
    inn.time.late = late
    inn.advance(GRACE + 1_000)
    live = inn.run(inn.hall.find("tafl", G))
    assert live.table.phase == "over"
    assert live.table.outcome is None
    assert join(inn.client("Ann")) == ["error game-canceled"]


def test_a_stop_is_no_leaving(inn: TaflInn) -> None:
    ann, bob = inn.playing()
    for client in (ann, bob):
        client.session.closing()
        client.session.closed()
    inn.settle()
    inn.restart()
    assert join(inn.client("Ann"))[:2] == ["success", f"start-game {BRANDUB}"]
    assert join(inn.client("Bob"))[:2] == ["success", f"start-game {BRANDUB}"]
    assert inn.table().table.phase == "playing"


def test_nobody_else_gets_a_seat_that_waits(inn: TaflInn) -> None:
    played(inn, ("", ""))
    inn.restart()
    assert join(inn.client("Cid")) == ["error game-full"]


def test_before_the_start_the_seat_waits_as_well(inn: TaflInn) -> None:
    ann = inn.client("Ann")
    create(ann)
    ann.say("ready-for-game")
    inn.restart()
    ann, bob = inn.client("Ann"), inn.client("Bob", "7")
    assert join(ann) == ["success"]
    assert join(bob)[:2] == ["success defenders", f"start-game {BRANDUB}"], "Ann had said that she was ready"


# Grace


def with_grace(inn: TaflInn, kind: str = "ext") -> tuple[Client, Client]:
    ann, bob = inn.client("Ann", "ext"), inn.client("Bob", kind)
    assert ann.say(f"create-game {G} attackers open {TIMED} grace:30 {BRANDUB}") == ["success"]
    join(bob)
    ann.say("ready-for-game"), bob.say("ready-for-game")
    inn.advance(200)
    ann.read(), bob.read()
    return ann, bob


def test_a_game_may_give_the_extended_dialect_time_to_come_back(inn: TaflInn) -> None:
    ann, bob = with_grace(inn)
    ann.hang_up()
    inn.advance(29_999)
    bob.read()
    assert inn.table().table.phase == "playing"
    again = inn.client("Ann", "ext")
    assert again.say(f"resume {guid(9)}") == ["error game-canceled"]
    assert again.say(f"resume {G}") == [
        "success",
        f"start-game {BRANDUB}",
        "clock-update 269801/30000/30000/3 300000/30000/30000/3",
        "await-move attackers",
    ]
    inn.advance(60_000)
    assert inn.table().table.phase == "playing"
    again.read()
    assert again.say(f"resume {G}") == ["error already-hosting"]


def test_that_time_has_an_end(inn: TaflInn) -> None:
    ann, bob = with_grace(inn)
    bob.hang_up()
    inn.advance(30_000)
    assert ann.read()[-3:] == ["error game-canceled", "victory ATTACKER", "end-game"]
    again = inn.client("Bob", "ext")
    assert again.say(f"resume {G}") == ["error not-in-game"]


def test_it_is_not_for_the_others(inn: TaflInn) -> None:
    ann, bob = with_grace(inn, "")
    bob.hang_up()
    assert ann.read() == [
        "clock-update 299800/30000/30000/3 300000/30000/30000/3",
        "error game-canceled",
        "victory ATTACKER",
        "end-game",
    ]
    plain = inn.client("Cid")
    assert plain.say(f"create-game {guid(2)} attackers open grace:30 {BRANDUB}") == ["success"]
    assert "grace" not in inn.table(2).table.decor, "it is no word of this dialect"
    too_long = inn.client("Dot", "ext")
    for word in ("grace:3601", "grace:-1", "grace:1e3", "grace:"):
        assert too_long.say(f"create-game {guid(3)} attackers open {word} {BRANDUB}") == ["error malformed"]


def test_a_seat_taken_on_the_page_is_kept_as_one_keeps_it_there(inn: TaflInn) -> None:
    ann = inn.client("Ann")
    page = inn.guest("Ann")
    table = page.open("tafl", options={"variant": "brandub"})
    room = inn.load(table).table.room
    bob = inn.client("Bob")
    assert bob.say(f"join-game {room}")[:2] == ["success", f"start-game {BRANDUB}"]
    assert ann.say(f"join-game {room}")[:2] == ["success", f"start-game {BRANDUB}"]
    page.sure("act", table=table, action={"type": "move", "start": 21, "end": 14})
    assert "move a4-a3" in ann.read(), "who moved on the page sees the move here"
    ann.hang_up()
    page.hang_up()
    inn.advance(1_000)
    assert inn.load(table).table.phase == "playing"
    assert "end-game" not in bob.read()


def test_watchers_just_go(inn: TaflInn) -> None:
    ann, bob = inn.playing()
    cid = inn.client("Cid")
    spectate(cid)
    inn.advance(200)
    ann.read(), bob.read()
    cid.hang_up()
    assert ann.read() == bob.read() == []
    assert inn.table().watchers == 0
