import asyncio
from collections.abc import AsyncIterator

from aiohttp import web
from aiohttp.test_utils import TestClient, TestServer
from msgspec.structs import replace
from tests.hall.support.townsfolk import CHEAP, PASSWORD, Clock, MemoryStore, account_of_old, opened
from tests.net.support.club import Club, answer, refusal, register, with_club

from gamut.hall.ids import Millis, PersonId
from gamut.hall.limits.attempts import Limit
from gamut.hall.people.people import DAY
from gamut.hall.people.prehash import prehashed
from gamut.net.api.accounts import COOKIE, routes, visitor
from gamut.net.port.address import networks


def test_a_guest_comes_in_with_a_name_and_is_known_from_then_on() -> None:
    async def story(club: Club) -> None:
        browser = await club.browser()
        assert await refusal(await browser.get("/api/me"), 401) == "not_logged_in"
        response = await browser.post("/api/guest", json={"name": " Anna "})
        person = (await answer(response, 201))["person"]
        assert person == {
            "id": person["id"],
            "name": "Anna",
            "guest": True,
            "created": club.clock.time,
            "seen": club.clock.time,
        }
        assert (await answer(await browser.get("/api/me"), 200))["person"] == person

    with_club(story)


def test_over_https_the_cookie_is_secure_if_a_trusted_proxy_says_so() -> None:
    async def trusted(club: Club) -> None:
        for name, scheme in (("Anna", "https"), ("Berta", "http"), ("Carl", "")):
            headers = {"X-Forwarded-Proto": scheme}
            response = await (await club.browser()).post("/api/guest", json={"name": name}, headers=headers)
            assert bool(response.cookies[COOKIE]["secure"]) is (scheme == "https")

    async def untrusted(club: Club) -> None:
        headers = {"X-Forwarded-Proto": "https"}
        response = await (await club.browser()).post("/api/guest", json={"name": "Anna"}, headers=headers)
        assert not response.cookies[COOKIE]["secure"]

    with_club(trusted, trusted_proxies=networks(["127.0.0.1"]))
    with_club(untrusted)


def test_a_guest_who_asks_again_takes_another_name() -> None:
    async def story(club: Club) -> None:
        browser = await club.browser()
        guest = (await answer(await browser.post("/api/guest", json={"name": "Anna"}), 201))["person"]
        again = (await answer(await browser.post("/api/guest", json={"name": "Berta"}), 200))["person"]
        assert (again["id"], again["name"]) == (guest["id"], "Berta")
        assert len(club.people) == 1
        await register(browser)
        assert await refusal(await browser.post("/api/guest", json={"name": "Carl"}), 409) == "guests_only"

    with_club(story)


def test_a_guest_who_registers_keeps_the_id() -> None:
    async def story(club: Club) -> None:
        browser = await club.browser()
        guest = (await answer(await browser.post("/api/guest", json={"name": "Anna"}), 201))["person"]
        person = await register(browser, "Anna")
        assert person["id"] == guest["id"]
        assert not person["guest"]
        assert (await answer(await browser.get("/api/me"), 200))["person"]["id"] == guest["id"]
        again = await browser.post("/api/register", json={"name": "Berta", "password": PASSWORD})
        assert await refusal(again, 409) == "guests_only"

    with_club(story)


def test_names_and_passwords_that_cannot_be_are_refused() -> None:
    async def story(club: Club) -> None:
        await register(await club.browser(), "Anna")
        browser = await club.browser()
        assert await refusal(await browser.post("/api/guest", json={"name": "anna"}), 409) == "name_taken"
        assert await refusal(await browser.post("/api/guest", json={"name": "a\nb"}), 400) == "bad_name"
        response = await browser.post("/api/register", json={"name": "Berta", "password": "short"})
        assert await refusal(response, 400) == "bad_password"
        assert COOKIE not in response.cookies

    with_club(story)


