"""Everything an operator can set: once here, from which the flags, the environment variables and the help are made.

The help for a setting is the text beside its type. What is to be set of a single door is declared by the door.
"""

from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Annotated, Any, Literal

import msgspec
from msgspec import Meta

from gamut.doors.offer import DoorKind, PortNumber

_DAY = 86_400.0
Count = Annotated[int, Meta(ge=1)]
CountOrZero = Annotated[int, Meta(ge=0)]
Seconds = Annotated[float, Meta(gt=0)]
WithinADay = Annotated[float, Meta(gt=0, le=_DAY)]
"""Seconds, too."""


Role = Literal["both", "owner", "gateway"]


class Settings(msgspec.Struct, frozen=True, kw_only=True):
    host: Annotated[str, "address to listen on; 0.0.0.0 for every interface"] = "127.0.0.1"
    port: Annotated[PortNumber, "main port: the page, the API and every WebSocket door"] = 8080
    data: Annotated[Path, "folder for the database"] = Path("gamut-data")
    store: Annotated[
        str,
        "URL of a PostgreSQL database to use in place of SQLite in that folder: postgresql://...",
    ] = ""
    standby: Annotated[bool, "wait while another node uses the same store, and take over when it is gone"] = (
        False
    )
    node_name: Annotated[
        str,
        Meta(max_length=100),
        "what this node is called in the store and the cluster; empty: the machine's name and the process",
    ] = ""
    cluster: Annotated[
        str,
        "URL of the NATS over which the nodes of one hall speak: nats://HOST:PORT[/NAME], or tls://...; a password "
        "belongs into the variable, since everybody on a machine can read flags",
    ] = ""
    role: Annotated[
        Role,
        "what this node is in a cluster: a gateway, which holds connections; an owner, which has the hall when its "
        "turn comes, and needs --store; or both",
    ] = "both"
    wings: Annotated[
        int,
        Meta(ge=1, le=64),
        "parts of the hall in a cluster, each with an owner of its own; the same at all nodes",
    ] = 1
    lease: Annotated[
        float,
        Meta(ge=0.5, le=60),
        "seconds without a sign of life after which a standby takes over; more where machines stall for a while",
    ] = 1.0
    tls_certificate: Annotated[
        str, "PEM file with the certificate for doors' TLS ports; without one they stay closed"
    ] = ""
    tls_key: Annotated[str, "PEM file with its key"] = ""
    proxy_protocol: Annotated[
        bool, "the trusted proxies say with the PROXY protocol who comes to ports that speak lines"
    ] = False
    allowed_origins: Annotated[
        str, "further web origins whose pages may use people's sessions, separated by commas"
    ] = ""
    trusted_proxies: Annotated[
        str, "addresses or networks of proxies whose X-Forwarded headers count, separated by commas"
    ] = ""
    log_level: Annotated[
        str, Meta(pattern="^(debug|info|warning|error)$"), "debug, info, warning or error"
    ] = "info"
    metrics_token: Annotated[
        str,
        Meta(pattern="^$|^[!-~]{16,}$"),
        "bearer token (16 characters or more) with which /metrics is read; without one it is closed",
    ] = ""
    metrics_open: Annotated[bool, "let everyone read /metrics, without a token"] = False

    connections: Annotated[Count, "connections at doors, WebSockets and lines, in all"] = 20_000
    connections_per_address: Annotated[
        Count, "connections at doors from one address (this machine's own are not counted)"
    ] = 2_000
    visitors: Annotated[Count, "other connections in all: HTTP, and before a handshake"] = 2_000
    visitors_per_address: Annotated[
        Count, "of these from one address (this machine's own are not counted)"
    ] = 200
    handshake_seconds: Annotated[
        WithinADay, "seconds in which the head of a first request must have come"
    ] = 10.0
    http_rate: Annotated[CountOrZero, "HTTP requests per second and address; 0 for no limit"] = 50
    http_burst: Annotated[Count, "HTTP requests that may come at once"] = 200
    message_bytes: Annotated[
        int, Meta(ge=4096, le=16_777_216), "largest message that is read at all; doors set lower limits"
    ] = 1_048_576
    message_rate: Annotated[CountOrZero, "messages per second and connection; 0 for no limit"] = 50
    message_burst: Annotated[Count, "messages that may come at once"] = 100
    send_queue_bytes: Annotated[
        int, Meta(ge=4096), "bytes that may wait for a slow reader before it is let go"
    ] = 1_048_576
    heartbeat: Annotated[WithinADay, "seconds between pings; two without an answer end a connection"] = 30.0
    greeting_seconds: Annotated[WithinADay, "seconds in which a new connection must say what it came for"] = (
        60.0
    )
    tables_per_person: Annotated[Count, "unfinished tables at which one person may sit"] = 20
    most_tables: Annotated[Count, "tables in the lobby"] = 50_000
    watchers_per_table: Annotated[CountOrZero, "watchers at one table"] = 1_000
    talk_burst: Annotated[Count, "lines that one person may say at once; after that one a second"] = 20
    stored_at_once: Annotated[
        Count, "bytes that may be stored at once because of one person; moves are free"
    ] = 262_144
    stored_per_second: Annotated[CountOrZero, "bytes per second after that; 0 for no limit"] = 2_048
    stored_at_once_from_address: Annotated[
        Count, "the same for all who come from one address (this machine's own are not counted)"
    ] = 8_388_608
    stored_per_second_from_address: Annotated[CountOrZero, "bytes per second after that; 0 for no limit"] = (
        65_536
    )
    bot_workers: Annotated[int, Meta(ge=1, le=64), "processes in which bots think"] = 1
    bot_delay: Annotated[float, Meta(ge=0, le=_DAY), "seconds that a bot takes at the least"] = 0.3
    engines: Annotated[
        str, "TOML file that names external engines which play seats (protocols/engines.md)"
    ] = ""
    logins_per_name: Annotated[Count, "uses of a password for one name from one address in ten minutes"] = 10
    logins_per_address: Annotated[Count, "failed log-ins from one address in ten minutes"] = 30
    guests_per_address: Annotated[Count, "new guests from one address in an hour"] = 1_000
    registrations_per_address: Annotated[Count, "new accounts from one address in an hour"] = 1_000
    host_grace: Annotated[Seconds, "seconds without a connection after which somebody else becomes host"] = (
        60.0
    )
    setup_grace: Annotated[Seconds, "seconds for which a seat is kept before the game has begun"] = 120.0
    room_grace: Annotated[
        Seconds, "seconds for which a room of a game's own clients is kept after a restart"
    ] = 600.0
    abandoned_after: Annotated[Seconds, "seconds after which a game that nobody comes back to is closed"] = (
        86_400.0
    )
    doors: Mapping[str, Any] = {}
    """The settings of single doors, by their names. A door of which there are none has its defaults."""

    def of(self, kind: DoorKind) -> Any:
        return self.doors.get(kind.name) or kind.settings()

    @property
    def ports(self) -> list[int]:
        """The numbers of all ports that are to be opened, those of doors too; not of any that the system chooses."""
        if self.cluster and self.role == "owner":
            # Doors' ports are at gateways, perhaps on the same machine.
            return [self.port] if self.port else []
        of_doors = (
            value
            for door in self.doors.values()
            for name, value in msgspec.structs.asdict(door).items()
            if name.endswith("_port")
        )
        return [number for number in (self.port, *of_doors) if number]


class Setting(msgspec.Struct, frozen=True):
    """One thing that can be set."""

    name: str
    type: Any
    default: Any
    door: str | None
    """Whose it is; None: the whole server's."""

    @property
    def description(self) -> str:
        return next(said for said in self.type.__metadata__ if isinstance(said, str))


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
