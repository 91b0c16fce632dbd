"""Names that nobody else has: tests share a server, and should not have to know who came before them."""

from collections import Counter

_LONGEST = 32


class Names:
    def __init__(self) -> None:
        self._given: Counter[str] = Counter()

    def unique(self, name: str) -> str:
        """None of them begins like another, so that whoever looks for one finds no other."""
        self._given[name] += 1
        numbered = f"{name} {self._given[name]:03}"
        return name if len(numbered) > _LONGEST else numbered
