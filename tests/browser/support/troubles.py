"""What a browser complains about, as errors and warnings in its console.

Requests to strangers are among them: the page's own policy refuses them and the browser, which knows the way to this
machine only, says so. To listen to every request would cost a sixth of each page's load.
"""

import re
from collections.abc import Iterator
from contextlib import contextmanager

from playwright.sync_api import BrowserContext, ConsoleMessage, WebError

CONNECTION_FAILED = (
    r"WebSocket connection to '[^']*' failed|"
    r"net::ERR_(INTERNET_DISCONNECTED|CONNECTION_(REFUSED|RESET|CLOSED)|SOCKET_NOT_CONNECTED|EMPTY_RESPONSE)"
)
"""Chromium itself writes this when nobody answers, or a server is killed while it is asked; no page can keep it from
doing so."""


class Troubles:
    """Everything that went wrong in one person's browser, for the test that caused it to fail."""

    def __init__(self, context: BrowserContext) -> None:
        self._excused: list[re.Pattern[str]] = []
        self.found: list[str] = []
        context.on("console", self._said)
        context.on("weberror", self._thrown)

    @contextmanager
    def excused(self, pattern: str) -> Iterator[None]:
        """What the browser is bound to say of something that the test does on purpose."""
        self._excused.append(re.compile(pattern))
        try:
            yield
        finally:
            self._excused.pop()

    def _said(self, message: ConsoleMessage) -> None:
        if message.type in ("error", "warning"):
            self._add(f"console {message.type}: {message.text}")

    def _thrown(self, error: WebError) -> None:
        self._add(f"uncaught: {error.error.message}")

    def _add(self, trouble: str) -> None:
        if not any(pattern.search(trouble) for pattern in self._excused):
            self.found.append(trouble)
