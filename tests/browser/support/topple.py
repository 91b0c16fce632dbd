"""Topple as somebody sees it, and games of it as files."""

import re
from random import Random

from playwright.sync_api import Locator, expect
from tests.browser.support.person import Person

from gamut.games.game import Seat
from gamut.games.topple.events import Place
from gamut.games.topple.files.record import Moved, Record
from gamut.games.topple.files.writer import write
from gamut.games.topple.options import ToppleOptions
from gamut.games.topple.rules import Topple
from gamut.games.topple.topology import field

_OVER = re.compile(r"^(You win|.+ wins|A draw)$")

SHORT_GAME = (0, 3, 0, 3)
"""On four tiles: the second player topples a corner, and everything is theirs."""


def tile_name(tile: int, columns: int) -> str:
    """As it is to be read at the edge of the board: the letter of the column, and the row from the top."""
    row, column = divmod(tile, columns)
    return f"{'abcdefghijklmnopqrstuvwxyz'[column]}{row + 1}"


class Board:
    """The tiles in front of one person, counted from 0 in rows."""

    def __init__(self, person: Person, columns: int) -> None:
        self._person = person
        self._columns = columns
        self.grid = person.table.board

    def tile(self, tile: int) -> Locator:
        name = re.compile(f"^{tile_name(tile, self._columns)}: ")
        return self.grid.get_by_role("gridcell", name=name)

    def place(self, tile: int) -> None:
        """Put a piece there, and see that it was taken."""
        self._person.table.my_turn()
        before = self._person.table.moves.get_by_role("button").count()
        self.tile(tile).click()
        expect(self._person.table.move(before + 1)).to_be_visible()

    def play_to_the_end(self, most: int = 100) -> None:
        """A piece onto the first tile there is, whenever it is one's turn."""
        moves = self._person.table.moves.get_by_role("button")
        playable = self.grid.get_by_role("gridcell", name=re.compile("you can play here$"))
        ended = self._person.page.get_by_role("heading", level=1, name=_OVER)
        for _ in range(most):
            # What topples is shown before it is said whose turn it is.
            expect(playable.or_(ended).first).to_be_visible()
            if ended.count() > 0:
                return
            before = moves.count()
            playable.first.click()
            expect(moves).not_to_have_count(before)
        raise AssertionError(f"the game is not over after {most} moves")

    def holds(self, tile: int, what: str) -> None:
        expect(self.tile(tile)).to_have_accessible_name(
            re.compile(f": {re.escape(what)}(, you can play here)?$")
        )

    def marked(self, kind: str) -> set[int]:
        """The tiles under marks of this kind."""
        outlines = set(
            self.grid.locator(f".{kind} path").evaluate_all("all => all.map(one => one.getAttribute('d'))")
        )
        drawn = self.grid.get_by_role("gridcell").evaluate_all(
            "cells => cells.map(cell => [Number(cell.dataset.square), cell.getAttribute('d')])"
        )
        return {tile for tile, outline in drawn if outline in outlines}

    def pieces(self) -> list[int]:
        names = self.grid.get_by_role("gridcell").evaluate_all("cells => cells.map(cell => cell.ariaLabel)")
        found = [re.search(r": (\d+) piece", name) for name in names]
        return [int(match[1]) for match in found if match is not None]


def record(x: int, y: int, moves: list[int], players: int = 2) -> Record:
    turns = tuple(Moved(number % players + 1, tile, 500) for number, tile in enumerate(moves))
    teams = tuple(range(1, players + 1))
    return Record(
        room="ABCD4567", started=1_700_000_000_000, topology=0, x=x, y=y, size=1, teams=teams, events=turns
    )


def game_with_a_cascade(x: int = 4, y: int = 4) -> tuple[bytes, list[int], list[int]]:
    """A file of a game that was played at random until a move set off a cascade of some length: its moves, and the
    tiles in the order in which the last of them made them topple."""
    topple = Topple()
    for seed in range(1_000):
        chance = Random(seed)
        state = topple.replay(topple.begin(ToppleOptions(x=x, y=y), 2, chance))
        moves: list[int] = []
        while state.turn is not None:
            place = chance.choice(topple.legal(state, state.turn))
            toppled = toppling(state.board, x, y, place.tile)
            (moved,) = topple.decide(state, Seat(state.turn), Place(place.tile), chance)
            state = topple.evolve(state, moved)
            moves.append(place.tile)
            if 4 <= len(toppled) <= 8 and state.turn is not None:
                return write(record(x, y, moves)), moves, toppled
    raise AssertionError("there is such a game")


def toppling(board: bytes, x: int, y: int, tile: int) -> list[int]:
    """Every tile that topples, in order, worked out from the rules anew; for cascades that do not win."""
    pieces, neighbours = bytearray(board), field(0, x, y).neighbours
    stack, order = [tile], list[int]()
    while stack and len(order) < 100:
        at = stack.pop()
        pieces[at] += 1
        if pieces[at] > len(neighbours[at]):
            pieces[at] -= len(neighbours[at])
            stack += neighbours[at]
            order.append(at)
    return order
