"""What is asked for while the server is away comes when it is back, and nobody is carried off by it."""

import re
from contextlib import ExitStack

from playwright.sync_api import Route, expect
from tests.browser.conftest import Meet
from tests.browser.support.elsewhere import Hall
from tests.browser.support.files import choose_file
from tests.browser.support.person import Person
from tests.browser.support.troubles import CONNECTION_FAILED
from tests.net.support.process import ServerProcess

AWAY = rf"{CONNECTION_FAILED}|Failed to fetch|preload|Coming in failed"


def waits(person: Person) -> None:
    expect(
        person.page.get_by_text("Waiting for the server. This opens as soon as it answers.")
    ).to_be_visible()
    expect(person.page.get_by_role("button", name="Try now")).to_be_visible()


def test_pages_entered_while_the_server_is_away_come_when_it_is_back(
    meet: Meet, hall: Hall, mortal: ServerProcess
) -> None:
    game, another = (hall.finished_game_of_topple((0, 3, 0, 3)) for _ in range(2))
    reader, player, owner, loser = (meet(name, fresh=True) for name in ("Rita", "Paul", "Olga", "Lena"))
    people = (reader, player, owner, loser)
    for person in people:
        person.comes_to_the_lobby()
        person.page.wait_for_load_state("networkidle")
    # This one has been at a table before: its page has all parts, but not the other table.
    loser.open(f"/t/{game}")
    loser.table.says(re.compile("wins$"))
    loser.page.get_by_role("link", name="gamut, to the lobby").click()
    expect(loser.lobby.open_tables).to_be_visible()
    with ExitStack() as excused:
        for person in people:
            excused.enter_context(person.troubles.excused(AWAY))
        mortal.kill()
        for person in people:
            expect(person.page.get_by_role("button", name="Try now")).to_be_visible()
        reader.page.get_by_role("link", name="How to play").first.click()
        owner.page.get_by_role("link", name=re.compile("^You: ")).click()
        loser.goes_to(f"/t/{another}")
        for person in (reader, owner, loser):
            waits(person)
        # Somebody wants to play, and then it takes too long.
        player.lobby.card("Tower").get_by_role("button", name="Invite a friend").click()
        player.sees_toast("The server is away, and nothing was done. Try again when it is back.")
        mortal.start()
        expect(reader.page.get_by_role("heading", name="In short")).to_be_visible()
        expect(owner.page.get_by_role("heading", name=owner.name)).to_be_visible()
        loser.table.says(re.compile("wins$"))
        expect(player.page.get_by_role("button", name="Try now")).to_have_count(0)
    assert player.page.url == f"{player.home}/", "a click of old carries nobody off"
    assert player.asks("/api/me/tables").json() == [], "and nothing was opened"


def test_a_file_chosen_before_one_is_known_waits_for_that(meet: Meet, hall: Hall) -> None:
    game = hall.finished_game_of_topple((0, 3, 0, 3))
    newcomer = meet(None)
    file = newcomer.asks(f"/api/tables/{game}/replay.topl").body()
    held: list[Route] = []
    newcomer.context.route("**/api/guest", lambda route: held.append(route))
    with newcomer.page.expect_request("**/api/guest"):
        newcomer.open()
    choose_file(newcomer, "game.topl", file)
    expect(newcomer.page.get_by_label("Open a game file")).to_be_disabled()
    assert newcomer.page.url == f"{newcomer.home}/"
    for route in held:
        route.continue_()
    newcomer.page.wait_for_url("**/file")
    newcomer.table.says(re.compile("^Dora .* wins$"))
