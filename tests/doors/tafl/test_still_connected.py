"""What clients of Tafl hear when another node takes over, and when others are cut off by a fault of ours."""

from collections.abc import Iterator

import pytest
from tests.doors.support.tafl_inn import TIMED, WON, TaflInn, create, join, spectate, tafl_inn

KINDS = ("", "ext", "7")
MOVE = {"": "move", "ext": "move", "7": "move-record"}
GRACE = 10 * 60_000


@pytest.fixture(name="inn")
def _inn() -> Iterator[TaflInn]:
    with tafl_inn() as house:
        yield house


def clocks(kind: str, attackers: int, defenders: int = 300_000) -> str:
    if kind == "7":
        return f"clock-update {attackers}|30000/3|0 {defenders}|30000/3|0"
    return f"clock-update {attackers}/30000/30000/3 {defenders}/30000/30000/3"


@pytest.mark.parametrize("kind", KINDS)
def test_without_clocks_a_takeover_is_not_heard_and_the_game_goes_on(inn: TaflInn, kind: str) -> None:
    ann, bob = inn.playing(kinds=(kind, kind))
    wim = inn.client("Wim", kind)
    spectate(wim)
    inn.advance(60_000)
    for client in (ann, bob, wim):
        client.read()
    inn.take_over(ann, bob, wim)
    assert [client.read() for client in (ann, bob, wim)] == [[]] * 3
    ann.say(f"{MOVE[kind]} a4-a3")
    told, *awaited = bob.read()
    assert told.startswith(f"{MOVE[kind]} a4-a3")
    assert awaited == ["await-move defenders"]


@pytest.mark.parametrize("kind", KINDS)
def test_clocks_that_were_counted_down_in_the_pause_are_told_anew(inn: TaflInn, kind: str) -> None:
    ann, bob = inn.playing(time=TIMED, kinds=(kind, kind))
    inn.advance(7_000)
    ann.read(), bob.read()
    inn.take_over(ann, bob, pause=4_000)
    assert ann.read() == bob.read() == [clocks(kind, 293_000)], "and nobody is asked for a move once more"
    inn.advance(5_000)
    told = [line for line in bob.read() if line.startswith("clock")]
    assert told == [clocks(kind, 288_000)], "and every few seconds, as ever"


@pytest.mark.parametrize("turn", ["Ann", "Bob"])
@pytest.mark.parametrize("kind", KINDS)
def test_while_play_rests_for_somebody_who_was_cut_off_the_other_hears_clocks_and_nothing_else(
    inn: TaflInn, kind: str, turn: str
) -> None:
    ann, bob = inn.playing(time=TIMED, kinds=(kind, kind))
    inn.advance(7_000)
    if turn == "Bob":
        ann.say(f"{MOVE[kind]} a4-a3")
    ann.read(), bob.read()
    inn.take_over(ann)
    assert ann.read() == [clocks(kind, 293_000)]
    inn.advance(20_000)
    assert [line for line in ann.read() if "clock" in line] == []
    again = inn.client("Bob", kind)
    heard = [line for line in join(again) if line.startswith(("await", "clock"))]
    asked = {"Ann": "await-move attackers", "Bob": "await-move defenders"}
    assert heard[0] == clocks(kind, 293_000)
    assert (asked["Bob"] in heard) is (turn == "Bob")
    told = [line for line in ann.read() if line.startswith(("await", "clock"))]
    assert told == [clocks(kind, 293_000), *([asked["Ann"]] if turn == "Ann" else [])]


@pytest.mark.parametrize("kind", KINDS)
def test_of_somebody_of_the_page_who_was_cut_off_nothing_is_heard(inn: TaflInn, kind: str) -> None:
    ann = inn.client("Ann", kind)
    create(ann, time=TIMED)
    gil = inn.guest("Gil")
    table = inn.table().id
    gil.sure("sit", table=table)
    if kind != "7":
        ann.say("ready-for-game")
    gil.sure("ready", table=table, ready=True)
    ann.say(f"{MOVE[kind]} a4-a3")
    inn.advance(7_000)
    ann.read()
    inn.take_over(ann)
    assert ann.read() == [clocks(kind, 300_000, 293_000)]
    inn.advance(20_000)
    assert [line for line in ann.read() if line.startswith(("await", "clock"))] == [], "Gil's clock stands"
    inn.guest("Gil").sure("watch", table=table)
    assert [line for line in ann.read() if line.startswith(("await", "clock"))] == [
        clocks(kind, 300_000, 293_000)
    ]


@pytest.mark.parametrize("kind", KINDS)
def test_before_and_after_the_game_nothing_is_heard(inn: TaflInn, kind: str) -> None:
    ann = inn.client("Ann", kind)
    create(ann, time=TIMED)
    inn.advance(60_000)
    ann.read()
    inn.take_over(ann)
    assert ann.read() == []
    bob = inn.client("Bob", kind)
    join(bob)
    for client in (ann, bob) if kind != "7" else ():
        client.say("ready-for-game")
    for turn, move in enumerate(WON):
        (ann, bob)[turn % 2].say(f"{MOVE[kind]} {move}")
    assert inn.table().table.phase == "over"
    inn.advance(60_000)
    ann.read(), bob.read()
    inn.take_over(ann)
    assert ann.read() == []


@pytest.mark.parametrize("kind", KINDS)
def test_whoever_is_cut_off_while_the_hall_lives_on_has_neither_left_nor_lost(
    inn: TaflInn, kind: str
) -> None:
    ann, bob = inn.playing(time=TIMED, kinds=(kind, kind))
    inn.cut_off(bob)
    ann.read()
    inn.advance(GRACE - 1)
    told = [line for line in ann.read() if not line.startswith(("client-list", "game-list", "lobby-chat"))]
    assert told == []
    assert inn.table().table.phase == "playing"
    again = inn.client("Bob", kind)
    join(again)
    assert "await-move attackers" in ann.read()


def test_who_has_logged_in_and_is_cut_off_can_log_in_again(inn: TaflInn) -> None:
    ann = inn.client("Ann")
    inn.cut_off(ann)
    assert not inn.hall.connected
    inn.client("Ann")
