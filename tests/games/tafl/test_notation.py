"""Tafl's notation: rules strings, positions, moves and game files, read and written."""

import json
from typing import Any

import pytest
from hypothesis import example, given
from hypothesis import strategies as st
from tests.games.support.tafl_tables import VECTORS, vectors
from tests.games.test_every_game import examples

from gamut.games.files import BadFile
from gamut.games.tafl.english import in_words
from gamut.games.tafl.files.formats import TaflFiles
from gamut.games.tafl.files.lines import main_line
from gamut.games.tafl.files.otg import parse_otg, written_otg
from gamut.games.tafl.files.record import Record
from gamut.games.tafl.files.times import (
    Times,
    parse_remaining,
    parse_times,
    split_comment,
    written_remaining,
)
from gamut.games.tafl.layout import parse_layout, written_layout
from gamut.games.tafl.notation import BadNotation, space_name, space_number
from gamut.games.tafl.pieces import EMPTY, LETTERS
from gamut.games.tafl.records import parse_record
from gamut.games.tafl.rules_text import parse_rules, written_rules
from gamut.games.tafl.ruleset import SIZES
from gamut.games.tafl.state import Moved
from gamut.games.tafl.variants import VARIANTS

BRANDUB = next(variant.rules for variant in VARIANTS if variant.name == "brandub")
FILES = TaflFiles()

# Rules strings


@pytest.mark.parametrize("case", vectors("rules.json"), ids=lambda case: case["id"])
def test_a_rules_string_is_written_canonically(case: Any) -> None:
    rules = parse_rules(case["input"])
    assert written_rules(rules) == case["emitted"]
    assert written_rules(rules, inverted=True) == case["emitted_inverted"]
    assert parse_rules(case["emitted"]) == parse_rules(case["emitted_inverted"])
    assert (rules.name, rules.size) == (case["name"], case["dim"])
    assert written_layout(rules.start, rules.size) == case["start_position"]
    assert sum(letter.islower() for letter in rules.start) == case["attackers"]
    assert sum(letter.isupper() for letter in rules.start) == case["defenders"]
    assert rules.attackers_first == (case["first"] == "attackers")


@pytest.mark.parametrize("variant", VARIANTS, ids=lambda variant: variant.name)
def test_the_named_variants_are_spelled_canonically(variant: Any) -> None:
    assert written_rules(parse_rules(variant.rules)) == variant.rules


def test_of_two_starts_the_inverted_one_counts_and_of_two_entries_the_later() -> None:
    one, other = "/2t2/5/2K2/5/5/", "/5/5/2K2/5/2t2/"
    assert parse_rules(f"dim:5 start:{other} starti:{other}").start == parse_layout(one, 5)
    assert parse_rules(f"dim:5 name:A name:B_C start:{one}").name == "B C"


def test_entries_may_come_in_any_order_and_on_several_lines() -> None:
    words = BRANDUB.split()
    assert parse_rules("\n".join(reversed(words))) == parse_rules(BRANDUB)


def test_default_is_a_list_as_usual_and_is_never_written() -> None:
    rules = parse_rules(BRANDUB.replace("cenh:", "cor:default corp:default cenh:"))
    assert written_rules(rules) == BRANDUB


@pytest.mark.parametrize("case", vectors("broken_rules.json"), ids=lambda case: case["text"][:60])
def test_whoever_misspells_rules_is_told_where_and_why(case: Any) -> None:
    with pytest.raises(BadNotation) as error:
        parse_rules(case["text"])
    assert (error.value.line, error.value.column) == (case["line"], case["column"])
    assert case["reason"] in error.value.reason


sizes = st.sampled_from(SIZES)


@examples(100)
@given(data=st.data(), size=sizes)
def test_a_position_is_the_same_after_it_was_written(data: st.DataObject, size: int) -> None:
    spaces = st.sampled_from([*LETTERS, *EMPTY * 20])
    board = "".join(data.draw(st.lists(spaces, min_size=size * size, max_size=size * size)))
    text = written_layout(board, size)
    assert parse_layout(text, size) == board
    assert written_layout(board, size, inverted=True).split("/") == text.split("/")[::-1]


@pytest.mark.parametrize("size", SIZES)
def test_every_space_has_one_name(size: int) -> None:
    names = [space_name(space, size) for space in range(size * size)]
    assert [space_number(name, size) for name in names] == list(range(size * size))
    assert all(
        space_number(name, size) is None for name in ("a0", "a01", "t1", f"a{size + 1}", "", "1a", "aa1")
    )


