"""A rules string in words: what somebody must know before a game by rules they have never seen."""

from collections.abc import Iterator, Sequence

from gamut.games.tafl.movement import jump_of, letters_in_play
from gamut.games.tafl.notation import space_name
from gamut.games.tafl.pieces import KINDS, LETTERS, SIDES, side_of
from gamut.games.tafl.ruleset import Area, Jump, Rules, default_areas

_PLURALS = {
    "t": "taflmen",
    "c": "commanders",
    "n": "knights",
    "k": "kings",
    "m": "mercenaries",
    "g": "guards",
}
_JUMPS: dict[Jump, str] = {
    "restricted": "may jump over an enemy beside it to the space behind, from or to a special space only",
    "over": "may jump over an enemy beside it to the space behind",
    "capturing": "captures an enemy beside it by jumping over it",
}
_STRENGTHS = {
    "strong": "The king is strong: he is captured by enemies or hostile spaces on all four sides, "
    "and never at the edge.",
    "centre": "On the centre and beside it the king is captured on all four sides, elsewhere like any piece.",
    "middle": "The king is captured when every space beside him is hostile: four, at the edge three.",
    "weak": "The king is captured like any other piece, between two enemies.",
}
_ARMED = {
    "both": "The king helps to capture.",
    "hammer": "The king captures by moving; against a king who stands still nobody is captured.",
    "anvil": "Others capture against the king; he himself captures nobody.",
    "neither": "The king takes no part in captures.",
}
_REPEATED = {
    "draw": "When a position is there for the third time, the game is a draw.",
    "loses": "Whoever brings about a position for the third time loses.",
    "wins": "Whoever brings about a position for the third time wins.",
    "ignored": "Positions may come again as often as they like.",
}


def in_words(rules: Rules) -> Iterator[str]:
    """The rules, one thought on each line."""
    yield from _pieces(rules)
    yield from _aim(rules)
    yield from _moving(rules)
    yield from _areas(rules)
    yield from _capturing(rules)
    yield from _ending(rules)


def _pieces(rules: Rules) -> Iterator[str]:
    yield f"{rules.name}, on a board of {rules.size} by {rules.size} spaces."
    for side in (0, 1):
        counted = [
            f"{rules.start.count(letter)} {_named(letter, rules.start.count(letter))}"
            for letter in LETTERS
            if letter in rules.start and side_of(letter) == side
        ]
        if counted:
            yield f"The {SIDES[side]} have {_listed(counted)}."
    yield f"The {SIDES[0 if rules.attackers_first else 1]} move first."


def _aim(rules: Rules) -> Iterator[str]:
    where = "the edge of the board" if rules.escape == "edge" else "a corner"
    if rules.escape == "corner" and not rules.corner.spaces:
        yield "The attackers win by capturing the king. There is no corner to which he could escape."
    else:
        yield f"The defenders win when the king reaches {where}, the attackers when they capture him."


def _moving(rules: Rules) -> Iterator[str]:
    yield "Pieces move along ranks and files, over empty spaces."
    there = letters_in_play(rules)
    slow = [
        f"{_side_piece(letter)} at most {speed}"
        for letter, speed in zip(LETTERS, rules.speeds, strict=True)
        if speed > 0 and letter in there
    ]
    speeds = {rules.speeds[LETTERS.index(letter)] for letter in there}
    if slow and len(speeds) == 1:
        yield f"They go at most {_many(rules.speeds[LETTERS.index(there[0])], 'space')} at a time."
    elif slow:
        yield f"They go as far as they like, but for {_listed(slow)} at a time."
    else:
        yield "They go as far as they like."
    jumps = {kind: jump_of(rules, kind) for kind in KINDS if kind in there or kind.upper() in there}
    for kind, mode in jumps.items():
        if mode != "never":
            yield f"A {KINDS[kind]} {_JUMPS[mode]}."
    if set(jumps.values()) - {"never"}:
        yield "Nobody jumps over kings, commanders and knights."
    if rules.berserk != "none":
        goes_on = "can capture again" if rules.berserk == "captures" else "can move on"
        yield f"After a capture the same piece moves again, if it {goes_on}."


_AREA_NAMES = ("corner", "centre", "attackers' fort", "defenders' fort")


