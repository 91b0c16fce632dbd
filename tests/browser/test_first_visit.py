"""What the first visit costs."""

from playwright.sync_api import Response, expect
from tests.browser.conftest import Meet

BUDGET = 120 * 1024


def test_the_first_page_is_small_and_asks_nobody_else(meet: Meet) -> None:
    newcomer = meet(None)
    responses: list[Response] = []
    newcomer.page.on("response", lambda response: responses.append(response))
    newcomer.open()
    expect(newcomer.lobby.card("Tower").get_by_role("button", name="Play a bot")).to_be_enabled()
    newcomer.page.wait_for_load_state("networkidle")
    costs = {response.url: response.request.sizes()["responseBodySize"] for response in responses}
    assert any(url.endswith(".js") for url in costs)
    assert all(url.startswith(f"{newcomer.home}/") for url in costs)
    assert sum(costs.values()) <= BUDGET, costs


def test_everything_that_is_hashed_comes_from_the_cache_the_second_time(meet: Meet) -> None:
    ann = meet("Ann")
    ann.comes_to_the_lobby()
    ann.page.reload()
    expect(ann.lobby.open_tables).to_be_visible()
    fetched: dict[str, int] = ann.page.evaluate(
        """Object.fromEntries(performance.getEntriesByType("resource")
            .filter(one => one.name.includes("/assets/")).map(one => [one.name, one.transferSize]))"""
    )
    assert fetched
    assert not any(fetched.values()), fetched
