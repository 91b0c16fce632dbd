"""What can be chosen before a game of Tafl."""

from typing import Annotated, Literal

import msgspec

from gamut.games.tafl.compiled import Compiled
from gamut.games.tafl.endings import WHY, ending
from gamut.games.tafl.movement import letters_in_play
from gamut.games.tafl.pieces import EMPTY
from gamut.games.tafl.records import parse_record
from gamut.games.tafl.rules_text import LONGEST, parse_rules, written_rules
from gamut.games.tafl.ruleset import MOST_PIECES, Rules
from gamut.games.tafl.variants import names_by_rules, rules_by_name

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
"""That a game may have had before it goes on here."""
_LONGEST_MOVE = 7
"""Characters of the longest, such as s19-s10."""


class TaflOptions(msgspec.Struct, frozen=True, gc=False, forbid_unknown_fields=True):
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

    def checked(self) -> "TaflOptions":
        """The same with rules in their canonical form, or by name if they have one. Raises ValueError."""
        rules = self.rules
        variant: VariantName = self.variant
        if rules:
            rules = written_rules(playable(rules, self.quirks))
            named = names_by_rules().get(rules)
            if named is not None:
                rules, variant = "", named  # type: ignore[assignment]  # the names of variants are those above
            else:
                variant = "copenhagen"
        moves = tuple(parse_record(move).simple for move in self.moves)
        return TaflOptions(variant, rules, self.quirks, moves)


def playable(text: str, quirks: bool = False) -> Rules:
    """The rules, if a game can be played by them. Raises ValueError."""
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
    on = Compiled(rules, quirks)
    over = ending(on, on.start())
    if over is not None:
        raise ValueError(f"The game would be over before it begins: {WHY[over.reason]}.")
    return rules
