"""What can be chosen before a game of Topple."""

from typing import Annotated

import msgspec
from msgspec.structs import replace

from gamut.games.topple.events import Resumed
from gamut.games.topple.files.suspended import Suspended, suspended
from gamut.games.topple.state import MOST_PLAYERS, TEAMS, Penalty, Scoring, Setup, usual_team
from gamut.games.topple.topology import LONGEST_SIDE, MOST_TILES, TOPOLOGIES, Topology

_LONGEST_STORED = 1 << 16
"""Bytes. Files that come in today are shorter; older tables may have had one as long as this."""

Side = Annotated[int, msgspec.Meta(ge=1, le=LONGEST_SIDE)]


class ToppleOptions(msgspec.Struct, frozen=True, gc=False, forbid_unknown_fields=True):
    """The board and the rules that people may change."""

    topology: Topology = "grid"
    x: Side = 6
    y: Side = 6
    scoring: Scoring = "elim"
    penalty: Penalty = "random"
    """What happens when a player's time is up: a random move, none, or the player is out."""
    idle_rounds: Annotated[int, msgspec.Meta(ge=1, le=100)] = 5
    """After so many rounds in which every turn was skipped the game ends and tiles are counted.

    With time for the whole game, where whoever has none left is skipped for good, 1 is right: the game then
    ends as soon as nobody has any.
    """
    teams: Annotated[
        tuple[Annotated[int, msgspec.Meta(ge=1, le=TEAMS)], ...], msgspec.Meta(max_length=MOST_PLAYERS)
    ] = ()
    """Teams of the first players, if not the usual ones."""
    resume: Annotated[bytes, msgspec.Meta(max_length=_LONGEST_STORED)] = b""
    """A suspended game (a whole `.stpl` file) to go on with; the board and rules here must be its own."""
    position: Resumed | None = None
    """Where the suspended game stands. The server works it out once; what a client says here is not looked at."""

    def __post_init__(self) -> None:
        if self.x * self.y > MOST_TILES:
            raise ValueError(f"{self.x}x{self.y} is too large: a board has at most {MOST_TILES} tiles")

    @classmethod
    def resuming(
        cls, saved: Suspended, penalty: Penalty | None = None, idle_rounds: int = 5
    ) -> "ToppleOptions":
        """The options with which a suspended game goes on."""
        setup = saved.state.setup
        return cls(
            topology=TOPOLOGIES[setup.topology],
            x=setup.x,
            y=setup.y,
            scoring=setup.scoring,
            penalty=setup.penalty if penalty is None else penalty,
            idle_rounds=idle_rounds,
            resume=saved.kept,
            position=saved.position,
        )

    def checked(self) -> "ToppleOptions":
        """The same with a position that is known to be the file's. Raises ValueError, also as BadFile."""
        if not self.resume:
            return self if self.position is None else replace(self, position=None)
        saved = suspended(self.resume)
        setup = saved.state.setup
        board = (TOPOLOGIES.index(self.topology), self.x, self.y, self.scoring)
        if board != (setup.topology, setup.x, setup.y, setup.scoring):
            raise ValueError("The board or the scoring is not that of the suspended game")
        return replace(self, resume=saved.kept, position=saved.position)

    def standing(self) -> Resumed | None:
        """Where the game stands that is to go on; None if a new one is to be played."""
        if self.position is None and self.resume:
            # From a time when tables did not keep it.
            return suspended(self.resume, _LONGEST_STORED).position
        return self.position

    def teams_of(self, seats: int) -> tuple[int, ...]:
        """The team that whoever takes each of these seats is in."""
        usual = map(usual_team, range(len(self.teams), seats))
        return (*self.teams[:seats], *usual)

    def setup(self, teams: tuple[int, ...]) -> Setup:
        return Setup(
            topology=TOPOLOGIES.index(self.topology),
            x=self.x,
            y=self.y,
            teams=teams,
            scoring=self.scoring,
            penalty=self.penalty,
            idle_rounds=self.idle_rounds,
        )