def test_logging_in_from_elsewhere_and_out_again() -> None:
    async def story(club: Club) -> None:
        person = await register(await club.browser())
        browser = await club.browser()
        for name, password in (("Anna", "wrong password"), ("Nobody", PASSWORD)):
            response = await browser.post("/api/login", json={"name": name, "password": password})
            assert await refusal(response, 401) == "wrong_login"
        response = await browser.post("/api/login", json={"name": "anna", "password": PASSWORD})
        assert (await answer(response, 200))["person"]["id"] == person["id"]
        await answer(await browser.get("/api/me"), 200)
        await answer(await browser.post("/api/logout", json={}), 200)
        assert await refusal(await browser.get("/api/me"), 401) == "not_logged_in"

    with_club(story)


def test_a_client_may_send_a_hash_in_place_of_the_password() -> None:
    async def story(club: Club) -> None:
        anna = await register(await club.browser(), "Anna")
        client = await club.browser()
        login = {"name": "Anna", "hash": prehashed("Anna", PASSWORD)}
        assert (await answer(await client.post("/api/login", json=login), 200))["person"] == anna
        wrong = login | {"hash": prehashed("anna", PASSWORD)}
        assert await refusal(await client.post("/api/login", json=wrong), 401) == "wrong_login"
        # The other way round: an account that such a client made is entered with the password.
        other, page = await club.browser(), await club.browser()
        guest = (await answer(await other.post("/api/guest", json={"name": "Berta"}), 201))["person"]
        wish = {"name": "Berta", "hash": prehashed("Berta", "pw1")}
        berta = (await answer(await other.post("/api/register", json=wish), 201))["person"]
        assert berta["id"] == guest["id"]
        response = await page.post("/api/login", json={"name": "berta", "password": "pw1"})
        assert (await answer(response, 200))["person"]["id"] == berta["id"]
        await answer(await page.post("/api/password", json={"old": "pw1", "new": PASSWORD}), 200)
        await answer(
            await other.post("/api/login", json={"name": "Berta", "hash": prehashed("Berta", PASSWORD)}), 200
        )

    with_club(story)


def test_who_logs_in_says_either_a_password_or_its_hash() -> None:
    async def story(club: Club) -> None:
        browser = await club.browser()
        await register(browser, "Anna")
        hash = prehashed("Anna", PASSWORD)
        for path in ("/api/login", "/api/register"):
            for body in ({}, {"password": PASSWORD, "hash": hash}, {"password": None}, {"hash": 5}):
                response = await browser.post(path, json={"name": "Anna", **body})
                assert await refusal(response, 400) == "bad_request"
            response = await browser.post(path, json={"name": "Anna", "hash": hash[:-1]})
            assert await refusal(response, 400) == "bad_hash"

    with_club(story)


def test_an_account_older_than_hashes_wants_its_password_once() -> None:
    async def story(club: Club) -> None:
        client, page = await club.browser(), await club.browser()
        by_hash = {"name": "Anna", "hash": prehashed("Anna", PASSWORD)}
        assert await refusal(await client.post("/api/login", json=by_hash), 403) == "password_needed"
        await answer(await page.post("/api/login", json={"name": "Anna", "password": PASSWORD}), 200)
        await answer(await client.post("/api/login", json=by_hash), 200)

    store = MemoryStore()
    store.add(account_of_old("Anna"))
    with_club(story, store=store)


def test_too_many_wrong_passwords_have_to_wait() -> None:
    async def story(club: Club) -> None:
        browser = await club.browser()
        await register(browser)
        for _ in range(2):
            response = await browser.post("/api/login", json={"name": "Anna", "password": "wrong password"})
            assert await refusal(response, 401) == "wrong_login"
        response = await browser.post("/api/login", json={"name": "Anna", "password": PASSWORD})
        assert await refusal(response, 429) == "too_many_tries"
        assert response.headers["Retry-After"] == "30"
        club.clock.forward(30_000)
        response = await browser.post("/api/login", json={"name": "Anna", "password": PASSWORD})
        await answer(response, 200)

    with_club(story, replace(CHEAP, logins_per_name=Limit(2, Millis(60_000))))


