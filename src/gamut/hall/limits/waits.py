"""How long somebody has to wait, in words."""

from gamut.hall.ids import Millis


def in_seconds(wait: Millis) -> str:
    """Rounded up: nobody is asked to wait for no time at all."""
    seconds = max(1, -(-wait // 1000))
    return "1 second" if seconds == 1 else f"{seconds} seconds"
