"""Scores: how each way of scoring goes on after a move, and who has won by it."""

from collections.abc import Callable, Iterable, Sequence

from gamut.games.topple.state import TEAMS, Scoring

Scores = tuple[int | None, ...]


def start(scoring: Scoring) -> Scores:
    return (None if scoring == "elim" else 0,) * (TEAMS + 1)


def after_move(
    scoring: Scoring,
    scores: Scores,
    owned: Sequence[int],
    teams: Iterable[int],
    capacity: int,
    pieces: Callable[[], Sequence[int]],
) -> Scores:
    """The scores after a move. `pieces` says how many pieces are neutral, and each team's."""
    if scoring == "elim":
        return scores if owned[0] else _ranked(scores, owned, teams, capacity)
    counts = owned if scoring == "tile" else pieces()
    return (0, *((score or 0) + count for score, count in zip(scores[1:], counts[1:], strict=True)))


def _ranked(scores: Scores, owned: Sequence[int], teams: Iterable[int], capacity: int) -> Scores:
    """Teams without a tile get, in team order, the next rank: the first to be out has the highest number."""
    ranked = list(scores)
    place = capacity - sum(score is not None for score in scores)
    for team in sorted(set(teams)):
        if not owned[team] and ranked[team] is None:
            ranked[team] = place
            place -= 1
    return tuple(ranked)


def pieces_by_team(board: bytes | bytearray, owners: bytes | bytearray) -> list[int]:
    """How many pieces are neutral, and each team's."""
    counts = [0] * (TEAMS + 1)
    for pieces, owner in zip(board, owners, strict=True):
        counts[owner] += pieces
    return counts


def best(scoring: Scoring, scores: Scores, standing: int) -> int:
    """The team that has won when this one is left standing: in a tie that one, else the lowest team."""
    if scoring == "elim":
        return standing
    most = max(score or 0 for score in scores)
    if scores[standing] == most:
        return standing
    return scores.index(most)
