"""python -m tests.browser.longest_tasks: for how long the page's thread is busy at a time while lobby and tables open.

Whoever clicks notices tasks of more than 50 ms. CPU time is told, the median of some visits: others who keep the
machine busy change that little.
"""

import argparse
import json
import sys
from collections.abc import Callable, Iterator, Sequence
from statistics import median
from typing import Any

from playwright.sync_api import Page, sync_playwright
from tests.browser.screenshots.__main__ import AT_REST, SIZES, hall_of_its_own
from tests.browser.screenshots.evening import BOTS, Evening
from tests.browser.support.browsers import Browsers, Look
from tests.browser.support.chromium import WITHOUT_WINDOWS, chromium
from tests.browser.support.elsewhere import Hall
from tests.browser.support.person import Person
from tests.support.draws import draw_from

from gamut.net.api.accounts import COOKIE

_WIDTHS = (1440, 390)
_TASKS = "disabled-by-default-devtools.timeline"


def tables(evening: Evening) -> Iterator[tuple[str, str]]:
    for game in BOTS:
        yield f"{game} in play", evening.playing[game].path
        yield f"{game} ended", evening.ended[game].path
        yield f"{game} in the middle", f"{evening.ended[game].path}/{evening.half[game]}"


def longest_task(person: Person, opens: Callable[[str], object], path: str) -> float:
    """Milliseconds of CPU time, of whatever the page's thread did while this was opened."""
    browser = person.context.browser
    assert browser is not None
    browser.start_tracing(page=person.page, categories=[_TASKS])
    opens(path)
    come_to_rest(person.page)
    events: list[dict[str, Any]] = json.loads(browser.stop_tracing())["traceEvents"]
    pages = {_thread(event) for event in events if event["args"].get("name") == "CrRendererMain"}
    tasks = [event for event in events if event["name"] == "RunTask" and _thread(event) in pages]
    return max(float(task["tdur"]) for task in tasks if "tdur" in task) / 1000


def _thread(event: dict[str, Any]) -> tuple[int, int]:
    return event["pid"], event["tid"]


def come_to_rest(page: Page) -> None:
    page.wait_for_load_state("networkidle")
    page.evaluate(AT_REST)


class Visits:
    """Each in a browser in which nothing was ever loaded."""

    def __init__(self, browsers: Browsers, home: str, hall: Hall, token: str, number: int) -> None:
        self._browsers = browsers
        self._home = home
        self._hall = hall
        self._token = token
        self._number = number

    def by_address(self, width: int, path: str) -> float:
        return median(longest_task(person, person.open, path) for person in self._people(width))

    def from_the_lobby(self, width: int, path: str) -> float:
        found = []
        for person in self._people(width):
            person.comes_to_the_lobby()
            come_to_rest(person.page)
            found.append(longest_task(person, person.goes_to, path))
        return median(found)

    def _people(self, width: int) -> Iterator[Person]:
        for _ in range(self._number):
            lent = self._browsers.lend(self._home, Look(SIZES[width], touch=width == 390), fresh=True)
            lent.context.add_cookies([{"name": COOKIE, "value": self._token, "url": self._home}])
            yield Person("Ada", lent.page, self._home, lent.troubles, self._hall)
            lent.context.close()


def main(arguments: Sequence[str] | None = None) -> int:
    parser = argparse.ArgumentParser(prog="python -m tests.browser.longest_tasks", description=__doc__)
    parser.add_argument("--only", default="", help="pages whose name contains this")
    parser.add_argument("--visits", type=int, default=5, help="of which the median is told")
    parser.add_argument("--seed", type=int, default=1, help="of what is played")
    chosen = parser.parse_args(arguments)
    draw_from(str(chosen.seed))
    with hall_of_its_own() as (home, hall), sync_playwright() as playwright:
        me = hall.guest("Ada")
        evening = Evening(hall, me, chosen.seed)
        evening.begin()
        with chromium(playwright, WITHOUT_WINDOWS) as browsers:
            visits = Visits(browsers, home, hall, me.client.token, chosen.visits)
            sys.stdout.write(f"{'ms of CPU time':27}{'by address':>12}{'from the lobby':>16}\n")
            for width in _WIDTHS:
                if chosen.only in "lobby":
                    tell(width, "lobby", visits.by_address(width, "/"))
                for name, path in tables(evening):
                    if chosen.only in name:
                        tell(width, name, visits.by_address(width, path), visits.from_the_lobby(width, path))
    return 0


def tell(width: int, name: str, *found: float) -> None:
    columns = zip(found, (12, 16), strict=False)
    sys.stdout.write(f"{width:4} {name:22}" + "".join(f"{time:{room}.0f}" for time, room in columns) + "\n")
    sys.stdout.flush()


if __name__ == "__main__":
    sys.exit(main())
