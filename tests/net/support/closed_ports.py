"""The ports of the doors' own, turned off: servers of the tests run side by side, and must not want the same one."""

from typing import Any

from gamut.doors.registry import all_doors

NAMES = tuple(
    name for kind in all_doors() for name in kind.settings.__struct_fields__ if name.endswith("_port")
)
CLOSED: dict[str, Any] = {
    kind.name: kind.settings(**{name: 0 for name in kind.settings.__struct_fields__ if name in NAMES})
    for kind in all_doors()
}
"""As `Settings(doors=...)`."""
