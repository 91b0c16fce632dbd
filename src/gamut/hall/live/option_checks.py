"""Options that take long to check are checked in a thread, and what came of it is remembered for a while."""

import hashlib
from collections import OrderedDict
from typing import Any

import msgspec

from gamut.games.game import AnyGame, Refused
from gamut.hall.ids import PersonId
from gamut.hall.limits.attempts import TooManyTries
from gamut.hall.limits.slow_work import SlowWork
from gamut.hall.table.deciding.beginning import checked_options

_REMEMBERED = 16
"""Few: with the options of a game that goes on, all that was played in it is kept."""


class OptionChecks:
    def __init__(self, work: SlowWork) -> None:
        self._work = work
        self._known: OrderedDict[bytes, Any] = OrderedDict()
        """By what was sent: the options as they were found to be, or the refusal."""

    async def check(self, game: AnyGame, options: Any, person: PersonId, address: str) -> Any:
        """The options as a table keeps them, or Refused."""
        if not game.takes_long(options):
            return checked_options(game, options)
        sent = hashlib.blake2b(msgspec.json.encode((game.traits.name, options)), digest_size=16).digest()
        if sent in self._known:
            # Counted all the same: a table with long options costs storage and messages each time.
            self._work.count(person, address)
        else:
            self._remember(sent, await self._found(game, options, person, address))
        self._known.move_to_end(sent)
        found = self._known[sent]
        if isinstance(found, Refused):
            raise Refused(found.code, found.reason)
        return found

    async def _found(self, game: AnyGame, options: Any, person: PersonId, address: str) -> Any:
        try:
            return await self._work.run(person, address, checked_options, game, options)
        except TooManyTries:
            raise  # not remembered: the options were not looked at
        except Refused as refused:
            return Refused(refused.code, refused.reason)

    def _remember(self, sent: bytes, found: Any) -> None:
        self._known[sent] = found
        while len(self._known) > _REMEMBERED:
            self._known.popitem(last=False)
