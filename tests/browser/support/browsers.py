"""Browsers that serve one person after the other: a new one costs more than most tests do with it."""

from collections import defaultdict
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from playwright.sync_api import APIResponse, Browser, BrowserContext, Error, Page, ViewportSize
from tests.browser.support.troubles import Troubles

PATIENCE = 60_000
"""Milliseconds; far more than anything takes, also on a slow and busy machine."""
DESKTOP: ViewportSize = {"width": 1280, "height": 800}

_LASTING = ("add_init_script", "route_web_socket")
"""What pages and contexts are told for good."""
_FORGET = """() => {
    localStorage.clear();
    sessionStorage.clear();
    return String(setTimeout).includes("native code");
}"""


@dataclass
class Look:
    """How somebody looks at a page."""

    viewport: ViewportSize
    touch: bool = False
    calm: bool = True
    locale: str = "en-GB"
    worker: bool = False
    """With the page's service worker. What that answers cannot be changed on its way, as many tests do."""


def ask(context: BrowserContext, path: str, told: dict[str, str] | None = None) -> APIResponse:
    """The server itself, without the page, as whoever the browser belongs to."""
    # Once more if the server has just then closed a connection that was idle for long: pages do the same.
    return context.request.fetch(path, method="POST" if told else "GET", data=told, max_retries=1)


class Lent:
    """A browser in somebody's hands."""

    def __init__(self, page: Page, home: str) -> None:
        self.page = page
        self.troubles = Troubles(page.context)
        self._home = home
        self._spent = False
        """Whether something was done to it that cannot be undone."""
        self._undo: list[Callable[[], object]] = []
        for thing in (page, page.context):
            instead = {"on": self._listening(thing)}
            instead |= {name: self._spending(getattr(thing, name)) for name in _LASTING}
            for name, method in instead.items():
                setattr(thing, name, method)

    def _spending(self, method: Callable[..., Any]) -> Callable[..., Any]:
        def spend(*args: Any, **kwargs: Any) -> Any:
            self._spent = True
            return method(*args, **kwargs)

        return spend

    def _listening(self, thing: Page | BrowserContext) -> Callable[..., None]:
        listen: Any = thing.on

        def on(event: Any, told: Callable[..., Any]) -> None:
            listen(event, told)
            self._undo.append(lambda: thing.remove_listener(event, told))

        return on

    @property
    def context(self) -> BrowserContext:
        return self.page.context

    def look(self, look: Look) -> None:
        self.page.set_viewport_size(look.viewport)
        self.page.emulate_media(color_scheme="light", reduced_motion="reduce")
        self.troubles.found.clear()

    def forget(self) -> bool:
        """Nothing is left of whoever used it; False: something is."""
        if self._spent or self.page.is_closed():
            return False
        try:
            for undo in self._undo:
                undo()
            self._undo.clear()
            for page in self.context.pages:
                if page is not self.page:
                    page.close()
            self.context.unroute_all()
            self.context.set_offline(False)
            self.page.unroute_all()
            # Of the same origin, so that the page's process stays; and without any script.
            self.page.goto(f"{self._home}/favicon.svg")
            self.context.clear_cookies()
            return bool(self.page.evaluate(_FORGET))
        except Error:
            return False


class Browsers:
    def __init__(self, browser: Browser, permissions: list[str]) -> None:
        self._browser = browser
        self._permissions = permissions
        self._idle: defaultdict[tuple[str, bool, str], list[Lent]] = defaultdict(list)

    def lend(self, home: str, look: Look, *, fresh: bool) -> Lent:
        """One for the server at this address; fresh: nobody has ever used it."""
        idle = self._idle[home, look.touch, look.locale]
        if fresh or look.worker or not look.calm or not idle:
            return self._new(home, look)
        lent = idle.pop()
        lent.look(look)
        return lent

    def take_back(self, lent: Lent, home: str, look: Look) -> None:
        if look.calm and not look.worker and lent.forget():
            self._idle[home, look.touch, look.locale].append(lent)
        else:
            lent.context.close()

    def _new(self, home: str, look: Look) -> Lent:
        context = self._browser.new_context(
            base_url=home,
            viewport=look.viewport,
            has_touch=look.touch,
            is_mobile=look.touch,
            reduced_motion="reduce" if look.calm else "no-preference",
            color_scheme="light",
            permissions=self._permissions,
            locale=look.locale,
            service_workers="allow" if look.worker else "block",
        )
        context.set_default_timeout(PATIENCE)
        return Lent(context.new_page(), home)