def values(key: str) -> st.SearchStrategy[str]:
    if key in ("cor", "cen", "afor", "dfor"):
        spaces = st.lists(st.sampled_from(["a1", "b2", "c3", "d4", "g7", "a7"]), unique=True)
        return spaces.map(lambda names: "".join(f"{name}," for name in names))
    if key == "spd":
        numbers = st.sampled_from([1, 2, 8, 10, 12]).flatmap(
            lambda count: st.lists(st.integers(-1, 9), min_size=count, max_size=count)
        )
        return numbers.map(lambda found: ",".join(map(str, found)))
    choices = {
        "esc": "ce", "tfr": "dwli", "ka": "yhan", "ks": "scmwyn", "sw": "nws", "ber": "ncm",
        "kj": "nrjc", "nj": "nrjc", "cj": "nrjc", "mj": "nrjc", "gj": "nrjc",
        "surf": "yn", "atkf": "yn", "swf": "yn", "efe": "yn", "linc": "yn",
    }  # fmt: skip
    if key in choices:
        return st.sampled_from(choices[key])
    return st.text(LETTERS, max_size=12)


KEYS = (
    "esc surf atkf tfr ka ks kj nj cj mj gj cor cen afor dfor spd corp cenp aforp dforp cors cens afors dfors "
    "corh cenh cenhe aforh dforh corre cenre aforre dforre sw swf efe linc ber"
)


def entry(key: str) -> st.SearchStrategy[str]:
    return values(key).map(lambda value: f"{key}:{value}")


rules_strings = st.lists(st.sampled_from(KEYS.split(" ")), unique=True).flatmap(
    lambda keys: st.tuples(*map(entry, keys))
)


@examples(200)
@given(entries=rules_strings)
def test_any_rules_are_the_same_after_they_were_written(entries: tuple[str, ...]) -> None:
    rules = parse_rules(" ".join(["dim:7", *entries, "start:/3t3/3t3/3T3/ttTKTtt/3T3/3t3/3t3/"]))
    text = written_rules(rules)
    # What is in the usual places may be named in another order: that is not written.
    assert written_rules(parse_rules(text)) == text
    assert all(line.endswith(".") for line in in_words(rules)), "every set of rules can be said in words"


# Moves


@pytest.mark.parametrize("case", vectors("in_words.json"), ids=lambda case: case["rules"][:30])
def test_the_server_says_rules_as_the_page_does(case: dict[str, Any]) -> None:
    assert list(in_words(parse_rules(case["rules"]))) == case["words"]


@pytest.mark.parametrize("case", vectors("move_strings.json"), ids=lambda case: case["text"])
def test_move_records_are_read_and_written(case: Any) -> None:
    if not case["ok"]:
        with pytest.raises(BadNotation):
            parse_record(case["text"])
        return
    record = parse_record(case["text"])
    assert (record.start, record.end) == (case["from"], case["to"])
    assert (record.piece or None, record.info or None) == (case["piece"], case["info"])
    assert (record.jump, record.berserk) == (case["jump"], case["berserk"])
    assert [taken.space for taken in record.captures] == case["captures"]
    assert str(record) == case["emitted"]


@pytest.mark.parametrize(
    ("record", "seen"),
    [
        ("Kf6-f1xf2/e1", "Kf6-f1xf2/e1"),
        ("Mc4-c5xd5", "c4-c5xd5"),
        ("c4-c5xmc6", "c4-c5"),
        ("a1-a2xb1/b2/b3/b4/b5", "a1-a2"),
        ("Nc3^c5xc4", "Nc3^c5xc4"),
    ],
)
def test_old_clients_see_no_letters_and_no_more_captures_than_they_know(record: str, seen: str) -> None:
    assert parse_record(record).for_old_clients() == seen


# Files


@pytest.mark.parametrize("kind", ["otg_plain", "otg_commented"])
@pytest.mark.parametrize("case", vectors("otg_emitted.json"), ids=lambda case: case["id"])
def test_files_of_another_program_are_written_byte_by_byte_as_they_were(case: Any, kind: str) -> None:
    data = case[kind].encode()
    (record,) = FILES.read(data)
    assert FILES.write(record, "otg") == data
    assert FILES.from_json(FILES.as_json(record)) == record
    made = [ply.text for ply in main_line(record).plies]
    assert [parse_record(text).simple for text in made] == case["moves"].split()
    assert [step.event.record for step in FILES.replay(record) if isinstance(step.event, Moved)] == made


PUZZLE = (VECTORS / "puzzle.otg").read_text(encoding="utf-8")


