"""What the first visit costs, and what is said if it fails."""

import json
from collections.abc import Iterator

import pytest
from playwright.sync_api import Response, Route, expect
from tests.browser.conftest import Meet, new_server
from tests.browser.support.newcomers import (
    a_tab_closed_in_the_middle_keeps_nobody_out,
    is_in,
    two_tabs_at_once_are_one_person,
)
from tests.browser.support.person import Person
from tests.net.support.process import ServerProcess

NEEDED = 112 * 1024
WITH_EVERY_BOARD = 148 * 1024


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[ServerProcess]:
    """With nothing to be shown in the lobby: that costs, too."""
    with new_server(tmp_path_factory) as server:
        yield server


def cost_of_coming(newcomer: Person) -> int:
    """How much is sent, compressed, until a newcomer can play and nothing more comes."""
    responses: list[Response] = []
    newcomer.page.on("response", lambda response: responses.append(response))
    newcomer.open()
    expect(newcomer.lobby.card("Tower").get_by_role("button", name="Play a bot")).to_be_enabled()
    newcomer.page.wait_for_load_state("networkidle")
    costs = {response.url: response.request.sizes()["responseBodySize"] for response in responses}
    assert any(url.endswith(".js") for url in costs)
    assert all(url.startswith(f"{newcomer.home}/") for url in costs)
    return sum(costs.values())


def test_what_a_newcomer_needs_to_play_is_small_and_asks_nobody_else(meet: Meet) -> None:
    newcomer = meet(None, calm=False)
    # The boards on the cards come to life when there is nothing else to do; here there always is.
    newcomer.page.add_init_script("window.requestIdleCallback = () => 0")
    assert cost_of_coming(newcomer) <= NEEDED


def test_with_a_living_board_of_every_game_the_first_page_is_still_small(meet: Meet) -> None:
    newcomer = meet(None, calm=False)
    cost = cost_of_coming(newcomer)
    expect(newcomer.page.locator("article .board svg")).to_have_count(5)
    assert cost <= WITH_EVERY_BOARD


def test_everything_that_is_hashed_comes_from_the_cache_the_second_time(meet: Meet) -> None:
    ann = meet("Ann", fresh=True)
    ann.comes_to_the_lobby()
    # The boards on the cards come after all else; some of them perhaps only after the page is loaded again.
    ann.page.wait_for_load_state("networkidle")
    first = _fetched(ann)
    ann.page.reload()
    expect(ann.lobby.open_tables).to_be_visible()
    again = {name: size for name, size in _fetched(ann).items() if name in first}
    assert again
    assert not any(again.values()), again


def _fetched(person: Person) -> dict[str, int]:
    """What is hashed and was fetched for this page, and how many bytes came over the network for it."""
    found: dict[str, int] = person.page.evaluate(
        """Object.fromEntries(performance.getEntriesByType("resource")
            .filter(one => one.name.includes("/assets/")).map(one => [one.name, one.transferSize]))"""
    )
    return found


def test_two_tabs_at_once_are_one_person(meet: Meet) -> None:
    two_tabs_at_once_are_one_person(meet(None))


def test_a_tab_closed_in_the_middle_keeps_nobody_out(meet: Meet) -> None:
    a_tab_closed_in_the_middle_keeps_nobody_out(meet(None))


def test_who_is_not_let_in_reads_why_and_tries_again(meet: Meet) -> None:
    newcomer = meet(None)
    refusal = {"error": {"code": "too_many_guests", "message": "There are too many guests."}}

    def refuse(route: Route) -> None:
        route.fulfill(status=503, content_type="application/json", body=json.dumps(refusal))

    newcomer.context.route("**/api/guest", refuse)
    with newcomer.troubles.excused("status of 503|Coming in failed: "):
        newcomer.open()
        said = newcomer.page.get_by_text("You are not in yet. There are too many guests.")
        expect(said).to_be_visible()
        with newcomer.page.expect_request("**/api/guest"):
            newcomer.page.get_by_role("button", name="Try again").click()
        expect(said).to_be_visible()
        newcomer.context.unroute("**/api/guest")
        is_in(newcomer)
    expect(said).to_have_count(0)


def test_a_browser_that_keeps_no_cookies_is_told_so(meet: Meet) -> None:
    newcomer = meet(None)
    made: list[Route] = []

    def forgetful(route: Route) -> None:
        made.append(route)
        answer = route.fetch()
        newcomer.context.clear_cookies()
        headers = {name: value for name, value in answer.headers.items() if name != "set-cookie"}
        route.fulfill(response=answer, headers=headers)

    newcomer.context.route("**/api/guest", forgetful)
    with newcomer.troubles.excused("Coming in failed: "):
        newcomer.open()
        expect(newcomer.page.get_by_text("Your browser keeps no cookies for this page")).to_be_visible()
        assert len(made) == 1, "no guest after the other"
        newcomer.context.unroute("**/api/guest")
        newcomer.page.get_by_role("button", name="Try again").click()
        is_in(newcomer)


def test_a_part_of_the_page_that_does_not_load_is_not_a_blank_page(meet: Meet) -> None:
    newcomer = meet(None)
    newcomer.context.route("**/assets/Settings-*.js", lambda route: route.abort())
    with newcomer.troubles.excused("net::ERR_FAILED"):
        newcomer.open("/settings")
        expect(newcomer.page.get_by_text("A part of this page could not be loaded.")).to_be_visible()
    newcomer.context.unroute("**/assets/Settings-*.js")
    newcomer.page.get_by_role("button", name="Try again").click()
    expect(newcomer.page.get_by_role("switch", name="Sounds")).to_be_visible()
