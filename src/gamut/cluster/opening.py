"""Opening the bus that the settings name."""

from collections.abc import Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING

from gamut.cluster.bus import BusError
from gamut.hall.faults import Faults

if TYPE_CHECKING:
    from gamut.cluster.nats_bus import NatsBus


@contextmanager
def require_nats() -> Iterator[None]:
    """Around the import of something that needs nats-py, which only the extra `gamut[cluster]` installs."""
    try:
        yield
    except ImportError as error:
        if error.name is None or error.name.partition(".")[0] != "nats":
            raise
        raise BusError(
            "A cluster needs nats-py, which is not installed: pip install 'gamut[cluster]'."
        ) from None


async def open_bus(url: str, faults: Faults) -> "NatsBus":
    """Also if no server answers: then it is connected later. BusError if the address or the log-in is wrong."""
    with require_nats():
        from gamut.cluster.nats_bus import NatsBus
    return await NatsBus.open(url, faults)
