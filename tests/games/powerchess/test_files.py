"""Games of Power Chess as files: text like that of chess, and JSON."""

import json
from contextlib import suppress
from random import Random
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from msgspec.structs import replace

from gamut.games.files import BadFile, PlayedGame, Player, TimeControl, Turn
from gamut.games.game import Seat
from gamut.games.powerchess.files.formats import PowerChessFiles
from gamut.games.powerchess.files.record import Record
from gamut.games.powerchess.options import PowerChessOptions
from gamut.games.powerchess.rules import PowerChess
from gamut.games.powerchess.state import Offered

GAME, FILES = PowerChess(), PowerChessFiles()
BEGAN = 1_700_000_000_000
SHORT = """\
[Variant "Power Chess"]
[White "Ann"]
[Black "Bob"]
[Result "0-1"]

1. e2-e4 d7-d5 {[%box d4 common] a box!} 2. e4xd5 Qd8-d6 3. Qd1-e2 {[%box e4 rare]} Qd6-b4
4. Qe2-e4 {[%box c3 common] [%offer shield swap]}
"""


def a_game(seed: int, *, boxes: bool = True, end: str = "") -> PlayedGame:
    """Random play, by one that looks ahead and one that does not; perhaps broken off by an end of another kind."""
    chance = Random(seed)
    options = PowerChessOptions(boxes=boxes)
    events = tuple(GAME.begin(options, 2, chance))
    state, moment = GAME.replay(events), BEGAN
    turns = [Turn(moment, events)]
    while state.turn is not None:
        moment += chance.randrange(5_000)
        seat: Seat | None = state.turn
        why: Any = "acted"
        if end and len(turns) > 30:
            seat = Seat(chance.randrange(2))
            if end == "agreed":
                seat, why, events = None, "agreed", tuple(GAME.draw(state))
            elif end == "time":
                why, events = "flagged", tuple(GAME.flag(state, seat, chance))
            else:
                why, events = "quit", tuple(GAME.quit(state, seat, chance))
        else:
            level = ("sensible", "casual")[state.turn]
            action = GAME.choose(state, state.turn, level, chance)
            events = tuple(GAME.decide(state, state.turn, action, chance))
        turns.append(Turn(moment, events, seat, why))
        for event in events:
            state = GAME.evolve(state, event)
    return PlayedGame(
        options=options,
        seats=2,
        players=(Player('Ann "the \\ queen"'), Player(level="casual")),
        turns=turns,
        state=state,
        opened=BEGAN,
        clock=TimeControl(style="bank", main=300_000, increment=5_000),
    )


def text_of(played: PlayedGame) -> str:
    return FILES.write(FILES.recorded(played), "pgn").decode()


def read(text: str) -> Record:
    (record,) = FILES.read(text.encode())
    return record


@pytest.mark.parametrize("seed", range(30))
def test_a_game_comes_back_from_its_files_exactly_as_it_was(seed: int) -> None:
    played = a_game(seed, boxes=seed % 10 != 0, end=("", "", "resigned", "time", "agreed")[seed % 5])
    record = FILES.recorded(played)
    for ending in ("pgn", "json"):
        data = FILES.save(record, ending)
        assert FILES.recognises(data)
        assert list(FILES.load(data)) == [record]
    again = FILES.played(record)
    assert again.turns == played.turns
    assert (again.state, again.options, again.clock) == (played.state, played.options, played.clock)
    assert [player.name for player in again.players if player] == ['Ann "the \\ queen"', "Bot (casual)"]


def test_lines_are_no_longer_than_a_screen_is_wide() -> None:
    assert max(map(len, text_of(a_game(3)).splitlines())) <= 110


def test_moves_may_be_written_shorter_and_without_numbers() -> None:
    text = '[Variant "Power Chess"]\n[Boxes "none"]\n\ne2e4 e7e5 {who knows} Ng1f3 *'
    record = read(text)
    assert [action.move for action in record.actions] == ["e2e4", "e7e5", "Ng1f3"]
    assert record.actions[1].comment == "who knows"
    assert FILES.played(record).state.board[21] == "N"


