"""What is worked out in a quicker way for one move is what the whole rules say."""

from random import Random

import pytest

from gamut.games.tafl import endings
from gamut.games.tafl.compiled import Compiled, compiled
from gamut.games.tafl.decide import folded
from gamut.games.tafl.options import TaflOptions
from gamut.games.tafl.play import after, can_move, moves
from gamut.games.tafl.position import END, SHIFT, move_of, spaces_of
from gamut.games.tafl.records import record_of, written_move
from gamut.games.tafl.rules import Tafl
from gamut.games.tafl.rules_text import parse_rules
from gamut.games.tafl.variants import rules_by_name

GAME = Tafl()
RULES = tuple(rules_by_name().values())
SLOW = RULES[0].replace("start:", "tspd:2 kspd:1 start:")
NO_CENTRE = RULES[0].replace("start:", "cenp: cens: start:")


@pytest.mark.parametrize("quirks", [False, True])
def test_what_a_decided_move_leads_to_is_what_its_events_lead_to(quirks: bool) -> None:
    chance = Random(7)
    for rules in RULES:
        events = [*GAME.begin(TaflOptions(rules=rules, quirks=quirks).checked(), 2, chance)]
        state = folded(events)
        for _ in range(30):
            if state.turn is None:
                break
            happened = GAME.decide(state, state.turn, chance.choice(GAME.legal(state, state.turn)), chance)
            for event in happened:
                state = GAME.evolve(state, event)
            events += happened
        again = folded(events)
        assert state == again
        assert state.position == again.position


def test_one_move_is_legal_if_it_is_among_all_legal_moves() -> None:
    chance = Random(7)
    for rules in (*RULES, SLOW, NO_CENTRE):
        on = compiled(rules)
        for fill in (0.1, 0.3, 0.6):
            board = "".join(chance.choice(on.letters) if chance.random() < fill else "." for _ in on.bits)
            for turn in (0, 1):
                position = on.position(board, 1 if turn else 0)
                legal = set(moves(on, position))
                for start in spaces_of(position.defenders if turn else position.attackers):
                    ends = {end for end in range(len(board)) if can_move(on, position, start, end)}
                    assert {move_of(start, end) for end in ends} == {
                        move for move in legal if move >> SHIFT == start
                    }


def test_a_plain_move_is_written_as_any_other_is() -> None:
    chance = Random(7)
    captures = 0
    for rules in RULES:
        on = compiled(rules)
        position = on.start()
        for _ in range(200):
            possible = moves(on, position)
            if not possible:
                break
            for move in chance.sample(possible, min(5, len(possible))):
                following = after(on, position, move)
                captured = following.captured
                written = str(record_of(on, position, move, captured))
                assert written_move(on, position, move, captured) == written
                captures += "x" in written
            position = following
    assert captures > 300


def test_a_fort_is_not_overlooked() -> None:
    chance = Random(7)
    found = 0
    for rules in RULES:
        on, with_care = Compiled(parse_rules(rules)), Compiled(parse_rules(rules))
        with_care.king_walks_everywhere = False
        for _ in range(60):
            position = on.position(_castle(on, chance), 0)
            is_fort = endings.has_fort(with_care, position)
            assert endings.has_fort(on, position) == is_fort
            found += is_fort
    assert found > 100


def test_defenders_who_walk_are_not_encircled_by_that() -> None:
    chance = Random(7)
    tried = found = 0
    for rules in RULES:
        on = compiled(rules)
        for _ in range(60):
            position = on.position(_siege(on, chance), 1)
            if on.leaps or position.others or endings.ending(on, position) is not None:
                continue
            for move in moves(on, position):
                following = after(on, position, move)
                tried += 1
                assert endings.ending(on, following, arrived=move & END) == endings.ending(on, following)
            attacking = on.position(on.board_of(position), 0)
            for move in moves(on, attacking):
                end = endings.ending(on, after(on, attacking, move), arrived=move & END)
                found += end is not None and end.reason == "encircled"
    assert tried > 1000
    assert found > 10


def test_an_attacker_encircles_nobody_without_two_others_beside_it() -> None:
    chance = Random(11)
    alone = found = 0
    for rules in RULES:
        on = compiled(rules)
        for make in (_siege, _castle, _skirmish):
            for _ in range(40):
                position = on.position(make(on, chance), 0)
                if on.leaps or endings.ending(on, position) is not None:
                    continue
                for move in moves(on, position):
                    following, arrived = after(on, position, move), move & END
                    end = endings.ending(on, following)
                    assert endings.ending(on, following, arrived=arrived) == end
                    alone += (following.attackers & on.near[arrived]).bit_count() < 2
                    found += end is not None and end.reason == "encircled"
    assert alone > 1000
    assert found > 10


def _siege(on: Compiled, chance: Random) -> str:
    """Defenders around the middle, and a ring of attackers with a gap or two, for which there are others outside."""
    size = on.size
    board = ["."] * (size * size)
    middle = size // 2
    ring = []
    for space in range(size * size):
        away = max(abs(space % size - middle), abs(space // size - middle))
        if away == middle - 1:
            board[space] = "t"
            ring.append(space)
        elif (away == middle and chance.random() < 0.2) or (away < middle - 1 and chance.random() < 0.1):
            board[space] = "t" if away == middle else "T"
    for space in chance.sample(ring, chance.choice((1, 1, 2))):
        board[space] = "."
    board[size * size // 2] = "K"
    return "".join(board)


def _skirmish(on: Compiled, chance: Random) -> str:
    """A few defenders among many attackers, who have left ways between them."""
    crowd = chance.uniform(0.3, 0.6)
    board = ["t" if chance.random() < crowd else "." for _ in on.bits]
    inner = [*spaces_of(on.board & ~on.edge)]
    for space in chance.sample(inner, chance.randint(1, 4)):
        board[space] = "T"
    board[chance.choice(inner)] = "K"
    return "".join(board)


def _castle(on: Compiled, chance: Random) -> str:
    """A king at an edge, most of a wall around him, and attackers beyond it, sometimes also where the wall has gaps."""
    size = on.size
    board = ["."] * (size * size)
    king = chance.choice([*spaces_of(on.edge)])
    gaps = chance.random() < 0.4
    for space in range(size * size):
        away = max(abs(space % size - king % size), abs(space // size - king // size))
        if away == 2 and chance.random() < 0.95:
            board[space] = chance.choice(".t") if gaps and on.edge >> space & 1 else "T"
        elif away > 2 and chance.random() < 0.1:
            board[space] = "t"
    board[king] = "K"
    return "".join(board)