def test_a_file_with_variations_and_comments_is_written_as_it_was() -> None:
    record = parse_otg(PUZZLE)
    assert written_otg(record) == PUZZLE
    main = main_line(record)
    assert [ply.address for ply in main.plies] == ["1a", "1b", "2a"]
    assert [line.path for line in main.plies[0].variations] == ["1a.1."]
    (second,) = main.plies[1].variations
    assert [ply.address for ply in second.plies] == ["1b.1.1b", "1b.1.2a", "1b.1.2b"]
    assert [line.path for line in second.plies[1].variations] == ["1b.1.2a.1."]
    assert second.plies[0].comment == "(hint: look)"
    played = FILES.played(record)
    again = FILES.recorded(played)
    assert again.turns == record.turns, "nothing of it is lost on the way over the page"
    told = list(FILES.tell(record))
    begins_there = FILES.played(record).state.board
    assert parse_rules(told[-1]).start == begins_there, "whoever wants to go on from there can"
    assert not parse_rules(told[-1]).attackers_first
    assert any("not" in line for line in told)
    assert all(line.isprintable() for line in told)


def test_a_line_that_leaves_out_the_move_it_is_named_after_replaces_the_next() -> None:
    record = parse_otg(PUZZLE.replace("1b.1.1a.", "1a.2.1a.").replace("1b.1.2a.", "1a.2.2a."))
    main = main_line(record)
    assert [line.path for line in main.plies[1].variations] == ["1a.2."]


def test_lines_may_end_as_on_windows_and_texts_may_have_any_encoding() -> None:
    (record,) = FILES.read(PUZZLE.replace("\n", "\r\n").encode())
    assert record == parse_otg(PUZZLE)
    (other,) = FILES.read(PUZZLE.replace("Ann", "Zo\u00eb").encode("latin-1"))
    assert other.tag("attackers") == "Zo\u00eb"


def test_a_position_tag_says_where_the_game_starts() -> None:
    text = PUZZLE[: PUZZLE.index("\n1.")].replace(
        "[house-tag:a: b]", "[position:/3t3/7/3T3/ttTKTtt/3T3/7/3t3/]"
    )
    assert FILES.played(parse_otg(text)).state.board == parse_layout("/3t3/7/3T3/ttTKTtt/3T3/7/3t3/", 7)


@pytest.mark.parametrize(
    ("result", "termination", "winner", "reason"),
    [("1", "White resigns", 0, "resigned"), ("-1", "", 1, "recorded"), ("0", "draw agreed", None, "agreed")],
)
def test_how_a_game_ended_comes_from_its_tags_if_its_moves_do_not_tell(
    result: str, termination: str, winner: int | None, reason: str
) -> None:
    tags = f"[date:2026.01.02]\n[result:{result}]\n[termination:{termination}]"
    state = FILES.played(parse_otg(PUZZLE.replace("[date:2026.01.02]", tags))).state
    assert (state.ending.winner, state.ending.reason) == (winner, reason)


def test_giving_up_can_be_written_as_a_move() -> None:
    state = FILES.played(parse_otg(PUZZLE.replace("2. d1-b1 \n[]", "2. d1-b1 --- \n[|]"))).state
    assert (state.ending.winner, state.ending.reason) == (0, "resigned")


def test_an_unfinished_game_goes_on_with_its_moves_and_clocks() -> None:
    tags = "[time-control:300 30/3 5i]\n[time-remaining:250 30/3, 200 30/3]\n[attackers:Ann]"
    saved = FILES.resumption(PUZZLE.replace("[attackers:Ann]", tags).encode())
    assert saved.options.variant == "brandub"
    assert saved.options.moves == ("d2-a2", "d3-d2", "d1-b1")
    assert saved.clock is not None
    assert (saved.clock.main, saved.clock.length, saved.clock.periods, saved.clock.increment) == (
        300_000,
        30_000,
        3,
        5_000,
    )
    assert saved.left == (250_000, 200_000)
    tags = "[time-control:300 30/3 5i]\n[attackers:Ann]"
    saved = FILES.resumption(PUZZLE.replace("[attackers:Ann]", tags).encode())
    assert saved.left == (299_000, 300_000), "the last that a comment says, or all there was"
    with pytest.raises(BadFile):
        FILES.resumption(PUZZLE.replace("[attackers:Ann]", "[result:1]").encode())


def test_times_are_read_and_written() -> None:
    assert parse_times("300") == Times(300)
    assert parse_times("300 30/3") == Times(300, 30, 3)
    assert str(parse_times("300 30/3 5i")) == "300 30/3 5i"
    remaining = "250 30/3, 200 10/1"
    assert written_remaining(*parse_remaining(remaining)) == remaining
    assert split_comment("299 30/3 0i a good move") == (Times(299, 30, 3), "a good move")
    assert split_comment("3 times this position") == (None, "3 times this position")
    for bad in ("", "five", "300 30", "300 30/", "1 2/3 4", "300, 200"):
        with pytest.raises(BadNotation):
            parse_times(bad)