def test_a_file_of_somebody_who_saw_no_offers_can_be_looked_at() -> None:
    played = a_game(1)
    seen = [
        Turn(
            turn.at,
            tuple(GAME.view(event, Seat(1)) for event in turn.events),
            turn.seat,
            turn.why,
        )
        for turn in played.turns
    ]
    record = FILES.recorded(replace(played, turns=seen))
    offers = [action.offer for action in record.actions if action.offer]
    assert ("?", "?") in offers
    assert FILES.load(FILES.save(record, "json")) == (record,)
    again = FILES.played(record)
    assert again.state == played.state
    hidden = [
        event
        for turn in again.turns
        for event in turn.events
        if isinstance(event, Offered) and event.seat == 0
    ]
    assert hidden
    assert all(event.powers[1] == "unseen" for event in hidden)


@pytest.mark.parametrize(
    ("old", "new", "reason"),
    [
        ("2. e4xd5", "2. e4xd9", "Line 6, column 45: 'e4xd9' is no move such as"),
        ("d7-d5", "d7-d5}", "Line 6, column 15: There is a bracket or a brace that nothing opens."),
        ('[Black "Bob"]', '[Black "Bob]', "Line 3, column 1: A tag is a name and a text"),
        ('[Black "Bob"]', '[White "Bob"]', "Line 3, column 1: The tag White is there already."),
        ("[%box d4 common]", "[%bux d4 common]", "Line 6, column 17: [%bux d4 common] is no command"),
        ("[%box d4 common]", "[%box d4", "Line 6, column 17: A command is a word"),
        ("[%offer shield swap]}", "[%offer shield swap]", "Line 7, column 11: This brace is never closed."),
    ],
)
def test_what_cannot_be_read_is_refused_with_its_place(old: str, new: str, reason: str) -> None:
    assert old in SHORT
    with pytest.raises(BadFile) as bad:
        FILES.read(SHORT.replace(old, new).encode())
    assert bad.value.trouble == "damaged"
    assert reason in bad.value.reason


@pytest.mark.parametrize(
    ("old", "new", "reason"),
    [
        ("2. e4xd5", "2. e4-d5", "Move 2, e4-d5: This move is e4xd5."),
        ("2. e4xd5", "2. Qe4xd5", "Move 2, Qe4xd5: This move is e4xd5."),
        ("2. e4xd5", "2. e4-f5", "Move 2, e4-f5: The pawn on e4 cannot move to f5."),
        ("d4 common", "d5 common", "Move 1..., d7-d5: Chance cannot have chosen d5."),
        ("d4 common", "d4 cheap", "Move 1..., d7-d5: 'cheap' is no kind of box."),
        ("{[%box d4 common] a box!}", "", "Move 2..., Qd8-d6: There are at most four moves"),
        ("shield swap", "energize energize", "Move 4, Qe2-e4: These two powers cannot have been offered."),
        ("shield swap", "shield swap", "Move 4, Qe2-e4: These two powers cannot have been offered."),
        ("shield swap", "energize luck", "Move 4, Qe2-e4: 'luck' is no power."),
        ("[%offer shield swap]", "", "Move 4, Qe2-e4: A box was taken: two powers are offered."),
        (
            "[%offer shield swap]",
            "[%offer energize black_hole] [%use energize e2]",
            "Energize needs no square.",
        ),
        ("[%offer shield swap]", "[%offer energize black_hole] [%use shield]", "You can choose between"),
        ("[%offer shield swap]", "[%offer energize black_hole]", "The result is *, and not 0-1."),
        (
            "[%offer shield swap]",
            "[%offer energize black_hole] [%use energize] [%drawn a1]",
            "What it says of chance, or of a target, is not what the rules ask for.",
        ),
        ("Power Chess", "Horde", "This is a game of Horde, not one of Power Chess."),
    ],
)
def test_what_is_against_the_rules_is_refused_with_its_move(old: str, new: str, reason: str) -> None:
    text = SHORT.replace(old, new)
    with pytest.raises(BadFile) as bad:
        FILES.played(read(text))
    assert reason in bad.value.reason