def test_limits_by_address_look_behind_a_trusted_proxy() -> None:
    async def story(club: Club) -> None:
        for number, address, status in (
            (1, "203.0.113.7", 201),
            (2, "203.0.113.7", 429),
            (3, "203.0.113.8", 201),
        ):
            response = await (await club.browser()).post(
                "/api/guest", json={"name": f"Guest {number}"}, headers={"X-Forwarded-For": address}
            )
            assert response.status == status

    few = Limit(1, Millis(60_000))
    with_club(story, replace(CHEAP, guests_per_address=few), trusted_proxies=networks(["127.0.0.0/8"]))


def test_a_full_server_says_so() -> None:
    async def story(club: Club) -> None:
        response = await (await club.browser()).post("/api/guest", json={"name": "Anna"})
        assert await refusal(response, 503) == "too_many_guests"
        assert response.headers["Retry-After"] == "5"

    with_club(story, replace(CHEAP, guests_at_most=0))


def test_changing_the_password_ends_the_other_session_but_not_this_one() -> None:
    async def story(club: Club) -> None:
        one, other = await club.browser(), await club.browser()
        await register(one)
        await answer(await other.post("/api/login", json={"name": "Anna", "password": PASSWORD}), 200)
        response = await one.post("/api/password", json={"old": "wrong password", "new": "another one"})
        assert await refusal(response, 403) == "wrong_password"
        await answer(await other.get("/api/me"), 200)
        await answer(await one.post("/api/password", json={"old": PASSWORD, "new": "another one"}), 200)
        assert await refusal(await other.get("/api/me"), 401) == "not_logged_in"
        await answer(await one.get("/api/me"), 200)
        response = await other.post("/api/login", json={"name": "Anna", "password": PASSWORD})
        assert await refusal(response, 401) == "wrong_login"

    with_club(story)


def test_an_account_takes_another_name_with_its_password_and_comes_in_by_that() -> None:
    async def story(club: Club) -> None:
        one, other = await club.browser(), await club.browser()
        anna = await register(one)
        await answer(await other.post("/api/login", json={"name": "Anna", "password": PASSWORD}), 200)
        told: list[str] = []
        club.people.on_change.append(lambda person: told.append(person.name))
        club.people.on_logout.append(told.append)
        wrong = await one.post("/api/name", json={"name": "Berta", "password": "wrong password"})
        assert await refusal(wrong, 403) == "wrong_password"
        await answer(await other.get("/api/me"), 200)
        changed = await one.post("/api/name", json={"name": " Berta ", "password": PASSWORD})
        berta = (await answer(changed, 200))["person"]
        assert (berta["id"], berta["name"], berta["guest"]) == (anna["id"], "Berta", False)
        assert told == ["Berta"]
        assert (await answer(await one.get("/api/me"), 200))["person"]["name"] == "Berta"
        assert (await answer(await other.get("/api/me"), 200))["person"]["name"] == "Berta", (
            "a session goes on"
        )
        # Whoever comes in anew does so, in either way, by the new name alone.
        for name, proof, status in (
            ("Anna", {"password": PASSWORD}, 401),
            ("berta", {"password": PASSWORD}, 200),
            ("Berta", {"hash": prehashed("Anna", PASSWORD)}, 401),
            ("Berta", {"hash": prehashed("Berta", PASSWORD)}, 200),
        ):
            assert (await other.post("/api/login", json={"name": name, **proof})).status == status
        # The old name is free.
        await answer(await (await club.browser()).post("/api/guest", json={"name": "Anna"}), 201)

    with_club(story)


