"""TLS for the ports of doors that speak lines: the operator's certificate and key."""

import ssl
from pathlib import Path


class BadCertificate(Exception):
    """The certificate and its key cannot be used. The message is one clear line."""


def tls_context(certificate: str, key: str) -> ssl.SSLContext | None:
    """None if there is neither. Reads files: not for the event loop's own thread."""
    if not certificate and not key:
        return None
    if not certificate or not key:
        raise BadCertificate("TLS needs both a certificate and its key.")
    context = ssl.create_default_context(ssl.Purpose.CLIENT_AUTH)
    try:
        for path in (certificate, key):
            # The library does not say which of the two is not there, and from a pipe it would read for ever.
            if not Path(path).is_file() and Path(path).exists():
                raise BadCertificate(f"{path} is no file.")
            Path(path).open("rb").close()
        # Without a password it would ask on the terminal for that of a key that has one.
        context.load_cert_chain(certificate, key, password="")
    except ssl.SSLError as error:
        reason = error.reason or "they are no PEM files, or the key has a password"
        raise BadCertificate(f"{certificate} and {key} are no certificate and key: {reason}.") from None
    except OSError as error:
        raise BadCertificate(f"{error.filename} cannot be read: {error.strerror}.") from None
    return context
