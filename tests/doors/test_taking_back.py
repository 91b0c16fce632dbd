"""Somebody on the page takes a move back: what the page, bots and watchers with clients of their own are told."""

import pytest
from tests.doors.support.inn import Guest, Message, inn
from tests.doors.support.tafl_inn import tafl_inn
from tests.doors.support.topple_inn import topple_inn
from tests.hall.support.inmemory import PonderingBots

from gamut.doors.topple import views
from gamut.hall.ids import TableId


def act(guest: Guest, table: TableId, number: int = 0) -> list[Message]:
    """Do one of the things that are legal."""
    legal = guest.sure("legal", table=table)[0]["actions"]
    return guest.sure("act", table=table, action=legal[number])


def kinds(heard: list[Message]) -> list[str]:
    return [event["type"] for message in heard if message["type"] == "events" for event in message["events"]]


# The web door


def test_who_took_back_and_who_watches_are_told_the_event_and_how_the_table_stands() -> None:
    with inn(bots=PonderingBots()) as house:
        ann, watcher = house.guest("Ann"), house.guest("Wim")
        table = ann.open(bots=["casual", "casual"])
        watcher.sure("watch", table=table)
        act(ann, table)
        watcher.read()
        for heard in (ann.sure("take_back", table=table, moves=0), watcher.read()):
            events, snapshot = heard
            assert kinds([events]) == ["taken_back"]
            assert (events["events"][0]["seat"], events["events"][0]["moves"]) == (0, 0)
            assert snapshot["type"] == "table"
            assert snapshot["state"]["marks"] == [3] * 24
            assert snapshot["awaited"] == events["awaited"] == [0]
            assert not snapshot.get("anew")


def test_who_was_away_is_told_what_happened_and_how_the_table_stands() -> None:
    with inn(bots=PonderingBots()) as house:
        ann, watcher = house.guest("Ann"), house.guest("Wim")
        table = ann.open(bots=["casual", "casual"])
        act(ann, table)
        (snapshot,) = watcher.sure("watch", table=table)
        watcher.hang_up()
        ann.sure("take_back", table=table, moves=0)
        events, after = house.guest("Wim").sure(
            "watch", table=table, since=snapshot["seq"], stamp=snapshot["stamp"]
        )
        assert kinds([events]) == ["taken_back"]
        assert after["state"]["marks"] == [3] * 24
        everything = house.guest("Wim").sure("watch", table=table, since=0)
        assert kinds(everything)[-2:] == ["played", "taken_back"], "the log is what happened"


def test_a_wish_that_comes_twice_is_done_once() -> None:
    with inn() as house:
        ann = house.guest("Ann")
        table = ann.open(bots=["casual", "casual"])
        act(ann, table)
        act(ann, table)
        ann.sure("take_back", table=table, moves=3)
        assert ann.refused("take_back", table=table, moves=3) == "stale"
        for wrong in ({"moves": -1}, {"moves": None}, {}):
            assert ann.refused("take_back", table=table, **wrong) == "bad_message", "it would be done twice"


# Watchers at doors of a game's own


@pytest.mark.parametrize("kind", ["", "ext"])
def test_a_tafl_client_is_shown_the_game_anew(kind: str) -> None:
    with tafl_inn(bots=PonderingBots()) as house:
        ann = house.guest("Ann")
        table = ann.open("tafl", options={"variant": "brandub"}, bots=["casual"])
        live = house.load(table)
        watcher = house.client("Wim", kind)
        watcher.say(f"spectate-game {live.table.room}")
        act(ann, table)
        (first,) = watcher.read()
        ann.sure("take_back", table=table, moves=0)
        assert watcher.read() == [f"start-game {live.table.state.rules}"]
        act(ann, table, 5)
        (other,) = watcher.read()
        assert other != first
        late = house.client("Lou", kind)
        heard = late.say(f"spectate-game {live.table.room}")
        assert heard == ["success", f"start-game {live.table.state.rules}", other]


def test_an_opentafl_client_gets_the_history_that_stands() -> None:
    bots = PonderingBots()
    with tafl_inn(bots=bots) as house:
        ann = house.guest("Ann")
        table = ann.open("tafl", options={"variant": "brandub"}, bots=["casual"])
        watcher = house.client("Wim", "7")
        watcher.say(f"spectate {house.load(table).table.room} true none")
        act(ann, table)
        bots.thoughts[-1].answer()
        house.settle()
        first, second = (
            line.removeprefix("move-record ") for line in watcher.read() if "move-record" in line
        )
        act(ann, table)
        watcher.read()
        ann.sure("take_back", table=table, moves=2)
        time = "-1|-1/0|-1"
        assert watcher.read() == [f"history 7 {first} {time}||{second} {time}||"]
        ann.sure("take_back", table=table, moves=0)
        assert watcher.read() == ["history 7 "]


def test_a_topple_client_gets_the_board_as_it_was_and_whose_turn_it_is() -> None:
    bots = PonderingBots()
    with topple_inn(bots=bots) as house:
        ann = house.guest("Ann")
        clock, options = {"kind": "turn", "limit": 60_000}, {"x": 3, "y": 3, "scoring": "tile"}
        table = ann.open("topple", seats=2, clock=clock, options=options, bots=["casual"])
        act(ann, table)
        bots.thoughts[-1].answer()
        house.settle()
        live = house.load(table)
        watcher = house.watch(table)
        house.advance(10_000)
        watcher.read()
        before = views.board(live.table.state)
        act(ann, table)
        watcher.read()
        ann.sure("take_back", table=table, moves=2)
        board, scores, turn, left = watcher.read()
        assert before.endswith(board)
        assert (scores["type"], turn["type"], turn["payload"]["n"]) == ("sync", "game:turn", 1)
        assert left["payload"] == {"PLAYER.1.time_left": 50}, "no time has come back"
        house.advance(1_000)
        assert board in watcher.read(), "once more, as a client needs a moment for it"
