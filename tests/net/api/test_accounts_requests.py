"""What is asked of every request to the accounts API, whatever it wants."""

import asyncio
import logging
from collections.abc import AsyncIterator

import pytest
from tests.net.support.club import Club, answer, refusal, with_club

from gamut.net.api import accounts
from gamut.net.api.accounts import BODY_LARGEST, COOKIE


def test_the_cookie_is_out_of_reach_of_scripts_and_foreign_pages() -> None:
    async def story(club: Club) -> None:
        response = await (await club.browser()).post("/api/guest", json={"name": "Anna"})
        cookie = response.cookies[COOKIE]
        assert cookie["httponly"]
        assert cookie["samesite"] == "Lax"
        assert cookie["path"] == "/"
        assert cookie["max-age"] == str(30 * 86_400)
        assert not cookie["secure"], "a cookie that only goes over https would be lost here"

    with_club(story)


CHANGING = [
    ("POST", "/api/guest"),
    ("POST", "/api/register"),
    ("POST", "/api/login"),
    ("POST", "/api/logout"),
    ("POST", "/api/logout-everywhere"),
    ("POST", "/api/password"),
    ("DELETE", "/api/me"),
]


def test_a_foreign_page_changes_nothing() -> None:
    async def story(club: Club) -> None:
        browser = await club.browser()
        await browser.post("/api/guest", json={"name": "Anna"})
        own = str(browser.make_url("/").origin())
        for method, path in CHANGING:
            for origin in ("https://evil.example", "null", own + ".evil.example", own + "/", ""):
                headers = {"Origin": origin}
                response = await browser.request(method, path, json={}, headers=headers)
                assert await refusal(response, 403) == "foreign_origin"
        await answer(await browser.get("/api/me"), 200)
        for origin in (own, own.replace("http", "https"), "https://app.example"):
            response = await browser.post("/api/guest", json={"name": "Berta"}, headers={"Origin": origin})
            await answer(response, 200)

    with_club(story, allowed_origins=["https://app.example"])


def test_a_request_that_a_form_could_send_is_refused() -> None:
    async def story(club: Club) -> None:
        browser = await club.browser()
        await browser.post("/api/guest", json={"name": "Anna"})
        for method, path in CHANGING:
            for kind in (
                "text/plain",
                "application/x-www-form-urlencoded",
                "multipart/form-data; boundary=x",
            ):
                headers = {"Content-Type": kind}
                response = await browser.request(method, path, data=b'{"name":"Berta"}', headers=headers)
                assert await refusal(response, 415) == "not_json"
        await answer(await browser.get("/api/me"), 200)

    with_club(story)


def test_a_request_that_does_not_say_what_it_is_is_refused() -> None:
    async def story(club: Club) -> None:
        browser = await club.browser()
        await browser.post("/api/guest", json={"name": "Anna"})
        for method, path in CHANGING:
            for headers in ({}, {"Content-Type": ""}, {"Content-Type": "json"}):
                response = await browser.request(
                    method, path, data=b"{}", headers=headers, skip_auto_headers=["Content-Type"]
                )
                assert await refusal(response, 415) == "no_content_type"
        await answer(await browser.get("/api/me"), 200)

    with_club(story)


def test_a_body_that_is_too_large_is_refused_however_it_is_sent() -> None:
    async def pieces() -> AsyncIterator[bytes]:
        for _ in range(BODY_LARGEST):
            yield b"  "

    async def story(club: Club) -> None:
        headers = {"Content-Type": "application/json"}
        browser = await club.browser()
        fits = b'{"name":"Anna"}'.ljust(BODY_LARGEST)
        await answer(await browser.post("/api/guest", data=fits, headers=headers), 201)
        for body in (fits + b" ", b"x" * 100_000, pieces()):
            response = await (await club.browser()).post("/api/guest", data=body, headers=headers)
            assert await refusal(response, 413) == "too_large"

    with_club(story)


@pytest.mark.parametrize(
    "body",
    [
        b"",
        b"{",
        b"[]",
        b"null",
        b'"name"',
        b"{}",
        b'{"name":7}',
        b'{"name":null}',
        b'{"name":"Anna"} x',
        b'{"name":"Anna","password":"x"}',
        b'{"name":"\xff"}',
        b'{"name":"\\ud800"}',
        b"[" * 4000,
    ],
)
def test_a_body_that_is_not_as_it_should_be_is_refused(body: bytes) -> None:
    async def story(club: Club) -> None:
        headers = {"Content-Type": "application/json"}
        response = await (await club.browser()).post("/api/guest", data=body, headers=headers)
        assert await refusal(response, 400) == "bad_request"
        assert len(club.people) == 0

    with_club(story)


def test_a_body_that_does_not_arrive_is_not_waited_for(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(accounts, "BODY_SECONDS", 0.0)

    async def story(club: Club) -> None:
        answered = asyncio.Event()

        async def stalling() -> AsyncIterator[bytes]:
            yield b'{"name":'
            await answered.wait()

        headers = {"Content-Type": "application/json"}
        response = await (await club.browser()).post("/api/guest", data=stalling(), headers=headers)
        answered.set()
        assert await refusal(response, 408) == "slow_request"

    with_club(story)


def test_no_secret_is_logged_or_told(caplog: pytest.LogCaptureFixture) -> None:
    caplog.set_level(logging.DEBUG)
    secret = "very secret password"

    async def story(club: Club) -> None:
        browser = await club.browser()
        for body in (
            {"name": "Anna", "password": secret},
            {"name": "Anna", "password": [secret]},
            {"name": 7, "password": secret},
            {"name": "Berta", "password": secret, "more": secret},
        ):
            assert secret not in await (await browser.post("/api/register", json=body)).text()
            assert secret not in await (await browser.post("/api/login", json=body)).text()
        token = browser.session.cookie_jar.filter_cookies(browser.make_url("/"))[COOKIE].value
        assert token not in caplog.text

    with_club(story)
    assert secret not in caplog.text
