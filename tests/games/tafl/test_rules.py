"""Tafl at a table: options, refusals, endings, and rules that the recorded cases do not reach."""

from random import Random
from typing import Any

import msgspec
import pytest
from tests.games.support.tafl_tables import move_named, names, shown, simple

from gamut.games.game import Refused, Seat
from gamut.games.tafl import movement
from gamut.games.tafl.compiled import Compiled, compiled
from gamut.games.tafl.endings import WHY, ending
from gamut.games.tafl.english import in_words
from gamut.games.tafl.options import TaflOptions
from gamut.games.tafl.play import after, moves
from gamut.games.tafl.position import END, SHIFT
from gamut.games.tafl.records import record_of
from gamut.games.tafl.rules import Tafl
from gamut.games.tafl.rules_text import LONGEST, parse_rules
from gamut.games.tafl.state import Ended, Event, Move, Moved, TaflState
from gamut.games.tafl.variants import VARIANTS, rules_by_name

GAME = Tafl()
ANY = Random(0)
BRANDUB = rules_by_name()["brandub"]


def opened(rules: str = BRANDUB, **options: Any) -> TaflState:
    return GAME.replay(GAME.begin(GAME.checked(TaflOptions(rules=rules, **options)), 2, ANY))


def action(state: TaflState, text: str) -> Move:
    move = move_named(text, state.on.size)
    return Move(move >> SHIFT, move & END)


def play(state: TaflState, *texts: str) -> tuple[TaflState, list[Event]]:
    """The state after these moves, and what happened."""
    log: list[Event] = []
    for text in texts:
        assert state.turn is not None
        for event in GAME.decide(state, state.turn, action(state, text), ANY):
            state = GAME.evolve(state, event)
            log.append(event)
    return state, log


def possible(rules: str) -> list[str]:
    on = compiled(rules)
    return sorted(simple(move, on.size) for move in moves(on, on.start()))


# Options


def test_every_variant_can_be_chosen_by_name_and_has_words() -> None:
    names_of_type = msgspec.json.schema(TaflOptions)["$defs"]["TaflOptions"]["properties"]["variant"]["enum"]
    assert sorted(names_of_type) == sorted(variant.name for variant in VARIANTS)
    for variant in VARIANTS:
        options = GAME.checked(msgspec.convert({"variant": variant.name}, TaflOptions))
        state = GAME.replay(GAME.begin(options, 2, ANY))
        assert state.rules == variant.rules
        assert GAME.legal(state, GAME.awaited(state)[0])
        assert len(list(in_words(parse_rules(variant.rules)))) > 8


def test_rules_that_have_a_name_are_kept_by_it_and_others_are_left_out_of_lists() -> None:
    named = GAME.checked(
        TaflOptions(rules="ks:n cenhe: cenh: surf:n name:Brandub dim:7 " + BRANDUB.split()[-1])
    )
    assert named == TaflOptions(variant="brandub")
    assert GAME.brief(named) == {"variant": "brandub", "title": "Brandub 7x7", "quirks": False, "moves": 0}
    own = GAME.checked(TaflOptions(rules=BRANDUB.replace("name:Brandub", "name:My_Own esc:e")))
    assert own.rules == BRANDUB.replace("name:Brandub", "name:My_Own esc:e")
    assert GAME.brief(own) == {"variant": "", "title": "My Own 7x7", "quirks": False, "moves": 0}


@pytest.mark.parametrize(
    ("rules", "reason"),
    [
        ("dim:7", "start is missing"),
        ("dim:5 start:/5/5/2K2/5/5/", "attackers"),
        ("dim:5 start:/t4/5/2T2/5/5/", "king"),
        ("dim:5 start:/t4/2k2/2K2/5/5/", "no king"),
        ("dim:5 esc:e start:/t1K2/5/5/5/5/", "the king has escaped"),
        ("dim:5 surf:n start:/t4/2t2/1tKt1/2t2/5/", "no defender has an empty space"),
        ("dim:5 cor: esc:e surf:n start:/tT3/T1K2/5/5/5/", "no legal move"),
        (f"dim:19 start:/{'/'.join(['t' * 19] * 14)}/9K9/{'/'.join(['19'] * 4)}/", "at most 254"),
        (f"dim:7 name:{'n' * LONGEST} start:/3t3/7/7/3K3/7/7/7/", "too long"),
    ],
)
def test_rules_by_which_no_game_can_be_played_are_refused(rules: str, reason: str) -> None:
    with pytest.raises(ValueError, match=reason):
        GAME.checked(TaflOptions(rules=rules))


def test_a_game_goes_on_after_moves_that_were_played_elsewhere() -> None:
    options = GAME.checked(TaflOptions(rules=BRANDUB, moves=("d2-a2", "d3-d2xd1")))
    assert options.moves == ("d2-a2", "d3-d2")
    state = GAME.replay(GAME.begin(options, 2, ANY))
    assert state == play(opened(), "d2-a2", "d3-d2")[0]
    assert GAME.brief(options)["moves"] == 2
    assert GAME.again(options, {})[0].moves == (), "a rematch is a new game"


