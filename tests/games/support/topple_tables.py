"""Tables of Topple for tests: boards small enough for random games to be short."""

from hypothesis import strategies as st

from gamut.games.topple.options import ToppleOptions
from gamut.games.topple.topology import TOPOLOGIES

_TEAMS = st.lists(st.integers(1, 6), max_size=10).filter(lambda teams: not teams or len(set(teams[:2])) == 2)
"""The first two are never in one team, so that a game with any number of players can begin."""


def options() -> st.SearchStrategy[ToppleOptions]:
    return st.builds(
        ToppleOptions,
        topology=st.sampled_from(TOPOLOGIES),
        x=st.integers(1, 5),
        y=st.integers(1, 4),
        scoring=st.sampled_from(("elim", "tile", "piece")),
        penalty=st.sampled_from(("random", "skip", "lose")),
        idle_rounds=st.integers(1, 8),
        teams=st.just(()) | _TEAMS.map(tuple),
    )
