"""Whether all of a table or an index is there: its pages in order, and the gaps where one cannot be read."""

from collections.abc import Callable, Iterator
from itertools import chain
from typing import Any

from gamut.ledger.sqlite.pages import Cell, Page, Pages

GAP = None
"""Stands where an unknown number of rows is missing."""

Belongs = Callable[[Cell], bool]


class Trees:
    """The trees of a database, found without its list of them: what no page leads to is a root."""

    def __init__(self, pages: Pages) -> None:
        self._pages = pages
        below: set[int] = set()
        tops: list[int] = []
        for page in pages:
            below.update(page.children)
            tops.append(page.number)
        # A page that no other leads to any more because that one is damaged is a top, too.
        self._tops = [number for number in tops if number not in below]

    def rows(self, belongs: Belongs, *, index: bool) -> Iterator[Cell | None]:
        """All rows that belong to one table or index, in order, with a gap wherever some may be missing."""
        found = 0
        for number in self._tops:
            top = self._pages.page(number)
            if top is None or top.of_index != index:
                continue
            walk = self._walk(top, {number}, GAP, GAP)
            ahead: list[Cell | None] = []
            for row in walk:
                ahead.append(row)
                if row is not GAP:
                    break
            if not ahead or ahead[-1] is GAP or not belongs(ahead[-1]):
                continue
            if found:
                yield GAP  # a second root: the page that joins the two is missing
            found += 1
            yield from chain(ahead, walk)
        if found != 1:
            yield GAP

    def _walk(self, page: Page, seen: set[int], low: Cell | None, high: Cell | None) -> Iterator[Cell | None]:
        """Everything below a page, which must be between these."""
        if not page.children:
            for cell in page.cells:
                # A row out of order is not from here: the page is an old copy, or damaged.
                yield cell if _between(low, cell, high) else GAP
        elif len(page.children) != len(page.cells) + 1:
            yield GAP
            for child in page.children:
                yield from self._below(child, page, seen, GAP, GAP)
                yield GAP
        else:
            bounds = [low, *page.cells, high]
            for place, child in enumerate(page.children):
                yield from self._below(child, page, seen, bounds[place], bounds[place + 1])
                if page.of_index and place < len(page.cells):
                    yield page.cells[place]
        if not page.whole:
            yield GAP

    def _below(
        self, number: int, page: Page, seen: set[int], low: Cell | None, high: Cell | None
    ) -> Iterator[Cell | None]:
        child = self._pages.page(number)
        if child is None or child.of_index != page.of_index or number in seen:
            yield GAP
        else:
            seen.add(number)
            yield from self._walk(child, seen, low, high)


def _between(low: Cell | None, cell: Cell, high: Cell | None) -> bool:
    """Whether low < cell <= high, as in the tree of a table.
    In an index no two keys are equal: it holds there, too."""
    try:
        return (low is None or _key(low) < _key(cell)) and (high is None or not _key(high) < _key(cell))
    except TypeError:
        return False  # not even of the same kind


def _key(row: Cell) -> Any:
    return row.record if row.rowid is None else row.rowid
