"""Logging in, which also makes an account for whoever has none."""

from typing import TYPE_CHECKING

from gamut.doors.close_codes import POLICY
from gamut.doors.tafl import from_client as f
from gamut.doors.tafl import to_client as t
from gamut.games.game import Refused
from gamut.hall.limits.attempts import TooManyTries
from gamut.hall.names.person_names import NameRefused, NameTaken, clean_name
from gamut.hall.people.directory import Directory
from gamut.hall.people.passwords import Busy
from gamut.hall.people.person import Person

if TYPE_CHECKING:
    from gamut.doors.tafl.session import TaflSession

_UNREADABLE = "�"
"""What stands for bytes that are no text."""


async def log_in(session: "TaflSession", wanted: f.Login) -> None:
    try:
        _check_name(session.door.people, wanted.name)
        person = await _person(session, wanted)
    except (Busy, TooManyTries):
        raise  # that says nothing of the name or the hash, so it is no try that failed
    except Refused as refused:
        session.count_refusal(f"login_{refused.code}")
        _failed(session, wanted)
        return
    if session.is_deaf:
        return
    if session.name or session.door.sessions_of(person.id):
        _failed(session, wanted)
        return
    session.logged_in(person, wanted.dialect)


def _check_name(people: Directory, name: str) -> None:
    """Names of this door are exactly what is stored, and have nothing in them that its lines are made of."""
    known = people.by_name(name)
    # Somebody may have a name from a time when everybody could have it.
    kept = known.name if known is not None and known.name == name else clean_name(name)
    if t.shown(name) != name or _UNREADABLE in name or kept != name:
        raise NameRefused("This name cannot be said here.")


async def _person(session: "TaflSession", wanted: f.Login) -> Person:
    people, address = session.door.people, session.address
    if people.by_name(wanted.name) is None:
        try:
            # An OpenTafl client gives up after half a second, and a slow hash for each of a crowd takes longer.
            return await people.register_hashed(wanted.name, wanted.hash, address=address, at_once=True)
        except NameTaken:
            # Meanwhile there is an account. It may be this client's own, from a connection that it gave up.
            if people.by_name(wanted.name) is None:
                raise
    return await people.login_hashed(wanted.name, wanted.hash, address)


def _failed(session: "TaflSession", wanted: f.Login) -> None:
    state = session.state
    if state.deaf:
        return
    state.tries += 1
    session.refuse(Refused("invalid_login", "This name and this hash do not go together."), wanted)
    if state.tries >= session.door.limits.login_tries:
        state.deaf = True
        session.close(POLICY, "too many log-ins failed")
