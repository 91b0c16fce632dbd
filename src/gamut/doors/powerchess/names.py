"""Names of players. Existing clients put them into their page as markup."""

from collections.abc import Callable

from gamut.games.game import Refused
from gamut.hall.names.characters import MARKUP, can_be_seen
from gamut.hall.names.person_names import NAME_LONGEST, NAMELESS, clean_name

_WITHOUT_MARKUP = str.maketrans("", "", MARKUP)


def shown(name: str) -> str:
    """As clients of this protocol are told a name from whatever door."""
    return name.translate(_WITHOUT_MARKUP).strip() or NAMELESS


def taken(said: str, check_unregistered: Callable[[str], None]) -> str:
    """The name under which somebody plays who calls himself so.

    Clients cannot ask for another one, so whoever may not be called like that is a guest without a name.
    """
    kept = "".join(filter(can_be_seen, said.translate(_WITHOUT_MARKUP))).strip()[:NAME_LONGEST]
    try:
        name = clean_name(kept)
        check_unregistered(name)
    except Refused:
        return NAMELESS
    return name
