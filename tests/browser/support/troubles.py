"""What a browser complains about, as errors and warnings in its console.

Requests to strangers are among them: the page's own policy refuses them and the browser, which knows the way to this
machine only, says so. To listen to every request would cost a sixth of each page's load.
"""

import re
from collections.abc import Iterator
from contextlib import contextmanager
from time import monotonic

from playwright.sync_api import BrowserContext, ConsoleMessage, WebError
from tests.net.support.process import PATIENCE

CONNECTION_FAILED = (
    r"WebSocket connection to '[^']*' failed|"
    r"net::ERR_(INTERNET_DISCONNECTED|CONNECTION_(REFUSED|RESET|CLOSED)|SOCKET_NOT_CONNECTED|EMPTY_RESPONSE|"
    r"INCOMPLETE_CHUNKED_ENCODING|CONTENT_LENGTH_MISMATCH)"
)
"""Chromium itself writes this when nobody answers, or a server is killed while it is asked or in the middle of its
answer; no page can keep it from doing so."""
_LEFT_EARLY = "WebSocket is closed before the connection is established"
"""And this when a page is left while it connects, as people do."""
_NO_WORKER = "Service Worker registration blocked by Playwright"
"""As most tests wish (`Look.worker`)."""


class Troubles:
    """Everything that went wrong in one person's browser, for the test that caused it to fail."""

    def __init__(self, context: BrowserContext) -> None:
        self._context = context
        self._excused: list[tuple[re.Pattern[str], list[str]]] = []
        self.found: list[str] = []
        context.on("console", self._said)
        context.on("weberror", self._thrown)

    @contextmanager
    def excused(self, pattern: str) -> Iterator[None]:
        """What the browser is bound to say of something that the test does on purpose.

        It may say so a little after the page shows what came of it, so that is waited for.
        """
        with self.perhaps(pattern) as heard:
            yield
            latest = monotonic() + PATIENCE
            while not heard:
                assert monotonic() < latest, f"nothing was said that is like {pattern!r}"
                self._context.pages[0].wait_for_timeout(10)

    @contextmanager
    def perhaps(self, pattern: str) -> Iterator[list[str]]:
        """What it may say of that, or not; as far as it has."""
        excuse = re.compile(pattern), list[str]()
        self._excused.append(excuse)
        try:
            yield excuse[1]
        finally:
            self._excused.remove(excuse)

    def _said(self, message: ConsoleMessage) -> None:
        excused = _LEFT_EARLY in message.text or message.text == _NO_WORKER
        if message.type in ("error", "warning") and not excused:
            self._add(f"console {message.type}: {message.text}")

    def _thrown(self, error: WebError) -> None:
        self._add(f"uncaught: {error.error.message}")

    def _add(self, trouble: str) -> None:
        heard = [heard for pattern, heard in self._excused if pattern.search(trouble)] or [self.found]
        for known in heard:
            known.append(trouble)
