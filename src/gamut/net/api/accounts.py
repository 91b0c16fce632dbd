"""The HTTP API for people: coming in as a guest, registering, logging in and out, export and deletion."""

from collections.abc import Awaitable, Callable, Collection
from functools import partial
from typing import Any, TypeVar

import msgspec
from aiohttp import web

from gamut.doors.offer import Newcomer
from gamut.games.game import Refused
from gamut.hall.people.directory import Directory
from gamut.hall.people.people import People
from gamut.hall.people.person import Person
from gamut.net.http.answers import Handler, answering, json_answer
from gamut.net.http.body import body, check_type
from gamut.net.http.durable import streamed
from gamut.net.http.guard import request_address
from gamut.net.port.address import Network, is_trusted

COOKIE = "gamut_session"
BODY_LARGEST = 4096
BODY_SECONDS = 10.0
"""How long a client may take to send those few bytes."""

_STATUS = {
    "bad_request": 400,
    "bad_name": 400,
    "bad_hash": 400,
    "bad_password": 400,
    "not_logged_in": 401,
    "wrong_login": 401,
    "wrong_password": 403,
    "password_needed": 403,
    "accounts_only": 403,
    "unknown_person": 404,
    "slow_request": 408,
    "name_taken": 409,
    "guests_only": 409,
    "too_large": 413,
    "not_json": 415,
    "too_many_tries": 429,
    "busy": 503,
    "not_stored": 503,
    "too_many_guests": 503,
}


class _Nothing(msgspec.Struct, forbid_unknown_fields=True):
    pass


class _Guest(msgspec.Struct, forbid_unknown_fields=True):
    name: str
    numbered: bool = False


class _Login(msgspec.Struct, forbid_unknown_fields=True):
    name: str
    password: str | None = None
    hash: str | None = None
    """What a client may send in place of the password (`gamut.hall.people.prehash`)."""


class _NewName(msgspec.Struct, forbid_unknown_fields=True):
    name: str
    password: str


class _NewPassword(msgspec.Struct, forbid_unknown_fields=True):
    old: str
    new: str


class _Delete(msgspec.Struct, forbid_unknown_fields=True):
    password: str | None = None


Body = TypeVar("Body", bound=msgspec.Struct)
Come = Callable[..., Awaitable[Person]]


def visitor(request: web.Request, people: People) -> Person | None:
    """Who sent this request, by its session cookie."""
    return by_cookie(request.headers.get("Cookie"), people)


def logged_in(request: web.Request, people: People) -> Person:
    """The same, or Refused."""
    person = visitor(request, people)
    if person is None:
        raise Refused("not_logged_in", "You are not logged in.")
    return person


def by_cookie(header: str | None, people: Directory) -> Person | None:
    """Whose session this Cookie header names."""
    token = _token(header)
    return None if token is None else people.by_token(token)


def recognised(newcomer: Newcomer, people: Directory) -> Newcomer:
    """The person in place of the cookie that names their session."""
    return Newcomer(newcomer.address, newcomer.query, by_cookie(newcomer.cookie, people))


def _token(cookies: str | None) -> str | None:
    for cookie in (cookies or "").split(";"):
        name, _, token = cookie.strip().partition("=")
        if name == COOKIE:
            return token
    return None


async def _body(request: web.Request, type: type[Body]) -> Body:
    check_type(request, "application/json", "not_json")
    content = await body(request, BODY_LARGEST, BODY_SECONDS)
    try:
        return msgspec.json.decode(content or b"{}", type=type)
    except msgspec.DecodeError as error:
        # Names the field and the type that it should have had, never what was sent.
        raise Refused("bad_request", f"The request is not as it should be: {error}.") from None
    except UnicodeDecodeError:
        raise Refused("bad_request", "The request is not UTF-8.") from None


