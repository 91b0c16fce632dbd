"""Everything an operator can set: once here, from which the flags, the environment variables and the help are made.

What is to be set of a single door is declared by the door.
"""

from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Annotated, Any

import msgspec
from msgspec import Meta

from gamut.doors.offer import DoorKind, PortNumber

_DAY = 86_400.0


class Settings(msgspec.Struct, frozen=True, kw_only=True):
    host: Annotated[str, Meta(description="address to listen on; 0.0.0.0 for every interface")] = "127.0.0.1"
    port: Annotated[PortNumber, Meta(description="main port: the page, the API and every WebSocket door")] = (
        8080
    )
    data: Annotated[Path, Meta(description="folder for the database")] = Path("gamut-data")
    tls_certificate: Annotated[
        str,
        Meta(description="PEM file with the certificate for doors' TLS ports; without one they stay closed"),
    ] = ""
    tls_key: Annotated[str, Meta(description="PEM file with its key")] = ""
    proxy_protocol: Annotated[
        bool,
        Meta(
            description="the trusted proxies say with the PROXY protocol who comes to ports that speak lines"
        ),
    ] = False
    allowed_origins: Annotated[
        str,
        Meta(description="further web origins whose pages may use people's sessions, separated by commas"),
    ] = ""
    trusted_proxies: Annotated[
        str,
        Meta(
            description="addresses or networks of proxies whose X-Forwarded headers count, separated by commas"
        ),
    ] = ""
    log_level: Annotated[
        str, Meta(description="debug, info, warning or error", pattern="^(debug|info|warning|error)$")
    ] = "info"
    metrics_token: Annotated[
        str,
        Meta(
            pattern="^$|^[!-~]{16,}$",
            description="bearer token (16 characters or more) with which /metrics is read; without one it is closed",
        ),
    ] = ""
    metrics_open: Annotated[bool, Meta(description="let everyone read /metrics, without a token")] = False

    connections: Annotated[
        int, Meta(ge=1, description="connections at doors, WebSockets and lines, in all")
    ] = 20_000
    connections_per_address: Annotated[
        int,
        Meta(ge=1, description="connections at doors from one address (this machine's own are not counted)"),
    ] = 2_000
    visitors: Annotated[
        int, Meta(ge=1, description="other connections in all: HTTP, and before a handshake")
    ] = 2_000
    visitors_per_address: Annotated[
        int, Meta(ge=1, description="of these from one address (this machine's own are not counted)")
    ] = 200
    handshake_seconds: Annotated[
        float, Meta(gt=0, le=_DAY, description="seconds in which the head of a first request must have come")
    ] = 10.0
    http_rate: Annotated[
        int, Meta(ge=0, description="HTTP requests per second and address; 0 for no limit")
    ] = 50
    http_burst: Annotated[int, Meta(ge=1, description="HTTP requests that may come at once")] = 200
    message_bytes: Annotated[
        int,
        Meta(
            ge=4096, le=16_777_216, description="largest message that is read at all; doors set lower limits"
        ),
    ] = 1_048_576
    message_rate: Annotated[
        int, Meta(ge=0, description="messages per second and connection; 0 for no limit")
    ] = 50
    message_burst: Annotated[int, Meta(ge=1, description="messages that may come at once")] = 100
    send_queue_bytes: Annotated[
        int, Meta(ge=4096, description="bytes that may wait for a slow reader before it is let go")
    ] = 1_048_576
    heartbeat: Annotated[
        float,
        Meta(gt=0, le=_DAY, description="seconds between pings; two without an answer end a connection"),
    ] = 30.0
    greeting_seconds: Annotated[
        float, Meta(gt=0, le=_DAY, description="seconds in which a new connection must say what it came for")
    ] = 60.0
    tables_per_person: Annotated[
        int, Meta(ge=1, description="unfinished tables at which one person may sit")
    ] = 20
    most_tables: Annotated[int, Meta(ge=1, description="tables in the lobby")] = 50_000
    watchers_per_table: Annotated[int, Meta(ge=0, description="watchers at one table")] = 1_000
    talk_burst: Annotated[
        int, Meta(ge=1, description="lines that one person may say at once; after that one a second")
    ] = 20
    stored_at_once: Annotated[
        int, Meta(ge=1, description="bytes that may be stored at once because of one person; moves are free")
    ] = 262_144
    stored_per_second: Annotated[
        int, Meta(ge=0, description="bytes per second after that; 0 for no limit")
    ] = 2_048
    stored_at_once_from_address: Annotated[
        int,
        Meta(
            ge=1,
            description="the same for all who come from one address (this machine's own are not counted)",
        ),
    ] = 8_388_608
    stored_per_second_from_address: Annotated[
        int, Meta(ge=0, description="bytes per second after that; 0 for no limit")
    ] = 65_536
    bot_workers: Annotated[int, Meta(ge=1, le=64, description="processes in which bots think")] = 1
    bot_delay: Annotated[float, Meta(ge=0, le=_DAY, description="seconds that a bot takes at the least")] = (
        0.3
    )
    engines: Annotated[
        str, Meta(description="TOML file that names external engines which play seats (protocols/engines.md)")
    ] = ""
    logins_per_name: Annotated[
        int, Meta(ge=1, description="uses of a password for one name from one address in ten minutes")
    ] = 10
    logins_per_address: Annotated[
        int, Meta(ge=1, description="failed log-ins from one address in ten minutes")
    ] = 30
    guests_per_address: Annotated[int, Meta(ge=1, description="new guests from one address in an hour")] = (
        1_000
    )
    registrations_per_address: Annotated[
        int, Meta(ge=1, description="new accounts from one address in an hour")
    ] = 1_000
    host_grace: Annotated[
        float, Meta(gt=0, description="seconds without a connection after which somebody else becomes host")
    ] = 60.0
    setup_grace: Annotated[
        float, Meta(gt=0, description="seconds for which a seat is kept before the game has begun")
    ] = 120.0
    room_grace: Annotated[
        float,
        Meta(gt=0, description="seconds for which a room of a game's own clients is kept after a restart"),
    ] = 600.0
    abandoned_after: Annotated[
        float, Meta(gt=0, description="seconds after which a game that nobody comes back to is closed")
    ] = 86_400.0
    doors: Mapping[str, Any] = {}
    """The settings of single doors, by their names. A door of which there are none has its defaults."""

    def of(self, kind: DoorKind) -> Any:
        return self.doors.get(kind.name) or kind.settings()


class Setting(msgspec.Struct, frozen=True):
    """One thing that can be set."""

    name: str
    type: Any
    default: Any
    door: str | None
    """Whose it is; None: the whole server's."""

    @property
    def description(self) -> str:
        found = (getattr(meta, "description", None) for meta in reversed(self.type.__metadata__))
        return next(str(description) for description in found if description)


def all_settings(doors: Iterable[DoorKind]) -> list[Setting]:
    """What can be set of the server, and then of each door."""
    found: list[tuple[str | None, type[msgspec.Struct]]] = [(None, Settings)]
    found += ((kind.name, kind.settings) for kind in doors)
    return [
        Setting(field.name, field.type, field.default, door)
        for door, declared in found
        for field in msgspec.structs.fields(declared)
        if field.name != "doors"
    ]
