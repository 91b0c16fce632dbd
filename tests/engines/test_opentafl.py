"""The OpenTafl Engine Protocol without any process: our side of it, and our bot on the other."""

from random import Random

import pytest
from tests.games.support.tafl_tables import SMALL, move_named

from gamut.engines.conversation import CannotAsk, Heard
from gamut.engines.opentafl.host import Host, moved_since
from gamut.engines.opentafl.lines import for_one_move, layout_of, parse_clock
from gamut.engines.opentafl.player import Player
from gamut.games.game import Seat
from gamut.games.tafl.notation import BadNotation
from gamut.games.tafl.options import TaflOptions
from gamut.games.tafl.records import parse_record
from gamut.games.tafl.rules import Tafl
from gamut.games.tafl.state import Move, Moved, TaflState
from gamut.games.tafl.variants import rules_by_name

GAME = Tafl()
BRANDUB = rules_by_name()["brandub"]


def begun(rules: str = BRANDUB) -> TaflState:
    return GAME.replay(GAME.begin(GAME.checked(TaflOptions(rules=rules)), 2, Random(0)))


def action(text: str, size: int = 7) -> Move:
    move = move_named(text, size)
    return Move(move >> 9, move & 511)


def played(state: TaflState, move: Move) -> TaflState:
    assert state.turn is not None
    for event in GAME.decide(state, state.turn, move, Random(0)):
        state = GAME.evolve(state, event)
    return state


def greeted() -> Host:
    host = Host()
    host.hear(b"hello\n")
    return host


def test_an_engine_hears_the_rules_first_and_is_asked_when_it_has_greeted() -> None:
    host, state = Host(), begun()
    assert host.ask(state, Seat(0), 1, 1500) == f"rules {BRANDUB}\n".encode()
    assert not host.greeted
    assert host.hear(b"Loading things...\n") == Heard()
    assert host.hear(b"hello\n").say == b"clock 1500* 1500* 2 1 1\nplay attackers\n"
    assert host.greeted


def test_a_move_is_accepted_with_the_position_after_it_and_the_next_question_tells_the_answer_to_it() -> None:
    host, state = greeted(), begun()
    host.ask(state, Seat(0), 1, 1500)
    heard = host.hear(b"move d1-a1xb1++\n")
    assert heard.action is None, "corners are not for attackers"
    heard = host.hear(b"move d1-b1\n")
    assert heard == Heard(b"move /1t5/3t3/3T3/ttTKTtt/3T3/3t3/3t3/\n", action("d1-b1"))
    state = played(played(state, action("d1-b1")), action("d3-b3"))
    assert host.ask(state, Seat(0), 1, 900) == (
        f"opponent-move d3-b3 {layout_of(state)}\nclock 900* 900* 1 1 1\nplay attackers\n".encode()
    )


def test_an_engine_that_wants_full_records_gets_them() -> None:
    host, state = greeted(), begun()
    host.hear(b"simple-moves off\n")
    host.ask(state, Seat(0), 1, 1500)
    host.hear(b"move d1-b1\n")
    state = played(played(state, action("d1-b1")), action("c4-c1"))
    assert b"opponent-move c4-c1xb1 " in host.ask(state, Seat(0), 1, 900)
    host.hear(b"move d7-b7\n")
    state = played(played(state, action("d7-b7")), action("d4-c4"))
    assert b"opponent-move Kd4-c4 " in host.ask(state, Seat(0), 1, 900)


def test_an_engine_that_is_asked_about_another_game_is_told_of_a_new_one() -> None:
    host, state = greeted(), begun()
    host.ask(state, Seat(0), 1, 1500)
    host.hear(b"move d1-b1\n")
    other = played(begun(), action("a4-a3"))
    asked = host.ask(other, Seat(1), 1, 100)
    assert asked.startswith(b"rules dim:7 name:Brandub surf:n atkf:n ks:w cenh: cenhe: start:/3t3/3t3/t2T3/")
    assert asked.endswith(b"play defenders\n")


def test_an_illegal_move_is_refused_once_and_then_the_game_is_given_up() -> None:
    host, state = greeted(), begun()
    host.ask(state, Seat(0), 1, 1500)
    first = host.hear(b"move d1-d7\n")
    assert not first.answers
    assert first.say.startswith(b"error 2 ")
    assert first.say.endswith(b"clock 1500* 1500* 2 1 1\nplay attackers\n")
    second = host.hear(b"move d3-c3\n")
    assert second.resigns
    assert second.say.startswith(b"error 1 ")
    assert host.hear(b"move d1-b1\n") == Heard(), "nobody has asked"


@pytest.mark.parametrize(
    "line", [b"move\n", b"move over there\n", b"move z9-z8\n", b"move s19-s1\n", b"move \xff\n"]
)
def test_a_move_that_is_none_counts_as_illegal(line: bytes) -> None:
    host = greeted()
    host.ask(begun(), Seat(0), 1, 1500)
    assert host.hear(line).say.startswith(b"error 2 ")
    assert host.hear(line).resigns


@pytest.mark.parametrize("line", [b"move ---\n", b"error -1 out of memory\n"])
def test_an_engine_may_resign(line: bytes) -> None:
    host = greeted()
    host.ask(begun(), Seat(0), 1, 1500)
    assert host.hear(line).resigns


@pytest.mark.parametrize(
    "line",
    [
        b"status thinking\n",
        b"error 0 careful\n",
        b"analysis 0\n",
        b"\n",
        b"\xfe\xff\n",
        b"helloo\n",
        b"play\n",
    ],
)
def test_what_is_no_answer_is_passed_over(line: bytes) -> None:
    host = greeted()
    host.ask(begun(), Seat(0), 1, 1500)
    assert host.hear(line) == Heard()


