"""Rules of one's own are worked out where nobody waits for it, and then a table holds what came of that."""

from collections.abc import Callable, Iterator
from typing import Any

import pytest
from tests.doors.support.inn import Guest
from tests.doors.support.tafl_inn import TaflInn, create, guid, join, spectate, tafl_inn
from tests.hall.support.inmemory import House

from gamut.games.tafl.compiled import Compiled
from gamut.games.tafl.decide import decided_by_record
from gamut.games.tafl.rules import Tafl
from gamut.games.tafl.rules_text import parse_rules, title_of
from gamut.games.tafl.state import TaflState
from gamut.games.tafl.variants import VARIANTS
from gamut.hall.files.recording import file_of
from gamut.hall.files.resuming import opening_for
from gamut.hall.ids import TableId

MANY = 70
"""Tables with rules of their own: more than anything remembers."""


def rules(number: int) -> str:
    """Every one of them is another set of rules."""
    return f"dim:7 name:Number_{number} surf:n atkf:y tfr:i ks:w start:/3t3/3t3/3T3/ttTKTtt/3T3/3t3/3t3/"


class Watched:
    """Where rules are worked out, and saved games are played through: each time, whether in a thread."""

    def __init__(self, monkeypatch: pytest.MonkeyPatch) -> None:
        self.compiled: list[bool] = []
        self.played: list[bool] = []
        in_thread = False
        compile_it = Compiled.__init__

        def compile(on: Compiled, *args: Any, **named: Any) -> None:
            self.compiled.append(in_thread)
            compile_it(on, *args, **named)

        def decide(state: TaflState, words: str) -> Any:
            self.played.append(in_thread)
            return decided_by_record(state, words)

        async def run_blocking(house: House, call: Callable[..., Any], *args: Any) -> Any:
            nonlocal in_thread
            house.settle()
            in_thread = True
            try:
                return call(*args)
            finally:
                in_thread = False

        monkeypatch.setattr(Compiled, "__init__", compile)
        monkeypatch.setattr("gamut.games.tafl.decide.decided_by_record", decide)
        monkeypatch.setattr(House, "_run_blocking", run_blocking)

    def forget(self) -> None:
        self.compiled.clear()
        self.played.clear()


@pytest.fixture(name="watched")
def _watched(monkeypatch: pytest.MonkeyPatch) -> Watched:
    return Watched(monkeypatch)


@pytest.fixture(name="inn")
def _inn(watched: Watched) -> Iterator[TaflInn]:
    with tafl_inn() as house:
        yield house


def opened(page: Guest, number: int, **fields: Any) -> TableId:
    return page.open("tafl", options={"rules": rules(number)}, **fields)


def test_many_tables_with_rules_of_their_own_are_played_without_working_them_out_again(
    inn: TaflInn, watched: Watched
) -> None:
    pages, tables = [], []
    for number in range(MANY):
        host, other = inn.guest(f"Host {number}"), inn.guest(f"Other {number}")
        table = opened(host, number)
        other.sure("watch", table=table)
        other.sure("sit", table=table)
        pages.append(host)
        tables.append(table)
    assert watched.compiled == [True] * MANY, "each once, in a thread"
    for _ in range(2):
        for page, table in zip(pages, tables, strict=True):
            assert page.sure("legal", table=table)
            refused = page.refused("act", table=table, action={"type": "move", "start": 3, "end": 48})
            assert refused == "illegal_move"
    bob = inn.client("Bob")
    assert len(bob.say("get-game-list")[0].split("|")) == MANY
    for page, table in zip(pages, tables, strict=True):
        page.sure("act", table=table, action={"type": "move", "start": 3, "end": 2})
    assert watched.compiled == [True] * MANY


def test_what_a_client_of_the_protocol_does_works_out_nothing_on_the_way(
    inn: TaflInn, watched: Watched
) -> None:
    ann, bob = inn.client("Ann"), inn.client("Bob")
    assert create(ann, rules=rules(1)) == ["success"]
    assert join(bob) == ["success"]
    ann.say("ready-for-game")
    assert f"start-game {rules(1)}" in bob.say("ready-for-game")
    ann.read()
    assert ann.say("move a4-a3")[0] == "move-result 0"
    assert "move-result -3" in bob.say("move a1-a2")
    assert spectate(inn.client("Cas", "7"))[0] == "success spectator"
    assert all(watched.compiled)
    assert len(watched.compiled) == 1


