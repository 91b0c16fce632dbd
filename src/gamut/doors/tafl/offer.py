"""The door for clients of Tafl: lines over TCP on a port of its own, and the same under TLS."""

from typing import Annotated

import msgspec
from msgspec import Meta

from gamut.doors.offer import DoorKind, Entrances, Lines, Offer, Port, PortNumber, Premises
from gamut.doors.tafl import to_client as t
from gamut.doors.tafl.door import GAME, TaflDoor
from gamut.doors.tafl.naming import Guids
from gamut.doors.tafl.session import TaflSession

_LOGIN_SECONDS = 30.0


class TaflSettings(msgspec.Struct, frozen=True, kw_only=True):
    tafl_port: Annotated[PortNumber, "port for Tafl clients; 0 turns it off"] = 11541
    tafl_tls_port: Annotated[PortNumber, "the same under TLS, if there is a certificate; 0 turns it off"] = 0
    tafl_certificate: Annotated[
        str,
        "PEM file with a certificate for this port alone, in place of --tls-certificate",
    ] = ""
    tafl_key: Annotated[str, "PEM file with its key"] = ""
    tafl_bots: Annotated[bool, "bots wait in the list of games that Tafl clients are shown"] = True
    tafl_message_burst: Annotated[int, Meta(ge=1), "messages of a Tafl client that may come at once"] = 200


def _entrances(settings: TaflSettings) -> Entrances:
    lines = Lines(
        largest=TaflSession.most_bytes,
        refusal=lambda reason: t.error("server-full"),
        greeting_seconds=_LOGIN_SECONDS,
        message_burst=settings.tafl_message_burst,
    )
    return Entrances(
        ports=(
            Port(name=GAME, title="Tafl clients", number=settings.tafl_port, speaks=lines),
            Port(
                name="tafl_tls",
                title="Tafl clients",
                number=settings.tafl_tls_port,
                speaks=lines,
                tls=True,
                certificate=settings.tafl_certificate,
                key=settings.tafl_key,
            ),
        ),
    )


async def _open(premises: Premises, settings: TaflSettings) -> Offer:
    door = TaflDoor(premises.hall, premises.people, bots=settings.tafl_bots)
    await premises.hall.naming.use(GAME, Guids())
    return Offer(
        name=GAME,
        door=door,
        session_type=TaflSession,
        renamed=door.renamed,
        logged_out=door.logged_out,
        deleted=door.logged_out,
    )


TAFL = DoorKind(GAME, TaflSettings, _entrances, _open, game=GAME, sees_all_tables=True)