def test_an_engine_may_ask_for_what_it_was_told() -> None:
    host, state = greeted(), begun()
    host.ask(state, Seat(0), 1, 1500)
    assert host.hear(b"rules\n").say == f"rules {BRANDUB}\n".encode()
    assert host.hear(b"position\n").say == f"position {layout_of(state)}\n".encode()
    assert host.hear(b"clock\n").say == b"clock 1500* 1500* 2 1 1\n"


def test_a_capture_that_goes_on_is_asked_for_without_a_word_about_the_other_side() -> None:
    rules = "dim:7 ks:w surf:n ber:m start:/7/t1Tt3/7/7/3K3/7/7/"
    host, state = greeted(), begun(rules)
    host.ask(state, Seat(0), 1, 1500)
    heard = host.hear(b"move a2-b2\n")
    assert heard.answers
    state = played(state, action("a2-b2"))
    assert state.berserk is not None
    assert host.ask(state, Seat(0), 1, 700) == b"clock 700* 700* 1 1 1\nplay attackers\n"
    with pytest.raises(CannotAsk):
        greeted().ask(state, Seat(0), 1, 700)


@pytest.mark.parametrize("rules", [*SMALL, BRANDUB, rules_by_name()["berserk"]])
def test_what_the_other_side_did_is_found_from_two_positions(rules: str) -> None:
    for seed in range(4):
        chance, state = Random(seed), begun(rules)
        turns: list[TaflState] = [state]
        records: list[list[str]] = []
        while state.turn is not None and len(turns) < 20:
            mover, made = state.turn, []
            while state.turn == mover:
                events = GAME.decide(state, mover, chance.choice(GAME.legal(state, mover)), chance)
                for event in events:
                    state = GAME.evolve(state, event)
                made += [event.record for event in events if isinstance(event, Moved)]
            turns.append(state)
            records.append(made)
        for before, now, made in zip(turns, turns[1:], records, strict=False):
            if now.turn is None:
                continue
            found = moved_since(before, now, 1 if now.turn else 0)
            assert found is not None
            again = before
            for record in found:
                again = played(again, action(parse_record(record).simple, _size(rules)))
            assert again.board == now.board, made


def _size(rules: str) -> int:
    return int(rules.split()[0].removeprefix("dim:"))


# Our own bot on the other side


def answers(player: Player, lines: bytes) -> bytes:
    return "".join(f"{answer}\n" for line in lines.splitlines() for answer in player.hear(line)).encode()


@pytest.mark.parametrize("rules", [*SMALL, BRANDUB])
def test_our_bot_plays_whole_games_as_an_engine_on_both_sides(rules: str) -> None:
    state = begun(rules)
    pairs = [(greeted(), Player("casual", Random(seat))) for seat in range(2)]
    for _ in range(300):
        if state.turn is None:
            break
        host, player = pairs[state.turn]
        try:
            said = answers(player, host.ask(state, state.turn, 1, 5))
        except CannotAsk:
            pytest.fail("each engine sees one game only, and all of it")
        heard = [host.hear(line + b"\n") for line in said.splitlines()]
        (found,) = [each for each in heard if each.answers]
        assert not found.resigns, said
        assert found.action in GAME.legal(state, state.turn)
        assert answers(player, found.say) == b"", "it agrees about the position after its move"
        state = played(state, found.action)
    assert b"goodbye" in pairs[0][0].farewell()


def test_our_bot_ends_with_goodbye_and_says_what_it_did_not_understand() -> None:
    player = Player("casual", Random(1))
    assert answers(player, b"play attackers\n").startswith(b"error 0 ")
    assert answers(player, b"rules dim:8\n").startswith(b"error 0 ")
    assert answers(player, b"\xff\xfe what\n") == b""
    assert not player.ended
    answers(player, b"finish 0\ngoodbye\n")
    assert player.ended


def test_our_bot_takes_the_position_it_is_told_for_what_it_is() -> None:
    player = Player("sensible", Random(1))
    answers(player, f"rules {BRANDUB}\n".encode())
    # A move that nobody could make, and the board of another one.
    answers(player, b"opponent-move a1-a7 /3t3/3t3/t2T3/1tTKTtt/3T3/3t3/3t3/\n")
    said = answers(player, b"clock 1000 1000 10 3 3\nplay defenders\n")
    assert said.startswith(b"move ")


def test_our_bot_analyses() -> None:
    player = Player("strong", Random(1))
    answers(player, f"rules {BRANDUB}\nside attackers\n".encode())
    word, count, first, value, second, *_ = answers(player, b"analyze 2 1\n").decode().split(" ")
    assert (word, count) == ("analysis", "2")
    assert first.split("|")[0] != second.split("|")[0]
    int(value)
    assert answers(player, b"analyze many 1\n").startswith(b"error 0 ")


@pytest.mark.parametrize("text", ["1500* 1500* 2 1 1", "300000 299000 30 3 3", "0 10* 0 0 1"])
def test_a_clock_is_read_as_it_is_written(text: str) -> None:
    assert str(parse_clock(text)) == text


@pytest.mark.parametrize("text", ["", "1 2", "1 2 3 4 5 6", "-1 2 3 4 5", "a b c d e", "1** 2 3 4 5"])
def test_a_clock_that_is_none_is_refused(text: str) -> None:
    with pytest.raises(BadNotation):
        parse_clock(text)


def test_a_clock_for_one_move_is_a_period_that_is_long_enough() -> None:
    assert str(for_one_move(1)) == "1* 1* 1 1 1"
    assert str(for_one_move(4000)) == "4000* 4000* 4 1 1"