@pytest.mark.parametrize("case", vectors("broken_files.json"), ids=lambda case: case["why"])
def test_whoever_brings_a_damaged_file_is_told_where_and_why(case: Any) -> None:
    text = PUZZLE.replace(case["old"], case["new"])
    assert text != PUZZLE
    with pytest.raises(BadNotation) as error:
        main_line(parse_otg(text))
    if case["line"]:
        assert (error.value.line, error.value.column) == (case["line"], case["column"])
    assert case["reason"] in error.value.reason


def test_a_move_against_the_rules_is_named() -> None:
    with pytest.raises(BadFile, match=r"Move 1b, d3-d1: The piece on d3 cannot move to d1\."):
        FILES.played(parse_otg(PUZZLE.replace("d2-a2 d3-d2", "d2-a2 d3-d1")))
    with pytest.raises(BadFile, match=r"Move 1b\.1\.2b, a3-g4"):
        FILES.played(parse_otg(PUZZLE.replace("a3-b3", "a3-g4")))


@pytest.mark.parametrize("data", [b'{"format":"\xff"}', b'{"format":1}', b"[" * 20_000, b""])
def test_json_that_is_no_game_is_refused(data: bytes) -> None:
    with pytest.raises(BadFile):
        FILES.from_json(data)


def test_json_that_no_file_can_hold_is_refused() -> None:
    found = json.loads(FILES.as_json(parse_otg(PUZZLE)))
    found["tags"][0][1] = "a]b"
    with pytest.raises(BadFile):
        FILES.from_json(json.dumps(found).encode())
    for data in (b"{", b"{}", b'{"format":"tafl 2","tags":[],"turns":[]}', b"[" * 100_000):
        with pytest.raises(BadFile):
            FILES.from_json(data)


# Whatever comes in

marks = st.sampled_from(
    [*"/[]|:.,-^=x+0123456789abkKtT \n\r\t", "....", "---", "dim:", "start:", "7a.1.1a.", "\x00", "é"]
)


def damaged(text: str) -> st.SearchStrategy[str]:
    """The text with some of it cut out or replaced."""

    def put(at: float, length: int, new: list[str]) -> str:
        place = round(at * len(text))
        return text[:place] + "".join(new) + text[place + length :]

    return st.builds(put, st.floats(0, 1), st.integers(0, 12), st.lists(marks, max_size=4))


def garbage() -> st.SearchStrategy[str]:
    return st.text(max_size=80) | st.lists(marks, max_size=60).map("".join)


def place_is_inside(error: BadNotation, text: str) -> bool:
    lines = text.split("\n")
    return 1 <= error.line <= len(lines) and 1 <= error.column <= len(lines[error.line - 1]) + 1


@examples(400)
@given(text=garbage() | st.sampled_from([variant.rules for variant in VARIANTS]).flatmap(damaged))
@example("dim:5 start:/" + "9" * 4000)
@example("dim:5 start://///")
@example("dim:\N{SUPERSCRIPT FIVE} start:/5/")
@example("dim:5 spd:\N{ARABIC-INDIC DIGIT FIVE} start:/5/5/2K2/5/5/")
def test_no_rules_string_raises_anything_but_its_own_error(text: str) -> None:
    try:
        rules = parse_rules(text)
    except BadNotation as error:
        bad = error
    else:
        assert written_rules(parse_rules(written_rules(rules))) == written_rules(rules)
        return
    assert place_is_inside(bad, text)


@examples(400)
@given(text=garbage() | st.sampled_from(["Kf6-f1xf2/e1", "ce6^=e8++", "a1-a2xb1/b2"]).flatmap(damaged))
def test_no_move_raises_anything_but_its_own_error(text: str) -> None:
    try:
        record = parse_record(text)
    except BadNotation:
        return
    again = parse_record(str(record))
    assert (again.start, again.end, str(again)) == (record.start, record.end, str(record))


@examples(400)
@given(text=garbage() | damaged(PUZZLE))
@example(PUZZLE.replace("7a.1.1a.", "1a.1.1a." * 40))
@example("[rules:]")
def test_no_file_raises_anything_but_its_own_error(text: str) -> None:
    try:
        record = parse_otg(text)
    except BadNotation as error:
        bad = error
    else:
        is_told_or_refused(record)
        return
    lines = text.replace("\r\n", "\n").replace("\r", "\n")
    assert place_is_inside(bad, lines.removeprefix("\N{ZERO WIDTH NO-BREAK SPACE}"))


def is_told_or_refused(record: Record) -> None:
    assert parse_otg(written_otg(record)) == record
    try:
        list(FILES.tell(record))
        assert FILES.from_json(FILES.as_json(record)) == record
        FILES.recorded(FILES.played(record))
    except BadFile:
        return
