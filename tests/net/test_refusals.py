"""Whatever the server refuses, the page can say in every language."""

import ast
import re
from pathlib import Path
from typing import get_args

import pytest

import gamut
from gamut.games.acquire.checks import _NOT_TO_CHOOSE
from gamut.games.files import Trouble

SOURCE = Path(gamut.__file__).parent
TEXTS = SOURCE.parents[1] / "web" / "src" / "texts"
LANGUAGES = sorted(path.name.split(".")[1] for path in TEXTS.glob("refusals.*.ts"))
_ELSEWHERE = re.compile(r"doors/(acquire|annex|powerchess|tafl|topple|tower)/")
"""Doors whose clients are not the page."""

WORKED_OUT = {
    "net/http/body.py": {"not_json", "not_a_file"},
    "net/api/files.py": set(get_args(Trouble)),
    "games/tafl/decide.py": {"illegal_side", "illegal_side_berserker"},
    "games/acquire/actions.py": {
        "invalid_trade_amount",
        "invalid_sell_amount",
        "invalid_chain",
        "invalid_tile",
    },
    "games/acquire/checks.py": {code for code, _ in _NOT_TO_CHOOSE.values()},
}
"""Codes that are not written where something is refused, by the file that refuses it."""


def trees() -> dict[str, ast.Module]:
    paths = {path.relative_to(SOURCE).as_posix(): path for path in SOURCE.rglob("*.py")}
    return {name: ast.parse(path.read_text()) for name, path in paths.items() if not _ELSEWHERE.search(name)}


def refusing(modules: dict[str, ast.Module]) -> set[str]:
    """The names of `Refused` and of all that are of its kind."""
    classes = [
        node for module in modules.values() for node in ast.walk(module) if isinstance(node, ast.ClassDef)
    ]
    found = {"Refused"}
    while more := {one.name for one in classes if {ast.unparse(base) for base in one.bases} & found} - found:
        found |= more
    return found


def refusals(module: ast.Module, kinds: set[str]) -> list[ast.Call]:
    """Where something is refused with a code."""
    calls = [node for node in ast.walk(module) if isinstance(node, ast.Call)]
    found = [
        call
        for call in calls
        if ast.unparse(call.func).rpartition(".")[2] in ("Refused", "NotVisible", "error_answer")
    ]
    for node in ast.walk(module):
        if isinstance(node, ast.ClassDef) and node.name in kinds - {"Refused"}:
            inside = [call for call in ast.walk(node) if isinstance(call, ast.Call)]
            found += [call for call in inside if ast.unparse(call.func) == "super().__init__"]
    return found


def code_of(call: ast.Call) -> str | None:
    """What is refused, if that is written there."""
    for argument in call.args[:2]:
        if isinstance(argument, ast.Constant) and re.fullmatch("[a-z_]+", str(argument.value)):
            return str(argument.value)
    return None


def is_passed_on(call: ast.Call) -> bool:
    """Somebody else's refusal in another form, or a sentence for a code that the parent class knows."""
    code = call.args[0] if len(call.args) < 3 or not isinstance(call.args[0], ast.Constant) else call.args[1]
    written = [ast.unparse(argument) for argument in call.args[:2]]
    return isinstance(code, ast.Constant | ast.JoinedStr) or any(one.endswith(".code") for one in written)


def codes() -> set[str]:
    modules = trees()
    kinds = refusing(modules)
    found, worked_out = set().union(*WORKED_OUT.values()), set()
    for name, module in modules.items():
        for call in refusals(module, kinds):
            code = code_of(call)
            if code is not None:
                found.add(code)
            elif not is_passed_on(call) and name not in ("net/http/answers.py", "doors/http.py"):
                worked_out.add(name)
    assert worked_out == set(WORKED_OUT), "what these files refuse with must be known here"
    return found


@pytest.mark.parametrize("language", LANGUAGES)
def test_every_refusal_has_words_and_no_other(language: str) -> None:
    written = re.findall(r"^  (\w+): ", (TEXTS / f"refusals.{language}.ts").read_text(), re.MULTILINE)
    known = codes()
    assert len(known) > 100, "or this finds nothing"
    assert sorted(known - set(written)) == [], "without words"
    assert sorted(set(written) - known) == [], "nothing is refused with these"
    assert len(written) == len(set(written))


def test_there_is_another_language_than_the_servers_own() -> None:
    assert LANGUAGES
