"""The messages of a protocol, found by the class they are declared under: no list has to be kept in step."""

from typing import Any, Union

from msgspec import Struct


def declared(base: type[Struct]) -> tuple[type[Struct], ...]:
    """In the order of their declaration. A class that only holds what others have in common is none."""
    below: list[type[Struct]] = base.__subclasses__()
    return tuple(kind for each in below for kind in (declared(each) or (each,)))


def any_of(base: type[Struct]) -> Any:
    """All of them as one type, for a decoder."""
    return Union[declared(base)]  # noqa: UP007 - which they are is known when it runs
