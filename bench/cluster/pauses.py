"""For how long somebody who has said something has heard nothing."""

from time import monotonic


class Pauses:
    def __init__(self) -> None:
        self._said: dict[str, float] = {}
        """When those who wait have said the first thing since they last heard something."""
        self._longest: dict[str, float] = {}
        self._over = float("inf")

    def said(self, label: str) -> None:
        self._said.setdefault(label, monotonic())

    def heard(self, label: str) -> float:
        """For how many seconds they have waited for it."""
        said = self._said.pop(label, None)
        if said is None:
            return 0.0
        waited = monotonic() - said
        if said < self._over:
            self._longest[label] = max(waited, self._longest.get(label, 0.0))
        return waited

    def left(self, label: str) -> None:
        """By their own choice: they wait for nothing any more."""
        self._said.pop(label, None)

    def begin(self) -> None:
        """From now on the longest of each is looked for. Whoever waits has been waiting since they said something."""
        self._longest.clear()
        self._over = float("inf")

    def over(self) -> None:
        """What is said from now on does not count."""
        self._over = monotonic()

    def longest(self) -> dict[str, float]:
        """Of each who has said anything, in seconds; also of those who still wait."""
        now = monotonic()
        found = dict(self._longest)
        for label, said in self._said.items():
            if said >= self._over:
                continue
            found[label] = max(now - said, found.get(label, 0.0))
        return found