def test_a_new_name_of_an_account_follows_the_rules_of_names() -> None:
    async def story(club: Club) -> None:
        browser = await club.browser()
        wish = {"name": "Berta", "password": PASSWORD}
        assert await refusal(await browser.post("/api/name", json=wish), 401) == "not_logged_in"
        await browser.post("/api/guest", json={"name": "Anna"})
        assert await refusal(await browser.post("/api/name", json=wish), 403) == "accounts_only"
        await register(browser, "Anna")
        await register(await club.browser(), "Berta")
        await (await club.browser()).post("/api/guest", json={"name": "Carl"})
        for name, status, code in (
            ("berta", 409, "name_taken"),
            ("\u0412erta", 409, "name_taken"),
            ("Carl", 409, "name_taken"),
            ("admin", 400, "bad_name"),
            ("", 400, "bad_name"),
        ):
            response = await browser.post("/api/name", json=wish | {"name": name})
            assert await refusal(response, status) == code
        assert (await answer(await browser.get("/api/me"), 200))["person"]["name"] == "Anna"
        # It may look like the one that they have.
        response = await browser.post("/api/name", json=wish | {"name": "ANNA"})
        assert (await answer(response, 200))["person"]["name"] == "ANNA"

    with_club(story)


def test_names_are_not_changed_without_end() -> None:
    async def story(club: Club) -> None:
        browser = await club.browser()
        await register(browser)
        for number in range(3):
            wish = {"name": f"Anna {number}", "password": PASSWORD}
            response = await browser.post("/api/name", json=wish)
        assert await refusal(response, 429) == "too_many_tries"
        assert (await answer(await browser.get("/api/me"), 200))["person"]["name"] == "Anna 1"

    with_club(story, settings=replace(CHEAP, logins_per_name=Limit(2, Millis(DAY))))


def test_a_guest_has_no_password_to_change() -> None:
    async def story(club: Club) -> None:
        browser = await club.browser()
        change = {"old": PASSWORD, "new": "another one"}
        assert await refusal(await browser.post("/api/password", json=change), 401) == "not_logged_in"
        await browser.post("/api/guest", json={"name": "Anna"})
        assert await refusal(await browser.post("/api/password", json=change), 403) == "accounts_only"

    with_club(story)


def test_logging_out_everywhere_ends_all_sessions() -> None:
    async def story(club: Club) -> None:
        one, other = await club.browser(), await club.browser()
        assert await refusal(await one.post("/api/logout-everywhere", json={}), 401) == "not_logged_in"
        await register(one)
        await answer(await other.post("/api/login", json={"name": "Anna", "password": PASSWORD}), 200)
        await answer(await one.post("/api/logout-everywhere", json={}), 200)
        for browser in (one, other):
            assert await refusal(await browser.get("/api/me"), 401) == "not_logged_in"

    with_club(story)


def test_a_session_in_use_is_renewed_and_one_that_is_not_expires() -> None:
    async def story(club: Club) -> None:
        browser, lazy = await club.browser(), await club.browser()
        await register(browser)
        await answer(await lazy.post("/api/login", json={"name": "Anna", "password": PASSWORD}), 200)
        assert COOKIE not in (await browser.get("/api/me")).cookies
        for _ in range(20):
            club.clock.forward(2 * DAY)
            response = await browser.get("/api/me")
            await answer(response, 200)
            assert response.cookies[COOKIE]["httponly"]
        assert await refusal(await lazy.get("/api/me"), 401) == "not_logged_in"

    with_club(story)


def test_the_export_is_a_file_with_everything_but_the_hash() -> None:
    async def story(club: Club) -> None:
        async def games(id: PersonId) -> AsyncIterator[bytes]:
            yield b'[{"table": "t1", '
            yield f'"player": "{id}"}}]'.encode()

        club.people.exporters["games"] = games
        browser = await club.browser()
        assert await refusal(await browser.get("/api/me/export"), 401) == "not_logged_in"
        person = await register(browser)
        response = await browser.get("/api/me/export")
        assert response.headers["Content-Disposition"] == 'attachment; filename="gamut-export.json"'
        document = await answer(response, 200)
        assert document["profile"]["name"] == "Anna"
        assert document["games"] == [{"table": "t1", "player": person["id"]}]
        assert "argon2" not in await response.text()

    with_club(story)


