"""axe, which finds what keeps people from using a page."""

from pathlib import Path
from typing import Any

from playwright.sync_api import Page

_AXE = Path(__file__).parents[3] / "web" / "node_modules" / "axe-core" / "axe.min.js"
_ABOUT_COLOURS = ["color-contrast", "link-in-text-block"]
"""The only rules that can be kept in the light and broken in the dark: all else is the same there."""


def violations(page: Page) -> list[str]:
    """In the light, and in the dark."""
    if not page.evaluate("'axe' in window"):
        # Not as a script of the page, which its content policy forbids, but from outside.
        page.evaluate(f"{_AXE.read_text()}; undefined")
    found = _run(page, {"resultTypes": ["violations"]})
    page.emulate_media(color_scheme="dark")
    found += _run(
        page, {"resultTypes": ["violations"], "runOnly": {"type": "rule", "values": _ABOUT_COLOURS}}
    )
    page.emulate_media(color_scheme="light")
    return found


def _run(page: Page, options: dict[str, Any]) -> list[str]:
    found: dict[str, Any] = page.evaluate("options => axe.run(document, options)", options)
    return [
        f"{violation['id']}: {violation['help']}: {node['html'][:160]}"
        for violation in found["violations"]
        for node in violation["nodes"]
    ]


def in_words(found: dict[str, list[str]]) -> str:
    """What was found where, a line for each; nothing if all is well."""
    return "\n".join(f"{place}: {one}" for place, wrong in found.items() for one in wrong)