def test_a_table_that_was_forgotten_comes_back_with_its_rules(inn: TaflInn, watched: Watched) -> None:
    page, other = inn.guest("Pat"), inn.guest("Quin")
    waiting, playing = opened(page, 1, start="host"), opened(page, 2)
    other.sure("watch", table=playing)
    other.sure("sit", table=playing)
    watched.forget()
    inn.restart()
    page, other = inn.guest("Pat"), inn.guest("Quin")
    for table in (waiting, playing):
        page.sure("watch", table=table)
        other.sure("watch", table=table)
    assert all(watched.compiled)
    worked_out = len(watched.compiled)
    page.sure("legal", table=playing)
    other.sure("sit", table=waiting)
    page.sure("start", table=waiting)
    page.sure("legal", table=waiting)
    assert len(watched.compiled) == worked_out


def test_a_rematch_has_the_rules_of_the_game_before(inn: TaflInn, watched: Watched) -> None:
    page, other = inn.guest("Pat"), inn.guest("Quin")
    table = opened(page, 1)
    other.sure("watch", table=table)
    other.sure("sit", table=table)
    page.sure("resign", table=table)
    watched.forget()
    other.sure("rematch", table=table)
    page.sure("rematch", table=table)
    (again,) = [live for live in inn.hall.live.values() if live.table.before == table]
    assert again.table.phase == "playing"
    other.sure("legal", table=again.id)
    assert watched.compiled == []


def test_a_saved_game_is_played_through_once_and_in_a_thread(inn: TaflInn, watched: Watched) -> None:
    page, other = inn.guest("Pat"), inn.guest("Quin")
    moves = ["a4-a3", "c4-c2", "a3-a4", "c2-c3"]
    table = page.open("tafl", options={"rules": rules(1), "moves": moves})
    other.sure("watch", table=table)
    other.sure("sit", table=table)
    assert inn.load(table).table.phase == "playing"
    assert watched.played == [True] * len(moves)
    page.sure("resign", table=table)
    page.sure("rematch", table=table)
    other.sure("rematch", table=table)
    assert all(watched.compiled)
    assert len(watched.compiled) == 1


def test_changed_rules_and_those_of_existing_clients_are_worked_out_before_they_count(
    inn: TaflInn, watched: Watched
) -> None:
    page, old = inn.guest("Pat"), inn.client("Old", "7")
    table = opened(page, 1, start="host")
    page.sure("configure", table=table, options={"rules": rules(2)})
    room = inn.load(table).table.room
    assert old.say(f"join-game {room} false none")[0] == "success defenders"
    assert inn.load(table).table.options.quirks
    page.sure("start", table=table)
    old.read()
    assert old.say("move-record a1-a2")[0] == "move-result -1"
    assert len(watched.compiled) == 3, "two sets of rules, and one as such a client plays it"
    assert all(watched.compiled)


def test_files_and_lists_need_no_tables(inn: TaflInn, watched: Watched) -> None:
    ann, bob = inn.client("Ann"), inn.client("Bob")
    create(ann, rules=rules(1))
    join(bob)
    ann.say("ready-for-game")
    bob.say("ready-for-game")
    ann.say("move a4-a3")
    watched.forget()
    live = inn.table()
    assert rules(1).split()[1].encode() in file_of(live, "otg", None, b"")
    assert f'{guid(1)} "Number 1 7x7"' in inn.client("Cas").say("get-game-list")[0]
    assert live.game.brief(live.table.options)["title"] == "Number 1 7x7"
    assert watched.compiled == []


def test_a_game_from_a_file_has_been_played_through_when_its_table_opens(
    inn: TaflInn, watched: Watched
) -> None:
    ann, bob = inn.client("Ann"), inn.client("Bob")
    create(ann, rules=rules(1))
    join(bob)
    ann.say("ready-for-game")
    bob.say("ready-for-game")
    ann.say("move a4-a3")
    files = Tafl.files
    saved = files.resumption(file_of(inn.table(), "otg", None, b""))
    watched.forget()
    page, other = inn.guest("Pat"), inn.guest("Quin")
    live = inn.hall.open(opening_for("tafl", saved), page.person)
    for guest in (page, other):
        guest.sure("watch", table=live.id, key=live.table.key)
        guest.sure("sit", table=live.id, key=live.table.key)
    page.sure("start", table=live.id)
    other.sure("legal", table=live.id)
    assert live.table.phase == "playing"
    assert watched.compiled == watched.played == []


@pytest.mark.parametrize("text", [*(variant.rules for variant in VARIANTS), rules(3), "start:/5/ dim:5"])
def test_the_title_in_lists_is_that_of_the_rules(text: str) -> None:
    if "start:/5/" in text:
        assert title_of(text) == "Unknown Tafl 5x5"
    else:
        assert title_of(text) == parse_rules(text).title
