"""What clients meet of a process, whoever speaks with them behind it: its ports, its limits, and all connections."""

import logging
import resource
import ssl
from collections import Counter
from collections.abc import Callable, Collection, Iterable, Sequence

import msgspec
from aiohttp import web

from gamut.doors.offer import Recognise
from gamut.hall.ids import Millis
from gamut.hall.limits.attempts import Attempts, Limit
from gamut.net.hall_settings import millis
from gamut.net.http.durable import Durable
from gamut.net.port.address import networks
from gamut.net.port.connections import AfterAnswers, Connections
from gamut.net.port.limits import ConnectionLimits, TurnedAway
from gamut.net.port.open_files import OpenFiles, Places
from gamut.net.port.visitors import Visitors
from gamut.net.ports import Doorway, Ports
from gamut.net.settings import Settings

log = logging.getLogger("gamut.server")

_NO_LIMIT = 1 << 31
"""As good as none."""


class Frontage:
    def __init__(
        self,
        settings: Settings,
        hits: Counter[str],
        now: Callable[[], Millis],
        doorways: Sequence[Doorway],
        *,
        files: OpenFiles,
        tls: ssl.SSLContext | None,
        recognise: Recognise,
        durable: Durable,
        after_answers: AfterAnswers,
        speak_while_stopping: Collection[str] = (),
    ) -> None:
        """`tls`: with the certificate that is set for all ports. For the others see `Connections` and `Ports`."""
        self._doorways = doorways
        self.proxies = networks(settings.trusted_proxies.split(","))
        limit = _most_open_files()
        wanted = Places(settings.connections, settings.visitors)
        places = files.places(wanted, limit)
        self._fewer = places if places != wanted else None
        """How many places there are if not as many as are set."""
        turned_away = TurnedAway(hits)
        self.connections = Connections(
            settings,
            hits,
            ConnectionLimits(settings.connections_per_address, places.connections, turned_away),
            # A whole club that shares an address may come back at once.
            _rate(settings, max(settings.http_burst, settings.connections_per_address), now),
            after_answers=after_answers,
            speak_while_stopping=speak_while_stopping,
        )
        self.visitors = Visitors(places.visitors, settings.visitors_per_address, self.proxies, turned_away)
        self.ports = Ports(
            connections=self.connections,
            visitors=self.visitors,
            requests=_rate(settings, settings.http_burst, now),
            recognise=recognise,
            durable=durable,
            proxies=self.proxies,
            origins=[text.strip() for text in settings.allowed_origins.split(",") if text.strip()],
            tls=tls,
            listeners=files.listeners(1 + sum(len(way.entrances.ports) for way in doorways), limit),
        )

    async def open(self, routes: Iterable[web.AbstractRouteDef]) -> None:
        """All ports; these routes are answered at the main one. Raises CannotListen."""
        await self.ports.open_main(self._doorways, routes)
        for doorway in self._doorways:
            await self.ports.open_own(doorway)
        if self._fewer is not None:
            log.warning(
                "the limit of open files allows fewer connections than are set",
                extra=msgspec.structs.asdict(self._fewer),
            )


def _most_open_files() -> int:
    limit, _ = resource.getrlimit(resource.RLIMIT_NOFILE)
    return _NO_LIMIT if limit == resource.RLIM_INFINITY else limit


def _rate(settings: Settings, burst: int, now: Callable[[], Millis]) -> Attempts | None:
    """So many at once from one address, and then as many as the rate of requests allows."""
    if not settings.http_rate:
        return None
    return Attempts(Limit(burst, millis(burst / settings.http_rate)), now)
