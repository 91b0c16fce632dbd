"""One table has the protocol's words for whatever is refused."""

import re
from pathlib import Path

from gamut.doors import topple
from gamut.doors.topple.refusals import REFUSALS, Fatal, Soft, refusal_of

_SAID = re.compile(r'\b(?:fatal|Refused)\("(\w+)"(?: if .+? else "(\w+)")?')


def _said() -> set[str]:
    """The codes that are named where the door refuses something."""
    sources = [path.read_text() for path in Path(topple.__path__[0]).glob("*.py")]
    return {code for source in sources for found in _SAID.findall(source) for code in found if code}


def test_every_code_that_the_door_names_has_its_words_and_no_words_are_left_over() -> None:
    said = _said()
    assert said <= set(REFUSALS)
    assert {code for code, refusal in REFUSALS.items() if isinstance(refusal, Fatal)} <= said


def test_what_has_no_words_is_a_soft_error_inside_and_the_end_outside() -> None:
    assert refusal_of("something new", inside=True) is Soft.WRONG_PHASE
    assert refusal_of("something new", inside=False) is REFUSALS["no_capacity"]
    assert refusal_of("not_host", inside=False) is Soft.HOST_ONLY
