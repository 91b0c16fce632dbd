"""What can be chosen before a game of Tafl."""

from collections.abc import Mapping
from functools import cached_property, lru_cache
from typing import Annotated, Literal, cast

import msgspec
from msgspec.structs import replace

from gamut.games.tafl.compiled import compiled
from gamut.games.tafl.decide import began, begun
from gamut.games.tafl.endings import WHY, ending
from gamut.games.tafl.movement import letters_in_play
from gamut.games.tafl.pieces import EMPTY
from gamut.games.tafl.records import parse_record
from gamut.games.tafl.rules_text import LONGEST, beyond_usual, parse_rules, written_rules
from gamut.games.tafl.ruleset import MOST_PIECES, Rules
from gamut.games.tafl.state import Began, Event
from gamut.games.tafl.variants import VARIANTS, names_by_rules, rules_by_name

VariantName = Literal[
    "copenhagen",
    "copenhagen_relaxed",
    "fetlar",
    "computer_fetlar",
    "brandub",
    "magpie",
    "tablut",
    "tablut_15",
    "foteviken",
    "sea_battle",
    "sea_battle_parlett",
    "tawlbwrdd",
    "berserk",
    "alea_evangelii",
]

MOST_MOVES = 1000
"""That a game may have had before it goes on here: fewer than it may have in all, as its start is one event with all of
them, which is stored, folded and told where others wait."""
_LONGEST_MOVE = 7
"""Characters of the longest, such as s19-s10."""


class TaflOptions(msgspec.Struct, frozen=True, dict=True, forbid_unknown_fields=True):
    """A variant, or rules of one's own."""

    variant: VariantName = "copenhagen"
    rules: Annotated[str, msgspec.Meta(max_length=LONGEST)] = ""
    """A rules string; if there is one, the variant does not matter."""
    quirks: bool = False
    """Play as existing clients do, mistakes included: for tables at which one sits."""
    moves: Annotated[
        tuple[Annotated[str, msgspec.Meta(max_length=_LONGEST_MOVE)], ...],
        msgspec.Meta(max_length=MOST_MOVES),
    ] = ()
    """What was played before, from start to end such as a4-a3: the game goes on after it."""

    @property
    def rules_string(self) -> str:
        return self.rules or rules_by_name()[self.variant]

    @property
    def own_rules(self) -> bool:
        """Whether these are rules that have no name here."""
        return bool(self.rules) and named(self.rules) is None

    @cached_property
    def start(self) -> Began:
        """How a game by these rules begins, with the tables of the rules. It takes a while, so it is done once, and
        goes with the options: it is no part of them."""
        return began(self.rules_string, compiled(self.rules_string, self.quirks))

    @cached_property
    def beginning(self) -> tuple[Event, ...]:
        """The same up to where the game goes on. Raises ValueError where there is no way."""
        return begun(self.start, self.moves)

    def from_the_start(self) -> "TaflOptions":
        """The same without what was played before."""
        if not self.moves:
            return self
        fresh = replace(self, moves=())
        fresh.__dict__["start"] = self.start
        return fresh

    def checked(self) -> "TaflOptions":
        """The same with rules in their canonical form, or by name if they have one. Raises ValueError.

        What the beginning of the game needs has been worked out then.
        """
        if len(self.moves) > MOST_MOVES:
            raise ValueError(f"A game that goes on has had at most {MOST_MOVES} moves.")
        rules, variant = self.rules, self.variant
        if rules:
            name = named(rules)
            if name is None:
                rules = written_rules(playable(rules))
                name = _variant_names().get(rules)
            if name is None:
                variant = "copenhagen"
            else:
                rules, variant = "", name
        moves = tuple(parse_record(move).simple for move in self.moves)
        checked = TaflOptions(variant, rules, self.quirks, moves)
        if rules:
            on = checked.start.on
            over = ending(on, on.start())
            if over is not None:
                raise ValueError(f"The game would be over before it begins: {WHY[over.reason]}.")
        if moves:
            checked.beginning  # noqa: B018 - it is worked out here
        return checked


def _variant_names() -> Mapping[str, VariantName]:
    return cast(Mapping[str, VariantName], names_by_rules())


@lru_cache(maxsize=1)
def _variants() -> Mapping[frozenset[tuple[str, str]], VariantName]:
    return {beyond_usual(variant.rules): cast(VariantName, variant.name) for variant in VARIANTS}


def named(rules: str) -> VariantName | None:
    """The variant of which these are the very rules, in whatever order. It takes next to no time."""
    return _variants().get(beyond_usual(rules))


def playable(text: str) -> Rules:
    """The rules, if they make a game; whether it is over before it begins is another question. Raises ValueError."""
    rules = parse_rules(text)
    pieces = [letter for letter in rules.start if letter != EMPTY]
    if not any(letter.islower() for letter in pieces):
        raise ValueError("There must be attackers on the board.")
    if "K" not in pieces:
        raise ValueError("There must be a king on the board.")
    if "k" in letters_in_play(rules):
        raise ValueError("Attackers have no king.")
    if len(pieces) > MOST_PIECES:
        raise ValueError(f"There are at most {MOST_PIECES} pieces on a board.")
    if len(written_rules(rules)) > LONGEST:
        raise ValueError(f"These rules are too long: at most {LONGEST} characters.")
    return rules
