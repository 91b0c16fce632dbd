"""What is done in a thread for somebody who waits for it on the event loop."""

from collections.abc import Callable
from typing import Any


def raising_to_a_future(call: Callable[..., Any], *args: Any) -> Any:
    """Call this, whatever it raises: StopIteration is the one exception that a future does not take.

    Without this whoever waits for a call that lets one out would wait for ever.
    """
    try:
        return call(*args)
    except StopIteration as stop:
        raise RuntimeError("something was looked for with next() and is not there") from stop
