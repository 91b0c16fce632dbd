import string

import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.hall.support.townsfolk import SECRET, Clock

from gamut.hall.ids import Millis, PersonId
from gamut.hall.people.tokens import Claim, Tokens

LIFE = Millis(30 * 86_400_000)
ANNA = PersonId("aNnA_-0123456789")


def test_a_token_says_who_and_which_epoch_and_when() -> None:
    clock = Clock()
    tokens = Tokens(SECRET, clock, LIFE)
    assert tokens.read(tokens.issue(ANNA, 7)) == Claim(ANNA, 7, Millis(clock.time // 1000 * 1000))


def test_a_token_expires() -> None:
    clock = Clock()
    tokens = Tokens(SECRET, clock, LIFE)
    token = tokens.issue(ANNA, 1)
    clock.forward(LIFE)
    assert tokens.read(token) is not None
    clock.forward(1000)
    assert tokens.read(token) is None


def test_nodes_may_differ_a_little_about_the_time_but_not_much() -> None:
    clock = Clock()
    tokens = Tokens(SECRET, clock, LIFE)
    token = tokens.issue(ANNA, 1)
    clock.forward(-60_000)
    assert tokens.read(token) is not None
    clock.forward(-3_600_000)
    assert tokens.read(token) is None


def test_another_server_s_token_is_refused() -> None:
    clock = Clock()
    assert Tokens(SECRET, clock, LIFE).read(Tokens("0" * 64, clock, LIFE).issue(ANNA, 1)) is None


@given(st.data())
def test_any_changed_character_is_refused(data: st.DataObject) -> None:
    clock = Clock()
    tokens = Tokens(SECRET, clock, LIFE)
    token = tokens.issue(ANNA, data.draw(st.integers(0, 2**31)))
    place = data.draw(st.integers(0, len(token) - 1))
    other = data.draw(st.sampled_from(string.printable).filter(lambda c: c != token[place]))
    assert tokens.read(token[:place] + other + token[place + 1 :]) is None


@given(st.data())
def test_anything_put_in_or_left_out_is_refused(data: st.DataObject) -> None:
    tokens = Tokens(SECRET, Clock(), LIFE)
    token = tokens.issue(ANNA, 1)
    place = data.draw(st.integers(0, len(token)))
    assert tokens.read(token[:place] + data.draw(st.sampled_from(string.printable)) + token[place:]) is None
    assert tokens.read(token[:place]) is None or place == len(token)


def test_no_last_character_but_the_right_one_is_taken() -> None:
    # The last character of base64 carries unused bits, which a lenient reader ignores.
    tokens = Tokens(SECRET, Clock(), LIFE)
    token = tokens.issue(ANNA, 1)
    assert [c for c in string.printable if tokens.read(token[:-1] + c) is not None] == [token[-1]]


@given(st.text(st.characters(exclude_categories=[]), max_size=80))
def test_rubbish_is_refused(text: str) -> None:
    assert Tokens(SECRET, Clock(), LIFE).read(text) is None


@pytest.mark.parametrize("text", ["", ".", "..", "a.b.c", "." * 100, "x" * 10_000, "é.é.é", "\ud800"])
def test_odd_texts_are_refused(text: str) -> None:
    assert Tokens(SECRET, Clock(), LIFE).read(text) is None


@given(st.from_regex(r"[A-Za-z0-9_-]{16}", fullmatch=True), st.integers(0, 2**31))
def test_every_person_s_token_is_read_back(person: str, epoch: int) -> None:
    tokens = Tokens(SECRET, Clock(), LIFE)
    claim = tokens.read(tokens.issue(PersonId(person), epoch))
    assert claim is not None
    assert (claim.person, claim.epoch) == (person, epoch)
