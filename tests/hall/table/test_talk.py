# ruff: noqa: RUF001 - letters of all alphabets are what this is about
"""What may be said: the words survive, what nobody can see does not."""

import unicodedata

import pytest
from hypothesis import given
from hypothesis import strategies as st

from gamut.games.game import Refused
from gamut.hall.table.deciding.talk import MOST_CHARACTERS, cleaned


@pytest.mark.parametrize(
    "text",
    [
        "Hello, world! <b>this is text</b> & so on",
        "Zoë, Zoe\u0308, naïve, Việt Nam",
        "مرحبا، كيف حالك؟",
        "مُحَمَّدٌ",
        "می\u200cخواهم",
        "۱۴۰۰ ه\u200d.ش",
        "\u0600\u0661\u0662",
        "שלום, מה שלומך?",
        "שָׁלוֹם",
        "नमस्ते, क्\u200dष और क्\u200cष",
        "ශ්\u200dරී ලංකාව",
        "ണ്\u200d",
        "လျှော့ပါ",
        "ភាសាខ្មែរ",
        "ᠮᠣᠩᠭᠣᠯ\u180b ᠬᠡᠯᠡ",
        "안녕하세요",
        "你好，世界",
        "葛\U000e0100城市",
        "❤\ufe0f",
        "👍🏽",
        "👩\u200d👩\u200d👧\u200d👦",
        "🏳\ufe0f\u200d🌈",
        "👩🏽\u200d🚀",
        "❤\ufe0f\u200d🔥",
        "1\ufe0f\u20e3 and #\ufe0f\u20e3",
        "🇪🇺",
        "\U0001f3f4\U000e0067\U000e0062\U000e0065\U000e006e\U000e0067\U000e007f",
        "\U0001fae8 \U0001faea",
    ],
)
def test_ordinary_talk_is_told_as_it_was_said(text: str) -> None:
    assert cleaned(text) == text


@pytest.mark.parametrize(
    ("text", "told"),
    [
        ("  two   words\n", "two words"),
        ("one\ntwo\rthree\u2028four\x00five\tsix", "one two three four five six"),
        ("safe \u202egnirts\u202c", "safe gnirts"),
        ("\u2066a\u2069 \u061cb \u200ec", "a b c"),
        ("ze\u200bro\u2060wi\ufeffdth\u00ad", "zerowidth"),
        ("no\u200djoin\u200cers", "nojoiners"),
        ("ب\u200c\u200c\u200cب", "ب\u200cب"),
        ("👩\u200d", "👩"),
        ("\u200d👩", "👩"),
        ("a\ufe0f\ufe0f\ufe0e!", "a\ufe0f!"),
        (" \ufe0fa", "a"),
        ("hidden\U000e0068\U000e0069", "hidden"),
        ("\U0001f3f4\U000e0067\U000e0062", "\U0001f3f4"),
        ("\u2800\u3164a\uffa0b", "a b"),
        ("a\u034fb\u115fc", "abc"),
        ("\ufdd0a\uffff\U000e0fff", "a"),
        ("a" + "\u0301" * 499, "a" + "\u0301" * 4),
        ("a" + "\u0335\u200d" * 40 + "b", "a" + "\u0335" * 4 + "b"),
        ("\u0301\u0301x", "x"),
        (" \u0301x \u0903y", "x y"),
        ("\u20dda", "a"),
    ],
)
def test_what_cannot_be_seen_or_covers_its_neighbours_is_left_out(text: str, told: str) -> None:
    assert cleaned(text) == told


@pytest.mark.parametrize(
    "text", ["", "  \n ", "\u200b\u200d", "\u202e", "\u0301" * 40, "\u2800", "\U000e0041" * 9]
)
def test_nothing_to_be_seen_is_nothing_said(text: str) -> None:
    with pytest.raises(Refused) as refused:
        cleaned(text)
    assert refused.value.code == "empty"


def test_the_length_counts_what_is_told() -> None:
    assert cleaned("x" * MOST_CHARACTERS + "\u200b" * 100) == "x" * MOST_CHARACTERS
    for text in ("x" * (MOST_CHARACTERS + 1), "ж" * (MOST_CHARACTERS + 1)):
        with pytest.raises(Refused) as refused:
            cleaned(text)
        assert refused.value.code == "too_long"


def test_a_text_far_too_long_is_refused_before_each_of_its_characters_is_looked_at() -> None:
    with pytest.raises(Refused) as refused:
        cleaned("\u200b" * 60_000)
    assert refused.value.code == "too_long"


@given(
    st.text(st.characters(exclude_categories=[]), max_size=60)
    | st.text("a ب👩\u200d\u200c\ufe0f\u0301\u202e\U0001f3f4\U000e0067\U000e007f")
)
def test_telling_again_what_was_told_changes_nothing(text: str) -> None:
    try:
        told = cleaned(text)
    except Refused:
        return
    assert cleaned(told) == told
    assert told == told.strip()
    assert not any(
        unicodedata.bidirectional(c) in ("RLO", "LRO", "RLE", "LRE", "RLI", "LRI", "FSI") for c in told
    )
    assert len(told.splitlines()) == 1
