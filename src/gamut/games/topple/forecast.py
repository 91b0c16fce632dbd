"""The strong bot's search where there are more than two teams, who do not conspire against one of them.

Everybody else is expected to make the topple that gains them most, if one gains anything, in the order of turns.
That leaves only the own moves to choose from, and looking a round or two ahead is affordable. As in `search`, the
work is bounded and not the time.
"""

from gamut.games.topple.cascade import cascade
from gamut.games.topple.prospects import prospects
from gamut.games.topple.search import Bounded, Enough, Moves, Position

_MOST_ROUNDS = 6
_WON = 100_000
"""More than any position can be worth."""


class Forecast(Bounded):
    def _best_of(self, moves: Moves) -> int:
        moves.sort(key=lambda move: -self._worth(move[1]))
        for rounds in range(1, _MOST_ROUNDS):
            values = self._values(moves, rounds)
            # Those that were not looked at any more stay behind, in the order they had.
            order = sorted(range(len(values)), key=lambda place: -values[place])
            moves[: len(order)] = [moves[place] for place in order]
            if self._left < 0 or abs(max(values, default=0)) >= _WON:
                break
        return moves[0][0]

    def _values(self, moves: Moves, rounds: int) -> list[int]:
        """What the first of these moves are worth, as many as there is work left for."""
        values: list[int] = []
        try:
            for _, after in moves:
                values.append(self._value(after, rounds))
        except Enough:
            pass
        return values

    def _value(self, position: Position, rounds: int) -> int:
        """What it is worth to have made a move that led here, so many rounds on."""
        later = self._after_the_others(position)
        if isinstance(later, int):
            return (_WON if later == self._me else -_WON) * (rounds + 1)
        if not later.owned[self._me] and not later.owned[0]:
            return -_WON * (rounds + 1)
        if rounds == 1:
            return self._worth(later)
        best = -_WON * _MOST_ROUNDS
        for tile, owner in enumerate(later.owners):
            if owner in (0, self._me):
                after = self._played(later, tile, self._me)
                best = max(best, _WON * rounds if after is None else self._value(after, rounds - 1))
        return best

    def _after_the_others(self, position: Position) -> Position | int:
        """The position at the next own turn; or the team that has won by then."""
        limits = self._field.limits
        for team in self._players[1:]:
            self._left -= 4 + self._field.tiles // 16
            if self._left < 0:
                self._go_on()
            most, found = position.owned[team] + 1, None
            for tile, owner in enumerate(position.owners):
                if owner == team and position.board[tile] == limits[tile]:
                    after = self._played(position, tile, team)
                    if after is None:
                        return team
                    if after.owned[team] > most:
                        most, found = after.owned[team], after
            position = found or position
        return position

    def _played(self, position: Position, tile: int, team: int) -> Position | None:
        board, owners, owned = position.board[:], position.owners[:], position.owned[:]
        topples, _ = cascade(self._field, board, owners, owned, tile, team)
        self._left -= 2 + topples
        return None if owned[team] == self._field.tiles else Position(board, owners, owned)

    def _worth(self, position: Position) -> int:
        self._left -= self._field.tiles // 4
        return prospects(self._field, position.board, position.owners, position.owned, self._me)