class _Accounts:
    def __init__(self, people: People, trusted_proxies: Collection[Network]) -> None:
        self._people = people
        self._trusted_proxies = trusted_proxies

    # What is asked of every request.

    def _address(self, request: web.Request) -> str:
        return request_address(request, self._trusted_proxies)

    def _secure(self, request: web.Request) -> bool:
        if request.secure:
            return True
        # The last one is what the proxy next to us has said.
        scheme = request.headers.get("X-Forwarded-Proto", "").rpartition(",")[2].strip().lower()
        return scheme == "https" and is_trusted(request.remote, self._trusted_proxies)

    def _me(self, request: web.Request) -> Person:
        return logged_in(request, self._people)

    def _set_cookie(self, request: web.Request, response: web.Response, token: str) -> None:
        response.set_cookie(
            COOKIE,
            token,
            max_age=self._people.settings.session_life // 1000,
            path="/",
            secure=self._secure(request),
            httponly=True,
            samesite="Lax",
        )

    def _goodbye(self, request: web.Request, content: dict[str, Any], status: int = 200) -> web.Response:
        response = json_answer(content, status)
        response.del_cookie(COOKIE, path="/", secure=self._secure(request), httponly=True, samesite="Lax")
        return response

    def _welcome(self, request: web.Request, person: Person, status: int = 200) -> web.Response:
        response = self._show(person, status)
        self._set_cookie(request, response, self._people.issue(person))
        return response

    @staticmethod
    def _show(person: Person, status: int = 200) -> web.Response:
        shown = {
            "id": person.id,
            "name": person.name,
            "guest": person.guest,
            "created": person.created,
            "seen": person.last_seen,
        }
        return json_answer({"person": shown}, status)

    # The requests.

    async def guest(self, request: web.Request) -> web.Response:
        """A new guest; or another name for the guest who asks."""
        wish = await _body(request, _Guest)
        known = visitor(request, self._people)
        address = self._address(request)
        if known is None:
            return self._welcome(
                request, await self._people.guest(wish.name, address, numbered=wish.numbered), 201
            )
        return self._welcome(request, await self._people.rename(known.id, wish.name, address))

    async def register(self, request: web.Request) -> web.Response:
        """A new account; the guest who asks becomes that account."""
        wish = await _body(request, _Login)
        known = visitor(request, self._people)
        guest = None if known is None else known.id
        register = _either(wish, self._people.register, self._people.register_hashed)
        return self._welcome(request, await register(guest, self._address(request)), 201)

    async def login(self, request: web.Request) -> web.Response:
        wish = await _body(request, _Login)
        known = _token(request.headers.get("Cookie"))
        login = _either(wish, self._people.login, self._people.login_hashed)
        return self._welcome(request, await login(self._address(request), known))

    async def logout(self, request: web.Request) -> web.Response:
        await _body(request, _Nothing)
        return self._goodbye(request, {})

    async def logout_everywhere(self, request: web.Request) -> web.Response:
        await _body(request, _Nothing)
        await self._people.log_out_everywhere(self._me(request).id)
        return self._goodbye(request, {})

    async def name(self, request: web.Request) -> web.Response:
        wish = await _body(request, _NewName)
        person = await self._people.rename_account(self._me(request).id, wish.name, wish.password)
        return self._welcome(request, person)

    async def password(self, request: web.Request) -> web.Response:
        wish = await _body(request, _NewPassword)
        person = await self._people.change_password(self._me(request).id, wish.old, wish.new)
        return self._welcome(request, person)

    async def me(self, request: web.Request) -> web.Response:
        response = self._show(self._me(request))
        fresh = self._people.renewal(_token(request.headers.get("Cookie")) or "")
        if fresh is not None:
            self._set_cookie(request, response, fresh)
        return response

    async def export(self, request: web.Request) -> web.StreamResponse:
        person = self._me(request).id
        self._people.may_export(person)
        disposition = 'attachment; filename="gamut-export.json"'
        return await streamed(request, self._people.export(person), **{"Content-Disposition": disposition})

    async def delete(self, request: web.Request) -> web.Response:
        wish = await _body(request, _Delete)
        person = self._me(request)
        if not person.guest:
            await self._people.confirm(person.id, wish.password or "")
            person = self._me(request)  # this session may have become void meanwhile
        remains = await self._people.delete(person.id)
        if remains:
            return self._goodbye(request, {"erased": False, "message": remains}, 202)
        return self._goodbye(request, {"erased": True})


def _either(wish: _Login, by_password: Come, by_hash: Come) -> Come:
    """How somebody comes in with this name: by the password, or by its hash."""
    match wish:
        case _Login(password=str(password), hash=None):
            return partial(by_password, wish.name, password)
        case _Login(password=None, hash=str(hash)):
            return partial(by_hash, wish.name, hash)
    raise Refused("bad_request", "The request is not as it should be: it has either a password or a hash.")


def routes(people: People, *, trusted_proxies: Collection[Network] = ()) -> list[web.RouteDef]:
    """Whatever changes something must be guarded against foreign pages (`gamut.net.http.guard`)."""
    accounts = _Accounts(people, trusted_proxies)
    changing: dict[str, Handler] = {
        "/api/guest": accounts.guest,
        "/api/register": accounts.register,
        "/api/login": accounts.login,
        "/api/logout": accounts.logout,
        "/api/logout-everywhere": accounts.logout_everywhere,
        "/api/name": accounts.name,
        "/api/password": accounts.password,
    }
    return [
        *(web.post(path, answering(handler, _STATUS)) for path, handler in changing.items()),
        web.delete("/api/me", answering(accounts.delete, _STATUS)),
        web.get("/api/me", answering(accounts.me, _STATUS)),
        web.get("/api/me/export", answering(accounts.export, _STATUS)),
    ]
