"""Tables of Topple for tests: boards small enough for random games to be short."""

from hypothesis import strategies as st

from gamut.games.topple.files.record import Moved, Person, Record
from gamut.games.topple.files.suspended import EXTENSION
from gamut.games.topple.options import ToppleOptions
from gamut.games.topple.topology import TOPOLOGIES

SUSPENDED = Record(
    room="ABCDEFGH",
    started=1,
    topology=0,
    x=6,
    y=6,
    teams=(1, 2),
    size=1,
    people=(Person("alice"), Person("bob")),
    suspended=True,
    extensions=(EXTENSION,),
    events=(Moved(1, 5),),
)
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