@pytest.mark.parametrize(
    ("played", "reason"),
    [
        (("d2-a2", "d2-a2"), "Move 2, d2-a2: There is no piece on d2"),
        (("d2-x9",), "no move"),
        (("d2-a9",), "no such space"),
        (("d3-a3",), "not one of the attackers"),
    ],
)
def test_moves_that_could_not_have_been_played_are_refused(played: tuple[str, ...], reason: str) -> None:
    with pytest.raises(ValueError, match=reason):
        GAME.checked(TaflOptions(rules=BRANDUB, moves=played))


def test_a_game_that_is_over_does_not_go_on() -> None:
    rules = "dim:5 esc:e cor: surf:n ks:w start:/t4/5/2K2/5/5/"
    with pytest.raises(ValueError, match="over"):
        GAME.checked(TaflOptions(rules=rules, moves=("a1-a2", "c3-c5")))


# Refusals


def test_each_wrong_move_has_its_own_code_in_the_order_of_the_protocol() -> None:
    state = opened()
    cases = [
        ("c3-c4", "illegal_move", "There is no piece on c3."),
        ("d3-c3", "illegal_side", "The piece on d3 is not one of the attackers."),
        ("d2-d4", "illegal_move", "The piece on d2 cannot move to d4."),
    ]
    for text, code, reason in cases:
        with pytest.raises(Refused) as refused:
            GAME.decide(state, Seat(0), action(state, text), ANY)
        assert (refused.value.code, refused.value.reason) == (code, reason)


def test_while_a_piece_goes_on_nobody_else_may_move() -> None:
    rules = "dim:7 ber:m ks:w surf:n cor: cen: esc:e start:/7/7/1K5/1T5/7/2Tt3/1t5/"
    state, log = play(opened(rules), "b7-b6")
    assert isinstance(log[0], Moved)
    assert log[0].again
    assert names_of(log[0].captured) == ["c6"]
    assert (state.turn, state.berserk) == (Seat(0), action(state, "b6-b5").start)
    for text, code in (("b3-b2", "illegal_side_berserker"), ("d6-d5", "illegal_move_berserker")):
        with pytest.raises(Refused) as refused:
            GAME.decide(state, Seat(0), action(state, text), ANY)
        assert refused.value.code == code
    state, log = play(state, "b6-b5")
    assert isinstance(log[0], Moved)
    assert log[0].record == "b6=b5"
    assert state.turn == Seat(1), "who captures nothing has done"


def names_of(spaces: tuple[int, ...]) -> list[str]:
    return names(sum(1 << space for space in spaces), 7)


# Endings


def test_the_third_occurrence_counts_as_the_rules_say() -> None:
    there_and_back = ("d2-c2", "d3-c3", "c2-d2", "c3-d3")
    for letter, winner in (("d", None), ("w", Seat(0)), ("l", Seat(1))):
        state, log = play(opened(BRANDUB.replace("atkf:y", f"atkf:y tfr:{letter}")), *there_and_back * 2)
        assert log[-1] == Ended(winner, "repetition"), letter
        assert GAME.awaited(state) == ()
    state, _ = play(opened(BRANDUB.replace("atkf:y", "atkf:y tfr:i")), *there_and_back * 4)
    assert GAME.outcome(state) is None
    assert state.seen == (), "what does not count is not remembered"


def test_whoever_cannot_move_loses() -> None:
    rules = "dim:5 ks:w surf:n start:/2Tt1/3T1/2T2/2KT1/5/"
    state, log = play(opened(rules.replace("surf:n", "surf:n atkf:n")), "d4-e4")
    assert log[-1] == Ended(Seat(1), "no_moves")
    assert GAME.outcome(state) is not None


def test_resigning_running_out_of_time_and_agreeing_end_the_game() -> None:
    state = opened()
    assert GAME.quit(state, Seat(1), ANY) == (Ended(Seat(0), "resigned"),)
    assert GAME.flag(state, Seat(0), ANY) == (Ended(Seat(1), "time"),)
    assert GAME.draw(state) == (Ended(None, "agreed"),)
    over = GAME.evolve(state, Ended(None, "agreed"))
    with pytest.raises(Refused):
        GAME.decide(over, Seat(0), action(state, "d2-c2"), ANY)
    assert set(msgspec.json.schema(Ended)["$defs"]["Ended"]["properties"]["reason"]["enum"]) == set(WHY)


def test_all_kings_must_be_captured_and_one_that_escapes_is_enough() -> None:
    two = "dim:7 ks:w surf:n cor: cen: esc:e start:/3t3/7/1tK4/4t2/2K4/5t1/7/"
    state, log = play(opened(two), "e4-e3", "c5-c4", "e3-d3")
    assert isinstance(log[-1], Moved)
    assert [names_of(event.captured) for event in log if isinstance(event, Moved)][-1] == ["c3"]
    assert GAME.outcome(state) is None, "there is another king"
    _, log = play(state, "c4-a4")
    assert log[-1] == Ended(Seat(1), "escape")


# What no recorded case has


