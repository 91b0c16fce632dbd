"""Ways in which a disk ruins a database."""

from collections.abc import Callable
from pathlib import Path
from random import Random

PAGE = 4096

Harm = Callable[[bytearray, int, Random], None]


def _zeroed(data: bytearray, page: int, chance: Random) -> None:
    data[page * PAGE : (page + 1) * PAGE] = bytes(PAGE)


def _noise(data: bytearray, page: int, chance: Random) -> None:
    data[page * PAGE : (page + 1) * PAGE] = chance.randbytes(PAGE)


def _scratched(data: bytearray, page: int, chance: Random) -> None:
    length = chance.choice([1, 8, 64, 512])
    at = page * PAGE + chance.randrange(PAGE - length + 1)
    data[at : at + length] = chance.randbytes(length)


def _one_bit(data: bytearray, page: int, chance: Random) -> None:
    data[page * PAGE + chance.randrange(PAGE)] ^= 1 << chance.randrange(8)


def _misplaced(data: bytearray, page: int, chance: Random) -> None:
    other = chance.randrange(len(data) // PAGE)
    data[page * PAGE : (page + 1) * PAGE] = data[other * PAGE : (other + 1) * PAGE]


HARMS: tuple[Harm, ...] = (_zeroed, _noise, _scratched, _one_bit, _misplaced)


def wreck(file: Path, chance: Random, pages: int) -> set[int]:
    """Ruin so many pages; says which, the first being 0."""
    data = bytearray(file.read_bytes())
    ruined = set(chance.sample(range(len(data) // PAGE), pages))
    for page in sorted(ruined):
        chance.choice(HARMS)(data, page, chance)
    if chance.random() < 0.1:
        cut = chance.randrange(1, 4)
        ruined |= set(range(len(data) // PAGE - cut, len(data) // PAGE))
        del data[-cut * PAGE :]
    file.write_bytes(data)
    return ruined