def test_an_account_is_deleted_only_with_its_password() -> None:
    async def story(club: Club) -> None:
        browser = await club.browser()
        assert await refusal(await browser.delete("/api/me", json={}), 401) == "not_logged_in"
        await register(browser)
        for body in ({}, {"password": None}, {"password": "wrong password"}):
            assert await refusal(await browser.delete("/api/me", json=body), 403) == "wrong_password"
        response = await browser.delete("/api/me", json={"password": PASSWORD})
        await answer(response, 200)
        assert await refusal(await browser.get("/api/me"), 401) == "not_logged_in"
        assert len(club.people) == 0
        await answer(await browser.post("/api/guest", json={"name": "Anna"}), 201)

    with_club(story)


def test_a_guest_is_deleted_for_the_asking() -> None:
    async def story(club: Club) -> None:
        browser = await club.browser()
        await browser.post("/api/guest", json={"name": "Anna"})
        await answer(await browser.delete("/api/me", headers={"Content-Type": "application/json"}), 200)
        assert len(club.people) == 0

    with_club(story)


def test_other_handlers_know_the_visitor_by_the_cookie() -> None:
    async def run() -> None:
        async with opened(MemoryStore(), Clock()) as people:

            async def door(request: web.Request) -> web.Response:
                person = visitor(request, people)
                return web.Response(text="a stranger" if person is None else person.name)

            app = web.Application()
            app.add_routes([web.get("/door", door), *routes(people)])
            async with TestClient(TestServer(app, host="127.0.0.1")) as browser:
                assert await (await browser.get("/door")).text() == "a stranger"
                assert await (await browser.get("/door", cookies={COOKIE: "rubbish"})).text() == "a stranger"
                await browser.post("/api/guest", json={"name": "Anna"})
                assert await (await browser.get("/door")).text() == "Anna"

    asyncio.run(run())


def test_a_browser_that_knows_the_account_logs_in_while_strangers_have_to_wait() -> None:
    async def story(club: Club) -> None:
        own, stranger = await club.browser(), await club.browser()
        await register(own)
        login = {"name": "Anna", "password": PASSWORD}
        for status in (401, 401, 429):
            response = await stranger.post("/api/login", json=login | {"password": "wrong password"})
            assert response.status == status
        assert await refusal(await stranger.post("/api/login", json=login), 429) == "too_many_tries"
        await answer(await own.post("/api/login", json=login), 200)
        await answer(await own.post("/api/password", json={"old": PASSWORD, "new": "another one"}), 200)
        await answer(await own.delete("/api/me", json={"password": "another one"}), 200)

    with_club(story, replace(CHEAP, logins_per_name=Limit(2, Millis(60_000))))


def test_a_session_that_ends_while_its_password_is_checked_deletes_nobody() -> None:
    async def story(club: Club) -> None:
        browser = await club.browser()
        await register(browser)
        anna = club.people.by_name("Anna")
        assert anna is not None
        confirm = club.people.confirm

        async def confirmed(id: PersonId, password: str) -> None:
            await confirm(id, password)
            await club.people.log_out_everywhere(id)

        club.people.confirm = confirmed  # type: ignore[method-assign]
        assert (
            await refusal(await browser.delete("/api/me", json={"password": PASSWORD}), 401)
            == "not_logged_in"
        )
        assert len(club.people) == 1

    with_club(story)


def test_look_alikes_of_accounts_are_refused_in_words_of_their_own() -> None:
    async def story(club: Club) -> None:
        await register(await club.browser(), "Anna")
        for path, more in (("/api/guest", {}), ("/api/register", {"password": PASSWORD})):
            response = await (await club.browser()).post(path, json={"name": "\u0410nna", **more})
            error = (await answer(response, 409))["error"]
            assert error["code"] == "name_taken"
            assert "looks too much like" in error["message"]

    with_club(story)