def test_guards_jump_where_they_may_and_are_jumped_over_unharmed() -> None:
    rules = "dim:7 gj:c nj:c surf:n cor: cen: start:/7/1gT4/7/1Nt4/7/3K2t/7/"
    assert "b2-d2" in possible(rules)
    on = compiled(rules)
    following = after(on, on.start(), move_named("b2-d2", 7))
    assert names(following.captured, 7) == ["c2"]
    knights = "dim:7 nj:c surf:n atkf:n cor: cen: start:/7/7/7/1Ng4/7/3K2t/7/"
    on = compiled(knights)
    following = after(on, on.start(), move_named("b4-d4", 7))
    assert following.captured == 0
    assert str(record_of(on, on.start(), move_named("b4-d4", 7), 0)) == "Nb4^d4"


def test_a_restricted_jump_begins_or_ends_on_a_special_space() -> None:
    rules = "dim:7 kj:r surf:n atkf:n cen: cor:a1, start:/1tK1tt1/7/K1t4/7/7/7/t6/"
    jumps = possible(rules)
    assert "c1-a1" in jumps
    assert "c1-c5" not in jumps
    assert possible(rules.replace("kj:r", "kj:j")).count("c1-c5") == 0, "only one is jumped over"


@pytest.mark.parametrize(
    ("speeds", "farthest"),
    [("2", "b1-d1"), ("2,1", "b1-d1"), ("2,1,1,1,1,1,1,1,1,1", "b1-d1"), ("0", "b1-g1"), ("-1,1", "b1-g1")],
)
def test_speeds_limit_how_far_pieces_go(speeds: str, farthest: str) -> None:
    rules = f"dim:7 spd:{speeds} cor: surf:n start:/1t5/7/7/3K3/7/7/7/"
    assert max(move for move in possible(rules) if move.startswith("b1") and move.endswith("1")) == farthest


def test_a_mercenary_changes_sides_and_counts_as_captured() -> None:
    rules = "dim:7 ks:w surf:n cor: cen: esc:e start:/7/7/7/t1Mt3/7/3K3/1t5/"
    state, log = play(opened(rules), "a4-b4")
    assert isinstance(log[0], Moved)
    assert (log[0].record, names_of(log[0].captured)) == ("a4-b4xMc4", ["c4"])
    assert state.board[log[0].captured[0]] == "m"
    assert len(state.seen) == 2, "no piece has gone, so what was may come again"


def test_a_fort_of_the_defenders_may_be_closed_to_attackers() -> None:
    rules = "dim:7 dfor:c1,d1 surf:n cor: start:/1t5/7/7/3K3/7/7/7/"
    assert "b1-a1" in possible(rules)
    assert not {"b1-c1", "b1-d1"} & set(possible(rules)), "who may not stop may pass"
    assert "b1-e1" in possible(rules)
    assert "b1-e1" not in possible(rules.replace("surf:n", "surf:n dforp:TCNKM"))


def test_of_two_areas_the_later_counts() -> None:
    rules = "dim:7 cor:c1, afor:c1, surf:n start:/1t5/7/7/3K3/7/7/7/"
    assert "b1-c1" in possible(rules), "attackers may stop on their fort"


# Quirks


def test_a_table_for_existing_clients_plays_by_what_they_read() -> None:
    two_speeds = "dim:7 spd:1,2, cor: surf:n start:/1t5/7/7/3K3/7/7/7/"
    assert "b1-g1" not in possible(two_speeds)
    on = compiled(two_speeds, True)
    assert move_named("b1-g1", 7) in moves(on, on.start())
    ignored = opened(BRANDUB.replace("atkf:y", "atkf:y tfr:i"), quirks=True)
    _, log = play(ignored, *("d2-c2", "d3-c3", "c2-d2", "c3-d3") * 2)
    assert log[-1] == Ended(None, "repetition")


def test_who_has_not_moved_yet_is_known_only_where_it_matters() -> None:
    assert opened().fresh == ()
    state = opened(quirks=True)
    assert len(state.fresh) == 13
    state, _ = play(state, "d2-c2")
    assert len(state.fresh) == 12
    assert shown(state.on, state.position).count("t") == 8


def test_the_bot_wins_when_it_can() -> None:
    rules = "dim:7 esc:e cor: surf:n ks:w atkf:n start:/t6/7/7/3K3/7/7/t6/"
    state = opened(rules)
    for seed in range(5):
        move = GAME.choose(state, Seat(1), "casual", Random(seed))
        on = state.on
        end = ending(on, after(on, state.position, move.start << SHIFT | move.end))
        assert end is not None
        assert end.winner == 1


def test_what_is_remembered_of_moves_has_a_limit_and_forgetting_changes_nothing(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    on = Compiled(parse_rules(BRANDUB))
    position = on.start()
    expected = [sorted(moves(on, after(on, position, move))) for move in moves(on, position)]
    monkeypatch.setattr(movement, "_MOST_SETS", 2)
    small = Compiled(parse_rules(BRANDUB), lines=5)
    assert [sorted(moves(small, after(small, position, move))) for move in moves(small, position)] == expected
    room = small.ways["t"][position.attackers][0][1].room
    assert sum(len(line() or ()) for line in room.lines) <= 6
    assert len(small.ways["T"]) <= 3
