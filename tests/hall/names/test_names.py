import json
import unicodedata

import pytest
from hypothesis import given
from hypothesis import strategies as st

from gamut.hall.names.person_names import NameRefused, clean_name, harmless_name, name_key


def cleaned(text: str) -> str | None:
    try:
        return clean_name(text)
    except NameRefused:
        return None


@pytest.mark.parametrize(
    ("text", "name"),
    [
        ("Anna", "Anna"),
        ("  Anna\t\n", "Anna"),
        ("Anna   Lena", "Anna Lena"),
        ("Anna\u00a0\u3000Lena", "Anna Lena"),
        ("Zoe\u0308", "Zoë"),
        ("Ольга", "Ольга"),
        ("李小龍", "李小龍"),
        ("नीलिमा", "नीलिमा"),
        ("x" * 32, "x" * 32),
        (" " * 100 + "x", "x"),
        ("7", "7"),
        ("<b>Anna</b>", "<b>Anna</b>"),
        ("Robert'); DROP TABLE people;--", "Robert'); DROP TABLE people;--"),
        ("Ana ❤\ufe0f", "Ana ❤"),
        ("Servera", "Servera"),
        ("Guesto", "Guesto"),
        ("Guest 7", "Guest 7"),
    ],
)
def test_these_are_names_and_this_is_how_they_are_kept(text: str, name: str) -> None:
    assert clean_name(text) == name


@pytest.mark.parametrize(
    "text",
    [
        "",
        "   ",
        "x" * 33,
        "x" * 100_000,
        "a\nb",
        "a\tb",
        "a\x00b",
        "a\x7fb",
        "a\u200bb",
        "a\u200db",
        "a\u202eb",
        "a\u2066b",
        "a\ufeffb",
        "a\u00adb",
        "a\u2028b",
        "a\u2029b",
        "a\ue000b",
        "a\ud800b",
        "a\U000e0041b",
        "a\u0378b",
        "a\u3164b",
        "a\u2800b",
        "a\u034fb",
        "a\U000e0100b",
        "\u0308a",
        "a" + "\u0335" * 5,
        "!!!",
        "❤",
        "server",
        "SERVER",
        "\uff47\uff41\uff4d\uff55\uff54",
        "<none>",
        "[System]",
        "A d m i n",
        "a former player",
        "Guest",
        "guest",
        "GUEST",
        "<guest>",
        "G u e s t",
        "Gu\u0435st",
        "\uff27\uff35\uff25\uff33\uff34",
        "a\x85b",
        "a\rb",
        "a\x0bb",
        "a\x1cb",
    ],
)
def test_these_are_not_names(text: str) -> None:
    with pytest.raises(NameRefused) as refused:
        clean_name(text)
    assert refused.value.code == "bad_name"
    assert refused.value.reason.endswith(".")


def test_whoever_had_no_name_in_a_recorded_game_has_none_when_it_is_shown() -> None:
    assert harmless_name("Guest") == "Guest"
    assert harmless_name("Server") is None


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("Anna", "aNNA"),
        ("Straße", "STRASSE"),
        ("Anna", "\uff21\uff4e\uff4e\uff41"),
        ("Zoë", "Zoe\u0308"),
        ("ﬁn", "FIN"),
        ("Anna Lena", " anna\u2003 lena "),
    ],
)
def test_names_that_differ_only_in_case_width_or_spaces_are_the_same(one: str, other: str) -> None:
    assert name_key(one) == name_key(other)


def test_other_names_are_other_names() -> None:
    assert len({name_key(name) for name in ("Anna", "Ana", "Anna 2", "Ánna", "AnnaLena", "Anna Lena")}) == 6


NEARLY_NAMES = st.one_of(
    st.text(max_size=40),
    st.text(st.sampled_from("aÅß \u00a0\u3000\u0308\u0301\ufe0f\u200b\nİǅ1ﬁ½\u1100\u1161¨"), max_size=40),
)


@given(NEARLY_NAMES)
def test_cleaning_a_clean_name_changes_nothing(text: str) -> None:
    name = cleaned(text)
    if name is not None:
        assert clean_name(name) == name
        assert name_key(name) == name_key(text)


@given(NEARLY_NAMES)
def test_a_name_survives_json_and_cannot_break_a_line_or_hide(text: str) -> None:
    name = cleaned(text)
    if name is not None:
        assert json.loads(json.dumps(name)) == name
        assert 1 <= len(name) <= 32
        assert name.isprintable()
        assert name == name.strip()
        assert len(name.splitlines()) == 1
        assert unicodedata.is_normalized("NFC", name)


def test_a_key_is_in_normal_form_even_where_folding_takes_a_character_apart() -> None:
    assert name_key("\u0390") == name_key("\u03b9\u0308\u0301") == "\u0390"


@given(st.text(st.characters(exclude_categories=[])))
def test_every_text_has_a_key_so_that_a_log_in_with_it_can_be_looked_up(text: str) -> None:
    assert unicodedata.is_normalized("NFKC", name_key(text))


def test_what_is_too_long_for_a_name_is_its_own_key() -> None:
    """Composing it would take the square of the number of accents in a row."""
    heap = "A" + "\u0301\u0316" * 1000
    assert name_key(heap) == heap