def test_an_end_that_is_no_move_is_a_command() -> None:
    resigned = SHORT.replace("[%offer shield swap]", "[%offer energize black_hole] [%end white resigned]")
    state = FILES.played(read(resigned)).state
    assert state.ending is not None
    assert (state.ending.winner, state.ending.reason) == (1, "resigned")
    with pytest.raises(BadFile, match="The game is over"):
        FILES.played(read(resigned + "5. a2-a3"))


def test_json_with_what_no_text_can_hold_is_refused() -> None:
    found = json.loads(FILES.as_json(read(SHORT)))
    for change in (
        {"comment": "a } brace"},
        {"comment": "two\nlines"},
        {"move": "e2-e4 e7-e5"},
        {"box": "d4"},
        {"unknown": 1},
        {"millis": -1},
        {"comment": "\ud800"},
    ):
        changed = {**found, "actions": [{**found["actions"][0], **change}, *found["actions"][1:]]}
        with pytest.raises(BadFile):
            FILES.played(FILES.from_json(json.dumps(changed).encode()))
    with pytest.raises(BadFile) as bad:
        FILES.from_json(json.dumps({**found, "format": "powerchess 2"}).encode())
    assert bad.value.trouble == "version"


GAMES = [FILES.recorded(a_game(seed)) for seed in range(4)]


def examined(data: bytes) -> None:
    """Whatever it is: it is read, played and told, or BadFile says what is wrong."""
    try:
        (record,) = FILES.load(data)
    except BadFile:
        return
    assert list(FILES.load(FILES.save(record, "pgn"))) == [record]
    assert list(FILES.load(FILES.save(record, "json"))) == [record]
    with suppress(BadFile):
        list(FILES.tell(record))
        FILES.recorded(FILES.played(record))


@settings(max_examples=300)
@given(
    st.sampled_from(GAMES),
    st.sampled_from(["pgn", "json"]),
    st.lists(
        st.tuples(
            st.floats(0, 1),
            st.integers(0, 12),
            st.binary(max_size=6)
            | st.sampled_from([b"{", b"}", b"[%", b"]", b'"', b"e4", b"\\", b"swap", b"x"]),
        ),
        min_size=1,
        max_size=4,
    ),
)
def test_a_file_that_was_tampered_with_never_fails_otherwise(
    record: Record, ending: str, changes: list[tuple[float, int, bytes]]
) -> None:
    data = FILES.save(record, ending)
    for where, gone, put in changes:
        place = int(where * len(data))
        data = data[:place] + put + data[place + gone :]
    examined(data)


@settings(max_examples=300)
@given(st.binary(max_size=200) | st.text(alphabet='[]{}%"\\ 1.eExd5-=Q\n', max_size=120).map(str.encode))
def test_anything_at_all_is_read_or_refused(data: bytes) -> None:
    examined(data)
    examined(b'[Variant "Power Chess"]\n' + data)


@pytest.mark.parametrize("data", [b"", b" \r\n", "\ufeff\n".encode()])
def test_a_file_with_nothing_in_it_is_no_game_of_any_kind(data: bytes) -> None:
    with pytest.raises(BadFile) as bad:
        FILES.read(data)
    assert (bad.value.trouble, bad.value.reason) == ("damaged", "There is no game in this file.")


@pytest.mark.parametrize(
    "text",
    [
        '[Event "Casual"]\n[White "Ann"]\n[Result "1-0"]\n\n1. e4 e5 2. Nf3 Nc6 1-0\n',
        '\ufeff[Site "?"]\n[Variant "Standard"]\n\n1. d4 *\n',
        "1. e4 e5 2. Nf3 *",
        '[Event "Two of them"]\n\n1. e2-e4 *\n\n[Event "Two of them"]\n\n1. d4 *\n',
    ],
)
def test_an_ordinary_chess_game_is_told_what_is_different_about_those_of_power_chess(text: str) -> None:
    data = text.encode()
    assert FILES.recognises(data)
    with pytest.raises(BadFile) as bad:
        FILES.read(data)
    assert bad.value.trouble == "other_game"
    assert bad.value.reason.startswith("This is an ordinary chess game, not one of Power Chess.")
    assert '[Variant "Power Chess"]' in bad.value.reason
