"""What lists show of tables: short, whatever a table's options are."""

from typing import Any

import msgspec
from msgspec.structs import replace
from tests.games.support.topple_tables import SUSPENDED
from tests.hall.support.inmemory import make_hall

from gamut.games.topple.files.record import Moved, Waited
from gamut.games.topple.files.suspended import suspended
from gamut.games.topple.files.writer import write
from gamut.games.topple.options import ToppleOptions
from gamut.games.topple.rules import Topple
from gamut.games.tower.rules import Tower
from gamut.hall.live.opening import Opening
from gamut.hall.lobby.summary import LONGEST_OPTIONS, summary_from, summary_of
from gamut.hall.store.storage import Entry

TOPPLE = Topple()
encode = msgspec.json.encode


class Wordy(Tower):
    """Says far too much of its options."""

    def brief(self, options: Any) -> dict[str, Any]:
        return {"words": "x" * LONGEST_OPTIONS}


def long_game() -> ToppleOptions:
    record = replace(SUSPENDED, events=(Moved(1, 0), Moved(2, 7), *[Waited(1)] * 3_000))
    return ToppleOptions.resuming(suspended(write(record)))


def test_a_table_with_a_suspended_game_is_shown_briefly() -> None:
    house = make_hall(played={"topple": TOPPLE})
    options = long_game()
    assert len(options.resume) > 10_000
    live = house.open(Opening(game="topple", options=options, seats=2), "ann", "ann")
    entry = house.storage.entry(live.id)
    assert entry is not None
    shown = house.hall.lobby.tables[live.id]
    assert encode(shown) == encode(summary_of(TOPPLE, live.table)) == entry.summary
    assert len(encode(shown)) < 600
    assert shown.options == {**TOPPLE.brief(ToppleOptions()), "resume": True}
    assert live.table.options == options, "the table has all of it"


def test_what_is_shown_of_options_is_never_long() -> None:
    house = make_hall(played={"tower": Wordy()})
    live = house.open(Opening(game="tower"), "ann")
    assert house.hall.lobby.tables[live.id].options == {}


def test_what_was_noted_with_long_options_is_read_and_shown_briefly() -> None:
    house = make_hall(played={"topple": TOPPLE})
    live = house.open(Opening(game="topple", options=long_game(), seats=2), "ann", "ann")
    entry = house.storage.entry(live.id)
    assert entry is not None
    short = summary_from(TOPPLE, entry)
    long = replace(short, options=msgspec.to_builtins(replace(live.table.options, position=None)))
    noted: Entry = replace(entry, summary=encode(long))
    assert encode(summary_from(TOPPLE, noted)) == encode(short)
    assert summary_from(None, noted) == replace(short, options={}), "also of a game that is not here any more"
    assert summary_from(Tower(), noted) == replace(short, options={}), "or that has other options today"
