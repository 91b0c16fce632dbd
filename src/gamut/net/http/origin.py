"""Whether a page may talk to this server on behalf of the person who looks at it."""

import re
from collections.abc import Collection
from ipaddress import IPv6Address

_ORIGIN = re.compile(r"(?P<scheme>[a-z][a-z0-9+.-]*)://(?P<host>.+)", re.ASCII)
_HOST = re.compile(r"(?P<name>[a-z0-9._-]+|\[[0-9a-f:.]+\])(?::(?P<port>[0-9]{1,5}))?", re.ASCII)
_DEFAULT_PORTS = {"http": 80, "https": 443}


def _host_and_port(text: str, default: int | None) -> tuple[str, int | None] | None:
    parts = _HOST.fullmatch(text)
    if parts is None:
        return None
    name = parts["name"]
    if name.startswith("["):
        try:
            name = IPv6Address(name[1:-1]).compressed
        except ValueError:
            return None
    port = default if parts["port"] is None else int(parts["port"])
    return None if port is not None and port > 65_535 else (name, port)


def _same(entry: str, scheme: str, origin: tuple[str, int | None]) -> bool:
    """Whether an entry of the setting, an origin or a bare host and port, is this origin."""
    parts = _ORIGIN.fullmatch(entry)
    if parts is None:
        return _host_and_port(entry, _DEFAULT_PORTS.get(scheme)) == origin
    return parts["scheme"] == scheme and _host_and_port(parts["host"], _DEFAULT_PORTS.get(scheme)) == origin


def origin_allowed(origin: str | None, host: str, allowed: Collection[str]) -> bool:
    """Whether a request may act: it comes from our own page, from an allowed one, or from no page at all.

    The schemes of Origin and Host are not compared: behind a proxy that ends TLS, we do not know our own.
    """
    if origin is None:
        return True
    # Before lowering: the Kelvin sign would become a plain k.
    parts = _ORIGIN.fullmatch(origin.lower()) if origin.isascii() else None
    if parts is None:
        return False
    scheme = parts["scheme"]
    # A Host without a port means the default port of whatever scheme the page was loaded with.
    default = _DEFAULT_PORTS.get(scheme)
    ours = _host_and_port(parts["host"], default)
    if ours is None:
        return False
    if scheme in _DEFAULT_PORTS and ours == _host_and_port(host.lower(), default):
        return True
    return any(_same(entry.lower(), scheme, ours) for entry in allowed)


def is_host(text: str) -> bool:
    """Whether this is a name or an address with or without a port, and nothing else: it may stand in a link."""
    return text.isascii() and _host_and_port(text.lower(), None) is not None
