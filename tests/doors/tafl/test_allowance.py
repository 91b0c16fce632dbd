"""Games by rules that everybody knows cost nothing of what one may have worked out."""

import re
from collections.abc import Iterator
from typing import Any

import msgspec
import pytest
from tests.doors.support.tafl_inn import TaflInn, create, guid, tafl_inn

from gamut.games.tafl.options import TaflOptions, named
from gamut.games.tafl.rules import Tafl
from gamut.games.tafl.variants import VARIANTS, rules_by_name
from gamut.hall.ids import Millis
from gamut.hall.limits.attempts import Limit
from gamut.hall.limits.slow_work import SlowWorkSettings
from gamut.hall.settings import HallSettings

ONCE = HallSettings(bot_delay=Millis(0), slow_work=SlowWorkSettings(per_person=Limit(1, Millis(60_000))))
EVANGELII = rules_by_name()["alea_evangelii"].split("start:")[1]
FETLAR = rules_by_name()["fetlar"].split("start:")[1]
SHIPPED = {
    "computer_fetlar": f"dim:11 name:Computer_Fetlar tfr:w start:{FETLAR}",
    "alea_evangelii": "dim:19 name:Alea_Evangelii esc:c atkf:y "
    "cor:a1,a2,b1,b2,a18,b18,a19,b19,r1,r2,s1,s2,r18,r19,s18,s19, "
    f"cens: cenp:tcnkTCNK cenh: cenhe:tcnkTCNK tfr:w start:{EVANGELII}",
}
"""As they are in the file that comes with the existing program, which is not how it writes rules itself."""
SPELLINGS = [(variant.name, variant.rules) for variant in VARIANTS] + list(SHIPPED.items())


@pytest.fixture(name="inn")
def _inn() -> Iterator[TaflInn]:
    with tafl_inn(ONCE) as house:
        yield house


@pytest.mark.parametrize("kind", ["ext", "7"])
def test_a_saved_game_that_comes_too_soon_after_another_is_not_loaded(inn: TaflInn, kind: str) -> None:
    ann = inn.client("Ann", kind)
    create(ann)
    assert ann.say("history 7 a4-a3||") == []
    again = ann.say("history 7 a4-a2||")
    if kind == "7":
        assert again == ["error bad-save"], "it has no other word, and would go on as if it were loaded"
        assert ann.session.live is None
    else:
        assert again == ["error rate-limited"]
        assert inn.table().table.options.moves == ("a4-a3",), "nothing has changed"
        assert ann.session.live is inn.table()


@pytest.mark.parametrize("kind", ["", "ext", "7"])
def test_a_match_of_many_games_by_any_of_the_variants(inn: TaflInn, kind: str) -> None:
    ann = inn.client("Ann", kind)
    for number, (_, rules) in enumerate(3 * SPELLINGS):
        assert create(ann, number, rules=rules)[0].startswith("success"), rules
        ann.say(f"leave-game {guid(number)}")
    own = re.sub("name:[^ ]*", "name:Own", rules_by_name()["brandub"])
    assert create(ann, 100, rules=own)[0].startswith("success")
    ann.say(f"leave-game {guid(100)}")
    assert create(ann, 101, rules=own)[0] == ("error unknown-error" if kind == "7" else "error rate-limited")


@pytest.mark.parametrize(
    "options",
    [*({"variant": variant.name} for variant in VARIANTS), *({"rules": rules} for _, rules in SPELLINGS)],
)
def test_the_same_on_the_page(inn: TaflInn, options: dict[str, Any]) -> None:
    page = inn.guest("Pat")
    for _ in range(3):
        table = page.open("tafl", options=options)
        assert inn.load(table).table.options.rules == ""
        page.sure("leave", table=table)


@pytest.mark.parametrize(("name", "rules"), SPELLINGS)
def test_rules_have_their_name_in_whatever_order_they_are_written(name: str, rules: str) -> None:
    assert named(rules) == name
    assert named("  ".join(reversed(rules.split()))) == name
    assert named(f"{rules} ks:y") is None, "it is read like the usual, but it is another spelling"
    assert Tafl().checked(TaflOptions(rules=rules)) == msgspec.convert({"variant": name}, TaflOptions)
    assert not Tafl().takes_long(TaflOptions(rules=rules))


@pytest.mark.parametrize(
    "more", ["tfr:l", "surf:n surf:y tfr:i", "atkf:n", "dim:9", "unknown:x", "junk", "efe"]
)
def test_what_is_said_later_counts(more: str) -> None:
    assert named(f"{rules_by_name()['copenhagen']} {more}") is None
