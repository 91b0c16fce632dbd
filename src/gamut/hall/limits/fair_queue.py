"""A queue in which everybody gets their turn, however much somebody has put into it."""

from collections import OrderedDict, deque
from typing import Generic, TypeVar

T = TypeVar("T")


class FairQueue(Generic[T]):
    def __init__(self) -> None:
        self._waiting: OrderedDict[str, deque[T]] = OrderedDict()
        """By owner; whose turn it is comes first."""

    def __bool__(self) -> bool:
        return bool(self._waiting)

    def put(self, owner: str, item: T) -> None:
        self._waiting.setdefault(owner, deque()).append(item)

    def take(self) -> T:
        """The next one; its owner's others wait until all the others had a turn."""
        owner, items = self._waiting.popitem(last=False)
        item = items.popleft()
        if items:
            self._waiting[owner] = items
        return item
