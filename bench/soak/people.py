"""Who comes in an evening."""

from typing import Any

from bench.soak.person import Evening, Person
from bench.soak.topple_people import Pair, TopplePerson
from bench.soak.tower_people import TowerPerson
from bench.soak.web_people import Party, WebPerson

_NUMBERS = {"tower": 3, "topple": 2}
_PARTIES: tuple[tuple[str, dict[str, Any]], ...] = (
    ("tower", {}),
    ("tower", {"clock": {"kind": "bank", "main": 600_000}}),
    ("topple", {"options": {"x": 3, "y": 3}}),
    ("tower", {"bots": ["casual", "casual"]}),
)


def everybody(evening: Evening, crowd: int) -> list[Person]:
    """For each unit of the crowd a party of every kind."""
    people: list[Person] = []
    for number in range(crowd):
        for kind, (game, fields) in enumerate(_PARTIES):
            party = Party(game, _NUMBERS[game], **fields)
            people += [
                WebPerson(
                    evening,
                    f"page {number} {kind} {each}",
                    party,
                    host=each == 0,
                    new=each != 1,
                    account=each == kind,
                )
                for each in range(_NUMBERS[game] - len(fields.get("bots", ())))
            ]
            name = f"watcher {number} {kind}"
            people.append(WebPerson(evening, name, party, host=False, new=True, plays=False))
        for room in range(2):
            people += [
                TowerPerson(
                    evening,
                    f"soak {number} {room}",
                    f"tower {number} {room} {each}",
                    restless=each == 0,
                    own_port=room == 0,
                )
                for each in range(3)
            ]
        for pairs in range(2):
            pair = Pair()
            people += [
                TopplePerson(evening, f"topple {number} {pairs} {each}", pair, host=each == 0)
                for each in range(2)
            ]
    return people