def _areas(rules: Rules) -> Iterator[str]:
    everybody = letters_in_play(rules)
    for name, area, usual in zip(_AREA_NAMES, rules.areas, default_areas(rules.size), strict=True):
        if not area.spaces:
            continue
        if area.spaces == usual.spaces:
            where = f"The {name} spaces" if len(area.spaces) > 1 else f"The {name}"
        else:
            spaces = _listed([space_name(space, rules.size) for space in area.spaces])
            where = f"The {name} ({spaces})"
        yield f"{where}: {'; '.join(_allowed(area, everybody))}."
        yield from _hostility(rules, name, area, everybody)


def _allowed(area: Area, everybody: str) -> Iterator[str]:
    yield f"{_who(area.stopping, everybody)} may stop there"
    if set(area.passing) & set(everybody) != set(area.stopping) & set(everybody):
        yield f"{_who(area.passing, everybody)} may pass"
    if not set(everybody) <= set(area.entering):
        yield f"{_who(area.entering, everybody)} may come back in from outside"


def _hostility(rules: Rules, name: str, area: Area, everybody: str) -> Iterator[str]:
    if name != "centre":
        if set(area.hostile) & set(everybody):
            yield f"Like an enemy, such a space helps to capture {_whom(area.hostile, everybody)}."
        return
    empty, taken = rules.empty_centre_hostile, area.hostile
    if set(empty) & set(everybody):
        yield f"While it is empty, it helps to capture {_whom(empty, everybody)}."
    if set(taken) & set(everybody):
        yield f"While somebody stands there, it helps to capture {_whom(taken, everybody)}."


def _capturing(rules: Rules) -> Iterator[str]:
    yield "A piece is captured when an enemy moves beside it and another enemy is on the opposite side of it."
    yield "Whoever moves between two enemies is safe."
    there = letters_in_play(rules)
    yield _STRENGTHS[rules.king_strength]
    yield _ARMED[rules.king_captures]
    if set(there) & set("cn") and rules.king_strength in ("strong", "centre"):
        yield (
            "A strong king also falls between two of the attackers' commanders or knights, "
            "or between one and a corner."
        )
    if "m" in there:
        yield "Captured mercenaries are not taken from the board: they change sides."
    if set(there) & set("gG"):
        yield "Guards capture nobody and are not captured."
    if rules.shieldwall != "none":
        closed = "or a corner " if rules.shieldwall == "strong" else ""
        yield (
            "Shieldwall: two or more pieces in a row at the edge are captured together when there is an enemy in "
            f"front of each, and an enemy {closed}at both ends."
        )
        yield (
            "The piece that closes one of the ends must have moved just then."
            if rules.flanking
            else "It does not matter which piece completes the wall."
        )
        yield "A king in such a row stays."
    if rules.linnaean:
        yield (
            "When the king is in the middle with attackers on three sides, the defender on the fourth is captured "
            "between him and an attacker who moves behind it."
        )


def _ending(rules: Rules) -> Iterator[str]:
    if rules.edge_forts:
        yield "The defenders also win with a fort at the edge, in which the king can move and nobody can break in."
    if rules.surround:
        yield "The attackers also win when no defender can reach the edge any more."
    yield "Whoever cannot move loses."
    yield _REPEATED[rules.repetition]


# Words


def _named(letter: str, count: int) -> str:
    return KINDS[letter.lower()] if count == 1 else _PLURALS[letter.lower()]


def _side_piece(letter: str) -> str:
    return f"the {SIDES[side_of(letter)]}' {_PLURALS[letter.lower()]}" if letter != "K" else "the king"


def _who(pieces: str, everybody: str) -> str:
    """Those of a list that there are."""
    there = [letter for letter in everybody if letter in pieces]
    if not there:
        return "nobody"
    if len(there) == len(everybody):
        return "everybody"
    if there == ["K"]:
        return "only the king"
    for side in (0, 1):
        if there == [letter for letter in everybody if side_of(letter) == side]:
            return f"only {SIDES[side]}"
    return f"only {_listed([_side_piece(letter) for letter in there])}"


def _whom(pieces: str, everybody: str) -> str:
    return _who(pieces, everybody).removeprefix("only ").replace("everybody", "anybody")


def _many(count: int, thing: str) -> str:
    return f"{count} {thing}" if count == 1 else f"{count} {thing}s"


def _listed(words: Sequence[str]) -> str:
    """As people say it: a, b and c."""
    *first, last = words
    return f"{', '.join(first)} and {last}" if first else last
