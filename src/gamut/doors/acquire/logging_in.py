"""Logging in and out. The accounts are those of the page."""

from typing import TYPE_CHECKING

from gamut.doors.acquire import from_client as f
from gamut.doors.acquire import to_client as t
from gamut.doors.acquire.snapshots import snapshot
from gamut.games.game import Refused
from gamut.hall.names.person_names import NAME_LONGEST, NameRefused, clean_name, name_key
from gamut.hall.people.person import Person, WrongLogin

if TYPE_CHECKING:
    from gamut.doors.acquire.session import AcquireSession


async def log_in(session: "AcquireSession", message: f.Login) -> None:
    _check_stranger(session)
    people = session.door.people
    if message.password is not None:
        person = await people.login(message.username, message.password, session.address)
    elif message.token is not None:
        found = people.by_token(message.token)
        if found is None or name_key(found.name) != name_key(message.username):
            raise WrongLogin
        person = found
    else:
        raise Refused("invalid_message", "Whoever logs in says a password or a token.")
    if session.state.in_lobby:
        await session.door.lobby.private.read(person.id)
    _let_in(session, person)


async def create_user(session: "AcquireSession", message: f.CreateUserAndLogin) -> None:
    _check_stranger(session)
    # Blanks alone: a line break is none.
    name = " ".join(filter(None, message.username.split(" ")))
    if not (name.isascii() and name.isprintable() and 1 <= len(name) <= NAME_LONGEST):
        raise NameRefused(f"A name has 1 to {NAME_LONGEST} printable ASCII characters.")
    person = await session.door.people.register(clean_name(name), message.password, address=session.address)
    _let_in(session, person)


def _check_stranger(session: "AcquireSession") -> None:
    if session.state.known is not None:
        raise Refused("already_logged_in", "You are logged in already; log out first.")


def _let_in(session: "AcquireSession", person: Person) -> None:
    token = session.door.people.issue(person)
    # Connection and person may be gone by now.
    if session.is_deaf:
        return
    if session.door.people.by_token(token) is None:
        raise WrongLogin
    games = list(session.following.values())
    session.exit_games()
    session.become(person)
    user = session.user
    assert user is not None
    session.send(t.LoginResult(user_id=user.user_id, username=user.username, token=token))
    for live in games:
        # Whoever plays there sees more of the game than whoever only looked.
        session.enter(live)
        session.send(snapshot(session.door, live, session.person))
    session.door.lobby.private.is_somebody_else(session)


def log_out(session: "AcquireSession", message: f.Logout) -> None:
    session.exit_games()
    session.become(None)
    session.door.lobby.private.is_somebody_else(session)
