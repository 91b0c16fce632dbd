"""How many play, who with whom, and in which order."""

from collections.abc import Iterator
from random import Random
from typing import Annotated, Literal, NamedTuple

import msgspec
from msgspec.structs import replace

from gamut.games.game import Seat

ModeName = Literal[
    "singles_1",
    "singles_2",
    "singles_3",
    "singles_4",
    "singles_5",
    "singles_6",
    "teams_2_vs_2",
    "teams_2_vs_2_vs_2",
    "teams_3_vs_3",
]
Order = Literal["random", "exact", "teams"]


class Mode(NamedTuple):
    number: int
    """By which files and existing clients know it."""
    title: str
    seats: int
    teams: int
    """As many as seats where everybody plays alone."""

    @property
    def singles(self) -> bool:
        return self.seats == self.teams


MODES: dict[ModeName, Mode] = {
    "singles_1": Mode(1, "Singles 1", 1, 1),
    "singles_2": Mode(2, "Singles 2", 2, 2),
    "singles_3": Mode(3, "Singles 3", 3, 3),
    "singles_4": Mode(4, "Singles 4", 4, 4),
    "singles_5": Mode(5, "Singles 5", 5, 5),
    "singles_6": Mode(6, "Singles 6", 6, 6),
    "teams_2_vs_2": Mode(7, "Teams 2 vs 2", 4, 2),
    "teams_2_vs_2_vs_2": Mode(8, "Teams 2 vs 2 vs 2", 6, 3),
    "teams_3_vs_3": Mode(9, "Teams 3 vs 3", 6, 2),
}
MODE_NAMES: dict[int, ModeName] = {mode.number: name for name, mode in MODES.items()}
"""By number."""


class AcquireOptions(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    mode: Annotated[ModeName, msgspec.Meta(description="How many play, alone or in teams")] = "singles_4"
    order: Annotated[
        Order,
        msgspec.Meta(
            description="The order of play: drawn by chance, exactly as the players sit, or drawn by chance with "
            "the teams as they sit (team games only)"
        ),
    ] = "random"

    @property
    def rules(self) -> Mode:
        return MODES[self.mode]

    def checked(self) -> "AcquireOptions":
        if self.order == "teams" and self.rules.singles:
            raise ValueError("Teams can be chosen in team games only")
        return self

    def with_mode(self, mode: ModeName) -> "AcquireOptions":
        """The same in another mode: where there are no teams they cannot be chosen, and the order is drawn."""
        order = "random" if self.order == "teams" and MODES[mode].singles else self.order
        return replace(self, mode=mode, order=order)

    def in_words(self) -> Iterator[str]:
        mode = self.rules
        if mode.seats == 1:
            yield "One plays alone, for the highest score."
        elif mode.singles:
            yield f"{mode.seats} play, each alone."
        else:
            yield f"{mode.teams} teams of {mode.seats // mode.teams} play; what their members are worth is added up."
            yield "Partners take turns with the others, and do not see each other's tiles."
        if mode.seats > 1:
            yield _IN_WORDS[self.order]


_IN_WORDS: dict[Order, str] = {
    "random": "Who plays first, and after whom, is drawn when the game begins.",
    "exact": "Everybody plays in the order in which they sit.",
    "teams": "The teams are as they sit; the order of play is drawn when the game begins.",
}


def arranged(options: AcquireOptions, chance: Random) -> list[Seat]:
    """For each seat of the game, in which one its player sat before."""
    mode = options.rules
    sitting = [Seat(seat) for seat in range(mode.seats)]
    if options.order == "exact":
        return sitting
    if options.order == "random":
        return chance.sample(sitting, mode.seats)
    teams = [sitting[team :: mode.teams] for team in range(mode.teams)]
    chance.shuffle(teams)
    for team in teams:
        chance.shuffle(team)
    return [player for round_ in zip(*teams, strict=True) for player in round_]
