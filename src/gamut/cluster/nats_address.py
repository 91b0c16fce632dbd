"""Where the NATS of a cluster is: nats://[user:password@]host:port[,host:port...][/NAME], or tls:// in place of nats://."""

import re
from typing import NamedTuple, Self
from urllib.parse import unquote

_SCHEMES = ("nats", "tls")
_HOST = re.compile(r"(?P<host>[A-Za-z0-9._-]+|\[[0-9A-Fa-f:.]+\])(?::(?P<port>[0-9]{1,5}))?")
_NAME = re.compile(r"[A-Za-z0-9_-]{1,32}")
_DEFAULT_PORT = 4222
_DEFAULT_NAME = "gamut"
_ESCAPES = "in a password, @ is written %40, / is %2F and : is %3A"


class Place(NamedTuple):
    host: str
    port: int

    def __str__(self) -> str:
        return f"[{self.host}]:{self.port}" if ":" in self.host else f"{self.host}:{self.port}"


class NatsAddress(NamedTuple):
    """One user for all servers. As with other clients of NATS, a user without a password is a token."""

    scheme: str
    places: tuple[Place, ...]
    name: str
    """Of the cluster: several of them may share a NATS, and do not hear each other."""
    user: str | None = None
    password: str | None = None
    token: str | None = None

    @classmethod
    def read(cls, url: str) -> Self:
        """ValueError says what is wrong; it never quotes the URL, any part of which may be the password."""
        scheme, begins_well, rest = url.partition("://")
        if not begins_well or scheme not in _SCHEMES:
            raise ValueError("the address of a NATS begins with nats:// or tls://")
        servers, has_name, name = rest.partition("/")
        if "@" in name:
            raise ValueError(_ESCAPES)
        if has_name and not _NAME.fullmatch(name):
            raise ValueError(
                "after the servers stands / and the cluster's name: letters, digits, - and _, at most 32"
            )
        log_in, has_log_in, hosts = servers.rpartition("@")
        user, has_password, password = log_in.partition(":")
        if "@" in log_in or ":" in password:
            raise ValueError(f"one user and password stand before all servers; {_ESCAPES}")
        return cls(
            scheme,
            tuple(map(_place, hosts.split(","))),
            name or _DEFAULT_NAME,
            user=unquote(user) if has_password else None,
            password=unquote(password) if has_password else None,
            token=unquote(user) if has_log_in and not has_password else None,
        )

    @property
    def shown(self) -> str:
        """Without who logs in."""
        return f"{self.scheme}://{','.join(map(str, self.places))}/{self.name}"


def _place(text: str) -> Place:
    match = _HOST.fullmatch(text)
    port = int(match["port"] or _DEFAULT_PORT) if match else 0
    if not match or not 0 < port < 65_536:
        raise ValueError(f"servers are written host:port, with commas between them; {_ESCAPES}")
    return Place(match["host"].strip("[]"), port)
