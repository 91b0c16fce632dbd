"""Who was told to hold when the server stopped, and waits for the word to go on."""

from gamut.hall.ids import Millis, PersonId
from gamut.hall.live.live_table import LiveTable
from gamut.hall.table import events as e


def was_held(live: LiveTable, person: PersonId, opened: Millis) -> bool:
    """Whether a stop of the server cut this person off, who is coming back: `opened` is when this server opened.

    The log knows: the last word about somebody who was there to the end is that they came, not that they went.
    """
    if person in live.here:
        return False
    for event in reversed(live.log):
        match event:
            case e.Dropped(person=gone) if gone == person:
                return False
            case e.Returned(person=back) if back == person:
                return event.at < opened
            case e.Sat(sitter=sitter) if sitter.person == person:
                return event.at < opened
    return False
